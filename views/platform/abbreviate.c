/* SPDX-License-Identifier: GPL-3.0-or-later */
/* abbreviate.c -- equal branches of a platform's picture are drawn once, and large ones are cut. */
#include <string.h>

#include "trace/alloc.h"
#include "views/platform/tree.h"

enum {
	FULL = 32,    /* rows that are drawn without abbreviation */
	ROWS = 240,   /* at most, about */
	BRANCHES = 64 /* of one node, at most */
};

static uint64_t mix(uint64_t sign, uint64_t value)
{
	sign = (sign ^ value) * 0x9e3779b97f4a7c15u;
	return sign ^ sign >> 29;
}

static uint64_t mix_double(uint64_t sign, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	return mix(sign, bits);
}

static uint64_t mix_link(const struct tv_platform *platform, uint64_t sign, uint32_t link)
{
	const struct tv_platform_link *l = &platform->link[link];

	return mix(mix_double(mix(sign, l->policy), l->bandwidth), (uint64_t)l->latency_ns);
}

static uint64_t own_sign(const struct tv_branches *tree, uint32_t i)
{
	const struct tv_branch *item = &tree->item[i];
	const struct tv_platform *platform = tree->platform;
	uint64_t sign = mix(1, item->kind);

	if (item->kind == TV_BRANCH_STUB)
		return mix(sign, i);
	if (item->edge != TV_NONE) {
		const struct tv_plan_edge *edge = &tree->plan->edge[item->edge];

		sign = mix(sign, 2 + tree->marked_edge[item->edge]);
		for (uint32_t k = 0; k < edge->n; k++)
			sign = mix_link(platform, sign, tree->plan->link[edge->first + k]);
	}
	if (item->kind == TV_BRANCH_NODE) {
		const struct tv_plan_node *node = &tree->plan->node[item->node];
		const struct tv_platform_point *point = node->point == TV_NONE
							      ? NULL
							      : &platform->point[node->point];

		sign = mix(sign, tree->marked_node[item->node]);
		if (node->link != TV_NONE)
			sign = mix(mix_link(platform, sign, node->link), node->unused);
		if (point != NULL && point->kind == TV_POINT_HOST) {
			const struct tv_platform_host *host = &platform->host[point->index];

			sign = mix(
				mix_double(mix(sign, host->kind + 7u
							     + 16 * (uint64_t)(host->cpu_kind + 1)),
					   host->speed),
				host->cores);
			sign = mix(sign, host->size);
		} else if (point != NULL) {
			sign = mix(sign, 99);
		}
	}
	return sign;
}

static void set_signs(struct tv_branches *tree)
{
	for (uint32_t i = 0; i < tree->n; i++)
		tree->item[i].sign = own_sign(tree, i);
	for (uint32_t i = (uint32_t)tree->n; i-- > 0;) {
		struct tv_branch *item = &tree->item[i];
		uint64_t sign = item->sign;

		for (uint32_t c = item->child; c != TV_NONE; c = tree->item[c].next)
			sign = mix(sign, tree->item[c].sign);
		item->sign = mix(sign, 5);
	}
}

/* Rows of what is visible below an item. */
static uint32_t count_rows(struct tv_branches *tree)
{
	uint32_t *rows = tv_alloc(tree->n, sizeof *rows), all;

	for (uint32_t i = (uint32_t)tree->n; i-- > 0;) {
		uint32_t parent = tree->item[i].parent;

		rows[i] = tree->item[i].is_hidden ? 0 : rows[i] == 0 ? 1 : rows[i];
		if (parent != TV_NONE)
			rows[parent] += rows[i];
	}
	all = rows[0];
	tv_free(rows);
	return all;
}

/* Children that are equal to an earlier one are hidden and counted. */
static void join_equal(struct tv_branches *tree)
{
	struct tv_map first = { 0 };

	for (uint32_t i = 0; i < tree->n; i++) {
		uint32_t before = TV_NONE;

		for (uint32_t c = tree->item[i].child; c != TV_NONE; c = tree->item[c].next) {
			uint32_t *at = tv_map_at(&first, tree->item[c].sign, i);
			struct tv_branch *same = *at == TV_NONE ? NULL : &tree->item[*at];

			if (same == NULL) {
				*at = c;
			} else {
				if (before != (same->count == 1 ? *at : same->equal))
					same->others_between = true;
				tree->item[c].is_hidden = true;
				same->count++;
				same->equal = c;
				tree->abbreviated = true;
			}
			before = c;
		}
	}
	tv_map_release(&first);
}

/* Of more than `max` visible children the rest is one row. */
static void cut_branches(struct tv_branches *tree, uint32_t max)
{
	size_t n = tree->n;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t seen = 0, more = TV_NONE;

		for (uint32_t c = tree->item[i].child; c != TV_NONE; c = tree->item[c].next) {
			if (tree->item[c].is_hidden || tree->item[c].kind == TV_BRANCH_MORE
			    || ++seen <= max)
				continue;
			tree->item[c].is_hidden = true;
			more = more == TV_NONE ? tree->item[i].last_child : more;
			if (tree->item[more].kind != TV_BRANCH_MORE)
				more = tv_branches_add(tree, TV_BRANCH_MORE, i);
			tree->item[more].hidden += tree->item[c].count;
			tree->abbreviated = true;
		}
	}
}

static bool is_shown(const struct tv_branches *tree, uint32_t item)
{
	for (; item != TV_NONE; item = tree->item[item].parent)
		if (tree->item[item].is_hidden)
			return false;
	return true;
}

/* Lanes with an end in what is hidden. */
static void cut_lanes(struct tv_branches *tree)
{
	for (uint32_t i = 0; i < tree->n; i++) {
		struct tv_branch *item = &tree->item[i];

		if (item->kind != TV_BRANCH_STUB || !item->labeled
		    || (is_shown(tree, i)
			&& (item->other == TV_NONE || is_shown(tree, item->other))))
			continue;
		item->is_hidden = true;
		if (item->other != TV_NONE)
			tree->item[item->other].is_hidden = true;
		tree->lanes_left++;
	}
}

void tv_branches_abbreviate(struct tv_branches *tree)
{
	if (count_rows(tree) > FULL) {
		set_signs(tree);
		join_equal(tree);
	}
	for (uint32_t max = BRANCHES; max > 0 && count_rows(tree) > ROWS; max /= 2)
		cut_branches(tree, max);
	cut_lanes(tree);
	for (uint32_t i = 1; i < tree->n; i++)
		if (tree->item[tree->item[i].parent].is_hidden)
			tree->item[i].is_hidden = true;
}
