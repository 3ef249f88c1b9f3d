/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mpi_programs.h -- random MPI programs whose runs are known: on a network of random costs, without
 * what only posts, and on an ideal network.
 *
 * The program knows of each call whose begin it waits for; a run is found by letting ranks go on
 * while they can. What is written as a trace has none of that: peers, tags, requests, collective
 * operations and perhaps links alone.
 */
#ifndef TV_MPI_PROGRAMS_H
#define TV_MPI_PROGRAMS_H

#include "tests/unit/sample.h"

enum { RANKS_MAX = 6, OPS = 400, PENDING = 40, WAITS = 120, EAGER = 1000 };
enum op_about { OF_NOTHING, OF_MESSAGE, OF_COLLECTIVE };
enum program_rung { PROGRAM_RECORDED, PROGRAM_CALLS, PROGRAM_IDEAL, PROGRAM_NETWORK };
/* Of the rung on a network: a message takes that long from the call that sends it, or is ready for it. */
enum { LATENCY = 1000, PER_BYTE = 2 };
#define NETWORK "latency=1us,bandwidth=500MB/s"

struct op {
	const char *call, *class;
	int rank, peer, tag, receive_peer, receive_tag, root, comm_rank; /* -1: missing */
	int sequence;
	int64_t bytes, computed, rest;
	bool local, fixed; /* takes no time once calls that post do not; keeps its time */
	enum op_about about;
	int wait[WAITS], nwaits;   /* ops whose begin it waits for */
	int64_t wait_bytes[WAITS]; /* of a message; -1 = none */
	int request[PENDING], nrequests;
	int completed;	    /* the one request that it completes of several, or -1 */
	int polls;	    /* > 1: written as so many tests */
	uint32_t row;	    /* of calls */
	int64_t begin, end; /* of the recorded run */
};

struct link_of {
	int send, receive, sent, received; /* ops; the last two complete it, -1 = not yet */
	int tag;
	int64_t bytes;
};

struct pending {
	int rank, request, link; /* link -1: of a collective operation */
	bool sends;
	int wait[RANKS_MAX], nwaits;
};

struct program {
	uint64_t seed;
	int ranks, nops, nlinks, npending, nrequests, nsequences;
	struct op op[OPS];
	struct link_of link[OPS];
	struct pending pending[PENDING];
	int64_t init[RANKS_MAX],
		tail[RANKS_MAX]; /* end of MPI_Init; computation behind the last call */
	int64_t end[RANKS_MAX], useful[RANKS_MAX];
	bool turned; /* the ranks of the communicator are those of the world backward */
};

static inline int program_below(struct program *p, int n)
{
	return (int)unit_random(&p->seed, (uint64_t)n);
}

/* Often none: many calls at one instant. */
static inline int64_t program_time(struct program *p, int most)
{
	return program_below(p, 3) == 0 ? 0 : program_below(p, most);
}

static inline struct op *program_add(struct program *p, int rank, const char *call,
				     const char *class)
{
	struct op *op = &p->op[p->nops++];

	assert_true(p->nops <= OPS);
	*op = (struct op){ .call = call,
			   .class = class,
			   .rank = rank,
			   .peer = -1,
			   .tag = -1,
			   .receive_peer = -1,
			   .receive_tag = -1,
			   .root = -1,
			   .sequence = -1,
			   .comm_rank = p->turned ? p->ranks - 1 - rank : rank,
			   .bytes = -1,
			   .computed = program_time(p, 100000),
			   .rest = program_time(p, 20000),
			   .completed = -1,
			   .polls = 1,
			   .local = strcmp(class, "start") == 0 || strcmp(class, "other") == 0 };
	return op;
}

static inline void program_wait(struct op *op, int on, int64_t bytes)
{
	assert_true(op->nwaits < WAITS);
	op->wait_bytes[op->nwaits] = bytes;
	op->wait[op->nwaits++] = on;
}

static inline struct pending *program_start(struct program *p, struct op *op, int link)
{
	struct pending *r = &p->pending[p->npending++];

	assert_true(p->npending <= PENDING);
	*r = (struct pending){ .rank = op->rank, .request = ++p->nrequests, .link = link };
	op->request[op->nrequests++] = r->request;
	return r;
}

