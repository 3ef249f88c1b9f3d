/* SPDX-License-Identifier: GPL-3.0-or-later */
/* occupancy.h -- how long workers are busy on each object of the machine, by window. */
#ifndef TV_OCCUPANCY_H
#define TV_OCCUPANCY_H

#include "analysis/machine/placement.h"
#include "trace/number.h"

/* Which tasks take the time. */
enum tv_occupied {
	TV_OCCUPIED_ALL,     /* of all kinds: what is left is idle time */
	TV_OCCUPIED_COUNTED, /* counted ones */
	TV_OCCUPIED_TYPE     /* counted ones of a type */
};

/*
 * The overlapping tasks of a worker on an object count once, those of different workers add up. A task is on
 * the object that its row has in the placement, and on all around it.
 */
struct tv_occupancy {
	struct tv_run *run;
	struct tv_placement *placement; /* of the run */
	uint32_t nobjects;
	tv_int128 *busy;    /* ns; of window w and object i: busy[w * nobjects + i] */
	uint32_t *capacity; /* by object, see tv_placement_capacities */
	bool *sure;	    /* by object: its time is known */
};

/*
 * Capacities; warns of workers that are on no object. -1 with *err: no objects, or all workers are on none.
 * Release in any case.
 */
int tv_occupancy_init(struct tv_occupancy *occupancy, struct tv_run *run,
		      struct tv_error *err) TV_MUST_CHECK;
/* The same, and the level of that name. */
int tv_occupancy_level(struct tv_occupancy *occupancy, struct tv_run *run, const char *name,
		       uint32_t *level, struct tv_error *err) TV_MUST_CHECK;
void tv_occupancy_release(struct tv_occupancy *occupancy); /* safe on a zeroed struct */

/* Sets busy for the windows [edge[w], edge[w + 1]), w < nwindows, ascending, for one level or all
 * (TV_NONE); type: a label, for TV_OCCUPIED_TYPE. Cost O(tasks log tasks + cells) per level. */
void tv_occupancy_fill(struct tv_occupancy *occupancy, enum tv_occupied what, uint32_t type,
		       uint32_t level, const int64_t *edge, uint32_t nwindows);

/* The time in a window of that length and its share of capacity * length in percent; idle: what is left
 * of it, not below 0. NaN, and *time untouched, where it is not known: the object is not sure or has no
 * capacity. */
double tv_occupancy_share(const struct tv_occupancy *occupancy, uint32_t window, uint32_t object,
			  int64_t length, bool idle, tv_int128 *time);

/* --level, of passes about workers. */
#define TV_LEVEL_ROW \
	"level", "LEVEL", NULL, \
		"one row per object of that level of the machine (L3, numa, core, ...)"

#endif
