/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuts.h -- the value EXPR=TIME of --cut: rows for which EXPR holds lose TIME. */
#ifndef TV_CUTS_H
#define TV_CUTS_H

#include "trace/expr.h"

/* Whether a text (NULL: none) has that form. -1 with *err (usage). */
int tv_cut_check(const char *cut, struct tv_error *err) TV_MUST_CHECK;
/* Which rows of a table, and *ns > 0 that each loses. NULL with *err: not that form, columns that the table does not have. Free
 * with tv_expr_free. */
struct tv_expr *tv_cut_rows(const char *cut, const struct tv_table *table, int64_t *ns,
			    struct tv_error *err);

#endif
