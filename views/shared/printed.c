/* SPDX-License-Identifier: GPL-3.0-or-later */
/* printed.c -- the numbers of titles and keys. */
#include "views/shared/printed.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"

const char *tv_print_number(const struct tv_printed *to, const char *name, const char *of,
			    const char *unit, const char *format, ...)
{
	struct tv_printed_numbers *numbers = to->numbers;
	struct tv_printed_number *number;
	const char *last;
	va_list args;

	TV_GROW(numbers->at, numbers->n, numbers->cap, 1);
	number = &numbers->at[numbers->n++];
	va_start(args, format);
	number->text = tv_format_list(format, args);
	va_end(args);
	last = strrchr(number->text, ' ');
	number->panel = to->panel;
	number->name = name;
	number->of = tv_strdup(of != NULL ? of : "");
	number->unit = tv_strdup(unit != NULL ? unit : last != NULL ? last + 1 : "");
	return number->text;
}

const char *tv_percent_text(char *out, size_t size, double percent)
{
	static const double min = 0.005; /* less is not written as a number */

	if (percent > 0 && percent < min)
		snprintf(out, size, "<0.01");
	else
		snprintf(out, size, "%.*f", percent < 0.95 ? 2 : 1, percent);
	return out;
}

void tv_printed_release(struct tv_printed_numbers *numbers)
{
	for (size_t i = 0; i < numbers->n; i++) {
		tv_free(numbers->at[i].of);
		tv_free(numbers->at[i].text);
		tv_free(numbers->at[i].unit);
	}
	tv_free(numbers->at);
	*numbers = (struct tv_printed_numbers){ 0 };
}
