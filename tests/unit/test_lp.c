/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_lp.c -- the area bound against a closed form and the vertices of its dual. */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "unit.h"

#include "lp/area.h"

enum { TYPES = 6, RESOURCES = 3, ROUNDS = 3000 };

struct input {
	size_t types, resources;
	double count[TYPES], time[TYPES * RESOURCES], workers[RESOURCES];
};

static struct tv_area area_of(const struct input *in)
{
	return (struct tv_area){ in->types, in->resources, in->count, in->time, in->workers };
}

static void draw_input(struct input *in, uint64_t *seed, size_t resources, bool exclude)
{
	double unit = pow(10, (double)unit_random(seed, 13) - 3);

	*in = (struct input){ .types = 1 + unit_random(seed, TYPES), .resources = resources };
	for (size_t r = 0; r < resources; r++)
		in->workers[r] = 1 + (double)unit_random(seed, 30);
	for (size_t t = 0; t < in->types; t++) {
		in->count[t] = 1 + (double)unit_random(seed, unit_random(seed, 2) ? 10 : 100000);
		for (size_t r = 0; r < resources; r++) {
			double time = 1
				    + (double)unit_random(seed, unit_random(seed, 2) ? 20 : 5000);
			bool excluded = exclude && r > 0 && unit_random(seed, 4) == 0;

			in->time[t * resources + r] = excluded ? -1 : unit * time;
		}
	}
}

/* Two resource types: give the second those types where it is relatively fastest, splitting one. */
static double closed_form(const struct input *in)
{
	double best = INFINITY, left = 0;
	size_t order[TYPES];

	for (size_t t = 0; t < in->types; t++) {
		size_t at = t;

		for (; at > 0 && in->time[2 * order[at - 1]] / in->time[2 * order[at - 1] + 1]
				 < in->time[2 * t] / in->time[2 * t + 1]; at--)
			order[at] = order[at - 1];
		order[at] = t;
		left += in->count[t] * in->time[2 * t];
	}
	for (size_t i = 0; i < in->types; i++) {
		size_t t = order[i];
		double a = in->count[t] * in->time[2 * t], b = in->count[t] * in->time[2 * t + 1];
		double right = 0, share;

		for (size_t k = 0; k < i; k++)
			right += in->count[order[k]] * in->time[2 * order[k] + 1];
		/* (left - x a) / N0 = (right + x b) / N1 */
		share = (left / in->workers[0] - right / in->workers[1])
		      / (a / in->workers[0] + b / in->workers[1]);
		share = share < 0 ? 0 : share > 1 ? 1 : share;
		best = fmin(best, fmax((left - share * a) / in->workers[0],
				       (right + share * b) / in->workers[1]));
		left -= a;
	}
	return best;
}

/* What all tasks cost at least at these prices of a resource's whole time: a lower bound of T. */
static double dual(const struct input *in, const double *price)
{
	double sum = 0;

	for (size_t t = 0; t < in->types; t++) {
		double least = INFINITY;

		for (size_t r = 0; r < in->resources; r++) {
			double time = in->time[t * in->resources + r];

			if (time >= 0)
				least = fmin(least, price[r] / in->workers[r] * time);
		}
		sum += in->count[t] * least;
	}
	return sum;
}

/* A line a x + b y = c in the plane of two prices (the third is 1 - x - y). */
struct line {
	double a, b, c;
};

static size_t list_lines(const struct input *in, struct line *line)
{
	size_t n = 0;

	line[n++] = (struct line){ 1, 0, 0 };
	line[n++] = (struct line){ 0, 1, 0 };
	line[n++] = (struct line){ 1, 1, 1 };
	for (size_t t = 0; t < in->types; t++) {
		double u = in->time[3 * t] / in->workers[0];
		double v = in->time[3 * t + 1] / in->workers[1];
		double w = in->time[3 * t + 2] / in->workers[2];

		if (u >= 0 && v >= 0)
			line[n++] = (struct line){ u, -v, 0 };
		if (u >= 0 && w >= 0)
			line[n++] = (struct line){ u + w, w, w };
		if (v >= 0 && w >= 0)
			line[n++] = (struct line){ w, v + w, w };
	}
	return n;
}

/* The dual is concave and piecewise linear: greatest where two of the lines cross. */
static double enumerate(const struct input *in)
{
	struct line line[3 + 3 * TYPES];
	size_t n = list_lines(in, line);
	double best = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++) {
			double d = line[i].a * line[k].b - line[k].a * line[i].b, price[3];

			if (d == 0)
				continue;
			price[0] = (line[i].c * line[k].b - line[k].c * line[i].b) / d;
			price[1] = (line[i].a * line[k].c - line[k].a * line[i].c) / d;
			price[2] = 1 - price[0] - price[1];
			if (price[0] >= -1e-14 && price[1] >= -1e-14 && price[2] >= -1e-14)
				best = fmax(best, dual(in, price));
		}
	return best;
}

