/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * requests.c -- the panel of the requests of nonblocking communications: lanes for each rank, in them
 * the call that starts a request, when it is in flight, and the call that completes it. In flight: when
 * it progressed, where the trace has events of that, else when its rank was in other calls of MPI, in
 * which it may have.
 */
#include <math.h>
#include <stdio.h>

#include "analysis/mpi/request_progress.h"
#include "trace/alloc.h"
#include "trace/text.h"
#include "views/charts/strip.h"
#include "views/rows/chart.h"
#include "views/rows/spans.h"
#include "views/shared/mpi_colors.h"
#include "views/shared/panel.h"

enum { LANES_MAX = 16 };
enum { START, FLIGHT, INSIDE, PROGRESS, WAIT, NTYPES };

static const double row_min = 3, row_max = 9, comfortable = 90, tall = 220, height_min = 14,
		    name_pad = 3; /* points */
static const uint32_t flight_color = 0xa9c7a0, inside_color = 0x5f8f57, progress_color = 0xe08214;

struct panel {
	struct tv_rows rows;
	const struct tv_requests *requests;
	const struct tv_progress_events *progress;
	uint32_t *of_rank, *first; /* rows of calls by rank, by begin; where each rank begins */
	size_t cap;		   /* of the items */
	struct tv_key key[NTYPES];
	size_t nkeys;
	bool has[NTYPES];
	char title[120];
};

/* The lanes of each rank: when the last request of each ends. */
struct lanes {
	int64_t busy[LANES_MAX];
	uint32_t n;
	uint32_t first; /* row */
};

static void set_types(struct panel *p)
{
	static const char *const name[] = { "call that starts", "in flight",
					    "rank in other MPI calls", "progress",
					    "call that completes" };
	const uint32_t color[] = { tv_mpi_state_color("start"), flight_color, inside_color,
				   progress_color, tv_mpi_state_color("wait") };

	for (int t = 0; t < NTYPES; t++) {
		struct tv_type_style *style = &p->rows.type[t];

		*style = (struct tv_type_style){ .label = TV_NONE,
						 .color = color[t],
						 .faded = color[t] };
		snprintf(style->name, sizeof style->name, "%s", name[t]);
		if ((t == INSIDE || t == PROGRESS) && !p->has[t])
			continue;
		p->key[p->nkeys] = (struct tv_key){ .kind = TV_KEY_AREA, .color = color[t] };
		snprintf(p->key[p->nkeys++].text, TV_KEY_TEXT, "%s", name[t]);
	}
	p->rows.ntypes = p->rows.nshown = p->rows.uncounted = NTYPES;
}

/* The first lane that is free when the request begins; TV_NONE = none is. */
static uint32_t lane_for(struct lanes *lanes, const struct tv_mpi_request *r)
{
	uint32_t lane = 0;

	while (lane < lanes->n && lanes->busy[lane] > r->begin)
		lane++;
	if (lane == LANES_MAX)
		return TV_NONE;
	lanes->n += lane == lanes->n;
	lanes->busy[lane] = r->end;
	return lane;
}

/* The lane of each request; how many have none. */
static uint32_t choose_lanes(const struct panel *p, const struct tv_run *run, struct lanes *lanes,
			     uint32_t *lane)
{
	const struct tv_requests *requests = p->requests;
	uint32_t left = 0;

	for (uint32_t i = 0; i < requests->n; i++) {
		const struct tv_mpi_request *r = &requests->at[i];

		lane[i] = TV_NONE;
		if (!tv_request_seen(requests, r, run))
			continue;
		lane[i] = lane_for(&lanes[r->rank], r);
		left += lane[i] == TV_NONE;
	}
	return left;
}

static void add_rows(struct panel *p, struct lanes *lanes)
{
	struct tv_rows *rows = &p->rows;

	for (uint32_t rank = 0; rank < p->requests->nranks; rank++) {
		uint32_t label = p->requests->rank[rank];

		lanes[rank].first = rows->nrows;
		if (lanes[rank].n == 0)
			continue;
		rows->band[rows->nbands] = (struct tv_band){ .node = label,
							     .rtype = TV_NONE,
							     .first = rows->nrows,
							     .n = lanes[rank].n,
							     .weight = 1 };
		for (uint32_t k = 0; k < lanes[rank].n; k++)
			rows->row[rows->nrows++] = (struct tv_row){ .resource = label,
								    .band = rows->nbands,
								    .idle = NAN };
		rows->nbands++;
	}
	rows->nnodes = rows->nbands;
	rows->units = rows->nrows;
	rows->lanes = 1;
}

/* Where items of a row are added one after the other, by begin. */
static void add_piece(struct panel *p, int type, uint32_t call, int64_t begin, int64_t end)
{
	struct tv_rows *rows = &p->rows;

	if (begin >= end)
		return;
	TV_GROW(rows->item, rows->nitems, p->cap, 1);
	p->has[type] = true;
	rows->item[rows->nitems++] = (struct tv_item){ .begin = begin,
						       .end = end,
						       .row = call,
						       .bottom = 1,
						       .type = (uint8_t)type,
						       .under = TV_NO_TYPE };
}

