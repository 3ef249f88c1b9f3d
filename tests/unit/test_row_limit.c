/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_row_limit.c -- a pass whose result is too large reports that, whichever row was too many. */
#include "sample.h"

/* The linker puts this in the place of tv_table_add_row: that many calls succeed. */
static unsigned long rows_left;
uint32_t __real_tv_table_add_row(struct tv_table *table, struct tv_error *err);
uint32_t __wrap_tv_table_add_row(struct tv_table *table, struct tv_error *err);

uint32_t __wrap_tv_table_add_row(struct tv_table *table, struct tv_error *err)
{
	if (rows_left == 0) {
		tv_fail(err, (struct tv_pos){ 0 }, "too many rows");
		return TV_NONE;
	}
	rows_left--;
	return __real_tv_table_add_row(table, err);
}

/* Options that lead to other places where a pass adds rows. */
static const struct {
	const char *pass, *name, *value;
} variant[] = {
	{ "states", "by", "piece" },
	{ "states", "by", "worker" },
	{ "idle-causes", "by", "worker" },
	{ "tree-usage", "by", "depth" },
	{ "distribution", "scale", "linear" },
	{ "starvation", "by", "node" },
	{ "abe", "by", "node" },
};

static void make(struct sample *s)
{
	rows_left = 1000;
	sample_make(s, "ResourceId,Value,Start,End,JobId,DependsOn,SubmitTime,Iteration,GFlop,"
		       "Priority,ANode\nCPU0,do_subtree,0,10,1,,0,0,1,0,1\n"
		       "CPU1,a,10,20,2,1,0,1,1,0,2\nCPU0,a,12,23,3,1,0,1,2,1,2\n"
		       "CPU1,a,21,40,4,2 3,0,2,3,0,2\n");
	sample_state(s, "CPU0", "Idle", 24000000, 30000000);
	sample_event_at(s, "program", "program event type", "hello", 0);
}

/* Runs a pass with room for n rows; true when that was not enough. */
static bool short_of_rows(const char *pass, const char *name, const char *value, unsigned long n)
{
	struct sample s;
	bool failed;

	make(&s);
	rows_left = n;
	failed = tv_run_pass_with(&s.run, pass, &s.err, name, value, NULL) == NULL;
	if (rows_left == 0 && failed && strcmp(s.err.text, "too many rows") != 0)
		fail_msg("%s %s %s, row %lu: '%s'", pass, name != NULL ? name : "",
			 name != NULL ? value : "", n, s.err.text);
	failed = failed && rows_left == 0;
	sample_release(&s);
	return failed;
}

static unsigned long rows_of(const char *pass, const char *name, const char *value)
{
	unsigned long n = 0;

	while (short_of_rows(pass, name, value, n))
		n++;
	return n;
}

static void passes(void **state)
{
	unsigned long n = 0;

	(void)state;
	for (size_t i = 0; i < tv_npasses; i++)
		if (tv_passes[i]->positional == NULL)
			n += rows_of(tv_passes[i]->name, NULL, NULL);
	for (size_t i = 0; i < TV_COUNT(variant); i++)
		n += rows_of(variant[i].pass, variant[i].name, variant[i].value);
	assert_in_range(n, 100, 10000);
}

int main(void)
{
	static const struct CMUnitTest tests[] = { cmocka_unit_test(passes) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
