/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_nodes.c -- load-balance and late-start: random runs by brute force. */
#include <stdio.h>

#include "analysis/messages/message_list.h"
#include "tests/unit/sample.h"

#define HEAD "ResourceId,Value,Start,End,JobId,Kind,DependsOn,Node,SubmitTime,GFlop\n"

enum { MS = 1000000, NODES = 3, WORKERS = 2, JOBS = 16, ROUNDS = 2000, NONE = -1 };
enum what { APP, SETUP, GHOST, MESSAGE };

/* Times in ms; what is not known is NONE. */
struct job {
	enum what what;
	int node, worker, dest, start, end, submit, gflop, size;
	int posted, sent; /* of messages with a link: its receive is posted, its send completes */
	bool after[JOBS]; /* depends on */
};

struct run {
	int n;
	struct job job[JOBS];
};

static int64_t number(const struct tv_table *table, const char *column, uint32_t row)
{
	const struct tv_column *c = tv_table_find(table, column);

	assert_non_null(c);
	assert_false(tv_missing(c, row));
	return c->i[row];
}

/* ---- planted ---- */

/* ---- random runs ---- */

static void make_job(struct run *run, int v, uint64_t *seed)
{
	struct job *job = &run->job[v];
	int ready = 0;

	memset(job, 0, sizeof *job);
	job->what = (enum what[]){
		APP, APP, APP, SETUP, GHOST, MESSAGE, MESSAGE
	}[v == 0 ? 0 : unit_random(seed, 7)];
	for (int u = 0; u < v; u++) {
		job->after[u] = unit_random(seed, 3) == 0;
		if (job->after[u] && run->job[u].end > ready)
			ready = run->job[u].end;
	}
	job->node = (int)unit_random(seed, NODES);
	job->dest = (int)unit_random(seed, NODES);
	job->worker = (int)unit_random(seed, WORKERS);
	job->start = ready + (int)unit_random(seed, 6);
	/* some start before what they depend on has ended */
	if (unit_random(seed, 10) == 0)
		job->start -= job->start / 3;
	job->end = job->start + (int)unit_random(seed, 7);
	job->submit = unit_random(seed, 3) > 0 ? (int)unit_random(seed, (uint32_t)job->start + 1)
					       : NONE;
	job->gflop = (int)unit_random(seed, 5) - 1;
	job->size = (int)unit_random(seed, 5) - 1;
	if (job->what == GHOST)
		job->start = job->end = 0;
	if (job->what == GHOST || job->what == MESSAGE)
		job->submit = NONE;
	job->posted = unit_random(seed, 3) > 0 ? job->start - 1 + (int)unit_random(seed, 8) : NONE;
	job->sent = unit_random(seed, 3) > 0 ? job->start + (int)unit_random(seed, 8) : NONE;
	if (job->what != MESSAGE || job->size == NONE)
		job->posted = job->sent = NONE;
}

static int optional(char *to, size_t size, int value)
{
	return value == NONE ? snprintf(to, size, ",") : snprintf(to, size, ",%d", value);
}

static int write_job(const struct run *run, int v, char *csv, size_t size)
{
	static const char *const kind[] = { "app", "setup", "ghost", "message" };
	const struct job *job = &run->job[v];
	bool placed = job->what == APP || job->what == SETUP;
	int at = 0;

	if (placed)
		at += snprintf(csv, size, "%d_C%d", job->node, job->worker);
	at += snprintf(csv + at, size - (size_t)at, ",t%d", job->worker);
	at += optional(csv + at, size - (size_t)at, job->what == GHOST ? NONE : job->start);
	at += optional(csv + at, size - (size_t)at, job->what == GHOST ? NONE : job->end);
	at += snprintf(csv + at, size - (size_t)at, ",j%d,%s,", v, kind[job->what]);
	for (int u = 0, n = 0; u < v; u++)
		if (job->after[u])
			at += snprintf(csv + at, size - (size_t)at, "%sj%d", n++ > 0 ? " " : "", u);
	at += snprintf(csv + at, size - (size_t)at, ",");
	if (placed)
		at += snprintf(csv + at, size - (size_t)at, "%d", job->node);
	at += optional(csv + at, size - (size_t)at, placed ? job->submit : NONE);
	at += optional(csv + at, size - (size_t)at, job->what == APP ? job->gflop : NONE);
	return at + snprintf(csv + at, size - (size_t)at, "\n");
}

