/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_curves.c -- ready, submitted, concurrency, throughput and counters: by hand, and against
 * asking every nanosecond. */
#include <math.h>
#include <stdio.h>

#include "tests/unit/sample.h"

enum { ROUNDS = 400, LENGTH = 40, JOBS = 9 };

#define HEADER "ResourceId,Value,Start,End,JobId,Kind,DependsOn,SubmitTime,GFlop\n"

/* 2 waits for 1 and 3 for 2 through a ghost; 4 is submitted late. */
#define FOUR \
	HEADER \
	"CPU0,a,0,10,1,app,,-5,1\nCPU0,b,15,20,2,app,1,0,2\nCPU1,b,26,30,3,app,9,0,4\n" \
	"CPU1,a,20,24,4,app,,12,8\n,g,,,9,ghost,2 77,1,\n"

/* 5 is released when 1 ends; 6 waits for 5, 7 for 6 through a ghost; 8 is no task of the application's;
 * 10 has no SubmitTime. */
#define PENDING \
	FOUR ",a,,,5,pending,1,3,\n,a,,,6,pending,5,13,\n,b,,,7,pending,11,25,\n,a,,,10,pending," \
	     "4,,\n" \
	     ",,,,11,ghost,6,,\n"

static void pending_by_hand(void **state)
{
	static const char *const not_started[8] = { NULL, NULL, NULL, "" };
	struct sample s;

	(void)state;
	sample_make(&s, PENDING);
	assert_int_equal(s.run.tasks.npending, 4);
	assert_int_equal(s.run.tasks.ntasks, 4);
	assert_string_equal(sample_pass(&s, "ready", NULL),
			    "ready,,0.000000,10.000000,0,,|ready,,10.000000,12.000000,2,,|"
			    "ready,,12.000000,15.000000,3,,|ready,,15.000000,24.000000,2,,|"
			    "ready,,24.000000,26.000000,3,,|ready,,26.000000,30.000000,2,,|");
	assert_string_equal(
		sample_pass(&s, "submitted", not_started),
		"not started,,0.000000,3.000000,2,,|not started,,3.000000,12.000000,3,,|"
		"not started,,12.000000,13.000000,4,,|"
		"not started,,13.000000,15.000000,5,,|"
		"not started,,15.000000,20.000000,4,,|"
		"not started,,20.000000,25.000000,3,,|"
		"not started,,25.000000,26.000000,4,,|"
		"not started,,26.000000,30.000000,3,,|");
	assert_int_equal(s.run.diagnostics.n, 1);
	assert_non_null(strstr(s.run.diagnostics.at[0].text, "1 tasks have no SubmitTime"));
	sample_release(&s);
}

/* What the runtime counts beyond the tasks is not passed over in silence. */
static void negative_is_told(void **state)
{
	static const char *const counter[8] = { NULL, NULL, "" };
	struct sample s;
	struct tv_table *variables;
	uint32_t row;

	(void)state;
	sample_make(&s, FOUR);
	variables = &s.trace.table[TV_VARIABLES];
	row = tv_table_add_row(variables);
	sample_text(&s, TV_VARIABLES, row, "ResourceId", "sched");
	sample_text(&s, TV_VARIABLES, row, "Type", "Number of Ready Tasks");
	sample_number(&s, TV_VARIABLES, row, "Start", 11000000);
	sample_number(&s, TV_VARIABLES, row, "End", 12000000);
	tv_set_double(tv_trace_column(&s.trace, TV_VARIABLES, "Value"), row, 5);
	tv_table_finish(variables);
	assert_non_null(strstr(sample_pass(&s, "ready", counter), "popped, waiting"));
	assert_int_equal(s.run.diagnostics.n, 1);
	assert_non_null(strstr(s.run.diagnostics.at[0].text,
			       "negative, at the minimum -4 at 11.000000 ms"));
	sample_release(&s);
}

