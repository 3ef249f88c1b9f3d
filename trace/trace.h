/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace.h -- a trace in memory: the well-known tables over one string pool, and what was wrong with
 * the input.
 */
#ifndef TV_TRACE_H
#define TV_TRACE_H

#include "trace/diagnostics.h"
#include "trace/table.h"

/* A time that is added to the clock of a node. */
struct tv_clock_offset {
	const char *node; /* of that length; borrowed */
	size_t length;	  /* 0: of each node what messages show */
	int64_t ns;
};

/* Which CSV files are read as tables that are no traces: into tv_trace.plain. */
enum tv_plain {
	TV_PLAIN_NONE,
	TV_PLAIN_OTHER, /* those that have not the columns of any table of a trace */
	TV_PLAIN_ALL
};

/* Tables that can be left unread: those that only describe what else a run did, and are often the largest. */
#define TV_OMITTABLE (1u << TV_STATES | 1u << TV_VARIABLES | 1u << TV_EVENTS)

/* A table that a verb writes and that is no table of a trace. */
struct tv_written {
	const char *verb;
	struct tv_columns form;
};

/* How a reader is to treat what it reads; from the command line. */
/* A part of the rows of tables, to be read alone: see tv_read_options.part. */
struct tv_row_part {
	unsigned tables,
		left; /* bit per enum tv_table_id: those that it is of; those that are not read at all */
	int64_t begin, end; /* ns: those whose Start is from begin to before end */
	bool rest;  /* instead those without Start, of the groups number begin to before end */
	bool lists; /* the groups of rows that the tables have are to be listed, else counted: n */
	struct tv_row_group {
		enum tv_table_id id;
		uint32_t rows;
		int64_t min, max; /* of Start, ns; min > max: no row has one */
		bool rest;	  /* perhaps rows without Start */
	} * group;
	size_t n, cap;
	bool again; /* all rows were read before: what is wrong with them, and what is not asked for, is known */
	bool unordered; /* rows of tasks may stay in the order of the input; not again, if they are app tasks and come
			 * by Start for each resource */
	const char *
		spared; /* columns of other tables than tasks that are not read, "links.Key links.Tag"; NULL = none */
	struct tv_parquet_kept
		*kept; /* of the file that was read last, for the next part: tv_parquet_forget */
	int64_t first,
		last; /* places in the input of the first and last row of tasks that was read: numbers of
			      * rows; first > last: there is none. 0, 0: not known */
};

/* Rows of tasks that a caller asks for, to be read alone: those that satisfy all conditions on texts, of those on numbers perhaps
 * also others. See tv_read_options.choice. */
struct tv_row_choice {
	struct tv_row_condition {
		const char *column;
		const struct tv_choice_text {
			const char *s;
			size_t n;
		} * text; /* the cell is one of these, in the order of tv_choice_compare; NULL = a number */
		size_t ntexts;
		int64_t min, max; /* the number is from min to max; of a time, ns */
	} * condition;
	size_t n;
	bool sample; /* instead some of the first rows, if there are any */
};

struct tv_trace;

/* Where the rows of our own tables go, some at a time, in the order of the input: none of a table but meta is kept, and what rows say of
 * each other is not checked. take() gets a table of at least one row, or the only one, without rows; what it has is gone
 * afterwards. */
struct tv_row_batches {
	uint32_t rows; /* at most so many at a time */
	size_t bytes;  /* and about so much memory; 0 = for all these rows */
	int (*take)(void *context, const struct tv_trace *trace, enum tv_table_id id,
		    struct tv_error *err); /* -1 with *err ends the reading */
	void *context;
};

