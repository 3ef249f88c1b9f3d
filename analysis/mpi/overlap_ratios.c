/* SPDX-License-Identifier: GPL-3.0-or-later */
/* overlap_ratios.c -- ratios of a measured communication with computation to its references. */
#include "analysis/mpi/overlap_ratios.h"

#include <math.h>

static double over(double x, double y)
{
	return y > 0 ? x / y : NAN;
}

static double known(int64_t ns)
{
	return ns < 0 ? NAN : (double)ns;
}

/* Percent of a share, within 0 and 100 as benchmarks print it. */
static double percent(double share)
{
	return isnan(share) ? share : 100 * fmax(0, fmin(1, share));
}

struct tv_ratios tv_ratios(const struct tv_overlap_times *m, const struct tv_reference *r)
{
	double comm = known(r->comm), compute = known(r->compute), all = known(m->measured);
	bool both = r->comm >= 0 && r->compute >= 0;

	return (struct tv_ratios){
		.overhead = both ? over(all - fmax(comm, compute), fmin(comm, compute)) : NAN,
		.comm = over(known(m->call_wait), comm),
		.slowdown = over(known(m->compute), compute),
		.mpi_impact = over(known(r->passive), compute),
		.osu = both && !isnan(all) && comm > 0 ? 100 * fmax(0, 1 - (all - compute) / comm)
						       : NAN,
		.imb = both ? percent(over(comm + compute - all, fmax(comm, compute))) : NAN,
	};
}

const char *tv_diagnosis(const struct tv_ratios *r, double tolerance)
{
	bool slowed = r->slowdown > 1 + tolerance;

	if (isnan(r->overhead) || isnan(r->comm) || isnan(r->slowdown))
		return NULL;
	if (r->overhead < -tolerance)
		return "imprecise references";
	if (r->comm <= tolerance)
		return slowed ? "computation slowed" : "good";
	if (r->comm >= 1 - tolerance)
		return slowed ? "contention" : "no progression";
	return "partial";
}
