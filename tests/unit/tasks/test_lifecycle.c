/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_lifecycle.c -- times and phases in the lives of tasks against looking at every nanosecond. */
#include <stdio.h>

#include "tests/unit/sample.h"

/* ---- every nanosecond ---- */

enum { ROUNDS = 4000, LENGTH = 30, ROWS = 9, WORKERS = 3, HANDLES = 3, EXTRAS = 6 };
enum { NONE = -9 }; /* no time, no worker, no job; before all times */
enum { RELEASED, PUSHED, POPPED, DATA, START, END, SUBMITTED, NSTAMPS };
enum { TRANSFER, FETCH, PUSH, POP };

struct row {
	int worker, start, end, submit; /* worker NONE: ghost, or message if it has times */
	int job;			/* the first row of its job */
	bool app, deps[ROWS], handle[HANDLES];
	int type;
};

/* A transfer, a state or an event. */
struct extra {
	int what, start, end, of; /* of: memory node, worker, or job */
	int handle;		  /* HANDLES = one that no task names */
};

struct world {
	struct row row[ROWS];
	int n, nextras, node[WORKERS], memory[WORKERS];
	bool graph, handles; /* the trace has dependencies; transfers name their handle */
	struct extra extra[EXTRAS];
	int stamp[ROWS][NSTAMPS];
};

/* Whether what depends on this job has to wait for it at t. */
static bool holds(const struct world *w, int job, int t)
{
	bool timed = false;

	for (int i = 0; i < w->n; i++) {
		if (w->row[i].job != job || w->row[i].end == NONE)
			continue;
		timed = true;
		if (w->row[i].end > t)
			return true;
	}
	for (int i = 0; i < w->n && !timed; i++)
		for (int u = 0; u < job && w->row[i].job == job; u++)
			if (w->row[i].deps[u] && holds(w, u, t))
				return true;
	return false;
}

/* Whether the execution of row i has to wait at t. */
static bool waits(const struct world *w, int i, int t)
{
	const struct row *row = &w->row[i];

	if (row->submit > t)
		return true;
	for (int k = 0; k < w->n; k++) {
		if (w->row[k].job != row->job)
			continue;
		if (w->row[k].end > w->row[k].start && w->row[k].end <= row->start
		    && w->row[k].end > t)
			return true;
		for (int u = 0; u < row->job && w->graph; u++)
			if (w->row[k].deps[u] && holds(w, u, t))
				return true;
	}
	return false;
}

/* Whether this transfer, or state, brought data to row i, and when it ended. */
static bool brings(const struct world *w, int i, const struct extra *e)
{
	const struct row *row = &w->row[i];

	if (e->end > row->start || e->start >= e->end)
		return false;
	if (e->what == TRANSFER) /* memory node m of node k is 2 k + m */
		return e->of == 2 * w->node[row->worker] + w->memory[row->worker]
		    && (!w->handles || (e->handle < HANDLES && row->handle[e->handle]));
	if (e->what != FETCH || e->of != row->worker)
		return false;
	for (int k = 0; k < w->n; k++)
		if (w->row[k].app && w->row[k].worker == row->worker && w->row[k].start >= e->end
		    && (w->row[k].start < row->start || (w->row[k].start == row->start && k < i)))
			return false;
	return true;
}

static void look(struct world *w, int i)
{
	const struct row *row = &w->row[i];
	int *stamp = w->stamp[i], released = NONE;

	while (waits(w, i, released))
		released++;
	for (int s = 0; s < NSTAMPS; s++)
		stamp[s] = NONE;
	if (!row->app)
		return;
	stamp[START] = row->start;
	stamp[END] = row->end;
	stamp[SUBMITTED] = row->submit;
	stamp[RELEASED] = w->graph ? released : NONE;
	for (int k = 0; k < w->nextras; k++) {
		const struct extra *e = &w->extra[k];
		int *its = e->what == PUSH ? &stamp[PUSHED] : &stamp[POPPED];

		if (brings(w, i, e) && e->end > released && e->end > stamp[DATA])
			stamp[DATA] = e->end;
		if ((e->what == PUSH || e->what == POP) && e->of == row->job
		    && e->start <= row->start && e->start > *its)
			*its = e->start;
	}
}

static int upto(uint64_t *seed, int below)
{
	return (int)unit_random(seed, (uint64_t)below);
}

