/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slow_members.c -- the workers and nodes of a run that are slower than others of their type. */
#include "analysis/core/slow_members.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/core/columns.h"
#include "analysis/core/lateness.h"
#include "analysis/core/slow_times.h"
#include "analysis/core/two_sums.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/sorted.h"
#include "trace/text.h"

TV_ORDER(by_ratio, struct tv_slow_member, down(ratio), text(member), text(node))

/* Whether a row is that of a slow node or worker, with all its task types. */
static bool is_slow_whole(const struct tv_table *table, uint32_t row)
{
	return tv_missing(tv_table_find(table, "Median"), row) && tv_is_slow(table, row);
}

/* Nodes and types of workers, labels, that are slow as a whole. Release it. */
static struct tv_map slow_nodes(const struct tv_table *table)
{
	struct tv_map nodes = { 0 };

	for (uint32_t row = 0; row < table->nrows; row++)
		if (tv_table_is(table, "Scope", row, "node") && is_slow_whole(table, row))
			tv_map_put(&nodes, tv_label(tv_table_find(table, "Node"), row),
				   tv_label(tv_table_find(table, "ResourceType"), row), 0);
	return nodes;
}

/* Whether a row is that of a slow node, or of a slow worker on a node that is not slow as a whole. */
static bool is_slow_member(const struct tv_table *table, const struct tv_map *nodes, uint32_t row)
{
	return is_slow_whole(table, row)
	    && (!tv_table_is(table, "Scope", row, "worker")
		|| tv_map_get(nodes, tv_label(tv_table_find(table, "Node"), row),
			      tv_label(tv_table_find(table, "ResourceType"), row))
			   == NULL);
}

static struct tv_slow_member slow_for_a_time(const struct tv_tasks *tasks,
					     const struct tv_slow_time *time)
{
	const struct tv_worker *worker = &tasks->workers[time->node ? 0 : time->member];
	uint32_t node = tasks->node[time->node ? time->member : worker->node].label;

	return (struct tv_slow_member){
		.ratio = time->ratio,
		.member = tv_pool_text(tasks->pool, time->node ? node : worker->resource),
		.node = node == TV_NONE ? "" : tv_pool_text(tasks->pool, node),
		.rtype = tv_pool_text(tasks->pool, tasks->rtype[time->rtype].label),
		.is_node = time->node,
		.timed = true,
		.begin = time->begin,
		.end = time->end,
	};
}

/* Whether a member, or its node, is among those that are slow for a time. */
static bool is_listed(const struct tv_slow_member *slow, uint32_t n,
		      const struct tv_slow_member *member)
{
	for (uint32_t i = 0; i < n; i++)
		if (strcmp(slow[i].rtype, member->rtype) == 0
		    && strcmp(slow[i].node, member->node) == 0
		    && (slow[i].is_node
			|| (!member->is_node && strcmp(slow[i].member, member->member) == 0)))
			return true;
	return false;
}

/* By worker: 1 = it is the member, or of its type on that node; 0 = it is another one of its type; -1 = none. Free with tv_free. */
static int8_t *sides_of(const struct tv_tasks *tasks, const struct tv_slow_member *member)
{
	int8_t *side = tv_alloc(tasks->nworkers, sizeof *side);

	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		const struct tv_worker *worker = &tasks->workers[w];
		uint32_t label = member->is_node ? tasks->node[worker->node].label
						 : worker->resource;
		const char *rtype = tv_pool_text(tasks->pool, tasks->rtype[worker->rtype].label);

		side[w] = strcmp(rtype, member->rtype) != 0
				? -1
				: label != TV_NONE
					  && strcmp(tv_pool_text(tasks->pool, label),
						    member->member)
						     == 0;
	}
	return side;
}

/* Whether more work than tasks of its type on other workers have explains half of what a task takes longer. */
static bool is_explained(const struct tv_tasks *tasks, const struct tv_column *work, uint32_t row,
			 const struct tv_two_sums *sums)
{
	double own, longer = (double)tv_task_time(tasks, row) / (sums->time[0] / sums->n[0]) - 1;

	return tv_cell_number(work, row, &own) && own > 0 && longer > 0
	    && own / (sums->work[0] / sums->nworks[0]) - 1 >= longer / 2;
}

/* Whether that holds for most of the tasks of a member. */
static bool has_more_work(const struct tv_tasks *tasks, const struct tv_slow_member *member)
{
	const struct tv_column *work = tv_work_of(tasks);
	struct tv_kind_sums kinds = { 0 };
	uint32_t own = 0, explained = 0;
	int8_t *side;

	if (work == NULL)
		return false;
	side = sides_of(tasks, member);
	for (int pass = 0; pass < 2; pass++)
		for (uint32_t row = 0; row < tasks->n; row++) {
			bool then = !member->timed
				 || (tasks->start[row] >= member->begin
				     && tasks->start[row] <= member->end);
			struct tv_two_sums *sums;

			if (!tasks->counted[row] || side[tasks->worker[row]] < 0
			    || !tv_row_begins(tasks, row) || !tv_task_ended(tasks, row))
				continue;
			then = then && side[tasks->worker[row]] == 1;
			sums = tv_kind_sums_of(&kinds, tasks->value[row], 0);
			if (pass == 0)
				tv_two_sums_add(tasks, work, NULL, row, then, sums);
			own += pass == 1 && then;
			explained += pass == 1 && then && is_explained(tasks, work, row, sums);
		}
	tv_kind_sums_release(&kinds);
	tv_free(side);
	return 2 * explained > own;
}

int tv_slow_members(struct tv_run *run, struct tv_slow_member **list, uint32_t *n,
		    struct tv_error *err)
{
	const struct tv_table *table = tv_run_slow(run, err);
	const struct tv_slow_time *time = NULL;
	struct tv_slow_member *slow;
	struct tv_map nodes;
	uint32_t ntimes = 0, all;

	if (table == NULL || tv_slow_times(run, &time, &ntimes, err) < 0)
		return -1;
	slow = tv_alloc((size_t)ntimes + table->nrows, sizeof *slow);
	nodes = slow_nodes(table);
	for (uint32_t i = 0; i < ntimes; i++)
		slow[i] = slow_for_a_time(&run->tasks, &time[i]);
	*n = ntimes;
	for (uint32_t row = 0; row < table->nrows; row++) {
		const struct tv_slow_member whole = {
			.ratio = tv_table_find(table, "Ratio")->d[row],
			.member = tv_table_text(table, "Member", row),
			.node = tv_table_text(table, "Node", row),
			.rtype = tv_table_text(table, "ResourceType", row),
			.is_node = tv_table_is(table, "Scope", row, "node")
		};

		if (is_slow_member(table, &nodes, row) && !is_listed(slow, ntimes, &whole))
			slow[(*n)++] = whole;
	}
	all = *n;
	*n = 0;
	for (uint32_t i = 0; i < all; i++)
		if (!has_more_work(&run->tasks, &slow[i]))
			slow[(*n)++] = slow[i];
	if (*n > 1)
		qsort(slow, *n, sizeof *slow, by_ratio);
	tv_map_release(&nodes);
	*list = slow;
	return 0;
}
