/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * messages.c -- data that StarPU-MPI sends and receives: in the order of submission they are reads and writes as those of tasks.
 *
 * starpu_mpi_task_insert and the program call the functions below, all others of this kind call these. The probe is built
 * without MPI: a communicator is passed on as it came, in a register, whether it is a pointer or an int.
 */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "record/loaded/starpu/probe.h"

typedef int64_t tag_t;
typedef void (*callback_t)(void *);
typedef void *comm_t;

/* What of StarPU-MPI is replaced. */
typedef int send_t(starpu_data_handle_t, void *request, int peer, tag_t, int prio, comm_t);
typedef int detached_send_t(starpu_data_handle_t, int peer, tag_t, int prio, comm_t, callback_t,
			    void *);
EXPORT send_t starpu_mpi_isend_prio, starpu_mpi_issend_prio;
EXPORT detached_send_t starpu_mpi_isend_detached_prio, starpu_mpi_issend_detached_prio;
EXPORT int starpu_mpi_irecv(starpu_data_handle_t, void *request, int peer, tag_t, comm_t);
EXPORT int starpu_mpi_irecv_detached(starpu_data_handle_t, int peer, tag_t, comm_t, callback_t,
				     void *);
EXPORT int starpu_mpi_irecv_detached_sequential_consistency(starpu_data_handle_t, int peer, tag_t,
							    comm_t, callback_t, void *, int);

/* next: the function of StarPU-MPI behind that of this library. */
#define FIND(name) \
	static __typeof__(&(name)) _Atomic next; \
	if (!next) \
	*(void **)&next = dlsym(RTLD_NEXT, #name)

static _Thread_local bool inside; /* a function that calls another one of these */
static _Atomic uint64_t messages;

static int ask(const char *name, comm_t comm)
{
	int (*of)(comm_t, int *), value = -1;

	*(void **)&of = dlsym(RTLD_DEFAULT, name);
	return of && of(comm, &value) == 0 ? value : -1;
}

/* Writes a message to the log; its number, 0 = it is not recorded. */
static uint64_t submit(enum tv_log_starpu_message kind, starpu_data_handle_t data, int peer,
		       tag_t tag, comm_t comm, bool ordered)
{
	uint64_t number;

	if (inside || !tv_starpu_load() || !tv_starpu_is_known() || !tv_starpu_is_recording())
		return 0;
	number = atomic_fetch_add(&messages, 1) + 1;
	tv_log_write(TV_LOG_STARPU_MESSAGE, kind | (ordered ? TV_LOG_STARPU_ORDERED : 0), 7,
		     (uint64_t[]){ (uint64_t)tv_starpu_clock(), number, (uintptr_t)data,
				   (uint64_t)(int64_t)peer, (uint64_t)tag,
				   (uint64_t)(int64_t)ask("starpu_mpi_comm_rank", comm),
				   (uint64_t)(int64_t)ask("starpu_mpi_comm_size", comm) },
		     NULL, 0);
	return number;
}

static bool is_ordered(starpu_data_handle_t data)
{
	return tv_starpu_load() && tv_starpu_is_known()
	    && REAL(starpu_data_get_sequential_consistency_flag)(data);
}

/* ---- arrivals ---- */

struct awaited {
	uint64_t number;
	callback_t call;
	void *arg;
};

static void arrive(void *of)
{
	struct awaited awaited = *(struct awaited *)of;

	free(of);
	if (tv_starpu_is_recording())
		tv_log_write(TV_LOG_STARPU_ARRIVED, 0, 2,
			     (uint64_t[]){ (uint64_t)tv_starpu_clock(), awaited.number }, NULL, 0);
	if (awaited.call)
		awaited.call(awaited.arg);
}

/* Has arrive() called before the program's own callback. */
static void await(uint64_t number, callback_t *call, void **arg)
{
	struct awaited *awaited = number ? malloc(sizeof *awaited) : NULL;

	if (!awaited)
		return;
	*awaited = (struct awaited){ number, *call, *arg };
	*call = arrive;
	*arg = awaited;
}

/* ---- what the program calls ---- */

#define CALL(...) \
	do { \
		bool before_ = inside; \
		int result_ = -1; \
\
		inside = true; \
		if (next) \
			result_ = next(__VA_ARGS__); \
		inside = before_; \
		return result_; \
	} while (0)

#define SEND(name) \
	int name(starpu_data_handle_t data, void *request, int peer, tag_t tag, int prio, \
		 comm_t comm) \
	{ \
		FIND(name); \
		submit(TV_LOG_STARPU_SENT, data, peer, tag, comm, is_ordered(data)); \
		CALL(data, request, peer, tag, prio, comm); \
	}

#define SEND_DETACHED(name) \
	int name(starpu_data_handle_t data, int peer, tag_t tag, int prio, comm_t comm, \
		 callback_t call, void *arg) \
	{ \
		FIND(name); \
		submit(TV_LOG_STARPU_SENT, data, peer, tag, comm, is_ordered(data)); \
		CALL(data, peer, tag, prio, comm, call, arg); \
	}

SEND(starpu_mpi_isend_prio)
SEND(starpu_mpi_issend_prio)
SEND_DETACHED(starpu_mpi_isend_detached_prio)
SEND_DETACHED(starpu_mpi_issend_detached_prio)

int starpu_mpi_irecv(starpu_data_handle_t data, void *request, int peer, tag_t tag, comm_t comm)
{
	FIND(starpu_mpi_irecv);
	submit(TV_LOG_STARPU_RECEIVED, data, peer, tag, comm, is_ordered(data));
	CALL(data, request, peer, tag, comm);
}

int starpu_mpi_irecv_detached(starpu_data_handle_t data, int peer, tag_t tag, comm_t comm,
			      callback_t call, void *arg)
{
	FIND(starpu_mpi_irecv_detached);
	await(submit(TV_LOG_STARPU_RECEIVED, data, peer, tag, comm, is_ordered(data)), &call, &arg);
	CALL(data, peer, tag, comm, call, arg);
}

int starpu_mpi_irecv_detached_sequential_consistency(starpu_data_handle_t data, int peer, tag_t tag,
						     comm_t comm, callback_t call, void *arg,
						     int consistency)
{
	FIND(starpu_mpi_irecv_detached_sequential_consistency);
	await(submit(TV_LOG_STARPU_RECEIVED, data, peer, tag, comm, consistency), &call, &arg);
	CALL(data, peer, tag, comm, call, arg, consistency);
}
