/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_lifecycle.c -- times and phases in the lives of tasks, by hand. */
#include <stdio.h>

#include "sample.h"

static void add_event(struct sample *s, const char *type, const char *job, int64_t time)
{
	struct tv_trace *trace = &s->trace;
	uint32_t row = tv_table_add_row(&trace->table[TV_EVENTS], &s->err);
	struct tv_column *what = tv_trace_column(trace, TV_EVENTS, "Type", &s->err);
	struct tv_column *value = tv_trace_column(trace, TV_EVENTS, "Value", &s->err);
	struct tv_column *when = tv_trace_column(trace, TV_EVENTS, "Time", &s->err);

	assert_int_equal(tv_set_string(what, row, type, strlen(type)), 0);
	assert_int_equal(tv_set_string(value, row, job, strlen(job)), 0);
	assert_int_equal(tv_set_int(when, row, time), 0);
	assert_int_equal(tv_table_finish(&trace->table[TV_EVENTS], &s->err), 0);
}

static void add_fetch(struct sample *s, const char *worker, int64_t start, int64_t end)
{
	struct tv_trace *trace = &s->trace;
	uint32_t row = tv_table_add_row(&trace->table[TV_STATES], &s->err);
	struct tv_column *id = tv_trace_column(trace, TV_STATES, "ResourceId", &s->err);
	struct tv_column *value = tv_trace_column(trace, TV_STATES, "Value", &s->err);

	assert_int_equal(tv_set_string(id, row, worker, strlen(worker)), 0);
	assert_int_equal(tv_set_string(value, row, "FetchingInput", strlen("FetchingInput")), 0);
	assert_int_equal(tv_set_int(tv_trace_column(trace, TV_STATES, "Start", &s->err), row,
				    start), 0);
	assert_int_equal(tv_set_int(tv_trace_column(trace, TV_STATES, "End", &s->err), row, end),
			 0);
	assert_int_equal(tv_table_finish(&trace->table[TV_STATES], &s->err), 0);
}

/* 3 follows 1 through a ghost; 4 runs twice, the second time after the first; 5 is setup. */
#define FIVE "ResourceId,Value,Start,End,JobId,DependsOn,SubmitTime,Kind\n" \
	"CPU0,a,0,10,1,,-5,app\n,,,,2,1,,ghost\nCPU1,b,20,30,3,2,1,app\nCPU0,a,12,14,4,,2,app\n" \
	"CPU0,a,40,50,4,,2,app\nCPU1,init,2,4,5,1,,setup\n"

static void stamps(void **state)
{
	struct sample s;

	(void)state;
	sample_make(&s, FIVE);
	add_event(&s, "Task Push", "3", 11000000);
	add_event(&s, "Task Pop", "3", 15000000);
	add_event(&s, "Task Pop", "3", 21000000);	/* too late to be that of its start */
	add_event(&s, "Task Push", "4", 3000000);
	add_event(&s, "Task Push", "4", 30000000);
	add_event(&s, "Task Push", "9", 30000000);
	add_event(&s, "Other", "1", -1000000);
	add_fetch(&s, "CPU1", 16000000, 18000000);
	add_fetch(&s, "CPU1", 8000000, 10000000);	/* ended when it was released */
	add_fetch(&s, "CPU0", 45000000, 60000000);	/* nothing follows */
	assert_string_equal(sample_pass(&s, "lifecycle", NULL),
			    "-5.000000,,,|,,,|10.000000,11.000000,15.000000,18.000000|"
			    "2.000000,3.000000,,|14.000000,30.000000,,|,,,|");
	assert_string_equal(
		sample_pass(&s, "lifecycle-summary", NULL),
		"a,CPU,dependencies,3,12.000000,0.000000,0.000000,0.000000,6.000000,10.800000,"
		"12.000000|"
		"a,CPU,push,2,17.000000,1.000000,4.750000,8.500000,12.250000,15.250000,16.000000|"
		"a,CPU,ready,3,41.000000,5.000000,7.500000,10.000000,18.000000,24.400000,"
		"26.000000|"
		"a,CPU,execution,3,22.000000,2.000000,6.000000,10.000000,10.000000,10.000000,"
		"10.000000|"
		"b,CPU,dependencies,1,9.000000,9.000000,9.000000,9.000000,9.000000,9.000000,"
		"9.000000|"
		"b,CPU,push,1,1.000000,1.000000,1.000000,1.000000,1.000000,1.000000,1.000000|"
		"b,CPU,queue,1,4.000000,4.000000,4.000000,4.000000,4.000000,4.000000,4.000000|"
		"b,CPU,popped,1,5.000000,5.000000,5.000000,5.000000,5.000000,5.000000,5.000000|"
		"b,CPU,data,1,8.000000,8.000000,8.000000,8.000000,8.000000,8.000000,8.000000|"
		"b,CPU,ready,1,10.000000,10.000000,10.000000,10.000000,10.000000,10.000000,"
		"10.000000|"
		"b,CPU,execution,1,10.000000,10.000000,10.000000,10.000000,10.000000,10.000000,"
		"10.000000|");
	sample_release(&s);
}

static void nothing_known(void **state)
{
	struct sample s;

	(void)state;
	sample_make(&s, "ResourceId,Value,Start,End\nCPU0,a,0,10\n");
	assert_string_equal(sample_pass(&s, "lifecycle", NULL), ",,,|");
	assert_int_equal(s.run.nremarks, 1);
	assert_string_equal(sample_pass(&s, "lifecycle-summary", NULL),
			    "a,CPU,execution,1,10.000000,10.000000,10.000000,10.000000,10.000000,"
			    "10.000000,10.000000|");
	sample_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stamps),
		cmocka_unit_test(nothing_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
