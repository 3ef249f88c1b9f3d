/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tasks.c -- events about tasks: names, submission, dependencies, executions. */
#include <inttypes.h>

#include "convert/fxt/fxt.h"
#include "trace/alloc.h"

enum { MODE_WRITE = 2, ACQUISITION = 2 /* type */ };
/* Up to 1.2.6 the scheduler's events have the address of a task in place of its number. */
static const uint64_t address_min = (uint64_t)1 << 32;

/* ---- jobs ---- */

uint32_t tv_fxt_find_job(struct tv_fxt_rank *rank, uint64_t id)
{
	uint32_t known = tv_numbers_get(&rank->tasks.job_of, id);

	if (known != TV_NONE)
		return known;
	TV_GROW(rank->tasks.job, rank->tasks.njobs, rank->tasks.jobs_cap, 1);
	tv_numbers_put(&rank->tasks.job_of, id, (uint32_t)rank->tasks.njobs);
	rank->tasks.job[rank->tasks.njobs] = (struct tv_fxt_job){
		.label = tv_fxt_count_label(rank->run, rank->prefix, id),
		.name = TV_NONE,
		.model = TV_NONE,
		.source = TV_NONE,
		.before = TV_NONE,
		.first_run = TV_NONE,
		.last_run = TV_NONE,
		.first_need = TV_NONE,
		.last_need = TV_NONE,
		.iteration = -1,
		.subiteration = -1,
	};
	return (uint32_t)rank->tasks.njobs++;
}

/* The job of parameter 0. */
static struct tv_fxt_job *job_of(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	uint32_t index = tv_fxt_find_job(rank, tv_fxt_word(event, 0));

	return &rank->tasks.job[index];
}

/* The text from parameter i on becomes a label, unless it is empty. */
static void take_text(struct tv_fxt_rank *rank, const struct tv_fxt_event *event, unsigned i,
		      uint32_t *label)
{
	uint32_t text = tv_fxt_text_param(rank, event, i, TV_REPAIRED);

	if (text != TV_NONE)
		*label = text;
}

void tv_fxt_submit(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	uint64_t tid = event->n > 0 ? tv_fxt_word(event, event->n - 1) : 0;
	uint32_t index = tv_fxt_find_job(rank, tv_fxt_word(event, 0));
	struct tv_fxt_job *job = &rank->tasks.job[index];

	rank->tasks.repeated_submits += job->submitted;
	job->submitted = true;
	job->submit_time = rank->now;
	if (event->n >= 4) {
		job->iteration = tv_fxt_number(event, 1);
		job->subiteration = tv_fxt_number(event, 2);
	}
	if (event->n == 5)
		job->type = (uint8_t)tv_fxt_word(event, 3);
	if (event->n >= 7) {
		job->submit_order = tv_fxt_word(event, 3);
		job->has_order = job->submit_order != 0;
		job->priority = tv_fxt_number(event, 4);
		job->has_priority = true;
		job->type = (uint8_t)tv_fxt_word(event, 5);
	}
	if ((job->type & ACQUISITION) != 0)
		tv_fxt_acquisition(rank, index, tid);
	else
		tv_fxt_end_taking(rank, tid);
}

/* Where the name of a task or of its model begins: 1.4 put the thread before it. */
static unsigned name_param(const struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	return rank->facts.generation >= TV_FXT_1_4 && event->n > 2 ? 2 : 1;
}

/* Without a name 1.3.6 and later write a memory address in its place; eight bytes of a short name
 * are text. */
static bool is_address(const struct tv_fxt_event *event, unsigned first)
{
	size_t n;
	const char *text = tv_fxt_text(event, first, &n);

	return first == 1 && event->n == 2 && !tv_fxt_is_text(text, n);
}

void tv_fxt_task_name(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	bool flags = event->n >= 4 && tv_fxt_word(event, 2) <= 1 && tv_fxt_word(event, 3) <= 1;
	unsigned first = flags ? 4 : name_param(rank, event);
	struct tv_fxt_job *job = job_of(rank, event);

	if (flags && tv_fxt_word(event, 2) == 1)
		job->excluded = true;
	if (job->named)
		return;
	if ((flags && tv_fxt_word(event, 3) == 0) || is_address(event, first)) {
		job->nameless = true;
		return;
	}
	take_text(rank, event, first, &job->name);
	job->named = job->name != TV_NONE;
}

