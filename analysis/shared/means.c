/* SPDX-License-Identifier: GPL-3.0-or-later */
/* means.c -- mean durations by task type and resource type. */
#include "analysis/shared/means.h"

#include <math.h>
#include <stdlib.h>

#include "lp/area.h"
#include "trace/alloc.h"
#include "trace/sorted.h"
#include "trace/text.h"

struct named {
	const char *text;
	uint32_t label;
};

static int by_name(const void *a, const void *b)
{
	return tv_natural_order(((const struct named *)a)->text, ((const struct named *)b)->text);
}

static uint32_t *type_place(const struct tv_types *types, const struct tv_tasks *tasks,
			    uint32_t row)
{
	uint32_t label = tasks->value[row];

	return &types->place[label == TV_NONE ? types->nlabels : label];
}

uint32_t tv_types_place(const struct tv_types *types, const struct tv_tasks *tasks, uint32_t row)
{
	return *type_place(types, tasks, row);
}

static void sort_types(struct tv_types *types, const struct tv_pool *pool)
{
	struct named *name = tv_alloc(types->n, sizeof *name);

	for (uint32_t i = 0; i < types->n; i++)
		name[i] = (struct named){ tv_pool_text(pool, types->label[i]), types->label[i] };
	qsort(name, types->n, sizeof *name, by_name);
	for (uint32_t i = 0; i < types->n; i++) {
		types->label[i] = name[i].label;
		types->place[name[i].label == TV_NONE ? types->nlabels : name[i].label] = i;
	}
	tv_free(name);
}

void tv_types_init(struct tv_types *types, const struct tv_tasks *tasks)
{
	size_t cap = 0;

	*types = (struct tv_types){ .nlabels = tv_pool_count(tasks->pool) };
	types->place = tv_alloc((size_t)types->nlabels + 1, sizeof *types->place);
	for (uint32_t i = 0; i <= types->nlabels; i++)
		types->place[i] = TV_NONE;
	for (uint32_t row = 0; row < tasks->n; row++) {
		if (!tasks->counted[row] || *type_place(types, tasks, row) != TV_NONE)
			continue;
		TV_GROW(types->label, types->n, cap, 1);
		*type_place(types, tasks, row) = types->n;
		types->label[types->n++] = tasks->value[row];
	}
	sort_types(types, tasks->pool);
}

void tv_types_release(struct tv_types *types)
{
	tv_free(types->label);
	tv_free(types->place);
	*types = (struct tv_types){ 0 };
}

/* Places of the types that occur, ascending, in means->type; local[place] is the index there. */
static void list_types(struct tv_means *means, const struct tv_tasks *tasks,
		       const struct tv_types *types, uint32_t *local)
{
	size_t cap = 0;

	for (uint32_t i = 0; i < means->nrows; i++) {
		uint32_t place = *type_place(types, tasks, means->row[i]);

		if (local[place] != TV_NONE)
			continue;
		TV_GROW(means->type, means->ntypes, cap, 1);
		local[place] = 0;
		means->type[means->ntypes++] = place;
	}
	qsort(means->type, means->ntypes, sizeof *means->type, tv_compare_uint32);
	for (uint32_t i = 0; i < means->ntypes; i++)
		local[means->type[i]] = i;
}

static void add_row(struct tv_means *means, const struct tv_tasks *tasks, uint32_t type,
		    uint32_t row)
{
	uint32_t rtype = tasks->workers[tasks->worker[row]].rtype;
	struct tv_pair *pair = &means->pair[(size_t)type * means->nrtypes + rtype];

	pair->executions++;
	pair->tasks += 1.0 / tv_team_of(tasks, row);
	pair->time += tv_row_time(tasks, row);
}

