/* SPDX-License-Identifier: GPL-3.0-or-later */
/* history.c -- a series of runs: their numbers in order, and change points. */
#include "analysis/compare/history.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/compare/plateaus.h"
#include "analysis/compare/measures.h"
#include "analysis/core/columns.h"
#include "trace/alloc.h"
#include "trace/expr.h"
#include "trace/text.h"

#define COLUMNS(X) \
	X(POSITION, "Position", TV_INT, true, "", "place of the run in the series, from 1") \
	X(RUN, "Run", TV_LABEL, true, "", "label of the run") \
	X(SECTION, "Section", TV_LABEL, true, "", "efficiency, or a section of compare") \
	X(NAME, "Name", TV_LABEL, true, "", "name of the number") \
	X(VALUE, "Value", TV_LABEL, false, "", "task type; missing = all types, or none") \
	X(RTYPE, "ResourceType", TV_LABEL, false, "", "worker type; missing = all") \
	X(UNIT, "Unit", TV_LABEL, false, "", "unit of the numbers") \
	X(NUMBER, "Number", TV_DOUBLE, true, "", "number of the run; with repeats their median") \
	X(MEAN, "Mean", TV_DOUBLE, true, "", \
	  "of all runs from one change point to the next, repeats included") \
	X(CHANGE, "Change", TV_DOUBLE, false, "", \
	  "at a change point: Mean minus that before; else missing") \
	X(RATIO, "Ratio", TV_DOUBLE, false, "", "likewise: Mean / that before") \
	X(CHANCE, "Chance", TV_DOUBLE, false, "", \
	  "likewise: share of random orders of these numbers with as large a change") \
	X(RUNS_AFTER, "RunsAfter", TV_INT, true, "", "runs behind it: 0 = the last one") \
	X(MEAN_OTHERS, "MeanOthers", TV_DOUBLE, false, "", \
	  "Mean without this run; missing = no other run has this Mean")

enum { COLUMNS(TV_COLUMN_ID) };

const struct tv_field tv_history_columns[] = { COLUMNS(TV_COLUMN_ROW) };
const size_t tv_history_ncolumns = TV_COUNT(tv_history_columns);

const char tv_history_notes[] =
	"--series: the runs are a series, in the order given, such as those of successive "
	"commits.\n"
	"A row for each number of each run: those of efficiency, and of the sections runs, "
	"bounds,\n"
	"idleness, types, allocation and chain. Of k numbers with mean a before a cut and n - k "
	"with\n"
	"mean b behind it, the statistic is k (n - k) / n (a - b)^2. The cut with the largest one "
	"is\n"
	"a change point if at most 1 % of 10000 random orders of the numbers have a cut with as\n"
	"large a one; if not, k runs that follow each other are tested in the same way against "
	"the\n"
	"others, and one end of theirs is a change point. Then both parts are searched; at last "
	"each\n"
	"change point once more, between those before and behind it. Repeats stay together. That\n"
	"needs 10 runs or more, repeats included. Each number is tested alone: of 100 that only "
	"vary\n"
	"at random, one or two have a change point. --fail-if is evaluated for each row:\n"
	"'Name == makespan and Ratio > 1.05' holds at a change point, 'Name == makespan and\n"
	"RunsAfter == 0 and Number > 1.05 * MeanOthers' for the last run";

struct history {
	const struct tv_side *side;
	size_t nsides;
	uint32_t *first; /* nsides + 1: number of each side's first run */
	struct tv_measures measures;
	struct tv_table *out;
	/* of one number: its values, of the sides that have it */
	double *value, *sorted;
	size_t *begin, *of, n;
	struct tv_plateau *plateau;
};

static int measure(struct history *h, struct tv_error *err)
{
	bool threads = tv_sides_are_threads(h->side, h->nsides);

	for (size_t s = 0; s < h->nsides; s++)
		for (size_t i = 0; i < h->side[s].n; i++) {
			uint32_t number = h->first[s] + (uint32_t)i;

			struct tv_run *run = h->side[s].run[i];
			int rc = threads ? tv_measure_threads(&h->measures, run, number, err)
					 : tv_measure_run(&h->measures, run, number, NULL, err);

			if (rc == 0 && !threads)
				rc = tv_measure_factors(&h->measures, run, number, err);
			if (rc < 0) {
				tv_side_failed(&h->side[s], err);
				return -1;
			}
		}
	tv_measures_sort(&h->measures);
	return 0;
}

