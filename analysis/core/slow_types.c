/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slow_types.c -- the workers on which a task type takes longer. */
#include "analysis/core/slow_types.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/core/columns.h"
#include "analysis/core/lateness.h"
#include "analysis/core/processors.h"
#include "analysis/core/slow_times.h"
#include "analysis/core/statistics.h"
#include "analysis/core/two_sums.h"
#include "trace/alloc.h"
#include "trace/groups.h"
#include "trace/map.h"
#include "trace/number.h"
#include "trace/sorted.h"

enum { TASKS_MIN = 3, OTHERS_MIN = 2 /* workers of the faster part */ };
static const double apart = 1.25, max_chance = 0.001;

/* The tasks of a type on a worker, by their relative durations. */
struct part {
	uint32_t value, rtype;
	uint32_t group, n;
	double low, median, high; /* a tenth is below, a tenth above */
};

TV_ORDER(by_median, struct part, value, rtype, median, group)

/* Rows that have a relative duration, by type and worker. */
static void group_rows(const struct tv_tasks *tasks, const double *relative,
		       struct tv_groups *groups)
{
	uint32_t *group = tv_alloc(tasks->n, sizeof *group), n = 0;
	struct tv_map place = { 0 };

	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t *at;

		group[row] = TV_NONE;
		if (relative[row] < 0)
			continue;
		at = tv_map_at(&place, tasks->value[row], tasks->worker[row]);
		*at = *at == TV_NONE ? n++ : *at;
		group[row] = *at;
	}
	tv_groups_init(groups, group, tasks->n, n);
	tv_map_release(&place);
	tv_free(group);
}

/* Those with enough tasks, in order: a new array of *n. */
static struct part *list_parts(const struct tv_tasks *tasks, const double *relative,
			       const struct tv_groups *groups, uint32_t *n)
{
	struct part *part = tv_alloc(groups->n, sizeof *part);
	double *x = tv_alloc(tv_groups_max(groups), sizeof *x);

	*n = 0;
	for (uint32_t g = 0; g < groups->n; g++) {
		const uint32_t *row = groups->row + groups->first[g];
		uint32_t count = groups->first[g + 1] - groups->first[g];

		if (count < TASKS_MIN)
			continue;
		for (uint32_t i = 0; i < count; i++)
			x[i] = relative[row[i]];
		tv_sort_numbers(x, count);
		part[(*n)++] = (struct part){
			.value = tasks->value[row[0]],
			.rtype = tasks->workers[tasks->worker[row[0]]].rtype,
			.group = g,
			.n = count,
			.low = tv_quantile(x, count, 0.1),
			.median = tv_quantile(x, count, 0.5),
			.high = tv_quantile(x, count, 0.9),
		};
	}
	tv_free(x);
	if (*n > 1)
		qsort(part, *n, sizeof *part, by_median);
	return part;
}

/* The probability that, of so many workers with so many tasks, some that have `slow_tasks` have the longest ones, if workers and durations
 * have nothing to do with each other. */
static double chance_of(uint32_t workers, uint32_t slow, uint32_t tasks, uint32_t slow_tasks)
{
	return exp(tv_log_choose(workers, slow) - tv_log_choose(tasks, slow_tasks));
}

/* Of n parts of one type, by median, the first of those that are slow; n = none is. */
static uint32_t divide(const struct part *part, uint32_t n)
{
	double *low = tv_alloc((size_t)n + 1, sizeof *low), high = 0, most = apart;
	uint32_t at = n, all = 0, faster = 0;

	low[n] = INFINITY; /* of this part and those behind it */
	for (uint32_t i = n; i-- > 0;) {
		low[i] = fmin(part[i].low, low[i + 1]);
		all += part[i].n;
	}
	for (uint32_t i = 1; i < n; i++) {
		high = fmax(high, part[i - 1].high);
		faster += part[i - 1].n;
		if (i >= OTHERS_MIN && low[i] > high && part[i].median >= most * part[i - 1].median
		    && chance_of(n, n - i, all, all - faster) <= max_chance) {
			most = part[i].median / part[i - 1].median;
			at = i;
		}
	}
	tv_free(low);
	return at;
}

/* Whether more work explains half of it, or a thread without a processor three quarters. */
static bool is_explained(const struct tv_two_sums *sums)
{
	double longer = tv_two_sums_above(sums->time, sums->n);

	return tv_two_sums_above(sums->work, sums->nworks) >= 0.5 * longer
	    || tv_two_sums_above(sums->clock, sums->nclocks) <= 0.25 * longer;
}

