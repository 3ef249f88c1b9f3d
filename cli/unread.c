/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unread.c -- the tables that a command does not read, so that readers of traces may leave them out. */
#include "cli/unread.h"

#include <string.h>

#include "analysis/passes.h"
#include "trace/alloc.h"
#include "views/panels.h"

/* The bits of the tables that are named, with blanks between. */
static unsigned tables_of(const char *words)
{
	unsigned tables = 0;

	for (size_t n; words != NULL && *words != '\0'; words += n + (words[n] == ' ')) {
		n = strcspn(words, " ");
		for (int id = 0; id < TV_NTABLES; id++)
			if (strlen(tv_schema[id].name) == n
			    && strncmp(tv_schema[id].name, words, n) == 0)
				tables |= 1u << id;
	}
	return tables;
}

unsigned tv_selected_from(const struct tv_cli *cli)
{
	const unsigned calls = cli->region != NULL ? 1u << TV_CALLS : 0;
	bool by_pattern = cli->only != NULL || cli->exclude != NULL || cli->node != NULL
		       || cli->resource != NULL || cli->region != NULL;

	return by_pattern ? 1u << TV_STATES | 1u << TV_EVENTS | calls : 0;
}

static struct tv_options own_options(const struct tv_cli *cli)
{
	return (struct tv_options){ cli->verb.pass->option, cli->verb.pass->noptions,
				    cli->own_value, NULL };
}

/* The one table of which the pass is asked; false: another pass, or perhaps several tables. */
static bool reads_one(const struct tv_cli *cli, enum tv_table_id *id)
{
	const struct tv_options options = own_options(cli);

	*id = tv_reads_any(cli) ? cli->verb.pass->any(&options) : TV_NTABLES;
	return *id < TV_NTABLES;
}

bool tv_reads_any(const struct tv_cli *cli)
{
	const struct tv_options options = own_options(cli);

	return cli->verb.pass->any_table != NULL
	    && tv_option_given(&options, cli->verb.pass->any_table);
}

unsigned tv_needed_by_pass(const struct tv_cli *cli)
{
	const struct tv_pass *pass = cli->verb.pass;
	enum tv_table_id id;

	if (!reads_one(cli, &id))
		return tables_of(pass->needs);
	pass = tv_pass_find(tv_schema[id].name);
	return 1u << id | (pass != NULL ? tables_of(pass->needs) : 0);
}

unsigned tv_refused_without(const struct tv_cli *cli)
{
	const struct tv_pass *pass = cli->verb.pass;

	return pass->refuses_tasks ? tables_of(pass->needs) & ~(1u << TV_RESOURCES) : 0;
}

unsigned tv_unread_by_pass(const struct tv_cli *cli)
{
	enum tv_table_id id;

	if (tv_reads_any(cli) && !reads_one(cli, &id))
		return 0;
	return TV_OMITTABLE & ~tv_needed_by_pass(cli) & ~tv_selected_from(cli);
}

unsigned tv_parted_by_pass(const struct tv_cli *cli)
{
	const struct tv_pass *pass = cli->verb.pass;
	/* Names in them are compared with a selection. */
	bool states = !pass->all_columns || tv_selected_from(cli) != 0;
	enum tv_table_id id;

	return 1u << TV_TASKS | (states ? 1u << TV_STATES & ~cli->read.unread : 0)
	     | tables_of(pass->parted) | (reads_one(cli, &id) ? 1u << id : 0);
}

/* Whether the rows at other times are of no use once there is a window. */
static bool takes_window(const struct tv_cli *cli)
{
	const struct tv_pass *pass = cli->verb.pass;
	bool whole = pass->windowed && strcmp(cli->kind, "app") == 0 && cli->region == NULL
		  && cli->restriction == NULL && cli->phase == NULL;

	for (size_t i = 0; i < pass->noptions; i++)
		whole = whole && cli->own_value[i] == NULL;
	return whole;
}

bool tv_windowed_by_pass(const struct tv_cli *cli)
{
	return (cli->begin != NULL || cli->end != NULL) && takes_window(cli);
}

bool tv_window_may_help(const struct tv_cli *cli)
{
	const struct tv_read_options *read = &cli->read;

	return cli->begin == NULL && cli->end == NULL && takes_window(cli) && !read->strict
	    && read->with == NULL && read->zero == NULL && read->task_state == NULL
	    && read->nclock_offsets == 0;
}

