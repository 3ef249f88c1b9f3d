/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dag.h -- the task graph: predecessors of every job, in topological order.
 *
 * A node is a job: all rows of tasks with one JobId (its executions, on several workers or several
 * times), a ghost, a message; a row without JobId is a node of its own. Kind=worker rows are none.
 * Nodes are numbered by their first row. A job starts at its first Start and ends at its last End;
 * repeated dependencies are one edge; a dependency on a job that occurs nowhere is none, but
 * counted.
 *
 * A job with segments (column Segment) is one node per segment: each depends on the one before, and
 * a dependency on the job is one on its last segment. Only a task that depends on its ParentJob
 * depends on the segment that created it, the last one that had started at its SubmitTime: a
 * creation edge. What is observed was released by this no later than it was submitted, as its
 * creator goes on; longest paths take the edge as any other.
 *
 * Besides dependencies there are exclusion edges (trace/accesses.h), from the task that held a
 * commuting handle last to the one that took it next: they say why a task started no earlier, and
 * belong to a run, not to the program. Releases and last dependencies use them; longest paths and
 * drawings do not.
 *
 * Built once per run from its tasks, read-only afterwards. Nothing here recurses: depth is bounded
 * by memory alone. Cost O(rows + dependencies) time and memory.
 */
#ifndef TV_DAG_H
#define TV_DAG_H

#include "trace/tasks.h"

struct tv_carry;

/* A job of an earlier part of the rows (carry.h). */
struct tv_carried_job {
	uint64_t key;	    /* of its JobId */
	int64_t start, end; /* ns, if it is timed; as the node was */
	int64_t released;   /* ns, as tv_dag_released; if it is not timed */
	uint32_t until;	    /* the last part that needs it */
	bool timed, task, message, pending;
	/* If it is no task, as tv_dag_passed: keys of the task and of the step, TV_NO_JOB = none; ns. */
	uint64_t last, step;
	int64_t last_time;
	/* If it is no message either, as tv_dag_passed_arrivals. */
	uint64_t arrived;
	int64_t arrived_time;
	/* In the graph of the open part: its node and the label of its JobId, and nodes of `last`, `step` and `arrived`. */
	uint32_t node, label, last_node, step_node, arrived_node;
};

#define TV_NO_JOB UINT64_MAX

struct tv_dag {
	const struct tv_tasks *tasks;
	uint32_t n; /* nodes */
	uint32_t nedges;
	uint32_t *node_of_row; /* tasks->n; TV_NONE for Kind=worker */
	bool are_rows;	       /* each row is a node with a time: node v is row v */
	const uint32_t *row;   /* n: its first counted execution; else any; else its first row */
	const int64_t *start, *end; /* n, ns; only where timed[] */
	bool *timed;		    /* n: it ran, or is a message with Start and End */
	bool *task;		    /* n: one of its executions is counted, or planned */
	uint32_t *first;	    /* n + 1: predecessors of v are in pred from first[v] */
	uint32_t *pred;		    /* to first[v + 1] - 1 */
	const uint32_t *order;	    /* n: predecessors before successors */
	uint64_t dangling;	    /* dependencies on jobs that occur nowhere, once per pair */
	uint32_t
		nrepeated; /* jobs that ran several times, on one worker or one after the other, though there is no Segment (on several workers: nor Instance) */
	uint32_t repeated; /* the label of the first of them */
	uint32_t *previous; /* n: the segment before, TV_NONE = none; NULL without segments */
	uint32_t *opening;  /* n: the first segment of its job; NULL without segments */
	uint32_t *creator;  /* n: where a creation edge comes from, TV_NONE = there is none;
				* NULL without such edges */

	/* Waits of what creates tasks (SubmitAfter): no edges, but `after` comes before the node in `order`.
	 * All NULL without such waits. */
	uint32_t *
		after; /* n: after whose end it was submitted; TV_NONE = none, or it has a creation edge */
	int64_t *delay; /* n, ns: that long after it; >= 0 */
	bool *awaited; /* n: something was submitted after it; a ghost then has a SubmitTime, at which
			  * its creator began to wait */

