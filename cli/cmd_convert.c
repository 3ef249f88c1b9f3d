/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_convert.c -- traceviz convert: a trace as CSV tables. */
#include <string.h>
#include <sys/stat.h>

#include "cli/part_choice.h"
#include "cli/tracks.h"
#include "convert/anonymize.h"
#include "convert/partition/partition.h"
#include "convert/stream.h"
#include "trace/alloc.h"
#include "trace/timings.h"

/* A folder may have any name if it is there. */
static const struct tv_writer *writer_of_path(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode) ? NULL : tv_writer_of_path(path);
}

/* The writer that --to or the ending of the output asks for; NULL = CSV. */
static int find_writer(const struct tv_cli *cli, const struct tv_writer **writer,
		       struct tv_error *err)
{
	const struct tv_writer *of_path = writer_of_path(cli->output);
	const char *native = tv_native_ending(cli->output);

	*writer = cli->to != NULL ? tv_writer_find(cli->to) : of_path;
	if ((of_path != NULL && *writer != of_path)
	    || (cli->to != NULL && native != NULL && strcmp(cli->to, native) != 0))
		return tv_fail_usage(err, "--to %s contradicts the ending of -o '%s'", cli->to,
				     cli->output);
	if (cli->rec_dialect != NULL && *writer != &tv_rec_writer)
		return tv_fail_usage(err, "--rec-dialect is for --to rec");
	if (cli->tracks != NULL && *writer != &tv_chrome_writer)
		return tv_fail_usage(err, "--tracks is for --to chrome");
	if (cli->key != NULL && !cli->anonymize)
		return tv_fail_usage(err, "--key is for --anonymize");
	if (cli->anonymize && *writer != NULL)
		return tv_fail_usage(err,
				     "--anonymize writes tables: -o DIR or -o FILE.csv, which "
				     "--to %s can be made of",
				     (*writer)->name);
	if (cli->rank != NULL && cli->partition == NULL)
		return tv_fail_usage(err, "--rank is for --partition Node");
	if (cli->partition != NULL
	    && ((cli->to != NULL && strcmp(cli->to, "parquet") != 0) || *writer != NULL
		|| tv_is_single(cli->output)))
		return tv_fail_usage(err,
				     "--partition writes a folder of Parquet, expected -o DIR");
	if (cli->rank != NULL && cli->anonymize && cli->key == NULL)
		return tv_fail_usage(err,
				     "--anonymize with --rank needs --key, which all parts share");
	return 0;
}

static int write_parts(const struct tv_cli *cli, struct tv_trace *trace, struct tv_error *err)
{
	struct tv_diagnostics notes = { 0 };
	TV_STAGE("writing", NULL);
	int rc;

	tv_trace_as_read(trace);
	rc = tv_partition_write(trace, cli->output, cli->rank, &notes, err);
	if (rc == 0)
		tv_print_diagnostics(cli, &notes);
	tv_diagnostics_release(&notes);
	return rc;
}

/* The tasks in another format than CSV. */
static int write_other(const struct tv_cli *cli, const struct tv_writer *writer,
		       struct tv_error *err)
{
	bool single = strcmp(cli->output, "-") == 0 || writer_of_path(cli->output) != NULL;
	bool tracks_too = cli->tracks == NULL || strcmp(cli->tracks, "yes") == 0;
	struct tv_diagnostics notes = { 0 };
	struct tv_tracks tracks = { 0 };
	struct tv_session session;
	int rc;

	if (!single && writer->whole)
		return tv_fail_usage(err, "-o '%s': --to %s writes one file, expected FILE.%s or -",
				     cli->output, writer->name, writer->ending);
	/* Before the work, and again after it. */
	if (!single
	    && tv_check_ending(cli->output,
			       "a folder, FILE.rec, FILE.dot, FILE.json, FILE.sqlite or -", err)
		       < 0)
		return -1;
	if (!single && tv_check_export(writer, cli->output, err) < 0)
		return -1;
	rc = tv_session_open(&session, cli, err);
	if (rc == 0) {
		struct tv_export export = { session.trace, cli->rec_dialect, &notes, NULL, 0 };

		if (writer == &tv_chrome_writer && tracks_too)
			tv_tracks_init(&tracks, cli, &session.run, &notes);
		export.track = tracks.at;
		export.ntracks = tracks.n;
		tv_trace_as_read(session.trace);
		rc = tv_write_trace(writer, &export, cli->output, single, err);
	}
	if (rc == 0)
		tv_print_diagnostics(cli, &notes);
	tv_diagnostics_release(&notes);
	tv_tracks_release(&tracks);
	tv_session_close(&session);
	return rc;
}

