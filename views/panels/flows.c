/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * flows.c -- panels of messages between nodes and transfers between memory nodes over time: what
 * they carry, how many are in flight. One row of `struct flow` each.
 */
#include <stdio.h>
#include <string.h>

#include "analysis/core/kinds.h"
#include "trace/alloc.h"
#include "trace/text.h"
#include "views/charts/curves.h"
#include "views/charts/names.h"
#include "views/scene/palette.h"

enum { CURVES_READABLE = 8, DIRECTIONS = 2 };

/* What such a panel shows; its spec. */
struct flow {
	const char *pass, *of;		   /* of: also the curve of all together */
	const char *title[DIRECTIONS + 1]; /* by what is shown; of memory none */
	const char *sum, *key, *unit; /* patterns of titles and keys (tv_curve_text), their unit */
	const char *direction[DIRECTIONS]; /* the curves of a place */
	bool bytes;			   /* MB/s, else a number */
	bool memory;			   /* places are memory nodes: main memory apart */
};

struct state {
	struct tv_curves_shown shown;
	const char *by;
	enum { FIRST, SECOND, BOTH } show;
	bool main_memory;
};

/* A node, memory node or kind of memory that is shown. */
struct place {
	uint32_t label, color;
	bool main;			/* main memory */
	struct tv_curve of[DIRECTIONS]; /* without pieces: there is none */
};

struct places {
	const struct tv_table *table; /* NULL: there are none */
	struct place *at;
	size_t n;
};

static int find_table(struct tv_figure *figure, const struct tv_panel *panel, const char *by,
		      const struct tv_table **table, struct tv_error *err)
{
	const struct flow *flow = panel->spec;

	return tv_panel_pass(figure, panel, flow->pass,
			     (const char *const[]){ "of", flow->of, "by", by, NULL }, table, err);
}

/* Whether a place is on a selected node and shown; whether it is main memory. */
static bool is_shown(const struct tv_figure *figure, const struct tv_slot *slot,
		     const struct tv_kinds *kinds, uint32_t label, bool by_kind, bool *main)
{
	bool memory = ((const struct flow *)slot->panel->spec)->memory;
	uint32_t kind = by_kind ? label : tv_kind_of(kinds, label);

	*main = memory && tv_kind_is_main(figure->run->trace->pool, kind);
	if (*main && !((const struct state *)slot->state)->main_memory)
		return false;
	return by_kind
	    || (memory ? label >= kinds->n || kinds->kept[label]
		       : tv_run_has_node(figure->run, label));
}

/* Those of the first direction; the other one has the same places. */
static void add_places(struct places *places, const struct tv_figure *figure,
		       const struct tv_slot *slot, bool by_kind)
{
	const struct flow *flow = slot->panel->spec;
	const struct tv_pool *pool = places->table->pool;
	struct tv_index place = { 0 };
	struct tv_curve_list list;
	struct tv_kinds kinds;
	size_t ncolors = 0;

	tv_kinds_init(&kinds, figure->run);
	tv_curve_list_init(&list, places->table, "By", "Value");
	tv_curve_list_measure(&list);
	places->at = tv_alloc(list.n, sizeof *places->at);
	for (size_t i = 0; i < DIRECTIONS * list.n; i++) {
		const struct tv_curve *c = &list.at[i % list.n];
		size_t d = i / list.n;
		uint32_t at = tv_index_get(&place, c->by);
		bool main;

		if (c->name != tv_pool_find_text(pool, flow->direction[d]))
			continue;
		if (d == 0 && is_shown(figure, slot, &kinds, c->by, by_kind, &main)) {
			at = (uint32_t)places->n++;
			tv_index_set(&place, c->by, at);
			places->at[at] = (struct place){
				.label = c->by,
				.color = main ? TV_GRAY
					      : tv_curve_colors[ncolors++ % TV_CURVE_COLORS],
				.main = main,
			};
		}
		if (at != TV_NONE)
			places->at[at].of[d] = *c;
	}
	tv_curve_list_release(&list, NULL);
	tv_kinds_release(&kinds);
	tv_free(place.at);
}

static int find_places(struct places *places, struct tv_figure *figure, const struct tv_slot *slot,
		       bool by_kind, struct tv_error *err)
{
	int rc = find_table(figure, slot->panel, by_kind ? "kind" : "node", &places->table, err);

	if (rc == 0)
		add_places(places, figure, slot, by_kind);
	return rc;
}

