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
#include "views/charts/strip.h"
#include "views/charts/value.h"
#include "views/shared/mpi_colors.h"
#include "views/shared/panel.h"

static const double row_max = 20, comfortable = 130, tall = 220, row_named = 7, pad = 3,
		    strip_share = 0.2; /* points; of a row: what the program calls */
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
enum { NKINDS = TV_COUNT(known) + 1, NKEYS = NKINDS + 3 };

enum { COMM, SEQUENCE, CALL, STEP, RANK, KIND, PEER, START, END, SEND_START, FLAG, NCOLUMNS };

struct steps {
	const struct tv_table *table;
	const struct tv_requests *requests;
	const struct tv_column *column[NCOLUMNS];
	uint32_t first, n; /* rows of the operation */
	int64_t begin, end;
	uint32_t narrows;
	struct tv_key key[NKEYS];
	size_t nkeys;
	char title[200];
};

/* The rank of a label, as its row. */
static uint32_t place_of(const struct steps *s, uint32_t label)
{
	for (uint32_t r = 0; r < s->requests->nranks; r++)
		if (s->requests->rank[r] == label)
			return r;
	return TV_NONE;
}

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
	const char *kind = tv_pool_text(s->table->pool, tv_label(s->column[KIND], row));
	int k = 0;

	while (k < NKINDS - 1 && strcmp(known[k].kind, kind) != 0)
		k++;
	return k;
}

static uint32_t color_of(int kind)
{
	return kind < NKINDS - 1 ? known[kind].color : other_color;
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
	for (int k = 0; k < NKINDS + (int)TV_COUNT(calls); k++) {
		struct tv_key *key = &s->key[s->nkeys];

		if (k < NKINDS && !has[k])
			continue;
		s->nkeys++;
		*key = (struct tv_key){ .kind = TV_KEY_AREA,
					.color = k < NKINDS ? color_of(k) : color[k - NKINDS] };
		snprintf(key->text, sizeof key->text, "%s",
			 k >= NKINDS	  ? calls[k - NKINDS]
			 : k < NKINDS - 1 ? known[k].kind
					  : "other");
	}
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
	snprintf(s->title, sizeof s->title, "%s on %s, number %lld: %lld steps, %s",
		 tv_pool_text(s->table->pool, tv_label(s->column[CALL], s->first)),
		 tv_clean_text(comm, sizeof comm,
			       tv_pool_text(s->table->pool, tv_label(s->column[COMM], s->first))),
		 (long long)s->column[SEQUENCE]->i[s->first], (long long)steps + 1, time);
	if (early > 0)
		snprintf(s->title + strlen(s->title), sizeof s->title - strlen(s->title),
			 ", %u messages received before they were sent", early);
	if (s->narrows > ARROWS_MAX)
		snprintf(s->title + strlen(s->title), sizeof s->title - strlen(s->title),
			 ", without %u arrows", s->narrows);
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
	choose(figure, slot, s);
	if (s->n == 0)
		return tv_panel_nothing(figure, slot->panel,
					"no events of progress of such an operation");
	widen(s);
	set_keys(s);
	set_title(s);
	return 0;
}

static const char *rank_name(const struct steps *s, uint32_t rank, char *out, size_t size)
{
	char name[64];

	snprintf(out, size, "rank %s",
		 tv_clean_text(name, sizeof name,
			       tv_pool_text(s->table->pool, s->requests->rank[rank])));
	return out;
}

static void measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	const struct steps *s = slot->state;
	uint32_t n = s->requests->nranks;
	char text[80];

	if (height == 0)
		height = fmin(tall, fmax(n * fmin(row_max, comfortable / n), 3.0 * n));
	slot->request.height = ceil(height / figure->scene->cell) * figure->scene->cell;
	slot->request.min = slot->request.height / 2;
	for (uint32_t r = 0; r < n && !figure->bare; r++)
		slot->request.left = fmax(slot->request.left,
					  tv_text_width(figure->scene->text,
							rank_name(s, r, text, sizeof text),
							TV_TEXT_SMALL, false)
						  + pad);
	slot->request.top = tv_strip_height(figure, s->title, s->key, s->nkeys, figure->axis.width);
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
	for (uint32_t i = s->first; i < s->first + s->n; i++) {
		uint32_t rank = place_of(s, tv_label(s->column[RANK], i));
		int64_t begin = s->column[START]->i[i], end = s->column[END]->i[i];
		int kind = kind_of(s, i);
		char text[200];

		if (rank == TV_NONE)
			continue;
		tv_scene_pen(scene, "step", kind < NKINDS - 1 ? known[kind].kind : "other");
		scene->pen.row = i;
		snprintf(text, sizeof text, "rank %s, step %lld: %s, %.3f to %.3f ms",
			 tv_pool_text(s->table->pool, s->requests->rank[rank]),
			 tv_missing(s->column[STEP], i) ? -1 : (long long)s->column[STEP]->i[i],
			 tv_pool_text(s->table->pool, tv_label(s->column[KIND], i)),
			 (double)begin / 1e6, (double)end / 1e6);
		scene->pen.label = scene->labels ? tv_scene_string(scene, text) : 0;
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
		uint32_t to = place_of(s, tv_label(s->column[RANK], i)), from;

		if (tv_missing(s->column[SEND_START], i) || tv_missing(s->column[PEER], i))
			continue;
		from = place_of(s, tv_label(s->column[PEER], i));
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

static void draw_names(struct tv_figure *figure, const struct steps *s,
		       const struct tv_place *place)
{
	double high = place->height / s->requests->nranks, below = -INFINITY;
	char text[80];

	tv_scene_pen(figure->scene, "name", "names");
	figure->scene->pen.fill = TV_INK;
	for (uint32_t r = 0; r < s->requests->nranks && !figure->bare; r++) {
		double middle = place->y + high * (r + 0.5);

		if (middle - row_named / 2 < below)
			continue;
		below = middle + row_named / 2;
		tv_scene_text(figure->scene, figure->axis.stub_x - pad, middle, TV_RIGHT,
			      TV_TEXT_SMALL, false, rank_name(s, r, text, sizeof text));
	}
}

static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	const struct steps *s = slot->state;
	const struct tv_place *place = &slot->place;
	int64_t margin = (s->end - s->begin) / 50 + 1;
	struct tv_figure part;
	unsigned frame;

	tv_figure_zoom(figure, s->begin - margin, s->end + margin, &part);
	frame = tv_figure_frame(&part, "collective-steps", place, s->requests->nranks, false);
	draw_calls(figure->scene, frame, s);
	draw_steps(figure->scene, frame, s);
	draw_arrows(figure->scene, frame, s);
	tv_border_draw(figure->scene, place);
	draw_names(figure, s, place);
	tv_strip_draw(figure, s->title, s->key, s->nkeys, place->x, place->y, place->width);
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
};
