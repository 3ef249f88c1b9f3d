/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_streams.c -- streams that share devices: time, account and ladder of random runs, counted instant by instant. */
#include <math.h>
#include <stdlib.h>

#include "analysis/bounds/accounting.h"
#include "analysis/efficiency/ladder.h"
#include "tests/unit/sample.h"

/* All times are multiples of UNIT ns; SHARES is a multiple of 1 to 12. */
enum { ROUNDS = 1000, TASKS = 20, NODES = 2, LANES = 6, TYPES = 3, UNIT = 1000, SHARES = 27720 };

struct task {
	int lane;	/* stream */
	int start, end; /* in units */
	bool app, copy;
	int launch;
};

struct streams {
	char csv[1 << 12];
	struct task task[TASKS];
	bool depends;				   /* the trace has dependencies */
	int n, nlanes, device[LANES], node[LANES]; /* device 0 = none: a CPU */
	uint64_t seed;
};

static int below(struct streams *s, int n)
{
	return (int)unit_random(&s->seed, (uint64_t)n);
}

/* Whether two streams have one worker. */
static bool is_same(const struct streams *s, int a, int b)
{
	return a == b
	    || (s->device[a] != 0 && s->device[a] == s->device[b] && s->node[a] == s->node[b]);
}

static void draw(struct streams *s)
{
	int free[LANES] = { 0 };
	size_t at;

	s->nlanes = 1 + below(s, LANES);
	s->n = 1 + below(s, TASKS);
	s->depends = below(s, 2) == 0;
	for (int lane = 0; lane < s->nlanes; lane++) {
		s->node[lane] = below(s, NODES);
		s->device[lane] = below(s, 3);
	}
	at = (size_t)snprintf(s->csv, sizeof s->csv,
			      "ResourceId,ResourceType,Node,Device,Value,JobId,Start,End,Kind,"
			      "SubmitTime,%s\n",
			      s->depends ? "DependsOn" : "Remark");
	for (int i = 0; i < s->n; i++) {
		struct task *t = &s->task[i];
		char ms[3][TV_NUMBER_MAX], device[16] = "", before[16] = "";

		t->lane = below(s, s->nlanes);
		/* Now and then a task overlaps with one of its own stream. */
		t->start = s->device[t->lane] != 0 && below(s, 9) == 0
				 ? below(s, 20)
				 : free[t->lane] + below(s, 6);
		t->end = t->start + below(s, 8);
		if (t->end > free[t->lane])
			free[t->lane] = t->end;
		t->app = i == 0 || below(s, 7) > 0;
		if (s->device[t->lane] != 0)
			snprintf(device, sizeof device, "D%d", s->device[t->lane]);
		for (int k = 0; k < i; k++)
			if (s->task[k].end <= t->start && below(s, 4) == 0)
				snprintf(before, sizeof before, "%d", k);
		tv_write_ms(ms[0], t->start * UNIT);
		tv_write_ms(ms[1], t->end * UNIT);
		t->launch = t->start - below(s, 9);
		t->copy = below(s, 3) == 0;
		tv_write_ms(ms[2], t->launch * UNIT);
		at += (size_t)snprintf(
			s->csv + at, sizeof s->csv - at, "%d_R%d,%s,%d,%s,%s%d,%d,%s,%s,%s,%s,%s\n",
			s->node[t->lane], t->lane, s->device[t->lane] == 0 ? "CPU" : "GPU",
			s->node[t->lane], device, t->copy ? "Memcpy " : "t", below(s, TYPES), i,
			ms[0], ms[1], t->app ? "app" : "setup", ms[2], before);
		assert_true(at < sizeof s->csv);
	}
}

/* How many tasks run in [at, at + 1) on the worker of a stream, or on the stream only. */
static int running(const struct streams *s, int lane, int at, bool app, bool alone)
{
	int n = 0;

	for (int i = 0; i < s->n; i++)
		n += s->task[i].start <= at && s->task[i].end > at && (s->task[i].app || !app)
		  && (alone ? s->task[i].lane == lane : is_same(s, s->task[i].lane, lane));
	return n;
}

