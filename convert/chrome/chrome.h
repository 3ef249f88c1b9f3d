/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chrome.h -- Chrome trace events: what was read of the files, and the steps that make tables of it.
 *
 * Reading    collect.c keeps each event in a short record; own.c fills the tables at once from files that traceviz wrote.
 *	      args.c keeps what there is no rule for, which becomes columns of tasks.
 * Afterwards nest.c pairs begins with ends and finds what is inside what; lanes.c separates workers from other lanes; choose.c
 *	      decides which slices are tasks; flows.c finds their dependencies; rows.c fills the tables.
 * Source     "Trace Event Format" (Chromium project); docs/formats/chrome.md has what other producers do.
 */
#ifndef TV_CHROME_H
#define TV_CHROME_H

#include "convert/chrome/parse.h"
#include "trace/map.h"
#include "trace/trace.h"

/* Labels are of the pool of the trace if no other is named. TV_NONE = none, for all numbers. */

struct tv_chrome_file {
	const char *path;
	int64_t rank; /* -1 = it names none */
	int64_t base; /* ns that were added to its times */
};

struct tv_chrome_process {
	uint32_t file;		 /* number of the file, from 0 */
	uint32_t pid;		 /* label of `names` */
	uint32_t name;		 /* label of the trace; TV_NONE = none */
	uint32_t node, resource; /* of its counters and asynchronous spans; set by lanes.c */
	bool used;		 /* it has such */
};

struct tv_chrome_lane {
	uint32_t process, tid; /* place; label of `names` */
	uint32_t name;
	uint32_t resource; /* set by lanes.c */
	size_t begin, end; /* its slices; set by nest.c */
	bool nests;	   /* a slice is inside another one */
	bool used;	   /* something is on it */
	const char *why;   /* it is no worker; NULL = it may be one */
};

struct tv_chrome_slice {
	int64_t start, end;
	uint32_t lane, name, cat;
	uint32_t more; /* place in `more` */
	uint32_t seq;  /* place in the files */
	uint16_t depth;
	bool task, open; /* open: the trace ends before it */
};

/* A begin (B) or an end (E) of a slice. */
struct tv_chrome_mark {
	int64_t time;
	uint32_t lane, name, cat, more, seq;
	bool begin;
	long line;
};

/* What slices of some producers have in args. */
struct tv_chrome_more {
	uint32_t correlation;	    /* label of `names` */
	uint32_t guid;		    /* label of `names` */
	uint32_t work;		    /* place in `work` */
	uint32_t nparents, parents; /* labels of `names`; place in `parent` */
	uint32_t nargs, args;	    /* of producers without rules; place in `arg` */
};

/* Names of args that are kept. */
enum { TV_CHROME_ARGS_MAX = 64 };

/* A value of args. */
struct tv_chrome_kept {
	uint32_t name : 31; /* place in `arg_name` */
	uint32_t
		whole : 1; /* value is a number from 0 on, as it would be written; else a label of `names` */
	uint32_t value;
};

/* What work of a device has; -1 = not known. */
struct tv_chrome_work {
	int64_t device, stream, bytes;
};

struct tv_chrome_instant {
	int64_t time;
	uint32_t lane, name, cat;
	uint32_t guid; /* label of `names` */
	bool async;    /* in an asynchronous span: of its process, of no lane */
};

struct tv_chrome_sample {
	int64_t time;
	double value;
	uint32_t process, name, seq;
};

/* A begin, step or end of a flow ('s', 't', 'f') or of an asynchronous span ('b', 'e'). */
struct tv_chrome_point {
	int64_t time;
	uint64_t key;	 /* of those of its file that belong together */
	uint64_t beyond; /* of those of all files */
	uint32_t lane, name, cat, seq;
	char phase;
	bool encloses; /* a flow ends in the slice around it, not in the next one */
};

#define TV_CHROME_LIST(type, name) \
	struct type *name; \
	size_t n##name, name##_cap

