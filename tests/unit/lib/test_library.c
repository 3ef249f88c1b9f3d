/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_library.c -- what include/traceviz promises: errors, results, columns, Arrow, memory. */
#include "tests/unit/unit.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "include/traceviz/arrow.h"
#include "include/traceviz/trace.h"
#include "lib/guard.h"

#define WORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })

static char path[] = "/tmp/traceviz-library.XXXXXX.csv";

/* A trace with missing cells, an empty text, a list, bytes that are not UTF-8. */
static int write_sample(void)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs("JobId,ResourceId,Value,Start,End,DependsOn,Priority,GFlop,Note\n"
	      "1,CPU0,a,0,1.5,,7,0.5,x\n"
	      "2,CPU1,b,2,4,1,,,\"\"\n"
	      "3,CPU0,a,4,5,1 2,-3,1e300,\xff\n",
	      file);
	return fclose(file);
}

static int set_up(void **state)
{
	int fd = mkstemps(path, 4);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	return write_sample();
}

static int tear_down(void **state)
{
	(void)state;
	return unlink(path);
}

static traceviz_trace *open_sample(void)
{
	traceviz_error *error = NULL;
	traceviz_trace *trace = traceviz_open(WORDS(path), &error);

	if (error != NULL)
		print_error("%s\n", traceviz_error_text(error));
	assert_non_null(trace);
	return trace;
}

static traceviz_result *run(traceviz_trace *trace, const char *verb, const char *const *words)
{
	traceviz_error *error = NULL;
	traceviz_result *result = traceviz_run(trace, verb, words, &error);

	if (error != NULL)
		print_error("%s\n", traceviz_error_text(error));
	assert_non_null(result);
	return result;
}

static void fails(traceviz_trace *trace, const char *verb, const char *const *words,
		  enum traceviz_status status, const char *text)
{
	traceviz_error *error = NULL;

	assert_null(traceviz_run(trace, verb, words, &error));
	assert_non_null(error);
	if (strstr(traceviz_error_text(error), text) == NULL)
		fail_msg("'%s' instead of '%s'", traceviz_error_text(error), text);
	assert_int_equal(traceviz_error_status(error), status);
	traceviz_error_free(error);
	assert_null(traceviz_run(trace, verb, words, NULL));
}

static size_t find(const traceviz_result *result, const char *name)
{
	int column = traceviz_find(result, name);

	assert_in_range(column, 0, traceviz_columns(result) - 1);
	return (size_t)column;
}

/* ---- errors ---- */

static void test_errors(void **state)
{
	traceviz_error *error = NULL;
	traceviz_trace *trace = open_sample();

	(void)state;
	assert_null(traceviz_open(WORDS("/none/such"), &error));
	assert_string_equal(traceviz_error_text(error),
			    "/none/such: cannot open: No such file or directory");
	assert_int_equal(traceviz_error_status(error), TRACEVIZ_FAILED);
	traceviz_error_free(error);
	assert_null(traceviz_open(WORDS("/none/such"), NULL));
	assert_null(traceviz_open(WORDS("a=/none/such", "b=/none/such"), NULL));
	assert_null(traceviz_open(WORDS("--where", "Start > 2", path), &error));
	assert_string_equal(traceviz_error_text(error),
			    "--where: expected options of reading here, others of a verb with it");
	assert_int_equal(traceviz_error_status(error), TRACEVIZ_USAGE);
	traceviz_error_free(error);
	fails(trace, "sumary", NULL, TRACEVIZ_USAGE,
	      "there is no verb 'sumary' (did you mean 'summary'?)");
	fails(trace, "summary", WORDS("--by", "Nope"), TRACEVIZ_FAILED, "no column 'Nope'");
	fails(trace, "summary", WORDS("--bye", "Value"), TRACEVIZ_USAGE, "--bye");
	fails(NULL, "summary", NULL, TRACEVIZ_USAGE, "no trace named");
	fails(NULL, "summary", WORDS("-"), TRACEVIZ_USAGE, "standard input");
	fails(NULL, "sql", WORDS("SELECT * FROM input"), TRACEVIZ_FAILED, "standard input");
	fails(trace, "record", NULL, TRACEVIZ_USAGE, "record runs a program");
	fails(trace, "summary", WORDS("--timings"), TRACEVIZ_USAGE, "--timings");
	fails(trace, "plot", WORDS("-o", path), TRACEVIZ_USAGE, "is also an input");
	traceviz_error_free(NULL);
	traceviz_close(trace);
	traceviz_close(NULL);
}

static void test_plot(void **state)
{
	traceviz_trace *trace = open_sample();
	traceviz_error *error = NULL;
	char picture[sizeof path + 4];

	(void)state;
	snprintf(picture, sizeof picture, "%s.svg", path);
	assert_int_equal(traceviz_plot(trace, picture, WORDS("--title", "here"), NULL), 0);
	assert_int_equal(unlink(picture), 0);
	assert_int_equal(traceviz_plot(trace, "/none/such.svg", NULL, &error), -1);
	assert_non_null(strstr(traceviz_error_text(error), "/none/such.svg"));
	traceviz_error_free(error);
	traceviz_close(trace);
}

