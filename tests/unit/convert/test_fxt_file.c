/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fxt_file.c -- FxT files: every record against libfxt, every byte order, damage of every
 * kind. */
#include "tests/unit/fxt_read.h"
#include "tests/unit/fxt_sample.h"

#include <ftw.h>
#include <unistd.h>

#include "convert/fxt/lib.h"
#include "trace/alloc.h"

/* ---- against libfxt ---- */

/* libfxt reads plain files only. */
static void write_plain(char *path, const struct tv_bytes *map)
{
	int fd = mkstemp(path);
	size_t done = 0;

	assert_true(fd >= 0);
	while (done < map->n) {
		ssize_t n = write(fd, map->bytes + done, map->n - done);

		assert_true(n > 0);
		done += (size_t)n;
	}
	close(fd);
}

static uint64_t compare_records(const char *name, const struct tv_bytes *map, const char *plain)
{
	struct tv_error err = { 0 };
	struct tv_fxt_cursor cursor;
	struct tv_fxt_event ours, theirs;
	struct tv_fxt_file file;
	struct tv_fxt_lib *lib;
	uint64_t n = 0;

	assert_int_equal(tv_fxt_open(&file, name, map->bytes, map->n, &err), 0);
	assert_int_equal(tv_fxt_lib_open(&lib, plain, &err), 0);
	tv_fxt_rewind(&cursor, &file);
	for (; tv_fxt_next(&cursor, &ours) == TV_FXT_EVENT; n++) {
		if (tv_fxt_lib_next(lib, &theirs) != TV_FXT_EVENT || ours.time != theirs.time
		    || ours.code != theirs.code || ours.n != theirs.n)
			fail_msg("%s: record %llu at byte %zu differs", name, (unsigned long long)n,
				 ours.offset);
		for (unsigned i = 0; i < ours.n; i++)
			if (tv_fxt_word(&ours, i) != tv_fxt_word(&theirs, i))
				fail_msg("%s: record %llu, parameter %u differs", name,
					 (unsigned long long)n, i);
	}
	assert_int_equal(tv_fxt_lib_next(lib, &theirs), TV_FXT_END);
	assert_int_equal(cursor.at, file.end);
	tv_fxt_lib_close(lib);
	return n;
}

static uint64_t files_compared, records_compared;

static int compare_file(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	const char *folder = getenv("TMPDIR");
	struct tv_bytes map;
	char plain[256];

	(void)st;
	if (type != FTW_F || strncmp(path + ftw->base, "prof_file_", 10) != 0)
		return 0;
	snprintf(plain, sizeof plain, "%s/traceviz-fxt-XXXXXX", folder != NULL ? folder : "/tmp");
	assert_true(sample_bytes(&map, path));
	write_plain(plain, &map);
	records_compared += compare_records(path, &map, plain);
	files_compared++;
	unlink(plain);
	tv_bytes_release(&map);
	return 0;
}

static void every_record(void **state)
{
	char shared[SAMPLE_PATH];

	(void)state;
	assert_int_equal(nftw("tests/data/fxt", compare_file, 8, FTW_PHYS), 0);
	assert_true(files_compared >= 15);
	if (sample_folder(shared, NULL, ".")) {
		assert_int_equal(nftw(shared, compare_file, 8, FTW_PHYS), 0);
		assert_true(files_compared >= 40);
	}
	print_message("# %llu records of %llu files are as libfxt reads them\n",
		      (unsigned long long)records_compared, (unsigned long long)files_compared);
}

/* All tables as one text, to compare two traces. */
static char *as_text(const struct tv_trace *trace)
{
	size_t n = 0, cap = 1 << 16;
	char *text = test_malloc(cap);

	for (int t = 0; t < TV_NTABLES; t++) {
		const struct tv_table *table = &trace->table[t];

		for (uint32_t row = 0; row < table->nrows; row++)
			for (size_t c = 0; c < table->ncols; c++) {
				n += (size_t)snprintf(text + n, cap - n, "%s ",
						      table->col[c]->name);
				n += tv_cell_text(table->col[c], row, text + n, cap - n);
				n += (size_t)snprintf(text + n, cap - n, "\n");
				assert_true(n + 256 < cap);
			}
	}
	return text;
}

