/* SPDX-License-Identifier: GPL-3.0-or-later */
/* raw_check.h -- one raw log made by hand, and what the reader makes of it. */
#ifndef TV_RAW_CHECK_H
#define TV_RAW_CHECK_H

#include "raw_build.h"

static struct raw raw[3];
static char got[8000];

/* Reads one log, and compares columns of a table. The first app start is t = 0. */
static inline void check(enum tv_table_id id, const char *columns, const char *want)
{
	struct tv_error err = { 0 };
	struct tv_trace trace;

	if (raw_read(&trace, raw, 1, NULL, &err) < 0)
		fail_msg("%s", err.text);
	raw_dump(got, sizeof got, &trace, id, columns);
	tv_trace_release(&trace);
	assert_string_equal(got, want);
}

static inline void create(unsigned thread, int64_t time, uint64_t task, uint64_t parent,
			  uint64_t flags)
{
	RAW(raw, thread, time, OMP_CREATE, 0, task, parent, flags, 0x1010);
}

static inline void go(unsigned thread, int64_t time, uint64_t prior, uint64_t next, unsigned status)
{
	RAW(raw, thread, time, OMP_SCHEDULE, status, prior, next);
}

#endif
