/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cli.h -- the traceviz command: what its verbs share.
 *
 * A command line is parsed once, against one table of options (options.c), into struct tv_cli; a
 * verb then loads the trace into a session, runs its passes and prints. Only main.c decides the
 * exit status.
 */
#ifndef TV_CLI_H
#define TV_CLI_H

#include "analysis/compare/compare.h"
#include "cli/verbs.h"
#include "trace/expr.h"
#include "views/panels.h"

#define TV_VERSION "0.2.0"

/* Where a caller in the same process gets what a command gives, instead of on standard output and error. */
struct tv_receiver {
	/* The table of the verb, as CSV would have it: rows[0..n) of it, NULL = all. */
	void (*table)(void *context, const struct tv_verb *verb, const struct tv_table *table,
		      const uint32_t *rows, uint32_t n);
	void (*message)(void *context, const char *text);
	void *context;
	struct tv_trace
		*opened; /* what reading the traces of the command line gives; NULL = not known */
};

/* A TRACE argument, [LABEL=]PATH. */
struct tv_trace_argument {
	char *label; /* NULL = none */
	const char *path;
};

/* An option as it was given; the code is of options.c. */
struct tv_given {
	int code;
	const char *value;
};

/* The command line after parsing. Strings are borrowed from argv or owned in kept. */
struct tv_cli {
	struct tv_verb verb;
	bool verb_given; /* else plot by default */
	struct tv_read_options read;
	struct tv_trace_argument *trace;
	size_t ntraces, traces_cap;
	const char *output, *to, *rec_dialect, *tracks;
	const char *key; /* of convert --anonymize; NULL = a random one */
	bool anonymize;
	const char *partition, *rank; /* of convert: Node; that of one process */
	const char *where, *only, *exclude, *node, *resource, *restriction, *phase, *kind;
	const char *begin, *end, *region; /* region: of record, those to record */
	uint64_t top;			  /* rows; 0 = all */
	double width, height;		  /* inches; NaN = by itself */
	double scale, dpi, font_size;
	const char *font, *editor_link, *tiles;
	enum tv_palette palette;
	enum tv_header header;
	const char *title, *boxes, *panels, *caption;
	bool usual_panels; /* `panels` are those that compare draws by default */
	const char *rows, *row_order;
	struct tv_setting *setting; /* of panels and of the figure, in order */
	size_t nsettings, settings_cap;
	size_t nfiled; /* of them, the first ones: from files and presets */
	const char *section, *fail_if, *can_run; /* of compare */
	const char *weights;			 /* of compare and --facet */
	bool confidence;
	struct tv_clock_offset *clock_offset; /* read.nclock_offsets; read shows them */
	size_t clock_offsets_cap;
	const char *
		*value; /* as given, by shared option (option_rows.h), then own_value; NULL = not */
	const char **own_value; /* one per option of the verb alone; NULL = default */
	const char *facet_layout, *align, *outliers; /* of --facet */
	enum tv_share_x share_x;		     /* likewise */
	const char *facet_by;			     /* node; NULL = not */
	bool facet;
	char **program; /* of record: with its arguments, ended by NULL */
	const char *counters, *names, *top_candidates, *monitor; /* of record */
	int64_t start_after_ns, every_ns;
	uint64_t pid; /* 0 = none */
	bool skip_missing, watch;
	uint64_t max_size, max_memory; /* bytes, 0 = no limit */
	uint64_t threads;	       /* 0 = as usual */
	bool force, openmp, mpi, starpu, pages, keep_host, no_temp;
	bool csv, json, quiet, help, version, print_config, timings;
	struct tv_given *given; /* in the order of the command line */
	size_t ngiven, given_cap;
	char **kept; /* strings out of files of settings */
	size_t nkept, kept_cap;
	struct tv_diagnostics diagnostics;  /* of these files */
	struct tv_written *written;	    /* read.nwritten; read shows them */
	const struct tv_receiver *receiver; /* NULL = standard output and error */
	const struct tv_team *team;	    /* that computes this command; NULL = one process */
};

