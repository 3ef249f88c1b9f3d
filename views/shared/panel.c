/* SPDX-License-Identifier: GPL-3.0-or-later */
/* panel.c -- options of panels, results of passes for them. */
#include "views/shared/panel.h"

#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"

const struct tv_option_spec tv_panel_height = {
	"height", "N", NULL, "height, relative: spacetime has 4", TV_OPTION_NUMBER, 0.05, 100
};
const struct tv_option_spec tv_panel_place = {
	"place", "right|below", NULL, "place: right of the time axis (needs 5 in), or below it",
	TV_OPTION_CHOICE
};

/* The row of an option of the panel, or of one that all panels take. */
static const struct tv_option_spec *row_of(const struct tv_panel *panel, const char *name)
{
	if (strcmp(name, tv_panel_height.name) == 0)
		return &tv_panel_height;
	if (strcmp(name, tv_panel_place.name) == 0)
		return &tv_panel_place;
	return tv_option_row(panel->option, panel->noptions, name);
}

const char *tv_panel_option(const struct tv_figure *figure, const struct tv_panel *panel,
			    const char *name)
{
	const struct tv_option_spec *row = row_of(panel, name);
	const char *value = tv_setting(figure->options, panel->name, name);

	return value == NULL ? row->default_value : value;
}

static int check(const struct tv_figure *figure, const struct tv_panel *panel,
		 const struct tv_option_spec *spec, struct tv_error *err)
{
	const char *value = tv_setting(figure->options, panel->name, spec->name);
	char prefix[64];

	snprintf(prefix, sizeof prefix, "%s.", panel->name);
	return tv_option_check(spec, prefix, value, err);
}

int tv_panel_read(const struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const struct tv_panel *panel = slot->panel;

	for (size_t i = 0; i < panel->noptions; i++)
		if (check(figure, panel, &panel->option[i], err) < 0)
			return -1;
	if ((panel->kind == TV_FREE && check(figure, panel, &tv_panel_place, err) < 0)
	    || check(figure, panel, &tv_panel_height, err) < 0)
		return -1;
	if (panel->state > 0)
		slot->state = tv_alloc(1, panel->state);
	for (size_t i = 0; i < panel->noptions; i++)
		tv_option_fill(&panel->option[i],
			       tv_setting(figure->options, panel->name, panel->option[i].name),
			       slot->state, panel->state);
	return 0;
}

static int leave_out(struct tv_figure *figure, const char *what, const char *why)
{
	tv_run_warn(figure->run, "%s left out: %s", what, why);
	return TV_NOTHING;
}

size_t tv_panel_pass_options(const struct tv_figure *figure, const struct tv_panel *panel,
			     const struct tv_pass_option *option, const char **text, size_t n)
{
	for (; option != NULL && option->name != NULL; option++) {
		if (n + 2 > 2 * TV_PASS_OPTIONS_MAX)
			tv_bug("the panel %s gives its pass too many options", panel->name);
		text[n++] = option->name;
		text[n++] = option->value != NULL ? option->value
						  : tv_panel_option(figure, panel, option->name);
	}
	text[n] = NULL;
	return n;
}

int tv_panel_nothing(struct tv_figure *figure, const struct tv_panel *panel, const char *why)
{
	char what[64];

	snprintf(what, sizeof what, "panel %s", panel->name);
	return leave_out(figure, what, why);
}

/* Whether the pass can be computed; if not, as tv_panel_pass_for. */
static int check_pass(struct tv_figure *figure, const char *what, const char *pass)
{
	const struct tv_pass *of = tv_pass_find(pass);

	if (figure->run->tasks.ncounted == 0 && !of->taskless
	    && !(of->pending && figure->run->tasks.npending > 0))
		return leave_out(figure, what, "the trace has no tasks that count");
	if (of->windowless && tv_run_cut(figure->run))
		return leave_out(figure, what, "it describes the whole run, not a window");
	return 0;
}

/* It could not be computed, and why. Where rows come part by part, not because of the trace: then there is no figure. */
static int fail_pass(struct tv_figure *figure, const char *what, const struct tv_error *why,
		     struct tv_error *err)
{
	if (why->status != TV_USAGE && !why->parts)
		return leave_out(figure, what, why->text);
	*err = *why;
	return why->parts ? -1 : tv_fail_about(err, what);
}

int tv_panel_pass_for(struct tv_figure *figure, const char *what, const char *pass,
		      const char *const *option, const struct tv_table **result,
		      struct tv_error *err)
{
	struct tv_error why = { 0 };
	int rc = check_pass(figure, what, pass);

	*result = NULL;
	if (rc == 0)
		*result = tv_run_pass_named(figure->run, pass, option, &why);
	return rc != 0 || *result != NULL ? rc : fail_pass(figure, what, &why, err);
}

int tv_panel_curve(struct tv_figure *figure, const struct tv_panel *panel, const char *pass,
		   const char *const *option, const struct tv_packed **result, struct tv_error *err)
{
	struct tv_error why = { 0 };
	char what[64];
	int rc;

	snprintf(what, sizeof what, "panel %s", panel->name);
	rc = check_pass(figure, what, pass);
	*result = rc == 0 ? tv_run_curve(figure->run, pass, option, &why) : NULL;
	return rc != 0 || *result != NULL ? rc : fail_pass(figure, what, &why, err);
}

int tv_panel_pass(struct tv_figure *figure, const struct tv_panel *panel, const char *pass,
		  const char *const *option, const struct tv_table **result, struct tv_error *err)
{
	char what[64];

	snprintf(what, sizeof what, "panel %s", panel->name);
	return tv_panel_pass_for(figure, what, pass, option, result, err);
}

double tv_slot_width(const struct tv_figure *figure, const struct tv_slot *slot)
{
	if (slot->aside)
		return slot->place.width;
	return figure->facet != NULL ? figure->width : figure->scene->width - 2 * TV_MARGIN;
}
