/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * raw.h -- what the files of the reader of raw logs share. record/loaded/log.h defines the format.
 *
 * A log is scanned once (scan.c): what is usable, which bytes are of which thread, modules, sites.
 * Its events are then taken in the order of time over all threads (merge.c, events.c). Tasks and what
 * they depend on come from create.c and sync.c, their segments from schedule.c, states from states.c,
 * names of types from names.c. When a log is used up, rows.c writes its tables, and all is released.
 */
#ifndef TV_RAW_H
#define TV_RAW_H

#include <string.h>

#include "convert/formats.h"
#include "convert/mpi_messages.h"
#include "record/loaded/log.h"
#include "trace/accesses.h"
#include "trace/map.h"

/* An event of a log: a copy of its head, and where its arguments are. */
struct tv_raw_event {
	uint8_t kind, code;
	uint16_t cpu, numa;
	int64_t time; /* ns, as recorded; never before the event before it of the same thread */
	const unsigned char *arg;
	unsigned nargs;
	size_t offset; /* in the log */
};

static inline uint64_t tv_raw_arg(const struct tv_raw_event *event, unsigned i)
{
	uint64_t word;

	memcpy(&word, event->arg + (size_t)i * sizeof word, sizeof word);
	return word;
}

/* Consecutive usable events of one thread, as bytes of the log. */
struct tv_raw_piece {
	size_t begin, end;
	uint32_t next; /* of the same thread, or TV_NONE */
};

/* On the stack of a thread: a task that it has begun, or something else that lasts. */
struct tv_raw_entry {
	uint32_t node;	      /* a task; TV_NONE = none */
	const char *value;    /* of its state; NULL = none (explicit tasks) */
	uint32_t object;      /* label: the lock; TV_NONE = none */
	uint64_t site;	      /* code address of the construct; 0 = not known */
	uint64_t kind, which; /* what its end must match */
	int64_t start;	      /* of the state */
	uint32_t depth;
	bool cut,
		off; /* a wait: the state only lasts while nothing is above it; off: something is */
};

struct tv_raw_thread {
	uint32_t number; /* in the log */
	int64_t os_id;
	uint32_t name;	      /* label of ResourceId */
	uint32_t title;	      /* label: the thread's own name; TV_NONE */
	uint32_t binding;     /* label: list of CPUs; TV_NONE */
	uint32_t first, last; /* pieces */
	bool active;	      /* it did something: a row of resources */
	bool worker;	      /* it ran a task of StarPU, whose workers have rows of their own */
	bool helper;	      /* of the runtime, not of the program's teams */
	bool ran;	      /* a task */
	bool teamed;	      /* it is, or may be, in a team in which a task was created */
	bool sampled;	      /* so does its CPU time have rows */
	int64_t begin, end;   /* ns, its first and last event */
	bool ended;	      /* another thread goes on in its chunk */
	size_t at, piece_end; /* merge: the next event */
	uint32_t piece;	      /* and the piece that it is in */
	int64_t now;	      /* time of its last event */
	struct tv_raw_event event; /* the next one, while has_event */
	struct tv_raw_entry *stack;
	size_t nstack, stack_cap;
	uint32_t *counter; /* by index: number of the process's counter; TV_NONE */
	int64_t *value;	   /* by index: last value */
	uint32_t ncounters;
	int64_t counted;	  /* time of these values */
	bool unread;		  /* counters are not read now */
	uint32_t call;		  /* of MPI, that it is in; TV_NONE */
	uint32_t late;		  /* a segment whose last values come with the next ones; TV_NONE */
	uint32_t long_task;	  /* a list of dependences that goes on in the next event */
	struct tv_access *access; /* what it has so far, also a buffer */
	size_t naccess, access_cap;
};

struct tv_raw_module {
	int64_t time;
	uint64_t begin, end, bias;
	uint32_t path; /* label */
};

