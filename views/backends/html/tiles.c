/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tiles.c -- a chart as a tree of tiles for each band of rows, in files. */
#include "views/backends/html/tiles.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/text.h"

#define TILE "tile-" /* files begin so, a number follows */

enum {
	CELLS = 512, /* of a tile, at most */
	LEVELS = 63, /* shares are whole parts of this */
};

struct writer {
	const struct tv_chart_item *item; /* of the chart */
	const struct tv_chart_row *row;
	size_t nrows, ntypes;
	const struct tv_column *column[3]; /* of tasks: text[] has their names; NULL: it has none */
	const struct tv_output_folder *folder;
	struct tv_output text; /* the tile that is being written */
	uint64_t *busy;	       /* by type, of this tile */
	char *tree;	       /* of this band */
	size_t ntiles;
};

static const char *const text_column[] = { "Value", "ResourceId", "JobId" };
static const char *const text_name[] = { "value", "worker", "job" };

/* Tasks in a part of a band of rows. */
struct part {
	const uint32_t *item; /* ascending: by row, and in a row as they are drawn */
	size_t n;
	int64_t begin;
	uint64_t width; /* ns; its last instant is begin + (width - 1) */
	size_t row, rows;
	unsigned shift; /* 2^shift rows have cells together */
};

/* Time after the begin of a part, in it: [*from, *to). A task without length has an instant. */
static bool clip(const struct part *part, const struct tv_chart_item *item, uint64_t *from,
		 uint64_t *to)
{
	uint64_t end = (uint64_t)item->end - (uint64_t)part->begin;

	if (item->end < part->begin || (item->end == part->begin && item->begin < item->end))
		return false;
	*from = item->begin <= part->begin ? 0 : (uint64_t)item->begin - (uint64_t)part->begin;
	*to = end < part->width ? end : part->width;
	return *from < part->width;
}

static void sum_busy(struct writer *w, const struct part *part)
{
	memset(w->busy, 0, w->ntypes * sizeof *w->busy);
	for (size_t i = 0; i < part->n; i++) {
		const struct tv_chart_item *item = &w->item[part->item[i]];
		uint64_t from, to;

		if (clip(part, item, &from, &to))
			w->busy[item->type] += to - from;
	}
}

/* The header of a tile; its strings follow. */
static void begin_header(struct writer *w, const struct part *part, struct tv_json *json)
{
	tv_json_time(json, "begin", part->begin);
	tv_json_int(json, "row", (int64_t)part->row);
	tv_json_int(json, "rows", (int64_t)part->rows);
	tv_json_open(json, "busy", '[');
	for (size_t t = 0; t < w->ntypes; t++)
		tv_json_time(json, NULL, (int64_t)w->busy[t]);
	tv_json_close(json, ']');
}

/* Ends the text of a tile. Returns its number of bytes. */
static size_t end_tile(struct writer *w, struct tv_payload *payload, struct tv_json *json)
{
	tv_output_abort(&w->text);
	tv_output_memory(&w->text);
	tv_output_format(&w->text, "TV.tile(%zu,\"", w->ntiles);
	tv_payload_write(payload, json, &w->text);
	tv_output_text(&w->text, "\");\n");
	tv_payload_release(payload);
	tv_json_release(json);
	return w->text.n;
}

static int write_tile(struct writer *w, char kind, struct tv_error *err)
{
	char name[40];

	snprintf(name, sizeof name, TILE "%zu.js", w->ntiles++);
	tv_append(&w->tree, "%c", kind);
	return tv_output_folder_file(w->folder, name, w->text.buffer, w->text.n, err);
}

/* ---- single tasks ---- */

/* Numbers of the texts of a column in the header's list of strings. */
static void add_texts(const struct writer *w, const struct part *part, size_t c, struct tv_map *map,
		      struct tv_payload *to, struct tv_json *json)
{
	const struct tv_column *column = w->column[c];
	uint32_t *number = tv_alloc(part->n, sizeof *number);

