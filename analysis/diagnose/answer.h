/* SPDX-License-Identifier: GPL-3.0-or-later */
/* answer.h -- answers in place of a first finding: nothing to gain, or nothing that the trace shows. */
#ifndef TV_DIAGNOSE_ANSWER_H
#define TV_DIAGNOSE_ANSWER_H

#include "analysis/diagnose/ranking.h"

struct tv_answer {
	const char *id, *title, *text;
	const char *verb; /* of the command that shows it */
	bool findings;	  /* those that are no limits are listed, too */
	bool longest;	  /* the text ends with the task of the longest chain */
	bool tasks; /* the text ends with what takes time: the type of tasks that takes most is named */
};

/* Of ranked findings; NULL = the first of them is the answer. */
const struct tv_answer *tv_answer_of(const struct tv_case *c, const struct tv_ranked *ranked,
				     uint32_t n);
/* Adds long tasks of which nothing says whether they have more work, if they take much of the run. */
void tv_answer_add_long_tasks(const struct tv_case *c, char **text);

#endif
