/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * counters.h -- counters of a thread, for probes that write TV_LOG_COUNTER and TV_LOG_VALUES.
 *
 * Names are those of perf. Counters of the kernel: task-clock (ns), page-faults, minor-faults, major-faults,
 * context-switches, and of these voluntary-switches (the thread slept or waited), by getrusage and the thread's clock, on every machine; cpu-migrations by
 * perf_event_open. Of the processor, by perf_event_open, where the machine has them and the user may:
 * instructions, cycles, ... Those of perf_event_open are one group: all count at the same time, or none.
 */
#ifndef TV_RECORD_COUNTERS_H
#define TV_RECORD_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TV_MAX_COUNTERS = 16 };

struct tv_counters {
	unsigned n;
	const char *name[TV_MAX_COUNTERS];
	int source[TV_MAX_COUNTERS]; /* of the kernel (enum in counters.c), or in_group */
	int fd[TV_MAX_COUNTERS];     /* of perf_event_open, else -1 */
	int leader;		     /* fd of the group, -1 = no group */
	bool has_usage, has_clock;
};

#pragma GCC visibility push(default)

/*
 * Opens the counters of the running thread that a list names (with commas). Those that this machine
 * does not have are left out and listed in missing[0..size). -1: a name is unknown, which missing
 * contains then, or there are more than TV_MAX_COUNTERS.
 */
int tv_counters_open(struct tv_counters *counters, const char *list, char *missing, size_t size);
/* The n values since the thread began, or since they were opened. False: they are not counted now. */
bool tv_counters_read(const struct tv_counters *counters, uint64_t *value);
void tv_counters_close(struct tv_counters *counters);
/* The names that are known, with commas. */
void tv_counters_list(char *text, size_t size);

#pragma GCC visibility pop

#endif
