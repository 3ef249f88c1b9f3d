/* SPDX-License-Identifier: GPL-3.0-or-later */
/* observed_links.c -- what each task came after, from part to part. */
#include "analysis/bounds/observed_links.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "dag/carry.h"
#include "trace/alloc.h"
#include "trace/sorted.h"
#include "trace/text.h"

/* An execution, by what orders those of a worker. */
struct done {
	int64_t end;
	const char *job;
	uint32_t number;
};

/* What another execution came after is the last one in this order that had ended. */
static int by_end(const void *a, const void *b)
{
	const struct done *x = a, *y = b;
	int order;

	if (x->end != y->end)
		return TV_COMPARE(x->end, y->end);
	order = tv_natural_order(y->job, x->job);
	return order != 0 ? order : TV_COMPARE(y->number, x->number);
}

struct done_list {
	struct done *at; /* by_end */
	size_t n, cap;
};

TV_ORDER(by_number, struct tv_link_apart, number)

struct linking {
	struct tv_run *run;
	bool workers;
	struct tv_links *out;
	int64_t reached;	/* the latest Start so far: no later row is earlier */
	struct done_list *done; /* by worker: earlier executions that later ones may come after */
	int64_t *busy_until;	/* by worker: the latest End of earlier ones, of any kind */
	struct done last;	/* the task that ended last; job NULL = none so far */
};

static const char *keep_text(struct linking *c, const char *text)
{
	return tv_pool_text(c->out->names, tv_intern_text(c->out->names, text));
}

/* ---- what ran on each worker ---- */

/* Adds the rows of a part. */
static void add_done(struct linking *c, const struct tv_tasks *tasks)
{
	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t w = tasks->worker[row];
		struct done_list *list;

		if (!tasks->executed[row])
			continue;
		c->reached = tasks->start[row] > c->reached ? tasks->start[row] : c->reached;
		if (tasks->end[row] > c->busy_until[w])
			c->busy_until[w] = tasks->end[row];
		if (!tasks->counted[row])
			continue;
		list = &c->done[w];
		TV_GROW(list->at, list->n, list->cap, 1);
		list->at[list->n++] = (struct done){
			tasks->end[row],
			tv_pool_text(tasks->pool, tasks->job == NULL ? TV_NONE : tasks->job[row]),
			c->out->first + c->out->n + row
		};
	}
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		tv_sort_by_time(c->done[w].at, c->done[w].n, sizeof *c->done[w].at,
				offsetof(struct done, end), by_end);
}

/* How many of a list had ended by then. */
static size_t count_ended(const struct done_list *list, int64_t by)
{
	size_t n;

	TV_LOWER_BOUND(n, 0, list->n, list->at[n].end <= by);
	return n;
}

/* Leaves, before the part is closed, those that end later than the next row starts, and the last one before. */
static void cut_done(struct linking *c)
{
	for (uint32_t w = 0; w < c->run->tasks.nworkers; w++) {
		struct done_list *list = &c->done[w];
		size_t ended = count_ended(list, c->reached), from = ended > 0 ? ended - 1 : 0;

		for (size_t i = from; i < list->n; i++) {
			list->at[i - from] = list->at[i];
			list->at[i - from].job = keep_text(c, list->at[i].job);
		}
		list->n -= from;
	}
}

static int add_ends(void *state, struct tv_run *part, struct tv_error *err)
{
	struct linking *c = state;

	(void)err;
	add_done(c, &part->tasks);
	cut_done(c);
	c->out->n += part->tasks.n;
	return 0;
}

/* ---- what each row came after ---- */

/* The graph of a part. */
struct graph {
	const struct tv_dag *dag;
	uint32_t *number; /* by node, outside too */
	/* By node: as tv_dag_arrivals; NULL = found when it is asked for. */
	uint32_t *arrival;
	struct tv_arrival *how;
	int64_t *released; /* NULL, likewise */
	const struct done *
		*ended; /* by node: the last execution before it on its workers; NULL = none */
};

