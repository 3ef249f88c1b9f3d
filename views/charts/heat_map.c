/* SPDX-License-Identifier: GPL-3.0-or-later */
/* heat_map.c -- maps of cells: their places and how they are drawn. */
#include "views/charts/heat_map.h"

#include <math.h>

#include "trace/alloc.h"
#include "views/charts/value.h"

static const double wide = 46, pad = 2.5, gap = 1.5, between = 16, cell_min = 1,
		    names_max = 120; /* points */
static const double apart = 5;	     /* cells have lines between them from that size on */
static const uint32_t missing = 0xbdbdbd;
static const double line = TV_TEXT_SMALL * TV_TEXT_HEIGHT;

void tv_heat_cells(struct tv_heat *heat)
{
	size_t n = (size_t)heat->x.n * heat->y.n * heat->facet.n;

	heat->row = tv_alloc(n + 1, sizeof *heat->row);
	heat->tile = tv_alloc(heat->facet.n + 1, sizeof *heat->tile);
	for (size_t i = 0; i < n; i++)
		heat->row[i] = TV_NONE;
}

void tv_heat_words(struct tv_heat *heat, struct tv_text *text)
{
	char number[64];

	heat->names = tv_text_width(text, heat->y_title, TV_TEXT_SMALL, false);
	for (uint32_t i = 0; i < heat->y.n; i++)
		heat->names = fmax(heat->names,
				   tv_text_width(text, heat->y.name[i], TV_TEXT_SMALL, false));
	heat->names = fmin(heat->names, names_max);
	for (size_t i = 0; i < (size_t)heat->x.n * heat->y.n * heat->facet.n; i++)
		if (heat->row[i] != TV_NONE) {
			heat->number(heat, heat->row[i], number, sizeof number);
			heat->numbers = fmax(heat->numbers,
					     tv_text_width(text, number, TV_TEXT_SMALL, false));
		}
}

/* ---- places ---- */

/* Above the cells: the name of the map where there are several, the title and the names of columns. */
static double header(const struct tv_heat *heat)
{
	return (1 + (heat->x_title[0] != '\0') + (heat->ntiles > 1)) * (line + 2 * gap);
}

static bool has_numbers(const struct tv_heat *heat)
{
	return heat->numbers + 2 * gap <= heat->width && line <= heat->height;
}

static double tile_width(const struct tv_heat *heat)
{
	return heat->names + pad + heat->x.n * heat->width;
}

/* Cells for a width: with numbers if these have room, else squares of a map that is not too large. Of
 * several maps as many beside each other as fit. */
static void set_cells(struct tv_heat *heat, double width)
{
	heat->width = fmax(cell_min, fmin(heat->ntiles > 1 ? heat->numbers + 2 * gap + 4 : wide,
					  (width - heat->names - pad) / heat->x.n));
	heat->height = heat->high;
	if (!has_numbers(heat)) {
		heat->width = fmin(heat->width,
				   fmax(cell_min, heat->side / fmax(heat->x.n, heat->y.n)));
		heat->height = heat->width;
	}
	heat->ncolumns = (uint32_t)fmax(1, floor((width + between) / (tile_width(heat) + between)));
}

static uint32_t tile_rows(const struct tv_heat *heat)
{
	return (heat->ntiles + heat->ncolumns - 1) / heat->ncolumns;
}

/* Of the maps without their cells. */
static double overhead(const struct tv_heat *heat)
{
	return tile_rows(heat) * header(heat) + (tile_rows(heat) - 1) * between / 2;
}

void tv_heat_measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	struct tv_heat *heat = slot->state;
	double width = tv_slot_width(figure, slot);

	(void)height;
	slot->high = heat->largest;
	if (slot->common > heat->largest && heat->widen != NULL)
		heat->widen(heat, slot->common);
	set_cells(heat, width);
	slot->request.height = tv_strip_height(figure, heat->title, heat->key, heat->nkeys, width)
			     + overhead(heat) + tile_rows(heat) * heat->y.n * heat->height
			     + figure->scene->cell;
	slot->request.min = slot->request.height;
}