static void make_row(struct world *w, int i, uint64_t *seed)
{
	struct row *row = &w->row[i];
	const struct row *before = i > 0 ? &w->row[i - 1] : NULL;
	int kind = upto(seed, 9);

	*row = (struct row){ .worker = NONE, .start = NONE, .end = NONE, .submit = NONE, .job = i };
	if (i > 0 && kind == 3 && before->app && before->end < LENGTH) {
		/* one more run of the job before, which is submitted once */
		row->job = before->job;
		row->submit = before->submit;
	} else if (upto(seed, 2) > 0) {
		row->submit = upto(seed, LENGTH) - 2;
	}
	for (int u = 0; u < row->job; u++)
		row->deps[u] = w->row[u].job == u && upto(seed, 4) == 0;
	if (kind == 0 && i > 0)
		return; /* a ghost */
	row->start = row->job != i ? before->end + 1 + upto(seed, 3) : upto(seed, LENGTH);
	row->end = row->start + upto(seed, 6);
	if (kind == 1 && i > 0)
		return; /* a message */
	row->worker = upto(seed, WORKERS);
	row->app = i == 0 || kind != 2;
	row->type = row->job != i ? before->type : upto(seed, 2);
	for (int h = 0; h < HANDLES; h++)
		row->handle[h] = upto(seed, 2) > 0;
}

static void make_world(struct world *w, uint64_t *seed)
{
	w->n = 1 + upto(seed, ROWS);
	w->nextras = upto(seed, EXTRAS + 1);
	w->graph = upto(seed, 8) > 0;
	w->handles = upto(seed, 3) > 0;
	for (int k = 0; k < WORKERS; k++) {
		w->node[k] = upto(seed, 2);
		w->memory[k] = upto(seed, 2);
	}
	for (int i = 0; i < w->n; i++)
		make_row(w, i, seed);
	for (int k = 0; k < w->nextras; k++) {
		struct extra *e = &w->extra[k];

		e->what = upto(seed, 4);
		e->start = upto(seed, LENGTH);
		e->end = e->start + upto(seed, 6);
		e->of = upto(seed, e->what == TRANSFER ? 4 : e->what == FETCH ? WORKERS : w->n);
		e->handle = upto(seed, HANDLES + 1);
	}
	for (int i = 0; i < w->n; i++)
		look(w, i);
}

static const char *ms(char *out, int time)
{
	out[0] = '\0';
	if (time != NONE)
		tv_write_ms(out, time);
	return out;
}

static void write_row(const struct world *w, int i, char *csv, size_t size)
{
	const struct row *row = &w->row[i];
	char time[3][TV_NUMBER_MAX], deps[6 * ROWS] = "", handles[6 * HANDLES] = "";
	char worker[40] = ",,";

	for (int u = 0; u < row->job; u++)
		if (row->deps[u])
			snprintf(deps + strlen(deps), sizeof deps - strlen(deps), "%sj%d",
				 deps[0] == '\0' ? "" : " ", u);
	for (int h = 0; h < HANDLES; h++)
		if (row->handle[h])
			snprintf(handles + strlen(handles), sizeof handles - strlen(handles),
				 "%sh%d", handles[0] == '\0' ? "" : " ", h);
	if (row->worker != NONE)
		snprintf(worker, sizeof worker, "W%d,R%d,%d", row->worker, row->worker % 2,
			 w->node[row->worker]);
	snprintf(csv + strlen(csv), size - strlen(csv), "%s,t%d,%s,%s,%s,j%d,%s,%s%s%s\n", worker,
		 row->type, ms(time[0], row->start), ms(time[1], row->end),
		 ms(time[2], row->submit), row->job,
		 row->end == NONE      ? "ghost"
		 : row->worker == NONE ? "message"
		 : row->app	       ? "app"
				       : "setup",
		 handles, w->graph ? "," : "", w->graph ? deps : "");
}

static void add_extras(const struct world *w, struct sample *s)
{
	static const char *const node[] = { "0", "1" };
	char name[20], handle[20];

	for (int k = 0; k < WORKERS; k++) {
		snprintf(name, sizeof name, "W%d", k);
		sample_memory(s, name, node[w->node[k]], w->memory[k]);
	}
	for (int m = 0; m < 4; m++) {
		snprintf(name, sizeof name, "M%d", m);
		sample_memory(s, name, node[m / 2], m % 2);
	}
	for (int k = 0; k < w->nextras; k++) {
		const struct extra *e = &w->extra[k];

		snprintf(name, sizeof name, "%c%d", "MWjj"[e->what], e -> of);
		snprintf(handle, sizeof handle, "h%d", e->handle);
		if (e->what == TRANSFER)
			sample_transfer(s, name, w->handles ? handle : NULL, e->start, e->end);
		else if (e->what == FETCH)
			sample_fetch(s, name, e->start, e->end);
		else
			sample_event(s, e->what == PUSH ? "Task Push" : "Task Pop", name, e->start);
	}
}