struct tv_chrome {
	struct tv_trace *trace;
	struct tv_pool *names; /* of what is no text of the trace: pids, tids, ids */
	struct tv_map processes, lanes, keys;
	uint32_t nkeys;
	TV_CHROME_LIST(tv_chrome_process, process);
	TV_CHROME_LIST(tv_chrome_lane, lane);
	TV_CHROME_LIST(tv_chrome_slice, slice);
	TV_CHROME_LIST(tv_chrome_mark, mark);
	size_t nopen; /* begins without end */
	TV_CHROME_LIST(tv_chrome_more, more);
	TV_CHROME_LIST(tv_chrome_work, work);
	TV_CHROME_LIST(tv_chrome_instant, instant);
	TV_CHROME_LIST(tv_chrome_sample, sample);
	TV_CHROME_LIST(tv_chrome_point, flow);
	TV_CHROME_LIST(tv_chrome_point, async);
	uint32_t *parent;
	size_t nparent, parent_cap;
	TV_CHROME_LIST(tv_chrome_kept, arg);
	uint32_t *arg_name;   /* labels of `names` */
	uint32_t last_key[8]; /* of the first args of an event: labels of `names` */
	size_t narg_names, arg_names_cap;
	struct tv_index arg_of; /* by label of `names`: its place in arg_name */
	struct tv_column
		*arg_column[TV_CHROME_ARGS_MAX]; /* by place in arg_name; NULL = no task has it */
	uint64_t args_left;			 /* values that are not kept */
	uint32_t id_arg; /* place in arg_name of what is the JobId; TV_NONE */
	/* The file that is being read, and the numbers of records before it. */
	const char *path;
	uint32_t file;
	TV_CHROME_LIST(tv_chrome_file, input); /* by number of the file */
	struct tv_chrome_own *own;	       /* NULL = traceviz did not write it */
	uint32_t last_pid, last_tid, last_lane, last_name, last_cat;
	uint32_t seq;
	int digits;		 /* of the fraction of microseconds, max of all times */
	uint64_t unread[128];	 /* events of phases that are not read, by letter */
	bool guids;		 /* slices have one */
	bool repeats;		 /* files have processes in common */
	struct tv_index kind_of; /* enum tv_chrome_kind by label of a category */
	uint32_t mpi; /* the category of slices that are calls of MPI; TV_NONE = none are */
	int64_t last; /* of all times; set by rows.c */
};

/* chrome.c: begin, finish and free of a reader (convert/formats.h) whose state is a struct tv_chrome: empty, then the tables of what was
 * collected. Readers of other formats with regions and work of devices use them, too: each of their processes is a file. */
void *tv_chrome_begin(struct tv_trace *trace);
int tv_chrome_finish(void *state, struct tv_error *err) TV_MUST_CHECK;
void tv_chrome_free(void *state);

/* collect.c: the lane of a process of the file c->file; what a slice has besides, its place in `more`; of the work of a device also that. */
uint32_t tv_chrome_lane(struct tv_chrome *c, struct tv_chrome_text pid, struct tv_chrome_text tid);
struct tv_chrome_more tv_chrome_no_more(void);
uint32_t tv_chrome_keep_more(struct tv_chrome *c, const struct tv_chrome_more *more,
			     const struct tv_chrome_work *work);
/* That of a slice; NULL = nothing. */
static inline const struct tv_chrome_work *tv_chrome_work_of(const struct tv_chrome *c,
							     const struct tv_chrome_slice *slice)
{
	uint32_t work = slice->more != TV_NONE ? c->more[slice->more].work : TV_NONE;

	return work != TV_NONE ? &c->work[work] : NULL;
}
void tv_chrome_add_slice(struct tv_chrome *c, const struct tv_chrome_slice *slice);

/* args.c: keeps a value for which there is no rule, which has that place in its event: 8 bytes and its text once. Names beyond the first TV_CHROME_ARGS_MAX and values of more than 1000
 * bytes are only counted. */
void tv_chrome_keep_arg(struct tv_chrome *c, struct tv_chrome_more *more,
			const struct tv_chrome_arg *arg, size_t place);
