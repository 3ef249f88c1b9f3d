/* SPDX-License-Identifier: GPL-3.0-or-later */
/* walk.c -- the second walk over a file: which event does what. */
#include "convert/fxt/fxt.h"
#include "convert/fxt/codes.h"

enum { PROGRESS_STEP = 1 << 16, META_ONLY = 1 };

#define AT(code) [(code)-TV_FXT_FIRST_CODE]
#define NONE	 TV_FXT_NTYPES /* no event row */

/* Events that are not here say nothing that the tables hold. Columns: handler, state or type,
 * parameter of the thread, type of a further row. */
static const struct tv_fxt_action actions[TV_FXT_LAST_CODE - TV_FXT_FIRST_CODE + 1] = {
	/* machine */
	AT(TV_FXT_NEW_MEM_NODE) = { tv_fxt_memory_node, 0, 0, NONE },
	AT(TV_FXT_WORKER_INIT_START) = { tv_fxt_worker_init, 0, 0, NONE },
	AT(TV_FXT_WORKER_INIT_END) = { tv_fxt_worker_init_end, 0, 0, NONE },
	AT(TV_FXT_WORKER_DEINIT_START) = { tv_fxt_worker_set, TV_FXT_DEINITIALIZING, 0, NONE },
	AT(TV_FXT_WORKER_DEINIT_END) = { tv_fxt_worker_deinit_end, 0, 0, NONE },
	/* tasks */
	AT(TV_FXT_TASK_SUBMIT) = { tv_fxt_submit, 0, 0, NONE },
	AT(TV_FXT_UPDATE_TASK_CNT) = { tv_fxt_task_count, 0, 0, NONE },
	AT(TV_FXT_JOB_PUSH) = { tv_fxt_job_push, 0, 0, NONE },
	AT(TV_FXT_JOB_POP) = { tv_fxt_job_pop, 0, 0, NONE },
	AT(TV_FXT_TASK_NAME) = { tv_fxt_task_name, 0, 0, NONE },
	AT(TV_FXT_MODEL_NAME) = { tv_fxt_model_name, 0, 0, NONE },
	AT(TV_FXT_TASK_LINE) = { tv_fxt_task_line, 0, 0, NONE },
	AT(TV_FXT_TASK_DONE) = { tv_fxt_task_done, 0, 0, NONE },
	AT(TV_FXT_TASK_EXCLUDE_FROM_DAG) = { tv_fxt_task_exclude, 0, 0, NONE },
	AT(TV_FXT_TASK_DEPS) = { tv_fxt_task_deps, 0, 0, NONE },
	AT(TV_FXT_TAG) = { tv_fxt_tag, 0, 0, NONE },
	AT(TV_FXT_TAG_DEPS) = { tv_fxt_tag_deps, 0, 0, NONE },
	AT(TV_FXT_START_CODELET_BODY) = { tv_fxt_start, 0, 0, NONE },
	AT(TV_FXT_END_CODELET_BODY) = { tv_fxt_end, 0, 0, NONE },
	AT(TV_FXT_CODELET_DATA) = { tv_fxt_codelet_data, 0, 0, NONE },
	AT(TV_FXT_CODELET_DATA_HANDLE) = { tv_fxt_codelet_handle, 0, 0, NONE },
	AT(TV_FXT_CODELET_DETAILS) = { tv_fxt_codelet_details, 0, 0, NONE },
	/* states of workers: END sets Overhead, so an END too many does no harm */
	AT(TV_FXT_START_FETCH_INPUT_ON_TID) = { tv_fxt_worker_set, TV_FXT_FETCHING, 1, NONE },
	AT(TV_FXT_END_FETCH_INPUT_ON_TID) = { tv_fxt_worker_set, TV_FXT_OVERHEAD, 1, NONE },
	AT(TV_FXT_START_FETCH_INPUT) = { tv_fxt_worker_set_by_id, TV_FXT_FETCHING, 1, NONE },
	AT(TV_FXT_END_FETCH_INPUT) = { tv_fxt_worker_set_by_id, TV_FXT_OVERHEAD, 1, NONE },
	AT(TV_FXT_START_PUSH_OUTPUT) = { tv_fxt_worker_set, TV_FXT_PUSHING, 1, NONE },
	AT(TV_FXT_END_PUSH_OUTPUT) = { tv_fxt_worker_set, TV_FXT_OVERHEAD, 1, NONE },
	AT(TV_FXT_START_PROGRESS) = { tv_fxt_worker_set, TV_FXT_PROGRESSING, 1, NONE },
	AT(TV_FXT_END_PROGRESS) = { tv_fxt_worker_set, TV_FXT_OVERHEAD, 1, NONE },
	AT(TV_FXT_START_UNPARTITION) = { tv_fxt_worker_set, TV_FXT_UNPARTITIONING, 1, NONE },
	AT(TV_FXT_END_UNPARTITION) = { tv_fxt_worker_set, TV_FXT_OVERHEAD, 1, NONE },
	AT(TV_FXT_WORKER_SCHEDULING_START) = { tv_fxt_worker_set, TV_FXT_SCHEDULING, 0, NONE },
	AT(TV_FXT_WORKER_SCHEDULING_END) = { tv_fxt_worker_set, TV_FXT_OVERHEAD, 0, NONE },
	AT(TV_FXT_WORKER_SLEEP_START) = { tv_fxt_worker_set, TV_FXT_SLEEPING, 0, NONE },
	AT(TV_FXT_WORKER_SLEEP_END) = { tv_fxt_worker_set, TV_FXT_OVERHEAD, 0, NONE },
	AT(TV_FXT_START_EXECUTING) = { tv_fxt_executing, TV_FXT_EXECUTING, 0, NONE },
	AT(TV_FXT_END_EXECUTING) = { tv_fxt_executing, TV_FXT_OVERHEAD, 0, NONE },
	AT(TV_FXT_START_PARALLEL_SYNC) = { tv_fxt_thread_push, TV_FXT_PARALLEL_SYNC, 0, NONE },
	AT(TV_FXT_END_PARALLEL_SYNC) = { tv_fxt_thread_pop, 0, 0, NONE },
	/* states of any thread */
	AT(TV_FXT_START_CALLBACK) = { tv_fxt_callback_begin, TV_FXT_CALLBACK, 1, NONE },
	AT(TV_FXT_END_CALLBACK) = { tv_fxt_callback_end, TV_FXT_OVERHEAD, 1, NONE },
	AT(TV_FXT_HYPERVISOR_BEGIN) = { tv_fxt_callback_begin, TV_FXT_HYPERVISOR, 0, NONE },
	AT(TV_FXT_HYPERVISOR_END) = { tv_fxt_callback_end, TV_FXT_OVERHEAD, 0, NONE },
	AT(TV_FXT_WORKER_SCHEDULING_PUSH) = { tv_fxt_thread_push, TV_FXT_SCHEDULING, 0, NONE },
	AT(TV_FXT_WORKER_SCHEDULING_POP) = { tv_fxt_thread_pop, 0, 0, NONE },
	AT(TV_FXT_TASK_BUILD_START) = { tv_fxt_thread_push, TV_FXT_BUILDING, 0, NONE },
	AT(TV_FXT_TASK_BUILD_END) = { tv_fxt_thread_pop, 0, 0, NONE },
	AT(TV_FXT_TASK_SUBMIT_START) = { tv_fxt_thread_push, TV_FXT_SUBMITTING, 0, NONE },
	AT(TV_FXT_TASK_SUBMIT_END) = { tv_fxt_thread_pop, 0, 0, NONE },
	AT(TV_FXT_TASK_THROTTLE_START) = { tv_fxt_thread_push, TV_FXT_THROTTLING, 0, NONE },
	AT(TV_FXT_TASK_THROTTLE_END) = { tv_fxt_thread_pop, 0, 0, NONE },
	AT(TV_FXT_TASK_MPI_DECODE_START) = { tv_fxt_thread_push, TV_FXT_MPI_DECODING, 0, NONE },
	AT(TV_FXT_TASK_MPI_DECODE_END) = { tv_fxt_thread_pop, 0, 0, NONE },
	AT(TV_FXT_TASK_MPI_PRE_START) = { tv_fxt_thread_push, TV_FXT_MPI_PREPARING, 0, NONE },
	AT(TV_FXT_TASK_MPI_PRE_END) = { tv_fxt_thread_pop, 0, 0, NONE },
	AT(TV_FXT_TASK_MPI_POST_START) = { tv_fxt_thread_push, TV_FXT_MPI_FINISHING, 0, NONE },
	AT(TV_FXT_TASK_MPI_POST_END) = { tv_fxt_thread_pop, 0, 0, NONE },
	AT(TV_FXT_TASK_WAIT_START) = { tv_fxt_thread_push, TV_FXT_WAITING, 1, NONE },
	AT(TV_FXT_TASK_WAIT_END) = { tv_fxt_thread_pop, 0, 0, NONE },
	AT(TV_FXT_TASK_WAIT_FOR_ALL_START) = { tv_fxt_thread_push, TV_FXT_WAITING_ALL, 0, NONE },
	AT(TV_FXT_TASK_WAIT_FOR_ALL_END) = { tv_fxt_thread_pop, 0, 0, NONE },
	/* data */
	AT(TV_FXT_HANDLE_DATA_REGISTER) = { tv_fxt_register, 0, 0, NONE },
	AT(TV_FXT_HANDLE_DATA_UNREGISTER) = { tv_fxt_unregister, 0, 0, NONE },
	AT(TV_FXT_DATA_NAME) = { tv_fxt_data_name, 0, 0, NONE },
	AT(TV_FXT_DATA_COORDINATES) = { tv_fxt_data_coordinates, 0, 0, NONE },
	AT(TV_FXT_MPI_DATA_SET_RANK) = { tv_fxt_data_rank, 0, 0, NONE },
	AT(TV_FXT_MPI_DATA_SET_TAG) = { tv_fxt_data_tag, 0, 0, NONE },
	AT(TV_FXT_DATA_INVALIDATE) = { tv_fxt_data_state, TV_FXT_INVALID_EVENT, 1, NONE },
	AT(TV_FXT_DATA_STATE_INVALID) = { tv_fxt_data_state, TV_FXT_INVALID_EVENT, 1, NONE },
	AT(TV_FXT_DATA_STATE_OWNER) = { tv_fxt_data_state, TV_FXT_OWNER_EVENT, 1, NONE },
	AT(TV_FXT_DATA_STATE_SHARED) = { tv_fxt_data_state, TV_FXT_SHARED_EVENT, 1, NONE },
	AT(TV_FXT_DATA_WONT_USE) = { tv_fxt_wont_use, 0, 0, NONE },
	AT(TV_FXT_DATA_DOING_WONT_USE) = { tv_fxt_doing_wont_use, 0, 0, NONE },
	AT(TV_FXT_DATA_REQUEST_CREATED) = { tv_fxt_request, 0, 0, NONE },
	AT(TV_FXT_START_DRIVER_COPY) = { tv_fxt_copy_begin, 0, 0, NONE },
	AT(TV_FXT_END_DRIVER_COPY) = { tv_fxt_copy_end, 0, 0, NONE },
	AT(TV_FXT_START_DRIVER_COPY_ASYNC) = { tv_fxt_copy_async, 0, 0, TV_FXT_COPY_ASYNC_EVENT },
	AT(TV_FXT_END_DRIVER_COPY_ASYNC) = { tv_fxt_copy_async, 0, 0, TV_FXT_COPY_ASYNC_END_EVENT },
	AT(TV_FXT_START_ALLOC) = { tv_fxt_memory_begin, TV_FXT_ALLOCATING, 0, TV_FXT_ALLOC_EVENT },
	AT(TV_FXT_END_ALLOC) = { tv_fxt_memory_end, TV_FXT_ALLOCATING, 0, TV_FXT_ALLOC_END_EVENT },
	AT(TV_FXT_START_ALLOC_REUSE) = { tv_fxt_memory_begin, TV_FXT_ALLOCATING_REUSE, 0,
					 TV_FXT_REUSE_EVENT },
	AT(TV_FXT_END_ALLOC_REUSE) = { tv_fxt_memory_end, TV_FXT_ALLOCATING_REUSE, 0,
				       TV_FXT_REUSE_END_EVENT },
	AT(TV_FXT_START_FREE) = { tv_fxt_memory_begin, TV_FXT_FREEING, 0, TV_FXT_FREE_EVENT },
	AT(TV_FXT_END_FREE) = { tv_fxt_memory_end, TV_FXT_FREEING, 0, TV_FXT_FREE_END_EVENT },
	AT(TV_FXT_START_WRITEBACK) = { tv_fxt_memory_begin, TV_FXT_WRITING_BACK, 0,
				       TV_FXT_WRITEBACK_EVENT },
	AT(TV_FXT_END_WRITEBACK) = { tv_fxt_memory_end, TV_FXT_WRITING_BACK, 0,
				     TV_FXT_WRITEBACK_END_EVENT },
	AT(TV_FXT_START_WRITEBACK_ASYNC) = { tv_fxt_memory_begin, TV_FXT_WRITING_BACK_ASYNC, 0,
					     NONE },
	AT(TV_FXT_END_WRITEBACK_ASYNC) = { tv_fxt_memory_end, TV_FXT_WRITING_BACK_ASYNC, 0, NONE },
	AT(TV_FXT_START_MEMRECLAIM) = { tv_fxt_memory_begin, TV_FXT_RECLAIMING, 0, NONE },
	AT(TV_FXT_END_MEMRECLAIM) = { tv_fxt_memory_end, TV_FXT_RECLAIMING, 0, NONE },
	AT(TV_FXT_USED_MEM) = { tv_fxt_used_memory, 0, 0, NONE },
	AT(TV_FXT_MEMORY_FULL) = { tv_fxt_memory_full, 0, 0, NONE },
	/* events */
	AT(TV_FXT_WORK_STEALING) = { tv_fxt_steal, 0, 0, NONE },
	AT(TV_FXT_USER_EVENT) = { tv_fxt_user_event, 0, 0, NONE },
	AT(TV_FXT_EVENT_TEXT) = { tv_fxt_program_event, 0, 0, NONE },
	AT(TV_FXT_THREAD_EVENT) = { tv_fxt_thread_event, 0, 0, NONE },
	/* MPI */
	AT(TV_FXT_MPI_START) = { tv_fxt_mpi_start, 0, 0, NONE },
	AT(TV_FXT_MPI_STOP) = { tv_fxt_mpi_stop, 0, 0, NONE },
	AT(TV_FXT_MPI_BARRIER) = { tv_fxt_barrier, 0, 0, NONE },
	AT(TV_FXT_MPI_ISEND_SUBMIT_BEGIN) = { tv_fxt_comm_set, TV_FXT_SEND_SUBMITTED, 0, NONE },
	AT(TV_FXT_MPI_ISEND_SUBMIT_END) = { tv_fxt_send_submitted, TV_FXT_PROCESSING, 0, NONE },
	AT(TV_FXT_MPI_IRECV_SUBMIT_BEGIN) = { tv_fxt_comm_set, TV_FXT_RECEIVE_SUBMITTED, 0, NONE },
	AT(TV_FXT_MPI_IRECV_SUBMIT_END) = { tv_fxt_comm_set, TV_FXT_PROCESSING, 0, NONE },
	AT(TV_FXT_MPI_ISEND_COMPLETE_BEGIN) = { tv_fxt_comm_set, TV_FXT_SEND_COMPLETED, 0, NONE },
	AT(TV_FXT_MPI_ISEND_COMPLETE_END) = { tv_fxt_comm_set, TV_FXT_PROCESSING, 0, NONE },
	AT(TV_FXT_MPI_IRECV_COMPLETE_BEGIN) = { tv_fxt_comm_set, TV_FXT_RECEIVE_COMPLETED, 0,
						NONE },
	AT(TV_FXT_MPI_IRECV_COMPLETE_END) = { tv_fxt_comm_set, TV_FXT_PROCESSING, 0, NONE },
	AT(TV_FXT_MPI_IRECV_TERMINATED) = { tv_fxt_receive_done, 0, 0, NONE },
	AT(TV_FXT_MPI_SLEEP_BEGIN) = { tv_fxt_comm_set, TV_FXT_SLEEPING, 0, NONE },
	AT(TV_FXT_MPI_SLEEP_END) = { tv_fxt_comm_set, TV_FXT_POLLING, 0, NONE },
	AT(TV_FXT_MPI_DTESTING_BEGIN) = { tv_fxt_comm_set, TV_FXT_DETACHED_TESTING, 0, NONE },
	AT(TV_FXT_MPI_DTESTING_END) = { tv_fxt_comm_set, TV_FXT_PROCESSING, 0, NONE },
	AT(TV_FXT_MPI_UTESTING_BEGIN) = { tv_fxt_comm_set, TV_FXT_USER_TESTING, 0, NONE },
	AT(TV_FXT_MPI_UTESTING_END) = { tv_fxt_comm_set, TV_FXT_PROCESSING, 0, NONE },
	AT(TV_FXT_MPI_UWAIT_BEGIN) = { tv_fxt_comm_set, TV_FXT_USER_WAITING, 0, NONE },
	AT(TV_FXT_MPI_UWAIT_END) = { tv_fxt_comm_set, TV_FXT_PROCESSING, 0, NONE },
	AT(TV_FXT_MPI_POLLING_BEGIN) = { tv_fxt_comm_set, TV_FXT_POLLING, 0, NONE },
	AT(TV_FXT_MPI_POLLING_END) = { tv_fxt_comm_set, TV_FXT_PROCESSING, 0, NONE },
	AT(TV_FXT_MPI_DRIVER_RUN_BEGIN) = { tv_fxt_comm_set, TV_FXT_DRIVER_RUN, 0, NONE },
	AT(TV_FXT_MPI_DRIVER_RUN_END) = { tv_fxt_comm_set, TV_FXT_POLLING, 0, NONE },
	AT(TV_FXT_MPI_TESTING_DETACHED_BEGIN) = { tv_fxt_comm_push, TV_FXT_TESTING_DETACHED, 0,
						  NONE },
	AT(TV_FXT_MPI_TESTING_DETACHED_END) = { tv_fxt_comm_pop, 0, 0, NONE },
	AT(TV_FXT_MPI_TEST_BEGIN) = { tv_fxt_comm_push, TV_FXT_MPI_TEST, 0, NONE },
	AT(TV_FXT_MPI_TEST_END) = { tv_fxt_comm_pop, 0, 0, NONE },
	AT(TV_FXT_MPI_CHECKPOINT_BEGIN) = { tv_fxt_checkpoint, TV_FXT_CHECKPOINT_EVENT, 0, NONE },
	AT(TV_FXT_MPI_CHECKPOINT_END) = { tv_fxt_checkpoint, TV_FXT_CHECKPOINT_END_EVENT, 0, NONE },
};

