/* SPDX-License-Identifier: GPL-3.0-or-later */
/* temporary.c -- a copy in Parquet, for one command. */
#include "cli/temporary.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/part_choice.h"
#include "convert/partition/partition.h"
#include "convert/stream.h"
#include "trace/alloc.h"

enum {
	LINES = 8,	  /* lines take this share of the memory that is left */
	SORTING = 1 << 23 /* bytes without which no table in Parquet is sorted */
};

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

/* Once more where rows turn out to need another order. */
static int copy(struct tv_temporary *temporary, struct tv_cli *reading, struct tv_error *err)
{
	struct tv_stream_target to = { .path = temporary->folder->path,
				       .folder = true,
				       .ordered = reading->verb.pass->kind == TV_ANNOTATE };
	struct tv_read_options options = reading->read;
	struct tv_progress progress;
	unsigned sorted;
	int rc;

	/* Of all tables, all columns and rows. */
	options.unread = 0;
	options.columns = NULL;
	options.window.set = false;
	do {
		struct tv_trace trace;

		sorted = to.sorted;
		*err = (struct tv_error){ 0 };
		tv_trace_init(&trace, &options);
		tv_progress_start(&progress);
		rc = tv_stream(temporary->of.path, &to, &trace,
			       tv_progress_wanted(reading) ? tv_progress_update : NULL, &progress,
			       err);
		tv_progress_end(&progress);
		if (to.sorted == sorted)
			tv_print_diagnostics(reading, &trace.diagnostics);
		tv_trace_release(&trace);
	} while (rc < 0 && to.sorted != sorted);
	temporary->sorted = reading->read.numbered = (to.sorted >> TV_TASKS & 1) != 0;
	return rc;
}

int tv_temporary_make(struct tv_temporary *temporary, struct tv_cli *reading, bool unordered,
		      struct tv_error *err)
{
	const char *place = find_place();
	char why[TV_PARTS_WHY], *path;

	if (!unordered)
		temporary->large = *err;
	if (!tv_parts_may(reading, why) || temporary->folder != NULL
	    || tv_parts_are_of_parquet(reading) != unordered
	    || (unordered && tv_memory_max() < SORTING)
	    || tv_partition_has(reading->trace[0].path, TV_TASKS))
		return 0;
	if (reading->no_temp)
		return tv_fail_also(
			err, unordered ? "without --no-temp it is read in parts, from a temporary "
					 "copy by Start"
				       : "without --no-temp it is read in parts, from a temporary "
					 "copy in Parquet; 'traceviz convert TRACE -o "
					 "FILE.parquet' makes one that stays");
	temporary->of = reading->trace[0];
	tv_say(reading,
	       "%s: it seems to need more than --max-memory%s: it is read in parts, from a "
	       "temporary copy in Parquet in %s",
	       temporary->of.path, unordered ? ", and its rows do not come by Start" : "", place);
	path = tv_format("%s/copy", place);
	temporary->folder = tv_unfinished_folder_beside(path, false);
	tv_free(path);
	if (temporary->folder == NULL)
		return tv_fail_system(err, place, "cannot make a temporary folder (TMPDIR)", errno);
	if (copy(temporary, reading, err) < 0) {
		char *text = tv_strdup(err->text);

		if (is_in_copy(temporary, err->file))
			tv_fail_at(err, (struct tv_pos){ temporary->of.path, 0 },
				   "its temporary copy in %s (TMPDIR): %s", place, text);
		tv_free(text);
		return -1;
	}
	*err = temporary->large;
	temporary->as = (struct tv_trace_argument){ NULL, temporary->folder->path };
	reading->trace = &temporary->as;
	/* Rows are known by their places in the copy. */
	reading->read.unplaced = true;
	return 1;
}

void tv_temporary_blame(const struct tv_temporary *temporary, struct tv_error *err)
{
	if (!is_in_copy(temporary, err->file))
		return;
	snprintf(err->file, sizeof err->file, "%s", temporary->of.path);
	err->line = 0;
	if (err->outside) {
		char *what = tv_format("its temporary copy in %s (TMPDIR)", find_place());

		tv_fail_about(err, what);
		tv_free(what);
	}
}

struct tv_spill *tv_temporary_lines(const struct tv_temporary *temporary)
{
	char *beside = temporary->sorted ? tv_format("%s/lines", temporary->folder->path) : NULL;
	struct tv_spill *spill = beside != NULL ? tv_spill_new(
					 beside, (tv_memory_max() - tv_memory_used()) / LINES)
						: NULL;

	tv_free(beside);
	return spill;
}

void tv_temporary_end(struct tv_temporary *temporary)
{
	tv_unfinished_end(temporary->folder, true);
	*temporary = (struct tv_temporary){ 0 };
}
