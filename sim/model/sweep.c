/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep.c -- the same run simulated on machines that differ in the number of workers of one type. */
#include "sim/model/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"

#define COLUMNS(X) \
	X(SCHEDULER, "Scheduler", TV_LABEL, false, "", "scheduling policy") \
	X(RTYPE, "ResourceType", TV_LABEL, false, "", "type whose number of workers varies") \
	X(WORKERS, "Workers", TV_INT, false, "", \
	  "workers of that type, with those of --add, on each node") \
	X(MAKESPAN, "Makespan", TV_TIME, false, "ms", \
	  "of the simulated run; with --repeats their median") \
	X(SPEEDUP, "Speedup", TV_DOUBLE, false, "", \
	  "Makespan of the first row with this Scheduler and Model / Makespan") \
	X(EFFICIENCY, "Efficiency", TV_DOUBLE, false, "", "Speedup / Ideal") \
	X(ABE, "Abe", TV_TIME, false, "ms", "area bound of that machine") \
	X(CPE, "Cpe", TV_TIME, false, "ms", "critical path, each task on its fastest type") \
	X(MIN, "MinMakespan", TV_TIME, false, "ms", "of the repeats") \
	X(MAX, "MaxMakespan", TV_TIME, false, "ms", "of the repeats") \
	X(IDEAL, "Ideal", TV_DOUBLE, false, "", "Workers / Workers of the first row") \
	X(ABE_SPEEDUP, "AbeSpeedup", TV_DOUBLE, false, "", "Speedup if Makespan were Abe") \
	X(CPE_SPEEDUP, "CpeSpeedup", TV_DOUBLE, false, "", "Speedup if Makespan were Cpe") \
	X(MODEL, "Model", TV_LABEL, false, "", "of memory accesses; missing without a platform") \
	X(MIN_SPEEDUP, "MinSpeedup", TV_DOUBLE, false, "", "Speedup if Makespan were MaxMakespan") \
	X(MAX_SPEEDUP, "MaxSpeedup", TV_DOUBLE, false, "", "Speedup if Makespan were MinMakespan") \
	X(MIN_EFFICIENCY, "MinEfficiency", TV_DOUBLE, false, "", "MinSpeedup / Ideal") \
	X(MAX_EFFICIENCY, "MaxEfficiency", TV_DOUBLE, false, "", "MaxSpeedup / Ideal") \
	X(TASKS, "Tasks", TV_INT, false, "", "simulated tasks") \
	X(GFLOPS, "GFlops", TV_DOUBLE, false, "10^9/s", \
	  "floating-point operations per second: the sum of GFlop of these tasks / " \
	  "Makespan; missing if one has none") \
	X(SIMULATION_TIME, "SimulationTime", TV_TIME, false, "ms", \
	  "CPU time of a simulation, the mean of the repeats; only with " \
	  "--simulation-time, as it differs from run to run")

enum { COLUMNS(TV_COLUMN_ID) };
enum { MAX_POINTS = 100000, MAX_WORKERS = 1000000 };

const struct tv_field tv_sweep_columns[] = { COLUMNS(TV_COLUMN_ROW) };
const size_t tv_nsweep_columns = TV_COUNT(tv_sweep_columns);

struct sweep {
	struct tv_simulator of;
	uint32_t rtype;
	int64_t *workers; /* the numbers */
	int64_t *added;	  /* by resource type: those of --add, on each node */
	size_t n, cap;
	uint64_t seed;
	uint32_t repeats;
	int64_t *makespan; /* of the repeats, ascending */
	int64_t tasks;
	double gflop;	  /* of all tasks; < 0: not known */
	bool timed;	  /* the time of simulations is wanted */
	int64_t cpu_time; /* of the last machine, mean, ns */
};

static int fail_syntax(const char *text, struct tv_error *err)
{
	return tv_fail_usage(
		err,
		"--sweep '%s', expected TYPE=A..B or TYPE=A,B,... as in CPU=1..64, numbers from 1 "
		"to %d",
		text, MAX_WORKERS);
}

