/* SPDX-License-Identifier: GPL-3.0-or-later */
/* names.c -- names left of the rows, idleness right of them; brackets where rows are low. */
#include <math.h>
#include <stdio.h>

#include "trace/text.h"
#include "views/rows/chart.h"

/* Names are cut at a share of the page, but not below a width: three devices would have one name. */
static const double pad = 3, tick = 2, name_share = 0.18, name_min = 36, bracket_share = 0.14,
		    bracket_min = 26;

static uint32_t places(const struct tv_band *band)
{
	return band->places > 0 ? band->places : band->n;
}

/* Size of text that fits every row of a band; 0 if none does. */
static double text_size(const struct tv_band *band)
{
	double slot = (band->y1 - band->y0) / places(band);

	return slot >= TV_TEXT_SIZE * TV_TEXT_HEIGHT  ? TV_TEXT_SIZE
	     : slot >= TV_TEXT_SMALL * TV_TEXT_HEIGHT ? TV_TEXT_SMALL
						      : 0;
}

/* Middle of row i of a band: rows are cut at whole cells, names are at equal distances, or one
 * would touch the next. */
static double middle_of(const struct tv_rows *rows, const struct tv_band *band, uint32_t i)
{
	const struct tv_row *first = &rows->row[band->first];
	uint32_t at = band->places > 0 ? first[i].place : i;

	return band->y0 + (band->y1 - band->y0) / places(band) * (at + 0.5)
	     - (first->bottom - first->y1) / 2;
}

bool tv_rows_thinned(const struct tv_rows *rows)
{
	for (uint32_t b = 0; b < rows->nbands; b++)
		if (text_size(&rows->band[b]) == 0)
			return true;
	return false;
}

/* Whether a bracket names number and type of a band's rows. */
static bool has_bracket(const struct tv_rows *rows, const struct tv_band *band)
{
	return rows->names == TV_NAMES_TYPES
	    || (rows->names == TV_NAMES_AUTO && text_size(band) == 0
		&& rows->collapse != TV_COLLAPSE_NODE && !tv_rows_label_nodes(rows));
}

/* "25 CPU"; with several nodes the node too, its name alone if that is clear. */
static const char *band_name(const struct tv_figure *figure, const struct tv_rows *rows,
			     const struct tv_band *band, uint32_t n, char *out, size_t capacity)
{
	char type[100], node[100], text[256];

	tv_clean_text(type, sizeof type, tv_pool_text(rows->pool, band->rtype));
	tv_clean_text(node, sizeof node, tv_pool_text(rows->pool, band->node));
	if (rows->nnodes > 1 && node[0] != '\0' && rows->head == 0)
		snprintf(text, sizeof text, "%s: %u %s", node, n, type);
	else
		snprintf(text, sizeof text, "%u %s", n, type);
	return tv_text_fit(figure->scene->text, text, TV_TEXT_SMALL, false,
			   fmax(bracket_share * figure->scene->width, bracket_min), out, capacity);
}

static const char *row_name(const struct tv_figure *figure, const struct tv_rows *rows,
			    uint32_t row, double size, char *out, size_t capacity)
{
	const struct tv_row *this = &rows->row[row];
	char clean[256], folded[256] = "";

	if (this->workers > 0)
		return band_name(figure, rows, &rows->band[this->band], this->workers, out,
				 capacity);
	if (rows->fold && this->folded > 0)
		snprintf(folded, sizeof folded, "%u %.200s, idle", this->folded,
			 tv_pool_text(rows->pool, rows->band[this->band].rtype));
	tv_clean_text(clean, sizeof clean,
		      folded[0] != '\0' ? folded : tv_pool_text(rows->pool, this->resource));
	return tv_text_fit(figure->scene->text, clean, size, false,
			   fmax(name_share * figure->scene->width, name_min), out, capacity);
}

