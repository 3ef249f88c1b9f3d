/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_parts.c -- verbs give the same bytes and warnings of a trace that is read part by part, by one process or several:
 * samples and random traces in Parquet with small and large groups of rows, parts of few and many rows, 1 and 8 threads.
 */
#include "tests/unit/team.h"

#include <stdio.h>

#include "cli/part_choice.h"
#include "cli/parts.h"
#include "cli/unread.h"
#include "tests/unit/cli/parts_folder.h"
#include "trace/parallel.h"

enum { RANDOM = 200, WORDS_MAX = 9 };

static const char *const commands[][WORDS_MAX] = {
	{ "summary" },
	{ "summary", "--by", "" },
	{ "summary", "--by", "Node,Value" },
	{ "summary", "--by", "ResourceId,Footprint" },
	{ "summary", "--kind", "app,setup,runtime", "--top", "2" },
	{ "summary", "--node", "1" },
	{ "summary", "--resource", "CPU1,nothing,gpu*", "--only", "a" },
	{ "summary", "--by", "Value,Value" },
	{ "summary", "--of", "tasks", "--by", "Kind,Value", "--measure",
	  "rows,known:GFlop,distinct:GFlop,sum:GFlop,median:Duration,sd:Duration" },
	{ "summary", "--of", "states", "--by", "Type,Value", "--measure",
	  "rows,distinct:ResourceId,min:Start,p90:End,only:Depth,rate:Depth/End" },
	{ "summary", "--of", "links", "--by", "Origin", "--measure",
	  "rows,distinct:Dest,sum:Size,sum:End" },
	{ "summary", "--of", "variables", "--by", "Type", "--measure", "rows,sum:Value" },
	{ "summary", "--of", "events", "--by", "Type" },
	{ "summary", "--of", "calls", "--by", "Call,Class", "--measure", "rows,median:End" },
	{ "idleness" },
	{ "idleness", "--definition", "thesis" },
	{ "idleness", "--begin", "20", "--end", "35" },
	{ "idleness", "--kind", "setup,runtime" },
	{ "stragglers" },
	{ "stragglers", "--node", "1", "--kind", "app,setup" },
	{ "utilization" },
	{ "utilization", "--by", "type", "--step", "3", "--begin", "7", "--end", "35.5" },
	{ "utilization", "--by", "all", "--kind", "app,setup", "--resource", "CPU*" },
	{ "concurrency" },
	{ "concurrency", "--by", "Value", "--step", "2.5", "--kind", "app,runtime" },
	{ "concurrency", "--by", "Footprint", "--begin", "7", "--end", "35.5", "--resource",
	  "CPU*" },
	{ "concurrency", "--step", "2.5", "--resource", "CPU1" },
	{ "throughput", "--by", "Value", "--resource", "CPU1" },
	{ "share" },
	{ "share", "--by", "Node", "--step", "3" },
	{ "distribution" },
	{ "distribution", "--by", "Value", "--scale", "log", "--shared", "--bins", "9" },
	{ "distribution", "--by", "", "--kind", "app,setup", "--resource", "CPU*" },
	{ "distribution", "--resource", "CPU1,gpu*", "--exclude", "a" },
	{ "distribution", "--by", "Node,Footprint", "--boxes", "--resource", "CPU1" },
	{ "throughput", "--step", "4" },
	{ "throughput", "--by", "ResourceType", "--kind", "app,setup" },
	{ "outliers" },
	{ "outliers", "--group", "Value,Node,Footprint", "--min-group", "3" },
	{ "outliers", "--kind", "setup,runtime", "--min-excess", "1" },
	{ "info" },
	{ "iterations" },
	{ "iterations", "--tag-format", "a:Iteration=0-2,X=3-4,5-5=0;*:Iteration=1-5,Y=0-3" },
	{ "states" },
	{ "states", "--by", "worker", "--inside" },
	{ "states", "--of", "all", "--node", "1" },
	{ "states", "--by", "worker", "--begin", "7", "--end", "35.5", "--resource", "CPU*" },
	{ "aggregate" },
	{ "aggregate", "--threshold", "1", "--keep-outliers", "--kind", "app,setup" },
	{ "aggregate", "--types", "a,c*", "--exclude", "Start > 20" },
	{ "aggregate", "--threshold", "2", "--begin", "7", "--end", "35.5", "--resource", "CPU*" },
	{ "aggregate", "--step", "3" },
	{ "aggregate", "--step", "7.5", "--by", "ResourceType", "--kind", "app,setup" },
	{ "aggregate", "--step", "2", "--begin", "7", "--end", "35.5", "--resource", "CPU*" },
	{ "callprofile" },
	{ "message-sizes" },
	{ "bandwidth" },
	{ "bandwidth", "--by", "link", "--step", "5", "--node", "1" },
	{ "in-flight", "--by", "all" },
	{ "in-flight", "--begin", "20", "--end", "35" },
	{ "comm-matrix" },
	{ "messages" },
	{ "load-balance", "--no-causes" },
	{ "load-balance", "--no-causes", "--by", "type", "--begin", "7", "--end", "35.5" },
	{ "abe" },
	{ "abe", "--kind", "app,setup", "--only", "a,b" },
	{ "ready" },
	{ "ready", "--by", "Node", "--step", "2.5", "--kind", "app,runtime" },
	{ "ready", "--by", "ResourceId", "--begin", "7", "--end", "35.5", "--resource", "CPU*" },
	{ "ready", "--by", "JobId" },
	{ "submitted" },
	{ "submitted", "--by", "Value", "--step", "3" },
	{ "submitted", "--not-started", "--kind", "app,setup", "--only", "a,b" },
	{ "submitted", "--by", "JobId" },
	{ "submitted", "--by", "Node", "--begin", "7", "--end", "35.5", "--resource", "CPU*" },
	{ "deps" },
	{ "critical-path" },
	{ "critical-path", "--follow", "deps" },
	{ "critical-path", "--kind", "app,setup" },
	{ "bounds" },
	{ "bounds", "--kind", "app,setup", "--forbid", "a:CUDA", "--integer" },
	{ "lifecycle-summary" },
	{ "lifecycle-summary", "--kind", "app,setup", "--node", "1" },
	{ "deps", "--kind", "app,setup", "--begin", "7", "--end", "35.5" },
	{ "disturbances", "--min-workers", "1", "--level", "1" },
	{ "imbalance" },
	{ "imbalance", "--step", "2.5", "--kind", "app,setup", "--resource", "CPU*" },
	{ "imbalance", "--step", "3", "--begin", "7", "--end", "35.5" },
	{ "progress" },
	{ "progress", "--by", "Node", "--tag-format",
	  "a:Iteration=0-2,X=3-4,5-5=0;*:Iteration=1-5,Y=0-3" },
	{ "progress", "--open", "--by", "Value" },
	{ "progress", "--open", "--step", "3", "--begin", "7", "--end", "35.5" },
	{ "regression", "--against", "GFlop", "--fit", "linear", "--by", "Value,Node" },
	{ "regression", "--against", "GFlop", "--points", "3" },
	{ "regression", "--against", "GFlop", "--fit", "weighted", "--by", "", "--kind",
	  "app,setup" },
	{ "disturbances", "--step", "3", "--min-workers", "2", "--level", "1", "--kind",
	  "app,setup" },
	{ "starvation" },
	{ "starvation", "--step", "2.5", "--by", "node" },
	{ "starvation", "--can-run", "anywhere", "--kind", "app,setup" },
	{ "starvation", "--by", "node", "--begin", "7", "--end", "35.5", "--resource", "CPU*" },
};

