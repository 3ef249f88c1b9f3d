/* SPDX-License-Identifier: GPL-3.0-or-later */
/* what_if.c -- what would make the run shorter, by simulation: a ranked list of changes. */
#include <stdlib.h>
#include <string.h>

#include "analysis/bounds/absent.h"
#include "analysis/bounds/grain_advice.h"
#include "analysis/bounds/slow_tasks.h"
#include "analysis/core/processors.h"
#include "analysis/core/warnings.h"
#include "analysis/core/worker_words.h"
#include "sim/model/policies.h"
#include "trace/alloc.h"
#include "trace/expr_equals.h"
#include "trace/number.h"
#include "trace/sorted.h"
#include "trace/text.h"
#include "trace/units.h"

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

struct change {
	char *text, *options; /* options of simulate that give it; NULL = none do */
	int64_t makespan, baseline, unexplained; /* ns */
	const char *nature;
	uint32_t rank; /* 0 = none */
};

struct changes {
	struct tv_run *run;
	struct tv_simulator simulator;
	struct change *change;
	size_t n, cap;
	size_t unranked;	     /* the first ones, which have no rank */
	int64_t recorded, replayed;  /* makespans, ns */
	struct tv_absences absences; /* of workers */
	const char *model; /* the policy that comes closest to the run, with its absences */
	int64_t present,
		modeled; /* its makespans: with them, and if all workers take tasks all the time */
	bool transfers;	 /* transfers between memory nodes are simulated */
	bool locks;	 /* tasks wait for locks for 1 % of their time or more */
	const char *data_size; /* of data without size; NULL = not given */
};

static int64_t distance(int64_t a, int64_t b)
{
	return a > b ? a - b : b - a;
}

static void add_change(struct changes *w, char *text, char *options, int64_t makespan,
		       int64_t baseline, const char *nature)
{
	if (options != NULL && w->data_size != NULL)
		tv_append(&options, " --data-size %s", w->data_size);
	TV_GROW(w->change, w->n, w->cap, 1);
	w->change[w->n++] = (struct change){
		text, options, makespan, baseline, distance(baseline, w->recorded), nature, 0
	};
}

static int simulate(struct changes *w, const struct tv_simulation_options *options,
		    int64_t *makespan, struct tv_error *err)
{
	struct tv_simulation simulation;

	if (tv_simulation_init(&simulation, &w->simulator, options, err) < 0)
		return -1;
	*makespan = simulation.schedule.makespan;
	w->transfers |= simulation.memory.simulated;
	tv_simulation_release(&simulation);
	return 0;
}

/* Adds what a simulation gives; takes text and given. */
static int try_change(struct changes *w, const struct tv_simulation_options *options, char *text,
		      char *given, int64_t baseline, struct tv_error *err)
{
	int64_t makespan;

	if (simulate(w, options, &makespan, err) < 0) {
		tv_free(text);
		tv_free(given);
		return -1;
	}
	add_change(w, text, given, makespan, baseline, "simulated");
	return 0;
}

static struct tv_simulation_options as_it_was(const struct changes *w, const char *scheduler)
{
	return (struct tv_simulation_options){ .scheduler = scheduler,
					       .submission = "trace",
					       .data_size = w->data_size };
}

static int replay(struct changes *w, struct tv_error *err)
{
	const struct tv_simulation_options options = as_it_was(w, "replay");

	if (simulate(w, &options, &w->replayed, err) < 0)
		return -1;
	add_change(w, tv_strdup("the recorded run"), NULL, w->recorded, w->recorded, "observed");
	add_change(w,
		   tv_strdup(w->transfers ? "replay: no time between tasks but for transfers"
					  : "replay: no transfers and no time between tasks"),
		   tv_strdup("--scheduler replay --submission trace"), w->replayed, w->recorded,
		   "simulated");
	return 0;
}

/* ---- schedulers, and workers that were absent ---- */

/* The option of simulate that keeps the absences of these kinds, or "". Free with tv_free. */
static char *keep_absent(const struct changes *w, unsigned kinds)
{
	char *option = tv_strdup("");

	for (int kind = 0; kind < TV_NABSENCES; kind++)
		if (w->absences.of[kind].n > 0 && (kinds >> kind & 1))
			tv_append(&option, "%s%s", option[0] == '\0' ? " --absent " : ",",
				  tv_absence_word[kind]);
	return option;
}

/* Simulates a policy where the workers that were absent in these ways still are. */
static int simulate_absent(struct changes *w, const char *scheduler, unsigned kinds,
			   int64_t *makespan, struct tv_error *err)
{
	const struct tv_simulation_options options = as_it_was(w, scheduler);
	struct tv_sim_presence *present = tv_absences_present(&w->absences, w->run->tasks.nworkers,
							      kinds);
	int rc;

	w->simulator.present = present;
	rc = simulate(w, &options, makespan, err);
	w->simulator.present = NULL;
	tv_free(present);
	return rc;
}

