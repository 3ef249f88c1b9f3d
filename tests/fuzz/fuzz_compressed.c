/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_compressed.c -- a file of any format, plain or compressed, recognized by its content. */
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	fuzz_begin(data, n);
	fuzz_file("trace", data, n);
	fuzz_use(NULL, "trace");
	return 0;
}
