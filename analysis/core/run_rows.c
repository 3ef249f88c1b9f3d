/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_rows.c -- the rows of a run, all at once or part by part. */
#include "analysis/core/run.h"
#include "dag/carry.h"
#include "trace/alloc.h"

struct tv_rider {
	struct tv_rider *next;
	const void *key;
	int (*rows)(void *state, struct tv_run *part, struct tv_error *err);
	void *state;
	void (*release)(void *state);
	bool done;
};

/* From turn to turn, one of each process, the live jobs of the task graph go on: those of the last part before the own. */
static void take_turns(const struct tv_run *run, uint32_t *turn, uint32_t until)
{
	struct tv_carry *carry = run->parts->carry;

	for (; *turn < until; ++*turn) {
		struct tv_parcel pack = { 0 };
		struct tv_gathered all;

		if (*turn == run->team->rank)
			tv_carry_pack(carry, &pack);
		all = tv_team_gather(run->team, &pack);
		if (*turn < run->team->rank) {
			struct tv_unpack from = tv_gathered_of(&all, *turn);

			tv_carry_unpack(carry, &from);
		}
		tv_gathered_release(&all);
	}
}

/* All that a pass asks of parts. */
static enum tv_part_columns columns_of(const struct tv_pass *pass)
{
	if (pass == NULL || pass->linked)
		return TV_PART_LINKED;
	return pass->later != NULL ? TV_PART_LATER : TV_PART_BARE;
}

/* What fails is left to who asks for it. */
static void take_along(const struct tv_run *run, struct tv_run *part)
{
	struct tv_error none = { 0 };

	for (struct tv_rider *rider = run->riders; rider != NULL; rider = rider->next)
		if (!rider->done && rider->state != NULL
		    && rider->rows(rider->state, part, &none) < 0) {
			rider->release(rider->state);
			rider->state = NULL;
		}
}

/* graph: each part is asked for its graph, if the pass that is computed asks for it. */
static int give_rows(struct tv_run *run, enum tv_part_columns asked, bool graph,
		     int (*rows)(void *state, struct tv_run *part, struct tv_error *err),
		     void *state, struct tv_error *err)
{
	enum tv_part_columns all = columns_of(run->part_pass), columns = asked > all ? asked : all;
	bool linked = graph && columns == TV_PART_LINKED && run->parts != NULL
		   && run->parts->carry != NULL;
	bool turns = linked && run->team != NULL;
	uint32_t turn = 0;
	struct tv_run *part;
	int rc;

	if (run->parts == NULL)
		return rows(state, run, err);
	if (linked)
		tv_carry_rewind(run->parts->carry);
	while ((rc = run->parts->next(run->parts->context, columns, &part, err)) > 0) {
		if (turns)
			take_turns(run, &turn, run->team->rank);
		if (rows(state, part, err) < 0)
			break;
		if (linked)
			take_along(run, part);
	}
	for (struct tv_rider *rider = run->riders; linked && rc == 0 && rider != NULL;
	     rider = rider->next)
		rider->done = true;
	if (rc < 0)
		err->parts = true;
	rc = rc > 0 ? -1 : rc;
	if (turns)
		take_turns(run, &turn, run->team->size);
	rc = tv_team_agree(run->team, rc, err);
	return rc == 0 && run->parts->end != NULL ? run->parts->end(run->parts->context, err) : rc;
}

int tv_run_rows(struct tv_run *run,
		int (*rows)(void *state, struct tv_run *part, struct tv_error *err), void *state,
		struct tv_error *err)
{
	return give_rows(run, TV_PART_LINKED, true, rows, state, err);
}

int tv_run_bare_rows(struct tv_run *run,
		     int (*rows)(void *state, struct tv_run *part, struct tv_error *err),
		     void *state, struct tv_error *err)
{
	return give_rows(run, TV_PART_BARE, false, rows, state, err);
}

int tv_run_later_rows(struct tv_run *run,
		      int (*rows)(void *state, struct tv_run *part, struct tv_error *err),
		      void *state, struct tv_error *err)
{
	return give_rows(run, TV_PART_LATER, false, rows, state, err);
}

int tv_run_named_rows(struct tv_run *run,
		      int (*rows)(void *state, struct tv_run *part, struct tv_error *err),
		      void *state, struct tv_error *err)
{
	return give_rows(run, TV_PART_LINKED, false, rows, state, err);
}

void tv_run_ride(struct tv_run *run, const void *key,
		 int (*rows)(void *state, struct tv_run *part, struct tv_error *err), void *state,
		 void (*release)(void *state))
{
	struct tv_rider *rider = tv_alloc(1, sizeof *rider);

	*rider = (struct tv_rider){ run->riders, key, rows, state, release, false };
	run->riders = rider;
}

static void release_rider(struct tv_rider *rider)
{
	if (rider->state != NULL)
		rider->release(rider->state);
	tv_free(rider);
}

void *tv_run_ridden(struct tv_run *run, const void *key)
{
	struct tv_rider **at = &run->riders, *rider;
	void *state = NULL;

	while (*at != NULL && (*at)->key != key)
		at = &(*at)->next;
	rider = *at;
	if (rider == NULL)
		return NULL;
	*at = rider->next;
	if (rider->done) {
		state = rider->state;
		rider->state = NULL;
	}
	release_rider(rider);
	return state;
}

bool tv_run_counts(const struct tv_run *run)
{
	size_t max = tv_memory_max(), used = tv_memory_used(), room = used < max ? max - used : 0;

	/* Memory grows by half at most while numbers come; most of the room is for other things. */
	return run->parts != NULL
	    && (run->team != NULL || run->parts->rows > room / (6 * sizeof(int64_t)));
}

void tv_run_drop_riders(struct tv_run *run)
{
	while (run->riders != NULL) {
		struct tv_rider *next = run->riders->next;

		release_rider(run->riders);
		run->riders = next;
	}
}
