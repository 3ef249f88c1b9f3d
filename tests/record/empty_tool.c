/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * empty_tool.c -- a tool of OMPT with the callbacks of the OpenMP probe, which do nothing: what the interface
 * itself costs.
 */
#include <omp-tools.h>

static void nothing(void)
{
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
	static const ompt_callbacks_t event[] = {
		ompt_callback_thread_begin,   ompt_callback_thread_end,
		ompt_callback_parallel_begin, ompt_callback_parallel_end,
		ompt_callback_implicit_task,  ompt_callback_task_create,
		ompt_callback_task_schedule,  ompt_callback_dependences,
		ompt_callback_sync_region,    ompt_callback_sync_region_wait,
		ompt_callback_work,	      ompt_callback_masked,
		ompt_callback_mutex_acquire,  ompt_callback_mutex_acquired,
		ompt_callback_mutex_released, ompt_callback_nest_lock,
		ompt_callback_cancel,
	};
	ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");

	(void)device, (void)data;
	/* Arguments that a function does not take are ignored by the calling conventions that libomp supports. */
	for (unsigned i = 0; i < sizeof event / sizeof *event; i++)
		set(event[i], nothing);
	return 1;
}

static void finalize(ompt_data_t *data)
{
	(void)data;
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
	static ompt_start_tool_result_t result = { initialize, finalize, { 0 } };

	(void)version, (void)runtime;
	return &result;
}
