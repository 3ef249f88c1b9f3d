/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rows.c -- the tasks table: executions, then what never ran, rank after rank; checks that no task
 * is lost. */
#include <inttypes.h>

#include "convert/fxt/fxt.h"
#include "trace/alloc.h"
#include "trace/kernels.h"
#include "trace/number.h"

enum { TYPE_INTERNAL = 1, TYPE_ACQUISITION = 2 };

struct task_columns {
	struct tv_column *resource, *value, *start, *end, *job, *kind, *node, *type, *depends,
		*submit, *order, *priority, *iteration, *subiteration, *x, *y, *tag, *footprint,
		*params, *size, *gflop, *handles, *modes, *sizes, *memory, *device, *context, *team,
		*instance, *flag, *model, *source, *line;
};

/* Lists of one row while it is made. */
struct lists {
	uint32_t *label;
	size_t cap;
};

static void find_task_columns(struct tv_fxt_run *run, struct task_columns *c)
{
	TV_TRACE_COLUMNS(
		run->trace, TV_TASKS, { "ResourceId", &c->resource }, { "Value", &c->value },
		{ "Start", &c->start }, { "End", &c->end }, { "JobId", &c->job },
		{ "Kind", &c->kind }, { "Node", &c->node }, { "ResourceType", &c->type },
		{ "DependsOn", &c->depends }, { "SubmitTime", &c->submit },
		{ "SubmitOrder", &c->order }, { "Priority", &c->priority },
		{ "Iteration", &c->iteration }, { "Subiteration", &c->subiteration },
		{ "X", &c->x }, { "Y", &c->y }, { "Tag", &c->tag }, { "Footprint", &c->footprint },
		{ "Params", &c->params }, { "Size", &c->size }, { "GFlop", &c->gflop },
		{ "Handles", &c->handles }, { "Modes", &c->modes }, { "Sizes", &c->sizes },
		{ "MemoryNode", &c->memory }, { "Device", &c->device }, { "Context", &c->context },
		{ "Team", &c->team }, { "Instance", &c->instance }, { "Flag", &c->flag },
		{ "Model", &c->model }, { "File", &c->source }, { "Line", &c->line });
}

/* ---- teams and instances ---- */

static uint32_t skip_dropped(const struct tv_fxt_rank *rank, uint32_t i)
{
	while (i != TV_NONE && rank->tasks.exec[i].dropped)
		i = rank->tasks.exec[i].next;
	return i;
}

/* Executions exec[first..] of one job up to the first that does not belong to the team that begins
 * there: members of a team run at the same time, each on its own worker. Returns that execution or
 * TV_NONE. */
static uint32_t end_of_team(struct tv_fxt_rank *rank, uint32_t first, uint32_t *stamp,
			    uint32_t *serial)
{
	int64_t end = rank->tasks.exec[first].end;
	uint32_t n = 0, i = first;

	++*serial;
	for (; i != TV_NONE; i = skip_dropped(rank, rank->tasks.exec[i].next)) {
		const struct tv_fxt_exec *exec = &rank->tasks.exec[i];

		if (stamp[exec->worker] == *serial
		    || (exec->start >= end && exec->start != rank->tasks.exec[first].start))
			break;
		stamp[exec->worker] = *serial;
		if (exec->end > end)
			end = exec->end;
		n++;
	}
	for (uint32_t k = first; k != i; k = rank->tasks.exec[k].next)
		rank->tasks.exec[k].team = n;
	return i;
}

/* StarPU describes the data of a parallel task once, for its master: the others show the same. */
static void share_data(struct tv_fxt_rank *rank, uint32_t first, uint32_t end)
{
	uint32_t master = first;

	while (master != end && rank->tasks.exec[master].first_access == TV_NONE)
		master = rank->tasks.exec[master].next;
	if (master == end)
		return;
	for (uint32_t k = first; k != end; k = rank->tasks.exec[k].next) {
		struct tv_fxt_exec *exec = &rank->tasks.exec[k];

		if (exec->first_access != TV_NONE)
			continue;
		exec->first_access = rank->tasks.exec[master].first_access;
		exec->params = rank->tasks.exec[master].params;
		exec->x = rank->tasks.exec[master].x;
		exec->y = rank->tasks.exec[master].y;
		exec->ncoordinates = rank->tasks.exec[master].ncoordinates;
	}
}

