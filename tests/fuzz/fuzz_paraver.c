/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_paraver.c -- traces of Paraver: the records alone, then with the input as their names. */
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	fuzz_begin(data, n);
	fuzz_file("in.prv", data, n);
	fuzz_use("paraver", "in.prv");
	fuzz_file("in.pcf", data, n);
	fuzz_file("in.row", data, n);
	fuzz_use("paraver", "in.prv");
	return 0;
}
