/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_plot_parts.c -- a figure has the same bytes and warnings if its trace is read part by part: samples and random traces in
 * Parquet with small and large groups of rows, parts of few and many rows, 1 and 8 threads; all panels that are drawn so.
 */
#include "tests/unit/cli/parts_folder.h"

#include <stdio.h>

#include "cli/figure.h"
#include "cli/parts.h"
#include "trace/parallel.h"

enum { RANDOM = 24, WORDS_MAX = 12 };

/* Usual rows, tasks one by one, rows lower than a cell, those of a type as one, a part of the time. */
static const char *const commands[][WORDS_MAX] = {
	{ "-o", "x.pdf" },
	{ "-o", "x.png", "--dpi", "90" },
	{ "-o", "x.png", "--dpi", "90", "--height", "0.9", "--header", "no" },
	{ "-o", "x.png", "--dpi", "40", "--width", "2", "--height", "1" },
	{ "-o", "x.pdf", "--begin", "20", "--end", "40" },
	{ "-o", "x.svg" },
};

/* Curves; tasks of iterations on lanes, as shares, lower than a cell; tables of groups. */
static const struct {
	const char *panels;
	const char *const word[WORDS_MAX];
} of_panels[] = {
	{ "spacetime,ready,submitted,progress,abe", { "-o", "x.pdf" } },
	{ "progress", { "-o", "x.png", "--dpi", "90", "--height", "9" } },
	{ "concurrency,share,gflops,utilization", { "-o", "x.png", "--dpi", "90" } },
	{ "starvation,durations,submitted", { "-o", "x.pdf" } },
	{ "imbalance,power-imbalance,hetero-imbalance,open-iterations", { "-o", "x.pdf" } },
	{ "progress,ready,submitted", { "-o", "x.pdf", "--begin", "1", "--end", "3" } },
	{ "progress", { "-o", "x.png", "--dpi", "40", "--height", "1" } },
	{ "spacetime,idle-causes", { "-o", "x.pdf" } },
	{ "spacetime,progress,open-iterations,durations", { "-o", "x.svg" } },
};

/* Settings: how rows are drawn, and options of passes. */
static const struct {
	const char *panels;
	const char *const word[WORDS_MAX];
} settings[] = {
	{ "progress,spacetime",
	  { "-o", "x.pdf", "--spacetime.outliers", "no", "--spacetime.gaps", "2", "--progress.show",
	    "segments,tasks,middle" } },
	{ "spacetime,ready",
	  { "-o", "x.svg", "--spacetime.gaps", "no", "--spacetime.labels", "first-last",
	    "--ready.by", "node", "--ready.height", "2" } },
	{ "spacetime,concurrency,gflops",
	  { "-o", "x.png", "--dpi", "60", "--spacetime.collapse", "type", "--concurrency.by",
	    "node", "--gflops.by", "node" } },
	{ "spacetime,submitted,utilization",
	  { "-o", "x.png", "--dpi", "60", "--spacetime.collapse", "node", "--utilization.step", "3",
	    "--submitted.limit", "40" } },
	{ "durations,abe,starvation,idle-causes",
	  { "-o", "x.pdf", "--durations.bins", "9", "--durations.scale", "log", "--abe.types",
	    "2" } },
	{ "imbalance,power-imbalance,open-iterations",
	  { "-o", "x.pdf", "--imbalance.step", "5", "--power-imbalance.task", "t1",
	    "--open-iterations.limit", "9" } },
};

