/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * starpu_decisions.c -- decisions of StarPU's scheduler, their candidates, and what happened to tasks in order.
 *
 * A decision whose smallest fitness is not that of the worker chosen was made from other values than
 * those recorded: another thread changed a queue meanwhile. What comes from queues is left out there,
 * and everywhere if that is so for many decisions.
 */
#include "convert/log/starpu.h"

#include <math.h>
#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/sorted.h"

enum { MANY = 10 }; /* percent of races that make all values of queues doubtful */

/* ---- what belongs together ---- */

TV_ORDER(by_order, struct tv_starpu_decision, order)

TV_ORDER(event_by_order, struct tv_starpu_event, order, kind)

/* Gives decisions their candidates, which each thread has written behind its decision. */
static void find_candidates(struct tv_raw_starpu *s)
{
	struct tv_starpu_candidate *sorted = tv_alloc(s->ncandidates, sizeof *sorted);
	struct tv_map decision_of = { 0 };
	size_t at = 0;

	for (uint32_t i = 0; i < s->ndecisions; i++)
		tv_map_put(&decision_of, s->decision[i].order, 0, i);
	for (size_t i = 0; i < s->ncandidates; i++) {
		const uint32_t *d = tv_map_get(&decision_of, s->candidate[i].order, 0);

		if (d != NULL)
			s->decision[*d].n++;
	}
	for (size_t i = 0; i < s->ndecisions; i++) {
		s->decision[i].first = (uint32_t)at;
		at += s->decision[i].n;
		s->decision[i].n = 0;
	}
	for (size_t i = 0; i < s->ncandidates; i++) {
		const uint32_t *d = tv_map_get(&decision_of, s->candidate[i].order, 0);

		if (d != NULL)
			sorted[s->decision[*d].first + s->decision[*d].n++] = s->candidate[i];
	}
	tv_map_release(&decision_of);
	tv_free(s->candidate);
	s->candidate = sorted;
}

/* Numbers the decisions about each job. Where none was named, the worker is the one that took the task. */
static void complete_decisions(struct tv_raw_starpu *s)
{
	struct tv_map taken = { 0 }; /* by job: the decision that waits for a worker */
	size_t k = 0;

	for (uint32_t i = 0; i < s->ndecisions; i++) {
		struct tv_starpu_decision *d = &s->decision[i];

		d->number = ++s->job[d->job].decisions;
		for (; k < s->nevents && s->event[k].order < d->order; k++) {
			const uint32_t *waits = tv_map_get(&taken, s->event[k].job, 0);

			if (waits != NULL && *waits != TV_NONE) {
				s->decision[*waits].worker = s->event[k].worker;
				tv_map_put(&taken, s->event[k].job, 0, TV_NONE);
			}
		}
		if (d->worker == TV_NONE)
			tv_map_put(&taken, d->job, 0, i);
	}
	for (; k < s->nevents; k++) {
		const uint32_t *waits = tv_map_get(&taken, s->event[k].job, 0);

		if (waits != NULL && *waits != TV_NONE) {
			s->decision[*waits].worker = s->event[k].worker;
			tv_map_put(&taken, s->event[k].job, 0, TV_NONE);
		}
	}
	tv_map_release(&taken);
}

/* ---- the choice ---- */

/* The first candidate with the smallest fitness, of workers other than `but`; NULL: none has one. */
static const struct tv_starpu_candidate *find_best(const struct tv_raw_starpu *s,
						   const struct tv_starpu_decision *d, uint32_t but)
{
	const struct tv_starpu_candidate *best = NULL;

	for (uint32_t i = 0; i < d->n; i++) {
		const struct tv_starpu_candidate *c = &s->candidate[d->first + i];

		if (c->worker != but && !isnan(c->fitness)
		    && (best == NULL || c->fitness < best->fitness))
			best = c;
	}
	return best;
}

static bool is_chosen(const struct tv_starpu_decision *d, const struct tv_starpu_candidate *c)
{
	return c->worker == d->worker && c->impl == d->impl;
}

/* Marks races; whether the state of queues can be used at all. */
static bool check_decisions(struct tv_raw_log *log)
{
	struct tv_raw_starpu *s = log->starpu;
	size_t compared = 0, races = 0;

	for (size_t i = 0; i < s->ndecisions; i++) {
		struct tv_starpu_decision *d = &s->decision[i];
		const struct tv_starpu_candidate *best = find_best(s, d, TV_NONE);

		if (best == NULL || d->worker == TV_NONE)
			continue;
		compared++;
		d->race = !is_chosen(d, best);
		races += d->race;
	}
	if (races > 0)
		tv_notice(log->run->trace,
			  "%s: in %zu of %zu decisions the worker chosen is not the one of the "
			  "smallest fitness recorded%s",
			  log->path, races, compared,
			  races * 100 > compared * MANY
				  ? ": queues and fitness are left out everywhere"
				  : ": another thread changed a queue meanwhile (Flag=race)");
	return races * 100 <= compared * MANY;
}

