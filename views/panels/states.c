/* SPDX-License-Identifier: GPL-3.0-or-later */
/* states.c -- the panel of what the runtime did on each worker outside tasks. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"
#include "trace/text.h"
#include "views/charts/strip.h"
#include "views/rows/chart.h"
#include "views/shared/panel.h"

/* Points; rows are high enough for names, unless that makes more than `named` of them. */
static const double row_named = 7.2, row_low = 4.5, row_max = 12, comfortable = 90, named = 125,
		    tall = 220;

enum { RTYPES_MAX = 3 }; /* more get one share of them all */

struct states {
	bool inside;
	struct tv_rows rows;
	struct tv_key key[TV_TYPES_MAX + 1];
	size_t nkeys;
	const struct tv_printed *printed;
	char title[160];
};

/* Those of StarPU, OpenMP and simulated platforms; others get the spare ones. */
static const struct {
	const char *name;
	uint32_t color;
} known[] = {
	{ "Idle", 0xfdd58c },
	{ "Read", 0xd62728 },
	{ "Compute", 0xb9cfdc },
	{ "Write", 0x7b2d8b },
	{ "Sleeping", 0xbfb0dd },
	{ "Scheduling", 0x55a630 },
	{ "Overhead", 0x3b7dc0 },
	{ "Progressing", 0x3fbfb5 },
	{ "FetchingInput", 0xd62728 },
	{ "PushingOutput", 0xe377c2 },
	{ "Callback", 0x8c564b },
	{ "Submitting task", 0xf28e2b },
	{ "Submiting task", 0xf28e2b },
	{ "Building task", 0xb59a00 },
	{ "Initializing", 0x7a7a7a },
	{ "Deinitializing", 0x4d4d4d },
	{ "Waiting all tasks", 0x17507a },
	{ "Waiting task", 0x5c9dc9 },
	{ "HandleRequests", 0x7b2d8b },
	{ "execute_on_all_wrapper", 0x006d5b },
	{ "Serial", 0xb59a00 },
	{ "Parallel region", 0xa3cfc7 },
	{ "Implicit task", 0x499894 },
	{ "Loop", 0x55a630 },
	{ "Sections", 0x8cc56f },
	{ "Single", 0xf28e2b },
	{ "Masked", 0xf2b37a },
	{ "Taskloop", 0xd37295 },
	{ "Barrier", 0x8c6d46 },
	{ "Implicit barrier", 0xc2a586 },
	{ "Taskwait", 0x5c9dc9 },
	{ "Taskgroup", 0x17507a },
	{ "Wait for critical", 0xd62728 },
	{ "Critical", 0xe8a09f },
	{ "Wait for lock", 0xa05195 },
	{ "Lock", 0xdcb6d6 },
	{ "Wait for ordered", 0x8c564b },
	{ "Ordered", 0xc9a79f },
};
static const uint32_t spare[] = { 0x9c755f, 0x499894, 0xb6992d, 0x79706e, 0xd37295, 0x86bcb6,
				  0xd4a6c8, 0x2f4b7c, 0xa05195, 0x665191, 0xffa600, 0x003f5c };

/* A state while they are ranked: its time on all workers, its shares by resource type. */
struct rank {
	uint32_t label;
	int64_t time;
	double share[RTYPES_MAX + 1]; /* the last: of all workers */
	const char *name;
};

TV_ORDER(by_time, struct rank, down(time), text(name))

static const double share_min = 0.005; /* percent: less is not written as a number */

static uint32_t color_of(const char *name, size_t *nspare)
{
	for (size_t i = 0; i < TV_COUNT(known); i++)
		if (strcmp(known[i].name, name) == 0)
			return known[i].color;
	return spare[(*nspare)++ % TV_COUNT(spare)];
}

static void set_style(struct tv_type_style *style, const char *name, int64_t time, uint32_t color)
{
	*style = (struct tv_type_style){ .time = time, .color = color, .faded = color };
	tv_clean_text(style->name, sizeof style->name, name);
}

