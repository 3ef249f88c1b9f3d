/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_facets.c -- several runs in one figure: shared axes and colors, text apart. */
#include "tests/unit/figure.h"
#include "views/page/header.h"

enum { MOST = 12 };

static const double cell = 72.0 / 600;

struct runs {
	struct sample sample[MOST];
	char label[MOST][48];
	struct tv_facet facet[MOST];
};

/* n runs of a few tasks, each longer than the one before; types in an order that differs. Or,
 * alike: of the same types, each run with every task a worker further. */
static void draw_runs(struct runs *r, size_t n, unsigned columns, unsigned workers, bool alike)
{
	static const char *const type[] = { "dgemm", "dpotrf", "dsyrk", "dtrsm", "mystery" };

	for (size_t i = 0; i < n; i++) {
		struct tasks t;
		char name[32];

		tasks_begin(&t);
		for (unsigned w = 0; w < workers; w++)
			for (int k = 0; k < 9; k++) {
				int64_t start = k * 10000000 + (int64_t)w * 1000;

				unsigned on = alike ? (w + (unsigned)i) % workers : w;

				snprintf(name, sizeof name, "%s%u", on < 2 ? "CUDA" : "CPU", on);
				tasks_add(&t, "0", name, type[(k + (alike ? 0 : (int)i)) % 5],
					  "app", start, start + 5000000 + 400000 * (int64_t)i);
			}
		tasks_sample(&t, &r->sample[i]);
		snprintf(r->label[i], sizeof r->label[i], "variant-%zu/scheduler", i);
		r->facet[i] = (struct tv_facet){ .run = &r->sample[i].run,
						 .label = r->label[i],
						 .row = (unsigned)i / columns,
						 .column = (unsigned)i % columns };
	}
}

static void make_runs(struct runs *r, size_t n, unsigned columns, unsigned workers)
{
	draw_runs(r, n, columns, workers, false);
}

static void release_runs(struct runs *r, size_t n)
{
	for (size_t i = 0; i < n; i++)
		sample_release(&r->sample[i]);
}

static struct tv_plot_options options_of(const struct runs *r, size_t n, unsigned columns)
{
	return (struct tv_plot_options){ .facet = r->facet,
					 .nfacets = n,
					 .columns = columns,
					 .rows = (unsigned)((n + columns - 1) / columns) };
}

/* From 2 to 12 runs, columns and rows, few workers and many: no text touches another. */
static void text_stands_apart(void **state)
{
	struct tv_text *text = figure_text();

	(void)state;
	for (unsigned workers = 1; workers <= 60; workers += 59)
		for (size_t n = 2; n <= MOST; n += 2)
			for (unsigned columns = 1; columns <= 4; columns++) {
				struct runs *r = tv_alloc(1, sizeof *r);
				struct tv_plot_options options;
				struct tv_scene scene;
				struct tv_error err = { 0 };
				char name[64];

				make_runs(r, n, columns, workers);
				options = options_of(r, n, columns);
				snprintf(name, sizeof name, "%zu runs in %u columns", n, columns);
				if (tv_plot_scene(NULL, &options, text, cell, false, &scene, &err)
				    < 0)
					fail_msg("%s: %s", name, err.text);
				check_scene(&scene, name);
				/* Pages grow only where rows would get too low. */
				assert_true(scene.height <= 9 * 72 + 1
					    || scene.height < 140.0 * options.rows);
				tv_scene_release(&scene);
				release_runs(r, n);
				tv_free(r);
			}
	tv_text_free(text);
}

/* How long the axis of a run is in a figure of its own. */
static double duration_alone(const struct tv_facet *facet, struct tv_text *text)
{
	struct tv_facet alone = { .run = facet->run, .label = facet->label };
	struct tv_plot_options options = { .facet = &alone, .nfacets = 1, .rows = 1, .columns = 1 };
	struct tv_error err = { 0 };
	struct tv_scene scene;
	double duration = 0;

	if (tv_plot_scene(NULL, &options, text, cell, false, &scene, &err) < 0)
		fail_msg("%s", err.text);
	for (size_t i = 0; i < scene.nframes; i++)
		if (strcmp(scene.frame[i].name, "spacetime") == 0)
			duration = scene.frame[i].duration;
	tv_scene_release(&scene);
	return duration;
}

