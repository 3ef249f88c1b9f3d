/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * formats.h -- the formats: one row each in TV_READERS, one file or folder each beside it.
 */
#ifndef TV_FORMATS_H
#define TV_FORMATS_H

#include "trace/input.h"
#include "trace/output.h"
#include "trace/trace.h"

enum { TV_PROBE_BYTES = 64 * 1024, TV_PROBE_SURE = 100 };

/* What a trace can have: a bit of tv_reader.brings, the word for it. */
#define TV_THINGS(THING) /* THING(symbol, word) */ \
	THING(TASKS, "tasks") \
	THING(DEPENDENCIES, "dependencies") \
	THING(SUBMISSION, "submission") \
	THING(DATA, "data") \
	THING(STATES, "states") \
	THING(VARIABLES, "variables") \
	THING(LINKS, "links") \
	THING(MESSAGES, "messages") \
	THING(CALLS, "calls") \
	THING(CALLPROFILE, "callprofile") \
	THING(BENCHMARKS, "benchmarks") \
	THING(DECISIONS, "decisions") \
	THING(EVENTS, "events") \
	THING(MACHINE, "machine")

enum tv_thing {
#define TV_THING_SYMBOL(symbol, word) TV_THING_##symbol,
	TV_THINGS(TV_THING_SYMBOL)
#undef TV_THING_SYMBOL
		TV_NTHINGS
};
extern const char *const tv_thing_word[]; /* TV_NTHINGS */
#define TV_BRINGS(symbol) (1u << TV_THING_##symbol)
/* Tasks with all that columns of their table can say. */
#define TV_BRINGS_TASKS \
	(TV_BRINGS(TASKS) | TV_BRINGS(DEPENDENCIES) | TV_BRINGS(SUBMISSION) | TV_BRINGS(DATA))

struct tv_team;

struct tv_reader {
	const char *name, *summary; /* "paje", for --format and --help */
	unsigned brings;	    /* what its files can have: TV_BRINGS */
	/* How surely head[0..n), the first bytes after decompression, begins this format: 0 no ..
	 * TV_PROBE_SURE (100) magic number. Decides by content, never by name. */
	int (*probe)(const char *head, size_t n);
	/* The state of a reading into *trace. NULL: the trace itself is the state. */
	void *(*begin)(struct tv_trace *trace);
	/* Appends what one file contains; several files of a folder are read one after the other
	 * with the same state. 0, or -1 with *err. */
	int (*read)(void *state, struct tv_input *in, struct tv_error *err);
	/* NULL, or called once after the last file of this format, before any other format's. */
	int (*finish)(void *state, struct tv_error *err);
	/* NULL, or what ends the reading instead where each process of a team has read some of the files: the
	 * trace of process 0 becomes what one process makes of all (convert/share.h). 1: these files are no such; nothing
	 * has changed. */
	int (*share)(void *state, const struct tv_team *team, struct tv_error *err);
	void (*free)(void *state); /* NULL without begin; also called where read or finish failed */
	/* NULL, or whether a file that begins so is read before the others of a folder. */
	bool (*leads)(const char *head, size_t n);
	/* NULL, or the path of another file, which those read so far name; NULL = none is left. Asked after
	 * all files of a folder are read; the text is valid until the state is freed. */
	const char *(*next)(void *state);
	const char *joins; /* another format, whose files in the same folder complete this one's;
			      NULL = none */
	bool completes;	   /* its files in a folder complete a trace of any other format */
	const char *
		uses; /* names of files of the folder that belong to these, with commas; NULL = none */
	double memory; /* max bytes of memory per byte of input: to refuse what cannot fit */
	bool ranks;    /* several files on the command line may be the ranks of one run */
	bool omits;    /* leaves tables empty that are unread: tv_read_options.unread */
};

/*
 * The formats, tv_NAME_reader, best first: what a folder with several is read as. To add one (CONTRIBUTING.md, Add a
 * format): write its struct tv_reader in convert/NAME.c, of several files in convert/NAME/, and add X(NAME) here. The
 * probe is no stricter than the reader, which counts damaged lines (tests/cli/recognize.t). Times, kinds, nodes and
 * order are completed for all formats in trace/complete.c.
 */
#define TV_READERS(X) \
	X(native) \
	X(parquet) \
	X(fxt) \
	TV_FXT_LIB(X) \
	X(paje) \
	X(dump) \
	X(recutils) \
	X(log) \
	X(dot) \
	X(mpip) \
	X(nbc) \
	X(hmon) \
	X(hwloc) \
	X(chrome) \
	X(table) \
	X(sqlite) \
	X(rocprof) \
	X(paraver) \
	X(otf2)
#ifdef TV_HAVE_FXT /* plain, undamaged files of this machine's byte order only */
#define TV_FXT_LIB(X) X(fxt_lib)
#else
#define TV_FXT_LIB(X)
#endif
#define TV_READER(name) extern const struct tv_reader tv_##name##_reader;
TV_READERS(TV_READER)
#undef TV_READER
extern const struct tv_reader *const tv_readers[];
extern const size_t tv_nreaders;
/* The reader of that name; NULL = there is none. */
const struct tv_reader *tv_reader_named(const char *name);

