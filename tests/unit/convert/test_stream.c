/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_stream.c -- tables that are converted some rows at a time: the same bytes as at once, from CSV and from Parquet with
 * small and large groups of rows, to CSV, to Parquet and to a folder, with much memory and with little.
 */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <unistd.h>

#include "convert/formats.h"
#include "convert/parquet/parquet.h"
#include "convert/stream.h"
#include "trace/alloc.h"

enum { MANY = 5000, LITTLE = 6 << 20, OF_A_GROUP = 64 << 20 /* bytes */ };

static char folder[] = "/tmp/test_stream.XXXXXX";

static char *in_folder(const char *name)
{
	return tv_format("%s/%s", folder, name);
}

/* Rows with all types of cells, some missing, quoted or of several lines, and damaged ones. */
static void write_csv(const char *path, uint32_t rows, bool epoch)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs("ResourceId,Value,Start,End,JobId,DependsOn,Kind,Priority,GFlop,Note,Flag\n", f);
	for (uint32_t i = 0; i < rows; i++) {
		double start = (epoch ? 1.7e12 : -50) + i / 3;

		fprintf(f, "CPU%u,t%u,%.6f,%.6f,j%u,", (unsigned)(i % 5), (unsigned)(i * i % 7),
			start, start + i % 11 * 0.125, (unsigned)i);
		if (i % 3 == 1)
			fprintf(f, "j%u nowhere%u j%u", (unsigned)(i - 1), (unsigned)(i % 13),
				(unsigned)(i / 2));
		fprintf(f, ",%s,", i % 9 == 0 ? "setup" : i % 4 == 0 ? "" : "app");
		fprintf(f, i % 6 == 0 ? "NA," : "%d,", (int)(i % 40) - 20);
		fprintf(f, i % 8 == 0 ? "," : "%.17g,", i / 7.0);
		fputs(i % 10 == 0   ? "\"a, \"\"b\"\"\nc\","
		      : i % 10 == 1 ? "\"\","
		      : i % 10 == 2 ? ","
				    : "",
		      f);
		if (i % 10 > 2)
			fprintf(f, "text %u,", (unsigned)(i / 10));
		fputs(i % 100 == 5 ? "open\n\n" : "\n", f);
		if (i % 1000 == 500)
			fputs("CPU0,late,9,8,,,,,,,\nCPU0,not,nan,8,,,,,,,\n", f);
	}
	fputs("CPU9,never,,,g,,ghost,,,,\n", f);
	assert_int_equal(fclose(f), 0);
}

static char *bytes_of(const char *path, size_t *n)
{
	FILE *f = fopen(path, "rb");
	char *bytes;

	assert_non_null(f);
	assert_int_equal(fseek(f, 0, SEEK_END), 0);
	*n = (size_t)ftell(f);
	rewind(f);
	bytes = tv_alloc(*n, 1);
	assert_int_equal(fread(bytes, 1, *n, f), *n);
	fclose(f);
	return bytes;
}

static void assert_same_file(const char *a, const char *b)
{
	size_t na, nb;
	char *x = bytes_of(a, &na), *y = bytes_of(b, &nb);

	if (na != nb || memcmp(x, y, na) != 0)
		fail_msg("%s has not the bytes of %s", b, a);
	tv_free(x);
	tv_free(y);
}

/* What one conversion reads is written by the next. */
static void forget_inputs(void)
{
	struct tv_inputs inputs = { 0 };

	tv_output_exchange_inputs(&inputs);
	tv_free(inputs.at);
}

/* At once: CSV, or Parquet with groups of so many rows. */
static void convert(const char *from, const char *to, uint32_t rows)
{
	const struct tv_read_options options = { .as_read = true };
	struct tv_error err = { 0 };
	struct tv_trace trace;
	struct tv_output out;
	int rc;

	tv_trace_init(&trace, &options);
	if (tv_load(from, &trace, NULL, NULL, &err) < 0 || tv_output_open(&out, to, &err) < 0)
		fail_msg("%s", err.text);
	rc = rows > 0 ? tv_parquet_write_groups(&trace.table[TV_TASKS], "tasks", "input", rows,
						&out, &err)
		      : 0;
	if (rows == 0)
		tv_csv_write(&trace.table[TV_TASKS], NULL, 0, &out);
	if (rc < 0 || tv_output_commit(&out, &err) < 0)
		fail_msg("%s", err.text);
	tv_trace_release(&trace);
	forget_inputs();
}

