/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_parts.c -- which figures are drawn part by part. */
#include "cli/figure_parts.h"

#include <stdio.h>
#include <string.h>

#include "analysis/core/recall.h"
#include "analysis/passes.h"
#include "views/panels.h"

/* Of the passes of header and rows, bounds, idleness, outliers and stragglers (tv_columns_of_parts), bounds needs most. */
const struct tv_pass tv_figure_pass = {
	.name = "plot",
	.kind = TV_SUMMARIZE,
	.needs = "links resources",
	.all_columns = true,
	.in_parts = tv_pass_always,
	.linked = true,
	.beside = 120,
};

#define AT(member) offsetof(struct tv_cli, member)

/* An option that looks at all tasks at once; NULL = none. */
static const char *find_option(const struct tv_cli *cli)
{
	static const size_t about[] = { AT(where),    AT(only),	 AT(exclude), AT(node),
					AT(resource), AT(kind),	 AT(rows),    AT(row_order),
					AT(caption),  AT(boxes), AT(tiles) };

	return tv_cli_given(cli, about, TV_COUNT(about));
}

bool tv_figure_in_parts(const struct tv_cli *cli, const struct tv_plot_options *options,
			enum tv_medium medium, char *why)
{
	const char *option = find_option(cli);

	why[0] = '\0';
	if (options->npanels == 0)
		snprintf(why, TV_PARTS_WHY,
			 "default panels need all rows at once: --panels spacetime does not");
	for (size_t i = 0; i < options->npanels && why[0] == '\0'; i++)
		if (tv_panel_find(options->panel[i]) != &tv_panel_spacetime)
			snprintf(why, TV_PARTS_WHY,
				 "the panel %s needs all rows at once: --panels spacetime does not",
				 options->panel[i]);
	if (why[0] == '\0' && medium != TV_PDF && medium != TV_PNG)
		snprintf(why, TV_PARTS_WHY, "only .pdf and .png are drawn part by part");
	else if (why[0] == '\0' && option != NULL)
		snprintf(why, TV_PARTS_WHY, "with --%s all rows are needed at once", option);
	else if (why[0] == '\0' && cli->nsettings > 0)
		snprintf(why, TV_PARTS_WHY, "with --%s%s%s all rows are needed at once",
			 cli->setting[0].panel != NULL ? cli->setting[0].panel : "",
			 cli->setting[0].panel != NULL ? "." : "", cli->setting[0].key);
	return why[0] == '\0';
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
