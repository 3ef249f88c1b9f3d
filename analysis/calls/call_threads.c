/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call_threads.c -- threads and their chains of calls and pauses. */
#include <stdlib.h>
#include <string.h>

#include "analysis/calls/call_graph_parts.h"
#include "trace/alloc.h"
#include "trace/nodes.h"
#include "trace/sorted.h"
#include "trace/text.h"

/* ---- threads ---- */

struct found_thread {
	uint32_t resource, rank, row; /* row of resources; TV_NONE = none */
	const char *name;
};

TV_ORDER(by_rank, struct found_thread, rank, text(name))

struct threads {
	struct tv_graph_parts *parts;
	struct found_thread *at;
	size_t n, cap;
	struct tv_index rank; /* by label of a node */
	struct tv_index type; /* by rank: label of the type of threads with calls */
	struct tv_index row;  /* of resources, by label */
	struct tv_nodes nodes;
};

static void add_thread(struct threads *t, uint32_t resource)
{
	struct tv_index *known = &t->parts->thread_of;
	uint32_t rank;

	if (resource == TV_NONE || tv_index_get(known, resource) != TV_NONE)
		return;
	rank = tv_index_get(&t->rank, tv_node_of(&t->nodes, resource));
	if (rank == TV_NONE)
		return;
	tv_index_set(known, resource, 0);
	TV_GROW(t->at, t->n, t->cap, 1);
	t->at[t->n++] = (struct found_thread){ resource, rank, tv_index_get(&t->row, resource),
					       tv_pool_text(t->nodes.pool, resource) };
}

/* Threads with calls, then those of resources that have the type of such a thread of their rank, then those with tasks. */
static void find_threads(struct threads *t)
{
	const struct tv_calls *calls = t->parts->graph->calls;
	const struct tv_tasks *tasks = &t->parts->run->tasks;
	const struct tv_table *resources = &calls->trace->table[TV_RESOURCES];
	const struct tv_column *resource = tv_table_find(resources, "ResourceId"),
			       *type = tv_table_find(resources, "ResourceType");

	for (uint32_t r = 0; r < calls->nranks; r++)
		tv_index_set(&t->rank, calls->rank[r], r);
	for (uint32_t row = 0; resource != NULL && row < resources->nrows; row++)
		if (tv_label(resource, row) != TV_NONE)
			tv_index_set(&t->row, tv_label(resource, row), row);
	for (uint32_t i = 0; i < calls->n; i++)
		add_thread(t, tv_call_label(calls, TV_CALL_RESOURCE, calls->row[i]));
	for (size_t i = 0; type != NULL && i < t->n; i++)
		if (t->at[i].row != TV_NONE && tv_label(type, t->at[i].row) != TV_NONE)
			tv_index_set(&t->type, t->at[i].rank, tv_label(type, t->at[i].row));
	for (uint32_t row = 0; type != NULL && resource != NULL && row < resources->nrows; row++) {
		uint32_t rank = tv_label(resource, row) == TV_NONE
				      ? TV_NONE
				      : tv_index_get(&t->rank, tv_node_of(&t->nodes,
									  tv_label(resource, row)));

		if (rank != TV_NONE && tv_label(type, row) != TV_NONE
		    && tv_index_get(&t->type, rank) == tv_label(type, row))
			add_thread(t, tv_label(resource, row));
	}
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && tasks->worker[row] != TV_NONE)
			add_thread(t, tasks->workers[tasks->worker[row]].resource);
}

/* States of threads, of OpenMP and of Extrae. */
struct states {
	const struct tv_table *table;
	const struct tv_column *thread, *type, *start, *end;
};

static bool find_states(struct states *states, const struct tv_graph_parts *parts)
{
	const struct tv_table *table = tv_trace_table(parts->run->trace, TV_STATES);

	*states = (struct states){ table, tv_table_find(table, "ResourceId"),
				   tv_table_find(table, "Type"), tv_table_find(table, "Start"),
				   tv_table_find(table, "End") };
	return states->thread != NULL && states->type != NULL && states->start != NULL
	    && states->end != NULL;
}

/* The thread of a state; TV_NONE: it is of another type, or none of these threads. */
static uint32_t thread_of_state(const struct states *states, const struct tv_graph_parts *parts,
				uint32_t row)
{
	uint32_t of = tv_label(states->type, row), thread = tv_label(states->thread, row);

	if (of == TV_NONE || (of != parts->types.openmp && of != parts->types.extrae)
	    || thread == TV_NONE || tv_missing(states->start, row) || tv_missing(states->end, row))
		return TV_NONE;
	return tv_index_get(&parts->thread_of, thread);
}