/* 1.3 moved the codes of these MPI events by six. */
static uint32_t canonical_code(const struct tv_fxt_rank *rank, uint32_t code)
{
	return rank->facts.generation == TV_FXT_1_2 && code >= 0x5210 && code <= 0x5219 ? code - 6
											: code;
}

static int convert(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	uint32_t code = canonical_code(rank, event->code);
	const struct tv_fxt_action *action;

	rank->now = tv_fxt_time(&rank->clock, event->time);
	rank->offset = event->offset;
	if (code == TV_FXT_KEYCHANGE)
		rank->paused = tv_fxt_word(event, 0) == META_ONLY;
	if (code < TV_FXT_FIRST_CODE || code > TV_FXT_LAST_CODE)
		return 0;
	action = &actions[code - TV_FXT_FIRST_CODE];
	return action->run != NULL ? action->run(rank, event, action) : 0;
}

static void show_progress(const struct tv_fxt_rank *rank, size_t at)
{
	const struct tv_fxt_run *run = rank->run;

	if (run->progress != NULL && run->bytes > 0)
		run->progress(run->progress_context,
			      (double)(run->bytes_done + at) / (double)run->bytes);
}

/* The next record from the file or, for comparison, from libfxt. */
static enum tv_fxt_step next_event(struct tv_fxt_cursor *cursor, struct tv_fxt_lib *lib,
				   struct tv_fxt_event *event)
{
	return lib != NULL ? tv_fxt_lib_next(lib, event) : tv_fxt_next(cursor, event);
}

