/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unequal.c -- findings about long tasks that are not known to have the same work as others. */
#include <stdlib.h>
#include <string.h>

#include "analysis/diagnose/evidence.h"
#include "trace/map.h"
#include "trace/sorted.h"
#include "trace/text.h"

/* The long tasks that a finding is about. */
struct longs {
	struct long_task {
		int64_t time;
		uint32_t row;
	} * at;			  /* the longest first */
	uint32_t n, more, clocks; /* these have more work; these have more CPU time */
	int64_t others;		  /* mean of the others of the type of the longest, ns; 0 = none */
};

TV_ORDER(by_time, struct long_task, down(time), row)

static void list_longs(const struct tv_case *c, const uint8_t *class, struct longs *longs)
{
	const struct tv_tasks *tasks = c->tasks;
	tv_int128 sum = 0;
	uint32_t n = 0;

	*longs = (struct longs){ .at = tv_alloc(tasks->n, sizeof *longs->at) };
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tv_is_unequal(class[row])) {
			longs->at[longs->n++] = (struct long_task){ tv_task_time(tasks, row), row };
			longs->more += class[row] == TV_MORE_WORK;
			longs->clocks += class[row] == TV_MORE_CPU;
		}
	if (longs->n == 0)
		return;
	qsort(longs->at, longs->n, sizeof *longs->at, by_time);
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && tv_row_begins(tasks, row)
		    && class[row] == TV_LATENESS_REST
		    && tasks->value[row] == tasks->value[longs->at[0].row]) {
			sum += tv_task_time(tasks, row);
			n++;
		}
	longs->others = n == 0 ? 0 : tv_sum_ns(sum / n);
}

/* "jobs 40, 80 and 120", at most four; "" without jobs. */
static char *jobs_text(const struct tv_tasks *tasks, const struct longs *longs)
{
	uint32_t n = longs->n < 4 ? longs->n : 4;
	char *text = NULL, job[64];

	if (tasks->job == NULL)
		return tv_strdup("");
	for (uint32_t i = 0; i < n; i++) {
		uint32_t label = tasks->job[longs->at[i].row];

		tv_clean_text(job, sizeof job,
			      label == TV_NONE ? "?" : tv_pool_text(tasks->pool, label));
		tv_append(&text, "%s%s", i == 0 ? "" : i + 1 == longs->n ? " and " : ", ", job);
	}
	if (longs->n > n)
		tv_append(&text, " and %u more", longs->n - n);
	{
		char *all = tv_format(", job%s %s", tv_plural(longs->n), text);

		tv_free(text);
		return all;
	}
}

/* The worker that ran all of them; TV_NONE = several did. */
static uint32_t only_worker(const struct tv_tasks *tasks, const struct longs *longs)
{
	uint32_t worker = tasks->worker[longs->at[0].row];

	for (uint32_t i = 1; i < longs->n; i++)
		if (tasks->worker[longs->at[i].row] != worker)
			return TV_NONE;
	return worker;
}

/* " All ran on worker C3."; "" where they ran on several. */
static char *worker_text(const struct tv_case *c, const struct longs *longs)
{
	const struct tv_tasks *tasks = c->tasks;
	uint32_t worker = only_worker(tasks, longs);
	char name[64];

	if (worker == TV_NONE)
		return tv_strdup("");
	return tv_format(" %s ran on worker %s.", longs->n == 1 ? "It" : "All",
			 tv_clean_text(name, sizeof name,
				       tv_pool_text(tasks->pool, tasks->workers[worker].resource)));
}

/* Whether all tasks of their types on the only worker that ran them are long, two or more of the same ones each time: it may be slow. */
static bool may_be_worker(const struct tv_case *c, const struct longs *longs)
{
	const struct tv_tasks *tasks = c->tasks;
	uint32_t worker = only_worker(tasks, longs);
	struct tv_map types = { 0 };
	bool may = worker != TV_NONE && longs->more == longs->n && !tv_case_measured(c, "GFlop")
		&& !tv_case_measured(c, "Size");

	for (uint32_t i = 0; i < longs->n; i++)
		tv_map_put(&types, tasks->value[longs->at[i].row], 0, 0);
	for (uint32_t row = 0; may && row < tasks->n; row++)
		may = tasks->worker[row] != worker || c->class[row] != TV_LATENESS_REST
		   || !tasks->counted[row] || tv_map_get(&types, tasks->value[row], 0) == NULL;
	tv_map_release(&types);
	return may;
}

