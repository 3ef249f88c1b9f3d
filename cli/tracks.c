/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tracks.c -- results of verbs as slices of viewers. */
#include "cli/tracks.h"

#include <string.h>

#include "cli/diagnose_pages.h"
#include "trace/alloc.h"

/* What the slices of a result are called, and where they are. */
struct naming {
	const char *title;
	char *(*name)(const struct tv_table *result, uint32_t row);
	const char *(*lane)(const struct tv_table *result, uint32_t row); /* NULL: the title */
	bool of_workers; /* below those of the row's ResourceId */
	bool path;
	const char *const *args; /* columns of the result; NULL ends them */
};

static void set_place(const struct naming *naming, struct tv_table *table,
		      const struct tv_table *result, uint32_t row)
{
	const char *lane = naming->lane != NULL ? naming->lane(result, row) : naming->title;
	struct tv_column *const *to = table->col;

	if (naming->of_workers) {
		tv_set_label(to[0], row, tv_label(tv_table_find(result, "ResourceId"), row));
		tv_set_text(to[1], row, lane);
		tv_set_label(to[2], row, tv_label(tv_table_find(result, "Node"), row));
		return;
	}
	tv_set_text(to[0], row, lane);
	tv_set_text(to[2], row, "Diagnosis");
}

static void add_track(struct tv_tracks *tracks, const struct naming *naming,
		      const struct tv_table *result, const struct tv_run *run)
{
	static const char *const own[] = { "Lane", "Of", "Node", "Name" };
	struct tv_track *track = &tracks->at[tracks->n++];
	struct tv_error none;

	tv_table_init(&track->table, run->trace->pool);
	track->path = naming->path;
	for (size_t i = 0; i < TV_COUNT(own); i++)
		tv_table_column(&track->table, own[i], TV_LABEL, &none);
	for (uint32_t row = 0; row < result->nrows; row++) {
		char *name = naming->name(result, row);

		tv_table_add_row(&track->table);
		set_place(naming, &track->table, result, row);
		tv_set_text(track->table.col[3], row, name);
		tv_free(name);
	}
	tv_table_finish(&track->table);
	for (size_t i = 0; naming->args[i] != NULL; i++)
		if (tv_table_find(result, naming->args[i]) != NULL)
			tv_table_borrow(&track->table, tv_table_find(result, naming->args[i]));
}

/* ---- results ---- */

static char *name_of_cause(const struct tv_table *result, uint32_t row)
{
	return tv_strdup(tv_table_text(result, "Cause", row));
}

static char *name_of_part(const struct tv_table *result, uint32_t row)
{
	const char *part = tv_table_text(result, "Part", row);

	if (strcmp(part, "task") == 0)
		return tv_strdup(tv_table_text(result, "Value", row));
	return strcmp(part, "wait") == 0
		     ? tv_format("wait: %s", tv_table_text(result, "Cause", row))
		     : tv_strdup(part);
}

static char *name_of_finding(const struct tv_table *result, uint32_t row)
{
	const char *title = tv_table_text(result, "Title", row),
		   *id = tv_table_text(result, "Id", row);

	return tv_strdup(title[0] != '\0' ? title : id[0] != '\0' ? id : "the run");
}

static const char *lane_of_finding(const struct tv_table *result, uint32_t row)
{
	return tv_table_is(result, "Kind", row, "part")	 ? "Account"
	     : tv_table_is(result, "Kind", row, "limit") ? "Limits"
							 : "Findings";
}

static const char *const cause_args[] = { "Start", "End", NULL };
static const struct naming causes = {
	.title = "Idle causes", .name = name_of_cause, .of_workers = true, .args = cause_args
};

static const char *const path_args[] = { "Start",	 "End",	       "Seq",	  "Part",  "JobId",
					 "ResourceType", "ResourceId", "Edge",	  "Cause", "Origin",
					 "Dest",	 "Size",       "Segment", NULL };
static const struct naming path = {
	.title = "Critical path", .name = name_of_part, .path = true, .args = path_args
};

static const char *const finding_args[] = { "Rank",    "Id",	     "Time",	   "Share",
					    "Measure", "WorkerTime", "Confidence", "Potential",
					    "Method",  "Text",	     "Advice",	   "Command",
					    NULL };
static const struct naming findings = {
	.title = "Findings", .name = name_of_finding, .lane = lane_of_finding, .args = finding_args
};

static void note_missing(struct tv_diagnostics *notes, const struct naming *naming,
			 const struct tv_error *err)
{
	tv_diagnose(notes, TV_WARNING, (struct tv_pos){ 0 }, "no track '%s': %s", naming->title,
		    err->text);
}

static void add_result(struct tv_tracks *tracks, const struct naming *naming,
		       const struct tv_table *result, struct tv_run *run,
		       struct tv_diagnostics *notes, const struct tv_error *err)
{
	if (result != NULL)
		add_track(tracks, naming, result, run);
	else
		note_missing(notes, naming, err);
}

/* Of all of the run. */
static void add_findings(struct tv_tracks *tracks, const struct tv_cli *cli, struct tv_run *run,
			 struct tv_diagnostics *notes)
{
	struct tv_error err = { 0 };
	struct tv_column *start, *end;

	if (tv_cli_diagnose(cli, run, NULL, &tracks->diagnosis, &err) < 0) {
		note_missing(notes, &findings, &err);
		return;
	}
	add_track(tracks, &findings, &tracks->diagnosis, run);
	start = tv_table_column(&tracks->at[tracks->n - 1].table, "Start", TV_TIME, &err);
	end = tv_table_column(&tracks->at[tracks->n - 1].table, "End", TV_TIME, &err);
	for (uint32_t row = 0; row < tracks->diagnosis.nrows; row++) {
		tv_set_int(start, row, run->tasks.begin);
		tv_set_int(end, row, run->tasks.finish);
	}
}

void tv_tracks_init(struct tv_tracks *tracks, const struct tv_cli *cli, struct tv_run *run,
		    struct tv_diagnostics *notes)
{
	struct tv_error err = { 0 };
	const struct tv_table *result;

	if (run->tasks.ncounted == 0)
		return;
	if (tv_run_dag(run, &err) == NULL) {
		tv_diagnose(notes, TV_WARNING, (struct tv_pos){ 0 }, "without tracks: %s",
			    err.text);
		return;
	}
	result = tv_run_pass_with(run, "idle-causes", &err, "by", "span", "level", "stream", NULL);
	add_result(tracks, &causes, result, run, notes, &err);
	err = (struct tv_error){ 0 };
	result = tv_run_pass(run, "critical-path", NULL, &err);
	add_result(tracks, &path, result, run, notes, &err);
	add_findings(tracks, cli, run, notes);
}

void tv_tracks_release(struct tv_tracks *tracks)
{
	for (size_t i = 0; i < tracks->n; i++)
		tv_table_release(&tracks->at[i].table);
	tv_table_release(&tracks->diagnosis);
}
