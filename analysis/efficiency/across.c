/* SPDX-License-Identifier: GPL-3.0-or-later */
/* across.c -- the efficiency of several runs of a program. */
#include "analysis/efficiency/across.h"

#include <math.h>
#include <string.h>

#include "analysis/core/columns.h"
#include "analysis/core/warnings.h"
#include "analysis/efficiency/counted.h"
#include "trace/alloc.h"

enum {
	RUN,
	WORKERS,
	FIRST,
	SPEEDUP = FIRST + TV_FACTOR_FIELDS,
	IDEAL,
	RELATIVE,
	COMPUTATION,
	WORK,
	DURATIONS,
	COUNTED,
	NOTE = COUNTED + TV_COUNTED_FIELDS
};

const struct tv_field tv_across_columns[TV_ACROSS_COLUMNS] = {
	[RUN] = { "Run", TV_LABEL, false, "", "label of the run" },
	[WORKERS] = { "Workers", TV_INT, false, "", "number of workers, or of threads" },
	TV_FACTOR_FIELD_ROWS
		[SPEEDUP] = { "Speedup", TV_DOUBLE, false, "",
			      "Makespan of the run with the fewest workers / Makespan" },
	[IDEAL] = { "IdealSpeedup", TV_DOUBLE, false, "", "of its area bounds, for as much work" },
	[RELATIVE] = { "Relative", TV_DOUBLE, false, "", "Speedup / IdealSpeedup" },
	[COMPUTATION] = { "ComputationScaling", TV_DOUBLE, false, "",
			  "WorkScaling x DurationScaling; of threads their useful time in all, of "
			  "the "
			  "reference / of the run" },
	[WORK] = { "WorkScaling", TV_DOUBLE, false, "",
		   "below 1: more tasks, or slower types, for as much work; of threads "
		   "InstructionScaling" },
	[DURATIONS] = { "DurationScaling", TV_DOUBLE, false, "",
			"below 1: tasks of a type take longer; of threads IpcScaling x "
			"FrequencyScaling" },
	TV_COUNTED_FIELD_ROWS[NOTE] = { "Note", TV_LABEL, false, "",
					"what cannot be known, and why" },
};

/* ---- area bounds with durations of another run ---- */

struct one {
	const struct tv_named_run *run;
	struct tv_ladder ladder;
	struct tv_worth worth; /* empty with threads, which need no bound */
	double gflop;	       /* of all tasks; NaN = not known */
	struct tv_counted counted;
};

static bool has_threads(const struct one *one)
{
	return one->ladder.threads > 0;
}

static uint32_t workers_of(const struct one *one)
{
	return has_threads(one) ? one->ladder.threads : one->run->run->tasks.nworkers;
}

static const char *name_of(const struct one *one, uint32_t label)
{
	return label == TV_NONE ? "" : tv_pool_text(one->run->run->tasks.pool, label);
}

/* The place of a task type of that name; the number of types = there is none. */
static uint32_t find_type(const struct one *one, const char *name)
{
	uint32_t t = 0;

	while (t < one->worth.means->ntypes
	       && strcmp(name_of(one, one->worth.means->type[t]), name) != 0)
		t++;
	return t;
}

static uint32_t find_rtype(const struct one *one, const char *name)
{
	const struct tv_tasks *tasks = &one->run->run->tasks;
	uint32_t r = 0;

	while (r < tasks->nrtypes && strcmp(name_of(one, tasks->rtype[r].label), name) != 0)
		r++;
	return r;
}

/* Worker time of the reference for type t of `tasks` on rtype r of `on`; negative = none. */
static double time_of(const struct one *reference, const struct one *tasks, uint32_t t,
		      const struct one *on, uint32_t r)
{
	const struct tv_area *area = &reference->worth.of.area;
	uint32_t type = find_type(reference, name_of(tasks, tasks->worth.means->type[t]));
	uint32_t rtype = find_rtype(reference, name_of(on, on->run->run->tasks.rtype[r].label));

	return type < area->ntypes && rtype < area->nresources
		     ? area->time[(size_t)type * area->nresources + rtype]
		     : -1;
}

/* The area bound of the tasks of one run with the reference's durations on the workers of another; NaN with *unknown:
 * a type that has no duration there. */
static int bound_of(const struct one *reference, const struct one *tasks, const struct one *on,
		    double *bound, const char **unknown, struct tv_error *err)
{
	const struct tv_area *of = &tasks->worth.of.area, *machine = &on->worth.of.area;
	size_t nr = machine->nresources;
	double *time = tv_alloc(of->ntypes * nr, sizeof *time);
	double *ideal = tv_alloc(of->ntypes * nr, sizeof *ideal);
	struct tv_area area = { of->ntypes, nr, of->count, time, machine->workers };
	int rc = 0;

	*bound = NAN;
	*unknown = NULL;
	for (uint32_t t = 0; t < of->ntypes; t++) {
		bool any = of->count[t] <= 0;

		for (uint32_t r = 0; r < nr; r++) {
			time[t * nr + r] = time_of(reference, tasks, t, on, r);
			any = any || tv_area_allows(&area, t, r);
		}
		if (!any)
			*unknown = name_of(tasks, tasks->worth.means->type[t]);
	}
	if (*unknown == NULL)
		rc = tv_area_bound(&area, bound, ideal, err);
	tv_free(time);
	tv_free(ideal);
	return rc;
}

/* ---- runs ---- */

/* A team is one task. */
static double sum_gflop(const struct tv_tasks *tasks)
{
	const struct tv_column *gflop = tv_table_find(&tasks->trace->table[TV_TASKS], "GFlop");
	double sum = gflop == NULL ? NAN : 0, value;

	for (uint32_t row = 0; gflop != NULL && row < tasks->n; row++)
		if (tasks->leads[row])
			sum += tv_cell_number(gflop, row, &value) ? value : NAN;
	return sum > 0 ? sum : NAN;
}

