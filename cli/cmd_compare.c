/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_compare.c -- traceviz compare: several runs, what differs between them, a gate. */
#include <string.h>

#include "analysis/compare/history.h"
#include "analysis/compare/plateaus.h"
#include "analysis/compare/report.h"
#include "cli/compare_forms.h"
#include "cli/compare_rows.h"
#include "cli/compare_wide.h"
#include "cli/option_rows.h"
#include "cli/options.h"
#include "trace/alloc.h"
#include "trace/text.h"

static int check_section(const char *name, struct tv_error *err)
{
	struct tv_option_spec spec = { .name = "section", .kind = TV_OPTION_CHOICE };
	char *names = NULL;
	int rc;

	for (size_t i = 0; i < tv_compare_nsections; i++)
		tv_append(&names, "%s%s", i > 0 ? "|" : "", tv_compare_sections[i].name);
	spec.argument = names;
	rc = tv_option_check(&spec, "", name, err);
	tv_free(names);
	return rc;
}

struct asked {
	bool series;
	const char *to;
};

const struct tv_option_spec tv_compare_own_options[TV_COMPARE_OPTIONS] = {
	{ "series", NULL, NULL,
	  "the runs are a series in this order: their numbers, and where the mean of one changes",
	  TV_OPTION_TEXT, TV_ASKED(series) },
	{ "to", TV_COMPARE_FORMS, NULL,
	  "write what continuous integration reads, instead of a table", TV_OPTION_CHOICE,
	  TV_ASKED(to) },
};

/* ---- on a terminal ---- */

/* named: the title names the run. */
static void write_section(const struct tv_table *table, const struct tv_compare_section *section,
			  const char *run, bool named, uint32_t *rows, struct tv_output *out)
{
	char label[256];

	uint32_t n = tv_compare_rows(table, section->name, run, rows);
	struct tv_table shown = { 0 };

	if (n == 0)
		return;
	if (strcmp(section->name, "verdict") == 0) {
		char text[4096];

		tv_output_format(
			out, "%s.\n",
			tv_clean_text(text, sizeof text, tv_table_text(table, "Name", rows[0])));
		return;
	}
	tv_output_format(out, "\n%s%s%s\n", section->title, named ? ": " : "",
			 named ? tv_clean_text(label, sizeof label, run) : "");
	tv_compare_columns(table, rows, n, &shown);
	tv_write_aligned(&shown, rows, n, out);
	tv_table_release(&shown);
}

/* The columns with a value of a table with a column for each run. */
static void write_wide(const struct tv_table *wide, const char *title, struct tv_output *out)
{
	uint32_t *rows = tv_alloc(wide->nrows, sizeof *rows);
	struct tv_table shown = { 0 };

	for (uint32_t i = 0; i < wide->nrows; i++)
		rows[i] = i;
	tv_output_format(out, "\n%s\n", title);
	tv_compare_columns(wide, rows, wide->nrows, &shown);
	tv_write_aligned(&shown, rows, wide->nrows, out);
	tv_table_release(&shown);
	tv_free(rows);
}

/* Of more than two runs: each section once, with a column for each run where its rows are numbers. */
static void write_together(const struct tv_cli *cli, const struct tv_runs *runs,
			   const struct tv_table *table, uint32_t *rows, struct tv_output *out)
{
	for (size_t i = 0; i < tv_compare_nsections; i++) {
		const struct tv_compare_section *section = &tv_compare_sections[i];
		uint32_t n = tv_compare_rows(table, section->name, NULL, rows);
		struct tv_table wide;

		if (n == 0 || (cli->section != NULL && strcmp(cli->section, section->name) != 0))
			continue;
		if (strcmp(section->name, "verdict") != 0
		    && tv_compare_wide(table, rows, n, runs->side, runs->nsides, &wide)) {
			write_wide(&wide, section->title, out);
			tv_table_release(&wide);
			continue;
		}
		for (size_t s = 1; s < runs->nsides; s++)
			write_section(table, section, runs->side[s].label, true, rows, out);
	}
}

