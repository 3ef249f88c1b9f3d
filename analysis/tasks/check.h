/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check.h -- what a trace lacks: info --check. */
#ifndef TV_CHECK_H
#define TV_CHECK_H

#include "analysis/core/run.h"

extern const struct tv_field tv_check_columns[];
enum { TV_CHECK_COLUMNS = 6 };

/* Fills a table that has no columns, and the run's verdict: usable (none), with gaps (4), not usable (3). */
void tv_check_trace(struct tv_run *run, struct tv_table *out);

#endif