static size_t compared, refused, together, tried, linked;

/* ---- traces ---- */

/* What a random trace has: how JobIds are written, whether streams share a device, and what no part shows alone. */
struct flavor {
	const char *job;
	bool shared, depends, repeats, knots, gaps, messages, iterations, commutes;
	bool untimed[128]; /* by row: it has no Start */
};

/* JobIds that a row depends on: mostly of rows before it; with knots also of those without Start, or later. */
static void add_dependencies(char **text, uint64_t *seed, const struct flavor *flavor, unsigned row)
{
	for (uint64_t n = flavor->depends ? unit_random(seed, 4) : 0; n > 0 && row > 0; n--) {
		unsigned before = (unsigned)unit_random(seed, row);

		if (unit_random(seed, 3) > 0 && row > 9)
			before = row - 1 - before % 9;
		if (flavor->gaps && unit_random(seed, 20) == 0)
			before += 1000;
		else if (flavor->knots && unit_random(seed, 20) == 0)
			before = row + 1;
		else if (!flavor->knots && flavor->untimed[before])
			continue;
		tv_append(text, flavor->job, before);
		tv_append(text, " ");
	}
	tv_append(text, "\n");
}

/* Of most traces no task has an Iteration, and some tags are of no format. */
static void add_tag(char **text, uint64_t *seed, const struct flavor *flavor)
{
	if (unit_random(seed, 9) > 0)
		tv_append(text, "%s%x", unit_random(seed, 2) == 0 ? "0x" : "",
			  (unsigned)unit_random(seed, 40));
	tv_append(text, ",");
	if (flavor->iterations && unit_random(seed, 3) > 0)
		tv_append(text, "%u", (unsigned)unit_random(seed, 9));
	tv_append(text, ",");
}

