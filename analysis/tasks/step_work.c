/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step_work.c -- work and speeds within steps: exact sums, so that no order of the tasks changes them. */
#include "analysis/tasks/step_work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/tasks/executions.h"
#include "lp/area.h"
#include "trace/alloc.h"

/* Binary digits of a part of a task behind the point. */
enum { DIGITS = 60 };

/* Tasks of one type on one resource type that touch a slot: those whose end the trace shows, or the others. */
struct tv_mix_cell {
	tv_int128
		amount; /* sum of their parts in the slot: of a task, fixed point; of those without end, ns */
	tv_int128 normal,
		all; /* sums of the durations, ns, of those that are no outliers, of all */
	uint32_t normal_n, all_n;
	uint32_t begun; /* of those without end: that begin in it */
};

/* ---- rows ---- */

static struct tv_mix_type *type_of(struct tv_mix *mix, uint32_t label)
{
	uint32_t at = tv_index_get(&mix->place, label + 1);

	if (at != TV_NONE)
		return &mix->type[at];
	tv_index_set(&mix->place, label + 1, mix->ntypes);
	TV_GROW(mix->type, mix->ntypes, mix->cap, 1);
	mix->type[mix->ntypes] = (struct tv_mix_type){
		label, tv_alloc(2 * (size_t)mix->tasks->nrtypes, sizeof(struct tv_mix_cell *)),
		tv_alloc(mix->tasks->nworkers, sizeof(struct tv_pair))
	};
	return &mix->type[mix->ntypes++];
}

static struct tv_mix_cell *cells_of(const struct tv_mix *mix, struct tv_mix_type *type,
				    uint32_t rtype, bool ended)
{
	struct tv_mix_cell **cell = &type->cell[2 * (size_t)rtype + ended];

	if (*cell == NULL)
		*cell = tv_alloc(mix->nslots, sizeof **cell);
	return *cell;
}

/* A row of the part that is open. */
struct piece {
	const struct tv_tasks *tasks;
	uint32_t row;
	int64_t time; /* of its execution, ns */
	bool ended, outlier;
	struct tv_mix_cell *cell;
};

/* How much of a task so many ns of it are. */
static tv_int128 part_of(int64_t ns, int64_t time)
{
	tv_int128 one = (tv_int128)1 << DIGITS;

	return ns == time ? one : ns * one / time;
}

/* A piece is in a slot for so many ns. */
static void add_to_slot(struct tv_mix *mix, const struct piece *p, uint32_t slot, int64_t ns)
{
	bool begins = tv_row_begins(p->tasks, p->row);
	struct tv_mix_cell *cell = &p->cell[slot];

	if (!p->ended) {
		cell->amount += ns;
		cell->begun += begins;
	} else {
		cell->amount += p->time > 0 ? part_of(ns, p->time) : part_of(begins, 1);
	}
	if (!tv_meets_execution(&mix->met, p->tasks, slot, p->row))
		return;
	cell->all += p->time;
	cell->all_n++;
	if (p->outlier)
		return;
	cell->normal += p->time;
	cell->normal_n++;
}

/* A task of no duration is in the step that begins then, or in the last one. */
static void add_point(struct tv_mix *mix, const struct piece *p, int64_t at)
{
	const struct tv_slices *steps = &mix->steps;

	if (at < steps->begin || at > steps->end)
		return;
	add_to_slot(mix, p, TV_MIX_WHOLE, 0);
	add_to_slot(mix, p,
		    at < steps->end ? (uint32_t)tv_slices_at(steps, at) + 1 : mix->nslots - 1, 0);
}

static void add_span(struct tv_mix *mix, const struct piece *p, int64_t begin, int64_t end)
{
	const struct tv_slices *steps = &mix->steps;

	begin = begin > steps->begin ? begin : steps->begin;
	end = end < steps->end ? end : steps->end;
	if (begin >= end)
		return;
	add_to_slot(mix, p, TV_MIX_WHOLE, end - begin);
	for (uint32_t s = (uint32_t)tv_slices_at(steps, begin); begin < end; s++) {
		int64_t until = tv_slices_end(steps, s);

		until = until < end ? until : end;
		add_to_slot(mix, p, s + 1, until - begin);
		begin = until;
	}
}

static void add_row(struct tv_mix *mix, const struct tv_tasks *tasks,
		    const struct tv_column *outlier, uint32_t row)
{
	uint32_t worker = tasks->worker[row];
	struct tv_mix_type *type = type_of(mix, tasks->value[row]);
	struct piece p = {
		.tasks = tasks,
		.row = row,
		.time = tv_task_device_time(tasks, row),
		.ended = tv_task_ended(tasks, row),
		.outlier = !tv_missing(outlier, row) && tv_number(outlier, row) != 0,
	};

	p.cell = cells_of(mix, type, tasks->workers[worker].rtype, p.ended);
	if (tv_row_begins(tasks, row) && p.ended) {
		type->of_worker[worker].executions++;
		type->of_worker[worker].time += p.time;
	}
	if (tasks->start[row] == tasks->end[row])
		add_point(mix, &p, tasks->start[row]);
	else
		add_span(mix, &p, tasks->start[row], tasks->end[row]);
}