void tv_fxt_model_name(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	take_text(rank, event, name_param(rank, event), &job_of(rank, event)->model);
}

void tv_fxt_task_line(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	struct tv_fxt_job *job = job_of(rank, event);

	job->line = (uint32_t)tv_fxt_word(event, 1);
	take_text(rank, event, 2, &job->source);
}

void tv_fxt_task_done(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	struct tv_fxt_job *job = job_of(rank, event);

	job->done = true;
	if (event->n < 4)
		return;
	job->excluded = job->excluded || tv_fxt_word(event, 2) == 1;
	if (job->name == TV_NONE)
		take_text(rank, event, 4, &job->name);
}

void tv_fxt_task_exclude(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	struct tv_fxt_job *job = job_of(rank, event);

	job->excluded = tv_fxt_word(event, 1) != 0;
}

/* ---- the scheduler's queue ---- */

static void queue_event(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
			enum tv_fxt_type type)
{
	uint64_t id = tv_fxt_word(event, 0);
	uint32_t label = id >= address_min ? tv_fxt_hex_label(rank->run, id)
					   : job_of(rank, event)->label;

	tv_fxt_event_row(rank, type, rank->program, label);
}

void tv_fxt_job_push(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	tv_fxt_set_variable(rank->run, &rank->ready, rank->now, (double)++rank->nready);
	queue_event(rank, event, TV_FXT_PUSH_EVENT);
}

void tv_fxt_job_pop(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	tv_fxt_set_variable(rank->run, &rank->ready, rank->now, (double)--rank->nready);
	tv_fxt_set_variable(rank->run, &rank->submitted, rank->now, (double)--rank->nsubmitted);
	queue_event(rank, event, TV_FXT_POP_EVENT);
}

void tv_fxt_task_count(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	(void)event;
	tv_fxt_set_variable(rank->run, &rank->submitted, rank->now, (double)++rank->nsubmitted);
}

/* ---- dependencies ---- */

void tv_fxt_add_need(struct tv_fxt_rank *rank, uint32_t index, uint32_t label)
{
	struct tv_fxt_job *job = &rank->tasks.job[index];
	uint32_t at = (uint32_t)rank->tasks.nneeds;

	tv_fxt_check_count(rank->tasks.nneeds, "dependencies");
	TV_GROW(rank->tasks.need, rank->tasks.nneeds, rank->tasks.needs_cap, 1);
	rank->tasks.need[rank->tasks.nneeds++] = (struct tv_fxt_need){ label, TV_NONE };
	if (job->last_need == TV_NONE)
		job->first_need = at;
	else
		rank->tasks.need[job->last_need].next = at;
	job->last_need = at;
}

void tv_fxt_task_deps(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	struct tv_fxt_job *job;
	uint32_t before, after;

	if (tv_fxt_word(event, 0) == tv_fxt_word(event, 1)) {
		tv_fxt_damaged(rank, TV_DROPPED, "task that depends on itself", "job %s%" PRIu64,
			       rank->prefix, tv_fxt_word(event, 0));
		return;
	}
	before = tv_fxt_find_job(rank, tv_fxt_word(event, 0));
	after = tv_fxt_find_job(rank, tv_fxt_word(event, 1));
	job = &rank->tasks.job[after];
	if (event->n >= 3 && !job->submitted)
		job->type = (uint8_t)tv_fxt_word(event, 2);
	job->before = job->first_need == TV_NONE || job->before == before ? before : TV_NONE;
	tv_fxt_add_need(rank, after, rank->tasks.job[before].label);
}

/* A tag is a name for a task; dependencies between tags are dependencies between their tasks. */
void tv_fxt_tag(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	tv_map_put(&rank->tasks.job_of_tag, tv_fxt_word(event, 0), 0,
		   tv_fxt_find_job(rank, tv_fxt_word(event, 1)));
}

void tv_fxt_tag_deps(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	TV_GROW(rank->tasks.tag_edge, rank->tasks.ntag_edges, rank->tasks.tag_edges_cap, 1);
	rank->tasks.tag_edge[rank->tasks.ntag_edges++] = (struct tv_fxt_tag_edge){
		tv_fxt_word(event, 0), tv_fxt_word(event, 1)
	};
}

