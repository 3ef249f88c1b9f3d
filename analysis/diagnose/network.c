/* SPDX-License-Identifier: GPL-3.0-or-later */
/* network.c -- findings about messages between nodes. */
#include <math.h>
#include <string.h>

#include "analysis/diagnose/findings.h"
#include "analysis/messages/message_list.h"
#include "trace/text.h"
#include "trace/units.h"

/* Idle time for messages: priced, and of workers. */
static void sum_waits(const struct tv_case *c, int64_t *time, int64_t *worker)
{
	int64_t t, w;

	tv_case_sum(c, TV_ACCOUNT_IDLE, "mpi", NULL, TV_NONE, time, worker);
	tv_case_sum(c, TV_ACCOUNT_IDLE, "dependencies", "message", TV_NONE, &t, &w);
	*time += t;
	*worker += w;
}

/* ---- waits for messages ---- */

struct carried {
	uint32_t n;
	double bytes, time; /* sums; ns */
};

static void add_message(struct carried *to, const struct tv_message *m)
{
	to->n++;
	to->bytes += (double)m->size;
	to->time += (double)(m->end - m->start);
}

/* How much longer messages of one kind take than five or more others of similar size (by a quarter); 0 = not known. */
static double times_as_long(const struct carried *own, const struct carried *all)
{
	struct carried others = { all->n - own->n, all->bytes - own->bytes, all->time - own->time };
	double size;

	if (own->n < 5 || all->n - own->n < 5 || others.bytes <= 0 || others.time <= 0)
		return 0;
	size = own->bytes / own->n / (others.bytes / others.n);
	return size < 0.8 || size > 1.25 ? 0 : own->time / own->n / (others.time / others.n);
}

/* " Those from or to node n1 take ...": of the node whose messages take 1.5 times as long as others, or longer; "" = there is none. */
static char *slow_node_text(const struct tv_case *c, const struct tv_seen_messages *seen)
{
	const struct tv_messages *messages = seen->all;
	struct carried all = { 0 }, *of = tv_alloc(messages->nnodes, sizeof *of);
	uint32_t slowest = TV_NONE;
	char *text = NULL, node[64], time[2][32];
	double most = 1.5;

	for (uint32_t i = 0; i < messages->n; i++) {
		const struct tv_message *m = &messages->at[i];

		if (!seen->seen[i] || m->open || m->origin == m->dest)
			continue;
		add_message(&all, m);
		add_message(&of[m->origin], m);
		add_message(&of[m->dest], m);
	}
	for (uint32_t k = 0; k < messages->nnodes; k++)
		if (times_as_long(&of[k], &all) >= most) {
			most = times_as_long(&of[k], &all);
			slowest = k;
		}
	if (slowest != TV_NONE)
		text = tv_format(
			" Those from or to node %s take %s on average, others of similar size %s.",
			tv_clean_text(node, sizeof node,
				      tv_pool_text(c->tasks->pool, messages->node[slowest])),
			tv_words_time(time[0], llround(of[slowest].time / of[slowest].n)),
			tv_words_time(time[1], llround((all.time - of[slowest].time)
						       / (all.n - of[slowest].n))));
	tv_free(of);
	return text != NULL ? text : tv_strdup("");
}

/* " 12 messages carry 4.2 MB; each takes ...", how long they take. Free with tv_free. */
static char *times_text(const struct tv_case *c, const struct tv_seen_messages *seen)
{
	double bytes = 0, duration = 0, fastest = 0; /* bytes per ns */
	double carried_in_time = 0;
	uint32_t n = 0, ended = 0;
	char size[32], mean[32], best[32], *slow = slow_node_text(c, seen), *text;

	for (uint32_t i = 0; i < seen->all->n; i++) {
		const struct tv_message *m = &seen->all->at[i];
		double carried = (double)m->size, took = (double)(m->end - m->start);

		if (!seen->seen[i])
			continue;
		n++;
		bytes += carried;
		/* One that had not ended when the trace did has no duration. */
		if (m->open)
			continue;
		ended++;
		carried_in_time += carried;
		duration += took;
		fastest = took > 0 && carried / took > fastest ? carried / took : fastest;
	}
	tv_bytes_text(size, sizeof size, bytes);
	text = tv_format(" %u message%s %s; each takes %s on average, from its send to its "
			 "arrival",
			 n, n == 1 ? " carries" : "s carry", size,
			 tv_words_time(mean, ended == 0 ? 0 : llround(duration / ended)));
	fastest = fastest > 0 ? carried_in_time / fastest : 0;
	if (fastest > 0 && fastest < 0.95 * duration)
		tv_append(&text, "; as fast as the fastest one it would take %s",
			  tv_words_time(best, llround(fastest / ended)));
	tv_append(&text, ".%s", slow);
	tv_free(slow);
	return text;
}

