/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_plot.c -- traceviz plot: a trace as a picture. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/config.h"
#include "trace/alloc.h"
#include "trace/input.h"
#include "trace/near.h"
#include "trace/number.h"
#include "views/plot.h"

enum { NOTES_MAX = 8 };

/* The options of a figure with what they own. */
struct figure {
	struct tv_plot_options options;
	char *label, *caption, *command, *note[NOTES_MAX];
	char *names; /* of panels, cut into words */
	const char **panel;
	const char *notes[NOTES_MAX];
	uint32_t *shown;
	char **row_name; /* lines of the file of --row-order */
	size_t nrow_names, row_names_cap;
};

static int find_medium(const struct tv_cli *cli, enum tv_medium *medium, struct tv_error *err)
{
	const char *dot = strrchr(cli->output, '.'), *slash = strrchr(cli->output, '/');
	const char *name = cli->to;
	int found;

	if (name == NULL && strcmp(cli->output, "-") == 0)
		return tv_fail_usage(err, "-o - needs --to pdf, svg, png, html or csv");
	if (name == NULL)
		name = dot != NULL && (slash == NULL || dot > slash) ? dot + 1 : "";
	found = tv_medium_find(strcmp(name, "csv") == 0 ? "boxes" : name);
	if (cli->to != NULL && found >= 0 && dot != NULL && (slash == NULL || dot > slash)
	    && tv_medium_find(dot + 1) >= 0 && tv_medium_find(dot + 1) != found)
		return tv_fail_usage(err, "--to %s contradicts the ending of -o '%s'", cli->to,
				     cli->output);
	if (found < 0)
		return tv_fail_usage(err,
				     "-o '%s' ends in no known format, expected .pdf, .svg, .png, "
				     ".html or .csv (or --to)",
				     cli->output);
	*medium = (enum tv_medium)found;
	if (strcmp(cli->output, "-") == 0 && (*medium == TV_PDF || *medium == TV_PNG)
	    && isatty(STDOUT_FILENO))
		return tv_fail_usage(
			err, "a %s does not go to a terminal, expected a file or a pipe", name);
	return 0;
}

/* What the header calls the run: the last part of the path without its endings. Names that every
 * trace has say nothing, so the folder's is taken then. */
static char *label_of(const char *path)
{
	static const char *const common[] = { "paje", "tasks", "prof_file_0" };
	size_t n = strlen(path), first;

	while (n > 1 && path[n - 1] == '/')
		n--;
	for (first = n; first > 0 && path[first - 1] != '/'; first--)
		;
	for (size_t i = 0; i < TV_COUNT(common) && first > 1; i++) {
		size_t length = strlen(common[i]);

		if (n - first >= length && strncmp(path + first, common[i], length) == 0
		    && (path[first + length] == '.' || path[first + length] == '\0')) {
			n = first - 1;
			for (first = n; first > 0 && path[first - 1] != '/'; first--)
				;
			return tv_strndup(path + first, n - first);
		}
	}
	return strcmp(path, "-") == 0
		     ? tv_strdup("standard input")
		     : tv_strndup(path + first, tv_name_length(path + first, n - first));
}

static void add_note(struct figure *figure, const char *what, const char *text)
{
	if (text == NULL)
		return;
	figure->note[figure->options.nnotes] = tv_format("%s %s", what, text);
	figure->notes[figure->options.nnotes] = figure->note[figure->options.nnotes];
	figure->options.nnotes++;
}

/* --panels: the words between commas. */
static int choose_panels(struct figure *figure, const char *text, struct tv_error *err)
{
	size_t n = 1;

	if (text == NULL)
		return 0;
	for (const char *s = text; *s != '\0'; s++)
		n += *s == ',';
	figure->names = tv_strdup(text);
	figure->panel = tv_alloc(n, sizeof *figure->panel);
	for (char *rest = figure->names, *word; (word = strsep(&rest, ",")) != NULL;) {
		const struct tv_panel *panel = tv_panel_find(word);
		struct tv_near near;

		tv_near_init(&near, word);
		for (size_t i = 0; i < tv_npanels; i++)
			tv_near_offer(&near, tv_panels[i]->name);
		if (panel == NULL)
			return tv_fail_usage(err,
					     "--panels: no panel is named '%s'%s; 'traceviz "
					     "plot --help' lists them",
					     word, tv_near_text(&near));
		figure->panel[figure->options.npanels++] = panel->name;
	}
	figure->options.panel = figure->panel;
	return 0;
}

