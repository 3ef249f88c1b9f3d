/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_grouping.c -- rows grouped by random columns, by brute force over their cells. */
#include "analysis/core/grouping.h"
#include "tests/unit/sample.h"

enum { ROUNDS = 200, ROWS = 30, NCOLUMNS = 4, NWORDS = 4 };

static const char *const names[NCOLUMNS] = { "Value", "Iteration", "GFlop", "Note" };
/* Missing, then in ascending order. */
static const char *const words[NCOLUMNS][NWORDS] = {
	{ "", "a2", "a10", "b" },
	{ "", "-3", "2", "10" },
	{ "", "-1", "0", "1.5" },
	{ "", "\"\"", "a10", "a2" },
};

struct rows {
	int n, cell[ROWS][NCOLUMNS];
	bool counted[ROWS];
};

static void make_rows(struct rows *rows, struct sample *s, uint64_t *seed)
{
	char csv[4096];
	size_t at = (size_t)sprintf(csv, "ResourceId,Start,End,Kind,%s,%s,%s,%s\n", names[0],
				    names[1], names[2], names[3]);

	rows->n = 1 + (int)unit_random(seed, ROWS);
	for (int i = 0; i < rows->n; i++) {
		rows->counted[i] = i == 0 || unit_random(seed, 4) != 0;
		at += (size_t)sprintf(csv + at, "CPU0,%d,%d,%s", i, i + 1,
				      rows->counted[i] ? "app" : "runtime");
		for (int c = 0; c < NCOLUMNS; c++) {
			int word = rows->cell[i][c] = (int)unit_random(seed, NWORDS);
			bool negative_zero = c == 2 && word == 2 && unit_random(seed, 2) == 0;

			at += (size_t)sprintf(csv + at, ",%s",
					      negative_zero ? "-0" : words[c][word]);
		}
		at += (size_t)sprintf(csv + at, "\n");
	}
	sample_make(s, csv);
}

/* The order of two rows by the chosen columns. */
static int compare(const struct rows *rows, unsigned chosen, bool missing_last, uint32_t a,
		   uint32_t b)
{
	for (int c = 0; c < NCOLUMNS; c++) {
		int x = rows->cell[a][c], y = rows->cell[b][c];

		if (!(chosen >> c & 1) || x == y)
			continue;
		if (missing_last)
			return (x == 0 ? NWORDS : x) - (y == 0 ? NWORDS : y);
		return x - y;
	}
	return 0;
}

/* Rows are in one group exactly if their cells are equal, and `row` has the first of each. */
static void check_groups(const struct rows *rows, const struct tv_grouping *g, unsigned chosen)
{
	for (int i = 0; i < rows->n; i++) {
		uint32_t group = g->of_row[i];

		assert_int_equal(group == TV_NONE, !rows->counted[i]);
		if (group == TV_NONE)
			continue;
		assert_in_range(group, 0, g->n - 1);
		assert_true(g->row[group] <= (uint32_t)i);
		assert_int_equal(g->of_row[g->row[group]], group);
		for (int k = 0; k < i; k++)
			if (rows->counted[k])
				assert_int_equal(
					g->of_row[k] == group,
					compare(rows, chosen, false, (uint32_t)k, (uint32_t)i)
						== 0);
	}
}

static void random_columns(void **state)
{
	uint64_t seed = unit_seed(41);

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		unsigned chosen = (unsigned)unit_random(&seed, 1u << NCOLUMNS);
		bool missing_last = unit_random(&seed, 2) == 0;
		struct tv_grouping g;
		struct rows rows;
		struct sample s;
		char list[64] = "";

		make_rows(&rows, &s, &seed);
		for (int c = 0; c < NCOLUMNS; c++)
			if (chosen >> c & 1)
				sprintf(list + strlen(list), "%s%s", list[0] == '\0' ? "" : ",",
					names[c]);
		assert_int_equal(
			tv_grouping_by_names(&g, &s.run.tasks, list, "group", false, &s.err), 0);
		check_groups(&rows, &g, chosen);
		for (uint32_t i = 1; i < g.n; i++)
			assert_true(g.row[i - 1] < g.row[i]);
		tv_grouping_sort(&g, missing_last);
		check_groups(&rows, &g, chosen);
		for (uint32_t i = 1; i < g.n; i++)
			assert_true(compare(&rows, chosen, missing_last, g.row[i - 1], g.row[i])
				    < 0);
		tv_grouping_release(&g);
		sample_release(&s);
	}
}

int main(void)
{
	static const struct CMUnitTest test[] = { cmocka_unit_test(random_columns) };

	return cmocka_run_group_tests(test, NULL, NULL);
}
