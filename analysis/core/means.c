/* SPDX-License-Identifier: GPL-3.0-or-later */
/* means.c -- mean durations by task type and resource type. */
#include "analysis/core/means.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/core/warnings.h"
#include "lp/area.h"
#include "trace/alloc.h"
#include "trace/map.h"

/* The types that occur. */
static void list_types(struct tv_means *means, const struct tv_grouping *types)
{
	means->type_of_row = types->of_row;
	means->index = tv_alloc(types->n, sizeof *means->index);
	means->type = tv_alloc(types->n, sizeof *means->type);
	for (uint32_t t = 0; t < types->n; t++)
		means->index[t] = TV_NONE;
	for (uint32_t i = 0; i < means->nrows; i++)
		means->index[types->of_row[means->row[i]]] = 0;
	for (uint32_t t = 0; t < types->n; t++)
		if (means->index[t] != TV_NONE) {
			means->type[means->ntypes] = tv_grouping_label(types, t);
			means->index[t] = means->ntypes++;
		}
}

static void add_row(struct tv_means *means, const struct tv_tasks *tasks, uint32_t row)
{
	uint32_t rtype = tasks->workers[tasks->worker[row]].rtype;
	size_t at = (size_t)tv_means_type(means, row) * means->nrtypes + rtype;
	struct tv_pair *pair = &means->pair[at];

	if (tv_means_take(means, tasks, row)) {
		if (means->segments || tv_row_begins(tasks, row)) {
			pair->executions++;
			pair->tasks += 1.0 / tv_team_of(tasks, row);
		}
		pair->time += tv_row_device_time(tasks, row);
	}
	means->moves = means->moves || !tv_means_stays(means, tasks, row);
	if (tasks->end[row] > means->finish)
		means->finish = tasks->end[row];
}

/* The means of the rows first..end - 1 of the estimates. */
static void add_means(struct tv_estimates *estimates, const struct tv_tasks *tasks, uint32_t node,
		      uint32_t first, uint32_t end)
{
	struct tv_means *means = &estimates->means[estimates->n++];
	bool whole = node == TV_NONE;
	uint32_t worker = whole ? 0 : tasks->node[node].first;
	uint32_t nworkers = whole ? tasks->nworkers : tasks->node[node].nworkers;

	*means = (struct tv_means){
		.node = node,
		.finish = INT64_MIN,
		.nrtypes = tasks->nrtypes,
		.workers = tv_alloc(tasks->nrtypes, sizeof *means->workers),
		.row = estimates->rows.row + first,
		.nrows = end - first,
		.segments = estimates->segments,
	};
	list_types(means, &estimates->types);
	means->pair = tv_alloc((size_t)means->ntypes * tasks->nrtypes, sizeof *means->pair);
	for (uint32_t w = 0; w < nworkers; w++)
		means->workers[tasks->workers[worker + w].rtype]++;
	for (uint32_t i = 0; i < means->nrows; i++)
		add_row(means, tasks, means->row[i]);
	/* Thirds and the like add up to whole tasks but for rounding. */
	for (size_t i = 0; i < (size_t)means->ntypes * means->nrtypes; i++)
		if (fabs(means->pair[i].tasks - round(means->pair[i].tasks)) < 1e-6)
			means->pair[i].tasks = round(means->pair[i].tasks);
}

bool tv_means_stays(const struct tv_means *means, const struct tv_tasks *tasks, uint32_t row)
{
	uint32_t whole = tv_row_whole(tasks, row);

	return means->segments || whole == row
	    || tasks->workers[tasks->worker[whole]].rtype
		       == tasks->workers[tasks->worker[row]].rtype;
}

void tv_estimates_init(struct tv_estimates *estimates, const struct tv_tasks *tasks, bool segments)
{
	uint32_t *node = tv_alloc(tasks->n, sizeof *node);
	struct tv_groups *rows = &estimates->rows;

	*estimates = (struct tv_estimates){
		.means = tv_alloc((size_t)tasks->nnodes + 1, sizeof *estimates->means),
		.segments = segments && tasks->segment != NULL,
	};
	if (estimates->segments)
		tv_grouping_by_segment(&estimates->types, tasks);
	else
		tv_grouping_by_type(&estimates->types, tasks);
	for (uint32_t row = 0; row < tasks->n; row++)
		node[row] = tasks->counted[row] ? tasks->workers[tasks->worker[row]].node : TV_NONE;
	tv_groups_init(rows, node, tasks->n, tasks->nnodes);
	tv_free(node);
	add_means(estimates, tasks, TV_NONE, 0, rows->first[rows->n]);
	for (uint32_t i = 0; rows->n > 1 && i < rows->n; i++)
		if (rows->first[i] < rows->first[i + 1])
			add_means(estimates, tasks, i, rows->first[i], rows->first[i + 1]);
}