static inline int program_message(struct program *p)
{
	int from = program_below(p, p->ranks),
	    to = (from + 1 + program_below(p, p->ranks - 1)) % p->ranks, tag = program_below(p, 3),
	    how = program_below(p, 4), i = p->nlinks++;
	bool waits;
	struct link_of *link = &p->link[i];
	struct op *send, *receive;

	*link = (struct link_of){ .sent = -1, .received = -1, .tag = tag };
	link->bytes = 1 + program_below(p, 2 * EAGER);
	link->send = p->nops;
	send = program_add(p, from,
			   how == 0   ? "MPI_Ssend"
			   : how == 1 ? "MPI_Send"
				      : "MPI_Isend",
			   how < 2 ? "blocking" : "start");
	waits = how == 0 || link->bytes > EAGER;
	send->peer = to;
	send->tag = tag;
	send->bytes = link->bytes;
	how = program_below(p, 4);
	if (how == 0) {
		receive = program_add(p, to, "MPI_Probe", "blocking");
		receive->peer = from;
		receive->tag = tag;
		program_wait(receive, link->send, link->bytes);
		receive->about = OF_MESSAGE;
	}
	link->receive = p->nops;
	receive = program_add(p, to, how < 2 ? "MPI_Recv" : "MPI_Irecv",
			      how < 2 ? "blocking" : "start");
	receive->peer = from;
	receive->tag = tag;
	receive->bytes = link->bytes;
	if (how < 2) {
		program_wait(receive, link->send, link->bytes);
		receive->about = OF_MESSAGE;
		link->received = link->receive;
	} else {
		struct pending *r = program_start(p, receive, i);

		r->wait[r->nwaits++] = link->send;
	}
	if (strcmp(send->class, "start") == 0) {
		struct pending *r = program_start(p, send, i);

		r->sends = true;
		if (waits)
			r->wait[r->nwaits++] = link->receive;
	} else {
		send->about = OF_MESSAGE;
		link->sent = link->send;
		if (waits)
			program_wait(send, link->receive, link->bytes);
	}
	return 0;
}

/* Each rank sends to the next one and receives from the one before. */
static inline void program_ring(struct program *p)
{
	int first = p->nops, step = 1 + program_below(p, p->ranks - 1),
	    tag = 5 + program_below(p, 2);

	for (int r = 0; r < p->ranks; r++) {
		struct op *op = program_add(p, r, "MPI_Sendrecv", "blocking");

		op->peer = (r + step) % p->ranks;
		op->tag = tag;
		op->receive_peer = (r + p->ranks - step) % p->ranks;
		op->receive_tag = tag;
		op->bytes = 1 + program_below(p, 2 * EAGER);
		op->about = OF_MESSAGE;
	}
	for (int r = 0; r < p->ranks; r++) {
		struct op *op = &p->op[first + r];
		int to = first + op->peer, from = first + op->receive_peer;

		program_wait(op, from, p->op[from].bytes);
		if (op->bytes > EAGER)
			program_wait(op, to, op->bytes);
		p->link[p->nlinks++] = (struct link_of){ first + r, to,	 first + r,
							 to,	    tag, op->bytes };
	}
}

enum { TOGETHER, FROM_ROOT, TO_ROOT, SCANNED };

static inline bool program_depends(const struct program *p, int kind, int root, int rank, int on)
{
	bool before = p->turned ? on > rank : on < rank;

	return rank != on
	    && (kind == TOGETHER || (kind == FROM_ROOT && on == root)
		|| (kind == TO_ROOT && rank == root) || (kind == SCANNED && before));
}

