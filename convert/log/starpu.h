/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * starpu.h -- what a log says of StarPU: starpu.c collects it, starpu_rows.c writes it as tasks, starpu_decisions.c as
 * decisions, candidates and events. Times are those of the log.
 */
#ifndef TV_RAW_STARPU_H
#define TV_RAW_STARPU_H

#include "convert/log/raw.h"

struct tv_starpu_worker {
	uint32_t name, type, device; /* labels */
	uint32_t title;		     /* label: StarPU's own name */
	int64_t memory_node;	     /* -1 = unknown */
	uint32_t thread;	     /* that it ran on; TV_NONE */
	int64_t begin, end;	     /* first and last event; begin > end: none */
};

enum tv_starpu_message_kind { TV_STARPU_TASK, TV_STARPU_SEND, TV_STARPU_RECEIVE };

struct tv_starpu_job {
	uint64_t id;
	enum tv_starpu_message_kind message;
	uint32_t name, from; /* of messages: labels; from: of a receive, the send */
	int64_t arrived;     /* of a receive; -1 = not, or not known */
	uint32_t type;	     /* label; TV_NONE = unknown, as its submission was not recorded */
	bool works, has_tag;
	int64_t priority, submit, context;
	uint64_t tag;
	double flops;
	uint32_t first_access, naccesses;    /* in `access` */
	uint32_t first_need, nneeds;	     /* in `need`: jobs, by its accesses */
	uint32_t first_run, last_run, nruns; /* its executions */
	uint32_t decisions;		     /* so far */
	uint32_t seen;			     /* serial, while what it depends on is listed */
	bool followed;			     /* something depends on it */
};

struct tv_starpu_access {
	uint32_t handle; /* in log->handle */
	uint32_t mode;
	int64_t size;
};

struct tv_starpu_run {
	uint32_t job, worker, next; /* of the job */
	uint32_t instance;	    /* of a job that runs again, from 1 */
	int64_t start, end;
	uint64_t footprint;
	size_t value; /* of counters, in log->value: first that at its start, then what it added */
	uint32_t nvalues; /* 0 = none, or not read */
	uint32_t thread;
	int64_t counted;	    /* when those at its start were read */
	int32_t cpu, cpu_end, numa; /* -1 = unknown */
	bool open;
};

struct tv_starpu_event {
	uint64_t order;
	uint8_t kind;
	uint32_t job, worker; /* TV_NONE = unknown */
	int64_t time;
};

struct tv_starpu_decision {
	uint64_t order;
	uint32_t job, number; /* n-th of the job */
	int64_t time;
	uint32_t worker, impl; /* TV_NONE = unknown */
	double now, transfer_left, best_end;
	enum tv_log_starpu_nature nature;
	uint32_t first, n; /* candidates that were written */
	bool race;
};

struct tv_starpu_candidate {
	uint64_t order; /* of the decision */
	uint32_t worker, impl;
	int64_t tasks;
	double available, length, transfer, energy, end, fitness, queue, pipeline; /* us, J */
};

struct tv_starpu_edge {
	uint32_t job, before;
};

struct tv_raw_starpu {
	int64_t offset; /* time of the log minus StarPU's clock */
	struct tv_starpu_worker *worker;
	size_t nworkers, workers_cap;
	struct tv_starpu_job *job;
	size_t njobs, jobs_cap;
	struct tv_map job_of;
	struct tv_starpu_access *access;
	size_t naccesses, accesses_cap;
	struct tv_accesses accesses;
	uint32_t *need;
	size_t nneeds, needs_cap;
	struct tv_map run_of; /* by job and worker: the last one */
	struct tv_starpu_run *run;
	size_t nruns, runs_cap;
	struct tv_starpu_event *event;
	size_t nevents, events_cap;
	struct tv_starpu_decision *decision;
	size_t ndecisions, decisions_cap;
	struct tv_starpu_candidate *candidate;
	size_t ncandidates, candidates_cap;
	struct tv_starpu_edge *edge; /* as StarPU and tags say */
	size_t nedges, edges_cap;
	struct tv_map job_of_tag;
	uint64_t *tags; /* pairs: tag, tag before */
	size_t ntags, tags_cap;
	struct tv_map sent_of;	  /* by tag, and rank and kind: number of messages */
	struct tv_map message_of; /* jobs of receives by their numbers */
	size_t nunmatched;	  /* messages whose other rank is not known */
	int64_t last;		  /* time of the last event */
};

/* A job of StarPU as its JobId, a label; TV_NONE = none. */
uint32_t tv_starpu_job_label(const struct tv_raw_log *log, uint32_t job);
uint32_t tv_starpu_worker_label(const struct tv_raw_log *log, uint32_t worker);

/* A job that is no task of StarPU. */
uint32_t tv_starpu_new_job(struct tv_raw_log *log);
/* What accesses of a job, the next one in the order of submission, make it depend on. */
void tv_starpu_need(struct tv_raw_starpu *s, uint32_t job, const struct tv_access *access,
		    size_t n);

/* starpu_messages.c */
void tv_starpu_add_message(struct tv_raw_log *log, const struct tv_raw_event *event, int64_t time);
void tv_starpu_arrive(struct tv_raw_log *log, const struct tv_raw_event *event, int64_t time);
/* Writes what is of a message alone into a row of tasks. edge: of the first edge of this or a later job. */
void tv_starpu_write_message(struct tv_raw_log *log, uint32_t index, size_t edge, uint32_t row);

/* starpu_rows.c, starpu_decisions.c */
void tv_starpu_write_tasks(struct tv_raw_log *log);
void tv_starpu_write_workers(struct tv_raw_log *log);
void tv_starpu_write_decisions(struct tv_raw_log *log);

#endif
