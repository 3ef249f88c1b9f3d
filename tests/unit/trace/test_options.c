/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_options.c -- typed options: which values are valid, what they mean, what the error says. */
#include "tests/unit/unit.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trace/options.h"

struct chosen {
	bool flag;
	const char *text, *bounds, *types;
	int64_t step;
	uint64_t bins, depth, size;
	double level, min_ratio;
	enum by { WORKER, TYPE, NODE, RUN } by;
};

#define INTO(member) TV_INTO(struct chosen, member)

static const struct tv_option_spec spec[] = {
	{ "flag", NULL, NULL, "", INTO(flag) },
	{ "text", "TEXT", NULL, "", INTO(text) },
	{ "step", "TIME|auto|run", "auto", "", TV_OPTION_TIME, 1, 0, INTO(step) },
	{ "bins", "N", "30", "", TV_OPTION_COUNT, 1, 1000, INTO(bins) },
	{ "depth", "N|root", "3", "", TV_OPTION_COUNT, INTO(depth) },
	{ "level", "P", "0.95", "", TV_OPTION_NUMBER, 0, 1, INTO(level) },
	{ "min-ratio", "X", NULL, "", TV_OPTION_NUMBER, 1, 0, INTO(min_ratio) },
	{ "by", "worker|type|node|run", "run", "", TV_OPTION_CHOICE, INTO(by) },
	{ "bounds", "abe|cpe|none,...", NULL, "", TV_OPTION_LIST, INTO(bounds) },
	{ "types", "TYPE,...", NULL, "", TV_OPTION_LIST, INTO(types) },
	{ "size", "SIZE", NULL, "", TV_OPTION_SIZE, INTO(size) },
};

static const struct tv_option_spec *row(const char *name)
{
	return tv_option_find(spec, TV_COUNT(spec), name);
}

static void valid(void **state)
{
	static const struct {
		const char *name, *value;
	} given[] = {
		{ "flag", "" },		 { "text", "anything, even commas" },
		{ "step", "10" },	 { "step", "500us" },
		{ "step", "auto" },	 { "step", "run" },
		{ "bins", "1" },	 { "bins", "1000" },
		{ "depth", "0" },	 { "depth", "root" },
		{ "level", "0" },	 { "level", "1" },
		{ "level", "0.5" },	 { "min-ratio", "1e9" },
		{ "by", "node" },	 { "bounds", "abe" },
		{ "bounds", "cpe,abe" }, { "types", "gemm,TRSM*" },
		{ "size", "1M" },	 { "size", "1.5G" },
	};
	struct tv_error err = { 0 };

	(void)state;
	for (size_t i = 0; i < TV_COUNT(given); i++)
		if (tv_option_check(row(given[i].name), "", given[i].value, &err) < 0)
			fail_msg("--%s '%s': %s", given[i].name, given[i].value, err.text);
	assert_int_equal(tv_option_check(row("by"), "", NULL, &err), 0);
}

static void invalid(void **state)
{
	static const struct {
		const char *name, *value, *text;
	} given[] = {
		{ "step", "0",
		  "--p.step '0', expected a time above 0 such as 10 (ms) or 500us, "
		  "auto or run" },
		{ "step", "10 parsec",
		  "--p.step '10 parsec', expected a time above 0 such as 10 "
		  "(ms) or 500us, auto or run" },
		{ "bins", "0", "--p.bins '0', expected a whole number from 1 to 1000" },
		{ "bins", "1001", "--p.bins '1001', expected a whole number from 1 to 1000" },
		{ "bins", "1.5", "--p.bins '1.5', expected a whole number from 1 to 1000" },
		{ "bins", "", "--p.bins '', expected a whole number from 1 to 1000" },
		{ "depth", "-1", "--p.depth '-1', expected a whole number or root" },
		{ "depth", "99999999999999999999",
		  "--p.depth '99999999999999999999', expected a "
		  "whole number or root" },
		{ "level", "1.01", "--p.level '1.01', expected a number from 0 to 1" },
		{ "level", "nan", "--p.level 'nan', expected a number from 0 to 1" },
		{ "min-ratio", "0.5", "--p.min-ratio '0.5', expected a number from 1" },
		{ "by", "nodes", "--p.by 'nodes', expected worker, type, node or run" },
		{ "by", "", "--p.by '', expected worker, type, node or run" },
		{ "bounds", "abe,", "--p.bounds 'abe,', expected some of abe, cpe or none" },
		{ "bounds", "ABE", "--p.bounds 'ABE', expected some of abe, cpe or none" },
		{ "size", "900k",
		  "--p.size '900k', expected a size such as 500M or 4G, at least 1M" },
		{ "size", "4X", "--p.size '4X', expected a size such as 500M or 4G, at least 1M" },
		{ "types", "a,,b", "--p.types 'a,,b', expected names with commas between" },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(given); i++) {
		struct tv_error err = { 0 };

		assert_int_equal(tv_option_check(row(given[i].name), "p.", given[i].value, &err),
				 -1);
		assert_int_equal(err.status, TV_USAGE);
		assert_string_equal(err.text, given[i].text);
	}
}

static void values(void **state)
{
	const char *value[TV_COUNT(spec)] = { 0 };
	struct tv_options options = { spec, TV_COUNT(spec), value };
	struct chosen chosen;

	(void)state;
	tv_options_fill(&options, &chosen, sizeof chosen);
	assert_false(chosen.flag);
	assert_int_equal(chosen.step, 0);
	assert_int_equal(chosen.bins, 30);
	assert_int_equal(chosen.by, RUN);
	assert_null(chosen.types);
	assert_true(isnan(chosen.min_ratio));
	assert_int_equal(chosen.size, 0);
	assert_false(TV_GIVEN(&options, struct chosen, bins));
	value[0] = "";
	value[2] = "500us";
	value[4] = "root";
	value[5] = "0.25";
	value[7] = "type";
	value[10] = "2K";
	tv_options_fill(&options, &chosen, sizeof chosen);
	assert_true(chosen.flag);
	assert_int_equal(chosen.step, 500000);
	assert_int_equal(chosen.depth, 0);
	assert_true(chosen.level == 0.25);
	assert_int_equal(chosen.by, TYPE);
	assert_int_equal(chosen.size, 0);
	assert_true(TV_GIVEN(&options, struct chosen, level));
	value[10] = "2.5M";
	tv_options_fill(&options, &chosen, sizeof chosen);
	assert_int_equal(chosen.size, 2500000);
	assert_true(tv_value_lists("cpe,abe", "abe"));
	assert_false(tv_value_lists("cpe,abe", "ab"));
	assert_false(tv_value_lists(NULL, "abe"));
}

/* A name that no row declares ends the program. */
static void undeclared(void **state)
{
	struct tv_options options = { spec, TV_COUNT(spec), NULL };
	pid_t child = fork();
	int status;

	(void)state;
	if (child == 0) {
		if (freopen("/dev/null", "w", stderr) != NULL)
			tv_option_given(&options, "no such option");
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(valid),
		cmocka_unit_test(invalid),
		cmocka_unit_test(values),
		cmocka_unit_test(undeclared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
