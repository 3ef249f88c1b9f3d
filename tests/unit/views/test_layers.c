/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_layers.c -- what lies over the tasks of the space-time panel, against the passes and against
 * the tasks as drawn. */
#include "tests/unit/drawn.h"

static const double pdf_cell = 72.0 / 600;
static const double near = 0.01; /* points */

/* The box of the rectangle of a class for a row of a table; false if there is none. */
static bool find_box(const struct tv_scene *scene, const char *class, uint32_t row, double box[4])
{
	for (size_t i = 0; i < scene->n; i++)
		if (scene->shape[i].row == row && shape_is(scene, &scene->shape[i], class)) {
			tv_shape_box(scene, &scene->shape[i], box);
			return true;
		}
	return false;
}

/* How many lines of a class go from (x0, y0) to (x1, y1) on the page. */
static unsigned find_line(const struct tv_scene *scene, const char *class, double x0, double y0,
			  double x1, double y1)
{
	unsigned n = 0;

	for (size_t i = 0; i < scene->n; i++) {
		const struct tv_shape *shape = &scene->shape[i];
		const struct tv_frame *f = &scene->frame[shape->frame];
		const struct tv_point *p = &scene->point[shape->first];

		n += shape->kind == TV_SHAPE_POLYLINE && shape_is(scene, shape, class)
		  && fabs(tv_frame_x(f, p[0].x) - x0) < near
		  && fabs(tv_frame_y(f, p[0].y) - y0) < near
		  && fabs(tv_frame_x(f, p[1].x) - x1) < near
		  && fabs(tv_frame_y(f, p[1].y) - y1) < near;
	}
	return n;
}

/* Tasks of a random graph on some workers: each depends on up to three earlier ones. */
static void make_graph(struct sample *s, unsigned tasks, unsigned workers, uint64_t seed)
{
	static const char *const type[] = { "potrf", "gemm", "trsm" };
	int64_t free_at[64] = { 0 }, end[512];
	char *csv = tv_strdup("ResourceId,Value,Start,End,JobId,DependsOn\n");

	unit_seed(seed);
	assert_true(tasks <= TV_COUNT(end) && workers <= TV_COUNT(free_at));
	for (unsigned i = 0; i < tasks; i++) {
		unsigned w = (unsigned)unit_random(&seed, workers), n = i == 0 ? 0 : 3;
		int64_t start = free_at[w];
		char deps[64] = "", from[TV_NUMBER_MAX], to[TV_NUMBER_MAX], *longer;

		for (unsigned k = 0; k < n; k++) {
			unsigned on = (unsigned)unit_random(&seed, i);

			start = end[on] > start ? end[on] : start;
			snprintf(deps + strlen(deps), sizeof deps - strlen(deps), " %u", on);
		}
		start += (int64_t)unit_random(&seed, 3000000);
		end[i] = free_at[w] = start + 4000000 + (int64_t)unit_random(&seed, 9000000);
		tv_write_ms(from, start);
		tv_write_ms(to, end[i]);
		longer = tv_format("%sCPU%u,%s,%s,%s,%u,%s\n", csv, w, type[i % 3], from, to, i,
				   deps);
		tv_free(csv);
		csv = longer;
	}
	sample_make(s, csv);
	tv_free(csv);
}

static const struct tv_table *run_chain(struct sample *s, const char *tasks, const char *depth)
{
	const struct tv_table *table = tv_run_pass(&s->run, "chain",
						   (const char *const[]){ tasks, depth }, &s->err);

	if (table == NULL)
		fail_msg("%s", s->err.text);
	return table;
}

/* Around every task of a path lies an outline inside its rectangle; from its middle left a line
 * goes to the middle right of the one before; there are no others. */
