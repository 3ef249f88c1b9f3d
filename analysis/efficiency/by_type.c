/* SPDX-License-Identifier: GPL-3.0-or-later */
/* by_type.c -- durations, instructions, IPC and frequency of each task type, over several runs. */
#include <math.h>
#include <string.h>

#include "analysis/core/columns.h"
#include "analysis/core/grouping.h"
#include "analysis/efficiency/across.h"
#include "analysis/efficiency/counted.h"
#include "trace/alloc.h"

enum { RUN, VALUE, EXECUTIONS, TIME, MEAN, DURATIONS, COUNTED };

const struct tv_field tv_by_type_columns[TV_BY_TYPE_COLUMNS] = {
	[RUN] = { "Run", TV_LABEL, false, "", "label of the run" },
	[VALUE] = { "Value", TV_LABEL, false, "", "task type" },
	[EXECUTIONS] = { "Executions", TV_INT, false, "", "of tasks of the type" },
	[TIME] = { "Time", TV_TIME, false, "ms", "sum of their durations" },
	[MEAN] = { "MeanDuration", TV_TIME, false, "ms", "Time / Executions" },
	[DURATIONS] = { "DurationScaling", TV_DOUBLE, false, "",
			"mean duration in the run with the fewest workers / MeanDuration; "
			"product of the next three where all tasks were counted" },
	TV_COUNTED_FIELD_ROWS
};

struct run_sums {
	struct tv_grouping types;
	struct tv_counted *type;
};

static void sum_up(struct run_sums *sums, const struct tv_tasks *tasks)
{
	tv_grouping_by_type(&sums->types, tasks);
	sums->type = tv_alloc(sums->types.n, sizeof *sums->type);
	tv_counted_add(sums->type, tasks, sums->types.of_row);
}

static const char *name_of(const struct tv_named_run *run, const struct run_sums *sums, uint32_t t)
{
	return tv_pool_text(run->run->tasks.pool, tv_grouping_label(&sums->types, t));
}

static void write_type(struct tv_table *out, uint32_t row, const struct tv_counted *of,
		       const struct tv_counted *reference)
{
	double time = (double)of->time / of->n;

	tv_set_int(out->col[EXECUTIONS], row, of->n);
	tv_set_int(out->col[TIME], row, of->time);
	tv_set_int(out->col[MEAN], row, llround(time));
	tv_set_finite(out->col[DURATIONS], row, ((double)reference->time / reference->n) / time);
	tv_counted_set(out, COUNTED, row, reference, of,
		       (reference->instructions / reference->counted)
			       / (of->instructions / of->counted));
}

/* The sums of the type of that name; 0 = there is none. */
static const struct tv_counted *find(const struct tv_named_run *run, const struct run_sums *sums,
				     const char *name)
{
	static const struct tv_counted none;

	for (uint32_t t = 0; t < sums->types.n; t++)
		if (strcmp(name_of(run, sums, t), name) == 0)
			return &sums->type[t];
	return &none;
}

int tv_efficiency_by_type(const struct tv_named_run *run, size_t n, struct tv_table *out,
			  struct tv_error *err)
{
	struct run_sums *sums = tv_alloc(n, sizeof *sums);
	size_t reference = 0;
	int rc = 0;

	tv_add_fields(out, tv_by_type_columns, TV_BY_TYPE_COLUMNS);
	for (size_t i = 0; i < n && rc == 0; i++) {
		rc = tv_run_need_tasks(run[i].run, "efficiency --by type", err);
		if (rc < 0)
			tv_fail_about(err, run[i].label);
		else
			sum_up(&sums[i], &run[i].run->tasks);
		if (run[i].run->tasks.nworkers < run[reference].run->tasks.nworkers)
			reference = i;
	}
	for (size_t i = 0; i < n && rc == 0; i++)
		for (uint32_t t = 0; t < sums[i].types.n; t++) {
			const char *name = name_of(&run[i], &sums[i], t);
			uint32_t row = tv_table_add_row(out);

			tv_set_text(out->col[RUN], row, run[i].label);
			tv_set_text(out->col[VALUE], row, name);
			write_type(out, row, &sums[i].type[t],
				   find(&run[reference], &sums[reference], name));
		}
	tv_table_finish(out);
	for (size_t i = 0; i < n; i++) {
		tv_grouping_release(&sums[i].types);
		tv_free(sums[i].type);
	}
	tv_free(sums);
	return rc;
}
