/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_csv-paths.c -- the two readers of CSV on the same bytes: lines that are cut in place, and
 * libcsv. They must give the same rows at the same lines and fail with the same words.
 *
 * Bytes that begin with # get plain rows before them, so that they lie across the end of a block.
 */
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/csv.h"

/* Of csv_rows.c: what it reads at once. */
enum { BLOCK = 128 * 1024 };

/* What a reader gave, as bytes. */
struct log {
	char *bytes;
	size_t n, cap;
	uint64_t rows, last; /* rows so far; the row to refuse */
};

static void add(struct log *log, const void *bytes, size_t n)
{
	tv_grow(&log->bytes, log->n, &log->cap, n, 1);
	if (n > 0)
		memcpy(log->bytes + log->n, bytes, n);
	log->n += n;
}

static int add_row(void *context, const struct tv_csv_row *row, struct tv_error *err)
{
	struct log *log = context;

	add(log, &row->at.line, sizeof row->at.line);
	add(log, &row->ncells, sizeof row->ncells);
	for (size_t i = 0; i < row->ncells; i++) {
		add(log, &row->cell[i].missing, sizeof row->cell[i].missing);
		add(log, &row->cell[i].n, sizeof row->cell[i].n);
		add(log, row->cell[i].text, row->cell[i].n);
	}
	return log->rows++ == log->last ? tv_fail_at(err, row->at, "refused") : 0;
}

static void differ(const char *what, const uint8_t *data, size_t n)
{
	fprintf(stderr, "the readers of CSV differ in %s, %zu bytes:\n", what, n);
	fwrite(data, 1, n, stderr);
	abort();
}

static void compare(const char *data, size_t n, uint64_t last)
{
	struct log log[2] = { { .last = last }, { .last = last } };
	struct tv_error err[2] = { { 0 }, { 0 } };
	int rc[2];

	for (int i = 0; i < 2; i++) {
		struct tv_input in;

		tv_input_memory(&in, "a.csv", data, n);
		rc[i] = i == 0 ? tv_csv_rows(&in, add_row, &log[i], &err[i])
			       : tv_csv_rows_reference(&in, add_row, &log[i], &err[i]);
		tv_input_close(&in);
	}
	if (log[0].n != log[1].n
	    || (log[0].n > 0 && memcmp(log[0].bytes, log[1].bytes, log[0].n) != 0))
		differ("rows", (const uint8_t *)data, n);
	if (rc[0] != rc[1] || strcmp(err[0].text, err[1].text) != 0)
		differ("the error", (const uint8_t *)data, n);
	if (err[0].line != err[1].line)
		differ("the line of the error", (const uint8_t *)data, n);
	tv_free(log[0].bytes);
	tv_free(log[1].bytes);
}

/* Rows before the data so that these begin `before` bytes before the end of a block. Long ones: each costs
 * far more time than its bytes. */
static void compare_across(const uint8_t *data, size_t n, size_t before)
{
	enum { ROW = 4096 };
	size_t size = BLOCK - before;
	char *all = tv_realloc(NULL, size + n, 1);

	memset(all, 'a', size);
	for (size_t i = 0; i < size; i += ROW)
		all[i] = i % (2 * ROW) == 0 ? ',' : '\n';
	all[size - 1] = '\n';
	memcpy(all + size, data, n);
	compare(all, size + n, UINT64_MAX);
	tv_free(all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	uint64_t last;

	fuzz_begin(data, n);
	last = fuzz_random(4) == 0 ? fuzz_random(8) : UINT64_MAX;
	if (n > 0 && n < BLOCK && data[0] == '#')
		compare_across(data, n, (size_t)fuzz_random(n + 1));
	else
		compare((const char *)data, n, last);
	return 0;
}

/* Mostly the bytes that have a meaning. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t max, unsigned seed)
{
	static const char *const piece[] = { ",", "\n",	     "\"",     "\"\"", "\r\n",	       "\r",
					     "a", "\"a,b\"", "\"\n\"", ",,",   "\xef\xbb\xbf", " ",
					     "" };
	uint64_t random = seed * 0x9e3779b97f4a7c15u | 1;
	const char *what = piece[fuzz_next(&random, sizeof piece / sizeof *piece)];
	size_t size = strlen(what), at = (size_t)fuzz_next(&random, n + 1);
	size_t cut = (size_t)fuzz_next(&random, 3);

	if (fuzz_next(&random, 4) == 0)
		return LLVMFuzzerMutate(data, n, max);
	cut = cut < n - at ? cut : n - at;
	if (n - cut + size > max)
		return n;
	memmove(data + at + size, data + at + cut, n - at - cut);
	memcpy(data + at, what, size);
	return n - cut + size;
}
