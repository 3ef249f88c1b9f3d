/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_segments.c -- suspended tasks in the task graph: closed forms, and a scheduler's truth. */
#include "tests/unit/nested.h"

#include "analysis/bounds/longest.h"
#include "dag/blame.h"
#include "dag/observed.h"

enum { ROUNDS = 300, MS = 1000000 };

static const struct tv_dag *graph_of(struct sample *s, const struct nested *p, bool submit)
{
	char *csv = nested_csv(p, submit);
	const struct tv_dag *dag;

	sample_make(s, csv);
	free(csv);
	dag = tv_run_dag(&s->run, &s->err);
	if (dag == NULL)
		fail_msg("%s", s->err.text);
	return dag;
}

static struct nested *program(void)
{
	return tv_alloc(1, sizeof(struct nested));
}

static void fib(void **state)
{
	int tasks[13] = { 1, 1 }, leaves[13] = { 1, 1 };

	(void)state;
	for (int n = 0; n <= 12; n++) {
		struct nested *p = program();
		const struct tv_dag *dag;
		struct sample s;
		double *weight;
		uint32_t *path;

		if (n >= 2) {
			tasks[n] = 1 + tasks[n - 1] + tasks[n - 2];
			leaves[n] = leaves[n - 1] + leaves[n - 2];
		}
		nested_fib(p, -1, n, 2, 1, 1);
		nested_run(p, 1 + n % 4, NULL);
		dag = graph_of(&s, p, true);
		assert_int_equal(s.run.tasks.ntasks, tasks[n]);
		assert_int_equal(s.run.tasks.ncounted, 2 * tasks[n] - leaves[n]);
		assert_int_equal(dag->n, 2 * tasks[n] - leaves[n]);
		/* One creation per child, one wait per child, one edge between the segments. */
		assert_int_equal(dag->nedges, 2 * (tasks[n] - 1) + tasks[n] - leaves[n]);
		weight = tv_alloc(dag->n, sizeof *weight);
		path = tv_alloc(dag->n, sizeof *path);
		for (uint32_t v = 0; v < dag->n; v++)
			weight[v] = 1;
		assert_int_equal(tv_dag_longest(dag, weight, NULL, path), n < 2 ? 1 : 2 * n - 1);
		assert_int_equal(tv_dag_overtakes(dag), n >= 2 && p->nworkers > 1);
		tv_free(weight);
		tv_free(path);
		tv_free(p);
		sample_release(&s);
	}
}

static uint32_t node_at(const struct tv_dag *dag, uint32_t job, int64_t segment)
{
	for (uint32_t v = 0; v < dag->n; v++)
		if (tv_dag_job(dag, v) == job && tv_dag_segment(dag, v) == segment)
			return v;
	fail_msg("no segment %lld", (long long)segment);
	return 0;
}

/* Rows in any order; a segment missing; dependencies are on the last segment. */
static void by_hand(void **state)
{
	static const char csv[] =
		"ResourceId,Value,JobId,Segment,Start,End,DependsOn,ParentJob,SubmitTime\n"
		"CPU1,a,1,2,20,25,2,,\n"
		"CPU0,a,1,,0,10,,,0\n"
		"CPU0,b,2,0,8,14,1,1,4\n"
		"CPU0,b,3,0,26,30,1,,\n"
		"CPU0,b,4,0,30,31,1,1,21\n"
		"CPU0,b,5,0,31,32,1,1,\n";
	struct sample s;
	const struct tv_dag *dag;
	uint32_t one, first, last, got[8];
	int64_t released[8];
	struct tv_arrival how[8];

	(void)state;
	sample_make(&s, csv);
	dag = tv_run_dag(&s.run, &s.err);
	assert_non_null(dag);
	assert_int_equal(s.run.tasks.ntasks, 5);
	assert_int_equal(tv_task_time(&s.run.tasks, 0), 15 * MS);
	assert_int_equal(tv_task_time(&s.run.tasks, 1), 15 * MS);
	assert_true(tv_row_begins(&s.run.tasks, 1) && !tv_row_begins(&s.run.tasks, 0));
	one = tv_pool_find_text(s.trace.pool, "1");
	first = node_at(dag, one, 0);
	last = node_at(dag, one, 2);
	assert_int_equal(dag->previous[last], first);
	assert_int_equal(dag->opening[last], first);
	assert_int_equal(dag->creator[dag->node_of_row[2]], first);
	assert_int_equal(dag->creator[dag->node_of_row[4]], last);
	/* Without SubmitTime the first one; without ParentJob no creation. */
	assert_int_equal(dag->creator[dag->node_of_row[5]], first);
	assert_int_equal(dag->creator[dag->node_of_row[3]], TV_NONE);
	assert_int_equal(dag->pred[dag->first[dag->node_of_row[3]]], last);
	tv_dag_released(dag, released);
	assert_int_equal(released[dag->node_of_row[2]], 4 * MS);
	assert_int_equal(released[dag->node_of_row[0]], 14 * MS);
	assert_int_equal(released[dag->node_of_row[3]], 25 * MS);
	assert_int_equal(released[dag->node_of_row[4]], 21 * MS);
	assert_int_equal(released[dag->node_of_row[5]], 10 * MS);
	tv_dag_last(dag, got, how);
	assert_int_equal(got[dag->node_of_row[2]], first);
	assert_int_equal(how[dag->node_of_row[2]].kind, TV_CREATION);
	assert_int_equal(how[dag->node_of_row[2]].time, 4 * MS);
	assert_int_equal(got[dag->node_of_row[0]], dag->node_of_row[2]);
	assert_int_equal(how[dag->node_of_row[0]].kind, TV_DEPENDENCY);
	assert_true(tv_dag_overtakes(dag));
	sample_release(&s);
}

