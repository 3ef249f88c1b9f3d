/* SPDX-License-Identifier: GPL-3.0-or-later */
/* serial_part.c -- a finding about one thread that works while the others have nothing: outside of parallel regions, or between a wait
 * for tasks and the next ones. */
#include <stdlib.h>
#include <string.h>

#include "analysis/diagnose/findings.h"
#include "dag/in_loops.h"
#include "trace/map.h"
#include "trace/sorted.h"
#include "trace/text.h"

enum { RUNTIME_NS = 10000 }; /* up to this it is what the runtime takes to create tasks */

struct list {
	struct tv_span *at; /* ascending, disjoint after tv_spans_merge */
	size_t n, cap;
};

/* Of a node of the tasks. */
struct node_time {
	struct list waited, /* from the end of a wait for tasks to the first submission after it */
		used,	    /* when tasks or loops run meanwhile */
		alone;	    /* when one thread works and nothing else runs */
	int64_t *time;	    /* of these: without that in MPI */
};

struct kept {
	struct tv_serial_part part;
	struct node_time *node; /* n */
	uint32_t n;
};

static void add(struct list *list, int64_t begin, int64_t end)
{
	if (begin >= end)
		return;
	TV_GROW(list->at, list->n, list->cap, 1);
	list->at[list->n++] = (struct tv_span){ begin, end };
}

static void merge(const struct tv_case *c, struct list *list)
{
	list->n = tv_spans_merge(list->at, (uint32_t)list->n,
				 (struct tv_span){ c->tasks->begin, c->tasks->finish });
}

static uint32_t node_of(const struct tv_case *c, uint32_t row)
{
	return c->tasks->workers[c->tasks->worker[row]].node;
}

/* Waits of what creates tasks are nodes of the graph, after which tasks are submitted; those of tasks are work of these. */
static void list_waited(const struct tv_case *c, const struct tv_dag *dag, struct node_time *nodes)
{
	int64_t *first = tv_alloc(dag->n, sizeof *first); /* submission after a wait */
	uint32_t *at = tv_alloc(dag->n, sizeof *at);

	for (uint32_t v = 0; v < dag->n; v++)
		first[v] = INT64_MAX;
	for (uint32_t v = 0; v < dag->n; v++) {
		uint32_t wait = dag->after[v];
		int64_t submitted = tv_dag_submitted(dag, v);

		if (wait == TV_NONE || !dag->task[v] || dag->task[wait] || submitted == INT64_MIN
		    || submitted >= first[wait])
			continue;
		first[wait] = submitted;
		at[wait] = v;
	}
	for (uint32_t v = 0; v < dag->n; v++)
		if (first[v] < INT64_MAX)
			add(&nodes[node_of(c, dag->row[at[v]])].waited,
			    first[v] - dag->delay[at[v]], first[v]);
	tv_free(first);
	tv_free(at);
}

/* The first submission on a node from a time on, ns; INT64_MAX = none. */
static int64_t submitted_from(const struct tv_submissions *submissions, uint32_t node, int64_t time)
{
	const struct tv_submitted *at = submissions->at;
	size_t i;

	TV_LOWER_BOUND(i, 0, submissions->n,
		       at[i].node < node || (at[i].node == node && at[i].time < time));
	return i < submissions->n && at[i].node == node ? at[i].time : INT64_MAX;
}

struct change {
	int64_t time;
	int by; /* 1: a span begins; -1: one ends */
};

TV_ORDER(by_change, struct change, time, by)

/* Leaves what is in one span and in no other. */
static void keep_single(struct list *list)
{
	struct change *change = tv_alloc(2 * list->n, sizeof *change);
	size_t n = 0;
	int count = 0;

	for (size_t i = 0; i < list->n; i++) {
		change[n++] = (struct change){ list->at[i].begin, 1 };
		change[n++] = (struct change){ list->at[i].end, -1 };
	}
	if (n > 0)
		qsort(change, n, sizeof *change, by_change);
	list->n = 0;
	for (size_t i = 0; i + 1 < n; i++) {
		count += change[i].by;
		if (count == 1)
			add(list, change[i].time, change[i + 1].time);
	}
	tv_free(change);
}

