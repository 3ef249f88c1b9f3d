/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shifts.c -- two runs of one task graph, task by task. */
#include "analysis/compare/shifts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/text.h"

static int by_start(const void *a, const void *b)
{
	const struct tv_shift *x = a, *y = b;

	for (int i = 0; i < 2; i++)
		if (x->start[i] != y->start[i])
			return x->start[i] < y->start[i] ? -1 : 1;
	return (x->node[0] > y->node[0]) - (x->node[0] < y->node[0]);
}

static int by_size(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static const char *rtype_of(const struct tv_dag *dag, uint32_t node)
{
	const struct tv_tasks *tasks = dag->tasks;

	return tv_pool_text(
		tasks->pool,
		tasks->rtype[tasks->workers[tasks->worker[dag->row[node]]].rtype].label);
}

static void list_shifts(struct tv_shifts *s)
{
	const struct tv_match *match = &s->match;

	s->shift = tv_alloc(match->nmatched, sizeof *s->shift);
	for (uint32_t v = 0; v < match->dag[0]->n; v++) {
		struct tv_shift *shift = &s->shift[s->n];

		if (match->partner[v] == TV_NONE)
			continue;
		*shift = (struct tv_shift){ .node = { v, match->partner[v] } };
		for (int i = 0; i < 2; i++) {
			const struct tv_dag *dag = match->dag[i];

			shift->start[i] = dag->start[shift->node[i]] - dag->tasks->begin;
			shift->end[i] = dag->end[shift->node[i]] - dag->tasks->begin;
		}
		shift->moved = strcmp(rtype_of(match->dag[0], shift->node[0]),
				      rtype_of(match->dag[1], shift->node[1]))
			    != 0;
		s->n++;
	}
	if (s->n > 0)
		qsort(s->shift, s->n, sizeof *s->shift, by_start);
}

static void list_lags(struct tv_shifts *s)
{
	int64_t *end = tv_alloc(s->n, sizeof *end);

	s->lag = tv_alloc(s->n, sizeof *s->lag);
	for (int run = 0; run < 2; run++) {
		for (uint32_t i = 0; i < s->n; i++)
			end[i] = s->shift[i].end[run];
		if (s->n > 0)
			qsort(end, s->n, sizeof *end, by_size);
		for (uint32_t i = 0; i < s->n; i++)
			s->lag[i].time[run] = end[i];
	}
	tv_free(end);
}

static int by_names(const void *a, const void *b)
{
	const struct tv_transfer *x = a, *y = b;
	int order = tv_natural_order(x->value, y->value);

	order = order != 0 ? order : tv_natural_order(x->from, y->from);
	return order != 0 ? order : tv_natural_order(x->to, y->to);
}

static int by_number(const void *a, const void *b)
{
	const struct tv_transfer *x = a, *y = b;

	return x->n != y->n ? (x->n < y->n ? 1 : -1) : by_names(a, b);
}

static void list_transfers(struct tv_shifts *s)
{
	const struct tv_dag *dag = s->match.dag[0];
	uint32_t n = 0;

	s->transfer = tv_alloc(s->n, sizeof *s->transfer);
	for (uint32_t i = 0; i < s->n; i++) {
		const uint32_t *node = s->shift[i].node;

		if (s->shift[i].moved)
			s->transfer[n++] = (struct tv_transfer){
				tv_pool_text(dag->tasks->pool,
					     dag->tasks->value[dag->row[node[0]]]),
				rtype_of(dag, node[0]),
				rtype_of(s->match.dag[1], node[1]),
				1,
			};
	}
	if (n > 0)
		qsort(s->transfer, n, sizeof *s->transfer, by_names);
	for (uint32_t i = 0; i < n; i++) {
		struct tv_transfer *next = s->transfer + s->ntransfers;

		if (s->ntransfers > 0 && by_names(&next[-1], &s->transfer[i]) == 0)
			next[-1].n++;
		else
			s->transfer[s->ntransfers++] = s->transfer[i];
	}
	if (s->ntransfers > 0)
		qsort(s->transfer, s->ntransfers, sizeof *s->transfer, by_number);
}

/* ---- work ---- */

static int by_time(const void *a, const void *b)
{
	const struct tv_work_done *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

/* One entry for each counted execution of a run: whole flops, so that sums do not depend on the
 * order. */
static uint32_t add_work(struct tv_work_done *done, const struct tv_run *run, int side,
			 const struct tv_column *gflop)
{
	const struct tv_tasks *tasks = &run->tasks;
	uint32_t n = 0;

	for (uint32_t row = 0; row < tasks->n; row++) {
		int64_t team = tasks->team == NULL || tv_missing(tasks->team, row)
				     ? 1
				     : tasks->team->i[row];

		if (!tasks->counted[row])
			continue;
		done[n] = (struct tv_work_done){ .time = tasks->end[row] - tasks->begin };
		if (!tv_missing(gflop, row))
			done[n].flop[side] = round(gflop->d[row] * 1e9
						   / (double)(team > 1 ? team : 1));
		n++;
	}
	return n;
}

static void list_work(struct tv_shifts *s, struct tv_run *const run[2])
{
	const struct tv_column *gflop[2];
	uint32_t n = 0;

	for (int i = 0; i < 2; i++) {
		gflop[i] = tv_table_find(&run[i]->trace->table[TV_TASKS], "GFlop");
		if (gflop[i] == NULL || gflop[i]->type != TV_DOUBLE)
			return;
	}
	s->done = tv_alloc((size_t)run[0]->tasks.ncounted + run[1]->tasks.ncounted,
			   sizeof *s->done);
	for (int i = 0; i < 2; i++)
		n += add_work(s->done + n, run[i], i, gflop[i]);
	if (n > 0)
		qsort(s->done, n, sizeof *s->done, by_time);
	for (uint32_t i = 0; i < n; i++) {
		const struct tv_work_done next = s->done[i];
		struct tv_work_done *last = s->done + s->ndone;

		if (s->ndone > 0 && last[-1].time == next.time) {
			last--;
		} else {
			*last = s->ndone > 0 ? last[-1] : (struct tv_work_done){ 0 };
			last->time = next.time;
			s->ndone++;
		}
		for (int k = 0; k < 2; k++)
			last->flop[k] += next.flop[k];
	}
}

int tv_shifts_init(struct tv_shifts *s, struct tv_run *const run[2], struct tv_error *err)
{
	*s = (struct tv_shifts){ 0 };
	if (tv_match_init(&s->match, run, err) < 0)
		return -1;
	list_shifts(s);
	list_lags(s);
	list_transfers(s);
	list_work(s, run);
	return 0;
}

void tv_shifts_release(struct tv_shifts *s)
{
	tv_match_release(&s->match);
	tv_free(s->shift);
	tv_free(s->lag);
	tv_free(s->transfer);
	tv_free(s->done);
	*s = (struct tv_shifts){ 0 };
}