char *tv_columns_by_pass(const struct tv_cli *cli, bool printed)
{
	const struct tv_pass *pass = cli->verb.pass;
	const struct tv_options options = own_options(cli);
	const char *const expression[] = { cli->where, cli->restriction };
	const struct tv_pass *instead;
	enum tv_table_id id;
	char *text;

	if (pass->columns == NULL || (printed && (pass->kind == TV_ANNOTATE || pass->all_columns))
	    || cli->region != NULL || (tv_reads_any(cli) && !reads_one(cli, &id)))
		return NULL;
	instead = tv_reads_any(cli) ? tv_pass_find(tv_schema[id].name) : NULL;
	if (instead != NULL && instead->columns == NULL)
		return NULL;
	text = tv_strdup(pass->columns);
	if (pass->more_columns != NULL)
		tv_append(&text, " %s", pass->more_columns(&options));
	for (size_t i = 0; i < options.n; i++)
		if (tv_option_value(&options, i) != NULL)
			tv_append(&text, " %s", tv_option_value(&options, i));
	for (size_t i = 0; i < TV_COUNT(expression); i++)
		if (expression[i] != NULL)
			tv_append(&text, " %s", expression[i]);
	if (printed && pass->later != NULL)
		tv_append(&text, " %s", pass->later);
	if (printed && pass->linked)
		tv_append(&text, " " TV_LINK_COLUMNS);
	return text;
}

struct tv_pass tv_parted_pass(const struct tv_cli *cli)
{
	const struct tv_options options = own_options(cli);
	const struct tv_pass *asked = &tv_pass_idle_causes;
	struct tv_pass pass = *cli->verb.pass;

	if (cli->verb.pass != &tv_pass_load_balance || tv_option_given(&options, "no-causes"))
		return pass;
	pass.linked = asked->linked;
	pass.excluding = asked->excluding;
	pass.unordered = asked->unordered;
	pass.beside = asked->beside;
	return pass;
}

bool tv_links_by_pass(const struct tv_cli *cli)
{
	char *columns = tv_columns_by_pass(cli, false);
	const struct tv_pass *pass = cli->verb.pass;
	bool links = columns == NULL || tv_parted_pass(cli).linked
		  || strstr(columns, "DependsOn") != NULL
		  || (pass->later != NULL && strstr(pass->later, "DependsOn") != NULL);

	tv_free(columns);
	return links;
}

bool tv_figure_has(const struct tv_plot_options *options, const struct tv_panel *panel)
{
	for (size_t i = 0; i < options->npanels; i++)
		if (tv_panel_find(options->panel[i]) == panel)
			return true;
	return options->npanels == 0 && panel->is_default;
}

bool tv_setting_is_frugal(const struct tv_setting *setting)
{
	/* Of space-time, how rows are drawn: all else lays more over them. Of other panels, all but what asks other passes. */
	static const char drawn[] = "height,gaps,labels,outliers,collapse", more[] = "counter,lack";
	const struct tv_panel *panel = setting->panel != NULL ? tv_panel_find(setting->panel)
							      : NULL;

	if (panel == NULL || panel->passes[0] == NULL)
		return false;
	if (panel == &tv_panel_spacetime)
		return tv_value_lists(drawn, setting->key);
	return !tv_value_lists(more, setting->key);
}

static bool has_greedy_setting(const struct tv_cli *cli)
{
	for (size_t i = 0; i < cli->nsettings; i++)
		if (!tv_setting_is_frugal(&cli->setting[i]))
			return true;
	return false;
}

/* A report contains more than its panels; settings make panels, layers and annotations read more; a cut trace may have
 * no tasks. */
static bool may_read_all(const struct tv_cli *cli, enum tv_medium medium)
{
	return medium == TV_HTML || has_greedy_setting(cli) || cli->restriction != NULL
	    || cli->phase != NULL;
}

unsigned tv_unread_by_figure(const struct tv_cli *cli, const struct tv_plot_options *options,
			     enum tv_medium medium)
{
	unsigned unread = TV_OMITTABLE;

	/* A selection may be without work, and is then drawn from its states or variables. */
	if (may_read_all(cli, medium) || tv_selected_from(cli) != 0
	    || strcmp(cli->kind, "app") != 0)
		return 0;
	for (size_t i = 0; i < tv_npanels; i++)
		if (tv_figure_has(options, tv_panels[i]))
			unread &= tv_panels[i]->reads != NULL ? ~tables_of(tv_panels[i]->reads) : 0;
	return unread;
}

void tv_columns_recalled(char **text)
{
	for (size_t p = 0; p < tv_npasses; p++) {
		const struct tv_pass *pass = tv_passes[p];

		for (size_t i = 0; pass->nrecalled > 0 && i < pass->ncolumns; i++)
			tv_append(text, " %s", pass->column[i].name);
	}
}

char *tv_columns_by_figure(const struct tv_cli *cli, const struct tv_plot_options *options,
			   enum tv_medium medium)
{
	char *text;

	if (may_read_all(cli, medium))
		return NULL;
	text = tv_strdup(TV_FIGURE_COLUMNS);
	tv_append(&text, " " TV_LINK_COLUMNS);
	if (cli->where != NULL)
		tv_append(&text, " %s", cli->where);
	tv_columns_recalled(&text);
	for (size_t i = 0; text != NULL && i < tv_npanels; i++) {
		if (!tv_figure_has(options, tv_panels[i]))
			continue;
		if (tv_panels[i]->columns == NULL) {
			tv_free(text);
			return NULL;
		}
		tv_append(&text, " %s", tv_panels[i]->columns);
	}
	return text;
}
