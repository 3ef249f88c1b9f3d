/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sheet.c -- texts in lines. */
#include "analysis/diagnose/sheet.h"

#include <ctype.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/text.h"

/* Bytes of the first word, with the next one if it ends with a digit: "12.3 ms" is not divided. */
static size_t word_of(const char *text)
{
	size_t n = strcspn(text, " ");

	return n > 0 && text[n] == ' ' && isdigit((unsigned char)text[n - 1])
		     ? n + 1 + strcspn(text + n + 1, " ")
		     : n;
}

void tv_sheet_lines(const char *text, size_t at, size_t indent, struct tv_sheet to)
{
	while (*text != '\0') {
		size_t n = word_of(text);

		if (at > indent && at + 1 + n > to.width) {
			tv_output_format(to.out, "\n%*s", (int)indent, "");
			at = indent;
		} else if (at > indent) {
			tv_output_text(to.out, " ");
			at++;
		}
		tv_output_write(to.out, text, n);
		at += n;
		text += n;
		text += strspn(text, " ");
	}
	tv_output_text(to.out, "\n");
}

void tv_sheet_clean(const char *text, size_t indent, struct tv_sheet to)
{
	size_t size = strlen(text) + 1;
	char *clean = tv_alloc(size, 1);

	tv_clean_text(clean, size, text);
	tv_sheet_lines(clean, indent, indent, to);
	tv_free(clean);
}

void tv_sheet_paragraph(char *text, struct tv_sheet to)
{
	tv_sheet_clean(text, 0, to);
	tv_free(text);
}
