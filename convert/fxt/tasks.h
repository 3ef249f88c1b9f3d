/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tasks.h -- the tasks of a rank, their executions, dependencies and accesses. */
#ifndef TV_FXT_TASKS_H
#define TV_FXT_TASKS_H

#include "trace/map.h"
#include "trace/trace.h"

struct tv_fxt_rank;
struct tv_fxt_run;

/* A task as the runtime knows it. */
struct tv_fxt_job {
	uint32_t label, name, model, source; /* labels; TV_NONE = unknown */
	uint32_t line;			     /* of the source that submits it */
	uint32_t before;		     /* the only job that it depends on; TV_NONE */
	uint32_t first_run, last_run;	     /* executions, chained; TV_NONE */
	uint32_t first_need, last_need;	     /* dependencies, chained; TV_NONE */
	int64_t submit_time;
	uint64_t submit_order;
	int64_t priority, iteration, subiteration;
	bool submitted, has_order, has_priority, done, excluded, named;
	bool nameless; /* StarPU records that it has no name */
	bool received; /* releases a message, maybe into a temporary handle: unexpected.c */
	uint8_t type;  /* bit 0 internal, bit 1 data acquisition */
};

/* One execution of a task on a worker. */
struct tv_fxt_exec {
	uint32_t job, worker; /* indices */
	uint32_t next;	      /* execution of the same job */
	uint32_t first_access, last_access;
	uint32_t params; /* label or TV_NONE */
	uint32_t footprint;
	uint32_t team, instance;
	int64_t start, end;
	int64_t memory_node, x, y;
	uint64_t size, tag, kflop, context;
	bool ended, open, detailed, dropped;
	uint8_t ncoordinates; /* 1 = x, 2 = x and y */
};

struct tv_fxt_need {
	uint32_t label; /* job or message waited for */
	uint32_t next;
};

struct tv_fxt_access {
	uint64_t address, size;
	uint32_t handle; /* label */
	uint32_t mode;
	uint32_t next;
};

struct tv_fxt_tag_edge {
	uint64_t waits, for_tag;
};

struct tv_fxt_tasks {
	struct tv_numbers job_of; /* by number */
	struct tv_map exec_of;	  /* by indices of job and worker: the last but that of the job */
	struct tv_map job_of_tag; /* index */
	struct tv_fxt_job *job;
	struct tv_fxt_exec *exec;
	struct tv_fxt_need *need;
	struct tv_fxt_access *access;
	struct tv_fxt_tag_edge *tag_edge;
	size_t njobs, nexecs, nneeds, naccesses, ntag_edges;
	size_t jobs_cap, execs_cap, needs_cap, accesses_cap, tag_edges_cap;
	uint64_t dropped_starts, repeated_submits;
};

/* ---- tasks.c ---- */
/* The index of a job, added when new. */
uint32_t tv_fxt_find_job(struct tv_fxt_rank *rank, uint64_t id);
/* The job depends on the job or message of that label. */
void tv_fxt_add_need(struct tv_fxt_rank *rank, uint32_t job, uint32_t label);
void tv_fxt_end_tasks(struct tv_fxt_rank *rank);
void tv_fxt_release_tasks(struct tv_fxt_tasks *tasks);

/* ---- rows.c ---- */
/* What becomes of the executions and submissions of a file. */
struct tv_fxt_balance {
	uint64_t started, written, dropped, open, submitted, completed, pending, repeated;
};
void tv_fxt_add_balance(struct tv_fxt_balance *sum, const struct tv_fxt_balance *b);
/* Writes the tasks of a rank, and adds to the sum. -1 with *err if one was lost. */
int tv_fxt_write_rank(struct tv_fxt_rank *rank, struct tv_fxt_balance *sum,
		      struct tv_error *err) TV_MUST_CHECK;
void tv_fxt_write_balance(struct tv_fxt_run *run, const struct tv_fxt_balance *sum);
/* The same of all ranks. */
int tv_fxt_write_tasks(struct tv_fxt_run *run, struct tv_error *err) TV_MUST_CHECK;

#endif
