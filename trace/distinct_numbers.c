/* SPDX-License-Identifier: GPL-3.0-or-later */
/* distinct_numbers.c -- numbers as places in the list of the different ones. */
#include "trace/distinct_numbers.h"

#include <string.h>

#include "trace/alloc.h"

enum { NARROW_MAX = 256, WIDE_MAX = 65536, NRECENT = 256 };

struct tv_few {
	int64_t *value; /* the different numbers; 0 is the first */
	size_t nvalues, values_cap;
	struct tv_map places; /* of a number in value[] */
	/* Numbers looked up before, by a hash: mostly the next one is among them. */
	struct {
		int64_t number;
		uint32_t place;
	} recent[NRECENT];
	bool is_wide; /* more than NARROW_MAX are different */
	uint8_t *narrow;
	uint16_t *wide;
	size_t n, cap;
};

struct tv_few *tv_few_new(void)
{
	struct tv_few *few = tv_alloc(1, sizeof *few);

	TV_GROW(few->value, 0, few->values_cap, 1);
	few->value[few->nvalues++] = 0;
	tv_map_put(&few->places, 0, 0, 0);
	return few;
}

void tv_few_free(struct tv_few *few)
{
	if (few == NULL)
		return;
	tv_map_release(&few->places);
	tv_free(few->value);
	tv_free(few->narrow);
	tv_free(few->wide);
	tv_free(few);
}

void tv_few_reserve(struct tv_few *few, size_t n)
{
	if (n <= few->n)
		return;
	if (few->is_wide) {
		TV_GROW(few->wide, few->n, few->cap, n - few->n);
		memset(few->wide + few->n, 0, (few->cap - few->n) * sizeof *few->wide);
	} else {
		TV_GROW(few->narrow, few->n, few->cap, n - few->n);
		memset(few->narrow + few->n, 0, few->cap - few->n);
	}
	few->n = few->cap;
}

void tv_few_trim(struct tv_few *few, size_t n)
{
	if (few->is_wide)
		few->wide = tv_realloc(few->wide, n, sizeof *few->wide);
	else
		few->narrow = tv_realloc(few->narrow, n, sizeof *few->narrow);
	few->n = few->cap = n;
}

static void widen(struct tv_few *few)
{
	few->wide = tv_realloc(NULL, few->cap, sizeof *few->wide);
	for (size_t i = 0; i < few->n; i++)
		few->wide[i] = few->narrow[i];
	tv_free(few->narrow);
	few->narrow = NULL;
	few->is_wide = true;
}

/* The place of a number in value[], added when new; TV_NONE if there are too many. */
static uint32_t place_of(struct tv_few *few, int64_t number)
{
	uint32_t *place = tv_map_get(&few->places, (uint64_t)number, 0);

	if (place != NULL)
		return *place;
	if (few->nvalues == WIDE_MAX)
		return TV_NONE;
	if (few->nvalues == NARROW_MAX)
		widen(few);
	TV_GROW(few->value, few->nvalues, few->values_cap, 1);
	few->value[few->nvalues] = number;
	tv_map_put(&few->places, (uint64_t)number, 0, (uint32_t)few->nvalues);
	return (uint32_t)few->nvalues++;
}

static inline bool set(struct tv_few *few, size_t i, int64_t number)
{
	size_t at = (uint64_t)number * 0x9e3779b97f4a7c15u >> 56;
	uint32_t place = few->recent[at].place;

	if (few->recent[at].number != number) {
		place = place_of(few, number);
		if (place == TV_NONE)
			return false;
		few->recent[at].number = number;
		few->recent[at].place = place;
	}
	if (few->is_wide)
		few->wide[i] = (uint16_t)place;
	else
		few->narrow[i] = (uint8_t)place;
	return true;
}

bool tv_few_set(struct tv_few *few, size_t i, int64_t number)
{
	return set(few, i, number);
}

size_t tv_few_set_all(struct tv_few *few, size_t at, const int64_t *number, size_t n)
{
	size_t i = 0;

	while (i < n && set(few, at + i, number[i]))
		i++;
	return i;
}

size_t tv_few_count(const struct tv_few *few)
{
	return few->n;
}

int64_t tv_few_get(const struct tv_few *few, size_t i)
{
	return few->value[few->is_wide ? few->wide[i] : few->narrow[i]];
}

void tv_few_write(const struct tv_few *few, int64_t *out, size_t n)
{
	for (size_t i = 0; i < n; i++)
		out[i] = tv_few_get(few, i);
}

void tv_few_exchange(struct tv_few *few, size_t first, const uint32_t *order, size_t n, void *room)
{
	const uint16_t *wide = room;
	const uint8_t *narrow = room;

	if (few->is_wide)
		memcpy(room, few->wide + first, n * sizeof *wide);
	else
		memcpy(room, few->narrow + first, n);
	for (size_t i = 0; i < n; i++)
		if (few->is_wide)
			few->wide[first + i] = wide[order[i] - first];
		else
			few->narrow[first + i] = narrow[order[i] - first];
}

struct tv_few *tv_few_take(const struct tv_few *few, const uint32_t *order, uint32_t n)
{
	struct tv_few *taken = tv_few_new();

	tv_few_reserve(taken, n);
	for (uint32_t i = 0; i < n; i++)
		tv_few_set(taken, i, tv_few_get(few, order[i]));
	return taken;
}
