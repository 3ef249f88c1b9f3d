/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_progress_panel.c -- the panels of iterations and of the area bound's solution against their
 * passes and against counting. */
#include "tests/unit/figure.h"

static const double pdf_cell = 72.0 / 600, png_cell = 72.0 / 200;
static const char *const progress[] = { "progress" }, *const abe[] = { "abe" };

static const struct tv_frame *find_frame(const struct tv_scene *scene, const char *name)
{
	for (size_t i = 0; i < scene->nframes; i++)
		if (strcmp(scene->frame[i].name, name) == 0)
			return &scene->frame[i];
	fail_msg("no frame %s", name);
	return NULL;
}

static bool group_is(const struct tv_scene *scene, const struct tv_shape *shape, const char *group)
{
	return strcmp(tv_pool_text(scene->strings, shape->group), group) == 0;
}

static bool has_text(const struct tv_scene *scene, const char *part)
{
	for (size_t i = 0; i < scene->n; i++)
		if (scene->shape[i].kind == TV_SHAPE_TEXT
		    && strstr(tv_pool_text(scene->strings, scene->shape[i].first), part) != NULL)
			return true;
	return false;
}

static const struct tv_table *pass(struct sample *s, const char *name)
{
	const struct tv_table *table = tv_run_pass(&s->run, name, NULL, &s->err);

	if (table == NULL)
		fail_msg("%s", s->err.text);
	return table;
}

static const char head[] = "ResourceId,Value,Start,End,JobId,Kind,Iteration,ResourceType\n";

/* Random tasks of some iterations on some workers, one after the other on each. */
static void make_random(struct sample *s, unsigned tasks, unsigned workers, unsigned iterations,
			uint64_t seed)
{
	int64_t at[64] = { 0 };
	char *text = NULL;
	size_t n = sizeof head - 1, cap = 0;

	unit_seed(seed);
	TV_GROW(text, 0, cap, 256);
	memcpy(text, head, sizeof head);
	for (unsigned i = 0; i < tasks; i++) {
		unsigned w = (unsigned)unit_random(&seed, workers);
		int64_t start = at[w] + (int64_t)unit_random(&seed, 3),
			end = start + 1 + (int64_t)unit_random(&seed, 9);
		unsigned it = (unsigned)(i * iterations / tasks + unit_random(&seed, 3));

		at[w] = end;
		TV_GROW(text, n, cap, 256);
		n += (size_t)snprintf(text + n, 256, "%s%u,%c,%lld,%lld,%u,app,%u,%s\n",
				      w % 3 == 0 ? "CUDA" : "CPU", w, "ab"[unit_random(&seed, 2)],
				      (long long)start, (long long)end, i, it * 3,
				      w % 3 == 0 ? "CUDA" : "CPU");
	}
	sample_make(s, text);
	tv_free(text);
}

/* The stairs pass through the first Start, the last End, ... of every iteration, in order, and
 * leave no row out. */
static void stairs_are_those_of_the_pass(void **state)
{
	static const struct tv_setting show = { "progress", "show", "curves,middle" };
	static const char *const column[] = { "Ended25", "Ended50", "Ended75", "Start", "End" };
	struct tv_plot_options options = {
		.panel = progress, .npanels = 1, .setting = &show, .nsettings = 1
	};
	struct tv_text *text = figure_text();

	(void)state;
	for (unsigned seed = 1; seed <= 5; seed++) {
		struct tv_scene scene;
		struct sample s;
		const struct tv_table *table;
		const struct tv_frame *frame;
		size_t found = 0;

		make_random(&s, 40 * seed, 4, 3 * seed, seed);
		table = pass(&s, "progress");
		figure_scene(&s, &options, text, pdf_cell, &scene);
		frame = find_frame(&scene, "progress");
		for (size_t i = 0; i < scene.n; i++) {
			const struct tv_shape *shape = &scene.shape[i];
			const struct tv_point *p = scene.point + shape->first;
			double y = 0;

			if (shape->kind != TV_SHAPE_POLYLINE || !group_is(&scene, shape, "curves"))
				continue;
			assert_true(found < TV_COUNT(column));
			assert_int_equal(shape->n, 2 * table->nrows);
			for (uint32_t r = 0; r < table->nrows; r++) {
				double want = tv_frame_time(
					frame, tv_table_find(table, column[found])->i[r]);

				assert_true(p[2 * r].x == want && p[2 * r + 1].x == want);
				assert_true(fabs(p[2 * r].y - y) < 1e-9 && p[2 * r + 1].y > y);
				y = p[2 * r + 1].y;
			}
			found++;
		}
		assert_int_equal(found, TV_COUNT(column));
		tv_scene_release(&scene);
		sample_release(&s);
	}
	tv_text_free(text);
}