/* ---- rows ---- */

struct columns {
	struct tv_column *job, *number, *order, *time, *value, *priority, *resource, *impl, *nature,
		*length, *transfer, *left, *energy, *start, *end, *fitness, *best, *runner, *margin,
		*flag;
	struct tv_column *cjob, *cnumber, *cresource, *cimpl, *available, *clength, *ctransfer,
		*cenergy, *cstart, *cend, *cfitness, *tasks, *queue, *pipeline, *chosen;
};

static void find_columns(struct tv_raw_log *log, struct columns *c)
{
	TV_TRACE_COLUMNS(
		log->run->trace, TV_DECISIONS, { "JobId", &c->job }, { "Decision", &c->number },
		{ "Order", &c->order }, { "Time", &c->time }, { "Value", &c->value },
		{ "Priority", &c->priority }, { "ResourceId", &c->resource }, { "Impl", &c->impl },
		{ "Nature", &c->nature }, { "Length", &c->length }, { "Transfer", &c->transfer },
		{ "TransferLeft", &c->left }, { "Energy", &c->energy },
		{ "ExpectedStart", &c->start }, { "ExpectedEnd", &c->end },
		{ "Fitness", &c->fitness }, { "BestEnd", &c->best }, { "RunnerUp", &c->runner },
		{ "Margin", &c->margin }, { "Flag", &c->flag });
	TV_TRACE_COLUMNS(log->run->trace, TV_CANDIDATES, { "JobId", &c->cjob },
			 { "Decision", &c->cnumber }, { "ResourceId", &c->cresource },
			 { "Impl", &c->cimpl }, { "Available", &c->available },
			 { "Length", &c->clength }, { "Transfer", &c->ctransfer },
			 { "Energy", &c->cenergy }, { "ExpectedStart", &c->cstart },
			 { "ExpectedEnd", &c->cend }, { "Fitness", &c->cfitness },
			 { "QueueTasks", &c->tasks }, { "QueueLength", &c->queue },
			 { "PipelineLength", &c->pipeline }, { "Chosen", &c->chosen });
}

/* A length in us; unknown, or impossible: missing. */
static void set_length(struct tv_column *column, uint32_t row, double us)
{
	if (fabs(us) < 1e15)
		tv_set_int(column, row, (int64_t)llround(us * 1000));
}

/* Without a model of energy StarPU estimates 0. */
static void set_energy(struct tv_column *column, uint32_t row, double joule)
{
	if (isfinite(joule) && joule != 0)
		tv_set_double(column, row, joule);
}

/* An instant of StarPU's clock, in us. */
static void set_instant(const struct tv_raw_log *log, const struct tv_starpu_decision *d,
			struct tv_column *column, uint32_t row, double us)
{
	if (fabs(us - d->now) < 1e15)
		tv_set_int(column, row,
			   tv_raw_time(log, d->time) + (int64_t)llround((us - d->now) * 1000));
}

/* As the policy computes it; dm does not consider transfers. */
static double start_of(const struct tv_starpu_decision *d, const struct tv_starpu_candidate *c)
{
	double arrival = d->now + c->transfer;

	return c->available < arrival ? arrival : c->available;
}

static void write_candidate(struct tv_raw_log *log, const struct columns *c,
			    const struct tv_starpu_decision *d,
			    const struct tv_starpu_candidate *candidate, bool queues)
{
	uint32_t row = tv_table_add_row(&log->run->trace->table[TV_CANDIDATES]);

	tv_set_label(c->cjob, row, tv_starpu_job_label(log, d->job));
	tv_set_int(c->cnumber, row, d->number);
	tv_set_label(c->cresource, row, tv_starpu_worker_label(log, candidate->worker));
	tv_set_int(c->cimpl, row, candidate->impl);
	set_length(c->clength, row, candidate->length);
	set_length(c->ctransfer, row, candidate->transfer);
	set_energy(c->cenergy, row, candidate->energy);
	tv_set_int(c->chosen, row, is_chosen(d, candidate));
	if (!queues)
		return;
	set_instant(log, d, c->available, row, candidate->available);
	set_length(c->queue, row, candidate->queue);
	set_length(c->pipeline, row, candidate->pipeline);
	if (candidate->tasks >= 0)
		tv_set_int(c->tasks, row, candidate->tasks);
	if (isnan(candidate->end))
		return;
	set_instant(log, d, c->cstart, row, start_of(d, candidate));
	set_instant(log, d, c->cend, row, candidate->end);
	set_length(c->cfitness, row, candidate->fitness);
}

