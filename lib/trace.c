/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.c -- traces that are open, and the verbs on them: command lines, run in this process. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options.h"
#include "lib/guard.h"
#include "lib/result.h"
#include "trace/alloc.h"

struct traceviz_trace {
	char **word; /* as given, ended by NULL */
	size_t nwords;
	char **parsed; /* the same in a command line, which cli points to */
	struct tv_cli cli;
	size_t nreading;	   /* options of reading */
	struct tv_session session; /* only its trace, and only if is_read */
	bool is_read;
	struct tv_inputs inputs;
	struct traceviz_result *messages;
};

static const char *const no_words = NULL;

/* ---- errors ---- */

struct traceviz_error {
	enum tv_failure status;
	char text[];
};

/* When there is no memory for another one. */
static struct {
	enum tv_failure status;
	char text[16];
} no_memory = { TV_FAILED, "out of memory" };

static void give_error(traceviz_error **error, enum tv_failure status, const char *text)
{
	size_t n = strlen(text) + 1;
	traceviz_error *made;

	if (error == NULL)
		return;
	made = malloc(sizeof *made + n);
	if (made == NULL) {
		*error = (traceviz_error *)&no_memory;
		return;
	}
	made->status = status;
	memcpy(made->text, text, n);
	*error = made;
}

enum traceviz_status traceviz_error_status(const traceviz_error *error)
{
	return (enum traceviz_status)error->status;
}

const char *traceviz_error_text(const traceviz_error *error)
{
	return error->text;
}

void traceviz_error_free(traceviz_error *error)
{
	if (error != (traceviz_error *)&no_memory)
		free(error);
}

const char *traceviz_version(void)
{
	return TV_VERSION;
}

/* ---- one command ---- */

static void take_table(void *context, const struct tv_verb *verb, const struct tv_table *table,
		       const uint32_t *rows, uint32_t n)
{
	struct traceviz_result *result = context;

	tv_result_table_free(result->table);
	result->table = tv_result_table_new(verb, table, rows, n);
}

static void take_message(void *context, const char *text)
{
	tv_result_message(context, text);
}

static size_t count(const char *const *words)
{
	size_t n = 0;

	while (words[n] != NULL)
		n++;
	return n;
}

static size_t count_reading(const struct tv_cli *cli)
{
	size_t n = 0;

	for (size_t i = 0; i < cli->ngiven; i++)
		n += tv_option_reads(cli->given[i].code);
	return n;
}

/* "traceviz", the verb, and the words; those of the trace come first but where a NAME does. */
static char **make_line(const struct tv_verb *verb, const traceviz_trace *trace,
			const char *const *words, size_t *n)
{
	bool named = verb->takes == TV_TAKES_QUESTION
		  || (verb->pass != NULL && verb->pass->positional != NULL);
	size_t own = trace != NULL ? trace->nwords : 0, given = count(words);
	char **line = tv_alloc(own + given + 3, sizeof *line);

	line[0] = (char *)"traceviz";
	line[1] = (char *)verb->name;
	for (size_t i = 0; i < own; i++)
		line[2 + i + (named ? given : 0)] = trace->word[i];
	for (size_t i = 0; i < given; i++)
		line[2 + i + (named ? 0 : own)] = (char *)words[i];
	*n = own + given + 2;
	return line;
}

/* What a caller in the same process cannot have. */
static int check(const struct tv_cli *cli, struct tv_error *err)
{
	if (cli->verb.takes == TV_TAKES_RECORD)
		return tv_fail_usage(err, "record runs a program, expected the command traceviz");
	if (cli->timings || cli->version)
		return tv_fail_usage(err, "--%s is an option of the command traceviz",
				     cli->timings ? "timings" : "version");
	for (size_t i = 0; i < cli->ntraces; i++)
		if (strcmp(cli->trace[i].path, "-") == 0)
			return tv_fail_usage(err, "standard input belongs to the program, expected "
						  "the path of a trace");
	return 0;
}

/* The trace that is read already, if it is that of the command line, and if it is not changed. */
static struct tv_trace *find_open(traceviz_trace *trace, const struct tv_cli *cli)
{
	size_t queries = cli->verb.run == tv_cmd_sql;

