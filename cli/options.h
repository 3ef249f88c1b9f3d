/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.h -- the options of a verb as getopt_long has them, each with a code. */
#ifndef TV_CLI_OPTIONS_H
#define TV_CLI_OPTIONS_H

#include <getopt.h>

#include "cli/cli.h"

/* Codes: the rows of the table in options.c first, then the options of the verb or of the panels. */
enum { TV_FIRST_CODE = 256, TV_OPTIONS_MAX = 512, TV_OPTION_NAME_MAX = 64 };

/* The names that getopt_long knows: "spacetime.labels" has to be put together. */
struct tv_option_names {
	char name[TV_OPTIONS_MAX][TV_OPTION_NAME_MAX];
};

/* Fills option[0..TV_OPTIONS_MAX) and letters[0..size) with what the verb takes. */
void tv_options_build(const struct tv_verb *verb, struct option *option,
		      struct tv_option_names *names, char *letters, size_t size);
/* The code of an option by its letter; anything else is returned as it is. */
int tv_option_code(int letter);
/* The name of the row with that code; "" if it is none. */
const char *tv_option_name(int code);
/* What the help shows as the value of an option of a verb: "type|node", "FILE". */
const char *tv_option_argument(const struct tv_verb *verb, int code);
/* Whether verbs of that kind (enum tv_takes) take the option of a row. */
bool tv_option_fits(int code, unsigned takes);
/* Whether the option of a row changes what any verb reads of a trace: --restrict, --kind, --format. */
bool tv_option_reads(int code);
/* The next option that a verb takes, in the order of its help, *i starting at 0; NULL when there are no more. */
const struct tv_option_spec *tv_next_option(const struct tv_verb *verb, size_t *i);
/* How often an option of the verb alone was given, that which fills the member at that offset; value (or NULL)
 * receives the values in order. */
size_t tv_own_values(const struct tv_cli *cli, size_t member, const char **value);

/* Makes room for the values of the verb's options; those that verbs share are kept. */
void tv_cli_init_values(struct tv_cli *cli);
/* Fills the members of *cli with the values of options that verbs share, or their defaults. */
void tv_cli_fill(struct tv_cli *cli);

/* Every value, of the command line or a file, is checked here, before it is set; a former word for
 * it becomes the one of today. Only a title may be empty; of outputs an empty name has a message of
 * its own. */
int tv_cli_check(const struct tv_cli *cli, int code, const char **given,
		 struct tv_error *err) TV_MUST_CHECK;
/* Of a verb whose -o may be a figure: options of the table need none, those of the figure need it. */
int tv_cli_check_figure(const struct tv_cli *cli, bool figure, struct tv_error *err) TV_MUST_CHECK;
/* Sets a value that has been checked; NULL: a flag. */
int tv_cli_set_code(struct tv_cli *cli, int code, const char *value,
		    struct tv_error *err) TV_MUST_CHECK;

/* Adds the verbs that take an option of that name, first those whose names contain a word. */
void tv_option_takers(const char *name, const char *like, struct tv_name_list *verbs);

#endif
