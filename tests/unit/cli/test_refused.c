/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_refused.c -- verbs refuse a trace without the tables that they need before its rows are read, with the same words. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/passes.h"
#include "cli/refused.h"
#include "cli/unread.h"
#include "convert/parquet/parquet.h"

enum { ROWS = 20000, GROUP = 5000 };

static char folder[] = "/tmp/test_refused.XXXXXX";
static char *file, *states;

static void write_table(struct tv_trace *trace, enum tv_table_id id, const char *path)
{
	struct tv_error err = { 0 };
	struct tv_output out;

	tv_table_finish(&trace->table[id]);
	if (tv_output_open(&out, path, &err) < 0
	    || tv_parquet_write_groups(&trace->table[id], tv_schema[id].name, "Start", GROUP, &out,
				       &err)
		       < 0
	    || tv_output_commit(&out, &err) < 0)
		fail_msg("%s", err.text);
}

/* Makes all rows of the file unreadable but those of the first group. */
static void damage(void)
{
	struct stat st;
	FILE *f = fopen(file, "r+");

	assert_non_null(f);
	assert_int_equal(fstat(fileno(f), &st), 0);
	assert_int_equal(fseek(f, st.st_size / 2, SEEK_SET), 0);
	for (off_t i = 0; i < st.st_size / 8; i++)
		putc(0xff, f);
	assert_int_equal(fclose(f), 0);
}

static struct tv_cli parse(const char *const *word, const char *path)
{
	char *argv[8] = { (char *)(uintptr_t) "traceviz" };
	struct tv_error err = { 0 };
	struct tv_cli cli;
	int n = 1;

	for (; word[n - 1] != NULL; n++)
		argv[n] = (char *)(uintptr_t)word[n - 1];
	argv[n++] = (char *)(uintptr_t)path;
	if (tv_cli_parse(&cli, n, argv, &err) < 0)
		fail_msg("%s", err.text);
	cli.quiet = true;
	cli.read.unread = tv_unread_by_pass(&cli);
	return cli;
}

/* How the verb fails that reads all rows. */
static struct tv_error fail_late(const struct tv_cli *cli)
{
	struct tv_error err = { 0 };
	struct tv_session session;

	if (tv_session_open(&session, cli, &err) == 0)
		assert_null(tv_run_pass(&session.run, cli->verb.pass->name, cli->own_value, &err));
	tv_session_close(&session);
	return err;
}

/* Those of its options without which it is no right usage. */
static const char *first_word(const struct tv_pass *pass)
{
	return strcmp(pass->name, "derive") == 0 ? "a=b/c" : NULL;
}

static bool early(const char *const *word, const char *path, struct tv_error *err)
{
	struct tv_cli cli = parse(word, path);

	return tv_refused_early(&cli, err);
}

static void test_words(void **state)
{
	struct tv_error err[64], late;
	size_t n = 0;

	(void)state;
	for (size_t i = 0; i < tv_npasses; i++) {
		const char *word[] = { tv_passes[i]->name, first_word(tv_passes[i]), NULL };
		struct tv_cli cli = parse(word, file);

		err[n] = (struct tv_error){ 0 };
		if (!tv_passes[i]->refuses_tasks) {
			assert_false(tv_refused_early(&cli, &err[n]));
			continue;
		}
		if (!tv_refused_early(&cli, &err[n]))
			fail_msg("%s is not refused early", word[0]);
		late = fail_late(&cli);
		assert_string_equal(err[n].text, late.text);
		assert_int_equal(err[n++].status, late.status);
	}
	assert_true(n > 20);
	damage();
	n = 0;
	for (size_t i = 0; i < tv_npasses; i++) {
		const char *word[] = { tv_passes[i]->name, first_word(tv_passes[i]), NULL };
		struct tv_cli cli = parse(word, file);

		if (!tv_passes[i]->refuses_tasks)
			continue;
		assert_true(tv_refused_early(&cli, &late));
		assert_string_equal(late.text, err[n++].text);
		late = fail_late(&cli);
		assert_non_null(strstr(late.text, "damaged"));
	}
}

/* Where more than the tables decides what is said, or there is a table. */
static void test_others(void **state)
{
	static const char *const words[][4] = {
		{ "states", "--resource", "CPU1" },  { "states", "--begin", "5" },
		{ "states", "--where", "Nope > 1" }, { "states", "--kind", "setup" },
		{ "states", "--task-state", "x" },   { "summary" },
	};
	struct tv_error err = { 0 };

	(void)state;
	for (size_t i = 0; i < TV_COUNT(words); i++)
		assert_false(early(words[i], file, &err));
	assert_true(early((const char *const[]){ "states", NULL }, folder, &err));
	assert_int_equal(rename(states, tv_format("%s/states.parquet", folder)), 0);
	assert_false(early((const char *const[]){ "states", NULL }, folder, &err));
	assert_true(early((const char *const[]){ "events", NULL }, folder, &err));
}

static void make_files(void)
{
	char *text = tv_strdup("ResourceId,Value,Start,End\n");
	struct tv_trace trace;
	uint32_t row;

	for (unsigned i = 0; i < ROWS; i++)
		tv_append(&text, "CPU%u,a%u,%u,%u\n", i % 4, i % 7, i / 4 * 10,
			  i / 4 * 10 + 3 + i % 5);
	unit_trace(&trace, NULL, text);
	file = tv_format("%s/tasks.parquet", folder);
	states = tv_format("%s/other", folder);
	write_table(&trace, TV_TASKS, file);
	row = tv_table_add_row(&trace.table[TV_STATES]);
	tv_native_require(&trace, TV_STATES);
	tv_set_text(tv_trace_column(&trace, TV_STATES, "ResourceId"), row, "CPU0");
	tv_set_text(tv_trace_column(&trace, TV_STATES, "Type"), row, "Worker State");
	tv_set_text(tv_trace_column(&trace, TV_STATES, "Value"), row, "Idle");
	tv_set_int(tv_trace_column(&trace, TV_STATES, "Start"), row, 3);
	tv_set_int(tv_trace_column(&trace, TV_STATES, "End"), row, 4);
	write_table(&trace, TV_STATES, states);
	tv_trace_release(&trace);
	tv_free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_words),
					    cmocka_unit_test(test_others) };
	int failed;

	if (mkdtemp(folder) == NULL)
		return 1;
	make_files();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	remove(file);
	remove(tv_format("%s/states.parquet", folder));
	rmdir(folder);
	return failed;
}
