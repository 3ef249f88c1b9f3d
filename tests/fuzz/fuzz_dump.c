/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_dump.c -- what pj_dump prints, or a table of StarVZ; behind lines "%%%%" rec.tasks.csv and dag.csv beside it. */
#include <sys/stat.h>

#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const char mark[] = "\n%%%%\n", *const names[] = { "in/paje.csv", "in/rec.tasks.csv",
								  "in/dag.csv" };
	size_t files = 0;

	fuzz_begin(data, n);
	mkdir("in", 0700);
	for (bool more = true; more && files < 3; files++) {
		size_t at = fuzz_find(data, n, mark);

		more = at < n;
		fuzz_file(names[files], data, more ? at + 1 : n);
		at = more ? at + sizeof mark - 1 : n;
		data += at;
		n -= at;
	}
	fuzz_use(files == 1 ? "pj_dump" : NULL, files == 1 ? names[0] : "in");
	return 0;
}
