/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nested.h -- programs of nested tasks with taskwait, run by a small scheduler: the trace as CSV,
 * and what is true of it by construction.
 *
 * A task computes, creates children and waits for all that it created since; while it waits it is
 * suspended, and goes on in a new segment, on the same worker (tied) or any (untied). Times are
 * whole milliseconds, and what computes takes at least one.
 */
#ifndef TV_NESTED_H
#define TV_NESTED_H

#include "tests/unit/sample.h"

enum { NESTED_TASKS = 1000, NESTED_STEPS = 16, NESTED_WORKERS = 8, NESTED_DEPS = 6 };

/* What a task does: compute for a time, create a task, wait. */
struct nested_step {
	enum { NESTED_COMPUTE, NESTED_CREATE, NESTED_WAIT } what;
	int number; /* time, task */
};

struct nested_task {
	struct nested_step step[NESTED_STEPS];
	int nsteps;
	const char *type;
	bool untied;
	int parent, created_in; /* -1 = none; its segment (index) */
	int dep[NESTED_DEPS];	/* older siblings */
	int ndeps, submit;
	int at, waits_from;  /* next step; the first child not waited for */
	int segment, worker; /* the last one (index), -1 = none */
	bool done, ready, waiting;
	int child[NESTED_STEPS], nchildren;
};

struct nested_segment {
	int task, number, worker, start, end;
	int first_child, nwaited; /* children waited for before it */
};

struct nested {
	struct nested_task task[NESTED_TASKS];
	int ntasks, nworkers;
	int ngpus; /* so many of the workers are of another type */
	struct nested_segment segment[3 * NESTED_TASKS]; /* in order of start */
	int nsegments;
	int running[NESTED_WORKERS], until[NESTED_WORKERS]; /* task, -1 = idle; its next step */
};

static inline int nested_add(struct nested *p, int parent, const char *type)
{
	struct nested_task *t = &p->task[p->ntasks];

	assert_true(p->ntasks < NESTED_TASKS);
	memset(t, 0, sizeof *t);
	t->parent = parent;
	t->type = type;
	t->segment = t->worker = t->created_in = -1;
	return p->ntasks++;
}

static inline void nested_step(struct nested *p, int task, int what, int number)
{
	struct nested_task *t = &p->task[task];

	assert_true(t->nsteps < NESTED_STEPS);
	t->step[t->nsteps].what = what;
	t->step[t->nsteps++].number = number;
}

/* fib(n): two children, taskwait, the sum. Returns the task. */
static inline int nested_fib(struct nested *p, int parent, int n, int leaf, int before, int after)
{
	int task = nested_add(p, parent, "fib");

	nested_step(p, task, NESTED_COMPUTE, n < 2 ? leaf : before);
	for (int k = 1; n >= 2 && k <= 2; k++) {
		int child = nested_fib(p, task, n - k, leaf, before, after);

		nested_step(p, task, NESTED_CREATE, child);
		nested_step(p, task, NESTED_COMPUTE, before);
	}
	if (n >= 2) {
		nested_step(p, task, NESTED_WAIT, 0);
		nested_step(p, task, NESTED_COMPUTE, after);
	}
	return task;
}

static inline int nested_draw(struct nested *p, int parent, int depth, uint64_t *seed)
{
	static const char *const type[] = { "a", "b", "c" };
	int task = nested_add(p, parent, type[unit_random(seed, 3)]), n;

	p->task[task].untied = unit_random(seed, 2) == 0;
	nested_step(p, task, NESTED_COMPUTE, 1 + (int)unit_random(seed, 5));
	n = depth == 0 ? 0 : (int)unit_random(seed, 4);
	for (int i = 0; i < n; i++) {
		int child = nested_draw(p, task, depth - 1, seed);

		/* Older siblings that this one depends on. */
		for (int s = task + 1; s < child && p->task[child].ndeps < NESTED_DEPS; s++)
			if (p->task[s].parent == task && unit_random(seed, 4) == 0)
				p->task[child].dep[p->task[child].ndeps++] = s;
		nested_step(p, task, NESTED_CREATE, child);
		nested_step(p, task, NESTED_COMPUTE, 1 + (int)unit_random(seed, 5));
		if (unit_random(seed, 3) == 0) {
			nested_step(p, task, NESTED_WAIT, 0);
			nested_step(p, task, NESTED_COMPUTE, 1 + (int)unit_random(seed, 3));
		}
	}
	return task;
}

static inline bool nested_ended(const struct nested *p, int task, int now)
{
	return p->task[task].done && p->segment[p->task[task].segment].end <= now;
}

/* Whether a worker may start or resume a task now. */
static inline bool nested_can_run(const struct nested *p, int task, int worker, int now)
{
	const struct nested_task *t = &p->task[task];

	if (t->done || (!t->ready && !t->waiting))
		return false;
	if (t->waiting && !t->untied && t->worker != worker)
		return false;
	for (int i = 0; t->ready && i < t->ndeps; i++)
		if (!nested_ended(p, t->dep[i], now))
			return false;
	for (int i = t->waits_from; t->waiting && i < t->nchildren; i++)
		if (!nested_ended(p, t->child[i], now))
			return false;
	return true;
}

static inline void nested_open(struct nested *p, int task, int worker, int now)
{
	struct nested_task *t = &p->task[task];
	struct nested_segment *s = &p->segment[p->nsegments];

	*s = (struct nested_segment){ .task = task, .worker = worker, .start = now };
	if (t->waiting) {
		s->number = p->segment[t->segment].number + 1;
		s->first_child = t->waits_from;
		s->nwaited = t->nchildren - t->waits_from;
		t->waits_from = t->nchildren;
	}
	t->ready = t->waiting = false;
	t->segment = p->nsegments++;
	t->worker = worker;
	p->running[worker] = task;
	p->until[worker] = now;
}

