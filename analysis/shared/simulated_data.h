/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulated_data.h -- the data that the tasks of a simulation access, as the engine needs them. */
#ifndef TV_SIMULATED_DATA_H
#define TV_SIMULATED_DATA_H

#include "dag/dag.h"
#include "sim/holds.h"

struct tv_simulated_data {
	struct tv_sim_exclusion exclusion; /* nhandles = 0: no tasks exclude each other */
	uint32_t *first, *handle, *frees;  /* its arrays */
};

/*
 * Tasks that exclude each other: commuting accesses (Modes) of work to one handle of a node, by
 * tasks of one parent, as dependencies are among those. One with segments holds its handles to the
 * end of the last. work (by node of the graph): whether it is.
 */
void tv_simulated_exclusion(struct tv_simulated_data *data, const struct tv_dag *dag,
			    const bool *work);
void tv_simulated_data_release(struct tv_simulated_data *data); /* safe on a zeroed struct */

#endif
