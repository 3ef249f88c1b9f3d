/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_idle_parts.c -- idle-causes, and load-balance with it, give the same bytes and warnings of a trace that is read in parts of 1, 7 and 1000 rows, also
 * beside other passes: samples, and random traces with several nodes and types, pending tasks, tasks without length, equal instants, cut runs.
 */
#include "tests/unit/cli/parts_folder.h"

#include <stdio.h>

#include "cli/parts.h"
#include "cli/unread.h"
#include "trace/number.h"

enum { RANDOM = 200, WORDS_MAX = 12, SIZES = 3 };

static const char *const commands[][WORDS_MAX] = {
	{ "idle-causes" },
	{ "idle-causes", "--by", "node", "--step", "3" },
	{ "idle-causes", "--by", "worker", "--can-run", "anywhere" },
	{ "idle-causes", "--by", "type", "--begin", "7", "--end", "25.5" },
	{ "idle-causes", "--by", "worker", "--step", "2.5", "--kind", "app,setup" },
	{ "idle-causes", "--by", "worker", "--step", "4", "--begin", "3", "--end", "30",
	  "--resource", "CPU*" },
	{ "idle-causes", "--by", "blame" },
	{ "idle-causes", "--by", "blame", "--step", "2.5" },
	{ "idle-causes", "--by", "blame", "--begin", "3", "--end", "30", "--node", "1" },
	{ "load-balance" },
	{ "load-balance", "--by", "type", "--can-run", "anywhere", "--kind", "app,setup" },
	{ "load-balance", "--begin", "3", "--end", "30", "--resource", "CPU*" },
};

static size_t compared, refused;
static bool blamed[5];	/* the columns of what is blamed that are not always 0 */
static size_t in_calls; /* rows of time in MPI calls */

/* ---- traces ---- */

/* What a random trace is like. */
struct flavor {
	bool down;	     /* JobIds of later rows are smaller */
	bool repeats, nests; /* jobs run again; tasks are created by tasks */
	bool causal;	     /* no task starts before what it depends on has ended */
	bool submits, cut;   /* it has a SubmitTime; some tasks did not end */
	unsigned
		slow; /* how much time passes at most from one Start to the next, but 1; 0 = often none */
	int end[80]; /* by row; -1: it has no time */
};

static unsigned job_of(const struct flavor *flavor, unsigned row)
{
	return flavor->down ? 200 - row : row;
}

/* ParentJob and DependsOn. start: -1 = it has none. */
static void add_dependencies(char **text, uint64_t *seed, const struct flavor *flavor, unsigned row,
			     int start)
{
	unsigned parent = row > 0 ? (unsigned)unit_random(seed, row) : 0;
	bool nests = flavor->nests && row > 0 && flavor->end[parent] >= 0
		  && unit_random(seed, 2) == 0;

	if (nests)
		tv_append(text, "%u", job_of(flavor, parent));
	tv_append(text, ",");
	if (nests)
		tv_append(text, "%u ", job_of(flavor, parent));
	for (uint64_t n = unit_random(seed, 4); n > 0 && row > 0; n--) {
		unsigned before = (unsigned)unit_random(seed, row);

		if (unit_random(seed, 4) > 0 && row > 9)
			before = row - 1 - before % 9;
		if (start >= 0
		    && (flavor->end[before] < 0 || (flavor->causal && flavor->end[before] > start)))
			continue;
		tv_append(text, "%u ", job_of(flavor, before));
	}
	tv_append(text, "\n");
}

