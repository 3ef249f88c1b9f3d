/* SPDX-License-Identifier: GPL-3.0-or-later */
/* two_groups.c -- a type of tasks whose durations are of two groups, as those of tasks that wait in themselves, or not. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "analysis/core/lock_waits.h"
#include "analysis/core/means.h"
#include "analysis/diagnose/findings.h"
#include "trace/sorted.h"
#include "trace/text.h"

enum { MEMBERS_MIN = 10 }; /* of each group, and a fifth of all */

struct timed {
	int64_t time; /* ns */
	uint32_t row;
};

/* The tasks of a type on a type of workers. */
struct kind {
	uint32_t value, rtype;
	size_t n, first; /* first: where they are in the list of those that may be of two groups */
	double sum, squares; /* of durations, ns */
};

/* Two groups of the tasks of a type, which are in order of time. */
struct groups {
	const struct kind *kind;
	const struct timed *at;
	size_t n, shorter;	    /* so many are of the group of the shorter ones */
	int64_t short_mean, excess; /* ns; of the longer ones together */
};

/* The split of the logarithms with the largest variance between its sides; how far apart these are, in terms of their own widths (Ashman's
 * D); 0 = there is none. */
static double split(const struct timed *at, size_t n, size_t *shorter)
{
	size_t least = n / 5 > MEMBERS_MIN ? n / 5 : MEMBERS_MIN;
	long double sum = 0, squares = 0, left = 0, left_squares = 0, best = -1;
	double apart = 0;

	for (size_t i = 0; i < n; i++) {
		long double x = logl((long double)at[i].time);

		sum += x;
		squares += x * x;
	}
	for (size_t i = 0; i + least < n; i++) {
		long double x = logl((long double)at[i].time), a = (long double)(i + 1),
			    b = (long double)n - a, means[2], between, within;

		left += x;
		left_squares += x * x;
		if (i + 1 < least)
			continue;
		means[0] = left / a;
		means[1] = (sum - left) / b;
		between = a * b * (means[1] - means[0]) * (means[1] - means[0]);
		if (between <= best)
			continue;
		best = between;
		within = left_squares / a - means[0] * means[0] + (squares - left_squares) / b
		       - means[1] * means[1];
		apart = (double)(sqrtl(2) * (means[1] - means[0])
				 / sqrtl(within > 1e-12L ? within : 1e-12L));
		*shorter = i + 1;
	}
	return apart;
}

/* Whether a column of tasks has several values in a type: that tells their work apart. */
static bool differs(const struct tv_case *c, const struct groups *g, const char *name)
{
	const struct tv_table *table = &c->run->trace->table[TV_TASKS];
	const struct tv_column *column = tv_table_find(table, name);
	bool differs = false;

	for (size_t i = 1; column != NULL && i < g->n && !differs; i++) {
		uint32_t a = g->at[0].row, b = g->at[i].row;

		differs = tv_missing(column, a) != tv_missing(column, b)
		       || (!tv_missing(column, a)
			   && (column->type == TV_LABEL || column->type == TV_TEXT
				       ? strcmp(tv_table_text(table, name, a),
						tv_table_text(table, name, b))
						 != 0
				       : tv_number(column, a) != tv_number(column, b)));
	}
	return differs;
}

/* Whether most workers with ten tasks of the type or more have a tenth of both groups: else the worker, or its node, is the cause. */
static bool on_all_workers(const struct tv_case *c, const struct groups *g)
{
	uint32_t *count = tv_alloc((size_t)2 * c->tasks->nworkers, sizeof *count), both = 0, n = 0;

	for (size_t i = 0; i < g->n; i++)
		count[2 * c->tasks->worker[g->at[i].row] + (i >= g->shorter)]++;
	for (uint32_t w = 0; w < c->tasks->nworkers; w++) {
		uint32_t all = count[2 * w] + count[2 * w + 1];

		n += all >= MEMBERS_MIN;
		both += all >= MEMBERS_MIN && 10 * count[2 * w] >= all
		     && 10 * count[2 * w + 1] >= all;
	}
	tv_free(count);
	return 2 * both > n;
}

