/* SPDX-License-Identifier: GPL-3.0-or-later */
/* messages.c -- arrows for messages between nodes: all, those of chains, or the slowest. */
#include "views/layers/messages.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/messages/message_list.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/number.h"
#include "trace/sorted.h"
#include "trace/text.h"
#include "views/charts/arrow.h"
#include "views/layers/chain_links.h"

static const struct tv_arrow_style style = {
	"message", "message-head", "messages", 1.4, 0.6, 3.4, 1.5, 0x0b3d91, TV_WHITE,
};

enum what { ALL, CHAIN, SLOWEST };

struct choice {
	enum what what;
	uint64_t n;	/* slowest */
	bool waited;	/* those for which calls waited longest, if any did */
	bool *in_chain; /* by label: a message of a chain */
};

/* ---- which ---- */

static int read_choice(struct choice *choice, const char *text, struct tv_error *err)
{
	static const char prefix[] = "slowest:";
	int64_t n;

	if (strcmp(text, "all") == 0) {
		choice->what = ALL;
	} else if (strcmp(text, "chain") == 0) {
		choice->what = CHAIN;
	} else {
		if (strncmp(text, prefix, sizeof prefix - 1) != 0
		    || tv_parse_int(text + sizeof prefix - 1, strlen(text) + 1 - sizeof prefix, &n)
			       != TV_PARSE_OK
		    || n < 1)
			return tv_fail_usage(err,
					     "--spacetime.messages '%s', expected none, all, chain "
					     "or slowest:N, N a whole number from 1",
					     text);
		choice->what = SLOWEST;
		choice->n = (uint64_t)n;
	}
	return 0;
}

/* Those of the observed critical path. */
static int add_observed(struct choice *choice, struct tv_figure *figure, const char *follow,
			struct tv_error *err)
{
	const struct tv_table *table;
	const struct tv_column *segment, *job;
	uint32_t message;
	int rc = tv_layer_observed_path(figure, "messages", follow, &table, err);

	if (rc != 0)
		return rc;
	segment = tv_table_find(table, "Part");
	job = tv_table_find(table, "JobId");
	message = tv_pool_find_text(table->pool, "message");
	for (uint32_t row = 0; row < table->nrows; row++)
		if (tv_label(segment, row) == message)
			choice->in_chain[tv_label(job, row)] = true;
	return 0;
}

/* Those of the chains of an option, from these tasks; NULL = none. */
static int add_chains(struct choice *choice, struct tv_figure *figure, const char *option,
		      const char *tasks, const char *depth, struct tv_error *err)
{
	const char *value[] = { "tasks", tasks, "depth", depth, NULL };
	struct tv_chain_result chain = { 0 };
	int rc;

	if (tasks == NULL)
		return 0;
	rc = tv_chain_result_init(&chain, figure, option, value, err);
	for (uint32_t row = 0; rc == 0 && row < chain.tasks->n; row++)
		if (chain.tasks->kind[row] == TV_MESSAGE && !tv_missing(chain.path, row))
			choice->in_chain[tv_label(chain.jobs.job, row)] = true;
	tv_chain_result_release(&chain);
	return rc;
}

/* The chains that the panel shows; if it shows none, the observed one. */
static int find_chains(struct choice *choice, struct tv_figure *figure,
		       const struct tv_layer_options *options, struct tv_error *err)
{
	const char *observed = options->observed, *merged, *depth;
	int rc = tv_merged_choice(figure, options, &merged, &depth, err);

	if (observed == NULL && options->chains == NULL && merged == NULL)
		observed = "both";
	if (rc == 0 && observed != NULL)
		rc = add_observed(choice, figure, observed, err);
	if (rc == 0)
		rc = add_chains(choice, figure, "chains", options->chains, depth, err);
	if (rc == 0)
		rc = add_chains(choice, figure, "merged", merged, depth, err);
	return rc;
}

/* ---- from where to where ---- */

