/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulated_data.h -- tasks of a simulation that exclude each other, as the engine needs them. */
#ifndef TV_SIMULATED_DATA_H
#define TV_SIMULATED_DATA_H

#include "dag/dag.h"
#include "sim/holds.h"

struct tv_simulated_exclusion {
	struct tv_sim_exclusion of;	  /* nhandles = 0: no tasks exclude each other */
	uint32_t *first, *handle, *frees; /* its arrays */
	bool known;			  /* it was looked for */
};

/*
 * Tasks that exclude each other: commuting accesses (Modes) of work to one handle of a node, by
 * tasks of one parent, as dependencies are among those. One with segments holds its handles to the
 * end of the last. work (by node of the graph): whether it is. Fills a zeroed struct.
 */
void tv_simulated_exclusion_init(struct tv_simulated_exclusion *exclusion, const struct tv_dag *dag,
				 const bool *work);
void tv_simulated_exclusion_release(struct tv_simulated_exclusion *exclusion);

#endif
