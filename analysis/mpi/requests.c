/* SPDX-License-Identifier: GPL-3.0-or-later */
/* requests.c -- every request of nonblocking communication: what starts and completes it, and when; or
 * what happened to it piece by piece. */
#include "analysis/core/columns.h"
#include "analysis/mpi/request_progress.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

#define COLUMNS(X) \
	X(RANK, "Rank", TV_LABEL, false, "", "rank of the request") \
	X(REQUEST, "Request", TV_LABEL, false, "", "its name; of a message its key") \
	X(CALL, "Call", TV_LABEL, false, "", "function that starts it") \
	X(SITE, "Site", TV_LABEL, false, "", "place in the program that starts it") \
	X(COMM, "Comm", TV_LABEL, false, "", "communicator") \
	X(SEQUENCE, "Sequence", TV_INT, false, "", "number of the collective operation") \
	X(ROOT, "Root", TV_INT, false, "", "its root") \
	X(OP, "Op", TV_LABEL, false, "", "operation of a reduction") \
	X(PEER, "Peer", TV_INT, false, "", "other rank of a message") \
	X(TAG, "Tag", TV_INT, false, "", "its tag") \
	X(BYTES, "Bytes", TV_INT, false, "bytes", "data") \
	X(START, "Start", TV_TIME, false, "ms", "begin of the call that starts it") \
	X(CALL_TIME, "CallTime", TV_TIME, false, "ms", "duration of that call") \
	X(COMPLETION, "Completion", TV_LABEL, false, "", "function that completes it") \
	X(COMPLETION_START, "CompletionStart", TV_TIME, false, "ms", "begin of that call") \
	X(END, "End", TV_TIME, false, "ms", "its end") \
	X(ASKED, "Asked", TV_INT, false, "", "calls that tested or waited for it") \
	X(SHARED, "Shared", TV_INT, false, "", "requests that the last of them completed") \
	X(WAIT_TIME, "WaitTime", TV_TIME, false, "ms", "its share of the duration of these calls") \
	X(MEASURED, "MeasuredTime", TV_TIME, false, "ms", "End - Start") \
	X(FLAG, "Flag", TV_LABEL, false, "", "open = never completed; freed = given back before")

TV_COLUMNS(columns, COLUMNS)

static void write_identity(const struct tv_requests *requests, const struct tv_mpi_request *r,
			   struct tv_column *const *to, uint32_t row)
{
	tv_set_label(to[RANK], row, requests->rank[r->rank]);
	tv_set_label(to[REQUEST], row, r->name);
	tv_set_label(to[CALL], row, tv_request_label(requests, r, TV_CALL_NAME));
	tv_set_label(to[SITE], row, tv_request_label(requests, r, TV_CALL_SITE));
	tv_set_label(to[COMM], row, tv_request_label(requests, r, TV_CALL_COMM));
	tv_set_label(to[OP], row, tv_request_label(requests, r, TV_CALL_OP));
	tv_set_known(to[SEQUENCE], row, tv_request_number(requests, r, TV_CALL_SEQUENCE));
	tv_set_known(to[ROOT], row, tv_request_number(requests, r, TV_CALL_ROOT));
	tv_set_known(to[PEER], row, tv_request_number(requests, r, TV_CALL_PEER));
	tv_set_known(to[TAG], row, tv_request_number(requests, r, TV_CALL_TAG));
	tv_set_known(to[BYTES], row, tv_request_number(requests, r, TV_CALL_BYTES));
}

static void write_request(const struct tv_requests *requests, const struct tv_mpi_request *r,
			  struct tv_table *out)
{
	struct tv_column *const *to = out->col;
	uint32_t row = tv_table_add_row(out);

	write_identity(requests, r, to, row);
	tv_set_int(to[START], row, r->begin);
	if (!requests->links) {
		tv_set_int(to[CALL_TIME], row, r->call);
		tv_set_int(to[ASKED], row, r->asked);
		tv_set_int(to[WAIT_TIME], row, r->wait);
	}
	if (r->complete != TV_NONE) {
		tv_set_label(to[COMPLETION], row,
			     tv_call_label(requests->calls, TV_CALL_NAME, r->complete));
		tv_set_int(to[COMPLETION_START], row, tv_call_begin(requests->calls, r->complete));
		tv_set_int(to[SHARED], row, r->shared);
	}
	if (r->how == TV_REQUEST_COMPLETED) {
		tv_set_int(to[END], row, r->end);
		tv_set_int(to[MEASURED], row, tv_request_measured(r));
	}
	tv_set_text(to[FLAG], row, tv_request_flag(r));
}

