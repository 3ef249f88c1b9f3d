/* SPDX-License-Identifier: GPL-3.0-or-later */
/* own.c -- findings about workers that are idle while a released task that they will run waits: the account's
 * idle time of the cause runtime. Either that is the next task of the worker, which starts late, or another
 * task that is not released comes before it. */
#include <math.h>
#include <stdlib.h>

#include "analysis/core/statistics.h"
#include "analysis/diagnose/findings.h"
#include "analysis/messages/message_list.h"
#include "trace/map.h"
#include "trace/sorted.h"

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* By node of the tasks: when messages from other nodes that are no nodes of the graph arrive there, ns, sorted. */
struct arrivals {
	int64_t *at;
	size_t n, cap;
};

/* A new array; NULL = there are none. */
static struct arrivals *list_arrivals(const struct tv_case *c)
{
	const struct tv_tasks *tasks = c->tasks;
	const struct tv_messages *messages;
	struct tv_index node = { 0 };
	struct arrivals *to;
	struct tv_error unused;

	if (!tv_case_lacks_messages(c))
		return NULL;
	messages = tv_run_messages(c->run, &unused);
	if (messages == NULL || messages->n == 0)
		return NULL;
	to = tv_alloc(tasks->nnodes, sizeof *to);
	for (uint32_t k = 0; k < tasks->nnodes; k++)
		tv_index_set(&node, tasks->node[k].label, k);
	for (uint32_t i = 0; i < messages->n; i++) {
		const struct tv_message *m = &messages->at[i];
		uint32_t k = tv_index_get(&node, messages->node[m->dest]);

		if (m->open || m->origin == m->dest || k == TV_NONE || m->start >= m->end)
			continue;
		TV_GROW(to[k].at, to[k].n, to[k].cap, 1);
		to[k].at[to[k].n++] = m->end;
	}
	for (uint32_t k = 0; k < tasks->nnodes; k++)
		tv_sort_times(to[k].at, to[k].n);
	tv_free(node.at);
	return to;
}

static void free_arrivals(struct arrivals *to, uint32_t nnodes)
{
	for (uint32_t k = 0; to != NULL && k < nnodes; k++)
		tv_free(to[k].at);
	tv_free(to);
}

/* How long after `from` the last message to a node arrives that arrives by `until`, ns: one that has not begun waits for its sender. */
static int64_t until_arrival(const struct arrivals *to, int64_t from, int64_t until)
{
	uint32_t n = tv_count_below(to->at, (uint32_t)to->n, until + 1);

	return n > 0 && to->at[n - 1] > from ? to->at[n - 1] - from : 0;
}

/* How much of [from, start of the task) messages to its node are to come, if it depends on a task of another node, ns. */
static int64_t carried_before(const struct tv_dag *dag, const struct arrivals *to, uint32_t row,
			      int64_t from)
{
	const struct tv_tasks *tasks = dag->tasks;
	uint32_t v = dag->node_of_row[row], node = tasks->workers[tasks->worker[row]].node;

	if (to == NULL || from >= tasks->start[row])
		return 0;
	for (uint32_t i = dag->first[v]; i < dag->first[v + 1]; i++) {
		uint32_t p = dag->pred[i];

		if (dag->task[p] && tasks->workers[tasks->worker[dag->row[p]]].node != node)
			return until_arrival(&to[node], from, tasks->start[row]);
	}
	return 0;
}

/* What a worker waits before tasks that are released while it runs nothing, ns; each wait is appended to *wait. row: what it
 * ran, by Start. *carried: while messages may be what they wait for, which is no such wait. */
static int64_t waits_of(const struct tv_dag *dag, const int64_t *released,
			const struct arrivals *to, const uint32_t *row, uint32_t n, int64_t **wait,
			int64_t *carried)
{
	const struct tv_tasks *tasks = dag->tasks;
	int64_t end = tasks->begin, sum = 0;

	for (uint32_t i = 0; i < n; i++) {
		int64_t start = tasks->start[row[i]];

		if (tasks->counted[row[i]]) {
			int64_t from = later(end, released[dag->node_of_row[row[i]]]);

			int64_t in = carried_before(dag, to, row[i], from);

			*(*wait)++ = later(start - from, 0) - in;
			sum += (*wait)[-1];
			*carried += in;
		}
		end = later(end, tasks->end[row[i]]);
	}
	return sum;
}