	return trace != NULL && trace->is_read && cli->verb.run != tv_cmd_convert
			    && cli->ntraces == trace->cli.ntraces + queries
			    && count_reading(cli) == trace->nreading
		     ? trace->session.trace
		     : NULL;
}

static int run_line(struct tv_cli *cli, traceviz_trace *trace, traceviz_result *result,
		    struct tv_error *err)
{
	struct tv_receiver receiver = { take_table, take_message, result, find_open(trace, cli) };
	int rc = check(cli, err);

	if (rc < 0)
		return rc;
	cli->receiver = &receiver;
	tv_output_capture(&result->text);
	rc = cli->help ? tv_cmd_help(cli, err) : cli->verb.run(cli, err);
	tv_output_capture(NULL);
	cli->receiver = NULL;
	if (result->text.n > 0)
		tv_output_write(&result->text, "", 1);
	return rc;
}

/* Of a command that failed: its message, in *failure; a verdict is a message of the result. */
static int end_line(const struct tv_cli *cli, traceviz_result *result, const struct tv_error *err,
		    char **failure)
{
	bool verdict = err->status == TV_NEGATIVE || err->status == TV_UNCERTAIN;

	*failure = tv_cli_failure(cli, err);
	if (!verdict)
		return -1;
	tv_result_message(result, *failure);
	tv_free(*failure);
	*failure = NULL;
	result->verdict = err->status;
	return 0;
}

/* A call of the library: what is given, what comes back. */
struct call {
	traceviz_trace *trace;
	const char *verb;
	const char *const *words;
	traceviz_result *result;
	char *failure;
	struct tv_error err;
};

static void run_verb(void *context)
{
	struct call *call = context;
	struct tv_inputs none = { 0 }, *inputs = call->trace != NULL ? &call->trace->inputs : &none;
	size_t n, ninputs = inputs->n;
	struct tv_near near;
	struct tv_verb verb;
	struct tv_cli cli;
	char **line;
	int rc;

	if (!tv_verb_find(call->verb, &verb)) {
		tv_fail_usage(&call->err, "there is no verb '%s'%s", call->verb,
			      tv_verb_near(&near, call->verb));
		call->failure = tv_strdup(call->err.text);
		return;
	}
	call->result = tv_alloc(1, sizeof *call->result);
	tv_output_memory(&call->result->text);
	line = make_line(&verb, call->trace, call->words, &n);
	tv_output_exchange_inputs(inputs);
	rc = tv_cli_parse(&cli, (int)n, line, &call->err);
	if (rc == 0)
		rc = run_line(&cli, call->trace, call->result, &call->err);
	if (rc < 0)
		rc = end_line(&cli, call->result, &call->err, &call->failure);
	tv_output_exchange_inputs(inputs);
	/* What the command read besides the trace is an input no more. */
	inputs->n = ninputs;
	tv_free(none.at);
	tv_cli_release(&cli);
	tv_free(line);
	if (rc < 0) {
		traceviz_free(call->result);
		call->result = NULL;
	}
}

/* Calls work and gives the error, if there is one. */
static int call_guarded(void (*work)(void *context), struct call *call, traceviz_error **error)
{
	bool done = tv_guard(work, call, &call->err);

	if (done && call->failure == NULL)
		return 0;
	give_error(error, call->err.status, done ? call->failure : call->err.text);
	tv_free(call->failure);
	return -1;
}

traceviz_result *traceviz_run(traceviz_trace *trace, const char *verb, const char *const *words,
			      traceviz_error **error)
{
	struct call call = { trace, verb, words != NULL ? words : &no_words, NULL, NULL, { 0 } };

	return call_guarded(run_verb, &call, error) == 0 ? call.result : NULL;
}

int traceviz_plot(traceviz_trace *trace, const char *path, const char *const *words,
		  traceviz_error **error)
{
	size_t n = words != NULL ? count(words) : 0;
	const char **all = calloc(n + 3, sizeof *all);
	traceviz_result *result;

	if (all == NULL) {
		give_error(error, no_memory.status, no_memory.text);
		return -1;
	}
	if (n > 0)
		memcpy(all, words, n * sizeof *all);
	all[n] = "-o";
	all[n + 1] = path;
	result = traceviz_run(trace, "plot", all, error);
	free(all);
	traceviz_free(result);
	return result != NULL ? 0 : -1;
}

