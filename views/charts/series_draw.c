/* SPDX-License-Identifier: GPL-3.0-or-later */
/* series_draw.c -- step functions drawn: as lines, areas on top of each other, shades. */
#include <math.h>

#include "trace/alloc.h"
#include "views/charts/series.h"

/* A path being drawn, in the coordinates of a frame. */
struct path {
	struct tv_point *point;
	size_t n, cap;
};

static void add_point(struct path *path, double x, double y)
{
	if (path->n >= 2 && path->point[path->n - 1].y == y && path->point[path->n - 2].y == y) {
		path->point[path->n - 1].x = x;
		return;
	}
	TV_GROW(path->point, path->n, path->cap, 1);
	path->point[path->n++] = (struct tv_point){ x, y };
}

/* The steps of values[i] over bins [from, to), forwards or backwards. */
static void add_steps(struct path *path, const struct tv_scene *scene, unsigned frame,
		      const struct tv_value_scale *scale, const struct tv_bins *bins,
		      const double *value, uint32_t from, uint32_t to, bool back)
{
	const struct tv_frame *f = &scene->frame[frame];

	for (uint32_t k = 0; k < to - from; k++) {
		uint32_t i = back ? to - 1 - k : from + k;
		double y = fmax(0, tv_value_at(scale, value[i])); /* see tv_cuts_draw */
		double x0 = tv_frame_time(f, bins->edge[i]),
		       x1 = tv_frame_time(f, bins->edge[i + 1]);

		add_point(path, back ? x1 : x0, y);
		add_point(path, back ? x0 : x1, y);
	}
}

/* A run of bins in which there is anything: [*from, *to), at or after *to. */
static bool next_run(const struct tv_extent *extent, uint32_t n, uint32_t *from, uint32_t *to)
{
	for (*from = *to; *from < n && isnan(extent[*from].mean); ++*from)
		;
	for (*to = *from; *to < n && !isnan(extent[*to].mean); ++*to)
		;
	return *from < n;
}

static void draw_run(struct tv_scene *scene, unsigned frame, const struct tv_value_scale *scale,
		     const struct tv_bins *bins, double *const value[3], uint32_t from, uint32_t to,
		     uint32_t color, enum tv_dash dash)
{
	struct path path = { 0 };
	bool band = false;

	for (uint32_t i = from; i < to; i++)
		band = band || value[0][i] < value[2][i];
	if (band) {
		add_steps(&path, scene, frame, scale, bins, value[2], from, to, false);
		add_steps(&path, scene, frame, scale, bins, value[0], from, to, true);
		tv_scene_pen(scene, "band", "curves");
		scene->pen.fill = tv_color_fade(tv_color_fade(color));
		tv_scene_path(scene, frame, TV_SHAPE_POLYGON, path.point, path.n);
		path.n = 0;
	}
	add_steps(&path, scene, frame, scale, bins, value[1], from, to, false);
	tv_scene_pen(scene, "curve", "curves");
	scene->pen.stroke = color;
	scene->pen.width = 0.7;
	scene->pen.dash = dash;
	tv_scene_path(scene, frame, TV_SHAPE_POLYLINE, path.point, path.n);
	tv_free(path.point);
}

void tv_curve_draw(struct tv_figure *figure, unsigned frame, const struct tv_value_scale *scale,
		   const struct tv_pieces *pieces, uint32_t color, enum tv_dash dash)
{
	struct tv_extent *extent;
	double *value[3];
	struct tv_bins bins;

	tv_bins_init(&bins, figure, pieces, 1);
	extent = tv_pieces_bin(pieces, &bins);
	for (int i = 0; i < 3; i++)
		value[i] = tv_alloc(bins.n, sizeof *value[i]);
	for (uint32_t i = 0; i < bins.n; i++) {
		value[0][i] = extent[i].min;
		value[1][i] = extent[i].mean;
		value[2][i] = extent[i].max;
	}
	for (uint32_t from, to = 0; next_run(extent, bins.n, &from, &to);)
		draw_run(figure->scene, frame, scale, &bins, value, from, to, color, dash);
	for (int i = 0; i < 3; i++)
		tv_free(value[i]);
	tv_free(extent);
	tv_free(bins.edge);
}

