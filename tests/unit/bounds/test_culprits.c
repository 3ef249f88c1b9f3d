/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_culprits.c -- culprits of random runs against the walk of their definition, at every instant. */
#include <math.h>

#include "tests/unit/scheduled.h"

#include "analysis/core/idle.h"
#include "analysis/efficiency/ladder.h"
#include "dag/culprits.h"
#include "trace/text.h"

enum { ROUNDS = 1000 };

/* A unit, or the message of its k-th dependency; of a call its row. */
struct event {
	int unit, message; /* -1 = the unit itself */
};

enum { CALLS = 2 };
static int64_t call[WORKERS_MAX][CALLS][2]; /* begin, end */

struct found {
	enum tv_idle_culprit what;
	struct event event;
	bool direct;
};

/* ---- the definition, of one instant ---- */

static int64_t end_of(const struct scheduled *s, struct event e)
{
	return e.message < 0 ? s->unit[e.unit].end : s->unit[e.unit].dep[e.message].arrived;
}

static void name_of(const struct scheduled *s, struct event e, char *name)
{
	if (e.message < 0)
		snprintf(name, 32, "%d", s->unit[e.unit].job);
	else
		snprintf(name, 32, "m%d_%d", e.unit, e.message);
}

static bool is_later(const struct scheduled *s, struct event a, struct event b)
{
	char x[32], y[32];

	name_of(s, a, x);
	name_of(s, b, y);
	return end_of(s, a) != end_of(s, b) ? end_of(s, a) > end_of(s, b)
					    : tv_natural_order(x, y) < 0;
}

static void offer(const struct scheduled *s, struct event e, struct event *last)
{
	if (last->unit < 0 || is_later(s, e, *last))
		*last = e;
}

/* The unit that held the handle before; -1 = none. */
static int held_before(const struct scheduled *s, int unit)
{
	int before = -1;

	for (int i = 0; i < unit && s->unit[unit].commutes; i++)
		if (s->unit[i].commutes
		    && s->node[s->unit[i].worker[0]] == s->node[s->unit[unit].worker[0]])
			before = i;
	return before;
}

static struct event last_of(const struct scheduled *s, struct event e)
{
	struct event last = { -1, -1 };
	const struct unit *u = &s->unit[e.unit];

	if (e.message >= 0)
		return (struct event){ u->dep[e.message].unit, -1 };
	for (int k = 0; k < u->ndeps; k++)
		offer(s,
		      u->dep[k].message ? (struct event){ e.unit, k }
					: (struct event){ u->dep[k].unit, -1 },
		      &last);
	if (u->before >= 0)
		offer(s, (struct event){ u->before, -1 }, &last);
	if (held_before(s, e.unit) >= 0)
		offer(s, (struct event){ held_before(s, e.unit), -1 }, &last);
	return last;
}

/* The unit that runs on a worker; -1 = none. */
static int running(const struct scheduled *s, int worker, int64_t t)
{
	for (int i = 0; i < s->n; i++)
		for (int k = 0; k < s->unit[i].nrows; k++) {
			int64_t start = s->unit[i].start + s->unit[i].offset[k];

			if (s->unit[i].worker[k] == worker && start <= t
			    && t < start + s->unit[i].time[k])
				return i;
		}
	return -1;
}

static struct found found_unit(const struct scheduled *s, int unit, bool direct)
{
	return (struct found){ s->unit[unit].setup ? TV_IDLE_CULPRIT_OTHER : TV_IDLE_CULPRIT_TASK,
			       { unit, -1 },
			       direct };
}

/* The row of the call in which a worker is: the one that began first, of these the longest; -1 = none. */
static int calls(int worker, int64_t t)
{
	int first = -1;

	for (int i = 0; i < CALLS; i++) {
		const int64_t *at = call[worker][i], *than = call[worker][0];

		if (at[0] <= t && t < at[1]
		    && (first < 0 || at[0] < than[0] || (at[0] == than[0] && at[1] > than[1])))
			first = worker * CALLS + i;
	}
	return first;
}

/* A released unit that has not started. */
static struct found waiting(const struct scheduled *s, int unit, int64_t t, int steps)
{
	const struct unit *u = &s->unit[unit];

	for (int k = 0; k < u->nrows; k++) {
		int runs = u->offset[k] == 0 ? running(s, u->worker[k], t) : -1;
		int in = u->offset[k] == 0 ? calls(u->worker[k], t) : -1;

		if (runs >= 0)
			return found_unit(s, runs, steps + 1 <= 1);
		if (in >= 0)
			return (struct found){ TV_IDLE_CULPRIT_CALL, { in, -1 }, steps + 1 <= 1 };
	}
	return (struct found){ TV_IDLE_CULPRIT_RUNTIME, { unit, -1 }, steps + 1 <= 1 };
}

