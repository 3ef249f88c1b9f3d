/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe.c -- the MPI probe: a wrapper of each function, and what they write. */
#include "record/loaded/mpi/probe.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

enum {
#define CALL(name, ...) NUMBER_##name,
#include "record/loaded/mpi/calls.h"
#undef CALL
	FUNCTIONS
};

static const struct {
	const char *name;
	enum tv_log_mpi_class class;
} function[FUNCTIONS] = {
#define CALL(name, class_, ...) [NUMBER_##name] = { "MPI_" #name, TV_LOG_MPI_##class_##_CALL },
#include "record/loaded/mpi/calls.h"
#undef CALL
};

static const char *const operation[] = {
	[1] = "MPI_MAX", "MPI_MIN",    "MPI_SUM",     "MPI_PROD",  "MPI_LAND",
	"MPI_BAND",	 "MPI_LOR",    "MPI_BOR",     "MPI_LXOR",  "MPI_BXOR",
	"MPI_MAXLOC",	 "MPI_MINLOC", "MPI_REPLACE", "MPI_NO_OP", "user",
};
enum { OPERATIONS = sizeof operation / sizeof *operation };

struct tv_mpi_functions tv_mpi_real;
__thread int tv_mpi_depth;
uint32_t tv_mpi_process = 1;
struct tv_mpi_range tv_mpi_code;

/* The process in whose log a name is; in any order, several threads may write it. */
static _Atomic uint32_t named[FUNCTIONS], named_op[OPERATIONS];

unsigned tv_mpi_op(MPI_Op op)
{
	const MPI_Op known[] = { MPI_OP_NULL, MPI_MAX,	  MPI_MIN,    MPI_SUM,	   MPI_PROD,
				 MPI_LAND,    MPI_BAND,	  MPI_LOR,    MPI_BOR,	   MPI_LXOR,
				 MPI_BXOR,    MPI_MAXLOC, MPI_MINLOC, MPI_REPLACE, MPI_NO_OP };

	for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
		if (op == known[i])
			return i;
	return OPERATIONS - 1;
}

static void name(_Atomic uint32_t *done, unsigned code, unsigned number, const char *text)
{
	atomic_store_explicit(done, tv_mpi_process, memory_order_relaxed);
	tv_log_write(TV_LOG_MPI_NAME, code, 1, (uint64_t[]){ number }, text, strlen(text));
}

bool tv_mpi_is_recording(void)
{
	int state = atomic_load_explicit(&tv_log_on, memory_order_relaxed);

	if (state != TV_LOG_ON && (state == TV_LOG_OFF || !tv_log_wake(tv_log_now())))
		return false;
	tv_mpi_world_write();
	return true;
}

void tv_mpi_begin(struct tv_mpi_call *call)
{
	bool collective = call->sequence != TV_LOG_MPI_MISSING;
	uint64_t *arg;

	if (!tv_mpi_is_recording())
		return;
	call->site = tv_mpi_site(call->site);
	tv_log_code(call->site);
	if (atomic_load_explicit(&named[call->function], memory_order_relaxed) != tv_mpi_process)
		name(&named[call->function], function[call->function].class, call->function,
		     function[call->function].name);
	if (call->op
	    && atomic_load_explicit(&named_op[call->op], memory_order_relaxed) != tv_mpi_process)
		name(&named_op[call->op], TV_LOG_MPI_OPERATION, call->op, operation[call->op]);
	if (call->comm
	    && atomic_load_explicit(&call->comm->declared, memory_order_relaxed) != tv_mpi_process)
		tv_mpi_comm_declare(call->comm);
	arg = tv_log_begin(TV_LOG_MPI_BEGIN, call->is_send, collective ? 9 : 6, tv_log_now());
	if (!arg)
		return;
	arg[0] = call->function;
	arg[1] = call->site;
	arg[2] = call->comm ? call->comm->number : 0;
	arg[3] = (uint64_t)call->peer;
	arg[4] = (uint64_t)call->tag;
	arg[5] = (uint64_t)call->bytes;
	if (collective) {
		arg[6] = (uint64_t)call->sequence;
		arg[7] = (uint64_t)call->root;
		arg[8] = call->op;
	}
	tv_log_commit();
	call->recorded = true;
}

