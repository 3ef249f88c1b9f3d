/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_riders.c -- functions that get parts which are read for another one. */
#include "analysis/core/run.h"
#include "dag/carry.h"
#include "tests/unit/unit.h"

enum { NPARTS = 3 };

/* Parts without rows. */
struct source {
	struct tv_run part;
	unsigned at, nreadings;
};

static int next(void *context, enum tv_part_columns columns, struct tv_run **part,
		struct tv_error *err)
{
	struct source *source = context;

	(void)columns;
	(void)err;
	*part = &source->part;
	source->nreadings += source->at == 0;
	source->at = (source->at + 1) % (NPARTS + 1);
	return source->at != 0;
}

struct rider {
	unsigned n, fails_at;
	unsigned *nreleased;
};

static int count(void *state, struct tv_run *part, struct tv_error *err)
{
	struct rider *rider = state;

	(void)part;
	return ++rider->n == rider->fails_at ? tv_fail(err, "it fails") : 0;
}

static void release(void *state)
{
	struct rider *rider = state;

	++*rider->nreleased;
	tv_free(rider);
}

static void ride(struct tv_run *run, const void *key, unsigned fails_at, unsigned *nreleased)
{
	struct rider *rider = tv_alloc(1, sizeof *rider);

	*rider = (struct rider){ .fails_at = fails_at, .nreleased = nreleased };
	tv_run_ride(run, key, count, rider, release);
}

static void test_riders(void **state)
{
	static const char all, failing, unread, later;
	struct source source = { 0 };
	struct tv_carry *carry = tv_carry_new(false);
	const struct tv_run_parts parts = { .next = next, .context = &source, .carry = carry };
	struct tv_run run = { .parts = &parts };
	struct rider reading = { 0 }, *rider;
	struct tv_error err = { 0 };
	unsigned nreleased = 0;

	(void)state;
	ride(&run, &all, 0, &nreleased);
	ride(&run, &failing, 2, &nreleased);
	ride(&run, &unread, 0, &nreleased);
	/* Without graphs nobody gets along, and who asks then reads for itself. */
	assert_int_equal(tv_run_bare_rows(&run, count, &reading, &err), 0);
	assert_null(tv_run_ridden(&run, &unread));
	assert_int_equal(nreleased, 1);
	assert_int_equal(tv_run_rows(&run, count, &reading, &err), 0);
	assert_int_equal(nreleased, 2);
	assert_int_equal(err.status, 0);
	ride(&run, &later, 0, &nreleased);
	/* Once. */
	assert_int_equal(tv_run_rows(&run, count, &reading, &err), 0);
	assert_int_equal(reading.n, 3 * NPARTS);
	assert_int_equal(source.nreadings, 3);
	assert_null(tv_run_ridden(&run, &failing));
	rider = tv_run_ridden(&run, &all);
	assert_non_null(rider);
	assert_int_equal(rider->n, NPARTS);
	assert_null(tv_run_ridden(&run, &all));
	release(rider);
	tv_run_release(&run);
	assert_int_equal(nreleased, 4);
	tv_carry_free(carry);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_riders) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
