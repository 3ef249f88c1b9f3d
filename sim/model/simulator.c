/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulator.c -- what all simulations of a run, or of a planned graph, have in common. */
#include "sim/model/simulator.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/core/instead.h"
#include "trace/alloc.h"
#include "trace/parallel.h"
#include "trace/sorted.h"
#include "trace/text.h"

/* ---- the graph ---- */

/* How many edges into a node the simulation follows: exclusions, too, if in recorded order. */
static uint32_t count_before(const struct tv_dag *dag, uint32_t v, bool recorded)
{
	return recorded ? tv_dag_nbefore(dag, v) : dag->first[v + 1] - dag->first[v];
}

/* What each node is submitted after. Where creators are not held by what they run themselves, it is what they had waited for before, and
 * that much later as they needed between. */
static void find_waits(struct tv_simulated_order *order, const struct tv_dag *dag, const bool *work,
		       bool held)
{
	if (dag->after == NULL)
		return;
	order->after = tv_alloc(dag->n, sizeof *order->after);
	order->wait = tv_alloc(dag->n, sizeof *order->wait);
	for (uint32_t i = 0; i < dag->n; i++) {
		uint32_t v = dag->order[i], u = dag->after[v];

		order->after[v] = u;
		order->wait[v] = dag->delay[v];
		if (held || u == TV_NONE || !work[u])
			continue;
		u = tv_dag_opening(dag, u);
		order->after[v] = order->after[u];
		order->wait[v] += dag->after[u] != TV_NONE  ? order->wait[u]
				: tv_dag_enters(dag, u) > 0 ? tv_dag_enters(dag, u)
							    : 0;
	}
}

/* When a node is submitted that comes after no other one, ns; INT64_MIN = with what it depends on. */
static int64_t submission_of(const struct tv_simulated_order *order, const struct tv_dag *dag,
			     uint32_t v)
{
	return order->after != NULL && dag->after[v] != TV_NONE ? order->wait[v]
								: tv_dag_enters(dag, v);
}

/* What a node is submitted after, where that is none of the nodes that it depends on; TV_NONE. */
static uint32_t find_extra(const struct tv_simulated_order *order, const struct tv_dag *dag,
			   uint32_t v, bool recorded)
{
	uint32_t after = order->after == NULL ? TV_NONE : order->after[v];

	for (uint32_t k = 0; after != TV_NONE && k < count_before(dag, v, recorded); k++)
		if (tv_dag_before(dag, v, k) == after)
			return TV_NONE;
	return after;
}

static void reverse_edges(struct tv_simulated_order *order, const struct tv_dag *dag, bool recorded)
{
	uint32_t *at;

	order->first = tv_alloc((size_t)dag->n + 1, sizeof *order->first);
	order->next = tv_alloc((size_t)dag->nedges + dag->nexclusions
				       + (dag->after == NULL ? 0 : dag->n),
			       sizeof *order->next);
	for (uint32_t v = 0; v < dag->n; v++) {
		uint32_t extra = find_extra(order, dag, v, recorded);

		for (uint32_t k = 0; k < count_before(dag, v, recorded); k++) {
			uint32_t u = tv_dag_before(dag, v, k);

			order->first[u + 1] += !tv_dag_created_by(dag, v, u);
		}
		if (extra != TV_NONE)
			order->first[extra + 1]++;
	}
	for (uint32_t v = 0; v < dag->n; v++)
		order->first[v + 1] += order->first[v];
	at = tv_alloc(dag->n, sizeof *at);
	memcpy(at, order->first, dag->n * sizeof *at);
	for (uint32_t v = 0; v < dag->n; v++) {
		uint32_t extra = find_extra(order, dag, v, recorded);

		for (uint32_t k = 0; k < count_before(dag, v, recorded); k++) {
			uint32_t u = tv_dag_before(dag, v, k);

			if (!tv_dag_created_by(dag, v, u))
				order->next[at[u]++] = v;
		}
		if (extra != TV_NONE)
			order->next[at[extra]++] = v;
	}
	tv_free(at);
}

