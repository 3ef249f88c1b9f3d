/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_bounds.c -- the table of passes, and runs that compute each of them once. */

#include "analysis/passes.h"
#include "tests/unit/sample.h"

/* A pass is computed once; no pass has these names. */
static void by_name(void **state)
{
	struct sample s;
	const struct tv_table *once;

	(void)state;
	sample_make(&s, "ResourceId,Value,Start,End\nCPU0,a,0,1\n");
	once = tv_run_pass(&s.run, "bounds", NULL, &s.err);
	assert_non_null(once);
	assert_ptr_equal(tv_run_pass(&s.run, "bounds", NULL, &s.err), once);
	assert_string_equal(sample_pass(&s, "nothing", NULL),
			    "error: there is no pass 'nothing'; 'traceviz help' lists them");
	assert_string_equal(sample_pass(&s, "bonds", NULL),
			    "error: there is no pass 'bonds' (did you mean 'bounds'?); "
			    "'traceviz help' lists them");
	sample_release(&s);
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
		cmocka_unit_test(by_name),
		cmocka_unit_test(table),
	};

	return cmocka_run_group_tests(test, NULL, NULL);
}
