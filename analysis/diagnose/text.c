/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text.c -- a diagnosis as text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/diagnose/findings.h"
#include "analysis/diagnose/sheet.h"
#include "trace/alloc.h"
#include "trace/text.h"

enum { FINDINGS_MAX = 3 };

static const double part_min = 2; /* %: smaller parts are not listed on one screen */

static bool is_a(const struct tv_table *table, uint32_t row, const char *kind)
{
	return strcmp(tv_table_text(table, "Kind", row), kind) == 0;
}

static int64_t time_of(const struct tv_table *table, uint32_t row)
{
	const struct tv_column *time = tv_table_find(table, "Time");

	return tv_missing(time, row) ? 0 : time->i[row];
}

char *tv_diagnose_size(const struct tv_table *table, uint32_t row)
{
	const struct tv_column *share = tv_table_find(table, "Share");
	char time[32];

	return tv_format("%s (%.1f %%)", tv_words_time(time, time_of(table, row)),
			 tv_missing(share, row) ? 0 : share->d[row]);
}

/* "  1. 116.3 ms (39.4 %)", what it is, and the command that shows it. */
static void write_part(const struct tv_table *table, uint32_t row, uint32_t number,
		       struct tv_sheet to)
{
	char *size = tv_diagnose_size(table, row);

	tv_output_format(to.out, "%3u. %-19s", number, size);
	tv_free(size);
	tv_sheet_clean(tv_table_text(table, "Text", row), 24, to);
	tv_output_format(to.out, "%24s%s\n", "", tv_table_text(table, "Command", row));
}

/* Whether a part is listed on one screen. Deviations from mean durations are not: those of a task type
 * add up to 0, and findings name what is behind them. */
static bool is_listed(const struct tv_table *table, uint32_t row)
{
	const struct tv_column *share = tv_table_find(table, "Share");

	return is_a(table, row, "part") && !tv_missing(share, row) && share->d[row] >= part_min
	    && strncmp(tv_table_text(table, "Id", row), "durations.", 10) != 0;
}

uint32_t tv_diagnose_parts(const struct tv_table *table, uint32_t row[TV_DIAGNOSE_PARTS])
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < table->nrows && n < TV_DIAGNOSE_PARTS; i++)
		if (is_listed(table, i))
			row[n++] = i;
	return n;
}

/* "VALUE.RTYPE" of a part "durations.CAUSE.VALUE.RTYPE"; NULL of others. */
static const char *durations_of(const struct tv_table *table, uint32_t row)
{
	const char *id = tv_table_text(table, "Id", row);

	return is_a(table, row, "part") && strncmp(id, "durations.", 10) == 0 ? strchr(id + 10, '.')
									      : NULL;
}

/* Whether the deviations of a task type from its mean duration add up to nothing: then they explain nothing. */
static bool cancels(const struct tv_table *table, uint32_t row)
{
	const char *type = durations_of(table, row), *other;
	int64_t sum = 0, all = 0;

	for (uint32_t i = 0; type != NULL && i < table->nrows; i++) {
		other = durations_of(table, i);
		if (other != NULL && strcmp(other, type) == 0) {
			sum += time_of(table, i);
			all += llabs(time_of(table, i));
		}
	}
	return type != NULL && llabs(sum) <= all / 1000;
}

static void write_parts(const struct tv_table *table, struct tv_sheet to)
{
	int64_t above = time_of(table, 0);
	uint32_t n = 0;
	char time[32];

	for (uint32_t row = 0; row < table->nrows; row++) {
		if (!is_a(table, row, "part") || cancels(table, row))
			continue;
		if (n == 0) {
			tv_output_text(to.out, "\n");
			tv_sheet_paragraph(
				tv_format("The run took %s %s than its tasks would take "
					  "with all workers busy all the time. The parts "
					  "of this, which add up:",
					  tv_words_time(time, llabs(above)),
					  above < 0 ? "less" : "more"),
				to);
		}
		write_part(table, row, ++n, to);
	}
}

/* Whether a finding above has its cause. */
static bool has_main(const struct tv_table *table, uint32_t row)
{
	return tv_table_text(table, "See", row)[0] != '\0';
}

/* Whether the finding that a row refers to comes before it: what the trace does not show comes after all others. */
static bool is_above(const struct tv_table *table, uint32_t row)
{
	for (uint32_t i = 0; i < row; i++)
		if (tv_table_is(table, "Id", i, tv_table_text(table, "See", row)))
			return true;
	return false;
}