static struct found walk(const struct scheduled *s, struct event e, int64_t t, int steps)
{
	for (;; steps++) {
		const struct unit *u = &s->unit[e.unit];
		int64_t start = e.message < 0 ? u->start : u->dep[e.message].posted;
		int64_t submit = e.message < 0 && s->submits ? u->submit : INT64_MIN;
		struct event last = last_of(s, e);
		bool waits = last.unit >= 0 && end_of(s, last) > t;

		if (t >= start && e.message >= 0)
			return (struct found){ TV_IDLE_CULPRIT_MESSAGE, e, steps <= 1 };
		if (t >= start)
			return found_unit(s, e.unit, steps <= 1);
		if (t < submit)
			return (struct found){ TV_IDLE_CULPRIT_SUBMISSION, e, steps <= 1 };
		if (!waits && e.message >= 0)
			return (struct found){ TV_IDLE_CULPRIT_UNSENT, e, steps <= 1 };
		if (!waits)
			return waiting(s, e.unit, t, steps);
		e = last;
	}
}

static struct found culprit_at(const struct scheduled *s, int worker, int64_t t)
{
	int64_t next = INT64_MAX;
	struct event e = { -1, -1 };

	if (calls(worker, t) >= 0)
		return (struct found){ TV_IDLE_CULPRIT_CALL, { calls(worker, t), -1 }, true };
	for (int i = 0; i < s->n; i++)
		for (int k = 0; k < s->unit[i].nrows; k++) {
			int64_t start = s->unit[i].start + s->unit[i].offset[k];

			if (!s->unit[i].setup && s->unit[i].worker[k] == worker && start > t
			    && start < next) {
				next = start;
				e.unit = i;
			}
		}
	if (e.unit >= 0)
		return walk(s, e, t, 0);
	for (int i = 0; i < s->n; i++)
		if (!s->unit[i].setup)
			offer(s, (struct event){ i, -1 }, &e);
	return walk(s, e, t, 1);
}

/* ---- the product ---- */

struct spans {
	struct tv_idle_culprit_span at[1 << 14];
	size_t n;
};

static void take(void *to, const struct tv_idle_culprit_span *span)
{
	struct spans *spans = to;

	assert_true(spans->n < TV_COUNT(spans->at) && span->begin < span->end);
	spans->at[spans->n++] = *span;
}

/* The units and messages of the rows of the table. */
static void find_rows(const struct scheduled *s, struct event *of_row)
{
	uint32_t row = (uint32_t)s->nworkers;

	for (int i = 0; i < s->n; i++) {
		for (int k = 0; k < s->unit[i].ndeps; k++)
			if (s->unit[i].dep[k].message)
				of_row[row++] = (struct event){ i, k };
		for (int k = 0; k < s->unit[i].nrows; k++)
			of_row[row++] = (struct event){ i, -1 };
	}
}

static uint32_t worker_named(const struct tv_tasks *tasks, const struct scheduled *s, int worker)
{
	char name[32];
	uint32_t w = 0;

	snprintf(name, sizeof name, "%d_W%d", s->node[worker], worker);
	while (strcmp(tv_pool_text(tasks->pool, tasks->workers[w].resource), name) != 0)
		w++;
	return w;
}

static void check_instant(const struct scheduled *s, const struct spans *spans, uint32_t w,
			  int worker, int64_t t)
{
	static struct event of_row[UNITS_MAX * (DEPS_MAX + 2) + WORKERS_MAX];
	const struct tv_idle_culprit_span *span = NULL;
	struct event found = { -1, -1 };
	struct found want;

	find_rows(s, of_row);
	for (size_t i = 0; i < spans->n; i++)
		if (spans->at[i].worker == w && spans->at[i].begin <= t && t < spans->at[i].end) {
			assert_null(span);
			span = &spans->at[i];
		}
	if (running(s, worker, t) >= 0) {
		assert_null(span);
		return;
	}
	want = culprit_at(s, worker, t);
	if (span != NULL)
		found = span->what == TV_IDLE_CULPRIT_CALL ? (struct event){ (int)span->row, -1 }
							   : of_row[span->row];
	if (span == NULL || span->what != want.what || span->direct != want.direct
	    || found.unit != want.event.unit || found.message != want.event.message)
		fail_msg("%d_W%d at %lld: %s of unit %d (%d), direct %d, expected %s of %d (%d), "
			 "%d\n%s",
			 s->node[worker], worker, (long long)t,
			 span == NULL ? "nothing" : tv_idle_culprit_name(span->what), found.unit,
			 found.message, span != NULL && span->direct,
			 tv_idle_culprit_name(want.what), want.event.unit, want.event.message,
			 want.direct, s->csv);
}

