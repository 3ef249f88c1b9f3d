/* SPDX-License-Identifier: GPL-3.0-or-later */
/* header.c -- the two header lines. */
#include "views/page/header.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/core/overlaps.h"
#include "trace/alloc.h"
#include "trace/clocks.h"
#include "trace/map.h"
#include "trace/text.h"
#include "views/annotate/annotations.h"
#include "views/layers/bounds.h"
#include "views/rows/chart.h"

static const char dot[] = " \xc2\xb7 ";

/* Phrases of one line with dots between them, or of several lines where they do not fit. */
struct sentence {
	char **phrase;
	size_t n, cap;
	size_t second; /* the phrase that begins a line, 0: none */
};

/* Owns the phrase then. */
static void add(struct sentence *s, char *phrase)
{
	TV_GROW(s->phrase, s->n, s->cap, 1);
	s->phrase[s->n++] = phrase;
}

static void release(struct sentence *s)
{
	for (size_t i = 0; i < s->n; i++)
		tv_free(s->phrase[i]);
	tv_free(s->phrase);
}

/* Adds a part to a list, NULL at first; owns the part then. */
static void append(char **list, const char *between, char *part)
{
	tv_append(list, "%s%s", *list != NULL ? between : "", part);
	tv_free(part);
}

enum { PHRASE_MAX = 2048 }; /* bytes that a line shows: to shorten a text costs O(bytes^2) */

static char *fit_phrase(struct tv_scene *scene, const char *phrase, bool bold, double width)
{
	size_t size = strlen(phrase) + 16 < PHRASE_MAX ? strlen(phrase) + 16 : PHRASE_MAX;
	char *fit = tv_alloc(size, 1);

	tv_text_fit(scene->text, phrase, TV_TEXT_SIZE, bold, width, fit, size);
	return fit;
}

/*
 * Draws the phrases between x and right, and frees them; returns where they end. Those of a line
 * are one text, so that a reader of SVG whose font is wider sees them pushed on, not over each
 * other. dry: only computes where they would end.
 */
static double draw_sentence(struct tv_figure *figure, struct sentence *s, bool bold_first,
			    double left, double right, double y, bool dry)
{
	struct tv_scene *scene = figure->scene;
	double x = left;
	char *line = tv_strdup("");
	bool filled = false;

	tv_scene_pen(scene, "header", "header");
	scene->pen.fill = TV_INK;
	y += TV_LINE_HEIGHT / 2;
	for (size_t i = 0; i < s->n; i++) {
		bool bold = bold_first && i == 0;
		char *fit = fit_phrase(scene, s->phrase[i], bold, right - left);
		char *longer = tv_format("%s%s%s", line, filled ? dot : "", fit);

		if (filled
		    && ((s->second > 0 && i == s->second)
			|| x + tv_text_width(scene->text, longer, TV_TEXT_SIZE, false) > right)) {
			if (!dry)
				tv_scene_text(scene, x, y, TV_LEFT, TV_TEXT_SIZE, false, line);
			x = left;
			y += TV_LINE_HEIGHT;
			tv_free(longer);
			longer = tv_strdup(fit);
		}
		filled = true;
		if (bold) {
			x += tv_text_width(scene->text, fit, TV_TEXT_SIZE, true);
			if (!dry)
				tv_scene_text(scene, left, y, TV_LEFT, TV_TEXT_SIZE, true, fit);
			longer[0] = '\0';
		}
		tv_free(line);
		line = longer;
		tv_free(fit);
	}
	if (!dry)
		tv_scene_text(scene, x, y, TV_LEFT, TV_TEXT_SIZE, false, line);
	tv_free(line);
	release(s);
	return y + TV_LINE_HEIGHT / 2;
}

static void add_workers(struct sentence *s, const struct tv_figure *figure)
{
	const struct tv_tasks *tasks = tv_run_part(figure->run);
	char *list = NULL;

	if (tasks->nnodes > 1)
		add(s, tv_format("%u nodes", tasks->nnodes));
	for (uint32_t i = 0; i < tasks->nrtypes; i++)
		append(&list, " + ",
		       tv_clean_format("%u %s", tasks->rtype[i].nworkers,
				       tv_pool_text(tasks->pool, tasks->rtype[i].label)));
	if (list != NULL)
		add(s, list);
}

