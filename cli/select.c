/* SPDX-License-Identifier: GPL-3.0-or-later */
/* select.c -- the rows that --where, --only, --exclude, --node, --resource and a window choose. */
#include <string.h>

#include "cli/cli.h"
#include "trace/alloc.h"
#include "trace/kernels.h"

/* One comma-separated list of patterns over a label column. */
struct choice {
	const char *option, *list, *column;
	bool negated;
	uint8_t *holds;		/* by label: 1 yes, 2 no, 0 not asked yet */
	const struct tv_column *of;
};

static int prepare(struct choice *c, const struct tv_table *table, struct tv_error *err)
{
	if (c->list == NULL)
		return 0;
	c->of = tv_table_find(table, c->column);
	if (c->of == NULL || c->of->type != TV_LABEL)
		return tv_fail_usage(
			err, "--%s chooses by the column %s, which this table does not have",
			c->option, c->column);
	c->holds = tv_alloc(tv_pool_count(c->of->pool), 1);
	return c->holds == NULL ? tv_fail_memory(err) : 0;
}

static bool chosen(struct choice *c, uint32_t row)
{
	uint32_t label;

	if (c->list == NULL)
		return true;
	label = tv_label(c->of, row);
	if (label == TV_NONE)
		return c->negated;
	if (c->holds[label] == 0)
		c->holds[label] =
			tv_glob_list(c->list, tv_pool_text(c->of->pool, label)) != c->negated ? 1
											      : 2;
	return c->holds[label] == 1;
}

/* Whether an execution touches the window; what has no times does not. */
static bool touches(const struct tv_window *window, const struct tv_table *table, uint32_t row)
{
	const struct tv_column *start = tv_table_find(table, "Start"),
			       *end = tv_table_find(table, "End");

	return start != NULL && end != NULL && !tv_missing(start, row) && !tv_missing(end, row)
	    && start->i[row] <= window->end && end->i[row] >= window->begin
	    && (start->i[row] == end->i[row]
		|| (start->i[row] < window->end && end->i[row] > window->begin));
}

int tv_select(const struct tv_cli *cli, const struct tv_window *window,
	      const struct tv_table *table, uint32_t **rows, uint32_t *n, struct tv_error *err)
{
	struct choice choice[] = {
		{ "only", cli->only, "Value", false, NULL, NULL },
		{ "exclude", cli->exclude, "Value", true, NULL, NULL },
		{ "node", cli->node, "Node", false, NULL, NULL },
		{ "resource", cli->resource, "ResourceId", false, NULL, NULL },
	};
	struct tv_expr *expr = NULL;
	bool any = cli->where != NULL || (window != NULL && window->set);
	int rc = 0;

	*rows = NULL;
	*n = 0;
	for (size_t i = 0; rc == 0 && i < TV_COUNT(choice); i++) {
		any = any || choice[i].list != NULL;
		rc = prepare(&choice[i], table, err);
	}
	if (rc == 0 && cli->where != NULL && (expr = tv_expr_new(cli->where, table, err)) == NULL)
		rc = -1;
	if (rc == 0 && any && (*rows = tv_alloc(table->nrows, sizeof **rows)) == NULL)
		rc = tv_fail_memory(err);
	for (uint32_t row = 0; rc == 0 && any && row < table->nrows; row++) {
		bool keep = (expr == NULL || tv_expr_holds(expr, row))
			 && (window == NULL || !window->set || touches(window, table, row));

		for (size_t i = 0; keep && i < TV_COUNT(choice); i++)
			keep = chosen(&choice[i], row);
		if (keep)
			(*rows)[(*n)++] = row;
	}
	tv_expr_free(expr);
	for (size_t i = 0; i < TV_COUNT(choice); i++)
		tv_free(choice[i].holds);
	return rc;
}
