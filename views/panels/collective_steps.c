/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * collective_steps.c -- the panel of one nonblocking collective operation: what each rank does in its
 * steps, and the messages between them, over a time axis of their own.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/mpi/request_list.h"
#include "trace/alloc.h"
#include "trace/text.h"
#include "views/charts/arrow.h"
#include "views/charts/span_rows.h"
#include "views/charts/value.h"
#include "views/shared/mpi_colors.h"
#include "views/shared/panel.h"

static const double row_named = 7, strip_share = 0.2; /* points; of a row: what the program calls */
static const struct tv_span_heights heights = {
	.low = 3, .high = 20, .comfortable = 130, .tall = 220
};
enum { ARROWS_MAX = 2000 };
static const uint32_t flight_color = 0xa9c7a0, other_color = 0x9a9a9a;

/* Colors as in the figures of [Reynier 2022, 5.2.1]. */
static const struct {
	const char *kind;
	uint32_t color;
} known[] = {
	{ "send", 0xd1495b },
	{ "receive", 0x4f9a4f },
	{ "send-notifier", 0x7cc4e8 },
	{ "receive-notifier", 0x8e5ea2 },
};
enum { NKINDS = TV_COUNT(known) + 1 };

enum { COMM, SEQUENCE, CALL, STEP, RANK, KIND, PEER, START, END, SEND_START, FLAG, NCOLUMNS };

struct steps {
	struct tv_span_rows rows; /* by rank */
	const struct tv_table *table;
	const struct tv_requests *requests;
	const struct tv_column *column[NCOLUMNS];
	uint32_t first, n; /* rows of the operation */
	int64_t begin, end;
	uint32_t narrows;
	uint32_t kind[NKINDS - 1]; /* labels of the known ones */
};

static bool same_operation(const struct steps *s, uint32_t a, uint32_t b)
{
	return tv_label(s->column[COMM], a) == tv_label(s->column[COMM], b)
	    && s->column[SEQUENCE]->i[a] == s->column[SEQUENCE]->i[b];
}

static bool is_wanted(struct tv_figure *figure, const struct tv_slot *slot, const struct steps *s,
		      uint32_t row)
{
	const char *comm = tv_panel_option(figure, slot->panel, "comm"),
		   *number = tv_panel_option(figure, slot->panel, "sequence");

	return (comm == NULL
		|| strcmp(comm, tv_pool_text(s->table->pool, tv_label(s->column[COMM], row))) == 0)
	    && (number == NULL
		|| (uint64_t)s->column[SEQUENCE]->i[row] == tv_value_count(number, 0));
}

/* The operation that is asked for; of several that whose steps last longest. */
static void choose(struct tv_figure *figure, const struct tv_slot *slot, struct steps *s)
{
	for (uint32_t i = 0, to; i < s->table->nrows; i = to) {
		int64_t begin = s->column[START]->i[i], end = begin;

		for (to = i; to < s->table->nrows && same_operation(s, i, to); to++)
			end = s->column[END]->i[to] > end ? s->column[END]->i[to] : end;
		if (!is_wanted(figure, slot, s, i)
		    || (s->n > 0 && end - begin <= s->end - s->begin))
			continue;
		s->first = i;
		s->n = to - i;
		s->begin = begin;
		s->end = end;
	}
}

static bool is_of_it(const struct steps *s, const struct tv_mpi_request *r)
{
	return tv_request_number(s->requests, r, TV_CALL_SEQUENCE)
		    == s->column[SEQUENCE]->i[s->first]
	    && tv_request_label(s->requests, r, TV_CALL_COMM)
		       == tv_label(s->column[COMM], s->first);
}

/* The times of the calls that start and complete it. */
static void widen(struct steps *s)
{
	for (uint32_t i = 0; i < s->requests->n; i++) {
		const struct tv_mpi_request *r = &s->requests->at[i];

		if (!is_of_it(s, r))
			continue;
		s->begin = r->begin < s->begin ? r->begin : s->begin;
		s->end = r->end > s->end ? r->end : s->end;
	}
}

static int kind_of(const struct steps *s, uint32_t row)
{
	int k = 0;

	while (k < NKINDS - 1 && s->kind[k] != tv_label(s->column[KIND], row))
		k++;
	return k;
}

static uint32_t color_of(int kind)
{
	return kind < NKINDS - 1 ? known[kind].color : other_color;
}

static const char *kind_name(int kind)
{
	return kind < NKINDS - 1 ? known[kind].kind : "other";
}

