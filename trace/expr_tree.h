/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expr_tree.h -- a parsed expression: what expr_parse.c makes and expr.c evaluates. */
#ifndef TV_EXPR_TREE_H
#define TV_EXPR_TREE_H

#include <regex.h>

#include "trace/arithmetic.h"
#include "trace/expr.h"

enum tv_expr_op { OP_OR, OP_AND, OP_NOT, OP_EQ, OP_NE, OP_LT, OP_LE, OP_GT, OP_GE, OP_MATCH };

struct tv_expr_value {
	char *text;
	double number;
	int64_t whole; /* int columns: the exact value, if it is whole; time columns: ns */
	bool exact;
};

/* A node; tests hold if the column compares so with any of the values, or, without a column, if one
 * sum compares so with the other. */
struct tv_expr_node {
	enum tv_expr_op op;
	struct tv_expr_node *left, *right;
	const struct tv_column *column;
	struct tv_arithmetic *sum[2];
	struct tv_expr_value *value;
	size_t nvalues, values_cap;
	regex_t regex;
	bool has_regex;
};

struct tv_expr {
	struct tv_expr_node *root;
	const struct tv_table *table;
};

static inline bool tv_expr_is_numeric(const struct tv_column *column)
{
	return column->type == TV_TIME || column->type == TV_INT || column->type == TV_DOUBLE;
}

#endif
