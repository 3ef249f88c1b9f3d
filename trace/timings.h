/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * timings.h -- where the time of a command goes: its stages with CPU time, wall time and memory.
 *
 * A function that is a stage starts with TV_STAGE("pass", pass->name); the stage ends where the
 * function returns. Inside another stage it interrupts that one: a moment belongs to the innermost
 * stage, so times add up to the total. The CPU time of threads (trace/parallel.h) belongs to the stage
 * that called tv_parallel. Stages of one name are one row. Until tv_timings_start, a stage costs one test.
 */
#ifndef TV_TIMINGS_H
#define TV_TIMINGS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

int64_t tv_clock_ns(clockid_t clock);

/* Measures from now on; what no stage covers, from the start of the process on, is "other". */
void tv_timings_start(void);
/* Prints the stages in the order of their start, then "other" and the total, on stderr, and ends
 * the measurement. Memory is the peak of the process until the last end of the stage. Nothing if
 * it was not started. */
void tv_timings_print(void);

/* Begins the stage WHAT or "WHAT NAME"; name may be NULL. Returns the stage that it interrupts. */
int tv_stage_begin(const char *what, const char *name);
/* Ends the current stage; *outer: what tv_stage_begin returned. */
void tv_stage_end(const int *outer);

#define TV_STAGE(what, name) \
	int stage_outer __attribute__((cleanup(tv_stage_end), unused)) = tv_stage_begin(what, name)

#endif