static int add_range(struct sweep *s, const char *text, const char *at, size_t n,
		     struct tv_error *err)
{
	const char *dots = memmem(at, n, "..", 2);
	size_t first = dots != NULL ? (size_t)(dots - at) : n;
	int64_t low, high;

	if (tv_parse_int(at, first, &low) != TV_PARSE_OK || low < 1 || low > MAX_WORKERS)
		return fail_syntax(text, err);
	high = low;
	if (dots != NULL
	    && (tv_parse_int(dots + 2, n - first - 2, &high) != TV_PARSE_OK || high < low
		|| high > MAX_WORKERS))
		return fail_syntax(text, err);
	if (s->n + (size_t)(high - low) >= MAX_POINTS)
		return tv_fail_usage(err, "--sweep '%s': more than %d machines", text, MAX_POINTS);
	for (int64_t i = low; i <= high; i++) {
		TV_GROW(s->workers, s->n, s->cap, 1);
		s->workers[s->n++] = i;
	}
	return 0;
}

static int parse(struct sweep *s, const char *text, struct tv_error *err)
{
	size_t name = strcspn(text, "=");

	if (text[name] == '\0')
		return fail_syntax(text, err);
	for (const char *at = text + name + 1;;) {
		size_t n = strcspn(at, ",");

		if (add_range(s, text, at, n, err) < 0)
			return -1;
		if (at[n] == '\0')
			return 0;
		at += n + 1;
	}
}

int tv_sweep_check(const char *text, struct tv_error *err)
{
	struct sweep s = { 0 };
	int rc = parse(&s, text, err);

	tv_free(s.workers);
	return rc;
}

/* Adds the workers of TYPE=N,... to those of each type. */
static int add_numbers(const struct sweep *s, const char *option, const char *text, int64_t *count,
		       struct tv_error *err)
{
	struct tv_type_number entry;

	for (const char *at = text; at != NULL && *at != '\0';) {
		if (!tv_next_type_number(option, text, &at, &entry, err))
			return -1;
		count[tv_costs_rtype(&s->of.costs, entry.name, entry.length)] +=
			(int64_t)entry.number;
	}
	return 0;
}

/* The workers of all types on each node: as --resources gives them, or as recorded; a platform has one
 * type. */
static int count_workers(const struct sweep *s, const char *resources, bool platform,
			 int64_t *count, struct tv_error *err)
{
	const struct tv_tasks *tasks = &s->of.run->tasks;

	for (uint32_t r = 0; resources == NULL && !platform && r < tasks->nrtypes; r++) {
		count[r] = tasks->rtype[r].nworkers / tasks->nnodes;
		if (r != s->rtype && tasks->rtype[r].nworkers % tasks->nnodes != 0)
			return tv_fail_usage(err,
					     "--sweep: the nodes have different numbers of %s, "
					     "expected --resources",
					     tv_pool_text(tasks->pool, tasks->rtype[r].label));
	}
	return add_numbers(s, "resources", resources, count, err);
}

static char *describe(const struct sweep *s, const int64_t *count)
{
	const struct tv_pool *pool = s->of.run->tasks.pool;
	char *all = tv_strdup("");

	for (uint32_t r = 0; r < s->of.costs.nrtypes; r++)
		tv_append(&all, "%s%s=%lld", r > 0 ? "," : "",
			  tv_pool_text(pool, s->of.costs.rtype[r]), (long long)count[r]);
	return all;
}

static void find_bounds(const struct sweep *s, const int64_t *count, double *abe, double *cpe)
{
	double *workers = tv_alloc(s->of.costs.nrtypes, sizeof *workers);

	for (uint32_t r = 0; r < s->of.costs.nrtypes; r++)
		workers[r] = (double)(count[r] + s->added[r]) * s->of.nnodes;
	tv_costs_bounds(&s->of.costs, workers, abe, cpe);
	tv_free(workers);
}

