/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * flows.h -- messages between nodes and transfers between memory nodes over time: curves by place,
 * by link, by kind of place, or of all.
 *
 * The places of a message are nodes, those of a transfer memory nodes, named by their resources.
 * These are of a kind: TV_MAIN_MEMORY (analysis/core/kinds.h), "CUDA memory", ...
 */
#ifndef TV_FLOWS_H
#define TV_FLOWS_H

#include "analysis/core/curves.h"

/* --by of curves of flows. */
enum tv_flows_by { TV_FLOWS_BY_PLACE, TV_FLOWS_BY_ALL, TV_FLOWS_BY_LINK, TV_FLOWS_BY_KIND };

/* What a curve is of. */
enum tv_flows_of { TV_OF_MESSAGES = 1, TV_OF_REQUESTS = 2, TV_OF_TRANSFERS = 4 };
/* The options of such passes. */
struct tv_flows_asked {
	const char *of;
	enum tv_flows_by by;
	int64_t step_ns;
};
#define TV_FLOWS_BY_ROW \
	"by", "node|all|link|kind", "node", \
		"curves for each node or memory node, for all together, for each link, or for " \
		"each kind of memory (transfers)", \
		TV_OPTION_CHOICE

/* From when to when a flow counts: from its start to its end; while its send is pending, to when that
 * has completed; while its receive is, from when that is posted. Without these times it is its start
 * and end. */
enum tv_flow_span { TV_FLOW_WHOLE, TV_FLOW_SEND, TV_FLOW_RECEIVE };

/* A curve for each place, each link or all flows. */
struct tv_flow_curve {
	const char *name;
	enum tv_flows_of of;
	enum tv_flows_by by;
	bool dest; /* by place: that of the destination, else of the origin */
	enum tv_flow_span span;
};

/* What the options of such a pass, a struct tv_flows_asked, alone show to be wrong usage. -1 with *err. */
int tv_flow_check(const struct tv_options *options, struct tv_error *err) TV_MUST_CHECK;

/* Whether such a pass reads messages alone, for which parts of the rows are enough. */
bool tv_flows_in_parts(const struct tv_options *options);

/*
 * A pass of such curves, with the options --of, --by and --step: writes those that they choose of the
 * n curves and of those that all such passes have, in MB/s (bytes), or how many are in flight at once. Each is over the interval of the
 * run, extended so that it contains all flows of its kind, or over its part in the window. Of a
 * selection only the curves of its nodes are written; those by link and of all flows are about flows
 * from or to these nodes.
 *
 * Bytes are spread evenly from start to end of their flow; those of a flow that takes no time are in
 * the 1 ns from its start; more than 0.5 MB per ns are spread over as many ns as it takes. So
 * the integral of the curves is the sum of the sizes. Links are named as in 0->1. -1 with *err:
 * there are no such flows; no times of requests; a negative Size; --step makes too many slices.
 * Cost O(n log n).
 */
int tv_flow_curves(struct tv_run *run, const struct tv_options *options, const char *verb,
		   bool bytes, const struct tv_flow_curve *curve, size_t ncurves,
		   struct tv_table *out, struct tv_error *err) TV_MUST_CHECK;

#endif