/* "Idle 30.1 / 5.2": a share for each resource type. */
static void add_key(struct states *s, const struct tv_tasks *tasks, const char *name,
		    uint32_t color, const double *share)
{
	struct tv_key *key = &s->key[s->nkeys++];
	uint32_t first = tasks->nrtypes <= RTYPES_MAX ? 0 : RTYPES_MAX;
	uint32_t n = tasks->nrtypes <= RTYPES_MAX ? tasks->nrtypes : 1;
	size_t at;

	*key = (struct tv_key){ .kind = TV_KEY_AREA, .color = color };
	tv_clean_text(key->text, 40, name);
	at = strlen(key->text);
	for (uint32_t i = 0; i < n && at < sizeof key->text; i++) {
		char text[32], of[TV_KEY_TEXT];

		if (share[first + i] == 0)
			snprintf(text, sizeof text, "0");
		else
			tv_percent_text(text, sizeof text, share[first + i]);
		snprintf(of, sizeof of, "%s %s", name,
			 first > 0 ? "" : tv_pool_text(tasks->pool, tasks->rtype[i].label));
		at += (size_t)snprintf(key->text + at, sizeof key->text - at, "%s%s",
				       i > 0 ? " / " : " ",
				       tv_print_number(s->printed, "Share", of, "%", "%s", text));
	}
}

/* The row of the rank that a row of shares belongs to: a state's, or a special one. */
static struct rank *rank_of(struct rank *rank, uint32_t *n, uint32_t label, const char *name)
{
	for (uint32_t i = 0; i < *n; i++)
		if (rank[i].label == label && strcmp(rank[i].name, name) == 0)
			return &rank[i];
	rank[*n] = (struct rank){ .label = label, .name = name };
	return &rank[(*n)++];
}

static void add_share(struct rank *rank, const struct tv_tasks *tasks, uint32_t rtype, int64_t time,
		      double share)
{
	rank->time += time;
	for (uint32_t r = 0; r < tasks->nrtypes; r++)
		if (tasks->rtype[r].label == rtype) {
			if (r < RTYPES_MAX)
				rank->share[r] = share;
			rank->share[RTYPES_MAX] += share * tasks->rtype[r].nworkers
						 / tasks->nworkers;
		}
}

/* Reads the shares: states by time into rank[0..n), tasks apart. */
static uint32_t read_shares(const struct tv_table *table, const struct tv_tasks *tasks,
			    struct rank *rank, struct rank *task, struct rank *none)
{
	const struct tv_column *rtype = tv_table_find(table, "ResourceType"),
			       *nature = tv_table_find(table, "Nature"),
			       *value = tv_table_find(table, "Value"),
			       *time = tv_table_find(table, "Time"),
			       *share = tv_table_find(table, "Share");
	uint32_t n = 0;

	for (uint32_t row = 0; row < table->nrows; row++) {
		const char *is = tv_pool_text(table->pool, tv_label(nature, row));
		struct rank *to = strcmp(is, "task") == 0 ? task
				: strcmp(is, "none") == 0
					? none
					: rank_of(rank, &n, tv_label(value, row),
						  tv_pool_text(table->pool, tv_label(value, row)));

		add_share(to, tasks, tv_label(rtype, row), time->i[row], share->d[row]);
	}
	qsort(rank, n, sizeof *rank, by_time);
	return n;
}

/* Whether a state is worth a color of its own: some share shows in its key. */
static bool is_visible(const struct rank *rank)
{
	for (int r = 0; r <= RTYPES_MAX; r++)
		if (rank->share[r] >= share_min)
			return true;
	return false;
}

static void add_rank(struct rank *to, const struct rank *rank)
{
	to->time += rank->time;
	for (int r = 0; r <= RTYPES_MAX; r++)
		to->share[r] += rank->share[r];
}

/* A type of the rows with its key. */
static void add_type(struct states *s, const struct tv_tasks *tasks, const char *name,
		     uint32_t color, const struct rank *rank)
{
	set_style(&s->rows.type[s->rows.ntypes++], name, rank->time, color);
	if (rank->time > 0)
		add_key(s, tasks, name, color, rank->share);
}

/* Types of the rows: tasks first, so that they are at the bottom of shares; then the states. Pieces that are drawn beyond the time of the
 * shares may be of other states. */