static void add_tasks(struct sentence *s, const struct tv_figure *figure, const char *each)
{
	uint32_t n = tv_run_part(figure->run)->ntasks;

	add(s, tv_format("%u task%s%s", n, tv_plural(n), each));
}

/* Those that a table names. */
static uint32_t count_resources(const struct tv_table *table)
{
	const struct tv_column *id = tv_table_find(table, "ResourceId");
	struct tv_index seen = { 0 };
	uint32_t n = 0;

	for (uint32_t row = 0; id != NULL && row < table->nrows; row++) {
		if (tv_label(id, row) == TV_NONE
		    || tv_index_get(&seen, tv_label(id, row)) != TV_NONE)
			continue;
		tv_index_set(&seen, tv_label(id, row), row);
		n++;
	}
	tv_free(seen.at);
	return n;
}

/* Of a trace without tasks. */
static void add_states(struct sentence *s, const struct tv_figure *figure, const char *without)
{
	const struct tv_rows *rows = figure->rows;

	if (rows->nrows == 0) {
		uint32_t n = count_resources(tv_trace_table(figure->run->trace, TV_VARIABLES));

		add(s, tv_format("variables of %u resource%s%s", n, tv_plural(n), without));
		return;
	}
	add(s, tv_format("%u resource%s", rows->nrows, tv_plural(rows->nrows)));
	add(s, tv_format("%zu %s%s%s", rows->nitems, rows->table != NULL ? "MPI call" : "state",
			 tv_plural(rows->nitems), without));
}

static void add_meta(struct sentence *s, const struct tv_trace *trace, const char *key,
		     const char *what)
{
	size_t n;
	const char *value = tv_meta_get(trace, key, &n);

	if (value != NULL)
		add(s, tv_clean_format("%s %.*s", what, (int)n, value));
}

/* Limits of the window as the user gave them; an open one is left out. */
static void add_window(struct sentence *s, const struct tv_figure *figure)
{
	const struct tv_window *window = &figure->run->window;
	const struct tv_unit *unit = figure->axis.unit;
	char from[48], to[48];

	if (!window->set)
		return;
	tv_time_text(to, sizeof to, figure->axis.end, unit);
	if (window->begin != INT64_MIN && window->end != INT64_MAX) {
		tv_unit_text(from, sizeof from, figure->axis.begin, unit);
		add(s, tv_format("window %s to %s", from, to));
		return;
	}
	tv_time_text(from, sizeof from, figure->axis.begin, unit);
	add(s, tv_format("window %s %s", window->begin != INT64_MIN ? "from" : "up to",
			 window->begin != INT64_MIN ? from : to));
}

/* What of the trace is shown, and what it was cut to. */
static void add_selection(struct sentence *s, const struct tv_figure *figure)
{
	const struct tv_plot_options *options = figure->options;

	add_window(s, figure);
	if (figure->run->window.set && !figure->states)
		add(s, tv_strdup("task counts and makespan are of the whole run"));
	add_meta(s, figure->run->trace, "Restricted", "restricted to");
	for (size_t i = 0; i < options->nnotes; i++)
		add(s, tv_clean_format("%s", options->note[i]));
}

static void add_pages(struct sentence *s, const struct tv_plot_options *options)
{
	if (tv_plot_pages(options) > 1)
		add(s, tv_format("page %u of %u", options->page + 1, tv_plot_pages(options)));
}

static void add_damage(struct sentence *s, const struct tv_figure *figure)
{
	char causes[1024];
	uint64_t dropped = tv_trace_dropped(figure->run->trace, causes, sizeof causes);
	const struct tv_tasks *tasks = &figure->run->tasks;
	uint32_t open = figure->rows->nopen, pending = tasks->npending;
	char pairs[160];
	uint32_t early = tv_early_messages(figure->run->trace, pairs, sizeof pairs);

	if (dropped > 0)
		add(s, tv_clean_format("%llu record%s dropped: %s", (unsigned long long)dropped,
				       tv_plural(dropped), causes));
	if (early > 0)
		add(s, tv_clean_format("%u message%s received before sent (clocks): %s", early,
				       tv_plural(early), pairs));
	if (open > 0)
		add(s,
		    tv_format("%u task%s cut off by the end of the trace", open, tv_plural(open)));
	if (pending > 0)
		add(s, tv_format("the run was cut: %u of %u submitted tasks never started", pending,
				 pending + tasks->ntasks));
	else if (open == 0 && tv_trace_ends_early(figure->run->trace))
		add(s, tv_strdup("the trace ends before the run"));
}

