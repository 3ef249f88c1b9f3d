/* SPDX-License-Identifier: GPL-3.0-or-later */
/* perf_names.h -- names of events, as perf has them. */
#ifndef TV_RECORD_PERF_NAMES_H
#define TV_RECORD_PERF_NAMES_H

#include "record/tool/monitor/source.h"

/*
 * Events of the kernel (task-clock, ...), of the processor (cycles, ...), of caches (LLC-load-misses,
 * ...), raw (r1a2b), of sysfs (PMU/EVENT/, PMU/event=0x1,umask=0x2/), and those names of PAPI that mean
 * one of them. Sets name, type, config, unit, cpus. False: unknown.
 */
bool tv_perf_find(const char *text, struct tv_source_event *event);
/* Whether a list as "0-3,8" contains a CPU. */
bool tv_perf_has_cpu(const char *list, unsigned cpu);

#endif