/* Handles and Modes: accesses that commute, and others. */
static void add_accesses(char **text, uint64_t *seed, const struct flavor *flavor)
{
	unsigned n = flavor->commutes ? (unsigned)unit_random(seed, 3) : 0;

	for (unsigned i = 0; i < n; i++)
		tv_append(text, "h%u ", (unsigned)unit_random(seed, 3));
	tv_append(text, ",");
	for (unsigned i = 0; i < n; i++)
		tv_append(text, unit_random(seed, 4) == 0 ? "RW " : "RWC ");
	tv_append(text, ",");
}

static void add_rows(char **text, uint64_t *seed, unsigned n, struct flavor *flavor)
{
	static const char *const kinds[] = { "app", "app", "app", "setup", "runtime" };
	unsigned at = 0;

	for (unsigned i = 0; i < n; i++) {
		unsigned worker = (unsigned)unit_random(seed, 5),
			 kind = (unsigned)unit_random(seed, 5);
		unsigned length = (unsigned)unit_random(seed, 4) * (unsigned)unit_random(seed, 9);
		bool again = flavor->repeats && i > 0 && unit_random(seed, 5) == 0;
		char *job = tv_format(flavor->job, again ? i - 1 : i);

		at += (unsigned)unit_random(seed, 3) + again;
		flavor->untimed[i] = unit_random(seed, 12) == 0;
		if (flavor->untimed[i])
			tv_append(text, ",g,,,%s,%s,,,,,,%s,,", job,
				  unit_random(seed, 2) == 0 ? "ghost" : "pending",
				  unit_random(seed, 2) == 0 ? "3" : "");
		else if (flavor->messages && unit_random(seed, 15) == 0)
			tv_append(text, ",m,%u.5,%u.5,%s,message,,,,,,,,", at, at + length, job);
		else
			tv_append(text, "%s%u,%c,%u.5,%u.5,%s,%s,%u,%s,%s,%s,%s,%u,%s,",
				  worker < 3 ? "CPU" : "CUDA", worker,
				  (char)('a' + unit_random(seed, 3)), at, at + length, job,
				  kinds[kind], worker % 2, worker < 3 ? "CPU" : "CUDA",
				  unit_random(seed, 3) == 0 ? "f1" : "f2",
				  unit_random(seed, 9) == 0 ? "open" : "",
				  worker < 3	   ? ""
				  : flavor->shared ? "gpu"
				  : worker == 3	   ? "gpu3"
						   : "gpu4",
				  at > 9 ? at - (unsigned)unit_random(seed, 12) : 0,
				  (const char *[]){ "0.1", "3.7", "" }[unit_random(seed, 3)]);
		add_tag(text, seed, flavor);
		add_accesses(text, seed, flavor);
		add_dependencies(text, seed, flavor, i);
		tv_free(job);
	}
}

static void add_states(struct tv_trace *trace, uint64_t *seed, unsigned n)
{
	static const char *const values[] = { "Idle", "Sleeping", "Callback" };

	for (unsigned i = 0; i < n; i++) {
		int64_t begin = (int64_t)unit_random(seed, 60000000) - 2000000;
		char name[16];
		uint32_t row = tv_table_add_row(&trace->table[TV_STATES]);

		snprintf(name, sizeof name, "CPU%u", (unsigned)unit_random(seed, 4));
		tv_set_text(tv_trace_column(trace, TV_STATES, "ResourceId"), row, name);
		tv_set_text(tv_trace_column(trace, TV_STATES, "Type"), row, "Worker State");
		tv_set_text(tv_trace_column(trace, TV_STATES, "Value"), row,
			    values[unit_random(seed, 3)]);
		tv_set_int(tv_trace_column(trace, TV_STATES, "Start"), row, begin);
		tv_set_int(tv_trace_column(trace, TV_STATES, "End"), row,
			   begin + (int64_t)unit_random(seed, 9000000));
	}
	tv_table_finish(&trace->table[TV_STATES]);
}

