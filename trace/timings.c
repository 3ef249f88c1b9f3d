/* SPDX-License-Identifier: GPL-3.0-or-later */
/* timings.c -- times and peak memory of stages. */
#include "trace/timings.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "trace/alloc.h"
#include "trace/parallel.h"

struct times {
	int64_t cpu_ns, wall_ns;
};

struct stage {
	char *name;
	struct times spent;
	long peak_kb;
};

static struct stage *stage; /* [0]: what no other one covers; NULL = not measured */
static size_t nstages, stages_cap;
static int current;
static struct times started, since; /* of the measurement; of the part that is not yet added */

int64_t tv_clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static struct times now(void)
{
	return (struct times){ tv_clock_ns(CLOCK_THREAD_CPUTIME_ID) + tv_threads_cpu(),
			       tv_clock_ns(CLOCK_MONOTONIC) };
}

/* The time since the last change belongs to the current stage. */
static void change(int to)
{
	struct times t = now();
	struct rusage usage;

	stage[current].spent.cpu_ns += t.cpu_ns - since.cpu_ns;
	stage[current].spent.wall_ns += t.wall_ns - since.wall_ns;
	if (getrusage(RUSAGE_SELF, &usage) == 0)
		stage[current].peak_kb = usage.ru_maxrss;
	since = t;
	current = to;
}

static int find(const char *what, const char *name)
{
	char text[64];
	size_t i = 0;

	snprintf(text, sizeof text, "%s%s%s", what, name != NULL ? " " : "",
		 name != NULL ? name : "");
	while (i < nstages && strcmp(stage[i].name, text) != 0)
		i++;
	if (i == nstages) {
		TV_GROW(stage, nstages, stages_cap, 1);
		stage[nstages++] = (struct stage){ .name = tv_strdup(text) };
	}
	return (int)i;
}

void tv_timings_start(void)
{
	if (stage != NULL)
		return;
	/* The process has used CPU time before this; its wall time until here is not known. */
	started = since = (struct times){ 0, tv_clock_ns(CLOCK_MONOTONIC) };
	current = find("other", NULL);
}

int tv_stage_begin(const char *what, const char *name)
{
	int outer = current;

	if (stage != NULL)
		change(find(what, name));
	return outer;
}

void tv_stage_end(const int *outer)
{
	if (stage != NULL)
		change(*outer);
}

/* Tenths of milliseconds, cut: the rows never add up to more than the total. */
static void print_row(const char *name, struct times t, long peak_kb)
{
	fprintf(stderr, "%-28s %9.1f %9.1f %8.1f\n", name, (double)(t.cpu_ns / 100000) / 10,
		(double)(t.wall_ns / 100000) / 10, (double)(peak_kb / 100) / 10);
}

void tv_timings_print(void)
{
	if (stage == NULL)
		return;
	change(0);
	fprintf(stderr, "%-28s %9s %9s %8s\n", "stage", "CPU (ms)", "wall (ms)", "peak (MB)");
	for (size_t i = 1; i <= nstages; i++) {
		const struct stage *s = &stage[i % nstages]; /* "other" is the last one */

		print_row(s->name, s->spent, s->peak_kb);
	}
	print_row("total",
		  (struct times){ since.cpu_ns - started.cpu_ns, since.wall_ns - started.wall_ns },
		  stage[0].peak_kb);
	for (size_t i = 0; i < nstages; i++)
		tv_free(stage[i].name);
	tv_free(stage);
	stage = NULL;
	nstages = stages_cap = 0;
}
