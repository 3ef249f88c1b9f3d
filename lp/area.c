/* SPDX-License-Identifier: GPL-3.0-or-later */
/* area.c -- the area bound as a linear program. */
#include "lp/area.h"

#include <glpk.h>
#include <math.h>
#include <stdbool.h>

#include "lp/guard.h"
#include "lp/shares.h"
#include "trace/alloc.h"

/* A share of a type's tasks below this is noise of the solver. */
#define NOISE 1e-12

/* The max number of shares to find: 20000 types x 3 take 4 s, and time grows with the square. */
enum { CELLS_MAX = 100000 };

/* GLPK's, for programs at the limit of size; cycles end by the number of steps. */
enum { LIMIT_MS = 20000 };

struct problem {
	const struct tv_area *area;
	double scale;	 /* T of the start: every type where it is fastest */
	size_t busiest;	 /* the resource type whose load is this T */
	size_t *fastest; /* ntypes: resource type */
	bool *choice;	 /* ntypes: it can run on several resource types */
	double *fixed;	 /* nresources: scaled load of the types without a choice */
	double *price;	 /* nresources: worth of worker time, from the dual */
	int nfree;	 /* types with a choice */
	int ncells;	 /* shares n(t,r) / N(t) to find */
	double *share;	 /* ntypes x nresources */
};

/* Time that all tasks of type t take the workers of r, scaled. */
static double load(const struct problem *p, size_t t, size_t r)
{
	const struct tv_area *area = p->area;

	return area->count[t] / area->workers[r] * area->time[t * area->nresources + r] / p->scale;
}

static int prepare_type(struct problem *p, size_t t, struct tv_error *err)
{
	const struct tv_area *area = p->area;
	size_t n = 0;

	if (!(area->count[t] >= 0) || !isfinite(area->count[t]))
		return tv_fail(err, "area bound: a number of tasks that is none");
	for (size_t r = 0; r < area->nresources; r++) {
		double w = area->time[t * area->nresources + r];

		if (!isfinite(w))
			return tv_fail(err, "area bound: a mean that is no number");
		if (!tv_area_allows(area, t, r))
			continue;
		if (n++ == 0 || w < area->time[t * area->nresources + p->fastest[t]])
			p->fastest[t] = r;
	}
	if (n == 0)
		return tv_fail(err, "area bound: a task type that runs on no resource type");
	p->choice[t] = n > 1;
	if (n > 1 && n > CELLS_MAX - (size_t)p->ncells)
		return tv_fail(err,
			       "area bound: too many task types run on "
			       "several resource types, the limit is %d pairs",
			       CELLS_MAX);
	p->nfree += n > 1;
	p->ncells += n > 1 ? (int)n : 0;
	return 0;
}

/* Finds what is free, and the scale. */
static int prepare(struct problem *p, struct tv_error *err)
{
	const struct tv_area *area = p->area;

	p->scale = 1;
	for (size_t t = 0; t < area->ntypes; t++) {
		if (prepare_type(p, t, err) < 0)
			return -1;
		p->fixed[p->fastest[t]] += load(p, t, p->fastest[t]);
	}
	for (size_t r = 1; r < area->nresources; r++)
		if (p->fixed[r] > p->fixed[p->busiest])
			p->busiest = r;
	p->scale = p->fixed[p->busiest];
	if (!isfinite(p->scale))
		return tv_fail(err, "area bound: durations are too large");
	for (size_t r = 0; r < area->nresources; r++)
		p->fixed[r] = 0;
	for (size_t t = 0; t < area->ntypes; t++)
		if (!p->choice[t] && p->scale > 0)
			p->fixed[p->fastest[t]] += load(p, t, p->fastest[t]);
	return 0;
}

/* The program's coefficients, counted from 1 as GLPK does. */
struct matrix {
	int *row, *col, n;
	double *value;
};

static void put(struct matrix *m, int row, int col, double value)
{
	m->n++;
	m->row[m->n] = row;
	m->col[m->n] = col;
	m->value[m->n] = value;
}

/*
 * Rows: one per resource type (its load is at most T), then one per free type (its shares add up to
 * 1). Columns: T, then the shares. The start is feasible: every type where it is fastest, T the
 * busiest's load.
 */
