/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slice_sums.c -- executions by Start, clipped to slices. */
#include "analysis/tasks/slice_sums.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/core/grouping.h"
#include "analysis/tasks/executions.h"
#include "trace/alloc.h"
#include "trace/sorted.h"
#include "trace/text.h"

enum { BUSY, COVERED };

static bool are_together(const struct tv_tasks *tasks, uint32_t a, uint32_t b)
{
	return tasks->workers[a].node == tasks->workers[b].node
	    && tasks->workers[a].rtype == tasks->workers[b].rtype;
}

static void clear(void *state)
{
	struct tv_slice_sums *s = state;
	size_t cells = s->ngroups * s->n;

	for (uint32_t t = 0; t < s->ntypes; t++)
		memset(s->of[t].share, 0, cells * sizeof *s->of[t].share);
	memset(s->busy, 0, cells * sizeof *s->busy);
	memset(s->covered, 0, cells * sizeof *s->covered);
}

void tv_slice_sums_init(struct tv_slice_sums *s, const struct tv_tasks *tasks, struct tv_slices in,
			uint32_t first, bool by_type, bool every)
{
	uint32_t n = tasks->nworkers - first;

	*s = (struct tv_slice_sums){ .in = in, .n = tv_slices_count(&in), .first = first };
	s->group = tv_alloc(n, sizeof *s->group);
	for (s->last = first; s->last < tasks->nworkers; s->last++) {
		bool begins = s->last == first || !by_type
			   || !are_together(tasks, s->last - 1, s->last);

		if (begins && s->ngroups == 1 && !every)
			break;
		s->ngroups += begins;
		s->group[s->last - first] = s->ngroups - 1;
	}
	n = s->last - first;
	s->busy = tv_alloc(s->ngroups * s->n, sizeof *s->busy);
	s->covered = tv_alloc(s->ngroups * s->n, sizeof *s->covered);
	tv_covered_init(&s->until, 2 * (size_t)n, in.begin);
}

void tv_slice_sums_release(struct tv_slice_sums *s)
{
	for (uint32_t t = 0; t < s->ntypes; t++)
		tv_free(s->of[t].share);
	tv_free(s->of);
	tv_free(s->type);
	tv_free(s->group);
	tv_free(s->busy);
	tv_free(s->covered);
	tv_covered_release(&s->until);
	tv_map_release(&s->place);
	tv_map_release(&s->met);
	*s = (struct tv_slice_sums){ 0 };
}

/* The shares of the tasks of a type. */
static struct tv_slice_share *shares_of(struct tv_slice_sums *s, uint32_t label)
{
	uint32_t *at = tv_map_at(&s->place, label, 0);

	if (*at == TV_NONE) {
		*at = s->ntypes;
		TV_GROW(s->of, s->ntypes, s->cap, 1);
		s->of[s->ntypes++] = (struct tv_slice_type){
			label, tv_alloc(s->ngroups * s->n, sizeof(struct tv_slice_share))
		};
	}
	return s->of[*at].share;
}

/* ---- the executions of a part ---- */

/* The part of a span in slice i, the first at or after *at: *at becomes its end. */
static int64_t next_piece(const struct tv_slice_sums *s, uint64_t i, int64_t *at, int64_t end)
{
	int64_t begin = *at, slice = tv_slices_end(&s->in, i);

	*at = slice < end ? slice : end;
	return *at - begin;
}

/* Adds what nothing before has covered of the span of an execution. */
static void cover(struct tv_slice_sums *s, int kind, uint32_t worker, int64_t begin, int64_t end)
{
	tv_int128 *sum = kind == BUSY ? s->busy : s->covered;
	size_t nworkers = s->last - s->first;

	sum += s->group[worker - s->first] * s->n;
	begin = tv_covered_add(&s->until, (size_t)kind * nworkers + worker - s->first, begin, end);
	for (uint64_t i = begin < end ? tv_slices_at(&s->in, begin) : 0; begin < end; i++)
		sum[i] += next_piece(s, i, &begin, end);
}

