/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sampler.h -- reads events of the machine at the ticks of a clock and writes them to a raw log.
 *
 * One thread reads everything, so a tick is one snapshot: all its samples have one time. Ticks are at
 * begin + n * period of CLOCK_MONOTONIC, whatever reading costs; those that pass before it is done (or while the
 * process is stopped) are counted as missed. What is written is raw: counts since the beginning, states
 * as they are. The log is complete up to the last tick however the process ends.
 *
 * Back ends: perf (perf_event_open), proc, cgroup, pressure (text files of the kernel), file (replays a
 * table), fake (for tests).
 */
#ifndef TV_RECORD_SAMPLER_H
#define TV_RECORD_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "record/tool/monitor/hardware.h"

enum { TV_SAMPLER_NAME = 64, TV_SAMPLER_EVENTS = 256, TV_SAMPLER_WHY = 600 };

/* Events to read at each object of a level. */
struct tv_sampler_request {
	const char *monitor; /* the name of the variables begins with it */
	uint64_t described;  /* its number in the description, or TV_LOG_MONITOR_NONE */
	const char *level;   /* "L3", "PU:0"; NULL: where the events are */
	const char
		*library; /* back end; papi: perf; file:PATH. NULL: that which knows the events */
	const char *const *event; /* none: all columns of a file */
	unsigned nevents;
};

/* What it cost. */
struct tv_sampler_report {
	uint64_t ticks, missed;
	int64_t cpu_ns, wall_ns; /* of the sampler; from its first tick to its last */
	unsigned events, objects;
	bool lost; /* events found no space in the log */
};

struct tv_sampler;

/* of_process: events of perf count for one process, its threads and children, else for the machine. NULL, with the
 * reason in why[TV_SAMPLER_WHY], where the machine is not known. */
struct tv_sampler *tv_sampler_new(bool of_process, char *why);
const struct tv_hardware *tv_sampler_hardware(const struct tv_sampler *sampler);
/*
 * Adds events, which are tried out. -1: *event of them cannot be read; why names the event, the
 * object, and what can be done. Events before it are added. usage: the request itself is wrong.
 */
int tv_sampler_add(struct tv_sampler *sampler, const struct tv_sampler_request *request,
		   unsigned *event, bool *usage, char *why);
/* What the log shall contain about the samples (TV_LOG_META); copied. */
void tv_sampler_describe(struct tv_sampler *sampler, const char *key, const char *text);
bool tv_sampler_is_empty(const struct tv_sampler *sampler);
/* Opens what is to be read, of that process or, with pid 0, of the machine. program: the path of what the process will
 * run: it counts from its start; NULL: it runs already. -1 with the reason. */
int tv_sampler_open(struct tv_sampler *sampler, pid_t pid, const char *program, char *why);
/* Several recorders of this host have the same file open, as `lock`, which the sampler closes: one of them samples
 * what counts for the machine, all what counts for their processes. -1 with the reason. */
int tv_sampler_share(struct tv_sampler *sampler, int lock, char *why);
/* Starts the thread, which writes a log to folder. -1 with the reason. */
int tv_sampler_start(struct tv_sampler *sampler, const char *folder, uint64_t max_bytes,
		     int64_t period_ns, char *why);
/* Reads once more, ends the thread, closes the log. */
void tv_sampler_stop(struct tv_sampler *sampler, struct tv_sampler_report *report);
void tv_sampler_free(struct tv_sampler *sampler); /* NULL: nothing */

#endif
