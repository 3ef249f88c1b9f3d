/* SPDX-License-Identifier: GPL-3.0-or-later */
/* layer_deps.c -- chosen tasks, and lines to all that they depended on or to the last of these. */
#include <stdio.h>
#include <string.h>

#include "analysis/core/recall.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/text.h"
#include "views/layers/chain_links.h"

enum { CHOSEN, LAST, EXCLUSION, TRANSFER, OTHER, OTHER_EXCLUSION };

/* The row with which a job of a list ended, or the segment that another list names beside it. */
static uint32_t end_of(const struct tv_jobs *jobs, uint32_t job, const struct tv_column *segments,
		       uint32_t row, uint32_t i)
{
	int64_t segment = 0;
	const char *text;
	uint32_t n;

	if (job == TV_NONE || segments == NULL)
		return job == TV_NONE ? TV_NONE : jobs->last[job];
	text = tv_pool_text(segments->pool, tv_list(segments, row, &n)[i]);
	if (tv_parse_int(text, strlen(text), &segment) != TV_PARSE_OK)
		return TV_NONE;
	return tv_jobs_segment(jobs, job, segment).last;
}

/* Lines to all tasks that a column of the pass deps lists, without those that another one names.
 * segments: of these tasks, or NULL. */
static void add_all(struct tv_layer *layer, const struct tv_chain_result *chain,
		    const struct tv_column *all, const struct tv_column *segments,
		    const struct tv_column *without, uint32_t style)
{
	const struct tv_jobs *jobs = &chain->jobs;

	for (uint32_t row = 0; row < chain->tasks->n; row++) {
		uint32_t n;
		const uint32_t *job = tv_list(all, row, &n);

		for (uint32_t i = 0; tv_jobs_leads(jobs, row) && i < n; i++) {
			uint32_t from = end_of(jobs, job[i], segments, row, i);
			struct tv_link link = { from, row, 0, jobs->start->i[row], style };

			if (from == TV_NONE
			    || (without != NULL && tv_label(without, row) == job[i]))
				continue;
			/* What created it may end later. */
			link.begin = jobs->end->i[from] < link.end || segments == NULL
					   ? jobs->end->i[from]
					   : link.end;
			tv_layer_outline(layer, from, style);
			tv_layer_link(layer, link);
		}
	}
}

/* Chosen tasks and lines to their last dependencies; how many there are of both. */
static void add_last(struct tv_layer *layer, const struct tv_chain_result *chain, uint32_t *tasks)
{
	static const struct tv_chain_styles styles = { LAST, EXCLUSION, TRANSFER };
	bool *met = tv_alloc(chain->tasks->n, sizeof *met);
	uint32_t from;

	*tasks = 0;
	for (uint32_t row = 0; row < chain->tasks->n; row++) {
		if (!tv_chain_begins(chain, row))
			continue;
		*tasks += tv_tasks_meet(chain->tasks, met, row);
		tv_layer_outline(layer, row, CHOSEN);
		tv_chain_links(layer, chain, row, &styles, &from);
		if (from != TV_NONE)
			tv_layer_outline(layer, from, LAST);
	}
	tv_free(met);
}

static void add_keys(struct tv_layer *layer, uint32_t tasks, bool all)
{
	char text[64];

	snprintf(text, sizeof text, "%u task%s", tasks, tv_plural(tasks));
	tv_layer_key(layer, CHOSEN, text);
	tv_layer_key(layer, LAST, "last dependency");
	if (all)
		tv_layer_key(layer, OTHER, "other dependencies");
	tv_chain_key(layer, EXCLUSION, 1, "exclusion");
	tv_chain_key(layer, OTHER_EXCLUSION, 1, "other exclusions");
	tv_chain_key(layer, TRANSFER, 1, "message");
}

static int fill(struct tv_figure *figure, const char *which, bool all,
		const struct tv_chain_result *chain, struct tv_layer *layer, struct tv_error *err)
{
	static const struct tv_style style[] = {
		[CHOSEN] = { "chosen", 0xffe100, 1.1, TV_SOLID },
		[LAST] = { "last-dependency", 0xff3fd0, 0.9, TV_SOLID },
		[EXCLUSION] = { "exclusion", 0xff3fd0, 0.9, TV_DASHED },
		[TRANSFER] = { "transfer", 0xff3fd0, 0.9, TV_DOTTED },
		[OTHER] = { "dependency", 0x19e3ff, 0.5, TV_SOLID },
		[OTHER_EXCLUSION] = { "exclusion", 0x19e3ff, 0.5, TV_DASHED },
	};
	const char *value[] = { "all", which != NULL ? which : "last", NULL };
	const struct tv_table *deps;
	uint32_t tasks;
	int rc = 0;

	memcpy(layer->style, style, sizeof style);
	snprintf(layer->title, sizeof layer->title, "%s dependencies", all ? "all" : "last");
	add_last(layer, chain, &tasks);
	if (all)
		rc = tv_layer_pass(figure, "tasks", "deps", value, &deps, err);
	if (rc == 0 && all) {
		add_all(layer, chain, tv_table_find(deps, "Dependencies"),
			tv_table_find(deps, "DependencySegments"), NULL, OTHER);
		add_all(layer, chain, tv_table_find(deps, "Exclusions"), NULL,
			tv_table_find(deps, "LastDependency"), OTHER_EXCLUSION);
	}
	add_keys(layer, tasks, all);
	return rc;
}

int tv_layer_deps(struct tv_figure *figure, const struct tv_layer_options *options,
		  struct tv_layer **layers, struct tv_error *err)
{
	const char *how = options->deps, *value[] = { "tasks", options->tasks, "depth", "1", NULL };
	struct tv_chain_result chain;
	struct tv_layer *layer = NULL;
	int rc;

	if (how == NULL && value[1] == NULL) {
		if (tv_recall(figure->run, "deps", "all", &value[1], err) < 0)
			return -1;
		if (value[1] == NULL)
			return 0;
		how = "all";
	}
	rc = tv_chain_result_init(&chain, figure, "tasks", value, err);
	if (rc == 0) {
		layer = tv_layer_add(layers, "dependencies");
		rc = fill(figure, value[1], how != NULL && strcmp(how, "all") == 0, &chain, layer,
			  err);
	}
	tv_chain_result_release(&chain);
	return rc < 0 ? -1 : 0;
}
