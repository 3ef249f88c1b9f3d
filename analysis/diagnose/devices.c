/* SPDX-License-Identifier: GPL-3.0-or-later */
/* devices.c -- what costs time on devices: launches that come late, copies that nothing hides. */
#include <stdlib.h>
#include <string.h>

#include "analysis/core/lateness.h"
#include "analysis/diagnose/evidence.h"
#include "trace/map.h"
#include "trace/sorted.h"

/* ---- launches ---- */

/* A call in which the program waited for a device. */
struct wait {
	uint32_t node; /* label */
	int64_t begin, end;
	uint32_t call; /* label */
};

TV_ORDER(by_begin, struct wait, node, begin)

struct waits {
	struct wait *at;
	uint32_t n;
	struct tv_map shortest;		    /* by node and begin: the row of states */
	const struct tv_column *end, *name; /* of states */
};

static bool waits_for_device(const char *call)
{
	return strstr(call, "Synchronize") != NULL
	    || ((strncmp(call, "cudaMemcpy", 10) == 0 || strncmp(call, "hipMemcpy", 9) == 0)
		&& strstr(call, "Async") == NULL);
}

/* The calls of the run. Behind each, the end and the name of those of its node that began before it and end last. */
static void find_waits(const struct tv_case *c, struct waits *waits)
{
	const struct tv_table *states = tv_trace_table(c->run->trace, TV_STATES);
	const struct tv_table *resources = &c->run->trace->table[TV_RESOURCES];
	const struct tv_column *value = tv_table_find(states, "Value");
	const struct tv_column *start = tv_table_find(states, "Start");
	const struct tv_column *end = tv_table_find(states, "End");
	const struct tv_column *of = tv_table_find(states, "ResourceId");
	const struct tv_column *id = tv_table_find(resources, "ResourceId");
	const struct tv_column *node = tv_table_find(resources, "Node");
	struct tv_index node_of = { 0 };

	*waits = (struct waits){ .at = tv_alloc(states->nrows, sizeof *waits->at),
				 .end = end,
				 .name = value };
	for (uint32_t row = 0; id != NULL && node != NULL && row < resources->nrows; row++)
		if (!tv_missing(id, row))
			tv_index_set(&node_of, tv_label(id, row), tv_label(node, row));
	for (uint32_t row = 0; row < states->nrows; row++) {
		uint32_t on, *shortest;

		if (tv_missing(value, row) || tv_missing(start, row) || tv_missing(end, row)
		    || tv_missing(of, row))
			continue;
		on = tv_index_get(&node_of, tv_label(of, row));
		shortest = tv_map_at(&waits->shortest, on, (uint64_t)start->i[row]);
		if (*shortest == TV_NONE || end->i[row] < end->i[*shortest])
			*shortest = row;
		if (waits_for_device(tv_pool_text(value->pool, tv_label(value, row))))
			waits->at[waits->n++] = (struct wait){ on, start->i[row], end->i[row],
							       tv_label(value, row) };
	}
	if (waits->n > 1)
		qsort(waits->at, waits->n, sizeof *waits->at, by_begin);
	for (uint32_t i = 1; i < waits->n; i++)
		if (waits->at[i - 1].node == waits->at[i].node
		    && waits->at[i - 1].end > waits->at[i].end) {
			waits->at[i].end = waits->at[i - 1].end;
			waits->at[i].call = waits->at[i - 1].call;
		}
	tv_free(node_of.at);
}

/* The call of a node that was under way at t; TV_NONE = none. */
static uint32_t call_at(const struct waits *waits, uint32_t node, int64_t t)
{
	uint32_t i;

	TV_LOWER_BOUND(i, 0, waits->n,
		       waits->at[i].node != node ? waits->at[i].node < node
						 : waits->at[i].begin <= t);
	return i > 0 && waits->at[i - 1].node == node && waits->at[i - 1].end >= t
		     ? waits->at[i - 1].call
		     : TV_NONE;
}

