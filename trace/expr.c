/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expr.c -- parse and evaluate expressions over the rows of a table. */
#include "trace/expr.h"

#include <ctype.h>
#include <math.h>
#include <regex.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/arithmetic.h"
#include "trace/near_names.h"
#include "trace/number.h"
#include "trace/pattern.h"
#include "trace/sorted.h"
#include "trace/text.h"
#include "trace/trace.h"

enum { DEPTH_MAX = 100 };

enum op { OP_OR, OP_AND, OP_NOT, OP_EQ, OP_NE, OP_LT, OP_LE, OP_GT, OP_GE, OP_MATCH };

struct value {
	char *text;
	double number;
	int64_t whole; /* int columns: the exact value, if it is whole; time columns: ns */
	bool exact;
};

/* A node; tests hold if the column compares so with any of the values, or, without a column, if one
 * sum compares so with the other. */
struct node {
	enum op op;
	struct node *left, *right;
	const struct tv_column *column;
	struct tv_arithmetic *sum[2];
	struct value *value;
	size_t nvalues, values_cap;
	regex_t regex;
	bool has_regex;
};

struct tv_expr {
	struct node *root;
	const struct tv_table *table;
};

/* A row, for the operands of sums. */
struct place {
	const struct tv_table *table;
	uint32_t row;
};

struct parser {
	const char *text, *at;
	const struct tv_table *table;
	struct tv_error *err;
	int depth;
};

/* Recursion is as deep as parentheses and "not"; chains of "and" and "or" go to the right. */
static void node_free(struct node *node)
{
	while (node != NULL) {
		struct node *right = node->right;

		node_free(node->left);
		for (size_t i = 0; i < node->nvalues; i++)
			tv_free(node->value[i].text);
		tv_free(node->value);
		tv_arithmetic_free(node->sum[0]);
		tv_arithmetic_free(node->sum[1]);
		if (node->has_regex)
			regfree(&node->regex);
		tv_free(node);
		node = right;
	}
}

/* A sign of other languages where another is expected, as this language has it; NULL = none. */
static const char *meant(const char *at, const char *expected)
{
	static const struct {
		const char *sign, *word, *expected;
	} known[] = { { "&&", "and", "and" },
		      { "||", "or", "and" },
		      { "=", "==", "==" },
		      { "!", "not", "a column" } };

	for (size_t i = 0; i < TV_COUNT(known); i++)
		if (strncmp(at, known[i].sign, strlen(known[i].sign)) == 0
		    && strncmp(expected, known[i].expected, strlen(known[i].expected)) == 0)
			return known[i].word;
	return NULL;
}

static struct node *fail(const struct parser *p, struct node *node, const char *expected)
{
	const char *word = meant(p->at, expected);

	if (word != NULL)
		tv_fail_quote(p->err, p->text, (size_t)(p->at - p->text),
			      "expected '%s' here instead of '%.*s'", word,
			      (int)strspn(p->at, "&|=!"), p->at);
	else
		tv_fail_quote(p->err, p->text, (size_t)(p->at - p->text), "expected %s here",
			      expected);
	node_free(node);
	return NULL;
}

static struct node *new_node(enum op op, struct node *left, struct node *right)
{
	struct node *node = tv_alloc(1, sizeof *node);

	node->op = op;
	node->left = left;
	node->right = right;
	return node;
}

static void blanks(struct parser *p)
{
	while (isspace((unsigned char)*p->at))
		p->at++;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || (c != '\0' && strchr("_.+-:*?/#", c) != NULL)
	    || (c & 0x80);
}

/* Consumes a keyword if it is the next word. */
static bool keyword(struct parser *p, const char *word)
{
	size_t n = strlen(word);

	blanks(p);
	if (strncmp(p->at, word, n) != 0 || is_word(p->at[n]))
		return false;
	p->at += n;
	return true;
}

static bool symbol(struct parser *p, const char *text)
{
	blanks(p);
	if (strncmp(p->at, text, strlen(text)) != 0)
		return false;
	p->at += strlen(text);
	return true;
}

/* A quoted text or a bare word, in new memory; NULL: neither. */
static char *take_text(struct parser *p)
{
	const char *first, *last;

	blanks(p);
	if (*p->at == '\'' || *p->at == '"') {
		first = p->at + 1;
		last = strchr(first, *p->at);
		if (last == NULL)
			return NULL;
		p->at = last + 1;
	} else {
		first = p->at;
		for (last = first; is_word(*last); last++)
			;
		if (last == first)
			return NULL;
		p->at = last;
	}
	return tv_strndup(first, (size_t)(last - first));
}

