/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slow_tasks.c -- the tasks of slow workers and nodes, and of types that are slow on some workers, as expressions. */
#include "analysis/bounds/slow_tasks.h"

#include <string.h>

#include "analysis/core/slow_members.h"
#include "analysis/core/slow_types.h"
#include "analysis/core/warnings.h"
#include "trace/alloc.h"
#include "trace/expr_equals.h"
#include "trace/number.h"
#include "trace/text.h"
#include "trace/units.h"

enum { SLOW_MAX = 10 };

struct visit {
	struct tv_run *run;
	tv_slow_visitor *visitor;
	void *context;
};

/* Takes expr; NULL: the language has none, and nothing is done. */
static int give(const struct visit *v, char *expr, double ratio, const char *what,
		struct tv_error *err)
{
	int rc = expr == NULL ? 0 : v->visitor(v->context, expr, ratio, what, err);

	tv_free(expr);
	return rc;
}

/* Its tasks, as an expression; NULL: the language has none. */
static char *tasks_of(const struct tv_tasks *tasks, const struct tv_slow_member *slow)
{
	char *who = NULL, *type, *expr, from[TV_NUMBER_MAX], to[TV_NUMBER_MAX];

	if (!slow->is_node) {
		for (uint32_t i = 0; i < tasks->nworkers; i++)
			if (tasks->workers[i].shared
			    && strcmp(tv_pool_text(tasks->pool, tasks->workers[i].resource),
				      slow->member)
				       == 0)
				return NULL; /* tasks name its streams */
		expr = tv_expr_equals("ResourceId", slow->member);
	} else {
		who = tv_expr_equals("Node", slow->member);
		type = tv_expr_equals("ResourceType", slow->rtype);
		expr = who != NULL && type != NULL ? tv_format("%s and %s", who, type) : NULL;
		tv_free(who);
		tv_free(type);
	}
	if (expr != NULL && slow->timed) {
		tv_write_ms(from, slow->begin);
		tv_write_ms(to, slow->end);
		tv_append(&expr, " and Start >= %s and Start <= %s", from, to);
	}
	return expr;
}

static int speed_member_up(const struct visit *v, const struct tv_slow_member *slow,
			   struct tv_error *err)
{
	char from[32], to[32];
	char *what = tv_format("%s%s as fast as others of type %s", slow->is_node ? "node " : "",
			       slow->member, slow->rtype);
	int rc = 0;

	if (slow->timed) {
		tv_time_text(from, sizeof from, slow->begin, NULL);
		tv_time_text(to, sizeof to, slow->end, NULL);
		tv_append(&what, " from %s to %s", from, to);
	}
	rc = give(v, tasks_of(&v->run->tasks, slow), slow->ratio, what, err);
	tv_free(what);
	return rc;
}

/* A task type on the workers on which it is slow: "calc on CPU3 as fast as on others of type CPU". */
static int speed_type_there(const struct visit *v, const struct tv_slow_type *type,
			    struct tv_error *err)
{
	const struct tv_tasks *tasks = &v->run->tasks;
	const char *name = tv_pool_text(tasks->pool, type->value), *first = NULL;
	char *expr = tv_expr_equals("Value", name), *who = NULL, *what;
	int rc;

	for (uint32_t i = 0; i < tasks->nworkers && expr != NULL; i++) {
		const char *worker = tv_pool_text(tasks->pool, tasks->workers[i].resource);
		char *one = !type->slow[i] ? NULL : tv_expr_equals("ResourceId", worker);

		if (type->slow[i] && (one == NULL || tasks->workers[i].shared)) {
			tv_free(expr);
			expr = NULL;
		} else if (type->slow[i]) {
			tv_append(&who, "%s%s", who == NULL ? "" : " or ", one);
			first = first == NULL ? worker : first;
		}
		tv_free(one);
	}
	if (expr != NULL)
		tv_append(&expr, type->nslow > 1 ? " and (%s)" : " and %s", who);
	what = type->nslow == 1
		     ? tv_format("%s on %s as fast as on others of type %s", name, first,
				 tv_pool_text(tasks->pool, tasks->rtype[type->rtype].label))
		     : tv_format("%s on %u slow workers as fast as on others of type %s", name,
				 type->nslow,
				 tv_pool_text(tasks->pool, tasks->rtype[type->rtype].label));
	rc = give(v, expr, type->ratio, what, err);
	tv_free(who);
	tv_free(what);
	return rc;
}

static bool is_of_member(const struct tv_tasks *tasks, const struct tv_worker *worker,
			 const struct tv_slow_member *member)
{
	uint32_t label = member->is_node ? tasks->node[worker->node].label : worker->resource;

	return label != TV_NONE && strcmp(tv_pool_text(tasks->pool, label), member->member) == 0;
}

/* Whether one of the workers on which a type is slow is, or is on, one of n slow members. */
static bool has_member(const struct tv_tasks *tasks, const struct tv_slow_type *type,
		       const struct tv_slow_member *member, uint32_t n)
{
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		for (uint32_t i = 0; type->slow[w] && i < n; i++)
			if (is_of_member(tasks, &tasks->workers[w], &member[i]))
				return true;
	return false;
}

/* Types that are slow on a few workers, none of which is slow as a whole. */
static int speed_slow_types_up(const struct visit *v, const struct tv_slow_member *member,
			       uint32_t n, struct tv_error *err)
{
	struct tv_slow_type *type;
	uint32_t ntypes;
	int rc = tv_list_slow_types(v->run, &type, &ntypes, err);

	for (uint32_t i = 0; i < ntypes && i < SLOW_MAX && rc == 0; i++)
		if (type[i].nslow <= SLOW_MAX && !has_member(&v->run->tasks, &type[i], member, n))
			rc = speed_type_there(v, &type[i], err);
	tv_slow_types_free(type, ntypes);
	return rc;
}

int tv_each_slow(struct tv_run *run, tv_slow_visitor *visitor, void *context, struct tv_error *err)
{
	const struct visit v = { run, visitor, context };
	struct tv_slow_member *slow;
	uint32_t n;
	int rc = tv_slow_members(run, &slow, &n, err);

	if (rc < 0)
		return -1;
	if (n > SLOW_MAX)
		tv_run_warn(run,
			    "%u slow workers and nodes: only the %d slowest are made faster, each "
			    "in simulations of its own",
			    n, SLOW_MAX);
	for (uint32_t i = 0; i < n && i < SLOW_MAX && rc == 0; i++)
		rc = speed_member_up(&v, &slow[i], err);
	if (rc == 0)
		rc = speed_slow_types_up(&v, slow, n, err);
	tv_free(slow);
	return rc;
}