	uint32_t nexclusions;
	/* Where there are exclusions; else NULL. */
	uint32_t *holders; /* n + 1: tasks that v was excluded by are in holder from */
	uint32_t *holder;  /* holders[v] to holders[v + 1] - 1; they had ended at its start */
	int64_t *free;	   /* n, ns: from when on no handle excludes it; INT64_MIN = never did */
	int64_t *held;	   /* by row: until when a handle excluded it, INT64_MIN = never */
	const uint32_t *sequence; /* n: what comes before a node by edges of either kind, before it;
				 * where there are no exclusions, this is order */

	/* Of a part of the rows (carry.h): nodes from n to n + noutside - 1 are jobs of earlier parts, on which nodes of it
	 * depend, or those jobs that are no tasks. Of these there are start, end, timed, task and the label of the job. */
	uint32_t noutside;
	uint64_t nearlier; /* or how often nodes depend on such jobs, if there are no such nodes */
	struct tv_carried_job **outside; /* NULL = none */

	/* What of row, start, end, order and sequence belongs to the graph; the others are those of tasks, or
	 * each other. */
	struct {
		uint32_t *row, *order, *sequence;
		int64_t *start, *end;
	} own;
};

/* The tasks must outlive the graph. -1 with *err: a cycle, as a list of JobIds. */
int tv_dag_init(struct tv_dag *dag, const struct tv_tasks *tasks,
		struct tv_error *err) TV_MUST_CHECK;
/* That of a part of the rows; part of tv_carry_dag. */
int tv_dag_init_part(struct tv_dag *dag, const struct tv_tasks *tasks, struct tv_carry *carry,
		     struct tv_error *err) TV_MUST_CHECK;
void tv_dag_release(struct tv_dag *dag); /* safe on a zeroed struct */

/* The label of a node's job; TV_NONE if it has none. */
static inline uint32_t tv_dag_job(const struct tv_dag *dag, uint32_t node)
{
	if (node >= dag->n)
		return dag->outside[node - dag->n]->label;
	return dag->tasks->job == NULL ? TV_NONE : dag->tasks->job[dag->row[node]];
}

/* The segment of its job that a node is, from 0. */
static inline int64_t tv_dag_segment(const struct tv_dag *dag, uint32_t node)
{
	return tv_segment_of(dag->tasks, dag->row[node]);
}

/* The first segment of a node's job. */
static inline uint32_t tv_dag_opening(const struct tv_dag *dag, uint32_t node)
{
	return dag->opening == NULL ? node : dag->opening[node];
}

/* When the job of a node was submitted, ns; INT64_MIN = not known. */
static inline int64_t tv_dag_submitted(const struct tv_dag *dag, uint32_t node)
{
	const struct tv_column *submit = dag->tasks->submit;
	uint32_t row = dag->row[tv_dag_opening(dag, node)];

	return submit == NULL || tv_missing(submit, row) ? INT64_MIN : submit->i[row];
}

/* The same of what the program submits; INT64_MIN too for ghosts that the runtime makes when something happens,
 * such as the arrival of a message. */
static inline int64_t tv_dag_enters(const struct tv_dag *dag, uint32_t node)
{
	bool waits = dag->awaited != NULL && dag->awaited[node];

	return dag->timed[node] || dag->task[node] || waits ? tv_dag_submitted(dag, node)
							    : INT64_MIN;
}

/* When a node is submitted and no handle excludes it any more, ns; where nothing says that, and for
 * what neither ran nor is pending, INT64_MIN. */
static inline int64_t tv_dag_earliest(const struct tv_dag *dag, uint32_t node)
{
	bool waits = dag->timed[node] || dag->tasks->pending[dag->row[node]];
	int64_t submitted = waits ? tv_dag_submitted(dag, node) : INT64_MIN;

	return dag->free != NULL && dag->free[node] > submitted ? dag->free[node] : submitted;
}

/* The last End of the jobs: end (by node) receives that of all its segments; only where one is
 * timed. */
void tv_dag_job_ends(const struct tv_dag *dag, int64_t *end);

/* Whether a node depends on another by a creation edge. */
static inline bool tv_dag_created_by(const struct tv_dag *dag, uint32_t node, uint32_t creator)
{
	return dag->creator != NULL && dag->creator[node] == creator;
}

/* When what a node depends on, complete at `time`, allowed it to start: a creation at its
 * submission, or, where that is not known, its start, at the latest. */
