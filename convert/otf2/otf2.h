/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * otf2.h -- archives of OTF2: what is known of them, and the steps that make tables of it.
 *
 * Reading    library.c sends the records; read.c takes them: define.c keeps the definitions, the others fill tables event by
 *	      event, one location after the other.
 * Afterwards tasks.c writes the tasks, messages.c pairs sends and receives.
 * Source     the reference of OTF2; docs/formats/otf2.md has what is made of it.
 *
 * References in an archive are not trusted: each is looked up, and what names nothing is counted and skipped.
 */
#ifndef TV_OTF2_OTF2_H
#define TV_OTF2_OTF2_H

#include "convert/collectives.h"
#include "convert/mpi_messages.h"
#include "convert/otf2/library.h"
#include "trace/map.h"
#include "trace/number.h"
#include "trace/trace.h"

/* Paradigms and roles of regions that mean something here. */
enum {
	TV_OTF2_USER = 1,
	TV_OTF2_OPENMP = 3,
	TV_OTF2_MPI = 4,
	TV_OTF2_RECORDER = 6,

	TV_OTF2_CRITICAL = 12,
	TV_OTF2_CRITICAL_INSIDE = 13,
	TV_OTF2_BARRIER = 15,
	TV_OTF2_IMPLICIT_BARRIER = 16,
	TV_OTF2_TASK = 20,
	TV_OTF2_TASKWAIT = 22,
	TV_OTF2_ARTIFICIAL = 31,
	TV_OTF2_UNTIED_TASK = 34,
};

/* Names are labels that are TV_NONE if they are not defined; until all definitions are known, references to strings. */

/* A group of locations. */
struct tv_otf2_process {
	uint32_t name;
	bool accelerator;
	uint64_t tree, creator; /* references */
	uint32_t node;		/* label */
	int64_t rank;		/* in MPI_COMM_WORLD; -1 = none */
	bool tasks;		/* ran some on its processors */
	int64_t off_until;	/* the last time of its recorder that was off */
	uint32_t
		first; /* of its locations: a place; its thread works between parallel regions, the others do not */
};

struct tv_otf2_location {
	uint32_t name, resource; /* labels */
	uint64_t type, events, group;
	uint32_t process; /* place */
};

enum { TV_OTF2_THREAD = 1, TV_OTF2_STREAM = 2 }; /* its types; others are no workers */

struct tv_otf2_region {
	uint32_t name, type, state, site; /* labels: of a state Type and Value */
	uint64_t role, paradigm, line;
	uint32_t file; /* label */
	bool task, wait, call, artificial;
};

struct tv_otf2_group {
	uint64_t type, paradigm, flags, *member;
	size_t n;
};

struct tv_otf2_comm {
	uint32_t name; /* label, of no other communicator */
	uint64_t group, other;
};

struct tv_otf2_member {
	uint32_t name;
	uint64_t mode;
	double unit; /* of a value */
};

/* A class of metrics, or an instance of one. */
struct tv_otf2_metric {
	uint64_t class; /* of an instance its reference */
	bool instance;
	uint64_t scope;	  /* reference of the location that it is of, if it is one */
	uint64_t *member; /* references */
	size_t n;
};

/* A task, by its number in the runtime. */
struct tv_otf2_task {
	uint32_t job, parent, value; /* labels */
	int64_t submit;
	bool created, ran;
};

struct tv_otf2_segment {
	uint32_t task, location; /* places */
	int64_t start, end;
	bool open;
};

/* A region that is open on a location. */
struct tv_otf2_entry {
	int64_t start;
	uint32_t region, task;
	uint32_t call, outer; /* of MPI, place; the call around it */
	bool paused;	      /* a wait, while the thread runs tasks */
};

/* A call of MPI; numbers < 0 are missing, as are labels that are TV_NONE. */
struct tv_otf2_call {
	int64_t start, end;
	uint32_t region, site, comm;
	uint32_t message; /* that it sends, which ends with it: place */
	uint32_t gaps;	  /* before it */
	int64_t peer, tag, bytes, receive_peer, receive_tag, root, comm_rank;
	bool sends, collective, open;
};

