/* SPDX-License-Identifier: GPL-3.0-or-later */
/* uses.c -- who uses the data of a handle on a memory node. */
#include "analysis/data/uses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/messages/message_list.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

TV_ORDER(by_place, struct tv_use, memory, handle, start, row, message)

/* The accesses of one execution; those to one handle are one use. */
static void add_task(struct tv_uses *uses, const struct tv_tasks *tasks,
		     const struct tv_column *modes, const uint32_t *handle, uint32_t n,
		     struct tv_use use)
{
	size_t first = uses->n;
	uint32_t nmodes = 0;
	const uint32_t *mode = modes == NULL ? NULL : tv_list(modes, use.row, &nmodes);

	for (uint32_t i = 0; i < n; i++) {
		size_t at = first;

		while (at < uses->n && uses->at[at].handle != handle[i])
			at++;
		if (at == uses->n) {
			use.handle = handle[i];
			uses->at[uses->n++] = use;
		}
		if (nmodes == n && strchr(tv_pool_text(tasks->pool, mode[i]), 'W') != NULL)
			uses->at[at].writes = true;
	}
}

static void add_tasks(struct tv_uses *uses, size_t *cap, const struct tv_run *run,
		      const struct tv_memories *memories)
{
	const struct tv_tasks *tasks = &run->tasks;
	const struct tv_table *table = &run->trace->table[TV_TASKS];
	const struct tv_column *handles = tv_table_find(table, "Handles");
	const struct tv_column *modes = tv_table_find(table, "Modes");

	for (uint32_t row = 0; handles != NULL && row < tasks->n; row++) {
		uint32_t memory = tasks->counted[row] ? memories->of_worker[tasks->worker[row]]
						      : TV_NONE;
		const uint32_t *handle;
		uint32_t n;

		if (memory == TV_NONE)
			continue;
		handle = tv_list(handles, row, &n);
		TV_GROW(uses->at, uses->n, *cap, n);
		add_task(uses, tasks, modes, handle, n,
			 (struct tv_use){ memory, TV_NONE, tasks->start[row], tasks->end[row], row,
					  TV_NONE, false });
	}
}

static void add_messages(struct tv_uses *uses, size_t *cap, const struct tv_messages *messages,
			 const struct tv_memories *memories, const struct tv_trace *trace)
{
	uint32_t *main_memory = tv_alloc(messages->nnodes, sizeof *main_memory);
	int64_t began;
	double rounding = tv_message_rounding(trace, &began);

	for (uint32_t node = 0; node < messages->nnodes; node++)
		main_memory[node] = tv_memory_find(memories, messages->node[node], 0);
	for (uint32_t i = 0; i < messages->n; i++) {
		const struct tv_message *m = &messages->at[i];
		/* A message often begins when its data have come: it must not seem to be earlier. */
		int64_t late = (int64_t)ceil(rounding * fabs((double)(m->start - began)));

		if (m->handle == TV_NONE || main_memory[m->origin] == TV_NONE)
			continue;
		TV_GROW(uses->at, uses->n, *cap, 1);
		uses->at[uses->n++] = (struct tv_use){ main_memory[m->origin],
						       m->handle,
						       m->start + late,
						       m->end,
						       TV_NONE,
						       i,
						       false };
	}
	tv_free(main_memory);
}

static void release(void *data)
{
	struct tv_uses *uses = data;

	tv_free(uses->at);
	tv_free(uses);
}

const struct tv_uses *tv_run_uses(struct tv_run *run, struct tv_error *err)
{
	static const char kept;
	struct tv_uses *uses = tv_run_kept(run, &kept);
	const struct tv_memories *memories = tv_run_memories(run);
	const struct tv_messages *messages = tv_run_messages(run, err);
	size_t cap = 0;

	if (uses != NULL || messages == NULL)
		return uses;
	uses = tv_alloc(1, sizeof *uses);
	add_tasks(uses, &cap, run, memories);
	add_messages(uses, &cap, messages, memories, run->trace);
	if (uses->n > 1)
		qsort(uses->at, uses->n, sizeof *uses->at, by_place);
	tv_run_keep(run, &kept, uses, release);
	return uses;
}

size_t tv_uses_from(const struct tv_uses *uses, uint32_t memory, uint32_t handle, int64_t from)
{
	const struct tv_use before = { memory, handle,	from > INT64_MIN ? from - 1 : from,
				       0,      TV_NONE, TV_NONE,
				       false };

	return tv_count_upto(&before, uses->at, uses->n, sizeof before, by_place);
}