static const char *task_cell(const struct tv_trace *trace, uint32_t row, const char *name)
{
	static char text[256];
	const struct tv_column *c = tv_table_find(&trace->table[TV_TASKS], name);

	assert_non_null(c);
	tv_cell_text(c, row, text, sizeof text);
	return text;
}

/* ---- by hand ---- */

/* Two tasks of 1.4 on one CPU worker, the second depending on the first; times in ns from 1000. */
static void two_tasks(struct build *b, unsigned word, bool big)
{
	build_begin(b, word, big);
	RECORD(b, 1000, 0x320, NULL, 0x1234);
	RECORD(b, 1000, TV_FXT_NEW_MEM_NODE, NULL, 0, 7);
	RECORD(b, 1010, TV_FXT_WORKER_INIT_START, NULL, 0x100, 0, 0, 0, 0, 1, 42);
	RECORD(b, 1020, TV_FXT_WORKER_INIT_END, NULL, 42, 0);
	RECORD(b, 1025, TV_FXT_HANDLE_DATA_REGISTER, "M2x2x8", 0x5000, 32, -1, -1);
	RECORD(b, 1030, TV_FXT_TASK_SUBMIT, NULL, 1, 3, -1, 1, -5, 0, 7);
	RECORD(b, 1040, TV_FXT_TASK_SUBMIT, NULL, 2, -1, -1, 2, 5, 0, 7);
	RECORD(b, 1045, TV_FXT_TASK_DEPS, "task", 1, 2, 0, 1);
	RECORD(b, 1050, TV_FXT_TASK_NAME, "dpotrf", 1, 42);
	RECORD(b, 1100, TV_FXT_START_CODELET_BODY, NULL, 1, 0, 0, 0);
	RECORD(b, 1100, TV_FXT_CODELET_DATA, "M2x2x8", 0);
	RECORD(b, 1100, TV_FXT_CODELET_DATA_HANDLE, NULL, 1, 0x5000, 32, 3);
	RECORD(b, 1100, TV_FXT_CODELET_DETAILS, NULL, 0, 32, 0xabcd, 2000, 0, 0, 1);
	RECORD(b, 1200, TV_FXT_END_CODELET_BODY, "cpu0_impl0", 1, 32, 0xabcd, 0, 42);
	RECORD(b, 1210, TV_FXT_TASK_DONE, NULL, 1, 42);
	RECORD(b, 1250, TV_FXT_TASK_NAME, "a name, longer than a word", 2, 42);
	RECORD(b, 1300, TV_FXT_START_CODELET_BODY, NULL, 2, 0, 0, 0);
	RECORD(b, 1400, TV_FXT_END_CODELET_BODY, "cpu0_impl0", 2, 0, 0, 0, 42);
	RECORD(b, 1410, TV_FXT_TASK_DONE, NULL, 2, 42);
}

/* Events of the program, of one of its threads and of the user: each with its own text. */
static void own_events(void **state)
{
	static const char *const want[][2] = {
		{ "program event type", "the program" },
		{ "thread event type", "a thread, by its text" },
		{ "user event type", "77" },
	};
	struct tv_trace trace = { 0 };
	struct build b;

	(void)state;
	two_tasks(&b, 8, false);
	build_record(&b, 1500, TV_FXT_EVENT_TEXT, 0, NULL, "the program");
	RECORD(&b, 1510, TV_FXT_THREAD_EVENT, "a thread, by its text", 42);
	RECORD(&b, 1520, TV_FXT_USER_EVENT, NULL, 77, 42);
	must_convert(&trace, &b);
	for (size_t i = 0; i < TV_COUNT(want); i++) {
		const struct tv_table *events = &trace.table[TV_EVENTS];
		uint32_t row = 0;

		while (row < events->nrows
		       && strcmp(tv_table_text(events, "Type", row), want[i][0]) != 0)
			row++;
		assert_in_range(row, 0, events->nrows - 1);
		assert_string_equal(tv_table_text(events, "Value", row), want[i][1]);
	}
	tv_trace_release(&trace);
	test_free(b.bytes);
}

