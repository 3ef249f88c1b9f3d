/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * curve_list.h -- all curves of a pass's result, and the texts that titles and keys say of one.
 */
#ifndef TV_CURVE_LIST_H
#define TV_CURVE_LIST_H

#include "views/charts/series.h"
#include "views/shared/printed.h"

struct tv_curve {
	uint32_t name,
		by; /* labels of column Curve, if there is one, and of the column of groups */
	struct tv_pieces pieces;
	struct tv_extent extent; /* of all of it; by tv_curve_list_measure */
	int64_t peak;		 /* when its max is first reached, ns; likewise */
	uint32_t place;		 /* in the result, from 0 */
};

struct tv_curve_list {
	struct tv_curve *at; /* in the order of the result; owned */
	size_t n;
	double *value; /* owned: values of a column of integers or times; NULL: the table's own */
};

/* Neighboring rows of one Curve and one label of the column `by` are a curve of the values of a column: Value,
 * or another one; times in ms. O(rows). */
void tv_curve_list_init(struct tv_curve_list *list, const struct tv_table *table, const char *by,
			const char *value);
/* Keeps the curves of that name. */
void tv_curve_list_keep(struct tv_curve_list *list, const struct tv_table *table, const char *name);
/* Extents and peaks. O(rows). */
void tv_curve_list_measure(struct tv_curve_list *list);
/* Whether there are curves of several names. */
bool tv_curve_list_several(const struct tv_curve_list *list);
/* Those with the largest means, or maxima, first; else those before in the result. */
void tv_curve_list_by_mean(struct tv_curve_list *list);
void tv_curve_list_by_max(struct tv_curve_list *list);
void tv_curve_list_by_place(struct tv_curve_list *list);
/* Frees the list, not its values where *value is not NULL: it gets them. */
void tv_curve_list_release(struct tv_curve_list *list, double **value);

/*
 * "{name}: mean {mean:1}, max {max:0}": the name, and numbers of a curve that has been measured, printed as
 * Mean, Max, Peak (the same, where it has a mark), PeakTime, Bytes of the name, or of nothing where it is NULL.
 * {mean:N}, {max:N} have N digits behind the point, {mean:r} four digits in all, {mean}, {peak} as tv_number_text;
 * {time}: when the max is reached; {bytes}: the sum of a curve in MB/s. The caller frees the text.
 */
char *tv_curve_text(const struct tv_printed *printed, const char *pattern, const char *name,
		    const struct tv_curve *curve, const char *unit);

#endif
