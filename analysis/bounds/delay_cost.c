/* SPDX-License-Identifier: GPL-3.0-or-later */
/* delay_cost.c -- how much shorter the replay of a run becomes if some tasks or messages take less time. */
#include "analysis/bounds/delay_cost.h"

#include <stdlib.h>

#include "analysis/bounds/blamed.h"
#include "analysis/bounds/message_excess.h"
#include "analysis/core/columns.h"
#include "analysis/core/cuts.h"
#include "analysis/core/durations.h"
#include "dag/rerun.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/number.h"
#include "trace/sorted.h"

#define COLUMNS(X) \
	X(GROUP, "Section", TV_LABEL, false, "", \
	  "none: the replay as recorded; all: all cuts together; type, node, worker or link") \
	X(VALUE, "Value", TV_LABEL, false, "", "task type; of messages their nodes, as in 0->2") \
	X(RTYPE, "ResourceType", TV_LABEL, false, "", "type of the workers") \
	X(NODE, "Node", TV_LABEL, false, "", "node") \
	X(RESOURCE, "ResourceId", TV_LABEL, false, "", "worker") \
	X(COUNT, "Count", TV_INT, false, "", "executions or messages that are cut") \
	X(CUT, "Cut", TV_TIME, false, "ms", "time that is cut, sum") \
	X(REPLAY, "ReplayTime", TV_TIME, false, "ms", "makespan of the replay with this cut") \
	X(COST, "DelayCost", TV_TIME, false, "ms", "ReplayTime of the row none minus ReplayTime")

enum { COLUMNS(TV_COLUMN_ID) };

const struct tv_field tv_delay_columns[TV_DELAY_COLUMNS] = { COLUMNS(TV_COLUMN_ROW) };

/* An item: an execution (row of tasks) or, where links are cut, a message (node of the graph). */
struct group {
	uint32_t item; /* the first one with a cut */
	uint32_t items;
	tv_int128 cut;
	int64_t replay;
};

struct delay_costs {
	struct tv_run *run;
	const struct tv_tasks *tasks;
	const struct tv_dag *dag;
	enum tv_delay_key key;
	struct tv_rerun rerun;
	struct tv_blamed_names links;
	uint32_t nitems;
	int64_t *whole;	    /* by item: what it took, ns; 0 = nothing that can be cut */
	int64_t *cut;	    /* by item, ns */
	int64_t *time;	    /* by item: what it takes in a replay */
	uint32_t *group_of; /* by item with a cut */
	struct group *group;
	size_t n, cap;
	struct tv_map number; /* of groups */
	int64_t replay;	      /* without a cut */
};

static bool of_messages(const struct delay_costs *work)
{
	return work->key == TV_DELAY_LINK;
}

/* ---- cuts ---- */

static void tasks_to_mean(struct delay_costs *work, const struct tv_means *means)
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
		work->cut[row] = (int64_t)((tv_int128)(whole - mean) * work->whole[row] / whole);
	}
}

static int cut_to_mean(struct delay_costs *work, struct tv_error *err)
{
	if (!of_messages(work)) {
		tasks_to_mean(work, &tv_run_estimates(work->run)->means[0]);
		return 0;
	}
	tv_free(work->cut);
	work->cut = tv_message_excess(work->run, work->dag, err);
	return work->cut == NULL ? -1 : 0;
}

/* By row of the table of EXPR: its item. */
static uint32_t *find_items(const struct delay_costs *work, const struct tv_table *table)
{
	const struct tv_column *key = tv_table_find(table, of_messages(work) ? "Key" : "JobId");
	uint32_t *item = tv_alloc(table->nrows, sizeof *item);
	struct tv_map node = { 0 }; /* of a message, by its label */

	for (uint32_t v = 0; of_messages(work) && v < work->dag->n; v++)
		if (tv_dag_is_message(work->dag, v))
			tv_map_put(&node, tv_dag_job(work->dag, v), 0, v);
	for (uint32_t row = 0; row < table->nrows; row++) {
		const uint32_t *v = of_messages(work) && !tv_missing(key, row)
					  ? tv_map_get(&node, tv_label(key, row), 0)
					  : NULL;

		item[row] = !of_messages(work) ? row : v != NULL ? *v : TV_NONE;
	}
	tv_map_release(&node);
	return item;
}

