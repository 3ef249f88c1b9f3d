/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * layers.h -- what is drawn over the tasks of the space-time panel: outlines around some of them
 * and lines between them, for dependencies, chains, merged paths, the observed chain.
 *
 * A layer is made when its panel prepares, from results of passes, and knows rows of tasks and
 * times only; their places are known when it is drawn.
 */
#ifndef TV_LAYERS_H
#define TV_LAYERS_H

#include "trace/map.h"
#include "views/charts/strip.h"
#include "views/rows/rows.h"
#include "views/shared/panel.h"

enum { TV_LOOKS_MAX = 24, TV_KEYS_MAX = 16 };

/* The style of outlines and lines of one kind. */
struct tv_style {
	const char *class;
	uint32_t color;
	double width; /* points, of the colored part */
	enum tv_dash dash;
};

struct tv_outline {
	uint32_t task; /* row of tasks */
	uint32_t style;
};

/* A line between the middles of the rows of two tasks. */
struct tv_link {
	uint32_t from, to;  /* rows of tasks */
	int64_t begin, end; /* times, ns, of its ends */
	uint32_t style;
};

struct tv_layer {
	struct tv_layer *next; /* drawn later, over this one */
	const char *group;
	char title[128];
	struct tv_key key[TV_KEYS_MAX];
	size_t nkeys;
	struct tv_style style[TV_LOOKS_MAX];
	struct tv_outline *outline;
	size_t noutlines, outlines_cap;
	struct tv_link *link;
	size_t nlinks, links_cap;
};

/* Rows of tasks by job; jobs by label. */
struct tv_jobs {
	uint32_t *first; /* its execution that started first, or its message; or TV_NONE */
	uint32_t *last;	 /* its execution that ended last */
	const struct tv_column *job, *start, *end; /* of tasks */
	/* With segments also by place in a map of labels and segments. */
	const struct tv_tasks *tasks;
	struct tv_map segments;
	uint32_t *opens, *closes;
};

void tv_jobs_init(struct tv_jobs *jobs, const struct tv_run *run);
void tv_jobs_release(struct tv_jobs *jobs); /* safe on a zeroed struct */
/* The rows with which a segment of a job begins and ends, or TV_NONE; without segments, the job. */
struct tv_job_rows {
	uint32_t first, last;
};
struct tv_job_rows tv_jobs_segment(const struct tv_jobs *jobs, uint32_t job, int64_t segment);
/* Those of a row's own job and segment; the row itself if it has no job. */
struct tv_job_rows tv_jobs_own(const struct tv_jobs *jobs, uint32_t row);
/* Whether a row is the first of its job, or of its segment. */
bool tv_jobs_leads(const struct tv_jobs *jobs, uint32_t row);
/* The number that a column of segments has in a row of a result; 0 where it has none. */
int64_t tv_segment_at(const struct tv_column *segment, uint32_t row);

/* The options of spacetime that its layers follow; NULL = not given. */
struct tv_layer_options {
	const char *tasks, *deps, *chains, *merged, *depth, *observed;
	const char *aggregate, *threshold, *types, *step, *messages, *bounds, *network;
};

/*
 * Appends the layers that the options ask for to *layers; tv_layers_free in any case. What
 * cannot be computed for this trace or window is left out with a warning. -1 with *err, usage too.
 */
int tv_layer_deps(struct tv_figure *figure, const struct tv_layer_options *options,
		  struct tv_layer **layers, struct tv_error *err) TV_MUST_CHECK;
int tv_layer_chains(struct tv_figure *figure, const struct tv_layer_options *options,
		    struct tv_layer **layers, struct tv_error *err) TV_MUST_CHECK;
/* Which chains tv_layer_merged merges, and their depth: those of the options; without a choice of tasks
 * for this or another layer, those of the columns that the pass chain wrote, if the tasks have them. *tasks
 * NULL = none. Valid as long as the run. */
int tv_merged_choice(struct tv_figure *figure, const struct tv_layer_options *options,
		     const char **tasks, const char **depth, struct tv_error *err) TV_MUST_CHECK;
int tv_layer_merged(struct tv_figure *figure, const struct tv_layer_options *options,
		    struct tv_layer **layers, struct tv_error *err) TV_MUST_CHECK;
int tv_layer_observed(struct tv_figure *figure, const struct tv_layer_options *options,
		      struct tv_layer **layers, struct tv_error *err) TV_MUST_CHECK;
/*
 * Puts groups of tasks or slices of time in the place of the items of *rows, a copy of the figure's
 * rows with row[] and band[] of its own, if the options ask for it; rows->groups is set
 * then and rows->item is the caller's to free. The layer is a title only.
 */
int tv_layer_aggregate(struct tv_figure *figure, const struct tv_layer_options *options,
		       struct tv_rows *rows, struct tv_layer **layers,
		       struct tv_error *err) TV_MUST_CHECK;
void tv_layers_free(struct tv_layer *layers);

/* For those: a new layer at the end of *layers. */
struct tv_layer *tv_layer_add(struct tv_layer **layers, const char *group);
void tv_layer_outline(struct tv_layer *layer, uint32_t task, uint32_t style);
void tv_layer_link(struct tv_layer *layer, struct tv_link link);
/* A key of one of the layer's styles; ignored beyond TV_KEYS_MAX. */
void tv_layer_key(struct tv_layer *layer, uint32_t style, const char *text);
/* Colors that differ from those of tasks: n of them, the last one for all others. */
enum { TV_LAYER_COLORS = 7 };
extern const uint32_t tv_layer_color[TV_LAYER_COLORS];

/*
 * The result of a pass for an option of spacetime, as tv_panel_pass; what cannot be computed is
 * reported as "--spacetime.OPTION left out: why", and wrong usage names that option.
 */
int tv_layer_pass(struct tv_figure *figure, const char *option, const char *pass,
		  const char *const *values, const struct tv_table **result,
		  struct tv_error *err) TV_MUST_CHECK;

/* The same of critical-path, of the whole run whatever window the figure shows. */
int tv_layer_observed_path(const struct tv_figure *figure, const char *option, const char *follow,
			   const struct tv_table **result, struct tv_error *err) TV_MUST_CHECK;

/* Draws them over the rows of a frame whose rows are points. */
void tv_layers_draw(struct tv_figure *figure, const struct tv_layer *layers,
		    const struct tv_rows *rows, unsigned frame);
/* Their titles and keys, in one line where they fit: height, and drawn so that they end at y. */
double tv_layers_keys_height(struct tv_figure *figure, const struct tv_layer *layers, double width);
void tv_layers_keys(struct tv_figure *figure, const struct tv_layer *layers, double x, double y,
		    double width);

#endif
