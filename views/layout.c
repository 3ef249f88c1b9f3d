/* SPDX-License-Identifier: GPL-3.0-or-later */
/* layout.c -- chooses panels, shares the height among them, puts them on the page. */
#include "views/layout.h"

#include <math.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/number.h"
#include "views/header.h"

static const double unit_usual = 36;		/* points for a share of 1 */
static const double aside_width = 94, aside_gap = 10, below_gap = 8;
static const double narrow = 5 * 72; /* pages under that width have no panels aside */

static bool is_timed(const struct tv_slot *slot)
{
	return slot->panel->kind == TV_TIMED;
}

/* The share and the place that the settings give. */
static int read_settings(struct tv_slot *slot, const struct tv_figure *figure,
			 struct tv_error *err)
{
	const char *place = tv_panel_option(figure, slot->panel, "place");
	double share;

	if (tv_panel_number(figure, slot->panel, "height", 0.05, 100, &share, err) < 0)
		return -1;
	slot->fixed = !isnan(share);
	slot->share = slot->fixed ? share : slot->panel->share;
	if (is_timed(slot))
		return 0;
	if (place != NULL && strcmp(place, "right") != 0 && strcmp(place, "below") != 0)
		return tv_fail_usage(err, "--%s.place '%s', expected right or below",
				     slot->panel->name, place);
	slot->aside = place != NULL ? strcmp(place, "right") == 0
				    : slot->panel->aside && figure->width >= narrow;
	return 0;
}

static void release(struct tv_slot *slot)
{
	if (slot->panel->release != NULL)
		slot->panel->release(slot);
	else
		tv_free(slot->state);
}

static int add_panel(struct tv_stack *stack, struct tv_figure *figure,
		     const struct tv_panel *panel, struct tv_error *err)
{
	struct tv_slot *slot = &stack->slot[stack->n];
	int rc;

	*slot = (struct tv_slot){ .panel = panel };
	if (read_settings(slot, figure, err) < 0)
		return -1;
	stack->n++;
	rc = panel->prepare == NULL ? 0 : panel->prepare(figure, slot, err);
	if (rc == TV_NOTHING) {
		stack->n--;
		release(slot);
	}
	return rc < 0 ? -1 : 0;
}

/* The usual panels; without tasks only the first, which then shows states. */
static bool is_usual(const struct tv_figure *figure, size_t i)
{
	return tv_panels[i]->usual && (i == 0 || !figure->rows.states);
}

int tv_stack_init(struct tv_stack *stack, struct tv_figure *figure, struct tv_error *err)
{
	const struct tv_plot_options *options = figure->options;
	const struct tv_panel *panel[TV_SLOTS_MAX];
	size_t n = 0;

	stack->n = 0;
	if (options->npanels > TV_SLOTS_MAX)
		return tv_fail_usage(err, "%zu panels, at most %d fit in a figure",
				     options->npanels, TV_SLOTS_MAX);
	for (size_t i = 0; i < options->npanels; i++) {
		panel[n++] = tv_panel_find(options->panel[i]);
		if (panel[i] == NULL)
			return tv_fail_usage(err, "no panel is named '%s'", options->panel[i]);
	}
	for (size_t i = 0; options->npanels == 0 && i < tv_npanels && n < TV_SLOTS_MAX; i++)
		if (is_usual(figure, i))
			panel[n++] = tv_panels[i];
	for (int timed = 1; timed >= 0; timed--)
		for (size_t i = 0; i < n; i++)
			if ((panel[i]->kind == TV_TIMED) == timed
			    && add_panel(stack, figure, panel[i], err) < 0)
				return -1;
	if (stack->n == 0)
		return tv_fail(err, (struct tv_pos){ 0 }, "nothing to draw: every panel that was "
			       "asked for lacks its data");
	return 0;
}

void tv_stack_release(struct tv_stack *stack)
{
	for (size_t i = 0; i < stack->n; i++)
		release(&stack->slot[i]);
	stack->n = 0;
}

/* Asks the panels what they want. */
static int measure(struct tv_stack *stack, struct tv_figure *figure, struct tv_error *err)
{
	for (size_t i = 0; i < stack->n; i++) {
		struct tv_slot *slot = &stack->slot[i];

		slot->room = (struct tv_room){ .least = 12 };
		if (slot->panel->measure(figure, slot, 0, err) < 0)
			return -1;
	}
	return 0;
}

