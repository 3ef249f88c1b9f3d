/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expr_equals.h -- expressions that are written for users. */
#ifndef TV_EXPR_EQUALS_H
#define TV_EXPR_EQUALS_H

/* The expression that a column of labels has a value, without quotes where it needs none, as in CSV and JSON these are doubled or have a
 * backslash; NULL: it has both kinds of quotes, or a backslash. In new memory. */
char *tv_expr_equals(const char *column, const char *value);
/* The expression that it is one of a list as options take it, GE*,TR?M, but for upper and lower case; NULL: the list has a double quote,
 * \ or ^. In new memory. */
char *tv_expr_like(const char *column, const char *list);

#endif
