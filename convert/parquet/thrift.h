/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * thrift.h -- Thrift's compact protocol, from bytes in memory.
 *
 * Nothing is trusted: what does not fit into the bytes sets `bad`, and from then on there are no more fields, lists are
 * empty and numbers 0, so that a caller asks once, at the end.
 */
#ifndef TV_THRIFT_H
#define TV_THRIFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tv_thrift {
	const unsigned char *at, *end;
	bool bad;
	bool short_of; /* bad, because the bytes end */
};

enum tv_thrift_type {
	TV_THRIFT_TRUE = 1,
	TV_THRIFT_FALSE,
	TV_THRIFT_BYTE,
	TV_THRIFT_I16,
	TV_THRIFT_I32,
	TV_THRIFT_I64,
	TV_THRIFT_DOUBLE,
	TV_THRIFT_BINARY,
	TV_THRIFT_LIST,
	TV_THRIFT_SET,
	TV_THRIFT_MAP,
	TV_THRIFT_STRUCT
};

struct tv_thrift_field {
	int64_t id;
	int type;
};

/* A text that the bytes own, not closed by NUL. */
struct tv_thrift_text {
	const char *s;
	size_t n;
};

/* The next varint; bad if it is longer than 64 bits. */
uint64_t tv_thrift_varint(struct tv_thrift *t);
int64_t tv_thrift_zigzag(struct tv_thrift *t);

/* The next field of a struct; *field is zeroed before the first one. false: the struct ends, or bad. */
bool tv_thrift_next(struct tv_thrift *t, struct tv_thrift_field *field);
/* The value of a field: a truth value or whole number; a text; the number of elements of a list of that type, each of
 * which takes a byte or more. Another type is bad. */
int64_t tv_thrift_int(struct tv_thrift *t, int type);
struct tv_thrift_text tv_thrift_binary(struct tv_thrift *t, int type);
size_t tv_thrift_list(struct tv_thrift *t, int type, enum tv_thrift_type element);
/* Whether the field is a struct; else bad. */
bool tv_thrift_struct(struct tv_thrift *t, int type);
/* Passes over a value of that type. */
void tv_thrift_skip(struct tv_thrift *t, int type);

#endif
