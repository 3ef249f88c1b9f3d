/* SPDX-License-Identifier: GPL-3.0-or-later */
/* codec.c -- compressed pages: into exactly as many bytes as their header says. */
#include <zlib.h>
#include <zstd.h>

#include "convert/parquet/parquet.h"
#include "convert/parquet/thrift.h"
#include "trace/digits.h"

const char *tv_parquet_codec_name(int64_t codec)
{
	static const char *const name[] = { "none",   "SNAPPY", "GZIP", "LZO",
					    "BROTLI", "LZ4",	"ZSTD", "LZ4_RAW" };

	return codec >= 0 && (size_t)codec < TV_COUNT(name) ? name[codec] : "unknown";
}

const char *tv_parquet_encoding_name(int64_t encoding)
{
	static const char *const name[] = { "PLAIN",
					    "GROUP_VAR_INT",
					    "PLAIN_DICTIONARY",
					    "RLE",
					    "BIT_PACKED",
					    "DELTA_BINARY_PACKED",
					    "DELTA_LENGTH_BYTE_ARRAY",
					    "DELTA_BYTE_ARRAY",
					    "RLE_DICTIONARY",
					    "BYTE_STREAM_SPLIT",
					    "ALP" };

	return encoding >= 0 && (size_t)encoding < TV_COUNT(name) ? name[encoding] : "unknown";
}

bool tv_parquet_codec_is_read(int64_t codec)
{
	return codec == TV_CODEC_NONE || codec == TV_CODEC_SNAPPY || codec == TV_CODEC_GZIP
	    || codec == TV_CODEC_ZSTD;
}

static bool unpack_gzip(const unsigned char *bytes, size_t size, unsigned char *to, size_t n)
{
	z_stream z = { .next_in = (unsigned char *)bytes,
		       .avail_in = (uInt)size,
		       .next_out = to,
		       .avail_out = (uInt)n };
	bool whole;

	if (inflateInit2(&z, 15 + 32) != Z_OK)
		return false;
	whole = inflate(&z, Z_FINISH) == Z_STREAM_END && z.total_out == n;
	inflateEnd(&z);
	return whole;
}

/* The n <= 4 bytes of a number, which are skipped. false: the bytes end. */
static bool take_number(const unsigned char **at, const unsigned char *end, size_t n,
			size_t *number)
{
	if ((size_t)(end - *at) < n)
		return false;
	*number = (size_t)tv_load_some((const char *)*at, n);
	*at += n;
	return true;
}

/* Bytes as they are, and copies of what was before. Here, as the library of Snappy is C++, whose start takes each command
 * a third more time. */
static bool unpack_snappy(const unsigned char *bytes, size_t size, unsigned char *to, size_t n)
{
	struct tv_thrift head = { .at = bytes, .end = bytes + size };
	uint64_t claimed = tv_thrift_varint(&head);
	const unsigned char *at = head.at;
	size_t done = 0, length, offset = 0;

	if (head.bad || claimed != n)
		return false;
	while (at < head.end) {
		unsigned tag = *at++, kind = tag & 3;

		length = kind == 1 ? 4 + (tag >> 2 & 7) : 1 + (size_t)(tag >> 2);
		if (kind == 0 && length > 60) {
			if (!take_number(&at, head.end, length - 60, &length))
				return false;
			length++;
		}
		if (kind > 0 && !take_number(&at, head.end, kind == 3 ? 4 : kind, &offset))
			return false;
		offset += kind == 1 ? (size_t)(tag >> 5) << 8 : 0;
		if (length > n - done
		    || (kind == 0 ? length > (size_t)(head.end - at)
				  : offset == 0 || offset > done))
			return false;
		for (size_t i = 0; i < length; i++, done++)
			to[done] = kind == 0 ? *at++ : to[done - offset];
	}
	return done == n;
}

bool tv_parquet_unpack(int64_t codec, const unsigned char *bytes, size_t size, unsigned char *to,
		       size_t n)
{
	switch (codec) {
	case TV_CODEC_NONE:
		if (size == n && n > 0)
			memcpy(to, bytes, n);
		return size == n;
	case TV_CODEC_GZIP:
		return unpack_gzip(bytes, size, to, n);
	case TV_CODEC_ZSTD:
		return ZSTD_decompress(to, n, bytes, size) == n;
	case TV_CODEC_SNAPPY:
		return unpack_snappy(bytes, size, to, n);
	default:
		return false;
	}
}
