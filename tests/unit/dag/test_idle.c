/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_idle.c -- causes of idle time, against looking at every nanosecond. */
#include <stdio.h>

#include "analysis/core/idle.h"
#include "dag/blame.h"
#include "tests/unit/sample.h"

/* ---- every nanosecond ---- */

enum { ROUNDS = 10000, LENGTH = 24, TASKS = 11, WORKERS = 5, TYPES = 3, CALLS = 2 };
enum { NONE = -1 };

struct task {
	int worker, start, end, submit; /* worker NONE: ghost, or message if it has times */
	int type, same;			/* same: the task of which this is one more run */
	bool app, deps[TASKS];
	int fetch_begin, fetch_end;
};

struct world {
	struct task task[TASKS];
	int n, nworkers, begin, finish;
	int node[WORKERS], rtype[WORKERS];
	bool anywhere, runs[TYPES][TYPES]; /* task type x worker type */
	int since[WORKERS];		   /* idle without own task since; NONE */
	int call[WORKERS][CALLS][2];	   /* begin, end */
	int loop[WORKERS][CALLS][2];
	int64_t time[WORKERS][LENGTH + 1][TV_IDLE_NCAUSES];
	int64_t blamed[WORKERS][LENGTH + 1][TV_NBLAMES];
	int64_t by_type[LENGTH + 1][TV_NBLAMES][TYPES];		      /* tasks only */
	int by_message[LENGTH + 1][TASKS], lacked[LENGTH + 1][TASKS]; /* of dependencies, of mpi */
	int fetched[LENGTH + 1][TASKS];				      /* of data, for the task */
};

static int until(const struct world *w, int v)
{
	int end = w->task[v].end;

	for (int i = 0; i < w->n; i++)
		if (w->task[i].same == v && w->task[i].end > end)
			end = w->task[i].end;
	return end;
}

/* What v lacks at t: 0 nothing, 1 only messages that lack nothing themselves, 2 more. */
static int lacks(const struct world *w, int v, int t)
{
	const struct task *task = &w->task[v];
	int lack = task->end != NONE && task->submit > t ? 2 : 0;

	for (int u = 0; u < v; u++) {
		int more = 0;

		if (!task->deps[u])
			continue;
		if (w->task[u].end == NONE)
			more = lacks(w, u, t);
		else if (until(w, u) > t)
			more = w->task[u].worker != NONE || lacks(w, u, t) > 0 ? 2 : 1;
		lack = more > lack ? more : lack;
	}
	return lack;
}

static int first_of(const struct world *w, int i)
{
	return w->task[i].same == NONE ? i : w->task[i].same;
}

/* An execution also follows those of its job that ended before it started. */
static int row_lacks(const struct world *w, int i, int t)
{
	int lack = lacks(w, first_of(w, i), t);

	for (int k = 0; k < w->n; k++)
		if (first_of(w, k) == first_of(w, i) && w->task[k].app
		    && w->task[k].end > w->task[k].start && w->task[k].end <= w->task[i].start
		    && w->task[k].end > t)
			lack = 2;
	return lack;
}

static bool can_run(const struct world *w, int worker, int i)
{
	return w->node[w->task[i].worker] == w->node[worker]
	    && (w->anywhere || w->runs[w->task[i].type][w->rtype[worker]]);
}

/* Kuhn's algorithm: whether one more worker can be given one of the tasks in free[]. */
static bool match(const struct world *w, int worker, const bool *free, int *worker_of, bool *seen)
{
	for (int i = 0; i < w->n; i++) {
		if (!free[i] || seen[i] || !can_run(w, worker, i))
			continue;
		seen[i] = true;
		if (worker_of[i] == NONE || match(w, worker_of[i], free, worker_of, seen)) {
			worker_of[i] = worker;
			return true;
		}
	}
	return false;
}

static int count_type(const struct world *w, int rtype)
{
	int n = 0;

	for (int k = 0; k < w->nworkers; k++)
		n += w->rtype[k] == rtype;
	return n;
}

/* Rarest type first, then idle for longest, then the order of the workers. */
static bool served_before(const struct world *w, int a, int b)
{
	int x = w->anywhere ? 0 : count_type(w, w->rtype[a]);
	int y = w->anywhere ? 0 : count_type(w, w->rtype[b]);

	if (x != y)
		return x < y;
	if (!w->anywhere && w->rtype[a] != w->rtype[b])
		return w->rtype[a] < w->rtype[b];
	return w->since[a] != w->since[b] ? w->since[a] < w->since[b] : a < b;
}