/* A small triangle that points out of the data area. */
static void draw_cut(struct tv_scene *scene, const struct tv_place *place, double x, uint32_t color)
{
	struct tv_point point[3] = { { x - 2, place->y + 3.4 },
				     { x, place->y + 0.4 },
				     { x + 2, place->y + 3.4 } };

	tv_scene_pen(scene, "cut", "curves");
	scene->pen.fill = color;
	tv_scene_path(scene, TV_PAGE, TV_SHAPE_POLYGON, point, TV_COUNT(point));
}

/* The value beside its mark, on the side where it fits. */
static void draw_cut_value(struct tv_scene *scene, const struct tv_place *place, double x,
			   double value)
{
	char text[48];
	double width;

	tv_number_text(text, sizeof text, value);
	width = tv_text_width(scene->text, text, TV_TEXT_SMALL, false) + 4;
	if (width > place->width)
		return;
	tv_scene_pen(scene, "cut-value", "curves");
	scene->pen.fill = TV_INK;
	x += x + width < place->x + place->width ? 4 : -width;
	tv_scene_text(scene, fmax(x, place->x + 1),
		      place->y + TV_TEXT_SMALL * TV_TEXT_HEIGHT / 2 + 1, TV_LEFT, TV_TEXT_SMALL,
		      false, text);
}

void tv_shades_draw(struct tv_figure *figure, unsigned frame, double y0, double y1,
		    const struct tv_pieces *pieces, const struct tv_bins *bins,
		    const struct tv_shade *shade)
{
	struct tv_scene *scene = figure->scene;
	struct tv_image image = { bins->n, 1, tv_alloc(bins->n, sizeof *image.pixel) };
	struct tv_extent *extent = tv_pieces_bin(pieces, bins);

	for (uint32_t i = 0; i < bins->n; i++)
		image.pixel[i] = shade->color(extent[i].mean, shade->data);
	tv_free(extent);
	tv_scene_image(scene, frame, 0, y0,
		       tv_frame_time(&scene->frame[frame], bins->edge[bins->n]), y1, image);
}

void tv_cuts_draw(struct tv_figure *figure, const struct tv_place *place,
		  const struct tv_value_scale *scale, const struct tv_pieces *pieces,
		  uint32_t color)
{
	static const double apart = 5; /* points */
	double max = scale->high * (1 + 1e-9), marked = -INFINITY, at = 0;
	struct tv_extent *extent;
	struct tv_bins bins;

	if (pieces->packed != NULL && tv_packed_max(figure, pieces) <= max)
		return;
	tv_bins_even(&bins, figure);
	extent = tv_pieces_bin(pieces, &bins);
	for (uint32_t i = 0; i < bins.n; i++) {
		double x = tv_axis_at(&figure->axis, bins.edge[i] / 2 + bins.edge[i + 1] / 2);

		if (isnan(extent[i].mean) || extent[i].max <= scale->high * (1 + 1e-9))
			continue;
		if (x - marked >= apart) {
			draw_cut(figure->scene, place, x, color);
			marked = x;
		}
		if (extent[i].max > max) {
			max = extent[i].max;
			at = x;
		}
	}
	if (!isinf(marked))
		draw_cut_value(figure->scene, place, at, max);
	tv_free(extent);
	tv_free(bins.edge);
}