/* Threads of formats without begins and ends of threads, and without calls, have no other instants than their states. */
static void extend_by_states(const struct tv_graph_parts *parts)
{
	struct states states;
	bool found = find_states(&states, parts);

	for (uint32_t row = 0; found && row < states.table->nrows; row++) {
		uint32_t i = thread_of_state(&states, parts, row);

		if (i != TV_NONE && states.start->i[row] < parts->graph->thread[i].begin)
			parts->graph->thread[i].begin = states.start->i[row];
		if (i != TV_NONE && states.end->i[row] > parts->graph->thread[i].end)
			parts->graph->thread[i].end = states.end->i[row];
	}
}

/* The first instant of a thread is at least known from its calls and tasks; begin > end: it has none. */
static void set_spans(struct threads *t)
{
	struct tv_call_graph *g = t->parts->graph;
	const struct tv_calls *calls = g->calls;
	const struct tv_tasks *tasks = &t->parts->run->tasks;
	const struct tv_table *resources = &calls->trace->table[TV_RESOURCES];
	const struct tv_column *start = tv_table_find(resources, "Start"),
			       *end = tv_table_find(resources, "End"),
			       *host = tv_table_find(resources, "Host");

	for (uint32_t i = 0; i < g->nthreads; i++) {
		struct tv_call_thread *thread = &g->thread[i];
		uint32_t row = t->at[i].row;

		if (start != NULL && row != TV_NONE && !tv_missing(start, row))
			thread->begin = start->i[row];
		if (end != NULL && row != TV_NONE && !tv_missing(end, row))
			thread->end = end->i[row];
		thread->host = host != NULL && row != TV_NONE ? tv_label(host, row) : TV_NONE;
	}
	for (uint32_t i = 0; i < calls->n; i++) {
		uint32_t row = calls->row[i];
		struct tv_call_thread *thread = &g->thread[tv_index_get(
			&t->parts->thread_of, tv_call_label(calls, TV_CALL_RESOURCE, row))];

		if (tv_call_begin(calls, row) < thread->begin)
			thread->begin = tv_call_begin(calls, row);
		if (tv_call_end(calls, row) > thread->end)
			thread->end = tv_call_end(calls, row);
	}
	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t i = tasks->counted[row] && tasks->worker[row] != TV_NONE
				   ? tv_index_get(&t->parts->thread_of,
						  tasks->workers[tasks->worker[row]].resource)
				   : TV_NONE;

		if (i == TV_NONE)
			continue;
		if (tasks->start[row] < g->thread[i].begin)
			g->thread[i].begin = tasks->start[row];
		if (tasks->end[row] > g->thread[i].end)
			g->thread[i].end = tasks->end[row];
	}
	extend_by_states(t->parts);
}

/* MPI begins for a rank when MPI_Init ends, and ends when MPI_Finalize begins. */
struct limits {
	int64_t init, finalize; /* ns; INT64_MIN, INT64_MAX: not recorded */
	uint32_t thread;	/* that initialized */
};

static struct limits *find_limits(const struct tv_graph_parts *parts)
{
	const struct tv_call_graph *g = parts->graph;
	const struct tv_calls *calls = g->calls;
	struct limits *limits = tv_alloc(calls->nranks, sizeof *limits);

	for (uint32_t r = 0; r < calls->nranks; r++)
		limits[r] = (struct limits){ INT64_MIN, INT64_MAX, TV_NONE };
	for (uint32_t i = 0; i < calls->n; i++) {
		uint32_t row = calls->row[i];
		struct limits *of = &limits[calls->rank_of[row]];
		struct tv_call_kind_of kind = tv_kind_of_row(g, row);

		if (kind.kind == TV_KIND_INIT && !kind.starts) {
			of->init = tv_call_end(calls, row);
			of->thread = tv_index_get(&parts->thread_of,
						  tv_call_label(calls, TV_CALL_RESOURCE, row));
		} else if (kind.kind == TV_KIND_FINALIZE) {
			of->finalize = tv_call_begin(calls, row);
		}
	}
	return limits;
}

