/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_complete.c -- what every trace goes through after reading, and the arrays that passes see.
 */
#include "tests/unit/unit.h"

#include <stdio.h>

#include "trace/tasks.h"

/* A foreign trace of executions: resource, type, start, end (ms), job. */
static void foreign(struct tv_trace *trace, const struct tv_read_options *options)
{
	static const struct {
		const char *resource, *value, *job;
		int64_t start, end;
	} row[] = {
		{ "CPU10", "dgemm", "3", 30, 40 },  { "CPU2", "dtrsm", "2", 20, 30 },
		{ "CUDA0", "dpotrf", "1", 10, 20 }, { "CPU2", "dplrnt", "0", 1, 5 },
		{ "CPU2", "dgemm", "4", 30, 35 },
	};

	tv_trace_init(trace, options);
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		uint32_t r = tv_table_add_row(&trace->table[TV_TASKS]);
		const char *text[] = { row[i].resource, row[i].value, row[i].job };
		const char *name[] = { "ResourceId", "Value", "JobId" };

		for (int k = 0; k < 3; k++)
			tv_set_string(tv_trace_column(trace, TV_TASKS, name[k]), r, text[k],
				      strlen(text[k]));
		tv_set_int(tv_trace_column(trace, TV_TASKS, "Start"), r, row[i].start * 1000000);
		tv_set_int(tv_trace_column(trace, TV_TASKS, "End"), r, row[i].end * 1000000);
	}
	for (int i = 0; i < 12; i++) { /* CPU0 .. CPU11, of which two run something */
		char name[8] = "CPU";
		uint32_t r = tv_table_add_row(&trace->table[TV_RESOURCES]);

		name[3] = (char)(i < 10 ? '0' + i : '1');
		name[4] = (char)(i < 10 ? '\0' : '0' + i - 10);
		tv_set_string(tv_trace_column(trace, TV_RESOURCES, "ResourceId"), r, name,
			      strlen(name));
		tv_set_string(tv_trace_column(trace, TV_RESOURCES, "ResourceType"), r, "CPU", 3);
	}
}

static const char *text_of(const struct tv_trace *trace, enum tv_table_id id, const char *column,
			   uint32_t row)
{
	const struct tv_column *c = tv_table_find(&trace->table[id], column);

	return tv_pool_text(trace->pool, tv_label(c, row));
}

static void foreign_traces(void **state)
{
	static const char *const value[] = { "dplrnt", "dpotrf", "dtrsm", "dgemm", "dgemm" };
	static const char *const resource[] = { "CPU2", "CUDA0", "CPU2", "CPU2", "CPU10" };
	struct tv_error err = { 0 };
	struct tv_trace trace;
	const struct tv_column *start;
	struct tv_tasks tasks;
	size_t n;

	(void)state;
	foreign(&trace, NULL);
	assert_int_equal(tv_trace_complete(&trace, &err), 0);
	start = tv_table_find(&trace.table[TV_TASKS], "Start");
	assert_int_equal(trace.table[TV_TASKS].nrows, 15); /* 5 executions, 10 idle workers */
	for (uint32_t i = 0; i < 5; i++) {
		assert_string_equal(text_of(&trace, TV_TASKS, "Value", i), value[i]);
		assert_string_equal(text_of(&trace, TV_TASKS, "ResourceId", i), resource[i]);
	}
	assert_int_equal(start->i[0], -9000000); /* setup lies before the first app task */
	assert_int_equal(start->i[1], 0);
	assert_memory_equal(tv_meta_get(&trace, "ClockOrigin", &n), "10.000000", 9);
	assert_string_equal(text_of(&trace, TV_TASKS, "Kind", 0), "setup");
	assert_string_equal(text_of(&trace, TV_TASKS, "Kind", 1), "app");
	assert_string_equal(text_of(&trace, TV_TASKS, "Kind", 5), "worker");
	assert_string_equal(text_of(&trace, TV_TASKS, "ResourceId", 5), "CPU0");
	assert_string_equal(text_of(&trace, TV_TASKS, "ResourceType", 1), "CUDA");
	assert_string_equal(text_of(&trace, TV_RESOURCES, "ResourceId", 12), "CUDA0");
	tv_tasks_init(&tasks, &trace, 1u << TV_APP);
	assert_int_equal(tasks.ncounted, 4);
	assert_int_equal(tasks.nworkers, 13);
	assert_int_equal(tasks.nrtypes, 2);
	assert_int_equal(tasks.rtype[0].nworkers, 12);
	assert_int_equal(tasks.finish - tasks.begin, 30000000);
	assert_true(tasks.workers_known);
	assert_string_equal(tv_pool_text(tasks.pool, tasks.workers[2].resource), "CPU2");
	tv_tasks_release(&tasks);
	tv_trace_release(&trace);
}

