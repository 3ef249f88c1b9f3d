/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verbs.c -- the table of own verbs, and passes as verbs. */
#include "analysis/compare/compare.h"
#include "analysis/passes.h"
#include "cli/verbs.h"

#include <string.h>

static const struct tv_verb own_verbs[] = {
	/* the verb of a command line without one, if it is about a picture; else diagnose */
	{ .name = "plot",
	  .arguments = "[OPTIONS] TRACE -o FILE.{pdf,svg,png,html}",
	  .summary = "Draw a trace; the word plot may be left out",
	  .example = "traceviz data/cholesky.csv -o report.pdf",
	  .group = TV_GROUP_INPUT,
	  .takes = TV_TAKES_PLOT,
	  .run = tv_cmd_plot,
	  .describe = tv_describe_plot },
	{ .name = "convert",
	  .arguments = "[OPTIONS] TRACE -o DIR|FILE.{csv,parquet,rec,dot,json,sqlite}|-",
	  .summary = "Convert a trace to tables (CSV, Parquet), SQLite, recutils, DOT or JSON for "
		     "Perfetto",
	  .example = "traceviz convert data/cholesky-paje -o run/",
	  .group = TV_GROUP_INPUT,
	  .takes = TV_TAKES_CONVERT,
	  .run = tv_cmd_convert,
	  .describe = tv_describe_convert },
	{ .name = "diagnose",
	  .arguments = "[OPTIONS] TRACE",
	  .summary = "Say in words why a run was slow; the word diagnose may be left out",
	  .example = "traceviz diagnose data/cholesky-dmdas.csv",
	  .group = TV_GROUP_SUMMARY,
	  .takes = TV_TAKES_DIAGNOSE,
	  .option = tv_diagnose_options,
	  .noptions = TV_DIAGNOSE_OPTIONS,
	  .run = tv_cmd_diagnose,
	  .describe = tv_describe_diagnose },
	{ .name = "compare",
	  .arguments = "[OPTIONS] [LABEL=]TRACE [LABEL=]TRACE...",
	  .summary = "Compare runs: what changed, where the time went; gate for CI",
	  .example = "traceviz compare data/cholesky-dmdas.csv data/cholesky-ws.csv",
	  .group = TV_GROUP_COMPARE,
	  .takes = TV_TAKES_COMPARE,
	  .option = tv_compare_own_options,
	  .noptions = TV_COMPARE_OPTIONS,
	  .notes = tv_compare_notes,
	  .run = tv_cmd_compare,
	  .describe = tv_describe_compare,
	  .describe_more = tv_describe_more_of_compare },
	{ .name = "record",
	  .arguments = "[OPTIONS] -o DIR [--] [PROGRAM ARGS...]",
	  .summary = "Run a program and record its tasks, or the machine",
	  .example = "traceviz record -o run/ -- ./cholesky -n 4096",
	  .group = TV_GROUP_INPUT,
	  .takes = TV_TAKES_RECORD,
	  .run = tv_cmd_record,
	  .describe = tv_describe_record },
	{ .name = "generate",
	  .arguments = "[OPTIONS] PROGRAM [-o DIR|FILE.csv|-]",
	  .summary = "Generate the task graph of a well-known program, or synthetic MPI calls",
	  .example = "traceviz generate cholesky --tiles 24 -o planned.csv",
	  .group = TV_GROUP_COMPARE,
	  .takes = TV_TAKES_GENERATE,
	  .option = tv_generate_options,
	  .noptions = TV_GENERATE_OPTIONS,
	  .run = tv_cmd_generate,
	  .describe = tv_describe_generate },
	{ .name = "platform",
	  .arguments = "[OPTIONS] PLATFORM [-o FILE.{pdf,svg,png,html}]",
	  .summary = "List or draw hosts, links and routes of a machine to simulate on",
	  .example = "traceviz platform epyc7452 --routes 'cache-*,core-0'",
	  .group = TV_GROUP_COMPARE,
	  .takes = TV_TAKES_PLATFORM,
	  .option = tv_platform_options,
	  .noptions = TV_PLATFORM_OPTIONS,
	  .run = tv_cmd_platform,
	  .describe = tv_describe_platform },
	{ .name = "simulate",
	  .arguments = "[OPTIONS] TRACE [-o DIR|FILE.csv|-]",
	  .summary = "Simulate a run on another machine, with another scheduler",
	  .example = "traceviz simulate data/cholesky.csv --resources CPU=64 -o sim.csv",
	  .group = TV_GROUP_COMPARE,
	  .takes = TV_TAKES_SIMULATE,
	  .option = tv_simulate_options,
	  .noptions = TV_SIMULATE_OPTIONS,
	  .nrare = TV_SIMULATE_RARE,
	  .notes = tv_simulate_notes,
	  .run = tv_cmd_simulate,
	  .describe = tv_describe_simulate,
	  .describe_more = tv_describe_more_of_simulate },
	{ .name = "precision",
	  .arguments = "[OPTIONS] [LABEL=]NATIVE [LABEL=]SIMULATED...",
	  .summary = "How far simulated runs are from native ones",
	  .example = "traceviz precision data/cholesky-dmdas.csv data/cholesky-dmda.csv",
	  .group = TV_GROUP_COMPARE,
	  .takes = TV_TAKES_PRECISION,
	  .option = tv_precision_options,
	  .noptions = TV_PRECISION_OPTIONS,
	  .run = tv_cmd_precision,
	  .describe = tv_describe_precision },
	{ .name = "scaling",
	  .arguments = "[OPTIONS] [LABEL=]TRACE [LABEL=]TRACE...",
	  .summary = "Runs on more workers, or with larger tasks: efficiency, overhead, METG",
	  .example = "traceviz scaling data/cholesky-dmda.csv data/cholesky-dmdas.csv",
	  .group = TV_GROUP_COMPARE,
	  .takes = TV_TAKES_PRECISION,
	  .option = tv_scaling_options,
	  .noptions = TV_SCALING_OPTIONS,
	  .run = tv_cmd_scaling,
	  .describe = tv_describe_scaling },
	{ .name = "series",
	  .arguments = "NAME [OPTIONS] [TRACE]",
	  .summary = "A number over time: ready or running tasks, utilization, a counter, ...",
	  .example = "traceviz series ready data/cholesky.csv",
	  .group = TV_GROUP_TIME,
	  .takes = TV_TAKES_QUESTION,
	  .run = tv_cmd_question },
	{ .name = "list",
	  .arguments = "NAME [OPTIONS] [TRACE]",
	  .summary = "Rows of a trace: messages, transfers, requests, events, handles, ...",
	  .example = "traceviz list messages data/cholesky-2nodes",
	  .group = TV_GROUP_SUMMARY,
	  .takes = TV_TAKES_QUESTION,
	  .run = tv_cmd_question },
	{ .name = "sql",
	  .arguments = "[OPTIONS] [[LABEL=]TRACE...] QUERY",
	  .summary = "Query tables of traces and results of verbs: SELECT of SQLite",
	  .example =
		  "traceviz sql data/cholesky.csv 'SELECT Value, count(*) FROM tasks GROUP BY 1'",
	  .group = TV_GROUP_SUMMARY,
	  .takes = TV_TAKES_SQL,
	  .option = tv_sql_options,
	  .noptions = TV_SQL_OPTIONS,
	  .run = tv_cmd_sql,
	  .describe = tv_describe_sql },
	{ .name = "help",
	  .arguments = "[VERB|SUBJECT|FINDING|all|input|where|formats|map|figure|panels|panel:NAME|"
		       "tables|notes:VERB]",
	  .summary = "Show the help of traceviz, of a verb or of a subject",
	  .example = "traceviz help bounds",
	  .takes = TV_TAKES_HELP,
	  .run = tv_cmd_help },
};

