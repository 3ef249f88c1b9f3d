/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mpi_states.c -- the panel of what each thread for communication between nodes did: a row for each,
 * and ticks below it for states that take no time.
 */
#include "views/charts/span_panel.h"
#include "views/shared/mpi_colors.h"

static const struct tv_pass_option pieces[] = {
	{ "of", "communication" }, { "by", "piece" }, { "instants", "" }, { NULL, NULL }
};
static const struct tv_pass_option sums[] = { { "of", "communication" }, { NULL, NULL } };

const struct tv_panel tv_panel_mpi_states = {
	.name = "mpi-states",
	.title = "what the threads for communication between nodes did",
	.needs = "states of the Type 'Communication Thread State', or MPI calls",
	.share = 1,
	TV_SPAN_PANEL(.pass = "states", .option = pieces, .sums = sums, .style = TV_SPANS_SHARES,
		      .row = "ResourceId", .color = "Value", .colors = TV_TYPES_MAX,
		      .color_of = tv_mpi_state_color, .start = "Start", .end = "End",
		      .title = "threads that communicate, % of their time", .unit = "%",
		      .setup = "mpi-states-setup",
		      .nothing = "no state of these threads is in the window",
		      .heights = { .low = 4,
				   .high = 14,
				   .comfortable = 70,
				   .tall = 220,
				   .min = 14 }),
};