static void write_sections(const struct tv_cli *cli, const struct tv_runs *runs,
			   const struct tv_table *table, uint32_t *rows, struct tv_output *out)
{
	for (size_t s = 1; s < runs->nsides; s++) {
		if (s > 1)
			tv_output_text(out, "\n");
		for (size_t i = 0; i < tv_compare_nsections; i++)
			if ((cli->section == NULL
			     || strcmp(cli->section, tv_compare_sections[i].name) == 0))
				write_section(table, &tv_compare_sections[i], runs->side[s].label,
					      false, rows, out);
	}
}

static int print_aligned(const struct tv_cli *cli, const struct tv_runs *runs,
			 const struct tv_table *table, uint32_t *rows, struct tv_error *err)
{
	struct tv_output out;

	if (tv_output_open(&out, "-", err) < 0)
		return -1;
	(runs->nsides > 2 ? write_together : write_sections)(cli, runs, table, rows, &out);
	return tv_output_commit(&out, err);
}

static int print(const struct tv_cli *cli, const struct tv_runs *runs, const struct tv_table *table,
		 struct tv_error *err)
{
	uint32_t *rows = tv_alloc(table->nrows, sizeof *rows);
	int rc;

	if (tv_print_is_aligned(cli))
		rc = print_aligned(cli, runs, table, rows, err);
	else
		rc = tv_print_table(cli, table, rows,
				    tv_compare_rows(table, cli->section, NULL, rows), err);
	tv_free(rows);
	return rc;
}

/* ---- the gate ---- */

enum { NUMBERS, LOW, HIGH }; /* rows of tv_compare_names */

static int evaluate(const struct tv_cli *cli, const struct tv_table *table, const char *label,
		    enum tv_truth *truth, struct tv_error *err)
{
	struct tv_table names;
	struct tv_expr *expr = NULL;
	int rc;

	tv_table_init(&names, table->pool);
	rc = tv_compare_names(table, label, &names, err);
	if (rc == 0 && (expr = tv_expr_new(cli->fail_if, &names, err)) == NULL)
		rc = tv_fail_about(err, "--fail-if");
	if (rc == 0)
		*truth = cli->confidence	      ? tv_expr_between(expr, LOW, HIGH)
		       : tv_expr_holds(expr, NUMBERS) ? TV_YES
						      : TV_NO;
	tv_expr_free(expr);
	tv_table_release(&names);
	return rc;
}

/* What --fail-if is, by run, in new memory; NULL with *err. */
static enum tv_truth *judge(const struct tv_cli *cli, const struct tv_runs *runs,
			    const struct tv_table *table, struct tv_error *err)
{
	enum tv_truth *truth = tv_alloc(runs->nsides, sizeof *truth);
	int rc = 0;

	for (size_t s = 0; s < runs->nsides; s++)
		truth[s] = TV_NO;
	for (size_t s = 1; s < runs->nsides && cli->fail_if != NULL && rc == 0; s++)
		rc = evaluate(cli, table, runs->side[s].label, &truth[s], err);
	if (rc == 0)
		return truth;
	tv_free(truth);
	return NULL;
}

/* Fails with status 3 if the expression holds for a run; else with 4 if it is undecided for one. */
static int gate(const struct tv_cli *cli, const struct tv_runs *runs, const enum tv_truth *truth,
		struct tv_error *err)
{
	const char *unknown = NULL;

	for (size_t s = 1; s < runs->nsides; s++) {
		const char *label = runs->side[s].label;

		if (truth[s] == TV_YES) {
			tv_fail(err, "%s: --fail-if %s: it holds", label, cli->fail_if);
			err->status = TV_NEGATIVE;
			return -1;
		}
		if (truth[s] == TV_UNKNOWN && unknown == NULL)
			unknown = label;
	}
	if (unknown == NULL)
		return 0;
	tv_fail(err,
		"%s: --fail-if %s: the intervals over runs do not "
		"decide it, or there are too few repeats",
		unknown, cli->fail_if);
	err->status = TV_UNCERTAIN;
	return -1;
}