static void paths_are_those_of_the_pass(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 6; seed++) {
		const struct tv_table *chain;
		const struct tv_column *path, *previous;
		unsigned outlines = 0, lines = 0, drawn;
		struct drawn d;
		struct sample s;

		make_graph(&s, 40, 5, seed);
		draw(&d, &s, 12, pdf_cell,
		     (const char *const[]){ "merged", "type:potrf", "depth", "2", NULL });
		chain = run_chain(&s, "type:potrf", "2");
		path = tv_table_find(chain, "Path");
		previous = tv_table_find(chain, "Previous");
		for (uint32_t row = 0; row < chain->nrows; row++) {
			double task[4], box[4], before[4];
			uint32_t from = 0;

			assert_true(find_box(&d.scene, "task", row, task)
				    || find_box(&d.scene, "outlier", row, task));
			drawn = find_box(&d.scene, "path", row, box);
			assert_int_equal(drawn, !tv_missing(path, row));
			outlines += drawn;
			if (drawn)
				assert_true(box[0] >= task[0] - near && box[1] >= task[1] - near
					    && box[2] <= task[2] + near && box[3] <= task[3] + near
					    && box[2] - box[0] > task[2] - task[0] - 4);
			if (tv_missing(previous, row))
				continue;
			while (tv_label(previous, row) != s.run.tasks.job[from])
				from++;
			assert_true(find_box(&d.scene, "task", from, before)
				    || find_box(&d.scene, "outlier", from, before));
			assert_int_equal(find_line(&d.scene, "path", before[2],
						   (before[1] + before[3]) / 2, task[0],
						   (task[1] + task[3]) / 2),
					 1);
			lines++;
		}
		assert_true(lines > 5);
		assert_int_equal(count(&d.scene, "path"), outlines + lines);
		assert_int_equal(count(&d.scene, "casing"), outlines + lines);
		undraw(&d);
		sample_release(&s);
	}
}

/* Each chosen task's chain has a color of its own; a step that chains share has that of the
 * nearest. */
static void chains_have_colors(void **state)
{
	/* 3 <- 2 <- 1 and 5 <- 4 <- 2: the chains of 3 and 5 share 2 and 1. */
	static const char csv[] = "ResourceId,Value,Start,End,JobId,DependsOn\n"
				  "CPU0,a,0,10,1,\nCPU0,a,10,20,2,1\nCPU0,b,20,30,3,2\n"
				  "CPU1,a,20,30,4,2\nCPU1,b,30,40,5,4\n";
	uint32_t color[5] = { 0 };
	struct drawn d;
	struct sample s;

	(void)state;
	sample_make(&s, csv);
	draw(&d, &s, 7, pdf_cell, (const char *const[]){ "chains", "type:b", NULL });
	for (size_t i = 0; i < d.scene.n; i++)
		if (d.scene.shape[i].kind == TV_SHAPE_RECT
		    && shape_is(&d.scene, &d.scene.shape[i], "chain"))
			color[d.scene.shape[i].row] = d.scene.shape[i].stroke;
	assert_true(color[0] != 0 && color[4] != 0 && color[2] != color[4]);
	assert_int_equal(color[1], color[2]);
	assert_int_equal(color[0], color[2]);
	assert_int_equal(color[3], color[4]);
	check_scene(&d.scene, "chains");
	undraw(&d);
	sample_release(&s);
}

/* All dependencies of one task, the last one by another class; a message on its own way. */
static void dependencies_and_messages(void **state)
{
	static const char csv[] =
		"ResourceId,Value,Start,End,JobId,Kind,Node,DependsOn\n"
		"CPU0,a,0,10,1,app,0,\nCPU1,a,0,14,2,app,0,\nCPU1,b,20,30,3,app,0,1 2\n"
		",,22,27,m,message,,1\nCPU2,c,30,40,4,app,1,m\n";
	double one[4], two[4], three[4], four[4], scale, zero;
	struct drawn d;
	struct sample s;

	(void)state;
	sample_make(&s, csv);
	draw(&d, &s, 7, pdf_cell, (const char *const[]){ "tasks", "id:3", "deps", "all", NULL });
	assert_true(find_box(&d.scene, "task", 0, one) && find_box(&d.scene, "task", 1, two)
		    && find_box(&d.scene, "task", 2, three));
	assert_int_equal(find_line(&d.scene, "dependency", one[2], (one[1] + one[3]) / 2, three[0],
				   (three[1] + three[3]) / 2),
			 1);
	assert_int_equal(find_line(&d.scene, "last-dependency", two[2], (two[1] + two[3]) / 2,
				   three[0], (three[1] + three[3]) / 2),
			 1);
	assert_int_equal(count(&d.scene, "chosen"), 1);
	undraw(&d);
	draw(&d, &s, 7, pdf_cell, (const char *const[]){ "tasks", "id:4", NULL });
	assert_true(find_box(&d.scene, "task", 0, one) && find_box(&d.scene, "task", 4, four));
	zero = one[0];
	scale = (one[2] - one[0]) / 10; /* points per ms */
	assert_int_equal(find_line(&d.scene, "transfer", zero + 22 * scale, (one[1] + one[3]) / 2,
				   zero + 27 * scale, (four[1] + four[3]) / 2),
			 1);
	assert_int_equal(find_line(&d.scene, "last-dependency", one[2], (one[1] + one[3]) / 2,
				   zero + 22 * scale, (one[1] + one[3]) / 2),
			 1);
	assert_int_equal(find_line(&d.scene, "last-dependency", zero + 27 * scale,
				   (four[1] + four[3]) / 2, four[0], (four[1] + four[3]) / 2),
			 1);
	undraw(&d);
	sample_release(&s);
}