/* Marks in covered[] the workers of a node that the tasks in free[] can occupy. */
static void cover(const struct world *w, int node, const bool *free, bool *covered)
{
	int worker_of[TASKS];
	bool done[WORKERS] = { false };

	for (int i = 0; i < w->n; i++)
		worker_of[i] = NONE;
	for (;;) {
		bool seen[TASKS] = { false };
		int next = NONE;

		for (int k = 0; k < w->nworkers; k++)
			if (!done[k] && w->node[k] == node && w->since[k] != NONE
			    && (next == NONE || served_before(w, k, next)))
				next = k;
		if (next == NONE)
			return;
		done[next] = true;
		covered[next] = match(w, next, free, worker_of, seen);
	}
}

/* What the tasks of one node are at t. */
struct scene {
	bool released[TASKS], any[TASKS]; /* less those that their own idle worker has */
	int left, submitted, unsubmitted;
	int own[WORKERS];
};

static bool idle_at(const struct world *w, int worker, int t)
{
	for (int i = 0; i < w->n; i++)
		if (w->task[i].worker == worker && w->task[i].start <= t && t < w->task[i].end)
			return false;
	return true;
}

static bool calls_at(const struct world *w, int worker, int t)
{
	for (int i = 0; i < CALLS; i++)
		if (w->call[worker][i][0] <= t && t < w->call[worker][i][1])
			return true;
	return false;
}

/* Whether tasks of its node are submitted in a loop, which then has their work. */
static bool creates(const struct world *w, int worker, const int loop[2])
{
	for (int i = 0; i < w->n; i++)
		if (w->task[i].worker != NONE && w->node[w->task[i].worker] == w->node[worker]
		    && w->task[i].submit != NONE && loop[0] <= w->task[i].submit
		    && w->task[i].submit < loop[1])
			return true;
	return false;
}

static bool loops_at(const struct world *w, int worker, int t)
{
	for (int i = 0; i < CALLS; i++)
		if (w->loop[worker][i][0] <= t && t < w->loop[worker][i][1]
		    && !creates(w, worker, w->loop[worker][i]))
			return true;
	return false;
}

/* Runs nothing and is in no call or loop. */
static bool free_at(const struct world *w, int worker, int t)
{
	return idle_at(w, worker, t) && !calls_at(w, worker, t) && !loops_at(w, worker, t);
}

static void look(const struct world *w, int node, int t, struct scene *scene)
{
	memset(scene, 0, sizeof *scene);
	for (int k = 0; k < w->nworkers; k++)
		scene->own[k] = NONE;
	for (int i = 0; i < w->n; i++) {
		const struct task *task = &w->task[i];
		int *own;

		if (!task->app || w->node[task->worker] != node || task->start <= t)
			continue;
		if (w->task[first_of(w, i)].submit > t)
			scene->unsubmitted++;
		else
			scene->submitted++;
		scene->released[i] = row_lacks(w, i, t) == 0;
		scene->any[i] = row_lacks(w, i, t) <= 1;
		own = &scene->own[task->worker];
		if (scene->released[i] && free_at(w, task->worker, t)
		    && (*own == NONE || task->start < w->task[*own].start))
			*own = i;
	}
	for (int k = 0; k < w->nworkers; k++)
		if (scene->own[k] != NONE)
			scene->released[scene->own[k]] = scene->any[scene->own[k]] = false;
	for (int i = 0; i < w->n; i++)
		scene->left += scene->released[i];
}

static bool fetching(const struct world *w, int i, int t)
{
	return w->task[i].fetch_begin <= t && t < w->task[i].fetch_end;
}

/* Of the nodes that have a time, and that v depends on, directly or through ghosts, the one that
 * ended last: `best` if none ended later. */
static int last_before(const struct world *w, int v, int best)
{
	for (int u = 0; u < v; u++) {
		if (!w->task[v].deps[u])
			continue;
		if (w->task[u].end == NONE)
			best = last_before(w, u, best);
		else if (best == NONE || until(w, u) > until(w, best)
			 || (until(w, u) == until(w, best) && u < best))
			best = u;
	}
	return best;
}

/* The execution of job v that started first. */
static int opens(const struct world *w, int v)
{
	int first = v;

	for (int i = 0; i < w->n; i++)
		if (w->task[i].same == v && w->task[i].start < w->task[first].start)
			first = i;
	return first;
}

/* What the worker waits for at t; *on: the execution or message that is blamed. */
static enum tv_blame blame(const struct world *w, int worker, int t, int *on)
{
	int v = NONE;

