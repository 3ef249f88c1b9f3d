/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * call_kinds.h -- what an MPI function waits for, by its name.
 *
 * Source: MPI 4.0, semantics of completion; the kinds of collective operations are those of the
 * wait states of Scalasca [Geimer et al. 2010].
 */
#ifndef TV_CALL_KINDS_H
#define TV_CALL_KINDS_H

#include "analysis/calls/calls.h"

enum tv_call_kind {
	TV_KIND_LOCAL,	  /* posts, asks or creates: for nobody */
	TV_KIND_SEND,	  /* for its receive, unless the message is buffered */
	TV_KIND_RECEIVE,  /* for its send */
	TV_KIND_EXCHANGE, /* both: MPI_Sendrecv */
	TV_KIND_PROBE,	  /* for the send of the message that is received next */
	TV_KIND_MPROBE,	  /* for a send; it posts the receive */
	TV_KIND_MRECV,	  /* of a message whose receive a probe has posted */
	TV_KIND_ALL,	  /* a collective operation: all wait for all */
	TV_KIND_FROM_ROOT,
	TV_KIND_TO_ROOT,
	TV_KIND_SCAN,	 /* each waits for those of lower rank */
	TV_KIND_FIXED,	 /* it may wait for others, for whom is not known */
	TV_KIND_INIT,	 /* MPI begins when it ends */
	TV_KIND_FINALIZE /* MPI ends when it begins */
};

/* How a send hands over its message. */
enum tv_send_mode { TV_SEND_STANDARD, TV_SEND_SYNCHRONOUS, TV_SEND_BUFFERED };

struct tv_call_kind_of {
	uint8_t kind;	 /* enum tv_call_kind */
	uint8_t mode;	 /* enum tv_send_mode, of sends */
	bool starts;	 /* a nonblocking or persistent one: MPI_Isend, MPI_Send_init */
	bool is_barrier; /* moves no data, and nobody may leave before all have come */
};

/* That of a function, with or without "MPI_", in any case. An unknown function is local. */
struct tv_call_kind_of tv_call_kind_named(const char *name);

#endif
