/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nodes.h -- what headers of nodes say, from results of passes, and the key of their accents. */
#ifndef TV_LAYERS_NODES_H
#define TV_LAYERS_NODES_H

#include "views/layers/layers.h"

/* Notes of the nodes of a run with several, for rows->note; of the whole run, so none in a window.
 * NULL without *n: there are none. -1 with *err. Free with tv_free. */
int tv_node_notes(struct tv_figure *figure, struct tv_node_note **note, uint32_t *n,
		  struct tv_error *err) TV_MUST_CHECK;

/* A layer of keys, if there is something to explain: what rows of each node are, if they are all
 * alike and not named (joined); accents; abe: the lines of each node. */
void tv_node_keys(const struct tv_rows *rows, enum tv_collapse collapse, bool abe,
		  struct tv_layer *layer);

#endif
