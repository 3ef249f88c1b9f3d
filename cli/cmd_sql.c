/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_sql.c -- traceviz sql: a query over the tables of traces, the results of verbs and standard input. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/passes.h"
#include "cli/cli.h"
#include "trace/alloc.h"
#include "trace/csv.h"

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
	tv_output_text(out, "\nTables: those of the trace under their names (tasks, states, links, "
			    "meta, ...) with the columns of\n"
			    "CSV, and for each time one in ns (Start_ns); edges (JobId, "
			    "DependsOn); the result of each verb\n"
			    "without options (idle_causes for idle-causes); input, a CSV on "
			    "standard input. With labels\n"
			    "(a=RUN b=RUN) names begin with the label: a_tasks. Without QUERY the "
			    "columns are listed.\n"
			    "Besides the functions of SQLite there is quantile(x, q). docs/sql.md "
			    "has examples.\n");
}

#ifdef TV_HAVE_SQLITE

#include <unistd.h>

#include "sql/query.h"
#include "sql/tables.h"

/* The result of a pass, once a query names it. */
struct of_pass {
	struct tv_run *run;
	const struct tv_pass *pass;
	struct tv_table joined; /* of a pass that annotates tasks */
};

static const struct tv_table *get_pass(void *context, struct tv_error *err)
{
	struct of_pass *of = context;
	const struct tv_table *result = tv_run_pass(of->run, of->pass->name, NULL, err);

	if (result == NULL || of->pass->kind != TV_ANNOTATE)
		return result;
	tv_annotate_tasks(&of->run->trace->table[TV_TASKS], result, &of->joined);
	return &of->joined;
}

static void release_pass(void *context)
{
	struct of_pass *of = context;

	tv_table_release(&of->joined);
	tv_free(of);
}

/* idle-causes as PREFIXidle_causes. */
static char *name_of_pass(const char *prefix, const struct tv_pass *pass)
{
	char *name = tv_format("%s%s", prefix, pass->name);

	for (char *s = name + strlen(prefix); *s != '\0'; s++)
		*s = *s == '-' ? '_' : *s;
	return name;
}

static bool is_table(const char *name)
{
	for (int id = 0; id < TV_NTABLES; id++)
		if (strcmp(tv_schema[id].name, name) == 0)
			return true;
	return false;
}

/* A name that tables of traces have remains theirs, whether or not this trace has that one. */
static void add_passes(struct sqlite3 *db, struct tv_run *run, const char *prefix)
{
	for (size_t i = 0; i < tv_npasses; i++) {
		struct of_pass *of;
		char *name;

		if (is_table(tv_passes[i]->name))
			continue;
		of = tv_alloc(1, sizeof *of);
		*of = (struct of_pass){ .run = run, .pass = tv_passes[i] };
		name = name_of_pass(prefix, tv_passes[i]);
		tv_sql_add(db, name, (struct tv_sql_source){ get_pass, of, release_pass });
		tv_free(name);
	}
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

/* What stands before the names of the tables of a run: nothing, or the label and _. */
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
	tv_sql_add(db, "input", (struct tv_sql_source){ get_input, of, release_input });
	if (runs->nsides < runs->n)
		return tv_fail_usage(err, "a label is given twice, expected one for each trace");
	for (size_t i = 0; i < runs->n; i++) {
		char *prefix = prefix_of(cli, runs, i);

		add_passes(db, &runs->session[i].run, prefix);
		tv_sql_add_trace(db, &runs->session[i].trace, prefix);
		tv_free(prefix);
	}
	return 0;
}

/* Adds the names that there are to a message about one that there is not. */
static void name_tables(const struct tv_cli *cli, const struct tv_runs *runs, struct tv_error *err)
{
	struct tv_name_list names = { .n = 0 };
	size_t used = strlen(err->text);

	if (runs->n == 0 || strncmp(err->text, "no such table", 13) != 0)
		return;
	for (size_t i = 0; i < runs->n; i++) {
		const char *name[TV_NTABLES + 1];
		size_t n = tv_sql_names(&runs->session[i].trace, name);
		char *prefix = prefix_of(cli, runs, i);

		for (size_t k = 0; k < n; k++) {
			char *full = tv_format("%s%s", prefix, name[k]);

			tv_name_list_add(&names, full);
			tv_free(full);
		}
		tv_free(prefix);
	}
	snprintf(err->text + used, sizeof err->text - used,
		 "; there are input, results of verbs such as idle_causes, %s",
		 tv_name_list_text(&names));
}

static int answer(const struct tv_cli *cli, struct tv_runs *runs, const char *query,
		  struct tv_error *err)
{
	struct sqlite3 *db = tv_sql_open();
	struct tv_sql_result result = { 0 };
	struct asked asked;
	int rc = add_tables(db, cli, runs, err);

	tv_cli_own_fill(cli, &asked, sizeof asked);
	if (rc == 0)
		rc = tv_sql_query(db, query, asked.timeout, &result, err);
	if (rc < 0)
		name_tables(cli, runs, err);
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

int tv_cmd_sql(const struct tv_cli *cli, struct tv_error *err)
{
	struct tv_cli reading = *cli;
	struct tv_runs runs = { 0 };
	const char *query = NULL;
	int rc = 0;

	if (cli->ntraces > 0 && !is_trace(&cli->trace[cli->ntraces - 1]))
		query = cli->trace[--reading.ntraces].path;
	if (query == NULL)
		return tv_fail_usage(
			err, "sql needs a QUERY behind the traces; try 'traceviz sql --help'");
	if (reading.ntraces > 1 || (reading.ntraces == 1 && cli->trace[0].label != NULL))
		rc = tv_runs_open(&runs, &reading, err);
	else if (reading.ntraces == 1)
		rc = tv_runs_open_one(&runs, &reading, err);
	if (rc == 0)
		rc = answer(&reading, &runs, query, err);
	tv_runs_close(&runs);
	return rc;
}

#else

int tv_cmd_sql(const struct tv_cli *cli, struct tv_error *err)
{
	(void)cli;
	return tv_fail(err, "this traceviz was built without SQLite (Debian: libsqlite3-dev), "
			    "which answers queries");
}

#endif
