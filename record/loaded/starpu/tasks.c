/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tasks.c -- what happens to tasks, and the workers that run them. */
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/loaded/starpu/probe.h"
#include "record/loaded/task_counters.h"

static atomic_int described;
static const char *_Atomic named; /* the policy that is in the log */
static _Atomic uint64_t order;
static atomic_bool introduced[STARPU_NMAXWORKERS]; /* workers whose thread is in the log */

uint64_t tv_starpu_order(void)
{
	return atomic_fetch_add_explicit(&order, 1, memory_order_relaxed) + 1;
}

/* Where FxT could number tasks and does not, StarPU gives none a number. */
uint64_t tv_starpu_job(struct starpu_task *task)
{
	uint64_t number = REAL(starpu_task_get_job_id)(task);

	return number ? number : TV_LOG_STARPU_ADDRESS | (uintptr_t)task;
}

int64_t tv_starpu_clock(void)
{
	return tv_starpu_ns(REAL(starpu_timing_now)());
}

/* ---- what describes the process ---- */

void tv_starpu_write_meta(const char *key, const char *value)
{
	char text[256];
	int n = snprintf(text, sizeof text, "%s%c%s", key, 0, value);

	tv_log_write(TV_LOG_META, 0, 0, NULL, text,
		     n < (int)sizeof text ? (size_t)n : sizeof text - 1);
}

/* StarPU's clock when the log's was `time`: of some trials that which took the shortest time. */
static void write_clock(void)
{
	int64_t shortest = INT64_MAX, time = 0, clock = 0;

	for (int i = 0; i < 5; i++) {
		int64_t before = tv_log_now(), now = tv_starpu_clock(), after = tv_log_now();

		if (after - before < shortest) {
			shortest = after - before;
			time = before + (after - before) / 2;
			clock = now;
		}
	}
	/* The event itself is later. */
	tv_log_write(TV_LOG_STARPU_CLOCK, 0, 2, (uint64_t[]){ (uint64_t)clock, (uint64_t)time },
		     NULL, 0);
}

static void write_worker(unsigned worker)
{
	char name[128] = "";
	uint64_t arg[] = { worker, REAL(starpu_worker_get_memory_node)(worker),
			   (uint64_t)REAL(starpu_worker_get_devid)((int)worker) };

	REAL(starpu_worker_get_name)((int)worker, name, sizeof name);
	tv_log_write(TV_LOG_STARPU_WORKER, 0, 3, arg, name, strnlen(name, sizeof name));
}

static void describe(void)
{
	int major, minor, release;
	char version[64];
	unsigned n = REAL(starpu_worker_get_count)();

	write_clock();
	REAL(starpu_get_version)(&major, &minor, &release);
	snprintf(version, sizeof version, "%d.%d.%d", major, minor, release);
	tv_starpu_write_meta("StarPU", version);
	for (unsigned i = 0; i < n; i++)
		write_worker(i);
}

bool tv_starpu_is_recording(void)
{
	int state = atomic_load_explicit(&tv_log_on, memory_order_relaxed), not_yet = 0;

	if (state != TV_LOG_ON && (state == TV_LOG_OFF || !tv_log_wake(tv_log_now())))
		return false;
	if (atomic_load_explicit(&described, memory_order_relaxed) == 0
	    && atomic_compare_exchange_strong(&described, &not_yet, 1))
		describe();
	return true;
}

void tv_starpu_name_policy(const char *name)
{
	if (name && atomic_load_explicit(&named, memory_order_relaxed) != name
	    && tv_starpu_is_recording() && atomic_exchange(&named, name) != name)
		tv_starpu_write_meta("SchedulerPolicy", name);
}

void tv_starpu_forget(void)
{
	atomic_store(&named, NULL);
	atomic_store(&described, 0);
	for (int i = 0; i < STARPU_NMAXWORKERS; i++)
		atomic_store(&introduced[i], false);
}

/* ---- submission ---- */

static const char *type_of(const struct starpu_task *task)
{
	const struct starpu_codelet *codelet = task->cl;

	if (codelet && codelet->name)
		return codelet->name;
	if (codelet && codelet->model && codelet->model->symbol)
		return codelet->model->symbol;
	return task->name ? task->name : "unknown";
}

static bool is_ordered(struct starpu_task *task, unsigned i, starpu_data_handle_t handle)
{
	if (!task->sequential_consistency)
		return false;
	if (task->handles_sequential_consistency)
		return task->handles_sequential_consistency[i];
	return REAL(starpu_data_get_sequential_consistency_flag)(handle);
}

