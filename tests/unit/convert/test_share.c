/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_share.c -- files of ranks that several processes read: the same tables and messages as by one, for FxT samples and raw logs made
 * by hand of 1 to 12 processes, whole and damaged, in any order.
 */
#include "tests/unit/raw_build.h"
#include "tests/unit/team.h"

#include "convert/formats.h"
#include "convert/share.h"
#include "trace/csv.h"

enum { FILES_MAX = 12, PATH_BYTES = 64, SEND = 5, RECEIVE = 6 };

static char folder[] = "/tmp/test_share.XXXXXX";
static size_t compared, refused, damaged; /* readings alone */

/* ---- one process, and several ---- */

struct question {
	const char *path[FILES_MAX];
	size_t n;
	struct tv_read_options options;
	bool same_size; /* about: each process has a share */
};

static void write_tables(const struct tv_trace *trace, struct tv_output *out)
{
	for (int id = 0; id < TV_NTABLES; id++) {
		tv_output_format(out, "-- %s\n", tv_schema[id].name);
		tv_csv_write(&trace->table[id], NULL, 0, out);
	}
}

/* All that reading gives: tables, damage, and how it fails, without the process that found it. */
static char *load(const struct question *asked)
{
	struct tv_error err = { 0 };
	struct tv_trace trace;
	struct tv_output out;
	char line[2000], *text, *error = err.text;
	unsigned process;
	int used = 0;

	tv_output_memory(&out);
	tv_trace_init(&trace, &asked->options);
	if (tv_load_ranks(asked->path, asked->n, &trace, NULL, NULL, &err) == 0)
		write_tables(&trace, &out);
	for (size_t i = 0; i < trace.diagnostics.n; i++)
		tv_output_format(&out, "%s\n",
				 tv_diagnostic_line(line, sizeof line, &trace.diagnostics.at[i]));
	if (sscanf(err.text, "process %u: %n", &process, &used) == 1)
		error += used;
	tv_output_format(&out, "%s: %s\n", err.file, error);
	refused += err.text[0] != '\0';
	damaged += trace.ndamage > 0;
	text = tv_strndup(out.buffer, out.n);
	tv_output_abort(&out);
	tv_trace_release(&trace);
	return text;
}

static char *load_together(void *context, const struct tv_team *team)
{
	const struct question *asked = context;
	char *text;

	if (team->rank > 0)
		return tv_format("%zu", tv_share_help(team, &asked->options));
	tv_share_with(team);
	text = load(asked);
	tv_share_end();
	return text;
}

/* Each process has read a file, if there are so many of about one size. */
static void check_shares(const struct question *asked, uint32_t processes)
{
	for (uint32_t k = 1; k < processes && asked->n > 1; k++)
		if (asked->same_size && strcmp(team_board->text[k], "0") == 0
		    && processes <= asked->n)
			fail_msg("%zu files, process %u of %u read none", asked->n, (unsigned)k,
				 (unsigned)processes);
}

static void compare(const char *what, struct question *asked)
{
	static const uint32_t sizes[] = { 2, 3, 8 };
	char *alone = load(asked);

	for (size_t i = 0; i < TV_COUNT(sizes); i++) {
		team_run(sizes[i], load_together, asked);
		if (strcmp(team_board->text[0], alone) != 0) {
			size_t same = 0;

			while (alone[same] == team_board->text[0][same])
				same++;
			same = same > 200 ? same - 200 : 0;
			fail_msg("%s, %zu files, %u processes:\n%.1000s\n-- alone:\n%.1000s", what,
				 asked->n, (unsigned)sizes[i], team_board->text[0] + same,
				 alone + same);
		}
		check_shares(asked, sizes[i]);
		compared++;
	}
	tv_free(alone);
}

/* ---- files ---- */

static void write_file(const char *path, const void *bytes, size_t n)
{
	FILE *file = fopen(path, "w");

	if (file == NULL || fwrite(bytes, 1, n, file) != n || fclose(file) != 0)
		fail_msg("%s: cannot write", path);
}