struct times {
	int64_t busy, other, idle;
};

static struct times times_of(const struct streams *s, const struct tv_tasks *tasks, int lane,
			     bool alone)
{
	struct times times = { 0 };

	for (int at = (int)(tasks->begin / UNIT); at < (int)(tasks->finish / UNIT); at++) {
		bool busy = running(s, lane, at, true, alone) > 0;
		bool any = running(s, lane, at, false, alone) > 0;

		times.busy += busy ? UNIT : 0;
		times.other += any && !busy ? UNIT : 0;
		times.idle += any ? 0 : UNIT;
	}
	return times;
}

/* Whether an earlier stream with tasks has the same worker. */
static bool is_met(const struct streams *s, int lane)
{
	for (int i = 0; i < s->n; i++)
		if (s->task[i].lane < lane && is_same(s, s->task[i].lane, lane))
			return true;
	return false;
}

static const struct tv_table *passed(struct sample *sample, const char *pass, const char *level)
{
	const struct tv_table *table = strcmp(pass, "idleness") == 0
					     ? tv_run_pass_with(&sample->run, pass, &sample->err,
								"level", level, NULL)
					     : tv_run_pass_with(&sample->run, pass, &sample->err,
								"by", "worker", "level", level,
								NULL);

	if (table == NULL)
		fail_msg("%s", sample->err.text);
	return table;
}

/* The rows of idleness, and the sums of idle-causes, of one worker or stream. */
static void check_worker(const struct streams *s, struct sample *sample, const char *name,
			 struct times expected, const char *level)
{
	const struct tv_table *idleness = passed(sample, "idleness", level);
	const struct tv_table *causes = passed(sample, "idle-causes",
					       level == NULL ? "device" : level);
	int64_t idle = 0;
	uint32_t row = 0;

	while (row < idleness->nrows
	       && strcmp(tv_table_text(idleness, "ResourceId", row), name) != 0)
		row++;
	if (row == idleness->nrows || tv_table_find(idleness, "Busy")->i[row] != expected.busy
	    || tv_table_find(idleness, "Other")->i[row] != expected.other
	    || tv_table_find(idleness, "Idle")->i[row] != expected.idle)
		fail_msg("%s: expected busy %d, other %d, idle %d\n%s", name, (int)expected.busy,
			 (int)expected.other, (int)expected.idle, s->csv);
	for (row = 0; row < causes->nrows; row++)
		if (strcmp(tv_table_text(causes, "ResourceId", row), name) == 0)
			idle += tv_table_find(causes, "Time")->i[row];
	if (idle != expected.idle)
		fail_msg("%s: causes of %d, expected %d\n%s", name, (int)idle, (int)expected.idle,
			 s->csv);
}

/* Why a stream is idle in [at, at + 1), from the launch of its next task and what its device runs. */
static const char *cause_of(const struct streams *s, int lane, int at)
{
	const struct task *next = NULL;
	bool copies = false, others = false;

	for (int i = 0; i < s->n; i++) {
		const struct task *t = &s->task[i];

		if (t->lane == lane && t->app && t->start > at
		    && (next == NULL || t->start < next->start))
			next = t;
		if (is_same(s, t->lane, lane) && t->start <= at && t->end > at) {
			copies = copies || t->copy;
			others = others || !t->copy;
		}
	}
	return next == NULL	 ? "drain"
	     : next->launch > at ? "not-submitted"
	     : others		 ? "stream"
	     : copies		 ? "copy"
				 : "launch";
}

