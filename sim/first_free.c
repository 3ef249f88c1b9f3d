/* SPDX-License-Identifier: GPL-3.0-or-later */
/* first_free.c -- which of the workers that can run a task is free first. */
#include "sim/first_free.h"

#include "sim/maxima.h"
#include "sim/members.h"
#include "trace/alloc.h"

struct tv_sim_first_free {
	const struct tv_sim_machine *machine;
	const struct tv_sim_members *members;
	uint32_t *first,
		*able; /* by group: types with workers that can run it, able[first[g]] and on */
	struct tv_maxima
		*early; /* by type, by place among its workers: INT64_MAX - ns, 0 = not there */
};

static void list_able(struct tv_sim_first_free *f)
{
	const struct tv_sim_machine *machine = f->machine;
	size_t n = 0, cap = 0;

	f->first = tv_alloc((size_t)machine->ngroups + 1, sizeof *f->first);
	for (uint32_t g = 0; g < machine->ngroups; g++) {
		for (uint32_t t = 0; t < machine->ntypes; t++)
			if (f->early[t].leaves > 0 && tv_sim_runs(machine, g, t)) {
				TV_GROW(f->able, n, cap, 1);
				f->able[n++] = t;
			}
		f->first[g + 1] = (uint32_t)n;
	}
}

struct tv_sim_first_free *tv_sim_first_free_new(const struct tv_sim_machine *machine,
						const struct tv_sim_members *members)
{
	struct tv_sim_first_free *f = tv_alloc(1, sizeof *f);

	f->machine = machine;
	f->members = members;
	f->early = tv_alloc(machine->ntypes, sizeof *f->early);
	for (uint32_t t = 0; t < machine->ntypes; t++)
		if (members->first[t] < members->first[t + 1])
			tv_maxima_init(&f->early[t], members->first[t + 1] - members->first[t]);
	for (uint32_t w = 0; w < machine->nworkers; w++)
		tv_sim_free_at(f, w, 0);
	list_able(f);
	return f;
}

void tv_sim_first_free_free(struct tv_sim_first_free *f)
{
	if (f == NULL)
		return;
	for (uint32_t t = 0; t < f->machine->ntypes; t++)
		tv_maxima_release(&f->early[t]);
	tv_free(f->early);
	tv_free(f->first);
	tv_free(f->able);
	tv_free(f);
}

void tv_sim_free_at(struct tv_sim_first_free *f, uint32_t worker, int64_t time)
{
	uint32_t type = f->machine->type[worker];

	tv_maxima_set(&f->early[type], f->members->place[worker] - f->members->first[type],
		      INT64_MAX - time);
}

uint32_t tv_sim_first_free(const struct tv_sim_first_free *f, uint32_t group)
{
	uint32_t best = UINT32_MAX;
	int64_t earliest = 0;

	for (uint32_t k = f->first[group]; k < f->first[group + 1]; k++) {
		const struct tv_maxima *early = &f->early[f->able[k]];
		int64_t here = tv_maxima_greatest(early);
		uint32_t w;

		if (here == 0 || here < earliest)
			continue;
		w = f->members->worker[f->members->first[f->able[k]]
				       + tv_maxima_next(early, 0, here)];
		best = here > earliest || w < best ? w : best;
		earliest = here;
	}
	return best;
}
