/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cost_changes.c -- --speed and --overhead: what tasks take as the user assumes. */
#include <string.h>

#include "sim/model/costs.h"
#include "trace/alloc.h"
#include "trace/expr.h"
#include "trace/near_names.h"
#include "trace/number.h"

/* ---- --speed ---- */

/* A table as tasks, but all of them on one resource type. */
static void on_type(const struct tv_table *tasks, uint32_t label, struct tv_table *out)
{
	struct tv_column *type;

	tv_table_init(out, tasks->pool);
	out->nrows = tasks->nrows;
	for (size_t i = 0; i < tasks->ncols; i++)
		if (strcmp(tasks->col[i]->name, "ResourceType") != 0)
			tv_table_borrow(out, tasks->col[i]);
	type = tv_table_column(out, "ResourceType", TV_LABEL, NULL);
	for (uint32_t row = 0; row < tasks->nrows; row++)
		tv_set_label(type, row, label);
	tv_table_finish(out);
}

/* The condition, which the caller frees, and the factor; NULL with *err (usage). */
static char *parse_speed(const char *text, double *factor, struct tv_error *err)
{
	const char *split = strrchr(text, '=');

	if (split == NULL || tv_parse_double(split + 1, strlen(split + 1), factor) != TV_PARSE_OK
	    || !(*factor >= 1e-9) || *factor > 1e9) {
		tv_fail_usage(err,
			      "--speed '%s', expected EXPR=FACTOR with a factor from 1e-9 to "
			      "1e9, such as 'Value == \"gemm\"=2', or '1 == 1=2' for all tasks",
			      text);
		return NULL;
	}
	return tv_strndup(text, (size_t)(split - text));
}

/* ---- --overhead ---- */

/* An entry [TYPE=]TIME: *at goes on behind it, *name is how long TYPE is. -1 with *err (usage). */
static int next_overhead(const char *text, const char **at, size_t *name, int64_t *ns,
			 struct tv_error *err)
{
	size_t n = strcspn(*at, ",");
	char *entry = tv_strndup(*at, n), *split = strrchr(entry, '=');
	bool good = split != entry
		 && tv_parse_time(split != NULL ? split + 1 : entry, ns) == TV_PARSE_OK && *ns >= 0;

	*name = split != NULL ? (size_t)(split - entry) : 0;
	tv_free(entry);
	if (!good)
		return tv_fail_usage(err,
				     "--overhead '%s', expected TIME or TYPE=TIME,... with task "
				     "types, as in 5us or gemm=5us,trsm=8us",
				     text);
	*at += n + ((*at)[n] == ',');
	return 0;
}

static int check_overhead(const char *text, struct tv_error *err)
{
	size_t name;
	int64_t ns;

	for (const char *at = text; at != NULL && *at != '\0';)
		if (next_overhead(text, &at, &name, &ns, err) < 0)
			return -1;
	return text != NULL && text[0] == '\0' ? next_overhead(text, &text, &name, &ns, err) : 0;
}

int tv_costs_overheads(struct tv_costs *c, const char *text, struct tv_error *err)
{
	const struct tv_tasks *tasks = c->dag->tasks;
	size_t n;
	int64_t ns;

	if (text == NULL)
		return 0;
	c->overhead = tv_alloc(c->ntypes, sizeof *c->overhead);
	for (const char *at = text, *name = at; *at != '\0'; name = at) {
		struct tv_name_list types = { .n = 0 };
		bool found = false, *seen;

		if (next_overhead(text, &at, &n, &ns, err) < 0)
			return -1;
		seen = tv_alloc(c->ntypes, sizeof *seen);
		for (uint32_t v = 0; v < c->dag->n; v++) {
			uint32_t label = tasks->value[c->dag->row[v]];
			const char *type = label == TV_NONE ? "" : tv_pool_text(tasks->pool, label);

			if (c->job[v].type == TV_NONE || seen[c->job[v].type])
				continue;
			seen[c->job[v].type] = true;
			if (n > 0 && (strlen(type) != n || memcmp(type, name, n) != 0)) {
				tv_name_list_add(&types, type);
				continue;
			}
			c->overhead[c->job[v].type] = (double)ns;
			found = true;
		}
		tv_free(seen);
		if (!found)
			return tv_fail_usage(err,
					     "--overhead '%s': no task has the type '%.*s', "
					     "expected one of %s",
					     text, (int)n, name, tv_name_list_text(&types));
	}
	if (!tv_costs_in_range(c))
		return tv_fail_usage(err,
				     "--overhead '%s': the tasks take more than 30 years in "
				     "all, expected a shorter time",
				     text);
	return 0;
}

