/* SPDX-License-Identifier: GPL-3.0-or-later */
/* what_if.c -- what would make the run shorter, by simulation: a ranked list of changes. */
#include <stdlib.h>
#include <string.h>

#include "analysis/bounds/changes.h"
#include "analysis/bounds/grain_advice.h"
#include "analysis/bounds/slow_tasks.h"
#include "analysis/core/processors.h"
#include "analysis/core/warnings.h"
#include "trace/alloc.h"
#include "trace/expr_equals.h"
#include "trace/sorted.h"
#include "trace/text.h"

enum { TYPES_MAX = 100 }; /* made faster one by one */

#define COLUMNS(X) \
	X(RANK, "Rank", TV_INT, false, "", "1 = greatest gain; missing = not ranked") \
	X(CHANGE, "What", TV_LABEL, false, "", "what is different from the recorded run") \
	X(MAKESPAN, "Makespan", TV_TIME, false, "ms", "makespan that it would give") \
	X(BASELINE, "Baseline", TV_TIME, false, "ms", \
	  "makespan without the change, found in the same way") \
	X(GAIN, "Gain", TV_TIME, false, "ms", "Baseline minus Makespan") \
	X(GAIN_PERCENT, "GainPercent", TV_DOUBLE, false, "%", "Gain / Baseline") \
	X(UNEXPLAINED, "Unexplained", TV_TIME, false, "ms", \
	  "how far Baseline, of schedulers the replay, is from the recorded makespan: its error") \
	X(NATURE, "Nature", TV_LABEL, false, "", "observed, simulated or estimate") \
	X(OPTIONS, "Options", TV_LABEL, false, "", "options of simulate that give it")

TV_COLUMNS(columns, COLUMNS)

/* A task type is sped up by this much: it takes 10 % less time. */
static const char *const faster = "1.1111111111111112";

static int replay(struct tv_changes *w, struct tv_error *err)
{
	const struct tv_simulation_options options = tv_change_nothing(w, "replay");

	if (tv_change_simulate(w, &options, &w->replayed, err) < 0)
		return -1;
	tv_change_add(w, tv_strdup("the recorded run"), NULL, w->recorded, w->recorded, "observed");
	tv_change_add(w,
		      tv_strdup(w->transfers ? "replay: no time between tasks but for transfers"
					     : "replay: no transfers and no time between tasks"),
		      tv_strdup("--scheduler replay --submission trace"), w->replayed, w->recorded,
		      "simulated");
	return 0;
}

/* Adds the change that --speed EXPR=FACTOR gives under a policy. Takes what (text). */
static int speed_up(struct tv_changes *w, const char *expr, const char *factor,
		    const char *scheduler, int64_t baseline, char *what, struct tv_error *err)
{
	char *speed = tv_format("%s=%s", expr, factor), *given = tv_shell_word(speed);
	const char *const list[] = { speed };
	struct tv_simulation_options options = tv_change_nothing(w, scheduler);
	int rc = tv_costs_speed(&w->simulator.costs, list, TV_COUNT(list), false, err);

	if (rc == 0)
		rc = tv_change_try(
			w, &options, what,
			tv_format("--scheduler %s --submission trace --speed %s", scheduler, given),
			baseline, err);
	else
		tv_free(what);
	tv_free(given);
	tv_free(speed);
	return rc == 0 ? tv_costs_speed(&w->simulator.costs, NULL, 0, false, err) : rc;
}

static int longest_first(const void *a, const void *b)
{
	return TV_COMPARE(*(const int64_t *)b, *(const int64_t *)a);
}

/* The shortest time of a type that is made faster: each is a simulation, so with more than TYPES_MAX types
 * those that take the most time are tried, and one warning counts the others. */
