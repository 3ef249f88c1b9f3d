/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expr.c -- parse and evaluate expressions over the rows of a table. */
#include "trace/expr.h"

#include <ctype.h>
#include <regex.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/near.h"
#include "trace/number.h"
#include "trace/sorted.h"
#include "trace/text.h"

/* glibc compiles a pattern by recursion: 20,000 parentheses overflow the stack. Repetitions multiply:
 * ((x{999}){999}){999} and x++++++++++++++++++++++++++++++ take all memory; x*++++++++++++ takes
 * seconds, as the time grows with the square of the size. */
enum { DEPTH_MAX = 100, PATTERN_MAX = 1000, EXPANDED_MAX = 2000 };

enum op { OP_OR, OP_AND, OP_NOT, OP_EQ, OP_NE, OP_LT, OP_LE, OP_GT, OP_GE, OP_MATCH };

struct value {
	char *text;
	double number;
	int64_t whole; /* int columns: the exact value, if it is whole; time columns: ns */
	bool exact;
};

/* A node; tests hold if the column compares so with any of the values. */
struct node {
	enum op op;
	struct node *left, *right;
	const struct tv_column *column;
	struct value *value;
	size_t nvalues, values_cap;
	regex_t regex;
	bool has_regex;
};

struct tv_expr {
	struct node *root;
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
		if (node->has_regex)
			regfree(&node->regex);
		tv_free(node);
		node = right;
	}
}

static struct node *fail(const struct parser *p, struct node *node, const char *expected)
{
	tv_fail_quote(p->err, p->text, (size_t)(p->at - p->text), "expected %s here", expected);
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

static const struct tv_column *take_column(struct parser *p)
{
	char list[400] = "", *name;
	const struct tv_column *column;
	size_t used = 0, place;
	struct tv_near near;

	blanks(p);
	place = (size_t)(p->at - p->text);
	name = take_text(p);
	if (name == NULL) {
		fail(p, NULL, "a column");
		return NULL;
	}
	column = tv_table_find(p->table, name);
	for (size_t i = 0; column == NULL && i < p->table->ncols && used < sizeof list; i++)
		used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "",
					 p->table->col[i]->name);
	if (column == NULL)
		tv_fail_quote(p->err, p->text, place, "no column '%s'%s, expected one of %s", name,
			      tv_near_column(&near, name, p->table), list);
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

/* The last character of a bracket expression that begins at s; the end of the text if it has none. */
static const char *skip_bracket(const char *s)
{
	s += s[1] == '^' ? 2 : 1;
	s += *s == ']';
	while (*s != '\0' && *s != ']') {
		const char *class = *s == '[' && s[1] != '\0' && strchr(":.=", s[1]) != NULL
					  ? strstr(s + 2, (char[]){ s[1], ']', '\0' })
					  : NULL;

		s = class != NULL ? class + 2 : s + 1;
	}
	return s;
}

/* How often {2,5}, at *s, repeats what precedes: 5; {3,} is three times and once with an asterisk.
 * Moves *s to its last character. */
static unsigned long repetitions(const char **s)
{
	unsigned long max = 1;

	while (isdigit((unsigned char)(*s)[1]) || (*s)[1] == ',') {
		unsigned long n = strtoul(++*s, NULL, 10);

		max = n > max ? n : max;
		if (**s == ',' && (*s)[1] == '}')
			max++;
	}
	*s += (*s)[1] == '}';
	return max;
}

/*
 * Whether a pattern can be compiled in bounded memory. glibc copies what is repeated, x+ to xx*, so
 * the number of characters is counted that it then has, by groups.
 */
static bool is_small(const char *pattern)
{
	unsigned long before[PATTERN_MAX + 1] = {
		0
	}; /* in an open group, without the last piece */
	unsigned long last = 0, times;
	size_t depth = 0;

	if (strlen(pattern) > PATTERN_MAX)
		return false;
	for (const char *s = pattern; *s != '\0'; s += *s != '\0') {
		if (*s == ')' && depth > 0) {
			last += before[depth--] + 1;
		} else if (*s == '+' || *s == '{') {
			times = *s == '+' ? 2 : repetitions(&s);
			last = times > EXPANDED_MAX ? EXPANDED_MAX + 1 : last * times;
		} else if (*s == '*' || *s == '?') {
			last++;
		} else {
			before[depth] += last;
			last = *s != '(';
			if (*s == '(')
				before[++depth] = 0;
			if (*s == '[')
				s = skip_bracket(s);
			else if (*s == '\\')
				s += s[1] != '\0';
		}
		if (before[depth] + last > EXPANDED_MAX)
			return false;
	}
	return true;
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
	if (!is_small(test->value[0].text))
		return fail(p, test, "a shorter regular expression");
	if (regcomp(&test->regex, test->value[0].text, REG_EXTENDED | REG_NOSUB) != 0)
		return fail(p, test, "an extended regular expression");
	test->has_regex = true;
	p->at = end;
	return test;
}

static struct node *parse_comparison(struct parser *p)
{
	static const struct {
		const char *text;
		enum op op;
	} ops[] = { { "==", OP_EQ }, { "!=", OP_NE }, { "<=", OP_LE },	{ ">=", OP_GE },
		    { "<", OP_LT },  { ">", OP_GT },  { "~", OP_MATCH } };
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
	for (size_t i = 0; !negated && i < TV_COUNT(ops); i++) {
		if (!symbol(p, ops[i].text))
			continue;
		test->op = ops[i].op;
		if (test->op != OP_MATCH || !is_numeric(column))
			return parse_value(p, test);
		p->at = place;
		return fail(p, test, "== != < <= > >= or in (~ is for labels and text)");
	}
	return fail(p, test, negated ? "in" : "== != < <= > >= ~ or in");
}

static struct node *parse_or(struct parser *p);

static struct node *parse_not(struct parser *p)
{
	struct node *node;