/*
 * Reads PATH (a file, a folder, "-") in any known format into *trace (initialized, empty) and
 * completes it (tv_trace_complete). A folder holding several formats: native CSV, then FxT, then
 * Pajé with its tasks.rec, then tasks.rec alone; a notice says what was used and what was not.
 * Missing file, empty file, nothing known in it: -1 with *err. progress as in struct tv_input.
 *
 * Tables of tv_read_options.unread may be empty afterwards, if no other table, damage or message is
 * another one for that. All are read with options that say which time is zero, shift clocks or make
 * reading strict; from standard input and of several formats; and of a trace without work, which is
 * read again for that.
 */
int tv_load(const char *path, struct tv_trace *trace, void (*progress)(void *, double),
	    void *context, struct tv_error *err) TV_MUST_CHECK;

/*
 * Reads n files as the ranks of one run, as tv_load does a folder of them. 1, with nothing read,
 * when they are not all of one format that has ranks; 0, or -1 with *err.
 */
int tv_load_ranks(const char *const *path, size_t n, struct tv_trace *trace,
		  void (*progress)(void *, double), void *context,
		  struct tv_error *err) TV_MUST_CHECK;

/* For readers of text (cell.c): a time below 146 years, in ns; a cell from a text, where what should be a
 * number and is none is left out and counted. scale: of times, 6 for ms. */
bool tv_convert_time(const char *s, size_t n, int scale, int64_t *ns);
void tv_convert_cell(struct tv_trace *trace, struct tv_pos at, struct tv_column *column,
		     uint32_t row, const char *s, size_t n, int scale);
/* The name of a file without folder and ending: of a parallel region, DIR/3.rec.zst -> 3. The caller
 * frees it. NULL for standard input. */
char *tv_convert_region(const char *path, const char *ending);

/* What is written in a format other than CSV. */
struct tv_export {
	const struct tv_trace *trace; /* complete */
	const char *dialect;	      /* --rec-dialect; NULL = that of the trace's producer */
	struct tv_diagnostics *notes; /* of what the files do not contain */
	/* What was found out about the trace, for viewers: no reader takes it as a part of the trace. NULL, 0 = nothing. */
	const struct tv_track *track;
	size_t ntracks;
};

/* Slices from Start to End. */
struct tv_track {
	/* Labels of each row: Lane, a resource, or Lane and Of, a lane of a resource; Node, that of a Lane that is no
	 * resource; Name. The other columns are about the slice. */
	struct tv_table table;
	bool path; /* the rows with ResourceId, JobId and Start of a task are the critical path, and Seq is their place on it */
};

/* The tasks of one file. */
struct tv_part {
	const char *name;    /* their Region; NULL = they have none */
	const uint32_t *row; /* of tasks, ascending */
	uint32_t n;
};

struct tv_writer {
	const char *name, *summary; /* "rec": for --to */
	const char *ending;	    /* of the files, without point; NULL = the name */
	const char *file;	    /* "tasks": the name of a file without Region */
	bool whole;		    /* one file has all tables; its part has no rows */
	/* What all files share, NULL with *err; end() frees it and adds the notes. */
	void *(*begin)(const struct tv_export *export, struct tv_error *err);
	int (*write)(void *state, const struct tv_part *part, struct tv_output *out,
		     struct tv_error *err);
	void (*end)(void *state);
};

extern const struct tv_writer tv_rec_writer, tv_dot_writer, tv_chrome_writer, tv_sqlite_writer;
extern const struct tv_writer *const tv_writers[];
extern const size_t tv_nwriters;
/* The writer that a name, or the ending of a path, asks for; NULL = none. */
const struct tv_writer *tv_writer_find(const char *name);
const struct tv_writer *tv_writer_of_path(const char *path);
/*
 * Writes the tasks to path: a folder of one file for each Region, REGION.rec, which is replaced as a
 * whole; or, `single`, a file ("-": standard output), which holds one Region. A writer of whole traces needs
 * `single`.
 */
int tv_write_trace(const struct tv_writer *writer, const struct tv_export *export, const char *path,
		   bool single, struct tv_error *err) TV_MUST_CHECK;
/* Notes the tables with rows that an output does not have, with the options that write all. written: a bit for each
 * table. Not: resources of which the rows of tasks say all, and what reading added to meta. Cost O(tasks). */
void tv_note_left_out(const struct tv_trace *trace, uint32_t written, const char *remedy,
		      struct tv_diagnostics *notes);
/* Fails (usage) if the folder contains what such a folder does not. */
int tv_check_export(const struct tv_writer *writer, const char *folder,
		    struct tv_error *err) TV_MUST_CHECK;
/* Fails (usage) if the folder contains what own() does not accept. No folder is fine; hidden files and
 * folders do not matter. what: "table". */
int tv_check_folder(const char *folder, bool (*own)(const void *context, const char *name),
		    const void *context, const char *what, struct tv_error *err) TV_MUST_CHECK;

/* Reads every TABLE.csv (.gz, .zst), TABLE.parquet or parts TABLE/Node=K/ of a folder whose table is still empty; *found counts them. Tables that
 * by their size and columns need more than the limit of memory are refused before they are read. */
int tv_native_read_folder(const char *folder, struct tv_trace *trace, int *found,
			  struct tv_error *err);
extern const char *const tv_native_suffix[4]; /* ".csv" first, ".parquet" last */
/* Adds the columns that readers of a table expect: without a value where no row has one. */
void tv_native_require(struct tv_trace *trace, enum tv_table_id id);
/* The table that a file of a native folder contains, by its name; TV_NTABLES = none. */
enum tv_table_id tv_native_table(const char *name);

#endif
