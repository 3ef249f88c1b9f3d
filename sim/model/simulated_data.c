/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulated_data.c -- the data that the tasks of a simulation access. */
#include "sim/model/simulated_data.h"

#include <stdlib.h>

#include "trace/accesses.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

/* By node: the node whose handles are free at its end. */
static uint32_t *find_ends(const struct tv_dag *dag)
{
	uint32_t *frees = tv_alloc(dag->n, sizeof *frees);

	for (uint32_t v = 0; v < dag->n; v++)
		frees[v] = tv_dag_opening(dag, v);
	for (uint32_t v = 0; v < dag->n && dag->previous != NULL; v++)
		if (dag->previous[v] != TV_NONE)
			frees[dag->previous[v]] = TV_NONE;
	return frees;
}

static uint32_t node_of(const struct tv_tasks *tasks, uint32_t row)
{
	return tasks->planned[row] ? 0 : tasks->workers[tasks->worker[row]].node;
}

/* The number of a handle, within its node and the parent of its task. */
static uint32_t number_exclusive(struct tv_map *numbers, uint32_t handle, uint32_t node,
				 uint32_t parent)
{
	uint32_t *number = tv_map_at(numbers, (uint64_t)node << 32 | handle, parent);

	if (*number == TV_NONE)
		*number = (uint32_t)numbers->n - 1;
	return *number;
}

/* Sorts list[0..n) and drops what is repeated; returns how many are left. */
static uint32_t keep_each_once(uint32_t *list, uint32_t n)
{
	uint32_t kept = 0;

	qsort(list, n, sizeof *list, tv_compare_uint32);
	for (uint32_t i = 0; i < n; i++)
		if (kept == 0 || list[i] != list[kept - 1])
			list[kept++] = list[i];
	return kept;
}

void tv_simulated_exclusion_init(struct tv_simulated_exclusion *data, const struct tv_dag *dag,
				 const bool *work)
{
	const struct tv_tasks *tasks = dag->tasks;
	const struct tv_table *table = &tasks->trace->table[TV_TASKS];
	const struct tv_column *handles = tv_table_find(table, "Handles");
	const struct tv_column *modes = tv_table_find(table, "Modes");
	const struct tv_column *parent = tv_table_find(table, "ParentJob");
	struct tv_map numbers = { 0 };
	size_t cap = 0;
	uint32_t n = 0;

	data->known = true;
	if (handles == NULL || modes == NULL)
		return;
	data->first = tv_alloc((size_t)dag->n + 1, sizeof *data->first);
	for (uint32_t v = 0; v < dag->n; v++) {
		uint32_t row = dag->row[v], nhandles, nmodes;
		const uint32_t *handle = tv_list(handles, row, &nhandles);
		const uint32_t *mode = tv_list(modes, row, &nmodes);
		bool takes = work[v] && tv_dag_opening(dag, v) == v;

		data->first[v] = n;
		for (uint32_t i = 0; takes && i < nhandles && i < nmodes; i++) {
			if (!tv_mode_commutes(tv_pool_text(tasks->pool, mode[i])))
				continue;
			TV_GROW(data->handle, n, cap, 1);
			data->handle[n++] = number_exclusive(
				&numbers, handle[i], node_of(tasks, row),
				parent == NULL ? TV_NONE : tv_label(parent, row));
		}
		if (n > data->first[v])
			n = data->first[v]
			  + keep_each_once(data->handle + data->first[v], n - data->first[v]);
	}
	data->first[dag->n] = n;
	data->frees = find_ends(dag);
	data->of = (struct tv_sim_exclusion){ (uint32_t)numbers.n, data->first, data->handle,
					      data->frees };
	tv_map_release(&numbers);
}

void tv_simulated_exclusion_release(struct tv_simulated_exclusion *data)
{
	tv_free(data->first);
	tv_free(data->handle);
	tv_free(data->frees);
	*data = (struct tv_simulated_exclusion){ 0 };
}