/* In all, without those of late workers before their first tasks, ns of workers. */
static int next_waits(struct tv_case *c, int64_t *sum, struct tv_error *err)
{
	const struct tv_dag *dag = tv_run_dag(c->run, err);
	struct tv_groups rows;
	struct arrivals *to;
	int64_t *released, *wait, *end;

	if (dag == NULL)
		return -1;
	released = tv_alloc(dag->n, sizeof *released);
	wait = end = tv_alloc(c->tasks->ncounted, sizeof *wait);
	tv_dag_released(dag, released);
	to = list_arrivals(c);
	tv_tasks_by_start(c->tasks, c->tasks->executed, &rows);
	*sum = -c->absences.own;
	c->carried = 0;
	for (uint32_t w = 0; w < rows.n; w++) {
		uint32_t first = rows.first[w], n = rows.first[w + 1] - first;

		*sum += waits_of(dag, released, to, &rows.row[first], n, &end, &c->carried);
	}
	for (int64_t *at = wait; at < end; at++)
		c->long_waits += *at > TV_OVERHEAD_MAX ? *at : 0;
	if (end > wait) {
		size_t middle = (size_t)(end - wait) / 2;

		tv_select_times(wait, (size_t)(end - wait), &middle, 1);
		c->usual_wait = wait[middle];
	}
	tv_free(wait);
	free_arrivals(to, c->tasks->nnodes);
	tv_groups_release(&rows);
	tv_free(released);
	return 0;
}

/* Idle time of the cause runtime before tasks that are released, of the run and of workers, ns. */
static int sum_ready_waits(struct tv_case *c, int64_t *time_ns, int64_t *worker_ns,
			   struct tv_error *err)
{
	int64_t time, worker, data, unused;

	tv_case_sum(c, TV_ACCOUNT_IDLE, "runtime", NULL, TV_NONE, &time, &worker);
	tv_case_sum(c, TV_ACCOUNT_IDLE, "data", NULL, TV_NONE, &unused, &data);
	if (c->late_starts == TV_UNKNOWN && worker > 0 && next_waits(c, &c->late_starts, err) < 0)
		return -1;
	*worker_ns = worker > 0 ? later(c->late_starts - data, 0) : 0;
	*worker_ns = *worker_ns < worker ? *worker_ns : worker;
	*time_ns = worker == 0 ? 0 : llround((double)time * (double)*worker_ns / (double)worker);
	return 0;
}

int tv_case_late_starts(struct tv_case *c, int64_t *time_ns, int64_t *worker_ns,
			struct tv_error *err)
{
	if (sum_ready_waits(c, time_ns, worker_ns, err) < 0)
		return -1;
	/* No runtime needs so long for a task: it may not have been submitted yet. */
	if (c->tasks->submit == NULL && *worker_ns / TV_OVERHEAD_MAX > c->tasks->nexecutions)
		*time_ns = *worker_ns = 0;
	return 0;
}

/* Waits that are too long for a runtime, and the trace does not say when tasks were submitted. */
static int find_unsubmitted(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	char worker[TV_WORDS_OF_ALL];

	if (sum_ready_waits(c, &found->time_ns, &found->worker_ns, err) < 0)
		return -1;
	found->holds = found->time_ns >= c->min_ns && found->time_ns > 0;
	if (!found->holds)
		return 0;
	found->at_most = true;
	found->confidence = TV_ESTIMATE;
	found->title = tv_strdup("workers wait, and the trace does not show for what");
	found->text = tv_format(
		"Workers did nothing for %s although the tasks on which their next task depends "
		"had ended. Either it was submitted late, or the runtime started it late: the "
		"trace has no times of submission.",
		tv_words_of_all(worker, c, found->worker_ns));
	found->action = "Record when tasks are submitted (SubmitTime): that shows which of both it "
			"is.";
	found->command = tv_case_plot(c, "runtime", "--panels spacetime,idle-causes", 0, 0);
	return 0;
}

bool tv_case_few_waits(const struct tv_case *c, int64_t worker_ns)
{
	return 2 * c->long_waits >= worker_ns && tv_case_waits_vary(c, worker_ns, 4);
}

bool tv_case_waits_vary(const struct tv_case *c, int64_t worker_ns, int times)
{
	return times * (double)c->usual_wait * c->tasks->nexecutions < (double)worker_ns;
}

static void add_usual(const struct tv_case *c, struct tv_found *found)
{
	char usual[32];

	tv_append(&found->text,
		  " Half of the tasks %s%s%s, so this is the time of fewer, long waits",
		  c->usual_wait > 0 ? "waited for " : "did not wait",
		  c->usual_wait > 0 ? tv_words_time(usual, c->usual_wait) : "",
		  c->usual_wait > 0 ? " or less" : "");
}

/* Whether waits for messages may look like waits for the runtime. Of ranks that call MPI, the calls show what they waited for. */
static bool hides_messages(const struct tv_case *c)
{
	return c->untied && tv_trace_table(c->run->trace, TV_CALLS)->nrows == 0;
}

char *tv_case_hidden_waits(const struct tv_case *c, struct tv_error *err)
{
	char *text;
	bool transfers;

	if (tv_case_lacks_transfers(c, &transfers, err) < 0)
		return NULL;
	text = tv_strdup(transfers ? " Waits for data look the same: the trace has no transfers "
				     "between memories."
				   : "");
	if (hides_messages(c))
		tv_append(&text, " Waits for messages look the same: no task depends on one of "
				 "another node, or on a message.");
	return text;
}

