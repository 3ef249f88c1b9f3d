/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.c -- the table of options, and how their values are checked and set. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cli/options.h"
#include "trace/alloc.h"
#include "trace/clocks.h"
#include "trace/number.h"
#include "trace/parallel.h"

/* In the mask of verbs that take an option: it does not change the picture; without a figure it has
 * no effect; verbs that take a trace have it, and `help input` lists it. */
enum { OUTSIDE = 1 << 16, OF_FIGURE = 1 << 17, INPUT = 1 << 18 };
#define FIGURE (TV_TAKES_PLOT | TV_TAKES_COMPARE | OF_FIGURE)

struct option_row {
	const char *name;
	char letter;	      /* 0 = none */
	const char *argument; /* as in struct tv_option_spec */
	unsigned verbs;
	/* Of the field in struct tv_cli: const char *, or bool for a flag; or SETTING. */
	size_t offset;
	const char *meaning;
	enum tv_option_kind kind;
	double min, max;
};

#define AT(field) offsetof(struct tv_cli, field)
#define SETTING	  ((size_t)-1) /* of the figure, may be given several times; no field */
#define ACTION \
	((size_t)-2) /* may be given several times; done by tv_cli_set_code or tv_cli_parse */
#define ANY_TIME TV_OPTION_TIME, -HUGE_VAL, HUGE_VAL
static const struct option_row rows[] = {
	{ "output", 'o', "FILE", TV_TAKES_TRACES | TV_TAKES_GENERATE | TV_TAKES_PLATFORM | OUTSIDE,
	  AT(output), "write to FILE; - is standard output" },
	{ "output", 'o', "DIR", TV_TAKES_RECORD, AT(output),
	  "folder of the recording, which is a TRACE for the other verbs" },
	{ "force", 'f', NULL, TV_TAKES_RECORD, AT(force),
	  "delete the files of an earlier recording in DIR" },
	{ "openmp", 0, NULL, TV_TAKES_RECORD, AT(openmp),
	  "record the tasks of OpenMP; without this, --mpi, --starpu and --monitor, all but the "
	  "machine" },
	{ "mpi", 0, NULL, TV_TAKES_RECORD, AT(mpi),
	  "record the calls of MPI functions and their messages" },
	{ "starpu", 0, NULL, TV_TAKES_RECORD, AT(starpu),
	  "record the tasks of StarPU and the decisions of its scheduler" },
	{ "top", 0, "K", TV_TAKES_RECORD, AT(top_candidates),
	  "of each decision, record the K best candidates and the chosen one (default: all)",
	  TV_OPTION_COUNT, 1, 100000 },
	{ "monitor", 0, "FILE|default|LIST", TV_TAKES_RECORD, AT(monitor),
	  "sample events of the machine: those of a description, the usual ones, or these "
	  "([OBJECT/]EVENT,...); without PROGRAM until interrupted" },
	{ "every", 0, "TIME", TV_TAKES_RECORD, AT(every),
	  "time between samples of --monitor, in ms or with a unit (default: 100ms)",
	  TV_OPTION_TIME, 10000, 3.6e12 },
	{ "pid", 0, "PID", TV_TAKES_RECORD, AT(pid),
	  "let --monitor watch this process, which runs already, until its end", TV_OPTION_COUNT, 1,
	  4194304 },
	{ "skip-missing", 0, NULL, TV_TAKES_RECORD, AT(skip_missing),
	  "leave out events of --monitor that this machine does not have" },
	{ "watch", 0, NULL, TV_TAKES_RECORD, AT(watch),
	  "show what --monitor samples on the terminal, while it does" },
	{ "counters", 0, "NAME,...", TV_TAKES_RECORD, AT(counters),
	  "counters per task, as perf names them: task-clock, page-faults, instructions, ...",
	  TV_OPTION_LIST },
	{ "pages", 0, NULL, TV_TAKES_RECORD, AT(pages),
	  "record on which NUMA node the data of each dependency lie" },
	{ "names", 0, "FILE", TV_TAKES_RECORD, AT(names),
	  "names for task types, copied to DIR/names" },
	{ "max-size", 0, "SIZE", TV_TAKES_RECORD, ACTION,
	  "stop recording a process when its log has this size, e.g. 500M or 4G" },
	{ "start-after", 0, "TIME", TV_TAKES_RECORD, AT(start_after),
	  "record from this time after the start of a process, in ms or with a unit",
	  TV_OPTION_TIME, 0, HUGE_VAL },
	{ "region", 0, "N..M", TV_TAKES_RECORD, AT(region),
	  "record only these outermost parallel regions, counted from 1 in each process, as Region "
	  "does" },
	{ "to", 0, "pdf|svg|png|html|csv", TV_TAKES_PLOT | OUTSIDE, AT(to),
	  "format of the output (default: by the extension of FILE)", TV_OPTION_CHOICE },
	{ "to", 0, "csv|rec|dot|chrome", TV_TAKES_CONVERT | OUTSIDE, AT(to),
	  "format of the output (default: by the extension of FILE, else CSV)", TV_OPTION_CHOICE },
	{ "anonymize", 0, NULL, TV_TAKES_CONVERT | OUTSIDE, AT(anonymize),
	  "replace the names of task types, places, hosts, tags; all numbers stay" },
	{ "key", 0, "FILE", TV_TAKES_CONVERT | OUTSIDE, AT(key),
	  "with --anonymize: replace equal names alike in all traces with this key (default: a "
	  "random key)" },
	{ "rec-dialect", 0, "tikki|starpu", TV_TAKES_CONVERT | OUTSIDE, AT(rec_dialect),
	  "fields of --to rec (default: those of the program that made the trace)",
	  TV_OPTION_CHOICE },
	{ "config", 0, "FILE", TV_TAKES_PLOT | OUTSIDE, ACTION,
	  "read options from a YAML file of traceviz or StarVZ; the command line takes "
	  "precedence" },
	{ "print-config", 0, NULL, TV_TAKES_PLOT | OUTSIDE, AT(print_config),
	  "draw nothing; write the options in effect as YAML to stdout or to -o FILE.yaml" },
	{ "preset", 0, "paper-column|paper-wide|slide|poster", FIGURE | OUTSIDE, ACTION,
	  "width, height, scale and dpi for an output medium", TV_OPTION_CHOICE },
	{ "width", 0, "IN", FIGURE, AT(width), "width in inches (default 7.16)", TV_OPTION_NUMBER,
	  0.1, 50 },
	{ "height", 0, "IN", FIGURE, AT(height),
	  "height in inches (default: by the number of rows, at most 9)", TV_OPTION_NUMBER, 0.1,
	  50 },
	{ "scale", 0, "N", FIGURE, AT(scale),
	  "scale factor for text and lines, 1 to 20; text has N times 7 pt (default 1)",
	  TV_OPTION_NUMBER, 1, 20 },
	{ "dpi", 0, "N", FIGURE | TV_TAKES_PLATFORM, AT(dpi),
	  "pixels per inch of PNG (default 200)", TV_OPTION_NUMBER, 36, 2400 },
	{ "palette", 0, "default|colorblind|grayscale|hmon", FIGURE, AT(palette),
	  "colors of task types; hmon: the machine in green, yellow, red, as hierarchical monitors",
	  TV_OPTION_CHOICE },
	{ "title", 0, "TEXT", FIGURE, AT(title),
	  "first words of the header (default: the label or file name)" },
	{ "panels", 0, "NAME,...", FIGURE, AT(panels),
	  "panels from top to bottom, see below (default: those for which there are data)",
	  TV_OPTION_LIST },
	{ "panel-height", 0, "NAME=N", FIGURE | OUTSIDE, ACTION,
	  "height of a panel, relative to the others: spacetime has 4; repeatable" },
	{ "mark", 0, "T=TEXT", FIGURE, SETTING,
	  "vertical line at T through all panels over time, with TEXT above it; repeatable" },
	{ "span", 0, "T1..T2=TEXT", FIGURE, SETTING,
	  "bracket above the panels and band behind the curves; repeatable" },
	{ "vlines", 0, "T,T,...", FIGURE, SETTING, "thin vertical lines without text; repeatable" },
	{ "highlight", 0, "EXPR", FIGURE, SETTING,
	  "outline and count the tasks for which EXPR holds; repeatable", TV_OPTION_EXPRESSION },
	{ "arrow", 0, "JOB:JOB", FIGURE, SETTING,
	  "arrow from the End of one job to the Start of another; repeatable" },
	{ "task-labels", 0, "TEXT", FIGURE, SETTING,
	  "label wide tasks: a column, 'k,i,j', or text that contains {Column}" },
	{ "zoom", 0, "T1..T2[,ROWS]", FIGURE, SETTING,
	  "add a panel that shows this window (and only these rows); repeatable" },
	{ "caption", 0, "FILE.tex", FIGURE | OUTSIDE, AT(caption),
	  "also write every number of the figure as a TeX command" },
	{ "rows", 0, "NAME,...", FIGURE, AT(rows),
	  "draw only the rows of these workers (*, ? and [0-3] match); no number changes",
	  TV_OPTION_LIST },
	{ "row-order", 0, "type|numa|device|busy|name|FILE", FIGURE, AT(row_order),
	  "order of rows (default: type), or the names in the lines of a FILE" },
	{ "facet", 0, NULL, TV_TAKES_PLOT, AT(facet),
	  "draw several runs side by side: [LABEL=]TRACE...; labels ROW/COL make a grid" },
	{ "facet-by", 0, "node", TV_TAKES_PLOT, AT(facet_by),
	  "draw each node in a facet of its own, all over the time axis of the run; with --facet: "
	  "a "
	  "row per node, a column per run",
	  TV_OPTION_CHOICE },
	{ "facet-layout", 0, "rows|columns|RxC", FIGURE, AT(facet_layout),
	  "grid of runs or nodes, RxC per page (default: by labels, else 3 columns)" },
	{ "share-x", 0, "yes|per-row|no", FIGURE, AT(share_x),
	  "runs with the same time axis: all (yes, default), those of a row, none",
	  TV_OPTION_CHOICE },
	{ "align", 0, "start|end|iteration:K|task:ID", FIGURE, AT(align),
	  "align the runs at this event (default: start)" },
	{ "outliers-from", 0, "LABEL", FIGURE, AT(outliers),
	  "mark outliers in all runs by the thresholds of this run" },
	{ "dump-boxes", 0, "FILE", FIGURE | OUTSIDE, AT(boxes),
	  "also write every shape of the picture as CSV" },
	{ "section", 0, "NAME", TV_TAKES_COMPARE, AT(section), "only this section (see below)" },
	{ "fail-if", 0, "EXPR", TV_TAKES_DIAGNOSE, AT(fail_if),
	  "exit with status 3 if EXPR holds for a row of the table, e.g. 'Time > 100'",
	  TV_OPTION_EXPRESSION },
	{ "require-confidence", 0, NULL, TV_TAKES_DIAGNOSE, AT(confidence),
	  "with --fail-if: exit status 4 if it holds only for rows that are not exact" },
	{ "fail-if", 0, "EXPR", TV_TAKES_COMPARE, AT(fail_if),
	  "exit with status 3 if EXPR holds for a run, e.g. 'makespan.ratio > 1.05'",
	  TV_OPTION_EXPRESSION },
	{ "require-confidence", 0, NULL, TV_TAKES_COMPARE, AT(confidence),
	  "check --fail-if against intervals over repeats; exit status 4 if undecided" },
	{ "durations-from", 0, "pool|LABEL|PATH", TV_TAKES_COMPARE | TV_TAKES_PLOT, AT(weights),
	  "add bounds from the mean durations of all runs, of one run, or of a file" },
	{ "can-run", 0, "observed|anywhere", TV_TAKES_COMPARE, AT(can_run),
	  "worker types that can run a task: those that ran its type (default), or all",
	  TV_OPTION_CHOICE },
	{ "csv", 0, NULL, INPUT | TV_TAKES_TABLES, AT(csv), "CSV even on a terminal" },
	{ "json", 0, NULL, INPUT | TV_TAKES_TABLES, AT(json),
	  "JSON: an array of one object per row" },
	{ "json", 0, NULL, TV_TAKES_HELP, AT(json),
	  "describe all verbs, panels, formats, tables and findings as JSON" },
	{ "where", 0, "EXPR", INPUT | TV_TAKES_DATA | FIGURE, AT(where),
	  "show only rows for which EXPR holds, e.g. 'Duration > 5 and Value ~ TRSM'; no number "
	  "changes",
	  TV_OPTION_EXPRESSION },
	{ "only", 0, "TYPE,...", INPUT | TV_TAKES_DATA | FIGURE, AT(only),
	  "show only these task types (* and ? match)", TV_OPTION_LIST },
	{ "exclude", 0, "TYPE,...", INPUT | TV_TAKES_DATA | FIGURE, AT(exclude),
	  "show all but these task types", TV_OPTION_LIST },
	{ "node", 0, "NODE,...", INPUT | TV_TAKES_DATA | FIGURE, AT(node),
	  "only these nodes: their rows (of messages: to or from them), and sums and curves over "
	  "their workers",
	  TV_OPTION_LIST },
	{ "resource", 0, "NAME,...", INPUT | TV_TAKES_DATA | FIGURE, AT(resource),
	  "only these resources (* and ? match): their rows, sums and curves", TV_OPTION_LIST },
	{ "restrict", 0, "EXPR", INPUT | TV_TAKES_TRACES, AT(restriction),
	  "before computing, keep only tasks for which EXPR holds and workers on which it can",
	  TV_OPTION_EXPRESSION },
	{ "phase", 0, "K|last|all", INPUT | TV_TAKES_TRACES, AT(phase),
	  "analyze only phase K (1, 2, ...) or the last; all: no phase warning (see phases)",
	  TV_OPTION_COUNT, 1 },
	{ "kind", 0, "app|setup|runtime,...",
	  INPUT | TV_TAKES_DATA | TV_TAKES_COMPARE | TV_TAKES_DIAGNOSE, AT(kind),
	  "kinds of tasks to include (default app)", TV_OPTION_LIST },
	{ "top", 0, "N", TV_TAKES_PASS, AT(top),
	  "only the N largest rows, by the column named below", TV_OPTION_COUNT, 1 },
	{ "begin", 0, "TIME", TV_TAKES_DATA | FIGURE, AT(begin),
	  "start of the window, in ms or with a unit (12.5, 3s)", ANY_TIME },
	{ "end", 0, "TIME", TV_TAKES_DATA | FIGURE, AT(end), "end of the window", ANY_TIME },
	{ "format", 0, "NAME", INPUT | TV_TAKES_TRACES, AT(read.format),
	  "read the input as this format instead of recognizing it" },
	{ "time-unit", 0, "s|ms|us|ns", INPUT | TV_TAKES_TRACES, AT(read.time_unit),
	  "unit of the times in a Paje trace, or in a table (--map) whose header has none",
	  TV_OPTION_CHOICE },
	{ "zero", 0, "TIME|first-task|none", INPUT | TV_TAKES_TRACES, AT(read.zero),
	  "instant that becomes t = 0", ANY_TIME },
	{ "clock-offset", 0, "NODE=T", INPUT | TV_TAKES_TRACES, SETTING,
	  "add T (ms or with a unit) to all times of that node, whose clock differs; repeatable" },
	{ "task-state", 0, "TYPE,...|EXPR", INPUT | TV_TAKES_TRACES, AT(read.task_state),
	  "states that are tasks: their types, or those for which EXPR holds, e.g. \"Type == "
	  "'cpu_op' and Depth == 0\"" },
	{ "workers", 0, "NAME,...", INPUT | TV_TAKES_TRACES, AT(read.workers),
	  "lanes of trace events (JSON) that are workers (* and ? match), instead of those that "
	  "look like it",
	  TV_OPTION_LIST },
	{ "map", 0, "COLUMN=SOURCE,...|@FILE", INPUT | TV_TAKES_TRACES, AT(read.map),
	  "read a table of any columns: what columns of tasks are made of, e.g. "
	  "'ResourceId=worker,Value=name,Start=begin_us,End=begin_us/1000 + 5'" },
	{ "value", 0, "ATTRIBUTE", INPUT | TV_TAKES_TRACES, AT(read.type_attribute),
	  "attribute of the nodes of a graph in DOT that is the task type, e.g. kernel or "
	  "category" },
	{ "kernels", 0, "FILE", INPUT | TV_TAKES_TRACES, AT(read.kernels),
	  "CSV of task types (Pattern,Kernel,Kind,Color); takes precedence over the default" },
	{ "names", 0, "FILE", INPUT | TV_TAKES_TRACES, AT(read.names),
	  "names of task types in raw logs: lines FROM=TO (default: the file names beside them)" },
	{ "variable-names", 0, "NAME,...", INPUT | TV_TAKES_TRACES, AT(read.variable_names),
	  "names of the values in rows of monitors (hmon) without header", TV_OPTION_LIST },
	{ "resources", 0, "TYPE=N,...", INPUT | TV_TAKES_TRACES, AT(read.resources),
	  "number of workers, for traces that do not contain all", TV_OPTION_LIST },
	{ "bind", 0, "FILE", INPUT | TV_TAKES_TRACES, AT(read.bind),
	  "CSV of the processors of workers: ResourceId,Cpuset, as in CPU0,0-1" },
	{ "with", 0, "DIR", INPUT | TV_TAKES_TRACES, AT(read.with),
	  "folder with the other tables of a single CSV" },
	{ "strict", 0, NULL, INPUT | TV_TAKES_TRACES, AT(read.strict),
	  "every repaired or skipped record is an error" },
	{ "verbose", 0, NULL, INPUT | TV_TAKES_TRACES | OUTSIDE, AT(read.verbose),
	  "list every repaired or skipped record (default: their number and the first)" },
	{ "max-memory", 0, "SIZE", INPUT | TV_TAKES_TRACES | TV_TAKES_PLATFORM | OUTSIDE, ACTION,
	  "memory limit, e.g. 4G (default 80 % of physical memory)" },
	{ "threads", 0, "N", INPUT | TV_TAKES_TRACES | OUTSIDE, ACTION,
	  "threads that may work (default: one per core); the output is the same for each N",
	  TV_OPTION_COUNT, 1, TV_THREADS_MAX },
	{ "timings", 0, NULL,
	  INPUT | TV_TAKES_TRACES | TV_TAKES_GENERATE | TV_TAKES_PLATFORM | OUTSIDE, AT(timings),
	  "print stages with CPU time, wall time and peak memory on stderr, also with --quiet" },
	{ "quiet", 'q', NULL, INPUT | TV_TAKES_ALL | OUTSIDE, AT(quiet),
	  "print only errors on stderr" },
	{ "help", 'h', NULL, TV_TAKES_ALL | OUTSIDE, AT(help), "show this text" },
	{ "version", 'V', NULL, INPUT | TV_TAKES_ALL | OUTSIDE, AT(version),
	  "show the version, formats and media" },
};