static inline void program_collective(struct program *p)
{
	static const struct {
		const char *call, *posted;
		int kind;
	} known[] = {
		{ "MPI_Barrier", "MPI_Ibarrier", TOGETHER },
		{ "MPI_Allreduce", "MPI_Iallreduce", TOGETHER },
		{ "MPI_Alltoall", "MPI_Ialltoall", TOGETHER },
		{ "MPI_Bcast", "MPI_Ibcast", FROM_ROOT },
		{ "MPI_Scatter", "MPI_Iscatter", FROM_ROOT },
		{ "MPI_Reduce", "MPI_Ireduce", TO_ROOT },
		{ "MPI_Gather", "MPI_Igather", TO_ROOT },
		{ "MPI_Scan", "MPI_Iscan", SCANNED },
	};
	int k = program_below(p, TV_COUNT(known)), root = program_below(p, p->ranks),
	    first = p->nops;
	bool posted = program_below(p, 3) == 0;
	int kind = known[k].kind;

	for (int r = 0; r < p->ranks; r++) {
		struct op *op = program_add(p, r, posted ? known[k].posted : known[k].call,
					    posted ? "start" : "blocking");
		struct pending *request = posted ? program_start(p, op, -1) : NULL;

		op->sequence = p->nsequences;
		op->bytes = 8;
		op->root = kind == FROM_ROOT || kind == TO_ROOT ? root : -1;
		op->about = posted ? OF_NOTHING : OF_COLLECTIVE;
		for (int on = 0; on < p->ranks; on++) {
			if (!program_depends(p, kind, root, r, on))
				continue;
			if (posted)
				request->wait[request->nwaits++] = first + on;
			else
				program_wait(op, first + on, -1);
		}
	}
	p->nsequences++;
}

/* op completes the n-th pending request. */
static inline void program_complete(struct program *p, struct op *op, int n)
{
	const struct pending *r = &p->pending[n];

	for (int i = 0; i < r->nwaits; i++)
		program_wait(op, r->wait[i], r->link < 0 ? -1 : p->link[r->link].bytes);
	if (r->link < 0 && op->about == OF_NOTHING)
		op->about = OF_COLLECTIVE;
	if (r->link >= 0) {
		op->about = OF_MESSAGE;
		*(r->sends ? &p->link[r->link].sent
			   : &p->link[r->link].received) = (int)(op - p->op);
	}
	p->pending[n] = p->pending[--p->npending];
}

static inline void program_complete_some(struct program *p, int rank, bool all)
{
	bool any = !all && program_below(p, 3) == 0;
	int one = -1;
	struct op *op;

	for (int i = 0; i < p->npending; i++)
		if (p->pending[i].rank == rank && (one < 0 || program_below(p, 2)))
			one = i;
	if (one < 0)
		return;
	op = program_add(p, rank, any ? "MPI_Waitany" : "MPI_Waitall", "wait");
	for (int i = 0; i < p->npending; i++)
		if (p->pending[i].rank == rank && (all || any || i == one || program_below(p, 2)))
			op->request[op->nrequests++] = p->pending[i].request;
	if (any)
		op->completed = p->pending[one].request;
	for (int i = p->npending; i-- > 0;)
		for (int k = 0; k < op->nrequests && i < p->npending; k++)
			if (p->pending[i].request == op->request[k]
			    && (!any || op->request[k] == op->completed)) {
				program_complete(p, op, i);
				break;
			}
	op->local = op->nwaits == 0;
	if (!any && program_below(p, 4) == 0) {
		op->class = "test";
		op->call = "MPI_Testall";
		op->polls = 2 + program_below(p, 3);
	}
}

static inline void program_alone(struct program *p)
{
	int rank = program_below(p, p->ranks), how = program_below(p, 3);
	struct op *op = program_add(p, rank,
				    how == 0   ? "MPI_Comm_free"
				    : how == 1 ? "MPI_Put"
					       : "MPI_Send",
				    how < 2 ? "other" : "blocking");

	op->fixed = how == 1;
}

static inline void program_make(struct program *p, uint64_t seed)
{
	int steps;

	*p = (struct program){ .seed = seed };
	p->ranks = 2 + program_below(p, RANKS_MAX - 1);
	p->turned = program_below(p, 3) == 0;
	steps = 5 + program_below(p, 30);
	for (int r = 0; r < p->ranks; r++) {
		p->init[r] = program_time(p, 50000);
		p->tail[r] = program_time(p, 50000);
	}
	for (int i = 0; i < steps; i++) {
		int how = program_below(p, 12);

		if (how < 5 && p->npending + 2 <= PENDING)
			program_message(p);
		else if (how == 5)
			program_ring(p);
		else if (how < 8 && p->npending + RANKS_MAX <= PENDING)
			program_collective(p);
		else if (how == 8)
			program_alone(p);
		else
			program_complete_some(p, program_below(p, p->ranks), how == 9);
	}
	for (int r = 0; r < p->ranks; r++)
		program_complete_some(p, r, true);
}

