/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kernels.h -- what kind of task a name is, its short kernel name and its default color.
 *
 * One table, data/kernels.csv (Pattern,Kernel,Kind,Color), is part of the program; --kernels FILE
 * puts rows before it. A pattern is matched without regard to case against the whole name: * any
 * text, ? one character. The first row that matches decides.
 */
#ifndef TV_KERNELS_H
#define TV_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/error.h"

enum tv_kind {
	TV_APP,
	TV_SETUP,
	TV_RUNTIME,
	TV_GHOST,
	TV_MESSAGE,
	TV_PENDING,
	TV_WORKER,
	TV_NKINDS
};

const char *tv_kind_name(enum tv_kind kind);
/* The kind of that name, or -1. */
int tv_kind_find(const char *name);

struct tv_kernel {
	char *pattern, *kernel;
	enum tv_kind kind;
	uint32_t color; /* 0xRRGGBB */
	bool has_color;
	uint64_t letters; /* a set: what a name must have to match */
};

struct tv_kernels {
	struct tv_kernel *row;
	size_t n, cap;
	size_t nextra; /* rows of the extra table, which go first */
};

/* extra: path of a table that goes first, or NULL. */
int tv_kernels_init(struct tv_kernels *kernels, const char *extra,
		    struct tv_error *err) TV_MUST_CHECK;
void tv_kernels_release(struct tv_kernels *kernels);
/* The first row that matches, or NULL. */
const struct tv_kernel *tv_kernels_match(const struct tv_kernels *kernels, const char *name);

#endif
