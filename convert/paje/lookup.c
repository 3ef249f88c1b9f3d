/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lookup.c -- names and times of Pajé that came a short while ago. */
#include "convert/paje/paje.h"
#include "trace/digits.h"

/* A text of 1 to 16 bytes by its first and last eight. What is behind a line can be read:
 * TV_LINE_SPARE. */
static struct tv_paje_recent key_of(const struct tv_paje_field *field)
{
	struct tv_paje_recent key = { .n = (uint32_t)field->n, .head = tv_load8(field->s) };

	if (field->n > 8)
		key.tail = tv_load8(field->s + field->n - 8);
	else
		key.head &= ~(uint64_t)0 >> (64 - 8 * field->n);
	return key;
}

static bool same_key(const struct tv_paje_recent *a, const struct tv_paje_recent *b)
{
	return a->head == b->head && a->tail == b->tail && a->n == b->n;
}

/* The label of a short name that is not in its slot, apart: the other way needs no registers saved. */
static __attribute__((noinline)) uint32_t intern_anew(struct tv_paje *paje,
						      const struct tv_paje_field *field,
						      struct tv_paje_recent *slot)
{
	uint32_t label = tv_intern(paje->trace->pool, field->s, field->n);

	*slot = key_of(field);
	slot->label = label;
	return label;
}

uint32_t tv_paje_intern(struct tv_paje *paje, const struct tv_paje_field *field)
{
	struct tv_paje_recent key, *slot;
	uint64_t hash;

	if (field->n > 16 || field->n == 0)
		return tv_intern(paje->trace->pool, field->s, field->n);
	key = key_of(field);
	hash = (key.head ^ key.tail << 7 ^ key.n) * 0x9e3779b97f4a7c15u;
	slot = &paje->recent[hash >> 54];
	return same_key(slot, &key) ? slot->label : intern_anew(paje, field, slot);
}

static __attribute__((noinline)) enum tv_parsed parse_anew(struct tv_paje *paje,
							   const struct tv_paje_field *field,
							   int64_t *ns)
{
	enum tv_parsed rc = tv_parse_scaled(field->s, field->n, paje->scale, ns);

	if (rc == TV_PARSE_OK && field->n > 0 && field->n <= 16) {
		paje->time = key_of(field);
		paje->time_ns = *ns;
	}
	return rc;
}

enum tv_parsed tv_paje_parse_time(struct tv_paje *paje, const struct tv_paje_field *field,
				  int64_t *ns)
{
	if (field->n > 0 && field->n <= 16) {
		struct tv_paje_recent key = key_of(field);

		if (same_key(&paje->time, &key)) {
			*ns = paje->time_ns;
			return TV_PARSE_OK;
		}
	}
	return parse_anew(paje, field, ns);
}
