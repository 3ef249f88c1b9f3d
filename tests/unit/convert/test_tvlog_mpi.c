/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_tvlog_mpi.c -- MPI in raw logs: clocks of hosts, messages that may match several receives, damage. */
#include "tests/unit/raw_build.h"

#include <math.h>

enum {
	SEND = 1,
	RECEIVE = 2,
	FUNCTION_SEND = 5,
	FUNCTION_RECEIVE = 6,
	FUNCTION_START = 7,
	FUNCTION_WAIT = 8,
	FUNCTION_EXCHANGE = 9
};

static const uint64_t none = (uint64_t)TV_LOG_MPI_MISSING;

static void name(struct raw *raw, unsigned code, uint64_t number, const char *text)
{
	raw_event_text(raw, 0, raw->now, TV_LOG_MPI_NAME, code, &number, 1, text, strlen(text));
}

/* A process of rank r, whose clock is raw->now. */
static void world(struct raw *raw, uint64_t rank, const char *host, int64_t end)
{
	raw_begin(raw, (int)rank, host, end);
	name(raw, TV_LOG_MPI_BLOCKING_CALL, FUNCTION_SEND, "MPI_Send");
	name(raw, TV_LOG_MPI_BLOCKING_CALL, FUNCTION_RECEIVE, "MPI_Recv");
	name(raw, TV_LOG_MPI_START_CALL, FUNCTION_START, "MPI_Irecv");
	name(raw, TV_LOG_MPI_WAIT_CALL, FUNCTION_WAIT, "MPI_Waitall");
	name(raw, TV_LOG_MPI_BLOCKING_CALL, FUNCTION_EXCHANGE, "MPI_Sendrecv");
	raw_event_text(raw, 0, 0, TV_LOG_MPI_WORLD, 0, (const uint64_t[]){ rank, 2 }, 2, "job", 3);
	raw_event_text(raw, 0, 0, TV_LOG_MPI_COMM, 0, (const uint64_t[]){ 1, rank, 2 }, 3, "world",
		       5);
}

static void send_at(struct raw *raw, int64_t time, uint64_t to, uint64_t tag, uint64_t bytes)
{
	RAW(raw, 0, time, MPI_BEGIN, 1, FUNCTION_SEND, 0, 1, to, tag, bytes);
	RAW(raw, 0, time + 10, MPI_END, 0, FUNCTION_SEND);
}

static void receive_at(struct raw *raw, int64_t time, int64_t end, uint64_t from, uint64_t tag)
{
	RAW(raw, 0, time, MPI_BEGIN, 0, FUNCTION_RECEIVE, 0, 1, from, tag, 8);
	RAW(raw, 0, end, MPI_END, 0, FUNCTION_RECEIVE, TV_LOG_MPI_REQUEST((uint64_t)0, RECEIVE, 1),
	    TV_LOG_MPI_PEER_TAG(from, tag), 8);
}

/*
 * Rank 1 is on a host whose clock is 5 ms behind at 0 of rank 0's clock and loses 50 us per s more. In rank 0's
 * clock it receives each message 1 us after it was sent: to 1 ns in the trace, where the clocks were compared.
 */
static int64_t clock_of_1(int64_t time)
{
	return time - 5000000 - llround(50e-6 * (double)time);
}

static void clocks(void **state)
{
	static struct raw raw[2];
	const int64_t second = 1000000000, begin = second, end = 101 * second;
	struct tv_trace trace;
	struct tv_error err;
	char cell[300];

	(void)state;
	for (int compared = 0; compared < 2; compared++) {
		const struct tv_table *links = &trace.table[TV_LINKS];

		world(&raw[0], 0, "a", 200 * second);
		world(&raw[1], 1, "b", 200 * second);
		if (compared) {
			RAW(&raw[1], 0, clock_of_1(begin), MPI_CLOCK, 0,
			    (uint64_t)clock_of_1(begin), (uint64_t)(begin - clock_of_1(begin)),
			    4000);
		}
		for (int i = 0; i < 100; i++) {
			int64_t at = begin + i * second + second / 2;

			send_at(&raw[0], at, 1, 3, 8);
			receive_at(&raw[1], clock_of_1(at - 5000), clock_of_1(at + 1000), 0, 3);
		}
		if (compared)
			RAW(&raw[1], 0, clock_of_1(end), MPI_CLOCK, 1, (uint64_t)clock_of_1(end),
			    (uint64_t)(end - clock_of_1(end)), 5000);
		assert_int_equal(raw_read(&trace, raw, 2, NULL, &err), 0);
		assert_int_equal(links->nrows, 100);
		for (uint32_t row = 0; row < 100; row++) {
			int64_t start = tv_table_find(links, "Start")->i[row];
			int64_t took = tv_table_find(links, "End")->i[row] - start;
			const struct tv_column *flag = tv_table_find(links, "Flag");

			if (compared)
				assert_true(took >= 999 && took <= 1001);
			else
				assert_true(flag != NULL && !tv_missing(flag, row) && took == 0);
		}
		cell[0] = '\0';
		for (uint32_t row = 0; row < trace.table[TV_META].nrows; row++)
			if (strcmp(tv_pool_text(
					   trace.pool,
					   tv_label(tv_table_find(&trace.table[TV_META], "Key"),
						    row)),
				   "MessagesEarly")
			    == 0)
				tv_cell_text(tv_table_find(&trace.table[TV_META], "Value"), row,
					     cell, sizeof cell);
		assert_string_equal(
			cell,
			compared ? "100 of 100 received before they were sent by the clocks as "
				   "they were, 0 by those compared by round trips"
				 : "");
		tv_trace_release(&trace);
	}
}

