/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step_work.c -- work and speeds within a step: a sweep over the tasks by Start. */
#include "analysis/tasks/step_work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lp/area.h"
#include "trace/alloc.h"

/* Number and time of the executions of every type on every resource type. */
static void count_row(struct tv_mix *mix, uint32_t row)
{
	uint32_t rtype = mix->tasks->workers[mix->tasks->worker[row]].rtype;
	size_t type = mix->types.of_row[row];
	struct tv_pair *pair = &mix->pair[type * mix->nrtypes + rtype];

	if (!tv_row_begins(mix->tasks, row) || !tv_task_ended(mix->tasks, row))
		return;
	pair->executions++;
	pair->time += tv_task_device_time(mix->tasks, row);
}

void tv_mix_init(struct tv_mix *mix, const struct tv_tasks *tasks, const struct tv_column *outlier)
{
	uint32_t n = 0;

	*mix = (struct tv_mix){ .tasks = tasks, .outlier = outlier, .nrtypes = tasks->nrtypes };
	mix->order = tv_alloc(tasks->ncounted, sizeof *mix->order);
	mix->active = tv_alloc(tasks->ncounted, sizeof *mix->active);
	if (tasks->whole != NULL)
		mix->seen = tv_alloc(tasks->n, sizeof *mix->seen);
	mix->workers = tv_alloc(tasks->nrtypes, sizeof *mix->workers);
	tv_grouping_by_type(&mix->types, tasks);
	mix->ntypes = mix->types.n;
	mix->amount = tv_alloc(mix->ntypes, sizeof *mix->amount);
	mix->cell = tv_alloc((size_t)mix->ntypes * mix->nrtypes, sizeof *mix->cell);
	mix->pair = tv_alloc((size_t)mix->ntypes * mix->nrtypes, sizeof *mix->pair);
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row]) {
			count_row(mix, row);
			mix->order[n++] = row;
		}
	tv_sort_rows(tasks, mix->order, n);
	for (uint32_t r = 0; r < tasks->nrtypes; r++)
		mix->workers[r] = tasks->rtype[r].nworkers;
}

void tv_mix_release(struct tv_mix *mix)
{
	tv_grouping_release(&mix->types);
	tv_free(mix->order);
	tv_free(mix->active);
	tv_free(mix->seen);
	tv_free(mix->amount);
	tv_free(mix->cell);
	tv_free(mix->pair);
	tv_free(mix->workers);
	*mix = (struct tv_mix){ 0 };
}

void tv_mix_rewind(struct tv_mix *mix)
{
	mix->next = mix->nactive = 0;
}

static void add_row(struct tv_mix *mix, uint32_t row, int64_t begin, int64_t end)
{
	const struct tv_tasks *tasks = mix->tasks;
	int64_t from = tasks->start[row] > begin ? tasks->start[row] : begin;
	int64_t to = tasks->end[row] < end ? tasks->end[row] : end;
	uint32_t type = mix->types.of_row[row];
	uint32_t rtype = tasks->workers[tasks->worker[row]].rtype;
	size_t at = (size_t)type * mix->nrtypes + rtype;
	struct tv_mix_cell *cell = &mix->cell[at];
	double time = (double)tv_task_device_time(tasks, row);

	/* One without end would take the mean of those that ended; without any, nothing is known. */
	if (!tv_task_ended(tasks, row)) {
		if (mix->pair[at].executions == 0)
			return;
		time = tv_mean(&mix->pair[at]);
	}

	mix->amount[type] += time > 0 ? (double)(to - from) / time : tv_row_begins(tasks, row);
	if (mix->seen != NULL && mix->seen[tasks->whole[row]] == mix->nsteps)
		return;
	if (mix->seen != NULL)
		mix->seen[tasks->whole[row]] = mix->nsteps;
	cell->all += time;
	cell->all_n++;
	if (!tv_missing(mix->outlier, row) && mix->outlier->i[row] != 0)
		return;
	cell->normal += time;
	cell->normal_n++;
}

