/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expr.c -- evaluate expressions over the rows of a table. */
#include "trace/expr_tree.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/near_names.h"
#include "trace/sorted.h"
#include "trace/text.h"

/* A row, for the operands of sums. */
struct place {
	const struct tv_table *table;
	uint32_t row;
};

static int compare_number(const struct tv_column *c, uint32_t row, const struct tv_expr_value *v)
{
	double x;

	if (c->type != TV_DOUBLE && v->exact)
		return TV_COMPARE(c->i[row], v->whole);
	x = c->type == TV_DOUBLE ? c->d[row] : (double)c->i[row];
	return TV_COMPARE(x, v->number);
}

static bool holds(enum tv_expr_op op, int order)
{
	switch (op) {
	case OP_EQ:
		return order == 0;
	case OP_NE:
		return order != 0;
	case OP_LT:
		return order < 0;
	case OP_LE:
		return order <= 0;
	case OP_GT:
		return order > 0;
	case OP_GE:
		return order >= 0;
	default:
		return false;
	}
}

/* Values that were renamed: the former one and the present one are equal, in expressions and in
 * tables written before. */
static const struct {
	const char *column, *former, *name;
} renamed_values[] = {
	{ "Cause", "type", "unsuited" },
};

static bool is_text(const char *s, size_t n, const char *text)
{
	return n == strlen(text) && memcmp(s, text, n) == 0;
}

static bool same_text(const struct tv_column *column, const char *s, size_t n, const char *text)
{
	for (size_t i = 0; i < TV_COUNT(renamed_values); i++) {
		const char *former = renamed_values[i].former, *name = renamed_values[i].name;

		if (strcmp(column->name, renamed_values[i].column) != 0)
			continue;
		if (is_text(s, n, former))
			return strcmp(text, former) == 0 || strcmp(text, name) == 0;
		if (is_text(s, n, name) && strcmp(text, former) == 0)
			return true;
	}
	return is_text(s, n, text);
}

/* Compares a text with a value; the text need not be closed by NUL. */
static bool text_holds(const struct tv_expr_node *node, const struct tv_expr_value *v,
		       const char *s, size_t n)
{
	char buffer[256], *text = buffer;
	bool result;

	if (node->op == OP_EQ || node->op == OP_NE)
		return same_text(node->column, s, n, v->text) == (node->op == OP_EQ);
	if (n < sizeof buffer) {
		memcpy(buffer, s, n);
		buffer[n] = '\0';
	} else {
		text = tv_strndup(s, n);
	}
	result = node->op == OP_MATCH ? regexec(&node->regex, text, 0, NULL, 0) == 0
				      : holds(node->op, tv_natural_order(text, v->text));
	if (text != buffer)
		tv_free(text);
	return result;
}

static bool value_holds(const struct tv_expr_node *node, const struct tv_expr_value *v,
			uint32_t row)
{
	const struct tv_column *c = node->column;
	const char *s;
	size_t n;

	if (tv_expr_is_numeric(c))
		return holds(node->op, compare_number(c, row, v));
	if (c->type == TV_LIST) {
		uint32_t count;
		const uint32_t *label = tv_list(c, row, &count);

		for (uint32_t i = 0; i < count; i++)
			if (text_holds(node, v, tv_pool_text(c->pool, label[i]),
				       tv_pool_length(c->pool, label[i])))
				return true;
		return false;
	}
	s = tv_string(c, row, &n);
	return text_holds(node, v, s, n);
}

static double cell(const void *context, uint32_t operand)
{
	const struct place *place = context;
	const struct tv_column *c = place->table->col[operand];

	if (tv_missing(c, place->row))
		return NAN;
	return c->type == TV_DOUBLE ? tv_real(c, place->row)
	     : c->type == TV_TIME   ? (double)c->i[place->row] / 1e6
				    : (double)tv_number(c, place->row);
}

static enum tv_truth compare_sums(const struct tv_table *table, const struct tv_expr_node *node,
				  uint32_t row)
{
	const struct place place = { table, row };
	double left = tv_arithmetic_value(node->sum[0], cell, &place);
	double right = tv_arithmetic_value(node->sum[1], cell, &place);

	if (isnan(left) || isnan(right))
		return TV_UNKNOWN;
	return holds(node->op, TV_COMPARE(left, right)) ? TV_YES : TV_NO;
}

