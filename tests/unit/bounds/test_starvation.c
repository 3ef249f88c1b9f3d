/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_starvation.c -- lack of ready tasks against giving ready tasks to idle workers anew every
 * nanosecond. */
#include <math.h>
#include <stdio.h>

#include "tests/unit/sample.h"

enum { ROUNDS = 2500, TASKS = 11, WORKERS = 5, TYPES = 3, LENGTH = 400 };

struct task {
	int worker, type, start, end, submit;
	bool needs[TASKS];
};

struct world {
	struct task task[TASKS];
	int n, nworkers, begin, finish;
	int node[WORKERS], rtype[WORKERS];
	bool runs[TYPES][TYPES]; /* task type x worker type */
};

static int released(const struct world *w, int t)
{
	int at = w->task[t].submit;

	for (int b = 0; b < t; b++)
		if (w->task[t].needs[b] && w->task[b].end > at)
			at = w->task[b].end;
	return at;
}

static void draw(struct world *w, char *csv, size_t size, uint64_t *seed)
{
	int idle[WORKERS] = { 0 };
	size_t at = (size_t)snprintf(csv, size,
				     "ResourceId,Value,Start,End,JobId,SubmitTime,Node,"
				     "ResourceType,DependsOn\n");

	*w = (struct world){ .n = 2 + (int)unit_random(seed, TASKS - 1),
			     .nworkers = 1 + (int)unit_random(seed, WORKERS),
			     .begin = LENGTH };
	for (int k = 0; k < w->nworkers; k++) {
		w->node[k] = (int)unit_random(seed, 2);
		w->rtype[k] = (int)unit_random(seed, TYPES);
	}
	for (int t = 0; t < w->n; t++) {
		struct task *task = &w->task[t];
		int k = (int)unit_random(seed, (uint64_t)w->nworkers), ready;

		*task = (struct task){ .worker = k,
				       .type = (int)unit_random(seed, TYPES),
				       .submit = (int)unit_random(seed, 20) };
		for (int b = 0; b < t; b++)
			task->needs[b] = unit_random(seed, 4) == 0;
		ready = released(w, t);
		task->start = (ready > idle[k] ? ready : idle[k]) + (int)unit_random(seed, 5);
		task->end = idle[k] = task->start + 1 + (int)unit_random(seed, 9);
		w->runs[task->type][w->rtype[k]] = true;
		w->begin = task->start < w->begin ? task->start : w->begin;
		w->finish = task->end > w->finish ? task->end : w->finish;
		at += (size_t)snprintf(csv + at, size - at,
				       "W%d,t%d,0.%06d,0.%06d,%d,0.%06d,%d,%c,", k, task->type,
				       task->start, task->end, t, task->submit, w->node[k],
				       'A' + w->rtype[k]);
		for (int b = 0; b < t; b++)
			if (task->needs[b])
				at += (size_t)snprintf(csv + at, size - at, "%d ", b);
		at += (size_t)snprintf(csv + at, size - at, "\n");
	}
	assert_true(at < size && w->finish < LENGTH);
}

/* Whether worker k gets a task by an augmenting path. */
static bool give(const struct world *w, const bool *left, int k, bool *tried, int *taker)
{
	for (int t = 0; t < w->n; t++) {
		if (!left[t] || tried[t] || w->node[w->task[t].worker] != w->node[k]
		    || !w->runs[w->task[t].type][w->rtype[k]])
			continue;
		tried[t] = true;
		if (taker[t] < 0 || give(w, left, taker[t], tried, taker)) {
			taker[t] = k;
			return true;
		}
	}
	return false;
}

struct numbers {
	int workers, ready, idle, lack, unfit, drain;
};

/* The numbers of one node at one time; workers that the trace shows. */
static struct numbers look(const struct world *w, int node, int now)
{
	struct numbers is = { 0 };
	bool left[TASKS] = { false }, seen[WORKERS] = { false }, started = true;
	int taker[TASKS], idle[WORKERS], nidle = 0, given = 0;

