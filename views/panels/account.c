/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account.c -- the panel of the steps from the area bound to the makespan. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dag/blame.h"
#include "trace/alloc.h"
#include "trace/sorted.h"
#include "trace/text.h"
#include "views/charts/plane.h"
#include "views/scene/palette.h"
#include "views/shared/panel.h"

enum {
	COLOR_ALLOCATION = 0x6a51a3,
	COLOR_DURATIONS = 0xb2182b,
	COLOR_OTHER = 0x8c6d31,
	COLOR_OVERLAP = 0x1b7837,
	COLOR_REST = 0xbdbdbd,
};

/* A bar: a part of the account, or what the others are together. */
struct step {
	int64_t time, begin; /* ns; begin: after the area bound */
	uint32_t row;	     /* of the account; TV_NONE = the others */
	uint32_t color;
	char name[120];
};

struct account {
	const struct tv_table *table;
	struct step *step;
	size_t n;
	int64_t makespan, area, low, high; /* low, high: of the bars, after the area bound */
	double names, numbers;		   /* widths of columns, points */
	double top;			   /* of the strip */
	char title[200];
	struct tv_key key[3]; /* other bounds */
	int64_t at[3];	      /* where they are, after the area bound */
	size_t nkeys;
};

static const double row_height = 9.4, bar_share = 0.7, pad = 4, names_max = 0.42;

/* ---- what is shown ---- */

static bool is_in(const struct tv_table *table, uint32_t row, const char *section)
{
	return strcmp(tv_table_text(table, "Section", row), section) == 0;
}

static int64_t time_of(const struct tv_table *table, uint32_t row)
{
	return tv_table_find(table, "Time")->i[row];
}

/* The time of a bound; -1 = the account does not have it. */
static int64_t bound_of(const struct tv_table *table, const char *name)
{
	for (uint32_t row = 0; row < table->nrows; row++)
		if (is_in(table, row, "bound")
		    && strcmp(tv_table_text(table, "Part", row), name) == 0)
			return time_of(table, row);
	return -1;
}

static uint32_t idle_color(const char *cause, const char *blame)
{
	const struct tv_idle_words *words = tv_idle_words(blame[0] != '\0' ? blame : cause);

	return words != NULL ? words->color : TV_GRAY;
}

/* The name of a part, in words: "CPU idle: drain", "dtrsm on CUDA". */
static void describe(struct step *step, const struct tv_table *table, uint32_t row)
{
	const char *part = tv_table_text(table, "Part", row),
		   *cause = tv_table_text(table, "Cause", row),
		   *blame = tv_table_text(table, "Blame", row);
	char rtype[40], value[40];

	tv_clean_text(rtype, sizeof rtype, tv_table_text(table, "ResourceType", row));
	tv_clean_text(value, sizeof value, tv_table_text(table, "Value", row));
	if (strcmp(part, "idle") == 0) {
		snprintf(step->name, sizeof step->name, "%s idle: %s", rtype,
			 blame[0] != '\0' ? blame : cause);
		step->color = idle_color(cause, blame);
	} else if (strcmp(part, "allocation") == 0) {
		snprintf(step->name, sizeof step->name, "%s on %s", value, rtype);
		step->color = COLOR_ALLOCATION;
	} else if (strcmp(part, "durations") == 0) {
		snprintf(step->name, sizeof step->name, "%s on %s: %s", value, rtype, cause);
		step->color = COLOR_DURATIONS;
	} else if (strcmp(part, "open") == 0) {
		snprintf(step->name, sizeof step->name, "%s on %s: not ended", value, rtype);
		step->color = COLOR_OTHER;
	} else {
		snprintf(step->name, sizeof step->name, "%s %s", rtype, part);
		step->color = strcmp(part, "other") == 0 ? COLOR_OTHER : COLOR_OVERLAP;
	}
}

static int by_size(const void *a, const void *b)
{
	const struct step *x = a, *y = b;
	int64_t p = llabs(x->time), q = llabs(y->time);

	return p != q ? TV_COMPARE(q, p) : TV_COMPARE(x->row, y->row);
}

/* The largest parts, and after them the sum of the others. */
static void read_steps(struct account *account, uint64_t max)
{
	const struct tv_table *table = account->table;
	size_t all = 0;

	account->step = tv_alloc((size_t)table->nrows + 1, sizeof *account->step);
	for (uint32_t row = 0; row < table->nrows; row++)
		if (is_in(table, row, "part") && time_of(table, row) != 0) {
			account->step[all].time = time_of(table, row);
			account->step[all++].row = row;
		}
	if (all > 0)
		qsort(account->step, all, sizeof *account->step, by_size);
	account->n = all;
	if (all > max + 1) {
		struct step *rest = &account->step[max];

		for (size_t i = max + 1; i < all; i++)
			rest->time += account->step[i].time;
		rest->row = TV_NONE;
		rest->color = COLOR_REST;
		snprintf(rest->name, sizeof rest->name, "%zu other parts", all - (size_t)max);
		account->n = (size_t)max + 1;
	}
	for (size_t i = 0; i < account->n; i++)
		if (account->step[i].row != TV_NONE)
			describe(&account->step[i], table, account->step[i].row);
}

