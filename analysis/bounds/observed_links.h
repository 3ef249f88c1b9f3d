/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * observed_links.h -- what each task of a run whose rows come part by part came after, as the walk of dag/observed.c finds it.
 *
 * Rows are numbered in their order, those of all processes; a job has the number of its row (tv_dag.row).
 */
#ifndef TV_OBSERVED_LINKS_H
#define TV_OBSERVED_LINKS_H

#include "analysis/core/run.h"
#include "dag/observed.h"

/* How a row is linked to the one before it: enum tv_edge, or */
enum {
	TV_LINK_OF_JOB = 64, /* that one is the row of its job */
	TV_LINK_TAKEN = 128  /* added: it was followed */
};

struct tv_links {
	struct tv_pool *names; /* texts of parts that are closed */
	uint32_t first, n;     /* the number of the first row of this process; its rows */
	uint32_t *
		before; /* by row of this process: number of what it came after; TV_NONE = nothing */
	uint8_t *edge;	/* by row: how */
	size_t before_cap, edge_cap;
	/* What the rows of jobs do not say, by number. */
	struct tv_link_apart {
		uint32_t number;
		int64_t start, end; /* of all its rows */
		int64_t released;   /* as in struct tv_chain_step */
	} * apart;
	size_t naparts, apart_cap;
	uint32_t
		last; /* number of the task that ended last, in any process; TV_NONE = there is none */
	int64_t *
		busy_before; /* by worker: the latest End in processes before this one; INT64_MIN = none */
};

/* workers: whether tasks come after those on their workers, too. Reads the rows once, of several processes twice. The caller
 * releases the links in any case. -1 with *err: a cycle, or all rows are needed. */
int tv_links_find(struct tv_links *links, struct tv_run *run, bool workers,
		  struct tv_error *err) TV_MUST_CHECK;
/* NULL: the row says all. */
const struct tv_link_apart *tv_links_apart(const struct tv_links *links, uint32_t number);
void tv_links_release(struct tv_links *links);

#endif
