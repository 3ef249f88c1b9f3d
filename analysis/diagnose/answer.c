/* SPDX-License-Identifier: GPL-3.0-or-later */
/* answer.c -- answers in place of a first finding. */
#include "analysis/diagnose/answer.h"

#include <string.h>

#include "analysis/diagnose/evidence.h"
#include "trace/text.h"

enum { NEAR = 50 }; /* 1 / 2 % */

/* Whether a simulation gains more than 2 %. */
static bool some_gain(const struct tv_case *c, const struct tv_ranked *ranked, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (!ranked[i].rule->limit && ranked[i].potential->ns != TV_UNKNOWN
		    && ranked[i].potential->ns > c->account.makespan / NEAR)
			return true;
	return false;
}

/* Whether the run is within 2 % of what it could have been, or within 3 % and no simulation gains 2 %. */
static bool is_near(const struct tv_case *c, const struct tv_ranked *ranked, uint32_t n)
{
	tv_int128 gap = c->account.makespan - c->best;

	return gap * 100 <= (tv_int128)c->account.makespan * (some_gain(c, ranked, n) ? 2 : 3);
}

/* Whether it is within 2 % of what its dependencies leave, and all that was found is about the schedule, is small, or is how the
 * run ends. */
static bool is_near_forced(const struct tv_case *c, const struct tv_ranked *ranked, uint32_t n)
{
	int64_t makespan = c->account.makespan;

	if (c->tasks->ncounted == 0 || c->from != NULL || c->looped || makespan <= 0
	    || tv_tasks_cut(c->tasks) || !tv_case_is_forced(c)
	    || makespan - c->forced > makespan / NEAR || some_gain(c, ranked, n))
		return false;
	for (uint32_t i = 0; i < n; i++) {
		const struct tv_ranked *main = &ranked[ranked[i].main];
		const struct tv_rule *rule = ranked[i].rule;
		bool tail = rule == &tv_rule_long_tail
			 || (main->rule == &tv_rule_long_tail
			     && main->found.time_ns < makespan / 5);

		if (!rule->limit && !tail
		    && (rule->durations ? ranked[i].size >= c->min_ns
					: rule->without != TV_WITHOUT_SCHEDULE))
			return false;
	}
	return true;
}

/* Whether it is, and what its tasks took was not too long either. */
static bool is_near_bound(const struct tv_case *c, const struct tv_ranked *ranked, uint32_t n)
{
	int64_t makespan = c->account.makespan;

	/* Given durations that the run beat say nothing of it. */
	if (makespan <= 0 || (c->from != NULL && c->best > makespan) || tv_tasks_cut(c->tasks)
	    || !is_near(c, ranked, n)
	    || (c->tasks->ncounted > 0 && c->best > c->account.area + makespan / NEAR))
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (tv_ranked_durations(&ranked[i]) && ranked[i].size >= c->min_ns)
			return false;
	return true;
}

/* Whether it is about the schedule, and no policy that was simulated gains more than simulations are off by. */
static bool is_refuted(const struct tv_ranked *ranked)
{
	return ranked->rule->without == TV_WITHOUT_SCHEDULE && ranked->potential->ns == TV_UNKNOWN
	    && ranked->potential->refuted;
}

/* How many findings that are no limits are one or the other; 0 = one is neither. *refuted: of these those about the schedule. */
static uint32_t count_gainless(const struct tv_case *c, const struct tv_ranked *ranked, uint32_t n,
			       uint32_t *refuted)
{
	uint32_t found = 0;

	*refuted = 0;
	for (uint32_t i = 0; i < n; i++) {
		if (ranked[i].rule->limit)
			continue;
		if (!is_refuted(&ranked[i]) && !tv_ranked_small(&ranked[i], c))
			return 0;
		found++;
		*refuted += is_refuted(&ranked[i]);
	}
	return found;
}

enum {
	NEAR_BOUND,
	NEAR_THREADS,
	NEAR_CHAIN,
	NEAR_TASK,
	NEAR_LONGEST,
	NEAR_SLEEP,
	NEAR_KNOWN,
	NEAR_FORCED,
	NO_GAIN,
	ONLY_SMALL,
	NO_TIME,
	OVERLAPS,
	EARLY,
	EVENTS,
	PARTS
};

/* A run that is near its bound, and what could make it faster; braces, as answers are initializers. */
#define NEAR_ANSWER(text, ...) \
	{ \
		"near-bound", "the run is within 3 % of what it could have been", text, \
			__VA_ARGS__ \
	}
#define NOTHING	     "Nothing in the schedule is worth a change. "
#define TO_BE_FASTER NOTHING "To be faster, "

