/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tree.h -- what a picture of a platform shows, as a tree from left to right.
 *
 * Frames of zones contain trees of their nodes; a zone that hangs on a node of the zone around it is
 * a child of that node. Links that close a circle, or join zones elsewhere, are lanes: each has a
 * row of its own at both ends, and a line at the right side between them. So no text meets another.
 */
#ifndef TV_PLATFORM_TREE_H
#define TV_PLATFORM_TREE_H

#include "sim/plan.h"

enum { TV_BRANCHES_LANES = 60 }; /* at most */

enum tv_branch_kind { TV_BRANCH_NODE, TV_BRANCH_FRAME, TV_BRANCH_STUB, TV_BRANCH_MORE };

struct tv_branch {
	enum tv_branch_kind kind;
	uint32_t node; /* of a stub: where it begins; of a frame: TV_NONE */
	uint32_t zone; /* of a frame */
	uint32_t edge; /* to the parent, of a stub: its own; TV_NONE */
	uint32_t parent, child, last_child, next; /* items; TV_NONE */
	uint32_t depth;				  /* below the root of its tree */
	uint32_t count;		 /* equal ones that are drawn as it, itself included */
	uint32_t equal;		 /* the last of these; TV_NONE */
	uint32_t other;		 /* of a stub: that at the other end; TV_NONE: a circle */
	uint32_t hidden;	 /* of TV_BRANCH_MORE: branches */
	bool others_between;	 /* unequal ones lie between the equal ones */
	bool is_hidden, labeled; /* labeled: this end of a lane has the names */
	uint64_t sign;		 /* equal for what looks equal */
	double x, y, width;	 /* its left end and middle; its own width, points */
	double x1, y0, y1;	 /* right end of what is in or below it; of a frame */
	double column, gap;	 /* before what hangs on it: widest box, links */
};

struct tv_branches {
	const struct tv_platform *platform;
	const struct tv_plan *plan;
	const bool *marked_node, *marked_edge; /* of a route that was asked for */
	struct tv_branch *item;		       /* parents first; item 0 = the outermost zone */
	size_t n, cap;
	uint32_t lanes_left; /* that have no place */
	bool abbreviated;
};

void tv_branches_init(struct tv_branches *tree, const struct tv_platform *platform,
		      const struct tv_plan *plan, const bool *marked_node, const bool *marked_edge);
void tv_branches_release(struct tv_branches *tree);

/* A new item, the last child of its parent. */
uint32_t tv_branches_add(struct tv_branches *tree, enum tv_branch_kind kind, uint32_t parent);
/* Hides what is equal to a neighbor, and branches of what is still too large; both are counted. */
void tv_branches_abbreviate(struct tv_branches *tree);

#endif
