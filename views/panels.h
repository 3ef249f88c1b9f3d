/* SPDX-License-Identifier: GPL-3.0-or-later */
/* panels.h -- the panels: one row each here, one file each in views/panels. */
#ifndef TV_PANELS_H
#define TV_PANELS_H

#include "views/shared/panel.h"

/* In the order of the usual report. */
extern const struct tv_panel *const tv_panels[];
extern const size_t tv_npanels;
/* By its name or its former name; NULL if there is none. */
const struct tv_panel *tv_panel_find(const char *name);

/*
 * The panels, in the order of the usual report. To add one (CONTRIBUTING.md, Add a panel), write views/panels/NAME.c
 * with `const struct tv_panel tv_panel_NAME`, and add X(NAME) here. A panel computes nothing: prepare asks for results of
 * passes, layout adds shapes to the scene. Options, help, configuration files and the tests of all panels follow.
 */
#define TV_PANELS(X) \
	X(spacetime) \
	X(zoom) \
	X(idle_causes) \
	X(blame) \
	X(ready) \
	X(submitted) \
	X(progress) \
	X(abe) \
	X(account) \
	X(efficiency) \
	X(starvation) \
	X(concurrency) \
	X(share) \
	X(gflops) \
	X(utilization) \
	X(imbalance) \
	X(power_imbalance) \
	X(hetero_imbalance) \
	X(open_iterations) \
	X(counter) \
	X(link_use) \
	X(cache_occupancy) \
	X(cache_events) \
	X(used_memory) \
	X(bandwidth) \
	X(in_flight) \
	X(gpu_bandwidth) \
	X(message_timeline) \
	X(comm_matrix) \
	X(levels) \
	X(topology) \
	X(message_sizes) \
	X(message_durations) \
	X(memory_states) \
	X(handles) \
	X(residency) \
	X(tile_maps) \
	X(decision) \
	X(estimate) \
	X(mispredictions) \
	X(queues) \
	X(lifecycle) \
	X(durations) \
	X(regression) \
	X(states) \
	X(call_tree) \
	X(mpi_states) \
	X(requests) \
	X(collective_steps) \
	X(events) \
	X(tree) \
	X(tree_usage) \
	X(open_fronts) \
	X(front_memory) \
	X(tree_structure) \
	X(dag) \
	X(diff) \
	X(chart) \
	X(sweep) \
	X(precision) \
	X(bars) \
	X(overlap_bars) \
	X(impact_bars) \
	X(alpha_curves) \
	X(prediction) \
	X(scaling) \
	X(scaling_model) \
	X(heatmap) \
	X(error_table) \
	X(overhead_map) \
	X(comm_map) \
	X(slowdown_map)

#define TV_DECLARE_PANEL(name) extern const struct tv_panel tv_panel_##name;
TV_PANELS(TV_DECLARE_PANEL)

#endif
