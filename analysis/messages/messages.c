/* SPDX-License-Identifier: GPL-3.0-or-later */
/* messages.c -- every message between nodes: when, how large, for which tasks, what wait it caused. */
#include "analysis/messages/message_list.h"

#include <stdlib.h>

#include "analysis/core/columns.h"
#include "dag/dag.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

#define COLUMNS(X) \
	X(KEY, "Key", TV_LABEL, false, "", "its key; also its JobId as a node of the graph") \
	X(ORIGIN, "Origin", TV_LABEL, false, "", "node that sends") \
	X(DEST, "Dest", TV_LABEL, false, "", "node that receives") \
	X(START, "Start", TV_TIME, false, "ms", "the send is posted") \
	X(SEND_END, "SendEnd", TV_TIME, false, "ms", \
	  "the send has completed; missing if the trace has no such time") \
	X(RECEIVE_START, "ReceiveStart", TV_TIME, false, "ms", "the receive is posted; likewise") \
	X(END, "End", TV_TIME, false, "ms", "the receive has completed") \
	X(SIZE, "Size", TV_INT, false, "bytes", "volume") \
	X(TAG, "Tag", TV_LABEL, false, "", "message tag") \
	X(HANDLE, "Handle", TV_LABEL, false, "", "data handle of the sender") \
	X(PRIORITY, "Priority", TV_INT, false, "", "priority of the message") \
	X(ORIGIN_JOB, "OriginJob", TV_LABEL, false, "", \
	  "task of the runtime that acquired the data for the send") \
	X(DEST_JOB, "DestJob", TV_LABEL, false, "", \
	  "task of the runtime that releases the data received") \
	X(DURATION, "Duration", TV_TIME, false, "ms", "End - Start") \
	X(SEND_DURATION, "SendDuration", TV_TIME, false, "ms", "SendEnd - Start") \
	X(TRANSFER_DURATION, "TransferDuration", TV_TIME, false, "ms", \
	  "End - the later of Start and ReceiveStart") \
	X(RECEIVE_DURATION, "ReceiveDuration", TV_TIME, false, "ms", "End - ReceiveStart") \
	X(BANDWIDTH, "Bandwidth", TV_DOUBLE, false, "MB/s", \
	  "Size / Duration, 10^6 bytes per second; missing if Duration is 0, or " \
	  "the message open") \
	X(PRODUCER, "Producer", TV_LIST, false, "", "JobIds of the tasks whose result it is") \
	X(PRODUCER_END, "ProducerEnd", TV_TIME, false, "ms", "when the last of them ended") \
	X(CONSUMERS, "Consumers", TV_LIST, false, "", "JobIds of the tasks that use it") \
	X(CONSUMER_START, "ConsumerStart", TV_TIME, false, "ms", "when the first of them started") \
	X(WAIT, "Wait", TV_TIME, false, "ms", "idle time that it caused, sum over the workers") \
	X(MPI_WAIT, "MpiWait", TV_TIME, false, "ms", "of Wait: of the cause mpi of idle-causes") \
	X(DEPENDENCY_WAIT, "DependencyWait", TV_TIME, false, "ms", \
	  "of Wait: of the cause dependencies, blamed on it") \
	X(FLAG, "Flag", TV_LABEL, false, "", \
	  "open = never received; early = received before it was sent")

TV_COLUMNS(columns, COLUMNS)

/* Searches the graph around each message in turn. */
struct message_search {
	struct tv_seen_messages seen_messages;
	const struct tv_dag *dag; /* NULL = nothing is known of them */
	uint32_t *first, *next;	  /* successors of v: next[first[v]] to next[first[v + 1] - 1] */
	uint32_t *seen;		  /* n: the last search that found it, from 1 */
	uint32_t search;
	uint32_t *stack, nstack; /* room for n */
	uint32_t *found, nfound; /* tasks; room for n */
	uint32_t *job, njobs;	 /* their labels; room for n */
};

/* ---- the graph ---- */

static void list_successors(struct message_search *work)
{
	const struct tv_dag *dag = work->dag;
	uint32_t *at;

	work->first = tv_alloc((size_t)dag->n + 1, sizeof *work->first);
	work->next = tv_alloc(dag->nedges, sizeof *work->next);
	for (uint32_t k = 0; k < dag->nedges; k++)
		work->first[dag->pred[k] + 1]++;
	for (uint32_t v = 0; v < dag->n; v++)
		work->first[v + 1] += work->first[v];
	at = tv_alloc(dag->n, sizeof *at);
	for (uint32_t v = 0; v < dag->n; v++)
		for (uint32_t k = dag->first[v]; k < dag->first[v + 1]; k++) {
			uint32_t u = dag->pred[k];

			work->next[work->first[u] + at[u]++] = v;
		}
	tv_free(at);
}

/* Whether a node that is no task takes what messages bring; what else it depends on has used what
 * they replace. */
static bool takes_message(const struct tv_dag *dag, uint32_t v)
{
	for (uint32_t k = dag->first[v]; k < dag->first[v + 1]; k++)
		if (tv_dag_is_message(dag, dag->pred[k]))
			return true;
	return false;
}

