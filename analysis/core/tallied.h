/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tallied.h -- a table of measures of groups whose rows come part by part (tv_run_rows).
 *
 *	tv_tallied_init(&t, "by", measure, n, out);
 *	do {
 *		tv_tallied_rows(&t, &rows, &grouping, name, err);	for each part
 *		tv_tallied_merge(&t, run->team, err);
 *	} while (tv_tallied_again(&t));
 *	tv_tallied_sort(&t);					out has a row for each group, with its cells
 *	...							the caller adds columns for measures to out
 *	tv_tallied_write(&t, to);
 *	tv_tallied_release(&t);
 *
 * Groups of different parts are one if their cells are equal; the tables of all parts have one pool. Memory: what
 * measures of a group need (measure.h), for all groups at once; with `selects` numbers of which quantiles are wanted are
 * not kept, but counted (selection.h).
 */
#ifndef TV_TALLIED_H
#define TV_TALLIED_H

#include "analysis/core/measure.h"
#include "analysis/core/team.h"
#include "trace/map.h"

struct tv_tallied {
	const char *option;
	bool selects;
	const struct tv_measure_spec *measure; /* n, borrowed */
	size_t n, ncolumns;
	struct tv_table *out;
	struct tv_map place; /* by the group of the columns before, and a cell */
	uint32_t nplaces;
	struct tv_measuring *group; /* one for each row of out */
	uint32_t *name;		    /* likewise: a label of its first row */
	uint32_t ngroups;
	size_t cap, names_cap;
	bool begun, merged;
};

/* option: its name, for messages. */
void tv_tallied_init(struct tv_tallied *t, const char *option, bool selects,
		     const struct tv_measure_spec *measure, size_t n, struct tv_table *out);
/* The rows of a part by a grouping, not sorted, which has the same columns in each part; the first one adds these to out.
 * name: a column of labels, whose first one of each group is kept; may be NULL. -1 with *err: a column is named twice. */
int tv_tallied_rows(struct tv_tallied *t, const struct tv_measured_rows *rows,
		    const struct tv_grouping *by, const struct tv_column *name,
		    struct tv_error *err) TV_MUST_CHECK;
/* The group of a row of a grouping that was added. */
uint32_t tv_tallied_group(struct tv_tallied *t, const struct tv_grouping *by, uint32_t row);
/* After all parts: makes the groups those of all processes of a team (NULL: none). -1 with *err, as above. */
int tv_tallied_merge(struct tv_tallied *t, const struct tv_team *team,
		     struct tv_error *err) TV_MUST_CHECK;
/* Then: whether all parts must be given once more. */
bool tv_tallied_again(struct tv_tallied *t);
/* The groups as tv_tallied_sort sorts them: free it with tv_free. */
uint32_t *tv_tallied_order(struct tv_tallied *t);
/* Sorts the groups by their cells, missing ones last: numbers of tv_tallied_group no longer hold. */
void tv_tallied_sort(struct tv_tallied *t);
/* Writes the measures: to[] as for tv_measure_groups. */
void tv_tallied_write(struct tv_tallied *t, struct tv_column *const *to);
void tv_tallied_release(struct tv_tallied *t); /* safe on a zeroed struct */

#endif