/* When a thread waits, or runs a task. executions: by worker. */
static struct list list_not_alone(const struct tv_case *c, const struct tv_thread *thread,
				  const struct tv_groups *executions)
{
	const struct tv_tasks *tasks = c->tasks;
	struct list list = { 0 };

	for (uint32_t k = 0; k < thread->nlost; k++)
		add(&list, thread->lost[k].begin, thread->lost[k].end);
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		for (uint32_t i = executions->first[w];
		     tasks->workers[w].resource == thread->resource && i < executions->first[w + 1];
		     i++)
			add(&list, tasks->start[executions->row[i]],
			    tasks->end[executions->row[i]]);
	merge(c, &list);
	return list;
}

/* The same where only states of threads show waits: from the end of one, or of a task that ran in it, on, as long as the thread works, and
 * no other one does. */
static void list_from_states(const struct tv_case *c, struct node_time *nodes)
{
	const struct tv_threads *threads = tv_run_threads(c->run);
	struct tv_submissions submissions;
	struct tv_groups executions;

	tv_submissions_init(&submissions, c->tasks);
	tv_tasks_by_start(c->tasks, c->tasks->executed, &executions);
	for (uint32_t i = 0; i < threads->n; i++) {
		const struct tv_thread *thread = &threads->at[i];
		uint32_t node = 0;
		struct list list;

		while (node < c->tasks->nnodes && c->tasks->node[node].label != thread->node)
			node++;
		if (!thread->openmp || node == c->tasks->nnodes)
			continue;
		list = list_not_alone(c, thread, &executions);
		for (size_t k = 0; k < list.n; k++) {
			int64_t begin = list.at[k].end;
			int64_t end = k + 1 < list.n ? list.at[k + 1].begin : thread->end;
			int64_t submitted = submitted_from(&submissions, thread->node, begin);

			if (submitted < INT64_MAX)
				add(&nodes[node].waited, begin, end < submitted ? end : submitted);
		}
		tv_free(list.at);
	}
	tv_groups_release(&executions);
	tv_submissions_release(&submissions);
	for (uint32_t k = 0; k < c->tasks->nnodes; k++)
		keep_single(&nodes[k].waited);
}

/* What runs during these times. */
static void add_used(struct node_time *node, int64_t begin, int64_t end)
{
	struct tv_span span = { begin, end };

	if (tv_spans_within(node->waited.at, (uint32_t)node->waited.n, span) > 0)
		add(&node->used, begin, end);
}

static void list_used(const struct tv_case *c, struct node_time *nodes)
{
	const struct tv_tasks *tasks = c->tasks;
	struct tv_in_calls loops = { 0 };

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->executed[row])
			add_used(&nodes[node_of(c, row)], tasks->start[row], tasks->end[row]);
	tv_in_loops_init(&loops, tasks);
	for (size_t i = 0; i < loops.n; i++)
		add_used(&nodes[tasks->workers[loops.at[i].worker].node], loops.at[i].begin,
			 loops.at[i].end);
	tv_in_calls_release(&loops);
}

/* What of these times nothing runs in. */
static void find_alone(struct node_time *node)
{
	size_t k = 0;

	for (size_t i = 0; i < node->waited.n; i++) {
		int64_t begin = node->waited.at[i].begin, end = node->waited.at[i].end;

		for (; k < node->used.n && node->used.at[k].end <= begin; k++)
			;
		for (; k < node->used.n && node->used.at[k].begin < end; k++) {
			add(&node->alone, begin, node->used.at[k].begin);
			begin = node->used.at[k].end;
			if (begin >= end)
				break;
		}
		add(&node->alone, begin, end);
	}
}

static void sum_node(const struct tv_case *c, uint32_t number, struct node_time *node,
		     struct tv_serial_part *part)
{
	double price, own; /* of all workers but one, which works; of that one */
	uint32_t others = tv_case_workers(c, c->tasks->node[number].label, &price, &own);