	for (size_t i = 0; i < part->n; i++) {
		uint32_t row = w->item[part->item[i]].row, *at;

		number[i] = TV_NONE;
		if (column == NULL || tv_missing(column, row))
			continue;
		at = tv_map_at(map, tv_label(column, row), 0);
		if (*at == TV_NONE) {
			*at = (uint32_t)map->n - 1;
			tv_json_text(json, NULL, tv_pool_text(column->pool, tv_label(column, row)));
		}
		number[i] = *at;
	}
	tv_payload_add(to, text_name[c], TV_U32, number, part->n, NULL);
	tv_free(number);
}

/* Places in the height of rows, where some task does not have all of it. */
static void add_lanes(const struct writer *w, const struct part *part, struct tv_payload *to)
{
	float *top = tv_alloc(part->n, sizeof *top), *bottom = tv_alloc(part->n, sizeof *bottom);
	bool any = false;

	for (size_t i = 0; i < part->n; i++) {
		top[i] = w->item[part->item[i]].top;
		bottom[i] = w->item[part->item[i]].bottom;
		any = any || top[i] > 0 || bottom[i] < 1;
	}
	if (any) {
		tv_payload_add(to, "top", TV_F32, top, part->n, NULL);
		tv_payload_add(to, "bottom", TV_F32, bottom, part->n, NULL);
	}
	tv_free(top);
	tv_free(bottom);
}

static size_t tasks_tile(struct writer *w, const struct part *part)
{
	size_t n = part->n, row = part->row;
	uint32_t *rows = tv_alloc(n, sizeof *rows);
	uint8_t *style = tv_alloc(n, sizeof *style);
	int64_t *gap = tv_alloc(n, sizeof *gap), *length = tv_alloc(n, sizeof *length);
	uint64_t before = (uint64_t)part->begin;
	struct tv_payload payload = { 0 };
	struct tv_json json = { 0 };
	struct tv_map map = { 0 };

	begin_header(w, part, &json);
	for (size_t i = 0; i < n; i++) {
		const struct tv_chart_item *item = &w->item[part->item[i]];

		while (part->item[i] >= w->row[row].first - w->row[0].first + w->row[row].n)
			row++;
		rows[i] = (uint32_t)row;
		style[i] = (uint8_t)(2 * item->type + item->outlier);
		gap[i] = (int64_t)((uint64_t)item->begin - before);
		length[i] = (int64_t)((uint64_t)item->end - (uint64_t)item->begin);
		before = (uint64_t)item->end;
	}
	tv_payload_add(&payload, "item", TV_U32, part->item, n, NULL);
	tv_payload_add(&payload, "row", TV_U32, rows, n, NULL);
	tv_payload_add(&payload, "style", TV_U8, style, n, NULL);
	tv_payload_add(&payload, "gap", TV_I64, gap, n, NULL);
	tv_payload_add(&payload, "length", TV_I64, length, n, NULL);
	tv_json_open(&json, "strings", '[');
	for (size_t c = 0; c < TV_COUNT(text_column); c++)
		add_texts(w, part, c, &map, &payload, &json);
	tv_json_close(&json, ']');
	add_lanes(w, part, &payload);
	tv_map_release(&map);
	tv_free(rows);
	tv_free(style);
	tv_free(gap);
	tv_free(length);
	return end_tile(w, &payload, &json);
}

/* ---- shares ---- */

/* Numbers at places, ascending. */
struct list {
	struct entry {
		uint32_t at;
		uint8_t value;
	} * entry;
	size_t n, cap;
};

static void add_entry(struct list *list, size_t at, uint8_t value)
{
	TV_GROW(list->entry, list->n, list->cap, 1);
	list->entry[list->n++] = (struct entry){ (uint32_t)at, value };
}