int tv_costs_check(const struct tv_cost_options *options, struct tv_error *err)
{
	int rc = tv_type_numbers_check("gflops", options->gflops, err);

	if (rc == 0)
		rc = check_overhead(options->overhead, err);
	for (size_t i = 0; i < options->nspeeds && rc == 0; i++) {
		double factor;
		char *condition = parse_speed(options->speed[i], &factor, err);

		rc = condition == NULL ? -1 : tv_expr_check(condition, err);
		tv_free(condition);
	}
	return rc;
}

/* *matches: whether there is such a task. */
static int speed_up(struct tv_costs *c, const char *text, bool *matches, struct tv_error *err)
{
	const struct tv_table *tasks = &c->dag->tasks->trace->table[TV_TASKS];
	double factor;
	char *condition = parse_speed(text, &factor, err);
	int rc = 0;

	*matches = false;
	if (condition == NULL)
		return -1;
	for (uint32_t r = 0; r < c->nrtypes && rc == 0; r++) {
		struct tv_table there;
		struct tv_expr *expr;

		on_type(tasks, c->rtype[r], &there);
		expr = tv_expr_new(condition, &there, err);
		rc = expr == NULL ? -1 : 0;
		for (uint32_t v = 0; rc == 0 && v < c->dag->n; v++)
			if (c->job[v].type != TV_NONE && tv_expr_holds(expr, c->dag->row[v])) {
				c->factor[(size_t)v * c->nrtypes + r] *= factor;
				*matches = true;
			}
		tv_expr_free(expr);
		tv_table_release(&there);
	}
	tv_free(condition);
	return rc;
}

/* The condition of such an entry holds for no task. -1 with *err (usage). */
static int fail_unmatched(const struct tv_costs *c, const char *text, struct tv_error *err)
{
	double factor;
	char *condition = parse_speed(text, &factor, err), *why;
	struct tv_expr *expr = tv_expr_new(condition, &c->dag->tasks->trace->table[TV_TASKS], err);

	tv_free(condition);
	if (expr == NULL)
		return -1;
	why = tv_expr_unmatched(expr);
	tv_expr_free(expr);
	tv_fail_usage(err, "--speed '%.200s' matches no task%s", text, why);
	tv_free(why);
	return -1;
}

int tv_costs_speed(struct tv_costs *c, const char *const *speed, size_t nspeeds, bool strict,
		   struct tv_error *err)
{
	size_t n = (size_t)c->dag->n * c->nrtypes;

	tv_free(c->factor);
	c->factor = nspeeds > 0 ? tv_alloc(n, sizeof *c->factor) : NULL;
	for (size_t i = 0; nspeeds > 0 && i < n; i++)
		c->factor[i] = 1;
	for (size_t i = 0; i < nspeeds; i++) {
		bool matches;

		if (speed_up(c, speed[i], &matches, err) < 0)
			return -1;
		if (strict && !matches)
			return fail_unmatched(c, speed[i], err);
		if (!tv_costs_in_range(c))
			return tv_fail_usage(err,
					     "--speed '%s': the tasks take more than 30 years in "
					     "all, expected a larger factor",
					     speed[i]);
	}
	tv_slow_workers_update(c);
	return 0;
}
