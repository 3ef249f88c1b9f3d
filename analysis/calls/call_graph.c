/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call_graph.c -- for whom MPI calls wait: the graph of threads, calls and dependences. */
#include "analysis/calls/call_graph.h"

#include <string.h>

#include "analysis/calls/call_graph_parts.h"
#include "trace/alloc.h"
#include "trace/number.h"

/* ---- what the steps share ---- */

void tv_graph_depend(struct tv_graph_parts *parts, struct tv_dependence dependence)
{
	/* What a call does at its own begin is no reason to wait. */
	if (dependence.event == 2 * dependence.target && dependence.target < TV_FIRST_THREAD)
		return;
	TV_GROW(parts->dependence, parts->ndependences, parts->dependences_cap, 1);
	parts->dependence[parts->ndependences++] = dependence;
}

uint32_t tv_graph_joint(struct tv_graph_parts *parts)
{
	return TV_FIRST_JOINT + parts->graph->njoints++;
}

void tv_graph_fix(struct tv_call_graph *g, uint32_t node, enum tv_fixed_reason reason)
{
	struct tv_call_node *n = &g->node[node];

	if (n->how == TV_NODE_FIXED)
		return;
	n->how = TV_NODE_FIXED;
	n->reason = (uint8_t)reason;
	g->counts.fixed[reason]++;
	g->counts.fixed_time[reason] += tv_node_end(g, node) - tv_node_begin(g, node);
}

/* ---- dependences by target ---- */

static uint32_t target_of(const struct tv_call_graph *g, uint32_t target)
{
	if (target >= TV_FIRST_JOINT)
		return tv_target_of_joint(g, target - TV_FIRST_JOINT);
	return target >= TV_FIRST_THREAD ? tv_target_of_thread(g, target - TV_FIRST_THREAD)
					 : target;
}

/* Calls that cannot be replayed depend on nothing; sends that ended before their receive was posted were buffered. */
static bool is_kept(struct tv_call_graph *g, const struct tv_dependence *d)
{
	if (d->target >= TV_FIRST_THREAD)
		return true;
	if (g->node[d->target].how == TV_NODE_FIXED)
		return false;
	if (d->rendezvous && tv_node_begin(g, d->event / 2) > tv_node_end(g, d->target)) {
		g->counts.buffered++;
		return false;
	}
	return true;
}

static void order_dependences(struct tv_graph_parts *parts)
{
	struct tv_call_graph *g = parts->graph;
	uint32_t targets = tv_targets(g);
	size_t n = 0;

	for (size_t i = 0; i < parts->ndependences; i++) {
		struct tv_dependence d = parts->dependence[i];

		if (!is_kept(g, &d))
			continue;
		d.target = target_of(g, d.target);
		if (d.event >= TV_FIRST_JOINT)
			d.event = tv_event_of_joint(g, d.event - TV_FIRST_JOINT);
		parts->dependence[n++] = d;
	}
	g->ndependences = (uint32_t)n;
	g->dependence = tv_alloc(n, sizeof *g->dependence);
	g->first = tv_alloc((size_t)targets + 1, sizeof *g->first);
	for (size_t i = 0; i < n; i++)
		g->first[parts->dependence[i].target]++;
	for (uint32_t t = 0, sum = 0; t <= targets; t++) {
		sum += g->first[t];
		g->first[t] = sum;
	}
	for (size_t i = n; i-- > 0;)
		g->dependence[--g->first[parts->dependence[i].target]] = parts->dependence[i];
	tv_free(parts->dependence);
}

/* ---- what follows from all of it ---- */

static void record_instants(struct tv_call_graph *g)
{
	g->recorded = tv_realloc(g->recorded, 2 * (size_t)g->n + g->nthreads + g->njoints,
				 sizeof *g->recorded);
	for (uint32_t t = 0; t < g->nthreads; t++)
		g->recorded[tv_event_of_thread(g, t)] = g->thread[t].begin;
	for (uint32_t i = 0, joint; i < tv_targets(g); i++) {
		int64_t latest = INT64_MIN;

		if (g->order[i] < g->n || g->order[i] >= g->n + g->njoints)
			continue;
		joint = g->order[i];
		for (uint32_t k = g->first[joint]; k < g->first[joint + 1]; k++) {
			const struct tv_dependence *d = &g->dependence[k];
			int64_t at = g->recorded[d->event] == INT64_MIN
					   ? INT64_MIN
					   : g->recorded[d->event] + d->offset;

			latest = at > latest ? at : latest;
		}
		g->recorded[tv_event_of_joint(g, joint - g->n)] = latest;
	}
}