int64_t tv_dag_reaches(const struct tv_dag *dag, uint32_t node, uint32_t before, int64_t time);

/* Whether anything started, as a creation edge allows, before the segment that created it had
 * ended: no schedule that follows the edges. */
bool tv_dag_overtakes(const struct tv_dag *dag);

/* The edges into a node: dependencies, then exclusions. */
static inline uint32_t tv_dag_nbefore(const struct tv_dag *dag, uint32_t node)
{
	uint32_t depends = dag->first[node + 1] - dag->first[node];

	return dag->holders == NULL ? depends
				    : depends + dag->holders[node + 1] - dag->holders[node];
}

/* Whether edge k of those is an exclusion; and the node that it comes from. */
static inline bool tv_dag_excludes(const struct tv_dag *dag, uint32_t node, uint32_t k)
{
	return k >= dag->first[node + 1] - dag->first[node];
}

static inline uint32_t tv_dag_before(const struct tv_dag *dag, uint32_t node, uint32_t k)
{
	uint32_t depends = dag->first[node + 1] - dag->first[node];

	return k < depends ? dag->pred[dag->first[node] + k]
			   : dag->holder[dag->holders[node] + k - depends];
}

/* Whether a node is a message that says when it was. */
static inline bool tv_dag_is_message(const struct tv_dag *dag, uint32_t node)
{
	if (node >= dag->n)
		return dag->outside[node - dag->n]->message;
	return dag->timed[node] && dag->tasks->kind[dag->row[node]] == TV_MESSAGE;
}

/* Fills dag->order. -1 with *err on a cycle; part of tv_dag_init. */
int tv_dag_sort(struct tv_dag *dag, struct tv_error *err) TV_MUST_CHECK;
/* The order made one in which `after` comes before the node, too, if there is one. */
void tv_dag_sort_after(struct tv_dag *dag);

/* Fills in the exclusions, sequence, free and held, once order is known; part of tv_dag_init.
 * An edge that contradicts the dependencies (a task that started before what it depends on had
 * ended) is left out. Cost O(E + (V + accesses) log (V + accesses)). */
void tv_dag_exclude(struct tv_dag *dag);
/* A handle excluded the execution of a row until then: of held, and of free, as a job waits before its first execution; one that
 * goes on later excludes no job as a whole. */
void tv_dag_hold_until(struct tv_dag *dag, uint32_t row, int64_t until);

/*
 * A path of maximum total weight; weight[n] >= 0. path (an array of n) receives its nodes from
 * first to last. Returns how many; 0 in an empty graph. Among equal paths the one through the first
 * predecessors as listed. done (by node, or NULL, or in a graph without creation edges): the share of
 * its creator's weight (0 to 1) that counts before the node; the creator goes on beside it.
 * Cost O(V + E).
 */
uint32_t tv_dag_longest(const struct tv_dag *dag, const double *weight, const double *done,
			uint32_t *path);

/* The weight of u that does not count on a path that goes on to v; done as above. */
static inline double tv_dag_beside(const struct tv_dag *dag, const double *weight,
				   const double *done, uint32_t u, uint32_t v)
{
	return done != NULL && tv_dag_created_by(dag, v, u) ? (1 - done[v]) * weight[u] : 0;
}

/* Weight of the heaviest path that ends before each node, and of the one that begins after it,
 * without its own; head (NULL: not asked for) and tail are arrays of n. Cost O(V + E). */
void tv_dag_around(const struct tv_dag *dag, const double *weight, double *head, double *tail);

/* Whether a, which is timed, ended after b: at equal ends the smaller JobId counts as later. b may
 * be TV_NONE. */
bool tv_dag_later(const struct tv_dag *dag, uint32_t a, uint32_t b);

/* How a node came to its last dependency. */
enum tv_dependency { TV_DEPENDENCY, TV_EXCLUSION, TV_CREATION, TV_NDEPENDENCIES };

struct tv_arrival {
	int64_t time; /* ns: when that allowed it to start: the end, or the creation */
	enum tv_dependency kind;
};

/* The words of the column DependencyKind, as labels. */
void tv_intern_kinds(struct tv_pool *pool, uint32_t kind[TV_NDEPENDENCIES]);

