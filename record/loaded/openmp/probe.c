/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * probe.c -- the OpenMP probe: a tool of the OMPT interface that writes what the runtime reports to the log.
 *
 * The runtime loads it through OMP_TOOL_LIBRARIES; the log is that of libtraceviz-record.so, which
 * the program has loaded before. Interpretation is left to the reader (convert/log/): a callback
 * costs one clock read and a few stores.
 */
#include <fcntl.h>
#include <omp-tools.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "record/loaded/openmp/probe.h"

extern char **environ;

__thread struct tv_omp_thread tv_omp_self = { .place = -2 };

static char runtime[256];
ompt_get_task_info_t tv_omp_task_info;
static ompt_get_place_num_t get_place_num;

/* Which of the processes made by fork this is. */
static uint32_t process = 1;
static uint32_t described; /* the process whose log has the settings */

/* --region FIRST..LAST, of the outermost regions, counted from 1; 0 = all are recorded. */
static struct {
	unsigned long first, last;
	_Atomic unsigned long begun;
	uint64_t last_id;
} part;

/* Tasks that were created while nothing was recorded: numbers go on. */
static struct {
	_Atomic uint64_t tasks, written; /* written: to the log */
} skipped;

/* The region of libomp's hidden helper threads; 0 = there is none. */
static _Atomic uint64_t helpers;

static inline uint64_t id_of(const ompt_data_t *data)
{
	return data ? data->value : 0;
}

static void write_meta(const char *key, const char *value)
{
	char text[4096];
	int n = snprintf(text, sizeof text, "%s%c%s", key, 0, value);

	tv_log_write(TV_LOG_META, 0, 0, NULL, text,
		     n < (int)sizeof text ? (size_t)n : sizeof text - 1);
}

/* Describes the running thread, and the process if it is the first one. */
static void introduce(void)
{
	static pthread_mutex_t once = PTHREAD_MUTEX_INITIALIZER;

	tv_omp_self.introduced = process;
	tv_omp_self.place = -2;
	pthread_mutex_lock(&once);
	bool is_first = described != process;
	described = process;
	pthread_mutex_unlock(&once);
	if (is_first)
		write_meta("Runtime", runtime);
	tv_log_write(TV_LOG_OMP_THREAD, tv_omp_self.kind, 0, NULL, NULL, 0);
	tv_task_counters_close(tv_omp_self.counters);
	tv_omp_self.counters = tv_task_counters_open();
}

/* Whether events are recorded now; then the running thread has been described. */
static inline bool is_recording(void)
{
	int state = atomic_load_explicit(&tv_log_on, memory_order_relaxed);

	if (state != TV_LOG_ON && (state == TV_LOG_OFF || !tv_log_wake(tv_log_now())))
		return false;
	if (tv_omp_self.introduced != process)
		introduce();
	return true;
}

/*
 * The time of an event at which a thread changes its task, in between what the events cost: read
 * first where a task ends, last where one begins. VALUES of the counters come before the event. 0: no space.
 */
static inline int64_t time_of_change(bool is_end)
{
	enum { EVENTS = TV_MAX_COUNTERS + 16 }; /* words of both */
	uint64_t value[TV_MAX_COUNTERS];
	int64_t now = is_end ? tv_log_now() : 0;
	bool has_values = tv_task_counters_read(tv_omp_self.counters, value, now);

	if (!is_end) {
		if (tv_log_self.end - tv_log_self.next < EVENTS
		    && !tv_log_grow(EVENTS, tv_log_now()))
			return 0;
		now = tv_log_now();
	}
	if (has_values)
		tv_task_counters_write(tv_omp_self.counters, now, value);
	return now;
}

/* An event of two, three or four numbers. */
static void write2(unsigned kind, unsigned code, uint64_t a, uint64_t b)
{
	uint64_t *args = tv_log_begin(kind, code, 2, tv_log_now());

	if (args) {
		args[0] = a;
		args[1] = b;
		tv_log_commit();
	}
}

static void write3(unsigned kind, unsigned code, uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t *args = tv_log_begin(kind, code, 3, tv_log_now());

	if (args) {
		args[0] = a;
		args[1] = b;
		args[2] = c;
		tv_log_commit();
	}
}

static void write4(unsigned kind, unsigned code, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	uint64_t *args = tv_log_begin(kind, code, 4, tv_log_now());

	if (args) {
		args[0] = a;
		args[1] = b;
		args[2] = c;
		args[3] = d;
		tv_log_commit();
	}
}

