/* SPDX-License-Identifier: GPL-3.0-or-later */
/* diagnostics.h -- messages about input and results that are no errors: one list, for stderr. */
#ifndef TV_DIAGNOSTICS_H
#define TV_DIAGNOSTICS_H

#include <stdint.h>

#include "trace/error.h"

enum tv_severity {
	TV_NOTE,     /* what was done, e.g. which files of a folder were not used */
	TV_WARNING,  /* what a result does not cover, and why; what is ignored */
	TV_REPAIR,   /* a damaged record that was repaired */
	TV_OMISSION, /* a damaged record that was skipped */
};

struct tv_diagnostic {
	enum tv_severity severity;
	char *file; /* place in an input, as in struct tv_pos; NULL = none */
	long line;
	char *text;	  /* one line */
	uint64_t records; /* this is the first of so many damaged records; 0 = not counted */
};

struct tv_diagnostics {
	struct tv_diagnostic *at; /* in the order of their addition */
	size_t n, cap;
};

/* Adds a message; a warning only if the list does not contain it yet. */
void tv_diagnose(struct tv_diagnostics *list, enum tv_severity severity, struct tv_pos at,
		 const char *format, ...) TV_PRINTF(4, 5);
/* The whole line, "FILE:LINE: TEXT (N records skipped, this is the first)", cut to size. Returns
 * out. */
char *tv_diagnostic_line(char *out, size_t size, const struct tv_diagnostic *diagnostic);
/* Removes the warnings that contain this text. */
void tv_diagnostics_drop(struct tv_diagnostics *list, const char *text);
void tv_diagnostics_release(struct tv_diagnostics *list); /* safe on a zeroed struct */

#endif
