/* SPDX-License-Identifier: GPL-3.0-or-later */
/* help.c -- traceviz help: the program, its subjects, and every word that help knows. */
#include <ctype.h>
#include <string.h>

#include "analysis/diagnose/diagnose.h"
#include "cli/cli.h"
#include "cli/help.h"
#include "cli/plugins.h"
#include "cli/words.h"
#include "trace/alloc.h"

/* docs/glossary.md and docs/formats/table.md, ended by a zero */
extern const char tv_glossary_begin[], tv_map_begin[];

static void list_panels(struct tv_output *out)
{
	tv_output_text(out, "Panels (--panels; * = in the default report, if there are data):\n");
	for (size_t i = 0; i < tv_npanels; i++)
		tv_output_format(out, "  %-20s%c %s\n", tv_panels[i]->name,
				 tv_panels[i]->is_default ? '*' : ' ', tv_panels[i]->title);
	tv_output_text(out,
		       "\n'traceviz help panel:NAME' shows what a panel needs, and its options.\n");
}

static void describe_panel(const struct tv_panel *panel, struct tv_output *out)
{
	struct tv_panel_option option;

	tv_output_format(out, "panel %s: %s;\nneeds %s\n\nOptions:\n", panel->name, panel->title,
			 panel->needs);
	for (size_t i = 0; tv_cli_panel_option(i, &option); i++) {
		const struct tv_option_spec *row = option.spec;
		char *name;

		if (option.panel != panel)
			continue;
		name = tv_format("  --%s.%s%s%s", panel->name, row->name,
				 row->argument != NULL ? " " : "",
				 row->argument != NULL ? row->argument : "");
		tv_cli_list_option(name, row, out);
		tv_free(name);
	}
}

/* A name in a list of several lines, which are indented; *at is the column. */
static void add_name(const char *name, size_t indent, size_t *at, struct tv_output *out)
{
	enum { WIDTH = 98 };
	bool first = *at == indent;

	if (!first && *at + 1 + strlen(name) > WIDTH) {
		tv_output_format(out, "\n%*s", (int)indent, "");
		*at = indent;
		first = true;
	}
	tv_output_format(out, "%s%s", first ? "" : " ", name);
	*at += strlen(name) + !first;
}

/* ---- subjects ---- */

static const struct subject {
	const char *word, *title;
} subjects[TV_NGROUPS] = {
	[TV_GROUP_OTHER] = { "other", "Other" },
	[TV_GROUP_INPUT] = { "traces", "Draw, convert and inspect traces" },
	[TV_GROUP_SUMMARY] = { "summaries", "Summaries" },
	[TV_GROUP_BOUNDS] = { "idle", "Bounds and idle time" },
	[TV_GROUP_DEPENDENCIES] = { "delays", "Dependencies and delays" },
	[TV_GROUP_TIME] = { "time", "Progress over time" },
	[TV_GROUP_MACHINE] = { "monitors", "Monitors of the machine" },
	[TV_GROUP_NODES] = { "nodes", "Nodes, messages, data" },
	[TV_GROUP_MPI] = { "mpi", "MPI calls" },
	[TV_GROUP_OUTLIERS] = { "slow", "Outliers and slow resources" },
	[TV_GROUP_FRONTS] = { "fronts", "Multifrontal factorizations" },
	[TV_GROUP_COMPARE] = { "runs", "Several runs, and what if" },
};

const char *tv_verb_group_title(enum tv_verb_group group)
{
	return subjects[group].title;
}

/* Passes that papers name are verbs besides being parts of a question. */
static bool is_listed(const struct tv_verb *verb)
{
	return verb->question[0] == '\0' || verb->pass->listed;
}

/* The names of the parts of a question, in lines below it. */
static void name_parts(const struct tv_verb *question, struct tv_output *out)
{
	enum { INDENT = 26 };
	struct tv_verb verb;
	size_t at = INDENT;

	for (size_t i = 0; tv_verb_next_part(question, &i, &verb);) {
		if (at == INDENT)
			tv_output_format(out, "%*s", INDENT, "also: ");
		add_name(verb.name, INDENT, &at, out);
	}
	if (at > INDENT)
		tv_output_text(out, "\n");
}