struct tv_raw_site {
	uint32_t name; /* label FUNCTION@FILE:LINE; TV_NONE = unknown */
};

enum tv_raw_kind {
	TV_RAW_IMPLICIT, /* also the initial task */
	TV_RAW_EXPLICIT,
	TV_RAW_WAIT, /* a taskwait with depend clauses: no row */
	TV_RAW_GHOST
};

/* A task or a ghost. Numbers of others are places in the array of nodes. */
struct tv_raw_node {
	uint64_t id;
	enum tv_raw_kind kind;
	bool started, done, cancelled, taskloop, unseen; /* unseen: not its creation */
	bool followed;					 /* something depends on its end */
	bool redundant;					 /* what it depends on depends on `after` */
	bool awaited;					 /* its parent waits for it */
	bool waiting, waited;				 /* in a wait; whose end has been seen */
	uint32_t flags;					 /* ompt_task_flag_t */
	uint32_t number;				 /* in its JobId */
	uint32_t parent;				 /* that created it */
	uint32_t region;
	uint32_t nesting;
	uint32_t group; /* its innermost taskgroup */
	uint32_t
		after; /* implicit: what its next child depends on; others: what its parent's was */
	uint32_t children; /* not waited for yet, newest first, by `sibling` */
	uint32_t youngest; /* the last one created */
	uint32_t wait;	   /* a taskwait with depend clauses that was created last */
	uint32_t sibling, in_region, in_group; /* next in these lists */
	uint32_t first_need, nneeds;
	uint32_t first_segment, last_segment;
	uint32_t first_access, naccesses;
	uint32_t numbers;	/* first of its numbers */
	uint32_t name;		/* label, given by the program; TV_NONE */
	uint32_t nbarriers;	/* that it has come to */
	uint32_t thread;	/* on whose stack it is; TV_NONE */
	uint32_t home;		/* implicit: the thread that began it */
	uint32_t mark, covered; /* serials: when it was picked; when that follows from another */
	uint32_t completion;	/* the ghost that is the end of a detached task; TV_NONE */
	bool detached;		/* its body ended before its event was fulfilled */
	bool outside;		/* ghosts: no task fulfilled the event */
	bool sound;		/* all that it depends on began before it */
	size_t segments_before; /* of a completion: begun before it, in the order of the log */
	bool divides;		/* a task of the runtime, which divides a taskloop */
	bool in_barrier;	/* it came to one and has not left */
	bool used;		/* ghosts: something depends on it */
	int64_t submit, last_create;
	int64_t came; /* to the wait that it is in, or was in last; of a ghost, `submit` is that of who waited */
	uint32_t
		since; /* implicit: the later of `after` and the last task that its thread ran meanwhile; others: their
			  * parent's then */
	int64_t resumed; /* implicit: when it went on after `since`; others: their parent's then */
	uint64_t address;
	const char *value; /* of a ghost */
};

struct tv_raw_segment {
	uint32_t node, thread, next;
	uint32_t first_need, nneeds;
	int64_t start, end;
	int32_t cpu, cpu_end, numa; /* -1 = unknown */
	bool open;
	size_t value; /* its counters' values */
	uint32_t nvalues;
};

struct tv_raw_region {
	uint64_t id, address;
	uint32_t encountering;	 /* node */
	uint32_t after;		 /* what its tasks depend on that are created now */
	uint32_t since;		 /* and what these are submitted after */
	int64_t resumed;	 /* from then on */
	uint32_t latest;	 /* implicit task that came to a barrier last; TV_NONE */
	uint32_t barriers;	 /* completed so far */
	uint32_t implicit, open; /* lists of nodes: its implicit tasks, tasks not waited for yet */
	uint32_t threads;
	bool has_tasks;
	uint32_t label;	  /* its number, with the prefix of the log; TV_NONE = not known */
	uint32_t nested;  /* regions that began in it so far */
	uint32_t primary; /* thread; TV_NONE */
	int64_t begin, end;
	bool known, ended; /* known: its begin was seen */
};