/* Tags may be declared before their tasks: resolved when all is read. */
static void resolve_tags(struct tv_fxt_rank *rank)
{
	for (size_t i = 0; i < rank->tasks.ntag_edges; i++) {
		const uint32_t *after = tv_map_get(&rank->tasks.job_of_tag,
						   rank->tasks.tag_edge[i].waits, 0);
		const uint32_t *before = tv_map_get(&rank->tasks.job_of_tag,
						    rank->tasks.tag_edge[i].for_tag, 0);

		if (after != NULL && before != NULL && *after != *before)
			tv_fxt_add_need(rank, *after, rank->tasks.job[*before].label);
	}
}

/* ---- executions ---- */

static uint32_t add_exec(struct tv_fxt_rank *rank, uint32_t job, uint32_t worker)
{
	struct tv_fxt_job *j = &rank->tasks.job[job];
	uint32_t index = (uint32_t)rank->tasks.nexecs;

	tv_fxt_check_count(rank->tasks.nexecs, "executions");
	TV_GROW(rank->tasks.exec, rank->tasks.nexecs, rank->tasks.execs_cap, 1);
	rank->tasks.exec[rank->tasks.nexecs++] = (struct tv_fxt_exec){
		.job = job,
		.worker = worker,
		.next = TV_NONE,
		.first_access = TV_NONE,
		.last_access = TV_NONE,
		.params = TV_NONE,
		.start = rank->now,
		.end = rank->now,
	};
	if (j->last_run == TV_NONE) {
		j->first_run = index;
	} else {
		tv_map_put(&rank->tasks.exec_of, job, rank->tasks.exec[j->last_run].worker,
			   j->last_run);
		rank->tasks.exec[j->last_run].next = index;
	}
	j->last_run = index;
	return index;
}

/* The last execution of a job on a worker, both by StarPU's numbers. Nearly all jobs have one. */
static struct tv_fxt_exec *exec_of(const struct tv_fxt_rank *rank, uint64_t id, uint64_t number)
{
	uint32_t job = tv_numbers_get(&rank->tasks.job_of, id);
	uint32_t worker = tv_numbers_get(&rank->threads.worker_of, (uint32_t)number);
	uint32_t last = job != TV_NONE ? rank->tasks.job[job].last_run : TV_NONE;
	const uint32_t *index;

	if (last == TV_NONE || rank->tasks.exec[last].worker == worker)
		return last != TV_NONE ? &rank->tasks.exec[last] : NULL;
	index = tv_map_get(&rank->tasks.exec_of, job, worker);
	return index != NULL ? &rank->tasks.exec[*index] : NULL;
}

/*
 * From when the rate of a task counts: up to 1.2 from its start; later, where a task follows
 * closely, from the end of the one before, so that short gaps do not look like faster tasks.
 */
static int64_t rate_start(const struct tv_fxt_rank *rank, const struct tv_fxt_worker *worker)
{
	int64_t gap = rank->now - worker->last_end, before = worker->last_end - worker->last_start;

	if (!worker->ran || rank->facts.generation == TV_FXT_1_2 || gap >= 2 * before)
		return rank->now;
	return worker->last_end;
}

static void drop_start(struct tv_fxt_rank *rank, const struct tv_fxt_event *event, const char *why)
{
	rank->tasks.dropped_starts++;
	tv_fxt_damaged(rank, TV_DROPPED, why, "job %s%" PRIu64 " on worker %u", rank->prefix,
		       tv_fxt_word(event, 0), (uint32_t)tv_fxt_word(event, 2));
}

/* Up to 1.3 the start of a task has its name, or that it has none. */
static void name_from_start(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
			    struct tv_fxt_job *job)
{
	if (rank->facts.generation >= TV_FXT_1_4)
		return;
	if (tv_fxt_word(event, 4) == 0)
		job->nameless = true;
	else
		take_text(rank, event, 5, &job->name);
	job->named = job->named || job->name != TV_NONE;
}

