/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compare.h -- runs side by side: what differs, and where the time went.
 *
 * The first side is the base; every other one is compared with it. A side is one run, or several
 * that repeat it: then numbers of single runs are medians with intervals (sides.h), while what only
 * makes sense for two runs (decomposition, account, order, tasks) compares those with the median makespan; of
 * an even number, the shorter of the two in the middle.
 */
#ifndef TV_COMPARE_H
#define TV_COMPARE_H

#include "analysis/compare/sides.h"

struct tv_compare_options {
	const char *weights; /* pool, a label, or a file as bounds takes it: a second set of
				 * bounds from these mean durations; NULL = none */
	const char *can_run; /* option --can-run of idle-causes; NULL = its default */
	const char *section; /* one that is only added on request; NULL = none */
};

/* The values of column Section, in order, and their titles. */
struct tv_compare_section {
	const char *name, *title;
	bool by_name; /* long: only added on request; its numbers have no names */
};
extern const struct tv_compare_section tv_compare_sections[];
extern const size_t tv_compare_nsections;
/* Definitions, for --help. */
extern const char tv_compare_notes[];

/*
 * Fills *out (initialized with a pool that is none of the runs', no columns) with the columns of
 * report.h: for each side but the first, the rows of every section except those that are only added
 * on request. -1 with *err: fewer than two sides, more than TV_REPEATS_MAX runs in one, errors of
 * passes (prefixed by the label).
 */
int tv_compare(const struct tv_side *side, size_t nsides, const struct tv_compare_options *options,
	       struct tv_table *out, struct tv_error *err) TV_MUST_CHECK;

/*
 * The named numbers of one side (1 ..) of a comparison, for expressions: a table with one column
 * NAME.before, .after, .change and .ratio for each row of the sections that have a Name, where NAME
 * is Name, Value and ResourceType joined by points. Row 0 contains the numbers, rows 1 and 2 the
 * ends of their intervals over runs; missing where there is none. out as for tv_compare. -1 with
 * *err: two numbers have one name.
 */
int tv_compare_names(const struct tv_table *comparison, const char *label, struct tv_table *out,
		     struct tv_error *err) TV_MUST_CHECK;

#endif
