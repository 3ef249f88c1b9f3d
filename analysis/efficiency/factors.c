/* SPDX-License-Identifier: GPL-3.0-or-later */
/* factors.c -- the factors and times of ladders as columns of a table. */
#include "analysis/efficiency/factors.h"

#include <math.h>

#include "analysis/core/columns.h"
#include "trace/expr.h"

static const struct {
	const char *name;
	enum tv_ladder_rung upper, lower;
} factors[TV_NFACTORS] = {
#define FACTOR(symbol, column, name, upper, lower, meaning) \
	[TV_FACTOR_##symbol] = { name, TV_LADDER_RUNG_##upper, TV_LADDER_RUNG_##lower },
	TV_FACTORS(FACTOR)
#undef FACTOR
};

static const enum tv_ladder_rung times[TV_NFACTOR_TIMES] = {
#define TIME(symbol, column, meaning) TV_LADDER_RUNG_##symbol,
	TV_FACTOR_TIMES(TIME)
#undef TIME
};

static double factor_of(const struct tv_ladder *ladder, int factor)
{
	return (double)(ladder->time[factors[factor].lower] / ladder->time[factors[factor].upper]);
}

void tv_factors_set(struct tv_table *out, size_t first, uint32_t row,
		    const struct tv_ladder *ladder)
{
	for (size_t i = 0; i < TV_NFACTOR_TIMES; i++)
		if (tv_ladder_has(ladder, times[i]))
			tv_set_int(out->col[first + i], row, llroundl(ladder->time[times[i]]));
	for (int i = 0; i < TV_NFACTORS; i++)
		tv_set_finite(out->col[first + TV_NFACTOR_TIMES + (size_t)i], row,
			      factor_of(ladder, i));
}

/* Of expressions. */
static const struct tv_field named[] = { { "makespan", TV_DOUBLE, false, "ms", "" },
#define FIELD(symbol, column, name, ...) { name, TV_DOUBLE, false, "", "" },
					 TV_FACTORS(FIELD)
#undef FIELD
};

int tv_factors_hold(const struct tv_ladder *ladder, const char *expression, bool *holds,
		    struct tv_error *err)
{
	struct tv_pool *pool = tv_pool_new();
	struct tv_table names;
	struct tv_expr *expr;
	uint32_t row;

	tv_table_init(&names, pool);
	tv_pool_free(pool);
	tv_add_fields(&names, named, TV_COUNT(named));
	row = tv_table_add_row(&names);
	tv_set_double(names.col[0], row, (double)(ladder->time[TV_LADDER_RUNG_RECORDED] / 1e6L));
	for (int i = 0; i < TV_NFACTORS; i++)
		tv_set_finite(names.col[1 + i], row, factor_of(ladder, i));
	tv_table_finish(&names);
	expr = tv_expr_new(expression, &names, err);
	*holds = expr != NULL && tv_expr_holds(expr, row);
	tv_expr_free(expr);
	tv_table_release(&names);
	return expr != NULL ? 0 : tv_fail_about(err, "--fail-if");
}
