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

static int find_shared_processors(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	char *binding = c->clocked.time > 0 ? tv_strdup("") : binding_text(c);

	(void)err;
	if (binding[0] != '\0') {
		found->holds = true;
		found->text = tv_format("%s How long they waited for a processor is not known.",
					binding + 1);
		found->command = tv_case_verb(c, "bounds", "");
	}
	tv_free(binding);
	return 0;
}

const struct tv_rule tv_rule_shared_processors = {
	.id = "shared-processors",
	.title = "threads share processors",
	.condition = "the workers are bound to fewer processors than there are workers, and tasks "
		     "have no task-clock",
	.measures = "nothing",
	.action = "Record with --counters task-clock to know it, or give each thread a processor "
		  "of its own.",
	.limit = true,
	.find = find_shared_processors,
};

static int find_preempted(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	char had[32], time[32], without[32], *binding;
	double busy = tv_case_mean(c) * (c->tasks->nexecutions - c->tasks->ncut);
	int64_t worker = llround(c->clocked.time - c->clocked.on_cpu);

	(void)err;
	found->worker_ns = worker;
	found->measure_ns = c->tasks->nworkers == 0 ? 0 : worker / c->tasks->nworkers;
	found->holds = c->clocked.preempted >= 0.1 && found->measure_ns >= c->min_ns && worker > 0;
	if (!found->holds)
		return 0;
	binding = binding_text(c);
	if (tv_processors(c->tasks) >= c->tasks->nworkers) {
		tv_free(binding);
		binding = tv_format(" The %u worker%s may run on %u processors, so other programs, "
				    "or threads that are no workers, used them.",
				    c->tasks->nworkers, tv_plural(c->tasks->nworkers),
				    tv_processors(c->tasks));
		found->action = "Run it where nothing else uses these processors, and record it "
				"again: all other times contain this waiting.";
	}
	found->text = tv_format(
		"Tasks%s had a processor for %s of the %s that they took (%.0f %%): for %s their "
		"threads waited for one.%s",
		c->clocked.time < 0.99 * busy ? " of which it is known" : "",
		tv_words_time(had, llround(c->clocked.on_cpu)),
		tv_words_time(time, llround(c->clocked.time)), 100 * (1 - c->clocked.preempted),
		tv_words_time(without, worker), binding);
	tv_free(binding);
	found->command = tv_case_verb(c, "bounds", "");
	return 0;
}

const struct tv_rule tv_rule_preempted = {
	.id = "preempted",
	.title = "threads did not have a processor while they ran tasks",
	.condition = "tasks have task-clock (record), and it is 10 % or more below what they took; "
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
	.durations = true,
	.find = find_preempted,
};