static void place_steps(struct account *account)
{
	int64_t at = 0;

	for (size_t i = 0; i < account->n; i++) {
		account->step[i].begin = at;
		at += account->step[i].time;
		account->low = at < account->low ? at : account->low;
		account->high = at > account->high ? at : account->high;
	}
}

/* Bounds above the area bound, with the lines that show them. */
static void read_bounds(struct account *account, const struct tv_unit *unit,
			const struct tv_printed *printed)
{
	static const struct {
		const char *name, *text;
		enum tv_key_kind kind;
	} bounds[] = {
		{ "cpe", "cpe", TV_KEY_DASHDOT },
		{ "tight", "tight", TV_KEY_DASHED },
		{ "placement", "placement", TV_KEY_DOTTED },
	};

	for (size_t i = 0; i < TV_COUNT(bounds); i++) {
		int64_t time = bound_of(account->table, bounds[i].name);
		struct tv_key *key = &account->key[account->nkeys];
		char text[40];

		if (time <= account->area || time > account->makespan)
			continue;
		tv_time_text(text, sizeof text, time, unit);
		*key = (struct tv_key){ .kind = bounds[i].kind, .color = TV_INK };
		snprintf(key->text, sizeof key->text, "%s %s", bounds[i].text,
			 tv_print_number(printed, "Bound", bounds[i].name, NULL, "%s", text));
		account->at[account->nkeys++] = time - account->area;
	}
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const char *durations = tv_panel_option(figure, slot->panel, "durations");
	struct account *account = slot->state = tv_alloc(1, sizeof *account);
	char area[40], makespan[40];
	int rc = tv_panel_pass(figure, slot->panel, "account",
			       (const char *const[]){ "durations", durations, NULL },
			       &account->table, err);

	if (rc != 0)
		return rc;
	account->makespan = bound_of(account->table, "makespan");
	account->area = bound_of(account->table, "area");
	read_steps(account, tv_panel_count(figure, slot->panel, "parts", 0));
	if (account->n == 0)
		return tv_panel_nothing(figure, slot->panel,
					"the makespan is the area bound, so there is nothing to "
					"divide");
	place_steps(account);
	read_bounds(account, figure->unit, &slot->printed);
	tv_time_text(area, sizeof area, account->area, figure->unit);
	tv_time_text(makespan, sizeof makespan, account->makespan, figure->unit);
	snprintf(account->title, sizeof account->title,
		 "from the area bound, %s, to the makespan, %s",
		 tv_print_number(&slot->printed, "AreaBound", NULL, NULL, "%s", area),
		 tv_print_number(&slot->printed, "Makespan", NULL, NULL, "%s", makespan));
	return 0;
}

/* ---- the picture ---- */

static void number_text(const struct account *account, int64_t time, const struct tv_unit *unit,
			char *out, size_t size)
{
	int64_t all = account->makespan - account->area;
	char text[40];

	tv_unit_text(text, sizeof text, llabs(time), unit);
	if (all > 0)
		snprintf(out, size, "%s%s (%.1f %%)", time < 0 ? "-" : "", text,
			 100 * (double)time / (double)all);
	else
		snprintf(out, size, "%s%s", time < 0 ? "-" : "", text);
}

static void measure_columns(struct account *account, const struct tv_figure *figure, double width)
{
	struct tv_text *text = figure->scene->text;

	account->names = account->numbers = 0;
	for (size_t i = 0; i < account->n; i++) {
		char number[80];

		number_text(account, account->step[i].time, figure->unit, number, sizeof number);
		account->names = fmax(account->names, tv_text_width(text, account->step[i].name,
								    TV_TEXT_SMALL, false));
		account->numbers = fmax(account->numbers,
					tv_text_width(text, number, TV_TEXT_SMALL, false));
	}
	account->names = fmin(account->names, names_max * width);
}

static void measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	struct account *account = slot->state;
	double width = tv_slot_width(figure, slot);

	(void)height;
	account->top = tv_strip_height(figure, account->title, account->key, account->nkeys, width);
	slot->high = (double)account->high;
	slot->request.height = account->top + row_height * (double)account->n + TV_PLANE_BELOW
			     + figure->scene->cell;
	slot->request.min = slot->request.height;
}

