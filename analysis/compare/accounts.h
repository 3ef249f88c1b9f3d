/* SPDX-License-Identifier: GPL-3.0-or-later */
/* accounts.h -- the accounts of two runs side by side (pass account). */
#ifndef TV_ACCOUNTS_H
#define TV_ACCOUNTS_H

#include "analysis/compare/report.h"

/*
 * Adds the rows of section account: makespan - area bound and its five parts, whose changes add up to
 * its change exactly; prices, placement; every part by cause, task type and worker type that is not
 * 0 in both, and 0 in a run that does not have it. -1 with *err, as the pass.
 */
int tv_report_accounts(const struct tv_report *report, struct tv_run *const run[2],
		       struct tv_error *err) TV_MUST_CHECK;

#endif