void tv_starpu_submitted(struct starpu_task *task)
{
	enum { FIXED = 7, MAX_TEXT = 512, MAX = (TV_LOG_MAX_WORDS - 2 - FIXED - MAX_TEXT / 8) / 3 };
	const char *type = type_of(task);
	size_t length = strnlen(type, MAX_TEXT - 1);
	bool works = task->cl && task->cl->where != STARPU_NOWHERE
		  && task->where != (int32_t)STARPU_NOWHERE;
	unsigned all = task->cl ? (unsigned)STARPU_TASK_GET_NBUFFERS(task) : 0;
	unsigned n = all < MAX ? all : MAX;
	unsigned text = (unsigned)length / 8 + 1;
	uint64_t *arg;

	if (!tv_starpu_is_recording())
		return;
	arg = tv_log_begin(TV_LOG_STARPU_SUBMIT,
			   (works ? 0 : TV_LOG_STARPU_NO_WORK)
				   | (task->use_tag ? TV_LOG_STARPU_HAS_TAG : 0)
				   | (n < all ? TV_LOG_STARPU_CUT : 0),
			   FIXED + 3 * n + text, tv_log_now());
	if (!arg)
		return;
	arg[0] = (uint64_t)tv_starpu_clock();
	arg[1] = tv_starpu_job(task);
	arg[2] = (uint64_t)(int64_t)task->priority;
	arg[3] = task->tag_id;
	memcpy(&arg[4], &task->flops, sizeof task->flops);
	arg[5] = task->sched_ctx;
	arg[6] = n;
	for (unsigned i = 0; i < n; i++) {
		starpu_data_handle_t handle = STARPU_TASK_GET_HANDLE(task, i);

		arg[7 + 3 * i] = (uint64_t)(uintptr_t)handle;
		arg[8 + 3 * i] = TV_LOG_STARPU_ACCESS(STARPU_TASK_GET_MODE(task, i),
						      is_ordered(task, i, handle));
		arg[9 + 3 * i] = REAL(starpu_data_get_size)(handle);
	}
	arg[FIXED + 3 * n + text - 1] = 0;
	memcpy(arg + FIXED + 3 * n, type, length);
	tv_log_commit();
}

static void tag_depends(starpu_tag_t tag, unsigned n, const starpu_tag_t *before)
{
	enum { MAX = TV_LOG_MAX_WORDS - 3 };
	unsigned at = 0;

	while (at < n && tv_starpu_is_recording()) {
		unsigned part = n - at < MAX ? n - at : MAX;
		uint64_t *arg = tv_log_begin(TV_LOG_STARPU_TAG, 0, 1 + part, tv_log_now());

		if (!arg)
			return;
		arg[0] = tag;
		for (unsigned i = 0; i < part; i++)
			arg[1 + i] = before[at + i];
		tv_log_commit();
		at += part;
	}
}

EXPORT void starpu_tag_declare_deps_array(starpu_tag_t tag, unsigned n, starpu_tag_t *before)
{
	if (!tv_starpu_load())
		return;
	if (tv_starpu_is_known())
		tag_depends(tag, n, before);
	REAL(starpu_tag_declare_deps_array)(tag, n, before);
}

EXPORT void starpu_tag_declare_deps(starpu_tag_t tag, unsigned n, ...)
{
	starpu_tag_t few[64], *before = n > 64 ? malloc(n * sizeof *before) : few;
	va_list list;

	if (!before)
		return;
	va_start(list, n);
	for (unsigned i = 0; i < n; i++)
		before[i] = va_arg(list, starpu_tag_t);
	va_end(list);
	starpu_tag_declare_deps_array(tag, n, before);
	if (before != few)
		free(before);
}

/* A handle may have the address of one that exists no more. */
EXPORT void starpu_data_register(starpu_data_handle_t *handle, int node, void *interface,
				 struct starpu_data_interface_ops *ops)
{
	if (!tv_starpu_load())
		return;
	REAL(starpu_data_register)(handle, node, interface, ops);
	if (tv_starpu_is_known() && tv_starpu_is_recording())
		tv_log_write(TV_LOG_STARPU_DATA, 0, 3,
			     (uint64_t[]){ (uintptr_t)*handle, REAL(starpu_data_get_size)(*handle),
					   (uint64_t)(int64_t)node },
			     NULL, 0);
}

/* ---- what happens to a task ---- */

/* An event with the clock, order, job; NULL: not recorded. */
static uint64_t *begin_event(unsigned kind, unsigned nargs, uint64_t number,
			     struct starpu_task *task)
{
	uint64_t *arg = tv_starpu_is_recording() ? tv_log_begin(kind, 0, nargs, tv_log_now())
						 : NULL;

	if (arg) {
		arg[0] = (uint64_t)tv_starpu_clock();
		arg[1] = number;
		arg[2] = tv_starpu_job(task);
	}
	return arg;
}

void tv_starpu_pushed(struct starpu_task *task, uint64_t number)
{
	if (begin_event(TV_LOG_STARPU_PUSH, 3, number, task))
		tv_log_commit();
}