static void byte_orders(void **state)
{
	struct tv_trace trace;
	char *first = NULL;

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct build b;
		char *text;

		two_tasks(&b, i & 1 ? 4 : 8, i & 2);
		assert_int_equal(tv_fxt_recognize(b.bytes, b.n), 50);
		must_convert(&trace, &b);
		text = as_text(&trace);
		if (first == NULL) {
			assert_string_equal(task_cell(&trace, 0, "Value"), "dpotrf");
			assert_string_equal(task_cell(&trace, 0, "Start"), "0.000100");
			assert_string_equal(task_cell(&trace, 0, "Priority"), "-5");
			assert_string_equal(task_cell(&trace, 0, "Iteration"), "3");
			assert_string_equal(task_cell(&trace, 0, "GFlop"), "0.002");
			assert_string_equal(task_cell(&trace, 1, "Value"),
					    "a name, longer than a word");
			assert_string_equal(task_cell(&trace, 1, "DependsOn"), "1");
			first = text;
		} else {
			assert_string_equal(text, first);
			test_free(text);
		}
		assert_int_equal(trace.ndamage, 0);
		tv_trace_release(&trace);
		test_free(b.bytes);
	}
	test_free(first);
}

/* Damage number i of the table below, at the end of a whole trace. */
static void damage_end(struct build *b, size_t i)
{
	switch (i) {
	case 0: /* a slot that was reserved and never filled */
		memset(b->bytes + b->n, 0, 72);
		b->n += 72;
		RECORD(b, 1420, TV_FXT_WORKER_SLEEP_START, NULL, 42);
		break;
	case 1:
		b->n -= 80 + 40; /* neither END nor DONE of task 2 */
		break;
	case 2:
		RECORD(b, 1420, TV_FXT_END_CODELET_BODY, "cpu", 9, 0, 0, 0, 42);
		break;
	case 3:
		RECORD(b, 1420, TV_FXT_START_CODELET_BODY, NULL, 3, 0, 0, 0);
		RECORD(b, 1430, TV_FXT_START_CODELET_BODY, NULL, 3, 0, 0, 0);
		RECORD(b, 1440, TV_FXT_END_CODELET_BODY, "cpu", 3, 0, 0, 0, 42);
		break;
	case 4:
		RECORD(b, 1420, TV_FXT_START_CODELET_BODY, NULL, 1, 0, 0, 0);
		RECORD(b, 1415, TV_FXT_END_CODELET_BODY, "cpu", 1, 0, 0, 0, 42);
		break;
	case 5:
		RECORD(b, (uint64_t)1 << 60, TV_FXT_START_CODELET_BODY, NULL, 3, 0, 0, 0);
		break;
	case 6:
		RECORD(b, 1420, TV_FXT_START_CODELET_BODY, NULL, 3, 0, 5, 0);
		RECORD(b, 1430, TV_FXT_END_CODELET_BODY, "cpu", 3, 0, 0, 5, 42);
		break;
	case 7:
		RECORD(b, 1420, TV_FXT_TASK_DEPS, "task", 2, 2, 0, 1);
		break;
	case 8:
		RECORD(b, 1420, TV_FXT_START_CODELET_BODY, NULL, 2, 0, 1 << 30, 0);
		break;
	case 9:
		RECORD(b, 1420, TV_FXT_USED_MEM, NULL, 1 << 20, 0, 42);
		break;
	case 10:
		RECORD(b, 1420, TV_FXT_TASK_SUBMIT_END, NULL, 99);
		break;
	case 11:
		RECORD(b, 1420, TV_FXT_START_DRIVER_COPY, NULL, 0, 0, 64, 1, 0, 0x5000);
		break;
	case 12:
		RECORD(b, 1420, TV_FXT_END_DRIVER_COPY, NULL, 0, 0, 64, 1, 0);
		break;
	default:
		b->n -= 3;
	}
}