/* Of one direction an area; of both a solid and a dashed line, in one color. */
static void show_place(struct tv_curves_shown *shown, const struct flow *flow,
		       const struct places *places, const struct place *place, const bool *show)
{
	char name[64], of[80], *amount, *text;

	tv_memory_name(name, sizeof name, tv_pool_text(places->table->pool, place->label));
	for (int d = 0; d < DIRECTIONS; d++) {
		if (!show[d] || place->of[d].pieces.n == 0)
			continue;
		snprintf(of, sizeof of, "%s%s%s%s", flow->memory ? "" : "node ", name,
			 show[0] && show[1] ? " " : "",
			 show[0] && show[1] ? flow->direction[d] : "");
		amount = tv_curve_text(&shown->printed, flow->key, of, &place->of[d], flow->unit);
		text = tv_format("%s: %s", d == 1 && show[0] ? flow->direction[d] : of, amount);
		if (places->n == 1 && flow->memory)
			text[0] = '\0';
		tv_curves_show(shown, place->of[d].pieces,
			       shown->stacked ? TV_KEY_AREA
			       : d == 0	      ? TV_KEY_LINE
					      : TV_KEY_DASHED,
			       place->color, text);
		tv_free(amount);
		tv_free(text);
	}
}

/* "messages sent, node 1: 1.316 GB, mean 553.7, max 1436 MB/s": where only that curve is shown. */
static void show_only(struct tv_curves_shown *shown, const struct flow *flow,
		      const struct places *places, int direction)
{
	const struct tv_curve *curve = &places->at[0].of[direction];
	char name[64], *sum;

	if (curve->pieces.n == 0)
		return;
	tv_clean_text(name, sizeof name, tv_pool_text(places->table->pool, places->at[0].label));
	sum = tv_curve_text(&shown->printed, flow->sum, name, curve, flow->unit);
	tv_free(shown->title);
	shown->title = tv_format("%s, node %s: %s", flow->title[direction], name, sum);
	tv_free(sum);
	tv_curves_show(shown, curve->pieces, TV_KEY_AREA, places->at[0].color, "");
}

/* What the panel shows, of places: those of nodes or memory nodes, or kinds of memory. */
static int find_shown(struct tv_figure *figure, const struct tv_slot *slot, struct places *places,
		      size_t each, struct tv_error *err)
{
	const struct flow *flow = slot->panel->spec;
	const char *by = ((const struct state *)slot->state)->by;
	int rc;

	if (by == NULL || strcmp(by, "node") == 0) {
		rc = find_places(places, figure, slot, false, err);
		if (rc != 0 || by != NULL || places->n * each <= CURVES_READABLE)
			return rc;
		tv_free(places->at);
		*places = (struct places){ 0 };
	}
	return flow->memory ? find_places(places, figure, slot, true, err) : 0;
}

static int show_curves(struct tv_figure *figure, const struct tv_slot *slot,
		       const struct tv_curve *whole, struct tv_error *err)
{
	const struct flow *flow = slot->panel->spec;
	struct state *state = slot->state;
	struct tv_curves_shown *shown = &state->shown;
	bool show[DIRECTIONS] = { state->show != SECOND, state->show != FIRST };
	size_t each = show[0] && show[1] ? DIRECTIONS : 1, room = TV_CURVES_MAX / each;
	struct places places = { 0 };
	int rc = find_shown(figure, slot, &places, each, err);

	shown->stacked = each == 1;
	if (rc == 0 && places.table == NULL)
		tv_curves_show(shown, whole->pieces, TV_KEY_AREA, tv_curve_colors[0], "");
	if (rc == 0 && places.n == 1 && each == 1 && figure->run->chosen != NULL && !flow->memory) {
		show_only(shown, flow, &places, show[0] ? 0 : 1);
		places.n = 0;
	}
	for (size_t p = 0; p < places.n && p < room && rc == 0; p++)
		show_place(shown, flow, &places, &places.at[p], show);
	if (places.n > room && rc == 0)
		tv_run_warn(figure->run, "%s: %zu of %zu nodes are drawn (--node chooses)",
			    slot->panel->name, room, places.n);
	tv_free(places.at);
	return rc;
}

/* "CUDA memory in: 1.316 GB, mean 553.7, max 1436 MB/s". */
static void add_sum(struct tv_curves_shown *shown, const struct flow *flow,
		    const struct tv_pool *pool, const struct place *place, size_t direction)
{
	char *name = tv_clean_format("%s %s", tv_pool_text(pool, place->label),
				     flow->direction[direction]),
	     *sum = tv_curve_text(&shown->printed, flow->sum, name, &place->of[direction],
				  flow->unit);

	tv_append(&shown->title, "%s%s: %s", shown->title != NULL ? "; " : "", name, sum);
	tv_free(name);
	tv_free(sum);
}

