/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_paje.c -- a Paje trace; behind a line "%%%%" the tasks.rec that completes it. */
#include <stdlib.h>
#include <sys/stat.h>

#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const char mark[] = "\n%%%%\n";
	size_t at = fuzz_find(data, n, mark);

	fuzz_begin(data, n);
	mkdir("in", 0700);
	fuzz_file("in/paje.trace", data, at < n ? at + 1 : n);
	if (at == n) {
		fuzz_use("paje", "in/paje.trace");
		return 0;
	}
	at += sizeof mark - 1;
	fuzz_file("in/tasks.rec", data + at, n - at);
	fuzz_use(NULL, "in");
	return 0;
}
