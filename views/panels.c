/* SPDX-License-Identifier: GPL-3.0-or-later */
/* panels.c -- the table of panels, and what they ask of their figure. */
#include "views/panels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/number.h"

const struct tv_panel *const tv_panels[] = {
	&tv_panel_spacetime,
	&tv_panel_zoom,
	&tv_panel_idle_causes,
	&tv_panel_ready,
	&tv_panel_submitted,
	&tv_panel_progress,
	&tv_panel_abe,
	&tv_panel_lack,
	&tv_panel_concurrency,
	&tv_panel_usage,
	&tv_panel_gflops,
	&tv_panel_utilisation,
	&tv_panel_imbalance,
	&tv_panel_power_imbalance,
	&tv_panel_hetero_imbalance,
	&tv_panel_open_iterations,
	&tv_panel_counter,
	&tv_panel_lifecycle,
	&tv_panel_durations,
	&tv_panel_model,
	&tv_panel_states,
	&tv_panel_events,
	&tv_panel_tree,
	&tv_panel_tree_usage,
	&tv_panel_active_nodes,
	&tv_panel_node_memory,
	&tv_panel_tree_structure,
	&tv_panel_dag,
	&tv_panel_diff,
};
const size_t tv_npanels = TV_COUNT(tv_panels);

const struct tv_panel *tv_panel_find(const char *name)
{
	for (size_t i = 0; i < tv_npanels; i++)
		if (strcmp(tv_panels[i]->name, name) == 0)
			return tv_panels[i];
	return NULL;
}

const char *tv_panel_option(const struct tv_figure *figure, const struct tv_panel *panel,
			    const char *name)
{
	const char *value = tv_setting(figure->options, panel->name, name);

	for (size_t i = 0; value == NULL && i < panel->noptions; i++)
		if (strcmp(panel->option[i].name, name) == 0)
			return panel->option[i].fallback;
	return value;
}

int tv_panel_number(const struct tv_figure *figure, const struct tv_panel *panel, const char *name,
		    double least, double most, double *value, struct tv_error *err)
{
	const char *text = tv_panel_option(figure, panel, name);

	*value = NAN;
	if (text == NULL)
		return 0;
	if (tv_parse_double(text, strlen(text), value) != TV_PARSE_OK
	    || !(*value >= least && *value <= most))
		return tv_fail_usage(err, "--%s.%s '%s', expected a number from %g to %g",
				     panel->name, name, text, least, most);
	return 0;
}

static int leave_out(struct tv_figure *figure, const char *what, struct tv_error *err,
		     const char *why)
{
	return tv_remark(figure->run, err, "%s left out: %s", what, why) < 0 ? -1 : TV_NOTHING;
}

int tv_panel_nothing(struct tv_figure *figure, const struct tv_panel *panel, struct tv_error *err,
		     const char *why)
{
	char what[64];

	snprintf(what, sizeof what, "panel %s", panel->name);
	return leave_out(figure, what, err, why);
}

int tv_panel_pass_for(struct tv_figure *figure, const char *what, const char *pass,
		      const char *const *option, const struct tv_table **result,
		      struct tv_error *err)
{
	const struct tv_pass *of = tv_pass_find(pass);
	struct tv_error why = { 0 };

	*result = NULL;
	if (figure->run->view.ncounted == 0 && !of->taskless)
		return leave_out(figure, what, err, "the trace has no tasks that count");
	if (of->windowless && figure->run->window.set)
		return leave_out(figure, what, err, "it describes the whole run, not a window");
	*result = tv_run_pass_named(figure->run, pass, option, &why);
	if (*result != NULL)
		return 0;
	if (why.status == TV_USAGE || why.memory) {
		*err = why;
		return why.memory ? -1 : tv_fail_about(err, what);
	}
	return leave_out(figure, what, err, why.text);
}

int tv_panel_pass(struct tv_figure *figure, const struct tv_panel *panel, const char *pass,
		  const char *const *option, const struct tv_table **result, struct tv_error *err)
{
	char what[64];

	snprintf(what, sizeof what, "panel %s", panel->name);
	return tv_panel_pass_for(figure, what, pass, option, result, err);
}