/* Former names of options, on the command line and in files; they are not listed. */
static const struct {
	const char *former, *name;
} renamed[] = {
	{ "runs", "can-run" },
	{ "table", "section" },
	{ "weights", "durations" },
	{ "weights-from", "durations-from" },
};

/* The same of values. */
static const struct {
	const char *option, *former, *value;
} renamed_values[] = {
	{ "palette", "greyscale", "grayscale" },
};

static const char *current_value(const char *option, const char *value)
{
	for (size_t i = 0; value != NULL && i < TV_COUNT(renamed_values); i++)
		if (strcmp(option, renamed_values[i].option) == 0
		    && strcmp(value, renamed_values[i].former) == 0)
			return renamed_values[i].value;
	return value;
}

const char *tv_cli_current_name(const char *name)
{
	for (size_t i = 0; i < TV_COUNT(renamed); i++)
		if (strcmp(name, renamed[i].former) == 0)
			return renamed[i].name;
	return name;
}

bool tv_cli_panel_option(size_t i, struct tv_panel_option *option)
{
	for (size_t p = 0; p < tv_npanels; p++) {
		const struct tv_panel *panel = tv_panels[p];
		size_t own = panel->kind == TV_FREE ? 2 : 1;

		if (i < panel->noptions + own) {
			option->panel = panel;
			option->spec = i < panel->noptions  ? panel->option[i]
				     : i == panel->noptions ? tv_panel_height
							    : tv_panel_place;
			return true;
		}
		i -= panel->noptions + own;
	}
	return false;
}