static void damaged_records(void **state)
{
	static const struct {
		const char *cause;
		uint64_t count;
		uint32_t rows; /* of tasks */
	} want[] = {
		{ "bytes that hold no event", 1, 2 },
		{ "task without end", 1, 2 },
		{ "end of a task that never started", 1, 2 },
		{ "task started twice", 1, 3 },
		{ "task that ends before it starts", 1, 2 },
		{ "event at an impossible time", 1, 2 },
		{ "worker that was never announced", 1, 3 },
		{ "task that depends on itself", 1, 2 },
		{ "impossible worker", 1, 2 },
		{ "impossible memory node", 1, 2 },
		{ "end of a state that never began", 1, 2 },
		{ "transfer without end", 1, 2 },
		{ "end of a transfer that never began", 1, 2 },
		{ "the file ends within an event", 1, 2 },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(want); i++) {
		struct tv_trace trace;
		struct tv_error err;
		struct build b;
		struct bytes rank;

		two_tasks(&b, 8, false);
		damage_end(&b, i);
		must_convert(&trace, &b);
		if (damage(&trace, want[i].cause) != want[i].count
		    || trace.table[TV_TASKS].nrows != want[i].rows)
			fail_msg("'%s': counted %llu, %u rows of tasks", want[i].cause,
				 (unsigned long long)damage(&trace, want[i].cause),
				 trace.table[TV_TASKS].nrows);
		if (i == 1)
			assert_string_equal(task_cell(&trace, 1, "Flag"), "open");
		tv_trace_release(&trace);
		rank = (struct bytes){ b.bytes, b.n };
		assert_int_equal(convert(&trace, &rank, 1, true, &err), -1);
		assert_non_null(strstr(err.text, want[i].cause));
		test_free(b.bytes);
	}
}

static void headers(void **state)
{
	struct tv_fxt_file file;
	struct tv_error err;
	struct tv_trace trace;
	struct build b;
	size_t whole;

	(void)state;
	two_tasks(&b, 8, false);
	whole = b.n;
	assert_int_equal(tv_fxt_recognize((const unsigned char *)"%EventDef PajeDefine", 20), 0);
	for (b.n = 0; b.n < 36; b.n++) /* no room for the header of the events */
		assert_int_equal(tv_fxt_open(&file, "x", b.bytes, b.n, &err), -1);
	assert_int_equal(tv_fxt_open(&file, "x", b.bytes, b.n, &err), 0);
	assert_int_equal(convert_build(&trace, &b, &err), -1); /* no event */
	b.n = whole;
	b.bytes[20] = 3; /* a block of 3 bytes */
	must_convert(&trace, &b);
	assert_int_equal(damage(&trace, "the block of events claims an impossible size"), 1);
	tv_trace_release(&trace);
	b.bytes[20] = 100; /* of fewer */
	must_convert(&trace, &b);
	assert_int_equal(damage(&trace, "the block of events claims fewer bytes than the file has"),
			 1);
	assert_int_equal(trace.table[TV_TASKS].nrows, 2);
	tv_trace_release(&trace);
	b.bytes[25] = 1; /* of more bytes than the file */
	must_convert(&trace, &b);
	assert_int_equal(damage(&trace, "the block of events claims more bytes than the file has"),
			 1);
	assert_int_equal(trace.table[TV_TASKS].nrows, 2);
	tv_trace_release(&trace);
	b.bytes[29] = 0; /* events of no known kind */
	assert_int_equal(tv_fxt_open(&file, "x", b.bytes, b.n, &err), -1);
	test_free(b.bytes);
}

/* ---- two ranks ---- */

static void one_rank(struct build *b, int64_t rank, uint64_t first, int64_t key)
{
	build_begin(b, 8, false);
	RECORD(b, first, 0x320, NULL, 0);
	RECORD(b, first + 10, TV_FXT_MPI_START, NULL, rank, 2, 9);
	RECORD(b, first + 100 * (uint64_t)(rank + 1), TV_FXT_MPI_BARRIER, NULL, rank, 2, key, 0, 9);
}