static const struct tv_answer answers[] = {
	[NEAR_BOUND] = NEAR_ANSWER(
		TO_BE_FASTER
		"the tasks themselves must take less time, or there must be more workers, which "
		"helps unless tasks wait for the same lock or for memory.",
		"bounds", .tasks = true),
	[NEAR_THREADS] = NEAR_ANSWER(
		TO_BE_FASTER
		"the work itself must take less time, or more threads or ranks must share it.",
		"efficiency"),
	[NEAR_CHAIN] = NEAR_ANSWER(
		TO_BE_FASTER
		"the longest chain must become shorter, and each worker must have less work.",
		"bounds"),
	[NEAR_TASK] = NEAR_ANSWER(
		TO_BE_FASTER
		"the task must take less time: split it, or use several threads in it.",
		"bounds", .longest = true),
	[NEAR_LONGEST] = NEAR_ANSWER(
		TO_BE_FASTER
		"the longest tasks must take less time, and each worker must have less work.",
		"bounds"),
	[NEAR_SLEEP] = NEAR_ANSWER(
		NOTHING
		"For more than half of their time tasks had no processor, after they gave it up "
		"themselves: they slept, or waited for a lock, a file or a device. To be faster, "
		"they must wait less.",
		"bounds", .tasks = true),
	[NEAR_KNOWN] = NEAR_ANSWER(
		"With the durations that are known, nothing in the schedule is worth a change.",
		"bounds"),
	[NEAR_FORCED] = NEAR_ANSWER(TO_BE_FASTER "the tasks themselves must take less time, or "
						 "fewer of them must depend on one another.",
				    "bounds"),
	[NO_GAIN] = { "no-gain", "no schedule that was simulated is faster",
		      "No policy that was simulated is faster by more than simulations may be off: "
		      "nothing in the schedule is known to be worth a change.",
		      "bounds", .findings = true },
	[ONLY_SMALL] = { "no-gain", "what was found costs less than 1 % of the run",
			 "Some tasks take longer than others, by less than 1 % of the run if all "
			 "workers share it, and simulations without that are not faster: nothing "
			 "is known to be worth a change.",
			 "bounds", .findings = true },
	[NO_TIME] = { "no-time", "the run takes no time",
		      "To do: Record when each task began and when it ended. Times of a table may "
		      "be in "
		      "a unit that is too large for them (--time-unit).",
		      "info --check" },
	[OVERLAPS] = { "overlapping-tasks", "tasks of one worker overlap",
		       "To do: Give each thread of the program a worker of its own (ResourceId), "
		       "or correct the times: a worker runs one task at a time.",
		       "info --check" },
	[EARLY] = { "early-tasks", "tasks begin before what they depend on has ended",
		    "To do: Correct the dependencies or the times: what could be saved is not "
		    "known "
		    "before.",
		    "info --check" },
	[EVENTS] = { "events", "what workers waited for is not in the trace",
		     "Nothing in the trace says what they waited for. Where a program waits for "
		     "events (input, network, timers), that is no loss, so no finding about idle "
		     "time follows. Submission times of tasks would show more.",
		     "summary" },
	[PARTS] = { "missing-parts", "parts of the recording are missing",
		    "To do: Copy the whole recording again, or record the run again. Without the "
		    "missing parts it is not known what workers waited for.",
		    "info" },
};

/* Whether types that never ran on a type of workers have so much of the time that other durations may matter. */
static bool is_sided(const struct tv_case *c)
{
	double share;
	char *list = tv_case_one_sided(c, &share);
	bool sided = list != NULL && share >= TV_ONE_SIDED;

	tv_free(list);
	return sided;
}

/* Whether the longest chain takes as long as the run, too. */
static bool is_a_chain(const struct tv_case *c)
{
	int64_t makespan = c->account.makespan;

	return c->tasks->ncounted > 0 && makespan - c->longest.placed <= makespan / NEAR;
}

const struct tv_answer *tv_answer_of(const struct tv_case *c, const struct tv_ranked *ranked,
				     uint32_t n)
{
	uint32_t refuted;

	if (c->account.makespan == 0)
		return &answers[NO_TIME];
	if (c->lacks_parts)
		return &answers[PARTS];
	if (c->overlaps > 0)
		return &answers[OVERLAPS];
	if (c->early > 0)
		return &answers[EARLY];
	if (c->events)
		return &answers[EVENTS];
	if (is_near_bound(c, ranked, n))
		return &answers[c->tasks->ncounted == 0		      ? NEAR_THREADS
				: is_sided(c) || tv_case_own_types(c) ? NEAR_KNOWN
				: tv_case_sleeps(c, NULL, 0)	      ? NEAR_SLEEP
				: !is_a_chain(c)		      ? NEAR_BOUND
				: c->tasks->nexecutions == 1	      ? NEAR_TASK
				: c->longest.n == 1		      ? NEAR_LONGEST
								      : NEAR_CHAIN];
	if (is_near_forced(c, ranked, n))
		return &answers[NEAR_FORCED];
	if (!tv_tasks_cut(c->tasks) && count_gainless(c, ranked, n, &refuted) > 0)
		return &answers[refuted > 0 ? NO_GAIN : ONLY_SMALL];
	return NULL;
}

void tv_answer_add_long_tasks(const struct tv_case *c, char **text)
{
	struct tv_excess longs = tv_case_excess(c, c->class, TV_UNKNOWN_WORK);
	char time[32];

	if (longs.time < c->account.makespan / 20)
		return;
	tv_append(text,
		  " %u task%s took longer than others of %s type, by %s in all if spread over all "
		  "workers: whether %s more work is not known.",
		  longs.n, tv_plural(longs.n), longs.n == 1 ? "its" : "their",
		  tv_words_time(time, longs.time), longs.n == 1 ? "it has" : "they have");
}