/* The same time lies at the same place of every column, a type has one color everywhere. */
static void axes_and_colors_are_shared(void **state)
{
	static const struct {
		const char *align;
		double shift;
	} row[] = {
		{ NULL, 0 },
		{ "start", 0 },
		{ "end", -2.0 },
	};
	struct tv_text *text = figure_text();

	(void)state;
	for (size_t k = 0; k < TV_COUNT(row); k++) {
		struct runs *r = tv_alloc(1, sizeof *r);
		struct tv_plot_options options;
		struct tv_error err = { 0 };
		struct tv_scene scene;
		const struct tv_frame *first = NULL;
		uint32_t fill[8] = { 0 };
		unsigned nframes = 0;
		double longest;

		make_runs(r, 6, 3, 2);
		options = options_of(r, 6, 3);
		options.align = row[k].align;
		longest = duration_alone(&r->facet[5], text);
		if (tv_plot_scene(NULL, &options, text, cell, false, &scene, &err) < 0)
			fail_msg("%s", err.text);
		for (size_t i = 0; i < scene.nframes; i++) {
			const struct tv_frame *f = &scene.frame[i];

			if (strcmp(f->name, "spacetime") != 0)
				continue;
			if (first == NULL)
				first = f;
			assert_float_equal(f->width, first->width, 1e-6);
			assert_float_equal(f->duration, first->duration, 1);
			assert_float_equal(f->duration, longest, 1);
			/* The last task of each run ends 400 us later than in the one before. */
			assert_float_equal((double)(f->begin - first->begin),
					   row[k].shift == 0 ? 0 : 400000.0 * nframes, 1);
			nframes++;
		}
		assert_int_equal(nframes, 6);
		for (size_t i = 0; i < scene.n; i++) {
			const struct tv_shape *s = &scene.shape[i];
			const char *group = tv_pool_text(scene.strings, s->group);

			if (!shape_is(&scene, s, "task"))
				continue;
			assert_true(strncmp(group, "type-", 5) == 0);
			if (fill[group[6] % 8] == 0)
				fill[group[6] % 8] = s->fill;
			assert_int_equal(fill[group[6] % 8], s->fill);
		}
		tv_scene_release(&scene);
		release_runs(r, 6);
		tv_free(r);
	}
	tv_text_free(text);
}

static size_t count_shapes(const struct tv_scene *scene, const char *class)
{
	size_t n = 0;

	for (size_t i = 0; i < scene->n; i++)
		n += shape_is(scene, &scene->shape[i], class);
	return n;
}

/* The panel about all runs: once, whatever the widths, with a dot for each task that matches. */
static void differences(void **state)
{
	static const char *const panels[] = { "diff", "spacetime" };
	struct tv_text *text = figure_text();

	(void)state;
	for (size_t n = 2; n <= 4; n++)
		for (double width = 3.5; width <= 12; width += 4.25) {
			struct runs *r = tv_alloc(1, sizeof *r);
			struct tv_plot_options options;
			struct tv_error err = { 0 };
			struct tv_scene scene;
			size_t moved = 0;
			char name[60];

			draw_runs(r, n, 2, 4, true);
			options = options_of(r, n, 2);
			options.width_in = width;
			options.panel = panels;
			options.npanels = 1 + n % 2;
			for (unsigned i = 1; i < n; i++)
				for (unsigned w = 0; w < 4; w++)
					moved += 9 * ((w < 2) != ((w + i) % 4 < 2));
			snprintf(name, sizeof name, "%zu runs, %g in", n, width);
			if (tv_plot_scene(NULL, &options, text, cell, false, &scene, &err) < 0)
				fail_msg("%s: %s", name, err.text);
			check_scene(&scene, name);
			assert_int_equal(count_shapes(&scene, "moved"), moved);
			assert_int_equal(count_shapes(&scene, "shift"), 36 * (n - 1) - moved);
			assert_int_equal(count_shapes(&scene, "curve"), n - 1);
			tv_scene_release(&scene);
			release_runs(r, n);
			tv_free(r);
		}
	tv_text_free(text);
}

/* All runs have their place on one of the pages, over the same times and with the same heights. */
static void pages(void **state)
{
	struct tv_text *text = figure_text();
	struct runs *r = tv_alloc(1, sizeof *r);
	struct tv_plot_options options;
	double height = 0;
	unsigned charts = 0;

	(void)state;
	make_runs(r, 11, 3, 3);
	options = options_of(r, 11, 3);
	options.page_rows = 2;
	assert_int_equal(tv_plot_pages(&options), 2);
	for (options.page = 0; options.page < 2; options.page++) {
		struct tv_error err = { 0 };
		struct tv_scene scene;

		if (tv_plot_scene(NULL, &options, text, cell, false, &scene, &err) < 0)
			fail_msg("%s", err.text);
		check_scene(&scene, "page");
		for (size_t i = 0; i < scene.nframes; i++) {
			if (strcmp(scene.frame[i].name, "spacetime") != 0)
				continue;
			height = height == 0 ? scene.frame[i].height : height;
			assert_float_equal(scene.frame[i].height, height, 1e-6);
			charts++;
		}
		tv_scene_release(&scene);
	}
	assert_int_equal(charts, 11);
	release_runs(r, 11);
	tv_free(r);
	tv_text_free(text);
}

