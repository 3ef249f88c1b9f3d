/* SPDX-License-Identifier: GPL-3.0-or-later */
/* axis.c -- the times that the figure shows, their places and ticks. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/calls/calls.h"
#include "trace/number.h"
#include "views/shared/figure.h"

static const double stub_max = 16, stub_min = 4, stub_gap = 2.4; /* points */

/* b - a, or a negative number if that does not fit. */
static int64_t span(int64_t a, int64_t b)
{
	int64_t length;

	return __builtin_sub_overflow(b, a, &length) || length > INT64_MAX / 4 ? -1 : length;
}

/* Unit and base of an axis whose begin and end are set; the base stays if it has an origin. */
static void axis_units(struct tv_axis *axis)
{
	int64_t from = axis->origin != NULL ? axis->begin - axis->base : axis->begin;
	int64_t to = axis->origin != NULL ? axis->end - axis->base : axis->end;
	int64_t size = to > -from ? to : -from;

	if (axis->origin != NULL) {
		axis->unit = tv_unit_for(size);
		return;
	}
	/* Labels of a scale far from 0 would be all digits alike: they count from its begin. */
	axis->base = size / 1000 > axis->end - axis->begin ? axis->begin : 0;
	axis->unit = tv_unit_for(axis->base != 0 ? axis->end - axis->begin : size);
}

static bool is_called(const struct tv_column *name, uint32_t row, const char *call)
{
	uint32_t label = tv_label(name, row);
	const char *text = label == TV_NONE ? "" : tv_pool_text(name->pool, label);

	text += text[0] == 'P';
	return strncmp(text, call, strlen(call)) == 0;
}

/* Extends [*begin, *end] by the rows of a table, by those of MPI_Init only to their end, by those of MPI_Finalize from their begin:
 * what lies between belongs to the run. */
static void span_rows(const struct tv_table *table, const char *name, int64_t *begin, int64_t *end)
{
	const struct tv_column *of = tv_table_find(table, name),
			       *start = tv_table_find(table, "Start"),
			       *finish = tv_table_find(table, "End");

	for (uint32_t row = 0; of != NULL && start != NULL && finish != NULL && row < table->nrows;
	     row++) {
		int64_t from, to;

		if (tv_missing(start, row) || tv_missing(finish, row)
		    || is_called(of, row, "MPI_Initialized") || is_called(of, row, "MPI_Finalized"))
			continue;
		from = is_called(of, row, "MPI_Init") ? finish->i[row] : start->i[row];
		to = is_called(of, row, "MPI_Finalize") ? start->i[row] : finish->i[row];
		*begin = from < *begin ? from : *begin;
		*end = to > *end ? to : *end;
	}
}

/* In a figure without tasks: leaves out what is before the end of MPI_Init or after the begin of MPI_Finalize, if that is a
 * tenth of it or more, or the figure compares runs. Whether it did. */
static bool leave_out_setup(struct tv_figure *figure, int64_t *begin, int64_t *end)
{
	const struct tv_trace *trace = figure->run->trace;
	int64_t first = INT64_MAX, last = INT64_MIN;

	if (!figure->states || figure->run->window.set || trace->table[TV_CALLS].nrows == 0)
		return false;
	span_rows(tv_trace_table(trace, TV_STATES), "Value", &first, &last);
	span_rows(&trace->table[TV_CALLS], "Call", &first, &last);
	first = first > *begin ? first : *begin;
	last = last < *end ? last : *end;
	if (first >= last || (first == *begin && last == *end)
	    || (figure->facet == NULL
		&& (double)(last - first) > 0.9 * ((double)*end - (double)*begin)))
		return false;
	figure->axis.after_init = first > *begin;
	*begin = first;
	*end = last;
	return true;
}

/* Calls that communicate are on the axis, also before and after all tasks; MPI_Init and MPI_Finalize,
 * which may take longer than all else, only as far as it goes. */
