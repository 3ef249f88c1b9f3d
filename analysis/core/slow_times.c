/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slow_times.c -- the part of a member's tasks in which nearly all are long. */
#include "analysis/core/slow_times.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/core/grouping.h"
#include "analysis/core/statistics.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/sorted.h"

enum { TASKS_MIN = 5, TYPES_MIN = 2 };
static const double long_from = 1.2, chance_max = 0.01, longer_min = 1.5, others_max = 0.25;

static double *relative_durations(const struct tv_tasks *tasks, struct tv_error *err)
{
	static const uint32_t half = 1;
	bool sized = tv_table_find(&tasks->trace->table[TV_TASKS], "Footprint") != NULL;
	int64_t *time;
	double *relative;
	struct tv_grouping kinds;
	struct tv_groups groups;

	if (tv_grouping_by_names(&kinds, tasks,
				 sized ? "Value,ResourceType,Footprint" : "Value,ResourceType",
				 "group", true, err)
	    < 0)
		return NULL;
	time = tv_alloc(tasks->ncounted, sizeof *time);
	relative = tv_alloc(tasks->n, sizeof *relative);
	for (uint32_t row = 0; row < tasks->n; row++)
		relative[row] = -1;
	tv_groups_init(&groups, kinds.of_row, tasks->n, kinds.n);
	for (uint32_t g = 0; g < groups.n; g++) {
		const uint32_t *row = groups.row + groups.first[g];
		uint32_t n = groups.first[g + 1] - groups.first[g];
		double median;

		for (uint32_t i = 0; i < n; i++)
			time[i] = tv_task_time(tasks, row[i]);
		tv_select_quantiles(time, n, &half, 1, 2);
		median = (double)tv_quantile_exact(time, n, 1, 2) / 2;
		for (uint32_t i = 0; i < n && median > 0; i++)
			relative[row[i]] = (double)tv_task_time(tasks, row[i]) / median;
	}
	tv_free(time);
	tv_groups_release(&groups);
	tv_grouping_release(&kinds);
	return relative;
}

static const char relative_key;

const double *tv_relative_durations(struct tv_run *run, struct tv_error *err)
{
	double *relative = tv_run_kept(run, &relative_key);

	if (relative == NULL) {
		relative = relative_durations(&run->tasks, err);
		if (relative != NULL)
			tv_run_keep(run, &relative_key, relative, tv_free);
	}
	return relative;
}

void tv_forget_relative_durations(struct tv_run *run)
{
	tv_run_forget(run, &relative_key);
}

/* The tasks of workers of one type, by Start. */
struct slow_search {
	const struct tv_tasks *tasks;
	const double *relative; /* by row */
	uint32_t *row, n;
	uint32_t *longs;    /* n + 1: how many before it are long */
	uint32_t *member;   /* buffer, by row */
	double time, usual; /* their sum, and that of the medians of their kinds, ns */
	bool *slow;	    /* by node */
	struct tv_slow_time *found;
	uint32_t nfound;
	size_t cap;
};

static bool is_long(const struct slow_search *search, uint32_t i)
{
	return search->relative[search->row[i]] > long_from;
}

struct tv_slow_part tv_find_slow_part(const bool *is, uint32_t n, int miss)
{
	struct tv_slow_part part = { 0, 0, 0 }, best = part;
	int64_t sum = 0, most = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (sum <= 0) {
			part = (struct tv_slow_part){ i, i, 0 };
			sum = 0;
		}
		sum += is[i] ? 1 : -miss;
		part.longs += is[i];
		part.to = i + 1;
		if (sum > most) {
			most = sum;
			best = part;
		}
	}
	return best;
}

/* The same of a member's n tasks, whose places are at; NULL = of all. */
static struct tv_slow_part find_part(const struct slow_search *search, const uint32_t *at,
				     uint32_t n, int miss)
{
	bool *is = tv_alloc(n, sizeof *is);
	struct tv_slow_part part;

	for (uint32_t i = 0; i < n; i++)
		is[i] = is_long(search, at == NULL ? i : at[i]);
	part = tv_find_slow_part(is, n, miss);
	tv_free(is);
	return part;
}

