/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_ladder.c -- replays and ladders of random runs against what decided when each task started. */
#include <math.h>

#include "tests/unit/scheduled.h"

#include "analysis/efficiency/parts.h"
#include "dag/rerun.h"

enum { ROUNDS = 3000 };

/* ---- an oracle: units in the order in which they were drawn ---- */

struct rules {
	bool workers, submitted, messages;
};

static int64_t begin_of(const struct scheduled *s)
{
	int64_t begin = INT64_MAX;

	for (int i = 0; i < s->n; i++)
		if (!s->unit[i].setup && s->unit[i].start < begin)
			begin = s->unit[i].start;
	return begin;
}

/* How long the message of a dependency takes, from the begin of the run on. */
static int64_t flight(const struct unit *u, int k, int64_t begin)
{
	return u->dep[k].message
		     ? scheduled_max(0, u->dep[k].arrived - scheduled_max(u->dep[k].posted, begin))
		     : 0;
}

static int64_t again(const struct scheduled *s, struct rules rules)
{
	int64_t begin = begin_of(s), end[UNITS_MAX], free[WORKERS_MAX], handle[WORKERS_MAX],
		last = begin;

	for (int w = 0; w < s->nworkers; w++)
		free[w] = handle[w] = begin;
	for (int i = 0; i < s->n; i++) {
		const struct unit *u = &s->unit[i];
		int64_t time = begin, *held = &handle[s->node[u->worker[0]]];

		if (rules.submitted && s->submits)
			time = scheduled_max(time, u->submit);
		for (int k = 0; k < u->ndeps; k++)
			time = scheduled_max(time,
					     end[u->dep[k].unit]
						     + (rules.messages ? flight(u, k, begin) : 0));
		if (u->before >= 0)
			time = scheduled_max(time, end[u->before]);
		for (int k = 0; k < u->nrows && rules.workers && !u->setup; k++)
			time = scheduled_max(time, free[u->worker[k]] - u->offset[k]);
		if (rules.workers && u->commutes)
			time = scheduled_max(time, *held);
		end[i] = time;
		for (int k = 0; k < u->nrows && !u->setup; k++) {
			free[u->worker[k]] = time + u->offset[k] + u->time[k];
			end[i] = scheduled_max(end[i], free[u->worker[k]]);
		}
		if (u->commutes)
			*held = end[i];
		if (!u->setup)
			last = scheduled_max(last, end[i]);
	}
	return last - begin;
}

static const struct {
	enum tv_ladder_rung rung;
	struct rules rules;
} replayed[] = {
	{ TV_LADDER_RUNG_RUNTIME, { true, true, true } },
	{ TV_LADDER_RUNG_TRANSFER, { true, true, false } },
	{ TV_LADDER_RUNG_SUBMISSION, { true, false, false } },
};

static void check_replays(const struct scheduled *s, struct sample *sample,
			  const struct tv_ladder *ladder)
{
	struct tv_rerun rerun;
	const struct tv_dag *dag = tv_run_dag(&sample->run, &sample->err);
	int64_t path;

	tv_rerun_init(&rerun, dag);
	if (rerun.obstacle != NULL)
		fail_msg("%s\n%s", rerun.obstacle, s->csv);
	path = again(s, (struct rules){ 0 });
	if (tv_rerun_run(&rerun, &(struct tv_rerun_rules){ 0 }, NULL) != path)
		fail_msg("path\n%s", s->csv);
	assert_true((long double)path <= ladder->time[TV_LADDER_RUNG_ORDER]);
	for (size_t i = 0; i < TV_COUNT(replayed); i++) {
		int64_t expected = again(s, replayed[i].rules);
		int64_t got = tv_ladder_replay(&rerun, replayed[i].rung, NULL);

		if (got != expected)
			fail_msg("%s: %lld, expected %lld\n%s",
				 tv_ladder_rung_name(replayed[i].rung), (long long)got,
				 (long long)expected, s->csv);
		if (tv_ladder_has(ladder, replayed[i].rung))
			assert_true(ladder->time[replayed[i].rung] == (long double)expected);
	}
	tv_rerun_release(&rerun);
}

static void check_product(const struct scheduled *s, const struct tv_ladder *ladder)
{
	struct tv_factor factor[TV_FACTORS_MAX];
	size_t n = tv_ladder_factors(ladder, factor);
	double product = 1;

	for (size_t i = 0; i < n; i++) {
		double value = tv_ladder_value(ladder, &factor[i]);

		if (factor[i].product)
			continue;
		product *= value;
		if (value > 1 + 1e-9 && factor[i].lower != TV_LADDER_RUNG_OVERLAP)
			fail_msg("%s %g\n%s", factor[i].name, value, s->csv);
		if (factor[i].certain && fabs(value - 1) > 1e-9)
			fail_msg("%s %g is not 1\n%s", factor[i].name, value, s->csv);
	}
	for (size_t i = 0; i < n; i++)
		if (strcmp(factor[i].name, "global") == 0
		    && ladder->time[TV_LADDER_RUNG_PLACEMENT] > 0)
			assert_true(fabs(product / tv_ladder_value(ladder, &factor[i]) - 1)
				    < 1e-12);
}