static int add_rows(void *state, struct tv_run *part, struct tv_error *err)
{
	const struct tv_tasks *tasks = tv_run_part(part);
	const struct tv_table *marks = tv_run_pass(part, "outliers", NULL, err);
	const struct tv_column *outlier;

	if (marks == NULL)
		return -1;
	outlier = tv_table_in_short(marks, "Outlier");
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row])
			add_row(state, tasks, outlier, row);
	return 0;
}

/* ---- several processes ---- */

/* The cells that any process has become the sums of all. */
static void share_cells(struct tv_mix *mix, struct tv_mix_type *type, uint32_t i,
			const struct tv_team *team)
{
	size_t n = mix->nslots;
	uint64_t any = type->cell[i] != NULL, *count;
	struct tv_mix_cell *cell;

	tv_team_add(team, &any, 1);
	if (any == 0)
		return;
	cell = cells_of(mix, type, i / 2, i % 2 != 0);
	tv_team_add_sums(team, &cell->amount, n, sizeof *cell);
	tv_team_add_sums(team, &cell->normal, n, sizeof *cell);
	tv_team_add_sums(team, &cell->all, n, sizeof *cell);
	count = tv_alloc(3 * n, sizeof *count);
	for (size_t k = 0; k < n; k++) {
		count[3 * k] = cell[k].normal_n;
		count[3 * k + 1] = cell[k].all_n;
		count[3 * k + 2] = cell[k].begun;
	}
	tv_team_add(team, count, 3 * n);
	for (size_t k = 0; k < n; k++) {
		cell[k].normal_n = (uint32_t)count[3 * k];
		cell[k].all_n = (uint32_t)count[3 * k + 1];
		cell[k].begun = (uint32_t)count[3 * k + 2];
	}
	tv_free(count);
}

static void share_type(struct tv_mix *mix, uint32_t label, const struct tv_team *team)
{
	struct tv_mix_type *type = type_of(mix, label);
	uint32_t nworkers = mix->tasks->nworkers;
	uint64_t *count = tv_alloc(nworkers, sizeof *count);

	for (uint32_t i = 0; i < 2 * mix->tasks->nrtypes; i++)
		share_cells(mix, type, i, team);
	for (uint32_t w = 0; w < nworkers; w++)
		count[w] = (uint64_t)type->of_worker[w].executions;
	tv_team_add(team, count, nworkers);
	for (uint32_t w = 0; w < nworkers; w++)
		type->of_worker[w].executions = (int64_t)count[w];
	if (nworkers > 0)
		tv_team_add_sums(team, &type->of_worker->time, nworkers, sizeof *type->of_worker);
	tv_free(count);
}

static void share(struct tv_mix *mix, const struct tv_team *team, struct tv_pool *pool)
{
	uint32_t *own = tv_alloc(mix->ntypes, sizeof *own), *label, n = mix->ntypes;

	for (uint32_t t = 0; t < n; t++)
		own[t] = mix->type[t].label;
	label = tv_team_labels(team, pool, own, &n);
	for (uint32_t t = 0; t < n; t++)
		share_type(mix, label[t], team);
	tv_free(own);
	tv_free(label);
}

/* ---- all rows ---- */

static int by_label(const void *a, const void *b, void *pool)
{
	const struct tv_mix_type *x = a, *y = b;

	return tv_label_order(pool, x->label, y->label);
}

int tv_mix_init(struct tv_mix *mix, struct tv_run *run, struct tv_slices steps, uint32_t nsteps,
		struct tv_error *err)
{
	*mix = (struct tv_mix){ .tasks = tv_run_part(run), .steps = steps, .nslots = nsteps + 1 };
	/* The thresholds first. */
	if (tv_run_pass(run, "outliers", NULL, err) == NULL
	    || tv_run_rows(run, add_rows, mix, err) < 0)
		return -1;
	if (run->team != NULL)
		share(mix, run->team, run->trace->pool);
	if (mix->ntypes > 1)
		qsort_r(mix->type, mix->ntypes, sizeof *mix->type, by_label, run->trace->pool);
	return 0;
}

void tv_mix_release(struct tv_mix *mix)
{
	for (uint32_t t = 0; t < mix->ntypes; t++) {
		for (uint32_t i = 0; i < 2 * mix->tasks->nrtypes; i++)
			tv_free(mix->type[t].cell[i]);
		tv_free(mix->type[t].cell);
		tv_free(mix->type[t].of_worker);
	}
	tv_free(mix->type);
	tv_free(mix->place.at);
	tv_map_release(&mix->met);
	*mix = (struct tv_mix){ 0 };
}

/* The executions of a type on a resource type. */
static struct tv_pair pair_of(const struct tv_mix *mix, uint32_t type, uint32_t rtype)
{
	const struct tv_tasks *tasks = mix->tasks;
	struct tv_pair pair = { 0 };

	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		const struct tv_pair *of = &mix->type[type].of_worker[w];

		if (tasks->workers[w].rtype != rtype)
			continue;
		pair.executions += of->executions;
		pair.time += of->time;
	}
	return pair;
}

