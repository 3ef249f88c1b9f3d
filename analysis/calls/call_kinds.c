/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call_kinds.c -- what an MPI function waits for, by its name. */
#include "analysis/calls/call_kinds.h"

#include <stdlib.h>
#include <strings.h>

#include "trace/error.h"

/* Ascending; names that begin and continue differently have one row each. */
static const struct known {
	const char *name; /* without MPI_, and without the I of nonblocking ones */
	enum tv_call_kind kind;
	enum tv_send_mode mode;
} known[] = {
	{ "accumulate", TV_KIND_FIXED, 0 },
	{ "allgather", TV_KIND_ALL, 0 },
	{ "allgatherv", TV_KIND_ALL, 0 },
	{ "allreduce", TV_KIND_ALL, 0 },
	{ "alltoall", TV_KIND_ALL, 0 },
	{ "alltoallv", TV_KIND_ALL, 0 },
	{ "alltoallw", TV_KIND_ALL, 0 },
	{ "barrier", TV_KIND_ALL, 0 },
	{ "bcast", TV_KIND_FROM_ROOT, 0 },
	{ "bsend", TV_KIND_SEND, TV_SEND_BUFFERED },
	{ "cart_create", TV_KIND_ALL, 0 },
	{ "cart_sub", TV_KIND_ALL, 0 },
	{ "comm_accept", TV_KIND_FIXED, 0 },
	{ "comm_connect", TV_KIND_FIXED, 0 },
	{ "comm_create", TV_KIND_ALL, 0 },
	{ "comm_create_group", TV_KIND_FIXED, 0 },
	{ "comm_disconnect", TV_KIND_FIXED, 0 },
	{ "comm_dup", TV_KIND_ALL, 0 },
	{ "comm_dup_with_info", TV_KIND_ALL, 0 },
	{ "comm_spawn", TV_KIND_FIXED, 0 },
	{ "comm_spawn_multiple", TV_KIND_FIXED, 0 },
	{ "comm_split", TV_KIND_ALL, 0 },
	{ "comm_split_type", TV_KIND_ALL, 0 },
	{ "compare_and_swap", TV_KIND_FIXED, 0 },
	{ "dist_graph_create", TV_KIND_ALL, 0 },
	{ "dist_graph_create_adjacent", TV_KIND_ALL, 0 },
	{ "exscan", TV_KIND_SCAN, 0 },
	{ "fetch_and_op", TV_KIND_FIXED, 0 },
	{ "finalize", TV_KIND_FINALIZE, 0 },
	{ "gather", TV_KIND_TO_ROOT, 0 },
	{ "gatherv", TV_KIND_TO_ROOT, 0 },
	{ "get", TV_KIND_FIXED, 0 },
	{ "get_accumulate", TV_KIND_FIXED, 0 },
	{ "graph_create", TV_KIND_ALL, 0 },
	{ "init", TV_KIND_INIT, 0 },
	{ "init_thread", TV_KIND_INIT, 0 },
	{ "intercomm_create", TV_KIND_FIXED, 0 },
	{ "intercomm_merge", TV_KIND_FIXED, 0 },
	{ "mprobe", TV_KIND_MPROBE, 0 },
	{ "mrecv", TV_KIND_MRECV, 0 },
	{ "probe", TV_KIND_PROBE, 0 },
	{ "put", TV_KIND_FIXED, 0 },
	{ "raccumulate", TV_KIND_FIXED, 0 },
	{ "recv", TV_KIND_RECEIVE, 0 },
	{ "reduce", TV_KIND_TO_ROOT, 0 },
	{ "reduce_scatter", TV_KIND_ALL, 0 },
	{ "reduce_scatter_block", TV_KIND_ALL, 0 },
	{ "rget", TV_KIND_FIXED, 0 },
	{ "rget_accumulate", TV_KIND_FIXED, 0 },
	{ "rput", TV_KIND_FIXED, 0 },
	{ "rsend", TV_KIND_SEND, TV_SEND_BUFFERED },
	{ "scan", TV_KIND_SCAN, 0 },
	{ "scatter", TV_KIND_FROM_ROOT, 0 },
	{ "scatterv", TV_KIND_FROM_ROOT, 0 },
	{ "send", TV_KIND_SEND, TV_SEND_STANDARD },
	{ "sendrecv", TV_KIND_EXCHANGE, TV_SEND_STANDARD },
	{ "sendrecv_replace", TV_KIND_EXCHANGE, TV_SEND_STANDARD },
	{ "ssend", TV_KIND_SEND, TV_SEND_SYNCHRONOUS },
	{ "win_allocate", TV_KIND_ALL, 0 },
	{ "win_allocate_shared", TV_KIND_ALL, 0 },
	{ "win_create", TV_KIND_ALL, 0 },
	{ "win_create_dynamic", TV_KIND_ALL, 0 },
	{ "win_fence", TV_KIND_ALL, 0 },
	{ "win_free", TV_KIND_ALL, 0 },
};

/* Functions of which all waits are unknown: operations on windows, files, between neighbors. */
static const char *const fixed_families[] = { "file_", "win_", "neighbor_" };

static int by_name(const void *name, const void *row)
{
	return strcasecmp(name, ((const struct known *)row)->name);
}

static const struct known *find(const char *name)
{
	return bsearch(name, known, TV_COUNT(known), sizeof *known, by_name);
}

/* MPI_Send_init is a send that another call starts. */
static const struct known *find_persistent(const char *name)
{
	static const char *const suffixed[] = { "bsend", "recv", "rsend", "send", "ssend" };

	for (size_t i = 0; i < TV_COUNT(suffixed); i++)
		if (strncasecmp(name, suffixed[i], strlen(suffixed[i])) == 0
		    && strcasecmp(name + strlen(suffixed[i]), "_init") == 0)
			return find(suffixed[i]);
	return NULL;
}

static bool is_fixed(const char *name)
{
	static const char *const local[] = { "win_sync", "win_test" };

	for (size_t i = 0; i < TV_COUNT(local); i++)
		if (strcasecmp(name, local[i]) == 0)
			return false;
	for (size_t i = 0; i < TV_COUNT(fixed_families); i++)
		if (strncasecmp(name, fixed_families[i], strlen(fixed_families[i])) == 0)
			return true;
	return false;
}

struct tv_call_kind_of tv_call_kind_named(const char *name)
{
	const struct known *k;
	struct tv_call_kind_of of = { .kind = TV_KIND_LOCAL };

	if (strncasecmp(name, "MPI_", 4) == 0)
		name += 4;
	of.is_barrier = strcasecmp(name, "barrier") == 0 || strcasecmp(name, "ibarrier") == 0;
	k = find(name);
	if (k == NULL) {
		k = find_persistent(name);
		if (k == NULL && (name[0] == 'i' || name[0] == 'I')) {
			name++;
			k = find(name);
		}
		if (k == NULL && strcasecmp(name, "comm_idup") == 0)
			k = find("comm_dup");
		of.starts = k != NULL;
	}
	if (k != NULL) {
		of.kind = (uint8_t)k->kind;
		of.mode = (uint8_t)k->mode;
	} else if (is_fixed(name)) {
		of.kind = TV_KIND_FIXED;
	}
	return of;
}
