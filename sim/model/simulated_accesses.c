/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulated_accesses.c -- which data the tasks of a simulation read and write, and how large they are. */
#include "sim/model/simulated_accesses.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/data/presence.h"
#include "dag/dag.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/text.h"

struct caps {
	size_t size, label, access;
};

static void number_handle(struct tv_simulated_accesses *a, struct caps *caps, uint32_t label)
{
	uint32_t n = a->nhandles;

	if (tv_index_get(&a->number, label) != TV_NONE)
		return;
	TV_GROW(a->size, n, caps->size, 1);
	TV_GROW(a->label, n, caps->label, 1);
	a->size[n] = -1;
	a->label[n] = label;
	tv_index_set(&a->number, label, n);
	a->nhandles++;
}

/* Numbers the handles of a task that are new, whatever order they are written in. */
static void number_handles(struct tv_simulated_accesses *a, struct caps *caps,
			   const struct tv_pool *pool, const uint32_t *handle, uint32_t n)
{
	uint32_t *fresh = NULL, nfresh = 0;
	size_t cap = 0;

	for (uint32_t i = 0; i < n; i++)
		if (tv_index_get(&a->number, handle[i]) == TV_NONE) {
			TV_GROW(fresh, nfresh, cap, 1);
			fresh[nfresh++] = handle[i];
		}
	if (nfresh > 1)
		qsort_r(fresh, nfresh, sizeof *fresh, tv_compare_labels, (void *)pool);
	for (uint32_t i = 0; i < nfresh; i++)
		number_handle(a, caps, fresh[i]);
	tv_free(fresh);
}

/* Adds an access to those of a task, first[node] and on; returns how many there are now. */
static uint32_t add_access(struct tv_simulated_accesses *a, struct caps *caps, uint32_t first,
			   uint32_t n, uint32_t handle, const char *mode)
{
	bool reads = strchr(mode, 'R') != NULL, writes = strchr(mode, 'W') != NULL;
	uint32_t i = first;

	if (!reads && !writes)
		return n;
	while (i < n && a->access[i].handle != handle)
		i++;
	if (i == n) {
		TV_GROW(a->access, n, caps->access, 1);
		a->access[n++] = (struct tv_sim_access){ handle, false, false };
	}
	a->access[i].reads |= reads;
	a->access[i].writes |= writes;
	return n;
}

static void list_accesses(struct tv_simulated_accesses *a, const struct tv_dag *dag,
			  const bool *work)
{
	const struct tv_pool *pool = dag->tasks->pool;
	const struct tv_table *table = &dag->tasks->trace->table[TV_TASKS];
	const struct tv_column *handles = tv_table_find(table, "Handles");
	const struct tv_column *modes = tv_table_find(table, "Modes");
	const struct tv_column *sizes = tv_table_find(table, "Sizes");
	struct caps caps = { 0 };
	uint32_t n = 0;

	a->first = tv_alloc((size_t)dag->n + 1, sizeof *a->first);
	if (handles == NULL || modes == NULL)
		return;
	for (uint32_t v = 0; v < dag->n; v++) {
		uint32_t row = dag->row[v], nhandles, nmodes, nsizes = 0;
		const uint32_t *handle = tv_list(handles, row, &nhandles), *size = NULL;
		const uint32_t *mode = tv_list(modes, row, &nmodes);

		if (sizes != NULL)
			size = tv_list(sizes, row, &nsizes);
		a->first[v] = n;
		if (!work[v])
			continue;
		nhandles = nhandles < nmodes ? nhandles : nmodes;
		number_handles(a, &caps, pool, handle, nhandles);
		for (uint32_t i = 0; i < nhandles; i++) {
			uint32_t number = tv_index_get(&a->number, handle[i]);
			const char *text = i < nsizes ? tv_pool_text(pool, size[i]) : "";
			int64_t bytes;

			if (tv_parse_int(text, strlen(text), &bytes) == TV_PARSE_OK
			    && bytes > a->size[number])
				a->size[number] = bytes;
			n = add_access(a, &caps, a->first[v], n, number,
				       tv_pool_text(pool, mode[i]));
		}
	}
	a->first[dag->n] = n;
}

/* Sizes that tasks do not give. */
static void find_sizes(struct tv_simulated_accesses *a, struct tv_run *run)
{
	const struct tv_presences *presences = tv_run_presences(run);
	for (uint32_t i = presences->nhandles; i-- > 0;) {
		const struct tv_handle *handle = &presences->handle[i];
		uint32_t number = tv_index_get(&a->number, handle->label);

		if (number != TV_NONE && a->size[number] < 0 && handle->sized)
			a->size[number] = handle->size;
	}
}

/* Data without a size. */
static void assume_sizes(struct tv_simulated_accesses *a, uint32_t nnodes, int64_t assumed)
{
	uint32_t n = a->first[nnodes];

	for (uint32_t i = 0; i < n; i++)
		a->nunsized_accesses += a->size[a->access[i].handle] < 0;
	for (uint32_t i = 0; i < a->nhandles; i++)
		if (a->size[i] < 0) {
			a->size[i] = assumed < 0 ? 0 : assumed;
			a->nunsized++;
		}
}

void tv_simulated_accesses_warn(const struct tv_simulated_accesses *a, struct tv_run *run,
				uint32_t nnodes, int64_t assumed)
{
	if (a->nunsized > 0 && assumed < 0)
		tv_run_warn(run,
			    "%u of %u data have no size and count as 0 bytes, in %u of %u "
			    "accesses (see --data-size)",
			    a->nunsized, a->nhandles, a->nunsized_accesses, a->first[nnodes]);
	else if (a->nunsized == 0 && assumed >= 0)
		tv_run_warn(run, "--data-size has no effect: all data have a size");
}

void tv_simulated_accesses_init(struct tv_simulated_accesses *a, struct tv_run *run,
				const struct tv_dag *dag, const bool *work, int64_t assumed)
{
	*a = (struct tv_simulated_accesses){ 0 };
	list_accesses(a, dag, work);
	find_sizes(a, run);
	assume_sizes(a, dag->n, assumed);
}

void tv_simulated_accesses_release(struct tv_simulated_accesses *a)
{
	tv_free(a->label);
	tv_free(a->size);
	tv_free(a->first);
	tv_free(a->access);
	tv_free(a->number.at);
	*a = (struct tv_simulated_accesses){ 0 };
}