static void add_calls(struct tv_figure *figure, int64_t *begin, int64_t *last)
{
	const struct tv_call_times t = tv_call_times(tv_run_calls(figure->run));
	struct tv_axis *axis = &figure->axis;

	if (t.communication_begin <= t.communication_end) {
		*begin = t.communication_begin < *begin ? t.communication_begin : *begin;
		*last = t.communication_end > *last ? t.communication_end : *last;
	}
	if (t.begin <= t.end && figure->facet == NULL && !figure->run->window.set
	    && (t.begin < *begin || t.end > *last)) {
		axis->calls_begin = t.begin;
		axis->calls_end = t.end;
	}
}

int tv_axis_span(struct tv_figure *figure, int64_t begin, int64_t end, struct tv_error *err)
{
	const struct tv_tasks *tasks = &figure->run->tasks;
	const struct tv_window *window = &figure->run->window;
	struct tv_axis *axis = &figure->axis;
	bool cut = leave_out_setup(figure, &begin, &end);
	int64_t first = figure->states ? begin : tasks->begin,
		last = figure->states ? end : tasks->finish;
	int64_t makespan = span(first, last), length;
	size_t n;

	add_calls(figure, &begin, &last);
	first = figure->states ? begin : first;
	length = span(first, last);
	if (makespan < 0 || length < 0 || first < -INT64_MAX / 4 || last > INT64_MAX / 4)
		return tv_fail(err, "the times of the trace are too far apart to be drawn");
	/* From t = 0, unless that is after the first task or leaves half of the axis empty; a part of a run from its begin. */
	cut = cut || tv_meta_get(figure->run->trace, "Restricted", &n) != NULL;
	axis->begin = !cut && first > 0 && first < last / 2 ? 0 : first;
	axis->end = last + length * 3 / 100;
	if (window->set && window->begin != INT64_MIN)
		axis->begin = window->begin;
	if (window->set && window->end != INT64_MAX)
		axis->end = window->end;
	if (window->set && (axis->end <= axis->begin || span(axis->begin, axis->end) < 0))
		return tv_fail_usage(err, "nothing to draw in the window from %.6f to %.6f ms",
				     (double)axis->begin / 1e6, (double)axis->end / 1e6);
	if (axis->end < axis->begin + 10)
		axis->end = axis->begin + 10;
	axis->setup = axis->begin;
	if (figure->facet == NULL && !(window->set && window->begin != INT64_MIN)
	    && begin < axis->begin && span(begin, axis->begin) > 0)
		axis->setup = begin;
	axis_units(axis);
	figure->unit = tv_unit_for(makespan);
	return 0;
}

static void setup_text(const struct tv_axis *axis, char *out, size_t size)
{
	char time[48];

	tv_time_text(time, sizeof time, axis->begin - axis->setup, NULL);
	snprintf(out, size, "setup %s", time);
}

double tv_axis_left(const struct tv_figure *figure)
{
	char text[64];

	if (figure->axis.setup == figure->axis.begin)
		return 0;
	setup_text(&figure->axis, text, sizeof text);
	return tv_text_width(figure->scene->text, text, TV_TEXT_SMALL, false) - stub_min;
}

static void tick_text(char *out, size_t size, int64_t time, const struct tv_ticks *ticks,
		      const struct tv_unit *unit)
{
	snprintf(out, size, "%.*f", ticks->decimals, (double)time / (double)unit->ns);
	if (strncmp(out, "-0", 2) == 0 && strspn(out, "-0.") == strlen(out))
		memmove(out, out + 1, strlen(out));
}

/* As many ticks as have labels that do not touch. */
static struct tv_ticks choose_ticks(struct tv_figure *figure)
{
	const struct tv_axis *axis = &figure->axis;
	struct tv_ticks ticks = { 0 };

	for (unsigned max = 11; max >= 2; max--) {
		char text[2][64];
		double widest, apart;

		ticks = tv_ticks_for(axis->begin - axis->base, axis->end - axis->base, axis->unit,
				     max);
		if (ticks.n == 0)
			continue;
		tick_text(text[0], sizeof text[0], ticks.first, &ticks, axis->unit);
		tick_text(text[1], sizeof text[1], ticks.first + ticks.step * (ticks.n - 1), &ticks,
			  axis->unit);
		widest = fmax(tv_text_width(figure->scene->text, text[0], TV_TEXT_SIZE, false),
			      tv_text_width(figure->scene->text, text[1], TV_TEXT_SIZE, false));
		apart = (double)ticks.step / (double)(axis->end - axis->begin) * axis->width;
		if (ticks.n == 1 || apart > widest + 10)
			return ticks;
	}
	return ticks;
}