static bool has_creators(const struct tv_dag *dag)
{
	uint32_t v = 0;

	while (dag->creator != NULL && v < dag->n && dag->creator[v] == TV_NONE)
		v++;
	return dag->creator != NULL && v < dag->n;
}

static void find_ended(struct linking *c, const struct graph *g)
{
	const struct tv_dag *dag = g->dag;
	const struct tv_tasks *tasks = dag->tasks;
	uint32_t base = c->out->first + c->out->n;

	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t v = dag->node_of_row[row];
		const struct done_list *list;
		size_t n;

		if (!tasks->counted[row])
			continue;
		list = &c->done[tasks->worker[row]];
		n = count_ended(list, dag->start[v]);
		while (n > 0 && list->at[n - 1].number >= base
		       && dag->node_of_row[list->at[n - 1].number - base] == v)
			n--;
		if (n > 0 && (g->ended[v] == NULL || by_end(g->ended[v], &list->at[n - 1]) < 0))
			g->ended[v] = &list->at[n - 1];
	}
}

static void graph_init(struct graph *g, struct linking *c, struct tv_run *part)
{
	const struct tv_dag *dag = g->dag;

	g->number = tv_carry_values(part->of->parts->carry, dag, sizeof *g->number);
	for (uint32_t v = 0; v < dag->n; v++)
		g->number[v] = c->out->first + c->out->n + dag->row[v];
	if (!tv_dag_arrives_at_once(dag)) {
		g->arrival = tv_alloc(dag->n, sizeof *g->arrival);
		g->how = tv_alloc(dag->n, sizeof *g->how);
		tv_dag_arrivals(dag, g->arrival, g->how);
	}
	if (!dag->are_rows || dag->noutside > 0) {
		g->released = tv_alloc((size_t)dag->n + dag->noutside, sizeof *g->released);
		tv_dag_released(dag, g->released);
	}
	g->ended = tv_alloc(dag->n, sizeof *g->ended);
	if (c->workers)
		find_ended(c, g);
}

static void graph_release(struct graph *g)
{
	tv_free(g->arrival);
	tv_free(g->how);
	tv_free(g->released);
	tv_free(g->ended);
}

/* Keeps what the row of a task does not say. since: when what it came after had ended. */
static void add_apart(struct linking *c, const struct graph *g, uint32_t v, int64_t since)
{
	const struct tv_dag *dag = g->dag;
	const struct tv_tasks *tasks = dag->tasks;
	uint32_t row = dag->row[v];
	int64_t released = dag->task[v] ? tv_dag_released_at(dag, g->released, v) : INT64_MIN;
	int64_t submit = tasks->submit == NULL || tv_missing(tasks->submit, row)
			       ? INT64_MIN
			       : tasks->submit->i[row];

	if (released <= since || released <= submit)
		released = INT64_MIN;
	if (released == INT64_MIN && dag->start[v] == tasks->start[row]
	    && dag->end[v] == tasks->end[row])
		return;
	TV_GROW(c->out->apart, c->out->naparts, c->out->apart_cap, 1);
	c->out->apart[c->out->naparts++] = (struct tv_link_apart){ g->number[v], dag->start[v],
								   dag->end[v], released };
}

