/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * paje.h -- what the files of the Pajé reader share: definitions, event records, containers.
 *
 * Reading has three steps. Lines become records of fixed size, all names numbers of the string pool
 * (paje.c; again.c for lines that repeat; define.c for %EventDef, types and values). When the last
 * file was read the records are played in order of time, stably, on containers, stacks and links:
 * that joins each begin with its end (simulate.c). Then the records of begins become rows (emit.c).
 * Records stay where they are: those that are earlier than one before them are listed apart.
 *
 * Memory: 32 bytes per event, plus its user-defined fields, until the tables are filled.
 */
#ifndef TV_PAJE_H
#define TV_PAJE_H

#include "convert/formats.h"
#include "trace/map.h"
#include "trace/number.h"

/* Fields of one event definition, event numbers, types, names of user-defined fields: more are
 * refused. */
enum {
	TV_PAJE_FIELDS = 64,
	TV_PAJE_NUMBERS = 65536,
	TV_PAJE_TYPES = 1 << 23, /* with the root's */
	TV_PAJE_NAMES = 1000
};
/* Fields of a line that are kept: the event's number is one more. */
enum { TV_PAJE_KEPT = TV_PAJE_FIELDS + 1 };

enum tv_paje_kind {
	PAJE_NOTHING, /* an event of unknown kind; a record that has been dropped or used up */
	PAJE_DEFINE_CONTAINER,
	PAJE_DEFINE_EVENT,
	PAJE_DEFINE_STATE,
	PAJE_DEFINE_VARIABLE,
	PAJE_DEFINE_LINK,
	PAJE_DEFINE_VALUE,
	PAJE_CREATE,
	PAJE_DESTROY,
	PAJE_SET_STATE,
	PAJE_PUSH_STATE,
	PAJE_POP_STATE,
	PAJE_RESET_STATE,
	PAJE_SET_VARIABLE,
	PAJE_ADD_VARIABLE,
	PAJE_SUB_VARIABLE,
	PAJE_START_LINK,
	PAJE_END_LINK,
	PAJE_NEW_EVENT,
	PAJE_TRACE_FILE
};

/* What a field of a definition means; every other field is the user's and becomes a column. */
enum tv_paje_role {
	PAJE_TIME,
	PAJE_NAME,
	PAJE_ALIAS,
	PAJE_TYPE,
	PAJE_CONTAINER,
	PAJE_VALUE,
	PAJE_KEY,
	PAJE_START,
	PAJE_END,
	PAJE_COLOR,
	PAJE_START_TYPE,
	PAJE_END_TYPE,
	PAJE_FILENAME,
	PAJE_NROLES
};

enum { PAJE_ABSENT = 255 };

/* One %EventDef: which field of a line has which role. */
struct tv_paje_def {
	enum tv_paje_kind kind;
	uint32_t number;
	uint16_t file;
	uint8_t nfields, nextras;
	uint8_t min_words;	 /* of a line of this event, with the number */
	uint8_t at[PAJE_NROLES]; /* index of the field, PAJE_ABSENT if the definition has none */
	uint8_t extra[TV_PAJE_FIELDS]; /* indices of the user's fields */
	uint32_t name[TV_PAJE_FIELDS]; /* labels of their names */
	uint8_t job;		       /* which of the user's fields is JobId, or PAJE_ABSENT */
	bool value_last; /* of variables and events, which have many values: that is the last field */
};

struct tv_paje_type {
	enum tv_paje_kind kind;	      /* PAJE_DEFINE_* */
	uint32_t name, alias, parent; /* labels; parent: index of the container type */
	bool has_values;	      /* some are defined */
	bool has_job;		      /* states of this type carry JobIds */
	bool below;		      /* container types: one below has states with JobIds */
	bool task;		      /* its states are tasks when they carry a JobId */
	bool all_tasks;		      /* its states are tasks in any case (--task-state) */
};

struct tv_paje_value {
	uint32_t name;
	uint32_t color; /* 0xRRGGBB, or TV_NONE */
};

/* One event. While reading, container and other names are labels; the simulation makes them
 * indices. */
struct tv_paje_record {
	int64_t time; /* ns */
	union {
		double number; /* of variables */
		struct {
			uint32_t value; /* label */
			uint32_t depth; /* of states */
		};
		uint64_t number_or_value; /* all of that */
	};
	uint32_t container;
	uint32_t more; /* index into words, or TV_NONE: see tv_paje.words */
	uint32_t end; /* record that ends this; open states: the state below; creations: the parent;
			* ends of links: their start */
	union {
		struct {
			uint32_t type : 23;
			uint32_t kind : 5;
			uint32_t flags : 4; /* PAJE_HAS_JOB, ... */
		};
		uint32_t what; /* all three */
	};
};