/* Messages, of which some lack an end or the size, and other links; nodes have no messages in between. */
static void add_links(struct tv_trace *trace, uint64_t *seed, unsigned n)
{
	static const char *const ends[] = { "CPU0", "CPU1", "1_comm", "2_comm" };

	for (unsigned i = 0; i < n; i++) {
		int64_t begin = (int64_t)unit_random(seed, 60000000);
		uint32_t row = tv_table_add_row(&trace->table[TV_LINKS]);

		tv_set_text(tv_trace_column(trace, TV_LINKS, "Type"), row,
			    unit_random(seed, 9) == 0 ? "Fetch" : "MPI communication");
		tv_set_text(tv_trace_column(trace, TV_LINKS, "Origin"), row,
			    ends[unit_random(seed, 4)]);
		if (unit_random(seed, 12) > 0)
			tv_set_text(tv_trace_column(trace, TV_LINKS, "Dest"), row,
				    ends[unit_random(seed, 4)]);
		tv_set_int(tv_trace_column(trace, TV_LINKS, "Start"), row, begin);
		tv_set_int(tv_trace_column(trace, TV_LINKS, "End"), row,
			   begin + (int64_t)unit_random(seed, 9000000));
		if (unit_random(seed, 5) > 0)
			tv_set_int(tv_trace_column(trace, TV_LINKS, "Size"), row,
				   (int64_t)unit_random(seed, 3000));
		if (unit_random(seed, 9) == 0)
			tv_set_text(tv_trace_column(trace, TV_LINKS, "Flag"), row, "open");
	}
	tv_table_finish(&trace->table[TV_LINKS]);
}

static void add_calls(struct tv_trace *trace, uint64_t *seed, unsigned n)
{
	static const char *const names[] = { "MPI_Init", "MPI_Send", "MPI_Wait", "MPI_Finalize" },
				 *const classes[] = { "other", "blocking", "wait", "odd" },
				 *const threads[] = { "0_T0", "0_T1", "1_T0", "2_T0" };

	for (unsigned i = 0; i < n; i++) {
		int64_t begin = (int64_t)unit_random(seed, 60000000);
		uint32_t row = tv_table_add_row(&trace->table[TV_CALLS]);
		uint64_t name = unit_random(seed, 4);

		tv_set_text(tv_trace_column(trace, TV_CALLS, "ResourceId"), row,
			    threads[unit_random(seed, 4)]);
		tv_set_text(tv_trace_column(trace, TV_CALLS, "Call"), row, names[name]);
		tv_set_text(tv_trace_column(trace, TV_CALLS, "Class"), row,
			    classes[unit_random(seed, 30) == 0 ? 3 : name % 3]);
		tv_set_int(tv_trace_column(trace, TV_CALLS, "Start"), row, begin);
		tv_set_int(tv_trace_column(trace, TV_CALLS, "End"), row,
			   begin + (int64_t)unit_random(seed, 9000000));
		if (unit_random(seed, 2) == 0)
			tv_set_int(tv_trace_column(trace, TV_CALLS, "Bytes"), row,
				   (int64_t)unit_random(seed, 3000));
		if (unit_random(seed, 9) == 0)
			tv_set_text(tv_trace_column(trace, TV_CALLS, "Flag"), row, "open");
	}
	tv_table_finish(&trace->table[TV_CALLS]);
}

/* Some rows end before they start. */
static void damage(struct tv_trace *trace, uint64_t *seed)
{
	struct tv_table *tasks = &trace->table[TV_TASKS];
	struct tv_column *start = tv_table_find(tasks, "Start"), *end = tv_table_find(tasks, "End");

	for (uint32_t row = 0; row < tasks->nrows; row++)
		if (!tv_missing(start, row) && unit_random(seed, 9) == 0)
			tv_set_int(end, row, start->i[row] - 1 - (int64_t)unit_random(seed, 9));
}

