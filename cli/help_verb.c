/* SPDX-License-Identifier: GPL-3.0-or-later */
/* help_verb.c -- the help of a verb, from the tables of verbs, options and columns. */
#include <string.h>

#include "analysis/compare/report.h"
#include "analysis/diagnose/diagnose.h"
#include "cli/cli.h"
#include "cli/help.h"
#include "trace/alloc.h"

void tv_list_fields(const struct tv_field *field, size_t n, struct tv_output *out)
{
	for (size_t i = 0; i < n; i++)
		tv_output_format(out, "  %-22s  %s%s%s%s\n", field[i].name, field[i].meaning,
				 field[i].unit[0] ? " (" : "", field[i].unit,
				 field[i].unit[0] ? ")" : "");
}

void tv_list_forms(const struct tv_columns *form, size_t n, struct tv_output *out)
{
	for (size_t i = 0; i < n; i++) {
		tv_output_format(out, "With %s:\n", form[i].with);
		tv_list_fields(form[i].field, form[i].nfields, out);
	}
}

/* The columns of its tables do not fit on one page. */
static bool has_many_columns(const struct tv_pass *pass)
{
	enum { MANY = 36 };
	size_t n = pass->ncolumns;

	for (size_t i = 0; i < pass->nforms; i++)
		n += pass->form[i].nfields;
	return n > MANY;
}

static void list_columns(const struct tv_pass *pass, struct tv_output *out)
{
	tv_output_format(out, "\nOutput: %s\n",
			 pass->kind == TV_ANNOTATE ? "the rows of tasks with these columns added:"
						   : "a table with the columns:");
	tv_list_fields(pass->column, pass->ncolumns, out);
	if (!has_many_columns(pass))
		tv_list_forms(pass->form, pass->nforms, out);
	if (pass->ranked != NULL)
		tv_output_format(out, "--top ranks by %s, largest first.\n", pass->ranked);
}

void tv_cli_list_option(const char *option, const struct tv_option_spec *row, struct tv_output *out)
{
	enum { COLUMN = 26, WIDTH = 110 };
	size_t at = strlen(option);
	char *text = tv_option_meaning(row);
	const char *word = text;

	tv_output_text(out, option);
	if (at + 2 > COLUMN && at + 2 + strlen(text) > WIDTH) {
		tv_output_format(out, "\n%*s", COLUMN, "");
		at = COLUMN;
	} else {
		tv_output_format(out, "%*s", at + 2 < COLUMN ? (int)(COLUMN - at) : 2, "");
		at = at + 2 < COLUMN ? COLUMN : at + 2;
	}
	while (*word != '\0') {
		size_t n = strcspn(word, " "), gap = word > text;

		if (gap && at + gap + n > WIDTH) {
			tv_output_format(out, "\n%*s", COLUMN, "");
			at = COLUMN;
			gap = 0;
		}
		tv_output_format(out, "%s%.*s", gap ? " " : "", (int)n, word);
		at += gap + n;
		word += n + (word[n] == ' ');
	}
	tv_output_text(out, "\n");
	tv_free(text);
}
void tv_describe_plot(const struct tv_verb *verb, struct tv_output *out)
{
	(void)verb;
	tv_output_text(out, "\n'traceviz help panels' lists the panels, 'traceviz help panel:NAME' "
			    "what one needs "
			    "and its options.\n");
}

void tv_describe_convert(const struct tv_verb *verb, struct tv_output *out)
{
	(void)verb;
	tv_help_writers(out);
	tv_output_text(
		out, "\nDIR is replaced as a whole: tables of an older trace in it disappear, "
		     "compressed ones too.\nA DIR with a file that is no table is refused.\nWith "
		     "--partition DIR must be new, or of the same trace.\n"
		     "\n'traceviz help formats' lists what can be read, 'traceviz help tables' the "
		     "tables and their columns.\n");
}

