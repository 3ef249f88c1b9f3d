/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fxt.c -- converted FxT traces against what is known of them; five StarPU versions against
 * each other. */
#include "tests/unit/fxt_sample.h"
#include "tests/unit/fxt_truth.h"

#include "convert/fxt/codes.h"
#include "convert/fxt/scan.h"
#include "trace/number.h"
#include "trace/text.h"

enum { NAMES = 16, TEXT = 512 };

static void load(struct tv_trace *trace, const char *folder)
{
	const struct tv_read_options options = { .zero = "none" };
	struct tv_error err = { 0 };

	tv_trace_init(trace, &options);
	if (tv_load(folder, trace, NULL, NULL, &err) < 0)
		fail_msg("%s: %s", folder, err.text);
}

static struct tv_column *column(const struct tv_trace *trace, enum tv_table_id table,
				const char *name)
{
	struct tv_column *c = tv_table_find(&trace->table[table], name);

	if (c == NULL)
		fail_msg("no column %s", name);
	return c;
}

/* "" when missing, as is all of a column that the trace does not have. */
static const char *cell(const struct tv_column *c, uint32_t row)
{
	return c != NULL ? tv_pool_text(c->pool, tv_label(c, row)) : "";
}

static int64_t unexpected(const struct tv_trace *trace)
{
	size_t n;
	const char *text = tv_meta_get(trace, "UnexpectedMessages", &n);
	int64_t count = 0;

	if (text != NULL)
		assert_int_equal(tv_parse_int(text, n, &count), TV_PARSE_OK);
	return count;
}

static void expect(const char *folder, int file, const char *what, int64_t got, int64_t want)
{
	if (want != UNTOLD && got != want)
		fail_msg("%s, file %d: %s is %lld, expected %lld", folder, file, what,
			 (long long)got, (long long)want);
}

static void expect_text(const char *folder, int file, const char *what, const char *got,
			const char *want)
{
	if (want != NULL && strcmp(got, want) != 0)
		fail_msg("%s, file %d: %s is '%s', expected '%s'", folder, file, what, got, want);
}

/* Counts by name, written as "NAME COUNT, ..." in natural order of the names. */
struct tally {
	const char *name[NAMES];
	int64_t count[NAMES];
	int n;
};

static void add(struct tally *tally, const char *name)
{
	int i = 0;

	while (i < tally->n && strcmp(tally->name[i], name) != 0)
		i++;
	if (i == tally->n) {
		assert_true(tally->n < NAMES);
		tally->name[tally->n++] = name;
		tally->count[i] = 0;
	}
	tally->count[i]++;
}

static void write_tally(struct tally *tally, const char *between, const char *after,
			char text[TEXT])
{
	size_t n = 0;

	text[0] = '\0';
	while (tally->n > 0) {
		int first = 0;

		for (int i = 1; i < tally->n; i++)
			if (tv_natural_order(tally->name[i], tally->name[first]) < 0)
				first = i;
		n += (size_t)snprintf(text + n, TEXT - n, "%s%s%s%lld", n > 0 ? after : "",
				      tally->name[first], between, (long long)tally->count[first]);
		assert_true(n < TEXT);
		tally->n--;
		tally->name[first] = tally->name[tally->n];
		tally->count[first] = tally->count[tally->n];
	}
}

/* ---- one file's records, counted without converting ---- */

