/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prepare.c -- chooses the panels of a grid and prepares them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/timings.h"
#include "views/annotate/annotations.h"
#include "views/page/layout.h"
#include "views/panels.h"

/* The share and the place that the settings give; they have been checked. */
static void read_settings(struct tv_slot *slot, const struct tv_figure *figure)
{
	const char *place = tv_panel_option(figure, slot->panel, "place");
	double share = tv_value_number(tv_panel_option(figure, slot->panel, "height"), NAN);

	slot->fixed = !isnan(share);
	slot->share = slot->fixed ? share : slot->panel->share;
	slot->aside = !tv_slot_timed(slot) && figure->facet == NULL
		   && (place != NULL ? strcmp(place, "right") == 0
				     : slot->panel->aside && figure->width >= TV_NARROW);
}

static void release(struct tv_slot *slot)
{
	if (slot->panel->release == NULL)
		tv_free(slot->state);
	else if (slot->state != NULL)
		slot->panel->release(slot);
}

static int add_panel(struct tv_stack *stack, struct tv_figure *figure, const struct tv_panel *panel,
		     size_t number, struct tv_error *err)
{
	struct tv_slot *slot = &stack->slot[stack->n];
	int rc;
	TV_STAGE("panel", panel->name);

	*slot = (struct tv_slot){ .panel = panel, .number = number };
	if (tv_panel_read(figure, slot, err) < 0)
		return -1;
	read_settings(slot, figure);
	stack->n++;
	slot->printed = (struct tv_printed){ figure->numbers, panel->name };
	rc = panel->prepare == NULL ? 0 : panel->prepare(figure, slot, err);
	slot->empty = rc == TV_NOTHING;
	return rc < 0 ? -1 : 0;
}

/* The default panels; without tasks only the first, which then shows states; of variables alone those of the machine. */
static bool is_default_panel(const struct tv_figure *figure, size_t i)
{
	const struct tv_panel *panel = tv_panels[i];

	/* Without dependencies it is what the panel of submitted tasks shows. */
	if (panel == &tv_panel_ready && figure->facet == NULL && !tv_run_depends(figure->run)
	    && figure->run->tasks.submit != NULL)
		return false;
	if (figure->rows->nrows == 0)
		return panel == &tv_panel_levels || panel == &tv_panel_topology;
	return (figure->facet != NULL ? panel->is_default_facet : panel->is_default)
	    && (i == 0 || !figure->states);
}

/* One panel per --zoom, after the space-time panel unless it is among those
 * chosen. Returns the number of panels. */
static size_t place_zooms(const struct tv_figure *figure, const struct tv_panel **panel, size_t n)
{
	size_t zooms = figure->notes != NULL ? figure->notes->nzooms : 0, at = 0, chosen = 0;

	for (size_t i = n; i-- > 0;) {
		if (panel[i] == &tv_panel_spacetime && chosen == 0)
			at = i + 1;
		if (panel[i] == &tv_panel_zoom) {
			at = i;
			chosen = 1;
		}
	}
	if (zooms <= chosen)
		return n;
	memmove(&panel[at + zooms - chosen], &panel[at], (n - at) * sizeof *panel);
	for (size_t i = 0; i < zooms; i++)
		panel[at + i] = &tv_panel_zoom;
	return n + zooms - chosen;
}

/* Which one of its panel the i-th is. */
static size_t number_of(const struct tv_panel *const *panel, size_t i)
{
	size_t number = 0;

	for (size_t k = 0; k < i; k++)
		number += panel[k] == panel[i];
	return number;
}

/* The default panels are those for which there are data: nobody asked for the others (--verbose names them). */
static void drop_warnings(struct tv_figure *figure, const struct tv_stack *stack)
{
	char warning[64];

	for (size_t i = 0; i < stack->n; i++)
		if (stack->slot[i].empty) {
			snprintf(warning, sizeof warning,
				 "panel %s left out: ", stack->slot[i].panel->name);
			tv_diagnostics_drop(&figure->run->diagnostics, warning);
		}
}

/* Those of a cell, or those that are about all cells. */
static int add_panels(struct tv_stack *stack, struct tv_figure *figure, bool wide,
		      struct tv_error *err)
{
	const struct tv_plot_options *options = figure->options;
	const struct tv_panel *panel[TV_SLOTS_MAX + TV_ZOOMS_MAX];
	size_t n = 0;

