/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep.c -- the same run simulated on machines that differ in the number of workers of one type. */
#include "analysis/shared/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/number.h"

enum { SCHEDULER, RTYPE, WORKERS, MAKESPAN, SPEEDUP, EFFICIENCY, ABE, CPE };
enum { MAX_POINTS = 100000 };

const struct tv_field tv_sweep_columns[] = {
	[SCHEDULER] = { "Scheduler", TV_LABEL, false, "", "scheduling policy" },
	[RTYPE] = { "ResourceType", TV_LABEL, false, "", "type whose number of workers varies" },
	[WORKERS] = { "Workers", TV_INT, false, "", "workers of that type, on each node" },
	[MAKESPAN] = { "Makespan", TV_TIME, false, "ms", "of the simulated run" },
	[SPEEDUP] = { "Speedup", TV_DOUBLE, false, "",
		      "Makespan with the first number of the sweep / Makespan" },
	[EFFICIENCY] = { "Efficiency", TV_DOUBLE, false, "",
			 "Speedup / (Workers / first number of the sweep)" },
	[ABE] = { "Abe", TV_TIME, false, "ms", "area bound of that machine" },
	[CPE] = { "Cpe", TV_TIME, false, "ms", "critical path, the same for all" },
};
const size_t tv_nsweep_columns = TV_COUNT(tv_sweep_columns);

struct sweep {
	struct tv_run *run;
	uint32_t rtype;
	int64_t *workers; /* the numbers */
	size_t n, cap;
	struct tv_durations durations; /* of the whole run */
	struct tv_estimates estimates;
	int64_t cpe;
};

static int fail_syntax(const char *text, struct tv_error *err)
{
	return tv_fail_usage(
		err, "--sweep '%s', expected TYPE=A..B or TYPE=A,B,... as in CPU=1..64", text);
}

static int add_range(struct sweep *s, const char *text, const char *at, size_t n,
		     struct tv_error *err)
{
	const char *dots = memmem(at, n, "..", 2);
	size_t first = dots != NULL ? (size_t)(dots - at) : n;
	int64_t low, high;

	if (tv_parse_int(at, first, &low) != TV_PARSE_OK || low < 1 || low > 1000000)
		return fail_syntax(text, err);
	high = low;
	if (dots != NULL
	    && (tv_parse_int(dots + 2, n - first - 2, &high) != TV_PARSE_OK || high < low
		|| high > 1000000))
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
	const struct tv_tasks *tasks = &s->run->tasks;
	size_t name = strcspn(text, "=");

	if (text[name] == '\0')
		return fail_syntax(text, err);
	for (s->rtype = 0; s->rtype < tasks->nrtypes; s->rtype++) {
		const char *type = tv_pool_text(tasks->pool, tasks->rtype[s->rtype].label);

		if (strlen(type) == name && memcmp(type, text, name) == 0)
			break;
	}
	if (s->rtype == tasks->nrtypes)
		return tv_fail(err, "--sweep %s: the run has no workers of this type", text);
	for (const char *at = text + name + 1;;) {
		size_t n = strcspn(at, ",");

		if (add_range(s, text, at, n, err) < 0)
			return -1;
		if (at[n] == '\0')
			return 0;
		at += n + 1;
	}
}

/* The workers of other types on each node: as --resources gives them, or as recorded. */
static int count_others(const struct sweep *s, const char *resources, int64_t *count,
			struct tv_error *err)
{
	const struct tv_tasks *tasks = &s->run->tasks;

	for (uint32_t r = 0; r < tasks->nrtypes; r++) {
		const char *type = tv_pool_text(tasks->pool, tasks->rtype[r].label);
		size_t length = strlen(type);

		count[r] = resources != NULL ? 0 : tasks->rtype[r].nworkers / tasks->nnodes;
		if (resources == NULL && r != s->rtype
		    && tasks->rtype[r].nworkers % tasks->nnodes != 0)
			return tv_fail_usage(err,
					     "--sweep: the nodes have different numbers of %s, "
					     "expected --resources",
					     type);
		for (const char *at = resources; at != NULL && *at != '\0';) {
			size_t n = strcspn(at, ",");

			if (n > length && at[length] == '=' && memcmp(at, type, length) == 0
			    && tv_parse_int(at + length + 1, n - length - 1, &count[r])
				       != TV_PARSE_OK)
				count[r] = 0;
			at += n + (at[n] == ',');
		}
	}
	return 0;
}

static char *describe(const struct tv_tasks *tasks, const int64_t *count)
{
	char *all = tv_strdup("");

	for (uint32_t r = 0; r < tasks->nrtypes; r++) {
		char *longer = tv_format("%s%s%s=%lld", all, r > 0 ? "," : "",
					 tv_pool_text(tasks->pool, tasks->rtype[r].label),
					 (long long)count[r]);

		tv_free(all);
		all = longer;
	}
	return all;
}

