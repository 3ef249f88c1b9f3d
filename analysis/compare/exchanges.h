/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exchanges.h -- executions by task type and worker type, of several runs side by side. */
#ifndef TV_EXCHANGES_H
#define TV_EXCHANGES_H

#include "analysis/shared/common.h"

/* Executions of a task type on a worker type, on either side. Texts are of the runs. */
struct tv_exchange {
	const char *value, *rtype; /* "" where missing */
	int64_t n[2];
	tv_int128 time[2]; /* sum, ns */
};

struct tv_exchanges {
	struct tv_exchange *at; /* by value, then rtype, in natural order */
	size_t n, cap;
};

/* Adds the executions of a run, which must outlive the list, to one side (0 or 1). -1 with *err. */
int tv_exchanges_add(struct tv_exchanges *list, struct tv_run *run, int side,
		     struct tv_error *err) TV_MUST_CHECK;
void tv_exchanges_release(struct tv_exchanges *list); /* safe on a zeroed struct */

#endif