static void on_thread_begin(ompt_thread_t kind, ompt_data_t *thread)
{
	(void)thread;
	tv_omp_self.kind = (uint8_t)kind;
	is_recording();
}

static void on_thread_end(ompt_data_t *thread)
{
	(void)thread;
	tv_task_counters_close(tv_omp_self.counters);
	tv_omp_self.counters = NULL;
	tv_omp_pages_end_thread();
}

/* libomp announces its helper threads as if they were of the program's teams. */
static void become_helper(void)
{
	tv_omp_self.kind = ompt_thread_other;
	if (is_recording())
		tv_log_write(TV_LOG_OMP_THREAD, tv_omp_self.kind, 0, NULL, NULL, 0);
}

/* The number of a region that begins, 0 of a nested one. Begins to record at the first one of the part that
 * was chosen. */
static uint64_t number_region(uint64_t region)
{
	int flags = 0;

	if (tv_omp_task_info(0, &flags, NULL, NULL, NULL, NULL) != 2
	    || !(flags & ompt_task_initial))
		return 0;
	unsigned long number = atomic_fetch_add(&part.begun, 1) + 1;
	if (part.first && number == part.first)
		tv_log_resume(TV_LOG_BY_PART);
	if (part.first && number == part.last)
		part.last_id = region;
	return number;
}

/* Before the first event that is numbered after a pause. */
static void write_skipped(void)
{
	uint64_t n = atomic_load_explicit(&skipped.tasks, memory_order_relaxed);
	uint64_t written = atomic_load_explicit(&skipped.written, memory_order_relaxed);

	if (n != written && atomic_compare_exchange_strong(&skipped.written, &written, n))
		tv_log_write(TV_LOG_OMP_SKIPPED, 0, 1, &n, NULL, 0);
}

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *region,
			      unsigned requested, int flags, const void *code)
{
	(void)frame;
	uint64_t number = 0;

	region->value = tv_log_id();
	if (!tv_omp_self.kind) { /* the only thread that begins a region and was never announced */
		helpers = region->value;
		become_helper();
	} else {
		number = number_region(region->value);
	}
	if (!is_recording())
		return;
	write_skipped();
	uint64_t address = tv_omp_code(code, 0);
	uint64_t *args = tv_log_begin(TV_LOG_OMP_PARALLEL_BEGIN, 0, 6, tv_log_now());
	if (!args)
		return;
	args[0] = region->value;
	args[1] = id_of(task);
	args[2] = requested;
	args[3] = (unsigned)flags;
	args[4] = address;
	args[5] = number;
	tv_log_commit();
}

static void on_parallel_end(ompt_data_t *region, ompt_data_t *task, int flags, const void *code)
{
	if (!is_recording())
		return;
	write4(TV_LOG_OMP_PARALLEL_END, 0, id_of(region), id_of(task), (unsigned)flags,
	       tv_omp_code(code, 0));
	if (tv_omp_has_pages)
		tv_omp_pages_write();
	if (part.last_id && part.last_id == id_of(region))
		tv_log_pause(TV_LOG_BY_PART);
}

/* The thread's binding, when it is first in a region and when OpenMP has moved it. */
static void check_binding(void)
{
	int place = get_place_num ? get_place_num() : -1;

	if (place == tv_omp_self.place)
		return;
	tv_omp_self.place = (int16_t)place;
	tv_log_binding();
}

static void write_implicit_task(bool is_begin, ompt_data_t *region, ompt_data_t *task,
				unsigned threads, unsigned index, int flags)
{
	int64_t now = time_of_change(!is_begin);
	uint64_t *args = NULL;

	if (now)
		args = is_begin ? tv_log_begin(TV_LOG_OMP_IMPLICIT_BEGIN, 0, 5, now)
				: tv_log_begin(TV_LOG_OMP_IMPLICIT_END, 0, 4, now);
	if (!args)
		return;
	tv_log_place(args);
	*args++ = id_of(region);
	*args++ = id_of(task);
	if (is_begin)
		*args++ = threads;
	*args++ = index;
	*args++ = (unsigned)flags;
	tv_log_commit();
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *region, ompt_data_t *task,
			     unsigned threads, unsigned index, int flags)
{
	bool is_begin = endpoint == ompt_scope_begin;

	if (is_begin)
		task->value = tv_log_id();
	if (is_begin && helpers && id_of(region) == helpers
	    && tv_omp_self.kind != ompt_thread_other)
		become_helper();
	if (is_recording()) {
		if (is_begin && !(flags & ompt_task_initial))
			check_binding();
		write_implicit_task(is_begin, region, task, threads, index, flags);
	}
	/* libomp keeps these data in the thread, and ends the program if they are not 0 at the
	 * thread's next `taskwait depend`. */
	if (!is_begin)
		task->value = 0;
}