	for (int i = 0; i < w->n; i++)
		if (w->task[i].app && w->task[i].worker == worker && w->task[i].start > t
		    && (v == NONE || w->task[i].start < w->task[v].start))
			v = i;
	if (v == NONE)
		return TV_BLAME_NO_NEXT_TASK;
	for (v = first_of(w, v);; v = last_before(w, v, NONE)) {
		*on = opens(w, v);
		if (w->task[*on].start <= t && t < until(w, v))
			return w->task[v].worker == NONE ? TV_BLAME_MESSAGE : TV_BLAME_TASK;
		if (w->task[v].submit > t)
			return TV_BLAME_SUBMISSION;
		if (lacks(w, v, t) == 0)
			return TV_BLAME_WAITING;
	}
}

/* Whether a task not started lacks nothing but messages at t. */
static bool lacks_messages(const struct world *w, int i, int t)
{
	return w->task[i].app && w->task[i].start > t && row_lacks(w, i, t) == 1;
}

/* The message for which a worker of the cause mpi waits at t. */
static int lacking(const struct world *w, int worker, int t)
{
	int next = NONE, first = NONE;

	for (int i = 0; i < w->n; i++)
		if (w->task[i].app && w->task[i].worker == worker && w->task[i].start > t
		    && (next == NONE || w->task[i].start < w->task[next].start))
			next = i;
	if (next != NONE && lacks_messages(w, next, t))
		return last_before(w, first_of(w, next), NONE);
	for (int anywhere = 0; anywhere < 2 && first == NONE; anywhere++)
		for (int i = 0; i < w->n; i++)
			if (w->task[i].app && w->node[w->task[i].worker] == w->node[worker]
			    && lacks_messages(w, i, t) && (anywhere || can_run(w, worker, i))
			    && (first == NONE || w->task[i].start < w->task[first].start))
				first = i;
	return last_before(w, first_of(w, first), NONE);
}

static void judge(struct world *w, int node, int t)
{
	bool by_released[WORKERS] = { false }, by_any[WORKERS] = { false };
	struct scene scene;
	int left;

	look(w, node, t, &scene);
	for (int k = 0; k < w->nworkers; k++) {
		bool waits = w->node[k] == node && free_at(w, k, t) && scene.own[k] == NONE;

		if (w->node[k] == node && (!waits || w->since[k] == NONE))
			w->since[k] = waits ? t : NONE;
	}
	cover(w, node, scene.released, by_released);
	cover(w, node, scene.any, by_any);
	left = scene.left;
	for (int k = 0; k < w->nworkers; k++)
		left -= by_released[k];
	for (int k = 0; k < w->nworkers; k++) {
		int cause = calls_at(w, k, t) ? TV_IDLE_IN_MPI_CALL
			  : loops_at(w, k, t) ? TV_IDLE_IN_LOOP
			  : scene.own[k] != NONE
				  ? fetching(w, scene.own[k], t) ? TV_IDLE_DATA : TV_IDLE_RUNTIME
			  : by_released[k]	  ? TV_IDLE_ELSEWHERE
			  : by_any[k]		  ? TV_IDLE_MPI
			  : left > 0		  ? TV_IDLE_UNSUITED
			  : scene.submitted > 0	  ? TV_IDLE_DEPENDENCIES
			  : scene.unsubmitted > 0 ? TV_IDLE_NOT_SUBMITTED
						  : TV_IDLE_DRAIN;

		if (w->node[k] != node || !idle_at(w, k, t))
			continue;
		w->time[k][t][cause]++;
		if (cause == TV_IDLE_DEPENDENCIES) {
			int on = NONE;
			enum tv_blame what = blame(w, k, t, &on);

			w->blamed[k][t][what]++;
			if (on != NONE && w->task[on].worker != NONE)
				w->by_type[t][what][w->task[on].type]++;
			if (what == TV_BLAME_MESSAGE)
				w->by_message[t][on]++;
		}
		if (cause == TV_IDLE_MPI)
			w->lacked[t][lacking(w, k, t)]++;
		if (cause == TV_IDLE_DATA)
			w->fetched[t][scene.own[k]]++;
	}
}

/* ---- random worlds ---- */

