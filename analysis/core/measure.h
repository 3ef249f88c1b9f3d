/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * measure.h -- numbers that describe groups of rows: how many, sum, mean, quantiles and others.
 *
 * Rows have numbers in columns: cells of a table, or what a function computes of a row; a number can be
 * missing. A measure is made of one column (a rate of two) over the rows of a group. Each column is added
 * up once, however many measures there are of it:
 *
 *	tv_measuring_init(&m, &rows, measure, n);
 *	tv_measuring_begin(&m);				for each group
 *	tv_measuring_rows(&m, row, nrows);		any number of times
 *	tv_measuring_merge(&m, &other);			what was added up elsewhere
 *	tv_measuring_end(&m, to, at);			writes the measures
 *	tv_measuring_release(&m);
 *
 * With tv_measuring_select before the first rows, numbers of which quantiles are wanted are not kept, but counted
 * (selection.h): as long as tv_measuring_again says so, all rows have to be given once more.
 *
 * Sums of whole numbers are exact, and doubles are added in order of their size: no result depends on the
 * order of the rows, or on how they were divided. Cost O(rows x columns), and O(n log n) for n numbers of
 * which numbers of different values, or anything of doubles but min and max, are wanted; these and those of which
 * quantiles are wanted are kept until the end of their group.
 */
#ifndef TV_MEASURE_H
#define TV_MEASURE_H

#include "analysis/core/grouping.h"
#include "analysis/core/selection.h"
#include "trace/pack.h"

__extension__ typedef unsigned __int128 tv_uint128;

struct tv_measured_rows {
	/* The number of a row in a column; false where it is missing. Of columns of doubles what
	 * tv_ordered makes of it. */
	bool (*number)(const void *data, unsigned column, uint32_t row, int64_t *number);
	const void *data; /* handed to it */
	/* NULL, or in place of it the known numbers of n rows at once, in any order: how many they are. */
	uint32_t (*numbers)(const void *data, unsigned column, const uint32_t *row, uint32_t n,
			    int64_t *number);
	unsigned
		alike; /* bits: columns that have the same numbers as the one before, which is measured, too */
};

/* The cells of a table: times in ns, labels and texts by their number, which are good for TV_MEASURE_KNOWN
 * and TV_MEASURE_DISTINCT only. Column i is table->col[i], no list, and not in short (tv_table_at). Interns
 * texts. */
struct tv_measured_rows tv_rows_of(const struct tv_table *table);

/* A double, no NaN, as an integer, so that the order is the same; -0 as 0. And back. */
int64_t tv_ordered(double number);
double tv_ordered_number(int64_t ordered);

/* Of the known numbers of a column; missing if none is known, but where another rule is given. */
enum tv_measure_kind {
	TV_MEASURE_ROWS,      /* the number of rows, of no column */
	TV_MEASURE_KNOWN,     /* how many are known; 0 if none is */
	TV_MEASURE_SUM,	      /* 0 if none is known */
	TV_MEASURE_SUM_KNOWN, /* missing if there are rows, but none is known */
	TV_MEASURE_MEAN,      /* in a column of integers or times rounded half up */
	TV_MEASURE_SD,	      /* divisor n - 1, of integers from exact sums; missing if n = 1 */
	TV_MEASURE_MIN,
	TV_MEASURE_MAX,
	TV_MEASURE_QUANTILE,	   /* of type 7, rounded half up as the mean */
	TV_MEASURE_QUANTILE_FLOOR, /* rounded down */
	TV_MEASURE_DISTINCT,	   /* how many different ones; 0 if none is known */
	TV_MEASURE_ONLY, /* the number that all rows have; missing if a row has another or none */
	TV_MEASURE_RATE, /* factor x sum / sum of the column `per`; missing if that is not above 0 */
	TV_MEASURE_SHARE, /* percent of the sum of all groups of the call; 0 if that is not above 0 */
};

struct tv_measure_spec {
	unsigned
		to; /* column of the result, from the first one behind the keys; time, int or double */
	enum tv_measure_kind kind;
	unsigned of;	  /* column of the rows */
	unsigned per;	  /* TV_MEASURE_RATE */
	unsigned percent; /* quantiles; at most 100 */
	double factor;	  /* TV_MEASURE_RATE */
	bool real;	  /* the columns are doubles, and so is that of the result */
	bool labels;	  /* the numbers are labels */
};