struct tv_raw_group {
	uint32_t owner, outer, members;
};

struct tv_raw_number {
	uint32_t name, next;
	double value;
};

struct tv_raw_state {
	uint32_t thread, value, object, depth; /* value, object: labels */
	uint64_t site;			       /* code address; 0 = not known */
	int64_t start, end;
	bool open;
};

struct tv_raw_handle {
	uint64_t address;
	int64_t size, numa; /* -1 = unknown */
	uint32_t name;	    /* label; TV_NONE */
	uint32_t label;
};

struct tv_raw_counter {
	uint32_t name; /* label */
	bool cumulative;
};

/* A call of an MPI function. Numbers are TV_LOG_MPI_MISSING where there is none. */
struct tv_raw_call {
	uint32_t thread, function, comm, op; /* the last three: labels, or TV_NONE */
	uint32_t class;			     /* enum tv_log_mpi_class */
	uint32_t first_request, nrequests, ncompleted;
	uint32_t sent;	  /* message; TV_NONE */
	bool sends, open; /* sends: without a request */
	bool hangs;	  /* the process ended in it: it lasts to the end of the trace */
	uint64_t site;
	int64_t start, end, peer, tag, bytes, sequence, root;
	int64_t comm_rank;		   /* own rank in comm */
	int64_t receive_peer, receive_tag; /* of MPI_Sendrecv: what has arrived */
};

struct tv_raw_call_request {
	uint32_t request; /* number */
	bool completed;
};

/* A request, or a message that was probed. */
struct tv_raw_request {
	uint32_t creator, call; /* calls: that created it, that started it last */
	uint32_t message;	/* that it sends; TV_NONE */
	uint32_t number;	/* of requests, from 1 */
	int64_t post;
};

/* What a receive has got; source -1 or less: nothing. */
struct tv_raw_arrival {
	int64_t source, tag, bytes;
};

/* A comparison of this host's clock with that of rank 0: its clock is `offset` ahead. */
struct tv_raw_clock {
	int64_t time, offset, delay;
	bool known;
};

/* A clock as that of the trace: time + offset + slope * (time - begin). */
struct tv_raw_fit {
	double slope;
	int64_t offset, begin;
};

struct tv_monitors;