/* The thread with MPI_Init, else that which begins first, is the first one of its rank. */
static void choose_leaders(struct tv_call_graph *g, const struct limits *limits)
{
	uint32_t *leader = tv_alloc(g->calls->nranks, sizeof *leader);

	for (uint32_t r = 0; r < g->calls->nranks; r++)
		leader[r] = limits[r].thread;
	for (uint32_t i = 0; i < g->nthreads; i++) {
		const struct tv_call_thread *t = &g->thread[i];
		uint32_t *of = &leader[t->rank];

		if (limits[t->rank].thread == TV_NONE
		    && (*of == TV_NONE || t->begin < g->thread[*of].begin))
			*of = i;
	}
	for (uint32_t i = 0; i < g->nthreads; i++)
		g->thread[i].leads = leader[g->thread[i].rank] == i;
	tv_free(leader);
}

static void cut_to_limits(struct tv_call_graph *g, const struct limits *limits)
{
	bool initialized = false, finalized = false;

	g->begin = INT64_MAX;
	g->end = INT64_MIN;
	for (uint32_t i = 0; i < g->nthreads; i++) {
		initialized = initialized || limits[g->thread[i].rank].init != INT64_MIN;
		finalized = finalized || limits[g->thread[i].rank].finalize != INT64_MAX;
	}
	for (uint32_t i = 0; i < g->nthreads; i++) {
		struct tv_call_thread *t = &g->thread[i];
		const struct limits *of = &limits[t->rank];
		int64_t shift = g->rules.shift == NULL ? 0 : g->rules.shift[t->rank];

		if (t->begin < of->init || (t->leads && of->thread == i))
			t->begin = of->init;
		if (t->end > of->finalize || (t->leads && of->finalize != INT64_MAX))
			t->end = of->finalize;
		t->end = t->end < t->begin ? t->begin : t->end;
		t->begin += shift;
		t->end += shift;
		if (t->begin < g->begin && (!initialized || of->init != INT64_MIN))
			g->begin = t->begin;
		if (t->end > g->end && (!finalized || of->finalize != INT64_MAX))
			g->end = t->end;
	}
	for (uint32_t i = 0; i < g->nthreads; i++) {
		struct tv_call_thread *t = &g->thread[i];

		t->begin = t->begin < g->begin ? g->begin : t->begin;
		t->end = t->end > g->end ? g->end : t->end < t->begin ? t->begin : t->end;
	}
}

static void add_threads(struct tv_graph_parts *parts)
{
	struct tv_call_graph *g = parts->graph;
	struct threads t = { .parts = parts };
	struct limits *limits;
	uint32_t n = 0;

	tv_nodes_init(&t.nodes, g->calls->trace);
	find_threads(&t);
	if (t.n > 1)
		qsort(t.at, t.n, sizeof *t.at, by_rank);
	g->nthreads = (uint32_t)t.n;
	g->thread = tv_alloc(t.n, sizeof *g->thread);
	for (uint32_t i = 0; i < g->nthreads; i++) {
		tv_index_set(&parts->thread_of, t.at[i].resource, i);
		g->thread[i] = (struct tv_call_thread){ .resource = t.at[i].resource,
							.rank = t.at[i].rank,
							.begin = INT64_MAX,
							.end = INT64_MIN };
	}
	set_spans(&t);
	/* Of workers without any instant nothing is known. */
	for (uint32_t i = 0; i < g->nthreads; i++) {
		bool known = g->thread[i].begin <= g->thread[i].end;

		tv_index_set(&parts->thread_of, g->thread[i].resource, known ? n : TV_NONE);
		if (known)
			g->thread[n++] = g->thread[i];
	}
	g->nthreads = n;
	limits = find_limits(parts);
	choose_leaders(g, limits);
	cut_to_limits(g, limits);
	tv_free(limits);
	tv_nodes_release(&t.nodes);
	tv_free(t.at);
	tv_free(t.rank.at);
	tv_free(t.type.at);
	tv_free(t.row.at);
}

/* ---- nodes ---- */

struct step {
	int64_t begin, end;
	uint32_t thread, row; /* row TV_NONE: a pause */
	uint32_t last;	      /* the same row; of a pause that of states */
};

struct steps {
	struct step *at;
	size_t n, cap;
};

TV_ORDER(in_order, struct step, thread, begin, end, row, last)

static void add_step(struct steps *steps, const struct tv_call_graph *g, struct step step)
{
	const struct tv_call_thread *t = &g->thread[step.thread];
	int64_t shift = g->rules.shift == NULL ? 0 : g->rules.shift[t->rank];
	bool pause = step.row == TV_NONE;

	step.begin += shift;
	step.end += shift;
	if (pause && step.begin < t->begin)
		step.begin = t->begin;
	if (pause && step.end > t->end)
		step.end = t->end;
	if (step.begin < t->begin || step.begin > t->end || step.end < step.begin
	    || (pause && step.begin == step.end))
		return;
	TV_GROW(steps->at, steps->n, steps->cap, 1);
	steps->at[steps->n++] = step;
}

