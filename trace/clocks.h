/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * clocks.h -- the clocks of nodes: shifting them, and what shows that they differ.
 *
 * Clocks differ where a message was received before it was sent: a link of the Type "MPI
 * communication" whose End is before its Start. It ends where it starts, and its Flag is `early`.
 */
#ifndef TV_CLOCKS_H
#define TV_CLOCKS_H

#include "trace/trace.h"

#define TV_MESSAGE_TYPE "MPI communication"
#define TV_EARLY	"early"
/* Key in meta: the times of messages are rounded to 32-bit floats. */
#define TV_MESSAGE_TIMES "MessageTimes"

/* How far times of messages may be from those of the run, as a share of the time since the recording
 * began; 0: they are exact. *began: that begin, ns. */
double tv_message_rounding(const struct tv_trace *trace, int64_t *began);

/* "NODE=T" or "messages", the value of --clock-offset; -1 with *err (usage). node borrows from text. */
int tv_clock_offset_parse(const char *text, struct tv_clock_offset *offset,
			  struct tv_error *err) TV_MUST_CHECK;
/* What tv_read_options adds to the clock of a node; 0 if nothing. */
int64_t tv_clock_offset(const struct tv_trace *trace, const char *node);

/*
 * Adds the offsets to all times of their nodes: those of a row belong to the node of its resource,
 * else to its Node; Start and SendEnd of a link to the node of its origin, End and ReceiveStart to
 * that of its destination. A reader that has done it (trace->clocks_set) leaves only those by messages:
 * the smallest delays of clocks with which no message ends before it starts; where there are none, as
 * clocks drift, those with which the earliest one is least early. -1 with *err: a node that the trace
 * does not have, times out of range.
 */
int tv_shift_clocks(struct tv_trace *trace, struct tv_error *err) TV_MUST_CHECK;

/* Flags the messages that end before they start, and warns of all that are flagged, by pair of
 * nodes. Adds what it repairs to meta. */
void tv_check_clocks(struct tv_trace *trace);

/* The number of messages that were received before they were sent; pairs (of `size`) receives how
 * many between which nodes: "1->0 6, 0->1 2", the largest numbers first. */
uint32_t tv_early_messages(const struct tv_trace *trace, char *pairs, size_t size);

#endif
