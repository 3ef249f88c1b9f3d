/* SPDX-License-Identifier: GPL-3.0-or-later */
/* idle_spans.c -- the spans of time that a sweep over idle time gives. */
#include "dag/idle.h"
#include "trace/alloc.h"

void tv_idle_spans_release(struct tv_idle_spans *spans)
{
	for (uint32_t n = 0; spans->node != NULL && n < spans->nnodes; n++)
		tv_free(spans->node[n].at);
	tv_free(spans->node);
	tv_free(spans->worker.at);
	tv_free(spans->mpi.at);
	tv_free(spans->data.at);
	tv_free(spans->worker_causes.at);
	tv_free(spans->node_causes.at);
	*spans = (struct tv_idle_spans){ 0 };
}

struct tv_cause_span *tv_causes_by_owner(struct tv_cause_list *list, uint32_t owners,
					 uint32_t **first)
{
	struct tv_cause_span *at = tv_alloc(list->n, sizeof *at);
	uint32_t *next = tv_alloc((size_t)owners + 2, sizeof *next);

	for (size_t i = 0; i < list->n; i++)
		next[list->at[i].of + 2]++;
	for (uint32_t k = 0; k < owners; k++)
		next[k + 2] += next[k + 1];
	for (size_t i = 0; i < list->n; i++)
		at[next[list->at[i].of + 1]++] = list->at[i];
	tv_free(list->at);
	*list = (struct tv_cause_list){ 0 };
	*first = next;
	return at;
}
