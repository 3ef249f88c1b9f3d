/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_convert.c -- traceviz convert: a trace as CSV tables. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "trace/alloc.h"
#include "trace/csv.h"

/* A table without rows still has the header that its readers expect. */
static int require_columns(struct tv_trace *trace, enum tv_table_id id, struct tv_error *err)
{
	for (size_t i = 0; i < tv_schema[id].nfields; i++)
		if (tv_schema[id].field[i].required
		    && tv_trace_column(trace, id, tv_schema[id].field[i].name, err) == NULL)
			return -1;
	return 0;
}

static int write_table(const struct tv_table *table, const char *path, struct tv_error *err)
{
	struct tv_output out;

	if (tv_output_open(&out, path, err) < 0)
		return -1;
	tv_csv_write(table, NULL, 0, &out);
	return tv_output_commit(&out, err);
}

/* Every table that has rows; one that has none only over an older file of its name, so that a
 * folder never mixes two traces. */
static int write_folder(struct tv_trace *trace, const char *folder, struct tv_error *err)
{
	if (mkdir(folder, 0777) < 0 && errno != EEXIST)
		return tv_fail(err, (struct tv_pos){ folder, 0 }, "cannot create the folder: %s",
			       strerror(errno));
	for (int id = 0; id < TV_NTABLES; id++) {
		char *path = tv_format("%s/%s.csv", folder, tv_schema[id].name);
		struct stat st;
		int rc = 0;

		if (path == NULL)
			return tv_fail_memory(err);
		if (trace->table[id].nrows > 0 || stat(path, &st) == 0)
			rc = require_columns(trace, (enum tv_table_id)id, err) < 0
				   ? -1
				   : write_table(&trace->table[id], path, err);
		tv_free(path);
		if (rc < 0)
			return -1;
	}
	return 0;
}

int tv_cmd_convert(const struct tv_cli *cli, struct tv_error *err)
{
	const char *to = cli->output;
	size_t n = to != NULL ? strlen(to) : 0;
	struct tv_session session;
	bool single;
	int rc;

	if (to == NULL)
		return tv_fail_usage(
			err, "convert needs -o DIR, -o FILE.csv or -o -; try 'traceviz convert "
			     "--help'");
	if (n > 4 && strstr(to, ".csv.") != NULL && to[n - 1] != '/')
		return tv_fail_usage(
			err, "-o '%s', expected a folder, FILE.csv or - (pipe - to gzip or zstd)",
			to);
	single = strcmp(to, "-") == 0 || (n > 4 && strcmp(to + n - 4, ".csv") == 0);
	rc = tv_session_open(&session, cli, err);
	if (rc == 0 && single && session.trace.table[TV_TASKS].nrows == 0)
		rc = tv_fail(err, (struct tv_pos){ 0 },
			     "the trace has no tasks, which is what a single CSV holds; "
			     "convert to a folder instead");
	if (rc == 0)
		rc = single ? write_table(&session.trace.table[TV_TASKS], to, err)
			    : write_folder(&session.trace, to, err);
	tv_session_close(&session);
	return rc;
}