/* The widest margins of the timed panels; whether they are wider than before. */
static bool widen(const struct tv_stack *stack, double *left, double *right)
{
	double before = *left + *right;

	for (size_t i = 0; i < stack->n; i++)
		if (is_timed(&stack->slot[i])) {
			*left = fmax(*left, stack->slot[i].room.left);
			*right = fmax(*right, stack->slot[i].room.right);
		}
	return *left + *right > before;
}

/* Points for a share of 1: as the panel likes best that knows what it likes. */
static double unit_of(const struct tv_stack *stack)
{
	for (size_t i = 0; i < stack->n; i++) {
		const struct tv_slot *slot = &stack->slot[i];

		if (is_timed(slot) && !slot->fixed && slot->room.height > 0)
			return fmax(slot->room.height / slot->share, unit_usual);
	}
	return unit_usual;
}

/* Whether a panel takes height of its own, below others. */
static bool stacks(const struct tv_slot *slot)
{
	return !slot->aside;
}

static double height_of(const struct tv_slot *slot, double wanted, double factor)
{
	return fmax(slot->room.least, wanted * factor);
}

static double sum_heights(const struct tv_stack *stack, const double *wanted, double factor)
{
	double sum = 0;

	for (size_t i = 0; i < stack->n; i++)
		if (stacks(&stack->slot[i]))
			sum += height_of(&stack->slot[i], wanted[i], factor);
	return sum;
}

/*
 * Heights of the panels: as they like, or all scaled to what there is, none below its least. room:
 * least and most that they may have in all (least 0 = as they like). TV_NOTHING with *err (usage)
 * when even their least heights are too much.
 */
static int share_height(struct tv_stack *stack, struct tv_figure *figure, double least,
			double most, struct tv_error *err)
{
	double unit = unit_of(stack), wanted[TV_SLOTS_MAX], low = 0, high = 1000, factor = 1;
	double cell = figure->scene->cell;

	for (size_t i = 0; i < stack->n; i++) {
		const struct tv_slot *slot = &stack->slot[i];

		wanted[i] = slot->room.height > 0 && !slot->fixed ? slot->room.height
								  : slot->share * unit;
	}
	if (sum_heights(stack, wanted, 0) > most) {
		tv_fail_usage(err, "the panels need at least %.2f in more height",
			      (sum_heights(stack, wanted, 0) - most) / 72);
		return TV_NOTHING;
	}
	if (sum_heights(stack, wanted, 1) > most || least > 0) {
		double goal = least > 0 ? least : most;

		for (int i = 0; i < 60; i++) {
			factor = (low + high) / 2;
			if (sum_heights(stack, wanted, factor) > goal)
				high = factor;
			else
				low = factor;
		}
		factor = low;
	}
	for (size_t i = 0; i < stack->n; i++) {
		struct tv_slot *slot = &stack->slot[i];
		double height = floor(height_of(slot, wanted[i], factor) / cell) * cell;

		if (!stacks(slot))
			continue;
		slot->given = height;
		if (slot->panel->measure(figure, slot, height, err) < 0)
			return -1;
		slot->place.height = is_timed(slot) && slot->room.height > 0 ? slot->room.height
									     : height;
	}
	return 0;
}

/* Margins above and below the panels that take height, rounded up to cells, and the axis. */
static double fixed_height(const struct tv_stack *stack, double cell)
{
	double sum = TV_MARGIN;
	bool timed = false;

	for (size_t i = 0; i < stack->n; i++) {
		const struct tv_slot *slot = &stack->slot[i];

		timed = timed || is_timed(slot);
		if (stacks(slot))
			sum += cell + (is_timed(slot) ? slot->room.top + slot->room.bottom
						      : below_gap);
	}
	return sum + (timed ? TV_AXIS_HEIGHT : 0);
}

/* The free panels at the right share the height of the stack. */
static int draw_aside(struct tv_stack *stack, struct tv_figure *figure, double top, double bottom,
		      struct tv_error *err)
{
	double shares = 0, y = top;