static void set_types(struct states *s, const struct tv_table *table, const struct tv_table *pieces,
		      const struct tv_tasks *tasks, uint8_t *index)
{
	const struct tv_column *value = tv_table_find(pieces, "Value");
	struct rank *rank = tv_alloc(table->nrows, sizeof *rank), task = { 0 }, none = { 0 },
		    rest = { 0 };
	struct tv_rows *rows = &s->rows;
	size_t nspare = 0;
	uint32_t n, nrest = 0;
	bool beyond = false;

	n = read_shares(table, tasks, rank, &task, &none);
	add_type(s, tasks, "tasks", TV_PALE, &task);
	for (uint32_t i = 0; i < n; i++) {
		if (rows->ntypes > TV_COLORS_MAX || !is_visible(&rank[i])) {
			add_rank(&rest, &rank[i]);
			rank[nrest++].label = rank[i].label;
			continue;
		}
		if (rank[i].label != TV_NONE)
			index[rank[i].label] = (uint8_t)rows->ntypes;
		add_type(s, tasks, rank[i].name, color_of(rank[i].name, &nspare), &rank[i]);
	}
	for (uint32_t row = 0; row < pieces->nrows; row++)
		if (tv_table_is(pieces, "Nature", row, "state") && tv_label(value, row) != TV_NONE
		    && index[tv_label(value, row)] == 0) {
			index[tv_label(value, row)] = (uint8_t)rows->ntypes;
			beyond = true;
		}
	if (nrest > 0 || beyond)
		add_type(s, tasks, "other", TV_GRAY, &rest);
	if (beyond && rest.time == 0)
		add_key(s, tasks, "other", TV_GRAY, rest.share);
	if (none.time > 0)
		add_key(s, tasks, "white: not known", TV_WHITE, none.share);
	rows->nshown = rows->uncounted = rows->ntypes;
	tv_free(rank);
}

/* The rows of the space-time panel, with pieces in place of its items. The pieces come worker by
 * worker, each in order of time. */
static void set_items(struct tv_rows *rows, const struct tv_rows *like,
		      const struct tv_table *table, const uint8_t *index)
{
	const struct tv_column *id = tv_table_find(table, "ResourceId"),
			       *nature = tv_table_find(table, "Nature"),
			       *value = tv_table_find(table, "Value");
	const int64_t *start = tv_table_find(table, "Start")->i,
		      *end = tv_table_find(table, "End")->i;
	uint32_t task = tv_pool_find_text(table->pool, "task"), nlabels = tv_pool_count(rows->pool);
	uint32_t *row_of = tv_alloc(nlabels, sizeof *row_of);

	rows->item = tv_alloc(table->nrows, sizeof *rows->item);
	for (uint32_t i = 0; i < nlabels; i++)
		row_of[i] = TV_NONE;
	for (uint32_t r = 0; r < like->nrows; r++)
		row_of[like->row[r].resource] = r;
	for (uint32_t i = 0; i < table->nrows; i++) {
		uint32_t r = row_of[tv_label(id, i)], label = tv_label(value, i);
		struct tv_row *row = r == TV_NONE ? NULL : &rows->row[r];

		if (row == NULL)
			continue;
		if (row->n++ == 0)
			row->first = rows->nitems;
		rows->item[rows->nitems++] = (struct tv_item){
			.begin = start[i],
			.end = end[i],
			.row = i,
			.bottom = 1,
			.type = tv_label(nature, i) == task || label == TV_NONE ? 0 : index[label],
			.under = TV_NO_TYPE
		};
	}
	rows->filled = rows->nitems;
	tv_free(row_of);
}

static void copy_rows(struct tv_rows *rows, const struct tv_rows *like)
{
	*rows = (struct tv_rows){ .pool = like->pool,
				  .states = true,
				  .nrows = like->nrows,
				  .nbands = like->nbands,
				  .nnodes = like->nnodes,
				  .units = like->units,
				  .lanes = 1 };
	rows->row = tv_alloc(like->nrows, sizeof *rows->row);
	rows->band = tv_alloc(like->nbands, sizeof *rows->band);
	memcpy(rows->row, like->row, like->nrows * sizeof *rows->row);
	memcpy(rows->band, like->band, like->nbands * sizeof *rows->band);
	for (uint32_t r = 0; r < rows->nrows; r++) {
		rows->row[r].n = 0;
		rows->row[r].first = 0;
	}
}