/* The same where messages are no nodes of the graph, so that nothing says which task waits for which of them. */
static int sum_carried(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	int64_t time, worker, unused;

	if (tv_case_late_starts(c, &unused, &unused, err) < 0)
		return -1;
	tv_case_sum(c, TV_ACCOUNT_IDLE, "runtime", NULL, TV_NONE, &time, &worker);
	if (c->carried == 0 || worker == 0)
		return 0;
	found->worker_ns = c->carried < worker ? c->carried : worker;
	found->time_ns = llround((double)time * (double)found->worker_ns / (double)worker);
	found->confidence = TV_ESTIMATE;
	found->alone = true; /* no cause of the account is these waits */
	return 0;
}

static int find_messages(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const struct tv_messages *messages;
	struct tv_seen_messages seen;
	char worker[TV_WORDS_OF_ALL], *times;
	bool carried; /* known by the messages alone */

	sum_waits(c, &found->time_ns, &found->worker_ns);
	carried = found->time_ns <= 0;
	if (carried && sum_carried(c, found, err) < 0)
		return -1;
	if (c->tasks->nnodes < 2 || found->time_ns < c->min_ns || found->time_ns <= 0)
		return 0;
	/* Messages among the tasks need not be in links. */
	messages = tv_run_messages(c->run, err);
	if (messages == NULL || tv_seen_messages_of(&seen, c->run, messages, false, err) < 0)
		return -1;
	times = messages->n > 0 ? times_text(c, &seen)
				: tv_strdup(" The trace does not say how large messages are.");
	tv_seen_messages_release(&seen);
	found->holds = true;
	found->text = tv_format("Workers did nothing for %s %s%s",
				tv_words_of_all(worker, c, found->worker_ns),
				carried ? "before tasks that depend on tasks of other nodes, "
					  "until messages to their node arrived. Which "
					  "message a task waited for, the trace does not say."
					: "because data from other nodes had not arrived.",
				times);
	tv_free(times);
	found->command = tv_case_plot(c, "messages", "--panels spacetime,idle-causes,bandwidth", 0,
				      0);
	return 0;
}

const struct tv_rule tv_rule_messages = {
	.id = "messages",
	.title = "workers wait for messages",
	.condition = "idle time until data from other nodes arrive costs 1 % of the makespan",
	.measures = "idle time of the cause mpi, and of dependencies blamed on message",
	.action = "Send less (another distribution of data), send urgent messages first, and let "
		  "messages progress beside tasks.",
	.in.starpu = "priorities of tasks, where STARPU_MPI_PRIORITIES must not be 0; a core for "
		     "the thread that sends (STARPU_RESERVE_NCPU=1 and STARPU_MPI_THREAD_CPUID)",
	.in.mpi = "a progress thread (MPICH: MPICH_ASYNC_PROGRESS=1, Intel MPI: "
		  "I_MPI_ASYNC_PROGRESS=1)",
	.without = TV_WITHOUT_MESSAGES,
	.find = find_messages,
};

/* ---- phases in which a node sends or receives at its full rate ---- */

enum { SLICES = 100 };

struct slices {
	int64_t step, first; /* ns; number of the first one */
	bool full[SLICES + 2];
	double busy[SLICES + 2]; /* time of workers, ns */
};

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* The slice of an instant; SLICES + 2 = none. */
static size_t slice_of(const struct slices *slices, int64_t time)
{
	int64_t at = floor_div(time, slices->step) - slices->first;

	return at < 0 || at > SLICES + 1 ? SLICES + 2 : (size_t)at;
}

static void add_busy(const struct tv_tasks *tasks, struct slices *slices)
{
	for (uint32_t row = 0; row < tasks->n; row++) {
		if (!tasks->counted[row])
			continue;
		for (int64_t t = tasks->start[row]; t < tasks->end[row];) {
			size_t at = slice_of(slices, t);
			int64_t end = (slices->first + (int64_t)at + 1) * slices->step;

			end = end < tasks->end[row] ? end : tasks->end[row];
			slices->busy[at] += (double)(end - t);
			t = end;
		}
	}
}

