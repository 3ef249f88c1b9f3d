/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_phases.c -- phases against their definition, on small random traces. */
#include <stdio.h>

#include "tests/unit/sample.h"

#include "analysis/tasks/phase_list.h"

enum { ROUNDS = 4000, TASKS = 24, SPAN = 60 };

struct task {
	int submit, start, end; /* submit < 0: not known */
};

static int entered(const struct task *t)
{
	return t->submit >= 0 && t->submit < t->start ? t->submit : t->start;
}

/* Whether a phase begins at the submission of task i: every earlier one has ended. */
static bool begins(const struct task *task, int n, int i)
{
	bool earliest = true;

	for (int k = 0; k < n; k++) {
		if (entered(&task[k]) < entered(&task[i])) {
			earliest = false;
			if (task[k].end > entered(&task[i]))
				return false;
		}
	}
	return earliest || task[i].submit >= 0;
}

/* Number of different instants at which a phase begins, up to the one of task i. */
static uint32_t phase_of(const struct task *task, int n, int i)
{
	bool at[SPAN + 1] = { false };
	uint32_t count = 0;

	for (int k = 0; k < n; k++)
		if (begins(task, n, k))
			at[entered(&task[k])] = true;
	for (int t = 0; t <= entered(&task[i]); t++)
		count += at[t];
	return count - 1;
}

static void random_traces(void **state)
{
	uint64_t seed = unit_seed(29), several = 0;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		int n = 1 + (int)unit_random(&seed, TASKS), most = 0;
		char csv[TASKS * 80] = "ResourceId,Value,Start,End,SubmitTime,JobId\n", submit[16];
		struct task task[TASKS];
		struct tv_phases phases;
		struct sample s;

		for (int i = 0; i < n; i++) {
			size_t at = strlen(csv);

			task[i].start = (int)unit_random(&seed, SPAN - 12);
			task[i].end = task[i].start + (int)unit_random(&seed, 12);
			task[i].submit = task[i].start - (int)unit_random(&seed, 6)
				       + (unit_random(&seed, 9) == 0);
			if (unit_random(&seed, 4) == 0 || task[i].submit < 0)
				task[i].submit = -1;
			submit[0] = '\0';
			if (task[i].submit >= 0)
				snprintf(submit, sizeof submit, "%d", task[i].submit);
			snprintf(csv + at, sizeof csv - at, "CPU%d,a,%d,%d,%s,%d\n", i,
				 task[i].start, task[i].end, submit, i);
		}
		sample_make(&s, csv);
		tv_phases_init(&phases, &s.run.tasks);
		for (int i = 0; i < n; i++) {
			int want = (int)phase_of(task, n, i);

			assert_int_equal(tv_phase_of(&phases, (uint32_t)i), want);
			assert_true(task[i].start * (int64_t)1000000 >= phases.phase[want].start
				    && task[i].end * (int64_t)1000000 <= phases.phase[want].end);
			most = want > most ? want : most;
		}
		assert_int_equal(phases.n, most + 1);
		several += most > 0;
		tv_phases_release(&phases);
		sample_release(&s);
	}
	assert_in_range(several, ROUNDS / 4, ROUNDS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_traces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