	for (int t = 0; t < w->n; t++) {
		const struct task *task = &w->task[t];

		seen[task->worker] = true;
		taker[t] = -1;
		if (w->node[task->worker] != node)
			continue;
		started = started && task->start <= now;
		left[t] = released(w, t) <= now && now < task->start;
		is.ready += left[t];
	}
	for (int k = 0; k < w->nworkers; k++) {
		int own = -1;
		bool busy = false;

		if (!seen[k] || w->node[k] != node)
			continue;
		is.workers++;
		for (int t = 0; t < w->n; t++) {
			if (w->task[t].worker != k)
				continue;
			busy = busy || (w->task[t].start <= now && now < w->task[t].end);
			if (left[t] && (own < 0 || w->task[t].start < w->task[own].start))
				own = t;
		}
		is.idle += !busy;
		if (!busy && own >= 0)
			left[own] = false;
		else if (!busy)
			idle[nidle++] = k;
	}
	for (int i = 0; i < nidle; i++) {
		bool tried[TASKS] = { false };

		given += give(w, left, idle[i], tried, taker);
	}
	for (int t = 0; t < w->n; t++)
		if (left[t] && taker[t] < 0) {
			is.unfit = nidle - given;
			return is;
		}
	*(started ? &is.drain : &is.lack) = nidle - given;
	return is;
}

static double value(const struct tv_table *table, const char *name, uint32_t row)
{
	return tv_table_find(table, name)->d[row];
}

/* Whether a mean times the length of its row is that sum. */
static bool near(const struct tv_table *table, const char *name, uint32_t row, int sum)
{
	int64_t begin = tv_table_find(table, "Start")->i[row];
	int64_t end = tv_table_find(table, "End")->i[row];

	return fabs(value(table, name, row) * (double)(end - begin) - sum) < 1e-9;
}

/* Each row against the sum over its nanoseconds; node -1: all of them. */
static void check(const struct world *w, const struct tv_table *table, bool by_node)
{
	int64_t covered = 0, nodes = by_node ? 0 : 1;

	for (uint32_t row = 0; row < table->nrows; row++) {
		int64_t begin = tv_table_find(table, "Start")->i[row];
		int64_t end = tv_table_find(table, "End")->i[row];
		const char *of = tv_pool_text(table->pool,
					      tv_label(tv_table_find(table, "Node"), row));
		struct numbers sum = { 0 };

		for (int now = (int)begin; now < end; now++)
			for (int node = 0; node < 2; node++) {
				struct numbers is = look(w, node, now);

				if (by_node && node != of[0] - '0')
					continue;
				sum.ready += is.ready;
				sum.idle += is.idle;
				sum.lack += is.lack;
				sum.unfit += is.unfit;
				sum.drain += is.drain;
				sum.workers = now > begin ? sum.workers : sum.workers + is.workers;
			}
		assert_int_equal(tv_table_find(table, "Workers")->i[row], sum.workers);
		assert_true(near(table, "Ready", row, sum.ready));
		assert_true(near(table, "IdleWorkers", row, sum.idle));
		assert_true(near(table, "Lack", row, sum.lack));
		assert_true(near(table, "Unfit", row, sum.unfit));
		assert_true(near(table, "Drain", row, sum.drain));
		covered += end - begin;
		nodes += by_node && begin == w->begin;
	}
	assert_int_equal(covered, nodes * (w->finish - w->begin));
}

static void random_worlds(void **state)
{
	static char csv[8000];
	uint64_t seed = unit_seed(31);
	int lacking = 0, unfit = 0;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		const struct tv_table *table;
		struct world w;
		struct sample s;

		draw(&w, csv, sizeof csv, &seed);
		sample_make(&s, csv);
		table = tv_run_pass_with(&s.run, "starvation", &s.err, "by",
					 round % 2 ? "node" : "run", "step",
					 round % 3 ? NULL : "7ns", NULL);
		if (table == NULL)
			fail_msg("%s\n%s", s.err.text, csv);
		check(&w, table, round % 2);
		for (uint32_t row = 0; row < table->nrows; row++) {
			lacking += value(table, "Lack", row) > 0;
			unfit += value(table, "Unfit", row) > 0;
		}
		sample_release(&s);
	}
	assert_in_range(lacking, ROUNDS, 100 * ROUNDS);
	assert_in_range(unfit, ROUNDS / 4, 100 * ROUNDS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_worlds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
