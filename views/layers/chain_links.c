/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chain_links.c -- from a task to the one that it waited for, through messages. */
#include "views/layers/chain_links.h"

int tv_chain_result_init(struct tv_chain_result *chain, struct tv_figure *figure,
			 const char *option, const char *const *value, struct tv_error *err)
{
	const struct tv_table *table;
	int rc = tv_layer_pass(figure, option, "chain", value, &table, err);

	*chain = (struct tv_chain_result){ .tasks = &figure->run->tasks };
	if (rc != 0)
		return rc;
	chain->path = tv_table_find(table, "Path");
	chain->level = tv_table_find(table, "Distance");
	chain->previous = tv_table_find(table, "Previous");
	chain->kind = tv_table_find(table, "DependencyKind");
	chain->wait = tv_table_find(table, "Wait");
	chain->segment = tv_table_find(table, "PreviousSegment");
	chain->exclusion = tv_pool_find_text(table->pool, "exclusion");
	chain->creation = tv_pool_find_text(table->pool, "creation");
	tv_jobs_init(&chain->jobs, figure->run);
	return 0;
}

void tv_chain_result_release(struct tv_chain_result *chain)
{
	tv_jobs_release(&chain->jobs);
}

bool tv_chain_begins(const struct tv_chain_result *chain, uint32_t row)
{
	return !tv_missing(chain->level, row) && chain->level->i[row] == 0
	    && chain->tasks->kind[row] != TV_MESSAGE && tv_jobs_leads(&chain->jobs, row);
}

/* The row of the task that the one of `row` followed, or TV_NONE. *sent, *arrived: when the
 * messages between them were under way; equal where there are none. */
static uint32_t follow(const struct tv_chain_result *chain, uint32_t row, int64_t *sent,
		       int64_t *arrived)
{
	const struct tv_jobs *jobs = &chain->jobs;
	bool first = true;

	*sent = *arrived = 0;
	while (!tv_missing(chain->previous, row)) {
		struct tv_job_rows rows = tv_jobs_segment(jobs, tv_label(chain->previous, row),
							  tv_segment_at(chain->segment, row));

		row = rows.last;
		if (row == TV_NONE || chain->tasks->kind[row] != TV_MESSAGE)
			return row;
		if (first)
			*arrived = jobs->end->i[row];
		row = rows.first;
		*sent = jobs->start->i[row];
		first = false;
	}
	return TV_NONE;
}

void tv_chain_links(struct tv_layer *layer, const struct tv_chain_result *chain, uint32_t row,
		    const struct tv_chain_styles *styles, uint32_t *before)
{
	const struct tv_jobs *jobs = &chain->jobs;
	int64_t sent, arrived, begin, end;
	uint32_t from = *before = follow(chain, row, &sent, &arrived);
	uint32_t kind = tv_missing(chain->kind, row) ? TV_NONE : tv_label(chain->kind, row);
	uint32_t style = kind != TV_NONE && kind == chain->exclusion ? styles->exclusion
								     : styles->dependency;

	if (from == TV_NONE)
		return;
	begin = jobs->end->i[from];
	end = jobs->start->i[row];
	if (kind != TV_NONE && kind == chain->creation && !tv_missing(chain->wait, row))
		begin = end - chain->wait->i[row];
	if (sent == arrived) {
		tv_layer_link(layer, (struct tv_link){ from, row, begin, end, style });
		return;
	}
	tv_layer_link(layer, (struct tv_link){ from, from, begin, sent, style });
	tv_layer_link(layer, (struct tv_link){ row, row, arrived, end, style });
	tv_layer_link(layer, (struct tv_link){ from, row, sent, arrived, styles->message });
}

void tv_chain_key(struct tv_layer *layer, uint32_t from, uint32_t n, const char *text)
{
	for (size_t i = 0; i < layer->nlinks; i++)
		if (layer->link[i].style >= from && layer->link[i].style < from + n) {
			tv_layer_key(layer, from, text);
			return;
		}
}
