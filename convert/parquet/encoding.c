/* SPDX-License-Identifier: GPL-3.0-or-later */
/* encoding.c -- values of a page, one after the other; each read is checked against the end of the page. */
#include "convert/parquet/encoding.h"

#include <string.h>

#include "convert/parquet/thrift.h"
#include "trace/alloc.h"
#include "trace/digits.h"

enum { BLOCK_MAX = 1 << 20, SHORT = 16 /* bytes, which are copied faster than any number */ };

static const char bad_head[] = "the head of differences makes no sense";

/* ---- runs and groups of bits ---- */

struct tv_hybrid tv_hybrid_init(const unsigned char *at, const unsigned char *end, unsigned width)
{
	return (struct tv_hybrid){ .at = at, .end = end, .width = width };
}

static bool next_run(struct tv_hybrid *h)
{
	struct tv_thrift t = { .at = h->at, .end = h->end };
	uint64_t head = tv_thrift_varint(&t);
	size_t bytes = (h->width + 7) / 8, have = (size_t)(h->end - t.at);

	h->at = t.at;
	h->packed = (head & 1) != 0;
	h->left = head >> 1;
	if (t.bad || h->left == 0 || h->left > UINT64_MAX / 8)
		return false;
	if (h->packed) {
		h->bits = h->at;
		h->bit = 0;
		/* The last groups may be cut: who wants their values finds out. */
		h->at += h->width > 0 && h->left > have / h->width ? have : h->left * h->width;
		h->left *= 8;
		return true;
	}
	if (have < bytes)
		return false;
	h->value = (uint32_t)tv_load_some((const char *)h->at, bytes);
	h->at += bytes;
	return h->width >= 32 || h->value >> h->width == 0;
}

/* `width` bits of bytes from a bit on. */
static uint64_t bits_at(const unsigned char *bytes, const unsigned char *end, uint64_t bit,
			unsigned width)
{
	const unsigned char *at = bytes + bit / 8;
	size_t have = (size_t)(end - at);
	unsigned skip = bit % 8;
	uint64_t value = tv_load_some((const char *)at, have < 8 ? have : 8) >> skip;

	if (skip > 0 && width > 64 - skip)
		value |= (uint64_t)at[8] << (64 - skip);
	return width < 64 ? value & (((uint64_t)1 << width) - 1) : value;
}

static bool take_packed(struct tv_hybrid *h, uint32_t *value, size_t n)
{
	const unsigned width = h->width, each = width > 0 ? 57 / width : 0; /* of 8 bytes */
	const uint64_t mask = ((uint64_t)1 << width) - 1, bytes = (uint64_t)(h->at - h->bits);
	const size_t page = (size_t)(h->end - h->bits); /* behind the run, too */
	uint64_t bit = h->bit;
	size_t i = 0;

	if (n > bytes * 8 || bit + n * width > bytes * 8)
		return width == 0 && (memset(value, 0, n * sizeof *value), true);
	while (each > 0 && i < n && bit / 8 + 8 <= page) {
		uint64_t bits = tv_load8((const char *)h->bits + bit / 8) >> bit % 8;
		size_t some = n - i < each ? n - i : each;

		bit += some * width;
		for (; some > 0; some--, bits >>= width)
			value[i++] = (uint32_t)(bits & mask);
	}
	for (; i < n; i++, bit += width)
		value[i] = (uint32_t)bits_at(h->bits, h->end, bit, width);
	h->bit = bit;
	return true;
}

bool tv_hybrid_take(struct tv_hybrid *h, uint32_t *value, size_t n)
{
	while (n > 0) {
		size_t some;

		if (h->left == 0 && !next_run(h))
			return false;
		some = h->left < n ? (size_t)h->left : n;
		for (size_t i = 0; !h->packed && i < some; i++)
			value[i] = h->value;
		if (h->packed && !take_packed(h, value, some))
			return false;
		h->left -= some;
		value += some;
		n -= some;
	}
	return true;
}

bool tv_hybrid_skip(struct tv_hybrid *h, uint32_t value, size_t n)
{
	if ((h->left == 0 && !next_run(h)) || h->packed || h->value != value || h->left < n)
		return false;
	h->left -= n;
	return true;
}

/* ---- differences ---- */

static bool delta_init(struct tv_delta *d, const unsigned char *at, const unsigned char *end,
		       uint64_t max)
{
	struct tv_thrift t = { .at = at, .end = end };
	uint64_t block = tv_thrift_varint(&t);

	*d = (struct tv_delta){ .end = end, .first = true };
	d->parts = tv_thrift_varint(&t);
	d->left = tv_thrift_varint(&t);
	d->value = (uint64_t)tv_thrift_zigzag(&t);
	d->at = t.at;
	if (t.bad || block == 0 || block % 128 != 0 || block > BLOCK_MAX || d->parts == 0
	    || block % d->parts != 0 || d->left > max)
		return false;
	d->part = block / d->parts;
	return d->part % 8 == 0;
}