/* The trace, with a link for every message; those of size NONE have none. */
static void make_run(struct run *run, struct sample *s, char *csv, size_t size, uint64_t *seed)
{
	size_t at = (size_t)snprintf(csv, size, HEAD);

	run->n = 2 + (int)unit_random(seed, JOBS - 1);
	for (int v = 0; v < run->n; v++) {
		make_job(run, v, seed);
		at += (size_t)write_job(run, v, csv + at, size - at);
	}
	for (int n = 0; n < NODES; n++)
		for (int w = 0; w < WORKERS; w++)
			at += (size_t)snprintf(csv + at, size - at, "%d_C%d,,,,,worker,,%d,,\n", n,
					       w, n);
	sample_make(s, csv);
	for (int v = 0; v < run->n; v++) {
		const struct job *job = &run->job[v];
		char key[16], from[16], to[16];

		if (job->what != MESSAGE || job->size == NONE)
			continue;
		snprintf(key, sizeof key, "j%d", v);
		snprintf(from, sizeof from, "%d_mpict", job->node);
		snprintf(to, sizeof to, "%d_mpict", job->dest);
		sample_message(s, key, from, to, (int64_t)job->start * MS, (int64_t)job->end * MS,
			       job->size);
		if (job->posted != NONE)
			sample_number(s, TV_LINKS, s->trace.table[TV_LINKS].nrows - 1,
				      "ReceiveStart", (int64_t)job->posted * MS);
		if (job->sent != NONE)
			sample_number(s, TV_LINKS, s->trace.table[TV_LINKS].nrows - 1, "SendEnd",
				      (int64_t)job->sent * MS);
		tv_table_finish(&s->trace.table[TV_LINKS]);
	}
}

static int first_start(const struct run *run)
{
	int begin = NONE;

	for (int v = 0; v < run->n; v++)
		if (run->job[v].what == APP && (begin == NONE || run->job[v].start < begin))
			begin = run->job[v].start;
	return begin;
}

/* ---- late-start ---- */

/* What v waited for last, through ghosts. */
static int last_of(const struct run *run, int v)
{
	int best = NONE;

	for (int k = 0; k < v; k++) {
		int u = !run->job[v].after[k]	  ? NONE
		      : run->job[k].what == GHOST ? last_of(run, k)
						  : k;

		if (u != NONE
		    && (best == NONE || run->job[u].end > run->job[best].end
			|| (run->job[u].end == run->job[best].end && u < best)))
			best = u;
	}
	return best;
}

/* The node that a message leaves: that of its link, else that of what it waited for. */
static int origin_of(const struct run *run, int v)
{
	int u;

	if (run->job[v].what != MESSAGE || run->job[v].size != NONE)
		return run->job[v].node;
	u = last_of(run, v);
	return u == NONE ? NONE : origin_of(run, u);
}

/* The shortest time of a message that is as large; -1: not known. */
static int fastest(const struct run *run, int v)
{
	int time = NONE;

	for (int u = 0; u < run->n && run->job[v].size != NONE; u++)
		if (run->job[u].what == MESSAGE && run->job[u].size >= run->job[v].size
		    && (time == NONE || run->job[u].end - run->job[u].start < time))
			time = run->job[u].end - run->job[u].start;
	return time;
}

/* The last two are parts of QUEUED. */
enum { TASK, DATA, WAITING, UNSENT, QUEUED, TRANSFER, SUBMISSION, UNPOSTED, RECEIVING, NPARTS };
static const char *const part_name[] = { "TaskTime",	   "DataTime",	   "WaitingTime",
					 "UnsentTime",	   "QueuedTime",   "TransferTime",
					 "SubmissionTime", "UnpostedTime", "ReceivingTime" };

