/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * memory_states.c -- the panel of what each memory node did, and of transfers between them: a row
 * for each memory node, in it a lane for each state, an arrow from row to row for each transfer.
 */
#include <string.h>

#include "views/charts/span_panel.h"
#include "views/scene/palette.h"

/* Those of StarPU. */
static const struct {
	const char *name;
	uint32_t color;
} known[] = {
	{ "Allocating", 0xd55e00 },  { "AllocatingReuse", 0xffaa00 },
	{ "DriverCopy", 0x0072b2 },  { "DriverCopyAsync", 0x00264d },
	{ "Freeing", 0x7b2d8b },     { "Reclaiming", 0x993322 },
	{ "WritingBack", 0x2a9d77 },
};

static uint32_t color_of(const char *name)
{
	for (size_t i = 0; i < TV_COUNT(known); i++)
		if (strcmp(known[i].name, name) == 0)
			return known[i].color;
	return tv_palette_by_name(name);
}

static const struct tv_pass_option pieces[] = { { "by", "piece" }, { NULL, NULL } },
				   sums[] = { { "by", "state" }, { NULL, NULL } };

static const struct tv_span_arrow_spec transfers = {
	.what = "the transfers of memory-states",
	.pass = "transfers",
	.from = "Origin",
	.to = "Dest",
	.hover = "{Key|}, {from:6} to {to:6} ms, {Size|0} bytes",
	.noun = "transfer",
	.class = "transfer",
	.head = "transfer-head",
	.most = 20,
};

static const struct tv_option_spec options[] = {
	{ "transfers", "all|slowest:N|none", NULL,
	  "transfers that are drawn as arrows (default slowest:20)" },
};

const struct tv_panel tv_panel_memory_states = {
	.name = "memory-states",
	.title = "what each memory node did: allocate, copy, free; transfers between them",
	.needs = "states of the memory nodes",
	.share = 1.5,
	TV_OPTIONS(options),
	TV_SPAN_PANEL(.pass = "memory-states", .option = pieces, .sums = sums,
		      .style = TV_SPANS_LANES, .row = "ResourceId", .row_name = tv_memory_name,
		      .color = "Value", .colors = 8, .color_of = color_of, .start = "Start",
		      .end = "End", .hover = "{ResourceId}, {Value} {Share:share} %",
		      .title = "memory nodes, % of their time", .group = "memory-states",
		      .nothing = "no memory node is in a state that takes time",
		      .arrows = &transfers,
		      .heights = { .low = 0.8, .high = 3, .tall = 200, .min = 8 }),
};
