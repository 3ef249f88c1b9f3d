/* SPDX-License-Identifier: GPL-3.0-or-later */
/* late_start.c -- when each node starts its first tasks, and what they waited for. */
#include <stdlib.h>

#include "analysis/core/spans.h"
#include "analysis/core/warnings.h"
#include "analysis/messages/message_list.h"
#include "dag/blame.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

#define COLUMNS(X) \
	X(NODE, "Node", TV_LABEL, false, "", "node that starts") \
	X(FIRST, "First", TV_INT, false, "", \
	  "1 = the first task of the node; missing = it ran none") \
	X(STEP, "Step", TV_INT, false, "", \
	  "0 = this task; with --chain: steps from it, back in time") \
	X(KIND, "Kind", TV_LABEL, false, "", "its kind; message = a message") \
	X(JOB, "JobId", TV_LABEL, false, "", "its job; of a message its key") \
	X(VALUE, "Value", TV_LABEL, false, "", "task type") \
	X(RESOURCE, "ResourceId", TV_LABEL, false, "", "worker") \
	X(START, "Start", TV_TIME, false, "ms", "start; a message is posted") \
	X(END, "End", TV_TIME, false, "ms", "end; a message has been received") \
	X(DELAY, "Delay", TV_TIME, false, "ms", \
	  "from the start of the run to Start; only in step 0") \
	X(WAITED, "WaitedFor", TV_LABEL, false, "", \
	  "what released it: task, message or submission; missing = nothing") \
	X(PREVIOUS, "Previous", TV_LABEL, false, "", \
	  "JobId of the task, Key of the message that it waited for last") \
	X(PREVIOUS_NODE, "PreviousNode", TV_LABEL, false, "", \
	  "node of that task, or that sends that message") \
	X(PREVIOUS_END, "PreviousEnd", TV_TIME, false, "ms", "end of it") \
	X(WAIT, "Wait", TV_TIME, false, "ms", "from its release to Start") \
	X(MESSAGE, "Message", TV_LABEL, false, "", \
	  "Key in messages of the last message on the way back from the task, or of the step") \
	X(ORIGIN, "Origin", TV_LABEL, false, "", "node that sends it") \
	X(SENT, "Sent", TV_TIME, false, "ms", "its send is posted") \
	X(RECEIVED, "Received", TV_TIME, false, "ms", "its receive has completed") \
	X(SIZE, "Size", TV_INT, false, "bytes", "its volume") \
	X(AHEAD, "MessagesAhead", TV_INT, false, "", \
	  "messages of the same sender received while it was in flight")

#define PART_COLUMNS(X) \
	X(TASK, "TaskTime", TV_TIME, false, "ms", \
	  "of Delay: tasks ran, on any node, for which the task had to wait") \
	X(DATA, "DataTime", TV_TIME, false, "ms", \
	  "of Delay: released tasks waited for transfers of their data") \
	X(WAITING, "WaitingTime", TV_TIME, false, "ms", \
	  "of Delay: released tasks waited for other reasons") \
	X(UNSENT, "UnsentTime", TV_TIME, false, "ms", \
	  "of Delay: results were there, but the send was not posted yet") \
	X(QUEUED, "QueuedTime", TV_TIME, false, "ms", \
	  "of Delay: messages were in flight for longer than TransferTime") \
	X(TRANSFER, "TransferTime", TV_TIME, false, "ms", \
	  "of Delay: messages were in flight, up to the shortest such time") \
	X(SUBMISSION, "SubmissionTime", TV_TIME, false, "ms", \
	  "of Delay: tasks were not submitted") \
	X(UNPOSTED, "UnpostedTime", TV_TIME, false, "ms", \
	  "of QueuedTime: their receive was not posted; missing if unknown") \
	X(RECEIVING, "ReceivingTime", TV_TIME, false, "ms", \
	  "of QueuedTime: it was, and the send had completed; missing if " \
	  "unknown")

enum { COLUMNS(TV_COLUMN_ID) PARTS };
enum { PART_COLUMNS(TV_COLUMN_ID) NPARTS };

/* What a delay consists of, and parts of QUEUED. */

/* A message, by who sent it and when it was received. */
struct arrival {
	uint32_t origin; /* label of a node */
	int64_t end;
};

/* The shortest time that a message of this size or a larger one took. */
struct fastest {
	int64_t size, time; /* bytes, ns */
};

