/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_exact.c -- exact scenes: all items of a chart, from which come the shares that images show. */
#include "tests/unit/drawn.h"
#include "tests/unit/unit.h"

#include "views/scene/palette.h"

enum { WORKERS = 60, TASKS = 700, TYPES_MAX = 20 };

static void many_tasks(struct sample *s)
{
	static const char *const type[] = { "potrf", "trsm", "syrk", "gemm" };
	uint64_t seed = 11;
	struct tasks t;

	tasks_begin(&t);
	for (unsigned w = 0; w < WORKERS; w++) {
		int64_t time = 0;
		char worker[16];

		snprintf(worker, sizeof worker, "CPU%u", w);
		for (unsigned i = 0; i < TASKS; i++) {
			int64_t length = 1 + (int64_t)(unit_random(&seed, 2000000));

			time += (int64_t)unit_random(&seed, 300000);
			tasks_add(&t, "0", worker, type[unit_random(&seed, 4)], "app", time,
				  time + length);
			time += length;
		}
	}
	tasks_sample(&t, s);
}

static const struct tv_chart_row *row_at(const struct tv_scene *scene, double y0, double y1)
{
	const struct tv_chart *chart = &scene->chart[0];

	for (size_t r = chart->row; r < chart->row + chart->nrows; r++)
		if (fabs(scene->row[r].y0 - y0) < 1e-9 && fabs(scene->row[r].y1 - y1) < 1e-9)
			return &scene->row[r];
	return NULL;
}

/* The color of [begin, end) of a row, from the definition of shares: the time of each type over all
 * time of the row's lanes; the rest is white. */
static uint32_t color_of(const struct tv_scene *scene, const struct tv_chart_row *row,
			 int64_t begin, int64_t end, const struct tv_blender *blender)
{
	const struct tv_chart *chart = &scene->chart[0];
	double weight[TYPES_MAX + 1] = { 0 }, all = (double)(end - begin) * row->lanes, rest = 1;
	uint32_t color[TYPES_MAX + 1];
	unsigned n = (unsigned)chart->ntypes;

	for (uint32_t i = 0; i < row->n; i++) {
		const struct tv_chart_item *item = &scene->item[row->first + i];
		int64_t from = item->begin > begin ? item->begin : begin;
		int64_t to = item->end < end ? item->end : end;

		if (to > from)
			weight[item->type] += (double)(to - from);
	}
	for (unsigned t = 0; t < n; t++) {
		color[t] = scene->type[chart->type + t].faded;
		weight[t] /= all;
		rest -= weight[t];
	}
	color[n] = TV_WHITE;
	weight[n] = rest;
	return tv_blend(blender, color, weight, n + 1);
}

/* Channels that differ by more than one step of 255. */
static bool differs(uint32_t a, uint32_t b)
{
	for (int k = 0; k < 24; k += 8)
		if (abs((int)(a >> k & 255) - (int)(b >> k & 255)) > 1)
			return true;
	return false;
}

static void test_shares(void **state)
{
	const double cell = 72.0 / 100;
	struct tv_text *text = figure_text();
	static const char *const panel[] = { "spacetime" };
	struct tv_plot_options options = { .panel = panel, .npanels = 1, .height_in = 2.4 };
	struct tv_scene pixels, exact;
	struct tv_blender blender;
	unsigned compared = 0, wrong = 0;
	struct sample s;

	(void)state;
	many_tasks(&s);
	tv_blender_init(&blender);
	figure_scene(&s, &options, text, cell, &pixels);
	options.exact = true;
	figure_scene(&s, &options, text, cell, &exact);
	assert_int_equal(exact.ncharts, 1);
	assert_int_equal(exact.nitems, WORKERS * TASKS);
	assert_int_equal(exact.nimages, 0);
	for (size_t i = 0; i < pixels.n; i++) {
		const struct tv_shape *shape = &pixels.shape[i];
		const struct tv_frame *frame = &pixels.frame[shape->frame];
		const struct tv_image *image;
		const struct tv_chart_row *row;
		uint32_t cells = (uint32_t)floor(frame->width / cell + 0.5), first;

		if (shape->kind != TV_SHAPE_IMAGE || !shape_is(&pixels, shape, "shares"))
			continue;
		image = &pixels.image[shape->first];
		row = row_at(&exact, shape->y0, shape->y1);
		assert_non_null(row);
		assert_int_equal(image->height, 1);
		first = (uint32_t)floor(shape->x0 / frame->duration * cells + 0.5);
		for (uint32_t x = 0; x < image->width; x++, compared++) {
			int64_t begin = frame->begin
				      + (int64_t)(frame->duration * (first + x) / cells),
				end = frame->begin
				    + (int64_t)(frame->duration * (first + x + 1) / cells);

			wrong += differs(image->pixel[x],
					 color_of(&exact, row, begin, end, &blender));
		}
	}
	assert_true(compared > 10000);
	assert_int_equal(wrong, 0);
	tv_scene_release(&exact);
	tv_scene_release(&pixels);
	tv_text_free(text);
	sample_release(&s);
}

/* Parts follow each other; frames belong to the part in which they were added. */
static void test_parts(void **state)
{
	static const char *const panel[] = { "spacetime", "concurrency" };
	struct tv_plot_options options = { .panel = panel, .npanels = 2, .exact = true };
	struct tv_text *text = figure_text();
	struct tv_scene scene;
	unsigned panels = 0;
	struct sample s;

	(void)state;
	many_tasks(&s);
	figure_scene(&s, &options, text, 0.12, &scene);
	for (size_t i = 0; i < scene.nparts; i++) {
		const struct tv_page_part *part = &scene.part[i];

		assert_true(part->first <= scene.n);
		assert_true(i == 0 || part->first >= part[-1].first);
		panels += strcmp(part->name, "spacetime") == 0
		       || strcmp(part->name, "concurrency") == 0;
		if (part->height > 0) {
			assert_true(part->y >= 0);
			assert_true(part->y + part->height <= scene.height + 1e-6);
		}
	}
	assert_int_equal(panels, 2);
	for (size_t i = TV_PAGE + 1; i < scene.nframes; i++)
		assert_string_equal(scene.part[scene.frame[i].part].name,
				    i == TV_PAGE + 1 ? "spacetime" : "concurrency");
	tv_scene_release(&scene);
	tv_text_free(text);
	sample_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shares),
		cmocka_unit_test(test_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