/* ---- pieces of time ---- */

enum part { STARTS, FLIGHT, INSIDE, PROGRESS, COMPLETES };

static const char *const parts[] = { "call that starts", "in flight", "rank in other MPI calls",
				     "progress", "call that completes" };

#define PIECE_COLUMNS(X) \
	X(OF_RANK, "Rank", TV_LABEL, false, "", "rank of the request") \
	X(LANE, "Lane", TV_INT, false, "", \
	  "the first one, from 1, that is free on its rank when it begins") \
	X(OF_REQUEST, "Request", TV_LABEL, false, "", "its name") \
	X(PART, "Part", TV_LABEL, false, "", \
	  "call that starts, in flight, rank in other MPI calls, progress, call that completes") \
	X(RESOURCE, "ResourceId", TV_LABEL, false, "", "thread of the call of this part") \
	X(FUNCTION, "Call", TV_LABEL, false, "", \
	  "its function; in flight and progress: the one that starts the request") \
	X(PLACE, "Site", TV_LABEL, false, "", "place of that call in the program") \
	X(OF_COMM, "Comm", TV_LABEL, false, "", "its communicator") \
	X(OF_PEER, "Peer", TV_INT, false, "", "other rank of its message") \
	X(OF_TAG, "Tag", TV_INT, false, "", "its tag") \
	X(OF_BYTES, "Bytes", TV_INT, false, "bytes", "its data") \
	X(FROM, "Start", TV_TIME, false, "ms", "begin of the piece") \
	X(UNTIL, "End", TV_TIME, false, "ms", "its end")

TV_COLUMNS(piece_columns, PIECE_COLUMNS)

struct pieces {
	const struct tv_requests *requests;
	const struct tv_progress_events *progress;
	struct tv_groups of_rank;	/* places in calls->row, by rank, by begin */
	struct tv_groups of_lane;	/* requests by rank and lane, by begin */
	uint32_t *first;		/* nranks + 1: lanes before those of each rank */
	uint32_t part[TV_COUNT(parts)]; /* labels */
	struct tv_table *out;
};

/* A request that is written. */
struct piece {
	uint32_t request;
	int64_t lane;
};

static void add_piece(const struct pieces *p, const struct piece *of, enum part part, uint32_t call,
		      int64_t begin, int64_t end)
{
	const struct tv_mpi_request *r = &p->requests->at[of->request];
	const struct tv_calls *calls = p->requests->calls;
	struct tv_column *const *to = p->out->col;
	uint32_t row;

	if (begin >= end)
		return;
	row = tv_table_add_row(p->out);
	tv_set_label(to[OF_RANK], row, p->requests->rank[r->rank]);
	tv_set_int(to[LANE], row, of->lane);
	tv_set_label(to[OF_REQUEST], row, r->name);
	tv_set_label(to[PART], row, p->part[part]);
	tv_set_label(to[RESOURCE], row, tv_call_label(calls, TV_CALL_RESOURCE, call));
	tv_set_label(to[FUNCTION], row, tv_call_label(calls, TV_CALL_NAME, call));
	tv_set_label(to[PLACE], row, tv_call_label(calls, TV_CALL_SITE, call));
	tv_set_label(to[OF_COMM], row, tv_call_label(calls, TV_CALL_COMM, call));
	tv_set_known(to[OF_PEER], row, tv_call_number(calls, TV_CALL_PEER, call));
	tv_set_known(to[OF_TAG], row, tv_call_number(calls, TV_CALL_TAG, call));
	tv_set_known(to[OF_BYTES], row, tv_call_number(calls, TV_CALL_BYTES, call));
	tv_set_int(to[FROM], row, begin);
	tv_set_int(to[UNTIL], row, end);
}

