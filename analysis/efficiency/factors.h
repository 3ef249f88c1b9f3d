/* SPDX-License-Identifier: GPL-3.0-or-later */
/* factors.h -- the factors and times of ladders as columns of a table, one row for each ladder. */
#ifndef TV_FACTORS_H
#define TV_FACTORS_H

#include "analysis/efficiency/ladder.h"

/* FACTOR(symbol, column, name, upper, lower, meaning): name: as in --fail-if. */
#define TV_FACTORS(FACTOR) \
	FACTOR(GLOBAL, "Global", "global", RECORDED, PLACEMENT, \
	       "area bound / Makespan: Parallel x PlacementFactor") \
	FACTOR(PARALLEL, "Parallel", "parallel", RECORDED, NODES, \
	       "Useful / Makespan: LoadBalance x Communication") \
	FACTOR(LOAD_BALANCE, "LoadBalance", "load-balance", GRAPH, NODES, \
	       "NodesFactor x TypesFactor x WorkersFactor") \
	FACTOR(COMMUNICATION, "Communication", "communication", RECORDED, GRAPH, \
	       "Serialization x TransferFactor x RuntimeFactor") \
	FACTOR(SERIALIZATION, "Serialization", "serialization", TRANSFER, GRAPH, \
	       "GraphFactor x OrderFactor x SubmissionFactor") \
	FACTOR(RUNTIME, "RuntimeFactor", "runtime", RECORDED, RUNTIME, \
	       "lost by the runtime system") \
	FACTOR(TRANSFER, "TransferFactor", "transfer", RUNTIME, TRANSFER, "by messages in flight") \
	FACTOR(SUBMISSION, "SubmissionFactor", "submission", TRANSFER, SUBMISSION, \
	       "by late submission") \
	FACTOR(ORDER, "OrderFactor", "order", SUBMISSION, ORDER, "by the order of tasks") \
	FACTOR(GRAPH, "GraphFactor", "graph", ORDER, GRAPH, "by a long path") \
	FACTOR(WORKERS, "WorkersFactor", "workers", GRAPH, WORKERS, \
	       "by unequal workers of a type on a node") \
	FACTOR(TYPES, "TypesFactor", "types", WORKERS, TYPES, "by unequal types of workers") \
	FACTOR(NODES, "NodesFactor", "nodes", TYPES, NODES, "by unequal nodes") \
	FACTOR(OVERLAP, "OverlapFactor", "overlap", NODES, OVERLAP, \
	       "above 1: several tasks at once") \
	FACTOR(PLACEMENT, "PlacementFactor", "placement", OVERLAP, PLACEMENT, \
	       "by tasks on the wrong type of workers")

/* TIME(symbol, column, meaning): rungs that are columns, ms. */
#define TV_FACTOR_TIMES(TIME) \
	TIME(RECORDED, "Makespan", "length of the run or the part") \
	TIME(RUNTIME, "NoRuntime", "the same without the runtime") \
	TIME(TRANSFER, "NoMessages", "and without messages") \
	TIME(SUBMISSION, "AtOnce", "and all tasks submitted at the start") \
	TIME(ORDER, "LongestPath", "longest path or busiest worker") \
	TIME(GRAPH, "BusiestWorker", "busiest worker") \
	TIME(WORKERS, "BusiestType", "busiest type of workers of a node, mean of its workers") \
	TIME(TYPES, "BusiestNode", "busiest node at the prices of its workers") \
	TIME(NODES, "Useful", "busy time of all workers at their prices") \
	TIME(PLACEMENT, "Area", "area bound, or the part's share of it")

enum {
#define TV_FACTOR_SYMBOL(symbol, ...) TV_FACTOR_##symbol,
	TV_FACTORS(TV_FACTOR_SYMBOL)
#undef TV_FACTOR_SYMBOL
		TV_NFACTORS,
#define TV_FACTOR_COUNT(...) +1
	TV_NFACTOR_TIMES = 0 TV_FACTOR_TIMES(TV_FACTOR_COUNT),
#undef TV_FACTOR_COUNT
	TV_FACTOR_FIELDS = TV_NFACTORS + TV_NFACTOR_TIMES
};

/* Fields of a table: times, then factors. */
#define TV_FACTOR_FIELD_ROWS			      TV_FACTOR_TIMES(TV_FACTOR_TIME_FIELD) TV_FACTORS(TV_FACTOR_FIELD)
#define TV_FACTOR_TIME_FIELD(symbol, column, meaning) { column, TV_TIME, false, "ms", meaning },
#define TV_FACTOR_FIELD(symbol, column, name, upper, lower, meaning) \
	{ column, TV_DOUBLE, false, "", meaning },

/* Sets the cells of a row, of which the first of these columns is out->col[first]; missing where a rung is. */
void tv_factors_set(struct tv_table *out, size_t first, uint32_t row,
		    const struct tv_ladder *ladder);

/*
 * Whether an expression of the names of factors ("nodes < 0.8") and makespan (ms) holds for a ladder. -1 with *err
 * (usage): it names something else.
 */
int tv_factors_hold(const struct tv_ladder *ladder, const char *expression, bool *holds,
		    struct tv_error *err) TV_MUST_CHECK;

#endif