/* ---- drawing ---- */

/* Whether text on a color is white. */
static bool is_dark(uint32_t color)
{
	return 0.299 * (color >> 16) + 0.587 * (color >> 8 & 0xff) + 0.114 * (color & 0xff) < 140;
}

static void draw_cell(struct tv_scene *scene, const struct tv_heat *heat, uint32_t facet,
		      uint32_t i, uint32_t k, double x, double y)
{
	uint32_t row = heat->row[tv_heat_at(heat, facet, i, k)];
	uint32_t color;
	char number[64];

	if (row == TV_NONE && heat->empty)
		return;
	if (row == TV_NONE) {
		/* Gray diagonals, which no color of a value looks like. */
		tv_scene_pen(scene, "missing", heat->group);
		scene->pen.stroke = missing;
		tv_hatch_draw(scene, x, y, heat->width, heat->height, 3);
		return;
	}
	color = heat->color(heat, row);
	tv_scene_pen(scene, heat->class, heat->group);
	scene->pen.fill = color;
	scene->pen.row = row;
	scene->pen.apart = true;
	scene->pen.label = heat->label(heat, scene, facet, i, k);
	tv_scene_rect(scene, TV_PAGE, x, y, x + heat->width, y + heat->height);
	if (!has_numbers(heat))
		return;
	tv_scene_pen(scene, "number", heat->group);
	scene->pen.fill = is_dark(color) ? TV_WHITE : TV_INK;
	heat->number(heat, row, number, sizeof number);
	tv_scene_text(scene, x + heat->width / 2, y + heat->height / 2, TV_CENTER, TV_TEXT_SMALL,
		      false, number);
}

/* Of a line of cells, from the top. */
static uint32_t place_of(const struct tv_heat *heat, uint32_t k)
{
	return heat->up ? heat->y.n - 1 - k : k;
}

/* How many cells lie between two names: 1, 2, 5, 10, ... */
static uint32_t name_step(double room, double cell)
{
	uint32_t step = 1;

	for (uint32_t i = 0; step * cell < room; i++)
		step = step / (i % 3 == 1 ? 2 : 1) * (i % 3 == 1 ? 5 : 2);
	return step;
}

static void draw_name(struct tv_scene *scene, double x, double y, enum tv_align align,
		      const char *name, double width)
{
	char text[200];

	tv_scene_text(
		scene, x, y, align, TV_TEXT_SMALL, false,
		tv_text_fit(scene->text, name, TV_TEXT_SMALL, false, width, text, sizeof text));
}

/* Names of columns above the cells, of lines at their left; not all where they have no room. */
static void draw_names(struct tv_scene *scene, const struct tv_heat *heat, double x, double y)
{
	double middle = y - line / 2 - gap, widest = 0;
	uint32_t across, down = name_step(line, heat->height);

	for (uint32_t i = 0; i < heat->x.n; i++)
		widest = fmax(widest,
			      tv_text_width(scene->text, heat->x.name[i], TV_TEXT_SMALL, false));
	across = name_step(fmin(widest + 2 * gap, heat->x.n * heat->width), heat->width);
	tv_scene_pen(scene, heat->x_title[0] != '\0' ? "axis-title" : "corner", "names");
	scene->pen.fill = TV_DIM;
	if (heat->x_title[0] != '\0')
		tv_scene_text(scene, x, middle - line - 2 * gap, TV_LEFT, TV_TEXT_SMALL, false,
			      heat->x_title);
	draw_name(scene, x - pad, middle, TV_RIGHT, heat->y_title, heat->names);
	tv_scene_pen(scene, "name", "names");
	scene->pen.fill = TV_INK;
	for (uint32_t i = 0; i < heat->x.n; i += across)
		draw_name(scene, x + (i + 0.5) * heat->width, middle, TV_CENTER, heat->x.name[i],
			  fmax(12, across * heat->width - gap));
	for (uint32_t k = 0; k < heat->y.n; k += down)
		draw_name(scene, x - pad, y + (place_of(heat, k) + 0.5) * heat->height, TV_RIGHT,
			  heat->y.name[k], heat->names);
}