/* Begins the next part, and before the first of a block the block. */
static bool next_part(struct tv_delta *d)
{
	uint64_t bytes;

	if (d->parts_left == 0) {
		struct tv_thrift t = { .at = d->at, .end = d->end };

		d->min = (uint64_t)tv_thrift_zigzag(&t);
		if (t.bad || (uint64_t)(t.end - t.at) < d->parts)
			return false;
		d->width = t.at;
		d->at = t.at + d->parts;
		d->parts_left = d->parts;
	} else {
		d->width++;
	}
	d->parts_left--;
	bytes = d->part / 8 * *d->width;
	if (*d->width > 64 || bytes > (uint64_t)(d->end - d->at))
		return false;
	d->bits = d->at;
	d->at += bytes;
	d->in_part = d->part;
	return true;
}

/* The next values, as far as they are in the part that has begun. */
static size_t take_part(struct tv_delta *d, int64_t *value, size_t n)
{
	const unsigned width = *d->width;
	const uint64_t mask = width < 64 ? ((uint64_t)1 << width) - 1 : UINT64_MAX;
	uint64_t bit = (d->part - d->in_part) * width, now = d->value;
	size_t some = d->in_part < n ? (size_t)d->in_part : n, bytes = (size_t)(d->end - d->bits);
	size_t i = 0;

	for (; width <= 56 && i < some && bit / 8 + 8 <= bytes; i++, bit += width) {
		now += (tv_load8((const char *)d->bits + bit / 8) >> bit % 8 & mask) + d->min;
		value[i] = (int64_t)now;
	}
	for (; i < some; i++, bit += width) {
		now += (width > 0 ? bits_at(d->bits, d->at, bit, width) : 0) + d->min;
		value[i] = (int64_t)now;
	}
	d->value = now;
	d->in_part -= some;
	return some;
}

static bool delta_take(struct tv_delta *d, int64_t *value, size_t n)
{
	size_t i = 0;

	if (d->left < n)
		return false;
	if (d->first && n > 0) {
		d->first = false;
		value[i++] = (int64_t)d->value;
	}
	while (i < n) {
		if (d->in_part == 0 && !next_part(d))
			return false;
		i += take_part(d, value + i, n - i);
	}
	d->left -= n;
	return true;
}

/* Where the bytes behind all differences begin; NULL: damaged. Their values are not looked at. */
static const unsigned char *delta_end(struct tv_delta d)
{
	/* The first value is in the head. */
	for (uint64_t left = d.left > 0 ? d.left - 1 : 0; left > 0;) {
		if (!next_part(&d))
			return NULL;
		left -= left < d.part ? left : d.part;
	}
	return d.at;
}

/* Finds all lengths from *at on, which moves behind them: NULL, or what is wrong. */
static const char *lengths_init(struct tv_parquet_lengths *l, const unsigned char **at,
				const unsigned char *end, uint64_t max)
{
	l->n = l->next = 0;
	if (!delta_init(&l->delta, *at, end, max))
		return bad_head;
	*at = delta_end(l->delta);
	return *at != NULL ? NULL : "the lengths of texts end early or make no sense";
}

static bool lengths_ended(const struct tv_parquet_lengths *l)
{
	return l->delta.left == 0 && l->next == l->n;
}

static bool next_length(struct tv_parquet_lengths *l, size_t *length)
{
	int64_t value;

	if (l->next == l->n) {
		l->n = l->delta.left < TV_PARQUET_LENGTHS ? (unsigned)l->delta.left
							  : TV_PARQUET_LENGTHS;
		l->next = 0;
		if (l->n == 0 || !delta_take(&l->delta, l->length, l->n))
			return false;
	}
	value = l->length[l->next++];
	*length = (size_t)value;
	return value >= 0;
}

/* ---- values ---- */

static bool is_dictionary(const struct tv_parquet_decoder *d)
{
	return d->encoding == TV_PARQUET_DICTIONARY || d->encoding == TV_PARQUET_PLAIN_DICTIONARY;
}

static bool is_number(enum tv_parquet_type type)
{
	return type == TV_PARQUET_INT32 || type == TV_PARQUET_INT64;
}