/* Both barriers fall together on all ranks, and linearly in between; where one rank lacks the
 * second, the first alone counts. */
static void clocks(void **state)
{
	static const struct {
		int rank;
		uint64_t raw;
		int64_t both, first; /* by both barriers; by the first alone */
	} row[] = {
		/* M = max(100, 200), M' = max(2100, 2220) */
		{ 0, 1000, 100, 100 },	 { 0, 1100, 200, 200 },	  { 0, 2100, 1210, 1200 },
		{ 0, 3100, 2220, 2200 }, { 0, 4100, 3220, 3200 }, { 1, 5000, 0, 0 },
		{ 1, 5200, 200, 200 },	 { 1, 6210, 1210, 1210 }, { 1, 7230, 2230, 2230 },
	};

	(void)state;
	for (int cut = 0; cut < 2; cut++) {
		struct tv_fxt_facts facts[2] = {
			{ .first = 1000, .nsync = 2, .sync = { 1100, 3100 } },
			{ .first = 5000, .nsync = cut ? 1 : 2, .sync = { 5200, 7220 } },
		};
		const struct tv_fxt_facts *f[] = { &facts[0], &facts[1] };
		struct tv_fxt_clock clock[2], *c[] = { &clock[0], &clock[1] };

		tv_fxt_clocks(f, c, 2);
		for (size_t i = 0; i < TV_COUNT(row); i++)
			assert_int_equal(tv_fxt_time(c[row[i].rank], row[i].raw),
					 cut ? row[i].first : row[i].both);
	}
}

/* Start, SendEnd, ReceiveStart and End of a link. */
static const char *link_times(const struct tv_trace *trace, uint32_t row)
{
	static const char *const name[] = { "Start", "SendEnd", "ReceiveStart", "End" };
	static char text[256];
	size_t n = 0;

	for (int i = 0; i < 4; i++) {
		const struct tv_column *c = tv_table_find(&trace->table[TV_LINKS], name[i]);

		text[n] = ' ';
		n += i > 0;
		text[n] = '\0';
		if (c != NULL)
			n += tv_cell_text(c, row, text + n, sizeof text - n);
	}
	return text;
}

