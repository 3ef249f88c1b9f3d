/* SPDX-License-Identifier: GPL-3.0-or-later */
/* places.c -- what the place of long tasks says of their work: the first ones of a worker, the same ones of each iteration. */
#include <math.h>
#include <stdlib.h>

#include "analysis/core/slow_times.h"
#include "analysis/core/statistics.h"
#include "analysis/diagnose/judged.h"
#include "analysis/tasks/phase_list.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/sorted.h"

/* ---- first tasks ---- */

/* The tasks of a type on a worker: the first one, the second, how many. */
struct first {
	uint32_t row, second, n;
};

/* Those of all workers, a new array of *n. */
static struct first *list_first(const struct tv_tasks *tasks, uint32_t *n)
{
	struct tv_map place = { 0 };
	struct first *first = NULL;
	size_t count = 0, cap = 0;

	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t *at;

		if (!tv_evidence_whole(tasks, row))
			continue;
		at = tv_map_at(&place, tasks->value[row], tasks->worker[row]);
		if (*at == TV_NONE) {
			TV_GROW(first, count, cap, 1);
			first[count] = (struct first){ .row = row, .second = TV_NONE };
			*at = (uint32_t)count++;
		}
		first[*at].n++;
		if (tasks->start[row] < tasks->start[first[*at].row]) {
			first[*at].second = first[*at].row;
			first[*at].row = row;
		} else if (row != first[*at].row
			   && (first[*at].second == TV_NONE
			       || tasks->start[row] < tasks->start[first[*at].second])) {
			first[*at].second = row;
		}
	}
	tv_map_release(&place);
	*n = (uint32_t)count;
	return first;
}

/* Or in a disturbance, if it takes a quarter longer than the others: what is slow at the same time are first tasks. */
static bool is_late(const struct tv_evidence *e, uint32_t row, const struct tv_rest *rest)
{
	uint8_t class = e->class[row];

	return (tv_evidence_long(class) && class != TV_MORE_WORK)
	    || (class == TV_LATENESS_DISTURBANCE
		&& (double)tv_task_time(e->tasks, row) * rest->n >= 1.25 * rest->time);
}

void tv_judge_first(struct tv_evidence *e)
{
	uint32_t n;
	struct first *first = list_first(e->tasks, &n);

	for (int pass = 0; pass < 2; pass++)
		for (uint32_t i = 0; i < n; i++) {
			uint32_t row = first[i].row,
				 *at = tv_map_get(&e->pair, e->tasks->value[row],
						  tv_evidence_rtype(e->tasks, row));
			struct tv_rest *rest = at == NULL ? NULL : &e->rest[*at];

			if (rest == NULL || first[i].n < TV_EVIDENCE_MIN)
				continue;
			if (pass == 0) {
				rest->workers++;
				rest->late += is_late(e, row, rest);
				rest->still += is_late(e, first[i].second, rest);
			} else if (is_late(e, row, rest) && rest->late > 1
				   && 2 * rest->late >= rest->workers
				   && 2 * rest->still <= rest->late && tv_evidence_even(rest)) {
				e->class[row] = TV_WARM_UP;
			}
		}
	tv_free(first);
}

/* Of the workers of a type: those with three tasks; whose first one is slow; other tasks that are. */
struct slow_first {
	uint32_t workers, slow, others;
};

/* The first task of each worker with three; TV_NONE of others. Free with tv_free. */
static uint32_t *first_of_workers(const struct tv_tasks *tasks)
{
	uint32_t count, *of = tv_alloc(tasks->nworkers, sizeof *of);
	uint32_t *n = tv_alloc(tasks->nworkers, sizeof *n);
	struct first *first = list_first(tasks, &count);

	for (uint32_t w = 0; w < tasks->nworkers; w++)
		of[w] = TV_NONE;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t row = first[i].row, w = tasks->worker[row];

		n[w] += first[i].n;
		if (of[w] == TV_NONE || tasks->start[row] < tasks->start[of[w]])
			of[w] = row;
	}
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		if (n[w] < TV_EVIDENCE_MIN)
			of[w] = TV_NONE;
	tv_free(first);
	tv_free(n);
	return of;
}