void tv_estimates_release(struct tv_estimates *estimates)
{
	for (uint32_t i = 0; i < estimates->n; i++) {
		tv_free(estimates->means[i].type);
		tv_free(estimates->means[i].index);
		tv_free(estimates->means[i].workers);
		tv_free(estimates->means[i].pair);
	}
	tv_free(estimates->means);
	tv_groups_release(&estimates->rows);
	tv_grouping_release(&estimates->types);
	*estimates = (struct tv_estimates){ 0 };
}

static void release(void *estimates)
{
	tv_estimates_release(estimates);
	tv_free(estimates);
}

const struct tv_estimates *tv_run_estimates(struct tv_run *run)
{
	tv_warn_cut(run);
	return tv_run_estimates_of(run, false);
}

const struct tv_estimates *tv_run_estimates_of(struct tv_run *run, bool segments)
{
	static const char keys[2];
	const char *key = &keys[segments && run->tasks.segment != NULL];
	struct tv_estimates *estimates = tv_run_kept(run, key);

	if (estimates == NULL) {
		estimates = tv_alloc(1, sizeof *estimates);
		tv_estimates_init(estimates, &run->tasks, segments);
		tv_run_keep(run, key, estimates, release);
	}
	return estimates;
}

/* ---- the same of rows that come part by part ---- */

/* Means of the whole run, then of each node, whose types come in any order. */
struct adding {
	struct tv_means *means;
	struct tv_map place; /* by means and label of a type: its place */
};

static uint32_t place_type(struct adding *to, uint32_t at, uint32_t label)
{
	struct tv_means *means = &to->means[at];
	uint32_t *place = tv_map_at(&to->place, at, label);
	size_t npairs = (size_t)means->ntypes * means->nrtypes;

	if (*place != TV_NONE)
		return *place;
	means->type = tv_realloc(means->type, (size_t)means->ntypes + 1, sizeof *means->type);
	means->pair = tv_realloc(means->pair, npairs + means->nrtypes, sizeof *means->pair);
	memset(means->pair + npairs, 0, means->nrtypes * sizeof *means->pair);
	means->type[means->ntypes] = label;
	return *place = means->ntypes++;
}

static void add_part_of(struct adding *to, const struct tv_means *part)
{
	uint32_t at = part->node == TV_NONE ? 0 : part->node + 1, n = part->nrtypes;
	struct tv_means *means = &to->means[at];

	if (means->workers == NULL) {
		*means = (struct tv_means){ .node = part->node,
					    .finish = part->finish,
					    .nrtypes = n,
					    .workers = tv_alloc(n, sizeof *means->workers) };
		memcpy(means->workers, part->workers, n * sizeof *means->workers);
	}
	means->finish = part->finish > means->finish ? part->finish : means->finish;
	for (uint32_t t = 0; t < part->ntypes; t++) {
		size_t first = (size_t)place_type(to, at, part->type[t]) * n;
		struct tv_pair *pair = means->pair + first;

		for (uint32_t r = 0; r < n; r++) {
			pair[r].executions += part->pair[(size_t)t * n + r].executions;
			pair[r].tasks += part->pair[(size_t)t * n + r].tasks;
			pair[r].time += part->pair[(size_t)t * n + r].time;
		}
	}
}

static int add_part(void *state, struct tv_run *part, struct tv_error *err)
{
	struct tv_estimates estimates;

	(void)err;
	tv_estimates_init(&estimates, &part->tasks, false);
	for (uint32_t i = 0; i < estimates.n; i++)
		add_part_of(state, &estimates.means[i]);
	tv_estimates_release(&estimates);
	return 0;
}

/* As bytes. */
static void pack_means(const struct tv_means *means, const struct tv_pool *pool,
		       struct tv_parcel *pack)
{
	tv_pack_number(pack, means->node);
	tv_pack_number(pack, (uint64_t)means->finish);
	tv_pack_number(pack, means->nrtypes);
	tv_pack_bytes(pack, means->workers, means->nrtypes * sizeof *means->workers);
	tv_pack_number(pack, means->ntypes);
	for (uint32_t t = 0; t < means->ntypes; t++)
		tv_pack_label(pack, pool, means->type[t]);
	tv_pack_bytes(pack, means->pair,
		      (size_t)means->ntypes * means->nrtypes * sizeof *means->pair);
}