/* What the trace says of their work; without a measure of it, that they are the same ones in each iteration or phase. */
static char *work_text(const struct tv_case *c, const struct longs *longs)
{
	const struct tv_table *table = &c->run->trace->table[TV_TASKS];
	bool one = longs->n == 1, gflop = tv_case_measured(c, "GFlop"),
	     measured = gflop || tv_case_measured(c, "Size");

	if (longs->more == longs->n && !measured)
		return tv_format("The same ones are long in each %s: that is their work, %s.",
				 tv_table_find(table, "Iteration") != NULL
					 ? "iteration"
					 : "phase between waits for all tasks",
				 may_be_worker(c, longs)
					 ? "or their worker is slow, which ran no other tasks of "
					   "their type"
					 : "no disturbance");
	if (longs->more == longs->n)
		return tv_strdup(one ? "It has more work." : "They have more work.");
	if (longs->more > 0 && measured)
		return tv_strdup("Some of them have more work; of the others that is not known.");
	if (longs->clocks == longs->n)
		return tv_format("%s CPU time is longer, too: more work, or the same in more time "
				 "(memory, clock). Which of these is not known%s.",
				 one ? "Its" : "Their", gflop ? "" : ": the trace has no GFlop");
	return tv_format(
		"Whether that is more work is not known%s%s.",
		gflop ? "" : ": the trace has no GFlop",
		gflop || tv_case_measured(c, "task-clock") ? "" : ", and no counter task-clock");
}

static char *longs_text(const struct tv_case *c, const struct longs *longs, bool much)
{
	char value[128], time[2][32], *jobs = jobs_text(c->tasks, longs), *text,
				      *work = work_text(c, longs);
	uint32_t label = c->tasks->value[longs->at[0].row];

	tv_clean_text(value, sizeof value,
		      label == TV_NONE ? "?" : tv_pool_text(c->tasks->pool, label));
	text = tv_format(
		"%u task%s took %slonger than others of %s type%s: the longest, of type %s, "
		"%s, others %s on average. %s",
		longs->n, tv_plural(longs->n), much ? "much " : "", longs->n == 1 ? "its" : "their",
		jobs, value, tv_words_time(time[0], longs->at[0].time),
		tv_words_time(time[1], longs->others), work);
	tv_free(jobs);
	tv_free(work);
	return text;
}

/* "For 1.080 s, 89 % of the run, one of them was the only task that ran."; "" where that is below 1 %. */
static char *alone_text(const struct tv_case *c, const uint8_t *class)
{
	uint8_t *chosen = tv_alloc(c->tasks->n, 1);
	struct tv_alone alone;
	char time[32];

	for (uint32_t row = 0; row < c->tasks->n; row++)
		chosen[row] = tv_is_unequal(class[row]);
	alone = tv_tasks_alone(c->tasks, chosen);
	tv_free(chosen);
	if (alone.time < c->min_ns || alone.time == 0)
		return tv_strdup("");
	return tv_format(" For %s, %.0f %% of the run, %s was the only task that ran.",
			 tv_words_time(time, alone.time),
			 100 * (double)alone.time / (double)c->account.makespan,
			 alone.n == 1 ? "such a task" : "one of them");
}

/* Where all workers are busy meanwhile: whether a few tasks, one in 25 at most, took so much longer that all workers lost 5 % of the run by
 * them, and nothing says that this is their work. Fills in what they cost then. */
static bool are_few_and_long(const struct tv_case *c, const uint8_t *class, struct tv_found *found)
{
	int64_t time = 0;
	uint32_t n = 0;

	for (uint8_t which = TV_MORE_WORK; tv_is_unequal(which); which++) {
		struct tv_excess excess = tv_case_excess(c, class, which);

		if (which == TV_MORE_WORK && excess.n > 0)
			return false;
		time += excess.time;
		n += excess.n;
	}
	if (c->account.makespan - c->account.area >= c->min_ns || n == 0
	    || 25 * (uint64_t)n > c->tasks->nexecutions || time < 5 * c->min_ns
	    || !tv_case_much_longer(c, class, TV_MORE_WORK, TV_UNKNOWN_WORK))
		return false;
	found->measure_ns = time;
	found->measure_is = TV_EXCESS;
	found->at_most = false;
	found->whole = found->alone = true;
	found->action =
		"Find out whether they have more work. If they have, nothing is lost: "
		"workers were busy meanwhile. Else look at when and where they ran: other "
		"programs, waits for a lock or a file, memory, the clock of the processors.";
	return true;
}

