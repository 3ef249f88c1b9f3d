/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_replay.c -- the replay of MPI calls: random programs whose runs are known, a walk for each instant, kinds of functions. */
#include "analysis/mpi/replay_culprits.h"
#include "analysis/mpi/replay_delays.h"
#include "tests/unit/mpi/mpi_programs.h"
#include "trace/sorted.h"

enum { PROGRAMS = 2000, WALKED = 500, DELAYED = 500 };

static const struct tv_call_rules known_eager = { .eager_given = true,
						  .eager = EAGER,
						  .gap = 10000 };

static void replay_of(struct tv_mpi_replay *r, struct sample *s, bool learns)
{
	struct tv_call_rules rules = known_eager;

	rules.eager_given = !learns;
	if (tv_mpi_replay_init(r, &s->run, &rules, "test", &s->err) < 0)
		fail_msg("%s", s->err.text);
}

/* The first call that begins or ends at another instant on the ideal network. */
static void compare_calls(const struct program *p, const struct tv_mpi_replay *r,
			  const int64_t *begin, const int64_t *end, int number)
{
	for (int i = 0; i < p->nops; i++) {
		uint32_t node = r->graph.node_of[p->op[i].row];

		if (r->ideal[2 * node] != begin[i] || r->ideal[2 * node + 1] != end[i])
			fail_msg("program %d, %s of rank %d: %lld to %lld, not %lld to %lld",
				 number, p->op[i].call, p->op[i].rank,
				 (long long)r->ideal[2 * node], (long long)r->ideal[2 * node + 1],
				 (long long)begin[i], (long long)end[i]);
	}
}

static void check_network(struct program *p, const struct tv_mpi_replay *r, struct sample *s,
			  int number)
{
	int64_t begin[OPS], end[OPS], expected = program_run(p, PROGRAM_NETWORK, begin, end), time;
	struct tv_network network;

	assert_int_equal(tv_replay_network(r, NETWORK, &network, &time, &s->err), 0);
	if (time != expected)
		fail_msg("program %d, on a network: %lld, not %lld", number, (long long)time,
			 (long long)expected);
}

/* Each rung to the ns; the replay of the recording is the recording. */
static void rungs(void **state)
{
	static struct program p;
	uint64_t seed = unit_seed(20261128);
	int equal = 0, inside = 0, outside = 0;

	(void)state;
	for (int i = 0; i < PROGRAMS; i++) {
		int64_t begin[OPS], end[OPS], rung[3], busiest = 0, useful = 0;
		struct tv_mpi_replay r;
		struct sample s;

		program_make(&p, seed + (uint64_t)i * 7919);
		program_sample(&p, &s, i % 2 == 0);
		for (int k = 0; k < 3; k++)
			rung[k] = program_run(&p, (enum program_rung)k, begin, end);
		for (int k = 0; k < p.ranks; k++) {
			busiest = p.useful[k] > busiest ? p.useful[k] : busiest;
			useful += p.useful[k];
		}
		replay_of(&r, &s, false);
		compare_calls(&p, &r, begin, end, i);
		check_network(&p, &r, &s, i);
		for (int k = 0; k < 3; k++)
			if (r.rung[k] != rung[k])
				fail_msg("program %d, rung %d: %lld, not %lld", i, k,
					 (long long)r.rung[k], (long long)rung[k]);
		if (r.busiest != busiest || r.useful != useful)
			fail_msg("program %d: useful %lld %lld, not %lld %lld", i,
				 (long long)r.busiest, (long long)r.useful, (long long)busiest,
				 (long long)useful);
		assert_int_equal(r.graph.counts.contradictions + r.graph.counts.cycles
					 + r.graph.counts.overlaps + r.graph.counts.no_calls,
				 0);
		tv_mpi_replay_release(&r);
		replay_of(&r, &s, true);
		assert_int_equal(r.rung[TV_RUNG_RECORDED], rung[PROGRAM_RECORDED]);
		equal += r.rung[TV_RUNG_IDEAL] == rung[2] && r.ideal_if_eager == rung[2];
		inside += r.rung[TV_RUNG_IDEAL] >= rung[2] && r.ideal_if_eager <= rung[2];
		outside += r.rung[TV_RUNG_IDEAL] < rung[2] || r.ideal_if_eager > rung[2];
		tv_mpi_replay_release(&r);
		sample_release(&s);
	}
	print_message("# eager learned: %d equal, %d within the interval, %d outside\n", equal,
		      inside - equal, outside);
	assert_true(outside <= PROGRAMS / 500);
}