static void add_idle(struct tv_device_idle *idle, int64_t time, uint32_t call)
{
	if (time <= 0 || call == TV_NONE)
		return;
	idle->time += time;
	if (time > idle->longest) {
		idle->longest = time;
		idle->call = call;
	}
}

/* Adds the times of a device, row[0..n) by Start. */
static void add_device(const struct tv_case *c, const struct waits *waits, uint32_t node,
		       const uint32_t *row, uint32_t n, struct tv_waited *waited)
{
	const struct tv_tasks *tasks = c->tasks;
	int64_t end = n > 0 ? tasks->end[row[0]] : 0;

	for (uint32_t i = 1; i < n; i++) {
		int64_t start = tasks->start[row[i]], launch = tasks->submit->i[row[i]], from;
		const uint32_t *call = tv_missing(tasks->submit, row[i])
					     ? NULL
					     : tv_map_get(&waits->shortest, node, (uint64_t)launch);

		launch = launch < start ? launch : start;
		if (!tv_missing(tasks->submit, row[i]) && launch > end)
			add_idle(&waited->until, launch - end, call_at(waits, node, end));
		from = launch > end ? launch : end;
		if (call != NULL) {
			int64_t to = waits->end->i[*call] < start ? waits->end->i[*call] : start;

			add_idle(&waited->in, to - from, tv_label(waits->name, *call));
		}
		end = tasks->end[row[i]] > end ? tasks->end[row[i]] : end;
	}
}

struct tv_waited tv_case_waited(const struct tv_case *c)
{
	const struct tv_tasks *tasks = c->tasks;
	struct tv_waited waited = { { .call = TV_NONE }, { .call = TV_NONE } };
	struct tv_groups rows;
	struct waits waits;

	if (tasks->submit == NULL)
		return waited;
	find_waits(c, &waits);
	tv_tasks_by_start(tasks, tasks->executed, &rows);
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		add_device(c, &waits, tasks->node[tasks->workers[w].node].label,
			   rows.row + rows.first[w], rows.first[w + 1] - rows.first[w], &waited);
	tv_groups_release(&rows);
	tv_free(waits.at);
	tv_map_release(&waits.shortest);
	return waited;
}

bool tv_case_on_devices(const struct tv_case *c)
{
	bool *device = tv_on_device(c->tasks);
	uint32_t w = 0;

	while (w < c->tasks->nworkers && device[w])
		w++;
	tv_free(device);
	return w == c->tasks->nworkers && c->tasks->depends == NULL;
}

/* ---- copies ---- */

/* The device that copied longest while it ran nothing else. */
static int find_copies(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const struct tv_column *copies, *both, *name;
	const struct tv_table *table;
	uint32_t most = 0;
	char alone[32], all[32];

	if (!tv_case_on_devices(c))
		return 0;
	table = tv_run_pass_with(c->run, "overlap", err, "by", "device", NULL);
	if (table == NULL)
		return -1;
	copies = tv_table_find(table, "CopyTime");
	both = tv_table_find(table, "OverlapTime");
	name = tv_table_find(table, "ResourceId");
	for (uint32_t row = 1; row < table->nrows; row++)
		if (copies->i[row] - both->i[row] > copies->i[most] - both->i[most])
			most = row;
	found->measure_ns = copies->i[most] - both->i[most];
	found->at_most = true;
	found->holds = found->measure_ns > 0 && found->measure_ns >= 10 * c->min_ns;
	if (!found->holds)
		return 0;
	found->text = tv_format("%s copied for %s without running anything else, of %s of copies.",
				tv_pool_text(name->pool, tv_label(name, most)),
				tv_words_time(alone, found->measure_ns),
				tv_words_time(all, copies->i[most]));
	found->command = tv_case_verb(c, "overlap", "--by device");
	return 0;
}

const struct tv_rule tv_rule_copies = {
	.id = "copies",
	.title = "copies run alone",
	.condition = "a device runs copies and nothing else for 10 % of the makespan",
	.measures = "Measure: that time, which hiding all copies would save at most",
	.action = "Copy less, or let copies run beside kernels: asynchronous copies of pinned "
		  "memory, in a stream of their own.",
	.durations = true,
	.find = find_copies,
};
