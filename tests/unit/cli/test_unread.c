/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_unread.c -- tables that nobody reads are left empty, and nobody reads them: readers fill the
 * others as usual; passes and panels read only the tables that they declare.
 */
#include "tests/unit/figure.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/passes.h"
#include "views/panels.h"

enum { READS = 77 }; /* exit status of who reads a table that it did not declare */

static const char *const foreign[] = {
	"data/cholesky-paje",
	"data/cholesky-paje/paje.trace.zst",
	"tests/data/paje/head.trace",
	"tests/data/paje-2ranks/paje.trace.zst",
	"tests/data/fxt/1.2.11",
	"tests/data/fxt/1.3.4",
	"tests/data/fxt/1.3.11",
	"tests/data/fxt/1.4.0",
	"tests/data/fxt/1.4.12",
	"tests/data/fxt/1.4.12-parallel",
	"tests/data/fxt/cholesky-12-2ranks",
	"tests/data/fxt/cholesky-12-dmdas",
	"tests/data/fxt/cholesky-12-dmdas-1.3",
	"tests/data/fxt/cholesky-12-dmdas/prof_file_0.zst",
};

static const char *const native[] = {
	"data/cholesky.csv", "data/cholesky-2nodes",   "data/cholesky-decisions", "data/mpi-halo",
	"data/mpi-steps",    "data/qr-mumps-like.csv", "data/mpi-overlap",	  "data/placement",
};

static void load(struct tv_trace *trace, const char *path, unsigned unread, bool strict)
{
	const struct tv_read_options options = { .unread = unread, .strict = strict };
	struct tv_error err = { 0 };

	tv_trace_init(trace, &options);
	if (tv_load(path, trace, NULL, NULL, &err) != 0)
		fail_msg("%s: %s", path, err.text);
}

/* ---- tables ---- */

static void test_rows(void **state)
{
	struct tv_pool *pool = tv_pool_new();
	struct tv_table table;
	struct tv_error err;
	const uint32_t one = tv_intern_text(pool, "one");
	struct tv_column *column[6];
	uint32_t row;

	(void)state;
	tv_table_init(&table, pool);
	for (int type = 0; type < 6; type++)
		column[type] = tv_table_column(&table, tv_type_name(type), (enum tv_type)type,
					       &err);
	table.unread = true;
	tv_table_reserve(&table, 1000);
	row = tv_table_add_row(&table);
	assert_int_equal(row, TV_NONE);
	tv_set_int(column[TV_TIME], row, 1);
	tv_set_int(column[TV_INT], row, 1);
	tv_set_double(column[TV_DOUBLE], row, 1);
	tv_set_label(column[TV_LABEL], row, one);
	tv_set_label(column[TV_LABEL], row, TV_NONE);
	tv_set_text(column[TV_LABEL], row, "two");
	tv_set_text(column[TV_TEXT], row, "text");
	tv_set_list(column[TV_LIST], row, &one, 1);
	tv_set_words(column[TV_LIST], row, "three four", 10);
	tv_table_finish(&table);
	assert_int_equal(table.nrows, 0);
	for (int type = 0; type < 6; type++) {
		assert_int_equal(column[type]->n, 0);
		assert_null(column[type]->i);
		assert_null(column[type]->bytes);
		assert_null(column[type]->items);
	}
	assert_int_equal(tv_pool_find_text(pool, "two"), one + 1);
	assert_int_equal(tv_pool_find_text(pool, "four"), one + 3);
	assert_int_equal(tv_pool_count(pool), one + 4);
	tv_table_release(&table);
	tv_pool_free(pool);
}

/* ---- readers ---- */

static void check_column(const char *path, const struct tv_column *a, const struct tv_column *b,
			 uint32_t nrows)
{
	assert_string_equal(a->name, b->name);
	assert_int_equal(a->type, b->type);
	for (uint32_t row = 0; row < nrows; row++) {
		bool equal = tv_missing(a, row) == tv_missing(b, row);

		if (equal && tv_missing(a, row))
			continue;
		if (a->type == TV_TIME || a->type == TV_INT || a->type == TV_DOUBLE)
			equal = equal && a->i[row] == b->i[row];
		else
			equal = equal && a->u[row] == b->u[row];
		if (!equal)
			fail_msg("%s: row %u of %s", path, row, a->name);
	}
	assert_int_equal(a->nitems, b->nitems);
	if (a->nitems > 0)
		assert_memory_equal(a->type == TV_TEXT ? (void *)a->bytes : a->items,
				    a->type == TV_TEXT ? (void *)b->bytes : b->items,
				    a->nitems * (a->type == TV_TEXT ? 1 : sizeof *a->items));
}

