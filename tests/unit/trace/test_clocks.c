/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_clocks.c -- offsets of clocks, messages that were received before they were sent. */
#include "tests/unit/unit.h"

#include <stdio.h>

#include "trace/clocks.h"

enum { MS = 1000000 };

static void set_text(struct tv_trace *trace, enum tv_table_id id, const char *column, uint32_t row,
		     const char *text)
{
	tv_set_text(tv_trace_column(trace, id, column), row, text);
}

static void set_time(struct tv_trace *trace, enum tv_table_id id, const char *column, uint32_t row,
		     int64_t ms)
{
	tv_set_int(tv_trace_column(trace, id, column), row, ms * MS);
}

static int64_t ms_of(const struct tv_trace *trace, enum tv_table_id id, const char *column,
		     uint32_t row)
{
	return tv_table_find(&trace->table[id], column)->i[row] / MS;
}

static void add_task(struct tv_trace *trace, const char *resource, const char *job, int64_t start)
{
	uint32_t row = tv_table_add_row(&trace->table[TV_TASKS]);

	set_text(trace, TV_TASKS, "ResourceId", row, resource);
	set_text(trace, TV_TASKS, "Value", row, "a");
	set_text(trace, TV_TASKS, "JobId", row, job);
	set_time(trace, TV_TASKS, "SubmitTime", row, start - 1);
	set_time(trace, TV_TASKS, "Start", row, start);
	set_time(trace, TV_TASKS, "End", row, start + 10);
}

static void add_message(struct tv_trace *trace, const char *key, const char *from, const char *to,
			int64_t start, int64_t end)
{
	uint32_t row = tv_table_add_row(&trace->table[TV_LINKS]);

	set_text(trace, TV_LINKS, "Type", row, TV_MESSAGE_TYPE);
	set_text(trace, TV_LINKS, "Key", row, key);
	set_text(trace, TV_LINKS, "Origin", row, from);
	set_text(trace, TV_LINKS, "Dest", row, to);
	set_time(trace, TV_LINKS, "Start", row, start);
	set_time(trace, TV_LINKS, "SendEnd", row, start + 1);
	set_time(trace, TV_LINKS, "ReceiveStart", row, end - 1);
	set_time(trace, TV_LINKS, "End", row, end);
	row = tv_table_add_row(&trace->table[TV_TASKS]);
	set_text(trace, TV_TASKS, "Value", row, TV_MESSAGE_TYPE);
	set_text(trace, TV_TASKS, "JobId", row, key);
	set_text(trace, TV_TASKS, "Kind", row, "message");
	set_time(trace, TV_TASKS, "Start", row, start);
	set_time(trace, TV_TASKS, "End", row, end > start ? end : start);
}

/* Tasks on three nodes, the third known from the table of resources only; m to p are messages. */
static void make(struct tv_trace *trace, struct tv_read_options *options)
{
	uint32_t row;

	options->zero = "none";
	tv_trace_init(trace, options);
	add_task(trace, "0_CPU0", "1", 10);
	add_task(trace, "1_CPU0", "2", 20);
	add_task(trace, "host", "3", 30);
	row = tv_table_add_row(&trace->table[TV_RESOURCES]);
	set_text(trace, TV_RESOURCES, "ResourceId", row, "host");
	set_text(trace, TV_RESOURCES, "Node", row, "2");
	add_message(trace, "m", "0_mpict", "1_mpict", 20, 19);
	add_message(trace, "n", "0_mpict", "1_mpict", 21, 18);
	add_message(trace, "o", "1_mpict", "0_mpict", 22, 25);
	add_message(trace, "p", "1_mpict", "host", 30, 28);
	row = tv_table_add_row(&trace->table[TV_STATES]);
	set_text(trace, TV_STATES, "ResourceId", row, "1_CPU0");
	set_time(trace, TV_STATES, "Start", row, 40);
	set_time(trace, TV_STATES, "End", row, 50);
	row = tv_table_add_row(&trace->table[TV_EVENTS]);
	set_text(trace, TV_EVENTS, "ResourceId", row, "host");
	set_time(trace, TV_EVENTS, "Time", row, 60);
}

static int64_t task_ms(const struct tv_trace *trace, const char *job, const char *column)
{
	for (uint32_t row = 0; row < trace->table[TV_TASKS].nrows; row++)
		if (strcmp(tv_table_text(&trace->table[TV_TASKS], "JobId", row), job) == 0)
			return ms_of(trace, TV_TASKS, column, row);
	fail_msg("no job %s", job);
	return 0;
}

