/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fxt_unexpected.c -- messages that arrive before they are requested: the tasks that use their
 * data depend on them. */
#include "tests/unit/fxt_read.h"

/* Jobs of message k: k * JOBS + one of these. R .. U2 are those of unexpected.c. */
enum job { P = 1, T, APP, R0, R, A, A2, U, U2, OTHER, JOBS = 100 };
enum { MESSAGES_MAX = 5, ROUNDS = 200, MPI_THREAD = 9, WORKER = 20, MAIN = 8 };
enum { HANDLE = 0x6000, TEMPORARY = 0x7000 };

struct variant {
	const char *name;
	bool submits; /* U is submitted, and calls back (StarPU 1.3) */
	bool late;    /* T is announced after A */
	bool tagged;  /* the message is received into a handle of the program */
	bool used;    /* the handle received into has been used before */
	bool many;    /* A has a second predecessor */
	int between;  /* event between U2 and T; 0 = none */
	bool known;   /* T depends on the message */
	bool counted; /* else: reported as one whose request is not known */
};

enum step {
	ANNOUNCED,
	RECEIVED,
	ACQUIRED,
	CALLED,
	RELEASED,
	UNREGISTERS,
	UNREGISTERED,
	BETWEEN,
	TAKEN,
	RETURNED,
	NSTEPS
};

struct rank1 {
	struct build b;
	uint64_t time;
};

static void depends(struct rank1 *rank, int k, enum job before, enum job after, int type)
{
	RECORD(&rank->b, rank->time++, TV_FXT_TASK_DEPS, "task", k * JOBS + before,
	       k * JOBS + after, type, 1);
}

static void submit(struct rank1 *rank, int k, enum job job, int type, int64_t tid)
{
	RECORD(&rank->b, rank->time++, TV_FXT_TASK_SUBMIT, NULL, k * JOBS + job, -1, -1, 0, 0, type,
	       tid);
}

static void announce(struct rank1 *rank, int k)
{
	depends(rank, k, P, T, 2);
	submit(rank, k, P, 2, MAIN);
	submit(rank, k, APP, 0, MAIN);
	depends(rank, k, T, APP, 0);
}

static void receive(struct rank1 *rank, int k, const struct variant *v)
{
	depends(rank, k, R0, R, 2);
	if (v->used)
		depends(rank, k, OTHER, R0, 2);
	RECORD(&rank->b, rank->time++, TV_FXT_MPI_IRECV_TERMINATED, NULL, 0, k, k * JOBS + R,
	       MPI_THREAD, v->tagged ? HANDLE : TEMPORARY);
	submit(rank, k, R, 2, MPI_THREAD);
}

static void unregister(struct rank1 *rank, int k, const struct variant *v, int64_t tid)
{
	if (v->submits) {
		submit(rank, k, U, 2, tid);
		RECORD(&rank->b, rank->time++, TV_FXT_START_CALLBACK, NULL, 0x30, tid);
	}
	submit(rank, k, U2, 2, tid);
	if (v->submits)
		RECORD(&rank->b, rank->time++, TV_FXT_END_CALLBACK, NULL, 0x30, tid);
}

static void between(struct rank1 *rank, int k, int code, int64_t tid)
{
	if (code == TV_FXT_END_CALLBACK)
		RECORD(&rank->b, rank->time++, code, NULL, 0x10, tid);
	else if (code == TV_FXT_TASK_SUBMIT)
		submit(rank, k, OTHER, 0, tid);
	else if (code != 0)
		RECORD(&rank->b, rank->time++, (uint32_t)code, NULL, 0, k, tid);
}

/* One step of what happens with message k on the threads of rank 1. */
static void step(struct rank1 *rank, int k, enum step step, const struct variant *v, int64_t tid)
{
	if (step == (v->late ? ACQUIRED : ANNOUNCED))
		announce(rank, k);
	if (step == RECEIVED)
		receive(rank, k, v);
	if (step == (v->late ? ANNOUNCED : ACQUIRED)) {
		depends(rank, k, A, A2, 2);
		depends(rank, k, R, A, 2);
		if (v->many)
			depends(rank, k, OTHER, A, 2);
		submit(rank, k, A, 2, tid);
	}
	if (step == CALLED)
		RECORD(&rank->b, rank->time++, TV_FXT_START_CALLBACK, NULL, 0x10, tid);
	if (step == RELEASED)
		submit(rank, k, A2, 2, tid);
	if (step == UNREGISTERS) {
		depends(rank, k, U, U2, 2);
		depends(rank, k, A2, U, 2);
	}
	if (step == UNREGISTERED)
		unregister(rank, k, v, tid);
	if (step == BETWEEN)
		between(rank, k, v->between, tid);
	if (step == TAKEN)
		submit(rank, k, T, 2, tid);
	if (step == RETURNED && v->between != TV_FXT_END_CALLBACK)
		RECORD(&rank->b, rank->time++, TV_FXT_END_CALLBACK, NULL, 0x10, tid);
}

static void begin(struct build *b, int rank, uint64_t first)
{
	build_begin(b, 8, false);
	RECORD(b, first, 0x320, NULL, 0);
	RECORD(b, first + 10, TV_FXT_MPI_START, NULL, rank, 2, MPI_THREAD);
	RECORD(b, first + 100, TV_FXT_MPI_BARRIER, NULL, rank, 2, 77, 0, MPI_THREAD);
}