static void number_instances(struct tv_fxt_rank *rank, const struct tv_fxt_job *job,
			     uint32_t *stamp, uint32_t *serial)
{
	uint32_t first = skip_dropped(rank, job->first_run), instance = 0;

	while (first != TV_NONE) {
		uint32_t next = end_of_team(rank, first, stamp, serial);

		instance++;
		for (uint32_t k = first; k != next; k = rank->tasks.exec[k].next)
			rank->tasks.exec[k].instance = instance;
		share_data(rank, first, next);
		first = next;
	}
	/* A task that ran once has no number. */
	for (uint32_t k = job->first_run; instance == 1 && k != TV_NONE;
	     k = rank->tasks.exec[k].next)
		rank->tasks.exec[k].instance = 0;
}

static void find_teams(struct tv_fxt_rank *rank)
{
	uint32_t *stamp = tv_alloc(rank->threads.nworkers, sizeof *stamp), serial = 0;

	for (size_t i = 0; i < rank->tasks.njobs; i++)
		number_instances(rank, &rank->tasks.job[i], stamp, &serial);
	tv_free(stamp);
}

/* ---- rows ---- */

static void set_depends(struct tv_fxt_rank *rank, const struct task_columns *c,
			const struct tv_fxt_job *job, uint32_t row, struct lists *lists)
{
	size_t n = 0;

	for (uint32_t i = job->first_need; i != TV_NONE; i = rank->tasks.need[i].next) {
		TV_GROW(lists->label, n, lists->cap, 1);
		lists->label[n++] = rank->tasks.need[i].label;
	}
	if (n > 0)
		tv_set_list(c->depends, row, lists->label, n);
}

/* Modes in StarPU's letters: read, write, scratch, reduction (X), commute. */
static uint32_t mode_label(const struct tv_fxt_run *run, uint32_t mode)
{
	static const struct {
		uint32_t bit;
		char letter;
	} letters[] = { { 1, 'R' }, { 2, 'W' }, { 4, 'S' }, { 8, 'X' }, { 16, 'C' } };
	char text[8];
	size_t n = 0;

	for (size_t i = 0; i < TV_COUNT(letters); i++)
		if (mode & letters[i].bit)
			text[n++] = letters[i].letter;
	if (n == 0)
		text[n++] = '-';
	return tv_fxt_text_label(run, text, n);
}

static void set_data(struct tv_fxt_rank *rank, const struct task_columns *c,
		     const struct tv_fxt_exec *exec, uint32_t row, struct lists *lists)
{
	struct tv_column *const column[] = { c->handles, c->modes, c->sizes };
	struct tv_fxt_run *run = rank->run;

	if (exec->first_access == TV_NONE)
		return;
	for (size_t k = 0; k < TV_COUNT(column); k++) {
		size_t n = 0;

		for (uint32_t i = exec->first_access; i != TV_NONE;
		     i = rank->tasks.access[i].next) {
			const struct tv_fxt_access *access = &rank->tasks.access[i];
			uint32_t label = k == 0 ? access->handle
				       : k == 1 ? mode_label(run, access->mode)
						: tv_fxt_count_label(run, "", access->size);

			TV_GROW(lists->label, n, lists->cap, 1);
			lists->label[n++] = label;
		}
		tv_set_list(column[k], row, lists->label, n);
	}
}

static void set_text(struct tv_column *column, uint32_t row, uint32_t label)
{
	if (label != TV_NONE)
		tv_set_string(column, row, tv_pool_text(column->pool, label),
			      tv_pool_length(column->pool, label));
}

/* What is known of the task, whether it ran or not. */
static void set_job(struct tv_fxt_rank *rank, const struct task_columns *c,
		    const struct tv_fxt_job *job, uint32_t row, struct lists *lists)
{
	uint32_t name = job->name != TV_NONE ? job->name : job->model;
	char line[TV_NUMBER_MAX];
	size_t n;

	tv_set_label(c->job, row, job->label);
	tv_set_label(c->value, row, name);
	tv_set_label(c->node, row, rank->node);
	if (job->submitted)
		tv_set_int(c->submit, row, job->submit_time);
	if (job->has_order)
		tv_set_int(c->order, row, (int64_t)job->submit_order);
	if (job->has_priority)
		tv_set_int(c->priority, row, job->priority);
	if (job->iteration != -1)
		tv_set_int(c->iteration, row, job->iteration);
	if (job->iteration != -1 && job->subiteration != -1)
		tv_set_int(c->subiteration, row, job->subiteration);
	set_text(c->model, row, job->model);
	set_text(c->source, row, job->source);
	n = tv_write_int(line, job->line);
	if (job->source != TV_NONE)
		tv_set_string(c->line, row, line, n);
	set_depends(rank, c, job, row, lists);
}

