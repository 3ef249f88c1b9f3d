/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tasks.c -- what the events tell of tasks: names, submission, dependencies, executions. */
#include <inttypes.h>

#include "convert/fxt/fxt.h"
#include "trace/alloc.h"

enum { MODE_WRITE = 2 };
/* Up to 1.2.6 the scheduler's events tell the address of a task in place of its number. */
static const uint64_t address_min = (uint64_t)1 << 32;

/* ---- jobs ---- */

void tv_fxt_find_job(struct tv_fxt_rank *rank, uint64_t id, uint32_t *index)
{
	const uint32_t *known = tv_map_get(&rank->jobs, id, 0);
	uint32_t label;

	if (known != NULL) {
		*index = *known;
		return;
	}
	label = tv_fxt_count_label(rank->run, rank->prefix, id);
	TV_GROW(rank->job, rank->njobs, rank->jobs_cap, 1);
	tv_map_put(&rank->jobs, id, 0, (uint32_t)rank->njobs);
	*index = (uint32_t)rank->njobs;
	rank->job[rank->njobs++] = (struct tv_fxt_job){
		.label = label,
		.name = TV_NONE,
		.model = TV_NONE,
		.source = TV_NONE,
		.first_run = TV_NONE,
		.last_run = TV_NONE,
		.first_need = TV_NONE,
		.last_need = TV_NONE,
		.iteration = -1,
		.subiteration = -1,
	};
}

/* The job of parameter 0. */
static int job_of(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		  struct tv_fxt_job **job)
{
	uint32_t index;

	tv_fxt_find_job(rank, tv_fxt_word(event, 0), &index);
	*job = &rank->job[index];
	return 0;
}

int tv_fxt_submit(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		  const struct tv_fxt_action *action)
{
	struct tv_fxt_job *job;

	(void)action;
	if (job_of(rank, event, &job) < 0)
		return -1;
	rank->repeated_submits += job->submitted;
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
	return 0;
}

/* Without a name 1.3.6 and later write a memory address in its place; eight bytes of a short name
 * are text. */
static bool is_text(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
			return false;
	return n > 0;
}

static int text_label(struct tv_fxt_rank *rank, const char *text, size_t n, uint32_t *label)
{
	*label = tv_fxt_text_label(rank->run, text, n);
	return *label == TV_NONE ? -1 : 0;
}

int tv_fxt_task_name(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		     const struct tv_fxt_action *action)
{
	bool flags = event->n >= 4 && tv_fxt_word(event, 2) <= 1 && tv_fxt_word(event, 3) <= 1;
	unsigned first = flags ? 4 : rank->facts.generation == TV_FXT_1_4 && event->n > 2 ? 2 : 1;
	struct tv_fxt_job *job;
	const char *text;
	size_t n;

	(void)action;
	if (job_of(rank, event, &job) < 0)
		return -1;
	if (flags && tv_fxt_word(event, 2) == 1)
		job->excluded = true;
	text = tv_fxt_text(event, first, &n);
	if (job->named || (first == 1 && event->n == 2 && !is_text(text, n)))
		return 0;
	job->named = n > 0;
	return n > 0 ? text_label(rank, text, n, &job->name) : 0;
}

int tv_fxt_model_name(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		      const struct tv_fxt_action *action)
{
	struct tv_fxt_job *job;
	const char *text;
	size_t n;

	(void)action;
	if (job_of(rank, event, &job) < 0)
		return -1;
	text = tv_fxt_text(event, rank->facts.generation == TV_FXT_1_4 && event->n > 2 ? 2 : 1, &n);
	return n > 0 ? text_label(rank, text, n, &job->model) : 0;
}

int tv_fxt_task_line(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		     const struct tv_fxt_action *action)
{
	struct tv_fxt_job *job;
	const char *text;
	size_t n;

	(void)action;
	if (job_of(rank, event, &job) < 0)
		return -1;
	job->line = (uint32_t)tv_fxt_word(event, 1);
	text = tv_fxt_text(event, 2, &n);
	return n > 0 ? text_label(rank, text, n, &job->source) : 0;
}