struct arrivals {
	const struct tv_tasks *tasks;
	const struct tv_dag *dag;
	const struct tv_messages *messages;
	struct tv_fetches fetches;
	uint32_t *last;		 /* by node of the graph: what released it */
	struct tv_arrival *how;	 /* by node of the graph: when that did */
	uint32_t *place;	 /* by node of the graph: of messages, as in messages->at */
	uint32_t *origin;	 /* by node of the graph: label of the node it is of */
	struct arrival *arrival; /* sorted by origin, then end */
	uint32_t narrivals;
	struct fastest *fastest; /* sorted by size */
	uint32_t nfastest;
	struct tv_span *span; /* buffer */
	bool chains, known;   /* known: what tasks waited for */
	bool posted, sent;    /* the trace contains when receives are posted, sends complete */
	struct tv_table *out;
};

/* One of the first tasks of a node. */
struct first {
	uint32_t node; /* label */
	int64_t rank;  /* from 1 */
	uint32_t row;
};

/* ---- messages ---- */

TV_ORDER(by_end, struct arrival, origin, end)

/* The node of every task is that of its worker; of a message the one that its link begins at, or
 * that of the task behind it if it has no link. */
static void find_origins(struct arrivals *work)
{
	const struct tv_tasks *tasks = work->tasks;
	const struct tv_dag *dag = work->dag;

	for (uint32_t v = 0; v < dag->n; v++)
		work->place[v] = TV_NONE;
	for (uint32_t i = 0; i < work->messages->n; i++)
		if (work->messages->at[i].row != TV_NONE)
			work->place[dag->node_of_row[work->messages->at[i].row]] = i;
	for (uint32_t i = 0; i < dag->n; i++) {
		uint32_t v = dag->sequence[i], worker = tasks->worker[dag->row[v]];

		work->origin[v] =
			worker != TV_NONE ? tasks->node[tasks->workers[worker].node].label
			: work->place[v] != TV_NONE
				? work->messages->node[work->messages->at[work->place[v]].origin]
			: work->last[v] != TV_NONE ? work->origin[work->last[v]]
						   : TV_NONE;
	}
}

static void list_arrivals(struct arrivals *work)
{
	const struct tv_dag *dag = work->dag;

	for (uint32_t v = 0; v < dag->n; v++)
		if (tv_dag_is_message(dag, v))
			work->arrival[work->narrivals++] = (struct arrival){ work->origin[v],
									     dag->end[v] };
	if (work->narrivals > 1)
		qsort(work->arrival, work->narrivals, sizeof *work->arrival, by_end);
}

/* How many messages of the same sender were received while this one was in flight. */
static int64_t messages_ahead(const struct arrivals *work, uint32_t v)
{
	const struct tv_dag *dag = work->dag;
	struct arrival from = { work->origin[v], dag->start[v] };
	struct arrival before = { work->origin[v], dag->end[v] - 1 };
	size_t first = tv_count_upto(&from, work->arrival, work->narrivals, sizeof from, by_end);
	size_t n = tv_count_upto(&before, work->arrival, work->narrivals, sizeof from, by_end);

	return n > first ? (int64_t)(n - first) : 0;
}

TV_ORDER(by_size, struct fastest, size)

static void find_fastest(struct arrivals *work)
{
	for (uint32_t i = 0; i < work->messages->n; i++) {
		const struct tv_message *m = &work->messages->at[i];

		work->posted = work->posted || m->receive_start != TV_NO_TIME;
		work->sent = work->sent || m->send_end != TV_NO_TIME;
		/* Clocks that differ, or an end that is that of the trace, make a duration meaningless. */
		if (m->sized && !m->early && !m->open)
			work->fastest[work->nfastest++] = (struct fastest){ m->size,
									    m->end - m->start };
	}
	if (work->nfastest > 1)
		qsort(work->fastest, work->nfastest, sizeof *work->fastest, by_size);
	for (uint32_t i = work->nfastest; i-- > 1;)
		if (work->fastest[i].time < work->fastest[i - 1].time)
			work->fastest[i - 1].time = work->fastest[i].time;
}

