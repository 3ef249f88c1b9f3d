/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * curves.c -- panels of one number over time, its mean and maximum in the title: tasks that are
 * ready, submitted or running, open iterations, the rate of work. One row of `struct curve_spec` each.
 */
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/text.h"
#include "views/charts/starvation.h"
#include "views/charts/types.h"
#include "views/shared/panel.h"

/* What such a panel shows; its spec. */
struct curve_spec {
	const char *pass, *curve, *title;
	const char *resumed; /* the title where suspended tasks count, too; NULL = it is the same */
	const struct tv_pass_option *option; /* of the pass; NULL = none */
	const char *nothing;	 /* why the panel is left out where there is no such number */
	bool by_type;		 /* areas by task type, under the number of workers */
	bool rate;		 /* four digits and a line at the mean; else whole numbers */
	bool spread;		 /* over the repeats of a run, behind the curve */
	uint32_t color, counter; /* of the curve, of the runtime's counter */
};

struct state {
	struct tv_curves_shown shown;
	unsigned by_node;
	bool counter, lack;
};

enum { OPTIONS = 2 * TV_PASS_OPTIONS_MAX + 1 };

/* The options of the pass as names and values; by: of its --by, NULL = without. */
static const char *const *options_of(const struct tv_figure *figure, const struct tv_slot *slot,
				     const char *by, const char *option[OPTIONS])
{
	const struct curve_spec *spec = slot->panel->spec;
	size_t n = 0;

	if (by != NULL) {
		option[n++] = "by";
		option[n++] = by;
	}
	tv_panel_pass_options(figure, slot->panel, spec->option, option, n);
	return option;
}

/* The pass with the runtime's counter if that is asked for and there is one, else without. */
static int find_table(struct tv_figure *figure, const struct tv_slot *slot,
		      const struct tv_table **table, struct tv_error *err)
{
	const struct curve_spec *spec = slot->panel->spec;
	const char *option[OPTIONS];
	int rc = TV_NOTHING;

	if (((const struct state *)slot->state)->counter)
		rc = tv_panel_pass_for(figure, "the runtime's counter", spec->pass,
				       (const char *const[]){ "counter", "", NULL }, table, err);
	return rc != TV_NOTHING ? rc
				: tv_panel_pass(figure, slot->panel, spec->pass,
						options_of(figure, slot, NULL, option), table, err);
}

/* Whether the panel shows nothing but the pass's first curve, which needs no table. */
static bool is_curve_alone(const struct tv_figure *figure, const struct tv_slot *slot)
{
	const struct curve_spec *spec = slot->panel->spec;
	const struct state *state = slot->state;
	const struct tv_pass *pass = tv_pass_find(spec->pass);

	return pass->curve != NULL && strcmp(pass->curve_name, spec->curve) == 0 && !state->counter
	    && !state->by_node && (figure->facet == NULL || figure->facet->nrepeats < 2);
}

/* The curve, and that of the runtime's counter if it is shown. */
static int find_curves(struct tv_figure *figure, const struct tv_slot *slot,
		       struct tv_pieces *pieces, struct tv_pieces *counter, struct tv_error *err)
{
	const struct curve_spec *spec = slot->panel->spec;
	const struct tv_table *table;
	const struct tv_packed *curve;
	const char *option[OPTIONS];
	int rc;

	*counter = (struct tv_pieces){ .n = 0 };
	if (is_curve_alone(figure, slot)) {
		rc = tv_panel_curve(figure, slot->panel, spec->pass,
				    options_of(figure, slot, NULL, option), &curve, err);
		if (rc == 0)
			*pieces = (struct tv_pieces){ .n = curve->n, .packed = curve };
		return rc;
	}
	rc = find_table(figure, slot, &table, err);
	if (rc == 0) {
		*pieces = tv_pieces_find(table, spec->curve, TV_NONE);
		*counter = tv_pieces_find(table, "counter", TV_NONE);
	}
	return rc;
}

static char *title_of(const struct tv_figure *figure, const struct curve_spec *spec,
		      const struct tv_printed *printed, const struct tv_curve *curve)
{
	bool suspended = spec->resumed != NULL && figure->run->tasks.segment != NULL;
	char *text = tv_curve_text(printed,
				   spec->rate ? "mean {mean:r}, max {max:r}"
					      : "mean {mean:1}, max {max:0}",
				   NULL, curve, spec->title),
	     *title = tv_format("%s: %s", suspended ? spec->resumed : spec->title, text);

	tv_free(text);
	return title;
}

