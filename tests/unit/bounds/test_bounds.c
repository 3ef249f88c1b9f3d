/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_bounds.c -- bounds, abe and info by hand; runs that compute each pass once. */
#include <stdio.h>

#include "analysis/passes.h"
#include "tests/unit/sample.h"

#define HEADER "ResourceId,Value,JobId,Start,End,Kind,DependsOn\n"

/*
 * a: 10 on CPU0, 20 on CPU1 (mean 15), 5 on CUDA0; b: 30 on CPU0 only. A ghost between 1 and 4.
 * CPE: a (5) + b (30). ABE: b needs 30 of 2 CPU; of 3 a, x go to CUDA:
 * (30 + (3 - x) 15) / 2 = 5 x, so x = 3.
 */
#define SMALL \
	HEADER \
	"CPU0,a,1,0,10,app,\nCPU1,a,2,0,20,app,\nCUDA0,a,3,1,6,app,77\n" \
	"CPU0,b,4,40,70,app,9 2\n,,9,,,ghost,1\nCPU0,plgsy,0,-50,-1,setup,\n"

static void by_hand(void **state)
{
	struct sample s;
	const struct tv_table *once;

	(void)state;
	sample_make(&s, SMALL);
	assert_string_equal(sample_pass(&s, "bounds", NULL),
			    ",makespan,observed,70.000000,,|,cpe,estimate,35.000000,100,1|"
			    ",abe,estimate,15.000000,366.6666666666667,1|");
	assert_string_equal(
		sample_pass(&s, "abe", NULL),
		",a,CPU,2,0,15.000000|,a,CUDA,1,3,5.000000|,b,CPU,1,1,30.000000|,b,CUDA,0,0,|");
	assert_int_equal(s.run.diagnostics.n, 2);
	assert_string_equal(s.run.diagnostics.at[0].text,
			    "left out: 1 plgsy (49.000000 ms) (see --kind)");
	assert_string_equal(s.run.diagnostics.at[1].text,
			    "1 dependencies on jobs that occur nowhere are ignored");
	once = tv_run_pass(&s.run, "bounds", NULL, &s.err);
	assert_ptr_equal(tv_run_pass(&s.run, "bounds", NULL, &s.err), once);
	sample_release(&s);
}

static void refusals(void **state)
{
	static const struct {
		const char *pass, *csv, *want;
	} row[] = {
		{ "bounds", HEADER "CPU0,a,1,0,1,app,2\nCPU0,a,2,1,2,app,1\n",
		  "error: the dependencies form a cycle: 1 -> 2 -> 1 (each depends on the next)" },
		{ "abe", HEADER "CPU0,plgsy,1,0,1,setup,\n",
		  "error: abe: the trace has no task to count (see --kind and traceviz info)" },
		{ "nothing", HEADER "CPU0,a,1,0,1,app,\n",
		  "error: there is no pass 'nothing'; 'traceviz help' lists them" },
		{ "bonds", HEADER "CPU0,a,1,0,1,app,\n",
		  "error: there is no pass 'bonds' (did you mean 'bounds'?); 'traceviz help' lists "
		  "them" },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		struct sample s;

		sample_make(&s, row[i].csv);
		assert_string_equal(sample_pass(&s, row[i].pass, NULL), row[i].want);
		sample_release(&s);
	}
}

/* Without dependencies there is no critical path, and a reason; a window makes no sense. */
static void without(void **state)
{
	static const char csv[] = "ResourceId,Value,Start,End\nCPU0,a,5,10\nCPU1,a,7,7\n";
	struct sample s;

	(void)state;
	sample_make(&s, csv);
	assert_string_equal(sample_pass(&s, "bounds", NULL),
			    ",makespan,observed,5.000000,,|,abe,estimate,2.500000,100,0|");
	assert_int_equal(s.run.diagnostics.n, 2);
	assert_string_equal(s.run.diagnostics.at[0].text,
			    "the trace does not declare its workers: only the 2 that ran tasks "
			    "are counted (see --resources)");
	assert_string_equal(s.run.diagnostics.at[1].text,
			    "no cpe: the tasks have no dependencies (DependsOn, JobId)");
	sample_release(&s);

	sample_make(&s, csv);
	s.run.window = (struct tv_window){ true, 0, 1 };
	assert_string_equal(sample_pass(&s, "bounds", NULL),
			    "error: bounds describes the whole run: it takes no --begin or --end");
	sample_release(&s);

	/* Tasks that take no time: a bound of 0 has no gap. */
	sample_make(&s, "ResourceId,Value,Start,End\nCPU0,a,5,5\nCUDA0,a,9,9\n");
	assert_string_equal(sample_pass(&s, "bounds", NULL),
			    ",makespan,observed,4.000000,,|,abe,estimate,0.000000,,0|");
	sample_release(&s);
}

