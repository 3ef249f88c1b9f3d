/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_recutils.c -- the Recutils reader: the syntax, and tasks.rec joined with a trace by JobId.
 */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "trace/alloc.h"

static int read_text(struct tv_trace *trace, const char *text, size_t n, struct tv_error *err)
{
	struct tv_input in;
	void *state;
	int rc;

	tv_input_memory(&in, "t.rec", text, n);
	state = tv_recutils_reader.begin(trace);
	rc = tv_recutils_reader.read(state, &in, err);
	if (rc == 0)
		rc = tv_recutils_reader.finish(state, err);
	tv_recutils_reader.free(state);
	tv_input_close(&in);
	return rc;
}

/* A trace of a tasks table in CSV (NULL = empty) with the records joined. */
static void load(struct tv_trace *trace, const char *csv, const char *text)
{
	struct tv_error err = { 0 };
	struct tv_input in;

	tv_trace_init(trace, NULL);
	if (csv != NULL) {
		tv_input_memory(&in, "t.csv", csv, strlen(csv));
		if (tv_csv_read(&in, trace, TV_TASKS, &err) < 0)
			fail_msg("%s", err.text);
		tv_input_close(&in);
	}
	if (read_text(trace, text, strlen(text), &err) < 0)
		fail_msg("line %ld: %s", err.line, err.text);
}

/* The rows of a table as text: the named columns separated by '|', "-" where missing, rows by '\n'.
 */
static void assert_dump(const struct tv_trace *trace, enum tv_table_id id, const char *columns,
			const char *want)
{
	const struct tv_table *table = &trace->table[id];
	char got[4000] = "", cell[200], name[64];
	size_t n = 0;

	for (uint32_t row = 0; row < table->nrows; row++)
		for (const char *s = columns; *s != '\0';) {
			int length = (int)strcspn(s, ",");
			const struct tv_column *column;

			snprintf(name, sizeof name, "%.*s", length, s);
			column = tv_table_find(table, name);
			s += length + (s[length] == ',');
			if (column == NULL || tv_missing(column, row))
				snprintf(cell, sizeof cell, "-");
			else
				tv_cell_text(column, row, cell, sizeof cell);
			n += (size_t)snprintf(got + n, sizeof got - n, "%s%s", cell,
					      *s == '\0' ? "\n" : "|");
		}
	assert_string_equal(got, want);
}

static void syntax(void **state)
{
	struct tv_trace t;

	(void)state;
	load(&t, NULL,
	     "# a comment\n%rec: Task\n%key: JobId\n\n\n"
	     "JobId: 1\nName: two\n+ lines\n+\n# within\nNote:no blank\nPath: a\\\nb\nEmpty:\nTag: "
	     "2\n  \n"
	     "Name: other\r\nJobId: 2\r\nParameters: p q\r\nTag: not hexadecimal\r\nPriority: "
	     "1e3\r\n");
	assert_dump(&t, TV_TASKS, "JobId,Value,Note,Path,Empty,Params,Tag,Priority,Kind",
		    "1|two\nlines\n|no blank|ab||-|0000000000000002|-|ghost\n2|other|-|-|-|p q|not "
		    "hexadecimal|1000|ghost\n");
	assert_int_equal(t.ndamage, 0);
	tv_trace_release(&t);
}

/* The trace's values win; jobs that never ran become ghosts; all executions of a job get its
 * fields. */
