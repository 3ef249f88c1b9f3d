/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plateaus.c -- change points of a series, by binary segmentation. */
#include "analysis/compare/plateaus.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/error.h"
#include "trace/random.h"

enum { ORDERS = 10000, CHANCE = ORDERS / 100, PART_MIN = 2, REFINED_MAX = 10 };

/* Groups first .. end - 1 of a series, and their numbers. */
struct part {
	const size_t *begin;
	size_t first, end;
	double *sum; /* of the numbers before each of its groups, from 0 on, and of all; place for that */
};

static size_t before(const struct part *part, size_t group)
{
	return part->begin[group] - part->begin[part->first];
}

static double mean(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return sum / (double)n;
}

static void add_up(const struct part *part, const double *x)
{
	double sum = 0;

	for (size_t g = part->first, i = 0; g <= part->end; g++) {
		for (; i < before(part, g); i++)
			sum += x[i];
		part->sum[g - part->first] = sum;
	}
}

/* The statistic of the groups from a to b - 1 against the others, of numbers whose mean is 0; 0: too few of either. */
static double statistic(const struct part *part, size_t a, size_t b)
{
	size_t n = before(part, part->end), k = before(part, b) - before(part, a);
	double sum = part->sum[b - part->first] - part->sum[a - part->first];

	return k < PART_MIN || n - k < PART_MIN
		     ? 0
		     : sum * sum * (double)n / ((double)k * (double)(n - k));
}

/* The largest statistic of a cut; *cut: the group behind it. 0: there is none. */
static double best_cut(const struct part *part, size_t *cut)
{
	double best = 0;

	for (size_t g = part->first + 1; g < part->end; g++) {
		double s = statistic(part, part->first, g);

		if (s > best) {
			best = s;
			*cut = g;
		}
	}
	return best;
}

/* The same of groups that neither end of the part touches; *cut: the end of theirs with the larger statistic of a cut. */
static double best_between(const struct part *part, size_t *cut)
{
	double best = 0;

	for (size_t a = part->first + 1; a < part->end; a++)
		for (size_t b = a + 1; b < part->end; b++) {
			double s = statistic(part, a, b);

			if (s <= best)
				continue;
			best = s;
			*cut = statistic(part, part->first, a) >= statistic(part, part->first, b)
				     ? a
				     : b;
		}
	return best;
}

static void shuffle(double *x, size_t n, uint64_t *state)
{
	for (size_t i = n; i > 1; i--) {
		size_t k = (size_t)(tv_random_share(state) * (double)i);
		double last = x[i - 1];

		x[i - 1] = x[k];
		x[k] = last;
	}
}

/* How many of all orders have as large a statistic as this one of order[], which is shuffled; more than CHANCE: as many at least. */
static size_t count_orders(const struct part *part, double *order,
			   double (*best)(const struct part *part, size_t *cut), size_t *cut)
{
	size_t n = before(part, part->end), as_large = 1, ignored;
	uint64_t state = 1;
	double found;

	add_up(part, order);
	found = best(part, cut);
	if (!(found > 0))
		return ORDERS;
	/* Sums in another order may differ in their last bits. */
	for (size_t i = 1; i < ORDERS && as_large <= CHANCE; i++) {
		shuffle(order, n, &state);
		add_up(part, order);
		as_large += best(part, &ignored) >= found * (1 - 1e-9);
	}
	return as_large;
}

/* The group with which a new plateau begins, or 0. */
static size_t find_cut(const struct part *part, const double *x, double *chance)
{
	static double (*const test[])(const struct part *part, size_t *cut) = { best_cut,
										best_between };
	size_t n = before(part, part->end), cut = 0, as_large = ORDERS;
	double centre = mean(x, n), *order;

	if (n < TV_PLATEAUS_MIN)
		return 0;
	order = tv_alloc(n, sizeof *order);
	for (size_t t = 0; t < TV_COUNT(test) && as_large > CHANCE; t++) {
		for (size_t i = 0; i < n; i++)
			order[i] = x[i] - centre;
		as_large = count_orders(part, order, test[t], &cut);
	}
	tv_free(order);
	*chance = (double)as_large / ORDERS;
	return as_large <= CHANCE ? cut : 0;
}

/* Each change point once more, between the ones before and behind it: it moves, or goes. Whether one did. */
static bool refine(const double *x, struct part all, struct tv_plateau *plateau, size_t *n)
{
	bool changed = false;

	for (size_t i = 1; i < *n;) {
		struct part part = { all.begin, plateau[i - 1].first,
				     i + 1 < *n ? plateau[i + 1].first : all.end, all.sum };
		double chance;
		size_t cut = find_cut(&part, x + all.begin[part.first], &chance);

		changed = changed || cut != plateau[i].first;
		if (cut == 0) {
			--*n;
			memmove(&plateau[i], &plateau[i + 1], (*n - i) * sizeof *plateau);
			continue;
		}
		plateau[i].first = cut;
		plateau[i++].chance = chance;
	}
	return changed;
}

size_t tv_plateaus(const double *x, const size_t *begin, size_t ngroups, struct tv_plateau *plateau)
{
	struct part all = { begin, 0, ngroups, tv_alloc(ngroups + 1, sizeof *all.sum) };
	size_t n = 1;

	plateau[0] = (struct tv_plateau){ 0, 0, NAN };
	/* A plateau is cut in two until it cannot be; then the next one is. */
	for (size_t i = 0; i < n;) {
		struct part part = { begin, plateau[i].first,
				     i + 1 < n ? plateau[i + 1].first : ngroups, all.sum };
		double chance;
		size_t cut = find_cut(&part, x + begin[part.first], &chance);

		if (cut == 0) {
			i++;
			continue;
		}
		memmove(&plateau[i + 2], &plateau[i + 1], (n - i - 1) * sizeof *plateau);
		plateau[i + 1] = (struct tv_plateau){ cut, 0, chance };
		n++;
	}
	for (int i = 0; i < REFINED_MAX && refine(x, all, plateau, &n); i++)
		;
	for (size_t i = 0; i < n; i++) {
		size_t first = begin[plateau[i].first],
		       end = begin[i + 1 < n ? plateau[i + 1].first : ngroups];

		plateau[i].mean = mean(x + first, end - first);
	}
	tv_free(all.sum);
	return n;
}
