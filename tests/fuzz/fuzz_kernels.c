/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_kernels.c -- a file for --kernels. */
#include "tests/fuzz/fuzz.h"

#include "trace/kernels.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const char *const name[] = { "dgemm", "DPOTRF_cpu", "", "a*b", "_starpu_x" };
	struct tv_kernels kernels;
	struct tv_error err;

	fuzz_begin(data, n);
	fuzz_file("kernels.csv", data, n);
	if (tv_kernels_init(&kernels, "kernels.csv", &err) == 0)
		for (size_t i = 0; i < TV_COUNT(name); i++)
			tv_kernels_match(&kernels, name[i]);
	tv_kernels_release(&kernels);
	return 0;
}
