/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_config.c -- a file for --config, ours or StarVZ's; mostly it is printed, sometimes drawn. */
#include "tests/fuzz/fuzz.h"

#include "cli/cli.h"

/* It must not name files to write. */
static bool writes(const uint8_t *data, size_t n)
{
	return fuzz_find(data, n, "caption") < n || fuzz_find(data, n, "dump") < n
	    || fuzz_find(data, n, "output") < n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct fuzz_command command = { 0 };

	if (writes(data, n))
		return 0;
	fuzz_begin(data, n);
	fuzz_file("config.yaml", data, n);
	fuzz_word(&command, "traceviz");
	fuzz_word(&command, "plot");
	fuzz_word(&command, "--config=config.yaml");
	fuzz_memory(&command);
	if (fuzz_random(8) > 0) {
		fuzz_word(&command, "--print-config");
	} else {
		fuzz_word(&command, "--output=/dev/null");
		fuzz_word(&command, "--to=svg");
	}
	fuzz_word(&command, "%s", fuzz_sample());
	fuzz_run(&command);
	return 0;
}