static void add_task(struct tv_slice_sums *s, const struct tv_tasks *tasks, uint32_t row,
		     int64_t begin, int64_t end)
{
	uint64_t first = s->group[tasks->worker[row] - s->first] * s->n;
	struct tv_slice_share *share = shares_of(s, tasks->value[row]) + first;

	for (uint64_t i = tv_slices_at(&s->in, begin); begin < end; i++) {
		share[i].time += next_piece(s, i, &begin, end);
		share[i].ntasks += tv_meets_execution(&s->met, tasks, first + i, row);
	}
}

static void add_executions(struct tv_slice_sums *s, const struct tv_tasks *tasks,
			   const struct tv_groups *rows)
{
	for (uint32_t i = rows->first[s->first]; i < rows->first[s->last]; i++) {
		uint32_t row = rows->row[i], w = tasks->worker[row];
		int64_t begin = tasks->start[row], end = tasks->end[row];

		begin = begin > s->in.begin ? begin : s->in.begin;
		end = end < s->in.end ? end : s->in.end;
		if (begin >= end)
			continue;
		cover(s, COVERED, w, begin, end);
		if (!tasks->counted[row])
			continue;
		cover(s, BUSY, w, begin, end);
		add_task(s, tasks, row, begin, end);
	}
}

static int add_rows(void *state, struct tv_run *part, struct tv_error *err)
{
	const struct tv_tasks *tasks = tv_run_part(part);
	struct tv_groups rows;

	(void)err;
	tv_tasks_by_start(tasks, tasks->executed, &rows);
	add_executions(state, tasks, &rows);
	tv_groups_release(&rows);
	return 0;
}

/* ---- several processes ---- */

static void merge_type(struct tv_slice_sums *s, const struct tv_team *team, uint32_t label)
{
	struct tv_slice_share *share = shares_of(s, label);
	size_t cells = s->ngroups * s->n;
	uint64_t *tasks = tv_alloc(cells, sizeof *tasks);

	for (size_t i = 0; i < cells; i++)
		tasks[i] = share[i].ntasks;
	tv_team_add(team, tasks, cells);
	for (size_t i = 0; i < cells; i++)
		share[i].ntasks = (uint32_t)tasks[i];
	tv_team_add_sums(team, &share->time, cells, sizeof *share);
	tv_free(tasks);
}

static void merge(struct tv_slice_sums *s, const struct tv_team *team, struct tv_pool *pool)
{
	uint32_t *own = tv_alloc(s->ntypes, sizeof *own), *label, n = s->ntypes;

	for (uint32_t t = 0; t < n; t++)
		own[t] = s->of[t].label;
	label = tv_team_labels(team, pool, own, &n);
	for (uint32_t t = 0; t < n; t++)
		merge_type(s, team, label[t]);
	tv_team_add_sums(team, s->busy, s->ngroups * s->n, sizeof *s->busy);
	tv_team_add_sums(team, s->covered, s->ngroups * s->n, sizeof *s->covered);
	tv_free(own);
	tv_free(label);
}

/* ---- all rows ---- */

static int by_name(const void *a, const void *b, void *pool)
{
	const struct tv_slice_type *x = a, *y = b;

	return tv_label_order(pool, x->label, y->label);
}

int tv_slice_sums_add(struct tv_slice_sums *s, struct tv_run *run, const struct tv_groups *rows,
		      struct tv_error *err)
{
	int rc = 0;

	if (rows != NULL)
		add_executions(s, tv_run_part(run), rows);
	else
		rc = tv_covered_run(&s->until, run, add_rows, clear, s, err);
	if (rc < 0)
		return -1;
	if (run->team != NULL)
		merge(s, run->team, run->trace->pool);
	if (s->ntypes > 1)
		qsort_r(s->of, s->ntypes, sizeof *s->of, by_name, run->trace->pool);
	s->type = tv_alloc(s->ntypes, sizeof *s->type);
	for (uint32_t t = 0; t < s->ntypes; t++)
		s->type[t] = s->of[t].label;
	return 0;
}

void tv_slice_sums_shares(const struct tv_slice_sums *s, uint32_t group, uint64_t slice,
			  struct tv_slice_share *share)
{
	for (uint32_t t = 0; t < s->ntypes; t++)
		share[t] = s->of[t].share[group * s->n + slice];
}
