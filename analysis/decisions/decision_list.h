/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * decision_list.h -- the decisions of a scheduler, and what became of each: pop, start, end.
 *
 * The n-th decision about a job leads to the scheduler's events of that job (pop, start, end) before
 * its next decision, and to the n-th execution of the job in tasks. Pop, start and end are those of
 * the events; without these Start and End of the execution and the event Task Pop. All on one clock.
 *
 * A candidate belongs to the decision that has its JobId and Decision, however these are numbered; without
 * Decision to the first about its job.
 *
 * Executions tile the wait of a task on its worker: [decision, start] = ahead (executions decided
 * earlier) + overtaken (decided later) + idle. An execution without a decision counts as decided
 * when it started. What overlaps on a worker counts once, for the one that started first.
 */
#ifndef TV_DECISION_LIST_H
#define TV_DECISION_LIST_H

#include "analysis/core/run.h"
#include "trace/groups.h"
#include "trace/map.h"

#define TV_NO_TIME INT64_MIN

struct tv_decision {
	uint32_t row; /* of the table decisions */
	uint32_t job; /* label */
	uint32_t
		worker; /* where it ran, else the one chosen: place in tv_decisions.worker; TV_NONE */
	uint32_t task;	  /* row of tasks of its execution; TV_NONE = none */
	int64_t number;	  /* as in the input, otherwise the n-th about its job, from 1 */
	int64_t priority; /* 0 where it is missing */
	int64_t order;	  /* as in the input, or by time */
	int64_t time, popped, started, ended;	   /* ns; TV_NO_TIME = not known */
	int64_t pop_order, start_order, end_order; /* INT64_MAX = not known */
};

/* An execution on a worker, clipped to what others left of its time. */
struct tv_run_span {
	int64_t start, end;
	int64_t order;	   /* twice the place of its decision; of none: between those until its
			    * start and the next */
	uint32_t decision; /* place in tv_decisions.at; TV_NONE = none known */
	uint32_t worker;
};

struct tv_decision_columns { /* of the table decisions, may be in short; NULL = it has none */
	const struct tv_column *value, *chosen, *length, *transfer, *expected_start, *expected_end,
		*fitness, *best_end, *runner_up, *margin, *nature, *flag, *impl;
};

struct tv_candidate_columns { /* of the table candidates, may be in short */
	const struct tv_column *resource, *available, *length, *transfer, *energy, *start, *end,
		*fitness, *queue_tasks, *queue_length, *pipeline, *chosen, *impl;
};

struct tv_decisions {
	struct tv_decision *at; /* in the order in which they were made */
	uint32_t n;
	struct tv_decision_columns of;
	struct tv_candidate_columns candidate;
	struct tv_groups candidates; /* rows of the table candidates by place in at */
	uint32_t unplaced;	     /* candidates of no decision, or of more than one */
	uint32_t *worker;	     /* labels: the workers of tasks, then others */
	uint32_t nworkers;
	struct tv_index worker_of; /* by label */
	uint32_t *of_task;	   /* by row of tasks: place in at; TV_NONE */
	struct tv_run_span *span;  /* by worker and start */
	uint32_t *first;	   /* nworkers + 1: the first span of each worker */
	uint32_t nspans;
	bool sorted; /* some task ran before one that was decided earlier on its worker */
};

/* Collected at the first call, kept with the run. NULL with *err in the name of a verb: the trace
 * has none. Cost O(n log n), 4 bytes per candidate besides. */
const struct tv_decisions *tv_run_decisions(struct tv_run *run, const char *verb,
					    struct tv_error *err);

/* How the wait of each decision that started is tiled, ns. */
struct tv_tiling {
	int64_t ahead, overtaken;
	int64_t idle_queued; /* before its pop, or all where that is not known */
	int64_t idle_taken;  /* between pop and start */
};
/* tiling: d->n; zero where it did not start. Cost O(n log n). */
void tv_decisions_tile(const struct tv_decisions *d, struct tv_tiling *tiling);

/* A cell that may be missing: otherwise `missing`. */
static inline int64_t tv_cell_int(const struct tv_column *column, uint32_t row, int64_t missing)
{
	return column == NULL || tv_missing(column, row) ? missing : tv_number(column, row);
}
/* How many candidates of each decision the recorder kept besides that of the chosen worker, the best
 * ones; UINT32_MAX: all. */
uint32_t tv_candidates_kept(const struct tv_trace *trace);
/* The label of a worker of d; TV_NONE for TV_NONE. */
static inline uint32_t tv_decision_worker(const struct tv_decisions *d, uint32_t worker)
{
	return worker == TV_NONE ? TV_NONE : d->worker[worker];
}
/* The type of its task: as tasks name it, else as the table decisions does. */
static inline uint32_t tv_decision_value(const struct tv_decisions *d, const struct tv_tasks *tasks,
					 const struct tv_decision *decision)
{
	return decision->task != TV_NONE ? tasks->value[decision->task]
					 : tv_cell_label(d->of.value, decision->row);
}
/* Whether a decision and its execution are in the window. */
bool tv_decision_seen(const struct tv_run *run, const struct tv_decision *decision);

/* How long the task of a decision ran, ns; TV_NO_TIME where the trace does not show it from start to end. */
static inline int64_t tv_decision_duration(const struct tv_tasks *tasks,
					   const struct tv_decision *decision)
{
	return decision->started == TV_NO_TIME || decision->ended == TV_NO_TIME
			    || (decision->task != TV_NONE && !tv_task_ended(tasks, decision->task))
		     ? TV_NO_TIME
		     : decision->ended - decision->started;
}

#endif