/* The first finding with the potential of the same simulation; that finding itself, without any. */
static uint32_t first_of_simulation(const struct tv_table *table, uint32_t row)
{
	const struct tv_column *method = tv_table_find(table, "Method");

	if (strcmp(tv_table_text(table, "Method", row), "not estimated") == 0)
		return row;
	for (uint32_t i = 0; i < row; i++)
		if (is_a(table, i, "finding") && !has_main(table, i)
		    && tv_label(method, i) == tv_label(method, row))
			return i;
	return row;
}

static bool measure_is(const struct tv_table *table, uint32_t row, const char *what)
{
	return tv_table_is(table, "MeasureIs", row, what);
}

/* Whether the simulation of another schedule saves more than a finding can be. */
static bool is_part(const struct tv_table *table, uint32_t row)
{
	return strstr(tv_table_text(table, "Method", row), ", saves ") != NULL;
}

/* "late-start (12.3 ms lost)": the gain that a simulation shows, once; else the loss, or its limit. */
static char *name_of(const struct tv_table *table, uint32_t row)
{
	const struct tv_column *potential = tv_table_find(table, "Potential"),
			       *measure = tv_table_find(table, "Measure");
	char size[80] = "", time[32];

	if (!tv_missing(potential, row) && !has_main(table, row)
	    && first_of_simulation(table, row) == row)
		snprintf(size, sizeof size, " (gain%s %s)", is_part(table, row) ? " up to" : "",
			 tv_words_time(time, potential->i[row]));
	else if (time_of(table, row) > 0)
		snprintf(size, sizeof size, " (%s lost)", tv_words_time(time, time_of(table, row)));
	else if (!tv_missing(measure, row) && measure->i[row] <= time_of(table, 0))
		snprintf(size, sizeof size,
			 measure_is(table, row, "above-bound") ? " (chain %s above the area bound)"
			 : measure_is(table, row, "excess")    ? " (%s if spread over all workers)"
							       : " (up to %s)",
			 tv_words_time(time, measure->i[row]));
	return tv_format("%s%s", tv_table_text(table, "Id", row), size);
}

/* The same, and how sure it is: "late-start (12.3 ms lost) [estimate]". */
static char *head_of(const struct tv_table *table, uint32_t row)
{
	const char *confidence = tv_table_text(table, "Confidence", row);
	bool exact = strcmp(confidence, "exact") == 0;
	char *name = name_of(table, row);
	char *head = tv_format("%s%s%s%s", name, exact ? "" : " [", exact ? "" : confidence,
			       exact ? "" : "]");

	tv_free(name);
	return head;
}

/* "Without it the run would be 12.3 ms shorter (replay, ...)." Method begins "not estimated: " where a
 * simulation showed no gain. NULL: nothing was simulated. */
static char *potential_of(const struct tv_table *table, uint32_t row)
{
	const struct tv_column *potential = tv_table_find(table, "Potential");
	const char *method = tv_table_text(table, "Method", row), *why = strchr(method, ':');
	char time[32];

	if (is_part(table, row))
		return tv_format("By simulation %s; at most %s of that come from this finding.",
				 method, tv_words_time(time, potential->i[row]));
	if (!tv_missing(potential, row))
		return tv_format(strstr(method, " in place of ") != NULL
					 ? "With another schedule the run would be %s shorter (%s)."
				 : strncmp(method, "replay", 6) == 0
					 ? "At best the run would be %s shorter (%s)."
					 : "Without this the run would be %s shorter (%s).",
				 tv_words_time(time, potential->i[row]), method);
	return why == NULL ? NULL : tv_format("No gain is known: %s.", why + 2);
}

/* Whether a simulation without the first finding leaves less of one than it has; *left: how much, ns, unless it is NULL. */
static bool is_left(const struct tv_table *table, uint32_t row, int64_t *left)
{
	const struct tv_column *column = tv_table_find(table, "Left");

	if (tv_missing(column, row))
		return false;
	if (left != NULL)
		*left = column->i[row];
	return true;
}

