/* SPDX-License-Identifier: GPL-3.0-or-later */
/* changes.c -- other schedulers, workers and submission, by simulation. */
#include "analysis/bounds/changes.h"

#include <string.h>

#include "analysis/core/warnings.h"
#include "analysis/core/worker_words.h"
#include "trace/alloc.h"

int64_t tv_change_distance(int64_t a, int64_t b)
{
	return a > b ? a - b : b - a;
}

void tv_change_add(struct tv_changes *w, char *text, char *options, int64_t makespan,
		   int64_t baseline, const char *nature)
{
	if (options != NULL && w->data_size != NULL)
		tv_append(&options, " --data-size %s", w->data_size);
	TV_GROW(w->change, w->n, w->cap, 1);
	w->change[w->n++] = (struct tv_change){
		text,	options, makespan, baseline, tv_change_distance(baseline, w->recorded),
		nature, 0
	};
}

int tv_change_simulate(struct tv_changes *w, const struct tv_simulation_options *options,
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

int tv_change_try(struct tv_changes *w, const struct tv_simulation_options *options, char *text,
		  char *given, int64_t baseline, struct tv_error *err)
{
	int64_t makespan;

	if (tv_change_simulate(w, options, &makespan, err) < 0) {
		tv_free(text);
		tv_free(given);
		return -1;
	}
	tv_change_add(w, text, given, makespan, baseline, "simulated");
	return 0;
}

struct tv_simulation_options tv_change_nothing(const struct tv_changes *w, const char *scheduler)
{
	return (struct tv_simulation_options){ .scheduler = scheduler,
					       .submission = "trace",
					       .data_size = w->data_size };
}

/* The option of simulate that keeps the absences of these kinds, or "". Free with tv_free. */
static char *keep_absent(const struct tv_changes *w, unsigned kinds)
{
	char *option = tv_strdup("");

	for (int kind = 0; kind < TV_NABSENCES; kind++)
		if (w->absences.of[kind].n > 0 && (kinds >> kind & 1))
			tv_append(&option, "%s%s", option[0] == '\0' ? " --absent " : ",",
				  tv_absence_word[kind]);
	return option;
}

/* Simulates a policy where the workers that were absent in these ways still are. */
static int simulate_absent(struct tv_changes *w, const char *scheduler, unsigned kinds,
			   int64_t *makespan, struct tv_error *err)
{
	const struct tv_simulation_options options = tv_change_nothing(w, scheduler);
	struct tv_sim_presence *present = tv_absences_present(&w->absences, w->run->tasks.nworkers,
							      kinds);
	int rc;

	w->simulator.present = present;
	rc = tv_change_simulate(w, &options, makespan, err);
	w->simulator.present = NULL;
	tv_free(present);
	return rc;
}

int tv_change_scheduler(struct tv_changes *w, struct tv_error *err)
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
		tv_change_add(w, tv_format("scheduler %s", name),
			      tv_format("--scheduler %s --submission trace%s", name, absent),
			      makespan, w->replayed, "simulated");
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

int tv_change_absences(struct tv_changes *w, struct tv_error *err)
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
		tv_change_add(
			w,
			tv_format("%s take tasks all the time, scheduler %s", text[kind], w->model),
			tv_format("--scheduler %s --submission trace%s", w->model, absent),
			makespan, w->present, "simulated");
		tv_free(absent);
	}
	return 0;
}

int tv_change_submission(struct tv_changes *w, struct tv_error *err)
{
	struct tv_simulation_options options = tv_change_nothing(w, "replay");
	bool model = tv_change_distance(w->modeled, w->recorded) <= w->recorded / 20;
	int64_t replayed, modeled = INT64_MAX;

	options.submission = "all-at-once";
	if (w->run->tasks.submit == NULL)
		return 0;
	if (tv_change_simulate(w, &options, &replayed, err) < 0)
		return -1;
	options.scheduler = w->model;
	if (model && tv_change_simulate(w, &options, &modeled, err) < 0)
		return -1;
	model = model && w->modeled - modeled > w->replayed - replayed
	     && w->modeled - modeled > tv_change_distance(w->modeled, w->recorded);
	tv_change_add(
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

int tv_change_workers(struct tv_changes *w, struct tv_error *err)
{
	const struct tv_tasks *tasks = &w->run->tasks;
	int rc = 0;

	for (uint32_t r = 0; r < tasks->nrtypes && rc == 0; r++) {
		const char *name = tv_pool_text(tasks->pool, tasks->rtype[r].label);
		struct tv_simulation_options options = tv_change_nothing(w, w->model);
		char *add, words[TV_WORKER_WORDS];

		if (!is_addable(tasks->pool, tasks->rtype[r].label)) {
			tv_run_warn(w->run,
				    "no worker of the resource type '%s' is added: --add "
				    "cannot name it",
				    name);
			continue;
		}
		options.add = add = tv_format("%s=1", name);
		rc = tv_change_try(
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
