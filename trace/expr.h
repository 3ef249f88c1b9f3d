/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * expr.h -- the one small language that chooses rows: --where, --restrict, ...
 *
 *	or    := and { "or" and }        and  := not { "and" not }        not := "not" not | test
 *	test  := "(" or ")" | COLUMN op VALUE | COLUMN ["not"] "in" "(" VALUE {"," VALUE} ")"
 *	       | SUM op SUM              SUM   := arithmetic of columns and numbers (trace/arithmetic.h)
 *	op    := == != < <= > >= ~       VALUE := NUMBER[unit] | 'text' | "text" | word
 *
 * Numeric columns compare as numbers, times in ms unless the value has a unit (ns us ms s min h);
 * labels and text by == and != byte for byte, by < and > in natural order, by ~ with an extended
 * regular expression; a list holds if one of its labels does. A missing value fails every test. In
 * sums, which are doubles, times are in ms.
 */
#ifndef TV_EXPR_H
#define TV_EXPR_H

#include "trace/table.h"

struct tv_expr;

/* Parses text for the columns of a table. NULL with *err (exit status 2) naming the place and, for
 * an unknown column, those there are. The table must outlive the expression. Free with
 * tv_expr_free. */
struct tv_expr *tv_expr_new(const char *text, const struct tv_table *table, struct tv_error *err);
void tv_expr_free(struct tv_expr *expr);
/* Whether a text has the form of an expression, whatever columns there are. -1 with *err (exit status 2)
 * naming the place. */
int tv_expr_check(const char *text, struct tv_error *err) TV_MUST_CHECK;
/* Why no row may fit: for the first test with == whose value no row has, in new memory, ": no Value is 'gemm'
 * (did you mean 'GEMM'?)", or with some of its values; else "". */
char *tv_expr_unmatched(const struct tv_expr *expr);
bool tv_expr_holds(const struct tv_expr *expr, uint32_t row);

enum tv_truth { TV_NO, TV_UNKNOWN, TV_YES };

/*
 * Whether it holds for all numbers between those of two rows (YES), for none (NO), or neither is
 * known: a number is missing, a test is one of sums and the rows differ, or some would hold. Texts
 * are compared in both rows. "not", "and" and "or" of what is unknown are so unless the rest decides.
 */
enum tv_truth tv_expr_between(const struct tv_expr *expr, uint32_t low, uint32_t high);

#endif