struct tv_read_options {
	bool strict;		/* every repair or drop is an error */
	bool as_read;		/* rows stay in the order of the input (tv_trace_as_read) */
	const char *time_unit;	/* "s", "ms", "us", "ns"; NULL = the reader decides */
	const char *zero;	/* "first-task", "none" or a time; NULL = first-task */
	const char *task_state; /* state types that are tasks, comma separated, or an expression
				     * over states; NULL = none */
	const char *workers;	/* names of the lanes that are workers, comma separated, where *
				     * and ? match; NULL = the reader decides */
	const char *
		map; /* columns of tasks of those of a table, "Value=name,Start=begin_us", or @FILE;
			  * NULL = the input is no such table */
	const char *type_attribute; /* of nodes of a graph in DOT: the task type; NULL = none */
	const char *kernels;	    /* path of a table that extends data/kernels.csv; NULL = none */
	const char *names;	    /* path of names of task types in raw logs; NULL = none */
	const char
		*variable_names; /* of the values of a row of monitors; NULL = those of the trace */
	const char *format;	 /* reader to use; NULL = by content */
	const char *resources;	 /* "CPU=25,CUDA=3"; NULL = none */
	const char *bind;	 /* path of a CSV of bindings of workers; NULL = none */
	const char *with;	 /* folder whose tables complete a single CSV; NULL = none */
	const struct tv_clock_offset *clock_offset; /* of several for a node the last holds */
	size_t nclock_offsets;
	enum tv_plain plain;
	const struct tv_written *written; /* CSVs with these columns are no traces: they are read
					   * as `plain` allows, or refused with the names of the
					   * verbs; borrowed */
	size_t nwritten;
	unsigned unread; /* bit per enum tv_table_id, of TV_OMITTABLE: tables that the caller does
			    not read, which readers may leave empty; 0 = it may read all */
	const char *columns; /* a text that has the names of the columns of tasks that the caller
			      * reads beside those that all do (tv_trace_plan_columns), which
			      * readers may leave out if it has not; NULL = it may read all */
	struct {
		bool set;
		int64_t begin, end; /* ns */
	} window; /* of what the caller asks depends only on the executions that touch it, on the
		   * workers, and on the begin and end of the run: readers may leave out rows of
		   * other app tasks (tv_trace.rest) */
	struct tv_row_part
		*part; /* tables in Parquet: the rows that are read; NULL = all; borrowed */
	const struct tv_row_choice *choice; /* tasks in Parquet: the rows that are read; NULL = all.
					     * What is wrong with others is not known, and -1 where
					     * all have to be read. Borrowed */
	const struct tv_row_batches *batches; /* NULL = tables are kept; borrowed */
	bool unplaced; /* messages about rows name no place: the user has them in another file */
	bool numbered; /* tasks are a copy by Start, whose TV_INPUT_ROW is of the input */
	double beside; /* bytes that the caller needs for each row of tasks beside the table */
	double beside_links; /* likewise for each row of links */
	bool unlinked; /* what the caller computes depends on no dependency: nothing is said of those on jobs that occur nowhere */
	bool verbose;  /* keep the place of every repaired or dropped record, and what was
			      * read */
};

/* Dropped beside tasks: what was dropped concerns no task, dependency or worker. */
#define TV_DAMAGES(DAMAGE) /* DAMAGE(symbol, topic, what its keys in meta begin with) */ \
	DAMAGE(REPAIRED, "repaired", "Repaired: ") \
	DAMAGE(DROPPED, "dropped", "Dropped: ") \
	DAMAGE(DROPPED_BESIDE, "dropped beside tasks", "Dropped beside tasks: ")

enum tv_damage_kind {
#define TV_DAMAGE_SYMBOL(symbol, topic, prefix) TV_##symbol,
	TV_DAMAGES(TV_DAMAGE_SYMBOL)
#undef TV_DAMAGE_SYMBOL
		TV_NDAMAGES
};

/* What a key of meta begins with where its value counts such records: "Dropped: ". */
extern const char *const tv_damage_prefix[TV_NDAMAGES];

/* Causes of repairs where the end of what was recorded is missing. */
#define TV_CUT_EVENT  "the file ends within an event"
#define TV_CUT_BLOCK  "the block of events claims more bytes than the file has"
#define TV_CUT_LINE   "last line cut off"
#define TV_CUT_RECORD "last record cut off"
#define TV_CUT_INPUT  "compressed input ends early"
/* Cause of a repair where any part of what was recorded may be missing, not its end. */
#define TV_CUT_PARTS "parts of the log are missing"