/* The lowest edge of any text: that of the time axis. */
static double lowest_text(const struct tv_scene *scene)
{
	double y = 0;

	for (size_t i = 0; i < scene->n; i++)
		if (scene->shape[i].kind == TV_SHAPE_TEXT && scene->shape[i].y1 > y)
			y = scene->shape[i].y1;
	return y;
}

/* The charts of a grid: alike in height, the rows equally far apart. Returns their height. */
static double check_grid(const struct tv_scene *scene, const char *panel, unsigned rows,
			 unsigned columns)
{
	const struct tv_frame *chart[MOST] = { NULL };
	unsigned n = 0;

	for (size_t i = 0; i < scene->nframes; i++)
		if (strcmp(scene->frame[i].name, panel) == 0)
			chart[n++] = &scene->frame[i];
	assert_int_equal(n, rows * columns);
	for (unsigned i = 0; i < n; i++) {
		assert_float_equal(chart[i]->height, chart[0]->height, 1e-6);
		assert_float_equal(chart[i]->y, chart[i - i % columns]->y, 1e-6);
		if (rows > 1)
			assert_float_equal(chart[i]->y - chart[0]->y,
					   (i / columns) * (chart[columns]->y - chart[0]->y),
					   2 * cell * rows);
	}
	return chart[0]->height;
}

/* Of a height that the user chose nothing is left over, whatever the number of rows: charts that
 * were two cells higher would not fit (those of space-time: one cell for each worker). */
static void grids_fill_the_page(void **state)
{
	static const char *const panels[] = { "concurrency", "spacetime" };
	static const char *const frames[] = { "concurrency", "spacetime" };
	struct tv_text *text = figure_text();
	static const double below = TV_MARGIN + 1; /* the margin, and the space under a text */

	(void)state;
	for (size_t npanels = 1; npanels <= 2; npanels++)
		for (unsigned columns = 1; columns <= 3; columns++)
			for (unsigned rows = 1; rows <= 4; rows++) {
				struct runs *r = tv_alloc(1, sizeof *r);
				struct tv_plot_options options;
				struct tv_error err = { 0 };
				struct tv_scene scene;
				double left;

				make_runs(r, rows * columns, columns, 3);
				options = options_of(r, rows * columns, columns);
				options.height_in = 12;
				options.panel = panels;
				options.npanels = npanels;
				if (tv_plot_scene(NULL, &options, text, cell, false, &scene, &err)
				    < 0)
					fail_msg("%s", err.text);
				assert_float_equal(scene.height, 12 * 72, 1e-6);
				for (size_t i = 0; i < npanels; i++)
					assert_true(check_grid(&scene, frames[i], rows, columns)
						    > 12);
				left = scene.height - lowest_text(&scene);
				if (left < below - cell
				    || left > below + rows * (npanels == 1 ? 2 * cell : 3))
					fail_msg("%zu panels, %u x %u: %g of the page are empty, "
						 "not %g",
						 npanels, rows, columns, left, below);
				tv_scene_release(&scene);
				release_runs(r, rows * columns);
				tv_free(r);
			}
	tv_text_free(text);
}

static void refuses_what_cannot_be(void **state)
{
	static const char *const bad[] = { "middle", "task:999", "iteration:3", "task:", "" };
	struct tv_text *text = figure_text();
	struct runs *r = tv_alloc(1, sizeof *r);

	(void)state;
	make_runs(r, 2, 2, 2);
	for (size_t i = 0; i < TV_COUNT(bad); i++) {
		struct tv_plot_options options = options_of(r, 2, 2);
		struct tv_error err = { 0 };
		struct tv_scene scene;

		options.align = bad[i];
		assert_int_equal(tv_plot_scene(NULL, &options, text, cell, false, &scene, &err),
				 -1);
		assert_int_equal(err.status, TV_USAGE);
	}
	release_runs(r, 2);
	tv_free(r);
	tv_text_free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_stands_apart),   cmocka_unit_test(axes_and_colors_are_shared),
		cmocka_unit_test(differences),	       cmocka_unit_test(pages),
		cmocka_unit_test(grids_fill_the_page), cmocka_unit_test(refuses_what_cannot_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