/* What an exchange receives has columns of its own; in a communicator the ranks may have another order. */
static void exchanges(void **state)
{
	static struct raw raw[2];
	struct tv_trace trace;
	struct tv_error err;
	char out[1000];

	(void)state;
	for (uint64_t rank = 0; rank < 2; rank++) {
		world(&raw[rank], rank, "a", 1000);
		raw_event_text(&raw[rank], 0, 0, TV_LOG_MPI_COMM, 0,
			       (const uint64_t[]){ 2, 1 - rank, 2 }, 3, "turned", 6);
		RAW(&raw[rank], 0, 100, MPI_BEGIN, 1, FUNCTION_EXCHANGE, 0, 2, 1 - rank, 10 + rank,
		    8);
		RAW(&raw[rank], 0, 200, MPI_END, 0, FUNCTION_EXCHANGE,
		    TV_LOG_MPI_REQUEST((uint64_t)0, RECEIVE, 1),
		    TV_LOG_MPI_PEER_TAG(1 - rank, 11 - rank), 8);
	}
	/* From MPI_PROC_NULL nothing is received. */
	RAW(&raw[0], 0, 300, MPI_BEGIN, 1, FUNCTION_EXCHANGE, 0, 1, 1, 3, 8);
	RAW(&raw[0], 0, 400, MPI_END, 0, FUNCTION_EXCHANGE);
	assert_int_equal(raw_read(&trace, raw, 2, NULL, &err), 0);
	tv_trace_as_read(&trace);
	raw_dump(out, sizeof out, &trace, TV_CALLS,
		 "ResourceId,Comm,CommRank,Peer,Tag,ReceivePeer,ReceiveTag");
	assert_string_equal(out, "0_T0,turned,1,1,10,1,11\n0_T0,world,0,1,3,-,-\n"
				 "1_T0,turned,0,0,11,0,10\n");
	raw_dump(out, sizeof out, &trace, TV_LINKS, "Origin,Dest,Tag");
	assert_string_equal(out, "0_T0,1_T0,10\n1_T0,0_T0,11\n");
	tv_trace_release(&trace);
}

/* Two receives are open: the first takes any tag, so it gets the first message, whichever completes first. */
static void wildcards(void **state)
{
	static struct raw raw[2];
	struct tv_trace trace;
	struct tv_error err;
	char out[1000];

	(void)state;
	world(&raw[0], 0, "a", 1000);
	world(&raw[1], 1, "a", 1000);
	send_at(&raw[0], 100, 1, 4, 1);
	send_at(&raw[0], 200, 1, 4, 2);
	send_at(&raw[0], 300, 1, 5, 3);
	RAW(&raw[1], 0, 10, MPI_BEGIN, 0, FUNCTION_START, 0, 1, none, none, 8);
	RAW(&raw[1], 0, 11, MPI_END, 0, FUNCTION_START,
	    TV_LOG_MPI_REQUEST((uint64_t)71, RECEIVE, 0), TV_LOG_MPI_PEER_TAG(INT32_MIN, 0), none);
	RAW(&raw[1], 0, 20, MPI_BEGIN, 0, FUNCTION_START, 0, 1, 0, 4, 8);
	RAW(&raw[1], 0, 21, MPI_END, 0, FUNCTION_START,
	    TV_LOG_MPI_REQUEST((uint64_t)72, RECEIVE, 0), TV_LOG_MPI_PEER_TAG(INT32_MIN, 0), none);
	RAW(&raw[1], 0, 400, MPI_BEGIN, 0, FUNCTION_WAIT, 0, 0, none, none, none);
	/* A list in two events, the second request first. */
	RAW(&raw[1], 0, 500, MPI_END, 1, FUNCTION_WAIT,
	    TV_LOG_MPI_REQUEST((uint64_t)72, RECEIVE, 1), TV_LOG_MPI_PEER_TAG(0, 4), 2);
	RAW(&raw[1], 0, 500, MPI_END, 0, FUNCTION_WAIT,
	    TV_LOG_MPI_REQUEST((uint64_t)71, RECEIVE, 1), TV_LOG_MPI_PEER_TAG(0, 4), 1);
	/* The process ends here. */
	RAW(&raw[1], 0, 600, MPI_BEGIN, 0, FUNCTION_RECEIVE, 0, 1, 0, 9, 8);
	assert_int_equal(raw_read(&trace, raw, 2, NULL, &err), 0);
	tv_trace_as_read(&trace);
	raw_dump(out, sizeof out, &trace, TV_LINKS, "Origin,Dest,Size,Tag");
	assert_string_equal(out, "0_T0,1_T0,1,4\n0_T0,1_T0,2,4\n");
	raw_dump(out, sizeof out, &trace, TV_CALLS,
		 "ResourceId,Call,Request,Completed,Peer,Tag,Bytes,Flag");
	assert_string_equal(out, "0_T0,MPI_Send,-,-,1,4,1,-\n"
				 "0_T0,MPI_Send,-,-,1,4,2,-\n"
				 "0_T0,MPI_Send,-,-,1,5,3,-\n"
				 "1_T0,MPI_Irecv,1,-,0,4,1,-\n"
				 "1_T0,MPI_Irecv,2,-,0,4,2,-\n"
				 "1_T0,MPI_Waitall,2 1,-,-,-,-,-\n"
				 "1_T0,MPI_Recv,-,-,0,9,8,open\n");
	tv_trace_release(&trace);
}

