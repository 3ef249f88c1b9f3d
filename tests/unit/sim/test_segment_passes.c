/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_segment_passes.c -- the numbers of passes on suspended tasks against a scheduler's truth. */
#include <math.h>

#include "tests/unit/nested.h"

#include "sim/model/simulation.h"
#include "trace/sorted.h"

enum { ROUNDS = 150, MS = 1000000 };

static const struct tv_table *result(struct sample *s, const char *pass, const char *option,
				     const char *value)
{
	const struct tv_table *table = option == NULL
					     ? tv_run_pass_with(&s->run, pass, &s->err, NULL)
					     : tv_run_pass_with(&s->run, pass, &s->err, option,
								value, NULL);

	if (table == NULL)
		fail_msg("%s: %s", pass, s->err.text);
	return table;
}

static int64_t cell(const struct tv_table *table, const char *column, uint32_t row)
{
	const struct tv_column *c = tv_table_find(table, column);

	assert_non_null(c);
	assert_false(tv_missing(c, row));
	return c->i[row];
}

/* Of the rows whose column of labels is that; "" = all. */
static int64_t sum_of(const struct tv_table *table, const char *column, const char *where,
		      const char *is)
{
	const struct tv_column *c = tv_table_find(table, column);
	int64_t sum = 0;

	for (uint32_t row = 0; row < table->nrows; row++)
		if (!tv_missing(c, row)
		    && (where[0] == '\0' || strcmp(tv_table_text(table, where, row), is) == 0))
			sum += c->i[row];
	return sum;
}

/* Time of a task, of all its segments; from its first start to its last end. */
static int time_of(const struct nested *p, int task)
{
	int sum = 0;

	for (int i = 0; i < p->nsegments; i++)
		if (p->segment[i].task == task)
			sum += p->segment[i].end - p->segment[i].start;
	return sum;
}

static int start_of(const struct nested *p, int task)
{
	for (int i = 0; i < p->nsegments; i++)
		if (p->segment[i].task == task)
			return p->segment[i].start;
	fail();
	return 0;
}

static int end_of(const struct nested *p, int task)
{
	return p->segment[p->task[task].segment].end;
}

static void check_summary(const struct nested *p, struct sample *s)
{
	const struct tv_table *table = result(s, "summary", NULL, NULL);
	int64_t tasks = 0;

	for (uint32_t row = 0; row < table->nrows; row++) {
		const char *type = tv_table_text(table, "Value", row);
		int64_t n = 0, time = 0, max = 0;

		for (int t = 0; t < p->ntasks; t++) {
			if (strcmp(p->task[t].type, type) != 0)
				continue;
			n++;
			time += time_of(p, t);
			max = time_of(p, t) > max ? time_of(p, t) : max;
		}
		assert_int_equal(cell(table, "Tasks", row), n);
		assert_int_equal(cell(table, "Executions", row), n);
		assert_int_equal(cell(table, "Time", row), time * MS);
		assert_int_equal(cell(table, "Max", row), max * MS);
		tasks += n;
	}
	assert_int_equal(tasks, p->ntasks);
	table = result(s, "distribution", NULL, NULL);
	assert_int_equal(sum_of(table, "Tasks", "", ""), p->ntasks);
	table = result(s, "lifecycle-summary", NULL, NULL);
	assert_int_equal(sum_of(table, "Tasks", "Stage", "execution"), p->ntasks);
	assert_int_equal(sum_of(table, "Time", "Stage", "execution"),
			 sum_of(result(s, "summary", NULL, NULL), "Time", "", ""));
	table = result(s, "deviating-resources", NULL, NULL);
	assert_non_null(table);
}

/* Of the durations of tasks; every row of a task has its marks. */
static void check_outliers(const struct nested *p, struct sample *s)
{
	const struct tv_table *table = result(s, "outliers", NULL, NULL);

	for (int i = 0; i < p->nsegments; i++) {
		const char *type = p->task[p->segment[i].task].type;
		int time = time_of(p, p->segment[i].task);
		int64_t limit = cell(table, "Threshold", (uint32_t)i);

		assert_int_equal(cell(table, "Outlier", (uint32_t)i), (int64_t)time * MS > limit);
		for (int k = 0; k < i; k++)
			if (strcmp(p->task[p->segment[k].task].type, type) == 0)
				assert_int_equal(cell(table, "Threshold", (uint32_t)k), limit);
	}
}

static int by_number(const void *a, const void *b)
{
	return TV_COMPARE(*(const int *)a, *(const int *)b);
}