static uint32_t pale_lack(double share)
{
	return tv_starvation_color(share, true);
}

/* Behind the curve, where that is asked for: when workers lacked ready tasks. */
static int show_lack(struct tv_figure *figure, struct state *state, struct tv_error *err)
{
	struct tv_curves_shown *shown = &state->shown;
	int rc;

	if (!state->lack)
		return 0;
	rc = tv_panel_pass_for(figure, "the lack of ready tasks", "starvation", NULL, &shown->lack,
			       err);
	if (rc == 0) {
		tv_curves_show(shown, (struct tv_pieces){ .n = 0 }, TV_KEY_SCALE, 0,
			       "workers without a ready task, 0 to 100 %");
		shown->key[shown->n - 1].shade = pale_lack;
	}
	return rc < 0 ? -1 : 0;
}

/* Over the repeats of a run: the same pass on each of them; without, if one of them lacks it. */
static int show_spread(struct tv_figure *figure, const struct tv_slot *slot, struct tv_error *err)
{
	const struct curve_spec *spec = slot->panel->spec;
	const struct tv_facet *facet = figure->facet;
	size_t n = facet != NULL ? facet->nrepeats : 0;
	const char *option[OPTIONS];
	struct tv_stairs *steps;
	int rc = 0;

	if (n < 2 || !spec->spread)
		return 0;
	steps = tv_alloc(n, sizeof *steps);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		struct tv_figure other = { .run = facet->repeat[i] };
		const struct tv_table *table;

		rc = tv_panel_pass_for(&other, "the spread over repeats", spec->pass,
				       options_of(figure, slot, NULL, option), &table, err);
		if (rc == 0) {
			struct tv_pieces p = tv_pieces_find(table, spec->curve, TV_NONE);

			steps[i] = (struct tv_stairs){ p.start, p.end, p.value, p.n, 0 };
		}
	}
	if (rc == 0)
		tv_curves_spread(figure, slot->state, steps, spec->color);
	tv_free(steps);
	return rc < 0 ? -1 : 0;
}

/* The mean of a rate, or the number of workers above running tasks. */
static void show_level(struct tv_figure *figure, struct tv_curves_shown *shown,
		       const struct curve_spec *spec, const struct tv_curve *curve)
{
	uint32_t workers = tv_run_part(figure->run)->nworkers;
	char text[64];

	if (spec->rate)
		tv_curves_level(shown, curve->pieces.start[0],
				curve->pieces.end[curve->pieces.n - 1], curve->extent.mean, TV_INK,
				"mean");
	if (!spec->by_type)
		return;
	snprintf(text, sizeof text, "%u worker%s", workers, tv_plural(workers));
	tv_curves_level(shown, figure->axis.begin, figure->axis.end, workers, TV_INK, text);
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const struct curve_spec *spec = slot->panel->spec;
	struct state *state = slot->state;
	bool by_node = state->by_node;
	const struct tv_table *parts = NULL;
	struct tv_curves_shown *shown;
	struct tv_curve curve = { 0 };
	struct tv_pieces counter;
	const char *option[OPTIONS];
	int rc = find_curves(figure, slot, &curve.pieces, &counter, err);

	if (rc == 0 && (by_node || spec->by_type))
		rc = tv_panel_pass(figure, slot->panel, spec->pass,
				   options_of(figure, slot, by_node ? "Node" : "Value", option),
				   &parts, err);
	if (rc != 0)
		return rc;
	curve.extent = tv_pieces_extent(&curve.pieces, INT64_MIN, INT64_MAX);
	if (curve.pieces.n == 0 || (spec->rate && !(curve.extent.max > 0)))
		return tv_panel_nothing(figure, slot->panel, spec->nothing);
	shown = tv_curves_new(slot);
	shown->title = title_of(figure, spec, &shown->printed, &curve);
	shown->whole = !spec->rate;
	shown->stacked = spec->by_type;
	if (by_node)
		tv_curves_groups(figure, shown, parts, spec->curve,
				 spec->by_type ? TV_KEY_AREA : TV_KEY_LINE);
	else if (!spec->by_type)
		tv_curves_show(shown, curve.pieces, TV_KEY_LINE, spec->color, "");
	else if (tv_types_show(figure, shown, parts, TV_NONE, err) < 0)
		return -1;
	if (counter.n > 0)
		tv_curves_show(shown, counter, TV_KEY_DASHED,
			       by_node ? tv_curve_colors[shown->n % TV_CURVE_COLORS]
				       : spec->counter,
			       "runtime's counter");
	if (!by_node && show_spread(figure, slot, err) < 0)
		return -1;
	if (!by_node || spec->by_type)
		show_level(figure, shown, spec, &curve);
	return show_lack(figure, state, err);
}

