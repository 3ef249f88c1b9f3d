/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * partition.h -- a folder of Parquet tables of which the large ones are in parts, one for each node:
 *
 *	run/meta.parquet  run/resources.parquet  run/handles.parquet
 *	run/tasks/Node=0/part-0.parquet
 *	run/tasks/Node=__HIVE_DEFAULT_PARTITION__/part-0.parquet	rows without a node
 *
 * A part has its rows in the order of time, those without one first, and the columns of the table without Node, which
 * other programs take from the path; then Row, the number of the row in the table, and of tasks Uses, how many rows of
 * tasks depend on the job. Rows of meta list all parts with their numbers of rows: what is missing is an error. They and
 * these columns are not part of the trace that is read.
 */
#ifndef TV_PARTITION_H
#define TV_PARTITION_H

#include "trace/csv.h"

#define TV_PARTITION_ROWS  "Partition.Rows."  /* key of meta: TABLE/Node=K or TABLE; value: rows */
#define TV_PARTITION_PLACE "Partition.Place." /* ... TABLE; value: columns before its column Node */
#define TV_PARTITION_NONE  "__HIVE_DEFAULT_PARTITION__"
#define TV_PARTITION_FILE  "part-0.parquet"
#define TV_PARTITION_ROW   "Row"
#define TV_PARTITION_USES  "Uses"

/* The name of what is in a folder, hidden files aside, and is not known; the first one, to be freed; NULL = nothing. */
char *tv_folder_other(const char *folder, bool (*known)(const void *context, const char *name),
		      const void *context);

/* ---- writing ---- */

/* Fails (usage) if the folder has files or folders and no meta.parquet: parts are written into a new folder, or into one
 * of the same trace. No folder is fine. */
int tv_partition_check(const char *folder, struct tv_error *err) TV_MUST_CHECK;
/*
 * Writes a complete trace, whose rows are in the order of the input, by the nodes of its rows; meta gets the rows above.
 * node: only the parts of this one (the first one's: also of the rows without a node), as several programs may do at once;
 * NULL = all. Each file appears whole, meta first, so that a folder that is not complete is known as such; notes says what
 * is still missing. Into a folder of the same trace the same bytes are written again; one of another trace is refused.
 */
int tv_partition_write(struct tv_trace *trace, const char *folder, const char *node,
		       struct tv_diagnostics *notes, struct tv_error *err) TV_MUST_CHECK;

/* ---- reading ---- */

/* Whether a table of a folder is in parts. */
bool tv_partition_has(const char *folder, enum tv_table_id id);

struct tv_partitions {
	struct tv_partition {
		enum tv_table_id id;
		char *name; /* "Node=0"; NULL: a table that is one file */
		int64_t rows;
	} * at;
	size_t n, cap;
	size_t place[TV_NTABLES]; /* of Node; SIZE_MAX = not a column */
};

/* Takes the rows above out of meta. -1 with *err: they make no sense. */
int tv_partitions_take(struct tv_partitions *p, struct tv_trace *trace, const char *folder,
		       struct tv_error *err) TV_MUST_CHECK;
void tv_partitions_release(struct tv_partitions *p);
/* Reads a table that is in parts, its rows in the order of the input. 1; 0: the table is not in parts; -1 with *err: a part
 * is missing, is not listed, or has other rows than listed. */
int tv_partitions_read(const struct tv_partitions *p, const char *folder, struct tv_trace *trace,
		       enum tv_table_id id, struct tv_error *err) TV_MUST_CHECK;
/* -1 with *err: a table that is listed and not in parts is empty. */
int tv_partitions_check(const struct tv_partitions *p, const char *folder,
			const struct tv_trace *trace, struct tv_error *err) TV_MUST_CHECK;

#endif
