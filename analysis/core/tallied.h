/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tallied.h -- a table of measures of groups whose rows come part by part (tv_run_rows).
 *
 *	tv_tallied_init(&t, "by", true, measure, n, out);
 *	tv_tallied_run(&t, run, add_rows, state, err);		its add_rows calls tv_tallied_tasks or tv_tallied_rows for a part
 *	tv_tallied_finish(&t, column, ncolumns, err);		out has a row for each group: its cells, its measures
 *	tv_tallied_release(&t);
 *
 * In place of the third: tv_tallied_sort, then the caller adds columns for measures to out, then tv_tallied_write.
 *
 * Groups of different parts are one if their cells are equal; the tables of all parts have one pool. Memory: what
 * measures of a group need (measure.h), for all groups at once; with `selects` numbers of which quantiles are wanted are
 * not kept, but counted (selection.h).
 */
#ifndef TV_TALLIED_H
#define TV_TALLIED_H

#include "analysis/core/measure.h"
#include "analysis/core/run.h"
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
	bool begun;
	bool again; /* all rows come once more: of those that quantiles need, nothing else counts */
};

/* option: its name, for messages. */
void tv_tallied_init(struct tv_tallied *t, const char *option, bool selects,
		     const struct tv_measure_spec *measure, size_t n, struct tv_table *out);
/* The rows of a part by a grouping, not sorted, which has the same columns in each part; the first one adds these to out.
 * name: a column of labels, whose first one of each group is kept; may be NULL. -1 with *err: a column is named twice. */
int tv_tallied_rows(struct tv_tallied *t, const struct tv_measured_rows *rows,
		    const struct tv_grouping *by, const struct tv_column *name,
		    struct tv_error *err) TV_MUST_CHECK;
/* The same of the executions of a part by columns of tasks, and the name of their type (tv_grouping_by_names). */
int tv_tallied_tasks(struct tv_tallied *t, const struct tv_measured_rows *rows,
		     const struct tv_tasks *tasks, const char *by, bool ended,
		     struct tv_error *err) TV_MUST_CHECK;
/* After all parts: makes the groups those of all processes of a team (NULL: none). -1 with *err, as above. */
int tv_tallied_merge(struct tv_tallied *t, const struct tv_team *team,
		     struct tv_error *err) TV_MUST_CHECK;
/* Both: gives all rows of a run to a function that adds those of a part, as tv_run_rows does and as often as quantiles need
 * it. -1 with *err. */
int tv_tallied_run(struct tv_tallied *t, struct tv_run *run,
		   int (*add_rows)(void *state, struct tv_run *part, struct tv_error *err),
		   void *state, struct tv_error *err) TV_MUST_CHECK;
/* The group of a row of a grouping that was added. */
uint32_t tv_tallied_group(struct tv_tallied *t, const struct tv_grouping *by, uint32_t row);
/* The groups as tv_tallied_sort sorts them: free it with tv_free. */
uint32_t *tv_tallied_order(struct tv_tallied *t);
/* Sorts the groups by their cells, missing ones last: numbers of tv_tallied_group no longer hold. */
void tv_tallied_sort(struct tv_tallied *t);
/* Writes the measures: to[] as for tv_measure_groups. */
void tv_tallied_write(struct tv_tallied *t, struct tv_column *const *to);
/* Sorts the groups and writes the measures into columns that it adds behind theirs. -1 with *err: two columns of one name. */
int tv_tallied_finish(struct tv_tallied *t, const struct tv_field *column, size_t n,
		      struct tv_error *err) TV_MUST_CHECK;
void tv_tallied_release(struct tv_tallied *t); /* safe on a zeroed struct */

#endif
