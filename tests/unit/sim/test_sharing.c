/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_sharing.c -- the rates after each solve, with any number of changes before it, against progressive
 * filling from nothing by brute force.
 */
#include <math.h>

#include "sim/sharing.h"
#include "tests/unit/unit.h"

enum { RUNS = 1000, BATCHES = 30, FLOWS = 24, RESOURCES = 6 };

static uint64_t rng;

static unsigned below(unsigned n)
{
	return (unsigned)unit_random(&rng, n);
}

struct user {
	bool there;
	double weight[RESOURCES], bound, rate;
};

/* Progressive filling from nothing. */
static void solve_all(const double *capacity, struct user *user, size_t n)
{
	bool fixed[FLOWS] = { false };

	for (;;) {
		double level = INFINITY;
		size_t at = 0, bounded = n;

		for (size_t r = 0; r < RESOURCES; r++) {
			double left = capacity[r], sum = 0;

			for (size_t k = 0; k < n; k++)
				if (user[k].there && fixed[k])
					left -= user[k].weight[r] * user[k].rate;
				else if (user[k].there)
					sum += user[k].weight[r];
			if (sum > 0 && left / sum < level) {
				level = left / sum;
				at = r;
			}
		}
		for (size_t k = 0; k < n; k++)
			if (user[k].there && !fixed[k] && user[k].bound <= level) {
				level = user[k].bound;
				bounded = k;
			}
		if (isinf(level))
			return;
		for (size_t k = 0; k < n; k++)
			if (user[k].there && !fixed[k]
			    && (bounded < n ? k == bounded : user[k].weight[at] > 0)) {
				fixed[k] = true;
				user[k].rate = level;
			}
	}
}

static void begin(struct tv_sharing *sharing, struct user *user, uint32_t number)
{
	*user = (struct user){ .there = true, .bound = 1 + below(6) };
	tv_sharing_add(sharing, number);
	for (uint32_t r = 0; r < RESOURCES; r++)
		if (below(3) == 0) {
			user->weight[r] = below(4) == 0 ? 0.05 : 1 + below(2);
			tv_sharing_use(sharing, number, r, user->weight[r]);
		}
	tv_sharing_bound(sharing, number, user->bound);
	tv_sharing_begin(sharing, number);
}

static void ignore_rate(void *context, uint32_t flow, double rate)
{
	(void)context;
	(void)flow;
	(void)rate;
}

static void check_rate(const struct tv_sharing *sharing, uint32_t flow, double want, size_t run)
{
	double got = tv_sharing_rate(sharing, flow);

	if (!(fabs(got - want) <= 1e-12 * want))
		fail_msg("run %zu, flow %u: rate %.17g, expected %.17g", run, flow, got, want);
}

/* Three flows end at one instant; the fourth gets what they leave, up to its bound. */
static void one_remains(void **state)
{
	struct tv_sharing *sharing = tv_sharing_new(1);

	(void)state;
	tv_sharing_set_capacity(sharing, 0, 13);
	for (uint32_t k = 0; k < 4; k++) {
		tv_sharing_add(sharing, k);
		tv_sharing_use(sharing, k, 0, 1);
		tv_sharing_bound(sharing, k, 5);
		tv_sharing_begin(sharing, k);
	}
	tv_sharing_solve(sharing, ignore_rate, NULL);
	check_rate(sharing, 3, 13.0 / 4, 0);
	for (uint32_t k = 0; k < 3; k++)
		tv_sharing_remove(sharing, k);
	tv_sharing_solve(sharing, ignore_rate, NULL);
	check_rate(sharing, 3, 5, 0);
	tv_sharing_free(sharing);
}

/* Any number of flows begin and end between two solves. */
static void batches(void **state)
{
	(void)state;
	rng = unit_seed(20261101);
	for (size_t i = 0; i < RUNS; i++) {
		struct tv_sharing *sharing = tv_sharing_new(RESOURCES);
		struct user user[FLOWS] = { 0 };
		double capacity[RESOURCES];
		size_t n = 0;

		for (uint32_t r = 0; r < RESOURCES; r++) {
			capacity[r] = 1 + below(24);
			tv_sharing_set_capacity(sharing, r, capacity[r]);
		}
		for (size_t batch = 0; batch < BATCHES; batch++) {
			for (unsigned change = below(2) ? 1 : below(12); change > 0; change--) {
				uint32_t k = below((unsigned)n + (n < FLOWS));

				n += k == n;
				if (user[k].there)
					tv_sharing_remove(sharing, k);
				if (user[k].there)
					user[k].there = false;
				else
					begin(sharing, &user[k], k);
			}
			tv_sharing_solve(sharing, ignore_rate, NULL);
			solve_all(capacity, user, n);
			for (uint32_t k = 0; k < n; k++)
				if (user[k].there)
					check_rate(sharing, k, user[k].rate, i);
		}
		tv_sharing_free(sharing);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_remains),
		cmocka_unit_test(batches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