/* What StarPU 1.4 writes for a task without a name. Other versions record that there is none, too. */
static void name_nameless(struct tv_fxt_rank *rank, const struct task_columns *c,
			  const struct tv_fxt_job *job, uint32_t row)
{
	if (job->name != TV_NONE || job->model != TV_NONE)
		return;
	tv_set_label(c->value, row, tv_fxt_label(rank->run, "unknown"));
	if (!job->nameless)
		tv_fxt_damaged(rank, TV_REPAIRED, "execution without a name",
			       "job %s, named unknown",
			       tv_pool_text(rank->run->trace->pool, job->label));
}

static void set_exec(struct tv_fxt_rank *rank, const struct task_columns *c,
		     const struct tv_fxt_exec *exec, uint32_t row)
{
	const struct tv_fxt_worker *worker = &rank->threads.worker[exec->worker];
	struct tv_fxt_run *run = rank->run;

	tv_set_label(c->resource, row, worker->label);
	tv_set_label(c->type, row, worker->type);
	tv_set_int(c->start, row, exec->start);
	tv_set_int(c->end, row, exec->end);
	tv_set_label(c->footprint, row, tv_fxt_hex_label(run, exec->footprint));
	tv_set_label(c->tag, row, tv_fxt_hex_label(run, exec->tag));
	tv_set_label(c->params, row, exec->params);
	tv_set_int(c->size, row, (int64_t)exec->size);
	if (exec->kflop > 0)
		tv_set_double(c->gflop, row, (double)exec->kflop / 1e6);
	tv_set_int(c->memory, row, exec->memory_node);
	tv_set_label(c->device, row, worker->device);
	tv_set_int(c->context, row, (int64_t)exec->context);
	if (exec->ncoordinates > 0)
		tv_set_int(c->x, row, exec->x);
	if (exec->ncoordinates > 1)
		tv_set_int(c->y, row, exec->y);
	if (exec->team > 1)
		tv_set_int(c->team, row, exec->team);
	if (exec->instance > 0)
		tv_set_int(c->instance, row, exec->instance);
	if (exec->open)
		tv_set_text(c->flag, row, "open");
}

/* StarPU's own tasks, as it marks them. */
static bool is_internal(const struct tv_fxt_job *job)
{
	return job->excluded || (job->type & (TYPE_INTERNAL | TYPE_ACQUISITION)) != 0;
}

static void write_execs(struct tv_fxt_rank *rank, const struct task_columns *c, struct lists *lists)
{
	struct tv_fxt_run *run = rank->run;
	const char *runtime = tv_kind_name(TV_RUNTIME);

	for (size_t i = 0; i < rank->tasks.nexecs; i++) {
		const struct tv_fxt_exec *exec = &rank->tasks.exec[i];
		const struct tv_fxt_job *job = &rank->tasks.job[exec->job];
		uint32_t row;

		if (exec->dropped)
			continue;
		row = tv_table_add_row(&run->trace->table[TV_TASKS]);
		set_job(rank, c, job, row, lists);
		name_nameless(rank, c, job, row);
		set_exec(rank, c, exec, row);
		set_data(rank, c, exec, row, lists);
		/* Where StarPU does not classify a task, its name does. */
		if (is_internal(job))
			tv_set_text(c->kind, row, runtime);
	}
}

static bool ran(const struct tv_fxt_rank *rank, const struct tv_fxt_job *job)
{
	return skip_dropped(rank, job->first_run) != TV_NONE;
}

/* Jobs that never ran: work that waits when the trace ends, or nodes of the graph. */
static void write_others(struct tv_fxt_rank *rank, const struct task_columns *c,
			 struct lists *lists)
{
	struct tv_fxt_run *run = rank->run;

	for (size_t i = 0; i < rank->tasks.njobs; i++) {
		const struct tv_fxt_job *job = &rank->tasks.job[i];
		bool pending = job->submitted && !job->done && !is_internal(job);
		const char *kind = tv_kind_name(pending ? TV_PENDING : TV_GHOST);
		uint32_t row;

		if (ran(rank, job))
			continue;
		row = tv_table_add_row(&run->trace->table[TV_TASKS]);
		set_job(rank, c, job, row, lists);
		tv_set_text(c->kind, row, kind);
	}
}