/* The shortest time of a message that is at least as large; INT64_MAX where it is not known. */
static int64_t fastest_time(const struct arrivals *work, uint32_t v)
{
	const struct tv_message *m;
	struct fastest smaller;
	size_t n;

	if (work->place[v] == TV_NONE || !work->messages->at[work->place[v]].sized)
		return INT64_MAX;
	m = &work->messages->at[work->place[v]];
	smaller.size = m->size - 1;
	n = tv_count_upto(&smaller, work->fastest, work->nfastest, sizeof smaller, by_size);
	return n < work->nfastest ? work->fastest[n].time : INT64_MAX;
}

/* ---- the parts of a delay ---- */

/* How long a task that is released waited for data on their way to it. */
static int64_t data_time(const struct arrivals *work, const struct tv_blame_step *step)
{
	struct tv_span in = { step->released, step->started };
	size_t n;
	const struct tv_fetch *fetch = tv_fetches_of(&work->fetches, work->dag->row[step->node],
						     &n);

	for (size_t i = 0; i < n; i++)
		work->span[i] = (struct tv_span){ fetch[i].begin, fetch[i].end };
	return n == 0 ? 0 : tv_spans_cover(work->span, (uint32_t)n, in);
}

static int64_t clamp(int64_t time, int64_t from, int64_t to)
{
	return time < from ? from : time > to ? to : time;
}

/* Which of the time that a message was queued its receive was not posted, or, after that, its send
 * had completed. */
static void add_queued(const struct arrivals *work, const struct tv_blame_step *step,
		       int64_t queued, int64_t *part)
{
	const struct tv_message *m = work->place[step->node] == TV_NONE
					   ? NULL
					   : &work->messages->at[work->place[step->node]];
	int64_t posted = step->started, unposted;

	part[QUEUED] += queued;
	if (m != NULL && m->receive_start != TV_NO_TIME)
		posted = clamp(m->receive_start, step->started, step->end);
	unposted = clamp(posted - step->started, 0, queued);
	part[UNPOSTED] += unposted;
	if (m != NULL && m->send_end != TV_NO_TIME)
		part[RECEIVING] += clamp(step->end - clamp(m->send_end, posted, step->end), 0,
					 queued - unposted);
}

static void add_step(const struct arrivals *work, const struct tv_blame_step *step, int64_t *part)
{
	int64_t runs = step->end - step->started, data, fastest;

	part[SUBMISSION] += step->submitted - step->begin;
	if (tv_dag_is_message(work->dag, step->node)) {
		fastest = fastest_time(work, step->node);
		part[UNSENT] += step->started - step->released;
		part[TRANSFER] += runs < fastest ? runs : fastest;
		add_queued(work, step, runs < fastest ? 0 : runs - fastest, part);
		return;
	}
	data = data_time(work, step);
	part[TASK] += runs;
	part[DATA] += data;
	part[WAITING] += step->started - step->released - data;
}

/* ---- rows ---- */

static void write_message(struct arrivals *work, uint32_t v, uint32_t row)
{
	struct tv_column *const *to = work->out->col;
	const struct tv_dag *dag = work->dag;

	tv_set_label(to[MESSAGE], row, tv_dag_job(dag, v));
	tv_set_label(to[ORIGIN], row, work->origin[v]);
	tv_set_int(to[SENT], row, dag->start[v]);
	tv_set_int(to[RECEIVED], row, dag->end[v]);
	if (work->place[v] != TV_NONE && work->messages->at[work->place[v]].sized)
		tv_set_int(to[SIZE], row, work->messages->at[work->place[v]].size);
	tv_set_int(to[AHEAD], row, messages_ahead(work, v));
}

/* What a task or message waited for last. */
static void write_previous(struct arrivals *work, uint32_t v, int64_t start, uint32_t row)
{
	struct tv_column *const *to = work->out->col;
	const struct tv_dag *dag = work->dag;
	const struct tv_column *submit = work->tasks->submit;
	uint32_t u = work->last[v];
	bool submitted = submit != NULL && !tv_missing(submit, dag->row[v]);
	int64_t since = submitted ? submit->i[dag->row[v]] : INT64_MIN;
	const char *word = submitted ? "submission" : NULL;

	if (u != TV_NONE) {
		tv_set_label(to[PREVIOUS], row, tv_dag_job(dag, u));
		tv_set_label(to[PREVIOUS_NODE], row, work->origin[u]);
		tv_set_int(to[PREVIOUS_END], row, work->how[v].time);
	}
	if (u != TV_NONE && work->how[v].time >= since && work->how[v].kind != TV_CREATION) {
		since = work->how[v].time;
		word = tv_dag_is_message(dag, u) ? "message" : "task";
	}
	if (word == NULL)
		return;
	tv_set_text(to[WAITED], row, word);
	tv_set_int(to[WAIT], row, start - since);
}