void tv_starpu_popped(struct starpu_task *task)
{
	uint64_t *arg = begin_event(TV_LOG_STARPU_POP, 4, tv_starpu_order(), task);

	if (!arg)
		return;
	arg[3] = (uint64_t)REAL(starpu_worker_get_id)();
	tv_log_commit();
}

/* StarPU has computed the footprint of a task with a model for that model. */
static uint64_t footprint(struct starpu_task *task, int worker, unsigned context, unsigned impl)
{
	if (!task->cl || !task->cl->model || worker < 0)
		return (uint64_t)-1;
	return REAL(starpu_task_footprint)(task->cl->model, task,
					   REAL(starpu_worker_get_perf_archtype)(worker, context),
					   impl);
}

static pthread_key_t counters; /* of the thread of a worker; closed when that ends */

static void close_counters(void *of)
{
	tv_task_counters_close(of);
}

static void make_key(void)
{
	pthread_key_create(&counters, close_counters);
}

/* In the thread of the worker. One of a device only waits for the task. */
static void introduce(int worker)
{
#ifndef STARPU_SIMGRID
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	if (worker < 0 || worker >= STARPU_NMAXWORKERS
	    || atomic_exchange(&introduced[worker], true))
		return;
	tv_log_binding();
	pthread_once(&once, make_key);
	if (!pthread_getspecific(counters)
	    && REAL(starpu_worker_get_type)(worker) == STARPU_CPU_WORKER)
		pthread_setspecific(counters, tv_task_counters_open());
#else
	(void)worker;
#endif
}

/* What the counters of the thread have where a task begins (now is 0) or ends comes before that event. */
static void count(int worker, int64_t now)
{
	enum {
		EVENTS = TV_MAX_COUNTERS + 32
	}; /* words of both: a full buffer is copied before the task begins */
	uint64_t value[TV_MAX_COUNTERS];
	struct tv_task_counters *of = worker >= 0 && worker < STARPU_NMAXWORKERS
						   && atomic_load(&introduced[worker])
					    ? pthread_getspecific(counters)
					    : NULL;

	if (!now && tv_log_self.end - tv_log_self.next < EVENTS
	    && !tv_log_grow(EVENTS, tv_log_now()))
		return;
	if (tv_task_counters_read(of, value, now))
		tv_task_counters_write(of, now ? now : tv_log_now(), value);
}

void tv_starpu_started(struct starpu_task *task, unsigned context)
{
	int worker = REAL(starpu_worker_get_id)();
	unsigned impl = REAL(starpu_task_get_implementation)(task);
	uint64_t print, *arg;

	if (!tv_starpu_is_recording())
		return;
	introduce(worker);
	print = footprint(task, worker, context, impl);
	count(worker, 0);
	arg = begin_event(TV_LOG_STARPU_START, 6, tv_starpu_order(), task);
	if (!arg)
		return;
	arg[3] = (uint64_t)worker;
	arg[4] = impl;
	arg[5] = print;
	tv_log_place(arg);
	tv_log_commit();
}

static void write_successors(uint64_t job, struct starpu_task *const *after, int n, bool cut)
{
	enum { MAX = 1000 }; /* of an event */

	for (int at = 0; at < n; at += MAX) {
		int part = n - at < MAX ? n - at : MAX;
		uint64_t *arg = tv_log_begin(TV_LOG_STARPU_SUCCESSORS, cut && at + part == n,
					     1 + (unsigned)part, tv_log_now());

		if (!arg)
			return;
		arg[0] = job;
		for (int i = 0; i < part; i++)
			arg[1 + i] = tv_starpu_job(after[at + i]);
		tv_log_commit();
	}
}

/* Jobs that wait for it, as StarPU knows them: for its data, or as the program asked. */
static void find_successors(struct starpu_task *task)
{
	enum { FEW = 1000, MANY = 1 << 24 };
	struct starpu_task *few[FEW], **after = few, **more = NULL;
	int room = FEW, n = REAL(starpu_task_get_task_succs)(task, FEW, few);

	/* StarPU counts those for which there is room. */
	while (n >= room && room < MANY && (more = malloc(2 * (size_t)room * sizeof *more))) {
		if (after != few)
			free(after);
		after = more;
		room *= 2;
		n = REAL(starpu_task_get_task_succs)(task, (unsigned)room, after);
	}
	write_successors(tv_starpu_job(task), after, n < room ? n : room, n >= room);
	if (after != few)
		free(after);
}

void tv_starpu_ended(struct starpu_task *task)
{
	int worker = REAL(starpu_worker_get_id)();
	uint64_t *arg;

	if (tv_starpu_is_recording())
		count(worker, tv_log_now());
	arg = begin_event(TV_LOG_STARPU_END, 4, tv_starpu_order(), task);
	if (!arg)
		return;
	arg[3] = (uint64_t)worker;
	tv_log_place(arg);
	tv_log_commit();
	find_successors(task);
}
