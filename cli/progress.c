/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.c -- a progress bar on stderr. */
#include <stdio.h>
#include <unistd.h>

#include "cli/cli.h"
#include "trace/timings.h"

enum { WIDTH = 40 };
static const int64_t patience_ns = 400000000;

bool tv_progress_wanted(const struct tv_cli *cli)
{
	return !cli->quiet && cli->receiver == NULL && isatty(STDERR_FILENO);
}

void tv_progress_start(struct tv_progress *progress)
{
	*progress = (struct tv_progress){ tv_clock_ns(CLOCK_MONOTONIC), false };
}

void tv_progress_update(void *context, double share)
{
	struct tv_progress *progress = context;
	char bar[WIDTH + 1];
	int filled = (int)(share * WIDTH);

	if (tv_clock_ns(CLOCK_MONOTONIC) - progress->started_ns < patience_ns)
		return;
	for (int i = 0; i < WIDTH; i++)
		bar[i] = i < filled ? '#' : '.';
	bar[WIDTH] = '\0';
	fprintf(stderr, "\rreading [%s] %3d %%", bar, (int)(share * 100));
	progress->shown = true;
}

void tv_progress_end(struct tv_progress *progress)
{
	if (progress->shown)
		fprintf(stderr, "\r%*s\r", WIDTH + 20, "");
	progress->shown = false;
}