/* What happens from begin to end, clipped to [*at, last]; before it the request is in flight alone. */
static void add_inner(const struct pieces *p, const struct piece *of, enum part part, uint32_t call,
		      struct tv_span in, int64_t *at, int64_t last)
{
	int64_t begin = in.begin > *at ? in.begin : *at, end = in.end < last ? in.end : last;

	if (begin >= end)
		return;
	add_piece(p, of, FLIGHT, p->requests->at[of->request].about, *at, begin);
	add_piece(p, of, part, call, begin, end);
	*at = end;
}

/* In flight from `at` to `last`: when it progressed, where the trace has events of that, else when its rank
 * was in other calls of MPI, in which it may have. */
static void add_flight(const struct pieces *p, const struct piece *of, int64_t at, int64_t last)
{
	const struct tv_mpi_request *r = &p->requests->at[of->request];
	const struct tv_calls *calls = p->requests->calls;
	const struct tv_groups *rank = &p->of_rank;
	uint32_t n, end = rank->first[r->rank + 1], i;
	const struct tv_progress_event *e = tv_progress_of(p->progress, of->request, &n);

	for (i = 0; i < n; i++)
		add_inner(p, of, PROGRESS, r->about, (struct tv_span){ e[i].begin, e[i].end }, &at,
			  last);
	TV_LOWER_BOUND(i, rank->first[r->rank], end,
		       tv_call_begin(calls, calls->row[rank->row[i]]) < at);
	for (; n == 0 && i < end; i++) {
		uint32_t call = calls->row[rank->row[i]];
		struct tv_span in = { tv_call_begin(calls, call), tv_call_end(calls, call) };

		if (in.begin >= last)
			break;
		if (calls->class_of[call] != TV_CALL_OTHER)
			add_inner(p, of, INSIDE, call, in, &at, last);
	}
	add_piece(p, of, FLIGHT, r->about, at, last);
}

static void write_pieces(const struct pieces *p, const struct piece *of)
{
	const struct tv_mpi_request *r = &p->requests->at[of->request];
	const struct tv_calls *calls = p->requests->calls;
	int64_t started = tv_call_end(calls, r->start), wait;

	add_piece(p, of, STARTS, r->start, r->begin, started);
	if (r->how != TV_REQUEST_COMPLETED)
		return;
	wait = tv_call_begin(calls, r->complete);
	wait = wait > started ? wait : started;
	add_flight(p, of, started, wait);
	add_piece(p, of, COMPLETES, r->complete, wait, r->end);
}

/* The lanes of a rank: when the last request of each ends. */
struct lanes {
	int64_t *busy;
	uint32_t n;
	size_t cap;
};

static uint32_t take_lane(struct lanes *lanes, const struct tv_mpi_request *r)
{
	uint32_t lane = 0;

	while (lane < lanes->n && lanes->busy[lane] > r->begin)
		lane++;
	if (lane == lanes->n) {
		TV_GROW(lanes->busy, lanes->n, lanes->cap, 1);
		lanes->n++;
	}
	lanes->busy[lane] = r->end;
	return lane;
}

/* Requests are by begin: so are those of a lane, which follow each other. */
static void choose_lanes(struct pieces *p, const struct tv_run *run)
{
	const struct tv_requests *requests = p->requests;
	struct lanes *lanes = tv_alloc(requests->nranks, sizeof *lanes);
	uint32_t *lane = tv_alloc(requests->n, sizeof *lane);

	for (uint32_t i = 0; i < requests->n; i++)
		lane[i] = tv_request_seen(requests, &requests->at[i], run)
				? take_lane(&lanes[requests->at[i].rank], &requests->at[i])
				: TV_NONE;
	p->first = tv_alloc((size_t)requests->nranks + 1, sizeof *p->first);
	for (uint32_t rank = 0; rank < requests->nranks; rank++) {
		p->first[rank + 1] = p->first[rank] + lanes[rank].n;
		tv_free(lanes[rank].busy);
	}
	for (uint32_t i = 0; i < requests->n; i++)
		lane[i] += lane[i] == TV_NONE ? 0 : p->first[requests->at[i].rank];
	tv_groups_init(&p->of_lane, lane, requests->n, p->first[requests->nranks]);
	tv_free(lanes);
	tv_free(lane);
}

