/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_match.c -- which task is which, how order and place differ, and what was lost. */
#include "analysis/compare/match.h"
#include "tests/unit/pair.h"

#define HEAD "ResourceId,Value,Start,End,JobId,Iteration,X,Y,Tag\n"

/* "JobId=JobId " of every matched task of the first run, then the numbers by way. */
static const char *matched(const char *first, const char *second)
{
	static char got[400];
	struct sample s[2];
	struct tv_run *run[2] = { &s[0].run, &s[1].run };
	struct tv_match match;
	struct tv_error err = { 0 };
	size_t at = 0;

	sample_make(&s[0], first);
	sample_make(&s[1], second);
	if (tv_match_init(&match, run, &err) < 0)
		fail_msg("%s", err.text);
	for (uint32_t v = 0; v < match.dag[0]->n; v++)
		if (match.partner[v] != TV_NONE)
			at += (size_t)snprintf(
				got + at, sizeof got - at, "%s=%s ",
				tv_pool_text(s[0].trace.pool, tv_dag_job(match.dag[0], v)),
				tv_pool_text(s[1].trace.pool,
					     tv_dag_job(match.dag[1], match.partner[v])));
	snprintf(got + at, sizeof got - at, "%u %u %u", match.by[TV_BY_COORDINATES],
		 match.by[TV_BY_TAG], match.by[TV_BY_JOB]);
	tv_match_release(&match);
	sample_release(&s[0]);
	sample_release(&s[1]);
	return got;
}

static void ways(void **state)
{
	(void)state;
	/* Coordinates go before tags and JobIds. */
	assert_string_equal(matched(HEAD "C,a,0,1,1,0,0,0,8\nC,a,1,2,2,0,1,0,9\n",
				    HEAD "C,a,0,1,2,0,0,0,9\nC,a,1,2,1,0,1,0,8\n"),
			    "1=2 2=1 2 0 0");
	/* Of equal coordinates the tags decide, of equal tags the JobIds; types must be equal. */
	assert_string_equal(matched(HEAD "C,a,0,1,1,0,0,0,8\nC,a,1,2,2,0,0,0,9\nC,b,2,3,3,,,,\n"
					 "C,c,3,4,4,,,,0\nC,c,4,5,5,,,,0\n",
				    HEAD "C,a,0,1,x,0,0,0,9\nC,a,1,2,y,0,0,0,8\nC,a,2,3,3,,,,\n"
					 "C,c,3,4,5,,,,0\nC,c,4,5,4,,,,0\n"),
			    "1=y 2=x 4=4 5=5 0 2 2");
	/* One here and two there are as ambiguous as two and two. */
	assert_string_equal(matched(HEAD "C,a,0,1,1,,,,8\nC,a,1,2,9,1,0,0,\n",
				    HEAD "C,a,0,1,2,,,,8\nC,a,1,2,3,,,,8\nC,a,2,3,4,1,0,0,\n"
					 "C,a,3,4,5,1,0,0,\n"),
			    "0 0 0");
	/* What has no partner keeps none; no column but the required ones. */
	assert_string_equal(matched("ResourceId,Value,Start,End,JobId\nC,a,0,1,1\nC,a,1,2,2\n",
				    "ResourceId,Value,Start,End,JobId\nC,a,0,1,2\nC,a,1,2,7\n"),
			    "2=2 0 0 1");
	assert_string_equal(matched("ResourceId,Value,Start,End\nC,a,0,1\n",
				    "ResourceId,Value,Start,End\nC,a,0,1\n"),
			    "0 0 0");
	/* Executions of one job are one task; a missing type equals itself. */
	assert_string_equal(matched("ResourceId,Value,Start,End,JobId\nC,,0,1,1\nD,,0,1,1\n",
				    "ResourceId,Value,Start,End,JobId\nC,,0,1,1\nC,,1,2,1\n"),
			    "1=1 0 0 1");
}

/* Two runs of one graph with shuffled JobIds and rows, known by their tags. */
static void tagged_csv(char *csv, size_t size, const struct pair_run *run, const int *row)
{
	size_t at = (size_t)snprintf(csv, size,
				     "ResourceId,Value,Start,End,JobId,Tag,DependsOn,Kind\n");

	for (int k = 0; k < run->n; k++) {
		const struct pair_task *t = &run->task[row[k]];
		char start[TV_NUMBER_MAX], end[TV_NUMBER_MAX];

		tv_write_ms(start, t->start);
		tv_write_ms(end, t->end);
		at += (size_t)snprintf(csv + at, size - at, "%s%d,t%d,%s,%s,%d,%x,,app\n",
				       pair_is_gpu(t->worker) ? "GPU" : "CPU", t->worker, t->type,
				       start, end, k, row[k]);
	}
}

