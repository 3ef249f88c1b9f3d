/* SPDX-License-Identifier: GPL-3.0-or-later */
/* formats.c -- the table of input formats, best first: what a folder with several is read as. */
/*
 * To add a format NAME:
 *  1. Write convert/NAME.c (several files: convert/NAME/) with a function that recognizes the format
 *     by its first bytes and one that appends what a file contains to a trace: rows with
 *     tv_trace_column, tv_table_add_row and tv_set_*, damage with tv_damaged (recutils is short).
 *     Times, kinds, nodes and order are completed for all formats in trace/complete.c.
 *  2. Declare both in formats.h and add a row here. --format, --help and info follow the row.
 *  3. Describe it in docs/formats/NAME.md, and test it: tests/unit/test_NAME.c, tests/cli/NAME.t,
 *     a small committed sample, a fuzz target in tests/fuzz.
 */
#include "convert/formats.h"

const struct tv_reader tv_readers[] = {
	{ "csv", "traceviz's own CSV: a tasks table, or a folder of tables", tv_native_probe,
	  tv_native_read, NULL, NULL, 8, false },
	{ "fxt", "StarPU's FxT trace (prof_file_USER_RANK), one file per rank", tv_fxt_probe,
	  tv_fxt_read, tv_fxt_finish, NULL, 6, true },
	{ "fxt-libfxt", "the same, read by libfxt, for comparison", tv_fxt_lib_probe,
	  tv_fxt_lib_read, tv_fxt_lib_finish, NULL, 6, true },
	{ "paje", "Paje trace, of StarPU (paje.trace) or any other producer", tv_paje_probe,
	  tv_paje_read, tv_paje_finish, "recutils", 4, false },
	{ "recutils", "StarPU's tasks.rec", tv_recutils_probe, tv_recutils_read, NULL, NULL, 4,
	  false },
};
const size_t tv_nreaders = sizeof tv_readers / sizeof *tv_readers;