/* How often a task is long, at most 1; of few ones this is no small number. */
static double rate(uint32_t longs, uint32_t n)
{
	return (longs + 1.0) / (n + 2.0);
}

/* Tasks of others that are long, from place `from` to `to` of all. own: long ones, and all, of the member there. */
static double rate_of_others(const struct slow_search *search, uint32_t from, uint32_t to,
			     uint32_t longs, uint32_t n)
{
	return rate(search->longs[to] - search->longs[from] - longs, to - from - n);
}

/* at: places of a member's n tasks. pairs: how many parts all members have. */
static bool is_slow(const struct slow_search *search, const uint32_t *at, uint32_t n, double pairs,
		    const struct tv_slow_part *part)
{
	uint32_t all = 0, in = part->to - part->from, outside = n - in;
	double usual, then;

	for (uint32_t i = 0; i < n; i++)
		all += is_long(search, at[i]);
	if (in < TASKS_MIN || outside < TASKS_MIN || outside < 0.1 * n || n == search->n)
		return false;
	usual = rate_of_others(search, 0, search->n, all, n);
	then = rate_of_others(search, at[part->from], at[part->to - 1] + 1, part->longs, in);
	return then <= others_max && all - part->longs <= (0.1 + usual) * outside
	    && pairs * tv_binomial_tail(in, part->longs, fmax(usual, then)) < chance_max;
}

static void add(struct slow_search *search, bool node, uint32_t member, const uint32_t *at,
		const struct tv_slow_part *part)
{
	const struct tv_tasks *tasks = search->tasks;
	uint32_t first = search->row[at[part->from]], last = search->row[at[part->to - 1]];
	double time = 0, usual = 0, ratio;

	for (uint32_t i = part->from; i < part->to; i++) {
		uint32_t row = search->row[at[i]];
		double t = (double)tv_task_time(tasks, row);

		time += t;
		usual += search->relative[row] > 0 ? t / search->relative[row] : 0;
	}
	ratio = time / usual * (search->usual - usual) / (search->time - time);
	if (!isfinite(ratio) || ratio <= 1) /* nothing else took any time */
		return;
	TV_GROW(search->found, search->nfound, search->cap, 1);
	search->found[search->nfound++] = (struct tv_slow_time){
		.node = node,
		.member = member,
		.rtype = tasks->workers[tasks->worker[first]].rtype,
		.tasks = part->to - part->from,
		.begin = tasks->start[first],
		.end = tasks->start[last],
		.ratio = ratio,
	};
}

static void judge_members(struct slow_search *search, bool nodes)
{
	const struct tv_tasks *tasks = search->tasks;
	struct tv_groups members;
	double pairs = 0;

	for (uint32_t i = 0; i < search->n; i++) {
		uint32_t w = tasks->worker[search->row[i]];

		search->member[i] = nodes ? tasks->workers[w].node : w;
	}
	tv_groups_init(&members, search->member, search->n,
		       nodes ? tasks->nnodes : tasks->nworkers);
	for (uint32_t m = 0; m < members.n; m++) {
		double n = members.first[m + 1] - members.first[m];

		pairs += n * (n + 1) / 2;
	}
	for (uint32_t m = 0; m < members.n; m++) {
		const uint32_t *at = members.row + members.first[m];
		uint32_t n = members.first[m + 1] - members.first[m];
		struct tv_slow_part part = find_part(search, at, n, 3);

		if ((!nodes && (tasks->workers[m].shared || search->slow[tasks->workers[m].node]))
		    || !is_slow(search, at, n, pairs, &part))
			continue;
		if (nodes)
			search->slow[m] = true;
		add(search, nodes, m, at, &part);
	}
	tv_groups_release(&members);
}

