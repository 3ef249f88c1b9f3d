/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_csv_rows.c -- rows of CSV are those of libcsv; strings of a pool are those of a list. */
#include "tests/unit/unit.h"

#include <csv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/csv.h"

/* What a reader saw, as text: <value; or -; for a missing cell, |line at the end of a row. */
struct seen {
	char text[8192];
	size_t n, cells, whole; /* n after the last whole row */
	long line, start;	/* of libcsv alone: where it is, where the row began */
};

static void see(struct seen *s, const char *text, size_t n, bool missing)
{
	assert_true(s->n + n + 8 < sizeof s->text);
	s->text[s->n++] = missing ? '-' : '<';
	memcpy(s->text + s->n, text, n);
	s->n += n;
	s->text[s->n++] = ';';
	s->cells++;
}

static void end_row(struct seen *s, long line)
{
	if (s->cells > 0)
		s->n += (size_t)snprintf(s->text + s->n, sizeof s->text - s->n, "|%ld\n", line);
	s->cells = 0;
	s->whole = s->n;
}

static void ref_field(void *text, size_t n, void *context)
{
	see(context, text == NULL ? "" : text, n, text == NULL);
}

static void ref_row(int end, void *context)
{
	struct seen *s = context;

	(void)end;
	end_row(s, s->start);
	s->start = s->line;
}

static int no_space(unsigned char c)
{
	(void)c;
	return 0;
}

/* libcsv alone, byte by byte: 0, -1 if it refuses. */
static int by_libcsv(const char *bytes, size_t n, struct seen *s)
{
	struct csv_parser csv;
	int rc = 0;

	*s = (struct seen){ .line = 1, .start = 1 };
	csv_init(&csv, CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL | CSV_EMPTY_IS_NULL);
	csv_set_space_func(&csv, no_space);
	for (size_t i = 0; i < n && rc == 0; i++) {
		s->line += bytes[i] == '\n';
		rc = csv_parse(&csv, &bytes[i], 1, ref_field, ref_row, s) == 1 ? 0 : -1;
	}
	if (rc == 0)
		rc = csv_fini(&csv, ref_field, ref_row, s) == 0 ? 0 : -1;
	csv_free(&csv);
	return rc;
}

static int our_row(void *context, const struct tv_csv_row *row, struct tv_error *err)
{
	(void)err;
	for (size_t i = 0; i < row->ncells; i++)
		see(context, row->cell[i].text, row->cell[i].n, row->cell[i].missing);
	end_row(context, row->at.line);
	return 0;
}

/* Takes some of the rows that come together, all with as many cells, and leaves others. */
static int our_rows(void *context, const struct tv_csv_row *first, uint32_t n, struct tv_error *err)
{
	struct tv_csv_row row = *first;

	assert_in_range(n, 1, TV_CSV_LINES);
	if (n % 3 == 0)
		return 0;
	for (; n > 0; n--, row.cell += row.ncells, row.at.line++)
		our_row(context, &row, err);
	return 1;
}

static int by_lines(const char *bytes, size_t n, struct seen *s)
{
	struct tv_error err = { 0 };
	struct tv_input in;
	int rc;

	tv_input_memory(&in, "t.csv", bytes, n);
	*s = (struct seen){ 0 };
	rc = tv_csv_lines(&in, our_row, our_rows, s, &err);
	tv_input_close(&in);
	return rc;
}

static int by_us(const char *bytes, size_t n, struct seen *s)
{
	struct tv_error err = { 0 };
	struct tv_input in;
	int rc;

	tv_input_memory(&in, "t.csv", bytes, n);
	*s = (struct seen){ 0 };
	rc = tv_csv_rows(&in, our_row, s, &err);
	tv_input_close(&in);
	return rc;
}

/* Where libcsv refuses, the whole rows before that are the same. */
static void same(const char *bytes, size_t n)
{
	struct seen a, b;
	int x = by_libcsv(bytes, n, &a);

	if (x < 0)
		a.n = a.whole;
	for (int lines = 0; lines < 2; lines++) {
		int y = (lines ? by_lines : by_us)(bytes, n, &b);

		if (x != y || a.n != b.n || memcmp(a.text, b.text, a.n) != 0)
			fail_msg("'%.*s': libcsv %d '%.*s', ours%s %d '%.*s'", (int)n, bytes, x,
				 (int)a.n, a.text, lines ? " by lines" : "", y, (int)b.n, b.text);
	}
}

