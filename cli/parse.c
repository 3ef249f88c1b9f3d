/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parse.c -- a command line, parsed against the table of options. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/config.h"
#include "cli/diagnose_pages.h"
#include "cli/options.h"
#include "trace/alloc.h"
#include "trace/expr_equals.h"
#include "trace/near_names.h"
#include "trace/text.h"
#include "views/annotate/annotations.h"

/* [LABEL=]PATH: a label is [A-Za-z0-9_.+/-]+ up to the first =; a path with = before needs ./ in
 * front. */
static void add_trace(struct tv_cli *cli, const char *argument)
{
	size_t n = strspn(argument,
			  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.+/-");
	struct tv_trace_argument trace = { NULL, argument };

	if (n > 0 && argument[n] == '=' && strncmp(argument, "./", 2) != 0 && argument[0] != '/') {
		trace.label = tv_strndup(argument, n);
		trace.path = argument + n + 1;
	}
	TV_GROW(cli->trace, cli->ntraces, cli->traces_cap, 1);
	cli->trace[cli->ntraces++] = trace;
}

/* The option of the verb that a word is nearest to, or that it is another name of, for messages. */
static const char *near_option(struct tv_near *near, const char *name, const struct option *option)
{
	static const char *const other[][2] = { { "rank", "node" },    { "start", "begin" },
						{ "from", "begin" },   { "since", "begin" },
						{ "until", "end" },    { "stop", "end" },
						{ "filter", "where" }, { "worker", "resource" } };

	tv_near_init(near, name);
	for (size_t i = 0; i < TV_COUNT(other); i++)
		for (const struct option *o = option; o->name != NULL; o++)
			if (strcmp(other[i][0], name) == 0 && strcmp(other[i][1], o->name) == 0) {
				snprintf(near->text, sizeof near->text, " (did you mean '%s'?)",
					 o->name);
				return near->text;
			}
	for (; option->name != NULL; option++)
		tv_near_offer(near, option->name);
	return tv_near_text(near);
}

static const struct {
	const char *option, *column, *is;
} part_option[] = { { "begin", "Start", ">=" }, { "end", "End", "<=" },
		    { "node", "Node", "==" },	{ "resource", "ResourceId", "==" },
		    { "only", "Value", "==" },	{ "exclude", "Value", "!=" } };

/* The expression of --restrict, with the value of an option that chooses a part of the run; NULL = it is no such option. */
static char *restriction(const char *name, const char *value)
{
	if (strcmp(name, "where") == 0)
		return tv_strdup(value != NULL ? value : "EXPR");
	for (size_t i = 0; i < TV_COUNT(part_option); i++)
		if (strcmp(part_option[i].option, name) == 0) {
			bool list = value != NULL && strpbrk(value, ",*?[") != NULL;
			char *text = list ? tv_expr_like(part_option[i].column, value) : NULL;

			if (text != NULL && part_option[i].is[0] == '!') {
				char *like = text;

				text = tv_format("not (%s)", like);
				tv_free(like);
			}
			return text != NULL ? text
					    : tv_format("%s %s %s", part_option[i].column,
							part_option[i].is,
							value != NULL && !list ? value : "VALUE");
		}
	return NULL;
}

/* The same of all such options among words that end with NULL. first: one of them, with its value. */
static char *all_restrictions(const char *first, const char *value, char *const *word)
{
	char *all = restriction(first, value), *one;

	for (; all != NULL && *word != NULL && strcmp(*word, "--") != 0; word++)
		for (size_t i = 0; i < TV_COUNT(part_option); i++) {
			const char *name = strncmp(*word, "--", 2) == 0 ? *word + 2 : "";
			size_t n = strlen(part_option[i].option);

			if (strncmp(name, part_option[i].option, n) != 0
			    || (name[n] != '=' && name[n] != '\0')
			    || strcmp(part_option[i].option, first) == 0)
				continue;
			one = restriction(part_option[i].option,
					  name[n] == '=' ? name + n + 1 : word[1]);
			tv_append(&all, " and %s", one);
			tv_free(one);
		}
	return all;
}

/* An option of other verbs. value: NULL = not known; argv: all words. */
static int foreign_option(const struct tv_cli *cli, const char *name, const char *value,
			  char *const *argv, const struct option *option,
			  struct tv_name_list *takers, struct tv_error *err)
{
	const char *verb = cli->verb.name;
	char *expression, *word;

	if (cli->verb.takes == TV_TAKES_QUESTION)
		return tv_fail_usage(err,
				     "%s needs the name of what it shows before --%s, as in: %s",
				     verb, name, cli->verb.example);
	expression = all_restrictions(name, value, argv);
	while (expression != NULL && option->name != NULL && strcmp(option->name, "restrict") != 0)
		option++;
	if (expression == NULL || option->name == NULL) {
		tv_free(expression);
		return tv_fail_usage(
			err,
			"%s has no option --%s, which belongs to: %s; try 'traceviz %s --help'",
			verb, name, tv_name_list_text(takers), verb);
	}
	word = tv_shell_word(expression);
	tv_fail_usage(
		err,
		"%s has no option --%s, as its numbers are those of the whole run; --restrict "
		"%s makes a run with tasks a smaller one",
		verb, name, word);
	tv_free(word);
	tv_free(expression);
	return -1;
}

/* -1 with *err if the last word that getopt_long took is short for an option of the verb, but is one of others. */
static int check_name(const struct tv_cli *cli, char **argv, const struct option *option, int place,
		      struct tv_error *err)
{
	const char *word = argv[optind - (optarg != NULL && optarg == argv[optind - 1] ? 2 : 1)];
	struct tv_name_list takers = { .n = 0 };
	char *name;
	int rc = 0;

	if (place < 0)
		return 0;
	name = tv_strndup(word + 2, strcspn(word + 2, "="));
	if (strcmp(name, option[place].name) != 0)
		tv_option_takers(name, cli->verb.name, &takers);
	if (takers.n > 0)
		rc = foreign_option(cli, name, optarg, argv, option, &takers, err);
	tv_free(name);
	return rc;
}

static int bad_option(const struct tv_cli *cli, int c, char **argv, const struct option *option,
		      struct tv_error *err)
{
	const char *verb = cli->verb.name, *word = argv[optind - 1], *nearest;
	struct tv_name_list takers = { .n = 0 };
	struct tv_near near;
	const char *value;
	char *name;
	int rc;

	if (c == ':')
		return tv_fail_usage(err, "%s needs a value: %s; try 'traceviz %s --help'", word,
				     tv_option_argument(&cli->verb, tv_option_code(optopt)), verb);
	if (optopt == 'v' || optopt == 'V')
		return tv_fail_usage(err, "unknown option -%c (did you mean --%s?)", optopt,
				     optopt == 'V' || argv[optind] == NULL ? "version" : "verbose");
	if (optopt > 0 && optopt < TV_FIRST_CODE)
		return tv_fail_usage(err, "unknown option -%c; try 'traceviz %s --help'", optopt,
				     verb);
	if (optopt >= TV_FIRST_CODE)
		return tv_fail_usage(err, "%s takes no value; try 'traceviz %s --help'", word,
				     verb);
	name = tv_strdup(word + strspn(word, "-"));
	value = strchr(word, '=') != NULL ? strchr(word, '=') + 1 : argv[optind];
	name[strcspn(name, "=")] = '\0';
	nearest = near_option(&near, name, option);
	if (nearest[0] == '\0')
		tv_option_takers(name, verb, &takers);
	if (takers.n > 0)
		rc = foreign_option(cli, name, value, argv, option, &takers, err);
	else
		rc = tv_fail_usage(err,
				   "unknown or ambiguous option %s%s; try 'traceviz %s --help'",
				   word, nearest, verb);
	tv_free(name);
	return rc;
}

/* The preset and the files of settings, as if they preceded all other options. */
static int apply_files(struct tv_cli *cli, struct tv_error *err)
{
	const char *preset = NULL;
	int rc = 0;

	for (size_t k = 0; k < cli->ngiven; k++)
		if (strcmp(tv_option_name(cli->given[k].code), "preset") == 0)
			preset = cli->given[k].value;
	if (preset != NULL)
		rc = tv_config_preset(cli, preset, err);
	for (size_t k = 0; rc == 0 && k < cli->ngiven; k++)
		if (strcmp(tv_option_name(cli->given[k].code), "config") == 0)
			rc = tv_config_read(cli, cli->given[k].value, preset == NULL, err);
	return rc;
}

/* A command line without a verb, with one TRACE that there is, or files of ranks, and nothing about a picture, runs
 * diagnose. */
static void choose_verb(struct tv_cli *cli)
{
	if (cli->verb_given || cli->ntraces == 0 || cli->help || cli->version)
		return;
	for (size_t i = 0; i < cli->ntraces; i++)
		if ((cli->ntraces > 1 && cli->trace[i].label != NULL)
		    || (strcmp(cli->trace[i].path, "-") != 0
			&& access(cli->trace[i].path, F_OK) != 0))
			return;
	for (size_t i = 0; i < cli->ngiven; i++)
		if (cli->output != NULL || !tv_option_fits(cli->given[i].code, TV_TAKES_DIAGNOSE))
			return;
	tv_verb_find("diagnose", &cli->verb);
	tv_cli_init_values(cli);
}

/* Whether an option of the verb alone asks for another form than a table: --to. */
static bool writes_text(const struct tv_cli *cli)
{
	size_t i = 0;

	while (i < cli->verb.noptions
	       && (strcmp(cli->verb.option[i].name, "to") != 0 || cli->own_value[i] == NULL))
		i++;
	return i < cli->verb.noptions;
}

/* In which form a table is written; a file that ends in .json is JSON. */
static int check_table(struct tv_cli *cli, struct tv_error *err)
{
	const char *to = cli->output != NULL ? cli->output : "-";
	bool json = tv_ends_in(to, ".json"), text = writes_text(cli);

	/* These two draw what they find, too. */
	if ((cli->verb.run == tv_cmd_compare || cli->verb.run == tv_cmd_what_if)
	    && tv_diagnose_is_picture(cli))
		return 0;

	if (cli->csv && cli->json)
		return tv_fail_usage(err, "--csv and --json contradict each other");
	if ((cli->csv && json) || (cli->json && tv_ends_in(to, ".csv")))
		return tv_fail_usage(err, "--%s contradicts the ending of -o '%s'",
				     json ? "csv" : "json", to);
	if (text && (cli->csv || cli->json || json || tv_ends_in(to, ".csv")))
		return tv_fail_usage(err, "--to contradicts --csv, --json and these endings of -o");
	if (text)
		return 0;
	cli->json = cli->json || json;
	/* These draw, too. */
	if (((cli->verb.takes & (TV_TAKES_DIAGNOSE | TV_TAKES_COMPARE | TV_TAKES_PLATFORM)) != 0
	     || cli->verb.run == tv_cmd_what_if)
	    && tv_diagnose_is_picture(cli))
		return 0;
	return json ? 0
		    : tv_check_ending(to, "FILE.csv, FILE.json, a name without ending, or -", err);
}

/* What the command line alone shows to be wrong usage, beside the values of single options. */
static int check_usage(struct tv_cli *cli, struct tv_error *err)
{
	if (cli->help || cli->version)
		return 0;
	for (size_t i = 0; i < cli->nsettings; i++)
		if (cli->setting[i].panel == NULL
		    && tv_annotation_check(cli->setting[i].key, cli->setting[i].value, err) < 0)
			return -1;
	if (tv_resources_check(cli->read.resources, err) < 0)
		return -1;
	if (cli->tiles != NULL && cli->output != NULL)
		return tv_fail_usage(err, "--tiles writes '%s/index.html', expected no -o",
				     cli->tiles);
	if (cli->tiles != NULL)
		cli->output = tv_config_keep(cli, tv_format("%s/index.html", cli->tiles));
	return cli->verb.takes & TV_TAKES_TABLES ? check_table(cli, err) : 0;
}

int tv_cli_parse(struct tv_cli *cli, int argc, char **argv, struct tv_error *err)
{
	struct option option[TV_OPTIONS_MAX];
	struct tv_option_names names;
	struct tv_given given;
	char letters[64];
	int c, place = -1;

	*cli = (struct tv_cli){ 0 };
	cli->read.written = cli->written = tv_written_tables(&cli->read.nwritten);
	cli->verb_given = argc > 1 && tv_verb_find(argv[1], &cli->verb);
	if (cli->verb_given) {
		struct tv_verb part;

		argc--;
		argv++;
		if (argc > 1 && tv_verb_part(&cli->verb, argv[1], &part)) {
			cli->verb = part;
			argc--;
			argv++;
		}
	} else {
		tv_verb_find("plot", &cli->verb);
	}
	tv_cli_init_values(cli);
	tv_options_build(&cli->verb, option, &names, letters, sizeof letters);
	optind = 0;
	while ((c = getopt_long(argc, argv, letters, option, &place)) != -1) {
		if (c == '?' || c == ':')
			return bad_option(cli, c, argv, option, err);
		if (check_name(cli, argv, option, place, err) < 0)
			return -1;
		place = -1;
		given = (struct tv_given){ tv_option_code(c), optarg };
		if (tv_cli_check(cli, given.code, &given.value, err) < 0)
			return -1;
		TV_GROW(cli->given, cli->ngiven, cli->given_cap, 1);
		cli->given[cli->ngiven++] = given;
	}
	if ((cli->verb.takes & (TV_TAKES_PLOT | TV_TAKES_COMPARE)) && apply_files(cli, err) < 0)
		return -1;
	cli->nfiled = cli->nsettings;
	for (size_t i = 0; i < cli->ngiven; i++)
		if (tv_cli_set_code(cli, cli->given[i].code, cli->given[i].value, err) < 0)
			return -1;
	tv_cli_fill(cli);
	if (cli->verb.takes == TV_TAKES_RECORD) {
		cli->program = argv + optind;
		return 0;
	}
	/* A single word that is a file or - is the TRACE, not the NAME. */
	if (cli->verb.pass != NULL && cli->verb.pass->positional != NULL && optind < argc
	    && (optind + 1 < argc
		|| (strcmp(argv[optind], "-") != 0 && access(argv[optind], F_OK) != 0))) {
		const char **value =
			&cli->own_value[tv_option_row(cli->verb.option, cli->verb.noptions,
						      cli->verb.pass->positional)
					- cli->verb.option];

		if (*value == NULL)
			*value = argv[optind++];
	}
	for (; optind < argc; optind++)
		add_trace(cli, argv[optind]);
	choose_verb(cli);
	return check_usage(cli, err);
}

void tv_cli_release(struct tv_cli *cli)
{
	for (size_t i = 0; i < cli->ntraces; i++)
		tv_free(cli->trace[i].label);
	tv_free(cli->trace);
	tv_free(cli->value);
	tv_free(cli->setting);
	tv_free(cli->given);
	tv_free(cli->clock_offset);
	tv_free(cli->written);
	for (size_t i = 0; i < cli->nkept; i++)
		tv_free(cli->kept[i]);
	tv_free(cli->kept);
	tv_diagnostics_release(&cli->diagnostics);
	*cli = (struct tv_cli){ 0 };
}
