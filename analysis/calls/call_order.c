/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * call_order.c -- an order of nodes, joints and begins of threads in which each comes behind all
 * that it depends on.
 *
 * Dependences that form a circle come from messages that are taken for rendezvous and were
 * buffered, or from clocks; then the first dependence of a send in the circle is dropped, or, where
 * there is none, the first.
 */
#include <string.h>

#include "analysis/calls/call_graph_parts.h"
#include "trace/alloc.h"

struct call_ordering {
	struct tv_call_graph *g;
	uint32_t *pending;	 /* by target: events that have not happened */
	uint32_t *dependent;	 /* dependences, by event */
	uint32_t *from;		 /* by event: its first in dependent */
	uint32_t *next;		 /* by thread: the node that it is in or before */
	bool *begun;		 /* by thread */
	bool *dropped;		 /* by dependence */
	uint32_t *ready, nready; /* targets */
	uint32_t norder;
};

static uint32_t count_events(const struct tv_call_graph *g)
{
	return 2 * g->n + g->nthreads + g->njoints;
}

static void list_dependents(struct call_ordering *w)
{
	const struct tv_call_graph *g = w->g;
	uint32_t events = count_events(g);

	w->from = tv_alloc((size_t)events + 1, sizeof *w->from);
	w->dependent = tv_alloc(g->ndependences, sizeof *w->dependent);
	for (uint32_t i = 0; i < g->ndependences; i++)
		w->from[g->dependence[i].event]++;
	for (uint32_t e = 0, sum = 0; e <= events; e++) {
		sum += w->from[e];
		w->from[e] = sum;
	}
	for (uint32_t i = g->ndependences; i-- > 0;)
		w->dependent[--w->from[g->dependence[i].event]] = i;
}

static bool is_at(const struct call_ordering *w, uint32_t target)
{
	const struct tv_call_graph *g = w->g;

	return target >= g->n
	    || (w->begun[g->node[target].thread] && w->next[g->node[target].thread] == target);
}

static void resolve(struct call_ordering *w, uint32_t dependence)
{
	uint32_t target = w->g->dependence[dependence].target;

	if (w->dropped[dependence])
		return;
	if (--w->pending[target] == 0 && is_at(w, target))
		w->ready[w->nready++] = target;
}

static void happen(struct call_ordering *w, uint32_t event)
{
	for (uint32_t i = w->from[event]; i < w->from[event + 1]; i++)
		resolve(w, w->dependent[i]);
}

/* The next node of a thread begins. */
static void enter(struct call_ordering *w, uint32_t thread)
{
	const struct tv_call_thread *t = &w->g->thread[thread];
	uint32_t node = w->next[thread];

	if (node == t->first + t->n)
		return;
	if (w->pending[node] == 0)
		w->ready[w->nready++] = node;
	happen(w, 2 * node);
}

static void take(struct call_ordering *w, uint32_t target)
{
	struct tv_call_graph *g = w->g;

	g->order[w->norder++] = target;
	if (target < g->n) {
		uint32_t thread = g->node[target].thread;

		w->next[thread]++;
		happen(w, 2 * target + 1);
		enter(w, thread);
	} else if (target < g->n + g->njoints) {
		happen(w, tv_event_of_joint(g, target - g->n));
	} else {
		uint32_t thread = target - g->n - g->njoints;

		w->begun[thread] = true;
		happen(w, tv_event_of_thread(g, thread));
		enter(w, thread);
	}
}

/* ---- circles ---- */

/* The target that has to come before an event happens. */
static uint32_t awaited(const struct call_ordering *w, uint32_t event)
{
	const struct tv_call_graph *g = w->g;
	uint32_t thread;

	if (event >= 2 * g->n + g->nthreads)
		return tv_target_of_joint(g, event - 2 * g->n - g->nthreads);
	thread = event >= 2 * g->n ? event - 2 * g->n : g->node[event / 2].thread;
	return w->begun[thread] ? w->next[thread] : tv_target_of_thread(g, thread);
}

static bool has_happened(const struct call_ordering *w, uint32_t event)
{
	const struct tv_call_graph *g = w->g;
	uint32_t node = event / 2, thread;

	if (event >= 2 * g->n)
		return false; /* those that have are not pending: begins and joints resolve at once */
	thread = g->node[node].thread;
	return w->begun[thread]
	    && (node < w->next[thread] || (node == w->next[thread] && event % 2 == 0));
}