/* The verbs of a group, with what they say or their names only. */
static void list_group(enum tv_verb_group group, bool names, struct tv_output *out)
{
	enum { INDENT = 14 };
	struct tv_verb verb;
	size_t at = INDENT;

	for (size_t i = 0; tv_verb_next(&i, &verb);) {
		if (verb.group != group || !is_listed(&verb))
			continue;
		if (names) {
			add_name(verb.name, INDENT, &at, out);
		} else {
			tv_output_format(out, "  %-22s  %s\n", verb.name, verb.summary);
			name_parts(&verb, out);
		}
	}
}

static void list_all(struct tv_output *out)
{
	for (int group = TV_GROUP_OTHER + 1; group <= TV_NGROUPS; group++) {
		int g = group % TV_NGROUPS; /* others last */

		tv_output_format(out, "%s%s:\n", group > TV_GROUP_OTHER + 1 ? "\n" : "",
				 subjects[g].title);
		list_group((enum tv_verb_group)g, false, out);
	}
	tv_plugins_list(out);
}

/* With the parts of its questions. */
static void list_subject(enum tv_verb_group group, struct tv_output *out)
{
	struct tv_verb verb;

	tv_output_format(out, "%s:\n", subjects[group].title);
	list_group(group, false, out);
	tv_output_text(out, "\nParts of questions:\n");
	for (size_t i = 0; tv_verb_next(&i, &verb);)
		if (verb.group == group && verb.question[0] != '\0')
			tv_output_format(out, "  %-9s %-19s  %s\n", verb.question, verb.name,
					 verb.summary);
}

static void list_names(struct tv_output *out)
{
	struct tv_verb verb;

	for (size_t i = 0; tv_verb_next(&i, &verb);)
		tv_output_format(out, "%s\n", verb.name);
}

static void help_program(struct tv_output *out)
{
	tv_output_text(out,
		       "traceviz -- why was this run slow? Answers from its execution trace.\n\n"
		       "  traceviz TRACE                      say why the run was slow\n"
		       "  traceviz TRACE -o report.pdf        draw it (PDF, SVG, PNG, HTML)\n"
		       "  traceviz compare TRACE TRACE        what changed between runs\n"
		       "  traceviz record -o DIR -- PROGRAM   run a program and record its trace\n"
		       "  traceviz VERB [OPTIONS] TRACE       other questions:\n\n");
	for (int group = TV_GROUP_OTHER + 1; group < TV_NGROUPS; group++) {
		tv_output_format(out, "  %-12s", subjects[group].word);
		list_group((enum tv_verb_group)group, true, out);
		tv_output_text(out, "\n");
	}
	tv_output_text(out, "\n'traceviz help VERB' shows options and output; 'help WORD' (left, "
			    "or any) verbs about it; "
			    "'help all'\nall verbs; 'help input' how to read and choose; also "
			    "formats, map, panels, "
			    "policies, tables, glossary.");
	tv_help_exit_statuses(out);
}

static void list_input(struct tv_output *out)
{
	tv_output_text(out, "Options of all verbs that take a TRACE, as far as they apply:\n");
	tv_cli_list_input(out);
	tv_help_exit_statuses(out);
}

static void list_expressions(struct tv_output *out)
{
	tv_output_text(
		out,
		"Expressions, as --where, --restrict, --highlight, --fail-if and --speed take "
		"them:\n"
		"  COLUMN == VALUE           also != < <= > >=\n"
		"  COLUMN ~ 'PATTERN'        the text contains a match of this extended regular "
		"expression\n"
		"  COLUMN in (VALUE, ...)    one of these values; also: not in\n"
		"  End - Start > 2 * Wait    + - * / ( ) of numeric columns and numbers, on both "
		"sides\n"
		"  not A, A and B, A or B    join tests; not before and, and before or; ( ) group "
		"them\n"
		"\n"
		"COLUMN: of the tasks for --restrict, and for --where of a figure; of the verb's "
		"table for\n"
		"--where of a verb ('traceviz help VERB' lists these). Upper and lower case "
		"differ.\n"
		"VALUE: a number; a time in ms, or with a unit (20us, 1.5s; ns us ms s min h); a "
		"text, in\n"
		"quotes ('a b', \"a b\") where it is more than letters, digits and _.+-:*?/#\n"
		"\n"
		"Texts are equal byte for byte; < and > use natural order (CPU2 before CPU10). A "
		"list passes\n"
		"if one of its entries does. A missing value passes no test, also not !=; a "
		"quotient by 0 is\n"
		"missing. Quote the expression for the shell.\n"
		"\n"
		"Examples:\n"
		"  traceviz deps data/cholesky.csv --where \"Value == 'TRSM' and Delay > 5ms\"\n"
		"  traceviz summary data/cholesky.csv --restrict 'ResourceType in (CPU) and Start "
		">= 100'\n");
}