static void zero(void **state)
{
	static const struct {
		const char *zero;
		int64_t first;
	} row[] = { { "none", 1000000 }, { "first-task", -9000000 }, { "1ms", 0 } };
	struct tv_error err = { 0 };
	struct tv_trace trace;

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		foreign(&trace, &(struct tv_read_options){ .zero = row[i].zero });
		assert_int_equal(tv_trace_complete(&trace, &err), 0);
		assert_int_equal(tv_table_find(&trace.table[TV_TASKS], "Start")->i[0],
				 row[i].first);
		tv_trace_release(&trace);
	}
	foreign(&trace, &(struct tv_read_options){ .zero = "noon" });
	assert_int_equal(tv_trace_complete(&trace, &err), -1);
	assert_int_equal(err.status, TV_USAGE);
	tv_trace_release(&trace);
}

static void native_traces_stay_as_they_are(void **state)
{
	struct tv_trace trace;
	struct tv_tasks tasks;

	(void)state;
	unit_trace(&trace, NULL, "ResourceId,Value,Start,End\nCPU1,b,7,9\n1_CUDA0_0,a,5,6\n");
	assert_int_equal(trace.table[TV_TASKS].nrows, 2);
	assert_int_equal(tv_table_find(&trace.table[TV_TASKS], "Start")->i[0], 7000000);
	assert_true(tv_table_find(&trace.table[TV_TASKS], "Kind")->derived);
	assert_string_equal(text_of(&trace, TV_TASKS, "Node", 1), "1");
	assert_string_equal(text_of(&trace, TV_TASKS, "ResourceType", 1), "CUDA");
	tv_tasks_init(&tasks, &trace, 1u << TV_APP);
	assert_false(tasks.workers_known);
	assert_int_equal(tasks.nnodes, 2);
	tv_tasks_release(&tasks);
	tv_trace_release(&trace);
}

static void resource_names(void **state)
{
	static const struct {
		const char *name, *node, *type;
	} row[] = { { "CPU0", "0", "CPU" },	    { "0_CPU12", "0", "CPU" },
		    { "12_CUDA0_1", "12", "CUDA" }, { "MEMMANAGER3", "0", "MEMMANAGER" },
		    { "1_mpict", "1", "mpict" },    { "rank-3", "0", "rank" },
		    { "thread 3", "0", "thread" },  { "7", "0", "worker" },
		    { "g1", "0", "worker" },	    { "2_A", "2", "worker" },
		    { "", "0", "worker" },	    { "MPI_MS0", "0", "MPI_MS" } };

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		struct tv_resource_words is = tv_resource_words(row[i].name);

		if (is.node_length != strlen(row[i].node) || is.type_length != strlen(row[i].type)
		    || memcmp(is.node, row[i].node, is.node_length) != 0
		    || memcmp(is.type, row[i].type, is.type_length) != 0)
			fail_msg("'%s': node '%.*s', type '%.*s'", row[i].name, (int)is.node_length,
				 is.node, (int)is.type_length, is.type);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(foreign_traces),
		cmocka_unit_test(zero),
		cmocka_unit_test(native_traces_stay_as_they_are),
		cmocka_unit_test(resource_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
