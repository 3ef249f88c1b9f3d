/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * monitor.h -- descriptions of monitors: which events are read on which objects of the machine, and
 * what is computed of them.
 *
 *	file    := { NAME "{" { KEY [":"] "=" value ";" } "}" }    comments: from % or # to the end of the line
 *	level   := PU | Core | L1 | L1d | L2 | ... | NUMANode | Package | Machine, one object as PU:0
 *	output  := [NAME "="] expression | [N "#"] function        of events: $0, $1 or their names
 *
 *	ipc { OBJ:=PU; PERF_LIB:=perf; EVSET:=instructions, cycles; REDUCTION:= ratio=$0/$1; }
 *	ipc_l3 { OBJ:=L3; PERF_LIB:=accumulate; EVSET:=ipc; REDUCTION:= ratio=$0/$1; }
 *
 * All keys of the three languages of dynamic_lstopo and Hierarchical-monitors (N. Denoyelle, Compas
 * 2016) are accepted; docs/formats/monitors.md describes them. Expressions are evaluated as doubles by
 * trace/arithmetic.h: nothing is compiled and no function is loaded.
 */
#ifndef TV_MONITOR_H
#define TV_MONITOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/arithmetic.h"
#include "trace/error.h"

/* A function over values: of the events of one reading, or over a window of readings. */
enum tv_monitor_function {
	TV_MONITOR_LAST,
	TV_MONITOR_SUM,
	TV_MONITOR_MEAN,
	TV_MONITOR_MIN,
	TV_MONITOR_MAX,
	TV_MONITOR_VAR, /* of the population: divided by n */
	TV_MONITOR_NFUNCTIONS
};

/* How a monitor gets its events. */
enum tv_monitor_source {
	TV_MONITOR_READ, /* read from the machine */
	TV_MONITOR_SUMS, /* events of other monitors below its object, added one by one */
	TV_MONITOR_JOIN	 /* outputs of other monitors below its object, side by side */
};

/* What makes the outputs of one reading. */
enum tv_monitor_reduction {
	TV_MONITOR_EVENTS, /* the events themselves */
	TV_MONITOR_EXPRESSIONS,
	TV_MONITOR_OVER_EVENTS /* one function of all events of the reading */
};

struct tv_monitor_output {
	char *name;		     /* of the variable: "ipc.ratio" */
	struct tv_arithmetic *value; /* of expressions; operands are events */
};

/* Both from 1. */
struct tv_monitor_place {
	long line, column;
};

struct tv_monitor {
	char *name;
	const char *file; /* the description; borrowed */
	char *level;	  /* as hwloc names it: "L3", "NUMANode" */
	int64_t index;	  /* logical index of its only object; -1 = each object of the level */
	char *library;	  /* back end, as written: "perf", "hierarchical" */
	char **event;	  /* as written; of SUMS and JOIN: what feeds it */
	struct tv_monitor_place *event_at;
	size_t nevents;
	enum tv_monitor_source source;
	uint32_t *
		child; /* SUMS, JOIN: the numbers of the monitors that feed it, smaller than its own */
	size_t nchildren;
	size_t width; /* events of a reading: nevents, of SUMS those of the children; of JOIN 0, as it
		       * depends on the machine */
	char **operand; /* their names; borrowed */
	enum tv_monitor_reduction reduction;
	enum tv_monitor_function over;	  /* of TV_MONITOR_OVER_EVENTS */
	struct tv_monitor_output *output; /* of JOIN without expressions none: per joined value */
	size_t noutputs;
	enum tv_monitor_function window; /* over the last `readings` readings, per output */
	size_t readings;
	bool cumulative; /* events are sums since the first reading */
	bool silent;	 /* computed for others, not written */
	bool logarithmic, display;
	bool has_min, has_max;
	double min, max; /* of the color scale */
};

struct tv_monitors {
	struct tv_monitor *monitor; /* children before the monitors that they feed */
	size_t n, cap;
	char *file; /* of places */
};

/*
 * Parses text[0..n). -1 with *err: `FILE:LINE:COLUMN: what is wrong, expected what`. Release in
 * any case. Limits: 1 MiB, 1000 monitors, 256 events
 * each, windows of 100,000 readings.
 */
int tv_monitors_read(struct tv_monitors *monitors, const char *file, const char *text, size_t n,
		     struct tv_error *err) TV_MUST_CHECK;
void tv_monitors_release(struct tv_monitors *monitors); /* safe on a zeroed struct */

/* The name that hwloc has for a level, in new memory: "Node" -> "NUMANode", "L1" -> "L1d"; NULL: none.
 */
char *tv_monitor_level(const char *name, size_t n);
/* "PU, Core, ..." */
extern const char tv_monitor_levels[];
/* For messages of recorders: fails with the place of the i-th event of a monitor. */
int tv_monitor_fail(struct tv_error *err, const struct tv_monitor *monitor, size_t event,
		    const char *format, ...) TV_PRINTF(4, 5);

/* A function of x[0..n): NaN where one of them is missing, there is none, or the result is not finite. */
double tv_monitor_apply(enum tv_monitor_function function, const double *x, size_t n);

/* ---- evaluation ---- */

/* Receives one value of an output. The name is valid as long as the evaluation. object, start and end
 * are as given; missing values are not passed on. */
typedef void tv_monitor_emit(void *context, const struct tv_monitor *monitor, const char *name,
			     uint32_t object, int64_t start, int64_t end, double value);

struct tv_monitor_run;

/* How the evaluation learns about the machine. An object is a number that the caller chooses. */
struct tv_monitor_machine {
	/* The object of that level which contains `object` or is it; UINT32_MAX = none. */
	uint32_t (*above)(const void *context, uint32_t object, const char *level);
	/* Logical index of an object; -1 = not known. */
	int64_t (*index)(const void *context, uint32_t object);
	const void *context;
};

/* Both must outlive the evaluation. */
struct tv_monitor_run *tv_monitor_run_new(const struct tv_monitors *monitors,
					  const struct tv_monitor_machine *machine);
void tv_monitor_run_free(struct tv_monitor_run *run);
/*
 * One reading of a monitor that is read: value[0..width), NaN = missing, over [start, end) ns (a
 * gauge: end = start). At most one per monitor and object and tick.
 */
void tv_monitor_add(struct tv_monitor_run *run, uint32_t monitor, uint32_t object, int64_t start,
		    int64_t end, const double *value);
/*
 * Ends a tick: all monitors that are fed by others are computed from what was added since the last
 * tick, never from older readings; then each output goes through its window and to `emit`, ordered by
 * monitor, then as objects were added. A sum with a missing part is missing. A value of a fed monitor
 * lasts from the first start to the last end of its parts.
 */
void tv_monitor_tick(struct tv_monitor_run *run, tv_monitor_emit *emit, void *context);

#endif