/* Marks slices in which a node's curve is 80 % of the largest value of all nodes. Returns the row of
 * that value, TV_NONE without any. */
static uint32_t mark_full(const struct tv_table *curves, struct slices *slices)
{
	const struct tv_column *value = tv_table_find(curves, "Value");
	const struct tv_column *start = tv_table_find(curves, "Start");
	uint32_t peak = TV_NONE;

	for (uint32_t row = 0; row < curves->nrows; row++)
		if (!tv_missing(value, row) && value->d[row] > 0
		    && (peak == TV_NONE || value->d[row] > value->d[peak]))
			peak = row;
	for (uint32_t row = 0; peak != TV_NONE && row < curves->nrows; row++) {
		size_t at = slice_of(slices, start->i[row]);

		if (at < SLICES + 2 && !tv_missing(value, row)
		    && value->d[row] >= 0.8 * value->d[peak])
			slices->full[at] = true;
	}
	return peak;
}

/* Whether messages are so small, 64 KiB on average, that what each takes shows the latency of the network and not its bandwidth. */
static bool are_small(const struct tv_messages *messages)
{
	double size = 0;

	for (uint32_t i = 0; i < messages->n; i++)
		size += (double)messages->at[i].size;
	return size < 65536.0 * messages->n;
}

static int find_network_bound(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	int64_t makespan = c->account.makespan, waits, worker, begin = 0, end = 0, time = 0;
	struct slices slices = { .step = (makespan + SLICES - 1) / SLICES };
	const struct tv_messages *messages;
	const struct tv_table *curves;
	double busy = 0;
	uint32_t peak;
	char step[TV_NUMBER_MAX], length[32], node[64];

	sum_waits(c, &waits, &worker);
	if (c->tasks->nnodes < 2 || waits < c->min_ns || slices.step == 0)
		return 0;
	messages = tv_run_messages(c->run, err);
	if (messages == NULL || messages->n == 0 || are_small(messages))
		return messages == NULL ? -1 : 0;
	tv_write_ms(step, slices.step);
	curves = tv_run_pass_with(c->run, "bandwidth", err, "step", step, NULL);
	if (curves == NULL)
		return -1;
	slices.first = floor_div(c->tasks->begin, slices.step);
	add_busy(c->tasks, &slices);
	peak = mark_full(curves, &slices);
	for (int64_t at = 0; peak != TV_NONE && at < SLICES + 2; at++)
		if (slices.full[at]
		    && slices.busy[at] < 0.5 * (double)slices.step * c->tasks->nworkers) {
			begin = time == 0 ? (slices.first + at) * slices.step : begin;
			end = (slices.first + at + 1) * slices.step;
			time += slices.step;
			busy += slices.busy[at];
		}
	if (time < makespan / 10)
		return 0;
	found->holds = true;
	found->measure_ns = llround((double)time - busy / c->tasks->nworkers);
	found->measure_ns = found->measure_ns < waits ? found->measure_ns : waits;
	found->confidence = TV_ESTIMATE;
	tv_clean_text(node, sizeof node, tv_table_text(curves, "By", peak));
	found->text = tv_format(
		"For %s a node sends or receives at 80 %% or more of the highest rate of the run "
		"(%.0f MB/s over 1 %% of the run, node %s), while workers are busy for %.0f %% of "
		"that time.",
		tv_words_time(length, time), tv_table_find(curves, "Value")->d[peak], node,
		100 * busy / ((double)time * c->tasks->nworkers));
	found->command = tv_case_plot(c, "network-bound", "--panels spacetime,bandwidth", begin,
				      end);
	return 0;
}

const struct tv_rule tv_rule_network_bound = {
	.id = "network-bound",
	.title = "the network limits a part of the run",
	.condition =
		"for 10 % of the makespan a node sends or receives at 80 % of the highest rate "
		"of any node (means over 1 % of the run), workers are busy for less than half "
		"of the time, messages have 64 KiB or more on average, and idle time for messages "
		"costs 1 % of the makespan",
	.measures =
		"Measure: the idle share of the time of these slices, up to what messages costs",
	.action = "Send less data, let several nodes send (a tree instead of one sender), or use "
		  "a faster network.",
	.in.starpu = "STARPU_MPI_COOP_SENDS",
	.see = "messages",
	.find = find_network_bound,
};