/* The tables that verbs write and that are no traces, in the order of the verbs; to be freed. */
struct tv_written *tv_written_tables(size_t *n);

/* What the documentation of a verb, or of tasks, says about a column that it writes; NULL = nothing. */
const struct tv_field *tv_written_field(const struct tv_verb *verb, const char *column);

/* Whether this process writes the result: the first one of a team. */
static inline bool tv_cli_prints(const struct tv_cli *cli)
{
	return cli->team == NULL || cli->team->rank == 0;
}

/* Parses argv into *cli. -1 with *err (usage). Release it in any case. */
int tv_cli_parse(struct tv_cli *cli, int argc, char **argv, struct tv_error *err) TV_MUST_CHECK;
void tv_cli_release(struct tv_cli *cli);
/* The i-th option of all panels, for listings and parsing; false when there are no more. */
struct tv_panel_option {
	const struct tv_panel *panel;
	const struct tv_option_spec *spec;
};
bool tv_cli_panel_option(size_t i, struct tv_panel_option *option);

/* An option of plot: of the verb, or of a panel. */
struct tv_known_option {
	int code;
	const char *panel; /* its name; NULL = an option of the verb */
	const struct tv_option_spec *row;
	bool outside; /* it does not change the picture */
	bool repeatable;
};
/* The name of an option, which may be a former one, as it is today. */
const char *tv_cli_current_name(const char *name);
/* The options of plot one after the other, *i starting at 0; false when there are no more. */
bool tv_cli_next_option(size_t *i, struct tv_known_option *option);
/* The k-th value in force, "" for a flag that is set; NULL when there are no more. */
const char *tv_cli_value(const struct tv_cli *cli, const struct tv_known_option *option, size_t k);
/* The name of the first of n options that was given; they are named by the members that they fill, as
 * offsetof(struct tv_cli, where). NULL = none. */
const char *tv_cli_given(const struct tv_cli *cli, const size_t *member, size_t n);
/* The options that the verb alone takes, as given. */
static inline struct tv_options tv_cli_own_options(const struct tv_cli *cli)
{
	return (struct tv_options){ cli->verb.option, cli->verb.noptions, cli->own_value, NULL };
}
/* Fills the struct, of that size, that their rows name. */
static inline void tv_cli_own_fill(const struct tv_cli *cli, void *chosen, size_t size)
{
	const struct tv_options own = tv_cli_own_options(cli);

	tv_options_fill(&own, chosen, size);
}
/* Checks and sets the value as the command line does; it is borrowed. */
int tv_cli_set_option(struct tv_cli *cli, const struct tv_known_option *option, const char *value,
		      struct tv_error *err) TV_MUST_CHECK;
/* Appends a setting; its strings are borrowed. */
void tv_cli_set(struct tv_cli *cli, const char *panel, const char *key, const char *value);

/* Appends the help of one verb. */
void tv_cli_help(const struct tv_verb *verb, struct tv_output *out);
/* Appends verbs, panels, formats, tables and findings as one JSON document (docs/help-json.md). */
void tv_describe_all(struct tv_output *out);
/* What `traceviz help` accepts besides verbs, in new memory, *i starting at 0; NULL when there is no more. */
char *tv_help_next(size_t *i);
/* A line of help: the option with its value, then its row's meaning and default from a column on, in as many
 * lines as fit a wide terminal. */
void tv_cli_list_option(const char *option, const struct tv_option_spec *row,
			struct tv_output *out);
/* Columns with their units and meanings, for the help. */
void tv_list_fields(const struct tv_field *field, size_t n, struct tv_output *out);
/* The same of tables that options make of a verb's, each behind "With OPTION:"; they have such options. */
void tv_list_forms(const struct tv_columns *form, size_t n, struct tv_output *out);
/* The options that a verb takes, for the help, without those that verbs share: about reading traces, choosing rows and
 * output; about figures. And these. */
void tv_cli_list_options(const struct tv_verb *verb, struct tv_output *out);
void tv_cli_list_input(struct tv_output *out);
/* Those that only its page of notes lists. */
void tv_cli_list_rare(const struct tv_verb *verb, struct tv_output *out);
void tv_cli_list_figure(struct tv_output *out);

