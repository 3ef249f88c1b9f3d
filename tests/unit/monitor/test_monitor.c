/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_monitor.c -- descriptions of monitors, and what is computed of readings. */
#include <math.h>
#include <stdio.h>

#include "tests/unit/unit.h"

#include "monitor/monitor.h"
#include "trace/text.h"

/* The only example of the paper (Compas 2016), with braces and semicolons. */
static const char paper[] = "L3_miss_per_cycle{\n  OBJ:=PU;\n  PERF_LIB:=papi;\n"
			    "  EVSET:=PAPI_L3_TCM, PAPI_TOT_CYC;\n  EVSET_REDUCE:=$0/$1;\n"
			    "  SAMPLES_REDUCE:=MONITOR_SAMPLES_LAST;\n  N_SAMPLES:=128;\n}\n";

/* All fields of the second version, and a parent fed by a level. */
static const char fields[] =
	"# comment\n"
	"ipc_pu{ OBJ:=PU; PERF_LIB:=papi; EVSET:=PAPI_TOT_INS, PAPI_TOT_CYC;\n"
	"  EVSET_REDUCE:=$0/$1; SAMPLES_REDUCE:=SAMPLES_LAST; N_SAMPLES:=4;\n"
	"  ACCUMULATE:=0; SILENT:=0; MAX:=0; MIN:=0; }\n"
	"ipc_l3{ OBJ:=L3; PERF_LIB:=hierarchical; EVSET:=PU; EVSET_REDUCE:=$0/$1; }\n";

/* In the style of the third version: comments, one object, chains, functions, named outputs. */
static const char chains[] = "%% comment {\n"
			     "load{ OBJ:=PU; PERF_LIB:=proc; EVSET:=cpuload; OUTPUT:=0; %no\n"
			     "  DISPLAY:=1; }\n"
			     "one{ OBJ:= PU:0; PERF_LIB:=papi; EVSET:=PAPI_LST_INS; }\n"
			     "mem{ OBJ:=Node; PERF_LIB:=proc; EVSET:=memused; }\n"
			     "miss{ OBJ:=PU; PERF_LIB:=papi; EVSET:=PAPI_L2_DCM; }\n"
			     "miss_l3{ OBJ:=L3; EVSET:=miss; PERF_LIB:=accumulate; OUTPUT:=0; }\n"
			     "balance{ OBJ:=Machine; EVSET:=miss_l3; PERF_LIB:=hierarchical;\n"
			     "  REDUCTION:=1#hmonitor_evset_var; }\n"
			     "pair{ OBJ:=L3; PERF_LIB:=hierarchical; EVSET:=miss;\n"
			     "  REDUCTION:= two=$0+$1, one=($0+$1)/2; }\n"
			     "trend{ OBJ:=PU; PERF_LIB:=fake; EVSET:=a,b;\n"
			     "  REDUCTION:=2#hmonitor_events_max; WINDOW:=3; }\n";

static const char first_version[] =
	"A{ OBJ = L3; CTR = PAPI_L3_TCM/PAPI_TOT_CYC; LOGSCALE = 1; MAX = 5000000; MIN = 0; }\n"
	"B{L2, PAPI_L2_TCM*100}\n";

static void read_ok(struct tv_monitors *monitors, const char *text)
{
	struct tv_error err = { 0 };

	if (tv_monitors_read(monitors, "f", text, strlen(text), &err) < 0)
		fail_msg("%s:%ld: %s", err.file, err.line, err.text);
}

