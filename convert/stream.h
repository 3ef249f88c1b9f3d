/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stream.h -- our own tables, CSV or Parquet, written again without ever being in memory as a whole.
 *
 * Rows keep their order, or get that of Start. Each is checked alone, as when it is read; what rows say of each other (repeated executions,
 * dependencies on jobs that occur nowhere, messages that are early) is not: who reads the result checks it.
 */
#ifndef TV_STREAM_H
#define TV_STREAM_H

#include "trace/trace.h"

struct tv_stream_target {
	const char *path;
	bool folder; /* it exists, and gets TABLE.parquet; else the tasks go to that file, "-" is standard output */
	bool parquet;	/* of a file: or CSV */
	uint64_t nrows; /* of tasks: set */
	/* Of a folder: tables, a bit per enum tv_table_id, that get the order of Start, rows of one Start that of the input and those without
	 * behind them; tasks then have TV_INPUT_ROW. tv_stream fails and adds a table whose rows come in an order in which they are hard
	 * to read in parts (tv_read_options.part): with `ordered` in any other. */
	unsigned sorted;
	bool ordered;
};

/* Reads a file or folder, with the options of a trace that is empty. It has then what reading reported, and meta. -1 with *err, and
 * nothing of the file; what a folder has is the caller's. */
int tv_stream(const char *from, struct tv_stream_target *to, struct tv_trace *trace,
	      void (*progress)(void *context, double share), void *context,
	      struct tv_error *err) TV_MUST_CHECK;

#endif