/* By cause, rows of culprits add up to those of causes; with prices, to what the ladder and the account have. */
static void check_sums(const struct scheduled *s, struct sample *sample)
{
	struct tv_run *run = &sample->run;
	const struct tv_table *causes = tv_run_pass(run, "idle-causes", NULL, &sample->err);
	const struct tv_table *idleness = tv_run_pass(run, "idleness", NULL, &sample->err);
	const struct tv_table *rows = tv_run_pass_with(run, "idle-causes", &sample->err, "by",
						       "culprit", NULL);
	struct tv_ladder ladder;
	struct tv_worth worth;
	long double priced = 0, other = 0;

	assert_true(causes != NULL && rows != NULL && idleness != NULL);
	for (uint32_t c = 0; c < causes->nrows; c++) {
		int64_t sum = 0;

		for (uint32_t r = 0; r < rows->nrows; r++)
			if (strcmp(tv_table_text(rows, "Cause", r),
				   tv_table_text(causes, "Cause", c))
			    == 0)
				sum += tv_table_find(rows, "Time")->i[r];
		if (sum != tv_table_find(causes, "Time")->i[c])
			fail_msg("%s: %lld\n%s", tv_table_text(causes, "Cause", c), (long long)sum,
				 s->csv);
	}
	assert_int_equal(tv_ladder_of_run(&ladder, run, &sample->err), 0);
	assert_int_equal(tv_worth_init(&worth, run, "mean", NULL, &sample->err), 0);
	for (uint32_t r = 0; r < rows->nrows; r++)
		priced += (long double)tv_table_find(rows, "Priced")->i[r];
	for (uint32_t w = 0; w < run->tasks.nworkers; w++)
		other += (long double)worth.price[run->tasks.workers[w].rtype]
		       * (long double)tv_table_find(idleness, "Other")->i[w];
	assert_true(
		fabsl(priced + other
		      - (ladder.time[TV_LADDER_RUNG_RECORDED] - ladder.time[TV_LADDER_RUNG_NODES]))
		<= 0.5L * rows->nrows + 1e-6L);
	tv_worth_release(&worth);
	tv_ladder_release(&ladder);
}

/* Some may be empty. */
static void add_calls(struct scheduled *s, struct sample *sample)
{
	char name[32];

	for (int w = 0; w < s->nworkers; w++)
		for (int i = 0; i < CALLS; i++) {
			call[w][i][0] = scheduled_draw(s, 150);
			call[w][i][1] = call[w][i][0]
				      + (scheduled_chance(s, 2) ? scheduled_draw(s, 30) : 0);
			snprintf(name, sizeof name, "%d_W%d", s->node[w], w);
			sample_in_call(sample, name, i == 0 ? "MPI_Recv" : "MPI_Wait",
				       call[w][i][0], call[w][i][1]);
		}
}

static void check_run(const struct scheduled *s, struct sample *sample, struct spans *spans)
{
	const struct tv_tasks *tasks = &sample->run.tasks;
	const struct tv_run_idle *idle = tv_run_idle(&sample->run, &sample->err);

	assert_non_null(idle);
	spans->n = 0;
	tv_idle_culprits(&idle->waits, &idle->fetches, tasks->begin, tasks->finish, take, spans);
	for (int w = 0; w < s->nworkers; w++)
		for (int64_t t = tasks->begin; t < tasks->finish; t++)
			check_instant(s, spans, worker_named(tasks, s, w), w, t);
	check_sums(s, sample);
}

static void random_runs(void **state)
{
	struct scheduled *s = tv_alloc(1, sizeof *s);
	struct spans *spans = tv_alloc(1, sizeof *spans);
	int checked = 0;

	(void)state;
	s->seed = unit_seed(31);
	for (int round = 0; round < ROUNDS; round++) {
		struct sample sample;

		scheduled_make(s);
		sample_make(&sample, s->csv);
		add_calls(s, &sample);
		/* Without dependencies nothing is known of releases. */
		if (sample.run.tasks.ncounted > 0 && sample.run.tasks.depends != NULL) {
			check_run(s, &sample, spans);
			checked++;
		}
		sample_release(&sample);
	}
	assert_true(checked > ROUNDS * 9 / 10);
	tv_free(spans);
	tv_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