static void by_hand(void **state)
{
	static const char *const by_value[8] = { "Value", NULL, NULL };
	static const char *const step[8] = { NULL, "8", NULL };
	static const char *const wrong_by[8] = { "Foo", NULL, NULL };
	static const char *const wrong_step[8] = { NULL, "0", NULL };
	struct sample s;

	(void)state;
	sample_make(&s, FOUR);
	assert_string_equal(sample_pass(&s, "ready", NULL),
			    "ready,,0.000000,10.000000,0,,|ready,,10.000000,12.000000,1,,|"
			    "ready,,12.000000,15.000000,2,,|ready,,15.000000,26.000000,1,,|"
			    "ready,,26.000000,30.000000,0,,|");
	sample_release(&s);
	sample_make(&s, FOUR);
	assert_string_equal(sample_pass(&s, "ready", step),
			    "ready,,0.000000,8.000000,0,0,0|ready,,8.000000,16.000000,1.125,0,2|"
			    "ready,,16.000000,24.000000,1,1,1|ready,,24.000000,30.000000,"
			    "0.3333333333333333,0,1|");
	assert_string_equal(sample_pass(&s, "submitted", by_value),
			    "not started,a,0.000000,12.000000,0,,|"
			    "not started,a,12.000000,20.000000,1,,|"
			    "not started,a,20.000000,30.000000,0,,|"
			    "not started,b,0.000000,15.000000,2,,|"
			    "not started,b,15.000000,26.000000,1,,|"
			    "not started,b,26.000000,30.000000,0,,|"
			    "not ended,a,0.000000,10.000000,1,,|"
			    "not ended,a,10.000000,12.000000,0,,|"
			    "not ended,a,12.000000,24.000000,1,,|"
			    "not ended,a,24.000000,30.000000,0,,|"
			    "not ended,b,0.000000,20.000000,2,,|"
			    "not ended,b,20.000000,30.000000,1,,|");
	assert_string_equal(sample_pass(&s, "concurrency", NULL),
			    "running,,0.000000,10.000000,1,,|running,,10.000000,15.000000,0,,|"
			    "running,,15.000000,24.000000,1,,|running,,24.000000,26.000000,0,,|"
			    "running,,26.000000,30.000000,1,,|");
	assert_string_equal(sample_pass(&s, "throughput", NULL),
			    "GFlop/s,,0.000000,10.000000,100,,|GFlop/s,,10.000000,15.000000,0,,|"
			    "GFlop/s,,15.000000,20.000000,400,,|"
			    "GFlop/s,,20.000000,24.000000,2000,,|"
			    "GFlop/s,,24.000000,26.000000,0,,|"
			    "GFlop/s,,26.000000,30.000000,1000,,|");
	assert_string_equal(sample_pass(&s, "ready", wrong_by),
			    "error: --by: the tasks have no column 'Foo'");
	assert_string_equal(sample_pass(&s, "ready", wrong_step),
			    "error: --step '0', expected a time above 0 such as 10 (ms) or 500us");
	assert_int_equal(s.err.status, TV_USAGE);
	sample_release(&s);

	sample_make(&s, FOUR);
	s.run.window = (struct tv_window){ true, 14000000, 17000000 };
	assert_string_equal(sample_pass(&s, "ready", NULL),
			    "ready,,14.000000,15.000000,2,,|ready,,15.000000,17.000000,1,,|");
	sample_release(&s);

	sample_make(&s, "ResourceId,Value,Start,End\nCPU0,a,0,1\n");
	assert_string_equal(sample_pass(&s, "ready", NULL),
			    "error: ready: the tasks have neither DependsOn nor SubmitTime, so "
			    "nothing says when they were released");
	assert_string_equal(sample_pass(&s, "submitted", NULL),
			    "error: submitted: the tasks have no column SubmitTime");
	assert_string_equal(sample_pass(&s, "throughput", NULL),
			    "error: throughput: the tasks have no column GFlop");
	sample_release(&s);
}