static void messages(void **state)
{
	struct tv_trace trace;
	struct tv_error err;
	struct build b[2];
	struct bytes rank[2];

	(void)state;
	for (int same = 1; same >= 0; same--) {
		one_rank(&b[0], 0, 1000, 77);
		one_rank(&b[1], 1, 90000, same ? 77 : 78);
		RECORD(&b[0], 1500, TV_FXT_MPI_ISEND_SUBMIT_END, NULL, 0x100, 1, 5, 800, 11, 0x5000,
		       3, 9);
		RECORD(&b[0], 1600, TV_FXT_MPI_ISEND_SUBMIT_END, NULL, 0x100, 1, 5, 801, -1, 0x5000,
		       3, 9);
		RECORD(&b[0], 1700, TV_FXT_MPI_ISEND_SUBMIT_END, NULL, 0x100, 1, 6, 802, -1, 0x5000,
		       3, 9);
		RECORD(&b[1], 90900, TV_FXT_MPI_IRECV_TERMINATED, NULL, 0, 5, 21, 9, 0x6000);
		RECORD(&b[1], 90650, TV_FXT_MPI_IRECV_TERMINATED, NULL, 0, 5, 20, 9, 0x6000);
		RECORD(&b[1], 91000, TV_FXT_MPI_IRECV_TERMINATED, NULL, 0, 7, 22, 9, 0x6000);
		/* The second send has no completion; the send of tag 6 has a posting, the receive of
		 * tag 7 has none, another posting is left. */
		RECORD(&b[0], 1580, TV_FXT_MPI_ISEND_TERMINATED, NULL, 1, 5, 9);
		RECORD(&b[1], 90850, TV_FXT_MPI_IRECV_SUBMIT_END, NULL, 0, 5, 9);
		RECORD(&b[1], 90640, TV_FXT_MPI_IRECV_SUBMIT_END, NULL, 0, 5, 9);
		RECORD(&b[1], 90860, TV_FXT_MPI_IRECV_SUBMIT_END, NULL, 0, 6, 9);
		RECORD(&b[1], 90870, TV_FXT_MPI_IRECV_SUBMIT_END, NULL, 0, 8, 9);
		for (int i = 0; i < 2; i++)
			rank[i] = (struct bytes){ b[i].bytes, b[i].n };
		if (convert(&trace, rank, 2, false, &err) < 0)
			fail_msg("%s", err.text);
		if (same) {
			char *text = as_text(&trace);
			size_t n;

			/* In order of time, not of the file; tag 6 is never received, tag 7 never
			 * sent. */
			assert_non_null(strstr(text, "DestJob 1_20\n"));
			assert_non_null(strstr(text, "DependsOn 0_11\n"));
			assert_non_null(strstr(text, "DependsOn mpicom_0\n"));
			assert_non_null(strstr(text, "Key mpicom_2\n"));
			assert_int_equal(damage(&trace, "message that was never received"), 1);
			assert_int_equal(damage(&trace, "message that was never sent"), 1);
			assert_int_equal(trace.diagnostics.n, 1);
			assert_string_equal(trace.diagnostics.at[0].text,
					    "1 sends and 2 receives have no partner (--verbose "
					    "lists them); sends "
					    "of rank 0: 1; receives of rank 1: 1; receives that "
					    "never completed, "
					    "of rank 1: 1");
			assert_memory_equal(tv_meta_get(&trace, "UnmatchedSends", &n), "rank 0: 1",
					    9);
			assert_memory_equal(tv_meta_get(&trace, "UnmatchedReceives", &n),
					    "rank 1: 1", 9);
			assert_memory_equal(tv_meta_get(&trace, "UncompletedReceives", &n),
					    "rank 1: 1", 9);
			assert_string_equal(link_times(&trace, 0),
					    "0.000600 0.000680 0.000640 0.000650");
			assert_string_equal(link_times(&trace, 1), "0.000700  0.000850 0.000900");
			assert_string_equal(link_times(&trace, 2), "0.000800  0.000860 0.001000");
			test_free(text);
		} else {
			assert_int_equal(trace.table[TV_LINKS].nrows, 0);
			assert_int_equal(trace.diagnostics.n, 1);
		}
		tv_trace_release(&trace);
		rank[1] = rank[0];
		assert_int_equal(convert(&trace, rank, 2, false, &err), -1);
		assert_non_null(strstr(err.text, "rank 0 is also that of"));
		test_free(b[0].bytes);
		test_free(b[1].bytes);
	}
}

enum { ENDS = 24, MESSAGE_ROUNDS = 400 };

/* One kind of events of random messages: where (0, 1), tag and time; in order of time. */
struct random_ends {
	int n;
	struct {
		int rank;
		int64_t tag, time;
		bool used;
	} at[ENDS];
};

static void random_ends(struct random_ends *ends, struct build *b, uint32_t code, uint64_t *seed)
{
	int64_t time = 300;

	ends->n = (int)unit_random(seed, ENDS);
	for (int i = 0; i < ends->n; i++) {
		int rank = (int)unit_random(seed, 2);
		int64_t tag = (int64_t)unit_random(seed, 3);

		time += 1 + (int64_t)unit_random(seed, 40);
		ends->at[i].rank = rank;
		ends->at[i].tag = tag;
		ends->at[i].time = time;
		ends->at[i].used = false;
		/* Rank 0 began at 1000, 100 before its barrier; rank 1 at 90000, 200 before it. */
		if (code == TV_FXT_MPI_ISEND_SUBMIT_END)
			RECORD(&b[rank], (uint64_t)(time + (rank ? 90000 : 900)), code, NULL, 0x100,
			       !rank, tag, 8, -1, 0x5000, 3, 9);
		else if (code == TV_FXT_MPI_IRECV_TERMINATED)
			RECORD(&b[rank], (uint64_t)(time + (rank ? 90000 : 900)), code, NULL, !rank,
			       tag, -1, 9, 0x6000);
		else
			RECORD(&b[rank], (uint64_t)(time + (rank ? 90000 : 900)), code, NULL, !rank,
			       tag, 9);
	}
}