static void collect_calls(struct steps *steps, const struct tv_graph_parts *parts)
{
	const struct tv_call_graph *g = parts->graph;
	const struct tv_calls *calls = g->calls;

	for (uint32_t i = 0; i < calls->n; i++) {
		uint32_t row = calls->row[i];
		uint8_t kind = tv_kind_of_row(g, row).kind;

		if (kind != TV_KIND_FINALIZE && kind != TV_KIND_INIT)
			add_step(steps, g,
				 (struct step){
					 tv_call_begin(calls, row), tv_call_end(calls, row),
					 tv_index_get(&parts->thread_of,
						      tv_call_label(calls, TV_CALL_RESOURCE, row)),
					 row, row });
	}
}

/* While a thread of OpenMP waits; its states are cut where it runs tasks. */
static void collect_states(struct steps *steps, const struct tv_graph_parts *parts)
{
	struct states states;
	bool found = find_states(&states, parts);

	for (uint32_t row = 0; found && row < states.table->nrows; row++) {
		uint32_t at = thread_of_state(&states, parts, row);
		enum tv_thread_kind kind;

		if (at == TV_NONE)
			continue;
		kind = tv_thread_kind_of(tv_table_text(states.table, "Value", row));
		if (kind != TV_NTHREAD_KINDS && kind != TV_THREAD_MPI)
			add_step(steps, parts->graph,
				 (struct step){ states.start->i[row], states.end->i[row], at,
						TV_NONE, row });
	}
}

/* A thread with tasks that neither calls nor has states pauses between its tasks. */
static void collect_gaps(struct steps *steps, const struct tv_graph_parts *parts)
{
	const struct tv_call_graph *g = parts->graph;
	const struct tv_tasks *tasks = &parts->run->tasks;
	bool *known = tv_alloc(g->nthreads, sizeof *known);
	struct tv_groups groups;

	for (size_t i = 0; i < steps->n; i++)
		known[steps->at[i].thread] = true;
	tv_tasks_by_start(tasks, tasks->counted, &groups);
	for (uint32_t w = 0; w < groups.n; w++) {
		uint32_t thread = tv_index_get(&parts->thread_of, tasks->workers[w].resource);
		int64_t shift, end;

		if (thread == TV_NONE || known[thread] || groups.first[w] == groups.first[w + 1])
			continue;
		shift = g->rules.shift == NULL ? 0 : g->rules.shift[g->thread[thread].rank];
		end = g->thread[thread].begin - shift;
		for (uint32_t i = groups.first[w]; i < groups.first[w + 1]; i++) {
			uint32_t row = groups.row[i];

			add_step(steps, g,
				 (struct step){ end, tasks->start[row], thread, TV_NONE, TV_NONE });
			end = tasks->end[row] > end ? tasks->end[row] : end;
		}
		add_step(steps, g,
			 (struct step){ end, g->thread[thread].end - shift, thread, TV_NONE,
					TV_NONE });
	}
	tv_groups_release(&groups);
	tv_free(known);
}

/* Sorts by thread, begin. Calls come in order of time, so within a thread there is little to do. */
static void sort_steps(struct steps *steps, const struct tv_call_graph *g)
{
	uint32_t *thread = tv_alloc(steps->n, sizeof *thread);
	struct step *sorted = tv_alloc(steps->n, sizeof *sorted);
	struct tv_groups groups;

	for (size_t i = 0; i < steps->n; i++)
		thread[i] = steps->at[i].thread;
	tv_groups_init(&groups, thread, (uint32_t)steps->n, g->nthreads);
	for (size_t i = 0; i < steps->n; i++)
		sorted[i] = steps->at[groups.row[i]];
	for (uint32_t t = 0; t < g->nthreads; t++) {
		size_t first = groups.first[t], n = groups.first[t + 1] - first, i = 1;

		while (i < n && in_order(&sorted[first + i - 1], &sorted[first + i]) <= 0)
			i++;
		if (i < n)
			qsort(&sorted[first], n, sizeof *sorted, in_order);
	}
	tv_groups_release(&groups);
	tv_free(thread);
	tv_free(steps->at);
	steps->at = sorted;
}

static bool same_requests(const struct tv_calls *calls, uint32_t a, uint32_t b)
{
	uint32_t n, m;
	const uint32_t *x = tv_call_list(calls, TV_CALL_REQUEST, a, &n),
		       *y = tv_call_list(calls, TV_CALL_REQUEST, b, &m);

	return n > 0 && n == m && memcmp(x, y, n * sizeof *x) == 0;
}

