/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_priorities.c -- overtaken tasks against comparing every pair. */
#include <stdio.h>

#include "tests/unit/sample.h"

enum { ROUNDS = 2000, LENGTH = 60, TASKS = 14, TYPES = 3, RTYPES = 2 };

struct task {
	int type, rtype, node, start, end, submit, priority;
	bool ghost, deps[TASKS];
};

struct tally {
	int starts, count;
	int64_t lost, most;
};

/* -1: from the start. */
static int released(const struct task *task, int v)
{
	int at = task[v].ghost ? -1 : task[v].submit;

	for (int u = 0; u < v; u++) {
		int of = task[u].ghost ? released(task, u) : task[u].end;

		if (task[v].deps[u] && of > at)
			at = of;
	}
	return at;
}

static void write_task(const struct task *task, int i, char *csv, size_t size)
{
	const struct task *t = &task[i];
	size_t at = strlen(csv);
	bool some = false;

	if (t->ghost)
		snprintf(csv + at, size - at, ",,,,j%d,", i);
	else /* a worker each: workers do not matter */
		snprintf(csv + at, size - at, "%d_W%d,t%d,%d,%d,j%d,", t->node,
			 i * RTYPES + t->rtype, t->type, t->start, t->end, i);
	for (int u = 0; u < i; u++)
		if (t->deps[u]) {
			at = strlen(csv);
			snprintf(csv + at, size - at, "%sj%d", some ? " " : "", u);
			some = true;
		}
	at = strlen(csv);
	if (t->ghost)
		snprintf(csv + at, size - at, ",,,,ghost,\n");
	else
		snprintf(csv + at, size - at, ",%d,%d,%d,app,R%d\n", t->priority, t->submit,
			 t->node, t->rtype);
}

static void make_tasks(struct task *task, int n, char *csv, size_t size, uint64_t *seed)
{
	snprintf(csv, size,
		 "ResourceId,Value,Start,End,JobId,DependsOn,Priority,SubmitTime,Node,Kind,"
		 "ResourceType\n");
	for (int i = 0; i < n; i++) {
		struct task *t = &task[i];

		*t = (struct task){
			.type = (int)unit_random(seed, TYPES),
			.rtype = (int)unit_random(seed, RTYPES),
			.node = (int)unit_random(seed, 2),
			.start = (int)unit_random(seed, LENGTH),
			.submit = (int)unit_random(seed, 20),
			.priority = (int)unit_random(seed, 4),
			.ghost = i > 0 && unit_random(seed, 6) == 0,
		};
		t->end = t->start + (int)unit_random(seed, 15);
		for (int u = 0; u < i; u++)
			t->deps[u] = unit_random(seed, 4) == 0;
		write_task(task, i, csv, size);
	}
}

static void compare_pairs(const struct task *task, int n, struct tally tally[RTYPES][TYPES][TYPES])
{
	bool runs[TYPES][RTYPES] = { { false } };

	for (int i = 0; i < n; i++)
		runs[task[i].type][task[i].rtype] |= !task[i].ghost;
	for (int a = 0; a < n; a++) {
		struct tally *of = tally[task[a].rtype][task[a].type];
		int best = -1, lost;

		if (task[a].ghost)
			continue;
		for (int k = 0; k < TYPES; k++)
			of[k].starts++;
		for (int b = 0; b < n; b++)
			if (!task[b].ghost && task[b].node == task[a].node
			    && runs[task[b].type][task[a].rtype]
			    && task[b].priority > task[a].priority
			    && released(task, b) < task[a].start && task[a].start < task[b].start
			    && (best < 0 || task[b].priority > task[best].priority
				|| (task[b].priority == task[best].priority
				    && released(task, b) < released(task, best))))
				best = b;
		if (best < 0)
			continue;
		lost = task[a].end < task[best].start ? task[a].end : task[best].start;
		lost -= task[a].start;
		of = &of[task[best].type];
		of->count++;
		of->lost += lost;
		of->most = lost > of->most ? lost : of->most;
	}
}

static void every_pair(void **state)
{
	uint64_t seed = unit_seed(5);
	int rows = 0;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct tally tally[RTYPES][TYPES][TYPES];
		struct task task[TASKS];
		char csv[4096], want[4096] = "";
		struct sample s;
		int n = 1 + (int)unit_random(&seed, TASKS);

		memset(tally, 0, sizeof tally);
		make_tasks(task, n, csv, sizeof csv, &seed);
		compare_pairs(task, n, tally);
		for (int i = 0; i < RTYPES * TYPES * TYPES; i++) {
			const struct tally *t = &tally[0][0][0] + i;

			if (t->count == 0)
				continue;
			rows++;
			snprintf(want + strlen(want), sizeof want - strlen(want),
				 "R%d,t%d,t%d,%d,%d,%lld.000000,%lld.000000|", i / TYPES / TYPES,
				 i / TYPES % TYPES, i % TYPES, t->starts, t->count,
				 (long long)t->lost, (long long)t->most);
		}
		sample_make(&s, csv);
		if (strcmp(sample_pass(&s, "priorities", NULL), want) != 0)
			fail_msg("%s\ngot  %s\nwant %s", csv, s.got, want);
		sample_release(&s);
	}
	assert_true(rows > ROUNDS / 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_pair),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
