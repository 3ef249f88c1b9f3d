/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * precision.h -- how far simulated runs are from native ones [Daoudi 2021, (6.1)].
 *
 * error = (T_native - T_simulated) / T_native; positive: the simulation is optimistic. T is the
 * makespan; of repeats their median.
 */
#ifndef TV_PRECISION_H
#define TV_PRECISION_H

#include "analysis/compare/errors.h"
#include "analysis/compare/sides.h"

/*
 * Labels CASE/MODEL: in each case the model "native" is the run, the others are simulations of it.
 * Without a slash in any label all are one case, and the first side is the native one. Fills *out
 * (initialized, without columns) as tv_errors does, with the column Case. -1 with *err: also a case
 * without native run, or with nothing else, or native runs of 0 ns.
 */
int tv_precision(const struct tv_side *side, size_t nsides, const struct tv_error_options *options,
		 struct tv_table *out, struct tv_error *err) TV_MUST_CHECK;

#endif
