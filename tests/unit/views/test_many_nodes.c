/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_many_nodes.c -- nodes that stand out by brute force; names, headers and joined rows of many nodes
 * in the space-time panel. */
#include "tests/unit/drawn.h"

static const double png_cell = 72.0 / 200;

static int compare_numbers(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double median(double *x, size_t n)
{
	qsort(x, n, sizeof *x, compare_numbers);
	return n % 2 == 1 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

/* Whether value[of] is above the others, by the rule of the page. */
static bool deviates(const double *value, size_t n, size_t of, double makespan)
{
	double x[100], middle, deviation;

	memcpy(x, value, n * sizeof *x);
	middle = median(x, n);
	for (size_t i = 0; i < n; i++)
		x[i] = fabs(value[i] - middle);
	deviation = 1.4826 * median(x, n);
	return value[of] > middle + fmax(3.5 * deviation, 0.05 * makespan);
}

/* Random nodes, some of them late: start, end and busy time as the flags. */
static void stragglers_by_brute_force(void **state)
{
	unsigned flagged = 0;

	(void)state;
	for (uint64_t s = 1; s <= 40; s++) {
		uint64_t seed = unit_seed(s);
		size_t n = 1 + (size_t)unit_random(&seed, 12);
		double start[12], end[12], busy[12], first = INFINITY, last = 0;
		const struct tv_table *table;
		struct tasks t;
		struct sample sample;

		tasks_begin(&t);
		for (size_t k = 0; k < n; k++) {
			int64_t at = (int64_t)unit_random(&seed, 20) * 1000000, sum = 0;
			char node[16], name[16];

			at += unit_random(&seed, 5) == 0 ? 200000000 : 0;
			start[k] = (double)at;
			snprintf(node, sizeof node, "%zu", k);
			snprintf(name, sizeof name, "CPU%zu", k);
			for (uint64_t i = 0, m = 5 + unit_random(&seed, 10); i < m; i++) {
				int64_t length = 1000000 * (int64_t)(1 + unit_random(&seed, 40));

				tasks_add(&t, node, name, "a", "app", at, at + length);
				sum += length;
				end[k] = (double)(at + length);
				at += length + (int64_t)unit_random(&seed, 3000000);
			}
			busy[k] = (double)sum;
			first = fmin(first, start[k]);
			last = fmax(last, end[k]);
		}
		tasks_sample(&t, &sample);
		table = tv_run_pass(&sample.run, "stragglers", NULL, &sample.err);
		if (table == NULL)
			fail_msg("%s", sample.err.text);
		assert_int_equal(table->nrows, n);
		for (uint32_t k = 0; k < n; k++) {
			const struct {
				const char *column;
				const double *value;
			} flag[] = { { "LateStart", start },
				     { "LateEnd", end },
				     { "MoreWork", busy } };

			assert_int_equal(tv_table_find(table, "Makespan")->i[k],
					 (int64_t)(end[k] - first));
			for (size_t f = 0; f < TV_COUNT(flag); f++) {
				bool want = deviates(flag[f].value, n, k, last - first);

				assert_int_equal(tv_table_find(table, flag[f].column)->i[k], want);
				flagged += want;
			}
		}
		sample_release(&sample);
	}
	assert_true(flagged > 20);
}

/* Nodes of `cpus` CPUs and one GPU each; node 3 starts late, node 5 ends late. */
static void make_nodes(struct sample *s, unsigned nodes, unsigned cpus, unsigned tasks,
		       uint64_t *seed)
{
	struct tasks t;

	tasks_begin(&t);
	for (unsigned k = 0; k < nodes; k++)
		for (unsigned w = 0; w <= cpus; w++) {
			int64_t at = (k == 3 ? 90000000 : 0) + (int64_t)unit_random(seed, 1000000);
			char node[16], name[32];

			snprintf(node, sizeof node, "%u", k);
			snprintf(name, sizeof name, "%s%u_%u", w < cpus ? "CPU" : "CUDA", w, k);
			for (unsigned i = 0; i < (k == 5 ? tasks * 2 : tasks); i++) {
				int64_t length = 300000000 / tasks
					       + (int64_t)unit_random(seed, 1000000);

				tasks_add(&t, node, name, "potrf", "app", at, at + length);
				at += length + (int64_t)unit_random(seed, 90000000 / tasks);
			}
		}
	tasks_sample(&t, s);
}

/* How many flags of nodes the pass sets. */
static unsigned count_flags(struct sample *s)
{
	static const char *const name[] = { "LateStart", "LateEnd", "MoreWork" };
	const struct tv_table *table = tv_run_pass(&s->run, "stragglers", NULL, &s->err);
	unsigned n = 0;

	assert_non_null(table);
	for (uint32_t row = 0; row < table->nrows; row++)
		for (size_t i = 0; i < TV_COUNT(name); i++)
			n += tv_table_find(table, name[i])->i[row] == 1;
	return n;
}

/* On any page: no text touches another, no node is named twice, and nodes that stand out are named
 * in bold. */
static void names_of_nodes(void **state)
{
	static const struct {
		unsigned nodes, cpus;
		double width, height;
		const char *collapse;
		unsigned min; /* names, at least */
	} row[] = {
		{ 2, 3, 7, 0, "auto", 2 },    { 8, 20, 7, 0, "auto", 8 },
		{ 50, 20, 7, 0, "auto", 50 }, { 50, 20, 3.5, 0, "auto", 50 },
		{ 64, 30, 7, 0, "auto", 64 }, { 64, 30, 3.5, 0, "node", 64 },
		{ 64, 30, 7, 3, "auto", 10 }, { 300, 2, 7, 0, "type", 20 },
		{ 300, 2, 3.5, 4, "no", 10 }, { 12, 1, 7, 0, "auto", 12 },
		{ 30, 0, 7, 0, "auto", 30 },  { 16, 30, 7, 0, "node", 16 },
	};

	(void)state;
	for (size_t r = 0; r < TV_COUNT(row); r++) {
		struct tv_setting setting[SETTINGS_MAX];
		struct tv_plot_options options = drawn_options(
			setting, (const char *const[]){ "collapse", row[r].collapse, NULL });
		struct tv_text *text = figure_text();
		uint64_t seed = unit_seed(r + 1);
		unsigned found = 0, bold = 0;
		bool *seen = tv_alloc(row[r].nodes, sizeof *seen);
		struct tv_scene scene;
		struct sample s;

		options.width_in = row[r].width;
		options.height_in = row[r].height;
		make_nodes(&s, row[r].nodes, row[r].cpus, 8, &seed);
		figure_scene(&s, &options, text, png_cell, &scene);
		check_scene(&scene, "nodes");
		for (size_t i = 0; i < scene.n; i++) {
			const struct tv_shape *shape = &scene.shape[i];
			const char *name = tv_pool_text(scene.strings, shape->first);
			unsigned node;

			if (!shape_is(&scene, shape, "node-name"))
				continue;
			assert_true(sscanf(name, "node %u", &node) == 1
				    || sscanf(name, "%u", &node) == 1);
			assert_true(node < row[r].nodes);
			assert_false(seen[node]);
			seen[node] = true;
			found++;
			bold += shape->bold && (node == 3 || node == 5);
		}
		if (found < row[r].min)
			fail_msg("%u of %u nodes are named, expected %u", found, row[r].nodes,
				 row[r].min);
		/* The two are near each other: on low pages one is left out. */
		assert_true(bold == 2 || row[r].nodes <= 5 || (bold == 1 && found < row[r].nodes));
		assert_int_equal(count(&scene, "accent"), count_flags(&s));
		tv_free(seen);
		tv_scene_release(&scene);
		tv_text_free(text);
		sample_release(&s);
	}
}

/* The idleness beside the names is that of the pass, however the workers are joined. */
static void idleness_of_nodes(void **state)
{
	static const char *const options[][5] = { { "collapse", "node", NULL },
						  { "collapse", "type", NULL },
						  { "aggregate", "nodes", "step", "10", NULL } };

	(void)state;
	for (size_t o = 0; o < TV_COUNT(options); o++) {
		uint64_t seed = unit_seed(1);
		const struct tv_table *table;
		struct sample s;
		struct drawn d;
		uint32_t n = 0;

		make_nodes(&s, 64, 20, 8, &seed);
		draw(&d, &s, 7, png_cell, options[o]);
		table = tv_run_pass(&s.run, "stragglers", NULL, &s.err);
		assert_non_null(table);
		for (size_t i = 0; i < d.scene.n; i++) {
			const struct tv_shape *shape = &d.scene.shape[i];
			const char *text = tv_pool_text(d.scene.strings, shape->first);
			char want[32];

			if (!shape_is(&d.scene, shape, "idleness") || strcmp(text, "idle %") == 0)
				continue;
			assert_true(n < table->nrows);
			snprintf(want, sizeof want, "%.1f",
				 tv_table_find(table, "Idleness")->d[n++]);
			assert_string_equal(text, want);
		}
		assert_int_equal(n, 64);
		undraw(&d);
		sample_release(&s);
	}
}

/* What share of a pixel has a color, the rest being white, in linear light by its green channel. */
static double part_of(uint32_t pixel)
{
	double light[3];
	uint32_t value[3] = { pixel >> 8 & 0xff, 0x83, 0xff };

	for (int i = 0; i < 3; i++) {
		double c = value[i] / 255.0;

		light[i] = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
	}
	return (light[2] - light[0]) / (light[2] - light[1]);
}

/* The image of each joined row holds the busy time that the pass finds for its workers, in total and
 * by slices of time. */
static void joined_rows_have_the_shares_of_the_pass(void **state)
{
	enum { NODES = 6, CPUS = 5, SLICE = 100000000 };

	(void)state;
	for (int by_type = 0; by_type <= 1; by_type++) {
		uint64_t seed = unit_seed(1);
		const struct tv_table *table;
		const struct tv_column *begin, *node, *time, *workers;
		struct sample s;
		struct drawn d;
		unsigned images = 0;
		double total = 0, drawn = 0;

		make_nodes(&s, NODES, CPUS, 30, &seed);
		draw(&d, &s, 7, png_cell,
		     (const char *const[]){ "collapse", by_type ? "type" : "node", NULL });
		table = tv_run_pass_with(&s.run, "utilization", &s.err, "by", "node", "step", "100",
					 NULL);
		assert_non_null(table);
		begin = tv_table_find(table, "Start");
		node = tv_table_find(table, "Node");
		time = tv_table_find(table, "Time");
		workers = tv_table_find(table, "Workers");
		for (uint32_t row = 0; row < table->nrows; row++)
			total += (double)time->i[row];
		for (size_t i = 0; i < d.scene.n; i++) {
			const struct tv_shape *shape = &d.scene.shape[i];
			const struct tv_image *image;
			double width;

			if (shape->kind != TV_SHAPE_IMAGE)
				continue;
			image = &d.scene.image[shape->first];
			width = (shape->x1 - shape->x0) / image->width; /* ns of a column */
			assert_true(image->height >= 4);
			for (uint32_t row = 0; row < table->nrows; row++) {
				double sum = 0, from = (double)(begin->i[row] - s.run.tasks.begin);
				char name[16];

				snprintf(name, sizeof name, "%u", images);
				if (by_type
				    || strcmp(name, tv_pool_text(table->pool, tv_label(node, row)))
					       != 0)
					continue;
				for (uint32_t x = 0; x < image->width; x++) {
					double at = shape->x0 + (x + 0.5) * width;

					for (uint32_t y = 0;
					     at >= from && at < from + SLICE && y < image->height;
					     y++)
						sum += part_of(image->pixel[y * image->width + x])
						     / image->height * width;
				}
				/* Columns are cut at whole ones. */
				assert_true(
					fabs(sum * (double)workers->i[row] - (double)time->i[row])
					< 2 * width * (double)workers->i[row]);
			}
			for (uint32_t p = 0; p < image->width * image->height; p++)
				drawn += part_of(image->pixel[p]) / image->height * width
				       * (by_type ? images % 2 == 1 ? CPUS : 1 : CPUS + 1);
			images++;
		}
		assert_int_equal(images, by_type ? 2 * NODES : NODES);
		if (fabs(drawn / total - 1) > 0.005)
			fail_msg("%g of the time is drawn", drawn / total);
		undraw(&d);
		sample_release(&s);
	}
}

/* A run on one node has neither header nor names of nodes; a selected node of several has. */
static void one_node(void **state)
{
	uint64_t seed = unit_seed(2);
	struct sample s;
	struct drawn d;
	bool *chosen;

	(void)state;
	make_nodes(&s, 1, 4, 8, &seed);
	draw(&d, &s, 7, png_cell, (const char *const[]){ NULL });
	assert_int_equal(count(&d.scene, "node-name") + count(&d.scene, "node-bound"), 0);
	undraw(&d);
	sample_release(&s);
	make_nodes(&s, 6, 4, 8, &seed);
	chosen = tv_alloc(s.run.tasks.nworkers, sizeof *chosen);
	for (uint32_t w = 0; w < s.run.tasks.nworkers; w++)
		chosen[w] = s.run.tasks.workers[w].node == 5;
	tv_run_select(&s.run, chosen);
	draw(&d, &s, 7, png_cell, (const char *const[]){ NULL });
	assert_int_equal(count(&d.scene, "node-name"), 1);
	assert_int_equal(count(&d.scene, "node-bound"), 1);
	/* It stands out from all nodes of the run. */
	assert_int_equal(count(&d.scene, "accent"), 2);
	undraw(&d);
	sample_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stragglers_by_brute_force),
		cmocka_unit_test(names_of_nodes),
		cmocka_unit_test(idleness_of_nodes),
		cmocka_unit_test(joined_rows_have_the_shares_of_the_pass),
		cmocka_unit_test(one_node),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
