/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scaled.h -- what runs of one graph on more workers should take, and what of that is not explained.
 *
 *	S(p)	the tasks of the smallest run, with their durations there, simulated on the workers of run p: what its
 *		graph allows
 *	M(p) - S(p) = a + b / p, by least squares of the errors relative to M: Amdahl's law for the rest, as longer
 *		tasks and the runtime
 *
 * The model of a run is S(p) and the law of the other runs, so its error is that of a prediction. p is the factor by
 * which all types of workers grew. Ours.
 */
#ifndef TV_SCALED_H
#define TV_SCALED_H

#include "analysis/efficiency/across.h"

struct tv_scaled {
	double p;		 /* NaN: not of the series */
	double simulated, model; /* makespans, ns; NaN = not known */
};

struct tv_scaled_law {
	size_t reference;   /* the smallest run */
	const char *policy; /* by which S is nearest to M; NULL = nothing was simulated */
	double a, b;	    /* ns; NaN = not known */
	char *why;	    /* then: why; owned */
};

/* Fills each[0..n) and law, whose `why` is to be freed. The series are the runs with as many tasks and nodes as the smallest one;
 * nodes of a run have the same workers, and tasks stay on their node. Cost: a simulation of the smallest run for each policy and run of the series. */
void tv_scale(const struct tv_named_run *run, size_t n, struct tv_scaled *each,
	      struct tv_scaled_law *law);

#endif
