/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pair.h -- small made-up runs on a machine with two kinds of workers, and changes to plant. */
#ifndef TV_TEST_PAIR_H
#define TV_TEST_PAIR_H

#include <stdio.h>

#include "tests/unit/sample.h"

enum {
	PAIR_TASKS = 120,
	PAIR_TYPES = 3,
	PAIR_CPUS = 4,
	PAIR_GPUS = 2,
	PAIR_WORKERS = PAIR_CPUS + PAIR_GPUS,
	PAIR_CSV = 1 << 16
};

/* A worker that has nothing to do starts the first of its tasks for which all is done. */
struct pair_task {
	int type, worker, dep[3]; /* dep < 0: none */
	int64_t duration, delay;  /* ns; delay: idle time of the worker before it */
	int64_t start, end;
};

struct pair_run {
	struct pair_task task[PAIR_TASKS];
	int n, lost; /* a worker that there is not; -1 = none */
	int64_t makespan;
};

static inline bool pair_is_gpu(int worker)
{
	return worker >= PAIR_CPUS;
}

/* When the worker of a task could start it; INT64_MAX: before the tasks that it depends on. */
static inline int64_t pair_ready(const struct pair_run *run, int i, const bool *done,
				 const int64_t *free)
{
	const struct pair_task *t = &run->task[i];
	int64_t ready = free[t->worker];

	for (int d = 0; d < 3; d++) {
		if (t->dep[d] >= 0 && !done[t->dep[d]])
			return INT64_MAX;
		if (t->dep[d] >= 0 && run->task[t->dep[d]].end > ready)
			ready = run->task[t->dep[d]].end;
	}
	return ready;
}

static inline void pair_time(struct pair_run *run)
{
	int64_t free[PAIR_WORKERS] = { 0 }, first = INT64_MAX, last = 0;
	bool done[PAIR_TASKS] = { false };

	for (int step = 0; step < run->n; step++) {
		int64_t best = INT64_MAX;
		struct pair_task *t = NULL;

		for (int i = 0; i < run->n; i++) {
			int64_t ready = done[i] ? INT64_MAX : pair_ready(run, i, done, free);

			if (ready < best) {
				best = ready;
				t = &run->task[i];
			}
		}
		done[t - run->task] = true;
		t->start = best + t->delay;
		t->end = free[t->worker] = t->start + t->duration;
		first = t->start < first ? t->start : first;
		last = t->end > last ? t->end : last;
	}
	run->makespan = last - first;
}

/* GPUs run type k about 2 (k + 1) times as fast. noise: in percent. */
static inline int64_t pair_duration(int type, bool gpu, int noise, uint64_t *seed)
{
	int64_t base = 20000000 * (int64_t)(type + 2) / (gpu ? 2 * (type + 1) : 1);

	return base
	     + (noise > 0
			? base / 100 * ((int64_t)unit_random(seed, 2 * (uint64_t)noise + 1) - noise)
			: 0);
}

/* A random graph; each task goes where it would end first. */
static inline void pair_draw(struct pair_run *run, int noise, uint64_t *seed)
{
	int64_t free[PAIR_WORKERS] = { 0 };

	*run = (struct pair_run){ .n = PAIR_TASKS, .lost = -1 };
	for (int i = 0; i < run->n; i++) {
		struct pair_task *t = &run->task[i];
		int64_t ready = 0, best = INT64_MAX;

		*t = (struct pair_task){ .type = (int)unit_random(seed, PAIR_TYPES) };
		for (int d = 0; d < 3; d++) {
			t->dep[d] = (int)unit_random(seed, 24) - 12 + i - 12;
			if (t->dep[d] < 0 || t->dep[d] >= i)
				t->dep[d] = -1;
			else if (run->task[t->dep[d]].end > ready)
				ready = run->task[t->dep[d]].end;
		}
		for (int w = 0; w < PAIR_WORKERS; w++) {
			int64_t end = (free[w] > ready ? free[w] : ready)
				    + pair_duration(t->type, pair_is_gpu(w), 0, seed);

			if (end < best) {
				best = end;
				t->worker = w;
			}
		}
		t->duration = pair_duration(t->type, pair_is_gpu(t->worker), noise, seed);
		t->start = free[t->worker] > ready ? free[t->worker] : ready;
		t->end = free[t->worker] = t->start + t->duration;
	}
	pair_time(run);
}

static inline void pair_sample(struct sample *s, const struct pair_run *run)
{
	char *csv = malloc(PAIR_CSV), ms[TV_NUMBER_MAX], end[TV_NUMBER_MAX];
	size_t at = 0;

	assert_non_null(csv);
	at += (size_t)snprintf(csv, PAIR_CSV,
			       "ResourceId,Value,Start,End,JobId,Kind,DependsOn,ResourceType\n");
	for (int w = 0; w < PAIR_WORKERS; w++)
		if (w != run->lost)
			at += (size_t)snprintf(csv + at, PAIR_CSV - at, "%s%d,,,,,worker,,%s\n",
					       pair_is_gpu(w) ? "G" : "C", w,
					       pair_is_gpu(w) ? "GPU" : "CPU");
	for (int i = 0; i < run->n; i++) {
		const struct pair_task *t = &run->task[i];

		tv_write_ms(ms, t->start);
		tv_write_ms(end, t->end);
		at += (size_t)snprintf(csv + at, PAIR_CSV - at, "%s%d,t%d,%s,%s,%d,app,",
				       pair_is_gpu(t->worker) ? "G" : "C", t->worker, t->type, ms,
				       end, i + 1);
		for (int d = 0; d < 3; d++)
			if (t->dep[d] >= 0)
				at += (size_t)snprintf(csv + at, PAIR_CSV - at, "%d ",
						       t->dep[d] + 1);
		at += (size_t)snprintf(csv + at, PAIR_CSV - at, ",%s\n",
				       pair_is_gpu(t->worker) ? "GPU" : "CPU");
		assert_true(at < PAIR_CSV);
	}
	sample_make(s, csv);
	free(csv);
}

#endif