	price -= own;
	others -= others > 0;

	node->time = tv_alloc(node->alone.n, sizeof *node->time);
	for (size_t i = 0; i < node->alone.n; i++) {
		struct tv_span span = node->alone.at[i];
		int64_t time = span.end - span.begin
			     - tv_case_in_mpi(c, number, span.begin, span.end);

		if (time <= RUNTIME_NS)
			continue;

		node->time[i] = time;
		part->n++;
		part->time += time;
		part->longest = time > part->longest ? time : part->longest;
		part->worker += (tv_int128)time * others;
		part->idle += (long double)time * (long double)price;
		part->own += (long double)time * (long double)own;
	}
}

/* Where in the program most of these waits are: a label, TV_NONE = not known. */
static uint32_t site_of(const struct tv_case *c, const struct node_time *nodes)
{
	const struct tv_table *states = tv_trace_table(c->run->trace, TV_STATES);
	const struct tv_column *end = tv_table_find(states, "End"),
			       *site = tv_table_find(states, "Site");
	struct tv_map ends = { 0 }, count = { 0 };
	uint32_t best = TV_NONE, most = 0;

	for (uint32_t k = 0; k < c->tasks->nnodes; k++)
		for (size_t i = 0; i < nodes[k].waited.n; i++)
			tv_map_put(&ends, (uint64_t)nodes[k].waited.at[i].begin, 0, 1);
	for (uint32_t row = 0; site != NULL && end != NULL && row < states->nrows; row++) {
		uint32_t *n;

		if (tv_missing(site, row) || tv_missing(end, row)
		    || tv_map_get(&ends, (uint64_t)end->i[row], 0) == NULL
		    || tv_thread_kind_of(tv_table_text(states, "Value", row)) != TV_THREAD_BARRIER)
			continue;
		n = tv_map_at(&count, tv_label(site, row), 0);
		*n = *n == TV_NONE ? 1 : *n + 1;
		if (*n > most) {
			most = *n;
			best = tv_label(site, row);
		}
	}
	tv_map_release(&ends);
	tv_map_release(&count);
	return best;
}

static void find_part(struct kept *kept, const struct tv_case *c, const struct tv_dag *dag)
{
	kept->part.site = TV_NONE;
	if (dag == NULL || c->tasks->submit == NULL)
		return;
	kept->n = c->tasks->nnodes;
	kept->node = tv_alloc(kept->n, sizeof *kept->node);
	if (dag->after != NULL)
		list_waited(c, dag, kept->node);
	else if (tv_thread_types_of(c->run).openmp != TV_NONE)
		list_from_states(c, kept->node);
	else
		return;
	for (uint32_t k = 0; k < kept->n; k++)
		merge(c, &kept->node[k].waited);
	list_used(c, kept->node);
	for (uint32_t k = 0; k < kept->n; k++) {
		merge(c, &kept->node[k].used);
		find_alone(&kept->node[k]);
		sum_node(c, k, &kept->node[k], &kept->part);
	}
	kept->part.site = site_of(c, kept->node);
}

static void release(void *of)
{
	struct kept *kept = of;

	for (uint32_t k = 0; k < kept->n; k++) {
		tv_free(kept->node[k].waited.at);
		tv_free(kept->node[k].used.at);
		tv_free(kept->node[k].alone.at);
		tv_free(kept->node[k].time);
	}
	tv_free(kept->node);
	tv_free(kept);
}

static const struct kept *kept_of(const struct tv_case *c)
{
	static const char key;
	struct kept *kept = tv_run_kept(c->run, &key);

	if (kept == NULL) {
		kept = tv_alloc(1, sizeof *kept);
		find_part(kept, c, tv_run_dag(c->run, NULL));
		tv_run_keep(c->run, &key, kept, release);
	}
	return kept;
}

const struct tv_serial_part *tv_case_serial_part(const struct tv_case *c)
{
	return &kept_of(c)->part;
}