static void print_glossary(struct tv_output *out)
{
	tv_output_text(out, tv_glossary_begin);
}

static void print_map(struct tv_output *out)
{
	tv_output_text(out, tv_map_begin);
}

static void list_figure(struct tv_output *out)
{
	tv_output_text(out, "Options of pictures, of plot and of compare -o FILE.pdf:\n");
	tv_cli_list_figure(out);
}

/* What `help` knows besides verbs and subjects. */
static const struct page {
	const char *word;
	void (*print)(struct tv_output *out);
} pages[] = {
	{ "all", list_all },
	{ "input", list_input },
	{ "figure", list_figure },
	{ "formats", tv_help_formats },
	{ "panels", list_panels },
	{ "tables", tv_help_tables },
	{ "verbs", list_names },
	{ "where", list_expressions },
	{ "glossary", print_glossary },
	{ "map", print_map },
	{ "policies", tv_list_policies },
};

/* Findings of diagnose that no verb has the name of, from the i-th on; false when there are no more. */
static bool next_finding(size_t *i, struct tv_finding_text *finding)
{
	struct tv_verb verb;

	while (tv_finding_next(i, finding))
		if (!tv_verb_find(finding->id, &verb))
			return true;
	return false;
}

char *tv_help_next(size_t *i)
{
	size_t at = (*i)++;
	struct tv_finding_text finding;
	struct tv_verb verb;

	if (at < TV_COUNT(pages))
		return tv_strdup(pages[at].word);
	at -= TV_COUNT(pages);
	if (at < TV_NGROUPS)
		return tv_strdup(subjects[at].word);
	at -= TV_NGROUPS;
	if (at < tv_npanels)
		return tv_format("panel:%s", tv_panels[at]->name);
	at -= tv_npanels;
	for (size_t k = 0; tv_verb_next(&k, &verb);)
		if (verb.notes != NULL && at-- == 0)
			return tv_format("notes:%s", verb.name);
	for (size_t k = 0; next_finding(&k, &finding);)
		if (at-- == 0)
			return tv_strdup(finding.id);
	return NULL;
}

static const struct tv_panel *panel_of(const char *word)
{
	const char *name = word + strlen("panel:");

	for (size_t i = 0; strncmp(word, "panel:", strlen("panel:")) == 0 && i < tv_npanels; i++)
		if (strcmp(tv_panels[i]->name, name) == 0)
			return tv_panels[i];
	return NULL;
}

/* A panel by its name alone. */
static bool help_panel(const char *word, struct tv_output *out)
{
	char *full = tv_format("panel:%s", word);
	const struct tv_panel *panel = panel_of(full);

	tv_free(full);
	if (panel != NULL)
		describe_panel(panel, out);
	return panel != NULL;
}

/* Whether a word of a text begins so, in any case of letters. */
static bool has_word(const char *text, const char *begin)
{
	for (const char *at = text; (at = strcasestr(at, begin)) != NULL; at++)
		if (at == text || !isalnum((unsigned char)at[-1]))
			return true;
	return false;
}

/* Whether the options, columns or notes of a verb have the word. */
static bool explains(const struct tv_verb *verb, const char *word)
{
	bool has = verb->notes != NULL && has_word(verb->notes, word);

	for (size_t i = 0; i < verb->noptions && !has; i++)
		has = has_word(verb->option[i].meaning, word);
	for (size_t i = 0; verb->pass != NULL && i < verb->pass->ncolumns && !has; i++)
		has = has_word(verb->pass->column[i].name, word)
		   || has_word(verb->pass->column[i].meaning, word);
	return has;
}

/* The verbs whose name or summary has the word; if there are none, and nothing was printed before (behind), those whose help has it.
 * False: none, as for less than three letters. */
static bool list_about(const char *word, bool behind, struct tv_output *out)
{
	struct tv_verb verb;
	bool any = false;

	for (int further = 0; further < (behind ? 1 : 2) && !any; further++)
		for (size_t i = 0; strlen(word) > 2 && tv_verb_next(&i, &verb);) {
			if (further ? !explains(&verb, word)
				    : !has_word(verb.name, word) && !has_word(verb.summary, word))
				continue;
			if (!any)
				tv_output_format(out, "%sVerbs %s '%s':\n", behind ? "\n" : "",
						 further ? "whose help has" : "about", word);
			any = true;
			tv_output_format(out, "  %-22s  %s\n", verb.name, verb.summary);
		}
	return any;
}