static int find_runtime(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	char worker[TV_WORDS_OF_ALL], *hidden;

	if (tv_case_late_starts(c, &found->time_ns, &found->worker_ns, err) < 0)
		return -1;
	if (c->tasks->submit == NULL && found->worker_ns == 0)
		return find_unsubmitted(c, found, err);
	found->holds = found->time_ns >= c->min_ns && found->time_ns > 0;
	if (!found->holds)
		return 0;
	hidden = tv_case_hidden_waits(c, err);
	if (hidden == NULL)
		return -1;
	found->text = tv_format(
		"Workers did nothing for %s although their next task was ready%s.%s",
		tv_words_of_all(worker, c, found->worker_ns),
		hidden[0] == '\0' ? " and its data were there" : "", hidden);
	found->confidence = hidden[0] == '\0' ? TV_EXACT : TV_ESTIMATE;
	tv_free(hidden);
	if (c->preempted > 0 || c->shared) {
		/* It may be all of it where threads lacked one for as long inside of tasks, or must share them. */
		found->alone = c->shared || c->preempted >= found->worker_ns;
		found->confidence = TV_ESTIMATE;
		found->title = tv_strdup("tasks that are ready start late");
		found->see = !found->alone    ? NULL
			   : c->preempted > 0 ? "preempted"
					      : "shared-processors";
		found->apart = !found->alone;
		found->action = "Give each thread a processor of its own, and record it again.";
		tv_append(&found->text,
			  " Threads without a processor start tasks late: how much of "
			  "this is such waiting is not known.");
	} else if (hides_messages(c)) {
		found->title = tv_strdup("workers wait, and the trace does not show for what");
		found->action = "Record which tasks need messages: what they depend on, of other "
				"nodes, in DependsOn.";
	} else if (tv_case_few_waits(c, found->worker_ns)) {
		found->confidence = TV_ESTIMATE;
		found->title = tv_strdup("tasks that are ready start late");
		found->action = "Record the run again, with threads that are bound to cores of "
				"which no other program uses any. If the waits stay, make tasks "
				"larger, or let the runtime start them faster.";
		add_usual(c, found);
		tv_append(&found->text, ": other programs on the machine may be the cause, too.");
	} else if (tv_case_waits_vary(c, found->worker_ns, TV_VARIED)) {
		add_usual(c, found);
		tv_append(&found->text, ".");
	}
	found->command = tv_case_verb(c, "lifecycle-summary", "");
	return 0;
}

const struct tv_rule tv_rule_runtime = {
	.id = "runtime",
	.title = "the runtime is slow to start tasks",
	.condition =
		"idle time while the next task of the same worker is released, and its data "
		"are there, costs 1 % of the makespan; where submissions are not known, above 1 ms "
		"for each task, the text names both possible causes",
	.measures = "idle time of the cause runtime: its part before such tasks",
	.action = "Make tasks larger, or let the runtime start them faster.",
	.in.starpu = "a core for the runtime (STARPU_RESERVE_NCPU=1, STARPU_MAIN_THREAD_BIND=1)",
	.in.openmp = TV_BIND_THREADS ", and OMP_WAIT_POLICY=active",
	.see = "fine-tasks",
	.picture = "--panels spacetime,idle-causes",
	.without = TV_WITHOUT_GAPS,
	.find = find_runtime,
};

static int find_fixed_order(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const struct tv_absences *absences = &c->absences;
	int64_t time, worker;
	char words[TV_WORDS_OF_ALL];

	if (sum_ready_waits(c, &time, &worker, err) < 0)
		return -1;
	tv_case_sum(c, TV_ACCOUNT_IDLE, "runtime", NULL, TV_NONE, &found->time_ns,
		    &found->worker_ns);
	found->time_ns -= time;
	found->worker_ns -= worker;
	for (int kind = 0; kind < TV_NABSENCES; kind++) {
		found->time_ns -= llround(absences->of[kind].runtime.time);
		found->worker_ns -= absences->of[kind].runtime.worker;
	}
	found->holds = found->time_ns >= c->min_ns && found->time_ns > 0 && found->worker_ns > 0;
	if (!found->holds)
		return 0;
	found->text = tv_format("Workers did nothing for %s while a ready task that they "
				"ran later waited, as the one before it was not ready.",
				tv_words_of_all(words, c, found->worker_ns));
	found->command = tv_case_plot(c, "fixed-order", "--panels spacetime,ready,idle-causes", 0,
				      0);
	return 0;
}

const struct tv_rule tv_rule_fixed_order = {
	.id = "fixed-order",
	.title = "workers wait for the next task of a fixed order",
	.condition = "idle time while a released task waits that the worker runs after one that is "
		     "not released costs 1 % of the makespan",
	.measures = "idle time of the cause runtime: all but the part before released tasks",
	.action = "Let workers run what is ready first, instead of an order that is fixed before.",
	.how = "A static schedule: one made with the durations of this run.",
	.in.starpu = "a scheduler that decides when tasks are ready, such as dmdas, or lws where "
		     "all workers are alike",
	.without = TV_WITHOUT_SCHEDULE,
	.find = find_fixed_order,
};
