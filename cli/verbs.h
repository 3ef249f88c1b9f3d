/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * verbs.h -- what can follow `traceviz`: own verbs, and one verb per pass.
 *
 * To add an own verb:
 *   1. write cli/cmd_NAME.c with `int tv_cmd_NAME(const struct tv_cli *cli, struct tv_error *err)`;
 *   2. add its row in verbs.c, and in options.c its mask to the options that it takes (enum
 *      tv_takes below: a bit of its own, if no other verb takes the same ones);
 *   3. write its page in docs/ and a test in tests/cli/.
 * Help, man page and completion follow from the row. For a pass see analysis/passes.h.
 */
#ifndef TV_VERBS_H
#define TV_VERBS_H

#include "analysis/core/run.h"
#include "sim/platform.h"
#include "trace/near_names.h"
#include "trace/output.h"

/* Kinds of verbs, as a mask in the rows of options. */
enum tv_takes {
	TV_TAKES_PLOT = 1,
	TV_TAKES_CONVERT = 2,
	TV_TAKES_PASS = 4,
	TV_TAKES_COMPARE = 8,
	TV_TAKES_HELP = 16,
	TV_TAKES_RECORD = 32,
	TV_TAKES_SIMULATE = 64,
	TV_TAKES_GENERATE = 128,
	TV_TAKES_PRECISION = 256, /* and scaling */
	TV_TAKES_PLATFORM = 512,
	TV_TAKES_DIAGNOSE = 1024,
	TV_TAKES_QUESTION = 2048, /* the name of a part, which takes the options */
	TV_TAKES_SQL = 4096,
	TV_TAKES_DATA = TV_TAKES_PLOT | TV_TAKES_PASS,
	TV_TAKES_TABLES = TV_TAKES_PASS | TV_TAKES_COMPARE | TV_TAKES_PRECISION | TV_TAKES_PLATFORM
			| TV_TAKES_DIAGNOSE | TV_TAKES_SQL,
	TV_TAKES_TRACES = TV_TAKES_PLOT | TV_TAKES_CONVERT | TV_TAKES_PASS | TV_TAKES_COMPARE
			| TV_TAKES_PRECISION | TV_TAKES_SIMULATE | TV_TAKES_DIAGNOSE | TV_TAKES_SQL,
	TV_TAKES_ALL = TV_TAKES_TRACES | TV_TAKES_HELP | TV_TAKES_RECORD | TV_TAKES_GENERATE
		     | TV_TAKES_PLATFORM | TV_TAKES_QUESTION
};

struct tv_cli;

struct tv_verb {
	const char *name, *arguments, *summary, *example;
	const char *notes;    /* definitions and sources; NULL = in what it describes */
	const char *question; /* of which the pass is a part (analysis/passes.h), or "" */
	enum tv_verb_group group;
	unsigned takes;			     /* one bit of enum tv_takes */
	const struct tv_pass *pass;	     /* NULL for own verbs */
	const struct tv_option_spec *option; /* that no other verb takes: a pass's, or NULL */
	size_t noptions, nrare; /* of them: the last ones, which only the page of notes lists */
	int (*run)(const struct tv_cli *cli, struct tv_error *err);
	/* Appends what the help contains after the options. */
	void (*describe)(const struct tv_verb *verb, struct tv_output *out);
	/* Appends what the page of notes contains after them; NULL = nothing. */
	void (*describe_more)(const struct tv_verb *verb, struct tv_output *out);
};

/* The verb of that name, or of a former name of a pass; false if there is none. */
bool tv_verb_find(const char *name, struct tv_verb *verb);
/* The part of a question by its name, as in `traceviz series ready`; false if the verb has none of that name. */
bool tv_verb_part(const struct tv_verb *question, const char *name, struct tv_verb *part);
/* The parts of a question, likewise; false when there are no more. */
bool tv_verb_next_part(const struct tv_verb *question, size_t *i, struct tv_verb *part);
/* All verbs in the order of their tables, *i starting at 0; false when there are no more. */
bool tv_verb_next(size_t *i, struct tv_verb *verb);

/* The heading under which --help lists the verbs of a group. */
const char *tv_verb_group_title(enum tv_verb_group group);

/* The example of a verb, in new memory; of a part with the question before its name. */
char *tv_verb_example(const struct tv_verb *verb);

/* The verb that a word is nearest to, for messages: tv_near_text. */
const char *tv_verb_near(struct tv_near *near, const char *word);

