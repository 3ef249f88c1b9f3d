/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_recutils.c -- a tasks.rec; behind a line "%%%%" a data.rec. */
#include <sys/stat.h>

#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const char mark[] = "\n%%%%\n";
	size_t at = fuzz_find(data, n, mark);

	fuzz_begin(data, n);
	mkdir("in", 0700);
	fuzz_file("in/tasks.rec", data, at < n ? at + 1 : n);
	if (at == n) {
		fuzz_use("recutils", "in/tasks.rec");
		return 0;
	}
	at += sizeof mark - 1;
	fuzz_file("in/data.rec", data + at, n - at);
	fuzz_use("recutils", "in");
	return 0;
}
