/* SPDX-License-Identifier: GPL-3.0-or-later */
/* handle_options.h -- what the passes about data handles share: options, columns. */
#ifndef TV_HANDLE_OPTIONS_H
#define TV_HANDLE_OPTIONS_H

#include "analysis/data/presence.h"

/* --handle and --job. */
#define TV_OPTIONS_OF_HANDLES(structure) \
	{ "handle", "PATTERN", NULL, \
	  "only handles whose address, name or coordinates (such as 3,4) match; * and ? match", \
	  TV_INTO(structure, handle) }, \
	{ \
		"job", "JOB", NULL, "only handles that the task of this JobId accesses", \
			TV_INTO(structure, job) \
	}

/* The columns that tv_handle_write fills. */
#define TV_COLUMNS_OF_HANDLES(X) \
	X(TV_HANDLE_LABEL, "Handle", TV_LABEL, false, "", "data handle, its address") \
	X(TV_HANDLE_NODE, "Node", TV_LABEL, false, "", "node") \
	X(TV_HANDLE_RESOURCE, "ResourceId", TV_LABEL, false, "", "memory node") \
	X(TV_HANDLE_MEMORY, "MemoryNode", TV_INT, false, "", "its number on the node") \
	X(TV_HANDLE_NAME, "Name", TV_LABEL, false, "", "name of the handle") \
	X(TV_HANDLE_COORDINATES, "Coordinates", TV_LIST, false, "", "of the handle") \
	X(TV_HANDLE_SIZE, "Size", TV_INT, false, "bytes", "of the handle")
enum { TV_COLUMNS_OF_HANDLES(TV_COLUMN_ID) TV_HANDLE_COLUMNS };

/* Writes those of a handle on a memory node into to[0..TV_HANDLE_COLUMNS). */
void tv_handle_write(const struct tv_run *run, const struct tv_handle *handle,
		     const struct tv_memory *memory, struct tv_column *const *to, uint32_t row);

/* The presences of the run; NULL with *err, in the name of a verb, where it has no data states. */
const struct tv_presences *tv_run_some_presences(struct tv_run *run, const char *verb,
						 struct tv_error *err);

/* Whether each handle is chosen by --handle and --job (NULL: not given), with neither all of them. Free with tv_free.
 * NULL with *err: no such job. Choosing none is a warning. */
bool *tv_handles_chosen(struct tv_run *run, const char *pattern, const char *job,
			const struct tv_presences *presences, struct tv_error *err);

#endif
