/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * accesses.h -- what follows from the data that tasks access: columns Handles and Modes of tasks.
 *
 * Accesses of a mode with C (commute: StarPU's RWC; also OpenMP's mutexinoutset) may come in any
 * order, but one at a time: the executions exclude each other. A handle is one of a node (process);
 * the same name on another node is another handle.
 *
 * And the other way round: dependencies that follow from the order in which jobs declare accesses.
 */
#ifndef TV_ACCESSES_H
#define TV_ACCESSES_H

#include "trace/map.h"
#include "trace/tasks.h"

/* Executions of two jobs, rows of tasks: `row` could start only when `before` had released a handle. */
struct tv_exclusion {
	uint32_t row, before;
};

/* Sorted by row, then by `before`; each pair once, whatever number of handles they share. */
struct tv_exclusions {
	struct tv_exclusion *at;
	size_t n;
};

/*
 * For each commuting access of each execution (of any kind): the execution of another job that held
 * the handle last, i.e. of those that ended when it started, or before, the one that ended last; of
 * equal ones the one that started last, then the later row. Where executions follow each other
 * these are the successive ones; executions that overlap did not exclude each other. One with
 * segments holds the handles of its first segment from there to the end of its last one: `row` is
 * the first, `before` the one that ended last.
 * Cost O(accesses log accesses); O(rows) where no mode commutes.
 */
void tv_exclusions_init(struct tv_exclusions *exclusions, const struct tv_tasks *tasks);
void tv_exclusions_release(struct tv_exclusions *exclusions); /* safe on a zeroed struct */

/* Called for each commuting access of each execution: the label of the handle, the row of the first segment, and that of the
 * segment that ended last. */
typedef void tv_hold_function(void *context, uint32_t handle, uint32_t row, uint32_t last);
void tv_each_hold(const struct tv_tasks *tasks, tv_hold_function *hold, void *context);

/* Whether a mode, as a label of Modes is written, is a commuting access. */
bool tv_mode_commutes(const char *mode);

/*
 * The types of OpenMP's depend clause (OpenMP 5.1, 2.19.11) by their meaning. Accesses to the same
 * data must follow each other in the order of declaration, except those of one of the types read,
 * exclude and combine that have no access of another type between them.
 */
enum tv_access_type {
	TV_ACCESS_WRITE,   /* out, inout */
	TV_ACCESS_READ,	   /* in */
	TV_ACCESS_EXCLUDE, /* mutexinoutset: in any order, one at a time */
	TV_ACCESS_COMBINE, /* inoutset: at the same time */
	TV_ACCESS_ALL,	   /* out, inout of omp_all_memory: writes all data of the context */
	TV_NACCESS_TYPES
};

struct tv_access {
	uint64_t data; /* any number that identifies it, as its address */
	enum tv_access_type type;
};

/* What jobs have declared so far. A zeroed struct is one without jobs. */
struct tv_accesses {
	struct tv_map context_of;
	struct tv_access_context *context;
	size_t ncontexts, contexts_cap;
	struct tv_map cell_of; /* by context and data */
	struct tv_access_cell *cell;
	size_t ncells, cells_cap;
	struct tv_access_member *member;
	size_t nmembers, members_cap;
	uint32_t *before; /* the result: nbefore jobs, each once */
	size_t nbefore, before_cap;
	uint32_t *seen; /* by job: the call that listed it last */
	size_t nseen, seen_cap;
	uint32_t call;
};

/*
 * Declares the accesses of one more job: accesses->before[0..nbefore) are then the jobs on which it
 * depends, in the order of accesses, then of declaration, until the next call. These edges are the smallest set per data that orders the accesses:
 * one that follows from others of the same data is not there. Data are those of a context; for
 * OpenMP the parent task, as only its children depend on each other. A job that accesses the same
 * data with several types writes it. job: numbers from 0, not much larger than their number;
 * TV_NONE declares nothing and only lists what such a job would depend on. Cost O(accesses + edges).
 */
void tv_accesses_add(struct tv_accesses *accesses, uint64_t context, uint32_t job,
		     const struct tv_access *access, size_t n);
void tv_accesses_release(struct tv_accesses *accesses); /* safe on a zeroed struct */

#endif
