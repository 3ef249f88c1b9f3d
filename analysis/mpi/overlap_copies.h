/* SPDX-License-Identifier: GPL-3.0-or-later */
/* overlap_copies.h -- copies to, from and on devices, and how much of their time the device also ran other tasks. */
#ifndef TV_OVERLAP_COPIES_H
#define TV_OVERLAP_COPIES_H

#include "analysis/core/run.h"

enum { TV_OVERLAP_COPY_COLUMNS = 8 };
extern const struct tv_field tv_overlap_copy_columns[TV_OVERLAP_COPY_COLUMNS];

/* Adds these columns and a row for each selected device of counted tasks, with or without copies; in a window, what is
 * within. -1 with *err: no device. Cost O(rows log rows). */
int tv_overlap_copies(struct tv_run *run, struct tv_table *out, struct tv_error *err) TV_MUST_CHECK;

#endif
