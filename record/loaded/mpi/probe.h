/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * probe.h -- what the parts of an MPI probe share. They are compiled once for each MPI, with its mpi.h.
 *
 * A call is written as TV_LOG_MPI_BEGIN and TV_LOG_MPI_END. What the probe itself calls of MPI is
 * either no function of calls.h, or called by REAL, so it is not recorded.
 */
#ifndef TV_RECORD_MPI_PROBE_H
#define TV_RECORD_MPI_PROBE_H

#include <mpi.h>
#include <stdlib.h>

#include "record/loaded/log.h"
#include "record/loaded/mpi/setup.h"

/* The library's own functions. */
struct tv_mpi_functions {
#define CALL(name, ...) __typeof__(&PMPI_##name) name;
#include "record/loaded/mpi/calls.h"
#undef CALL
};
extern struct tv_mpi_functions tv_mpi_real;
#define REAL(name) tv_mpi_real.name

/* Handles are pointers or numbers. */
#define BITS(handle) ((uint64_t)(uintptr_t)(handle))

/* A communicator (comms.c). */
struct tv_mpi_comm {
	_Atomic uint64_t bits; /* of the handle; 0 = freed */
	_Atomic(struct tv_mpi_comm *) next;
	uint32_t number;	   /* in the log */
	_Atomic uint32_t declared; /* the process (of those made by fork) in whose log it is */
	int rank, size, peers;	   /* own rank; ranks of its group, of the group of its peers */
	int *world; /* ranks of the peers in MPI_COMM_WORLD; NULL: they are the same */
	_Atomic int64_t sequence; /* collective operations so far */
	atomic_int users;	  /* requests that have not ended */
	char name[128];
};

/* A request, or a message that was probed (requests.c). */
struct tv_mpi_request {
	struct tv_mpi_request *next[2], **link[2]; /* in the lists of hash tables */
	uint64_t bits;
	const void *address; /* where the program keeps it */
	uint64_t id;
	enum tv_log_mpi_kind kind;
	struct tv_mpi_comm *comm; /* NULL = none */
	bool persistent, active;
};

/* What is written of a request: as in TV_LOG_MPI_END. */
struct tv_mpi_entry {
	uint64_t id, peer_tag, bytes;
};

enum { FEW = 16 }; /* requests of a call for which no memory is allocated */

/* A call while it lasts. */
struct tv_mpi_call {
	uint64_t site;
	unsigned function;
	bool recorded, is_send;
	struct tv_mpi_comm *comm; /* NULL = none */
	int64_t peer, tag, bytes, sequence, root;
	unsigned op;
	int64_t end;
	int nknown; /* requests that were given; NULL: inactive or unknown */
	struct tv_mpi_request **known, *few_known[FEW];
	MPI_Status *statuses; /* allocated; NULL = none */
	uint32_t nentries;
	struct tv_mpi_entry *entry, few_entries[FEW + 1];
};

/* ---- probe.c ---- */

extern __thread int tv_mpi_depth __attribute__((tls_model("initial-exec")));
extern uint32_t tv_mpi_process; /* of those made by fork, from 1 */
extern bool tv_mpi_threads;	/* several threads may call at a time */
extern struct tv_mpi_range tv_mpi_code;

/* Whether events are recorded now; then the process has been described. */
bool tv_mpi_is_recording(void);
void tv_mpi_begin(struct tv_mpi_call *call);
void tv_mpi_end(struct tv_mpi_call *call);
uint64_t tv_mpi_site(uint64_t return_address); /* site.c: that of the program */
void tv_mpi_site_setup(void);

/* False: a call within a call, or of the library itself, that is not recorded. */
static inline bool tv_mpi_enter(struct tv_mpi_call *call, unsigned function, const void *site)
{
	uint64_t address = (uint64_t)(uintptr_t)site;

	if (tv_mpi_depth || address - tv_mpi_code.begin < tv_mpi_code.size)
		return false;
	tv_mpi_depth = 1;
	call->site = address;
	call->function = function;
	call->recorded = call->is_send = false;
	call->comm = NULL;
	call->peer = call->tag = call->bytes = call->sequence = call->root = TV_LOG_MPI_MISSING;
	call->op = 0;
	call->nknown = 0;
	call->known = call->few_known;
	call->statuses = NULL;
	call->nentries = 0;
	call->entry = call->few_entries;
	return true;
}

/* ---- comms.c ---- */

struct tv_mpi_comm *tv_mpi_comm(MPI_Comm comm); /* NULL = MPI_COMM_NULL */
/* One that was made of another one by its collective operation `sequence`; parts: disjoint groups may
 * have got one each. */
void tv_mpi_comm_add(MPI_Comm created, const struct tv_mpi_comm *parent, int64_t sequence,
		     bool parts);