/* What contradicts itself is said, and never makes a curve negative. */
static void contradictions(void **state)
{
	struct sample s;

	(void)state;
	sample_make(&s, HEADER "CPU0,a,0,10,1,app,,-5,1\nCPU1,b,5,20,2,app,1,6,\n"
			       "CPU1,b,20,20,3,app,,,3\n");
	/* The third has neither dependencies nor a SubmitTime: it is ready from the start. */
	assert_string_equal(sample_pass(&s, "ready", NULL), "ready,,0.000000,20.000000,1,,|");
	assert_string_equal(s.run.diagnostics.at[0].text,
			    "1 tasks started before they were released: they are never ready");
	assert_string_equal(sample_pass(&s, "submitted", NULL),
			    "not started,,0.000000,20.000000,0,,|not ended,,0.000000,5.000000,1,,|"
			    "not ended,,5.000000,10.000000,2,,|"
			    "not ended,,10.000000,20.000000,1,,|");
	assert_string_equal(s.run.diagnostics.at[1].text,
			    "1 tasks have no SubmitTime: they are left out");
	assert_string_equal(s.run.diagnostics.at[2].text,
			    "1 tasks started before they were submitted: they "
			    "count from their start");
	assert_string_equal(sample_pass(&s, "throughput", NULL),
			    "GFlop/s,,0.000000,10.000000,100,,|GFlop/s,,10.000000,20.000000,0,,|");
	assert_string_equal(s.run.diagnostics.at[3].text, "1 tasks have no GFlop: they count as 0");
	assert_string_equal(s.run.diagnostics.at[4].text,
			    "1 tasks took no time: their work is left out");
	sample_release(&s);
}

struct job {
	int start, end, submit, type;
	bool ghost;
	bool depends[JOBS];
};

static int released(const struct job *job, int j)
{
	int at = job[j].ghost ? INT16_MIN : job[j].submit;

	for (int k = 0; k < j; k++)
		if (job[j].depends[k]) {
			int end = job[k].ghost ? released(job, k) : job[k].end;

			at = end > at ? end : at;
		}
	return at;
}

/* Jobs that start when they are released or later, on one worker each; the first runs. */
static void draw(struct job *job, char *csv, size_t size, uint64_t *seed)
{
	size_t at = (size_t)snprintf(csv, size, HEADER);

	for (int j = 0; j < JOBS; j++) {
		char list[200] = "";
		int ready;

		job[j] = (struct job){ .ghost = j > 0 && unit_random(seed, 4) == 0 };
		for (int k = 0; k < j; k++)
			job[j].depends[k] = unit_random(seed, 4) == 0;
		for (int k = 0; k < j; k++)
			if (job[j].depends[k])
				snprintf(list + strlen(list), sizeof list - strlen(list), "%d ", k);
		job[j].submit = (int)unit_random(seed, LENGTH / 2);
		job[j].type = (int)unit_random(seed, 3);
		ready = released(job, j);
		job[j].start = (ready < 0 ? 0 : ready) + (int)unit_random(seed, 6);
		job[j].end = job[j].start + (int)unit_random(seed, 6);
		if (job[j].ghost)
			at += (size_t)snprintf(csv + at, size - at, ",g,,,%d,ghost,%s,,\n", j,
					       list);
		else
			at += (size_t)snprintf(csv + at, size - at,
					       "CPU%d,t%d,0.%06d,0.%06d,%d,app,%s,0.%06d,0.%d\n", j,
					       job[j].type, job[j].start, job[j].end, j, list,
					       job[j].submit, job[j].type + 1);
	}
}

enum what { READY, NOT_STARTED, NOT_ENDED, RUNNING, RATE };

/* The curve at t, of one type or (-1) of all, as its definition says. */
static double expected(const struct job *job, enum what what, int type, int t)
{
	double sum = 0;

	for (int j = 0; j < JOBS; j++) {
		int from[] = { released(job, j), job[j].submit, job[j].submit, job[j].start,
			       job[j].start };
		int to[] = { job[j].start, job[j].start, job[j].end, job[j].end, job[j].end };

		if (job[j].ghost || (type >= 0 && job[j].type != type) || t < from[what]
		    || t >= to[what])
			continue;
		sum += what != RATE ? 1
				    : 0.1 * (job[j].type + 1) / ((job[j].end - job[j].start) / 1e9);
	}
	return sum;
}