/* Another file that belongs to the trace. */
struct tv_paje_named {
	uint32_t path;	  /* label */
	struct tv_pos at; /* what names it */
};

/* Records from here on that come from lines that follow each other. */
struct tv_paje_run {
	long line; /* of the first one */
	uint32_t record;
	uint16_t file;
};

enum { PAJE_HAS_JOB = 1, PAJE_ENDED = 2, PAJE_OPEN = 4, PAJE_LATE = 8 };

/* A record that is earlier than one before it. */
struct tv_paje_late {
	int64_t time;
	uint32_t record;
};

struct tv_paje_container {
	uint32_t name, alias, parent, type;  /* parent: index */
	uint32_t children, sibling, streams; /* first child, next child, first stream; TV_NONE */
	uint32_t created, destroyed;	     /* records; TV_NONE */
	uint32_t id;			     /* ResourceId */
	uint32_t rank;		/* number before '_' in its name, TV_NONE if there is none */
	uint32_t job, job_type; /* the task that was emitted last */
	int64_t job_start;
};

struct tv_paje_field {
	const char *s;
	size_t n;
};

/* A short name and its label: see tv_paje_intern. */
struct tv_paje_recent {
	uint64_t head, tail;
	uint32_t n, label;
};

enum { TV_PAJE_SEEN = 1024 };

/* What a line of an event is but for its time and value: again.c. */
struct tv_paje_line_key {
	uint64_t text[4]; /* what follows the time, with zeros behind */
	uint64_t tag;	  /* the event's number, the length of the text, the generation */
	uint32_t slot;	  /* of tv_paje.seen */
	struct tv_paje_field time;
	struct tv_paje_field value; /* the last word, if it is not in the text; else of length 0 */
};

/* A line that was read, and what the record of one like it has: 64 bytes. */
struct tv_paje_seen {
	uint64_t text[4], tag, number_or_value;
	uint32_t container, more, what;
};

struct tv_paje {
	struct tv_trace *trace;
	char **path; /* of the files read */
	size_t npaths, paths_cap;

	struct tv_index files; /* by path: named or read; see files.c */
	struct tv_paje_named *named;
	size_t nnamed, named_cap, nasked;

	struct tv_paje_def *def;
	size_t ndefs, defs_cap;
	struct tv_index by_number;
	struct tv_index names; /* of the user's fields, by label */
	size_t nnames;
	bool defining; /* between %EventDef and %EndEventDef */
	bool unfit;    /* the current definition cannot be used */

	struct tv_paje_type *type;
	size_t ntypes, types_cap;
	struct tv_index type_alias, type_name;
	struct tv_paje_value *value;
	size_t nvalues, values_cap;
	struct tv_map values; /* type, alias -> value */

	int scale; /* power of ten from the trace's unit to ns; -1 = not decided */
	bool starpu;
	bool unordered; /* what comes first of one instant is not known: calls get no peers */
	struct tv_paje_record *record;
	size_t n, cap;
	struct tv_paje_run *run; /* where they come from */
	size_t nruns, runs_cap;
	long line_gap; /* of the last run: a record's line less its number */
	/* What does not fit a record: the definition, for links the key and the other container,
	 * then the definition's user fields: length (TV_NONE = missing) and bytes, padded to whole
	 * words. */
	uint32_t *words;
	size_t nwords, words_cap;
	struct tv_index
		declared; /* by label: something creates a container of that alias or name */

	struct tv_paje_container *container;
	size_t ncontainers, containers_cap;
	struct tv_index container_alias, container_name;
	uint64_t nrepeated;
	bool omits_events; /* nobody reads events, except of TV_PAJE_COPY until the end of reading */

	/* Of the current line; [0] is the event's number, the last one any that is not kept. */
	struct tv_paje_field field[TV_PAJE_KEPT + 1];
	size_t nfields;
	struct tv_pos at;
	struct tv_paje_recent recent[1024];
	struct tv_paje_seen seen[TV_PAJE_SEEN];
	uint32_t generation;	    /* of definitions: others make other records of a line */
	struct tv_paje_recent time; /* text of the time read last, without a label */
	int64_t time_ns;	    /* of that text */
	int64_t earliest, latest;   /* of all records */
	struct tv_paje_late *late;  /* as they were read; later by time */
	size_t nlate, late_cap;
	const struct tv_input *in;
	size_t n_before, nwords_before;	  /* what there was before this file */
	uint32_t nkinds[PAJE_TRACE_FILE]; /* records of each kind */
};

