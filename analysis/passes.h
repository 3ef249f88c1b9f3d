/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * passes.h -- the analysis passes: one row each in passes.c, one file each beside it.
 *
 * An annotating pass gives the columns that it adds, one row per row of tasks; a summarising pass
 * gives a new table. Passes read an immutable run and write nothing else; what they need of each
 * other they ask of the run, which computes every (pass, options) once.
 */
#ifndef TV_PASSES_H
#define TV_PASSES_H

#include "trace/view.h"

enum tv_pass_kind { TV_ANNOTATE, TV_SUMMARISE };

struct tv_option_spec {
	const char *name;	/* "min-group", given as --min-group N */
	const char *argument;	/* "N"; NULL = a flag */
	const char *fallback;	/* default, as text; NULL = none */
	const char *meaning;
};

/* Options as given: value[i] belongs to spec[i] of the pass; NULL = the fallback. */
struct tv_options {
	const struct tv_option_spec *spec;
	size_t n;
	const char *const *value;
};

/* The value of an option, or its fallback, or NULL; "" for a flag that is set. */
const char *tv_option(const struct tv_options *options, const char *name);

struct tv_window {
	bool set;
	int64_t begin, end;	/* ns; an end not given is INT64_MAX, a begin not given INT64_MIN */
};

struct tv_dag;
struct tv_pass_result;

/* Durations by name, for options such as --weights-from: that name stands for them, not a file. */
struct tv_named_weights {
	const char *name;
	const struct tv_named_weight {
		const char *value, *rtype;
		double ns;
	} *weight;
	size_t n;
};

/* A trace with its view, its window and the results computed so far. */
struct tv_run {
	const struct tv_trace *trace;
	struct tv_view view;
	struct tv_window window;
	unsigned kinds;		/* as for tv_view_init */
	const struct tv_named_weights *weights;	/* NULL = none; borrowed */
	struct tv_dag *dag;		/* NULL until tv_run_dag */
	struct tv_pass_result *results;
	char **remark;		/* lines for stderr: what a result does not cover, and why */
	size_t nremarks, remarks_cap;
};

struct tv_pass {
	const char *name, *summary;
	enum tv_pass_kind kind;
	const char *needs;	/* tables besides tasks that it reads if present; "" = none */
	const struct tv_option_spec *option;
	size_t noptions;
	const char *positional;	/* option that the first argument gives; NULL = none */
	const struct tv_field *column;	/* of the result, in order, for --help and docs */
	size_t ncolumns;
	const char *notes;	/* definitions and source, for --help */
	const char *example;	/* a command line that runs on data/ */
	bool windowless;	/* refuses --begin/--end */
	bool taskless;		/* also runs on a trace in which no task is counted */
	int (*run)(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		   struct tv_error *err);
};

extern const struct tv_pass *const tv_passes[];
extern const size_t tv_npasses;
const struct tv_pass *tv_pass_find(const char *name);	/* NULL if there is none */

/* The trace must be complete and outlive the run. kinds 0 = app tasks. A window, if any, is set
 * before the first pass. */
int tv_run_init(struct tv_run *run, const struct tv_trace *trace, unsigned kinds,
		struct tv_error *err) TV_MUST_CHECK;
void tv_run_release(struct tv_run *run);

/*
 * The result of a pass on this run; computed at the first call with these options, valid as long as
 * the run. value: as in tv_options, or NULL = all fallbacks. NULL with *err set on failure.
 */
const struct tv_table *tv_run_pass(struct tv_run *run, const char *name, const char *const *value,
				   struct tv_error *err);

/* The same with options by name: "by", "Node", ..., ended by NULL; a value of NULL = the fallback.
 * All are options of the pass. */
const struct tv_table *tv_run_pass_with(struct tv_run *run, const char *name, struct tv_error *err,
					...);

/* The same with them in an array, ended by NULL, or NULL for none. */
const struct tv_table *tv_run_pass_named(struct tv_run *run, const char *name,
					 const char *const *option, struct tv_error *err);

/* The task graph, built at the first call, owned by the run. NULL with *err (memory, a cycle). */
const struct tv_dag *tv_run_dag(struct tv_run *run, struct tv_error *err);

/* Adds a line to run->remark, unless it is there already. 0, or -1 with *err on memory. */
int tv_remark(struct tv_run *run, struct tv_error *err, const char *format, ...)
	TV_PRINTF(3, 4) TV_MUST_CHECK;

/* The passes; each in the file of its name. */
extern const struct tv_pass tv_pass_abe, tv_pass_bounds, tv_pass_idleness, tv_pass_info,
	tv_pass_outliers;
extern const struct tv_pass tv_pass_aggregate, tv_pass_concurrency, tv_pass_counter,
	tv_pass_iterations, tv_pass_progress, tv_pass_ready, tv_pass_submitted,
	tv_pass_throughput;
extern const struct tv_pass tv_pass_idle_causes, tv_pass_lifecycle, tv_pass_lifecycle_summary,
	tv_pass_priorities;
extern const struct tv_pass tv_pass_active_nodes, tv_pass_node_memory, tv_pass_tree,
	tv_pass_tree_usage;
extern const struct tv_pass tv_pass_distribution, tv_pass_lack, tv_pass_model;
extern const struct tv_pass tv_pass_chain, tv_pass_critical_path, tv_pass_deps, tv_pass_paths;
extern const struct tv_pass tv_pass_deviating_resources, tv_pass_disturbances, tv_pass_imbalance,
	tv_pass_phases, tv_pass_summary, tv_pass_usage, tv_pass_utilisation;
extern const struct tv_pass tv_pass_events, tv_pass_states;

#endif
