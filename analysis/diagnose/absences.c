/* SPDX-License-Identifier: GPL-3.0-or-later */
/* absences.c -- findings about workers that are absent (absent.h). */
#include <math.h>
#include <string.h>

#include "analysis/diagnose/findings.h"

#include "analysis/core/worker_words.h"
#include "trace/text.h"

void tv_case_elsewhere(const struct tv_case *c, int64_t *time_ns, int64_t *worker_ns)
{
	double time = 0;

	tv_case_sum(c, TV_ACCOUNT_IDLE, "elsewhere", NULL, TV_NONE, time_ns, worker_ns);
	for (int kind = 0; kind < TV_NABSENCES; kind++) {
		time += c->absences.of[kind].elsewhere.time;
		*worker_ns -= c->absences.of[kind].elsewhere.worker;
	}
	/* Not where nothing says what was ready, and the account has no such time. */
	*time_ns = *worker_ns > 0 ? *time_ns - llround(time) : 0;
	*worker_ns = *worker_ns > 0 ? *worker_ns : 0;
}

/* What is known of tasks meanwhile. */
static const char *words_waited(const struct tv_case *c)
{
	return !c->absences.known	  ? "the others ran tasks"
	     : !tv_tasks_depend(c->tasks) ? "tasks had been submitted"
	     : c->tasks->submit == NULL	  ? "tasks were ready, if they had been submitted by then"
					  : "tasks were ready";
}

/* "4 of 8 CPU workers". Free with tv_free. */
static char *words_number(const struct tv_case *c, const struct tv_absent *absent)
{
	char workers[TV_WORKER_WORDS];
	uint32_t type = absent->rtype != TV_NONE ? c->tasks->rtype[absent->rtype].label : TV_NONE;

	return tv_format("%u of %u %s", absent->n, absent->of,
			 tv_words_workers(workers, tv_pool_text(c->tasks->pool, type), false));
}

/* "CPU1, CPU3 and 2 more": which. Free with tv_free. */
static char *words_names(const struct tv_case *c, enum tv_absence kind)
{
	enum { NAMED = 2 };
	char *list = tv_strdup(""), name[64];
	uint32_t n = 0;

	for (uint32_t w = 0; w < c->tasks->nworkers; w++) {
		if (!tv_is_absent(&c->absences, w, kind) || n++ >= NAMED)
			continue;
		tv_clean_text(name, sizeof name,
			      tv_pool_text(c->tasks->pool, c->tasks->workers[w].resource));
		tv_append(&list, "%s%s",
			  n == 1			? ""
			  : c->absences.of[kind].n == 2 ? " and "
							: ", ",
			  name);
	}
	if (n > NAMED)
		tv_append(&list, " and %u more", n - NAMED);
	return list;
}

/* What the absent workers cost, if it is enough for a finding. */
static bool find_absent(const struct tv_case *c, enum tv_absence kind, struct tv_found *found)
{
	struct tv_idle_sum idle = tv_absent_idle(&c->absences.of[kind]);

	found->time_ns = llround(idle.time);
	found->worker_ns = idle.worker;
	found->holds = c->absences.of[kind].n > 0 && found->time_ns > 0;
	if (!c->absences.known || c->tasks->submit == NULL)
		found->confidence = TV_ESTIMATE;
	return found->holds;
}

static int find_late_workers(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const struct tv_absent *late = &c->absences.of[TV_ABSENT_LATE];
	bool one = late->n == 1;
	char *number, words[TV_WORDS_OF_ALL], last[32];

	if (!find_absent(c, TV_ABSENT_LATE, found))
		return 0;
	if (tv_case_lacks_messages(c)) {
		int64_t unused;

		/* Tasks whose messages are no nodes of the graph seem to be ready. */
		if (tv_case_late_starts(c, &unused, &unused, err) < 0)
			return -1;
		found->holds = 2 * c->carried < found->worker_ns;
		if (!found->holds)
			return 0;
	}
	number = words_number(c, late);
	found->text = tv_format(
		"%s begin%s late, %s%s after the first: %s did nothing for %s before %s first "
		"task, while %s.",
		number, one ? "s" : "", one ? "" : "the last one ", tv_words_time(last, late->last),
		one ? "it" : "they", tv_words_of_all(words, c, found->worker_ns),
		one ? "its" : "their", words_waited(c));
	if (late->whole) {
		found->confidence = TV_ESTIMATE;
		tv_append(
			&found->text,
			" All workers of their nodes do: their processes began late, or got their "
			"first tasks late. The trace has no times of submission.");
	}
	found->command = tv_case_plot(c, "late-workers", "--panels spacetime,ready,idle-causes",
				      c->tasks->begin, c->tasks->begin + late->last);
	tv_free(number);
	return 0;
}