void tv_fxt_start(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	uint64_t id = tv_fxt_word(event, 0);
	uint32_t number = (uint32_t)tv_fxt_word(event, 2), job, index, exec;
	const struct tv_fxt_exec *before = exec_of(rank, id, number);
	struct tv_fxt_worker *worker;
	const char *damage;

	/* No code, or work outside workers: counted by the scan. */
	if (tv_fxt_is_empty(event, rank->facts.generation, 5) || (int32_t)number < 0)
		return;
	index = tv_fxt_find_worker(rank, number);
	damage = index == TV_NONE	    ? "task on an impossible worker"
	       : before == NULL		    ? NULL
	       : !before->ended		    ? "task started twice"
	       : before->start == rank->now ? "two identical executions"
					    : NULL;
	if (damage != NULL) {
		drop_start(rank, event, damage);
		return;
	}
	job = tv_fxt_find_job(rank, id);
	name_from_start(rank, event, &rank->tasks.job[job]);
	exec = add_exec(rank, job, index);
	rank->tasks.exec[exec].context = tv_fxt_word(event, 1);
	rank->tasks.exec[exec].memory_node = tv_fxt_number(event, 3);
	worker = &rank->threads.worker[index];
	worker->rate_start = rate_start(rank, worker);
	worker->last_start = rank->now;
	worker->current = exec;
	worker->nparams = 0;
	if (!rank->paused)
		tv_fxt_set_state(rank, &worker->stack, TV_FXT_TASK);
}

/* The coordinates of the first handle that is written. */
static void find_place(const struct tv_fxt_rank *rank, struct tv_fxt_exec *exec)
{
	for (uint32_t i = exec->first_access; i != TV_NONE; i = rank->tasks.access[i].next) {
		const struct tv_fxt_access *access = &rank->tasks.access[i];
		const struct tv_fxt_handle *handle;

		if ((access->mode & MODE_WRITE) == 0)
			continue;
		handle = tv_fxt_handle_at(rank, access->address);
		if (handle != NULL && handle->ncoordinates > 0) {
			exec->ncoordinates = handle->ncoordinates > 1 ? 2 : 1;
			exec->x = (int64_t)handle->coordinate[0];
			exec->y = (int64_t)handle->coordinate[1];
		}
		return;
	}
}

static void add_rate(struct tv_fxt_rank *rank, struct tv_fxt_worker *worker,
		     const struct tv_fxt_exec *exec)
{
	struct tv_fxt_run *run = rank->run;
	double seconds = (double)(exec->end - worker->rate_start) / 1e9, rate;

	if (exec->end <= worker->rate_start)
		return;
	rate = (double)exec->kflop / 1e6 / seconds;
	if (worker->ran && worker->rate_start > worker->last_end)
		tv_fxt_set_variable(run, &worker->gflops, worker->last_end, 0);
	tv_fxt_set_variable(run, &worker->gflops, worker->rate_start, rate);
	tv_fxt_add_delta(run, &rank->flops, 0, worker->rate_start, exec->end, rate);
}

void tv_fxt_end(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	uint64_t id = tv_fxt_word(event, 0);
	uint32_t number = (uint32_t)tv_fxt_word(event, 3);
	struct tv_fxt_exec *exec = exec_of(rank, id, number);
	struct tv_fxt_worker *worker;

	if (tv_fxt_is_empty(event, rank->facts.generation, 5) || (int32_t)number < 0)
		return;
	if (exec == NULL || exec->ended) {
		tv_fxt_damaged(rank, TV_DROPPED, "end of a task that never started",
			       "job %s%" PRIu64 " on worker %u", rank->prefix, id, number);
		return;
	}
	worker = &rank->threads.worker[exec->worker];
	exec->ended = true;
	if (rank->now < exec->start) {
		exec->dropped = true;
		rank->tasks.dropped_starts++;
		tv_fxt_damaged(rank, TV_DROPPED, "task that ends before it starts",
			       "job %s%" PRIu64 " on worker %u", rank->prefix, id, number);
		return;
	}
	exec->end = rank->now;
	if (!exec->detailed) {
		exec->size = tv_fxt_word(event, 1);
		exec->footprint = (uint32_t)tv_fxt_word(event, 2);
	}
	find_place(rank, exec);
	add_rate(rank, worker, exec);
	worker->ran = true;
	worker->last_end = rank->now;
	worker->current = TV_NONE;
	if (!rank->paused)
		tv_fxt_set_state(rank, &worker->stack,
				 worker->sync ? TV_FXT_OVERHEAD : TV_FXT_IDLE);
}

/* ---- the data of the current execution ---- */