/* Sums of parts are those of the run. */
static void check_parts(const struct scheduled *s, struct sample *sample,
			const struct tv_ladder *whole)
{
	static const enum tv_ladder_rung sums[] = {
		TV_LADDER_RUNG_RECORDED,   TV_LADDER_RUNG_RUNTIME, TV_LADDER_RUNG_TRANSFER,
		TV_LADDER_RUNG_SUBMISSION, TV_LADDER_RUNG_NODES,   TV_LADDER_RUNG_OVERLAP,
		TV_LADDER_RUNG_PLACEMENT
	};
	long double tolerance = 1e-9L * (whole->time[TV_LADDER_RUNG_RECORDED] + 1);

	for (enum tv_part_key key = TV_PART_WINDOW; key <= TV_PART_PHASE; key += 2) {
		struct tv_efficiency_parts parts;

		if (tv_efficiency_parts_init(&parts, &sample->run, key, 7, NULL, &sample->err) < 0)
			fail_msg("%s", sample->err.text);
		for (size_t i = 0; i < TV_COUNT(sums); i++) {
			long double sum = 0;

			if (key == TV_PART_WINDOW && i >= 1 && i <= 3)
				continue;
			for (size_t k = 0; k < parts.n; k++)
				sum += i >= 1 && i <= 3 ? parts.at[k].replayed[sums[i]]
							: parts.at[k].ladder.time[sums[i]];
			if (tv_ladder_has(whole, sums[i])
			    && !(fabsl(sum - whole->time[sums[i]]) <= tolerance))
				fail_msg("%s: %Lg, not %Lg\n%s", tv_ladder_rung_name(sums[i]), sum,
					 whole->time[sums[i]], s->csv);
		}
		tv_efficiency_parts_release(&parts);
	}
}

/* Sums of the path are the makespan; imbalances, waits and messages are makespan - useful time. */
static void check_path(const struct scheduled *s, struct sample *sample,
		       const struct tv_ladder *ladder)
{
	const struct tv_table *rows = tv_run_pass_with(&sample->run, "critical-path", &sample->err,
						       "by", "type", NULL);
	long double time = 0, above = 0;

	if (rows == NULL)
		fail_msg("%s", sample->err.text);
	for (uint32_t row = 0; row < rows->nrows; row++) {
		bool task = strcmp(tv_table_text(rows, "Part", row), "task") == 0;

		time += (long double)tv_table_find(rows, "Time")->i[row];
		above += (long double)tv_table_find(rows, task ? "PathImbalance" : "Time")->i[row];
	}
	assert_true(time == ladder->time[TV_LADDER_RUNG_RECORDED]);
	if (!(fabsl(above - (time - ladder->time[TV_LADDER_RUNG_OVERLAP]))
	      <= 0.5L * rows->nrows + 1e-6L))
		fail_msg("path %Lg\n%s", above, s->csv);
}

/* A task whose duration is cut by a known time: the cost is the difference of two replays. */
static void check_delay(struct scheduled *s, struct sample *sample)
{
	const struct rules rules = { true, true, true };
	struct unit *u = &s->unit[unit_random(&s->seed, (uint64_t)s->n)];
	int64_t cut = u->time[0] / 2, before = again(s, rules), after;
	const struct tv_table *costs;
	char text[64];

	if (u->setup || u->nrows > 1 || u->segment >= 0 || cut == 0)
		return;
	snprintf(text, sizeof text, "JobId == %d=%lldns", u->job, (long long)cut);
	costs = tv_run_pass_with(&sample->run, "critical-path", &sample->err, "delay-cost", "",
				 "cut", text, NULL);
	if (costs == NULL)
		fail_msg("%s", sample->err.text);
	u->time[0] -= cut;
	after = again(s, rules);
	u->time[0] += cut;
	/* Rows: none, all, the type. */
	assert_int_equal(costs->nrows, 3);
	assert_int_equal(tv_table_find(costs, "ReplayTime")->i[0], before);
	for (uint32_t row = 1; row < 3; row++)
		if (tv_table_find(costs, "DelayCost")->i[row] != before - after
		    || tv_table_find(costs, "Cut")->i[row] != cut)
			fail_msg("%s: expected %lld\n%s", text, (long long)(before - after),
				 s->csv);
}

static void random_runs(void **state)
{
	struct scheduled *s = tv_alloc(1, sizeof *s);
	int several = 0;

	(void)state;
	s->seed = unit_seed(33);
	for (int round = 0; round < ROUNDS; round++) {
		struct sample sample;
		struct tv_ladder ladder = { 0 };

		scheduled_make(s);
		sample_make(&sample, s->csv);
		if (sample.run.tasks.ncounted > 0) {
			if (tv_ladder_of_run(&ladder, &sample.run, &sample.err) < 0)
				fail_msg("%s\n%s", sample.err.text, s->csv);
			check_replays(s, &sample, &ladder);
			check_product(s, &ladder);
			check_parts(s, &sample, &ladder);
			check_path(s, &sample, &ladder);
			check_delay(s, &sample);
			several += sample.run.tasks.nnodes > 1;
		}
		tv_ladder_release(&ladder);
		sample_release(&sample);
	}
	assert_true(several > ROUNDS / 2);
	tv_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