/* A loaded trace and its run. Not to be moved. */
struct tv_parts;
struct tv_session {
	struct tv_parts *
		parts; /* where rows of tasks come from that do not fit (cli/parts.h); NULL = the trace has all */
	struct tv_trace *trace; /* own, or of the caller's session (struct tv_receiver) */
	struct tv_trace own;
	struct tv_run run;
	bool no_worker; /* what chooses workers fits none of them */
	bool unmatched; /* a pattern of a selection fits nothing, which is a warning */
};

/*
 * Loads the trace that the command line names (standard input when none is named and it is not a
 * terminal), applies --restrict, --kind, --begin and --end, and says on stderr what was damaged and
 * left out; of a table that is no trace (read.plain) nothing of that. -1 with *err. Release it in
 * any case.
 */
int tv_session_open(struct tv_session *session, const struct tv_cli *cli,
		    struct tv_error *err) TV_MUST_CHECK;
/* The same, of whose trace rows of tasks come in parts (cli/parts.h): the session's afterwards; NULL = not. */
int tv_session_open_parts(struct tv_session *session, const struct tv_cli *cli,
			  struct tv_parts *parts, struct tv_error *err) TV_MUST_CHECK;
/* What opening ends with, where rows come early (tv_parts_early): the region, the selection and the phases of the run. */
int tv_session_settle(struct tv_session *session, const struct tv_cli *cli,
		      struct tv_error *err) TV_MUST_CHECK;
void tv_session_close(struct tv_session *session);
/* --begin and --end. -1 with *err (usage): the one is not before the other. */
int tv_parse_window(const struct tv_cli *cli, struct tv_window *window,
		    struct tv_error *err) TV_MUST_CHECK;

/* The rows of tasks with the columns that a pass adds, which replace input columns of the same
 * name, in *out (uninitialized on entry): both outlive it. */
void tv_annotate_tasks(const struct tv_table *tasks, const struct tv_table *added,
		       struct tv_table *out);

/* Several runs, each with its session, grouped by label. */
struct tv_runs {
	struct tv_session *session;
	size_t n;
	struct tv_side *side; /* by first appearance of the label */
	size_t nsides;
	char **label;	     /* n; those of the sides are among them */
	struct tv_run **run; /* n: what the sides point to */
};

/* Length of a file's name of n bytes without its endings: one of letters, and one of a compressed
 * file behind it. Other points are part of the name (1.4.12-lws). */
size_t tv_name_length(const char *name, size_t n);
/*
 * Loads the traces that the command line names, each as a run of its own, as tv_session_open does;
 * but if all are files without labels, of one folder, that are the ranks of one run, they are one.
 * Runs of equal labels given by the user repeat each other. A trace without label gets one from its
 * path: the first part of it, from the end, in which all of them differ. -1 with *err. Release it
 * in any case.
 */
int tv_runs_open(struct tv_runs *runs, const struct tv_cli *cli,
		 struct tv_error *err) TV_MUST_CHECK;
/* The same for the one run that a command line without --facet names. */
int tv_runs_open_one(struct tv_runs *runs, const struct tv_cli *cli,
		     struct tv_error *err) TV_MUST_CHECK;
/* Memory for n runs, which the caller then opens in place (session, label, n) and groups. */
void tv_runs_init(struct tv_runs *runs, size_t n);
void tv_runs_group(struct tv_runs *runs); /* fills side and run, by label */
/* What a second set of bounds takes durations from: --durations-from, by default all runs, if there are several, all ran
 * tasks and no window cuts them; NULL = nothing. */
const char *tv_cli_weights(const struct tv_cli *cli, const struct tv_runs *runs);
/* Says on stderr what the results do not cover, of which run, and why. */
void tv_runs_print_warnings(const struct tv_runs *runs, const struct tv_cli *cli);
void tv_runs_close(struct tv_runs *runs); /* safe on a zeroed struct */

