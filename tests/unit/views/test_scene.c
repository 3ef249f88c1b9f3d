/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_scene.c -- the scene of the space-time panel: places, text that never overlaps, exact
 * shares. */
#include "tests/unit/figure.h"

static const char *const st[] = { "spacetime" };

static const double pdf_cell = 72.0 / 600, png_cell = 72.0 / 200;

/* All combinations of widths, heights and media that a sample is drawn in. */
static void check_sample(struct sample *s, struct tv_text *text, const char *name)
{
	static const double width[] = { 7.16, 3.5, 12 }, height[] = { 0, 2.5 };

	for (size_t w = 0; w < TV_COUNT(width); w++)
		for (size_t h = 0; h < TV_COUNT(height); h++)
			for (int png = 0; png <= 1; png++) {
				struct tv_plot_options options = { .width_in = width[w],
								   .height_in = height[h],
								   .label = name };
				struct tv_scene scene;

				if (tv_plot_scene(&s->run, &options, text,
						  png ? png_cell : pdf_cell, false, &scene, &s->err)
				    < 0) {
					/* Only a height that leaves nothing for the rows is
					 * refused. */
					assert_true(height[h] > 0);
					assert_int_equal(s->err.status, TV_USAGE);
					continue;
				}
				check_scene(&scene, name);
				assert_true(scene.height
					    <= (height[h] > 0 ? height[h] : 9) * 72 + 1);
				tv_scene_release(&scene);
			}
}

static void fill_random(struct tasks *t, unsigned workers, unsigned tasks, unsigned types,
			const char *stem, uint64_t seed)
{
	int64_t at[4096] = { 0 };

	for (unsigned i = 0; i < tasks; i++) {
		unsigned w = (unsigned)unit_random(&seed, workers);
		int64_t length = 1 + (int64_t)unit_random(&seed, 20000000);
		char resource[32], type[200];

		snprintf(resource, sizeof resource, "%s%u", w % 7 == 0 ? "CUDA" : "CPU", w);
		snprintf(type, sizeof type, "%s_%u", stem, (unsigned)unit_random(&seed, types));
		tasks_add(t, "0", resource, type, "app", at[w], at[w] + length);
		at[w] += length + (int64_t)unit_random(&seed, 3000000);
	}
}

static void text_never_overlaps(void **state)
{
	static const char longer[] =
		"a_kernel_with_quite_a_long_name_that_nobody_would_want_to_read_in_a_legend";
	static const struct {
		unsigned workers, tasks, types;
		const char *stem, *name;
	} row[] = {
		{ 1, 1, 1, "gemm", "one task" },
		{ 1, 300, 3, "gemm", "one worker" },
		{ 12, 300, 4, "k", "twelve" },
		{ 40, 2000, 40, "k", "forty types" },
		{ 8, 200, 40, longer,
		  "a label that is itself so long that it must be cut somewhere in the middle "
		  "of the header line of this figure, wherever that may be, or else leave the "
		  "page" },
		{ 60, 500, 5, "k", "sixty workers" },
		{ 300, 3000, 5, "k", "300 workers" },
		{ 2500, 6000, 5, "k", "2500 workers" },
	};
	struct tv_text *text = figure_text();

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		struct tasks t;
		struct sample s;

		tasks_begin(&t);
		fill_random(&t, row[i].workers, row[i].tasks, row[i].types, row[i].stem, i + 1);
		tasks_sample(&t, &s);
		check_sample(&s, text, row[i].name);
		sample_release(&s);
	}
	tv_text_free(text);
}

static void nodes_and_setup_fit(void **state)
{
	struct tv_text *text = figure_text();

	(void)state;
	for (int nodes = 1; nodes <= 64; nodes *= 4) {
		struct tasks t;
		struct sample s;
		char node[16], name[64];

		tasks_begin(&t);
		for (int n = 0; n < nodes; n++)
			for (int w = 0; w < 6; w++) {
				snprintf(node, sizeof node, "%d", n);
				snprintf(name, sizeof name, "%s%d_%d", w < 2 ? "HIP" : "CPU", w, n);
				tasks_add(&t, node, name, "dplgsy", "setup", -900000000,
					  -100000000);
				tasks_add(&t, node, name, "dgemm", "app", w * 1000, 5000000 + n);
				tasks_add(&t, node, name, "_starpu_x", "runtime", 6000000, 7000000);
			}
		tasks_sample(&t, &s);
		check_sample(&s, text, "nodes");
		sample_release(&s);
	}
	tv_text_free(text);
}

