/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stream_causes.h -- why streams of devices ran nothing, in a trace without dependencies that shows when their tasks
 * were launched (SubmitTime).
 *
 * At each instant at which a stream runs nothing of any kind, by its next counted task:
 *
 * not-submitted  it is not launched
 * copy           it is launched; the device runs copies of other streams and nothing else
 * stream         it is launched; the device runs other tasks of other streams
 * launch         it is launched, and the device runs nothing
 * drain          there is none
 */
#ifndef TV_STREAM_CAUSES_H
#define TV_STREAM_CAUSES_H

#include "dag/idle.h"

/* Behind the causes of dag/idle.h. */
enum { TV_STREAM_COPY = TV_IDLE_NCAUSES, TV_STREAM_STREAM, TV_STREAM_LAUNCH, TV_STREAM_NCAUSES };
const char *tv_stream_cause_name(uint32_t cause);

/* A span with that cause in a slice, ns, begin < end. */
typedef void tv_stream_idle(void *to, size_t slice, uint32_t worker, uint32_t cause, int64_t begin,
			    int64_t end);

/* Slices as in tv_idle_sweep; is_stream: tv_on_device of `streams` (tv_run_streams). `take` gets all idle time of these streams, of
 * each in order of time. Cost O(rows log rows + streams (slices + rows of their device)). */
void tv_stream_causes(const struct tv_tasks *streams, const struct tv_tasks *devices,
		      const bool *is_stream, const int64_t *bound, size_t nslices,
		      tv_stream_idle *take, void *to);

#endif
