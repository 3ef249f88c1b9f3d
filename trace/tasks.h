/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tasks.h -- a completed trace as plain arrays: what passes, the task graph and panels compute on.
 *
 * Built once per run from a completed trace, read-only afterwards. Every index is a row of the
 * tasks table or a position in the arrays below. "App tasks" are executions of Kind app (or of the
 * kinds asked for).
 *
 * A task that was suspended has one row per segment, from a start or resumption to the next
 * suspension or the end. Its segments are one execution; of a team, the n-th row of each segment
 * are that of one of its workers.
 */
#ifndef TV_TASKS_H
#define TV_TASKS_H

#include "trace/groups.h"
#include "trace/kernels.h"
#include "trace/pack.h"
#include "trace/trace.h"

/* The name of the node of workers that have none, where others have one. */
#define TV_UNKNOWN_NODE "?"

struct tv_worker {
	uint32_t resource; /* label */
	uint32_t rtype;	   /* index into view->rtype */
	uint32_t node;	   /* index into view->node */
	bool shared;	   /* it is a device with several streams (devices.h), not one resource */
};

struct tv_group {
	uint32_t label;
	uint32_t nworkers; /* workers of that type or node, with or without tasks */
	uint32_t first;	   /* nodes: theirs are workers[first] to [first + nworkers - 1] */
};

struct tv_tasks {
	const struct tv_trace *trace;
	const struct tv_pool *pool;
	uint32_t n;		     /* rows of tasks, all kinds */
	const uint32_t *value, *job; /* labels; TV_NONE = missing */
	const int64_t *start, *end;  /* ns; only where executed[] */
	uint8_t *kind;		     /* enum tv_kind */
	bool *executed;		     /* it has worker, Start and End (kinds app, setup, runtime) */
	bool *counted;	  /* executed, of a kind asked for: "app task" in every definition */
	bool *pending;	  /* submitted, never started, of a kind asked for (app) */
	bool *planned;	  /* work of a graph that has not run, of a kind asked for */
	bool *leads;	  /* counted, and no later execution of its team, no later segment: so many
			   * are the tasks */
	uint32_t *worker; /* index into workers; TV_NONE for ghosts and messages */
	const struct tv_column *depends;       /* list; NULL if the trace has none */
	const struct tv_column *submit, *team; /* NULL if the trace has none */
	const struct tv_column *instance;      /* NULL if the trace has none */
	const struct tv_column *segment;       /* NULL if every job has one segment */
	uint32_t *whole; /* executed rows: that of the first segment of this execution, which goes
			  * on in the other ones; NULL without segments */
	int64_t *spent;	 /* executed rows: sum of all segments, ns; NULL without segments */
	int64_t *
		device_time; /* executed rows, ns (devices.h); NULL = no device has several streams, so that
			       * it is the duration */
	int64_t *device_spent; /* the same of all segments; NULL without either */
	bool *open; /* executed rows that had not ended when the trace did (Flag open); NULL = none */
	bool *cut;	      /* executed rows of executions that have such a row; NULL = none */
	uint32_t ncounted;    /* rows counted: executions, or segments of them */
	uint32_t nexecutions; /* executions counted, with all their segments */
	uint32_t ncut;	      /* of these, those that had not ended when the trace did */
	uint32_t ntasks;      /* tasks counted: a team is one */
	uint32_t npending, nplanned;
	bool ran; /* of tasks without rows (tv_survey_total): a row was executed, of whatever kind */

	struct tv_worker
		*workers; /* in the order of the rows of a figure: node, type, natural name */
	uint32_t nworkers;
	struct tv_group *rtype; /* worker types in natural order of their names */
	uint32_t nrtypes;
	struct tv_group *node; /* nodes in natural order */
	uint32_t nnodes;
	bool workers_known; /* the trace declares its workers; else only those seen are counted */

	int64_t begin, finish; /* earliest Start and latest End of the counted; makespan = finish -
				  begin */
};

/* What the rows of all parts of a trace show that are read one after the other, in the order of time: their workers,
 * sums, and what is not seen in a part alone. Zeroed: nothing yet. */