static int cut_by(struct delay_costs *work, const char *cut, struct tv_error *err)
{
	const struct tv_table *table = of_messages(work)
					     ? tv_run_pass(work->run, "messages", NULL, err)
					     : &work->tasks->trace->table[TV_TASKS];
	int64_t ns;
	struct tv_expr *expr = table == NULL ? NULL : tv_cut_rows(cut, table, &ns, err);
	uint32_t *item;

	if (expr == NULL)
		return -1;
	item = find_items(work, table);
	for (uint32_t row = 0; row < table->nrows; row++)
		if (item[row] != TV_NONE && tv_expr_holds(expr, row))
			work->cut[item[row]] = ns < work->whole[item[row]] ? ns
									   : work->whole[item[row]];
	tv_free(item);
	tv_expr_free(expr);
	return 0;
}

/* ---- groups ---- */

static uint64_t key_of(const struct delay_costs *work, uint32_t item)
{
	uint32_t w;

	if (of_messages(work))
		return work->links.of[item];
	w = work->tasks->worker[item];
	return work->key == TV_DELAY_WORKER ? w
	     : work->key == TV_DELAY_NODE
		     ? work->tasks->workers[w].node
		     : (uint64_t)work->tasks->value[item] << 32 | work->tasks->workers[w].rtype;
}

static void group_items(struct delay_costs *work)
{
	for (uint32_t i = 0; i < work->nitems; i++) {
		uint32_t *number;

		if (work->cut[i] <= 0)
			continue;
		number = tv_map_at(&work->number, key_of(work, i), 0);
		if (*number == TV_NONE) {
			*number = (uint32_t)work->n;
			TV_GROW(work->group, work->n, work->cap, 1);
			work->group[work->n++] = (struct group){ .item = i };
		}
		work->group_of[i] = *number;
		work->group[*number].items++;
		work->group[*number].cut += work->cut[i];
	}
}

/* The replay with the cuts of a group; TV_NONE = of all. */
static int64_t replay(struct delay_costs *work, uint32_t group)
{
	const struct tv_rerun_rules rules = { .workers = true,
					      .submitted = true,
					      .messages = true,
					      .time = of_messages(work) ? NULL : work->time,
					      .flight = of_messages(work) ? work->time : NULL };

	for (uint32_t i = 0; i < work->nitems; i++)
		work->time[i] = work->whole[i]
			      - (group == TV_NONE || work->group_of[i] == group ? work->cut[i] : 0);
	return tv_rerun_run(&work->rerun, &rules, NULL);
}

/* ---- rows ---- */

static uint32_t add_row(struct tv_table *out, const char *group, const struct delay_costs *work,
			const struct group *sum)
{
	uint32_t row = tv_table_add_row(out);

	tv_set_text(out->col[GROUP], row, group);
	tv_set_int(out->col[COUNT], row, sum->items);
	tv_set_int(out->col[CUT], row, tv_sum_ns(sum->cut));
	tv_set_int(out->col[REPLAY], row, sum->replay);
	tv_set_int(out->col[COST], row, work->replay - sum->replay);
	return row;
}

