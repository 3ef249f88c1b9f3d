/* SPDX-License-Identifier: GPL-3.0-or-later */
/* refused.c -- a pass says what is missing of a trace of which only the first rows of tasks are read. */
#include "cli/refused.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/part_choice.h"
#include "cli/unread.h"
#include "convert/formats.h"
#include "convert/partition/partition.h"
#include "trace/alloc.h"

/* Options with which more than the tables counts: which rows are shown, or from where they come. */
static bool has_other_options(const struct tv_cli *cli)
{
	static const size_t members[] = {
		offsetof(struct tv_cli, where),	   offsetof(struct tv_cli, only),
		offsetof(struct tv_cli, exclude),  offsetof(struct tv_cli, node),
		offsetof(struct tv_cli, resource), offsetof(struct tv_cli, begin),
		offsetof(struct tv_cli, end),
	};

	return tv_parts_option(cli) != NULL || strcmp(cli->kind, "app") != 0
	    || tv_cli_given(cli, members, TV_COUNT(members)) != NULL;
}

/* Whether a folder has one of the tables; a file has none but tasks. */
static bool has_table(const char *path, unsigned tables)
{
	bool found = false;

	for (int id = 0; id < TV_NTABLES; id++) {
		if ((tables >> id & 1) == 0)
			continue;
		found = found || tv_partition_has(path, (enum tv_table_id)id);
		for (size_t i = 0; i < TV_COUNT(tv_native_suffix); i++) {
			char *file = tv_format("%s/%s%s", path, tv_schema[id].name,
					       tv_native_suffix[i]);

			found = found || access(file, F_OK) == 0;
			tv_free(file);
		}
	}
	return found;
}

static bool may_be_refused(const struct tv_cli *cli)
{
	unsigned tables = tv_refused_without(cli);
	struct stat st;

	return tables != 0 && cli->ntraces == 1 && cli->trace[0].label == NULL
	    && cli->receiver == NULL && cli->team == NULL && !has_other_options(cli)
	    && stat(cli->trace[0].path, &st) == 0 && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))
	    && tv_parts_are_of_parquet(cli) && !has_table(cli->trace[0].path, tables);
}

/* The numbers of a few rows are not those of the trace: nothing is said of them. What a pass says of missing tables depends
 * only on whether there are tasks. */
bool tv_refused_early(const struct tv_cli *cli, struct tv_error *err)
{
	static const struct tv_row_choice sample = { .sample = true };
	struct tv_cli reading = *cli;
	struct tv_session session = { 0 };
	struct tv_error refusal = { 0 };
	bool refused;

	if (!may_be_refused(cli))
		return false;
	reading.quiet = true;
	reading.read.choice = &sample;
	refused = tv_session_open(&session, &reading, &refusal) == 0 && session.trace->native
	       && tv_trace_has_work(session.trace)
	       && tv_run_pass(&session.run, cli->verb.pass->name, cli->own_value, &refusal) == NULL;
	tv_session_close(&session);
	if (refused)
		*err = refusal;
	return refused;
}