/* The number of tasks, and of their operations. */
static void count_work(struct sweep *s)
{
	const struct tv_tasks *tasks = &s->of.run->tasks;
	const struct tv_column *gflop = tv_table_find(&tasks->trace->table[TV_TASKS], "GFlop");

	for (uint32_t v = 0; v < s->of.dag->n; v++) {
		uint32_t row = s->of.dag->row[v];

		if (!s->of.work[v] || !tv_row_begins(tasks, row))
			continue;
		s->tasks++;
		s->gflop = gflop == NULL || tv_missing(gflop, row) || s->gflop < 0
				 ? -1
				 : s->gflop + gflop->d[row];
	}
}

static int64_t cpu_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* s->makespan of the machine, once for each seed. */
static int simulate_repeats(struct sweep *s, struct tv_simulation_options *options,
			    struct tv_error *err)
{
	int64_t begin = cpu_time();

	for (uint32_t i = 0; i < s->repeats; i++) {
		struct tv_simulation simulation;

		options->on.seed = s->seed + i;
		if (s->repeats > 1)
			tv_costs_draw(&s->of.costs, s->seed + i);
		if (tv_simulation_init(&simulation, &s->of, options, err) < 0)
			return -1;
		s->makespan[i] = simulation.schedule.makespan;
		tv_simulation_release(&simulation);
	}
	s->cpu_time = (cpu_time() - begin) / s->repeats;
	qsort(s->makespan, s->repeats, sizeof *s->makespan, tv_compare_int64);
	return 0;
}

static void set_speedup(struct tv_column *column, uint32_t row, int64_t first, double time)
{
	if (time > 0)
		tv_set_double(column, row, (double)first / time);
}

/* A bound, ns; < 0 = none. */
static void set_bound(struct tv_table *out, int bound, int speedup, uint32_t row, int64_t first,
		      double time)
{
	if (time >= 0)
		tv_set_int(out->col[bound], row, llround(time));
	set_speedup(out->col[speedup], row, first, time);
}

/* The speedup and the efficiency of a makespan. */
static void set_both(struct tv_table *out, int speedup, int efficiency, uint32_t row, int64_t first,
		     int64_t makespan)
{
	set_speedup(out->col[speedup], row, first, (double)makespan);
	if (makespan > 0)
		tv_set_double(out->col[efficiency], row,
			      out->col[speedup]->d[row] / out->col[IDEAL]->d[row]);
}

static int sweep_one(struct sweep *s, struct tv_simulation_options options, int64_t *count,
		     struct tv_table *out, struct tv_error *err)
{
	int64_t first = 0, added = s->added[s->rtype];

	for (size_t i = 0; i < s->n; i++) {
		int64_t makespan;
		double abe, cpe;
		char *resources;
		uint32_t row;
		int rc;

		count[s->rtype] = s->workers[i];
		options.resources = resources = describe(s, count);
		rc = simulate_repeats(s, &options, err);
		tv_free(resources);
		if (rc < 0)
			return -1;
		makespan = tv_median_int64(s->makespan, s->repeats);
		find_bounds(s, count, &abe, &cpe);
		first = i == 0 ? makespan : first;
		row = tv_table_add_row(out);
		tv_set_text(out->col[SCHEDULER], row, options.scheduler);
		if (options.on.platform != NULL)
			tv_set_text(out->col[MODEL], row, options.on.model);
		tv_set_label(out->col[RTYPE], row, s->of.costs.rtype[s->rtype]);
		tv_set_int(out->col[WORKERS], row, s->workers[i] + added);
		tv_set_int(out->col[MAKESPAN], row, makespan);
		tv_set_double(out->col[IDEAL], row,
			      (double)(s->workers[i] + added) / (double)(s->workers[0] + added));
		set_both(out, SPEEDUP, EFFICIENCY, row, first, makespan);
		set_both(out, MIN_SPEEDUP, MIN_EFFICIENCY, row, first, s->makespan[s->repeats - 1]);
		set_both(out, MAX_SPEEDUP, MAX_EFFICIENCY, row, first, s->makespan[0]);
		set_bound(out, ABE, ABE_SPEEDUP, row, first, abe);
		set_bound(out, CPE, CPE_SPEEDUP, row, first, cpe);
		tv_set_int(out->col[MIN], row, s->makespan[0]);
		tv_set_int(out->col[MAX], row, s->makespan[s->repeats - 1]);
		tv_set_int(out->col[TASKS], row, s->tasks);
		if (s->gflop >= 0 && makespan > 0)
			tv_set_double(out->col[GFLOPS], row, s->gflop / ((double)makespan / 1e9));
		if (s->timed)
			tv_set_int(out->col[SIMULATION_TIME], row, s->cpu_time);
	}
	return 0;
}

