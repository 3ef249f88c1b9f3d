/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_priorities.c -- overtaken tasks by hand, and against comparing every pair. */
#include <stdio.h>

#include "tests/unit/sample.h"

#define COLUMNS "ResourceId,Value,Start,End,JobId,DependsOn,Priority,SubmitTime,Node,Kind"
#define HEAD	COLUMNS "\n"

static void by_hand(void **state)
{
	static const struct {
		const char *want, *csv;
	} row[] = {
		/* hi waits from 10 on; lo starts at 20 and runs to 50, hi starts at 45 */
		{ "CPU,lo,hi,2,1,25.000000,25.000000|",
		  HEAD "CPU0,lo,0,10,1,,1,,,\nCPU0,lo,20,50,2,,1,,,\nCPU1,hi,45,60,3,1,5,,,\n" },
		/* lo ends before hi starts: hi loses what lo took; both starts count */
		{ "CPU,lo,hi,2,2,20.000000,15.000000|",
		  HEAD "CPU0,lo,20,25,1,,1,,,\nCPU0,lo,30,45,2,,1,,,\nCPU1,hi,50,60,3,,5,0,,\n" },
		/* equal priority, or a missing one that is 0 */
		{ "", HEAD "CPU0,lo,0,10,1,,,,,\nCPU1,hi,5,10,2,,0,,,\n" },
		/* released when the other starts: it had not waited */
		{ "",
		  HEAD "CPU0,lo,0,10,1,,0,,,\nCPU0,lo,10,20,2,,0,,,\nCPU1,hi,30,40,3,1,9,,,\n" },
		/* not submitted yet */
		{ "", HEAD "CPU0,lo,0,10,1,,0,,,\nCPU1,hi,30,40,3,,9,20,,\n" },
		/* hi cannot run on CPU: it runs on CUDA alone */
		{ "", HEAD "CPU0,lo,0,10,1,,0,,,\nCUDA0,hi,30,40,3,,9,,,\n" },
		/* another node's task */
		{ "", HEAD "0_CPU0,lo,0,10,1,,0,,0,\n1_CPU0,hi,30,40,3,,9,,1,\n" },
		/* of two that wait, the more urgent one is told */
		{ "CPU,hi,urgent,1,1,4.000000,4.000000|CPU,lo,urgent,1,1,5.000000,5.000000|",
		  HEAD "CPU0,lo,0,50,1,,0,,,\nCPU1,hi,0,4,3,,2,,,\nCPU1,urgent,5,40,4,,9,,,\n" },
		/* setup tasks overtake nobody */
		{ "", HEAD "CPU0,lo,0,10,1,,0,,,setup\nCPU1,hi,30,40,3,,9,-5,,app\n" },
	};
	static const char *const anywhere[] = { "anywhere" }, *const wrong[] = { "no" };
	struct sample s;

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		sample_make(&s, row[i].csv);
		assert_string_equal(sample_pass(&s, "priorities", NULL), row[i].want);
		sample_release(&s);
	}
	sample_make(&s, row[5].csv);
	assert_string_equal(sample_pass(&s, "priorities", anywhere),
			    "CPU,lo,hi,1,1,10.000000,10.000000|");
	assert_string_equal(sample_pass(&s, "priorities", wrong),
			    "error: --can-run 'no', expected observed or anywhere");
	sample_release(&s);
	sample_make(&s, row[1].csv);
	s.run.window = (struct tv_window){ true, 26000000, INT64_MAX };
	assert_string_equal(sample_pass(&s, "priorities", NULL),
			    "CPU,lo,hi,1,1,15.000000,15.000000|");
	sample_release(&s);
	sample_make(&s, "ResourceId,Value,Start,End\nCPU0,a,0,1\n");
	assert_string_equal(sample_pass(&s, "priorities", NULL),
			    "error: priorities: the tasks have no column Priority");
	sample_release(&s);
	sample_make(&s, "ResourceId,Value,Start,End,Priority\nCPU0,a,0,1,1\n");
	assert_string_equal(sample_pass(&s, "priorities", NULL),
			    "error: priorities: the tasks have no column DependsOn");
	sample_release(&s);
}

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
	snprintf(csv, size, COLUMNS ",ResourceType\n");
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
		cmocka_unit_test(by_hand),
		cmocka_unit_test(every_pair),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