/* What happens from begin to end, clipped to [*at, last]; before it the request is in flight alone. */
static void add_inner(struct panel *p, int type, uint32_t call, uint32_t about, int64_t begin,
		      int64_t end, int64_t *at, int64_t last)
{
	begin = begin > *at ? begin : *at;
	end = end < last ? end : last;
	if (begin >= end)
		return;
	add_piece(p, FLIGHT, about, *at, begin);
	add_piece(p, type, call, begin, end);
	*at = end;
}

/* The first call of a rank that begins at a time or later: its place in of_rank. */
static uint32_t first_call(const struct panel *p, uint32_t rank, int64_t time)
{
	uint32_t low = p->first[rank], high = p->first[rank + 1];

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (tv_call_begin(p->requests->calls, p->of_rank[middle]) < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* In flight from `from` to `to`. */
static void add_flight(struct panel *p, uint32_t request, int64_t from, int64_t to)
{
	const struct tv_mpi_request *r = &p->requests->at[request];
	const struct tv_calls *calls = p->requests->calls;
	uint32_t n;
	const struct tv_progress_event *e = tv_progress_of(p->progress, request, &n);
	int64_t at = from;

	for (uint32_t i = 0; i < n; i++)
		add_inner(p, PROGRESS, r->about, r->about, e[i].begin, e[i].end, &at, to);
	for (uint32_t i = first_call(p, r->rank, from); n == 0 && i < p->first[r->rank + 1]; i++) {
		uint32_t call = p->of_rank[i];

		if (tv_call_begin(calls, call) >= to)
			break;
		if (calls->class_of[call] != TV_CALL_OTHER)
			add_inner(p, INSIDE, call, r->about, tv_call_begin(calls, call),
				  tv_call_end(calls, call), &at, to);
	}
	add_piece(p, FLIGHT, r->about, at, to);
}

static void add_request(struct panel *p, uint32_t request)
{
	const struct tv_mpi_request *r = &p->requests->at[request];
	const struct tv_calls *calls = p->requests->calls;
	int64_t started = tv_call_end(calls, r->start), wait;

	add_piece(p, START, r->start, r->begin, started);
	if (r->how != TV_REQUEST_COMPLETED)
		return;
	wait = tv_call_begin(calls, r->complete);
	wait = wait > started ? wait : started;
	add_flight(p, request, started, wait);
	add_piece(p, WAIT, r->complete, wait, r->end);
}

/* Numbers from 0 to n by their group (TV_NONE = none), those of group g from first[g] on. */
static uint32_t *sort_by_group(const uint32_t *group, uint32_t n, uint32_t ngroups,
			       uint32_t **first)
{
	uint32_t *list = tv_alloc(n, sizeof *list), *next;

	*first = tv_alloc((size_t)ngroups + 1, sizeof **first);
	next = tv_alloc(ngroups, sizeof *next);
	for (uint32_t i = 0; i < n; i++)
		if (group[i] != TV_NONE)
			(*first)[group[i] + 1]++;
	for (uint32_t g = 0; g < ngroups; g++) {
		next[g] = (*first)[g];
		(*first)[g + 1] += next[g];
	}
	for (uint32_t i = 0; i < n; i++)
		if (group[i] != TV_NONE)
			list[next[group[i]]++] = i;
	tv_free(next);
	return list;
}

/* Rows of calls of each rank, by begin as all of them. */
static void sort_calls(struct panel *p)
{
	const struct tv_calls *calls = p->requests->calls;
	uint32_t *rank = tv_alloc(calls->n, sizeof *rank);

	for (uint32_t i = 0; i < calls->n; i++)
		rank[i] = calls->rank_of[calls->row[i]];
	p->of_rank = sort_by_group(rank, calls->n, p->requests->nranks, &p->first);
	for (uint32_t i = 0; i < calls->n; i++)
		p->of_rank[i] = calls->row[p->of_rank[i]];
	tv_free(rank);
}

/* Requests are by begin, and those of a lane follow each other: so do their pieces. */
static void add_items(struct panel *p, const struct lanes *lanes, uint32_t *lane)
{
	const struct tv_requests *requests = p->requests;
	struct tv_rows *rows = &p->rows;
	uint32_t *first, *of;

	for (uint32_t i = 0; i < requests->n; i++)
		if (lane[i] != TV_NONE)
			lane[i] += lanes[requests->at[i].rank].first;
	of = sort_by_group(lane, requests->n, rows->nrows, &first);
	sort_calls(p);
	for (uint32_t r = 0; r < rows->nrows; r++) {
		rows->row[r].first = rows->nitems;
		for (uint32_t k = first[r]; k < first[r + 1]; k++)
			add_request(p, of[k]);
		rows->row[r].n = (uint32_t)(rows->nitems - rows->row[r].first);
	}
	rows->filled = rows->nitems;
	tv_free(first);
	tv_free(of);
}

static void set_rows(struct panel *p, const struct tv_run *run)
{
	uint32_t nranks = p->requests->nranks, left, n = 0;
	struct lanes *lanes = tv_alloc(nranks, sizeof *lanes);
	uint32_t *lane = tv_alloc(p->requests->n, sizeof *lane);

	left = choose_lanes(p, run, lanes, lane);
	for (uint32_t rank = 0; rank < nranks; rank++)
		n += lanes[rank].n;
	p->rows.row = tv_alloc(n, sizeof *p->rows.row);
	p->rows.band = tv_alloc(nranks, sizeof *p->rows.band);
	add_rows(p, lanes);
	add_items(p, lanes, lane);
	snprintf(p->title, sizeof p->title, "requests of MPI by rank");
	if (left > 0)
		snprintf(p->title, sizeof p->title,
			 "requests of MPI by rank, without %u beyond %d at once", left, LANES_MAX);
	tv_free(lane);
	tv_free(lanes);
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	struct panel *p = slot->state = tv_alloc(1, sizeof *p);
	const struct tv_trace *trace = figure->run->trace;

	if (tv_run_calls(figure->run)->n == 0)
		return tv_panel_nothing(figure, slot->panel, "the trace has no MPI calls");
	p->requests = tv_run_requests(figure->run, "requests", err);
	if (p->requests == NULL)
		return -1;
	p->rows.pool = trace->pool;
	p->rows.states = true;
	p->rows.table = &trace->table[TV_CALLS];
	p->rows.class = "request";
	tv_hover_init(&p->rows.hover, p->rows.table, TV_CALL_HOVER);
	p->progress = tv_run_progress_events(figure->run, p->requests);
	set_rows(p, figure->run);
	set_types(p);
	if (p->rows.nrows == 0)
		return tv_panel_nothing(figure, slot->panel, "no request is in the window");
	return 0;
}

static const char *band_text(const struct panel *p, uint32_t band, char *out, size_t size)
{
	char name[64];

	snprintf(out, size, "rank %s",
		 tv_clean_text(name, sizeof name,
			       tv_pool_text(p->rows.pool, p->rows.band[band].node)));
	return out;
}

static void measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	struct panel *p = slot->state;
	double unit = fmax(row_min, fmin(row_max, comfortable / p->rows.nrows));
	char text[80];

	if (height == 0)
		height = fmin(tv_rows_height(&p->rows, unit), tall) + figure->scene->cell;
	slot->request.height = tv_rows_place(&p->rows, height, figure->scene->cell);
	slot->request.min = fmin(slot->request.height, height_min);
	for (uint32_t b = 0; b < p->rows.nbands && !figure->bare; b++)
		slot->request.left = fmax(slot->request.left,
					  tv_text_width(figure->scene->text,
							band_text(p, b, text, sizeof text),
							TV_TEXT_SMALL, false)
						  + name_pad);
	slot->request.top = tv_strip_height(figure, p->title, p->key, p->nkeys, figure->axis.width);
}

static void draw_names(struct tv_figure *figure, const struct panel *p, double y)
{
	double line = TV_TEXT_SMALL * TV_TEXT_HEIGHT, from = -INFINITY;
	char text[80];

	tv_scene_pen(figure->scene, "name", "names");
	figure->scene->pen.fill = TV_INK;
	for (uint32_t b = 0; b < p->rows.nbands && !figure->bare; b++) {
		double middle = y + (p->rows.band[b].y0 + p->rows.band[b].y1) / 2;

		if (middle - line / 2 < from)
			continue;
		from = middle + line / 2;
		tv_scene_text(figure->scene, figure->axis.stub_x - name_pad, middle, TV_RIGHT,
			      TV_TEXT_SMALL, false, band_text(p, b, text, sizeof text));
	}
}

static void draw_items(struct tv_figure *figure, const struct panel *p,
		       const struct tv_place *place, bool stub)
{
	unsigned frame = tv_figure_frame(figure, stub ? "requests-setup" : "requests", place,
					 place->height, stub);

	tv_chart_items(figure, &p->rows, frame, stub);
	tv_chart_frame(figure->scene, &p->rows, frame);
}

static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	struct panel *p = slot->state;
	const struct tv_place *place = &slot->place;
	double crowd = figure->crowd, cells = figure->crowd_cells;

	tv_rows_place(&p->rows, slot->given, figure->scene->cell);
	if (figure->axis.stub_width > 0)
		draw_items(figure, p, place, true);
	draw_items(figure, p, place, false);
	/* The figure prints how many tasks share a cell, not how many requests. */
	figure->crowd = crowd;
	figure->crowd_cells = cells;
	draw_names(figure, p, place->y);
	tv_strip_draw(figure, p->title, p->key, p->nkeys, place->x, place->y, place->width);
}

static void release(struct tv_slot *slot)
{
	struct panel *p = slot->state;

	tv_rows_release(&p->rows);
	tv_free(p->of_rank);
	tv_free(p->first);
	tv_free(p);
}

const struct tv_panel tv_panel_requests = {
	.name = "requests",
	.title = "requests of nonblocking MPI communications, by rank",
	.needs = "MPI calls",
	.share = 1,
	.prepare = prepare,
	.measure = measure,
	.layout = layout,
	.release = release,
};
