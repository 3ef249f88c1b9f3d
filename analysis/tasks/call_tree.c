/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call_tree.c -- the time of each path of nested regions. */
#include <stdlib.h>

#include "analysis/core/instead.h"
#include "analysis/tasks/nesting.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"
#include "trace/text.h"

#define COLUMNS(X) \
	X(PATH, "CallPath", TV_LABEL, false, "", \
	  "regions from the outermost one on: main/solve/MPI_Send") \
	X(DEPTH, "Depth", TV_INT, false, "", "0 outermost") \
	X(NAME, "Name", TV_LABEL, false, "", "the last region of the path") \
	X(COUNT, "Count", TV_INT, false, "", "times that it was entered on this path") \
	X(INCLUSIVE, "Inclusive", TV_TIME, false, "ms", "sum of the times of these regions") \
	X(EXCLUSIVE, "Exclusive", TV_TIME, false, "ms", "that without the regions inside") \
	X(SHARE, "Share", TV_DOUBLE, false, "%", "Exclusive over the sum of all rows")

TV_COLUMNS(columns, COLUMNS)

/* A path with its sums. */
struct node {
	uint32_t path, parent; /* parent: TV_NONE = none */
	const char *name;
	int64_t count;
	tv_int128 inclusive, exclusive;
};

/* Those below one path together, the longest first. */
TV_ORDER(by_time, struct node, parent, down(inclusive), text(name), path)

struct call_tree {
	struct tv_nesting nesting;
	struct node *node;   /* nesting.npaths */
	uint32_t *below;     /* by path: the first node below it; nesting.npaths = none */
	uint32_t *text;	     /* by path */
	tv_int128 exclusive; /* of all */
	struct tv_table *out;
};

static void add_up(struct call_tree *work, const struct tv_pool *pool)
{
	const struct tv_nesting *nesting = &work->nesting;
	uint32_t *group = tv_alloc(nesting->n, sizeof *group);
	bool *repeats;

	for (uint32_t i = 0; i < nesting->n; i++)
		group[i] = nesting->at[i].path;
	repeats = tv_nesting_repeats(nesting, group, nesting->npaths);
	for (uint32_t i = 0; i < nesting->npaths; i++)
		work->node[i] = (struct node){
			.path = i,
			.parent = nesting->path[i].parent,
			.name = tv_pool_text(pool, nesting->path[i].name),
		};
	for (uint32_t i = 0; i < nesting->n; i++) {
		struct node *of = &work->node[group[i]];

		of->count++;
		of->inclusive += repeats[i] ? 0 : nesting->at[i].end - nesting->at[i].start;
		of->exclusive += nesting->at[i].exclusive;
		work->exclusive += nesting->at[i].exclusive;
	}
	tv_free(repeats);
	tv_free(group);
	qsort(work->node, nesting->npaths, sizeof *work->node, by_time);
}

static void write_row(struct call_tree *work, const struct node *node)
{
	const struct tv_region_path *path = &work->nesting.path[node->path];
	struct tv_column *const *to = work->out->col;
	uint32_t row = tv_table_add_row(work->out);

	tv_set_label(to[PATH], row, work->text[node->path]);
	tv_set_int(to[DEPTH], row, path->level - 1);
	tv_set_label(to[NAME], row, path->name);
	tv_set_int(to[COUNT], row, node->count);
	tv_set_int(to[INCLUSIVE], row, tv_sum_ns(node->inclusive));
	tv_set_int(to[EXCLUSIVE], row, tv_sum_ns(node->exclusive));
	tv_set_double(to[SHARE], row,
		      work->exclusive > 0 ? 100 * (double)node->exclusive / (double)work->exclusive
					  : 0);
}

/* The paths from that node on that have its parent, each with those below it; they are not deeper than TV_PATH_LEVELS. */
static void write_below(struct call_tree *work, uint32_t first)
{
	for (uint32_t i = first;
	     i < work->nesting.npaths && work->node[i].parent == work->node[first].parent; i++) {
		write_row(work, &work->node[i]);
		write_below(work, work->below[work->node[i].path]);
	}
}

static int run_call_tree(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
			 struct tv_error *err)
{
	struct call_tree work = { .out = out };
	uint32_t n, roots;

	(void)options;
	tv_nesting_init(&work.nesting, run);
	n = roots = work.nesting.npaths;
	if (n == 0) {
		tv_nesting_release(&work.nesting);
		return tv_fail_lacks(err, run->trace,
				     "call-tree: the trace has no regions of programs");
	}
	work.node = tv_alloc(n, sizeof *work.node);
	work.below = tv_alloc(n, sizeof *work.below);
	work.text = tv_nesting_texts(&work.nesting, out->pool);
	add_up(&work, out->pool);
	for (uint32_t i = 0; i < n; i++)
		work.below[i] = n;
	for (uint32_t i = n; i-- > 0;)
		if (work.node[i].parent == TV_NONE)
			roots = i;
		else
			work.below[work.node[i].parent] = i;
	write_below(&work, roots);
	tv_free(work.node);
	tv_free(work.below);
	tv_free(work.text);
	tv_nesting_release(&work.nesting);
	return 0;
}

const struct tv_pass tv_pass_call_tree = {
	.name = "call-tree",
	.summary = "Inclusive and exclusive time of each path of nested regions",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_SUMMARY,
	.needs = "states calls resources",
	TV_PASS_COLUMNS(columns),
	.ranked = "Exclusive",
	.sums = true,
	.taskless = true,
	.windowless = true,
	.notes = "Regions are states, calls and tasks; which one is inside which: help "
		 "notes:summary\n"
		 "(--by path). Each path is followed by those below it, the longest first. A "
		 "recursive\n"
		 "region has a path for each level, so that its time counts once on each. The time "
		 "of\n"
		 "regions that are open at the end of the trace ends there.",
	.example = "traceviz call-tree data/mpi-halo",
	.run = run_call_tree,
};