/* All policies, on the machine as it was; the one that comes closest to the run is the model of changes of the machine. */
static int try_schedulers(struct changes *w, struct tv_error *err)
{
	const char *of_run = tv_policy_of_run(w->run->trace);
	char *absent = keep_absent(w, ~0U);
	int rc = 0;

	for (uint32_t i = 0; i < tv_nschedulers && rc == 0; i++) {
		const char *name = tv_schedulers[i].name;
		int64_t makespan;

		if (!tv_policy_is_tried(&tv_schedulers[i], w->transfers,
					w->absences.of[TV_ABSENT_LEFT].n > 0))
			continue;
		rc = simulate_absent(w, name, ~0U, &makespan, err);
		if (rc < 0)
			break;
		add_change(w, tv_format("scheduler %s", name),
			   tv_format("--scheduler %s --submission trace%s", name, absent), makespan,
			   w->replayed, "simulated");
		if (w->model == NULL
		    || tv_policy_is_nearer(w->recorded, name, makespan, w->present, of_run)) {
			w->model = name;
			w->present = makespan;
		}
	}
	w->modeled = w->present;
	if (rc == 0 && absent[0] != '\0')
		rc = simulate_absent(w, w->model, 0, &w->modeled, err);
	tv_free(absent);
	return rc;
}

/* Workers that were absent take tasks all the time. */
static int end_absences(struct changes *w, struct tv_error *err)
{
	static const char *const text[] = {
		[TV_ABSENT_LATE] = "workers that began late",
		[TV_ABSENT_LEFT] = "workers that left early",
		[TV_ABSENT_UNUSED] = "workers that ran nothing",
	};
	_Static_assert(TV_COUNT(text) == TV_NABSENCES, "a text for each");

	for (int kind = 0; kind < TV_NABSENCES; kind++) {
		unsigned others = ~(1U << kind);
		char *absent;
		int64_t makespan;

		if (w->absences.of[kind].n == 0)
			continue;
		if (simulate_absent(w, w->model, others, &makespan, err) < 0)
			return -1;
		absent = keep_absent(w, others);
		add_change(
			w,
			tv_format("%s take tasks all the time, scheduler %s", text[kind], w->model),
			tv_format("--scheduler %s --submission trace%s", w->model, absent),
			makespan, w->present, "simulated");
		tv_free(absent);
	}
	return 0;
}

/* A replay keeps workers and order; the policy, where it is within 5 % of the run, has more tasks to choose from. The better one. */
static int submit_at_once(struct changes *w, struct tv_error *err)
{
	struct tv_simulation_options options = as_it_was(w, "replay");
	bool model = distance(w->modeled, w->recorded) <= w->recorded / 20;
	int64_t replayed, modeled = INT64_MAX;

	options.submission = "all-at-once";
	if (w->run->tasks.submit == NULL)
		return 0;
	if (simulate(w, &options, &replayed, err) < 0)
		return -1;
	options.scheduler = w->model;
	if (model && simulate(w, &options, &modeled, err) < 0)
		return -1;
	model = model && w->modeled - modeled > w->replayed - replayed
	     && w->modeled - modeled > distance(w->modeled, w->recorded);
	add_change(
		w, tv_strdup("all tasks submitted at the start"),
		tv_format("--scheduler %s --submission all-at-once", model ? w->model : "replay"),
		model ? modeled : replayed, model ? w->modeled : w->replayed, "simulated");
	return 0;
}

/* Whether --add can name a resource type. */
static bool is_addable(const struct tv_pool *pool, uint32_t rtype)
{
	const char *name = tv_pool_text(pool, rtype);

	return name[0] != '\0' && strpbrk(name, "=,") == NULL
	    && strlen(name) == tv_pool_length(pool, rtype);
}

static int add_workers(struct changes *w, struct tv_error *err)
{
	const struct tv_tasks *tasks = &w->run->tasks;
	int rc = 0;

	for (uint32_t r = 0; r < tasks->nrtypes && rc == 0; r++) {
		const char *name = tv_pool_text(tasks->pool, tasks->rtype[r].label);
		struct tv_simulation_options options = as_it_was(w, w->model);
		char *add, words[TV_WORKER_WORDS];

		if (!is_addable(tasks->pool, tasks->rtype[r].label)) {
			tv_run_warn(w->run,
				    "no worker of the resource type '%s' is added: --add "
				    "cannot name it",
				    name);
			continue;
		}
		options.add = add = tv_format("%s=1", name);
		rc = try_change(
			w, &options,
			tv_format("one more %s%s%s",
				  tv_before_workers(words, name)[0] == '\0' ? "worker" : name,
				  tasks->nnodes > 1 ? " on each node" : "",
				  w->locks ? ", waits for locks as recorded" : ""),
			tv_format("--scheduler %s --submission trace --add %s", w->model, add),
			w->modeled, err);
		tv_free(add);
	}
	return rc;
}

