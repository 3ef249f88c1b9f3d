/* SPDX-License-Identifier: GPL-3.0-or-later */
/* processors.c -- findings about threads that lack a processor. */
#include <math.h>

#include "analysis/core/readings.h"
#include "analysis/diagnose/findings.h"
#include "trace/text.h"

/* " 4 threads may run on 2 processors." where the bindings say so; else "". */
static char *binding_text(const struct tv_case *c)
{
	uint32_t processors = tv_processors(c->tasks);

	return processors == 0 || processors >= c->tasks->nworkers
		     ? tv_strdup("")
		     : tv_format(" %u threads share %u processor%s.", c->tasks->nworkers,
				 processors, tv_plural(processors));
}

/* ---- processor time of threads ---- */

enum { CLOCK_WINDOW = 20000000 }; /* ns: the recorder may read a clock some 0.1 ms late */

/* Of a thread, summed over ticks until they are as long as a window, ns. */
struct ticks {
	int64_t length;
	double work, on_cpu;
};

/* Adds ticks: at most their work had a processor, at most as long as the thread had one. */
static void end_window(struct tv_clocked *of, struct ticks *ticks)
{
	of->time += ticks->work;
	of->on_cpu += fmin(ticks->work, ticks->on_cpu);
	*ticks = (struct ticks){ 0 };
}

/* Adds a tick, as far as it is in the time of the thread. How long the thread had a processor, ns. */
static double add_tick(const struct tv_thread *thread, const struct tv_reading *r,
		       struct tv_clocked *of, struct ticks *ticks)
{
	double on_cpu;
	struct tv_span in = { r->start > thread->begin ? r->start : thread->begin,
			      r->until < thread->end ? r->until : thread->end };
	int64_t length = in.end - in.begin;

	if (length <= 0)
		return 0;
	on_cpu = r->value * ((double)length / (double)(r->until - r->start));
	ticks->length += length;
	ticks->work += (double)(length - tv_spans_within(thread->lost, thread->nlost, in));
	ticks->on_cpu += on_cpu;
	if (ticks->length >= CLOCK_WINDOW)
		end_window(of, ticks);
	return on_cpu;
}

/* A thread that waits may use a processor, too: what work had none is a lower limit. */
static void read_thread_clocks(struct tv_case *c)
{
	const struct tv_threads *threads = tv_run_threads(c->run);
	struct tv_reading *reading;
	struct ticks *ticks = tv_alloc(threads->n, sizeof *ticks);
	struct tv_index place = { 0 };
	struct tv_error none;
	size_t n;

	if (threads->n == 0 || tv_readings(c->tasks, "thread.task-clock", &reading, &n, &none) < 0)
		n = 0, reading = NULL;
	for (uint32_t i = 0; i < threads->n; i++)
		tv_index_set(&place, threads->at[i].resource, i);
	for (size_t k = 0; k < n; k++) {
		uint32_t i = tv_index_get(&place, reading[k].resource);

		if (i != TV_NONE)
			c->on_cpu += add_tick(&threads->at[i], &reading[k], &c->clocked_on[i],
					      &ticks[i]);
	}
	for (uint32_t i = 0; i < threads->n; i++) {
		end_window(&c->clocked_on[i], &ticks[i]);
		c->clocked.time += c->clocked_on[i].time;
		c->clocked.on_cpu += c->clocked_on[i].on_cpu;
	}
	c->clocked.preempted = c->clocked.time > 0 ? 1 - c->clocked.on_cpu / c->clocked.time : 0;
	tv_free(place.at);
	tv_free(reading);
	tv_free(ticks);
}

void tv_case_read_clocks(struct tv_case *c)
{
	bool tasks = c->tasks->ncounted > 0;

	c->nclocked = tasks ? c->tasks->nworkers : tv_run_threads(c->run)->n;
	c->clocked_on = tv_alloc(c->nclocked, sizeof *c->clocked_on);
	if (tasks)
		c->clocked = tv_clocked(c->tasks, c->clocked_on);
	else
		read_thread_clocks(c);
}