/* The next of several names with commas between, which the caller frees; NULL = no more. */
static char *next_name(const char **at)
{
	size_t n = strcspn(*at, ",");
	char *name = **at != '\0' ? tv_strndup(*at, n) : NULL;

	*at += n + ((*at)[n] == ',');
	return name;
}

static int sweep_models(struct sweep *s, const struct tv_simulation_options *options,
			int64_t *count, struct tv_table *out, struct tv_error *err)
{
	struct tv_simulation_options each = *options;
	const char *at = options->on.model;
	int rc = 0;

	for (char *model; rc == 0 && (model = next_name(&at)) != NULL; tv_free(model)) {
		each.on.model = model;
		/* The others need these. */
		if (strcmp(model, "task") == 0)
			each.on.overlap = each.on.placement = each.on.scratch = each.data_size =
				NULL;
		rc = sweep_one(s, each, count, out, err);
		each = *options;
	}
	return rc;
}

static int sweep_all(struct sweep *s, const struct tv_simulation_options *options,
		     const char *schedulers, struct tv_table *out, struct tv_error *err)
{
	struct tv_simulation_options each = *options;
	int64_t *count = tv_alloc(s->of.costs.nrtypes, sizeof *count);
	int rc = count_workers(s, options->resources, options->on.platform != NULL, count, err);

	s->added = tv_alloc(s->of.costs.nrtypes, sizeof *s->added);
	if (rc == 0)
		rc = add_numbers(s, "add", options->add, s->added, err);

	for (char *name; rc == 0 && (name = next_name(&schedulers)) != NULL; tv_free(name)) {
		each.scheduler = name;
		if (tv_scheduler_find(name) == NULL)
			rc = tv_fail_usage(err,
					   "--scheduler '%s', expected policies that "
					   "'traceviz simulate --help' lists",
					   options->scheduler);
		else
			rc = sweep_models(s, &each, count, out, err);
	}
	tv_free(count);
	return rc;
}

int tv_sweep(struct tv_run *run, const struct tv_simulation_options *options, const char *text,
	     const char *schedulers, uint32_t repeats, bool timed, struct tv_table *out,
	     struct tv_error *err)
{
	/* The type of the sweep is one of the machine, whatever its number. */
	char *type = tv_format("%.*s=1", (int)strcspn(text, "="), text);
	const char *const more[] = { options->resources, options->add, type,
				     options->on.platform != NULL ? TV_PLATFORM_TYPE "=1" : NULL };
	struct sweep s = { .seed = options->costs.seed,
			   .repeats = repeats,
			   .timed = timed,
			   .makespan = tv_alloc(repeats, sizeof *s.makespan) };
	int rc;

	tv_table_init(out, run->trace->pool);
	for (size_t c = 0; c < tv_nsweep_columns; c++)
		tv_table_column(out, tv_sweep_columns[c].name, tv_sweep_columns[c].type, err);
	rc = tv_simulator_init(&s.of, run, &options->costs, more, TV_COUNT(more), err);
	if (rc == 0 && options->on.platform != NULL
	    && tv_platform_by_kind(options->on.platform, &s.of.costs))
		rc = tv_fail(err,
			     "--sweep: the cores of the platform are of several kinds, and only "
			     "workers of one type are counted");
	if (rc == 0)
		rc = parse(&s, text, err);
	if (rc == 0) {
		count_work(&s);
		s.rtype = tv_costs_rtype(&s.of.costs, text, strcspn(text, "="));
		tv_slow_workers_note(&s.of.costs, run, true);
		rc = sweep_all(&s, options, schedulers, out, err);
	}
	tv_table_finish(out);
	tv_free(s.workers);
	tv_free(s.makespan);
	tv_free(s.added);
	tv_free(type);
	tv_simulator_release(&s.of);
	return rc;
}
