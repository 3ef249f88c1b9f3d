/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pack.c -- values as bytes. */
#include "trace/pack.h"

#include "trace/alloc.h"

void tv_pack_bytes(struct tv_parcel *pack, const void *bytes, size_t n)
{
	if (n == 0)
		return;
	TV_GROW(pack->at, pack->n, pack->cap, n);
	memcpy(pack->at + pack->n, bytes, n);
	pack->n += n;
}

void tv_pack_number(struct tv_parcel *pack, uint64_t number)
{
	tv_pack_bytes(pack, &number, sizeof number);
}

/* Behind its length + 1; 0 = NULL. */
static void put_string(struct tv_parcel *pack, const char *s, size_t n)
{
	tv_pack_number(pack, s == NULL ? 0 : (uint64_t)n + 1);
	if (s != NULL)
		tv_pack_bytes(pack, s, n);
}

void tv_pack_text(struct tv_parcel *pack, const char *text)
{
	put_string(pack, text, text == NULL ? 0 : strlen(text));
}

void tv_pack_label(struct tv_parcel *pack, const struct tv_pool *pool, uint32_t label)
{
	size_t n = 0;
	const char *s = label == TV_NONE ? NULL : tv_pool_string(pool, label, &n);

	put_string(pack, s, n);
}

void tv_pack_cell(struct tv_parcel *pack, const struct tv_column *column, uint32_t row)
{
	size_t n = 0;
	const char *s = NULL;

	switch (column->type) {
	case TV_LABEL:
		tv_pack_label(pack, column->pool, tv_label(column, row));
		break;
	case TV_TEXT:
		if (!tv_missing(column, row))
			s = tv_string(column, row, &n);
		put_string(pack, s, n);
		break;
	default:
		tv_pack_number(pack, tv_missing(column, row));
		if (!tv_missing(column, row))
			tv_pack_number(pack, (uint64_t)tv_number(column, row));
	}
}

const char *tv_unpack_take(struct tv_unpack *from, size_t n)
{
	const char *bytes = from->at;

	if (n > from->n)
		tv_bug("another process sent too few bytes");
	from->at += n;
	from->n -= n;
	return bytes;
}

void tv_unpack_bytes(struct tv_unpack *from, void *bytes, size_t n)
{
	const char *taken = tv_unpack_take(from, n);

	if (n > 0)
		memcpy(bytes, taken, n);
}

uint64_t tv_unpack_number(struct tv_unpack *from)
{
	uint64_t number;

	tv_unpack_bytes(from, &number, sizeof number);
	return number;
}

static const char *take_string(struct tv_unpack *from, size_t *n)
{
	uint64_t length = tv_unpack_number(from);

	*n = length == 0 ? 0 : (size_t)length - 1;
	return length == 0 ? NULL : tv_unpack_take(from, *n);
}

char *tv_unpack_text(struct tv_unpack *from)
{
	size_t n;
	const char *s = take_string(from, &n);

	return s == NULL ? NULL : tv_strndup(s, n);
}

uint32_t tv_unpack_label(struct tv_unpack *from, struct tv_pool *pool)
{
	size_t n;
	const char *s = take_string(from, &n);

	return s == NULL ? TV_NONE : tv_intern(pool, s, n);
}

void tv_unpack_cell(struct tv_unpack *from, struct tv_column *column, uint32_t row)
{
	const char *s;
	uint64_t bits;
	size_t n;
	double d;

	if (column->type == TV_LABEL || column->type == TV_TEXT) {
		s = take_string(from, &n);
		if (s != NULL)
			tv_set_string(column, row, s, n);
		return;
	}
	if (tv_unpack_number(from) != 0)
		return;
	bits = tv_unpack_number(from);
	memcpy(&d, &bits, sizeof d);
	if (column->type == TV_DOUBLE)
		tv_set_double(column, row, d);
	else
		tv_set_int(column, row, (int64_t)bits);
}