/* Adds it as two columns, and empties it. */
static void end_list(struct list *list, struct tv_payload *to, const char *at, const char *value)
{
	uint32_t *place = tv_alloc(list->n, sizeof *place);
	uint8_t *number = tv_alloc(list->n, sizeof *number);

	for (size_t i = 0; i < list->n; i++) {
		place[i] = list->entry[i].at;
		number[i] = list->entry[i].value;
	}
	tv_payload_add(to, at, TV_U32, place, list->n, NULL);
	tv_payload_add(to, value, TV_U8, number, list->n, NULL);
	tv_free(place);
	tv_free(number);
	tv_free(list->entry);
}

/* Of a group of rows, by cell: time by type, in all, 1 + the lowest type of an outlier or 0. */
struct cells {
	uint32_t n;
	uint64_t width, *time, *sum, lanes; /* lanes: of all its rows */
	uint16_t *outlier;
	struct list share, mark;
};

/* Where a cell begins, ns after the begin of the part. */
static uint64_t edge(const struct cells *cells, uint64_t c)
{
	return cells->width / cells->n * c + cells->width % cells->n * c / cells->n;
}

static void add_item(struct cells *cells, const struct tv_chart_item *item, uint64_t from,
		     uint64_t to)
{
	uint64_t c = (uint64_t)((double)from / (double)cells->width * cells->n);

	c = c < cells->n ? c : cells->n - 1;
	while (edge(cells, c) > from)
		c--;
	while (edge(cells, c + 1) <= from)
		c++;
	for (; c < cells->n && edge(cells, c) <= to; c++) {
		uint64_t end = edge(cells, c + 1), part = (to < end ? to : end) - from;

		if (item->outlier && (part > 0 || item->begin == item->end)
		    && (cells->outlier[c] == 0 || cells->outlier[c] > item->type))
			cells->outlier[c] = item->type + 1;
		cells->time[item->type * cells->n + c] += part;
		cells->sum[c] += part;
		from += part;
	}
}

/* Lists what a group has, and empties its cells. */
static void end_group(struct cells *cells, size_t group, size_t ntypes)
{
	for (size_t t = 0; t < ntypes; t++)
		for (uint32_t c = 0; c < cells->n; c++) {
			uint64_t time = cells->time[t * cells->n + c];
			double whole = (double)(edge(cells, c + 1) - edge(cells, c))
				     * (double)cells->lanes;
			double share;

			if (time == 0)
				continue;
			whole = whole > (double)cells->sum[c] ? whole : (double)cells->sum[c];
			share = (double)time / whole * LEVELS + 0.5;
			if (share >= 1)
				add_entry(&cells->share, (group * ntypes + t) * cells->n + c,
					  (uint8_t)share);
		}
	for (uint32_t c = 0; c < cells->n; c++)
		if (cells->outlier[c] != 0)
			add_entry(&cells->mark, group * cells->n + c,
				  (uint8_t)(cells->outlier[c] - 1));
	memset(cells->time, 0, ntypes * cells->n * sizeof *cells->time);
	memset(cells->sum, 0, cells->n * sizeof *cells->sum);
	memset(cells->outlier, 0, cells->n * sizeof *cells->outlier);
	cells->lanes = 0;
}

static void add_groups(struct writer *w, const struct part *part, struct cells *cells)
{
	size_t next = 0;

	for (size_t row = part->row; row < part->row + part->rows; row++) {
		size_t end = w->row[row].first - w->row[0].first + w->row[row].n;

		cells->lanes += w->row[row].lanes > 0 ? w->row[row].lanes : 1;
		for (; next < part->n && part->item[next] < end; next++) {
			const struct tv_chart_item *item = &w->item[part->item[next]];
			uint64_t from, to;

			if (clip(part, item, &from, &to))
				add_item(cells, item, from, to);
		}
		if (row + 1 == part->row + part->rows
		    || (row + 1) >> part->shift << part->shift == row + 1)
			end_group(cells, (row - part->row) >> part->shift, w->ntypes);
	}
}

