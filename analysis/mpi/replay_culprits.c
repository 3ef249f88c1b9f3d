/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay_culprits.c -- who is to blame for the time in which threads of an MPI program do not compute. */
#include "analysis/mpi/replay_culprits.h"

#include "analysis/calls/outside.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

const char *const tv_culprit_name[] = { "compute", "message", "collective", "call",
					"pause",   "start",   "outside" };
_Static_assert(TV_COUNT(tv_culprit_name) == TV_NCULPRITS, "a name for each kind");

/* ---- partners ---- */

static uint32_t thread_of_event(const struct tv_call_graph *g, uint32_t event,
				const uint32_t *joint_thread)
{
	if (event >= 2 * g->n + g->nthreads)
		return joint_thread[event - 2 * g->n - g->nthreads];
	return event >= 2 * g->n ? event - 2 * g->n : g->node[event / 2].thread;
}

/* The dependence of a target that was met last, of several that of the first thread; TV_NONE = none. */
static uint32_t last_dependence(const struct tv_call_graph *g, uint32_t target,
				const uint32_t *joint_thread)
{
	uint32_t last = TV_NONE, its = TV_NONE;
	int64_t latest = INT64_MIN;

	for (uint32_t i = g->first[target]; i < g->first[target + 1]; i++) {
		const struct tv_dependence *d = &g->dependence[i];
		uint32_t thread = thread_of_event(g, d->event, joint_thread);
		int64_t at = g->recorded[d->event];

		if (at == INT64_MIN || thread == TV_NONE)
			continue;
		at += d->offset;
		if (at > latest || (at == latest && thread < its)) {
			latest = at;
			last = i;
			its = thread;
		}
	}
	return last;
}

uint32_t *tv_replay_last_threads(const struct tv_call_graph *g)
{
	uint32_t *thread = tv_alloc(g->njoints, sizeof *thread);

	for (uint32_t i = 0; i < tv_targets(g); i++) {
		uint32_t target = g->order[i], last;

		if (target < g->n || target >= g->n + g->njoints)
			continue;
		last = last_dependence(g, target, thread);
		thread[target - g->n] = last == TV_NONE
					      ? TV_NONE
					      : thread_of_event(g, g->dependence[last].event,
								thread);
	}
	return thread;
}

uint32_t tv_replay_awaited(const struct tv_call_graph *g, uint32_t node,
			   const uint32_t *joint_thread, int64_t *came, uint32_t *which)
{
	uint32_t last = last_dependence(g, node, joint_thread), thread;

	if (last == TV_NONE)
		return TV_NONE;
	*which = last;
	*came = g->recorded[g->dependence[last].event] + g->dependence[last].offset;
	thread = thread_of_event(g, g->dependence[last].event, joint_thread);
	return *came > tv_node_begin(g, node) && thread != g->node[node].thread ? thread : TV_NONE;
}

/* ---- partners outside of MPI ---- */

/* A node completes one side of a message of which nodes of another rank post and complete the other one. came: by node. */
static void note_outside(const struct tv_call_graph *g, const struct tv_rank_calls *rank_calls,
			 const int64_t *came, uint32_t node, uint32_t other, uint32_t done,
			 uint8_t completes, struct tv_outside *outside)
{
	uint32_t rank = other == TV_NONE ? TV_NONE : g->thread[g->node[other].thread].rank;

	if (node != TV_NONE && other != TV_NONE && done != TV_NONE
	    && g->node[node].how == TV_NODE_WAIT && rank != g->thread[g->node[node].thread].rank)
		tv_outside_add(&outside[node], rank_calls, rank, completes,
			       (struct tv_span){ came[node], tv_node_end(g, node) },
			       tv_node_end(g, done));
}

static void add_presence(const struct tv_call_graph *g, uint32_t node,
			 struct tv_rank_calls *rank_calls)
{
	uint32_t row = g->node[node].row;

	if (row != TV_NONE
	    && (g->calls->class_of[row] != TV_CALL_OTHER
		|| tv_kind_of_row(g, row).kind != TV_KIND_LOCAL))
		tv_rank_calls_add(rank_calls, g->thread[g->node[node].thread].rank,
				  (struct tv_span){ tv_node_begin(g, node), tv_node_end(g, node) });
}

/* By node: which partner was outside of MPI when all had come. Free with tv_free. */
static struct tv_outside *find_outside(const struct tv_call_graph *g, const uint32_t *joint_thread)
{
	struct tv_outside *outside = tv_alloc(g->n, sizeof *outside);
	int64_t *came = tv_alloc(g->n, sizeof *came);
	struct tv_rank_calls rank_calls = { 0 };

