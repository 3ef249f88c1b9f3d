/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load.c -- busy time of each worker by step. */
#include "analysis/tasks/load.h"

#include <string.h>

#include "analysis/core/curves.h"
#include "analysis/core/spans.h"
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

/* Adds a span that lies within the range to the steps that it touches. */
static void add_span(struct tv_load *load, uint32_t worker, struct tv_span span)
{
	for (uint64_t s = tv_slices_at(&load->steps, span.begin); span.begin < span.end; s++) {
		int64_t end = tv_slices_end(&load->steps, s);

		end = end < span.end ? end : span.end;
		load->busy[s * load->nworkers + worker] += end - span.begin;
		span.begin = end;
	}
}

static void add_workers(struct tv_load *load, const struct tv_tasks *tasks,
			const struct tv_groups *rows, struct tv_span *span)
{
	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		uint32_t n = 0;

		for (uint32_t i = rows->first[w]; i < rows->first[w + 1]; i++)
			span[n++] = (struct tv_span){ tasks->start[rows->row[i]],
						      tasks->end[rows->row[i]] };
		n = tv_spans_merge(span, n, (struct tv_span){ load->steps.begin, load->steps.end });
		for (uint32_t i = 0; i < n; i++)
			add_span(load, w, span[i]);
	}
}

int tv_load_init(struct tv_load *load, const struct tv_run *run, const char *step,
		 struct tv_error *err)
{
	const struct tv_tasks *tasks = tv_run_part(run);
	struct tv_span *span;
	struct tv_groups rows;

	*load = (struct tv_load){ .nworkers = tasks->nworkers };
	if (tv_load_steps(run, step, load->nworkers, &load->steps, &load->nsteps, err) < 0)
		return -1;
	load->busy = tv_alloc((size_t)load->nsteps * load->nworkers, sizeof *load->busy);
	span = tv_alloc(tasks->ncounted, sizeof *span);
	tv_tasks_by_worker(tasks, tasks->counted, &rows);
	add_workers(load, tasks, &rows, span);
	tv_free(span);
	tv_groups_release(&rows);
	return 0;
}

void tv_load_release(struct tv_load *load)
{
	tv_free(load->busy);
	*load = (struct tv_load){ 0 };
}
