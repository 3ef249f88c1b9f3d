/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * decide.c -- decisions of dm* policies, from the push to what is written.
 *
 * Where the struct of the policy does not begin with its weights, the state of queues stays unknown.
 * The fitness is computed as the policy does. Readers compare the smallest one with the worker that
 * was chosen: another thread may have changed a queue between StarPU's read and that of estimate.c.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/loaded/starpu/decide.h"

enum { MAX_DECISIONS = 128 }; /* at a time: one per thread that pushes */

static struct tv_starpu_decision decision[MAX_DECISIONS];
static __thread struct tv_starpu_decision *last; /* of this thread */
__thread struct tv_starpu_decision *tv_starpu_begun;

struct tv_starpu_decision *tv_starpu_find_decision(const struct starpu_task *task)
{
	if (last && atomic_load_explicit(&last->task, memory_order_relaxed) == task)
		return last->closed ? NULL : last;
#ifdef STARPU_SIMGRID
	for (int i = 0; i < MAX_DECISIONS; i++)
		if (atomic_load(&decision[i].task) == task && !decision[i].closed)
			return &decision[i];
#endif
	return NULL;
}

/* ---- weights ---- */

static double setting(const char *name, double value)
{
	const char *text = getenv(name);

	return text && *text ? strtod(text, NULL) : value;
}

/* --top. */
static const char *top_text(void)
{
	const char *text = getenv("TRACEVIZ_TOP");

	return text && *text ? text : "all";
}

static void write_weight(const char *key, double value)
{
	char text[64];

	snprintf(text, sizeof text, "%.17g", value);
	tv_starpu_write_meta(key, text);
}

/* The data of a policy if they are what they are expected to be. */
static struct tv_starpu_data *check_data(unsigned context)
{
	static struct tv_starpu_data *_Atomic known, *_Atomic unknown;
	struct tv_starpu_data *data = REAL(starpu_sched_ctx_get_policy_data)(context);

	if (!data || data == atomic_load(&unknown))
		return NULL;
	if (data == atomic_load(&known))
		return data;
	if (data->alpha != setting("STARPU_SCHED_ALPHA", 1)
	    || data->beta != setting("STARPU_SCHED_BETA", 1)
	    || data->gamma != setting("STARPU_SCHED_GAMMA", 1000)
	    || data->idle_power != setting("STARPU_IDLE_POWER", 0)) {
		atomic_store(&unknown, data);
		tv_starpu_write_meta("Warning", "the scheduler's weights are not where they are "
						"expected: queues and fitness stay empty");
		return NULL;
	}
	atomic_store(&known, data);
	write_weight("SchedulerAlpha", data->alpha);
	write_weight("SchedulerBeta", data->beta);
	write_weight("SchedulerGamma", data->gamma);
	write_weight("SchedulerIdlePower", data->idle_power);
	tv_starpu_write_meta("CandidatesKept", top_text());
	return data;
}

/* ---- the comparison ---- */

static double max_of(double a, double b)
{
	return a < b ? b : a;
}

/* One candidate without a model, and the policy counts tasks instead. */
static enum tv_log_starpu_nature nature_of(const struct tv_starpu_decision *d)
{
	for (unsigned i = 0; i < d->n; i++)
		if (isnan(d->candidate[i].length) || d->candidate[i].length == 0)
			return TV_LOG_STARPU_FORCED;
	return d->n > 0 ? TV_LOG_STARPU_MODEL : TV_LOG_STARPU_NOT_COMPARED;
}

static double fitness(const struct tv_starpu_data *data, const struct tv_starpu_candidate *c,
		      double best, double last_available)
{
	double energy = isnan(c->energy) ? 0 : c->energy, sum;

	if (isnan(c->transfer)) /* dm */
		return c->end - best;
	sum = data->alpha * (c->end - best) + data->beta * c->transfer + data->gamma * energy;
	if (c->end > last_available)
		sum += data->gamma * data->idle_power * (c->end - last_available) / 1000000.0;
	return sum;
}

/* The earliest end. */
static double compare(struct tv_starpu_decision *d)
{
	double best = INFINITY, last_available = 0;

	for (unsigned i = 0; i < d->n; i++) {
		struct tv_starpu_candidate *c = &d->candidate[i];

		last_available = max_of(last_available, c->available);
		c->end = max_of(c->available, d->now + c->transfer) + c->length;
		best = c->end < best ? c->end : best;
	}
	for (unsigned i = 0; i < d->n; i++)
		d->candidate[i].fitness = fitness(d->data, &d->candidate[i], best, last_available);
	return best;
}

