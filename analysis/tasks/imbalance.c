/* SPDX-License-Identifier: GPL-3.0-or-later */
/* imbalance.c -- how unevenly the load is shared, step by step, by three families of metrics. */
#include <math.h>

#include "analysis/core/statistics.h"
#include "analysis/core/warnings.h"
#include "analysis/tasks/load.h"
#include "analysis/tasks/step_work.h"
#include "trace/alloc.h"
#include "trace/near_names.h"
#include "trace/number.h"

#define COLUMNS(X) \
	X(FAMILY, "Family", TV_LABEL, false, "", \
	  "homogeneous, power or heterogeneous (see below)") \
	X(STEP, "Step", TV_INT, false, "", \
	  "number of the step, from 0; missing = the whole run or window") \
	X(START, "Start", TV_TIME, false, "ms", "its start") \
	X(END, "End", TV_TIME, false, "ms", "its end") \
	X(WORKERS, "Workers", TV_INT, false, "", "n: all workers, with or without tasks") \
	X(BUSIEST, "Busiest", TV_LABEL, false, "", \
	  "m: most loaded worker, of equal ones the first in figures; missing = none") \
	X(MAX, "Max", TV_DOUBLE, false, "%", "its utilization, max u") \
	X(MEAN, "Mean", TV_DOUBLE, false, "%", "a: utilization if the load were balanced") \
	X(SD, "SD", TV_DOUBLE, false, "%", \
	  "standard deviation of u, divisor n - 1; missing if n = 1") \
	X(IMBALANCE_TIME, "ImbalanceTime", TV_DOUBLE, false, "%", \
	  "share of the step that balance would save") \
	X(IMBALANCE_PERCENT, "ImbalancePercent", TV_DOUBLE, false, "%", \
	  "0 = balanced, 100 = one worker does all; missing where nobody " \
	  "computes or n = 1") \
	X(IDEAL, "IdealTime", TV_TIME, false, "ms", \
	  "heterogeneous: A, the area bound of the step's work")

TV_COLUMNS(columns, COLUMNS)

enum family { HOMOGENEOUS, POWER, HETEROGENEOUS, NFAMILIES };

static const char *const families[] = { "homogeneous", "power", "heterogeneous", "all" };

/* One step, or the whole range. */
struct part {
	int64_t begin, end;
	uint32_t slot;	     /* of its work */
	const int64_t *busy; /* by worker */
};

/* What is computed of it; shares of the step's length. NaN = undefined. */
struct metrics {
	uint32_t busiest; /* worker; TV_NONE when nobody computes */
	double max, mean, sd, time, percent;
	double ideal; /* ns */
};

struct loads {
	const struct tv_tasks *tasks;
	struct tv_load load;
	double *power; /* by worker; NULL = the family is left out */
	double total_power;
	struct tv_mix mix;
	double *share; /* by worker: its u in the step described last */
	struct tv_table *out;
};

/* What all families share: the most loaded worker, first of equals, and the spread. */
static struct metrics describe(struct loads *loads, const struct part *part)
{
	struct metrics m = { .busiest = TV_NONE, .percent = NAN, .ideal = NAN };
	uint32_t n = loads->tasks->nworkers;
	int64_t max = 0;

	for (uint32_t w = 0; w < n; w++) {
		loads->share[w] = (double)part->busy[w] / (double)(part->end - part->begin);
		if (part->busy[w] <= max)
			continue;
		max = part->busy[w];
		m.busiest = w;
		m.max = loads->share[w];
	}
	m.sd = tv_mean_sd(loads->share, n).sd;
	return m;
}

static void homogeneous(struct loads *loads, const struct part *part, struct metrics *m)
{
	uint32_t n = loads->tasks->nworkers;
	double d = (double)(part->end - part->begin);
	tv_int128 sum = 0, off;

	for (uint32_t w = 0; w < n; w++)
		sum += part->busy[w];
	m->mean = (double)sum / n / d;
	/* n times (largest - mean), exactly, so that equal loads give 0. */
	off = m->busiest == TV_NONE ? 0 : (tv_int128)n * part->busy[m->busiest] - sum;
	m->time = (double)off / n / d;
	if (m->busiest != TV_NONE && n > 1)
		m->percent = (double)off / ((double)part->busy[m->busiest] * (n - 1.0));
}

static void by_power(struct loads *loads, struct metrics *m)
{
	double off = 0, rest;

	/* max u - a = sum of p (max u - u) / P, where no term is negative. */
	for (uint32_t w = 0; w < loads->tasks->nworkers; w++) {
		m->mean += loads->share[w] * loads->power[w] / loads->total_power;
		off += (m->max - loads->share[w]) * loads->power[w];
	}
	m->time = off / loads->total_power;
	if (m->busiest == TV_NONE)
		return;
	rest = loads->total_power - loads->power[m->busiest];
	if (loads->tasks->nworkers > 1 && rest > 0)
		m->percent = m->time / m->max * (loads->total_power / rest);
}