static void check_causes(const struct streams *s, struct sample *sample, const char *name, int lane)
{
	const struct tv_table *causes = passed(sample, "idle-causes", "stream");
	const struct tv_tasks *tasks = &sample->run.tasks;

	for (uint32_t row = 0; row < causes->nrows; row++) {
		const char *cause = tv_table_text(causes, "Cause", row);
		int64_t time = 0;

		if (strcmp(tv_table_text(causes, "ResourceId", row), name) != 0)
			continue;
		for (int at = (int)(tasks->begin / UNIT); at < (int)(tasks->finish / UNIT); at++)
			if (running(s, lane, at, false, true) == 0
			    && strcmp(cause_of(s, lane, at), cause) == 0)
				time += UNIT;
		if (tv_table_find(causes, "Time")->i[row] != time)
			fail_msg("%s: %s of %d, expected %d\n%s", name, cause,
				 (int)tv_table_find(causes, "Time")->i[row], (int)time, s->csv);
	}
}

/* Each task has its share of a device with several streams, and all of such a device add up to its busy time. */
static void check_shares(const struct streams *s, const struct tv_tasks *tasks)
{
	int64_t *sum = tv_alloc(tasks->nworkers, sizeof *sum);

	for (int i = 0; i < s->n; i++) {
		const struct task *t = &s->task[i];
		int64_t share = 0, got = tv_row_device_time(tasks, (uint32_t)i) * SHARES;

		for (int at = t->start; at < t->end; at++)
			share += UNIT * SHARES / running(s, t->lane, at, t->app, false);
		if (!t->app || !tasks->workers[tasks->worker[i]].shared)
			continue;
		sum[tasks->worker[i]] += got / SHARES;
		if (llabs(got - share) > 2 * SHARES)
			fail_msg("task %d: %g, expected %g\n%s", i, (double)got / SHARES,
				 (double)share / SHARES, s->csv);
	}
	for (int i = 0; i < s->n; i++)
		if (tasks->workers[tasks->worker[i]].shared
		    && sum[tasks->worker[i]] != times_of(s, tasks, s->task[i].lane, false).busy)
			fail_msg("worker of task %d: %d\n%s", i, (int)sum[tasks->worker[i]],
				 s->csv);
	tv_free(sum);
}

/* For each type of workers the parts of its time; all parts of the account are makespan - area bound. */
static void check_account(const struct streams *s, struct sample *sample)
{
	const struct tv_tasks *tasks = &sample->run.tasks;
	struct tv_account a;
	int64_t time = 0;

	if (tv_account_init(&a, &sample->run, "mean", NULL, false, &sample->err) < 0)
		fail_msg("%s\n%s", sample->err.text, s->csv);
	for (uint32_t r = 0; r < a.ntypes; r++) {
		struct times sum = { 0 };
		int workers = 0;

		for (int lane = 0; lane < s->nlanes; lane++) {
			struct times of = times_of(s, tasks, lane, false);
			bool ran = false;

			for (int i = 0; i < s->n; i++)
				ran = ran || s->task[i].lane == lane;
			if (!ran || is_met(s, lane)
			    || (strcmp(tv_pool_text(tasks->pool, a.type[r].rtype), "CPU") == 0)
				       != (s->device[lane] == 0))
				continue;
			workers++;
			sum = (struct times){ sum.busy + of.busy, sum.other + of.other,
					      sum.idle + of.idle };
		}
		if (a.type[r].workers != workers || a.type[r].work - a.type[r].overlap != sum.busy
		    || a.type[r].other != sum.other || a.type[r].idle != sum.idle)
			fail_msg("account of type %d: %d workers\n%s", (int)r, workers, s->csv);
	}
	for (size_t i = 0; i < a.n; i++)
		time += a.row[i].time;
	assert_true(time == a.makespan - a.area);
	tv_account_release(&a);
}