static void make_workers(struct world *w, uint64_t *seed)
{
	w->nworkers = 2 + (int)unit_random(seed, WORKERS - 1);
	/* In the order of the view: by node, then type, then number. */
	for (int k = 0; k < w->nworkers; k++) {
		bool next = k > 0 && unit_random(seed, 4) == 0 && w->node[k - 1] == 0;

		w->node[k] = k == 0 ? 0 : w->node[k - 1] + next;
		w->rtype[k] = k == 0 || next ? 0 : w->rtype[k - 1];
		if (unit_random(seed, 2) && w->rtype[k] < TYPES - 1)
			w->rtype[k]++;
		w->since[k] = NONE;
		for (int i = 0; i < CALLS && unit_random(seed, 3) == 0; i++) {
			w->call[k][i][0] = (int)unit_random(seed, LENGTH);
			w->call[k][i][1] = w->call[k][i][0] + (int)unit_random(seed, 8);
		}
		for (int i = 0; i < CALLS && unit_random(seed, 3) == 0; i++) {
			w->loop[k][i][0] = (int)unit_random(seed, LENGTH);
			w->loop[k][i][1] = w->loop[k][i][0] + (int)unit_random(seed, 8);
		}
	}
}

static void make_task(struct world *w, int i, uint64_t *seed)
{
	struct task *task = &w->task[i];
	uint64_t kind = unit_random(seed, 12);
	int length = (int)unit_random(seed, 6);

	*task = (struct task){ NONE, NONE, NONE, NONE, NONE, NONE, false, { false }, NONE, NONE };
	for (int u = 0; u < i; u++)
		task->deps[u] = w->task[u].same == NONE && unit_random(seed, 5) == 0;
	if (i > 0 && kind == 0)
		return; /* a ghost */
	task->start = (int)unit_random(seed, (uint64_t)(LENGTH - length));
	task->end = task->start + length;
	if (i > 0 && kind <= 2)
		return; /* a message */
	task->worker = (int)unit_random(seed, (uint64_t)w->nworkers);
	task->type = (int)unit_random(seed, TYPES);
	task->app = i == 0 || kind > 3;
	task->submit = unit_random(seed, 2) ? NONE : (int)unit_random(seed, LENGTH);
	if (i > 0 && task->app && unit_random(seed, 8) == 0 && w->task[i - 1].app
	    && w->task[i - 1].start != task->start && w->task[i - 1].same == NONE) {
		/* one more run of the task before; a job is submitted once */
		task->same = i - 1;
		memset(task->deps, 0, sizeof task->deps);
		task->submit = w->task[i - 1].submit;
	}
	if (task->app && task->start > 1 && unit_random(seed, 3) == 0) {
		task->fetch_end = task->start;
		task->fetch_begin = (int)unit_random(seed, (uint64_t)task->start);
	}
}

static void number(char *out, size_t size, int time)
{
	if (time == NONE)
		out[0] = '\0';
	else
		snprintf(out, size, "0.0000%02d", time);
}

static void write_task(const struct world *w, int i, char *csv, size_t size)
{
	const struct task *task = &w->task[i];
	char start[20], end[20], submit[20], worker[20] = "", deps[8 * TASKS] = "";
	const char *kind = task->end == NONE	? "ghost"
			 : task->worker == NONE ? "message"
			 : task->app		? "app"
						: "setup";
	size_t at = strlen(csv);

	number(start, sizeof start, task->start);
	number(end, sizeof end, task->end);
	number(submit, sizeof submit, task->submit);
	if (task->worker != NONE)
		snprintf(worker, sizeof worker, "W%d", task->worker);
	for (int u = 0; u < i; u++)
		if (task->deps[u])
			snprintf(deps + strlen(deps), sizeof deps - strlen(deps), "%sj%d",
				 deps[0] == '\0' ? "" : " ", u);
	snprintf(csv + at, size - at, "%s,t%d,%s,%s,j%d,%s,%s,%s,", worker, task->type, start, end,
		 first_of(w, i), kind, deps, submit);
	at = strlen(csv);
	if (task->worker == NONE)
		snprintf(csv + at, size - at, ",,\n");
	else
		snprintf(csv + at, size - at, "%d,T%d,h%d\n", w->node[task->worker],
			 w->rtype[task->worker], i);
}