static int64_t shortest_time(struct tv_changes *w, const struct tv_grouping *types, int64_t *time)
{
	const struct tv_tasks *tasks = &w->run->tasks;
	int64_t *sorted, shortest, left_out = 0, all = 0;

	for (uint32_t row = 0; row < types->nrows; row++)
		if (types->of_row[row] != TV_NONE)
			time[types->of_row[row]] += tasks->end[row] - tasks->start[row];
	if (types->n <= TYPES_MAX)
		return INT64_MIN;
	sorted = tv_alloc(types->n, sizeof *sorted);
	memcpy(sorted, time, types->n * sizeof *sorted);
	qsort(sorted, types->n, sizeof *sorted, longest_first);
	shortest = sorted[TYPES_MAX - 1];
	for (uint32_t t = 0; t < types->n; t++) {
		all += sorted[t];
		left_out += t >= TYPES_MAX ? sorted[t] : 0;
	}
	tv_free(sorted);
	tv_run_warn(w->run,
		    "%u task types: only the %d that take the most time are made faster, each in "
		    "a simulation of its own (the others take %.1f %% of all time)",
		    types->n, TYPES_MAX, all > 0 ? 100 * (double)left_out / (double)all : 0);
	return shortest;
}

static int speed_types_up(struct tv_changes *w, struct tv_error *err)
{
	const struct tv_tasks *tasks = &w->run->tasks;
	struct tv_grouping types;
	int64_t *time, shortest;
	int rc = 0, tried = 0;

	tv_grouping_by_type(&types, tasks);
	time = tv_alloc(types.n, sizeof *time);
	shortest = shortest_time(w, &types, time);
	for (uint32_t t = 0; t < types.n && tried < TYPES_MAX && rc == 0; t++) {
		const char *name = tv_pool_text(tasks->pool, tv_grouping_label(&types, t));
		char *expr;

		if (time[t] < shortest)
			continue;
		tried++;
		expr = tv_expr_equals("Value", name);
		if (expr != NULL)
			rc = speed_up(w, expr, faster, "replay", w->replayed,
				      tv_format("%s 10 %% faster", name), err);
		tv_free(expr);
	}
	tv_grouping_release(&types);
	tv_free(time);
	return rc;
}

/* Tasks without their slowness: at their places in the recorded order, and where the policy gives their workers more. */
static int speed_slow_tasks(void *context, const char *expr, double ratio, const char *what,
			    struct tv_error *err)
{
	struct tv_changes *w = context;
	char *factor = tv_format("%.6g", ratio);
	int rc = speed_up(w, expr, factor, "replay", w->replayed, tv_format("%s, same tasks", what),
			  err);

	if (rc == 0)
		rc = speed_up(w, expr, factor, w->model, w->modeled,
			      tv_format("%s, scheduler %s", what, w->model), err);
	tv_free(factor);
	return rc;
}

static int free_messages(struct tv_changes *w, struct tv_error *err)
{
	struct tv_simulation_options options = tv_change_nothing(w, "replay");

	options.free_messages = true;
	return w->run->tasks.nnodes < 2
		     ? 0
		     : tv_change_try(
			     w, &options, tv_strdup("messages take no time"),
			     tv_strdup("--scheduler replay --submission trace --free-messages"),
			     w->replayed, err);
}

static int free_transfers(struct tv_changes *w, struct tv_error *err)
{
	struct tv_simulation_options options = tv_change_nothing(w, "replay");

	if (!w->transfers)
		return 0;
	options.transfers = "free";
	options.data_size = w->data_size = NULL; /* of no use */
	return tv_change_try(w, &options, tv_strdup("transfers take no time"),
			     tv_strdup("--scheduler replay --submission trace --transfers free"),
			     w->replayed, err);
}

/* What is simulated with other grains has no data, so transfers must not matter. */
static int change_grains(struct tv_changes *w, struct tv_error *err)
{
	struct tv_grain_advice *advice = NULL;
	size_t n = 0;
	int rc = w->transfers ? 0 : tv_grain_advise(w->run, &advice, &n, err);

	w->data_size = NULL; /* of no use */
	for (size_t i = 0; i < n; i++)
		tv_change_add(w, advice[i].text, advice[i].options, advice[i].makespan,
			      advice[i].baseline, "simulated");
	tv_free(advice);
	return rc;
}

