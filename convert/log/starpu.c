/* SPDX-License-Identifier: GPL-3.0-or-later */
/* starpu.c -- events of StarPU: its workers, jobs, what happened to them, and its scheduler's decisions. */
#include "convert/log/starpu.h"

#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/text.h"

enum { MAX_WORKERS = 100000, SCRATCH = 4, REDUX = 8, COMMUTE = 16, WRITE = 2 };

static struct tv_raw_starpu *starpu_of(struct tv_raw_log *log)
{
	if (log->starpu == NULL) {
		log->starpu = tv_alloc(1, sizeof *log->starpu);
		log->starpu->offset = INT64_MIN;
		log->starpu->last = INT64_MIN;
	}
	return log->starpu;
}

void tv_raw_release_starpu(struct tv_raw_starpu *s)
{
	if (s == NULL)
		return;
	tv_free(s->worker);
	tv_free(s->job);
	tv_map_release(&s->job_of);
	tv_free(s->access);
	tv_accesses_release(&s->accesses);
	tv_free(s->need);
	tv_map_release(&s->run_of);
	tv_free(s->run);
	tv_free(s->event);
	tv_free(s->decision);
	tv_free(s->candidate);
	tv_free(s->edge);
	tv_map_release(&s->job_of_tag);
	tv_map_release(&s->sent_of);
	tv_map_release(&s->message_of);
	tv_free(s->tags);
	tv_free(s);
}

static void damaged(struct tv_raw_log *log, const struct tv_raw_event *event, const char *cause,
		    uint64_t value)
{
	tv_raw_damaged(log, TV_DROPPED, cause, event->offset, "%lld", (long long)value);
}

static double real_at(const struct tv_raw_event *event, unsigned i)
{
	uint64_t bits = tv_raw_arg(event, i);
	double value;

	memcpy(&value, &bits, sizeof value);
	return value;
}

/* Without a clock, the time of the event itself, which is some ns later. */
static int64_t time_of(struct tv_raw_log *log, const struct tv_raw_event *event, uint64_t clock)
{
	struct tv_raw_starpu *s = starpu_of(log);
	const int64_t limit = (int64_t)1 << 61;
	int64_t time = (int64_t)clock;

	if (s->offset == INT64_MIN || time < -limit || time > limit || time + s->offset < 0
	    || time + s->offset > limit)
		time = event->time;
	else
		time += s->offset;
	s->last = time > s->last ? time : s->last;
	return time;
}

/* ---- workers ---- */

void tv_raw_starpu_clock(struct tv_raw_log *log, const struct tv_raw_event *event, bool again)
{
	struct tv_raw_starpu *s = starpu_of(log);
	int64_t clock = (int64_t)tv_raw_arg(event, 0), time = (int64_t)tv_raw_arg(event, 1);
	const int64_t limit = (int64_t)1 << 61;

	if ((s->offset == INT64_MIN || again) && clock >= -limit && clock < limit && time >= 0
	    && time < limit)
		s->offset = time - clock;
}

/* TV_NONE: none, or an impossible one. */
static uint32_t worker_at(struct tv_raw_log *log, const struct tv_raw_event *event, uint64_t number)
{
	struct tv_raw_starpu *s = starpu_of(log);

	if (number == UINT64_MAX)
		return TV_NONE;
	if (number >= MAX_WORKERS) {
		damaged(log, event, "impossible worker of StarPU", number);
		return TV_NONE;
	}
	while (s->nworkers <= number) {
		TV_GROW(s->worker, s->nworkers, s->workers_cap, 1);
		s->worker[s->nworkers++] = (struct tv_starpu_worker){ .name = TV_NONE,
								      .type = TV_NONE,
								      .device = TV_NONE,
								      .title = TV_NONE,
								      .thread = TV_NONE,
								      .memory_node = -1,
								      .begin = INT64_MAX,
								      .end = INT64_MIN };
	}
	return (uint32_t)number;
}

/* As the reader of FxT names them: "CPU 0" is CPU0, "CUDA 0.1 (a device)" is CUDA0_1. */
static void name_worker(struct tv_raw_log *log, struct tv_starpu_worker *worker, const char *title,
			long long device)
{
	size_t n = 0, letters = strcspn(title, " 0123456789(");
	char name[64];

	for (const char *c = title; *c != '\0' && *c != '(' && n < sizeof name - 1; c++)
		if (*c != ' ')
			name[n++] = *c == '.' ? '_' : *c;
	name[n] = '\0';
	worker->name = tv_raw_format_label(log->run, "%s%s", log->prefix, name);
	worker->type = tv_raw_format_label(log->run, "%.*s", (int)letters, title);
	worker->device = tv_raw_format_label(log->run, "%.*s%lld", (int)letters, title, device);
}

