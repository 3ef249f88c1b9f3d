/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_plot.c -- traceviz plot: a trace as a picture. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analysis/diagnose/diagnose.h"
#include "cli/config.h"
#include "cli/diagnose_pages.h"
#include "cli/figure_parts.h"
#include "cli/parts.h"
#include "cli/temporary.h"
#include "cli/unread.h"
#include "trace/alloc.h"
#include "trace/near_names.h"
#include "views/backends/html/tiles.h"
#include "views/page/plot.h"

/* The file's name without folders and endings. */
static char *caption_name(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;

	return tv_strndup(name, strcspn(name, "."));
}

/* run NULL: the facets. A PDF contains all pages; other formats have one file per page. */
static int write_figure(struct tv_run *run, struct tv_cli_figure *figure, enum tv_medium medium,
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
		char *name = tv_page_path(path, page);

		figure->options.page = page;
		rc = tv_cli_write_page(run, &figure->options, medium, name, set, err);
		tv_free(name);
	}
	figure->options.page = 0;
	return rc;
}

#define AT(member) offsetof(struct tv_cli, member)

/* Options for several runs need --facet. */
static int check_facets(const struct tv_cli *cli, struct tv_error *err)
{
	static const size_t needs[] = { AT(share_x), AT(align), AT(outliers), AT(weights) };
	const char *given = tv_cli_given(cli, needs, TV_COUNT(needs));

	if (cli->facet_layout != NULL && !tv_cli_has_facets(cli))
		return tv_fail_usage(err, "--facet-layout needs --facet or --facet-by");
	return cli->facet || given == NULL ? 0 : tv_fail_usage(err, "--%s needs --facet", given);
}