const struct tv_rule tv_rule_late_workers = {
	.id = "late-workers",
	.title = "workers begin late",
	.condition =
		"workers run their first task after 2 % of the run or later, while ready tasks "
		"waited for half of this time, and their first one, too; or Start of resources "
		"says so, and ready tasks waited for a tenth of it; this costs 1 % of the "
		"makespan. "
		"If all workers of a node do so, and submissions are not known, its tasks may have "
		"come late",
	.measures = "idle time of these workers before their first tasks, while ready tasks waited "
		    "(causes runtime and elsewhere)",
	.action = "Look for what these workers do until then: threads that are created or bound, "
		  "memory that is allocated, kernels that are loaded.",
	.how = "Start the runtime before the time that counts.",
	.picture = "--panels spacetime,idle-causes",
	.without = TV_WITHOUT_LATE,
	.find = find_late_workers,
};

static int find_leaving_workers(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const struct tv_absent *left = &c->absences.of[TV_ABSENT_LEFT];
	bool one = left->n == 1;
	char *number, *names, words[TV_WORDS_OF_ALL], last[TV_WORDS_INSTANT];
	int64_t end = c->tasks->begin + left->last;

	(void)err;
	if (!find_absent(c, TV_ABSENT_LEFT, found))
		return 0;
	number = words_number(c, left);
	names = words_names(c, TV_ABSENT_LEFT);
	found->text = tv_format("%s run%s nothing after %s (%s): from %s last "
				"task to the end of the run %s did "
				"nothing for %s while %s.",
				number, one ? "s" : "", tv_words_instant(last, c, end), names,
				one ? "its" : "their", one ? "it" : "they",
				tv_words_of_all(words, c, found->worker_ns), words_waited(c));
	found->command = tv_case_plot(c, "leaving-workers", "--panels spacetime,ready,idle-causes",
				      end, c->tasks->finish);
	tv_free(number);
	tv_free(names);
	return 0;
}

const struct tv_rule tv_rule_leaving_workers = {
	.id = "leaving-workers",
	.title = "workers stop before the end",
	.condition =
		"up to half of the workers of a type and node run their last task at about the "
		"same time, 5 % of the run or more before its end, ready tasks waited for others "
		"for half of the time after it, and two or more of these ran tasks, a quarter of "
		"types that they ran, too, for half of it (both: nine tenths, if submissions are "
		"not known); or End of resources says so, and ready tasks waited for a tenth of "
		"it; this costs "
		"1 % of the makespan",
	.measures = "idle time of these workers after their last tasks, while ready tasks waited "
		    "(causes runtime and elsewhere)",
	.action =
		"Look for what happened to these workers then: threads that ended, that slept, or "
		"whose cores were given to others.",
	.how = "If tasks are divided before the run, let workers that have none left take those of "
	       "others.",
	.picture = "--panels spacetime,idle-causes",
	.without = TV_WITHOUT_LEFT,
	.find = find_leaving_workers,
};

static int find_unused_workers(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	char *number, *names, words[TV_WORDS_OF_ALL];

	(void)err;
	if (!find_absent(c, TV_ABSENT_UNUSED, found))
		return 0;
	number = words_number(c, &c->absences.of[TV_ABSENT_UNUSED]);
	names = words_names(c, TV_ABSENT_UNUSED);
	found->text = tv_format("%s ran no task (%s): %s did nothing for %s while %s.", number,
				names, c->absences.of[TV_ABSENT_UNUSED].n == 1 ? "it" : "they",
				tv_words_of_all(words, c, found->worker_ns), words_waited(c));
	found->command = tv_case_plot(c, "unused-workers", "--panels spacetime,ready,idle-causes",
				      0, 0);
	tv_free(number);
	tv_free(names);
	return 0;
}

const struct tv_rule tv_rule_unused_workers = {
	.id = "unused-workers",
	.title = "workers run no task",
	.condition = "workers ran no task, while the others of their type and node ran tasks for "
		     "two thirds of the run, and ready tasks waited for those; this costs 1 % of "
		     "the makespan",
	.measures = "idle time of these workers while ready tasks waited (cause elsewhere)",
	.action = "Find out why these workers take no task: the number of threads, their binding, "
		  "or what the scheduler lets each worker run.",
	.how = "A worker that is kept free for communication or submission costs this time, too.",
	.in.starpu = "STARPU_NCPU, STARPU_WORKERS_CPUID, and the workers of scheduling contexts",
	.in.openmp = "OMP_NUM_THREADS, OMP_PLACES",
	.picture = "--panels spacetime,idle-causes",
	.without = TV_WITHOUT_UNUSED,
	.find = find_unused_workers,
};
