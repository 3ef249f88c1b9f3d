/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ompt-list.c -- a bare OpenMP tool: the explicit tasks that a program creates and their accesses, as
 * LLVM's runtime reports them, one line per task into the file $OMPT_LIST:
 *
 *   INDEX CODE MODE:ADDRESS...     in the order of creation, indices from 0; MODE is R, RW or RWC
 *
 * Accesses are reported after the creation: a line without them is written when the next task comes, so
 * that they are right for programs where one thread creates tasks; those of taskwait and of loops are left
 * out. The last line is "tasks N regions N".
 */
#include <inttypes.h>
#include <omp-tools.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static FILE *list;
static uint64_t tasks, regions;

static void task_create(ompt_data_t *parent, const ompt_frame_t *frame, ompt_data_t *task,
			int flags, int has_dependences, const void *code)
{
	(void)parent, (void)frame, (void)has_dependences;
	if (!(flags & ompt_task_explicit))
		return;
	pthread_mutex_lock(&mutex);
	fprintf(list, "%s%" PRIu64 " %p", tasks ? "\n" : "", tasks, code);
	task->value = ++tasks; /* others have 0 */
	pthread_mutex_unlock(&mutex);
}

static const char *mode(ompt_dependence_type_t type)
{
	if (type == ompt_dependence_type_in)
		return "R";
	return type == ompt_dependence_type_mutexinoutset ? "RWC" : "RW";
}

static void dependences(ompt_data_t *task, const ompt_dependence_t *access, int n)
{
	pthread_mutex_lock(&mutex);
	for (int i = 0; i < n && task->value && task->value == tasks; i++)
		fprintf(list, " %s:%p", mode(access[i].dependence_type), access[i].variable.ptr);
	pthread_mutex_unlock(&mutex);
}

static void parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *region,
			   unsigned threads, int flags, const void *code)
{
	(void)task, (void)frame, (void)region, (void)threads, (void)flags, (void)code;
	pthread_mutex_lock(&mutex);
	regions++;
	pthread_mutex_unlock(&mutex);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
	ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");

	(void)device, (void)data;
	list = getenv("OMPT_LIST") ? fopen(getenv("OMPT_LIST"), "w") : NULL;
	if (!list || !set)
		return 0;
	set(ompt_callback_task_create, (ompt_callback_t)task_create);
	set(ompt_callback_parallel_begin, (ompt_callback_t)parallel_begin);
	set(ompt_callback_dependences, (ompt_callback_t)dependences);
	return 1;
}

static void finalize(ompt_data_t *data)
{
	(void)data;
	fprintf(list, "%stasks %" PRIu64 " regions %" PRIu64 "\n", tasks ? "\n" : "", tasks,
		regions);
	fclose(list);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
	static ompt_start_tool_result_t result = { initialize, finalize, { 0 } };

	(void)version, (void)runtime;
	return &result;
}
