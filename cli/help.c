/* SPDX-License-Identifier: GPL-3.0-or-later */
/* help.c -- what --help prints, from the tables of verbs, options, columns and formats. */
#include <stdio.h>
#include <string.h>

#include "analysis/compare/report.h"
#include "cli/cli.h"
#include "convert/formats.h"

static void list_formats(struct tv_output *out)
{
	tv_output_text(
		out,
		"\nFormats (TRACE is a file, a folder, or - for standard input; .gz and .zst are "
		"read as well):\n");
	for (size_t i = 0; i < tv_nreaders; i++)
		tv_output_format(out, "  %-22s  %s\n", tv_readers[i]->name, tv_readers[i]->summary);
}

static void list_writers(struct tv_output *out)
{
	tv_output_text(out,
		       "\nOutput of --to, besides CSV (of tasks only; DIR/REGION.NAME for each "
		       "parallel region, which\nreplace those in DIR; or -o FILE.NAME, of one "
		       "region):\n");
	for (size_t i = 0; i < tv_nwriters; i++)
		tv_output_format(out, "  %-22s  %s\n", tv_writers[i]->name, tv_writers[i]->summary);
}

static void list_tables(struct tv_output *out)
{
	tv_output_text(out,
		       "\nDIR is replaced as a whole: tables of an older trace in it disappear, "
		       "compressed ones too.\nA DIR with a file that is no table is refused.\n"
		       "\nTables (DIR/TABLE.csv; times in ms; * = required; a single CSV is "
		       "the tasks):\n");
	for (int id = 0; id < TV_NTABLES; id++) {
		tv_output_format(out, "  %s: %s\n", tv_schema[id].name, tv_schema[id].meaning);
		for (size_t i = 0; i < tv_schema[id].nfields; i++) {
			const struct tv_field *f = &tv_schema[id].field[i];

			tv_output_format(out, "    %-18s%c %-6s  %s%s%s%s\n", f->name,
					 f->required ? '*' : ' ', tv_type_name(f->type), f->meaning,
					 f->unit[0] ? " (" : "", f->unit, f->unit[0] ? ")" : "");
		}
	}
}

void tv_list_fields(const struct tv_field *field, size_t n, struct tv_output *out)
{
	for (size_t i = 0; i < n; i++)
		tv_output_format(out, "  %-22s  %s%s%s%s\n", field[i].name, field[i].meaning,
				 field[i].unit[0] ? " (" : "", field[i].unit,
				 field[i].unit[0] ? ")" : "");
}

static void list_columns(const struct tv_pass *pass, struct tv_output *out)
{
	tv_output_format(out, "\nOutput: %s\n",
			 pass->kind == TV_ANNOTATE ? "the rows of tasks with these columns added:"
						   : "a table with the columns:");
	tv_list_fields(pass->column, pass->ncolumns, out);
	if (pass->ranked != NULL)
		tv_output_format(out, "--top ranks by %s, largest first.\n", pass->ranked);
}

void tv_cli_list_option(const char *option, const char *meaning, const char *default_value,
			struct tv_output *out)
{
	enum { COLUMN = 26, WIDTH = 110 };
	size_t at = strlen(option);
	char text[600];
	const char *word = text;

	snprintf(text, sizeof text, "%s%s%s%s", meaning, default_value != NULL ? " (default " : "",
		 default_value != NULL ? default_value : "", default_value != NULL ? ")" : "");
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
}

static void list_panels(struct tv_output *out)
{
	struct tv_panel_option of;
	char name[256];

	tv_output_text(out, "\nPanels (--panels; * = in the default report, if there are data):\n");
	for (size_t i = 0; i < tv_npanels; i++)
		tv_output_format(out, "  %-20s%c %s;\n%24sneeds %s\n", tv_panels[i]->name,
				 tv_panels[i]->is_default ? '*' : ' ', tv_panels[i]->title, "",
				 tv_panels[i]->needs);
	tv_output_text(out, "\nPanel options:\n");
	for (size_t i = 0; tv_cli_panel_option(i, &of); i++) {
		if (strcmp(of.spec.name, "height") == 0 || strcmp(of.spec.name, "place") == 0)
			continue;
		snprintf(name, sizeof name, "  --%s.%s%s%s", of.panel->name, of.spec.name,
			 of.spec.argument != NULL ? " " : "",
			 of.spec.argument != NULL ? of.spec.argument : "");
		tv_cli_list_option(name, of.spec.meaning, of.spec.default_value, out);
	}
	tv_output_text(
		out, "  --NAME.height N           height, relative: spacetime has 4\n"
		     "  --NAME.place right|below  panels without a time axis: right of the others, "
		     "or below\n");
}

