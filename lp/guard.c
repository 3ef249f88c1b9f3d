/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guard.c -- GLPK without its messages, and without its way to end the program. */
#include "lp/guard.h"

#include <glpk.h>
#include <setjmp.h>

#include "trace/alloc.h"

/* GLPK reports a bug or a lack of memory through this, and would abort if it returned. */
static void escape(void *to)
{
	longjmp(*(jmp_buf *)to, 1);
}

int tv_glpk_guard(int (*work)(void *context), void *context)
{
	jmp_buf out;
	int rc;

	/* Done by the first call otherwise, which would abort: 2 is lack of memory. */
	if (glp_init_env() > 1)
		tv_memory_exhausted(0);
	if (setjmp(out) != 0) {
		glp_free_env();
		return -1;
	}
	glp_term_out(GLP_OFF);
	glp_error_hook(escape, &out);
	rc = work(context);
	glp_error_hook(NULL, NULL);
	return rc;
}
