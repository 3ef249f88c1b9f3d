/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_sql.c -- traceviz sql: a query over the tables of traces, the results of verbs and standard input. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/passes.h"
#include "cli/cmd_sql.h"
#include "cli/options.h"
#include "trace/alloc.h"
#include "trace/csv.h"
#include "trace/text.h"

struct asked {
	int64_t timeout;
};

const struct tv_option_spec tv_sql_options[TV_SQL_OPTIONS] = {
	{ "timeout", "TIME", "60s", "end a query that takes longer, in ms or with a unit",
	  TV_OPTION_TIME, 1e6, 1e17, TV_ASKED(timeout) },
};

void tv_describe_sql(const struct tv_verb *verb, struct tv_output *out)
{
	(void)verb;
	tv_output_text(out,
		       "\nTables: those of the trace under their names (tasks, states, links, "
		       "meta, ...) with the columns of\n"
		       "CSV, and for each time one in ns (Start_ns); edges (JobId, "
		       "DependsOn); the result of each verb\n"
		       "(idle_causes, with options \"idle_causes --by culprit\"); input, a CSV on "
		       "standard input. With labels\n"
		       "(a=RUN b=RUN) names begin with the label: a_tasks. Without QUERY the "
		       "columns are listed.\n"
		       "Besides the functions of SQLite there are quantile(x, q), "
		       "overlap(start, end, from, to) and\n"
		       "covered(start, end). docs/sql.md has examples.\n");
}

#ifdef TV_HAVE_SQLITE

#include <glib.h>
#include <unistd.h>

#include "sql/query.h"
#include "sql/tables.h"

/* The result of a pass, once a query names it. */
struct of_pass {
	struct tv_run *run;
	const struct tv_pass *pass;
	struct tv_table joined; /* of a pass that annotates tasks */
	struct tv_cli command;	/* with options; zeroed = without */
	char **word;		/* of the command */
};

static const struct tv_table *get_pass(void *context, struct tv_error *err)
{
	struct of_pass *of = context;
	const struct tv_table *result = tv_run_pass(of->run, of->pass->name, of->command.own_value,
						    err);

	if (result == NULL || of->pass->kind != TV_ANNOTATE)
		return result;
	tv_annotate_tasks(&of->run->trace->table[TV_TASKS], result, &of->joined);
	return &of->joined;
}

static void release_pass(void *context)
{
	struct of_pass *of = context;

	tv_table_release(&of->joined);
	if (of->word != NULL)
		tv_cli_release(&of->command);
	g_strfreev(of->word);
	tv_free(of);
}

/* A name that tables of traces have remains theirs, whether or not this trace has that one. */
static void add_passes(struct sqlite3 *db, struct tv_run *run, const char *prefix)
{
	for (size_t i = 0; i < tv_npasses; i++) {
		struct of_pass *of;
		char *name;

		if (tv_sql_is_table(tv_passes[i]->name))
			continue;
		of = tv_alloc(1, sizeof *of);
		*of = (struct of_pass){ .run = run, .pass = tv_passes[i] };
		name = tv_sql_name_of_pass(prefix, tv_passes[i]);
		tv_sql_add(db, name, (struct tv_sql_source){ get_pass, NULL, of, release_pass });
		tv_free(name);
	}
}

/* ---- verbs with options: "idle_causes --by culprit" ---- */

/* The words of a command, as a shell finds them, behind two in place of its name: for tv_cli_parse. */
static char **words_of(const struct tv_pass *pass, const char *name, const char *options,
		       struct tv_error *err)
{
	char *line = tv_format("traceviz %s %s", pass->name, options), **word = NULL;

	if (!g_shell_parse_argv(line, NULL, &word, NULL))
		tv_fail(err, "%s: a quote without its second one, expected --option 'value'", name);
	tv_free(line);
	return word;
}

