/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tiles.h -- panels of several small charts, one per task type or per type and resource type: boxes
 * of one size in lines, each under a heading; horizontal axes of durations for them.
 */
#ifndef TV_TILES_H
#define TV_TILES_H

#include "views/charts/strip.h"
#include "views/shared/panel.h"

/* A task type, or its tasks on one resource type; in the color of the legend. */
struct tv_tile_group {
	char name[160]; /* clean text */
	uint32_t color, faded;
	uint32_t rank;	   /* in the legend */
	uint32_t number;   /* index among the groups of its table */
	uint32_t first, n; /* rows of the table */
};

/*
 * What the state of such a panel begins with, so that measure, layout and release are the functions
 * below. Prepare sets what comes before `group`, tv_tiles_read the rest.
 */
struct tv_tiles {
	const char *title;	  /* of the panel; borrowed */
	const struct tv_key *key; /* borrowed */
	size_t nkeys;
	bool types;	 /* one per task type, else one per type and resource type */
	double height;	 /* of one, gap included, points */
	double min, max; /* width of one */
	/* Draws tile i of the panel with that state; at: its top left corner. */
	void (*draw)(struct tv_figure *figure, const void *state, uint32_t i, struct tv_point at);
	struct tv_tile_group *group; /* what each shows; owned */
	uint32_t n, all;	     /* tiles to be shown, of how many there are */
	uint32_t columns;	     /* set by measure and layout */
	double width;
};

/*
 * Groups of consecutive rows, of the first nrows ones, that are equal in Value (and ResourceType,
 * unless types), in the order of the legend: by total time of their type. The panel's option
 * `types` or `groups` is the max number of them that are shown.
 */
void tv_tiles_read(struct tv_figure *figure, struct tv_slot *slot, const struct tv_table *table,
		   uint32_t nrows);
#define TV_OPTION_GROUPS \
	{ \
		"groups", "N", "12", \
			"max number of (task type, resource type) charts, those with the most " \
			"time", \
			TV_OPTION_COUNT, 1, 1000 \
	}

/* Height of the panel with all tiles, at least one. */
void tv_tiles_measure(struct tv_figure *figure, struct tv_slot *slot, double height);
/* Title and keys, as many tiles as fit, and how many more there are. */
void tv_tiles_layout(struct tv_figure *figure, struct tv_slot *slot);
void tv_tiles_release(struct tv_slot *slot);
/* Their place in the row of a panel. */
#define TV_TILES_PANEL \
	.kind = TV_FREE, .measure = tv_tiles_measure, .layout = tv_tiles_layout, \
	.release = tv_tiles_release

/* Swatch and name at the left, a text at the right of a tile. */
void tv_tile_heading(struct tv_figure *figure, const struct tv_tile_group *kind, double x, double y,
		     double width, const char *text);
#define TV_TILE_HEADING 9.0

/* A time in its best unit: 2.827 ms. */
void tv_duration_text(char *out, size_t size, int64_t ns);

/* A horizontal axis of durations. On a logarithmic one, times up to 0 share its left end. */
struct tv_lengths {
	bool log;
	bool zero;	  /* log: there are such times */
	double low, high; /* ns */
};

/* An axis that contains [low, high] ns, and 0 if zero; log: its ends are powers of ten. */
struct tv_lengths tv_lengths_for(bool log, double low, double high, bool zero);
/* The place of a time: 0 = left end, 1 = right end. */
double tv_lengths_at(const struct tv_lengths *lengths, double ns);
/* The axis at y, ticks below it and their labels. Needs TV_LENGTHS_HEIGHT. */
void tv_lengths_draw(struct tv_figure *figure, const struct tv_lengths *lengths, double x, double y,
		     double width);
#define TV_LENGTHS_HEIGHT 10.0

#endif
