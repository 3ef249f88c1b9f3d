/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_tiles.c -- panels of small charts against their passes: phases, durations, durations against
 * work. */
#include "tests/unit/figure.h"
#include "views/charts/tiles.h"

static const double pdf_cell = 72.0 / 600, png_cell = 72.0 / 200;

static const struct tv_table *pass(struct sample *s, const char *name, const char *const *value)
{
	const struct tv_table *table = tv_run_pass(&s->run, name, value, &s->err);

	if (table == NULL)
		fail_msg("%s", s->err.text);
	return table;
}

static int64_t cell(const struct tv_table *table, const char *column, uint32_t row)
{
	return tv_table_find(table, column)->i[row];
}

/* Chains of tasks with work, submitted before; durations follow the work, a few are much longer. */
static void make_random(struct sample *s, unsigned tasks, unsigned types, uint64_t seed)
{
	static const char head[] = "ResourceId,Value,Start,End,JobId,DependsOn,SubmitTime,"
				   "ResourceType,GFlop\n";
	int64_t at[4] = { 0 };
	char *text = NULL;
	size_t n = sizeof head - 1, cap = 0;

	unit_seed(seed);
	TV_GROW(text, 0, cap, 256);
	memcpy(text, head, sizeof head);
	for (unsigned i = 0; i < tasks; i++) {
		unsigned w = i % 4, work = 1 + (unsigned)unit_random(&seed, 20);
		int64_t length = 100 * work + (int64_t)unit_random(&seed, 50), start;

		length *= unit_random(&seed, 40) == 0 ? 9 : 1;
		length += w == 0 ? 0 : 5000;
		start = at[w] + (int64_t)unit_random(&seed, 300);
		at[w] = start + length;
		TV_GROW(text, n, cap, 256);
		n += (size_t)snprintf(
			text + n, 256, "%s%u,k%u,%lld.%06lld,%lld.%06lld,%u,%s,%u.0,%s,%u.5\n",
			w == 0 ? "CUDA" : "CPU", w, (unsigned)unit_random(&seed, types),
			(long long)(start / 1000), (long long)(start % 1000 * 1000),
			(long long)(at[w] / 1000), (long long)(at[w] % 1000 * 1000), i,
			i < 4 ? "" : "0", 0, w == 0 ? "CUDA" : "CPU", work);
	}
	sample_make(s, text);
	tv_free(text);
}

static bool is_time_at(const struct tv_scene *scene, const char *text)
{
	for (size_t i = 0; i < scene->n; i++)
		if (scene->shape[i].kind == TV_SHAPE_TEXT
		    && strcmp(tv_pool_text(scene->strings, scene->shape[i].first), text) == 0)
			return true;
	return false;
}

/* Boxes lie in the order of their quartiles, and one axis holds for all: a time's place is a linear
 * function of its logarithm. */
static void boxes_are_those_of_the_pass(void **state)
{
	static const char *const panel[] = { "lifecycle" };
	struct tv_plot_options options = { .panel = panel, .npanels = 1, .width_in = 3.5 };
	struct tv_text *text = figure_text();
	const struct tv_table *table;
	struct tv_scene scene;
	struct sample s;
	double slope = 0;
	uint32_t medians = 0, boxes = 0;

	(void)state;
	make_random(&s, 300, 2, 5);
	table = pass(&s, "lifecycle-summary", NULL);
	figure_scene(&s, &options, text, pdf_cell, &scene);
	check_scene(&scene, "lifecycle");
	for (size_t i = 0; i < scene.n; i++) {
		const struct tv_shape *shape = &scene.shape[i];
		double box[4], q1, q3;

		if (shape_is(&scene, shape, "median")) {
			medians++;
			continue;
		}
		if (!shape_is(&scene, shape, "box"))
			continue;
		boxes++;
		tv_shape_box(&scene, shape, box);
		q1 = (double)cell(table, "P25", shape->row);
		q3 = (double)cell(table, "P75", shape->row);
		if (q1 <= 0 || q3 < 1.2 * q1)
			continue;
		if (slope == 0)
			slope = (box[2] - box[0]) / log(q3 / q1);
		assert_true(fabs((box[2] - box[0]) / log(q3 / q1) - slope) < 1e-3 * slope);
	}
	assert_true(slope > 0);
	assert_int_equal(boxes, table->nrows);
	assert_int_equal(medians, table->nrows);
	tv_scene_release(&scene);
	sample_release(&s);
	tv_text_free(text);
}

/* The area of the bars is the number of executions; those of outliers are counted apart, and the
 * threshold lies between. */