size_t tv_own_option(const struct tv_verb *verb, const char *name)
{
	size_t i = 0;

	while (i < verb->noptions && strcmp(verb->option[i].name, name) != 0)
		i++;
	return i;
}

size_t tv_own_values(const struct tv_cli *cli, size_t option, const char **value)
{
	size_t n = 0;

	for (size_t i = 0; i < cli->ngiven; i++)
		if (cli->given[i].code == TV_FIRST_CODE + (int)(TV_COUNT(rows) + option)) {
			if (value != NULL)
				value[n] = cli->given[i].value;
			n++;
		}
	return n;
}

/* Whether the verb has an option of its own by the name of one that several verbs take. */
static bool replaced(const struct tv_verb *verb, const struct option_row *row)
{
	return tv_own_option(verb, row->name) < verb->noptions;
}

/* Whether the help lists it: a pass that refuses a window still parses --begin, to say so. */
static bool takes(const struct tv_verb *verb, const struct option_row *row)
{
	if (row->offset == AT(top) && (verb->pass == NULL || verb->pass->ranked == NULL))
		return false;
	if (verb->pass != NULL && verb->pass->windowless
	    && (row->offset == AT(begin) || row->offset == AT(end)))
		return false;
	return (row->verbs & verb->takes) && !replaced(verb, row);
}