/* Workers 0 to 3 are CPUs of nodes 0 and 1, 4 and 5 GPUs; worker 6 rarely runs. */
static void add_rows(char **text, uint64_t *seed, unsigned n, struct flavor *flavor)
{
	static const char *const kinds[] = {
		"app", "app", "app", "app", "app", "setup", "runtime"
	};
	int at = 0;

	for (unsigned i = 0; i < n; i++) {
		unsigned worker = unit_random(seed, 40) == 0 ? 6 : (unsigned)unit_random(seed, 6);
		bool waits = i + 8 > n && unit_random(seed, 2) == 0;
		bool again = flavor->repeats && i > 0 && flavor->end[i - 1] >= 0
			  && unit_random(seed, 8) == 0;
		unsigned job = job_of(flavor, again ? i - 1 : i);
		int length = (int)(unit_random(seed, 3) * unit_random(seed, 7));

		at += (int)unit_random(seed, 2 + flavor->slow);
		if (again && at <= flavor->end[i - 1])
			at = flavor->end[i - 1] + 1;
		flavor->end[i] = waits ? -1 : at + length;
		if (waits)
			tv_append(text, ",%c,,,%u,%s,%s,,,", (char)('a' + unit_random(seed, 3)),
				  job, unit_random(seed, 3) == 0 ? "ghost" : "pending",
				  unit_random(seed, 3) == 0 ? "" : "1");
		else
			tv_append(text, "%s%u,%c,%d,%d,%u,%s,%u,%s,%s,", worker < 4 ? "CPU" : "GPU",
				  worker, (char)('a' + unit_random(seed, 3)), at, at + length, job,
				  kinds[unit_random(seed, 7)], worker % 2,
				  worker < 4 ? "CPU" : "GPU",
				  flavor->cut && unit_random(seed, 12) == 0 ? "open" : "");
		if (flavor->submits && unit_random(seed, 9) > 0)
			tv_append(text, "%d", at > 6 ? at - (int)unit_random(seed, 9) : 0);
		tv_append(text, ",");
		add_dependencies(text, seed, flavor, i, waits ? -1 : at);
	}
}

/* MPI calls of the workers' own threads. */
static void add_calls(struct tv_trace *trace, uint64_t *seed, unsigned n)
{
	static const char *const workers[] = { "CPU0", "CPU1", "CPU2" };

	for (unsigned i = 0; i < n; i++) {
		int64_t begin = (int64_t)unit_random(seed, 30) * 1000000;
		uint32_t row = tv_table_add_row(&trace->table[TV_CALLS]);

		tv_set_text(tv_trace_column(trace, TV_CALLS, "ResourceId"), row,
			    workers[unit_random(seed, 3)]);
		tv_set_text(tv_trace_column(trace, TV_CALLS, "Call"), row, "MPI_Wait");
		tv_set_int(tv_trace_column(trace, TV_CALLS, "Start"), row, begin);
		tv_set_int(tv_trace_column(trace, TV_CALLS, "End"), row,
			   begin + (int64_t)unit_random(seed, 5) * 1000000);
	}
	tv_table_finish(&trace->table[TV_CALLS]);
}

static void random_trace(struct tv_trace *trace, uint64_t *seed, unsigned number)
{
	char *text = tv_format("ResourceId,Value,Start,End,JobId,Kind,Node,ResourceType,Flag,%s,"
			       "%s,%s\n",
			       number % 5 == 0 ? "unknown" : "SubmitTime",
			       number % 6 == 0 ? "ParentJob" : "none",
			       number % 8 == 5 ? "unread" : "DependsOn");
	struct flavor flavor = { .down = number % 2 > 0,
				 .repeats = number % 11 == 0,
				 .nests = number % 6 == 0,
				 .causal = number % 3 > 0,
				 .submits = number % 5 > 1,
				 .cut = number % 4 == 0,
				 .slow = number % 7 };

	add_rows(&text, seed, 8 + (unsigned)unit_random(seed, 60), &flavor);
	if (unit_random(seed, 3) == 0)
		tv_append(&text, "CPU9,idle,,,,worker,1,CPU,,,,\n");
	parts_read(trace, text);
	tv_free(text);
	if (unit_random(seed, 4) == 0)
		add_calls(trace, seed, (unsigned)unit_random(seed, 12));
}

/* ---- commands ---- */