static double clamp(double x)
{
	return x < 0 ? 0 : x > 1 ? 1 : x;
}

static int heterogeneous(struct loads *loads, const struct part *part, struct metrics *m,
			 struct tv_error *err)
{
	double d = (double)(part->end - part->begin), all, fewer;
	uint32_t rtype = m->busiest == TV_NONE ? TV_NONE : loads->tasks->workers[m->busiest].rtype;

	if (tv_mix_area(&loads->mix, part->slot, TV_NONE, &all, err) < 0
	    || (rtype != TV_NONE && tv_mix_area(&loads->mix, part->slot, rtype, &fewer, err) < 0))
		return -1;
	m->ideal = all;
	all = fmin(all, d);
	m->mean = all / d;
	m->time = clamp(m->max - m->mean);
	if (rtype != TV_NONE && all > 0)
		m->percent = clamp((m->max - m->mean) / m->max * (fmin(fewer, d) / all));
	return 0;
}

static void set_percent(struct tv_column *column, uint32_t row, double share)
{
	if (!isnan(share))
		tv_set_double(column, row, 100 * share);
}

static void write_row(struct loads *loads, enum family family, const struct part *part,
		      int64_t step, const struct metrics *m)
{
	const struct tv_tasks *tasks = loads->tasks;
	struct tv_column *const *to = loads->out->col;
	uint32_t row = tv_table_add_row(loads->out);

	tv_set_text(to[FAMILY], row, families[family]);
	if (step >= 0)
		tv_set_int(to[STEP], row, step);
	tv_set_int(to[START], row, part->begin);
	tv_set_int(to[END], row, part->end);
	tv_set_int(to[WORKERS], row, tasks->nworkers);
	if (m->busiest != TV_NONE)
		tv_set_label(to[BUSIEST], row, tasks->workers[m->busiest].resource);
	set_percent(to[MAX], row, m->max);
	set_percent(to[MEAN], row, m->mean);
	set_percent(to[SD], row, m->sd);
	set_percent(to[IMBALANCE_TIME], row, m->time);
	set_percent(to[IMBALANCE_PERCENT], row, m->percent);
	if (!isnan(m->ideal))
		tv_set_int(to[IDEAL], row, llround(fmin(m->ideal, 9e18)));
}

static int write_part(struct loads *loads, enum family family, const struct part *part,
		      int64_t step, struct tv_error *err)
{
	struct metrics m = describe(loads, part);

	if (family == POWER)
		by_power(loads, &m);
	else if (family == HOMOGENEOUS)
		homogeneous(loads, part, &m);
	else if (heterogeneous(loads, part, &m, err) < 0)
		return -1;
	write_row(loads, family, part, step, &m);
	return 0;
}

/* The whole range first, then its steps. */
static int write_family(struct loads *loads, enum family family, const int64_t *whole,
			struct tv_error *err)
{
	const struct tv_load *load = &loads->load;
	struct part part = { load->steps.begin, load->steps.end, TV_MIX_WHOLE, whole };

	if (load->nsteps == 0)
		return 0;
	if (write_part(loads, family, &part, -1, err) < 0)
		return -1;
	/* A single step is the whole range, written already. */
	for (uint32_t s = 0; s < load->nsteps && load->nsteps > 1; s++) {
		part.begin = tv_slices_begin(&load->steps, s);
		part.end = tv_slices_end(&load->steps, s);
		part.slot = s + 1;
		part.busy = load->busy + (size_t)s * load->nworkers;
		if (write_part(loads, family, &part, s, err) < 0)
			return -1;
	}
	return 0;
}

static int fail_task(const struct loads *loads, const char *task, struct tv_error *err)
{
	struct tv_near near;

	tv_near_init(&near, task);
	for (uint32_t t = 0; t < loads->mix.ntypes; t++)
		tv_near_offer(&near, tv_pool_text(loads->tasks->pool, loads->mix.type[t].label));
	return tv_fail(err, "--task: no task of type '%s' is counted%s; 'summary' lists the types",
		       task, tv_near_text(&near));
}

/* loads->power from the mean durations of one type; NULL with a warning where a type of workers
 * never ran it. */
static int find_power(struct tv_run *run, struct loads *loads, const char *task,
		      struct tv_error *err)
{
	uint32_t type = tv_mix_power_type(&loads->mix, task), missing;

	if (type == TV_NONE && task != NULL)
		return fail_task(loads, task, err);
	if (type == TV_NONE) {
		tv_run_warn(run, "no task type ran on every type of worker: the family "
				 "power is left out (see --task)");
		return 0;
	}
	loads->power = tv_alloc(loads->tasks->nworkers, sizeof *loads->power);
	tv_mix_power(&loads->mix, type, loads->power, &missing);
	if (missing != TV_NONE) {
		tv_free(loads->power);
		loads->power = NULL;
		tv_run_warn(run,
			    "%.60s never ran on a worker of type %.40s (or takes no "
			    "time): the family power is left out (see --task)",
			    tv_pool_text(run->tasks.pool, loads->mix.type[type].label),
			    tv_pool_text(run->tasks.pool, loads->tasks->rtype[missing].label));
		return 0;
	}
	for (uint32_t w = 0; w < loads->tasks->nworkers; w++)
		loads->total_power += loads->power[w];
	if (task == NULL)
		tv_run_warn(run,
			    "the family power weights workers by their speed at %.60s "
			    "(see --task)",
			    tv_pool_text(run->tasks.pool, loads->mix.type[type].label));
	return 0;
}