static void draw_step(struct tv_figure *figure, const struct account *account,
		      const struct tv_plane *plane, size_t i)
{
	const struct step *step = &account->step[i];
	struct tv_scene *scene = figure->scene;
	double y = plane->y + row_height * ((double)i + 0.5), unit = (double)figure->unit->ns;
	struct tv_point from, to;
	char text[220], number[80];

	tv_plane_at(plane, (double)step->begin / unit, 0, &from);
	tv_plane_at(plane, (double)(step->begin + step->time) / unit, 0, &to);
	number_text(account, step->time, figure->unit, number, sizeof number);
	tv_scene_pen(scene, "step", step->name);
	scene->pen.fill = step->color;
	scene->pen.row = step->row;
	snprintf(text, sizeof text, "%s: %s", step->name, number);
	scene->pen.label = scene->labels ? tv_scene_string(scene, text) : 0;
	tv_scene_rect(scene, TV_PAGE, fmin(from.x, to.x), y - row_height * bar_share / 2,
		      fmax(from.x, to.x), y + row_height * bar_share / 2);
	/* Where the next one begins. */
	if (i + 1 < account->n) {
		tv_scene_pen(scene, "joint", "account");
		scene->pen.stroke = TV_DIM;
		tv_scene_line(scene, TV_PAGE, to.x, y, to.x, y + row_height);
	}
	tv_scene_pen(scene, "name", "account");
	scene->pen.fill = TV_INK;
	tv_text_fit(scene->text, step->name, TV_TEXT_SMALL, false, account->names + 0.01, text,
		    sizeof text);
	tv_scene_text(scene, plane->x - pad, y, TV_RIGHT, TV_TEXT_SMALL, false, text);
	tv_scene_text(scene, plane->x + plane->width + pad + account->numbers, y, TV_RIGHT,
		      TV_TEXT_SMALL, false, number);
}

static void draw_bounds(struct tv_figure *figure, const struct account *account,
			const struct tv_plane *plane)
{
	for (size_t i = 0; i < account->nkeys; i++) {
		struct tv_scene *scene = figure->scene;
		struct tv_point at;

		tv_plane_at(plane, (double)account->at[i] / (double)figure->unit->ns, 0, &at);
		tv_scene_pen(scene, "bound", "account");
		scene->pen.stroke = TV_INK;
		scene->pen.width = 0.7;
		scene->pen.dash = account->key[i].kind == TV_KEY_DASHED ? TV_DASHED
				: account->key[i].kind == TV_KEY_DOTTED ? TV_DOTTED
									: TV_DASHDOT;
		tv_scene_line(scene, TV_PAGE, at.x, plane->y, at.x, plane->y + plane->height);
	}
}

static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	struct account *account = slot->state;
	const struct tv_place *place = &slot->place;
	struct tv_scene *scene = figure->scene;
	double unit = (double)figure->unit->ns, high;
	struct tv_plane plane = { .y = place->y + account->top,
				  .height = row_height * (double)account->n };
	char axis[80];

	measure_columns(account, figure, place->width);
	high = fmax((double)account->high, slot->common);
	plane.x = place->x + account->names + pad;
	plane.width = place->width - account->names - account->numbers - 2 * pad;
	plane.across = tv_scale_for(scene->text, (double)account->low / unit, high / unit, false,
				    true, plane.width, NULL, 0);
	tv_strip_draw(figure, account->title, account->key, account->nkeys, place->x, plane.y,
		      place->width);
	if (plane.width < 20 || plane.y + plane.height > place->y + place->height)
		return;
	tv_plane_grid(scene, &plane);
	for (size_t i = 0; i < account->n; i++)
		draw_step(figure, account, &plane, i);
	draw_bounds(figure, account, &plane);
	snprintf(axis, sizeof axis, "above the area bound, %s", figure->unit->name);
	tv_plane_axes(scene, &plane, axis, NULL);
}

static void release(struct tv_slot *slot)
{
	struct account *account = slot->state;

	tv_free(account->step);
	tv_free(account);
}

static const struct tv_option_spec options[] = {
	{ "parts", "N", "10", "max number of parts; the others become one", TV_OPTION_COUNT, 1,
	  1000 },
	{ "durations", "mean|median|minimum", "mean", "as of the pass account", TV_OPTION_CHOICE },
};

const struct tv_panel tv_panel_account = {
	.name = "account",
	.title = "the time from the area bound to the makespan, by cause",
	.needs = "tasks (better with DependsOn, SubmitTime, links, states)",
	.kind = TV_FREE,
	.share = 2,
	TV_OPTIONS(options),
	.prepare = prepare,
	.measure = measure,
	.layout = layout,
	.release = release,
};