/* The row of a step; `execution`: which row of tasks it is. */
static uint32_t write_step(struct arrivals *work, const struct first *first, int64_t step,
			   uint32_t v, uint32_t execution)
{
	const struct tv_tasks *tasks = work->tasks;
	const struct tv_dag *dag = work->dag;
	struct tv_column *const *to = work->out->col;
	uint32_t row = tv_table_add_row(work->out), worker = tasks->worker[execution];
	int64_t start = step == 0 ? tasks->start[execution] : dag->start[v];

	tv_set_label(to[NODE], row, first->node);
	tv_set_int(to[FIRST], row, first->rank);
	tv_set_int(to[STEP], row, step);
	tv_set_text(to[KIND], row, tv_kind_name(tasks->kind[execution]));
	tv_set_label(to[JOB], row, tv_dag_job(dag, v));
	tv_set_label(to[VALUE], row, tasks->value[execution]);
	if (worker != TV_NONE)
		tv_set_label(to[RESOURCE], row, tasks->workers[worker].resource);
	tv_set_int(to[START], row, start);
	tv_set_int(to[END], row, step == 0 ? tasks->end[execution] : dag->end[v]);
	if (step == 0)
		tv_set_int(to[DELAY], row, start - tasks->begin);
	write_previous(work, v, start, row);
	return row;
}

static void write_parts(struct arrivals *work, uint32_t row, const int64_t *part)
{
	for (int i = 0; i < NPARTS && work->known; i++)
		if ((i != UNPOSTED || work->posted) && (i != RECEIVING || work->sent))
			tv_set_int(work->out->col[PARTS + i], row, part[i]);
}

/* Goes back from the start of a task to the start of the run. */
static void write_first(struct arrivals *work, const struct first *first)
{
	uint32_t v = work->dag->node_of_row[first->row], message = TV_NONE;
	int64_t begin = work->tasks->begin, end = work->tasks->start[first->row];
	int64_t part[NPARTS] = { 0 }, n = 0;
	uint32_t row = write_step(work, first, 0, v, first->row);

	for (; begin < end; n++) {
		struct tv_blame_step step;

		if (work->chains && n > 0)
			row = write_step(work, first, n, v, work->dag->row[v]);
		tv_blame_step_at(&step, work->dag, v, work->last[v], work->how[v].time, begin, end);
		add_step(work, &step, part);
		if (message == TV_NONE && tv_dag_is_message(work->dag, v))
			message = v;
		if (work->chains) {
			write_parts(work, row, part);
			for (int i = 0; i < NPARTS; i++)
				part[i] = 0;
			if (tv_dag_is_message(work->dag, v))
				write_message(work, v, row);
		}
		begin = step.submitted;
		end = step.released;
		v = work->last[v];
	}
	if (!work->chains || n == 0)
		write_parts(work, row, part);
	if (!work->chains && message != TV_NONE)
		write_message(work, message, row);
}

/* The first n tasks of a node of the trace. row: its counted executions by Start. */
static void write_node(struct arrivals *work, uint32_t node, const uint32_t *row, uint32_t nrows,
		       uint64_t n, uint32_t *seen)
{
	struct first first = { .node = work->tasks->node[node].label };

	for (uint32_t i = 0; i < nrows && (uint64_t)first.rank < n; i++) {
		uint32_t v = work->dag->node_of_row[row[i]];

		/* Other executions of a job, such as those of its team, are no other tasks, and
		 * neither are its later segments. */
		if (seen[tv_dag_opening(work->dag, v)] == node)
			continue;
		seen[tv_dag_opening(work->dag, v)] = node;
		first.rank++;
		first.row = row[i];
		write_first(work, &first);
	}
	if (nrows == 0)
		tv_set_label(work->out->col[NODE], tv_table_add_row(work->out), first.node);
}