	for (uint32_t i = 0; i < g->n; i++) {
		uint32_t which;

		if (tv_replay_awaited(g, i, joint_thread, &came[i], &which) == TV_NONE)
			came[i] = tv_node_begin(g, i);
		add_presence(g, i, &rank_calls);
	}
	tv_rank_calls_finish(&rank_calls);
	for (uint32_t i = 0; i < g->nmessages; i++) {
		const struct tv_call_message *m = &g->message[i];

		note_outside(g, &rank_calls, came, m->sent, m->receive, m->received,
			     TV_COMPLETES_SEND, outside);
		note_outside(g, &rank_calls, came, m->received, m->send,
			     m->guessed ? TV_NONE : m->sent, TV_COMPLETES_RECEIVE, outside);
	}
	tv_rank_calls_release(&rank_calls);
	tv_free(came);
	return outside;
}

/* ---- walks ---- */

/* From a time on, backward, so many more walks lead to a thread. */
struct change {
	int64_t time;
	int64_t direct, further;
};

struct visit {
	int64_t at;		 /* the thread is visited down to here */
	int64_t direct, further; /* walks that lead to it just before */
	struct tv_heap changes;	 /* of work.change, the latest first */
};

struct culprit_walks {
	const struct tv_call_graph *g;
	uint32_t *joint_thread;
	struct tv_outside *outside; /* by node */
	struct visit *visit;	    /* by thread */
	int64_t *until; /* by node: its end, or that of one before it which lasts longer */
	struct change *change;
	size_t nchanges, changes_cap;
	struct tv_culprit *found;
	size_t n, cap;
};

static bool is_later(const void *context, uint32_t a, uint32_t b)
{
	const struct change *change = context;

	return change[a].time != change[b].time ? change[a].time > change[b].time : a < b;
}

static void add_change(struct culprit_walks *w, uint32_t thread, int64_t time, int64_t direct,
		       int64_t further)
{
	TV_GROW(w->change, w->nchanges, w->changes_cap, 1);
	w->change[w->nchanges] = (struct change){ time, direct, further };
	tv_heap_push(&w->visit[thread].changes, (uint32_t)w->nchanges++, is_later, w->change);
}

static void blame(struct culprit_walks *w, struct tv_culprit culprit)
{
	if (culprit.direct == 0 && culprit.further == 0)
		return;
	TV_GROW(w->found, w->n, w->cap, 1);
	w->found[w->n++] = culprit;
}

/* A piece of time with the number of walks in it. */
struct piece {
	int64_t begin, end;
	int64_t direct, further;
};

/* Takes the next piece of a thread backward, down to `begin`; false: there is none. */
static bool next_piece(struct culprit_walks *w, uint32_t thread, int64_t begin, struct piece *piece)
{
	struct visit *v = &w->visit[thread];

	while (v->changes.n > 0 && w->change[v->changes.row[0]].time >= v->at) {
		v->direct += w->change[v->changes.row[0]].direct;
		v->further += w->change[v->changes.row[0]].further;
		tv_heap_pop(&v->changes, is_later, w->change);
	}
	if (v->at <= begin)
		return false;
	*piece = (struct piece){ begin, v->at, v->direct, v->further };
	if (v->changes.n > 0 && w->change[v->changes.row[0]].time > begin)
		piece->begin = w->change[v->changes.row[0]].time;
	v->at = piece->begin;
	return true;
}

/* Walks go on to a thread. Where that was visited already, as clocks contradict, `otherwise` is to blame. */
static void go_on(struct culprit_walks *w, uint32_t to, struct piece walks,
		  struct tv_culprit *otherwise)
{
	int64_t cut = w->visit[to].at;

	if (walks.end > cut) {
		int64_t from = walks.begin > cut ? walks.begin : cut;

		otherwise->direct += walks.direct * (walks.end - from);
		otherwise->further += walks.further * (walks.end - from);
		walks.end = from;
	}
	if (walks.begin >= walks.end || (walks.direct == 0 && walks.further == 0))
		return;
	add_change(w, to, walks.end, walks.direct, walks.further);
	add_change(w, to, walks.begin, -walks.direct, -walks.further);
}

/* All walks in a part of a thread end there; own: that thread's own, 0 while it computes. */
static void end_walks(struct culprit_walks *w, uint32_t thread, int64_t begin, int64_t own,
		      struct tv_culprit culprit)
{
	struct piece piece;

	while (next_piece(w, thread, begin, &piece)) {
		culprit.direct += (own + piece.direct) * (piece.end - piece.begin);
		culprit.further += piece.further * (piece.end - piece.begin);
	}
	blame(w, culprit);
}

/* What is to blame where a node waits for nobody. */
static struct tv_culprit culprit_of(const struct tv_call_graph *g, uint32_t node)
{
	const struct tv_call_node *n = &g->node[node];
	struct tv_culprit c = {
		.kind = TV_CULPRIT_CALL, .thread = n->thread, .to = TV_NONE, .node = node
	};