/* The means of the rows. local: by place of type, TV_NONE before and after. */
static void means_init(struct tv_means *means, const struct tv_tasks *tasks,
		       const struct tv_types *types, uint32_t *local)
{
	const uint32_t *row = means->row;
	bool whole = means->node == TV_NONE;
	uint32_t first = whole ? 0 : tasks->node[means->node].first;
	uint32_t nworkers = whole ? tasks->nworkers : tasks->node[means->node].nworkers;

	means->nrtypes = tasks->nrtypes;
	list_types(means, tasks, types, local);
	means->workers = tv_alloc(tasks->nrtypes, sizeof *means->workers);
	means->pair = tv_alloc((size_t)means->ntypes * tasks->nrtypes, sizeof *means->pair);
	for (uint32_t w = 0; w < nworkers; w++)
		means->workers[tasks->workers[first + w].rtype]++;
	means->finish = INT64_MIN;
	for (uint32_t i = 0; i < means->nrows; i++) {
		add_row(means, tasks, local[*type_place(types, tasks, row[i])], row[i]);
		if (tasks->end[row[i]] > means->finish)
			means->finish = tasks->end[row[i]];
	}
	/* Thirds and the like add up to whole tasks but for rounding. */
	for (size_t i = 0; i < (size_t)means->ntypes * means->nrtypes; i++)
		if (fabs(means->pair[i].tasks - round(means->pair[i].tasks)) < 1e-6)
			means->pair[i].tasks = round(means->pair[i].tasks);
	for (uint32_t i = 0; i < means->ntypes; i++) {
		local[means->type[i]] = TV_NONE;
		means->type[i] = types->label[means->type[i]];
	}
}

void tv_estimates_init(struct tv_estimates *estimates, const struct tv_tasks *tasks)
{
	uint32_t *node = tv_alloc(tasks->n, sizeof *node), *local;
	struct tv_groups *rows = &estimates->rows;
	struct tv_types types;

	tv_types_init(&types, tasks);
	for (uint32_t row = 0; row < tasks->n; row++)
		node[row] = tasks->counted[row] ? tasks->workers[tasks->worker[row]].node : TV_NONE;
	tv_groups_init(rows, node, tasks->n, tasks->nnodes);
	local = tv_alloc(types.n, sizeof *local);
	for (uint32_t i = 0; i < types.n; i++)
		local[i] = TV_NONE;
	estimates->n = 0;
	estimates->means = tv_alloc((size_t)tasks->nnodes + 1, sizeof *estimates->means);
	for (uint32_t g = 0; g <= rows->n; g++) {
		bool whole = g == 0;
		uint32_t first = whole ? 0 : rows->first[g - 1];
		uint32_t last = rows->first[whole ? rows->n : g];
		struct tv_means *means;

		if (!whole && (rows->n == 1 || first == last))
			continue;
		means = &estimates->means[estimates->n++];
		means->node = whole ? TV_NONE : g - 1;
		means->row = rows->row + first;
		means->nrows = last - first;
		means_init(means, tasks, &types, local);
	}
	tv_free(node);
	tv_free(local);
	tv_types_release(&types);
}

void tv_estimates_release(struct tv_estimates *estimates)
{
	for (uint32_t i = 0; i < estimates->n; i++) {
		tv_free(estimates->means[i].type);
		tv_free(estimates->means[i].workers);
		tv_free(estimates->means[i].pair);
	}
	tv_free(estimates->means);
	tv_groups_release(&estimates->rows);
	*estimates = (struct tv_estimates){ 0 };
}

int64_t tv_mean_ns(const struct tv_pair *pair)
{
	return (int64_t)((pair->time + pair->executions / 2) / pair->executions);
}

double tv_mean(const struct tv_pair *pair)
{
	/* Whole and rest apart: the sum may not fit a double. */
	return (double)(pair->time / pair->executions)
	     + (double)(pair->time % pair->executions) / (double)pair->executions;
}

/* Worker time of a task: a team needs all its workers. Negative: never ran there. */
static double area_of(const struct tv_pair *pair)
{
	return pair->executions == 0 ? -1
				     : tv_mean(pair) * ((double)pair->executions / pair->tasks);
}

int tv_means_area(const struct tv_means *means, double *bound_ns, double *ideal,
		  struct tv_error *err)
{
	uint32_t nr = means->nrtypes;
	double *count = tv_alloc(means->ntypes, sizeof *count);
	double *time = tv_alloc((size_t)means->ntypes * nr, sizeof *time);
	double *workers = tv_alloc(nr, sizeof *workers);
	int rc;

	for (uint32_t r = 0; r < nr; r++)
		workers[r] = (double)means->workers[r];
	for (uint32_t t = 0; t < means->ntypes; t++)
		for (uint32_t r = 0; r < nr; r++) {
			const struct tv_pair *pair = &means->pair[(size_t)t * nr + r];

			count[t] += pair->tasks;
			time[(size_t)t * nr + r] = area_of(pair);
		}
	rc = tv_area_bound(&(struct tv_area){ means->ntypes, nr, count, time, workers }, bound_ns,
			   ideal, err);
	tv_free(count);
	tv_free(time);
	tv_free(workers);
	return rc;
}
