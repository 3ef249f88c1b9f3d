/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shares.c -- the shares of the area bound by a simplex method of its own. */
#include "lp/shares.h"

#include <math.h>
#include <stdint.h>

#include "trace/alloc.h"

#define MOVED	 1e-13L /* of T */
#define ROUNDING 1e-16L /* relative: costs that differ by less are equal */

/* Columns of the basis that are no share. */
#define TIME  SIZE_MAX
#define SLACK (SIZE_MAX - 1)

struct column {
	size_t type; /* or TIME, SLACK */
	size_t resource;
};

struct basis {
	const struct tv_shares *in;
	size_t n;	       /* nresources */
	struct column *column; /* n */
	size_t *key;	       /* by type: the resource type of its remaining share */
	long double *matrix;   /* n x (n + 1): work space */
	long double *value;    /* n: of the columns */
	long double *rate;     /* n: what each loses per unit of the one that enters */
	long double *price;    /* n */
};

static long double load(const struct basis *b, size_t t, size_t r)
{
	return b->in->load[t * b->n + r];
}

static void put_column(const struct basis *b, struct column c, long double *to)
{
	for (size_t r = 0; r < b->n; r++)
		to[r] = c.type == TIME ? -1 : 0;
	if (c.type == SLACK)
		to[c.resource] = 1;
	if (c.type >= SLACK)
		return;
	to[c.resource] = load(b, c.type, c.resource);
	to[b->key[c.type]] = -load(b, c.type, b->key[c.type]);
}

/* Solves the rows m[0..n) of n + 1 numbers, the last the right side; false = singular. */
static bool eliminate(long double *m, size_t n, long double *x)
{
	size_t w = n + 1;

	for (size_t k = 0; k < n; k++) {
		size_t best = k;

		for (size_t i = k + 1; i < n; i++)
			if (fabsl(m[i * w + k]) > fabsl(m[best * w + k]))
				best = i;
		if (!(fabsl(m[best * w + k]) > 0))
			return false;
		for (size_t j = k; j < w && best != k; j++) {
			long double swap = m[k * w + j];

			m[k * w + j] = m[best * w + j];
			m[best * w + j] = swap;
		}
		for (size_t i = k + 1; i < n; i++) {
			long double factor = m[i * w + k] / m[k * w + k];

			for (size_t j = k; j < w && factor != 0; j++)
				m[i * w + j] -= factor * m[k * w + j];
		}
	}
	for (size_t k = n; k-- > 0;) {
		x[k] = m[k * w + n];
		for (size_t j = k + 1; j < n; j++)
			x[k] -= m[k * w + j] * x[j];
		x[k] /= m[k * w + k];
	}
	return true;
}

/* x: the basis times x is `right`. */
static bool solve(const struct basis *b, const long double *right, long double *x)
{
	size_t n = b->n;

	for (size_t i = 0; i < n; i++) {
		put_column(b, b->column[i], b->rate);
		for (size_t r = 0; r < n; r++)
			b->matrix[r * (n + 1) + i] = b->rate[r];
	}
	for (size_t r = 0; r < n; r++)
		b->matrix[r * (n + 1) + n] = right[r];
	return eliminate(b->matrix, n, x);
}

/* Values of the columns; what is in the keys is on the right side. */
static bool find_values(const struct basis *b)
{
	long double *right = b->price; /* not in use meanwhile */

	for (size_t r = 0; r < b->n; r++)
		right[r] = -MOVED * expl(-(long double)r / (long double)b->n);
	for (size_t t = 0; t < b->in->ntypes; t++)
		right[b->key[t]] -= load(b, t, b->key[t]);
	return solve(b, right, b->value);
}

/* Prices for which no column of the basis has a loss: the transposed matrix. */
static bool find_prices(const struct basis *b)
{
	size_t n = b->n;

	for (size_t i = 0; i < n; i++) {
		long double *row = b->matrix + i * (n + 1);

		put_column(b, b->column[i], row);
		row[n] = b->column[i].type == TIME ? -1 : 0;
	}
	return eliminate(b->matrix, n, b->price);
}

static bool in_basis(const struct basis *b, size_t type, size_t resource)
{
	for (size_t i = 0; i < b->n; i++)
		if (b->column[i].type == type && b->column[i].resource == resource)
			return true;
	return false;
}

/* The column whose unit lowers T the most; false = none does. */
static bool choose(const struct basis *b, struct column *enter)
{
	long double best = 0;

	for (size_t r = 0; r < b->n; r++)
		if (b->price[r] < fminl(best, -ROUNDING) && !in_basis(b, SLACK, r)) {
			best = b->price[r];
			*enter = (struct column){ SLACK, r };
		}
	for (size_t t = 0; t < b->in->ntypes; t++) {
		long double have = b->price[b->key[t]] * load(b, t, b->key[t]);

		for (size_t r = 0; r < b->n; r++) {
			long double cost = b->price[r] * load(b, t, r), size;

			if (r == b->key[t] || load(b, t, r) < 0 || cost - have >= best)
				continue;
			size = fmaxl(fabsl(cost), fabsl(have));
			if (have - cost <= ROUNDING * size || in_basis(b, t, r))
				continue;
			best = cost - have;
			*enter = (struct column){ t, r };
		}
	}
	return best < 0;
}

