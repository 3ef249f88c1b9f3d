/* SPDX-License-Identifier: GPL-3.0-or-later */
/* waterfall.h -- bars of times below each other, each with its name at the left and its number at the right. */
#ifndef TV_WATERFALL_H
#define TV_WATERFALL_H

#include "views/charts/plane.h"
#include "views/shared/panel.h"

struct tv_waterfall_bar {
	int64_t begin, time; /* ns; time may be negative */
	uint32_t row;	     /* of the table that it is from; TV_NONE = several */
	uint32_t color;
	bool joined; /* a line leads from its end to the next bar */
	char name[120], number[80];
};

/* A vertical line through all bars, with its key. */
struct tv_waterfall_line {
	int64_t at; /* ns */
	struct tv_key key;
};

struct tv_waterfall {
	const char *group; /* of its shapes: the name of the panel */
	const char *title, *axis;
	struct tv_waterfall_bar *bar;
	size_t n;
	struct tv_waterfall_line line[3];
	size_t nlines;
	/* private */
	int64_t low, high;
	double names, numbers, top;
};

/* Functions of panels whose state begins with a struct tv_waterfall, which their prepare fills: measure sets
 * the height of the slot and its common scale, release frees the bars and the state. */
void tv_waterfall_measure(struct tv_figure *figure, struct tv_slot *slot, double height);
void tv_waterfall_layout(struct tv_figure *figure, struct tv_slot *slot);
void tv_waterfall_release(struct tv_slot *slot);

#endif