void tv_band_draw(struct tv_figure *figure, unsigned frame, const struct tv_value_scale *scale,
		  const struct tv_pieces *low, const struct tv_pieces *high, uint32_t color)
{
	struct tv_scene *scene = figure->scene;
	struct tv_extent *min, *max;
	struct path path = { 0 };
	double *value[2];
	struct tv_bins bins;

	tv_bins_init(&bins, figure, (const struct tv_pieces[]){ *low, *high }, 2);
	min = tv_pieces_bin(low, &bins);
	max = tv_pieces_bin(high, &bins);
	for (int i = 0; i < 2; i++)
		value[i] = tv_alloc(bins.n, sizeof *value[i]);
	for (uint32_t i = 0; i < bins.n; i++) {
		value[0][i] = min[i].min;
		value[1][i] = max[i].max;
	}
	tv_scene_pen(scene, "spread", "curves");
	scene->pen.fill = color;
	for (uint32_t from, to = 0; next_run(min, bins.n, &from, &to);) {
		path.n = 0;
		add_steps(&path, scene, frame, scale, &bins, value[1], from, to, false);
		add_steps(&path, scene, frame, scale, &bins, value[0], from, to, true);
		tv_scene_path(scene, frame, TV_SHAPE_POLYGON, path.point, path.n);
	}
	tv_free(path.point);
	for (int i = 0; i < 2; i++)
		tv_free(value[i]);
	tv_free(min);
	tv_free(max);
	tv_free(bins.edge);
}

/* Where upper[] is over lower[]: the area from 0 up to it. Drawn from the top layer to the bottom
 * one, each covers what the next ones need, so that no background shines through between them. */
static void draw_layer(struct tv_scene *scene, unsigned frame, const struct tv_value_scale *scale,
		       const struct tv_bins *bins, const double *lower, const double *upper,
		       const double *zero, const struct tv_key *key)
{
	struct path path = { 0 };

	tv_scene_pen(scene, "layer", "layers");
	scene->pen.fill = key->color;
	scene->pen.label = scene->labels ? tv_scene_string(scene, key->text) : 0;
	for (uint32_t from = 0, to; from < bins->n; from = to + 1) {
		for (to = from; to < bins->n && upper[to] > lower[to]; to++)
			;
		if (to == from)
			continue;
		path.n = 0;
		add_steps(&path, scene, frame, scale, bins, upper, from, to, false);
		add_steps(&path, scene, frame, scale, bins, zero, from, to, true);
		tv_scene_path(scene, frame, TV_SHAPE_POLYGON, path.point, path.n);
	}
	tv_free(path.point);
}

/* Sums: [k * bins + i] of the curves before k, [n * bins ...] of all. The caller frees them and
 * bins->edge. */
static double *stack_up(const struct tv_figure *figure, const struct tv_pieces *pieces, size_t n,
			struct tv_bins *bins)
{
	double *top;

	tv_bins_init(bins, figure, pieces, n);
	top = tv_alloc((n + 1) * bins->n, sizeof *top);
	for (size_t k = 0; k < n; k++) {
		struct tv_extent *extent = tv_pieces_bin(&pieces[k], bins);

		for (uint32_t i = 0; i < bins->n; i++)
			top[(k + 1) * bins->n + i] = top[k * bins->n + i]
						   + (isnan(extent[i].mean) ? 0 : extent[i].mean);
		tv_free(extent);
	}
	return top;
}

double tv_stack_high(const struct tv_figure *figure, const struct tv_pieces *pieces, size_t n)
{
	struct tv_bins bins;
	double *top = stack_up(figure, pieces, n, &bins), high = 0;

	for (uint32_t i = 0; i < bins.n; i++)
		high = fmax(high, top[n * bins.n + i]);
	tv_free(top);
	tv_free(bins.edge);
	return high;
}

void tv_stack_draw(struct tv_figure *figure, unsigned frame, const struct tv_value_scale *scale,
		   const struct tv_pieces *pieces, const struct tv_key *key, size_t n)
{
	struct tv_bins bins;
	double *top = stack_up(figure, pieces, n, &bins);

	for (size_t k = n; k-- > 0;)
		draw_layer(figure->scene, frame, scale, &bins, top + k * bins.n,
			   top + (k + 1) * bins.n, top, &key[k]);
	tv_free(top);
	tv_free(bins.edge);
}