/* ---- results ---- */

static void test_columns(void **state)
{
	traceviz_trace *trace = open_sample();
	traceviz_result *tasks = run(trace, "deps", NULL);
	size_t value = find(tasks, "Value"), note = find(tasks, "Note"),
	       depends = find(tasks, "DependsOn"), n;

	(void)state;
	traceviz_close(trace); /* the result does not need it */
	assert_int_equal(traceviz_rows(tasks), 3);
	assert_int_equal(traceviz_find(tasks, "Nope"), -1);
	assert_string_equal(traceviz_column_name(tasks, value), "Value");
	assert_int_equal(traceviz_column_type(tasks, value), TRACEVIZ_LABEL);
	assert_int_equal(traceviz_label_count(tasks, value), 2);
	assert_string_equal(traceviz_label_text(tasks, value, 1, &n), "b");
	assert_int_equal(n, 1);
	assert_int_equal(traceviz_labels(tasks, value)[2], 0);
	assert_null(traceviz_ints(tasks, value));
	assert_null(traceviz_valid(tasks, value));
	assert_int_equal(traceviz_ints(tasks, find(tasks, "End"))[0], 1500000);
	assert_string_equal(traceviz_column_unit(tasks, find(tasks, "End")), "ns");
	assert_string_not_equal(traceviz_column_meaning(tasks, find(tasks, "End")), "");
	assert_int_equal(traceviz_ints(tasks, find(tasks, "Priority"))[2], -3);
	assert_int_equal(traceviz_valid(tasks, find(tasks, "Priority"))[0], 5);
	assert_true(traceviz_doubles(tasks, find(tasks, "GFlop"))[2] == 1e300);
	assert_int_equal(traceviz_column_type(tasks, note), TRACEVIZ_TEXT);
	assert_memory_equal(traceviz_bytes(tasks, note), "x\xff", 2);
	assert_int_equal(traceviz_offsets(tasks, note)[2], 1);
	assert_int_equal(traceviz_column_type(tasks, depends), TRACEVIZ_LIST);
	assert_int_equal(traceviz_offsets(tasks, depends)[3], 3);
	assert_string_equal(traceviz_label_text(tasks, depends,
						(size_t)traceviz_labels(tasks, depends)[2], NULL),
			    "2");
	traceviz_free(tasks);
	traceviz_free(NULL);
}

static void test_text(void **state)
{
	traceviz_trace *trace = open_sample();
	traceviz_result *result = run(trace, "diagnose", NULL);
	size_t n;

	(void)state;
	assert_true(traceviz_rows(result) > 0);
	assert_non_null(strstr(traceviz_text(result, &n), "The run took 5.000 ms"));
	assert_int_equal(strlen(traceviz_text(result, NULL)), n);
	traceviz_free(result);
	result = run(trace, "convert", WORDS("-o", "-"));
	assert_int_equal(traceviz_columns(result), 0);
	assert_int_equal(traceviz_rows(result), 0);
	assert_int_equal(strncmp(traceviz_text(result, NULL), "JobId,ResourceId", 16), 0);
	traceviz_free(result);
	result = run(trace, "summary", NULL);
	assert_string_equal(traceviz_text(result, NULL), "");
	traceviz_free(result);
	result = run(NULL, "help", WORDS("--json"));
	assert_int_equal(traceviz_text(result, NULL)[0], '{');
	traceviz_free(result);
	traceviz_close(trace);
}

/* A verdict is a result; messages are not printed. */
static void test_verdicts_and_messages(void **state)
{
	traceviz_trace *trace = open_sample();
	traceviz_result *result = run(trace, "diagnose", WORDS("--fail-if", "Time > 0"));
	size_t n = 0;

	(void)state;
	while (traceviz_message(result, n) != NULL)
		n++;
	assert_int_equal(traceviz_verdict(result), TRACEVIZ_NEGATIVE);
	assert_non_null(strstr(traceviz_message(result, n - 1), "it holds for"));
	assert_true(traceviz_rows(result) > 0);
	traceviz_free(result);
	result = run(trace, "summary", WORDS("--only", "nothing"));
	assert_int_equal(traceviz_verdict(result), TRACEVIZ_OK);
	assert_non_null(traceviz_message(result, 0));
	assert_int_equal(traceviz_rows(result), 0);
	traceviz_free(result);
	traceviz_close(trace);
}

/* Options of reading with a verb read the trace anew, and others do not change what the next one sees. */
static void test_one_reading(void **state)
{
	traceviz_trace *trace = open_sample();
	traceviz_result *result = run(trace, "summary", WORDS("--restrict", "Value == 'a'"));

	(void)state;
	assert_int_equal(traceviz_rows(result), 1);
	traceviz_free(result);
	result = run(trace, "idle-causes", WORDS("--end", "3"));
	traceviz_free(result);
	assert_int_equal(truncate(path, 0), 0); /* what is read is in memory */
	result = run(trace, "summary", NULL);
	assert_int_equal(traceviz_rows(result), 2);
	traceviz_free(result);
	result = run(trace, "sql", WORDS("SELECT count(*) AS N FROM tasks"));
	assert_int_equal(traceviz_ints(result, 0)[0], 3);
	traceviz_free(result);
	traceviz_close(trace);
	assert_int_equal(write_sample(), 0);
}