static void draw_lines(struct tv_scene *scene, const struct tv_heat *heat, double x, double y)
{
	double right = x + heat->x.n * heat->width, bottom = y + heat->y.n * heat->height;

	if (!heat->lines || fmin(heat->width, heat->height) < apart)
		return;
	tv_scene_pen(scene, "grid", "grid");
	scene->pen.stroke = TV_GRID;
	for (uint32_t n = 1; n < heat->y.n; n++)
		tv_scene_line(scene, TV_PAGE, x, y + n * heat->height, right, y + n * heat->height);
	for (uint32_t n = 1; n < heat->x.n; n++)
		tv_scene_line(scene, TV_PAGE, x + n * heat->width, y, x + n * heat->width, bottom);
}

static void draw_map(struct tv_scene *scene, const struct tv_heat *heat, uint32_t facet, double x,
		     double y)
{
	char text[200];

	for (uint32_t k = 0; k < heat->y.n; k++)
		for (uint32_t i = 0; i < heat->x.n; i++)
			draw_cell(scene, heat, facet, i, k, x + i * heat->width,
				  y + place_of(heat, k) * heat->height);
	draw_lines(scene, heat, x, y);
	tv_border_draw(scene, &(struct tv_place){ .x = x,
						  .y = y,
						  .width = heat->x.n * heat->width,
						  .height = heat->y.n * heat->height });
	/* What lacks a category is no category: means. */
	if (heat->x.lack != TV_NONE) {
		tv_scene_pen(scene, "means", heat->group);
		scene->pen.stroke = TV_INK;
		scene->pen.width = 0.8;
		tv_scene_line(scene, TV_PAGE, x + heat->x.lack * heat->width, y,
			      x + heat->x.lack * heat->width, y + heat->y.n * heat->height);
	}
	draw_names(scene, heat, x, y);
	if (heat->ntiles < 2)
		return;
	tv_scene_pen(scene, "facet", "names");
	scene->pen.fill = TV_INK;
	tv_scene_text(scene, x - heat->names - pad, y - header(heat) * 5 / 6, TV_LEFT,
		      TV_TEXT_SMALL, true,
		      tv_text_fit(scene->text, heat->facet.name[facet], TV_TEXT_SMALL, true,
				  tile_width(heat), text, sizeof text));
}

void tv_heat_layout(struct tv_figure *figure, struct tv_slot *slot)
{
	struct tv_heat *heat = slot->state;
	const struct tv_place *place = &slot->place;
	double strip = tv_strip_height(figure, heat->title, heat->key, heat->nkeys, place->width);

	set_cells(heat, place->width);
	heat->height = fmin(heat->height, (place->height - strip - overhead(heat))
						  / (tile_rows(heat) * heat->y.n));
	tv_strip_draw(figure, heat->title, heat->key, heat->nkeys, place->x, place->y + strip,
		      place->width);
	if (!(heat->height > 0) || !(heat->width > 0))
		return;
	for (uint32_t t = 0; t < heat->ntiles; t++)
		draw_map(figure->scene, heat, heat->tile[t],
			 place->x + heat->names + pad
				 + t % heat->ncolumns * (tile_width(heat) + between),
			 place->y + strip + header(heat)
				 + t / heat->ncolumns
					   * (header(heat) + heat->y.n * heat->height
					      + between / 2));
}

void tv_heat_release(struct tv_slot *slot)
{
	struct tv_heat *heat = slot->state;

	tv_categories_release(&heat->x);
	tv_categories_release(&heat->y);
	tv_categories_release(&heat->facet);
	tv_free(heat->tile);
	tv_free(heat->row);
	tv_free(heat);
}