/* Calls of two threads at a time, one with a list in two events. */
static void interleaved(void **state)
{
	static struct raw raw[1];
	struct tv_trace trace;
	struct tv_error err;
	char out[1000];

	(void)state;
	world(&raw[0], 0, "a", 1000);
	for (unsigned thread = 0; thread < 2; thread++)
		RAW(&raw[0], thread, 10, MPI_BEGIN, 0, FUNCTION_WAIT, 0, 0, none, none, none);
	RAW(&raw[0], 0, 20, MPI_END, 1, FUNCTION_WAIT, TV_LOG_MPI_REQUEST((uint64_t)1, SEND, 1), 0,
	    0);
	RAW(&raw[0], 1, 30, MPI_END, 0, FUNCTION_WAIT, TV_LOG_MPI_REQUEST((uint64_t)2, SEND, 1), 0,
	    0);
	RAW(&raw[0], 0, 40, MPI_END, 0, FUNCTION_WAIT, TV_LOG_MPI_REQUEST((uint64_t)3, SEND, 1), 0,
	    0);
	assert_int_equal(raw_read(&trace, raw, 1, NULL, &err), 0);
	raw_dump(out, sizeof out, &trace, TV_CALLS, "ResourceId,Request");
	assert_string_equal(out, "T0,1 3\nT1,2\n");
	tv_trace_release(&trace);
}

/* Events that contradict others are no harm. */
static void damaged(void **state)
{
	static struct raw raw[1];
	struct tv_trace trace;
	struct tv_error err;
	char out[1000];

	(void)state;
	world(&raw[0], 0, "a", 1000);
	RAW(&raw[0], 0, 10, MPI_END, 0, FUNCTION_WAIT, ~(uint64_t)0, ~(uint64_t)0, ~(uint64_t)0);
	RAW(&raw[0], 0, 20, MPI_BEGIN, 0, 99, 0, 1, 0, 0, 8);
	RAW(&raw[0], 0, 30, MPI_BEGIN, 0, FUNCTION_SEND, 0, 77, 0, 0, 8);
	RAW(&raw[0], 0, 40, MPI_CLOCK, 9, 1, 2, 3);
	RAW(&raw[0], 0, 50, MPI_BEGIN, 1, FUNCTION_SEND, 0, 1, none, none, none, 1, none, 55);
	RAW(&raw[0], 0, 60, MPI_BEGIN, 0, FUNCTION_WAIT, 0, 0, none, none, none);
	RAW(&raw[0], 0, 70, MPI_END, 0, FUNCTION_WAIT, TV_LOG_MPI_REQUEST((uint64_t)5, 7, 1), 0, 0,
	    TV_LOG_MPI_REQUEST((uint64_t)5, SEND, 1), 0, 0,
	    TV_LOG_MPI_REQUEST((uint64_t)6, RECEIVE, 1), 0, 0);
	assert_int_equal(raw_read(&trace, raw, 1, NULL, &err), 0);
	raw_dump(out, sizeof out, &trace, TV_CALLS, "Call,Request,Flag");
	assert_string_equal(out, "MPI_Send,-,open\nMPI_Waitall,1 1 2,-\n");
	tv_trace_release(&trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clocks),    cmocka_unit_test(wildcards),
		cmocka_unit_test(exchanges), cmocka_unit_test(interleaved),
		cmocka_unit_test(damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