/* What a slice has besides at its begin and end, places in `more` or TV_NONE: as one. */
uint32_t tv_chrome_join_more(struct tv_chrome *c, uint32_t begin, uint32_t end);
/* Sets id_arg: the arg that each task has, no two of a file the same; after the tasks are chosen. */
void tv_chrome_find_ids(struct tv_chrome *c);
/* What names a task in its file: its GUID, or its id; TV_NONE. A label of `names`. */
uint32_t tv_chrome_id_of(const struct tv_chrome *c, const struct tv_chrome_slice *slice);
/* The args of a slice as columns of its row of tasks; the meta that names these columns. */
void tv_chrome_set_args(struct tv_chrome *c, const struct tv_chrome_slice *slice, uint32_t row);
void tv_chrome_note_args(struct tv_chrome *c);
/* Begins the next file. */
void tv_chrome_begin_file(struct tv_chrome *c, const char *path);

/* collect.c: the events of one file. */
int tv_chrome_collect(struct tv_chrome *c, struct tv_input *in, struct tv_error *err) TV_MUST_CHECK;
struct tv_pos tv_chrome_at(const struct tv_chrome *c, long line);
/* The same in the file of a lane, when all files are read. */
struct tv_pos tv_chrome_at_lane(const struct tv_chrome *c, uint32_t lane, long line);
/* Whether a time of microseconds is one; as ns. */
bool tv_chrome_time(struct tv_chrome_text text, int64_t *ns);
bool tv_chrome_is(struct tv_chrome_text text, const char *word);

/* What the categories of known producers mean. */
enum tv_chrome_kind { TV_CHROME_OTHER, TV_CHROME_DEVICE_WORK, TV_CHROME_LAUNCH, TV_CHROME_TASK };

/* The type of slices without category. */
#define TV_CHROME_REGION "region"

/* nest.c: pairs marks, sorts slices by lane and begin, sets their depth. Overlaps of less than the unit of the times are none. */
void tv_chrome_nest(struct tv_chrome *c);
/* The innermost slice, or task, of a lane that is around a time, its end included; TV_NONE. */
uint32_t tv_chrome_around(const struct tv_chrome *c, uint32_t lane, int64_t time, bool task);
/* The first slice of a lane that begins at a time or later; TV_NONE. */
uint32_t tv_chrome_next(const struct tv_chrome *c, uint32_t lane, int64_t time);

/* lanes.c: resources, nodes, and which lanes are no workers. */
void tv_chrome_lanes(struct tv_chrome *c);
/* Whether each file names a rank of its own. */
bool tv_chrome_has_ranks(const struct tv_chrome *c);

/* choose.c: the kinds of all categories; which slices are tasks. */
void tv_chrome_kinds(struct tv_chrome *c);
int tv_chrome_choose(struct tv_chrome *c, struct tv_error *err) TV_MUST_CHECK;
static inline bool tv_chrome_is_kind(const struct tv_chrome *c, const struct tv_chrome_slice *slice,
				     enum tv_chrome_kind kind)
{
	return slice->cat != TV_NONE && tv_index_get(&c->kind_of, slice->cat) == kind;
}

/* flows.c: pairs of slices, by task. */
struct tv_chrome_edges {
	struct tv_chrome_edge {
		uint32_t from, to; /* places of slices */
	} * edge;		   /* by `to`, then in the order of the file; each pair once */
	size_t nedge, edge_cap;
};
/* Finds dependencies between tasks, and adds flows between other slices to links. */
void tv_chrome_flows(struct tv_chrome *c, struct tv_chrome_edges *edges);

/* rows.c: the tables. */
void tv_chrome_rows(struct tv_chrome *c, const struct tv_chrome_edges *edges);

/* own.c: files that traceviz wrote: rows are as they were written. */
struct tv_chrome_own;
struct tv_chrome_own *tv_chrome_own_new(struct tv_trace *trace);
/* A list of the columns of a table, separated by TV_CHROME_BETWEEN: they are added in that order. */
void tv_chrome_own_columns(struct tv_chrome_own *own, const char *table,
			   struct tv_chrome_text list);
/* base: ns that are added to its times. */
void tv_chrome_own_event(struct tv_chrome_own *own, const struct tv_chrome_event *event,
			 int64_t base, struct tv_pos at);
void tv_chrome_own_free(struct tv_chrome_own *own);
/* Between them and the writer. */
#define TV_CHROME_PRODUCER "traceviz"
#define TV_CHROME_BETWEEN  "\x1f"

#endif
