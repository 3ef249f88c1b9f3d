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

/* Parts come by Start: what begins before the end of those before lies within them up to there. */
struct adding {
	struct tv_load *load;
	struct tv_span *
		covered; /* by worker: from the first counted task of this process to the last end */
};

static void add_worker(struct adding *to, uint32_t w, struct tv_span *span, uint32_t n)
{
	struct tv_span *covered = &to->covered[w], rest = { covered->end, to->load->steps.end };

	n = rest.begin < rest.end ? tv_spans_merge(span, n, rest) : 0;
	for (uint32_t i = 0; i < n; i++)
		add_span(to->load, w, span[i]);
	if (n > 0) {
		covered->begin = span[0].begin < covered->begin ? span[0].begin : covered->begin;
		covered->end = span[n - 1].end;
	}
}

static int add_rows(void *state, struct tv_run *part, struct tv_error *err)
{
	const struct tv_tasks *tasks = tv_run_part(part);
	struct tv_span *span = tv_alloc(tasks->ncounted, sizeof *span);
	struct tv_groups rows;

	(void)err;
	tv_tasks_by_worker(tasks, tasks->counted, &rows);
	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		uint32_t n = 0;

		for (uint32_t i = rows.first[w]; i < rows.first[w + 1]; i++)
			span[n++] = (struct tv_span){ tasks->start[rows.row[i]],
						      tasks->end[rows.row[i]] };
		add_worker(state, w, span, n);
	}
	tv_groups_release(&rows);
	tv_free(span);
	return 0;
}

static void begin_rows(struct adding *to)
{
	for (uint32_t w = 0; w < to->load->nworkers; w++)
		to->covered[w] = (struct tv_span){ INT64_MAX, to->load->steps.begin };
}

/* Of several processes, each begins behind what those before it cover. Whether some worker then has less than was added. */
static bool begin_behind(struct adding *to, const struct tv_team *team)
{
	struct tv_parcel pack = { 0 };
	uint32_t n = to->load->nworkers;
	struct tv_span *until = tv_alloc(n, sizeof *until);
	struct tv_gathered all;
	bool twice = false;

	tv_pack_bytes(&pack, to->covered, n * sizeof *to->covered);
	all = tv_team_gather(team, &pack);
	begin_rows(to);
	memcpy(until, to->covered, n * sizeof *until);
	for (uint32_t rank = 0; rank < all.n; rank++) {
		struct tv_unpack from = tv_gathered_of(&all, rank);

		for (uint32_t w = 0; w < n; w++) {
			struct tv_span later;

			if (rank == team->rank)
				to->covered[w].end = until[w].end;
			tv_unpack_bytes(&from, &later, sizeof later);
			twice |= later.begin < until[w].end;
			until[w].end = later.end > until[w].end ? later.end : until[w].end;
		}
	}
	tv_gathered_release(&all);
	tv_free(until);
	return twice;
}

static int add_all_rows(struct adding *to, struct tv_run *run, struct tv_error *err)
{
	size_t n = (size_t)to->load->nsteps * to->load->nworkers;
	int rc;

	begin_rows(to);
	rc = tv_run_rows(run, add_rows, to, err);
	if (rc < 0 || run->team == NULL)
		return rc;
	if (begin_behind(to, run->team)) {
		memset(to->load->busy, 0, n * sizeof *to->load->busy);
		rc = tv_run_rows(run, add_rows, to, err);
	}
	if (rc == 0)
		tv_team_add(run->team, (uint64_t *)to->load->busy, n);
	return rc;
}

int tv_load_init(struct tv_load *load, struct tv_run *run, const char *step, struct tv_error *err)
{
	struct adding adding = { .load = load };
	int rc;

	*load = (struct tv_load){ .nworkers = tv_run_part(run)->nworkers };
	if (tv_load_steps(run, step, load->nworkers, &load->steps, &load->nsteps, err) < 0)
		return -1;
	load->busy = tv_alloc((size_t)load->nsteps * load->nworkers, sizeof *load->busy);
	adding.covered = tv_alloc(load->nworkers, sizeof *adding.covered);
	rc = add_all_rows(&adding, run, err);
	tv_free(adding.covered);
	if (rc < 0)
		tv_load_release(load);
	return rc;
}

void tv_load_release(struct tv_load *load)
{
	tv_free(load->busy);
	*load = (struct tv_load){ 0 };
}
