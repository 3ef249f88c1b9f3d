/* SPDX-License-Identifier: GPL-3.0-or-later */
/* waiting.c -- findings about idle time. */
#include <math.h>

#include "analysis/core/idle.h"
#include "analysis/core/worker_words.h"
#include "analysis/data/transfer_list.h"
#include "analysis/diagnose/evidence.h"
#include "trace/text.h"

/* A finding about idle time of certain causes, if it is long enough. */
static bool idle_for(struct tv_case *c, struct tv_found *found, const char *const *cause,
		     const char *const *blame, size_t n)
{
	int64_t time = 0, worker = 0;

	for (size_t i = 0; i < n; i++) {
		int64_t t, w;

		tv_case_sum(c, TV_ACCOUNT_IDLE, cause[i], blame[i], TV_NONE, &t, &w);
		time += t;
		worker += w;
	}
	found->holds = time >= c->min_ns && time > 0;
	found->time_ns = time;
	found->worker_ns = worker;
	return found->holds;
}

/* ---- causes ---- */

/* The same of devices, which launches keep busy. */
static void word_launches(const struct tv_case *c, struct tv_found *found)
{
	struct tv_waited waited = tv_case_waited(c);
	char worker[TV_WORDS_OF_ALL], time[TV_WORDS_OF_ALL], longest[32];

	found->title = tv_strdup("launches come late");
	found->action = "Launch earlier: do not wait for the device between launches, or launch "
			"many kernels at once (graphs of CUDA or HIP).";
	found->text = tv_format("Devices did nothing for %s because no work was launched.",
				tv_words_of_all(worker, c, found->worker_ns));
	if (waited.until.time >= c->min_ns && waited.until.time > 0)
		tv_append(&found->text,
			  " After calls in which the program waited for the device (%s), it took "
			  "%s until the next launch.",
			  tv_pool_text(c->tasks->pool, waited.until.call),
			  tv_words_of_all(time, c, waited.until.time));
	if (waited.in.time < c->min_ns || waited.in.time == 0)
		return;
	tv_append(&found->text,
		  " Calls that launch tasks made them wait for %s more, a call of %s longest: %s.",
		  tv_words_of_all(time, c, waited.in.time),
		  tv_pool_text(c->tasks->pool, waited.in.call),
		  tv_words_time(longest, waited.in.longest));
	if (waited.in.time > found->worker_ns)
		found->action = "Look at the longest calls: the first launch of a kernel loads its "
				"code. Leave such launches out of what you measure, or make them "
				"before.";
}

/* Idle time because tasks are not submitted, if it is long enough. */
static bool lacks_submission(struct tv_case *c, struct tv_found *found)
{
	static const char *const cause[] = { "not-submitted", "dependencies" }, *const blame[] = {
		NULL, "submission"
	};
	struct tv_idle_at_barriers barriers;
	const struct tv_serial_part *serial;
	struct tv_mpi_idle mpi;
	int64_t time, in, loops; /* of threads that wait for others in loops */

	if (!idle_for(c, found, cause, blame, TV_COUNT(cause)))
		return false;
	/* While the program waits for its tasks it cannot submit others: that is a barrier. Nor while the thread
	 * that submits is in a call of MPI, or in a loop that all threads share. */
	barriers = tv_case_barriers(c);
	mpi = tv_case_mpi_idle(c);
	tv_case_sum(c, TV_ACCOUNT_IDLE, tv_idle_cause_name(TV_IDLE_IN_LOOP), NULL, TV_NONE, &time,
		    &in);
	loops = c->loops.inside > in ? c->loops.inside - in : 0;
	time = loops / c->tasks->nworkers; /* OpenMP has one type of workers */
	/* Or works itself, outside of tasks, which is no idle time. */
	serial = tv_case_serial_part(c);
	found->alone = serial->idle + serial->own + mpi.time + time
		     > 0.1L * (long double)found->time_ns;
	found->waits = serial->idle + serial->own + barriers.time_before + mpi.time + time
		     > 0.1L * (long double)found->time_ns;
	found->time_ns -= (int64_t)(barriers.time_before + serial->idle + serial->own + mpi.time)
			+ time;
	found->worker_ns -= tv_sum_ns(barriers.before + serial->worker + serial->time + mpi.worker
				      + loops);
	found->holds = found->time_ns >= c->min_ns && found->time_ns > 0;
	return found->holds;
}

