/* SPDX-License-Identifier: GPL-3.0-or-later */
/* requests.c -- every request of nonblocking communication: what starts and completes it, and when. */
#include "analysis/mpi/request_list.h"

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

static void set_number(struct tv_column *to, uint32_t row, int64_t number)
{
	if (number != TV_NO_NUMBER)
		tv_set_int(to, row, number);
}

static void write_identity(const struct tv_requests *requests, const struct tv_mpi_request *r,
			   struct tv_column *const *to, uint32_t row)
{
	tv_set_label(to[RANK], row, requests->rank[r->rank]);
	tv_set_label(to[REQUEST], row, r->name);
	tv_set_label(to[CALL], row, tv_request_label(requests, r, TV_CALL_NAME));
	tv_set_label(to[SITE], row, tv_request_label(requests, r, TV_CALL_SITE));
	tv_set_label(to[COMM], row, tv_request_label(requests, r, TV_CALL_COMM));
	tv_set_label(to[OP], row, tv_request_label(requests, r, TV_CALL_OP));
	set_number(to[SEQUENCE], row, tv_request_number(requests, r, TV_CALL_SEQUENCE));
	set_number(to[ROOT], row, tv_request_number(requests, r, TV_CALL_ROOT));
	set_number(to[PEER], row, tv_request_number(requests, r, TV_CALL_PEER));
	set_number(to[TAG], row, tv_request_number(requests, r, TV_CALL_TAG));
	set_number(to[BYTES], row, tv_request_number(requests, r, TV_CALL_BYTES));
}

static int run_requests(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
			struct tv_error *err)
{
	const struct tv_requests *requests = tv_run_requests(run, "requests", err);

	(void)options;
	if (requests == NULL)
		return -1;
	if (requests->n == 0)
		tv_run_warn(run, "no MPI call of the trace names a request (calls that block, or a "
				 "producer that does not record requests): no rows; callprofile, "
				 "wait-states and messages need none");
	for (uint32_t i = 0; i < requests->n; i++) {
		const struct tv_mpi_request *r = &requests->at[i];
		struct tv_column *const *to = out->col;
		uint32_t row;

		if (!tv_request_seen(requests, r, run))
			continue;
		row = tv_table_add_row(out);
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
			tv_set_int(to[COMPLETION_START], row,
				   tv_call_begin(requests->calls, r->complete));
			tv_set_int(to[SHARED], row, r->shared);
		}
		if (r->how == TV_REQUEST_COMPLETED) {
			tv_set_int(to[END], row, r->end);
			tv_set_int(to[MEASURED], row, tv_request_measured(r));
		}
		tv_set_text(to[FLAG], row, tv_request_flag(r));
	}
	return 0;
}

const struct tv_pass tv_pass_requests = {
	.name = "requests",
	.summary = "List requests of nonblocking MPI calls: start, completion, times",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_MPI,
	.ranked = "MeasuredTime",
	.taskless = true,
	.sums = true,
	.needs = "calls links resources",
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
		"With a window the requests that touch it; with a selection of workers those of\n"
		"their nodes.",
	.example = "traceviz requests data/mpi-overlap",
	.run = run_requests,
};
