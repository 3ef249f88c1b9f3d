/* SPDX-License-Identifier: GPL-3.0-or-later */
/* delay_cost.c -- how much shorter the replay of a run becomes if some tasks take less time. */
#include "analysis/bounds/delay_cost.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/core/columns.h"
#include "analysis/core/durations.h"
#include "dag/rerun.h"
#include "trace/alloc.h"
#include "trace/expr.h"
#include "trace/map.h"
#include "trace/sorted.h"
#include "trace/text.h"
#include "trace/number.h"

#define COLUMNS(X) \
	X(GROUP, "Section", TV_LABEL, false, "", \
	  "none: the replay as recorded; all: all cuts together; type, node or worker") \
	X(VALUE, "Value", TV_LABEL, false, "", "task type") \
	X(RTYPE, "ResourceType", TV_LABEL, false, "", "type of the workers") \
	X(NODE, "Node", TV_LABEL, false, "", "node") \
	X(RESOURCE, "ResourceId", TV_LABEL, false, "", "worker") \
	X(TASKS, "Tasks", TV_INT, false, "", "executions that are cut") \
	X(CUT, "Cut", TV_TIME, false, "ms", "time that is cut, sum") \
	X(REPLAY, "ReplayTime", TV_TIME, false, "ms", "makespan of the replay with this cut") \
	X(COST, "DelayCost", TV_TIME, false, "ms", "ReplayTime of the row none minus ReplayTime")

enum { COLUMNS(TV_COLUMN_ID) };

const struct tv_field tv_delay_columns[TV_DELAY_COLUMNS] = { COLUMNS(TV_COLUMN_ROW) };

struct group {
	uint32_t row; /* the first one with a cut */
	uint32_t tasks;
	tv_int128 cut;
	int64_t replay;
};

struct work {
	struct tv_run *run;
	const struct tv_tasks *tasks;
	enum tv_delay_key key;
	struct tv_rerun rerun;
	int64_t *cut;	    /* by row, ns */
	int64_t *time;	    /* by row: durations of a replay */
	uint32_t *group_of; /* by row with a cut */
	struct group *group;
	size_t n, cap;
	struct tv_map number; /* of groups */
	int64_t replay;	      /* without a cut */
};

/* ---- cuts ---- */

static void cut_to_mean(struct work *work, const struct tv_means *means)
{
	const struct tv_tasks *tasks = work->tasks;

	for (uint32_t row = 0; row < tasks->n; row++) {
		const struct tv_pair *pair;
		int64_t whole, mean;

		if (!tasks->counted[row] || !tv_means_take(means, tasks, row))
			continue;
		pair = &means->pair[(size_t)tv_means_type(means, row) * means->nrtypes
				    + tasks->workers[tasks->worker[row]].rtype];
		whole = tv_task_time(tasks, row);
		mean = pair->executions > 0 ? (int64_t)(pair->time / pair->executions) : whole;
		if (whole <= mean)
			continue;
		/* A segment loses its share. */
		work->cut[row] = (int64_t)((tv_int128)(whole - mean) * tv_row_time(tasks, row)
					   / whole);
	}
}

/* The last = of EXPR=TIME, and the time; NULL with *err. */
static const char *divide(const char *cut, int64_t *ns, struct tv_error *err)
{
	const char *equals = strrchr(cut, '=');

	if (equals != NULL && tv_parse_time(equals + 1, ns) == TV_PARSE_OK && *ns > 0)
		return equals;
	tv_fail_usage(err, "--cut '%s', expected EXPR=TIME such as 'Value == gemm=5us'", cut);
	return NULL;
}

int tv_delay_check(const char *cut, struct tv_error *err)
{
	int64_t ns;
	const char *equals = cut == NULL ? NULL : divide(cut, &ns, err);
	char *text;
	int rc;

	if (cut == NULL)
		return 0;
	if (equals == NULL)
		return -1;
	text = tv_strndup(cut, (size_t)(equals - cut));
	rc = tv_expr_check(text, err);
	tv_free(text);
	return rc;
}

static int cut_by(struct work *work, const char *cut, struct tv_error *err)
{
	const struct tv_tasks *tasks = work->tasks;
	int64_t ns;
	const char *equals = divide(cut, &ns, err);
	struct tv_expr *expr;
	char *text;

	if (equals == NULL)
		return -1;
	text = tv_strndup(cut, (size_t)(equals - cut));
	expr = tv_expr_new(text, &tasks->trace->table[TV_TASKS], err);
	tv_free(text);
	if (expr == NULL)
		return tv_fail_about(err, "--cut");
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && tv_expr_holds(expr, row))
			work->cut[row] = ns < tv_row_time(tasks, row) ? ns
								      : tv_row_time(tasks, row);
	tv_expr_free(expr);
	return 0;
}

/* ---- groups ---- */

static uint64_t key_of(const struct work *work, uint32_t row)
{
	uint32_t w = work->tasks->worker[row];

	return work->key == TV_DELAY_WORKER ? w
	     : work->key == TV_DELAY_NODE
		     ? work->tasks->workers[w].node
		     : (uint64_t)work->tasks->value[row] << 32 | work->tasks->workers[w].rtype;
}