/* Every row of the result against every nanosecond of the curve. */
static void compare(const struct tv_table *table, const struct job *job, enum what what,
		    const char *curve, int begin, int end, bool typed)
{
	int next[3] = { begin, begin, begin };

	for (uint32_t row = 0; row < table->nrows; row++) {
		const struct tv_column *name = tv_table_find(table, "Curve");
		const struct tv_column *most = tv_table_find(table, "Max");
		uint32_t group = tv_label(tv_table_find(table, "By"), row);
		int type = !typed ? -1 : tv_pool_text(table->pool, group)[1] - '0';
		int64_t from = tv_table_find(table, "Start")->i[row];
		int64_t to = tv_table_find(table, "End")->i[row];
		double sum = 0, greatest = -1;

		if (strcmp(tv_pool_text(table->pool, tv_label(name, row)), curve) != 0)
			continue;
		assert_int_equal(from, next[typed ? type : 0]);
		next[typed ? type : 0] = (int)to;
		for (int64_t t = from; t < to; t++) {
			double value = expected(job, what, type, (int)t);

			sum += value;
			greatest = fmax(greatest, value);
		}
		assert_true(fabs(tv_table_find(table, "Value")->d[row] * (double)(to - from) - sum)
			    <= 1e-9 * (1 + sum));
		if (!tv_missing(most, row))
			assert_true(fabs(most->d[row] - greatest) <= 1e-9 * (1 + greatest));
	}
	assert_true(next[0] == end || typed);
}

static void every_nanosecond(void **state)
{
	static const struct {
		const char *pass, *curve;
		enum what what;
	} curve[] = {
		{ "ready", "ready", READY },
		{ "submitted", "not started", NOT_STARTED },
		{ "submitted", "not ended", NOT_ENDED },
		{ "concurrency", "running", RUNNING },
		{ "throughput", "GFlop/s", RATE },
	};
	uint64_t seed = unit_seed(2718);

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		char csv[4000], step[40];
		const char *value[8] = { NULL };
		struct job job[JOBS];
		struct sample s;
		int begin, end;

		draw(job, csv, sizeof csv, &seed);
		sample_make(&s, csv);
		begin = (int)s.run.tasks.begin;
		end = (int)s.run.tasks.finish;
		snprintf(step, sizeof step, "%uns", 1 + (unsigned)unit_random(&seed, LENGTH));
		if (unit_random(&seed, 2))
			value[0] = "Value";
		if (unit_random(&seed, 2))
			value[1] = step;
		if (begin < end && unit_random(&seed, 2)) {
			int from = begin + (int)unit_random(&seed, (uint64_t)(end - begin));

			s.run.window = (struct tv_window){ true, from, INT64_MAX };
			begin = from;
		}
		for (size_t c = 0; c < TV_COUNT(curve); c++) {
			const struct tv_table *table = tv_run_pass(&s.run, curve[c].pass, value,
								   &s.err);

			if (table == NULL)
				fail_msg("%s: %s", curve[c].pass, s.err.text);
			compare(table, job, curve[c].what, curve[c].curve, begin, end,
				value[0] != NULL);
		}
		sample_release(&s);
	}
}

static void add_reading(struct sample *s, const char *resource, const char *type, int64_t start,
			int64_t end, double value)
{
	struct tv_trace *trace = &s->trace;
	uint32_t row = tv_table_add_row(&trace->table[TV_VARIABLES]);
	struct tv_column *id = tv_trace_column(trace, TV_VARIABLES, "ResourceId");
	struct tv_column *what = tv_trace_column(trace, TV_VARIABLES, "Type");

	tv_set_text(id, row, resource);
	tv_set_text(what, row, type);
	tv_set_int(tv_trace_column(trace, TV_VARIABLES, "Start"), row, start);
	tv_set_int(tv_trace_column(trace, TV_VARIABLES, "End"), row, end);
	tv_set_double(tv_trace_column(trace, TV_VARIABLES, "Value"), row, value);
	tv_table_finish(&trace->table[TV_VARIABLES]);
}

enum { MS = 1000000 };

