/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_refused_parts.c -- where rows come part by part, no panel is left out because they could not be read, or are not enough. */
#include "tests/unit/unit.h"
#include "views/shared/panel.h"

static const char tasks[] = "ResourceId,Value,Start,End,JobId,ResourceType\n"
			    "a,t,0,1,1,CPU\n"
			    "b,t,1,2,2,CPU\n";

/* A run whose tasks come so, in one part, as often as they can be read. */
struct reading {
	struct tv_trace trace;
	struct tv_run run, part;
	struct tv_run_parts parts;
	unsigned left; /* calls that do not fail */
	bool given;
};

static int next(void *context, enum tv_part_columns columns, struct tv_run **part,
		struct tv_error *err)
{
	struct reading *r = context;

	(void)columns;
	if (r->left == 0)
		return tv_fail_at(err, (struct tv_pos){ "x.parquet", 0 }, "damaged");
	r->left--;
	r->given = !r->given;
	*part = &r->part;
	return r->given;
}

static int begin(void **state)
{
	struct reading *r = tv_alloc(1, sizeof *r);

	unit_trace(&r->trace, NULL, tasks);
	tv_run_init(&r->run, &r->trace, 0);
	tv_run_init(&r->part, &r->trace, 0);
	r->parts = (struct tv_run_parts){ .next = next, .context = r, .rows = 2 };
	r->run.parts = &r->parts;
	r->part.of = &r->run;
	*state = r;
	return 0;
}

static int end(void **state)
{
	struct reading *r = *state;

	tv_run_release(&r->part);
	tv_run_release(&r->run);
	tv_trace_release(&r->trace);
	tv_free(r);
	return 0;
}

static int ask(struct reading *r, const char *pass, unsigned calls, struct tv_error *err)
{
	struct tv_figure figure = { .run = &r->run };
	const struct tv_table *table;

	*err = (struct tv_error){ 0 };
	r->left = calls;
	r->given = false;
	return tv_panel_pass_for(&figure, "panel x", pass, NULL, &table, err);
}

/* The first or the second reading of a pass fails, with all or none of the rows. */
static void test_unread(void **state)
{
	struct tv_error err;

	for (unsigned calls = 0; calls < 4; calls++) {
		assert_int_equal(ask(*state, "distribution", calls, &err), -1);
		assert_string_equal(err.text, "damaged");
		assert_string_equal(err.file, "x.parquet");
	}
	assert_int_equal(ask(*state, "distribution", 100, &err), 0);
}

/* What a reading that failed has found is not the result of the next one. */
static void test_again(void **state)
{
	struct reading *r = *state;
	const struct tv_table *table;
	struct tv_error err;

	assert_int_equal(ask(r, "abe", 0, &err), -1);
	assert_int_equal(ask(r, "abe", 100, &err), 0);
	table = tv_run_pass(&r->run, "abe", NULL, &err);
	assert_int_equal(table->nrows, 1);
	assert_int_equal(tv_table_find(table, "Actual")->i[0], 2);
}

static void test_not_enough(void **state)
{
	struct tv_error err;

	assert_int_equal(ask(*state, "phases", 100, &err), -1);
	assert_string_equal(err.text, "phases needs all rows at once");
}

/* What the whole would say as well. */
static void test_lacking(void **state)
{
	struct reading *r = *state;
	struct tv_error err;

	assert_int_equal(ask(r, "submitted", 100, &err), TV_NOTHING);
	assert_int_equal(r->run.diagnostics.n, 1);
	assert_string_equal(r->run.diagnostics.at[0].text,
			    "panel x left out: submitted: the tasks have no column SubmitTime");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_unread, begin, end),
		cmocka_unit_test_setup_teardown(test_again, begin, end),
		cmocka_unit_test_setup_teardown(test_not_enough, begin, end),
		cmocka_unit_test_setup_teardown(test_lacking, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