/* A processor for each thread, where tasks lacked one for 1 % of the time of workers. */
static int end_waits(struct tv_changes *w, struct tv_error *err)
{
	const struct tv_clocked clocked = tv_clocked(&w->run->tasks, NULL);
	const struct tv_cost_options costs = { .durations = "task-clock" };
	const struct tv_simulation_options options = tv_change_nothing(w, "replay");
	struct tv_simulator was = w->simulator;
	int64_t makespan = 0;
	int rc;

	if (100 * (clocked.time - clocked.on_cpu) < (double)w->recorded * w->run->tasks.nworkers
	    || clocked.time <= clocked.on_cpu)
		return 0;
	rc = tv_simulator_init(&w->simulator, w->run, &costs, NULL, 0, err);
	if (rc == 0)
		rc = tv_change_simulate(w, &options, &makespan, err);
	tv_simulator_release(&w->simulator);
	w->simulator = was;
	if (rc == 0)
		tv_change_add(
			w, tv_strdup("each thread has a processor while it runs a task"),
			tv_strdup("--scheduler replay --submission trace --durations task-clock"),
			makespan, w->replayed, "simulated");
	return rc;
}

/* The bounds: a perfect schedule on this machine, and on one with workers without end. */
static int add_bounds(struct tv_changes *w, struct tv_error *err)
{
	const struct tv_table *bounds = tv_run_pass_with(w->run, "bounds", err, NULL);
	const struct tv_column *time;
	int64_t path = 0, best = 0;

	if (bounds == NULL)
		return -1;
	time = tv_table_find(bounds, "Time");
	for (uint32_t row = 0; row < bounds->nrows; row++) {
		const char *name = tv_table_text(bounds, "Bound", row);

		if (tv_label(tv_table_find(bounds, "Node"), row) != TV_NONE)
			continue;
		if (strcmp(name, "best-placed-chain") == 0)
			path = time->i[row];
		if ((strcmp(name, "best-placed-chain") == 0 || strcmp(name, "abe") == 0)
		    && time->i[row] > best)
			best = time->i[row];
	}
	tv_change_add(w, tv_strdup("perfect schedule (ABE or best-placed chain)"), NULL, best,
		      w->recorded, "estimate");
	if (path > 0) /* without dependencies there is none */
		tv_change_add(w, tv_strdup("workers without end (best-placed chain)"), NULL, path,
			      w->recorded, "estimate");
	w->unranked = w->n;
	return 0;
}

/* Greatest gain first; equal ones as they were added. */
static int by_gain(const void *a, const void *b)
{
	const struct tv_change *x = a, *y = b;
	int64_t gain_x = x->baseline - x->makespan, gain_y = y->baseline - y->makespan;

	return gain_x != gain_y ? TV_COMPARE(gain_y, gain_x) : strcmp(x->text, y->text);
}

static void write_change(const struct tv_change *change, struct tv_table *out)
{
	struct tv_column *const *to = out->col;
	uint32_t row = tv_table_add_row(out);
	int64_t gain = change->baseline - change->makespan;

	if (change->rank > 0)
		tv_set_int(to[RANK], row, change->rank);
	tv_set_text(to[CHANGE], row, change->text);
	tv_set_int(to[MAKESPAN], row, change->makespan);
	tv_set_int(to[BASELINE], row, change->baseline);
	tv_set_int(to[GAIN], row, gain);
	if (change->baseline > 0)
		tv_set_double(to[GAIN_PERCENT], row, 100 * (double)gain / (double)change->baseline);
	tv_set_int(to[UNEXPLAINED], row, change->unexplained);
	tv_set_text(to[NATURE], row, change->nature);
	tv_set_text(to[OPTIONS], row, change->options);
}

static void write_all(struct tv_changes *w, struct tv_table *out)
{
	uint32_t rank = 0;

	/* The first ones are the run itself and what no change can exceed. */
	qsort(w->change + w->unranked, w->n - w->unranked, sizeof *w->change, by_gain);
	for (size_t i = 0; i < w->n; i++) {
		struct tv_change *change = &w->change[i];

		if (i >= w->unranked && change->baseline - change->makespan > change->unexplained)
			change->rank = ++rank;
		write_change(change, out);
	}
}

struct asked {
	const char *data_size;
};

static int check_options(const struct tv_options *options, struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	int64_t size;

	return tv_parse_data_size(asked->data_size, &size, err);
}

