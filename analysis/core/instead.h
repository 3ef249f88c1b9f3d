/* SPDX-License-Identifier: GPL-3.0-or-later */
/* instead.h -- what can be asked of a trace that lacks what a verb needs. */
#ifndef TV_INSTEAD_H
#define TV_INSTEAD_H

#include "trace/error.h"
#include "trace/trace.h"

/*
 * Names, for each table of the trace, the verbs that use it, and for states and variables the types that exist:
 * "it has tasks (diagnose, summary), states (...)". failed: a message "VERB: ..." of a verb that is not named then; NULL = none.
 * Never NULL; to be freed. Cost O(rows).
 */
char *tv_instead(const struct tv_trace *trace, const char *failed);

/* A failure because the trace lacks something: the message, "; " and what it has instead. Returns -1. */
int tv_fail_lacks(struct tv_error *err, const struct tv_trace *trace, const char *format, ...)
	TV_PRINTF(3, 4);

#endif