int tv_judge_first_of_workers(struct tv_evidence *e, struct tv_run *run, struct tv_error *err)
{
	const double *relative = tv_relative_durations(run, err), slow = 3;
	const struct tv_tasks *tasks = e->tasks;
	struct slow_first *of;
	uint32_t *first;

	if (relative == NULL)
		return -1;
	first = first_of_workers(tasks);
	of = tv_alloc(tasks->nrtypes, sizeof *of);
	for (uint32_t row = 0; row < tasks->n; row++) {
		struct slow_first *its;
		bool is;

		if (!tv_evidence_whole(tasks, row))
			continue;
		its = &of[tv_evidence_rtype(tasks, row)];
		is = relative[row] >= slow && e->class[row] != TV_MORE_WORK;
		its->workers += first[tasks->worker[row]] == row;
		its->slow += is && first[tasks->worker[row]] == row;
		its->others += is && first[tasks->worker[row]] != row;
	}
	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		const struct slow_first *its = &of[tasks->workers[w].rtype];
		uint32_t row = first[w];

		if (row != TV_NONE && relative[row] >= slow && e->class[row] != TV_MORE_WORK
		    && its->slow >= TV_EVIDENCE_MIN && 5 * its->slow >= 4 * its->workers
		    && 10 * its->others <= its->slow)
			e->class[row] = TV_WARM_UP;
	}
	tv_free(first);
	tv_free(of);
	return 0;
}

/* By task type and type of workers: what tasks take that are not the first ones of their worker, ns. */
struct later {
	struct tv_map place;
	uint32_t n;
	double *median; /* 0 = there are none */
};

static struct later list_later(const struct tv_tasks *tasks, const bool *is_first)
{
	struct later later = { 0 };
	uint32_t *of = tv_alloc(tasks->n, sizeof *of);
	struct tv_groups rows;
	int64_t *time;

	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t *at;

		of[row] = TV_NONE;
		if (!tv_evidence_whole(tasks, row))
			continue;
		at = tv_map_at(&later.place, tasks->value[row], tv_evidence_rtype(tasks, row));
		*at = *at == TV_NONE ? later.n++ : *at;
		of[row] = is_first[row] ? TV_NONE : *at;
	}
	tv_groups_init(&rows, of, tasks->n, later.n);
	time = tv_alloc(tv_groups_max(&rows), sizeof *time);
	later.median = tv_alloc(later.n, sizeof *later.median);
	for (uint32_t k = 0; k < later.n; k++) {
		uint32_t n = rows.first[k + 1] - rows.first[k];

		for (uint32_t i = 0; i < n; i++)
			time[i] = tv_task_time(tasks, rows.row[rows.first[k] + i]);
		tv_sort_times(time, n);
		later.median[k] = n == 0 ? 0 : (double)tv_median_int64(time, n);
	}
	tv_groups_release(&rows);
	tv_free(of);
	tv_free(time);
	return later;
}

/* How often a task takes the median of those of its type that are not the first ones of a worker. */
static double beyond(const struct tv_tasks *tasks, const struct later *later, uint32_t row)
{
	double median = later->median[*tv_map_get(&later->place, tasks->value[row],
						  tv_evidence_rtype(tasks, row))];

	return median > 0 ? (double)tv_task_time(tasks, row) / median : 0;
}

void tv_judge_all_first(struct tv_evidence *e)
{
	static const double slow = 3;
	const struct tv_tasks *tasks = e->tasks;
	uint32_t n, all = 0, nslow = 0, others = 0;
	struct first *first = list_first(tasks, &n);
	bool *is_first = tv_alloc(tasks->n, sizeof *is_first);
	struct later later;

	for (uint32_t i = 0; i < n; i++)
		is_first[first[i].row] = true;
	later = list_later(tasks, is_first);
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tv_evidence_whole(tasks, row)) {
			bool is = beyond(tasks, &later, row) >= slow;

			all += is_first[row];
			nslow += is && is_first[row];
			others += is && !is_first[row];
		}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = first[i].row;
		uint8_t class;

		if (nslow < TV_EVIDENCE_MIN || 5 * nslow < 4 * all || 10 * others > nslow
		    || beyond(tasks, &later, row) < slow)
			continue;
		class = e->class[row] == TV_MORE_WORK ? TV_MORE_WORK : tv_evidence_judge(e, row);
		if (class != TV_MORE_WORK && class != TV_WAITED)
			e->class[row] = TV_WARM_UP;
	}
	tv_map_release(&later.place);
	tv_free(later.median);
	tv_free(is_first);
	tv_free(first);
}

/* ---- the place in an iteration ---- */

/* A task in the order of submission of its type and its iteration or phase. */
struct place {
	uint32_t value, row;
	int64_t group, order;
	uint32_t first, last; /* its place from the first one, from the last one */
};

TV_ORDER(by_order, struct place, value, group, order, row)