static bool is_shown(const struct tv_rows *rows, uint32_t node)
{
	for (uint32_t b = 0; b < rows->nbands; b = tv_rows_node_end(rows, b))
		if (rows->band[b].node == node)
			return true;
	return false;
}

/* Of the jobs in a list, the execution on that node that ended last, or began first. */
static uint32_t task_of(const struct tv_tasks *tasks, const struct tv_jobs *jobs,
			const struct tv_column *list, uint32_t row, uint32_t node, bool last)
{
	uint32_t n, found = TV_NONE;
	const uint32_t *job = tv_list(list, row, &n);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t task = last ? jobs->last[job[i]] : jobs->first[job[i]];

		if (task == TV_NONE || tasks->worker[task] == TV_NONE
		    || tasks->node[tasks->workers[tasks->worker[task]].node].label != node)
			continue;
		if (found == TV_NONE
		    || (last ? tasks->end[task] > tasks->end[found]
			     : tasks->start[task] < tasks->start[found]))
			found = task;
	}
	return found;
}

/* The messages that the axis and the rows show, and that are chosen. */
static void collect(struct tv_message_arrows *arrows, const struct choice *choice,
		    const struct tv_figure *figure, const struct tv_rows *rows)
{
	const struct tv_tasks *tasks = &figure->run->tasks;
	const struct tv_table *table = arrows->table;
	const struct tv_column *key = tv_table_find(table, "Key"),
			       *origin = tv_table_find(table, "Origin"),
			       *dest = tv_table_find(table, "Dest"),
			       *start = tv_table_find(table, "Start"),
			       *end = tv_table_find(table, "End"),
			       *producer = tv_table_find(table, "Producer"),
			       *users = tv_table_find(table, "Consumers");
	struct tv_jobs jobs;

	tv_jobs_init(&jobs, figure->run);
	arrows->at = tv_alloc(table->nrows, sizeof *arrows->at);
	for (uint32_t row = 0; row < table->nrows; row++) {
		struct tv_message_arrow arrow = {
			start->i[row],	     end->i[row], tv_label(origin, row),
			tv_label(dest, row), .row = row,  .time = end->i[row] - start->i[row]
		};

		if (arrow.end < figure->axis.begin || arrow.begin > figure->axis.end
		    || (choice->what == CHAIN
			&& (tv_missing(key, row) || !choice->in_chain[tv_label(key, row)]))
		    || !is_shown(rows, arrow.origin) || !is_shown(rows, arrow.dest))
			continue;
		arrow.producer = task_of(tasks, &jobs, producer, row, arrow.origin, true);
		arrow.user = task_of(tasks, &jobs, users, row, arrow.dest, false);
		arrows->at[arrows->n++] = arrow;
	}
	tv_jobs_release(&jobs);
}

TV_ORDER(slowest_first, struct tv_message_arrow, down(time), row)
TV_ORDER(by_row, struct tv_message_arrow, row)

/* Keeps the max slowest of n; of those as slow as the last of them, as many as there is room for, at
 * equal steps through all of them: which ones are shown says nothing about when they were slow. */
static void keep_slowest(struct tv_message_arrow *at, uint32_t n, uint32_t max)
{
	uint32_t first, end = max;
	int64_t last;

	qsort(at, n, sizeof *at, slowest_first);
	last = at[max - 1].time;
	for (first = max; first > 0 && at[first - 1].time == last; first--)
		;
	while (end < n && at[end].time == last)
		end++;
	for (uint32_t k = 0; k < max - first; k++)
		at[first + k] = at[first + (uint64_t)k * (end - first) / (max - first)];
	qsort(at, max, sizeof *at, by_row);
}