static void check_rows(const struct world *w, struct sample *s, const char *csv)
{
	char want[4096] = "", time[TV_NUMBER_MAX];

	for (int i = 0; i < w->n; i++)
		for (int k = RELEASED; k <= DATA; k++)
			snprintf(want + strlen(want), sizeof want - strlen(want), "%s%s",
				 ms(time, w->stamp[i][k]), k == DATA ? "|" : ",");
	if (strcmp(sample_pass(s, "lifecycle", NULL), want) != 0)
		fail_msg("%s\nlifecycle gave %s\nexpected %s", csv, s->got, want);
}

/* The quantile of type 7 of time[0..n), sorted; floor. */
static int64_t quantile(const int *time, int n, int percent)
{
	int at = (n - 1) * percent / 100, part = (n - 1) * percent % 100;

	return time[at] + (part == 0 ? 0 : part * (time[at + 1] - time[at]) / 100);
}

/* One line of the summary, if any task has this phase. */
static void describe(const struct world *w, int type, int worker_type, int phase, char *want,
		     size_t size)
{
	static const struct {
		const char *name;
		int from, to;
	} phases[] = { { "dependencies", SUBMITTED, RELEASED },
		       { "push", RELEASED, PUSHED },
		       { "queue", PUSHED, POPPED },
		       { "popped", POPPED, START },
		       { "data", RELEASED, DATA },
		       { "ready", RELEASED, START },
		       { "execution", START, END } };
	static const int percent[] = { 0, 25, 50, 75, 95, 100 };
	char text[TV_NUMBER_MAX];
	int time[ROWS], n = 0;
	int64_t sum = 0;

	for (int i = 0; i < w->n; i++) {
		const int *stamp = w->stamp[i];
		int from = stamp[phases[phase].from], to = stamp[phases[phase].to], at = n;

		if (!w->row[i].app || w->row[i].type != type || w->row[i].worker % 2 != worker_type
		    || from == NONE || to == NONE)
			continue;
		for (n++; at > 0 && time[at - 1] > to - from; at--)
			time[at] = time[at - 1];
		time[at] = to - from;
		sum += to - from;
	}
	if (n == 0)
		return;
	tv_write_ms(text, sum);
	snprintf(want + strlen(want), size - strlen(want), "t%d,R%d,%s,%d,%s", type, worker_type,
		 phases[phase].name, n, text);
	for (size_t q = 0; q < TV_COUNT(percent); q++) {
		tv_write_ms(text, quantile(time, n, percent[q]));
		snprintf(want + strlen(want), size - strlen(want), ",%s%s", text,
			 q + 1 == TV_COUNT(percent) ? "|" : "");
	}
}

static void check_summary(const struct world *w, struct sample *s, const char *csv)
{
	const struct tv_tasks *tasks = &s->run.tasks;
	char want[4096] = "";

	for (int type = 0; type < 2; type++)
		for (uint32_t r = 0; r < tasks->nrtypes; r++)
			for (int phase = 0; phase < 7; phase++)
				describe(w, type,
					 tv_pool_text(tasks->pool, tasks->rtype[r].label)[1] - '0',
					 phase, want, sizeof want);
	if (strcmp(sample_pass(s, "lifecycle-summary", NULL), want) != 0)
		fail_msg("%s\nlifecycle-summary gave %s\nexpected %s", csv, s->got, want);
}

static void every_nanosecond(void **state)
{
	static struct world w;
	uint64_t seed = unit_seed(20190411);
	int seen[NSTAMPS] = { 0 };

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct sample s;
		char csv[4096];

		make_world(&w, &seed);
		snprintf(csv, sizeof csv,
			 "ResourceId,ResourceType,Node,Value,Start,End,SubmitTime,"
			 "JobId,Kind,Handles%s\n",
			 w.graph ? ",DependsOn" : "");
		for (int i = 0; i < w.n; i++) {
			write_row(&w, i, csv, sizeof csv);
			for (int k = 0; k < NSTAMPS; k++)
				seen[k] += w.stamp[i][k] != NONE;
		}
		sample_make(&s, csv);
		add_extras(&w, &s);
		check_rows(&w, &s, csv);
		check_summary(&w, &s, csv);
		sample_release(&s);
	}
	/* a test of what never occurs would be none */
	for (int k = 0; k < NSTAMPS; k++)
		assert_true(seen[k] > 300);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_nanosecond),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