static void join(void **state)
{
	struct tv_trace t;
	size_t n;

	(void)state;
	load(&t,
	     "ResourceId,Value,Start,End,JobId,Tag,Priority,Params,Note\n"
	     "CPU0,gemm,1,2,7,00ab,,,mine\nCPU1,gemm,1,2,7,,3,x,\nCPU1,trsm,3,4,8,,,,\nCPU1,idle,5,"
	     "6,,,,,\n",
	     "Name: GEMM\nJobId: 7\nDependsOn: 5 6\nSubmitTime: 0.5\nPriority: 9\nTag: "
	     "ab\nParameters: y\nNote: theirs\n"
	     "WorkerId: 0\nStartTime: 1.0\nEndTime: 2.0\nHandles: h1 h2\n\n"
	     "JobId: 8\nDependsOn: 7\nSizes: 10 20\nGFlop: 0.5\nMPIRank: -1\n\n"
	     "Control: WontUse\nJobId: 77\n\nJobId: 5\nTag: 0\nMPIRank: -1\n\nName: sync\nJobId: "
	     "6\nMPIRank: 1\n\n"
	     "Control: WontUse\nJobId: 78\n\n");
	assert_dump(&t, TV_TASKS,
		    "ResourceId,Value,Start,JobId,DependsOn,SubmitTime,Priority,Tag,Params,Note,"
		    "Handles",
		    "CPU0|gemm|1.000000|7|5 6|0.500000|9|00ab|y|mine|h1 h2\n"
		    "CPU1|gemm|1.000000|7|5 6|0.500000|3|00000000000000ab|x|theirs|h1 h2\n"
		    "CPU1|trsm|3.000000|8|7|-|-|-|-|-|-\nCPU1|idle|5.000000|-|-|-|-|-|-|-|-\n"
		    "-||-|5|-|-|-|0000000000000000|-|-|-\n-|sync|-|6|-|-|-|-|-|-|-\n");
	assert_dump(&t, TV_TASKS, "Kind,Node,Sizes,GFlop",
		    "-|-|-|-\n-|-|-|-\n-|-|10 20|0.5\n-|-|-|-\nghost|-|-|-\nghost|1|-|-\n");
	assert_memory_equal(tv_meta_get(&t, "RecWontUse", &n), "2", 1);
	assert_int_equal(t.diagnostics.n, 0);
	tv_trace_release(&t);
}

/* What the file says has run but the trace does not have is taken, on the worker that others show,
 * and said. */
static void missing_executions(void **state)
{
	struct tv_trace t;

	(void)state;
	load(&t, "ResourceId,Value,Start,End,JobId\nCUDA1,gemm,1,2,7\n",
	     "Name: gemm\nJobId: 7\nWorkerId: 3\nStartTime: 1\nEndTime: 2\n\n"
	     "Name: gemm\nJobId: 8\nWorkerId: 3\nStartTime: 2\nEndTime: 3.5\n\n"
	     "Name: gemm\nJobId: 9\nWorkerId: 4\nStartTime: 2\nEndTime: 3\n\n");
	assert_dump(&t, TV_TASKS, "ResourceId,Value,Start,End,JobId,Kind",
		    "CUDA1|gemm|1.000000|2.000000|7|-\nCUDA1|gemm|2.000000|3.500000|8|-\n"
		    "worker4|gemm|2.000000|3.000000|9|-\n");
	assert_int_equal(t.diagnostics.n, 2);
	assert_non_null(
		strstr(t.diagnostics.at[0].text, "t.rec: has numbers of workers, not their types"));
	assert_string_equal(
		t.diagnostics.at[1].text,
		"t.rec: 2 of its executions are not in the trace itself; they are taken from here");
	tv_trace_release(&t);
}

/* Fields that have the name of a column that the reader fills are beside it. */
static void names_of_ours(void **state)
{
	struct tv_trace t;

	(void)state;
	load(&t, NULL,
	     "Name: a\nJobId: 1\nStart: 5\nKind: worker\n\n"
	     "Name: b\nJobId: 2\nStartTime: 1\nEndTime: 2\nWorkerId: 0\nEnd: 9\n\n");
	assert_dump(&t, TV_TASKS, "ResourceId,Value,Start,End,Kind,Rec.Start,Rec.End,Rec.Kind",
		    "-|a|-|-|ghost|5|-|worker\nworker0|b|1.000000|2.000000|-|-|9|-\n");
	tv_trace_release(&t);
}

