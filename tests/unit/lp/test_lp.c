/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_lp.c -- the area bound against a closed form and the vertices of its dual. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/unit/unit.h"

#include "lp/area.h"
#include "lp/shares.h"

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

		for (; at > 0
		       && in->time[2 * order[at - 1]] / in->time[2 * order[at - 1] + 1]
				  < in->time[2 * t] / in->time[2 * t + 1];
		     at--)
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

/*
 * Programs with ties. Loads of what has no choice are equal, or differ by less than any tolerance;
 * what has a choice is up to 10^12 times shorter; types repeat each other. GLPK cycles in some.
 */
static void draw_ties(struct input *in, uint64_t *seed)
{
	static const double near[] = { 1, 1, 1, 1 + 1e-8, 1 + 1e-9, 1 - 1e-10, 1 + 1e-12 };
	double big = pow(10, (double)unit_random(seed, 13));
	size_t fixed = unit_random(seed, 4);

	*in = (struct input){ .types = 1 + unit_random(seed, TYPES),
			      .resources = 2 + unit_random(seed, RESOURCES - 1) };
	for (size_t r = 0; r < in->resources; r++)
		in->workers[r] = 1 + (double)unit_random(seed, unit_random(seed, 2) ? 2 : 30);
	for (size_t t = 0; t < in->types; t++) {
		double unit = big * pow(10, -(double)unit_random(seed, 13));
		double *time = &in->time[t * in->resources];
		size_t only = t % in->resources;

		in->count[t] = 1 + (double)unit_random(seed, unit_random(seed, 2) ? 2 : 1000);
		for (size_t r = 0; r < in->resources; r++)
			time[r] = unit * (1 + (double)unit_random(seed, 3));
		if (t > 0 && unit_random(seed, 4) == 0) {
			memcpy(time, time - in->resources, in->resources * sizeof *time);
		} else if (t < fixed) {
			for (size_t r = 0; r < in->resources; r++)
				time[r] = -1;
			time[only] = big * in->workers[only] / in->count[t]
				   * near[unit_random(seed, TV_COUNT(near))];
		} else if (in->resources > 2 && unit_random(seed, 3) == 0) {
			time[unit_random(seed, in->resources)] = -1;
		}
	}
}

/* What all tasks cost at these prices of a resource's whole time, over the sum of the prices. */
static long double worth(const struct input *in, const long double *price)
{
	long double sum = 0, total = 0;

	for (size_t t = 0; t < in->types; t++) {
		long double least = INFINITY;

		for (size_t r = 0; r < in->resources; r++) {
			long double time = in->time[t * in->resources + r];

			if (time >= 0)
				least = fminl(least, price[r] * time / in->workers[r]);
		}
		sum += in->count[t] * least;
	}
	for (size_t r = 0; r < in->resources; r++)
		total += price[r];
	return sum / total;
}

/*
 * The best prices, exactly but for the rounding of long double: at a corner of the dual some prices
 * are 0, and each other one is tied to one set before it by a type that costs the same on both.
 * Only products, quotients and sums of positive numbers: no digit is lost.
 */
static long double best_corner(const struct input *in, long double *price, unsigned set)
{
	size_t n = in->resources;
	long double best = set != 0 ? worth(in, price) : 0;

	for (size_t r = 0; r < n; r++) {
		if (set & 1U << r)
			continue;
		if (set == 0) {
			price[r] = 1;
			best = fmaxl(best, best_corner(in, price, 1U << r));
		}
		for (size_t s = 0; s < n; s++)
			for (size_t t = 0; set & 1U << s && t < in->types; t++) {
				const double *time = &in->time[t * n];

				if (time[r] <= 0 || time[s] < 0)
					continue;
				price[r] = price[s] * time[s] / in->workers[s] / time[r]
					 * in->workers[r];
				best = fmaxl(best, best_corner(in, price, set | 1U << r));
			}
		price[r] = 0;
	}
	return best;
}

/* Our own method, which else only takes over where GLPK finds no optimum. */
static void check_shares(const struct input *in, long double bound)
{
	size_t start[TYPES], n = in->resources;
	double loads[TYPES * RESOURCES], share[TYPES * RESOURCES], price[RESOURCES];

	for (size_t t = 0; t < in->types; t++)
		for (size_t r = 0; r < n; r++) {
			double time = in->time[t * n + r];

			loads[t * n + r] = time < 0 ? -1
						    : (double)(in->count[t] * time / in->workers[r]
							       / bound);
			if (r == 0 || time >= 0)
				start[t] = r;
		}
	assert_true(tv_shares(&(struct tv_shares){ in->types, n, loads, start, share, price }));
	for (size_t r = 0; r < n; r++) {
		double load = 0;

		for (size_t t = 0; t < in->types; t++)
			if (loads[t * n + r] >= 0)
				load += share[t * n + r] * loads[t * n + r];
		if (load > 1 + TV_AREA_ACCURACY)
			fail_msg("load %.17g", load);
	}
}

/* TRACEVIZ_PROGRAMS=100000 tries that many. */
static void ties(void **state)
{
	const char *many = getenv("TRACEVIZ_PROGRAMS");
	long n = many != NULL ? strtol(many, NULL, 10) : 5000;
	uint64_t seed = unit_seed(20161);

	(void)state;
	print_message("# %ld programs with ties\n", n);
	for (long i = 0; i < n; i++) {
		long double price[RESOURCES] = { 0 }, want;
		double bound, ideal[TYPES * RESOURCES];
		struct tv_error err = { 0 };
		struct tv_area area;
		struct input in;

		draw_ties(&in, &seed);
		area = area_of(&in);
		alarm(60);
		if (tv_area_bound(&area, &bound, ideal, &err) < 0)
			fail_msg("program %ld: %s", i, err.text);
		alarm(0);
		want = best_corner(&in, price, 0);
		if (fabsl(bound - want) > TV_AREA_ACCURACY * want)
			fail_msg("program %ld: %.17g, expected %.17Lg", i, bound, want);
		check_allocation(&in, bound, ideal);
		check_shares(&in, want);
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
		{ 1, 2, { -1 }, { 1, 1 }, { 1, 1 } },
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
		cmocka_unit_test(by_hand),	   cmocka_unit_test(two_resources),
		cmocka_unit_test(three_resources), cmocka_unit_test(ties),
		cmocka_unit_test(refusals),
	};

	return cmocka_run_group_tests(test, NULL, NULL);
}
