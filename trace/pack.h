/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pack.h -- values as bytes, to be read by another process of the same program on the same kind of machine.
 *
 * Labels and texts go by their text, since each process numbers them on its own. What is taken comes in the order in
 * which it was put; bytes that end early are a mistake in traceviz (tv_bug).
 */
#ifndef TV_PACK_H
#define TV_PACK_H

#include "trace/table.h"

struct tv_parcel {
	char *at; /* free with tv_free */
	size_t n, cap;
};

void tv_pack_bytes(struct tv_parcel *pack, const void *bytes, size_t n);
void tv_pack_number(struct tv_parcel *pack, uint64_t number);
/* text may be NULL. */
void tv_pack_text(struct tv_parcel *pack, const char *text);
/* TV_NONE stays that. */
void tv_pack_label(struct tv_parcel *pack, const struct tv_pool *pool, uint32_t label);
/* A cell of a column that is no list. */
void tv_pack_cell(struct tv_parcel *pack, const struct tv_column *column, uint32_t row);

struct tv_unpack {
	const char *at;
	size_t n; /* bytes left */
};

void tv_unpack_bytes(struct tv_unpack *from, void *bytes, size_t n);
/* The next n bytes, where they are. */
const char *tv_unpack_take(struct tv_unpack *from, size_t n);
uint64_t tv_unpack_number(struct tv_unpack *from);
/* In new memory, or NULL. */
char *tv_unpack_text(struct tv_unpack *from);
/* Interned. */
uint32_t tv_unpack_label(struct tv_unpack *from, struct tv_pool *pool);
/* Into a cell of a column of the same type that is empty. */
void tv_unpack_cell(struct tv_unpack *from, struct tv_column *column, uint32_t row);

#endif