/* Passes that do more than to print their table. */
static const struct {
	const struct tv_pass *pass;
	const char *arguments;
	int (*run)(const struct tv_cli *cli, struct tv_error *err);
} special[] = {
	{ &tv_pass_efficiency, "[OPTIONS] [[LABEL=]TRACE...]", tv_cmd_efficiency },
	{ &tv_pass_what_if, "[OPTIONS] [TRACE]", tv_cmd_what_if },
};

static void make_special(struct tv_verb *verb)
{
	for (size_t i = 0; i < TV_COUNT(special); i++)
		if (special[i].pass == verb->pass) {
			verb->arguments = special[i].arguments;
			verb->run = special[i].run;
		}
}

static struct tv_verb verb_of_pass(const struct tv_pass *pass)
{
	struct tv_verb verb = { .name = pass->name,
				.arguments = pass->positional != NULL ? "[OPTIONS] [NAME] [TRACE]"
								      : "[OPTIONS] [TRACE]",
				.summary = pass->summary,
				.example = pass->example,
				.notes = pass->notes,
				.question = tv_pass_question(pass),
				.group = pass->group,
				.takes = TV_TAKES_PASS,
				.pass = pass,
				.option = pass->option,
				.noptions = pass->noptions,
				.run = tv_cmd_pass,
				.describe = tv_describe_pass,
				.describe_more = tv_describe_more_of_pass };

	make_special(&verb);
	return verb;
}

static struct tv_verb own_verb(size_t i)
{
	struct tv_verb verb = own_verbs[i];

	verb.question = "";
	return verb;
}

bool tv_verb_find(const char *name, struct tv_verb *verb)
{
	const struct tv_pass *pass = tv_pass_find(name);

	if (pass != NULL) {
		*verb = verb_of_pass(pass);
		return true;
	}
	for (size_t i = 0; i < TV_COUNT(own_verbs); i++)
		if (strcmp(own_verbs[i].name, name) == 0) {
			*verb = own_verb(i);
			return true;
		}
	return false;
}

bool tv_verb_part(const struct tv_verb *question, const char *name, struct tv_verb *part)
{
	const struct tv_pass *pass = tv_pass_find(name);

	if (pass == NULL || strcmp(tv_pass_question(pass), question->name) != 0)
		return false;
	*part = verb_of_pass(pass);
	return true;
}

bool tv_verb_next(size_t *i, struct tv_verb *verb)
{
	if (*i >= TV_COUNT(own_verbs) + tv_npasses)
		return false;
	*verb = *i < TV_COUNT(own_verbs) ? own_verb(*i)
					 : verb_of_pass(tv_passes[*i - TV_COUNT(own_verbs)]);
	++*i;
	return true;
}

bool tv_verb_next_part(const struct tv_verb *question, size_t *i, struct tv_verb *part)
{
	while (tv_verb_next(i, part))
		if (strcmp(part->question, question->name) == 0)
			return true;
	return false;
}

char *tv_verb_example(const struct tv_verb *verb)
{
	size_t n = strlen("traceviz ");

	return tv_format("%.*s%s%s%s", (int)n, verb->example, verb->question,
			 verb->question[0] != '\0' ? " " : "", verb->example + n);
}

const char *tv_verb_near(struct tv_near *near, const char *word)
{
	struct tv_verb verb;

	tv_near_init(near, word);
	for (size_t i = 0; tv_verb_next(&i, &verb);)
		tv_near_offer(near, verb.name);
	return tv_near_text(near);
}