static void set_keys(struct steps *s)
{
	static const char *const calls[] = { "call that starts", "in flight",
					     "call that completes" };
	const uint32_t color[] = { tv_mpi_state_color("start"), flight_color,
				   tv_mpi_state_color("wait") };
	bool has[NKINDS] = { false };

	for (uint32_t i = s->first; i < s->first + s->n; i++)
		has[kind_of(s, i)] = true;
	for (int k = 0; k < NKINDS; k++)
		if (has[k])
			tv_span_rows_key(&s->rows, TV_KEY_AREA, color_of(k), "%s", kind_name(k));
	for (size_t c = 0; c < TV_COUNT(calls); c++)
		tv_span_rows_key(&s->rows, TV_KEY_AREA, color[c], "%s", calls[c]);
}

static void set_title(struct steps *s)
{
	int64_t steps = -1;
	uint32_t early = 0;
	char comm[80], time[48];

	for (uint32_t i = s->first; i < s->first + s->n; i++) {
		if (!tv_missing(s->column[STEP], i) && s->column[STEP]->i[i] > steps)
			steps = s->column[STEP]->i[i];
		s->narrows += !tv_missing(s->column[SEND_START], i);
		early += !tv_missing(s->column[FLAG], i)
		      && strcmp(tv_pool_text(s->table->pool, tv_label(s->column[FLAG], i)), "early")
				 == 0;
	}
	tv_time_text(time, sizeof time, s->end - s->begin, NULL);
	snprintf(s->rows.title, sizeof s->rows.title, "%s on %s, number %lld: %lld steps, %s",
		 tv_pool_text(s->table->pool, tv_label(s->column[CALL], s->first)),
		 tv_clean_text(comm, sizeof comm,
			       tv_pool_text(s->table->pool, tv_label(s->column[COMM], s->first))),
		 (long long)s->column[SEQUENCE]->i[s->first], (long long)steps + 1, time);
	if (early > 0)
		snprintf(s->rows.title + strlen(s->rows.title),
			 sizeof s->rows.title - strlen(s->rows.title),
			 ", %u messages received before they were sent", early);
	if (s->narrows > ARROWS_MAX)
		snprintf(s->rows.title + strlen(s->rows.title),
			 sizeof s->rows.title - strlen(s->rows.title), ", without %u arrows",
			 s->narrows);
}

static void add_rows(struct steps *s)
{
	s->rows.heights = heights;
	for (uint32_t r = 0; r < s->requests->nranks; r++) {
		uint32_t label = s->requests->rank[r];
		char *name = tv_format("rank %s", tv_pool_text(s->table->pool, label));

		tv_span_rows_name(&s->rows, label, name);
		tv_free(name);
	}
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	static const char *const name[] = { "Comm", "Sequence", "Call", "Step",	     "Rank", "Kind",
					    "Peer", "Start",	"End",	"SendStart", "Flag" };
	struct steps *s = slot->state = tv_alloc(1, sizeof *s);
	int rc = tv_panel_pass(figure, slot->panel, "collective-steps", NULL, &s->table, err);

	_Static_assert(TV_COUNT(name) == NCOLUMNS, "a name for each column");
	if (rc != 0)
		return rc;
	s->requests = tv_run_requests(figure->run, "collective-steps", err);
	if (s->requests == NULL)
		return -1;
	for (int c = 0; c < NCOLUMNS; c++)
		s->column[c] = tv_table_find(s->table, name[c]);
	for (int k = 0; k < NKINDS - 1; k++)
		s->kind[k] = tv_pool_find_text(s->table->pool, known[k].kind);
	choose(figure, slot, s);
	if (s->n == 0)
		return tv_panel_nothing(figure, slot->panel,
					"no events of progress of such an operation");
	widen(s);
	add_rows(s);
	set_keys(s);
	set_title(s);
	return 0;
}

static void measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	const struct steps *s = slot->state;

	if (height == 0)
		height = tv_span_rows_wanted(&s->rows);
	tv_span_rows_measure(figure, slot, height);
	slot->request.height = ceil(height / figure->scene->cell) * figure->scene->cell;
	slot->request.min = slot->request.height / 2;
	slot->request.bottom = TV_AXIS_HEIGHT + 2;
}

static void rect(struct tv_scene *scene, unsigned frame, double y0, double y1, int64_t begin,
		 int64_t end, uint32_t color)
{
	const struct tv_frame *f = &scene->frame[frame];

	scene->pen.fill = color;
	tv_scene_rect(scene, frame, tv_frame_time(f, begin), y0, tv_frame_time(f, end), y1);
}

