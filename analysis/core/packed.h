/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * packed.h -- step functions of many pieces in little memory: about 4 bytes for each piece of a
 * curve that counts tasks, where tv_steps has 16. They are read in packs of pieces, from the first
 * one on or from any time on.
 */
#ifndef TV_PACKED_H
#define TV_PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TV_PACK = 1024 }; /* pieces of a pack; the last one may have fewer */

/* The first piece of a pack, where the others are, and the extremes of all. */
struct tv_pack {
	int64_t begin;
	double value;
	size_t word;
	double min, max;
};

/* A step function as tv_steps, from pack[0].begin to end, ns. */
struct tv_packed {
	int64_t end;
	size_t n;	 /* pieces */
	double integral; /* of value over time, summed in the order of pieces */
	struct tv_pack *pack;
	size_t npacks, packs_cap;
	uint32_t *word; /* of pieces, see packed.c */
	size_t nwords, words_cap;
	/* While it is filled. */
	bool open; /* the newest piece is not in pack or word yet, as it may still be changed */
	int64_t time, last;   /* where it begins, and the one before it */
	double value, before; /* of the two */
};

/* No piece yet, and memory for about n. */
void tv_packed_init(struct tv_packed *packed, size_t n, int64_t end);
/* As tv_steps_to, for any number of calls; then tv_packed_finish. */
void tv_packed_to(struct tv_packed *packed, int64_t time, double value);
void tv_packed_finish(struct tv_packed *packed);
void tv_packed_release(struct tv_packed *packed); /* safe on a zeroed struct */

/* The pieces of pack i < npacks: value[k] from time[k] to time[k + 1]. Returns how many there are.
 * time: for TV_PACK + 1, value: for TV_PACK. */
size_t tv_packed_read(const struct tv_packed *packed, size_t i, int64_t *time, double *value);
/* When pack i ends. */
static inline int64_t tv_packed_end(const struct tv_packed *packed, size_t i)
{
	return i + 1 < packed->npacks ? packed->pack[i + 1].begin : packed->end;
}

/* The pack that has time t; the first one if t is before all. O(log npacks). */
size_t tv_packed_find(const struct tv_packed *packed, int64_t t);

#endif