/* What is left to the key of a type, and what it loses per unit of the one that enters. */
static long double rest(const struct basis *b, size_t type, struct column enter, long double *loss)
{
	long double left = 1;

	*loss = type == enter.type ? 1 : 0;
	for (size_t i = 0; i < b->n; i++)
		if (b->column[i].type == type) {
			left -= b->value[i];
			*loss -= b->rate[i];
		}
	return left;
}

/* The first that comes down to 0: a column of the basis, or (*is_key) the key of its type; for the
 * key of the type that enters, n. */
static size_t find_leaving(const struct basis *b, struct column enter, bool *is_key)
{
	long double step = INFINITY, loss, left;
	size_t leave = SIZE_MAX;

	*is_key = false;
	for (size_t i = 0; i < b->n; i++) {
		if (b->column[i].type == TIME)
			continue;
		if (b->rate[i] > 0 && fmaxl(b->value[i], 0) / b->rate[i] < step) {
			step = fmaxl(b->value[i], 0) / b->rate[i];
			leave = i;
			*is_key = false;
		}
		if (b->column[i].type == SLACK || b->column[i].type == enter.type)
			continue;
		left = rest(b, b->column[i].type, enter, &loss);
		if (loss > 0 && fmaxl(left, 0) / loss < step) {
			step = fmaxl(left, 0) / loss;
			leave = i;
			*is_key = true;
		}
	}
	if (enter.type < SLACK) {
		left = rest(b, enter.type, enter, &loss);
		if (loss > 0 && fmaxl(left, 0) / loss < step) {
			leave = b->n;
			*is_key = true;
		}
	}
	return leave;
}

/* One exchange: 1, 0 at the optimum, -1 when numbers fail. */
static int step(const struct basis *b)
{
	struct column enter;
	size_t leave;
	bool is_key;

	if (!find_values(b) || !find_prices(b))
		return -1;
	if (!choose(b, &enter))
		return 0;
	put_column(b, enter, b->price);
	if (!solve(b, b->price, b->rate))
		return -1;
	leave = find_leaving(b, enter, &is_key);
	if (leave == SIZE_MAX)
		return -1;
	if (leave == b->n) {
		b->key[enter.type] = enter.resource;
		return 1;
	}
	if (is_key)
		b->key[b->column[leave].type] = b->column[leave].resource;
	b->column[leave] = enter;
	return 1;
}

static void write_result(const struct basis *b)
{
	const struct tv_shares *in = b->in;

	for (size_t i = 0; i < in->ntypes * b->n; i++)
		in->share[i] = 0;
	for (size_t t = 0; t < in->ntypes; t++)
		in->share[t * b->n + b->key[t]] = 1;
	for (size_t i = 0; i < b->n; i++) {
		struct column c = b->column[i];
		long double x = fminl(fmaxl(b->value[i], 0), 1);

		in->price[i] = (double)fmaxl(b->price[i], 0);
		if (c.type >= SLACK)
			continue;
		in->share[c.type * b->n + c.resource] = (double)x;
		in->share[c.type * b->n + b->key[c.type]] -= (double)x;
	}
}

/* Each type where it starts; T is the load of the busiest. */
static bool start(const struct basis *b)
{
	size_t busiest = 0;

	for (size_t t = 0; t < b->in->ntypes; t++)
		b->key[t] = b->in->start[t];
	for (size_t r = 0; r < b->n; r++)
		b->column[r] = (struct column){ r == 0 ? TIME : SLACK, r };
	if (!find_values(b))
		return false;
	for (size_t r = 1; r < b->n; r++)
		if (b->value[r] < (busiest == 0 ? 0 : b->value[busiest]))
			busiest = r;
	b->column[0] = (struct column){ SLACK, 0 };
	b->column[busiest] = (struct column){ TIME, busiest };
	return true;
}

bool tv_shares(const struct tv_shares *in)
{
	size_t n = in->nresources, limit = 1000 + 20 * in->ntypes * n;
	struct basis b = {
		.in = in,
		.n = n,
		.column = tv_alloc(n, sizeof *b.column),
		.key = tv_alloc(in->ntypes, sizeof *b.key),
		.matrix = tv_alloc(n * (n + 1), sizeof *b.matrix),
		.value = tv_alloc(n, sizeof *b.value),
		.rate = tv_alloc(n, sizeof *b.rate),
		.price = tv_alloc(n, sizeof *b.price),
	};
	int rc = start(&b) ? 1 : -1;

	for (size_t i = 0; i < limit && rc == 1; i++)
		rc = step(&b);
	if (rc == 0)
		write_result(&b);
	tv_free(b.column);
	tv_free(b.key);
	tv_free(b.matrix);
	tv_free(b.value);
	tv_free(b.rate);
	tv_free(b.price);
	return rc == 0;
}
