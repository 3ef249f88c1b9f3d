/* SPDX-License-Identifier: GPL-3.0-or-later */
/* names.h -- names at the left of rows of one height that are no workers. */
#ifndef TV_NAMES_H
#define TV_NAMES_H

#include "views/rows/rows.h"
#include "views/shared/figure.h"

/* Of the rows of a panel; owned. */
struct tv_names {
	char **name;
	uint32_t n;
	size_t cap;
};

/* Adds a name, made clean. */
void tv_names_add(struct tv_names *names, const char *name);
void tv_names_release(struct tv_names *names);

/* Width of the widest one, points; long ones are cut. 0 in a facet whose names another one has. */
double tv_names_width(const struct tv_figure *figure, const struct tv_names *names);
/* In the middle of their rows, `unit` points high, from y on; where rows are lower than text, every
 * second, third, ... one. */
void tv_names_draw(struct tv_figure *figure, const struct tv_names *names, double y, double unit);

/* A name for each band of rows, in its middle, where the one above leaves room for it. */
void tv_names_draw_bands(struct tv_figure *figure, const struct tv_names *names,
			 const struct tv_rows *rows, double y);

/* The name of a memory node, shorter where StarPU gave it: 1_mem0 for 1_MEMMANAGER0. */
void tv_memory_name(char *out, size_t size, const char *resource);

#endif
