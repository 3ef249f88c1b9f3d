/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * payload.h -- the data of a report: a header in JSON and typed columns, as docs/html.md has it.
 *
 * Numbers are stored with the lowest byte first, after steps that make them compress better; the
 * reader undoes these from the last to the first.
 */
#ifndef TV_PAYLOAD_H
#define TV_PAYLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/json.h"
#include "views/backends/base91.h"

enum tv_number_type { TV_U8, TV_U16, TV_U32, TV_I32, TV_I64, TV_F32, TV_F64 };

/* Steps, applied in this order. */
enum {
	TV_DELTA = 1,  /* each number minus the one before it, wrapping; the first stays */
	TV_ZIGZAG = 2, /* small ones of both signs get small: 0, -1, 1, -2, ... become 0, 1, 2, 3 */
	TV_SPLIT = 4,  /* all lowest bytes, then all second ones, ... */
};

enum { TV_PAYLOAD_ALIGN = 8 }; /* columns begin at multiples */

/* Zeroed = empty. */
struct tv_payload {
	struct tv_json columns;
	unsigned char *byte;
	size_t n, cap;
	size_t *part, nparts, parts_cap; /* ends of bytes that are alike */
};

/* An order of rows: row[] by place, place[] by row. Its name is that of a column. */
struct tv_stored_order {
	char *name;
	uint32_t *row, *place;
	size_t n;
};

/* What was subtracted from the numbers of a column, for small ones to be left: the numbers of
 * another one (minus: their negative), of the same row, or of the rows that the column `at` names,
 * where it names one. */
struct tv_plus {
	const char *name, *at; /* columns of the payload; at NULL: the same row */
	bool minus;
	double scale; /* floor(scale * number), below 2^53; 0: the number itself */
};

/* What may make a column smaller; it is used where it does. Zeroed: nothing. */
struct tv_coding {
	const struct tv_stored_order *order; /* of its rows, or of the rows that its values are */
	size_t norders;
	bool rows;		    /* the values are numbers of rows, or TV_NONE */
	bool first;		    /* the first order is taken in any case */
	const uint32_t *key;	    /* values with equal keys are near to each other, or NULL */
	const char *like, *like_at; /* the column of the keys; that of the rows in it, or NULL */
	const struct tv_plus *plus;
	size_t nplus;
};

size_t tv_number_size(enum tv_number_type type);
/* Appends a column of that name (plain text, unique), in the form that takes fewest bytes, by a
 * sample of it; values: n of the type. coding: may be NULL. */
void tv_payload_add(struct tv_payload *payload, const char *name, enum tv_number_type type,
		    const void *values, size_t n, const struct tv_coding *coding);
/* About how many bytes a column of i64 takes in that form. */
double tv_payload_cost(const int64_t *values, size_t n, const struct tv_coding *coding);
/* Appends an order. of: a column; without value[], its numbers by row, the order is theirs and
 * nothing is stored. With them it is that in which the column is stored, given by the rank of each
 * of its numbers. Missing numbers have the highest value. */
void tv_payload_add_order(struct tv_payload *payload, const struct tv_stored_order *order,
			  const char *of, const int64_t *value);
/* Bits of n bytes of which so many are 0, 1, ..., each as long as it is frequent. */
double tv_byte_bits(const unsigned count[256], unsigned n);
/* n numbers after the steps: n times the type's size in bytes, to out. For the unit test too. */
void tv_number_encode(enum tv_number_type type, const void *values, size_t n, unsigned steps,
		      unsigned char *out);
/*
 * The whole, compressed, as text (base91.h). header: members of an object, without braces, before the
 * columns. Returns how many characters that were.
 */
uint64_t tv_payload_write(struct tv_payload *payload, const struct tv_json *header,
			  struct tv_output *out);
void tv_payload_release(struct tv_payload *payload);

#endif
