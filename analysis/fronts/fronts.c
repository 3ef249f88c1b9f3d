/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fronts.c -- which front every task belongs to, and what it does there. */
#include "analysis/fronts/fronts.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/tasks/tags.h"
#include "trace/alloc.h"
#include "trace/sorted.h"
#include "trace/text.h"

static enum tv_front_role role_by_name(const char *type)
{
	return tv_glob("*do_subtree*", type)			 ? TV_FRONT_SUBTREE
	     : tv_glob("*init_*", type)				 ? TV_FRONT_INIT
	     : tv_glob("*clean_*", type)			 ? TV_FRONT_CLEAN
	     : tv_glob_list("*block_copy*,*block_extadd*", type) ? TV_FRONT_ASSEMBLE
								 : TV_FRONT_COMPUTE;
}

/* The roles of all types; *multifrontal: whether one is of a multifrontal factorization. */
static void find_roles(struct tv_fronts *fronts, bool *multifrontal)
{
	const struct tv_tasks *tasks = &fronts->run->tasks;
	uint32_t ntypes = tv_pool_count(tasks->pool);
	bool *seen = tv_alloc(ntypes, sizeof *seen);

	fronts->role_of = tv_alloc(ntypes, sizeof *fronts->role_of);
	fronts->has_memory = tv_alloc(ntypes, sizeof *fronts->has_memory);
	*multifrontal = false;
	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t type = tasks->value[row];
		const char *name;

		if (!tasks->executed[row] || type == TV_NONE || seen[type])
			continue;
		seen[type] = true;
		name = tv_pool_text(tasks->pool, type);
		fronts->role_of[type] = (uint8_t)role_by_name(name);
		fronts->has_memory[type] = tv_glob_list("*front*,*do_subtree*", name);
		*multifrontal = *multifrontal
			     || tv_glob_list("*init_front*,*clean_front*,*do_subtree*", name);
	}
	tv_free(seen);
}

struct numbers {
	const struct tv_column *column; /* ANode, or NULL */
	const struct tv_column *tag;
};

/* The front that a row names, by its column or else by its tag. Four blanks name none: that is what
 * qr_mumps leaves in the tag of a task without a front, and what an ANode is that was read from
 * there. */
static bool number_of(const struct numbers *numbers, const struct tv_tasks *tasks, uint32_t row,
		      int64_t *number)
{
	uint64_t tag;

	if (!tasks->executed[row])
		return false;
	if (numbers->column != NULL) {
		if (tv_missing(numbers->column, row))
			return false;
		*number = numbers->column->i[row];
		return *number != (int64_t)(TV_TAG_BLANKS & UINT32_MAX);
	}
	if (tv_missing(numbers->tag, row)
	    || !tv_tag_number(tv_pool_text(tasks->pool, tv_label(numbers->tag, row)), &tag))
		return false;
	*number = (int64_t)(tag & UINT32_MAX);
	return *number != 0 && *number != (int64_t)(TV_TAG_BLANKS & UINT32_MAX);
}

TV_ORDER(by_number, struct tv_front, number)

uint32_t tv_front_find(const struct tv_fronts *fronts, int64_t number)
{
	const struct tv_front key = { .number = number };
	const struct tv_front *found = fronts->n == 0 ? NULL
						      : bsearch(&key, fronts->front, fronts->n,
								sizeof key, by_number);

	return found == NULL ? TV_NONE : (uint32_t)(found - fronts->front);
}

/* All fronts, sorted, each once. */
static void collect(struct tv_fronts *fronts, const struct numbers *numbers)
{
	const struct tv_tasks *tasks = &fronts->run->tasks;
	size_t cap = 0, n = 0;
	int64_t last = 0;

	for (uint32_t row = 0; row < tasks->n; row++) {
		int64_t number;

		if (!number_of(numbers, tasks, row, &number) || (n > 0 && number == last))
			continue;
		TV_GROW(fronts->front, n, cap, 1);
		fronts->front[n++] = (struct tv_front){ .number = last = number,
							.parent = TV_NONE };
	}
	if (n > 0)
		qsort(fronts->front, n, sizeof *fronts->front, by_number);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || fronts->front[i].number != fronts->front[fronts->n - 1].number)
			fronts->front[fronts->n++] = fronts->front[i];
}