/* Flag of a task, state, link or call that had not ended when the trace did: End is that of the trace. */
#define TV_OPEN "open"
/* Flag of a task that has not run yet: of a graph without times. */
#define TV_PLANNED "planned"

/* One cause of damage, counted. The first record is among the diagnostics of the trace, with
 * tv_read_options.verbose all of them. */
struct tv_damage {
	enum tv_damage_kind kind;
	char *cause; /* "pop without push" */
	uint64_t count;
	size_t first; /* its number among the diagnostics */
};

/* Rows of tasks from `row` on are on consecutive lines of their file, from `line` on. */
struct tv_lines {
	uint32_t row;
	long line;
};

struct tv_trace {
	struct tv_pool *pool;
	struct tv_table table[TV_NTABLES];
	struct tv_table plain; /* a table that is no trace, which has no other then; else without
				* columns */
	char *plain_map;       /* how it can be read as tasks, in words; NULL = not known */
	struct tv_read_options options;
	unsigned undeclared; /* tables that tv_trace_table refuses: read_options.unread of what was
			      * loaded, even if the reader kept them */
	char **left;	     /* columns of tasks that options.columns does not name: not read */
	size_t nleft, left_cap;
	struct {
		uint64_t n;
		int64_t begin, finish; /* earliest Start and latest End, ns */
	} rest;			       /* executions of app tasks that options.window leaves out */
	struct tv_survey *
		survey; /* what all parts of the rows show (tasks.h), of which this is one; NULL = all
				   * rows are here; borrowed */
	bool repeats;	/* rows of another part come once more: their damage was counted there */
	bool unsure;	/* what is not read might change what the caller gets, after all */
	bool too_large;	 /* it was not read: --max-memory is less than it needs */
	bool lost_said;	 /* dependencies on jobs that occur nowhere were reported */
	bool native;	 /* our own CSV: already shifted, columns as the user wrote them */
	bool unit_asked; /* native: some times are whole numbers, in the unit of --time-unit */
	bool runs; /* files that were read as the ranks of one run have the same processes: they may be runs */
	bool clocks_set; /* the reader has added the offsets of the nodes' clocks */
	struct tv_damage *damage;
	size_t ndamage, damage_cap;
	struct tv_diagnostics diagnostics; /* of reading */
	char *file;			   /* native tasks: where their rows are, while nothing
					   has moved them; NULL = not known */
	struct tv_lines *lines;
	size_t nlines, lines_cap;
};

/* An empty trace. options may be NULL. */
void tv_trace_init(struct tv_trace *trace, const struct tv_read_options *options);
/* The same with the strings and options of another, so that rows can move from one to the other. */
void tv_trace_init_beside(struct tv_trace *trace, const struct tv_trace *of);
/* The same over the pool of a piece, for tv_table_append. */
void tv_trace_init_piece(struct tv_trace *trace, const struct tv_read_options *options);
void tv_trace_release(struct tv_trace *trace);

/*
 * Counts one repaired or dropped record under its cause, a short constant phrase; the format gives
 * the details of this one. The reader goes on: tv_check_strict reports it after reading.
 */
void tv_damaged(struct tv_trace *trace, enum tv_damage_kind kind, const char *cause,
		struct tv_pos at, const char *format, ...) TV_PRINTF(5, 6);
/* Counts n more, which the diagnostic that was added last describes. */
void tv_damage_count(struct tv_trace *trace, enum tv_damage_kind kind, const char *cause,
		     uint64_t n);
/* Moves the damage of another reading here, with its diagnostics, as if this one had gone on with
 * it: of damage of one cause the first record is shown, or all with verbose. */
void tv_trace_take_damage(struct tv_trace *trace, struct tv_trace *from);
/* -1 with *err, the first damage, if the trace is read strictly and there is any; else 0. */
int tv_check_strict(const struct tv_trace *trace, struct tv_error *err) TV_MUST_CHECK;
/* Dropped records that may concern tasks, dependencies or workers, of this reading or, for our own
 * CSV, of the conversion that made it. causes (of `size`) receives what they were. */
uint64_t tv_trace_dropped(const struct tv_trace *trace, char *causes, size_t size);
/* Adds a note. */
#define tv_notice(trace, ...) \
	tv_diagnose(&(trace)->diagnostics, TV_NOTE, (struct tv_pos){ 0 }, __VA_ARGS__)

