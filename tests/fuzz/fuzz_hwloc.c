/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_hwloc.c -- the XML of hwloc. */
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	fuzz_begin(data, n);
	fuzz_file("in.txt", data, n);
	fuzz_use("hwloc", "in.txt");
	return 0;
}
