/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * arithmetic.h -- arithmetic in expressions: of rows (trace/expr.h) and of monitors (monitor/monitor.h).
 *
 *	sum     := product { ("+" | "-") product }       product := factor { ("*" | "/") factor }
 *	factor  := ("+" | "-") factor | "(" sum ")" | NUMBER | NAME | 'NAME' | "NAME"
 *
 * Numbers are doubles. What a missing operand takes part in is missing (NaN), and so is a quotient
 * by 0 and what exceeds a double.
 */
#ifndef TV_ARITHMETIC_H
#define TV_ARITHMETIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tv_arithmetic;

/* What names mean. A name that is not quoted may contain operators (task-clock, a/b): the longest
 * text that is known holds. */
struct tv_operands {
	/* The operand of that name, -1 = none. */
	int64_t (*find)(void *context, const char *name, size_t n);
	void *context;
	const char *expected; /* "a column of numbers or a number" */
	bool times;	      /* numbers may have a unit, such as 3s: in ms */
};

/*
 * Parses the longest expression that text + *at begins with and moves *at behind it. NULL: *at is the
 * place of the error and *expected what was expected there. Parentheses nest up to 100 deep.
 */
struct tv_arithmetic *tv_arithmetic_new(const char *text, size_t *at,
					const struct tv_operands *operands, const char **expected);
void tv_arithmetic_free(struct tv_arithmetic *arithmetic);

/* value: of an operand, NaN = missing. The result is finite, or NaN. */
double tv_arithmetic_value(const struct tv_arithmetic *arithmetic,
			   double (*value)(const void *context, uint32_t operand),
			   const void *context);
/* The single operand that the expression is; -1: it is more than that. */
int64_t tv_arithmetic_operand(const struct tv_arithmetic *arithmetic);

#endif