/* Whether a wait of one of these classes is more than a post or a question. */
static bool waits(const struct tv_call_graph *g, const struct tv_call_node *node, bool depends)
{
	switch ((enum tv_call_class)g->calls->class_of[node->row]) {
	case TV_CALL_BLOCKING:
		return true;
	case TV_CALL_WAIT:
		return depends;
	case TV_CALL_TEST:
		return depends && !node->test;
	default:
		return false;
	}
}

static bool chooses(const struct tv_call_graph *g, const struct tv_call_node *node, bool depends)
{
	return (g->calls->class_of[node->last] == TV_CALL_TEST && depends)
	    || tv_call_named(g->calls, node->row, "waitany")
	    || tv_call_named(g->calls, node->row, "waitsome");
}

static void note_contradiction(struct tv_call_graph *g, uint32_t node,
			       const struct tv_dependence *d)
{
	int64_t late = g->recorded[d->event] == INT64_MIN
			     ? 0
			     : g->recorded[d->event] + d->offset - tv_node_end(g, node);

	g->counts.contradictions += late > 0;
	g->counts.contradicted = late > g->counts.contradicted ? late : g->counts.contradicted;
}

/* By the threads of sender and receiver. */
static bool goes_before(const struct tv_call_graph *g, uint32_t message, uint32_t other)
{
	const struct tv_call_message *a = &g->message[message], *b = &g->message[other];
	uint32_t from = g->node[a->send].thread, than = g->node[b->send].thread;

	return from < than
	    || (from == than && g->node[a->receive].thread < g->node[b->receive].thread);
}

static void classify(struct tv_call_graph *g)
{
	for (uint32_t i = 0; i < g->n; i++) {
		struct tv_call_node *node = &g->node[i];
		bool depends = g->first[i + 1] > g->first[i];
		int64_t latest = INT64_MIN;

		for (uint32_t k = g->first[i]; k < g->first[i + 1]; k++) {
			const struct tv_dependence *d = &g->dependence[k];

			note_contradiction(g, i, d);
			if (d->message != TV_NONE
			    && (g->recorded[d->event] > latest
				|| (g->recorded[d->event] == latest
				    && goes_before(g, d->message, node->message)))) {
				latest = g->recorded[d->event];
				node->message = d->message;
			}
		}
		if (node->row == TV_NONE || node->how == TV_NODE_FIXED)
			continue;
		if (node->how == TV_NODE_LOCAL && waits(g, node, depends))
			node->how = TV_NODE_WAIT;
		g->counts.choices += chooses(g, node, depends);
	}
}

static void name_kinds(struct tv_call_graph *g)
{
	const struct tv_calls *calls = g->calls;
	uint32_t n = tv_pool_count(calls->trace->pool);
	bool *known = tv_alloc(n, sizeof *known);

	g->kind = tv_alloc(n, sizeof *g->kind);
	for (uint32_t i = 0; i < calls->n; i++) {
		uint32_t name = tv_call_label(calls, TV_CALL_NAME, calls->row[i]);

		if (!known[name])
			g->kind[name] = tv_call_kind_named(tv_pool_text(calls->trace->pool, name));
		known[name] = true;
	}
	tv_free(known);
	g->number = tv_alloc(calls->nranks, sizeof *g->number);
	for (uint32_t r = 0; r < calls->nranks; r++) {
		const char *text = tv_pool_text(calls->trace->pool, calls->rank[r]);

		if (tv_parse_int(text, strlen(text), &g->number[r]) != TV_PARSE_OK
		    || g->number[r] < 0)
			g->number[r] = TV_NO_NUMBER;
	}
}

int tv_call_graph_init(struct tv_call_graph *g, struct tv_run *run,
		       const struct tv_call_rules *rules, const char *verb, struct tv_error *err)
{
	struct tv_graph_parts parts = { .graph = g, .run = run };
	int status;

	*g = (struct tv_call_graph){ .calls = tv_run_some_calls(run, verb, err), .rules = *rules };
	if (g->calls == NULL)
		return -1;
	parts.requests = tv_run_requests(run, verb, err);
	if (parts.requests == NULL)
		return -1;
	name_kinds(g);
	tv_graph_add_threads(&parts);
	tv_graph_add_messages(&parts);
	tv_graph_add_collectives(&parts);
	status = tv_graph_add_teams(&parts, err);
	tv_free(parts.thread_of.at);
	order_dependences(&parts);
	tv_graph_sort(g);
	record_instants(g);
	classify(g);
	return status;
}

void tv_call_graph_release(struct tv_call_graph *g)
{
	tv_free(g->thread);
	tv_free(g->node);
	tv_free(g->node_of);
	tv_free(g->message);
	tv_free(g->dependence);
	tv_free(g->first);
	tv_free(g->recorded);
	tv_free(g->order);
	tv_free(g->kind);
	tv_free(g->number);
	*g = (struct tv_call_graph){ 0 };
}