/* Segments alone are edges; a column without any other number than 0 is none. */
static void alone(void **state)
{
	static const struct {
		const char *segments[3];
		uint32_t nodes, edges, tasks;
	} row[] = {
		{ { "0", "1", "2" }, 3, 2, 1 }, { { "2", "0", "1" }, 3, 2, 1 },
		{ { "1", "1", "1" }, 1, 0, 3 }, { { "", "0", "" }, 1, 0, 3 },
		{ { "", "0", "1" }, 2, 1, 2 },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		const struct tv_dag *dag;
		struct sample s;
		char csv[200];

		snprintf(csv, sizeof csv,
			 "ResourceId,Value,JobId,Segment,Start,End\nCPU0,a,1,%s,0,1\n"
			 "CPU1,a,1,%s,2,3\nCPU0,a,1,%s,4,6\n",
			 row[i].segments[0], row[i].segments[1], row[i].segments[2]);
		sample_make(&s, csv);
		dag = tv_run_dag(&s.run, &s.err);
		assert_non_null(dag);
		assert_int_equal(dag->n, row[i].nodes);
		assert_int_equal(dag->nedges, row[i].edges);
		assert_int_equal(s.run.tasks.ncounted, 3);
		assert_int_equal(s.run.tasks.ntasks, row[i].tasks);
		sample_release(&s);
	}
}

/* A team whose task is suspended: rows of a segment are one node, the job is one task. */
static void team(void **state)
{
	static const char csv[] = "ResourceId,Value,JobId,Segment,Team,Start,End\n"
				  "CPU0,a,1,0,2,0,3\nCPU1,a,1,0,2,0,4\n"
				  "CPU0,b,2,0,,4,5\n"
				  "CPU0,a,1,1,2,5,7\nCPU1,a,1,1,2,6,7\n";
	const struct tv_dag *dag;
	struct sample s;

	(void)state;
	sample_make(&s, csv);
	dag = tv_run_dag(&s.run, &s.err);
	assert_non_null(dag);
	assert_int_equal(dag->n, 3);
	assert_int_equal(s.run.tasks.ntasks, 2);
	assert_int_equal(dag->end[dag->node_of_row[0]], 4 * MS);
	assert_int_equal(tv_task_time(&s.run.tasks, 3), 5 * MS);
	assert_int_equal(tv_task_time(&s.run.tasks, 1), 5 * MS);
	assert_int_equal(s.run.tasks.whole[4], 1);
	sample_release(&s);
}

/* A handle is held while its task is suspended; tasks run inside do not hold it. */
static void held(void **state)
{
	static const char csv[] = "ResourceId,Value,JobId,Segment,Start,End,Handles,Modes\n"
				  "CPU0,a,1,0,0,2,h,RWC\nCPU0,b,2,0,2,4,,\n"
				  "CPU1,a,1,1,4,6,h,RWC\nCPU0,a,3,0,7,8,h,RWC\n";
	const struct tv_dag *dag;
	struct sample s;
	uint32_t v;

	(void)state;
	sample_make(&s, csv);
	dag = tv_run_dag(&s.run, &s.err);
	assert_non_null(dag);
	v = dag->node_of_row[3];
	assert_int_equal(dag->nexclusions, 1);
	assert_int_equal(tv_dag_before(dag, v, 0), dag->node_of_row[2]);
	assert_int_equal(tv_dag_earliest(dag, v), 6 * MS);
	sample_release(&s);
}

static double longest_to(const struct nested *p, int segment, double *length)
{
	int before[NESTED_STEPS + NESTED_DEPS], n = nested_before(p, segment, before);
	double best = 0;

	if (length[segment] >= 0)
		return length[segment];
	for (int i = 0; i < n; i++)
		if (longest_to(p, before[i], length) > best)
			best = longest_to(p, before[i], length);
	length[segment] = best + p->segment[segment].end - p->segment[segment].start;
	return length[segment];
}