/* Of types, nodes, workers, kinds; rows that no task fits, workers that none fits. */
static const char *const selections[][WORDS_MAX] = {
	{ "-o", "x.png", "--dpi", "60", "--where", "GFlop > 1 and JobId != 30" },
	{ "-o", "x.pdf", "--only", "t1,t?2,s3" },
	{ "-o", "x.svg", "--exclude", "t1,t3" },
	{ "-o", "x.png", "--dpi", "60", "--kind", "app,setup" },
	{ "-o", "x.pdf", "--resource", "CPU*,CUDA0" },
	{ "-o", "x.png", "--dpi", "60", "--node", "1" },
	{ "-o", "x.png", "--dpi", "60", "--kind", "setup" },
	{ "-o", "x.svg", "--rows", "CPU*" },
	{ "-o", "x.png", "--dpi", "60", "--row-order", "busy", "--height", "3" },
	{ "-o", "x.png", "--dpi", "60", "--row-order", "name", "--only", "t2" },
	{ "-o", "x.pdf", "--where", "ResourceId ~ 'CPU[14]'", "--begin", "1", "--end", "3" },
	{ "-o", "x.png", "--dpi", "60", "--where", "Start > 1e9" },
	{ "-o", "x.png", "--dpi", "60", "--exclude", "t1", "--caption" },
};

static size_t compared, refused;
static const char *drawn = "run.parquet"; /* in the folder */

/* ---- traces ---- */

static void write_tasks(struct tv_trace *trace, uint32_t rows)
{
	char *path = tv_format("%s/run.parquet", folder);
	struct tv_table *tasks = &trace->table[TV_TASKS];
	struct tv_error err = { 0 };
	struct tv_output out;

	tv_native_require(trace, TV_TASKS);
	tv_table_finish(tasks);
	unlink(path);
	if (tv_output_open(&out, path, &err) < 0
	    || tv_parquet_write_groups(tasks, "tasks", "Start", rows, &out, &err) < 0
	    || tv_output_commit(&out, &err) < 0)
		fail_msg("%s", err.text);
	tv_free(path);
}

/* Short and long tasks, some without length, gaps; of some traces also setup before t = 0, several nodes, tasks that did not
 * end, that overlap, rows without Start. most: rows; distinct: no two tasks start at once. */
static void random_trace(struct tv_trace *trace, uint64_t *seed, unsigned number, unsigned most,
			 bool distinct)
{
	enum { WORKERS = 12 };
	unsigned workers = 1 + (unsigned)unit_random(seed, WORKERS), n, worker;
	int64_t free[WORKERS], length = number % 3 == 0 ? 2 : 200, last = INT64_MIN; /* us */
	char *text = tv_strdup("ResourceId,Value,Start,End,JobId,Kind,Node,ResourceType,Flag,"
			       "Iteration,GFlop,SubmitTime,DependsOn\n");

	n = 20 + (unsigned)unit_random(seed, most);
	for (unsigned w = 0; w < workers; w++)
		free[w] = number % 4 == 0 ? -900 : 0;
	for (unsigned i = 0; i < n; i++) {
		bool setup;
		int64_t begin, end;

		worker = 0;
		for (unsigned w = 1; w < workers; w++)
			worker = free[w] < free[worker] ? w : worker;
		begin = free[worker];
		if (distinct && begin <= last)
			begin = last + 1;
		last = begin;
		end = begin
		    + (int64_t)unit_random(seed, (uint64_t)length) * (int64_t)unit_random(seed, 9);
		if (unit_random(seed, 60) == 0)
			end += 40 * length;
		setup = begin < 0 || unit_random(seed, 30) == 0;
		tv_append(&text, "%s%u,%s%u,%.3f,%.3f,%u,%s,%u,%s,%s,",
			  worker % 3 > 0 ? "CPU" : "CUDA", worker, setup ? "s" : "t",
			  (unsigned)unit_random(seed, 4), (double)begin / 1e3, (double)end / 1e3, i,
			  setup ? "setup" : "app", number % 5 == 0 ? worker % 2 : 0,
			  worker % 3 > 0 ? "CPU" : "CUDA",
			  number % 7 == 0 && unit_random(seed, 50) == 0 ? "open" : "");
		if (unit_random(seed, 20) > 0)
			tv_append(&text, "%u", 3 + i / 40 + (unsigned)unit_random(seed, 2));
		tv_append(&text, ",%u,", (unsigned)unit_random(seed, 5));
		if (number % 9 > 0 && unit_random(seed, 90) > 0)
			tv_append(&text, "%.3f",
				  (double)begin / 1e3 - (double)unit_random(seed, 300) / 500);
		tv_append(&text, ",");
		if (i > 0 && number % 2 == 0)
			tv_append(&text, "%u", (unsigned)unit_random(seed, i));
		tv_append(&text, "\n");
		free[worker] = end
			     + (unit_random(seed, 3) == 0 ? (int64_t)unit_random(seed, 9) : 0);
		if (number % 11 == 0 && unit_random(seed, 40) == 0)
			free[worker] = begin + (end - begin) / 2;
	}
	if (number % 6 == 0)
		tv_append(&text, "CPU99,idle,,,,worker,0,CPU,,,,,\n");
	parts_read(trace, text);
	tv_free(text);
}

