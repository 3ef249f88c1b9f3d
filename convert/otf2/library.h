/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * library.h -- the records of an OTF2 archive, as the library of OTF2 reads them: the only place that knows it.
 *
 * It runs in a process of its own (convert/apart.h), as it crashes and hangs on damaged archives, and sends each record with its
 * arguments and a text. First come all definitions, then each location: its begin, its events in the
 * order of time, its end. Times and references are those of the archive; nothing is checked.
 */
#ifndef TV_OTF2_LIBRARY_H
#define TV_OTF2_LIBRARY_H

#include <stdint.h>

#include "convert/apart.h"
#include "trace/error.h"

/* Arguments of each kind in comments; "" = a text follows, [] = numbers of 64 bits follow. */
enum tv_otf2_kind {
	TV_OTF2_END, /* the last record: 0, or 1 and a text that says why the archive cannot be read */
	TV_OTF2_CLOCK,	/* ticks per second, offset */
	TV_OTF2_STRING, /* itself "" */
	TV_OTF2_PROCESS, /* a group of locations: itself, name, whether an accelerator, node, creator */
	TV_OTF2_LOCATION, /* itself, name, type (1 thread, 2 stream, 3 metric), events, group */
	TV_OTF2_REGION,	  /* itself, name, role, paradigm, file, line */
	TV_OTF2_GROUP,	  /* itself, type, paradigm, flags [members] */
	TV_OTF2_COMM,	  /* itself, name, group, other group of an intercommunicator */
	TV_OTF2_PARADIGM, /* itself, name */
	TV_OTF2_MEMBER,	  /* of metrics: itself, name, mode, base, exponent */
	TV_OTF2_CLASS,	  /* of metrics: itself [members] */
	TV_OTF2_INSTANCE, /* of metrics: itself, class, recorder, kind of scope (0 = a location), scope */
	TV_OTF2_WINDOW,	 /* of remote memory: itself, communicator */
	TV_OTF2_CONTEXT, /* of calls: itself, region */
	TV_OTF2_BEGIN, /* of the events of a location: its place among the definitions of locations */
	TV_OTF2_FINISH, /* of its events: their number; 1 and a text if the library failed in them */
	TV_OTF2_LOST, /* definitions that cannot be read: 0 = of the archive, from some place on; or of which location, its place + 1 "" why */
	TV_OTF2_UNREAD, /* events of a type that is not read: how many, in all locations "" its name */
	/* Events. */
	TV_OTF2_ENTER, /* region */
	TV_OTF2_LEAVE,
	TV_OTF2_ENTER_CONTEXT, /* calling context */
	TV_OTF2_LEAVE_CONTEXT,
	TV_OTF2_SAMPLE,	  /* calling context */
	TV_OTF2_FLUSH,	  /* of the recorder's buffer: end */
	TV_OTF2_ON_OFF,	  /* mode */
	TV_OTF2_SEND,	  /* receiver, communicator, tag, bytes */
	TV_OTF2_ISEND,	  /* the same, request */
	TV_OTF2_SENT,	  /* request */
	TV_OTF2_POSTED,	  /* a receive: request */
	TV_OTF2_RECEIVE,  /* sender, communicator, tag, bytes */
	TV_OTF2_IRECEIVE, /* the same, request */
	TV_OTF2_TESTED,	  /* request */
	TV_OTF2_CANCELLED,
	TV_OTF2_COLLECTIVE,	   /* operation, communicator, root, bytes sent, received */
	TV_OTF2_COLLECTIVE_POSTED, /* request */
	TV_OTF2_COLLECTIVE_DONE,   /* as a collective, request */
	TV_OTF2_TASK_CREATE,	   /* team, creating thread, number */
	TV_OTF2_TASK_SWITCH,
	TV_OTF2_TASK_COMPLETE,
	TV_OTF2_OLD_TASK_CREATE, /* number */
	TV_OTF2_OLD_TASK_SWITCH,
	TV_OTF2_OLD_TASK_COMPLETE,
	TV_OTF2_METRIC, /* class or instance [values, each behind its type: 0 unsigned, 1 signed, 2 floating] */
	TV_OTF2_PUT, /* window, remote, bytes, number */
	TV_OTF2_GET,
	TV_OTF2_RMA_DONE, /* window, number */
	TV_OTF2_IO_BEGIN, /* handle, mode, number */
	TV_OTF2_IO_DONE,  /* handle, bytes, number */
	TV_OTF2_NKINDS
};

enum { TV_OTF2_ARGS = 6 };

struct tv_otf2_record {
	uint16_t kind, nargs;
	uint32_t bytes;		    /* of the text or numbers behind the arguments */
	uint64_t time;		    /* ticks, of an event */
	uint64_t arg[TV_OTF2_ARGS]; /* only nargs of them are sent, the others are 0 */
};

/* pack.c: the form of a record in the pipe, without what follows it; its length. *time: of the event before, 0 for the first record. */
enum { TV_OTF2_PACKED_MAX = 2 + 10 * (TV_OTF2_ARGS + 2) };
size_t tv_otf2_pack(const struct tv_otf2_record *record, uint64_t *time, uint8_t *to);
/* The record at the begin of from[0..n); 0 if it is cut, or none. */
size_t tv_otf2_unpack(struct tv_otf2_record *record, uint64_t *time, const uint8_t *from, size_t n);

/* The work of the child: reads the archive of an anchor file, a path. */
void tv_otf2_send(void *path, FILE *to);
/* Whether traceviz was built with the library. */
extern const bool tv_otf2_is_built;

#endif