static bool is_labelled(const struct tv_figure *figure)
{
	return figure->options->label != NULL && figure->options->label[0] != '\0';
}

static void add_title(struct sentence *s, const struct tv_figure *figure)
{
	const struct tv_plot_options *options = figure->options;

	if (is_labelled(figure))
		add(s, tv_clean_format("%s", options->label));
	if (figure->states) {
		add_states(s, figure, ", no tasks");
	} else {
		add_workers(s, figure);
		add_tasks(s, figure, "");
	}
	add_selection(s, figure);
	add_pages(s, options);
	add_damage(s, figure);
}

static const char *name_bound(const struct tv_bound *bound, bool spelled)
{
	return spelled ? bound->spelled : bound->name;
}

static void add_bounds(struct sentence *s, const struct tv_figure *figure, bool spelled)
{
	struct tv_bound bound[TV_BOUNDS_MAX];
	size_t n = tv_figure_bounds(figure, bound);
	struct tv_overlaps overlaps = { 0 };
	bool above = false;

	for (size_t i = 0; i < n; i++) {
		char time[48];

		/* Of a bound that is far below the run a gap says no more than its time. */
		if (isnan(bound[i].gap) || bound[i].gap > 100) {
			tv_time_text(time, sizeof time, bound[i].time, figure->unit);
			add(s, tv_format("%s %s", name_bound(&bound[i], spelled), time));
			continue;
		}
		tv_unit_text(time, sizeof time, bound[i].time, figure->unit);
		add(s, tv_format("%s %s (run %+.1f %%)", name_bound(&bound[i], spelled), time,
				 bound[i].gap));
		above = above || bound[i].gap < 0;
	}
	if (above)
		tv_overlaps_init(&overlaps, &figure->run->tasks);
	/* A bound that the run beat needs an explanation where it is seen. */
	if (above && overlaps.n > 0)
		add(s,
		    tv_format("executions overlap on %u worker%s: bounds may exceed the makespan",
			      overlaps.nworkers, tv_plural(overlaps.nworkers)));
	else if (above)
		add(s, tv_format("a bound below 0 %% is an estimate that this run has beaten"));
	tv_overlaps_release(&overlaps);
}

double tv_header_idleness(const struct tv_figure *figure, uint32_t rtype)
{
	const struct tv_tasks *tasks = &figure->run->tasks, *part = tv_run_part(figure->run);
	const struct tv_column *idle = figure->idleness == NULL
					     ? NULL
					     : tv_table_find(figure->idleness, "Idleness");
	double sum = 0;
	uint32_t n = 0;

	for (uint32_t w = 0; idle != NULL && w < idle->n; w++)
		if (tv_run_has(figure->run, w) && !tv_missing(idle, w)
		    && tasks->rtype[tasks->workers[w].rtype].label == part->rtype[rtype].label) {
			sum += idle->d[w];
			n++;
		}
	return n > 0 ? sum / n : NAN;
}

static void add_idleness(struct sentence *s, const struct tv_figure *figure)
{
	const struct tv_tasks *tasks = tv_run_part(figure->run);
	char *list = NULL;

	for (uint32_t t = 0; t < tasks->nrtypes; t++) {
		double idle = tv_header_idleness(figure, t);

		if (!isnan(idle))
			append(&list, ", ",
			       tv_clean_format("%s%s %.1f %%", list == NULL ? "idle " : "",
					       tv_pool_text(tasks->pool, tasks->rtype[t].label),
					       idle));
	}
	if (list != NULL)
		add(s, list);
}

