/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mpi_messages.h -- messages of MPI from what was sent and what was received.
 *
 * MPI does not let messages of one communicator, sender, receiver and tag overtake each other: the n-th that was sent is the n-th
 * that was received, in the order in which the receives were posted.
 */
#ifndef TV_MPI_MESSAGES_H
#define TV_MPI_MESSAGES_H

#include "trace/trace.h"

/* One side of a message; times are those of the trace. */
struct tv_mpi_message {
	uint32_t job, comm; /* labels */
	uint32_t resource;  /* label: the thread */
	uint32_t dest;	    /* label, of a send: who is to receive it, for one that nobody did */
	uint32_t order;	    /* set by tv_mpi_add */
	int64_t from, to, tag, bytes; /* ranks in MPI_COMM_WORLD */
	int64_t post, end;	      /* end: while `ended` */
	int64_t plain;		      /* of a send: post, else end, by uncompared clocks */
	bool ended;
	uint32_t to_process; /* of a send, for the reader that knows: who receives it */
	bool lost; /* of a send: without a receive it is no link, as that was not recorded */
};

struct tv_mpi_messages {
	struct tv_mpi_message *at;
	size_t n, cap;
};

/* How many messages, and how many of them were received before they were sent: by plain clocks, by post and end; sends that are
 * left out, as their receives were not recorded. */
struct tv_mpi_paired {
	size_t n, before, after, skipped;
};

void tv_mpi_add(struct tv_mpi_messages *list, struct tv_mpi_message message);
/* Adds the links, in the order of the sends, and frees the lists. What has no other side is counted in meta
 * (MessagesUnmatched); sends without a receive are links, too, that are open until *open; NULL: they are none. gaps: not only the
 * last of a stream may lack the other side; then sizes and times show which do, and these are left out. */
struct tv_mpi_paired tv_mpi_pair(struct tv_trace *trace, struct tv_mpi_messages *sends,
				 struct tv_mpi_messages *receives, const int64_t *open, bool gaps);

#endif