static void add_packed(struct adding *to, struct tv_pool *pool, struct tv_unpack *from)
{
	struct tv_means part = { .node = (uint32_t)tv_unpack_number(from) };
	size_t npairs;

	part.finish = (int64_t)tv_unpack_number(from);
	part.nrtypes = (uint32_t)tv_unpack_number(from);
	part.workers = tv_alloc(part.nrtypes, sizeof *part.workers);
	tv_unpack_bytes(from, part.workers, part.nrtypes * sizeof *part.workers);
	part.ntypes = (uint32_t)tv_unpack_number(from);
	part.type = tv_alloc(part.ntypes, sizeof *part.type);
	for (uint32_t t = 0; t < part.ntypes; t++)
		part.type[t] = tv_unpack_label(from, pool);
	npairs = (size_t)part.ntypes * part.nrtypes;
	part.pair = tv_alloc(npairs, sizeof *part.pair);
	tv_unpack_bytes(from, part.pair, npairs * sizeof *part.pair);
	add_part_of(to, &part);
	tv_free(part.workers);
	tv_free(part.type);
	tv_free(part.pair);
}

/* Adds those of the other processes of a team. */
static void add_others(struct adding *to, uint32_t n, const struct tv_team *team,
		       struct tv_pool *pool)
{
	struct tv_parcel pack = { 0 };
	struct tv_gathered all;

	for (uint32_t i = 0; i < n; i++)
		if (to->means[i].workers != NULL)
			pack_means(&to->means[i], pool, &pack);
	all = tv_team_gather(team, &pack);
	for (uint32_t rank = 0; rank < all.n; rank++) {
		struct tv_unpack from = tv_gathered_of(&all, rank);

		while (rank != team->rank && from.n > 0)
			add_packed(to, pool, &from);
	}
	tv_gathered_release(&all);
}

/* A missing type first, as grouping does. */
static int by_name(const void *a, const void *b, void *pool)
{
	const uint32_t *x = a, *y = b;

	if (*x == TV_NONE || *y == TV_NONE)
		return (*y == TV_NONE) - (*x == TV_NONE);
	return tv_compare_labels(a, b, pool);
}

/* Brings the types into their order. */
static void sort_types(struct adding *of, uint32_t at, struct tv_pool *pool)
{
	struct tv_means *means = &of->means[at];
	struct tv_pair *pair = tv_alloc((size_t)means->ntypes * means->nrtypes, sizeof *pair);

	if (means->ntypes > 0)
		qsort_r(means->type, means->ntypes, sizeof *means->type, by_name, pool);
	for (uint32_t t = 0; t < means->ntypes; t++)
		memcpy(pair + (size_t)t * means->nrtypes,
		       means->pair + (size_t)place_type(of, at, means->type[t]) * means->nrtypes,
		       means->nrtypes * sizeof *pair);
	tv_free(means->pair);
	means->pair = pair;
}

const struct tv_estimates *tv_run_estimate_rows(struct tv_run *run, struct tv_error *err)
{
	static const char key;
	uint32_t n = run->tasks.nnodes + 1;
	struct tv_estimates *estimates = tv_run_kept(run, &key);
	struct adding adding = { 0 };
	int rc;

	if (run->parts == NULL || estimates != NULL)
		return estimates != NULL ? estimates : tv_run_estimates(run);
	tv_warn_cut(run);
	estimates = tv_alloc(1, sizeof *estimates);
	estimates->means = adding.means = tv_alloc(n, sizeof *adding.means);
	rc = tv_run_bare_rows(run, add_part, &adding, err);
	if (rc == 0 && run->team != NULL)
		add_others(&adding, n, run->team, run->trace->pool);
	for (uint32_t i = 0; i < n; i++)
		if (adding.means[i].workers != NULL) {
			sort_types(&adding, i, run->tasks.trace->pool);
			adding.means[estimates->n++] = adding.means[i];
		}
	tv_map_release(&adding.place);
	if (rc < 0) {
		release(estimates);
		return NULL;
	}
	tv_run_keep(run, &key, estimates, release);
	return estimates;
}

uint32_t tv_means_began_elsewhere(const struct tv_means *means, uint32_t type)
{
	uint32_t r = 0;

	for (uint32_t k = 0; k < means->nrtypes; k++)
		if (means->pair[(size_t)type * means->nrtypes + k].executions > 0)
			return TV_NONE;
	while (means->workers[r] == 0)
		r++;
	return r;
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
	for (uint32_t t = 0; t < means->ntypes; t++) {
		uint32_t r = tv_means_began_elsewhere(means, t);

		if (r != TV_NONE)
			time[(size_t)t * nr + r] = 0;
	}
	rc = tv_area_bound(&(struct tv_area){ means->ntypes, nr, count, time, workers }, bound_ns,
			   ideal, err);
	tv_free(count);
	tv_free(time);
	tv_free(workers);
	return rc;
}
