/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tiles.h -- what the dense factorizations share: a matrix of square tiles, its generation by formula,
 * the rounds and their time, the residual.
 */
#ifndef TILES_H
#define TILES_H

#include "common.h"

/* Tiles of rows x columns, each by columns in one block; tiles of a row of tiles follow each other. */
struct matrix {
	long tiles; /* in each direction */
	int rows, columns;
	double *data;
};

static inline double *tile(const struct matrix *a, long m, long n)
{
	return a->data + (m * a->tiles + n) * a->rows * a->columns;
}

/* Which matrix is factorized: with a dominant diagonal, or without, so that pivots are needed. */
enum matrix_kind { GENERAL, SYMMETRIC, WITHOUT_DIAGONAL };

struct factorization {
	const char *name, *summary;
	enum matrix_kind kind;
	/* Number of tasks, and of floating-point operations for n rows. */
	long (*tasks)(long tiles);
	double (*operations)(double n);
	/* Before the rounds; may be NULL. */
	void (*prepare)(const struct matrix *a);
	/* Creates the tasks that factorize `a`. */
	void (*factorize)(const struct matrix *a);
	/* The product of the factors in `a`, by columns, to be freed. May change `a`. */
	double *(*product)(struct matrix *a);
	const struct setting *more; /* one option of its own, or NULL */
};

int factorization_main(const struct factorization *f, int argc, char **argv);

/* Tiles of zeros. */
struct matrix matrix_new(long tiles, int rows, int columns);

/* All tiles as one array by columns, to be freed. */
double *matrix_as_columns(const struct matrix *a);

/* Sets those elements to 0 that are above the diagonal (side 'L' is kept) or below it ('U'). */
void keep_triangle(double *a, long n, char side);

/* The result of a kernel: ends the program if it is not 0. */
void expect_zero(int info, const char *kernel);

#endif