void tv_mpi_comm_forget(MPI_Comm comm);
void tv_mpi_comm_declare(struct tv_mpi_comm *comm); /* in the log */
/* A rank among the peers as that of MPI_COMM_WORLD; missing for wildcards and MPI_PROC_NULL. */
int64_t tv_mpi_world(const struct tv_mpi_comm *comm, int rank);
void tv_mpi_message(struct tv_mpi_call *call, MPI_Comm comm, int peer, int tag, int64_t bytes);
void tv_mpi_collective(struct tv_mpi_call *call, MPI_Comm comm, int root, int64_t bytes);
unsigned tv_mpi_op(MPI_Op op);

/* ---- bytes: of count values; of the own part, or of all parts; ranks that get a part ---- */

int64_t tv_mpi_bytes(int count, MPI_Datatype type);
int64_t tv_mpi_own(MPI_Comm comm, const int *count, MPI_Datatype type);
int64_t tv_mpi_sum(MPI_Comm comm, const int *count, MPI_Datatype type);
int64_t tv_mpi_sums(MPI_Comm comm, const int *count, const MPI_Datatype *type);
int64_t tv_mpi_peers(MPI_Comm comm);

/* ---- requests.c ---- */

void tv_mpi_created(struct tv_mpi_call *call, int rc, const MPI_Request *request,
		    enum tv_log_mpi_kind kind, bool persistent);
void tv_mpi_known(struct tv_mpi_call *call, int n, const MPI_Request *request);
MPI_Status *tv_mpi_statuses(struct tv_mpi_call *call, int n, MPI_Status *few);
void tv_mpi_list(struct tv_mpi_call *call);	 /* all that are known, none completed */
void tv_mpi_restarted(struct tv_mpi_call *call); /* persistent ones */
void tv_mpi_freed(struct tv_mpi_call *call, int rc);
/* The n of the known ones at index[] (NULL: the first n) have completed, with these statuses; the
 * others are listed. */
void tv_mpi_done(struct tv_mpi_call *call, int n, const int *index, const MPI_Status *status);
/* The same where not all may have succeeded: those that exist no more. */
void tv_mpi_failed(struct tv_mpi_call *call, const MPI_Request *request);
/* A blocking receive. */
void tv_mpi_received(struct tv_mpi_call *call, int rc, const MPI_Status *status);
void tv_mpi_probed(struct tv_mpi_call *call, const MPI_Message *message);
void tv_mpi_take(struct tv_mpi_call *call, const MPI_Message *message);

/* ---- clocks.c: round trips between rank 0 and the other hosts ---- */

void tv_mpi_clocks_begin(void);
void tv_mpi_clocks_end(void);
void tv_mpi_clocks_write(void); /* what was measured at the begin */

/* ---- world.c ---- */

void tv_mpi_world_begin(struct tv_mpi_call *call, int rc);
void tv_mpi_world_end(void);
void tv_mpi_world_write(void);

/* ---- statements of calls.h ---- */

#define NO_ROOT		   MPI_PROC_NULL
#define NO_OP		   MPI_OP_NULL
#define IS_SEND		   call.is_send = true
#define STARTED(what)	   tv_mpi_created(&call, rc, request, TV_LOG_MPI_##what, false)
#define CREATED(what)	   tv_mpi_created(&call, rc, request, TV_LOG_MPI_##what, true)
#define WAITED(n, request) tv_mpi_known(&call, n, request)
#define RESTARTED	   tv_mpi_restarted(&call)
#define LISTED		   tv_mpi_list(&call)
#define FREED		   tv_mpi_freed(&call, rc)
#define STATUS(status) \
	MPI_Status own_status; \
	if (status == MPI_STATUS_IGNORE) \
	status = &own_status
#define STATUSES(n, status) \
	MPI_Status own_status[FEW]; \
	if (status == MPI_STATUSES_IGNORE) \
	status = tv_mpi_statuses(&call, n, own_status)
#define ALL_DONE(flag, status) \
	if (rc != MPI_SUCCESS) \
		tv_mpi_failed(&call, request); \
	else \
		tv_mpi_done(&call, (flag) ? call.nknown : 0, NULL, status)
#define ONE_DONE(flag) \
	if (rc != MPI_SUCCESS) \
		tv_mpi_failed(&call, request); \
	else \
		tv_mpi_done(&call, (flag) && *index != MPI_UNDEFINED, index, status)
#define SOME_DONE \
	if (rc != MPI_SUCCESS) \
		tv_mpi_failed(&call, request); \
	else \
		tv_mpi_done(&call, *count == MPI_UNDEFINED ? 0 : *count, index, status)
#define COLLECTIVE(root, op_, bytes) \
	tv_mpi_collective(&call, comm, root, bytes); \
	call.op = tv_mpi_op(op_)
#define OF_ALL COLLECTIVE(NO_ROOT, NO_OP, TV_LOG_MPI_MISSING)
#define NEW_COMM(parts) \
	if (rc == MPI_SUCCESS) \
	tv_mpi_comm_add(*created, call.comm, call.sequence, parts)
#define OLD_COMM \
	call.comm = tv_mpi_comm(*comm); \
	tv_mpi_comm_forget(*comm)

#endif