static int find_window_limit(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const struct tv_dag *dag = tv_run_dag(c->run, err);
	char worker[TV_WORDS_OF_ALL];
	bool waits = lacks_submission(c, found);

	if (dag == NULL)
		return -1;
	c->window = tv_case_window(c, dag);
	found->holds = c->window > 0;
	if (!found->holds)
		return 0;
	found->confidence = TV_ESTIMATE;
	/* Workers that wait for tasks which are submitted late, as others before them are, do not show it. */
	found->by_gain = !waits;
	if (!waits)
		found->time_ns = found->worker_ns = TV_UNKNOWN;
	found->text = !waits ? tv_strdup("Workers lacked tasks that could run.")
			     : tv_format(
				     "Workers did nothing for %s because tasks were not submitted "
				     "yet.",
				     tv_words_of_all(worker, c, found->worker_ns));
	tv_append(&found->text,
		  " At most %u tasks are submitted and have not ended; nearly all the time they "
		  "are so many, and the next one is submitted when one has ended.",
		  c->window);
	return 0;
}

const struct tv_rule tv_rule_window_limit = {
	.id = "window-limit",
	.title = "the number of submitted tasks is limited",
	.condition =
		"what submission measures is 1 % of the makespan, or a simulation with all tasks "
		"submitted at the start gains, on one node; the most tasks that are ever submitted "
		"and have not ended are reached at ten times the later "
		"rate of submissions or more, and from then on up to the last one so many are (of "
		"8 or "
		"more: or one less) for nine tenths of the time",
	.measures = "what submission measures",
	.action = "Raise the limit of submitted tasks, or submit those earlier that can run.",
	.in.starpu = "a larger STARPU_LIMIT_MAX_SUBMITTED_TASKS",
	.picture = "--panels spacetime,submitted,ready,idle-causes",
	.without = TV_WITHOUT_SUBMISSION,
	.find = find_window_limit,
};

/* Creating tasks is its work, which no other time of submission shortens. */
static void word_only_thread(struct tv_found *found)
{
	char worker[32];

	found->text = tv_format("The only thread also creates the tasks: between them it works for "
				"%s.",
				tv_words_time(worker, found->worker_ns));
	found->action = "Use more threads, or make tasks larger, so that it creates fewer of them.";
	found->alone = true;
}

static int find_submission(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	char worker[TV_WORDS_OF_ALL];

	(void)err;
	if (c->window > 0 || !lacks_submission(c, found))
		return 0;
	if (c->tasks->nworkers == 1 && tv_case_runtimes(c) & TV_OPENMP)
		word_only_thread(found);
	else if (tv_case_on_devices(c))
		word_launches(c, found);
	else
		found->text = tv_format(
			"Workers did nothing for %s because tasks were not submitted "
			"yet.",
			tv_words_of_all(worker, c, found->worker_ns));
	if (found->waits && found->action == NULL) /* barriers has the waits */
		found->action = "Submit tasks faster: give the thread that submits a core of its "
				"own, create tasks in several threads, or make them larger.";
	return 0;
}

const struct tv_rule tv_rule_submission = {
	.id = "submission",
	.title = "submission is too slow",
	.condition = "idle time because tasks are not submitted costs 1 % of the makespan, and not "
		     "because their number is limited (window-limit); nor where another cause is "
		     "found, and by simulation the run is not shorter without it",
	.measures =
		"idle time of the cause not-submitted, and of dependencies blamed on submission, "
		"without that around the ends of phases (see barriers) and that in parallel loops",
	.action = "Submit tasks earlier: do not wait for tasks between submissions.",
	.how = "Give the thread that submits a core of its own, create tasks in several threads, "
	       "or make them larger.",
	.in.starpu = "STARPU_MAIN_THREAD_BIND=1, and no low STARPU_LIMIT_MAX_SUBMITTED_TASKS",
	.in.openmp = "taskloop, nested tasks",
	.picture = "--panels spacetime,submitted,ready,idle-causes",
	.without = TV_WITHOUT_SUBMISSION,
	.find = find_submission,
};

static int find_elsewhere(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	char worker[TV_WORDS_OF_ALL];

	(void)err;
	tv_case_elsewhere(c, &found->time_ns, &found->worker_ns);
	found->holds = found->time_ns >= c->min_ns && found->time_ns > 0;
	if (!found->holds)
		return 0;
	found->text = tv_format("Workers did nothing for %s while ready tasks that they "
				"could run waited for other workers.",
				tv_words_of_all(worker, c, found->worker_ns));
	if (c->account.ntypes > 1) {
		found->see = "crowded";
		found->apart = (double)found->time_ns
			     > 2 * (c->account.placement - c->account.bound);
	}
	found->command = tv_case_plot(c, "elsewhere", "--panels spacetime,ready,idle-causes", 0, 0);
	return 0;
}