static void check_records(const char *folder, int file, const struct file_truth *want,
			  int64_t *last_event)
{
	int64_t n[TV_FXT_LAST_CODE - TV_FXT_FIRST_CODE + 1] = { 0 }, events = 0, alive = 0,
							 ghost = 0;
	struct tv_error err = { 0 };
	struct tv_fxt_cursor cursor;
	struct tv_fxt_event event;
	struct tv_fxt_file f;
	uint64_t first = 0;
	struct tv_bytes map;

	assert_true(sample_file(&map, folder, file));
	assert_int_equal(tv_fxt_open(&f, folder, map.bytes, map.n, &err), 0);
	tv_fxt_rewind(&cursor, &f);
	*last_event = 0;
	while (tv_fxt_next(&cursor, &event) == TV_FXT_EVENT) {
		size_t label;

		if (events++ == 0)
			first = event.time;
		if ((int64_t)(event.time - first) > *last_event)
			*last_event = (int64_t)(event.time - first);
		if (event.code < TV_FXT_FIRST_CODE || event.code > TV_FXT_LAST_CODE)
			continue;
		n[event.code - TV_FXT_FIRST_CODE]++;
		if (event.code != TV_FXT_TASK_DEPS || event.n < 5)
			continue;
		alive += strncmp(tv_fxt_text(&event, 4, &label), "task", 4) == 0;
		ghost += strncmp(tv_fxt_text(&event, 4, &label), "ghost", 5) == 0;
	}
	assert_int_equal(cursor.at, f.end);
	expect(folder, file, "size", (int64_t)map.n, want->size);
	expect(folder, file, "events", events, want->events);
	expect(folder, file, "TASK_SUBMIT", n[TV_FXT_TASK_SUBMIT - TV_FXT_FIRST_CODE],
	       want->submits);
	expect(folder, file, "TASK_DEPS", n[TV_FXT_TASK_DEPS - TV_FXT_FIRST_CODE], want->deps);
	expect(folder, file, "TASK_DEPS of tasks", alive, want->task_deps);
	expect(folder, file, "TASK_DEPS of ghosts", ghost, want->ghost_deps);
	expect(folder, file, "CODELET_DATA_HANDLE",
	       n[TV_FXT_CODELET_DATA_HANDLE - TV_FXT_FIRST_CODE], want->accesses);
	tv_bytes_release(&map);
}

/* ---- the tables ---- */

static bool of_rank(const struct tv_column *node, uint32_t row, int rank)
{
	char text[16];

	snprintf(text, sizeof text, "%d", rank);
	return strcmp(cell(node, row), text) == 0;
}

static void check_tasks(const struct tv_trace *trace, const char *folder, int rank,
			const struct file_truth *want)
{
	const struct tv_table *tasks = &trace->table[TV_TASKS];
	const struct tv_column *start = column(trace, TV_TASKS, "Start"),
			       *end = column(trace, TV_TASKS, "End");
	const struct tv_column *value = column(trace, TV_TASKS, "Value"),
			       *node = column(trace, TV_TASKS, "Node");
	const struct tv_column *resource = column(trace, TV_TASKS, "ResourceId");
	const struct tv_column *gflop = tv_table_find(tasks, "GFlop");
	int64_t executed = 0, first = INT64_MAX, last = 0;
	struct tally names = { .n = 0 };
	double total = 0;
	char text[TEXT];

	for (uint32_t row = 0; row < tasks->nrows; row++) {
		if (tv_missing(start, row) || tv_label(resource, row) == TV_NONE
		    || !of_rank(node, row, rank))
			continue;
		executed++;
		first = start->i[row] < first ? start->i[row] : first;
		last = end->i[row] > last ? end->i[row] : last;
		total += gflop == NULL || tv_missing(gflop, row) ? 0 : gflop->d[row];
		add(&names, cell(value, row));
	}
	expect(folder, rank, "executed tasks", executed, want->executed);
	expect(folder, rank, "first start", first, want->first_start);
	expect(folder, rank, "last end", last, want->last_end);
	snprintf(text, sizeof text, "%.6f", total);
	expect_text(folder, rank, "GFlop", text, want->gflop);
	write_tally(&names, " ", ", ", text);
	expect_text(folder, rank, "executed tasks by name", text, want->names);
}

