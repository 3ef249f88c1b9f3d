/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * diagnose.h -- why a run was slow, in words: the largest parts of its account (analysis/bounds/
 * accounting.h), then findings that point at what is behind them.
 *
 * Parts add up to makespan - area bound exactly; findings may overlap and are never added up.
 */
#ifndef TV_DIAGNOSE_H
#define TV_DIAGNOSE_H

#include "analysis/core/run.h"
#include "trace/output.h"

/* Its columns, for --help. */
extern const struct tv_field tv_diagnose_columns[];
extern const size_t tv_diagnose_ncolumns;
extern const char tv_diagnose_notes[];

/*
 * Fills *out (initialized, no columns): a row for the run, one per part of the account, one per
 * finding that holds, each kind by Rank. trace: how command lines name the trace, quoted for a
 * shell. from: --durations-from; NULL = the run. -1 with *err, as the passes. Cost: that of some twenty passes.
 */
int tv_run_diagnose(struct tv_run *run, const char *trace, const char *from, struct tv_table *out,
		    struct tv_error *err) TV_MUST_CHECK;

/* Removes the warnings of passes that the limits in the table repeat. */
void tv_diagnose_drop_repeated(const struct tv_table *table, struct tv_diagnostics *list);
enum { TV_DIAGNOSE_WIDTH = 80 };
/* Appends the table as text: all of it, or one screen; in lines of at most `width` characters, as far as words
 * and commands allow; SIZE_MAX: each paragraph is a line. */
void tv_diagnose_text(const struct tv_table *table, bool all, size_t width, struct tv_output *out);

enum { TV_DIAGNOSE_PARTS = 5, TV_DIAGNOSE_WORDS = 4 };
/* The rows of the parts that are worth a line, the largest first; how many. */
uint32_t tv_diagnose_parts(const struct tv_table *table, uint32_t row[TV_DIAGNOSE_PARTS]);
/* "116.3 ms (39.4 %)": Time and Share of a row. Free with tv_free. */
char *tv_diagnose_size(const struct tv_table *table, uint32_t row);
/* The answer in paragraphs: the first finding, and what to do; or that nothing is worth a change; how many. Free each with
 * tv_free. */
size_t tv_diagnose_first(const struct tv_table *table, char *words[TV_DIAGNOSE_WORDS]);
/* Paragraphs about a finding or a limit: its name and size, what happened, what to try, and of a
 * finding what that would bring, or which one above has its cause; how many. Free each with tv_free. */
size_t tv_diagnose_words(const struct tv_table *table, uint32_t row,
			 char *words[TV_DIAGNOSE_WORDS]);

/* What a finding is, as in struct tv_rule (findings.h); how, the switches of runtimes and see may be NULL. */
struct tv_finding_text {
	const char *id, *title, *condition, *measures, *action, *how, *starpu, *openmp, *mpi, *see;
};
/* The findings in the order of their table, *i starting at 0; false when there are no more. */
bool tv_finding_next(size_t *i, struct tv_finding_text *text);

/* Appends what a finding means: its condition, measure and advice. id NULL: the list of all. -1 with
 * *err (usage): there is none of that id. */
int tv_diagnose_explain(const char *id, struct tv_output *out, struct tv_error *err) TV_MUST_CHECK;

#endif