/* As the walk back of dag/observed.c, where the chain has the task from its start on. */
static void link_node(struct linking *c, const struct graph *g, uint32_t v)
{
	const struct tv_dag *dag = g->dag;
	const struct done *ended = dag->task[v] ? g->ended[v] : NULL;
	uint32_t to = g->number[v] - c->out->first, u;
	struct tv_arrival how;

	if (g->arrival == NULL) {
		u = tv_dag_arrival(dag, v, &how);
	} else {
		u = g->arrival[v];
		how = g->how[v];
	}
	c->out->before[to] = TV_NONE;
	c->out->edge[to] = TV_EDGE_NONE;
	if (ended != NULL && (u == TV_NONE || ended->end > how.time)) {
		c->out->before[to] = ended->number;
		c->out->edge[to] = TV_EDGE_WORKER;
		how.time = ended->end;
	} else if (u != TV_NONE) {
		c->out->before[to] = g->number[u];
		c->out->edge[to] = dag->task[u] ? TV_EDGE_DEPENDENCY : TV_EDGE_MESSAGE;
	} else {
		how.time = c->run->tasks.begin;
	}
	add_apart(c, g, v, how.time);
}

/* The task of a part that ended last, if it is later than those before. */
static void find_last(struct linking *c, const struct graph *g)
{
	const struct tv_dag *dag = g->dag;
	const struct tv_pool *pool = dag->tasks->pool;
	bool found = false;

	for (uint32_t v = 0; v < dag->n; v++) {
		struct done is = { dag->end[v], NULL, g->number[v] };

		if (!dag->task[v] || (c->last.job != NULL && is.end < c->last.end))
			continue;
		is.job = tv_pool_text(pool, tv_dag_job(dag, v));
		if (c->last.job == NULL || by_end(&c->last, &is) < 0) {
			c->last = is;
			found = true;
		}
	}
	if (found)
		c->last.job = keep_text(c, c->last.job);
}

static int add_links(void *state, struct tv_run *part, struct tv_error *err)
{
	struct linking *c = state;
	struct graph g = { .dag = tv_run_dag(part, err) };
	uint32_t rows = part->tasks.n;

	if (g.dag == NULL)
		return -1;
	if (has_creators(g.dag))
		return tv_fail_parts(err,
				     "critical-path needs all rows at once: tasks were created by "
				     "tasks (ParentJob)");
	TV_GROW(c->out->before, c->out->n, c->out->before_cap, rows);
	TV_GROW(c->out->edge, c->out->n, c->out->edge_cap, rows);
	add_done(c, &part->tasks);
	graph_init(&g, c, part);
	for (uint32_t row = 0; row < rows; row++) {
		uint32_t v = g.dag->node_of_row[row];

		c->out->before[c->out->n + row] = v == TV_NONE ? TV_NONE : g.number[v];
		c->out->edge[c->out->n + row] = TV_LINK_OF_JOB;
	}
	for (uint32_t v = 0; v < g.dag->n; v++)
		if (g.dag->task[v] || tv_dag_is_message(g.dag, v))
			link_node(c, &g, v);
	find_last(c, &g);
	graph_release(&g);
	cut_done(c);
	c->out->n += rows;
	return 0;
}

/* ---- several processes ---- */

/* What ran before the rows of this process, and the number of the first of them. */
static void share_ends(struct linking *c, const struct tv_team *team)
{
	uint32_t nworkers = c->run->tasks.nworkers;
	struct tv_parcel pack = { 0 };
	struct tv_gathered all;

	tv_pack_number(&pack, c->out->n);
	for (uint32_t w = 0; w < nworkers; w++) {
		struct done_list *list = &c->done[w];

		tv_pack_number(&pack, (uint64_t)c->busy_until[w]);
		tv_pack_number(&pack, list->n);
		for (size_t i = 0; i < list->n; i++) {
			tv_pack_bytes(&pack, &list->at[i], sizeof list->at[i]);
			tv_pack_text(&pack, list->at[i].job);
		}
		list->n = 0;
		c->busy_until[w] = INT64_MIN;
	}
	c->out->n = 0;
	c->reached = INT64_MIN;
	all = tv_team_gather(team, &pack);
	for (uint32_t rank = 0; rank < team->rank; rank++) {
		struct tv_unpack from = tv_gathered_of(&all, rank);
		uint32_t rows = (uint32_t)tv_unpack_number(&from);

		for (uint32_t w = 0; w < nworkers; w++) {
			struct done_list *list = &c->done[w];
			int64_t until = (int64_t)tv_unpack_number(&from);

			c->busy_until[w] = until > c->busy_until[w] ? until : c->busy_until[w];
			for (uint64_t n = tv_unpack_number(&from); n > 0; n--) {
				struct done done;
				char *job;

				tv_unpack_bytes(&from, &done, sizeof done);
				job = tv_unpack_text(&from);
				done.job = keep_text(c, job);
				done.number += c->out->first;
				tv_free(job);
				TV_GROW(list->at, list->n, list->cap, 1);
				list->at[list->n++] = done;
			}
		}
		c->out->first += rows;
	}
	tv_gathered_release(&all);
}