/* Bounds that nearly coincide: two tasks on one worker leave makespan and ABE a hair apart. */
static void close_bounds_stand_apart(void **state)
{
	struct tv_text *text = figure_text();

	(void)state;
	for (int64_t gap = 0; gap < 200000000; gap = gap * 3 + 1) {
		struct tasks t;
		struct sample s;

		tasks_begin(&t);
		tasks_add(&t, "0", "CPU0", "gemm", "app", 0, 50000000);
		tasks_add(&t, "0", "CPU0", "gemm", "app", 50000000 + gap, 100000000 + gap);
		tasks_sample(&t, &s);
		check_sample(&s, text, "close");
		sample_release(&s);
	}
	tv_text_free(text);
}

/* Every task is a rectangle at its times, in the row of its worker, in the order GPUs, CPU0, CPU1,
 * ... */
static void tasks_lie_at_their_times(void **state)
{
	static const char *const order[] = { "CUDA0", "CPU0", "CPU2", "CPU10" };
	static const double top[] = { 0, 2, 3, 4 };
	struct tv_text *text = figure_text();
	struct tv_plot_options options = { .label = "x", .panel = st, .npanels = 1 };
	struct tv_scene scene;
	struct tasks t;
	struct sample s;
	uint64_t seed = unit_seed(7);
	unsigned found = 0;

	(void)state;
	tasks_begin(&t);
	for (int w = 3; w >= 0; w--)
		for (int64_t at = w == 1 ? 0 : 12345; at < 1000000000;) {
			int64_t length = 40000000 + (int64_t)unit_random(&seed, 60000000);

			tasks_add(&t, "0", order[w], "gemm", "app", at, at + length);
			at += length + (int64_t)unit_random(&seed, 9000000);
		}
	tasks_sample(&t, &s);
	figure_scene(&s, &options, text, png_cell, &scene);
	for (size_t i = 0; i < scene.n; i++) {
		const struct tv_shape *shape = &scene.shape[i];
		const struct tv_frame *frame = &scene.frame[shape->frame];
		const struct tv_tasks *tasks = &s.run.tasks;
		double box[4], scale, unit, want;
		int w;

		if (!shape_is(&scene, shape, "task") && !shape_is(&scene, shape, "outlier"))
			continue;
		found++;
		for (w = 0; strcmp(order[w],
				   tv_pool_text(tasks->pool,
						tasks->workers[tasks->worker[shape->row]].resource))
			    != 0;
		     w++)
			;
		tv_shape_box(&scene, shape, box);
		scale = frame->width / ((double)tasks->finish * 1.03);
		assert_true(fabs(box[0] - frame->x - (double)tasks->start[shape->row] * scale)
			    < png_cell / 2);
		assert_true(fabs(box[2] - frame->x - (double)tasks->end[shape->row] * scale)
			    < png_cell / 2);
		unit = frame->height / 5;
		want = frame->y + top[w] * unit;
		if (fabs(box[1] - want) > 3 || box[3] > want + (w == 0 ? 2 : 1) * unit + 3)
			fail_msg("%s at %g, expected %g", order[w], box[1], want);
	}
	assert_int_equal(found, s.run.tasks.n);
	tv_scene_release(&scene);
	sample_release(&s);
	tv_text_free(text);
}

/* What share of a pixel has a color, the rest being white, in linear light by its green channel.
 */
static double part_of(uint32_t pixel, uint32_t color)
{
	double light[3];
	uint32_t value[3] = { pixel >> 8 & 0xff, color >> 8 & 0xff, 0xff };

	for (int i = 0; i < 3; i++) {
		double c = value[i] / 255.0;

		light[i] = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
	}
	return (light[2] - light[0]) / (light[2] - light[1]);
}

/* Rectangles and pixels together hold the time of all tasks: nothing vanishes at any density or
 * height. */