static void list_option(const char *name, char letter, const char *argument, const char *meaning,
			const char *default_value, struct tv_output *out)
{
	char option[256];

	snprintf(option, sizeof option, "  %s%c%s--%s%s%s", letter ? "-" : "",
		 letter ? letter : ' ', letter ? ", " : "   ", name, argument ? " " : "",
		 argument ? argument : "");
	tv_cli_list_option(option, meaning, default_value, out);
}

static struct tv_option_spec spec_of_row(const struct option_row *row)
{
	return (struct tv_option_spec){ .name = row->name,
					.argument = row->argument,
					.meaning = row->meaning,
					.kind = row->kind,
					.min = row->min,
					.max = row->max };
}

bool tv_next_option(const struct tv_verb *verb, size_t *i, struct tv_option_spec *spec,
		    char *letter)
{
	const struct option_row *row;

	*letter = 0;
	if (*i < verb->noptions) {
		*spec = verb->option[(*i)++];
		return true;
	}
	for (; *i - verb->noptions < TV_COUNT(rows); ++*i) {
		row = &rows[*i - verb->noptions];
		if (!takes(verb, row))
			continue;
		*spec = spec_of_row(row);
		*letter = row->letter;
		++*i;
		return true;
	}
	return false;
}

/* Whether the help of the verb names another page for the option. */
static bool is_elsewhere(const struct tv_verb *verb, const struct option_row *row)
{
	return ((row->verbs & INPUT) && (verb->takes & TV_TAKES_TRACES))
	    || ((row->verbs & OF_FIGURE) && !(verb->takes & TV_TAKES_PLOT));
}