/* Where only the form of an expression is checked: what each name is. */
static const struct tv_column any_column = { .type = TV_TEXT };

/* The columns that continue a name behind a point, as makespan.ratio does makespan; else all. */
static void list_columns(const struct tv_table *table, const char *name, struct tv_name_list *names)
{
	size_t n = strlen(name);

	for (int all = 0; all < 2 && names->n == 0; all++)
		for (size_t i = 0; i < table->ncols; i++) {
			const char *column = table->col[i]->name;

			if (strcmp(column, TV_INPUT_ROW) == 0)
				continue;
			if (all || (strncmp(column, name, n) == 0 && column[n] == '.'))
				tv_name_list_add(names, column);
		}
}

static const struct tv_column *take_column(struct parser *p)
{
	const struct tv_column *column;
	struct tv_near near;
	size_t place;
	char *name;

	blanks(p);
	place = (size_t)(p->at - p->text);
	name = take_text(p);
	if (name == NULL) {
		fail(p, NULL, "a column");
		return NULL;
	}
	column = p->table == NULL ? &any_column : tv_table_find(p->table, name);
	if (column == NULL) {
		struct tv_name_list names = { .n = 0 };

		list_columns(p->table, name, &names);
		tv_fail_quote(p->err, p->text, place, "no column '%s'%s, expected one of %s", name,
			      tv_near_column(&near, name, p->table), tv_name_list_text(&names));
	}
	tv_free(name);
	return column;
}

static bool is_numeric(const struct tv_column *column)
{
	return column->type == TV_TIME || column->type == TV_INT || column->type == TV_DOUBLE;
}

/* The value as the column's type wants it; false: it is none. */
static bool convert(const struct tv_column *column, struct value *v)
{
	size_t n = strlen(v->text);

	if (column->type == TV_TIME) {
		v->exact = tv_parse_time(v->text, &v->whole) == TV_PARSE_OK;
		return v->exact;
	}
	if (!is_numeric(column))
		return true;
	if (tv_parse_double(v->text, n, &v->number) != TV_PARSE_OK)
		return false;
	v->exact = column->type == TV_INT && tv_parse_int(v->text, n, &v->whole) == TV_PARSE_OK;
	return true;
}

static bool add_value(struct parser *p, struct node *node)
{
	const char *place;
	struct value v = { 0 };

	blanks(p);
	place = p->at;
	v.text = take_text(p);
	if (v.text != NULL) {
		TV_GROW(node->value, node->nvalues, node->values_cap, 1);
		node->value[node->nvalues++] = v;
		if (convert(node->column, &node->value[node->nvalues - 1]))
			return true;
		p->at = place;
		fail(p, NULL,
		     node->column->type == TV_TIME ? "a time such as 12.5 or 3s" : "a number");
		return false;
	}
	tv_free(v.text);
	fail(p, NULL, *place == '\'' || *place == '"' ? "a closed quotation" : "a value");
	return false;
}

static struct node *parse_in(struct parser *p, struct node *test, bool negated)
{
	if (!symbol(p, "("))
		return fail(p, test, "( after in");
	do
		if (!add_value(p, test)) {
			node_free(test);
			return NULL;
		}
	while (symbol(p, ","));
	if (!symbol(p, ")"))
		return fail(p, test, ", or )");
	return negated ? new_node(OP_NOT, test, NULL) : test;
}

/* The value of a test, and the regular expression that it is behind ~. */
static struct node *parse_value(struct parser *p, struct node *test)
{
	const char *value, *end;

	blanks(p);
	value = p->at;
	if (!add_value(p, test)) {
		node_free(test);
		return NULL;
	}
	if (test->op != OP_MATCH)
		return test;
	end = p->at;
	p->at = value;
	if (!tv_pattern_small(test->value[0].text))
		return fail(p, test, "a simpler regular expression");
	if (regcomp(&test->regex, test->value[0].text, REG_EXTENDED | REG_NOSUB) != 0)
		return fail(p, test, "an extended regular expression");
	test->has_regex = true;
	p->at = end;
	return test;
}

