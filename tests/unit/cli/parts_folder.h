/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parts_folder.h -- what tests of traces that are read in parts share: a folder of small groups of rows in Parquet. */
#ifndef TV_PARTS_FOLDER_H
#define TV_PARTS_FOLDER_H

#include "tests/unit/unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "convert/parquet/parquet.h"

static char folder[] = "/tmp/test_parts.XXXXXX";

/* Reads tasks from CSV, and leaves its rows in their order. */
static inline void parts_read(struct tv_trace *trace, const char *csv)
{
	struct tv_error err = { 0 };
	struct tv_input in;

	tv_trace_init(trace, NULL);
	tv_input_memory(&in, "test.csv", csv, strlen(csv));
	if (tv_native_reader.read(trace, &in, &err) < 0 || tv_trace_complete(trace, &err) < 0)
		fail_msg("line %ld: %s", err.line, err.text);
	tv_input_close(&in);
}

/* Makes the tables of folder/run those of the trace, so many rows in a group; those without rows are deleted. */
static inline void parts_write(struct tv_trace *trace, uint32_t rows)
{
	for (int id = 0; id < TV_NTABLES; id++) {
		char *path = tv_format("%s/run/%s.parquet", folder, tv_schema[id].name);
		struct tv_error err = { 0 };
		struct tv_output out;

		unlink(path);
		if (trace->table[id].nrows > 0) {
			tv_native_require(trace, (enum tv_table_id)id);
			tv_table_finish(&trace->table[id]);
			if (tv_output_open(&out, path, &err) < 0
			    || tv_parquet_write_groups(
				       &trace->table[id], tv_schema[id].name, "Start",
				       id == TV_RESOURCES || id == TV_META ? 131072 : rows, &out,
				       &err)
				       < 0
			    || tv_output_commit(&out, &err) < 0)
				fail_msg("%s", err.text);
		}
		tv_free(path);
	}
}

/* The words of a command, up to NULL or `most` of them, with the path of a trace behind. */
static inline struct tv_cli parts_parse(const char *const *word, int most, const char *path)
{
	char **argv = tv_alloc((size_t)most + 3, sizeof *argv);
	struct tv_error err = { 0 };
	struct tv_cli cli;
	int n = 1;

	argv[0] = (char *)(uintptr_t) "traceviz";
	for (; n <= most && word[n - 1] != NULL; n++)
		argv[n] = (char *)(uintptr_t)word[n - 1];
	argv[n++] = (char *)(uintptr_t)path;
	if (tv_cli_parse(&cli, n, argv, &err) < 0)
		fail_msg("%s", err.text);
	tv_free(argv);
	return cli;
}

/* Before and after all tests: the folder, and `run` in it. */
static inline int parts_begin(void **state)
{
	char *run;

	(void)state;
	if (mkdtemp(folder) == NULL)
		return -1;
	run = tv_format("%s/run", folder);
	mkdir(run, 0700);
	tv_free(run);
	return 0;
}

static inline int parts_end(void **state)
{
	char *run = tv_format("%s/run", folder);
	struct tv_trace none;

	(void)state;
	tv_trace_init(&none, NULL);
	parts_write(&none, 1);
	tv_trace_release(&none);
	rmdir(run);
	tv_free(run);
	return rmdir(folder);
}

#endif
