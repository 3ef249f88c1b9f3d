/* SPDX-License-Identifier: GPL-3.0-or-later */
/* encode.h -- bytes of a Parquet file: Thrift's compact protocol, runs, differences, compression; each appends to an output. */
#ifndef TV_PARQUET_ENCODE_H
#define TV_PARQUET_ENCODE_H

#include <stdint.h>

#include "convert/parquet/thrift.h"
#include "trace/output.h"

/* A struct that is written, in an output: its fields in the order of their numbers. */
struct tv_thrift_out {
	struct tv_output *out;
	int last[8]; /* number of the field before, of each struct that is open */
	int depth;
};

void tv_thrift_put_int(struct tv_thrift_out *t, int id, enum tv_thrift_type type, int64_t value);
void tv_thrift_put_text(struct tv_thrift_out *t, int id, const void *text, size_t n);
/* A truth value. */
void tv_thrift_put_bool(struct tv_thrift_out *t, int id, bool value);
/* Begins a list of n elements; each of them, a struct, between begin (id 0) and end. */
void tv_thrift_put_list(struct tv_thrift_out *t, int id, enum tv_thrift_type element, size_t n);
void tv_thrift_begin(struct tv_thrift_out *t, int id);
void tv_thrift_end(struct tv_thrift_out *t);
/* Elements of a list that are no structs. */
void tv_thrift_put_element(struct tv_thrift_out *t, const char *text);
void tv_thrift_put_number(struct tv_thrift_out *t, int64_t value);

/* Values below 2^width as runs and groups of bits. */
void tv_put_hybrid(struct tv_output *out, const uint32_t *value, size_t n, unsigned width);
/* The same of n equal values. */
void tv_put_run(struct tv_output *out, uint32_t value, size_t n, unsigned width);
/* Whole numbers as differences. */
void tv_put_delta(struct tv_output *out, const int64_t *value, size_t n);
/* n <= 8 bytes of a number, the lowest first. */
void tv_put_bytes(struct tv_output *out, uint64_t value, size_t n);

#endif
