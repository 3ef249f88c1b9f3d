/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * estimate.c -- StarPU calls these instead of its own: the values that a dm* policy gets are kept.
 *
 * The policy asks for each worker whether it can run the task, then for each implementation of it for its
 * length, transfer and energy. Only the state of the worker's queue is read from StarPU's memory, without a
 * lock, as the policy does.
 */
#include <math.h>
#include <stdlib.h>

#include "record/loaded/starpu/decide.h"

/* ---- the state of queues ---- */

static const struct tv_starpu_queue *queue_of(const struct tv_starpu_decision *d, unsigned worker)
{
	if (!d->data || worker >= STARPU_NMAXWORKERS)
		return NULL;
#if TV_STARPU_MINOR >= 4
	return &d->data->queue[worker];
#else
	return d->data->queue[worker];
#endif
}

/* The length that the policy sees in front of the task: dmdasd counts what its priority cannot pass. */
static void read_length(struct tv_starpu_decision *d, struct starpu_task *task)
{
	const struct tv_starpu_queue *queue = queue_of(d, d->current);

	if (!queue)
		return;
	d->queue.length = queue->length;
	if (d->by_priority && d->data->levels != -1) {
		int level = REAL(TV_STARPU_LEVEL)(task->priority, d->data->levels, task->sched_ctx);

		d->queue.length = queue->length_of_level[level];
	}
}

/* ---- estimates ---- */

static struct tv_starpu_candidate *candidate_at(struct tv_starpu_decision *d, unsigned impl)
{
	if (d->n > 0 && d->candidate[d->n - 1].worker == d->current
	    && d->candidate[d->n - 1].impl == impl)
		return &d->candidate[d->n - 1];
	return NULL;
}

static void add_candidate(struct tv_starpu_decision *d, unsigned worker, unsigned impl,
			  double length)
{
	struct tv_starpu_candidate *c;

	if (d->n == d->cap) {
		unsigned cap = d->cap ? 2 * d->cap : 32;

		c = realloc(d->candidate, cap * sizeof *c);
		if (!c)
			return;
		d->candidate = c;
		d->cap = cap;
	}
	c = &d->candidate[d->n++];
	*c = (struct tv_starpu_candidate){ worker, impl, -1,  NAN, length, NAN,
					   NAN,	   NAN,	 NAN, NAN, NAN };
	if (!d->has_queue || d->current != worker)
		return;
	c->available = isnan(d->queue.start)   ? d->now + d->queue.pipeline
		     : d->queue.start > d->now ? d->queue.start
					       : d->now;
	c->available += d->queue.length;
	c->tasks = d->queue.ntasks;
	c->queue = d->queue.length;
	c->pipeline = d->queue.pipeline;
}

EXPORT int starpu_worker_can_execute_task_impl(unsigned worker, struct starpu_task *task,
					       unsigned *mask)
{
	struct tv_starpu_decision *d;
	const struct tv_starpu_queue *queue;
	int can;

	if (!tv_starpu_load())
		return 0;
	d = tv_starpu_find_decision(task);
	if (!d || worker >= STARPU_NMAXWORKERS || d->seen[worker])
		return REAL(starpu_worker_can_execute_task_impl)(worker, task, mask);
	queue = queue_of(d, worker);
	d->seen[worker] = true;
	d->current = worker;
	d->has_queue = queue != NULL;
	/* The policy reads the begin and the pipeline before, the rest after. */
	if (queue)
		d->queue = *queue;
	can = REAL(starpu_worker_can_execute_task_impl)(worker, task, mask);
	if (queue)
		d->queue.ntasks = queue->ntasks;
	read_length(d, task);
	return can;
}

EXPORT double TV_STARPU_LENGTH_BEFORE(tv_starpu_queue_t queue, struct starpu_task *task, int worker,
				      int impl, int *ntasks)
{
	struct tv_starpu_decision *d;
	double length;

	if (!tv_starpu_load())
		return 0;
	length = REAL(TV_STARPU_LENGTH_BEFORE)(queue, task, worker, impl, ntasks);
	d = tv_starpu_find_decision(task);
	if (d && (int)d->current == worker)
		d->queue.length = length;
	return length;
}

