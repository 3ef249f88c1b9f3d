/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arithmetic.c -- parse arithmetic into postfix form and evaluate it. */
#include "trace/arithmetic.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/number.h"

/* Values that wait on the stack: per level of nesting two, and those of the level itself. */
enum { DEPTH_MAX = 100, STACK_MAX = 3 * DEPTH_MAX + 4, NAME_MAX_BYTES = 200, TIME_MAX = 64 };

struct step {
	char op; /* one of + - * /, ~ (change of sign), # (number), $ (operand) */
	uint32_t operand;
	double number;
};

struct tv_arithmetic {
	struct step *step;
	size_t n, cap;
};

struct parser {
	const char *text;
	size_t at;
	const struct tv_operands *operands;
	const char *expected; /* NULL while all is well */
	struct tv_arithmetic *out;
	int depth;
};

static bool fail(struct parser *p, const char *expected)
{
	p->expected = expected;
	return false;
}

static void add(struct parser *p, char op, uint32_t operand, double number)
{
	TV_GROW(p->out->step, p->out->n, p->out->cap, 1);
	p->out->step[p->out->n++] = (struct step){ op, operand, number };
}

static void blanks(struct parser *p)
{
	while (isspace((unsigned char)p->text[p->at]))
		p->at++;
}

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (c & 0x80);
}

static bool in_word(char c)
{
	return is_name(c) || (c != '\0' && strchr(".+-:*?/#=@", c) != NULL);
}

static bool quoted(struct parser *p)
{
	const char *first = p->text + p->at + 1, *last = strchr(first, first[-1]);
	int64_t operand;

	if (last == NULL)
		return fail(p, "a closed quotation");
	operand = p->operands->find(p->operands->context, first, (size_t)(last - first));
	if (operand < 0)
		return fail(p, p->operands->expected);
	add(p, '$', (uint32_t)operand, 0);
	p->at = (size_t)(last + 1 - p->text);
	return true;
}

/* The longest known name here. */
static bool name(struct parser *p)
{
	const char *first = p->text + p->at;
	size_t n = 0;

	while (n < NAME_MAX_BYTES && in_word(first[n]))
		n++;
	for (; n > 0; n--) {
		int64_t operand;

		if (is_name(first[n]) && is_name(first[n - 1]))
			continue;
		operand = p->operands->find(p->operands->context, first, n);
		if (operand < 0)
			continue;
		add(p, '$', (uint32_t)operand, 0);
		p->at += n;
		return true;
	}
	return fail(p, p->operands->expected);
}

/* Bytes of the decimal here; 0 = it is none. */
static size_t digits(const char *s)
{
	size_t n = strspn(s, "0123456789"), count = n, exponent;

	if (s[n] == '.') {
		count = strspn(s + n + 1, "0123456789");
		count += n;
		n = count + 1;
	}
	if (count == 0)
		return 0;
	exponent = n + 1 + (s[n] != '\0' && (s[n + 1] == '+' || s[n + 1] == '-'));
	if ((s[n] == 'e' || s[n] == 'E') && isdigit((unsigned char)s[exponent]))
		n = exponent + strspn(s + exponent, "0123456789");
	return n;
}

static bool number(struct parser *p, size_t n)
{
	const char *first = p->text + p->at;
	size_t unit = 0;
	char time[TIME_MAX];
	int64_t ns;
	double x;

	while (p->operands->times && isalpha((unsigned char)first[n + unit]))
		unit++;
	if (unit == 0) {
		if (is_name(first[n]) || tv_parse_double(first, n, &x) != TV_PARSE_OK)
			return fail(p, "a number");
	} else {
		if (n + unit >= sizeof time)
			return fail(p, "a shorter number");
		memcpy(time, first, n + unit);
		time[n + unit] = '\0';
		if (tv_parse_time(time, &ns) != TV_PARSE_OK)
			return fail(p, "a number or a time such as 12.5 or 3s");
		x = (double)ns / 1e6;
	}
	add(p, '#', 0, x);
	p->at += n + unit;
	return true;
}

static bool sum(struct parser *p);

/* An operand without sign. */
static bool plain(struct parser *p)
{
	char c = p->text[p->at];
	size_t n = digits(p->text + p->at);

	if (c == '(') {
		p->at++;
		if (!sum(p))
			return false;
		blanks(p);
		if (p->text[p->at] != ')')
			return fail(p, "an operator or )");
		p->at++;
		return true;
	}
	if (c == '\'' || c == '"')
		return quoted(p);
	if (n > 0)
		return number(p, n);
	return name(p);
}

static bool factor(struct parser *p)
{
	bool negative = false, right;

	for (blanks(p); p->text[p->at] == '-' || p->text[p->at] == '+'; blanks(p))
		negative ^= p->text[p->at++] == '-';
	if (++p->depth > DEPTH_MAX)
		return fail(p, "less nesting");
	right = plain(p);
	p->depth--;
	if (right && negative)
		add(p, '~', 0, 0);
	return right;
}

/* operand { one of two operators, operand } */
static bool chain(struct parser *p, const char *ops, bool (*operand)(struct parser *))
{
	if (!operand(p))
		return false;
	for (;;) {
		size_t end = p->at;
		char op;

		blanks(p);
		op = p->text[p->at];
		if (op == '\0' || strchr(ops, op) == NULL) {
			p->at = end;
			return true;
		}
		p->at++;
		if (!operand(p))
			return false;
		add(p, op, 0, 0);
	}
}

static bool product(struct parser *p)
{
	return chain(p, "*/", factor);
}

static bool sum(struct parser *p)
{
	return chain(p, "+-", product);
}

struct tv_arithmetic *tv_arithmetic_new(const char *text, size_t *at,
					const struct tv_operands *operands, const char **expected)
{
	struct parser p = { text, *at, operands, NULL, tv_alloc(1, sizeof *p.out), 0 };

	if (!sum(&p)) {
		tv_arithmetic_free(p.out);
		p.out = NULL;
		*expected = p.expected;
	}
	*at = p.at;
	return p.out;
}

void tv_arithmetic_free(struct tv_arithmetic *arithmetic)
{
	if (arithmetic != NULL)
		tv_free(arithmetic->step);
	tv_free(arithmetic);
}

static double combine(char op, double a, double b)
{
	switch (op) {
	case '+':
		return a + b;
	case '-':
		return a - b;
	case '*':
		return a * b;
	default:
		return b == 0 ? NAN : a / b;
	}
}

double tv_arithmetic_value(const struct tv_arithmetic *arithmetic,
			   double (*value)(const void *context, uint32_t operand),
			   const void *context)
{
	double stack[STACK_MAX];
	size_t n = 0;

	stack[0] = NAN; /* no expression is empty */
	for (const struct step *s = arithmetic->step; s < arithmetic->step + arithmetic->n; s++)
		if (s->op == '#') {
			stack[n++] = s->number;
		} else if (s->op == '$') {
			stack[n++] = value(context, s->operand);
		} else if (s->op == '~') {
			stack[n - 1] = -stack[n - 1];
		} else {
			n--;
			stack[n - 1] = combine(s->op, stack[n - 1], stack[n]);
		}
	return isfinite(stack[0]) ? stack[0] : NAN;
}

int64_t tv_arithmetic_operand(const struct tv_arithmetic *arithmetic)
{
	if (arithmetic->n != 1 || arithmetic->step[0].op != '$')
		return -1;
	return arithmetic->step[0].operand;
}
