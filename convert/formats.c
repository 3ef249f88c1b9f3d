/* SPDX-License-Identifier: GPL-3.0-or-later */
/* formats.c -- the tables of formats: input, best first (what a folder with several is read as); output. */
/*
 * To add a format NAME:
 *  1. Write convert/NAME.c (several files: convert/NAME/) with its struct tv_reader: a function that
 *     recognizes the format by its first bytes, no stricter than the reader, which counts damaged
 *     lines (tests/cli/recognize.t); and one that appends what a file contains to a trace: rows with
 *     tv_trace_column, tv_table_add_row and tv_set_*, damage with tv_damaged (recutils is short).
 *     Its member brings says what traces have of it, for help formats (tests/cli/formats.t).
 *     Times, kinds, nodes and order are completed for all formats in trace/complete.c.
 *  2. Declare the reader in formats.h and add it here. --format, --help and info follow.
 *  3. Describe it in docs/formats/NAME.md, and test it: tests/unit/test_NAME.c, tests/cli/NAME.t,
 *     a small committed sample, a fuzz target in tests/fuzz.
 */
#include "convert/formats.h"

const struct tv_reader *const tv_readers[] = {
	&tv_native_reader,  &tv_parquet_reader, &tv_fxt_reader,
#ifdef TV_HAVE_FXT
	&tv_fxt_lib_reader,
#endif
	&tv_paje_reader,    &tv_dump_reader,	&tv_recutils_reader, &tv_log_reader,
	&tv_dot_reader,	    &tv_mpip_reader,	&tv_nbc_reader,	     &tv_hmon_reader,
	&tv_hwloc_reader,   &tv_chrome_reader,	&tv_table_reader,    &tv_sqlite_reader,
	&tv_rocprof_reader, &tv_paraver_reader, &tv_otf2_reader,
};
const size_t tv_nreaders = TV_COUNT(tv_readers);

const char *const tv_thing_word[] = {
#define TV_THING_WORD(symbol, word) (word),
	TV_THINGS(TV_THING_WORD)
#undef TV_THING_WORD
};

/* Formats that are written besides CSV. To add one, write its struct tv_writer and add it here; --to
 * and the help follow. */
const struct tv_writer *const tv_writers[] = {
	&tv_rec_writer,
	&tv_dot_writer,
	&tv_chrome_writer,
	&tv_sqlite_writer,
};
const size_t tv_nwriters = TV_COUNT(tv_writers);