static void reads_all_versions(void **state)
{
	struct tv_monitors monitors;
	const struct tv_monitor *m;

	(void)state;
	read_ok(&monitors, paper);
	m = monitors.monitor;
	assert_int_equal(monitors.n, 1);
	assert_string_equal(m->name, "L3_miss_per_cycle");
	assert_string_equal(m->level, "PU");
	assert_string_equal(m->library, "papi");
	assert_int_equal(m->nevents, 2);
	assert_string_equal(m->event[1], "PAPI_TOT_CYC");
	assert_string_equal(m->output[0].name, "L3_miss_per_cycle.value");
	assert_int_equal(m->window, TV_MONITOR_LAST);
	tv_monitors_release(&monitors);

	read_ok(&monitors, fields);
	assert_int_equal(monitors.n, 2);
	assert_int_equal(monitors.monitor[1].source, TV_MONITOR_SUMS);
	assert_int_equal(monitors.monitor[1].width, 2);
	assert_true(monitors.monitor[0].has_max && monitors.monitor[0].has_min);
	tv_monitors_release(&monitors);

	read_ok(&monitors, chains);
	assert_int_equal(monitors.n, 8);
	assert_true(monitors.monitor[0].silent && monitors.monitor[0].display);
	assert_int_equal(monitors.monitor[1].index, 0);
	assert_string_equal(monitors.monitor[2].level, "NUMANode");
	assert_int_equal(monitors.monitor[5].source, TV_MONITOR_JOIN);
	assert_int_equal(monitors.monitor[5].over, TV_MONITOR_VAR);
	assert_string_equal(monitors.monitor[6].output[1].name, "pair.one");
	assert_string_equal(monitors.monitor[7].output[1].name, "trend.b");
	assert_int_equal(monitors.monitor[7].readings, 3);
	tv_monitors_release(&monitors);

	read_ok(&monitors, first_version);
	m = monitors.monitor;
	assert_string_equal(m->event[0], "PAPI_L3_TCM");
	assert_string_equal(m->library, "papi");
	assert_true(m->logarithmic && m->max == 5000000);
	assert_string_equal(monitors.monitor[1].level, "L2");
	tv_monitors_release(&monitors);
}

static void refuses(void **state)
{
	static const struct {
		const char *text, *file;
		long column;
		const char *message;
	} row[] = {
		{ "", "f:1", 1, "no monitor, expected NAME {*" },
		{ "a", "f:1", 2, "the end of the file, expected { here" },
		{ "12 {", "f:1", 1, "'12', expected the name of a monitor*" },
		{ "a {\n  OBI:=PU;", "f:2", 3, "'OBI', expected } or a key of OBJ, PERF_LIB,*" },
		{ "a { OBJ PU; }", "f:1", 9, "'PU', expected := here" },
		{ "a { OBJ:=PU }", "f:1", 13, "'}', expected ; here" },
		{ "a { OBJ:=PU", "f:1", 12, "the end of the file, expected ; here" },
		{ "a { OBJ:=; }", "f:1", 10, "OBJ has no value*" },
		{ "a { OBJ:=Pu9; EVSET:=x; }", "f:1", 10,
		  "no level 'Pu9', expected one of PU, Core, L1d,*" },
		{ "a { OBJ:=PU:x; EVSET:=x; }", "f:1", 13, "'PU:x' is no object, expected a*" },
		{ "a { OBJ:=PU; OBJ:=PU; }", "f:1", 14, "a second OBJ of this monitor*" },
		{ "a { OBJ:=PU; }", "f:1", 1, "monitor 'a' has no events, expected EVSET*" },
		{ "a { EVSET:=x; }\na { EVSET:=x; }", "f:2", 1, "a second monitor 'a'*" },
		{ "a { EVSET:=x,; }", "f:1", 14, "no event, expected names*" },
		{ "a { EVSET:=x y; }", "f:1", 13, "'x y' is no event, expected , or ;" },
		{ "a { EVSET:=x; REDUCTION:=$1; }", "f:1", 26, "expected a number, $0 or x here" },
		{ "a { EVSET:=x,y; REDUCTION:=\n $0/z; }", "f:2", 5,
		  "expected a number, $0 or x, $1 or y here" },
		{ "a { EVSET:=x; REDUCTION:=$0 $0; }", "f:1", 29, "expected + - * /, , or ; here" },
		{ "a { EVSET:=x; REDUCTION:=($0; }", "f:1", 29, "expected an operator or ) here" },
		{ "a { EVSET:=x; REDUCTION:=median; }", "f:1", 26,
		  "no function 'median', expected last, sum, mean, min, max or var*" },
		{ "a { EVSET:=x; REDUCTION:=6#lsq_fit; }", "f:1", 28, "no function 'lsq_fit'*" },
		{ "a { EVSET:=x; REDUCTION:=2#evset_var; }", "f:1", 26, "2 outputs, expected 1" },
		{ "a { EVSET:=x; SAMPLES_REDUCE:=$0; }", "f:1", 31, "no function '$0'*" },
		{ "a { EVSET:=x; WINDOW:=0; }", "f:1", 23, "'0', expected a number from 1 to*" },
		{ "a { EVSET:=x; SILENT:=2; }", "f:1", 23, "'2', expected 0 or 1" },
		{ "a { EVSET:=x; MAX:=y; }", "f:1", 20, "'y', expected a number" },
		{ "a { PERF_LIB:=accumulate; EVSET:=PU; }", "f:1", 34,
		  "no monitor 'PU' before 'a', expected*" },
		{ "a{OBJ:=PU;EVSET:=x;} b{OBJ:=PU;EVSET:=x;}\n"
		  "c { PERF_LIB:=hierarchical; EVSET:=PU; }",
		  "f:2", 36, "several monitors on PU feed 'c', expected the name of one: a, b" },
		{ "a { EVSET:=x; REDUCTION:= u=$0, u=$0; }", "f:1", 27, "two outputs 'a.u'*" },
		{ "a { CTR = 2; }", "f:1", 11, "no event, expected names of events" },
		{ "a { EVSET:=x; } }", "f:1", 17, "'}', expected the name of a monitor*" },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		struct tv_monitors monitors;
		struct tv_error err = { 0 };

		if (tv_monitors_read(&monitors, "f", row[i].text, strlen(row[i].text), &err) == 0)
			fail_msg("'%s' was accepted", row[i].text);
		if (strcmp(err.file, row[i].file) != 0 || err.line != row[i].column
		    || !tv_glob(row[i].message, err.text))
			fail_msg("'%s': %s:%ld: %s", row[i].text, err.file, err.line, err.text);
		tv_monitors_release(&monitors);
	}
}

