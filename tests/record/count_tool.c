/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * count_tool.c -- a tool of OMPT that only counts what the runtime delivers. At the end of the program it appends
 * lines "KEY NUMBER" to the file that COUNT_FILE names. Shares nothing with the probe.
 */
#include <omp-tools.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	CREATED,
	UNDEFERRED,
	UNTIED,
	FINAL,
	TASKWAITS,
	WITH_DEPENDENCES,
	ACCESSES,
	BEGUN, /* segments */
	COMPLETE,
	CANCELLED,
	DETACHED,
	REGIONS,
	REGION_ENDS,
	IMPLICIT,
	SYNCS,
	SYNC_ENDS,
	WAITS,
	WAIT_ENDS,
	WORKS,
	ACQUIRED,
	RELEASED,
	THREADS,
	KEYS
};

static const char *const name[KEYS] = { "created",     "undeferred", "untied",	 "final",
					"taskwaits",   "dependent",  "accesses", "begun",
					"complete",    "cancelled",  "detached", "regions",
					"region-ends", "implicit",   "syncs",	 "sync-ends",
					"waits",       "wait-ends",  "works",	 "acquired",
					"released",    "threads" };
static atomic_long count[KEYS];

#define COUNT(key, n) atomic_fetch_add_explicit(&count[key], (n), memory_order_relaxed)

/* One callback per event; parameters are those of the interface. */
static void thread_begin(ompt_thread_t kind, ompt_data_t *thread)
{
	(void)kind, (void)thread;
	COUNT(THREADS, 1);
}

static void parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *region,
			   unsigned requested, int flags, const void *code)
{
	(void)task, (void)frame, (void)region, (void)requested, (void)flags, (void)code;
	COUNT(REGIONS, 1);
}

static void parallel_end(ompt_data_t *region, ompt_data_t *task, int flags, const void *code)
{
	(void)region, (void)task, (void)flags, (void)code;
	COUNT(REGION_ENDS, 1);
}

static void implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *region, ompt_data_t *task,
			  unsigned threads, unsigned index, int flags)
{
	(void)region, (void)task, (void)threads, (void)index, (void)flags;
	COUNT(IMPLICIT, endpoint == ompt_scope_begin);
}

static void task_create(ompt_data_t *parent, const ompt_frame_t *frame, ompt_data_t *task,
			int flags, int dependent, const void *code)
{
	(void)parent, (void)frame, (void)task, (void)code;
	if (flags & ompt_task_taskwait) {
		COUNT(TASKWAITS, 1);
		return;
	}
	COUNT(CREATED, 1);
	COUNT(UNDEFERRED, (flags & ompt_task_undeferred) != 0);
	COUNT(UNTIED, (flags & ompt_task_untied) != 0);
	COUNT(FINAL, (flags & ompt_task_final) != 0);
	COUNT(WITH_DEPENDENCES, dependent != 0);
}

static void task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
	(void)prior;
	COUNT(BEGUN, status != ompt_task_complete && status != ompt_task_cancel
			     && status != ompt_task_detach && next);
	COUNT(COMPLETE, status == ompt_task_complete);
	COUNT(CANCELLED, status == ompt_task_cancel);
	COUNT(DETACHED, status == ompt_task_detach);
}

static void dependences(ompt_data_t *task, const ompt_dependence_t *access, int n)
{
	(void)task, (void)access;
	COUNT(ACCESSES, n);
}

static void sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
			ompt_data_t *region, ompt_data_t *task, const void *code)
{
	(void)kind, (void)region, (void)task, (void)code;
	COUNT(endpoint == ompt_scope_begin ? SYNCS : SYNC_ENDS, 1);
}

static void sync_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *region,
		      ompt_data_t *task, const void *code)
{
	(void)kind, (void)region, (void)task, (void)code;
	COUNT(endpoint == ompt_scope_begin ? WAITS : WAIT_ENDS, 1);
}

static void work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *region,
		 ompt_data_t *task, uint64_t n, const void *code)
{
	(void)kind, (void)region, (void)task, (void)n, (void)code;
	COUNT(WORKS, endpoint == ompt_scope_begin);
}

static void acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void *code)
{
	(void)kind, (void)id, (void)code;
	COUNT(ACQUIRED, 1);
}

static void released(ompt_mutex_t kind, ompt_wait_id_t id, const void *code)
{
	(void)kind, (void)id, (void)code;
	COUNT(RELEASED, 1);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
	ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");

	(void)device, (void)data;
	set(ompt_callback_thread_begin, (ompt_callback_t)thread_begin);
	set(ompt_callback_parallel_begin, (ompt_callback_t)parallel_begin);
	set(ompt_callback_parallel_end, (ompt_callback_t)parallel_end);
	set(ompt_callback_implicit_task, (ompt_callback_t)implicit_task);
	set(ompt_callback_task_create, (ompt_callback_t)task_create);
	set(ompt_callback_task_schedule, (ompt_callback_t)task_schedule);
	set(ompt_callback_dependences, (ompt_callback_t)dependences);
	set(ompt_callback_sync_region, (ompt_callback_t)sync_region);
	set(ompt_callback_sync_region_wait, (ompt_callback_t)sync_wait);
	set(ompt_callback_work, (ompt_callback_t)work);
	set(ompt_callback_mutex_acquired, (ompt_callback_t)acquired);
	set(ompt_callback_mutex_released, (ompt_callback_t)released);
	return 1;
}

static void finalize(ompt_data_t *data)
{
	const char *path = getenv("COUNT_FILE");
	FILE *file = path ? fopen(path, "a") : NULL;

	(void)data;
	for (int i = 0; file && i < KEYS; i++)
		fprintf(file, "%s %ld\n", name[i], atomic_load(&count[i]));
	if (file)
		fclose(file);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
	static ompt_start_tool_result_t result = { initialize, finalize, { 0 } };

	(void)version, (void)runtime;
	return &result;
}
