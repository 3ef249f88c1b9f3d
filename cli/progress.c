/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.c -- a progress bar on stderr. */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"

enum { WIDTH = 40 };
static const int64_t patience_ns = 400000000;

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

void tv_progress_start(struct tv_progress *progress)
{
	*progress = (struct tv_progress){ now_ns(), false };
}

void tv_progress_update(void *context, double share)
{
	struct tv_progress *progress = context;
	char bar[WIDTH + 1];
	int filled = (int)(share * WIDTH);

	if (now_ns() - progress->started_ns < patience_ns)
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
