/* SPDX-License-Identifier: GPL-3.0-or-later */
/* holds.c -- tasks that exclude each other. */
#include "sim/holds.h"

#include <string.h>

#include "trace/alloc.h"

#define NONE UINT32_MAX

struct tv_sim_holds {
	const struct tv_sim_exclusion *exclusion;
	bool *held;	       /* by handle */
	uint32_t *head, *tail; /* by handle: who waits for it, in order; NONE */
	uint32_t *next;	       /* by node: behind it in its list */
};

struct tv_sim_holds *tv_sim_holds_new(const struct tv_sim_exclusion *exclusion, uint32_t n)
{
	struct tv_sim_holds *h = tv_alloc(1, sizeof *h);
	uint32_t nhandles = exclusion->nhandles;

	h->exclusion = exclusion;
	h->held = tv_alloc(nhandles, sizeof *h->held);
	h->head = tv_alloc(nhandles, sizeof *h->head);
	h->tail = tv_alloc(nhandles, sizeof *h->tail);
	h->next = tv_alloc(n, sizeof *h->next);
	memset(h->head, 0xff, nhandles * sizeof *h->head);
	return h;
}

void tv_sim_holds_free(struct tv_sim_holds *h)
{
	if (h == NULL)
		return;
	tv_free(h->held);
	tv_free(h->head);
	tv_free(h->tail);
	tv_free(h->next);
	tv_free(h);
}

static void append(struct tv_sim_holds *h, uint32_t handle, uint32_t node)
{
	h->next[node] = NONE;
	if (h->head[handle] == NONE)
		h->head[handle] = node;
	else
		h->next[h->tail[handle]] = node;
	h->tail[handle] = node;
}

bool tv_sim_hold(struct tv_sim_holds *h, uint32_t node)
{
	const struct tv_sim_exclusion *x = h->exclusion;

	for (uint32_t k = x->first[node]; k < x->first[node + 1]; k++)
		if (h->held[x->handle[k]]) {
			append(h, x->handle[k], node);
			return false;
		}
	for (uint32_t k = x->first[node]; k < x->first[node + 1]; k++)
		h->held[x->handle[k]] = true;
	return true;
}

uint32_t tv_sim_holds_end(struct tv_sim_holds *h, uint32_t node)
{
	const struct tv_sim_exclusion *x = h->exclusion;
	uint32_t taker = x->frees[node], first = NONE, last = NONE;

	if (taker == NONE)
		return NONE;
	for (uint32_t k = x->first[taker]; k < x->first[taker + 1]; k++)
		h->held[x->handle[k]] = false;
	for (uint32_t k = x->first[taker]; k < x->first[taker + 1]; k++) {
		uint32_t handle = x->handle[k];

		while (!h->held[handle] && h->head[handle] != NONE) {
			uint32_t v = h->head[handle];

			h->head[handle] = h->next[v];
			if (!tv_sim_hold(h, v))
				continue;
			h->next[v] = NONE;
			if (first == NONE)
				first = v;
			else
				h->next[last] = v;
			last = v;
		}
	}
	return first;
}

uint32_t tv_sim_holds_next(const struct tv_sim_holds *h, uint32_t node)
{
	return h->next[node];
}