struct named {
	const char *job;
	uint32_t node;
};

TV_ORDER(by_job, struct named, text(job), node)

/* Sorts nodes by JobId, then number. room: for n. */
static void sort_by_job(uint32_t *node, uint32_t n, const struct tv_dag *dag, struct named *room)
{
	for (uint32_t i = 0; i < n; i++)
		room[i] = (struct named){ tv_pool_text(dag->tasks->pool, tv_dag_job(dag, node[i])),
					  node[i] };
	qsort(room, n, sizeof *room, by_job);
	for (uint32_t i = 0; i < n; i++)
		node[i] = room[i].node;
}

/* The same for each run of nodes with equal times. */
static void sort_equal(uint32_t *node, const int64_t *time, const struct tv_dag *dag)
{
	struct named *room = NULL;
	size_t cap = 0;

	for (uint32_t i = 0, next; i < dag->n; i = next) {
		for (next = i + 1; next < dag->n && time[node[next]] == time[node[i]]; next++)
			;
		if (next - i == 1)
			continue;
		TV_GROW(room, 0, cap, next - i);
		sort_by_job(node + i, next - i, dag, room);
	}
	tv_free(room);
}

static bool comes_first(const void *context, uint32_t a, uint32_t b)
{
	const uint32_t *place = context;

	return place[a] < place[b];
}

/* Whether no node comes before what it depends on. */
static bool respects_edges(const struct tv_simulated_order *order, uint32_t n)
{
	for (uint32_t v = 0; v < n; v++)
		for (uint32_t e = order->first[v]; e < order->first[v + 1]; e++)
			if (order->rank[order->next[e]] < order->rank[v])
				return false;
	return true;
}

/* The order of ranks made one in which no node comes before what it depends on. */
static void respect_edges(struct tv_simulated_order *order, uint32_t n)
{
	uint32_t *place = tv_alloc(n, sizeof *place), *waits = tv_alloc(n, sizeof *waits);
	uint32_t rank = 0;
	struct tv_heap free = { 0 };

	memcpy(place, order->rank, n * sizeof *place);
	for (uint32_t e = 0; e < order->first[n]; e++)
		waits[order->next[e]]++;
	for (uint32_t v = 0; v < n; v++)
		if (waits[v] == 0)
			tv_heap_push(&free, v, comes_first, place);
	while (free.n > 0) {
		uint32_t v = free.row[0];

		tv_heap_pop(&free, comes_first, place);
		order->rank[v] = rank++;
		for (uint32_t e = order->first[v]; e < order->first[v + 1]; e++)
			if (--waits[order->next[e]] == 0)
				tv_heap_push(&free, order->next[e], comes_first, place);
	}
	tv_heap_release(&free);
	tv_free(place);
	tv_free(waits);
}

/* What follows each node, and the order of submission: neither needs the other. */
struct ordering {
	struct tv_simulated_order *order;
	const struct tv_dag *dag;
	bool recorded;
};

/* By SubmitTime, then JobId, then row. A node without SubmitTime, as a message, is not held up by
 * submissions: it comes with the last that it depends on. */
static void rank_jobs(struct tv_simulated_order *order, const struct tv_dag *dag)
{
	int64_t *time = tv_alloc(dag->n, sizeof *time);
	uint32_t *node = tv_alloc(dag->n, sizeof *node);

	order->rank = tv_alloc(dag->n, sizeof *order->rank);
	for (uint32_t i = 0; i < dag->n; i++) {
		uint32_t v = dag->order[i];

		node[i] = i;
		time[v] = tv_dag_enters(dag, v);
		if (time[v] > INT64_MIN)
			continue;
		for (uint32_t e = dag->first[v]; e < dag->first[v + 1]; e++)
			if (time[dag->pred[e]] > time[v])
				time[v] = time[dag->pred[e]];
	}
	tv_sort_rows_by_time(node, dag->n, time);
	sort_equal(node, time, dag);
	for (uint32_t i = 0; i < dag->n; i++)
		order->rank[node[i]] = i;
	tv_free(node);
	tv_free(time);
}