/* The node before the next one, NULL = none; its end, INT64_MIN. */
static struct tv_call_node *last_node(const struct tv_call_graph *g)
{
	return g->n > 0 ? &g->node[g->n - 1] : NULL;
}

static int64_t last_end(const struct tv_call_graph *g)
{
	return g->n > 0 ? g->recorded[2 * g->n - 1] : INT64_MIN;
}

/* Whether a test goes on with the loop of the node before it. */
static bool continues(const struct tv_call_graph *g, const struct step *step)
{
	const struct tv_calls *calls = g->calls;
	const struct tv_call_node *before = last_node(g);
	int64_t end = last_end(g);

	return before != NULL && before->row != TV_NONE && step->row != TV_NONE
	    && before->thread == step->thread && calls->class_of[before->last] == TV_CALL_TEST
	    && calls->class_of[step->row] == TV_CALL_TEST && step->begin - end <= g->rules.gap
	    && step->begin >= end && same_requests(calls, before->last, step->row);
}

static void add_node(struct tv_call_graph *g, const struct step *step)
{
	uint32_t i = g->n++;
	const struct tv_calls *calls = g->calls;

	g->node[i] = (struct tv_call_node){
		.row = step->row,
		.last = step->last,
		.thread = step->thread,
		.about = TV_NONE,
		.message = TV_NONE,
		.how = step->row == TV_NONE ? TV_NODE_PAUSE : TV_NODE_LOCAL,
		.test = step->row != TV_NONE && calls->class_of[step->row] == TV_CALL_TEST
	};
	g->recorded[2 * i] = step->begin;
	g->recorded[2 * i + 1] = step->end;
}

/* Whether a pause lies in the call before it, as Extrae's state of a call of MPI_Barrier does: the call says more. */
static bool is_in_call(const struct tv_call_graph *g, const struct step *step)
{
	const struct tv_call_node *before = last_node(g);

	return step->row == TV_NONE && before != NULL && before->thread == step->thread
	    && before->row != TV_NONE && step->end <= last_end(g);
}

static void make_nodes(struct tv_call_graph *g, const struct steps *steps)
{
	const struct tv_table *table = &g->calls->trace->table[TV_CALLS];

	g->node = tv_alloc(steps->n, sizeof *g->node);
	g->recorded = tv_alloc(2 * steps->n, sizeof *g->recorded);
	g->node_of = tv_alloc(table->nrows, sizeof *g->node_of);
	memset(g->node_of, 0xff, table->nrows * sizeof *g->node_of);
	for (size_t i = 0; i < steps->n; i++) {
		const struct step *step = &steps->at[i];
		struct tv_call_node *before = last_node(g);

		if (is_in_call(g, step))
			continue;
		if (continues(g, step)) {
			before->last = step->row;
			before->test = false;
			g->recorded[2 * g->n - 1] = step->end;
		} else {
			g->counts.overlaps += before != NULL && before->thread == step->thread
					   && step->begin < last_end(g);
			add_node(g, step);
		}
		if (step->row != TV_NONE)
			g->node_of[step->row] = g->n - 1;
	}
	for (uint32_t i = g->n; i-- > 0;) {
		g->thread[g->node[i].thread].first = i;
		g->thread[g->node[i].thread].n++;
	}
}

void tv_graph_add_threads(struct tv_graph_parts *parts)
{
	struct tv_call_graph *g = parts->graph;
	struct steps steps = { 0 };

	parts->types = tv_thread_types_of(parts->run);
	add_threads(parts);
	collect_calls(&steps, parts);
	collect_states(&steps, parts);
	collect_gaps(&steps, parts);
	sort_steps(&steps, g);
	make_nodes(g, &steps);
	for (uint32_t i = 0; i < g->n; i++) {
		const struct tv_call_node *node = &g->node[i];

		if (node->row == TV_NONE)
			continue;
		if (!tv_call_ended(g->calls, node->last))
			tv_graph_fix(g, i, TV_FIXED_OPEN);
		else if (tv_kind_of_row(g, node->row).kind == TV_KIND_FIXED
			 && g->calls->class_of[node->row] != TV_CALL_START)
			tv_graph_fix(g, i, TV_FIXED_OPERATION);
		else if (tv_kind_of_row(g, node->row).kind == TV_KIND_LOCAL
			 && g->calls->class_of[node->row] == TV_CALL_BLOCKING)
			tv_graph_fix(g, i, TV_FIXED_OPERATION);
	}
	tv_free(steps.at);
}