static void random_trace(struct tv_trace *trace, uint64_t *seed, unsigned number)
{
	char *text = tv_strdup("ResourceId,Value,Start,End,JobId,Kind,Node,ResourceType,Footprint,"
			       "Flag,Device,SubmitTime,GFlop,Tag,Iteration,Handles,Modes,"
			       "DependsOn\n");
	bool gaps = number % 5 == 0;
	static const char *const jobs[] = { "j%u", "%u", "1_%u", "90%u", "00%ux", "0%u" };
	struct flavor flavor = { .job = jobs[unit_random(seed, TV_COUNT(jobs))],
				 .shared = unit_random(seed, 6) == 0,
				 .repeats = gaps && unit_random(seed, 2) == 0,
				 .knots = gaps && unit_random(seed, 2) == 0,
				 .gaps = gaps,
				 .depends = number % 8 > 0,
				 .messages = true,
				 .iterations = number % 3 == 0,
				 .commutes = number % 7 < 2 };

	add_rows(&text, seed, (unsigned)unit_random(seed, 70) + 3, &flavor);
	if (unit_random(seed, 3) == 0)
		tv_append(&text, "CPU9,idle,,,,worker,1,CPU,,,,,,,,,,\n");
	parts_read(trace, text);
	if (unit_random(seed, 2) == 0)
		add_states(trace, seed, (unsigned)unit_random(seed, 30));
	if (unit_random(seed, 2) == 0)
		add_links(trace, seed, (unsigned)unit_random(seed, 30));
	if (unit_random(seed, 2) == 0)
		add_calls(trace, seed, (unsigned)unit_random(seed, 30));
	tv_free(text);
}

/* ---- commands ---- */

/* Rows of a run, or of a part of it, perhaps with the columns that a pass adds. */
struct printing {
	const struct tv_cli *cli;
	struct tv_output *out, mine; /* mine: what this process has found, and `out` has not */
};

static int write_rows(void *state, struct tv_run *run, struct tv_error *err)
{
	struct printing *a = state;
	const struct tv_table *added = tv_run_pass(run, a->cli->verb.pass->name, a->cli->own_value,
						   err);
	struct tv_table joined;
	uint32_t n = 0, *rows;

	if (added == NULL)
		return -1;
	if (a->cli->verb.pass->kind != TV_ANNOTATE) {
		tv_csv_write_rows(added, NULL, 0, &a->mine);
		return 0;
	}
	tv_annotate_tasks(&run->trace->table[TV_TASKS], added, &joined);
	rows = tv_rows_as_read(&joined, NULL, &n);
	tv_csv_write_rows(&joined, rows, n, &a->mine);
	tv_free(rows);
	tv_table_release(&joined);
	return 0;
}

/* All have what each has found. */
static void share_rows(void *state, const struct tv_team *team)
{
	struct printing *a = state;
	struct tv_parcel pack = { 0 };
	struct tv_gathered all;

	tv_pack_bytes(&pack, a->mine.buffer, a->mine.n);
	a->mine.n = 0;
	all = tv_team_gather(team, &pack);
	tv_output_write(a->out, all.bytes, all.first[all.n]);
	tv_gathered_release(&all);
}

static void write_result(struct tv_session *session, const struct tv_cli *cli,
			 const struct tv_table *table, struct tv_output *out, struct tv_error *err)
{
	struct printing a = { .cli = cli, .out = out };

	tv_output_memory(&a.mine);
	if (!tv_parts_are_printed(cli->verb.pass))
		tv_csv_write(table, NULL, 0, out);
	else if ((session->parts != NULL ? tv_parts_rows(session, write_rows, share_rows, &a, err)
					 : write_rows(&a, &session->run, err))
		 < 0)
		out->n = a.mine.n = 0; /* what is not whole is not left */
	tv_output_write(out, a.mine.buffer, a.mine.n);
	tv_output_abort(&a.mine);
}

static bool answered; /* by the last one that was asked */

/* What the trace has instead of what a verb needs is not said of parts. */
static const char *without_instead(char *text)
{
	char *instead = strstr(text, "; it has ");

	if (instead != NULL)
		*instead = '\0';
	return text;
}

/* What a verb prints, in memory: rows of its result, warnings and how it fails. */
static char *ask(const struct tv_cli *cli, struct tv_parts *parts)
{
	struct tv_error err = { 0 };
	const struct tv_table *table = NULL;
	struct tv_session session;
	struct tv_output out;
	char *text;

	tv_output_memory(&out);
	if (tv_session_open_parts(&session, cli, parts, &err) == 0)
		table = tv_run_pass(&session.run, cli->verb.pass->name, cli->own_value, &err);
	answered = table != NULL;
	if (table != NULL)
		write_result(&session, cli, table, &out, &err);
	for (size_t i = 0; i < session.run.diagnostics.n; i++) {
		tv_output_text(&out, session.run.diagnostics.at[i].text);
		tv_output_text(&out, "\n");
	}
	tv_output_text(&out, without_instead(err.text));
	text = tv_strndup(out.buffer != NULL ? out.buffer : "", out.n);
	tv_output_abort(&out);
	tv_session_close(&session);
	return text;
}