/* The other verbs that have the name of one in theirs. */
static void list_alike(const char *name, struct tv_output *out)
{
	struct tv_verb verb;
	bool any = false;

	for (size_t i = 0; tv_verb_next(&i, &verb);) {
		if (strcmp(verb.name, name) == 0 || strstr(verb.name, name) == NULL)
			continue;
		tv_output_format(out, "%s%s",
				 any ? ", " : "\nOther verbs with this word: ", verb.name);
		any = true;
	}
	if (any)
		tv_output_text(out, "\n");
}

/* False if the word is none that help knows. */
static bool help_word(const char *word, struct tv_output *out)
{
	const struct tv_panel *panel = panel_of(word);
	struct tv_verb verb;
	bool known;

	if (tv_verb_find(word, &verb)) {
		tv_cli_help(&verb, out);
		list_alike(verb.name, out);
		return true;
	}
	if (panel != NULL) {
		describe_panel(panel, out);
		return true;
	}
	if (strncmp(word, "notes:", strlen("notes:")) == 0
	    && tv_verb_find(word + strlen("notes:"), &verb) && verb.notes != NULL) {
		tv_output_format(out, "%s\n", verb.notes);
		if (verb.describe_more != NULL)
			verb.describe_more(&verb, out);
		return true;
	}
	for (size_t i = 0; i < TV_COUNT(pages); i++)
		if (strcmp(word, pages[i].word) == 0) {
			pages[i].print(out);
			return true;
		}
	for (int group = 0; group < TV_NGROUPS; group++)
		if (strcmp(word, subjects[group].word) == 0) {
			list_subject((enum tv_verb_group)group, out);
			return true;
		}
	known = tv_explain_word(word, out);
	if (!known && help_panel(word, out))
		return true;
	return list_about(word, known, out) || known;
}

/* What `help` is asked for: a word, or the two of a part of a question; NULL = wrong usage. */
static const char *asked_word(const struct tv_cli *cli)
{
	struct tv_verb question, part;

	if (cli->ntraces == 1)
		return cli->trace[0].path;
	if (cli->ntraces == 2 && tv_verb_find(cli->trace[0].path, &question)
	    && tv_verb_part(&question, cli->trace[1].path, &part))
		return cli->trace[1].path;
	return NULL;
}

/* `traceviz help [WORD]`, `traceviz --help` and `traceviz VERB --help`. */
int tv_cmd_help(const struct tv_cli *cli, struct tv_error *err)
{
	bool asked = !cli->help && cli->ntraces > 0, known = true;
	const char *word = asked ? asked_word(cli) : NULL;
	char *other;
	struct tv_near near;
	struct tv_output out;

	if (asked && cli->json)
		return tv_fail_usage(err, "help --json describes all verbs: expected no '%s'",
				     cli->trace[0].path);
	if (tv_output_open(&out, "-", err) < 0)
		return -1;
	if (cli->json)
		tv_describe_all(&out);
	else if (asked)
		known = word != NULL && help_word(word, &out);
	else if (cli->help && cli->verb_given)
		tv_cli_help(&cli->verb, &out);
	else
		help_program(&out);
	if (known)
		return tv_output_commit(&out, err);
	tv_output_abort(&out);
	word = cli->trace[cli->ntraces - 1].path;
	tv_verb_near(&near, word);
	for (size_t i = 0; (other = tv_help_next(&i)) != NULL; tv_free(other))
		tv_near_offer(&near, other);
	return tv_fail_usage(err,
			     "help '%s'%s, expected one verb or subject; try 'traceviz --help'",
			     word, tv_near_text(&near));
}

/* `traceviz series` and `traceviz list` without a name of theirs. */
int tv_cmd_question(const struct tv_cli *cli, struct tv_error *err)
{
	struct tv_name_list names = { .n = 0 };
	struct tv_near near;
	struct tv_verb verb;
	const char *word = cli->ntraces > 0 ? cli->trace[0].path : "";

	tv_near_init(&near, word);
	for (size_t i = 0; tv_verb_next_part(&cli->verb, &i, &verb);) {
		tv_name_list_add(&names, verb.name);
		tv_near_offer(&near, verb.name);
	}
	return tv_fail_usage(err, "%s '%s'%s, expected one of: %s", cli->verb.name, word,
			     strcmp(word, "links") == 0 ? " (did you mean 'messages'?)"
							: tv_near_text(&near),
			     tv_name_list_text(&names));
}