/* The lines of a file that are not empty. */
static int read_row_names(struct figure *figure, const char *path, struct tv_error *err)
{
	struct tv_input in;
	char *line;
	size_t size;
	int rc, more;

	if (access(path, F_OK) < 0)
		return tv_fail_usage(err,
				     "--row-order '%s', expected type, numa, device, busy, "
				     "name or a file: %s",
				     path, strerror(errno));
	if (tv_input_open(&in, path, err) < 0)
		return -1;
	for (rc = 0; rc == 0 && (more = tv_input_line(&in, &line, &size, err)) != 0;) {
		if (more < 0) {
			rc = -1;
			break;
		}
		if (line[0] == '\0')
			continue;
		TV_GROW(figure->row_name, figure->nrow_names, figure->row_names_cap, 1);
		figure->row_name[figure->nrow_names++] = tv_strdup(line);
	}
	if (rc == 0 && figure->nrow_names == 0)
		rc = tv_fail_at(err, (struct tv_pos){ path, 0 },
				"no line, expected one name of a row in each");
	tv_input_close(&in);
	return rc;
}

static int choose_rows(struct figure *figure, const struct tv_cli *cli, struct tv_error *err)
{
	struct tv_plot_options *options = &figure->options;
	int order = cli->row_order == NULL ? TV_ORDER_TYPE : tv_row_order_find(cli->row_order);

	options->row_pattern = cli->rows;
	options->row_order = order < 0 ? TV_ORDER_LIST : (enum tv_row_order)order;
	if (order < 0 && read_row_names(figure, cli->row_order, err) < 0)
		return -1;
	options->row_name = (const char *const *)figure->row_name;
	options->nrow_names = figure->nrow_names;
	return 0;
}

/* SOURCE_DATE_EPOCH, or 0. */
static int64_t date_asked_for(void)
{
	const char *text = getenv("SOURCE_DATE_EPOCH");
	int64_t seconds;

	return text != NULL && tv_parse_int(text, strlen(text), &seconds) == TV_PARSE_OK
			    && seconds > 0
		     ? seconds
		     : 0;
}

/* Fills in what does not depend on the traces. */
static int fill(struct figure *figure, const struct tv_cli *cli, struct tv_error *err)
{
	struct tv_plot_options *options = &figure->options;

	options->width_in = tv_value_number(cli->width, 0);
	options->height_in = tv_value_number(cli->height, 0);
	options->dpi = tv_value_number(cli->dpi, 0);
	options->scale = tv_value_number(cli->scale, 0);
	if (choose_panels(figure, cli->panels, err) < 0 || choose_rows(figure, cli, err) < 0)
		return -1;
	options->setting = cli->setting;
	options->nsettings = cli->nsettings;
	options->palette = (enum tv_palette)tv_cli_choice("palette", cli->palette);
	figure->label = cli->title != NULL ? tv_strdup(cli->title)
		      : cli->facet	   ? tv_strdup("")
					   : label_of(cli->ntraces > 0 ? cli->trace[0].path : "-");
	figure->command = tv_config_command(cli);
	options->command = figure->command;
	options->label = figure->label;
	options->kernels = cli->read.kernels;
	options->creator = "traceviz " TV_VERSION;
	options->date = date_asked_for();
	options->note = figure->notes;
	add_note(figure, "shown:", cli->where);
	add_note(figure, "only", cli->only);
	add_note(figure, "without", cli->exclude);
	add_note(figure, "node", cli->node);
	add_note(figure, "resource", cli->resource);
	add_note(figure, "outliers by the thresholds of", cli->outliers);
	add_note(figure, "rows", cli->rows);
	return 0;
}

/* The file's name without folders and endings. */
static char *caption_name(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;

	return tv_strndup(name, strcspn(name, "."));
}

/* "x.png", from the second page on "x-2.png". */
static char *page_path(const char *path, unsigned page)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
	size_t stem = dot != NULL && (slash == NULL || dot > slash + 1) ? (size_t)(dot - path)
									: strlen(path);

	return page == 0 ? tv_strdup(path)
			 : tv_format("%.*s-%u%s", (int)stem, path, page + 1, path + stem);
}

static int write_page(struct tv_run *run, const struct figure *figure, enum tv_medium medium,
		      const char *path, struct tv_outputs *set, struct tv_error *err)
{
	struct tv_output *out = tv_outputs_add(set, path, err);

	if (out == NULL || tv_plot(run, &figure->options, medium, out, err) < 0)
		return -1;
	/* A stream is written last, after the files: it cannot be undone. */
	return out->unfinished != NULL ? tv_output_finish(out, err) : 0;
}

