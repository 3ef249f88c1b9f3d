/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_options.c -- options of a verb, one NAME or NAME=VALUE in each line, behind a line with the
 * verb: annotations, options of panels and passes, expressions, selections, windows. Lines that
 * begin with a colon are names of rows for --row-order.
 */
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

/* Verbs that only read. */
static bool harmless(const char *verb)
{
	return strcmp(verb, "plot") == 0 || strcmp(verb, "compare") == 0
	    || tv_pass_find(verb) != NULL;
}

/* Not options that name a file, nor their beginnings, which getopt accepts as well. */
static bool names_file(const char *option)
{
	static const char *const name[] = { "output",  "config",     "caption", "dump-boxes",
					    "with",    "row-order",  "help",	"durations-from",
					    "kernels", "max-memory", "dpi" };
	size_t n = strcspn(option, "=");

	for (size_t i = 0; i < TV_COUNT(name); i++)
		if (strncmp(option, name[i], n) == 0)
			return true;
	return false;
}

static void add_line(struct fuzz_command *command, FILE *rows, const char *line)
{
	if (line[0] == ':')
		fprintf(rows, "%s\n", line + 1);
	else if (!names_file(line))
		fuzz_word(command, "--%s", line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct fuzz_command command = { 0 };
	char text[4096], *rest = text, *line;
	FILE *rows;

	if (n >= sizeof text)
		return 0;
	memcpy(text, data, n);
	text[n] = '\0';
	line = strsep(&rest, "\n");
	if (!harmless(line))
		return 0;
	fuzz_begin(data, n);
	rows = fopen("rows.txt", "w");
	if (rows == NULL)
		return 0;
	fuzz_word(&command, "traceviz");
	fuzz_word(&command, "%s", line);
	while ((line = strsep(&rest, "\n")) != NULL)
		add_line(&command, rows, line);
	if (ftell(rows) > 0)
		fuzz_word(&command, "--row-order=rows.txt");
	fclose(rows);
	fuzz_memory(&command);
	if (strcmp(command.word[1], "plot") == 0) {
		fuzz_word(&command, "--output=/dev/null");
		fuzz_word(&command, "--to=svg");
	}
	fuzz_word(&command, "%s", fuzz_sample());
	if (strcmp(command.word[1], "compare") == 0)
		fuzz_word(&command, "%s", fuzz_sample());
	fuzz_run(&command);
	return 0;
}