/* Sums of all messages, or of each kind of GPU memory in the directions that are shown. */
static int set_title(struct tv_figure *figure, const struct tv_slot *slot,
		     const struct tv_curve *whole, struct tv_error *err)
{
	const struct flow *flow = slot->panel->spec;
	struct state *state = slot->state;
	struct tv_curves_shown *shown = &state->shown;
	int rc = 0;
	struct places places = { 0 };

	if (!flow->memory) {
		char *sum = tv_curve_text(&shown->printed, flow->sum, NULL, whole, flow->unit);

		shown->title = tv_format("%s%s: %s", flow->title[state->show],
					 figure->run->chosen != NULL ? " of all nodes" : "", sum);
		tv_free(sum);
		return 0;
	}
	rc = find_places(&places, figure, slot, true, err);
	for (size_t p = 0; p < DIRECTIONS * places.n && rc == 0; p++) {
		const struct place *place = &places.at[p / DIRECTIONS];
		size_t d = p % DIRECTIONS;

		if (!place->main && place->of[d].pieces.n > 0
		    && state->show != (d == 0 ? SECOND : FIRST))
			add_sum(shown, flow, places.table->pool, place, d);
	}
	tv_free(places.at);
	return rc;
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const struct flow *flow = slot->panel->spec;
	struct tv_curves_shown *shown;
	const struct tv_table *table;
	struct tv_curve whole = { 0 };
	int rc = find_table(figure, slot->panel, "all", &table, err);

	if (rc != 0)
		return rc;
	whole.pieces = tv_pieces_find(table, flow->of, TV_NONE);
	whole.extent = tv_pieces_extent(&whole.pieces, INT64_MIN, INT64_MAX);
	if (whole.pieces.n == 0 || !(whole.extent.max > 0))
		return tv_panel_nothing(figure, slot->panel,
					flow->bytes ? "no bytes move in the time that is shown"
						    : "nothing is in flight in the time that is "
						      "shown, or it takes no time");
	shown = tv_curves_new(slot);
	shown->whole = !flow->bytes;
	rc = set_title(figure, slot, &whole, err);
	if (rc == 0)
		rc = show_curves(figure, slot, &whole, err);
	if (rc == 0 && shown->n == 0)
		return tv_panel_nothing(figure, slot->panel,
					flow->memory ? "the trace has no memory of GPUs"
						     : "no selected node has messages");
	return rc;
}

#define BY(places) \
	{ \
		"by", "node|all", NULL, \
			"curves for each " places ", or of all together (default: node for up to " \
			"8 curves)", \
			TV_OPTION_CHOICE, TV_INTO(struct state, by) \
	}
#define SHOW(first, second, otherwise) \
	{ \
		"show", first "|" second "|both", otherwise, \
			"direction: areas on top of each other, or both as lines", \
			TV_OPTION_CHOICE, TV_INTO(struct state, show) \
	}
#define BYTES \
	.bytes = true, .sum = "{bytes}, mean {mean}, max {max} MB/s", .key = "{bytes}", \
	.unit = "MB/s"
#define FLOW(array, ...) \
	TV_PANEL_OPTIONS(array, struct state), .spec = &(const struct flow){ __VA_ARGS__ }, \
					       .prepare = prepare, TV_CURVES_PANEL

static const struct tv_option_spec bandwidth_options[] = { BY("node"),
							   SHOW("sent", "received", "sent"),
							   TV_OPTION_LIMIT };
static const struct tv_option_spec in_flight_options[] = { BY("node"),
							   SHOW("sends", "receives", "sends"),
							   TV_OPTION_LIMIT };
static const struct tv_option_spec gpu_options[] = {
	BY("memory node"),
	SHOW("in", "out", "in"),
	{ "main-memory", NULL, NULL, "also draw main memory, in gray",
	  TV_INTO(struct state, main_memory) },
	TV_OPTION_LIMIT,
};

const struct tv_panel tv_panel_bandwidth = {
	.name = "bandwidth",
	.title = "bytes per second that messages carry between nodes",
	.needs = "messages: links of the Type 'MPI communication'",
	.share = 0.7,
	FLOW(bandwidth_options, .pass = "bandwidth", .of = "messages",
	     .direction = { "sent", "received" },
	     .title = { "messages sent", "messages received", "messages" }, BYTES),
};

const struct tv_panel tv_panel_in_flight = {
	.name = "in-flight",
	.former = "concurrent",
	.title = "messages in flight at once",
	.needs = "messages: links of the Type 'MPI communication'",
	.share = 0.7,
	FLOW(in_flight_options, .pass = "in-flight", .of = "messages",
	     .direction = { "sends", "receives" },
	     .title = { "messages in flight, by sender", "messages in flight, by receiver",
			"messages in flight" },
	     .sum = "mean {mean:2}, max {max}", .key = "mean {mean:2}", .unit = "messages"),
};

const struct tv_panel tv_panel_gpu_bandwidth = {
	.name = "gpu-bandwidth",
	.title = "bytes per second that transfers carry to and from the memory of GPUs",
	.needs = "transfers: links of a Type that begins with 'Intra-node data'",
	.share = 0.7,
	FLOW(gpu_options, .pass = "bandwidth", .of = "transfers", .direction = { "in", "out" },
	     BYTES, .memory = true),
};