/* run NULL: the facets. A PDF contains all pages; other formats have one file per page. */
static int write_figure(struct tv_run *run, struct figure *figure, enum tv_medium medium,
			const char *path, struct tv_outputs *set, struct tv_error *err)
{
	unsigned pages = medium == TV_PDF ? 1 : tv_plot_pages(&figure->options);
	int rc = 0;

	if (pages > 1 && strcmp(path, "-") == 0)
		return tv_fail_usage(err,
				     "%u pages do not go to standard output, expected a file "
				     "or --to pdf",
				     pages);
	for (unsigned page = 0; rc == 0 && page < pages; page++) {
		char *name = page_path(path, page);

		figure->options.page = page;
		rc = write_page(run, figure, medium, name, set, err);
		tv_free(name);
	}
	figure->options.page = 0;
	return rc;
}

/* Options for several runs need --facet. */
static int check_facets(const struct tv_cli *cli, struct tv_error *err)
{
	const struct {
		const char *name, *value;
	} needs[] = {
		{ "share-x", cli->share_x },
		{ "align", cli->align },
		{ "outliers-from", cli->outliers },
		{ "durations-from", cli->weights },
	};

	if (cli->facet_layout != NULL && !tv_cli_has_facets(cli))
		return tv_fail_usage(err, "--facet-layout needs --facet or --facet-by");
	for (size_t i = 0; !cli->facet && i < TV_COUNT(needs); i++)
		if (needs[i].value != NULL)
			return tv_fail_usage(err, "--%s needs --facet", needs[i].name);
	return 0;
}

/* The figure, and with it the numbers that it prints. */
static int write_files(struct tv_run *run, struct figure *figure, enum tv_medium medium,
		       const struct tv_cli *cli, struct tv_outputs *set, struct tv_error *err)
{
	int rc;

	if (cli->caption != NULL) {
		figure->caption = caption_name(cli->caption);
		figure->options.caption = tv_outputs_add(set, cli->caption, err);
		if (figure->options.caption == NULL)
			return -1;
		figure->options.caption_name = figure->caption;
	}
	rc = write_figure(run, figure, medium, cli->output, set, err);
	figure->options.caption = NULL;
	return rc;
}

static void release(struct figure *figure)
{
	for (size_t i = 0; i < NOTES_MAX; i++)
		tv_free(figure->note[i]);
	for (size_t i = 0; i < figure->nrow_names; i++)
		tv_free(figure->row_name[i]);
	tv_free(figure->row_name);
	tv_free(figure->label);
	tv_free(figure->caption);
	tv_free(figure->command);
	tv_free(figure->names);
	tv_free(figure->panel);
	tv_free(figure->shown);
}

/* All files or none. */
static int write_all(struct tv_run *run, struct figure *figure, const struct tv_cli *cli,
		     enum tv_medium medium, struct tv_error *err)
{
	struct tv_outputs set = { 0 };
	int rc;

	figure->options.boxes_of = medium;
	rc = write_files(run, figure, medium, cli, &set, err);
	if (rc == 0 && cli->boxes != NULL)
		rc = write_figure(run, figure, TV_BOXES, cli->boxes, &set, err);
	if (rc == 0)
		return tv_outputs_commit(&set, err);
	tv_outputs_abort(&set);
	return rc;
}

/* Whether an execution is shown: rows that are none remain in whatever --exclude names. */
static bool shows_any(const struct tv_plot_options *options, const struct tv_tasks *tasks)
{
	for (uint32_t i = 0; i < options->nshown; i++)
		if (tasks->executed[options->shown[i]])
			return true;
	return false;
}

static int draw_trace(struct tv_session *session, struct figure *figure, const struct tv_cli *cli,
		      enum tv_medium medium, struct tv_error *err)
{
	struct tv_plot_options *options = &figure->options;

	if (tv_select(cli, NULL, &session->trace.table[TV_TASKS], &figure->shown, &options->nshown,
		      err)
	    < 0)
		return -1;
	options->shown = figure->shown;
	if (options->shown != NULL && !shows_any(options, &session->run.tasks)
	    && !session->unmatched)
		tv_run_warn(&session->run, "no task matches the selection");
	return write_all(&session->run, figure, cli, medium, err);
}

/* ---- tables that are no traces ---- */

/* Which tables the panels that were chosen can be drawn from. */
static enum tv_plain accepted_tables(const struct figure *figure)
{
	const struct tv_plot_options *options = &figure->options;

	if (options->npanels == 0)
		return TV_PLAIN_OTHER;
	for (size_t i = 0; i < options->npanels; i++)
		if (tv_panel_find(options->panel[i])->table == NULL
		    || tv_setting(options, options->panel[i], "pass") != NULL)
			return TV_PLAIN_NONE;
	return TV_PLAIN_ALL;
}