/* Runs: of indexes a byte with their width, of truth values four bytes with the length precede. */
static const char *init_runs(struct tv_parquet_decoder *d)
{
	size_t left = (size_t)(d->end - d->at), head = is_dictionary(d) ? 1 : 4;

	/* A page without values may be empty. */
	if (left < head) {
		d->hybrid = tv_hybrid_init(d->end, d->end, 0);
		return NULL;
	}
	d->hybrid = tv_hybrid_init(d->at + head, d->end, head == 1 ? *d->at : 1);
	return d->hybrid.width > 32 ? "indexes of more than 32 bits" : NULL;
}

static const char *init_delta(struct tv_parquet_decoder *d, uint64_t max)
{
	const char *wrong = NULL;

	if (d->at == d->end)
		return NULL;
	if (d->encoding == TV_PARQUET_DELTA_BINARY_PACKED)
		return delta_init(&d->delta, d->at, d->end, max) ? NULL : bad_head;
	if (d->encoding == TV_PARQUET_DELTA_BYTE_ARRAY)
		wrong = lengths_init(&d->prefix, &d->at, d->end, max);
	return wrong != NULL ? wrong : lengths_init(&d->suffix, &d->at, d->end, max);
}

const char *tv_parquet_decoder_init(struct tv_parquet_decoder *d, uint64_t max)
{
	bool fits = true;

	switch (d->encoding) {
	case TV_PARQUET_PLAIN:
		return NULL;
	case TV_PARQUET_PLAIN_DICTIONARY:
	case TV_PARQUET_DICTIONARY:
		return d->dictionary == NULL ? "there is no dictionary before it" : init_runs(d);
	case TV_PARQUET_RLE:
		return d->type == TV_PARQUET_BOOLEAN ? init_runs(d)
						     : "runs of values that are no truth values";
	case TV_PARQUET_DELTA_BINARY_PACKED:
		fits = is_number(d->type);
		break;
	case TV_PARQUET_DELTA_LENGTH:
		fits = d->type == TV_PARQUET_BYTE_ARRAY;
		break;
	case TV_PARQUET_DELTA_BYTE_ARRAY:
		fits = d->type == TV_PARQUET_BYTE_ARRAY || d->type == TV_PARQUET_FIXED;
		break;
	case TV_PARQUET_BYTE_STREAM_SPLIT:
		d->nsplit = d->width > 0 ? (size_t)(d->end - d->at) / d->width : 0;
		return d->width > 0 && d->width <= sizeof d->split_value
			     ? NULL
			     : "an encoding that is not one of this type";
	}
	return fits ? init_delta(d, max) : "an encoding that is not one of this type";
}

/* A value of fixed length. */
static void take_fixed(const struct tv_parquet_decoder *d, const char *s,
		       struct tv_parquet_value *value)
{
	uint64_t bits = d->width <= 8 ? tv_load_some(s, d->width) : 0;
	uint32_t half = (uint32_t)bits;
	float real;

	value->s = s;
	switch (d->type) {
	case TV_PARQUET_INT32:
		value->i = (int32_t)half;
		break;
	case TV_PARQUET_FLOAT:
		memcpy(&real, &half, sizeof real);
		value->d = (double)real;
		break;
	case TV_PARQUET_INT64:
	case TV_PARQUET_DOUBLE:
		memcpy(&value->i, &bits, sizeof bits);
		break;
	default:
		value->n = d->width;
	}
}

static bool take_bytes(struct tv_parquet_decoder *d, uint64_t n, struct tv_parquet_value *value)
{
	if (n > (uint64_t)(d->end - d->at))
		return false;
	*value = (struct tv_parquet_value){ .n = (size_t)n, .s = (const char *)d->at };
	d->at += n;
	return true;
}

static bool decode_plain(struct tv_parquet_decoder *d, struct tv_parquet_value *value)
{
	struct tv_parquet_value length;

	if (d->type == TV_PARQUET_BOOLEAN) {
		if (d->at == d->end)
			return false;
		*value = (struct tv_parquet_value){ .i = *d->at >> d->bit & 1 };
		d->bit = (d->bit + 1) % 8;
		d->at += d->bit == 0;
		return true;
	}
	if (d->type == TV_PARQUET_BYTE_ARRAY)
		return take_bytes(d, 4, &length) && take_bytes(d, tv_load4(length.s), value);
	if (!take_bytes(d, d->width, value))
		return false;
	take_fixed(d, value->s, value);
	return true;
}

static bool decode_split(struct tv_parquet_decoder *d, struct tv_parquet_value *value)
{
	if (d->split == d->nsplit)
		return false;
	for (size_t i = 0; i < d->width; i++)
		d->split_value[i] = (char)d->at[i * d->nsplit + d->split];
	d->split++;
	take_fixed(d, d->split_value, value);
	return true;
}