/* ---- evaluation, on a machine of two L3 with three and one PUs ---- */

enum { MACHINE, L3_0, L3_1, PU_0, PU_1, PU_2, PU_3 };

static uint32_t above(const void *context, uint32_t object, const char *level)
{
	(void)context;
	if (strcmp(level, "PU") == 0)
		return object >= PU_0 ? object : UINT32_MAX;
	if (strcmp(level, "L3") == 0)
		return object == PU_3 ? L3_1 : object >= PU_0 ? L3_0 : object;
	return strcmp(level, "Machine") == 0 ? MACHINE : UINT32_MAX;
}

static int64_t index_of(const void *context, uint32_t object)
{
	(void)context;
	return object >= PU_0 ? object - PU_0 : object >= L3_0 ? object - L3_0 : 0;
}

/* "name object start-end value;" of all that is emitted. */
static void note(void *context, const struct tv_monitor *monitor, const char *name, uint32_t object,
		 int64_t start, int64_t end, double value)
{
	char *out = context;

	(void)monitor;
	snprintf(out + strlen(out), 2000 - strlen(out), "%s %u %lld-%lld %.17g;", name, object,
		 (long long)start, (long long)end, value);
}

static const struct tv_monitor_machine machine = { above, index_of, NULL };

/* What a description makes of readings: per tick and PU, up to two values; the first monitors that are
 * read get them all. */
static void check(const char *text, size_t ticks, const double (*value)[4][2], const char *expected)
{
	struct tv_monitors monitors;
	struct tv_monitor_run *run;
	char out[2000] = "";

	read_ok(&monitors, text);
	run = tv_monitor_run_new(&monitors, &machine);
	for (size_t t = 0; t < ticks; t++) {
		for (uint32_t m = 0; m < monitors.n; m++)
			for (uint32_t pu = 0; pu < 4; pu++)
				if (monitors.monitor[m].source == TV_MONITOR_READ
				    && value[t][pu][0] != -1)
					tv_monitor_add(run, m, PU_0 + pu, (int64_t)t,
						       (int64_t)t + 1, value[t][pu]);
		tv_monitor_tick(run, note, out);
	}
	if (strcmp(out, expected) != 0)
		fail_msg("%s\ngave     %s\nexpected %s", text, out, expected);
	tv_monitor_run_free(run);
	tv_monitors_release(&monitors);
}