static bool take_operator(struct parser *p, enum op *op)
{
	static const struct {
		const char *text;
		enum op op;
	} ops[] = { { "==", OP_EQ }, { "!=", OP_NE }, { "<=", OP_LE },	{ ">=", OP_GE },
		    { "<", OP_LT },  { ">", OP_GT },  { "~", OP_MATCH } };

	for (size_t i = 0; i < TV_COUNT(ops); i++)
		if (symbol(p, ops[i].text)) {
			*op = ops[i].op;
			return true;
		}
	return false;
}

static struct node *parse_comparison(struct parser *p)
{
	const struct tv_column *column = take_column(p);
	struct node *test = column != NULL ? new_node(OP_EQ, NULL, NULL) : NULL;
	const char *place;
	bool negated;

	if (test == NULL)
		return NULL;
	test->column = column;
	negated = keyword(p, "not");
	if (keyword(p, "in"))
		return parse_in(p, test, negated);
	blanks(p);
	place = p->at;
	if (negated || !take_operator(p, &test->op))
		return fail(p, test, negated ? "in" : "== != < <= > >= ~ or in");
	if (test->op != OP_MATCH || !is_numeric(column))
		return parse_value(p, test);
	p->at = place;
	return fail(p, test, "== != < <= > >= or in (~ is for labels and text)");
}

/* ---- sums: End - Start > 2 * Priority ---- */

static int64_t find_numbers(void *context, const char *name, size_t n)
{
	const struct parser *p = context;

	if (p->table == NULL)
		return 0;
	for (size_t i = 0; i < p->table->ncols; i++)
		if (is_numeric(p->table->col[i]) && strlen(p->table->col[i]->name) == n
		    && memcmp(p->table->col[i]->name, name, n) == 0)
			return (int64_t)i;
	return -1;
}

static struct tv_arithmetic *take_sum(struct parser *p, const char **expected)
{
	const struct tv_operands operands = { find_numbers, p, "a column of numbers or a number",
					      true };
	size_t at = (size_t)(p->at - p->text);
	struct tv_arithmetic *sum = tv_arithmetic_new(p->text, &at, &operands, expected);

	p->at = p->text + at;
	return sum;
}

/* Two sums; NULL, with an error only where the left one is more than a column. */
static struct node *parse_sums(struct parser *p)
{
	const char *place = p->at, *expected;
	struct tv_arithmetic *left = take_sum(p, &expected);
	struct node *test;
	enum op op;

	if (left == NULL || !take_operator(p, &op) || op == OP_MATCH) {
		tv_arithmetic_free(left);
		p->at = place;
		return NULL;
	}
	test = new_node(op, NULL, NULL);
	test->sum[0] = left;
	test->sum[1] = take_sum(p, &expected);
	if (test->sum[1] != NULL)
		return test;
	if (tv_arithmetic_operand(left) < 0)
		test = fail(p, test, expected);
	p->at = place;
	node_free(test);
	return NULL;
}

/* A comparison of a column, or of sums if it is none or goes on with an operator. */
static struct node *parse_test(struct parser *p)
{
	const struct tv_error before = *p->err;
	const char *place = p->at, *end;
	struct node *test = parse_comparison(p), *sums;

	blanks(p);
	end = p->at;
	if (test != NULL && (*end == '\0' || strchr("+-*/", *end) == NULL))
		return test;
	p->at = place;
	sums = parse_sums(p);
	if (sums == NULL) {
		p->at = end;
		return test;
	}
	node_free(test);
	*p->err = before;
	return sums;
}

static struct node *parse_or(struct parser *p);

static bool parenthesis(struct parser *p)
{
	blanks(p);
	return *p->at == '(';
}

static struct node *parse_not(struct parser *p)
{
	struct node *node;

	if (++p->depth > DEPTH_MAX)
		return fail(p, NULL, "less nesting");
	if (keyword(p, "not")) {
		node = parse_not(p);
		if (node != NULL)
			node = new_node(OP_NOT, node, NULL);
	} else if ((node = parenthesis(p) ? parse_sums(p) : NULL) != NULL) {
		; /* (Start + End) / 2 > 5 */
	} else if (symbol(p, "(")) {
		node = parse_or(p);
		if (node != NULL && !symbol(p, ")"))
			node = fail(p, node, ")");
	} else {
		node = parse_test(p);
	}
	p->depth--;
	return node;
}

/* operand { word operand } for "and" and "or": a and (b and (c ...)). */
static struct node *parse_chain(struct parser *p, const char *word, enum op op,
				struct node *(*operand)(struct parser *))
{
	struct node *first = operand(p), **last = &first;