static void note_blamed(const struct tv_table *table)
{
	static const char *const column[] = { "BlameTask", "BlameMessage", "BlameWaiting",
					      "BlameSubmission", "BlameNoNextTask" };

	if (tv_table_find(table, column[0]) == NULL)
		return;
	for (size_t i = 0; i < TV_COUNT(column); i++) {
		const struct tv_column *of = tv_table_find(table, column[i]);

		for (uint32_t row = 0; row < table->nrows; row++)
			blamed[i] |= !tv_missing(of, row) && of->i[row] > 0;
	}
	for (uint32_t row = 0; row < table->nrows; row++)
		in_calls += strcmp(tv_table_text(table, "Cause", row), "in-mpi-call") == 0
			 && tv_table_find(table, "Time")->i[row] > 0;
}

/* What the verb prints, in memory: rows of its result, warnings and how it fails. */
static char *answer(const struct tv_cli *cli, struct tv_parts *parts)
{
	struct tv_error err = { 0 };
	const struct tv_table *table = NULL;
	struct tv_session session;
	struct tv_output out;
	char *text;

	tv_output_memory(&out);
	if (tv_session_open_parts(&session, cli, parts, &err) == 0)
		table = tv_run_pass(&session.run, cli->verb.pass->name, cli->own_value, &err);
	if (table != NULL) {
		tv_csv_write(table, NULL, 0, &out);
		note_blamed(table);
	}
	for (size_t i = 0; i < session.run.diagnostics.n; i++) {
		tv_output_text(&out, session.run.diagnostics.at[i].text);
		tv_output_text(&out, "\n");
	}
	tv_output_text(&out, err.text);
	text = tv_strndup(out.buffer != NULL ? out.buffer : "", out.n);
	tv_output_abort(&out);
	tv_session_close(&session);
	return text;
}

static char *answer_in_parts(struct tv_cli *cli, uint32_t rows)
{
	char *columns = tv_columns_by_pass(cli, false), *text;
	struct tv_error err = { 0 };
	struct tv_parts *parts;

	cli->read.columns = columns;
	cli->read.unread = tv_unread_by_pass(cli);
	parts = tv_parts_new(cli, rows, &err);
	if (parts == NULL)
		fail_msg("%s", err.text);
	text = answer(tv_parts_reading(parts), parts);
	cli->read.columns = NULL;
	tv_free(columns);
	return text;
}

/* Parts of so many rows, or of more, as those that start together are in one part. whole: what it answers of all rows at once,
 * NULL = not known yet. */
static void compare(const char *what, size_t c, uint32_t rows, char **whole)
{
	char *path = tv_format("%s/run", folder), *parted;
	struct tv_cli cli = parts_parse(commands[c], WORDS_MAX, path);

	cli.quiet = true;
	if (*whole == NULL)
		*whole = answer(&cli, NULL);
	parted = answer_in_parts(&cli, rows);
	for (; strstr(parted, "do not come by Start") != NULL && rows < 64; rows *= 2) {
		tv_free(parted);
		parted = answer_in_parts(&cli, 2 * rows);
	}
	if (strstr(parted, "needs all rows at once") != NULL)
		refused++;
	else if (strcmp(*whole, parted) != 0)
		fail_msg("%s, command %zu, parts of %u:\n%s\n-- in memory:\n%s", what, c,
			 (unsigned)rows, parted, *whole);
	else
		compared++;
	tv_free(parted);
	tv_free(path);
	tv_cli_release(&cli);
}

/* A third of the commands, with parts of so many rows each. */
static void compare_some(const char *what, struct tv_trace *trace, unsigned number,
			 const uint32_t *rows)
{
	char *whole[TV_COUNT(commands)] = { 0 };

	for (size_t i = 0; i < SIZES; i++) {
		parts_write(trace, rows[i]);
		for (size_t c = (number + i) % 3; c < TV_COUNT(commands); c += 3)
			compare(what, c, rows[i], &whole[c]);
	}
	for (size_t c = 0; c < TV_COUNT(commands); c++)
		tv_free(whole[c]);
}

/* ---- tests ---- */