static void state(const struct problem *p, glp_prob *lp, struct matrix *m)
{
	const struct tv_area *area = p->area;
	int j = 1, i = (int)area->nresources;

	glp_add_rows(lp, i + p->nfree);
	glp_add_cols(lp, 1 + p->ncells);
	glp_set_obj_coef(lp, 1, 1);
	glp_set_col_bnds(lp, 1, GLP_LO, 0, 0);
	glp_set_col_stat(lp, 1, GLP_BS);
	for (size_t r = 0; r < area->nresources; r++) {
		glp_set_row_bnds(lp, (int)r + 1, GLP_UP, 0, -p->fixed[r]);
		glp_set_row_stat(lp, (int)r + 1, r == p->busiest ? GLP_NU : GLP_BS);
		put(m, (int)r + 1, 1, -1);
	}
	for (size_t t = 0; t < area->ntypes; t++) {
		if (!p->choice[t])
			continue;
		glp_set_row_bnds(lp, ++i, GLP_FX, 1, 1);
		glp_set_row_stat(lp, i, GLP_NS);
		for (size_t r = 0; r < area->nresources; r++) {
			if (!tv_area_allows(area, t, r))
				continue;
			glp_set_col_bnds(lp, ++j, GLP_LO, 0, 0);
			glp_set_col_stat(lp, j, r == p->fastest[t] ? GLP_BS : GLP_NL);
			put(m, i, j, 1);
			put(m, (int)r + 1, j, load(p, t, r));
		}
	}
	glp_load_matrix(lp, m->n, m->row, m->col, m->value);
}

static void read_solution(struct problem *p, glp_prob *lp)
{
	const struct tv_area *area = p->area;
	int j = 1;

	for (size_t t = 0; t < area->ntypes; t++)
		for (size_t r = 0; r < area->nresources; r++)
			if (p->choice[t] && tv_area_allows(area, t, r))
				p->share[t * area->nresources + r] = glp_get_col_prim(lp, ++j);
	for (size_t r = 0; r < area->nresources; r++)
		p->price[r] = fmax(0, -glp_get_row_dual(lp, (int)r + 1));
}

/* Shares without noise, as numbers of tasks that add up. */
static void clean(const struct problem *p, size_t t, double *ideal)
{
	size_t n = p->area->nresources, main = p->fastest[t];
	const double *share = &p->share[t * n];
	double rest = p->area->count[t];

	for (size_t r = 0; r < n && p->choice[t]; r++)
		if (share[r] > share[main])
			main = r;
	for (size_t r = 0; r < n; r++) {
		ideal[r] = 0;
		if (p->choice[t] && r != main && share[r] > NOISE)
			ideal[r] = share[r] * p->area->count[t];
		rest -= ideal[r];
	}
	ideal[main] = rest;
}

/* T of an allocation, scaled. */
static double time_of(const struct problem *p, const double *ideal)
{
	const struct tv_area *area = p->area;
	double max = 0;

	for (size_t r = 0; r < area->nresources; r++) {
		double sum = 0;

		for (size_t t = 0; t < area->ntypes; t++) {
			double n = ideal[t * area->nresources + r];

			if (n > 0)
				sum += n / area->count[t] * load(p, t, r);
		}
		max = fmax(max, sum);
	}
	return max;
}

/* A proof that no allocation is faster: the min cost of all tasks at the dual's prices. */
static double lower_bound(const struct problem *p)
{
	const struct tv_area *area = p->area;
	double cost = 0, sum = 0;

	for (size_t r = 0; r < area->nresources; r++) {
		sum += p->price[r];
		cost += p->price[r] * p->fixed[r];
	}
	for (size_t t = 0; t < area->ntypes; t++) {
		double min = INFINITY;

		if (!p->choice[t])
			continue;
		for (size_t r = 0; r < area->nresources; r++)
			if (tv_area_allows(area, t, r))
				min = fmin(min, p->price[r] * load(p, t, r));
		cost += min;
	}
	return sum > 0 ? cost / sum : 0;
}

/* Takes the shares and prices found; whether the prices prove that they are optimal. */
static bool accept(struct problem *p, double *ideal)
{
	double bound;

	for (size_t t = 0; t < p->area->ntypes; t++)
		clean(p, t, ideal + t * p->area->nresources);
	bound = time_of(p, ideal);
	return bound - lower_bound(p) <= TV_AREA_ACCURACY * bound;
}

/* Its program to be solved. */
struct simplex {
	struct problem *p;
	struct matrix *m;
};

/*
 * 0, or GLPK's code. The limit of steps ends a cycle, as GLPK has them where two resource types
 * are equally loaded by what has no choice and a tiny type is free.
 */