/* A process: one log. */
struct tv_raw_log {
	struct tv_raw_run *run;
	char *path;
	struct tv_bytes bytes;
	uint32_t pid;
	int32_t rank;
	bool finished;
	bool cut; /* parts of it are missing: any thread's */
	bool gap; /* it was not recorded all the time */
	uint64_t lost;
	uint32_t stopped;
	int64_t begin_mono, begin_real, end_mono, end_real;
	char host[257];
	/* scan */
	struct tv_raw_thread *thread;
	size_t nthreads, threads_cap;
	struct tv_map thread_of;
	struct tv_raw_piece *piece;
	size_t npieces, pieces_cap;
	struct tv_raw_module *module;
	size_t nmodules, modules_cap;
	struct tv_raw_site *site;
	size_t nsites, sites_cap;
	struct tv_map site_of; /* by label of the module's path, offset */
	uint64_t events, edges;
	int64_t last; /* time of the last event */
	bool any;
	/* run */
	char prefix[24];	      /* of names; "" for a single process */
	uint32_t place;		      /* label: Node */
	struct tv_raw_fit fit, plain; /* plain: by CLOCK_REALTIME alone */
	bool fitted;
	int64_t end; /* of what was recorded */
	/* tasks */
	struct tv_raw_node *node;
	size_t nnodes, nodes_cap;
	struct tv_map node_of, region_of;
	uint32_t njobs, nunseen;   /* tasks whose creation was recorded, and others */
	uint32_t nskipped;	   /* tasks created so far that were not recorded */
	uint32_t nouter, nunknown; /* regions: outermost ones so far, those without a number */
	struct tv_raw_segment *segment;
	size_t nsegments, segments_cap;
	struct tv_raw_region *region;
	size_t nregions, regions_cap;
	struct tv_raw_group *group;
	size_t ngroups, groups_cap;
	uint32_t *need; /* nodes that nodes and segments depend on */
	size_t nneeds, needs_cap;
	uint32_t *picked; /* what a wait waits for */
	size_t npicked, picked_cap;
	uint32_t serial; /* of marks */
	struct tv_accesses accesses;
	struct tv_access *access; /* of tasks, data: handles */
	size_t naccesses, accesses_cap;
	struct tv_raw_handle *handle;
	size_t nhandles, handles_cap;
	struct tv_map handle_of, object_of;
	struct tv_raw_number *number;
	size_t nnumbers, numbers_cap;
	struct tv_raw_state *state;
	size_t nstates, states_cap;
	struct tv_raw_counter *counter;
	size_t ncounters, counters_cap;
	int64_t *value;
	size_t nvalues, values_cap;
	int64_t *pause; /* times at which recording paused */
	size_t npauses, pauses_cap;
	size_t nresumed;	/* of them, those that ended */
	struct tv_map value_of; /* names of types by code address and number of modules */
	/* MPI */
	int32_t world_rank; /* -1 = none */
	uint64_t world_size;
	uint32_t world; /* of the distinct MPI_COMM_WORLDs of the run, from 0 */
	uint32_t job;	/* label; TV_NONE */
	struct tv_raw_clock clock[2];
	struct tv_map mpi_name; /* labels by number and what it is (calls.c) */
	struct tv_raw_call *call;
	size_t ncalls, calls_cap;
	struct tv_raw_call_request *call_request;
	size_t ncall_requests, call_requests_cap;
	struct tv_raw_request *request;
	size_t nrequests, requests_cap;
	uint32_t request_numbers; /* given */
	struct tv_map request_of;
	struct tv_raw_starpu *starpu; /* NULL = none */
	int64_t probed;		      /* when the message that the call receives was probed; -1 */
	struct tv_raw_monitoring *monitoring; /* samples (monitor.c); NULL = none */
	bool samples;		/* the log is that of a sampler: no process of the program */
	bool sampled_by_others; /* other samplers have the same host */
	bool elsewhere;	 /* another process of a team has read it: this has only what all need */
	uint32_t reader; /* that one */
};

struct tv_raw_starpu; /* starpu.h */

/* A send of StarPU-MPI, by its name, and when its data were there; or the row of tasks of its receive, and when that ended. */
struct tv_starpu_message {
	uint32_t send, row; /* a label; row: TV_NONE = the send */
	int64_t time;
};

struct tv_raw_run {
	struct tv_trace *trace;
	struct tv_raw_log *log;
	size_t nlogs, logs_cap;
	struct tv_mpi_messages sends, receives;
	struct tv_starpu_message *starpu_message;
	size_t nstarpu_messages, starpu_messages_cap;
	bool hosts;	       /* there are several */
	bool gaps;	       /* of some log events may be missing */
	bool machines;	       /* several hosts were sampled: names of objects begin with theirs */
	size_t samplers;       /* logs of samplers */
	bool calibrated;       /* some clocks were compared by round trips */
	int64_t end;	       /* latest time that a log knows, on the clock of the trace */
	struct tv_index names; /* by label of FROM: label of TO */
	char *names_path;      /* the file that was read last; NULL */
};

/* log.c: what comes before the rows, when all logs are known: their order, names and clocks. */
int tv_raw_prepare(struct tv_raw_run *run, struct tv_error *err) TV_MUST_CHECK;
/* The rows of a log; releases it, but what others need. */
void tv_raw_write_log(struct tv_raw_log *log);
/* When the rows of all logs are there. */
void tv_raw_write_all_messages(struct tv_raw_run *run);
/* share.c: instead of these, where processes share the logs; 1: they cannot. */
struct tv_team;
int tv_raw_share_logs(void *run, const struct tv_team *team, struct tv_error *err);