/* With fewer cells if the file would be too large. */
static void shares_tile(struct writer *w, const struct part *part)
{
	uint32_t n = part->width < CELLS ? (uint32_t)part->width : CELLS;
	size_t bytes;

	do {
		struct cells cells = { .n = n,
				       .width = part->width,
				       .time = tv_alloc(w->ntypes * n, sizeof(uint64_t)),
				       .sum = tv_alloc(n, sizeof(uint64_t)),
				       .outlier = tv_alloc(n, sizeof(uint16_t)) };
		struct tv_payload payload = { 0 };
		struct tv_json json = { 0 };

		begin_header(w, part, &json);
		tv_json_int(&json, "cells", n);
		tv_json_int(&json, "shift", part->shift);
		add_groups(w, part, &cells);
		end_list(&cells.share, &payload, "at", "share");
		end_list(&cells.mark, &payload, "marked", "mark");
		tv_free(cells.time);
		tv_free(cells.sum);
		tv_free(cells.outlier);
		bytes = end_tile(w, &payload, &json);
		n /= 2;
	} while (bytes > TV_TILE_BYTES && n > 0);
}

/* ---- the tree ---- */

/* The tasks that touch a part. */
static uint32_t *touching(const struct writer *w, const struct part *of, struct part *part)
{
	uint32_t *item = tv_alloc(of->n, sizeof *item);
	uint64_t from, to;

	part->n = 0;
	for (size_t i = 0; i < of->n; i++)
		if (clip(part, &w->item[of->item[i]], &from, &to))
			item[part->n++] = of->item[i];
	part->item = item;
	return item;
}

/* Adds the tree of a part in the order tile, first half, second half: "." without tasks, "0" and "1"
 * without and with halves. */
static int add_tree(struct writer *w, const struct part *part, struct tv_error *err)
{
	size_t begun = 0;
	bool divisible, few;

	if (part->n == 0) {
		tv_append(&w->tree, ".");
		return 0;
	}
	for (size_t i = 0; i < part->n; i++)
		begun += w->item[part->item[i]].begin >= part->begin;
	sum_busy(w, part);
	/* Halves of tasks that go through the whole part would have as many. */
	divisible = part->width >= 2 && begun > part->n - begun;
	few = !divisible || begun <= TV_TILE_TASKS;
	if (few && part->shift == 0)
		few = tasks_tile(w, part) <= TV_TILE_BYTES || !divisible;
	if (!few || part->shift > 0)
		shares_tile(w, part);
	if (write_tile(w, few ? '0' : '1', err) < 0)
		return -1;
	if (few)
		return 0;
	for (int half = 0; half < 2; half++) {
		struct part next = *part;
		uint32_t *item;
		int rc;

		next.begin = (int64_t)((uint64_t)part->begin + (half ? part->width / 2 : 0));
		next.width = half ? part->width - part->width / 2 : part->width / 2;
		item = touching(w, part, &next);
		rc = add_tree(w, &next, err);
		tv_free(item);
		if (rc < 0)
			return -1;
	}
	return 0;
}

/* The bands of a level, each with its tree. */
static int add_level(struct writer *w, unsigned shift, int64_t begin, uint64_t width,
		     struct tv_json *json, struct tv_error *err)
{
	size_t rows = (size_t)TV_TILE_ROWS << shift;
	int rc = 0;

	tv_json_open(json, NULL, '[');
	for (size_t row = 0; rc == 0 && row < w->nrows; row += rows) {
		size_t last = (row + rows < w->nrows ? row + rows : w->nrows) - 1;
		size_t first = w->row[row].first - w->row[0].first;
		struct part part = { .n = w->row[last].first - w->row[0].first + w->row[last].n
					- first,
				     .begin = begin,
				     .width = width,
				     .row = row,
				     .rows = last + 1 - row,
				     .shift = shift };
		uint32_t *item = tv_alloc(part.n, sizeof *item);

		for (size_t i = 0; i < part.n; i++)
			item[i] = (uint32_t)(first + i);
		part.item = item;
		w->tree = tv_strdup("");
		rc = add_tree(w, &part, err);
		tv_json_text(json, NULL, w->tree);
		tv_free(w->tree);
		tv_free(item);
	}
	tv_json_close(json, ']');
	return rc;
}

