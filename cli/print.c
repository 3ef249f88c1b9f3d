/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print.c -- a table as CSV, as JSON, or aligned for a terminal. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/cli.h"
#include "trace/alloc.h"
#include "trace/csv.h"
#include "trace/text.h"
#include "trace/timings.h"

enum { CELL_MAX = 48 }; /* characters of a cell that a terminal shows */

static bool is_number(const struct tv_column *column)
{
	return column->type == TV_TIME || column->type == TV_INT || column->type == TV_DOUBLE;
}

void tv_say(const struct tv_cli *cli, const char *format, ...)
{
	char raw[4096], text[sizeof raw];
	va_list args;

	if (cli->quiet)
		return;
	va_start(args, format);
	vsnprintf(raw, sizeof raw, format, args);
	va_end(args);
	tv_clean_text(text, sizeof text, raw);
	if (cli->receiver != NULL)
		cli->receiver->message(cli->receiver->context, text);
	else
		fprintf(stderr, "traceviz: %s\n", text);
}

/* Adds that no trace was named, but a file or folder has the name of the verb. */
static void add_namesake(const struct tv_cli *cli, char **text)
{
	const char *name = cli->verb.name;
	struct stat st;

	if (cli->verb_given && cli->ntraces == 0 && stat(name, &st) == 0)
		tv_append(text, "; '%s' is a verb: the %s of this name is %s%s%s", name,
			  S_ISDIR(st.st_mode) ? "folder" : "file", S_ISDIR(st.st_mode) ? "" : "./",
			  name, S_ISDIR(st.st_mode) ? "/" : "");
}

char *tv_cli_failure(const struct tv_cli *cli, const struct tv_error *err)
{
	char file[sizeof err->file], *text = NULL;

	tv_clean_text(file, sizeof file, err->file);
	/* What is wrong with the trace as a whole has no line, but it has a name. */
	if (err->status == TV_FAILED && file[0] == '\0' && cli->ntraces == 1)
		tv_clean_text(file, sizeof file, cli->trace[0].path);
	tv_append(&text, "%s%s", file, file[0] != '\0' ? ":" : "");
	if (file[0] != '\0' && err->line > 0)
		tv_append(&text, "%ld:", err->line);
	tv_append(&text, "%s%s", file[0] != '\0' ? " " : "", err->text);
	add_namesake(cli, &text);
	if (err->quote[0] != '\0')
		tv_append(&text, "\n  %s\n  %*s^", err->quote, err->caret, "");
	return text;
}

/* One line for all damage: the first record, then the other causes with their numbers. */
static void print_damage(const struct tv_cli *cli, const struct tv_diagnostics *list)
{
	enum { NAMED = 4 };
	char line[4096], *text = NULL;
	size_t others = 0;

	for (size_t i = 0; i < list->n; i++) {
		const struct tv_diagnostic *d = &list->at[i];

		if (d->severity < TV_REPAIR)
			continue;
		if (text == NULL) {
			text = tv_strdup(tv_diagnostic_line(line, sizeof line, d));
			continue;
		}
		if (++others > NAMED)
			continue;
		/* Before the first colon is the cause, behind it this record. */
		tv_append(&text, "%s %.*s (%llu %s)", others == 1 ? "; also" : ",",
			  (int)strcspn(d->text, ":"), d->text,
			  (unsigned long long)(d->records > 0 ? d->records : 1),
			  d->severity == TV_REPAIR ? "repaired" : "skipped");
	}
	if (others > NAMED)
		tv_say(cli, "%s, %zu more cause%s: --verbose lists them", text, others - NAMED,
		       tv_plural(others - NAMED));
	else if (text != NULL)
		tv_say(cli, "%s%s", text, others > 0 ? ": --verbose lists them" : "");
	tv_free(text);
}

void tv_print_diagnostics(const struct tv_cli *cli, const struct tv_diagnostics *list)
{
	char line[4096];

	/* Damaged records come last, in the order of the input. */
	for (int damaged = 0; damaged < 1 + cli->read.verbose; damaged++)
		for (size_t i = 0; i < list->n; i++)
			if ((list->at[i].severity >= TV_REPAIR) == (damaged == 1))
				tv_say(cli, "%s",
				       tv_diagnostic_line(line, sizeof line, &list->at[i]));
	if (!cli->read.verbose)
		print_damage(cli, list);
}

/* One that acts on a terminal, as its number: of two or three bytes, so below U+10000. */
static void json_hidden(struct tv_output *out, const char *s, size_t n)
{
	const unsigned char *c = (const unsigned char *)s;
	unsigned code = n == 1 ? c[0]
		      : n == 2 ? (c[0] & 0x1fu) << 6 | (c[1] & 0x3fu)
			       : (c[0] & 0x0fu) << 12 | (c[1] & 0x3fu) << 6 | (c[2] & 0x3fu);

	tv_output_format(out, "\\u%04x", code);
}