static void list_row(const struct option_row *row, struct tv_output *out)
{
	list_option(row->name, row->letter, row->argument, row->meaning, NULL, out);
}

static void list_own(const struct tv_verb *verb, size_t from, size_t to, struct tv_output *out)
{
	for (size_t i = from; i < to; i++) {
		const struct tv_option_spec *o = &verb->option[i];

		list_option(o->name, 0, o->argument, o->meaning, o->default_value, out);
	}
}

void tv_cli_list_rare(const struct tv_verb *verb, struct tv_output *out)
{
	list_own(verb, verb->noptions - verb->nrare, verb->noptions, out);
}

void tv_cli_list_options(const struct tv_verb *verb, struct tv_output *out)
{
	list_own(verb, 0, verb->noptions - verb->nrare, out);
	for (size_t i = 0; i < TV_COUNT(rows); i++)
		if (takes(verb, &rows[i]) && !is_elsewhere(verb, &rows[i]))
			list_row(&rows[i], out);
}

static void list_rows(unsigned mask, struct tv_output *out)
{
	for (size_t i = 0; i < TV_COUNT(rows); i++)
		if ((rows[i].verbs & mask)
		    || (mask == INPUT
			&& (rows[i].offset == AT(begin) || rows[i].offset == AT(end))))
			list_row(&rows[i], out);
}