/* The first that is free, from a time on; -1 if there is none or it is after `to`. */
static int take(struct random_ends *ends, int rank, int64_t tag, int64_t from, int64_t to)
{
	for (int i = 0; i < ends->n; i++)
		if (!ends->at[i].used && ends->at[i].rank == rank && ends->at[i].tag == tag
		    && ends->at[i].time >= from) {
			ends->at[i].used = ends->at[i].time <= to;
			return ends->at[i].used ? i : -1;
		}
	return -1;
}

static void add_time(char *text, size_t size, const struct random_ends *ends, int i)
{
	size_t n = strlen(text);

	snprintf(text + n, size - n, i < 0 ? " " : " %.6f",
		 i < 0 ? 0 : (double)ends->at[i].time / 1e6);
}

/* Every pairing against a search through all events. */
static void random_messages(void **state)
{
	uint64_t seed = unit_seed(20261123);
	int paired = 0;

	(void)state;
	for (int round = 0; round < MESSAGE_ROUNDS; round++) {
		struct random_ends send, sent, posted, received;
		int posting[ENDS];
		struct tv_trace trace;
		struct tv_error err;
		struct build b[2];
		struct bytes rank[2];
		uint32_t row = 0;

		one_rank(&b[0], 0, 1000, 77);
		one_rank(&b[1], 1, 90000, 77);
		random_ends(&send, b, TV_FXT_MPI_ISEND_SUBMIT_END, &seed);
		random_ends(&sent, b, TV_FXT_MPI_ISEND_TERMINATED, &seed);
		random_ends(&posted, b, TV_FXT_MPI_IRECV_SUBMIT_END, &seed);
		random_ends(&received, b, TV_FXT_MPI_IRECV_TERMINATED, &seed);
		for (int i = 0; i < 2; i++)
			rank[i] = (struct bytes){ b[i].bytes, b[i].n };
		if (convert(&trace, rank, 2, false, &err) < 0)
			fail_msg("%s", err.text);
		tv_trace_as_read(&trace); /* messages in the order of their sends */
		for (int i = 0; i < received.n; i++)
			posting[i] = take(&posted, received.at[i].rank, received.at[i].tag,
					  INT64_MIN, received.at[i].time);
		for (int i = 0; i < send.n; i++) {
			int to = !send.at[i].rank;
			int r = take(&received, to, send.at[i].tag, INT64_MIN, INT64_MAX);
			int s = take(&sent, send.at[i].rank, send.at[i].tag, send.at[i].time,
				     INT64_MAX);
			char want[200];

			if (r < 0)
				continue;
			snprintf(want, sizeof want, "%.6f", (double)send.at[i].time / 1e6);
			add_time(want, sizeof want, &sent, s);
			add_time(want, sizeof want, &posted, posting[r]);
			if (received.at[r].time < send.at[i].time)
				received.at[r].time = send.at[i].time;
			add_time(want, sizeof want, &received, r);
			assert_string_equal(link_times(&trace, row++), want);
			paired++;
		}
		tv_trace_release(&trace);
		test_free(b[0].bytes);
		test_free(b[1].bytes);
	}
	assert_true(paired > MESSAGE_ROUNDS);
}

/* ---- truncation and flipped bytes ---- */

/* The sanitizers see more than a crash: under them the whole number, else a sample of it. */
#if defined(__SANITIZE_ADDRESS__)
enum { FLIPS = 100000 };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
enum { FLIPS = 100000 };
#else
enum { FLIPS = 10000 };
#endif
#else
enum { FLIPS = 10000 };
#endif

static const char *const small[] = { "1.2.11", "1.3.4",	 "1.3.11",
				     "1.4.0",  "1.4.12", "cholesky-12-dmdas" };