/* Without requests, as Extrae's: the replay of the recording is the recording, and the ideal run is nearly always the one that
 * requests give, or within the interval of what is not known. Programs without nonblocking collective operations. */
static void no_requests(void **state)
{
	static struct program p;
	uint64_t seed = unit_seed(91);
	int programs = 0, equal = 0, inside = 0;

	(void)state;
	for (int i = 0; programs < WALKED; i++) {
		int64_t begin[OPS], end[OPS], ideal;
		struct tv_mpi_replay r;
		bool posted = false;
		struct sample s;

		program_make(&p, seed + (uint64_t)i * 7919);
		for (int k = 0; k < p.nops; k++) {
			posted = posted || (p.op[k].sequence >= 0 && p.op[k].local);
			p.op[k].nrequests = 0;
			p.op[k].polls = 1;
		}
		if (posted)
			continue;
		program_sample(&p, &s, true);
		ideal = program_run(&p, PROGRAM_IDEAL, begin, end);
		replay_of(&r, &s, false);
		assert_int_equal(r.rung[TV_RUNG_RECORDED],
				 program_run(&p, PROGRAM_RECORDED, begin, end));
		assert_int_equal(r.graph.counts.contradictions + r.graph.counts.cycles
					 + r.graph.counts.no_calls,
				 0);
		programs++;
		equal += r.rung[TV_RUNG_IDEAL] == ideal;
		inside += r.rung[TV_RUNG_IDEAL] >= ideal && r.ideal_if_eager <= ideal;
		tv_mpi_replay_release(&r);
		sample_release(&s);
	}
	print_message("# without requests: %d equal, %d within the interval, %d outside\n", equal,
		      inside - equal, programs - inside);
	assert_true(equal > programs * 8 / 10 && inside > programs * 19 / 20);
}

/* One computation or call of a program takes longer: without that the recording is the run without it. */
static void delays(void **state)
{
	static struct program p;
	uint64_t seed = unit_seed(33);
	int longer = 0;

	(void)state;
	for (int i = 0; i < DELAYED; i++) {
		int64_t begin[OPS], end[OPS], before, delay = 1 + (int64_t)(i % 7) * 30011, *cut;
		struct tv_mpi_replay r;
		struct sample s;
		uint32_t node;
		struct op *op;

		program_make(&p, seed + (uint64_t)i * 7919);
		op = &p.op[i * 31 % p.nops];
		before = program_run(&p, PROGRAM_RECORDED, begin, end);
		*(i % 2 == 0 ? &op->computed : &op->rest) += delay;
		program_sample(&p, &s, i % 3 == 0);
		replay_of(&r, &s, false);
		node = r.graph.node_of[op->row];
		cut = tv_alloc(2 * (size_t)r.graph.n + r.graph.nthreads, sizeof *cut);
		assert_int_equal(tv_replay_without(&r.graph, cut), r.rung[TV_RUNG_RECORDED]);
		assert_true(tv_replay_length(&r.graph, 2 * node + i % 2) >= delay);
		cut[2 * node + i % 2] = delay;
		if (tv_replay_without(&r.graph, cut) != before)
			fail_msg("program %d, %s of rank %d: %lld, not %lld", i, op->call, op->rank,
				 (long long)tv_replay_without(&r.graph, cut), (long long)before);
		longer += r.rung[TV_RUNG_RECORDED] > before;
		tv_free(cut);
		tv_mpi_replay_release(&r);
		sample_release(&s);
	}
	print_message("# %d of %d delays make the run longer\n", longer, DELAYED);
	assert_true(longer > DELAYED / 4);
}

/* ---- culprits ---- */

struct blamed {
	int64_t compute[RANKS_MAX][2], start[RANKS_MAX][2], message[2], collective[2],
		call[2]; /* direct, further */
};

static int op_at(const struct program *p, int rank, int64_t t)
{
	for (int i = 0; i < p->nops; i++)
		if (p->op[i].rank == rank && p->op[i].begin <= t && p->op[i].end > t)
			return i;
	return -1;
}

/* The rank that comes last of those for which a call waits at t; -1 = all have come. */
static int awaited(const struct program *p, const struct op *op, int64_t t)
{
	int64_t latest = t;
	int rank = -1;

	for (int i = 0; i < op->nwaits; i++) {
		const struct op *on = &p->op[op->wait[i]];

		if (on->begin > latest
		    || (on->begin == latest && on->begin > t && on->rank < rank)) {
			latest = on->begin;
			rank = on->rank;
		}
	}
	return rank;
}