bool tv_case_is_clocked(const struct tv_case *c)
{
	return c->clocked.time > 0
	    || tv_table_find(&c->run->trace->table[TV_TASKS], "task-clock") != NULL
	    || tv_pool_find_text(c->run->trace->pool, "thread.task-clock") != TV_NONE;
}

const char *tv_case_lacked(const struct tv_case *c)
{
	return tv_clocks(c->tasks).slept != NULL ? "waited" : "slept, or waited";
}

bool tv_case_sleeps(const struct tv_case *c, const uint8_t *class, uint8_t which)
{
	const struct tv_clocks clocks = tv_clocks(c->tasks);
	double time = 0, without = 0, on_cpu;

	for (uint32_t row = 0; clocks.slept != NULL && row < c->tasks->n; row++) {
		if (!c->tasks->counted[row] || (class != NULL && class[row] != which))
			continue;
		time += (double)tv_row_time(c->tasks, row);
		if (tv_row_slept(&clocks, row, &on_cpu))
			without += (double)tv_row_time(c->tasks, row) - on_cpu;
	}
	return 2 * without > time;
}

/* ---- findings ---- */

static const char find_out[] =
	"Find out why the program did not end: what a rank waits for at the end may never come.";
static const char all_ranks[] =
	"Give the recordings of all ranks: what is here does not show for whom ranks wait.";
static const char own_processors[] =
	"Give each thread a processor of its own, with fewer ranks or threads, other bindings or "
	"more nodes, and record it again.";

static int find_shared_processors(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	bool tasks = c->tasks->ncounted > 0;
	char *binding = c->clocked.time > 0 ? tv_strdup("") : binding_text(c);

	(void)err;
	if (binding[0] != '\0') {
		found->holds = true;
		found->text = tv_format("%s How long they waited for a processor is not known%s.",
					binding + 1,
					tasks && tv_case_is_clocked(c)
						? ": as far as that was measured, their tasks "
						  "slept or waited themselves, too"
						: "");
		found->action = tasks && tv_case_is_clocked(c) ? own_processors
			      : tasks			       ? NULL
				      : "Record each process with --mpi --monitor task-clock to "
					"know it, or "
					"give each thread a processor of its own.";
		found->command = tv_case_verb(c, tasks ? "bounds" : "info", "");
	}
	tv_free(binding);
	return 0;
}

void tv_case_doubt_waits(const struct tv_case *c, struct tv_found *found)
{
	char *missing = tv_case_missing_ranks(c);

	if (missing[0] != '\0') {
		tv_append(&found->text, "%s", missing);
		found->action = all_ranks;
		found->confidence = TV_ESTIMATE;
	}
	tv_free(missing);
	if (c->tasks->ncounted > 0 || found->action == all_ranks)
		return;
	if (tv_run_threads(c->run)->cut) {
		found->action = find_out;
		found->confidence = TV_ESTIMATE;
	}
	if (tv_run_threads(c->run)->cut)
		return;
	if (c->clocked.time > 0 || !c->shared)
		return;
	found->confidence = TV_ESTIMATE;
	tv_append(&found->text, " Those that are late may themselves have waited for a processor.");
}

const struct tv_rule tv_rule_shared_processors = {
	.id = "shared-processors",
	.title = "threads share processors",
	.condition = "the workers (of a program without tasks: its threads) share fewer "
		     "processors than there are of them, and neither tasks have task-clock nor "
		     "monitors thread.task-clock",
	.measures = "nothing",
	.action = "Record with --counters task-clock (a program of MPI alone: each process with "
		  "--mpi --monitor task-clock) to know it, or give each thread a processor of its "
		  "own.",
	.threads = true,
	.limit = true,
	.find = find_shared_processors,
};

double tv_case_starved(const struct tv_case *c, uint32_t worker)
{
	const struct tv_clocked *on = &c->clocked_on[worker];
	double without = on->time - on->on_cpu;

	return without >= 0.1 * on->time && without >= (double)c->account.makespan / 20 ? without
											: 0;
}

