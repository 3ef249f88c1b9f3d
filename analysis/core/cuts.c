/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuts.c -- the value EXPR=TIME of --cut. */
#include "analysis/core/cuts.h"

#include <string.h>

#include "trace/alloc.h"
#include "trace/number.h"

/* EXPR in new memory, and the time behind the last =; NULL with *err. */
static char *divide(const char *cut, int64_t *ns, struct tv_error *err)
{
	const char *equals = strrchr(cut, '=');

	if (equals != NULL && tv_parse_time(equals + 1, ns) == TV_PARSE_OK && *ns > 0)
		return tv_strndup(cut, (size_t)(equals - cut));
	tv_fail_usage(err, "--cut '%s', expected EXPR=TIME such as 'Value == gemm=5us'", cut);
	return NULL;
}

int tv_cut_check(const char *cut, struct tv_error *err)
{
	int64_t ns;
	char *text = cut == NULL ? NULL : divide(cut, &ns, err);
	int rc = cut == NULL ? 0 : -1;

	if (text != NULL)
		rc = tv_expr_check(text, err);
	tv_free(text);
	return rc;
}

struct tv_expr *tv_cut_rows(const char *cut, const struct tv_table *table, int64_t *ns,
			    struct tv_error *err)
{
	char *text = divide(cut, ns, err);
	struct tv_expr *expr = text == NULL ? NULL : tv_expr_new(text, table, err);

	if (text != NULL && expr == NULL)
		tv_fail_about(err, "--cut");
	tv_free(text);
	return expr;
}