/* Counts the current line as dropped. */
#define PAJE_DROPPED(paje, cause, ...) \
	tv_damaged((paje)->trace, TV_DROPPED, cause, (paje)->at, __VA_ARGS__)

static inline bool tv_paje_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* split.c: fills paje->field of a line that tv_input_line gave: words between blanks, or texts
 * between quotes, "text" or 'text' (old versions of GTG); # outside of them begins a comment. Returns
 * the number of fields beyond those kept. *open: a quote is left open. */
size_t tv_paje_split(struct tv_paje *paje, const char *s, size_t n, bool *open);

/*
 * lookup.c: the label of a field; 16 bytes from its begin on can be read. Nearly all
 * names of a trace are short and among few: those of up to 16 bytes are looked up in a small table
 * before the pool. (A quarter of the time of reading.)
 */
uint32_t tv_paje_intern(struct tv_paje *paje, const struct tv_paje_field *field);
/* A time in nanoseconds, of such a field. Several events at one instant are usual: that of the one
 * before is known. */
enum tv_parsed tv_paje_parse_time(struct tv_paje *paje, const struct tv_paje_field *field,
				  int64_t *ns);

/* again.c: the key of a line that tv_input_line gave; false if it is not one of an event number of
 * one or two characters, a time of up to 16 and up to 32 other bytes. */
bool tv_paje_line_key(const struct tv_paje *paje, const char *s, size_t n,
		      struct tv_paje_line_key *key);
/* What a line of that key was; NULL if none is known. */
static inline const struct tv_paje_seen *tv_paje_seen(const struct tv_paje *paje,
						      const struct tv_paje_line_key *key)
{
	const struct tv_paje_seen *seen = &paje->seen[key->slot];
	uint64_t differ = seen->tag ^ key->tag;

	/* One comparison for all: which word differs cannot be foreseen. */
	for (int i = 0; i < 4; i++)
		differ |= seen->text[i] ^ key->text[i];
	return differ == 0 ? seen : NULL;
}

/* Keeps what the record that the current line made has, for lines of its key. */
void tv_paje_remember(struct tv_paje *paje, const struct tv_paje_def *def,
		      const struct tv_paje_line_key *key);

/* define.c: a line that begins with %; the end of a file; lines of definition events. */
int tv_paje_define_line(struct tv_paje *paje, struct tv_error *err) TV_MUST_CHECK;
void tv_paje_define_end(struct tv_paje *paje);
int tv_paje_define_type(struct tv_paje *paje, const struct tv_paje_def *def,
			struct tv_error *err) TV_MUST_CHECK;
void tv_paje_define_value(struct tv_paje *paje, const struct tv_paje_def *def);
/* Warns of names in --task-state that no state type of the trace has. */
void tv_paje_check_task_states(const struct tv_paje *paje);
/* The type of that alias or, failing that, that name (a label); TV_NONE if unknown. */
static inline uint32_t tv_paje_find_type(const struct tv_paje *paje, uint32_t label)
{
	uint32_t type = tv_index_get(&paje->type_alias, label);

	return type != TV_NONE ? type : tv_index_get(&paje->type_name, label);
}
/* Whether the types defined so far are those that StarPU defines. */
bool tv_paje_is_starpu(const struct tv_paje *paje);

/* files.c: whether a file that begins so defines container types, which others may use: it is read first. */
bool tv_paje_leads(const char *head, size_t n);
/* Notes that a file is read, or that the current line names one (NULL, empty: none). */
void tv_paje_file_read(struct tv_paje *paje, const char *path);
void tv_paje_name_file(struct tv_paje *paje, const struct tv_paje_field *name);
/* tv_reader.next; files that cannot be read are counted. */
const char *tv_paje_next_file(void *state);

/* simulate.c: sorts paje->late and joins begins with ends; fills paje->container. */
void tv_paje_simulate(struct tv_paje *paje);
/* Its begin: sorts paje->late for tv_paje_next, and adds the root, container 0. */
void tv_paje_prepare(struct tv_paje *paje);
/* Adds a container of that name and alias; created: a record, TV_NONE: the table of resources has no row
 * of it. */