static void make_world(struct world *w, char *csv, size_t size, uint64_t *seed)
{
	memset(w, 0, sizeof *w);
	make_workers(w, seed);
	w->anywhere = unit_random(seed, 3) == 0;
	w->n = 2 + (int)unit_random(seed, TASKS - 1);
	w->begin = LENGTH;
	snprintf(csv, size,
		 "ResourceId,Value,Start,End,JobId,Kind,DependsOn,SubmitTime,Node,ResourceType,"
		 "Handles\n");
	for (int i = 0; i < w->n; i++) {
		struct task *task = &w->task[i];

		make_task(w, i, seed);
		if (task->app) {
			w->runs[task->type][w->rtype[task->worker]] = true;
			w->begin = task->start < w->begin ? task->start : w->begin;
			w->finish = task->end > w->finish ? task->end : w->finish;
		}
		write_task(w, i, csv, size);
	}
	for (int k = 0; k < w->nworkers; k++)
		snprintf(csv + strlen(csv), size - strlen(csv), "W%d,,,,,worker,,,%d,T%d,\n", k,
			 w->node[k], w->rtype[k]);
}

/* The memory node from which the data of a task come. */
static int source_of(const struct world *w, int i)
{
	return (w->task[i].worker + 1) % w->nworkers;
}

/* The transfer of every task, of a handle of its own. */
static void add_transfers(const struct world *w, struct sample *s)
{
	for (int k = 0; k < w->nworkers; k++) {
		char name[20], memory[20], node[20];

		snprintf(name, sizeof name, "W%d", k);
		snprintf(memory, sizeof memory, "M%d", k);
		snprintf(node, sizeof node, "%d", w->node[k]);
		sample_memory(s, name, node, k);
		sample_memory(s, memory, node, k);
	}
	for (int i = 0; i < w->n; i++) {
		char handle[20], memory[20];
		uint32_t last;

		if (w->task[i].fetch_begin >= w->task[i].fetch_end)
			continue;
		snprintf(handle, sizeof handle, "h%d", i);
		snprintf(memory, sizeof memory, "M%d", w->task[i].worker);
		sample_transfer(s, memory, handle, w->task[i].fetch_begin, w->task[i].fetch_end);
		snprintf(memory, sizeof memory, "M%d", source_of(w, i));
		last = s->trace.table[TV_LINKS].nrows - 1;
		sample_text(s, TV_LINKS, last, "Type", "Intra-node data Fetch");
		sample_text(s, TV_LINKS, last, "Origin", memory);
		tv_table_finish(&s->trace.table[TV_LINKS]);
	}
}

/* The table calls; those of one thread may overlap. */
static void add_calls(const struct world *w, struct sample *s)
{
	char name[20];

	for (int k = 0; k < w->nworkers; k++)
		for (int i = 0; i < CALLS; i++) {
			if (w->call[k][i][1] == 0)
				continue;
			snprintf(name, sizeof name, "W%d", k);
			sample_in_call(s, name, "MPI_Recv", w->call[k][i][0], w->call[k][i][1]);
		}
}

/* States of OpenMP; those of one thread may overlap. Whether a worker is in one that counts. */
static bool add_loops(const struct world *w, struct sample *s)
{
	struct tv_table *states = &s->trace.table[TV_STATES];
	bool any = false;
	char name[20];

	for (int k = 0; k < w->nworkers; k++)
		for (int i = 0; i < CALLS; i++) {
			const int *loop = w->loop[k][i];
			uint32_t row;

			if (loop[1] == 0)
				continue;
			row = tv_table_add_row(states);
			snprintf(name, sizeof name, "W%d", k);
			sample_text(s, TV_STATES, row, "ResourceId", name);
			sample_text(s, TV_STATES, row, "Type", "OpenMP State");
			sample_text(s, TV_STATES, row, "Value", i % 2 == 0 ? "Loop" : "Sections");
			tv_set_int(tv_trace_column(&s->trace, TV_STATES, "Start"), row, loop[0]);
			tv_set_int(tv_trace_column(&s->trace, TV_STATES, "End"), row, loop[1]);
			any |= loop[0] < loop[1] && !creates(w, k, loop);
		}
	tv_table_finish(states);
	return any;
}

/* The columns of what is blamed, of one row from t to `to`. */
static void compare_blamed(const struct world *w, const struct tv_table *table, uint32_t row, int k,
			   int t, int to, const char *csv)
{
	int64_t sum = 0;

	for (int b = 0; b < TV_NBLAMES; b++) {
		const char *column = tv_blame_column(b);
		int64_t want = 0, got = tv_table_find(table, column)->i[row];

		for (int u = t; u < to; u++)
			want += w->blamed[k][u][b];
		if (got != want)
			fail_msg("W%d from %d: %s %lld, expected %lld\n%s", k, t, column,
				 (long long)got, (long long)want, csv);
		sum += got;
	}
	assert_int_equal(sum, tv_table_find(table, "Time")->i[row]);
}

