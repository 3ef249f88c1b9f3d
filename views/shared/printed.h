/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * printed.h -- the numbers that the titles and keys of panels print, each with its name and unit.
 *
 * A panel makes the text of a number here and puts it into a title or key; --caption writes the same text
 * under the same name. A name consists of the panel's, what the number is ("Mean") and, where there are
 * several, what it is of (a node, a state). It never contains a number of the run, so it is the same
 * for each run.
 */
#ifndef TV_VIEWS_PRINTED_H
#define TV_VIEWS_PRINTED_H

#include <stddef.h>

struct tv_printed_number {
	const char *panel, *name; /* constants */
	char *of;		  /* "" = the only one */
	char *text, *unit;	  /* "19.7", "tasks" */
};

struct tv_printed_numbers {
	struct tv_printed_number *at;
	size_t n, cap;
};

/* Where a panel puts its numbers. */
struct tv_printed {
	struct tv_printed_numbers *numbers;
	const char *panel;
};

/* Keeps a number and returns its text, which stays as long as the numbers. of: NULL = the only one.
 * unit: what the number counts or its unit; NULL = the text ends with it, as in "368.6 MB". */
const char *tv_print_number(const struct tv_printed *to, const char *name, const char *of,
			    const char *unit, const char *format, ...)
	__attribute__((format(printf, 5, 6)));
/* A percentage as keys have it: "0.00", "<0.01", "0.45", "12.3". Returns out. */
const char *tv_percent_text(char *out, size_t size, double percent);
void tv_printed_release(struct tv_printed_numbers *numbers);

#endif