static void no_time_is_lost(void **state)
{
	static const struct {
		unsigned workers, tasks;
		double height;
	} row[] = {
		{ 1, 100, 0 },	    { 1, 3000, 0 },    { 3, 30000, 0 },	  { 30, 60000, 0 },
		{ 30, 60000, 1.3 }, { 900, 30000, 0 }, { 900, 30000, 3 }, { 2000, 40000, 2.5 },
	};
	struct tv_text *text = figure_text();

	(void)state;
	for (size_t r = 0; r < TV_COUNT(row); r++) {
		struct tv_plot_options options = { .height_in = row[r].height,
						   .panel = st,
						   .npanels = 1 };
		struct tv_scene scene;
		struct tasks t;
		struct sample s;
		uint64_t seed = unit_seed(r + 1);
		double drawn = 0, total = 0, rows;

		tasks_begin(&t);
		for (unsigned w = 0; w < row[r].workers; w++)
			for (int64_t i = 0, at = 0; i < row[r].tasks / row[r].workers; i++) {
				char name[32];

				snprintf(name, sizeof name, "CPU%u", w);
				tasks_add(&t, "0", name, "potrf", "app", at, at + 1000000);
				total += 1000000;
				at += 1000000 + (int64_t)unit_random(&seed, 2000000);
			}
		tasks_sample(&t, &s);
		figure_scene(&s, &options, text, png_cell, &scene);
		for (size_t i = 0; i < scene.n; i++) {
			const struct tv_shape *shape = &scene.shape[i];
			const struct tv_image *image;
			bool merged;

			if (shape_is(&scene, shape, "task"))
				drawn += shape->x1 - shape->x0;
			if (shape->kind != TV_SHAPE_IMAGE)
				continue;
			image = &scene.image[shape->first];
			/* Rows lower than a cell are merged: the image is of all of them. */
			rows = row[r].workers;
			merged = scene.frame[shape->frame].height / rows < png_cell;
			for (uint32_t p = 0; p < image->width * image->height; p++)
				drawn += part_of(image->pixel[p], 0xef838c)
				       * (shape->x1 - shape->x0) / image->width / image->height
				       * (merged ? rows : 1);
		}
		if (fabs(drawn / total - 1) > 0.005)
			fail_msg("%u tasks on %u workers: %.4f of their time is drawn",
				 row[r].tasks, row[r].workers, drawn / total);
		tv_scene_release(&scene);
		sample_release(&s);
	}
	tv_text_free(text);
}

/* Overlapping tasks of one worker each keep a part of the row of their own. */
static void overlaps_stay_visible(void **state)
{
	struct tv_text *text = figure_text();
	struct tv_plot_options options = { .panel = st, .npanels = 1 };
	struct tv_scene scene;
	struct sample s;
	double box[3][4];
	unsigned n = 0;

	(void)state;
	sample_make(
		&s,
		"ResourceId,Value,Start,End,JobId\nCPU0,a,0,10,1\nCPU0,b,0,20,2\nCPU0,c,5,15,3\n");
	figure_scene(&s, &options, text, pdf_cell, &scene);
	for (size_t i = 0; i < scene.n; i++)
		if (shape_is(&scene, &scene.shape[i], "task")) {
			assert_true(n < 3);
			tv_shape_box(&scene, &scene.shape[i], box[n++]);
		}
	assert_int_equal(n, 3);
	for (unsigned a = 0; a < 3; a++)
		for (unsigned b = 0; b < a; b++)
			assert_true(box[a][1] >= box[b][3] - 1e-6 || box[b][1] >= box[a][3] - 1e-6);
	tv_scene_release(&scene);
	sample_release(&s);
	tv_text_free(text);
}

/* A selection hides tasks and changes neither axis nor numbers; a window clips. */
static void selection_and_window(void **state)
{
	static const uint32_t chosen[] = { 1 };
	struct tv_plot_options all = { .panel = st, .npanels = 1 },
			       one = { .shown = chosen, .nshown = 1, .panel = st, .npanels = 1 };
	struct tv_text *text = figure_text();
	struct tv_scene scene;
	struct sample s;
	double end = 0, box[4];
	unsigned n;

	(void)state;
	sample_make(
		&s,
		"ResourceId,Value,Start,End,JobId\nCPU0,a,0,10,1\nCPU0,b,10,20,2\nCPU1,c,5,15,3\n");
	for (int i = 0; i < 2; i++) {
		figure_scene(&s, i == 0 ? &all : &one, text, pdf_cell, &scene);
		n = 0;
		for (size_t k = 0; k < scene.n; k++)
			n += shape_is(&scene, &scene.shape[k], "task");
		assert_int_equal(n, i == 0 ? 3 : 1);
		if (i == 1)
			assert_true(scene.frame[1].duration == end);
		end = scene.frame[1].duration;
		tv_scene_release(&scene);
	}
	sample_release(&s);
	sample_make(
		&s,
		"ResourceId,Value,Start,End,JobId\nCPU0,a,0,10,1\nCPU0,b,10,20,2\nCPU1,c,5,15,3\n");
	s.run.window = (struct tv_window){ true, 11000000, 12000000 };
	figure_scene(&s, &all, text, pdf_cell, &scene);
	n = 0;
	for (size_t k = 0; k < scene.n; k++)
		if (shape_is(&scene, &scene.shape[k], "task")) {
			n++;
			tv_shape_box(&scene, &scene.shape[k], box);
			assert_true(fabs(box[0] - scene.frame[1].x) < 1e-6
				    && fabs(box[2] - box[0] - scene.frame[1].width) < 1e-6);
		}
	assert_int_equal(n, 2);
	check_scene(&scene, "window");
	tv_scene_release(&scene);
	sample_release(&s);
	tv_text_free(text);
}

