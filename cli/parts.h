/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * parts.h -- a trace whose rows of tasks do not fit into memory: they are read part by part, in the order of time.
 *
 * Tables in Parquet say of each group of rows from when to when it starts. Parts are spans of time; one after the other,
 * their rows are those of the trace in its order (tv_trace_complete). They are read once to find workers, sums and what
 * is to be reported, and again each time that a pass reads its rows (tv_run_rows); the first time may be the same. With a team (tv_cli.team) each process
 * reads some of them, one behind the other, and all have what they show together.
 */
#ifndef TV_PARTS_H
#define TV_PARTS_H

#include "cli/cli.h"

/* NULL with *err, which said before that the trace is too large, and now also why parts are no way: a verb, an option or
 * a format. reading: the command line with what is read; it must outlive them. rows: at most so many in a part; 0 = what
 * memory allows. */
struct tv_parts *tv_parts_new(const struct tv_cli *reading, uint32_t rows, struct tv_error *err);
/* The same where memory is enough for the whole, too, but parts are cheaper; NULL: they are not, or are no way. What fails
 * then is to be read as a whole. */
struct tv_parts *tv_parts_try(const struct tv_cli *reading, uint32_t rows);
bool tv_parts_tried(const struct tv_parts *parts);
/* Whether what reading reported was printed. */
bool tv_parts_said(const struct tv_parts *parts);
/* Whether the session is settled (tv_session_settle) only after the first tv_run_rows of the pass, which reads parts for the
 * first time. */
bool tv_parts_early(const struct tv_parts *parts);
/* They turned out to be no way for a reason: -1 with *err. */
int tv_parts_refuse(struct tv_parts *parts, const char *why, struct tv_error *err);
/* Whether that happened. */
bool tv_parts_refused(const struct tv_parts *parts);
/* Whether they are no way as rows do not come by Start; of NULL no. */
bool tv_parts_unordered(const struct tv_parts *parts);
/* What the session's trace is read with: none of its rows. */
const struct tv_cli *tv_parts_reading(const struct tv_parts *parts);
/* Divides the rows and reads all parts, before the run is made; early, the pass does. */
int tv_parts_survey(struct tv_session *session, unsigned kinds, struct tv_error *err) TV_MUST_CHECK;
/* Sets the sums of the run. */
void tv_parts_describe(struct tv_session *session);
void tv_parts_warn_phases(struct tv_session *session);
/* Gives all parts, with all columns that are printed, to a function, after the pass of the run. What it gets is valid during the
 * call only, and so are strings that are not in the columns that the pass reads. Of a team each process gets one, in their order, and so on: each
 * time share() merges what they made of these. -1 with *err, in each process. */
int tv_parts_rows(struct tv_session *session,
		  int (*rows)(void *state, struct tv_run *part, struct tv_error *err),
		  void (*share)(void *state, const struct tv_team *team), void *state,
		  struct tv_error *err) TV_MUST_CHECK;
void tv_parts_close(struct tv_parts *parts); /* accepts NULL */

#endif
