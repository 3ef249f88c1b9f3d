/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lifecycle_summary.c -- quantiles of the phases of tasks, by type. */
#include "analysis/core/measure.h"
#include "analysis/core/run.h"
#include "analysis/core/warnings.h"

#define COLUMNS(X) \
	X(TYPE, "Value", TV_LABEL, false, "", "task type") \
	X(RTYPE, "ResourceType", TV_LABEL, false, "", "type of the workers that ran them") \
	X(PHASE, "Stage", TV_LABEL, false, "", "see below") \
	X(TASKS, "Tasks", TV_INT, false, "", \
	  "executions of which both ends of the phase are known") \
	X(TIME, "Time", TV_TIME, false, "ms", "sum of the lengths") \
	X(MIN, "Min", TV_TIME, false, "ms", \
	  "shortest; negative where the trace contradicts itself") \
	X(P25, "P25", TV_TIME, false, "ms", "first quartile") \
	X(MEDIAN, "Median", TV_TIME, false, "ms", "median") \
	X(P75, "P75", TV_TIME, false, "ms", "third quartile") \
	X(P95, "P95", TV_TIME, false, "ms", "95 % are at most this long") \
	X(MAX, "Max", TV_TIME, false, "ms", "longest")

TV_COLUMNS(columns, COLUMNS)

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

struct stages {
	const struct tv_tasks *tasks;
	const struct tv_column *stamp[NSTAMPS]; /* NULL = the trace has none */
	struct tv_grouping types;
	const struct phase *phase; /* of which lengths are asked */
};

/* Numbers of an execution. */
enum { TYPES, LENGTH };

static bool stamp_of(const struct stages *stages, enum stamp stamp, uint32_t row, int64_t *time)
{
	const struct tv_column *column = stages->stamp[stamp];

	if (column == NULL || tv_missing(column, row))
		return false;
	*time = column->i[row];
	return true;
}

static bool number_of(const void *data, unsigned column, uint32_t row, int64_t *number)
{
	const struct stages *stages = data;
	const struct tv_tasks *tasks = stages->tasks;
	int64_t from, to;

	if (column == TYPES) {
		if (!tasks->counted[row] || !tv_row_begins(tasks, row))
			return false;
		*number = (int64_t)stages->types.of_row[row] * tasks->nrtypes
			+ tasks->workers[tasks->worker[row]].rtype;
		return true;
	}
	if (!stamp_of(stages, stages->phase->from, row, &from)
	    || !stamp_of(stages, stages->phase->to, row, &to))
		return false;
	*number = to - from;
	if (stages->phase->from != START)
		return true;
	*number = tv_task_time(tasks, row);
	return tv_task_ended(tasks, row); /* only the execution has no end */
}

static const struct tv_measure_spec measures[] = {
	{ TASKS, TV_MEASURE_KNOWN, LENGTH },
	{ TIME, TV_MEASURE_SUM, LENGTH },
	{ MIN, TV_MEASURE_MIN, LENGTH },
	{ P25, TV_MEASURE_QUANTILE_FLOOR, LENGTH, .percent = 25 },
	{ MEDIAN, TV_MEASURE_QUANTILE_FLOOR, LENGTH, .percent = 50 },
	{ P75, TV_MEASURE_QUANTILE_FLOOR, LENGTH, .percent = 75 },
	{ P95, TV_MEASURE_QUANTILE_FLOOR, LENGTH, .percent = 95 },
	{ MAX, TV_MEASURE_MAX, LENGTH },
};

/* A row for each phase that tasks of a class have. */
static void write_class(struct stages *stages, struct tv_measuring *m,
			const struct tv_classes *classes, uint32_t group, struct tv_table *out)
{
	const struct tv_tasks *tasks = stages->tasks;
	struct tv_column *const *to = out->col;
	uint32_t type = (uint32_t)(classes->number[group] / tasks->nrtypes);
	uint32_t rtype = (uint32_t)(classes->number[group] % tasks->nrtypes);

	for (size_t p = 0; p < TV_COUNT(phases); p++) {
		uint32_t row;

		stages->phase = &phases[p];
		tv_measuring_group(m, &classes->groups, group);
		if (m->tally[LENGTH].known == 0)
			continue;
		row = tv_table_add_row(out);
		tv_set_label(to[TYPE], row, tv_grouping_label(&stages->types, type));
		tv_set_label(to[RTYPE], row, tasks->rtype[rtype].label);
		tv_set_text(to[PHASE], row, phases[p].name);
		tv_measuring_end(m, to, row);
	}
}

static int find_columns(struct tv_run *run, struct stages *stages, struct tv_error *err)
{
	static const char *const added[] = { "Released", "Pushed", "Popped", "DataReady" };
	const struct tv_table *tasks = &run->trace->table[TV_TASKS];
	const struct tv_table *life = tv_run_pass(run, "lifecycle", NULL, err);

	if (life == NULL)
		return -1;
	stages->stamp[SUBMITTED] = run->tasks.submit;
	for (size_t i = 0; i < TV_COUNT(added); i++)
		stages->stamp[RELEASED + i] = tv_table_find(life, added[i]);
	stages->stamp[START] = tv_table_find(tasks, "Start");
	stages->stamp[END] = tv_table_find(tasks, "End");
	return 0;
}

static int run_summary(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		       struct tv_error *err)
{
	struct stages stages = { .tasks = tv_run_part(run) };
	const struct tv_measured_rows rows = { number_of, &stages };
	struct tv_classes classes;
	struct tv_measuring m;

	(void)options;
	if (find_columns(run, &stages, err) < 0)
		return -1;
	tv_warn_cut(run);
	tv_grouping_by_type(&stages.types, stages.tasks);
	tv_classes_init(&classes, &rows, TYPES, stages.tasks->n, 0);
	tv_measuring_init(&m, &rows, measures, TV_COUNT(measures));
	for (uint32_t group = 0; group < classes.groups.n; group++)
		write_class(&stages, &m, &classes, group, out);
	tv_measuring_release(&m);
	tv_classes_release(&classes);
	tv_grouping_release(&stages.types);
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