/* Draws a sentence over the width of the page, with names of bounds in full where this takes no further line. */
static double draw_spelled(struct tv_figure *figure,
			   void (*fill)(struct sentence *s, const struct tv_figure *figure,
					bool spelled, bool machine),
			   bool machine, bool bold_first, double y)
{
	double left = TV_MARGIN, right = figure->scene->width - TV_MARGIN, end[2];
	struct sentence s = { .n = 0 };

	for (int spelled = 0; spelled < 2; spelled++) {
		fill(&s, figure, spelled, machine);
		end[spelled] = draw_sentence(figure, &s, bold_first, left, right, y, true);
		s = (struct sentence){ .n = 0 };
	}
	fill(&s, figure, end[1] <= end[0], machine);
	return s.n > 0 ? draw_sentence(figure, &s, bold_first, left, right, y, false) : y;
}

static void add_numbers(struct sentence *s, const struct tv_figure *figure, bool spelled,
			bool machine)
{
	(void)machine;
	add_bounds(s, figure, spelled);
	add_idleness(s, figure);
}

double tv_header_draw(struct tv_figure *figure, double y)
{
	struct sentence title = { .n = 0 };
	double left = TV_MARGIN, right = figure->scene->width - TV_MARGIN;

	add_title(&title, figure);
	y = draw_sentence(figure, &title, is_labelled(figure), left, right, y, false);
	if (figure->states)
		return y;
	return draw_spelled(figure, add_numbers, false, false, y);
}

double tv_header_table(struct tv_figure *figure, double y)
{
	const struct tv_plot_options *options = figure->options;
	struct sentence title = { .n = 0 };

	if (!is_labelled(figure))
		return y;
	add(&title, tv_clean_format("%s", options->label));
	for (size_t i = 0; i < options->nnotes; i++)
		add(&title, tv_clean_format("%s", options->note[i]));
	return draw_sentence(figure, &title, true, TV_MARGIN, figure->scene->width - TV_MARGIN, y,
			     false);
}

/* "median of 5: 512.0 to 947.1, "; of an even number the shorter run in the middle is drawn. */
static char *repeats_text(const struct tv_figure *figure)
{
	const struct tv_facet *facet = figure->facet;
	int64_t min = INT64_MAX, max = 0;
	char from[40], to[40];

	if (facet->nrepeats < 2)
		return tv_strdup("");
	for (size_t i = 0; i < facet->nrepeats; i++) {
		const struct tv_tasks *tasks = &facet->repeat[i]->tasks;

		min = tasks->finish - tasks->begin < min ? tasks->finish - tasks->begin : min;
		max = tasks->finish - tasks->begin > max ? tasks->finish - tasks->begin : max;
	}
	tv_unit_text(from, sizeof from, min, figure->unit);
	tv_unit_text(to, sizeof to, max, figure->unit);
	return tv_format("%smedian of %zu: %s to %s, ", facet->nrepeats % 2 == 0 ? "lower " : "",
			 facet->nrepeats, from, to);
}

/* "763.7 ms (x 1.05)": the makespan, and how many times that of the best run it is. */
static void add_makespan(struct sentence *s, const struct tv_figure *figure, int64_t best)
{
	const struct tv_tasks *tasks = &figure->run->tasks;
	int64_t makespan = tasks->finish - tasks->begin;
	char time[48], *repeats = repeats_text(figure);

	tv_time_text(time, sizeof time, makespan, figure->unit);
	add(s, makespan == best ? tv_format("%s (%sbest)", time, repeats)
				: tv_format("%s (%s\xc3\x97%.2f)", time, repeats,
					    (double)makespan / (double)best));
	tv_free(repeats);
}

/* Of the durations that options->weights names. */
static const char *name_weights(const struct tv_figure *figure)
{
	const char *weights = figure->options->weights != NULL ? figure->options->weights : "";
	const char *slash = strrchr(weights, '/');

	return slash != NULL ? slash + 1 : weights;
}

/* "ABE 274.1, CPE 151.2 by mean durations of all runs": what each facet would have, or whose they are. */
static void add_weighted(struct sentence *s, const struct tv_figure *figure, bool spelled)
{
	struct tv_bound bound[TV_BOUNDS_MAX];
	size_t n = tv_figure_weighted(figure, bound);
	bool pool = strcmp(name_weights(figure), "pool") == 0;
	char *text = NULL, time[40];

	for (size_t i = 1; i < n && figure->same_weighted; i++) {
		tv_unit_text(time, sizeof time, bound[i].time, figure->unit);
		tv_append(&text, "%s%s %s", text != NULL ? ", " : "",
			  name_bound(&bound[i], spelled), time);
	}
	if (text != NULL)
		add(s, tv_clean_format("%s by mean durations of %s", text,
				       pool ? "all runs" : name_weights(figure)));
	else if (n > 1 && pool)
		add(s, tv_strdup("pool: by mean durations of all runs"));
	tv_free(text);
}

