/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_rocprof.c -- JSON of rocprofv3. */
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	fuzz_begin(data, n);
	fuzz_file("in.json", data, n);
	fuzz_use("rocprof", "in.json");
	return 0;
}
