/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fxt_shapes.c -- FxT files of each generation of StarPU, of none, and events that contradict
 * the others. */
#include "tests/unit/fxt_read.h"

enum { GPU = 43, CPU = 42, MAIN = 7 };				     /* threads */
static const int64_t matrix = 0x7f0000005000, tile = 0x7f0000006000; /* handles */

/* A cell of the row whose `key` is that; "" = missing. */
static const char *cell(const struct tv_trace *trace, enum tv_table_id table, const char *key,
			const char *value, const char *column)
{
	static char text[256];
	const struct tv_table *t = &trace->table[table];
	const struct tv_column *k = tv_table_find(t, key), *c = tv_table_find(t, column);

	for (uint32_t row = 0; row < t->nrows; row++) {
		tv_cell_text(k, row, text, sizeof text);
		if (strcmp(text, value) != 0)
			continue;
		text[0] = '\0';
		if (c != NULL)
			tv_cell_text(c, row, text, sizeof text);
		return text;
	}
	return "no such row";
}

static void assert_task(const struct tv_trace *trace, const char *job, const char *column,
			const char *want)
{
	assert_string_equal(cell(trace, TV_TASKS, "JobId", job, column), want);
}

/* ---- events as each generation writes them ---- */

static void machine(struct build *b, bool old)
{
	build_begin(b, 8, false);
	RECORD(b, 1000, 0x320, NULL, 0x1234);
	RECORD(b, 1000, TV_FXT_NEW_MEM_NODE, NULL, 0, MAIN);
	RECORD(b, 1010, TV_FXT_WORKER_INIT_START, NULL, old ? 0x101 : 0x100, 0, 0, 0, 0, 1, CPU);
	RECORD(b, 1020, TV_FXT_WORKER_INIT_END, NULL, CPU, 0);
	RECORD(b, 1021, TV_FXT_WORKER_INIT_START, NULL, old ? 0x102 : 0x101, 1, 0, 1, 1, 0, GPU);
	RECORD(b, 1022, TV_FXT_WORKER_INIT_END, NULL, GPU, 1);
}

static void submit(struct build *b, int job, const char *name, enum tv_fxt_generation generation)
{
	RECORD(b, 1030, TV_FXT_TASK_SUBMIT, NULL, job, -1, -1, job, 5, 0, MAIN);
	if (name != NULL && generation >= TV_FXT_1_4)
		RECORD(b, 1031, TV_FXT_TASK_NAME, name, job, MAIN);
}

/* An execution on worker 0 from `start`, 100 ns long, with all that belongs to it. */
static void execute(struct build *b, uint64_t start, int job, const char *name,
		    enum tv_fxt_generation generation)
{
	uint32_t end = TV_FXT_END_CODELET_BODY, begin = TV_FXT_START_CODELET_BODY;

	if (generation == TV_FXT_1_4_99) {
		RECORD(b, start, begin, NULL, job, 0, 0, 0, CPU, 0);
		RECORD(b, start, TV_FXT_CODELET_DATA, "M2x2x8", 0, CPU);
		RECORD(b, start, TV_FXT_CODELET_DATA_HANDLE, NULL, job, tile, 32, 3);
		RECORD(b, start, TV_FXT_CODELET_DETAILS, NULL, 0, 32, 0xabcd, 2000, 9, 0, job, CPU);
		RECORD(b, start + 100, end, "cpu0_impl0", job, 32, 0xabcd, 0, CPU, 0);
	} else {
		if (generation == TV_FXT_1_4)
			RECORD(b, start, begin, NULL, job, 0, 0, 0);
		else if (name != NULL)
			RECORD(b, start, begin, name, job, 0, 0, 0, 1);
		else
			RECORD(b, start, begin, NULL, job, 0, 0, 0, 0);
		RECORD(b, start, TV_FXT_CODELET_DATA, "M2x2x8", 0);
		RECORD(b, start, TV_FXT_CODELET_DATA_HANDLE, NULL, job, tile, 32, 3);
		RECORD(b, start, TV_FXT_CODELET_DETAILS, NULL, 0, 32, 0xabcd, 2000, 9, 0, job);
		RECORD(b, start + 100, end, "cpu0_impl0", job, 32, 0xabcd, 0, CPU);
	}
	RECORD(b, start + 110, TV_FXT_TASK_DONE, NULL, job, CPU);
}

