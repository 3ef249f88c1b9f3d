/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_parts.c -- which figures are drawn part by part. */
#include "cli/figure_parts.h"

#include <stdio.h>
#include <string.h>

#include "analysis/core/recall.h"
#include "analysis/passes.h"
#include "cli/unread.h"
#include "trace/alloc.h"
#include "views/panels.h"

/* Those of the header and of the rows of any figure. */
static const struct tv_pass *const own[] = { &tv_pass_bounds, &tv_pass_idleness,
					     &tv_pass_outliers };

/* The passes of a panel, at most TV_COUNT(panel->passes); how many. */
static size_t passes_of(const struct tv_panel *panel, const struct tv_pass **pass)
{
	size_t n = 0;

	while (n < TV_COUNT(panel->passes) && panel->passes[n] != NULL) {
		pass[n] = tv_pass_find(panel->passes[n]);
		n++;
	}
	return n;
}

static bool is_in_parts(const struct tv_panel *panel)
{
	const struct tv_pass *pass[TV_COUNT(panel->passes)];
	size_t n = passes_of(panel, pass);
	bool all = n > 0;

	for (size_t i = 0; i < n; i++) {
		const struct tv_options none = { pass[i]->option, pass[i]->noptions, NULL, NULL };

		all = all && pass[i]->in_parts != NULL && pass[i]->in_parts(&none);
	}
	return all;
}

static void add_words(char **words, const char *more)
{
	if (more != NULL)
		tv_append(words, " %s", more);
}

static void add_pass(struct tv_figure_pass *figure, const struct tv_pass *pass)
{
	struct tv_pass *to = &figure->pass;

	add_words(&figure->needs, pass->needs);
	add_words(&figure->columns, pass->columns);
	add_words(&figure->parted, pass->parted);
	/* One that is `within` reads later what all graphs are made of. */
	if (!pass->within)
		add_words(&figure->later, pass->later);
	to->excluding = to->excluding || pass->excluding;
	to->beside = pass->beside > to->beside ? pass->beside : to->beside;
}

void tv_figure_pass_init(struct tv_figure_pass *figure, const struct tv_plot_options *options,
			 enum tv_medium medium)
{
	*figure = (struct tv_figure_pass){ .pass = { .name = "plot",
						     .kind = TV_SUMMARIZE,
						     .all_columns = true,
						     .in_parts = tv_pass_always,
						     .linked = true } };
	/* Lines between rows are drawn where workers have another one. */
	figure->columns = tv_strdup("MemoryNode");
	figure->needs = tv_strdup("");
	for (size_t i = 0; i < TV_COUNT(own); i++)
		add_pass(figure, own[i]);
	for (size_t i = 0; i < tv_npanels; i++) {
		const struct tv_pass *pass[TV_COUNT(tv_panels[i]->passes)];
		size_t n = tv_figure_has(options, tv_panels[i]) ? passes_of(tv_panels[i], pass) : 0;

		for (size_t k = 0; k < n; k++)
			add_pass(figure, pass[k]);
	}
	/* Of hover texts, which are made while rows are drawn. */
	if (medium == TV_SVG)
		add_words(&figure->later, "JobId");
	tv_columns_recalled(&figure->columns);
	figure->pass.needs = figure->needs;
	figure->pass.columns = figure->columns;
	figure->pass.parted = figure->parted;
	figure->pass.later = figure->later;
}

void tv_figure_pass_release(struct tv_figure_pass *figure)
{
	tv_free(figure->needs);
	tv_free(figure->columns);
	tv_free(figure->parted);
	tv_free(figure->later);
	*figure = (struct tv_figure_pass){ 0 };
}

#define AT(member) offsetof(struct tv_cli, member)

/* An option that looks at all tasks at once; NULL = none. */
static const char *find_option(const struct tv_cli *cli)
{
	static const size_t about[] = { AT(boxes), AT(tiles) };

	return tv_cli_given(cli, about, TV_COUNT(about));
}

/* Why not, of a panel that needs all rows; others of the figure do not. */
static void name_others(const struct tv_plot_options *options, const struct tv_panel *panel,
			char *why)
{
	char *others = NULL;

	for (size_t i = 0; i < tv_npanels; i++)
		if (tv_figure_has(options, tv_panels[i]) && is_in_parts(tv_panels[i]))
			tv_append(&others, "%s%s", others != NULL ? "," : "", tv_panels[i]->name);
	snprintf(why, TV_PARTS_WHY, "the panel %s needs all rows at once, without it: --panels %s",
		 panel->name, others != NULL ? others : tv_panel_spacetime.name);
	tv_free(others);
}

bool tv_figure_in_parts(const struct tv_cli *cli, const struct tv_plot_options *options,
			enum tv_medium medium, char *why)
{
	const char *option = find_option(cli);

	why[0] = '\0';
	for (size_t i = 0; i < tv_npanels && why[0] == '\0'; i++)
		if (tv_figure_has(options, tv_panels[i]) && !is_in_parts(tv_panels[i]))
			name_others(options, tv_panels[i], why);
	if (why[0] == '\0' && medium == TV_HTML)
		snprintf(why, TV_PARTS_WHY, "only .pdf, .png and .svg are drawn part by part");
	else if (why[0] == '\0' && option != NULL)
		snprintf(why, TV_PARTS_WHY, "with --%s all rows are needed at once", option);
	for (size_t i = 0; i < cli->nsettings && why[0] == '\0'; i++)
		if (!tv_setting_is_frugal(&cli->setting[i]))
			snprintf(why, TV_PARTS_WHY, "with --%s%s%s all rows are needed at once",
				 cli->setting[i].panel != NULL ? cli->setting[i].panel : "",
				 cli->setting[i].panel != NULL ? "." : "", cli->setting[i].key);
	return why[0] == '\0';
}

void tv_figure_expect(const struct tv_plot_options *options, struct tv_run *run)
{
	const size_t
		each = 16,
		share = 4; /* bytes of a row that are kept for longer; of the memory that is left */
	size_t max = tv_memory_max(), used = tv_memory_used();

	/* Of several processes one might not get along. */
	if (run->team != NULL || used > max || run->parts->rows > (max - used) / share / each)
		return;
	for (size_t i = 0; i < tv_npanels; i++) {
		const struct tv_pass *pass[TV_COUNT(tv_panels[i]->passes)];
		size_t n = tv_figure_has(options, tv_panels[i]) ? passes_of(tv_panels[i], pass) : 0;

		for (size_t k = 0; k < n; k++)
			if (pass[k]->expect != NULL)
				pass[k]->expect(run);
	}
}

/* Whether the tasks are the output of a verb whose columns are drawn. */
static bool has_layer(const struct tv_table *tasks)
{
	for (size_t p = 0; p < tv_npasses; p++)
		if (tv_passes[p]->nrecalled > 0 && tv_pass_wrote(tv_passes[p], tasks))
			return true;
	return false;
}

const char *tv_figure_parts_reason(const struct tv_run *run)
{
	static const enum tv_table_id beside[] = { TV_LINKS, TV_CALLS };
	const struct tv_table *table = run->trace->table;

	if (run->tasks.ncounted == 0)
		return "no task ran";
	for (size_t i = 0; i < TV_COUNT(beside); i++)
		if (table[beside[i]].nrows > 0 || run->parts->of_table[beside[i]] > 0)
			return "messages or calls are drawn, too";
	return has_layer(&table[TV_TASKS])
		     ? "chains or dependencies are drawn, as the tasks have them"
		     : NULL;
}
