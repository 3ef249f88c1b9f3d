/* SPDX-License-Identifier: GPL-3.0-or-later */
/* integer.c -- the area bound in whole tasks as a mixed integer program. */
#include "lp/integer.h"

#include <glpk.h>
#include <math.h>

#include "lp/guard.h"
#include "trace/alloc.h"

/* Larger programs are not begun. */
enum { CELLS_MAX = 10000 };

struct program {
	const struct tv_area *area;
	double scale; /* the area bound */
	int limit_ms;
	int ncells;	   /* pairs that can run */
	int *row, *col, n; /* coefficients, from 1 as GLPK counts */
	double *value;
	double time; /* of the best allocation, scaled */
};

/* Load of one task, scaled. */
static double load(const struct program *p, size_t t, size_t r)
{
	return p->area->time[t * p->area->nresources + r] / p->area->workers[r] / p->scale;
}

/*
 * The tasks of a type to share out: none where all together take less than the accuracy, wherever
 * they run. GLPK finds wrong optima when the coefficients differ by more than about 10^9.
 */
static double count_of(const struct program *p, size_t t)
{
	double count = round(p->area->count[t]), max = 0;

	for (size_t r = 0; r < p->area->nresources; r++)
		if (tv_area_allows(p->area, t, r))
			max = fmax(max, count * load(p, t, r));
	return max * (double)p->area->ntypes < TV_INTEGER_ACCURACY ? 0 : count;
}

static void put(struct program *p, int row, int col, double value)
{
	p->n++;
	p->row[p->n] = row;
	p->col[p->n] = col;
	p->value[p->n] = value;
}

/* Column 1 is T, then the n(t,r); rows: one per resource type, then one per type. */
static void state(struct program *p, glp_prob *mip)
{
	const struct tv_area *area = p->area;
	int nr = (int)area->nresources, j = 1;

	glp_add_rows(mip, nr + (int)area->ntypes);
	glp_add_cols(mip, 1 + p->ncells);
	glp_set_obj_coef(mip, 1, 1);
	glp_set_col_bnds(mip, 1, GLP_LO, 1, 0); /* no less than the area bound */
	for (int r = 1; r <= nr; r++) {
		glp_set_row_bnds(mip, r, GLP_UP, 0, 0);
		put(p, r, 1, -1);
	}
	for (size_t t = 0; t < area->ntypes; t++) {
		double count = count_of(p, t);

		glp_set_row_bnds(mip, nr + (int)t + 1, GLP_FX, count, count);
		for (size_t r = 0; r < area->nresources; r++) {
			if (!tv_area_allows(area, t, r))
				continue;
			glp_set_col_kind(mip, ++j, GLP_IV);
			glp_set_col_bnds(mip, j, count > 0 ? GLP_DB : GLP_FX, 0, count);
			put(p, nr + (int)t + 1, j, 1);
			put(p, (int)r + 1, j, load(p, t, r));
		}
	}
	glp_load_matrix(mip, p->n, p->row, p->col, p->value);
}

/* T of the allocation found, from its whole numbers. */
static double time_of(const struct program *p, glp_prob *mip)
{
	const struct tv_area *area = p->area;
	double max = 0;

	for (size_t r = 0; r < area->nresources; r++) {
		double sum = 0;
		int j = 1;

		for (size_t t = 0; t < area->ntypes; t++)
			for (size_t k = 0; k < area->nresources; k++) {
				if (!tv_area_allows(area, t, k))
					continue;
				j++;
				if (k == r)
					sum += round(glp_mip_col_val(mip, j)) * load(p, t, r);
			}
		max = fmax(max, sum);
	}
	return max;
}

/* 0, or GLPK's code. */
static int branch(void *context)
{
	struct program *p = context;
	glp_prob *mip = glp_create_prob();
	glp_iocp how;
	int rc;

	state(p, mip);
	glp_init_iocp(&how);
	how.msg_lev = GLP_MSG_OFF;
	how.presolve = GLP_ON;
	how.tm_lim = p->limit_ms;
	how.tol_obj = TV_INTEGER_ACCURACY;
	/* The default, 1e-5, takes a fraction of a long task for none of it. */
	how.tol_int = TV_INTEGER_ACCURACY;
	rc = glp_intopt(mip, &how);
	if (rc == 0 && glp_mip_status(mip) != GLP_OPT)
		rc = GLP_EFAIL;
	if (rc == 0) {
		p->time = time_of(p, mip);
		if (p->time - glp_mip_obj_val(mip) > 2 * TV_INTEGER_ACCURACY * p->time)
			rc = GLP_EFAIL;
	}
	glp_delete_prob(mip);
	return rc;
}

/* Whether GLPK proves an optimum, p->time. */
static bool solve(struct program *p)
{
	size_t n = p->area->nresources + 2 * (size_t)p->ncells + 1;

	p->row = tv_alloc(n, sizeof *p->row);
	p->col = tv_alloc(n, sizeof *p->col);
	p->value = tv_alloc(n, sizeof *p->value);
	return tv_glpk_guard(branch, p) == 0;
}

int tv_area_integer(const struct tv_area *area, int64_t limit_ns, double *bound, bool *optimal,
		    struct tv_error *err)
{
	double *ideal = tv_alloc(area->ntypes * area->nresources, sizeof *ideal);
	struct program p = { .area = area };
	int rc = tv_area_bound(area, bound, ideal, err);

	tv_free(ideal);
	*optimal = rc == 0 && *bound <= 0;
	if (rc < 0 || *optimal)
		return rc;
	p.scale = *bound;
	p.limit_ms = limit_ns / 1000000 < 1	     ? 1
		   : limit_ns / 1000000 > 1000000000 ? 1000000000
						     : (int)(limit_ns / 1000000);
	for (size_t t = 0; t < area->ntypes; t++)
		for (size_t r = 0; r < area->nresources && p.ncells <= CELLS_MAX; r++)
			p.ncells += tv_area_allows(area, t, r);
	if (p.ncells > CELLS_MAX)
		return 0;
	*optimal = solve(&p);
	if (*optimal && p.time > 1)
		*bound *= p.time;
	tv_free(p.row);
	tv_free(p.col);
	tv_free(p.value);
	return 0;
}
