/* SPDX-License-Identifier: GPL-3.0-or-later */
/* iterations.c -- the iterations of a program that calls MPI. */
#include "analysis/calls/iterations.h"

#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/sorted.h"

enum { ITERATIONS_MIN = 3, LEVELS_MAX = 32, TRIED_MAX = 16, LOOPS_MAX = 32, STEPS_PER_TOKEN = 64 };

/* A call that communicates, by rank, thread and time. */
struct call {
	uint32_t rank, resource, order, row;
};

TV_ORDER(by_thread, struct call, rank, resource, order)

/* A call, or a loop: calls [first, last]. Equal ones have one id. */
struct token {
	uint32_t id, first, last;
};

/* Tokens [begin, end), each equal to the one `period` before it but the first ones. */
struct repeat {
	uint32_t period, begin, end;
};

TV_ORDER(by_period, struct repeat, period, begin)

/* The iterations of a loop: calls [first, last]. */
struct hit {
	uint32_t first, last;
};

struct loop {
	struct hit *at;
	uint32_t n;
	uint64_t calls;
};

struct rank {
	uint32_t label;
	struct loop loop[LOOPS_MAX]; /* of different numbers of iterations */
	uint32_t n;
};

struct search {
	const struct tv_calls *calls;
	struct call *call;
	uint32_t ncalls;
	uint32_t from, to; /* the calls of a thread */
	uint32_t nsymbols; /* its different calls */
	struct rank *rank; /* of this thread */
	/* The thread's tokens, and what is found among them. */
	struct token *token;
	uint32_t n;
	struct repeat *repeat;
	size_t nrepeats, cap;
	struct hit *hit; /* two per token */
	/* Sequences that are loops, as a tree: child by node and token. */
	struct tv_map child;
	bool *is_loop; /* by node */
	size_t nnodes, node_cap;
};

/* ---- calls ---- */

static void collect(struct search *s)
{
	const struct tv_calls *calls = s->calls;

	s->call = tv_alloc((size_t)calls->n + 1, sizeof *s->call);
	for (uint32_t i = 0; i < calls->n; i++) {
		uint32_t row = calls->row[i];

		if (calls->class_of[row] == TV_CALL_TEST || calls->class_of[row] == TV_CALL_OTHER)
			continue;
		s->call[s->ncalls] = (struct call){ calls->rank_of[row],
						    tv_call_label(calls, TV_CALL_RESOURCE, row),
						    s->ncalls, row };
		s->ncalls++;
	}
	if (s->ncalls > 0)
		qsort(s->call, s->ncalls, sizeof *s->call, by_thread);
}

static uint64_t partner(const struct tv_calls *calls, enum tv_call_column column, uint32_t row)
{
	int64_t number = tv_call_number(calls, column, row);

	return number == TV_NO_NUMBER ? UINT32_MAX : (uint32_t)number;
}

/* The thread's calls as tokens. */
static void name_calls(struct search *s)
{
	const struct tv_calls *calls = s->calls;
	struct tv_map known = { 0 };

	s->n = s->to - s->from;
	s->nsymbols = 0;
	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t row = s->call[s->from + i].row;
		uint32_t *id = tv_map_at(&known,
					 (uint64_t)tv_call_label(calls, TV_CALL_NAME, row) << 32
						 | tv_call_label(calls, TV_CALL_SITE, row),
					 partner(calls, TV_CALL_PEER, row) << 32
						 | partner(calls, TV_CALL_RECEIVE_PEER, row));

		if (*id == TV_NONE)
			*id = s->nsymbols++;
		s->token[i] = (struct token){ *id, s->from + i, s->from + i };
	}
	tv_map_release(&known);
}

static int64_t begin_of(const struct search *s, uint32_t call)
{
	return tv_call_begin(s->calls, s->call[call].row);
}

static int64_t end_of(const struct search *s, uint32_t call)
{
	return tv_call_end(s->calls, s->call[call].row);
}

/* ---- loops ---- */