void tv_describe_compare(const struct tv_verb *verb, struct tv_output *out)
{
	tv_output_text(out,
		       "\n-o FILE.pdf (.svg, .png, .html) draws the runs side by side and, if they "
		       "have tasks, the panel\ndiff below them, as traceviz --facet does, with its "
		       "options of figures; 'traceviz help panels'\nlists the panels.\n");
	tv_output_text(out, "\nOutput: a table with the columns:\n");
	tv_list_fields(tv_report_columns, tv_report_ncolumns, out);
	tv_output_format(
		out,
		"\nSections and their definitions: traceviz help notes:%s. What changed "
		"most is in\n--section decomposition (its terms by Rank) and lost (tasks); "
		"there is no --top.\n",
		verb->name);
}

/* Longer notes have a page of their own. */
static bool are_long(const char *notes)
{
	enum { LINES = 8 };
	int lines = 1;

	for (const char *s = notes; *s != '\0'; s++)
		lines += *s == '\n';
	return lines > LINES;
}

void tv_describe_pass(const struct tv_verb *verb, struct tv_output *out)
{
	const char *notes = verb->pass->notes;

	list_columns(verb->pass, out);
	if (are_long(notes))
		tv_output_format(out,
				 "\nDefinitions, sources%s, and what this page calls 'below': "
				 "traceviz help notes:%s\n",
				 has_many_columns(verb->pass) ? ", tables of other options" : "",
				 verb->name);
	else
		tv_output_format(out, "\n%s\n", notes);
}

void tv_describe_more_of_pass(const struct tv_verb *verb, struct tv_output *out)
{
	if (!has_many_columns(verb->pass))
		return;
	tv_output_text(out, "\n");
	tv_list_forms(verb->pass->form, verb->pass->nforms, out);
}

void tv_help_exit_statuses(struct tv_output *out)
{
	tv_output_text(out, "\nExit status: 0 done, 1 failure, 2 wrong usage, 3 negative verdict "
			    "(--fail-if holds),\n4 uncertain verdict (--require-confidence).\n");
}

/* A finding of diagnose that has the verb's name. */
static void name_finding(const char *name, struct tv_output *out)
{
	struct tv_finding_text finding;

	for (size_t i = 0; tv_finding_next(&i, &finding);)
		if (strcmp(finding.id, name) == 0)
			tv_output_format(out, "\nThe finding %s: traceviz diagnose --explain %s\n",
					 name, name);
}

/* The passes that are parts of a question; nothing if there are none. */
static void list_parts(const struct tv_verb *question, struct tv_output *out)
{
	struct tv_verb verb;
	bool first = true;

	for (size_t i = 0; tv_verb_next_part(question, &i, &verb);) {
		if (first)
			tv_output_format(out, "\nParts: traceviz %s NAME, or NAME alone:\n",
					 question->name);
		first = false;
		tv_output_format(out, "  %-22s  %s\n", verb.name, verb.summary);
	}
}

void tv_cli_help(const struct tv_verb *verb, struct tv_output *out)
{
	char *example = tv_verb_example(verb);

	tv_output_format(out, "traceviz %s%s%s %s\n\n%s\n\nOptions:\n", verb->question,
			 verb->question[0] != '\0' ? " " : "", verb->name, verb->arguments,
			 verb->summary);
	tv_cli_list_options(verb, out);
	if (verb->run == tv_cmd_question)
		tv_output_text(out, "  The others are those of NAME: traceviz help NAME\n");
	if (verb->takes & TV_TAKES_TRACES)
		tv_output_text(out,
			       "  How traces are read and rows are chosen: traceviz help input\n");
	if (verb->describe != NULL)
		verb->describe(verb, out);
	list_parts(verb, out);
	tv_output_format(out, "\nExample:\n  %s\n", example);
	tv_free(example);
	name_finding(verb->name, out);
	if ((verb->takes & TV_TAKES_TRACES) == 0)
		tv_help_exit_statuses(out);
}