static void check_transfers(const struct tv_trace *trace, const char *folder, int rank,
			    const struct file_truth *want)
{
	static const char *const kind[] = { "Fetch", "TaskPreFetch", "PreFetch", "IdleFetch" };
	const struct tv_table *links = &trace->table[TV_LINKS];
	int64_t n[4] = { 0 };

	for (uint32_t row = 0; row < links->nrows; row++) {
		const char *type = cell(column(trace, TV_LINKS, "Type"), row);
		const char *program = cell(column(trace, TV_LINKS, "ResourceId"), row);

		if (strncmp(type, "Intra-node data ", 16) != 0
		    || (strchr(program, '_') != NULL && program[0] - '0' != rank))
			continue;
		for (size_t i = 0; i < TV_COUNT(kind); i++)
			n[i] += strcmp(type + 16, kind[i]) == 0;
	}
	for (size_t i = 0; want->gflop != NULL && i < TV_COUNT(kind); i++)
		expect(folder, rank, kind[i], n[i], want->transfers[i]);
}

static int64_t count_rows(const struct tv_trace *trace, enum tv_table_id table, const char *type)
{
	int64_t n = 0;

	for (uint32_t row = 0; row < trace->table[table].nrows; row++)
		n += strcmp(cell(column(trace, table, "Type"), row), type) == 0;
	return n;
}

/* Tasks that the trace knows, executed or not. */
static int64_t count_jobs(const struct tv_trace *trace)
{
	const struct tv_column *job = column(trace, TV_TASKS, "JobId"),
			       *kind = column(trace, TV_TASKS, "Kind");
	uint8_t *seen = test_calloc(tv_pool_count(trace->pool), 1);
	int64_t n = 0;

	for (uint32_t row = 0; row < trace->table[TV_TASKS].nrows; row++)
		if (tv_label(job, row) != TV_NONE && strcmp(cell(kind, row), "message") != 0
		    && seen[tv_label(job, row)]++ == 0)
			n++;
	test_free(seen);
	return n;
}

static void check_workers(const struct tv_trace *trace, const char *folder,
			  const struct truth *want)
{
	const struct tv_table *tasks = &trace->table[TV_TASKS];
	const struct tv_column *start = column(trace, TV_TASKS, "Start"),
			       *end = column(trace, TV_TASKS, "End");
	const struct tv_column *resource = column(trace, TV_TASKS, "ResourceId");
	struct tally tally = { .n = 0 };
	int64_t busy = 0;
	char text[TEXT];

	if (want->workers == NULL)
		return;
	for (uint32_t row = 0; row < tasks->nrows; row++) {
		if (tv_missing(start, row))
			continue;
		busy += end->i[row] - start->i[row];
		add(&tally, cell(resource, row));
	}
	write_tally(&tally, ":", " ", text);
	expect_text(folder, 0, "executions by worker", text, want->workers);
	expect(folder, 0, "sum of durations", busy, want->busy);
}

static void check_messages(const struct tv_trace *trace, const char *folder,
			   const struct truth *want)
{
	const struct tv_table *links = &trace->table[TV_LINKS], *tasks = &trace->table[TV_TASKS];
	int64_t n = 0, bytes = 0, first = INT64_MAX, last = 0, edges = 0, early = 0, nodes = 0;

	if (want->ranks == 1)
		return;
	for (uint32_t row = 0; row < links->nrows; row++) {
		const struct tv_column *flag = tv_table_find(links, "Flag");
		int64_t start = column(trace, TV_LINKS, "Start")->i[row],
			end = column(trace, TV_LINKS, "End")->i[row];

		if (strcmp(cell(column(trace, TV_LINKS, "Type"), row), "MPI communication") != 0)
			continue;
		n++;
		bytes += column(trace, TV_LINKS, "Size")->i[row];
		first = start < first ? start : first;
		last = end > last ? end : last;
		early += strcmp(cell(flag, row), "early") == 0;
		assert_string_not_equal(cell(flag, row), "open");
	}
	for (uint32_t row = 0; row < tasks->nrows; row++) {
		bool message = strcmp(cell(column(trace, TV_TASKS, "Kind"), row), "message") == 0;
		const uint32_t *need;
		uint32_t nneeds;

		nodes += message;
		need = tv_list(column(trace, TV_TASKS, "DependsOn"), row, &nneeds);
		for (uint32_t i = 0; i < nneeds; i++)
			edges += message
			      || strncmp(tv_pool_text(trace->pool, need[i]), "mpicom_", 7) == 0;
	}
	expect(folder, 0, "messages", n, want->messages);
	expect(folder, 0, "messages in the task graph", nodes, want->messages);
	expect(folder, 0, "bytes", bytes, want->bytes);
	expect(folder, 0, "first send", first, want->first_send);
	expect(folder, 0, "last receive", last, want->last_receive);
	/* StarPU's converter does not find who takes the data of unexpected messages. */
	expect(folder, 0, "edges to or from messages", edges,
	       want->edges == UNTOLD ? UNTOLD : want->edges + unexpected(trace));
	expect(folder, 0, "receives before their sends", early, want->early);
}