void tv_describe_plot(const struct tv_verb *verb, struct tv_output *out)
{
	(void)verb;
	list_panels(out);
	list_formats(out);
}

void tv_describe_convert(const struct tv_verb *verb, struct tv_output *out)
{
	(void)verb;
	list_formats(out);
	list_writers(out);
	list_tables(out);
}

void tv_describe_compare(const struct tv_verb *verb, struct tv_output *out)
{
	(void)verb;
	tv_output_text(
		out, "\n-o FILE.pdf (.svg, .png, .html) draws the runs side by side and the panel "
		     "diff below them,\nas traceviz --facet does; 'traceviz plot --help' lists the "
		     "panels and their options.\n");
	tv_output_text(out, "\nOutput: a table with the columns:\n");
	tv_list_fields(tv_report_columns, tv_report_ncolumns, out);
	tv_output_format(out, "\n%s\n", tv_compare_notes);
}

void tv_describe_pass(const struct tv_verb *verb, struct tv_output *out)
{
	list_columns(verb->pass, out);
	tv_output_format(out, "\n%s\n", verb->pass->notes);
}

static void list_exit_statuses(struct tv_output *out)
{
	tv_output_text(out, "\nExit status: 0 done, 1 failure, 2 wrong usage, 3 negative verdict "
			    "(--fail-if holds),\n4 uncertain verdict (--require-confidence).\n");
}

void tv_cli_help(const struct tv_verb *verb, struct tv_output *out)
{
	tv_output_format(out, "traceviz %s %s\n\n%s\n\nOptions:\n", verb->name, verb->arguments,
			 verb->summary);
	tv_cli_list_options(verb, out);
	if (verb->describe != NULL)
		verb->describe(verb, out);
	tv_output_format(out, "\nExample:\n  %s\n", verb->example);
	list_exit_statuses(out);
}

static void list_group(enum tv_verb_group group, struct tv_output *out)
{
	static const char *const title[] = {
		[TV_GROUP_OTHER] = "Other",
		[TV_GROUP_INPUT] = "Draw, convert and inspect traces",
		[TV_GROUP_SUMMARY] = "Summaries",
		[TV_GROUP_BOUNDS] = "Bounds and idle time",
		[TV_GROUP_DEPENDENCIES] = "Dependencies and delays",
		[TV_GROUP_TIME] = "Progress over time",
		[TV_GROUP_MACHINE] = "Monitors of the machine",
		[TV_GROUP_NODES] = "Nodes, messages, data",
		[TV_GROUP_MPI] = "MPI calls",
		[TV_GROUP_OUTLIERS] = "Outliers and slow resources",
		[TV_GROUP_FRONTS] = "Multifrontal factorizations",
		[TV_GROUP_COMPARE] = "Several runs",
	};
	struct tv_verb verb;
	bool first = true;

	for (size_t i = 0; tv_verb_next(&i, &verb);) {
		if (verb.group != group)
			continue;
		if (first)
			tv_output_format(out, "\n%s:\n", title[group]);
		first = false;
		tv_output_format(out, "  %-22s  %s\n", verb.name, verb.summary);
	}
}

static void help_program(struct tv_output *out)
{
	tv_output_text(out, "traceviz -- why was this task-based run slow? Answers from its "
			    "execution trace.\n\n"
			    "  traceviz TRACE                      say why the run was slow\n"
			    "  traceviz TRACE -o report.pdf        draw it (PDF, SVG, PNG, HTML)\n"
			    "  traceviz VERB [OPTIONS] TRACE       compute, convert\n"
			    "  traceviz help VERB                  options and output of a verb\n"
			    "\nVerbs:\n");
	for (int group = TV_GROUP_OTHER + 1; group < TV_NGROUPS; group++)
		list_group((enum tv_verb_group)group, out);
	list_group(TV_GROUP_OTHER, out);
	list_formats(out);
	list_exit_statuses(out);
}

/* `traceviz help [VERB]`, `traceviz --help` and `traceviz VERB --help`. */
int tv_cmd_help(const struct tv_cli *cli, struct tv_error *err)
{
	struct tv_verb verb = cli->verb;
	const char *word = cli->ntraces > 0 ? cli->trace[cli->ntraces - 1].path : "";
	bool asked = !cli->help && cli->ntraces > 0;
	struct tv_near near;
	struct tv_output out;

	if (asked && (cli->ntraces > 1 || !tv_verb_find(cli->trace[0].path, &verb)))
		return tv_fail_usage(err, "help '%s'%s, expected one verb; try 'traceviz --help'",
				     word, tv_verb_near(&near, word));
	if (tv_output_open(&out, "-", err) < 0)
		return -1;
	if (asked || (cli->help && cli->verb_given))
		tv_cli_help(&verb, &out);
	else
		help_program(&out);
	return tv_output_commit(&out, err);
}