static int find_unequal_tasks(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const uint8_t *class = tv_case_classes(c->run, err);
	struct longs longs;
	bool much, few;

	if (class == NULL)
		return -1;
	found->worker_ns = 0;
	for (uint8_t which = TV_MORE_WORK; tv_is_unequal(which); which++)
		found->worker_ns += tv_case_excess(c, class, which).worker;
	/* That they are long is no loss; that others have nothing to do meanwhile is. */
	found->measure_ns = c->account.makespan - c->best;
	if (found->measure_ns > found->worker_ns)
		found->measure_ns = found->worker_ns;
	found->at_most = true;
	found->confidence = TV_STATISTICAL;
	few = found->measure_ns < c->min_ns && are_few_and_long(c, class, found);
	found->holds = found->worker_ns >= c->min_ns && found->worker_ns > 0
		    && found->measure_ns >= c->min_ns;
	if (!found->holds)
		return 0;
	list_longs(c, class, &longs);
	much = tv_case_much_longer(c, class, TV_MORE_WORK, TV_UNKNOWN_WORK);
	found->text = longs_text(c, &longs, much);
	if (!much)
		found->title = tv_strdup("some tasks are longer than others of their type");
	if (c->tasks->nworkers > 1) {
		char *worker = worker_text(c, &longs), *alone = alone_text(c, class);

		tv_append(&found->text, "%s%s", worker, alone);
		tv_free(worker);
		tv_free(alone);
	}
	if (tv_case_in_jump(c, longs.at[0].row))
		found->see = "changed-durations";
	if ((longs.clocks == longs.n || may_be_worker(c, &longs)) && !few)
		found->action = "Find out whether they have more work: then start them first, or "
				"split them. Else look at their data and at the clock of the "
				"processors.";
	tv_free(longs.at);
	found->command = tv_case_verb(c, "outliers", "--where 'Outlier == 1' --top 20");
	return 0;
}

const struct tv_rule tv_rule_unequal_tasks = {
	.id = "unequal-tasks",
	.title = "some tasks are much longer than others of their type",
	.condition = "outliers that no slow worker, no disturbance and no wait explains, and that "
		     "are not "
		     "known to have "
		     "the same work as others, take longer for 1 % of the makespan, and a bound of "
		     "the run is 1 % below it; or they are one task in 25 at most, half as long "
		     "again as others, cost 5 % of the run, and none is known to have more work",
	.measures = "WorkerTime: their time above the mean of the others of their type; Measure: "
		    "makespan - "
		    "the larger of area bound and best-placed chain, or, where that is below 1 %, "
		    "the same times the price of the workers",
	.action = "Split the long tasks, or start them first.",
	.in.starpu = "STARPU_PRIORITY where they are inserted, with STARPU_SCHED=dmdas",
	.in.openmp = "the clause priority, and OMP_MAX_TASK_PRIORITY above 0",
	.picture = "--panels spacetime,durations",
	.without = TV_WITHOUT_SCHEDULE,
	.find = find_unequal_tasks,
};

/* How many workers have tasks of a class. */
static uint32_t count_workers(const struct tv_tasks *tasks, const uint8_t *class, uint8_t which)
{
	bool *has = tv_alloc(tasks->nworkers, sizeof *has);
	uint32_t n = 0;

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && class[tv_row_whole(tasks, row)] == which) {
			n += !has[tasks->worker[row]];
			has[tasks->worker[row]] = true;
		}
	tv_free(has);
	return n;
}

static int find_warm_up(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const uint8_t *class = tv_case_classes(c->run, err);
	uint32_t n;
	char worker[32];

	if (class == NULL)
		return -1;
	n = tv_case_measure_class(c, class, TV_WARM_UP, found);
	if (found->holds)
		found->text = tv_format(
			"On %u workers the first task of a type took longer than usual ones: %u "
			"such tasks, together %s more than the mean of the usual tasks of their "
			"type.",
			count_workers(c->tasks, class, TV_WARM_UP), n,
			tv_words_time(worker, found->worker_ns));
	return 0;
}

const struct tv_rule tv_rule_warm_up = {
	.id = "warm-up",
	.title = "the first task of each worker is long",
	.condition = "the first task of its type is an outlier on half of the workers, on two or "
		     "more, and the second one on half of these at most, while the others vary by "
		     "25 % (SD over mean) at most; or four fifths of all first tasks of a type on "
		     "a worker take three times what the others of their type take, and of "
		     "those a tenth as many do; and these tasks take longer for 1 % of the "
		     "makespan",
	.measures = "WorkerTime: time of these tasks above the mean of the others of their type; "
		    "Measure: the same "
		    "times the price of the workers",
	.action = "Warm up libraries and memory before the part that is measured: run one small "
		  "task on each "
		  "worker, or allocate and touch the data there.",
	.picture = "--panels spacetime,durations",
	.without = TV_WITHOUT_WARM_UP,
	.see = "critical-section", /* where they contain its waits */
	.durations = true,
	.find = find_warm_up,
};