#if TV_STARPU_MINOR >= 4
EXPORT double starpu_task_worker_expected_length(struct starpu_task *task, unsigned worker,
						 unsigned context, unsigned impl)
{
	struct tv_starpu_decision *d;
	double length;

	if (!tv_starpu_load())
		return 0;
	length = REAL(starpu_task_worker_expected_length)(task, worker, context, impl);
	d = tv_starpu_find_decision(task);
	if (d)
		add_candidate(d, worker, impl, length);
	return length;
}

EXPORT double starpu_task_worker_expected_energy(struct starpu_task *task, unsigned worker,
						 unsigned context, unsigned impl)
{
	struct tv_starpu_candidate *c;
	struct tv_starpu_decision *d;
	double energy;

	if (!tv_starpu_load())
		return 0;
	energy = REAL(starpu_task_worker_expected_energy)(task, worker, context, impl);
	d = tv_starpu_find_decision(task);
	c = d ? candidate_at(d, impl) : NULL;
	if (c)
		c->energy = energy;
	return energy;
}
#else
EXPORT double starpu_task_expected_length(struct starpu_task *task,
					  struct starpu_perfmodel_arch *arch, unsigned impl)
{
	struct tv_starpu_decision *d;
	double length;

	if (!tv_starpu_load())
		return 0;
	length = REAL(starpu_task_expected_length)(task, arch, impl);
	d = tv_starpu_find_decision(task);
	if (d)
		add_candidate(d, d->current, impl, length);
	return length;
}

EXPORT double starpu_task_expected_energy(struct starpu_task *task,
					  struct starpu_perfmodel_arch *arch, unsigned impl)
{
	struct tv_starpu_candidate *c;
	struct tv_starpu_decision *d;
	double energy;

	if (!tv_starpu_load())
		return 0;
	energy = REAL(starpu_task_expected_energy)(task, arch, impl);
	d = tv_starpu_find_decision(task);
	c = d ? candidate_at(d, impl) : NULL;
	if (c)
		c->energy = energy;
	return energy;
}
#endif

EXPORT double starpu_task_expected_data_transfer_time_for(struct starpu_task *task, unsigned worker)
{
	struct tv_starpu_decision *d;
	double transfer;

	if (!tv_starpu_load())
		return 0;
	transfer = REAL(starpu_task_expected_data_transfer_time_for)(task, worker);
	d = tv_starpu_find_decision(task);
	if (d && d->n > 0 && d->candidate[d->n - 1].worker == worker)
		d->candidate[d->n - 1].transfer = transfer;
	return transfer;
}

/* The last question about an implementation. */
EXPORT double starpu_task_expected_conversion_time(struct starpu_task *task,
						   struct starpu_perfmodel_arch *arch,
						   unsigned impl)
{
	struct tv_starpu_candidate *c;
	struct tv_starpu_decision *d;
	double time;

	if (!tv_starpu_load())
		return 0;
	time = REAL(starpu_task_expected_conversion_time)(task, arch, impl);
	d = tv_starpu_find_decision(task);
	c = d ? candidate_at(d, impl) : NULL;
	if (c && time > 0)
		c->length += time;
	if (c)
		read_length(d, task);
	return time;
}

EXPORT double starpu_timing_now(void)
{
	struct tv_starpu_decision *d = tv_starpu_begun;
	double now;

	if (!tv_starpu_load())
		return 0;
	now = REAL(starpu_timing_now)();
	if (d) {
		d->now = now;
		tv_starpu_begun = NULL;
	}
	return now;
}

/* ---- the choice ---- */

EXPORT int starpu_prefetch_task_input_for(struct starpu_task *task, unsigned worker)
{
	struct tv_starpu_decision *d;

	if (!tv_starpu_load())
		return 0;
	d = tv_starpu_find_decision(task);
	if (d)
		d->worker = (int)worker;
	return REAL(starpu_prefetch_task_input_for)(task, worker);
}

EXPORT int starpu_push_task_end(struct starpu_task *task)
{
	struct tv_starpu_decision *d;

	if (!tv_starpu_load())
		return 0;
	/* From here on another thread may take the task, and it may end. */
	d = tv_starpu_find_decision(task);
	if (d) {
		d->order = tv_starpu_order();
		d->job = tv_starpu_job(task);
		d->impl = REAL(starpu_task_get_implementation)(task);
		d->transfer_left = task->predicted_transfer;
		d->time = tv_log_now();
		d->closed = true;
	} else {
		tv_starpu_pushed(task, tv_starpu_order());
	}
	return REAL(starpu_push_task_end)(task);
}
