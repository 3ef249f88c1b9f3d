/* SPDX-License-Identifier: GPL-3.0-or-later */
/* regions.c -- --task-state: which states are tasks. */
#include "convert/regions.h"

#include <string.h>

#include "trace/alloc.h"
#include "trace/expr.h"
#include "trace/map.h"
#include "trace/near_names.h"
#include "trace/text.h"

bool tv_regions_is_expression(const char *text)
{
	return strpbrk(text, "=<>~(") != NULL || strstr(text, " in ") != NULL;
}

/* The types, or with them the values, that exist. */
static int fail_none(const struct tv_table *states, const char *text, struct tv_error *err)
{
	const struct tv_column *type = tv_table_find(states, "Type");
	struct tv_name_list types = { .n = 0 };
	struct tv_index seen = { 0 };
	struct tv_near near;

	tv_near_init(&near, text);
	for (uint32_t row = 0; type != NULL && row < states->nrows; row++) {
		uint32_t label = tv_label(type, row);

		if (label == TV_NONE || tv_index_get(&seen, label) != TV_NONE)
			continue;
		tv_index_set(&seen, label, 0);
		tv_near_offer(&near, tv_pool_text(states->pool, label));
		tv_name_list_add(&types, tv_pool_text(states->pool, label));
	}
	tv_free(seen.at);
	if (states->nrows == 0)
		return tv_fail_usage(err,
				     "--task-state: the trace has no states, 'traceviz info' shows "
				     "what it contains");
	return tv_fail_usage(err,
			     "--task-state '%s'%s holds for no state, expected one of the types %s",
			     text, tv_near_text(&near), tv_name_list_text(&types));
}

static void choose_listed(const struct tv_table *states, const char *text, bool *chosen)
{
	for (uint32_t row = 0; row < states->nrows; row++)
		chosen[row] = tv_glob_list(text, tv_table_text(states, "Type", row))
			   || tv_glob_list(text, tv_table_text(states, "Value", row));
}

int tv_regions_choose(const struct tv_table *states, const char *text, bool *chosen,
		      struct tv_error *err)
{
	struct tv_expr *expr;
	bool any = false;

	if (tv_regions_is_expression(text)) {
		expr = tv_expr_new(text, states, err);
		if (expr == NULL)
			return tv_fail_about(err, "--task-state");
		for (uint32_t row = 0; row < states->nrows; row++)
			chosen[row] = tv_expr_holds(expr, row);
		tv_expr_free(expr);
	} else {
		choose_listed(states, text, chosen);
	}
	for (uint32_t row = 0; row < states->nrows && !any; row++)
		any = chosen[row];
	return any ? 0 : fail_none(states, text, err);
}

static void move_row(struct tv_trace *trace, const struct tv_table *states, uint32_t row)
{
	static const char *const name[] = { "ResourceId", "Value", "Start", "End", "Flag" };
	uint32_t task = tv_table_add_row(&trace->table[TV_TASKS]);

	for (size_t i = 0; i < TV_COUNT(name); i++) {
		const struct tv_column *from = tv_table_find(states, name[i]);

		if (from != NULL && !tv_missing(from, row))
			tv_copy_cell(tv_trace_column(trace, TV_TASKS, name[i]), task, from, row);
	}
}

int tv_regions_to_tasks(struct tv_trace *trace, const char *text, struct tv_error *err)
{
	struct tv_table *states = &trace->table[TV_STATES], left;
	bool *chosen;
	uint32_t *rest, n = 0;

	tv_table_finish(states);
	chosen = tv_alloc(states->nrows, sizeof *chosen);
	rest = tv_alloc(states->nrows, sizeof *rest);
	if (tv_regions_choose(states, text, chosen, err) < 0) {
		tv_free(chosen);
		tv_free(rest);
		return -1;
	}
	for (uint32_t row = 0; row < states->nrows; row++)
		if (chosen[row])
			move_row(trace, states, row);
		else
			rest[n++] = row;
	tv_table_take(states, rest, n, &left);
	tv_table_replace(states, &left);
	tv_free(chosen);
	tv_free(rest);
	return 0;
}