/* Every task of the observed chain is outlined, every wait is a line as long as it was. */
static void observed_chain_is_that_of_the_pass(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 6; seed++) {
		const struct tv_table *table;
		const struct tv_column *segment, *start, *end;
		unsigned tasks = 0, waits = 0, found = 0;
		double scale;
		struct drawn d;
		struct sample s;

		make_graph(&s, 40, 4, seed);
		draw(&d, &s, 12, pdf_cell, (const char *const[]){ "observed", "both", NULL });
		table = tv_run_pass(&s.run, "critical-path", NULL, &s.err);
		segment = tv_table_find(table, "Part");
		start = tv_table_find(table, "Start");
		end = tv_table_find(table, "End");
		scale = d.scene.frame[1].width / d.scene.frame[1].duration;
		for (uint32_t row = 0; row < table->nrows; row++) {
			const char *kind = tv_pool_text(table->pool, tv_label(segment, row));
			bool wait = strcmp(kind, "wait") == 0;

			tasks += !wait;
			/* Shorter ones in one row are not to be seen. */
			wait = wait && (double)(end->i[row] - start->i[row]) * scale > 0.5;
			waits += wait;
			for (size_t i = 0; wait && i < d.scene.n; i++) {
				double box[4];

				tv_shape_box(&d.scene, &d.scene.shape[i], box);
				found += shape_is(&d.scene, &d.scene.shape[i], "wait")
				      && fabs(box[0] - d.scene.frame[1].x
					      - (double)start->i[row] * scale)
						 < near
				      && fabs(box[2] - d.scene.frame[1].x
					      - (double)end->i[row] * scale)
						 < near;
			}
		}
		assert_true(waits > 3);
		assert_int_equal(found, waits);
		assert_int_equal(count(&d.scene, "critical"), tasks);
		assert_true(count(&d.scene, "wait") >= waits);
		assert_true(count(&d.scene, "wait") <= table->nrows - tasks);
		undraw(&d);
		sample_release(&s);
	}
}

/* Thousands of tasks of one path: few shapes, and over every task lies one of them. */
static void many_outlines_are_few_shapes(void **state)
{
	enum { TASKS = 6000 };
	static char covered[TASKS];
	char *csv = NULL;
	size_t n = 0, cap = 0;
	double scale, box[4];
	struct drawn d;
	struct sample s;

	(void)state;
	TV_GROW(csv, n, cap, 100 * TASKS);
	n = (size_t)sprintf(csv, "ResourceId,Value,Start,End,JobId,DependsOn\n");
	for (int i = 0; i < TASKS; i++)
		n += (size_t)sprintf(csv + n, "CPU%d,a,%d,%d,%d,%.0d\n", i % 3, i, i + 1, i + 1, i);
	sample_make(&s, csv);
	tv_free(csv);
	draw(&d, &s, 7, pdf_cell, (const char *const[]){ "merged", "last", "depth", "root", NULL });
	assert_true(count(&d.scene, "path") > 3);
	assert_true(count(&d.scene, "path") < 4000);
	scale = d.scene.frame[1].width / d.scene.frame[1].duration * 1e6;
	for (size_t i = 0; i < d.scene.n; i++) {
		if (!shape_is(&d.scene, &d.scene.shape[i], "path"))
			continue;
		tv_shape_box(&d.scene, &d.scene.shape[i], box);
		for (int k = 0; k < TASKS; k++)
			covered[k] |= d.scene.shape[i].kind == TV_SHAPE_RECT
				   && box[0] - 2 <= d.scene.frame[1].x + k * scale
				   && box[2] + 2 >= d.scene.frame[1].x + (k + 1) * scale
				   && d.scene.shape[i].row % 3 == (uint32_t)k % 3;
	}
	for (int k = 0; k < TASKS; k++)
		if (!covered[k])
			fail_msg("task %d has no outline", k);
	undraw(&d);
	sample_release(&s);
}