/* Removes the rows of a table that are not in options.part, if it is read in parts. place: of each row, ascending; NULL
 * = those of tasks are in one file. */
void tv_trace_keep_part(struct tv_trace *trace, enum tv_table_id id, const int64_t *place);

/* Notes where a row of tasks was read, in the order of rows. */
void tv_trace_read_at(struct tv_trace *trace, uint32_t row, struct tv_pos at);
/* The place of a row of tasks in its file, for messages; none if it is not known. Valid while the trace
 * is. O(log n). */
struct tv_pos tv_trace_place(const struct tv_trace *trace, uint32_t row);
/*
 * Rows of tasks, links, calls and handles are in one order, whatever that of the input was, so that no result
 * depends on it (tv_trace_complete). Where the input had another, this derived column has the number of
 * each row in it; missing of rows added since.
 */
#define TV_INPUT_ROW "(row of the input)"
/* Rows of a table, rows[0..*n) (NULL: all), in the order of the input: sorted, for NULL in new memory with
 * *n set; NULL again where the order is that of the table. */
uint32_t *tv_rows_as_read(const struct tv_table *table, uint32_t *rows, uint32_t *n);
/* Puts the rows of all tables back into the order of the input, to write them. */
void tv_trace_as_read(struct tv_trace *trace);
/* To be called when the rows of tasks change: forgets their places. */
void tv_trace_moved(struct tv_trace *trace);

/* The order of the texts of a condition, for qsort and bsearch. */
int tv_choice_compare(const void *a, const void *b);

/* Whether there are app tasks with times. A trace without such work is drawn from its states, and its clock
 * begins with the first time of all tables, so none of these is left unread. Cost O(rows). */
bool tv_trace_has_work(const struct tv_trace *trace);

/* A table, for whoever analyses or draws a trace: one of those that can be left unread is had in no other
 * way. A table that the command does not declare to read may be empty: asking for it ends the program
 * (tv_bug). */
const struct tv_table *tv_trace_table(const struct tv_trace *trace, enum tv_table_id id);
/* Whether the command declares to read it: for a result that is also of use without it. */
static inline bool tv_trace_reads(const struct tv_trace *trace, enum tv_table_id id)
{
	return !(trace->undeclared >> id & 1);
}

/* Chooses of the n columns of a native file with tasks those that are not read: the caller does not, and neither their
 * executions, kinds, workers nor phases depend on them. */
void tv_trace_plan_columns(struct tv_trace *trace, const char *const *name, size_t n);
/* Whether the caller may read a column of tasks that only it asks for. */
bool tv_trace_wants(const struct tv_trace *trace, const char *name);
/* Whether a column of a table is one of these. */
bool tv_trace_leaves(const struct tv_trace *trace, enum tv_table_id id, const char *name);

/* From here on no table, column or row is left out. */
void tv_trace_read_all(struct tv_trace *trace);

/* Marks the tables that the caller does not read as unread, while they are empty, if the times of the
 * trace lie between first and last and those are no times that tv_trace_complete might refuse. */
void tv_trace_omit(struct tv_trace *trace, int64_t first, int64_t last);

/* meta: adds a row (a key may occur several times); looks the last one up (NULL if none); goes over all rows of a key,
 * *row being 0 at first (NULL after the last one). Texts are valid until the trace changes; not closed by NUL. */
void tv_meta_add(struct tv_trace *trace, const char *key, const char *format, ...) TV_PRINTF(3, 4);
const char *tv_meta_get(const struct tv_trace *trace, const char *key, size_t *n);
const char *tv_meta_next(const struct tv_trace *trace, const char *key, uint32_t *row, size_t *n);
/* Of a value "ITEM: TEXT", in which TEXT has no colon: the bytes of ITEM; 0 = it has none. */
size_t tv_meta_item(const char *value, size_t n);
/* Whether a cause is one of TV_CUT_... */
bool tv_is_cut(const char *cause);
/* Whether a complete trace, or the one that it was made from, has a repair of one of the causes TV_CUT_... */
bool tv_trace_ends_early(const struct tv_trace *trace);
/* The same of TV_CUT_PARTS. */
bool tv_trace_lacks_parts(const struct tv_trace *trace);