/* Per node: its own tasks, workers and means; makespan from the first Start of the run. */
static void nodes(void **state)
{
	static const char csv[] = HEADER
		"0_CPU0,a,0_1,0,10,app,\n0_CPU1,,,,,worker,\n1_CPU0,a,1_1,10,30,app,0_1\n"
		"1_CPU0,b,1_2,30,40,app,\n2_CPU0,,,,,worker,\n";
	struct sample s;

	(void)state;
	sample_make(&s, csv);
	assert_string_equal(
		sample_pass(&s, "bounds", NULL),
		",makespan,observed,40.000000,,|,cpe,estimate,30.000000,33.333333333333336,0|"
		",abe,estimate,10.000000,300,0|0,makespan,observed,10.000000,,|"
		"0,abe,estimate,5.000000,100,0|1,makespan,observed,40.000000,,|"
		"1,abe,estimate,30.000000,33.333333333333336,0|");
	assert_string_equal(sample_pass(&s, "abe", NULL),
			    ",a,CPU,2,2,15.000000|,b,CPU,1,1,10.000000|0,a,CPU,1,1,10.000000|"
			    "1,a,CPU,1,1,20.000000|1,b,CPU,1,1,10.000000|");
	sample_release(&s);
}

/* Times at the limits add up to no overflow. */
static void long_times(void **state)
{
	static const char csv[] = HEADER "CPU0,a,1,-4600000000000,4600000000000,app,\n"
					 "CPU0,a,2,-4600000000000,4600000000000,app,1\n"
					 "CPU0,plgsy,3,-4600000000000,4600000000000,setup,\n"
					 "CPU0,plgsy,4,-4600000000000,4600000000000,setup,\n";
	struct sample s;

	(void)state;
	sample_make(&s, csv);
	assert_string_equal(sample_pass(&s, "bounds", NULL),
			    "error: cpe: the durations add up to more than 146 years, "
			    "which is out of range");
	assert_string_equal(sample_pass(&s, "idleness", NULL),
			    "CPU0,CPU,0,2,9200000000000.000000,0.000000,0,|");
	assert_string_equal(sample_pass(&s, "outliers", NULL),
			    "0,9200000000000.000000|0,9200000000000.000000|,|,|");
	sample_pass(&s, "abe", NULL);
	sample_pass(&s, "info", NULL);
	sample_release(&s);
}

/* A team of three is one task of three workers' time. */
static void teams(void **state)
{
	static const char csv[] =
		"ResourceId,Value,JobId,Start,End,Kind,Team,DependsOn\n"
		"CPU0,a,1,0,10,app,3,\nCPU1,a,1,0,10,app,3,\nCPU2,a,1,0,10,app,3,\n"
		"CPU3,,,,,worker,,\nCUDA0,a,2,10,20,app,,1\n";
	struct sample s;

	(void)state;
	sample_make(&s, csv);
	assert_int_equal(s.run.tasks.ntasks, 2);
	/* (2 - x) 30 / 4 = 10 x: x = 6 / 7 */
	assert_string_equal(sample_pass(&s, "bounds", NULL),
			    ",makespan,observed,20.000000,,|,cpe,estimate,20.000000,0,0|"
			    ",abe,estimate,8.571429,133.33332166666725,0|");
	sample_pass(&s, "abe", NULL);
	assert_memory_equal(s.got, ",a,CPU,1,1.14285714", 19);
	sample_release(&s);
}

