/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * functions.h -- the functions of StarPU that the probe calls, as FUNCTION(name). Included several times.
 * The first ones are those whose place the probe takes.
 */
FUNCTION(starpu_init)
FUNCTION(starpu_initialize)
FUNCTION(starpu_timing_now)
FUNCTION(starpu_worker_can_execute_task_impl)
FUNCTION(starpu_task_expected_length)
FUNCTION(starpu_task_expected_energy)
FUNCTION(starpu_task_expected_data_transfer_time_for)
FUNCTION(starpu_task_expected_conversion_time)
FUNCTION(starpu_prefetch_task_input_for)
FUNCTION(starpu_push_task_end)
FUNCTION(starpu_tag_declare_deps_array)
FUNCTION(starpu_data_register)
FUNCTION(TV_STARPU_LENGTH_BEFORE)
#if TV_STARPU_MINOR >= 4
FUNCTION(starpu_task_worker_expected_length)
FUNCTION(starpu_task_worker_expected_energy)
#endif
FUNCTION(TV_STARPU_LEVEL)
FUNCTION(starpu_get_version)
FUNCTION(starpu_sched_get_predefined_policies)
FUNCTION(starpu_sched_ctx_get_policy_data)
FUNCTION(starpu_task_get_job_id)
FUNCTION(starpu_task_get_implementation)
FUNCTION(starpu_task_get_task_succs)
FUNCTION(starpu_task_footprint)
FUNCTION(starpu_data_get_size)
FUNCTION(starpu_data_get_sequential_consistency_flag)
FUNCTION(starpu_worker_get_id)
FUNCTION(starpu_worker_get_type)
FUNCTION(starpu_worker_get_count)
FUNCTION(starpu_worker_get_name)
FUNCTION(starpu_worker_get_devid)
FUNCTION(starpu_worker_get_memory_node)
FUNCTION(starpu_worker_get_perf_archtype)
