/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gate.c -- --fail-if of verbs, by rows. */
#include "analysis/core/gate.h"

#include "trace/expr.h"

int tv_gate(struct tv_run *run, const char *fail_if, struct tv_table *table, const char *column,
	    struct tv_error *err)
{
	struct tv_expr *expr;
	uint32_t row = 0;

	if (fail_if == NULL)
		return 0;
	tv_table_finish(table);
	expr = tv_expr_new(fail_if, table, err);
	if (expr == NULL)
		return tv_fail_about(err, "--fail-if");
	while (row < table->nrows && !tv_expr_holds(expr, row))
		row++;
	tv_expr_free(expr);
	if (row == table->nrows)
		return 0;
	tv_fail(&run->verdict, "--fail-if %s: it holds for %s", fail_if,
		tv_table_text(table, column, row));
	run->verdict.status = TV_NEGATIVE;
	return 0;
}