/* The allocation is one: complete, nowhere negative, nothing excluded, within the bound. */
static void check_allocation(const struct input *in, double bound, const double *ideal)
{
	for (size_t t = 0; t < in->types; t++) {
		double sum = 0;

		for (size_t r = 0; r < in->resources; r++) {
			double n = ideal[t * in->resources + r];

			assert_true(n >= 0 && !signbit(n) && (n == 0 || n > 1e-12 * in->count[t]));
			assert_true(n == 0 || in->time[t * in->resources + r] >= 0);
			sum += n;
		}
		assert_true(fabs(sum - in->count[t]) <= 1e-12 * in->count[t]);
	}
	for (size_t r = 0; r < in->resources; r++) {
		double load = 0;

		for (size_t t = 0; t < in->types; t++) {
			size_t at = t * in->resources + r;

			load += ideal[at] > 0 ? ideal[at] * in->time[at] : 0;
		}
		assert_true(load <= bound * in->workers[r] * (1 + 1e-12));
	}
}

static void against(size_t resources, bool exclude, double (*oracle)(const struct input *))
{
	uint64_t seed = 52 + resources;

	for (int i = 0; i < ROUNDS; i++) {
		struct input in;
		struct tv_area area;
		struct tv_error err = { 0 };
		double bound, again, ideal[TYPES * RESOURCES], same[TYPES * RESOURCES], want;

		draw_input(&in, &seed, resources, exclude);
		area = area_of(&in);
		if (tv_area_bound(&area, &bound, ideal, &err) < 0)
			fail_msg("round %d: %s", i, err.text);
		want = oracle(&in);
		if (fabs(bound - want) > 1e-9 * want)
			fail_msg("round %d: %.17g, expected %.17g", i, bound, want);
		check_allocation(&in, bound, ideal);
		assert_int_equal(tv_area_bound(&area, &again, same, &err), 0);
		assert_true(again == bound);
		assert_memory_equal(ideal, same, in.types * in.resources * sizeof *ideal);
	}
}

static void two_resources(void **state)
{
	(void)state;
	against(2, false, closed_form);
}

static void three_resources(void **state)
{
	(void)state;
	against(3, true, enumerate);
}

static void by_hand(void **state)
{
	static const struct {
		struct input in;
		double bound, ideal[4];
	} row[] = {
		{ { 1, 1, { 10 }, { 6 }, { 4 } }, 15, { 10 } },
		/* 2 CPU, and a GPU four times as fast: two thirds of the speed */
		{ { 1, 2, { 12 }, { 8, 2 }, { 2, 1 } }, 16, { 4, 8 } },
		{ { 2, 2, { 5, 7 }, { 3, -1, -1, 2 }, { 1, 1 } }, 15, { 5, 0, 0, 7 } },
		/* a resource type without workers takes nothing, however fast */
		{ { 1, 2, { 4 }, { 5, 1 }, { 2, 0 } }, 10, { 4, 0 } },
		{ { 1, 2, { 4 }, { 0, 0 }, { 1, 1 } }, 0, { 4, 0 } },
		{ { 2, 2, { 4, 6 }, { 0, 3, 5, 5 }, { 1, 1 } }, 15, { 4, 0, 3, 3 } },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		struct tv_area area = area_of(&row[i].in);
		struct tv_error err = { 0 };
		double bound, ideal[4];

		assert_int_equal(tv_area_bound(&area, &bound, ideal, &err), 0);
		if (fabs(bound - row[i].bound) > 1e-12)
			fail_msg("row %zu: %.17g", i, bound);
		for (size_t k = 0; k < area.ntypes * area.nresources; k++)
			if (fabs(ideal[k] - row[i].ideal[k]) > 1e-12)
				fail_msg("row %zu: ideal[%zu] is %.17g", i, k, ideal[k]);
	}
}

/* Bad input is an error, not GLPK's abort; and nothing is printed, whatever happens. */
static void refusals(void **state)
{
	static const struct input row[] = {
		{ 1, 2, { 4 }, { -1, -1 }, { 1, 1 } },
		{ 1, 2, { 4 }, { 1, -1 }, { 0, 1 } },
		{ 1, 2, { 4 }, { NAN, 1 }, { 1, 1 } },
		{ 1, 2, { 4 }, { INFINITY, 1 }, { 1, 1 } },
		{ 1, 2, { NAN }, { 1, 1 }, { 1, 1 } },
		{ 1, 2, { 0 }, { 1, 1 }, { 1, 1 } },
		{ 1, 2, { 1e308 }, { 1e308, 1e308 }, { 1, 1 } },
	};
	FILE *caught = tmpfile();
	int old;

	(void)state;
	assert_non_null(caught);
	fflush(stdout);
	old = dup(STDOUT_FILENO);
	dup2(fileno(caught), STDOUT_FILENO);
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		struct tv_area area = area_of(&row[i]);
		struct tv_error err = { 0 };
		double bound, ideal[2];
		int rc = tv_area_bound(&area, &bound, ideal, &err);

		if (rc != -1 || strncmp(err.text, "area bound: ", 12) != 0) {
			dup2(old, STDOUT_FILENO);
			fail_msg("row %zu: %d '%s'", i, rc, err.text);
		}
	}
	against(2, false, closed_form);
	fflush(stdout);
	dup2(old, STDOUT_FILENO);
	close(old);
	fseek(caught, 0, SEEK_END);
	assert_int_equal(ftell(caught), 0);
	fclose(caught);
}

int main(void)
{
	static const struct CMUnitTest test[] = {
		cmocka_unit_test(by_hand),
		cmocka_unit_test(two_resources),
		cmocka_unit_test(three_resources),
		cmocka_unit_test(refusals),
	};

	return cmocka_run_group_tests(test, NULL, NULL);
}