static void on_task_create(ompt_data_t *parent, const ompt_frame_t *frame, ompt_data_t *task,
			   int flags, int has_dependences, const void *code)
{
	(void)frame;
	task->value = tv_log_id();
	if (!is_recording()) {
		if (!(flags & (ompt_task_taskwait | ompt_task_initial)))
			atomic_fetch_add_explicit(&skipped.tasks, 1, memory_order_relaxed);
		return;
	}
	write_skipped();
	uint64_t address = tv_omp_code(code, id_of(parent));
	if (!(flags & ompt_task_taskwait))
		address = tv_omp_construct(address, task);
	write4(TV_LOG_OMP_CREATE, has_dependences ? 1 : 0, task->value, id_of(parent),
	       (unsigned)flags, address);
}

static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
	if (!is_recording())
		return;
	bool fulfills = status == ompt_task_early_fulfill || status == ompt_task_late_fulfill;
	bool ends = status == ompt_task_complete || status == ompt_task_cancel
		 || status == ompt_task_detach;
	int64_t now = fulfills ? tv_log_now() : time_of_change(ends);
	uint64_t *args = now ? tv_log_begin(TV_LOG_OMP_SCHEDULE, status, 2, now) : NULL;
	if (!args)
		return;
	tv_log_place(args);
	args[0] = id_of(prior);
	args[1] = id_of(next);
	tv_log_commit();
}

static void on_dependences(ompt_data_t *task, const ompt_dependence_t *access, int n)
{
	enum { MAX = (TV_LOG_MAX_WORDS - 3) / 2 };

	if (!is_recording())
		return;
	for (int done = 0; done < n; done += MAX) {
		int part_n = n - done < MAX ? n - done : MAX;
		uint64_t *args = tv_log_begin(TV_LOG_OMP_DEPENDENCES, done > 0,
					      1 + 2 * (unsigned)part_n, tv_log_now());
		if (!args)
			return;
		*args++ = id_of(task);
		for (int i = done; i < done + part_n; i++) {
			*args++ = access[i].variable.value;
			*args++ = access[i].dependence_type;
		}
		tv_log_commit();
	}
	if (tv_omp_has_pages)
		for (int i = 0; i < n; i++)
			tv_omp_pages_add(access[i].variable.value);
}

static void on_task_dependence(ompt_data_t *before, ompt_data_t *after)
{
	if (is_recording())
		write2(TV_LOG_OMP_EDGE, 0, id_of(before), id_of(after));
}

static void on_sync(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *region,
		    ompt_data_t *task, const void *code)
{
	if (!is_recording())
		return;
	write3(endpoint == ompt_scope_begin ? TV_LOG_OMP_SYNC_BEGIN : TV_LOG_OMP_SYNC_END, kind,
	       id_of(region), id_of(task), tv_omp_code(code, 0));
}

static void on_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *region,
		    ompt_data_t *task, const void *code)
{
	if (!is_recording())
		return;
	write3(endpoint == ompt_scope_begin ? TV_LOG_OMP_WAIT_BEGIN : TV_LOG_OMP_WAIT_END, kind,
	       id_of(region), id_of(task), tv_omp_code(code, 0));
}

static void on_work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *region,
		    ompt_data_t *task, uint64_t count, const void *code)
{
	if (!is_recording())
		return;
	uint64_t address = tv_omp_code(code, 0);
	if (kind == ompt_work_taskloop) {
		tv_omp_self.loop = endpoint == ompt_scope_begin ? address : 0;
		tv_omp_set_loop(id_of(task), address);
	}
	write4(endpoint == ompt_scope_begin ? TV_LOG_OMP_WORK_BEGIN : TV_LOG_OMP_WORK_END, kind,
	       id_of(region), id_of(task), count, address);
}

static void on_masked(ompt_scope_endpoint_t endpoint, ompt_data_t *region, ompt_data_t *task,
		      const void *code)
{
	if (!is_recording())
		return;
	write3(endpoint == ompt_scope_begin ? TV_LOG_OMP_MASKED_BEGIN : TV_LOG_OMP_MASKED_END, 0,
	       id_of(region), id_of(task), tv_omp_code(code, 0));
}

static void on_acquire(ompt_mutex_t kind, unsigned hint, unsigned implementation, ompt_wait_id_t id,
		       const void *code)
{
	(void)hint;
	(void)implementation;
	if (!is_recording())
		return;
	write2(TV_LOG_OMP_ACQUIRE, kind, id, tv_omp_code(code, 0));
}