static void set_title(struct states *s, const struct tv_tasks *tasks)
{
	size_t at = (size_t)snprintf(s->title, sizeof s->title, "runtime states, %% of ");

	for (uint32_t r = 0; r < tasks->nrtypes && tasks->nrtypes <= RTYPES_MAX; r++) {
		char name[40];

		tv_clean_text(name, sizeof name, tv_pool_text(tasks->pool, tasks->rtype[r].label));
		at += (size_t)snprintf(s->title + at, sizeof s->title - at, "%s%s",
				       r > 0 ? " / " : "", name);
	}
	snprintf(s->title + at, sizeof s->title - at, "%s",
		 tasks->nrtypes <= RTYPES_MAX ? " time" : "the workers' time");
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const struct tv_tasks *tasks = tv_run_part(figure->run);
	const struct tv_table *shares, *pieces;
	struct states *s = slot->state;
	uint8_t *index;
	const char *inside = s->inside ? "inside" : NULL;
	int rc = tv_panel_pass(figure, slot->panel, "states",
			       (const char *const[]){ inside, "", NULL }, &shares, err);

	if (rc == 0)
		rc = tv_panel_pass(figure, slot->panel, "states",
				   (const char *const[]){ "by", "piece", inside, "", NULL },
				   &pieces, err);
	if (rc != 0)
		return rc;
	s->printed = &slot->printed;
	index = tv_alloc(tv_pool_count(tasks->pool), sizeof *index);
	copy_rows(&s->rows, figure->rows);
	set_types(s, shares, pieces, tasks, index);
	s->rows.table = pieces;
	set_title(s, tasks);
	set_items(&s->rows, figure->rows, pieces, index);
	tv_free(index);
	return 0;
}

static void measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	struct states *s = slot->state;
	double cell = figure->scene->cell;
	double unit = fmax(row_named, fmin(row_max, comfortable / fmax(s->rows.units, 1)));

	if (s->rows.units * unit > named)
		unit = row_low;
	if (height == 0)
		height = fmin(tv_rows_height(&s->rows, unit), tall) + cell;
	slot->request.height = tv_rows_place(&s->rows, height, cell);
	slot->request.left = tv_chart_names_width(figure, &s->rows);
	slot->request.top = tv_strip_height(figure, s->title, s->key, s->nkeys,
					    tv_strip_width(figure));
}

static void draw_items(struct tv_figure *figure, const struct states *s,
		       const struct tv_place *place, bool stub)
{
	unsigned frame = tv_figure_frame(figure, stub ? "states-setup" : "states", place,
					 place->height, stub);

	tv_chart_items(figure, &s->rows, frame, stub);
	tv_chart_frame(figure->scene, &s->rows, frame);
}

static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	struct states *s = slot->state;
	const struct tv_place *place = &slot->place;
	double crowd = figure->crowd, cells = figure->crowd_cells;

	tv_rows_place(&s->rows, slot->given, figure->scene->cell);
	if (figure->axis.stub_width > 0)
		draw_items(figure, s, place, true);
	draw_items(figure, s, place, false);
	/* The figure prints how many tasks share a cell, not how many states. */
	figure->crowd = crowd;
	figure->crowd_cells = cells;
	tv_chart_names(figure, &s->rows, place->y);
	tv_strip_draw(figure, s->title, s->key, s->nkeys, place->x, place->y,
		      tv_strip_width(figure));
}

static void release(struct tv_slot *slot)
{
	struct states *s = slot->state;

	tv_rows_release(&s->rows);
	tv_free(s);
}

static const struct tv_option_spec options[] = {
	{ "inside", NULL, NULL, "show states that lie in tasks instead of the tasks",
	  TV_INTO(struct states, inside) },
};

const struct tv_panel tv_panel_states = {
	.name = "states",
	.title = "what the runtime did on each worker outside tasks",
	.needs = "states of the workers",
	.share = 2,
	TV_PANEL_OPTIONS(options, struct states),
	.prepare = prepare,
	.measure = measure,
	.layout = layout,
	.release = release,
};
