/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sample.h -- small traces for the tests of graph and passes: rows of tasks, completed, with a run on them. */
#ifndef TV_SAMPLE_H
#define TV_SAMPLE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/passes.h"

/* One row of tasks; a NULL text is missing; without worker, Start and End are. */
struct sample_row {
	const char *worker, *value, *job, *kind, *depends;
	int64_t start, end;	/* ns */
	int64_t team;		/* 0 = missing */
};

struct sample {
	struct tv_trace trace;
	struct tv_run run;
	struct tv_error err;
};

static inline void sample_set(struct tv_trace *trace, const char *name, uint32_t row, const char *text)
{
	struct tv_column *column = tv_trace_column(trace, TV_TASKS, name, NULL);

	assert_non_null(column);
	if (text != NULL)
		assert_int_equal(tv_set_string(column, row, text, strlen(text)), 0);
}

static inline void sample_set_list(struct tv_trace *trace, const char *name, uint32_t row, const char *text)
{
	struct tv_column *column = tv_trace_column(trace, TV_TASKS, name, NULL);
	uint32_t label[64];
	size_t n = 0;

	assert_non_null(column);
	for (; text != NULL && *text != '\0'; text += strspn(text, " ")) {
		size_t length = strcspn(text, " ");

		label[n++] = tv_intern(trace->pool, text, length);
		text += length;
	}
	assert_int_equal(tv_set_list(column, row, label, n), 0);
}

static inline void sample_begin(struct sample *s)
{
	memset(s, 0, sizeof *s);
	assert_int_equal(tv_trace_init(&s->trace, NULL, &s->err), 0);
	s->trace.native = true;
}

static inline uint32_t sample_add(struct sample *s, const struct sample_row *r)
{
	struct tv_trace *trace = &s->trace;
	uint32_t row = tv_table_add_row(&trace->table[TV_TASKS], &s->err);

	sample_set(trace, "ResourceId", row, r->worker);
	sample_set(trace, "Value", row, r->value);
	sample_set(trace, "JobId", row, r->job);
	sample_set(trace, "Kind", row, r->kind);
	if (r->depends != NULL)
		sample_set_list(trace, "DependsOn", row, r->depends);
	if (r->worker != NULL && (r->kind == NULL || strcmp(r->kind, "worker") != 0)) {
		assert_int_equal(tv_set_int(tv_trace_column(trace, TV_TASKS, "Start", NULL), row, r->start), 0);
		assert_int_equal(tv_set_int(tv_trace_column(trace, TV_TASKS, "End", NULL), row, r->end), 0);
	}
	if (r->team > 0)
		assert_int_equal(tv_set_int(tv_trace_column(trace, TV_TASKS, "Team", NULL), row, r->team), 0);
	return row;
}

static inline void sample_state(struct sample *s, const char *worker, const char *value, int64_t start,
				int64_t end)
{
	struct tv_table *states = &s->trace.table[TV_STATES];
	uint32_t row = tv_table_add_row(states, &s->err);
	struct tv_column *id = tv_trace_column(&s->trace, TV_STATES, "ResourceId", NULL);
	struct tv_column *what = tv_trace_column(&s->trace, TV_STATES, "Value", NULL);

	assert_int_equal(tv_set_string(id, row, worker, strlen(worker)), 0);
	assert_int_equal(tv_set_string(what, row, value, strlen(value)), 0);
	assert_int_equal(tv_set_int(tv_trace_column(&s->trace, TV_STATES, "Start", NULL), row, start), 0);
	assert_int_equal(tv_set_int(tv_trace_column(&s->trace, TV_STATES, "End", NULL), row, end), 0);
}

static inline void sample_end(struct sample *s)
{
	if (tv_trace_complete(&s->trace, &s->err) < 0 || tv_run_init(&s->run, &s->trace, 0, &s->err) < 0)
		fail_msg("sample: %s", s->err.text);
}

static inline void sample_make(struct sample *s, const struct sample_row *row, size_t n)
{
	sample_begin(s);
	for (size_t i = 0; i < n; i++)
		sample_add(s, &row[i]);
	sample_end(s);
}

static inline void sample_release(struct sample *s)
{
	tv_run_release(&s->run);
	tv_trace_release(&s->trace);
}

/* A number in [0, n), the same sequence everywhere. */
static inline uint32_t sample_random(uint64_t *seed, uint32_t n)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((*seed >> 33) % n);
}

#endif
