/* SPDX-License-Identifier: GPL-3.0-or-later */
/* carry_state.h -- what carry.c and carry_pack.c know of a struct tv_carry. */
#ifndef TV_CARRY_STATE_H
#define TV_CARRY_STATE_H

#include "dag/carry.h"
#include "trace/map.h"

enum {
	TV_JOB_BLOCK_BITS = 15, /* keys of a block of bits */
	TV_JOB_WORD_BITS = 6,
	TV_JOB_BLOCK_WORDS = 1 << (TV_JOB_BLOCK_BITS - TV_JOB_WORD_BITS)
};

/* Keys of jobs, a bit each. */
struct tv_job_set {
	struct tv_map block_of;
	uint64_t last_block; /* that was asked for, plus 1, and where it is */
	size_t last_at;
	uint64_t (*block)[TV_JOB_BLOCK_WORDS];
	size_t n, cap;
};

/* The word of bits that has the one of a key, the first of its block if the key is; NULL: there is none, and none is to be made. */
uint64_t *tv_job_set_word(struct tv_job_set *set, uint64_t key, bool make);
bool tv_job_set_has(struct tv_job_set *set, uint64_t key);
/* Adds it. Returns whether it was there. */
bool tv_job_set_add(struct tv_job_set *set, uint64_t key);
void tv_job_set_release(struct tv_job_set *set);

/* A job that was named before it occurred, if it does. */
struct tv_named_ahead {
	uint64_t key, of; /* of: the first job that names it */
	uint64_t n;	  /* how often */
	uint32_t part;	  /* the last one that names it */
};

/* An execution of an earlier part that held a handle of a node (labels of names; a node may be TV_NONE) until then, ns. */
struct tv_carried_hold {
	uint32_t handle, node;
	int64_t end;
};

struct tv_carry {
	struct tv_pool *names; /* prefixes of JobIds, and those without a number */
	uint32_t prefix;       /* the last one that was asked for */
	struct tv_job_set
		here; /* the jobs that occur; of several processes those of the ones merged so far */
	struct tv_job_set own;	/* between packing and the last merge, of this process */
	struct tv_map named;	/* by key: the last part that names it, of jobs of earlier parts */
	struct tv_map ahead_at; /* by key: in ahead */
	struct tv_named_ahead *ahead;
	size_t nahead, ahead_cap;
	bool repeats;  /* a job has rows in several parts */
	bool late;     /* within: a task depends on one of a later part */
	bool excludes; /* tasks exclude each other */
	uint64_t ndepends;
	bool within;	      /* graphs have no jobs of earlier parts */
	uint32_t first, part; /* of this process, and that is open, or comes next */
	struct tv_carried_job *job;
	size_t njobs, jobs_cap, most;
	struct tv_map place;	      /* by key: in job */
	size_t size;		      /* of a value; 0 = there are none */
	char *value;		      /* by job */
	char *open;		      /* by node of the open part; NULL = there are none */
	struct tv_carried_hold *hold; /* by handle, then by end */
	size_t nholds, holds_cap;
};

/* Notes that a job is named so often, the last time by that part. */
void tv_carry_name_ahead(struct tv_carry *carry, const struct tv_named_ahead *ahead);

/* ---- carry_holds.c ---- */
/* Those of a part, before the next one. */
void tv_carry_keep_holds(struct tv_carry *carry, const struct tv_tasks *tasks);
void tv_carry_pack_holds(const struct tv_carry *carry, struct tv_parcel *pack);
void tv_carry_unpack_holds(struct tv_carry *carry, struct tv_unpack *from);

#endif