	for (size_t i = 0; i < stack->n; i++)
		shares += stack->slot[i].aside ? stack->slot[i].share : 0;
	for (size_t i = 0; i < stack->n; i++) {
		struct tv_slot *slot = &stack->slot[i];

		if (!slot->aside)
			continue;
		slot->place = (struct tv_place){
			.x = figure->x + figure->width + aside_gap, .y = y, .width = aside_width,
			.height = (bottom - top) * slot->share / shares,
		};
		y += slot->place.height;
		if (slot->panel->layout(figure, slot, err) < 0)
			return -1;
	}
	return 0;
}

static bool any_aside(const struct tv_stack *stack)
{
	for (size_t i = 0; i < stack->n; i++)
		if (stack->slot[i].aside)
			return true;
	return false;
}

static bool any_timed(const struct tv_stack *stack)
{
	return stack->n > 0 && is_timed(&stack->slot[0]);
}

/* Panels at the right need a stack beside them that is wide enough. */
static void make_room_aside(struct tv_stack *stack, struct tv_figure *figure)
{
	if (any_timed(stack) && any_aside(stack) && figure->width >= narrow / 2)
		figure->width -= aside_width + aside_gap;
	else
		for (size_t i = 0; i < stack->n; i++)
			stack->slot[i].aside = false;
}

/* What panels want depends on the width of the axis, that on their margins, and these on their
 * heights: repeated until the margins do. */
static int measure_all(struct tv_stack *stack, struct tv_figure *figure, double least, double most,
		       double *left, double *right, struct tv_error *err)
{
	bool timed = any_timed(stack);

	*left = tv_axis_left(figure);
	*right = 8;
	do {
		double fixed;
		int rc;

		if ((timed && tv_axis_place(figure, *left, *right, err) < 0)
		    || measure(stack, figure, err) < 0)
			return -1;
		fixed = fixed_height(stack, figure->scene->cell);
		rc = share_height(stack, figure, fmax(0, least - fixed), most - fixed, err);
		if (rc != 0)
			return rc;
	} while (widen(stack, left, right));
	return 0;
}

/* Takes away the last of the usual panels that can be done without; false if there is none. */
static bool drop_one(struct tv_stack *stack, struct tv_figure *figure, struct tv_error *err)
{
	size_t i = stack->n;

	if (figure->options->npanels > 0)
		return false;
	while (i-- > 1)
		if (!stack->slot[i].aside) {
			if (tv_panel_nothing(figure, stack->slot[i].panel, err,
					     "the figure has no room for it; give --height or "
					     "--panels") < 0)
				return false;
			release(&stack->slot[i]);
			memmove(&stack->slot[i], &stack->slot[i + 1],
				(--stack->n - i) * sizeof stack->slot[i]);
			return true;
		}
	return false;
}

int tv_stack_layout(struct tv_stack *stack, struct tv_figure *figure, double y, double least,
		    double most, double *end, struct tv_error *err)
{
	double left, right, cell = figure->scene->cell, top = y, whole = figure->width;
	bool timed = any_timed(stack);
	size_t i;
	int rc;

	make_room_aside(stack, figure);
	do
		rc = measure_all(stack, figure, least - y, most - y, &left, &right, err);
	while (rc == TV_NOTHING && drop_one(stack, figure, err));
	if (rc != 0)
		return -1;
	for (i = 0; i < stack->n && is_timed(&stack->slot[i]); i++) {
		struct tv_slot *slot = &stack->slot[i];

		slot->place.x = figure->axis.x;
		slot->place.width = figure->axis.width;
		slot->place.left = left;
		slot->place.right = right;
		slot->place.y = ceil((y + slot->room.top) / cell) * cell;
		if (slot->panel->layout(figure, slot, err) < 0)
			return -1;
		y = slot->place.y + slot->place.height + slot->room.bottom;
	}
	if (draw_aside(stack, figure, top, timed ? y + TV_AXIS_HEIGHT : y, err) < 0)
		return -1;
	if (timed)
		y = tv_axis_draw(figure, y);
	for (figure->width = whole; i < stack->n; i++) {
		struct tv_slot *slot = &stack->slot[i];

		if (slot->aside)
			continue;
		slot->place.x = figure->x;
		slot->place.width = figure->width;
		slot->place.y = ceil((y + below_gap) / cell) * cell;
		if (slot->panel->layout(figure, slot, err) < 0)
			return -1;
		y = slot->place.y + slot->place.height;
	}
	*end = y + TV_MARGIN;
	return 0;
}