/* Takes those back that are explained. */
static void drop_explained(const struct tv_tasks *tasks, const double *relative, bool *slow)
{
	const struct tv_column *work = tv_work_of(tasks),
			       *clock = tv_table_find(&tasks->trace->table[TV_TASKS], "task-clock");
	bool *device = tv_on_device(tasks);
	struct tv_kind_sums kinds = { 0 };

	for (int pass = 0; pass < 2; pass++)
		for (uint32_t row = 0; row < tasks->n; row++) {
			uint32_t worker = tasks->worker[row];
			struct tv_two_sums *sums;

			if (relative[row] < 0)
				continue;
			sums = tv_kind_sums_of(&kinds, tasks->value[row],
					       tasks->workers[worker].rtype);
			if (pass == 0)
				tv_two_sums_add(tasks, work, device[worker] ? NULL : clock, row,
						slow[row], sums);
			else if (slow[row] && is_explained(sums))
				slow[row] = false;
		}
	tv_kind_sums_release(&kinds);
	tv_free(device);
}

int tv_slow_types(struct tv_run *run, bool *slow, struct tv_error *err)
{
	const struct tv_tasks *tasks = &run->tasks;
	const double *relative = tv_relative_durations(run, err);
	struct tv_groups groups;
	struct part *part;
	uint32_t n;

	if (relative == NULL)
		return -1;
	group_rows(tasks, relative, &groups);
	part = list_parts(tasks, relative, &groups, &n);
	for (uint32_t begin = 0, end; begin < n; begin = end) {
		for (end = begin; end < n && part[end].value == part[begin].value
				  && part[end].rtype == part[begin].rtype;)
			end++;
		for (uint32_t i = begin + divide(part + begin, end - begin); i < end; i++)
			for (uint32_t k = groups.first[part[i].group];
			     k < groups.first[part[i].group + 1]; k++)
				slow[groups.row[k]] = true;
	}
	drop_explained(&run->tasks, relative, slow);
	tv_free(part);
	tv_groups_release(&groups);
	return 0;
}

void tv_slow_types_free(struct tv_slow_type *list, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		tv_free(list[i].slow);
	tv_free(list);
}

int tv_list_slow_types(struct tv_run *run, struct tv_slow_type **list, uint32_t *n,
		       struct tv_error *err)
{
	const struct tv_tasks *tasks = &run->tasks;
	const double *relative = tv_relative_durations(run, err);
	bool *slow = tv_alloc(tasks->n, sizeof *slow);
	int rc = relative == NULL ? -1 : tv_slow_types(run, slow, err);
	struct tv_map place = { 0 };
	struct tv_two_sums *sums = NULL;
	size_t cap = 0;

	*list = NULL;
	*n = 0;
	for (uint32_t row = 0; rc == 0 && row < tasks->n; row++) {
		uint32_t rtype, *at;

		if (!slow[row])
			continue; /* or it has no worker */
		rtype = tasks->workers[tasks->worker[row]].rtype;
		at = tv_map_at(&place, tasks->value[row], rtype);
		if (*at == TV_NONE) {
			TV_GROW(*list, *n, cap, 1);
			*at = *n;
			(*list)[(*n)++] = (struct tv_slow_type){
				.value = tasks->value[row],
				.rtype = rtype,
				.slow = tv_alloc(tasks->nworkers, sizeof(bool)),
			};
		}
		(*list)[*at].nslow += !(*list)[*at].slow[tasks->worker[row]];
		(*list)[*at].slow[tasks->worker[row]] = true;
	}
	sums = tv_alloc(*n, sizeof *sums);
	for (uint32_t row = 0; rc == 0 && row < tasks->n; row++) {
		const uint32_t *at = relative[row] < 0
					   ? NULL
					   : tv_map_get(&place, tasks->value[row],
							tasks->workers[tasks->worker[row]].rtype);

		if (at != NULL)
			tv_two_sums_add(tasks, NULL, NULL, row, slow[row], &sums[*at]);
	}
	for (uint32_t i = 0; i < *n; i++)
		(*list)[i].ratio = 1 + tv_two_sums_above(sums[i].time, sums[i].n);
	tv_map_release(&place);
	tv_free(sums);
	tv_free(slow);
	return rc;
}