int tv_fxt_task_done(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		     const struct tv_fxt_action *action)
{
	struct tv_fxt_job *job;
	const char *text;
	size_t n;

	(void)action;
	if (job_of(rank, event, &job) < 0)
		return -1;
	job->done = true;
	if (event->n < 4)
		return 0;
	job->excluded = job->excluded || tv_fxt_word(event, 2) == 1;
	text = tv_fxt_text(event, 4, &n);
	return n > 0 && job->name == TV_NONE ? text_label(rank, text, n, &job->name) : 0;
}

int tv_fxt_task_exclude(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
			const struct tv_fxt_action *action)
{
	struct tv_fxt_job *job;

	(void)action;
	if (job_of(rank, event, &job) < 0)
		return -1;
	job->excluded = tv_fxt_word(event, 1) != 0;
	return 0;
}

/* ---- the scheduler's queue ---- */

static int queue_event(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		       enum tv_fxt_type type)
{
	uint64_t id = tv_fxt_word(event, 0);
	struct tv_fxt_job *job;
	uint32_t label;

	if (id >= address_min) {
		label = tv_fxt_hex_label(rank->run, id);
	} else {
		if (job_of(rank, event, &job) < 0)
			return -1;
		label = job->label;
	}
	tv_fxt_event_row(rank, type, rank->program, label, NULL);
	return 0;
}

int tv_fxt_job_push(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		    const struct tv_fxt_action *action)
{
	(void)action;
	return tv_fxt_set_variable(rank->run, &rank->ready, rank->now, (double)++rank->nready) < 0
		     ? -1
		     : queue_event(rank, event, TV_FXT_PUSH_EVENT);
}

int tv_fxt_job_pop(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		   const struct tv_fxt_action *action)
{
	(void)action;
	return tv_fxt_set_variable(rank->run, &rank->ready, rank->now, (double)--rank->nready) < 0
			    || tv_fxt_set_variable(rank->run, &rank->submitted, rank->now,
						   (double)--rank->nsubmitted)
				       < 0
		     ? -1
		     : queue_event(rank, event, TV_FXT_POP_EVENT);
}

int tv_fxt_task_count(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		      const struct tv_fxt_action *action)
{
	(void)event;
	(void)action;
	return tv_fxt_set_variable(rank->run, &rank->submitted, rank->now,
				   (double)++rank->nsubmitted);
}

/* ---- dependencies ---- */

int tv_fxt_add_need(struct tv_fxt_rank *rank, uint32_t index, uint32_t label)
{
	struct tv_fxt_job *job = &rank->job[index];
	uint32_t at = (uint32_t)rank->nneeds;

	if (rank->nneeds >= TV_ROWS_MAX)
		return tv_fxt_too_many(rank->run, "dependencies");
	TV_GROW(rank->need, rank->nneeds, rank->needs_cap, 1);
	rank->need[rank->nneeds++] = (struct tv_fxt_need){ label, TV_NONE };
	if (job->last_need == TV_NONE)
		job->first_need = at;
	else
		rank->need[job->last_need].next = at;
	job->last_need = at;
	return 0;
}

int tv_fxt_task_deps(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		     const struct tv_fxt_action *action)
{
	uint32_t before, after;

	(void)action;
	if (tv_fxt_word(event, 0) == tv_fxt_word(event, 1))
		return tv_fxt_damaged(rank, TV_DROPPED, "task that depends on itself",
				      "job %s%" PRIu64, rank->prefix, tv_fxt_word(event, 0));
	tv_fxt_find_job(rank, tv_fxt_word(event, 0), &before);
	tv_fxt_find_job(rank, tv_fxt_word(event, 1), &after);
	if (event->n >= 3 && !rank->job[after].submitted)
		rank->job[after].type = (uint8_t)tv_fxt_word(event, 2);
	return tv_fxt_add_need(rank, after, rank->job[before].label);
}