static int write_form(const struct tv_cli *cli, const struct tv_runs *runs, const char *form,
		      const struct tv_table *table, const enum tv_truth *truth,
		      struct tv_error *err)
{
	const struct tv_compared compared = { table,	    runs->side,	  runs->nsides,
					      cli->section, cli->fail_if, truth };
	struct tv_output out;

	if (tv_output_open(&out, cli->output != NULL ? cli->output : "-", err) < 0)
		return -1;
	tv_compare_write(&compared, form, &out);
	return tv_output_commit(&out, err);
}

/* to: of --to, or NULL. */
static int compare(const struct tv_cli *cli, const struct tv_runs *runs, const char *to,
		   struct tv_error *err)
{
	struct tv_compare_options options = { tv_cli_weights(cli, runs), cli->can_run,
					      cli->section };
	struct tv_pool *pool = tv_pool_new();
	enum tv_truth *truth = NULL;
	struct tv_table table;
	int rc;

	tv_table_init(&table, pool);
	tv_pool_free(pool);
	rc = tv_compare(runs->side, runs->nsides, &options, &table, err);
	tv_runs_print_warnings(runs, cli);
	if (rc == 0 && (truth = judge(cli, runs, &table, err)) == NULL)
		rc = -1;
	if (rc == 0)
		rc = to != NULL ? write_form(cli, runs, to, &table, truth, err)
				: print(cli, runs, &table, err);
	if (rc == 0)
		rc = gate(cli, runs, truth, err);
	tv_free(truth);
	tv_table_release(&table);
	return rc;
}

/* ---- a series ---- */

void tv_describe_more_of_compare(const struct tv_verb *verb, struct tv_output *out)
{
	const struct tv_columns form = { tv_history_columns, tv_history_ncolumns, "--series" };

	(void)verb;
	tv_output_format(out, "\n%s.\n\n", tv_history_notes);
	tv_list_forms(&form, 1, out);
}

/* On a terminal: a line for each change point. */
static int print_changes(const struct tv_table *table, size_t nruns, struct tv_error *err)
{
	struct tv_output out;
	size_t n = 0;

	if (tv_output_open(&out, "-", err) < 0)
		return -1;
	for (uint32_t row = 0; row < table->nrows; row++) {
		char *text = tv_history_sentence(table, row);

		n += text != NULL;
		if (text != NULL)
			tv_output_format(&out, "%s\n", text);
		tv_free(text);
	}
	if (n == 0)
		tv_output_format(&out, "No number has a change point in these %zu runs.\n", nruns);
	tv_output_text(&out, "All numbers: --csv\n");
	return tv_output_commit(&out, err);
}

static int write_history(const struct tv_cli *cli, const struct tv_runs *runs, struct tv_error *err)
{
	struct tv_pool *pool = tv_pool_new();
	struct tv_table table;
	int rc;

	tv_table_init(&table, pool);
	tv_pool_free(pool);
	rc = tv_history(runs->side, runs->nsides, cli->section, &table, err);
	tv_runs_print_warnings(runs, cli);
	if (rc == 0 && runs->n < TV_PLATEAUS_MIN)
		tv_say(cli, "%zu runs: a change point needs %d or more", runs->n, TV_PLATEAUS_MIN);
	if (rc == 0)
		rc = tv_print_is_aligned(cli) ? print_changes(&table, runs->n, err)
					      : tv_print_table(cli, &table, NULL, table.nrows, err);
	if (rc == 0)
		rc = tv_history_gate(&table, cli->fail_if, err);
	tv_table_release(&table);
	return rc;
}