/* By blame: the tasks of each type; and all times add up. */
static void compare_types(const struct world *w, struct sample *s, int begin, int end,
			  const char *csv)
{
	const struct tv_table *table;
	int64_t left[TV_NBLAMES][TYPES] = { { 0 } }, all = 0;

	table = tv_run_pass_with(&s->run, "idle-causes", &s->err, "by", "blame", "can-run",
				 w->anywhere ? "anywhere" : "observed", NULL);
	if (table == NULL)
		fail_msg("%s\n%s", s->err.text, csv);
	for (int t = begin; t < end; t++)
		for (int k = 0; k < w->nworkers; k++)
			for (int c = 0; c < TV_IDLE_NCAUSES; c++)
				all += w->time[k][t][c];
	for (int t = begin; t < end; t++)
		for (int b = 0; b < TV_NBLAMES; b++)
			for (int y = 0; y < TYPES; y++)
				left[b][y] += w->by_type[t][b][y];
	for (uint32_t row = 0; row < table->nrows; row++) {
		int64_t time = tv_table_find(table, "Time")->i[row];
		int b = 0, type;

		all -= time;
		if (tv_missing(tv_table_find(table, "Value"), row))
			continue;
		while (strcmp(tv_blame_name(b), tv_table_text(table, "Blame", row)) != 0)
			b++;
		assert_int_equal(sscanf(tv_table_text(table, "Value", row), "t%d", &type), 1);
		left[b][type] -= time;
	}
	assert_int_equal(all, 0);
	for (int b = 0; b < TV_NBLAMES; b++)
		for (int y = 0; y < TYPES; y++)
			if (left[b][y] != 0)
				fail_msg("%s t%d: %lld ns too few\n%s", tv_blame_name(b), y,
					 (long long)left[b][y], csv);
}

/* The name of what brings data to task i, or of message i, in idle-causes --by cause,KEY. */
static void carrier_name(const struct world *w, int i, const char *key, char *text, size_t size)
{
	bool message = w->task[i].worker == NONE;
	int from = message ? i % 2 : source_of(w, i);
	int to = message ? 1 - i % 2 : w->task[i].worker;
	const char *place = message ? "" : "M";

	if (strcmp(key, "cause,handle") == 0)
		snprintf(text, size, "%s%d of %d", message ? "g" : "h", message ? i % 3 : i,
			 message ? from : w->node[from]);
	else if (strcmp(key, "cause,link") == 0)
		snprintf(text, size, "%s%d->%s%d", place, from, place, to);
	else
		snprintf(text, size, "%s%d", place, from);
}

/* The time of a cause at t because of i: all that is detailed. */
static int detailed(const struct world *w, enum tv_idle_cause cause, int t, int i)
{
	return cause == TV_IDLE_DATA	     ? w->fetched[t][i]
	     : cause == TV_IDLE_MPI	     ? w->lacked[t][i]
	     : cause == TV_IDLE_DEPENDENCIES ? w->by_message[t][i]
					     : 0;
}

static enum tv_idle_cause cause_of(const struct tv_table *table, uint32_t row)
{
	int c = 0;

	while (strcmp(tv_idle_cause_name((enum tv_idle_cause)c), tv_table_text(table, "Cause", row))
	       != 0)
		c++;
	return (enum tv_idle_cause)c;
}

/* One row, from its slice's instants. Returns whether it is about something that is named. */
static bool compare_detail(const struct world *w, const struct tv_table *table, uint32_t row,
			   const char *key, const char *csv)
{
	enum tv_idle_cause cause = cause_of(table, row);
	char got[80], name[80];
	int64_t want = 0, start = tv_table_find(table, "Start")->i[row];

	if (strcmp(key, "cause,handle") == 0)
		snprintf(got, sizeof got, "%.20s of %.20s", tv_table_text(table, "Handle", row),
			 tv_table_text(table, "Node", row));
	else
		snprintf(got, sizeof got, "%.40s%.20s", tv_table_text(table, "Link", row),
			 tv_table_text(table, "Sender", row));
	if (got[0] == '\0' || got[0] == ' ')
		return false;
	for (int64_t t = start; t < tv_table_find(table, "End")->i[row]; t++)
		for (int i = 0; i < w->n; i++) {
			carrier_name(w, i, key, name, sizeof name);
			if (strcmp(name, got) == 0)
				want += detailed(w, cause, (int)t, i);
		}
	if (want != tv_table_find(table, "Time")->i[row] || want == 0)
		fail_msg("%s from %lld: %s, %s: %lld, expected %lld\n%s", key, (long long)start,
			 tv_idle_cause_name(cause), got,
			 (long long)tv_table_find(table, "Time")->i[row], (long long)want, csv);
	return true;
}