/* 0 where no message has these times. */
static int64_t part_of(const struct tv_table *table, int part, uint32_t row)
{
	const struct tv_column *c = tv_table_find(table, part_name[part]);

	return part >= UNPOSTED && tv_missing(c, row) ? 0 : number(table, part_name[part], row);
}

static int less(int a, int b)
{
	return a < b ? a : b;
}

/* Instant by instant; the messages on the way into flight[], *message: the nearest one of the
 * instants. */
static void walk_instants(const struct run *run, int v, int part[NPARTS], int *message)
{
	int flight[JOBS] = { 0 }, unposted[JOBS] = { 0 }, receiving[JOBS] = { 0 };

	*message = NONE;
	for (int t = first_start(run); t < run->job[v].start; t++) {
		int k = v;

		for (;;) {
			const struct job *job = &run->job[k];
			int last = last_of(run, k);

			if (job->what == MESSAGE && k > *message)
				*message = k;
			if (t >= job->start) {
				part[TASK] += job->what != MESSAGE;
				if (job->what == MESSAGE) {
					flight[k]++;
					unposted[k] += t < job->posted;
					receiving[k] += t >= job->posted && job->sent != NONE
						     && t >= job->sent;
				}
			} else if (t < job->submit) {
				part[SUBMISSION]++;
			} else if (last != NONE && t < run->job[last].end) {
				k = last;
				continue;
			} else {
				part[job->what == MESSAGE ? UNSENT : WAITING]++;
			}
			break;
		}
	}
	for (int k = 0; k < run->n; k++) {
		int quick = fastest(run, k);
		int transfer = quick == NONE || quick > flight[k] ? flight[k] : quick;

		part[TRANSFER] += transfer;
		part[QUEUED] += flight[k] - transfer;
		unposted[k] = less(unposted[k], flight[k] - transfer);
		part[UNPOSTED] += unposted[k];
		part[RECEIVING] += less(receiving[k], flight[k] - transfer - unposted[k]);
	}
}

static int ahead_of(const struct run *run, int v)
{
	int n = 0;

	for (int u = 0; u < run->n; u++)
		n += run->job[u].what == MESSAGE && origin_of(run, u) == origin_of(run, v)
		  && run->job[u].end > run->job[v].start && run->job[u].end < run->job[v].end;
	return n;
}

static void check_message(const struct run *run, const struct tv_table *table, uint32_t row,
			  int message)
{
	char want[16] = "", origin[16] = "";

	if (message != NONE) {
		snprintf(want, sizeof want, "j%d", message);
		if (origin_of(run, message) != NONE)
			snprintf(origin, sizeof origin, "%d", origin_of(run, message));
		assert_int_equal(number(table, "MessagesAhead", row), ahead_of(run, message));
		assert_int_equal(number(table, "Sent", row), (int64_t)run->job[message].start * MS);
	}
	assert_string_equal(tv_table_text(table, "Message", row), want);
	assert_string_equal(tv_table_text(table, "Origin", row), origin);
}

/* The order of the first tasks of a node. */
static bool starts_first(const struct run *run, int a, int b)
{
	return run->job[a].start != run->job[b].start ? run->job[a].start < run->job[b].start
						      : a < b;
}

static void check_first(const struct run *run, const struct tv_table *table, uint32_t row, int v,
			int *found)
{
	int part[NPARTS] = { 0 }, message, last = last_of(run, v);
	char want[16] = "";
	int64_t sum = 0;

	walk_instants(run, v, part, &message);
	for (int i = 0; i < NPARTS; i++) {
		sum += i < UNPOSTED ? number(table, part_name[i], row) : 0;
		if (part_of(table, i, row) != (int64_t)part[i] * MS)
			fail_msg("j%d: %s %lld, expected %d ms", v, part_name[i],
				 (long long)part_of(table, i, row), part[i]);
		found[i] += part[i] > 0;
	}
	assert_int_equal(sum, number(table, "Delay", row));
	assert_int_equal(number(table, "Delay", row),
			 (int64_t)(run->job[v].start - first_start(run)) * MS);
	check_message(run, table, row, message);
	if (last != NONE)
		snprintf(want, sizeof want, "j%d", last);
	assert_string_equal(tv_table_text(table, "Previous", row), want);
}