/* A part of the value before, and what follows it. */
static bool decode_prefixed(struct tv_parquet_decoder *d, struct tv_parquet_value *value)
{
	size_t prefix, suffix;

	if (!next_length(&d->prefix, &prefix) || !next_length(&d->suffix, &suffix)
	    || prefix > *d->last_n || suffix > (size_t)(d->end - d->at))
		return false;
	/* An empty value is somewhere, too. */
	tv_grow(d->last, prefix, d->last_cap, suffix + SHORT, 1);
	if (suffix <= SHORT && (size_t)(d->end - d->at) >= SHORT)
		memcpy(*d->last + prefix, d->at, SHORT);
	else
		memcpy(*d->last + prefix, d->at, suffix);
	d->at += suffix;
	*d->last_n = prefix + suffix;
	*value = (struct tv_parquet_value){ .n = *d->last_n, .s = *d->last };
	return d->type != TV_PARQUET_FIXED || value->n == d->width;
}

bool tv_parquet_decode(struct tv_parquet_decoder *d, struct tv_parquet_value *value)
{
	uint32_t number;
	size_t n;

	switch (d->encoding) {
	case TV_PARQUET_PLAIN:
		return decode_plain(d, value);
	case TV_PARQUET_PLAIN_DICTIONARY:
	case TV_PARQUET_DICTIONARY:
		if (!tv_hybrid_take(&d->hybrid, &number, 1) || number >= d->ndictionary)
			return false;
		*value = d->dictionary[number];
		return true;
	case TV_PARQUET_RLE:
		if (!tv_hybrid_take(&d->hybrid, &number, 1))
			return false;
		*value = (struct tv_parquet_value){ .i = number };
		return true;
	case TV_PARQUET_DELTA_BINARY_PACKED:
		if (!delta_take(&d->delta, &value->i, 1))
			return false;
		if (d->type == TV_PARQUET_INT32)
			value->i = (int32_t)(uint32_t)value->i;
		return true;
	case TV_PARQUET_DELTA_LENGTH:
		return next_length(&d->suffix, &n) && take_bytes(d, n, value);
	case TV_PARQUET_DELTA_BYTE_ARRAY:
		return decode_prefixed(d, value);
	case TV_PARQUET_BYTE_STREAM_SPLIT:
		return decode_split(d, value);
	}
	return false;
}

bool tv_parquet_has_places(const struct tv_parquet_decoder *d)
{
	return is_dictionary(d);
}

bool tv_parquet_decode_places(struct tv_parquet_decoder *d, uint32_t *place, size_t n)
{
	const uint64_t last = (uint64_t)d->ndictionary - 1;
	uint64_t outside = 0; /* its first bit: a place behind the last one */

	if (!tv_hybrid_take(&d->hybrid, place, n))
		return false;
	if (d->hybrid.width < 32 && (uint64_t)1 << d->hybrid.width <= d->ndictionary)
		return true;
	for (size_t i = 0; i < n; i++)
		outside |= last - place[i];
	return n == 0 || (outside >> 63 == 0 && d->ndictionary > 0);
}

bool tv_parquet_decode_same(struct tv_parquet_decoder *d, uint32_t *place, size_t n)
{
	struct tv_hybrid *h = &d->hybrid;
	uint32_t value = h->packed ? 0 : h->value;

	if (h->left < n || (h->packed && h->width > 0) || value >= d->ndictionary)
		return false;
	h->left -= n;
	*place = value;
	return true;
}

bool tv_parquet_decode_numbers(struct tv_parquet_decoder *d, int64_t *number, size_t n)
{
	struct tv_parquet_value value;

	if (d->encoding == TV_PARQUET_DELTA_BINARY_PACKED && d->type == TV_PARQUET_INT64)
		return delta_take(&d->delta, number, n);
	if (d->encoding == TV_PARQUET_PLAIN && d->width == sizeof *number && n > 0) {
		if (!take_bytes(d, (uint64_t)n * sizeof *number, &value))
			return false;
		memcpy(number, value.s, n * sizeof *number);
		return true;
	}
	for (size_t i = 0; i < n; i++) {
		if (!tv_parquet_decode(d, &value))
			return false;
		number[i] = value.i;
	}
	return true;
}

bool tv_parquet_decoder_ended(const struct tv_parquet_decoder *d)
{
	switch (d->encoding) {
	case TV_PARQUET_PLAIN:
		return d->type == TV_PARQUET_BOOLEAN || d->at == d->end;
	case TV_PARQUET_BYTE_STREAM_SPLIT:
		return d->split == d->nsplit;
	default:
		return d->delta.left == 0 && lengths_ended(&d->prefix) && lengths_ended(&d->suffix);
	}
}