size_t tv_diagnose_words(const struct tv_table *table, uint32_t row, char *words[TV_DIAGNOSE_WORDS])
{
	uint32_t first;
	int64_t left;
	char time[32];
	size_t n = 0;

	words[n++] = head_of(table, row);
	words[n++] = tv_strdup(tv_table_text(table, "Text", row));
	if (has_main(table, row)) {
		words[n++] = tv_format(
			is_left(table, row, NULL)
				? "It follows from %s, above: by simulation less than 1 %% of the "
				  "run is left of it without that."
				: "The cause is that of %s, %s.",
			tv_table_text(table, "See", row), is_above(table, row) ? "above" : "below");
		return n;
	}
	if (is_left(table, row, &left))
		tv_append(&words[1],
			  " Without the first finding at most %s of this is left, by "
			  "simulation.",
			  tv_words_time(time, left));
	first = first_of_simulation(table, row);
	if (first != row) {
		words[n++] = tv_format("%s Its simulation: see %s.",
				       tv_table_text(table, "Advice", row),
				       tv_table_text(table, "Id", first));
		return n;
	}
	words[n++] = tv_strdup(tv_table_text(table, "Advice", row));
	words[n] = potential_of(table, row);
	return n + (words[n] != NULL);
}

static void write_finding(const struct tv_table *table, uint32_t row, struct tv_sheet to)
{
	char *words[TV_DIAGNOSE_WORDS];
	size_t n = tv_diagnose_words(table, row, words);

	for (size_t i = 0; i < n; i++) {
		size_t indent = i == 0 ? 2 : 6;

		tv_output_format(to.out, "%*s", (int)indent, "");
		tv_sheet_clean(words[i], indent, to);
		tv_free(words[i]);
	}
	tv_output_format(to.out, "      %s\n", tv_table_text(table, "Command", row));
}

static void write_heading(const struct tv_table *table, struct tv_sheet to)
{
	const char *method = tv_table_text(table, "Method", 0);
	char *text = tv_format(
		"Findings, the most promising first (they overlap; gain: simulated%s%s; lost: in "
		"the account; up to: a limit; statistical: by a test; estimate: by a model):",
		method[0] != '\0' ? ", where " : "", method);

	tv_output_text(to.out, "\n");
	tv_sheet_clean(text, 0, to);
	tv_free(text);
}

static void write_kind(const struct tv_table *table, const char *kind, struct tv_sheet to)
{
	for (uint32_t row = 0; row < table->nrows; row++)
		if (is_a(table, row, kind))
			write_finding(table, row, to);
}

/* How many rows have that kind; *first: the first one of them. */
static uint32_t count(const struct tv_table *table, const char *kind, uint32_t *first)
{
	uint32_t n = 0;

	for (uint32_t row = 0; row < table->nrows; row++)
		if (is_a(table, row, kind)) {
			*first = n == 0 ? row : *first;
			n++;
		}
	return n;
}

/* Whether the answer is about what the trace does not show. */
static bool shows_more(const struct tv_table *table, uint32_t row)
{
	static const char *const ids[] = { "no-tasks", "no-time", "overlapping-tasks",
					   "early-tasks", "events" };
	bool is = false;

	for (size_t i = 0; i < TV_COUNT(ids); i++)
		is = is || tv_table_is(table, "Id", row, ids[i]);
	return is;
}

/* The paragraphs about the run: how good it was, and what is not known of it. */
static void write_run(const struct tv_table *table, struct tv_sheet to)
{
	tv_sheet_clean(tv_table_text(table, "Text", 0), 0, to);
	for (uint32_t row = 0; row < table->nrows; row++)
		if (is_a(table, row, "limit")
		    && (strcmp(tv_table_text(table, "Id", row), "one-sided-types") == 0
			|| strcmp(tv_table_text(table, "Id", row), "own-types") == 0
			|| strcmp(tv_table_text(table, "Id", row), "shared-processors") == 0))
			tv_sheet_clean(tv_table_text(table, "Text", row), 0, to);
}

/* Whether a limit bears on the answer: where all workers were busy, what they could have waited for does not. */
static bool bears_on(const struct tv_table *table, uint32_t row, bool near)
{
	const char *id = tv_table_text(table, "Id", row);

	return !near
	    || (strcmp(id, "no-dependencies") != 0 && strcmp(id, "no-submission") != 0
		&& strcmp(id, "no-transfers") != 0);
}

/* What is missing in the trace, by title. */
static void write_limits(const struct tv_table *table, struct tv_sheet to)
{
	char *list = NULL;
	uint32_t verdict;
	bool near = count(table, "verdict", &verdict) > 0
		 && tv_table_is(table, "Id", verdict, "near-bound");

	for (uint32_t row = 0; row < table->nrows; row++)
		if (is_a(table, row, "limit") && bears_on(table, row, near))
			tv_append(&list, "%s%s", list == NULL ? "" : "; ",
				  tv_table_text(table, "Title", row));
	if (list != NULL)
		tv_sheet_paragraph(tv_format("Limits: %s.", list), to);
	tv_free(list);
}