/* A JSON string; bytes that are not UTF-8 become '?'. */
static void json_string(struct tv_output *out, const char *s, size_t n)
{
	tv_output_text(out, "\"");
	for (size_t i = 0; i < n;) {
		size_t length = tv_utf8_length(s + i, n - i);

		if (length == 0)
			tv_output_text(out, "?");
		else if (s[i] == '"' || s[i] == '\\')
			tv_output_format(out, "\\%c", s[i]);
		else if (tv_utf8_hidden(s + i, length))
			json_hidden(out, s + i, length);
		else
			tv_output_write(out, s + i, length);
		i += length == 0 ? 1 : length;
	}
	tv_output_text(out, "\"");
}

static void json_cell(struct tv_output *out, const struct tv_column *column, uint32_t row)
{
	char *text;

	if (tv_missing(column, row)) {
		tv_output_text(out, "null");
		return;
	}
	text = tv_cell_copy(column, row);
	if (!is_number(column))
		json_string(out, text, tv_cell_text(column, row, NULL, 0));
	else
		tv_output_text(out, strcmp(text, "NA") == 0 ? "null" : text);
	tv_free(text);
}

static void print_json(const struct tv_table *table, const uint32_t *rows, uint32_t n,
		       struct tv_output *out)
{
	tv_output_text(out, "[");
	for (uint32_t i = 0; i < n; i++) {
		const char *before = "";

		tv_output_text(out, i > 0 ? ",\n{" : "\n{");
		for (size_t c = 0; c < table->ncols; c++) {
			if (table->col[c]->derived)
				continue;
			tv_output_text(out, before);
			json_string(out, table->col[c]->name, strlen(table->col[c]->name));
			tv_output_text(out, ":");
			json_cell(out, table->col[c], rows != NULL ? rows[i] : i);
			before = ",";
		}
		tv_output_text(out, "}");
	}
	tv_output_text(out, "\n]\n");
}

/* Characters, not bytes. */
static size_t width_of(const char *s)
{
	size_t n = 0;

	for (; *s != '\0'; s++)
		n += ((unsigned char)*s & 0xc0) != 0x80;
	return n;
}

static void cell_for_terminal(const struct tv_column *column, uint32_t row, char out[4 * CELL_MAX])
{
	char raw[4 * CELL_MAX];

	/* A person reads six digits; the CSV has all of them. */
	if (column->type == TV_DOUBLE && !tv_missing(column, row))
		snprintf(raw, sizeof raw, "%.6g", column->d[row]);
	else
		tv_cell_text(column, row, raw, sizeof raw);
	tv_clean_text(out, 4 * CELL_MAX, raw);
}

static void pad(struct tv_output *out, size_t n)
{
	while (n-- > 0)
		tv_output_write(out, " ", 1);
}

static void print_aligned_row(const struct tv_table *table, uint32_t row, bool header,
			      const size_t *width, struct tv_output *out)
{
	size_t last = table->ncols;

	while (last > 0 && width[last - 1] == 0)
		last--;
	for (size_t c = 0; c < last; c++) {
		const struct tv_column *column = table->col[c];
		char text[4 * CELL_MAX];
		size_t n;

		if (width[c] == 0)
			continue;
		if (header)
			tv_clean_text(text, sizeof text, column->name);
		else
			cell_for_terminal(column, row, text);
		n = width_of(text);
		if (is_number(column))
			pad(out, width[c] - n);
		tv_output_text(out, text);
		if (!is_number(column) && c + 1 < last)
			pad(out, width[c] - n);
		tv_output_text(out, c + 1 < last ? "  " : "\n");
	}
}

/* Widths of the columns, in new memory; 0 = not shown. */
static size_t *find_widths(const struct tv_table *table, const uint32_t *rows, uint32_t n)
{
	size_t *width = tv_alloc(table->ncols, sizeof *width);

	for (size_t c = 0; c < table->ncols; c++) {
		char text[4 * CELL_MAX];

		if (table->col[c]->derived)
			continue;
		width[c] = width_of(tv_clean_text(text, sizeof text, table->col[c]->name));
		for (uint32_t i = 0; i < n; i++) {
			cell_for_terminal(table->col[c], rows != NULL ? rows[i] : i, text);
			if (width_of(text) > width[c])
				width[c] = width_of(text);
		}
	}
	return width;
}

static void write_rows(const struct tv_table *table, const uint32_t *rows, uint32_t n,
		       const size_t *width, struct tv_output *out)
{
	print_aligned_row(table, 0, true, width, out);
	for (uint32_t i = 0; i < n; i++)
		print_aligned_row(table, rows != NULL ? rows[i] : i, false, width, out);
}

void tv_write_aligned(const struct tv_table *table, const uint32_t *rows, uint32_t n,
		      struct tv_output *out)
{
	size_t *width = find_widths(table, rows, n);

	write_rows(table, rows, n, width, out);
	tv_free(width);
}

/* ---- a terminal ---- */

/* A longer table is shown as its first rows: this many, and what a screen does not hold. */
enum { ROWS_MAX = 200, ROWS_SHOWN = 40, COLUMNS_KEPT = 4 };

