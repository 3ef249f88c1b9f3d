/* SPDX-License-Identifier: GPL-3.0-or-later */
/* session.c -- load the trace of a command line and prepare its run; print its diagnostics. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/core/choose.h"
#include "analysis/core/instances.h"
#include "analysis/passes.h"
#include "analysis/tasks/phase_list.h"
#include "cli/parts.h"
#include "cli/unread.h"
#include "convert/formats.h"
#include "trace/alloc.h"
#include "trace/text.h"
#include "trace/timings.h"

/* Several files without labels: the ranks of one run, if they are that. 1 if not, also where they have the same processes. */
static int load_ranks(struct tv_session *session, const struct tv_cli *cli,
		      struct tv_progress *progress, struct tv_error *err)
{
	const char **path = tv_alloc((size_t)cli->ntraces, sizeof *path);
	bool labeled = false;
	int rc;

	for (size_t i = 0; i < (size_t)cli->ntraces; i++) {
		path[i] = cli->trace[i].path;
		labeled = labeled || cli->trace[i].label != NULL;
	}
	rc = labeled ? 1
		     : tv_load_ranks(path, (size_t)cli->ntraces, session->trace,
				     tv_progress_wanted(cli) ? tv_progress_update : NULL, progress,
				     err);
	tv_free(path);
	return session->trace->runs ? 1 : rc;
}

/* Where nothing useful is on standard input: the option, if any, that took the name of the trace as its WHICH. */
static int blame_option(const struct tv_cli *cli, struct tv_error *err)
{
	struct stat st;

	for (size_t i = 0; i < cli->verb.noptions; i++)
		if (cli->own_value[i] != NULL && cli->verb.option[i].argument != NULL
		    && strcmp(cli->verb.option[i].argument, TV_CHOOSE_ARGUMENT) == 0
		    && stat(cli->own_value[i], &st) == 0)
			return tv_fail_usage(err,
					     "--%s '%s' is a file, expected %s before it "
					     "('traceviz %s --help'); no trace is named",
					     cli->verb.option[i].name, cli->own_value[i],
					     TV_CHOOSE_ARGUMENT, cli->verb.name);
	return -1;
}

static int load(struct tv_session *session, const struct tv_cli *cli,
		const struct tv_window *window, struct tv_error *err)
{
	const char *path = cli->ntraces > 0 ? cli->trace[0].path : "-";
	struct tv_progress progress;
	int rc;
	TV_STAGE("reading", NULL);

	if (cli->ntraces == 0 && (cli->receiver != NULL || isatty(STDIN_FILENO)))
		return tv_fail_usage(err, "no trace named; try 'traceviz %s --help'",
				     cli->verb.name);
	tv_trace_init(session->trace, &cli->read);
	session->trace->options.unlinked = cli->verb.pass != NULL && !tv_links_by_pass(cli);
	session->trace->options.window.begin = window->begin;
	session->trace->options.window.end = window->end;
	tv_progress_start(&progress);
	if (cli->ntraces > 1)
		rc = load_ranks(session, cli, &progress, err);
	else if (cli->ntraces == 1 && cli->trace[0].label != NULL)
		rc = 1;
	else
		rc = tv_load(path, session->trace,
			     tv_progress_wanted(cli) ? tv_progress_update : NULL, &progress, err);
	tv_progress_end(&progress);
	if (rc < 0 && cli->ntraces == 0)
		return blame_option(cli, err);
	if (rc > 0 && session->trace->runs)
		return tv_fail_usage(
			err,
			"%s: the files have a process (pid) in common, so they are runs: 'traceviz "
			"compare' compares them; if they are the ranks of one run, expected a "
			"folder with these files",
			cli->verb.name);
	if (rc > 0)
		return tv_fail_usage(
			err,
			"%s: several or labeled traces are runs to compare, expected one "
			"trace without a label (or the files of the ranks of one run); "
			"'traceviz --facet' draws them, 'traceviz compare' compares them",
			cli->verb.name);
	return rc;
}

/* Whether what the verb computes would mix several phases; who chooses a window knows what is in it. */
static bool mixes_phases(const struct tv_cli *cli)
{
	return cli->phase == NULL && cli->begin == NULL && cli->end == NULL
	    && cli->verb.run != tv_cmd_convert && cli->verb.pass != &tv_pass_phases;
}

