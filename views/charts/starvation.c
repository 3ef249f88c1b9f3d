/* SPDX-License-Identifier: GPL-3.0-or-later */
/* starvation.c -- a result of the pass lack as an image of one row. */
#include "views/charts/starvation.h"

#include "trace/alloc.h"
#include "views/scene/ramp.h"

uint32_t tv_starvation_color(double share, bool pale)
{
	uint32_t color = tv_ramp_color(TV_RAMP_LACK, share);

	return pale ? tv_color_fade(color) : color;
}

struct tv_pieces tv_starvation_pieces(const struct tv_table *lack, const char *name)
{
	return (struct tv_pieces){ tv_table_find(lack, "Start")->i, tv_table_find(lack, "End")->i,
				   tv_table_find(lack, name)->d, lack->nrows };
}

double tv_starvation_workers(const struct tv_table *lack)
{
	return (double)tv_table_find(lack, "Workers")->i[0];
}

void tv_starvation_draw(struct tv_figure *figure, unsigned frame, const struct tv_table *table,
			bool pale)
{
	const struct tv_pieces pieces[] = { tv_starvation_pieces(table, "Lack"),
					    tv_starvation_pieces(table, "Drain") };
	struct tv_scene *scene = figure->scene;
	struct tv_extent *lack, *drain;
	struct tv_image image;
	struct tv_bins bins;

	tv_bins_even(&bins, figure);
	image = (struct tv_image){ bins.n, 1, tv_alloc(bins.n, sizeof *image.pixel) };
	lack = tv_pieces_bin(&pieces[0], &bins);
	drain = tv_pieces_bin(&pieces[1], &bins);
	for (uint32_t i = 0; i < bins.n; i++)
		image.pixel[i] = lack[i].mean > 0 ? tv_starvation_color(
					 lack[i].mean / tv_starvation_workers(table), pale)
			       : drain[i].mean > 0 && !pale ? TV_PALE
							    : TV_WHITE;
	tv_free(bins.edge);
	tv_free(lack);
	tv_free(drain);
	tv_scene_pen(scene, "lack", "lack");
	tv_scene_image(scene, frame, 0, 0, scene->frame[frame].duration, 1, image);
}
