/* SPDX-License-Identifier: GPL-3.0-or-later */
/* complete.h -- what the two halves of tv_trace_complete share: tasks (complete.c) and resources
 * (resources.c). */
#ifndef TV_COMPLETE_H
#define TV_COMPLETE_H

#include "trace/kernels.h"
#include "trace/trace.h"

/* Label columns of tasks while they are completed. */
struct tv_completion {
	struct tv_trace *trace;
	struct tv_table *tasks;
	struct tv_column *resource, *value, *start, *end, *job, *kind, *node, *type, *duration,
		*segment;
	struct tv_kernels kernels;
	uint32_t kind_label[TV_NKINDS];
	uint32_t *row_of; /* row in resources of a label + 1; 0 = none */
	uint32_t nlabels;
	bool increase; /* executions of each resource come by Start, at different times */
};

/* Whether we fill the missing cells of that column: never in a column of a native table. */
static inline bool tv_completes(const struct tv_completion *c, const struct tv_column *column)
{
	return !c->trace->native || column->derived;
}

static inline bool tv_row_is(const struct tv_completion *c, uint32_t row, enum tv_kind kind)
{
	return tv_label(c->kind, row) == c->kind_label[kind];
}

/* Text of a label cell; "" without the column. */
static inline const char *tv_cell(const struct tv_column *column, uint32_t row)
{
	return column != NULL ? tv_pool_text(column->pool, tv_label(column, row)) : "";
}

/* Finds every resource by its label: c->row_of. */
void tv_index_resources(struct tv_completion *c);
/* ResourceType and Node of every task row that has a resource. */
void tv_fill_resources(struct tv_completion *c);
/* The workers of tv_read_options.resources. */
int tv_declare_resources(struct tv_completion *c, struct tv_error *err);
/* The row of a resource that tasks name, added if it is not there. */
void tv_require_resource(struct tv_completion *c, uint32_t label);
/* The bindings of tv_read_options.bind. */
int tv_bind_workers(struct tv_completion *c, struct tv_error *err);
/* The Cpuset of workers that have none: that of the PU that BoundPU numbers, where the trace has the machine. */
void tv_resolve_bindings(struct tv_completion *c);
/* Foreign traces: every resource has a type and a node, and every worker that a task names is a
 * resource. */
void tv_add_missing_resources(struct tv_completion *c);
/* Foreign traces: sorts resources by node, type and name and numbers them. */
void tv_order_resources(struct tv_completion *c);
/* Foreign traces: one row of Kind worker for every worker that ran nothing. */
void tv_add_idle_workers(struct tv_completion *c);

#endif
