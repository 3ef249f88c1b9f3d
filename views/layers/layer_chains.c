/* SPDX-License-Identifier: GPL-3.0-or-later */
/* layer_chains.c -- backward chains of chosen tasks: each for itself, or merged into paths. */
#include <stdio.h>
#include <string.h>

#include "analysis/core/recall.h"
#include "trace/alloc.h"
#include "trace/text.h"
#include "views/layers/chain_links.h"

enum {
	COLORS = TV_LAYER_COLORS, /* the last one for all other chains or paths */
	TRANSFERS = COLORS,	  /* styles from there on: messages, in the same colors */
	EXCLUSIONS = 2 * COLORS,  /* and exclusions */
};

static void set_looks(struct tv_layer *layer, const char *class)
{
	for (uint32_t i = 0; i < COLORS; i++) {
		layer->style[i] = (struct tv_style){ class, tv_layer_color[i], 0.9, TV_SOLID };
		layer->style[TRANSFERS + i] = layer->style[i];
		layer->style[TRANSFERS + i].class = "transfer";
		layer->style[TRANSFERS + i].dash = TV_DOTTED;
		layer->style[EXCLUSIONS + i] = layer->style[i];
		layer->style[EXCLUSIONS + i].class = "exclusion";
		layer->style[EXCLUSIONS + i].dash = TV_DASHED;
	}
}

/* Lines back from a task in that style. */
static void add_links(struct tv_layer *layer, const struct tv_chain_result *chain, uint32_t row,
		      uint32_t style, uint32_t *before)
{
	const struct tv_chain_styles styles = { style, EXCLUSIONS + style, TRANSFERS + style };

	tv_chain_links(layer, chain, row, &styles, before);
}

static void key_links(struct tv_layer *layer)
{
	tv_chain_key(layer, TRANSFERS, COLORS, "message");
	tv_chain_key(layer, EXCLUSIONS, COLORS, "exclusion");
}

/* ---- merged paths ---- */

static uint32_t look_of_path(int64_t path)
{
	return (uint32_t)(path < COLORS ? path : COLORS) - 1;
}

static void fill_merged(struct tv_layer *layer, const struct tv_chain_result *chain)
{
	uint32_t before;

	for (uint32_t row = 0; row < chain->tasks->n; row++) {
		uint32_t style;

		if (tv_missing(chain->path, row) || chain->tasks->kind[row] == TV_MESSAGE)
			continue;
		style = look_of_path(chain->path->i[row]);
		tv_layer_outline(layer, row, style);
		if (tv_jobs_leads(&chain->jobs, row))
			add_links(layer, chain, row, style, &before);
	}
}

/* "path 1: 12 tasks, delay 3.2 ms" for those with a color of their own, and how many more. In
 * narrow figures the title explains the numbers. */
static void key_paths(struct tv_layer *layer, const struct tv_figure *figure,
		      const struct tv_table *paths, bool brief)
{
	const struct tv_column *tasks = tv_table_find(paths, "Tasks"),
			       *delay = tv_table_find(paths, "Delay");
	char text[96], time[48];

	for (uint32_t row = 0; row < paths->nrows && row + 1 < COLORS; row++) {
		tv_time_text(time, sizeof time, delay->i[row], figure->unit);
		snprintf(text, sizeof text,
			 brief ? "path %u: %lld%s, %s" : "path %u: %lld task%s, delay %s", row + 1,
			 (long long)tasks->i[row], brief || tasks->i[row] == 1 ? "" : "s", time);
		tv_layer_key(layer, row, text);
	}
	if (paths->nrows >= COLORS) {
		snprintf(text, sizeof text, "%u more path%s", paths->nrows - (COLORS - 1),
			 paths->nrows == COLORS ? "" : "s");
		tv_layer_key(layer, COLORS - 1, text);
	}
}

int tv_merged_choice(struct tv_figure *figure, const struct tv_layer_options *options,
		     const char **tasks, const char **depth, struct tv_error *err)
{
	*tasks = options->merged;
	*depth = options->depth;
	if (options->merged != NULL || options->tasks != NULL || options->chains != NULL)
		return 0;
	if (tv_recall(figure->run, "chain", "tasks", tasks, err) < 0)
		return -1;
	if (*tasks == NULL || tv_setting(figure->options, "spacetime", "depth") != NULL)
		return 0;
	return tv_recall(figure->run, "chain", "depth", depth, err);
}

