/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * requests.c -- the panel of the requests of nonblocking communications: lanes for each rank, in them
 * the call that starts a request, when it is in flight, and the call that completes it. In flight: when
 * it progressed, where the trace has events of that, else when its rank was in other calls of MPI, in
 * which it may have.
 */
#include <stdio.h>

#include "analysis/mpi/request_progress.h"
#include "trace/alloc.h"
#include "views/charts/span_rows.h"
#include "views/rows/spans.h"
#include "views/shared/mpi_colors.h"

enum { LANES_MAX = 16 };
enum { START, FLIGHT, INSIDE, PROGRESS, WAIT, NTYPES };

static const struct tv_span_heights heights = {
	.low = 3, .high = 9, .comfortable = 90, .tall = 220, .min = 14
};
static const uint32_t flight_color = 0xa9c7a0, inside_color = 0x5f8f57, progress_color = 0xe08214;

struct panel {
	struct tv_span_rows rows;
	const struct tv_requests *requests;
	const struct tv_progress_events *progress;
	uint32_t *of_rank, *first; /* rows of calls by rank, by begin; where each rank begins */
	size_t cap;		   /* of the items */
	bool has[NTYPES];
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
		struct tv_type_style *style = &p->rows.chart.type[t];

		*style = (struct tv_type_style){ .label = TV_NONE,
						 .color = color[t],
						 .faded = color[t] };
		snprintf(style->name, sizeof style->name, "%s", name[t]);
		if ((t != INSIDE && t != PROGRESS) || p->has[t])
			tv_span_rows_key(&p->rows, TV_KEY_AREA, color[t], "%s", name[t]);
	}
	p->rows.chart.ntypes = p->rows.chart.nshown = p->rows.chart.uncounted = NTYPES;
}

/* The first lane that is free when the request begins; TV_NONE = none is. */
static uint32_t lane_for(struct lanes *lanes, const struct tv_mpi_request *r)
{
	uint32_t lane = tv_span_lane(lanes->busy, lanes->n, r->begin);

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
	for (uint32_t rank = 0; rank < p->requests->nranks; rank++) {
		lanes[rank].first = p->rows.chart.nrows;
		if (lanes[rank].n > 0)
			tv_span_rows_band(&p->rows, p->requests->rank[rank], lanes[rank].n,
					  "rank ");
	}
}

/* Where items of a row are added one after the other, by begin. */
static void add_piece(struct panel *p, int type, uint32_t call, int64_t begin, int64_t end)
{
	struct tv_rows *rows = &p->rows.chart;

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
	struct tv_rows *rows = &p->rows.chart;
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
	uint32_t left;
	struct lanes *lanes = tv_alloc(p->requests->nranks, sizeof *lanes);
	uint32_t *lane = tv_alloc(p->requests->n, sizeof *lane);

	left = choose_lanes(p, run, lanes, lane);
	add_rows(p, lanes);
	add_items(p, lanes, lane);
	snprintf(p->rows.title, sizeof p->rows.title, "requests of MPI by rank");
	if (left > 0)
		snprintf(p->rows.title, sizeof p->rows.title,
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
	p->rows.chart.pool = trace->pool;
	p->rows.chart.states = true;
	p->rows.chart.table = &trace->table[TV_CALLS];
	p->rows.chart.class = "request";
	p->rows.heights = heights;
	p->rows.setup = "requests-setup";
	tv_hover_init(&p->rows.chart.hover, p->rows.chart.table, TV_CALL_HOVER);
	p->progress = tv_run_progress_events(figure->run, p->requests);
	set_rows(p, figure->run);
	set_types(p);
	if (p->rows.chart.nrows == 0)
		return tv_panel_nothing(figure, slot->panel, "no request is in the window");
	return 0;
}

static void release(struct tv_slot *slot)
{
	struct panel *p = slot->state;

	tv_free(p->of_rank);
	tv_free(p->first);
	tv_span_rows_release(slot);
}

const struct tv_panel tv_panel_requests = {
	.name = "requests",
	.title = "requests of nonblocking MPI communications, by rank",
	.needs = "MPI calls",
	.share = 1,
	.prepare = prepare,
	.measure = tv_span_rows_measure,
	.layout = tv_span_rows_layout,
	.release = release,
};
