/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_message_arrows.c -- arrows for messages over the space-time panel: which, from when to when,
 * from where to where. */
#include "tests/unit/drawn.h"

static const double pdf_cell = 72.0 / 600;
static const double near = 0.01; /* points */

enum { NODES = 4, MS = 1000000 };

/* Each node runs tasks from 0 to 100 ms on two workers; n messages between random nodes. */
static void make_messages(struct sample *s, unsigned n, uint64_t *seed)
{
	struct tasks t;

	tasks_begin(&t);
	for (unsigned k = 0; k < NODES; k++)
		for (unsigned w = 0; w < 2; w++)
			for (unsigned i = 0; i < 5; i++) {
				char node[16], name[32];

				snprintf(node, sizeof node, "%u", k);
				snprintf(name, sizeof name, "%u_CPU%u", k, w);
				tasks_add(&t, node, name, "a", "app", 20 * MS * i,
					  20 * MS * (i + 1));
			}
	tasks_sample(&t, s);
	for (unsigned i = 0; i < n; i++) {
		unsigned from = (unsigned)unit_random(seed, NODES),
			 to = (from + 1 + (unsigned)unit_random(seed, NODES - 1)) % NODES;
		int64_t start = (int64_t)unit_random(seed, 80 * MS);
		char key[16], origin[32], dest[32];

		snprintf(key, sizeof key, "m%u", i);
		snprintf(origin, sizeof origin, "%u_mpict", from);
		snprintf(dest, sizeof dest, "%u_mpict", to);
		sample_message(s, key, origin, dest, start,
			       start + (int64_t)unit_random(seed, 20 * MS), 100);
	}
}

static const struct tv_table *run_messages(struct sample *s)
{
	const struct tv_table *table = tv_run_pass(&s->run, "messages", NULL, &s->err);

	if (table == NULL)
		fail_msg("%s", s->err.text);
	return table;
}

/* The first shape of a class for a row; NULL if there is none. */
static const struct tv_shape *find(const struct tv_scene *scene, const char *class, uint32_t row)
{
	for (size_t i = 0; i < scene->n; i++)
		if (scene->shape[i].row == row && shape_is(scene, &scene->shape[i], class))
			return &scene->shape[i];
	return NULL;
}

/* A point of a line on the page. */
static struct tv_point on_page(const struct tv_scene *scene, const struct tv_shape *shape,
			       uint32_t i)
{
	const struct tv_frame *f = &scene->frame[shape->frame];
	struct tv_point point = scene->point[shape->first + i];

	return (struct tv_point){ tv_frame_x(f, point.x), tv_frame_y(f, point.y) };
}

/* Upper and lower edge of the tasks of a node on the page. */
static void edges_of(const struct sample *s, const struct tv_scene *scene, uint32_t node,
		     double y[2])
{
	const struct tv_tasks *tasks = &s->run.tasks;

	y[0] = INFINITY;
	y[1] = -INFINITY;
	for (size_t i = 0; i < scene->n; i++) {
		const struct tv_shape *shape = &scene->shape[i];
		double box[4];

		if (!shape_is(scene, shape, "task")
		    || tasks->node[tasks->workers[tasks->worker[shape->row]].node].label != node)
			continue;
		tv_shape_box(scene, shape, box);
		y[0] = fmin(y[0], box[1]);
		y[1] = fmax(y[1], box[3]);
	}
	assert_true(y[0] < y[1]);
}

/* Every arrow begins when its message is sent, at the edge of its node towards the other one, and its
 * head is where and when it arrives. */
static void check_arrow(struct sample *s, const struct drawn *d, const struct tv_table *table,
			uint32_t row)
{
	const struct tv_shape *head = find(&d->scene, "message-head", row),
			      *shaft = find(&d->scene, "message", row);
	const struct tv_column *origin = tv_table_find(table, "Origin"),
			       *dest = tv_table_find(table, "Dest");
	const struct tv_frame *f;
	struct tv_point tip, tail;
	double from[2], to[2];

	assert_non_null(head);
	assert_non_null(shaft);
	f = &d->scene.frame[head->frame];
	tip = on_page(&d->scene, head, 0);
	tail = on_page(&d->scene, shaft, 0);
	assert_true(
		fabs(tip.x - tv_frame_x(f, tv_frame_time(f, tv_table_find(table, "End")->i[row])))
		< near);
	assert_true(fabs(tail.x
			 - tv_frame_x(f, tv_frame_time(f, tv_table_find(table, "Start")->i[row])))
		    < near);
	edges_of(s, &d->scene, tv_label(origin, row), from);
	edges_of(s, &d->scene, tv_label(dest, row), to);
	/* Rows are a sixth higher than their tasks. */
	assert_true(fabs(tail.y - (from[0] < to[0] ? from[1] : from[0])) < 4);
	assert_true(fabs(tip.y - (from[0] < to[0] ? to[0] : to[1])) < 4);
	/* What is outside the rows, the header of a node hides. */
	if (count(&d->scene, "node-paper") > 0)
		assert_true(from[0] < to[0] ? tip.y > to[0] + 1 : tip.y < to[1]);
}

