/* SPDX-License-Identifier: GPL-3.0-or-later */
/* advice.c -- what to do about a finding, what that would bring, how sure it is: in sentences. */
#include "analysis/diagnose/advice.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/diagnose/estimate.h"
#include "trace/text.h"

static void add_switches(char **text, const char *runtime, const char *switches)
{
	if (switches != NULL)
		tv_append(text, " %s: %s.", runtime, switches);
}

char *tv_advice_of(const struct tv_rule *rule, const char *action, bool switches, unsigned runtimes)
{
	char *text = tv_strdup(action != NULL ? action : rule->action);
	const char *openmp = rule->in.openmp;

	if (action != NULL && !switches)
		return text;
	if (rule->how != NULL && action == NULL)
		tv_append(&text, " %s", rule->how);
	if (runtimes & TV_STARPU)
		add_switches(&text, "StarPU", rule->in.starpu);
	if (runtimes & TV_OPENMP && runtimes & TV_THREADS_BOUND && openmp != NULL
	    && strncmp(openmp, TV_BIND_THREADS, strlen(TV_BIND_THREADS)) == 0) {
		tv_append(&text, " OpenMP bound the threads already.");
		openmp += strlen(TV_BIND_THREADS);
		openmp = strncmp(openmp, ", and ", 6) == 0 ? openmp + 6 : NULL;
	}
	if (runtimes & TV_OPENMP)
		add_switches(&text, "OpenMP", openmp);
	if (runtimes & TV_MPI)
		add_switches(&text, "MPI", rule->in.mpi);
	return text;
}

/* What the first finding would bring. */
static char *gain_text(const struct tv_case *c, const struct tv_ranked *first)
{
	const struct tv_potential *potential = first->potential;
	bool known = potential->ns != TV_UNKNOWN;
	int64_t makespan = c->account.makespan, left = known ? makespan - potential->ns : 0;
	enum tv_replay_open open = tv_replays[first->without].open;
	bool less = known && open == TV_NEED_OPEN && left - potential->simulated > makespan / 20;
	char took[32], would[32], least[32], *text;

	if (known) {
		text = tv_format(" By simulation the run would take %s%s%s%s instead of %s: %s.",
				 less ? tv_words_time(least, potential->simulated) : "",
				 less ? " to " : "", tv_words_time(would, left),
				 open != TV_ALL_KNOWN && !less ? " or more" : "",
				 tv_words_time(took, makespan), potential->method);
		if (tv_ranked_gain(first) < potential->ns)
			tv_append(&text, " At most %s of these %s come from this finding.",
				  tv_words_time(would, tv_ranked_gain(first)),
				  tv_words_time(took, potential->ns));
		return text;
	}
	if (strncmp(potential->method, "not estimated: ", 15) == 0)
		return tv_format(tv_ranked_shared(first)
					 ? " What another schedule would bring is not known: %s."
					 : " No gain is known: %s.",
				 potential->method + 15);
	return tv_strdup("");
}

static const char *sure_text(const struct tv_found *found)
{
	return found->confidence == TV_EXACT ? "the trace shows the cause"
	     : found->confidence == TV_STATISTICAL
		     ? "a statistical test says so; it errs in rare cases"
		     : "the cause is likely, not proven";
}

char *tv_advice_answer(const struct tv_case *c, const struct tv_ranked *first, const char *error,
		       int64_t was)
{
	const struct tv_potential *potential = first->potential;
	char would[32];
	char *gain = gain_text(c, first);
	char *text = tv_advice_of(first->rule, first->found.action, first->found.switches,
				  tv_case_runtimes(c));
	/* simulate gives the makespan without what the simulation leaves out of the run. */
	bool added = was != TV_UNKNOWN && was < c->account.makespan
		  && potential->ns == was - potential->simulated
		  && strstr(gain, tv_words_time(would, potential->simulated)) == NULL;

	tv_append(&text, "%s How sure: %s%s%s%s%s.", gain, sure_text(&first->found),
		  error[0] != '\0' ? "; " : "", error, added ? ", which is added to " : "",
		  added ? would : "");
	tv_free(gain);
	return text;
}

char *tv_advice_simulated(const struct tv_potentials *p, const struct tv_policy_time *was,
			  bool absent)
{
	int64_t error = was->makespan - p->recorded;
	char words[32], *what, *slow, before[64] = "";

	if (!p->usable || p->recorded <= 0)
		return tv_strdup("");
	slow = was->name != NULL ? tv_slow_workers_text(&p->simulator.costs) : NULL;
	if (p->overhead != NULL)
		snprintf(before, sizeof before, " and %s before each task",
			 tv_words_time(words, p->c->overhead));
	what = was->name == NULL ? tv_format("a replay of the run%s", before)
				 : tv_format("the run as it was, simulated with %s%s%s%s%s%s,",
					     was->name, absent ? " and absent workers" : "", before,
					     slow != NULL ? " (" : "", slow != NULL ? slow : "",
					     slow != NULL ? ")" : "");
	tv_free(slow);
	if (error == 0)
		tv_append(&what, " takes as long as recorded");
	else
		tv_append(&what, " is %s (%.1f %%) %s than recorded",
			  tv_words_time(words, error > 0 ? error : -error),
			  100 * fabs((double)error) / (double)p->recorded,
			  error > 0 ? "longer" : "shorter");
	return what;
}

bool tv_advice_is_by_policy(const struct tv_ranked *ranked)
{
	return ranked->potential->ns != TV_UNKNOWN && ranked->potential->was.name != NULL;
}

char *tv_advice_all_simulated(const struct tv_potentials *p, const struct tv_ranked *const *order,
			      uint32_t n)
{
	const struct tv_policy_time replay = { NULL, p->replayed };
	bool said[2] = { false, false };
	char *text = NULL, *one;

	for (uint32_t i = 0; i < n; i++) {
		const struct tv_potential *of = order[i]->potential;

		if (!tv_advice_is_by_policy(order[i]) || said[of->absent])
			continue;
		said[of->absent] = true;
		one = tv_advice_simulated(p, &of->was, of->absent);
		tv_append(&text, "%s%s", text != NULL ? ", and where " : "", one);
		tv_free(one);
	}
	return text != NULL	? text
	     : p->absent.n > 0	? tv_advice_simulated(p, p->absent.nearest, true)
	     : p->model != NULL ? tv_advice_simulated(p, p->model, false)
				: tv_advice_simulated(p, &replay, false);
}