/* A scale is a larger copy of the figure on a smaller page, its cells being the medium's. */
static void scale_enlarges_all_alike(void **state)
{
	struct tv_plot_options once = { .width_in = 6.5, .label = "x" },
			       twice = { .width_in = 13, .label = "x", .scale = 2 };
	struct tv_text *text = figure_text();
	struct tv_scene a, b;
	struct tasks t;
	struct sample s;

	(void)state;
	tasks_begin(&t);
	fill_random(&t, 12, 4000, 4, "k", 3);
	tasks_sample(&t, &s);
	figure_scene(&s, &once, text, png_cell / 2, &a);
	figure_scene(&s, &twice, text, png_cell, &b);
	assert_true(fabs(b.scale - 2) < 1e-12 && fabs(a.width - b.width) < 1e-9
		    && fabs(a.height - b.height) < 1e-9);
	assert_int_equal(a.n, b.n);
	for (size_t i = 0; i < a.n; i++) {
		double x[4], y[4];

		tv_shape_box(&a, &a.shape[i], x);
		tv_shape_box(&b, &b.shape[i], y);
		for (int k = 0; k < 4; k++)
			assert_true(fabs(x[k] - y[k]) < 1e-6);
	}
	check_scene(&b, "twice");
	tv_scene_release(&a);
	tv_scene_release(&b);
	sample_release(&s);
	tv_text_free(text);
}

/* The texts of a class from top to bottom. */
static void names_from_top(const struct tv_scene *scene, char *out, size_t size)
{
	out[0] = '\0';
	for (size_t i = 0; i < scene->n; i++) {
		size_t n = strlen(out);

		if (scene->shape[i].kind == TV_SHAPE_TEXT
		    && shape_is(scene, &scene->shape[i], "name"))
			snprintf(out + n, size - n, "%s ",
				 tv_pool_text(scene->strings, scene->shape[i].first));
	}
}

/* Memory nodes are 1, 0, 1, 0 of the CPUs; two workers share a device; CPU1 is busiest. */
static void rows_stand_as_asked(void **state)
{
	static const char *const list[] = { "CPU2", "no such", "CUDA1_0" };
	static const struct {
		enum tv_row_order order;
		unsigned splits; /* lines between domains, where each is in one piece */
		const char *rows, *want;
	} row[] = {
		{ TV_ORDER_TYPE, 1, NULL, "CUDA0_1 CUDA1_0 CUDA0_0 CUDA1_1 CPU0 CPU1 CPU2 CPU3 " },
		{ TV_ORDER_NUMA, 2, NULL, "CPU1 CPU3 CPU0 CPU2 CUDA0_0 CUDA0_1 CUDA1_0 CUDA1_1 " },
		{ TV_ORDER_DEVICE, 1, NULL,
		  "CUDA0_1 CUDA1_0 CUDA0_0 CUDA1_1 CPU0 CPU1 CPU2 CPU3 " },
		{ TV_ORDER_BUSY, 1, NULL, "CUDA1_1 CUDA0_0 CUDA0_1 CUDA1_0 CPU1 CPU0 CPU2 CPU3 " },
		{ TV_ORDER_NAME, 0, NULL, "CPU0 CPU1 CPU2 CPU3 CUDA0_0 CUDA0_1 CUDA1_0 CUDA1_1 " },
		{ TV_ORDER_LIST, 1, NULL, "CPU2 CUDA1_0 CUDA0_0 CUDA0_1 CUDA1_1 CPU0 CPU1 CPU3 " },
		{ TV_ORDER_BUSY, 1, "cuda*,CPU[0-1]",
		  "CUDA1_1 CUDA0_0 CUDA0_1 CUDA1_0 CPU1 CPU0 " },
	};
	struct tv_text *text = figure_text();
	struct tv_scene scene;
	struct sample s;
	char got[400];

	(void)state;
	sample_make(&s, "ResourceId,Value,Start,End,JobId,MemoryNode,Device\n"
			"CPU0,a,0,9,1,1,\nCPU1,a,0,20,2,0,\nCPU2,a,0,8,3,1,\nCPU3,a,0,7,4,0,\n"
			"CUDA0_0,b,0,5,5,2,gpu10\nCUDA0_1,b,0,4,6,2,gpu2\n"
			"CUDA1_0,b,0,3,7,3,gpu2\nCUDA1_1,b,0,6,8,3,gpu10\n");
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		struct tv_plot_options options = { .panel = st,
						   .npanels = 1,
						   .row_pattern = row[i].rows,
						   .row_order = row[i].order,
						   .row_name = list,
						   .nrow_names = TV_COUNT(list) };
		unsigned splits = 0;

		figure_scene(&s, &options, text, pdf_cell, &scene);
		names_from_top(&scene, got, sizeof got);
		assert_string_equal(got, row[i].want);
		for (size_t k = 0; k < scene.n; k++)
			splits += shape_is(&scene, &scene.shape[k], "split");
		assert_int_equal(splits, row[i].splits);
		tv_scene_release(&scene);
	}
	sample_release(&s);
	tv_text_free(text);
}

