/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_diagnostics.c -- the list of messages: what is added once, and how a message is printed. */
#include "tests/unit/unit.h"
#include "trace/diagnostics.h"

static void repeated_warnings(void **state)
{
	struct tv_diagnostics list = { 0 };
	struct tv_pos first = { "a.yaml", 1 }, second = { "a.yaml", 2 }, none = { 0 };

	(void)state;
	for (int i = 0; i < 2; i++) {
		tv_diagnose(&list, TV_WARNING, none, "%d task", 1);
		tv_diagnose(&list, TV_WARNING, first, "%d task", 1);
		tv_diagnose(&list, TV_WARNING, second, "%d task", 1);
	}
	assert_int_equal(list.n, 3);
	/* Records and notes count each time. */
	tv_diagnose(&list, TV_OMISSION, first, "bad");
	tv_diagnose(&list, TV_OMISSION, first, "bad");
	tv_diagnose(&list, TV_NOTE, none, "read");
	tv_diagnose(&list, TV_NOTE, none, "read");
	assert_int_equal(list.n, 7);
	tv_diagnostics_release(&list);
}

static void lines(void **state)
{
	static const struct {
		struct tv_pos at;
		enum tv_severity severity;
		uint64_t records;
		const char *want;
	} row[] = {
		{ { NULL, 0 }, TV_NOTE, 0, "what?" },
		{ { "f", 0 }, TV_WARNING, 0, "f: what?" },
		{ { "f", 7 }, TV_WARNING, 0, "f:7: what?" },
		{ { "f", 7 }, TV_REPAIR, 1, "f:7: what? (1 record repaired)" },
		{ { "f", 7 }, TV_OMISSION, 3, "f:7: what? (3 records skipped, this is the first)" },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		struct tv_diagnostics list = { 0 };
		char line[100], cut[4];

		/* A control character does not reach the terminal. */
		tv_diagnose(&list, row[i].severity, row[i].at, "what\x1b");
		list.at[0].records = row[i].records;
		assert_string_equal(tv_diagnostic_line(line, sizeof line, &list.at[0]),
				    row[i].want);
		assert_int_equal(strlen(tv_diagnostic_line(cut, sizeof cut, &list.at[0])), 3);
		tv_diagnostics_release(&list);
	}
}

int main(void)
{
	static const struct CMUnitTest test[] = {
		cmocka_unit_test(repeated_warnings),
		cmocka_unit_test(lines),
	};

	return cmocka_run_group_tests(test, NULL, NULL);
}