/* The task of all processes that ended last. */
static void share_last(struct linking *c, const struct tv_team *team)
{
	struct tv_parcel pack = { 0 };
	struct tv_gathered all;

	tv_pack_bytes(&pack, &c->last, sizeof c->last);
	tv_pack_text(&pack, c->last.job);
	c->last.job = NULL;
	all = tv_team_gather(team, &pack);
	for (uint32_t rank = 0; rank < all.n; rank++) {
		struct tv_unpack from = tv_gathered_of(&all, rank);
		struct done last;
		char *job;

		tv_unpack_bytes(&from, &last, sizeof last);
		job = tv_unpack_text(&from);
		last.job = job;
		if (job != NULL && (c->last.job == NULL || by_end(&c->last, &last) < 0)) {
			c->last = last;
			c->last.job = keep_text(c, job);
		}
		tv_free(job);
	}
	tv_gathered_release(&all);
}

/* ---- all of it ---- */

static int read_parts(struct linking *c, struct tv_error *err)
{
	const struct tv_team *team = c->run->team;

	if (team != NULL) {
		if (tv_run_named_rows(c->run, add_ends, c, err) < 0)
			return -1;
		share_ends(c, team);
	}
	memcpy(c->out->busy_before, c->busy_until,
	       c->run->tasks.nworkers * sizeof *c->out->busy_before);
	if (tv_run_rows(c->run, add_links, c, err) < 0)
		return -1;
	if (team != NULL)
		share_last(c, team);
	if (c->last.job != NULL)
		c->out->last = c->last.number;
	if (c->out->naparts > 1)
		qsort(c->out->apart, c->out->naparts, sizeof *c->out->apart, by_number);
	return 0;
}

int tv_links_find(struct tv_links *links, struct tv_run *run, bool workers, struct tv_error *err)
{
	uint32_t nworkers = run->tasks.nworkers;
	struct linking c = { .run = run,
			     .workers = workers,
			     .out = links,
			     .reached = INT64_MIN,
			     .done = tv_alloc(nworkers, sizeof *c.done),
			     .busy_until = tv_alloc(nworkers, sizeof *c.busy_until) };
	int rc;

	*links = (struct tv_links){ .names = tv_pool_new(),
				    .last = TV_NONE,
				    .busy_before = tv_alloc(nworkers, sizeof *links->busy_before) };
	for (uint32_t w = 0; w < nworkers; w++)
		c.busy_until[w] = INT64_MIN;
	rc = read_parts(&c, err);
	for (uint32_t w = 0; w < nworkers; w++)
		tv_free(c.done[w].at);
	tv_free(c.done);
	tv_free(c.busy_until);
	return rc;
}

const struct tv_link_apart *tv_links_apart(const struct tv_links *links, uint32_t number)
{
	struct tv_link_apart key = { .number = number };

	return links->naparts == 0
		     ? NULL
		     : bsearch(&key, links->apart, links->naparts, sizeof key, by_number);
}

void tv_links_release(struct tv_links *links)
{
	tv_free(links->before);
	tv_free(links->edge);
	tv_free(links->apart);
	tv_free(links->busy_before);
	tv_pool_free(links->names);
}