/* row: all that have a relative duration, by Start. */
static void judge_type(struct slow_search *search, uint32_t rtype, const uint32_t *row, uint32_t n)
{
	const struct tv_tasks *tasks = search->tasks;

	search->n = 0;
	search->time = search->usual = 0;
	for (uint32_t i = 0; i < n; i++) {
		double time = (double)tv_task_time(tasks, row[i]),
		       relative = search->relative[row[i]];

		if (tasks->workers[tasks->worker[row[i]]].rtype != rtype)
			continue;
		search->row[search->n] = row[i];
		search->longs[search->n + 1] = search->longs[search->n]
					     + is_long(search, search->n);
		search->time += time;
		search->usual += relative > 0 ? time / relative : 0;
		search->n++;
	}
	for (uint32_t node = 0; node < tasks->nnodes; node++)
		search->slow[node] = false;
	if (tasks->nnodes > 1)
		judge_members(search, true);
	judge_members(search, false);
}

TV_ORDER(slowest_first, struct tv_slow_time, down(ratio), member)

/* Rows that have a relative duration, by Start, in a new array of *n. */
static uint32_t *list_rows(const struct tv_tasks *tasks, const double *relative, uint32_t *n)
{
	uint32_t *row = tv_alloc(tasks->ncounted, sizeof *row);

	*n = 0;
	for (uint32_t i = 0; i < tasks->n; i++)
		if (relative[i] >= 0)
			row[(*n)++] = i;
	tv_sort_rows(tasks, row, *n);
	return row;
}

struct slow_times {
	struct tv_slow_time *at;
	uint32_t n;
};

static void release_times(void *data)
{
	tv_free(((struct slow_times *)data)->at);
	tv_free(data);
}

static struct slow_times *find_slow_times(struct tv_run *run, struct tv_error *err)
{
	const struct tv_tasks *tasks = &run->tasks;
	const double *relative = tv_relative_durations(run, err);
	struct slow_search search = { .tasks = tasks, .relative = relative };
	struct slow_times *times;
	uint32_t *row, rows;

	if (relative == NULL)
		return NULL;
	row = list_rows(tasks, relative, &rows);
	search.row = tv_alloc(rows, sizeof *search.row);
	search.longs = tv_alloc((size_t)rows + 1, sizeof *search.longs);
	search.member = tv_alloc(rows, sizeof *search.member);
	search.slow = tv_alloc(tasks->nnodes, sizeof *search.slow);
	for (uint32_t r = 0; r < tasks->nrtypes; r++)
		judge_type(&search, r, row, rows);
	tv_free(row);
	tv_free(search.row);
	tv_free(search.longs);
	tv_free(search.member);
	tv_free(search.slow);
	if (search.nfound > 1)
		qsort(search.found, search.nfound, sizeof *search.found, slowest_first);
	times = tv_alloc(1, sizeof *times);
	*times = (struct slow_times){ search.found, search.nfound };
	return times;
}

int tv_slow_times(struct tv_run *run, const struct tv_slow_time **list, uint32_t *n,
		  struct tv_error *err)
{
	static const char key;
	struct slow_times *times = tv_run_kept(run, &key);

	if (times == NULL) {
		times = find_slow_times(run, err);
		if (times == NULL)
			return -1;
		tv_run_keep(run, &key, times, release_times);
	}
	*list = times->at;
	*n = times->n;
	return 0;
}

/* ---- all workers ---- */

/* Whether half of all workers with tasks, and two, run tasks of the part, which begins after as many tasks. */
static bool has_most_workers(const struct slow_search *search, const struct tv_slow_part *part)
{
	const struct tv_tasks *tasks = search->tasks;
	bool *in = tv_alloc(tasks->nworkers, sizeof *in), *seen = tv_alloc(tasks->nworkers, 1);
	uint32_t here = 0, all = 0;

	for (uint32_t i = 0; i < search->n; i++) {
		uint32_t w = tasks->worker[search->row[i]];
		bool is_in = i >= part->from && i < part->to;

		all += !seen[w];
		here += is_in && !in[w];
		seen[w] = true;
		in[w] = in[w] || is_in;
	}
	tv_free(in);
	tv_free(seen);
	return here > 1 && 2 * here >= all && part->from >= all;
}