#define COUNTER \
	{ \
		"counter", NULL, NULL, "also draw the runtime's counter, dashed", \
			TV_INTO(struct state, counter) \
	}

#define BY_NODE TV_OPTION_BY_NODE(struct state, by_node)

static const struct tv_option_spec options[] = { TV_OPTION_LIMIT, BY_NODE };
static const struct tv_option_spec submitted_options[] = { TV_OPTION_LIMIT, BY_NODE, COUNTER };
static const struct tv_option_spec ready_options[] = {
	TV_OPTION_LIMIT,
	BY_NODE,
	COUNTER,
	{ "lack", NULL, NULL, "shade the times in which workers lack ready tasks",
	  TV_INTO(struct state, lack) },
};
static const struct tv_option_spec open_options[] = {
	TV_OPTION_LIMIT,
	BY_NODE,
	{ "tag-format", "FORMAT", NULL, "how tags contain iterations (see traceviz iterations)" },
};

static const struct tv_pass_option not_started[] = { { "not-started", "" }, { NULL, NULL } };
static const struct tv_pass_option open_and_format[] = { { "open", "" },
							 { "tag-format", NULL },
							 { NULL, NULL } };

#define NUMBER(array, ...) \
	TV_PANEL_OPTIONS(array, struct state), .spec = &(const struct curve_spec){ __VA_ARGS__ }, \
					       .prepare = prepare, TV_CURVES_PANEL

const struct tv_panel tv_panel_ready = {
	.name = "ready",
	.untyped = true,
	.title = "tasks that are ready and have not started",
	.needs = "DependsOn or SubmitTime",
	.reads = "",
	.columns = "",
	.passes = { "ready" },
	.share = 0.6,
	.is_default = true,
	.is_default_facet = true,
	NUMBER(ready_options, .pass = "ready", .curve = "ready", .title = "ready tasks",
	       .resumed = "tasks ready to start or resume", .nothing = "the run takes no time",
	       .spread = true, .color = 0x1f6f9f, .counter = 0xc2410c),
};

const struct tv_panel tv_panel_submitted = {
	.name = "submitted",
	.untyped = true,
	.title = "tasks that are submitted and have not started",
	.needs = "SubmitTime",
	.reads = "",
	.columns = "",
	.passes = { "submitted" },
	.share = 0.5,
	.is_default = true,
	NUMBER(submitted_options, .pass = "submitted", .curve = "not started",
	       .title = "submitted, not started", .option = not_started,
	       .nothing = "the run takes no time", .spread = true, .color = 0x8a5a00,
	       .counter = 0x0072b2),
};

const struct tv_panel tv_panel_open_iterations = {
	.name = "open-iterations",
	.untyped = true,
	.title = "iterations that have started and not ended",
	.needs = "Iteration, or Tag",
	.reads = "",
	.columns = "Iteration Tag",
	.passes = { "iterations", "progress" },
	.share = 0.5,
	NUMBER(open_options, .pass = "progress", .curve = "open", .title = "open iterations",
	       .option = open_and_format, .nothing = "the run takes no time", .spread = true,
	       .color = 0x6a4c93),
};

const struct tv_panel tv_panel_concurrency = {
	.name = "concurrency",
	.title = "running tasks by type",
	.needs = "tasks",
	.reads = "",
	.columns = "",
	.passes = { "concurrency" },
	.share = 1,
	NUMBER(options, .pass = "concurrency", .curve = "running", .title = "running tasks",
	       .nothing = "the run takes no time", .by_type = true),
};

const struct tv_panel tv_panel_gflops = {
	.name = "gflops",
	.untyped = true,
	.title = "work done over time, in GFlop/s",
	.needs = "GFlop",
	.reads = "",
	.columns = "GFlop",
	.passes = { "throughput" },
	.share = 0.7,
	NUMBER(options, .pass = "throughput", .curve = "GFlop/s", .title = "GFlop/s",
	       .nothing = "no task has GFlop, the work that it is", .rate = true,
	       .color = 0x2a9d77),
};
