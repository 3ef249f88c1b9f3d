/* SPDX-License-Identifier: GPL-3.0-or-later */
/* payload.c -- encodes columns and compresses them. */
#include "views/backends/html/payload.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "trace/alloc.h"

/* Levels above 5 take up to ten times the time and save 3 %: the planes of bytes have few long repeats
 * and many short ones. */
enum { ALIGN = 8, LEVEL = 5 };

static const struct {
	const char *name;
	size_t size;
} types[] = {
	[TV_U8] = { "u8", 1 },	 [TV_U16] = { "u16", 2 }, [TV_U32] = { "u32", 4 },
	[TV_I32] = { "i32", 4 }, [TV_I64] = { "i64", 8 }, [TV_F32] = { "f32", 4 },
	[TV_F64] = { "f64", 8 },
};

size_t tv_number_size(enum tv_number_type type)
{
	return types[type].size;
}

/* The bits of the i-th number. */
static uint64_t bits_of(const void *values, size_t size, size_t i)
{
	uint16_t two;
	uint32_t four;
	uint64_t eight;

	switch (size) {
	case 1:
		return ((const unsigned char *)values)[i];
	case 2:
		memcpy(&two, (const char *)values + 2 * i, 2);
		return two;
	case 4:
		memcpy(&four, (const char *)values + 4 * i, 4);
		return four;
	default:
		memcpy(&eight, (const char *)values + 8 * i, 8);
		return eight;
	}
}

/* The sign of a number of `size` bytes into its lowest bit. */
static uint64_t zigzag(uint64_t bits, size_t size)
{
	uint64_t sign = bits >> (8 * size - 1) & 1;

	return bits << 1 ^ (sign != 0 ? UINT64_MAX : 0);
}

void tv_number_encode(enum tv_number_type type, const void *values, size_t n, unsigned steps,
		      unsigned char *out)
{
	size_t size = types[type].size;
	uint64_t before = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t bits = bits_of(values, size, i), code = bits;

		if (steps & TV_DELTA)
			code = bits - before;
		before = bits;
		if (steps & TV_ZIGZAG)
			code = zigzag(code, size);
		for (size_t k = 0; k < size; k++)
			out[steps & TV_SPLIT ? k * n + i : i * size + k] =
				(unsigned char)(code >> (8 * k));
	}
}

void tv_payload_add(struct tv_payload *payload, const char *name, enum tv_number_type type,
		    const void *values, size_t n, unsigned steps)
{
	tv_payload_add_plus(payload, name, type, values, n, steps, NULL, 0);
}

static double bits_left(uint64_t difference)
{
	uint64_t code = zigzag(difference, 8);

	return code == 0 ? 0 : 64 - __builtin_clzll(code);
}

unsigned tv_number_steps(const int64_t *value, size_t n, unsigned steps)
{
	double plain = 0, delta = 0;

	for (size_t i = 0; i < n; i++) {
		plain += bits_left((uint64_t)value[i]);
		delta += bits_left((uint64_t)value[i] - (i > 0 ? (uint64_t)value[i - 1] : 0));
	}
	return delta < plain ? steps : steps & ~(unsigned)TV_DELTA;
}

void tv_payload_add_plus(struct tv_payload *payload, const char *name, enum tv_number_type type,
			 const void *values, size_t n, unsigned steps, const struct tv_plus *plus,
			 size_t nplus)
{
	static const char *const step[] = { "delta", "zigzag", "split" };
	size_t bytes = n * types[type].size, end = (bytes + ALIGN - 1) / ALIGN * ALIGN;
	struct tv_json *json = &payload->columns;

	if (n > 0) {
		TV_GROW(payload->byte, payload->n, payload->cap, end);
		memset(payload->byte + payload->n, 0, end);
		tv_number_encode(type, values, n, steps, payload->byte + payload->n);
	}
	tv_json_open(json, name, '{');
	tv_json_text(json, "type", types[type].name);
	tv_json_open(json, "encoding", '[');
	for (unsigned i = 0; i < TV_COUNT(step); i++)
		if (steps & 1u << i)
			tv_json_text(json, NULL, step[i]);
	tv_json_close(json, ']');
	if (nplus > 0)
		tv_json_open(json, "plus", '[');
	for (size_t i = 0; i < nplus; i++) {
		tv_json_open(json, NULL, '{');
		tv_json_text(json, "name", plus[i].name);
		if (plus[i].at != NULL)
			tv_json_text(json, "at", plus[i].at);
		if (plus[i].minus)
			tv_json_bool(json, "minus", true);
		tv_json_close(json, '}');
	}
	if (nplus > 0)
		tv_json_close(json, ']');
	tv_json_int(json, "offset", (int64_t)payload->n);
	tv_json_int(json, "bytes", (int64_t)bytes);
	tv_json_int(json, "n", (int64_t)n);
	tv_json_close(json, '}');
	payload->n += end;
}

/* gzip into base 64. */
struct packer {
	z_stream stream;
	struct tv_base64 text;
};

static void pack(struct packer *packer, const void *bytes, size_t n, int flush)
{
	const unsigned char *at = bytes;
	unsigned char out[16384];
	int rc;

	do {
		size_t some = n < 1u << 30 ? n : 1u << 30;

		packer->stream.next_in = (unsigned char *)at;
		packer->stream.avail_in = (unsigned)some;
		at += some;
		n -= some;
		do {
			packer->stream.next_out = out;
			packer->stream.avail_out = sizeof out;
			rc = deflate(&packer->stream, n == 0 ? flush : Z_NO_FLUSH);
			tv_base64_write(&packer->text, out, sizeof out - packer->stream.avail_out);
		} while (rc == Z_OK && packer->stream.avail_out == 0);
	} while (n > 0);
}

void tv_payload_write(struct tv_payload *payload, const struct tv_json *header,
		      struct tv_output *out)
{
	static const char magic[] = "TVHTML1\n", columns[] = ",\"columns\":{", zeros[ALIGN] = "";
	size_t n = 1 + header->n + strlen(columns) + payload->columns.n + 2;
	struct packer packer = { .text = { .out = out } };
	unsigned char length[4];

	for (int i = 0; i < 4; i++)
		length[i] = (unsigned char)(n >> (8 * i));
	if (deflateInit2(&packer.stream, LEVEL, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK)
		tv_memory_exhausted(0);
	pack(&packer, magic, 8, Z_NO_FLUSH);
	pack(&packer, length, 4, Z_NO_FLUSH);
	pack(&packer, "{", 1, Z_NO_FLUSH);
	pack(&packer, header->text, header->n, Z_NO_FLUSH);
	pack(&packer, columns, strlen(columns), Z_NO_FLUSH);
	pack(&packer, payload->columns.text, payload->columns.n, Z_NO_FLUSH);
	pack(&packer, "}}", 2, Z_NO_FLUSH);
	pack(&packer, zeros, (ALIGN - (12 + n) % ALIGN) % ALIGN, Z_NO_FLUSH);
	pack(&packer, payload->byte, payload->n, Z_FINISH);
	tv_base64_end(&packer.text);
	deflateEnd(&packer.stream);
}

void tv_payload_release(struct tv_payload *payload)
{
	tv_json_release(&payload->columns);
	tv_free(payload->byte);
	*payload = (struct tv_payload){ 0 };
}
