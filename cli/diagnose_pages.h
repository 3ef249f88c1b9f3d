/* SPDX-License-Identifier: GPL-3.0-or-later */
/* diagnose_pages.h -- a diagnosis as pages: what happened in words, and the picture that shows it. */
#ifndef TV_DIAGNOSE_PAGES_H
#define TV_DIAGNOSE_PAGES_H

#include "cli/cli.h"

/* tv_run_diagnose of the trace of the command line, in *table (uninitialized on entry; to be released in any case). from:
 * --durations-from, or NULL. */
int tv_cli_diagnose(const struct tv_cli *cli, struct tv_run *run, const char *from,
		    struct tv_table *table, struct tv_error *err) TV_MUST_CHECK;

/* Whether -o names a picture, and not a text or a table. */
bool tv_diagnose_is_picture(const struct tv_cli *cli);

/*
 * Draws the largest parts and the first findings of a table of tv_run_diagnose to -o, each as its
 * Picture would be: a PDF has a page for each, SVG and PNG a file; HTML is the report of the trace. The session's run is the one of
 * the table. -1 with *err; then no file is written.
 */
int tv_diagnose_draw(const struct tv_cli *cli, struct tv_session *session,
		     const struct tv_table *table, struct tv_error *err) TV_MUST_CHECK;

#endif
