/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * distinct_numbers.h -- 64-bit numbers of which few differ: a list of the different ones, and for each number its
 * place there, in one byte or two.
 *
 * For columns such as Priority or Iteration of many million rows, which are read with every trace and
 * which many commands never look at.
 */
#ifndef TV_DISTINCT_NUMBERS_H
#define TV_DISTINCT_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/map.h"

struct tv_few;

/* No numbers yet. Free with tv_few_free. */
struct tv_few *tv_few_new(void);
void tv_few_free(struct tv_few *few); /* accepts NULL */
/* Room for so many numbers; new ones are 0. Amortized O(1) per number. */
void tv_few_reserve(struct tv_few *few, size_t n);
/* Releases the room behind the first n, which are there. */
void tv_few_trim(struct tv_few *few, size_t n);
/* Sets number i, for which there is room. false: there are 65536 different ones already, and this is
 * none of them; nothing is set. O(1). */
bool tv_few_set(struct tv_few *few, size_t i, int64_t number);
/* The same of n numbers from `at` on. How many are set before the first one that cannot be. */
size_t tv_few_set_all(struct tv_few *few, size_t at, const int64_t *number, size_t n);
/* How many there is room for. */
size_t tv_few_count(const struct tv_few *few);
int64_t tv_few_get(const struct tv_few *few, size_t i);
/* The first n numbers, into out[0..n). */
void tv_few_write(const struct tv_few *few, int64_t *out, size_t n);
/* Numbers from `first` on change places: number first + i becomes what order[i] was, one of those n. room: 2 n bytes. */
void tv_few_exchange(struct tv_few *few, size_t first, const uint32_t *order, size_t n, void *room);
/* New numbers: number i is what order[i] was. */
struct tv_few *tv_few_take(const struct tv_few *few, const uint32_t *order, uint32_t n);

#endif