/* With --chain: each step is what the one before it waited for, and the parts add up. */
static void check_chains(const struct tv_table *table, const struct tv_table *chains)
{
	uint32_t row = 0;

	for (uint32_t i = 0; i < table->nrows; i++) {
		int64_t part[NPARTS] = { 0 };
		uint32_t begin = row;

		if (tv_missing(tv_table_find(table, "First"), i)) {
			row++;
			continue;
		}
		do {
			if (row > begin)
				assert_string_equal(tv_table_text(chains, "JobId", row),
						    tv_table_text(chains, "Previous", row - 1));
			assert_int_equal(number(chains, "Step", row), row - begin);
			for (int k = 0; k < NPARTS; k++)
				part[k] += part_of(chains, k, row);
			row++;
		} while (row < chains->nrows && !tv_missing(tv_table_find(chains, "Step"), row)
			 && number(chains, "Step", row) > 0);
		assert_string_equal(tv_table_text(chains, "JobId", begin),
				    tv_table_text(table, "JobId", i));
		for (int k = 0; k < NPARTS; k++)
			assert_int_equal(part[k], part_of(table, k, i));
	}
	assert_int_equal(row, chains->nrows);
}

static void starts_of_random_runs(void **state)
{
	uint64_t seed = unit_seed(20261123);
	int found[NPARTS] = { 0 };

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		char csv[8192];
		const struct tv_table *table;
		struct sample s;
		struct run run;
		uint32_t row = 0;

		make_run(&run, &s, csv, sizeof csv, &seed);
		table = tv_run_pass_with(&s.run, "late-start", &s.err, "first", "100", NULL);
		if (table == NULL)
			fail_msg("%s\n%s", s.err.text, csv);
		for (int n = 0; n < NODES; n++) {
			bool done[JOBS] = { 0 };
			int rank = 0, v;

			do {
				v = NONE;
				for (int u = 0; u < run.n; u++)
					if (run.job[u].what == APP && run.job[u].node == n
					    && !done[u] && (v == NONE || starts_first(&run, u, v)))
						v = u;
				if (v == NONE)
					break;
				done[v] = true;
				assert_int_equal(number(table, "First", row), ++rank);
				check_first(&run, table, row++, v, found);
			} while (v != NONE);
			row += rank == 0;
		}
		assert_int_equal(row, table->nrows);
		check_chains(table, tv_run_pass_with(&s.run, "late-start", &s.err, "first", "100",
						     "chain", "yes", NULL));
		sample_release(&s);
	}
	for (int i = 0; i < NPARTS; i++)
		assert_true(i == DATA || found[i] > (i < UNPOSTED ? 100 : 20));
}

/* ---- load-balance ---- */

struct load {
	int64_t tasks, sent, received, sent_bytes, received_bytes;
	double work;
	int busy, other;
	int start, end;
	bool known;
};

static bool runs_at(const struct job *job, enum what what, int node, int worker, int t)
{
	return job->what == what && job->node == node && job->worker == worker && t >= job->start
	    && t < job->end;
}

static bool touches(const struct job *job, int begin, int end)
{
	return job->start == job->end ? job->start >= begin && job->start <= end
				      : job->start < end && job->end > begin;
}

static void load_tasks(const struct run *run, int node, int begin, int end, struct load *load)
{
	load->start = load->end = NONE;
	for (int v = 0; v < run->n; v++) {
		const struct job *job = &run->job[v];
		int inside = 0;

		if (job->what != APP || job->node != node || !touches(job, begin, end))
			continue;
		load->tasks++;
		if (load->start == NONE || job->start < load->start)
			load->start = job->start;
		load->end = job->end > load->end ? job->end : load->end;
		for (int t = begin; t < end; t++)
			inside += t >= job->start && t < job->end;
		load->known |= job->gflop != NONE;
		if (job->gflop != NONE)
			load->work += job->end == job->start
					    ? job->gflop
					    : (double)job->gflop * inside / (job->end - job->start);
	}
}

