/* SPDX-License-Identifier: GPL-3.0-or-later */
/* escape.c -- the four characters that are markup. */
#include "views/backends/escape.h"

void tv_write_escaped(struct tv_output *out, const char *text)
{
	for (; *text != '\0'; text++) {
		if (*text == '&')
			tv_output_text(out, "&amp;");
		else if (*text == '<')
			tv_output_text(out, "&lt;");
		else if (*text == '>')
			tv_output_text(out, "&gt;");
		else if (*text == '"')
			tv_output_text(out, "&quot;");
		else
			tv_output_write(out, text, 1);
	}
}
