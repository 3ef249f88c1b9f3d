/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text.c -- a diagnosis as text. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "analysis/diagnose/findings.h"
#include "trace/alloc.h"
#include "trace/text.h"

enum { FINDINGS_MAX = 3, WIDTH = 100 };

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

/* Bytes of the first word, with the next one if it ends with a digit: "12.3 ms" is not divided. */
static size_t word_of(const char *text)
{
	size_t n = strcspn(text, " ");

	return n > 0 && text[n] == ' ' && isdigit((unsigned char)text[n - 1])
		     ? n + 1 + strcspn(text + n + 1, " ")
		     : n;
}

/* A text in lines, all but the first after `indent` blanks; at: where the first one begins. */
static void write_lines(const char *text, size_t at, size_t indent, struct tv_output *out)
{
	while (*text != '\0') {
		size_t n = word_of(text);

		if (at > indent && at + 1 + n > WIDTH) {
			tv_output_format(out, "\n%*s", (int)indent, "");
			at = indent;
		} else if (at > indent) {
			tv_output_text(out, " ");
			at++;
		}
		tv_output_write(out, text, n);
		at += n;
		text += n;
		text += strspn(text, " ");
	}
	tv_output_text(out, "\n");
}

static void write_clean(const char *text, size_t indent, struct tv_output *out)
{
	size_t size = strlen(text) + 1;
	char *clean = tv_alloc(size, 1);

	tv_clean_text(clean, size, text);
	write_lines(clean, indent, indent, out);
	tv_free(clean);
}

char *tv_diagnose_size(const struct tv_table *table, uint32_t row)
{
	const struct tv_column *share = tv_table_find(table, "Share");
	char time[32];

	return tv_format("%s (%.1f %%)", tv_words_time(time, time_of(table, row)),
			 tv_missing(share, row) ? 0 : share->d[row]);
}

/* "  1. 116.3 ms (39.4 %)" and what it is; command: also the one that shows it. */
static void write_part(const struct tv_table *table, uint32_t row, uint32_t number, bool command,
		       struct tv_output *out)
{
	char *size = tv_diagnose_size(table, row);

