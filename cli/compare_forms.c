/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare_forms.c -- a comparison as JUnit's XML, Markdown and OpenMetrics. */
#include "cli/compare_forms.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/compare/compare.h"
#include "cli/compare_rows.h"
#include "trace/alloc.h"
#include "trace/csv.h"
#include "trace/text.h"
#include "views/backends/escape.h"

static bool shows(const struct tv_compared *c, const char *section)
{
	return c->section == NULL || strcmp(c->section, section) == 0;
}

/* A text on one line, in new memory. */
static char *clean(const char *text)
{
	size_t size = 4 * strlen(text) + 1;
	char *line = tv_alloc(size, 1);

	return tv_clean_text(line, size, text);
}

static char *clean_cell(const struct tv_column *column, uint32_t row)
{
	char *raw = tv_cell_copy(column, row), *text = clean(raw);

	tv_free(raw);
	return text;
}

/* The sentence about a run, "" if there is none; in new memory. */
static char *verdict_of(const struct tv_compared *c, const char *run)
{
	for (uint32_t row = 0; row < c->table->nrows; row++)
		if (tv_table_is(c->table, "Section", row, "verdict")
		    && tv_table_is(c->table, "Run", row, run))
			return clean_cell(tv_table_find(c->table, "Name"), row);
	return tv_strdup("");
}

/* ---- JUnit ---- */

static void escaped(struct tv_output *out, const char *text)
{
	char *line = clean(text);

	tv_write_escaped(out, line);
	tv_free(line);
}

/* Numbers of section runs, one a line. */
static void write_numbers(const struct tv_compared *c, const char *run, struct tv_output *out)
{
	static const char *const shown[] = { "Name", "Value",  "ResourceType",
					     "Unit", "Before", "After" };
	uint32_t *rows = tv_alloc(c->table->nrows, sizeof *rows);
	uint32_t n = tv_compare_rows(c->table, "runs", run, rows);

	for (uint32_t i = 0; i < n; i++)
		for (size_t k = 0; k < TV_COUNT(shown); k++) {
			const struct tv_column *column = tv_table_find(c->table, shown[k]);
			char *cell = tv_cell_copy(column, rows[i]);

			tv_output_text(out, k == 0 ? "\n" : cell[0] != '\0' ? " " : "");
			escaped(out, cell);
			tv_free(cell);
		}
	tv_free(rows);
}

static void write_case(const struct tv_compared *c, size_t s, struct tv_output *out)
{
	const char *run = c->side[s].label, *gate = c->fail_if != NULL ? c->fail_if : "compared";
	char *verdict = verdict_of(c, run);

	tv_output_text(out, "  <testcase classname=\"traceviz compare\" name=\"");
	escaped(out, run);
	tv_output_text(out, ": ");
	escaped(out, gate);
	tv_output_text(out, "\">\n");
	if (c->truth[s] != TV_NO) {
		tv_output_text(out, c->truth[s] == TV_YES ? "    <failure message=\"it holds: "
							  : "    <skipped message=\"undecided: ");
		tv_write_escaped(out, verdict);
		tv_output_text(out, "\"/>\n");
	}
	tv_output_text(out, "    <system-out>");
	tv_write_escaped(out, verdict);
	write_numbers(c, run, out);
	tv_output_text(out, "</system-out>\n  </testcase>\n");
	tv_free(verdict);
}

static void write_junit(const struct tv_compared *c, struct tv_output *out)
{
	size_t failures = 0, skipped = 0;

	for (size_t s = 1; s < c->nsides; s++) {
		failures += c->truth[s] == TV_YES;
		skipped += c->truth[s] == TV_UNKNOWN;
	}
	tv_output_format(out,
			 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite "
			 "name=\"traceviz compare\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" "
			 "skipped=\"%zu\">\n",
			 c->nsides - 1, failures, skipped);
	for (size_t s = 1; s < c->nsides; s++)
		write_case(c, s, out);
	tv_output_text(out, "</testsuite>\n</testsuites>\n");
}

/* ---- Markdown ---- */

/* A text in which no character is markup. */
static void write_plain(struct tv_output *out, const char *text)
{
	for (; *text != '\0'; text++) {
		if (strchr("\\`*_[]|#~", *text) != NULL)
			tv_output_write(out, "\\", 1);
		if (*text == '<')
			tv_output_text(out, "&lt;");
		else if (*text == '&')
			tv_output_text(out, "&amp;");
		else
			tv_output_write(out, text, 1);
	}
}

static void write_cell(struct tv_output *out, const struct tv_column *column, uint32_t row)
{
	char number[32], *text;

	if (column->type == TV_DOUBLE && !tv_missing(column, row)) {
		snprintf(number, sizeof number, "%.6g", column->d[row]);
		tv_output_text(out, number);
		return;
	}
	text = clean_cell(column, row);
	write_plain(out, text);
	tv_free(text);
}

static bool is_number(const struct tv_column *column)
{
	return column->type == TV_DOUBLE || column->type == TV_INT || column->type == TV_TIME;
}

static void write_table(const struct tv_table *table, const uint32_t *rows, uint32_t n,
			struct tv_output *out)
{
	for (size_t i = 0; i < table->ncols; i++) {
		tv_output_text(out, i == 0 ? "| " : " | ");
		write_plain(out, table->col[i]->name);
	}
	tv_output_text(out, " |\n|");
	for (size_t i = 0; i < table->ncols; i++)
		tv_output_text(out, is_number(table->col[i]) ? "---:|" : "---|");
	tv_output_text(out, "\n");
	for (uint32_t k = 0; k < n; k++) {
		for (size_t i = 0; i < table->ncols; i++) {
			tv_output_text(out, i == 0 ? "| " : " | ");
			write_cell(out, table->col[i], rows[k]);
		}
		tv_output_text(out, " |\n");
	}
}

