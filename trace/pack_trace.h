/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pack_trace.h -- the tables of a trace as bytes, for a process that adds their rows to its own trace.
 *
 * Labels travel as the numbers that the sender gives them, and its strings once: tv_pack_pool before, or behind in a parcel
 * that is read first, the tables that contain them.
 */
#ifndef TV_PACK_TRACE_H
#define TV_PACK_TRACE_H

#include "trace/pack.h"
#include "trace/trace.h"

/* By label of a sender: that of the receiver. Zeroed at first; free `at` with tv_free. */
struct tv_sent_labels {
	uint32_t *at;
	size_t n, cap;
};

/* The strings of a pool from the label *sent on, which becomes the number of all. */
void tv_pack_pool(struct tv_parcel *pack, const struct tv_pool *pool, uint32_t *sent);
/* Interns them. */
void tv_unpack_pool(struct tv_unpack *from, struct tv_pool *pool, struct tv_sent_labels *labels);
/* The label of the receiver; TV_NONE stays. */
uint32_t tv_sent_label(const struct tv_sent_labels *labels, uint32_t label);

/* All tables, which it finishes, and what reading reported. Cost O(cells). */
void tv_pack_trace(struct tv_parcel *pack, struct tv_trace *trace);
/* Appends their rows; columns of one name have one type. */
void tv_unpack_trace(struct tv_unpack *from, const struct tv_sent_labels *labels,
		     struct tv_trace *trace);

#endif
