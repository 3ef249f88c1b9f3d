/* SPDX-License-Identifier: GPL-3.0-or-later */
/* details.h -- the sections of a comparison that are about matched tasks one by one. */
#ifndef TV_DETAILS_H
#define TV_DETAILS_H

#include "analysis/compare/report.h"
#include "analysis/compare/shifts.h"

/* Rows of section order: how many tasks of a type went from one worker type to another. */
int tv_report_transfers(const struct tv_report *report, const struct tv_shifts *shifts,
			struct tv_error *err) TV_MUST_CHECK;
/* All rows of section "shift", "progress" or "work"; of any other section none. May be NULL. */
int tv_report_details(const struct tv_report *report, const char *section,
		      const struct tv_shifts *shifts, struct tv_error *err) TV_MUST_CHECK;

#endif