/* Takes the values of a number of n runs, side by side; a side counts if each of its runs has it. */
static void take(struct history *h, const struct tv_measure *at, size_t n)
{
	const struct tv_measured_kind *kind = &tv_measured_kinds[at->kind];
	double unit = strcmp(kind->unit, "ms") == 0 ? 1e6 : 1;
	size_t i = 0, total = 0;

	h->n = 0;
	for (size_t s = 0; s < h->nsides; s++) {
		size_t begin = total;
		bool whole = true;

		for (uint32_t run = h->first[s]; run < h->first[s + 1]; run++) {
			bool has = i < n && at[i].run == run;

			whole = whole && (has || kind->zero);
			h->value[total++] = has ? at[i].x / unit : 0;
			i += has;
		}
		if (!whole) {
			total = begin;
			continue;
		}
		h->begin[h->n] = begin;
		h->of[h->n++] = s;
	}
	h->begin[h->n] = total;
}

/* The mean of the values of sides first to end without side k; NaN without any. */
static double mean_others(const struct history *h, size_t first, size_t end, size_t k)
{
	size_t n = h->begin[end] - h->begin[first] - (h->begin[k + 1] - h->begin[k]);
	double sum = 0;

	for (size_t i = h->begin[first]; i < h->begin[end]; i++)
		sum += i < h->begin[k] || i >= h->begin[k + 1] ? h->value[i] : 0;
	return n > 0 ? sum / (double)n : NAN;
}

/* end: the side behind the plateau. */
static void add(const struct history *h, const struct tv_measure *at, size_t k,
		const struct tv_plateau *plateau, size_t end, const struct tv_plateau *before)
{
	const struct tv_measured_kind *kind = &tv_measured_kinds[at->kind];
	struct tv_table *out = h->out;
	uint32_t row = tv_table_add_row(out);
	size_t n = h->begin[k + 1] - h->begin[k];
	double others = mean_others(h, plateau->first, end, k);

	memcpy(h->sorted, h->value + h->begin[k], n * sizeof *h->sorted);
	tv_set_int(out->col[POSITION], row, (int64_t)h->of[k] + 1);
	tv_set_text(out->col[RUN], row, h->side[h->of[k]].label);
	tv_set_text(out->col[SECTION], row, kind->section);
	tv_set_text(out->col[NAME], row, at->name);
	if (at->value[0] != '\0')
		tv_set_text(out->col[VALUE], row, at->value);
	if (at->rtype[0] != '\0')
		tv_set_text(out->col[RTYPE], row, at->rtype);
	if (kind->unit[0] != '\0')
		tv_set_text(out->col[UNIT], row, kind->unit);
	tv_set_double(out->col[NUMBER], row, tv_repeats_median(h->sorted, n));
	tv_set_double(out->col[MEAN], row, plateau->mean);
	tv_set_int(out->col[RUNS_AFTER], row, (int64_t)(h->nsides - h->of[k] - 1));
	if (!isnan(others))
		tv_set_double(out->col[MEAN_OTHERS], row, others);
	if (before == NULL || plateau->first != k)
		return;
	tv_set_double(out->col[CHANGE], row, plateau->mean - before->mean);
	if (before->mean > 0 && plateau->mean > 0)
		tv_set_double(out->col[RATIO], row, plateau->mean / before->mean);
	tv_set_double(out->col[CHANCE], row, plateau->chance);
}

static void add_number(struct history *h, const struct tv_measure *at, size_t n)
{
	size_t nplateaus, i = 0;

	take(h, at, n);
	if (h->n == 0)
		return;
	nplateaus = tv_plateaus(h->value, h->begin, h->n, h->plateau);
	for (size_t k = 0; k < h->n; k++) {
		i += i + 1 < nplateaus && h->plateau[i + 1].first == k;
		add(h, at, k, &h->plateau[i], i + 1 < nplateaus ? h->plateau[i + 1].first : h->n,
		    i > 0 ? &h->plateau[i - 1] : NULL);
	}
}

static void add_all(struct history *h, const char *section)
{
	const struct tv_measures *measures = &h->measures;

	for (size_t i = 0, end; i < measures->n; i = end) {
		const struct tv_measure *at = &measures->at[i];

		for (end = i + 1; end < measures->n && tv_measures_alike(at, &measures->at[end]);
		     end++)
			;
		if (section == NULL || strcmp(section, tv_measured_kinds[at->kind].section) == 0)
			add_number(h, at, end - i);
	}
}