/* Lets a task go on with what takes no time, until it computes or leaves the worker. */
static inline void nested_go_on(struct nested *p, int worker, int now)
{
	int task = p->running[worker];
	struct nested_task *t = &p->task[task];

	while (t->at < t->nsteps) {
		const struct nested_step *step = &t->step[t->at++];
		bool all = true;

		if (step->what == NESTED_COMPUTE) {
			p->until[worker] = now + step->number;
			return;
		}
		if (step->what == NESTED_CREATE) {
			struct nested_task *child = &p->task[step->number];

			child->submit = now;
			child->created_in = t->segment;
			child->ready = true;
			t->child[t->nchildren++] = step->number;
			continue;
		}
		for (int i = t->waits_from; i < t->nchildren; i++)
			all = all && nested_ended(p, t->child[i], now);
		if (all)
			continue; /* and those still count as waited for next time */
		t->waiting = true;
		p->segment[t->segment].end = now;
		p->running[worker] = -1;
		return;
	}
	t->done = true;
	p->segment[t->segment].end = now;
	p->running[worker] = -1;
}

/* seed: NULL = always the first worker and the first task that can run. */
static inline void nested_run(struct nested *p, int nworkers, uint64_t *seed)
{
	int left = 1;

	p->nworkers = nworkers;
	for (int w = 0; w < nworkers; w++)
		p->running[w] = -1;
	p->task[0].ready = true;
	for (int now = 0; left > 0; now++) {
		int from = seed == NULL ? 0 : (int)unit_random(seed, (uint64_t)nworkers);

		for (int w = 0; w < nworkers; w++)
			if (p->running[w] >= 0 && p->until[w] == now)
				nested_go_on(p, w, now);
		for (int k = 0; k < nworkers; k++) {
			int w = (from + k) % nworkers;

			/* A scheduler may leave a worker idle for a while. */
			if (p->running[w] >= 0 || (seed != NULL && unit_random(seed, 4) == 0))
				continue;
			for (int t = 0; t < p->ntasks && p->running[w] < 0; t++)
				if (nested_can_run(p, t, w, now)) {
					nested_open(p, t, w, now);
					nested_go_on(p, w, now);
				}
		}
		left = 0;
		for (int t = 0; t < p->ntasks; t++)
			left += !p->task[t].done;
		assert_true(now < 100000);
	}
}

static inline const char *nested_type(const struct nested *p, int worker)
{
	return worker < p->ngpus ? "GPU" : "CPU";
}

/* The trace; submit false: without SubmitTime. Free it. */
static inline char *nested_csv(const struct nested *p, bool submit)
{
	char *csv = NULL;
	size_t n;
	FILE *text = open_memstream(&csv, &n);

	fprintf(text, "ResourceId,Value,Start,End,JobId,DependsOn,%sSegment,ParentJob,Kind\n",
		submit ? "SubmitTime," : "");
	for (int i = 0; i < p->nsegments; i++) {
		const struct nested_segment *s = &p->segment[i];
		const struct nested_task *t = &p->task[s->task];

		fprintf(text, "%s%d,%s,%d,%d,%d,", nested_type(p, s->worker), s->worker, t->type,
			s->start, s->end, s->task);
		if (s->number == 0 && t->parent >= 0)
			fprintf(text, "%d ", t->parent);
		for (int k = 0; s->number == 0 && k < t->ndeps; k++)
			fprintf(text, "%d ", t->dep[k]);
		for (int k = 0; k < s->nwaited; k++)
			fprintf(text, "%d ", t->child[s->first_child + k]);
		fprintf(text, ",");
		if (submit)
			fprintf(text, "%d,", t->submit);
		fprintf(text, "%d,", s->number);
		if (t->parent >= 0)
			fprintf(text, "%d", t->parent);
		fprintf(text, ",app\n");
	}
	for (int w = 0; w < p->nworkers; w++)
		fprintf(text, "%s%d,,,,,,%s,,worker\n", nested_type(p, w), w, submit ? "," : "");
	fclose(text);
	return csv;
}

/* The segments that one depends on, into before[]; how many. */
static inline int nested_before(const struct nested *p, int segment, int *before)
{
	const struct nested_segment *s = &p->segment[segment];
	const struct nested_task *t = &p->task[s->task];
	int n = 0;

	if (s->number == 0) {
		if (t->parent >= 0)
			before[n++] = t->created_in;
		for (int k = 0; k < t->ndeps; k++)
			before[n++] = p->task[t->dep[k]].segment;
		return n;
	}
	for (int i = 0; i < segment; i++)
		if (p->segment[i].task == s->task && p->segment[i].number == s->number - 1)
			before[n++] = i;
	for (int k = 0; k < s->nwaited; k++)
		before[n++] = p->task[t->child[s->first_child + k]].segment;
	return n;
}

/* When one was released. */
static inline int nested_released(const struct nested *p, int segment)
{
	const struct nested_segment *s = &p->segment[segment];
	const struct nested_task *t = &p->task[s->task];
	int before[NESTED_STEPS + NESTED_DEPS], n = nested_before(p, segment, before);
	int released = t->submit;

	for (int i = s->number == 0 && t->parent >= 0; i < n; i++)
		if (p->segment[before[i]].end > released)
			released = p->segment[before[i]].end;
	return released;
}

#endif
