/* SPDX-License-Identifier: GPL-3.0-or-later */
/* handle_options.c -- what the passes about data handles share. */
#include "analysis/data/handle_options.h"

#include <string.h>

#include "analysis/core/choose.h"
#include "analysis/core/instead.h"
#include "trace/alloc.h"
#include "trace/text.h"

void tv_handle_write(const struct tv_run *run, const struct tv_handle *handle,
		     const struct tv_memory *memory, struct tv_column *const *to, uint32_t row)
{
	const struct tv_table *handles = &run->trace->table[TV_HANDLES];
	const struct tv_column *name = tv_table_find(handles, "Name");
	const struct tv_column *coordinates = tv_table_find(handles, "Coordinates");

	tv_set_label(to[TV_HANDLE_LABEL], row, handle->label);
	tv_set_label(to[TV_HANDLE_NODE], row, handle->node);
	tv_set_label(to[TV_HANDLE_RESOURCE], row, memory->resource);
	if (memory->number >= 0)
		tv_set_int(to[TV_HANDLE_MEMORY], row, memory->number);
	if (handle->row != TV_NONE && name != NULL)
		tv_set_label(to[TV_HANDLE_NAME], row, tv_label(name, handle->row));
	if (handle->row != TV_NONE && coordinates != NULL
	    && !tv_missing(coordinates, handle->row)) {
		uint32_t n;
		const uint32_t *label = tv_list(coordinates, handle->row, &n);

		tv_set_list(to[TV_HANDLE_COORDINATES], row, label, n);
	}
	if (handle->sized)
		tv_set_int(to[TV_HANDLE_SIZE], row, handle->size);
}

const struct tv_presences *tv_run_some_presences(struct tv_run *run, const char *verb,
						 struct tv_error *err)
{
	const struct tv_presences *presences = tv_run_presences(run);

	if (presences->n > 0)
		return presences;
	tv_fail_lacks(
		err, run->trace,
		"%s: the trace does not show where data were (events 'data state owner', 'shared' "
		"and 'invalid'; a single CSV has none: see --with)",
		verb);
	return NULL;
}

/* ---- --handle and --job ---- */

/* "3,4" in new memory; empty without coordinates. */
static char *coordinates_text(const struct tv_column *coordinates, uint32_t row)
{
	uint32_t n = 0;
	const uint32_t *label = coordinates == NULL || row == TV_NONE
				      ? NULL
				      : tv_list(coordinates, row, &n);
	char *text = tv_strdup("");

	for (uint32_t i = 0; i < n; i++)
		tv_append(&text, "%s%s", i > 0 ? "," : "",
			  tv_pool_text(coordinates->pool, label[i]));
	return text;
}

static bool matches(const struct tv_run *run, const struct tv_handle *handle, const char *pattern)
{
	const struct tv_table *handles = &run->trace->table[TV_HANDLES];
	const struct tv_column *name = tv_table_find(handles, "Name");
	char *place = coordinates_text(tv_table_find(handles, "Coordinates"), handle->row);
	bool at_place = place[0] != '\0' && tv_glob(pattern, place);

	tv_free(place);
	return at_place || tv_glob(pattern, tv_pool_text(run->trace->pool, handle->label))
	    || (name != NULL && handle->row != TV_NONE && tv_label(name, handle->row) != TV_NONE
		&& tv_glob(pattern, tv_pool_text(run->trace->pool, tv_label(name, handle->row))));
}

/* Marks the handles that one row of tasks accesses: those registered when it ran. */
static void mark_row(const struct tv_run *run, const struct tv_presences *presences, uint32_t row,
		     bool *marked)
{
	const struct tv_tasks *tasks = &run->tasks;
	const struct tv_table *table = &run->trace->table[TV_TASKS];
	const struct tv_column *handles = tv_table_find(table, "Handles");
	const struct tv_column *node = tv_table_find(table, "Node");
	uint32_t n, handle;
	const uint32_t *label = tv_list(handles, row, &n);

	for (uint32_t i = 0; i < n; i++) {
		if (tasks->executed[row] && node != NULL) {
			handle = tv_presences_handle(presences, tv_label(node, row), label[i],
						     tasks->start[row]);
			if (handle != TV_NONE)
				marked[handle] = true;
			continue;
		}
		for (handle = 0; handle < presences->nhandles; handle++)
			marked[handle] |= presences->handle[handle].label == label[i]
				       && (node == NULL || tv_label(node, row) == TV_NONE
					   || presences->handle[handle].node
						      == tv_label(node, row));
	}
}

/* Whether each handle is one of the job's. */
static bool *mark_job(const struct tv_run *run, const struct tv_presences *presences,
		      const char *job, struct tv_error *err)
{
	const struct tv_tasks *tasks = &run->tasks;
	uint32_t label = tv_pool_find_text(run->trace->pool, job);
	bool *marked = tv_alloc(presences->nhandles, sizeof *marked), found = false;

	if (tv_table_find(&run->trace->table[TV_TASKS], "Handles") == NULL) {
		tv_free(marked);
		tv_fail(err, "--job: the tasks have no column Handles");
		return NULL;
	}
	for (uint32_t row = 0; tasks->job != NULL && label != TV_NONE && row < tasks->n; row++) {
		if (tasks->job[row] != label)
			continue;
		found = true;
		mark_row(run, presences, row, marked);
	}
	if (found)
		return marked;
	tv_free(marked);
	tv_choose_no_job(tasks, "job", job, err);
	return NULL;
}

bool *tv_handles_chosen(struct tv_run *run, const char *pattern, const char *job,
			const struct tv_presences *presences, struct tv_error *err)
{
	bool *chosen = job != NULL ? mark_job(run, presences, job, err)
				   : tv_alloc(presences->nhandles, sizeof *chosen);
	uint32_t n = 0;

	for (uint32_t i = 0; chosen != NULL && i < presences->nhandles; i++) {
		chosen[i] = (job == NULL || chosen[i])
			 && (pattern == NULL || matches(run, &presences->handle[i], pattern));
		n += chosen[i];
	}
	if (chosen != NULL && n == 0)
		tv_run_warn(run, "--handle and --job choose no data handle");
	return chosen;
}