/* scan.c: everything but tasks. -1 with *err: no log, or one that cannot be read. */
int tv_raw_scan(struct tv_raw_log *log, struct tv_error *err) TV_MUST_CHECK;
/* The least number of arguments of a kind of event; -1 = unknown. */
int tv_raw_min_args(uint8_t kind);
/* Reads the event at an offset of a piece; false where it is not usable. *next: that of the next. */
bool tv_raw_event_at(const struct tv_raw_log *log, size_t at, struct tv_raw_event *event,
		     size_t *next);
/* The text behind `args` arguments; *n its length. */
const char *tv_raw_text(const struct tv_raw_event *event, unsigned args, size_t *n);
/* Counts a record that is not usable, with its place. */
void tv_raw_damaged(struct tv_raw_log *log, enum tv_damage_kind kind, const char *cause,
		    size_t offset, const char *format, ...) TV_PRINTF(5, 6);

/* merge.c: calls use() for all events in the order of time, then of threads. */
void tv_raw_merge(struct tv_raw_log *log,
		  void (*use)(struct tv_raw_log *, uint32_t thread, const struct tv_raw_event *));

/* names.c */
/* The file of names that is asked for, else the one beside a log; each once. */
int tv_raw_read_names(struct tv_raw_run *run, const char *log, struct tv_error *err) TV_MUST_CHECK;
void tv_raw_add_site(struct tv_raw_log *log, const struct tv_raw_event *event);
/* The label of a code address at a time: FUNCTION@FILE:LINE, MODULE+0xOFFSET or 0xADDRESS, renamed;
 * "unknown" for 0. */
uint32_t tv_raw_value(struct tv_raw_log *log, uint64_t address, int64_t time);
uint32_t tv_raw_format_label(struct tv_raw_run *run, const char *format, ...) TV_PRINTF(2, 3);

/* states.c: the stacks of threads. */
struct tv_raw_entry *tv_raw_push(struct tv_raw_log *log, uint32_t thread, int64_t time,
				 const struct tv_raw_entry *entry);
/* Ends all above the first n entries. */
void tv_raw_pop_to(struct tv_raw_log *log, uint32_t thread, size_t n, int64_t time);
/* The place of the innermost entry that matches, TV_NONE without one. */
uint32_t tv_raw_find_entry(const struct tv_raw_thread *thread, uint64_t kind, uint64_t which);
/* Ends one entry and all above it; false if there is none. */
bool tv_raw_end_entry(struct tv_raw_log *log, uint32_t thread, uint64_t kind, uint64_t which,
		      int64_t time);
/* The innermost task of a thread, TV_NONE = none; and the place of a task on its stack. */
uint32_t tv_raw_top(const struct tv_raw_log *log, uint32_t thread);
uint32_t tv_raw_find_task(const struct tv_raw_thread *thread, uint32_t node);
/* An event that only makes states: work-sharing, masked, locks. */
void tv_raw_state_event(struct tv_raw_log *log, uint32_t thread, const struct tv_raw_event *event);
void tv_raw_end_work(struct tv_raw_log *log, uint32_t thread, int64_t time);
/* A lock that the thread asked for and did not get (omp_test_lock): no wait. */
void tv_raw_forget_attempt(struct tv_raw_log *log, uint32_t thread,
			   const struct tv_raw_event *event);
/* The time of an event that ends something of a thread whose region may have ended before. */
int64_t tv_raw_capped(const struct tv_raw_log *log, uint32_t thread, int64_t time);