/* The threshold of a type by hand: quartiles of type 7 of the durations of its tasks. */
static void check_threshold(const struct nested *p, struct sample *s)
{
	const struct tv_table *table = result(s, "outliers", NULL, NULL);
	int time[NESTED_TASKS], n = 0;
	double q[2];

	for (int t = 0; t < p->ntasks; t++)
		if (strcmp(p->task[t].type, p->task[0].type) == 0)
			time[n++] = time_of(p, t);
	qsort(time, (size_t)n, sizeof *time, by_number);
	for (int k = 0; k < 2; k++) {
		double at = (n - 1) * (k == 0 ? 0.25 : 0.75);
		int low = (int)at;

		q[k] = time[low] + (at - low) * (low + 1 < n ? time[low + 1] - time[low] : 0);
	}
	assert_int_equal(cell(table, "Threshold", 0),
			 llround(floor((2.5 * q[1] - 1.5 * q[0]) * MS)));
}

static double mean_segment(const struct nested *p, int segment)
{
	const struct nested_segment *of = &p->segment[segment];
	double sum = 0, n = 0;

	for (int i = 0; i < p->nsegments; i++)
		if (p->segment[i].number == of->number
		    && strcmp(p->task[p->segment[i].task].type, p->task[of->task].type) == 0) {
			sum += p->segment[i].end - p->segment[i].start;
			n++;
		}
	return sum / n;
}

static double longest_to(const struct nested *p, int segment, double *length)
{
	int before[NESTED_STEPS + NESTED_DEPS], n = nested_before(p, segment, before);
	double best = 0;

	if (length[segment] >= 0)
		return length[segment];
	for (int i = 0; i < n; i++)
		best = fmax(best, longest_to(p, before[i], length));
	length[segment] = best + mean_segment(p, segment);
	return length[segment];
}

static bool overtakes(const struct nested *p)
{
	for (int t = 1; t < p->ntasks; t++)
		if (start_of(p, t) < p->segment[p->task[t].created_in].end)
			return true;
	return false;
}

static void check_bounds(const struct nested *p, struct sample *s)
{
	const struct tv_table *table = result(s, "bounds", NULL, NULL);
	double *length = tv_alloc((size_t)p->nsegments, sizeof *length), cpe = 0, work = 0;
	int64_t makespan = cell(table, "Time", 0), tight;

	for (int i = 0; i < p->nsegments; i++)
		length[i] = -1;
	for (int i = 0; i < p->nsegments; i++) {
		cpe = fmax(cpe, longest_to(p, i, length));
		work += p->segment[i].end - p->segment[i].start;
	}
	tv_free(length);
	assert_int_equal(makespan, s->run.tasks.finish - s->run.tasks.begin);
	if (p->nsegments > 1)
		assert_true(fabs((double)cell(table, "Time", 1) - cpe * MS) < 2);
	assert_true(fabs((double)cell(table, "Time", table->nrows - 1) - work / p->nworkers * MS)
		    < 2);
	if (p->nsegments == 1)
		return;
	table = tv_run_pass_with(&s->run, "bounds", &s->err, "tight", "", "durations", "minimum",
				 NULL);
	assert_non_null(table);
	tight = cell(table, "Time", 5);
	assert_true(tight >= cell(table, "Time", 1) && tight >= cell(table, "Time", 4));
	assert_string_equal(tv_table_text(table, "Nature", 1),
			    overtakes(p) || cell(table, "Time", 1) > makespan ? "estimate"
									      : "bound");
	assert_string_equal(tv_table_text(table, "Nature", 4), "bound");
	if (!overtakes(p))
		assert_true(tight <= makespan);
}

/* The integral of a curve, ms * ns. */
static int64_t integral(const struct tv_table *table, const char *curve)
{
	double sum = 0;

	for (uint32_t row = 0; row < table->nrows; row++)
		if (strcmp(tv_table_text(table, "Curve", row), curve) == 0)
			sum += tv_table_find(table, "Value")->d[row]
			     * (double)(cell(table, "End", row) - cell(table, "Start", row));
	return llround(sum);
}

static void check_curves(const struct nested *p, struct sample *s)
{
	const struct tv_table *table = result(s, "submitted", NULL, NULL);
	int64_t ready = 0, waiting = 0, open = 0, busy = 0;

	for (int i = 0; i < p->nsegments; i++) {
		ready += p->segment[i].start - nested_released(p, i);
		busy += p->segment[i].end - p->segment[i].start;
	}
	for (int t = 0; t < p->ntasks; t++) {
		waiting += start_of(p, t) - p->task[t].submit;
		open += end_of(p, t) - p->task[t].submit;
	}
	/* The root is submitted at 0, the run begins when it starts. */
	ready -= start_of(p, 0);
	waiting -= start_of(p, 0);
	open -= start_of(p, 0);
	assert_int_equal(integral(table, "not started"), waiting * MS);
	assert_int_equal(integral(table, "not ended"), open * MS);
	if (p->ntasks > 1)
		assert_int_equal(integral(result(s, "ready", NULL, NULL), "ready"), ready * MS);
	assert_int_equal(integral(result(s, "concurrency", NULL, NULL), "running"), busy * MS);
}