/* What a call takes after all for whom it waits have come. */
static inline int64_t program_cost(const struct op *op, enum program_rung rung)
{
	if (rung == PROGRAM_RECORDED || op->fixed)
		return op->rest;
	return rung == PROGRAM_CALLS && !op->local ? op->rest : 0;
}

/* Runs it: begins, ends of ops and of ranks. A fixed op of the recorded run waits for nobody. How long from the first end of
 * MPI_Init to the last begin of MPI_Finalize. */
static inline int64_t program_run(struct program *p, enum program_rung rung, int64_t *begin,
				  int64_t *end)
{
	bool begun[OPS] = { 0 }, ended[OPS] = { 0 }, changed = true;
	int64_t first = INT64_MAX, last = INT64_MIN;
	int previous[OPS], latest[RANKS_MAX];

	for (int r = 0; r < p->ranks; r++)
		latest[r] = -1;
	for (int i = 0; i < p->nops; i++) {
		previous[i] = latest[p->op[i].rank];
		latest[p->op[i].rank] = i;
	}
	while (changed) {
		changed = false;
		for (int i = 0; i < p->nops; i++) {
			const struct op *op = &p->op[i];
			int64_t ready;

			if (!begun[i] && (previous[i] < 0 || ended[previous[i]])) {
				begin[i] = (previous[i] < 0 ? p->init[op->rank] : end[previous[i]])
					 + op->computed;
				begun[i] = changed = true;
			}
			ready = begun[i] && !ended[i] ? begin[i] : INT64_MAX;
			for (int k = 0; k < op->nwaits && ready != INT64_MAX; k++) {
				int64_t came = begin[op->wait[k]];

				if (rung == PROGRAM_NETWORK && op->wait_bytes[k] >= 0)
					came += LATENCY + PER_BYTE * op->wait_bytes[k];
				ready = !begun[op->wait[k]] ? INT64_MAX
				      : came > ready	    ? came
							    : ready;
			}
			if (ready == INT64_MAX)
				continue;
			end[i] = ready + program_cost(op, rung);
			ended[i] = changed = true;
		}
	}
	for (int r = 0; r < p->ranks; r++) {
		int64_t at = (latest[r] < 0 ? p->init[r] : end[latest[r]]) + p->tail[r];

		assert_true(latest[r] < 0
			    || ended[latest[r]]); /* else it hangs: a mistake of this generator */
		p->end[r] = rung == PROGRAM_RECORDED ? at : p->end[r];
		first = p->init[r] < first ? p->init[r] : first;
		last = at > last ? at : last;
	}
	return last - first;
}

/* ---- as a trace ---- */

static inline void program_number(struct sample *s, enum tv_table_id table, uint32_t row,
				  const char *column, int64_t number)
{
	if (number >= 0)
		sample_number(s, table, row, column, number);
}

static inline void program_row(struct sample *s, const struct op *op, int64_t begin, int64_t end,
			       bool last, bool exchanges)
{
	uint32_t row = tv_table_add_row(&s->trace.table[TV_CALLS]);
	char name[20], list[400] = "";

	snprintf(name, sizeof name, "%d_T0", op->rank);
	for (int i = 0; i < op->nrequests; i++)
		snprintf(list + strlen(list), sizeof list - strlen(list), "%d ", op->request[i]);
	sample_text(s, TV_CALLS, row, "ResourceId", name);
	sample_text(s, TV_CALLS, row, "Call", op->call);
	sample_text(s, TV_CALLS, row, "Class", op->class);
	sample_number(s, TV_CALLS, row, "Start", begin);
	sample_number(s, TV_CALLS, row, "End", end);
	if (op->nrequests > 0)
		tv_set_words(tv_trace_column(&s->trace, TV_CALLS, "Request"), row, list,
			     strlen(list));
	snprintf(name, sizeof name, "%d", op->completed);
	if (op->polls > 1 && last)
		tv_set_words(tv_trace_column(&s->trace, TV_CALLS, "Completed"), row, list,
			     strlen(list));
	else if (op->completed >= 0)
		tv_set_words(tv_trace_column(&s->trace, TV_CALLS, "Completed"), row, name,
			     strlen(name));
	if (op->peer >= 0 || op->sequence >= 0)
		sample_text(s, TV_CALLS, row, "Comm", "world");
	program_number(s, TV_CALLS, row, "Sequence", op->sequence);
	program_number(s, TV_CALLS, row, "Root", op->root);
	program_number(s, TV_CALLS, row, "Peer", op->peer);
	program_number(s, TV_CALLS, row, "Tag", op->tag);
	program_number(s, TV_CALLS, row, "Bytes", op->bytes);
	program_number(s, TV_CALLS, row, "CommRank", op->sequence >= 0 ? op->comm_rank : -1);
	program_number(s, TV_CALLS, row, "ReceivePeer", exchanges ? op->receive_peer : -1);
	program_number(s, TV_CALLS, row, "ReceiveTag", exchanges ? op->receive_tag : -1);
}

