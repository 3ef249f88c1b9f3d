/* SPDX-License-Identifier: GPL-3.0-or-later */
/* members.c -- the workers of a machine by type. */
#include "sim/members.h"

#include "trace/alloc.h"
#include "trace/sorted.h"

void tv_sim_members_init(struct tv_sim_members *members, const struct tv_sim_machine *machine)
{
	uint32_t *first = tv_alloc((size_t)machine->ntypes + 2, sizeof *first);

	members->worker = tv_alloc(machine->nworkers, sizeof *members->worker);
	members->place = tv_alloc(machine->nworkers, sizeof *members->place);
	for (uint32_t w = 0; w < machine->nworkers; w++)
		first[machine->type[w] + 2]++;
	for (uint32_t t = 2; t < machine->ntypes + 2; t++)
		first[t] += first[t - 1];
	/* first[t + 1] is where the next one of type t goes, in the end where type t + 1 begins. */
	for (uint32_t w = 0; w < machine->nworkers; w++) {
		uint32_t at = first[machine->type[w] + 1]++;

		members->worker[at] = w;
		members->place[w] = at;
	}
	members->first = first;
}

void tv_sim_members_release(struct tv_sim_members *members)
{
	tv_free(members->first);
	tv_free(members->worker);
	tv_free(members->place);
}

uint32_t tv_sim_next_member(const struct tv_sim_members *members, uint32_t type, uint32_t from)
{
	uint32_t end = members->first[type + 1], i;

	TV_LOWER_BOUND(i, members->first[type], end, members->worker[i] < from);
	return i < end ? members->worker[i] : UINT32_MAX;
}