/* Every text of up to seven of these characters, alone and at the end of a block of 64 bytes. */
static void every_short_text(void **state)
{
	static const char letters[] = ",\"\n\ra";
	static const size_t before[] = { 0, 60 };
	char text[80];

	(void)state;
	memset(text, 'x', sizeof text);
	for (size_t length = 1, count = 5; length <= 7; length++, count *= 5)
		for (size_t code = 0; code < count; code++)
			for (size_t b = 0; b < 2; b++) {
				size_t rest = code;

				for (size_t i = 0; i < length; i++, rest /= 5)
					text[before[b] + i] = letters[rest % 5];
				same(text, before[b] + length);
			}
}

/* Longer ones, with any byte. */
static void random_texts(void **state)
{
	char text[512];

	(void)state;
	srand(20);
	for (int round = 0; round < 20000; round++) {
		size_t n = (size_t)rand() % sizeof text;
		bool quotes = rand() % 4 == 0;

		for (size_t i = 0; i < n; i++) {
			int kind = rand() % 40;

			text[i] = kind < 8   ? ','
				: kind < 12  ? '\n'
				: kind == 12 ? (quotes ? '"' : 'q')
				: kind == 13 ? (quotes ? '\r' : 'r')
				: kind == 14 ? (char)(rand() % 256)
					     : (char)('0' + kind % 10);
		}
		same(text, n);
	}
}

/* Rows around the size of what is read at once; the last line has no end. */
static void long_rows(void **state)
{
	enum { N = 300000 };
	char *text = malloc(N), want[99];
	struct seen s;

	(void)state;
	for (size_t at = 131000; at < 131150; at++) {
		memset(text, '\n', N); /* blank lines */
		memcpy(text + at, "a,b,\"c\nd\",e\n", 12);
		memcpy(text + N - 4, "x,,y", 4);
		assert_int_equal(by_us(text, N, &s), 0);
		s.text[s.n] = '\0';
		snprintf(want, sizeof want, "<a;<b;<c\nd;<e;|%zu\n<x;-;<y;|%d\n", at + 1,
			 N - 4 - 10 + 1);
		assert_string_equal(s.text, want);
	}
	free(text);
}

/* Numbers, dense and not, and other strings: the same id twice, its text back, none that was not
 * added. */
static void pool_of_numbers(void **state)
{
	enum { N = 60000 };
	static const char *const form[] = { "%u", "%u", "%u", "0%u", "-%u", "%u ", "1_%u" };
	static const unsigned range[] = { 100, 100000, 999999999, 4000000000u };
	struct tv_pool *pool = tv_pool_new();
	char(*text)[24] = calloc(N, sizeof *text);
	uint32_t *id = calloc(N, sizeof *id), n = tv_pool_count(pool);

	(void)state;
	srand(21);
	for (unsigned i = 0; i < N; i++) {
		unsigned value = (unsigned)rand() * 2u % range[rand() % 4];
		uint32_t before, again;

		value = rand() % 3 == 0 ? i * 40 : value;
		snprintf(text[i], sizeof *text, form[rand() % 7], value);
		before = tv_pool_find_text(pool, text[i]);
		id[i] = tv_intern_text(pool, text[i]);
		assert_int_equal(before == TV_NONE, id[i] == n);
		assert_true(before == TV_NONE || before == id[i]);
		n += before == TV_NONE;
		assert_int_equal(tv_pool_count(pool), n);
		again = (unsigned)rand() % (i + 1);
		assert_int_equal(tv_intern_text(pool, text[again]), id[again]);
		assert_int_equal(tv_intern_again(pool, id[i], text[again], strlen(text[again])),
				 id[again]);
	}
	for (unsigned i = 0; i < N; i++) {
		assert_string_equal(tv_pool_text(pool, id[i]), text[i]);
		assert_int_equal(tv_pool_length(pool, id[i]), strlen(text[i]));
		assert_int_equal(tv_pool_find_text(pool, text[i]), id[i]);
	}
	free(text);
	free(id);
	tv_pool_free(pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_short_text),
		cmocka_unit_test(random_texts),
		cmocka_unit_test(long_rows),
		cmocka_unit_test(pool_of_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
