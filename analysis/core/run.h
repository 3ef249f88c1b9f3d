/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * run.h -- a run (a trace and the results computed on it), and what a pass is.
 *
 * An annotating pass computes columns, one row per row of tasks; a summarizing pass computes a new
 * table. A pass reads an immutable run and writes only its result. It gets the results of other
 * passes from the run, which computes each (pass, options) once.
 */
#ifndef TV_RUN_H
#define TV_RUN_H

#include "analysis/core/team.h"
#include "trace/map.h"
#include "trace/number.h"
#include "trace/options.h"
#include "trace/tasks.h"

enum tv_pass_kind { TV_ANNOTATE, TV_SUMMARIZE };

/* Headings under which --help lists verbs, in this order; their texts are in cli/help.c. */
enum tv_verb_group {
	TV_GROUP_OTHER,
	TV_GROUP_INPUT,
	TV_GROUP_SUMMARY,
	TV_GROUP_BOUNDS,
	TV_GROUP_DEPENDENCIES,
	TV_GROUP_TIME,
	TV_GROUP_MACHINE,
	TV_GROUP_NODES,
	TV_GROUP_MPI,
	TV_GROUP_OUTLIERS,
	TV_GROUP_FRONTS,
	TV_GROUP_COMPARE,
	TV_NGROUPS
};

struct tv_window {
	bool set;
	int64_t begin, end; /* ns; without an end INT64_MAX, without a begin INT64_MIN */
};

struct tv_dag;
struct tv_carry;
struct tv_near;
struct tv_packed;
struct tv_pass_result;
struct tv_kept_result;
struct tv_rider;
struct tv_run;

/* Durations that options such as --durations-from take by a name instead of the name of a file. */
struct tv_named_weights {
	const char *name;
	const struct tv_named_weight {
		const char *value, *rtype;
		double ns;
	} * weight;
	size_t n;
};

/* Reads PATH, a trace in any format, into *trace, which it initializes and the caller releases in any
 * case. -1 with *err. */
struct tv_loader {
	int (*load)(const void *context, const char *path, struct tv_trace *trace,
		    struct tv_error *err);
	const void *context; /* borrowed */
};

/* Columns of tasks that parts have: all, also what tasks depend on; only those of tv_pass.columns and `later`, of the pass that is
 * computed; only the former. */
enum tv_part_columns { TV_PART_LINKED, TV_PART_LATER, TV_PART_BARE };

/* Where the rows of a run come from that does not have them: part by part, in the order of time, as runs of their own
 * with the same workers, interval and selection. */
struct tv_run_parts {
	/* 1: *part is the next one, valid until the next call; 0: there is no more, and the next call begins again;
	 * -1 with *err. */
	int (*next)(void *context, enum tv_part_columns columns, struct tv_run **part,
		    struct tv_error *err);
	/* NULL: the run is known. Else it has no workers, interval and sums before it has given all parts once: this
	 * then sets them. -1 with *err. */
	int (*end)(void *context, struct tv_error *err);
	void *context;
	uint64_t rows; /* of all parts */
	const uint64_t *
		of_table; /* those of each table, by enum tv_table_id; 0 = it does not come in parts, or has none */
	struct tv_carry
		*carry; /* gives parts their task graph (tv_run_dag); NULL = they have none */
};

/* Tasks that are not counted, by type, in the order of their first rows. */
struct tv_left_out {
	struct tv_left_out_type {
		uint32_t label;
		uint64_t n;
		tv_int128 time;
	} * type;
	size_t n, cap;
	struct tv_map place; /* by label */
};

/* A trace, its tasks, its window and the results computed so far. */
struct tv_run {
	const struct tv_trace *trace;
	struct tv_tasks tasks;
	struct tv_window window;
	const struct tv_run_parts *parts; /* NULL = it has all rows */
	struct tv_run
		*of; /* of a part of the rows: the run whose tv_run_rows gives it; NULL = no part */
	const struct tv_team *team; /* whose processes have parts of their own each; NULL = alone */
	const struct tv_left_out *left_out; /* of rows that it does not have; NULL = it has all */
	bool *chosen;			    /* by worker: those selected; NULL = all */
	struct tv_tasks part; /* those of the chosen workers, where some are selected */
	struct tv_run *whole; /* the run of which this is a part (tv_run_init_part); NULL = none */
	struct tv_run *
		origin; /* whose tasks, graph and, if it is no part, warnings this has; NULL = its own */
	struct tv_run *unwindowed;	 /* NULL until tv_run_unwindowed */
	struct tv_run *streams;		 /* NULL until tv_run_streams */
	struct tv_run *devices;		 /* whose streams this has as workers; NULL = no other's */
	unsigned kinds;			 /* as for tv_tasks_init */
	const struct tv_pass *part_pass; /* that is computed, and asks for parts; NULL = none */
	const struct tv_named_weights *weights; /* NULL = none; borrowed */
	struct tv_loader
		loader;	    /* of other traces that options name; load NULL = none can be read */
	struct tv_dag *dag; /* NULL until tv_run_dag */
	struct tv_pass_result *results;
	struct tv_kept_result *kept;	   /* what is no table: tv_run_keep */
	struct tv_rider *riders;	   /* tv_run_ride */
	struct tv_diagnostics diagnostics; /* what a result does not cover, and why */
	struct tv_error verdict; /* of a pass that checks: how the command ends, once it has
				  * printed the result; status 0 = no verdict or a good one */
};

