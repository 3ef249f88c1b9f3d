/* SPDX-License-Identifier: GPL-3.0-or-later */
/* task_counters.c -- --counters, else how long tasks had a processor: the values of a thread's counters at the events of its tasks. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "record/loaded/log.h"
#include "record/loaded/task_counters.h"

/*
 * Limits of reads that nobody asked for. SHARE: the CPU time of the thread over that of reads as measured in a loop; in a
 * program they cost up to twice as much. What is not used is saved up to a time (ns).
 */
enum { SHARE = 200, SAVED_MAX = 100000, TRIES = 5 };

struct tv_task_counters {
	struct tv_counters of;
	int64_t cost;	/* of a read, ns; 0 = they are not limited */
	int64_t saved;	/* time that reads may take, at `since`, ns */
	int64_t since;	/* CPU time of the thread at the last read, ns */
	int64_t resume; /* nothing is read before; 0 = it is */
};

/* The fastest of some reads: the others were interrupted. */
static int64_t cost_of_read(const struct tv_counters *counters, uint64_t *value)
{
	int64_t cost = INT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		int64_t begin = tv_log_now();

		tv_counters_read(counters, value);
		begin = tv_log_now() - begin;
		cost = begin < cost ? begin : cost;
	}
	return cost > 1 ? cost : 1;
}

struct tv_task_counters *tv_task_counters_open(void)
{
	const char *list = getenv("TRACEVIZ_COUNTERS"); /* of names */
	bool limited = !list || !*list;
	char missing[256];
	uint64_t value[TV_MAX_COUNTERS];
	struct tv_task_counters *c = calloc(1, sizeof *c);

	if (!c)
		return NULL;
	if (limited)
		list = "task-clock,voluntary-switches"; /* the first is that of the limits */
	/* The recorder has refused unknown names, and has reported those that are missing. */
	if (tv_counters_open(&c->of, list, missing, sizeof missing) < 0 || c->of.n == 0) {
		tv_task_counters_close(c);
		return NULL;
	}
	for (uint64_t i = 0; i < c->of.n; i++) {
		const char *name = c->of.name[i];
		tv_log_write(TV_LOG_COUNTER, 1, 1, &i, name, strlen(name));
	}
	if (!limited)
		return c;
	c->cost = cost_of_read(&c->of, value);
	c->saved = SAVED_MAX;
	c->since = (int64_t)value[0];
	return c;
}

bool tv_task_counters_read(struct tv_task_counters *c, uint64_t *value, int64_t now)
{
	int errno_before = errno;
	bool ok;

	if (!c || now < c->resume)
		return false;
	c->resume = 0;
	ok = tv_counters_read(&c->of, value);
	errno = errno_before;
	return ok;
}

static void write_values(int64_t time, unsigned kind, const uint64_t *value, unsigned n)
{
	uint64_t *args = tv_log_begin(kind, 0, n, time);

	if (args) {
		memcpy(args, value, n * sizeof *value);
		tv_log_commit();
	}
}

void tv_task_counters_write(struct tv_task_counters *c, int64_t time, const uint64_t *value)
{
	write_values(time, TV_LOG_VALUES, value, c->of.n);
	if (c->cost == 0)
		return;
	c->saved += ((int64_t)value[0] - c->since) / SHARE;
	c->saved = (c->saved < SAVED_MAX ? c->saved : SAVED_MAX) - c->cost;
	c->since = (int64_t)value[0];
	if (c->saved >= 2 * c->cost)
		return;
	/* Until there is enough for the begin and the end of a task, and some more. */
	c->resume = time + (4 * c->cost - c->saved) * SHARE;
	write_values(time, TV_LOG_UNREAD, value, 0);
}

void tv_task_counters_close(struct tv_task_counters *c)
{
	if (c)
		tv_counters_close(&c->of);
	free(c);
}