/* Puts in place of durations how long receives waited for a late send. How many did: 0 leaves the durations. */
static uint32_t take_waits(struct tv_message_arrows *arrows, struct tv_run *run)
{
	struct tv_error none;
	const struct tv_table *table = tv_run_pass(run, "wait-states", NULL, &none);
	struct tv_map row_of = { 0 }; /* by rank that sends and instant: row of the table */
	int64_t *wait = tv_alloc(arrows->n, sizeof *wait);
	uint32_t n = 0;

	for (uint32_t row = 0; table != NULL && row < table->nrows; row++)
		if (tv_table_is(table, "State", row, "late sender"))
			*tv_map_at(&row_of, tv_label(tv_table_find(table, "OtherRank"), row),
				   (uint64_t)tv_table_find(table, "OtherStart")->i[row]) = row;
	for (uint32_t i = 0; i < arrows->n; i++) {
		const struct tv_message_arrow *a = &arrows->at[i];
		const uint32_t *row = tv_map_get(&row_of, a->origin, (uint64_t)a->begin);

		if (row == NULL || tv_label(tv_table_find(table, "Rank"), *row) != a->dest)
			continue;
		wait[i] = tv_table_find(table, "Wait")->i[*row];
		n++;
	}
	for (uint32_t i = 0; i < arrows->n && n > 0; i++)
		arrows->at[i].time = wait[i];
	tv_map_release(&row_of);
	tv_free(wait);
	return n;
}

/* Keeps the slowest ones; says how many there were. */
static void cut(struct tv_message_arrows *arrows, const struct choice *choice, struct tv_run *run,
		struct tv_layer *layer)
{
	uint32_t n = arrows->n, waited = choice->waited ? take_waits(arrows, run) : 0,
		 max = TV_MESSAGES_MAX;
	const char *of = choice->what == CHAIN ? " of chains" : "";

	if (choice->what == SLOWEST && choice->n < max)
		max = (uint32_t)choice->n;
	max = waited > 0 && waited < max ? waited : max;
	if (n > max && waited > 0) {
		keep_slowest(arrows->at, n, max);
		arrows->n = max;
		snprintf(layer->title, sizeof layer->title, "the most awaited%s%.0u of %u messages",
			 max == 1 ? "" : " ", max == 1 ? 0 : max, n);
	} else if (n > max) {
		keep_slowest(arrows->at, n, max);
		arrows->n = max;
		snprintf(layer->title, sizeof layer->title, "the %s%.0u of %u messages%s",
			 max == 1 ? "slowest" : "slowest ", max == 1 ? 0 : max, n, of);
	} else {
		snprintf(layer->title, sizeof layer->title, "%u message%s%s", n, tv_plural(n), of);
	}
	layer->key[layer->nkeys++] = (struct tv_key){ .kind = TV_KEY_LINE,
						      .color = style.color,
						      .text = "from send to arrival" };
}

int tv_message_arrows_init(struct tv_message_arrows *arrows, struct tv_figure *figure,
			   const struct tv_layer_options *options, const struct tv_rows *rows,
			   struct tv_layer **layers, struct tv_error *err)
{
	const char *text = options->messages;
	const struct tv_messages *messages;
	struct choice choice = { 0 };
	int rc;

	if (text == NULL && figure->states) {
		messages = tv_run_messages(figure->run, err);
		if (messages == NULL)
			return -1;
		text = messages->n > 0 ? "slowest:50" : NULL;
		choice.waited = true;
	}
	if (text == NULL || strcmp(text, "none") == 0)
		return 0;
	if (read_choice(&choice, text, err) < 0)
		return -1;
	rc = tv_layer_pass(figure, "messages", "messages", NULL, &arrows->table, err);
	if (rc == 0 && choice.what == CHAIN) {
		choice.in_chain = tv_alloc(tv_pool_count(figure->run->tasks.pool),
					   sizeof *choice.in_chain);
		rc = find_chains(&choice, figure, options, err);
	}
	if (rc == 0) {
		collect(arrows, &choice, figure, rows);
		cut(arrows, &choice, figure->run, tv_layer_add(layers, "messages"));
	}
	tv_free(choice.in_chain);
	return rc < 0 ? -1 : 0;
}