/* What says how runs are compared in pairs has no effect on a series. */
static int check_series(const struct tv_cli *cli, const struct asked *asked, struct tv_error *err)
{
	static const size_t member[] = { offsetof(struct tv_cli, confidence),
					 offsetof(struct tv_cli, can_run),
					 offsetof(struct tv_cli, weights) };
	const char *other = asked->to != NULL ? "to" : tv_cli_given(cli, member, TV_COUNT(member));

	if (other != NULL)
		return tv_fail_usage(err, "--%s has no effect with --series", other);
	return tv_history_check(cli->section, cli->fail_if, err);
}

/* Whether -o names a figure. */
static bool is_figure(const struct tv_cli *cli)
{
	static const char *const ending[] = { ".pdf", ".svg", ".png", ".html" };
	size_t n = cli->output == NULL ? 0 : strlen(cli->output);

	for (size_t i = 0; i < TV_COUNT(ending); i++)
		if (n > strlen(ending[i])
		    && strcmp(cli->output + n - strlen(ending[i]), ending[i]) == 0)
			return true;
	return false;
}

/* The names of the default panels of facets and of those about all runs, with commas. */
static char *panels_of_runs(void)
{
	char *names = NULL;

	for (size_t i = 0; i < tv_npanels; i++)
		if (tv_panels[i]->is_default_facet || tv_panels[i]->wide)
			tv_append(&names, "%s%s", names != NULL ? "," : "", tv_panels[i]->name);
	return names;
}

/* The runs as facets, and below them how they differ: the command line of plot that draws this. */
static int draw(const struct tv_cli *cli, struct tv_error *err)
{
	struct tv_cli figure = *cli;
	const char **value = tv_alloc(tv_nshared_options, sizeof *value);
	char *panels = panels_of_runs();
	struct tv_known_option option;
	size_t i = 0;
	int rc;

	tv_verb_find("plot", &figure.verb);
	figure.facet = true;
	figure.usual_panels = figure.panels == NULL;
	if (figure.panels == NULL)
		figure.panels = panels;
	/* As given: the figure names the command that draws it. */
	memcpy(value, cli->value, tv_nshared_options * sizeof *value);
	figure.value = value;
	while (tv_cli_next_option(&i, &option)) {
		if (option.panel != NULL)
			continue;
		if (strcmp(option.row->name, "facet") == 0)
			value[option.code - TV_FIRST_CODE] = "";
		else if (strcmp(option.row->name, "panels") == 0)
			value[option.code - TV_FIRST_CODE] = figure.panels;
	}
	rc = tv_plot_traces(&figure, err);
	tv_free(value);
	tv_free(panels);
	return rc;
}

int tv_cmd_compare(const struct tv_cli *cli, struct tv_error *err)
{
	struct tv_runs runs = { 0 };
	struct asked asked;
	int rc;

	if (cli->ntraces < 2)
		return tv_fail_usage(err, "compare needs two traces or more; try 'traceviz compare "
					  "--help'");
	if (tv_cli_check_figure(cli, is_figure(cli), err) < 0)
		return -1;
	tv_cli_own_fill(cli, &asked, sizeof asked);
	if (is_figure(cli) && asked.to != NULL)
		return tv_fail_usage(err, "--to has no effect on a figure (-o '%s')", cli->output);
	if (is_figure(cli))
		return draw(cli, err);
	if (asked.series && check_series(cli, &asked, err) < 0)
		return -1;
	if (cli->confidence && cli->fail_if == NULL)
		return tv_fail_usage(err, "--require-confidence needs --fail-if");
	if (!asked.series && check_section(cli->section, err) < 0)
		return -1;
	rc = tv_runs_open(&runs, cli, err);
	if (rc == 0 && runs.nsides < 2)
		rc = tv_fail_usage(err, "%s, expected two runs or more, named LABEL=TRACE",
				   runs.n == 1 ? "the files are the ranks of one run"
					       : "all traces repeat one label");
	if (rc == 0)
		rc = asked.series ? write_history(cli, &runs, err)
				  : compare(cli, &runs, asked.to, err);
	tv_runs_close(&runs);
	return rc;
}
