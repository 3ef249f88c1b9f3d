/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shares.h -- the shares of the area bound by a simplex method of its own, for programs in which
 * GLPK cycles or stops too early.
 *
 *	minimize T
 *	sum over r of x(t,r) = 1		for each type t
 *	sum over t of x(t,r) load(t,r) <= T	for each resource type r
 *
 * One share of each type, its key, is what the others leave; so a basis is a matrix of nresources^2
 * only (G. Dantzig and R. Van Slyke, "Generalized upper bounding techniques", 1967). It is solved
 * anew in each step, in long double, and tests compare relative to what is compared: no load is too
 * small. Each T(r) is moved by a different amount of about 1e-13, so that each step lowers T and no
 * basis comes twice.
 */
#ifndef TV_SHARES_H
#define TV_SHARES_H

#include <stdbool.h>
#include <stddef.h>

#include "trace/error.h"

struct tv_shares {
	size_t ntypes, nresources;
	const double *load;  /* ntypes x nresources, T about 1; negative = not allowed */
	const size_t *start; /* ntypes: a resource type that is allowed */
	double *share;	     /* ntypes x nresources: the result */
	double *price;	     /* nresources: of each resource type's time, together 1 */
};

/* False when no optimum was found within the limit of steps. Cost: steps x (ntypes x nresources +
 * nresources^3), usually about one step for each type. */
bool tv_shares(const struct tv_shares *in) TV_MUST_CHECK;

#endif
