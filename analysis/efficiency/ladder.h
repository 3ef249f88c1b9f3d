/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ladder.h -- the makespan of a run without one kind of loss after the other, down to its area bound.
 *
 * Each time, a rung, is at most the one above it, so the quotients of neighbors, the factors, are at most 1 and their
 * product is exactly area bound / makespan; the differences add up exactly to makespan - area bound. A rung that
 * cannot be known is missing with a reason; then one factor contains all losses between its neighbors.
 *
 *	recorded    the makespan
 *	runtime     same worker, same order, durations and submission as recorded, messages as long as recorded; nothing
 *	            else takes time (dag/rerun.h)
 *	transfer    messages take no time either
 *	submission  all tasks are submitted at the start
 *	order       longest path of the graph, or busiest worker if that is more
 *	graph       busiest worker
 *	workers     max over nodes and types of workers of their mean busy time
 *	types       max over nodes k of b(k) / c(k), where b(k) = sum of y(r) busy, c(k) = sum of y(r) workers, prices y
 *	nodes       sum of all b(k)
 *	overlap     the same where time in several tasks at once counts for each of them: above the one before it
 *	placement   the area bound
 *
 * Ours; on machines with one type of workers it is POP's (pop-coe.eu/node/69): global x load balance x communication.
 * The proof of each step is in docs/passes/efficiency.md.
 */
#ifndef TV_LADDER_H
#define TV_LADDER_H

#include "analysis/bounds/worth.h"
#include "dag/rerun.h"

/* RUNG(symbol, name, what): name: of the loss between a rung and the one above; what: the rung's time. From the top. */
#define TV_LADDER_RUNGS(RUNG) \
	RUNG(RECORDED, "recorded", "recorded makespan") \
	RUNG(RUNTIME, "runtime", "without the runtime: tasks follow each other at once") \
	RUNG(TRANSFER, "transfer", "messages also take no time") \
	RUNG(SUBMISSION, "submission", "all tasks also submitted at the start") \
	RUNG(ORDER, "order", "longest path of the graph, or the busiest worker") \
	RUNG(GRAPH, "graph", "busiest worker") \
	RUNG(WORKERS, "workers", "work of a type of workers of a node shared by them") \
	RUNG(TYPES, "types", "work of a node shared by its types at their prices") \
	RUNG(NODES, "nodes", "work shared by all nodes") \
	RUNG(OVERLAP, "overlap", "the same, each of several tasks at once in full") \
	RUNG(PLACEMENT, "placement", "area bound: each task where it costs least")

enum tv_ladder_rung {
#define TV_LADDER_RUNG_SYMBOL(symbol, ...) TV_LADDER_RUNG_##symbol,
	TV_LADDER_RUNGS(TV_LADDER_RUNG_SYMBOL)
#undef TV_LADDER_RUNG_SYMBOL
		TV_LADDER_NRUNGS
};

const char *tv_ladder_rung_name(enum tv_ladder_rung rung);

struct tv_ladder {
	const char *mode;		    /* what is useful time: "tasks" or "threads" */
	long double time[TV_LADDER_NRUNGS]; /* ns; NaN = missing */
	const char *missing
		[TV_LADDER_NRUNGS]; /* why; NULL where there is one, or no such rung in this kind of ladder */
	const char *what[TV_LADDER_NRUNGS]; /* in place of that of TV_LADDER_RUNGS; NULL = that */
	bool certain[TV_LADDER_NRUNGS];	    /* the factor to it is 1 by construction */
	char *note[TV_LADDER_NRUNGS];	    /* what else there is to know; NULL = nothing; owned */
	long double
		network; /* between runtime and transfer: messages take what the network needs, ns; NaN = not asked */
	char *network_what; /* the network, in words; owned */
	/* Of mode threads, ns: time outside MPI calls of the rank, the mean over threads and the largest mean of a node; the mean
	 * of the time in waits of OpenMP. */
	long double outside, outside_max, paused;
	uint32_t threads; /* of mode threads, how many */
};

static inline bool tv_ladder_has(const struct tv_ladder *ladder, enum tv_ladder_rung rung)
{
	return ladder->time[rung] == ladder->time[rung];
}

/* What the time of a rung is. */
const char *tv_ladder_what(const struct tv_ladder *ladder, enum tv_ladder_rung rung);

/* Without any rung. */
void tv_ladder_init(struct tv_ladder *ladder, const char *mode);
void tv_ladder_release(struct tv_ladder *ladder); /* safe on a zeroed struct */

/* Lower over upper: a factor, or a product of neighboring ones. */
struct tv_factor {
	char name[128]; /* "transfer"; of several losses "runtime, transfer and order" */
	enum tv_ladder_rung upper, lower;
	bool certain, product;
	const char *missing; /* of the first rung that is missing between the two; NULL = none is */
};

/* POP's names for products of neighboring factors. */
enum { TV_NPRODUCTS = 5, TV_FACTORS_MAX = TV_LADDER_NRUNGS + TV_NPRODUCTS };

/* The factors of a ladder from the top, then the products of those whose rungs are there: how many. */
size_t tv_ladder_factors(const struct tv_ladder *ladder, struct tv_factor factor[TV_FACTORS_MAX]);
/* NaN for 0 / 0. */
double tv_ladder_value(const struct tv_ladder *ladder, const struct tv_factor *factor);

/*
 * Warns of each factor above 1, but overlap: the trace contradicts itself.
 */
void tv_ladder_warn(struct tv_run *run, const struct tv_ladder *ladder);

/* The busy time of workers, in a part of a run, as the lower rungs need it. */
struct tv_busy {
	const struct tv_tasks *tasks;
	const double *price; /* by resource type */
	const int64_t *time; /* by worker, ns */
	const bool *of;	     /* by worker: it belongs to the part; NULL = all do */
};
/* Sets the rungs from graph to nodes; those of a part of the workers over the sum of these workers' prices. Cost
 * O(workers). */
void tv_ladder_set_busy(struct tv_ladder *ladder, const struct tv_busy *busy);

/*
 * The ladder of a whole run. A mode that is added has a function like tv_ladder_tasks and a line in tv_ladder_of_run.
 * -1 with *err: no mode fits. Release it in any case. Cost: that of the area bound and of three replays.
 */
int tv_ladder_of_run(struct tv_ladder *ladder, struct tv_run *run,
		     struct tv_error *err) TV_MUST_CHECK;
/* The same of mode tasks; and its rungs from runtime to submission, which need a replay without an obstacle. */
int tv_ladder_tasks(struct tv_ladder *ladder, struct tv_run *run,
		    struct tv_error *err) TV_MUST_CHECK;
/* Of mode threads, a program without tasks that calls MPI or has states of OpenMP: recorded; of calls runtime and transfer
 * (missing where they cannot be replayed); order and graph (the busiest thread), workers, nodes; no placement. Cost: that of
 * tv_mpi_replay_init. */
int tv_ladder_threads(struct tv_ladder *ladder, struct tv_run *run,
		      struct tv_error *err) TV_MUST_CHECK;
/* Adds the rung that is outside the product, from text as tv_network_init has it. -1 with *err: it is none, cannot be fitted,
 * or the run cannot be replayed. Cost of one more replay. */
int tv_ladder_add_network(struct tv_ladder *ladder, struct tv_run *run, const char *text,
			  struct tv_error *err) TV_MUST_CHECK;
int64_t tv_ladder_replay(const struct tv_rerun *replay, enum tv_ladder_rung rung, int64_t *ends);

#endif