/* The same some rows at a time. Returns how many damaged rows were dropped. */
static uint64_t stream(const char *from, const char *to, bool is_folder, bool parquet,
		       size_t memory)
{
	struct tv_stream_target target = { .path = to, .folder = is_folder, .parquet = parquet };
	struct tv_error err = { 0 };
	struct tv_trace trace;
	uint64_t dropped = 0;

	tv_trace_init(&trace, NULL);
	tv_memory_limit(memory > 0 ? tv_memory_used() + memory : 0);
	if (tv_stream(from, &target, &trace, NULL, NULL, &err) < 0)
		fail_msg("%s: %s", from, err.text);
	tv_memory_limit(0);
	for (size_t i = 0; i < trace.ndamage; i++)
		dropped += trace.damage[i].count;
	assert_int_equal(trace.table[TV_TASKS].nrows, 0);
	tv_trace_release(&trace);
	forget_inputs();
	return dropped;
}

static void check(uint32_t rows, bool epoch)
{
	static const uint32_t groups[] = { 1, 7, 1000, TV_PARQUET_GROUP };
	char *csv = in_folder("in.csv"), *whole = in_folder("whole.csv"),
	     *out = in_folder("out.csv");
	char *parquet = in_folder("whole.parquet"), *to = in_folder("out.parquet");
	char *in = in_folder("in.parquet"), *tasks = in_folder("tasks.parquet"),
	     *meta = in_folder("meta.parquet");

	write_csv(csv, rows, epoch);
	convert(csv, whole, 0);
	convert(csv, parquet, TV_PARQUET_GROUP);
	for (size_t little = 0; little <= LITTLE; little += LITTLE) {
		assert_int_equal(stream(csv, out, false, false, little), rows / 1000 * 2);
		assert_same_file(whole, out);
		stream(csv, folder, true, false, little);
		convert(tasks, out, 0);
		assert_same_file(whole, out);
		/* What was dropped is in meta. */
		assert_int_equal(access(meta, F_OK), rows >= 1000 ? 0 : -1);
		unlink(meta);
	}
	stream(csv, to, false, true, 0);
	assert_same_file(parquet, to);
	for (size_t i = 0; i < TV_COUNT(groups); i++) {
		/* A footer of many groups takes memory, as a large one does. */
		size_t little = groups[i] < 1000 ? 0 : groups[i] == 1000 ? LITTLE : OF_A_GROUP;

		if (rows > MANY && groups[i] < 1000)
			continue;
		convert(csv, in, groups[i]);
		assert_int_equal(stream(in, out, false, false, little), 0);
		assert_same_file(whole, out);
		stream(in, to, false, true, 0);
		assert_same_file(parquet, to);
		stream(in, folder, true, false, little);
		convert(tasks, out, 0);
		assert_same_file(whole, out);
	}
	tv_free(csv);
	tv_free(whole);
	tv_free(out);
	tv_free(parquet);
	tv_free(to);
	tv_free(in);
	tv_free(tasks);
	tv_free(meta);
}

static void test_same_bytes(void **state)
{
	(void)state;
	check(0, false);
	check(1, false);
	check(3000, true);
	check(20000, false);
	check(TV_PARQUET_GROUP - 1, false); /* the last row fills a group */
	check(TV_PARQUET_GROUP + 9, true);
}

/* Instants since 1970 are shifted by the first of all rows. */
static void test_shifted(void **state)
{
	char *unpack = tv_format("tar -C %s -xf tests/data/parquet/samples.tar.zst", folder);
	char *from = in_folder("types/duckdb-timestamp-ns.parquet"), *to = in_folder("none.csv");
	struct tv_stream_target target = { .path = to };
	struct tv_error err = { 0 };
	struct tv_trace trace;

	(void)state;
	assert_int_equal(system(unpack), 0);
	tv_trace_init(&trace, NULL);
	assert_int_equal(tv_stream(from, &target, &trace, NULL, NULL, &err), -1);
	assert_string_equal(err.text, "times since 1970 (TIMESTAMP) are shifted, which needs all "
				      "rows at once");
	assert_int_equal(access(to, F_OK), -1);
	tv_trace_release(&trace);
	tv_free(unpack);
	tv_free(from);
	tv_free(to);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_same_bytes),
					    cmocka_unit_test(test_shifted) };
	int rc;

	if (mkdtemp(folder) == NULL)
		return 1;
	rc = cmocka_run_group_tests(tests, NULL, NULL);
	if (rc == 0) {
		char *command = tv_format("rm -r %s", folder);

		rc = system(command);
		tv_free(command);
	}
	return rc;
}