/* create.c: nodes, creation, accesses. */
struct tv_raw_node *tv_raw_add_node(struct tv_raw_log *log, enum tv_raw_kind kind, uint64_t id);
uint32_t tv_raw_find_node(const struct tv_raw_log *log, uint64_t id);
void tv_raw_create(struct tv_raw_log *log, uint32_t thread, const struct tv_raw_event *event);
void tv_raw_dependences(struct tv_raw_log *log, uint32_t thread, const struct tv_raw_event *event);
/* The list of accesses that the thread has begun, if any, does not go on. */
void tv_raw_end_list(struct tv_raw_log *log, uint32_t thread, size_t offset);

/* schedule.c: segments. A segment depends on the nodes that are picked (below). */
void tv_raw_schedule(struct tv_raw_log *log, uint32_t thread, const struct tv_raw_event *event);
/* Keeps the last values of the first n counters of a thread, in log->value, as a task begins; as it ends, makes of those from `at` on
 * what was added since, or of others the last value. */
void tv_raw_keep_values(struct tv_raw_log *log, const struct tv_raw_thread *thread, uint32_t n);
void tv_raw_take_values(struct tv_raw_log *log, const struct tv_raw_thread *thread, size_t at,
			uint32_t n);
void tv_raw_begin_segment(struct tv_raw_log *log, uint32_t thread, uint32_t node,
			  const struct tv_raw_event *event);
/* event: of the end, NULL = none. Does nothing where the task does not run. */
void tv_raw_end_segment(struct tv_raw_log *log, uint32_t node, const struct tv_raw_event *event,
			int64_t time);

/* events.c: calls what an event is for; ends what lasts when the log ends. */
void tv_raw_use(struct tv_raw_log *log, uint32_t thread, const struct tv_raw_event *event);
void tv_raw_end_all(struct tv_raw_log *log);
/* Whether meta has a tag with that value already. */
bool tv_raw_has_tag(const struct tv_trace *trace, const char *key, const char *value);

/* calls.c: MPI. */
void tv_raw_add_mpi_name(struct tv_raw_log *log, const struct tv_raw_event *event);
void tv_raw_set_world(struct tv_raw_log *log, const struct tv_raw_event *event);
void tv_raw_add_clock(struct tv_raw_log *log, const struct tv_raw_event *event);
void tv_raw_begin_call(struct tv_raw_log *log, uint32_t thread, const struct tv_raw_event *event);
void tv_raw_end_call(struct tv_raw_log *log, uint32_t thread, const struct tv_raw_event *event);
/* The call that the thread is in does not end: something else happened then, or nothing (hangs). */
void tv_raw_cut_call(struct tv_raw_log *log, uint32_t thread, int64_t time, bool hangs);
void tv_raw_write_calls(struct tv_raw_log *log);
/* When all logs are used up: pairs the messages. */
void tv_raw_write_messages(struct tv_raw_run *run);

/* starpu.c */
/* again: what follows is of this clock; else it is used for all, unless one is known. */
void tv_raw_starpu_clock(struct tv_raw_log *log, const struct tv_raw_event *event, bool again);
void tv_raw_starpu_event(struct tv_raw_log *log, uint32_t thread, const struct tv_raw_event *event);
void tv_raw_write_starpu(struct tv_raw_log *log);
/* Of all logs, when their rows are written: a message begins when its data were there. */
void tv_starpu_begin_messages(struct tv_raw_run *run);
void tv_raw_release_starpu(struct tv_raw_starpu *starpu);
/* monitor.c: what `record` sampled. The description comes as META before all samples. */
void tv_raw_monitor_event(struct tv_raw_log *log, const struct tv_raw_event *event);
void tv_raw_describe_monitors(struct tv_raw_log *log, const char *text);
void tv_raw_write_monitors(struct tv_raw_log *log);
/* shares.c: CPU time of threads. pu: "PU:3"; before: the tick before. end: what was sampled at a tick becomes rows. */
struct tv_raw_shares;
struct tv_raw_shares *tv_raw_new_shares(struct tv_raw_log *log);
void tv_raw_share(struct tv_raw_shares *shares, const struct tv_raw_event *event, const char *pu,
		  int64_t before);