static void ranks(void **state)
{
	static const char records[] =
		"JobId: 0_1\nMPIRank: 0\n\nJobId: 2\nDependsOn: 1 0_1 1_7\nMPIRank: 0\n\n"
		"Name: x\nJobId: 2\nWorkerId: 5\nStartTime: 1\nEndTime: 2\nDependsOn: 1\nMPIRank: "
		"1\n\n";
	struct tv_trace t;

	(void)state;
	load(&t, NULL, records);
	assert_dump(&t, TV_TASKS, "ResourceId,JobId,DependsOn,Node",
		    "-|0_1|-|0\n-|0_2|0_1 0_1 1_7|0\n1_worker5|1_2|1_1|1\n");
	tv_trace_release(&t);
	load(&t, "ResourceId,Value,Start,End,JobId\n1_CPU0,x,1,2,1_2\n0_CPU0,x,1,2,0_9\n", records);
	assert_dump(&t, TV_TASKS, "ResourceId,JobId,DependsOn",
		    "1_CPU0|1_2|1_1\n0_CPU0|0_9|-\n-|0_1|-\n-|0_2|0_1 0_1 1_7\n");
	tv_trace_release(&t);
	load(&t, NULL, "JobId: 2\nMPIRank: 0\nDependsOn: 1\n\n");
	assert_dump(&t, TV_TASKS, "JobId,DependsOn", "2|1\n");
	tv_trace_release(&t);
}

static void data(void **state)
{
	struct tv_trace t;

	(void)state;
	load(&t, NULL,
	     "Handle: 55e4\nHomeNode: 0\nMPIRank: 1\nName: A\nSize: 3686400\nDescription: "
	     "M960x960x4\nCoordinates: 1 0\n"
	     "MPIOwner: 1\nMPITag: 7\nColor: red\n\nHandle: 66\nMPIRank: -1\nHandle: 67\n\n");
	assert_dump(&t, TV_HANDLES,
		    "Handle,Node,HomeNode,Name,Description,Size,Coordinates,MPIOwner,MPITag,Color",
		    "55e4|1|0|A|M960x960x4|3686400|1 0|1|7|red\n66|-|-|-|-|-|-|-|-|-\n");
	assert_int_equal(t.table[TV_TASKS].nrows, 0);
	tv_trace_release(&t);
}

static void damage(void **state)
{
	static const struct {
		const char *text;
		enum tv_damage_kind kind;
		const char *cause, *place;
		uint32_t rows;
	} row[] = {
		{ "JobId: 1\nno field\n", TV_DROPPED, "not a field", "t.rec:2: ", 1 },
		{ "+ more\n\nJobId: 1\n\n", TV_DROPPED, "not a field", "t.rec:1: ", 1 },
		{ "JobId: 1\n\nJobId: 1\n", TV_DROPPED, "job recorded twice", "t.rec:3: ", 1 },
		{ "JobId: 1\nStartTime: 5\nEndTime: 4\n\nJobId: 2\n", TV_DROPPED,
		  "end before start", "t.rec:1: ", 1 },
		{ "JobId: 1\nStartTime: nan\nEndTime: 4\n\nJobId: 2\n", TV_DROPPED, "bad time",
		  "StartTime 'nan'", 1 },
		{ "JobId: 1\nSubmitTime: soon\n", TV_REPAIRED, "field is not a number",
		  "SubmitTime 'soon'", 1 },
		{ "JobId: 1\nSubmitTime: 1e15\n", TV_REPAIRED, "field is not a number",
		  "SubmitTime '1e15'", 1 },
		{ "JobId: 1\n\nJobId: 2\nDependsOn: 1 1", TV_REPAIRED, "last record cut off",
		  "t.rec:4: ", 1 },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		struct tv_trace t;
		char line[600];

		load(&t, NULL, row[i].text);
		assert_true(t.diagnostics.n > 0);
		tv_diagnostic_line(line, sizeof line, &t.diagnostics.at[0]);
		if (t.ndamage != 1 || t.damage[0].kind != row[i].kind || t.damage[0].count != 1
		    || strcmp(t.damage[0].cause, row[i].cause) != 0
		    || strstr(line, row[i].place) == NULL || t.table[TV_TASKS].nrows != row[i].rows)
			fail_msg("damage %zu: %s", i, line);
		tv_trace_release(&t);
	}
}