static inline void program_limit(struct sample *s, int rank, const char *call, int64_t begin,
				 int64_t end)
{
	const struct op op = { .call = call,
			       .class = "other",
			       .rank = rank,
			       .peer = -1,
			       .tag = -1,
			       .receive_peer = -1,
			       .receive_tag = -1,
			       .root = -1,
			       .sequence = -1,
			       .bytes = -1,
			       .completed = -1 };

	program_row(s, &op, begin, end, true, false);
}

static inline void program_link(struct sample *s, const struct program *p,
				const struct link_of *link)
{
	uint32_t row = tv_table_add_row(&s->trace.table[TV_LINKS]);
	char name[20];

	sample_text(s, TV_LINKS, row, "Type", "MPI communication");
	sample_text(s, TV_LINKS, row, "Key", "m");
	snprintf(name, sizeof name, "%d_T0", p->op[link->send].rank);
	sample_text(s, TV_LINKS, row, "Origin", name);
	snprintf(name, sizeof name, "%d_T0", p->op[link->receive].rank);
	sample_text(s, TV_LINKS, row, "Dest", name);
	snprintf(name, sizeof name, "%d", link->tag);
	sample_text(s, TV_LINKS, row, "Tag", name);
	sample_number(s, TV_LINKS, row, "Start", p->op[link->send].begin);
	sample_number(s, TV_LINKS, row, "End", p->op[link->received].end);
	sample_number(s, TV_LINKS, row, "Size", link->bytes);
	sample_number(s, TV_LINKS, row, "SendEnd", p->op[link->sent].end);
	sample_number(s, TV_LINKS, row, "ReceiveStart", p->op[link->receive].begin);
}

/* A call that polls is written as tests with nothing between them. */
static inline void program_polls(struct sample *s, struct op *op, bool exchanges)
{
	op->row = s->trace.table[TV_CALLS].nrows;
	int64_t begin = op->begin, length = op->end - op->begin;

	for (int i = 1; i <= op->polls; i++) {
		int64_t end = i == op->polls ? op->end : op->begin + length * i / op->polls;

		program_row(s, op, begin, end, i == op->polls, exchanges);
		begin = end;
	}
}

/* The recorded run as a sample, with links, or with what exchanges receive. */
static inline void program_sample(struct program *p, struct sample *s, bool links)
{
	int64_t begin[OPS], end[OPS];

	program_run(p, PROGRAM_RECORDED, begin, end);
	sample_make(s, "ResourceId,Value,Start,End\n");
	for (int r = 0; r < p->ranks; r++)
		program_limit(s, r, "MPI_Init", 0, p->init[r]);
	for (int r = 0; r < p->ranks; r++)
		p->useful[r] = p->end[r] - p->init[r];
	for (int i = 0; i < p->nops; i++) {
		p->op[i].begin = begin[i];
		p->op[i].end = end[i];
		p->useful[p->op[i].rank] -= end[i] - begin[i];
		program_polls(s, &p->op[i], !links);
	}
	for (int r = 0; r < p->ranks; r++)
		program_limit(s, r, "MPI_Finalize", p->end[r], p->end[r] + 10);
	for (int i = 0; links && i < p->nlinks; i++)
		program_link(s, p, &p->link[i]);
	tv_table_finish(&s->trace.table[TV_CALLS]);
	tv_table_finish(&s->trace.table[TV_LINKS]);
}

#endif
