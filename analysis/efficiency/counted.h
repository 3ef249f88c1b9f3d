/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * counted.h -- instructions and cycles of the useful time of a run, for POP's scaling of instructions, IPC and frequency
 * (pop-coe.eu/node/69).
 */
#ifndef TV_COUNTED_H
#define TV_COUNTED_H

#include "analysis/core/run.h"

struct tv_counted {
	double instructions, cycles; /* NaN = not recorded */
	double time; /* ns of useful time in which both were counted, of all threads or workers */
};

/*
 * With tasks: of their columns instructions and cycles. Else of the variables of those names, or PAPI_TOT_INS and
 * PAPI_TOT_CYC, of threads: each value is of its interval, of which only the part counts in which the thread works
 * (calls/thread_time.h). Cost: O(rows), and that of tv_run_threads.
 */
struct tv_counted tv_counted_of(struct tv_run *run);

#endif