/* ---- traces ---- */

/* Options that all verbs on the trace have. */
static int check_reading(const struct tv_cli *cli, struct tv_error *err)
{
	static const char *const other[] = { "verbose", "max-memory", "threads" };

	for (size_t i = 0; i < cli->ngiven; i++) {
		const char *name = tv_option_name(cli->given[i].code);
		bool fits = tv_option_reads(cli->given[i].code);

		for (size_t k = 0; k < TV_COUNT(other); k++)
			fits = fits || strcmp(name, other[k]) == 0;
		if (!fits)
			return tv_fail_usage(err,
					     "%s%s: expected options of reading here, others of a "
					     "verb with it",
					     name[0] != '\0' ? "--" : "", name);
	}
	if (cli->ntraces == 0)
		return tv_fail_usage(err, "no trace named");
	return check(cli, err);
}

/* Several runs are read by each verb. */
static int check_paths(const struct tv_cli *cli, struct tv_error *err)
{
	for (size_t i = 0; i < cli->ntraces; i++)
		if (access(cli->trace[i].path, R_OK) < 0)
			return tv_fail_at(err, (struct tv_pos){ cli->trace[i].path, 0 },
					  "cannot open: %s", strerror(errno));
	return 0;
}

static int read_trace(traceviz_trace *trace, struct tv_error *err)
{
	struct tv_receiver receiver = { take_table, take_message, trace->messages, NULL };
	struct tv_error none = { 0 };
	bool one = trace->cli.ntraces == 1 && trace->cli.trace[0].label == NULL;
	int rc;

	if (check_reading(&trace->cli, err) < 0)
		return -1;
	trace->nreading = count_reading(&trace->cli);
	trace->cli.receiver = &receiver;
	rc = tv_session_open(&trace->session, &trace->cli, one ? err : &none);
	trace->cli.receiver = NULL;
	trace->is_read = rc == 0;
	/* Each verb makes a run of its own. */
	tv_run_release(&trace->session.run);
	trace->session.run = (struct tv_run){ 0 };
	return one || trace->is_read ? rc : check_paths(&trace->cli, err);
}

static void open_trace(void *context)
{
	struct call *call = context;
	traceviz_trace *trace = tv_alloc(1, sizeof *trace);
	struct tv_verb info;
	size_t n;
	int rc;

	trace->messages = tv_alloc(1, sizeof *trace->messages);
	trace->nwords = count(call->words);
	trace->word = tv_alloc(trace->nwords + 1, sizeof *trace->word);
	for (size_t i = 0; i < trace->nwords; i++)
		trace->word[i] = tv_strdup(call->words[i]);
	tv_verb_find("info", &info);
	trace->parsed = make_line(&info, trace, &no_words, &n);
	tv_output_exchange_inputs(&trace->inputs);
	rc = tv_cli_parse(&trace->cli, (int)n, trace->parsed, &call->err);
	if (rc == 0)
		rc = read_trace(trace, &call->err);
	tv_output_exchange_inputs(&trace->inputs);
	if (rc == 0) {
		call->trace = trace;
		return;
	}
	call->failure = tv_cli_failure(&trace->cli, &call->err);
	traceviz_close(trace);
}

traceviz_trace *traceviz_open(const char *const *words, traceviz_error **error)
{
	struct call call = { .words = words };

	return call_guarded(open_trace, &call, error) == 0 ? call.trace : NULL;
}

const char *traceviz_trace_message(const traceviz_trace *trace, size_t i)
{
	return traceviz_message(trace->messages, i);
}

void traceviz_close(traceviz_trace *trace)
{
	if (trace == NULL)
		return;
	tv_trace_release(&trace->session.own);
	tv_cli_release(&trace->cli);
	traceviz_free(trace->messages);
	for (size_t i = 0; i < trace->nwords; i++)
		tv_free(trace->word[i]);
	tv_free(trace->word);
	tv_free(trace->parsed);
	tv_free(trace->inputs.at);
	tv_free(trace);
}
