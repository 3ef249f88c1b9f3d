/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * near_names.h -- the known name that a mistyped one is nearest to, for messages.
 *
 *	struct tv_near near;
 *
 *	tv_near_init(&near, "concurency");
 *	for each known name: tv_near_offer(&near, name);
 *	tv_near_text(&near)			" (did you mean 'concurrency'?)", or ""
 */
#ifndef TV_NEAR_NAMES_H
#define TV_NEAR_NAMES_H

#include <stddef.h>

struct tv_near {
	const char *name;
	char best[64];
	size_t distance; /* of best: letters to add, drop, change or swap */
	char text[96];
};

void tv_near_init(struct tv_near *near, const char *name);
void tv_near_offer(struct tv_near *near, const char *known);
/* In near->text; "" when no name is near enough: up to a third of its letters differ, case apart. */
const char *tv_near_text(struct tv_near *near);

/*
 * Names for a message, with commas between, whole: those that fit, and how many more there are. Begin with
 * a struct of zeros.
 */
struct tv_name_list {
	char text[300];
	size_t n, shown;
};
void tv_name_list_add(struct tv_name_list *names, const char *name);
/* The same in single quotes: names that contain blanks. */
void tv_name_list_quote(struct tv_name_list *names, const char *name);
/* "a, b, c and 24 more"; "" without any. */
const char *tv_name_list_text(struct tv_name_list *names);

struct tv_table;
/* The same for the columns of a table. */
const char *tv_near_column(struct tv_near *near, const char *name, const struct tv_table *table);

#endif