static void set_names(struct tv_table *out, uint32_t row, const struct delay_costs *work,
		      uint32_t of)
{
	const struct tv_worker *worker;

	if (of_messages(work)) {
		tv_set_label(out->col[VALUE], row, work->links.name[work->links.of[of]].link);
		return;
	}
	worker = &work->tasks->workers[work->tasks->worker[of]];
	if (work->key == TV_DELAY_TYPE) {
		tv_set_label(out->col[VALUE], row, work->tasks->value[of]);
		tv_set_label(out->col[RTYPE], row, work->tasks->rtype[worker->rtype].label);
		return;
	}
	tv_set_label(out->col[NODE], row, work->tasks->node[worker->node].label);
	if (work->key == TV_DELAY_WORKER)
		tv_set_label(out->col[RESOURCE], row, worker->resource);
}

TV_ORDER(by_replay, struct group, replay, item)

static void write_all(struct delay_costs *work, struct tv_table *out)
{
	static const char *const name[] = { "type", "node", "worker", "link" };
	struct group all = { 0 };

	for (size_t i = 0; i < work->n; i++) {
		all.items += work->group[i].items;
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
			  work->group[i].item);
}

static int compute(struct delay_costs *work, const char *cut, struct tv_table *out,
		   struct tv_error *err)
{
	if ((cut != NULL ? cut_by(work, cut, err) : cut_to_mean(work, err)) < 0)
		return -1;
	group_items(work);
	if (cut != NULL && work->n == 0)
		tv_run_warn(work->run, "--cut: EXPR holds for no %s",
			    of_messages(work) ? "message among the dependencies of tasks" : "task");
	write_all(work, out);
	return 0;
}

/* What can be cut. -1 with *err: there are no messages. */
static int list_items(struct delay_costs *work, struct tv_table *out, struct tv_error *err)
{
	uint32_t messages = 0;

	work->nitems = of_messages(work) ? work->dag->n : work->tasks->n;
	work->whole = tv_alloc(work->nitems, sizeof *work->whole);
	work->cut = tv_alloc(work->nitems, sizeof *work->cut);
	work->time = tv_alloc(work->nitems, sizeof *work->time);
	work->group_of = tv_alloc(work->nitems, sizeof *work->group_of);
	for (uint32_t i = 0; i < work->nitems; i++) {
		bool is = of_messages(work) ? tv_dag_is_message(work->dag, i)
					    : work->tasks->counted[i];

		messages += is;
		if (is)
			work->whole[i] = of_messages(work) ? tv_rerun_flight(work->dag, i)
							   : tv_row_time(work->tasks, i);
	}
	if (!of_messages(work))
		return 0;
	tv_blamed_names_init(&work->links, work->dag, out->pool);
	return messages > 0 ? 0
			    : tv_fail(err, "delay costs of messages need messages among the tasks "
					   "(Kind=message), as conversions of StarPU's FxT have "
					   "them");
}

int tv_delay_costs(struct tv_run *run, enum tv_delay_key key, const char *cut, struct tv_table *out,
		   struct tv_error *err)
{
	struct delay_costs work = {
		.run = run, .tasks = &run->tasks, .dag = tv_run_dag(run, err), .key = key
	};
	int rc = -1;

	tv_add_fields(out, tv_delay_columns, TV_DELAY_COLUMNS);
	if (work.dag == NULL)
		return -1;
	if (work.tasks->depends == NULL)
		return tv_fail(err, "delay costs need dependencies (column DependsOn), as traceviz "
				    "record and most formats give them");
	tv_rerun_init(&work.rerun, work.dag);
	if (work.rerun.obstacle != NULL) {
		tv_fail(err,
			"delay costs need a replay, but %s: traceviz efficiency says what can be "
			"known",
			work.rerun.obstacle);
	} else if (list_items(&work, out, err) == 0) {
		work.replay = replay(&work, TV_NONE);
		rc = compute(&work, cut, out, err);
	}
	tv_rerun_release(&work.rerun);
	tv_blamed_names_release(&work.links);
	tv_map_release(&work.number);
	tv_free(work.whole);
	tv_free(work.cut);
	tv_free(work.time);
	tv_free(work.group_of);
	tv_free(work.group);
	return rc;
}
