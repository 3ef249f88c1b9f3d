/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * presence.h -- when the data of each handle were on which memory node, and in which state.
 *
 * From the events 'data state owner, shared, invalid' (Value: the handle, ResourceId: the memory
 * node), 'data registration' and 'data unregistration'. A handle's state on a memory node lasts
 * until its next different one there, its unregistration (or the registration of the next handle
 * at the same address), or the last time of the run and of these events. States that repeat, also
 * with 'invalid' between them that takes no time, are one. States that take no time are kept.
 *
 * A handle with a HomeNode is owner there from its registration on, which no event shows; its
 * first event there ends this. In a trace without homes that is the memory node where its first
 * event is 'invalid'. Sizes are those of handles, else of allocations and copies, else of tasks.
 * Of handles without any data state it is not known whether they are in use: those that a filter
 * partitioned contain the data of others.
 */
#ifndef TV_PRESENCE_H
#define TV_PRESENCE_H

#include "analysis/core/places.h"

/* A handle from its registration to its unregistration; its address may be that of several. */
struct tv_handle {
	uint32_t label, node; /* labels */
	uint32_t row;	      /* of handles; TV_NONE = none */
	int64_t size;	      /* bytes; 0 where not known */
	bool sized;	      /* it is known */
	int64_t begin, end;   /* ns: registered, or first seen; unregistered, or the end */
	uint32_t home;	      /* memory node; TV_NONE = none */
	uint32_t nstates;     /* events about its state */
	uint32_t first, n;    /* its presences: at[first .. first + n - 1] */
};

enum tv_data_state { TV_STATE_OWNER, TV_STATE_SHARED };
/* How a presence begins and ends. */
enum tv_presence_edge { TV_EDGE_STATE, TV_EDGE_REGISTERED, TV_EDGE_RUN };

struct tv_presence {
	uint32_t handle, memory; /* places in handle[] and tv_memories.at */
	enum tv_data_state state;
	int64_t start, end; /* ns */
	uint32_t nstates;   /* events that it consists of; 0 = only the registration */
	enum tv_presence_edge from, until; /* until REGISTERED: the handle is unregistered */
};

struct tv_presences {
	struct tv_handle *handle; /* by begin, equal ones in the order of their events */
	uint32_t nhandles;
	struct tv_presence *at; /* by handle, memory node and start */
	uint32_t n;
	uint32_t nunsized;		/* handles of unknown size with presences */
	uint32_t nstateless;		/* handles with a home and without any data state */
	int64_t end;			/* the last time, ns */
	struct tv_handle_key *by_label; /* for tv_presences_handle; nhandles */
};

/* Collected at the first call, owned by the run. Warns of states without handle or memory node,
 * which are left out. Cost O(events + n log n). */
const struct tv_presences *tv_run_presences(struct tv_run *run);

/* The handle that a label means on a node at that time; TV_NONE = none was registered. O(log n). */
uint32_t tv_presences_handle(const struct tv_presences *presences, uint32_t node, uint32_t label,
			     int64_t time);

const char *tv_data_state_name(enum tv_data_state state);

#endif