static int simplex(void *context)
{
	const struct simplex *s = context;
	glp_prob *lp = glp_create_prob();
	glp_smcp how;
	int rc;

	state(s->p, lp, s->m);
	glp_init_smcp(&how);
	how.msg_lev = GLP_MSG_OFF;
	how.tol_bnd = how.tol_dj = 1e-11;
	how.it_lim = 1000 + 20 * glp_get_num_cols(lp);
	how.tm_lim = LIMIT_MS;
	rc = glp_simplex(lp, &how);
	if (rc == 0 && glp_get_status(lp) != GLP_OPT)
		rc = GLP_EFAIL;
	if (rc == 0)
		read_solution(s->p, lp);
	glp_delete_prob(lp);
	return rc;
}

/* By GLPK; false when it found no optimum. */
static bool solve_glpk(struct problem *p)
{
	size_t n = p->area->nresources + 2 * (size_t)p->ncells + 1;
	struct matrix m = {
		.row = tv_alloc(n, sizeof *m.row),
		.col = tv_alloc(n, sizeof *m.col),
		.value = tv_alloc(n, sizeof *m.value),
	};
	bool found = tv_glpk_guard(simplex, &(struct simplex){ p, &m }) == 0;

	tv_free(m.row);
	tv_free(m.col);
	tv_free(m.value);
	return found;
}

/* By our own method; false when it found no optimum. */
static bool solve_shares(struct problem *p)
{
	size_t types = p->area->ntypes, n = p->area->nresources;
	double *loads = tv_alloc(types * n, sizeof *loads);
	bool found;

	for (size_t i = 0; i < types * n; i++)
		loads[i] = tv_area_allows(p->area, i / n, i % n) ? load(p, i / n, i % n) : -1;
	found = tv_shares(&(struct tv_shares){ types, n, loads, p->fastest, p->share, p->price });
	tv_free(loads);
	return found;
}

static int solve(struct problem *p, double *ideal, struct tv_error *err)
{
	if ((solve_glpk(p) && accept(p, ideal)) || (solve_shares(p) && accept(p, ideal)))
		return 0;
	return tv_fail(err, "area bound: no optimum found that its prices prove to %g",
		       TV_AREA_ACCURACY);
}

static void allocate(struct problem *p)
{
	size_t types = p->area->ntypes, resources = p->area->nresources;

	p->fastest = tv_alloc(types, sizeof *p->fastest);
	p->choice = tv_alloc(types, sizeof *p->choice);
	p->fixed = tv_alloc(resources, sizeof *p->fixed);
	p->price = tv_alloc(resources, sizeof *p->price);
	p->share = tv_alloc(types * resources, sizeof *p->share);
}

static int bound_area(struct problem *p, double *bound, double *ideal, struct tv_error *err)
{
	const struct tv_area *area = p->area;

	allocate(p);
	if (prepare(p, err) < 0)
		return -1;
	if (p->scale > 0) {
		if (solve(p, ideal, err) < 0)
			return -1;
		*bound = time_of(p, ideal) * p->scale;
		return 0;
	}
	/* Where nothing takes time, every allocation is ideal. */
	for (size_t t = 0; t < area->ntypes; t++) {
		p->choice[t] = false;
		clean(p, t, ideal + t * area->nresources);
	}
	*bound = 0;
	return 0;
}

/* Prices per worker, adding up to 1 over all workers. */
static void write_prices(const struct problem *p, double *price)
{
	const struct tv_area *area = p->area;
	double sum = 0;

	for (size_t r = 0; r < area->nresources; r++)
		sum += p->price[r];
	for (size_t r = 0; r < area->nresources; r++)
		price[r] = sum > 0 && area->workers[r] > 0 ? p->price[r] / sum / area->workers[r]
							   : 0;
}

int tv_area_prices(const struct tv_area *area, double *bound, double *ideal, double *price,
		   struct tv_error *err)
{
	struct problem p = { .area = area };
	int rc = bound_area(&p, bound, ideal, err);

	if (rc == 0 && price != NULL)
		write_prices(&p, price);
	tv_free(p.fastest);
	tv_free(p.choice);
	tv_free(p.fixed);
	tv_free(p.price);
	tv_free(p.share);
	return rc;
}

int tv_area_bound(const struct tv_area *area, double *bound, double *ideal, struct tv_error *err)
{
	return tv_area_prices(area, bound, ideal, NULL, err);
}