const struct tv_rule tv_rule_elsewhere = {
	.id = "elsewhere",
	.title = "tasks wait for other workers",
	.condition = "idle time while a task that the worker could run waits for another one costs "
		     "1 % of the makespan",
	.measures =
		"idle time of the cause elsewhere, but that of unused-workers, late-workers and "
		"leaving-workers",
	.action = "Try another scheduler: this one keeps tasks for workers that are busy.",
	.in.starpu = "STARPU_SCHED=dmdas, or lws where all workers are alike",
	.see = "imbalance",
	.without = TV_WITHOUT_SCHEDULE,
	.find = find_elsewhere,
};

/* The memory node from or to which transfers are under way for 95 % of the time until the last of them ends, for half of the run or more,
 * one at a time: none of them could come earlier. TV_NONE = none. */
static uint32_t find_full(const struct tv_case *c, const struct tv_data_transfers *transfers)
{
	const struct tv_memories *memories = tv_run_memories(c->run);
	int64_t begin = c->tasks->begin, makespan = c->account.makespan;
	struct use {
		int64_t end, some;
		tv_int128 sum;
	} *use = tv_alloc(memories->n, sizeof *use);
	uint32_t full = TV_NONE;

	for (uint32_t i = 0; i < transfers->n; i++) {
		const struct tv_data_transfer *t = &transfers->at[i];
		const uint32_t ends[] = { t->origin, t->dest };

		for (size_t k = 0; k < TV_COUNT(ends) && t->end > begin && !t->open; k++) {
			struct use *u = &use[ends[k]];
			int64_t start = t->start > begin ? t->start : begin;

			u->end = u->end > begin ? u->end : begin;
			u->sum += t->end - start;
			if (t->end > u->end) {
				u->some += t->end - (start > u->end ? start : u->end);
				u->end = t->end;
			}
		}
	}
	for (uint32_t m = 0; m < memories->n; m++)
		if (2 * (use[m].end - begin) >= makespan
		    && (double)use[m].some >= 0.95 * (double)(use[m].end - begin)
		    && (double)use[m].sum <= 1.05 * (double)use[m].some)
			full = full == TV_NONE || use[m].some > use[full].some ? m : full;
	tv_free(use);
	return full;
}

/* Adds to the text that no transfer could come earlier, where that is so. */
static int add_full(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const struct tv_data_transfers *transfers = tv_run_transfers(c->run, err);
	char name[64];

	if (transfers == NULL)
		return -1;
	c->full = find_full(c, transfers);
	if (c->full == TV_NONE)
		return 0;
	tv_append(&found->text,
		  " Until the last one ends, transfers from or to %s are under way nearly all the "
		  "time, one at a time, so none could come earlier.",
		  tv_clean_text(name, sizeof name,
				tv_pool_text(c->tasks->pool,
					     tv_run_memories(c->run)->at[c->full].resource)));
	found->action = "Transfer less: keep data where they are used again, or let tasks do more "
			"work per byte.";
	return 0;
}

/* How long before an execution, since `free`, data were under way to it. */
static int64_t fetched_before(const struct tv_fetches *fetches, uint32_t row, int64_t free)
{
	size_t n = 0;
	const struct tv_fetch *fetch = tv_fetches_of(fetches, row, &n);
	int64_t time = 0;

	for (size_t i = 0; i < n; i++) {
		int64_t from = fetch[i].begin > free ? fetch[i].begin : free;

		if (fetch[i].end <= from)
			continue;
		time += fetch[i].end - from;
		free = fetch[i].end;
	}
	return time;
}

/* Without dependencies the account does not say that tasks waited for data, but links and states show when these came. */
static int find_fetched(const struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const struct tv_run_idle *idle = tv_run_idle(c->run, err);
	const struct tv_tasks *tasks = c->tasks;
	struct tv_groups executions;
	double priced = 0;

	if (idle == NULL)
		return -1;
	if (tv_waits_known(&idle->waits) || idle->fetches.n == 0)
		return 0;
	found->worker_ns = 0;
	tv_tasks_by_start(tasks, tasks->executed, &executions);
	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		double price = c->account.type[tasks->workers[w].rtype].price;
		int64_t free = tasks->begin;

		for (uint32_t i = executions.first[w]; i < executions.first[w + 1]; i++) {
			uint32_t row = executions.row[i];
			int64_t time = fetched_before(&idle->fetches, row, free);

			found->worker_ns += time;
			priced += price * (double)time;
			free = tasks->end[row] > free ? tasks->end[row] : free;
		}
	}
	tv_groups_release(&executions);
	found->time_ns = llround(priced);
	found->holds = found->time_ns >= c->min_ns && found->time_ns > 0;
	found->confidence = TV_ESTIMATE;
	return 0;
}