/* ---- figures ---- */

static char *read_file(const char *path, size_t *n)
{
	FILE *file = fopen(path, "r");
	struct stat st;
	char *bytes;

	*n = 0;
	if (file == NULL || fstat(fileno(file), &st) < 0)
		fail_msg("%s: cannot read", path);
	bytes = tv_alloc((size_t)st.st_size + 1, 1);
	*n = fread(bytes, 1, (size_t)st.st_size, file);
	fclose(file);
	unlink(path);
	return bytes;
}

/* What a command draws, what it reports behind that, and its caption; rows: of a part, 0 = it reads the whole. */
static char *draw(const struct tv_cli *cli, uint32_t rows, size_t *n)
{
	char *path = tv_format("%s/stderr", folder), *bytes = NULL, *said;
	struct tv_error err = { 0 };
	int before = dup(STDERR_FILENO), rc;
	size_t nsaid;

	fflush(stderr);
	if (before < 0 || freopen(path, "w", stderr) == NULL)
		fail_msg("%s: cannot write", path);
	rc = rows > 0 ? tv_plot_in_parts(cli, rows, &err) : tv_cmd_plot(cli, &err);
	fflush(stderr);
	dup2(before, STDERR_FILENO);
	close(before);
	said = read_file(path, &nsaid);
	*n = 0;
	if (rc == 0)
		bytes = read_file(cli->output, n);
	bytes = tv_realloc(bytes, *n + nsaid + sizeof err.text, 1);
	memcpy(bytes + *n, said, nsaid);
	memcpy(bytes + *n + nsaid, err.text, strlen(err.text) + 1);
	*n += nsaid + strlen(err.text);
	tv_free(said);
	if (rc == 0 && cli->caption != NULL) {
		char *numbers = read_file(cli->caption, &nsaid);

		bytes = tv_realloc(bytes, *n + nsaid + sizeof err.text, 1);
		memcpy(bytes + *n, numbers, nsaid);
		*n += nsaid;
		bytes[*n] = '\0';
		tv_free(numbers);
	}
	tv_free(path);
	return bytes;
}

static void compare(const char *what, const char *panels, const char *const *word, uint32_t rows)
{
	const char *const first[] = { "traceviz", "plot", "--panels", panels };
	char *argv[WORDS_MAX + 7];
	char *path = tv_format("%s/%s", folder, drawn),
	     *output = tv_format("%s/%s", folder, word[1]),
	     *caption = tv_format("%s/numbers.tex", folder);
	char *whole, *parted;
	size_t nwhole, nparted;
	struct tv_error err = { 0 };
	struct tv_cli cli;
	int n = 0;

	for (size_t i = 0; i < TV_COUNT(first); i++)
		argv[n++] = (char *)(uintptr_t)first[i];
	for (size_t i = 0; i < WORDS_MAX && word[i] != NULL; i++)
		argv[n++] = i == 1 ? output : (char *)(uintptr_t)word[i];
	if (strcmp(argv[n - 1], "--caption") == 0)
		argv[n++] = caption;
	argv[n++] = path;
	if (tv_cli_parse(&cli, n, argv, &err) < 0)
		fail_msg("%s", err.text);
	whole = draw(&cli, 0, &nwhole);
	parted = draw(&cli, rows, &nparted);
	if (strstr(parted, "needs all rows at once") != NULL)
		refused++;
	else if (nwhole != nparted || memcmp(whole, parted, nwhole) != 0)
		fail_msg("%s, %s, %s %s, parts of %u: %zu bytes, %zu in memory\n%s\n-- in "
			 "memory:\n%s",
			 what, panels, word[1], word[2] != NULL ? word[2] : "", rows, nparted,
			 nwhole, parted, whole);
	else
		compared++;
	tv_free(whole);
	tv_free(parted);
	tv_free(output);
	tv_free(caption);
	tv_free(path);
	tv_cli_release(&cli);
}

