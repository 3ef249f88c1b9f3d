/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arrows_out.h -- dependencies and messages as arrows between slices. */
#ifndef TV_CHROME_ARROWS_OUT_H
#define TV_CHROME_ARROWS_OUT_H

#include "convert/chrome/lanes_out.h"

struct tv_chrome_arrow {
	const char *cat, *name;
	struct tv_chrome_arrow_end {
		struct tv_chrome_place place;
		int64_t time;
	} from, to; /* from.time <= to.time */
};

/*
 * Hands over one arrow for each dependency on a job that started before: from that of its executions until then which ended last, to the first
 * of the job that depends on it. Then one for each message whose two ends are in slices. What would go back in time is none: viewers do
 * not draw it. Cost O(log n) each, times the lanes of the resources of a message.
 */
void tv_chrome_arrows(const struct tv_chrome_lanes_out *lanes, const struct tv_trace *trace,
		      void (*put)(void *context, const struct tv_chrome_arrow *arrow),
		      void *context);

#endif