/* The rows are the segments, and nodes are numbered by rows. */
static void check_graph(const struct nested *p, const struct tv_dag *dag)
{
	double *length = tv_alloc((size_t)p->nsegments, sizeof *length), best = 0, sum = 0;
	double *weight = tv_alloc(dag->n, sizeof *weight);
	uint32_t *path = tv_alloc(dag->n, sizeof *path), n;
	int64_t *released = tv_alloc(dag->n, sizeof *released);

	assert_int_equal(dag->n, p->nsegments);
	assert_int_equal(dag->tasks->ntasks, p->ntasks);
	tv_dag_released(dag, released);
	for (int i = 0; i < p->nsegments; i++) {
		int before[NESTED_STEPS + NESTED_DEPS], want = nested_before(p, i, before);
		uint32_t v = dag->node_of_row[i];

		assert_int_equal(v, i);
		assert_int_equal(dag->first[v + 1] - dag->first[v], want);
		for (int k = 0; k < want; k++) {
			bool found = false;

			for (uint32_t e = dag->first[v]; e < dag->first[v + 1]; e++)
				found = found || dag->pred[e] == (uint32_t)before[k];
			assert_true(found);
		}
		assert_int_equal(released[v], (int64_t)nested_released(p, i) * MS);
		length[i] = -1;
		weight[i] = p->segment[i].end - p->segment[i].start;
	}
	for (int i = 0; i < p->nsegments; i++)
		best = longest_to(p, i, length) > best ? longest_to(p, i, length) : best;
	n = tv_dag_longest(dag, weight, NULL, path);
	for (uint32_t i = 0; i < n; i++)
		sum += weight[path[i]];
	assert_true(sum == best);
	tv_free(length);
	tv_free(weight);
	tv_free(path);
	tv_free(released);
}

/* What a segment was released by: no later than its submission where it is that. */
static void check_last(const struct nested *p, const struct tv_dag *dag)
{
	uint32_t *last = tv_alloc(dag->n, sizeof *last);
	struct tv_arrival *how = tv_alloc(dag->n, sizeof *how);

	tv_dag_last(dag, last, how);
	for (int i = 0; i < p->nsegments; i++) {
		const struct nested_task *t = &p->task[p->segment[i].task];
		int before[NESTED_STEPS + NESTED_DEPS], n = nested_before(p, i, before);
		bool created = p->segment[i].number == 0 && t->parent >= 0;
		int best = -1;

		for (int k = 0; k < n; k++) {
			int end = k == 0 && created ? t->submit : p->segment[before[k]].end;

			best = end > best ? end : best;
		}
		assert_int_equal(last[i] == TV_NONE, n == 0);
		if (n > 0)
			assert_int_equal(how[i].time, (int64_t)best * MS);
		if (n > 0 && how[i].kind == TV_CREATION)
			assert_int_equal(last[i], t->created_in);
	}
	tv_free(last);
	tv_free(how);
}

/* The chain covers the run, without overlap, and ends where it ends. */
static void check_observed(const struct nested *p, const struct tv_dag *dag)
{
	struct tv_observed observed;
	int64_t now = 0;

	tv_observed_init(&observed, dag, true);
	for (uint32_t i = 0; i < observed.n; i++) {
		const struct tv_step *step = &observed.step[i];
		const struct nested_segment *of = &p->segment[step->node];

		assert_true(step->start >= now && step->end >= step->start);
		assert_int_equal(step->start, (int64_t)of->start * MS);
		now = step->end;
		if (step->edge == TV_EDGE_CREATION)
			assert_true(observed.step[i - 1].end
				    <= (int64_t)p->task[of->task].submit * MS);
	}
	assert_int_equal(now, dag->tasks->finish);
	tv_observed_release(&observed);
}

/* A run is a schedule of itself: none of its chains is longer, and each task is on one. */
static void check_longest(struct sample *s)
{
	const struct tv_tasks *tasks = &s->run.tasks;
	struct tv_longest longest;

	if (tv_run_longest(&longest, &s->run, NULL, &s->err) < 0)
		fail_msg("%s", s->err.text);
	assert_true(longest.recorded <= tasks->finish - tasks->begin);
	for (uint32_t row = 0; row < tasks->n; row++)
		assert_true(longest.recorded >= tasks->end[row] - tasks->start[row]);
}

/* Without SubmitTime a task is created by the first segment, when it starts at the latest. */
static void check_unsubmitted(const struct nested *p)
{
	const struct tv_dag *dag;
	int64_t *released;
	struct sample s;

	dag = graph_of(&s, p, false);
	released = tv_alloc(dag->n, sizeof *released);
	tv_dag_released(dag, released);
	for (uint32_t v = 0; v < dag->n; v++) {
		assert_true(released[v] <= dag->start[v]);
		if (dag->creator[v] != TV_NONE)
			assert_int_equal(tv_dag_segment(dag, dag->creator[v]), 0);
	}
	tv_free(released);
	sample_release(&s);
}

static void random_programs(void **state)
{
	uint64_t seed = unit_seed(31);

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		struct nested *p = program();
		const struct tv_dag *dag;
		struct sample s;

		nested_draw(p, -1, 1 + (int)unit_random(&seed, 4), &seed);
		nested_run(p, 1 + (int)unit_random(&seed, NESTED_WORKERS), &seed);
		dag = graph_of(&s, p, true);
		check_graph(p, dag);
		check_last(p, dag);
		check_observed(p, dag);
		check_longest(&s);
		check_unsubmitted(p);
		tv_free(p);
		sample_release(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fib),	 cmocka_unit_test(by_hand),
		cmocka_unit_test(alone), cmocka_unit_test(team),
		cmocka_unit_test(held),	 cmocka_unit_test(random_programs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