/* By handle, link and sender: each row, and the sums of all. */
static void compare_details(const struct world *w, struct sample *s, int begin, int end,
			    const char *step, const char *csv)
{
	static const char *const keys[] = { "cause,handle", "cause,link", "cause,sender" };

	for (size_t k = 0; k < TV_COUNT(keys); k++) {
		const struct tv_table *table = tv_run_pass_with(
			&s->run, "idle-causes", &s->err, "by", keys[k], "can-run",
			w->anywhere ? "anywhere" : "observed", "step", step, NULL);
		int64_t left[TV_IDLE_NCAUSES] = { 0 }, all[TV_IDLE_NCAUSES] = { 0 };

		if (table == NULL)
			fail_msg("%s\n%s", s->err.text, csv);
		for (int t = begin; t < end; t++)
			for (int c = 0; c < TV_IDLE_NCAUSES; c++) {
				for (int i = 0; i < w->n; i++)
					left[c] += detailed(w, (enum tv_idle_cause)c, t, i);
				for (int i = 0; i < w->nworkers; i++)
					all[c] += w->time[i][t][c];
			}
		for (uint32_t row = 0; row < table->nrows; row++) {
			enum tv_idle_cause cause = cause_of(table, row);
			int64_t time = tv_table_find(table, "Time")->i[row], blamed = 0;

			all[cause] -= time;
			if (compare_detail(w, table, row, keys[k], csv))
				left[cause] -= time;
			for (int b = 0; cause == TV_IDLE_DEPENDENCIES && b < TV_NBLAMES; b++)
				blamed += tv_table_find(table, tv_blame_column(b))->i[row];
			assert_int_equal(blamed, cause == TV_IDLE_DEPENDENCIES ? time : 0);
		}
		for (int c = 0; c < TV_IDLE_NCAUSES; c++) {
			assert_int_equal(all[c], 0);
			assert_int_equal(left[c], 0);
		}
	}
}

/* The wait of every message; messages() tells it for those that workers can run on as observed. */
static void compare_messages(const struct world *w, struct sample *s, int begin, int end,
			     const char *step, const char *csv)
{
	const struct tv_table *table;
	int n = 0;

	for (int i = 0; i < w->n; i++) {
		char key[20];
		bool odd = i % 2 != 0;

		if (w->task[i].worker != NONE || w->task[i].end == NONE)
			continue;
		snprintf(key, sizeof key, "j%d", i);
		sample_message(s, key, odd ? "1_mpict" : "0_mpict", odd ? "0_mpict" : "1_mpict",
			       w->task[i].start, w->task[i].end, 1);
		snprintf(key, sizeof key, "g%d", i % 3);
		sample_text(s, TV_LINKS, s->trace.table[TV_LINKS].nrows - 1, "Handle", key);
		tv_table_finish(&s->trace.table[TV_LINKS]);
		n++;
	}
	compare_details(w, s, begin, end, step, csv);
	if (n == 0 || w->anywhere)
		return;
	table = tv_run_pass_with(&s->run, "messages", &s->err, NULL);
	if (table == NULL)
		fail_msg("%s\n%s", s->err.text, csv);
	for (uint32_t row = 0; row < table->nrows; row++) {
		int64_t blamed = tv_table_find(table, "DependencyWait")->i[row];
		int64_t mpi = tv_table_find(table, "MpiWait")->i[row];
		int i = atoi(tv_table_text(table, "Key", row) + 1);

		assert_int_equal(tv_table_find(table, "Wait")->i[row], blamed + mpi);
		for (int t = begin; t < end; t++) {
			blamed -= w->by_message[t][i];
			mpi -= w->lacked[t][i];
		}
		if (blamed != 0 || mpi != 0)
			fail_msg("j%d: wait of dependencies, mpi: %lld, %lld too much\n%s", i,
				 (long long)blamed, (long long)mpi, csv);
	}
}