/* Rows that are not drawn change no number, only pictures. */
static void hidden_rows_still_count(void **state)
{
	struct tv_plot_options all = { .label = "x" };
	struct tv_plot_options one = { .label = "x", .row_pattern = "CPU1" };
	struct tv_text *text = figure_text();
	struct tv_scene a, b;
	struct sample s;

	(void)state;
	sample_make(&s, "ResourceId,Value,Start,End,JobId,DependsOn\nCPU0,a,0,10,1,\n"
			"CPU1,b,10,30,2,1\nCPU2,c,35,95,3,2\nCUDA0,c,0,40,4,\n");
	figure_scene(&s, &all, text, pdf_cell, &a);
	figure_scene(&s, &one, text, pdf_cell, &b);
	for (size_t i = 0; i < a.n; i++) {
		const char *want = tv_pool_text(a.strings, a.shape[i].first);
		bool found = false;

		if (a.shape[i].kind != TV_SHAPE_TEXT
		    || (!shape_is(&a, &a.shape[i], "header")
			&& !shape_is(&a, &a.shape[i], "legend-text")))
			continue;
		for (size_t k = 0; k < b.n; k++)
			found = found
			     || (b.shape[k].kind == TV_SHAPE_TEXT
				 && strcmp(tv_pool_text(b.strings, b.shape[k].first), want) == 0);
		if (!found)
			fail_msg("'%s' is not there any more", want);
	}
	assert_true(a.frame[1].duration == b.frame[1].duration);
	tv_scene_release(&a);
	tv_scene_release(&b);
	one.row_pattern = "GPU*";
	assert_int_equal(tv_plot_scene(&s.run, &one, text, pdf_cell, false, &b, &s.err), -1);
	assert_int_equal(s.err.status, TV_USAGE);
	sample_release(&s);
	tv_text_free(text);
}

static void refuses_what_cannot_be(void **state)
{
	static const char *const nothing[] = { "no such panel" };
	const struct tv_plot_options row[] = {
		{ .width_in = 0.5 },
		{ .width_in = 1e9 },
		{ .scale = 0.5 },
		{ .scale = 100 },
		{ .height_in = 0.3 },
		{ .height_in = 1e9 },
		{ .panel = nothing, .npanels = 1 },
	};
	struct tv_text *text = figure_text();
	struct tv_scene scene;
	struct sample s;

	(void)state;
	sample_make(&s, "ResourceId,Value,Start,End,JobId\nCPU0,a,0,10,1\n");
	for (size_t i = 0; i < TV_COUNT(row); i++)
		if (tv_plot_scene(&s.run, &row[i], text, pdf_cell, false, &scene, &s.err) == 0
		    || s.err.status != TV_USAGE)
			fail_msg("row %zu: '%s'", i, s.err.text);
	sample_release(&s);
	tv_text_free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_never_overlaps),
		cmocka_unit_test(nodes_and_setup_fit),
		cmocka_unit_test(close_bounds_stand_apart),
		cmocka_unit_test(tasks_lie_at_their_times),
		cmocka_unit_test(no_time_is_lost),
		cmocka_unit_test(overlaps_stay_visible),
		cmocka_unit_test(selection_and_window),
		cmocka_unit_test(scale_enlarges_all_alike),
		cmocka_unit_test(rows_stand_as_asked),
		cmocka_unit_test(hidden_rows_still_count),
		cmocka_unit_test(refuses_what_cannot_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
