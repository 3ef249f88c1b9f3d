/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data_events.h -- the events about data and memory of a run, in order of time. */
#ifndef TV_DATA_EVENTS_H
#define TV_DATA_EVENTS_H

#include "analysis/core/places.h"

/* WHAT(symbol, Type of the event) */
#define TV_DATA_KINDS(WHAT) \
	WHAT(REGISTER, "data registration") \
	WHAT(UNREGISTER, "data unregistration") \
	WHAT(OWNER, "data state owner") \
	WHAT(SHARED, "data state shared") \
	WHAT(INVALID, "data state invalid") \
	WHAT(ALLOCATE, "Allocating Start") \
	WHAT(ALLOCATED, "Allocating End") \
	WHAT(REUSE, "Allocating Async Start") \
	WHAT(REUSED, "Allocating Async End") \
	WHAT(FREE, "Free Start") \
	WHAT(WRITE_BACK, "WritingBack Start") \
	WHAT(COPY, "DriverCopy Start")

enum tv_data_kind {
#define TV_DATA_SYMBOL(symbol, name) TV_DATA_##symbol,
	TV_DATA_KINDS(TV_DATA_SYMBOL)
#undef TV_DATA_SYMBOL
		TV_NDATA_KINDS
};

struct tv_data_event {
	int64_t time; /* ns */
	enum tv_data_kind what;
	uint32_t row;	 /* of events */
	uint32_t node;	 /* label: of its resource */
	uint32_t memory; /* place in tv_memories.at; TV_NONE = its resource is none */
	uint32_t handle; /* label; TV_NONE = missing */
	int64_t size;	 /* bytes; 0 = unknown */
	int64_t info;	 /* result of an allocation, bytes of an 'Allocating End'; 0 = unknown */
	bool has_info;
};

struct tv_data_events {
	struct tv_data_event *at; /* by time, equal ones in the order of their rows */
	size_t n;
};

/* Collected at the first call, owned by the run. Events without Time are left out, with a warning.
 * Cost O(events). */
const struct tv_data_events *tv_run_data_events(struct tv_run *run);

#endif