void tv_cli_list_input(struct tv_output *out)
{
	list_rows(INPUT, out);
}

void tv_cli_list_figure(struct tv_output *out)
{
	list_rows(OF_FIGURE, out);
}

/* After the rows: every option of every panel. */
static size_t build_panels(struct option *option, size_t n, struct tv_option_names *names)
{
	struct tv_panel_option of;

	for (size_t i = 0; tv_cli_panel_option(i, &of) && n + 1 < TV_OPTIONS_MAX; i++) {
		const char *name[] = { of.panel->name, of.panel->former };

		for (size_t k = 0; k < TV_COUNT(name) && name[k] != NULL && n + 1 < TV_OPTIONS_MAX;
		     k++) {
			snprintf(names->name[n], TV_OPTION_NAME_MAX, "%s.%s", name[k],
				 of.spec.name);
			option[n] = (struct option){ names->name[n], of.spec.argument != NULL, NULL,
						     TV_FIRST_CODE + (int)(TV_COUNT(rows) + i) };
			n++;
		}
	}
	return n;
}

/* After all others: former names of options, which give the same code. */
static size_t build_former(struct option *option, size_t n)
{
	for (size_t i = 0; i < TV_COUNT(renamed); i++)
		for (size_t k = 0, end = n; k < end && n + 1 < TV_OPTIONS_MAX; k++)
			if (strcmp(option[k].name, renamed[i].name) == 0) {
				option[n] = option[k];
				option[n++].name = renamed[i].former;
			}
	return n;
}

void tv_options_build(const struct tv_verb *verb, struct option *option,
		      struct tv_option_names *names, char *letters, size_t size)
{
	size_t n = 0, used = 0;

	/* Options behind the program are its own. */
	if (verb->takes == TV_TAKES_RECORD)
		letters[used++] = '+';
	letters[used++] = ':';
	for (size_t i = 0; i < TV_COUNT(rows); i++) {
		if (!(rows[i].verbs & verb->takes) || replaced(verb, &rows[i]))
			continue;
		option[n++] = (struct option){ rows[i].name, rows[i].argument != NULL, NULL,
					       TV_FIRST_CODE + (int)i };
		if (rows[i].letter != 0 && used + 3 < size) {
			letters[used++] = rows[i].letter;
			if (rows[i].argument != NULL)
				letters[used++] = ':';
		}
	}
	for (size_t i = 0; i < verb->noptions && n + 1 < TV_OPTIONS_MAX; i++)
		option[n++] = (struct option){ verb->option[i].name,
					       verb->option[i].argument != NULL, NULL,
					       TV_FIRST_CODE + (int)(TV_COUNT(rows) + i) };
	if (verb->takes & FIGURE)
		n = build_panels(option, n, names);
	n = build_former(option, n);
	option[n] = (struct option){ 0 };
	letters[used] = '\0';
}

/* A size in bytes with a unit. */
static int parse_size(const char *option, const char *text, double *bytes, struct tv_error *err)
{
	static const char units[] = "kMGT";
	size_t n = strlen(text);
	const char *unit = n > 1 ? strchr(units, text[n - 1]) : NULL;
	double factor = 1;

	if (n > 1 && text[n - 1] == 'K')
		unit = units;
	for (const char *u = units; unit != NULL && u <= unit; u++)
		factor *= 1000;
	if (tv_parse_double(text, unit != NULL ? n - 1 : n, bytes) != TV_PARSE_OK
	    || *bytes * factor < 1e6 || *bytes * factor > 1e18)
		return tv_fail_usage(err,
				     "--%s '%s', expected a size such as 500M or 4G, at least 1M",
				     option, text);
	*bytes *= factor;
	return 0;
}

void tv_cli_set(struct tv_cli *cli, const char *panel, const char *key, const char *value)
{
	TV_GROW(cli->setting, cli->nsettings, cli->settings_cap, 1);
	cli->setting[cli->nsettings++] = (struct tv_setting){ panel, key, value };
}