/* Before the name of a value of states: the color, #rrggbb, that the trace's files give it. */
#define TV_META_COLOR "Color."
/* Tags that the user gave the run: KEY is TV_META_TAG and the name. */
#define TV_META_TAG "Tag."
/* How many executions --restrict left out of workers that stay. */
#define TV_META_LEFT_OUT "LeftOut"
/* Key of meta: the calls of MPI are states as well. */
#define TV_META_CALLS_OF_STATES "CallsOfStates"

/* Key of meta: the trace has no ids of tasks, JobIds are places in its files, which are others in another run. */
#define TV_META_PLACES_AS_JOBS "PlacesAsJobIds"

/* The column of a table by its name, added if it does not exist; its type is that of the schema,
 * text for other names. Columns of a trace have no other types. */
struct tv_column *tv_trace_column(struct tv_trace *trace, enum tv_table_id table, const char *name);
/* The same for n columns of a table, each of which goes to its place. */
struct tv_wanted {
	const char *name;
	struct tv_column **column;
};
void tv_trace_columns(struct tv_trace *trace, enum tv_table_id table,
		      const struct tv_wanted *wanted, size_t n);
/* The same: TV_TRACE_COLUMNS(trace, TV_TASKS, { "JobId", &job }, { "Value", &value }). */
#define TV_TRACE_COLUMNS(trace, table, ...) \
	tv_trace_columns(trace, table, (const struct tv_wanted[]){ __VA_ARGS__ }, \
			 sizeof((const struct tv_wanted[]){ __VA_ARGS__ }) \
				 / sizeof(struct tv_wanted))

/* Whether a list of the option --resources is TYPE=NUMBER,...; NULL is. -1 with *err. */
int tv_resources_check(const char *list, struct tv_error *err) TV_MUST_CHECK;

/* The node ("0_CPU3" -> "0", which it also is without a number) and type ("CPU", "CUDA" of "CUDA0_0",
 * "MEMMANAGER") in a resource's name: parts of the name, or of a constant. type is the two letters or
 * more before the first digit, "worker" without them. */
struct tv_resource_words {
	const char *node;
	size_t node_length;
	const char *type;
	size_t type_length;
};
struct tv_resource_words tv_resource_words(const char *name);
/* Whether resources of that type execute tasks in every runtime that we know: CPU, CUDA, HIP,
 * OpenCL, ... */
bool tv_is_processor(const char *type);

/*
 * What every reader's result goes through, once (trace/complete.c):
 *  - shifts all times so that t = 0 is the first app start, or as tv_read_options.zero requires (native
 * CSV: only if it is set), and keeps the shift in meta.ClockOrigin;
 *  - adds the offsets of tv_read_options.clock_offset, and flags messages that were received before
 * they were sent (trace/clocks.h);
 *  - foreign traces: fills in Kind, ResourceType, Node, Duration where the input does not have them; adds
 * resources that only tasks name and one Kind=worker task row per worker without tasks; orders
 * resources by node, type and name (natural order) and tasks by Start, then resource, then input order,
 * ghosts and idle workers last: they are written in this order;
 *  - orders tasks by Start, then resource (natural order), End, JobId, Segment and type, those that did not run
 * behind the others; links by Start, Key, both ends and End; calls by Start, thread and End; handles by node and
 * name; then by the order of the input, which TV_INPUT_ROW keeps;
 *  - native CSV: adds the columns Kind, ResourceType, Node and Duration if the table has none, as
 * derived;
 *  - declares the workers of tv_read_options.resources;
 *  - writes the damage into meta.
 * Fails (exit 1) on damage if the trace is read strictly, on two identical executions (JobId,
 * ResourceId, Start), naming them, and on times
 * of 2^62 ns (146 years) or more, so that differences of times fit 64 bits. Cost O(n log n).
 */
int tv_trace_complete(struct tv_trace *trace, struct tv_error *err) TV_MUST_CHECK;

#endif