void tv_raw_share_sample(struct tv_raw_shares *shares, const struct tv_raw_event *event);
void tv_raw_end_shares(struct tv_raw_shares *shares, int64_t now);
/* Resources of the threads that no log has; facts. */
void tv_raw_write_shares(const struct tv_raw_shares *shares);
void tv_raw_release_shares(struct tv_raw_shares *shares); /* NULL: nothing */
/* monitor_facts.c: outputs that are events without change have the facts of these in meta. */
void tv_raw_note_outputs(struct tv_trace *trace, const struct tv_monitors *all, const char *suffix);
void tv_raw_release_monitors(struct tv_raw_log *log);

/* What a node does from here on comes after `after`, for which a wait was over at that time. A wait for nothing new takes
 * what it takes in any run, as work of the node. */
static inline void tv_raw_follow(struct tv_raw_node *node, uint32_t after, int64_t resumed)
{
	if (after != node->after) {
		node->since = after;
		node->resumed = resumed;
	}
	node->after = after;
}

/* What a node does comes after the same as what another one does now. */
static inline void tv_raw_follow_as(struct tv_raw_node *node, const struct tv_raw_node *of)
{
	node->after = of->after;
	node->since = of->since;
	node->resumed = of->resumed;
}

/* sync.c: regions, barriers, taskwaits, taskgroups. */
/* Whether a node (TV_NONE: yes) and all that it depends on have begun, as they have in a log that is not damaged. */
bool tv_raw_is_sound(const struct tv_raw_log *log, uint32_t node);
void tv_raw_region_event(struct tv_raw_log *log, uint32_t thread, const struct tv_raw_event *event);
void tv_raw_sync_event(struct tv_raw_log *log, uint32_t thread, const struct tv_raw_event *event);
/* A task waits, or goes on: from then on it depends on the picked nodes. */
void tv_raw_pick_begin(struct tv_raw_log *log);
void tv_raw_pick(struct tv_raw_log *log, uint32_t node);
/* The event of a detached task is fulfilled: what comes after it comes after that. thread: TV_NONE = never. */
void tv_raw_fulfill(struct tv_raw_log *log, uint32_t thread, uint32_t node, int64_t time);
/* The same of what an implicit task comes after, unless a task that is picked does, too. */
void tv_raw_pick_after(struct tv_raw_log *log, uint32_t implicit);
void tv_raw_wait(struct tv_raw_log *log, uint32_t thread, uint32_t node,
		 const struct tv_raw_event *event);
void tv_raw_go_on(struct tv_raw_log *log, uint32_t thread, uint32_t node, const char *what,
		  const struct tv_raw_event *event);

/* threads.c: resources. The types of threads must be found before tasks are written. */
void tv_raw_find_teams(struct tv_raw_log *log);
const char *tv_raw_thread_type(const struct tv_raw_log *log, uint32_t thread);
void tv_raw_write_threads(struct tv_raw_log *log);

/* rows.c: the tables. */
void tv_raw_write(struct tv_raw_log *log);
int64_t tv_raw_time(const struct tv_raw_log *log, int64_t time);
int64_t tv_raw_time_by(const struct tv_raw_fit *fit, int64_t time);
void tv_raw_set_number(struct tv_column *column, uint32_t row, int64_t value);
uint32_t tv_raw_handle(struct tv_raw_log *log, uint64_t address);
/* From now on other data have that address. */
void tv_raw_renew_handle(struct tv_raw_log *log, uint64_t address, int64_t size);
/* An event of the program: start_NAME or stop_NAME, as the pass events pairs them. */
void tv_raw_add_event_row(struct tv_raw_log *log, uint32_t thread, int64_t time, const char *what,
			  const char *name, size_t n);

#endif
