/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parts.h -- the parts of an account in words. */
#ifndef TV_DIAGNOSE_PARTS_H
#define TV_DIAGNOSE_PARTS_H

#include "analysis/diagnose/findings.h"

/* What a part is called, says, and how it is shown. Free the texts with tv_free. */
struct tv_part_words {
	char *id;   /* idle.elsewhere.CPU, allocation.dtrsm.CUDA */
	char *text; /* a sentence */
	char *command;
};

struct tv_part_words tv_part_words(const struct tv_case *c, const struct tv_account_row *row);

#endif
