/* SPDX-License-Identifier: GPL-3.0-or-later */
/* team.c -- what processes tell each other. */
#include "analysis/core/team.h"

#include <stdio.h>

#include "trace/alloc.h"

static struct tv_gathered send(const struct tv_team *team, struct tv_parcel *pack, bool to_all)
{
	struct tv_gathered all = { .n = to_all || team->rank == 0 ? team->size : 0 };

	all.first = tv_alloc((size_t)team->size + 1, sizeof *all.first);
	all.bytes = (to_all ? team->gather : team->collect)(team, pack->at, pack->n, all.first);
	tv_free(pack->at);
	*pack = (struct tv_parcel){ 0 };
	return all;
}

struct tv_gathered tv_team_gather(const struct tv_team *team, struct tv_parcel *pack)
{
	return send(team, pack, true);
}

struct tv_gathered tv_team_collect(const struct tv_team *team, struct tv_parcel *pack)
{
	return send(team, pack, false);
}

struct tv_unpack tv_gathered_of(const struct tv_gathered *all, uint32_t rank)
{
	return (struct tv_unpack){ all->bytes + all->first[rank],
				   all->first[rank + 1] - all->first[rank] };
}

void tv_gathered_release(struct tv_gathered *all)
{
	tv_free(all->bytes);
	tv_free(all->first);
	*all = (struct tv_gathered){ 0 };
}

/* The first process says what it would say alone. */
static void name_process(struct tv_error *err, uint32_t rank)
{
	char what[32];

	snprintf(what, sizeof what, "process %u", (unsigned)rank);
	(void)tv_fail_about(err, what);
}

int tv_team_agree(const struct tv_team *team, int rc, struct tv_error *err)
{
	struct tv_parcel pack = { 0 };
	struct tv_gathered all;

	if (team == NULL)
		return rc;
	if (rc < 0)
		tv_pack_bytes(&pack, err, sizeof *err);
	all = tv_team_gather(team, &pack);
	rc = 0;
	for (uint32_t rank = 0; rc == 0 && rank < all.n; rank++) {
		struct tv_unpack from = tv_gathered_of(&all, rank);

		if (from.n == 0)
			continue;
		tv_unpack_bytes(&from, err, sizeof *err);
		rc = -1;
		if (rank > 0)
			name_process(err, rank);
	}
	tv_gathered_release(&all);
	return rc;
}

uint64_t *tv_team_numbers(const struct tv_team *team, uint64_t number)
{
	uint64_t *numbers = tv_alloc(team->size, sizeof *numbers);
	struct tv_parcel pack = { 0 };
	struct tv_gathered all;

	tv_pack_number(&pack, number);
	all = tv_team_gather(team, &pack);
	for (uint32_t rank = 0; rank < all.n; rank++) {
		struct tv_unpack from = tv_gathered_of(&all, rank);

		numbers[rank] = tv_unpack_number(&from);
	}
	tv_gathered_release(&all);
	return numbers;
}