static void push(struct message_search *work, uint32_t v)
{
	if (work->seen[v] == work->search)
		return;
	work->seen[v] = work->search;
	if (work->dag->task[v])
		work->found[work->nfound++] = v;
	else
		work->stack[work->nstack++] = v;
}

static void begin_search(struct message_search *work, uint32_t v)
{
	work->search++;
	work->nfound = work->nstack = 0;
	work->seen[v] = work->search;
	work->stack[work->nstack++] = v;
}

/* The tasks whose result message v carries. */
static void find_producers(struct message_search *work, uint32_t v)
{
	const struct tv_dag *dag = work->dag;

	begin_search(work, v);
	while (work->nstack > 0) {
		uint32_t u = work->stack[--work->nstack];
		bool takes = takes_message(dag, u);

		for (uint32_t k = dag->first[u]; k < dag->first[u + 1]; k++)
			if (!takes || tv_dag_is_message(dag, dag->pred[k]))
				push(work, dag->pred[k]);
	}
}

/* The tasks that use what message v carries. */
static void find_consumers(struct message_search *work, uint32_t v)
{
	const struct tv_dag *dag = work->dag;

	begin_search(work, v);
	while (work->nstack > 0) {
		uint32_t u = work->stack[--work->nstack];

		for (uint32_t k = work->first[u]; k < work->first[u + 1]; k++) {
			uint32_t w = work->next[k];

			/* Other messages have rows of their own; so has what they replace. */
			if (tv_dag_is_message(dag, w)
			    || (u != v && !dag->task[w] && takes_message(dag, w)))
				continue;
			push(work, w);
		}
	}
}

/* Their jobs, in the order of the rows of tasks. */
static void list_jobs(struct message_search *work)
{
	work->njobs = 0;
	if (work->nfound > 1)
		qsort(work->found, work->nfound, sizeof *work->found, tv_compare_uint32);
	for (uint32_t i = 0; i < work->nfound; i++)
		if (tv_dag_job(work->dag, work->found[i]) != TV_NONE)
			work->job[work->njobs++] = tv_dag_job(work->dag, work->found[i]);
}

/* ---- rows ---- */

static void write_durations(struct tv_column *const *to, uint32_t row, const struct tv_message *m)
{
	int64_t both = m->receive_start > m->start ? m->receive_start : m->start;

	tv_set_int(to[DURATION], row, m->end - m->start);
	if (m->send_end != TV_NO_TIME)
		tv_set_int(to[SEND_DURATION], row, m->send_end - m->start);
	if (m->receive_start != TV_NO_TIME) {
		tv_set_int(to[RECEIVE_DURATION], row, m->end - m->receive_start);
		tv_set_int(to[TRANSFER_DURATION], row, m->end > both ? m->end - both : 0);
	}
	if (m->sized && !m->open && m->end > m->start)
		tv_set_double(
			to[BANDWIDTH], row,
			tv_megabytes_per_second((double)m->size, (double)(m->end - m->start)));
}

static void write_message(const struct tv_messages *messages, const struct tv_table *links,
			  const struct tv_message *m, struct tv_column *const *to, uint32_t row)
{
	const struct tv_column *priority = tv_table_find(links, "Priority");
	const struct tv_column *flag = tv_table_find(links, "Flag");

	tv_set_label(to[KEY], row, m->key);
	tv_set_label(to[ORIGIN], row, messages->node[m->origin]);
	tv_set_label(to[DEST], row, messages->node[m->dest]);
	tv_set_int(to[START], row, m->start);
	tv_set_known(to[SEND_END], row, m->send_end);
	tv_set_known(to[RECEIVE_START], row, m->receive_start);
	tv_set_int(to[END], row, m->end);
	if (m->sized)
		tv_set_int(to[SIZE], row, m->size);
	tv_set_label(to[TAG], row, m->tag);
	tv_set_label(to[HANDLE], row, m->handle);
	if (priority != NULL && !tv_missing(priority, m->link))
		tv_set_int(to[PRIORITY], row, priority->i[m->link]);
	tv_set_label(to[ORIGIN_JOB], row, m->origin_job);
	tv_set_label(to[DEST_JOB], row, m->dest_job);
	if (flag != NULL)
		tv_set_label(to[FLAG], row, tv_label(flag, m->link));
	write_durations(to, row, m);
}

static void write_tasks(struct message_search *work, const struct tv_message *m,
			struct tv_column *const *to, uint32_t row)
{
	const struct tv_dag *dag = work->dag;
	uint32_t v = dag->node_of_row[m->row];
	int64_t end = TV_NO_TIME, start = TV_NO_TIME;

	find_producers(work, v);
	list_jobs(work);
	for (uint32_t i = 0; i < work->nfound; i++)
		if (end == TV_NO_TIME || dag->end[work->found[i]] > end)
			end = dag->end[work->found[i]];
	tv_set_list(to[PRODUCER], row, work->job, work->njobs);
	tv_set_known(to[PRODUCER_END], row, end);
	find_consumers(work, v);
	list_jobs(work);
	for (uint32_t i = 0; i < work->nfound; i++)
		if (start == TV_NO_TIME || dag->start[work->found[i]] < start)
			start = dag->start[work->found[i]];
	tv_set_list(to[CONSUMERS], row, work->job, work->njobs);
	tv_set_known(to[CONSUMER_START], row, start);
}

