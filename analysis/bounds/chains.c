/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chains.c -- backward chains from chosen tasks, merged into paths. */
#include "analysis/bounds/chains.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/core/warnings.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"

static int parse_depth(const char *text, uint32_t *depth, struct tv_error *err)
{
	int64_t value;

	*depth = UINT32_MAX;
	if (strcmp(text, "root") == 0)
		return 0;
	if (tv_parse_int(text, strlen(text), &value) != TV_PARSE_OK || value < 0
	    || value >= UINT32_MAX)
		return tv_fail_usage(err, "--depth '%s', expected a whole number from 0, or root",
				     text);
	*depth = (uint32_t)value;
	return 0;
}

bool tv_chains_goes_on(const struct tv_chains *chains, uint32_t node)
{
	if (chains->level[node] == TV_NONE || chains->last->step[node] == TV_NONE)
		return false;
	return !chains->dag->task[node] || chains->level[node] < chains->depth;
}

int64_t tv_chains_arrival(const struct tv_chains *chains, uint32_t node)
{
	uint32_t u = chains->last->step[node];

	return chains->dag->task[node] && u == chains->last->of[node] ? chains->last->how[node].time
								      : chains->dag->end[u];
}

static void reach(struct tv_chains *chains, uint32_t node, uint32_t level)
{
	/* TV_NONE is the greatest number. */
	if (level < chains->level[node])
		chains->level[node] = level;
}

/* Levels of tasks and messages; messages get the path of the task that they lead to. */
static void follow(struct tv_chains *chains)
{
	const struct tv_dag *dag = chains->dag;

	for (uint32_t v = 0; v < dag->n; v++)
		chains->level[v] = chains->chosen[v] ? 0 : TV_NONE;
	/* Whatever leads here comes later in the order. */
	for (uint32_t i = dag->n; i-- > 0;) {
		uint32_t v = dag->sequence[i], u = chains->last->step[v];

		if (!tv_chains_goes_on(chains, v))
			continue;
		if (dag->task[v])
			reach(chains, chains->last->of[v], chains->level[v] + 1);
		if (dag->task[u])
			continue;
		reach(chains, u, chains->level[v]);
		chains->place[u] = chains->place[v];
	}
}

/* Time that the messages from a node on, back to the task behind them, took; by node. */
static void measure_messages(const struct tv_chains *chains, int64_t *transfer)
{
	const struct tv_dag *dag = chains->dag;

	for (uint32_t i = 0; i < dag->n; i++) {
		uint32_t v = dag->sequence[i], u = chains->last->step[v];

		if (!tv_dag_is_message(dag, v))
			continue;
		transfer[v] = dag->end[v] - dag->start[v];
		/* At most 2^62: longer than any delay. */
		if (u != TV_NONE && transfer[v] < INT64_MAX / 4)
			transfer[v] += transfer[u] < INT64_MAX / 4 ? transfer[u] : INT64_MAX / 4;
	}
}

static void add_node(const struct tv_chains *chains, const int64_t *transfer, struct tv_path *path,
		     uint32_t v)
{
	const struct tv_dag *dag = chains->dag;
	int64_t delay = 0;

	if (path->tasks + path->messages == 0 || dag->start[v] < path->start)
		path->start = dag->start[v];
	if (path->tasks + path->messages == 0 || dag->end[v] > path->end)
		path->end = dag->end[v];
	if (!dag->task[v]) {
		path->messages++;
		return;
	}
	path->tasks++;
	path->chosen += chains->chosen[v];
	path->compute += dag->end[v] - dag->start[v];
	if (tv_chains_goes_on(chains, v))
		delay = dag->start[v] - chains->last->how[v].time;
	if (delay <= 0)
		return;
	path->delay += delay;
	path->transfer += transfer[chains->last->step[v]] < delay ? transfer[chains->last->step[v]]
								  : delay;
}

TV_ORDER(by_delay, struct tv_path, down(delay), component)

static void measure(struct tv_chains *chains)
{
	const struct tv_dag *dag = chains->dag;
	int64_t *transfer = tv_alloc(dag->n, sizeof *transfer);
	uint32_t *rank = tv_alloc(chains->npaths, sizeof *rank);

	chains->path = tv_alloc(chains->npaths, sizeof *chains->path);
	measure_messages(chains, transfer);
	for (uint32_t p = 0; p < chains->npaths; p++)
		chains->path[p].component = p;
	for (uint32_t v = 0; v < dag->n; v++)
		if (chains->place[v] != TV_NONE)
			add_node(chains, transfer, &chains->path[chains->place[v]], v);
	qsort(chains->path, chains->npaths, sizeof *chains->path, by_delay);
	for (uint32_t p = 0; p < chains->npaths; p++)
		rank[chains->path[p].component] = p;
	for (uint32_t v = 0; v < dag->n; v++)
		if (chains->place[v] != TV_NONE)
			chains->place[v] = rank[chains->place[v]];
	tv_free(transfer);
	tv_free(rank);
}

int tv_chains_init(struct tv_chains *chains, struct tv_run *run,
		   const struct tv_chains_asked *asked, struct tv_error *err)
{
	const struct tv_dag *dag;

	*chains = (struct tv_chains){ 0 };
	if (parse_depth(asked->depth, &chains->depth, err) < 0
	    || (dag = tv_run_dag(run, err)) == NULL)
		return -1;
	tv_warn_graph(run, dag);
	chains->dag = dag;
	chains->last = tv_run_last(run, dag);
	chains->chosen = tv_alloc(dag->n, sizeof *chains->chosen);
	chains->level = tv_alloc(dag->n, sizeof *chains->level);
	chains->place = tv_alloc(dag->n, sizeof *chains->place);
	if (tv_choose(run, "tasks", asked->tasks, chains->chosen, err) < 0)
		return -1;
	chains->npaths = tv_dag_merge(dag, chains->last->of, chains->chosen, chains->depth,
				      chains->place);
	follow(chains);
	measure(chains);
	return 0;
}

void tv_chains_release(struct tv_chains *chains)
{
	tv_free(chains->chosen);
	tv_free(chains->level);
	tv_free(chains->place);
	tv_free(chains->path);
	*chains = (struct tv_chains){ 0 };
}

uint32_t tv_chains_depth(const struct tv_chains *chains, struct tv_pool *pool)
{
	char text[TV_NUMBER_MAX];

	if (chains->depth == UINT32_MAX)
		return tv_intern_text(pool, "root");
	tv_write_int(text, chains->depth);
	return tv_intern_text(pool, text);
}