/* Order, overlap, a gap, two resources; the counter beside the derived curve. */
static void counters(void **state)
{
	static const char *const memory[8] = { "mem*", NULL, NULL };
	static const char *const slices[8] = { "mem*", "4", NULL };
	static const char *const none[8] = { "x", NULL, NULL };
	static const char *const sum[8] = { "*ready*", NULL, "" };
	static const char *const counter[8] = { NULL, NULL, "" };
	static const char *const by[8] = { "Value", NULL, "" };
	struct sample s;

	(void)state;
	sample_make(&s, FOUR);
	add_reading(&s, "sched1", "Ready Tasks", 0, 30 * MS, 1);
	add_reading(&s, "sched1", "Ready Tasks", 14 * MS, 30 * MS, 0);
	add_reading(&s, "sched0", "Ready Tasks", 12 * MS, 20 * MS, 1);
	add_reading(&s, "M10", "Memory", 0, 4 * MS, 1e20);
	add_reading(&s, "M2", "Memory", 6 * MS, 9 * MS, 3);
	add_reading(&s, "M2", "Memory", -2 * MS, 1 * MS, 1);
	add_reading(&s, "M2", "Memory", 0, 2 * MS, 2.5);
	assert_string_equal(sample_pass(&s, "counter", memory),
			    "Memory,M2,-2.000000,0.000000,1,,|Memory,M2,0.000000,2.000000,2.5,,|"
			    "Memory,M2,2.000000,6.000000,0,,|Memory,M2,6.000000,9.000000,3,,|"
			    "Memory,M10,0.000000,4.000000,1e+20,,|");
	assert_string_equal(sample_pass(&s, "counter", slices),
			    "Memory,M2,-2.000000,0.000000,1,1,1|"
			    "Memory,M2,0.000000,4.000000,1.25,0,2.5|"
			    "Memory,M2,4.000000,8.000000,1.5,0,3|Memory,M2,8.000000,9.000000,3,3,3|"
			    "Memory,M10,0.000000,4.000000,1e+20,1e+20,1e+20|");
	assert_string_equal(sample_pass(&s, "counter", none),
			    "error: no variable 'x', expected one of 'Ready Tasks', 'Memory'");
	assert_string_equal(sample_pass(&s, "counter", sum),
			    "Ready Tasks,,0.000000,12.000000,1,,|"
			    "Ready Tasks,,12.000000,14.000000,2,,|"
			    "Ready Tasks,,14.000000,20.000000,1,,|"
			    "Ready Tasks,,20.000000,30.000000,0,,|");
	assert_string_equal(sample_pass(&s, "ready", counter),
			    "ready,,0.000000,10.000000,0,,|ready,,10.000000,12.000000,1,,|"
			    "ready,,12.000000,15.000000,2,,|ready,,15.000000,26.000000,1,,|"
			    "ready,,26.000000,30.000000,0,,|"
			    "counter,,0.000000,12.000000,1,,|counter,,12.000000,14.000000,2,,|"
			    "counter,,14.000000,20.000000,1,,|counter,,20.000000,30.000000,0,,|"
			    "popped, waiting,,0.000000,10.000000,-1,,|"
			    "popped, waiting,,10.000000,14.000000,0,,|"
			    "popped, waiting,,14.000000,15.000000,1,,|"
			    "popped, waiting,,15.000000,20.000000,0,,|"
			    "popped, waiting,,20.000000,26.000000,1,,|"
			    "popped, waiting,,26.000000,30.000000,0,,|");
	assert_string_equal(sample_pass(&s, "ready", by),
			    "error: --counter: the runtime counts per node, not --by Value");
	assert_string_equal(sample_pass(&s, "submitted", counter),
			    "error: no variable '*submitted*', expected one of 'Ready Tasks', "
			    "'Memory'");
	sample_release(&s);
}

int main(void)
{
	static const struct CMUnitTest test[] = {
		cmocka_unit_test(by_hand),	    cmocka_unit_test(pending_by_hand),
		cmocka_unit_test(negative_is_told), cmocka_unit_test(contradictions),
		cmocka_unit_test(every_nanosecond), cmocka_unit_test(counters),
	};

	return cmocka_run_group_tests(test, NULL, NULL);
}