/* Without tasks there is nobody who waits, and without graph nobody who produces. */
static void search_init(struct message_search *work, struct tv_run *run, struct tv_error *err)
{
	if (work->seen_messages.wait == NULL)
		return;
	work->dag = tv_run_dag(run, err);
	list_successors(work);
	work->seen = tv_alloc(work->dag->n, sizeof *work->seen);
	work->stack = tv_alloc(work->dag->n, sizeof *work->stack);
	work->found = tv_alloc(work->dag->n, sizeof *work->found);
	work->job = tv_alloc(work->dag->n, sizeof *work->job);
}

static void search_release(struct message_search *work)
{
	tv_free(work->first);
	tv_free(work->next);
	tv_free(work->seen);
	tv_free(work->stack);
	tv_free(work->found);
	tv_free(work->job);
	tv_seen_messages_release(&work->seen_messages);
}

/* ---- in parts ---- */

static const char verb[] = "messages";

static int count_part(void *state, struct tv_run *part, struct tv_error *err)
{
	struct tv_seen_messages seen;
	int rc = tv_seen_messages_part(&seen, part, verb, true, state, err);

	tv_seen_messages_release(&seen);
	return rc;
}

/* What there is to say of all of them. */
static int count_messages(struct tv_run *run, struct tv_error *err)
{
	struct tv_message_counts counts = { 0 };

	if (tv_run_rows(run, count_part, &counts, err) < 0)
		return -1;
	return tv_message_counts_end(&counts, run, verb, true, err);
}

static int see_messages(struct tv_seen_messages *seen, struct tv_run *run, struct tv_error *err)
{
	const struct tv_messages *all;

	if (run->of == NULL)
		return tv_seen_messages_init(seen, run, verb, true, err);
	/* Those of a part, which were counted. */
	all = tv_run_messages(run, err);
	return all == NULL ? -1 : tv_seen_messages_of(seen, run, all, false, err);
}

static int run_messages(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
			struct tv_error *err)
{
	const struct tv_table *links = &run->trace->table[TV_LINKS];
	struct message_search work = { 0 };
	const struct tv_seen_messages *seen = &work.seen_messages;

	(void)options;
	if (run->parts != NULL)
		return count_messages(run, err);
	if (see_messages(&work.seen_messages, run, err) < 0)
		return -1;
	search_init(&work, run, err);
	for (uint32_t i = 0; i < seen->all->n; i++) {
		const struct tv_message *m = &seen->all->at[i];
		uint32_t row;

		if (!seen->seen[i])
			continue;
		row = tv_table_add_row(out);
		write_message(seen->all, links, m, out->col, row);
		if (work.dag == NULL || m->row == TV_NONE)
			continue;
		write_tasks(&work, m, out->col, row);
		tv_set_int(out->col[WAIT], row, tv_seen_wait(seen, i));
		tv_set_int(out->col[MPI_WAIT], row, seen->wait[i].mpi);
		tv_set_int(out->col[DEPENDENCY_WAIT], row, seen->wait[i].dependencies);
	}
	search_release(&work);
	return 0;
}

const struct tv_pass tv_pass_messages = {
	.name = "messages",
	.summary = "List messages between nodes: times, sizes, tasks, waits that they caused",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_NODES,
	.ranked = "Wait",
	.sums = true,
	.needs = "links resources states calls",
	.refuses_tasks = true,
	.columns = "",
	.all_columns = true,
	.parted = "links",
	.spared = TV_MESSAGES_SPARE,
	.beside_links = 150,
	.in_parts = tv_pass_always,
	.row_by_row = true,
	.unordered = true,
	.beside = 20,
	TV_PASS_COLUMNS(columns),
	.notes =
		"By Start. Messages are links of the Type 'MPI communication'; the node of an end\n"
		"is that of its resource. A message that was received before it was sent (clocks\n"
		"that differ) ends where it starts. With a window those that touch it, or that "
		"caused\n"
		"idle time in it; with a selection of nodes those from or to these, or that "
		"caused\n"
		"idle time there.\n"
		"Producer and Consumers are app tasks (or those of --kind), found through the\n"
		"runtime's own tasks, such as those that acquire and release the data; Producer\n"
		"also through the messages by which the data came to Origin.\n"
		"Wait is idle time that idle-causes explains by the message:\n"
		"  MpiWait         a task that the worker could run lacked nothing but messages,\n"
		"                  of which this arrived last: the worker's next task, else the\n"
		"                  one of its node that starts first (cause mpi)\n"
		"  DependencyWait  the message was in flight, and the worker's next task waited\n"
		"                  for it, going back along last dependencies (BlameMessage)\n"
		"They add up to the Time of the cause mpi and to BlameMessage.",
	.example = "traceviz messages data/cholesky-2nodes",
	.taskless = true,
	.run = run_messages,
};