/* The runs of a command line, or their nodes, as facets of a figure. */
struct tv_facets_shown {
	struct tv_runs runs;
	struct tv_facet *facet; /* one per label, or per node */
	size_t n;
	uint32_t **rows;     /* chosen ones of each, or NULL */
	struct tv_run *part; /* of each, if they are nodes */
	char **label;	     /* likewise */
	struct tv_side_weights weights;
};

/* Loads the runs and fills the options that are about facets; of repeats the run with the median
 * makespan is shown. width_in is set before. -1 with *err. Release it in any case. */
int tv_facets_init(struct tv_facets_shown *shown, const struct tv_cli *cli,
		   struct tv_plot_options *options, struct tv_error *err) TV_MUST_CHECK;
/* The same for shown->runs, which are open; the rest of *shown is zero. */
int tv_facets_fill(struct tv_facets_shown *shown, const struct tv_cli *cli,
		   struct tv_plot_options *options, struct tv_error *err) TV_MUST_CHECK;
/* Says on stderr what the results do not cover, as tv_runs_print_warnings. */
void tv_facets_print_warnings(struct tv_facets_shown *shown, const struct tv_cli *cli);
void tv_facets_release(struct tv_facets_shown *shown);
/* Whether the figure has facets: of runs, of nodes or of both. */
static inline bool tv_cli_has_facets(const struct tv_cli *cli)
{
	return cli->facet || cli->facet_by != NULL;
}

/*
 * --phase (see analysis/tasks/phase_list.h), then --restrict within it: cuts the tasks of a trace to a part,
 * and says so in meta. Rows that are no executions stay, and the machine: every worker on which some
 * task could fit EXPR, as an idle one (Kind=worker) where it loses all its tasks. kinds: what counts
 * as a task, 0 = app.
 */
int tv_cut(struct tv_trace *trace, const struct tv_cli *cli, unsigned kinds,
	   struct tv_error *err) TV_MUST_CHECK;
/* Warns if so many phases of a run with so many rows of tasks are several. */
void tv_warn_phases(struct tv_run *run, uint32_t nphases, uint32_t rows);

/* The rows that --where, --only, --exclude, --node and --resource choose and, with a window, whose
 * Start to End touches it, in order: *rows NULL when nothing is asked for (all rows). window may be
 * NULL. Free *rows with tv_free. */
int tv_select(const struct tv_cli *cli, const struct tv_window *window,
	      const struct tv_table *table, uint32_t **rows, uint32_t *n,
	      struct tv_error *err) TV_MUST_CHECK;

/* The same refusal of columns that the table of the pass never has, before anything is read. */
int tv_select_columns(const struct tv_cli *cli, struct tv_error *err) TV_MUST_CHECK;

/* Prints one line on stderr, "traceviz: ...", unless --quiet is given; a caller gets it as a message. Whatever
 * text of a trace or a file's name it contains, nothing of it acts on the terminal (tv_clean_text). */
void tv_say(const struct tv_cli *cli, const char *format, ...) TV_PRINTF(2, 3);
/* The same for each message of a list. */
void tv_print_diagnostics(const struct tv_cli *cli, const struct tv_diagnostics *list);

/* Which workers --node, --resource and an expression leave: chosen[], by worker; an expression drops
 * those on which it is false for every possible task. All may be NULL. NULL with *err. */
bool *tv_fit_workers(const struct tv_tasks *tasks, const char *text, const char *node,
		     const char *resource, struct tv_error *err);
/* Selects the workers of the run that --node, --resource and, for a figure, --where leave. *none:
 * they fit no worker; then nothing is selected. */
int tv_select_workers(const struct tv_cli *cli, struct tv_run *run, bool *none,
		      struct tv_error *err) TV_MUST_CHECK;

/* Warns of the patterns of --only, --exclude, --node and --resource that match nothing in the trace;
 * whether all match. */
