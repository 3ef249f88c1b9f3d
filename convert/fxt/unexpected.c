/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * unexpected.c -- messages that arrive before the program requests them.
 *
 * StarPU-MPI receives such a message into a temporary handle, which the message releases (job R).
 * The request then acquires that handle (job A), copies its data, releases it (A'), unregisters it,
 * which acquires and releases it again (U, U'), and at last releases its own handle (T): the tasks
 * that use the data wait for T. The trace contains R -> A -> A' -> U -> U', but nothing that leads
 * from there to T.
 *
 * But one thread submits A', U' and T in a row, and it has announced T, as the successor of the
 * acquisition of the request's own handle, before A. So T is the next acquisition that this thread
 * submits after U', unless it has ended in between what it did around A': a callback, or a step of
 * MPI. (Where a program itself waits for a request, its T comes later and is not known.)
 */
#include "convert/fxt/unexpected.h"

#include <inttypes.h>

#include "convert/fxt/fxt.h"
#include "trace/alloc.h"

/* The job before, if a job depends on only one. */
static uint32_t before(const struct tv_fxt_rank *rank, uint32_t job)
{
	return job == TV_NONE ? TV_NONE : rank->tasks.job[job].before;
}

/* Handles that the program has given to StarPU-MPI have a tag and a rank. */
void tv_fxt_received(struct tv_fxt_rank *rank, uint32_t job, uint64_t address)
{
	const struct tv_fxt_handle *handle = tv_fxt_handle_at(rank, address);

	if (job != TV_NONE)
		rank->tasks.job[job].received = handle == NULL
					     || (!handle->has_tag && !handle->has_owner);
}

/* R of a job A'; TV_NONE if it is no such job. The handle is new: nothing used it before. */
static uint32_t find_received(const struct tv_fxt_rank *rank, uint32_t job)
{
	uint32_t received = before(rank, before(rank, job)), first = before(rank, received);

	return first != TV_NONE && rank->tasks.job[received].received
			    && rank->tasks.job[first].first_need == TV_NONE
		     ? received
		     : TV_NONE;
}

static struct tv_fxt_taking *find_taking(const struct tv_fxt_rank *rank, uint64_t tid)
{
	const uint32_t *index = tv_map_get(&rank->unexpected.taking_of, tid, 0);

	return index != NULL ? &rank->unexpected.taking[*index] : NULL;
}

static void begin_taking(struct tv_fxt_rank *rank, uint32_t job, uint64_t tid)
{
	struct tv_fxt_unexpected *u = &rank->unexpected;
	struct tv_fxt_taking *taking = find_taking(rank, tid);

	if (taking == NULL) {
		TV_GROW(u->taking, u->ntaking, u->taking_cap, 1);
		tv_map_put(&u->taking_of, tid, 0, (uint32_t)u->ntaking);
		taking = &u->taking[u->ntaking++];
	}
	*taking = (struct tv_fxt_taking){ .released = job, .unregistered = TV_NONE };
}

/* Whether a job goes on with what the thread does: it is U, U' or T. */
static bool continues(struct tv_fxt_rank *rank, struct tv_fxt_taking *taking, uint32_t job)
{
	uint32_t acquired = before(rank, taking->released);

	if (before(rank, job) == taking->released)
		return true;
	if (before(rank, before(rank, job)) == taking->released) {
		taking->unregistered = job;
		tv_map_put(&rank->unexpected.taker, before(rank, acquired), 0, TV_NONE);
		return true;
	}
	/* Jobs are numbered as the trace first mentions them. */
	if (taking->unregistered != TV_NONE && taking->depth == 0 && job < acquired
	    && rank->tasks.job[job].first_need != TV_NONE)
		tv_map_put(&rank->unexpected.taker, before(rank, acquired), 0, job);
	return false;
}

void tv_fxt_acquisition(struct tv_fxt_rank *rank, uint32_t job, uint64_t tid)
{
	struct tv_fxt_taking *taking = find_taking(rank, tid);

	if (taking != NULL && taking->released != TV_NONE && continues(rank, taking, job))
		return;
	if (find_received(rank, job) != TV_NONE)
		begin_taking(rank, job, tid);
	else
		tv_fxt_end_taking(rank, tid);
}

void tv_fxt_nest_taking(struct tv_fxt_rank *rank, uint64_t tid, int step)
{
	struct tv_fxt_taking *taking = find_taking(rank, tid);

	if (taking != NULL && (taking->depth += step) < 0)
		taking->released = TV_NONE;
}

void tv_fxt_end_taking(struct tv_fxt_rank *rank, uint64_t tid)
{
	struct tv_fxt_taking *taking = find_taking(rank, tid);

	if (taking != NULL)
		taking->released = TV_NONE;
}

uint32_t tv_fxt_taker(const struct tv_fxt_rank *rank, uint32_t received)
{
	const uint32_t *taker = tv_map_get(&rank->unexpected.taker, received, 0);

	return taker != NULL ? *taker : TV_NONE;
}

void tv_fxt_count_takers(const struct tv_fxt_rank *rank, uint64_t *known, uint64_t *unknown)
{
	const struct tv_map *taker = &rank->unexpected.taker;

	*known += rank->unexpected.known;
	*unknown += rank->unexpected.unknown;
	for (size_t k = 0; k < taker->size; k++) {
		*known += taker->slot[k].used && taker->slot[k].value != TV_NONE;
		*unknown += taker->slot[k].used && taker->slot[k].value == TV_NONE;
	}
}

void tv_fxt_report_unexpected(struct tv_fxt_run *run)
{
	uint64_t known = 0, unknown = 0;

	for (size_t i = 0; i < run->nranks; i++)
		tv_fxt_count_takers(&run->rank[i], &known, &unknown);
	if (known > 0)
		tv_meta_add(run->trace, "UnexpectedMessages", "%" PRIu64, known);
	if (unknown == 0)
		return;
	tv_meta_add(run->trace, "UnexpectedMessagesWithoutTask", "%" PRIu64, unknown);
	tv_notice(run->trace,
		  "%" PRIu64 " messages arrived before they were requested, and the trace does not "
		  "show which request took their data: no task depends on them",
		  unknown);
}

void tv_fxt_release_unexpected(struct tv_fxt_unexpected *unexpected)
{
	tv_free(unexpected->taking);
	tv_map_release(&unexpected->taking_of);
	tv_map_release(&unexpected->taker);
}