/* What verbs describe (help.c). */
void tv_describe_plot(const struct tv_verb *verb, struct tv_output *out);
void tv_describe_convert(const struct tv_verb *verb, struct tv_output *out);
void tv_describe_compare(const struct tv_verb *verb, struct tv_output *out);
void tv_describe_more_of_compare(const struct tv_verb *verb, struct tv_output *out);
void tv_describe_diagnose(const struct tv_verb *verb, struct tv_output *out);
void tv_describe_generate(const struct tv_verb *verb, struct tv_output *out);
void tv_describe_precision(const struct tv_verb *verb, struct tv_output *out);
void tv_describe_scaling(const struct tv_verb *verb, struct tv_output *out);
void tv_describe_platform(const struct tv_verb *verb, struct tv_output *out);
void tv_list_policies(struct tv_output *out);
void tv_describe_simulate(const struct tv_verb *verb, struct tv_output *out);
void tv_describe_sql(const struct tv_verb *verb, struct tv_output *out);
void tv_describe_record(const struct tv_verb *verb, struct tv_output *out);
void tv_describe_pass(const struct tv_verb *verb, struct tv_output *out);
void tv_describe_more_of_pass(const struct tv_verb *verb, struct tv_output *out);
void tv_describe_more_of_simulate(const struct tv_verb *verb, struct tv_output *out);

/* Options of verbs that no other verb takes. */
enum {
	TV_SIMULATE_COLUMNS = 8,
	TV_COMPARE_OPTIONS = 2,
	TV_DIAGNOSE_OPTIONS = 3,
	TV_GENERATE_OPTIONS = 13,
	TV_PLATFORM_OPTIONS = 2,
	TV_PRECISION_OPTIONS = 4,
	TV_SCALING_OPTIONS = 3,
	TV_SIMULATE_OPTIONS = 26,
	TV_SQL_OPTIONS = 1,
	TV_SIMULATE_RARE = 13
};
extern const struct tv_field tv_simulate_columns[TV_SIMULATE_COLUMNS]; /* without -o */
extern const struct tv_option_spec tv_compare_own_options[TV_COMPARE_OPTIONS];
extern const struct tv_option_spec tv_diagnose_options[TV_DIAGNOSE_OPTIONS];
extern const struct tv_option_spec tv_generate_options[TV_GENERATE_OPTIONS];
extern const struct tv_option_spec tv_platform_options[TV_PLATFORM_OPTIONS];
extern const struct tv_option_spec tv_precision_options[TV_PRECISION_OPTIONS];
extern const struct tv_option_spec tv_scaling_options[TV_SCALING_OPTIONS];
extern const struct tv_option_spec tv_simulate_options[TV_SIMULATE_OPTIONS];
extern const struct tv_option_spec tv_sql_options[TV_SQL_OPTIONS];
extern const char tv_simulate_notes[];

/* The tables of the verb platform. */
enum { TV_PLATFORM_FORMS = 3 };
extern const struct tv_columns tv_platform_forms[TV_PLATFORM_FORMS];

/* The verbs. */
int tv_cmd_plot(const struct tv_cli *cli, struct tv_error *err);
int tv_cmd_convert(const struct tv_cli *cli, struct tv_error *err);
int tv_cmd_compare(const struct tv_cli *cli, struct tv_error *err);
int tv_cmd_record(const struct tv_cli *cli, struct tv_error *err);
int tv_cmd_question(const struct tv_cli *cli, struct tv_error *err);
int tv_cmd_help(const struct tv_cli *cli, struct tv_error *err);
int tv_cmd_generate(const struct tv_cli *cli, struct tv_error *err);
int tv_cmd_diagnose(const struct tv_cli *cli, struct tv_error *err);
int tv_cmd_precision(const struct tv_cli *cli, struct tv_error *err);
int tv_cmd_scaling(const struct tv_cli *cli, struct tv_error *err);
int tv_cmd_platform(const struct tv_cli *cli, struct tv_error *err);
/* Reads a platform that is shipped or a file, and warns of what of it is not used. */
int tv_read_platform(const struct tv_cli *cli, struct tv_platform *platform, const char *name,
		     struct tv_error *err);
int tv_cmd_simulate(const struct tv_cli *cli, struct tv_error *err);
int tv_cmd_sql(const struct tv_cli *cli, struct tv_error *err);
int tv_cmd_pass(const struct tv_cli *cli, struct tv_error *err);
/* The same, if rows > 0 part by part, at most so many at a time. */
int tv_pass_in_parts(const struct tv_cli *cli, uint32_t rows, struct tv_error *err);
int tv_cmd_efficiency(const struct tv_cli *cli, struct tv_error *err);
int tv_cmd_what_if(const struct tv_cli *cli, struct tv_error *err);

#endif