/* No rung is above the one before, but that of tasks at once on one stream; the busiest worker is as counted. */
static void check_ladder(const struct streams *s, struct sample *sample)
{
	const struct tv_tasks *tasks = &sample->run.tasks;
	struct tv_ladder ladder = { 0 };
	long double last = INFINITY;
	int64_t busiest = 0;

	if (tv_ladder_of_run(&ladder, &sample->run, &sample->err) < 0)
		fail_msg("%s\n%s", sample->err.text, s->csv);
	for (int rung = 0; rung < TV_LADDER_NRUNGS; rung++) {
		long double time = ladder.time[rung];

		if (!tv_ladder_has(&ladder, (enum tv_ladder_rung)rung))
			continue;
		if (time > last * (1 + 1e-12L) && rung != TV_LADDER_RUNG_OVERLAP)
			fail_msg("%s: %Lg above %Lg\n%s",
				 tv_ladder_rung_name((enum tv_ladder_rung)rung), time, last,
				 s->csv);
		last = time;
	}
	for (int lane = 0; lane < s->nlanes; lane++) {
		int64_t busy = times_of(s, tasks, lane, false).busy;

		busiest = busy > busiest ? busy : busiest;
	}
	assert_true(ladder.time[TV_LADDER_RUNG_GRAPH] == (long double)busiest);
	tv_ladder_release(&ladder);
}

static void random_streams(void **state)
{
	int shared = 0;
	struct streams *s = tv_alloc(1, sizeof *s);

	(void)state;
	s->seed = unit_seed(51);
	for (int round = 0; round < ROUNDS; round++) {
		struct sample sample;
		const struct tv_tasks *tasks = &sample.run.tasks;

		draw(s);
		sample_make(&sample, s->csv);
		check_shares(s, tasks);
		for (int i = 0; i < s->n; i++) {
			char name[16];

			snprintf(name, sizeof name, "%d_R%d", s->node[s->task[i].lane],
				 s->task[i].lane);
			check_worker(s, &sample, name, times_of(s, tasks, s->task[i].lane, true),
				     "stream");
			if (!s->depends && s->device[s->task[i].lane] != 0)
				check_causes(s, &sample, name, s->task[i].lane);
			check_worker(s, &sample,
				     tv_pool_text(tasks->pool,
						  tasks->workers[tasks->worker[i]].resource),
				     times_of(s, tasks, s->task[i].lane, false), NULL);
			for (int k = 0; k < i; k++)
				assert_true((tasks->worker[i] == tasks->worker[k])
					    == is_same(s, s->task[i].lane, s->task[k].lane));
		}
		check_account(s, &sample);
		check_ladder(s, &sample);
		shared += tasks->device_time != NULL;
		sample_release(&sample);
	}
	assert_true(shared > ROUNDS / 4);
	tv_free(s);
}

/* ---- names ---- */

/* A device gets its own name, unless something else has it. */
static void names(void **state)
{
	static const char csv[] = "ResourceId,ResourceType,Node,Device,Value,Start,End\n"
				  "a.1,GPU,0,D,x,0,2\n"
				  "a.2,GPU,0,D,x,1,2\n"
				  "b.1,GPU,1,D,x,0,2\n"
				  "b.2,GPU,1,D,x,0,2\n"
				  "c.1,GPU,0,E,x,0,2\n"
				  "f.1,GPU,0,F,x,0,2\n"
				  "f.2,GPU,0,F,x,0,2\n"
				  "F,CPU,0,,x,0,2\n";
	static const char *const expected[] = { "F", "0_F", "D", "c.1", "1_D" };
	const bool shared[] = { false, true, true, false, true };
	struct sample s;

	(void)state;
	sample_make(&s, csv);
	assert_int_equal(s.run.tasks.nworkers, TV_COUNT(expected));
	for (uint32_t w = 0; w < TV_COUNT(expected); w++) {
		assert_string_equal(tv_pool_text(s.run.tasks.pool, s.run.tasks.workers[w].resource),
				    expected[w]);
		assert_int_equal(s.run.tasks.workers[w].shared, shared[w]);
	}
	assert_int_equal(tv_run_streams(&s.run)->tasks.nworkers, 8);
	sample_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_streams),
		cmocka_unit_test(names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
