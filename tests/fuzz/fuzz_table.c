/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_table.c -- a --map in the first line, a table behind it. */
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct fuzz_command command = { 0 };
	size_t map = fuzz_find(data, n, "\n"), at = map < n ? map + 1 : n;

	fuzz_begin(data, n);
	fuzz_file("in.txt", data + at, n - at);
	fuzz_word(&command, "traceviz");
	fuzz_word(&command, "info");
	fuzz_memory(&command);
	if (map > 0 && data[0] != '@')
		fuzz_word(&command, "--map=%.*s", (int)map, (const char *)data);
	fuzz_word(&command, "in.txt");
	fuzz_run(&command);
	return 0;
}