static void order_part(void *context, size_t i)
{
	const struct ordering *o = context;

	if (i == 0)
		reverse_edges(o->order, o->dag, o->recorded);
	else
		rank_jobs(o->order, o->dag);
}

int64_t tv_simulator_zero(const struct tv_tasks *tasks)
{
	int64_t zero = tasks->begin < 0 ? tasks->begin : 0;

	for (uint32_t row = 0; tasks->submit != NULL && row < tasks->n; row++)
		if (!tv_missing(tasks->submit, row) && tasks->submit->i[row] < zero)
			zero = tasks->submit->i[row];
	return zero;
}

/* Submissions one after the other; what was created comes with the last one before it. What is submitted after a wait
 * comes after that. */
static void find_submissions(struct tv_simulated_order *order, const struct tv_dag *dag)
{
	uint32_t *by_rank;
	int64_t now = 0, zero = tv_simulator_zero(dag->tasks);

	if (dag->tasks->submit == NULL)
		return;
	by_rank = tv_alloc(dag->n, sizeof *by_rank);
	order->submit = tv_alloc(dag->n, sizeof *order->submit);
	for (uint32_t v = 0; v < dag->n; v++)
		by_rank[order->rank[v]] = v;
	for (uint32_t i = 0; i < dag->n; i++) {
		uint32_t v = by_rank[i];
		bool created = dag->creator != NULL && dag->creator[v] != TV_NONE;
		int64_t submit = created ? 0 : submission_of(order, dag, v) - zero;

		if (order->after != NULL && order->after[v] != TV_NONE)
			continue;
		now = submit > now ? submit : now;
		order->submit[v] = now;
	}
	tv_free(by_rank);
}

const struct tv_simulated_order *tv_simulator_order(struct tv_simulator *s, bool recorded,
						    bool held)
{
	struct tv_simulated_order *order =
		&s->order[recorded && s->dag->nexclusions > 0][held || s->dag->after == NULL];

	if (order->first == NULL) {
		struct ordering ordering = { order, s->dag, recorded };

		find_waits(order, s->dag, s->work, held);
		tv_parallel(2, order_part, &ordering);
		if (!respects_edges(order, s->dag->n))
			respect_edges(order, s->dag->n);
		find_submissions(order, s->dag);
	}
	return order;
}

static void release_order(struct tv_simulated_order *order)
{
	tv_free(order->first);
	tv_free(order->next);
	tv_free(order->rank);
	tv_free(order->submit);
	tv_free(order->after);
	tv_free(order->wait);
}

/* ---- tasks ---- */

/* After which share of its creator's time each node was created. */
static void find_creations(struct tv_simulator *s)
{
	const struct tv_dag *dag = s->dag;

	if (dag->creator == NULL)
		return;
	s->created = tv_alloc(dag->n, sizeof *s->created);
	for (uint32_t v = 0; v < dag->n; v++) {
		uint32_t u = dag->creator[v];
		double length, at;

		if (u == TV_NONE || !dag->timed[u] || dag->end[u] == dag->start[u])
			continue;
		length = (double)(dag->end[u] - dag->start[u]);
		at = (double)(tv_dag_reaches(dag, v, u, dag->end[u]) - dag->start[u]) / length;
		s->created[v] = at < 0 ? 0 : at;
	}
}

/* A segment runs where the one before ran, as OpenMP's tied tasks, if the recorded one did. */
static void find_ties(struct tv_simulator *s)
{
	const uint32_t *previous = s->dag->previous;

	if (previous == NULL)
		return;
	s->tied = tv_alloc(s->dag->n, sizeof *s->tied);
	for (uint32_t v = 0; v < s->dag->n; v++)
		s->tied[v] = previous[v] != TV_NONE && s->worker[v] == s->worker[previous[v]]
				   ? previous[v]
				   : TV_NONE;
}