static int check_section(const char *section, struct tv_error *err)
{
	char names[256] = "";

	for (size_t i = 0; i < TV_NMEASURED; i++) {
		const char *name = tv_measured_kinds[i].section;
		size_t n = strlen(names);

		if (section == NULL || strcmp(name, section) == 0)
			return 0;
		if (i == 0 || strcmp(name, tv_measured_kinds[i - 1].section) != 0)
			snprintf(names + n, sizeof names - n, "%s%s", n > 0 ? ", " : "", name);
	}
	return tv_fail_usage(err, "--section: a series has no section '%s', expected one of %s",
			     section, names);
}

int tv_history_gate(const struct tv_table *history, const char *fail_if, struct tv_error *err)
{
	struct tv_expr *expr;
	char *unmatched;
	uint32_t row = 0;
	int rc = 0;

	if (fail_if == NULL)
		return 0;
	expr = tv_expr_new(fail_if, history, err);
	if (expr == NULL)
		return tv_fail_about(err, "--fail-if");
	while (row < history->nrows && !tv_expr_holds(expr, row))
		row++;
	unmatched = history->nrows > 0 ? tv_expr_unmatched(expr) : NULL;
	tv_expr_free(expr);
	if (row < history->nrows) {
		rc = tv_fail(err, "%s: --fail-if %s: it holds for %s",
			     tv_table_text(history, "Run", row), fail_if,
			     tv_table_text(history, "Name", row));
		err->status = TV_NEGATIVE;
	} else if (unmatched != NULL && unmatched[0] != '\0')
		rc = tv_fail_usage(err, "--fail-if %s%s", fail_if, unmatched);
	tv_free(unmatched);
	return rc;
}

int tv_history_check(const char *section, const char *fail_if, struct tv_error *err)
{
	struct tv_pool *pool;
	struct tv_table none;
	int rc;

	if (check_section(section, err) < 0)
		return -1;
	pool = tv_pool_new();
	tv_table_init(&none, pool);
	tv_pool_free(pool);
	tv_add_fields(&none, tv_history_columns, tv_history_ncolumns);
	tv_table_finish(&none);
	rc = tv_history_gate(&none, fail_if, err);
	tv_table_release(&none);
	return rc;
}

int tv_history(const struct tv_side *side, size_t nsides, const char *section, struct tv_table *out,
	       struct tv_error *err)
{
	struct history h = { .side = side, .nsides = nsides, .out = out };
	size_t nruns = 0;
	int rc;

	h.first = tv_alloc(nsides + 1, sizeof *h.first);
	for (size_t s = 0; s < nsides; s++) {
		h.first[s] = (uint32_t)nruns;
		nruns += side[s].n;
	}
	h.first[nsides] = (uint32_t)nruns;
	h.value = tv_alloc(nruns, sizeof *h.value);
	h.sorted = tv_alloc(nruns, sizeof *h.sorted);
	h.begin = tv_alloc(nsides + 1, sizeof *h.begin);
	h.of = tv_alloc(nsides, sizeof *h.of);
	h.plateau = tv_alloc(nsides, sizeof *h.plateau);
	h.measures.pool = out->pool;
	tv_add_fields(out, tv_history_columns, tv_history_ncolumns);
	rc = measure(&h, err);
	if (rc == 0)
		add_all(&h, section);
	tv_table_finish(out);
	tv_measures_release(&h.measures);
	tv_free(h.first);
	tv_free(h.value);
	tv_free(h.sorted);
	tv_free(h.begin);
	tv_free(h.of);
	tv_free(h.plateau);
	return rc;
}

char *tv_history_sentence(const struct tv_table *history, uint32_t row)
{
	const struct tv_column *change = history->col[CHANGE];
	double after = history->col[MEAN]->d[row];
	char *text = NULL;

	if (tv_missing(change, row))
		return NULL;
	tv_append(&text, "%s %s", tv_table_text(history, "Section", row),
		  tv_table_text(history, "Name", row));
	for (size_t i = VALUE; i <= RTYPE; i++)
		if (!tv_missing(history->col[i], row))
			tv_append(&text, " %s",
				  tv_table_text(history, tv_history_columns[i].name, row));
	tv_append(&text, ": from %s on, %.6g%s%s instead of %.6g",
		  tv_table_text(history, "Run", row), after,
		  tv_missing(history->col[UNIT], row) ? "" : " ",
		  tv_table_text(history, "Unit", row), after - change->d[row]);
	if (!tv_missing(history->col[RATIO], row))
		tv_append(&text, " (x %.3f)", history->col[RATIO]->d[row]);
	return text;
}
