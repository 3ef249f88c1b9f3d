/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ranking.c -- the order of findings. */
#include "analysis/diagnose/ranking.h"

#include <stdlib.h>
#include <string.h>

#include "trace/sorted.h"

/* What it would bring. What no simulation confirms counts half of what it measures, as an obstacle that is
 * gone often shows another one; and no more than it can bring, or than there is to explain (gap). What
 * another schedule would bring is shared by all findings about the schedule, what a replay without gaps
 * brings by those about gaps: none counts more than it measures; none about the schedule less than a
 * quarter of that, as other policies may do better than those tried. Of a limit half counts; of a symptom a
 * quarter, so that what is behind it comes first. */
static int64_t size_of(const struct tv_ranked *ranked, int64_t makespan, int64_t gap)
{
	const struct tv_found *found = &ranked->found;
	const struct tv_potential *potential = ranked->potential;
	int64_t max = found->time_ns != TV_UNKNOWN ? found->time_ns : found->measure_ns;
	bool shared = ranked->without == TV_WITHOUT_GAPS || ranked->without == TV_WITHOUT_TRANSFERS;

	/* What tasks took too long is no part of the time that a schedule can save. */
	if (found->whole)
		return max;
	gap = ranked->rule->durations ? makespan : gap;
	max = (max < gap ? max : gap) / (found->at_most ? 2 : 1);
	if (tv_ranked_shared(ranked)) {
		int64_t gain = potential->ns < max ? potential->ns : max; /* or TV_UNKNOWN */

		return gain > max / 4 ? gain : max / 4;
	}
	/* What is between tasks for a quarter of the run is no limit of anything else. */
	if (ranked->without == TV_WITHOUT_GAPS && max > makespan / 4)
		return max;
	/* What joins cost is a limit, too. */
	if (ranked->without == TV_WITHOUT_JOINS && potential->ns != TV_UNKNOWN)
		return (potential->ns < max ? potential->ns : max) / 2;
	if (potential->ns != TV_UNKNOWN)
		return shared && potential->ns > max ? max : potential->ns;
	max /= ranked->rule->symptom ? 4 : 2;
	return potential->below != TV_UNKNOWN && potential->below < max ? potential->below : max;
}

/* Where no schedule is shorter, what tasks took, or their chain, is the cause of all that is said of the schedule. */
static void find_root(struct tv_ranked *ranked, uint32_t n)
{
	uint32_t root = TV_NONE;

	for (uint32_t i = 0; i < n; i++)
		if (tv_ranked_durations(&ranked[i]) && !ranked[i].rule->limit
		    && (root == TV_NONE || ranked[i].size > ranked[root].size))
			root = i;
	for (uint32_t i = 0; i < n && root != TV_NONE; i++)
		if (!tv_ranked_durations(&ranked[i]) && !ranked[i].rule->limit)
			ranked[i].main = root;
}

static const struct tv_ranked *find_rule(const struct tv_ranked *ranked, uint32_t n,
					 const struct tv_rule *rule)
{
	for (uint32_t i = 0; i < n; i++)
		if (ranked[i].rule == rule)
			return &ranked[i];
	return NULL;
}

/* Whether the most urgent tasks waited as long as another schedule gains: the gain is theirs, not that of long tasks. */
static bool is_gain_of(const struct tv_ranked *order, const struct tv_ranked *other)
{
	return other->rule == &tv_rule_unequal_tasks && tv_ranked_shared(other)
	    && order->potential->ns > 0 && order->found.measure_ns >= order->potential->ns;
}

/* Whether they waited as long as single tasks ran: these ran alone as they started late. */
static bool made_alone(const struct tv_ranked *order, const struct tv_ranked *other)
{
	return other->rule == &tv_rule_serial_step && order->found.measure_ns >= other->size;
}

/* Whether they waited as long as the tail is, as far as another schedule saves it (`saved`, at most): what starts late ends late. */
static bool made_tail(const struct tv_ranked *order, const struct tv_ranked *other, int64_t saved)
{
	return other->rule == &tv_rule_long_tail && other->potential->ns == TV_UNKNOWN
	    && order->found.measure_ns
		       >= (other->found.time_ns < saved ? other->found.time_ns : saved);
}

/* Puts the delays of the most urgent tasks before findings that they explain. */
static void give_to_order(struct tv_ranked *ranked, uint32_t n, int64_t saved)
{
	const struct tv_ranked *order = find_rule(ranked, n, &tv_rule_urgent_delays);

	for (uint32_t i = 0; i < n && order != NULL; i++)
		if (ranked[i].size >= order->size
		    && (is_gain_of(order, &ranked[i]) || made_alone(order, &ranked[i])
			|| made_tail(order, &ranked[i], saved)))
			ranked[i].size = order->size - 1;
}

/* Whether waits for locks may be what tasks took longer: the run without these waits is as short as without that; where both are not
 * known, they are half of it or more, and the run would not be shorter by more than all of them without it. Of all other causes true. */
static bool can_contain(const struct tv_ranked *cause, const struct tv_ranked *found)
{
	if (cause->rule != &tv_rule_critical_section)
		return true;
	if (cause->without == TV_WITHOUT_LOCKS && found->potential->ns != TV_UNKNOWN)
		return cause->potential->ns >= found->potential->ns; /* also if it is TV_UNKNOWN */
	return 2 * (tv_int128)cause->found.worker_ns >= found->found.worker_ns
	    && found->potential->ns <= cause->found.worker_ns;
}

