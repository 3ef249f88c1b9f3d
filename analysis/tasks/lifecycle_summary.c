/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lifecycle_summary.c -- quantiles of the phases of tasks, by type. */
#include <stdlib.h>

#include "analysis/core/grouping.h"
#include "analysis/core/run.h"
#include "analysis/core/statistics.h"
#include "analysis/core/warnings.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"

static const uint32_t percents[] = { 0, 25, 50, 75, 95, 100 };

enum { TYPE, RTYPE, PHASE, TASKS, TIME, QUANTILES };

static const struct tv_field columns[] = {
	[TYPE] = { "Value", TV_LABEL, false, "", "task type" },
	[RTYPE] = { "ResourceType", TV_LABEL, false, "", "type of the workers that ran them" },
	[PHASE] = { "Stage", TV_LABEL, false, "", "see below" },
	[TASKS] = { "Tasks", TV_INT, false, "",
		    "executions of which both ends of the phase are known" },
	[TIME] = { "Time", TV_TIME, false, "ms", "sum of the lengths" },
	[QUANTILES] = { "Min", TV_TIME, false, "ms",
			"shortest; negative where the trace contradicts itself" },
	{ "P25", TV_TIME, false, "ms", "first quartile" },
	{ "Median", TV_TIME, false, "ms", "median" },
	{ "P75", TV_TIME, false, "ms", "third quartile" },
	{ "P95", TV_TIME, false, "ms", "95 % are at most this long" },
	{ "Max", TV_TIME, false, "ms", "longest" },
};

enum stamp { SUBMITTED, RELEASED, PUSHED, POPPED, DATA_READY, START, END, NSTAMPS };

static const struct phase {
	const char *name;
	enum stamp from, to;
} phases[] = {
	{ "dependencies", SUBMITTED, RELEASED },
	{ "push", RELEASED, PUSHED },
	{ "queue", PUSHED, POPPED },
	{ "popped", POPPED, START },
	{ "data", RELEASED, DATA_READY },
	{ "ready", RELEASED, START },
	{ "execution", START, END },
};

enum { NPHASES = TV_COUNT(phases) };

/* How long one phase of one task took. */
struct sample {
	uint32_t type, rtype; /* indices in the order of names */
	uint32_t phase;
	int64_t time;
};

struct work {
	const struct tv_tasks *tasks;
	const struct tv_column *stamp[NSTAMPS]; /* NULL = the trace has none */
	struct sample *sample;
	size_t n;
	int64_t *time; /* buffer for those of any phase */
	struct tv_grouping types;
	struct tv_table *out;
};

static int by_group(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;

	if (x->type != y->type)
		return TV_COMPARE(x->type, y->type);
	if (x->rtype != y->rtype)
		return TV_COMPARE(x->rtype, y->rtype);
	if (x->phase != y->phase)
		return TV_COMPARE(x->phase, y->phase);
	return TV_COMPARE(x->time, y->time);
}

static bool stamp_of(const struct work *work, enum stamp stamp, uint32_t row, int64_t *time)
{
	const struct tv_column *column = work->stamp[stamp];

	if (column == NULL || tv_missing(column, row))
		return false;
	*time = column->i[row];
	return true;
}

static void take_samples(struct work *work)
{
	const struct tv_tasks *tasks = work->tasks;

	for (uint32_t row = 0; row < tasks->n; row++)
		for (uint32_t p = 0;
		     tasks->counted[row] && tv_row_begins(tasks, row) && p < NPHASES; p++) {
			int64_t from, to;

			/* Only the execution has no end. */
			if (phases[p].from == START && !tv_task_ended(tasks, row))
				continue;
			if (stamp_of(work, phases[p].from, row, &from)
			    && stamp_of(work, phases[p].to, row, &to))
				work->sample[work->n++] = (struct sample){
					work->types.of_row[row],
					tasks->workers[tasks->worker[row]].rtype, p,
					phases[p].from == START ? tv_task_time(tasks, row)
								: to - from
				};
		}
	qsort(work->sample, work->n, sizeof *work->sample, by_group);
}