/* What a column that an annotating pass adds to tasks says about an option of it. */
struct tv_recalled {
	const char *option, *column;
	const char *value; /* of the option; NULL = the one value of the column */
	bool always;	   /* also where the column has no value */
};

struct tv_pass {
	const char *name, *summary;
	enum tv_pass_kind kind;
	enum tv_verb_group group;
	const char *needs; /* tables besides tasks that it, or a pass that it requests, reads if
			    * present, with any options: others may be left unread; NULL = none */
	bool refuses_tasks; /* it refuses a trace that of the tables it needs has no rows, but of resources, whatever
			      * its tasks are */
	const char *columns; /* of tasks that it, or a pass that it requests, reads beside those of
			      * options and those that reading needs (tv_trace_plan_columns), with
			      * blanks between; NULL = all. All that annotate print all */
	const char
		*parted; /* tables besides tasks and states of which parts are enough, likewise */
	bool all_columns; /* `columns` and `parted` are what parts need: of all rows at once it may read more */
	/* Of any_table: the one table that it reads with these options beside tasks and what describes the run, with the
	 * verb of that name where it is empty; TV_NTABLES = not known. */
	enum tv_table_id (*any)(const struct tv_options *options);
	const char *(*more_columns)(
		const struct tv_options
			*options); /* that it reads with these options; NULL = none */
	/* Whether with these options it reads the rows of tasks with tv_run_rows alone, so that parts of them are
	 * enough; NULL = never. One that annotates runs on the whole, whose rows it reads so, then on each part (run->of),
	 * whose rows it annotates. */
	bool (*in_parts)(const struct tv_options *options);
	/* Whether such a one keeps of the rows of a part what goes on in the next, so that several processes do not share them;
	 * NULL = never. */
	bool (*alone)(const struct tv_options *options);
	/* The rows of its result are those of each part, one after the other: like one that annotates, it runs on the whole, which then has
	 * none, and on each part. */
	bool row_by_row;
	/* Columns of `parted` that it does not read while it adds up parts, as "links.Key": texts that would be kept. */
	const char *spared;
	bool unordered; /* the rows that it reads so may come in any order within a part */
	const char *
		later; /* columns of tasks whose texts are too many to be kept: it reads them in parts alone, once the run is known */
	bool excluding; /* such a one counts or prints exclusions, which parts do not show as edges */
	bool linked; /* such a one asks each part for its graph (tv_run_dag), always or never while it reads all rows once */
	bool within; /* the graph that it asks of a part may have those of the part alone as nodes, with numbers of what these
		      * depend on (tv_dag.nearlier): then no part is read before for what tasks depend on */
	bool early;  /* before it has read all rows so once, it needs nothing else of the run */
	double beside; /* bytes for each row of tasks that it, with the run, needs beside the table; of such a pass */
	double beside_links; /* likewise for each row of links; less than it is, as not all of such runs can come in parts */
	bool windowed; /* with a window its result depends only on what touches the window, on the
			* workers, and on begin and finish of the run */
	const struct tv_option_spec *option;
	size_t noptions;
	size_t chosen; /* size of the struct that the rows fill for check, run and curve, as
			* options->chosen; 0 = none */
	const char *positional; /* option that the first argument gives; NULL = none */
	/* Columns of the result, in order. The table that `run` fills has them already:
	 * out->col[i] is column[i]. If they vary, `required` marks those that there always are. */
	const struct tv_field *column;
	size_t ncolumns;
	const struct tv_columns *form; /* of tables that other options make of it */
	size_t nforms;
	const char *
		table; /* the table of a trace that its result is, perhaps with more columns; NULL =
			    * none, so that it is refused as a trace */
	bool varies;   /* which columns there are depends on options or input: `run` adds them */
	const struct tv_recalled *recalled; /* of an annotating pass */
	size_t nrecalled;
	const char *continues; /* the annotating pass whose columns, where tasks have them, give the
				* options that are not given (recall.h); NULL = none */
	const char *notes;     /* definitions and source, for --help */
	const char *example;   /* a command line that runs on data/ */
	bool pending;	       /* it also counts tasks that never started: these are enough */
	bool windowless;       /* refuses --begin/--end */
	bool sums;	    /* sums over workers: over the selected ones if there is a selection */
	const char *ranked; /* column by which --top ranks rows, largest first; NULL = not */
	bool listed;	    /* the help lists it as a verb, besides its question: papers name it */
	bool taskless;	    /* also runs on a trace in which no task is counted */
	bool planned;	    /* also runs on a graph whose tasks have not run */
	const char *
		any_table; /* option with which it reads any table, and needs no tasks; NULL = none */
	/* What its options alone show to be wrong usage, before anything is read; -1 with *err. NULL =
	 * nothing but what their kinds and ranges do. */
	int (*check)(const struct tv_options *options, struct tv_error *err);
	int (*run)(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		   struct tv_error *err);
	/* The first curve of such a result, without --by, in a tenth of the memory. NULL: only as a
	 * table. */
	int (*curve)(struct tv_run *run, const struct tv_options *options, struct tv_packed *curve,
		     struct tv_error *err);
	const char *curve_name; /* of that curve */
	/* It will be asked for, with any options, of a run that comes in parts: what it can add up before, it does by tv_run_ride.
	 * NULL: nothing. */
	void (*expect)(struct tv_run *run);
};