static void computes(void **state)
{
	static const double ones[1][4][2] = { { { 1, 1 }, { -1, 0 }, { -1, 0 }, { -1, 0 } } };
	static const double counts[2][4][2] = {
		{ { 1, 10 }, { 2, 10 }, { 3, 20 }, { 8, 0 } },
		{ { 5, 10 }, { 7, 10 }, { NAN, 20 }, { 4, 8 } },
	};

	(void)state;
	/* doubles, precedence, names, a quotient by 0 */
	check("m{ OBJ:=PU; EVSET:=x,y; REDUCTION:= half=$0/2, z=$0/($1-1), s=x+y*3-1; }", 1, ones,
	      "m.half 3 0-1 0.5;m.s 3 0-1 3;");
	check("m{ OBJ:=PU; EVSET:=task-clock,y; REDUCTION:=task-clock/1000; }", 1, ones,
	      "m.value 3 0-1 0.001;");
	/* only one object */
	check("m{ OBJ:=PU:3; EVSET:=x; }", 1, counts, "m.x 6 0-1 8;");
	/* a ratio of a parent is one of sums, not a sum or mean of ratios; a missing part is missing */
	check("m{ OBJ:=PU; EVSET:=x,y; SILENT:=1; REDUCTION:=$0/$1; }\n"
	      "l{ OBJ:=L3; PERF_LIB:=hierarchical; EVSET:=PU; EVSET_REDUCE:=$0/$1; }\n"
	      "a{ PERF_LIB:=accumulate; EVSET:=l; }",
	      2, counts,
	      "l.value 1 0-1 0.14999999999999999;a.x 0 0-1 14;a.y 0 0-1 40;"
	      "l.value 2 1-2 0.5;a.y 0 1-2 48;");
	/* joined outputs: variance of the sums of both L3, 6 and 8 */
	check("m{ OBJ:=PU; EVSET:=x; SILENT:=1; }\n"
	      "s{ OBJ:=L3; PERF_LIB:=accumulate; EVSET:=m; SILENT:=1; }\n"
	      "b{ PERF_LIB:=hierarchical; EVSET:=s; REDUCTION:=1#hmonitor_evset_var; }\n"
	      "j{ PERF_LIB:=join; EVSET:=s; }",
	      1, counts, "b.var 0 0-1 1;j.0 0 0-1 6;j.1 0 0-1 8;");
	/* windows */
	check("m{ OBJ:=PU:0; EVSET:=x; SAMPLES_REDUCE:=mean; N_SAMPLES:=2; }", 2, counts,
	      "m.x 3 0-1 1;m.x 3 1-2 3;");
	check("m{ OBJ:=PU:2; EVSET:=x; REDUCTION:=1#hmonitor_events_sum; WINDOW:=2; }", 2, counts,
	      "m.x 5 0-1 3;m.x 5 1-2 3;");
	/* sums since the start; functions of one reading */
	check("m{ OBJ:=PU:1; EVSET:=x; ACCUMULATE:=1; }", 2, counts, "m.x 4 0-1 2;m.x 4 1-2 9;");
	check("m{ OBJ:=PU:1; EVSET:=x,y; EVSET_REDUCE:=EVSET_MAX; }", 2, counts,
	      "m.max 4 0-1 10;m.max 4 1-2 10;");
}

/* PU -> L3 -> Machine gives the same bits as PU -> Machine where sums are exact, and each parent is the
 * sum of its children as integers. */
static int64_t sums[2], emitted;

static void add_up(void *context, const struct tv_monitor *monitor, const char *name,
		   uint32_t object, int64_t start, int64_t end, double value)
{
	(void)context;
	(void)name;
	(void)start;
	(void)end;
	if (monitor->name[0] == 'p')
		sums[0] += (int64_t)value;
	if (monitor->name[0] == 'l')
		sums[1] += (int64_t)value;
	if (object == MACHINE && ((int64_t)value != sums[0] || (int64_t)value != sums[1]))
		fail_msg("%s: %.17g, sums %lld %lld", name, value, (long long)sums[0],
			 (long long)sums[1]);
	emitted += object == MACHINE;
}

static void adds_exactly(void **state)
{
	static const char text[] = "p{ OBJ:=PU; EVSET:=x; }\n"
				   "l{ OBJ:=L3; PERF_LIB:=accumulate; EVSET:=p; }\n"
				   "m{ PERF_LIB:=accumulate; EVSET:=l; }\n"
				   "n{ PERF_LIB:=accumulate; EVSET:=p; }\n";
	uint64_t seed = unit_seed(20161);
	struct tv_monitors monitors;
	struct tv_monitor_run *run;

	(void)state;
	read_ok(&monitors, text);
	run = tv_monitor_run_new(&monitors, &machine);
	for (int64_t t = 0; t < 1000; t++) {
		sums[0] = sums[1] = 0;
		for (uint32_t pu = PU_0; pu <= PU_3; pu++) {
			double x = (double)unit_random(&seed, (uint64_t)1 << 40);

			if (unit_random(&seed, 4) > 0)
				tv_monitor_add(run, 0, pu, t, t + 1, &x);
		}
		tv_monitor_tick(run, add_up, NULL);
	}
	assert_true(emitted > 1900);
	tv_monitor_run_free(run);
	tv_monitors_release(&monitors);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_all_versions),
		cmocka_unit_test(refuses),
		cmocka_unit_test(computes),
		cmocka_unit_test(adds_exactly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
