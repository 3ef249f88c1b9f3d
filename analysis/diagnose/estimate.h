/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate.h -- the simulations of potential.h, by what they leave away, and what they share. Each fills in a potential, whose method and
 * numbers are those of nothing before; -1 with *err. */
#ifndef TV_DIAGNOSE_ESTIMATE_H
#define TV_DIAGNOSE_ESTIMATE_H

#include "analysis/core/lateness.h"
#include "analysis/diagnose/evidence.h"
#include "analysis/diagnose/potential.h"

/* What replays leave away, and simulations with other durations. */
extern const struct tv_replay {
	const char *method;
	const char *transfers;
	bool free_messages;
	int class; /* of evidence.h, or one of those below */
	/* What is not known of a run without it, and so may take more time than the simulation. */
	enum tv_replay_open {
		TV_ALL_KNOWN,
		TV_OTHERS_OPEN, /* whether faster workers have time for these tasks; what of that under a lock can be avoided */
		TV_NEED_OPEN /* how long the program needs to submit its tasks, or how many processors there are; what the simulation of
			      * the run as it was leaves out may be due to that, too */
	} open;
} tv_replays[TV_NWITHOUT];
enum {
	TV_REPLAY_AS_IT_WAS = -1, /* durations are those of the run */
	TV_REPLAY_CHAIN =
		-2, /* tasks of the chain take what they take on their best type of workers */
	TV_REPLAY_CLOCKED = TV_NCLASSES, /* tasks take their task-clock */
	TV_REPLAY_LOCKS,		 /* tasks do not wait for locks */
	TV_REPLAY_STEP, /* what of tasks of the finding serial-step ran alone is divided */
	TV_REPLAY_LONG	/* likewise of unequal-tasks */
};

/* Whether a replay or simulation has the durations of tasks of a class, or such as those below, changed, and not the chain. */
static inline bool tv_replay_shortens(enum tv_without without)
{
	return tv_replays[without].method != NULL && tv_replays[without].class >= 0;
}

/* ---- simulations (estimate.c) ---- */

/* The makespan of a simulation with a copy of the simulator; where the program waited for all its tasks, what it submits moves with their
 * ends. submission: of simulations ("trace", "all-at-once"). */
int tv_estimate_on(struct tv_potentials *p, struct tv_simulator *simulator, enum tv_without without,
		   const char *scheduler, const char *submission, int64_t *makespan,
		   struct tv_error *err) TV_MUST_CHECK;
/* The same with the simulator itself. */
int tv_estimate_with(struct tv_potentials *p, enum tv_without without, const char *scheduler,
		     const char *submission, int64_t *makespan, struct tv_error *err) TV_MUST_CHECK;
/* Gives the potential its gain; the method is taken over. A gain below what the simulation of the run leaves unexplained, or below 1 % of
 * the run, shows nothing. of: the policy of that simulation; NULL = the replay. */
void tv_estimate_judge(const struct tv_potentials *p, enum tv_without without,
		       const struct tv_policy_time *of, int64_t makespan, char *method,
		       struct tv_potential *potential);
/* Simulate the policies as the run was: with all workers; with those that are absent; both, if some are. */
int tv_estimate_model(struct tv_potentials *p, struct tv_error *err) TV_MUST_CHECK;
int tv_estimate_absent(struct tv_potentials *p, struct tv_error *err) TV_MUST_CHECK;
int tv_estimate_models(struct tv_potentials *p, struct tv_error *err) TV_MUST_CHECK;
/* Of tv_estimate_models: that whose length is nearest to that of the run. */
const struct tv_policy_time *tv_estimate_nearest(const struct tv_potentials *p);
/* The workers of the policy with which it is simulated (of tv_estimate_models); NULL = all the time; to be freed. */
struct tv_sim_presence *tv_estimate_presence(const struct tv_potentials *p,
					     const struct tv_policy_time *of);
/* By what is nearest to the run, the replay or a policy; but by a policy that is within 5 % if it gains more than the replay, which sets
 * no limit. by: a simulation of a policy, or (NULL) the replay. */
int tv_estimate_nearest_or_larger(struct tv_potentials *p, enum tv_without without,
				  int (*by)(struct tv_potentials *p, enum tv_without without,
					    const struct tv_policy_time *of,
					    struct tv_potential *potential, struct tv_error *err),
				  struct tv_potential *potential,
				  struct tv_error *err) TV_MUST_CHECK;

/* ---- durations, messages, transfers (estimate_durations.c) ---- */

/* By a replay: without messages, without transfers, or with other durations. */
int tv_estimate_replayed(struct tv_potentials *p, enum tv_without without,
			 struct tv_potential *potential, struct tv_error *err) TV_MUST_CHECK;
/* Other durations (tv_estimate_nearest_or_larger): in the replay no other worker takes over tasks. */
int tv_estimate_durations(struct tv_potentials *p, enum tv_without without,
			  struct tv_potential *potential, struct tv_error *err) TV_MUST_CHECK;

/* ---- submission (estimate_submission.c) ---- */

/* Where a scheduler had no choice, because few tasks were submitted, it may have one without: the policy that is nearest to the run as it
 * was, or its replay, says what it would do. A replay keeps workers and order, so it sets no limit, and a policy that is within 5 % may gain
 * more. */
int tv_estimate_submitted(struct tv_potentials *p, struct tv_potential *potential,
			  struct tv_error *err) TV_MUST_CHECK;
/* Where the program also waits for all its tasks: tasks are submitted at once between these waits. */
int tv_estimate_pace(struct tv_potentials *p, struct tv_potential *potential,
		     struct tv_error *err) TV_MUST_CHECK;
/* What that gains; no limit, as a wait for all tasks may be in the graph, too. */
void tv_estimate_barriers(struct tv_potentials *p, struct tv_potential *potential);

/* ---- where and when tasks run (estimate_schedule.c) ---- */

/* The policy with which the run is shortest, against the one that is nearest to the run. */
int tv_estimate_scheduled(struct tv_potentials *p, struct tv_potential *potential,
			  struct tv_error *err) TV_MUST_CHECK;
/* As if absent workers of a kind took tasks all the time, against the policy that is nearest to the run with all that are absent. */
int tv_estimate_present(struct tv_potentials *p, enum tv_without without,
			struct tv_potential *potential, struct tv_error *err) TV_MUST_CHECK;
/* As if no task waited for a join: by what is nearest to the run, the replay or a policy. */
int tv_estimate_joins(struct tv_potentials *p, struct tv_potential *potential,
		      struct tv_error *err) TV_MUST_CHECK;
/* The task that runs alone at the end in as many parts as there are workers for it: by the policy that is nearest to the run. */
int tv_estimate_split(struct tv_potentials *p, struct tv_potential *potential,
		      struct tv_error *err) TV_MUST_CHECK;

#endif
