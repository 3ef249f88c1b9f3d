/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traffic.c -- the bytes that cross links, in slices of time. */
#include "sim/traffic.h"

#include <math.h>

#include "trace/alloc.h"

void tv_sim_traffic_init(struct tv_sim_traffic *t, uint32_t nlinks, int64_t begin)
{
	*t = (struct tv_sim_traffic){ .begin = begin, .width = 1, .nlinks = nlinks };
	t->bytes = tv_alloc(2 * (size_t)nlinks, sizeof *t->bytes);
}

void tv_sim_traffic_release(struct tv_sim_traffic *t)
{
	for (uint32_t i = 0; i < 2 * t->nlinks; i++)
		tv_free(t->bytes[i]);
	tv_free(t->bytes);
	*t = (struct tv_sim_traffic){ 0 };
}

static void halve(double *bytes)
{
	for (int i = 0; i < TV_SIM_SLICES; i++)
		bytes[i] = i < TV_SIM_SLICES / 2 ? bytes[2 * i] + bytes[2 * i + 1] : 0;
}

void tv_sim_traffic_reach(struct tv_sim_traffic *t, int64_t time)
{
	for (; (time - t->begin) / TV_SIM_SLICES >= t->width; t->width *= 2)
		for (uint32_t i = 0; i < 2 * t->nlinks; i++)
			if (t->bytes[i] != NULL)
				halve(t->bytes[i]);
}

/* Bytes that pass evenly between two times, in slices since the first one. */
static void spread(double *slice, double from, double to, double bytes)
{
	double share = bytes / (to - from);
	int i = from == to && from > 0 ? (int)ceil(from) - 1 : (int)from;

	if (to <= i + 1) {
		slice[i] += bytes;
		return;
	}
	slice[i] += share * (i + 1 - from);
	for (i++; to > i + 1; i++)
		slice[i] += share;
	slice[i] += share * (to - i);
}

void tv_sim_traffic_add(struct tv_sim_traffic *t, const struct tv_route *route, double from,
			double to, double bytes)
{
	tv_sim_traffic_reach(t, (int64_t)to);
	for (uint32_t k = 0; k < route->n; k++) {
		double **slice = &t->bytes[2 * route->hop[k].link + route->hop[k].down];

		if (*slice == NULL)
			*slice = tv_alloc(TV_SIM_SLICES, sizeof **slice);
		spread(*slice, (from - (double)t->begin) / (double)t->width,
		       (to - (double)t->begin) / (double)t->width, bytes);
	}
}