/*
 * The last dependency of every task [Garcia Pinto 2018, 5.1.5]: of the tasks that it depends on or
 * was excluded by, directly or through nodes that are not tasks, the one that ended last, a
 * creation counting when it was; of equal ones the smallest JobId in natural order. last (by node)
 * receives it, TV_NONE where there is none and for nodes that are not tasks. how (by node, or
 * NULL), where there is one: the time, and the kind of the edge with which the way to it begins, an
 * exclusion only if no dependency leads there. These edges form a forest. Cost O(V + E).
 */
void tv_dag_last(const struct tv_dag *dag, uint32_t *last, struct tv_arrival *how);

/*
 * The same where a message that says when it was counts as a task: of the tasks and messages that a
 * task or message depends on, the one that ended last. What a task waited for, across nodes.
 */
void tv_dag_arrivals(const struct tv_dag *dag, uint32_t *last, struct tv_arrival *how);
/* Whether all nodes are tasks or such messages, so that the same of a single node follows from the edges into it; and that of
 * one: returns it or TV_NONE; in a part those outside, too. Cost O(V); O(edges of the node). */
bool tv_dag_arrives_at_once(const struct tv_dag *dag);
uint32_t tv_dag_arrival(const struct tv_dag *dag, uint32_t node, struct tv_arrival *how);

/*
 * The same of every node, where everything that has a time counts, setup tasks too: what it was
 * released by, if it was submitted before that ended.
 */
void tv_dag_awaited(const struct tv_dag *dag, uint32_t *last, struct tv_arrival *how);

/* The same node by node: found when it is asked for, where each node has a time (dag->are_rows), else for all at once. */
struct tv_awaited {
	const struct tv_dag *dag;
	uint32_t *last; /* NULL: found when asked for */
	struct tv_arrival *how;
};
void tv_awaited_init(struct tv_awaited *awaited, const struct tv_dag *dag);
/* What a node was released by, TV_NONE = nothing, and when that allowed it to start, ns. Cost O(edges into it). */
uint32_t tv_awaited_before(const struct tv_awaited *awaited, uint32_t node, int64_t *time);
void tv_awaited_release(struct tv_awaited *awaited);

/*
 * The way from every task to its last dependency, given by tv_dag_last: step (by node) receives
 * the message nearest to it on that way, or the last dependency itself; for messages and ghosts the
 * next such step on the way to the last task behind them. Of several ways the one whose step ended
 * last. TV_NONE where there is none. Cost O(V + E).
 */
void tv_dag_steps(const struct tv_dag *dag, const uint32_t *last, uint32_t *step);

/*
 * What nodes that are no tasks pass on to those that depend on them: the task that ended last of those that they depend
 * on, when, and the step on the way to it. Arrays by node, set for such nodes only; TV_NONE = none. Cost O(V + E).
 */
void tv_dag_passed(const struct tv_dag *dag, uint32_t *last, int64_t *time, uint32_t *step);
/* What nodes that are neither tasks nor messages that say when they were pass on in the same way for tv_dag_arrivals. */
void tv_dag_passed_arrivals(const struct tv_dag *dag, uint32_t *last, int64_t *time);

/*
 * When every job was released: all that it depends on has ended (tasks that ran, messages; through
 * ghosts what they depend on) or created it, it is submitted, and no earlier task holds one of its
 * commuting handles. released (by node, n + noutside) receives ns; INT64_MIN where none of these is known, so that the
 * job was ready from the start; INT64_MAX (never) for a pending job that depends on a pending job.
 * Cost O(V + E).
 */
void tv_dag_released(const struct tv_dag *dag, int64_t *released);
/* The same of one node, from the result for all; NULL, where dag->are_rows: at the cost of the edges into it. */
int64_t tv_dag_released_at(const struct tv_dag *dag, const int64_t *released, uint32_t node);

/*
 * Merged backward chains: from every node v with from[v], its last dependency, repeated at most
 * `depth` times (UINT32_MAX: to the root); the connected components of the union of these edges.
 * component (by node) receives each node's, numbered from 0 by their first node; TV_NONE for
 * nodes on no chain. Returns how many components there are. Cost O(V).
 */
uint32_t tv_dag_merge(const struct tv_dag *dag, const uint32_t *last, const bool *from,
		      uint32_t depth, uint32_t *component);

#endif