static void add_worker(struct tv_raw_log *log, const struct tv_raw_event *event)
{
	uint32_t number = worker_at(log, event, tv_raw_arg(event, 0));
	struct tv_starpu_worker *worker;
	char clean[128];
	size_t n;

	if (number == TV_NONE)
		return;
	tv_clean_text(clean, sizeof clean, tv_raw_text(event, 3, &n));
	worker = &log->starpu->worker[number];
	worker->title = tv_raw_format_label(log->run, "%s", clean);
	worker->memory_node = (int64_t)tv_raw_arg(event, 1);
	if (strcspn(clean, " 0123456789(") > 0)
		name_worker(log, worker, clean, (long long)tv_raw_arg(event, 2));
}

/* A worker does something. */
static uint32_t use_worker(struct tv_raw_log *log, const struct tv_raw_event *event,
			   uint64_t number, uint32_t thread, int64_t time)
{
	uint32_t worker = worker_at(log, event, number);
	struct tv_starpu_worker *w;

	if (worker == TV_NONE)
		return TV_NONE;
	w = &log->starpu->worker[worker];
	w->begin = time < w->begin ? time : w->begin;
	w->end = time > w->end ? time : w->end;
	if (thread != TV_NONE && w->thread == TV_NONE)
		w->thread = thread;
	return worker;
}

uint32_t tv_starpu_worker_label(const struct tv_raw_log *log, uint32_t worker)
{
	const struct tv_starpu_worker *w;

	if (worker == TV_NONE)
		return TV_NONE;
	w = &log->starpu->worker[worker];
	return w->name != TV_NONE
		     ? w->name
		     : tv_raw_format_label(log->run, "%sworker%u", log->prefix, worker);
}

/* ---- jobs ---- */

uint32_t tv_starpu_job_label(const struct tv_raw_log *log, uint32_t job)
{
	const struct tv_starpu_job *j = &log->starpu->job[job];

	return j->message != TV_STARPU_TASK ? j->name
					    : tv_raw_format_label(log->run, "%s%llu", log->prefix,
								  (unsigned long long)j->id);
}

uint32_t tv_starpu_new_job(struct tv_raw_log *log)
{
	struct tv_raw_starpu *s = starpu_of(log);

	if (s->njobs >= TV_NONE)
		tv_memory_exhausted(0);
	TV_GROW(s->job, s->njobs, s->jobs_cap, 1);
	s->job[s->njobs] = (struct tv_starpu_job){ .type = TV_NONE,
						   .works = true,
						   .submit = -1,
						   .arrived = -1,
						   .first_run = TV_NONE,
						   .last_run = TV_NONE };
	return (uint32_t)s->njobs++;
}

/* Its number in the array, TV_NONE if it is none. */
static uint32_t job_at(struct tv_raw_log *log, const struct tv_raw_event *event, uint64_t id)
{
	struct tv_raw_starpu *s = starpu_of(log);
	uint32_t *job;

	if (id == 0) {
		damaged(log, event, "task without a number", id);
		return TV_NONE;
	}
	job = tv_map_at(&s->job_of, id, 0);
	if (*job == TV_NONE) {
		*job = tv_starpu_new_job(log);
		s->job[*job].id = id & TV_LOG_STARPU_ADDRESS ? s->njobs : id;
	}
	return *job;
}

static enum tv_access_type access_type(uint64_t mode)
{
	if (mode & COMMUTE)
		return TV_ACCESS_EXCLUDE;
	if (mode & REDUX)
		return TV_ACCESS_COMBINE;
	return mode & WRITE ? TV_ACCESS_WRITE : TV_ACCESS_READ;
}

void tv_starpu_need(struct tv_raw_starpu *s, uint32_t job, const struct tv_access *access, size_t n)
{
	if (n == 0)
		return;
	tv_accesses_add(&s->accesses, 0, job, access, n);
	TV_GROW(s->need, s->nneeds, s->needs_cap, s->accesses.nbefore);
	s->job[job].first_need = (uint32_t)s->nneeds;
	s->job[job].nneeds = (uint32_t)s->accesses.nbefore;
	for (size_t i = 0; i < s->accesses.nbefore; i++)
		s->need[s->nneeds++] = s->accesses.before[i];
	if (s->nneeds >= TV_NONE)
		tv_memory_exhausted(0);
}

