/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hover.c -- hover texts made of the cells of a row of a table, by a template. */
#include "views/shared/hover.h"

#include <assert.h>
#include <stdio.h>

#include "trace/text.h"
#include "trace/units.h"
#include "views/shared/printed.h"

/* The parts of a cell: name[:format][|text], up to its end. */
static void read_cell(struct tv_hover_part *part, const struct tv_table *table, const char *cell,
		      size_t n)
{
	static const struct {
		const char *name;
		char time;
	} times[] = { { "from", 'f' }, { "to", 't' }, { "long", 'l' } };
	size_t name = strcspn(cell, ":|}");
	char column[64];

	assert(name < sizeof column && name > 0);
	snprintf(column, sizeof column, "%.*s", (int)name, cell);
	*part = (struct tv_hover_part){ .kind = TV_HOVER_CELL, .digits = 3 };
	if (cell[name] == ':' && strncmp(cell + name, ":bytes", 6) == 0)
		part->bytes = true;
	else if (cell[name] == ':' && strncmp(cell + name, ":share", 6) == 0)
		part->share = true;
	else if (cell[name] == ':' && strncmp(cell + name, ":time", 5) == 0)
		part->unit = true;
	else if (cell[name] == ':')
		part->digits = cell[name + 1] - '0';
	name = strcspn(cell, "|}");
	if (cell[name] == '|') {
		part->otherwise = true;
		part->text = cell + name + 1;
		part->n = (int)(n - name - 1);
	}
	for (size_t i = 0; i < TV_COUNT(times); i++)
		if (strcmp(times[i].name, column) == 0)
			part->time = times[i].time;
	if (part->time == 0)
		part->column = tv_table_find(table, column);
}

void tv_hover_init(struct tv_hover *hover, const struct tv_table *table, const char *pattern)
{
	*hover = (struct tv_hover){ .pool = table->pool };
	while (*pattern != '\0') {
		struct tv_hover_part *part = &hover->part[hover->n++];
		size_t n = strcspn(pattern, "{[]");

		assert(hover->n <= TV_HOVER_PARTS);
		if (n > 0) {
			*part = (struct tv_hover_part){ .text = pattern, .n = (int)n };
			pattern += n;
			continue;
		}
		n = *pattern == '{' ? strcspn(pattern, "}") : 0;
		assert(pattern[n] != '\0');
		if (*pattern == '{')
			read_cell(part, table, pattern + 1, n - 1);
		else
			part->kind = *pattern == '[' ? TV_HOVER_OPEN : TV_HOVER_CLOSE;
		pattern += n + 1;
	}
}

static bool is_missing(const struct tv_column *column, uint32_t row)
{
	return column == NULL
	    || (column->type == TV_LABEL ? tv_label(column, row) == TV_NONE
					 : tv_missing(column, row));
}

static void write_time(char *out, size_t size, int64_t ns, int digits)
{
	snprintf(out, size, "%.*f", digits, (double)ns / 1e6);
}

/* false: it is missing, and the template has no other text. */
static bool write_cell(const struct tv_hover *hover, const struct tv_hover_part *part, uint32_t row,
		       const int64_t span[2], char *out, size_t size)
{
	const struct tv_column *c = part->column;

	if (part->time != 0)
		write_time(out, size,
			   part->time == 'f'   ? span[0]
			   : part->time == 't' ? span[1]
					       : span[1] - span[0],
			   part->digits);
	else if (is_missing(c, row))
		snprintf(out, size, "%.*s", part->n, part->otherwise ? part->text : "");
	else if (part->unit)
		tv_time_text(out, size, c->i[row], NULL);
	else if (c->type == TV_TIME)
		write_time(out, size, c->i[row], part->digits);
	else if (part->bytes)
		tv_bytes_text(out, size, (double)c->i[row]);
	else if (c->type == TV_INT)
		snprintf(out, size, "%lld", (long long)c->i[row]);
	else if (part->share)
		tv_percent_text(out, size, c->d[row]);
	else if (c->type == TV_DOUBLE)
		snprintf(out, size, "%.*f", part->digits, c->d[row]);
	else
		tv_clean_text(out, size < 128 ? size : 128,
			      tv_pool_text(hover->pool, tv_label(c, row)));
	return part->time != 0 || part->otherwise || !is_missing(c, row);
}

const char *tv_hover_text(const struct tv_hover *hover, uint32_t row, int64_t from, int64_t to,
			  char *out, size_t size)
{
	const int64_t span[2] = { from, to };
	size_t at = 0, open = 0;
	bool within = false, lacks = false;

	out[0] = '\0';
	for (size_t i = 0; i < hover->n; i++) {
		const struct tv_hover_part *part = &hover->part[i];

		if (part->kind == TV_HOVER_OPEN) {
			within = true;
			lacks = false;
			open = at;
		} else if (part->kind == TV_HOVER_CLOSE) {
			within = false;
			at = lacks ? open : at;
			out[at] = '\0';
		} else if (part->kind == TV_HOVER_TEXT)
			snprintf(out + at, size - at, "%.*s", part->n, part->text);
		else if (!write_cell(hover, part, row, span, out + at, size - at))
			lacks = within;
		at += strlen(out + at);
	}
	return out;
}

uint32_t tv_hover_label(struct tv_scene *scene, const struct tv_hover *hover, uint32_t row,
			int64_t from, int64_t to)
{
	char text[512];

	return scene->labels ? tv_scene_string(
		       scene, tv_hover_text(hover, row, from, to, text, sizeof text))
			     : 0;
}