static int by_ability(const void *a, const void *b, void *data)
{
	const struct tv_costs *costs = data;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b, n = costs->nrtypes;
	int differ = memcmp(&costs->can[(size_t)x * n], &costs->can[(size_t)y * n],
			    n * sizeof *costs->can);

	return differ != 0 ? differ : TV_COMPARE(x, y);
}

/* The engine looks through the queues of all groups at each step: types that are alike share one. */
static void find_kinds(struct tv_simulator *s)
{
	const struct tv_costs *costs = &s->costs;
	uint32_t n = costs->ntypes, *order = tv_alloc(n, sizeof *order);
	size_t row = costs->nrtypes * sizeof *costs->can;

	s->kind = tv_alloc(n, sizeof *s->kind);
	s->type_of_kind = tv_alloc(n, sizeof *s->type_of_kind);
	for (uint32_t t = 0; t < n; t++)
		order[t] = t;
	if (n > 1)
		qsort_r(order, n, sizeof *order, by_ability, (void *)costs);
	for (uint32_t k = 0; k < n; k++) {
		if (k == 0
		    || memcmp(&costs->can[(size_t)order[k] * costs->nrtypes],
			      &costs->can[(size_t)order[k - 1] * costs->nrtypes], row)
			       != 0)
			s->type_of_kind[s->nkinds++] = order[k];
		s->kind[order[k]] = s->nkinds - 1;
	}
	tv_free(order);
}

/* Place, submission and priority of every node of the graph. */
static void describe_jobs(struct tv_simulator *s)
{
	const struct tv_tasks *tasks = &s->run->tasks;
	const struct tv_dag *dag = s->dag;
	const struct tv_column *priority = tv_table_in_short(&tasks->trace->table[TV_TASKS],
							     "Priority");

	find_kinds(s);
	s->group = tv_alloc(dag->n, sizeof *s->group);
	if (priority != NULL)
		s->priority = tv_alloc(dag->n, sizeof *s->priority);
	if (!dag->are_rows || tasks->ncounted < dag->n || tasks->ncut > 0)
		s->own_worker = tv_alloc(dag->n, sizeof *s->own_worker);
	s->worker = s->own_worker != NULL ? s->own_worker : tasks->worker;
	s->work = tv_alloc(dag->n, sizeof *s->work);
	for (uint32_t v = 0; v < dag->n; v++) {
		uint32_t row = dag->row[v], node = 0, group;

		if (s->own_worker != NULL)
			s->own_worker[v] = TV_NONE;
		if (priority != NULL && !tv_missing(priority, row))
			s->priority[v] = tv_number(priority, row);
		s->work[v] = s->costs.job[v].type != TV_NONE;
		if (!s->work[v])
			continue;
		if (tasks->counted[row]) {
			if (s->own_worker != NULL)
				s->own_worker[v] = tasks->worker[row];
			node = tasks->workers[tasks->worker[row]].node;
		}
		group = node * s->nkinds + s->kind[s->costs.job[v].type];
		if (group > 0) /* else the array takes no memory */
			s->group[v] = group;
	}
}

int64_t *tv_simulator_find_delays(const struct tv_simulator *s, bool free_messages)
{
	const struct tv_dag *dag = s->dag;
	uint32_t nwork = 0;
	int64_t *delay;

	while (nwork < dag->n && s->work[nwork])
		nwork++;
	if (nwork == dag->n)
		return NULL;
	delay = tv_alloc(dag->n, sizeof *delay);
	for (uint32_t v = 0; v < dag->n; v++)
		delay[v] = s->work[v]				       ? -1
			 : tv_dag_is_message(dag, v) && !free_messages ? dag->end[v] - dag->start[v]
								       : 0;
	return delay;
}