void tv_message_arrows_release(struct tv_message_arrows *arrows)
{
	tv_free(arrows->at);
	*arrows = (struct tv_message_arrows){ 0 };
}

/* ---- drawn ---- */

/* Where the rows of tasks are, in points below the frame's upper edge; NaN = nowhere. */
static double *find_middles(const struct tv_figure *figure, const struct tv_rows *rows)
{
	uint32_t n = figure->run->tasks.n;
	double *middle = tv_alloc(n, sizeof *middle);
	struct tv_item_room room = { 0 };

	for (uint32_t i = 0; i < n; i++)
		middle[i] = NAN;
	for (uint32_t r = 0; r < rows->nrows; r++) {
		const struct tv_row *row = &rows->row[r];
		const struct tv_item *item = tv_row_items(rows, row, &room);

		for (uint32_t i = 0; i < row->n; i++, item++)
			middle[item->row] = row->y0
					  + (double)(item->top + item->bottom) / 2
						    * (row->y1 - row->y0);
	}
	tv_item_room_release(&room);
	return middle;
}

/* The place of a node: which group of rows it is, and its edges. */
struct place {
	uint32_t group;
	double y0, y1;
};

static struct place place_of(const struct tv_rows *rows, uint32_t node)
{
	struct place place = { 0 };

	for (uint32_t b = 0; b < rows->nbands; b = tv_rows_node_end(rows, b), place.group++) {
		place.y0 = rows->band[b].y0;
		place.y1 = rows->band[tv_rows_node_end(rows, b) - 1].y1;
		if (rows->band[b].node == node)
			break;
	}
	return place;
}

/* middle: by row of tasks, or NULL; edge: where the arrow is if nothing more is known. */
static double end_at(const struct place *place, const double *at, const double *middle,
		     uint32_t task, double edge)
{
	if (at != NULL && !isnan(at[place->group]))
		return at[place->group];
	if (middle != NULL && task != TV_NONE && !isnan(middle[task]))
		return middle[task];
	return edge;
}

void tv_message_arrows_draw(struct tv_figure *figure, const struct tv_message_arrows *arrows,
			    const struct tv_rows *rows, const double *at, unsigned frame)
{
	struct tv_frame f = figure->scene->frame[frame];
	/* Items of rows of states are rows of another table. */
	bool single = arrows->n > 0 && !figure->rows->states && rows->collapse == TV_COLLAPSE_NONE
		   && (rows->nrows == 0 || rows->row[0].workers == 0);
	double *middle = single ? find_middles(figure, figure->rows) : NULL;
	struct tv_hover hover = { .n = 0 };

	if (arrows->n > 0)
		tv_hover_init(&hover, arrows->table,
			      "message {Origin} to {Dest}, {from} to {to} ms ({long} ms)[, {Size} "
			      "bytes]");

	for (uint32_t i = 0; i < arrows->n; i++) {
		const struct tv_message_arrow *arrow = &arrows->at[i];
		struct place from = place_of(rows, arrow->origin), to = place_of(rows, arrow->dest);
		bool down = from.y0 < to.y0;
		/* Headers of nodes would hide heads that are outside the rows. */
		double inside = rows->head > 0 ? fmin(style.head_length, (to.y1 - to.y0) / 2) : 0;
		double ends[4] = {
			tv_frame_x(&f, tv_frame_time(&f, arrow->begin)),
			f.y + end_at(&from, at, middle, arrow->producer, down ? from.y1 : from.y0),
			tv_frame_x(&f, tv_frame_time(&f, arrow->end)),
			f.y
				+ end_at(&to, at, middle, arrow->user,
					 down ? to.y0 + inside : to.y1 - inside),
		};

		tv_arrow_draw(figure->scene, frame, ends, &style, arrow->row,
			      tv_hover_label(figure->scene, &hover, arrow->row, arrow->begin,
					     arrow->end));
	}
	tv_free(middle);
}
