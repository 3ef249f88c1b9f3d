/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpi_calls.c -- what MPI's functions are, by their names. */
#include "convert/mpi_calls.h"

#include <string.h>
#include <strings.h>

#include "trace/alloc.h"
#include "trace/trace.h"

/* Functions that communicate and return when it is done; with an I before, those that start it. */
static const char *const communicates[] = {
	"send",
	"recv",
	"bsend",
	"ssend",
	"rsend",
	"sendrecv",
	"sendrecv_replace",
	"mrecv",
	"barrier",
	"bcast",
	"gather",
	"gatherv",
	"scatter",
	"scatterv",
	"allgather",
	"allgatherv",
	"alltoall",
	"alltoallv",
	"alltoallw",
	"reduce",
	"allreduce",
	"reduce_scatter",
	"reduce_scatter_block",
	"scan",
	"exscan",
	"neighbor_allgather",
	"neighbor_allgatherv",
	"neighbor_alltoall",
	"neighbor_alltoallv",
	"neighbor_alltoallw",
};

static bool is_one(struct tv_word name, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strlen(list[i]) == name.n && strncasecmp(list[i], name.s, name.n) == 0)
			return true;
	return false;
}

const char *tv_mpi_class(struct tv_word name)
{
	static const char *const waits[] = { "wait", "waitall", "waitany", "waitsome" };
	static const char *const tests[] = { "test",	 "testall", "testany",
					     "testsome", "iprobe",  "improbe" };
	static const char *const starts[] = { "start", "startall" };
	static const char *const probes[] = { "probe", "mprobe" };
	struct tv_word rest = { name.s + 1, name.n - 1 };

	if (is_one(name, waits, TV_COUNT(waits)))
		return "wait";
	if (is_one(name, tests, TV_COUNT(tests)))
		return "test";
	if (is_one(name, starts, TV_COUNT(starts))
	    || ((name.s[0] == 'I' || name.s[0] == 'i')
		&& is_one(rest, communicates, TV_COUNT(communicates))))
		return "start";
	return is_one(name, communicates, TV_COUNT(communicates))
			    || is_one(name, probes, TV_COUNT(probes))
		     ? "blocking"
		     : "other";
}

bool tv_mpi_is(struct tv_word name, const char *word)
{
	size_t length = strlen(word);

	for (size_t i = 0; i + length <= name.n; i++)
		if (strncasecmp(name.s + i, word, length) == 0)
			return true;
	return false;
}