static int open_one(struct one *one, const struct tv_named_run *run, struct tv_error *err)
{
	one->run = run;
	tv_warn_workers(run->run);
	tv_warn_cut(run->run);
	one->gflop = sum_gflop(&run->run->tasks);
	if (tv_ladder_of_run(&one->ladder, run->run, err) < 0
	    || (!has_threads(one) && tv_worth_init(&one->worth, run->run, "mean", NULL, err) < 0))
		return tv_fail_about(err, run->label);
	tv_ladder_warn(run->run, &one->ladder);
	one->counted = tv_counted_of(run->run);
	return 0;
}

/* Threads of one kind: the work of a run is the useful time of all; durations: IpcScaling x FrequencyScaling. */
static void compare_threads(const struct one *reference, const struct one *one, double durations,
			    struct tv_table *out, uint32_t row)
{
	double of = (double)reference->ladder.time[TV_LADDER_RUNG_NODES] * workers_of(reference),
	       useful = (double)one->ladder.time[TV_LADDER_RUNG_NODES] * workers_of(one),
	       ideal = (double)workers_of(one) / workers_of(reference),
	       speedup = (double)(reference->ladder.time[TV_LADDER_RUNG_RECORDED]
				  / one->ladder.time[TV_LADDER_RUNG_RECORDED]);

	tv_set_finite(out->col[SPEEDUP], row, speedup);
	tv_set_finite(out->col[IDEAL], row, ideal);
	tv_set_finite(out->col[RELATIVE], row, speedup / ideal);
	tv_set_finite(out->col[COMPUTATION], row, of / useful);
	tv_set_finite(out->col[WORK], row,
		      reference->counted.instructions / one->counted.instructions);
	tv_set_finite(out->col[DURATIONS], row, durations);
}

static int compare(const struct one *reference, const struct one *one, struct tv_table *out,
		   uint32_t row, struct tv_error *err)
{
	double g = isfinite(one->gflop / reference->gflop) ? one->gflop / reference->gflop : 1;
	double speedup = (double)(reference->ladder.time[TV_LADDER_RUNG_RECORDED]
				  / one->ladder.time[TV_LADDER_RUNG_RECORDED]);
	double all, own, area = one->worth.bound, durations;
	const char *unknown[2];

	if (has_threads(one) != has_threads(reference)) {
		tv_set_finite(out->col[SPEEDUP], row, speedup);
		return 0;
	}
	durations = tv_counted_set(out, COUNTED, row, &reference->counted, &one->counted,
				   g * reference->counted.instructions / one->counted.instructions);
	if (has_threads(one)) {
		compare_threads(reference, one, durations, out, row);
		return 0;
	}
	if (bound_of(reference, reference, one, &all, &unknown[0], err) < 0
	    || bound_of(reference, one, one, &own, &unknown[1], err) < 0)
		return -1;
	tv_set_finite(out->col[SPEEDUP], row, speedup);
	tv_set_finite(out->col[IDEAL], row, reference->worth.bound / (g * all));
	tv_set_finite(out->col[RELATIVE], row, speedup * g * all / reference->worth.bound);
	tv_set_finite(out->col[COMPUTATION], row, g * all / area);
	tv_set_finite(out->col[WORK], row, g * all / own);
	tv_set_finite(out->col[DURATIONS], row, own / area);
	for (int i = 0; i < 2; i++)
		if (unknown[i] != NULL) {
			char *note = tv_format("no duration of '%s' from %s", unknown[i],
					       reference->run->label);

			tv_set_text(out->col[NOTE], row, note);
			tv_free(note);
		}
	return 0;
}

static size_t find_reference(const struct one *one, size_t n)
{
	size_t found = 0;

	for (size_t i = 1; i < n; i++)
		if (workers_of(&one[i]) < workers_of(&one[found]))
			found = i;
	return found;
}

static int judge(const struct one *one, const char *fail_if, struct tv_error *verdict,
		 struct tv_error *err)
{
	bool holds = false;

	if (fail_if != NULL && tv_factors_hold(&one->ladder, fail_if, &holds, err) < 0)
		return -1;
	if (holds && verdict->status == 0) {
		tv_fail(verdict, "%s: --fail-if %s: it holds", one->run->label, fail_if);
		verdict->status = TV_NEGATIVE;
	}
	return 0;
}

static int write_one(const struct one *one, const struct one *reference, struct tv_table *out,
		     struct tv_error *err)
{
	uint32_t row = tv_table_add_row(out);

	tv_set_text(out->col[RUN], row, one->run->label);
	tv_set_int(out->col[WORKERS], row, workers_of(one));
	tv_factors_set(out, FIRST, row, &one->ladder);
	return compare(reference, one, out, row, err);
}

int tv_efficiency_across(const struct tv_named_run *run, size_t n, const char *fail_if,
			 struct tv_table *out, struct tv_error *verdict, struct tv_error *err)
{
	struct one *one = tv_alloc(n, sizeof *one);
	int rc = 0;

	tv_add_fields(out, tv_across_columns, TV_ACROSS_COLUMNS);
	for (size_t i = 0; i < n && rc == 0; i++)
		rc = open_one(&one[i], &run[i], err);
	for (size_t i = 0; i < n && rc == 0; i++) {
		rc = write_one(&one[i], &one[find_reference(one, n)], out, err);
		if (rc == 0)
			rc = judge(&one[i], fail_if, verdict, err);
	}
	tv_table_finish(out);
	for (size_t i = 0; i < n; i++) {
		tv_ladder_release(&one[i].ladder);
		tv_worth_release(&one[i].worth);
	}
	tv_free(one);
	return rc;
}