/* How little a column says: 2 = no shown row has a value, 1 = all rows have the same, 0 = else. */
static int says_little(const struct tv_column *col, const uint32_t *rows, uint32_t n)
{
	char first[4 * CELL_MAX] = "", text[4 * CELL_MAX];

	for (uint32_t i = 0; i < n; i++) {
		cell_for_terminal(col, rows != NULL ? rows[i] : i, text);
		if (i == 0)
			memcpy(first, text, sizeof first);
		else if (strcmp(first, text) != 0)
			return 0;
	}
	if (first[0] == '\0')
		return 2;
	return n > 1 ? 1 : 0;
}

/* Hides columns until a line fits the screen. The first stays, then the one by which rows are ranked (NULL = none); then those that say
 * more come before those that say little, from left to right. Of tasks the last ones come before those in the middle,
 * as passes add theirs at the end, also if they say the same of all. Returns how many are hidden. */
static size_t fit_columns(const struct tv_table *table, const uint32_t *rows, uint32_t n,
			  const char *ranked, size_t *width, size_t screen)
{
	const struct tv_column *rank = ranked != NULL ? tv_table_find(table, ranked) : NULL;
	bool of_tasks = tv_table_find(table, "JobId") != NULL;
	size_t used = 0, hidden = 0;
	bool *fits = tv_alloc(table->ncols, sizeof *fits);

	for (size_t c = 0; c < table->ncols && rank != NULL && !of_tasks; c++)
		if (width[c] > 0 && (c == 0 || table->col[c] == rank)) {
			used += width[c] + 2;
			fits[c] = true;
		}
	for (int little = of_tasks ? 1 : 0; little <= 2; little++)
		for (size_t i = 0; i < table->ncols; i++) {
			size_t c = i;

			if (of_tasks && i >= COLUMNS_KEPT)
				c = table->ncols - 1 - (i - COLUMNS_KEPT);
			if (width[c] == 0 || fits[c]
			    || (c > 0
				&& (used + width[c] > screen
				    || says_little(table->col[c], rows, n) > little)))
				continue;
			used += width[c] + 2;
			fits[c] = true;
		}
	for (size_t c = 0; c < table->ncols; c++)
		if (width[c] > 0 && !fits[c]) {
			width[c] = 0;
			hidden++;
		}
	tv_free(fits);
	return hidden;
}

/* The last line shows how much is left out, and how to see it. */
static void write_screen(const struct tv_table *table, const uint32_t *rows, uint32_t n,
			 const char *ranked, struct tv_output *out)
{
	uint32_t shown = n > ROWS_MAX ? ROWS_SHOWN : n;
	size_t *width = find_widths(table, rows, shown), hidden = 0, columns = 0;
	struct winsize screen;

	for (size_t c = 0; c < table->ncols; c++)
		columns += width[c] > 0;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &screen) == 0 && screen.ws_col > 0)
		hidden = fit_columns(table, rows, shown, ranked, width, screen.ws_col);
	write_rows(table, rows, shown, width, out);
	if (shown < n || hidden > 0)
		tv_output_format(out,
				 "... %lu of %lu rows, %zu of %zu columns; all: '| less -S', "
				 "-o FILE or --csv; a part: --where%s\n",
				 (unsigned long)shown, (unsigned long)n, columns - hidden, columns,
				 shown < n ? ", --top N" : "");
	tv_free(width);
}

void tv_print_hint(const struct tv_cli *cli, uint32_t n)
{
	if (n > ROWS_MAX && cli->receiver == NULL && tv_output_is_terminal(STDOUT_FILENO)
	    && (cli->output == NULL || strcmp(cli->output, "-") == 0))
		tv_say(cli, "%lu rows; '| less -S' pages them, -o FILE keeps them",
		       (unsigned long)n);
}

bool tv_print_is_aligned(const struct tv_cli *cli)
{
	return !cli->csv && !cli->json && cli->receiver == NULL
	    && tv_output_is_terminal(STDOUT_FILENO)
	    && (cli->output == NULL || strcmp(cli->output, "-") == 0);
}

int tv_print_table(const struct tv_cli *cli, const struct tv_table *table, const uint32_t *rows,
		   uint32_t n, struct tv_error *err)
{
	const char *path = cli->output != NULL ? cli->output : "-";
	struct tv_output out;
	TV_STAGE("writing", NULL);

	if (rows == NULL)
		n = table->nrows;
	if (cli->receiver != NULL && cli->output == NULL && !cli->json) {
		cli->receiver->table(cli->receiver->context, &cli->verb, table, rows, n);
		return 0;
	}
	if (tv_output_open(&out, path, err) < 0)
		return -1;
	if (cli->json)
		print_json(table, rows, n, &out);
	else if (tv_print_is_aligned(cli))
		write_screen(table, rows, n, cli->verb.pass != NULL ? cli->verb.pass->ranked : NULL,
			     &out);
	else
		tv_csv_write(table, rows, n, &out);
	if (tv_output_commit(&out, err) < 0)
		return -1;
	if (!tv_print_is_aligned(cli))
		tv_print_hint(cli, n);
	return 0;
}
