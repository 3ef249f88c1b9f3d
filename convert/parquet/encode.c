/* SPDX-License-Identifier: GPL-3.0-or-later */
/* encode.c -- Thrift's compact protocol, runs of values and groups of bits, differences. */
#include "convert/parquet/encode.h"

#include <string.h>

enum { BLOCK = 128, PARTS = 4, PART = BLOCK / PARTS, GROUP = 8 };

static void put_byte(struct tv_output *out, unsigned byte)
{
	tv_output_write(out, &(unsigned char){ (unsigned char)byte }, 1);
}

static void put_varint(struct tv_output *out, uint64_t value)
{
	for (; value > 127; value >>= 7)
		put_byte(out, (unsigned)value | 128);
	put_byte(out, (unsigned)value);
}

static void put_zigzag(struct tv_output *out, int64_t value)
{
	put_varint(out, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

/* Eight bytes, the lowest first. */
static void store8(char *to, uint64_t value)
{
	uint64_t bytes = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap64(value) : value;

	memcpy(to, &bytes, sizeof bytes);
}

void tv_put_bytes(struct tv_output *out, uint64_t value, size_t n)
{
	char bytes[sizeof value];

	store8(bytes, value);
	tv_output_write(out, bytes, n);
}

/* ---- Thrift ---- */

static void put_head(struct tv_thrift_out *t, int id, int type)
{
	put_byte(t->out, (unsigned)((id - t->last[t->depth]) << 4 | type));
	t->last[t->depth] = id;
}

void tv_thrift_put_int(struct tv_thrift_out *t, int id, enum tv_thrift_type type, int64_t value)
{
	put_head(t, id, type);
	if (type == TV_THRIFT_BYTE)
		put_byte(t->out, (unsigned)value & 255);
	else
		put_zigzag(t->out, value);
}

void tv_thrift_put_bool(struct tv_thrift_out *t, int id, bool value)
{
	put_head(t, id, value ? TV_THRIFT_TRUE : TV_THRIFT_FALSE);
}

static void put_text(struct tv_output *out, const void *text, size_t n)
{
	put_varint(out, n);
	tv_output_write(out, text, n);
}

void tv_thrift_put_text(struct tv_thrift_out *t, int id, const void *text, size_t n)
{
	put_head(t, id, TV_THRIFT_BINARY);
	put_text(t->out, text, n);
}

void tv_thrift_put_list(struct tv_thrift_out *t, int id, enum tv_thrift_type element, size_t n)
{
	put_head(t, id, TV_THRIFT_LIST);
	put_byte(t->out, (unsigned)(n < 15 ? n : 15) << 4 | element);
	if (n >= 15)
		put_varint(t->out, n);
}

void tv_thrift_begin(struct tv_thrift_out *t, int id)
{
	if (id > 0)
		put_head(t, id, TV_THRIFT_STRUCT);
	t->last[++t->depth] = 0;
}

void tv_thrift_end(struct tv_thrift_out *t)
{
	put_byte(t->out, 0);
	t->depth--;
}

void tv_thrift_put_element(struct tv_thrift_out *t, const char *text)
{
	put_text(t->out, text, strlen(text));
}

void tv_thrift_put_number(struct tv_thrift_out *t, int64_t value)
{
	put_zigzag(t->out, value);
}

/* ---- bits ---- */

/* n values of `width` bits, the lowest first; n * width is a multiple of 8. */
static void put_bits(struct tv_output *out, const uint64_t *value, size_t n, unsigned width)
{
	char *to = tv_output_room(out, n * width / 8 + sizeof(uint64_t));
	uint64_t bits = 0;
	unsigned used = 0;

	for (size_t i = 0; width > 0 && i < n; i++) {
		bits |= value[i] << used;
		used += width;
		if (used < 64)
			continue;
		store8(to, bits);
		to += sizeof bits;
		used -= 64;
		bits = used > 0 ? value[i] >> (width - used) : 0;
	}
	store8(to, bits);
	out->n += n * width / 8;
}

/* How many values from i on are equal. */
static size_t equal_run(const uint32_t *value, size_t i, size_t n)
{
	size_t end = i + 1;

	while (end < n && value[end] == value[i])
		end++;
	return end - i;
}

/* Groups that have no run; the last one is padded with zeros. */
static void put_groups(struct tv_output *out, const uint32_t *value, size_t n, unsigned width)
{
	put_varint(out, (n + GROUP - 1) / GROUP << 1 | 1);
	for (size_t i = 0; i < n; i += GROUP) {
		uint64_t group[GROUP] = { 0 };

		for (size_t k = 0; k < GROUP && i + k < n; k++)
			group[k] = value[i + k];
		put_bits(out, group, GROUP, width);
	}
}

void tv_put_run(struct tv_output *out, uint32_t value, size_t n, unsigned width)
{
	uint32_t group[GROUP];

	if (n >= GROUP) {
		put_varint(out, (uint64_t)n << 1);
		tv_put_bytes(out, value, (width + 7) / 8);
		return;
	}
	for (size_t i = 0; i < n; i++)
		group[i] = value;
	if (n > 0)
		put_groups(out, group, n, width);
}

void tv_put_hybrid(struct tv_output *out, const uint32_t *value, size_t n, unsigned width)
{
	size_t begin = 0, i = 0;

	while (i < n) {
		size_t run = equal_run(value, i, n);

		/* A run begins where a group ends. */
		if (run < GROUP) {
			i += GROUP;
			continue;
		}
		if (i > begin)
			put_groups(out, value + begin, i - begin, width);
		tv_put_run(out, value[i], run, width);
		begin = i += run;
	}
	if (begin < n)
		put_groups(out, value + begin, n - begin, width);
}

/* ---- differences ---- */

/* n > 0 differences; the others of the block are as the smallest one. */
static void put_block(struct tv_output *out, const int64_t *value, size_t n)
{
	uint64_t delta[BLOCK], bits[PARTS] = { 0 };
	unsigned width[PARTS];
	int64_t min = INT64_MAX;

	for (size_t i = 0; i < n; i++) {
		delta[i] = (uint64_t)value[i + 1] - (uint64_t)value[i];
		min = (int64_t)delta[i] < min ? (int64_t)delta[i] : min;
	}
	for (size_t i = n; i < BLOCK; i++)
		delta[i] = (uint64_t)min;
	for (size_t k = 0; k < PARTS; k++)
		for (size_t i = k * PART; i < (k + 1) * PART; i++) {
			delta[i] -= (uint64_t)min;
			bits[k] |= delta[i];
		}
	put_zigzag(out, min);
	for (size_t k = 0; k < PARTS; k++) {
		width[k] = bits[k] == 0 ? 0 : 64 - (unsigned)__builtin_clzll(bits[k]);
		put_byte(out, width[k]);
	}
	for (size_t k = 0; k < PARTS && k * PART < n; k++)
		put_bits(out, delta + k * PART, PART, width[k]);
}

void tv_put_delta(struct tv_output *out, const int64_t *value, size_t n)
{
	put_varint(out, BLOCK);
	put_varint(out, PARTS);
	put_varint(out, n);
	put_zigzag(out, n > 0 ? value[0] : 0);
	for (size_t i = 0; i + 1 < n; i += BLOCK)
		put_block(out, value + i, n - 1 - i < BLOCK ? n - 1 - i : BLOCK);
}
