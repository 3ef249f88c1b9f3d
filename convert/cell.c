/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cell.c -- one value of a text format into one cell, and the name of a region's file. */
#include <string.h>

#include "convert/formats.h"
#include "trace/alloc.h"
#include "trace/number.h"

/* Times beyond this (146 years) are refused, so that no difference of two overflows. */
#define TIME_MAX (INT64_MAX / 2)

bool tv_convert_time(const char *s, size_t n, int scale, int64_t *ns)
{
	return tv_parse_scaled(s, n, scale, ns) == TV_PARSE_OK && *ns <= TIME_MAX
	    && *ns >= -TIME_MAX;
}

void tv_convert_cell(struct tv_trace *trace, struct tv_pos at, struct tv_column *column,
		     uint32_t row, const char *s, size_t n, int scale)
{
	int64_t whole;
	double number;

	switch (column->type) {
	case TV_LABEL:
	case TV_TEXT:
		tv_set_string(column, row, s, n);
		return;
	case TV_LIST:
		tv_set_words(column, row, s, n);
		return;
	case TV_DOUBLE:
		if (tv_parse_double(s, n, &number) == TV_PARSE_OK) {
			tv_set_double(column, row, number);
			return;
		}
		break;
	case TV_TIME:
	case TV_INT:
		if (column->type == TV_TIME ? tv_convert_time(s, n, scale, &whole)
					    : tv_parse_int(s, n, &whole) == TV_PARSE_OK) {
			tv_set_int(column, row, whole);
			return;
		}
	}
	if (n > 0)
		tv_damaged(trace, TV_REPAIRED, "field is not a number", at,
			   "%s '%.*s', expected a number: left out", column->name,
			   n < 200 ? (int)n : 200, s);
}

char *tv_convert_region(const char *path, const char *ending)
{
	const char *endings[] = { ".gz", ".zst", ending };
	const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
	size_t n = strlen(name);

	if (strcmp(path, "-") == 0)
		return NULL;
	for (size_t i = 0; i < TV_COUNT(endings); i++) {
		size_t length = strlen(endings[i]);

		if (n > length && memcmp(name + n - length, endings[i], length) == 0)
			n -= length;
	}
	return tv_strndup(name, n);
}