/* The same, and what it says of damaged rows before. */
static char *answer(const struct tv_cli *cli, struct tv_parts *parts)
{
	char *path = tv_format("%s/stderr%d", folder, (int)getpid()), said[4096], *text;
	int before = dup(STDERR_FILENO);
	FILE *file;
	size_t n;

	fflush(stderr);
	if (before < 0 || freopen(path, "w", stderr) == NULL)
		fail_msg("%s: cannot write", path);
	text = ask(cli, parts);
	fflush(stderr);
	dup2(before, STDERR_FILENO);
	close(before);
	file = fopen(path, "r");
	n = file != NULL ? fread(said, 1, sizeof said - 1, file) : 0;
	said[n] = '\0';
	if (file != NULL)
		fclose(file);
	unlink(path);
	tv_append(&text, "%s", said);
	tv_free(path);
	return text;
}

struct question {
	const struct tv_cli *cli;
	uint32_t rows;
};

/* Which process found what is wrong, process 0 then does not say, as it reads the whole. */
static char *without_process(char *text)
{
	char *process = strstr(text, "process ");

	if (process != NULL)
		memmove(process, process + strlen("process 1: "),
			strlen(process + strlen("process 1: ")) + 1);
	return text;
}

static char *answer_of_member(void *context, const struct tv_team *team)
{
	const struct question *asked = context;
	struct tv_cli cli = *asked->cli;
	struct tv_error err = { 0 };
	struct tv_parts *parts;

	cli.team = team;
	parts = tv_parts_new(&cli, asked->rows, &err);
	return parts != NULL ? without_process(answer(tv_parts_reading(parts), parts))
			     : tv_strdup(err.text);
}

/* Why the shorter parts of several processes are no way where longer ones may be, or where the whole is refused. */
static bool is_of_shorter_parts(const char *text)
{
	return strcmp(text, "a job ran several times, with other tasks between") == 0
	    || strcmp(text, "no task ran") == 0
	    || strcmp(text, "a task depends on one that starts later, or has no Start") == 0
	    || strncmp(text, "its messages are no tasks, and ", 31) == 0
	    || strcmp(text, "its rows are damaged in several ways") == 0;
}

/* Whether processes do not share the rows. */
static bool is_alone(const struct tv_cli *cli)
{
	const struct tv_options options = tv_cli_own_options(cli);

	return cli->verb.pass->alone != NULL && cli->verb.pass->alone(&options);
}

/* All processes of a team have the answer. */
static void compare_together(const char *what, const struct tv_cli *cli, uint32_t rows,
			     uint32_t size, const char *whole)
{
	struct question asked = { cli, rows };

	team_run(size, answer_of_member, &asked);
	for (uint32_t k = 0; k < size; k++) {
		const char *text = team_board->text[k];

		if (strcmp(text, whole) != 0 && !is_of_shorter_parts(text))
			fail_msg("%s, %s, process %u of %u, parts of %u:\n%s\n-- in memory:\n%s",
				 what, cli->verb.name, (unsigned)k, (unsigned)size, rows, text,
				 whole);
	}
	together++;
}

/* Parts that nobody needs, as memory is enough: the same, or nothing, and then the whole is read. */
static void compare_tried(const char *what, const struct tv_cli *cli, uint32_t rows,
			  const char *whole)
{
	struct tv_parts *parts = tv_parts_try(cli, rows);
	char *text;

	if (parts == NULL)
		return;
	/* What selects types and workers does not make it read the rows twice. */
	if (cli->node == NULL && cli->begin == NULL && cli->end == NULL && !tv_reads_any(cli))
		assert_int_equal(tv_parts_early(parts), cli->verb.pass->early);
	text = answer(tv_parts_reading(parts), parts);
	tried += answered;
	if (answered && strcmp(text, whole) != 0)
		fail_msg("%s, %s, tried in parts of %u:\n%s\n-- in memory:\n%s", what,
			 cli->verb.name, rows, text, whole);
	tv_free(text);
}

/* The text from the first line on that another one does not have there. */
static const char *other_line(const char *text, const char *other)
{
	const char *line = text;

	for (; *text == *other && *text != '\0'; text++, other++)
		if (*text == '\n')
			line = text + 1;
	return line;
}