/* Adds the change that --speed EXPR=FACTOR gives under a policy. Takes what (text). */
static int speed_up(struct changes *w, const char *expr, const char *factor, const char *scheduler,
		    int64_t baseline, char *what, struct tv_error *err)
{
	char *speed = tv_format("%s=%s", expr, factor), *given = tv_shell_word(speed);
	const char *const list[] = { speed };
	struct tv_simulation_options options = as_it_was(w, scheduler);
	int rc = tv_costs_speed(&w->simulator.costs, list, TV_COUNT(list), false, err);

	if (rc == 0)
		rc = try_change(
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
static int64_t shortest_time(struct changes *w, const struct tv_grouping *types, int64_t *time)
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

static int speed_types_up(struct changes *w, struct tv_error *err)
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
	struct changes *w = context;
	char *factor = tv_format("%.6g", ratio);
	int rc = speed_up(w, expr, factor, "replay", w->replayed, tv_format("%s, same tasks", what),
			  err);

	if (rc == 0)
		rc = speed_up(w, expr, factor, w->model, w->modeled,
			      tv_format("%s, scheduler %s", what, w->model), err);
	tv_free(factor);
	return rc;
}

static int free_messages(struct changes *w, struct tv_error *err)
{
	struct tv_simulation_options options = as_it_was(w, "replay");

	options.free_messages = true;
	return w->run->tasks.nnodes < 2
		     ? 0
		     : try_change(
			     w, &options, tv_strdup("messages take no time"),
			     tv_strdup("--scheduler replay --submission trace --free-messages"),
			     w->replayed, err);
}

static int free_transfers(struct changes *w, struct tv_error *err)
{
	struct tv_simulation_options options = as_it_was(w, "replay");

	if (!w->transfers)
		return 0;
	options.transfers = "free";
	options.data_size = w->data_size = NULL; /* of no use */
	return try_change(w, &options, tv_strdup("transfers take no time"),
			  tv_strdup("--scheduler replay --submission trace --transfers free"),
			  w->replayed, err);
}

/* What is simulated with other grains has no data, so transfers must not matter. */
static int change_grains(struct changes *w, struct tv_error *err)
{
	struct tv_grain_advice *advice = NULL;
	size_t n = 0;
	int rc = w->transfers ? 0 : tv_grain_advise(w->run, &advice, &n, err);

	w->data_size = NULL; /* of no use */
	for (size_t i = 0; i < n; i++)
		add_change(w, advice[i].text, advice[i].options, advice[i].makespan,
			   advice[i].baseline, "simulated");
	tv_free(advice);
	return rc;
}

/* A processor for each thread, where tasks lacked one for 1 % of the time of workers. */
static int end_waits(struct changes *w, struct tv_error *err)
{
	const struct tv_clocked clocked = tv_clocked(&w->run->tasks, NULL);
	const struct tv_cost_options costs = { .durations = "task-clock" };
	const struct tv_simulation_options options = as_it_was(w, "replay");
	struct tv_simulator was = w->simulator;
	int64_t makespan = 0;
	int rc;

	if (100 * (clocked.time - clocked.on_cpu) < (double)w->recorded * w->run->tasks.nworkers
	    || clocked.time <= clocked.on_cpu)
		return 0;
	rc = tv_simulator_init(&w->simulator, w->run, &costs, NULL, 0, err);
	if (rc == 0)
		rc = simulate(w, &options, &makespan, err);
	tv_simulator_release(&w->simulator);
	w->simulator = was;
	if (rc == 0)
		add_change(
			w, tv_strdup("each thread has a processor while it runs a task"),
			tv_strdup("--scheduler replay --submission trace --durations task-clock"),
			makespan, w->replayed, "simulated");
	return rc;
}

/* The bounds: a perfect schedule on this machine, and on one with workers without end. */
static int add_bounds(struct changes *w, struct tv_error *err)
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
	add_change(w, tv_strdup("perfect schedule (ABE or best-placed chain)"), NULL, best,
		   w->recorded, "estimate");
	if (path > 0) /* without dependencies there is none */
		add_change(w, tv_strdup("workers without end (best-placed chain)"), NULL, path,
			   w->recorded, "estimate");
	w->unranked = w->n;
	return 0;
}

/* Greatest gain first; equal ones as they were added. */
static int by_gain(const void *a, const void *b)
{
	const struct change *x = a, *y = b;
	int64_t gain_x = x->baseline - x->makespan, gain_y = y->baseline - y->makespan;

	return gain_x != gain_y ? TV_COMPARE(gain_y, gain_x) : strcmp(x->text, y->text);
}

static void write_change(const struct change *change, struct tv_table *out)
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

static void write_all(struct changes *w, struct tv_table *out)
{
	uint32_t rank = 0;

	/* The first ones are the run itself and what no change can exceed. */
	qsort(w->change + w->unranked, w->n - w->unranked, sizeof *w->change, by_gain);
	for (size_t i = 0; i < w->n; i++) {
		struct change *change = &w->change[i];

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
	struct changes w = { .run = run,
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
		rc = try_schedulers(&w, err);
	if (rc == 0)
		rc = end_absences(&w, err);
	if (rc == 0)
		rc = submit_at_once(&w, err);
	if (rc == 0)
		rc = add_workers(&w, err);
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
