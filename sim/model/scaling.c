/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scaling.c -- a serial part and one that scales with the number of threads. */
#include "sim/model/scaling.h"

#include <math.h>
#include <stdbool.h>

/* Divided by the time, each measurement is the equation serial u + parallel v = 1. */
struct sums {
	double u, v, uu, uv, vv;
	double first; /* number of threads */
	bool several;
};

static void add(struct sums *s, double threads, double time)
{
	double u = 1 / time, v = u / threads;

	if (s->u > 0 && threads != s->first)
		s->several = true;
	if (s->u == 0)
		s->first = threads;
	s->u += u;
	s->v += v;
	s->uu += u * u;
	s->uv += u * v;
	s->vv += v * v;
}

struct tv_scaling tv_scaling_fit(const double *threads, const double *time, size_t n)
{
	struct tv_scaling fit = { NAN, NAN };
	struct sums s = { 0 };
	double d;

	for (size_t i = 0; i < n; i++)
		if (threads[i] > 0 && time[i] > 0 && isfinite(threads[i]) && isfinite(time[i]))
			add(&s, threads[i], time[i]);
	d = s.uu * s.vv - s.uv * s.uv;
	if (!s.several || !isfinite(d) || !(d > 0))
		return fit;
	fit.serial = (s.u * s.vv - s.v * s.uv) / d;
	fit.parallel = (s.v * s.uu - s.u * s.uv) / d;
	if (fit.serial < 0)
		fit = (struct tv_scaling){ 0, s.v / s.vv };
	else if (fit.parallel < 0)
		fit = (struct tv_scaling){ s.u / s.uu, 0 };
	return fit;
}

double tv_scaling_at(const struct tv_scaling *fit, double threads)
{
	return fit->serial + fit->parallel / threads;
}