/* Columns of tasks that say what they depend on: those that a pass that is `linked` reads beside its own. */
#define TV_ALL_COLUMNS	"*" /* of `later`: all there are; damage is then that of all columns */
#define TV_LINK_COLUMNS "JobId DependsOn ParentJob Handles Modes"

/* Members of a pass: its rows of options, of columns, and how many there are. */
#define TV_PASS_OPTIONS(rows)		      .option = (rows), .noptions = TV_COUNT(rows)
#define TV_PASS_OPTIONS_INTO(structure, rows) TV_PASS_OPTIONS(rows), .chosen = sizeof(structure)
#define TV_PASS_COLUMNS(rows)		      .column = (rows), .ncolumns = TV_COUNT(rows)
#define TV_PASS_FORMS(rows)		      .form = (rows), .nforms = TV_COUNT(rows)
#define TV_PASS_RECALLED(rows)		      .recalled = (rows), .nrecalled = TV_COUNT(rows)

/* A member in_parts: with all options. */
bool tv_pass_always(const struct tv_options *options);
/* Whether the values of a pass's options, in the order of their rows, are right usage; -1 with *err. */
int tv_pass_check(const struct tv_pass *pass, const char *const *value,
		  struct tv_error *err) TV_MUST_CHECK;

/* The pass of that name or former name; NULL if there is none. Defined beside the table of passes,
 * analysis/passes.c. */
const struct tv_pass *tv_pass_find(const char *name);
/* The pass that a word is nearest to, for messages: tv_near_text. */
const char *tv_pass_near(struct tv_near *near, const char *word);

/* The trace must be complete and outlive the run. kinds 0 = app tasks. A window, if any, is set
 * before the first pass. */
void tv_run_init(struct tv_run *run, const struct tv_trace *trace, unsigned kinds);
/* The same run with other workers selected (chosen: its own afterwards; NULL: all). Both share the
 * trace, the tasks, the window, the task graph and the results of passes that no selection changes;
 * `whole` outlives it. */
void tv_run_init_part(struct tv_run *part, struct tv_run *whole, bool *chosen);
void tv_run_release(struct tv_run *run);

/*
 * Gives the rows of a run to a function that adds them up: all at once, or part by part, in the order of time, where the
 * run does not have them. `part` is the run itself, or one with the same workers, interval and selection, and labels of
 * the same pool. What the function makes of them must not depend on how they are divided. Of a run with a team these are
 * the rows of this process: what they give is then to be merged with that of the others (team.h). -1 with *err, in each
 * process.
 */
int tv_run_rows(struct tv_run *run,
		int (*rows)(void *state, struct tv_run *part, struct tv_error *err), void *state,
		struct tv_error *err) TV_MUST_CHECK;

/* The same to a function that does not ask for the graph of a part (tv_run_dag), nor for columns that are read later
 * (tv_pass.later): these are not read. */
int tv_run_bare_rows(struct tv_run *run,
		     int (*rows)(void *state, struct tv_run *part, struct tv_error *err),
		     void *state, struct tv_error *err) TV_MUST_CHECK;

/* The same to a function that asks for these, but not for the graph. */
int tv_run_later_rows(struct tv_run *run,
		      int (*rows)(void *state, struct tv_run *part, struct tv_error *err),
		      void *state, struct tv_error *err) TV_MUST_CHECK;