/* Iterations lower than a cell: a step of the stairs spans several, from the first Start to the
 * last End of them. */
static void low_rows_share_steps(void **state)
{
	static const struct tv_setting show = { "progress", "show", "curves" };
	struct tv_plot_options options = {
		.panel = progress, .npanels = 1, .setting = &show, .nsettings = 1, .height_in = 2
	};
	struct tv_text *text = figure_text();
	const struct tv_table *table;
	const int64_t *start, *end;
	const struct tv_frame *frame;
	struct tv_scene scene;
	struct sample s;
	size_t found = 0;

	(void)state;
	make_random(&s, 9000, 4, 3000, 7);
	table = pass(&s, "progress");
	start = tv_table_find(table, "Start")->i;
	end = tv_table_find(table, "End")->i;
	figure_scene(&s, &options, text, png_cell, &scene);
	frame = find_frame(&scene, "progress");
	for (size_t i = 0; i < scene.n; i++) {
		const struct tv_shape *shape = &scene.shape[i];
		const struct tv_point *p = scene.point + shape->first;
		uint32_t n = shape->n / 2;

		if (shape->kind != TV_SHAPE_POLYLINE || !group_is(&scene, shape, "curves"))
			continue;
		assert_true(n > 10 && n < table->nrows / 2);
		for (uint32_t l = 0; l < n; l++) {
			uint32_t r = (uint32_t)((uint64_t)l * table->nrows / n);
			uint32_t to = (uint32_t)((uint64_t)(l + 1) * table->nrows / n);
			int64_t least = start[r], most = end[r];

			for (; r < to; r++) {
				least = start[r] < least ? start[r] : least;
				most = end[r] > most ? end[r] : most;
			}
			assert_true(p[2 * l].x == tv_frame_time(frame, found == 0 ? least : most));
		}
		found++;
	}
	assert_int_equal(found, 2);
	tv_scene_release(&scene);
	sample_release(&s);
	tv_text_free(text);
}

/* Iterations that follow each other: a rectangle per task in the row of its iteration. */
static void tasks_lie_in_their_rows(void **state)
{
	struct tv_plot_options options = { .panel = progress, .npanels = 1 };
	struct tv_text *text = figure_text();
	struct tv_scene scene;
	struct sample s;
	unsigned found = 0;

	(void)state;
	sample_make(&s, "ResourceId,Value,Start,End,JobId,Kind,Iteration\n"
			"W0,dplgsy,-5,0,0,setup,\nW0,a,0,2,1,app,7\nW0,a,2,3,2,app,9\n"
			"W0,b,4,8,3,app,7\nW0,b,8,9,4,app,8\nW0,b,9,10,5,app,\n");
	figure_scene(&s, &options, text, pdf_cell, &scene);
	for (size_t i = 0; i < scene.n; i++) {
		const struct tv_shape *shape = &scene.shape[i];
		const struct tv_frame *frame = &scene.frame[shape->frame];
		const struct tv_column *of = tv_table_find(&s.trace.table[TV_TASKS], "Iteration");
		double box[4];

		if (!shape_is(&scene, shape, "task") || strcmp(frame->name, "progress") != 0)
			continue;
		found++;
		tv_shape_box(&scene, shape, box);
		assert_int_equal(floor(((box[1] + box[3]) / 2 - frame->y) / frame->height * 3),
				 of->i[shape->row] - 7);
		assert_true(shape->x0 == tv_frame_time(frame, s.run.tasks.start[shape->row]));
		assert_true(shape->x1 == tv_frame_time(frame, s.run.tasks.end[shape->row]));
	}
	assert_int_equal(found, 4);
	assert_true(has_text(&scene, "iterations: 3, at most 2 open, 1 tasks without"));
	tv_scene_release(&scene);
	sample_release(&s);
	tv_text_free(text);
}

