/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ompt-list.c -- a bare OpenMP tool: the explicit tasks that a program creates and their accesses, as
 * LLVM's runtime reports them, one line per task into the file $OMPT_LIST:
 *
 *   INDEX CODE MODE:ADDRESS...     in the order of creation, indices from 0; MODE is R or RW
 *
 * Accesses are reported after the creation: a line without them is written when the next task comes, so
 * that the list is right for programs where one thread creates tasks. The last line is "tasks N".
 */
#include <inttypes.h>
#include <omp-tools.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static FILE *list;
static uint64_t tasks;

static void task_create(ompt_data_t *parent, const ompt_frame_t *frame, ompt_data_t *task,
			int flags, int has_dependences, const void *code)
{
	(void)parent, (void)frame, (void)has_dependences;
	if (!(flags & ompt_task_explicit))
		return;
	pthread_mutex_lock(&mutex);
	task->value = tasks++;
	fprintf(list, "%s%" PRIu64 " %p", task->value ? "\n" : "", task->value, code);
	pthread_mutex_unlock(&mutex);
}

static void dependences(ompt_data_t *task, const ompt_dependence_t *access, int n)
{
	(void)task;
	pthread_mutex_lock(&mutex);
	for (int i = 0; i < n; i++)
		fprintf(list, " %s:%p",
			access[i].dependence_type == ompt_dependence_type_in ? "R" : "RW",
			access[i].variable.ptr);
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
	set(ompt_callback_dependences, (ompt_callback_t)dependences);
	return 1;
}

static void finalize(ompt_data_t *data)
{
	(void)data;
	fprintf(list, "%stasks %" PRIu64 "\n", tasks ? "\n" : "", tasks);
	fclose(list);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
	static ompt_start_tool_result_t result = { initialize, finalize, { 0 } };

	(void)version, (void)runtime;
	return &result;
}