/* ---- Arrow ---- */

static void check_metadata(const struct ArrowSchema *schema, const char *unit)
{
	int32_t number[2];

	memcpy(number, schema->metadata, sizeof number);
	assert_int_equal(number[0], 2);
	assert_int_equal(number[1], 4);
	assert_memory_equal(schema->metadata + 8, "unit", 4);
	memcpy(number, schema->metadata + 12, sizeof *number);
	assert_int_equal(number[0], strlen(unit));
	assert_memory_equal(schema->metadata + 16, unit, strlen(unit));
}

static void test_arrow(void **state)
{
	traceviz_trace *trace = open_sample();
	traceviz_result *result = run(trace, "deps", NULL);
	size_t end = find(result, "End"), value = find(result, "Value"),
	       note = find(result, "Note"), depends = find(result, "DependsOn"),
	       priority = find(result, "Priority");
	const int64_t *ends = traceviz_ints(result, end);
	struct ArrowSchema schema;
	struct ArrowArray array, moved;

	(void)state;
	assert_int_equal(traceviz_export_arrow(result, &schema, &array), 0);
	assert_int_equal(array.n_children, traceviz_columns(result));
	traceviz_free(result);
	traceviz_close(trace);
	assert_string_equal(schema.format, "+s");
	assert_int_equal(array.length, 3);
	assert_int_equal(array.n_buffers, 1);
	assert_string_equal(schema.children[end]->format, "tDn");
	check_metadata(schema.children[end], "ns");
	assert_ptr_equal(array.children[end]->buffers[1], ends);
	assert_string_equal(schema.children[value]->format, "i");
	assert_string_equal(schema.children[value]->dictionary->format, "U");
	assert_int_equal(array.children[value]->dictionary->length, 2);
	assert_string_equal(schema.children[note]->format, "Z");
	assert_int_equal(array.children[note]->n_buffers, 3);
	assert_string_equal(schema.children[depends]->format, "+L");
	assert_int_equal(array.children[depends]->children[0]->length, 3);
	assert_int_equal(array.children[priority]->null_count, 1);
	/* A child that is moved away lives on. */
	moved = *array.children[end];
	array.children[end]->release = NULL;
	array.release(&array);
	schema.release(&schema);
	assert_null(array.release);
	assert_null(schema.release);
	assert_int_equal(((const int64_t *)moved.buffers[1])[0], 1500000);
	moved.release(&moved);
	result = run(NULL, "help", NULL);
	assert_int_equal(traceviz_export_arrow(result, &schema, &array), -1);
	traceviz_free(result);
}

/* ---- what would end the command ---- */

static void exhaust(void *context)
{
	(void)context;
	tv_memory_purpose("testing");
	(void)tv_alloc(SIZE_MAX / 4, 1);
}

static void meet_bug(void *context)
{
	(void)context;
	tv_bug("%d is odd", 2);
}

static void test_guard(void **state)
{
	struct tv_error err = { 0 };
	traceviz_trace *trace;
	traceviz_error *error = NULL;

	(void)state;
	assert_false(tv_guard(exhaust, NULL, &err));
	assert_int_equal(strncmp(err.text, "out of memory while testing: ", 29), 0);
	assert_false(tv_guard(meet_bug, NULL, &err));
	assert_string_equal(err.text, "internal error: 2 is odd");
	assert_null(traceviz_open(WORDS("--max-memory", "1K", path), &error));
	assert_non_null(strstr(traceviz_error_text(error), "max-memory"));
	traceviz_error_free(error);
	/* The limit is that of one call. */
	trace = open_sample();
	traceviz_free(run(trace, "summary", NULL));
	traceviz_close(trace);
}

static void *use_thread(void *context)
{
	for (int i = 0; i < 20; i++) {
		traceviz_result *result = traceviz_run(context, "idle-causes", NULL, NULL);

		if (result == NULL)
			return context;
		traceviz_free(result);
	}
	return NULL;
}

static void test_threads(void **state)
{
	traceviz_trace *trace = open_sample();
	pthread_t thread[4];

	(void)state;
	for (size_t i = 0; i < TV_COUNT(thread); i++)
		assert_int_equal(pthread_create(&thread[i], NULL, use_thread, trace), 0);
	for (size_t i = 0; i < TV_COUNT(thread); i++) {
		void *failed;

		pthread_join(thread[i], &failed);
		assert_null(failed);
	}
	traceviz_close(trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_errors),	    cmocka_unit_test(test_plot),
		cmocka_unit_test(test_columns),	    cmocka_unit_test(test_text),
		cmocka_unit_test(test_one_reading), cmocka_unit_test(test_verdicts_and_messages),
		cmocka_unit_test(test_arrow),	    cmocka_unit_test(test_guard),
		cmocka_unit_test(test_threads),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