struct tv_survey {
	struct tv_sighting *seen; /* by label, n */
	uint8_t *runs, *in;	  /* likewise; bits of in: columns that have the label, below */
	uint32_t n;
	bool declared, any; /* idle workers are declared; a task is counted */
	bool ran;	    /* a row was executed */
	int64_t begin, finish;
	uint32_t rows, ncounted, nexecutions, ncut, ntasks, npending, nplanned;
	const char
		*joins; /* why parts are not enough: rows that belong together; NULL = they are */
};

enum { TV_IN_VALUE = 1, TV_IN_RESOURCE = 2, TV_IN_NODE = 4, TV_IN_DEVICE = 8 };

/* Adds the rows of a part, whose trace has this survey. */
void tv_survey_add(struct tv_survey *survey, const struct tv_tasks *tasks);
/* Sets the sums of tasks without rows to those of all parts. */
void tv_survey_total(const struct tv_survey *survey, struct tv_tasks *tasks);
/* As bytes; adds such, of parts that come after all those before. Texts go into the pool. */
void tv_survey_pack(const struct tv_survey *survey, const struct tv_pool *pool,
		    struct tv_parcel *pack);
void tv_survey_merge(struct tv_survey *survey, struct tv_pool *pool, struct tv_unpack *from);
/* The device of a resource; TV_NONE = none. */
uint32_t tv_survey_device(const struct tv_survey *survey, uint32_t resource);
void tv_survey_release(struct tv_survey *survey);

/* Whether all rows of the tasks of a completed trace are executions of Kind app, as in most traces and parts. Cost O(rows). */
bool tv_tasks_all_app(const struct tv_table *tasks);

/* kinds: bit 1 << TV_APP etc. of what counts as a task. A trace without tasks gives a view with
 * none. */
void tv_tasks_init(struct tv_tasks *tasks, const struct tv_trace *trace, unsigned kinds);
/* The same with one worker per resource also where these are streams of a device: rows of figures. */
void tv_tasks_init_streams(struct tv_tasks *tasks, const struct tv_trace *trace, unsigned kinds);
/* The part of a view that some of its workers make up, chosen[] by worker: rows of other workers are
 * neither executed nor counted, and types and nodes without a chosen worker are not there. begin
 * and finish stay those of the whole. */
void tv_tasks_select(struct tv_tasks *part, const struct tv_tasks *whole, const bool *chosen);
void tv_tasks_release(struct tv_tasks *tasks);

/* Duration of a row that was executed, ns: of one segment. */
static inline int64_t tv_row_time(const struct tv_tasks *tasks, uint32_t row)
{
	return tasks->end[row] - tasks->start[row];
}

/* What an executed row took of its worker's time, ns: all rows of a device with several streams add up to the time in
 * which it was busy. Sums over workers, their weights w(t,r) and bounds are of this time. */
static inline int64_t tv_row_device_time(const struct tv_tasks *tasks, uint32_t row)
{
	return tasks->device_time == NULL ? tv_row_time(tasks, row) : tasks->device_time[row];
}

/* The segment of a row, from 0. */
static inline int64_t tv_segment_of(const struct tv_tasks *tasks, uint32_t row)
{
	return tasks->segment == NULL || tv_missing(tasks->segment, row) ? 0
									 : tasks->segment->i[row];
}

/* Whether an executed row begins an execution: it is no later segment of one. What counts
 * executions and their durations uses these rows with tv_task_time. */
static inline bool tv_row_begins(const struct tv_tasks *tasks, uint32_t row)
{
	return tasks->whole == NULL || tasks->whole[row] == row;
}

/* The row with which the execution of an executed row began. */
static inline uint32_t tv_row_whole(const struct tv_tasks *tasks, uint32_t row)
{
	return tasks->whole == NULL ? row : tasks->whole[row];
}

/* Duration of the execution that an executed row is a segment of, ns: the sum of its segments. */
static inline int64_t tv_task_time(const struct tv_tasks *tasks, uint32_t row)
{
	return tasks->spent == NULL ? tv_row_time(tasks, row) : tasks->spent[row];
}

/* The same of n rows. */
void tv_task_times(const struct tv_tasks *tasks, const uint32_t *row, uint32_t n, int64_t *time);