/* Floor, in ns, of the quantile at `percent` of sorted times. */
static int64_t quantile(const int64_t *time, size_t n, uint32_t percent)
{
	tv_int128 hundredfold = tv_quantile_exact(time, n, percent, 100);

	return (int64_t)(hundredfold / 100 - (hundredfold % 100 < 0));
}

static void write_group(const struct work *work, const struct sample *sample, size_t n)
{
	struct tv_column *const *to = work->out->col;
	uint32_t row = tv_table_add_row(work->out);
	const char *phase = phases[sample->phase].name;
	tv_int128 sum = 0;

	for (size_t i = 0; i < n; i++) {
		work->time[i] = sample[i].time;
		sum += sample[i].time;
	}
	tv_set_label(to[TYPE], row, tv_grouping_label(&work->types, sample->type));
	tv_set_label(to[RTYPE], row, work->tasks->rtype[sample->rtype].label);
	tv_set_label(to[PHASE], row, tv_intern_text(work->out->pool, phase));
	tv_set_int(to[TASKS], row, (int64_t)n);
	tv_set_int(to[TIME], row, tv_sum_ns(sum));
	for (size_t i = 0; i < TV_COUNT(percents); i++)
		tv_set_int(to[QUANTILES + i], row, quantile(work->time, n, percents[i]));
}

static void write_groups(const struct work *work)
{
	for (size_t i = 0, n; i < work->n; i += n) {
		const struct sample *first = &work->sample[i];

		for (n = 1; i + n < work->n && first[n].type == first->type
			    && first[n].rtype == first->rtype && first[n].phase == first->phase;)
			n++;
		write_group(work, first, n);
	}
}

static int find_columns(struct tv_run *run, struct work *work, struct tv_error *err)
{
	static const char *const added[] = { "Released", "Pushed", "Popped", "DataReady" };
	const struct tv_table *tasks = &run->trace->table[TV_TASKS];
	const struct tv_table *life = tv_run_pass(run, "lifecycle", NULL, err);

	if (life == NULL)
		return -1;
	work->stamp[SUBMITTED] = run->tasks.submit;
	for (size_t i = 0; i < TV_COUNT(added); i++)
		work->stamp[RELEASED + i] = tv_table_find(life, added[i]);
	work->stamp[START] = tv_table_find(tasks, "Start");
	work->stamp[END] = tv_table_find(tasks, "End");
	return 0;
}

static int run_summary(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		       struct tv_error *err)
{
	struct work work = { .tasks = tv_run_part(run), .out = out };

	(void)options;
	if (find_columns(run, &work, err) < 0)
		return -1;
	work.sample = tv_alloc((size_t)work.tasks->ncounted * NPHASES, sizeof *work.sample);
	work.time = tv_alloc(work.tasks->ncounted, sizeof *work.time);
	tv_warn_cut(run);
	tv_grouping_by_type(&work.types, work.tasks);
	take_samples(&work);
	write_groups(&work);
	tv_free(work.sample);
	tv_free(work.time);
	tv_grouping_release(&work.types);
	return 0;
}

const struct tv_pass tv_pass_lifecycle_summary = {
	.name = "lifecycle-summary",
	.summary = "Time per life-cycle phase, by task type",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_DEPENDENCIES,
	.ranked = "Time",
	.sums = true,
	.needs = "events states links resources",
	TV_PASS_COLUMNS(columns),
	.notes = "Phases, between the times of lifecycle (they overlap):\n"
		 "  dependencies  SubmitTime to Released   waiting for other tasks\n"
		 "  push          Released to Pushed       until the scheduler has it\n"
		 "  queue         Pushed to Popped         in the scheduler's queues\n"
		 "  popped        Popped to Start          on its worker, until it runs\n"
		 "  data          Released to DataReady    until its data arrived\n"
		 "  ready         Released to Start        the whole delay\n"
		 "  execution     Start to End, of a suspended task the sum of its segments; the\n"
		 "                phases before are those of its first one\n"
		 "Phases that no task has are left out. Quantiles of type 7 (R's default), floor\n"
		 "in ns.",
	.example = "traceviz lifecycle-summary data/cholesky-paje",
	.windowless = true,
	.run = run_summary,
};
