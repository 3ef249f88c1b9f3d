/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * collective_steps.c -- the panel of one nonblocking collective operation: what each rank does in its
 * steps, and the messages between them, over a time axis of their own.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

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
static const uint32_t other_color = 0x9a9a9a;

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

/* The columns of the steps; of the requests, whose operation the first two name, too. */
enum { COMM, SEQUENCE, RANK, START, END, CALL, STEP, KIND, PEER, SEND_START, FLAG, NCOLUMNS };
enum { CALL_TIME = CALL, COMPLETION_START };

struct steps {
	struct tv_span_rows rows;		 /* by rank */
	const char *comm, *sequence;		 /* of the operation; NULL = any */
	const struct tv_table *table, *requests; /* results of collective-steps and of requests */
	const struct tv_column *column[NCOLUMNS], *request[COMPLETION_START + 1];
	uint32_t first, n; /* rows of the operation */
	int64_t begin, end;
	uint32_t narrows;
	struct tv_index kind; /* by label: which known one */
};

static bool same_operation(const struct steps *s, uint32_t a, uint32_t b)
{
	return tv_label(s->column[COMM], a) == tv_label(s->column[COMM], b)
	    && s->column[SEQUENCE]->i[a] == s->column[SEQUENCE]->i[b];
}

static bool is_wanted(const struct steps *s, uint32_t row)
{
	return (s->comm == NULL
		|| strcmp(s->comm, tv_pool_text(s->table->pool, tv_label(s->column[COMM], row)))
			   == 0)
	    && (s->sequence == NULL
		|| (uint64_t)s->column[SEQUENCE]->i[row] == tv_value_count(s->sequence, 0));
}

/* The operation that is asked for; of several that whose steps last longest. */
static void choose(struct steps *s)
{
	for (uint32_t i = 0, to; i < s->table->nrows; i = to) {
		int64_t begin = s->column[START]->i[i], end = begin;

		for (to = i; to < s->table->nrows && same_operation(s, i, to); to++)
			end = s->column[END]->i[to] > end ? s->column[END]->i[to] : end;
		if (!is_wanted(s, i) || (s->n > 0 && end - begin <= s->end - s->begin))
			continue;
		s->first = i;
		s->n = to - i;
		s->begin = begin;
		s->end = end;
	}
}

/* Whether a row of the requests is of the operation. */
static bool is_request(const struct steps *s, uint32_t row)
{
	return !tv_missing(s->request[SEQUENCE], row)
	    && s->request[SEQUENCE]->i[row] == s->column[SEQUENCE]->i[s->first]
	    && tv_label(s->request[COMM], row) == tv_label(s->column[COMM], s->first);
}

/* The times of the calls that start and complete it. */
static void widen(struct steps *s)
{
	const struct tv_column *start = s->request[START], *end = s->request[END];

	for (uint32_t i = 0; i < s->requests->nrows; i++) {
		if (!is_request(s, i))
			continue;
		s->begin = start->i[i] < s->begin ? start->i[i] : s->begin;
		s->end = !tv_missing(end, i) && end->i[i] > s->end ? end->i[i] : s->end;
	}
}

static uint32_t kind_of(const struct steps *s, uint32_t row)
{
	uint32_t kind = tv_index_get(&s->kind, tv_label(s->column[KIND], row));

	return kind != TV_NONE ? kind : NKINDS - 1;
}

static uint32_t color_of(uint32_t kind)
{
	return kind < NKINDS - 1 ? known[kind].color : other_color;
}

static const char *kind_name(uint32_t kind)
{
	return kind < NKINDS - 1 ? known[kind].kind : "other";
}

static void set_keys(struct steps *s)
{
	static const char *const calls[] = { "call that starts", "in flight",
					     "call that completes" };
	const uint32_t color[] = { tv_mpi_state_color("start"), TV_FLIGHT_COLOR,
				   tv_mpi_state_color("wait") };
	bool has[NKINDS] = { false };

	for (uint32_t i = s->first; i < s->first + s->n; i++)
		has[kind_of(s, i)] = true;
	for (uint32_t k = 0; k < NKINDS; k++)
		if (has[k])
			tv_span_rows_key(&s->rows, TV_KEY_AREA, color_of(k), "%s", kind_name(k));
	for (size_t c = 0; c < TV_COUNT(calls); c++)
		tv_span_rows_key(&s->rows, TV_KEY_AREA, color[c], "%s", calls[c]);
}

static void set_title(struct steps *s)
{
	const struct tv_pool *pool = s->table->pool;
	int64_t steps = -1;
	uint32_t early = 0;
	char comm[80], time[48], *title;

	for (uint32_t i = s->first; i < s->first + s->n; i++) {
		if (!tv_missing(s->column[STEP], i) && s->column[STEP]->i[i] > steps)
			steps = s->column[STEP]->i[i];
		s->narrows += !tv_missing(s->column[SEND_START], i);
		early += strcmp(tv_table_text(s->table, "Flag", i), "early") == 0;
	}
	tv_time_text(time, sizeof time, s->end - s->begin, NULL);
	title = tv_format("%s on %s, number %lld: %lld steps, %s",
			  tv_pool_text(pool, tv_label(s->column[CALL], s->first)),
			  tv_clean_text(comm, sizeof comm,
					tv_pool_text(pool, tv_label(s->column[COMM], s->first))),
			  (long long)s->column[SEQUENCE]->i[s->first], (long long)steps + 1, time);
	if (early > 0)
		tv_append(&title, ", %u messages received before they were sent", early);
	if (s->narrows > ARROWS_MAX)
		tv_append(&title, ", without %u arrows", s->narrows);
	snprintf(s->rows.title, sizeof s->rows.title, "%s", title);
	tv_free(title);
}