/* A request in a call. */
struct tv_otf2_use {
	uint32_t call, number;
	bool completed;
};

struct tv_otf2_request {
	uint32_t number, call;
	uint32_t message; /* of a send: place */
	int64_t post;
};

/* A transfer of remote memory that began. */
struct tv_otf2_transfer {
	int64_t start, end;
	uint64_t bytes;
	uint32_t other; /* place of a location, TV_NONE = not known */
	bool get, done;
};

/* The last value of a metric. */
struct tv_otf2_value {
	int64_t since;
	double value;
	uint64_t first;		 /* of an accumulated one, its bits */
	uint32_t resource, name; /* labels */
	bool holds;		 /* until the next one; false: it did since the one before */
};

/* An operation on a file. */
struct tv_otf2_io {
	int64_t start;
	uint64_t mode;
	uint32_t call, region; /* around its begin; a label */
	bool ended;
};

#define TV_OTF2_LIST(type, name) \
	struct type *name; \
	size_t n##name, name##_cap

/* What the location has whose events are read. */
struct tv_otf2_here {
	uint32_t location, resource; /* place; label */
	struct tv_otf2_process *process;
	int64_t time;	  /* of the last event */
	int64_t off;	  /* since when nothing is recorded; INT64_MAX = it is */
	bool rewound;	  /* it is not recorded until the next event */
	size_t off_depth; /* regions that were open then */
	uint32_t gaps;	  /* times when nothing was recorded, so far */
	int64_t alone; /* when the outermost region, one of OpenMP, ended; INT64_MAX = none did */
	uint32_t task; /* that runs; TV_NONE = an implicit one */
	uint32_t segment; /* place of the one that runs */
	uint32_t call;	  /* the innermost that is open */
	TV_OTF2_LIST(tv_otf2_entry, entry);
	TV_OTF2_LIST(tv_otf2_call, call_at);
	TV_OTF2_LIST(tv_otf2_use, use);
	TV_OTF2_LIST(tv_otf2_request, request);
	TV_OTF2_LIST(tv_otf2_transfer, transfer);
	TV_OTF2_LIST(tv_otf2_value, value);
	TV_OTF2_LIST(tv_otf2_io, io);
	struct tv_map
		requests; /* by number and whether of a send, receive or other operation: the open one, place */
	struct tv_map transfers, values, ios; /* by number: the last one, place */
	struct tv_map ranks; /* by place of a communicator and group: own rank + 1, 0 = none */
};

struct tv_otf2 {
	struct tv_trace *trace;
	const char *path;
	bool read;
	void (*progress)(void *context, double share); /* NULL, or called with 0..1 */
	void *context;
	uint64_t resolution, offset; /* of the clock */
	uint64_t time;		     /* of the last event, ticks */
	struct tv_map ids; /* by reference and kind of definition: place; of a string its label, of
				      * a paradigm, window or context what it names */
	struct tv_numbers regions; /* by reference: place */
	uint64_t repeated;	   /* definitions of what was defined before */
	TV_OTF2_LIST(tv_otf2_process, process);
	TV_OTF2_LIST(tv_otf2_location, location);
	TV_OTF2_LIST(tv_otf2_region, region);
	TV_OTF2_LIST(tv_otf2_group, group);
	TV_OTF2_LIST(tv_otf2_comm, comm);
	TV_OTF2_LIST(tv_otf2_member, member);
	TV_OTF2_LIST(tv_otf2_metric, metric);
	struct tv_map locations_of; /* by paradigm: place of the group that numbers its locations */
	bool resolved;		    /* the definitions are complete */
	bool tasks;		    /* there are records of tasks */
	struct tv_map task_of;	    /* by process and number */
	TV_OTF2_LIST(tv_otf2_task, task);
	TV_OTF2_LIST(tv_otf2_segment, segment);
	TV_OTF2_LIST(tv_collective, collective);
	struct tv_mpi_messages sends, receives;
	uint32_t requests, kernels;		  /* so far */
	int64_t last;				  /* of all times */
	uint64_t flushes, offs;			  /* of the recorder's buffers; of recording */
	int64_t flushed;			  /* how long */
	tv_int128 off;				  /* how long, over all locations */
	struct tv_column *state[6], *variable[5]; /* columns, once they are used */
	struct tv_otf2_here here;
};

