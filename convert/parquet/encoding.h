/* SPDX-License-Identifier: GPL-3.0-or-later */
/* encoding.h -- the encodings of values and levels of Parquet, one value after the other. */
#ifndef TV_PARQUET_ENCODING_H
#define TV_PARQUET_ENCODING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tv_parquet_type {
	TV_PARQUET_BOOLEAN,
	TV_PARQUET_INT32,
	TV_PARQUET_INT64,
	TV_PARQUET_INT96,
	TV_PARQUET_FLOAT,
	TV_PARQUET_DOUBLE,
	TV_PARQUET_BYTE_ARRAY,
	TV_PARQUET_FIXED,
	TV_PARQUET_NTYPES
};

enum tv_parquet_encoding {
	TV_PARQUET_PLAIN = 0,
	TV_PARQUET_PLAIN_DICTIONARY = 2,
	TV_PARQUET_RLE = 3,
	TV_PARQUET_DELTA_BINARY_PACKED = 5,
	TV_PARQUET_DELTA_LENGTH = 6,
	TV_PARQUET_DELTA_BYTE_ARRAY = 7,
	TV_PARQUET_DICTIONARY = 8,
	TV_PARQUET_BYTE_STREAM_SPLIT = 9
};

/* A value as it is in the file: a number, or bytes that somebody else owns. */
struct tv_parquet_value {
	union {
		int64_t i; /* BOOLEAN, INT32, INT64 */
		double d;  /* FLOAT, DOUBLE */
		size_t n;  /* bytes of s: INT96, BYTE_ARRAY, FIXED */
	};
	const char *s;
};

/* Runs of equal values and groups of bits, which alternate. */
struct tv_hybrid {
	const unsigned char *at, *end; /* at: behind the run */
	unsigned width;
	uint64_t left; /* of the run */
	bool packed;
	uint32_t value;
	const unsigned char *bits; /* up to `at`: the groups; the next value is at that bit */
	uint64_t bit;
};

/* Differences in blocks: each is `parts` parts of `part` values, with a width each. */
struct tv_delta {
	const unsigned char *at, *end; /* at: behind the part that is read */
	uint64_t left, parts, part;
	uint64_t value, min;
	bool first;
	const unsigned char *width,
		*bits; /* those of the parts left in the block; where the part begins */
	uint64_t parts_left, in_part; /* ... and values left in the part */
};

enum { TV_PARQUET_LENGTHS = 64 };

/* Lengths, which are differences, decoded many at a time. */
struct tv_parquet_lengths {
	struct tv_delta delta;
	int64_t length[TV_PARQUET_LENGTHS];
	unsigned n, next; /* of length[] */
};

/* The values of a page. */
struct tv_parquet_decoder {
	enum tv_parquet_encoding encoding;
	enum tv_parquet_type type;
	size_t width; /* bytes of a value of fixed length */
	const unsigned char *at, *end;
	unsigned bit; /* of PLAIN truth values */
	struct tv_hybrid hybrid;
	struct tv_delta delta;
	struct tv_parquet_lengths prefix,
		suffix;	      /* of texts; without DELTA_BYTE_ARRAY only the last */
	size_t split, nsplit; /* BYTE_STREAM_SPLIT */
	char split_value[16];
	const struct tv_parquet_value *dictionary;
	size_t ndictionary;
	char **last; /* DELTA_BYTE_ARRAY: the value before, in memory of the caller */
	size_t *last_n, *last_cap;
};

/* Bits of numbers up to a max. */
static inline unsigned tv_parquet_bits(uint32_t max)
{
	return max == 0 ? 0 : 32 - (unsigned)__builtin_clz(max);
}

struct tv_hybrid tv_hybrid_init(const unsigned char *at, const unsigned char *end, unsigned width);
/* The next n values; false: the bytes end. */
bool tv_hybrid_take(struct tv_hybrid *h, uint32_t *value, size_t n);
/* Whether the next n values are known to be this one: they are taken then. */
bool tv_hybrid_skip(struct tv_hybrid *h, uint32_t value, size_t n);

/* Begins with at, end, encoding, type, width, dictionary and last set; max: the number of values that there may be.
 * NULL, or what is wrong. */
const char *tv_parquet_decoder_init(struct tv_parquet_decoder *d, uint64_t max);
/* The next value, valid until the next one; false: damaged, or there is none. */
bool tv_parquet_decode(struct tv_parquet_decoder *d, struct tv_parquet_value *value);
/* The next n values at once: of INT32 and INT64 numbers, of FLOAT and DOUBLE the bits of doubles; places in the dictionary,
 * of a page that has them. */
bool tv_parquet_decode_numbers(struct tv_parquet_decoder *d, int64_t *number, size_t n);
bool tv_parquet_decode_places(struct tv_parquet_decoder *d, uint32_t *place, size_t n);
/* Whether the next n > 0 places are known to be the same one: they are taken then. */
bool tv_parquet_decode_same(struct tv_parquet_decoder *d, uint32_t *place, size_t n);
bool tv_parquet_has_places(const struct tv_parquet_decoder *d);
/* Whether all values that the page counts have been taken. */
bool tv_parquet_decoder_ended(const struct tv_parquet_decoder *d);

#endif
