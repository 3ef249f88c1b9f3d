/* SPDX-License-Identifier: GPL-3.0-or-later */
/* potential.h -- how much shorter the run would be without an obstacle, by simulation. */
#ifndef TV_DIAGNOSE_POTENTIAL_H
#define TV_DIAGNOSE_POTENTIAL_H

#include "analysis/diagnose/moved.h"
#include "sim/model/policies.h"

/* What a simulation leaves away. Gains are against a replay of the run (same workers, same order). */
enum tv_without {
	TV_WITHOUT_NOTHING,    /* no simulation: not estimated */
	TV_WITHOUT_GAPS,       /* time between tasks that nothing needs; against the run itself */
	TV_WITHOUT_SUBMISSION, /* all tasks are submitted at the start */
	TV_WITHOUT_BARRIERS, /* likewise; where that gains nothing, waits may be in the graph: it says nothing */
	TV_WITHOUT_PACE, /* tasks are submitted at once, at the start and after each wait of the program for all its tasks */
	TV_WITHOUT_MESSAGES,  /* messages take no time */
	TV_WITHOUT_TRANSFERS, /* transfers between memory nodes take no time */
	TV_WITHOUT_SCHEDULE,  /* the best policy, against the one that is nearest to the run */
	TV_WITHOUT_OUTLIERS,  /* tasks of a class of lateness.h take the mean of all others */
	TV_WITHOUT_WARM_UP,
	TV_WITHOUT_SLOW_WORKER, /* of their task type and resource type; the policy nearest to the run */
	TV_WITHOUT_DISTURBANCE,
	TV_WITHOUT_SLOW_PLACES,
	TV_WITHOUT_WAITING, /* tasks take what they had a processor for (task-clock) */
	TV_WITHOUT_LOCKS,   /* tasks do not wait for locks */
	TV_WITHOUT_STEP,    /* single tasks for which all workers wait are divided among these */
	TV_WITHOUT_LONG,    /* likewise long tasks that are no disturbance (unequal-tasks) */
	TV_WITHOUT_JOINS,   /* nothing waits for joins; a limit, as it may need what came before */
	TV_WITHOUT_SLOW_TYPES, /* tasks on the chain of last dependencies are as fast as on their
				* best type of workers */
	TV_WITHOUT_LAST, /* the task that runs alone at the end is split; the policy nearest to the run */
	TV_WITHOUT_UNUSED, /* these workers run tasks all the time; the policy nearest to the run as it was */
	TV_WITHOUT_LATE,
	TV_WITHOUT_LEFT,
	TV_NWITHOUT
};

struct tv_potential {
	int64_t ns;	   /* TV_UNKNOWN = not estimated */
	int64_t simulated; /* else, of policies and replays: what the simulation without it takes; that of the run may have been shorter, too */
	struct tv_policy_time
		was; /* then: the run as it was, by the policy or (name NULL) the replay with which that is compared */
	bool absent;   /* of a policy: with absent workers */
	int64_t below; /* then: it is not more than this; TV_UNKNOWN = not known */
	int64_t work; /* by so much less are the tasks done without it, with all workers busy all the time */
	char *method; /* free with tv_free */
	bool refuted; /* no policy gains in simulations, or less than their error */
	bool useless; /* without late submission, the simulation gains less than 1 % of the run */
};

struct tv_case;

/* What all potentials of a run share; each simulation runs once, when it is first needed. */
struct tv_potentials {
	const struct tv_case *c;
	struct tv_run *run; /* of c */
	const char *from;   /* as of c */
	bool begun, usable, transfers;
	struct tv_waited_for {
		struct tv_restarts
			moves; /* none: the program did not wait for all its tasks, or not so that simulations move its submissions */
		bool kept;     /* it waited, but simulations keep the recorded ones */
		int64_t gapless; /* a replay without time between tasks, with the moves; without any, as replayed */
	} waits;
	char *why; /* not usable: why */
	char *overhead; /* of simulations other than the replay without gaps: as --overhead; NULL = none */
	/* What tv_potentials_beside has done. */
	bool initialized, replayed_ahead, simulated_ahead;
	struct tv_simulator simulator;
	int64_t recorded, replayed;
	struct tv_policies policies;
	const struct tv_policy_time *model; /* the nearest; NULL = not simulated yet */
	struct tv_policies absent; /* likewise, with absent workers (absent.h); n is 0 before */
	bool done[TV_NWITHOUT];
	struct tv_potential of[TV_NWITHOUT],
		ahead[2]; /* of transfers: by replays, by a policy; method NULL before */
};

/* c is borrowed, and need not be initialized; run and from: what it is initialized with. */
void tv_potentials_init(struct tv_potentials *potentials, const struct tv_case *c,
			struct tv_run *run, const char *from);
/*
 * Calls work(context), which computes results of the run but no potentials (ahead.c). Where the run has many tasks, other threads
 * simulate meanwhile what most potentials need: the replay and the policies. Potentials and warnings are the same for
 * each number of threads.
 */
void tv_potentials_beside(struct tv_potentials *potentials, void (*work)(void *context),
			  void *context);
void tv_potentials_release(struct tv_potentials *potentials);
/* Initializes the simulator if it is not yet. -1 with *err. */
int tv_potentials_simulator(struct tv_potentials *potentials, struct tv_error *err) TV_MUST_CHECK;
/* The same for a finding of that size, ns: a replay without gaps that is shorter by less than a quarter of it shows nothing, as it
 * keeps the workers of tasks, and the times at which tasks were submitted, and so what the runtime took to create them; of transfers the replay, with or without them,
 * or a policy shows what they cost, if it is shorter by no more than that size. */
const struct tv_potential *tv_potential_of(struct tv_potentials *potentials,
					   enum tv_without without, int64_t size_ns);
/* Estimates those of wanted, by enum tv_without, that can be simulated at the same time, on several threads. */
void tv_potentials_together(struct tv_potentials *potentials, const bool *wanted);
/* Owned by potentials. What cannot be simulated is not estimated, and the method says why. */
const struct tv_potential *tv_potential_without(struct tv_potentials *potentials,
						enum tv_without without);

#endif
