/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * overlap_ratios.h -- ratios of a measured communication with computation to its references.
 *
 * [F. Reynier, A study on progression of MPI communications using dedicated resources, thesis,
 * Bordeaux 2022, (4.1)-(4.4) and 4.1.3], with the definitions of two benchmarks beside them.
 */
#ifndef TV_OVERLAP_RATIOS_H
#define TV_OVERLAP_RATIOS_H

#include "analysis/mpi/references.h"

/* Unknown ratios (a reference is missing or 0) are NaN. */
struct tv_ratios {
	double overhead;   /* (measured - max(references)) / min(references) */
	double comm;	   /* (call + wait) / comm reference */
	double slowdown;   /* compute / compute reference */
	double mpi_impact; /* passive reference / compute reference */
	/* Percent of overlap as OSU and IMB-NBC define it: the source of IMB-NBC 2018 to 2021.11
	 * divides by max(t_pure, t_CPU), its manual and IMB-IO by the min. */
	double osu, imb;
};

/* ns; call and wait < 0: not known. */
struct tv_overlap_times {
	int64_t measured, call_wait, compute; /* < 0 = unknown */
};

struct tv_ratios tv_ratios(const struct tv_overlap_times *m, const struct tv_reference *r);

/*
 * The diagnosis: NULL = a ratio is unknown; else, with a tolerance t,
 *	imprecise references  overhead < -t
 *	good                  slowdown <= 1 + t, comm <= t
 *	computation slowed    slowdown > 1 + t, comm <= t
 *	no progression        slowdown <= 1 + t, comm >= 1 - t
 *	contention            slowdown > 1 + t, comm >= 1 - t
 *	partial               any other
 */
const char *tv_diagnosis(const struct tv_ratios *r, double tolerance);

#endif