static void write_nodes(struct arrivals *work, uint64_t n)
{
	const struct tv_tasks *tasks = work->tasks;
	uint32_t *seen = tv_alloc(work->dag->n, sizeof *seen);
	uint32_t *node = tv_alloc(tasks->n, sizeof *node);
	struct tv_groups rows;

	for (uint32_t v = 0; v < work->dag->n; v++)
		seen[v] = TV_NONE;
	for (uint32_t row = 0; row < tasks->n; row++)
		node[row] = tasks->counted[row] ? tasks->workers[tasks->worker[row]].node : TV_NONE;
	tv_groups_init(&rows, node, tasks->n, tasks->nnodes);
	for (uint32_t i = 0; i < tasks->nnodes; i++) {
		uint32_t *row = rows.row + rows.first[i], nrows = rows.first[i + 1] - rows.first[i];

		tv_sort_rows(tasks, row, nrows);
		write_node(work, i, row, nrows, n, seen);
	}
	tv_groups_release(&rows);
	tv_free(node);
	tv_free(seen);
}

static void work_init(struct arrivals *work)
{
	const struct tv_dag *dag = work->dag;

	tv_fetches_init_of_graph(&work->fetches, dag);
	work->last = tv_alloc(dag->n, sizeof *work->last);
	work->place = tv_alloc(dag->n, sizeof *work->place);
	work->origin = tv_alloc(dag->n, sizeof *work->origin);
	work->arrival = tv_alloc(dag->n, sizeof *work->arrival);
	work->span = tv_alloc(work->fetches.n, sizeof *work->span);
	work->how = tv_alloc(dag->n, sizeof *work->how);
	tv_dag_awaited(dag, work->last, work->how);
	find_origins(work);
	list_arrivals(work);
	work->fastest = tv_alloc(work->messages->n, sizeof *work->fastest);
	find_fastest(work);
}

static void work_release(struct arrivals *work)
{
	tv_fetches_release(&work->fetches);
	tv_free(work->last);
	tv_free(work->how);
	tv_free(work->place);
	tv_free(work->origin);
	tv_free(work->arrival);
	tv_free(work->fastest);
	tv_free(work->span);
}

struct asked {
	uint64_t first;
	bool chain;
};

static int run_late_start(struct tv_run *run, const struct tv_options *options,
			  struct tv_table *out, struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	struct arrivals work = { .tasks = &run->tasks, .out = out, .chains = asked->chain };

	work.messages = tv_run_messages(run, err);
	work.dag = work.messages == NULL ? NULL : tv_run_dag(run, err);
	if (work.dag == NULL)
		return -1;
	work.known = work.tasks->submit != NULL || tv_tasks_depend(work.tasks);
	tv_warn_graph(run, work.dag);
	work_init(&work);
	write_nodes(&work, asked->first);
	work_release(&work);
	return 0;
}

static const struct tv_option_spec options[] = {
	{ "first", "N", "1", "the first N tasks of each node", TV_OPTION_COUNT, 1, 0,
	  TV_ASKED(first) },
	{ "chain", NULL, NULL, "one row for each step back to the start of the run",
	  TV_ASKED(chain) },
};

static const struct tv_field columns[] = { COLUMNS(TV_COLUMN_ROW) PART_COLUMNS(TV_COLUMN_ROW) };

const struct tv_pass tv_pass_late_start = {
	.name = "late-start",
	.summary = "When each node starts its first tasks, and which message or task delays them",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_NODES,
	.ranked = "Delay",
	.needs = "links resources states",
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_COLUMNS(columns),
	.notes =
		"From the first task of a node back along last dependencies (the one that ended\n"
		"last, including setup tasks and messages) to the first Start of the run. The "
		"seven\n"
		"times add up to Delay; with --chain, each row contains the part of its step, and\n"
		"those of a chain add up to Delay.\n"
		"Message, Origin, Sent, Received, Size and MessagesAhead are those of the last "
		"message of\n"
		"the chain: the one that delays the task.\n"
		"Traces do not show when the network begins with a message that is posted. If one\n"
		"of at least its size was received in a shorter time, this time is TransferTime,\n"
		"and the rest QueuedTime: behind others, or because the receiver was not ready\n"
		"(UnpostedTime, and ReceivingTime where the data have left the sender).\n"
		"A node that ran no task has a row without First.\n"
		"This is about the first tasks alone: which messages delay a node during the run,\n"
		"and how much idle time each of them causes, shows messages --node NODE.",
	.example = "traceviz late-start --first 3 data/cholesky-2nodes",
	.windowless = true,
	.run = run_late_start,
};
