/* SPDX-License-Identifier: GPL-3.0-or-later */
/* boxes.h -- the objects of the machine in a map: boxes in boxes, a tree of boxes, or rings, and the text in them. */
#ifndef TV_CHARTS_BOXES_H
#define TV_CHARTS_BOXES_H

#include "views/charts/objects.h"
#include "views/charts/sectors.h"

enum tv_map_form { TV_MAP_NESTED, TV_MAP_TREE, TV_MAP_RADIAL };
enum { TV_MAP_LEVELS = 64 };

#define TV_MAP_LINE	 8.4 /* points, of text */
#define TV_MAP_BRANCH	 7   /* points, above a box of a tree */
#define TV_MAP_CURVE	 9   /* points, of a curve below the text */
#define TV_MAP_CURVE_MIN 18  /* width of the boxes of a level that has curves */

/* An object in a map whose left top end is (0, 0), in points; of rings x and width are angles. */
struct tv_box {
	uint32_t parent; /* TV_NONE = outermost */
	uint32_t level, leaves;
	double x, y, width, height; /* of its own strip and of what is below it: width */
	bool memory, holds;	    /* a strip above its siblings; a frame around its children */
	uint32_t host, ring;	    /* its map among those of a window; rings: from 0 inside */
	uint32_t room;		    /* leaves of children that have their place */
};

struct tv_boxes {
	const struct tv_object_numbers *numbers, *curves; /* curves: NULL = none; borrowed */
	enum tv_map_form form;
	struct tv_box *box; /* by object, parents first */
	uint32_t n;
	uint32_t nhosts; /* 1: all objects are in one map */
	struct {
		uint32_t label, lines; /* lines of text: 1 name and number, 2 one each, 3 number */
		double narrow;	       /* the narrowest box */
		double y;	       /* of all its boxes; NaN: they differ */
		bool known, curve;     /* its objects have curves; and room for them */
	} level[TV_MAP_LEVELS];
	uint32_t nlevels, nrings;
	double names;	      /* room for names of levels, left of the boxes of a map */
	double width, height; /* of a map; of rings without names */
};

/* The tree. Rows w * n + i of the numbers are object i. */
void tv_boxes_init(struct tv_boxes *boxes, const struct tv_object_numbers *numbers,
		   const struct tv_object_numbers *curves, enum tv_map_form form);
void tv_boxes_release(struct tv_boxes *boxes); /* safe on a zeroed struct */
/* Places for maps of that width, where boxes have no names with those of their levels. */
void tv_boxes_arrange(struct tv_boxes *boxes, struct tv_text *measure, double width);

/* The name of a level beside its boxes; NULL: not wanted. */
const char *tv_boxes_level(const struct tv_boxes *boxes, uint32_t level);
/* Height of its text and curve. */
double tv_box_strip(const struct tv_boxes *boxes, const struct tv_box *box);
/* Height of its text alone. */
double tv_box_text_height(const struct tv_boxes *boxes, const struct tv_box *box);
const char *tv_box_id(const struct tv_boxes *boxes, uint32_t object);
/* Its name, without the host where that is above the map; its number, "" if that is not known. */
void tv_box_name(const struct tv_boxes *boxes, uint32_t object, char *out, size_t size);
void tv_box_number(const struct tv_boxes *boxes, uint32_t row, char *out, size_t size);
/* Rings: the sector of a box up to an angle, in a map with its left top end at (x, y). */
struct tv_sector tv_box_sector(const struct tv_boxes *boxes, const struct tv_box *box, double end,
			       double x, double y);
/* Name and number of an object, or the number alone, as its level has it; false: no room for it. */
bool tv_box_sector_text(const struct tv_boxes *boxes, struct tv_text *measure, uint32_t row,
			const struct tv_sector *sector, char *out, size_t size);

#endif
