/* SPDX-License-Identifier: GPL-3.0-or-later */
/* carry_pack.c -- jobs that processes have noted, and those that are live between their parts, as bytes. */
#include <string.h>

#include "dag/carry_state.h"
#include "trace/alloc.h"

/* Numbers stay, names go by their text. */
static void pack_key(const struct tv_carry *carry, uint64_t key, struct tv_parcel *pack)
{
	uint32_t prefix = (uint32_t)(key >> 32), number = (uint32_t)key;
	bool numbered = prefix != TV_NONE;

	tv_pack_number(pack, numbered ? number : TV_NONE);
	tv_pack_label(pack, carry->names, numbered ? prefix : number);
}

static uint64_t unpack_key(struct tv_carry *carry, struct tv_unpack *from)
{
	uint64_t number = tv_unpack_number(from);
	uint32_t name = tv_unpack_label(from, carry->names);

	return number == TV_NONE ? (uint64_t)TV_NONE << 32 | name : (uint64_t)name << 32 | number;
}

/* ---- what was noted ---- */

enum { END, BLOCK, NAME }; /* what comes next of a set */

static void pack_names(const struct tv_carry *carry, uint64_t first, const uint64_t *word,
		       struct tv_parcel *pack)
{
	for (uint64_t i = 0; i < 1 << TV_JOB_BLOCK_BITS; i++) {
		if ((word[i >> TV_JOB_WORD_BITS] >> i % (1 << TV_JOB_WORD_BITS) & 1) == 0)
			continue;
		tv_pack_number(pack, NAME);
		pack_key(carry, first + i, pack);
	}
}

static void pack_set(const struct tv_carry *carry, const struct tv_job_set *set,
		     struct tv_parcel *pack)
{
	for (size_t i = 0; i < set->block_of.size; i++) {
		const struct tv_map_slot *slot = &set->block_of.slot[i];
		uint64_t first = slot->a << TV_JOB_BLOCK_BITS;

		if (!slot->used)
			continue;
		if (first >> 32 == TV_NONE) {
			pack_names(carry, first, set->block[slot->value], pack);
			continue;
		}
		tv_pack_number(pack, BLOCK);
		pack_key(carry, first, pack);
		tv_pack_bytes(pack, set->block[slot->value], sizeof *set->block);
	}
	tv_pack_number(pack, END);
}

/* Adds it to the jobs that occur. */
static void merge_set(struct tv_carry *carry, struct tv_unpack *from)
{
	uint64_t what;

	while ((what = tv_unpack_number(from)) != END) {
		uint64_t key = unpack_key(carry, from), more[TV_JOB_BLOCK_WORDS], *word, twice = 0;

		if (what == NAME) {
			twice = tv_job_set_add(&carry->here, key);
		} else {
			word = tv_job_set_word(&carry->here, key, true);
			tv_unpack_bytes(from, more, sizeof more);
			for (size_t i = 0; i < TV_JOB_BLOCK_WORDS; i++) {
				twice |= word[i] & more[i];
				word[i] |= more[i];
			}
		}
		if (twice != 0)
			carry->repeats = true;
	}
}

void tv_carry_pack_notes(struct tv_carry *carry, struct tv_parcel *pack)
{
	tv_pack_number(pack, carry->repeats);
	tv_pack_number(pack, carry->excludes);
	tv_pack_number(pack, carry->ndepends);
	tv_pack_number(pack, carry->nahead);
	for (size_t i = 0; i < carry->nahead; i++) {
		const struct tv_named_ahead *ahead = &carry->ahead[i];

		pack_key(carry, ahead->key, pack);
		pack_key(carry, ahead->of, pack);
		tv_pack_number(pack, ahead->n);
		tv_pack_number(pack, ahead->part);
	}
	pack_set(carry, &carry->here, pack);
	carry->own = carry->here;
	carry->here = (struct tv_job_set){ 0 };
	carry->repeats = false;
	carry->ndepends = 0;
	carry->nahead = 0;
	tv_map_release(&carry->ahead_at);
}

void tv_carry_merge_notes(struct tv_carry *carry, struct tv_unpack *from)
{
	bool repeats = tv_unpack_number(from) != 0, excludes = tv_unpack_number(from) != 0;

	carry->repeats = carry->repeats || repeats;
	carry->excludes = carry->excludes || excludes;
	carry->ndepends += tv_unpack_number(from);
	for (uint64_t n = tv_unpack_number(from); n > 0; n--) {
		struct tv_named_ahead ahead;

		ahead.key = unpack_key(carry, from);
		ahead.of = unpack_key(carry, from);
		ahead.n = tv_unpack_number(from);
		ahead.part = (uint32_t)tv_unpack_number(from);
		if (!tv_job_set_has(&carry->here, ahead.key))
			tv_carry_name_ahead(carry, &ahead);
		else if (tv_job_set_has(&carry->own, ahead.key))
			tv_map_put(&carry->named, ahead.key, 0, ahead.part);
	}
	merge_set(carry, from);
}

/* ---- live jobs ---- */

void tv_carry_pack(const struct tv_carry *carry, struct tv_parcel *pack)
{
	tv_pack_number(pack, carry->njobs);
	tv_pack_number(pack, carry->value != NULL ? carry->size : 0);
	for (size_t i = 0; i < carry->njobs; i++) {
		const struct tv_carried_job *job = &carry->job[i];

		tv_pack_bytes(pack, job, sizeof *job);
		pack_key(carry, job->key, pack);
		pack_key(carry, job->last, pack);
		pack_key(carry, job->step, pack);
		pack_key(carry, job->arrived, pack);
	}
	if (carry->value != NULL)
		tv_pack_bytes(pack, carry->value, carry->njobs * carry->size);
	tv_carry_pack_holds(carry, pack);
}

void tv_carry_unpack(struct tv_carry *carry, struct tv_unpack *from)
{
	size_t n = (size_t)tv_unpack_number(from), size = (size_t)tv_unpack_number(from);

	tv_map_release(&carry->place);
	carry->njobs = 0;
	TV_GROW(carry->job, carry->njobs, carry->jobs_cap, n);
	for (; carry->njobs < n; carry->njobs++) {
		struct tv_carried_job *job = &carry->job[carry->njobs];

		tv_unpack_bytes(from, job, sizeof *job);
		job->node = TV_NONE; /* those of a graph with a cycle were not forgotten */
		job->key = unpack_key(carry, from);
		job->last = unpack_key(carry, from);
		job->step = unpack_key(carry, from);
		job->arrived = unpack_key(carry, from);
		tv_map_put(&carry->place, job->key, 0, (uint32_t)carry->njobs);
	}
	tv_free(carry->value);
	carry->value = size > 0 ? tv_alloc(n, size) : NULL;
	carry->size = size;
	if (size > 0)
		tv_unpack_bytes(from, carry->value, n * size);
	tv_carry_unpack_holds(carry, from);
}
