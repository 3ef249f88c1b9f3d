/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expr_parse.c -- parse expressions over the rows of a table. */
#include "trace/expr_tree.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/near_names.h"
#include "trace/number.h"
#include "trace/pattern.h"
#include "trace/trace.h"

enum { DEPTH_MAX = 100 };

struct parser {
	const char *text, *at;
	const struct tv_table *table;
	struct tv_error *err;
	int depth;
};

/* Recursion is as deep as parentheses and "not"; chains of "and" and "or" go to the right. */
static void node_free(struct tv_expr_node *node)
{
	while (node != NULL) {
		struct tv_expr_node *right = node->right;

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

/* The length of a word with signs that need quotes, as in main@file.c:30, of which the parser took the first part; its begin into
 * *begin. 0 = it is none. */
static size_t unquoted(const struct parser *p, const char *expected, const char **begin)
{
	static const char ends[] = " \t\n\"'(),&|=!<>~";
	const char *at = p->at;

	if ((strncmp(expected, "and", 3) != 0 && strchr(",)", expected[0]) == NULL) || *at == '\0'
	    || strchr(ends, *at) != NULL)
		return 0;
	while (at > p->text && strchr(ends, at[-1]) == NULL)
		at--;
	*begin = at;
	return at == p->at || isdigit((unsigned char)*at) ? 0 : strcspn(at, ends);
}

static struct tv_expr_node *fail(const struct parser *p, struct tv_expr_node *node,
				 const char *expected)
{
	const char *word = meant(p->at, expected), *begin;
	size_t n = unquoted(p, expected, &begin);

	if (n > 0)
		tv_fail_quote(p->err, p->text, (size_t)(begin - p->text),
			      "expected \"%.*s\" here, in quotes", n > 200 ? 200 : (int)n, begin);
	else if (word != NULL)
		tv_fail_quote(p->err, p->text, (size_t)(p->at - p->text),
			      "expected '%s' here instead of '%.*s'", word,
			      (int)strspn(p->at, "&|=!"), p->at);
	else
		tv_fail_quote(p->err, p->text, (size_t)(p->at - p->text), "expected %s here",
			      expected);
	node_free(node);
	return NULL;
}

static struct tv_expr_node *new_node(enum tv_expr_op op, struct tv_expr_node *left,
				     struct tv_expr_node *right)
{
	struct tv_expr_node *node = tv_alloc(1, sizeof *node);

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

/* The value as the column's type wants it; false: it is none. */
static bool convert(const struct tv_column *column, struct tv_expr_value *v)
{
	size_t n = strlen(v->text);

	if (column->type == TV_TIME) {
		v->exact = tv_parse_time(v->text, &v->whole) == TV_PARSE_OK;
		return v->exact;
	}
	if (!tv_expr_is_numeric(column))
		return true;
	if (tv_parse_double(v->text, n, &v->number) != TV_PARSE_OK)
		return false;
	v->exact = column->type == TV_INT && tv_parse_int(v->text, n, &v->whole) == TV_PARSE_OK;
	return true;
}

static bool add_value(struct parser *p, struct tv_expr_node *node)
{
	const char *place;
	struct tv_expr_value v = { 0 };

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

static struct tv_expr_node *parse_in(struct parser *p, struct tv_expr_node *test, bool negated)
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
static struct tv_expr_node *parse_value(struct parser *p, struct tv_expr_node *test)
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

static bool take_operator(struct parser *p, enum tv_expr_op *op)
{
	static const struct {
		const char *text;
		enum tv_expr_op op;
	} ops[] = { { "==", OP_EQ }, { "!=", OP_NE }, { "<=", OP_LE },	{ ">=", OP_GE },
		    { "<", OP_LT },  { ">", OP_GT },  { "~", OP_MATCH } };

	for (size_t i = 0; i < TV_COUNT(ops); i++)
		if (symbol(p, ops[i].text)) {
			*op = ops[i].op;
			return true;
		}
	return false;
}

static struct tv_expr_node *parse_comparison(struct parser *p)
{
	const struct tv_column *column = take_column(p);
	struct tv_expr_node *test = column != NULL ? new_node(OP_EQ, NULL, NULL) : NULL;
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
	if (test->op != OP_MATCH || !tv_expr_is_numeric(column))
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
		if (tv_expr_is_numeric(p->table->col[i]) && strlen(p->table->col[i]->name) == n
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
static struct tv_expr_node *parse_sums(struct parser *p)
{
	const char *place = p->at, *expected;
	struct tv_arithmetic *left = take_sum(p, &expected);
	struct tv_expr_node *test;
	enum tv_expr_op op;

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
static struct tv_expr_node *parse_test(struct parser *p)
{
	const struct tv_error before = *p->err;
	const char *place = p->at, *end;
	struct tv_expr_node *test = parse_comparison(p), *sums;

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

static struct tv_expr_node *parse_or(struct parser *p);

static bool parenthesis(struct parser *p)
{
	blanks(p);
	return *p->at == '(';
}

static struct tv_expr_node *parse_not(struct parser *p)
{
	struct tv_expr_node *node;

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
static struct tv_expr_node *parse_chain(struct parser *p, const char *word, enum tv_expr_op op,
					struct tv_expr_node *(*operand)(struct parser *))
{
	struct tv_expr_node *first = operand(p), **last = &first;

	while (first != NULL && keyword(p, word)) {
		struct tv_expr_node *next = operand(p), *joined;

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

static struct tv_expr_node *parse_and(struct parser *p)
{
	return parse_chain(p, "and", OP_AND, parse_not);
}

static struct tv_expr_node *parse_or(struct parser *p)
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