/* The options of the verb itself; those of reading, choosing rows and output are of the query. */
static int check_command(const struct of_pass *of, struct tv_error *err)
{
	for (size_t i = 0; i < of->command.ngiven; i++)
		if (tv_option_name(of->command.given[i].code)[0] != '\0')
			return tv_fail(err,
				       "--%s in the name of a table, expected an option of %s "
				       "alone",
				       tv_option_name(of->command.given[i].code), of->pass->name);
	if (of->command.ntraces > 0)
		return tv_fail(err, "'%s' in the name of a table, expected options of %s",
			       of->command.trace[0].path, of->pass->name);
	return tv_pass_check(of->pass, of->command.own_value, err);
}

static int parse_command(struct of_pass *of, const char *name, struct tv_error *err)
{
	of->word = words_of(of->pass, name, name + strcspn(name, " "), err);
	if (of->word == NULL
	    || tv_cli_parse(&of->command, (int)g_strv_length(of->word), of->word, err) < 0)
		return -1;
	return check_command(of, err);
}

/* The pass that the first n bytes of the name of a table are; NULL = none. */
static const struct tv_pass *pass_named(const char *prefix, const char *name, size_t n)
{
	for (size_t i = 0; i < tv_npasses; i++) {
		char *full = tv_sql_name_of_pass(prefix, tv_passes[i]);
		bool equal = strlen(full) == n && strncmp(full, name, n) == 0;

		tv_free(full);
		if (equal)
			return tv_passes[i];
	}
	return NULL;
}

/* Adds the table of a name that is a verb with options, of the run with this prefix: 1; 0 if it is none. */
static int add_command(struct sqlite3 *db, struct tv_run *run, const char *prefix, const char *name,
		       struct tv_error *err)
{
	size_t n = strcspn(name, " ");
	const struct tv_pass *pass = name[n] == ' ' ? pass_named(prefix, name, n) : NULL;
	struct of_pass *of;
	int rc;

	if (pass == NULL)
		return 0;
	of = tv_alloc(1, sizeof *of);
	*of = (struct of_pass){ .run = run, .pass = pass };
	rc = parse_command(of, name, err);
	tv_sql_add(db, name, (struct tv_sql_source){ get_pass, NULL, of, release_pass });
	return rc < 0 ? -1 : 1;
}

/* ---- standard input ---- */

struct of_input {
	const struct tv_cli *cli;
	struct tv_table table;
};

static const struct tv_table *get_input(void *context, struct tv_error *err)
{
	struct of_input *of = context;
	struct tv_pool *pool;
	struct tv_input in;
	int rc;

	if (of->cli->receiver != NULL) {
		tv_fail(err, "input: standard input belongs to the program, expected "
			     "a table of a trace");
		return NULL;
	}
	for (size_t i = 0; i < of->cli->ntraces; i++)
		if (strcmp(of->cli->trace[i].path, "-") == 0) {
			tv_fail(err, "standard input is the trace, expected a file for one of it "
				     "and input");
			return NULL;
		}
	if (tv_input_open(&in, "-", err) < 0)
		return NULL;
	pool = tv_pool_new();
	tv_table_init(&of->table, pool);
	tv_pool_free(pool);
	rc = tv_csv_read_plain(&in, &of->table, err);
	tv_input_close(&in);
	return rc == 0 ? &of->table : NULL;
}

static void release_input(void *context)
{
	struct of_input *of = context;

	tv_table_release(&of->table);
	tv_free(of);
}

/* ---- the command ---- */

/* What precedes the names of the tables of a run: nothing, or the label and _. */
static char *prefix_of(const struct tv_cli *cli, const struct tv_runs *runs, size_t i)
{
	return runs->n == 1 && cli->trace[0].label == NULL ? tv_strdup("")
							   : tv_format("%s_", runs->label[i]);
}

static int add_tables(struct sqlite3 *db, const struct tv_cli *cli, struct tv_runs *runs,
		      struct tv_error *err)
{
	struct of_input *of = tv_alloc(1, sizeof *of);

