/* SPDX-License-Identifier: GPL-3.0-or-later */
/* payload_write.c -- compresses a payload, as text. */
#include <string.h>
#include <zlib.h>

#include "trace/alloc.h"
#include "views/backends/html/payload.h"

/* Levels above 5 take up to ten times the time and save 3 %: the planes of bytes have few long repeats
 * and many short ones. */
enum { LEVEL = 5, PIECE = 1 << 16, SAMPLE = 1 << 13 };

/* gzip into text. */
struct packer {
	z_stream stream;
	struct tv_base91 text;
	int strategy;
};

/* Noise: bytes without repeats, some more frequent than others. Looking for repeats makes it larger. */
static bool is_noise(const unsigned char *bytes, size_t n)
{
	unsigned char out[SAMPLE + SAMPLE / 8];
	unsigned count[256] = { 0 };
	uLongf size = sizeof out;

	n = n < SAMPLE ? n : SAMPLE;
	for (size_t i = 0; i < n; i++)
		count[bytes[i]]++;
	return compress2(out, &size, bytes, n, LEVEL) != Z_OK
	    || (double)size * 8 > tv_byte_bits(count, (unsigned)n) + 64 * 8;
}

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
			tv_base91_write(&packer->text, out, sizeof out - packer->stream.avail_out);
		} while (rc == Z_OK && packer->stream.avail_out == 0);
	} while (n > 0);
}

static void set_strategy(struct packer *packer, int strategy)
{
	unsigned char out[16384];

	packer->strategy = strategy;
	packer->stream.next_out = out;
	packer->stream.avail_out = sizeof out;
	if (deflateParams(&packer->stream, LEVEL, strategy) != Z_OK)
		tv_memory_exhausted(0);
	tv_base91_write(&packer->text, out, sizeof out - packer->stream.avail_out);
}

/* Columns, each part as it gets smallest. */
static void pack_columns(struct packer *packer, const struct tv_payload *payload)
{
	size_t at = 0;

	for (size_t i = 0; i < payload->nparts; i++)
		while (at < payload->part[i]) {
			size_t left = payload->part[i] - at, n = left < PIECE ? left : PIECE;
			int strategy = is_noise(payload->byte + at, n) ? Z_HUFFMAN_ONLY
								       : Z_DEFAULT_STRATEGY;

			if (strategy != packer->strategy) {
				pack(packer, "", 0, Z_BLOCK);
				set_strategy(packer, strategy);
			}
			pack(packer, payload->byte + at, n, Z_NO_FLUSH);
			at += n;
		}
	pack(packer, "", 0, Z_FINISH);
}

uint64_t tv_payload_write(struct tv_payload *payload, const struct tv_json *header,
			  struct tv_output *out)
{
	static const char magic[] = "TVHTML1\n", columns[] = ",\"columns\":{",
			  zeros[TV_PAYLOAD_ALIGN] = "";
	size_t n = 1 + header->n + strlen(columns) + payload->columns.n + 2;
	struct packer packer = { .text = { .out = out } };
	unsigned char length[4];
	uint64_t bytes;

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
	pack(&packer, zeros, (TV_PAYLOAD_ALIGN - (12 + n) % TV_PAYLOAD_ALIGN) % TV_PAYLOAD_ALIGN,
	     Z_NO_FLUSH);
	pack_columns(&packer, payload);
	tv_base91_end(&packer.text);
	bytes = packer.stream.total_out;
	deflateEnd(&packer.stream);
	return (8 * bytes + 12) / 13 * 2;
}
