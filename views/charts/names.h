/* SPDX-License-Identifier: GPL-3.0-or-later */
/* names.h -- names at the left of rows of one height that are no workers. */
#ifndef TV_NAMES_H
#define TV_NAMES_H

#include "views/charts/strip.h"
#include "views/shared/panel.h"

/* Of the rows of a panel; owned. */
struct tv_names {
	char **name;
	uint32_t n;
};

/* Adds a name, made clean; names has room for it (tv_names_init). */
void tv_names_init(struct tv_names *names, uint32_t max);
void tv_names_add(struct tv_names *names, const char *name);
void tv_names_release(struct tv_names *names);

/* Width of the widest one, points; long ones are cut. 0 in a facet whose names another one has. */
double tv_names_width(const struct tv_figure *figure, const struct tv_names *names);
/* In the middle of their rows, `unit` points high, from y on; where rows are lower than text, every
 * second, third, ... one. */
void tv_names_draw(struct tv_figure *figure, const struct tv_names *names, double y, double unit);

/* Rows of one height with a name each: what the panels that have them share. */
enum { TV_NAMED_KEYS = 9 };
struct tv_named {
	struct tv_names names;
	double unit; /* height of a row, points; set by tv_named_measure */
	char title[160];
	struct tv_key key[TV_NAMED_KEYS];
	size_t nkeys;
};

/* The request for rows that fill a height and are at least `low` high, points. */
void tv_named_measure(const struct tv_figure *figure, struct tv_slot *slot, struct tv_named *named,
		      double height, double low);
/* What is around the rows: border, names, title and keys. */
void tv_named_draw(struct tv_figure *figure, const struct tv_place *place,
		   const struct tv_named *named);

/* The name of a memory node, shorter where StarPU gave it: 1_mem0 for 1_MEMMANAGER0. */
void tv_memory_name(char *out, size_t size, const char *resource);

#endif