/* Records of another kind: an error alone, a notice beside a trace. */
static void other_records(void **state)
{
	static const char text[] = "Type: push\nTime: 1.0\nJobId: 3\n\nSrc: 0\nDst: 1\n\n";
	struct tv_error err = { 0 };
	struct tv_trace t;

	(void)state;
	tv_trace_init(&t, NULL);
	assert_int_equal(read_text(&t, text, sizeof text - 1, &err), -1);
	assert_non_null(strstr(err.text, "no usable record"));
	tv_trace_release(&t);
	load(&t, "ResourceId,Value,Start,End\nCPU0,x,1,2\n", text);
	assert_int_equal(t.diagnostics.n, 1);
	assert_int_equal(t.table[TV_TASKS].nrows, 1);
	tv_trace_release(&t);
}

enum { MESSAGES = 60, MESSAGE_ROUNDS = 50, TEXT_SIZE = MESSAGES * 120, MS = 1000000 };

/* A row of links for message i. */
static void add_link(struct tv_trace *t, int i, int src, int dst, int tag, int64_t start)
{
	uint32_t row = tv_table_add_row(&t->table[TV_LINKS]);
	const char *const column[] = { "Type", "Key", "Origin", "Dest", "Tag" };
	char text[5][32] = { "MPI communication" };

	snprintf(text[1], sizeof text[1], "mpicom_%d", i);
	snprintf(text[2], sizeof text[2], "%d_mpict", src);
	snprintf(text[3], sizeof text[3], "%d_mpict", dst);
	snprintf(text[4], sizeof text[4], "%d", tag);
	for (int k = 0; k < 5; k++)
		tv_set_text(tv_trace_column(t, TV_LINKS, column[k]), row, text[k]);
	tv_set_int(tv_trace_column(t, TV_LINKS, "Start"), row, start);
	tv_set_int(tv_trace_column(t, TV_LINKS, "End"), row, start + MS);
}

/* Messages of which links and records each lack some: every record is joined with its own link,
 * which shows by the jobs, and keeps the link's times. */