const int64_t *tv_simulator_delays(struct tv_simulator *s)
{
	if (!s->delays_known)
		s->delay = tv_simulator_find_delays(s, false);
	s->delays_known = true;
	return s->delay;
}

const struct tv_simulated_exclusion *tv_simulator_exclusion(struct tv_simulator *s)
{
	if (!s->exclusion.known)
		tv_simulated_exclusion_init(&s->exclusion, s->dag, s->work);
	return &s->exclusion;
}

const struct tv_simulated_accesses *tv_simulator_accesses(struct tv_simulator *s)
{
	if (s->accesses.first == NULL)
		tv_simulated_accesses_init(&s->accesses, s->run, s->dag, s->work, s->data_size);
	return &s->accesses;
}

void tv_simulator_warn(const struct tv_simulator *s)
{
	if (s->accesses.first != NULL)
		tv_simulated_accesses_warn(&s->accesses, s->run, s->dag->n, s->data_size);
}

/* ---- all ---- */

int tv_simulator_init(struct tv_simulator *s, struct tv_run *run,
		      const struct tv_cost_options *costs, const char *const *more, size_t nmore,
		      struct tv_error *err)
{
	*s = (struct tv_simulator){ .run = run, .dag = tv_run_dag(run, err) };
	if (s->dag == NULL)
		return -1;
	if (run->tasks.ncounted == 0 && run->tasks.nplanned == 0)
		return tv_fail_lacks(err, run->trace, "the trace has no tasks to simulate");
	s->nnodes = run->tasks.nnodes > 0 ? run->tasks.nnodes : 1;
	if (tv_costs_init(&s->costs, run, s->dag, costs, more, nmore, err) < 0) {
		tv_simulator_release(s);
		return -1;
	}
	describe_jobs(s);
	find_creations(s);
	find_ties(s);
	return 0;
}

void tv_simulator_copy_without(struct tv_simulator_copy *copy, const struct tv_simulator *s,
			       const bool *gone)
{
	struct tv_dag *dag = &copy->dag;

	copy->simulator = *s;
	copy->simulator.dag = dag;
	memset(copy->simulator.order, 0, sizeof copy->simulator.order);
	*dag = *s->dag;
	dag->first = tv_alloc((size_t)dag->n + 1, sizeof *dag->first);
	dag->pred = tv_alloc(dag->nedges, sizeof *dag->pred);
	dag->nedges = 0;
	for (uint32_t v = 0; v < dag->n; v++) {
		dag->first[v] = dag->nedges;
		for (uint32_t e = s->dag->first[v]; e < s->dag->first[v + 1]; e++)
			if (!gone[s->dag->pred[e]])
				dag->pred[dag->nedges++] = s->dag->pred[e];
	}
	dag->first[dag->n] = dag->nedges;
	for (int i = 0; i < 4; i++)
		if (s->order[i / 2][i % 2].first != NULL)
			tv_simulator_order(&copy->simulator, i / 2 == 1, i % 2 == 1);
}

void tv_simulator_copy_release(struct tv_simulator_copy *copy)
{
	for (int i = 0; i < 4; i++)
		release_order(&copy->simulator.order[i / 2][i % 2]);
	tv_free(copy->dag.first);
	tv_free(copy->dag.pred);
}

void tv_simulator_release(struct tv_simulator *s)
{
	tv_costs_release(&s->costs);
	for (int i = 0; i < 4; i++)
		release_order(&s->order[i / 2][i % 2]);
	tv_simulated_exclusion_release(&s->exclusion);
	tv_simulated_accesses_release(&s->accesses);
	tv_free(s->fitted);
	tv_free(s->kind);
	tv_free(s->type_of_kind);
	tv_free(s->own_worker);
	tv_free(s->sequence);
	tv_free(s->first_on);
	tv_free(s->group);
	tv_free(s->work);
	tv_free(s->priority);
	tv_free(s->delay);
	tv_free(s->created);
	tv_free(s->tied);
	*s = (struct tv_simulator){ 0 };
}