static bool has_columns(const struct tv_table *table, const char *words)
{
	char *list = tv_strdup(words);
	bool all = words[0] != '\0';

	for (char *rest = list, *word; (word = strsep(&rest, " ")) != NULL;)
		all = all && tv_table_find(table, word) != NULL;
	tv_free(list);
	return all;
}

/* The panels that the columns of a table ask for. */
static int find_panels(struct figure *figure, const struct tv_table *table, const char *path,
		       struct tv_error *err)
{
	struct tv_plot_options *options = &figure->options;

	figure->panel = tv_alloc(tv_npanels, sizeof *figure->panel);
	for (size_t i = 0; i < tv_npanels; i++)
		if (tv_panels[i]->table != NULL && has_columns(table, tv_panels[i]->table))
			figure->panel[options->npanels++] = tv_panels[i]->name;
	options->panel = figure->panel;
	return options->npanels > 0
		     ? 0
		     : tv_fail_at(err, (struct tv_pos){ path, 1 },
				  "no table of a trace (tasks have ResourceId, Value, Start, End) "
				  "and none that a panel is for; choose one for any table: "
				  "--panels chart, bars or heatmap");
}

/* Options about traces. */
static int check_table_options(const struct tv_cli *cli, struct tv_error *err)
{
	const struct {
		const char *name, *value;
	} about[] = {
		{ "only", cli->only },
		{ "exclude", cli->exclude },
		{ "node", cli->node },
		{ "resource", cli->resource },
		{ "restrict", cli->restriction },
		{ "phase", cli->phase },
		{ "kind", cli->kind },
		{ "begin", cli->begin },
		{ "end", cli->end },
		{ "rows", cli->rows },
		{ "row-order", cli->row_order },
		{ "caption", cli->caption },
		{ "resources", cli->read.resources },
		{ "with", cli->read.with },
		{ "zero", cli->read.zero },
	};

	for (size_t i = 0; i < TV_COUNT(about); i++)
		if (about[i].value != NULL)
			return tv_fail_usage(err, "--%s has no effect on a table that is no trace",
					     about[i].name);
	for (size_t i = cli->nfiled; i < cli->nsettings; i++)
		if (cli->setting[i].panel == NULL)
			return tv_fail_usage(err, "--%s has no effect on a table that is no trace",
					     cli->setting[i].key);
	return 0;
}

static int draw_table(struct tv_session *session, struct figure *figure, const struct tv_cli *cli,
		      enum tv_medium medium, struct tv_error *err)
{
	const struct tv_table *table = &session->trace.plain;
	const char *path = cli->ntraces > 0 ? cli->trace[0].path : "-";
	struct tv_table taken;
	uint32_t *row = NULL, n = 0;
	int rc;

	if (check_table_options(cli, err) < 0
	    || (figure->options.npanels == 0 && find_panels(figure, table, path, err) < 0)
	    || tv_select(cli, NULL, table, &row, &n, err) < 0)
		return -1;
	tv_table_take(table, row, n, &taken);
	figure->options.table = row != NULL ? &taken : table;
	rc = write_all(&session->run, figure, cli, medium, err);
	tv_table_release(&taken);
	tv_free(row);
	return rc;
}

static int draw_run(struct figure *figure, const struct tv_cli *cli, enum tv_medium medium,
		    struct tv_error *err)
{
	struct tv_cli reading = *cli;
	struct tv_session session;
	int rc;

	reading.read.plain = accepted_tables(figure);
	rc = tv_session_open(&session, &reading, err);
	if (rc == 0)
		rc = (session.trace.plain.ncols > 0 ? draw_table : draw_trace)(&session, figure,
									       cli, medium, err);
	tv_print_diagnostics(cli, &session.run.diagnostics);
	tv_session_close(&session);
	return rc;
}

static int draw_facets(struct figure *figure, const struct tv_cli *cli, enum tv_medium medium,
		       struct tv_error *err)
{
	struct tv_facets_shown shown;
	int rc = tv_facets_init(&shown, cli, &figure->options, err);

	if (rc == 0) {
		rc = write_all(NULL, figure, cli, medium, err);
		tv_facets_print_warnings(&shown, cli);
	}
	tv_facets_release(&shown);
	return rc;
}

