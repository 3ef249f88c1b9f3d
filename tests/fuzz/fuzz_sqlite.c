/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_sqlite.c -- a database of a GPU profiler. */
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	fuzz_begin(data, n);
	fuzz_file("in.db", data, n);
	fuzz_use("sqlite", "in.db");
	return 0;
}