/* define.c: keeps a definition; more has record->bytes. */
void tv_otf2_define(struct tv_otf2 *o, const struct tv_otf2_record *record, const void *more);
/* Names of nodes and resources, once all definitions are known. */
void tv_otf2_resolve(struct tv_otf2 *o);
/* The resources, once it is known who ran tasks. */
void tv_otf2_write_resources(struct tv_otf2 *o);
/* The place of what a reference names; TV_NONE. */
uint32_t tv_otf2_find(const struct tv_otf2 *o, enum tv_otf2_kind kind, uint64_t reference);
/* The location that is a rank of a communicator, for the one that is read: a place; TV_NONE. */
uint32_t tv_otf2_peer(struct tv_otf2 *o, const struct tv_otf2_comm *comm, uint64_t rank);
/* The own rank in it; -1. */
int64_t tv_otf2_own_rank(struct tv_otf2 *o, const struct tv_otf2_comm *comm);

/* read.c: counts an event that names what is not defined, or cannot be. */
void tv_otf2_dropped(struct tv_otf2 *o, const char *cause);
/* All records of a stream; path: of the archive, for messages. */
int tv_otf2_take(struct tv_otf2 *o, struct tv_apart *from, const char *path,
		 struct tv_error *err) TV_MUST_CHECK;
struct tv_otf2 *tv_otf2_new(struct tv_trace *trace);
/* The tables of what was taken. */
void tv_otf2_write(struct tv_otf2 *o);
void tv_otf2_free(struct tv_otf2 *o);

/* regions.c: states and calls, kernels of streams. */
void tv_otf2_enter(struct tv_otf2 *o, uint64_t region, int64_t time);
void tv_otf2_leave(struct tv_otf2 *o, uint64_t region, int64_t time);
/* A task suspends the waits of the one that ran before, until that goes on. */
void tv_otf2_pause(struct tv_otf2 *o, int64_t time);
void tv_otf2_continue(struct tv_otf2 *o, int64_t time);
/* Ends what is open on the location that was read, and writes its calls. */
void tv_otf2_end_regions(struct tv_otf2 *o);
/* A state of the location that is read; type and value are labels. */
void tv_otf2_add_state(struct tv_otf2 *o, uint32_t type, uint32_t value, uint32_t site,
		       int64_t start, int64_t end, size_t depth, bool open);
/* Work of a stream. */
void tv_otf2_add_kernel(struct tv_otf2 *o, uint32_t value, int64_t start, int64_t end,
			int64_t bytes, bool open);

/* tasks.c: team, creating thread and number of a task are arg[0..3); of an older one arg[0] is the number. */
void tv_otf2_task_event(struct tv_otf2 *o, const struct tv_otf2_record *record, int64_t time);
/* The region of a task was entered, which gives it its name. */
void tv_otf2_name_task(struct tv_otf2 *o, const struct tv_otf2_region *region);
void tv_otf2_end_tasks(struct tv_otf2 *o);
void tv_otf2_write_tasks(struct tv_otf2 *o);

/* messages.c: an event of MPI, or of remote memory. */
void tv_otf2_message_event(struct tv_otf2 *o, const struct tv_otf2_record *record, int64_t time);
void tv_otf2_transfer_event(struct tv_otf2 *o, const struct tv_otf2_record *record, int64_t time);
void tv_otf2_end_transfers(struct tv_otf2 *o);
void tv_otf2_write_messages(struct tv_otf2 *o);

/* values.c: metrics, operations on files, and other events. */
void tv_otf2_metric_event(struct tv_otf2 *o, const struct tv_otf2_record *record,
			  const uint64_t *values, int64_t time);
void tv_otf2_end_metrics(struct tv_otf2 *o);
void tv_otf2_io_event(struct tv_otf2 *o, const struct tv_otf2_record *record, int64_t time);
/* Those of the location that have no end. */
void tv_otf2_end_ios(struct tv_otf2 *o);
uint32_t tv_otf2_add_event(struct tv_otf2 *o, const char *type, int64_t time, uint32_t value);

#endif
