/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * requests.c -- which request is which, from its start to its completion.
 *
 * A handle does not suffice: MPI libraries give the same one to all requests that have completed
 * already. So a request is looked for by its handle and the place where the program keeps it, then
 * (the program may have moved it; Fortran's handles are translated on the stack) by its handle alone,
 * the oldest first.
 */
#include <pthread.h>
#include <string.h>

#include "record/loaded/mpi/probe.h"

enum { LISTS = 4096, BY_PLACE = 0, BY_HANDLE = 1 };

bool tv_mpi_threads;

static struct {
	pthread_mutex_t lock;
	struct tv_mpi_request *first[2][LISTS], **last[2][LISTS];
	struct tv_mpi_request *free;
} table = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void lock(void)
{
	if (tv_mpi_threads)
		pthread_mutex_lock(&table.lock);
}

static void unlock(void)
{
	if (tv_mpi_threads)
		pthread_mutex_unlock(&table.lock);
}

static unsigned list_of(int how, uint64_t bits, const void *address)
{
	uint64_t key = bits ^ (how == BY_PLACE ? BITS(address) * 31 : 0);

	return (unsigned)((key * 0x9e3779b97f4a7c15u) >> 52) % LISTS;
}

/* Requests that have another kind of handle with the same bits are no matter: their place differs. */
static struct tv_mpi_request *find(uint64_t bits, const void *address)
{
	struct tv_mpi_request *r = table.first[BY_PLACE][list_of(BY_PLACE, bits, address)];

	while (r && (r->bits != bits || r->address != address))
		r = r->next[BY_PLACE];
	if (r)
		return r;
	r = table.first[BY_HANDLE][list_of(BY_HANDLE, bits, NULL)];
	while (r && r->bits != bits)
		r = r->next[BY_HANDLE];
	return r;
}

static void insert(struct tv_mpi_request *r)
{
	for (int how = BY_PLACE; how <= BY_HANDLE; how++) {
		unsigned list = list_of(how, r->bits, r->address);
		struct tv_mpi_request **end = table.last[how][list];

		if (!table.first[how][list])
			end = &table.first[how][list];
		r->next[how] = NULL;
		r->link[how] = end;
		*end = r;
		table.last[how][list] = &r->next[how];
	}
}

/* Takes it out of the table. */
static void take(struct tv_mpi_request *r)
{
	for (int how = BY_PLACE; how <= BY_HANDLE; how++) {
		*r->link[how] = r->next[how];
		if (r->next[how])
			r->next[how]->link[how] = r->link[how];
		else
			table.last[how][list_of(how, r->bits, r->address)] = r->link[how];
	}
}

static void put_back(struct tv_mpi_request *r)
{
	lock();
	insert(r);
	unlock();
}

/* One that is not in the table. */
static void release(struct tv_mpi_request *r)
{
	if (r->comm)
		atomic_fetch_sub(&r->comm->users, 1);
	lock();
	r->next[0] = table.free;
	table.free = r;
	unlock();
}

static struct tv_mpi_request *add(uint64_t bits, const void *address, enum tv_log_mpi_kind kind,
				  struct tv_mpi_comm *comm)
{
	struct tv_mpi_request *r;

	lock();
	r = table.free;
	if (r)
		table.free = r->next[0];
	else
		r = malloc(sizeof *r);
	if (r) {
		*r = (struct tv_mpi_request){ .bits = bits,
					      .address = address,
					      .id = tv_log_id(),
					      .kind = kind,
					      .comm = comm };
		if (comm)
			atomic_fetch_add(&comm->users, 1);
		insert(r);
	}
	unlock();
	return r;
}

/* ---- what is written ---- */

static struct tv_mpi_entry *add_entry(struct tv_mpi_call *call, uint64_t id,
				      enum tv_log_mpi_kind kind, bool completed)
{
	uint32_t max = (uint32_t)call->nknown + 1;

	if (call->nentries == FEW + 1 && call->entry == call->few_entries) {
		struct tv_mpi_entry *more = malloc(max * sizeof *more);

		if (!more)
			return NULL;
		memcpy(more, call->few_entries, sizeof call->few_entries);
		call->entry = more;
	}
	call->entry[call->nentries] = (struct tv_mpi_entry){
		TV_LOG_MPI_REQUEST(id, kind, completed), TV_LOG_MPI_PEER_TAG(INT32_MIN, 0),
		(uint64_t)TV_LOG_MPI_MISSING
	};
	return &call->entry[call->nentries++];
}

/* What has arrived. Nothing from MPI_PROC_NULL, or if the receive was cancelled. */
static void set_arrived(struct tv_mpi_entry *entry, const MPI_Status *status,
			const struct tv_mpi_comm *comm)
{
	MPI_Status copy = *status;
	MPI_Count bytes = 0;
	int cancelled = 0;
	int64_t source = comm ? tv_mpi_world(comm, copy.MPI_SOURCE) : TV_LOG_MPI_MISSING;

	if (!entry || source == TV_LOG_MPI_MISSING)
		return;
	PMPI_Test_cancelled(&copy, &cancelled);
	if (cancelled)
		return;
	PMPI_Get_elements_x(&copy, MPI_BYTE, &bytes);
	entry->peer_tag = TV_LOG_MPI_PEER_TAG(source, copy.MPI_TAG);
	entry->bytes = (uint64_t)bytes;
}

static void complete(struct tv_mpi_call *call, struct tv_mpi_request *r, const MPI_Status *status)
{
	struct tv_mpi_entry *entry = add_entry(call, r->id, r->kind, true);

	if (r->kind == TV_LOG_MPI_RECEIVE && status)
		set_arrived(entry, status, r->comm);
	r->active = false;
	if (r->persistent)
		put_back(r);
	else
		release(r);
}

/* ---- requests begin ---- */

void tv_mpi_created(struct tv_mpi_call *call, int rc, const MPI_Request *request,
		    enum tv_log_mpi_kind kind, bool persistent)
{
	struct tv_mpi_request *r;

	if (rc != MPI_SUCCESS || *request == MPI_REQUEST_NULL)
		return;
	r = add(BITS(*request), request, kind, call->comm);
	if (!r)
		return;
	r->persistent = persistent;
	r->active = !persistent;
	add_entry(call, r->id, kind, false);
}

/* ---- requests are waited for ---- */

void tv_mpi_known(struct tv_mpi_call *call, int n, const MPI_Request *request)
{
	if (n > FEW) {
		struct tv_mpi_request **more = malloc((size_t)n * sizeof *more);

		if (!more)
			return;
		call->known = more;
	}
	call->nknown = n > 0 ? n : 0;
	lock();
	for (int i = 0; i < n; i++) {
		struct tv_mpi_request *r = NULL;

		if (request[i] != MPI_REQUEST_NULL)
			r = find(BITS(request[i]), &request[i]);
		call->known[i] = r;
		/* Of several with the same handle each is another one. */
		if (r)
			take(r);
	}
	unlock();
}

MPI_Status *tv_mpi_statuses(struct tv_mpi_call *call, int n, MPI_Status *few)
{
	if (n <= FEW)
		return few;
	call->statuses = malloc((size_t)n * sizeof *call->statuses);
	return call->statuses ? call->statuses : MPI_STATUSES_IGNORE;
}

/* Lists what has not completed, and what is not active if that is asked for. */
static void list_others(struct tv_mpi_call *call, bool all)
{
	for (int i = 0; i < call->nknown; i++) {
		struct tv_mpi_request *r = call->known[i];

		if (!r)
			continue;
		if (all || r->active)
			add_entry(call, r->id, r->kind, false);
		put_back(r);
	}
}

void tv_mpi_list(struct tv_mpi_call *call)
{
	list_others(call, true);
}

void tv_mpi_restarted(struct tv_mpi_call *call)
{
	for (int i = 0; i < call->nknown; i++)
		if (call->known[i])
			call->known[i]->active = true;
	list_others(call, true);
}

void tv_mpi_freed(struct tv_mpi_call *call, int rc)
{
	struct tv_mpi_request *r = call->nknown > 0 ? call->known[0] : NULL;

	if (!r)
		return;
	add_entry(call, r->id, r->kind, false);
	if (rc == MPI_SUCCESS)
		release(r);
	else
		put_back(r);
}

void tv_mpi_done(struct tv_mpi_call *call, int n, const int *index, const MPI_Status *status)
{
	for (int i = 0; i < n; i++) {
		int at = index ? index[i] : i;
		struct tv_mpi_request *r = at >= 0 && at < call->nknown ? call->known[at] : NULL;

		/* Those that were not started complete nothing. */
		if (!r || !r->active)
			continue;
		call->known[at] = NULL;
		complete(call, r, status == MPI_STATUSES_IGNORE ? NULL : &status[i]);
	}
	list_others(call, false);
}

void tv_mpi_failed(struct tv_mpi_call *call, const MPI_Request *request)
{
	for (int i = 0; i < call->nknown; i++)
		if (call->known[i] && request[i] == MPI_REQUEST_NULL) {
			complete(call, call->known[i], NULL);
			call->known[i] = NULL;
		}
	list_others(call, false);
}

/* ---- messages ---- */

void tv_mpi_received(struct tv_mpi_call *call, int rc, const MPI_Status *status)
{
	/* One that was probed before is listed already. */
	struct tv_mpi_entry *entry = call->nentries > 0
					   ? &call->entry[0]
					   : add_entry(call, 0, TV_LOG_MPI_RECEIVE, true);

	if (rc == MPI_SUCCESS)
		set_arrived(entry, status, call->comm);
}

void tv_mpi_probed(struct tv_mpi_call *call, const MPI_Message *message)
{
	struct tv_mpi_request *r;

	if (*message == MPI_MESSAGE_NULL || *message == MPI_MESSAGE_NO_PROC)
		return;
	r = add(BITS(*message), message, TV_LOG_MPI_PROBED, call->comm);
	if (r)
		add_entry(call, r->id, TV_LOG_MPI_PROBED, false);
}

void tv_mpi_take(struct tv_mpi_call *call, const MPI_Message *message)
{
	struct tv_mpi_request *r;

	lock();
	r = find(BITS(*message), message);
	if (r)
		take(r);
	unlock();
	if (!r)
		return;
	call->comm = r->comm;
	add_entry(call, r->id, TV_LOG_MPI_PROBED, true);
	release(r);
}