/* Folded, but the section that says how long the runs took, and one that is asked for. */
static void write_section(const struct tv_compared *c, const struct tv_compare_section *section,
			  const char *run, uint32_t *rows, struct tv_output *out)
{
	uint32_t n = tv_compare_rows(c->table, section->name, run, rows);
	bool open = c->section != NULL || strcmp(section->name, "runs") == 0;
	struct tv_table shown;

	if (n == 0 || strcmp(section->name, "verdict") == 0 || !shows(c, section->name))
		return;
	tv_compare_columns(c->table, rows, n, &shown);
	tv_output_format(out, open ? "\n**%s**\n\n" : "\n<details><summary>%s</summary>\n\n",
			 section->title);
	write_table(&shown, rows, n, out);
	if (!open)
		tv_output_text(out, "\n</details>\n");
	tv_table_release(&shown);
}

static void write_gate(const struct tv_compared *c, size_t s, struct tv_output *out)
{
	static const char *const words[] = {
		[TV_NO] = "does not hold", [TV_UNKNOWN] = "is undecided", [TV_YES] = "holds"
	};
	char *gate;

	if (c->fail_if == NULL)
		return;
	gate = clean(c->fail_if);
	tv_output_text(out, "\n`--fail-if` ");
	write_plain(out, gate);
	tv_output_format(out, ": %s.\n", words[c->truth[s]]);
	tv_free(gate);
}

static void write_markdown(const struct tv_compared *c, struct tv_output *out)
{
	uint32_t *rows = tv_alloc(c->table->nrows, sizeof *rows);

	for (size_t s = 1; s < c->nsides; s++) {
		char *label = clean(c->side[s].label), *verdict = verdict_of(c, c->side[s].label);

		tv_output_text(out, s > 1 ? "\n### " : "### ");
		write_plain(out, label);
		tv_output_text(out, "\n\n");
		write_plain(out, verdict);
		tv_output_text(out, ".\n");
		write_gate(c, s, out);
		for (size_t i = 0; i < tv_compare_nsections; i++)
			write_section(c, &tv_compare_sections[i], c->side[s].label, rows, out);
		tv_free(label);
		tv_free(verdict);
	}
	tv_free(rows);
}

/* ---- OpenMetrics ---- */

static void write_label(struct tv_output *out, const char *name, const char *text)
{
	char *line = clean(text);

	tv_output_format(out, "%s%s=\"", strcmp(name, "run") != 0 ? "," : "", name);
	for (const char *s = line; *s != '\0'; s++) {
		if (*s == '\\' || *s == '"')
			tv_output_write(out, "\\", 1);
		tv_output_write(out, s, 1);
	}
	tv_output_text(out, "\"");
	tv_free(line);
}

/* A number of a row; what is missing or infinite is no sample. */
static void write_sample(const struct tv_compared *c, uint32_t row, const char *family,
			 const char *run, const char *column, struct tv_output *out)
{
	static const char *const names[][2] = { { "section", "Section" },
						{ "name", "Name" },
						{ "value", "Value" },
						{ "resource_type", "ResourceType" },
						{ "unit", "Unit" } };
	const struct tv_column *number = tv_table_find(c->table, column);
	char *text;

	if (tv_missing(number, row) || !isfinite(number->d[row]))
		return;
	tv_output_format(out, "traceviz_%s{", family);
	write_label(out, "run", run);
	for (size_t i = 0; i < TV_COUNT(names); i++) {
		const char *of = tv_table_text(c->table, names[i][1], row);

		if (of[0] != '\0')
			write_label(out, names[i][0], of);
	}
	text = tv_cell_copy(number, row);
	tv_output_format(out, "} %s\n", text);
	tv_free(text);
}

/* Rows about single tasks are no numbers of a run. */
static bool is_of_run(const struct tv_compared *c, uint32_t row, const char *run)
{
	return tv_table_is(c->table, "Run", row, run)
	    && shows(c, tv_table_text(c->table, "Section", row))
	    && tv_table_text(c->table, "JobBefore", row)[0] == '\0'
	    && tv_table_text(c->table, "JobAfter", row)[0] == '\0'
	    && tv_missing(tv_table_find(c->table, "Elapsed"), row);
}

static void write_family(const struct tv_compared *c, const char *family, const char *column,
			 struct tv_output *out)
{
	tv_output_format(out, "# TYPE traceviz_%s gauge\n", family);
	for (size_t s = 1; s < c->nsides; s++)
		for (uint32_t row = 0; row < c->table->nrows; row++) {
			if (!is_of_run(c, row, c->side[s].label))
				continue;
			/* The base is the same beside each run. */
			if (s == 1 && strcmp(family, "number") == 0)
				write_sample(c, row, family, c->side[0].label, "Before", out);
			write_sample(c, row, family, c->side[s].label, column, out);
		}
}

static void write_openmetrics(const struct tv_compared *c, struct tv_output *out)
{
	write_family(c, "number", "After", out);
	write_family(c, "change", "Change", out);
	tv_output_text(out, "# EOF\n");
}

void tv_compare_write(const struct tv_compared *compared, const char *form, struct tv_output *out)
{
	if (strcmp(form, "junit") == 0)
		write_junit(compared, out);
	else if (strcmp(form, "markdown") == 0)
		write_markdown(compared, out);
	else
		write_openmetrics(compared, out);
}
