/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_dot.c -- a graph in DOT; behind a line "%%%%" that of another region. */
#include <sys/stat.h>

#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const char mark[] = "\n%%%%\n";
	size_t at = fuzz_find(data, n, mark);

	fuzz_begin(data, n);
	mkdir("in", 0700);
	fuzz_file("in/0.dot", data, at < n ? at + 1 : n);
	if (at == n) {
		fuzz_use("dot", "in/0.dot");
		return 0;
	}
	at += sizeof mark - 1;
	fuzz_file("in/1.dot", data + at, n - at);
	fuzz_use("dot", "in");
	return 0;
}