void tv_axis_place(struct tv_figure *figure, double left, double right)
{
	struct tv_axis *axis = &figure->axis;
	double cell = figure->scene->cell, space;

	axis->stub_x = ceil((figure->x + left) / cell - 1e-6) * cell;
	axis->x = axis->stub_x;
	axis->stub_width = 0;
	space = figure->x + figure->width - right - axis->x;
	if (axis->setup < axis->begin) {
		/* To scale if that is short enough. */
		double part = (double)(axis->begin - axis->setup)
			    / (double)(axis->end - axis->begin);

		axis->stub_width = ceil(fmax(fmin(space * part, stub_max), stub_min) / cell) * cell;
		axis->x += axis->stub_width + ceil(stub_gap / cell) * cell;
		space = figure->x + figure->width - right - axis->x;
	}
	axis->width = floor(space / cell + 1e-6) * cell;
	axis->ticks = choose_ticks(figure);
}

void tv_figure_zoom(const struct tv_figure *figure, int64_t begin, int64_t end,
		    struct tv_figure *part)
{
	double left = figure->axis.x - figure->x;
	double right = figure->width - left - figure->axis.width;

	*part = *figure;
	part->crowd = part->crowd_cells = 0;
	part->idleness = NULL;
	part->axis.begin = part->axis.setup = begin;
	part->axis.end = end;
	part->axis.calls_begin = part->axis.calls_end = 0;
	axis_units(&part->axis);
	tv_axis_place(part, left - 1e-6, right - 1e-6);
}

double tv_axis_at(const struct tv_axis *axis, int64_t time)
{
	return axis->x
	     + ((double)time - (double)axis->begin) / (double)(axis->end - axis->begin)
		       * axis->width;
}

void tv_figure_part(const struct tv_figure *figure, const char *name, bool timed)
{
	struct tv_page_part part = { .name = name,
				     .title = "",
				     .facet = tv_figure_number(figure),
				     .timed = timed,
				     .x = figure->x,
				     .width = figure->width };

	tv_scene_part(figure->scene, &part);
}

unsigned tv_figure_frame(struct tv_figure *figure, const char *name, const struct tv_place *place,
			 double rows, bool stub)
{
	const struct tv_axis *axis = &figure->axis;
	struct tv_frame frame = { name,
				  axis->x,
				  place->y,
				  axis->width,
				  place->height,
				  axis->begin,
				  (double)(axis->end - axis->begin),
				  rows };

	if (stub) {
		frame.x = axis->stub_x;
		frame.width = axis->stub_width;
		frame.begin = axis->setup;
		frame.duration = (double)(axis->begin - axis->setup);
	}
	return tv_scene_frame(figure->scene, &frame);
}

static void draw_ticks(struct tv_figure *figure, double y)
{
	static const double length = 2.4;
	const struct tv_axis *axis = &figure->axis;
	struct tv_ticks ticks = axis->ticks;
	double taken = -INFINITY, right = figure->x + figure->width + 2;

	for (unsigned i = 0; i < ticks.n; i++) {
		int64_t time = ticks.first + (int64_t)i * ticks.step;
		double x = tv_axis_at(axis, time + axis->base);
		char text[64];
		double half;

		tick_text(text, sizeof text, time, &ticks, axis->unit);
		half = tv_text_width(figure->scene->text, text, TV_TEXT_SIZE, false) / 2;
		tv_scene_pen(figure->scene, "tick", "axis");
		figure->scene->pen.stroke = TV_INK;
		tv_scene_line(figure->scene, TV_PAGE, x, y, x, y + length);
		if (x - half < taken + 3 || x + half > right)
			continue;
		figure->scene->pen.fill = TV_INK;
		figure->scene->pen.stroke = TV_NO_COLOR;
		tv_scene_text(figure->scene, x, y + length + 4.2, TV_CENTER, TV_TEXT_SIZE, false,
			      text);
		taken = x + half;
	}
}

