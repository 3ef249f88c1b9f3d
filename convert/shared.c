/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shared.c -- rows of all processes. */
#include "convert/shared.h"

#include "trace/alloc.h"
#include "trace/damage.h"

/* In process 0 that of the others is added; in each it is taken from the bytes. */
static void take_damage(const struct tv_team *team, uint32_t process, struct tv_trace *trace,
			struct tv_unpack *from)
{
	struct tv_trace ignored;

	tv_trace_init_beside(&ignored, trace);
	tv_damage_merge(team->rank == 0 && process > 0 ? trace : &ignored, from);
	tv_trace_release(&ignored);
}

void tv_shared_tell(const struct tv_team *team, struct tv_trace *trace,
		    const struct tv_shared_files *files)
{
	struct tv_parcel pack = { 0 };
	struct tv_gathered all;

	tv_damage_pack(trace, &pack);
	tv_pack_number(&pack, files->n);
	for (size_t i = 0; i < files->n; i++)
		files->pack(files->context, i, &pack);
	all = tv_team_gather(team, &pack);
	for (uint32_t process = 0; process < all.n; process++) {
		struct tv_unpack from = tv_gathered_of(&all, process);
		uint32_t n;

		take_damage(team, process, trace, &from);
		n = (uint32_t)tv_unpack_number(&from);
		for (uint32_t i = 0; i < n; i++)
			files->take(files->context, process, process == team->rank ? i : TV_NONE,
				    &from);
	}
	tv_gathered_release(&all);
}

void tv_shared_init(struct tv_shared *shared, const struct tv_team *team, struct tv_trace *trace)
{
	*shared = (struct tv_shared){ .team = team, .trace = trace };
	shared->labels = tv_alloc(team->size, sizeof *shared->labels);
}

void tv_shared_release(struct tv_shared *shared)
{
	for (uint32_t process = 0; process < shared->team->size; process++)
		tv_free(shared->labels[process].at);
	tv_free(shared->labels);
	tv_gathered_release(&shared->all);
}

/* The strings of labels that process 0 does not have yet. */
static void send_labels(struct tv_shared *shared)
{
	struct tv_parcel pack = { 0 };
	struct tv_gathered all;

	tv_pack_pool(&pack, shared->trace->pool, &shared->sent);
	all = tv_team_collect(shared->team, &pack);
	for (uint32_t process = 0; process < all.n; process++) {
		struct tv_unpack from = tv_gathered_of(&all, process);

		tv_unpack_pool(&from, shared->trace->pool, &shared->labels[process]);
	}
	tv_gathered_release(&all);
}

int tv_shared_send(struct tv_shared *shared, struct tv_parcel *pack, int rc,
		   struct tv_unpack **from, struct tv_error *err)
{
	*from = NULL;
	if (tv_team_agree(shared->team, rc, err) < 0) {
		tv_free(pack->at);
		*pack = (struct tv_parcel){ 0 };
		return -1;
	}
	send_labels(shared);
	tv_gathered_release(&shared->all);
	shared->all = tv_team_collect(shared->team, pack);
	if (shared->all.n == 0)
		return 0;
	*from = tv_alloc(shared->all.n, sizeof **from);
	for (uint32_t process = 0; process < shared->all.n; process++)
		(*from)[process] = tv_gathered_of(&shared->all, process);
	return 0;
}