static void begin_ranks(struct build *sender, struct rank1 *receiver, int nmessages)
{
	begin(sender, 0, 1000);
	begin(&receiver->b, 1, 1000);
	receiver->time = 2000;
	for (int k = 0; k < nmessages; k++)
		RECORD(sender, 1500 + (uint64_t)k, TV_FXT_MPI_ISEND_SUBMIT_END, NULL, 0x100, 1, k,
		       800, 11 + k, 0x5000, 3, MPI_THREAD);
	RECORD(&receiver->b, receiver->time++, TV_FXT_HANDLE_DATA_REGISTER, "V", HANDLE, 800, -1,
	       0);
	RECORD(&receiver->b, receiver->time++, TV_FXT_MPI_DATA_SET_TAG, NULL, HANDLE, 5, MAIN);
	RECORD(&receiver->b, receiver->time++, TV_FXT_HANDLE_DATA_REGISTER, "V", TEMPORARY, 800, -1,
	       0);
}

static void convert_ranks(struct tv_trace *trace, const struct build *b0, const struct build *b1)
{
	const struct bytes rank[] = { { b0->bytes, b0->n }, { b1->bytes, b1->n } };
	struct tv_error err;

	if (read_ranks(trace, rank, 2, false, &err) < 0)
		fail_msg("%s", err.text);
}

/* DependsOn of a job of rank 1. */
static const char *needs(const struct tv_trace *trace, int job)
{
	const struct tv_table *tasks = &trace->table[TV_TASKS];
	const struct tv_column *id = tv_table_find(tasks, "JobId");
	const struct tv_column *list = tv_table_find(tasks, "DependsOn");
	static char text[256];
	char name[32];

	snprintf(name, sizeof name, "1_%d", job);
	for (uint32_t row = 0; row < tasks->nrows; row++) {
		tv_cell_text(id, row, text, sizeof text);
		if (strcmp(text, name) != 0)
			continue;
		tv_cell_text(list, row, text, sizeof text);
		return text;
	}
	return "no such job";
}

static void assert_meta(const struct tv_trace *trace, const char *key, int count)
{
	size_t n = 0;
	const char *text = tv_meta_get(trace, key, &n);
	char want[16];

	snprintf(want, sizeof want, "%d", count);
	if (count == 0)
		assert_null(text);
	else
		assert_true(n == strlen(want) && memcmp(text, want, n) == 0);
}

static void one_message(void **state)
{
	static const struct variant row[] = {
		{ .name = "1.4", .known = true },
		{ .name = "1.3", .submits = true, .known = true },
		{ .name = "the program waits", .between = TV_FXT_END_CALLBACK, .counted = true },
		{ .name = "the same, 1.3",
		  .submits = true,
		  .between = TV_FXT_END_CALLBACK,
		  .counted = true },
		{ .name = "a step of MPI",
		  .between = TV_FXT_MPI_IRECV_COMPLETE_END,
		  .counted = true },
		{ .name = "a task", .between = TV_FXT_TASK_SUBMIT, .counted = true },
		{ .name = "announced too late", .late = true, .counted = true },
		{ .name = "a handle of the program", .tagged = true },
		{ .name = "a handle in use", .used = true },
		{ .name = "two predecessors", .many = true },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		struct tv_trace trace;
		struct rank1 receiver;
		struct build sender;
		const char *text;

		begin_ranks(&sender, &receiver, 1);
		for (enum step s = 0; s < NSTEPS; s++)
			step(&receiver, 0, s, &row[i], WORKER);
		convert_ranks(&trace, &sender, &receiver.b);
		text = needs(&trace, T);
		if (strcmp(text, row[i].known ? "1_1 mpicom_0" : "1_1") != 0)
			fail_msg("%s: the request depends on %s", row[i].name, text);
		text = needs(&trace, R);
		assert_non_null(strstr(text, "mpicom_0"));
		assert_meta(&trace, "UnexpectedMessages", row[i].known);
		assert_meta(&trace, "UnexpectedMessagesWithoutTask", row[i].counted);
		tv_trace_release(&trace);
		test_free(sender.bytes);
		test_free(receiver.b.bytes);
	}
}

/* Several messages at once, each by a thread of its own, in any order. */
static void many_threads(void **state)
{
	uint64_t seed = 20261;

	(void)state;
	print_message("# seed %llu\n", (unsigned long long)seed);
	for (int round = 0; round < ROUNDS; round++) {
		static const struct variant kind[] = { { .submits = false }, { .submits = true } };
		int n = 1 + (int)unit_random(&seed, MESSAGES_MAX), left = n * NSTEPS;
		enum step next[MESSAGES_MAX] = { 0 };
		struct tv_trace trace;
		struct rank1 receiver;
		struct build sender;

		begin_ranks(&sender, &receiver, n);
		while (left > 0) {
			int k = (int)unit_random(&seed, (uint64_t)n);

			if (next[k] == NSTEPS)
				continue;
			step(&receiver, k, next[k]++, &kind[k % 2], WORKER + k);
			left--;
		}
		convert_ranks(&trace, &sender, &receiver.b);
		for (int k = 0; k < n; k++) {
			char want[64];

			snprintf(want, sizeof want, "1_%d mpicom_%d", k * JOBS + P, k);
			assert_string_equal(needs(&trace, k * JOBS + T), want);
		}
		assert_meta(&trace, "UnexpectedMessages", n);
		tv_trace_release(&trace);
		test_free(sender.bytes);
		test_free(receiver.b.bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_message),
		cmocka_unit_test(many_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