/* Whether the tasks of the part take longer_min times what they do elsewhere on average, and those of two types or more are longer by
 * half of that. */
static bool has_most_types(const struct slow_search *search, const struct tv_slow_part *part)
{
	struct tv_map place = { 0 };
	struct {
		double sum;
		uint32_t n;
	} *type = tv_alloc(part->to - part->from, sizeof *type);
	uint32_t ntypes = 0, longer = 0;
	double sum = 0, mean;

	for (uint32_t i = part->from; i < part->to; i++) {
		uint32_t row = search->row[i],
			 *at = tv_map_at(&place, search->tasks->value[row], 0);

		*at = *at == TV_NONE ? ntypes++ : *at;
		type[*at].sum += search->relative[row];
		type[*at].n++;
		sum += search->relative[row];
	}
	mean = sum / (part->to - part->from);
	for (uint32_t t = 0; t < ntypes; t++)
		longer += type[t].n > 1 && type[t].sum / type[t].n - 1 >= (mean - 1) / 2;
	tv_map_release(&place);
	tv_free(type);
	return mean >= longer_min && longer >= TYPES_MIN;
}

/* Whether workers are half as busy then as at other times: where few tasks run, they are the large ones of a graph that gets narrow. */
static bool is_as_busy(const struct slow_search *search, const struct tv_slow_part *part)
{
	const struct tv_tasks *tasks = search->tasks;
	int64_t begin = tasks->start[search->row[part->from]], end = begin;
	double busy = 0, all = 0, length;

	for (uint32_t i = 0; i < search->n; i++) {
		uint32_t row = search->row[i];

		all += (double)tv_row_time(tasks, row);
		if (i < part->from || i >= part->to)
			continue;
		busy += (double)tv_row_time(tasks, row);
		end = tasks->end[row] > end ? tasks->end[row] : end;
	}
	length = (double)(end - begin);
	return 2 * busy * ((double)(tasks->finish - tasks->begin) - length)
	    >= (all - busy) * length;
}

int tv_slow_period(struct tv_run *run, bool *slow, struct tv_span *period, struct tv_error *err)
{
	const struct tv_tasks *tasks = &run->tasks;
	const double *relative = tv_relative_durations(run, err);
	struct slow_search search = { .tasks = tasks, .relative = relative };
	struct tv_slow_part part;
	uint32_t longs = 0, in, outside;

	*period = (struct tv_span){ 0, 0 };
	if (relative == NULL)
		return -1;
	search.row = list_rows(tasks, relative, &search.n);
	for (uint32_t i = 0; i < search.n; i++)
		longs += is_long(&search, i);
	part = find_part(&search, NULL, search.n, 9);
	in = part.to - part.from;
	outside = search.n - in;
	longs -= part.longs;
	if (in >= TASKS_MIN && part.from >= TASKS_MIN && in <= outside && longs <= 0.1 * outside
	    && 0.5 * search.n * search.n * tv_binomial_tail(in, part.longs, rate(longs, outside))
		       < chance_max
	    && has_most_workers(&search, &part) && has_most_types(&search, &part)
	    && is_as_busy(&search, &part)) {
		*period = (struct tv_span){ tasks->start[search.row[part.from]], INT64_MIN };
		for (uint32_t i = part.from; i < part.to; i++) {
			uint32_t row = search.row[i];

			slow[row] = is_long(&search, i);
			if (slow[row] && tasks->end[row] > period->end)
				period->end = tasks->end[row];
		}
	}
	tv_free(search.row);
	return 0;
}