static int find_transfers(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	static const char *const cause[] = { "data" }, *const blame[] = { NULL };
	char worker[TV_WORDS_OF_ALL];
	bool known = idle_for(c, found, cause, blame, 1);

	if (!known && find_fetched(c, found, err) < 0)
		return -1;
	if (!found->holds)
		return 0;
	found->text = tv_format("Workers did nothing for %s while the data of their next task "
				"were transferred.",
				tv_words_of_all(worker, c, found->worker_ns));
	if (known)
		found->command = tv_case_verb(c, "idle-causes", "--by cause,link");
	else
		tv_append(&found->text, " The trace does not show whether these tasks waited for "
					"others, too.");
	return add_full(c, found, err);
}

const struct tv_rule tv_rule_transfers = {
	.id = "transfers",
	.title = "workers wait for transfers",
	.condition = "idle time during transfers to a released task (without dependencies: to the "
		     "next task of the worker) costs 1 % of the makespan",
	.measures = "idle time of the cause data; without dependencies, a part of unexplained",
	.action = "Use a scheduler that knows where data are and fetches them early.",
	.how = "Or let tasks do more work per byte.",
	.in.starpu =
		"STARPU_SCHED=dmda or dmdas, STARPU_PREFETCH must not be 0, STARPU_CUDA_PIPELINE=2 "
		"or more; after a change of the machine STARPU_BUS_CALIBRATE=1",
	.picture = "--panels spacetime,idle-causes",
	.without = TV_WITHOUT_TRANSFERS,
	.find = find_transfers,
};

/* ---- the workers that limit ---- */

/* The type of workers with the highest price; TV_NONE if that is no 5 % above the mean of all. */
static uint32_t scarce_type(const struct tv_case *c)
{
	uint32_t best = 0;

	for (uint32_t r = 1; r < c->account.ntypes; r++)
		if (c->account.type[r].price > c->account.type[best].price)
			best = r;
	return c->account.ntypes > 1 && c->account.type[best].price * c->tasks->nworkers >= 1.05
		     ? best
		     : TV_NONE;
}

/* Causes of idle time while no task that such a worker could run is ready. */
static const char *const without_ready[] = { "mpi", "unsuited", "dependencies", "not-submitted",
					     "drain" };

/* "dependencies 201.5 ms, drain 119.0 ms": all causes of idle time without a ready task of a type of
 * workers, summed in *found. Free with tv_free. */
static char *sum_without_ready(const struct tv_case *c, uint32_t type, struct tv_found *found)
{
	char *list = tv_strdup("");

	found->time_ns = found->worker_ns = 0;
	for (size_t i = 0; i < TV_COUNT(without_ready); i++) {
		int64_t time, worker;
		char words[32], *shorter = list;

		tv_case_sum(c, TV_ACCOUNT_IDLE, without_ready[i], NULL, type, &time, &worker);
		if (worker == 0)
			continue;
		found->time_ns += time;
		found->worker_ns += worker;
		list = tv_format("%s%s%s %s", shorter, shorter[0] != '\0' ? ", " : "",
				 without_ready[i], tv_words_time(words, worker));
		tv_free(shorter);
	}
	return list;
}

static int find_scarce_idle(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	uint32_t type = scarce_type(c);
	char worker[32], workers[TV_WORKER_WORDS], *causes;

	(void)err;
	if (type == TV_NONE)
		return 0;
	causes = sum_without_ready(c, type, found);
	found->holds = found->time_ns >= c->min_ns && found->time_ns > 0;
	if (found->holds) {
		tv_words_workers(workers, tv_pool_text(c->tasks->pool, c->account.type[type].rtype),
				 true);
		found->text = tv_format(
			"%s had no ready task for %s in sum (%s). With the best placement "
			"they limit the run: an idle second of one costs %.1f times the average.",
			workers, tv_words_time(worker, found->worker_ns), causes,
			c->account.type[type].price * c->tasks->nworkers);
		found->command = tv_case_plot(
			c, "scarce-idle", "--panels spacetime,ready,starvation,idle-causes", 0, 0);
	}
	tv_free(causes);
	return 0;
}

const struct tv_rule tv_rule_scarce_idle = {
	.id = "scarce-idle",
	.title = "the workers whose time is worth most lack ready tasks",
	.condition = "the idle time of the type of workers with the highest price, 5 % above the "
		     "mean or "
		     "more, while no task that "
		     "it can run is released, costs 1 % of the makespan",
	.measures = "idle time of these workers of all causes but data, runtime, elsewhere and "
		    "unexplained",
	.action = "Run the tasks on which theirs depend earlier: give those higher priorities.",
	.how = "Let other workers run fewer of the tasks that these run best.",
	.in.starpu = "STARPU_PRIORITY where they are inserted, with STARPU_SCHED=dmdas",
	.in.openmp = "the clause priority, and OMP_MAX_TASK_PRIORITY above 0",
	.symptom = true,
	.find = find_scarce_idle,
};