	if (n->how == TV_NODE_PAUSE) {
		c.kind = TV_CULPRIT_PAUSE;
	} else if (n->how == TV_NODE_FIXED) {
		c.kind = TV_CULPRIT_CALL;
	} else if (n->message != TV_NONE) {
		const struct tv_call_message *m = &g->message[n->message];

		c.kind = TV_CULPRIT_MESSAGE;
		c.thread = g->node[m->send].thread;
		c.to = m->receive == TV_NONE ? TV_NONE : g->node[m->receive].thread;
	} else if (n->about != TV_NONE) {
		c.kind = TV_CULPRIT_COLLECTIVE;
	}
	return c;
}

/* The same of the part of a node in which a partner is outside of MPI; culprit: of what is before and behind it. */
static void end_outside(struct culprit_walks *w, uint32_t node, struct tv_culprit culprit)
{
	const struct tv_call_graph *g = w->g;
	const struct tv_outside *outside = &w->outside[node];
	uint32_t thread = g->node[node].thread, other = 0;

	while (g->thread[other].rank != outside->rank)
		other++;
	end_walks(w, thread, outside->back, 1, culprit);
	end_walks(w, thread, outside->from, 1,
		  (struct tv_culprit){ TV_CULPRIT_OUTSIDE, other, thread, node, 0, 0 });
}

static void visit_node(struct culprit_walks *w, uint32_t node)
{
	const struct tv_call_graph *g = w->g;
	uint32_t thread = g->node[node].thread, which;
	int64_t begin = tv_node_begin(g, node), end = w->until[node], came = begin;
	uint32_t to = tv_replay_awaited(g, node, w->joint_thread, &came, &which);
	struct tv_culprit culprit = culprit_of(g, node);
	struct piece piece;

	end_walks(w, thread, end, 0,
		  (struct tv_culprit){ TV_CULPRIT_COMPUTE, thread, TV_NONE, node, 0, 0 });
	if (to == TV_NONE)
		came = begin;
	else if (came > end)
		came = end;
	if (w->outside[node].completes != 0 && came <= w->outside[node].from)
		end_outside(w, node, culprit);
	end_walks(w, thread, came, 1, culprit);
	culprit.direct = culprit.further = 0;
	while (next_piece(w, thread, begin, &piece)) {
		go_on(w, to,
		      (struct piece){ piece.begin, piece.end, 1, piece.direct + piece.further },
		      &culprit);
	}
	blame(w, culprit);
}

static void visit_begin(struct culprit_walks *w, uint32_t thread)
{
	const struct tv_call_graph *g = w->g;

	end_walks(w, thread, g->thread[thread].begin, 0,
		  (struct tv_culprit){ TV_CULPRIT_COMPUTE, thread, TV_NONE, TV_NONE, 0, 0 });
	end_walks(w, thread, g->begin, 1,
		  (struct tv_culprit){ TV_CULPRIT_START, thread, TV_NONE, TV_NONE, 0, 0 });
}

/* After their last instants threads wait for the one that ends last. */
static void visit_ends(struct culprit_walks *w)
{
	const struct tv_call_graph *g = w->g;
	uint32_t last = 0;

	for (uint32_t t = 1; t < g->nthreads; t++)
		if (g->thread[t].end > g->thread[last].end)
			last = t;
	for (uint32_t t = 0; t < g->nthreads; t++) {
		struct tv_culprit none = { .kind = TV_CULPRIT_COMPUTE };

		w->visit[t].at = g->thread[t].end;
		if (t != last)
			go_on(w, last,
			      (struct piece){ g->thread[t].end, g->thread[last].end, 1, 0 }, &none);
	}
}

static int64_t *find_ends(const struct tv_call_graph *g)
{
	int64_t *until = tv_alloc(g->n, sizeof *until);

	for (uint32_t i = 0; i < g->n; i++) {
		bool first = i == g->thread[g->node[i].thread].first;

		until[i] = tv_node_end(g, i);
		if (!first && until[i - 1] > until[i])
			until[i] = until[i - 1];
	}
	return until;
}

struct tv_culprit *tv_replay_culprits(const struct tv_call_graph *g, size_t *n)
{
	struct culprit_walks w = { .g = g, .joint_thread = tv_replay_last_threads(g) };

	w.visit = tv_alloc(g->nthreads, sizeof *w.visit);
	w.until = find_ends(g);
	w.outside = find_outside(g, w.joint_thread);
	for (uint32_t t = 0; t < g->nthreads; t++)
		w.visit[t].at = INT64_MAX;
	visit_ends(&w);
	for (uint32_t i = tv_targets(g); i-- > 0;) {
		if (g->order[i] < g->n)
			visit_node(&w, g->order[i]);
		else if (g->order[i] >= g->n + g->njoints)
			visit_begin(&w, g->order[i] - g->n - g->njoints);
	}
	for (uint32_t t = 0; t < g->nthreads; t++)
		tv_heap_release(&w.visit[t].changes);
	tv_free(w.visit);
	tv_free(w.until);
	tv_free(w.outside);
	tv_free(w.change);
	tv_free(w.joint_thread);
	*n = w.n;
	return w.found;
}
