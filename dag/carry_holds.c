/* SPDX-License-Identifier: GPL-3.0-or-later */
/* carry_holds.c -- until when executions of earlier parts held handles that tasks of the open one share with them (Modes). */
#include <stdlib.h>

#include "dag/carry_state.h"
#include "trace/accesses.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

TV_ORDER(by_handle, struct tv_carried_hold, handle, node, end)

/* The accesses of a part. */
struct holding {
	struct tv_carry *carry;
	struct tv_dag *dag;
	const struct tv_tasks *tasks;
	struct tv_index handle; /* by label of the pool of the part: that of the carry */
};

static struct tv_carried_hold hold_of(struct holding *h, uint32_t handle, uint32_t row, int64_t end)
{
	const struct tv_tasks *tasks = h->tasks;
	uint32_t node = tasks->node[tasks->workers[tasks->worker[row]].node].label;

	if (tv_index_get(&h->handle, handle) == TV_NONE)
		tv_index_set(&h->handle, handle,
			     tv_intern_text(h->carry->names, tv_pool_text(tasks->pool, handle)));
	return (struct tv_carried_hold){
		tv_index_get(&h->handle, handle),
		node == TV_NONE ? TV_NONE
				: tv_intern_text(h->carry->names, tv_pool_text(tasks->pool, node)),
		end
	};
}

/* Rows of a job are in one part: what held before is another job. */
static void wait_for_earlier(void *context, uint32_t handle, uint32_t row, uint32_t last)
{
	struct holding *h = context;
	const struct tv_carry *carry = h->carry;
	struct tv_carried_hold key = hold_of(h, handle, row, h->tasks->start[row]);
	size_t n = tv_count_upto(&key, carry->hold, carry->nholds, sizeof key, by_handle);

	(void)last;
	if (n > 0 && carry->hold[n - 1].handle == key.handle && carry->hold[n - 1].node == key.node)
		tv_dag_hold_until(h->dag, row, carry->hold[n - 1].end);
}

void tv_carry_hold(struct tv_carry *carry, struct tv_dag *dag)
{
	struct holding h = { .carry = carry, .dag = dag, .tasks = dag->tasks };
	struct tv_exclusions within;

	if (!carry->excludes)
		return;
	tv_exclusions_init(&within, dag->tasks);
	for (size_t i = 0; i < within.n; i++)
		tv_dag_hold_until(dag, within.at[i].row, dag->tasks->end[within.at[i].before]);
	tv_exclusions_release(&within);
	if (carry->nholds > 0)
		tv_each_hold(dag->tasks, wait_for_earlier, &h);
	tv_free(h.handle.at);
}

static void keep_hold(void *context, uint32_t handle, uint32_t row, uint32_t last)
{
	struct holding *h = context;
	struct tv_carry *carry = h->carry;

	TV_GROW(carry->hold, carry->nholds, carry->holds_cap, 1);
	carry->hold[carry->nholds++] = hold_of(h, handle, row, h->tasks->end[last]);
}

/* Those that a task may wait for that starts then or later: of each handle the last one that had ended, and what goes on. */
static void forget(struct tv_carry *carry, int64_t from)
{
	size_t n = 0;

	for (size_t i = 0; i < carry->nholds; i++) {
		const struct tv_carried_hold *hold = &carry->hold[i], *next = hold + 1;

		if (i + 1 == carry->nholds || next->handle != hold->handle
		    || next->node != hold->node || next->end > from)
			carry->hold[n++] = *hold;
	}
	carry->nholds = n;
}

void tv_carry_keep_holds(struct tv_carry *carry, const struct tv_tasks *tasks)
{
	struct holding h = { .carry = carry, .tasks = tasks };
	int64_t last = INT64_MIN;

	if (!carry->excludes)
		return;
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->executed[row] && tasks->start[row] > last)
			last = tasks->start[row];
	tv_each_hold(tasks, keep_hold, &h);
	if (carry->nholds > 0)
		qsort(carry->hold, carry->nholds, sizeof *carry->hold, by_handle);
	forget(carry, last);
	tv_free(h.handle.at);
}

void tv_carry_pack_holds(const struct tv_carry *carry, struct tv_parcel *pack)
{
	tv_pack_number(pack, carry->nholds);
	for (size_t i = 0; i < carry->nholds; i++) {
		tv_pack_label(pack, carry->names, carry->hold[i].handle);
		tv_pack_label(pack, carry->names, carry->hold[i].node);
		tv_pack_number(pack, (uint64_t)carry->hold[i].end);
	}
}

void tv_carry_unpack_holds(struct tv_carry *carry, struct tv_unpack *from)
{
	carry->nholds = 0;
	for (uint64_t n = tv_unpack_number(from); n > 0; n--) {
		struct tv_carried_hold hold;

		hold.handle = tv_unpack_label(from, carry->names);
		hold.node = tv_unpack_label(from, carry->names);
		hold.end = (int64_t)tv_unpack_number(from);
		TV_GROW(carry->hold, carry->nholds, carry->holds_cap, 1);
		carry->hold[carry->nholds++] = hold;
	}
	/* Names have other numbers here. */
	if (carry->nholds > 0)
		qsort(carry->hold, carry->nholds, sizeof *carry->hold, by_handle);
}
