/* SPDX-License-Identifier: GPL-3.0-or-later */
/* history.h -- the numbers of a series of runs in order, such as those of successive commits, and where their means change. */
#ifndef TV_HISTORY_H
#define TV_HISTORY_H

#include "analysis/compare/sides.h"
#include "trace/table.h"

/* Its columns, for --help and docs; the definition of a change point, for --help. */
extern const struct tv_field tv_history_columns[];
extern const size_t tv_history_ncolumns;
extern const char tv_history_notes[];

/* Whether a series has numbers of this section (NULL: all), and columns for this --fail-if (NULL: none). -1 with *err (usage). */
int tv_history_check(const char *section, const char *fail_if, struct tv_error *err) TV_MUST_CHECK;

/* Whether an expression (NULL: none) holds for no row of the table of tv_history. -1 with *err: it holds (status TV_NEGATIVE; the
 * message names the first such row), or it names what is not in the table (usage). */
int tv_history_gate(const struct tv_table *history, const char *fail_if,
		    struct tv_error *err) TV_MUST_CHECK;

/*
 * Fills *out (initialized with a pool that is none of the runs', no columns): for each number of the sections efficiency, runs,
 * bounds, idleness, types, allocation and chain of tv_compare a row for each side that has it, in the order of the sides. A
 * number that some runs do not have is 0 there where that is what it means (tasks of a type), else left out. section: only this
 * one; NULL = all. -1 with *err: errors of passes, prefixed by the label. Cost: the passes of each run, and tv_plateaus.
 */
int tv_history(const struct tv_side *side, size_t nsides, const char *section, struct tv_table *out,
	       struct tv_error *err) TV_MUST_CHECK;

/* The sentence of a row with a change point: "runs makespan: from c7 on, 12 ms instead of 10 (x 1.200)", in new memory; NULL for any other row. */
char *tv_history_sentence(const struct tv_table *history, uint32_t row);

#endif
