/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_watch_screen.c -- the screen of record --watch. */
#include "tests/unit/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "record/tool/watch_screen.h"
#include "trace/alloc.h"

enum { PUS = 300 };

static bool all[PUS];

static void check(const struct tv_watch_row *row, size_t n, size_t width, size_t height, bool color,
		  const char *expected)
{
	const struct tv_watch_screen screen = {
		.seconds = 12.34, .ticks = 124, .missed = 1, .row = row, .nrows = n
	};
	char *text = tv_watch_render(&screen, width, height, color);

	assert_string_equal(text, expected);
	tv_free(text);
}

/* The lines after the first: none is wider than the screen. */
static void check_width(const struct tv_watch_row *row, size_t width)
{
	const struct tv_watch_screen screen = { .row = row, .nrows = 1 };
	char *text = tv_watch_render(&screen, width, 0, false);

	for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1)
		assert_true(strcspn(line, "\n") <= width);
	tv_free(text);
}

static void golden(void **state)
{
	static const double machine[] = { 15.2e9 }, packages[] = { 25, 100 },
			    caches[] = { 0.5, NAN, 2, 4 }, one[] = { 98.76 }, none[] = { NAN, NAN },
			    huge[] = { 1e300, -1e300, 0, INFINITY };
	double many[PUS], holes[PUS];
	const struct tv_watch_row row[] = {
		{ "Machine", "memory-free", "B", machine, all, 1, 0, 16e9 },
		{ "Package", "system-time", "%", packages, all, 2, 0, 100 },
		{ "L3", "misses.ratio", "", caches, all, 4, 0, 4 },
		{ "Core", "a-name-longer-than-its-column", "1/s", none, all, 2, 0, 0 },
		{ "L1d", "large", "/s", huge, all, 4, -1e300, 1e300 },
		{ "PU", "user-time", "%", one, all, 1, 0, 100 },
		{ "PU", "steal-time", "%", many, all, PUS, 0, 100 },
		{ "PU", "frequency", "Hz", holes, all, PUS, 0, 4e9 },
	};

	(void)state;
	for (size_t i = 0; i < PUS; i++) {
		many[i] = 100.0 * (double)i / (PUS - 1);
		holes[i] = i >= 30 && i < 61 ? NAN : 2e9;
	}
	check(row, 8, 80, 0, false,
	      "12.3 s, 124 samples, 1 missed\n"
	      "Machine      memory-free           B      15.2G #############################..\n"
	      "Package x2   system-time           %         25 ###........     100 ###########\n"
	      "L3 x4        misses.ratio                   0.5 .       - -       2 +       4 @\n"
	      "Core x2      a-name-longer-than-it 1/s        - -                 - -\n"
	      "L1d x4       large                 /s    1e+300 @ -1e+300         0 +     inf @\n"
	      "PU           user-time             %       98.8 ###############################\n"
	      "PU x300      steal-time            %          0..100      [ ...:::===+++***###@]\n"
	      "PU x300      frequency             Hz        2G..2G       [++--++++++++++++++++]\n");
}

static void narrow_and_low(void **state)
{
	double many[PUS] = { 0 };
	struct tv_watch_row row[3];

	(void)state;
	for (size_t i = 0; i < 3; i++)
		row[i] = (struct tv_watch_row){ "PU", "x", "", many, all, 1, 0, 0 };
	check(row, 3, 80, 3, false,
	      "12.3 s, 124 samples, 1 missed\n"
	      "PU           x                                0 ...............................\n"
	      "... 2 more lines\n");
	check(row, 0, 80, 0, false, "12.3 s, 124 samples, 1 missed\n");
	for (size_t n = 1; n <= PUS; n++)
		for (size_t width = TV_WATCH_WIDTH_MIN; width < 200; width += 7) {
			row[0].n = n;
			check_width(row, width);
		}
}

static void only_some_have_it(void **state)
{
	static const double value[] = { 1, 2, 3, 4, 5, 6 };
	static const bool has[] = { false, true, false, false, false, false };
	const struct tv_watch_row row = { "PU", "x", "", value, has, 6, 0, 4 };

	(void)state;
	check(&row, 1, 80, 0, false,
	      "12.3 s, 124 samples, 1 missed\n"
	      "PU           x                                2 ################...............\n");
}

static void colors(void **state)
{
	static const double value[] = { 0, 2, 3, 4 };
	const struct tv_watch_row row = { "PU", "x", "", value, all, 4, 0, 4 };

	(void)state;
	check(&row, 1, 80, 0, true,
	      "12.3 s, 124 samples, 1 missed\n"
	      "PU x4        x                                0 \033[32m \033[0m       2 "
	      "\033[33m+\033[0m       3 \033[33m*\033[0m       4 \033[31m@\033[0m\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(golden),
		cmocka_unit_test(narrow_and_low),
		cmocka_unit_test(only_some_have_it),
		cmocka_unit_test(colors),
	};

	memset(all, true, sizeof all);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