/* Whether the tasks of a type are of two groups by nothing else that the trace has of them. */
static bool find_groups(const struct tv_case *c, struct groups *g)
{
	static const char *const work[] = { "GFlop", "Size", "Footprint", "Params", "Tag" };
	tv_int128 shorter = 0, longer = 0;
	bool known = false;

	if (g->n < 2 * MEMBERS_MIN || split(g->at, g->n, &g->shorter) < 4.5)
		return false;
	for (size_t i = 0; i < g->n; i++)
		*(i < g->shorter ? &shorter : &longer) += g->at[i].time;
	g->short_mean = (int64_t)(shorter / (tv_int128)g->shorter);
	g->excess = tv_sum_ns(longer - (tv_int128)g->short_mean * (tv_int128)(g->n - g->shorter));
	for (size_t i = 0; i < TV_COUNT(work); i++)
		known = known || differs(c, g, work[i]);
	return longer >= (tv_int128)3 * g->short_mean * (tv_int128)(g->n - g->shorter) && !known
	    && on_all_workers(c, g);
}

/* Whether waits for locks in the longer ones are half of what they take more. */
static bool are_locks(const struct tv_case *c, const struct groups *g)
{
	int64_t *waits = tv_alloc(c->tasks->n, sizeof *waits);
	tv_int128 sum = 0;

	tv_run_lock_waits(c->run, waits);
	for (size_t i = g->shorter; i < g->n; i++)
		sum += waits[g->at[i].row];
	tv_free(waits);
	return 2 * sum >= g->excess;
}

static bool takes(const struct tv_tasks *tasks, uint32_t row)
{
	return tasks->counted[row] && tv_row_begins(tasks, row) && tv_task_time(tasks, row) > 0;
}

static size_t kind_of(const struct tv_tasks *tasks, const struct tv_grouping *types, uint32_t row)
{
	return (size_t)types->of_row[row] * tasks->nrtypes
	     + tasks->workers[tasks->worker[row]].rtype;
}

/* By task type, then resource type. */
static struct kind *sum_kinds(const struct tv_tasks *tasks, const struct tv_grouping *types)
{
	struct kind *kind = tv_alloc((size_t)types->n * tasks->nrtypes, sizeof *kind);

	for (uint32_t row = 0; row < tasks->n; row++) {
		struct kind *of;
		double time;

		if (!takes(tasks, row))
			continue;
		of = &kind[kind_of(tasks, types, row)];
		time = (double)tv_task_time(tasks, row);
		of->value = tasks->value[row];
		of->rtype = tasks->workers[tasks->worker[row]].rtype;
		of->n++;
		of->sum += time;
		of->squares += time * time;
	}
	return kind;
}

/*
 * Whether two groups are possible that are as far apart as in find_groups: where the shorter ones are a share p of all, from 0.185 to 0.815
 * as split needs it, and the longer ones take r times as long, the variance is p (1 - p) (r - 1)^2 / (p + (1 - p) r)^2 of the squared
 * mean. That is 0.083 or more for each r from 2.9 on; it is 3 but for a mean rounded to whole ns.
 */
static bool may_be_two(const struct kind *k)
{
	double n = (double)k->n;

	return k->n >= 2 * MEMBERS_MIN
	    && (k->sum < 1000 * n || k->squares * n >= 1.08 * k->sum * k->sum);
}
/* The tasks of those kinds, in the order of kinds, each in the order of time; the others have n = 0 then. */
static struct timed *list_tasks(const struct tv_tasks *tasks, const struct tv_grouping *types,
				struct kind *kind, size_t nkinds)
{
	struct timed *at;
	size_t n = 0;

