/* SPDX-License-Identifier: GPL-3.0-or-later */
/* worker_words.c -- workers of a type in words. */
#include "analysis/core/worker_words.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "trace/text.h"

const char *tv_before_workers(char out[TV_WORKER_WORDS], const char *type)
{
	static const char *const general[] = { "",     "worker", "workers", "thread", "threads",
					       "host", "hosts",	 "node",    "nodes" };
	char name[TV_WORKER_WORDS - 16];

	tv_clean_text(name, sizeof name, type);
	for (size_t i = 0; i < sizeof general / sizeof *general; i++)
		if (strcasecmp(name, general[i]) == 0)
			return strcpy(out, "");
	snprintf(out, TV_WORKER_WORDS, "%s ", name);
	return out;
}

const char *tv_words_workers(char out[TV_WORKER_WORDS], const char *type, bool begins)
{
	size_t n = strlen(tv_before_workers(out, type));

	snprintf(out + n, TV_WORKER_WORDS - n, "%sorkers", n == 0 && begins ? "W" : "w");
	return out;
}
