/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_csv.c -- CSV in and out: quoting, missing values, damage with its place, a table of random
 * cells. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <unistd.h>

#include "trace/alloc.h"

#define HEADER "ResourceId,Value,Start,End,JobId,Note\n"

/* Reads csv as a tasks table: 0, or -1 with *err. */
static int read_tasks(struct tv_trace *trace, const char *csv, size_t n, struct tv_error *err)
{
	struct tv_input in;
	int rc;

	tv_trace_init(trace, NULL);
	tv_input_memory(&in, "t.csv", csv, n);
	rc = tv_csv_read(&in, trace, TV_TASKS, err);
	tv_input_close(&in);
	return rc;
}

/* Writes a table and gives the text back. */
static char *written(const struct tv_table *table)
{
	char path[] = "/tmp/traceviz-unit.XXXXXX", *text;
	struct tv_error err = { 0 };
	struct tv_output out;
	FILE *file;
	long n;

	close(mkstemp(path));
	assert_int_equal(tv_output_open(&out, path, &err), 0);
	tv_csv_write(table, NULL, 0, &out);
	assert_int_equal(tv_output_commit(&out, &err), 0);
	file = fopen(path, "rb");
	assert_non_null(file);
	fseek(file, 0, SEEK_END);
	n = ftell(file);
	rewind(file);
	text = calloc(1, (size_t)n + 1);
	assert_int_equal(fread(text, 1, (size_t)n, file), n);
	fclose(file);
	unlink(path);
	return text;
}

static void kept_as_it_was(void **state)
{
	static const struct {
		const char *in, *out;
	} row[] = {
		{ HEADER "CPU0,a,0.000000,1.500000,1,x\n", NULL },
		{ HEADER "CPU0,a,0.000000,1.500000,1,\"x, \"\"y\"\"\nz\"\n", NULL },
		{ HEADER "CPU0,a,0.000000,1.500000,,\n", NULL },
		{ HEADER "CPU0,a,0.000000,1.500000,\"\",\"\"\n", NULL },
		{ HEADER "CPU0, a ,0.000000,1.500000,1, x \n", NULL },
		{ HEADER "CPU0,a,0.000000,1.500000,NA,NA\n", NULL },
		{ "\xef\xbb\xbf" HEADER "CPU0,a,0,1.5,1,x\r\n",
		  HEADER "CPU0,a,0.000000,1.500000,1,x\n" },
		{ HEADER "\nCPU0,a,0,1.5,1,x", HEADER "CPU0,a,0.000000,1.500000,1,x\n" },
		{ HEADER "CPU0,a,1e+05,100000.5,1,\"x\"\n",
		  HEADER "CPU0,a,100000.000000,100000.500000,1,x\n" },
		{ "Value,End,Start,ResourceId,DependsOn\na,1.000000,0.000000,CPU0,1 2 1\n", NULL },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		struct tv_error err = { 0 };
		struct tv_trace trace;
		char *text;

		if (read_tasks(&trace, row[i].in, strlen(row[i].in), &err) < 0)
			fail_msg("row %zu: line %ld: %s", i, err.line, err.text);
		text = written(&trace.table[TV_TASKS]);
		assert_string_equal(text, row[i].out != NULL ? row[i].out : row[i].in);
		free(text);
		tv_trace_release(&trace);
	}
}

static void refused_with_its_place(void **state)
{
	static const struct {
		const char *in;
		long line;
		const char *text;
	} row[] = {
		{ "", 0, "no header line, expected the columns of tasks" },
		{ "ResourceId,Value,Start\n", 1,
		  "the header of tasks has no column End; it has: ResourceId, Value, Start" },
		{ "Value,Start,End,Value\n", 1, "column 'Value' occurs twice in the header" },
		{ "Foo\nCPU0\n", 1,
		  "the header of tasks has no columns ResourceId, Value, Start, End; it has: Foo; "
		  "--map says which of these they are (traceviz help map)" },
		{ HEADER "CPU0,a,0,1,1\n", 2, "5 fields, expected 6 as in the header" },
		{ HEADER "CPU0,a,0,1,1,x,y\n", 2, "7 fields, expected 6 as in the header" },
		{ HEADER "CPU0,a,0,1,1,\"1\n2\n3\"\nCPU0,a,x,1,1,x\n", 5,
		  "column Start is 'x', expected a time in milliseconds" },
		{ HEADER "\r\n\r\nCPU0,a,0,1,1,x\r\nCPU0,a,0,99999999999999999,1,x\r\n", 5,
		  "column End is '99999999999999999', which is out of range for a time in "
		  "milliseconds" },
		{ HEADER "CPU0,a,0,,1,x\n", 2, "Start without End, expected both or neither" },
		{ HEADER ",a,0,1,1,x\n", 2, "a task without ResourceId" },
		{ HEADER "CPU0,a,0,1,1,\"a\nb\"c\n", 3,
		  "malformed CSV: a quote inside a field, expected \"...\" "
		  "around it and \"\" for a quote" },
		{ HEADER "CPU0,a,0,1,1,x\nCPU0,a,0,1,1,\"a\nb\n", 3,
		  "malformed CSV: the file ends inside quotes that open in this row" },
		{ "ResourceId,Value,Start,End,Kind\nCPU0,a,0,1,app\nCPU0,a,0,1,job\n", 3,
		  "Kind is 'job', expected app, setup, runtime, ghost, message, pending or "
		  "worker" },
		{ "ResourceId,Value,Start,End,Priority\nCPU0,a,0,1,1.5\n", 2,
		  "column Priority is '1.5', expected a whole number" },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		struct tv_error err = { 0 };
		struct tv_trace trace;

		if (read_tasks(&trace, row[i].in, strlen(row[i].in), &err) == 0)
			fail_msg("row %zu was accepted", i);
		if (err.line != row[i].line || strcmp(err.text, row[i].text) != 0)
			fail_msg("row %zu: line %ld: %s", i, err.line, err.text);
		tv_trace_release(&trace);
	}
}

