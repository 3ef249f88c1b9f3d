/* SPDX-License-Identifier: GPL-3.0-or-later */
/* messages.h -- arrows over the space-time panel for messages between nodes, as its option
 * `messages` chooses them. */
#ifndef TV_LAYERS_MESSAGES_H
#define TV_LAYERS_MESSAGES_H

#include "views/layers/layers.h"

enum { TV_MESSAGES_MAX = 300 }; /* of more, the slowest are drawn */

struct tv_message_arrow {
	int64_t begin, end;	 /* ns */
	uint32_t origin, dest;	 /* labels of nodes */
	uint32_t producer, user; /* rows of tasks on these nodes; TV_NONE = not known */
	uint32_t row;		 /* of the pass */
	int64_t time;		 /* ns: how slow it is, or how long a call waited for its send */
};

struct tv_message_arrows {
	const struct tv_table *table; /* of the pass messages */
	struct tv_message_arrow *at;  /* by begin */
	uint32_t n;
};

/* Chooses those to draw, and adds a layer with their number. -1 with *err, usage too. Release it in
 * any case. */
int tv_message_arrows_init(struct tv_message_arrows *arrows, struct tv_figure *figure,
			   const struct tv_layer_options *options, const struct tv_rows *rows,
			   struct tv_layer **layers, struct tv_error *err) TV_MUST_CHECK;
void tv_message_arrows_release(struct tv_message_arrows *arrows);

/*
 * From the start of each to its end: between the rows of threads that communicate (at[]: of each
 * node in the order of the groups of rows, its middle in points; NULL = they are not shown), else
 * of the tasks that made and used it, if rows are single workers, else the edges of the nodes.
 */
void tv_message_arrows_draw(struct tv_figure *figure, const struct tv_message_arrows *arrows,
			    const struct tv_rows *rows, const double *at, unsigned frame);

#endif