/* Of a whole run all messages, of a window those that messages lists. */
static void load_messages(const struct run *run, int node, const struct tv_table *listed,
			  struct load *load)
{
	char name[8];

	snprintf(name, sizeof name, "%d", node);
	for (int v = 0; listed == NULL && v < run->n; v++) {
		const struct job *job = &run->job[v];

		if (job->what != MESSAGE || job->size == NONE)
			continue;
		load->sent += job->node == node;
		load->received += job->dest == node;
		load->sent_bytes += job->node == node ? job->size : 0;
		load->received_bytes += job->dest == node ? job->size : 0;
	}
	for (uint32_t row = 0; listed != NULL && row < listed->nrows; row++) {
		bool from = strcmp(tv_table_text(listed, "Origin", row), name) == 0,
		     to = strcmp(tv_table_text(listed, "Dest", row), name) == 0;

		load->sent += from;
		load->received += to;
		load->sent_bytes += from ? number(listed, "Size", row) : 0;
		load->received_bytes += to ? number(listed, "Size", row) : 0;
	}
}

/* listed: the messages of a window; NULL = of the whole run. */
static void load_of(const struct run *run, int node, int begin, int end,
		    const struct tv_table *listed, struct load *load)
{
	memset(load, 0, sizeof *load);
	load_tasks(run, node, begin, end, load);
	for (int w = 0; w < WORKERS; w++)
		for (int t = begin; t < end; t++) {
			bool app = false, setup = false;

			for (int v = 0; v < run->n; v++) {
				app |= runs_at(&run->job[v], APP, node, w, t);
				setup |= runs_at(&run->job[v], SETUP, node, w, t);
			}
			load->busy += app;
			load->other += setup && !app;
		}
	load_messages(run, node, listed, load);
}

static const char *const summed[] = { "Workers",
				      "Tasks",
				      "Busy",
				      "Other",
				      "Idle",
				      "IdleData",
				      "IdleRuntime",
				      "IdleElsewhere",
				      "IdleMpi",
				      "IdleUnsuited",
				      "IdleDependencies",
				      "IdleNotSubmitted",
				      "IdleDrain",
				      "IdleUnexplained",
				      "MessagesSent",
				      "BytesSent",
				      "MessagesReceived",
				      "BytesReceived" };
enum { FIRST_CAUSE = 5, FIRST_MESSAGE = 14 };

static void check_conserved(const struct tv_table *table, int length, bool messages)
{
	for (size_t i = 0; i < (messages ? TV_COUNT(summed) : FIRST_MESSAGE); i++) {
		int64_t sum = 0;

		for (uint32_t row = 1; row < table->nrows; row++)
			sum += number(table, summed[i], row);
		assert_int_equal(number(table, summed[i], 0), sum);
	}
	for (uint32_t row = 0; row < table->nrows; row++) {
		int64_t idle = 0;

		for (size_t i = FIRST_CAUSE; i < FIRST_MESSAGE; i++)
			idle += number(table, summed[i], row);
		assert_int_equal(idle, number(table, "Idle", row));
		assert_int_equal(number(table, "Busy", row) + number(table, "Other", row) + idle,
				 (int64_t)length * MS * number(table, "Workers", row));
	}
}

static void check_load(const struct tv_table *table, uint32_t row, const struct load *want,
		       bool messages)
{
	const struct tv_column *work = tv_table_find(table, "Work");

	assert_int_equal(number(table, "Tasks", row), want->tasks);
	assert_int_equal(number(table, "Busy", row), (int64_t)want->busy * MS);
	assert_int_equal(number(table, "Other", row), (int64_t)want->other * MS);
	assert_int_equal(tv_missing(work, row), !want->known);
	if (want->known)
		assert_true(work->d[row] - want->work < 1e-9 && want->work - work->d[row] < 1e-9);
	assert_int_equal(tv_missing(tv_table_find(table, "Start"), row), want->tasks == 0);
	if (want->tasks > 0) {
		assert_int_equal(number(table, "Start", row), (int64_t)want->start * MS);
		assert_int_equal(number(table, "End", row), (int64_t)want->end * MS);
	}
	assert_int_equal(tv_missing(tv_table_find(table, "MessagesSent"), row), !messages);
	if (!messages)
		return;
	assert_int_equal(number(table, "MessagesSent", row), want->sent);
	assert_int_equal(number(table, "BytesSent", row), want->sent_bytes);
	assert_int_equal(number(table, "MessagesReceived", row), want->received);
	assert_int_equal(number(table, "BytesReceived", row), want->received_bytes);
}

