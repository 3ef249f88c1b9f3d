/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hover.h -- hover texts made of the cells of a row of a table, by a template such as
 *
 *	"{Key}, {Origin} to {Dest}, {from} to {to} ms[, idle time caused {Wait} ms]"
 *
 * {Column} is the cell of that column: a label as clean text, a time in ms with three digits behind the
 * point, {Column:6} with six, {Column:time} in a fitting unit; {Column:bytes} a number of bytes in a fitting unit; {Column:share} a
 * percentage as in keys, 12.3; {Column|text} has a text
 * for where the cell is missing or the table has no such column. {from}, {to}, {long} are the begin, end and
 * length of what is drawn, which may be a part of the row's. What is in brackets is left out if one of its
 * cells is missing.
 */
#ifndef TV_SHARED_HOVER_H
#define TV_SHARED_HOVER_H

#include "trace/table.h"
#include "views/scene/scene.h"

enum { TV_HOVER_PARTS = 40 };

/* A template for the rows of one table, its columns found; { 0 } describes nothing. */
struct tv_hover {
	struct tv_hover_part {
		enum { TV_HOVER_TEXT, TV_HOVER_CELL, TV_HOVER_OPEN, TV_HOVER_CLOSE } kind;
		const char *text; /* TEXT, and of a CELL that is missing: n bytes */
		int n;
		const struct tv_column
			*column; /* NULL: the table has none, or a time of the span */
		char time;	 /* 'f' from, 't' to, 'l' long; 0 = a column */
		bool otherwise, bytes, share, unit; /* unit: a time in one that fits */
		int digits;
	} part[TV_HOVER_PARTS];
	size_t n;
	const struct tv_pool *pool;
};

/* The template stays borrowed; one that has too many parts, or no end of a cell, is an error of ours. */
void tv_hover_init(struct tv_hover *hover, const struct tv_table *table, const char *pattern);
/* The text for a row, drawn from `from` to `to` (ns); cut where it is longer. Returns out. */
const char *tv_hover_text(const struct tv_hover *hover, uint32_t row, int64_t from, int64_t to,
			  char *out, size_t size);
/* The same as a label of the scene; 0 where it wants none. */
uint32_t tv_hover_label(struct tv_scene *scene, const struct tv_hover *hover, uint32_t row,
			int64_t from, int64_t to);

#endif