enum { WORKERS = 3 };

/* A share of a row of the pass aggregate as drawn. */
static void check_share(const struct drawn *d, const struct tv_table *table, uint32_t row)
{
	const struct tv_frame *f = &d->scene.frame[1];
	double begin = tv_frame_x(f, (double)tv_table_find(table, "Start")->i[row]);
	double end = tv_frame_x(f, (double)tv_table_find(table, "End")->i[row]);
	double share = tv_table_find(table, "Share")->d[row], box[4], cells, height;
	bool pure = tv_table_find(table, "Pure")->i[row] == 1;

	if (!find_box(&d->scene, "share", row, box))
		fail_msg("row %u of the pass is not drawn", row);
	assert_true(fabs(box[0] - begin) < near && fabs(box[2] - end) < near);
	/* A sixth of every row is free for marks; rows may differ by a cell. */
	cells = floor(f->height / WORKERS / d->scene.cell);
	height = (cells - floor(cells / 6 + 0.5)) * d->scene.cell;
	if (!pure && fabs(box[3] - box[1] - share / 100 * height) > 1.1 * d->scene.cell)
		fail_msg("row %u: %.1f %% of %g is %.3f points high", row, share, height,
			 box[3] - box[1]);
}

static void groups_and_slices_are_those_of_the_pass(void **state)
{
	static const struct {
		const char *how, *option, *value, *types, *threshold, *keep, *step, *by;
	} row[] = {
		{ "consecutive", "threshold", "20", NULL, "20", "", NULL, NULL },
		{ "consecutive", "types", "gemm", "gemm", NULL, "", NULL, NULL },
		{ "slices", "step", "15", NULL, NULL, NULL, "15", "ResourceId" },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		const char *const value[] = { row[i].types, row[i].threshold, NULL,
					      row[i].keep,  row[i].step,      row[i].by };
		const struct tv_table *table;
		struct drawn d;
		struct sample s;
		unsigned tasks = 0;

		make_graph(&s, 60, WORKERS, i + 1);
		draw(&d, &s, 12, pdf_cell,
		     (const char *const[]){ "aggregate", row[i].how, row[i].option, row[i].value,
					    NULL });
		table = tv_run_pass(&s.run, "aggregate", value, &s.err);
		for (uint32_t r = 0; r < table->nrows; r++)
			if (tv_label(tv_table_find(table, "Part"), r)
			    == tv_pool_find_text(table->pool, "task")) {
				check_share(&d, table, r);
				tasks++;
			}
		assert_true(tasks > 20);
		assert_int_equal(count(&d.scene, "share"), tasks);
		check_scene(&d.scene, row[i].how);
		undraw(&d);
		sample_release(&s);
	}
}