	if (options->npanels > TV_SLOTS_MAX)
		return tv_fail_usage(err, "%zu panels, at most %d fit in a figure",
				     options->npanels, TV_SLOTS_MAX);
	for (size_t i = 0; i < options->npanels; i++) {
		panel[n++] = tv_panel_find(options->panel[i]);
		if (panel[i] == NULL)
			return tv_fail_usage(err, "no panel is named '%s'", options->panel[i]);
	}
	for (size_t i = 0; options->npanels == 0 && i < tv_npanels && n < TV_SLOTS_MAX; i++)
		if (is_default_panel(figure, i))
			panel[n++] = tv_panels[i];
	n = place_zooms(figure, panel, n);
	if (n > TV_SLOTS_MAX)
		return tv_fail_usage(err, "%zu panels with the zooms, at most %d fit in a figure",
				     n, TV_SLOTS_MAX);
	for (int timed = 1; timed >= 0; timed--)
		for (size_t i = 0; i < n; i++)
			if ((panel[i]->kind == TV_TIMED) == timed && panel[i]->wide == wide
			    && add_panel(stack, figure, panel[i], number_of(panel, i), err) < 0)
				return -1;
	if ((options->npanels == 0 || options->usual) && !figure->run->trace->options.verbose)
		drop_warnings(figure, stack);
	return 0;
}

static void remove_slot(struct tv_stack *stack, size_t i)
{
	release(&stack->slot[i]);
	memmove(&stack->slot[i], &stack->slot[i + 1], (--stack->n - i) * sizeof stack->slot[i]);
}

void tv_grid_remove(struct tv_grid *grid, size_t i)
{
	for (size_t c = 0; c < grid->n; c++)
		remove_slot(&grid->cell[c].stack, i);
}

static bool empty_everywhere(const struct tv_grid *grid, size_t i)
{
	for (size_t c = 0; c < grid->n; c++)
		if (!grid->cell[c].stack.slot[i].empty)
			return false;
	return true;
}

static int prepare_wide(struct tv_grid *grid, struct tv_error *err)
{
	grid->whole = *grid->cell[0].figure;
	grid->whole.x = grid->x;
	grid->whole.width = grid->width;
	if (add_panels(&grid->wide, &grid->whole, true, err) < 0)
		return -1;
	for (size_t i = grid->wide.n; i-- > 0;)
		if (grid->wide.slot[i].empty)
			remove_slot(&grid->wide, i);
	return 0;
}

int tv_grid_prepare(struct tv_grid *grid, struct tv_error *err)
{
	const struct tv_stack *first = &grid->cell[0].stack;

	for (size_t c = 0; c < grid->n; c++)
		grid->cell[c].stack.n = 0;
	grid->wide.n = 0;
	for (size_t c = 0; c < grid->n; c++)
		if (add_panels(&grid->cell[c].stack, grid->cell[c].figure, false, err) < 0)
			return -1;
	if (grid->ends && prepare_wide(grid, err) < 0)
		return -1;
	for (size_t c = 1; c < grid->n; c++)
		if (grid->cell[c].stack.n != first->n)
			return tv_fail_usage(err, "runs with tasks and runs with states alone in "
						  "one figure, expected one kind");
	for (size_t i = first->n; i-- > 0;)
		if (empty_everywhere(grid, i))
			tv_grid_remove(grid, i);
	if (first->n == 0 && grid->wide.n == 0)
		return tv_fail(err, "nothing to draw: every panel that was "
				    "asked for lacks its data");
	return 0;
}

static void release_stack(struct tv_stack *stack)
{
	for (size_t i = 0; i < stack->n; i++)
		release(&stack->slot[i]);
	stack->n = 0;
}

void tv_grid_release(struct tv_grid *grid)
{
	for (size_t c = 0; c < grid->n; c++)
		release_stack(&grid->cell[c].stack);
	release_stack(&grid->wide);
}

static bool is_typed(const struct tv_stack *stack)
{
	for (size_t i = 0; i < stack->n; i++)
		if (!stack->slot[i].panel->untyped)
			return true;
	return false;
}

bool tv_grid_typed(const struct tv_grid *grid)
{
	return is_typed(&grid->cell[0].stack) || is_typed(&grid->wide);
}