/* The first dependence that a target still waits for. */
static uint32_t missing(const struct call_ordering *w, uint32_t target, const bool *done)
{
	const struct tv_call_graph *g = w->g;

	for (uint32_t i = g->first[target]; i < g->first[target + 1]; i++) {
		uint32_t event = g->dependence[i].event;

		if (!w->dropped[i] && !has_happened(w, event)
		    && (event < 2 * g->n || !done[awaited(w, event)]))
			return i;
	}
	return TV_NONE;
}

static void drop(struct call_ordering *w, uint32_t dependence)
{
	resolve(w, dependence);
	w->dropped[dependence] = true;
	w->g->counts.cycles++;
}

/* What the first thread waits for that has not come to its end. */
static uint32_t find_stuck(const struct call_ordering *w)
{
	const struct tv_call_graph *g = w->g;
	uint32_t t = 0;

	while (w->begun[t] && w->next[t] == g->thread[t].first + g->thread[t].n)
		t++;
	return w->begun[t] ? w->next[t] : tv_target_of_thread(g, t);
}

/* Follows what targets wait for from one that is stuck, until one comes again; drops a dependence of that circle.
 * seen[] by target: the number of the last circle that was looked for there. */
static void break_circle(struct call_ordering *w, uint32_t *seen, uint32_t circle, const bool *done)
{
	const struct tv_call_graph *g = w->g;
	uint32_t target = find_stuck(w), first, chosen = TV_NONE;

	while (seen[target] != circle) {
		seen[target] = circle;
		target = awaited(w, g->dependence[missing(w, target, done)].event);
	}
	first = target;
	do {
		uint32_t i = missing(w, target, done);

		if (chosen == TV_NONE
		    || (g->dependence[i].rendezvous && !g->dependence[chosen].rendezvous))
			chosen = i;
		target = awaited(w, g->dependence[i].event);
	} while (target != first);
	drop(w, chosen);
}

static void run_all(struct call_ordering *w)
{
	uint32_t done = 0;

	while (done < w->nready)
		take(w, w->ready[done++]);
}

static void break_circles(struct call_ordering *w)
{
	struct tv_call_graph *g = w->g;
	bool *done = tv_alloc(tv_targets(g), sizeof *done);
	uint32_t *seen = tv_alloc(tv_targets(g), sizeof *seen), marked = 0;

	while (w->norder < tv_targets(g)) {
		while (marked < w->norder)
			done[g->order[marked++]] = true;
		w->nready = 0;
		break_circle(w, seen, g->counts.cycles + 1, done);
		run_all(w);
	}
	tv_free(done);
	tv_free(seen);
}

static void forget_dropped(struct call_ordering *w)
{
	struct tv_call_graph *g = w->g;
	uint32_t n = 0;

	for (uint32_t target = 0; target < tv_targets(g); target++) {
		uint32_t begin = g->first[target], end = g->first[target + 1];

		g->first[target] = n;
		for (uint32_t i = begin; i < end; i++)
			if (!w->dropped[i])
				g->dependence[n++] = g->dependence[i];
	}
	g->first[tv_targets(g)] = n;
	g->ndependences = n;
}

void tv_graph_sort(struct tv_call_graph *g)
{
	uint32_t targets = tv_targets(g);
	struct call_ordering w = { .g = g };

	w.pending = tv_alloc(targets, sizeof *w.pending);
	w.next = tv_alloc(g->nthreads, sizeof *w.next);
	w.begun = tv_alloc(g->nthreads, sizeof *w.begun);
	w.dropped = tv_alloc(g->ndependences, sizeof *w.dropped);
	w.ready = tv_alloc(targets, sizeof *w.ready);
	g->order = tv_alloc(targets, sizeof *g->order);
	list_dependents(&w);
	for (uint32_t t = 0; t < g->nthreads; t++)
		w.next[t] = g->thread[t].first;
	for (uint32_t t = 0; t < targets; t++) {
		w.pending[t] = g->first[t + 1] - g->first[t];
		if (w.pending[t] == 0 && t >= g->n)
			w.ready[w.nready++] = t;
	}
	run_all(&w);
	if (w.norder < targets)
		break_circles(&w);
	if (g->counts.cycles > 0)
		forget_dropped(&w);
	tv_free(w.pending);
	tv_free(w.dependent);
	tv_free(w.from);
	tv_free(w.next);
	tv_free(w.begun);
	tv_free(w.dropped);
	tv_free(w.ready);
}