static void on_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void *code)
{
	if (!is_recording())
		return;
	write2(TV_LOG_OMP_ACQUIRED, kind, id, tv_omp_code(code, 0));
}

static void on_released(ompt_mutex_t kind, ompt_wait_id_t id, const void *code)
{
	if (!is_recording())
		return;
	write2(TV_LOG_OMP_RELEASED, kind, id, tv_omp_code(code, 0));
}

/* A lock that its owner takes once more: written like the first time, so that events pair up. */
static void on_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t id, const void *code)
{
	if (endpoint == ompt_scope_begin)
		on_acquired(ompt_mutex_nest_lock, id, code);
	else
		on_released(ompt_mutex_nest_lock, id, code);
}

static void on_cancel(ompt_data_t *task, int flags, const void *code)
{
	if (!is_recording())
		return;
	write3(TV_LOG_OMP_CANCEL, 0, id_of(task), (unsigned)flags, tv_omp_code(code, 0));
}

static void forked(void)
{
	process++;
	skipped.tasks = skipped.written = 0;
	tv_omp_pages_forked();
}

static void read_settings(void)
{
	const char *regions = getenv("TRACEVIZ_REGION");

	if (regions) {
		char *end;
		part.first = part.last = strtoul(regions, &end, 10);
		if (!strncmp(end, "..", 2))
			part.last = strtoul(end + 2, NULL, 10);
	}
	tv_omp_pages_setup();
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *unused)
{
	static const struct {
		ompt_callbacks_t event;
		ompt_callback_t function;
	} row[] = {
		{ ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin },
		{ ompt_callback_thread_end, (ompt_callback_t)on_thread_end },
		{ ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin },
		{ ompt_callback_parallel_end, (ompt_callback_t)on_parallel_end },
		{ ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task },
		{ ompt_callback_task_create, (ompt_callback_t)on_task_create },
		{ ompt_callback_task_schedule, (ompt_callback_t)on_task_schedule },
		{ ompt_callback_dependences, (ompt_callback_t)on_dependences },
		{ ompt_callback_sync_region, (ompt_callback_t)on_sync },
		{ ompt_callback_sync_region_wait, (ompt_callback_t)on_wait },
		{ ompt_callback_work, (ompt_callback_t)on_work },
		{ ompt_callback_masked, (ompt_callback_t)on_masked },
		{ ompt_callback_mutex_acquire, (ompt_callback_t)on_acquire },
		{ ompt_callback_mutex_acquired, (ompt_callback_t)on_acquired },
		{ ompt_callback_mutex_released, (ompt_callback_t)on_released },
		{ ompt_callback_nest_lock, (ompt_callback_t)on_nest_lock },
		{ ompt_callback_cancel, (ompt_callback_t)on_cancel },
	};
	ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");

	(void)device;
	(void)unused;
	if (!set_callback)
		return 0;
	tv_omp_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
	get_place_num = (ompt_get_place_num_t)lookup("ompt_get_place_num");
	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		set_callback(row[i].event, row[i].function);
	if (getenv("TRACEVIZ_OMP_EDGES"))
		set_callback(ompt_callback_task_dependence, (ompt_callback_t)on_task_dependence);
	return 1;
}

/* Where a region that was chosen never began: how many did, in a line of the folder's marker. */
static void note_regions(void)
{
	const char *folder = getenv("TRACEVIZ_DIR");
	char path[4096];
	int fd;

	if (part.begun >= part.last || !folder
	    || snprintf(path, sizeof path, "%s/" TV_LOG_MARKER, folder) >= (int)sizeof path)
		return;
	fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (fd < 0)
		return;
	if (flock(fd, LOCK_EX) == 0)
		dprintf(fd, "regions %lu\n", (unsigned long)part.begun);
	close(fd);
}

static void finalize(ompt_data_t *unused)
{
	(void)unused;
	note_regions();
	if (tv_omp_has_pages && is_recording())
		tv_omp_pages_write();
}

/* The entry point of the interface, called by the runtime; no header declares it. */
__attribute__((visibility("default"))) ompt_start_tool_result_t *ompt_start_tool(
	unsigned version, const char *runtime_version);

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime_version)
{
	static ompt_start_tool_result_t result = { .initialize = initialize, .finalize = finalize };

	(void)version;
	tv_omp_site_setup(__builtin_return_address(0));
	snprintf(runtime, sizeof runtime, "%s", runtime_version ? runtime_version : "");
	read_settings();
	pthread_atfork(NULL, NULL, forked);
	return &result;
}