/* Of the tasks of a type at one place: how many, and how many are long. */
struct tally {
	uint32_t n, longs;
};

/* Tasks with their groups, by type; NULL where there are no three groups. */
static struct place *list_places(const struct tv_tasks *tasks, size_t *n)
{
	const struct tv_table *table = &tasks->trace->table[TV_TASKS];
	const struct tv_column *iteration = tv_table_find(table, "Iteration"),
			       *order = tv_table_find(table, "SubmitOrder");
	struct place *place = tv_alloc(tasks->n, sizeof *place);
	struct tv_phases phases = { 0 };

	if (iteration == NULL)
		tv_phases_init(&phases, tasks);
	*n = 0;
	for (uint32_t row = 0; row < tasks->n; row++) {
		bool known = tv_evidence_whole(tasks, row)
			  && (iteration == NULL ? phases.n >= TV_EVIDENCE_MIN
						: !tv_missing(iteration, row));

		if (!known)
			continue;
		place[(*n)++] = (struct place){
			.value = tasks->value[row],
			.row = row,
			.group = iteration != NULL ? iteration->i[row]
						   : (int64_t)tv_phase_of(&phases, row),
			.order = order != NULL && !tv_missing(order, row) ? order->i[row]
			       : tasks->submit != NULL && !tv_missing(tasks->submit, row)
				       ? tasks->submit->i[row]
				       : tasks->start[row],
		};
	}
	tv_phases_release(&phases);
	if (*n > 0)
		qsort(place, *n, sizeof *place, by_order);
	return place;
}

/* Numbers the tasks of a type; returns in how many groups they are. *alike: three quarters of these have as many as the most common number. */
static uint32_t number_places(struct place *place, size_t n, bool *alike)
{
	uint32_t groups = 0, most = 0;
	struct tv_map of = { 0 }; /* groups by their number of tasks */

	for (size_t begin = 0, end; begin < n; begin = end) {
		uint32_t *number;

		for (end = begin; end < n && place[end].group == place[begin].group; end++)
			place[end].first = (uint32_t)(end - begin);
		for (size_t i = begin; i < end; i++)
			place[i].last = (uint32_t)(end - 1 - i);
		number = tv_map_at(&of, end - begin, 0);
		*number = *number == TV_NONE ? 1 : *number + 1;
		most = *number > most ? *number : most;
		groups++;
	}
	tv_map_release(&of);
	*alike = most >= 0.75 * groups;
	return groups;
}

/* Judges the long tasks of a type by their places. alike: places of two groups are of the same tasks. */
static void judge_places(struct tv_evidence *e, const struct place *place, size_t n, bool alike)
{
	struct tally *first = tv_alloc(n, sizeof *first), *last = tv_alloc(n, sizeof *last);

	for (size_t i = 0; i < n; i++) {
		bool longs = tv_evidence_long(e->class[place[i].row]);

		first[place[i].first].n++;
		first[place[i].first].longs += longs;
		last[place[i].last].n++;
		last[place[i].last].longs += longs;
	}
	for (size_t i = 0; i < n; i++) {
		const struct tally *x = &first[place[i].first], *y = &last[place[i].last];
		uint8_t *class = &e->class[place[i].row];
		double share = 0, least = 1;

		if (*class != TV_UNKNOWN_WORK && *class != TV_MORE_CPU)
			continue;
		if (x->n >= TV_EVIDENCE_MIN)
			share = (double)x->longs / x->n;
		if (y->n >= TV_EVIDENCE_MIN)
			share = fmax(share, (double)y->longs / y->n);
		if (x->n >= TV_EVIDENCE_MIN && y->n >= TV_EVIDENCE_MIN)
			least = share;
		if (share >= 0.75)
			*class = TV_MORE_WORK;
		else if (alike && least < 1. / 3 && *class == TV_UNKNOWN_WORK)
			*class = TV_LATENESS_OUTLIER;
	}
	tv_free(first);
	tv_free(last);
}

void tv_judge_by_place(struct tv_evidence *e)
{
	size_t n, end;
	struct place *place = list_places(e->tasks, &n);
	bool known = tv_table_find(&e->tasks->trace->table[TV_TASKS], "Iteration") != NULL, alike;

	for (size_t begin = 0; begin < n; begin = end) {
		for (end = begin; end < n && place[end].value == place[begin].value; end++)
			;
		/* Phases need be no iterations. */
		if (number_places(place + begin, end - begin, &alike) >= TV_EVIDENCE_MIN)
			judge_places(e, place + begin, end - begin, known || alike);
	}
	tv_free(place);
}