static void random_messages(void **state)
{
	uint64_t seed = unit_seed(20261124);

	(void)state;
	for (int round = 0; round < MESSAGE_ROUNDS; round++) {
		static char text[TEXT_SIZE];
		int64_t start[MESSAGES], time = 0;
		bool linked[MESSAGES], recorded[MESSAGES];
		const struct tv_column *key, *job, *from, *depends;
		int nrecords = 0, nlinks = 0;
		struct tv_error err = { 0 };
		size_t n = 0;
		struct tv_trace t;

		tv_trace_init(&t, NULL);
		for (int i = 0; i < MESSAGES; i++) {
			int src = (int)unit_random(&seed, 3), dst = (int)unit_random(&seed, 3);
			int tag = (int)unit_random(&seed, 2);
			float single;

			time += 20000 + (int64_t)unit_random(&seed, 10 * MS);
			single = (float)((double)time / 1e6);
			start[i] = time;
			linked[i] = unit_random(&seed, 4) > 0;
			recorded[i] = i == 0 || unit_random(&seed, 4) > 0;
			nlinks += linked[i];
			nrecords += recorded[i];
			if (linked[i])
				add_link(&t, i, src, dst, tag, time);
			if (recorded[i])
				n += (size_t)snprintf(text + n, sizeof text - n,
						      "Src: %d\nDst: %d\nTag: %d\nSendTime: %.9f\n"
						      "RecvTime: %.9f\nSendJobId: 0_%d\n\n",
						      src, dst, tag, (double)single,
						      (double)single + 1, i);
		}
		tv_table_finish(&t.table[TV_LINKS]);
		assert_int_equal(read_text(&t, text, n, &err), 0);
		key = tv_table_find(&t.table[TV_LINKS], "Key");
		job = tv_table_find(&t.table[TV_LINKS], "OriginJob");
		from = tv_table_find(&t.table[TV_LINKS], "Start");
		depends = tv_table_find(&t.table[TV_TASKS], "DependsOn");
		assert_int_equal(t.table[TV_TASKS].nrows, nrecords);
		for (uint32_t row = 0; row < t.table[TV_LINKS].nrows; row++) {
			bool old = row < (uint32_t)nlinks;
			int k = tv_label(job, row) == TV_NONE
				      ? -1
				      : atoi(tv_pool_text(t.pool, tv_label(job, row)) + 2);
			int i = old ? atoi(tv_pool_text(t.pool, tv_label(key, row)) + 7) : k;

			if (!(i >= 0 && recorded[i] == (k == i) && linked[i] == old)
			    || llabs(from->i[row] - start[i]) > (old ? 0 : 200))
				fail_msg("link %u, %s: job %d", row,
					 tv_pool_text(t.pool, tv_label(key, row)), k);
			nrecords -= k == i;
		}
		assert_int_equal(nrecords, 0);
		for (uint32_t row = 0; row < t.table[TV_TASKS].nrows; row++) {
			uint32_t needs;

			tv_list(depends, row, &needs);
			assert_int_equal(needs, 1);
		}
		tv_trace_release(&t);
	}
}

static void hostile(void **state)
{
	static const char text[] = "# c\nName: x\nJobId: 0_1\nDependsOn: 0_2 0_3\nStartTime: "
				   "1.5\nEndTime: 2\nMPIRank: 0\n"
				   "WorkerId: 1\n\n%rec: T\n\nJobId: 7\n+ more\nTag: "
				   "2\\\n3\nMPIRank: 1\n\nHandle: 3\nSize: 4\n\n"
				   "Control: x\nJobId: 3\n\nSrc: 0\nDst: 1\nTag: 5\nSendTime: 1.5\n"
				   "RecvTime: 2\nSendJobId: 0_1\nRecvJobId: 1_7\nSize: 8\n\n";
	const size_t n = sizeof text - 1;
	uint64_t seed = unit_seed(11);

	(void)state;
	for (size_t i = 0; i < n + 3000; i++) {
		char *copy = tv_strndup(text, n);
		struct tv_error err = { 0 };
		struct tv_trace t;

		for (int k = 0; i >= n && k < 4; k++)
			copy[unit_random(&seed, n)] = ":+\n#%\\ \0\xff"
						      "9"[unit_random(&seed, 10)];
		tv_trace_init(&t, NULL);
		if (read_text(&t, copy, i < n ? i : n, &err) == 0 && t.table[TV_TASKS].nrows > 0)
			assert_non_null(tv_table_find(&t.table[TV_TASKS], "JobId"));
		tv_trace_release(&t);
		tv_free(copy);
	}
}

static void probe(void **state)
{
	static const struct {
		const char *head;
		int score;
	} row[] = {
		{ "Name: x\nModel: y\nJobId: 3\n", 80 },
		{ "# c\n\nHandle: 3\n", 80 },
		{ "%rec: Task\n", 80 },
		{ "Src: 0\nDst: 1\nTag: 2\nSendTime: 1.0\n", 80 },
		{ "Type: push\nTime: 1.0\nJobId: 3\n", 0 },
		{ "Foo: 0\nDst: 1\ncut off he", 40 },
		{ "", 0 },
		{ "%EventDef PajeSetState 1\n", 0 },
		{ "ResourceId,Value\nCPU0,x\n", 0 },
		{ "http://x\nno\n", 0 },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++)
		if (tv_recutils_reader.probe(row[i].head, strlen(row[i].head)) != row[i].score)
			fail_msg("row %zu: %d", i,
				 tv_recutils_reader.probe(row[i].head, strlen(row[i].head)));
}