/* The row of a band that is named after row i, or the first; n when there is none. */
static uint32_t next_named(const struct tv_rows *rows, uint32_t n, uint32_t i, uint32_t step)
{
	bool first = i == TV_NONE;

	if (rows->collapse != TV_COLLAPSE_NONE
	    || (tv_rows_label_nodes(rows) && tv_rows_thinned(rows)))
		return n;
	switch (rows->names) {
	case TV_NAMES_AUTO:
	case TV_NAMES_ALL:
		return first ? 0 : i + step;
	case TV_NAMES_FIRST:
		return first ? 0 : n;
	case TV_NAMES_FIRST_LAST:
		return first ? 0 : i + 1 < n ? n - 1 : n;
	case TV_NAMES_NONE:
	case TV_NAMES_TYPES:
		break;
	}
	return n;
}

/* The height of a band gives room for some names, but rows are brief. */
static bool is_brief(const struct tv_rows *rows, const struct tv_band *band)
{
	return rows->brief && rows->names == TV_NAMES_AUTO && text_size(band) == 0;
}

/* Widest name of the rows that tv_chart_names may show. */
static double widest_name(const struct tv_figure *figure, const struct tv_rows *rows)
{
	double widest = 0;
	char name[256];

	for (uint32_t b = 0; b < rows->nbands; b++) {
		const struct tv_band *band = &rows->band[b];

		if (is_brief(rows, band))
			continue;
		for (uint32_t i = next_named(rows, band->n, TV_NONE, 1); i < band->n;
		     i = next_named(rows, band->n, i, 1)) {
			row_name(figure, rows, band->first + i, TV_TEXT_SIZE, name, sizeof name);
			widest = fmax(widest, tv_text_width(figure->scene->text, name, TV_TEXT_SIZE,
							    false));
		}
	}
	return widest;
}

double tv_chart_names_width(const struct tv_figure *figure, const struct tv_rows *rows)
{
	double widest = 0;
	bool brackets = false;
	char name[256];

	if (figure->bare)
		return 0;
	for (uint32_t b = 0; b < rows->nbands; b++) {
		const struct tv_band *band = &rows->band[b];

		if (!has_bracket(rows, band))
			continue;
		brackets = true;
		band_name(figure, rows, band, band->n, name, sizeof name);
		widest = fmax(widest,
			      tv_text_width(figure->scene->text, name, TV_TEXT_SMALL, false));
	}
	if (brackets)
		widest += 2 * pad + tick;
	/* Of brief rows a band has names or a bracket. */
	widest = pad
	       + (rows->brief ? fmax(widest_name(figure, rows), widest)
			      : widest_name(figure, rows) + widest);
	if (tv_rows_label_nodes(rows))
		widest += tv_node_labels_width(figure, rows) + 2 * pad;
	return widest + (tv_rows_accented(rows) ? TV_ACCENT_ROOM : 0);
}

/* Every how many rows a name finds capacity: 1, 2, 5, 10, ... */
static uint32_t name_step(double slot)
{
	uint32_t step = 1;

	for (int i = 0; step * slot < 1.15 * TV_TEXT_SMALL * TV_TEXT_HEIGHT && i < 24; i++)
		step = i % 3 == 1 ? step / 2 * 5 : step * 2;
	return step;
}

static void draw_bracket(struct tv_scene *scene, double x, double y0, double y1, double side)
{
	struct tv_point point[4] = { { x + side, y0 }, { x, y0 }, { x, y1 }, { x + side, y1 } };

	tv_scene_pen(scene, "bracket", "names");
	scene->pen.stroke = TV_DIM;
	tv_scene_path(scene, TV_PAGE, TV_SHAPE_POLYLINE, point, 4);
}

/* Text at a height, unless that would touch the text above it, which ends at *taken. */
static void draw_text(struct tv_scene *scene, double x, double y, double size, const char *text,
		      double *taken)
{
	double half = size * TV_TEXT_HEIGHT / 2;

	if (y - half < *taken - 1e-6)
		return;
	scene->pen.fill = TV_INK;
	tv_scene_text(scene, x, y, TV_RIGHT, size, false, text);
	*taken = y + half;
}