/* "ABE 347.6 (pool 274.1)": bounds, and those by the durations that the user names, if facets differ in these. */
static void add_facet_bounds(struct sentence *s, const struct tv_figure *figure)
{
	struct tv_bound own[TV_BOUNDS_MAX], weighted[TV_BOUNDS_MAX];
	size_t n = tv_figure_bounds(figure, own);
	size_t m = figure->same_weighted ? 0 : tv_figure_weighted(figure, weighted);

	for (size_t i = 1; i < n; i++) {
		char time[40], other[40];
		size_t k = 0;

		tv_unit_text(time, sizeof time, own[i].time, figure->unit);
		while (k < m && strcmp(weighted[k].name, own[i].name) != 0)
			k++;
		if (k == m) {
			add(s, tv_format("%s %s", own[i].name, time));
			continue;
		}
		tv_unit_text(other, sizeof other, weighted[k].time, figure->unit);
		add(s, tv_clean_format("%s %s (%s %s)", own[i].name, time, name_weights(figure),
				       other));
	}
}

/* As the header of a node in a figure of all of them. */
static void add_node(struct sentence *s, const struct tv_figure *figure)
{
	char phrase[TV_NODE_PHRASES][64];
	size_t n = tv_node_phrases(figure, phrase);

	for (size_t i = 0; i < n; i++)
		add(s, tv_strdup(phrase[i]));
}

/* second: idleness begins a line. */
static void add_facet(struct sentence *s, struct tv_figure *figure, int64_t best, bool machine,
		      bool second)
{
	add(s, tv_clean_format("%s", figure->facet->label));
	if (figure->facet->node) {
		add_node(s, figure);
		return;
	}
	if (figure->states)
		add_states(s, figure, "");
	else
		add_makespan(s, figure, best);
	add_facet_bounds(s, figure);
	s->second = second ? s->n : 0;
	add_idleness(s, figure);
	if (machine && !figure->states)
		add_workers(s, figure);
	add_damage(s, figure);
}

double tv_facet_header(struct tv_figure *figure, double y, int64_t best, bool machine, double high)
{
	double right = figure->x + figure->width;
	struct sentence s = { .n = 0 };
	bool second = false;

	/* Headers beside each other have the same lines, if they have room for them. */
	if (high > 1.5 * TV_LINE_HEIGHT) {
		add_facet(&s, figure, best, machine, true);
		second = draw_sentence(figure, &s, true, figure->x, right, 0, true) <= high + 0.01;
		s = (struct sentence){ .n = 0 };
	}
	add_facet(&s, figure, best, machine, second);
	return draw_sentence(figure, &s, true, figure->x, right, y, high == 0);
}

/* How many runs the facets show, which may be nodes of them. */
static unsigned count_runs(const struct tv_plot_options *options)
{
	unsigned n = 1;

	for (size_t i = 1; i < options->nfacets; i++)
		n += options->facet[i].run->trace != options->facet[i - 1].run->trace;
	return n;
}

static void add_facets(struct sentence *s, const struct tv_figure *figure, bool spelled,
		       bool machine)
{
	const struct tv_plot_options *options = figure->options;

	if (is_labelled(figure))
		add(s, tv_clean_format("%s", options->label));
	add(s, options->facet[0].node ? tv_format("nodes of %u runs", count_runs(options))
				      : tv_format("%zu runs", options->nfacets));
	if (machine && !figure->states) {
		add_workers(s, figure);
		add_tasks(s, figure, " each");
	}
	add_weighted(s, figure, spelled);
	add_selection(s, figure);
	add_pages(s, options);
}

double tv_facets_header(struct tv_figure *figure, double y, bool machine)
{
	return draw_spelled(figure, add_facets, machine, is_labelled(figure), y);
}