static void calls_text(const struct tv_axis *axis, char *out, size_t size)
{
	const struct tv_unit *unit = axis->unit;
	char from[48], to[48];

	out[0] = '\0';
	if (axis->calls_begin == axis->calls_end)
		return;
	tv_unit_text(from, sizeof from, axis->calls_begin, unit);
	tv_time_text(to, sizeof to, axis->calls_end, unit);
	snprintf(out, size, "other MPI calls %s to %s", from, to);
}

/* How many items share a cell where images show them, what black marks below rows are, and from when
 * to when calls without communication last; in `max` points, else a part of it or nothing. */
static double draw_crowd(struct tv_figure *figure, double y, double max)
{
	struct tv_scene *scene = figure->scene;
	double tasks = figure->crowd_cells > 0 ? figure->crowd / figure->crowd_cells : 0;
	char crowd[80] = "", gaps[80] = "", calls[140], text[400], time[48];

	if (tasks >= 0.95)
		snprintf(crowd, sizeof crowd, "1 px%s = %.*f %s",
			 fabs(scene->cell - 0.12) < 1e-9 ? " (1/600 in)" : "", tasks < 9.95 ? 1 : 0,
			 tasks, figure->states ? "states" : "tasks");
	tv_time_text(time, sizeof time, figure->gap_min, tv_unit_for(2 * figure->gap_min));
	if (figure->gap_min > 0)
		snprintf(gaps, sizeof gaps, "%sblack marks: idle \xe2\x89\xa5 %s",
			 crowd[0] != '\0' ? " \xc2\xb7 " : "", time);
	calls_text(&figure->axis, calls, sizeof calls);
	snprintf(text, sizeof text, "%s%s%s%s", crowd, gaps,
		 calls[0] != '\0' && (crowd[0] != '\0' || gaps[0] != '\0') ? " \xc2\xb7 " : "",
		 calls);
	if (tv_text_width(scene->text, text, TV_TEXT_SMALL, false) > max)
		snprintf(text, sizeof text, "%s%s", crowd, gaps);
	if (tv_text_width(scene->text, text, TV_TEXT_SMALL, false) > max)
		snprintf(text, sizeof text, "%s", crowd);
	if (tv_text_width(scene->text, text, TV_TEXT_SMALL, false) > max)
		return 0;
	if (text[0] == '\0')
		return 0;
	scene->pen.fill = TV_DIM;
	return tv_scene_text(scene, figure->axis.x + figure->axis.width, y, TV_RIGHT, TV_TEXT_SMALL,
			     false, text);
}

double tv_axis_draw(struct tv_figure *figure, double y)
{
	const struct tv_axis *axis = &figure->axis;
	struct tv_scene *scene = figure->scene;
	double half, middle, crowd;
	char text[128], base[TV_NUMBER_MAX];

	draw_ticks(figure, y);
	tv_scene_pen(scene, "axis-title", "axis");
	tv_write_ms(base, axis->base);
	if (axis->origin != NULL)
		snprintf(text, sizeof text, "time (%s) %s", axis->unit->name, axis->origin);
	else
		snprintf(text, sizeof text, "time (%s)%s%s%s", axis->unit->name,
			 axis->base != 0 ? " after " : "", axis->base != 0 ? base : "",
			 axis->base != 0 ? " ms" : "");
	half = tv_text_width(scene->text, text, TV_TEXT_SIZE, false) / 2;
	crowd = draw_crowd(figure, y + 15.2, axis->width - 2 * half - 6);
	scene->pen.fill = TV_INK;
	middle = fmin(axis->x + axis->width / 2,
		      axis->x + axis->width - (crowd > 0 ? crowd + 6 : 0) - half);
	tv_scene_text(scene, fmax(middle, figure->x + half), y + 15.2, TV_CENTER, TV_TEXT_SIZE,
		      false, text);
	if (axis->setup < axis->begin) {
		setup_text(axis, text, sizeof text);
		scene->pen.fill = TV_DIM;
		tv_scene_text(scene, axis->stub_x + axis->stub_width, y + 15.2, TV_RIGHT,
			      TV_TEXT_SMALL, false, text);
	}
	return y + TV_AXIS_HEIGHT;
}
