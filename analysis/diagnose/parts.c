/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parts.c -- the parts of an account in words. */
#include "analysis/diagnose/parts.h"

#include <string.h>

#include "analysis/core/worker_words.h"
#include "dag/blame.h"
#include "trace/text.h"

static char *idle_text(const struct tv_account_row *row, const char *rtype)
{
	const char *name = row->blame != NULL ? row->blame : row->cause;
	const struct tv_idle_words *words = tv_idle_words(name);

	char workers[TV_WORKER_WORDS];

	tv_words_workers(workers, rtype, true);
	return words != NULL && words->sentence != NULL
		     ? tv_format("%s %s", workers, words->sentence)
		     : tv_format("%s were idle (%s).", workers, name);
}

/* Against the mean of all, which long tasks raise: what is less says nothing good of these tasks. */
static char *durations_text(const struct tv_case *c, const struct tv_account_row *row,
			    const char *value, const char *rtype)
{
	const char *which = strcmp(row->cause, "outlier") == 0	   ? "Outliers among"
			  : strcmp(row->cause, "slow-worker") == 0 ? "On slow workers,"
			  : strcmp(row->cause, "disturbance") == 0 ? "During disturbances,"
								   : "The other";

	if (c->from != NULL)
		return tv_format("%s %s tasks on %s took %s than the given durations.", which,
				 value, rtype, row->exact < 0 ? "less" : "more");
	return tv_format(row->exact < 0 ? "%s %s tasks on %s took less than the mean, which longer "
					  "ones raise."
					: "%s %s tasks on %s took more than the mean.",
			 which, value, rtype);
}

struct tv_part_words tv_part_words(const struct tv_case *c, const struct tv_account_row *row)
{
	struct tv_part_words words = { 0 };
	const char *panels = "--panels spacetime,account", *name = tv_account_part_name(row->part);
	char value[64], rtype[64], workers[TV_WORKER_WORDS];

	tv_clean_text(value, sizeof value,
		      row->value == TV_NONE ? "" : tv_pool_text(c->tasks->pool, row->value));
	tv_clean_text(rtype, sizeof rtype,
		      tv_pool_text(c->tasks->pool, c->account.type[row->type].rtype));
	switch (row->part) {
	case TV_ACCOUNT_IDLE:
		words.id = tv_format("%s.%s%s%s.%s", name, row->cause,
				     row->blame != NULL ? "." : "",
				     row->blame != NULL ? row->blame : "", rtype);
		words.text = idle_text(row, rtype);
		panels = "--panels spacetime,idle-causes";
		break;
	case TV_ACCOUNT_ALLOCATION:
		words.id = tv_format("%s.%s.%s", name, value, rtype);
		words.text = tv_format("%s tasks ran on %s, where other tasks gain more.", value,
				       tv_words_workers(workers, rtype, false));
		panels = "--panels spacetime,abe";
		break;
	case TV_ACCOUNT_DURATIONS:
		words.id = tv_format("%s.%s.%s.%s", name, row->cause, value, rtype);
		words.text = durations_text(
			c, row, value,
			tv_before_workers(workers, rtype)[0] != '\0' ? rtype : "workers");
		panels = "--panels spacetime,durations";
		break;
	case TV_ACCOUNT_OPEN:
		words.id = tv_format("%s.%s.%s", name, value, rtype);
		words.text = tv_format("%s ran %s tasks that had not ended when the trace "
				       "did; the area bound leaves them out.",
				       tv_words_workers(workers, rtype, true), value);
		panels = "--panels spacetime";
		break;
	case TV_ACCOUNT_OTHER:
		words.id = tv_format("%s.%s", name, rtype);
		words.text = tv_format("%s ran setup and runtime tasks.",
				       tv_words_workers(workers, rtype, true));
		panels = "--kind app,setup,runtime --panels spacetime";
		break;
	default:
		words.id = tv_format("%s.%s", name, rtype);
		words.text = tv_format("%s ran several tasks at once, which saved time.",
				       tv_words_workers(workers, rtype, true));
		panels = "--panels spacetime";
		break;
	}
	words.command = tv_case_plot(c, tv_account_part_name(row->part), panels, 0, 0);
	return words;
}