static bool has_limit(const struct tv_table *table, const char *id)
{
	for (uint32_t row = 0; row < table->nrows; row++)
		if (is_a(table, row, "limit") && strcmp(tv_table_text(table, "Id", row), id) == 0)
			return true;
	return false;
}

size_t tv_diagnose_first(const struct tv_table *table, char *words[TV_DIAGNOSE_WORDS])
{
	uint32_t row;

	if (count(table, "verdict", &row) > 0) {
		words[0] = tv_strdup(tv_table_text(table, "Text", row));
		return 1;
	}
	if (count(table, "finding", &row) == 0)
		return 0;
	words[0] = tv_format("First: %s (%s). %s", tv_table_text(table, "Title", row),
			     tv_table_text(table, "Id", row), tv_table_text(table, "Text", row));
	words[1] = tv_format("To do: %s", tv_table_text(table, "Advice", 0));
	return 2;
}

/* What a finding costs, what a simulation shows or leaves of it, or a limit, ns, and the words for it; 0 = none of these. */
static int64_t size_of(const struct tv_table *table, uint32_t row, const char **words)
{
	const struct tv_column *potential = tv_table_find(table, "Potential"),
			       *measure = tv_table_find(table, "Measure");
	int64_t left;

	*words = ", without the first at most %s of the run by simulation";
	if (is_left(table, row, &left))
		return left;
	if (!tv_missing(potential, row) && first_of_simulation(table, row) == row) {
		*words = is_part(table, row) ? ", at most %s of the run by simulation"
					     : ", %s of the run by simulation";
		return potential->i[row];
	}
	*words = ", %s of the run";
	if (time_of(table, row) > 0)
		return time_of(table, row);
	*words = measure_is(table, row, "above-bound") ? ", %s above the area bound"
	       : measure_is(table, row, "excess")      ? ", %s if spread over all workers"
						       : ", at most %s of the run";
	return tv_missing(measure, row) || measure->i[row] > time_of(table, 0) ? 0
									       : measure->i[row];
}

/* "Then: workers wait for messages (messages), 43.8 ms of the run." */
static void write_next(const struct tv_table *table, uint32_t row, struct tv_sheet to)
{
	const char *words;
	int64_t size = size_of(table, row, &words);
	/* A limit that is all that can be saved says nothing of its own. */
	bool known = size > 0 && size < time_of(table, 0);
	char time[32], *cost = known ? tv_format(words, tv_words_time(time, size)) : tv_strdup("");

	tv_sheet_paragraph(tv_format("Then: %s (%s)%s.", tv_table_text(table, "Title", row),
				     tv_table_text(table, "Id", row), cost),
			   to);
	tv_free(cost);
}

/* Whether a finding is worth a line below the first one: 5 % of its size, and no simulation showed that it brings
 * nothing. */
static bool is_next(const struct tv_table *table, uint32_t first, uint32_t row)
{
	const char *words;

	return tv_table_find(table, "Refuted")->i[row] == 0
	    && size_of(table, row, &words) >= size_of(table, first, &words) / 20;
}

static bool is_unexplained(const struct tv_table *table, uint32_t row)
{
	return strncmp(tv_table_text(table, "Id", row), "idle.unexplained", 16) == 0;
}

/* How long workers waited for transfers that the account does not have, as the trace has no dependencies: its unexplained idle time
 * contains that. */
static int64_t unaccounted(const struct tv_table *table)
{
	int64_t time = 0;

	for (uint32_t row = 0; row < table->nrows; row++) {
		const char *id = tv_table_text(table, "Id", row);

		if (is_a(table, row, "part") && strncmp(id, "idle.data", 9) == 0)
			return 0;
		if (is_a(table, row, "finding") && strcmp(id, tv_rule_transfers.id) == 0)
			time = time_of(table, row);
	}
	return time;
}

