/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_threads.c -- ladders of programs of MPI, of their windows and ranks, against what the programs computed. */
#include <math.h>

#include "tests/unit/mpi/mpi_programs.h"

#include "analysis/efficiency/parts.h"
#include "analysis/mpi/replay.h"

enum { PROGRAMS = 500, STEP = 30000 };

/* What a rank computes within [begin, end), ns. */
static int64_t computed(const struct program *p, int rank, int64_t begin, int64_t end)
{
	int64_t from = begin > p->init[rank] ? begin : p->init[rank],
		to = end < p->end[rank] ? end : p->end[rank], sum = to > from ? to - from : 0;

	for (int i = 0; i < p->nops; i++) {
		int64_t b = p->op[i].begin > from ? p->op[i].begin : from,
			e = p->op[i].end < to ? p->op[i].end : to;

		if (p->op[i].rank == rank && e > b)
			sum -= e - b;
	}
	return sum;
}

/* How far the run on an ideal network is when the recorded one is at `time`: the rank that is latest. */
static int64_t reaches(const struct program *p, const int64_t *begin, const int64_t *end,
		       int64_t time)
{
	int64_t latest = INT64_MAX;

	for (int r = 0; r < p->ranks; r++)
		latest = p->init[r] < latest ? p->init[r] : latest;
	for (int r = 0; r < p->ranks; r++) {
		int64_t now = time < p->end[r] ? time : p->end[r], at = now;

		if (time < p->init[r])
			continue;
		for (int i = 0; i < p->nops; i++) {
			const struct op *op = &p->op[i];

			if (op->rank != r || op->begin > now)
				continue;
			at = now < op->end ? begin[i] + now - op->begin : end[i] + now - op->end;
			at = now < op->end && at > end[i] ? end[i] : at;
		}
		latest = at > latest ? at : latest;
	}
	return latest;
}

static void parts_of(struct tv_efficiency_parts *parts, struct sample *s, enum tv_part_key key)
{
	if (tv_efficiency_parts_init(parts, &s->run, key, STEP, NULL, &s->err) < 0)
		fail_msg("%s", s->err.text);
}

/* Whether the replay has learned which messages are buffered: then it is the run on the ideal network. */
static bool learns(const struct program *p, struct sample *s, const int64_t *begin,
		   const int64_t *end)
{
	const struct tv_call_rules rules = { .gap = 10000 };
	struct tv_mpi_replay r;
	bool same = true;

	if (tv_mpi_replay_init(&r, &s->run, &rules, "test", &s->err) < 0)
		fail_msg("%s", s->err.text);
	for (int i = 0; i < p->nops; i++) {
		uint32_t node = r.graph.node_of[p->op[i].row];

		same = same && r.ideal[2 * node] == begin[i] && r.ideal[2 * node + 1] == end[i];
	}
	tv_mpi_replay_release(&r);
	return same;
}

static int programs_known;

static void check_windows(struct program *p, struct sample *s, const struct tv_ladder *run)
{
	int64_t begin[OPS], end[OPS];
	long double sum[TV_LADDER_RUNG_TRANSFER + 1] = { 0 };
	bool known;
	struct tv_efficiency_parts parts;

	parts_of(&parts, s, TV_PART_WINDOW);
	program_run(p, PROGRAM_IDEAL, begin, end);
	known = tv_ladder_has(run, TV_LADDER_RUNG_TRANSFER) && learns(p, s, begin, end);
	programs_known += known;
	for (size_t i = 0; i < parts.n; i++) {
		const struct tv_efficiency_part *part = &parts.at[i];
		int64_t all = 0, most = 0;

		for (int r = 0; r < p->ranks; r++) {
			int64_t time = computed(p, r, part->begin, part->end);

			all += time;
			most = time > most ? time : most;
		}
		if (known
		    && part->replayed[TV_LADDER_RUNG_TRANSFER]
			       != (long double)(reaches(p, begin, end, part->end)
						- reaches(p, begin, end, part->begin)))
			fail_msg("window %zu adds %Lg to the ideal run", i,
				 part->replayed[TV_LADDER_RUNG_TRANSFER]);
		assert_true(part->ladder.time[TV_LADDER_RUNG_GRAPH] == (long double)most);
		assert_true(
			fabsl(part->ladder.time[TV_LADDER_RUNG_NODES] * p->ranks - (long double)all)
			< 1e-6L);
		for (int rung = 0; rung <= TV_LADDER_RUNG_TRANSFER; rung++)
			sum[rung] += rung == 0 ? part->ladder.time[0] : part->replayed[rung];
	}
	for (int rung = 0; rung <= TV_LADDER_RUNG_TRANSFER; rung++)
		if (tv_ladder_has(run, rung) && sum[rung] != run->time[rung])
			fail_msg("windows: %s %Lg, not %Lg", tv_ladder_rung_name(rung), sum[rung],
				 run->time[rung]);
	tv_efficiency_parts_release(&parts);
}

static void check_ranks(const struct program *p, struct sample *s)
{
	struct tv_efficiency_parts parts;

	parts_of(&parts, s, TV_PART_NODE);
	assert_int_equal(parts.n, p->ranks);
	for (int r = 0; r < p->ranks; r++)
		assert_true(parts.at[r].ladder.time[TV_LADDER_RUNG_NODES]
			    == (long double)p->useful[atoi(parts.at[r].name)]);
	tv_efficiency_parts_release(&parts);
}

static void random_programs(void **state)
{
	static struct program p;
	uint64_t seed = unit_seed(33);

	(void)state;
	for (int i = 0; i < PROGRAMS; i++) {
		struct tv_ladder ladder;
		struct sample s;

		program_make(&p, seed + (uint64_t)i * 7919);
		program_sample(&p, &s, true);
		if (tv_ladder_of_run(&ladder, &s.run, &s.err) < 0)
			fail_msg("%s", s.err.text);
		check_windows(&p, &s, &ladder);
		check_ranks(&p, &s);
		tv_ladder_release(&ladder);
		sample_release(&s);
	}
	assert_true(programs_known > PROGRAMS / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_programs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