/* Keeps a loop of the thread if it is large enough, and the one with most calls of that many iterations. */
static void keep(struct search *s, const struct hit *hit, uint32_t n)
{
	struct rank *rank = s->rank;
	struct loop *to = NULL;
	uint64_t calls = 0;
	int64_t all = end_of(s, s->to - 1) - begin_of(s, s->from), time;

	if (n < ITERATIONS_MIN)
		return;
	for (uint32_t i = 0; i < n; i++)
		calls += hit[i].last - hit[i].first + 1;
	time = end_of(s, hit[n - 1].last) - begin_of(s, hit[0].first);
	if (2 * calls < s->to - s->from && time < all / 2)
		return;
	for (uint32_t i = 0; i < rank->n && to == NULL; i++)
		to = rank->loop[i].n == n ? &rank->loop[i] : NULL;
	if (to == NULL && rank->n < LOOPS_MAX)
		to = &rank->loop[rank->n++];
	if (to == NULL || to->calls >= calls)
		return;
	tv_free(to->at);
	*to = (struct loop){ tv_alloc(n, sizeof *to->at), n, calls };
	memcpy(to->at, hit, n * sizeof *hit);
}

/* Follows a sequence from a token on, to the right or to the left: its iterations, as tokens. *disturbed: those with other
 * tokens before or between theirs. *part: tokens of an iteration that is not whole, at the end. */
static uint32_t follow(const struct search *s, const struct token *body, uint32_t period,
		       uint32_t from, bool right, struct hit *hit, uint32_t *disturbed,
		       uint32_t *part)
{
	uint32_t n = 0, at = 0, others = 0, start = 0;

	for (uint32_t i = from; right ? i < s->n : i-- > 0; i += right) {
		if (s->token[i].id != body[right ? at : period - 1 - at].id) {
			if (++others > period / 2)
				break;
			continue;
		}
		if (at++ == 0)
			start = i;
		if (at < period)
			continue;
		hit[n++] = right ? (struct hit){ start, i } : (struct hit){ i, start };
		*disturbed += others > 0;
		at = others = 0;
	}
	*part = at;
	return n;
}

/* Whether some token of the body is as many calls in each of its iterations: where all repeat by chance, any sequence of two
 * calls would be a loop of two loops. */
static bool is_anchored(const struct search *s, const struct repeat *of, uint32_t begin)
{
	for (uint32_t k = begin; k < begin + of->period; k++) {
		uint32_t calls = s->token[k].last - s->token[k].first, i = k;

		while (i < of->end && s->token[i].last - s->token[i].first == calls)
			i += of->period;
		if (i >= of->end)
			return true;
	}
	return false;
}

/* The loop whose body begins at a token of a repetition. part: how many tokens of iterations that are not whole are to its
 * left and right. */
static void try_loop(struct search *s, const struct repeat *of, uint32_t begin, uint32_t part[2])
{
	struct hit *left = s->hit, *right = s->hit + s->n;
	const struct token *body = s->token + begin;
	uint32_t disturbed = 0, nright, nleft, n;

	part[0] = part[1] = 0;
	if (!is_anchored(s, of, begin))
		return;
	nright = follow(s, body, of->period, begin, true, right, &disturbed, &part[1]);
	nleft = follow(s, body, of->period, begin, false, left, &disturbed, &part[0]);
	if (4 * (uint64_t)disturbed > nleft + nright) {
		nleft = 0;
		nright = (of->end - begin) / of->period;
		part[0] = 0;
		part[1] = (of->end - begin) % of->period;
	}
	n = nleft + nright;
	/* Those to the left are in the opposite order; all together fit into the left half. */
	for (uint32_t i = 0; i < nleft / 2; i++) {
		struct hit swapped = left[i];

		left[i] = left[nleft - 1 - i];
		left[nleft - 1 - i] = swapped;
	}
	memmove(left + nleft, right, nright * sizeof *right);
	for (uint32_t i = 0; i < n; i++)
		left[i] = (struct hit){ s->token[left[i].first].first,
					s->token[left[i].last].last };
	keep(s, left, n);
}

static uint32_t calls_in(const struct search *s, const struct repeat *r)
{
	return s->token[r->end - 1].last - s->token[r->begin].first;
}

/* Tries the repetitions with most calls: iterations that begin where they do, where what is followed to the left begins, or that
 * end where what is followed to the right ends. */
static void try_loops(struct search *s)
{
	const struct repeat *most[TRIED_MAX];
	size_t n = 0;

	for (size_t i = 0; i < s->nrepeats; i++) {
		const struct repeat *r = &s->repeat[i];
		size_t at = n < TRIED_MAX ? n++ : TRIED_MAX;

		for (; at > 0 && calls_in(s, most[at - 1]) < calls_in(s, r); at--)
			if (at < TRIED_MAX)
				most[at] = most[at - 1];
		if (at < TRIED_MAX)
			most[at] = r;
	}
	for (size_t i = 0; i < n; i++) {
		uint32_t part[2], none[2];

		try_loop(s, most[i], most[i]->begin, part);
		if (part[0] > 0)
			try_loop(s, most[i], most[i]->begin + most[i]->period - part[0], none);
		if (part[1] > 0)
			try_loop(s, most[i], most[i]->begin + part[1], none);
	}
}

