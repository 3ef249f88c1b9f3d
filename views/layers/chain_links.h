/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chain_links.h -- a result of the pass chain as outlines and lines of a layer. */
#ifndef TV_CHAIN_LINKS_H
#define TV_CHAIN_LINKS_H

#include "views/layers/layers.h"

struct tv_chain_result {
	const struct tv_column *path, *level, *previous, *kind, *wait; /* by row of tasks */
	const struct tv_column *segment;			       /* of previous; or NULL */
	uint32_t exclusion, creation; /* labels in kind; TV_NONE = there is none */
	struct tv_jobs jobs;
	const struct tv_tasks *tasks;
};

/*
 * The result of the pass chain with these values (as tv_run_pass_named) for an option of spacetime. 0;
 * TV_NOTHING with a warning when they cannot be computed; -1 with *err. Release it in any case.
 */
int tv_chain_result_init(struct tv_chain_result *chain, struct tv_figure *figure,
			 const char *option, const char *const *value,
			 struct tv_error *err) TV_MUST_CHECK;
void tv_chain_result_release(struct tv_chain_result *chain);
/* Whether the row is a task with which a chain begins. */
bool tv_chain_begins(const struct tv_chain_result *chain, uint32_t row);

/* Looks of the lines of a chain. */
struct tv_chain_styles {
	uint32_t dependency, exclusion, message;
};

/*
 * Adds the line from the start of a task to the end of the one that it followed, or to when that
 * created it; with messages
 * between them, three: until they were sent, while they were in flight, after they arrived.
 * *before: the row of that task, TV_NONE where the chain ends.
 */
void tv_chain_links(struct tv_layer *layer, const struct tv_chain_result *chain, uint32_t row,
		    const struct tv_chain_styles *styles, uint32_t *before);
/* A key, if the layer has a line of one of the styles from..from + n - 1. */
void tv_chain_key(struct tv_layer *layer, uint32_t from, uint32_t n, const char *text);

#endif