	tv_output_format(out, "%3u. %-19s", number, size);
	tv_free(size);
	write_clean(tv_table_text(table, "Text", row), 24, out);
	if (command)
		tv_output_format(out, "%24s%s\n", "", tv_table_text(table, "Command", row));
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

static void write_parts(const struct tv_table *table, bool all, struct tv_output *out)
{
	uint32_t part[TV_DIAGNOSE_PARTS], n = tv_diagnose_parts(table, part), listed = 0,
					  others = 0;
	int64_t rest = 0;
	char time[32];

	for (uint32_t row = 0; row < table->nrows; row++) {
		if (!is_a(table, row, "part"))
			continue;
		if (all || (listed < n && part[listed] == row)) {
			write_part(table, row, ++listed, all, out);
		} else {
			rest += time_of(table, row);
			others++;
		}
	}
	if (others > 0)
		tv_output_format(out, "     %u other %s, together %s\n", others,
				 others == 1 ? "part" : "parts", tv_words_time(time, rest));
	if (!all && listed > 0)
		tv_output_format(out, "     %s\n", tv_table_text(table, "Command", 0));
}

/* Whether a finding above has its cause. */
static bool has_main(const struct tv_table *table, uint32_t row)
{
	return tv_table_text(table, "See", row)[0] != '\0';
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

/* "late-start (12.3 ms lost)": the gain that a simulation shows, once; else the loss, or its limit. */
static char *name_of(const struct tv_table *table, uint32_t row)
{
	const struct tv_column *potential = tv_table_find(table, "Potential"),
			       *measure = tv_table_find(table, "Measure");
	char size[80] = "", time[32];

	if (!tv_missing(potential, row) && !has_main(table, row)
	    && first_of_simulation(table, row) == row)
		snprintf(size, sizeof size, " (gain %s)", tv_words_time(time, potential->i[row]));
	else if (time_of(table, row) > 0)
		snprintf(size, sizeof size, " (%s lost)", tv_words_time(time, time_of(table, row)));
	else if (!tv_missing(measure, row) && measure->i[row] <= time_of(table, 0))
		snprintf(size, sizeof size, " (up to %s)", tv_words_time(time, measure->i[row]));
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

	if (!tv_missing(potential, row))
		return tv_format(strstr(method, "policy") != NULL
					 ? "With another schedule the run would be %s shorter (%s)."
					 : "At best the run would be %s shorter (%s).",
				 tv_words_time(time, potential->i[row]), method);
	return why == NULL ? NULL : tv_format("No gain is known: %s.", why + 2);
}

size_t tv_diagnose_words(const struct tv_table *table, uint32_t row, char *words[TV_DIAGNOSE_WORDS])
{
	uint32_t first;
	size_t n = 0;

	words[n++] = head_of(table, row);
	words[n++] = tv_strdup(tv_table_text(table, "Text", row));
	if (has_main(table, row)) {
		words[n++] = tv_format("The cause is that of %s, above.",
				       tv_table_text(table, "See", row));
		return n;
	}
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

static void write_finding(const struct tv_table *table, uint32_t row, struct tv_output *out)
{
	char *words[TV_DIAGNOSE_WORDS];
	size_t n = tv_diagnose_words(table, row, words);

	for (size_t i = 0; i < n; i++) {
		size_t indent = i == 0 ? 2 : 6;

		tv_output_format(out, "%*s", (int)indent, "");
		write_clean(words[i], indent, out);
		tv_free(words[i]);
	}
	tv_output_format(out, "      %s\n", tv_table_text(table, "Command", row));
}

/* Adds a row's name and size to a list, NULL at first; title: and its title. */
static void add_name(char **list, const struct tv_table *table, uint32_t row, bool title)
{
	char *name = name_of(table, row), *before = *list;

	*list = tv_format("%s%s%s%s%s", before == NULL ? "" : before, before == NULL ? "" : "; ",
			  name, title ? ": " : "", title ? tv_table_text(table, "Title", row) : "");
	tv_free(name);
	tv_free(before);
}

/* Rows that are named alone, if there are any; frees the list. */
static void write_names(const char *lead, char *list, size_t indent, struct tv_output *out)
{
	char *text = list == NULL ? NULL : tv_format("%s %s.", lead, list);

	if (text != NULL) {
		tv_output_format(out, "%*s", (int)indent, "");
		write_clean(text, indent, out);
	}
	tv_free(text);
	tv_free(list);
}

/* Those that have the cause of a finding, which follow it, in a sentence. */
static void write_followers(const struct tv_table *table, uint32_t row, struct tv_output *out)
{
	char *names = NULL;

	for (uint32_t i = row + 1;
	     i < table->nrows && is_a(table, i, "finding") && has_main(table, i); i++)
		add_name(&names, table, i, true);
	write_names("Of the same cause:", names, 6, out);
}

static void write_heading(const struct tv_table *table, struct tv_output *out)
{
	const char *method = tv_table_text(table, "Method", 0);
	char *text = tv_format(
		"Findings, the most promising first (they overlap; gain: simulated%s%s; lost: in "
		"the account; up to: a limit; statistical: by a test; estimate: by a model):",
		method[0] != '\0' ? ", where " : "", method);

	tv_output_text(out, "\n");
	write_clean(text, 0, out);
	tv_free(text);
}

/* The first findings, or all; the others by name. */
static void write_findings(const struct tv_table *table, bool all, struct tv_output *out)
{
	char *others = NULL;
	uint32_t n = 0; /* causes */

	for (uint32_t row = 0; row < table->nrows; row++) {
		if (!is_a(table, row, "finding"))
			continue;
		if (n == 0)
			write_heading(table, out);
		n += !has_main(table, row);
		if (all)
			write_finding(table, row, out);
		else if (n > FINDINGS_MAX)
			add_name(&others, table, row, false);
		else if (!has_main(table, row)) {
			write_finding(table, row, out);
			write_followers(table, row, out);
		}
	}
	if (n == 0)
		tv_output_text(out,
			       "\nNothing stands out: no finding is 1 % of the run or more.\n");
	write_names("Also, see --all:", others, 2, out);
}

static void write_limits(const struct tv_table *table, bool all, struct tv_output *out)
{
	char *names = NULL;

	for (uint32_t row = 0; row < table->nrows; row++) {
		if (!is_a(table, row, "limit"))
			continue;
		if (all && names == NULL)
			tv_output_text(out, "\nWhat the trace does not show:\n");
		if (all)
			write_finding(table, row, out);
		add_name(&names, table, row, true);
	}
	if (!all)
		write_names("Limits of the trace:", names, 2, out);
	else
		tv_free(names);
}

static void write_summary(const struct tv_table *table, struct tv_output *out)
{
	const char *answer = tv_table_text(table, "Advice", 0);
	char time[32];

	/* The first row is the run's. */
	write_clean(tv_table_text(table, "Text", 0), 0, out);
	if (answer[0] != '\0')
		write_clean(answer, 0, out);
	if (time_of(table, 0) > 0)
		tv_output_format(out, "\nWhat the %s are, in parts that add up:\n",
				 tv_words_time(time, time_of(table, 0)));
}

void tv_diagnose_text(const struct tv_table *table, bool all, struct tv_output *out)
{
	write_summary(table, out);
	write_parts(table, all, out);
	write_findings(table, all, out);
	write_limits(table, all, out);
}