static void test_random(void **state)
{
	static const uint32_t rows[SIZES] = { 1, 7, 1000 };
	uint64_t seed = unit_seed(39);

	(void)state;
	compared = refused = 0;
	for (unsigned i = 0; i < RANDOM; i++) {
		struct tv_trace trace;
		char what[32];

		random_trace(&trace, &seed, i);
		snprintf(what, sizeof what, "random %u", i);
		compare_some(what, &trace, i, rows);
		tv_trace_release(&trace);
	}
	print_message("# %zu compared, %zu refused, %zu with calls\n", compared, refused, in_calls);
	assert_true(compared > 5 * refused);
	assert_true(blamed[0] && blamed[2] && blamed[3] && blamed[4] && in_calls > 100);
}

static void test_samples(void **state)
{
	static const char *const sample[] = { "cholesky-2nodes",   "cholesky-4nodes/p2x2",
					      "cholesky-dmda.csv", "cholesky-dmdas.csv",
					      "cholesky-paje",	   "cholesky-ws.csv",
					      "cholesky.csv",	   "mpi-halo",
					      "mpi-overlap",	   "mpi-steps",
					      "placement",	   "qr-mumps-like.csv",
					      "cholesky-decisions" };
	static const uint32_t rows[SIZES] = { 97, 700, 100000 };

	(void)state;
	compared = refused = 0;
	for (size_t i = 0; i < TV_COUNT(sample); i++) {
		char *path = tv_format("data/%s", sample[i]);
		struct tv_error err = { 0 };
		struct tv_trace trace;

		tv_trace_init(&trace, NULL);
		if (tv_load(path, &trace, NULL, NULL, &err) != 0)
			print_message("# %s: %s\n", path, err.text);
		else
			compare_some(path, &trace, (unsigned)i, rows);
		tv_trace_release(&trace);
		tv_free(path);
	}
	print_message("# %zu compared, %zu refused\n", compared, refused);
	assert_true(compared >= 25);
}

/* Results of several passes of one run, in the order of their requests, one text. */
static char *ask_several(const struct tv_cli *cli, struct tv_parts *parts)
{
	struct tv_error err = { 0 };
	struct tv_session session;
	struct tv_output out;
	char *text;

	tv_output_memory(&out);
	if (tv_session_open_parts(&session, cli, parts, &err) < 0)
		fail_msg("%s", err.text);
	for (unsigned i = 0; i < 5; i++) {
		const char *name = (const char *[]){ "idle-causes", "ready", "idle-causes",
						     "starvation", "idle-causes" }[i];
		const struct tv_table *table = tv_run_pass_with(&session.run, name, &err, "step",
								i == 2 ? "3" : NULL, "by",
								i == 4 ? "type" : NULL, NULL);

		if (table == NULL)
			fail_msg("%s", err.text);
		tv_csv_write(table, NULL, 0, &out);
	}
	text = tv_strndup(out.buffer, out.n);
	tv_output_abort(&out);
	tv_session_close(&session);
	return text;
}

/* Beside other passes that read the rows, as in a figure. */
static void test_beside(void **state)
{
	char *path = tv_format("%s/run", folder), *columns, *whole, *parted;
	struct tv_cli cli = parts_parse(commands[0], WORDS_MAX, path);
	struct tv_error err = { 0 };
	struct tv_parts *parts;
	struct tv_trace trace;

	(void)state;
	cli.quiet = true;
	tv_trace_init(&trace, NULL);
	assert_int_equal(tv_load("data/cholesky.csv", &trace, NULL, NULL, &err), 0);
	parts_write(&trace, 97);
	tv_trace_release(&trace);
	whole = ask_several(&cli, NULL);
	cli.read.columns = columns = tv_columns_by_pass(&cli, false);
	cli.read.unread = tv_unread_by_pass(&cli);
	parts = tv_parts_new(&cli, 400, &err);
	assert_non_null(parts);
	parted = ask_several(tv_parts_reading(parts), parts);
	assert_string_equal(parted, whole);
	tv_free(parted);
	tv_free(whole);
	tv_free(columns);
	tv_free(path);
	tv_cli_release(&cli);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_beside),
	};

	return cmocka_run_group_tests(tests, parts_begin, parts_end);
}