/* Where tasks that exclude each other bound the run, another schedule saves no more than the gap: what is more in a finding about the
 * schedule is due to them. */
static void give_to_exclusion(struct tv_ranked *ranked, uint32_t n, int64_t gap)
{
	const struct tv_ranked *exclusive = find_rule(ranked, n, &tv_rule_exclusive_access);

	for (uint32_t i = 0; i < n && exclusive != NULL; i++)
		if (!tv_ranked_durations(&ranked[i]) && !ranked[i].rule->limit
		    && (ranked[i].found.time_ns > gap || ranked[i].found.measure_ns > gap))
			ranked[i].main = exclusive->index;
}

/* Findings with their causes: main and size. A cause has the size of its largest finding. */
static void find_mains(struct tv_ranked *ranked, uint32_t n, const struct tv_case *c)
{
	int64_t makespan = c->account.makespan, gap = makespan - c->best;
	const char *see;

	for (uint32_t i = 0; i < n; i++) {
		ranked[i].main = i;
		ranked[i].size = size_of(&ranked[i], makespan, gap);
		see = ranked[i].found.see != NULL ? ranked[i].found.see : ranked[i].rule->see;
		for (uint32_t k = 0; k < n && see != NULL && !ranked[i].found.apart; k++)
			if (strcmp(ranked[k].rule->id, see) == 0
			    && can_contain(&ranked[k], &ranked[i]))
				ranked[i].main = k;
	}
	give_to_order(ranked, n, makespan - c->forced);
	give_to_exclusion(ranked, n, gap);
	if (gap < makespan / 100)
		find_root(ranked, n);
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < n && ranked[ranked[i].main].main != ranked[i].main; k++)
			ranked[i].main = ranked[ranked[i].main].main;
	for (uint32_t i = 0; i < n; i++) {
		struct tv_ranked *main = &ranked[ranked[i].main];

		main->size = ranked[i].size > main->size ? ranked[i].size : main->size;
	}
}

static int by_rank(const void *a, const void *b)
{
	const struct tv_ranked *x = *(const struct tv_ranked *const *)a,
			       *y = *(const struct tv_ranked *const *)b;
	const struct tv_ranked *p = x - x->index + x->main, *q = y - y->index + y->main;

	if (x->rule->limit != y->rule->limit)
		return x->rule->limit ? 1 : -1;
	if (p != q)
		return p->size != q->size ? TV_COMPARE(q->size, p->size) : TV_COMPARE(p, q);
	return x == p ? -1 : y == p ? 1 : TV_COMPARE(x, y);
}

/* What another schedule could save without a finding, at most, ns; TV_UNKNOWN = not known. Where tasks take less time, their chain
 * may be shorter, too. */
static int64_t left_without(const struct tv_ranked *first, const struct tv_case *c)
{
	const struct tv_potential *potential = first->potential;
	int64_t left, gain = tv_ranked_gain(first);

	if (gain == TV_UNKNOWN || first->rule->limit || c->from != NULL
	    || first->without == TV_WITHOUT_GAPS || first->without == TV_WITHOUT_JOINS)
		return TV_UNKNOWN;
	left = c->account.makespan - gain
	     - (potential->work == 0 && first->without != TV_WITHOUT_LAST
				&& first->without != TV_WITHOUT_STEP
				&& first->without != TV_WITHOUT_LONG
			? c->best
			: c->account.area - potential->work);
	return left > 0 ? left : 0;
}

/* What is about the schedule and follows from the first finding, as far as a simulation without that shows. What another schedule
 * gains is shared by all that it leaves away, so none of these follows from another one. */
static void find_following(struct tv_ranked *ranked, uint32_t n, const struct tv_case *c,
			   const struct tv_ranked *first)
{
	int64_t left = left_without(first, c);

	for (uint32_t i = 0; i < n && left != TV_UNKNOWN; i++) {
		struct tv_ranked *r = &ranked[i];
		bool shared = tv_ranked_shared(r);
		bool schedule = r->rule->schedule || r->rule->symptom || shared;

		if (!schedule || (shared && tv_ranked_shared(first)) || r->main != i || r == first
		    || (r->found.time_ns <= left && r->found.measure_ns <= left
			&& tv_ranked_gain(r) <= left))
			continue;
		r->left = left;
		r->size = r->size < left ? r->size : left;
		if (left < c->min_ns)
			for (uint32_t k = 0; k < n; k++)
				if (ranked[k].main == i)
					ranked[k].main = first->index;
	}
}

void tv_rank(struct tv_ranked *ranked, uint32_t n, const struct tv_case *c,
	     const struct tv_ranked **order)
{
	find_mains(ranked, n, c);
	for (uint32_t i = 0; i < n; i++) {
		ranked[i].left = TV_UNKNOWN;
		order[i] = &ranked[i];
	}
	if (n == 0)
		return;
	qsort(order, n, sizeof *order, by_rank);
	find_following(ranked, n, c, order[0]);
	qsort(order, n, sizeof *order, by_rank);
}