static void numbers(void **state)
{
	(void)state;
	for (size_t i = 0; i < TV_COUNT(truths); i++) {
		const struct truth *want = &truths[i];
		struct tv_trace trace;
		char folder[SAMPLE_PATH];
		int64_t last_event = 0;

		if (!sample_folder(folder, want->sample, want->shared))
			continue;
		load(&trace, folder);
		for (int k = 0; k < want->ranks; k++) {
			check_records(folder, k, &want->file[k], &last_event);
			check_tasks(&trace, folder, k, &want->file[k]);
			check_transfers(&trace, folder, k, &want->file[k]);
		}
		expect(folder, 0, "last event", last_event, want->last_event);
		expect(folder, 0, "jobs", count_jobs(&trace), want->jobs);
		expect(folder, 0, "handles", trace.table[TV_HANDLES].nrows, want->handles);
		expect(folder, 0, "hints", count_rows(&trace, TV_EVENTS, "data wont use hint"),
		       want->hints);
		expect(folder, 0, "steals", count_rows(&trace, TV_LINKS, "Work steal"),
		       want->steals);
		check_workers(&trace, folder, want);
		check_messages(&trace, folder, want);
		tv_trace_release(&trace);
	}
}

/* ---- five versions of StarPU, one program ---- */

enum { JOBS = 1024, RUNS = 64, VERSIONS = 5 };

/* Executed tasks of both ranks in order of submission, and which of them each needs on its own
 * rank, through what did not run. */
struct program {
	struct tv_trace trace;
	uint32_t row[2 * RUNS];
	int n[2];
	bool needs[2 * RUNS][2 * RUNS];
};

static int run_of(const struct program *p, uint32_t row)
{
	for (int i = 0; i < 2 * RUNS; i++)
		if (i % RUNS < p->n[i / RUNS] && p->row[i] == row)
			return i;
	return -1;
}

static void order_runs(struct program *p)
{
	const struct tv_column *submit = column(&p->trace, TV_TASKS, "SubmitTime");

	for (uint32_t row = 0; row < p->trace.table[TV_TASKS].nrows; row++) {
		int rank = cell(column(&p->trace, TV_TASKS, "Node"), row)[0] - '0', at;

		if (tv_label(column(&p->trace, TV_TASKS, "ResourceId"), row) == TV_NONE
		    || tv_missing(column(&p->trace, TV_TASKS, "Start"), row))
			continue;
		assert_true(p->n[rank] < RUNS);
		for (at = p->n[rank]++;
		     at > 0 && submit->i[p->row[rank * RUNS + at - 1]] > submit->i[row]; at--)
			p->row[rank * RUNS + at] = p->row[rank * RUNS + at - 1];
		p->row[rank * RUNS + at] = row;
	}
}

