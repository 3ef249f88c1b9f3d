/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_tvlog_starpu.c -- raw logs of StarPU made by hand: decisions that other threads disturbed, lists that were cut. */
#include "tests/unit/raw_build.h"

enum { DECISIONS = 10 };

static struct raw raw[1];
static char got[8000];

static uint64_t bits(double value)
{
	uint64_t word;

	memcpy(&word, &value, sizeof word);
	return word;
}

static void submit(int64_t time, uint64_t job, unsigned code)
{
	const uint64_t arg[] = { (uint64_t)time, job, 0, 0, bits(0), 0, 1, 0x1000, 3, 8 };

	raw_event_text(raw, 0, time, TV_LOG_STARPU_SUBMIT, code, arg, sizeof arg / 8, "t", 1);
}

/* Job i runs from 1000 i + 500 to 1000 i + 600 on worker 0. */
static void execute(uint64_t i)
{
	int64_t at = (int64_t)i * 1000;

	RAW(raw, 0, at + 500, STARPU_START, 0, (uint64_t)at + 500, 3 * i + 2, i, 0, 0, UINT64_MAX);
	RAW(raw, 0, at + 600, STARPU_END, 0, (uint64_t)at + 600, 3 * i + 3, i, 0);
}

static void begin(void)
{
	raw_begin(raw, -1, "a", 100000);
	RAW(raw, 0, 0, STARPU_CLOCK, 0, 0, 0);
	RAW_TEXT(raw, 0, 0, STARPU_WORKER, "CPU 0", 0, 0, 0, 0);
	RAW_TEXT(raw, 0, 0, STARPU_WORKER, "CPU 1", 0, 1, 0, 1);
}

/* Of worker 0 the fitness is 1 us, of worker 1 it is 2 us. */
static void decide(uint64_t i, uint64_t worker)
{
	int64_t at = (int64_t)i * 1000;
	uint64_t now = bits((double)at / 1000), zero = bits(0), one = bits(1), two = bits(2);
	uint64_t first = bits((double)at / 1000 + 1), second = bits((double)at / 1000 + 2);

	submit(at, i, 0);
	RAW(raw, 0, at + 10, STARPU_DECISION, TV_LOG_STARPU_MODEL, (uint64_t)at, 3 * i + 1, i,
	    worker, 0, now, zero, first, 2);
	RAW(raw, 0, at + 10, STARPU_CANDIDATES, 0, 3 * i + 1, 0, 0, now, one, zero, zero, first,
	    one, zero, zero, 1, 0, now, two, zero, zero, second, two, zero, zero);
	execute(i);
}

static void read_log(struct tv_trace *trace)
{
	struct tv_error err = { 0 };

	if (raw_read(trace, raw, 1, NULL, &err) < 0)
		fail_msg("%s", err.text);
}

/* What the first `races` decisions chose has not the smallest fitness. How many decisions and candidates have a fitness,
 * how many decisions are flagged, and whether the notice has this text. */
static void check_races(unsigned races, size_t decisions, size_t candidates, const char *text)
{
	static const enum tv_table_id id[] = { TV_DECISIONS, TV_CANDIDATES };
	size_t n[2] = { 0 }, flagged = 0;
	struct tv_trace trace;
	bool found = text == NULL;

	begin();
	for (uint64_t i = 1; i <= DECISIONS; i++)
		decide(i, i <= races);
	read_log(&trace);
	assert_int_equal(trace.table[TV_DECISIONS].nrows, DECISIONS);
	assert_int_equal(trace.table[TV_CANDIDATES].nrows, 2 * DECISIONS);
	for (int k = 0; k < 2; k++) {
		const struct tv_column *fitness = tv_table_find(&trace.table[id[k]], "Fitness");

		for (uint32_t row = 0; row < trace.table[id[k]].nrows; row++)
			n[k] += fitness != NULL && !tv_missing(fitness, row);
	}
	raw_dump(got, sizeof got, &trace, TV_DECISIONS, "Flag");
	for (const char *s = got; (s = strstr(s, "race\n")) != NULL; s++)
		flagged++;
	for (size_t i = 0; i < trace.diagnostics.n; i++)
		found |= text != NULL && strstr(trace.diagnostics.at[i].text, text) != NULL;
	assert_true(found);
	tv_trace_release(&trace);
	assert_int_equal(n[0], decisions);
	assert_int_equal(n[1], candidates);
	assert_int_equal(flagged, races);
}

static void races(void **state)
{
	(void)state;
	check_races(0, 10, 20, NULL);
	check_races(1, 9, 18,
		    "in 1 of 10 decisions the worker chosen is not the one of the smallest fitness "
		    "recorded: another thread");
	check_races(2, 0, 0,
		    "in 2 of 10 decisions the worker chosen is not the one of the smallest fitness "
		    "recorded: queues and fitness are left out everywhere");
}

/* Lists that the recorder cut are counted, and so --strict refuses them. */
static void cut(void **state)
{
	struct tv_trace trace;

	(void)state;
	for (unsigned what = 0; what < 3; what++) {
		begin();
		/* The last row is the worker that ran nothing. */
		submit(1000, 1, what == 1 ? TV_LOG_STARPU_CUT : 0);
		submit(1100, 2, 0);
		execute(1);
		RAW(raw, 0, 1700, STARPU_SUCCESSORS, what == 2, 1, 2);
		execute(2);
		read_log(&trace);
		raw_dump(got, sizeof got, &trace, TV_TASKS, "JobId,Start,DependsOn");
		assert_string_equal(got, "1,0,-\n2,1000,1\n-,-,-\n");
		assert_int_equal(trace.ndamage, what > 0);
		if (what > 0)
			assert_string_equal(
				trace.damage[0].cause,
				what == 1 ? "data of a task that has too many of them"
					  : "successors of a task that has too many of them");
		tv_trace_release(&trace);
	}
}

/* What a counter added from the begin of a task to its end; not where it was not read at both, in the thread of the task. */
static void counters(void **state)
{
	struct tv_trace trace;

	(void)state;
	begin();
	raw_event_text(raw, 0, 0, TV_LOG_COUNTER, 1, (uint64_t[]){ 0 }, 1, "task-clock", 10);
	for (uint64_t i = 1; i <= 4; i++) {
		int64_t at = (int64_t)i * 1000;

		submit(at, i, 0);
		if (i == 3)
			raw_event_text(raw, 0, at + 490, TV_LOG_UNREAD, 0, NULL, 0, NULL, 0);
		else
			RAW(raw, 0, at + 490, VALUES, 0, 100 * i);
		RAW(raw, 0, at + 500, STARPU_START, 0, (uint64_t)at + 500, 3 * i + 2, i, 0, 0,
		    UINT64_MAX);
		if (i != 2)
			RAW(raw, 0, at + 600, VALUES, 0, 100 * i + 60);
		RAW(raw, i == 4, at + 600, STARPU_END, 0, (uint64_t)at + 600, 3 * i + 3, i, 0);
	}
	read_log(&trace);
	raw_dump(got, sizeof got, &trace, TV_TASKS, "JobId,task-clock");
	assert_string_equal(got, "1,60\n2,-\n3,-\n4,-\n-,-\n");
	tv_trace_release(&trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(races), cmocka_unit_test(cut),
					    cmocka_unit_test(counters) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