/* NAME=SHARE is the panel's own option `height`. */
static int set_height(struct tv_cli *cli, const char *text, struct tv_error *err)
{
	const struct tv_panel *panel;
	char name[TV_OPTION_NAME_MAX];
	size_t n = strcspn(text, "=");

	snprintf(name, sizeof name, "%.*s", (int)n, text);
	panel = n < sizeof name && text[n] == '=' ? tv_panel_find(name) : NULL;
	if (panel != NULL) {
		tv_cli_set(cli, panel->name, "height", text + n + 1);
		return 0;
	}
	return tv_fail_usage(err,
			     "--panel-height '%s', expected the name of a panel, = and a "
			     "number, such as ready=0.8",
			     text);
}

/* The row of an option of the verb; *panel: the name of its panel, or NULL. */
static struct tv_option_spec spec_of(const struct tv_verb *verb, int code, const char **panel)
{
	size_t i = (size_t)(code - TV_FIRST_CODE);
	struct tv_panel_option of;

	*panel = NULL;
	if (i < TV_COUNT(rows))
		return spec_of_row(&rows[i]);
	if (verb->noptions > 0)
		return verb->option[i - TV_COUNT(rows)];
	tv_cli_panel_option(i - TV_COUNT(rows), &of);
	*panel = of.panel->name;
	return of.spec;
}

int tv_cli_check(const struct tv_cli *cli, int code, const char **given, struct tv_error *err)
{
	const char *panel;
	struct tv_option_spec spec = spec_of(&cli->verb, code, &panel);
	const char *value = *given = current_value(spec.name, *given);
	size_t i = (size_t)(code - TV_FIRST_CODE);
	char prefix[TV_OPTION_NAME_MAX] = "";

	if (value == NULL || spec.argument == NULL)
		return 0;
	if (i < TV_COUNT(rows) && value[0] == '\0' && spec.kind != TV_OPTION_COUNT
	    && rows[i].offset != AT(title) && rows[i].offset != AT(output))
		return tv_fail_usage(err, "--%s '', expected %s", spec.name, spec.argument);
	if (panel != NULL)
		snprintf(prefix, sizeof prefix, "%s.", panel);
	return tv_option_check(&spec, prefix, value, err);
}

int tv_cli_choice(const char *name, const char *value)
{
	size_t i = 0;
	int choice;

	while (strcmp(rows[i].name, name) != 0)
		i++;
	choice = tv_value_choice(&(struct tv_option_spec){ .argument = rows[i].argument }, value);
	return choice < 0 ? 0 : choice;
}

static int set_clock(struct tv_cli *cli, const char *value, struct tv_error *err)
{
	struct tv_clock_offset offset;

	if (tv_clock_offset_parse(value, &offset, err) < 0)
		return -1;
	TV_GROW(cli->clock_offset, cli->read.nclock_offsets, cli->clock_offsets_cap, 1);
	cli->clock_offset[cli->read.nclock_offsets++] = offset;
	cli->read.clock_offset = cli->clock_offset;
	return 0;
}

int tv_cli_set_code(struct tv_cli *cli, int code, const char *value, struct tv_error *err)
{
	size_t i = (size_t)(code - TV_FIRST_CODE);
	struct tv_panel_option of;
	double bytes = 0;
	char *field;

	if (i >= TV_COUNT(rows) && cli->verb.noptions == 0
	    && tv_cli_panel_option(i - TV_COUNT(rows), &of)) {
		tv_cli_set(cli, of.panel->name, of.spec.name, value != NULL ? value : "");
		return 0;
	}
	if (i >= TV_COUNT(rows)) {
		cli->own_value[i - TV_COUNT(rows)] = value != NULL ? value : "";
		return 0;
	}
	if (rows[i].offset == SETTING) {
		tv_cli_set(cli, NULL, rows[i].name, value != NULL ? value : "");
		return strcmp(rows[i].name, "clock-offset") != 0 ? 0 : set_clock(cli, value, err);
	}
	if (strcmp(rows[i].name, "panel-height") == 0)
		return set_height(cli, value, err);
	if (strncmp(rows[i].name, "max-", 4) == 0
	    && parse_size(rows[i].name, value, &bytes, err) < 0)
		return -1;
	if (strcmp(rows[i].name, "max-memory") == 0)
		tv_memory_limit((size_t)bytes);
	if (strcmp(rows[i].name, "threads") == 0)
		tv_threads_set((unsigned)tv_value_count(value, 0));
	if (strcmp(rows[i].name, "max-size") == 0)
		cli->max_size = (uint64_t)bytes;
	if (rows[i].offset == ACTION)
		return 0;
	field = (char *)cli + rows[i].offset;
	if (rows[i].argument != NULL)
		memcpy(field, &value, sizeof value);
	else
		*(bool *)field = true;
	return 0;
}

