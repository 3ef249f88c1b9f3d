/* SPDX-License-Identifier: GPL-3.0-or-later */
/* layers.c -- lists of outlines and lines, their keys, and the rows of tasks that jobs are. */
#include "views/layers/layers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/text.h"

/* Light and saturated, which no task is; drawn on a black line. Okabe and Ito's order of contrast
 * is kept for those with color-vision deficiencies: neighbors differ in lightness. */
const uint32_t tv_layer_color[TV_LAYER_COLORS] = {
	0xffe100, 0xff3fd0, 0x19e3ff, 0xff8a1f, 0x9dff3a, 0xb9a0ff, 0xffffff,
};

struct tv_layer *tv_layer_add(struct tv_layer **layers, const char *group)
{
	struct tv_layer *layer = tv_alloc(1, sizeof *layer);

	layer->group = group;
	while (*layers != NULL)
		layers = &(*layers)->next;
	*layers = layer;
	return layer;
}

void tv_layers_free(struct tv_layer *layers)
{
	while (layers != NULL) {
		struct tv_layer *next = layers->next;

		tv_free(layers->outline);
		tv_free(layers->link);
		tv_free(layers);
		layers = next;
	}
}

void tv_layer_outline(struct tv_layer *layer, uint32_t task, uint32_t style)
{
	TV_GROW(layer->outline, layer->noutlines, layer->outlines_cap, 1);
	layer->outline[layer->noutlines++] = (struct tv_outline){ task, style };
}

void tv_layer_link(struct tv_layer *layer, struct tv_link link)
{
	TV_GROW(layer->link, layer->nlinks, layer->links_cap, 1);
	layer->link[layer->nlinks++] = link;
}

void tv_layer_key(struct tv_layer *layer, uint32_t style, const char *text)
{
	struct tv_key *key = &layer->key[layer->nkeys];

	if (layer->nkeys == TV_KEYS_MAX)
		return;
	layer->nkeys++;
	key->kind = layer->style[style].dash == TV_SOLID  ? TV_KEY_CASED
		  : layer->style[style].dash == TV_DASHED ? TV_KEY_CASED_DASHED
							  : TV_KEY_CASED_DOTTED;
	key->color = layer->style[style].color;
	tv_clean_text(key->text, sizeof key->text, text);
}

int tv_layer_pass(struct tv_figure *figure, const char *option, const char *pass,
		  const char *const *values, const struct tv_table **result, struct tv_error *err)
{
	char what[64];

	snprintf(what, sizeof what, "--spacetime.%s", option);
	return tv_panel_pass_for(figure, what, pass, values, result, err);
}

int tv_layer_observed_path(const struct tv_figure *figure, const char *option, const char *follow,
			   const struct tv_table **result, struct tv_error *err)
{
	struct tv_figure whole = *figure;

	whole.run = tv_run_unwindowed(figure->run);
	return tv_layer_pass(&whole, option, "critical-path",
			     (const char *const[]){ "follow", follow, NULL }, result, err);
}

/* ---- jobs ---- */

static bool has_times(const struct tv_jobs *jobs, uint32_t row)
{
	return !tv_missing(jobs->start, row) && !tv_missing(jobs->end, row);
}

/* Extends *first and *last by a row with times. */
static void widen(const struct tv_jobs *jobs, uint32_t *first, uint32_t *last, uint32_t row)
{
	if (*first == TV_NONE || jobs->start->i[row] < jobs->start->i[*first])
		*first = row;
	if (*last == TV_NONE || jobs->end->i[row] > jobs->end->i[*last])
		*last = row;
}

/* The same for its segment. */
static void widen_segment(struct tv_jobs *jobs, uint32_t label, uint32_t row, uint32_t *n)
{
	uint32_t *place = tv_map_at(&jobs->segments, label,
				    (uint64_t)tv_segment_of(jobs->tasks, row));

	if (*place == TV_NONE) {
		jobs->opens[*n] = jobs->closes[*n] = TV_NONE;
		*place = (*n)++;
	}
	widen(jobs, &jobs->opens[*place], &jobs->closes[*place], row);
}