	of->cli = cli;
	tv_sql_add(db, "input", (struct tv_sql_source){ get_input, NULL, of, release_input });
	if (runs->nsides < runs->n)
		return tv_fail_usage(err, "a label is given twice, expected one for each trace");
	for (size_t i = 0; i < runs->n; i++) {
		char *prefix = prefix_of(cli, runs, i);

		add_passes(db, &runs->session[i].run, prefix);
		tv_sql_add_trace(db, runs->session[i].trace, prefix);
		tv_free(prefix);
	}
	return 0;
}

/* Adds the columns of a table that a query names to a message; left: also those of the trace that are not read. */
static void name_columns(struct sqlite3 *db, const char *query, const char *table,
			 const struct tv_trace *left, struct tv_error *err)
{
	struct tv_sql_result result = { 0 };
	struct tv_name_list names = { .n = 0 };
	struct tv_error none;
	size_t used = strlen(err->text);
	size_t n;
	char *text;

	if (!tv_sql_names_table(query, table))
		return;
	text = tv_format("SELECT name FROM pragma_table_info('%s')", table);
	if (tv_sql_query(db, text, INT64_C(10000000000), &result, &none) == 0)
		for (uint32_t row = 0; row < result.table.nrows; row++) {
			const char *s = tv_string(result.table.col[0], row, &n);
			char *name = tv_strndup(s, n), clean[64];

			tv_name_list_add(&names, tv_clean_text(clean, sizeof clean, name));
			tv_free(name);
		}
	for (size_t i = 0; left != NULL && i < left->nleft; i++)
		tv_name_list_add(&names, left->left[i]);
	if (names.n > 0)
		snprintf(err->text + used, sizeof err->text - used, "; %s has %s", table,
			 tv_name_list_text(&names));
	tv_sql_result_release(&result);
	tv_free(text);
}

/* Adds the names that there are to a message about one that there is not. */
static void name_tables(struct sqlite3 *db, const struct tv_cli *cli, const struct tv_runs *runs,
			const char *query, struct tv_error *err)
{
	struct tv_name_list names = { .n = 0 };
	size_t used = strlen(err->text);

	if (strncmp(err->text, "no such column", 14) == 0)
		for (size_t i = 0; i < runs->n; i++) {
			const struct tv_trace *trace = runs->session[i].trace;
			const char *name[TV_NTABLES + 1];
			size_t n = tv_sql_names(trace, name);
			char *prefix = prefix_of(cli, runs, i);

			for (size_t k = 0; k < n + tv_npasses; k++) {
				char *full = k < n ? tv_format("%s%s", prefix, name[k])
						   : tv_sql_name_of_pass(prefix, tv_passes[k - n]);

				name_columns(db, query, full,
					     k < n && strcmp(name[k], "tasks") == 0 ? trace : NULL,
					     err);
				tv_free(full);
			}
			tv_free(prefix);
		}
	if (runs->n == 0 || strncmp(err->text, "no such table", 13) != 0)
		return;
	for (size_t i = 0; i < runs->n; i++) {
		const char *name[TV_NTABLES + 1];
		size_t n = tv_sql_names(runs->session[i].trace, name);
		char *prefix = prefix_of(cli, runs, i);

		for (size_t k = 0; k < n; k++) {
			char *full = tv_format("%s%s", prefix, name[k]);

			tv_name_list_add(&names, full);
			tv_free(full);
		}
		tv_free(prefix);
	}
	snprintf(err->text + used, sizeof err->text - used,
		 "; there are input, results of verbs, with _ for - (idle_causes), %s",
		 tv_name_list_text(&names));
}

/* Adds the table that a query has not found, if it is a verb with options: 1; else 0, the message is as it was. */
static int add_missing(struct sqlite3 *db, const struct tv_cli *cli, struct tv_runs *runs,
		       struct tv_error *err)
{
	static const char none[] = "no such table: ";
	int rc = 0;

