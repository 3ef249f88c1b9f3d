/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fronts.h -- the fronts of a multifrontal factorization, i.e. the nodes of its elimination tree.
 *
 * A task belongs to the front of its column ANode; where the trace has none, to the low 32 bits of
 * its Tag (hexadecimal characters 9 to 16), as qr_mumps writes it, 0 being none. Four blanks
 * (20202020) are none in either. Tags are read so only if some task is of a type *init_front*,
 * *clean_front* or *do_subtree*.
 */
#ifndef TV_FRONTS_H
#define TV_FRONTS_H

#include "analysis/core/run.h"

/* What a task does for its front, by its type. */
enum tv_front_role {
	TV_FRONT_COMPUTE,  /* any other type: geqrt, gemqrt, tpqrt, tpmqrt, ... */
	TV_FRONT_SUBTREE,  /* *do_subtree*: computes it and all below it */
	TV_FRONT_INIT,	   /* *init_* */
	TV_FRONT_ASSEMBLE, /* *block_copy*, *block_extadd* */
	TV_FRONT_CLEAN,	   /* *clean_* */
	TV_FRONT_ROLES
};

struct tv_front {
	int64_t number;	    /* ANode */
	int64_t start, end; /* of all its executions, of any kind; ns */
	bool computed;	    /* it has computing (or subtree) executions; if so: */
	int64_t compute_start, compute_end;
	bool pruned; /* computed by a subtree task */
	/* The rest by tv_fronts_tree. */
	uint32_t parent;   /* index; TV_NONE for a root */
	uint32_t depth;	   /* of a root 0 */
	uint32_t owner;	   /* whose row of a figure it is drawn in: its own, or the
					 * nearest ancestor's that is not pruned, else the root's */
	uint32_t order;	   /* of the owners from 1: first computing task submitted */
	uint32_t position; /* of the owners from 1: post-order, siblings by order */
};

struct tv_fronts {
	struct tv_run *run;
	uint32_t n;
	struct tv_front *front; /* by number */
	uint32_t *of_row;	/* by row of tasks: index; TV_NONE = none, not executed */
	uint8_t *role_of;	/* by label of a type: enum tv_front_role */
	bool *has_memory;	/* by label of a type: its name contains front or do_subtree */
};

/* For the notes of the passes about fronts. */
#define TV_FRONT_NOTES \
	"Fronts are the nodes of the elimination tree. The front of a task is in the column\n" \
	"ANode, or in the last 8 of the 16 hexadecimal characters of Tag, as qr_mumps writes it\n" \
	"(0 and four blanks, 20202020: none). do_subtree computes a pruned front and its\n" \
	"subtree; init_, block_copy, block_extadd and clean_ tasks do not compute, all others " \
	"do.\n"

/* -1 with *err: the trace names no fronts. Release it in any case. O(n log n). */
int tv_fronts_init(struct tv_fronts *fronts, struct tv_run *run,
		   struct tv_error *err) TV_MUST_CHECK;
void tv_fronts_release(struct tv_fronts *fronts);

/* The index of the front with that number; TV_NONE = there is none. O(log n). */
uint32_t tv_front_find(const struct tv_fronts *fronts, int64_t number);

/* What the execution of a row does. */
static inline enum tv_front_role tv_front_role(const struct tv_fronts *fronts, uint32_t row)
{
	uint32_t type = fronts->run->tasks.value[row];

	return type == TV_NONE ? TV_FRONT_COMPUTE : (enum tv_front_role)fronts->role_of[type];
}

/* Whether a task of that role computes. */
static inline bool tv_front_computes(enum tv_front_role role)
{
	return role == TV_FRONT_COMPUTE || role == TV_FRONT_SUBTREE;
}

/* The labels of the column Type: not pruned, pruned. */
void tv_front_types(struct tv_pool *pool, uint32_t type[2]);

/*
 * Memory in GB that the execution of a row allocates (negative: frees): the GFlop of types whose
 * name contains front or do_subtree, where qr_mumps writes it; a clean-up frees it, whatever the
 * sign. 0 for all others, and for the followers of a team.
 */
double tv_front_memory(const struct tv_fronts *fronts, uint32_t row);
#define TV_FRONT_MB 1024.0

/*
 * Fills in the tree. Parents are those of the column ANodeParent. Where the trace has none they
 * follow from dependencies: of the fronts whose computing tasks depend on one of this front,
 * directly or through tasks that do not compute, the one whose computing ended first; fronts whose
 * computing ended before this one's are none (equal ends: a smaller number). -1 with *err:
 * contradictory parents, a cycle. O(V + E + n log n).
 */
int tv_fronts_tree(struct tv_fronts *fronts, struct tv_error *err) TV_MUST_CHECK;

#endif
