/* SPDX-License-Identifier: GPL-3.0-or-later */
/* objects.h -- numbers of the objects of the machine and their colors, for the panels that show them. */
#ifndef TV_CHARTS_OBJECTS_H
#define TV_CHARTS_OBJECTS_H

#include "views/charts/strip.h"
#include "views/shared/panel.h"

enum { TV_OBJECT_NUMBERS = 6 };

/* A result of the pass topology, and what its colors mean. */
struct tv_object_number {
	const struct tv_table *table;
	double low, high; /* of the colors, the same for the whole run */
	const char *name, *unit;
	double factor;	 /* from the pass's unit to this one: s/s instead of ns/s */
	bool of_workers; /* a share of their time, no variable */
};

struct tv_object_numbers {
	struct tv_object_number at[TV_OBJECT_NUMBERS];
	size_t n;
	uint32_t nobjects,
		nwindows; /* row w * nobjects + i of each table is window w of object i */
	bool log;
	bool alone; /* its scales are not those of the other runs of the figure */
	uint32_t (*shade)(double share);
};

/*
 * The results for the panel's options by and scale; at, windows: options for the pass, or NULL.
 * Without --NAME.by: idleness, or where no worker has a place on the machine the first variable of the innermost
 * objects that have one.
 * 0, TV_NOTHING or -1 as tv_panel_pass.
 */
int tv_object_numbers_init(struct tv_object_numbers *numbers, struct tv_figure *figure,
			   const struct tv_panel *panel, const char *at, const char *windows,
			   struct tv_error *err) TV_MUST_CHECK;
/* NaN: not known. */
double tv_object_value(const struct tv_object_number *number, uint32_t row);
/* Of several numbers the one that an object has, in this window or another; the first one without any. */
const struct tv_object_number *tv_object_number_of(const struct tv_object_numbers *numbers,
						   uint32_t row);
/* Widens the scales to those of the same numbers of other results. */
void tv_object_numbers_join(struct tv_object_numbers *numbers,
			    const struct tv_object_numbers *other);
/* Where a value is on the scale of a number: 0 to 1; 0.5 where that has no length. */
double tv_object_share(const struct tv_object_numbers *numbers,
		       const struct tv_object_number *number, double value);
/* The color of a value; number: whose scale. */
uint32_t tv_object_color(const struct tv_object_numbers *numbers,
			 const struct tv_object_number *number, double value);
/* Keys of the numbers that objects show: how many, at most TV_OBJECT_NUMBERS. */
size_t tv_object_keys(const struct tv_object_numbers *numbers, struct tv_key *key);

#define TV_OPTIONS_OBJECT_NUMBERS \
	{ "by", "NAME,...", NULL, \
	  "numbers: idleness, busy, Types of variables, task types; of several, each object " \
	  "shows " \
	  "the first that it has (default: idleness, or the first variable)", \
	  TV_OPTION_LIST }, \
		{ "range", "all|run", "all", \
		  "of the colors: of all runs of the figure, or of each run alone (--facet)", \
		  TV_OPTION_CHOICE }, \
	{ \
		"scale", "linear|log", "linear", "of the colors", TV_OPTION_CHOICE \
	}

#endif