static void check_moves(const struct pair_run *run, const struct tv_moves *moves, int type)
{
	uint32_t rtype = 0, worker = 0, inversions = 0, n = 0;

	for (int i = 0; i < run[0].n; i++) {
		const struct pair_task *a = &run[0].task[i], *b = &run[1].task[i];

		if (type >= 0 && a->type != type)
			continue;
		n++;
		rtype += pair_is_gpu(a->worker) != pair_is_gpu(b->worker);
		worker += a->worker != b->worker;
		for (int k = 0; k < run[0].n; k++)
			inversions += (type < 0 || run[0].task[k].type == type)
				   && run[0].task[i].start < run[0].task[k].start
				   && run[1].task[i].start > run[1].task[k].start;
	}
	assert_int_equal(moves->ntasks, n);
	assert_int_equal(moves->rtype, rtype);
	assert_int_equal(moves->worker, worker);
	assert_true(moves->inversions == inversions);
}

static void shuffle(int *row, int n, uint64_t *seed)
{
	for (int i = 0; i < n; i++)
		row[i] = i;
	for (int i = n - 1; i > 0; i--) {
		int k = (int)unit_random(seed, (uint64_t)i + 1), other = row[k];

		row[k] = row[i];
		row[i] = other;
	}
}

static void random_runs(void **state)
{
	static char csv[2][PAIR_CSV];
	uint64_t seed = unit_seed(2024);

	(void)state;
	for (int round = 0; round < 200; round++) {
		struct pair_run run[2];
		struct sample s[2];
		struct tv_run *runs[2] = { &s[0].run, &s[1].run };
		const struct tv_shifts *shifts;
		struct tv_order order;
		struct tv_error err = { 0 };
		int row[2][PAIR_TASKS];

		pair_draw(&run[0], 30, &seed);
		run[1] = run[0];
		for (int i = 0; i < run[1].n; i++)
			if (unit_random(&seed, 3) == 0) {
				run[1].task[i].worker = (int)unit_random(&seed, PAIR_WORKERS);
				run[1].task[i].duration /= 1 + (int64_t)unit_random(&seed, 3);
			}
		pair_time(&run[1]);
		for (int side = 0; side < 2; side++) {
			shuffle(row[side], run[side].n, &seed);
			tagged_csv(csv[side], sizeof csv[side], &run[side], row[side]);
			sample_make(&s[side], csv[side]);
		}
		if ((shifts = tv_run_shifts(runs, &err)) == NULL
		    || tv_order_init(&order, shifts, runs, &err) < 0)
			fail_msg("%s", err.text);
		assert_int_equal(shifts->match.by[TV_BY_TAG], run[0].n);
		assert_int_equal(order.nmoves, 1 + PAIR_TYPES);
		for (int type = -1; type < PAIR_TYPES; type++)
			check_moves(run, &order.moves[type + 1], type);
		for (uint32_t i = 0; i < order.nlosses; i++) {
			const struct tv_loss *loss = &order.loss[i];
			int task = row[0][loss->node[0]];

			assert_int_equal(task, row[1][loss->node[1]]);
			assert_int_equal(loss->duration[0], run[0].task[task].duration);
			assert_int_equal(loss->duration[1], run[1].task[task].duration);
			assert_true(i == 0 || tv_loss_ns(loss - 1) >= tv_loss_ns(loss));
		}
		tv_order_release(&order);
		sample_release(&s[0]);
		sample_release(&s[1]);
	}
}

/* A wait counts from the release, by dependencies and submission. */
static void losses(void **state)
{
	static const char *const csv[2] = {
		"ResourceId,Value,Start,End,JobId,DependsOn\nC,a,0,10,1,\nC,a,12,20,2,1\n",
		"ResourceId,Value,Start,End,JobId,DependsOn\nC,a,0,11,1,\nC,a,20,27,2,1\n",
	};
	struct sample s[2];
	struct tv_run *run[2] = { &s[0].run, &s[1].run };
	const struct tv_shifts *shifts;
	struct tv_order order;
	struct tv_error err;

	(void)state;
	for (int i = 0; i < 2; i++)
		sample_make(&s[i], csv[i]);
	shifts = tv_run_shifts(run, &err);
	assert_non_null(shifts);
	assert_int_equal(tv_order_init(&order, shifts, run, &err), 0);
	assert_int_equal(order.nlosses, 2);
	assert_true(tv_loss_ns(&order.loss[0]) == 6000000);
	assert_int_equal(order.loss[0].wait[0], 2000000);
	assert_int_equal(order.loss[0].wait[1], 9000000);
	assert_true(tv_loss_ns(&order.loss[1]) == 1000000);
	tv_order_release(&order);
	sample_release(&s[0]);
	sample_release(&s[1]);
}

int main(void)
{
	static const struct CMUnitTest test[] = {
		cmocka_unit_test(ways),
		cmocka_unit_test(random_runs),
		cmocka_unit_test(losses),
	};

	return cmocka_run_group_tests(test, NULL, NULL);
}
