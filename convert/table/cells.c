/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cells.c -- rows of a table whose cells have any separator between them. */
#include "convert/table/table.h"

#include <string.h>

#include "trace/alloc.h"

static const char separators[] = "\t;, ";

/* Ends a cell that begins at `from` of the text, where the row's text becomes two. */
static void add_cell(struct tv_cells *cells, char *from, size_t n, bool quoted)
{
	if (cells->n == TV_CELLS_MAX)
		return;
	from[n] = '\0';
	cells->cell[cells->n++] = (struct tv_cell_text){ from, n, quoted, false };
}

static char *skip_blanks(const struct tv_cells *cells, char *s)
{
	while (cells->separator == ' ' && (*s == ' ' || *s == '\t'))
		s++;
	return s;
}

/* The text between quotes that begins at s, without doubled quotes; *end behind it. NULL: it does not end. */
static char *unquote(char *s, char **end, size_t *n)
{
	char *to = s + 1, *from = s + 1;

	for (; *from != '\0'; from++) {
		if (*from == '"' && from[1] != '"')
			break;
		from += *from == '"';
		*to++ = *from;
	}
	*n = (size_t)(to - s - 1);
	*end = from + 1;
	return *from == '"' ? s + 1 : NULL;
}

/* Splits the text of a row; false, with nothing changed, if a quote does not end in it. */
static bool split(struct tv_cells *cells)
{
	size_t quotes = 0;

	for (const char *s = cells->text; *s != '\0'; s++)
		quotes += *s == '"';
	if (quotes % 2 != 0)
		return false;
	cells->n = 0;
	for (char *s = skip_blanks(cells, cells->text);;) {
		const char stop[2] = { cells->separator, '\0' };
		char *end, *text = *s == '"' ? s : NULL;
		bool quoted = text != NULL, last;
		size_t n;

		if (quoted)
			text = unquote(s, &end, &n);
		if (!quoted || text == NULL) {
			text = s;
			n = strcspn(s, cells->separator == ' ' ? " \t" : stop);
			end = s + n;
		}
		last = *end == '\0';
		add_cell(cells, text, n, quoted);
		if (last)
			return true;
		s = skip_blanks(cells, end + 1);
		if (cells->separator == ' ' && *s == '\0')
			return true;
	}
}

static void append(struct tv_cells *cells, const char *line, size_t n, bool next)
{
	TV_GROW(cells->text, cells->size, cells->cap, n + 2);
	if (next)
		cells->text[cells->size++] = '\n';
	memcpy(cells->text + cells->size, line, n);
	cells->size += n;
	cells->text[cells->size] = '\0';
}

int tv_cells_next(struct tv_cells *cells, struct tv_input *in, struct tv_error *err)
{
	char *line;
	size_t n;
	int rc;

	cells->size = 0;
	while ((rc = tv_input_line(in, &line, &n, err)) > 0) {
		if (cells->size == 0 && (line[strspn(line, " \t")] == '\0' || line[0] == '#'))
			continue;
		if (cells->size == 0)
			cells->at = tv_here(in);
		append(cells, line, n, cells->size > 0);
		if (cells->size > TV_LINE_MAX)
			return tv_fail_at(err, cells->at,
					  "row longer than %zu MiB, which is the limit",
					  TV_LINE_MAX >> 20);
		if (split(cells))
			return 1;
	}
	if (rc < 0 || cells->size == 0)
		return rc;
	return tv_fail_at(err, cells->at, "a quote is not closed");
}

void tv_cells_release(struct tv_cells *cells)
{
	tv_free(cells->text);
}

/* The numbers of cells of the first two rows; false if there are no two. */
static bool count_cells(const char *head, size_t n, char separator, size_t count[2])
{
	struct tv_cells cells = { .separator = separator };
	struct tv_error err;
	struct tv_input in;
	int rows = 0;

	tv_input_memory(&in, "", head, n);
	while (rows < 2 && tv_cells_next(&cells, &in, &err) > 0)
		count[rows++] = cells.n;
	tv_input_close(&in);
	tv_cells_release(&cells);
	return rows == 2;
}

char tv_cells_separator(const char *head, size_t n)
{
	for (size_t i = 0; i < sizeof separators - 1; i++) {
		size_t count[2];

		if (memchr(head, separators[i], n) != NULL
		    && count_cells(head, n, separators[i], count) && count[0] >= 2
		    && count[0] == count[1])
			return separators[i];
	}
	return ',';
}