static void sort_calls(struct pieces *p)
{
	const struct tv_calls *calls = p->requests->calls;
	uint32_t *rank = tv_alloc(calls->n, sizeof *rank);

	for (uint32_t i = 0; i < calls->n; i++)
		rank[i] = calls->rank_of[calls->row[i]];
	tv_groups_init(&p->of_rank, rank, calls->n, p->requests->nranks);
	tv_free(rank);
}

static void write_all_pieces(struct tv_run *run, const struct tv_requests *requests,
			     struct tv_table *out)
{
	struct pieces p = { .requests = requests,
			    .progress = tv_run_progress_events(run, requests),
			    .out = out };

	for (size_t i = 0; i < TV_COUNT(parts); i++)
		p.part[i] = tv_intern_text(out->pool, parts[i]);
	sort_calls(&p);
	choose_lanes(&p, run);
	for (uint32_t rank = 0; rank < requests->nranks; rank++)
		for (uint32_t lane = p.first[rank]; lane < p.first[rank + 1]; lane++)
			for (uint32_t i = p.of_lane.first[lane]; i < p.of_lane.first[lane + 1]; i++)
				write_pieces(&p, &(const struct piece){
							 p.of_lane.row[i],
							 (int64_t)lane - p.first[rank] + 1 });
	tv_groups_release(&p.of_rank);
	tv_groups_release(&p.of_lane);
	tv_free(p.first);
}

/* ---- the pass ---- */

enum by { BY_REQUEST, BY_PIECE };

struct asked {
	unsigned by;
};

static int run_requests(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
			struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	const struct tv_requests *requests;

	if (asked->by == BY_PIECE && tv_run_some_calls(run, "requests --by piece", err) == NULL)
		return -1;
	requests = tv_run_requests(run, "requests", err);
	if (requests == NULL)
		return -1;
	if (requests->n == 0)
		tv_run_warn(run, "no MPI call of the trace names a request (calls that block, or a "
				 "producer that does not record requests): no rows; callprofile, "
				 "wait-states and messages need none");
	if (asked->by == BY_PIECE) {
		tv_add_fields(out, piece_columns, TV_COUNT(piece_columns));
		write_all_pieces(run, requests, out);
		return 0;
	}
	tv_add_fields(out, columns, TV_COUNT(columns));
	for (uint32_t i = 0; i < requests->n; i++)
		if (tv_request_seen(requests, &requests->at[i], run))
			write_request(requests, &requests->at[i], out);
	return 0;
}

static const struct tv_option_spec options[] = {
	{ "by", "request|piece", "request",
	  "a row for each request, or for each piece of time of it: in calls, in flight, "
	  "progressing",
	  TV_OPTION_CHOICE, TV_ASKED(by) },
};

static const struct tv_columns forms[] = { { piece_columns, TV_COUNT(piece_columns),
					     "--by piece" } };

const struct tv_pass tv_pass_requests = {
	.name = "requests",
	.summary = "List requests of nonblocking MPI calls: start, completion, times",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_MPI,
	.ranked = "MeasuredTime",
	.taskless = true,
	.sums = true,
	.varies = true,
	.needs = "calls events links resources",
	.refuses_tasks = true,
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_FORMS(forms),
	TV_PASS_COLUMNS(columns),
	.notes =
		"By Start. A request begins with a call of the class start and ends with the call\n"
		"that completes it; a persistent request has a row for each time that it was\n"
		"started. WaitTime is the duration of all calls that tested or waited for it: "
		"each\n"
		"is shared equally among the requests that it completes (Shared: of the last "
		"one),\n"
		"or, if it completes none, among those that it asks for.\n"
		"Without calls: a request for each end of a message, if the trace has SendEnd and\n"
		"ReceiveStart of its links (StarPU); Request is then the key of the link.\n"
		"With --by piece the time of each request without gaps, by Rank, Lane and Start, "
		"from\n"
		"calls alone: the call that starts it; in flight, and within that progress (where "
		"the\n"
		"trace has events of Type progress of the request) or else when its rank was in\n"
		"other MPI calls but those of class other; the call that completes it. Of "
		"requests\n"
		"that never complete only the first. Pieces without duration are left out.\n"
		"With a window the requests that touch it; with a selection of workers those of\n"
		"their nodes.",
	.example = "traceviz requests data/mpi-overlap",
	.run = run_requests,
};
