/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_idleness.c -- idle shares against counting every nanosecond; windows. */
#include <math.h>
#include <stdio.h>

#include "tests/unit/sample.h"

enum { ROUNDS = 300, LENGTH = 60, TASKS = 12, STATES = 8 };

#define HEADER "ResourceId,Value,Start,End,Kind\n"

/* Overlap, setup before and inside the run, a worker without tasks, types and nodes. */
#define FOUR \
	HEADER \
	"CPU0,a,0,40,app\nCPU0,a,30,50,app\nCPU0,plgsy,-20,10,setup\nCPU0,plgsy,45,60,setup\n" \
	"CPU1,a,90,100,app\nCUDA0,,,,worker\nCPU2,_starpu_x,10,20,runtime\n" \
	"CPU2,_starpu_x,95,120,runtime\n"

static int64_t busy_of(struct tv_run *run, uint32_t row)
{
	struct tv_error err = { 0 };
	const struct tv_table *table = tv_run_pass(run, "idleness", NULL, &err);

	assert_non_null(table);
	return tv_table_find(table, "Busy")->i[row];
}

/* Results of the whole run and of its window do not mix, whichever comes first. */
static void without_window(void **state)
{
	struct sample s;

	(void)state;
	for (int first = 0; first < 2; first++) {
		struct tv_run *all;
		bool *chosen;
		size_t before;

		sample_make(&s, FOUR);
		assert_ptr_equal(tv_run_unwindowed(&s.run), &s.run);
		s.run.window = (struct tv_window){ true, 35000000, 95000000 };
		if (first == 0)
			assert_int_equal(busy_of(&s.run, 0), 15000000);
		all = tv_run_unwindowed(&s.run);
		assert_ptr_equal(tv_run_unwindowed(&s.run), all);
		assert_int_equal(busy_of(all, 0), 50000000);
		assert_int_equal(busy_of(&s.run, 0), 15000000);
		assert_ptr_equal(tv_run_dag(all, &s.err), tv_run_dag(&s.run, &s.err));
		before = s.run.diagnostics.n;
		tv_run_warn(all, "a warning");
		tv_run_warn(all, "a warning");
		assert_int_equal(s.run.diagnostics.n, before + 1);
		if (first == 1) { /* a part of it, and its part without window */
			struct tv_run part;

			chosen = tv_alloc(s.run.tasks.nworkers, sizeof *chosen);
			chosen[0] = true;
			tv_run_init_part(&part, &s.run, chosen);
			all = tv_run_unwindowed(&part);
			assert_true(tv_run_has(all, 0) && !tv_run_has(all, 1));
			assert_int_equal(busy_of(all, 0), 50000000);
			before = part.diagnostics.n;
			tv_run_warn(all, "of the part");
			assert_int_equal(part.diagnostics.n, before + 1);
			tv_run_release(&part);
		}
		sample_release(&s);
	}
}

/* What each nanosecond of one worker's run was. */
struct paint {
	bool busy[LENGTH], other[LENGTH], idle[LENGTH];
	int first, last; /* of the counted tasks */
};

static void draw_tasks(struct paint *p, char *csv, size_t size, uint64_t *seed)
{
	for (int i = 0; i < TASKS; i++) {
		int start = (int)unit_random(seed, LENGTH), end = start;
		int room = LENGTH - start < 9 ? LENGTH - start : 9;
		bool app = i == 0 || unit_random(seed, 2);
		size_t at = strlen(csv);

		end += (int)unit_random(seed, (uint64_t)room + 1);
		end += end == start && end < LENGTH;
		for (int t = start; t < end; t++)
			(app ? p->busy : p->other)[t] = true;
		if (app && (i == 0 || start < p->first))
			p->first = start;
		if (app && (i == 0 || end > p->last))
			p->last = end;
		snprintf(csv + at, size - at, "CPU0,k%d,0.0000%02d,0.0000%02d,%s\n", i, start, end,
			 app ? "app" : "setup");
	}
}

static void draw_states(struct paint *p, struct sample *s, uint64_t *seed)
{
	for (int i = 0; i < STATES; i++) {
		int start = (int)unit_random(seed, LENGTH - 5);
		int end = start + (int)unit_random(seed, 6);
		bool idle = i == 0 || unit_random(seed, 3) > 0;

		sample_state(s, "CPU0", idle ? (i % 2 ? "Idle" : "Sleeping") : "Callback", start,
			     end);
		for (int t = start; t < end && idle; t++)
			p->idle[t] = true;
	}
}

static void every_nanosecond(void **state)
{
	uint64_t seed = unit_seed(511);

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		struct paint p = { .first = 0 };
		char csv[TASKS * 60 + 100] = HEADER;
		struct sample s;
		const struct tv_table *idleness;
		int begin, end, busy = 0, other = 0, idle = 0;

		draw_tasks(&p, csv, sizeof csv, &seed);
		sample_make(&s, csv);
		draw_states(&p, &s, &seed);
		begin = p.first;
		end = p.last;
		if (unit_random(&seed, 2)) {
			begin = (int)unit_random(&seed, LENGTH);
			end = begin + 1 + (int)unit_random(&seed, LENGTH);
			s.run.window = (struct tv_window){ true, begin, end };
			begin = begin > p.first ? begin : p.first;
			end = end < p.last ? end : p.last;
		}
		idleness = tv_run_pass(&s.run, "idleness", NULL, &s.err);
		assert_int_equal(idleness != NULL, begin < end);
		for (int t = begin; t < end; t++) {
			busy += p.busy[t];
			other += p.other[t] && !p.busy[t];
			idle += p.idle[t];
		}
		if (idleness != NULL) {
			double whole = end - begin;

			assert_int_equal(tv_table_find(idleness, "Busy")->i[0], busy);
			assert_int_equal(tv_table_find(idleness, "Other")->i[0], other);
			assert_true(fabs(tv_table_find(idleness, "Idleness")->d[0]
					 - 100 * (1 - (busy + other) / whole))
				    < 1e-9);
			assert_true(fabs(tv_table_find(idleness, "RuntimeIdleness")->d[0]
					 - 100 * idle / whole)
				    < 1e-9);
		}
		sample_release(&s);
	}
}

int main(void)
{
	static const struct CMUnitTest test[] = {
		cmocka_unit_test(without_window),
		cmocka_unit_test(every_nanosecond),
	};

	return cmocka_run_group_tests(test, NULL, NULL);
}