static void arrows_are_the_messages(void **state)
{
	(void)state;
	for (uint64_t k = 1; k <= 5; k++) {
		uint64_t seed = unit_seed(k);
		const struct tv_table *table;
		struct sample s;
		struct drawn d;

		make_messages(&s, 40, &seed);
		draw(&d, &s, 7, pdf_cell, (const char *const[]){ "messages", "all", NULL });
		table = run_messages(&s);
		assert_int_equal(table->nrows, 40);
		assert_int_equal(count(&d.scene, "message-head"), 40);
		for (uint32_t row = 0; row < table->nrows; row++)
			check_arrow(&s, &d, table, row);
		undraw(&d);
		sample_release(&s);
	}
}

static bool has_text(const struct tv_scene *scene, const char *text)
{
	for (size_t i = 0; i < scene->n; i++)
		if (scene->shape[i].kind == TV_SHAPE_TEXT
		    && strcmp(tv_pool_text(scene->strings, scene->shape[i].first), text) == 0)
			return true;
	return false;
}

/* The slowest ones, and no more than the figure can show; the title has both numbers. */
static void slowest(void **state)
{
	static const struct {
		unsigned n;
		const char *which, *title;
		unsigned drawn;
	} row[] = {
		{ 30, "slowest:7", "the slowest 7 of 30 messages", 7 },
		{ 30, "slowest:1", "the slowest of 30 messages", 1 },
		{ 30, "slowest:90", "30 messages", 30 },
		{ 400, "all", "the slowest 300 of 400 messages", 300 },
		{ 400, "slowest:350", "the slowest 300 of 400 messages", 300 },
		{ 1, "all", "1 message", 1 },
	};

	(void)state;
	for (size_t r = 0; r < TV_COUNT(row); r++) {
		uint64_t seed = unit_seed(r + 1);
		const struct tv_table *table;
		const int64_t *length;
		struct sample s;
		struct drawn d;

		make_messages(&s, row[r].n, &seed);
		draw(&d, &s, 7, pdf_cell, (const char *const[]){ "messages", row[r].which, NULL });
		table = run_messages(&s);
		length = tv_table_find(table, "Duration")->i;
		assert_int_equal(count(&d.scene, "message-head"), row[r].drawn);
		assert_true(has_text(&d.scene, row[r].title));
		for (uint32_t i = 0; i < table->nrows; i++) {
			unsigned slower = 0;

			for (uint32_t k = 0; k < table->nrows; k++)
				slower += length[k] > length[i]
				       || (length[k] == length[i] && k < i);
			assert_int_equal(find(&d.scene, "message-head", i) != NULL,
					 slower < row[r].drawn);
		}
		check_scene(&d.scene, row[r].title);
		undraw(&d);
		sample_release(&s);
	}
}

/* Equally slow messages are left out at equal steps, not at the end of the run. */
static void equally_slow(void **state)
{
	enum { N = 40, DRAWN = 6 };
	static const bool shown[N] = { [3] = true, [17] = true };
	uint64_t seed = unit_seed(1);
	struct sample s;
	struct drawn d;
	uint32_t last = 0;

	(void)state;
	make_messages(&s, 0, &seed);
	for (unsigned i = 0; i < N; i++) {
		char key[16];

		snprintf(key, sizeof key, "m%u", i);
		sample_message(&s, key, "0_mpict", "1_mpict", 2 * MS * i,
			       2 * MS * i + (shown[i] ? 5 : 1) * MS, 100);
	}
	draw(&d, &s, 7, pdf_cell, (const char *const[]){ "messages", "slowest:6", NULL });
	assert_int_equal(count(&d.scene, "message-head"), DRAWN);
	for (uint32_t i = 0; i < N; i++) {
		if (shown[i])
			assert_non_null(find(&d.scene, "message-head", i));
		else if (find(&d.scene, "message-head", i) == NULL)
			continue;
		assert_true(i - last < N / 2);
		last = i;
	}
	assert_true(last > N / 2);
	undraw(&d);
	sample_release(&s);
}

/* Of two messages one is on the observed chain; it leads from the task that made its data to the
 * one that waited for them. Joined rows have no tasks: it leads from edge to edge. */
