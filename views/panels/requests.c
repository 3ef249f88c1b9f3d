/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * requests.c -- the panel of the requests of nonblocking communications: lanes for each rank, in them
 * the call that starts a request, when it is in flight, and the call that completes it. In flight: when
 * it progressed, where the trace has events of that, else when its rank was in other calls of MPI, in
 * which it may have.
 */
#include <string.h>

#include "views/charts/span_panel.h"
#include "views/rows/spans.h"
#include "views/shared/mpi_colors.h"

static const char *const parts[] = { "call that starts",	"in flight",
				     "rank in other MPI calls", "progress",
				     "call that completes",	NULL };

static uint32_t color_of(const char *part)
{
	return strcmp(part, parts[0]) == 0 ? tv_mpi_state_color("start")
	     : strcmp(part, parts[1]) == 0 ? TV_FLIGHT_COLOR
	     : strcmp(part, parts[2]) == 0 ? 0x5f8f57
	     : strcmp(part, parts[3]) == 0 ? 0xe08214
					   : tv_mpi_state_color("wait");
}

static const struct tv_pass_option pieces[] = { { "by", "piece" }, { NULL, NULL } };

const struct tv_panel tv_panel_requests = {
	.name = "requests",
	.title = "requests of nonblocking MPI communications, by rank",
	.needs = "MPI calls",
	.share = 1,
	TV_SPAN_PANEL(.pass = "requests", .option = pieces, .style = TV_SPANS_SHARES, .row = "Rank",
		      .prefix = "rank ", .lane = "Lane", .lanes_max = 16, .color = "Part",
		      .order = parts, .colors = TV_COUNT(parts), .color_of = color_of,
		      .start = "Start", .end = "End", .hover = TV_CALL_HOVER,
		      .title = "requests of MPI by rank", .class = "request",
		      .setup = "requests-setup", .nothing = "no request is in the window",
		      .heights = { .low = 3,
				   .high = 9,
				   .comfortable = 90,
				   .tall = 220,
				   .min = 14 }),
};
