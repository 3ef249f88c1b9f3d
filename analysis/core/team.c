/* SPDX-License-Identifier: GPL-3.0-or-later */
/* team.c -- what processes tell each other. */
#include "analysis/core/team.h"

#include <stdio.h>

#include "trace/alloc.h"
#include "trace/map.h"

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

uint32_t *tv_team_labels(const struct tv_team *team, struct tv_pool *pool, const uint32_t *label,
			 uint32_t *n)
{
	struct tv_parcel pack = { 0 };
	uint32_t *all = NULL, found = 0;
	struct tv_map place = { 0 };
	struct tv_gathered sent;
	size_t cap = 0;

	tv_pack_number(&pack, *n);
	for (uint32_t i = 0; i < *n; i++)
		tv_pack_label(&pack, pool, label[i]);
	sent = tv_team_gather(team, &pack);
	for (uint32_t rank = 0; rank < sent.n; rank++) {
		struct tv_unpack from = tv_gathered_of(&sent, rank);

		for (uint64_t left = tv_unpack_number(&from); left > 0; left--) {
			uint32_t one = tv_unpack_label(&from, pool);

			if (tv_map_get(&place, one, 0) != NULL)
				continue;
			tv_map_put(&place, one, 0, found);
			TV_GROW(all, found, cap, 1);
			all[found++] = one;
		}
	}
	tv_gathered_release(&sent);
	tv_map_release(&place);
	*n = found;
	return all;
}

void tv_team_add_sums(const struct tv_team *team, tv_int128 *sum, size_t n, size_t step)
{
	const int half = 32;
	uint64_t *counter = tv_alloc(2 * n, sizeof *counter);

	for (size_t i = 0; i < n; i++) {
		const tv_int128 *of = (const tv_int128 *)(const void *)((char *)sum + i * step);

		counter[2 * i] = (uint64_t)(*of >> half);
		counter[2 * i + 1] = (uint64_t)*of & UINT32_MAX;
	}
	tv_team_add(team, counter, 2 * n);
	for (size_t i = 0; i < n; i++) {
		tv_int128 *to = (tv_int128 *)(void *)((char *)sum + i * step);

		*to = ((tv_int128)counter[2 * i] << half) + (tv_int128)counter[2 * i + 1];
	}
	tv_free(counter);
}
