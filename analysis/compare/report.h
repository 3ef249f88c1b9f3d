/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.h -- the table of a comparison: one row per number, or per matched task; its numbers by
 * name, for expressions. */
#ifndef TV_REPORT_H
#define TV_REPORT_H

#include "analysis/compare/decompose.h"
#include "analysis/compare/match.h"
#include "analysis/compare/sides.h"
#include "trace/table.h"

/* Its columns, for --help and docs. */
extern const struct tv_field tv_report_columns[];
extern const size_t tv_report_ncolumns;

/* A number in two runs. Texts NULL and numbers NaN are missing. */
struct tv_finding {
	const char *section, *name, *value, *rtype, *unit;
	double before, after, change, ratio;
	struct tv_interval change_over_runs, ratio_over_runs, change_within;
	uint32_t rank; /* 0 = none */
	/* of a task: JobIds, workers, and what its change consists of */
	const char *job[2], *worker[2], *text[2];
	double wait, duration;
	double time; /* that the row is about, ms */
};

struct tv_report {
	struct tv_table *out;
	const char *base, *run; /* labels of the runs that rows are about */
};

/* A finding of two amounts, with their difference. */
struct tv_finding tv_finding(const char *section, const char *name, const char *value,
			     const char *rtype, const char *unit, double before, double after);

/* Adds the columns to a table that has none. */
void tv_report_init(struct tv_report *report, struct tv_table *out);
void tv_report_add(const struct tv_report *report, const struct tv_finding *finding);

/* All rows of section decomposition, order or lost. */
void tv_report_decomposition(const struct tv_report *report, const struct tv_decomposition *parts);
void tv_report_order(const struct tv_report *report, const struct tv_shifts *shifts,
		     const struct tv_order *order);
void tv_report_losses(const struct tv_report *report, const struct tv_shifts *shifts,
		      const struct tv_order *order);
/* All rows of section "shift", "progress" or "work"; of any other section, or NULL, none. */
void tv_report_details(const struct tv_report *report, const char *section,
		       const struct tv_shifts *shifts);

#endif