/* Of each worker up to an instant. Returns what it compared: tv_run_idle takes what workers can run on from what they ran. */
static bool compare_marks(const struct world *w, struct sample *s, int end, const char *csv)
{
	const struct tv_run_idle *idle = w->anywhere ? NULL : tv_run_idle(&s->run, &s->err);
	struct tv_idle_mark mark[2 * WORKERS];
	size_t n = 0;

	if (idle == NULL)
		return false;
	for (int i = 0; i < 2; i++)
		for (int k = 0; k < w->nworkers; k++)
			mark[n++] = (struct tv_idle_mark){ i == 0 ? w->begin + (end - w->begin) / 2
								  : end,
							   (uint32_t)k,
							   0,
							   { 0 } };
	tv_idle_until(&idle->waits, &idle->fetches, mark, n);
	for (size_t i = 0; i < n; i++)
		for (int c = 0; c < TV_IDLE_NCAUSES; c++) {
			int64_t want = 0;

			for (int t = w->begin; t < mark[i].time; t++)
				want += w->time[mark[i].worker][t][c];
			if (want != mark[i].sum[c])
				fail_msg("W%u up to %lld: %s %lld, expected %lld\n%s",
					 mark[i].worker, (long long)mark[i].time,
					 tv_idle_cause_name((enum tv_idle_cause)c),
					 (long long)mark[i].sum[c], (long long)want, csv);
		}
	return true;
}

static void compare(struct world *w, struct sample *s, bool loops, int begin, int end, int step,
		    const char *csv)
{
	char text[20];
	const struct tv_table *table;
	uint32_t row = 0;

	snprintf(text, sizeof text, "%dns", step);
	s->run.window = (struct tv_window){ true, begin, end };
	table = tv_run_pass_with(&s->run, "idle-causes", &s->err, "by", "worker", "step", text,
				 "can-run", w->anywhere ? "anywhere" : "observed", NULL);
	if (table == NULL)
		fail_msg("%s\n%s", s->err.text, csv);
	for (int t = begin, next; t < end; t = next) {
		next = (t / step + 1) * step < end ? (t / step + 1) * step : end;
		for (int k = 0; k < w->nworkers; k++)
			for (int c = 0; c < TV_IDLE_NCAUSES; c++) {
				int64_t want = 0, got;

				if (c == TV_IDLE_IN_LOOP && !loops)
					continue;
				got = tv_table_find(table, "Time")->i[row++];
				for (int u = t; u < next; u++)
					want += w->time[k][u][c];
				if (got != want)
					fail_msg("W%d from %d: %s %lld, expected %lld\n%s", k, t,
						 tv_idle_cause_name((enum tv_idle_cause)c),
						 (long long)got, (long long)want, csv);
				if (c == TV_IDLE_DEPENDENCIES)
					compare_blamed(w, table, row - 1, k, t, next, csv);
			}
	}
	assert_int_equal(row, table->nrows);
	compare_types(w, s, begin, end, csv);
	compare_messages(w, s, begin, end, text, csv);
}

static void every_nanosecond(void **state)
{
	static struct world w;
	uint64_t seed = unit_seed(20181003);
	int64_t seen[TV_IDLE_NCAUSES] = { 0 }, blamed[TV_NBLAMES] = { 0 };
	char csv[4096];
	int marked = 0;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct sample s;
		int begin, end;
		bool loops;

		make_world(&w, csv, sizeof csv, &seed);
		if (w.begin == w.finish)
			continue;
		for (int t = w.begin; t < w.finish; t++) {
			judge(&w, 0, t);
			judge(&w, 1, t);
			for (int k = 0; k < w.nworkers; k++) {
				for (int c = 0; c < TV_IDLE_NCAUSES; c++)
					seen[c] += w.time[k][t][c];
				for (int b = 0; b < TV_NBLAMES; b++)
					blamed[b] += w.blamed[k][t][b];
			}
		}
		sample_make(&s, csv);
		add_transfers(&w, &s);
		add_calls(&w, &s);
		loops = add_loops(&w, &s);
		begin = w.begin + (int)unit_random(&seed, (uint64_t)(w.finish - w.begin));
		end = begin + 1 + (int)unit_random(&seed, (uint64_t)(w.finish - begin));
		if (unit_random(&seed, 2)) {
			begin = w.begin;
			end = w.finish;
		}
		compare(&w, &s, loops, begin, end, 1 + (int)unit_random(&seed, LENGTH), csv);
		marked += compare_marks(&w, &s, end, csv);
		sample_release(&s);
	}
	assert_true(marked > ROUNDS / 4);
	/* a test of a cause that never occurs would be none */
	for (int c = 0; c < TV_IDLE_UNEXPLAINED; c++)
		assert_true(seen[c] > 1000);
	for (int b = 0; b < TV_NBLAMES; b++)
		assert_true(blamed[b] > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_nanosecond),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
