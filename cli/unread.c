/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unread.c -- the tables that a command does not read, so that readers of traces may leave them out. */
#include "cli/unread.h"

#include <string.h>

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

unsigned tv_unread_by_pass(const struct tv_cli *cli)
{
	const struct tv_pass *pass = cli->verb.pass;
	const struct tv_options options = { pass->option, pass->noptions, cli->own_value, NULL };

	if (pass->any_table != NULL && tv_option_given(&options, pass->any_table))
		return 0;
	return TV_OMITTABLE & ~tables_of(pass->needs) & ~tv_selected_from(cli);
}

bool tv_windowed_by_pass(const struct tv_cli *cli)
{
	const struct tv_pass *pass = cli->verb.pass;
	bool whole = pass->windowed && strcmp(cli->kind, "app") == 0 && cli->region == NULL
		  && cli->restriction == NULL && cli->phase == NULL;

	for (size_t i = 0; i < pass->noptions; i++)
		whole = whole && cli->own_value[i] == NULL;
	return whole && (cli->begin != NULL || cli->end != NULL);
}

char *tv_columns_by_pass(const struct tv_cli *cli, bool printed)
{
	const struct tv_pass *pass = cli->verb.pass;
	const struct tv_options options = { pass->option, pass->noptions, cli->own_value, NULL };
	const char *const expression[] = { cli->where, cli->restriction };
	char *text;

	if (pass->columns == NULL || (printed && pass->kind == TV_ANNOTATE) || cli->region != NULL
	    || (pass->any_table != NULL && tv_option_given(&options, pass->any_table)))
		return NULL;
	text = tv_strdup(pass->columns);
	for (size_t i = 0; i < options.n; i++)
		if (tv_option_value(&options, i) != NULL)
			tv_append(&text, " %s", tv_option_value(&options, i));
	for (size_t i = 0; i < TV_COUNT(expression); i++)
		if (expression[i] != NULL)
			tv_append(&text, " %s", expression[i]);
	return text;
}

/* Whether a panel is in the figure of a run. */
static bool is_drawn(const struct tv_plot_options *options, const struct tv_panel *panel)
{
	for (size_t i = 0; i < options->npanels; i++)
		if (strcmp(options->panel[i], panel->name) == 0)
			return true;
	return options->npanels == 0 && panel->is_default;
}

unsigned tv_unread_by_figure(const struct tv_cli *cli, const struct tv_plot_options *options,
			     enum tv_medium medium)
{
	unsigned unread = TV_OMITTABLE;

	/* A report contains more than its panels; settings make panels, layers and annotations read
	 * more; a part of a trace may be without work, and is then drawn from its states or
	 * variables. */
	if (medium == TV_HTML || tv_selected_from(cli) != 0 || cli->nsettings > 0
	    || cli->caption != NULL || strcmp(cli->kind, "app") != 0 || cli->restriction != NULL
	    || cli->phase != NULL)
		return 0;
	for (size_t i = 0; i < tv_npanels; i++)
		if (is_drawn(options, tv_panels[i]))
			unread &= tv_panels[i]->reads != NULL ? ~tables_of(tv_panels[i]->reads) : 0;
	return unread;
}
