/* SPDX-License-Identifier: GPL-3.0-or-later */
/* worth.c -- what the time of workers is worth: the prices of the area bound of a whole run. */
#include "analysis/bounds/worth.h"

#include "analysis/core/warnings.h"
#include "trace/alloc.h"

static int find_prices(struct tv_worth *worth, const struct tv_tasks *tasks, struct tv_error *err)
{
	const struct tv_area *area = &worth->of.area;
	double *ideal = tv_alloc(area->ntypes * area->nresources, sizeof *ideal);
	int rc = tv_area_prices(area, &worth->bound, ideal, worth->price, err);

	if (rc == 0 && worth->bound > 0)
		tv_area_fair_prices(area, worth->bound, ideal, worth->price, worth->low,
				    worth->high);
	for (uint32_t r = 0; rc == 0 && worth->bound <= 0 && r < tasks->nrtypes; r++)
		worth->price[r] = worth->low[r] = worth->high[r] = 1. / tasks->nworkers;
	tv_free(ideal);
	if (rc == 0 && !(worth->bound < 0x1p62))
		rc = tv_fail(err, "prices: the durations add up to more than 146 years, which is "
				  "out of range");
	return rc;
}

int tv_worth_init(struct tv_worth *worth, struct tv_run *run, const char *durations,
		  const char *file, struct tv_error *err)
{
	const struct tv_tasks *tasks = &run->tasks;

	*worth = (struct tv_worth){ .price = tv_alloc(tasks->nrtypes, sizeof *worth->price),
				    .low = tv_alloc(tasks->nrtypes, sizeof *worth->low),
				    .high = tv_alloc(tasks->nrtypes, sizeof *worth->high),
				    .means = &tv_run_estimates(run)->means[0] };
	if (tv_duration_rule_init(&worth->rule, run, durations, NULL, file, run->trace->pool, err)
		    < 0
	    || tv_durations_init(&worth->of, &worth->rule, tasks, worth->means, err) < 0)
		return -1;
	tv_warn_kept(run, worth->of.kept);
	return find_prices(worth, tasks, err);
}

void tv_worth_release(struct tv_worth *worth)
{
	tv_durations_release(&worth->of);
	tv_duration_rule_release(&worth->rule);
	tv_free(worth->price);
	tv_free(worth->low);
	tv_free(worth->high);
	*worth = (struct tv_worth){ 0 };
}