/* Rows of a node and type: the mean of its workers, in the place of theirs. */
static void nodes_are_means(void **state)
{
	static const char csv[] = "ResourceId,Value,Start,End,JobId,Node,ResourceType\n"
				  "0_CPU0,a,0,40,1,0,CPU\n0_CPU1,a,0,20,2,0,CPU\n"
				  "0_CPU2,b,20,40,3,0,CPU\n0_CPU3,c,30,40,4,0,CPU\n"
				  "1_CUDA0,a,10,40,5,1,CUDA\n";
	double box[4], height = 0;
	struct drawn d;
	struct sample s;
	unsigned found = 0;

	(void)state;
	sample_make(&s, csv);
	draw(&d, &s, 7, pdf_cell,
	     (const char *const[]){ "aggregate", "nodes", "step", "10", NULL });
	for (size_t i = 0; i < d.scene.n; i++) {
		const struct tv_shape *shape = &d.scene.shape[i];

		if (!shape_is(&d.scene, shape, "share") || shape->x1 > 10e6)
			continue;
		/* The first slice: two of four CPUs run a, the only GPU nothing. */
		tv_shape_box(&d.scene, shape, box);
		height = box[3] - box[1];
		found++;
	}
	assert_int_equal(found, 1);
	for (size_t i = 0; i < d.scene.n; i++)
		if (shape_is(&d.scene, &d.scene.shape[i], "share") && d.scene.shape[i].x0 >= 30e6) {
			tv_shape_box(&d.scene, &d.scene.shape[i], box);
			/* a, b, c a quarter each; the GPU runs a. */
			assert_true(fabs(box[3] - box[1] - height / 2) < 0.02
				    || fabs(box[3] - box[1] - height * 2) < 0.3);
			found++;
		}
	assert_int_equal(found, 5);
	undraw(&d);
	sample_release(&s);
}

/* Texts stay apart and on the page with every layer, at every width. */
static void keys_never_overlap(void **state)
{
	static const char *const row[][SETTINGS_MAX * 2 + 1] = {
		{ "merged", "type:*", "depth", "1", "observed", "deps" },
		{ "chains", "type:*", "labels", "all" },
		{ "tasks", "delayed:1", "deps", "all", "labels", "first-last" },
		{ "aggregate", "consecutive", "observed", "both", "labels", "types" },
		{ "aggregate", "nodes", "bounds", "abe-node,tight,abe,cpe,makespan,abe-integer" },
		{ "bounds", "none", "idleness", "no", "labels", "none", "outliers", "no" },
		{ "gaps", "1ns", "labels", "first", "idleness", "runtime" },
	};
	static const double width[] = { 2.8, 3.5, 7.16, 12 };
	static const unsigned workers[] = { 1, 5, 60 };

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++)
		for (size_t w = 0; w < TV_COUNT(width) * TV_COUNT(workers); w++) {
			struct drawn d;
			struct sample s;

			make_graph(&s, 200, workers[w % 3], i + w + 1);
			draw(&d, &s, width[w / 3], w % 2 ? pdf_cell : 0.36, row[i]);
			check_scene(&d.scene, row[i][1]);
			undraw(&d);
			sample_release(&s);
		}
}

/* What the names of rows, the bounds and the idleness show is as asked for. */
static void options_choose_what_is_shown(void **state)
{
	static const struct {
		const char *option, *value, *class;
		unsigned n;
	} row[] = {
		{ "labels", "auto", "name", 9 },       { "labels", "all", "name", 9 },
		{ "labels", "none", "name", 0 },       { "labels", "first", "name", 1 },
		{ "labels", "first-last", "name", 2 }, { "labels", "types", "name", 1 },
		{ "labels", "types", "bracket", 1 },   { "idleness", "yes", "idleness", 10 },
		{ "idleness", "no", "idleness", 0 },   { "idleness", "runtime", "idleness", 0 },
		{ "bounds", "none", "bound-name", 0 }, { "bounds", "tight,abe", "bound-name", 2 },
	};
	struct sample s;

	(void)state;
	make_graph(&s, 200, 9, 4);
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		struct drawn d;

		draw(&d, &s, 7.16, pdf_cell,
		     (const char *const[]){ row[i].option, row[i].value, NULL });
		if (count(&d.scene, row[i].class) != row[i].n)
			fail_msg("%s %s: %u of %s, expected %u", row[i].option, row[i].value,
				 count(&d.scene, row[i].class), row[i].class, row[i].n);
		undraw(&d);
	}
	sample_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_are_those_of_the_pass),
		cmocka_unit_test(chains_have_colors),
		cmocka_unit_test(dependencies_and_messages),
		cmocka_unit_test(observed_chain_is_that_of_the_pass),
		cmocka_unit_test(many_outlines_are_few_shapes),
		cmocka_unit_test(groups_and_slices_are_those_of_the_pass),
		cmocka_unit_test(nodes_are_means),
		cmocka_unit_test(keys_never_overlap),
		cmocka_unit_test(options_choose_what_is_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