static int run_what_if(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		       struct tv_error *err)
{
	const struct tv_cost_options costs = { .durations = "trace" };
	const struct asked *asked = options->chosen;
	struct tv_changes w = { .run = run,
				.recorded = tv_tasks_ended(&run->tasks) - run->tasks.begin,
				.locks = tv_warn_lock_waits(run),
				.data_size = asked->data_size };
	int rc;

	tv_warn_workers(run);
	if (!tv_tasks_know_dependencies(&run->tasks))
		tv_run_warn(
			run,
			"the trace has no dependencies: simulated tasks wait for nothing but their "
			"submission, so what other schedulers and workers gain may be too much");
	rc = tv_simulator_init(&w.simulator, run, &costs, NULL, 0, err);
	if (rc == 0) {
		tv_slow_workers_note(&w.simulator.costs, run, false);
		rc = replay(&w, err);
	}
	if (rc == 0)
		rc = add_bounds(&w, err);
	if (rc == 0)
		rc = tv_absences_of_run(&w.absences, run, err);
	if (rc == 0)
		rc = tv_change_scheduler(&w, err);
	if (rc == 0)
		rc = tv_change_absences(&w, err);
	if (rc == 0)
		rc = tv_change_submission(&w, err);
	if (rc == 0)
		rc = tv_change_workers(&w, err);
	if (rc == 0)
		rc = speed_types_up(&w, err);
	if (rc == 0)
		rc = tv_each_slow(run, speed_slow_tasks, &w, err);
	if (rc == 0)
		rc = end_waits(&w, err);
	if (rc == 0)
		rc = free_messages(&w, err);
	if (rc == 0)
		rc = free_transfers(&w, err);
	if (rc == 0)
		rc = change_grains(&w, err);
	if (rc == 0)
		write_all(&w, out);
	for (size_t i = 0; i < w.n; i++) {
		tv_free(w.change[i].text);
		tv_free(w.change[i].options);
	}
	tv_free(w.change);
	tv_absences_release(&w.absences);
	tv_simulator_release(&w.simulator);
	return rc;
}

static const struct tv_option_spec what_if_options[] = {
	{ "data-size", "SIZE", NULL,
	  "as of simulate: size of the data that have none in the trace, such as 2MiB",
	  TV_ASKED(data_size) },
};

const struct tv_pass tv_pass_what_if = {
	.name = "what-if",
	.summary = "What would make the run shorter: a ranked list, by simulation",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_COMPARE,
	.needs = "links variables events handles resources states calls",
	TV_PASS_OPTIONS_INTO(struct asked, what_if_options),
	TV_PASS_COLUMNS(columns),
	.notes =
		"The run is simulated as it was (replay: same workers, same order), then with one\n"
		"change at a time: other schedulers; each task type 10 % faster, messages and\n"
		"transfers without time, in the recorded order; one more worker of each type\n"
		"(simulate --add), under the scheduler that comes closest to the run; tasks that\n"
		"take the time in which they had a processor (task-clock); each slow worker or "
		"node\n"
		"(deviating-resources) as fast as others, in both ways, where it is slow for a "
		"time\n"
		"alone (three quarters of successive tasks are a fifth longer than usual) then,\n"
		"and a type that is slow on some workers (slow-type of diagnose) as fast there;\n"
		"workers that began late, left early or ran nothing while tasks waited\n"
		"(diagnose) take tasks all the time, other schedulers keep these absences; "
		"tasks "
		"of a type merged or\n"
		"split, only if that gains more than Unexplained and 5 % (merged not where tasks\n"
		"were without a processor for 10 % of their time). Gains are against the same\n"
		"simulation without the change; one not greater than Unexplained has no rank.\n"
		"Rows before rank 1 are no changes: the run, its simulation, bounds that no "
		"change\n"
		"passes; --top counts them, --where 'Rank <= 3' does not. -o FILE.pdf (.svg, "
		".png)\n"
		"draws the run and the change of rank 1. See simulate.",
	.example = "traceviz what-if data/cholesky-dmdas.csv",
	.windowless = true,
	.ranked = "Gain",
	.check = check_options,
	.run = run_what_if,
};