/* One walk, as the header describes it. */
static void walk(const struct program *p, int rank, int64_t t, int64_t length, struct blamed *b)
{
	int steps = 0, last = 0;

	for (int r = 1; r < p->ranks; r++)
		last = p->end[r] > p->end[last] ? r : last;
	if (t >= p->init[rank] && t < p->end[rank] && op_at(p, rank, t) < 0)
		return;
	for (;;) {
		int op = op_at(p, rank, t), next;

		assert_true(steps < 1000);
		if (t < p->init[rank]) {
			b->start[rank][steps > 1] += length;
			return;
		}
		if (op < 0 && t < p->end[rank]) {
			b->compute[rank][steps > 1] += length;
			return;
		}
		next = op < 0 ? last : awaited(p, &p->op[op], t);
		if (next < 0) {
			int64_t *to = p->op[op].fixed		       ? b->call
				    : p->op[op].about == OF_MESSAGE    ? b->message
				    : p->op[op].about == OF_COLLECTIVE ? b->collective
								       : b->call;

			to[steps > 1] += length;
			return;
		}
		rank = next;
		steps++;
	}
}

static void walk_all(const struct program *p, struct blamed *b)
{
	int64_t instant[2 * OPS + 2 * RANKS_MAX];
	size_t n = 0;

	for (int i = 0; i < p->nops; i++) {
		instant[n++] = p->op[i].begin;
		instant[n++] = p->op[i].end;
	}
	for (int r = 0; r < p->ranks; r++) {
		instant[n++] = p->init[r];
		instant[n++] = p->end[r];
	}
	qsort(instant, n, sizeof *instant, tv_compare_int64);
	for (size_t i = 0; i + 1 < n; i++)
		for (int r = 0; r < p->ranks && instant[i] < instant[i + 1]; r++)
			walk(p, r, instant[i], instant[i + 1] - instant[i], b);
}

static void add_culprit(const struct tv_call_graph *g, const struct tv_culprit *c, struct blamed *b)
{
	uint32_t rank = g->thread[c->thread].rank;
	int64_t *to = c->kind == TV_CULPRIT_COMPUTE ? b->compute[rank]
		    : c->kind == TV_CULPRIT_START   ? b->start[rank]
		    : c->kind == TV_CULPRIT_MESSAGE || c->kind == TV_CULPRIT_OUTSIDE ? b->message
		    : c->kind == TV_CULPRIT_COLLECTIVE				     ? b->collective
										     : b->call;

	to[0] += c->direct;
	to[1] += c->further;
}

static void culprits(void **state)
{
	static struct program p;
	uint64_t seed = unit_seed(5);

	(void)state;
	for (int i = 0; i < WALKED; i++) {
		struct blamed walked = { 0 }, found = { 0 };
		struct tv_culprit *culprit;
		struct tv_mpi_replay r;
		struct sample s;
		int64_t sum = 0;
		size_t n;

		program_make(&p, seed + (uint64_t)i * 104729);
		program_sample(&p, &s, true);
		replay_of(&r, &s, false);
		culprit = tv_replay_culprits(&r.graph, &n);
		for (size_t k = 0; k < n; k++) {
			add_culprit(&r.graph, &culprit[k], &found);
			sum += culprit[k].direct + culprit[k].further;
		}
		walk_all(&p, &walked);
		assert_int_equal(sum, p.ranks * r.rung[TV_RUNG_RECORDED] - r.useful);
		for (size_t k = 0; k < sizeof walked / sizeof(int64_t); k++)
			if (((int64_t *)&walked)[k] != ((int64_t *)&found)[k])
				fail_msg("program %d: sum %zu is %lld, the walks give %lld", i, k,
					 (long long)((int64_t *)&found)[k],
					 (long long)((int64_t *)&walked)[k]);
		tv_free(culprit);
		tv_mpi_replay_release(&r);
		sample_release(&s);
	}
}

/* Calls at wrong instants: they overlap, end before their partners come, wait for each other. */
static void disturb(struct sample *s, uint64_t *seed)
{
	const struct tv_table *calls = &s->trace.table[TV_CALLS];
	int64_t *start = tv_table_find(calls, "Start")->i, *end = tv_table_find(calls, "End")->i;

	for (uint32_t row = 0; row < calls->nrows; row++) {
		if (unit_random(seed, 10) > 0)
			continue;
		start[row] += (int64_t)unit_random(seed, 200000) - 100000;
		end[row] += (int64_t)unit_random(seed, 200000) - 100000;
		end[row] = end[row] < start[row] ? start[row] : end[row];
	}
}