bool tv_select_check(const struct tv_cli *cli, struct tv_run *run);
/* Whether some of these rows were executed; without rows (NULL), or where no task of the run was, nothing is missing. */
bool tv_select_any(const struct tv_tasks *tasks, const uint32_t *rows, uint32_t n);
/* A selection for a figure in which tv_select_any finds none, *err: there is nothing to draw. unmatched: not all patterns match
 * (tv_select_check). 0 with a warning where patterns fit only what is no task, as states. */
int tv_select_nothing(const struct tv_cli *cli, struct tv_run *run, bool unmatched,
		      struct tv_error *err) TV_MUST_CHECK;
/* Warns that a selection fits no row of a table of `what`, with what its expression may have meant. */
void tv_select_warn(const struct tv_cli *cli, struct tv_run *run, const struct tv_table *table,
		    const char *what);
/* --top N: the N rows that rank first, in that order; of *rows, or if that is NULL of all. */
int tv_select_top(const struct tv_cli *cli, const struct tv_table *table, uint32_t **rows,
		  uint32_t *n, struct tv_error *err) TV_MUST_CHECK;

/* "csv" or "parquet", the ending of what `-o` names; NULL = another one or none. */
const char *tv_native_ending(const char *to);
/* Whether `-o` names FILE.csv, FILE.parquet or -, which get the tasks alone, and not a folder. */
bool tv_is_single(const char *to);
/* Whether `-o` has no ending of another format than what is written; one of a folder that exists is no
 * ending. expected: what works. */
int tv_check_ending(const char *to, const char *expected, struct tv_error *err) TV_MUST_CHECK;
/* Where `-o` names a folder, FILE.csv, FILE.parquet or -: whether it can be written; checked before the work. */
int tv_check_tables(const char *to, struct tv_error *err) TV_MUST_CHECK;
/* Writes all tables of a trace into that folder, or its tasks into one file. */
int tv_write_tables(const struct tv_cli *cli, struct tv_trace *trace, const char *to,
		    struct tv_error *err) TV_MUST_CHECK;

/* The same to -o; without it the tasks are printed as the table of a pass. */
int tv_write_run(const struct tv_cli *cli, struct tv_trace *trace,
		 struct tv_error *err) TV_MUST_CHECK;

/* What is wrong with a command, in new memory: "FILE:LINE: text", below it what the user wrote with the place. */
char *tv_cli_failure(const struct tv_cli *cli, const struct tv_error *err);

/* Prints a table as the command line asks: CSV, JSON, or aligned on a terminal. A caller gets it as it is, unless it
 * asks for JSON or an output. */
int tv_print_table(const struct tv_cli *cli, const struct tv_table *table, const uint32_t *rows,
		   uint32_t n, struct tv_error *err) TV_MUST_CHECK;

/* On a terminal, where n rows have been written whole: how to page or keep them. */
void tv_print_hint(const struct tv_cli *cli, uint32_t n);

/* Appends a table in aligned columns; rows NULL = all of it. */
void tv_write_aligned(const struct tv_table *table, const uint32_t *rows, uint32_t n,
		      struct tv_output *out);
/* Whether the result goes to a terminal and in no particular format. */
bool tv_print_is_aligned(const struct tv_cli *cli);

/* Draws the traces of the command line to -o: what plot does. */
int tv_plot_traces(const struct tv_cli *cli, struct tv_error *err) TV_MUST_CHECK;
/* Draws runs that are open to -o, as facets one above the other; they are closed in any case. */
int tv_plot_runs(const struct tv_cli *cli, struct tv_runs *runs,
		 struct tv_error *err) TV_MUST_CHECK;

/* The trace of the run as the options of a command line of simulate make it. -1 with *err. */
int tv_simulate_run(const struct tv_cli *cli, struct tv_run *run, struct tv_trace *out,
		    struct tv_error *err) TV_MUST_CHECK;

/* A progress bar on stderr, if that is a terminal and the work takes over half a second. */
struct tv_progress {
	int64_t started_ns;
	bool shown;
};
bool tv_progress_wanted(const struct tv_cli *cli);
void tv_progress_start(struct tv_progress *progress);
void tv_progress_update(void *progress, double share);
void tv_progress_end(struct tv_progress *progress);

#endif