/* The figure, and with it the numbers that it prints. */
static int write_files(struct tv_run *run, struct tv_cli_figure *figure, enum tv_medium medium,
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

/* All files of a figure or none. */
static int write_set(struct tv_run *run, struct tv_cli_figure *figure, const struct tv_cli *cli,
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

/* ---- tiles ---- */

/* What tiles do not have. */
static int check_tiles(const struct tv_cli_figure *figure, const struct tv_cli *cli,
		       struct tv_error *err)
{
	const char *other = tv_cli_has_facets(cli) ? "--facet" : NULL;

	for (size_t i = 0; i < figure->options.npanels; i++)
		if (strcmp(figure->panel[i], "spacetime") != 0)
			other = figure->panel[i];
	for (size_t i = 0; i < cli->nsettings; i++)
		if (cli->setting[i].panel == NULL && strcmp(cli->setting[i].key, "zoom") == 0)
			other = "--zoom";
	return other == NULL
		     ? tv_html_tiles_check(cli->tiles, err)
		     : tv_fail_usage(err,
				     "--tiles has the panel spacetime of one run alone: leave "
				     "out %s, or write a report of a window (-o FILE.html)",
				     other);
}

static int write_tiles(struct tv_run *run, struct tv_cli_figure *figure, const struct tv_cli *cli,
		       enum tv_medium medium, struct tv_error *err)
{
	struct tv_output_folder folder;
	struct tv_cli there = *cli;
	char *index;
	int rc;

	if (tv_output_folder_open(&folder, cli->tiles, err) < 0)
		return -1;
	figure->options.tiles = &folder;
	there.output = index = tv_format("%s/index.html", tv_output_folder_path(&folder));
	rc = write_set(run, figure, &there, medium, err);
	tv_free(index);
	if (rc == 0)
		return tv_output_folder_commit(&folder, err);
	tv_output_folder_abort(&folder);
	return rc;
}

static int write_all(struct tv_run *run, struct tv_cli_figure *figure, const struct tv_cli *cli,
		     enum tv_medium medium, struct tv_error *err)
{
	return (cli->tiles != NULL ? write_tiles : write_set)(run, figure, cli, medium, err);
}

static bool is_drawn(const struct tv_cli_figure *figure, const struct tv_cli *cli, const char *name)
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
static const char *no_effect(const struct tv_cli_figure *figure, const struct tv_cli *cli,
			     const char *name)
{
	if (!is_drawn(figure, cli, name))
		return "the panel is not drawn (see --panels)";
	if (tv_panel_find(name)->wide && (!cli->facet || cli->ntraces < 2 || cli->facet_by != NULL))
		return "the panel compares two runs or more (see --facet)";
	return NULL;
}

/* Whether a panel is drawn depends on the columns of what is read. */
static bool is_chosen_later(const struct tv_cli_figure *figure, const struct tv_cli *cli,
			    const char *name)
{
	return figure->options.npanels == 0 && !tv_cli_has_facets(cli)
	    && tv_panel_find(name)->table != NULL;
}

/* read: of the panels that are chosen by what was read; else of the others. */
static int check_settings(const struct tv_cli_figure *figure, const struct tv_cli *cli, bool read,
			  struct tv_error *err)
{
	for (size_t i = 0; i < cli->nsettings; i++) {
		const struct tv_setting *setting = &cli->setting[i];
		bool checked = setting->panel != NULL
			    && (read ? tv_panel_find(setting->panel)->table != NULL
				     : !is_chosen_later(figure, cli, setting->panel));
		const char *why = checked ? no_effect(figure, cli, setting->panel) : NULL;

		if (why != NULL && i >= cli->nfiled)
			return tv_fail_usage(err, "--%s.%s has no effect: %s", setting->panel,
					     setting->key, why);
		if (why != NULL)
			tv_say(cli, "%s.%s has no effect: %s", setting->panel, setting->key, why);
	}
	return 0;
}

/* A report of the whole run with the default panels has its diagnosis, too. */
static int draw_trace(struct tv_session *session, struct tv_cli_figure *figure,
		      const struct tv_cli *cli, enum tv_medium medium, struct tv_error *err)
{
	struct tv_plot_options *options = &figure->options;
	struct tv_table diagnosis;
	struct tv_error none = { 0 };
	int rc;

	if ((options->npanels == 0 && check_settings(figure, cli, true, err) < 0)
	    || tv_cli_figure_choose(figure, session, cli, err) < 0)
		return -1;
	if (medium != TV_HTML || options->npanels > 0 || session->run.window.set)
		return write_all(&session->run, figure, cli, medium, err);
	/* A run without an answer may have a figure. */
	if (tv_cli_diagnose(cli, &session->run, NULL, &diagnosis, &none) == 0) {
		tv_diagnose_drop_repeated(&diagnosis, &session->run.diagnostics);
		options->diagnosis = &diagnosis;
	}
	rc = write_all(&session->run, figure, cli, medium, err);
	tv_table_release(&diagnosis);
	return rc;
}

/* ---- tables that are no traces ---- */

/* Which tables the panels that were chosen can be drawn from. */
static enum tv_plain accepted_tables(const struct tv_cli_figure *figure)
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
static int find_panels(struct tv_cli_figure *figure, const struct tv_trace *trace, const char *path,
		       struct tv_error *err)
{
	struct tv_plot_options *options = &figure->options;

	figure->panel = tv_alloc(tv_npanels, sizeof *figure->panel);
	for (size_t i = 0; i < tv_npanels; i++)
		if (tv_panels[i]->table != NULL && has_columns(&trace->plain, tv_panels[i]->table))
			figure->panel[options->npanels++] = tv_panels[i]->name;
	options->panel = figure->panel;
	if (options->npanels > 0)
		return 0;
	return tv_fail_at(err, (struct tv_pos){ path, 1 },
			  "no table of a trace (tasks have ResourceId, Value, Start, End) "
			  "and none that a panel is for; %s%schoose one for any table: "
			  "--panels chart, bars or heatmap",
			  trace->plain_map != NULL ? trace->plain_map : "",
			  trace->plain_map != NULL ? "; or " : "");
}

/* Options about traces. */
static int check_table_options(const struct tv_cli *cli, struct tv_error *err)
{
	static const size_t about[] = {
		AT(only),	 AT(exclude),	     AT(node),	    AT(resource),
		AT(restriction), AT(phase),	     AT(kind),	    AT(begin),
		AT(end),	 AT(region),	     AT(rows),	    AT(row_order),
		AT(caption),	 AT(read.resources), AT(read.with), AT(read.zero),
	};
	const char *given = tv_cli_given(cli, about, TV_COUNT(about));

	for (size_t i = cli->nfiled; given == NULL && i < cli->nsettings; i++)
		if (cli->setting[i].panel == NULL)
			given = cli->setting[i].key;
	return given == NULL
		     ? 0
		     : tv_fail_usage(err, "--%s has no effect on a table that is no trace", given);
}

static int draw_table(struct tv_session *session, struct tv_cli_figure *figure,
		      const struct tv_cli *cli, enum tv_medium medium, struct tv_error *err)
{
	const struct tv_table *table = &session->trace->plain;
	const char *path = cli->ntraces > 0 ? cli->trace[0].path : "-";
	struct tv_table taken;
	uint32_t *row = NULL, n = 0;
	int rc;

	if (check_table_options(cli, err) < 0
	    || (figure->options.npanels == 0
		&& (find_panels(figure, session->trace, path, err) < 0
		    || check_settings(figure, cli, true, err) < 0))
	    || tv_select(cli, NULL, table, &row, &n, err) < 0)
		return -1;
	if (row != NULL && n == 0) {
		tv_free(row);
		return tv_fail(err, "no row matches the selection");
	}
	tv_table_take(table, row, n, &taken);
	figure->options.table = row != NULL ? &taken : table;
	rc = write_all(&session->run, figure, cli, medium, err);
	tv_table_release(&taken);
	tv_free(row);
	return rc;
}

static int draw_session(struct tv_session *session, struct tv_cli_figure *figure,
			const struct tv_cli *reading, enum tv_medium medium, struct tv_error *err)
{
	if (tv_session_open(session, reading, err) < 0)
		return -1;
	/* Passes need arrays as long as tasks one after the other, which do not grow as those of reading. A caller in the
	 * process has the same memory. */
	if (reading->receiver == NULL)
		tv_memory_keep();
	return (session->trace->plain.ncols > 0 ? draw_table : draw_trace)(session, figure, reading,
									   medium, err);
}

/* ---- a trace that is read part by part ---- */

/* rows: as for tv_parts_new. */
static int draw_parts(struct tv_session *session, struct tv_cli_figure *figure,
		      struct tv_cli *reading, enum tv_medium medium, uint32_t rows,
		      struct tv_error *err)
{
	char *columns = tv_columns_by_pass(reading, false);
	struct tv_parts *parts;
	const char *why;

	reading->read.columns = columns;
	parts = tv_parts_new(reading, rows, err);
	reading->read.columns = NULL;
	tv_free(columns);
	if (parts == NULL)
		return -1;
	tv_session_close(session);
	*err = (struct tv_error){ 0 };
	if (tv_session_open_parts(session, tv_parts_reading(parts), parts, err) < 0)
		return -1;
	why = tv_figure_parts_reason(&session->run);
	if (why != NULL)
		return tv_parts_refuse(parts, why, err);
	tv_figure_expect(&figure->options, &session->run);
	return draw_trace(session, figure, tv_parts_reading(parts), medium, err);
}

static int draw_large(struct tv_session *session, struct tv_cli_figure *figure,
		      struct tv_cli *reading, enum tv_medium medium, struct tv_error *err)
{
	struct tv_temporary temporary = { 0 };
	int rc = -1;

	if (tv_temporary_make(&temporary, reading, false, err) >= 0)
		rc = draw_parts(session, figure, reading, medium, 0, err);
	if (rc < 0 && tv_parts_unordered(session->parts)
	    && tv_temporary_make(&temporary, reading, true, err) > 0)
		rc = draw_parts(session, figure, reading, medium, 0, err);
	if (rc < 0)
		tv_temporary_blame(&temporary, err);
	tv_temporary_end(&temporary);
	return rc;
}

static int draw_again(struct tv_session *session, struct tv_cli_figure *figure,
		      const struct tv_cli *reading, enum tv_medium medium, struct tv_error *err)
{
	tv_session_close(session);
	tv_free(figure->shown);
	figure->shown = NULL;
	*err = (struct tv_error){ 0 };
	return draw_session(session, figure, reading, medium, err);
}

static bool is_too_large(const struct tv_session *session)
{
	return session->trace != NULL && session->trace->too_large;
}

/* Part by part where there may be no room for what passes need beside the trace. Where parts fail, there may be room all the same. */
static int draw_with_room(struct tv_session *session, struct tv_cli_figure *figure,
			  struct tv_cli *reading, const struct tv_pass *pass, enum tv_medium medium,
			  struct tv_error *err)
{
	const struct tv_cli whole = *reading;
	char why[TV_PARTS_WHY];
	bool may = tv_figure_in_parts(reading, &figure->options, medium, why);
	struct tv_error reason;
	int rc;

	if (may)
		reading->read.beside = pass->beside;
	rc = draw_session(session, figure, reading, medium, err);
	reading->read.beside = 0;
	if (rc == 0 || !is_too_large(session))
		return rc;
	if (!may)
		return tv_fail_also(err, why);
	reading->verb.pass = pass;
	rc = draw_large(session, figure, reading, medium, err);
	if (rc == 0 || session->parts == NULL || err->outside)
		return rc;
	reason = *err;
	*reading = whole;
	rc = draw_again(session, figure, reading, medium, err);
	if (rc < 0 && is_too_large(session))
		*err = reason;
	return rc;
}

/* Without the columns that no panel asks for. What is wrong with the trace is said as with all of them. */
static int draw_run(struct tv_cli_figure *figure, const struct tv_cli *cli, enum tv_medium medium,
		    struct tv_error *err)
{
	struct tv_cli reading = *cli;
	struct tv_session session;
	struct tv_figure_pass pass;
	char *columns = tv_columns_by_figure(cli, &figure->options, medium);
	int rc;

	tv_figure_pass_init(&pass, &figure->options, medium);
	reading.read.plain = accepted_tables(figure);
	reading.read.unread = tv_unread_by_figure(cli, &figure->options, medium);
	reading.read.columns = columns;
	rc = draw_with_room(&session, figure, &reading, &pass.pass, medium, err);
	if (rc < 0 && !is_too_large(&session) && !err->outside && session.trace != NULL
	    && session.trace->nleft > 0) {
		reading.read.columns = NULL;
		reading.quiet = true;
		rc = draw_again(&session, figure, &reading, medium, err);
	}
	tv_free(columns);
	tv_print_diagnostics(cli, &session.run.diagnostics);
	tv_session_close(&session);
	tv_figure_pass_release(&pass);
	return rc;
}

int tv_plot_in_parts(const struct tv_cli *cli, uint32_t rows, struct tv_error *err)
{
	struct tv_cli_figure figure = { 0 };
	struct tv_cli reading = *cli;
	struct tv_session session = { 0 };
	struct tv_figure_pass pass = { 0 };
	enum tv_medium medium = TV_PDF;
	int rc = tv_cli_medium(cli, &medium, err);

	if (rc == 0)
		rc = tv_cli_figure_fill(&figure, cli, err);
	if (rc == 0) {
		tv_figure_pass_init(&pass, &figure.options, medium);
		reading.verb.pass = &pass.pass;
		reading.read.unread = tv_unread_by_figure(cli, &figure.options, medium);
		rc = draw_parts(&session, &figure, &reading, medium, rows, err);
	}
	tv_print_diagnostics(cli, &session.run.diagnostics);
	tv_session_close(&session);
	tv_figure_pass_release(&pass);
	tv_cli_figure_release(&figure);
	return rc;
}

static int draw_facets(struct tv_cli_figure *figure, const struct tv_cli *cli,
		       enum tv_medium medium, struct tv_error *err)
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
	struct tv_cli_figure figure = { 0 };
	enum tv_medium medium = TV_PDF;
	int rc;

	facets.facet = true;
	facets.facet_layout = "rows";
	rc = tv_cli_medium(cli, &medium, err);
	if (rc == 0)
		rc = tv_cli_figure_fill(&figure, &facets, err);
	tv_free(figure.command);
	figure.options.command = figure.command = tv_config_command(cli);
	if (rc == 0)
		rc = tv_facets_fill(&shown, &facets, &figure.options, err);
	if (rc == 0)
		rc = write_all(NULL, &figure, cli, medium, err);
	tv_facets_print_warnings(&shown, cli);
	tv_facets_release(&shown);
	tv_cli_figure_release(&figure);
	return rc;
}

/* Whether the first word is a verb that there is not: no file, and more follows. */
static bool no_verb(const struct tv_cli *cli)
{
	return (cli->output == NULL ? cli->ntraces > 0 : cli->ntraces > 1)
	    && cli->trace[0].label == NULL && strcmp(cli->trace[0].path, "-") != 0
	    && access(cli->trace[0].path, F_OK) != 0;
}

static int fail_verb(const char *word, struct tv_error *err)
{
	/* What other programs call it. */
	static const char *const elsewhere[][2] = {
		{ "version", "traceviz --version" },  { "stats", "traceviz summary" },
		{ "statistics", "traceviz summary" }, { "view", "traceviz TRACE -o FILE.html" },
		{ "show", "traceviz info" },	      { "draw", "traceviz plot" },
		{ "diff", "traceviz compare" },	      { "run", "traceviz record" },
		{ "trace", "traceviz record" },	      { "analyze", "traceviz diagnose" },
		{ "export", "traceviz convert" },
	};
	struct tv_near near;
	struct tv_verb verb;

	if (tv_verb_find(word, &verb))
		return tv_fail_usage(err, "the verb '%s' comes first: traceviz %s [OPTIONS] ...",
				     word, word);
	for (size_t i = 0; i < TV_COUNT(elsewhere); i++)
		if (strcmp(word, elsewhere[i][0]) == 0)
			return tv_fail_usage(
				err, "'%s' is neither a verb nor a file (did you mean '%s'?)", word,
				elsewhere[i][1]);
	return tv_fail_usage(err, "'%s' is neither a verb nor a file%s; try 'traceviz --help'",
			     word, tv_verb_near(&near, word));
}

int tv_plot_traces(const struct tv_cli *cli, struct tv_error *err)
{
	struct tv_cli_figure figure = { 0 };
	enum tv_medium medium = TV_PDF;
	int rc;

	if (check_facets(cli, err) < 0 || tv_cli_medium(cli, &medium, err) < 0)
		return -1;
	rc = tv_cli_figure_fill(&figure, cli, err);
	if (rc == 0)
		rc = check_settings(&figure, cli, false, err);
	if (rc == 0 && cli->tiles != NULL)
		rc = check_tiles(&figure, cli, err);
	if (rc == 0)
		rc = tv_cli_has_facets(cli) ? draw_facets(&figure, cli, medium, err)
					    : draw_run(&figure, cli, medium, err);
	tv_cli_figure_release(&figure);
	return rc;
}

static int print_config(const struct tv_cli *cli, struct tv_error *err)
{
	struct tv_cli_figure figure = { 0 };
	int rc = tv_cli_figure_fill(&figure, cli, err);

	tv_cli_figure_release(&figure);
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
	if (cli->output == NULL && !cli->verb_given && cli->ntraces > 1)
		return tv_fail_usage(
			err, "several traces, expected the verb compare (traceviz compare TRACE "
			     "TRACE), or --facet and -o FILE.pdf (.svg, .png, .html)");
	if (cli->output == NULL)
		return tv_fail_usage(
			err,
			"missing -o FILE.pdf (.svg, .png, .html)%s; try 'traceviz "
			"plot --help'",
			cli->verb_given || cli->where == NULL
				? ""
				: "; diagnose takes --restrict EXPR instead of --where");
	return tv_plot_traces(cli, err);
}
