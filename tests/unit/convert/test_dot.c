/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_dot.c -- the DOT reader: recognition, every place where a file may end, random bytes. */
#include "tests/unit/unit.h"

#include <stdio.h>

static const char sample[] = "// a comment\n/* another */ strict digraph \"g\" "
			     "{\n\tClockOrigin=\"1.5\"; node [shape=box, Value=v]\n"
			     "\ta:p:n -> { b; subgraph x { c [cost=3.5, Start=1 End=2 "
			     "ResourceId=CPU0] } } -> \"d\\\"e\" + \"f\" [w=1]\n"
			     "# a line\n\t\"g h\" [label=<<b>x</b> &amp; y<br/>>, \"Node\"=\"0\", "
			     "DependsOn=\"a zz\"]; -1.5 -> .25\n}\n";

static int read_text(struct tv_trace *trace, const char *text, size_t n, struct tv_error *err)
{
	struct tv_input in;
	void *state;
	int rc;

	tv_input_memory(&in, "t.dot", text, n);
	state = tv_dot_reader.begin(trace);
	rc = tv_dot_reader.read(state, &in, err);
	if (rc == 0)
		rc = tv_dot_reader.finish(state, err);
	tv_dot_reader.free(state);
	tv_input_close(&in);
	return rc == 0 ? tv_trace_complete(trace, err) : rc;
}

/* A file that ends anywhere within the graph is used up to there, and that is counted. */
static void cut_anywhere(void **state)
{
	size_t begin = (size_t)(strchr(sample, '{') - sample) + 1;
	uint32_t before = 0;

	(void)state;
	for (size_t n = 0; n <= strlen(sample); n++) {
		struct tv_error err = { 0 };
		struct tv_trace trace;
		int rc;

		tv_trace_init(&trace, NULL);
		rc = read_text(&trace, sample, n, &err);
		if (n < begin || trace.table[TV_TASKS].nrows == 0) {
			assert_true(rc < 0 && err.text[0] != '\0');
		} else {
			assert_int_equal(rc, 0);
			/* A name of two parts counts only when both are there. */
			assert_true(trace.table[TV_TASKS].nrows + 1 >= before);
			/* Of a node that is cut off between Start and End, both are reported. */
			assert_int_equal(trace.ndamage > 0, n < strlen(sample) - 1);
			before = trace.table[TV_TASKS].nrows;
		}
		tv_trace_release(&trace);
	}
	assert_int_equal(before, 7);
}

/* Some bytes of the sample replaced by others that matter: an error with a line, or a trace. */
static void random_bytes(void **state)
{
	static const char other[] = "{}[]=;,:->\"<>/*#\\\n n1.";
	uint64_t seed = unit_seed(25);
	size_t n = strlen(sample);

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct tv_error err = { 0 };
		struct tv_trace trace;
		char text[sizeof sample];

		memcpy(text, sample, sizeof text);
		for (uint64_t k = 1 + unit_random(&seed, 4); k > 0; k--)
			text[unit_random(&seed, n)] = other[unit_random(&seed, sizeof other - 1)];
		tv_trace_init(&trace, NULL);
		if (read_text(&trace, text, n, &err) < 0)
			assert_true(err.text[0] != '\0');
		else
			assert_true(trace.table[TV_TASKS].nrows > 0);
		tv_trace_release(&trace);
	}
}

static void probe(void **state)
{
	static const struct {
		const char *head;
		int score;
	} row[] = {
		{ "digraph {", 90 },
		{ "digraph G {\n", 90 },
		{ "  \n// x\n/* digraph */\n# 1\nSTRICT digraph \"a\nb\" {", 90 },
		{ "strict graph{", 90 },
		{ "digraph G\n{", 50 },
		{ "digraph G", 20 },
		{ "graph,node\n1,{\n", 0 },
		{ "digraphs {", 0 },
		{ "/* digraph {", 0 },
		{ "%EventDef PajeSetState 1\n", 0 },
		{ "ResourceId,Value,Start,End\n", 0 },
		{ "Name: digraph {\n", 0 },
		{ "", 0 },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++)
		if (tv_dot_reader.probe(row[i].head, strlen(row[i].head)) != row[i].score)
			fail_msg("row %zu: %d", i,
				 tv_dot_reader.probe(row[i].head, strlen(row[i].head)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cut_anywhere),
		cmocka_unit_test(random_bytes),
		cmocka_unit_test(probe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