/* Accesses of a job in the order of submission, and what they make it depend on. */
static void add_accesses(struct tv_raw_log *log, const struct tv_raw_event *event, uint32_t job,
			 uint32_t n)
{
	struct tv_raw_starpu *s = log->starpu;
	struct tv_access *ordered = tv_alloc(n, sizeof *ordered);
	size_t nordered = 0;

	s->job[job].first_access = (uint32_t)s->naccesses;
	s->job[job].naccesses = n;
	TV_GROW(s->access, s->naccesses, s->accesses_cap, n);
	for (uint32_t i = 0; i < n; i++) {
		uint64_t mode = tv_raw_arg(event, 8 + 3 * i);
		uint32_t handle = tv_raw_handle(log, tv_raw_arg(event, 7 + 3 * i));
		int64_t size = (int64_t)tv_raw_arg(event, 9 + 3 * i);

		if (size >= 0)
			log->handle[handle].size = size;
		s->access[s->naccesses++] = (struct tv_starpu_access){ handle, (uint32_t)mode,
								       size };
		if (mode >> 32 & 1 && !(mode & SCRATCH))
			ordered[nordered++] = (struct tv_access){ handle, access_type(mode) };
	}
	tv_starpu_need(s, job, ordered, nordered);
	if (s->naccesses >= TV_NONE)
		tv_memory_exhausted(0);
	tv_free(ordered);
}

static void submit(struct tv_raw_log *log, const struct tv_raw_event *event)
{
	uint64_t id = tv_raw_arg(event, 1), n = tv_raw_arg(event, 6);
	struct tv_starpu_job *j;
	const char *text;
	size_t length;
	uint32_t job;

	/* A new task at an address. */
	if (id & TV_LOG_STARPU_ADDRESS)
		*tv_map_at(&starpu_of(log)->job_of, id, 0) = TV_NONE;
	job = job_at(log, event, id);
	if (job == TV_NONE)
		return;
	j = &log->starpu->job[job];
	if (n > (event->nargs - 7u) / 3) {
		damaged(log, event, "impossible number of accesses", n);
		return;
	}
	/* A task that is submitted again runs again. */
	if (j->type != TV_NONE)
		return;
	text = tv_raw_text(event, 7 + 3 * (unsigned)n, &length);
	j->type = tv_intern(log->run->trace->pool, text, length);
	j->works = !(event->code & TV_LOG_STARPU_NO_WORK);
	j->has_tag = event->code & TV_LOG_STARPU_HAS_TAG;
	j->submit = time_of(log, event, tv_raw_arg(event, 0));
	j->priority = (int64_t)tv_raw_arg(event, 2);
	j->tag = tv_raw_arg(event, 3);
	j->flops = real_at(event, 4);
	j->context = (int64_t)tv_raw_arg(event, 5);
	if (j->has_tag)
		tv_map_put(&log->starpu->job_of_tag, j->tag, 0, job);
	add_accesses(log, event, job, (uint32_t)n);
	if (event->code & TV_LOG_STARPU_CUT)
		damaged(log, event, "data of a task that has too many of them", id);
}

static void add_tags(struct tv_raw_log *log, const struct tv_raw_event *event)
{
	struct tv_raw_starpu *s = starpu_of(log);

	for (unsigned i = 1; i < event->nargs; i++) {
		TV_GROW(s->tags, s->ntags, s->tags_cap, 2);
		s->tags[s->ntags++] = tv_raw_arg(event, 0);
		s->tags[s->ntags++] = tv_raw_arg(event, i);
	}
}

static void add_successors(struct tv_raw_log *log, const struct tv_raw_event *event)
{
	struct tv_raw_starpu *s = starpu_of(log);
	const uint32_t *before = tv_map_get(&s->job_of, tv_raw_arg(event, 0), 0), *after;
	uint32_t job = before != NULL ? *before : TV_NONE;

	if (event->code == 1)
		damaged(log, event, "successors of a task that has too many of them",
			tv_raw_arg(event, 0));
	for (unsigned i = 1; i < event->nargs && job != TV_NONE; i++) {
		after = tv_map_get(&s->job_of, tv_raw_arg(event, i), 0);
		if (after == NULL || *after == TV_NONE)
			continue;
		TV_GROW(s->edge, s->nedges, s->edges_cap, 1);
		s->edge[s->nedges++] = (struct tv_starpu_edge){ *after, job };
	}
}