/* Repetitions of two iterations or more, in which at least one token occurs once in an iteration. */
static void find_repeats(struct search *s)
{
	size_t ids = s->nsymbols + s->nnodes;
	uint32_t *before = tv_alloc(ids, sizeof *before); /* by id: where it was last, + 1 */
	uint32_t *until = tv_alloc((size_t)s->n + 1,
				   sizeof *until); /* by period: what is looked at */
	uint64_t steps = (uint64_t)STEPS_PER_TOKEN * s->n;

	s->nrepeats = 0;
	for (uint32_t i = 0; i < s->n && steps > 0; i++) {
		const struct token *t = s->token;
		uint32_t period = i + 1 - before[t[i].id], begin = i, end = i + 1;
		bool first = before[t[i].id] == 0;

		before[t[i].id] = i + 1;
		if (first || i < until[period])
			continue;
		for (; begin > period && t[begin - 1].id == t[begin - 1 - period].id; begin--)
			steps -= steps > 0;
		for (; end < s->n && t[end].id == t[end - period].id; end++)
			steps -= steps > 0;
		until[period] = end;
		begin -= period;
		if (end - begin < 2 * period)
			continue;
		TV_GROW(s->repeat, s->nrepeats, s->cap, 1);
		s->repeat[s->nrepeats++] = (struct repeat){ period, begin, end };
	}
	tv_free(before);
	tv_free(until);
}

/* ---- loops as one token ---- */

static uint32_t add_node(struct search *s)
{
	TV_GROW(s->is_loop, s->nnodes, s->node_cap, 1);
	s->is_loop[s->nnodes] = false;
	return (uint32_t)s->nnodes++;
}

static uint32_t node_of_body(struct search *s, const struct repeat *r)
{
	uint32_t node = 0;

	for (uint32_t i = r->begin; i < r->begin + r->period; i++) {
		uint32_t *next = tv_map_at(&s->child, node, s->token[i].id);

		if (*next == TV_NONE)
			*next = add_node(s);
		node = *next;
	}
	s->is_loop[node] = true;
	return node;
}

/* The longest loop of which one iteration is at a token, in *length tokens; 0: none. */
static uint32_t find_single(const struct search *s, const uint32_t *loop_at, uint32_t from,
			    uint32_t *length)
{
	uint32_t node = 0, found = 0;
	const uint32_t *next;

	for (uint32_t i = from; i < s->n && loop_at[i] == 0
				&& (next = tv_map_get(&s->child, node, s->token[i].id)) != NULL;
	     i++) {
		node = *next;
		if (!s->is_loop[node])
			continue;
		found = node;
		*length = i + 1 - from;
	}
	return found;
}

/* The loops with the shortest bodies become tokens, also where they have one iteration only: what contains them is equal then,
 * however often they repeat. Whether there were any. */
static bool collapse(struct search *s)
{
	uint32_t *loop_at = tv_alloc(s->n,
				     sizeof *loop_at); /* by token: its loop's node; 0: none */
	uint32_t *length = tv_alloc(s->n, sizeof *length), n = 0;

	if (s->nrepeats > 1)
		qsort(s->repeat, s->nrepeats, sizeof *s->repeat, by_period);
	for (size_t k = 0; k < s->nrepeats && s->repeat[k].period == s->repeat[0].period; k++) {
		const struct repeat *r = &s->repeat[k];
		uint32_t end = r->end - (r->end - r->begin) % r->period, i = r->begin, node;

		while (i < end && loop_at[i] == 0)
			i++;
		if (i < end)
			continue;
		node = node_of_body(s, r);
		for (i = r->begin; i < end; i++)
			loop_at[i] = node;
		length[r->begin] = end - r->begin;
	}
	for (uint32_t i = 0; i < s->n; i += length[i]) {
		uint32_t node = loop_at[i];
		struct token *to = &s->token[n++];

		if (node == 0)
			node = find_single(s, loop_at, i, &length[i]);
		if (node == 0)
			length[i] = 1;
		*to = (struct token){ node == 0 ? s->token[i].id : s->nsymbols + node,
				      s->token[i].first, s->token[i + length[i] - 1].last };
	}
	tv_free(loop_at);
	tv_free(length);
	s->n = n;
	return s->nrepeats > 0;
}

