/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * observed_parts.h -- the observed chain (dag/observed.h) of a run whose rows come part by part, with the causes of its waits
 * (dag/causes.h).
 *
 * The parts are read forward, once for what each task came after, which is kept for each row, 5 bytes; the way back from the
 * task that ended last is then known. They are read again for its steps, and again for what the workers did in its waits.
 * Several processes do so for their own rows, and exchange what ran where their rows begin, and their steps.
 */
#ifndef TV_OBSERVED_PARTS_H
#define TV_OBSERVED_PARTS_H

#include "analysis/core/run.h"
#include "dag/causes.h"

struct tv_chain_step {
	uint32_t job, value, rtype, resource; /* labels; TV_NONE = none */
	uint32_t worker;		      /* TV_NONE: a message */
	enum tv_edge edge;		      /* as in struct tv_step */
	int64_t start, end;		      /* ns, likewise */
	enum tv_wait_cause cause;	      /* of the wait before it */
	int64_t submit;			      /* ns; INT64_MIN = not known */
	int64_t released; /* ns, if that was after what it came after and its submission; else INT64_MIN */
};

struct tv_chain {
	struct tv_chain_step *at; /* from first to last */
	size_t n, cap;
};

/* workers: as in tv_observed_init. chain: zeroed; the caller releases it in any case. -1 with *err: a cycle, or all rows are
 * needed. */
int tv_chain_of_parts(struct tv_chain *chain, struct tv_run *run, bool workers,
		      struct tv_error *err) TV_MUST_CHECK;
void tv_chain_release(struct tv_chain *chain);

#endif
