/* SPDX-License-Identifier: GPL-3.0-or-later */
/* waits.c -- durations without the time in which tasks had no processor. */
#include <math.h>

#include "analysis/core/processors.h"
#include "sim/model/costs.h"

bool tv_costs_drop_waits(struct tv_costs *costs)
{
	const struct tv_clocks clocks = tv_clocks(costs->dag->tasks);
	bool known = false;
	double on_cpu;

	for (uint32_t v = 0; v < costs->dag->n; v++)
		if (costs->job[v].type != TV_NONE && costs->job[v].own >= 0
		    && tv_row_on_cpu(&clocks, costs->dag->row[v], &on_cpu)) {
			costs->job[v].own = llround(on_cpu);
			known = true;
		}
	return known;
}
