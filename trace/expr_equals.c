/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expr_equals.c -- expressions that are written for users. */
#include "trace/expr_equals.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "trace/alloc.h"
#include "trace/error.h"
#include "trace/number.h"
#include "trace/schema.h"
#include "trace/text.h"

/* Whether a value is one word of the language that is nothing else there. */
static bool is_plain(const char *value)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
	static const char *const words[] = { "and", "or", "not", "in" };
	size_t n = strlen(value), digits = strspn(value, letters + 53);
	double number;

	for (size_t i = 0; i < TV_COUNT(words); i++)
		if (strcasecmp(value, words[i]) == 0)
			return false;
	if (digits == n)
		return n > 0 && n < 16;
	return digits == 0 && value[strspn(value, letters)] == '\0'
	    && tv_schema_field(TV_TASKS, value) == NULL
	    && tv_parse_double(value, n, &number) != TV_PARSE_OK;
}

char *tv_expr_equals(const char *column, const char *value)
{
	char quote = strchr(value, '"') != NULL ? '\'' : '"';

	if (is_plain(value))
		return tv_format("%s == %s", column, value);
	return strchr(value, quote) != NULL || strchr(value, '\\') != NULL
		     ? NULL
		     : tv_format("%s == %c%s%c", column, quote, value, quote);
}

char *tv_expr_like(const char *column, const char *list)
{
	char *text;

	if (list[strcspn(list, "\"\\^")] != '\0')
		return NULL;
	text = tv_format("%s ~ \"^(", column);
	for (; *list != '\0'; list++)
		tv_append(&text,
			  *list == '*'			      ? ".%c"
			  : strchr(".+$(){}|", *list) != NULL ? "[%c]"
							      : "%c",
			  *list == '?'	 ? '.'
			  : *list == ',' ? '|'
					 : *list);
	tv_append(&text, ")$\"");
	return text;
}