static void add_row(struct tv_front *front, const struct tv_tasks *tasks, uint32_t row,
		    enum tv_front_role role, bool first)
{
	int64_t start = tasks->start[row], end = tasks->end[row];

	front->start = first || start < front->start ? start : front->start;
	front->end = first || end > front->end ? end : front->end;
	front->pruned = front->pruned || role == TV_FRONT_SUBTREE;
	if (!tv_front_computes(role))
		return;
	first = !front->computed;
	front->computed = true;
	front->compute_start = first || start < front->compute_start ? start : front->compute_start;
	front->compute_end = first || end > front->compute_end ? end : front->compute_end;
}

static void assign(struct tv_fronts *fronts, const struct numbers *numbers)
{
	const struct tv_tasks *tasks = &fronts->run->tasks;
	bool *seen = tv_alloc(fronts->n, sizeof *seen);

	fronts->of_row = tv_alloc(tasks->n, sizeof *fronts->of_row);
	for (uint32_t row = 0; row < tasks->n; row++) {
		int64_t number;
		uint32_t at;

		fronts->of_row[row] = TV_NONE;
		if (!number_of(numbers, tasks, row, &number))
			continue;
		at = tv_front_find(fronts, number);
		fronts->of_row[row] = at;
		add_row(&fronts->front[at], tasks, row, tv_front_role(fronts, row), !seen[at]);
		seen[at] = true;
	}
	tv_free(seen);
}

static void warn_rows(const struct tv_fronts *fronts)
{
	const struct tv_tasks *tasks = &fronts->run->tasks;
	unsigned long none = 0;

	for (uint32_t row = 0; row < tasks->n; row++)
		none += tasks->leads[row] && fronts->of_row[row] == TV_NONE;
	if (none != 0)
		tv_run_warn(fronts->run,
			    "%lu tasks belong to no front (ANode, Tag): they are "
			    "left out",
			    none);
}

int tv_fronts_init(struct tv_fronts *fronts, struct tv_run *run, struct tv_error *err)
{
	const struct tv_table *tasks = &run->trace->table[TV_TASKS];
	struct numbers numbers = {
		.column = tv_table_find(tasks, "ANode"),
		.tag = tv_table_find(tasks, "Tag"),
	};
	bool multifrontal;

	*fronts = (struct tv_fronts){ .run = run };
	if (numbers.column == NULL && numbers.tag == NULL)
		return tv_fail(err, "the tasks have neither the column ANode "
				    "nor Tag, which name the node of the elimination tree");
	find_roles(fronts, &multifrontal);
	if (numbers.column == NULL && !multifrontal)
		return tv_fail(err,
			       "the tasks have no column ANode, and "
			       "their Tags are not read as fronts: no task type is init_front, "
			       "clean_front or do_subtree");
	collect(fronts, &numbers);
	assign(fronts, &numbers);
	if (fronts->n == 0)
		return tv_fail(err,
			       "no task belongs to a node of the "
			       "elimination tree: %s names none",
			       numbers.column != NULL ? "ANode" : "Tag");
	warn_rows(fronts);
	return 0;
}

void tv_fronts_release(struct tv_fronts *fronts)
{
	tv_free(fronts->front);
	tv_free(fronts->of_row);
	tv_free(fronts->role_of);
	tv_free(fronts->has_memory);
	*fronts = (struct tv_fronts){ 0 };
}

void tv_front_types(struct tv_pool *pool, uint32_t type[2])
{
	type[0] = tv_intern_text(pool, "not pruned");
	type[1] = tv_intern_text(pool, "pruned");
}

double tv_front_memory(const struct tv_fronts *fronts, uint32_t row)
{
	const struct tv_tasks *tasks = &fronts->run->tasks;
	const struct tv_column *gflop = tv_table_find(&tasks->trace->table[TV_TASKS], "GFlop");
	uint32_t type = tasks->value[row];

	if (gflop == NULL || tv_missing(gflop, row) || type == TV_NONE || !fronts->has_memory[type]
	    || (tasks->counted[row] && !tasks->leads[row]))
		return 0;
	return tv_front_role(fronts, row) == TV_FRONT_CLEAN ? -fabs(gflop->d[row]) : gflop->d[row];
}
