/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain.c -- what findings mean, without a run. */
#include "analysis/diagnose/advice.h"
#include "analysis/diagnose/diagnose.h"

#include <string.h>

#include "trace/near_names.h"
#include "trace/text.h"

static void explain(const struct tv_rule *rule, struct tv_output *out)
{
	char *advice = tv_advice_of(rule, NULL, false, TV_ALL_RUNTIMES);

	tv_output_format(out, "%s: %s\n", rule->id, rule->title);
	tv_output_format(out, "  reported if: %s\n", rule->condition);
	tv_output_format(out, "  measures:    %s\n", rule->measures);
	tv_output_format(out, "  advice:      %s\n", advice);
	tv_free(advice);
	if (rule->see != NULL)
		tv_output_format(out, "  same cause:  %s, if that is reported\n", rule->see);
}

bool tv_finding_next(size_t *i, struct tv_finding_text *text)
{
	const struct tv_rule *rule;

	if (*i >= TV_NRULES)
		return false;
	rule = tv_rules[(*i)++];
	*text = (struct tv_finding_text){ rule->id,	   rule->title,	    rule->condition,
					  rule->measures,  rule->action,    rule->how,
					  rule->in.starpu, rule->in.openmp, rule->in.mpi,
					  rule->see };
	return true;
}

/* "; findings about it: elsewhere, urgent-delays" of the first three whose advice has the word; "" = none. */
static char *findings_about(const char *word)
{
	char *text = tv_strdup("");
	int n = 0;

	for (size_t i = 0; i < TV_NRULES && n < 3 && word[0] != '\0'; i++)
		if (strcasestr(tv_rules[i]->action, word) != NULL)
			tv_append(&text, "%s%s", n++ == 0 ? "; findings about it: " : ", ",
				  tv_rules[i]->id);
	return text;
}

int tv_diagnose_explain(const char *id, struct tv_output *out, struct tv_error *err)
{
	bool known = id == NULL;
	struct tv_near near;
	char *about;

	if (!known && strcmp(id, "near-bound") == 0)
		return tv_fail_usage(
			err, "--explain: near-bound is no finding but the verdict that no "
			     "other schedule would be much shorter; --explain all lists the "
			     "findings");
	tv_near_init(&near, known ? "" : id);
	for (size_t i = 0; i < TV_NRULES; i++) {
		tv_near_offer(&near, tv_rules[i]->id);
		if (id == NULL || strcmp(id, tv_rules[i]->id) == 0) {
			known = true;
			explain(tv_rules[i], out);
		}
	}
	if (known)
		return 0;
	about = findings_about(id);
	tv_fail_usage(err, "--explain: there is no finding '%.80s'%s%s; --explain all lists them",
		      id, tv_near_text(&near), about);
	tv_free(about);
	return -1;
}
