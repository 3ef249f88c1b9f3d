/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_iterations.c -- tags as known formats have them and packed at random; progress against counting. */
#include <stdio.h>

#include "tests/unit/sample.h"

#include "analysis/tasks/tags.h"

enum { ROUNDS = 500, TASKS = 20, LENGTH = 50 };

static void known_formats(void **state)
{
	static const struct {
		const char *format, *type, *tag;
		int64_t want[TV_TAG_FIELDS]; /* -1: not of this format */
	} row[] = {
		{ "chameleon", "dpotrf", "0000000000000003", { 3, 3, 3 } },
		{ "chameleon", "dtrsm", "000000000000200b", { 2, 11, 2 } },
		{ "chameleon", "dgemm", "0000000001004005", { 1, 5, 4 } },
		{ "chameleon", "DSYRK", "fff005005", { 4095, 5, 5 } },
		{ "chameleon", "dgemm", "1000000001004005", { -1, -1, -1 } },
		{ "chameleon", "dpotrf", "1000", { -1, -1, -1 } },
		{ "starpu-cholesky", "POTRF", "0x1000000000000003", { 3, 3, 3 } },
		{ "starpu-cholesky", "cl21", "3000000100000000", { -1, -1, -1 } },
		{ "starpu-cholesky", "TRSM", "3000000100000000", { 0, 1, 0 } },
		{ "starpu-cholesky", "GEMM", "4000002100070002", { 33, 7, 2 } },
		{ "starpu-cholesky", "GEMM", "3000002100070002", { -1, -1, -1 } },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		struct tv_tag_format format;
		struct tv_error err = { 0 };
		const struct tv_tag_rule *rule;
		uint64_t tag;

		assert_int_equal(tv_tag_parse(row[i].format, &format, &err), 0);
		assert_true(tv_tag_number(row[i].tag, &tag));
		rule = tv_tag_rule(&format, row[i].type);
		for (int f = 0; f < TV_TAG_FIELDS; f++) {
			int64_t got = -1;

			if (rule != NULL && tv_tag_fits(rule, tag))
				assert_true(tv_tag_value(rule, (enum tv_tag_field)f, tag, &got));
			if (got != row[i].want[f])
				fail_msg("row %zu field %d: %lld", i, f, (long long)got);
		}
	}
}

static void bad_formats(void **state)
{
	static const char *const bad[] = {
		"",
		":",
		"*",
		"*:",
		"*:X",
		"*:X=",
		"*:X=1",
		"*:X=1-",
		"*:X=2-1",
		"*:X=0-64",
		"*:X=0-63",
		"*:X=-1-3",
		"*:Z=0-1",
		"*:X=0-1,",
		"*:X=0-1;",
		"*:0-3=-1",
		"*:0-3=x",
		":X=0-1",
		"*:0-0=0,1-1=0,2-2=0,3-3=0,4-4=0",
	};
	static const char *const bad_tags[] = { "",
						"0x",
						"12g",
						"12345678901234567",
						" 1",
						"-1",
						"2020202020202020",
						"0x2020202020202020" };
	struct tv_tag_format format;
	struct tv_error err = { 0 };
	char many[40 * 8] = "*:X=0-1";
	size_t at = strlen(many);
	uint64_t tag;

	(void)state;
	for (size_t i = 0; i < TV_COUNT(bad); i++) {
		if (tv_tag_parse(bad[i], &format, &err) == 0)
			fail_msg("'%s' is accepted", bad[i]);
		assert_int_equal(err.status, TV_USAGE);
	}
	for (size_t i = 0; i < TV_COUNT(bad_tags); i++)
		assert_false(tv_tag_number(bad_tags[i], &tag));
	for (int i = 1; i <= TV_TAG_RULES; i++) {
		assert_int_equal(tv_tag_parse(many, &format, &err), 0);
		at += (size_t)snprintf(many + at, sizeof many - at, ";*:X=0-1");
	}
	assert_int_equal(tv_tag_parse(many, &format, &err), -1);
}

