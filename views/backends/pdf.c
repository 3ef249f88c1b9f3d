/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pdf.c -- the table of objects of a PDF. [ISO 32000-1, 7.5.4, 7.5.5] */
#include "views/backends/pdf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRY = 20 }; /* bytes of a row: "0000000015 00000 n \n" */

static bool has(const char *bytes, size_t n, size_t at, const char *text)
{
	size_t length = strlen(text);

	return at <= n && n - at >= length && memcmp(bytes + at, text, length) == 0;
}

/* A number of decimal digits at *at, which moves behind it. */
static bool read_number(const char *bytes, size_t n, size_t *at, size_t *value)
{
	size_t start = *at;

	for (*value = 0; *at < n && bytes[*at] >= '0' && bytes[*at] <= '9'; ++*at) {
		if (*value > (size_t)1 << 50)
			return false;
		*value = 10 * *value + (size_t)(bytes[*at] - '0');
	}
	return *at > start;
}

static bool has_object(const char *bytes, size_t n, size_t at, size_t number)
{
	char head[40];

	snprintf(head, sizeof head, "%zu 0 obj", number);
	return has(bytes, n, at, head);
}

/* The rows of the table from `at` on; the first is for object `number`. */
static bool has_objects(const char *bytes, size_t n, size_t at, size_t number, size_t count)
{
	for (; count > 0; count--, number++, at += ENTRY) {
		size_t place = at, offset;

		if (n - at < ENTRY || !read_number(bytes, n, &place, &offset))
			return false;
		if (bytes[at + ENTRY - 3] == 'n' && !has_object(bytes, n, offset, number))
			return false;
	}
	return has(bytes, n, at, "trailer");
}

bool tv_pdf_is_whole(const char *bytes, size_t n)
{
	static const char start[] = "startxref\n", end[] = "\n%%EOF\n", table[] = "xref\n";
	const char *last = n == 0 ? NULL : memrchr(bytes, 's', n);
	size_t at, first, count;

	while (last != NULL && !has(bytes, n, (size_t)(last - bytes), start))
		last = memrchr(bytes, 's', (size_t)(last - bytes));
	if (last == NULL)
		return false;
	at = (size_t)(last - bytes) + strlen(start);
	if (!read_number(bytes, n, &at, &first) || n - at != strlen(end) || !has(bytes, n, at, end))
		return false;
	/* From PDF 1.5 on the table may be compressed, in an object of its own. */
	at = first;
	if (!has(bytes, n, at, table))
		return read_number(bytes, n, &at, &first) && has(bytes, n, at, " 0 obj");
	at += strlen(table);
	if (!read_number(bytes, n, &at, &first) || !has(bytes, n, at++, " ")
	    || !read_number(bytes, n, &at, &count) || !has(bytes, n, at++, "\n"))
		return false;
	return has_objects(bytes, n, at, first, count);
}
