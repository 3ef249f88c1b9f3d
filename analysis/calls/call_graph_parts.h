/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call_graph_parts.h -- how a graph of calls is made: the steps of call_graph.c, each a file of its own. */
#ifndef TV_CALL_GRAPH_PARTS_H
#define TV_CALL_GRAPH_PARTS_H

#include "analysis/calls/call_graph.h"
#include "analysis/calls/request_list.h"
#include "analysis/calls/thread_time.h"

/* What is collected before targets have their numbers. */
struct tv_graph_parts {
	struct tv_call_graph *graph;
	struct tv_run *run;
	const struct tv_requests *requests;
	struct tv_index thread_of; /* by label of a resource */
	struct tv_thread_types types;
	struct tv_call_members { /* members of collective operations */
		uint64_t comm, sequence;
		int64_t rank; /* in the communicator, where known, else in MPI_COMM_WORLD */
		uint32_t post, completes; /* nodes */
		uint32_t about;		  /* row */
	} * member;
	size_t nmembers, members_cap;
	struct tv_dependence *dependence; /* in any order, targets as below */
	size_t ndependences, dependences_cap;
};

/* Targets, and events, while joints are still added: nodes, then threads from TV_FIRST_THREAD, joints from TV_FIRST_JOINT. */
#define TV_FIRST_THREAD ((uint32_t)1 << 30)
#define TV_FIRST_JOINT	((uint32_t)1 << 31)

/* call_threads.c: threads, nodes, recorded times. */
void tv_graph_add_threads(struct tv_graph_parts *parts);
/* call_messages.c: messages, and nodes that wait for them; fixed ones where the other side is missing. */
void tv_graph_add_messages(struct tv_graph_parts *parts);
/* call_protocols.c: which messages are eager. */
void tv_graph_set_protocols(struct tv_call_graph *graph);
/* call_collectives.c */
void tv_graph_add_collectives(struct tv_graph_parts *parts);
/* call_teams.c: pauses of OpenMP threads, and the begin of further threads. -1 with *err: a cycle of tasks. */
int tv_graph_add_teams(struct tv_graph_parts *parts, struct tv_error *err) TV_MUST_CHECK;
/* call_order.c */
void tv_graph_sort(struct tv_call_graph *graph);

/* Adds a dependence of a target on an event. */
void tv_graph_depend(struct tv_graph_parts *parts, struct tv_dependence dependence);
/* The number of a new joint, as target and event. */
uint32_t tv_graph_joint(struct tv_graph_parts *parts);
/* The instant of a thread as event and offset: inside a node its begin. */
void tv_graph_instant(const struct tv_call_graph *graph, uint32_t thread, int64_t time,
		      struct tv_dependence *at);
/* A node cannot be replayed. */
void tv_graph_fix(struct tv_call_graph *graph, uint32_t node, enum tv_fixed_reason reason);

#endif
