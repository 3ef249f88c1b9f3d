/* SPDX-License-Identifier: GPL-3.0-or-later */
/* events.c -- the panel of what may have disturbed a run: flushes, barriers, marks of the user. */
#include "views/charts/span_panel.h"

static const struct tv_option_spec options[] = {
	{ "type", "TYPE", NULL,
	  "events of that type (default: those of the program and the user)" },
};

static const struct tv_pass_option of_type[] = { { "type", NULL }, { NULL, NULL } };

const struct tv_panel tv_panel_events = {
	.name = "events",
	.title = "events of the program and the user: flushes, profiling, barriers, marks",
	.needs = "events",
	.share = 0.4,
	TV_OPTIONS(options),
	TV_SPAN_PANEL(.pass = "events", .option = of_type, .style = TV_SPANS_EACH,
		      .row = "ResourceId", .color = "Name", .colors = 9, .start = "Time",
		      .end = "End", .hover = "{Value|}, {from:6}[ to {End:6}] ms",
		      .title = "events", .unit = "events", .group = "events",
		      .nothing = "no event lies on the time axis ('traceviz events' lists them)",
		      .heights = { .low = 1.5, .high = 8, .tall = 120 }),
};
