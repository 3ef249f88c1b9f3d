/* SPDX-License-Identifier: GPL-3.0-or-later */
/* row-groups.c -- row-groups ROWS TRACE FOLDER: the tables of a trace in Parquet, with groups of at most so many rows. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "convert/formats.h"
#include "convert/parquet/parquet.h"
#include "trace/alloc.h"

static int write_table(struct tv_trace *trace, enum tv_table_id id, uint32_t rows,
		       const char *folder, struct tv_error *err)
{
	char *path = tv_format("%s/%s.parquet", folder, tv_schema[id].name);
	struct tv_output out;
	int rc = 0;

	if (trace->table[id].nrows > 0) {
		tv_native_require(trace, id);
		rc = tv_output_open(&out, path, err) < 0
				  || tv_parquet_write_groups(&trace->table[id], tv_schema[id].name,
							     "Start", rows, &out, err)
					     < 0
				  || tv_output_commit(&out, err) < 0
			   ? -1
			   : 0;
	}
	tv_free(path);
	return rc;
}

int main(int argc, char **argv)
{
	struct tv_error err = { 0 };
	struct tv_trace trace;
	int rc;

	if (argc != 4)
		return 2;
	tv_trace_init(&trace, NULL);
	mkdir(argv[3], 0777);
	rc = tv_load(argv[2], &trace, NULL, NULL, &err);
	for (int id = 0; rc == 0 && id < TV_NTABLES; id++)
		rc = write_table(&trace, (enum tv_table_id)id, (uint32_t)atol(argv[1]), argv[3],
				 &err);
	tv_trace_release(&trace);
	if (rc != 0)
		fprintf(stderr, "%s\n", err.text);
	return rc != 0;
}