/* 1.4.99 has the thread before the text. */
void tv_fxt_codelet_data(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	uint32_t index = tv_numbers_get(&rank->threads.worker_of, (uint32_t)tv_fxt_word(event, 0));
	struct tv_fxt_worker *worker = index != TV_NONE ? &rank->threads.worker[index] : NULL;
	unsigned first = rank->facts.generation == TV_FXT_1_4_99 ? 2 : 1;
	const char *text;
	size_t n;

	if (worker == NULL || worker->current == TV_NONE)
		return;
	text = tv_fxt_checked_text(rank, event, first, TV_REPAIRED, &n);
	if (text == NULL)
		return;
	TV_GROW(worker->params, worker->nparams, worker->params_cap, n + 1);
	if (worker->nparams > 0)
		worker->params[worker->nparams++] = ' ';
	memcpy(worker->params + worker->nparams, text, n);
	worker->nparams += n;
}

void tv_fxt_codelet_handle(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	uint32_t job = tv_numbers_get(&rank->tasks.job_of, tv_fxt_word(event, 0));
	uint32_t at = (uint32_t)rank->tasks.naccesses;
	struct tv_fxt_exec *exec;

	if (job == TV_NONE || rank->tasks.job[job].last_run == TV_NONE)
		return;
	exec = &rank->tasks.exec[rank->tasks.job[job].last_run];
	tv_fxt_check_count(rank->tasks.naccesses, "accesses of data");
	TV_GROW(rank->tasks.access, rank->tasks.naccesses, rank->tasks.accesses_cap, 1);
	rank->tasks.access[rank->tasks.naccesses++] = (struct tv_fxt_access){
		.address = tv_fxt_word(event, 1),
		.size = tv_fxt_word(event, 2),
		.handle = tv_fxt_handle_label(rank, tv_fxt_word(event, 1)),
		.mode = (uint32_t)tv_fxt_word(event, 3),
		.next = TV_NONE,
	};
	if (exec->last_access == TV_NONE)
		exec->first_access = at;
	else
		rank->tasks.access[exec->last_access].next = at;
	exec->last_access = at;
}

/* Until 1.2.0 the job's address came first and the number of operations was missing. */
void tv_fxt_codelet_details(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	bool old = tv_fxt_word(event, 0) >= address_min;
	struct tv_fxt_exec *exec = exec_of(rank, tv_fxt_word(event, 6), tv_fxt_word(event, 5));
	struct tv_fxt_worker *worker;

	if (exec == NULL)
		return;
	exec->detailed = true;
	exec->size = tv_fxt_word(event, old ? 2 : 1);
	exec->footprint = (uint32_t)tv_fxt_word(event, old ? 3 : 2);
	exec->kflop = old ? 0 : tv_fxt_word(event, 3);
	exec->tag = tv_fxt_word(event, 4);
	worker = &rank->threads.worker[exec->worker];
	exec->params = worker->nparams > 0
			     ? tv_fxt_text_label(rank->run, worker->params, worker->nparams)
			     : tv_fxt_text_label(rank->run, "nodata", 6);
}

/* ---- the end of a rank ---- */

void tv_fxt_end_tasks(struct tv_fxt_rank *rank)
{
	const struct tv_pool *pool = rank->run->trace->pool;

	for (size_t i = 0; i < rank->tasks.nexecs; i++) {
		struct tv_fxt_exec *exec = &rank->tasks.exec[i];

		if (exec->ended)
			continue;
		exec->open = true;
		exec->end = rank->end > exec->start ? rank->end : exec->start;
		find_place(rank, exec);
		tv_fxt_damaged(rank, TV_REPAIRED, "task without end",
			       "job %s on %s, closed at the last time",
			       tv_pool_text(pool, rank->tasks.job[exec->job].label),
			       tv_pool_text(pool, rank->threads.worker[exec->worker].label));
	}
	for (size_t i = 0; i < rank->threads.nworkers; i++) {
		struct tv_fxt_worker *worker = &rank->threads.worker[i];

		if (worker->ran)
			tv_fxt_set_variable(rank->run, &worker->gflops, worker->last_end, 0);
	}
	resolve_tags(rank);
}

void tv_fxt_release_tasks(struct tv_fxt_tasks *tasks)
{
	tv_free(tasks->job);
	tv_free(tasks->exec);
	tv_free(tasks->need);
	tv_free(tasks->access);
	tv_free(tasks->tag_edge);
	tv_numbers_release(&tasks->job_of);
	tv_map_release(&tasks->exec_of);
	tv_map_release(&tasks->job_of_tag);
}