int tv_cli_check_figure(const struct tv_cli *cli, bool figure, struct tv_error *err)
{
	for (size_t k = 0; k < cli->ngiven; k++) {
		size_t i = (size_t)(cli->given[k].code - TV_FIRST_CODE);
		const char *panel;
		struct tv_option_spec spec = spec_of(&cli->verb, cli->given[k].code, &panel);
		unsigned verbs = i < TV_COUNT(rows) ? rows[i].verbs : FIGURE;

		if (figure && !(verbs & TV_TAKES_PLOT))
			return tv_fail_usage(err, "--%s needs a table, and -o '%s' is a figure",
					     spec.name, cli->output);
		if (!figure && (verbs & OF_FIGURE))
			return tv_fail_usage(err,
					     "--%s%s%s needs a figure: -o FILE.pdf (.svg, .png, "
					     ".html)",
					     panel != NULL ? panel : "", panel != NULL ? "." : "",
					     spec.name);
	}
	return 0;
}

bool tv_cli_next_option(size_t *i, struct tv_known_option *option)
{
	struct tv_panel_option of;

	while (*i < TV_COUNT(rows) && !(rows[*i].verbs & TV_TAKES_PLOT))
		++*i;
	*option = (struct tv_known_option){ .code = TV_FIRST_CODE + (int)*i };
	if (*i < TV_COUNT(rows)) {
		const struct option_row *row = &rows[*i];

		option->name = row->name;
		option->argument = row->argument;
		option->meaning = row->meaning;
		option->outside = row->verbs & OUTSIDE;
		option->repeatable = row->offset == SETTING || row->offset == ACTION;
		++*i;
		return true;
	}
	if (!tv_cli_panel_option(*i - TV_COUNT(rows), &of))
		return false;
	option->panel = of.panel->name;
	option->name = of.spec.name;
	option->argument = of.spec.argument;
	option->meaning = of.spec.meaning;
	++*i;
	return true;
}

const char *tv_cli_value(const struct tv_cli *cli, const struct tv_known_option *option, size_t k)
{
	size_t i = (size_t)(option->code - TV_FIRST_CODE);
	const char *value = NULL, *field;

	if (option->panel == NULL && !option->repeatable) {
		field = (const char *)cli + rows[i].offset;
		if (option->argument != NULL)
			memcpy(&value, field, sizeof value);
		else
			value = *(const bool *)field ? "" : NULL;
		return k == 0 ? value : NULL;
	}
	for (i = 0; i < cli->nsettings; i++) {
		const struct tv_setting *s = &cli->setting[i];

		if (strcmp(s->key, option->name) != 0
		    || (s->panel == NULL) != (option->panel == NULL)
		    || (s->panel != NULL && strcmp(s->panel, option->panel) != 0))
			continue;
		if (s->panel != NULL)
			value = s->value; /* the last one counts */
		else if (k-- == 0)
			return s->value;
	}
	return k == 0 ? value : NULL;
}

int tv_cli_set_option(struct tv_cli *cli, const struct tv_known_option *option, const char *value,
		      struct tv_error *err)
{
	if (tv_cli_check(cli, option->code, &value, err) < 0)
		return -1;
	return tv_cli_set_code(cli, option->code, value, err);
}

int tv_option_code(int letter)
{
	for (size_t i = 0; i < TV_COUNT(rows); i++)
		if (rows[i].letter != 0 && rows[i].letter == letter)
			return TV_FIRST_CODE + (int)i;
	return letter;
}

bool tv_option_fits(int code, unsigned takes)
{
	size_t i = (size_t)(code - TV_FIRST_CODE);

	return i < TV_COUNT(rows) && (rows[i].verbs & takes);
}

bool tv_option_reads(int code)
{
	return tv_option_fits(code, TV_TAKES_PLOT) && tv_option_fits(code, TV_TAKES_PASS)
	    && tv_option_fits(code, TV_TAKES_DIAGNOSE) && !tv_option_fits(code, OUTSIDE);
}

const char *tv_option_name(int code)
{
	size_t i = (size_t)(code - TV_FIRST_CODE);

	return i < TV_COUNT(rows) ? rows[i].name : "";
}

static bool takes_name(const struct tv_verb *verb, const char *name)
{
	for (size_t i = 0; i < TV_COUNT(rows); i++)
		if (takes(verb, &rows[i]) && strcmp(rows[i].name, name) == 0)
			return true;
	for (size_t i = 0; i < verb->noptions; i++)
		if (strcmp(verb->option[i].name, name) == 0)
			return true;
	return false;
}

void tv_option_takers(const char *name, struct tv_name_list *verbs)
{
	struct tv_verb verb;

	for (size_t i = 0; tv_verb_next(&i, &verb);)
		if (takes_name(&verb, name))
			tv_name_list_add(verbs, verb.name);
}
