/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_hmon.c -- a trace of hierarchical monitors. */
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	fuzz_begin(data, n);
	fuzz_file("in.txt", data, n);
	fuzz_use("hmon", "in.txt");
	return 0;
}
