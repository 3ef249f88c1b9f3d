/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit.c -- one variable from others, by least squares. */
#include <math.h>
#include <string.h>

#include "analysis/core/columns.h"
#include "analysis/machine/least_squares.h"
#include "analysis/machine/observations.h"
#include "trace/alloc.h"

#define COLUMNS(X) \
	X(TERM, "Term", TV_LABEL, false, "", "variable, product A*B of two, or (intercept)") \
	X(COEFFICIENT, "Coefficient", TV_DOUBLE, false, "", "its factor") \
	X(ERROR, "StandardError", TV_DOUBLE, false, "", \
	  "of the coefficient; missing if Rows = terms") \
	X(R2, "R2", TV_DOUBLE, false, "", "share of the variance explained; the same in each row") \
	X(RRMSE, "RRMSE", TV_DOUBLE, false, "", "sqrt(sum (y - fit)^2 / sum (y - mean)^2)") \
	X(ROWS, "Rows", TV_INT, false, "", "observations of the fit") \
	X(TEST_ROWS, "TestRows", TV_INT, false, "", "observations that were left out (--test)") \
	X(TEST_RRMSE, "TestRRMSE", TV_DOUBLE, false, "", "RRMSE of these")

TV_COLUMNS(columns, COLUMNS)
enum { TERMS_MAX = 200 };

/* A term is the product of two variables, TV_NONE = 1. */
struct term {
	uint32_t a, b;
};

struct fitting {
	struct tv_observations data; /* variable 0 is what is fitted */
	struct term term[TERMS_MAX];
	size_t nterms;
	bool *test; /* by observation */
	size_t ntest;
	double *coefficient, *error;
};

static double term_value(const struct fitting *w, size_t term, const double *x)
{
	const struct term *t = &w->term[term];

	return (t->a == TV_NONE ? 1 : x[t->a]) * (t->b == TV_NONE ? 1 : x[t->b]);
}

static int set_terms(struct fitting *w, bool pairs, struct tv_error *err)
{
	size_t n = w->data.width - 1;

	if (1 + n + (pairs ? n * (n - 1) / 2 : 0) > TERMS_MAX)
		return tv_fail(err, "too many terms, expected up to %d", TERMS_MAX);
	w->term[w->nterms++] = (struct term){ TV_NONE, TV_NONE };
	for (uint32_t i = 1; i <= n; i++)
		w->term[w->nterms++] = (struct term){ i, TV_NONE };
	for (uint32_t i = 1; pairs && i <= n; i++)
		for (uint32_t k = i + 1; k <= n; k++)
			w->term[w->nterms++] = (struct term){ i, k };
	return 0;
}

/* Chooses that share of the observations, the same for the same seed (splitmix64). */
static void choose_test(struct fitting *w, double percent, uint64_t seed)
{
	w->test = tv_alloc(w->data.n, sizeof *w->test);
	w->ntest = (size_t)((double)w->data.n * percent / 100 + 0.5);
	for (size_t i = 0, left = w->ntest; i < w->data.n; i++) {
		uint64_t z = (seed += 0x9e3779b97f4a7c15u);

		z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
		z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
		z ^= z >> 31;
		w->test[i] = z % (w->data.n - i) < left;
		left -= w->test[i];
	}
}

static int solve(struct fitting *w, struct tv_error *err)
{
	size_t n = w->data.n - w->ntest, p = w->nterms, row = 0;
	double *a = tv_alloc(n * p, sizeof *a), *y = tv_alloc(n, sizeof *y), rest = 0;
	bool solved;

	w->coefficient = tv_alloc(p, sizeof *w->coefficient);
	w->error = tv_alloc(p, sizeof *w->error);
	for (size_t i = 0; i < w->data.n; i++) {
		const double *x = w->data.x + i * w->data.width;

		if (w->test[i])
			continue;
		for (size_t k = 0; k < p; k++)
			a[row * p + k] = term_value(w, k, x);
		y[row++] = x[0];
	}
	solved = n >= p && tv_least_squares(a, y, n, p, w->coefficient, w->error);
	for (size_t i = p; solved && i < n; i++)
		rest += y[i] * y[i];
	for (size_t k = 0; solved && k < p; k++)
		w->error[k] = n > p ? sqrt(w->error[k] * rest / (double)(n - p)) : NAN;
	tv_free(a);
	tv_free(y);
	if (solved)
		return 0;
	return n < p ? tv_fail(err, "%zu observations for %zu terms, expected more observations", n,
			       p)
		     : tv_fail(err, "the terms depend on each other (one is constant, or a sum of "
				    "others), "
				    "expected others");
}

