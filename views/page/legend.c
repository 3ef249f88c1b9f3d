/* SPDX-License-Identifier: GPL-3.0-or-later */
/* legend.c -- task types and highlights, below the header. */
#include "views/page/header.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "views/annotate/annotations.h"
#include "views/charts/strip.h"

/* An entry of the legend: a swatch of one color, or of two, a name and a number. */
struct entry {
	const char *name, *count;
	uint32_t color, outlier;
	bool outline; /* nothing but the outline of a task */
};

static void draw_entry(struct tv_scene *scene, const struct entry *entry, double *x, double *y)
{
	static const double side = 5.6, gap = 2.6, between = 10;
	double right = scene->width - TV_MARGIN, width;
	double max = fmax(0.4 * (right - TV_MARGIN), 60); /* of a name: two fit side by side */
	char name[160], text[200];

	tv_text_fit(scene->text, entry->name, TV_TEXT_SIZE, false, max, name, sizeof name);
	snprintf(text, sizeof text, "%s%s%s", name, entry->count[0] != '\0' ? " " : "",
		 entry->count);
	width = side + gap + tv_text_width(scene->text, text, TV_TEXT_SIZE, false);
	if (*x > TV_MARGIN && *x + width > right) {
		*x = TV_MARGIN;
		*y += TV_LINE_HEIGHT;
	}
	tv_scene_pen(scene, "swatch", "legend");
	if (entry->outline) {
		scene->pen.stroke = entry->color;
		scene->pen.width = TV_HIGHLIGHT_WIDTH;
		tv_scene_rect(scene, TV_PAGE, *x, *y - side / 2, *x + side, *y + side / 2);
	} else {
		tv_swatch_draw(scene, *x, *y, side, entry->color, entry->outlier);
	}
	tv_scene_pen(scene, "legend-text", "legend");
	scene->pen.fill = TV_INK;
	*x += side + gap;
	*x += tv_scene_text(scene, *x, *y, TV_LEFT, TV_TEXT_SIZE, false, text) + between;
}

double tv_legend_draw(struct tv_figure *figure, double y, bool types)
{
	const struct tv_rows *rows = figure->rows;
	double x = TV_MARGIN, top = y;
	char count[40];

	y += TV_LINE_HEIGHT / 2;
	for (uint32_t i = 0; types && i < rows->ntypes; i++) {
		const struct tv_type_style *type = &rows->type[i];
		struct entry entry = { type->name, count, type->faded, type->color, false };
		size_t n = strlen(type->name);
		/* Behind "file.c:41" a bare number would be misread. */
		bool apart = i >= rows->nshown
			  || (n > 0 && strchr("0123456789", type->name[n - 1]));

		snprintf(count, sizeof count, apart ? "(%.0f)" : "%.0f", type->count);
		if (figure->facet != NULL)
			count[0] = '\0';
		draw_entry(figure->scene, &entry, &x, &y);
	}
	if (types && rows->noutliers > 0) {
		struct entry entry = { "dark = outlier", count, tv_color_fade(TV_GRAY), 0x5a5a5a,
				       false };

		snprintf(count, sizeof count, "(%.0f)", rows->noutliers);
		if (figure->facet != NULL)
			count[0] = '\0';
		draw_entry(figure->scene, &entry, &x, &y);
	}
	for (size_t i = 0; i < figure->notes->nhighlights; i++) {
		const struct tv_highlight *highlight = &figure->notes->highlight[i];
		uint32_t color = tv_highlight_color(i);
		struct entry entry = { highlight->text, count, color, color, true };

		snprintf(count, sizeof count, "(%.0f)", highlight->count);
		if (figure->facet != NULL)
			count[0] = '\0';
		draw_entry(figure->scene, &entry, &x, &y);
	}
	return x > TV_MARGIN ? y + TV_LINE_HEIGHT / 2 : top;
}
