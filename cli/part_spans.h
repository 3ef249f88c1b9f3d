/* SPDX-License-Identifier: GPL-3.0-or-later */
/* part_spans.h -- the parts in which the rows of a trace are read: spans of time. */
#ifndef TV_PART_SPANS_H
#define TV_PART_SPANS_H

#include "analysis/core/team.h"
#include "trace/trace.h"

struct tv_part_spans {
	struct tv_part_span {
		int64_t begin, end; /* as in struct tv_row_part */
		bool rest;
		uint64_t rows; /* of the groups that are read for it */
	} * at;
	size_t n, cap;
	size_t first, end; /* those of this process */
};

/* Fills zeroed spans: those of the groups of `part`, in the order of time, those of rows without Start last; none where
 * one would have more than max rows. Sorts the groups of rows with Start. Free spans->at with tv_free. team: NULL = alone. */
void tv_part_spans_find(struct tv_part_spans *spans, const struct tv_row_part *part, uint64_t max,
			const struct tv_team *team);

/* Whether spans are cheaper than the whole: at least `worth` rows, of which few are read for several spans, or not all may fit. */
bool tv_part_spans_are_worth(const struct tv_part_spans *spans, const struct tv_row_part *part,
			     uint64_t worth, uint64_t fit);
/* The rows of all groups. */
uint64_t tv_row_part_count(const struct tv_row_part *part);
/* The mean of so many bytes for each row of links, and of others. */
double tv_row_part_beside(const struct tv_row_part *part, double others, double links);

/* The rows of a part for which all processes have room: *max. -1 with *err: they do not read the same file. */
int tv_part_spans_agree(const struct tv_row_part *part, const char *path,
			const struct tv_team *team, uint64_t *max,
			struct tv_error *err) TV_MUST_CHECK;

#endif