/* Many entries are written as several events. */
static void write_end(const struct tv_mpi_call *call)
{
	enum { MAX = (TV_LOG_MAX_WORDS - 3) / 3 };
	uint32_t at = 0, n;

	do {
		n = call->nentries - at < MAX ? call->nentries - at : MAX;
		uint64_t *arg = tv_log_begin(TV_LOG_MPI_END, at + n < call->nentries, 1 + 3 * n,
					     call->end);
		if (!arg)
			return;
		arg[0] = call->function;
		memcpy(arg + 1, call->entry + at, n * sizeof *call->entry);
		tv_log_commit();
		at += n;
	} while (at < call->nentries);
}

void tv_mpi_end(struct tv_mpi_call *call)
{
	if (call->recorded)
		write_end(call);
	if (call->known != call->few_known)
		free(call->known);
	if (call->entry != call->few_entries)
		free(call->entry);
	free(call->statuses);
	tv_mpi_depth = 0;
}

/* ---- bytes ---- */

int64_t tv_mpi_bytes(int count, MPI_Datatype type)
{
	int size = 0;

	if (count > 0 && type != MPI_DATATYPE_NULL)
		PMPI_Type_size(type, &size);
	return size > 0 ? (int64_t)count * size : 0;
}

int64_t tv_mpi_peers(MPI_Comm comm)
{
	const struct tv_mpi_comm *known = tv_mpi_comm(comm);

	return known ? known->peers : 0;
}

int64_t tv_mpi_own(MPI_Comm comm, const int *count, MPI_Datatype type)
{
	const struct tv_mpi_comm *known = tv_mpi_comm(comm);

	return known ? tv_mpi_bytes(count[known->rank], type) : 0;
}

int64_t tv_mpi_sum(MPI_Comm comm, const int *count, MPI_Datatype type)
{
	int64_t peers = tv_mpi_peers(comm), sum = 0;

	for (int64_t i = 0; i < peers; i++)
		sum += count[i];
	return sum * tv_mpi_bytes(1, type);
}

int64_t tv_mpi_sums(MPI_Comm comm, const int *count, const MPI_Datatype *type)
{
	int64_t peers = tv_mpi_peers(comm), sum = 0;

	for (int64_t i = 0; i < peers; i++)
		sum += tv_mpi_bytes(count[i], type[i]);
	return sum;
}

/* ---- wrappers ---- */

#define CALL(name, class, parameters, arguments, before, after) \
	static int wrap_##name parameters \
	{ \
		struct tv_mpi_call call; \
		int rc; \
\
		if (!tv_mpi_enter(&call, NUMBER_##name, __builtin_return_address(0))) \
			return REAL(name) arguments; \
		before; \
		tv_mpi_begin(&call); \
		rc = REAL(name) arguments; \
		call.end = tv_log_now(); \
		after; \
		tv_mpi_end(&call); \
		return rc; \
	}
#include "record/loaded/mpi/calls.h"
#undef CALL

static void forked(void)
{
	tv_mpi_process++;
}

__attribute__((visibility("default"))) tv_mpi_setup_function tv_mpi_setup;

void tv_mpi_setup(void *library, const struct tv_mpi_range *range, tv_mpi_function **wrapper)
{
#define CALL(name, ...) \
	*(void **)&REAL(name) = dlsym(library, "PMPI_" #name); \
	wrapper[NUMBER_##name] = (tv_mpi_function *)wrap_##name;
#include "record/loaded/mpi/calls.h"
#undef CALL
	tv_mpi_code = *range;
	tv_mpi_site_setup();
	pthread_atfork(NULL, NULL, forked);
}