/* A tag is a name for a task; dependencies between tags are dependencies between their tasks. */
int tv_fxt_tag(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
	       const struct tv_fxt_action *action)
{
	uint32_t job;

	(void)action;
	tv_fxt_find_job(rank, tv_fxt_word(event, 1), &job);
	tv_map_put(&rank->tags, tv_fxt_word(event, 0), 0, job);
	return 0;
}

int tv_fxt_tag_deps(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		    const struct tv_fxt_action *action)
{
	(void)action;
	TV_GROW(rank->tag_edge, rank->ntag_edges, rank->tag_edges_cap, 1);
	rank->tag_edge[rank->ntag_edges++] = (struct tv_fxt_tag_edge){ tv_fxt_word(event, 0),
								       tv_fxt_word(event, 1) };
	return 0;
}

/* Tags may be declared before their tasks: resolved when all is read. */
static int resolve_tags(struct tv_fxt_rank *rank)
{
	for (size_t i = 0; i < rank->ntag_edges; i++) {
		const uint32_t *after = tv_map_get(&rank->tags, rank->tag_edge[i].waits, 0);
		const uint32_t *before = tv_map_get(&rank->tags, rank->tag_edge[i].for_tag, 0);

		if (after != NULL && before != NULL && *after != *before
		    && tv_fxt_add_need(rank, *after, rank->job[*before].label) < 0)
			return -1;
	}
	return 0;
}

/* ---- executions ---- */

static int add_exec(struct tv_fxt_rank *rank, uint32_t job, uint32_t worker, uint32_t *index)
{
	struct tv_fxt_job *j = &rank->job[job];

	if (rank->nexecs >= TV_ROWS_MAX)
		return tv_fxt_too_many(rank->run, "executions");
	TV_GROW(rank->exec, rank->nexecs, rank->execs_cap, 1);
	*index = (uint32_t)rank->nexecs;
	rank->exec[rank->nexecs++] = (struct tv_fxt_exec){
		.job = job,
		.worker = worker,
		.next = TV_NONE,
		.first_access = TV_NONE,
		.last_access = TV_NONE,
		.params = TV_NONE,
		.start = rank->now,
		.end = rank->now,
	};
	if (j->last_run == TV_NONE)
		j->first_run = *index;
	else
		rank->exec[j->last_run].next = *index;
	j->last_run = *index;
	return 0;
}

static struct tv_fxt_exec *exec_of(const struct tv_fxt_rank *rank, uint64_t job, uint64_t worker)
{
	const uint32_t *index = tv_map_get(&rank->runs, job, (uint32_t)worker);

	return index != NULL ? &rank->exec[*index] : NULL;
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

static int drop_start(struct tv_fxt_rank *rank, const struct tv_fxt_event *event, const char *why)
{
	rank->dropped_starts++;
	return tv_fxt_damaged(rank, TV_DROPPED, why, "job %s%" PRIu64 " on worker %u", rank->prefix,
			      tv_fxt_word(event, 0), (uint32_t)tv_fxt_word(event, 2));
}

static int name_from_start(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
			   struct tv_fxt_job *job)
{
	size_t n;
	const char *text = tv_fxt_text(event, 5, &n);