/* Rows too low for tasks side by side: each pixel holds min(1, mean number of tasks that run). */
static void rows_hold_what_runs(void **state)
{
	struct tv_plot_options options = { .panel = progress, .npanels = 1 };
	struct tv_text *text = figure_text();
	struct tv_scene scene;
	struct sample s;
	unsigned found = 0;

	(void)state;
	make_random(&s, 3000, 12, 20, 3);
	figure_scene(&s, &options, text, png_cell, &scene);
	for (size_t i = 0; i < scene.n; i++) {
		const struct tv_shape *shape = &scene.shape[i];
		const struct tv_image *image;
		const struct tv_column *of = tv_table_find(&s.trace.table[TV_TASKS], "Iteration");
		uint32_t row;

		if (shape->kind != TV_SHAPE_IMAGE)
			continue;
		image = &scene.image[shape->first];
		assert_true(image->height >= 4);
		row = found++;
		for (uint32_t x = 0; x < image->width; x++) {
			double step = (shape->x1 - shape->x0) / image->width, sum = 0, drawn = 0;
			double from = floor(step * x), to = floor(step * (x + 1));

			for (uint32_t k = 0; k < s.run.tasks.n; k++)
				if (of->i[k] == 3 * row) {
					double b = fmax((double)s.run.tasks.start[k], from),
					       e = fmin((double)s.run.tasks.end[k], to);

					sum += fmax(0, e - b) / (to - from);
				}
			for (uint32_t y = 0; y < image->height; y++)
				if (image->pixel[y * image->width + x] != 0xffffff)
					drawn += 1.0 / image->height;
			/* A pixel that is colored in part is colored. */
			if (drawn < fmin(1, sum) - 0.01
			    || drawn > fmin(1, sum) + 1.0 / image->height)
				fail_msg("row %u column %u: %g drawn, %g ran", row, x, drawn, sum);
		}
	}
	assert_true(found >= 20);
	tv_scene_release(&scene);
	sample_release(&s);
	tv_text_free(text);
}

