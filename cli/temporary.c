/* SPDX-License-Identifier: GPL-3.0-or-later */
/* temporary.c -- a copy in Parquet, for one command. */
#include "cli/temporary.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/part_choice.h"
#include "convert/stream.h"
#include "trace/alloc.h"

static const char *find_place(void)
{
	const char *place = getenv("TMPDIR");

	return place != NULL && place[0] != '\0' ? place : "/tmp";
}

static bool is_in_copy(const struct tv_temporary *temporary, const char *path)
{
	return temporary->folder != NULL
	    && strncmp(path, temporary->folder->path, strlen(temporary->folder->path)) == 0;
}

static int copy(struct tv_temporary *temporary, const struct tv_cli *reading, struct tv_error *err)
{
	struct tv_stream_target to = { .path = temporary->folder->path, .folder = true };
	struct tv_read_options options = reading->read;
	struct tv_progress progress;
	struct tv_trace trace;
	int rc;

	/* Of all tables, all columns and rows. */
	options.unread = 0;
	options.columns = NULL;
	options.window.set = false;
	tv_trace_init(&trace, &options);
	tv_progress_start(&progress);
	rc = tv_stream(temporary->of.path, &to, &trace,
		       tv_progress_wanted(reading) ? tv_progress_update : NULL, &progress, err);
	tv_progress_end(&progress);
	tv_print_diagnostics(reading, &trace.diagnostics);
	tv_trace_release(&trace);
	return rc;
}

int tv_temporary_make(struct tv_temporary *temporary, struct tv_cli *reading, struct tv_error *err)
{
	const struct tv_error large = *err;
	const char *place = find_place();
	char why[TV_PARTS_WHY], *path;

	if (!tv_parts_may(reading, why) || tv_parts_are_of_parquet(reading))
		return 0;
	if (reading->no_temp)
		return tv_fail_also(err,
				    "without --no-temp it is read in parts, from a temporary "
				    "copy in Parquet; 'traceviz convert TRACE -o FILE.parquet' "
				    "makes one that stays");
	temporary->of = reading->trace[0];
	tv_say(reading,
	       "%s: it seems to need more than --max-memory: it is read in parts, from a temporary "
	       "copy in Parquet in %s",
	       temporary->of.path, place);
	path = tv_format("%s/copy", place);
	temporary->folder = tv_unfinished_folder_beside(path, false);
	tv_free(path);
	if (temporary->folder == NULL)
		return tv_fail_system(err, place, "cannot make a temporary folder (TMPDIR)", errno);
	*err = (struct tv_error){ 0 };
	if (copy(temporary, reading, err) < 0) {
		char *text = tv_strdup(err->text);

		if (is_in_copy(temporary, err->file))
			tv_fail_at(err, (struct tv_pos){ temporary->of.path, 0 },
				   "its temporary copy in %s (TMPDIR): %s", place, text);
		tv_free(text);
		return -1;
	}
	*err = large;
	temporary->as = (struct tv_trace_argument){ NULL, temporary->folder->path };
	reading->trace = &temporary->as;
	/* Rows are known by their places in the copy. */
	reading->read.unplaced = true;
	return 0;
}

void tv_temporary_blame(const struct tv_temporary *temporary, struct tv_error *err)
{
	if (!is_in_copy(temporary, err->file))
		return;
	snprintf(err->file, sizeof err->file, "%s", temporary->of.path);
	err->line = 0;
}

void tv_temporary_end(struct tv_temporary *temporary)
{
	tv_unfinished_end(temporary->folder, true);
	*temporary = (struct tv_temporary){ 0 };
}