static void check_idle(const struct nested *p, struct sample *s)
{
	static const char *const blame[] = { "BlameTask", "BlameMessage", "BlameWaiting",
					     "BlameSubmission", "BlameNoNextTask" };
	const struct tv_table *table;
	int64_t idle = (s->run.tasks.finish - s->run.tasks.begin) * p->nworkers, blamed = 0;

	for (int i = 0; i < p->nsegments; i++)
		idle -= (int64_t)(p->segment[i].end - p->segment[i].start) * MS;
	table = result(s, "idle-causes", NULL, NULL);
	assert_int_equal(sum_of(table, "Time", "", ""), idle);
	for (size_t i = 0; i < TV_COUNT(blame); i++)
		blamed += sum_of(table, blame[i], "Cause", "dependencies");
	assert_int_equal(blamed, sum_of(table, "Time", "Cause", "dependencies"));
	assert_int_equal(sum_of(table, "Time", "Cause", "unexplained"),
			 s->run.tasks.depends == NULL ? idle : 0);
}

/* By brute force at every ms: released and not started; created and not started; and the cause of
 * the instants in which neither is the case. */
static void check_causes(const struct nested *p, struct sample *s)
{
	int64_t drain = 0, unsubmitted = 0;
	const struct tv_table *table = result(s, "idle-causes", NULL, NULL);

	for (int now = start_of(p, 0); now < s->run.tasks.finish / MS; now++) {
		int idle = p->nworkers, submitted = 0, later = 0;

		for (int i = 0; i < p->nsegments; i++) {
			const struct nested_segment *of = &p->segment[i];
			int from = p->task[of->task].submit;

			for (int k = 0; of->number > 0 && k < i; k++)
				if (p->segment[k].task == of->task)
					from = p->segment[k].end;
			idle -= of->start <= now && now < of->end;
			submitted += from <= now && now < of->start;
			later += now < from;
		}
		drain += submitted == 0 && later == 0 ? idle : 0;
		unsubmitted += submitted == 0 && later > 0 ? idle : 0;
	}
	if (s->run.tasks.depends == NULL)
		return;
	assert_int_equal(sum_of(table, "Time", "Cause", "drain"), drain * MS);
	assert_int_equal(sum_of(table, "Time", "Cause", "not-submitted"), unsubmitted * MS);
}

static void check_paths(struct sample *s)
{
	const struct tv_table *table = result(s, "critical-path", NULL, NULL);

	assert_int_equal(sum_of(table, "Duration", "", ""),
			 s->run.tasks.finish - s->run.tasks.begin);
	assert_non_null(result(s, "deps", "all", "last"));
	assert_non_null(result(s, "chain", "depth", "root"));
	assert_non_null(result(s, "paths", "depth", "root"));
	assert_non_null(result(s, "late-start", NULL, NULL));
	assert_non_null(result(s, "phases", NULL, NULL));
	assert_non_null(result(s, "stragglers", NULL, NULL));
	assert_non_null(result(s, "load-balance", NULL, NULL));
	assert_non_null(result(s, "starvation", NULL, NULL));
	assert_non_null(result(s, "aggregate", "step", "7"));
	assert_non_null(result(s, "lifecycle", NULL, NULL));
	assert_non_null(result(s, "disturbances", NULL, NULL));
	assert_int_equal(sum_of(result(s, "phases", NULL, NULL), "Tasks", "", ""),
			 s->run.tasks.ntasks);
	assert_int_equal(cell(result(s, "load-balance", NULL, NULL), "Tasks", 0),
			 s->run.tasks.ntasks);
}

/* In the recorded order nothing starts later than it did; a task starts no earlier than it is
 * created, and that while its creator runs. */
