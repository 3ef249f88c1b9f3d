/* SPDX-License-Identifier: GPL-3.0-or-later */
/* covered.c -- spans in the order of time, of one process after the other. */
#include "analysis/core/covered.h"

#include "trace/alloc.h"

static void reset(struct tv_covered *c)
{
	for (size_t i = 0; i < c->n; i++) {
		c->begin[i] = INT64_MAX;
		c->until[i] = c->from;
	}
}

void tv_covered_init(struct tv_covered *c, size_t n, int64_t from)
{
	*c = (struct tv_covered){ n, from, tv_alloc(n, sizeof *c->begin),
				  tv_alloc(n, sizeof *c->until) };
	reset(c);
}

void tv_covered_release(struct tv_covered *c)
{
	tv_free(c->begin);
	tv_free(c->until);
	*c = (struct tv_covered){ 0 };
}

/* Each process begins behind what those before it cover. Whether one of them has covered some of that. */
static bool begin_behind(struct tv_covered *c, const struct tv_team *team)
{
	int64_t *before = tv_alloc(c->n, sizeof *before), *of = tv_alloc(2 * c->n, sizeof *of);
	struct tv_parcel pack = { 0 };
	struct tv_gathered all;
	bool any = false;

	tv_pack_bytes(&pack, c->begin, c->n * sizeof *c->begin);
	tv_pack_bytes(&pack, c->until, c->n * sizeof *c->until);
	all = tv_team_gather(team, &pack);
	reset(c);
	for (size_t i = 0; i < c->n; i++)
		before[i] = c->from;
	for (uint32_t rank = 0; rank < all.n; rank++) {
		struct tv_unpack from = tv_gathered_of(&all, rank);

		tv_unpack_bytes(&from, of, 2 * c->n * sizeof *of);
		for (size_t i = 0; i < c->n; i++) {
			any = any || before[i] > of[i];
			if (rank == team->rank)
				c->until[i] = before[i];
			before[i] = of[c->n + i] > before[i] ? of[c->n + i] : before[i];
		}
	}
	tv_gathered_release(&all);
	tv_free(before);
	tv_free(of);
	return any;
}

int tv_covered_run(struct tv_covered *c, struct tv_run *run,
		   int (*rows)(void *state, struct tv_run *part, struct tv_error *err),
		   void (*clear)(void *state), void *state, struct tv_error *err)
{
	if (tv_run_rows(run, rows, state, err) < 0)
		return -1;
	if (run->team == NULL || !begin_behind(c, run->team))
		return 0;
	clear(state);
	return tv_run_rows(run, rows, state, err);
}