/* The times that all tasks are in, and how many there are of each type. */
static void find_times(const struct writer *w, size_t n, int64_t *begin, uint64_t *width,
		       uint64_t *count)
{
	int64_t end = n > 0 ? w->item[0].end : 0;

	*begin = n > 0 ? w->item[0].begin : 0;
	for (size_t i = 0; i < n; i++) {
		*begin = w->item[i].begin < *begin ? w->item[i].begin : *begin;
		end = w->item[i].end > end ? w->item[i].end : end;
		count[w->item[i].type]++;
	}
	*width = (uint64_t)end - (uint64_t)*begin + 1; /* with the last instant */
}

int tv_html_tiles(struct tv_html *html, struct tv_scene *scene, size_t chart,
		  const struct tv_table *tasks, const struct tv_output_folder *folder,
		  struct tv_error *err)
{
	const struct tv_chart *of = &scene->chart[chart];
	struct tv_chart_row *row = scene->row + of->row;
	size_t first = row->first, n = row[of->nrows - 1].first + row[of->nrows - 1].n - first;
	struct writer w = { .item = scene->item + first,
			    .row = row,
			    .nrows = of->nrows,
			    .ntypes = of->ntypes,
			    .busy = tv_alloc(of->ntypes, sizeof *w.busy),
			    .folder = folder };
	uint64_t *count = tv_alloc(of->ntypes, sizeof *count), width;
	struct tv_json *json = &html->header;
	int64_t begin;
	int rc = 0;

	for (size_t c = 0; c < TV_COUNT(text_column); c++)
		w.column[c] = tv_table_find(tasks, text_column[c]);
	find_times(&w, n, &begin, &width, count);
	tv_json_open(json, "tiles", '{');
	tv_json_int(json, "chart", (int64_t)chart);
	tv_json_time(json, "begin", begin);
	tv_json_time(json, "width", (int64_t)width);
	tv_json_open(json, "count", '[');
	for (size_t t = 0; t < of->ntypes; t++)
		tv_json_int(json, NULL, (int64_t)count[t]);
	tv_json_close(json, ']');
	tv_json_open(json, "levels", '[');
	for (unsigned shift = 0;
	     rc == 0
	     && (shift == 0 || (size_t)TV_TILE_BANDS * TV_TILE_ROWS << (shift - 1) < of->nrows);
	     shift++)
		rc = add_level(&w, shift, begin, width, json, err);
	tv_json_close(json, ']');
	tv_json_close(json, '}');
	for (size_t r = 0; r < of->nrows; r++) {
		row[r].first = first;
		row[r].n = 0;
	}
	tv_output_abort(&w.text);
	tv_free(w.busy);
	tv_free(count);
	return rc;
}

/* ---- what they replace ---- */

static bool is_tile(const char *name)
{
	const char *number = name + strlen(TILE);

	return strncmp(name, TILE, strlen(TILE)) == 0
	    && strcmp(number + strspn(number, "0123456789"), ".js") == 0;
}

int tv_html_tiles_check(const char *path, struct tv_error *err)
{
	DIR *dir = opendir(path);
	const struct dirent *entry;
	char *other = NULL;
	bool index = false, tiles = false;
	int rc = 0;

	if (dir == NULL)
		return errno == ENOENT ? 0
				       : tv_fail_system(err, path, "cannot open the folder", errno);
	while ((entry = readdir(dir)) != NULL)
		if (strcmp(entry->d_name, "index.html") == 0)
			index = true;
		else if (is_tile(entry->d_name))
			tiles = true;
		else if (other == NULL && strcmp(entry->d_name, ".") != 0
			 && strcmp(entry->d_name, "..") != 0)
			other = tv_strdup(entry->d_name);
	closedir(dir);
	if (other == NULL && index && !tiles)
		other = tv_strdup("index.html");
	if (other != NULL)
		rc = tv_fail_usage(
			err,
			"--tiles '%s': the folder contains '%s', which is not of tiles, expected "
			"a new folder or one that --tiles has written",
			path, other);
	tv_free(other);
	return rc;
}