static void bars_count_executions(void **state)
{
	static const char *const panel[] = { "durations" };
	static const struct tv_setting scale[] = { { "durations", "scale", "linear" },
						   { "durations", "scale", "log" } };
	struct tv_text *text = figure_text();

	(void)state;
	for (size_t k = 0; k < TV_COUNT(scale); k++) {
		const char *const value[] = { NULL, "40", scale[k].value, NULL, NULL };
		struct tv_plot_options options = {
			.panel = panel, .npanels = 1, .setting = &scale[k], .nsettings = 1
		};
		const struct tv_table *bins;
		struct tv_scene scene;
		struct sample s;
		uint32_t shown = 0, filled = 0, marked = 0, want = 0, thresholds = 0;

		make_random(&s, 800, 2, k + 1);
		bins = pass(&s, "distribution", value);
		figure_scene(&s, &options, text, pdf_cell, &scene);
		check_scene(&scene, "durations");
		for (uint32_t row = 0; row < bins->nrows; row++) {
			filled += cell(bins, "Tasks", row) > 0;
			want += cell(bins, "Outliers", row) > 0;
		}
		for (size_t i = 0; i < scene.n; i++) {
			const struct tv_shape *shape = &scene.shape[i];
			double box[4], max = 0, count;
			uint32_t row = shape->row;

			marked += shape_is(&scene, shape, "outlier");
			thresholds += shape_is(&scene, shape, "threshold");
			if (!shape_is(&scene, shape, "bin"))
				continue;
			shown++;
			tv_shape_box(&scene, shape, box);
			count = (double)cell(bins, "Tasks", row);
			for (uint32_t r = 0; r < bins->nrows; r++)
				if (tv_table_find(bins, "Value")->u[r]
					    == tv_table_find(bins, "Value")->u[row]
				    && tv_table_find(bins, "ResourceType")->u[r]
					       == tv_table_find(bins, "ResourceType")->u[row])
					max = fmax(max, (double)cell(bins, "Tasks", r));
			assert_true(fabs(box[3] - box[1] - fmax(0.5, 34 * count / max)) < 1e-4);
		}
		assert_int_equal(shown, filled);
		assert_int_equal(marked, want);
		assert_int_equal(thresholds, 4); /* two types on two resource types */
		assert_true(want > 0);
		tv_scene_release(&scene);
		sample_release(&s);
	}
	tv_text_free(text);
}

/* Every execution is a point in its chart; black ones are the outliers of the pass. */
static void points_are_the_tasks(void **state)
{
	static const char *const panel[] = { "regression" };
	struct tv_plot_options options = { .panel = panel, .npanels = 1 };
	const char *const value[] = { NULL, NULL, NULL, "regression", NULL,
				      NULL, NULL, NULL, NULL,	      NULL };
	struct tv_text *text = figure_text();
	const struct tv_table *marks;
	struct tv_scene scene;
	struct sample s;
	uint32_t points = 0, outliers = 0, want = 0;

	(void)state;
	assert_int_equal(tv_pass_find("outliers")->noptions, TV_COUNT(value));
	assert_string_equal(tv_pass_find("outliers")->option[3].name, "model");
	make_random(&s, 400, 1, 3);
	marks = pass(&s, "outliers", value);
	for (uint32_t row = 0; row < marks->nrows; row++)
		want += cell(marks, "Outlier", row) == 1;
	figure_scene(&s, &options, text, pdf_cell, &scene);
	check_scene(&scene, "model");
	for (size_t i = 0; i < scene.n; i++) {
		points += shape_is(&scene, &scene.shape[i], "point");
		if (shape_is(&scene, &scene.shape[i], "outlier")) {
			outliers++;
			assert_int_equal(cell(marks, "Outlier", scene.shape[i].row), 1);
		}
	}
	assert_int_equal(outliers, want);
	assert_int_equal(points + outliers, s.run.tasks.ncounted);
	assert_true(want > 0);
	tv_scene_release(&scene);
	sample_release(&s);
	tv_text_free(text);
}

/* Many points become images: a column of squares per amount of work, nothing elsewhere. */
static void squares_hold_points(void **state)
{
	static const char *const panel[] = { "regression" };
	struct tv_plot_options options = { .panel = panel, .npanels = 1 };
	struct tv_text *text = figure_text();
	struct tv_scene scene;
	struct sample s;
	size_t filled = 0, images = 0;

	(void)state;
	make_random(&s, 4000, 1, 9);
	figure_scene(&s, &options, text, png_cell, &scene);
	for (size_t i = 0; i < scene.n; i++) {
		const struct tv_image *image = &scene.image[scene.shape[i].first];
		bool row_has[20] = { false };

		if (scene.shape[i].kind != TV_SHAPE_IMAGE)
			continue;
		images++;
		for (uint32_t p = 0; p < image->width * image->height; p++)
			if (image->pixel[p] != 0xffffff)
				filled++;
		/* Twenty amounts of work are twenty columns. */
		for (uint32_t x = 0, n = 0; x < image->width; x++) {
			bool any = false;

			for (uint32_t y = 0; y < image->height; y++)
				any = any || image->pixel[y * image->width + x] != 0xffffff;
			if (any) {
				assert_true(n < TV_COUNT(row_has));
				row_has[n++] = true;
			}
		}
		assert_true(row_has[TV_COUNT(row_has) - 1]);
	}
	assert_int_equal(images, 2);
	assert_true(filled > 40);
	tv_scene_release(&scene);
	sample_release(&s);
	tv_text_free(text);
}