/* What is added up of one column over the rows of a group. */
struct tv_tally {
	bool used, real, shared; /* shared: there are shares of its sum */
	bool counted;		 /* how many are known is all that is wanted */
	bool labels;		 /* the numbers are such */
	bool kept, ordered;	 /* with its numbers; all of them in their order at the end */
	bool squared;		 /* with the sum of the squares of integers */
	bool distinct;		 /* of its numbers, integers, each is kept once */
	uint32_t known;
	tv_int128 sum;		   /* of integers */
	tv_uint128 squares, above; /* of integers: the lower 64 bits of each square, and the rest */
	int64_t min, max;
	int64_t *number; /* those that are kept, in any order; n */
	uint32_t *low;	 /* in place of them, if in_short */
	bool in_short;	 /* only quantiles of them are wanted, and all are from 0 to below 2^32 */
	size_t n, cap, low_cap;
	struct tv_selection *selection; /* in place of the numbers; NULL = none */
	double whole;			/* sum over all groups, for shares */
};

struct tv_measuring {
	struct tv_measured_rows rows;
	const struct tv_measure_spec *measure;
	size_t n;
	uint32_t nrows;
	struct tv_tally *tally; /* by column of the rows */
	unsigned ntallies;
	bool again; /* rows come for selections only */
};

/* measure: n, borrowed. */
void tv_measuring_init(struct tv_measuring *measuring, const struct tv_measured_rows *rows,
		       const struct tv_measure_spec *measure, size_t n);
/* From the first rows on, of one group, numbers of which quantiles alone are wanted are counted. */
void tv_measuring_select(struct tv_measuring *measuring);
/* After all rows, then: whether they have to be given once more. */
bool tv_measuring_again(struct tv_measuring *measuring);
void tv_measuring_release(struct tv_measuring *measuring); /* safe on a zeroed struct */
/* Forgets the rows, not what shares are of. */
void tv_measuring_begin(struct tv_measuring *measuring);
void tv_measuring_rows(struct tv_measuring *measuring, const uint32_t *row, uint32_t n);
/* Begins, with the rows of a group. */
void tv_measuring_group(struct tv_measuring *measuring, const struct tv_groups *groups,
			uint32_t group);
/* Adds the rows of `other`, which has the same measures. */
void tv_measuring_merge(struct tv_measuring *measuring, const struct tv_measuring *other);
/* Keeps n numbers; those that another tally keeps. */
void tv_tally_keep(struct tv_tally *tally, const int64_t *number, size_t n);
void tv_tally_keep_all(struct tv_tally *tally, const struct tv_tally *from);
/* Brings the numbers that a tally keeps to number[]. */
void tv_tally_widen(struct tv_tally *tally);
/* Sorts the numbers that a tally keeps, each once. */
void tv_tally_unite(struct tv_tally *tally);
/* As bytes, with labels of that pool; adds what other rows of the same measures were as such. */
void tv_measuring_pack(struct tv_measuring *measuring, const struct tv_pool *pool,
		       struct tv_parcel *pack);
void tv_measuring_unpack(struct tv_measuring *measuring, struct tv_pool *pool,
			 struct tv_unpack *from);
/* The same of what was given again. */
void tv_measuring_pack_again(const struct tv_measuring *measuring, struct tv_parcel *pack);
void tv_measuring_unpack_again(struct tv_measuring *measuring, struct tv_unpack *from);
/* Adds the sums of the rows to what shares are of. */
void tv_measuring_share(struct tv_measuring *measuring);
/* The same of n groups with the same measures, each of which then has the sum of all. */
void tv_measuring_share_all(struct tv_measuring *group, uint32_t n);
/* Writes the measures of the rows into row `at` of the columns to[]. The rows cannot grow afterwards. */
void tv_measuring_end(struct tv_measuring *measuring, struct tv_column *const *to, uint32_t at);

/* All of this: adds one row to the table for each group, which may be empty, and fills its columns to[], which
 * the members `to` count; the other ones are the caller's. */
void tv_measure_groups(const struct tv_measured_rows *rows, const struct tv_groups *groups,
		       const struct tv_measure_spec *measure, size_t n, struct tv_table *out,
		       struct tv_column *const *to);

/* Rows by a number that each has. */
struct tv_classes {
	struct tv_groups groups;
	int64_t *number; /* groups.n, ascending */
};

/* By the numbers of that column; rows without one are in no class. every: classes of 0 to every - 1 in any
 * case, also without rows, and all numbers are such; 0 = only those with rows. */
void tv_classes_init(struct tv_classes *classes, const struct tv_measured_rows *rows,
		     unsigned column, uint32_t nrows, uint32_t every);
void tv_classes_release(struct tv_classes *classes); /* safe on a zeroed struct */

#endif
