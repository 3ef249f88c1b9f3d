/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * output.h -- files that appear whole or not at all.
 *
 * Bytes go to a temporary file beside the target, which tv_output_commit syncs and renames. "-" is
 * standard output; targets that exist and are not regular files (/dev/null, pipes) are written
 * directly.
 */
#ifndef TV_OUTPUT_H
#define TV_OUTPUT_H

#include <stddef.h>

#include "trace/error.h"

struct tv_output {
	char *path, *temporary;
	int fd;
	int failed;		/* errno of the first failed write */
	char *buffer;
	size_t n;
};

int tv_output_open(struct tv_output *out, const char *path, struct tv_error *err) TV_MUST_CHECK;
/* Appends n bytes. A failure is kept and reported by tv_output_commit. */
void tv_output_write(struct tv_output *out, const void *bytes, size_t n);
void tv_output_text(struct tv_output *out, const char *text);
void tv_output_format(struct tv_output *out, const char *format, ...) TV_PRINTF(2, 3);
/* Ends the output: 0 when everything is on disk under its name; -1 with *err and nothing left
 * behind. *out is released in both cases. A closed pipe (EPIPE) is not an error. */
int tv_output_commit(struct tv_output *out, struct tv_error *err) TV_MUST_CHECK;
/* Gives up: removes the temporary file. Safe on a zeroed struct and after commit. */
void tv_output_abort(struct tv_output *out);

#endif
