/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print.c -- names and values of the fields of Recutils records. */
#include "convert/recutils/recutils.h"

#include <string.h>

/* The name of a field has letters, digits and _. Columns that the reader set apart lose what it put
 * before them. */
void tv_rec_write_name(struct tv_output *out, const char *name)
{
	if (strncmp(name, "Rec.", 4) == 0 && name[4] != '\0')
		name += 4;
	for (const char *s = name; *s != '\0'; s++) {
		bool letter = (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z');
		bool fits = letter || (s > name && (*s == '_' || (*s >= '0' && *s <= '9')));

		tv_output_write(out, fits ? s : s == name ? "C" : "_", 1);
	}
	if (name[0] == '\0')
		tv_output_text(out, "C");
	tv_output_text(out, ":");
}

void tv_rec_write_value(struct tv_output *out, const char *s, size_t n)
{
	if (n > 0)
		tv_output_text(out, " ");
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '\n' && i > 0 && s[i - 1] == '\\')
			tv_output_text(out, " ");
		tv_output_write(out, s + i, 1);
		if (s[i] == '\n')
			tv_output_text(out, "+ ");
	}
	if (n > 0 && s[n - 1] == '\\')
		tv_output_text(out, " ");
}

void tv_rec_write_text(struct tv_output *out, const char *s, size_t n)
{
	tv_rec_write_value(out, s, n);
	tv_output_text(out, "\n");
}