static void run_of(struct build *b, enum tv_fxt_generation generation)
{
	machine(b, generation < TV_FXT_1_4);
	for (int job = 1; job <= 2; job++)
		submit(b, job, "dpotrf", generation);
	for (int job = 1; job <= 2; job++)
		execute(b, 1000 + 200 * (uint64_t)job, job, "dpotrf", generation);
}

/* The same run, as three generations write it. */
static void generations(void **state)
{
	static const enum tv_fxt_generation all[] = { TV_FXT_1_3, TV_FXT_1_4, TV_FXT_1_4_99 };
	static const char *const want[][2] = {
		{ "Value", "dpotrf" },	  { "Kind", "app" },
		{ "ResourceId", "CPU0" }, { "ResourceType", "CPU" },
		{ "Start", "0.000200" },  { "End", "0.000300" },
		{ "Params", "M2x2x8" },	  { "Handles", "7f0000006000" },
		{ "GFlop", "0.002" },	  { "Footprint", "abcd" },
		{ "Tag", "9" },		  { "Size", "32" },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(all); i++) {
		struct tv_trace trace;
		struct build b;

		run_of(&b, all[i]);
		must_convert(&trace, &b);
		for (size_t k = 0; k < TV_COUNT(want); k++)
			assert_task(&trace, "1", want[k][0], want[k][1]);
		assert_string_equal(
			cell(&trace, TV_RESOURCES, "ResourceId", "CUDA0_0", "ResourceType"),
			"CUDA");
		assert_int_equal(trace.ndamage, 0);
		tv_trace_release(&trace);
		test_free(b.bytes);
	}
}

/* 1.4.99 records tasks without code as well: on a worker, and on none. They have no execution. */
static void without_code(void **state)
{
	struct tv_trace trace;
	struct build b;
	size_t n;

	(void)state;
	run_of(&b, TV_FXT_1_4_99);
	for (int job = 3; job <= 4; job++) {
		int worker = job == 3 ? 0 : -1;

		RECORD(&b, 1500, TV_FXT_TASK_SUBMIT, NULL, job, -1, -1, 0, 0, 2, MAIN);
		RECORD(&b, 1510, TV_FXT_TASK_NAME, "_starpu_data_acquire_post", job, MAIN);
		RECORD(&b, 1520, TV_FXT_START_CODELET_BODY, NULL, job, 0, worker, worker, CPU, 1);
		RECORD(&b, 1520, TV_FXT_END_CODELET_BODY, "", job, 0, 0, worker, CPU, 1);
		RECORD(&b, 1530, TV_FXT_TASK_DONE, NULL, job, CPU);
	}
	must_convert(&trace, &b);
	assert_task(&trace, "3", "Kind", "ghost");
	assert_task(&trace, "4", "Kind", "ghost");
	assert_task(&trace, "3", "Start", "");
	assert_memory_equal(tv_meta_get(&trace, "ExecutionsStarted", &n), "2", 1);
	assert_memory_equal(tv_meta_get(&trace, "StartsWithoutCode", &n), "2", 1);
	assert_int_equal(trace.ndamage, 0);
	tv_trace_release(&trace);
	test_free(b.bytes);
}

/* 1.4.99 has the handle that one is a part of before its description, since 2025. */
static void parts_of_handles(void **state)
{
	struct tv_trace trace;
	struct build b;

	(void)state;
	run_of(&b, TV_FXT_1_4_99);
	RECORD(&b, 1500, TV_FXT_HANDLE_DATA_REGISTER, "M4x4x8", matrix, 128, -1, 0, 0);
	RECORD(&b, 1501, TV_FXT_HANDLE_DATA_REGISTER, "M2x2x8", tile, 32, -1, 0, matrix);
	RECORD(&b, 1502, TV_FXT_HANDLE_DATA_REGISTER, "M6x6x8", tile + 1, 32, -1, 0);
	must_convert(&trace, &b);
	assert_string_equal(cell(&trace, TV_HANDLES, "Handle", "7f0000005000", "Description"),
			    "M4x4x8");
	assert_string_equal(cell(&trace, TV_HANDLES, "Handle", "7f0000006000", "Description"),
			    "M2x2x8");
	assert_string_equal(cell(&trace, TV_HANDLES, "Handle", "7f0000006001", "Description"),
			    "M6x6x8");
	tv_trace_release(&trace);
	test_free(b.bytes);
}

