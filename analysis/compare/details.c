/* SPDX-License-Identifier: GPL-3.0-or-later */
/* details.c -- the sections of a comparison that are about matched tasks one by one. */
#include "analysis/compare/details.h"

#include <math.h>
#include <string.h>

#include "trace/alloc.h"

static double ms(int64_t ns)
{
	return (double)ns / 1e6;
}

int tv_report_transfers(const struct tv_report *report, const struct tv_shifts *shifts,
			struct tv_error *err)
{
	for (uint32_t i = 0; i < shifts->ntransfers; i++) {
		const struct tv_transfer *t = &shifts->transfer[i];
		char *name = tv_format("moved.%s.%s", t->from, t->to);
		struct tv_finding f = tv_finding("order", name, t->value, NULL, "tasks", NAN, t->n);
		int rc = name == NULL ? tv_fail_memory(err) : tv_report_add(report, &f, err);

		tv_free(name);
		if (rc < 0)
			return -1;
	}
	return 0;
}

static int report_shift(const struct tv_report *report, const struct tv_shifts *shifts, uint32_t i,
			struct tv_error *err)
{
	const struct tv_shift *shift = &shifts->shift[i];
	const struct tv_dag *first = shifts->match.dag[0];
	uint32_t value = first->tasks->value[first->row[shift->node[0]]];
	struct tv_finding f = tv_finding("shift", "start", tv_pool_text(first->tasks->pool, value),
					 NULL, "ms", ms(shift->start[0]), ms(shift->start[1]));

	f.change = ms(shift->start[1] - shift->start[0]);
	for (int k = 0; k < 2; k++) {
		const struct tv_dag *dag = shifts->match.dag[k];
		uint32_t worker = dag->tasks->worker[dag->row[shift->node[k]]];
		uint32_t job = tv_dag_job(dag, shift->node[k]);

		f.job[k] = job == TV_NONE ? NULL : tv_pool_text(dag->tasks->pool, job);
		f.worker[k] = tv_pool_text(dag->tasks->pool, dag->tasks->workers[worker].resource);
	}
	return tv_report_add(report, &f, err);
}

static int report_lag(const struct tv_report *report, const struct tv_shifts *shifts, uint32_t i,
		      struct tv_error *err)
{
	const int64_t *time = shifts->lag[i].time;
	struct tv_finding f = tv_finding("progress", "progress", NULL, NULL, "ms", ms(time[0]),
					 ms(time[1]));

	f.change = ms(time[1] - time[0]);
	f.rank = i + 1;
	return tv_report_add(report, &f, err);
}

static int report_work(const struct tv_report *report, const struct tv_shifts *shifts, uint32_t i,
		       struct tv_error *err)
{
	const struct tv_work_done *done = &shifts->done[i];
	struct tv_finding f = tv_finding("work", "gflop", NULL, NULL, "GFlop", done->flop[0] / 1e9,
					 done->flop[1] / 1e9);

	f.change = (done->flop[1] - done->flop[0]) / 1e9;
	f.time = ms(done->time);
	return tv_report_add(report, &f, err);
}

int tv_report_details(const struct tv_report *report, const char *section,
		      const struct tv_shifts *shifts, struct tv_error *err)
{
	const struct {
		const char *name;
		uint32_t n;
		int (*add)(const struct tv_report *, const struct tv_shifts *, uint32_t,
			   struct tv_error *);
	} all[] = {
		{ "shift", shifts->n, report_shift },
		{ "progress", shifts->n, report_lag },
		{ "work", shifts->ndone, report_work },
	};

	for (size_t i = 0; section != NULL && i < TV_COUNT(all); i++)
		for (uint32_t k = 0; strcmp(section, all[i].name) == 0 && k < all[i].n; k++)
			if (all[i].add(report, shifts, k, err) < 0)
				return -1;
	return 0;
}