	if (++p->depth > DEPTH_MAX)
		return fail(p, NULL, "less nesting");
	if (keyword(p, "not")) {
		node = parse_not(p);
		if (node != NULL)
			node = new_node(OP_NOT, node, NULL);
	} else if (symbol(p, "(")) {
		node = parse_or(p);
		if (node != NULL && !symbol(p, ")"))
			node = fail(p, node, ")");
	} else {
		node = parse_comparison(p);
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

static bool evaluate(const struct node *node, uint32_t row)
{
	for (; node->op == OP_OR || node->op == OP_AND; node = node->right)
		if (evaluate(node->left, row) == (node->op == OP_OR))
			return node->op == OP_OR;
	if (node->op == OP_NOT)
		return !evaluate(node->left, row);
	for (size_t i = 0; !tv_missing(node->column, row) && i < node->nvalues; i++)
		if (value_holds(node, &node->value[i], row))
			return true;
	return false;
}

bool tv_expr_holds(const struct tv_expr *expr, uint32_t row)
{
	return evaluate(expr->root, row);
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

static enum tv_truth test_between(const struct node *node, uint32_t low, uint32_t high)
{
	enum tv_truth best = TV_NO;

	if (tv_missing(node->column, low) || tv_missing(node->column, high))
		return TV_UNKNOWN;
	if (!is_numeric(node->column))
		return evaluate(node, low) != evaluate(node, high) ? TV_UNKNOWN
		     : evaluate(node, low)			   ? TV_YES
								   : TV_NO;
	for (size_t i = 0; i < node->nvalues; i++) {
		enum tv_truth truth = number_between(node, &node->value[i], low, high);

		best = truth > best ? truth : best;
	}
	return best;
}

static enum tv_truth between(const struct node *node, uint32_t low, uint32_t high)
{
	enum op op = node->op; /* a chain is all "or" or all "and" */
	enum tv_truth all = op == OP_AND ? TV_YES : TV_NO, truth;

	if (op == OP_NOT)
		return TV_YES - between(node->left, low, high);
	for (; op == OP_OR || op == OP_AND; node = node->right) {
		bool last = node->op != op;

		truth = last ? between(node, low, high) : between(node->left, low, high);
		if ((op == OP_OR) == (truth > all))
			all = truth;
		if (last)
			return all;
	}
	return test_between(node, low, high);
}

enum tv_truth tv_expr_between(const struct tv_expr *expr, uint32_t low, uint32_t high)
{
	return between(expr->root, low, high);
}