/* ---- tests ---- */

static void test_samples(void **state)
{
	static const struct {
		const char *path;
		uint32_t group, part; /* rows; thousands of groups take time */
	} sample[] = {
		{ "data/qr-mumps-like.csv", 7, 400 },
		{ "data/cholesky-2nodes", 131072, 131072 },
		{ "data/cholesky.csv", 1000, 2500 },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(sample); i++) {
		struct tv_error err = { 0 };
		struct tv_trace trace;

		tv_trace_init(&trace, NULL);
		if (tv_load(sample[i].path, &trace, NULL, NULL, &err) != 0)
			fail_msg("%s", err.text);
		write_tasks(&trace, sample[i].group);
		tv_trace_release(&trace);
		tv_threads_set(i % 2 == 0 ? 1 : 8);
		for (size_t c = 0; c < TV_COUNT(commands); c++)
			compare(sample[i].path, "spacetime", commands[c], sample[i].part);
		for (size_t c = 0; c < TV_COUNT(of_panels); c += 3)
			compare(sample[i].path, of_panels[c].panels, of_panels[c].word,
				sample[i].part);
	}
	print_message("# %zu compared, %zu refused\n", compared, refused);
}

static void test_random(void **state)
{
	static const uint32_t groups[] = { 7, 100, 1000 };
	uint64_t seed = unit_seed(20);

	(void)state;
	compared = refused = 0;
	for (unsigned i = 0; i < RANDOM; i++) {
		uint32_t rows = groups[i % 3];
		struct tv_trace trace;
		char what[32];

		random_trace(&trace, &seed, i, i % 3 == 0 ? 2500 : 400, false);
		write_tasks(&trace, rows);
		tv_trace_release(&trace);
		tv_threads_set(i % 2 == 0 ? 1 : 8);
		snprintf(what, sizeof what, "random %u", i);
		for (size_t c = i % 3; c < TV_COUNT(commands); c += 3)
			compare(what, "spacetime", commands[c],
				4 * rows + (uint32_t)unit_random(&seed, 30));
	}
	print_message("# %zu compared, %zu refused\n", compared, refused);
	assert_true(compared > 2 * refused && compared > 25);
}

static void test_panels(void **state)
{
	static const uint32_t part[] = { 1, 7, 1000 };
	uint64_t seed = unit_seed(21);

	(void)state;
	compared = refused = 0;
	for (unsigned i = 0; i < 3 * TV_COUNT(of_panels); i++) {
		uint32_t rows = part[i % 3];
		struct tv_trace trace;
		char what[32];

		random_trace(&trace, &seed, i, rows == 1 ? 40 : rows == 7 ? 120 : 2500, true);
		write_tasks(&trace, rows < 3 ? rows : rows / 3);
		tv_trace_release(&trace);
		tv_threads_set(i % 2 == 0 ? 1 : 8);
		snprintf(what, sizeof what, "panels %u", i);
		for (size_t k = 0; k < 2; k++) {
			size_t c = (2 * i + k) % TV_COUNT(of_panels);

			compare(what, of_panels[c].panels, of_panels[c].word, rows);
		}
	}
	print_message("# %zu compared, %zu refused\n", compared, refused);
	assert_true(compared > refused && compared > 25);
}