static bool evaluate(const struct tv_table *table, const struct tv_expr_node *node, uint32_t row)
{
	for (; node->op == OP_OR || node->op == OP_AND; node = node->right)
		if (evaluate(table, node->left, row) == (node->op == OP_OR))
			return node->op == OP_OR;
	if (node->op == OP_NOT)
		return !evaluate(table, node->left, row);
	if (node->column == NULL)
		return compare_sums(table, node, row) == TV_YES;
	for (size_t i = 0; !tv_missing(node->column, row) && i < node->nvalues; i++)
		if (value_holds(node, &node->value[i], row))
			return true;
	return false;
}

bool tv_expr_holds(const struct tv_expr *expr, uint32_t row)
{
	return evaluate(expr->table, expr->root, row);
}

static enum tv_truth number_between(const struct tv_expr_node *node, const struct tv_expr_value *v,
				    uint32_t low, uint32_t high)
{
	int from = compare_number(node->column, low, v), to = compare_number(node->column, high, v);
	bool some = false, all = true;

	for (int order = from < to ? from : to; order <= from || order <= to; order++) {
		some = some || holds(node->op, order);
		all = all && holds(node->op, order);
	}
	return all ? TV_YES : some ? TV_UNKNOWN : TV_NO;
}

static enum tv_truth test_between(const struct tv_table *table, const struct tv_expr_node *node,
				  uint32_t low, uint32_t high)
{
	enum tv_truth best = TV_NO;

	if (node->column == NULL) /* sums need not grow with what they are made of */
		return low == high ? compare_sums(table, node, low) : TV_UNKNOWN;
	if (tv_missing(node->column, low) || tv_missing(node->column, high))
		return TV_UNKNOWN;
	if (!tv_expr_is_numeric(node->column))
		return evaluate(table, node, low) != evaluate(table, node, high) ? TV_UNKNOWN
		     : evaluate(table, node, low)				 ? TV_YES
										 : TV_NO;
	for (size_t i = 0; i < node->nvalues; i++) {
		enum tv_truth truth = number_between(node, &node->value[i], low, high);

		best = truth > best ? truth : best;
	}
	return best;
}

static enum tv_truth between(const struct tv_table *table, const struct tv_expr_node *node,
			     uint32_t low, uint32_t high)
{
	enum tv_expr_op op = node->op; /* a chain is all "or" or all "and" */
	enum tv_truth all = op == OP_AND ? TV_YES : TV_NO, truth;

	if (op == OP_NOT)
		return TV_YES - between(table, node->left, low, high);
	for (; op == OP_OR || op == OP_AND; node = node->right) {
		bool last = node->op != op;

		truth = last ? between(table, node, low, high)
			     : between(table, node->left, low, high);
		if ((op == OP_OR) == (truth > all))
			all = truth;
		if (last)
			return all;
	}
	return test_between(table, node, low, high);
}

enum tv_truth tv_expr_between(const struct tv_expr *expr, uint32_t low, uint32_t high)
{
	return between(expr->table, expr->root, low, high);
}

/* The first test for equality, not behind "not", with a value that no row of a column of labels has. */
static const struct tv_expr_node *find_unmatched(const struct tv_expr_node *node,
						 const struct tv_table *table)
{
	for (; node != NULL && node->op != OP_NOT; node = node->right) {
		const struct tv_expr_node *found = find_unmatched(node->left, table);
		uint32_t row = 0;

		if (found != NULL)
			return found;
		if (node->op != OP_EQ || node->nvalues != 1 || node->column->type != TV_LABEL)
			continue;
		while (row < table->nrows && !value_holds(node, &node->value[0], row))
			row++;
		if (row == table->nrows)
			return node;
	}
	return NULL;
}

char *tv_expr_unmatched(const struct tv_expr *expr)
{
	const struct tv_expr_node *node = find_unmatched(expr->root, expr->table);
	const struct tv_column *column = node == NULL ? NULL : node->column;
	struct tv_name_list names = { .n = 0 };
	struct tv_near near;
	const char *meant;
	bool *seen;

	if (column == NULL)
		return tv_strdup("");
	seen = tv_alloc(tv_pool_count(column->pool), sizeof *seen);
	tv_near_init(&near, node->value[0].text);
	for (uint32_t row = 0; row < column->n; row++) {
		uint32_t label = tv_label(column, row);

		if (label == TV_NONE || seen[label])
			continue;
		seen[label] = true;
		tv_near_offer(&near, tv_pool_text(column->pool, label));
		tv_name_list_add(&names, tv_pool_text(column->pool, label));
	}
	tv_free(seen);
	meant = tv_near_text(&near);
	return tv_format(": no %s is '%s'%s%s", column->name, node->value[0].text,
			 meant[0] != '\0' ? meant : ", expected one of ",
			 meant[0] != '\0' ? "" : tv_name_list_text(&names));
}