/* The same to a function that does not ask for the graph of a part: no process waits for what others know of it. */
int tv_run_named_rows(struct tv_run *run,
		      int (*rows)(void *state, struct tv_run *part, struct tv_error *err),
		      void *state, struct tv_error *err) TV_MUST_CHECK;

/*
 * Parts that tv_run_rows gives to another function, with their graph, are also given to this one, once, so that they are not read
 * for it. The state is the run's until tv_run_ridden, which gives it back if it got all parts; else it is released: NULL. key: any
 * address.
 */
void tv_run_ride(struct tv_run *run, const void *key,
		 int (*rows)(void *state, struct tv_run *part, struct tv_error *err), void *state,
		 void (*release)(void *state));
void *tv_run_ridden(struct tv_run *run, const void *key);
void tv_run_drop_riders(struct tv_run *run); /* part of tv_run_release */

/* Whether numbers of which quantiles are wanted are to be counted each time that rows come (tv_tallied), as there is no memory
 * to keep them. */
bool tv_run_counts(const struct tv_run *run);

/* Selects workers before the first pass; chosen[], by worker, is the run's afterwards. */
void tv_run_select(struct tv_run *run, bool *chosen);
/* What sums and curves over workers are about: the part of the selected workers, or all. Start and
 * end of the run, bounds, thresholds and idleness of workers are those of run->tasks. */
static inline const struct tv_tasks *tv_run_part(const struct tv_run *run)
{
	return run->chosen != NULL ? &run->part : &run->tasks;
}
/* Refuses a run without tasks that ran, for a verb that needs some: -1 with *err. */
int tv_run_need_tasks(const struct tv_run *run, const char *verb,
		      struct tv_error *err) TV_MUST_CHECK;
/* Whether the window leaves out a part of the run. */
static inline bool tv_run_cut(const struct tv_run *run)
{
	return run->window.set
	    && (run->window.begin > run->tasks.begin || run->window.end < run->tasks.finish);
}
/* Whether a worker of run->tasks is selected. */
static inline bool tv_run_has(const struct tv_run *run, uint32_t worker)
{
	return run->chosen == NULL || run->chosen[worker];
}

/* Whether a node (its label) has a selected worker, or none is selected. */
bool tv_run_has_node(const struct tv_run *run, uint32_t node);

/*
 * The result of a pass on this run; computed at the first call with these options, valid as long as
 * the run. value: as in tv_options, or NULL = all defaults. NULL with *err set on failure.
 */
const struct tv_table *tv_run_pass(struct tv_run *run, const char *name, const char *const *value,
				   struct tv_error *err);

/* The same with options by name: "by", "Node", ..., ended by NULL; a value of NULL = the default.
 * An option that the pass does not have ends the program (tv_bug). */
const struct tv_table *tv_run_pass_with(struct tv_run *run, const char *name, struct tv_error *err,
					...);

/* The same with them in an array, ended by NULL, or NULL for none. */
const struct tv_table *tv_run_pass_named(struct tv_run *run, const char *name,
					 const char *const *option, struct tv_error *err);

/* The curve of a pass that has one, likewise. */
const struct tv_packed *tv_run_curve(struct tv_run *run, const char *name,
				     const char *const *option, struct tv_error *err);

/* The same run, part or selection without its window, for what describes all of its time; the run itself
 * if it has none. It has results of its own, so those of the window stay what they are. Owned by the run. */
struct tv_run *tv_run_unwindowed(struct tv_run *run);

/* The same run with one worker per stream of a device instead of one per device: what rows of figures show. The run
 * itself where no device has several streams. Owned by the run. */
struct tv_run *tv_run_streams(struct tv_run *run);

/* The task graph, built at the first call, owned by the run; of a part of the rows, of a pass that is `linked`, as
 * carry.h says. NULL with *err (a cycle). */
const struct tv_dag *tv_run_dag(struct tv_run *run, struct tv_error *err);
/* Whether any task has a dependency, also where the rows come part by part. */
bool tv_run_depends(const struct tv_run *run);

/* Keeps a result that is no table until the run is released; then release(data) is called. */
void tv_run_keep(struct tv_run *run, const void *key, void *data, void (*release)(void *data));
/* What is kept under that key; NULL = nothing. */
void *tv_run_kept(const struct tv_run *run, const void *key);
/* Releases it now; who asks for it again computes it again. */
void tv_run_forget(struct tv_run *run, const void *key);

/* Where what is reported of a run is collected. */
struct tv_diagnostics *tv_run_diagnostics(struct tv_run *run);

/* Adds a warning, unless the run has it already. */
#define tv_run_warn(run, ...) \
	tv_diagnose(tv_run_diagnostics(run), TV_WARNING, (struct tv_pos){ 0 }, __VA_ARGS__)

#endif