void tv_case_find_preempted(struct tv_case *c)
{
	uint32_t known = 0;
	double sum = 0;

	for (uint32_t w = 0; w < c->nclocked; w++) {
		double without = tv_case_starved(c, w);

		known += c->clocked_on[w].time > 0;
		c->starved += without > 0;
		sum += without;
	}
	if (c->starved == 0 || c->starved == known) {
		c->starved = 0;
		sum = c->clocked.preempted >= 0.1 ? c->clocked.time - c->clocked.on_cpu : 0;
	}
	c->preempted = c->nclocked == 0 || sum / c->nclocked < (double)c->min_ns ? 0 : llround(sum);
}

/* Where some workers lacked a processor and others did not: the one that lacked it most. */
static void describe_starved(const struct tv_case *c, struct tv_found *found)
{
	const struct tv_tasks *tasks = c->tasks;
	const struct tv_clocked *worst;
	uint32_t most = 0;
	char name[64], time[3][32];

	for (uint32_t w = 0; w < tasks->nworkers; w++)
		most = tv_case_starved(c, w) > tv_case_starved(c, most) ? w : most;
	worst = &c->clocked_on[most];
	/* Others may wait for it all the time. */
	found->measure_ns = llround(tv_case_starved(c, most));
	found->at_most = true;
	tv_clean_text(name, sizeof name, tv_pool_text(tasks->pool, tasks->workers[most].resource));
	found->title = tv_format("worker %s did not have a processor while it ran tasks", name);
	found->text = tv_format(
		"Tasks on worker %s had a processor for %s of the %s that they took (%.0f %%): for "
		"%s its thread %s for one.",
		name, tv_words_time(time[0], llround(worst->on_cpu)),
		tv_words_time(time[1], llround(worst->time)), 100 * worst->on_cpu / worst->time,
		tv_words_time(time[2], llround(worst->time - worst->on_cpu)), tv_case_lacked(c));
	if (c->starved > 1)
		tv_append(&found->text, " %u other worker%s lacked one, too: %s in sum.",
			  c->starved - 1, tv_plural(c->starved - 1),
			  tv_words_time(time[0], c->preempted));
}

/* The same of all workers. */
static void describe_all(const struct tv_case *c, struct tv_found *found)
{
	char had[32], time[32], without[32];
	double busy = tv_case_mean(c) * (c->tasks->nexecutions - c->tasks->ncut);

	found->text = tv_format(
		"Tasks%s had a processor for %s of the %s that they took (%.0f %%): for %s their "
		"threads %s for one.",
		c->clocked.time < 0.99 * busy ? " of which it is known" : "",
		tv_words_time(had, llround(c->clocked.on_cpu)),
		tv_words_time(time, llround(c->clocked.time)), 100 * (1 - c->clocked.preempted),
		tv_words_time(without, c->preempted), tv_case_lacked(c));
}

#define FULL 0.8

/* The share of the time for which threads used the processors to which they are bound; of a run without tasks. */
static double used_of(const struct tv_case *c)
{
	return c->on_cpu / ((double)tv_processors(c->tasks) * (double)c->account.makespan);
}

/* Of a run without tasks: the thread that lacked a processor most. */
static void describe_thread(const struct tv_case *c, struct tv_found *found)
{
	const struct tv_threads *threads = tv_run_threads(c->run);
	bool ranks = threads->n == threads->nranks;
	const struct tv_clocked *of = c->clocked_on;
	uint32_t most = 0, name;
	char text[64], time[4][32];

	for (uint32_t i = 1; i < threads->n; i++)
		if (of[i].time - of[i].on_cpu > of[most].time - of[most].on_cpu)
			most = i;
	name = ranks ? threads->at[most].node : threads->at[most].resource;
	found->measure_is = TV_EXCESS; /* others wait for them */
	found->confidence = c->shared && used_of(c) >= FULL ? TV_EXACT : TV_ESTIMATE;
	found->title = tv_format("%s did not have a processor while they worked",
				 tv_words_threads(c));
	found->text = tv_format(
		"%s %s was %s for %s, and had a processor for %s of that at most (%.0f %%): for %s "
		"or more it waited for one, or slept.",
		ranks ? "Rank" : "Thread",
		tv_clean_text(text, sizeof text, tv_pool_text(c->tasks->pool, name)),
		ranks ? "outside of MPI calls" : "at work",
		tv_words_time(time[0], llround(of[most].time)),
		tv_words_time(time[1], llround(of[most].on_cpu)),
		100 * of[most].on_cpu / of[most].time,
		tv_words_time(time[2], llround(of[most].time - of[most].on_cpu)));
	if (c->starved != 1)
		tv_append(&found->text, " In all, %s lacked one for %s.", tv_words_threads(c),
			  tv_words_time(time[3], c->preempted));
	found->command = tv_case_verb(c, "counter", "--rate --name thread.task-clock");
}