static int write_families(struct tv_run *run, struct loads *loads, int asked, const char *task,
			  struct tv_error *err)
{
	uint32_t n = loads->tasks->nworkers;
	int64_t *whole = tv_alloc(n, sizeof *whole);
	int rc = 0;

	loads->share = tv_alloc(n, sizeof *loads->share);
	for (size_t i = 0; i < (size_t)loads->load.nsteps * n; i++)
		whole[i % n] += loads->load.busy[i];
	if (asked == POWER || asked == NFAMILIES)
		rc = find_power(run, loads, task, err);
	for (int f = 0; f < NFAMILIES && rc == 0; f++)
		if ((asked == f || asked == NFAMILIES) && (f != POWER || loads->power != NULL))
			rc = write_family(loads, (enum family)f, whole, err);
	tv_free(whole);
	tv_free(loads->share);
	tv_free(loads->power);
	return rc;
}

struct asked {
	const char *step, *task;
	enum family family; /* NFAMILIES: all */
};

static int check_options(const struct tv_options *options, struct tv_error *err)
{
	const struct asked *asked = options->chosen;

	if (asked->family != POWER && asked->family != NFAMILIES && asked->task != NULL)
		return tv_fail_usage(err, "--task is of the family power, --family is %s",
				     families[asked->family]);
	return 0;
}

static int run_imbalance(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
			 struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	struct loads loads = { .tasks = tv_run_part(run), .out = out };
	int rc;

	tv_warn_workers(run);
	if (tv_load_init(&loads.load, run, asked->step, err) < 0)
		return -1;
	rc = tv_mix_init(&loads.mix, run, loads.load.steps, loads.load.nsteps, err);
	if (rc == 0)
		rc = write_families(run, &loads, asked->family, asked->task, err);
	tv_mix_release(&loads.mix);
	tv_load_release(&loads.load);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ TV_STEP_LOAD_ROW, TV_ASKED(step) },
	{ "family", "homogeneous|power|heterogeneous|all", "all", "measures to compute (see below)",
	  TV_OPTION_CHOICE, TV_ASKED(family) },
	{ "task", "TYPE", NULL,
	  "task type for --family power (default: the one with the most time that ran on all "
	  "types)",
	  TV_ASKED(task) },
};

const struct tv_pass tv_pass_imbalance = {
	.name = "imbalance",
	.summary = "Load imbalance between workers, per time step and for the run",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_BOUNDS,
	.columns = "Cpu CpuEnd Outlier Threshold MetricThreshold",
	.in_parts = tv_pass_always,
	.unordered = true,
	.beside = 100,
	.ranked = "ImbalanceTime",
	.sums = true,
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_COLUMNS(columns),
	.notes =
		"d is the length of the step (of its part in the window), u_r the time of worker\n"
		"r in counted tasks within it over d, 0 for workers without tasks; m is the\n"
		"worker with the largest u. The columns contain 100 times:\n"
		"  homogeneous    a = mean u                   ImbalanceTime = max u - a\n"
		"                 ImbalancePercent = (max u - a) / max u x n / (n - 1)\n"
		"  power          p_r = 1 / mean duration of the type --task on worker r over\n"
		"                 the whole run (where it never ran there: on workers of its\n"
		"                 type), P = sum p, a = sum(u_r p_r) / P,\n"
		"                 ImbalanceTime = max u - a\n"
		"                 ImbalancePercent = (max u - a) / max u x P / (P - p_m)\n"
		"  heterogeneous  f_v = sum over tasks of type v of (their part in the step /\n"
		"                 duration), w_vr = mean duration of v on resource type r among\n"
		"                 tasks that touch the step, without outliers (see the pass\n"
		"                 outliers; unless all are), A = min T in which the workers\n"
		"                 can run f at w (the area bound, see abe), B = the same with one\n"
		"                 worker fewer of m's type (d if that is impossible), both at\n"
		"                 most d: a = A / d, ImbalanceTime = max u - a within 0 .. 1,\n"
		"                 ImbalancePercent = (max u - a) / max u x B / A within 0 .. 1\n"
		"Two linear programs per step for heterogeneous: about 10^4 steps take seconds.\n"
		"Source: StarVZ's imbalance panels, with these corrections: unused workers\n"
		"count, the last step has its actual length, ties and idle steps are defined.",
	.example = "traceviz imbalance --step 100 data/cholesky.csv",
	.check = check_options,
	.run = run_imbalance,
};