	for (size_t k = 0; k < nkinds; k++) {
		kind[k].n = may_be_two(&kind[k]) ? kind[k].n : 0;
		kind[k].first = n;
		n += kind[k].n;
	}
	at = tv_alloc(n, sizeof *at);
	for (uint32_t row = 0; n > 0 && row < tasks->n; row++) {
		struct kind *of;

		if (takes(tasks, row) && (of = &kind[kind_of(tasks, types, row)])->n > 0)
			at[of->first++] = (struct timed){ tv_task_time(tasks, row), row };
	}
	for (size_t k = 0; k < nkinds; k++) {
		kind[k].first -= kind[k].n;
		tv_sort_by_time(at + kind[k].first, kind[k].n, sizeof *at,
				offsetof(struct timed, time), NULL);
	}
	return at;
}

/* The larger excess; of equal ones that of the first label. */
static bool is_worse(const struct groups *a, const struct groups *b)
{
	if (a->excess != b->excess || a->excess == 0)
		return a->excess > b->excess;
	return a->kind->value != b->kind->value ? a->kind->value < b->kind->value
						: a->kind->rtype < b->kind->rtype;
}

static char *groups_text(const struct tv_case *c, const struct groups *g)
{
	char time[2][32], name[128];
	size_t longer = g->n - g->shorter;
	uint32_t label = g->kind->value;

	return tv_format(
		"%lu of the %lu tasks of type %s take %s on average, the others %s, on the same "
		"workers. Whether the longer ones wait in themselves, as for a lock or a file, or "
		"have more work, the trace does not show.",
		(unsigned long)longer, (unsigned long)g->n,
		tv_clean_text(name, sizeof name,
			      label == TV_NONE ? "?" : tv_pool_text(c->tasks->pool, label)),
		tv_words_time(time[0], g->short_mean + g->excess / (int64_t)longer),
		tv_words_time(time[1], g->short_mean));
}

static int find_two_groups(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const struct tv_table *table = &c->run->trace->table[TV_TASKS];
	const struct tv_grouping *types;
	struct groups worst = { .excess = 0 };
	struct kind *kind;
	struct timed *at;
	size_t nkinds;

	(void)err;
	/* Tasks that create others, or change for a while, have times of their own kinds; and clocks tell waits from work. */
	if (tv_table_find(table, "ParentJob") != NULL || c->jump.n > 0 || c->clocked.time > 0)
		return 0;
	types = &tv_run_estimates_of(c->run, false)->types;
	nkinds = (size_t)types->n * c->tasks->nrtypes;
	kind = sum_kinds(c->tasks, types);
	at = list_tasks(c->tasks, types, kind, nkinds);
	for (size_t k = 0; k < nkinds; k++) {
		struct groups g = { .kind = &kind[k], .at = at + kind[k].first, .n = kind[k].n };

		if (find_groups(c, &g) && is_worse(&g, &worst))
			worst = g;
	}
	found->worker_ns = worst.excess;
	found->measure_ns = worst.excess / c->tasks->nworkers;
	found->measure_is = TV_EXCESS;
	found->at_most = true;
	found->confidence = TV_STATISTICAL;
	found->holds = found->measure_ns >= 5 * c->min_ns && found->measure_ns > 0
		    && !are_locks(c, &worst);
	if (found->holds) {
		found->text = groups_text(c, &worst);
		found->command = tv_case_verb(c, "summary", "distribution --scale log");
	}
	tv_free(at);
	tv_free(kind);
	return 0;
}

const struct tv_rule tv_rule_two_groups = {
	.id = "two-groups",
	.title = "tasks of one type take two different times",
	.condition =
		"the durations of a type on a type of workers are of two groups, each of a "
		"fifth and ten tasks or more, three times as long on average or more and "
		"clearly apart (Ashman's D of their logarithms from 4.5 on), on most workers; "
		"the longer ones take longer for 5 % of the makespan, and no column (GFlop, "
		"Size, Footprint, Params, Tag) and no waits for locks tell them apart; without "
		"task-clock",
	.measures = "WorkerTime: time of the longer ones above the mean of the shorter ones; "
		    "Measure: that over the number of workers",
	.action = "Find out what the longer ones do. States of waits in tasks (Wait for lock) or "
		  "a counter task-clock show that they wait; GFlop or Footprint that they have "
		  "more work.",
	.picture = "--panels spacetime,durations",
	.durations = true,
	.find = find_two_groups,
};
