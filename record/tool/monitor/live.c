/* SPDX-License-Identifier: GPL-3.0-or-later */
/* live.c -- what the sampler reads, for a view while it runs. */
#include "record/tool/monitor/live.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { TIME, ENABLED, COUNTED, VALUES }; /* words of a set; no time: not read yet */

struct tv_live {
	const struct tv_sampler *sampler;
	pthread_mutex_t lock; /* of written and state */
	size_t *at, nwords;   /* per set: where its words are */
	uint64_t *written, *now, *before;
	struct tv_live_state state;
	uint64_t viewed; /* ticks at the last view */
};

struct tv_live *tv_live_new(struct tv_sampler *s)
{
	struct tv_live *live = tv_sampler_alloc(sizeof *live);

	live->sampler = s;
	live->at = tv_sampler_alloc(s->nsets * sizeof *live->at);
	for (unsigned i = 0; i < s->nsets; i++) {
		live->at[i] = live->nwords;
		live->nwords += VALUES + s->set[i].n;
	}
	live->written = tv_sampler_alloc(live->nwords * sizeof *live->written);
	live->now = tv_sampler_alloc(live->nwords * sizeof *live->now);
	live->before = tv_sampler_alloc(live->nwords * sizeof *live->before);
	pthread_mutex_init(&live->lock, NULL);
	s->live = live;
	return live;
}

void tv_live_free(struct tv_live *live)
{
	if (live == NULL)
		return;
	pthread_mutex_destroy(&live->lock);
	free(live->at);
	free(live->written);
	free(live->now);
	free(live->before);
	free(live);
}

void tv_live_begin(struct tv_live *live)
{
	if (live != NULL)
		pthread_mutex_lock(&live->lock);
}

void tv_live_take(struct tv_live *live, unsigned set, int64_t now, const uint64_t *word)
{
	uint64_t *to;

	if (live == NULL)
		return;
	to = live->written + live->at[set];
	to[TIME] = (uint64_t)now;
	memcpy(to + ENABLED, word, (2 + (size_t)live->sampler->set[set].n) * sizeof *word);
}

void tv_live_end(struct tv_live *live, int64_t now)
{
	if (live == NULL)
		return;
	if (live->state.ticks == 0)
		live->state.begin = now;
	live->state.now = now;
	live->state.ticks = live->sampler->ticks;
	live->state.missed = live->sampler->missed;
	pthread_mutex_unlock(&live->lock);
}

/* Of one event of a set; NaN: missing. */
static double event_value(const struct tv_source_event *event, const uint64_t *now,
			  const uint64_t *before, unsigned i)
{
	uint64_t word = now[VALUES + i], enabled, counted;
	double value;

	if (event->counter) {
		enabled = now[ENABLED] - before[ENABLED];
		counted = now[COUNTED] - before[COUNTED];
		value = (double)(int64_t)(word - before[VALUES + i]);
		if (before[TIME] == 0 || now[TIME] == before[TIME] || (counted == 0 && enabled > 0))
			return NAN;
		return counted < enabled ? value * ((double)enabled / (double)counted) : value;
	}
	if (!event->real)
		return (double)(int64_t)word;
	memcpy(&value, &word, sizeof value);
	return value;
}

/* Adds the values of a set. */
static void add_set(const struct tv_live *live, unsigned number, double *value, int64_t *start)
{
	const struct tv_set *set = &live->sampler->set[number];
	const struct tv_sampler_monitor *monitor = &live->sampler->monitor[set->monitor];
	const uint64_t *now = live->now + live->at[number];
	const uint64_t *before = live->before + live->at[number];

	for (unsigned i = 0; i < set->n; i++) {
		const struct tv_source_event *event = &monitor->event[set->first + i];
		double part = now[TIME] == 0 ? NAN : event_value(event, now, before, i);

		value[set->first + i] += part;
		if (event->counter && !isnan(part) && (int64_t)before[TIME] < *start)
			*start = (int64_t)before[TIME];
	}
}

/* Sets of the same monitor and object follow each other. */
static void visit_sets(const struct tv_live *live, int64_t end, tv_live_visit *visit, void *context)
{
	const struct tv_sampler *s = live->sampler;
	double value[TV_SAMPLER_EVENTS];

	for (unsigned i = 0; i < s->nsets;) {
		const struct tv_set *first = &s->set[i];
		int64_t start = end;
		bool has[TV_SAMPLER_EVENTS] = { false };

		memset(value, 0, sizeof value);
		for (; i < s->nsets && s->set[i].monitor == first->monitor
		       && s->set[i].object == first->object;
		     i++) {
			add_set(live, i, value, &start);
			for (unsigned k = 0; k < s->set[i].n; k++)
				has[s->set[i].first + k] = true;
		}
		for (unsigned k = 0; k < TV_SAMPLER_EVENTS; k++)
			if (!has[k])
				value[k] = NAN;
		visit(context, first->monitor, first->object, start, end, value);
	}
}

bool tv_live_view(struct tv_live *live, struct tv_live_state *state, tv_live_visit *visit,
		  void *context)
{
	uint64_t *before = live->before;
	bool is_new;

	pthread_mutex_lock(&live->lock);
	*state = live->state;
	is_new = state->ticks != live->viewed;
	if (is_new) {
		live->before = live->now;
		live->now = before;
		memcpy(live->now, live->written, live->nwords * sizeof *live->now);
		live->viewed = state->ticks;
	}
	pthread_mutex_unlock(&live->lock);
	if (is_new)
		visit_sets(live, state->now, visit, context);
	return is_new;
}