static void contradictions_are_skipped(void **state)
{
	static const char csv[] =
		"ResourceId,Value,Start,End,Duration\nCPU0,a,0,1,1\nCPU0,a,3,2,1\n"
		"CPU0,a,NaN,2,1\nCPU0,a,3,4,-1\nCPU0,a,NA,NA,NA\n";
	struct tv_error err = { 0 };
	struct tv_trace trace;
	char line[200];

	(void)state;
	assert_int_equal(read_tasks(&trace, csv, strlen(csv), &err), 0);
	assert_int_equal(trace.table[TV_TASKS].nrows, 2);
	assert_int_equal(trace.ndamage, 3);
	assert_string_equal(tv_diagnostic_line(line, sizeof line, &trace.diagnostics.at[0]),
			    "t.csv:3: end before start: row of tasks skipped (1 record skipped)");
	assert_string_equal(trace.damage[1].cause, "time is NaN");
	assert_string_equal(trace.damage[2].cause, "negative duration");
	tv_trace_release(&trace);
}

/* Random cells of every type through a file and back, against the values that were put in. */
static void random_tables(void **state)
{
	static const char alphabet[] = "ab,\"\n\r ;\xc3\xa9";
	uint64_t seed = unit_seed(42);

	(void)state;
	for (int round = 0; round < 300; round++) {
		struct tv_error err = { 0 };
		struct tv_trace trace, back;
		struct tv_table *tasks;
		struct tv_column *c[6];
		char *first, *second;
		uint32_t n = (uint32_t)unit_random(&seed, 20) + 1;

		tv_trace_init(&trace, NULL);
		tasks = &trace.table[TV_TASKS];
		c[0] = tv_trace_column(&trace, TV_TASKS, "ResourceId");
		c[1] = tv_trace_column(&trace, TV_TASKS, "Value");
		c[2] = tv_trace_column(&trace, TV_TASKS, "Start");
		c[3] = tv_trace_column(&trace, TV_TASKS, "End");
		c[4] = tv_trace_column(&trace, TV_TASKS, "Note");
		c[5] = tv_trace_column(&trace, TV_TASKS, "Iteration");
		for (uint32_t row = 0; row < n; row++) {
			int64_t start = (int64_t)unit_random(&seed, 1000000000) - 500000000;

			assert_int_equal(tv_table_add_row(tasks), row);
			tv_set_string(c[0], row, "CPU0", 4);
			tv_set_int(c[2], row, start);
			tv_set_int(c[3], row, start + (int64_t)unit_random(&seed, 9));
			for (int k = 1; k <= 4; k += 3) {
				char text[8];
				size_t length = unit_random(&seed, sizeof text);

				for (size_t i = 0; i < length; i++)
					text[i] = alphabet[unit_random(&seed, sizeof alphabet - 1)];
				if (unit_random(&seed, 3) > 0)
					tv_set_string(c[k], row, text, length);
			}
			if (unit_random(&seed, 2) > 0)
				tv_set_int(c[5], row, (int64_t)row - 3);
		}
		tv_table_finish(tasks);
		first = written(tasks);
		if (read_tasks(&back, first, strlen(first), &err) < 0)
			fail_msg("round %d: line %ld: %s", round, err.line, err.text);
		assert_int_equal(back.table[TV_TASKS].nrows, n);
		second = written(&back.table[TV_TASKS]);
		assert_string_equal(first, second);
		for (uint32_t row = 0; row < n; row++)
			for (int k = 0; k < 6; k++) {
				const struct tv_column *d = tv_table_at(&back.table[TV_TASKS],
									(size_t)k);
				const char *a, *b;
				size_t na, nb;

				assert_int_equal(tv_missing(c[k], row), tv_missing(d, row));
				if (k >= 2 && k != 4) {
					assert_true(tv_missing(d, row)
						    || c[k]->i[row] == d->i[row]);
					continue;
				}
				a = tv_string(c[k], row, &na);
				b = tv_string(d, row, &nb);
				assert_int_equal(na, nb);
				assert_memory_equal(a, b, na);
			}
		free(first);
		free(second);
		tv_trace_release(&trace);
		tv_trace_release(&back);
	}
}