static void chain(void **state)
{
	static const char csv[] = "ResourceId,Value,Start,End,JobId,Kind,DependsOn,Node\n"
				  "0_CPU0,a,0,10,1,app,,0\n0_CPU1,a,0,5,2,app,,0\n"
				  "1_CPU0,b,25,60,3,app,m,1\n1_CPU1,b,9,20,4,app,n,1\n"
				  ",send,12,22,m,message,1,\n,send,6,8,n,message,2,\n";

	(void)state;
	for (int joined = 0; joined <= 1; joined++) {
		struct sample s;
		struct drawn d;
		double from[4], to[4];
		const struct tv_shape *shape;
		struct tv_point tip, tail;

		sample_make(&s, csv);
		sample_message(&s, "m", "0_mpict", "1_mpict", 12 * MS, 22 * MS, 4000);
		sample_message(&s, "n", "0_mpict", "1_mpict", 6 * MS, 8 * MS, 4000);
		draw(&d, &s, 7, pdf_cell,
		     (const char *const[]){ "messages", "chain", "collapse", joined ? "node" : "no",
					    NULL });
		assert_int_equal(count(&d.scene, "message-head"), 1);
		shape = find(&d.scene, "message-head", 0); /* the row of m */
		assert_non_null(shape);
		assert_true(has_text(&d.scene, "1 message of chains"));
		tip = on_page(&d.scene, shape, 0);
		tail = on_page(&d.scene, find(&d.scene, "message", 0), 0);
		if (!joined) {
			tv_shape_box(&d.scene, find(&d.scene, "task", 0), from);
			tv_shape_box(&d.scene, find(&d.scene, "task", 2), to);
			assert_true(fabs(tail.y - (from[1] + from[3]) / 2) < near);
			assert_true(fabs(tip.y - (to[1] + to[3]) / 2) < near);
		}
		assert_true(tail.y < tip.y);
		undraw(&d);
		sample_release(&s);
	}
}

static void add_thread(struct sample *s, const char *name, const char *node)
{
	uint32_t row = tv_table_add_row(&s->trace.table[TV_RESOURCES]);

	sample_text(s, TV_RESOURCES, row, "ResourceId", name);
	sample_text(s, TV_RESOURCES, row, "ResourceType", "MPI Communication Thread");
	sample_text(s, TV_RESOURCES, row, "Node", node);
	tv_table_finish(&s->trace.table[TV_RESOURCES]);
}

/* The threads that communicate have rows with their states; those without length are ticks unless
 * others of their type fill time. Messages lead from thread to thread. */
static void threads(void **state)
{
	uint64_t seed = unit_seed(1);
	const struct tv_table *table;
	struct sample s;
	struct drawn d;
	double box[4], y[2];
	unsigned ticks = 0;

	(void)state;
	make_messages(&s, 10, &seed);
	for (unsigned k = 0; k < NODES; k++) {
		char name[32], node[16];

		snprintf(name, sizeof name, "%u_mpict", k);
		snprintf(node, sizeof node, "%u", k);
		add_thread(&s, name, node);
		sample_state(&s, name, "Polling", 0, 30 * MS);
		sample_state(&s, name, "SendSubmitted", 30 * MS, 30 * MS);
		sample_state(&s, name, "Polling", 40 * MS, 40 * MS);
		sample_state(&s, name, "Processing", 50 * MS, 90 * MS);
	}
	/* a thread of a runtime is none of them */
	sample_state(&s, "0_T1", "Executing", 0, 90 * MS);
	draw(&d, &s, 7, pdf_cell, (const char *const[]){ "mpi", "yes", "messages", "all", NULL });
	assert_int_equal(count(&d.scene, "state"), 2 * NODES);
	assert_true(has_text(&d.scene, "SendSubmitted"));
	assert_false(has_text(&d.scene, "Executing"));
	for (size_t i = 0; i < d.scene.n; i++) {
		const struct tv_shape *shape = &d.scene.shape[i];
		const struct tv_frame *f = &d.scene.frame[shape->frame];

		if (!shape_is(&d.scene, shape, "mpi-tick"))
			continue;
		assert_true(fabs(on_page(&d.scene, shape, 0).x
				 - tv_frame_x(f, tv_frame_time(f, 30 * MS)))
			    < near);
		ticks++;
	}
	assert_int_equal(ticks, NODES);
	table = run_messages(&s);
	for (uint32_t row = 0; row < table->nrows; row++) {
		uint32_t node = tv_label(tv_table_find(table, "Dest"), row);
		const struct tv_shape *rect;
		char name[32];
		uint32_t k = 0;

		/* Its first state is row 4 k of states. */
		snprintf(name, sizeof name, "%s", tv_pool_text(table->pool, node));
		k = (uint32_t)(name[0] - '0');
		rect = find(&d.scene, "state", 4 * k);
		assert_non_null(rect);
		tv_shape_box(&d.scene, rect, box);
		edges_of(&s, &d.scene, node, y);
		assert_true(box[1] >= y[1]);
		y[0] = on_page(&d.scene, find(&d.scene, "message-head", row), 0).y;
		assert_true(y[0] > box[1] && y[0] < box[3] + 1);
	}
	check_scene(&d.scene, "threads");
	undraw(&d);
	sample_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arrows_are_the_messages),
		cmocka_unit_test(slowest),
		cmocka_unit_test(equally_slow),
		cmocka_unit_test(chain),
		cmocka_unit_test(threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
