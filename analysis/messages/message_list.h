/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * message_list.h -- the messages between the nodes of a run, one struct each.
 *
 * A message is a row of links of the Type "MPI communication": it starts when its send is posted and
 * ends when its receive has completed. The node of an end is that of its resource: resources.Node,
 * else what the resource's name says. A message that was received before it was sent (clocks that
 * differ) ends where it starts.
 */
#ifndef TV_MESSAGE_LIST_H
#define TV_MESSAGE_LIST_H

#include "analysis/core/run.h"
#include "trace/clocks.h"

#define TV_NO_TIME INT64_MIN /* the trace does not contain this instant */

struct tv_message {
	uint32_t link;		       /* its row of links */
	uint32_t key, tag, handle;     /* labels; TV_NONE = missing */
	uint32_t origin, dest;	       /* nodes: places in tv_messages.node */
	int64_t start, end;	       /* ns; start <= end */
	int64_t send_end;	       /* when the send had completed, ns, or TV_NO_TIME */
	int64_t receive_start;	       /* when the receive was posted, ns, or TV_NO_TIME */
	int64_t size;		       /* bytes; 0 where unknown */
	bool sized;		       /* the trace contains its size */
	bool early;		       /* received before it was sent */
	bool open;		       /* the trace ends before it: its duration is none */
	uint32_t origin_job, dest_job; /* labels of the tasks at both ends; TV_NONE = missing */
	uint32_t row;		       /* of tasks: its node of the graph; TV_NONE = it has none */
};

struct tv_messages {
	struct tv_message *at; /* in order of start, equal ones in order of their links */
	uint32_t n;
	uint32_t *node; /* labels of the nodes of workers and messages, in natural order */
	uint32_t nnodes;
	uint32_t nearly;      /* received before they were sent */
	uint32_t nunsized;    /* without Size */
	uint32_t nincomplete; /* left out: without Start, End, Origin or Dest */
};

/*
 * Collected at the first call, kept with the run, which owns them. Of a part of a run (tv_run_rows) those of its links. Warns, but not of
 * a part, of messages without Start, End, Origin or Dest, which are left out. NULL with *err: a negative Size. Cost O(links + labels + n log n).
 */
const struct tv_messages *tv_run_messages(struct tv_run *run, struct tv_error *err);

/* The idle time of workers that a message caused, ns x workers, by the cause in idle-causes. */
struct tv_message_wait {
	int64_t mpi;	      /* mpi: a task lacked nothing but this message (tv_blame_mpi) */
	int64_t dependencies; /* dependencies: blamed on this message (tv_blame) */
};

/*
 * That of each message, in the window if the run has one, of the selected workers; 0 for messages
 * that are no nodes of the graph. Together they are all idle time of the cause mpi and all that
 * idle-causes blames on messages. Computed at the first call, owned by the run. With too many types
 * of workers (dag/waits.h) as if each could run all tasks, and a warning. NULL with *err: a cycle,
 * an empty window. Cost: that of idle-causes.
 */
const struct tv_message_wait *tv_run_message_waits(struct tv_run *run, struct tv_error *err);

/* Whether a window, if there is one, contains a part of the message. */
static inline bool tv_message_touches(const struct tv_message *m, const struct tv_window *window)
{
	return !window->set || (m->start <= window->end && m->end >= window->begin);
}

/*
 * The messages that the window and the selected workers of a run show, for every verb that lists or sums
 * them: those that touch the window and of which an end is on a node of a selected worker, and those
 * that caused idle time of these workers in the window. A message counts as a whole.
 */
struct tv_seen_messages {
	const struct tv_messages *all;
	bool *seen;			    /* by message */
	bool *chosen;			    /* by node of all->node: it has a selected worker */
	const struct tv_message_wait *wait; /* by message; NULL = not known, or not asked for */
};
/* waits: whether `wait` is wanted where neither a window nor a selection needs it. -1 with *err: the run
 * has no messages, in the name of a verb; or as tv_run_message_waits. */
int tv_seen_messages_init(struct tv_seen_messages *seen, struct tv_run *run, const char *verb,
			  bool waits, struct tv_error *err) TV_MUST_CHECK;
/* The same where the run may have no messages. */
int tv_seen_messages_of(struct tv_seen_messages *seen, struct tv_run *run,
			const struct tv_messages *all, bool waits,
			struct tv_error *err) TV_MUST_CHECK;
/*
 * The messages of a run that come in parts, for verbs that add them up: seen gets them, or those of a part, with the numbers
 * below added to *counts. waits as above: a part has none. -1 with *err: what is asked for needs all of them at once.
 */
struct tv_message_counts {
	uint64_t messages, unsized, incomplete;
	uint64_t nodes; /* parts with tasks that are messages, where waits are wanted */
};
int tv_seen_messages_part(struct tv_seen_messages *seen, struct tv_run *part, const char *verb,
			  bool waits, struct tv_message_counts *counts,
			  struct tv_error *err) TV_MUST_CHECK;
/* Columns that no sum over messages reads (tv_pass.spared). */
#define TV_MESSAGES_SPARE "links.Key links.Tag links.Handle links.OriginJob links.DestJob"
/* After all parts: the counts of all processes, with a warning of messages that are left out. */
void tv_message_counts_share(struct tv_message_counts *counts, struct tv_run *run);
/* The same, with all warnings. -1 with *err: there are no messages, or parts do not show what waited for them. */
int tv_message_counts_end(struct tv_message_counts *counts, struct tv_run *run, const char *verb,
			  bool waits, struct tv_error *err) TV_MUST_CHECK;
void tv_seen_messages_release(struct tv_seen_messages *seen);
/* The idle time that message i caused, ns x workers; 0 where that is not known. */
int64_t tv_seen_wait(const struct tv_seen_messages *seen, uint32_t i);

/* bytes in ns as MB/s (10^6 bytes per second); ns > 0. */
static inline double tv_megabytes_per_second(double bytes, double ns)
{
	return bytes / ns * 1000;
}

#endif