/* Changes some bytes, or cuts the end off. */
static void damage(char *bytes, size_t *n, uint64_t *seed)
{
	if (unit_random(seed, 3) == 0) {
		*n = (size_t)unit_random(seed, *n);
		return;
	}
	for (uint64_t k = unit_random(seed, 20); k > 0; k--)
		bytes[unit_random(seed, *n)] = (char)unit_random(seed, 256);
}

/* Files in another order. */
static void shuffle(struct question *asked, uint64_t *seed)
{
	for (size_t i = asked->n; i > 1; i--) {
		size_t k = (size_t)unit_random(seed, i);
		const char *path = asked->path[i - 1];

		asked->path[i - 1] = asked->path[k];
		asked->path[k] = path;
	}
}

/* ---- FxT ---- */

static void copy_damaged(const char *path, const char *copy, uint64_t *seed)
{
	struct tv_error err = { 0 };
	struct tv_bytes bytes;
	struct tv_input in;
	char *changed;
	size_t n;

	if (tv_input_open(&in, path, &err) < 0 || tv_input_all(&in, &bytes, &err) < 0)
		fail_msg("%s", err.text);
	n = bytes.n;
	changed = test_malloc(n);
	memcpy(changed, bytes.bytes, n);
	damage(changed, &n, seed);
	write_file(copy, changed, n);
	test_free(changed);
	tv_bytes_release(&bytes);
	tv_input_close(&in);
}

static void compare_fxt(const char *sample, uint64_t *seed)
{
	char path[2][PATH_BYTES], copy[PATH_BYTES];
	struct question asked = { .path = { path[0], path[1] }, .n = 2, .same_size = true };

	for (int k = 0; k < 2; k++)
		snprintf(path[k], PATH_BYTES, "tests/data/fxt/%s/prof_file_%d.zst", sample, k);
	compare(sample, &asked);
	asked.options.unread = TV_OMITTABLE;
	asked.options.verbose = true;
	asked.path[0] = path[1];
	asked.path[1] = path[0];
	compare(sample, &asked);
	asked.path[1] = asked.path[0];
	compare("one rank twice", &asked);
	for (int k = 0; k < 8; k++) {
		snprintf(copy, sizeof copy, "%s/damaged", folder);
		asked.same_size = false;
		copy_damaged(path[k % 2], copy, seed);
		asked.path[k % 2] = copy;
		asked.path[1 - k % 2] = path[1 - k % 2];
		asked.options.verbose = k < 4;
		compare(sample, &asked);
	}
}

static void fxt(void **state)
{
	static const char *const samples[] = { "1.2.11", "1.3.4",  "1.3.11",
					       "1.4.0",	 "1.4.12", "cholesky-12-2ranks" };
	uint64_t seed = unit_seed(41);

	(void)state;
	for (size_t i = 0; i < TV_COUNT(samples); i++)
		compare_fxt(samples[i], &seed);
	assert_true(refused >= TV_COUNT(samples) && damaged > 20);
}

/* ---- raw logs ---- */

static void name(struct raw *raw, uint64_t number, const char *text)
{
	raw_event_text(raw, 0, raw->now, TV_LOG_MPI_NAME, TV_LOG_MPI_BLOCKING_CALL, &number, 1,
		       text, strlen(text));
}

