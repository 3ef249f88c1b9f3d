/* SPDX-License-Identifier: GPL-3.0-or-later */
/* temporary.h -- our own tables in CSV that do not fit into memory, as a copy that can be read in parts (parts.h). */
#ifndef TV_TEMPORARY_H
#define TV_TEMPORARY_H

#include "cli/cli.h"

/* Zeroed = none. */
struct tv_temporary {
	struct tv_unfinished *folder;
	struct tv_trace_argument of, as; /* the trace, and the copy in its place */
};

/* Makes the copy, of a trace that err says is too large, in a folder in TMPDIR, and lets the command line read it. Nothing where it would
 * be of no use, as parts are no way, or the trace is one already. -1 with *err, also for --no-temp. */
int tv_temporary_make(struct tv_temporary *temporary, struct tv_cli *reading,
		      struct tv_error *err) TV_MUST_CHECK;
/* An error about the copy becomes one about the trace. */
void tv_temporary_blame(const struct tv_temporary *temporary, struct tv_error *err);
/* Deletes it, once nobody reads it. */
void tv_temporary_end(struct tv_temporary *temporary);

#endif
