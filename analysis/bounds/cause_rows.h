/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cause_rows.h -- what idle-causes adds up, and the rows that it makes of that. */
#ifndef TV_CAUSE_ROWS_H
#define TV_CAUSE_ROWS_H

#include "analysis/bounds/blamed.h"
#include "analysis/bounds/carried_data.h"
#include "analysis/bounds/culprit_sums.h"
#include "analysis/bounds/stream_causes.h"
#include "analysis/core/options.h"
#include "trace/map.h"

/* What rows are of, in the order of the choices of --by. */
enum tv_causes_by {
	TV_CAUSES_BY_RUN,
	TV_CAUSES_BY_NODE,
	TV_CAUSES_BY_TYPE,
	TV_CAUSES_BY_WORKER,
	TV_CAUSES_BY_BLAME,
	TV_CAUSES_BY_HANDLE,
	TV_CAUSES_BY_LINK,
	TV_CAUSES_BY_SENDER,
	TV_CAUSES_BY_ORIGIN,
	TV_CAUSES_BY_SPAN
};

/* The options of idle-causes. */
struct tv_cause_asked {
	enum tv_causes_by by;
	int64_t step_ns; /* 0: no slices */
	enum tv_can_run can_run;
	enum tv_idle_culprit_key each; /* TV_CAUSES_BY_ORIGIN, the culprits */
	enum { TV_CAUSES_OF_DEVICES, TV_CAUSES_OF_STREAMS } level;
};

/* Workers whose idle time is summed. */
struct tv_cause_group {
	uint32_t node, type, resource; /* labels; TV_NONE = of several */
	uint32_t nworkers;
};

/* Idle time of a cause in a slice because of certain data. */
struct tv_cause_detail {
	size_t slice;
	uint32_t cause, carrier;
	tv_int128 time;
};

/* What is added up, of which members that the options do not ask for stay zero. */
struct tv_cause_sums {
	const struct tv_run *run, *devices; /* the same, unless rows are streams */
	const struct tv_tasks *tasks;
	const struct tv_cause_asked *asked;
	struct tv_cause_group *group;
	uint32_t ngroups;
	uint32_t *group_of; /* by worker */
	int64_t *bound;	    /* nslices + 1, ns */
	size_t nslices;
	size_t slice;	 /* the next one of the sweep */
	tv_int128 *time; /* slice x group x cause */
	struct tv_blamed_names
		names; /* by blame; where rows come in parts, what is blamed is given by its name */
	uint32_t nblamed;		/* by blame: names; else groups */
	tv_int128 *blamed;		/* slice x nblamed x blame */
	struct tv_carriers carriers;	/* from TV_CAUSES_BY_HANDLE on */
	struct tv_cause_detail *detail; /* by slice, cause, time */
	size_t ndetails, details_cap;
	struct tv_map place;				      /* of a detail */
	uint32_t cause[TV_STREAM_NCAUSES], blame[TV_NBLAMES]; /* labels */
	bool *is_stream; /* by worker: its causes are those of stream_causes.h; NULL = no worker's */
	bool loops;	 /* workers are in parallel loops: without them their cause has no rows */
	struct tv_table *out;
};

/* Takers of a sweep (tv_idle_slices) and of tv_blame: add to the sums, `to`. */
void tv_cause_take_slice(void *to, int64_t begin, const int64_t *time);
void tv_cause_take_blamed(void *to, const struct tv_blamed *part);

enum { TV_IDLE_CAUSE_COLUMNS = 20 };
extern const struct tv_field tv_idle_cause_columns[TV_IDLE_CAUSE_COLUMNS];

/* Adds the rows of all slices to out, which has these columns; orders the details. */
void tv_cause_write_slices(struct tv_cause_sums *work);
/* The row of a time in which a worker was idle; none if it is not selected. */
void tv_cause_write_span(struct tv_cause_sums *work, uint32_t worker, uint32_t cause, int64_t begin,
			 int64_t end);

#endif