int64_t tv_case_works_alone(const struct tv_case *c, uint32_t node, int64_t begin, int64_t end)
{
	const struct kept *kept = kept_of(c);
	const struct node_time *of = node < kept->n ? &kept->node[node] : NULL;
	size_t low = 0, high = of != NULL ? of->alone.n : 0;
	int64_t time = 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (of->alone.at[middle].begin < begin)
			low = middle + 1;
		else
			high = middle;
	}
	for (; of != NULL && low < of->alone.n && of->alone.at[low].end <= end; low++)
		time += of->time[low];
	return time;
}

static void find_beside_tasks(const struct tv_case *c, struct tv_found *found)
{
	const struct tv_serial_part part = *tv_case_serial_part(c);
	char waits[TV_WORDS_OF_ALL], time[3][32], place[128];

	found->time_ns = (int64_t)part.idle;
	found->worker_ns = tv_sum_ns(part.worker);
	found->holds = found->time_ns >= c->min_ns && found->time_ns > 0;
	if (!found->holds)
		return;
	found->title = tv_strdup("one thread works between its tasks");
	found->text = tv_format(
		"After waits for tasks%s%s, one thread works for %s",
		part.site != TV_NONE ? " at " : "",
		part.site != TV_NONE ? tv_clean_text(place, sizeof place,
						     tv_pool_text(c->run->trace->pool, part.site))
				     : "",
		tv_words_time(time[0], part.time));
	if (part.n > 1)
		tv_append(&found->text, " in total, %u times and for up to %s,", part.n,
			  tv_words_time(time[1], part.longest));
	tv_append(&found->text,
		  " before it creates more tasks. Meanwhile no task runs: workers did nothing for "
		  "%s.",
		  tv_words_of_all(waits, c, found->worker_ns));
	found->action = "Make tasks of this work, so that all workers share it, or let tasks that "
			"do not need it run at the same time: wait only for what it needs.";
	found->command = tv_case_verb(c, "idle-causes", "");
	found->picture = tv_strdup("--panels spacetime,idle-causes");
}

/* The longest that a thread has no work, ns: of one process, how long the others work alone. */
static int64_t longest_idle(const struct tv_threads *threads)
{
	int64_t longest = 0;

	for (uint32_t i = 0; i < threads->n; i++) {
		const struct tv_thread *t = &threads->at[i];
		int64_t idle = t->time[TV_THREAD_IDLE] - t->idle_in_mpi - t->idle_at_begins;

		longest = idle > longest ? idle : longest;
	}
	return longest;
}

static int find_serial_part(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	char waits[TV_WORDS_OF_ALL], time[32];

	(void)err;
	if (c->tasks->ncounted > 0) {
		find_beside_tasks(c, found);
		return 0;
	}
	if (!tv_case_kind_costs(c, TV_THREAD_IDLE, found))
		return 0;
	found->text = tv_format(
		"Threads have no work for %s, a thread for up to %s, while one works outside of "
		"parallel regions.",
		tv_words_of_all(waits, c, found->worker_ns),
		tv_words_time(time, longest_idle(tv_run_threads(c->run))));
	found->command = tv_case_verb(c, "states", "");
	return 0;
}

const struct tv_rule tv_rule_serial_part = {
	.id = "serial-part",
	.title = "one thread works outside of parallel regions",
	.condition =
		"a program without tasks: threads without a parallel region cost 1 % of the run. "
		"With tasks: from the ends of waits of what creates tasks (SubmitAfter and "
		"SubmitDelay, or states) to the next submission, while no task of the node runs "
		"and none of its threads is in MPI or a parallel loop, for more than 10 us, all "
		"workers but one cost 1 % of the makespan",
	.measures = "WorkerTime: time of threads without work, of all workers but one; Time: that "
		    "over the number of threads; with tasks, priced",
	.action =
		"Parallelize what runs between the parallel regions, or let it overlap with them.",
	.picture = "--panels states",
	.threads = true,
	.find = find_serial_part,
};
