/* SPDX-License-Identifier: GPL-3.0-or-later */
/* message_excess.c -- how much longer messages of the task graph took than others of their size. */
#include "analysis/bounds/message_excess.h"

#include "analysis/messages/message_list.h"
#include "dag/rerun.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/number.h"

struct size {
	tv_int128 time; /* ns */
	uint32_t n;
};

int64_t *tv_message_excess(struct tv_run *run, const struct tv_dag *dag, struct tv_error *err)
{
	const struct tv_messages *messages = tv_run_messages(run, err);
	int64_t *excess = messages == NULL ? NULL : tv_alloc(dag->n, sizeof *excess);
	struct size *size = NULL;
	uint32_t *of;
	size_t n = 0, cap = 0;
	struct tv_map number = { 0 };

	if (messages == NULL)
		return NULL;
	of = tv_alloc(dag->n, sizeof *of);
	for (uint32_t v = 0; v < dag->n; v++)
		of[v] = TV_NONE;
	for (uint32_t i = 0; i < messages->n; i++)
		if (messages->at[i].row != TV_NONE && messages->at[i].sized)
			of[dag->node_of_row[messages->at[i].row]] = i;
	for (uint32_t v = 0; v < dag->n; v++) {
		uint32_t *at;

		if (!tv_dag_is_message(dag, v))
			continue;
		at = tv_map_at(&number, of[v] == TV_NONE ? 0 : (uint64_t)messages->at[of[v]].size,
			       of[v] != TV_NONE);
		if (*at == TV_NONE) {
			*at = (uint32_t)n;
			TV_GROW(size, n, cap, 1);
			size[n++] = (struct size){ 0 };
		}
		of[v] = *at;
		size[*at].time += tv_rerun_flight(dag, v);
		size[*at].n++;
	}
	for (uint32_t v = 0; v < dag->n; v++)
		if (tv_dag_is_message(dag, v)) {
			int64_t above = tv_rerun_flight(dag, v)
				      - (int64_t)(size[of[v]].time / size[of[v]].n);

			excess[v] = above > 0 ? above : 0;
		}
	tv_map_release(&number);
	tv_free(size);
	tv_free(of);
	return excess;
}