	while (first != NULL && keyword(p, word)) {
		struct node *next = operand(p), *joined;

		if (next == NULL) {
			node_free(first);
			return NULL;
		}
		joined = new_node(op, *last, next);
		*last = joined;
		last = &joined->right;
	}
	return first;
}

static struct node *parse_and(struct parser *p)
{
	return parse_chain(p, "and", OP_AND, parse_not);
}

static struct node *parse_or(struct parser *p)
{
	return parse_chain(p, "or", OP_OR, parse_and);
}

struct tv_expr *tv_expr_new(const char *text, const struct tv_table *table, struct tv_error *err)
{
	struct parser p = { text, text, table, err, 0 };
	struct tv_expr *expr = tv_alloc(1, sizeof *expr);

	expr->table = table;
	expr->root = parse_or(&p);
	blanks(&p);
	if (expr->root != NULL && *p.at != '\0')
		expr->root = fail(&p, expr->root, "and, or, or the end");
	if (expr->root == NULL) {
		tv_free(expr);
		return NULL;
	}
	return expr;
}

int tv_expr_check(const char *text, struct tv_error *err)
{
	struct tv_expr *expr = tv_expr_new(text, NULL, err);

	tv_expr_free(expr);
	return expr == NULL ? -1 : 0;
}

void tv_expr_free(struct tv_expr *expr)
{
	if (expr != NULL)
		node_free(expr->root);
	tv_free(expr);
}

static int compare_number(const struct tv_column *c, uint32_t row, const struct value *v)
{
	double x;

	if (c->type != TV_DOUBLE && v->exact)
		return TV_COMPARE(c->i[row], v->whole);
	x = c->type == TV_DOUBLE ? c->d[row] : (double)c->i[row];
	return TV_COMPARE(x, v->number);
}

static bool holds(enum op op, int order)
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
static bool text_holds(const struct node *node, const struct value *v, const char *s, size_t n)
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

static bool value_holds(const struct node *node, const struct value *v, uint32_t row)
{
	const struct tv_column *c = node->column;
	const char *s;
	size_t n;

	if (is_numeric(c))
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

static enum tv_truth compare_sums(const struct tv_table *table, const struct node *node,
				  uint32_t row)
{
	const struct place place = { table, row };
	double left = tv_arithmetic_value(node->sum[0], cell, &place);
	double right = tv_arithmetic_value(node->sum[1], cell, &place);

	if (isnan(left) || isnan(right))
		return TV_UNKNOWN;
	return holds(node->op, TV_COMPARE(left, right)) ? TV_YES : TV_NO;
}

static bool evaluate(const struct tv_table *table, const struct node *node, uint32_t row)
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

static enum tv_truth number_between(const struct node *node, const struct value *v, uint32_t low,
				    uint32_t high)
{
	int from = compare_number(node->column, low, v), to = compare_number(node->column, high, v);
	bool some = false, all = true;

	for (int order = from < to ? from : to; order <= from || order <= to; order++) {
		some = some || holds(node->op, order);
		all = all && holds(node->op, order);
	}
	return all ? TV_YES : some ? TV_UNKNOWN : TV_NO;
}

static enum tv_truth test_between(const struct tv_table *table, const struct node *node,
				  uint32_t low, uint32_t high)
{
	enum tv_truth best = TV_NO;

	if (node->column == NULL) /* sums need not grow with what they are made of */
		return low == high ? compare_sums(table, node, low) : TV_UNKNOWN;
	if (tv_missing(node->column, low) || tv_missing(node->column, high))
		return TV_UNKNOWN;
	if (!is_numeric(node->column))
		return evaluate(table, node, low) != evaluate(table, node, high) ? TV_UNKNOWN
		     : evaluate(table, node, low)				 ? TV_YES
										 : TV_NO;
	for (size_t i = 0; i < node->nvalues; i++) {
		enum tv_truth truth = number_between(node, &node->value[i], low, high);

		best = truth > best ? truth : best;
	}
	return best;
}

static enum tv_truth between(const struct tv_table *table, const struct node *node, uint32_t low,
			     uint32_t high)
{
	enum op op = node->op; /* a chain is all "or" or all "and" */
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
static const struct node *find_unmatched(const struct node *node, const struct tv_table *table)
{
	for (; node != NULL && node->op != OP_NOT; node = node->right) {
		const struct node *found = find_unmatched(node->left, table);
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
	const struct node *node = find_unmatched(expr->root, expr->table);
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