/* What the decision has of the candidate that was chosen, and of the next one. */
static void write_choice(struct tv_raw_log *log, const struct columns *c,
			 const struct tv_starpu_decision *d, uint32_t row, bool queues)
{
	const struct tv_raw_starpu *s = log->starpu;
	const struct tv_starpu_candidate *own = NULL, *next = find_best(s, d, d->worker);

	for (uint32_t i = 0; i < d->n && own == NULL; i++)
		if (is_chosen(d, &s->candidate[d->first + i]))
			own = &s->candidate[d->first + i];
	if (own == NULL)
		return;
	set_length(c->length, row, own->length);
	set_length(c->transfer, row, own->transfer);
	set_energy(c->energy, row, own->energy);
	if (!queues || isnan(own->end))
		return;
	set_instant(log, d, c->start, row, start_of(d, own));
	set_instant(log, d, c->end, row, own->end);
	set_length(c->fitness, row, own->fitness);
	set_instant(log, d, c->best, row, d->best_end);
	if (next == NULL)
		return;
	tv_set_label(c->runner, row, tv_starpu_worker_label(log, next->worker));
	set_length(c->margin, row, next->fitness - own->fitness);
}

static void write_decision(struct tv_raw_log *log, const struct columns *c,
			   const struct tv_starpu_decision *d, bool queues)
{
	static const char *const nature[] = {
		[TV_LOG_STARPU_NOT_COMPARED] = "none",
		[TV_LOG_STARPU_MODEL] = "model",
		[TV_LOG_STARPU_FORCED] = "forced",
	};
	const struct tv_starpu_job *job = &log->starpu->job[d->job];
	uint32_t row = tv_table_add_row(&log->run->trace->table[TV_DECISIONS]);

	tv_set_label(c->job, row, tv_starpu_job_label(log, d->job));
	tv_set_int(c->number, row, d->number);
	tv_set_int(c->order, row, (int64_t)d->order);
	tv_set_int(c->time, row, tv_raw_time(log, d->time));
	if (job->type != TV_NONE) {
		tv_set_label(c->value, row, job->type);
		tv_set_int(c->priority, row, job->priority);
	}
	tv_set_label(c->resource, row, tv_starpu_worker_label(log, d->worker));
	tv_set_int(c->impl, row, d->impl);
	tv_set_text(c->nature, row, nature[d->nature]);
	set_length(c->left, row, d->transfer_left);
	if (d->worker == TV_NONE)
		tv_set_text(c->flag, row, "unplaced");
	else if (d->race)
		tv_set_text(c->flag, row, "race");
	write_choice(log, c, d, row, queues && !d->race);
	for (uint32_t i = 0; i < d->n; i++)
		write_candidate(log, c, d, &log->starpu->candidate[d->first + i],
				queues && !d->race);
}

/* ---- events ---- */

static void write_events(struct tv_raw_log *log)
{
	static const char *const type[] = { "push", "pop", "start", "end" };
	struct tv_trace *trace = log->run->trace;
	const struct tv_raw_starpu *s = log->starpu;
	struct tv_column *order, *job, *what, *resource, *time;

	TV_TRACE_COLUMNS(trace, TV_EVENTS, { "Order", &order }, { "JobId", &job },
			 { "Type", &what }, { "ResourceId", &resource }, { "Time", &time });
	for (size_t i = 0; i < s->nevents; i++) {
		const struct tv_starpu_event *e = &s->event[i];
		uint32_t row = tv_table_add_row(&trace->table[TV_EVENTS]);

		tv_set_int(order, row, (int64_t)e->order);
		tv_set_label(job, row, tv_starpu_job_label(log, e->job));
		tv_set_text(what, row, type[e->kind - TV_LOG_STARPU_PUSH]);
		tv_set_label(resource, row, tv_starpu_worker_label(log, e->worker));
		tv_set_int(time, row, tv_raw_time(log, e->time));
	}
}

void tv_starpu_write_decisions(struct tv_raw_log *log)
{
	struct tv_raw_starpu *s = log->starpu;
	struct columns c = { 0 };
	bool queues;

	if (s->nevents > 0)
		qsort(s->event, s->nevents, sizeof *s->event, event_by_order);
	write_events(log);
	if (s->ndecisions == 0)
		return;
	qsort(s->decision, s->ndecisions, sizeof *s->decision, by_order);
	find_candidates(s);
	complete_decisions(s);
	queues = check_decisions(log);
	find_columns(log, &c);
	for (size_t i = 0; i < s->ndecisions; i++)
		write_decision(log, &c, &s->decision[i], queues);
}
