/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chains.h -- backward chains from chosen tasks, merged into paths.
 *
 * A chain: a task, its last dependency, that one's, at most `depth` times. Chains that share a task
 * or a dependency are one path. Messages on the way are steps of their own and belong to the path;
 * they do not count for the depth. Source: V. Garcia Pinto, thesis, 2018, 5.1.5.
 */
#ifndef TV_CHAINS_H
#define TV_CHAINS_H

#include "analysis/core/choose.h"
#include "analysis/core/last.h"
#include "analysis/core/options.h"
#include "trace/number.h"

struct tv_path {
	uint32_t component; /* as tv_dag_merge numbers them */
	uint32_t chosen, tasks, messages;
	int64_t start, end; /* ns: first Start, last End */
	tv_int128 compute;  /* ns: of its tasks, from first Start to last End each */
	tv_int128 delay;    /* ns: of every dependency on it, from End to Start; >= 0 each */
	tv_int128 transfer; /* ns: the part of delay that messages took */
};

struct tv_chains {
	const struct tv_dag *dag;
	uint32_t depth;		    /* UINT32_MAX = to the root */
	const struct tv_last *last; /* of the run */
	bool *chosen;		    /* by node */
	uint32_t *level; /* by node: dependencies from the nearest chosen task; of a message,
				 * of the task that it leads to; TV_NONE = on no path */
	uint32_t *place; /* by node: its path, an index into path; TV_NONE = none */
	uint32_t npaths;
	struct tv_path *path; /* greatest delay first; of equal ones the first in the trace */
};

/* Options of the passes that make chains. */
struct tv_chains_asked {
	const char *tasks, *depth;
};
#define TV_CHAINS_OPTIONS \
	{ "tasks", TV_CHOOSE_ARGUMENT, "last", "tasks at which chains start (see below)", \
	  TV_INTO(struct tv_chains_asked, tasks) }, \
	{ \
		"depth", "D|root", "3", \
			"dependencies to go back from each task: a number, or root for all", \
			TV_OPTION_COUNT, 0, UINT32_MAX - 1.0, \
			TV_INTO(struct tv_chains_asked, depth) \
	}

#define TV_CHAINS_NOTES \
	"A chain is a task, its last dependency, the last dependency of that task, and so on, " \
	"at\n" \
	"most --depth times. The last dependency is the one that ended last, through ghosts and\n" \
	"messages; of equal ones that with the smallest JobId. Chains that meet are one path.\n" \
	"Paths are numbered from 1, the largest total delay first. A delay is the time from the\n" \
	"end of the last dependency to the start.\n" TV_EXCLUSION_NOTES TV_CHOOSE_NOTES \
	"Source: Garcia Pinto, thesis, 2018, 5.1.5.\n"

/* For passes that continue the pass chain. */
#define TV_CHAINS_CONTINUED \
	"Where tasks have the columns of traceviz chain, as from a pipe, the tasks of Distance 0 " \
	"and\n" \
	"the value of MaxDepth are the defaults of --tasks and --depth.\n"

/* -1 with *err: options not understood. Release it in any case. Cost O(n log n). */
int tv_chains_init(struct tv_chains *chains, struct tv_run *run,
		   const struct tv_chains_asked *asked, struct tv_error *err) TV_MUST_CHECK;
void tv_chains_release(struct tv_chains *chains);

/* Whether the chain goes on from a task or message of a path to last->step[node]. */
bool tv_chains_goes_on(const struct tv_chains *chains, uint32_t node);

/* When the step before a task or message, last->step[node], let it go on, ns: its end or the creation. */
int64_t tv_chains_arrival(const struct tv_chains *chains, uint32_t node);

/* The depth as text, for a column of that name: "3", "root". */
uint32_t tv_chains_depth(const struct tv_chains *chains, struct tv_pool *pool);

#endif