void tv_mix_of(struct tv_mix *mix, int64_t begin, int64_t end, bool last)
{
	const struct tv_tasks *tasks = mix->tasks;
	uint32_t kept = 0;

	mix->nsteps++;
	memset(mix->amount, 0, mix->ntypes * sizeof *mix->amount);
	memset(mix->cell, 0, (size_t)mix->ntypes * mix->nrtypes * sizeof *mix->cell);
	while (mix->next < tasks->ncounted
	       && (tasks->start[mix->order[mix->next]] < end
		   || (last && tasks->start[mix->order[mix->next]] == end)))
		mix->active[mix->nactive++] = mix->order[mix->next++];
	for (uint32_t i = 0; i < mix->nactive; i++) {
		uint32_t row = mix->active[i];
		bool point = tasks->start[row] == tasks->end[row];

		if (tasks->end[row] > begin || (point && tasks->end[row] == begin))
			if (point || tasks->start[row] < end)
				add_row(mix, row, begin, end);
		if (tasks->end[row] > end)
			mix->active[kept++] = row;
	}
	mix->nactive = kept;
}

/* w_vr, negative where no task of the type touches the step there. */
static double mean_of(const struct tv_mix_cell *cell)
{
	return cell->normal_n > 0 ? cell->normal / cell->normal_n
	     : cell->all_n > 0	  ? cell->all / cell->all_n
				  : -1;
}

/* Fills the program with the types that have work; false: one of them can run nowhere. */
static bool state_area(const struct tv_mix *mix, uint32_t fewer, struct tv_area *area,
		       double *count, double *time, double *workers)
{
	uint32_t n = 0;

	for (uint32_t r = 0; r < mix->nrtypes; r++)
		workers[r] = (double)(mix->workers[r] - (r == fewer));
	for (uint32_t t = 0; t < mix->ntypes; t++) {
		bool runs = false;

		if (!(mix->amount[t] > 0))
			continue;
		count[n] = mix->amount[t];
		for (uint32_t r = 0; r < mix->nrtypes; r++) {
			double mean = mean_of(&mix->cell[(size_t)t * mix->nrtypes + r]);

			time[(size_t)n * mix->nrtypes + r] = mean;
			runs = runs || (mean >= 0 && workers[r] > 0);
		}
		if (!runs)
			return false;
		n++;
	}
	*area = (struct tv_area){ n, mix->nrtypes, count, time, workers };
	return true;
}

int tv_mix_area(const struct tv_mix *mix, uint32_t fewer, double *bound, struct tv_error *err)
{
	size_t cells = (size_t)mix->ntypes * mix->nrtypes;
	double *count = tv_alloc(mix->ntypes, sizeof *count);
	double *time = tv_alloc(cells, sizeof *time), *ideal = tv_alloc(cells, sizeof *ideal);
	double *workers = tv_alloc(mix->nrtypes, sizeof *workers);
	struct tv_area area;
	int rc = 0;

	*bound = INFINITY;
	if (state_area(mix, fewer, &area, count, time, workers)) {
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

static uint32_t longest_type(const struct tv_mix *mix)
{
	uint32_t best = TV_NONE;
	tv_int128 max = 0;

	for (uint32_t t = 0; t < mix->ntypes; t++) {
		tv_int128 sum = 0;
		bool everywhere = true;

		for (uint32_t r = 0; r < mix->nrtypes; r++) {
			const struct tv_pair *p = &mix->pair[(size_t)t * mix->nrtypes + r];

			sum += p->time;
			everywhere = everywhere && (p->time > 0 || mix->workers[r] == 0);
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
		if (strcmp(tv_pool_text(mix->tasks->pool, tv_grouping_label(&mix->types, t)), name)
		    == 0)
			return t;
	return TV_NONE;
}

void tv_mix_power(const struct tv_mix *mix, uint32_t type, double *power, uint32_t *missing)
{
	const struct tv_tasks *tasks = mix->tasks;
	struct tv_pair *its = tv_alloc(tasks->nworkers, sizeof *its);

	*missing = TV_NONE;
	for (uint32_t i = 0; i < tasks->ncounted; i++) {
		uint32_t row = mix->order[i];

		if (mix->types.of_row[row] != type || !tv_row_begins(tasks, row)
		    || !tv_task_ended(tasks, row))
			continue;
		its[tasks->worker[row]].executions++;
		its[tasks->worker[row]].time += tv_task_device_time(tasks, row);
	}
	for (uint32_t w = tasks->nworkers; w-- > 0;) {
		uint32_t rtype = tasks->workers[w].rtype;
		const struct tv_pair *of_type = &mix->pair[(size_t)type * mix->nrtypes + rtype];
		const struct tv_pair *pair = its[w].time > 0 ? &its[w] : of_type;

		if (pair->time > 0)
			power[w] = 1 / tv_mean(pair);
		else
			*missing = rtype;
	}
	tv_free(its);
}