/* One file of TiKKi with random records; returns its length. */
static size_t random_file(uint64_t *state, char *text, size_t size)
{
	uint64_t records = 1 + unit_random(state, 9), blank = unit_random(state, 2);
	size_t n = 0;

	for (uint64_t i = 0; i < records; i++) {
		uint64_t start = 1617551316135580078u + unit_random(state, 1000) * 1000003;
		uint64_t end = start + unit_random(state, 2000000);

		n += (size_t)snprintf(text + n, size - n, "%sName: k%d\nJobId: %d\n",
				      i > 0 ? "\n" : "", (int)unit_random(state, 4), (int)i);
		if (i == 0 || unit_random(state, 5) > 0)
			n += (size_t)snprintf(text + n, size - n,
					      "StartTime: %llu.%06llu\nEndTime: %llu.%06llu\n",
					      (unsigned long long)start / 1000000,
					      (unsigned long long)start % 1000000,
					      (unsigned long long)end / 1000000,
					      (unsigned long long)end % 1000000);
		if (unit_random(state, 2) > 0)
			n += (size_t)snprintf(text + n, size - n, "MemoryNode: %d\n",
					      (int)unit_random(state, 16));
		if (unit_random(state, 2) > 0)
			n += (size_t)snprintf(text + n, size - n,
					      "Handles: 0x7fa0 0x7fa%d\nModes: RW R\n",
					      (int)unit_random(state, 9));
		if (unit_random(state, 2) > 0)
			n += (size_t)snprintf(text + n, size - n, "DependsOn: %d 4074 x\n",
					      (int)unit_random(state, 9));
	}
	return n + (size_t)snprintf(text + n, size - n, "%s", blank ? "\n" : "");
}

/* What TiKKi writes is written as it was, whatever fields a record has and in any order of times. */
static void written_as_read(void **state)
{
	uint64_t seed = unit_seed(4307);

	(void)state;
	for (int i = 0; i < 300; i++) {
		char path[] = "/tmp/traceviz-rec.XXXXXX", text[4000], got[4000];
		size_t n = random_file(&seed, text, sizeof text);
		struct tv_diagnostics notes = { 0 };
		struct tv_error err = { 0 };
		struct tv_trace trace;
		ssize_t length;
		int fd = mkstemp(path);

		tv_trace_init(&trace, NULL);
		if (read_text(&trace, text, n, &err) < 0 || tv_trace_complete(&trace, &err) < 0
		    || tv_write_trace(&tv_rec_writer,
				      &(struct tv_export){ .trace = &trace, .notes = &notes }, path,
				      true, &err)
			       < 0)
			fail_msg("%s\n%s", err.text, text);
		close(fd);
		fd = open(path, O_RDONLY);
		length = read(fd, got, sizeof got - 1);
		assert_true(length >= 0);
		got[length] = '\0';
		assert_string_equal(got, text);
		assert_int_equal(notes.n, 0);
		close(fd);
		unlink(path);
		tv_trace_release(&trace);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(syntax),
		cmocka_unit_test(join),
		cmocka_unit_test(missing_executions),
		cmocka_unit_test(names_of_ours),
		cmocka_unit_test(ranks),
		cmocka_unit_test(data),
		cmocka_unit_test(damage),
		cmocka_unit_test(other_records),
		cmocka_unit_test(random_messages),
		cmocka_unit_test(written_as_read),
		cmocka_unit_test(hostile),
		cmocka_unit_test(probe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