static void compare(const char *what, const char *const *word, uint32_t rows)
{
	static const uint32_t sizes[] = { 2, 3, 8 };
	char *path = tv_format("%s/run", folder), *whole, *parted;
	struct tv_cli cli = parts_parse(word, WORDS_MAX, path);
	struct tv_error err = { 0 };
	char *columns = tv_columns_by_pass(&cli, false), *all;
	struct tv_parts *parts;

	cli.read.columns = columns;
	cli.read.unread = tv_unread_by_pass(&cli);
	parts = tv_parts_new(&cli, rows, &err);
	if (parts == NULL)
		fail_msg("%s", err.text);
	all = tv_columns_by_pass(&cli, true);
	cli.read.columns = all;
	whole = answer(&cli, NULL);
	parted = answer(tv_parts_reading(parts), parts);
	if (strstr(parted, "needs all rows at once") != NULL)
		refused++;
	else if (strcmp(whole, parted) != 0)
		fail_msg("%s, %s %s %s, parts of %u, from the line that differs:\n%s\n-- in "
			 "memory:\n%s",
			 what, word[0], word[1] != NULL ? word[1] : "",
			 word[2] != NULL ? word[2] : "", rows, other_line(parted, whole),
			 other_line(whole, parted));
	else {
		compared++;
		linked += cli.verb.pass->linked;
		cli.read.columns = columns;
		compare_tried(what, &cli, rows, whole);
		if (!is_alone(&cli))
			compare_together(what, &cli, rows, sizes[compared % TV_COUNT(sizes)],
					 whole);
	}
	tv_free(whole);
	tv_free(parted);
	tv_free(columns);
	tv_free(all);
	tv_free(path);
	tv_cli_release(&cli);
}

/* ---- tests ---- */

static void test_samples(void **state)
{
	static const struct {
		const char *path;
		uint32_t group, part; /* rows; thousands of groups take time */
	} sample[] = {
		{ "data/qr-mumps-like.csv", 1, 50 },
		{ "data/qr-mumps-like.csv", 7, 20 },
		{ "data/cholesky-2nodes", 131072, 131072 },
		{ "data/cholesky.csv", 1000, 2500 },
		{ "data/cholesky.csv", 131072, 131072 },
		{ "data/cholesky-paje", 1000, 10000 },
		{ "data/mpi-halo", 1000, 2500 },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(sample); i++) {
		struct tv_error err = { 0 };
		struct tv_trace trace;

		tv_trace_init(&trace, NULL);
		if (tv_load(sample[i].path, &trace, NULL, NULL, &err) != 0)
			fail_msg("%s", err.text);
		parts_write(&trace, sample[i].group);
		tv_trace_release(&trace);
		tv_threads_set(i % 2 == 0 ? 1 : 8);
		for (size_t c = 0; c < TV_COUNT(commands); c++)
			compare(sample[i].path, commands[c], sample[i].part);
	}
	print_message("# %zu compared, %zu refused, %zu by several processes, %zu tried\n",
		      compared, refused, together, tried);
	assert_true(tried > compared / 2);
	assert_true(compared > 4 * refused);
}

static void test_random(void **state)
{
	static const uint32_t groups[] = { 1, 7, 1000 };
	uint64_t seed = unit_seed(20);

	(void)state;
	compared = refused = linked = 0;
	for (unsigned i = 0; i < RANDOM; i++) {
		uint32_t rows = groups[i % 3];
		struct tv_trace trace;
		char what[32];

		random_trace(&trace, &seed, i);
		if (i % 4 == 0)
			damage(&trace, &seed);
		parts_write(&trace, rows);
		tv_trace_release(&trace);
		tv_threads_set(i % 2 == 0 ? 1 : 8);
		snprintf(what, sizeof what, "random %u", i);
		for (size_t c = i % 13; c < TV_COUNT(commands); c += 13)
			compare(what, commands[c], 4 * rows + (uint32_t)unit_random(&seed, 30));
	}
	print_message("# %zu compared, %zu refused, %zu by several processes, %zu tried\n",
		      compared, refused, together, tried);
	assert_true(tried > compared / 2);
	assert_true(compared > 4 * refused && compared > 200 && linked > 50);
}

/* A run of two nodes with so many messages that they are not read each time, none of which the tasks depend on: what they depend on
 * does not show that they waited, which is to be said. */
