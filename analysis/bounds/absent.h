/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * absent.h -- workers that run nothing at the begin, at the end or in all of the run, while tasks wait for a worker.
 *
 * Such a task is ready, and the absent worker ran it later or could have run it (causes runtime and elsewhere of dag/idle.h).
 *
 * late		its first task begins after 2 % of the run or more. Without a Start in the table of resources that says so: it was ready
 *		before that by 2 % of this time or a tenth of a mean task, and tasks waited for half of this time; where submissions are
 *		not known, the other workers of its type and node ran tasks for nine tenths of it; if all of these are late, those of
 *		its type on other nodes
 * left		its last task ends 2 % of the run before the end or earlier. Without an End in resources that says so: 5 %, and two mean
 *		tasks; tasks waited for other workers for nine tenths of this time, two or more of its type and node stayed and ran tasks
 *		for nine tenths of it, no more than half of them left, and those within two mean tasks and 1 % of the run, as one after
 *		the other is imbalance
 * unused	it ran nothing, others of its type and node ran tasks for two thirds of the run; for nine tenths where nothing says when
 *		tasks are ready
 *
 * Where --restrict left out tasks of the workers, only Start and End in resources say so.
 *
 * Start and End in resources are believed if tasks waited for a tenth of this time; also where nothing says when tasks are ready, if the
 * others ran tasks for four fifths of it. Ours.
 */
#ifndef TV_ABSENT_H
#define TV_ABSENT_H

#include "analysis/bounds/accounting.h"
#include "sim/model/simulation.h"

enum tv_absence { TV_ABSENT_LATE, TV_ABSENT_LEFT, TV_ABSENT_UNUSED, TV_NABSENCES };
extern const char *const tv_absence_word[]; /* "late" ... */

/* Idle time, ns: of workers; times the prices of their types, which is time of the run. */
struct tv_idle_sum {
	int64_t worker;
	double time;
};

struct tv_absent {
	uint32_t n, of; /* workers; those of their types and nodes */
	uint32_t rtype; /* of the tasks; TV_NONE = several */
	bool whole; /* late: all workers of their nodes are, and nothing says when tasks were submitted */
	int64_t last; /* when the last of them begins, or ends, after the begin of the run, ns */
	struct tv_idle_sum runtime, elsewhere; /* while tasks waited: by cause */
};

struct tv_absences {
	struct tv_absent of[TV_NABSENCES];
	bool known;  /* the trace says when tasks are ready */
	uint8_t *is; /* by worker: bits 1 << enum tv_absence; NULL = no worker is absent */
	struct tv_sim_presence *present; /* then, by worker: as simulations need it */
	int64_t own; /* what late workers' first tasks waited for them, ns of workers */
};

/* known: false if nothing says when tasks are ready. -1 with *err. Release it in any case. Cost: a search for the first and last task
 * of each worker; where some run nothing for long, a sweep (tv_idle_until) and
 * O((tasks + workers) log workers). */
int tv_absences_init(struct tv_absences *absences, struct tv_run *run,
		     const struct tv_account *account, bool known,
		     struct tv_error *err) TV_MUST_CHECK;
/* Of a run with tasks: with its account. */
int tv_absences_of_run(struct tv_absences *absences, struct tv_run *run,
		       struct tv_error *err) TV_MUST_CHECK;
void tv_absences_release(struct tv_absences *absences); /* safe on a zeroed struct */

/* Whether something says when tasks are ready. */
bool tv_is_ready_known(const struct tv_dag *dag);
/* By worker, when it is there if the absences of these kinds (bits 1 << enum tv_absence) are as they were, and all other workers take
 * tasks all the time. NULL = all do. Free with tv_free. */
struct tv_sim_presence *tv_absences_present(const struct tv_absences *absences, uint32_t nworkers,
					    unsigned kinds);
/* Both causes. */
struct tv_idle_sum tv_absent_idle(const struct tv_absent *absent);

/* Whether any worker is. */
static inline bool tv_some_absent(const struct tv_absences *absences)
{
	uint32_t n = 0;

	for (int kind = 0; kind < TV_NABSENCES; kind++)
		n += absences->of[kind].n;
	return n > 0;
}

static inline bool tv_is_absent(const struct tv_absences *absences, uint32_t worker,
				enum tv_absence kind)
{
	return absences->is != NULL && (absences->is[worker] >> kind & 1);
}

#endif