	for (size_t i = 0; i < runs->n && rc == 0 && strncmp(err->text, none, sizeof none - 1) == 0;
	     i++) {
		char *prefix = prefix_of(cli, runs, i);
		char *name = tv_strndup(err->text + sizeof none - 1,
					strcspn(err->text + sizeof none - 1, "\n"));

		rc = add_command(db, &runs->session[i].run, prefix, name, err);
		tv_free(name);
		tv_free(prefix);
	}
	return rc;
}

static int64_t timeout_of(const struct tv_cli *cli)
{
	struct asked asked;

	tv_cli_own_fill(cli, &asked, sizeof asked);
	return asked.timeout;
}

static int answer(const struct tv_cli *cli, struct tv_runs *runs, const char *query,
		  struct tv_error *err)
{
	struct sqlite3 *db = tv_sql_open();
	struct tv_sql_result result = { 0 };
	int64_t timeout = timeout_of(cli);
	int rc = add_tables(db, cli, runs, err);

	if (rc == 0)
		rc = tv_sql_query(db, query, timeout, &result, err);
	while (rc < 0 && add_missing(db, cli, runs, err) > 0)
		rc = tv_sql_query(db, query, timeout, &result, err);
	if (rc < 0)
		name_tables(db, cli, runs, query, err);
	tv_runs_print_warnings(runs, cli);
	if (rc == 0)
		rc = tv_print_table(cli, &result.table, NULL, 0, err);
	tv_sql_result_release(&result);
	tv_sql_close(db);
	return rc;
}

/* Whether an argument is a trace and no query: what has no blank, or is there. */
static bool is_trace(const struct tv_trace_argument *argument)
{
	return argument->label != NULL || strpbrk(argument->path, " \t\n(*;") == NULL
	    || access(argument->path, F_OK) == 0;
}

static int open_and_answer(const struct tv_cli *cli, const char *query, struct tv_error *err)
{
	struct tv_runs runs = { 0 };
	int rc = 0;

	if (cli->ntraces > 1 || (cli->ntraces == 1 && cli->trace[0].label != NULL))
		rc = tv_runs_open(&runs, cli, err);
	else if (cli->ntraces == 1)
		rc = tv_runs_open_one(&runs, cli, err);
	if (rc == 0)
		rc = answer(cli, &runs, query, err);
	tv_runs_close(&runs);
	return rc;
}

/* First with the rows of tasks that the query's conditions are about, then with what it names; what is wrong is said
 * as of a trace that is read as a whole. */
static int answer_planned(const struct tv_cli *cli, const char *query, struct tv_error *err)
{
	struct tv_cli reading = *cli;
	char *columns = tv_sql_plan(&reading, query, &reading.read.unread);
	int rc = 0;

	reading.read.columns = columns;
	if (columns != NULL)
		rc = tv_sql_answer_chosen(&reading, query, timeout_of(cli), err);
	if (rc == 0)
		rc = open_and_answer(&reading, query, err) < 0 ? -1 : 1;
	if (rc < 0 && columns != NULL && strstr(err->text, "--timeout") == NULL) {
		reading.read = cli->read;
		reading.quiet = true;
		*err = (struct tv_error){ 0 };
		rc = open_and_answer(&reading, query, err);
	}
	tv_free(columns);
	return rc < 0 ? -1 : 0;
}

int tv_cmd_sql(const struct tv_cli *cli, struct tv_error *err)
{
	struct tv_cli reading = *cli;
	const char *query = NULL;

	if (cli->ntraces > 0 && !is_trace(&cli->trace[cli->ntraces - 1]))
		query = cli->trace[--reading.ntraces].path;
	if (query == NULL)
		return tv_fail_usage(
			err, "sql needs a QUERY behind the traces; try 'traceviz sql --help'");
	return answer_planned(&reading, query, err);
}

#else

int tv_cmd_sql(const struct tv_cli *cli, struct tv_error *err)
{
	(void)cli;
	return tv_fail(err, "this traceviz was built without SQLite (Debian: libsqlite3-dev), "
			    "which answers queries");
}

#endif