/* Bars and bullets lie where the pass says, and the numbers are printed. */
static void bars_are_those_of_the_pass(void **state)
{
	static const double width[] = { 7.16, 3.5, 12 };
	struct tv_text *text = figure_text();

	(void)state;
	for (size_t w = 0; w < TV_COUNT(width); w++) {
		struct tv_plot_options options = { .panel = abe,
						   .npanels = 1,
						   .width_in = width[w] };
		const struct tv_table *table;
		struct tv_scene scene;
		struct sample s;
		const struct tv_shape *track = NULL;
		unsigned bars = 0, bullets = 0;

		make_random(&s, 500, 6, 5, w + 1);
		table = pass(&s, "abe");
		figure_scene(&s, &options, text, pdf_cell, &scene);
		check_scene(&scene, "abe");
		for (size_t i = 0; i < scene.n; i++) {
			const struct tv_shape *shape = &scene.shape[i];
			double box[4], all, length, actual;
			uint32_t row = shape->row;

			if (shape_is(&scene, shape, "track"))
				track = shape;
			if (row == TV_NONE || track == NULL)
				continue;
			tv_shape_box(&scene, shape, box);
			/* Two types on two resource types: the other row of the type is its
			 * neighbor. */
			all = (double)(tv_table_find(table, "Actual")->i[row]
				       + tv_table_find(table, "Actual")->i[row ^ 1]);
			length = track->x1 - track->x0;
			actual = (double)tv_table_find(table, "Actual")->i[row];
			if (shape_is(&scene, shape, "run")) {
				bars++;
				assert_true(fabs(box[2] - box[0] - length * actual / all) < 1e-3);
			} else if (shape_is(&scene, shape, "ideal")) {
				bullets++;
				assert_true(
					fabs((box[0] + box[2]) / 2 - track->x0
					     - length * tv_table_find(table, "Ideal")->d[row] / all)
					< 1e-3);
			}
		}
		assert_int_equal(bars, table->nrows);
		assert_int_equal(bullets, table->nrows);
		for (uint32_t row = 0; row < table->nrows; row++) {
			char number[32];

			snprintf(number, sizeof number, "%lld",
				 (long long)tv_table_find(table, "Actual")->i[row]);
			assert_true(has_text(&scene, number));
		}
		tv_scene_release(&scene);
		sample_release(&s);
	}
	tv_text_free(text);
}

/* At any width and in any place: text is readable and apart. */
static void they_fit(void **state)
{
	static const double width[] = { 7.16, 3.5, 12, 2.5 };
	static const char *const both[] = { "spacetime", "progress", "abe" };
	static const unsigned iterations[] = { 1, 2, 7, 300, 20000 };
	struct tv_text *text = figure_text();

	(void)state;
	for (size_t i = 0; i < TV_COUNT(iterations); i++) {
		struct sample s;

		make_random(&s, iterations[i] + 60, 5, iterations[i], i);
		for (size_t w = 0; w < TV_COUNT(width); w++)
			for (int below = width[w] < 7; below <= 1; below++) {
				const struct tv_setting setting[] = {
					{ "abe", "place", below ? "below" : "right" },
					{ "progress", "show", "segments,tasks,curves,middle" },
					{ "progress", "height", below ? "6" : "1.2" },
				};
				struct tv_plot_options options = {
					.panel = both,
					.npanels = TV_COUNT(both),
					.width_in = width[w],
					.setting = setting,
					.nsettings = TV_COUNT(setting),
				};
				struct tv_scene scene;

				figure_scene(&s, &options, text, png_cell, &scene);
				check_scene(&scene, "progress and abe");
				assert_true(scene.n < 20000);
				tv_scene_release(&scene);
			}
		sample_release(&s);
	}
	tv_text_free(text);
}

/* A window shows the iterations that are open in it. */
static void window_chooses_iterations(void **state)
{
	struct tv_plot_options options = { .panel = progress, .npanels = 1 };
	struct tv_text *text = figure_text();
	struct tv_scene scene;
	struct sample s;

	(void)state;
	sample_make(&s, "ResourceId,Value,Start,End,JobId,Iteration\n"
			"W0,a,0,2,1,0\nW0,a,2,4,2,1\nW0,a,4,6,3,2\nW0,a,6,8,4,3\n");
	s.run.window = (struct tv_window){ true, 2500000, 5000000 };
	figure_scene(&s, &options, text, pdf_cell, &scene);
	assert_true(has_text(&scene, "iterations: 2 of 4, at most 1 open"));
	tv_scene_release(&scene);
	sample_release(&s);
	tv_text_free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stairs_are_those_of_the_pass),
		cmocka_unit_test(low_rows_share_steps),
		cmocka_unit_test(tasks_lie_in_their_rows),
		cmocka_unit_test(rows_hold_what_runs),
		cmocka_unit_test(bars_are_those_of_the_pass),
		cmocka_unit_test(they_fit),
		cmocka_unit_test(window_chooses_iterations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