static void group_rows(struct work *work)
{
	for (uint32_t row = 0; row < work->tasks->n; row++) {
		uint32_t *number;

		if (work->cut[row] <= 0)
			continue;
		number = tv_map_at(&work->number, key_of(work, row), 0);
		if (*number == TV_NONE) {
			*number = (uint32_t)work->n;
			TV_GROW(work->group, work->n, work->cap, 1);
			work->group[work->n++] = (struct group){ .row = row };
		}
		work->group_of[row] = *number;
		work->group[*number].tasks++;
		work->group[*number].cut += work->cut[row];
	}
}

/* The replay with the cuts of a group; TV_NONE = of all. */
static int64_t replay(struct work *work, uint32_t group)
{
	const struct tv_rerun_rules rules = {
		.workers = true, .submitted = true, .messages = true, .time = work->time
	};

	for (uint32_t row = 0; row < work->tasks->n; row++)
		if (work->tasks->counted[row])
			work->time[row] = tv_row_time(work->tasks, row)
					- (group == TV_NONE || work->group_of[row] == group
						   ? work->cut[row]
						   : 0);
	return tv_rerun_run(&work->rerun, &rules, NULL);
}

/* ---- rows ---- */

static uint32_t add_row(struct tv_table *out, const char *group, const struct work *work,
			const struct group *sum)
{
	uint32_t row = tv_table_add_row(out);

	tv_set_text(out->col[GROUP], row, group);
	tv_set_int(out->col[TASKS], row, sum->tasks);
	tv_set_int(out->col[CUT], row, tv_sum_ns(sum->cut));
	tv_set_int(out->col[REPLAY], row, sum->replay);
	tv_set_int(out->col[COST], row, work->replay - sum->replay);
	return row;
}

static void set_names(struct tv_table *out, uint32_t row, const struct work *work, uint32_t of)
{
	const struct tv_worker *worker = &work->tasks->workers[work->tasks->worker[of]];

	if (work->key == TV_DELAY_TYPE) {
		tv_set_label(out->col[VALUE], row, work->tasks->value[of]);
		tv_set_label(out->col[RTYPE], row, work->tasks->rtype[worker->rtype].label);
		return;
	}
	tv_set_label(out->col[NODE], row, work->tasks->node[worker->node].label);
	if (work->key == TV_DELAY_WORKER)
		tv_set_label(out->col[RESOURCE], row, worker->resource);
}

TV_ORDER(by_replay, struct group, replay, row)

static void write_all(struct work *work, struct tv_table *out)
{
	static const char *const name[] = { "type", "node", "worker" };
	struct group all = { 0 };

	for (size_t i = 0; i < work->n; i++) {
		all.tasks += work->group[i].tasks;
		all.cut += work->group[i].cut;
		work->group[i].replay = replay(work, (uint32_t)i);
	}
	all.replay = replay(work, TV_NONE);
	if (work->n > 1)
		qsort(work->group, work->n, sizeof *work->group, by_replay);
	add_row(out, "none", work, &(struct group){ .replay = work->replay });
	add_row(out, "all", work, &all);
	for (size_t i = 0; i < work->n; i++)
		set_names(out, add_row(out, name[work->key], work, &work->group[i]), work,
			  work->group[i].row);
}

static int compute(struct work *work, const char *cut, struct tv_table *out, struct tv_error *err)
{
	if (cut != NULL && cut_by(work, cut, err) < 0)
		return -1;
	if (cut == NULL)
		cut_to_mean(work, &tv_run_estimates(work->run)->means[0]);
	group_rows(work);
	if (cut != NULL && work->n == 0)
		tv_run_warn(work->run, "--cut: EXPR holds for no task");
	write_all(work, out);
	return 0;
}

int tv_delay_costs(struct tv_run *run, enum tv_delay_key key, const char *cut, struct tv_table *out,
		   struct tv_error *err)
{
	const struct tv_dag *dag = tv_run_dag(run, err);
	const struct tv_tasks *tasks = &run->tasks;
	struct work work = { .run = run, .tasks = tasks, .key = key };
	int rc;

	tv_add_fields(out, tv_delay_columns, TV_DELAY_COLUMNS);
	if (dag == NULL)
		return -1;
	if (tasks->depends == NULL)
		return tv_fail(err, "delay costs need dependencies (column DependsOn), as traceviz "
				    "record and most formats give them");
	tv_rerun_init(&work.rerun, dag);
	work.cut = tv_alloc(tasks->n, sizeof *work.cut);
	work.time = tv_alloc(tasks->n, sizeof *work.time);
	work.group_of = tv_alloc(tasks->n, sizeof *work.group_of);
	if (work.rerun.obstacle == NULL) {
		work.replay = replay(&work, TV_NONE);
		rc = compute(&work, cut, out, err);
	} else {
		rc = tv_fail(err,
			     "delay costs need a replay, but %s: traceviz efficiency says what "
			     "can be known",
			     work.rerun.obstacle);
	}
	tv_rerun_release(&work.rerun);
	tv_map_release(&work.number);
	tv_free(work.cut);
	tv_free(work.time);
	tv_free(work.group_of);
	tv_free(work.group);
	return rc;
}
