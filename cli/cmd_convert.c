/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_convert.c -- traceviz convert: a trace as CSV tables. */
#include <string.h>

#include "cli/cli.h"
#include "convert/formats.h"
#include "trace/alloc.h"
#include "trace/csv.h"

/* A table without rows still has the header that its readers expect. */
static void require_columns(struct tv_trace *trace, enum tv_table_id id)
{
	for (size_t i = 0; i < tv_schema[id].nfields; i++)
		if (tv_schema[id].field[i].required)
			tv_trace_column(trace, id, tv_schema[id].field[i].name);
}

static int write_file(const struct tv_table *table, const char *path, struct tv_error *err)
{
	struct tv_output out;

	if (tv_output_open(&out, path, err) < 0)
		return -1;
	tv_csv_write(table, NULL, 0, &out);
	return tv_output_commit(&out, err);
}

static bool is_table(const void *context, const char *name)
{
	(void)context;
	return tv_native_table(name) != TV_NTABLES;
}

/* The output folder may contain other tables, which are replaced, and nothing else: a reader would
 * mix the remaining files with the tables. */
static int check_folder(const char *folder, struct tv_error *err)
{
	return tv_check_folder(folder, is_table, NULL, "table", err);
}

/* A table with rows is written; other files of its name disappear. */
static int add_table(struct tv_outputs *set, struct tv_trace *trace, enum tv_table_id id,
		     const char *folder, struct tv_error *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < TV_COUNT(tv_native_suffix); i++) {
		char *path = tv_format("%s/%s%s", folder, tv_schema[id].name, tv_native_suffix[i]);
		struct tv_output *out;

		if (i > 0 || trace->table[id].nrows == 0) {
			rc = tv_outputs_remove(set, path, err);
		} else if ((out = tv_outputs_add(set, path, err)) == NULL) {
			rc = -1;
		} else {
			require_columns(trace, id);
			tv_csv_write(&trace->table[id], NULL, 0, out);
			rc = tv_output_finish(out, err);
		}
		tv_free(path);
	}
	return rc;
}

/* All tables, or the folder stays as it was. meta.csv, which says what the others are, is the last
 * to get its name. */
static int write_folder(struct tv_trace *trace, const char *folder, struct tv_error *err)
{
	struct tv_outputs set = { 0 };
	int rc = check_folder(folder, err);

	if (rc == 0)
		rc = tv_outputs_folder(&set, folder, err);
	for (int id = 0; rc == 0 && id < TV_NTABLES; id++)
		if (id != TV_META)
			rc = add_table(&set, trace, (enum tv_table_id)id, folder, err);
	if (rc == 0)
		rc = add_table(&set, trace, TV_META, folder, err);
	if (rc == 0)
		return tv_outputs_commit(&set, err);
	tv_outputs_abort(&set);
	return rc;
}

/* The writer that --to or the ending of the output asks for; NULL = CSV. */
static int find_writer(const struct tv_cli *cli, const struct tv_writer **writer,
		       struct tv_error *err)
{
	const struct tv_writer *of_path = tv_writer_of_path(cli->output);

	*writer = cli->to != NULL ? tv_writer_find(cli->to) : of_path;
	if (of_path != NULL && *writer != of_path)
		return tv_fail_usage(err, "--to %s contradicts the ending of -o '%s'", cli->to,
				     cli->output);
	if (cli->rec_dialect != NULL && *writer != &tv_rec_writer)
		return tv_fail_usage(err, "--rec-dialect is for --to rec");
	return 0;
}

/* The tasks in another format than CSV. */
static int write_other(const struct tv_cli *cli, const struct tv_writer *writer,
		       struct tv_error *err)
{
	bool single = strcmp(cli->output, "-") == 0 || tv_writer_of_path(cli->output) != NULL;
	struct tv_diagnostics notes = { 0 };
	struct tv_session session;
	int rc;

	/* Before the work, and again after it. */
	if (!single && tv_check_export(writer, cli->output, err) < 0)
		return -1;
	rc = tv_session_open(&session, cli, err);
	if (rc == 0) {
		struct tv_export export = { &session.trace, cli->rec_dialect, &notes };

		rc = tv_write_trace(writer, &export, cli->output, single, err);
	}
	if (rc == 0)
		tv_print_diagnostics(cli, &notes);
	tv_diagnostics_release(&notes);
	tv_session_close(&session);
	return rc;
}

int tv_cmd_convert(const struct tv_cli *cli, struct tv_error *err)
{
	const char *to = cli->output;
	size_t n = to != NULL ? strlen(to) : 0;
	const struct tv_writer *writer = NULL;
	struct tv_session session;
	bool single;
	int rc;

	if (to == NULL)
		return tv_fail_usage(
			err, "convert needs -o DIR, -o FILE.csv or -o -; try 'traceviz convert "
			     "--help'");
	if (find_writer(cli, &writer, err) < 0)
		return -1;
	if (writer != NULL)
		return write_other(cli, writer, err);
	if (n > 4 && strstr(to, ".csv.") != NULL && to[n - 1] != '/')
		return tv_fail_usage(
			err, "-o '%s', expected a folder, FILE.csv or - (pipe - to gzip or zstd)",
			to);
	single = strcmp(to, "-") == 0 || (n > 4 && strcmp(to + n - 4, ".csv") == 0);
	/* Before the work, and again after it. */
	if (!single && check_folder(to, err) < 0)
		return -1;
	rc = tv_session_open(&session, cli, err);
	if (rc == 0 && single && session.trace.table[TV_TASKS].nrows == 0)
		rc = tv_fail(err, "the trace has no tasks, and a single CSV contains only tasks; "
				  "convert to a folder instead");
	if (rc == 0)
		rc = single ? write_file(&session.trace.table[TV_TASKS], to, err)
			    : write_folder(&session.trace, to, err);
	if (rc == 0 && single)
		tv_print_hint(cli, session.trace.table[TV_TASKS].nrows);
	tv_session_close(&session);
	return rc;
}
