/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_sql_choice.c -- queries that are answered by some rows of tasks in Parquet. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "cli/cmd_sql.h"
#include "convert/formats.h"
#include "convert/parquet/parquet.h"
#include "sql/query.h"
#include "sql/tables.h"
#include "trace/alloc.h"
#include "trace/text.h"

/* Where a query scans the table more often, as a join does for each row, all rows are read once. */
enum { SCANS_MAX = 4 };

/* The rows that scans have asked for. */
struct chosen {
	const struct tv_cli *cli;
	char *path;
	struct tv_trace trace[1 + SCANS_MAX]; /* the first one has the columns */
	size_t n;
};

/* The tasks table of the next trace; NULL with *err if anything of it is to be said of a whole one. */
static const struct tv_table *read_rows(struct chosen *of, const struct tv_row_choice *choice,
					struct tv_error *err)
{
	struct tv_trace *trace = &of->trace[of->n++];
	struct tv_read_options options = of->cli->read;
	int rc;

	options.choice = choice;
	tv_trace_init(trace, &options);
	rc = tv_load(of->path, trace, NULL, NULL, err);
	trace->options.choice = NULL;
	if (rc == 0 && !trace->unsure && trace->ndamage == 0 && trace->plain.ncols == 0
	    && (of->cli->read.verbose || trace->diagnostics.n == 0)
	    && (!choice->sample || trace->table[TV_TASKS].nrows > 0))
		return &trace->table[TV_TASKS];
	tv_fail(err, "all rows have to be read");
	return NULL;
}

static const struct tv_table *get_columns(void *context, struct tv_error *err)
{
	static const struct tv_row_choice sample = { .sample = true };
	struct chosen *of = context;

	return of->n > 0 ? &of->trace[0].table[TV_TASKS] : read_rows(of, &sample, err);
}

static const struct tv_table *choose_rows(void *context, const struct tv_row_choice *choice,
					  struct tv_error *err)
{
	struct chosen *of = context;

	if (choice->n > 0 && of->n <= SCANS_MAX)
		return read_rows(of, choice, err);
	tv_fail(err, "all rows have to be read");
	return NULL;
}

static bool ends_with_parquet(const char *name)
{
	static const char suffix[] = ".parquet";
	size_t n = strlen(name);

	return n >= sizeof suffix && strcmp(name + n - (sizeof suffix - 1), suffix) == 0;
}

/* The tasks of a folder that has nothing but our tables in Parquet, one file each; to be freed. NULL: it is another one. */
static char *tasks_of_folder(const char *path)
{
	DIR *folder = opendir(path);
	struct dirent *entry;
	bool ours = folder != NULL;

	while (ours && (entry = readdir(folder)) != NULL)
		ours = entry->d_name[0] == '.'
		    || (ends_with_parquet(entry->d_name)
			&& tv_native_table(entry->d_name) < TV_NTABLES);
	if (folder != NULL)
		closedir(folder);
	return ours ? tv_format("%s/%s.parquet", path, tv_schema[TV_TASKS].name) : NULL;
}

static bool is_parquet_file(const char *path)
{
	char head[4] = "";
	FILE *f = tv_is_file(path) ? fopen(path, "rb") : NULL;
	bool is = f != NULL && fread(head, 1, sizeof head, f) == sizeof head
	       && tv_is_parquet(head, sizeof head);

	if (f != NULL)
		fclose(f);
	return is;
}

/* The file with the tasks of the trace, if these are its rows as they are; to be freed, or NULL. */
static char *tasks_file(const struct tv_cli *cli)
{
	const struct tv_read_options *read = &cli->read;
	char *path;

	if (cli->ntraces != 1 || cli->trace[0].label != NULL || cli->receiver != NULL
	    || cli->team != NULL || cli->where != NULL || cli->restriction != NULL
	    || cli->only != NULL || cli->exclude != NULL || cli->node != NULL
	    || cli->resource != NULL || cli->phase != NULL || cli->begin != NULL || cli->end != NULL
	    || read->strict || read->zero != NULL || read->task_state != NULL
	    || read->workers != NULL || read->map != NULL || read->kernels != NULL
	    || read->names != NULL || read->format != NULL || read->resources != NULL
	    || read->bind != NULL || read->with != NULL || read->nclock_offsets > 0)
		return NULL;
	path = is_parquet_file(cli->trace[0].path) ? tv_strdup(cli->trace[0].path)
						   : tasks_of_folder(cli->trace[0].path);
	if (path != NULL && is_parquet_file(path))
		return path;
	tv_free(path);
	return NULL;
}

int tv_sql_answer_chosen(const struct tv_cli *cli, const char *query, int64_t timeout_ns,
			 struct tv_error *err)
{
	struct chosen of = { .cli = cli, .path = tasks_file(cli) };
	struct tv_sql_result result = { 0 };
	struct sqlite3 *db;
	int rc;

	if (of.path == NULL)
		return 0;
	db = tv_sql_open();
	tv_sql_add(db, tv_schema[TV_TASKS].name,
		   (struct tv_sql_source){ get_columns, choose_rows, &of, NULL });
	rc = tv_sql_query(db, query, timeout_ns, &result, err);
	if (rc == 0) {
		for (size_t i = 1; i < of.n; i++)
			tv_print_diagnostics(cli, &of.trace[i].diagnostics);
		rc = tv_print_table(cli, &result.table, NULL, 0, err) < 0 ? -1 : 1;
	} else if (strstr(err->text, "--timeout") == NULL) {
		*err = (struct tv_error){ 0 };
		rc = 0;
	}
	tv_sql_result_release(&result);
	tv_sql_close(db);
	for (size_t i = 0; i < of.n; i++)
		tv_trace_release(&of.trace[i]);
	tv_free(of.path);
	return rc;
}