int tv_layer_merged(struct tv_figure *figure, const struct tv_layer_options *options,
		    struct tv_layer **layers, struct tv_error *err)
{
	const char *value[] = { "tasks", NULL, "depth", NULL, NULL };
	const struct tv_table *paths = NULL;
	bool brief = figure->scene->width < 5 * 72 || figure->facet != NULL;
	struct tv_layer *layer = NULL;
	struct tv_chain_result chain;
	int rc;

	if (tv_merged_choice(figure, options, &value[1], &value[3], err) < 0)
		return -1;
	if (value[1] == NULL)
		return 0;
	rc = tv_chain_result_init(&chain, figure, "merged", value, err);
	if (rc == 0)
		rc = tv_layer_pass(figure, "merged", "paths", value, &paths, err);
	if (rc == 0) {
		layer = tv_layer_add(layers, "merged-chains");
		set_looks(layer, "path");
		snprintf(layer->title, sizeof layer->title, "merged chains, depth %s%s", value[3],
			 paths->nrows == 0 ? ": none"
			 : brief	   ? ": tasks, delay"
					   : "");
		key_paths(layer, figure, paths, brief);
		fill_merged(layer, &chain);
		rc = 0;
		key_links(layer);
	}
	tv_chain_result_release(&chain);
	return rc < 0 ? -1 : 0;
}

/* ---- chains ---- */

/* The chain of one chosen task, up to where it joins one whose task is nearer. */
static void add_chain(struct tv_layer *layer, const struct tv_chain_result *chain, bool *taken,
		      uint32_t row, uint32_t style)
{
	for (int64_t steps = 0; row != TV_NONE; steps++) {
		uint32_t first = tv_jobs_own(&chain->jobs, row).first;

		if (taken[first] || chain->level->i[first] < steps)
			return;
		taken[first] = true;
		tv_layer_outline(layer, first, style);
		add_links(layer, chain, first, style, &row);
	}
}

/* Chosen tasks in the order of the trace; the first ones have a color of their own. */
static uint32_t fill_chains(struct tv_layer *layer, const struct tv_chain_result *chain)
{
	const struct tv_tasks *tasks = chain->tasks;
	bool *taken = tv_alloc(tasks->n, sizeof *taken);
	uint32_t n = 0;

	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t style = n < COLORS - 1 ? n : COLORS - 1;
		char text[96], job[64];

		if (!tv_chain_begins(chain, row))
			continue;
		if (n++ < COLORS - 1) {
			tv_clean_text(job, sizeof job,
				      tv_pool_text(tasks->pool,
						   tasks->job == NULL ? TV_NONE : tasks->job[row]));
			snprintf(text, sizeof text, "job %s", job);
			tv_layer_key(layer, style, text);
		}
		add_chain(layer, chain, taken, row, style);
	}
	tv_free(taken);
	return n;
}

int tv_layer_chains(struct tv_figure *figure, const struct tv_layer_options *options,
		    struct tv_layer **layers, struct tv_error *err)
{
	const char *value[] = { "tasks", options->chains, "depth", options->depth, NULL };
	struct tv_layer *layer;
	struct tv_chain_result chain;
	uint32_t n = 0;
	char text[64];
	int rc;

	if (value[1] == NULL)
		return 0;
	rc = tv_chain_result_init(&chain, figure, "chains", value, err);
	if (rc == 0) {
		layer = tv_layer_add(layers, "chains");
		set_looks(layer, "chain");
		n = fill_chains(layer, &chain);
		snprintf(layer->title, sizeof layer->title, "%u chain%s, depth %s", n, tv_plural(n),
			 options->depth);
		snprintf(text, sizeof text, "%u more", n - (COLORS - 1));
		if (n >= COLORS)
			tv_layer_key(layer, COLORS - 1, text);
		key_links(layer);
	}
	tv_chain_result_release(&chain);
	return rc < 0 ? -1 : 0;
}
