/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_expr.c -- an expression over a table with columns of every type. */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "convert/formats.h"
#include "trace/expr.h"

static struct tv_trace trace;

/* The table is read once. */
static const struct tv_table *sample(void)
{
	struct tv_error err = { 0 };

	if (trace.pool == NULL) {
		tv_trace_init(&trace, NULL);
		if (tv_load(fuzz_sample(), &trace, NULL, NULL, &err) < 0)
			abort();
	}
	return &trace.table[TV_TASKS];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct tv_error err = { 0 };
	struct tv_expr *expr;
	char *text;

	fuzz_begin(data, n);
	text = strndup((const char *)data, n);
	if (text == NULL)
		abort();
	expr = tv_expr_new(text, sample(), &err);
	for (uint32_t row = 0; expr != NULL && row < sample()->nrows; row++) {
		tv_expr_holds(expr, row);
		tv_expr_between(expr, row, (row + 1) % sample()->nrows);
	}
	tv_expr_free(expr);
	free(text);
	return 0;
}