static void rank_name(char *out, size_t size, const char *rank)
{
	snprintf(out, size, "rank %s", rank);
}

/* A row for each rank that has requests. */
static void add_rows(struct steps *s)
{
	uint32_t n = s->requests->nrows, *label = tv_alloc(n, sizeof *label);

	for (uint32_t i = 0; i < n; i++)
		label[i] = tv_label(s->request[RANK], i);
	s->rows.heights = heights;
	tv_span_rows_add(&s->rows, label, n, s->requests->pool, rank_name);
	tv_free(label);
}

static void find_columns(struct steps *s)
{
	static const char *const name[] = { "Comm", "Sequence", "Rank", "Start",     "End", "Call",
					    "Step", "Kind",	"Peer", "SendStart", "Flag" };
	_Static_assert(TV_COUNT(name) == NCOLUMNS, "a name for each column");

	for (int c = 0; c < NCOLUMNS; c++)
		s->column[c] = tv_table_find(s->table, name[c]);
	for (int c = 0; c < CALL_TIME; c++)
		s->request[c] = tv_table_find(s->requests, name[c]);
	s->request[CALL_TIME] = tv_table_find(s->requests, "CallTime");
	s->request[COMPLETION_START] = tv_table_find(s->requests, "CompletionStart");
	for (uint32_t k = 0; k < NKINDS - 1; k++)
		if (tv_pool_find_text(s->table->pool, known[k].kind) != TV_NONE)
			tv_index_set(&s->kind, tv_pool_find_text(s->table->pool, known[k].kind), k);
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	struct steps *s = slot->state;
	int rc = tv_panel_pass(figure, slot->panel, "collective-steps", NULL, &s->table, err);

	if (rc == 0)
		rc = tv_panel_pass(figure, slot->panel, "requests", NULL, &s->requests, err);
	if (rc != 0)
		return rc;
	find_columns(s);
	choose(s);
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
	const struct tv_column *const *c = s->request;
	uint32_t start = tv_mpi_state_color("start"), wait = tv_mpi_state_color("wait");

	for (uint32_t i = 0; i < s->requests->nrows; i++) {
		double y1 = tv_index_get(&s->rows.place, tv_label(c[RANK], i)) + 0.95,
		       y0 = y1 - strip_share;
		int64_t begin = c[START]->i[i], started, last;

		if (!is_request(s, i))
			continue;
		started = begin + c[CALL_TIME]->i[i];
		last = tv_missing(c[COMPLETION_START], i) ? s->end : c[COMPLETION_START]->i[i];
		tv_scene_pen(scene, "call", "calls");
		rect(scene, frame, y0, y1, begin, started, start);
		if (last > started)
			rect(scene, frame, y0, y1, started, last, TV_FLIGHT_COLOR);
		if (!tv_missing(c[END], i))
			rect(scene, frame, y0, y1, last > started ? last : started, c[END]->i[i],
			     wait);
	}
}

static void draw_steps(struct tv_scene *scene, unsigned frame, const struct steps *s)
{
	struct tv_hover hover;

	tv_hover_init(&hover, s->table, "rank {Rank}, step {Step|-1}: {Kind}, {Start} to {End} ms");
	for (uint32_t i = s->first; i < s->first + s->n; i++) {
		uint32_t rank = tv_index_get(&s->rows.place, tv_label(s->column[RANK], i));
		int64_t begin = s->column[START]->i[i], end = s->column[END]->i[i];
		uint32_t kind = kind_of(s, i);

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
	frame = tv_figure_frame(&part, "collective-steps", place, s->rows.names.n, false);
	draw_calls(figure->scene, frame, s);
	draw_steps(figure->scene, frame, s);
	draw_arrows(figure->scene, frame, s);
	s->rows.unit = place->height / s->rows.names.n;
	tv_span_rows_words(figure, slot);
	tv_axis_draw(&part, place->y + place->height);
}

static void release(struct tv_slot *slot)
{
	struct steps *s = slot->state;

	tv_free(s->kind.at);
	tv_span_rows_release(slot);
}

static const struct tv_option_spec options[] = {
	{ "sequence", "N", NULL,
	  "number of the operation on its communicator (default: that whose steps last longest)",
	  TV_OPTION_COUNT, 0, 9e15, TV_INTO(struct steps, sequence) },
	{ "comm", "NAME", NULL, "its communicator (default: any)", TV_INTO(struct steps, comm) },
};

const struct tv_panel tv_panel_collective_steps = {
	.name = "collective-steps",
	.title = "steps of one nonblocking collective operation, rank by rank, with its messages",
	.needs = "MPI calls, and events of Type progress",
	.own_axis = true,
	.share = 1.5,
	TV_PANEL_OPTIONS(options, struct steps),
	.prepare = prepare,
	.measure = measure,
	.layout = layout,
	.release = release,
};
