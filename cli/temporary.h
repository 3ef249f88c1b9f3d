/* SPDX-License-Identifier: GPL-3.0-or-later */
/* temporary.h -- our own tables that do not fit into memory, CSV or in another order than that of Start, as a copy that can be read in
 * parts (parts.h). */
#ifndef TV_TEMPORARY_H
#define TV_TEMPORARY_H

#include "cli/cli.h"
#include "trace/spill.h"

/* Zeroed = none. */
struct tv_temporary {
	struct tv_unfinished *folder;
	struct tv_trace_argument of, as; /* the trace, and the copy in its place */
	struct tv_error large;		 /* what was said of the trace */
	bool sorted;			 /* its tasks come by Start, those of the trace do not */
};

/* Makes the copy, of a trace that err says is too large, in a folder in TMPDIR, and lets the command line read it: 1. 0 where it would
 * be of no use: parts are no way, or the trace can be read in parts itself. unordered: it is one of those, but its rows turned out to
 * need another order; called once more then. -1 with *err, also for --no-temp. */
int tv_temporary_make(struct tv_temporary *temporary, struct tv_cli *reading, bool unordered,
		      struct tv_error *err) TV_MUST_CHECK;
/* For lines that are written in the order of the trace, with its rows as keys; NULL = they come in it. */
struct tv_spill *tv_temporary_lines(const struct tv_temporary *temporary);
/* An error about the copy becomes one about the trace. */
void tv_temporary_blame(const struct tv_temporary *temporary, struct tv_error *err);
/* Deletes it, once nobody reads it. */
void tv_temporary_end(struct tv_temporary *temporary);

#endif