static void follow(struct program *p, const uint32_t *row_of_job, int run, uint32_t row, bool *seen)
{
	const struct tv_column *depends = column(&p->trace, TV_TASKS, "DependsOn");
	uint32_t n;
	const uint32_t *need = tv_list(depends, row, &n);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t before = row_of_job[need[i]];
		int other;

		/* The receive of a message that came before it was asked for is not tied to its
		 * task. */
		if (before == TV_NONE || seen[before]
		    || strncmp(tv_pool_text(p->trace.pool, need[i]), "mpicom", 6) == 0)
			continue;
		seen[before] = true;
		other = run_of(p, before);
		if (other >= 0)
			p->needs[run][other] = true;
		else
			follow(p, row_of_job, run, before, seen);
	}
}

static void read_program(struct program *p, const char *version)
{
	char folder[SAMPLE_PATH];
	uint32_t *row_of_job, nrows;

	*p = (struct program){ .n = { 0 } };
	snprintf(folder, sizeof folder, "tests/data/fxt/%s", version);
	load(&p->trace, folder);
	order_runs(p);
	nrows = p->trace.table[TV_TASKS].nrows;
	row_of_job = test_malloc(tv_pool_count(p->trace.pool) * sizeof *row_of_job);
	memset(row_of_job, 0xff, tv_pool_count(p->trace.pool) * sizeof *row_of_job);
	for (uint32_t row = 0; row < nrows; row++)
		if (tv_label(column(&p->trace, TV_TASKS, "JobId"), row) != TV_NONE)
			row_of_job[tv_label(column(&p->trace, TV_TASKS, "JobId"), row)] = row;
	for (int i = 0; i < 2 * RUNS; i++) {
		bool *seen = test_calloc(nrows, sizeof *seen);

		if (i % RUNS < p->n[i / RUNS])
			follow(p, row_of_job, i, p->row[i], seen);
		test_free(seen);
	}
	test_free(row_of_job);
}

static int64_t count_needs(const struct program *p)
{
	int64_t n = 0;

	for (int i = 0; i < 2 * RUNS; i++)
		for (int k = 0; k < 2 * RUNS; k++)
			n += p->needs[i][k];
	return n;
}

/* How many messages go from a rank under a tag. */
static int64_t count_tag(const struct tv_trace *trace, const char *origin, const char *tag)
{
	int64_t n = 0;

	for (uint32_t row = 0; row < trace->table[TV_LINKS].nrows; row++)
		n += strcmp(cell(column(trace, TV_LINKS, "Origin"), row), origin) == 0
		  && strcmp(cell(column(trace, TV_LINKS, "Tag"), row), tag) == 0;
	return n;
}

static void generations_agree(void **state)
{
	static const char *const version[VERSIONS] = { "1.2.11", "1.3.4", "1.3.11", "1.4.0",
						       "1.4.12" };
	struct program *first = test_malloc(sizeof *first), *other = test_malloc(sizeof *other);

	(void)state;
	read_program(first, version[0]);
	assert_int_equal(count_needs(first), 73);
	for (int v = 1; v < VERSIONS; v++) {
		read_program(other, version[v]);
		assert_memory_equal(first->n, other->n, sizeof first->n);
		for (int i = 0; i < 2 * RUNS; i++)
			if (i % RUNS < first->n[i / RUNS])
				assert_string_equal(cell(column(&first->trace, TV_TASKS, "Value"),
							 first->row[i]),
						    cell(column(&other->trace, TV_TASKS, "Value"),
							 other->row[i]));
		assert_memory_equal(first->needs, other->needs, sizeof first->needs);
		for (int tag = 95; tag < 115; tag++) {
			char text[16];

			snprintf(text, sizeof text, "%d", tag);
			assert_int_equal(count_tag(&first->trace, "0_mpict", text),
					 count_tag(&other->trace, "0_mpict", text));
			assert_int_equal(count_tag(&first->trace, "1_mpict", text),
					 count_tag(&other->trace, "1_mpict", text));
		}
		tv_trace_release(&other->trace);
	}
	tv_trace_release(&first->trace);
	test_free(first);
	test_free(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),
		cmocka_unit_test(generations_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
