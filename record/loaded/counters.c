/* SPDX-License-Identifier: GPL-3.0-or-later */
/* counters.c -- counters of a thread, read by system calls. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "record/loaded/counters.h"

enum source { CLOCK, FAULTS, MINOR_FAULTS, MAJOR_FAULTS, SWITCHES, VOLUNTARY, GROUP };

static const struct row {
	const char *name;
	enum source source;
	uint32_t type; /* of perf_event_open, as config */
	uint64_t config;
} rows[] = {
	{ "task-clock", CLOCK, 0, 0 },
	{ "page-faults", FAULTS, 0, 0 },
	{ "minor-faults", MINOR_FAULTS, 0, 0 },
	{ "major-faults", MAJOR_FAULTS, 0, 0 },
	{ "context-switches", SWITCHES, 0, 0 },
	{ "voluntary-switches", VOLUNTARY, 0, 0 },
	{ "cpu-migrations", GROUP, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS },
	{ "instructions", GROUP, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	{ "cycles", GROUP, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ "ref-cycles", GROUP, PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES },
	{ "cache-references", GROUP, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES },
	{ "cache-misses", GROUP, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES },
	{ "branches", GROUP, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ "branch-misses", GROUP, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES },
	{ "stalled-cycles-frontend", GROUP, PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_STALLED_CYCLES_FRONTEND },
	{ "stalled-cycles-backend", GROUP, PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_STALLED_CYCLES_BACKEND },
};

enum { N_ROWS = sizeof rows / sizeof *rows };

void tv_counters_list(char *text, size_t size)
{
	size_t n = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < N_ROWS && n < size; i++)
		n += (size_t)snprintf(text + n, size - n, "%s%s", i ? ", " : "", rows[i].name);
}

static const struct row *find(const char *name, size_t length)
{
	for (unsigned i = 0; i < N_ROWS; i++)
		if (strlen(rows[i].name) == length && !memcmp(rows[i].name, name, length))
			return &rows[i];
	return NULL;
}

/*
 * Of the running thread, in user mode alone where the kernel's part is not permitted. Pinned: it
 * counts always, or reading it fails; a part of the time would be an estimate.
 */
static int open_event(const struct row *row, int leader)
{
	struct perf_event_attr attr = {
		.size = sizeof attr,
		.type = row->type,
		.config = row->config,
		.read_format = PERF_FORMAT_GROUP,
		.pinned = leader < 0,
	};
	long fd = syscall(SYS_perf_event_open, &attr, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0 && row->type == PERF_TYPE_HARDWARE) {
		attr.exclude_kernel = attr.exclude_hv = 1;
		fd = syscall(SYS_perf_event_open, &attr, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);
	}
	return (int)fd;
}

/* False: this machine does not have it. */
static bool add(struct tv_counters *counters, const struct row *row)
{
	int fd = row->source == GROUP ? open_event(row, counters->leader) : -1;

	if (row->source == GROUP && fd < 0)
		return false;
	if (fd >= 0 && counters->leader < 0)
		counters->leader = fd;
	counters->has_clock |= row->source == CLOCK;
	counters->has_usage |= row->source != CLOCK && row->source != GROUP;
	counters->name[counters->n] = row->name;
	counters->source[counters->n] = (int)row->source;
	counters->fd[counters->n++] = fd;
	return true;
}

int tv_counters_open(struct tv_counters *counters, const char *list, char *missing, size_t size)
{
	size_t at = 0, length;
	int errno_before = errno;

	*counters = (struct tv_counters){ .leader = -1 };
	missing[0] = '\0';
	for (; *list; list += length + (list[length] == ',')) {
		length = strcspn(list, ",");
		const struct row *row = find(list, length);
		if (!row || counters->n == TV_MAX_COUNTERS) {
			tv_counters_close(counters);
			snprintf(missing, size, "%.*s", (int)length, list);
			return -1;
		}
		if (!add(counters, row) && at < size)
			at += (size_t)snprintf(missing + at, size - at, "%s%s", at ? ", " : "",
					       row->name);
	}
	errno = errno_before;
	return 0;
}

bool tv_counters_read(const struct tv_counters *counters, uint64_t *value)
{
	struct rusage usage = { 0 };
	struct timespec clock = { 0 };
	uint64_t group[1 + TV_MAX_COUNTERS] = { 0 };
	unsigned next = 1;

	if (counters->leader >= 0 && read(counters->leader, group, sizeof group) <= 0)
		return false;
	if (counters->has_usage)
		getrusage(RUSAGE_THREAD, &usage);
	if (counters->has_clock)
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &clock);
	uint64_t minor = (uint64_t)usage.ru_minflt, major = (uint64_t)usage.ru_majflt;
	const uint64_t of_kernel[] = {
		[CLOCK] = (uint64_t)clock.tv_sec * 1000000000 + (uint64_t)clock.tv_nsec,
		[FAULTS] = minor + major,
		[MINOR_FAULTS] = minor,
		[MAJOR_FAULTS] = major,
		[SWITCHES] = (uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw,
		[VOLUNTARY] = (uint64_t)usage.ru_nvcsw,
	};
	for (unsigned i = 0; i < counters->n; i++)
		value[i] = counters->source[i] == GROUP ? group[next++]
							: of_kernel[counters->source[i]];
	return true;
}

void tv_counters_close(struct tv_counters *counters)
{
	for (unsigned i = 0; i < counters->n; i++)
		if (counters->fd[i] >= 0)
			close(counters->fd[i]);
	*counters = (struct tv_counters){ .leader = -1 };
}
