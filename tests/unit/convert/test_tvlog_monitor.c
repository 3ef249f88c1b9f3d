/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_tvlog_monitor.c -- samples of monitors in raw logs: counters that shared the hardware. */
#include "tests/unit/raw_build.h"

static struct raw raw[1];
static char got[1 << 12];

static void counter(uint64_t monitor, uint64_t index, const char *name, unsigned code)
{
	raw_event_text(raw, 0, 1000, TV_LOG_MONITOR_EVENT, code,
		       (const uint64_t[]){ monitor, index }, 2, name, strlen(name));
}

/* A machine of one PU, one monitor, one set: a counter and a state. */
static void declare(void)
{
	raw_begin(raw, -1, "a", 10000);
	RAW_TEXT(raw, 0, 1000, MONITOR_OBJECT, "PU\0000", 0, 0, TV_LOG_MONITOR_NONE, 0, 0, 1, 0);
	RAW_TEXT(raw, 0, 1000, MONITOR, "hw", 0, 0, 1000, TV_LOG_MONITOR_NONE);
	counter(0, 0, "cycles", TV_LOG_MONITOR_COUNTER);
	counter(0, 1, "state", 0);
	RAW(raw, 0, 1000, MONITOR_SET, 0, 0, 0, 0, 0, 2);
}

/* The rows of the counter, then those of the state; and how many samples are scaled. */
static void check(const char *rows, const char *scaled)
{
	struct tv_error err = { 0 };
	struct tv_trace trace;
	const char *text;
	size_t n = 0;

	if (raw_read(&trace, raw, 1, NULL, &err) < 0)
		fail_msg("%s", err.text);
	raw_dump(got, sizeof got, &trace, TV_VARIABLES, "ResourceId,Type,Value");
	assert_string_equal(got, rows);
	text = tv_meta_get(&trace, "Monitor.hw.cycles.Scaled", &n);
	if (scaled == NULL) {
		assert_null(text);
	} else {
		assert_non_null(text);
		assert_int_equal(n, strlen(scaled));
		assert_memory_equal(text, scaled, n);
	}
	assert_null(tv_meta_get(&trace, "Monitor.hw.state.Scaled", &n));
	tv_trace_release(&trace);
}

/* Each sample is scaled by what was enabled and counted since the one before it: all of the time, half
 * of it, a quarter, not at all (no row: nothing is known). States are never scaled. */
static void multiplexed(void **state)
{
	(void)state;
	declare();
	RAW(raw, 0, 2000, MONITOR_SAMPLE, 0, 0, 0, 0, 7000, 1);
	RAW(raw, 0, 3000, MONITOR_SAMPLE, 0, 0, 1000, 500, 7300, 2);
	RAW(raw, 0, 4000, MONITOR_SAMPLE, 0, 0, 2000, 1500, 7600, 3);
	RAW(raw, 0, 5000, MONITOR_SAMPLE, 0, 0, 3000, 1500, 7600, 4);
	RAW(raw, 0, 6000, MONITOR_SAMPLE, 0, 0, 4000, 1750, 7610, 5);
	check("PU:0,hw.state,1\n"
	      "PU:0,hw.cycles,600\nPU:0,hw.state,2\n"
	      "PU:0,hw.cycles,300\nPU:0,hw.state,3\n"
	      "PU:0,hw.state,4\n"
	      "PU:0,hw.cycles,40\nPU:0,hw.state,5\n",
	      "3 of 4 samples");
}

/* A counter that counted all of the time has its own value and no such fact. */
static void whole(void **state)
{
	(void)state;
	declare();
	RAW(raw, 0, 2000, MONITOR_SAMPLE, 0, 0, 100, 100, 7000, 1);
	RAW(raw, 0, 3000, MONITOR_SAMPLE, 0, 0, 1100, 1100, 7300, 2);
	check("PU:0,hw.state,1\nPU:0,hw.cycles,300\nPU:0,hw.state,2\n", NULL);
}

/* Two sets of the same event add up: each is scaled by its own share. */
static void added(void **state)
{
	(void)state;
	declare();
	RAW(raw, 0, 1000, MONITOR_SET, 0, 1, 0, 0, 0, 1);
	RAW(raw, 0, 2000, MONITOR_SAMPLE, 0, 0, 0, 0, 0, 1);
	RAW(raw, 0, 2000, MONITOR_SAMPLE, 0, 1, 0, 0, 0);
	RAW(raw, 0, 3000, MONITOR_SAMPLE, 0, 0, 1000, 500, 10, 1);
	RAW(raw, 0, 3000, MONITOR_SAMPLE, 0, 1, 1000, 1000, 100);
	check("PU:0,hw.state,1\nPU:0,hw.cycles,120\nPU:0,hw.state,1\n", "1 of 2 samples");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(multiplexed),
		cmocka_unit_test(whole),
		cmocka_unit_test(added),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