static int walk(struct tv_fxt_rank *rank, struct tv_fxt_lib *lib)
{
	struct tv_fxt_cursor cursor;
	struct tv_fxt_event event;
	enum tv_fxt_step step;
	uint64_t n = 0;

	tv_fxt_rewind(&cursor, &rank->file);
	while ((step = next_event(&cursor, lib, &event)) != TV_FXT_END) {
		if (step == TV_FXT_EVENT && convert(rank, &event) < 0)
			return -1;
		if (++n % PROGRESS_STEP == 0)
			show_progress(rank, cursor.at);
	}
	return lib != NULL ? tv_fxt_lib_check(lib, rank->run->err) : 0;
}

int tv_fxt_walk(struct tv_fxt_rank *rank)
{
	struct tv_fxt_lib *lib = NULL;
	int rc;

	if (rank->run->through_libfxt && tv_fxt_lib_open(&lib, rank->path, rank->run->err) < 0)
		return -1;
	tv_fxt_begin_threads(rank);
	rc = 0;
	if (rc == 0)
		rc = walk(rank, lib);
	tv_fxt_lib_close(lib);
	rank->offset = rank->file.end;
	rank->now = rank->end;
	rank->run->bytes_done += rank->file.end;
	if (rc < 0 || tv_fxt_end_tasks(rank) < 0 || tv_fxt_end_threads(rank) < 0
	    || tv_fxt_end_data(rank) < 0)
		return -1;
	return tv_fxt_write_handles(rank);
}
