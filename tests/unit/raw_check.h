/* SPDX-License-Identifier: GPL-3.0-or-later */
/* raw_check.h -- one raw log made by hand, and what the reader makes of it. */
#ifndef TV_RAW_CHECK_H
#define TV_RAW_CHECK_H

#include "tests/unit/raw_build.h"

#include "dag/dag.h"

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

/* A word that some event may have: a small number, one of another place, or any. */
static inline uint64_t some_word(uint64_t *random, const unsigned char *chunk, uint32_t words)
{
	uint64_t word;

	switch (unit_random(random, 4)) {
	case 0:
		return unit_random(random, 8);
	case 1:
		return unit_random(random, UINT64_MAX);
	case 2:
		/* The head of an event: kind, code, number of words. */
		return unit_random(random, 70) | unit_random(random, 10) << 8
		     | unit_random(random, 12) << 16;
	default:
		memcpy(&word, chunk + 24 + unit_random(random, words) * 8, 8);
		return word;
	}
}

/* Whatever the words of events of the sample that make() makes are: it is read or refused, and the graph has no cycle. */
static inline void check_damaged(void (*make)(void), uint64_t seed)
{
	uint64_t random = unit_seed(seed);
	int nread = 0;

	for (int round = 0; round < 2500; round++) {
		struct tv_error err = { 0 };
		struct tv_trace trace;
		struct tv_tasks tasks_;
		struct tv_dag dag;

		make();
		for (uint64_t n = 1 + unit_random(&random, 6); n > 0; n--) {
			uint32_t thread = (uint32_t)unit_random(&random, 2);
			unsigned char *chunk = raw->bytes + TV_LOG_PAGE + thread * TV_LOG_CHUNK;
			uint64_t word = some_word(&random, chunk, raw->words[thread]);

			memcpy(chunk + 24 + unit_random(&random, raw->words[thread]) * 8, &word, 8);
		}
		if (raw_read(&trace, raw, 1, NULL, &err) == 0) {
			tv_tasks_init(&tasks_, &trace, 1 << TV_APP);
			if (tv_dag_init(&dag, &tasks_, &err) < 0)
				fail_msg("round %d: %s", round, err.text);
			tv_dag_release(&dag);
			tv_tasks_release(&tasks_);
			nread++;
		}
		tv_trace_release(&trace);
	}
	assert_true(nread > 2000);
}

#endif