static void test_messages(void **state)
{
	static const char *const word[WORDS_MAX] = { "ready" };
	struct tv_trace trace;
	uint64_t seed = unit_seed(3);

	(void)state;
	unit_trace(&trace, NULL,
		   "ResourceId,ResourceType,Value,Start,End,JobId,Node,SubmitTime,DependsOn\n"
		   "CPU0,CPU,a,0,5,1,0,0,\nCPU1,CPU,a,1,5,2,1,0,\n"
		   "CPU0,CPU,a,6,9,3,0,0,1\nCPU1,CPU,a,6,9,4,1,0,2\n");
	add_links(&trace, &seed, 50);
	parts_write(&trace, 7);
	tv_trace_release(&trace);
	refused = 0;
	compare("many messages", word, 1000);
	assert_int_equal(refused, 1);
}

static int count_linked(void *state, struct tv_run *part, struct tv_error *err)
{
	unsigned *n = state;

	(void)err;
	*n += part->tasks.depends != NULL;
	return 0;
}

/* Its tasks have a JobId. */
static int count_named(void *state, struct tv_run *part, struct tv_error *err)
{
	unsigned *n = state;

	(void)err;
	*n += part->tasks.job != NULL;
	return 0;
}

/* A command about data/cholesky.csv in groups of 1000 rows; release it with tv_cli_release, and columns. */
static struct tv_cli parse_of_groups(const char *const *word, const char *path, char **columns)
{
	struct tv_error err = { 0 };
	struct tv_trace trace;
	struct tv_cli cli;

	tv_trace_init(&trace, NULL);
	assert_int_equal(tv_load("data/cholesky.csv", &trace, NULL, NULL, &err), 0);
	parts_write(&trace, 1000);
	tv_trace_release(&trace);
	cli = parts_parse(word, WORDS_MAX, path);
	cli.read.columns = *columns = tv_columns_by_pass(&cli, false);
	cli.read.unread = tv_unread_by_pass(&cli);
	return cli;
}

/* What tasks depend on is read only for those who ask for it. */
static void test_bare(void **state)
{
	static const char *const word[WORDS_MAX] = { "bounds" };
	char *path = tv_format("%s/run", folder), *columns;
	struct tv_cli cli = parse_of_groups(word, path, &columns);
	unsigned nlinked = 0, nbare = 0, nnamed = 0;
	struct tv_error err = { 0 };
	struct tv_session session;
	struct tv_parts *parts;

	(void)state;
	parts = tv_parts_new(&cli, 2500, &err);
	assert_non_null(parts);
	if (tv_session_open_parts(&session, tv_parts_reading(parts), parts, &err) < 0
	    || tv_run_bare_rows(&session.run, count_linked, &nbare, &err) < 0
	    || tv_run_rows(&session.run, count_linked, &nlinked, &err) < 0)
		fail_msg("%s", err.text);
	/* As while a pass is computed that does not ask for it. */
	session.run.part_pass = tv_pass_find("abe");
	if (tv_run_rows(&session.run, count_linked, &nbare, &err) < 0
	    || tv_run_rows(&session.run, count_named, &nnamed, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(nnamed, 0);
	/* Or of one that asks for JobId alone. */
	session.run.part_pass = tv_pass_find("submitted");
	if (tv_run_rows(&session.run, count_linked, &nbare, &err) < 0
	    || tv_run_rows(&session.run, count_named, &nnamed, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(nbare, 0);
	assert_int_equal(nnamed, nlinked);
	assert_true(nlinked > 1);
	tv_session_close(&session);
	tv_cli_release(&cli);
	tv_free(columns);
	tv_free(path);
}

/* Of a curve in slices, processes tell each other the slices, and of tasks those that run from the part of one on into that of another. */
static void test_settled(void **state)
{
	static const char *const word[WORDS_MAX] = { "concurrency", "--step", "100" };
	char *path = tv_format("%s/run", folder), *columns;
	struct tv_cli cli = parse_of_groups(word, path, &columns);

	(void)state;
	team_run(2, answer_of_member, &(struct question){ &cli, 2500 });
	assert_string_equal(team_board->text[0], team_board->text[1]);
	assert_true(strlen(team_board->text[0]) > 1000);
	print_message("# %zu bytes at most\n", team_board->most);
	assert_true(team_board->most < 20000);
	tv_cli_release(&cli);
	tv_free(columns);
	tv_free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_settled),	 cmocka_unit_test(test_bare),
		cmocka_unit_test(test_messages), cmocka_unit_test(test_samples),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, parts_begin, parts_end);
}
