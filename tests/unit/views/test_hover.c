/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_hover.c -- templates of hover texts: cells of all types, missing ones, optional parts. */
#include "tests/unit/unit.h"
#include "views/shared/hover.h"

/* Two rows: all cells known; all missing but Key. */
static void fill(struct tv_table *table, struct tv_pool *pool)
{
	struct tv_error err;
	uint32_t row;

	tv_table_init(table, pool);
	for (size_t i = 0; i < 2; i++) {
		row = tv_table_add_row(table);
		tv_set_text(tv_table_column(table, "Key", TV_LABEL, &err), row,
			    i == 0 ? "a\nb" : "c");
		if (i == 1)
			continue;
		tv_set_text(tv_table_column(table, "Peer", TV_LABEL, &err), row, "7");
		tv_set_int(tv_table_column(table, "Tag", TV_INT, &err), row, -3);
		tv_set_int(tv_table_column(table, "Size", TV_INT, &err), row, 2048);
		tv_set_int(tv_table_column(table, "Wait", TV_TIME, &err), row, 1234567);
		tv_set_double(tv_table_column(table, "Share", TV_DOUBLE, &err), row, 0.001);
	}
	tv_table_finish(table);
}

static void templates(void **state)
{
	static const struct {
		const char *pattern, *known, *missing;
	} row[] = {
		{ "", "", "" },
		{ "plain", "plain", "plain" },
		{ "{Key}", "a?b", "c" },
		{ "{Tag}, {Wait}, {Wait:6}", "-3, 1.235, 1.234567", ", , " },
		{ "{Wait:time}, {Wait:time|none}", "1234.6 us, 1234.6 us", ", none" },
		{ "{Size:bytes|unknown size}", "2.048 kB", "unknown size" },
		{ "{Share:share} %, {Share:1}", "<0.01 %, 0.0", " %, " },
		{ "{Key}[, peer {Peer}][, tag {Tag}].", "a?b, peer 7, tag -3.", "c." },
		{ "[{Key} to {Peer}]", "a?b to 7", "" },
		{ "[{Peer|nobody}]", "7", "nobody" },
		{ "{Other|none}[{Other}]", "none", "none" },
		{ "{from} to {to:6} ({long})", "1.000 to 2.500000 (1.500)",
		  "1.000 to 2.500000 (1.500)" },
	};
	struct tv_pool *pool = tv_pool_new();
	struct tv_table table;

	(void)state;
	fill(&table, pool);
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		struct tv_hover hover;
		char known[200], missing[200];

		tv_hover_init(&hover, &table, row[i].pattern);
		tv_hover_text(&hover, 0, 1000000, 2500000, known, sizeof known);
		tv_hover_text(&hover, 1, 1000000, 2500000, missing, sizeof missing);
		if (strcmp(known, row[i].known) != 0 || strcmp(missing, row[i].missing) != 0)
			fail_msg("'%s': '%s' and '%s', expected '%s' and '%s'", row[i].pattern,
				 known, missing, row[i].known, row[i].missing);
	}
	tv_table_release(&table);
	tv_pool_free(pool);
}

/* A text that is too long is cut, wherever. */
static void cut(void **state)
{
	struct tv_pool *pool = tv_pool_new();
	struct tv_table table;
	struct tv_hover hover;
	char text[40];

	(void)state;
	fill(&table, pool);
	tv_hover_init(&hover, &table, "{Key} and {Wait:6} and {Size:bytes}[ and {Tag}] and {Peer}");
	for (size_t size = 1; size <= sizeof text; size++) {
		memset(text, 'x', sizeof text);
		tv_hover_text(&hover, 0, 0, 0, text, size);
		assert_true(strlen(text) < size);
		assert_memory_equal(text, "a?b and 1.234567 and 2.048 kB and -3 and 7",
				    strlen(text));
	}
	tv_table_release(&table);
	tv_pool_free(pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(templates), cmocka_unit_test(cut) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