/* ---- what is written ---- */

/* The best ones, as --top asks for, and the one chosen. */
static unsigned keep(struct tv_starpu_decision *d)
{
	unsigned top = (unsigned)strtoul(top_text(), NULL, 10), n = 0; /* 0 = all */

	for (unsigned i = 0; i < d->n; i++) {
		const struct tv_starpu_candidate *c = &d->candidate[i];
		unsigned better = 0;

		for (unsigned k = 0; top > 0 && k < d->n; k++)
			better += d->candidate[k].fitness < c->fitness
			       || (k < i && !(d->candidate[k].fitness > c->fitness));
		d->candidate[i].kept = top == 0 || better < top
				    || ((int)c->worker == d->worker && c->impl == d->impl);
		n += d->candidate[i].kept;
	}
	return n;
}

static void put(uint64_t *arg, const struct tv_starpu_candidate *c)
{
	const double real[] = { c->available, c->length,  c->transfer, c->energy,
				c->end,	      c->fitness, c->queue,    c->pipeline };

	arg[0] = c->worker | (uint64_t)c->impl << 32;
	arg[1] = (uint64_t)c->tasks;
	memcpy(arg + 2, real, sizeof real);
}

/* What happened to the task since then comes later in the log. Threads of a simulation share one list of events, where
 * time cannot go back. */
static int64_t time_of(const struct tv_starpu_decision *d)
{
#ifdef STARPU_SIMGRID
	(void)d;
	return tv_log_now();
#else
	return d->time;
#endif
}

static void write_candidates(const struct tv_starpu_decision *d, unsigned n)
{
	enum { MAX = (TV_LOG_MAX_WORDS - 3) / TV_LOG_STARPU_CANDIDATE_WORDS };
	unsigned at = 0;

	while (n > 0) {
		unsigned part = n < MAX ? n : MAX;
		uint64_t *arg = tv_log_begin(TV_LOG_STARPU_CANDIDATES, 0,
					     1 + part * TV_LOG_STARPU_CANDIDATE_WORDS, time_of(d));

		if (!arg)
			return;
		*arg++ = d->order;
		for (unsigned i = 0; i < part; at++) {
			if (d->candidate[at].kept)
				put(arg + TV_LOG_STARPU_CANDIDATE_WORDS * i++, &d->candidate[at]);
		}
		tv_log_commit();
		n -= part;
	}
}

static void write_decision(struct tv_starpu_decision *d)
{
	enum tv_log_starpu_nature nature = nature_of(d);
	double real[3] = { d->now, d->transfer_left, NAN };
	uint64_t *arg;

	if (nature == TV_LOG_STARPU_MODEL && d->data)
		real[2] = compare(d);
	arg = tv_log_begin(TV_LOG_STARPU_DECISION, nature, 9, time_of(d));
	if (!arg)
		return;
	arg[0] = (uint64_t)tv_starpu_ns(d->now);
	arg[1] = d->order;
	arg[2] = d->job;
	arg[3] = (uint64_t)d->worker;
	arg[4] = d->impl;
	memcpy(arg + 5, real, sizeof real);
	arg[8] = d->n;
	tv_log_commit();
	write_candidates(d, keep(d));
}

/* ---- the push ---- */

/* A free place; NULL: more threads push at a time than are expected. */
static struct tv_starpu_decision *begin(struct starpu_task *task)
{
	for (int i = 0; i < MAX_DECISIONS; i++) {
		struct starpu_task *none = NULL;

		if (!atomic_load_explicit(&decision[i].task, memory_order_relaxed)
		    && atomic_compare_exchange_strong(&decision[i].task, &none, task))
			return &decision[i];
	}
	return NULL;
}

int tv_starpu_decide(struct starpu_task *task, int (*push)(struct starpu_task *), bool by_priority)
{
	struct tv_starpu_decision *d = tv_starpu_is_recording() ? begin(task) : NULL;
	int rc;

	if (!d)
		return push(task);
	d->data = check_data(task->sched_ctx);
	d->by_priority = by_priority;
	d->closed = d->has_queue = false;
	d->now = NAN;
	d->worker = -1;
	d->n = 0;
	memset(d->seen, 0, sizeof d->seen);
	last = tv_starpu_begun = d;
	rc = push(task);
	/* The task may exist no more. */
	if (d->closed)
		write_decision(d);
	if (tv_starpu_begun == d)
		tv_starpu_begun = NULL;
	if (last == d)
		last = NULL;
	atomic_store_explicit(&d->task, NULL, memory_order_release);
	return rc;
}
