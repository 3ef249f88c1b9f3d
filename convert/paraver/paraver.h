/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * paraver.h -- traces of Paraver (.prv with .pcf and .row): what was read, and the steps that make tables of it.
 *
 * Reading    paraver.c reads the header and one record per line; names.c the files beside it, with what numbers mean.
 * Afterwards rows.c goes through the events of each thread in the order of time and fills the tables; segments.c makes tasks of
 *	      the events that name the running task; messages.c fills links and the partners of calls.
 * Source     the description of trace files in Paraver's manual; docs/formats/paraver.md has what is made of them.
 */
#ifndef TV_PARAVER_H
#define TV_PARAVER_H

#include "trace/input.h"
#include "trace/map.h"
#include "trace/trace.h"

/* A process: Paraver calls it task, and counts all of these numbers from 1. */
struct tv_prv_process {
	uint32_t first, n; /* its threads */
	uint32_t app, task;
	uint32_t node; /* label */
};

struct tv_prv_thread {
	uint32_t resource; /* label */
	uint32_t process;
	size_t begin, end; /* its events, sorted by time */
	size_t first_call, ncalls;
};

/* What is made of events of a type. */
enum tv_prv_kind {
	TV_PRV_UNREAD,	  /* of the recorder itself */
	TV_PRV_TRACING,	  /* 1: recording goes on, 0: it stops */
	TV_PRV_CALL,	  /* a value is a function of MPI, 0 its end */
	TV_PRV_CALL_FACT, /* what a call has besides, at its begin */
	TV_PRV_COUNTER,	  /* the difference to the event before it */
	TV_PRV_TASK,	  /* a value is the function that a task runs, 0 its end; they nest */
	TV_PRV_TASK_ID,	  /* a value is the task that runs, 0 none */
	TV_PRV_TASK_MADE, /* a value is the function of a task that is created */
	TV_PRV_TASK_FACT, /* what a task has besides */
	TV_PRV_PLACE,	  /* the source line of the function at the same time */
	TV_PRV_STACK,	  /* a state; 0 is the end of the innermost */
	TV_PRV_STATE,	  /* a state, until the next event; 0 is none */
	TV_PRV_EVENT,
};

struct tv_prv_type {
	uint64_t number;
	uint32_t label;
	bool valued; /* the values have names */
	enum tv_prv_kind kind;
	uint64_t events;
	size_t fact_at; /* rows.c: the end of the events that have `fact`; 0 = none */
	uint64_t fact;
};

struct tv_prv_event {
	int64_t time;
	uint64_t value;
	uint32_t thread, type; /* place in type */
};

struct tv_prv_state {
	int64_t begin, end;
	uint64_t value;
	uint32_t thread;
};

struct tv_prv_message {
	int64_t posted, sent;	   /* logical and physical send */
	int64_t expected, arrived; /* receive */
	uint64_t size, tag;
	uint32_t from, to; /* threads */
};

/* A call of MPI, for messages.c; by thread, in the order of time. */
struct tv_prv_call {
	int64_t begin, end;
	uint32_t row;
};

#define TV_PRV_LIST(type, name) \
	struct type *name; \
	size_t n##name, name##_cap

struct tv_prv {
	struct tv_trace *trace;
	bool ovni; /* ovniemu wrote it: a thread is a row, types have small numbers, and values replace each other */
	bool read;	 /* a file was read */
	bool processors; /* that is the view of processors of a run of ovni */
	int64_t unit;	 /* ns of a time of the file */
	int64_t last;	 /* the last time of all records, ns */
	uint32_t napps;
	uint32_t *app; /* by application: the number of its first process; one more at the end */
	struct tv_map types,
		values;	 /* by number: place in type; by number of a type and value: label */
	size_t facts_at; /* rows.c: the end of the events whose facts the types have */
	TV_PRV_LIST(tv_prv_process, process);
	TV_PRV_LIST(tv_prv_thread, thread);
	TV_PRV_LIST(tv_prv_type, type);
	TV_PRV_LIST(tv_prv_event, event);
	TV_PRV_LIST(tv_prv_state, state);
	TV_PRV_LIST(tv_prv_message, message);
	TV_PRV_LIST(tv_prv_call, call);
};

/* names.c: reads the files beside path that give numbers names; the table of all threads. */
void tv_prv_names(struct tv_prv *prv, const char *path);
void tv_prv_resources(struct tv_prv *prv);
/* The place of a type of events, added if it is new. */
uint32_t tv_prv_type(struct tv_prv *prv, uint64_t number);
/* The name of a value, or the value in digits: a label. */
uint32_t tv_prv_value(struct tv_prv *prv, const struct tv_prv_type *type, uint64_t value);
/* The name of a state of a record: a label. */
uint32_t tv_prv_state_name(struct tv_prv *prv, uint64_t state);
/* A number at the begin of s[0..end), which moves behind it; false: there is none, or it has more than 64 bits. */
bool tv_prv_number(const char **s, const char *end, uint64_t *number);

/* rows.c: states, calls, counters and other events; sorts the events, and finds the calls. */
void tv_prv_rows(struct tv_prv *prv);
/* The events at one time of a thread, from..to, after they are sorted: the last value of a type of that number that is not 0; else 0; false:
 * there is none. Cost O(1), and once O(to - from) where it is asked about other events than before. */
bool tv_prv_fact(struct tv_prv *prv, size_t from, size_t to, uint64_t number, uint64_t *value);
/* segments.c: tasks, of sorted events. */
void tv_prv_segments(struct tv_prv *prv);
/* messages.c: links, and the partners of calls. */
void tv_prv_messages(struct tv_prv *prv);

#endif