/* ---- the area bound ---- */

/* w_vr, negative where no task of the type touches the slot there. Adds to the amount of those without end, which would take the mean
 * of those that ended; without any of these nothing is known. */
static double mean_in(const struct tv_mix *mix, uint32_t type, uint32_t rtype, uint32_t slot,
		      tv_int128 *amount, double *open_amount)
{
	struct tv_mix_cell *const *cell = &mix->type[type].cell[2 * (size_t)rtype];
	struct tv_mix_cell open = { 0 }, ended = { 0 };
	double mean = 0;

	if (cell[1] != NULL)
		ended = cell[1][slot];
	if (cell[0] != NULL && cell[0][slot].all_n > 0) {
		struct tv_pair pair = pair_of(mix, type, rtype);

		if (pair.executions > 0) {
			open = cell[0][slot];
			mean = tv_mean(&pair);
			*open_amount += mean > 0 ? (double)open.amount / mean : open.begun;
		}
	}
	*amount += ended.amount;
	if (ended.normal_n + open.normal_n > 0)
		return ((double)ended.normal + open.normal_n * mean)
		     / ((double)ended.normal_n + open.normal_n);
	if (ended.all_n + open.all_n > 0)
		return ((double)ended.all + open.all_n * mean) / ((double)ended.all_n + open.all_n);
	return -1;
}

/* Fills the program with the types that have work; false: one of them can run nowhere. */
static bool state_area(const struct tv_mix *mix, uint32_t slot, uint32_t fewer,
		       struct tv_area *area, double *count, double *time, double *workers)
{
	uint32_t n = 0, nrtypes = mix->tasks->nrtypes;

	for (uint32_t r = 0; r < nrtypes; r++)
		workers[r] = (double)mix->tasks->rtype[r].nworkers - (r == fewer);
	for (uint32_t t = 0; t < mix->ntypes; t++) {
		double *of = &time[(size_t)n * nrtypes], open = 0;
		tv_int128 amount = 0;
		bool runs = false;

		for (uint32_t r = 0; r < nrtypes; r++) {
			of[r] = mean_in(mix, t, r, slot, &amount, &open);
			runs = runs || (of[r] >= 0 && workers[r] > 0);
		}
		count[n] = ldexp((double)amount, -DIGITS) + open;
		if (!(count[n] > 0))
			continue;
		if (!runs)
			return false;
		n++;
	}
	*area = (struct tv_area){ n, nrtypes, count, time, workers };
	return true;
}

int tv_mix_area(const struct tv_mix *mix, uint32_t slot, uint32_t fewer, double *bound,
		struct tv_error *err)
{
	uint32_t nrtypes = mix->tasks->nrtypes;
	size_t cells = (size_t)mix->ntypes * nrtypes;
	double *count = tv_alloc(mix->ntypes, sizeof *count);
	double *time = tv_alloc(cells, sizeof *time), *ideal = tv_alloc(cells, sizeof *ideal);
	double *workers = tv_alloc(nrtypes, sizeof *workers);
	struct tv_area area;
	int rc = 0;

	*bound = INFINITY;
	if (state_area(mix, slot, fewer, &area, count, time, workers)) {
		*bound = 0;
		if (area.ntypes > 0)
			rc = tv_area_bound(&area, bound, ideal, err);
	}
	tv_free(count);
	tv_free(time);
	tv_free(ideal);
	tv_free(workers);
	return rc;
}

/* ---- the power of workers ---- */

static uint32_t longest_type(const struct tv_mix *mix)
{
	uint32_t best = TV_NONE;
	tv_int128 max = 0;

	for (uint32_t t = 0; t < mix->ntypes; t++) {
		tv_int128 sum = 0;
		bool everywhere = true;

		for (uint32_t r = 0; r < mix->tasks->nrtypes; r++) {
			tv_int128 time = pair_of(mix, t, r).time;

			sum += time;
			everywhere = everywhere && (time > 0 || mix->tasks->rtype[r].nworkers == 0);
		}
		if (everywhere && sum > max) {
			max = sum;
			best = t;
		}
	}
	return best;
}

uint32_t tv_mix_power_type(const struct tv_mix *mix, const char *name)
{
	if (name == NULL)
		return longest_type(mix);
	for (uint32_t t = 0; t < mix->ntypes; t++)
		if (mix->type[t].label != TV_NONE
		    && strcmp(tv_pool_text(mix->tasks->pool, mix->type[t].label), name) == 0)
			return t;
	return TV_NONE;
}

void tv_mix_power(const struct tv_mix *mix, uint32_t type, double *power, uint32_t *missing)
{
	const struct tv_tasks *tasks = mix->tasks;

	*missing = TV_NONE;
	for (uint32_t w = tasks->nworkers; w-- > 0;) {
		uint32_t rtype = tasks->workers[w].rtype;
		const struct tv_pair of_type = pair_of(mix, type, rtype);
		const struct tv_pair *own = &mix->type[type].of_worker[w];
		const struct tv_pair *pair = own->time > 0 ? own : &of_type;

		if (pair->time > 0)
			power[w] = 1 / tv_mean(pair);
		else
			*missing = rtype;
	}
}
