/* SPDX-License-Identifier: GPL-3.0-or-later */
/* names.c -- names at the left of rows of one height. */
#include "views/charts/names.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/text.h"
#include "views/scene/palette.h"

static const double pad = 3, widest = 0.18; /* points; part of the page */

void tv_names_add(struct tv_names *names, const char *name)
{
	TV_GROW(names->name, names->n, names->cap, 1);
	names->name[names->n++] = tv_clean_format("%s", name);
}

void tv_names_release(struct tv_names *names)
{
	for (uint32_t i = 0; i < names->n; i++)
		tv_free(names->name[i]);
	tv_free(names->name);
}

static const char *fit(const struct tv_figure *figure, const char *name, char *out, size_t size)
{
	return tv_text_fit(figure->scene->text, name, TV_TEXT_SMALL, false,
			   widest * figure->scene->width, out, size);
}

double tv_names_width(const struct tv_figure *figure, const struct tv_names *names)
{
	double width = 0;
	char text[128];

	for (uint32_t i = 0; i < names->n && !figure->bare; i++)
		width = fmax(width,
			     pad
				     + tv_text_width(figure->scene->text,
						     fit(figure, names->name[i], text, sizeof text),
						     TV_TEXT_SMALL, false));
	return width;
}

static void draw(struct tv_figure *figure, const char *name, double y)
{
	char text[128];

	tv_scene_text(figure->scene, figure->axis.stub_x - pad, y, TV_RIGHT, TV_TEXT_SMALL, false,
		      fit(figure, name, text, sizeof text));
}

void tv_names_draw(struct tv_figure *figure, const struct tv_names *names, double y, double unit)
{
	uint32_t step = (uint32_t)fmax(1, ceil(1.1 * TV_TEXT_SMALL * TV_TEXT_HEIGHT / unit));

	tv_scene_pen(figure->scene, "name", "names");
	figure->scene->pen.fill = TV_INK;
	for (uint32_t i = 0; i < names->n && !figure->bare; i += step)
		draw(figure, names->name[i], y + (i + 0.5) * unit);
}

void tv_names_draw_bands(struct tv_figure *figure, const struct tv_names *names,
			 const struct tv_rows *rows, double y)
{
	double line = TV_TEXT_SMALL * TV_TEXT_HEIGHT, from = -INFINITY;

	tv_scene_pen(figure->scene, "name", "names");
	figure->scene->pen.fill = TV_INK;
	for (uint32_t b = 0; b < rows->nbands && !figure->bare; b++) {
		double middle = y + (rows->band[b].y0 + rows->band[b].y1) / 2;

		if (middle - line / 2 < from)
			continue;
		from = middle + line / 2;
		draw(figure, names->name[b], middle);
	}
}

void tv_memory_name(char *out, size_t size, const char *resource)
{
	static const char managers[] = "MEMMANAGER";
	const char *manager = strstr(resource, managers);
	char text[128];

	if (manager == NULL)
		snprintf(text, sizeof text, "%.100s", resource);
	else
		snprintf(text, sizeof text, "%.*smem%.20s",
			 (int)(manager - resource < 60 ? manager - resource : 60), resource,
			 manager + strlen(managers));
	tv_clean_text(out, size, text);
}