/* Whether the traces are equal but for the tables that are unread. */
static void check_rest(const char *path, const struct tv_trace *all, const struct tv_trace *part,
		       unsigned unread)
{
	for (uint32_t i = 0; i < tv_pool_count(all->pool); i++)
		if (i >= tv_pool_count(part->pool)
		    || strcmp(tv_pool_text(all->pool, i), tv_pool_text(part->pool, i)) != 0)
			fail_msg("%s: label %u is not %s", path, i, tv_pool_text(all->pool, i));
	assert_int_equal(all->diagnostics.n, part->diagnostics.n);
	for (size_t i = 0; i < all->diagnostics.n; i++)
		assert_string_equal(all->diagnostics.at[i].text, part->diagnostics.at[i].text);
	for (int id = 0; id < TV_NTABLES; id++) {
		const struct tv_table *a = &all->table[id], *b = &part->table[id];

		if (unread >> id & 1) {
			assert_int_equal(b->nrows, 0);
			continue;
		}
		if (a->nrows != b->nrows)
			fail_msg("%s: %u rows of %s, expected %u", path, b->nrows,
				 tv_schema[id].name, a->nrows);
		if (a->nrows == 0)
			continue;
		assert_int_equal(a->ncols, b->ncols);
		for (size_t i = 0; i < a->ncols; i++)
			check_column(path, a->col[i], b->col[i], a->nrows);
	}
}

static void test_readers(void **state)
{
	static const unsigned sets[] = { 1u << TV_STATES, 1u << TV_VARIABLES, 1u << TV_EVENTS,
					 TV_OMITTABLE };
	uint32_t omitted[TV_NTABLES] = { 0 };

	(void)state;
	for (size_t i = 0; i < TV_COUNT(foreign); i++) {
		bool joined = strcmp(foreign[i], "data/cholesky-paje") == 0;
		struct tv_trace all, part;

		load(&all, foreign[i], 0, false);
		for (size_t k = 0; k < TV_COUNT(sets); k++) {
			load(&part, foreign[i], sets[k], false);
			check_rest(foreign[i], &all, &part, joined ? 0 : sets[k]);
			tv_trace_release(&part);
		}
		for (int id = 0; id < TV_NTABLES && !joined; id++)
			omitted[id] += all.table[id].nrows;
		tv_trace_release(&all);
	}
	assert_true(omitted[TV_STATES] > 0 && omitted[TV_VARIABLES] > 0 && omitted[TV_EVENTS] > 0);
}

/* A Paje trace: definitions, then these lines. */
static void load_lines(struct tv_trace *trace, const char *lines, unsigned unread)
{
	static const char path[] = "unread.trace";
	static const char head[] =
		"%EventDef PajeDefineContainerType 0\n% Name string\n% Type string\n"
		"%EndEventDef\n"
		"%EventDef PajeDefineStateType 1\n% Name string\n% Type string\n"
		"%EndEventDef\n"
		"%EventDef PajeCreateContainer 2\n% Time date\n% Name string\n"
		"% Type string\n% Container string\n%EndEventDef\n"
		"%EventDef PajeSetState 3\n% Time date\n% Type string\n"
		"% Container string\n% Value string\n%EndEventDef\n"
		"%EventDef PajeSetState 4\n% Time date\n% Type string\n"
		"% Container string\n% Value string\n% JobId string\n"
		"% Size int\n%EndEventDef\n"
		"%EventDef PajePopState 5\n% Time date\n% Type string\n"
		"% Container string\n% Size int\n%EndEventDef\n"
		"0 C 0\n1 S C\n1 T C\n2 0 w C 0\n";
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fprintf(file, "%s%s", head, lines);
	assert_int_equal(fclose(file), 0);
	load(trace, path, unread, false);
	assert_int_equal(remove(path), 0);
}

/* What the tables that are unread might change, did not the reader read them all the same. */
static void test_kept(void **state)
{
	static const char *const lines[] = {
		/* no tasks */
		"3 1 S w a\n3 2 S w b\n",
		/* no work: a task of the runtime; t = 0 is the first state */
		"3 1 S w a\n4 2 T w _starpu_x 1 8\n3 4 S w c\n",
		/* a field that is no number, of an end whose begin has the field */
		"3 1 S w a\n4 2 T w work 1 8\n4 3 S w x 1 8\n5 4 S w bad\n",
		/* times that lie far apart */
		"3 -4e9 S w a\n4 2 T w work 1 8\n3 4e9 S w c\n",
	};
	struct tv_trace all, part;

	(void)state;
	for (size_t i = 0; i < TV_COUNT(lines); i++) {
		load_lines(&all, lines[i], 0);
		load_lines(&part, lines[i], TV_OMITTABLE);
		assert_true(all.table[TV_STATES].nrows > 0);
		check_rest(lines[i], &all, &part, 0);
		tv_trace_release(&all);
		tv_trace_release(&part);
	}
	load(&all, foreign[1], 0, false);
	load(&part, foreign[1], TV_OMITTABLE, true);
	check_rest("strict", &all, &part, 0);
	tv_trace_release(&all);
	tv_trace_release(&part);
}