/* Whatever is packed into any bits comes out again. */
static void packed(void **state)
{
	uint64_t seed = unit_seed(42);

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		int low[4], width[4], at = 0;
		uint64_t tag = 0, value[4];
		struct tv_tag_format format;
		struct tv_error err = { 0 };
		char text[200];

		for (int f = 0; f < 4; f++) {
			low[f] = at + (int)unit_random(&seed, 3);
			width[f] = 1 + (int)unit_random(&seed, 13);
			value[f] = unit_random(&seed, UINT64_C(1) << width[f]);
			tag |= value[f] << low[f];
			at = low[f] + width[f];
		}
		snprintf(text, sizeof text, "x:X=0-1;k*:Y=%d-%d,Iteration=%d-%d,%d-%d=%llu,X=%d-%d",
			 low[0], low[0] + width[0] - 1, low[1], low[1] + width[1] - 1, low[2],
			 low[2] + width[2] - 1, (unsigned long long)value[2], low[3],
			 low[3] + width[3] - 1);
		if (tv_tag_parse(text, &format, &err) < 0)
			fail_msg("%s", err.text);
		assert_true(tv_tag_fits(&format.rule[1], tag));
		assert_false(tv_tag_fits(&format.rule[1], tag ^ (UINT64_C(1) << low[2])));
		for (int f = 0; f < TV_TAG_FIELDS; f++) {
			static const int of[TV_TAG_FIELDS] = { 1, 3, 0 };
			int64_t got;

			assert_true(tv_tag_value(&format.rule[1], (enum tv_tag_field)f, tag, &got));
			assert_int_equal(got, value[of[f]]);
		}
	}
}

/* Open, and the times by which shares had ended, against counting. */
static void progress_counted(void **state)
{
	uint64_t seed = unit_seed(88);

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		char csv[2000] = "ResourceId,Value,Start,End,Iteration\n";
		int start[TASKS], end[TASKS], of[TASKS];
		static const char *const share[] = { "Ended25", "Ended50", "Ended75", "End" };
		const struct tv_table *table;
		struct sample s;

		for (int k = 0; k < TASKS; k++) {
			size_t at = strlen(csv);

			of[k] = (int)unit_random(&seed, 5);
			start[k] = (int)unit_random(&seed, LENGTH);
			end[k] = start[k] + 1 + (int)unit_random(&seed, 9);
			snprintf(csv + at, sizeof csv - at, "W%d,a,0.%06d,0.%06d,%d\n", k, start[k],
				 end[k], of[k]);
		}
		sample_make(&s, csv);
		table = tv_run_pass(&s.run, "progress", NULL, &s.err);
		assert_non_null(table);
		for (uint32_t row = 0; row < table->nrows; row++) {
			int64_t it = tv_table_find(table, "Iteration")->i[row], open = 0;
			int64_t begin = tv_table_find(table, "Start")->i[row];
			int n = 0;

			for (int k = 0; k < TASKS; k++)
				n += of[k] == it;
			assert_int_equal(tv_table_find(table, "Tasks")->i[row], n);
			for (int q = 0; q < 4; q++) {
				int64_t t = tv_table_find(table, share[q])->i[row];
				int before = 0, until = 0;

				for (int k = 0; k < TASKS; k++) {
					before += of[k] == it && end[k] < t;
					until += of[k] == it && end[k] <= t;
				}
				assert_true(4 * before < (q + 1) * n && 4 * until >= (q + 1) * n);
			}
			for (int other = 0; other < 5; other++) {
				bool begun = false, unfinished = false;

				for (int k = 0; k < TASKS; k++) {
					begun = begun || (of[k] == other && start[k] <= begin);
					unfinished = unfinished
						  || (of[k] == other && end[k] > begin);
				}
				open += begun && unfinished;
			}
			assert_int_equal(tv_table_find(table, "Open")->i[row], open);
		}
		sample_release(&s);
	}
}

int main(void)
{
	static const struct CMUnitTest test[] = {
		cmocka_unit_test(known_formats),
		cmocka_unit_test(bad_formats),
		cmocka_unit_test(packed),
		cmocka_unit_test(progress_counted),
	};

	return cmocka_run_group_tests(test, NULL, NULL);
}