/* ---- what happens to jobs ---- */

static void add_event(struct tv_raw_log *log, const struct tv_raw_event *event, uint32_t job,
		      uint32_t worker, int64_t time)
{
	struct tv_raw_starpu *s = log->starpu;

	TV_GROW(s->event, s->nevents, s->events_cap, 1);
	s->event[s->nevents++] = (struct tv_starpu_event){ tv_raw_arg(event, 1), event->kind, job,
							   worker, time };
}

static int32_t place_of(uint16_t number)
{
	return number < UINT16_MAX ? number : -1;
}

static void begin_run(struct tv_raw_log *log, uint32_t thread, const struct tv_raw_event *event,
		      uint32_t job, uint32_t worker, int64_t time)
{
	struct tv_raw_starpu *s = log->starpu;
	const struct tv_raw_thread *t = &log->thread[thread];
	struct tv_starpu_job *j = &s->job[job];
	uint32_t *last = tv_map_at(&s->run_of, job, worker), instance = 1;

	if (s->nruns >= TV_NONE)
		tv_memory_exhausted(0);
	/* Again on the same worker: not a part of a parallel task. */
	if (*last != TV_NONE)
		instance += s->run[*last].instance;
	*last = (uint32_t)s->nruns;
	TV_GROW(s->run, s->nruns, s->runs_cap, 1);
	s->run[s->nruns] = (struct tv_starpu_run){ .job = job,
						   .worker = worker,
						   .next = TV_NONE,
						   .instance = instance,
						   .start = time,
						   .end = time,
						   .footprint = tv_raw_arg(event, 5),
						   .value = log->nvalues,
						   .nvalues = t->unread ? 0 : t->ncounters,
						   .thread = thread,
						   .counted = t->counted,
						   .cpu = place_of(event->cpu),
						   .cpu_end = -1,
						   .numa = place_of(event->numa),
						   .open = true };
	tv_raw_keep_values(log, t, s->run[s->nruns].nvalues);
	if (j->last_run != TV_NONE)
		s->run[j->last_run].next = (uint32_t)s->nruns;
	else
		j->first_run = (uint32_t)s->nruns;
	j->last_run = (uint32_t)s->nruns++;
	j->nruns++;
}

static void end_run(struct tv_raw_log *log, uint32_t thread, const struct tv_raw_event *event,
		    uint32_t job, uint32_t worker, int64_t time)
{
	struct tv_raw_starpu *s = log->starpu;

	const uint32_t *last = tv_map_get(&s->run_of, job, worker);
	struct tv_starpu_run *run = last != NULL ? &s->run[*last] : NULL;

	if (run == NULL || !run->open) {
		tv_raw_damaged(log, TV_DROPPED, "end of a task that was not started", event->offset,
			       "job %llu", (unsigned long long)s->job[job].id);
		return;
	}
	run->end = time > run->start ? time : run->start;
	run->cpu_end = place_of(event->cpu);
	run->open = false;
	if (run->thread != thread || log->thread[thread].counted == run->counted)
		run->nvalues = 0;
	tv_raw_take_values(log, &log->thread[thread], run->value, run->nvalues);
}

static void happen(struct tv_raw_log *log, uint32_t thread, const struct tv_raw_event *event)
{
	uint32_t job = job_at(log, event, tv_raw_arg(event, 2)), worker = TV_NONE;
	int64_t time = time_of(log, event, tv_raw_arg(event, 0));

	if (job == TV_NONE)
		return;
	if (event->kind != TV_LOG_STARPU_PUSH)
		worker = use_worker(log, event, tv_raw_arg(event, 3), thread, time);
	add_event(log, event, job, worker, time);
	if (worker == TV_NONE)
		return;
	if (event->kind == TV_LOG_STARPU_START)
		begin_run(log, thread, event, job, worker, time);
	else if (event->kind == TV_LOG_STARPU_END)
		end_run(log, thread, event, job, worker, time);
}

/* ---- decisions ---- */