static void info(void **state)
{
	static const struct {
		const char *csv, *want;
	} row[] = {
		{ SMALL, "rows,tasks,6|time (ms),first event,-50.000000|"
			 "time (ms),last event,70.000000|time (ms),first task,0.000000|"
			 "time (ms),last task,70.000000|"
			 "time (ms),makespan,70.000000|workers by node,0,3|workers by type,CPU,2|"
			 "workers by type,CUDA,1|workers declared,,yes|app rows,a,3|"
			 "app time (ms),a,35.000000|"
			 "app rows,b,1|app time (ms),b,30.000000|setup rows,plgsy,1|"
			 "setup time (ms),plgsy,49.000000|"
			 "ghost rows,,1|overlaps,,0|graph,jobs,6|graph,dependencies,3|"
			 "graph,dependencies on jobs that occur nowhere,1|" },
		{ HEADER, "" },
		{ HEADER
		  "CPU0,a,1,0,4,app,2\nCPU0,a,2,1,2,app,1\nCPU0,a,3,3,5,app,\nCPU1,a,4,4,5,app,\n",
		  "rows,tasks,4|time (ms),first event,0.000000|"
		  "time (ms),last event,5.000000|time (ms),first task,0.000000|"
		  "time (ms),last task,5.000000|"
		  "time (ms),makespan,5.000000|workers by node,0,2|workers by type,CPU,2|"
		  "workers declared,,yes|app rows,a,4|app time "
		  "(ms),a,8.000000|overlaps,,2|overlaps,CPU0,2|"
		  "graph,error,the dependencies form a cycle: 1 -> 2 -> 1 "
		  "(each depends on the next)|" },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		struct sample s;

		sample_make(&s, row[i].csv);
		assert_string_equal(sample_pass(&s, "info", NULL), row[i].want);
		sample_release(&s);
	}
}

/* The table of passes: what --help and the command line rely on, for every row. */
static void table(void **state)
{
	size_t ran = 0;

	(void)state;
	for (size_t i = 0; i < tv_npasses; i++) {
		const struct tv_pass *pass = tv_passes[i];
		struct sample s;
		const struct tv_table *out;

		assert_ptr_equal(tv_pass_find(pass->name), pass);
		if (pass->positional != NULL)
			continue; /* without its argument there is no result */
		sample_make(&s, "ResourceId,Value,Start,End,JobId,DependsOn,SubmitTime,Iteration,"
				"GFlop,Priority,ANode,Cpu\n"
				"CPU0,do_subtree,0,10,1,,0,0,1,0,1,0\n"
				"CPU1,a,10,20,2,1,0,1,1,0,2,0\n");
		sample_state(&s, "CPU0", "Idle", 10000000, 20000000);
		sample_state(&s, "MEMMANAGER0", "Allocating", 0, 10000000);
		sample_event_at(&s, "program", "program event type", "hello", 0);
		sample_message(&s, "m", "0_mpict", "1_mpict", 0, 10000000, 1);
		sample_message(&s, "com_1", "MEMMANAGER0", "MEMMANAGER1", 0, 10000000, 1);
		sample_text(&s, TV_LINKS, 1, "Type", "Intra-node data Fetch");
		sample_event_at(&s, "MEMMANAGER0", "data state owner", "a0", 0);
		sample_call(&s, "CPU0", "MPI_Isend", "start", 0);
		sample_call(&s, "CPU0", "MPI_Wait", "wait", 10000000);
		sample_machine(&s);
		out = tv_run_pass(&s.run, pass->name, NULL, &s.err);
		if (out == NULL) {
			/* Tables of other recorders, an option that a pass needs. */
			if (strstr(s.err.text, "the trace has no ") == NULL
			    && strstr(s.err.text, " needs --") == NULL)
				fail_msg("%s: %s", pass->name, s.err.text);
			sample_release(&s);
			continue;
		}
		ran++;
		assert_true(out->ncols == pass->ncolumns
			    || (pass->varies && out->ncols > 0 && out->ncols < pass->ncolumns));
		for (size_t k = 0; k < out->ncols; k++) {
			assert_string_equal(out->col[k]->name, pass->column[k].name);
			assert_int_equal(out->col[k]->type, pass->column[k].type);
		}
		if (pass->kind == TV_ANNOTATE)
			assert_int_equal(out->nrows, s.trace.table[TV_TASKS].nrows);
		sample_release(&s);
	}
	assert_true(ran >= 57);
}

int main(void)
{
	static const struct CMUnitTest test[] = {
		cmocka_unit_test(by_hand), cmocka_unit_test(refusals),	 cmocka_unit_test(without),
		cmocka_unit_test(nodes),   cmocka_unit_test(long_times), cmocka_unit_test(teams),
		cmocka_unit_test(info),	   cmocka_unit_test(table),
	};

	return cmocka_run_group_tests(test, NULL, NULL);
}