/* A million rows of a usual tasks table in under 200 bytes each. */
/* Whether a field needs quotes is looked for in 16 bytes at once: each byte at each place of texts
 * and lists, and the bytes behind a text do not matter. */
static void quotes_where_needed(void **state)
{
	struct tv_trace trace;
	struct tv_column *text, *list;
	char want[300], *got;
	uint32_t row;

	(void)state;
	for (size_t n = 1; n < 40; n++)
		for (size_t at = 0; at < n; at++) {
			char s[64], field[128], special = ",\"\n\rx;"[(n + at) % 6];
			bool quote = special != 'x' && special != ';';
			const char *q = quote ? "\"" : "";
			uint32_t label;

			memset(s, 'a', sizeof s);
			s[at] = special;
			s[n] = ',';
			snprintf(field, sizeof field, "%s%.*s%s%.*s%s", q, (int)at + 1, s,
				 special == '"' ? "\"" : "", (int)(n - at - 1), s + at + 1, q);
			tv_trace_init(&trace, NULL);
			text = tv_table_column(&trace.table[TV_TASKS], "Text", TV_TEXT, NULL);
			list = tv_table_column(&trace.table[TV_TASKS], "List", TV_LIST, NULL);
			row = tv_table_add_row(&trace.table[TV_TASKS]);
			tv_set_string(text, row, s, n);
			label = tv_intern(trace.pool, s, n);
			tv_set_list(list, row, &label, 1);
			tv_table_finish(&trace.table[TV_TASKS]);
			snprintf(want, sizeof want, "Text,List\n%s,%s\n", field, field);
			got = written(&trace.table[TV_TASKS]);
			assert_string_equal(got, want);
			free(got);
			tv_trace_release(&trace);
		}
}

static void memory_per_row(void **state)
{
	enum { N = 1000000 };
	struct tv_error err = { 0 };
	struct tv_trace trace;
	size_t before = tv_memory_used(), cap = (size_t)N * 160, n;
	char *csv = malloc(cap);

	(void)state;
	n = (size_t)snprintf(
		csv, cap,
		"ResourceId,Value,Start,End,Duration,JobId,Kind,Node,ResourceType,DependsOn,"
		"SubmitTime,SubmitOrder,Priority,Iteration,X,Y,Tag,Footprint,Params,GFlop\n");
	for (int i = 0; i < N; i++)
		n += (size_t)snprintf(csv + n, cap - n,
				      "CPU%d,gemm,%d.25,%d.75,0.5,%d,app,0,CPU,%d %d %d,0.5,%d,3,"
				      "%d,%d,%d,%x,abcdef,M960,1.77\n",
				      i % 25, i, i, i, i - 1, i - 2, i - 3, i, i / 1000, i % 60,
				      i % 59, i);
	if (read_tasks(&trace, csv, n, &err) < 0)
		fail_msg("line %ld: %s", err.line, err.text);
	assert_int_equal(trace.table[TV_TASKS].nrows, N);
	assert_true(tv_memory_used() - before < (size_t)200 * N);
	tv_trace_release(&trace);
	assert_int_equal(tv_memory_used(), before);
	free(csv);
}

/* Short labels are kept as they are written: of every length, more than are kept, in turn and again. */
static void labels_again(void **state)
{
	struct tv_pool *pool = tv_pool_new();
	struct tv_error err = { 0 };
	struct tv_table table;
	struct tv_column *column;
	struct tv_output expected;
	char *text;

	(void)state;
	tv_table_init(&table, pool);
	column = tv_table_column(&table, "Value", TV_LABEL, &err);
	tv_output_memory(&expected);
	tv_output_text(&expected, "Value\n");
	for (uint32_t i = 0; i < 3000; i++) {
		uint32_t number = i % 4 < 3 ? i / 4 % 700 : i / 5 % 700;
		char *label = tv_format("%.*s%u", (int)(number % 45),
					"abcdefghijklmnopqrstuvwxyz012345678901234567890", number);
		size_t n = strlen(label);

		if (number % 7 == 3)
			label[n / 2] = number % 2 ? ',' : '"';
		n -= number % 50 == 0 ? n : 0;
		tv_set_string(column, tv_table_add_row(&table), label, n);
		tv_csv_field(&expected, label, n);
		tv_output_text(&expected, "\n");
		tv_free(label);
	}
	tv_table_finish(&table);
	text = written(&table);
	assert_int_equal(strlen(text), expected.n);
	assert_memory_equal(text, expected.buffer, expected.n);
	free(text);
	tv_output_abort(&expected);
	tv_table_release(&table);
	tv_pool_free(pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kept_as_it_was),
		cmocka_unit_test(refused_with_its_place),
		cmocka_unit_test(contradictions_are_skipped),
		cmocka_unit_test(random_tables),
		cmocka_unit_test(quotes_where_needed),
		cmocka_unit_test(labels_again),
		cmocka_unit_test(memory_per_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