int tv_plot_runs(const struct tv_cli *cli, struct tv_runs *runs, struct tv_error *err)
{
	struct tv_facets_shown shown = { .runs = *runs };
	struct tv_cli facets = *cli;
	struct figure figure = { 0 };
	enum tv_medium medium = TV_PDF;
	int rc;

	facets.facet = true;
	facets.facet_layout = "rows";
	rc = find_medium(cli, &medium, err);
	if (rc == 0)
		rc = fill(&figure, &facets, err);
	tv_free(figure.command);
	figure.options.command = figure.command = tv_config_command(cli);
	if (rc == 0)
		rc = tv_facets_fill(&shown, &facets, &figure.options, err);
	if (rc == 0)
		rc = write_all(NULL, &figure, cli, medium, err);
	tv_facets_print_warnings(&shown, cli);
	tv_facets_release(&shown);
	release(&figure);
	return rc;
}

/* Whether the first word is a verb that there is not: no file, and more follows. */
static bool no_verb(const struct tv_cli *cli)
{
	return (cli->output == NULL ? cli->ntraces > 0 : cli->ntraces > 1)
	    && cli->trace[0].label == NULL && strcmp(cli->trace[0].path, "-") != 0
	    && access(cli->trace[0].path, F_OK) != 0;
}

static bool is_drawn(const struct figure *figure, const struct tv_cli *cli, const char *name)
{
	const struct tv_panel *panel = tv_panel_find(name);

	for (size_t i = 0; i < figure->options.npanels; i++)
		if (strcmp(figure->panel[i], name) == 0)
			return true;
	for (size_t i = 0; strcmp(name, "zoom") == 0 && i < cli->nsettings; i++)
		if (cli->setting[i].panel == NULL && strcmp(cli->setting[i].key, "zoom") == 0)
			return true;
	return figure->options.npanels == 0
	    && (tv_cli_has_facets(cli) ? panel->is_default_facet : panel->is_default);
}

/* Why the options of a panel have no effect; NULL if they have one. */
static const char *no_effect(const struct figure *figure, const struct tv_cli *cli,
			     const char *name)
{
	if (!is_drawn(figure, cli, name))
		return "the panel is not drawn (see --panels)";
	if (tv_panel_find(name)->wide && (!cli->facet || cli->ntraces < 2 || cli->facet_by != NULL))
		return "the panel compares two runs or more (see --facet)";
	return NULL;
}

static int check_settings(const struct figure *figure, const struct tv_cli *cli,
			  struct tv_error *err)
{
	for (size_t i = 0; i < cli->nsettings; i++) {
		const struct tv_setting *setting = &cli->setting[i];
		const char *why = setting->panel == NULL ? NULL
							 : no_effect(figure, cli, setting->panel);

		if (why != NULL && i >= cli->nfiled)
			return tv_fail_usage(err, "--%s.%s has no effect: %s", setting->panel,
					     setting->key, why);
		if (why != NULL)
			tv_say(cli, "%s.%s has no effect: %s", setting->panel, setting->key, why);
	}
	return 0;
}

static int fail_verb(const char *word, struct tv_error *err)
{
	struct tv_near near;
	struct tv_verb verb;

	if (tv_verb_find(word, &verb))
		return tv_fail_usage(err, "the verb '%s' comes first: traceviz %s [OPTIONS] ...",
				     word, word);
	tv_near_init(&near, word);
	for (size_t i = 0; tv_verb_next(&i, &verb);)
		tv_near_offer(&near, verb.name);
	return tv_fail_usage(err, "'%s' is neither a verb nor a file%s; try 'traceviz --help'",
			     word, tv_near_text(&near));
}

int tv_plot_traces(const struct tv_cli *cli, struct tv_error *err)
{
	struct figure figure = { 0 };
	enum tv_medium medium = TV_PDF;
	int rc;

	if (check_facets(cli, err) < 0 || find_medium(cli, &medium, err) < 0)
		return -1;
	rc = fill(&figure, cli, err);
	if (rc == 0)
		rc = check_settings(&figure, cli, err);
	if (rc == 0)
		rc = tv_cli_has_facets(cli) ? draw_facets(&figure, cli, medium, err)
					    : draw_run(&figure, cli, medium, err);
	release(&figure);
	return rc;
}

static int print_config(const struct tv_cli *cli, struct tv_error *err)
{
	struct figure figure = { 0 };
	int rc = fill(&figure, cli, err);

	release(&figure);
	return rc < 0 ? -1 : tv_config_print(cli, err);
}

int tv_cmd_plot(const struct tv_cli *cli, struct tv_error *err)
{
	if (tv_config_warnings(cli, err) < 0)
		return -1;
	if (cli->print_config)
		return print_config(cli, err);
	if (no_verb(cli))
		return fail_verb(cli->trace[0].path, err);
	if (cli->output == NULL)
		return tv_fail_usage(
			err, "missing -o FILE.pdf (.svg, .png, .html); try 'traceviz plot --help'");
	return tv_plot_traces(cli, err);
}
