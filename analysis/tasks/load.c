/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load.c -- busy time of each worker by step. */
#include "analysis/tasks/load.h"

#include <string.h>

#include "analysis/core/covered.h"
#include "analysis/core/curves.h"
#include "trace/alloc.h"

int tv_load_steps(const struct tv_run *run, const char *step, uint32_t nrows,
		  struct tv_slices *steps, uint32_t *nsteps, struct tv_error *err)
{
	uint64_t n;

	*steps = (struct tv_slices){ 0 };
	if (tv_run_interval(run, &steps->begin, &steps->end, err) < 0)
		return -1;
	if (strcmp(step, "auto") == 0)
		steps->step_ns = (int64_t)(((uint64_t)(steps->end - steps->begin) + 99) / 100);
	else if (strcmp(step, "run") != 0)
		steps->step_ns = tv_value_time(step, 0);
	n = tv_slices_count(steps);
	if (nrows > 0 && n > TV_ROWS_MAX / nrows)
		return tv_fail_usage(err,
				     "--step %s gives %llu steps of %lu rows, which is too "
				     "many",
				     step, (unsigned long long)n, (unsigned long)nrows);
	*nsteps = (uint32_t)n;
	return 0;
}

struct adding {
	struct tv_load *load;
	struct tv_covered covered; /* by worker */
};

/* Adds what nothing before has covered of a span to the steps that it touches. */
static void add_span(struct adding *to, uint32_t worker, int64_t begin, int64_t end)
{
	struct tv_load *load = to->load;

	begin = tv_covered_add(&to->covered, worker, begin, end);
	for (uint64_t s = begin < end ? tv_slices_at(&load->steps, begin) : 0; begin < end; s++) {
		int64_t until = tv_slices_end(&load->steps, s);

		until = until < end ? until : end;
		load->busy[s * load->nworkers + worker] += until - begin;
		begin = until;
	}
}

static int add_rows(void *state, struct tv_run *part, struct tv_error *err)
{
	const struct tv_tasks *tasks = tv_run_part(part);
	struct adding *to = state;
	const struct tv_slices *steps = &to->load->steps;
	struct tv_groups rows;

	(void)err;
	tv_tasks_by_start(tasks, tasks->counted, &rows);
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		for (uint32_t i = rows.first[w]; i < rows.first[w + 1]; i++) {
			int64_t begin = tasks->start[rows.row[i]], end = tasks->end[rows.row[i]];

			begin = begin > steps->begin ? begin : steps->begin;
			end = end < steps->end ? end : steps->end;
			if (begin < end)
				add_span(to, w, begin, end);
		}
	tv_groups_release(&rows);
	return 0;
}

static size_t cells_of(const struct tv_load *load)
{
	return (size_t)load->nsteps * load->nworkers;
}

static void clear(void *state)
{
	const struct adding *to = state;

	memset(to->load->busy, 0, cells_of(to->load) * sizeof *to->load->busy);
}

int tv_load_init(struct tv_load *load, struct tv_run *run, const char *step, struct tv_error *err)
{
	struct adding adding = { .load = load };
	int rc;

	*load = (struct tv_load){ .nworkers = tv_run_part(run)->nworkers };
	if (tv_load_steps(run, step, load->nworkers, &load->steps, &load->nsteps, err) < 0)
		return -1;
	load->busy = tv_alloc(cells_of(load), sizeof *load->busy);
	tv_covered_init(&adding.covered, load->nworkers, load->steps.begin);
	rc = tv_covered_run(&adding.covered, run, add_rows, clear, &adding, err);
	tv_covered_release(&adding.covered);
	if (rc == 0)
		tv_team_add(run->team, (uint64_t *)load->busy, cells_of(load));
	else
		tv_load_release(load);
	return rc;
}

void tv_load_release(struct tv_load *load)
{
	tv_free(load->busy);
	*load = (struct tv_load){ 0 };
}