/* sum (y - fit)^2 / sum (y - mean)^2 over the observations of the fit, or those left out. */
static double unexplained(const struct fitting *w, bool test)
{
	double mean = 0, rest = 0, all = 0;
	size_t n = 0;

	for (size_t i = 0; i < w->data.n; i++)
		if (w->test[i] == test) {
			mean += w->data.x[i * w->data.width];
			n++;
		}
	mean /= (double)n;
	for (size_t i = 0; i < w->data.n; i++) {
		const double *x = w->data.x + i * w->data.width;
		double fit = 0;

		if (w->test[i] != test)
			continue;
		for (size_t k = 0; k < w->nterms; k++)
			fit += w->coefficient[k] * term_value(w, k, x);
		rest += (x[0] - fit) * (x[0] - fit);
		all += (x[0] - mean) * (x[0] - mean);
	}
	return all > 0 ? rest / all : NAN;
}

static void write_terms(const struct fitting *w, const struct tv_pool *pool, struct tv_table *out)
{
	double rest = unexplained(w, false), test = w->ntest > 0 ? unexplained(w, true) : NAN;

	for (size_t k = 0; k < w->nterms; k++) {
		uint32_t row = tv_table_add_row(out);
		const struct term *t = &w->term[k];
		char *name = t->a == TV_NONE ? tv_strdup("(intercept)")
			   : t->b == TV_NONE
				   ? tv_strdup(tv_pool_text(pool, w->data.type[t->a]))
				   : tv_format("%s*%s", tv_pool_text(pool, w->data.type[t->a]),
					       tv_pool_text(pool, w->data.type[t->b]));

		tv_set_text(out->col[TERM], row, name);
		tv_free(name);
		tv_set_finite(out->col[COEFFICIENT], row, w->coefficient[k]);
		tv_set_finite(out->col[ERROR], row, w->error[k]);
		tv_set_finite(out->col[R2], row, 1 - rest);
		tv_set_finite(out->col[RRMSE], row, sqrt(rest));
		tv_set_int(out->col[ROWS], row, (int64_t)(w->data.n - w->ntest));
		tv_set_int(out->col[TEST_ROWS], row, (int64_t)w->ntest);
		tv_set_finite(out->col[TEST_RRMSE], row, sqrt(test));
	}
}

struct asked {
	const char *name, *on, *level;
	bool pairs;
	double test; /* percent */
	uint64_t seed;
};

static int check_options(const struct tv_options *options, struct tv_error *err)
{
	const struct asked *asked = options->chosen;

	if (asked->name == NULL || asked->on == NULL)
		return tv_fail_usage(err,
				     "fit needs a variable and --on NAME,..., those it depends on");
	if (strchr(asked->name, ',') != NULL)
		return tv_fail_usage(err, "fit '%s', expected one variable", asked->name);
	return 0;
}

static int run_fit(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		   struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	struct fitting *w;
	char *names;
	int rc;

	w = tv_alloc(1, sizeof *w);
	names = tv_format("%s,%s", asked->name, asked->on);
	rc = tv_observations_init(&w->data, run, names, asked->level, err);
	if (rc == 0)
		rc = set_terms(w, asked->pairs, err);
	if (rc == 0) {
		choose_test(w, asked->test, asked->seed);
		rc = solve(w, err);
	}
	if (rc == 0)
		write_terms(w, run->trace->pool, out);
	tv_observations_release(&w->data);
	tv_free(names);
	tv_free(w->test);
	tv_free(w->coefficient);
	tv_free(w->error);
	tv_free(w);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "name", "NAME", NULL, "Type of the variable", TV_ASKED(name) },
	{ "on", "NAME,...", NULL, "variables that it depends on", TV_OPTION_LIST, TV_ASKED(on) },
	{ "pairs", NULL, NULL, "also the products of two of them", TV_ASKED(pairs) },
	{ "level", "LEVEL", NULL, "of the sums inside the objects of this level", TV_ASKED(level) },
	{ "test", "PERCENT", "0", "observations left out of the fit, chosen at random",
	  TV_OPTION_NUMBER, 0, 90, TV_ASKED(test) },
	{ "seed", "N", "1", "of that choice", TV_OPTION_COUNT, 0, 0, TV_ASKED(seed) },
};

const struct tv_pass tv_pass_fit = {
	.name = "fit",
	.summary = "Fit a variable by others: coefficients and errors",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_MACHINE,
	.needs = "variables resources",
	TV_PASS_OPTIONS_INTO(struct asked, options),
	.positional = "name",
	TV_PASS_COLUMNS(columns),
	.notes = "Least squares, y = c0 + c1 x1 + ..., over the resources and intervals in which "
		 "all\n"
		 "variables have a value. RRMSE is that of Hierarchical-monitors' scripts: 0 = "
		 "exact,\n"
		 "1 = no better than the mean. --test leaves out a share of the observations, "
		 "chosen\n"
		 "at random (the same for the same --seed), and gives their RRMSE: a fit that is\n"
		 "much better where it was made than there has too many terms.",
	.example = "traceviz fit CacheMiss --on CyclesWithoutInstruction data/placement/grouped",
	.taskless = true,
	.check = check_options,
	.run = run_fit,
};