static void search_thread(struct search *s)
{
	name_calls(s);
	s->nnodes = 0;
	add_node(s); /* the root */
	for (int level = 0; level < LEVELS_MAX; level++) {
		find_repeats(s);
		try_loops(s);
		if (!collapse(s))
			break;
	}
	tv_map_release(&s->child);
	s->child = (struct tv_map){ 0 };
}

/* ---- all ranks ---- */

static const struct loop *loop_of(const struct rank *rank, uint32_t n)
{
	for (uint32_t i = 0; i < rank->n; i++)
		if (rank->loop[i].n == n)
			return &rank->loop[i];
	return NULL;
}

/* How many iterations all ranks have, 0: none. */
static uint32_t agree(const struct rank *rank, uint32_t nranks)
{
	uint64_t most = 0;
	uint32_t n = 0;

	for (uint32_t i = 0; nranks > 0 && i < rank[0].n; i++) {
		uint32_t of = rank[0].loop[i].n;
		uint64_t calls = 0;
		bool all = true;

		for (uint32_t k = 0; k < nranks && all; k++) {
			const struct loop *loop = loop_of(&rank[k], of);

			all = loop != NULL;
			calls += all ? loop->calls : 0;
		}
		if (!all || calls < most || (calls == most && of > n))
			continue;
		most = calls;
		n = of;
	}
	return n;
}

static char *explain(const struct search *s, const struct rank *rank, uint32_t nranks)
{
	if (nranks == 0)
		return tv_strdup("the trace has no MPI calls that communicate");
	for (uint32_t k = 0; k < nranks; k++)
		if (rank[k].n == 0)
			return tv_format(
				"no sequence of MPI calls repeats on node %s",
				rank[k].label == TV_NONE
					? "without a name"
					: tv_pool_text(s->calls->trace->pool, rank[k].label));
	return tv_strdup("no sequence of MPI calls repeats equally often on all nodes");
}

static void unite(const struct search *s, const struct rank *rank, uint32_t nranks,
		  struct tv_iterations *to)
{
	to->at = tv_alloc(to->n, sizeof *to->at);
	to->calls = tv_alloc(to->n, sizeof *to->calls);
	for (uint32_t k = 0; k < nranks; k++) {
		const struct loop *loop = loop_of(&rank[k], to->n);

		for (uint32_t i = 0; i < to->n; i++) {
			int64_t begin = begin_of(s, loop->at[i].first),
				end = end_of(s, loop->at[i].last);

			to->at[i].begin = k == 0 || begin < to->at[i].begin ? begin
									    : to->at[i].begin;
			to->at[i].end = k == 0 || end > to->at[i].end ? end : to->at[i].end;
			to->calls[i] += loop->at[i].last - loop->at[i].first + 1;
		}
	}
}

void tv_iterations_find(struct tv_iterations *iterations, struct tv_run *run)
{
	struct search s = { .calls = tv_run_calls(run) };
	struct rank *rank = tv_alloc((size_t)s.calls->nranks + 1, sizeof *rank);
	uint32_t nranks = 0;

	*iterations = (struct tv_iterations){ 0 };
	collect(&s);
	s.token = tv_alloc((size_t)s.ncalls + 1, sizeof *s.token);
	s.hit = tv_alloc(2 * (size_t)s.ncalls + 1, sizeof *s.hit);
	for (s.from = 0; s.from < s.ncalls; s.from = s.to) {
		const struct call *first = &s.call[s.from];

		for (s.to = s.from; s.to < s.ncalls && s.call[s.to].rank == first->rank
				    && s.call[s.to].resource == first->resource;)
			s.to++;
		if (s.from == 0 || first[-1].rank != first->rank)
			rank[nranks++].label = s.calls->rank[first->rank];
		s.rank = &rank[nranks - 1];
		search_thread(&s);
	}
	iterations->n = agree(rank, nranks);
	if (iterations->n > 0)
		unite(&s, rank, nranks, iterations);
	else
		iterations->why = explain(&s, rank, nranks);
	for (uint32_t k = 0; k < nranks; k++)
		for (uint32_t i = 0; i < rank[k].n; i++)
			tv_free(rank[k].loop[i].at);
	tv_free(rank);
	tv_free(s.call);
	tv_free(s.token);
	tv_free(s.hit);
	tv_free(s.repeat);
	tv_free(s.is_loop);
}

void tv_iterations_release(struct tv_iterations *iterations)
{
	tv_free(iterations->at);
	tv_free(iterations->calls);
	tv_free(iterations->why);
	*iterations = (struct tv_iterations){ 0 };
}