/* Idle time of which the trace does not show the cause, if no part is larger, nor `other` (ns). Returns whether it is. */
static bool write_unexplained(const struct tv_table *table, int64_t other, struct tv_sheet to)
{
	int64_t sum = 0;
	uint32_t part;
	char time[32], all[32], *of;
	bool said;

	if (count(table, "part", &part) == 0)
		return false;
	for (uint32_t row = part; row < table->nrows; row++)
		if (is_a(table, row, "part") && is_unexplained(table, row))
			sum += time_of(table, row);
	sum -= unaccounted(table);
	if (sum <= 0 || sum <= other || sum < time_of(table, part))
		return false;
	of = tv_format("at most %s,", tv_words_time(all, time_of(table, 0)));
	/* Where another bound is larger, less than that can be saved. */
	said = strstr(tv_table_text(table, "Text", 0), of) != NULL;
	tv_sheet_paragraph(
		tv_format("Of %s%s%s, workers had no task for %s (%.1f %%), and the trace "
			  "does not show what they waited for.",
			  said ? "this" : "the ", said ? "" : all,
			  said ? ""
			       : " that the run took more than with all workers busy all "
				 "the time",
			  tv_words_time(time, sum), 100 * (double)sum / (double)time_of(table, 0)),
		to);
	tv_free(of);
	return true;
}

/* What is said without a finding. */
static void write_nothing(const struct tv_table *table, struct tv_sheet to)
{
	if (write_unexplained(table, 0, to)) {
		for (uint32_t row = 0; row < table->nrows; row++)
			if (is_a(table, row, "part") && is_unexplained(table, row)) {
				tv_output_format(to.out, "See: %s\n",
						 tv_table_text(table, "Command", row));
				return;
			}
		return;
	}
	tv_sheet_clean(
		has_limit(table, "truncated")
			? "To do: Record a run that ends by itself: of the part that is there, "
			  "nothing costs 1 % or more."
		: strstr(tv_table_text(table, "Text", 0), "than the given durations") != NULL
			? "Beside these durations nothing stands out: no finding is 1 % of the "
			  "run or more."
			: "Nothing stands out: no finding is 1 % of the run or more.",
		0, to);
}

/* The findings after the first one that have a cause of their own, at most two. Returns how many. */
static uint32_t write_others(const struct tv_table *table, uint32_t first, struct tv_sheet to)
{
	uint32_t n = 0;

	for (uint32_t row = first + 1; row < table->nrows && n + 1 < FINDINGS_MAX; row++)
		if (is_a(table, row, "finding") && !has_main(table, row)
		    && is_next(table, first, row)) {
			write_next(table, row, to);
			n++;
		}
	return n;
}

/* The answer; the next two causes; what shows more. */
static void write_answer(const struct tv_table *table, struct tv_sheet to)
{
	char *words[TV_DIAGNOSE_WORDS];
	uint32_t first, verdict, left = count(table, "finding", &first);
	bool answered = count(table, "verdict", &verdict) > 0;
	size_t n = tv_diagnose_first(table, words);
	const char *unused;

	if (n > 1 && left > 0)
		write_unexplained(table, size_of(table, first, &unused), to);
	for (size_t i = 0; i < n; i++)
		tv_sheet_paragraph(words[i], to);
	if (n == 0)
		write_nothing(table, to);
	if (answered && shows_more(table, verdict)) {
		tv_output_format(to.out, "See: %s\n", tv_table_text(table, "Command", verdict));
		return;
	}
	if (!answered && left > 0) {
		left -= 1 + write_others(table, first, to);
		tv_output_format(to.out, "See: %s\n", tv_table_text(table, "Command", first));
	}
	if (left > 0)
		tv_output_format(to.out, "%u more finding%s: %s\n", left, tv_plural(left),
				 tv_table_text(table, "Command", 0));
}

static void write_limits_in_full(const struct tv_table *table, struct tv_sheet to)
{
	uint32_t first;

	if (count(table, "limit", &first) > 0) {
		tv_output_text(to.out, "\nWhat the trace does not show:\n");
		write_kind(table, "limit", to);
	}
}

static void write_all(const struct tv_table *table, struct tv_sheet to)
{
	uint32_t first;

	if (count(table, "verdict", &first) > 0 && shows_more(table, first)) {
		write_answer(table, to);
		write_limits_in_full(table, to);
		return;
	}
	write_parts(table, to);
	if (count(table, "finding", &first) > 0) {
		write_heading(table, to);
		write_kind(table, "finding", to);
	} else {
		tv_output_text(to.out, "\nNo finding is 1 % of the run or more.\n");
	}
	write_limits_in_full(table, to);
}

void tv_diagnose_text(const struct tv_table *table, bool all, size_t width, struct tv_output *out)
{
	const struct tv_sheet to = { out, width };

	write_run(table, to);
	if (all) {
		write_all(table, to);
		return;
	}
	write_answer(table, to);
	write_limits(table, to);
}
