/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_expected.c -- numbers by place, and the worker that ends a task or is free first, against a look at each. */
#include "tests/unit/unit.h"

#include <stdlib.h>

#include "sim/expected.h"
#include "sim/first_free.h"
#include "sim/maxima.h"
#include "sim/members.h"

enum { PLACES = 70, WORKERS = 40, TYPES = 3, MEMORIES = 4, STEPS = 4000 };

static uint64_t seed;

static int64_t below(uint32_t n)
{
	return (int64_t)unit_random(&seed, n);
}

static void finds_places(void **state)
{
	(void)state;
	seed = unit_seed(20261126);
	for (uint32_t n = 1; n <= PLACES; n++) {
		struct tv_maxima maxima;
		int64_t value[PLACES] = { 0 };

		tv_maxima_init(&maxima, n);
		for (int i = 0; i < 200; i++) {
			uint32_t place = (uint32_t)below(n), from = (uint32_t)below(n + 2);
			uint32_t next = from;
			int64_t min = 1 + below(9), greatest = 0;

			value[place] = below(10) * below(2);
			tv_maxima_set(&maxima, place, value[place]);
			while (next < n && value[next] < min)
				next++;
			assert_int_equal(tv_maxima_next(&maxima, from, min),
					 next < n ? next : UINT32_MAX);
			for (uint32_t k = 0; k < n; k++)
				greatest = value[k] > greatest ? value[k] : greatest;
			assert_true(tv_maxima_greatest(&maxima) == greatest);
			assert_true(tv_maxima_get(&maxima, place) == value[place]);
		}
		tv_maxima_release(&maxima);
	}
}

struct state {
	uint32_t n, type[WORKERS], memory[WORKERS];
	int64_t until[WORKERS], waiting[WORKERS], now;
};

/* The definition: each worker in turn, of equal ones the first. */
static struct tv_sim_choice look_at_each(const struct state *s, const int64_t *cost,
					 const int64_t *transfer)
{
	struct tv_sim_choice best = { .worker = UINT32_MAX };

	for (uint32_t w = 0; w < s->n; w++) {
		int64_t free = s->waiting[w] + (s->until[w] > s->now ? s->until[w] : s->now);
		int64_t wait = transfer == NULL ? 0 : transfer[s->memory[w]];
		int64_t end = cost[s->type[w]] + (free > s->now + wait ? free : s->now + wait);

		if (cost[s->type[w]] >= 0 && (best.worker == UINT32_MAX || end + wait < best.end))
			best = (struct tv_sim_choice){ w, end + wait, end - free };
	}
	return best;
}

static void compare(struct tv_sim_expected *expected, struct state *s, bool transfers)
{
	int64_t cost[TYPES], transfer[MEMORIES];
	struct tv_sim_choice found = { .worker = UINT32_MAX }, best;

	for (int t = 0; t < TYPES; t++)
		cost[t] = below(4) == 0 ? -1 : below(6);
	for (int m = 0; m < MEMORIES; m++)
		transfer[m] = below(8);
	for (uint32_t t = 0; t < TYPES; t++)
		if (cost[t] >= 0)
			tv_sim_expected_choose(expected, t, cost[t], transfers ? transfer : NULL,
					       s->now, &found);
	best = look_at_each(s, cost, transfers ? transfer : NULL);
	assert_int_equal(found.worker, best.worker);
	if (best.worker == UINT32_MAX)
		return;
	assert_true(found.end == best.end && found.length == best.length);
	tv_sim_expected_waits(expected, found.worker, found.length);
	s->waiting[found.worker] += found.length;
}

/* Short times, so that many workers are equal. */
static void chooses_as_each_look(void **state)
{
	(void)state;
	seed = unit_seed(20261127);
	for (int round = 0; round < 40; round++) {
		struct state s = { .n = 1 + (uint32_t)below(WORKERS) };
		const struct tv_sim_machine machine = { s.n, TYPES, 0, s.type, NULL };
		bool transfers = round % 2 == 1;
		struct tv_sim_expected *expected;

		for (uint32_t w = 0; w < s.n; w++) {
			s.type[w] = (uint32_t)below(TYPES);
			s.memory[w] = (uint32_t)below(MEMORIES);
		}
		expected = tv_sim_expected_new(&machine, transfers ? s.memory : NULL);
		for (int i = 0; i < STEPS; i++) {
			uint32_t w = (uint32_t)below(s.n);

			s.now += below(3) == 0 ? below(4) : 0;
			if (below(2) == 0) {
				compare(expected, &s, transfers);
			} else if (s.until[w] <= s.now) { /* begins all that waits for it */
				s.until[w] = s.now + s.waiting[w];
				tv_sim_expected_runs(expected, w, s.waiting[w], s.until[w]);
				s.waiting[w] = 0;
			}
		}
		tv_sim_expected_free(expected);
	}
}

/* The first of those that are free at the earliest time; INT64_MAX: not there. */
static uint32_t look_for_free(const struct tv_sim_machine *machine, const int64_t *free,
			      uint32_t group)
{
	uint32_t best = UINT32_MAX;

	for (uint32_t w = 0; w < machine->nworkers; w++)
		if (tv_sim_runs(machine, group, machine->type[w]) && free[w] < INT64_MAX
		    && (best == UINT32_MAX || free[w] < free[best]))
			best = w;
	return best;
}

static void finds_who_is_free(void **state)
{
	enum { GROUPS = 4 };

	(void)state;
	seed = unit_seed(20261129);
	for (int round = 0; round < 40; round++) {
		uint32_t n = 1 + (uint32_t)below(WORKERS), type[WORKERS];
		bool runs[GROUPS * TYPES];
		const struct tv_sim_machine machine = { n, TYPES, GROUPS, type, runs };
		int64_t free[WORKERS] = { 0 };
		struct tv_sim_first_free *first_free;
		struct tv_sim_members members;

		for (uint32_t w = 0; w < n; w++)
			type[w] = (uint32_t)below(TYPES);
		for (uint32_t i = 0; i < GROUPS * TYPES; i++)
			runs[i] = below(2) == 0;
		tv_sim_members_init(&members, &machine);
		first_free = tv_sim_first_free_new(&machine, &members);
		for (int i = 0; i < STEPS; i++) {
			uint32_t w = (uint32_t)below(n), group = (uint32_t)below(GROUPS);

			assert_int_equal(tv_sim_first_free(first_free, group),
					 look_for_free(&machine, free, group));
			free[w] = below(5) == 0 ? INT64_MAX : below(6);
			tv_sim_free_at(first_free, w, free[w]);
		}
		tv_sim_first_free_free(first_free);
		tv_sim_members_release(&members);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_places),
		cmocka_unit_test(chooses_as_each_look),
		cmocka_unit_test(finds_who_is_free),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