/* At the lower edge of each row what the program calls. */
static void draw_calls(struct tv_scene *scene, unsigned frame, const struct steps *s)
{
	const struct tv_calls *calls = s->requests->calls;
	uint32_t start = tv_mpi_state_color("start"), wait = tv_mpi_state_color("wait");

	for (uint32_t i = 0; i < s->requests->n; i++) {
		const struct tv_mpi_request *r = &s->requests->at[i];
		double y0 = r->rank + 0.95 - strip_share, y1 = r->rank + 0.95;
		int64_t started, last;

		if (!is_of_it(s, r))
			continue;
		started = tv_call_end(calls, r->start);
		last = r->complete == TV_NONE ? s->end : tv_call_begin(calls, r->complete);
		tv_scene_pen(scene, "call", "calls");
		rect(scene, frame, y0, y1, r->begin, started, start);
		if (last > started)
			rect(scene, frame, y0, y1, started, last, flight_color);
		if (r->complete != TV_NONE)
			rect(scene, frame, y0, y1, last > started ? last : started, r->end, wait);
	}
}

static void draw_steps(struct tv_scene *scene, unsigned frame, const struct steps *s)
{
	struct tv_hover hover;

	tv_hover_init(&hover, s->table, "rank {Rank}, step {Step|-1}: {Kind}, {Start} to {End} ms");
	for (uint32_t i = s->first; i < s->first + s->n; i++) {
		uint32_t rank = tv_index_get(&s->rows.place, tv_label(s->column[RANK], i));
		int64_t begin = s->column[START]->i[i], end = s->column[END]->i[i];
		int kind = kind_of(s, i);

		if (rank == TV_NONE)
			continue;
		tv_scene_pen(scene, "step", kind_name(kind));
		scene->pen.row = i;
		scene->pen.label = tv_hover_label(scene, &hover, i, begin, end);
		rect(scene, frame, rank + 0.08, rank + 0.9 - strip_share, begin, end,
		     color_of(kind));
	}
}

/* From the begin of a send to the end of its receive. */
static void draw_arrows(struct tv_scene *scene, unsigned frame, const struct steps *s)
{
	struct tv_arrow_style style = { .class = "step-message",
					.head_class = "step-message-head",
					.group = "messages",
					.casing = 1.5,
					.core = 0.6,
					.head_length = 3.2,
					.head_half = 1.3,
					.color = 0x1a1a1a,
					.edge = 0xffffff };
	const struct tv_frame f = scene->frame[frame];
	double high = f.height / f.rows;

	if (high < row_named) {
		style.casing = 0.6;
		style.core = 0.3;
		style.head_length = 1.8;
		style.head_half = 0.8;
	}
	for (uint32_t i = s->first; i < s->first + s->n && s->narrows <= ARROWS_MAX; i++) {
		uint32_t to = tv_index_get(&s->rows.place, tv_label(s->column[RANK], i)), from;

		if (tv_missing(s->column[SEND_START], i) || tv_missing(s->column[PEER], i))
			continue;
		from = tv_index_get(&s->rows.place, tv_label(s->column[PEER], i));
		if (from == TV_NONE || to == TV_NONE)
			continue;
		tv_arrow_draw(
			scene, frame,
			(const double[4]){
				tv_frame_x(&f, tv_frame_time(&f, s->column[SEND_START]->i[i])),
				f.y + high * (from + 0.4),
				tv_frame_x(&f, tv_frame_time(&f, s->column[END]->i[i])),
				f.y + high * (to + 0.4) },
			&style, i, 0);
	}
}

static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	struct steps *s = slot->state;
	const struct tv_place *place = &slot->place;
	int64_t margin = (s->end - s->begin) / 50 + 1;
	struct tv_figure part;
	unsigned frame;

	tv_figure_zoom(figure, s->begin - margin, s->end + margin, &part);
	frame = tv_figure_frame(&part, "collective-steps", place, s->requests->nranks, false);
	draw_calls(figure->scene, frame, s);
	draw_steps(figure->scene, frame, s);
	draw_arrows(figure->scene, frame, s);
	s->rows.unit = place->height / s->requests->nranks;
	tv_span_rows_words(figure, slot);
	tv_axis_draw(&part, place->y + place->height);
}

static const struct tv_option_spec options[] = {
	{ "sequence", "N", NULL,
	  "number of the operation on its communicator (default: that whose steps last longest)",
	  TV_OPTION_COUNT, 0, 9e15 },
	{ "comm", "NAME", NULL, "its communicator (default: any)" },
};

const struct tv_panel tv_panel_collective_steps = {
	.name = "collective-steps",
	.title = "steps of one nonblocking collective operation, rank by rank, with its messages",
	.needs = "MPI calls, and events of Type progress",
	.own_axis = true,
	.share = 1.5,
	TV_OPTIONS(options),
	.prepare = prepare,
	.measure = measure,
	.layout = layout,
	.release = tv_span_rows_release,
};
