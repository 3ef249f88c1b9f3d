/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settings.h -- what identifies two runs, and where it differs. */
#ifndef TV_COMPARE_SETTINGS_H
#define TV_COMPARE_SETTINGS_H

#include "analysis/compare/report.h"
#include "analysis/core/run.h"

/* A row of section settings for each key of meta that identifies a run and differs; none if meta of a run has
 * no such key, as then nothing is known of it; then one for each task type whose priorities differ. */
void tv_report_settings(const struct tv_report *report, struct tv_run *const run[2]);
/* Of the types whose priorities differ, the first three: "gemm 5 (before: 0), potrf 1 to 9 (before: 0)", or "". Free with tv_free. */
char *tv_changed_priorities(struct tv_run *const run[2]);

#endif