/* The same of what tv_task_time is of. */
static inline int64_t tv_task_device_time(const struct tv_tasks *tasks, uint32_t row)
{
	return tasks->device_spent != NULL ? tasks->device_spent[row]
	     : tasks->device_time != NULL  ? tasks->device_time[row]
					   : tv_task_time(tasks, row);
}

/*
 * Whether the trace shows the end of an executed row; and of the execution that it is a segment of. Else its
 * duration is only what the trace shows of it: a part of sums of time (busy, idle, work), but never of a
 * mean, quantile, threshold, weight or fit. docs/cut-traces.md has the rule.
 */
static inline bool tv_row_ended(const struct tv_tasks *tasks, uint32_t row)
{
	return tasks->open == NULL || !tasks->open[row];
}

static inline bool tv_task_ended(const struct tv_tasks *tasks, uint32_t row)
{
	return tasks->cut == NULL || !tasks->cut[row];
}

/* Whether the trace ends before the run does. */
static inline bool tv_tasks_cut(const struct tv_tasks *tasks)
{
	return tasks->ncut > 0 || tasks->npending > 0 || tv_trace_ends_early(tasks->trace);
}

/* Latest End of the counted rows that ended: that of the run, unless the trace ends before it. Cost O(rows). */
int64_t tv_tasks_ended(const struct tv_tasks *tasks);

/* Whether a row is the first one of its execution to be met; met: tasks->n, zeroed. So many are the
 * executions of a set of rows. */
static inline bool tv_tasks_meet(const struct tv_tasks *tasks, bool *met, uint32_t row)
{
	bool first = !met[tv_row_whole(tasks, row)];

	met[tv_row_whole(tasks, row)] = true;
	return first;
}

/* The share of its execution that an executed row is, by time. */
static inline double tv_row_share(const struct tv_tasks *tasks, uint32_t row)
{
	int64_t time = tv_task_time(tasks, row);

	if (tasks->spent == NULL || time <= 0)
		return tv_row_begins(tasks, row);
	return (double)tv_row_time(tasks, row) / (double)time;
}

/* Workers that the task of a row needs: 1, or those of its team. */
static inline double tv_team_of(const struct tv_tasks *tasks, uint32_t row)
{
	return tasks->team != NULL && !tv_missing(tasks->team, row) && tasks->team->i[row] > 1
		     ? (double)tasks->team->i[row]
		     : 1;
}

/* By row with which an execution began: the row of its segment that ended last. Free with tv_free. */
uint32_t *tv_tasks_last_rows(const struct tv_tasks *tasks);

/* Sorts rows by Start; equal ones by row. */
void tv_sort_rows(const struct tv_tasks *tasks, uint32_t *row, size_t n);

/* Whether a task depends on another one. */
static inline bool tv_tasks_depend(const struct tv_tasks *tasks)
{
	return tasks->depends != NULL && tasks->depends->nitems > 0;
}

/* Whether it is known what tasks depend on, be it nothing. */
static inline bool tv_tasks_know_dependencies(const struct tv_tasks *tasks)
{
	return tv_tasks_depend(tasks) || (tasks->depends != NULL && tasks->depends->known);
}

/* The rows that are in a set, `executed` or `counted`, by worker. */
void tv_tasks_by_worker(const struct tv_tasks *tasks, const bool *set, struct tv_groups *groups);
/* The same, those of a worker by Start; equal ones by row. By several threads. */
void tv_tasks_by_start(const struct tv_tasks *tasks, const bool *set, struct tv_groups *groups);
/* How many of n rows that are sorted by Start begin at t (ns) or before. Cost O(log n). */
uint32_t tv_rows_started(const struct tv_tasks *tasks, const uint32_t *row, uint32_t n, int64_t t);
/* The worker that each label of the pool names, or names a stream of; TV_NONE = none. Free with tv_free. */
uint32_t *tv_tasks_worker_of_label(const struct tv_tasks *tasks);

/* The number of workers of a type of that name. */
uint32_t tv_workers_of_type(const struct tv_tasks *tasks, const char *rtype);

#endif