static void begin_log(struct raw *raw, unsigned rank, unsigned n, uint64_t *seed)
{
	static const char tag[] = "Tag.case\0x", fact[] = "Fact\0y";

	raw_begin(raw, unit_random(seed, 9) == 0 ? -1 : (int)rank, rank % 3 == 0 ? "a" : "b",
		  100000);
	raw->head.pid = 100 + rank;
	raw->head.begin_mono = (int64_t)unit_random(seed, 5);
	raw->head.finished = unit_random(seed, 8) > 0;
	raw_event_text(raw, 0, 0, TV_LOG_META, 0, NULL, 0, tag, sizeof tag);
	raw_event_text(raw, 0, 0, TV_LOG_META, 0, NULL, 0, fact, sizeof fact);
	name(raw, SEND, "MPI_Send");
	name(raw, RECEIVE, "MPI_Recv");
	raw_event_text(raw, 0, 0, TV_LOG_MPI_WORLD, 0, (const uint64_t[]){ rank, n }, 2, "job", 3);
	raw_event_text(raw, 0, 0, TV_LOG_MPI_COMM, 0, (const uint64_t[]){ 1, rank, n }, 3, "world",
		       5);
	if (unit_random(seed, 2) == 0)
		RAW(raw, 0, 1, MPI_CLOCK, 0, 1, 50 * rank, 4000);
	raw_region(raw, 1, 2, 10);
}

static void end_log(struct raw *raw)
{
	raw_barrier(raw, 1, 2, 90000);
	raw_region_end(raw, 1, 2, 90010);
}

static void add_message(struct raw *raw, unsigned from, unsigned to, int64_t time, uint64_t tag)
{
	RAW(&raw[from], 0, time, MPI_BEGIN, 1, SEND, 0, 1, to, tag, 8);
	RAW(&raw[from], 0, time + 10, MPI_END, 0, SEND);
	if (tag == 0)
		return; /* it never arrives */
	RAW(&raw[to], 0, time + 20, MPI_BEGIN, 0, RECEIVE, 0, 1, from, tag, 8);
	RAW(&raw[to], 0, time + 30, MPI_END, 0, RECEIVE, TV_LOG_MPI_REQUEST((uint64_t)0, 2, 1),
	    TV_LOG_MPI_PEER_TAG(from, tag), 8);
}

static void logs(void **state)
{
	static struct raw raw[FILES_MAX];
	char path[FILES_MAX][PATH_BYTES];
	uint64_t seed = unit_seed(43);

	(void)state;
	for (int round = 0; round < 150; round++) {
		unsigned n = 1 + (unsigned)unit_random(&seed, FILES_MAX);
		struct question asked = { .n = n, .options = { .verbose = round % 2 } };
		char names[PATH_BYTES];

		snprintf(names, sizeof names, "%s/names", folder);
		if (round % 3 == 0)
			write_file(names, "unknown=work\n", 13);
		else
			unlink(names);

		for (unsigned i = 0; i < n; i++)
			begin_log(&raw[i], i, n, &seed);
		for (uint64_t k = unit_random(&seed, 40); k > 0 && n > 1; k--) {
			unsigned from = (unsigned)unit_random(&seed, n);

			add_message(raw, from, (from + 1 + (unsigned)unit_random(&seed, n - 1)) % n,
				    80000 - 100 * (int64_t)k, unit_random(&seed, 4));
		}
		for (unsigned i = 0; i < n; i++) {
			size_t size = RAW_BYTES;

			end_log(&raw[i]);
			if (unit_random(&seed, 6) == 0)
				damage((char *)raw[i].bytes, &size, &seed);
			asked.path[i] = path[i];
			snprintf(path[i], PATH_BYTES, "%s/%u.tvlog", folder, i);
			write_file(path[i], raw[i].bytes, size);
		}
		if (unit_random(&seed, 2) == 0)
			shuffle(&asked, &seed);
		compare("raw logs", &asked);
	}
}

static int count_compared(void **state)
{
	char *command = tv_format("rm -rf %s", folder);
	int rc = system(command);

	(void)state;
	print_message("# %zu comparisons; alone %zu refused, %zu damaged\n", compared, refused,
		      damaged);
	tv_free(command);
	return rc;
}

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) != NULL ? 0 : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(fxt), cmocka_unit_test(logs) };

	return cmocka_run_group_tests(tests, make_folder, count_compared);
}
