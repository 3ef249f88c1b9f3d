/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * density.h -- how a row is drawn where its items are narrower than the medium can show.
 *
 * The time window is divided into cells, the smallest columns that the medium shows, and these into
 * blocks. A block is dense if it contains at least four items whose mean width there is below two
 * cells, or one of which is lower than a cell. Dense blocks are shown as images of exact shares:
 * for every cell the nanoseconds of every type, which sum to the length of the items; what is left
 * is white. Everything else is drawn as it is.
 */
#ifndef TV_DENSITY_H
#define TV_DENSITY_H

#include "views/rows/rows.h"
#include "views/scene/scene.h"

enum { TV_BLOCK = 64 }; /* cells */

struct tv_density {
	int64_t *edge; /* ncells + 1 times: cell c is [edge[c], edge[c + 1]) */
	uint32_t ncells, nblocks, ntypes;
	uint32_t *count; /* of items, per block */
	double *width;	 /* sum of their widths inside, in cells */
	bool *dense;	 /* per block */
	bool *thin;	 /* per block: one of its items is lower than a cell */
	int64_t *share;	 /* [cell * ntypes + type] ns, valid in dense blocks */
	uint8_t *mark;	 /* per cell: type of an outlier there, or TV_NO_TYPE */
	uint32_t nrows;	 /* whose time a cell is the sum of */
	struct tv_blender blender;
};

/* Divides [begin, end) into ncells cells, for items of so many types. Cost O(ncells ntypes) memory; reused for every
 * row. */
void tv_density_init(struct tv_density *density, int64_t begin, int64_t end, uint32_t ncells,
		     uint32_t ntypes);
void tv_density_release(struct tv_density *density);

/*
 * Items come in the order of their begin, of several rows one after the other, and all at once or some after others:
 *
 *	tv_density_clear(density, nrows, all);
 *	tv_density_find(density, item, n, height);	of one row, not after clear(..., true)
 *	tv_density_decide(density);			after all of them
 *	tv_density_add(density, item, n);		of each row
 */

/* Forgets all items; of so many rows others come. all: every block is dense, whatever is in it. */
void tv_density_clear(struct tv_density *density, uint32_t nrows, bool all);
/* Counts the items of a row (height in cells) in blocks; which of these are dense is then to be decided. */
void tv_density_find(struct tv_density *density, const struct tv_item *item, uint32_t n,
		     double height);
void tv_density_decide(struct tv_density *density);
/* Adds the items of a row to the shares and marks of dense blocks. Returns how many touch one. */
uint32_t tv_density_add(struct tv_density *density, const struct tv_item *item, uint32_t n);

/* The cell that contains a time of the window. */
uint32_t tv_density_cell(const struct tv_density *density, int64_t time);
/* The next run of dense cells [*from, *to) at or after *to; start with *to = 0. */
bool tv_density_run(const struct tv_density *density, uint32_t *from, uint32_t *to);
/* How many of the cells [from, to) are not empty. */
uint32_t tv_density_filled(const struct tv_density *density, uint32_t from, uint32_t to);
/* The next part [*from, *to) of [begin, end) inside the window and outside dense blocks; start with
 * *to = begin. */
bool tv_density_piece(const struct tv_density *density, int64_t begin, int64_t end, int64_t *from,
		      int64_t *to);

/*
 * Pixels of the cells [from, to), `height` of them high, at least 1: stacked in the order of types
 * from the bottom, what shares a pixel blended in linear light.
 */
struct tv_image tv_density_image(const struct tv_density *density, uint32_t from, uint32_t to,
				 uint32_t height, const struct tv_type_style *type);

#endif