void tv_paje_add_container(struct tv_paje *paje, uint32_t name, uint32_t alias, uint32_t parent,
			   uint32_t type, uint32_t created);

/* overlap.c: the type of states that overlap on one stack, those of StarPU's memory nodes; TV_NONE. */
uint32_t tv_paje_overlapping(const struct tv_paje *paje);
/* Which of the open states of such a type (`top` and those below it) a pop ends. *sure: the trace shows
 * it; else it is the innermost that it can be. */
uint32_t tv_paje_ended(const struct tv_paje *paje, uint32_t top, uint32_t pop, bool *sure);

/* Late records that are fetched before their turn: they are anywhere in memory. */
enum { TV_PAJE_AHEAD = 8 };

/* Where a walk through the records in order of time is; zeroed at its begin. */
struct tv_paje_walk {
	size_t next, late;
};

/*
 * The next record by time, then as they were read; TV_NONE behind the last. tv_paje_simulate has
 * sorted paje->late and closed both arrays with times behind all. A late record follows the others
 * of its time: those behind it in the file are later.
 */
static inline uint32_t tv_paje_next(const struct tv_paje *paje, struct tv_paje_walk *walk)
{
	const struct tv_paje_record *r = paje->record;

	while (r[walk->next].flags & PAJE_LATE)
		walk->next++;
	if (paje->late[walk->late].time < r[walk->next].time) {
		__builtin_prefetch(&r[paje->late[walk->late + TV_PAJE_AHEAD].record], 1);
		return paje->late[walk->late++].record;
	}
	return walk->next < paje->n ? (uint32_t)walk->next++ : TV_NONE;
}

/* emit.c: fills the tables of paje->trace. */
void tv_paje_emit(struct tv_paje *paje);

/*
 * calls.c: calls of MPI that the trace has as states, and messages between their containers. The states
 * remain states. NULL: the trace has none, or is StarPU's. Numbers the containers of calls: their rank.
 */
struct tv_paje_calls;
struct tv_paje_calls *tv_paje_find_calls(struct tv_paje *paje);
void tv_paje_free_calls(struct tv_paje_calls *calls); /* NULL is ignored */
/* Adds the state to the table of calls if it is one; in order of time. open: label of Flag. */
void tv_paje_emit_call(struct tv_paje_calls *calls, const struct tv_paje_record *state,
		       int64_t end_ns, uint32_t open);
/* Whether a link between these containers is a message; to: TV_NONE = it has no end. */
bool tv_paje_is_message(const struct tv_paje_calls *calls, uint32_t from, uint32_t to);
/* A link begins (sends) or ends: its other side is the peer of the call that sends or receives then. */
void tv_paje_link_side(struct tv_paje_calls *calls, uint32_t from, uint32_t to, int64_t time,
		       bool sends);

/* handles.c: the handles of links that have none, from the events of the same copies: those of this
 * type. */
#define TV_PAJE_COPY "DriverCopy Start"
void tv_paje_fill_handles(struct tv_trace *trace);

/* resources.c: names the containers and fills the table of resources; the trace ends at
 * finish_ns. */
void tv_paje_emit_resources(struct tv_paje *paje, int64_t finish_ns);

/*
 * paje.c: what dump.c shares. A reading, whose type 0 is the root, named 0; a file of it; s or ms.
 */
void *tv_paje_begin(struct tv_trace *trace);
void tv_paje_free(void *state);
int tv_paje_begin_file(struct tv_paje *paje, const struct tv_input *in,
		       struct tv_error *err) TV_MUST_CHECK;
int tv_paje_decide_unit(struct tv_paje *paje, bool starpu, struct tv_error *err) TV_MUST_CHECK;
/* The record behind the last one, NULL with *err; its time, or the line is dropped and counted; what has
 * no place in it (tv_paje.words), of fields that are not NULL; the record counts. */
struct tv_paje_record *tv_paje_new_record(struct tv_paje *paje, enum tv_paje_kind kind,
					  struct tv_error *err) TV_MUST_CHECK;
bool tv_paje_read_time(struct tv_paje *paje, const struct tv_paje_field *time, int64_t *ns);
int tv_paje_add_more(struct tv_paje *paje, const struct tv_paje_def *def, struct tv_paje_record *r,
		     struct tv_error *err) TV_MUST_CHECK;
void tv_paje_add_record(struct tv_paje *paje);

/* paje.c: the place of a record, for messages. */
struct tv_pos tv_paje_place(const struct tv_paje *paje, const struct tv_paje_record *r);

#endif
