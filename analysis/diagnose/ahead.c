/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ahead.c -- simulations beside other work, before it is known whether a potential needs them. */
#include "analysis/diagnose/potential.h"
#include "trace/parallel.h"
#include "trace/timings.h"

enum { MANY_TASKS = 20000 }; /* of fewer, simulations take no time that somebody sees */

struct ahead {
	struct tv_potentials *p;
	void (*work)(void *context);
	void *context;
	struct tv_simulation replay;
	struct tv_policy_runs runs;
};

static void do_ahead(void *context, size_t i)
{
	struct ahead *a = context;
	struct tv_error err = { 0 };

	if (i == 0)
		a->work(a->context);
	else if (i > 1)
		tv_policy_runs_simulate(&a->runs, tv_policy_runs_turn(&a->runs, i - 2), false);
	else
		a->p->replayed_ahead = tv_simulation_run(&a->replay, false, &err) == 0;
}

/* Finds in the run what the simulations need. */
static bool prepare_ahead(struct ahead *a)
{
	const struct tv_simulation_options replay_options = { .scheduler = "replay",
							      .submission = "trace",
							      .makespan_only = true };
	struct tv_potentials *p = a->p;
	struct tv_error err = { 0 };

	return tv_potentials_simulator(p, &err) == 0
	    && tv_simulation_prepare(&a->replay, &p->simulator, &replay_options, &err) == 0
	    && tv_policy_runs_init(&a->runs, &p->policies, &p->simulator, &err) == 0;
}

/* Keeps what was simulated. What failed is simulated again when it is asked for: then errors have names of tasks. */
static void keep_ahead(struct ahead *a)
{
	struct tv_potentials *p = a->p;
	struct tv_error err = { 0 };

	p->replayed = a->replay.schedule.makespan;
	p->transfers = a->replay.memory.simulated;
	p->simulated_ahead = tv_policy_runs_end(&a->runs, p->recorded, &err) == 0;
}

void tv_potentials_beside(struct tv_potentials *p, void (*work)(void *context), void *context)
{
	struct ahead a = { .p = p, .work = work, .context = context };
	bool prepared;
	TV_STAGE("simulations", NULL);

	/* With one thread, too, as the order of warnings depends on it. */
	prepared = p->run->tasks.ncounted >= MANY_TASKS && p->run->tasks.nplanned == 0
		&& prepare_ahead(&a);
	/* The work may need as much as some simulations. */
	if (prepared && tv_threads() > 1 && tv_policy_runs_fit(&p->simulator, tv_threads() + 4)) {
		tv_parallel(2 + (size_t)p->policies.n, do_ahead, &a);
		keep_ahead(&a);
	} else {
		work(context);
	}
	tv_simulation_release(&a.replay);
	tv_policy_runs_release(&a.runs);
}
