/* SPDX-License-Identifier: GPL-3.0-or-later */
/* observed_waits.h -- the causes of the waits of an observed chain, from parts of the rows; part of observed_parts.h. */
#ifndef TV_OBSERVED_WAITS_H
#define TV_OBSERVED_WAITS_H

#include "analysis/bounds/observed_parts.h"

/* Fills in the causes of steps that have all else, of a trace that does not know when data were under way; reads the rows once.
 * busy_before: by worker, the latest End of executions of processes before this one; INT64_MIN = none. -1 with *err. */
int tv_chain_causes(struct tv_chain *chain, struct tv_run *run, const int64_t *busy_before,
		    struct tv_error *err) TV_MUST_CHECK;

#endif
