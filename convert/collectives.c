/* SPDX-License-Identifier: GPL-3.0-or-later */
/* collectives.c -- goes through the operations of a communicator; a process that missed some waits until its next one comes. */
#include "convert/collectives.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "trace/alloc.h"
#include "trace/sorted.h"

/* Calls that are compared behind a gap, and places on either side of the most likely one. */
enum { LOOK = 32 };

/* The calls of a process on a communicator that have no number yet: next..end. */
struct line {
	size_t next, end;
	size_t wait; /* for so many operations of others */
};

TV_ORDER(by_process, struct tv_collective, comm, process, start, row)

static bool synchronizes(const char *function)
{
	static const char *const all[] = { "MPI_Barrier", "MPI_All", "MPI_Reduce_scatter" };

	for (size_t i = 0; i < TV_COUNT(all); i++)
		if (strncasecmp(function, all[i], strlen(all[i])) == 0)
			return true;
	return false;
}

static void find_runs(const struct tv_trace *trace, struct tv_collective *call, size_t n)
{
	for (size_t i = n; i-- > 0;) {
		bool first = i == 0 || call[i - 1].comm != call[i].comm
			  || call[i - 1].process != call[i].process,
		     last = i + 1 == n || call[i + 1].comm != call[i].comm
			 || call[i + 1].process != call[i].process;

		call[i].after_gap = call[i].gaps != (first ? 0 : call[i - 1].gaps);
		call[i].run_end = last || call[i + 1].after_gap ? i + 1 : call[i + 1].run_end;
		call[i].synchronizes = synchronizes(tv_pool_text(trace->pool, call[i].name));
	}
}

static bool can_be_one(const struct tv_collective *a, const struct tv_collective *b)
{
	return a->name == b->name
	    && (!a->synchronizes || (a->start <= b->end && b->start <= a->end));
}

/* The mean difference of the ends of the calls from a and b on; infinite if they are not the same operations. */
static double difference(const struct tv_collective *call, size_t a, size_t b)
{
	double sum = 0;
	size_t i = 0;

	for (; i < LOOK && a + i < call[a].run_end && b + i < call[b].run_end; i++) {
		if (!can_be_one(&call[a + i], &call[b + i]))
			return INFINITY;
		sum += fabs((double)(call[a + i].end - call[b + i].end));
	}
	return sum / (double)i;
}

/* How many operations, from the call `other` on, lie before the call `next` of another process; all of the run: it has no such. */
static size_t missed(const struct tv_collective *call, size_t next, size_t other)
{
	size_t end = call[other].run_end, likely, at, best = end;
	double least = DBL_MAX;

	TV_LOWER_BOUND(likely, other, end, call[likely].end < call[next].end);
	at = likely - other > LOOK ? likely - LOOK : other;
	for (; at < end && at < likely + LOOK; at++) {
		double apart = difference(call, next, at);

		if (apart < least) {
			least = apart;
			best = at;
		}
	}
	return best - other;
}

/* The process whose next operation is the next one of all: it does not wait, and if there is one, has no gap before it. */
static size_t find_lead(const struct tv_collective *call, const struct line *line, size_t n)
{
	size_t lead = SIZE_MAX;

	for (size_t i = 0; i < n; i++) {
		const struct tv_collective *next = &call[line[i].next],
					   *best = lead == SIZE_MAX ? NULL : &call[line[lead].next];

		if (line[i].wait == 0
		    && (best == NULL || next->after_gap < best->after_gap
			|| (next->after_gap && best->after_gap && next->end < best->end)))
			lead = i;
	}
	return lead;
}

/* The calls of one operation get its number. Returns how many processes missed it. */
static size_t number_one(struct tv_column *sequence, struct tv_collective *call, struct line *line,
			 size_t n, int64_t number)
{
	size_t lead = find_lead(call, line, n), other = line[lead].next, missing = 0;

	call[other].after_gap = false;
	for (size_t i = 0; i < n; i++) {
		struct tv_collective *next = &call[line[i].next];

		if (next->after_gap && line[i].wait == 0) {
			line[i].wait = missed(call, line[i].next, other);
			next->after_gap = other + line[i].wait == call[other].run_end;
		}
		if (line[i].wait > 0) {
			line[i].wait--;
			missing++;
		} else {
			next->sequence = number;
			tv_set_int(sequence, next->row, number);
			line[i].next++;
		}
	}
	return missing;
}

/* The calls of one communicator. Returns how often a process missed an operation. */
static uint64_t number_all(struct tv_column *sequence, struct tv_collective *call, size_t first,
			   size_t end, struct line *line)
{
	uint64_t missing = 0;
	size_t n = 0;

	for (size_t i = first; i < end; i++) {
		if (i == first || call[i - 1].process != call[i].process)
			line[n++] = (struct line){ .next = i };
		line[n - 1].end = i + 1;
	}
	for (int64_t number = 0; n > 0; number++) {
		size_t left = 0;

		missing += number_one(sequence, call, line, n, number);
		for (size_t i = 0; i < n; i++)
			if (line[i].next < line[i].end)
				line[left++] = line[i];
		n = left;
	}
	return missing;
}

void tv_collectives_number(struct tv_trace *trace, struct tv_collective *call, size_t n)
{
	struct line *line = tv_alloc(n, sizeof *line);
	struct tv_column *sequence = n > 0 ? tv_trace_column(trace, TV_CALLS, "Sequence") : NULL;
	uint64_t missing = 0;

	if (n > 0)
		qsort(call, n, sizeof *call, by_process);
	find_runs(trace, call, n);
	for (size_t first = 0, end; first < n; first = end) {
		for (end = first; end < n && call[end].comm == call[first].comm;)
			end++;
		missing += number_all(sequence, call, first, end, line);
	}
	if (missing > 0)
		tv_notice(trace,
			  "calls of collective operations that were not recorded: %" PRIu64
			  "; those behind the gaps are matched by function and time",
			  missing);
	tv_free(line);
}