static void check_simulation(const struct nested *p, struct sample *s)
{
	static const char *const schedulers[] = { "replay", "fifo", "ws", "heft" };
	const struct tv_cost_options costs = { .durations = "trace" };
	const struct tv_dag *dag = tv_run_dag(&s->run, &s->err);
	struct tv_simulator simulator;

	if (tv_simulator_init(&simulator, &s->run, &costs, NULL, 0, &s->err) < 0)
		fail_msg("%s", s->err.text);
	for (size_t i = 0; i < TV_COUNT(schedulers); i++) {
		const struct tv_simulation_options options = { .scheduler = schedulers[i],
							       .submission = "trace" };
		struct tv_simulation sim;

		if (tv_simulation_init(&sim, &simulator, &options, &s->err) < 0)
			fail_msg("%s", s->err.text);
		if (i == 0)
			assert_true(sim.schedule.makespan <= s->run.tasks.finish);
		for (uint32_t v = 0; v < dag->n; v++) {
			uint32_t before = dag->previous != NULL ? dag->previous[v] : UINT32_MAX;

			assert_int_equal(sim.schedule.end[v] - sim.schedule.start[v],
					 dag->end[v] - dag->start[v]);
			if (before != UINT32_MAX && simulator.worker[v] == simulator.worker[before])
				assert_int_equal(sim.schedule.worker[v],
						 sim.schedule.worker[before]);
			for (uint32_t e = dag->first[v]; e < dag->first[v + 1]; e++) {
				uint32_t u = dag->pred[e];
				int64_t from = tv_dag_created_by(dag, v, u)
						     ? sim.schedule.start[u]
							       + tv_dag_submitted(dag, v)
							       - dag->start[u]
						     : sim.schedule.end[u];

				assert_true(sim.schedule.start[v] >= from);
				if (tv_dag_created_by(dag, v, u))
					assert_int_equal(sim.schedule.submitted[v], from);
			}
			if (i == 0)
				assert_true(sim.schedule.start[v] <= dag->start[v]);
		}
		tv_simulation_release(&sim);
	}
	tv_simulator_release(&simulator);
	assert_non_null(result(s, "what-if", NULL, NULL));
	assert_int_equal(p->nsegments, (int)dag->n);
}

static void random_programs(void **state)
{
	uint64_t seed = unit_seed(32);

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		struct nested *p = tv_alloc(1, sizeof *p);
		struct sample s;
		char *csv;

		nested_draw(p, -1, 1 + (int)unit_random(&seed, 4), &seed);
		nested_run(p, 1 + (int)unit_random(&seed, NESTED_WORKERS), &seed);
		csv = nested_csv(p, true);
		sample_make(&s, csv);
		free(csv);
		check_summary(p, &s);
		check_outliers(p, &s);
		check_threshold(p, &s);
		check_bounds(p, &s);
		check_curves(p, &s);
		check_idle(p, &s);
		check_causes(p, &s);
		check_paths(&s);
		check_simulation(p, &s);
		tv_free(p);
		sample_release(&s);
	}
}

/* Tasks that go on on other types of workers: what the workers did is a solution of the area bound.
 * A type of task may have begun nowhere on a type of worker where it ran. */
static void two_types(void **state)
{
	uint64_t seed = unit_seed(33);
	int moved = 0;

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		struct nested *p = tv_alloc(1, sizeof *p);
		const struct tv_table *table;
		bool moves = false;
		int64_t busy = 0;
		struct sample s;
		char *csv;

		nested_draw(p, -1, 1 + (int)unit_random(&seed, 4), &seed);
		nested_run(p, 2 + (int)unit_random(&seed, NESTED_WORKERS - 1), &seed);
		p->ngpus = 1 + (int)unit_random(&seed, (uint64_t)p->nworkers - 1);
		for (int k = 0; k < p->nsegments; k++)
			for (int j = 0; j < k; j++)
				moves = moves
				     || (p->segment[j].task == p->segment[k].task
					 && (p->segment[j].worker < p->ngpus)
						    != (p->segment[k].worker < p->ngpus));
		csv = nested_csv(p, true);
		sample_make(&s, csv);
		free(csv);
		check_idle(p, &s);
		table = result(&s, "summary", NULL, NULL);
		assert_int_equal(sum_of(table, "Tasks", "", ""), p->ntasks);
		for (int k = 0; k < p->nsegments; k++)
			busy += p->segment[k].end - p->segment[k].start;
		assert_int_equal(sum_of(table, "Time", "", ""), busy * MS);
		table = result(&s, "bounds", NULL, NULL);
		assert_true(cell(table, "Time", table->nrows - 1) <= cell(table, "Time", 0));
		table = result(&s, "bounds", "durations", "minimum");
		assert_true(cell(table, "Time", table->nrows - 1) <= cell(table, "Time", 0));
		if (moves)
			assert_string_equal(tv_table_text(table, "Nature", table->nrows - 1),
					    "estimate");
		moved += moves;
		tv_free(p);
		sample_release(&s);
	}
	assert_in_range(moved, ROUNDS / 5, ROUNDS - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_programs),
		cmocka_unit_test(two_types),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
