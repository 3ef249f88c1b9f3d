/* SPDX-License-Identifier: GPL-3.0-or-later */
/* processors.c -- findings about threads that lack a processor. */
#include <math.h>

#include "analysis/diagnose/findings.h"
#include "trace/text.h"

/* " 4 threads may run on 2 processors." where the bindings say so; else "". */
static char *binding_text(const struct tv_case *c)
{
	uint32_t processors = tv_processors(c->tasks);

	return processors == 0 || processors >= c->tasks->nworkers
		     ? tv_strdup("")
		     : tv_format(" %u threads are bound to %u processor%s.", c->tasks->nworkers,
				 processors, tv_plural(processors));
}

static const char find_out[] =
	"Find out why the program did not end: what a rank waits for at the end may never come.";
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
		found->text = tv_format("%s How long they waited for a processor is not known.",
					binding + 1);
		found->action = tasks ? NULL : own_processors;
		found->command = tv_case_verb(c, tasks ? "bounds" : "info", "");
	}
	tv_free(binding);
	return 0;
}

void tv_case_doubt_waits(const struct tv_case *c, struct tv_found *found)
{
	if (c->tasks->ncounted > 0)
		return;
	if (tv_run_threads(c->run)->cut) {
		found->action = find_out;
		found->confidence = TV_ESTIMATE;
	}
	if (tv_run_threads(c->run)->cut || !c->shared)
		return;
	found->action = own_processors;
	found->confidence = TV_ESTIMATE;
	tv_append(&found->text, " Those that are late may themselves have waited for a processor.");
}

const struct tv_rule tv_rule_shared_processors = {
	.id = "shared-processors",
	.title = "threads share processors",
	.condition = "the workers (of a program without tasks: its threads) are bound to fewer "
		     "processors than there are of them, and tasks have no task-clock",
	.measures = "nothing",
	.action = "Record with --counters task-clock to know it, or give each thread a processor "
		  "of its own.",
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

	for (uint32_t w = 0; w < c->tasks->nworkers; w++) {
		double without = tv_case_starved(c, w);

		known += c->clocked_on[w].time > 0;
		c->starved += without > 0;
		sum += without;
	}
	if (c->starved == 0 || c->starved == known) {
		c->starved = 0;
		sum = c->clocked.preempted >= 0.1 ? c->clocked.time - c->clocked.on_cpu : 0;
	}
	c->preempted = sum / c->tasks->nworkers < (double)c->min_ns ? 0 : llround(sum);
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
	found->measure_is = TV_EXCESS; /* others wait for them */
	tv_clean_text(name, sizeof name, tv_pool_text(tasks->pool, tasks->workers[most].resource));
	found->title = tv_format("worker %s did not have a processor while it ran tasks", name);
	found->text = tv_format(
		"Tasks on worker %s had a processor for %s of the %s that they took (%.0f %%): for "
		"%s its thread waited for one.",
		name, tv_words_time(time[0], llround(worst->on_cpu)),
		tv_words_time(time[1], llround(worst->time)), 100 * worst->on_cpu / worst->time,
		tv_words_time(time[2], llround(worst->time - worst->on_cpu)));
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
		"threads waited for one.",
		c->clocked.time < 0.99 * busy ? " of which it is known" : "",
		tv_words_time(had, llround(c->clocked.on_cpu)),
		tv_words_time(time, llround(c->clocked.time)), 100 * (1 - c->clocked.preempted),
		tv_words_time(without, c->preempted));
}

static int find_preempted(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	uint32_t processors = tv_processors(c->tasks);
	char *binding;

	(void)err;
	found->holds = c->preempted > 0;
	if (!found->holds)
		return 0;
	found->worker_ns = c->preempted;
	found->measure_ns = found->worker_ns / c->tasks->nworkers;
	/* With fewer threads the tasks of each take longer. */
	found->alone = c->shared;
	if (c->starved > 0)
		describe_starved(c, found);
	else
		describe_all(c, found);
	binding = binding_text(c);
	tv_append(&found->text, "%s", binding);
	tv_free(binding);
	if (processors >= c->tasks->nworkers) {
		tv_append(&found->text,
			  " The %u worker%s may run on %u processors, so other programs, or "
			  "threads that are no workers, used them.",
			  c->tasks->nworkers, tv_plural(c->tasks->nworkers), processors);
		found->action = "Run it where nothing else uses these processors, and record it "
				"again: all other times contain this waiting.";
	}
	found->command = tv_case_verb(c, "bounds", "");
	return 0;
}

const struct tv_rule tv_rule_preempted = {
	.id = "preempted",
	.title = "threads did not have a processor while they ran tasks",
	.condition = "tasks have task-clock (record), and it is 10 % or more below what they took, "
		     "on all workers, or on a worker for 5 % of the makespan; "
		     "tasks that slept (voluntary-switches) or have several segments do not count",
	.measures = "WorkerTime: time of tasks without a processor; Measure: that over the number "
		    "of workers",
	.action = "Give each thread a processor of its own: fewer threads or ranks, other "
		  "bindings, no other programs "
		  "on these processors.",
	.in.starpu = "STARPU_NCPU, STARPU_WORKERS_CPUID",
	.in.openmp = TV_BIND_THREADS ", and OMP_NUM_THREADS",
	.in.mpi = "of Open MPI: --map-by slot:PE=THREADS",
	.picture = "--panels spacetime,durations",
	.without = TV_WITHOUT_WAITING,
	.durations = true,
	.find = find_preempted,
};
