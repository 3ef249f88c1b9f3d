/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * simulator.h -- what all simulations of a run, or of a planned graph, have in common: the graph, the
 * order of submission, what tasks cost and access. Each part is found once, when it is first needed.
 */
#ifndef TV_SIMULATOR_H
#define TV_SIMULATOR_H

#include "sim/model/costs.h"
#include "sim/model/simulated_accesses.h"
#include "sim/model/simulated_data.h"

/* The graph as the engine follows it; arrays are owned. */
struct tv_simulated_order {
	uint32_t *first, *next; /* successors; NULL = not found yet */
	uint32_t *rank;		/* of submission: by SubmitTime, then JobId, then row */
	int64_t *
		submit; /* ns, not before one of a smaller rank, 0 where `after`; NULL = all at 0 */
	uint32_t *
		after; /* what it is submitted after, of the graph; TV_NONE; NULL = there is none */
	int64_t *
		wait; /* how long after that, ns; where it is none any more, as creators are not held: when */
};

struct tv_simulator {
	struct tv_run *run;
	const struct tv_dag *dag;
	struct tv_costs costs;
	uint32_t nnodes; /* of the machine: at least one */
	/* Task types that the same resource types can run are of one kind. */
	uint32_t nkinds, *kind, *type_of_kind; /* kind: by type; type_of_kind: a type of it */
	struct tv_simulated_order order[2][2]; /* of tv_simulator_order: by recorded, held */
	/* By node of the dag. */
	const uint32_t *worker;	       /* recorded; TV_NONE */
	uint32_t *own_worker;	       /* that, where it is not the one of each row; else NULL */
	uint32_t *sequence, *first_on; /* of tv_sim_recorded_order; NULL = not found yet */
	uint32_t *group; /* of work: pair of node of the machine and kind of task types */
	bool *work;
	int64_t *priority; /* NULL = all equal */
	int64_t *delay;	   /* tv_simulator_delays */
	bool delays_known;
	uint32_t *tied;	 /* the segment before, on whose worker it runs; NULL = there are none */
	double *created; /* after which share of its creator's time; NULL = none is created */
	struct tv_simulated_exclusion exclusion;
	struct tv_simulated_accesses accesses;
	int64_t data_size; /* bytes of data without size; -1 = none is given */
	struct tv_sim_link
		*fitted;  /* links as fast as those of the run (simulated_memory.c); NULL = not
				       found yet */
	bool shows_links; /* whether some transfer of the run shows how fast one is */
	const struct tv_sim_presence *
		present; /* by worker of the run, for its machine; set and owned by the caller; NULL = all the time */
};

/* more, nmore: as for tv_costs_init. -1 with *err: no tasks, parallel tasks (teams), what
 * tv_costs_init refuses. */
int tv_simulator_init(struct tv_simulator *simulator, struct tv_run *run,
		      const struct tv_cost_options *costs, const char *const *more, size_t nmore,
		      struct tv_error *err) TV_MUST_CHECK;
void tv_simulator_release(struct tv_simulator *simulator); /* safe on a zeroed struct */

/* A copy in which nothing depends on some nodes (gone, by node): its graph, and its orders of submission, which are found again. It borrows
 * the rest, so some simulation of the simulator comes first. Release it with tv_simulator_copy_release before that. */
struct tv_simulator_copy {
	struct tv_simulator simulator;
	struct tv_dag dag;
};
void tv_simulator_copy_without(struct tv_simulator_copy *copy, const struct tv_simulator *simulator,
			       const bool *gone);
void tv_simulator_copy_release(struct tv_simulator_copy *copy);

/* The time of a run, ns, that is 0 in simulations in which its tasks are submitted when they were: 0, or if that is less, its begin or its
 * first submission. Cost O(rows). */
int64_t tv_simulator_zero(const struct tv_tasks *tasks);
/* The order in which nodes are submitted and what follows each; recorded: the order in which tasks
 * excluded each other is part of the graph. held: who creates tasks runs some of them itself, as in the run, and goes on after these. */
const struct tv_simulated_order *tv_simulator_order(struct tv_simulator *simulator, bool recorded,
						    bool held);
/* By node, how long it takes that needs no worker, ns; -1 = it is work. NULL: all are. */
const int64_t *tv_simulator_delays(struct tv_simulator *simulator);
/* The same, to be freed, where messages may take no time. */
int64_t *tv_simulator_find_delays(const struct tv_simulator *simulator, bool free_messages);
const struct tv_simulated_exclusion *tv_simulator_exclusion(struct tv_simulator *simulator);
const struct tv_simulated_accesses *tv_simulator_accesses(struct tv_simulator *simulator);
/* Warns of what is assumed about the accesses, if they were found. */
void tv_simulator_warn(const struct tv_simulator *simulator);

#endif
