/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tables.c -- writes the tables of a trace into a folder, or its tasks into one file: CSV or Parquet. */
#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "convert/formats.h"
#include "convert/parquet/parquet.h"
#include "convert/partition/partition.h"
#include "trace/alloc.h"
#include "trace/csv.h"
#include "trace/text.h"
#include "trace/timings.h"

static int write_table(const struct tv_trace *trace, enum tv_table_id id, bool parquet,
		       struct tv_output *out, struct tv_error *err)
{
	if (parquet)
		return tv_parquet_write(&trace->table[id], tv_schema[id].name, "input", out, err);
	tv_csv_write(&trace->table[id], NULL, 0, out);
	return 0;
}

static int write_file(const struct tv_trace *trace, bool parquet, const char *path,
		      struct tv_error *err)
{
	struct tv_output out;

	if (tv_output_open(&out, path, err) < 0)
		return -1;
	if (write_table(trace, TV_TASKS, parquet, &out, err) == 0)
		return tv_output_commit(&out, err);
	tv_output_abort(&out);
	return -1;
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
	for (int id = 0; id < TV_NTABLES; id++)
		if (tv_partition_has(folder, (enum tv_table_id)id))
			return tv_fail_usage(err,
					     "-o '%s': the folder has parts of %s, expected a new "
					     "folder",
					     folder, tv_schema[id].name);
	return tv_check_folder(folder, is_table, NULL, "table", err);
}

/* A table with rows is written; other files of its name disappear. */
static int add_table(struct tv_outputs *set, struct tv_trace *trace, enum tv_table_id id,
		     const char *folder, bool parquet, struct tv_error *err)
{
	size_t written = parquet ? TV_COUNT(tv_native_suffix) - 1 : 0;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < TV_COUNT(tv_native_suffix); i++) {
		char *path = tv_format("%s/%s%s", folder, tv_schema[id].name, tv_native_suffix[i]);
		struct tv_output *out;

		if (i != written || trace->table[id].nrows == 0) {
			rc = tv_outputs_remove(set, path, err);
		} else if ((out = tv_outputs_add(set, path, err)) == NULL) {
			rc = -1;
		} else {
			tv_native_require(trace, id);
			rc = write_table(trace, id, parquet, out, err);
			if (rc == 0)
				rc = tv_output_finish(out, err);
		}
		tv_free(path);
	}
	return rc;
}

static void say_left_out(const struct tv_cli *cli, const struct tv_trace *trace, bool parquet)
{
	struct tv_diagnostics notes = { 0 };

	tv_note_left_out(trace, 1u << TV_TASKS, parquet ? "--to parquet -o DIR" : "-o DIR", &notes);
	tv_print_diagnostics(cli, &notes);
	tv_diagnostics_release(&notes);
}

/* All tables, or the folder stays as it was. meta, which says what the others are, is the last
 * to get its name. */
static int write_folder(struct tv_trace *trace, const char *folder, bool parquet,
			struct tv_error *err)
{
	struct tv_outputs set = { 0 };
	int rc = check_folder(folder, err);

	if (rc == 0)
		rc = tv_outputs_folder(&set, folder, err);
	for (int id = 0; rc == 0 && id < TV_NTABLES; id++)
		if (id != TV_META)
			rc = add_table(&set, trace, (enum tv_table_id)id, folder, parquet, err);
	if (rc == 0)
		rc = add_table(&set, trace, TV_META, folder, parquet, err);
	if (rc == 0)
		return tv_outputs_commit(&set, err);
	tv_outputs_abort(&set);
	return rc;
}

const char *tv_native_ending(const char *to)
{
	return tv_ends_in(to, ".csv") ? "csv" : tv_ends_in(to, ".parquet") ? "parquet" : NULL;
}

bool tv_is_single(const char *to)
{
	return strcmp(to, "-") == 0 || tv_native_ending(to) != NULL;
}

int tv_check_ending(const char *to, const char *expected, struct tv_error *err)
{
	static const char *const foreign[] = {
		"arrow", "db",	 "dot",	   "eps",  "feather", "gz",	 "htm",	  "html",
		"jpeg",	 "jpg",	 "json",   "ods",  "paje",    "parquet", "pdf",	  "png",
		"ps",	 "rec",	 "sqlite", "svg",  "tar",     "tex",	 "trace", "tsv",
		"txt",	 "xlsx", "xml",	   "yaml", "zip",     "zst",
	};
	const char *slash = strrchr(to, '/'), *dot = strrchr(slash != NULL ? slash : to, '.');
	struct stat st;

	for (size_t i = 0; dot != NULL && i < TV_COUNT(foreign); i++)
		if (strcasecmp(dot + 1, foreign[i]) == 0
		    && (stat(to, &st) < 0 || S_ISREG(st.st_mode)))
			return tv_fail_usage(err, "-o '%s': nothing is written as %s, expected %s",
					     to, dot, expected);
	return 0;
}

int tv_check_tables(const char *to, struct tv_error *err)
{
	const char *slash = strrchr(to, '/');

	if (tv_is_single(to))
		return 0;
	if (strstr(slash != NULL ? slash : to, ".csv.") != NULL)
		return tv_fail_usage(
			err, "-o '%s', expected a folder, FILE.csv or - (pipe - to gzip or zstd)",
			to);
	if (tv_check_ending(to,
			    "a folder, FILE.csv, FILE.parquet or -, or convert's FILE.rec, "
			    "FILE.dot, FILE.json or FILE.sqlite",
			    err)
	    < 0)
		return -1;
	return check_folder(to, err);
}

int tv_write_tables(const struct tv_cli *cli, struct tv_trace *trace, const char *to,
		    struct tv_error *err)
{
	const char *format = cli->to != NULL ? cli->to : tv_native_ending(to);
	bool parquet = format != NULL && strcmp(format, "parquet") == 0;
	TV_STAGE("writing", NULL);

	tv_trace_as_read(trace);
	if (!tv_is_single(to))
		return write_folder(trace, to, parquet, err);
	if (trace->table[TV_TASKS].nrows == 0)
		return tv_fail(err, "the trace has no tasks, and a single CSV contains only tasks; "
				    "convert to a folder instead");
	if (write_file(trace, parquet, to, err) < 0)
		return -1;
	say_left_out(cli, trace, parquet && cli->verb.run == tv_cmd_convert);
	tv_print_hint(cli, trace->table[TV_TASKS].nrows);
	return 0;
}

int tv_write_run(const struct tv_cli *cli, struct tv_trace *trace, struct tv_error *err)
{
	const struct tv_table *tasks = &trace->table[TV_TASKS];

	return cli->output != NULL ? tv_write_tables(cli, trace, cli->output, err)
				   : tv_print_table(cli, tasks, NULL, tasks->nrows, err);
}
