/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * comms.c -- communicators, by names that are the same on all their ranks.
 *
 * The name of a communicator is that of the one that it was made of, and the number of the collective
 * operation that did so, which is the same on all ranks: "world/3". Where several groups got one, the
 * rank of the first member in MPI_COMM_WORLD follows: "world/5:0". One that was made otherwise has a
 * name made of its members: "group-HASH". Nothing is communicated for that.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "record/loaded/mpi/probe.h"

enum { LISTS = 256 };

static _Atomic(struct tv_mpi_comm *) list[LISTS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t numbers;
static MPI_Group world_group = MPI_GROUP_NULL;

static _Atomic(struct tv_mpi_comm *) *list_of(uint64_t bits)
{
	return &list[(bits * 0x9e3779b97f4a7c15u) >> 56];
}

static struct tv_mpi_comm *find(uint64_t bits)
{
	struct tv_mpi_comm *comm = atomic_load_explicit(list_of(bits), memory_order_acquire);

	while (comm && atomic_load_explicit(&comm->bits, memory_order_acquire) != bits)
		comm = atomic_load_explicit(&comm->next, memory_order_acquire);
	return comm;
}

/* A struct of the list that is of no use any more, or a new one. */
static struct tv_mpi_comm *get_free(_Atomic(struct tv_mpi_comm *) *first)
{
	struct tv_mpi_comm *comm = atomic_load(first);

	while (comm && (atomic_load(&comm->bits) || atomic_load(&comm->users)))
		comm = atomic_load(&comm->next);
	if (comm) {
		free(comm->world);
		comm->world = NULL;
		return comm;
	}
	comm = calloc(1, sizeof *comm);
	if (comm) {
		atomic_store(&comm->next, atomic_load(first));
		atomic_store(first, comm);
	}
	return comm;
}

static uint64_t hash(uint64_t h, uint64_t value)
{
	return (h ^ value) * 0x100000001b3;
}

static uint64_t hash_text(const char *text)
{
	uint64_t h = 0xcbf29ce484222325;

	for (; *text; text++)
		h = hash(h, (unsigned char)*text);
	return h;
}

/* The ranks of a group in MPI_COMM_WORLD, MPI_UNDEFINED for others; NULL: no memory. */
static int *world_ranks(MPI_Group group, int n)
{
	int *rank = malloc(2 * (size_t)(n + 1) * sizeof *rank);

	if (!rank)
		return NULL;
	for (int i = 0; i < n; i++)
		rank[n + i] = i;
	PMPI_Group_translate_ranks(group, n, rank + n, world_group, rank);
	return rank;
}

static bool is_identity(const int *rank, int n)
{
	for (int i = 0; i < n; i++)
		if (rank[i] != i)
			return false;
	return true;
}

/* A name made of the members: those of both sides of an intercommunicator, in the same order on both. */
static void name_by_members(struct tv_mpi_comm *comm, const int *own, int n, const int *peer,
			    int npeers)
{
	static struct {
		uint64_t members;
		unsigned count;
	} seen[64];
	uint64_t a = 0xcbf29ce484222325, b = a;
	unsigned i;

	for (int k = 0; k < n; k++)
		a = hash(a, (uint64_t)(unsigned)own[k]);
	for (int k = 0; peer && k < npeers; k++)
		b = hash(b, (uint64_t)(unsigned)peer[k]);
	if (peer)
		a = a < b ? hash(a, b) : hash(b, a);
	for (i = 0; i < 63 && seen[i].members != a && seen[i].members; i++)
		;
	seen[i].members = a;
	snprintf(comm->name, sizeof comm->name, "group-%016llx.%u", (unsigned long long)a,
		 seen[i].count++);
}

static void name_by_parent(struct tv_mpi_comm *comm, const struct tv_mpi_comm *parent,
			   int64_t sequence, int first)
{
	char text[sizeof parent->name + 48];
	int n = snprintf(text, sizeof text, "%s/%lld", parent->name, (long long)sequence);

	if (first >= 0)
		n += snprintf(text + n, sizeof text - (size_t)n, ":%d", first);
	if (n < (int)sizeof comm->name)
		memcpy(comm->name, text, (size_t)n + 1);
	else
		snprintf(comm->name, sizeof comm->name, "world/%016llx",
			 (unsigned long long)hash_text(text));
}

/* With the lock. */
static struct tv_mpi_comm *add(MPI_Comm handle, const struct tv_mpi_comm *parent, int64_t sequence,
			       bool parts)
{
	_Atomic(struct tv_mpi_comm *) *first = list_of(BITS(handle));
	struct tv_mpi_comm *comm = get_free(first);
	MPI_Group own, peers;
	int is_inter = 0, *rank, *peer = NULL;

	if (!comm)
		return NULL;
	if (world_group == MPI_GROUP_NULL)
		PMPI_Comm_group(MPI_COMM_WORLD, &world_group);
	PMPI_Comm_test_inter(handle, &is_inter);
	PMPI_Comm_rank(handle, &comm->rank);
	PMPI_Comm_size(handle, &comm->size);
	PMPI_Comm_group(handle, &own);
	rank = world_ranks(own, comm->size);
	PMPI_Group_free(&own);
	comm->peers = comm->size;
	if (is_inter) {
		PMPI_Comm_remote_size(handle, &comm->peers);
		PMPI_Comm_remote_group(handle, &peers);
		peer = world_ranks(peers, comm->peers);
		PMPI_Group_free(&peers);
	}
	if (handle == MPI_COMM_WORLD)
		snprintf(comm->name, sizeof comm->name, "world");
	else if (handle == MPI_COMM_SELF && rank)
		snprintf(comm->name, sizeof comm->name, "self:%d", rank[0]);
	else if (parent && rank)
		name_by_parent(comm, parent, sequence, parts ? rank[0] : -1);
	else if (rank)
		name_by_members(comm, rank, comm->size, peer, comm->peers);
	if (is_inter) {
		free(rank);
		rank = peer;
	}
	if (rank && !is_identity(rank, comm->peers)) {
		comm->world = rank;
	} else {
		free(rank);
	}
	comm->number = ++numbers;
	atomic_store(&comm->declared, 0);
	atomic_store(&comm->sequence, 0);
	atomic_store_explicit(&comm->bits, BITS(handle), memory_order_release);
	return comm;
}

struct tv_mpi_comm *tv_mpi_comm(MPI_Comm handle)
{
	struct tv_mpi_comm *comm;

	if (handle == MPI_COMM_NULL)
		return NULL;
	comm = find(BITS(handle));
	if (comm)
		return comm;
	pthread_mutex_lock(&lock);
	comm = find(BITS(handle));
	if (!comm)
		comm = add(handle, NULL, 0, false);
	pthread_mutex_unlock(&lock);
	return comm;
}

void tv_mpi_comm_add(MPI_Comm created, const struct tv_mpi_comm *parent, int64_t sequence,
		     bool parts)
{
	if (created == MPI_COMM_NULL)
		return;
	pthread_mutex_lock(&lock);
	add(created, parent, sequence, parts);
	pthread_mutex_unlock(&lock);
}

void tv_mpi_comm_forget(MPI_Comm handle)
{
	struct tv_mpi_comm *comm = handle != MPI_COMM_NULL ? find(BITS(handle)) : NULL;

	if (comm)
		atomic_store(&comm->bits, 0);
}

void tv_mpi_comm_declare(struct tv_mpi_comm *comm)
{
	atomic_store_explicit(&comm->declared, tv_mpi_process, memory_order_relaxed);
	tv_log_write(TV_LOG_MPI_COMM, 0, 3,
		     (uint64_t[]){ comm->number, (uint64_t)comm->rank, (uint64_t)comm->size },
		     comm->name, strlen(comm->name));
}

int64_t tv_mpi_world(const struct tv_mpi_comm *comm, int rank)
{
	if (rank < 0 || rank >= comm->peers)
		return TV_LOG_MPI_MISSING;
	if (!comm->world)
		return rank;
	return comm->world[rank] >= 0 ? comm->world[rank] : TV_LOG_MPI_MISSING;
}

void tv_mpi_message(struct tv_mpi_call *call, MPI_Comm handle, int peer, int tag, int64_t bytes)
{
	call->comm = tv_mpi_comm(handle);
	call->peer = call->comm ? tv_mpi_world(call->comm, peer) : TV_LOG_MPI_MISSING;
	call->tag = tag == MPI_ANY_TAG ? TV_LOG_MPI_MISSING : tag;
	call->bytes = bytes;
}

void tv_mpi_collective(struct tv_mpi_call *call, MPI_Comm handle, int root, int64_t bytes)
{
	call->comm = tv_mpi_comm(handle);
	call->bytes = bytes;
	if (!call->comm)
		return;
	call->root = tv_mpi_world(call->comm, root);
	call->sequence = atomic_fetch_add(&call->comm->sequence, 1);
}