void tv_jobs_init(struct tv_jobs *jobs, const struct tv_run *run)
{
	const struct tv_tasks *tasks = &run->tasks;
	const struct tv_table *table = &run->trace->table[TV_TASKS];
	uint32_t nlabels = tv_pool_count(tasks->pool), n = 0;
	bool segments = tasks->segment != NULL;

	*jobs = (struct tv_jobs){
		.tasks = tasks,
		.opens = segments ? tv_alloc(tasks->n, sizeof *jobs->opens) : NULL,
		.closes = segments ? tv_alloc(tasks->n, sizeof *jobs->closes) : NULL,
		.first = tv_alloc(nlabels, sizeof *jobs->first),
		.last = tv_alloc(nlabels, sizeof *jobs->last),
		.job = tv_table_find(table, "JobId"),
		.start = tv_table_find(table, "Start"),
		.end = tv_table_find(table, "End"),
	};
	memset(jobs->first, 0xff, nlabels * sizeof *jobs->first);
	memset(jobs->last, 0xff, nlabels * sizeof *jobs->last);
	for (uint32_t row = 0; jobs->job != NULL && row < tasks->n; row++) {
		uint32_t label = tv_label(jobs->job, row);

		if (label == TV_NONE || !has_times(jobs, row)
		    || !(tasks->counted[row] || tasks->kind[row] == TV_MESSAGE))
			continue;
		widen(jobs, &jobs->first[label], &jobs->last[label], row);
		if (segments)
			widen_segment(jobs, label, row, &n);
	}
}

void tv_jobs_release(struct tv_jobs *jobs)
{
	tv_free(jobs->first);
	tv_free(jobs->last);
	tv_free(jobs->opens);
	tv_free(jobs->closes);
	tv_map_release(&jobs->segments);
	*jobs = (struct tv_jobs){ 0 };
}

struct tv_job_rows tv_jobs_segment(const struct tv_jobs *jobs, uint32_t job, int64_t segment)
{
	const uint32_t *place;

	if (jobs->opens == NULL)
		return (struct tv_job_rows){ jobs->first[job], jobs->last[job] };
	place = tv_map_get(&jobs->segments, job, (uint64_t)segment);
	return place == NULL ? (struct tv_job_rows){ TV_NONE, TV_NONE }
			     : (struct tv_job_rows){ jobs->opens[*place], jobs->closes[*place] };
}

struct tv_job_rows tv_jobs_own(const struct tv_jobs *jobs, uint32_t row)
{
	uint32_t label = jobs->job != NULL ? tv_label(jobs->job, row) : TV_NONE;

	return label == TV_NONE ? (struct tv_job_rows){ row, row }
				: tv_jobs_segment(jobs, label, tv_segment_of(jobs->tasks, row));
}

bool tv_jobs_leads(const struct tv_jobs *jobs, uint32_t row)
{
	return tv_jobs_own(jobs, row).first == row;
}

int64_t tv_segment_at(const struct tv_column *segment, uint32_t row)
{
	return segment == NULL || tv_missing(segment, row) ? 0 : segment->i[row];
}

/* ---- keys ---- */

/* Title and keys of a layer, shortened to a width. */
struct strip {
	char title[128];
	struct tv_key key[TV_KEYS_MAX];
};

static void fit_strip(struct strip *strip, const struct tv_figure *figure,
		      const struct tv_layer *layer, double width)
{
	static const double swatch = 13; /* points, the longest with its gap */

	tv_text_fit(figure->scene->text, layer->title, TV_TEXT_SIZE, true, width, strip->title,
		    sizeof strip->title);
	for (size_t i = 0; i < layer->nkeys; i++) {
		strip->key[i] = layer->key[i];
		tv_text_fit(figure->scene->text, layer->key[i].text, TV_TEXT_SIZE, false,
			    width - swatch, strip->key[i].text, sizeof strip->key[i].text);
	}
}

static bool is_silent(const struct tv_layer *layer)
{
	return layer->title[0] == '\0' && layer->nkeys == 0;
}

/* Strips from y downwards, beside each other where they fit into one line; returns their height. draw:
 * false: only computes that. */
static double place_strips(struct tv_figure *figure, const struct tv_layer *layers, double x,
			   double y, double width, bool draw)
{
	static const double between = 16; /* points */
	double height = 0, used = 0;

	for (; layers != NULL; layers = layers->next) {
		struct strip strip;
		double length, at;

		if (is_silent(layers))
			continue;
		fit_strip(&strip, figure, layers, width);
		length = tv_strip_length(figure, strip.title, strip.key, layers->nkeys);
		at = used > 0 && used + between + length <= width ? used + between : 0;
		if (at == 0)
			height += tv_strip_height(figure, strip.title, strip.key, layers->nkeys,
						  width);
		if (draw)
			tv_strip_draw(figure, strip.title, strip.key, layers->nkeys, x + at,
				      y + height, width - at);
		used = fmin(at + length, width);
	}
	return height;
}

double tv_layers_keys_height(struct tv_figure *figure, const struct tv_layer *layers, double width)
{
	return place_strips(figure, layers, 0, 0, width, false);
}

void tv_layers_keys(struct tv_figure *figure, const struct tv_layer *layers, double x, double y,
		    double width)
{
	place_strips(figure, layers, x, y - tv_layers_keys_height(figure, layers, width), width,
		     true);
}