/* Whether the input can be converted without ever being in memory as a whole; else *err also says why not. */
static bool may_stream(const struct tv_cli *cli, struct tv_error *err)
{
	const char *option = cli->anonymize	    ? "anonymize"
			   : cli->partition != NULL ? "partition"
						    : tv_parts_option(cli);
	struct stat st;
	char *why = NULL;

	if (option != NULL)
		why = tv_format("with --%s all rows are needed at once", option);
	else if (cli->receiver != NULL || cli->ntraces != 1 || cli->trace[0].label != NULL
		 || stat(cli->trace[0].path, &st) < 0 || !S_ISREG(st.st_mode)
		 || !tv_is_single(cli->output))
		why = tv_strdup("only one file of tasks is converted some rows at a time, with "
				"-o FILE.parquet, -o FILE.csv or -o -");
	if (why != NULL)
		tv_fail_also(err, why);
	tv_free(why);
	return why == NULL;
}

/* One file of tasks, some rows at a time. */
static int stream(const struct tv_cli *cli, struct tv_error *err)
{
	const char *format = cli->to != NULL ? cli->to : tv_native_ending(cli->output);
	struct tv_stream_target to = {
		.path = cli->output, .parquet = format != NULL && strcmp(format, "parquet") == 0
	};
	struct tv_progress progress;
	struct tv_trace trace;
	int rc;

	tv_trace_init(&trace, &cli->read);
	tv_progress_start(&progress);
	rc = tv_stream(cli->trace[0].path, &to, &trace,
		       tv_progress_wanted(cli) ? tv_progress_update : NULL, &progress, err);
	tv_progress_end(&progress);
	if (rc == 0)
		tv_notice(&trace,
			  "%s: converted some rows at a time, as it seems to need more than "
			  "--max-memory: what rows say of each other is not checked",
			  cli->trace[0].path);
	tv_print_diagnostics(cli, &trace.diagnostics);
	tv_trace_release(&trace);
	return rc;
}

int tv_cmd_convert(const struct tv_cli *cli, struct tv_error *err)
{
	const char *to = cli->output;
	const struct tv_writer *writer = NULL;
	struct tv_cli reading = *cli;
	struct tv_session session;
	bool streams;
	int rc;

	if (to == NULL)
		return tv_fail_usage(
			err, "convert needs -o DIR, -o FILE.csv or -o -; try 'traceviz convert "
			     "--help'");
	if (find_writer(cli, &writer, err) < 0)
		return -1;
	if (writer != NULL)
		return write_other(cli, writer, err);
	/* Before the work, and again after it. */
	if (cli->partition != NULL
		    ? tv_check_ending(to, "a folder", err) < 0 || tv_partition_check(to, err) < 0
		    : tv_check_tables(to, err) < 0)
		return -1;
	reading.read.as_read = cli->restriction == NULL && cli->phase == NULL;
	rc = tv_session_open(&session, &reading, err);
	if (rc == 0 && cli->anonymize) {
		tv_trace_as_read(session.trace);
		rc = tv_anonymize(session.trace, cli->key, err);
	}
	if (rc == 0)
		rc = cli->partition != NULL ? write_parts(cli, session.trace, err)
					    : tv_write_tables(cli, session.trace, to, err);
	streams = rc < 0 && session.trace->too_large && may_stream(cli, err);
	tv_session_close(&session);
	if (!streams)
		return rc;
	*err = (struct tv_error){ 0 };
	return stream(cli, err);
}