static void thin_sample(struct build *b, const char *name, int k)
{
	char folder[SAMPLE_PATH];
	struct tv_bytes map;

	snprintf(folder, sizeof folder, "tests/data/fxt/%s", name);
	if (!sample_file(&map, folder, k))
		assert_true(sample_file(&map, folder, 0));
	build_thin(b, map.bytes, map.n);
	tv_bytes_release(&map);
}

/* Never more memory than a fixed multiple of the input; what is converted obeys the rules of the
 * tables. */
static int convert_damaged(const struct bytes *rank, int nranks, bool complete)
{
	struct tv_trace trace;
	struct tv_error err;
	size_t n = rank[0].n + (nranks > 1 ? rank[1].n : 0);
	int rc;

	tv_memory_limit(tv_memory_used() + (512 << 10) + 64 * n);
	rc = (complete ? convert : read_ranks)(&trace, rank, nranks, false, &err);
	tv_memory_limit(0);
	if (rc < 0) {
		if (strstr(err.text, "memory") != NULL)
			fail_msg("%zu bytes of input: %s", n, err.text);
		return -1;
	}
	for (int t = 0; t < TV_NTABLES; t++) {
		const struct tv_column *start = tv_table_find(&trace.table[t], "Start");
		const struct tv_column *end = tv_table_find(&trace.table[t], "End");

		for (uint32_t row = 0; start != NULL && row < trace.table[t].nrows; row++)
			if (!tv_missing(start, row) && t != TV_RESOURCES)
				assert_true(start->i[row] <= end->i[row]);
	}
	tv_trace_release(&trace);
	return 0;
}

static void every_truncation(void **state)
{
	(void)state;
	/* The oldest and the newest layouts. */
	for (size_t i = 0; i < TV_COUNT(small); i += 4) {
		struct build b;
		size_t whole;

		thin_sample(&b, small[i], 0);
		whole = b.n;
		for (b.n = 0; b.n <= whole; b.n++) {
			/* A copy of just these bytes, so that the sanitizer sees a read beyond
			 * them. */
			unsigned char *copy = test_malloc(b.n + 1);
			struct bytes rank = { copy, b.n };

			memcpy(copy, b.bytes, b.n);
			assert_int_equal(convert_damaged(&rank, 1, b.n % 64 == 0),
					 b.n < 36 + 32 ? -1 : 0);
			test_free(copy);
		}
		test_free(b.bytes);
	}
}

static void flipped_bytes(void **state)
{
	uint64_t seed = unit_seed(2026);
	int converted = 0;

	(void)state;
	for (size_t i = 0; i < TV_COUNT(small); i++) {
		struct build b[2];
		unsigned char *copy;

		thin_sample(&b[0], small[i], 0);
		thin_sample(&b[1], small[i], 1);
		copy = test_malloc(b[0].n);
		for (int k = 0; k < FLIPS / (int)TV_COUNT(small) + 1; k++) {
			struct bytes rank[2] = { { copy, b[0].n }, { b[1].bytes, b[1].n } };

			memcpy(copy, b[0].bytes, b[0].n);
			for (uint64_t n = unit_random(&seed, 4) + 1; n > 0; n--)
				copy[unit_random(&seed, b[0].n)] ^=
					(unsigned char)(unit_random(&seed, 255) + 1);
			converted += convert_damaged(rank, k % 8 == 0 ? 2 : 1, k % 64 == 0) == 0;
		}
		test_free(copy);
		test_free(b[0].bytes);
		test_free(b[1].bytes);
	}
	print_message("# %d of %d flipped files still convert\n", converted, FLIPS);
	assert_true(converted > FLIPS / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_record),	   cmocka_unit_test(byte_orders),
		cmocka_unit_test(damaged_records), cmocka_unit_test(headers),
		cmocka_unit_test(clocks),	   cmocka_unit_test(messages),
		cmocka_unit_test(random_messages), cmocka_unit_test(every_truncation),
		cmocka_unit_test(flipped_bytes),   cmocka_unit_test(own_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
