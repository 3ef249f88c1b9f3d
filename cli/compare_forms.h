/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare_forms.h -- a comparison as what continuous integration reads: JUnit, Markdown, OpenMetrics. */
#ifndef TV_COMPARE_FORMS_H
#define TV_COMPARE_FORMS_H

#include "analysis/compare/sides.h"
#include "trace/expr.h"
#include "trace/output.h"

#define TV_COMPARE_FORMS "junit|markdown|openmetrics" /* values of --to */

struct tv_compared {
	const struct tv_table *table;
	const struct tv_side *side; /* the base, then the runs */
	size_t nsides;
	const char *section;	    /* the only one; NULL = all */
	const char *fail_if;	    /* NULL = none */
	const enum tv_truth *truth; /* of it, by side */
};

/*
 * junit: one test case per run that is compared: failed where fail_if holds, skipped where it is
 * undecided, with the verdict and the numbers of section runs. markdown: the verdicts and a table for
 * each section, all but runs folded. openmetrics: each number of the base and of each run, and each
 * change, as a gauge whose labels say what it is.
 */
void tv_compare_write(const struct tv_compared *compared, const char *form, struct tv_output *out);

#endif