/* diagnose says with its findings what its simulations keep. */
static bool simulates(const struct tv_cli *cli)
{
	return cli->verb.run == tv_cmd_simulate || cli->verb.run == tv_cmd_what_if
	    || cli->verb.run == tv_cmd_efficiency;
}

static void warn_phases(const struct tv_cli *cli, struct tv_run *run)
{
	struct tv_phases phases;

	tv_phases_init(&phases, &run->tasks);
	tv_warn_phases(run, phases.n, run->tasks.n);
	if (phases.n > 1 && simulates(cli)
	    && tv_table_find(&run->trace->table[TV_TASKS], "SubmitAfter") == NULL)
		tv_run_warn(run, "the trace does not show what the program waited for between "
				 "phases (SubmitAfter): simulations keep the recorded SubmitTime "
				 "of later phases");
	tv_phases_release(&phases);
}

/* --kind, which has been checked, as a mask. */
static unsigned mask_kinds(const char *text)
{
	unsigned kinds = 0;

	for (int kind = 0; kind <= TV_RUNTIME; kind++)
		if (tv_value_lists(text, tv_kind_name((enum tv_kind)kind)))
			kinds |= 1u << kind;
	return kinds;
}

static int check_region(const struct tv_cli *cli, struct tv_error *err)
{
	size_t n = cli->region != NULL ? strlen(cli->region) : 0;

	if (n > 0 && (cli->begin != NULL || cli->end != NULL))
		return tv_fail_usage(err, "--region is a window, expected no --begin and --end");
	if (n > 2 && strcmp(cli->region + n - 2, "#*") == 0)
		return tv_fail_usage(
			err,
			"--region '%s', expected NAME#K: only efficiency and phases have a row for "
			"each instance",
			cli->region);
	return 0;
}

int tv_parse_window(const struct tv_cli *cli, struct tv_window *window, struct tv_error *err)
{
	*window = (struct tv_window){ cli->begin != NULL || cli->end != NULL,
				      tv_value_time(cli->begin, INT64_MIN),
				      tv_value_time(cli->end, INT64_MAX) };
	if (window->begin >= window->end)
		return tv_fail_usage(err, "--begin %s is not before --end%s%s",
				     cli->begin != NULL ? cli->begin : "",
				     cli->end != NULL ? " " : "", cli->end != NULL ? cli->end : "");
	return check_region(cli, err);
}

/* --region. */
static int set_region(const struct tv_cli *cli, struct tv_run *run, struct tv_error *err)
{
	struct tv_instances instances;
	int rc;

	if (cli->region == NULL)
		return 0;
	/* Results of the run as a whole must not be kept as those of the window. */
	run->window.set = true;
	rc = tv_instances_find(&instances, run, cli->region, err);
	if (rc == 0 && instances.at[instances.first].begin == instances.at[instances.first].end)
		rc = tv_fail(err, "--region '%s': it takes no time", cli->region);
	if (rc == 0) {
		run->window.begin = instances.at[instances.first].begin;
		run->window.end = instances.at[instances.first].end;
	}
	tv_instances_release(&instances);
	return rc;
}

/* Options that this trace gives no chance to have an effect. */
static int check_effects(const struct tv_cli *cli, const struct tv_trace *trace,
			 struct tv_error *err)
{
	size_t n = 0;
	const char *meta = trace->native ? "csv" : tv_meta_get(trace, "Format", &n);
	char format[64];

	snprintf(format, sizeof format, "%.*s", trace->native || meta == NULL ? 3 : (int)n,
		 meta == NULL ? "csv" : meta);
	if (cli->read.time_unit != NULL && !trace->unit_asked
	    && !tv_glob_list("paje,pj_dump,recutils,table", format))
		return tv_fail_usage(err, "--time-unit: the format %s has a unit of its own",
				     format);
	if (cli->read.map != NULL && strcmp(format, "table") != 0)
		return tv_fail_usage(err, "--map is for a single table, the format is %s", format);
	if (cli->read.workers != NULL && strcmp(format, "chrome") != 0)
		return tv_fail_usage(err, "--workers is for chrome, the format is %s", format);
	if (cli->read.type_attribute != NULL && strcmp(format, "dot") != 0)
		return tv_fail_usage(err, "--value is for dot, the format is %s", format);
	if (cli->read.with != NULL && !trace->native)
		return tv_fail_usage(err, "--with is for a single CSV, the format is %s", format);
	return 0;
}