/* ABE: those of bounds. */
static void check_abe(struct sample *s, const struct tv_table *table)
{
	const struct tv_table *bounds = tv_run_pass_with(&s->run, "bounds", &s->err, NULL);
	const struct tv_column *abe = tv_table_find(table, "ABE");
	uint32_t found = 0, known = 0;

	for (uint32_t row = 0; row < table->nrows; row++) {
		known += !tv_missing(abe, row);
		for (uint32_t k = 0; k < bounds->nrows; k++)
			if (strcmp(tv_table_text(bounds, "Bound", k), "abe") == 0
			    && strcmp(tv_table_text(bounds, "Node", k),
				      tv_table_text(table, "Node", row))
				       == 0) {
				assert_int_equal(number(table, "ABE", row),
						 number(bounds, "Time", k));
				found++;
			}
	}
	assert_true(found > 0);
	assert_int_equal(found, known);
}

/* The messages of a window are all that touch it, and others only if they caused idle time in it. */
static void check_listed(const struct run *run, int begin, int end, const struct tv_table *listed)
{
	int want = 0, touching = 0;

	for (int v = 0; v < run->n; v++) {
		const struct job *job = &run->job[v];

		want += job->what == MESSAGE && job->size != NONE && job->start <= end
		     && job->end >= begin;
	}
	for (uint32_t row = 0; row < listed->nrows; row++)
		if (number(listed, "Start", row) <= (int64_t)end * MS
		    && number(listed, "End", row) >= (int64_t)begin * MS)
			touching++;
		else
			assert_true(number(listed, "Wait", row) > 0);
	assert_int_equal(touching, want);
}

static void loads_of_random_runs(void **state)
{
	uint64_t seed = unit_seed(20261124);
	int windows = 0;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		char csv[8192];
		const struct tv_table *table, *types, *listed = NULL;
		struct sample s;
		struct run run;
		int begin, end;
		bool messages;

		make_run(&run, &s, csv, sizeof csv, &seed);
		messages = s.trace.table[TV_LINKS].nrows > 0;
		begin = first_start(&run);
		end = (int)(s.run.tasks.finish / MS);
		if (end - begin > 4 && unit_random(&seed, 2) == 0) {
			begin += (int)unit_random(&seed, (uint32_t)(end - begin - 2));
			end -= (int)unit_random(&seed, (uint32_t)(end - begin - 1));
			s.run.window = (struct tv_window){ true, (int64_t)begin * MS,
							   (int64_t)end * MS };
			windows++;
		}
		table = tv_run_pass_with(&s.run, "load-balance", &s.err, NULL);
		types = tv_run_pass_with(&s.run, "load-balance", &s.err, "by", "type", NULL);
		if (table == NULL || types == NULL)
			fail_msg("%s\n%s", s.err.text, csv);
		if (messages && s.run.window.set) {
			listed = tv_run_pass_with(&s.run, "messages", &s.err, NULL);
			assert_non_null(listed);
			check_listed(&run, begin, end, listed);
		}
		assert_int_equal(table->nrows, NODES + 1);
		check_conserved(table, end - begin, messages);
		check_conserved(types, end - begin, false);
		for (int n = 0; n < NODES; n++) {
			struct load want;

			load_of(&run, n, begin, end, listed, &want);
			check_load(table, (uint32_t)n + 1, &want, messages);
		}
		if (!tv_run_cut(&s.run))
			check_abe(&s, table);
		sample_release(&s);
	}
	assert_true(windows > ROUNDS / 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(starts_of_random_runs),
		cmocka_unit_test(loads_of_random_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