	if (event->n <= 5 || tv_fxt_word(event, 4) == 0 || n == 0)
		return 0;
	job->named = true;
	return text_label(rank, text, n, &job->name);
}

int tv_fxt_start(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		 const struct tv_fxt_action *action)
{
	uint64_t id = tv_fxt_word(event, 0);
	uint32_t number = (uint32_t)tv_fxt_word(event, 2), job, index, exec = TV_NONE;
	const struct tv_fxt_exec *before = exec_of(rank, id, number);
	struct tv_fxt_worker *worker;

	(void)action;
	if ((int32_t)number < 0) /* work outside workers: counted by the scan */
		return 0;
	if (tv_fxt_find_worker(rank, number, &index) < 0)
		return -1;
	if (index == TV_NONE)
		return drop_start(rank, event, "task on an impossible worker");
	if (before != NULL && !before->ended)
		return drop_start(rank, event, "task started twice");
	if (before != NULL && before->start == rank->now)
		return drop_start(rank, event, "two identical executions");
	tv_fxt_find_job(rank, id, &job);
	if (name_from_start(rank, event, &rank->job[job]) < 0
	    || add_exec(rank, job, index, &exec) < 0)
		return -1;
	tv_map_put(&rank->runs, id, number, exec);
	rank->exec[exec].context = tv_fxt_word(event, 1);
	rank->exec[exec].memory_node = tv_fxt_number(event, 3);
	worker = &rank->worker[index];
	worker->rate_start = rate_start(rank, worker);
	worker->last_start = rank->now;
	worker->current = exec;
	worker->nparams = 0;
	if (!(rank->paused))
		tv_fxt_set_state(rank, &worker->stack, TV_FXT_TASK);
	return 0;
}

/* The coordinates of the first handle that is written. */
static void find_place(const struct tv_fxt_rank *rank, struct tv_fxt_exec *exec)
{
	for (uint32_t i = exec->first_access; i != TV_NONE; i = rank->access[i].next) {
		const struct tv_fxt_access *access = &rank->access[i];
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

static int add_rate(struct tv_fxt_rank *rank, struct tv_fxt_worker *worker,
		    const struct tv_fxt_exec *exec)
{
	struct tv_fxt_run *run = rank->run;
	double seconds = (double)(exec->end - worker->rate_start) / 1e9, rate;

	if (exec->end <= worker->rate_start)
		return 0;
	rate = (double)exec->kflop / 1e6 / seconds;
	if (worker->ran && worker->rate_start > worker->last_end
	    && tv_fxt_set_variable(run, &worker->gflops, worker->last_end, 0) < 0)
		return -1;
	return tv_fxt_set_variable(run, &worker->gflops, worker->rate_start, rate) < 0
		     ? -1
		     : tv_fxt_add_delta(run, &rank->flops, 0, worker->rate_start, exec->end, rate);
}

int tv_fxt_end(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
	       const struct tv_fxt_action *action)
{
	uint64_t id = tv_fxt_word(event, 0);
	uint32_t number = (uint32_t)tv_fxt_word(event, 3);
	struct tv_fxt_exec *exec = exec_of(rank, id, number);
	struct tv_fxt_worker *worker;

	(void)action;
	if ((int32_t)number < 0)
		return 0;
	if (exec == NULL || exec->ended)
		return tv_fxt_damaged(rank, TV_DROPPED, "end of a task that never started",
				      "job %s%" PRIu64 " on worker %u", rank->prefix, id, number);
	worker = &rank->worker[exec->worker];
	exec->ended = true;
	if (rank->now < exec->start) {
		exec->dropped = true;
		rank->dropped_starts++;
		return tv_fxt_damaged(rank, TV_DROPPED, "task that ends before it starts",
				      "job %s%" PRIu64 " on worker %u", rank->prefix, id, number);
	}
	exec->end = rank->now;
	if (!exec->detailed) {
		exec->size = tv_fxt_word(event, 1);
		exec->footprint = (uint32_t)tv_fxt_word(event, 2);
	}
	find_place(rank, exec);
	if (add_rate(rank, worker, exec) < 0)
		return -1;
	worker->ran = true;
	worker->last_end = rank->now;
	worker->current = TV_NONE;
	if (!(rank->paused))
		tv_fxt_set_state(rank, &worker->stack,
				 worker->sync ? TV_FXT_OVERHEAD : TV_FXT_IDLE);
	return 0;
}

/* ---- the data of the current execution ---- */

int tv_fxt_codelet_data(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
			const struct tv_fxt_action *action)
{
	const uint32_t *index = tv_map_get(&rank->workers, (uint32_t)tv_fxt_word(event, 0), 0);
	struct tv_fxt_worker *worker = index != NULL ? &rank->worker[*index] : NULL;
	const char *text;
	size_t n;

	(void)action;
	if (worker == NULL || worker->current == TV_NONE)
		return 0;
	text = tv_fxt_text(event, 1, &n);
	TV_GROW(worker->params, worker->nparams, worker->params_cap, n + 1);
	if (worker->nparams > 0)
		worker->params[worker->nparams++] = ' ';
	memcpy(worker->params + worker->nparams, text, n);
	worker->nparams += n;
	return 0;
}

int tv_fxt_codelet_handle(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
			  const struct tv_fxt_action *action)
{
	const uint32_t *job = tv_map_get(&rank->jobs, tv_fxt_word(event, 0), 0);
	uint32_t at = (uint32_t)rank->naccesses, label;
	struct tv_fxt_exec *exec;

	(void)action;
	if (job == NULL || rank->job[*job].last_run == TV_NONE)
		return 0;
	exec = &rank->exec[rank->job[*job].last_run];
	label = tv_fxt_handle_label(rank, tv_fxt_word(event, 1));
	if (rank->naccesses >= TV_ROWS_MAX)
		return tv_fxt_too_many(rank->run, "accesses of data");
	TV_GROW(rank->access, rank->naccesses, rank->accesses_cap, 1);
	rank->access[rank->naccesses++] = (struct tv_fxt_access){ tv_fxt_word(event, 1),
								  tv_fxt_word(event, 2), label,
								  (uint32_t)tv_fxt_word(event, 3),
								  TV_NONE };
	if (exec->last_access == TV_NONE)
		exec->first_access = at;
	else
		rank->access[exec->last_access].next = at;
	exec->last_access = at;
	return 0;
}

/* Until 1.2.0 the job's address came first and the number of operations was missing. */
int tv_fxt_codelet_details(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
			   const struct tv_fxt_action *action)
{
	bool old = tv_fxt_word(event, 0) >= address_min;
	struct tv_fxt_exec *exec = exec_of(rank, tv_fxt_word(event, 6), tv_fxt_word(event, 5));
	struct tv_fxt_worker *worker;

	(void)action;
	if (exec == NULL)
		return 0;
	exec->detailed = true;
	exec->size = tv_fxt_word(event, old ? 2 : 1);
	exec->footprint = (uint32_t)tv_fxt_word(event, old ? 3 : 2);
	exec->kflop = old ? 0 : tv_fxt_word(event, 3);
	exec->tag = tv_fxt_word(event, 4);
	worker = &rank->worker[exec->worker];
	return worker->nparams > 0
		     ? text_label(rank, worker->params, worker->nparams, &exec->params)
		     : text_label(rank, "nodata", 6, &exec->params);
}

/* ---- the end of a rank ---- */

int tv_fxt_end_tasks(struct tv_fxt_rank *rank)
{
	for (size_t i = 0; i < rank->nexecs; i++) {
		struct tv_fxt_exec *exec = &rank->exec[i];

		if (exec->ended)
			continue;
		exec->open = true;
		exec->end = rank->end > exec->start ? rank->end : exec->start;
		find_place(rank, exec);
		if (tv_fxt_damaged(
			    rank, TV_REPAIRED, "task without end",
			    "job %s on %s, closed at the last time",
			    tv_pool_text(rank->run->trace->pool, rank->job[exec->job].label),
			    tv_pool_text(rank->run->trace->pool, rank->worker[exec->worker].label))
		    < 0)
			return -1;
	}
	for (size_t i = 0; i < rank->nworkers; i++) {
		struct tv_fxt_worker *worker = &rank->worker[i];

		if (worker->ran
		    && tv_fxt_set_variable(rank->run, &worker->gflops, worker->last_end, 0) < 0)
			return -1;
	}
	return resolve_tags(rank);
}
