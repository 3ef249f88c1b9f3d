/* SPDX-License-Identifier: GPL-3.0-or-later */
/* counters.c -- --counters: the values of a thread's counters at the events of its tasks. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "record/loaded/openmp/probe.h"

static const char *list; /* of names, NULL = none */

void tv_omp_counters_setup(void)
{
	list = getenv("TRACEVIZ_COUNTERS");
	if (list && !*list)
		list = NULL;
}

void tv_omp_counters_open(void)
{
	char missing[256];

	tv_omp_counters_close();
	if (!list)
		return;
	tv_omp_self.counters = malloc(sizeof *tv_omp_self.counters);
	if (!tv_omp_self.counters)
		return;
	/* The recorder has refused unknown names, and has reported those that are missing. */
	if (tv_counters_open(tv_omp_self.counters, list, missing, sizeof missing) < 0
	    || tv_omp_self.counters->n == 0) {
		tv_omp_counters_close();
		return;
	}
	for (uint64_t i = 0; i < tv_omp_self.counters->n; i++) {
		const char *name = tv_omp_self.counters->name[i];
		tv_log_write(TV_LOG_COUNTER, 1, 1, &i, name, strlen(name));
	}
}

bool tv_omp_counters_read(uint64_t *value)
{
	int errno_before = errno;
	bool ok = tv_omp_self.counters && tv_counters_read(tv_omp_self.counters, value);

	errno = errno_before;
	return ok;
}

void tv_omp_counters_write(int64_t time, const uint64_t *value)
{
	unsigned n = tv_omp_self.counters->n;
	uint64_t *args = tv_log_begin(TV_LOG_VALUES, 0, n, time);

	if (args) {
		memcpy(args, value, n * sizeof *value);
		tv_log_commit();
	}
}

void tv_omp_counters_close(void)
{
	if (tv_omp_self.counters)
		tv_counters_close(tv_omp_self.counters);
	free(tv_omp_self.counters);
	tv_omp_self.counters = NULL;
}