/* 1.4.99 names two jobs in both ends of a message, since 2026. */
static void jobs_of_messages(void **state)
{
	struct tv_trace trace;
	struct tv_error err;
	struct bytes rank[2];
	struct build b[2];

	(void)state;
	for (int i = 0; i < 2; i++) {
		run_of(&b[i], TV_FXT_1_4_99);
		RECORD(&b[i], 1490, TV_FXT_MPI_BARRIER, NULL, i, 2, 77, 0, 9);
	}
	RECORD(&b[0], 1500, TV_FXT_MPI_ISEND_SUBMIT_END, NULL, 0x100, 1, 5, 800, 11, 12, tile, 3,
	       9);
	RECORD(&b[1], 1600, TV_FXT_MPI_IRECV_TERMINATED, NULL, 0, 5, 21, 22, matrix, 9);
	for (int i = 0; i < 2; i++)
		rank[i] = (struct bytes){ b[i].bytes, b[i].n };
	if (convert(&trace, rank, 2, false, &err) < 0)
		fail_msg("%s", err.text);
	assert_string_equal(cell(&trace, TV_LINKS, "Key", "mpicom_0", "OriginJob"), "0_11");
	assert_string_equal(cell(&trace, TV_LINKS, "Key", "mpicom_0", "DestJob"), "1_22");
	assert_string_equal(cell(&trace, TV_LINKS, "Key", "mpicom_0", "Handle"), "7f0000006000");
	assert_string_equal(cell(&trace, TV_LINKS, "Key", "mpicom_0", "Priority"), "3");
	assert_string_equal(cell(&trace, TV_LINKS, "Key", "mpicom_0", "Size"), "800");
	tv_trace_release(&trace);
	test_free(b[0].bytes);
	test_free(b[1].bytes);
}

/* Snapshots of 2020 have the thread before the handle of a send, or behind it. */
static void handles_of_messages(void **state)
{
	(void)state;
	for (int order = 0; order < 2; order++) {
		const int64_t last[2] = { order == 0 ? 9 : tile, order == 0 ? tile : 9 };
		struct tv_trace trace;
		struct tv_error err;
		struct bytes rank[2];
		struct build b[2];

		for (int i = 0; i < 2; i++) {
			run_of(&b[i], TV_FXT_1_3);
			RECORD(&b[i], 1480, TV_FXT_HANDLE_DATA_REGISTER, "M2x2x8", tile, 32, -1, 0);
			RECORD(&b[i], 1490, TV_FXT_MPI_BARRIER, NULL, i, 2, 77, 9);
		}
		RECORD(&b[0], 1500, TV_FXT_MPI_ISEND_SUBMIT_END, NULL, 1, 5, 800, 11, last[0],
		       last[1]);
		RECORD(&b[1], 1600, TV_FXT_MPI_IRECV_TERMINATED, NULL, 0, 5, 22, 9, tile);
		for (int i = 0; i < 2; i++)
			rank[i] = (struct bytes){ b[i].bytes, b[i].n };
		if (convert(&trace, rank, 2, false, &err) < 0)
			fail_msg("%s", err.text);
		assert_string_equal(cell(&trace, TV_LINKS, "Key", "mpicom_0", "Handle"),
				    "7f0000006000");
		assert_string_equal(cell(&trace, TV_LINKS, "Key", "mpicom_0", "OriginJob"), "0_11");
		tv_trace_release(&trace);
		test_free(b[0].bytes);
		test_free(b[1].bytes);
	}
}

/* ---- versions that are not known ---- */

static void refuse(struct build *b, const char *want)
{
	struct tv_trace trace;
	struct tv_error err;

	if (convert_build(&trace, b, &err) == 0)
		fail_msg("read, expected: %s", want);
	if (strstr(err.text, want) == NULL)
		fail_msg("%s; expected: %s", err.text, want);
	test_free(b->bytes);
}

