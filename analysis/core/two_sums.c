/* SPDX-License-Identifier: GPL-3.0-or-later */
/* two_sums.c -- tasks of one kind on slower workers and on others. */
#include "analysis/core/two_sums.h"

#include "analysis/core/columns.h"
#include "analysis/core/processors.h"
#include "trace/alloc.h"

struct tv_two_sums *tv_kind_sums_of(struct tv_kind_sums *kinds, uint32_t value, uint32_t rtype)
{
	uint32_t *at = tv_map_at(&kinds->place, value, rtype);

	if (*at == TV_NONE) {
		TV_GROW(kinds->at, kinds->n, kinds->cap, 1);
		kinds->at[kinds->n] = (struct tv_two_sums){ 0 };
		*at = (uint32_t)kinds->n++;
	}
	return &kinds->at[*at];
}

void tv_kind_sums_release(struct tv_kind_sums *kinds)
{
	tv_map_release(&kinds->place);
	tv_free(kinds->at);
}

const struct tv_column *tv_work_of(const struct tv_tasks *tasks)
{
	const struct tv_table *table = &tasks->trace->table[TV_TASKS];
	const struct tv_column *gflop = tv_table_find(table, "GFlop");

	return gflop != NULL ? gflop : tv_table_find(table, "Size");
}

void tv_two_sums_add(const struct tv_tasks *tasks, const struct tv_column *work,
		     const struct tv_column *clock, uint32_t row, bool slow, struct tv_two_sums *to)
{
	double value;

	to->time[slow] += (double)tv_task_time(tasks, row);
	to->n[slow]++;
	if (work != NULL && tv_cell_number(work, row, &value) && value > 0) {
		to->work[slow] += value;
		to->nworks[slow]++;
	}
	if (tv_task_clock(tasks, clock, row, &value)) {
		to->clock[slow] += value;
		to->nclocks[slow]++;
	}
}

double tv_two_sums_above(const double *sum, const uint32_t *n)
{
	return sum[1] / n[1] / (sum[0] / n[0]) - 1;
}