/* Time between tasks that may be such waiting, too, if it is enough for a finding. */
static int add_late_starts(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	char words[TV_WORDS_OF_ALL];
	int64_t time, worker;

	if (tv_case_late_starts(c, &time, &worker, err) < 0)
		return -1;
	if (time >= c->min_ns && time > 0)
		tv_append(&found->text,
			  " Between tasks, workers did nothing for %s although their next task was "
			  "ready (runtime): this may be such waiting, too.",
			  tv_words_of_all(words, c, worker));
	return 0;
}

static int find_preempted(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	uint32_t processors = tv_processors(c->tasks);
	bool tasks = c->tasks->ncounted > 0;
	char *binding;

	found->holds = c->preempted > 0;
	if (!found->holds)
		return 0;
	found->worker_ns = c->preempted;
	found->measure_ns = found->worker_ns / c->nclocked;
	/* With fewer threads the tasks of each take longer. */
	found->alone = c->shared || !tasks;
	if (!tasks)
		describe_thread(c, found);
	else if (c->starved > 0)
		describe_starved(c, found);
	else
		describe_all(c, found);
	binding = binding_text(c);
	tv_append(&found->text, "%s", binding);
	tv_free(binding);
	if (!tasks && c->shared)
		tv_append(&found->text, " They used %s for %.0f %% of the time%s.",
			  processors == 1 ? "it" : "them", 100 * used_of(c),
			  used_of(c) >= FULL ? ""
					     : ", so they slept, too, or other programs ran there");
	if (processors >= c->tasks->nworkers) {
		tv_append(
			&found->text,
			tasks ? " The %u worker%s may run on %u processors, so other programs, or "
				"threads that are no workers, used them."
			      : " The %u thread%s may run on %u processors, so other programs used "
				"them, unless it slept.",
			c->tasks->nworkers, tv_plural(c->tasks->nworkers), processors);
		found->action = tasks ? "Run it where nothing else uses these processors, and "
					"record it again: all other times contain this waiting."
				      : "If it does not sleep or read files then, run it where "
					"nothing else uses these processors, and record it again: "
					"all other times contain this waiting.";
	}
	if (tasks && c->shared)
		tv_append(&found->text, " what-if has what the run would take with a processor for "
					"each thread.");
	if (tasks && tv_clocks(c->tasks).slept == NULL)
		found->confidence = TV_ESTIMATE;
	if (tasks)
		found->command = tv_case_verb(c, "bounds", tv_case_is_forced(c) ? "--tight" : "");
	return tasks ? add_late_starts(c, found, err) : 0;
}

const struct tv_rule tv_rule_preempted = {
	.id = "preempted",
	.title = "threads did not have a processor while they ran tasks",
	.condition = "tasks have task-clock (record), and it is 10 % or more below what they took, "
		     "on all workers, or on a worker for 5 % of the makespan; "
		     "tasks that slept (voluntary-switches) or have several segments do not count; "
		     "of a program without tasks likewise the work of threads by monitors' "
		     "thread.task-clock, which cannot be told from sleep",
	.measures = "WorkerTime: time of tasks (or work of threads) without a processor; Measure: "
		    "that over the number of workers (or threads); where only some workers "
		    "lacked one, that of the worker that lacked it most",
	.action = "Give each thread a processor of its own: fewer threads or ranks, other "
		  "bindings, no other programs "
		  "on these processors.",
	.in.starpu = "STARPU_NCPU, STARPU_WORKERS_CPUID",
	.in.openmp = TV_BIND_THREADS ", and OMP_NUM_THREADS",
	.in.mpi = "of Open MPI: --map-by slot:PE=THREADS",
	.picture = "--panels spacetime,durations",
	.without = TV_WITHOUT_WAITING,
	.durations = true,
	.threads = true,
	.find = find_preempted,
};