/* Also then the replay of the recording is the recording, and culprits account for all time. */
static void contradictions(void **state)
{
	static struct program p;
	uint64_t seed = unit_seed(77);
	int contradicted = 0;

	(void)state;
	for (int i = 0; i < WALKED; i++) {
		struct tv_culprit *culprit;
		struct tv_mpi_replay r;
		struct sample s;
		int64_t sum = 0;
		size_t n;

		program_make(&p, seed + (uint64_t)i * 7907);
		program_sample(&p, &s, i % 2 == 0);
		disturb(&s, &seed);
		replay_of(&r, &s, false);
		culprit = tv_replay_culprits(&r.graph, &n);
		for (size_t k = 0; k < n; k++)
			sum += culprit[k].direct + culprit[k].further;
		assert_int_equal(r.rung[TV_RUNG_RECORDED], r.graph.end - r.graph.begin);
		assert_int_equal(sum, r.graph.nthreads * r.rung[TV_RUNG_RECORDED] - r.useful);
		contradicted += r.graph.counts.contradictions > 0;
		tv_free(culprit);
		tv_mpi_replay_release(&r);
		sample_release(&s);
	}
	assert_true(contradicted > WALKED / 10);
}

/* ---- functions ---- */

static void kinds(void **state)
{
	static const struct {
		const char *name;
		enum tv_call_kind kind;
		bool starts;
	} known[] = {
		{ "MPI_Send", TV_KIND_SEND, false },
		{ "mpi_isend", TV_KIND_SEND, true },
		{ "MPI_Issend", TV_KIND_SEND, true },
		{ "MPI_Send_init", TV_KIND_SEND, true },
		{ "MPI_Recv_init", TV_KIND_RECEIVE, true },
		{ "MPI_Irecv", TV_KIND_RECEIVE, true },
		{ "MPI_Imrecv", TV_KIND_MRECV, true },
		{ "MPI_Improbe", TV_KIND_MPROBE, true },
		{ "MPI_Sendrecv_replace", TV_KIND_EXCHANGE, false },
		{ "MPI_Ibarrier", TV_KIND_ALL, true },
		{ "MPI_Reduce_scatter_block", TV_KIND_ALL, false },
		{ "MPI_Comm_idup", TV_KIND_ALL, true },
		{ "MPI_Win_fence", TV_KIND_ALL, false },
		{ "MPI_Win_lock", TV_KIND_FIXED, false },
		{ "MPI_Win_test", TV_KIND_LOCAL, false },
		{ "MPI_File_write_all", TV_KIND_FIXED, false },
		{ "MPI_Ineighbor_alltoall", TV_KIND_FIXED, false },
		{ "MPI_Rget", TV_KIND_FIXED, false },
		{ "MPI_Gatherv", TV_KIND_TO_ROOT, false },
		{ "MPI_Iscatterv", TV_KIND_FROM_ROOT, true },
		{ "MPI_Exscan", TV_KIND_SCAN, false },
		{ "MPI_Init", TV_KIND_INIT, false },
		{ "MPI_Init_thread", TV_KIND_INIT, false },
		{ "MPI_Finalize", TV_KIND_FINALIZE, false },
		{ "MPI_Initialized", TV_KIND_LOCAL, false },
		{ "MPI_Comm_create_group", TV_KIND_FIXED, false },
		{ "MPI_Wait", TV_KIND_LOCAL, false },
		{ "MPI_Alltoallw", TV_KIND_ALL, false },
		{ "MPI_Accumulate", TV_KIND_FIXED, false },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(known); i++) {
		struct tv_call_kind_of of = tv_call_kind_named(known[i].name);

		if (of.kind != known[i].kind || of.starts != known[i].starts)
			fail_msg("%s: kind %d, starts %d", known[i].name, of.kind, of.starts);
	}
	assert_true(tv_call_kind_named("MPI_Ibarrier").is_barrier);
	assert_int_equal(tv_call_kind_named("MPI_Ssend").mode, TV_SEND_SYNCHRONOUS);
	assert_int_equal(tv_call_kind_named("MPI_Ibsend").mode, TV_SEND_BUFFERED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds),       cmocka_unit_test(rungs),
		cmocka_unit_test(no_requests), cmocka_unit_test(delays),
		cmocka_unit_test(culprits),    cmocka_unit_test(contradictions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