static void decide(struct tv_raw_log *log, const struct tv_raw_event *event)
{
	struct tv_raw_starpu *s = starpu_of(log);
	uint32_t job = job_at(log, event, tv_raw_arg(event, 2));
	struct tv_starpu_decision *d;

	if (job == TV_NONE)
		return;
	if (event->code > TV_LOG_STARPU_FORCED) {
		damaged(log, event, "decision of an unknown nature", event->code);
		return;
	}
	TV_GROW(s->decision, s->ndecisions, s->decisions_cap, 1);
	d = &s->decision[s->ndecisions++];
	*d = (struct tv_starpu_decision){
		.order = tv_raw_arg(event, 1),
		.job = job,
		.time = time_of(log, event, tv_raw_arg(event, 0)),
		.worker = worker_at(log, event, tv_raw_arg(event, 3)),
		.impl = (uint32_t)tv_raw_arg(event, 4),
		.now = real_at(event, 5),
		.transfer_left = real_at(event, 6),
		.best_end = real_at(event, 7),
		.nature = event->code,
	};
}

static void add_candidates(struct tv_raw_log *log, const struct tv_raw_event *event)
{
	struct tv_raw_starpu *s = starpu_of(log);
	unsigned n = (event->nargs - 1u) / TV_LOG_STARPU_CANDIDATE_WORDS;

	TV_GROW(s->candidate, s->ncandidates, s->candidates_cap, n);
	for (unsigned i = 0; i < n; i++) {
		unsigned at = 1 + i * TV_LOG_STARPU_CANDIDATE_WORDS;
		uint64_t which = tv_raw_arg(event, at);
		struct tv_starpu_candidate *c = &s->candidate[s->ncandidates];

		*c = (struct tv_starpu_candidate){
			.order = tv_raw_arg(event, 0),
			.worker = worker_at(log, event, which & UINT32_MAX),
			.impl = (uint32_t)(which >> 32),
			.tasks = (int64_t)tv_raw_arg(event, at + 1),
			.available = real_at(event, at + 2),
			.length = real_at(event, at + 3),
			.transfer = real_at(event, at + 4),
			.energy = real_at(event, at + 5),
			.end = real_at(event, at + 6),
			.fitness = real_at(event, at + 7),
			.queue = real_at(event, at + 8),
			.pipeline = real_at(event, at + 9),
		};
		s->ncandidates += c->worker != TV_NONE;
	}
	if (s->ncandidates >= TV_NONE)
		tv_memory_exhausted(0);
}

void tv_raw_starpu_event(struct tv_raw_log *log, uint32_t thread, const struct tv_raw_event *event)
{
	switch (event->kind) {
	case TV_LOG_STARPU_CLOCK:
		tv_raw_starpu_clock(log, event, true);
		break;
	case TV_LOG_STARPU_WORKER:
		add_worker(log, event);
		break;
	case TV_LOG_STARPU_DATA:
		tv_raw_renew_handle(log, tv_raw_arg(event, 0), (int64_t)tv_raw_arg(event, 1));
		break;
	case TV_LOG_STARPU_SUBMIT:
		submit(log, event);
		break;
	case TV_LOG_STARPU_TAG:
		add_tags(log, event);
		break;
	case TV_LOG_STARPU_SUCCESSORS:
		add_successors(log, event);
		break;
	case TV_LOG_STARPU_DECISION:
		decide(log, event);
		break;
	case TV_LOG_STARPU_CANDIDATES:
		add_candidates(log, event);
		break;
	case TV_LOG_STARPU_MESSAGE:
		tv_starpu_add_message(log, event, time_of(log, event, tv_raw_arg(event, 0)));
		break;
	case TV_LOG_STARPU_ARRIVED:
		tv_starpu_arrive(log, event, time_of(log, event, tv_raw_arg(event, 0)));
		break;
	default:
		happen(log, thread, event);
	}
}

void tv_raw_write_starpu(struct tv_raw_log *log)
{
	if (log->starpu == NULL)
		return;
	tv_starpu_write_tasks(log);
	if (log->starpu->nunmatched > 0)
		tv_notice(log->run->trace,
			  "%s: %zu messages of StarPU-MPI are on a communicator of some ranks, or "
			  "not all ranks and times are recorded: what tasks wait for them is not "
			  "known",
			  log->path, log->starpu->nunmatched);
	tv_starpu_write_workers(log);
	tv_starpu_write_decisions(log);
}
