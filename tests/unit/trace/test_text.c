/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_text.c -- texts that grow, endings of nouns. */
#include "tests/unit/unit.h"

#include "trace/alloc.h"
#include "trace/text.h"

static void grows(void **state)
{
	char *text = NULL;

	(void)state;
	tv_append(&text, "%s", "");
	assert_string_equal(text, "");
	for (int i = 0; i < 3000; i++)
		tv_append(&text, "%s%d", i > 0 ? "," : "", i);
	assert_int_equal(strlen(text), 10 + 90 * 2 + 900 * 3 + 2000 * 4 + 2999);
	assert_memory_equal(text, "0,1,2,", 6);
	assert_string_equal(text + strlen(text) - 5, ",2999");
	tv_free(text);
}

static void ends_nouns(void **state)
{
	(void)state;
	assert_string_equal(tv_plural(0), "s");
	assert_string_equal(tv_plural(1), "");
	assert_string_equal(tv_plural(2), "s");
	assert_string_equal(tv_plural((1ULL << 32) + 1), "s");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(grows), cmocka_unit_test(ends_nouns) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
