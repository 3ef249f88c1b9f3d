/* SPDX-License-Identifier: GPL-3.0-or-later */
/* boxes.c -- the scene as CSV: one row per shape, its box on the page in points. */
#include <stdio.h>
#include <string.h>

#include "trace/csv.h"
#include "views/backends/backend.h"

static const char *const kinds[] = {
	[TV_SHAPE_RECT] = "rect", [TV_SHAPE_POLYLINE] = "polyline", [TV_SHAPE_POLYGON] = "polygon",
	[TV_SHAPE_TEXT] = "text", [TV_SHAPE_IMAGE] = "image",	    [TV_SHAPE_CHART] = "chart",
};

static void write_color(struct tv_output *out, uint32_t color)
{
	if (color == TV_NO_COLOR)
		tv_output_text(out, ",");
	else
		tv_output_format(out, ",#%06x", (unsigned)color);
}

static void write_string(struct tv_output *out, const struct tv_scene *scene, uint32_t id)
{
	const char *text = tv_pool_text(scene->strings, id);

	tv_output_text(out, ",");
	if (text[0] != '\0')
		tv_csv_field(out, text, strlen(text));
}

int tv_write_boxes(const struct tv_scene *scene, const struct tv_metadata *about,
		   struct tv_output *out, struct tv_error *err)
{
	(void)about;
	(void)err;
	tv_output_text(out,
		       "Shape,Frame,Class,Group,Label,Row,X,Y,Width,Height,Fill,Stroke,Text\n");
	for (size_t i = 0; i < scene->n; i++) {
		const struct tv_shape *shape = &scene->shape[i];
		double box[4];

		tv_shape_box(scene, shape, box);
		for (int k = 0; k < 4; k++)
			box[k] *= scene->scale;
		tv_output_format(out, "%s,%s", kinds[shape->kind], scene->frame[shape->frame].name);
		write_string(out, scene, shape->class);
		write_string(out, scene, shape->group);
		write_string(out, scene, shape->label);
		tv_output_text(out, ",");
		if (shape->row != TV_NONE)
			tv_output_format(out, "%u", (unsigned)shape->row);
		tv_output_format(out, ",%.4f,%.4f,%.4f,%.4f", box[0], box[1], box[2] - box[0],
				 box[3] - box[1]);
		write_color(out, shape->fill);
		write_color(out, shape->stroke);
		write_string(out, scene, shape->kind == TV_SHAPE_TEXT ? shape->first : 0);
		tv_output_text(out, "\n");
	}
	return 0;
}