/* The area bound of the whole run with these workers on each node; < 0: it has none. */
static int64_t find_abe(struct sweep *s, const int64_t *count)
{
	const struct tv_tasks *tasks = &s->run->tasks;
	double *workers = tv_alloc(tasks->nrtypes, sizeof *workers), bound = -1;
	double *ideal = tv_alloc((size_t)s->estimates.means[0].ntypes * tasks->nrtypes,
				 sizeof *ideal);
	struct tv_area area = s->durations.area;
	struct tv_error ignored;

	for (uint32_t r = 0; r < tasks->nrtypes; r++)
		workers[r] = (double)count[r] * tasks->nnodes;
	area.workers = workers;
	if (tv_area_bound(&area, &bound, ideal, &ignored) < 0)
		bound = -1;
	tv_free(workers);
	tv_free(ideal);
	return bound < 0 ? -1 : llround(bound);
}

static int sweep_one(struct sweep *s, struct tv_simulation_options options, int64_t *count,
		     struct tv_table *out, struct tv_error *err)
{
	const struct tv_tasks *tasks = &s->run->tasks;
	int64_t first = 0;

	for (size_t i = 0; i < s->n; i++) {
		struct tv_simulation simulation;
		int64_t makespan, abe;
		char *resources;
		uint32_t row;
		int rc;

		count[s->rtype] = s->workers[i];
		options.resources = resources = describe(tasks, count);
		rc = tv_simulation_init(&simulation, s->run, &options, err);
		tv_free(resources);
		if (rc < 0)
			return -1;
		makespan = simulation.schedule.makespan;
		tv_simulation_release(&simulation);
		abe = find_abe(s, count);
		first = i == 0 ? makespan : first;
		row = tv_table_add_row(out);
		tv_set_text(out->col[SCHEDULER], row, options.scheduler);
		tv_set_label(out->col[RTYPE], row, tasks->rtype[s->rtype].label);
		tv_set_int(out->col[WORKERS], row, s->workers[i]);
		tv_set_int(out->col[MAKESPAN], row, makespan);
		if (makespan > 0) {
			double speedup = (double)first / (double)makespan;

			tv_set_double(out->col[SPEEDUP], row, speedup);
			tv_set_double(out->col[EFFICIENCY], row,
				      speedup / ((double)s->workers[i] / (double)s->workers[0]));
		}
		if (abe >= 0)
			tv_set_int(out->col[ABE], row, abe);
		tv_set_int(out->col[CPE], row, s->cpe);
	}
	return 0;
}

static int sweep_all(struct sweep *s, const struct tv_simulation_options *options,
		     const char *schedulers, struct tv_table *out, struct tv_error *err)
{
	struct tv_simulation_options each = *options;
	int64_t *count = tv_alloc(s->run->tasks.nrtypes, sizeof *count);
	int rc = count_others(s, options->resources, count, err);

	for (const char *at = schedulers; rc == 0 && *at != '\0';) {
		size_t n = strcspn(at, ",");
		char *name = tv_strndup(at, n);

		each.scheduler = name;
		if (tv_scheduler_find(name) == NULL)
			rc = tv_fail_usage(err,
					   "--scheduler '%s', expected policies that "
					   "'traceviz simulate --help' lists",
					   schedulers);
		else
			rc = sweep_one(s, each, count, out, err);
		tv_free(name);
		at += n + (at[n] == ',');
	}
	tv_free(count);
	return rc;
}

static int find_cpe(struct sweep *s, struct tv_error *err)
{
	const struct tv_table *bounds = tv_run_pass_with(s->run, "bounds", err, NULL);

	if (bounds == NULL)
		return -1;
	for (uint32_t row = 0; row < bounds->nrows; row++)
		if (strcmp(tv_table_text(bounds, "Bound", row), "cpe") == 0)
			s->cpe = tv_table_find(bounds, "Time")->i[row];
	return 0;
}

int tv_sweep(struct tv_run *run, const struct tv_simulation_options *options, const char *text,
	     const char *schedulers, struct tv_table *out, struct tv_error *err)
{
	const char *statistic = strcmp(options->durations, "trace") == 0 ? "mean"
									 : options->durations;
	struct sweep s = { .run = run };
	struct tv_duration_rule rule;
	int rc;

	tv_table_init(out, run->trace->pool);
	for (size_t c = 0; c < tv_nsweep_columns; c++)
		tv_table_column(out, tv_sweep_columns[c].name, tv_sweep_columns[c].type, err);
	tv_estimates_init(&s.estimates, &run->tasks, false);
	rc = tv_duration_rule_init(&rule, run, statistic, NULL, NULL, run->trace->pool, err);
	if (rc == 0)
		rc = tv_durations_init(&s.durations, &rule, &run->tasks, &s.estimates.means[0],
				       err);
	if (rc == 0)
		rc = find_cpe(&s, err);
	if (rc == 0)
		rc = parse(&s, text, err);
	if (rc == 0)
		rc = sweep_all(&s, options, schedulers, out, err);
	tv_table_finish(out);
	tv_free(s.workers);
	tv_durations_release(&s.durations);
	tv_duration_rule_release(&rule);
	tv_estimates_release(&s.estimates);
	return rc;
}
