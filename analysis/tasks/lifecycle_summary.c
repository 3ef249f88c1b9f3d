/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lifecycle_summary.c -- quantiles of the phases of tasks, by type. */
#include <stdlib.h>

#include "analysis/core/measure.h"
#include "analysis/core/run.h"
#include "analysis/core/team.h"
#include "analysis/core/warnings.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/sorted.h"
#include "trace/text.h"

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

enum { NPHASES = TV_COUNT(phases) };

/* The rows of a part. */
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

/* Executions of a type on a type of workers. */
struct group {
	uint32_t type, rtype; /* label; place in tasks->rtype */
	bool named;
	const char *name; /* of the type, "" = none */
	struct tv_measuring phase[NPHASES];
};

TV_ORDER(by_type, struct group, named, text(name), rtype)

struct summary {
	struct group *group;
	size_t n, cap;
	struct tv_map place; /* by type and rtype */
	bool counts;	     /* numbers are counted, not kept */
	bool merged;	     /* the groups are those of all processes */
};

static struct group *group_of(struct summary *summary, uint32_t type, uint32_t rtype)
{
	uint32_t *at = tv_map_at(&summary->place, type, rtype);
	const struct tv_measured_rows none = { 0 };
	struct group *group;

	if (*at != TV_NONE)
		return &summary->group[*at];
	*at = (uint32_t)summary->n;
	TV_GROW(summary->group, summary->n, summary->cap, 1);
	group = &summary->group[summary->n++];
	*group = (struct group){ .type = type, .rtype = rtype };
	for (size_t p = 0; p < NPHASES; p++) {
		tv_measuring_init(&group->phase[p], &none, measures, TV_COUNT(measures));
		if (summary->counts)
			tv_measuring_select(&group->phase[p]);
	}
	return group;
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

static int add_rows(void *state, struct tv_run *part, struct tv_error *err)
{
	struct stages stages = { .tasks = tv_run_part(part) };
	const struct tv_measured_rows rows = { number_of, &stages };
	uint32_t nrtypes = stages.tasks->nrtypes;
	struct tv_classes classes;

	if (find_columns(part, &stages, err) < 0)
		return -1;
	tv_grouping_by_type(&stages.types, stages.tasks);
	tv_classes_init(&classes, &rows, TYPES, stages.tasks->n, 0);
	for (uint32_t c = 0; c < classes.groups.n; c++) {
		uint32_t type = (uint32_t)(classes.number[c] / nrtypes);
		uint32_t rtype = (uint32_t)(classes.number[c] % nrtypes);
		uint32_t first = classes.groups.first[c];
		struct group *to = group_of(state, tv_grouping_label(&stages.types, type), rtype);

		for (size_t p = 0; p < NPHASES; p++) {
			stages.phase = &phases[p];
			to->phase[p].rows = rows;
			tv_measuring_rows(&to->phase[p], classes.groups.row + first,
					  classes.groups.first[c + 1] - first);
		}
	}
	tv_classes_release(&classes);
	tv_grouping_release(&stages.types);
	return 0;
}

static void clear(struct summary *summary)
{
	for (size_t g = 0; g < summary->n; g++)
		for (size_t p = 0; p < NPHASES; p++)
			tv_measuring_release(&summary->group[g].phase[p]);
	tv_free(summary->group);
	tv_map_release(&summary->place);
	*summary = (struct summary){ .counts = summary->counts };
}

/* ---- several processes ---- */

static struct tv_gathered gather(struct summary *summary, const struct tv_pool *pool,
				 const struct tv_team *team)
{
	struct tv_parcel pack = { 0 };

	tv_pack_number(&pack, summary->n);
	for (size_t g = 0; g < summary->n; g++) {
		struct group *group = &summary->group[g];

		tv_pack_label(&pack, pool, group->type);
		tv_pack_number(&pack, group->rtype);
		for (size_t p = 0; p < NPHASES; p++)
			if (summary->merged)
				tv_measuring_pack_again(&group->phase[p], &pack);
			else
				tv_measuring_pack(&group->phase[p], pool, &pack);
	}
	return tv_team_gather(team, &pack);
}

/* The groups of all processes, in the same order for each; the next time they have the same groups. */
static void merge(struct summary *summary, struct tv_pool *pool, const struct tv_team *team)
{
	bool again = summary->merged;
	struct tv_gathered all = gather(summary, pool, team);

	if (!again)
		clear(summary);
	summary->merged = true;
	for (uint32_t rank = 0; rank < all.n; rank++) {
		struct tv_unpack from = tv_gathered_of(&all, rank);

		for (uint64_t n = tv_unpack_number(&from); n > 0; n--) {
			uint32_t type = tv_unpack_label(&from, pool);
			struct group *to = group_of(summary, type,
						    (uint32_t)tv_unpack_number(&from));

			if (again && rank == team->rank)
				break;
			for (size_t p = 0; p < NPHASES; p++)
				if (again)
					tv_measuring_unpack_again(&to->phase[p], &from);
				else
					tv_measuring_unpack(&to->phase[p], pool, &from);
		}
	}
	tv_gathered_release(&all);
}

/* Whether all rows have to be given once more. */
static bool needs_again(struct summary *summary)
{
	bool again = false;

	for (size_t g = 0; summary->counts && g < summary->n; g++)
		for (size_t p = 0; p < NPHASES; p++)
			again |= tv_measuring_again(&summary->group[g].phase[p]);
	return again;
}

/* A row for each phase that tasks of a group have. */
static void write_groups(struct summary *summary, const struct tv_tasks *tasks,
			 struct tv_table *out)
{
	for (size_t g = 0; g < summary->n; g++) {
		struct group *group = &summary->group[g];

		group->named = group->type != TV_NONE;
		group->name = group->named ? tv_pool_text(tasks->pool, group->type) : "";
	}
	if (summary->n > 1)
		qsort(summary->group, summary->n, sizeof *summary->group, by_type);
	for (size_t i = 0; i < summary->n * NPHASES; i++) {
		struct group *group = &summary->group[i / NPHASES];
		struct tv_measuring *m = &group->phase[i % NPHASES];
		uint32_t row;

		if (m->tally[LENGTH].known == 0)
			continue;
		row = tv_table_add_row(out);
		tv_set_label(out->col[TYPE], row, group->type);
		tv_set_label(out->col[RTYPE], row, tasks->rtype[group->rtype].label);
		tv_set_text(out->col[PHASE], row, phases[i % NPHASES].name);
		tv_measuring_end(m, out->col, row);
	}
}

/* Pushes, pops and fetches of a task may be in the rows of another part. */
static int check_parts(const struct tv_run *run, struct tv_error *err)
{
	const struct tv_table *table = run->trace->table;
	const char *has = NULL;

	if (run->parts == NULL)
		return 0;
	if (tv_trace_table(run->trace, TV_EVENTS)->nrows > 0
	    || tv_trace_table(run->trace, TV_DECISIONS)->nrows > 0)
		has = "events or decisions";
	else if (table[TV_LINKS].nrows > 0
		 && tv_table_find(&table[TV_RESOURCES], "MemoryNode") != NULL)
		has = "links and memory nodes";
	else if (tv_pool_find_text(run->tasks.pool, "FetchingInput") != TV_NONE)
		has = "states FetchingInput";
	return has == NULL
		     ? 0
		     : tv_fail_parts(err,
				     "lifecycle-summary needs all rows at once: the trace has %s",
				     has);
}

static int run_summary(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		       struct tv_error *err)
{
	struct summary summary = { .counts = tv_run_counts(run) };
	int rc = tv_team_agree(run->team, check_parts(run, err), err);

	(void)options;
	do {
		rc = rc < 0 ? rc : tv_run_rows(run, add_rows, &summary, err);
		if (rc == 0 && run->team != NULL)
			merge(&summary, run->trace->pool, run->team);
	} while (rc == 0 && needs_again(&summary));
	tv_warn_cut(run);
	if (rc == 0)
		write_groups(&summary, tv_run_part(run), out);
	clear(&summary);
	return rc;
}

const struct tv_pass tv_pass_lifecycle_summary = {
	.name = "lifecycle-summary",
	.summary = "Time per life-cycle phase, by task type",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_DEPENDENCIES,
	.ranked = "Time",
	.sums = true,
	.needs = "events states links resources decisions",
	.columns = "SubmitTime Pushed Popped DataReady",
	.in_parts = tv_pass_always,
	.linked = true,
	.beside = 100,
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