static void test_selections(void **state)
{
	static const uint32_t part[] = { 1, 7, 1000 };
	uint64_t seed = unit_seed(22);

	(void)state;
	compared = refused = 0;
	for (unsigned i = 0; i < 3 * TV_COUNT(selections); i++) {
		uint32_t rows = part[i % 3];
		struct tv_trace trace;
		char what[32];

		random_trace(&trace, &seed, i, rows == 1 ? 40 : rows == 7 ? 120 : 1500, true);
		write_tasks(&trace, rows < 3 ? rows : rows / 3);
		tv_trace_release(&trace);
		snprintf(what, sizeof what, "selections %u", i);
		compare(what, i % 2 == 0 ? "spacetime" : "spacetime,abe,progress,ready,utilization",
			selections[i % TV_COUNT(selections)], rows);
	}
	print_message("# %zu compared, %zu refused\n", compared, refused);
	assert_true(compared > refused && compared > 25);
}

static void test_settings(void **state)
{
	static const uint32_t part[] = { 1, 7, 1000 };
	uint64_t seed = unit_seed(23);

	(void)state;
	compared = refused = 0;
	for (unsigned i = 0; i < 4 * TV_COUNT(settings); i++) {
		uint32_t rows = part[i / TV_COUNT(settings) % 3];
		struct tv_trace trace;
		char what[32];

		random_trace(&trace, &seed, i, rows == 1 ? 40 : rows == 7 ? 120 : 1500, true);
		write_tasks(&trace, rows < 3 ? rows : rows / 3);
		tv_trace_release(&trace);
		snprintf(what, sizeof what, "settings %u", i);
		compare(what, settings[i % TV_COUNT(settings)].panels,
			settings[i % TV_COUNT(settings)].word, rows);
	}
	print_message("# %zu compared, %zu refused\n", compared, refused);
	assert_true(compared > refused && compared > 12);
}

/* A selection is compared with the names in states, too, which the figure does not read else. */
static void test_states(void **state)
{
	static const char *const word[] = { "-o", "x.pdf", "--resource", "CPU*,thread*,none*",
					    NULL };
	struct tv_trace trace;

	(void)state;
	compared = refused = 0;
	parts_read(&trace, "ResourceId,Value,Start,End\nCPU0,a,0,1\nCPU1,b,1,3\nGPU0,b,2,3\n");
	for (uint32_t row = 0; row < 3; row++) {
		tv_table_add_row(&trace.table[TV_STATES]);
		tv_set_text(tv_trace_column(&trace, TV_STATES, "ResourceId"), row,
			    row == 1 ? "thread1" : "CPU0");
		tv_set_text(tv_trace_column(&trace, TV_STATES, "Type"), row, "Worker State");
		tv_set_text(tv_trace_column(&trace, TV_STATES, "Value"), row, "Idle");
		tv_set_int(tv_trace_column(&trace, TV_STATES, "Start"), row, row * 1000000);
		tv_set_int(tv_trace_column(&trace, TV_STATES, "End"), row, (row + 1) * 1000000);
	}
	parts_write(&trace, 1);
	tv_trace_release(&trace);
	drawn = "run";
	compare("states", "spacetime", word, 9);
	drawn = "run.parquet";
	assert_int_equal(compared, 1);
}

static int end(void **state)
{
	char *path = tv_format("%s/run.parquet", folder);

	unlink(path);
	tv_free(path);
	return parts_end(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples),	 cmocka_unit_test(test_random),
		cmocka_unit_test(test_panels),	 cmocka_unit_test(test_selections),
		cmocka_unit_test(test_settings), cmocka_unit_test(test_states),
	};

	return cmocka_run_group_tests(tests, parts_begin, end);
}