/* ---- nothing may be lost ---- */

void tv_fxt_add_balance(struct tv_fxt_balance *sum, const struct tv_fxt_balance *b)
{
	sum->started += b->started;
	sum->written += b->written;
	sum->dropped += b->dropped;
	sum->open += b->open;
	sum->submitted += b->submitted;
	sum->completed += b->completed;
	sum->pending += b->pending;
	sum->repeated += b->repeated;
}

/* Compares what the first walk counted with what the table contains, counted again. */
static int check(struct tv_fxt_rank *rank, const struct task_columns *c, uint32_t first,
		 struct tv_fxt_balance *sum, struct tv_error *err)
{
	const struct tv_fxt_facts *facts = &rank->facts;
	struct tv_fxt_balance b = { .started = facts->starts,
				    .dropped = rank->tasks.dropped_starts,
				    .submitted = facts->submits,
				    .repeated = rank->tasks.repeated_submits };

	for (uint32_t row = first; row < c->resource->n; row++)
		if (c->resource->u[row] != TV_NONE)
			b.written++;
	for (size_t i = 0; i < rank->tasks.nexecs; i++)
		b.open += rank->tasks.exec[i].open;
	for (size_t i = 0; i < rank->tasks.njobs; i++) {
		const struct tv_fxt_job *job = &rank->tasks.job[i];
		bool complete = job->done
			     || (job->last_run != TV_NONE && !rank->tasks.exec[job->last_run].open);

		b.completed += job->submitted && complete;
		b.pending += job->submitted && !complete;
	}
	if (b.started != b.written + b.dropped
	    || b.submitted != b.completed + b.pending + b.repeated)
		return tv_fail_at(err, (struct tv_pos){ rank->path, 0 },
				  "conversion lost tasks: %" PRIu64 " executions started, %" PRIu64
				  " written, %" PRIu64 " dropped; %" PRIu64
				  " tasks submitted, %" PRIu64 " completed, %" PRIu64
				  " open, %" PRIu64 " submitted again",
				  b.started, b.written, b.dropped, b.submitted, b.completed,
				  b.pending, b.repeated);
	tv_fxt_add_balance(sum, &b);
	return 0;
}

void tv_fxt_write_balance(struct tv_fxt_run *run, const struct tv_fxt_balance *b)
{
	uint64_t elsewhere = 0, empty = 0;
	struct {
		const char *key;
		uint64_t count;
	} row[] = {
		{ "ExecutionsStarted", b->started }, { "ExecutionsWritten", b->written },
		{ "ExecutionsDropped", b->dropped }, { "ExecutionsOpen", b->open },
		{ "TasksSubmitted", b->submitted },  { "TasksCompleted", b->completed },
		{ "TasksOpen", b->pending },	     { "TasksSubmittedAgain", b->repeated },
	};

	for (size_t i = 0; i < TV_COUNT(row); i++)
		tv_meta_add(run->trace, row[i].key, "%" PRIu64, row[i].count);
	for (size_t i = 0; i < run->nranks; i++) {
		elsewhere += run->rank[i].facts.starts_elsewhere;
		empty += run->rank[i].facts.starts_empty;
	}
	if (empty > 0)
		tv_meta_add(run->trace, "StartsWithoutCode", "%" PRIu64, empty);
	if (elsewhere > 0)
		tv_meta_add(run->trace, "ExecutionsOutsideWorkers", "%" PRIu64, elsewhere);
}

int tv_fxt_write_rank(struct tv_fxt_rank *rank, struct tv_fxt_balance *sum, struct tv_error *err)
{
	uint32_t first = rank->run->trace->table[TV_TASKS].nrows;
	struct lists lists = { 0 };
	struct task_columns c;

	find_task_columns(rank->run, &c);
	find_teams(rank);
	write_execs(rank, &c, &lists);
	write_others(rank, &c, &lists);
	tv_free(lists.label);
	return check(rank, &c, first, sum, err);
}

int tv_fxt_write_tasks(struct tv_fxt_run *run, struct tv_error *err)
{
	struct tv_fxt_balance sum = { 0 };

	for (size_t i = 0; i < run->nranks; i++)
		if (tv_fxt_write_rank(&run->rank[i], &sum, err) < 0)
			return -1;
	tv_fxt_write_balance(run, &sum);
	return 0;
}