static void unknown_versions(void **state)
{
	struct build b;

	(void)state;
	/* Executions with a flag that is none. */
	machine(&b, false);
	submit(&b, 1, "dpotrf", TV_FXT_1_4);
	RECORD(&b, 1100, TV_FXT_START_CODELET_BODY, NULL, 1, 0, 0, 0, 99, 98);
	refuse(&b, "START_CODELET_BODY of 6 parameters (so are 1 of 1), expected 4 (StarPU 1.4)");
	/* Or with more parameters. */
	machine(&b, false);
	RECORD(&b, 1100, TV_FXT_START_CODELET_BODY, NULL, 1, 0, 0, 0, CPU, 0, 5);
	refuse(&b, "START_CODELET_BODY of 7 parameters");
	/* Known executions, unknown submissions. */
	run_of(&b, TV_FXT_1_4);
	for (int i = 0; i < 3; i++)
		RECORD(&b, 2000, TV_FXT_TASK_SUBMIT, NULL, 3 + i, -1, -1, 1, 5, 0, 1, MAIN);
	refuse(&b, "TASK_SUBMIT of 8 parameters (so are 3 of 5), expected 2, 4, 5 or 7");
	/* Executions of 1.3 on workers of 1.4. */
	machine(&b, false);
	execute(&b, 1100, 1, "dpotrf", TV_FXT_1_3);
	refuse(&b, "a worker of the kind 0x100, as in StarPU 1.4, but START_CODELET_BODY is that");
}

/* ---- exceptions in a file of a known version ---- */

static void exceptions(void **state)
{
	struct tv_trace trace;
	struct build b;
	size_t n;

	(void)state;
	run_of(&b, TV_FXT_1_4);
	RECORD(&b, 1600, TV_FXT_START_CODELET_BODY, NULL, 3, 0, 0, 0, CPU, 0);
	RECORD(&b, 1700, TV_FXT_TASK_SUBMIT, NULL, 4, -1, -1, 1, 5, 0, 1, MAIN);
	RECORD(&b, 1800, TV_FXT_WORKER_INIT_START, NULL, 0x123, 7, 0, 0, 3, 1, 99);
	must_convert(&trace, &b);
	assert_int_equal(damage(&trace, "event of unknown layout"), 2);
	assert_int_equal(damage(&trace, "worker of an unknown type"), 1);
	assert_memory_equal(tv_meta_get(&trace, "ExecutionsStarted", &n), "2", 1);
	assert_memory_equal(tv_meta_get(&trace, "TasksSubmitted", &n), "2", 1);
	tv_trace_release(&trace);
	test_free(b.bytes);
}

/* Names that are no text are never taken; executions without a name are unknown. */
static void names(void **state)
{
	static const char *const bad[] = { "\x28\x7e\xd1\x23\x21\x56", "dpo\ntrf", "\xff" };
	struct tv_trace trace;
	struct build b;

	(void)state;
	for (size_t i = 0; i < TV_COUNT(bad); i++) {
		run_of(&b, TV_FXT_1_4);
		submit(&b, 3, bad[i], TV_FXT_1_4);
		execute(&b, 1700, 3, NULL, TV_FXT_1_4);
		RECORD(&b, 1900, TV_FXT_DATA_NAME, bad[i], tile);
		must_convert(&trace, &b);
		assert_task(&trace, "1", "Value", "dpotrf");
		assert_task(&trace, "3", "Value", "unknown");
		assert_string_equal(cell(&trace, TV_HANDLES, "Handle", "7f0000006000", "Name"), "");
		assert_int_equal(damage(&trace, "execution without a name"), 1);
		assert_int_equal(trace.ndamage, 3); /* and the two names, of one cause each */
		tv_trace_release(&trace);
		test_free(b.bytes);
	}
	/* Up to 1.3 StarPU records that a task has no name: no damage. */
	run_of(&b, TV_FXT_1_3);
	submit(&b, 3, NULL, TV_FXT_1_3);
	execute(&b, 1700, 3, NULL, TV_FXT_1_3);
	must_convert(&trace, &b);
	assert_task(&trace, "3", "Value", "unknown");
	assert_int_equal(trace.ndamage, 0);
	tv_trace_release(&trace);
	test_free(b.bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(generations),	       cmocka_unit_test(without_code),
		cmocka_unit_test(parts_of_handles),    cmocka_unit_test(jobs_of_messages),
		cmocka_unit_test(handles_of_messages), cmocka_unit_test(unknown_versions),
		cmocka_unit_test(exceptions),	       cmocka_unit_test(names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
