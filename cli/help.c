/* SPDX-License-Identifier: GPL-3.0-or-later */
/* help.c -- what --help prints, out of the tables of verbs, options, columns and formats. */
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
		tv_output_format(out, "  %-22s  %s\n", tv_readers[i].name, tv_readers[i].summary);
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

static void list_fields(const struct tv_field *field, size_t n, struct tv_output *out)
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
	list_fields(pass->column, pass->ncolumns, out);
	if (pass->ranked != NULL)
		tv_output_format(out, "--top ranks by %s, largest first.\n", pass->ranked);
}

static void list_panels(struct tv_output *out)
{
	struct tv_panel_option of;
	char name[64];

	tv_output_text(out, "\nPanels (--panels; * = in the usual report, if there are data):\n");
	for (size_t i = 0; i < tv_npanels; i++)
		tv_output_format(out, "  %-20s%c %s;\n%24sneeds %s\n", tv_panels[i]->name,
				 tv_panels[i]->usual ? '*' : ' ', tv_panels[i]->title, "",
				 tv_panels[i]->needs);
	tv_output_text(out, "\nPanel options:\n");
	for (size_t i = 0; tv_cli_panel_option(i, &of); i++) {
		if (strcmp(of.spec.name, "height") == 0 || strcmp(of.spec.name, "place") == 0)
			continue;
		snprintf(name, sizeof name, "--%s.%s%s%s", of.panel->name, of.spec.name,
			 of.spec.argument != NULL ? " " : "",
			 of.spec.argument != NULL ? of.spec.argument : "");
		tv_output_format(out, "  %-25s %s%s%s%s\n", name, of.spec.meaning,
				 of.spec.fallback != NULL ? " (default " : "",
				 of.spec.fallback != NULL ? of.spec.fallback : "",
				 of.spec.fallback != NULL ? ")" : "");
	}
	tv_output_text(out,
		       "  --NAME.height N           height, relative: st has 4\n"
		       "  --NAME.place WHERE        panels without time: right of the others, or "
		       "below\n");
}

static void help_verb(const struct tv_verb *verb, struct tv_output *out)
{
	tv_output_format(out, "traceviz %s %s\n\n%s\n\nOptions:\n", verb->name, verb->arguments,
			 verb->summary);
	tv_cli_list_options(verb, out);
	if (strcmp(verb->name, "compare") == 0) {
		tv_output_text(out, "\nOutput: a table with the columns:\n");
		list_fields(tv_report_columns, tv_report_ncolumns, out);
		tv_output_format(out, "\n%s\n\nExample:\n  %s\n", tv_compare_notes,
				 "traceviz compare data/cholesky-dmdas.csv data/cholesky-ws.csv");
		return;
	}
	if (verb->pass != NULL) {
		list_columns(verb->pass, out);
		tv_output_format(out, "\n%s\n\nExample:\n  %s\n", verb->pass->notes,
				 verb->pass->example);
		return;
	}
	if (strcmp(verb->name, "plot") == 0)
		list_panels(out);
	list_formats(out);
	if (strcmp(verb->name, "convert") == 0)
		list_tables(out);
	tv_output_format(out, "\nExample:\n  %s\n",
			 strcmp(verb->name, "plot") == 0
				 ? "traceviz data/cholesky.csv -o report.pdf"
				 : "traceviz convert data/cholesky-paje -o run/");
}

void tv_cli_help(const struct tv_verb *verb, struct tv_output *out)
{
	if (verb->name != NULL) {
		help_verb(verb, out);
		return;
	}
	tv_output_text(out, "traceviz -- why was this task-based run slow? Answers from its "
			    "execution trace.\n\n"
			    "  traceviz TRACE -o report.pdf        draw it (PDF, SVG, PNG)\n"
			    "  traceviz VERB [OPTIONS] TRACE       compute, convert\n\nVerbs:\n");
	for (size_t i = 0; i < tv_cli_nverbs(); i++) {
		struct tv_verb v = tv_cli_verb_at(i);

		tv_output_format(out, "  %-22s  %s\n", v.name, v.summary);
	}
	list_formats(out);
	tv_output_text(
		out,
		"\n'traceviz VERB --help' lists the options and output columns of a verb.\n"
		"Exit status: 0 done, 1 failure, 2 wrong usage, 3 negative verdict, 4 no verdict "
		"possible.\n");
}