static void early(void **state)
{
	struct tv_read_options options = { 0 };
	struct tv_error err = { 0 };
	struct tv_trace trace;
	char pairs[100], tiny[8];

	(void)state;
	make(&trace, &options);
	assert_int_equal(tv_trace_complete(&trace, &err), 0);
	assert_int_equal(tv_early_messages(&trace, pairs, sizeof pairs), 3);
	assert_string_equal(pairs, "0->1 2, 1->2 1");
	assert_int_equal(tv_early_messages(&trace, tiny, sizeof tiny), 3);
	assert_string_equal(tiny, ", ...");
	assert_int_equal(ms_of(&trace, TV_LINKS, "End", 1), 21);
	assert_int_equal(ms_of(&trace, TV_LINKS, "End", 2), 25);
	assert_string_equal(tv_table_text(&trace.table[TV_LINKS], "Flag", 1), "early");
	assert_string_equal(tv_table_text(&trace.table[TV_LINKS], "Flag", 2), "");
	assert_int_equal(trace.diagnostics.n, 1);
	assert_string_equal(trace.diagnostics.at[0].text,
			    "3 of 4 messages were received before they were sent (the clocks of "
			    "the nodes differ): 0->1 2, 1->2 1");
	tv_trace_release(&trace);
	options.strict = true;
	make(&trace, &options);
	assert_int_equal(tv_trace_complete(&trace, &err), -1);
	assert_non_null(strstr(err.text, "3 of 4 messages were received"));
	tv_trace_release(&trace);
}

static void offsets(void **state)
{
	static const struct {
		enum tv_table_id id;
		const char *column;
		uint32_t row;
		int64_t ms;
	} want[] = {
		{ TV_LINKS, "Start", 0, 20 },	     { TV_LINKS, "SendEnd", 0, 21 },
		{ TV_LINKS, "ReceiveStart", 0, 20 }, { TV_LINKS, "End", 0, 21 },
		{ TV_LINKS, "End", 1, 21 }, /* 20 is before its start */
		{ TV_LINKS, "Start", 2, 24 },	     { TV_LINKS, "SendEnd", 2, 25 },
		{ TV_LINKS, "ReceiveStart", 2, 24 }, { TV_LINKS, "End", 2, 25 },
		{ TV_LINKS, "Start", 3, 32 },	     { TV_LINKS, "End", 3, 33 },
		{ TV_STATES, "Start", 0, 42 },	     { TV_STATES, "End", 0, 52 },
		{ TV_EVENTS, "Time", 0, 65 },
	};
	struct tv_clock_offset offset[3];
	struct tv_read_options options = { .clock_offset = offset, .nclock_offsets = 3 };
	struct tv_error err = { 0 };
	struct tv_trace trace;
	char pairs[100];

	(void)state;
	assert_int_equal(tv_clock_offset_parse("1=100", &offset[0], &err), 0);
	assert_int_equal(tv_clock_offset_parse("2=0.005s", &offset[1], &err), 0);
	assert_int_equal(tv_clock_offset_parse("1=2", &offset[2], &err), 0); /* the last holds */
	make(&trace, &options);
	assert_int_equal(tv_trace_complete(&trace, &err), 0);
	for (size_t i = 0; i < TV_COUNT(want); i++)
		if (ms_of(&trace, want[i].id, want[i].column, want[i].row) != want[i].ms)
			fail_msg("%s of row %u of table %d: %lld, expected %lld", want[i].column,
				 want[i].row, want[i].id,
				 (long long)ms_of(&trace, want[i].id, want[i].column, want[i].row),
				 (long long)want[i].ms);
	assert_int_equal(task_ms(&trace, "1", "Start"), 10);
	assert_int_equal(task_ms(&trace, "2", "Start"), 22);
	assert_int_equal(task_ms(&trace, "2", "SubmitTime"), 21);
	assert_int_equal(task_ms(&trace, "2", "End"), 32);
	assert_int_equal(task_ms(&trace, "2", "Duration"), 10);
	assert_int_equal(task_ms(&trace, "3", "Start"), 35);
	assert_int_equal(task_ms(&trace, "n", "End"), 21);
	assert_int_equal(task_ms(&trace, "p", "Start"), 32);
	assert_int_equal(task_ms(&trace, "p", "End"), 33);
	assert_int_equal(task_ms(&trace, "p", "Duration"), 1);
	assert_int_equal(tv_early_messages(&trace, pairs, sizeof pairs), 1);
	assert_string_equal(pairs, "0->1 1");
	tv_trace_release(&trace);
}

static void refused(void **state)
{
	static const char *const bad[] = { "", "1", "=1", "1=", "1=x", "1=1e30" };
	struct tv_clock_offset offset;
	struct tv_read_options options = { .clock_offset = &offset, .nclock_offsets = 1 };
	struct tv_error err = { 0 };
	struct tv_trace trace;

	(void)state;
	for (size_t i = 0; i < TV_COUNT(bad); i++)
		assert_int_equal(tv_clock_offset_parse(bad[i], &offset, &err), -1);
	assert_int_equal(tv_clock_offset_parse("3=1", &offset, &err), 0);
	make(&trace, &options);
	assert_int_equal(tv_trace_complete(&trace, &err), -1);
	assert_non_null(strstr(err.text, "no node '3', expected one of its 3 nodes"));
	tv_trace_release(&trace);
	options.zero = "none";
	tv_trace_init(&trace, &options);
	add_task(&trace, "CPU0", "1", 10);
	assert_int_equal(tv_trace_complete(&trace, &err), -1);
	assert_non_null(strstr(err.text, "one node only"));
	tv_trace_release(&trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(early),
		cmocka_unit_test(offsets),
		cmocka_unit_test(refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
