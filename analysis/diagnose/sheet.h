/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sheet.h -- what a diagnosis is written on, in lines of at most so many characters. */
#ifndef TV_DIAGNOSE_SHEET_H
#define TV_DIAGNOSE_SHEET_H

#include "trace/output.h"

struct tv_sheet {
	struct tv_output *out;
	size_t width;
};

/* A text in lines, all but the first after `indent` blanks; at: where the first one begins. */
void tv_sheet_lines(const char *text, size_t at, size_t indent, struct tv_sheet to);
/* The same of a text that may have other characters than those that are printed. */
void tv_sheet_clean(const char *text, size_t indent, struct tv_sheet to);
/* A paragraph that is printed and freed. */
void tv_sheet_paragraph(char *text, struct tv_sheet to);

#endif
