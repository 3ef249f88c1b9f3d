/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gate.h -- --fail-if of verbs whose rows are bounds, nodes, ...: a verdict of the run. */
#ifndef TV_GATE_H
#define TV_GATE_H

#include "analysis/core/run.h"

#define TV_FAIL_IF_ROW(example) \
	"fail-if", "EXPR", NULL, "exit with status 3 if EXPR holds for a row, e.g. '" example "'", \
		TV_OPTION_EXPRESSION

/* Finishes the table; if the expression (NULL: none) holds for a row of it, that is the verdict of the run, which names
 * the row by its cell of a column. -1 with *err: the expression does not fit the table. */
int tv_gate(struct tv_run *run, const char *fail_if, struct tv_table *table, const char *column,
	    struct tv_error *err) TV_MUST_CHECK;

#endif