/* Readable and apart at any width, number of types and tasks. */
static void they_fit(void **state)
{
	static const char *const panel[] = { "lifecycle", "durations", "regression", "abe" };
	static const struct {
		unsigned tasks, types;
	} row[] = { { 1, 1 }, { 5, 2 }, { 400, 3 }, { 2000, 30 } };
	static const double width[] = { 7.16, 3.5, 12, 2 };
	struct tv_text *text = figure_text();

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		struct sample s;

		make_random(&s, row[i].tasks, row[i].types, i);
		for (size_t w = 0; w < TV_COUNT(width); w++)
			for (size_t p = 0; p < TV_COUNT(panel); p++) {
				struct tv_plot_options options = { .panel = &panel[p],
								   .npanels = 1,
								   .height_in = 40,
								   .width_in = width[w] };
				struct tv_scene scene;

				if (tv_plot_scene(&s.run, &options, text, png_cell, false, &scene,
						  &s.err)
				    < 0) {
					/* One task: no choice, no phases but one. */
					assert_true(row[i].tasks == 1);
					continue;
				}
				check_scene(&scene, panel[p]);
				assert_true(row[i].types < 30 || panel[p][0] == 'a'
					    || is_time_at(&scene, "48 more groups"));
				tv_scene_release(&scene);
			}
		sample_release(&s);
	}
	tv_text_free(text);
}

/* Two runs side by side, each with its panels. */
static void runs_side_by_side(void **state)
{
	static const char *const panel[] = { "spacetime", "durations", "regression", "abe",
					     "lifecycle" };
	static const double width[] = { 7.16, 3.5, 12 };
	struct tv_text *text = figure_text();
	struct sample s[2];
	struct tv_facet facet[2];

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		make_random(&s[i], 100 + 300 * i, 2, i + 4);
		facet[i] = (struct tv_facet){ .run = &s[i].run,
					      .label = i == 0 ? "a" : "b",
					      .column = i };
	}
	for (size_t w = 0; w < TV_COUNT(width); w++) {
		struct tv_plot_options options = {
			.facet = facet,
			.nfacets = 2,
			.columns = 2,
			.rows = 1,
			.panel = panel,
			.npanels = TV_COUNT(panel),
			.width_in = width[w],
			.height_in = 30,
		};
		struct tv_error err = { 0 };
		struct tv_scene scene;

		if (tv_plot_scene(NULL, &options, text, pdf_cell, false, &scene, &err) < 0)
			fail_msg("%s", err.text);
		check_scene(&scene, "two runs");
		tv_scene_release(&scene);
	}
	for (unsigned i = 0; i < 2; i++)
		sample_release(&s[i]);
	tv_text_free(text);
}

/* Both ends of an axis, and 0 and the first power of ten apart on a logarithmic one. */
static void lengths_have_places(void **state)
{
	struct tv_lengths lengths = tv_lengths_for(true, 25, 7000, true);
	double first;

	(void)state;
	assert_true(lengths.low == 10 && lengths.high == 10000);
	first = tv_lengths_at(&lengths, 10);
	assert_true(tv_lengths_at(&lengths, 0) == 0 && first > 0.02);
	assert_float_equal(tv_lengths_at(&lengths, 10000), 1, 1e-12);
	assert_float_equal(tv_lengths_at(&lengths, 100), first + (1 - first) / 3, 1e-12);
	lengths = tv_lengths_for(true, 25, 7000, false);
	assert_true(tv_lengths_at(&lengths, 10) == 0);
	assert_float_equal(tv_lengths_at(&lengths, 1000), 2. / 3, 1e-12);
	lengths = tv_lengths_for(false, 100, 200, false);
	assert_float_equal(tv_lengths_at(&lengths, 150), 0.5, 1e-12);
	assert_true(tv_lengths_at(&lengths, 100) > 0 && tv_lengths_at(&lengths, 200) < 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(boxes_are_those_of_the_pass),
		cmocka_unit_test(bars_count_executions),
		cmocka_unit_test(points_are_the_tasks),
		cmocka_unit_test(squares_hold_points),
		cmocka_unit_test(they_fit),
		cmocka_unit_test(runs_side_by_side),
		cmocka_unit_test(lengths_have_places),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
