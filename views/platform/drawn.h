/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drawn.h -- a platform's picture while it is made: texts.c has its texts and their widths, places.c where all
 * is, shapes.c how it looks. */
#ifndef TV_PLATFORM_DRAWN_H
#define TV_PLATFORM_DRAWN_H

#include "views/platform/picture.h"
#include "views/platform/tree.h"

/* Points. */
#define TV_PICTURE_ROW	   19.0 /* of an item */
#define TV_PICTURE_BOX	   15.0 /* of a host */
#define TV_PICTURE_MARGIN  6.0	/* of the page */
#define TV_PICTURE_PAD	   5.0	/* inside of a frame, at its sides */
#define TV_PICTURE_HEADING 10.0 /* of a frame */
#define TV_PICTURE_TURN	   6.0	/* of a line before and behind its turn */
#define TV_PICTURE_MARK	   0xc2185bu

enum {
	TV_PICTURE_SERIES = 5,
	TV_PICTURE_TEXT = 400
}; /* links of a line with a place each; bytes */

struct tv_drawn {
	const struct tv_platform_picture *picture;
	const struct tv_platform *platform;
	const struct tv_plan *plan;
	struct tv_branches tree;
	struct tv_scene *scene;
	bool *node, *edge; /* of a marked route */
	double right;	   /* of all items */
	bool policy[TV_LINK_FATPIPE + 1], kind[TV_HOST_MEMORY + 1], bus, mixed;
};

/* ---- texts.c ---- */

bool tv_picture_is_router(const struct tv_drawn *d, const struct tv_branch *item);
double tv_picture_text_width(const struct tv_drawn *d, const char *text, bool bold);
/* Two lines about a link (and the last one of those that are equal to it), about more links of an edge than have a
 * place each, and about a node; empty for a junction. */
void tv_picture_link(const struct tv_drawn *d, const struct tv_branch *item, uint32_t link,
		     uint32_t last, char name[TV_PICTURE_TEXT], char numbers[TV_PICTURE_TEXT]);
void tv_picture_many(const struct tv_drawn *d, const struct tv_branch *item,
		     char name[TV_PICTURE_TEXT], char numbers[TV_PICTURE_TEXT]);
void tv_picture_item(const struct tv_drawn *d, const struct tv_branch *item,
		     char name[TV_PICTURE_TEXT], char numbers[TV_PICTURE_TEXT]);
void tv_picture_zone(const struct tv_drawn *d, const struct tv_branch *item,
		     char out[TV_PICTURE_TEXT]);
/* How many equal ones; empty for one. How many are not drawn. */
void tv_picture_count(const struct tv_branch *item, char *out, size_t size);
void tv_picture_more(const struct tv_branch *item, char *out, size_t size);
/* A link of an edge; the edge of the last one that is equal. */
uint32_t tv_picture_link_at(const struct tv_drawn *d, uint32_t edge, uint32_t i);
uint32_t tv_picture_last_edge(const struct tv_drawn *d, const struct tv_branch *item);
/* Widths, points: of a link on a line, of the line to an item, of an item. */
double tv_picture_link_width(const struct tv_drawn *d, const struct tv_branch *item, uint32_t link,
			     uint32_t last);
double tv_picture_edge_width(const struct tv_drawn *d, const struct tv_branch *item);
double tv_picture_width(const struct tv_drawn *d, const struct tv_branch *item);

/* ---- places.c ---- */

/* Where an item and what hangs on it are; column: width of the widest of its neighbors. Returns where the
 * next one may begin. */
double tv_picture_place(struct tv_drawn *d, uint32_t i, double x, double y, double column);

/* ---- shapes.c ---- */

extern const enum tv_dash tv_picture_dashes[]; /* by policy */
extern const uint32_t tv_picture_fills[];      /* by kind of host */
void tv_picture_write(struct tv_drawn *d, const char *class, double x, double y,
		      enum tv_align align, bool bold, uint32_t color, const char *text);
/* All items, and notes what needs a key. */
void tv_picture_draw(struct tv_drawn *d);

#endif
