/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hindsight.c -- the place of a task in the queue of another worker, as that worker ran. */
#include "analysis/decisions/hindsight.h"

#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/sorted.h"

struct urgency {
	int64_t priority;
	uint32_t decision;
};

TV_ORDER(by_urgency, struct urgency, down(priority), decision)

/* A span is taken at its pop, where that is known, else at its start. */
static void find_taken(struct tv_hindsight *h)
{
	const struct tv_decisions *d = h->d;

	h->taken = tv_alloc(d->nspans, sizeof *h->taken);
	for (uint32_t w = 0; w < d->nworkers; w++) {
		int64_t earliest = INT64_MAX;

		for (uint32_t k = d->first[w + 1]; k-- > d->first[w];) {
			uint32_t decision = d->span[k].decision;
			int64_t time = d->span[k].start;

			if (decision != TV_NONE && d->at[decision].popped != TV_NO_TIME
			    && d->at[decision].popped < time)
				time = d->at[decision].popped;
			earliest = time < earliest ? time : earliest;
			h->taken[k] = earliest;
		}
	}
}

void tv_hindsight_init(struct tv_hindsight *h, const struct tv_decisions *d)
{
	struct urgency *order = tv_alloc(d->n, sizeof *order);

	*h = (struct tv_hindsight){ .d = d, .urgency = tv_alloc(d->n, sizeof *h->urgency) };
	for (uint32_t i = 0; i < d->n; i++)
		order[i] = (struct urgency){ d->sorted ? d->at[i].priority : 0, i };
	qsort(order, d->n, sizeof *order, by_urgency);
	for (uint32_t k = 0; k < d->n; k++)
		h->urgency[order[k].decision] = k;
	tv_free(order);
	find_taken(h);
	h->last = tv_alloc(d->nworkers, sizeof *h->last);
	for (uint32_t w = 0; w < d->nworkers; w++)
		h->last[w] = d->first[w];
	for (h->leaves = 1; h->leaves < d->nspans; h->leaves *= 2)
		;
	h->max = tv_alloc(2 * (size_t)h->leaves, sizeof *h->max);
	for (uint32_t k = 0; k < d->nspans; k++)
		h->max[h->leaves + k] = d->span[k].decision == TV_NONE
					      ? 0
					      : h->urgency[d->span[k].decision];
	for (uint32_t k = h->leaves - 1; k > 0; k--)
		h->max[k] = h->max[2 * k] > h->max[2 * k + 1] ? h->max[2 * k] : h->max[2 * k + 1];
}

void tv_hindsight_release(struct tv_hindsight *h)
{
	tv_free(h->urgency);
	tv_free(h->max);
	tv_free(h->taken);
	tv_free(h->last);
}

/* The first span of from .. end - 1 that is less urgent; end if there is none. */
static uint32_t first_less_urgent(const struct tv_hindsight *h, uint32_t from, uint32_t end,
				  uint32_t urgency)
{
	uint32_t node = h->leaves + from;

	if (from >= end)
		return end;
	while (h->max[node] <= urgency) {
		/* Up while it is a right child, then on to the right neighbor. */
		while (node > 1 && (node & 1) != 0)
			node /= 2;
		if (node <= 1)
			return end;
		node++;
	}
	while (node < h->leaves)
		node = 2 * node + (h->max[2 * node] <= urgency);
	return node - h->leaves < end ? node - h->leaves : end;
}

/* The first span of a worker behind all that it had taken at a time. */
static uint32_t behind_taken(const struct tv_hindsight *h, uint32_t worker, int64_t time)
{
	uint32_t begin = h->last[worker], end = h->d->first[worker + 1], step = 1, i;

	if (begin > h->d->first[worker] && h->taken[begin - 1] > time) {
		end = begin;
		begin = h->d->first[worker];
	}
	for (; step < end - begin && h->taken[begin + step - 1] <= time; step *= 2)
		begin += step;
	if (step < end - begin)
		end = begin + step;
	TV_LOWER_BOUND(i, begin, end, h->taken[i] <= time);
	return h->last[worker] = i;
}

struct tv_better tv_hindsight_best(const struct tv_hindsight *h, uint32_t i)
{
	const struct tv_decisions *d = h->d;
	const struct tv_candidate_columns *c = &d->candidate;
	struct tv_better best = { TV_NONE, 0, INT64_MAX };

	for (uint32_t k = d->candidates.first[i]; k < d->candidates.first[i + 1]; k++) {
		uint32_t row = d->candidates.row[k], label = tv_cell_label(c->resource, row), place;
		uint32_t worker = label == TV_NONE ? TV_NONE : tv_index_get(&d->worker_of, label);
		int64_t length = tv_cell_int(c->length, row, TV_NO_TIME), start;

		if (label == TV_NONE || worker == d->at[i].worker || length == TV_NO_TIME)
			continue;
		start = d->at[i].time + tv_cell_int(c->transfer, row, 0);
		if (worker != TV_NONE) {
			place = first_less_urgent(h, behind_taken(h, worker, d->at[i].time),
						  d->first[worker + 1], h->urgency[i]);
			if (place > d->first[worker] && d->span[place - 1].end > start)
				start = d->span[place - 1].end;
		}
		if (start + length < best.end)
			best = (struct tv_better){ row, start, start + length };
	}
	return best;
}
