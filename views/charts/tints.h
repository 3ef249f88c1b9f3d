/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tints.h -- phases of a run over the time axis: of its tasks, or stretches in which variables have similar values. */
#ifndef TV_CHARTS_TINTS_H
#define TV_CHARTS_TINTS_H

#include "views/charts/names.h"
#include "views/charts/strip.h"

struct tv_tint {
	uint32_t row; /* resource: its number, 0 if the phases are those of the run */
	int64_t begin, end;
	int64_t number; /* of the phase or cluster; -1: of no cluster */
};

struct tv_tints {
	struct tv_tint *phase; /* by row and time */
	size_t n;
	struct tv_names names; /* of the rows */
	struct tv_key key;
};

/*
 * by: `tasks`, the phases of the pass phases, or variables with commas between, the pass cluster with
 * so many clusters of their sums inside the objects of a level. 0; TV_NOTHING, having warned; -1
 * with *err. Release in any case.
 */
int tv_tints_init(struct tv_tints *phases, struct tv_figure *figure, const char *by,
		  const char *clusters, const char *level, struct tv_error *err) TV_MUST_CHECK;
void tv_tints_release(struct tv_tints *phases); /* safe on a zeroed struct */

/* Height of the strips, points; 0 without phases. */
double tv_tints_height(const struct tv_tints *phases);
/* A strip for each row from the place's y on, with its name, and the numbers of phases where they fit. */
void tv_tints_draw(struct tv_figure *figure, const struct tv_tints *phases,
		   const struct tv_place *place);
/* Pale bands over a frame of one row, behind the data; of the phases of one row, else none. */
void tv_tints_tint(struct tv_figure *figure, const struct tv_tints *phases, unsigned frame);

#endif