static int check_values(const struct tv_cli *cli, struct tv_error *err)
{
	struct stat st;

	if (cli->read.with != NULL && (stat(cli->read.with, &st) < 0 || !S_ISDIR(st.st_mode)))
		return tv_fail_usage(err, "--with '%s', expected a folder", cli->read.with);
	return 0;
}

/* A trace of which an option takes numbers: its format is its own. */
static int load_other(const void *context, const char *path, struct tv_trace *trace,
		      struct tv_error *err)
{
	const struct tv_cli *cli = context;
	const struct tv_read_options options = { .strict = cli->read.strict,
						 .kernels = cli->read.kernels,
						 .verbose = cli->read.verbose,
						 .written = cli->read.written,
						 .nwritten = cli->read.nwritten };
	int rc;

	tv_trace_init(trace, &options);
	rc = tv_load(path, trace, NULL, NULL, err);
	if (rc > 0)
		rc = tv_fail_at(err, (struct tv_pos){ path, 0 }, "no trace");
	tv_print_diagnostics(cli, &trace->diagnostics);
	return rc;
}

/* That of a caller, unless the command reads it as a table, whatever it contains; or NULL. */
static struct tv_trace *open_trace(const struct tv_cli *cli)
{
	return cli->receiver != NULL && cli->read.plain != TV_PLAIN_ALL ? cli->receiver->opened
									: NULL;
}

/* The trace, with what --restrict and --phase leave of it. */
static int make_trace(struct tv_session *session, const struct tv_cli *cli,
		      const struct tv_window *window, unsigned kinds, struct tv_error *err)
{
	if (load(session, cli, window, err) < 0 || check_effects(cli, session->trace, err) < 0)
		return -1;
	if (session->parts == NULL || !tv_parts_tried(session->parts))
		tv_print_diagnostics(cli, &session->trace->diagnostics);
	return session->trace->plain.ncols > 0 ? 0 : tv_cut(session->trace, cli, kinds, err);
}

int tv_session_open(struct tv_session *session, const struct tv_cli *cli, struct tv_error *err)
{
	return tv_session_open_parts(session, cli, NULL, err);
}

int tv_session_open_parts(struct tv_session *session, const struct tv_cli *cli,
			  struct tv_parts *parts, struct tv_error *err)
{
	unsigned kinds = mask_kinds(cli->kind);
	struct tv_window window;
	int rc;

	*session = (struct tv_session){ .trace = open_trace(cli), .parts = parts };
	if (session->trace == NULL)
		session->trace = &session->own;
	rc = check_values(cli, err) < 0 || tv_parse_window(cli, &window, err) < 0
			  || (session->trace == &session->own
			      && make_trace(session, cli, &window, kinds, err) < 0)
		   ? -1
		   : 0;
	if (tv_team_agree(parts != NULL ? cli->team : NULL, rc, err) < 0)
		return -1;
	if (session->parts != NULL && tv_parts_survey(session, kinds, err) < 0)
		return -1;
	tv_run_init(&session->run, session->trace, kinds);
	if (session->trace->plain.ncols > 0)
		return 0;
	if (session->parts != NULL)
		tv_parts_describe(session);
	session->run.loader = (struct tv_loader){ load_other, cli };
	session->run.window = window;
	return parts != NULL && tv_parts_early(parts) ? 0 : tv_session_settle(session, cli, err);
}

int tv_session_settle(struct tv_session *session, const struct tv_cli *cli, struct tv_error *err)
{
	if (set_region(cli, &session->run, err) < 0)
		return -1;
	session->unmatched = !tv_select_check(cli, &session->run);
	if (tv_select_workers(cli, &session->run, &session->no_worker, err) < 0)
		return -1;
	if (mixes_phases(cli) && session->parts != NULL)
		tv_parts_warn_phases(session);
	else if (mixes_phases(cli))
		warn_phases(cli, &session->run);
	return 0;
}

void tv_session_close(struct tv_session *session)
{
	TV_STAGE("releasing", NULL);

	tv_parts_close(session->parts);
	tv_run_release(&session->run);
	tv_trace_release(&session->own);
}