void tv_chart_names(struct tv_figure *figure, const struct tv_rows *rows, double y)
{
	struct tv_scene *scene = figure->scene;
	double right = figure->axis.stub_x - pad - (tv_rows_accented(rows) ? TV_ACCENT_ROOM : 0);
	double taken = -INFINITY, brackets = -INFINITY;
	double bracket_x = right - (rows->brief ? 0 : widest_name(figure, rows) + pad) - tick;
	char name[256];

	if (!figure->bare && tv_rows_label_nodes(rows))
		tv_node_labels(figure, rows, bracket_x + tick - pad, y);

	for (uint32_t b = 0; b < rows->nbands && !figure->bare; b++) {
		const struct tv_band *band = &rows->band[b];
		double size = text_size(band), slot = (band->y1 - band->y0) / places(band);
		uint32_t step = size > 0 ? 1 : name_step(slot);

		tv_scene_pen(scene, "name", "names");
		for (uint32_t i = is_brief(rows, band) ? band->n
						       : next_named(rows, band->n, TV_NONE, step);
		     i < band->n; i = next_named(rows, band->n, i, step)) {
			const struct tv_row *row = &rows->row[band->first + i];
			double middle = size > 0 ? middle_of(rows, band, i) : row->y0 + slot / 2;

			if (tv_row_hidden(rows, row))
				continue;
			row_name(figure, rows, band->first + i, size > 0 ? size : TV_TEXT_SMALL,
				 name, sizeof name);
			draw_text(scene, right, y + middle, size > 0 ? size : TV_TEXT_SMALL, name,
				  &taken);
		}
		if (!has_bracket(rows, band))
			continue;
		draw_bracket(scene, bracket_x, y + band->y0, y + band->y1, tick);
		tv_scene_pen(scene, "name", "names");
		band_name(figure, rows, band, band->n, name, sizeof name);
		draw_text(scene, bracket_x - pad, y + (band->y0 + band->y1) / 2, TV_TEXT_SMALL,
			  name, &brackets);
	}
}

double tv_chart_idleness_width(const struct tv_figure *figure, const struct tv_rows *rows)
{
	if (rows->idle_title == NULL)
		return 0;
	return tv_text_width(figure->scene->text, rows->idle_title, TV_TEXT_SIZE, false) + pad
	     + (tv_rows_thinned(rows) ? 2 : 1) * tick;
}

void tv_chart_idleness(struct tv_figure *figure, const struct tv_rows *rows, double y)
{
	struct tv_scene *scene = figure->scene;
	double edge = figure->axis.x + figure->axis.width, taken = -INFINITY;
	double right = edge + tv_chart_idleness_width(figure, rows);
	char text[32];

	if (rows->idle_title == NULL)
		return;
	tv_scene_pen(scene, "idleness", "idleness");
	draw_text(scene, right, y - TV_STRIP_TEXT, TV_TEXT_SIZE, rows->idle_title, &taken);
	taken = -INFINITY;
	if (tv_rows_thinned(rows)
	    && (tv_rows_label_nodes(rows) || rows->collapse == TV_COLLAPSE_NODE)) {
		tv_node_idleness(figure, rows, right, y);
		return;
	}
	for (uint32_t b = 0; b < rows->nbands; b++) {
		const struct tv_band *band = &rows->band[b];
		double size = text_size(band);

		tv_scene_pen(scene, "idleness", "idleness");
		for (uint32_t i = 0; size > 0 && i < band->n; i++) {
			const struct tv_row *row = &rows->row[band->first + i];

			if (tv_row_hidden(rows, row))
				continue;
			snprintf(text, sizeof text, "%.1f", row->idle);
			if (!isnan(row->idle))
				draw_text(scene, right, y + middle_of(rows, band, i), size, text,
					  &taken);
		}
		if (size > 0 || isnan(band->idle))
			continue;
		draw_bracket(scene, edge + pad + tick, y + band->y0, y + band->y1, -tick);
		tv_scene_pen(scene, "idleness", "idleness");
		snprintf(text, sizeof text, "%.1f", band->idle);
		draw_text(scene, right, y + (band->y0 + band->y1) / 2, TV_TEXT_SMALL, text, &taken);
	}
}
