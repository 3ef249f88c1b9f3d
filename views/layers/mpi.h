/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpi.h -- rows of the threads that communicate, below the rows of each node: what they did. */
#ifndef TV_LAYERS_MPI_H
#define TV_LAYERS_MPI_H

#include "views/layers/layers.h"

/* A state without length, which no share of time can show. */
struct tv_mpi_tick {
	int64_t time;
	uint32_t row;	/* of the panel */
	uint32_t state; /* row of states */
	uint8_t type;
};

struct tv_mpi_rows {
	enum { TV_MPI_AUTO, TV_MPI_NO, TV_MPI_YES } wanted; /* the words of the option `mpi` */
	struct tv_rows rows; /* a band per group of the rows of workers, one row per thread */
	struct tv_mpi_tick *tick;
	size_t nticks, ticks_cap;
	double *middle; /* per group, points; NaN = it has no such thread */
};

/* The threads of the nodes that `like` shows, if they are wanted, and a layer
 * of keys of their states. -1 with *err. Release it in any case. */
int tv_mpi_rows_init(struct tv_mpi_rows *mpi, struct tv_figure *figure, const struct tv_rows *like,
		     struct tv_layer **layers, struct tv_error *err) TV_MUST_CHECK;
void tv_mpi_rows_release(struct tv_mpi_rows *mpi);

/* Whether they have names below these rows: not where nodes have no header, which are too low. */
static inline bool tv_mpi_rows_named(const struct tv_rows *like)
{
	return like->head > 0 || !like->grouped;
}
/* Height that they need below the rows of each node; 0 = there are none. named: with their names. */
double tv_mpi_rows_foot(const struct tv_mpi_rows *mpi, bool named);
double tv_mpi_names_width(const struct tv_figure *figure, const struct tv_mpi_rows *mpi);
/* Draws them into the free height (like->foot) below each node in a frame whose rows are points, and
 * their names, right-aligned at x, if that height is enough. stub: the frame of the same height for
 * what is before the axis; TV_PAGE = there is none. */
void tv_mpi_rows_draw(struct tv_figure *figure, struct tv_mpi_rows *mpi, const struct tv_rows *like,
		      unsigned frame, unsigned stub, double x);

#endif