/* ---- who reads what ---- */

static void on_fault(int signal)
{
	(void)signal;
	_exit(READS);
}

/* In a process of its own: the tables cannot be read. */
static void lock(struct tv_trace *trace, unsigned tables)
{
	void *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_true(page != MAP_FAILED);
	signal(SIGSEGV, on_fault);
	signal(SIGABRT, on_fault); /* of tv_trace_table */
	assert_non_null(freopen("/dev/null", "w", stderr));
	trace->undeclared = tables;
	for (int id = 0; id < TV_NTABLES; id++)
		if (tables >> id & 1)
			trace->table[id].col = page;
}

static int status_of(pid_t child)
{
	int status;

	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* The tables that `words` do not name, which has no other words than names of tables. */
static unsigned undeclared(const char *words)
{
	unsigned unread = TV_OMITTABLE;

	for (const char *s = words != NULL ? words : ""; *s != '\0';) {
		size_t n = strcspn(s, " ");
		int id = 0;

		while (id < TV_NTABLES
		       && (strlen(tv_schema[id].name) != n
			   || strncmp(tv_schema[id].name, s, n) != 0))
			id++;
		if (id == TV_NTABLES)
			fail_msg("no table is named '%.*s'", (int)n, s);
		unread &= ~(1u << id);
		s += n + (s[n] == ' ');
	}
	return unread;
}

static bool pass_reads(const struct tv_trace *trace, const struct tv_pass *pass,
		       const char *const *value, unsigned tables)
{
	pid_t child = fork();

	if (child == 0) {
		struct tv_trace mine = *trace;
		struct tv_error err = { 0 };
		struct tv_run run;

		mine.options.unread = tables;
		lock(&mine, tables);
		tv_run_init(&run, &mine, 0);
		_exit(tv_run_pass(&run, pass->name, value, &err) == NULL);
	}
	return status_of(child) == READS;
}

static void complain(const struct tv_pass *pass, const char *option, const char *path,
		     const struct tv_trace *trace, const char *const *value, unsigned unread)
{
	for (int id = 0; id < TV_NTABLES; id++)
		if ((unread >> id & 1) && pass_reads(trace, pass, value, 1u << id))
			fail_msg("%s %s of %s reads %s, which its row does not declare", pass->name,
				 option, path, tv_schema[id].name);
}

/* A pass without options, then with each of its flags and each word that an option accepts. */
static void check_pass(const char *path, const struct tv_trace *trace, const struct tv_pass *pass,
		       uint32_t read[TV_NTABLES])
{
	const char **value = tv_alloc(pass->noptions, sizeof *value);
	unsigned unread = undeclared(pass->needs);

	for (int id = 0; id < TV_NTABLES; id++)
		if (TV_OMITTABLE >> id & ~unread >> id & 1)
			read[id] += pass_reads(trace, pass, value, 1u << id);
	if (pass_reads(trace, pass, value, unread))
		complain(pass, "", path, trace, value, unread);
	for (size_t i = 0; i < pass->noptions; i++) {
		const struct tv_option_spec *spec = &pass->option[i];
		char *words = tv_strdup(spec->argument == NULL		 ? ""
					: spec->kind == TV_OPTION_CHOICE ? spec->argument
									 : "-");
		char *rest = words;

		for (const char *word;
		     strcmp(words, "-") != 0 && (word = strsep(&rest, "|")) != NULL;) {
			value[i] = word;
			if (pass_reads(trace, pass, value, unread))
				complain(pass, spec->name, path, trace, value, unread);
		}
		value[i] = NULL;
		tv_free(words);
	}
	tv_free(value);
}

static void check_passes(const char *path, uint32_t read[TV_NTABLES])
{
	struct tv_trace trace;

	load(&trace, path, 0, false);
	for (size_t i = 0; i < tv_npasses; i++)
		check_pass(path, &trace, tv_passes[i], read);
	tv_trace_release(&trace);
}

static void test_passes(void **state)
{
	uint32_t read[TV_NTABLES] = { 0 };

	(void)state;
	for (size_t i = 0; i < TV_COUNT(foreign); i++)
		check_passes(foreign[i], read);
	for (size_t i = 0; i < TV_COUNT(native); i++)
		check_passes(native[i], read);
	/* That a table was read is seen. */
	assert_true(read[TV_STATES] > 10 && read[TV_VARIABLES] > 10 && read[TV_EVENTS] > 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_readers),
		cmocka_unit_test(test_kept),
		cmocka_unit_test(test_passes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
