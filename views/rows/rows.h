/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rows.h -- what panels with one row per worker draw: rows, their items, task types and their
 * colors.
 *
 * From the executions of a run: one row per worker, also of workers without tasks; within a node
 * the accelerators come first. Tasks that run at the same time on one worker share the height of
 * its row. Without tasks, the states are shown, or the MPI calls of a trace without states: one row
 * per resource that has any, nested ones over the outer ones.
 *
 * Types are in the order of the legend: by total time, at most TV_COLORS_MAX, then "other" and
 * then, if there is any, the time of executions that are not counted (setup, runtime).
 */
#ifndef TV_ROWS_H
#define TV_ROWS_H

#include "views/shared/hover.h"
#include "views/shared/options.h"

enum { TV_TYPES_MAX = TV_COLORS_MAX + 2, TV_NO_TYPE = 255 };

struct tv_type_style {
	char name[128]; /* clean text */
	uint32_t label; /* TV_NONE for "other" and what is not counted */
	double count;	/* tasks; a member of a team of k counts 1/k */
	int64_t time;	/* ns, their total time */
	uint32_t color, faded;
	uint32_t blind; /* of tasks: the color of the color-blind palette */
};

struct tv_item {
	int64_t begin, end; /* ns */
	uint32_t row;	    /* of the tasks or the states table */
	float top, bottom;  /* of the row's height, 0..1 */
	uint8_t type;	    /* index into type[] */
	uint8_t under;	    /* type that it covers (nested states), or TV_NO_TYPE */
	bool outlier;
	float absent; /* part of its time that is not its own (groups), 0..1 */
};

/* How a task is drawn: its type, an index into type[], and whether it is an outlier. */
enum { TV_LOOK_OUTLIER = 0x80, TV_LOOK_NONE = 0xff /* it is not drawn */ };
_Static_assert((int)TV_TYPES_MAX < TV_LOOK_OUTLIER, "types beside outliers");

/* Which names of rows are shown left of them. */
enum tv_row_names {
	TV_NAMES_AUTO, /* as many as fit */
	TV_NAMES_ALL,  /* the same: only the height that is asked for differs */
	TV_NAMES_NONE,
	TV_NAMES_FIRST,	     /* the first of each resource type of a node */
	TV_NAMES_FIRST_LAST, /* and the last */
	TV_NAMES_TYPES,	     /* brackets alone: number and type */
};

/* What rows show at their free lower edge besides outliers that an image hides. */
struct tv_edges {
	bool rare;   /* types that fill less than a column of its images */
	bool gaps;   /* idle time that an image hides */
	int64_t min; /* ns, shortest gap to mark; -1 = the longest few */
};

struct tv_row {
	uint32_t resource; /* label */
	uint32_t band;
	uint32_t workers; /* all of its type, which it represents; 0 = one */
	uint32_t n;
	size_t first;  /* items [first, first + n), by begin, longer ones first */
	bool overlaps; /* of tasks that are items: some run at the same time */
	uint32_t
		folded; /* of the first of several neighbours without work: how many; 0 = no such row */
	bool behind;	/* one of the others */
	uint32_t place; /* which of those of the band, set by tv_rows_place */
	bool splits;	/* another memory node or device than that of the row above, in its band */
	double idle;	/* percent; NaN = not known */
	double y0, y1;	/* set by tv_rows_place: where items are drawn, in points */
	double bottom;	/* of its share: [y1, bottom] is free for marks */
};

/* Rows of one resource type of one node. */
struct tv_band {
	uint32_t node, rtype; /* labels; may be TV_NONE */
	uint32_t first, n;    /* rows */
	double weight;	      /* height of its rows in those of a CPU */
	double idle;	      /* mean of its workers; NaN = not known */
	uint32_t nworkers;    /* devices, where rows are their streams; 0 = one per row */
	uint32_t places; /* rows that have a height of their own: fewer than n if some are folded */
	uint32_t nlines; /* rows that the medium can show; fewer than n: rows are merged */
	double y0, y1;	 /* set by tv_rows_place, points */
	double strip;	 /* free height below for marks, where its rows are too low for any */
};

/* What is drawn as one: exact shares of all its workers, stacked. */
enum tv_collapse { TV_COLLAPSE_NONE, TV_COLLAPSE_TYPE, TV_COLLAPSE_NODE };

/* What is known of a node as a whole. */
struct tv_node_note {
	uint32_t node;	       /* label */
	int64_t makespan, abe; /* ns; -1 = not known */
	bool late_start, late_end, more_work;
};

struct tv_rows {
	const struct tv_pool *pool;
	bool states;		  /* items are drawn in their order, as states are nested */
	const int64_t *iteration; /* of each row, where rows are iterations; NULL: workers */
	uint32_t lanes;		  /* items that a row has height for at the same time */
	bool mixed;		  /* rows are images of shares throughout */
	const struct tv_table
		*table;	   /* whose rows items are (calls, ...); NULL: tasks, or states */
	const char *class; /* of items drawn one by one in their order; NULL: "state" */
	struct tv_hover
		hover; /* of items, about their rows of table; without parts: type, job, resource
				* and times */
	struct tv_type_style type[TV_TYPES_MAX];
	uint32_t ntypes, nshown; /* all; those before "other" */
	uint32_t nother;	 /* task types behind "other" */
	uint32_t
		uncounted; /* index of the type of uncounted executions; ntypes if there are none */
	double noutliers;  /* as counted in types */
	bool has_outliers; /* they were looked for */
	uint32_t nnodes;
	struct tv_item *item; /* NULL: of task[] */
	uint32_t *task;	      /* rows of the tasks table: a tenth of the memory of items */
	size_t nitems, filled;
	const struct tv_tasks *tasks;
	uint8_t *look; /* by row of the tasks table: TV_LOOK_* */
	/* Of tasks, also where their rows come part by part, so that there are none here: */
	uint32_t *place;	     /* row of each worker; TV_NONE = it has none */
	uint8_t *type_of;	     /* by label of a Value: index into type[] */
	uint32_t nopen;		     /* tasks cut off by the end of the trace */
	struct tv_shown_rows choice; /* of those that come part by part */
	uint32_t
		height_lanes; /* of task[]: lanes of every row; 0: of each group of tasks that overlap */
	struct tv_row *row;
	uint32_t nrows;
	struct tv_band *band;
	uint32_t nbands;
	int64_t begin, end;	       /* of all items; 0, 0 without */
	const struct tv_table *groups; /* pass aggregate: items are its rows; else NULL */
	bool bordered;		       /* groups have a line around them */
	enum tv_row_names names;
	const char *idle_title; /* over the idleness of the rows; NULL = none is shown */
	struct tv_edges edges;
	bool fold;    /* neighbours without work are drawn as one row */
	double units; /* height of all rows in those of a CPU */
	bool grouped; /* the run has several nodes: those shown are named */
	enum tv_collapse collapse;
	bool many;	 /* nodes: more than a figure has height for single rows */
	bool name_nodes; /* even where every row is named */
	bool brief;  /* if not every row of a type has a name, none has: the bracket is enough */
	double head; /* points, free above the rows of each node for its header; 0 = none */
	double foot; /* likewise below them, for what is not a worker */
	const struct tv_node_note *note; /* borrowed */
	uint32_t nnotes;
};

/* Whether items are rows of the tasks table. */
static inline bool tv_rows_show_tasks(const struct tv_rows *rows)
{
	return rows->table == NULL && !rows->states && rows->groups == NULL;
}

/* Lanes of a row for items that overlap in time, until `last`; { 0 } at first. */
struct tv_lanes {
	struct tv_lane *lane;
	uint32_t n;
	size_t cap;
	int64_t last;
};

/* Memory for the items of a row; { 0 } at first. */
struct tv_item_room {
	struct tv_item *item;
	size_t items_cap;
	struct tv_lanes lanes;
};
void tv_item_room_release(struct tv_item_room *room);
/* The items of a row, row->n of them by begin, until the next call with that room. O(row->n). */
const struct tv_item *tv_row_items(const struct tv_rows *rows, const struct tv_row *row,
				   struct tv_item_room *room);
/* The same where only times, types and rows of the table matter: tasks have the whole height. */
const struct tv_item *tv_row_times(const struct tv_rows *rows, const struct tv_row *row,
				   struct tv_item_room *room);
/* The i-th of all items, as tv_row_times. */
struct tv_item tv_rows_item(const struct tv_rows *rows, size_t i);
/* Where the item of a row of the tasks table is: the i-th of *row; false if there is none. O(items). */
bool tv_rows_find(const struct tv_rows *rows, uint32_t task, const struct tv_row **row, size_t *i);

/* CPUs have one row's height; all else that computes is an accelerator, and twice as high. */
bool tv_is_cpu(const struct tv_pool *pool, uint32_t rtype);

/* Types to show, in the order of the legend. */
struct tv_type_order {
	const char *name[TV_COLORS_MAX];
	uint32_t own[TV_COLORS_MAX]; /* colors that files give to states, as tv_own_color */
	size_t n;
};

/* What rows are made from besides the run. */
struct tv_rows_source {
	enum tv_palette palette;
	const struct tv_kernels *kernels;
	const struct tv_table *outliers, *idleness; /* results of these passes, or NULL */
	const struct tv_table *stream_idleness;	    /* of rows that are streams; NULL = none is */
	const bool *shown;		       /* per row of tasks: it is to be drawn; NULL = all */
	const struct tv_type_order *order;     /* NULL or without types = the largest of this run */
	const struct tv_plot_options *options; /* which rows, in which order */
};

/* The color that the files of a trace give to a value of its states, not lighter than TV_LIGHTEST; TV_NONE
 * = none. */
uint32_t tv_own_color(const struct tv_trace *trace, const char *name);

/*
 * The workers of a run in the order of their rows, order[0..nworkers), and the domain[w] of each:
 * one number per memory node of CPUs, per device of accelerators, TV_NONE where the trace does not
 * have it. -1 with *err. (order.c)
 */
int tv_rows_order(struct tv_run *run, const struct tv_rows_source *source, uint32_t *order,
		  uint32_t *domain, struct tv_error *err) TV_MUST_CHECK;

/* -1 with *err: rows that come part by part could not be read, or overlap in time. Release rows in any case. */
int tv_rows_init(struct tv_rows *rows, struct tv_run *run, const struct tv_rows_source *source,
		 struct tv_error *err) TV_MUST_CHECK;
/* Gives the rows of a figure whose tasks come part by part (tv_run_rows) with the items of each part, without those of
 * others; of iterations also with the most lanes of a row in it. outliers: the result of the pass on the run, or NULL; jobs: whether
 * the JobId of tasks is wanted, too. -1 with *err. */
int tv_rows_give(const struct tv_rows *rows, struct tv_run *run, const struct tv_table *outliers,
		 bool jobs, void (*take)(void *state, const struct tv_rows *some), void *state,
		 struct tv_error *err) TV_MUST_CHECK;
/* Finds neighbours of a type that never work, also not in n others with the same rows, to be folded
 * where that is wanted. Made alone by tv_rows_init. */
void tv_rows_fold(struct tv_rows *rows, const struct tv_rows *const *others, size_t n);
void tv_rows_release(struct tv_rows *rows);

/*
 * Divides a height (points) among the rows: whole cells per row where a row has at least one, thin
 * gaps between resource types, wider ones between nodes. Returns the height used, at most a cell
 * more than `height`.
 */
double tv_rows_place(struct tv_rows *rows, double height, double cell);
/* The band behind the last one of the node to which a band belongs. */
uint32_t tv_rows_node_end(const struct tv_rows *rows, uint32_t band);
/* How many workers the rows of a band represent. */
uint32_t tv_rows_workers(const struct tv_rows *rows, uint32_t band);
/* How often another node begins from one band to the next, the first one included. */
uint32_t tv_rows_groups(const struct tv_rows *rows);
/* Whether a row is drawn at the place of the one before it. */
static inline bool tv_row_hidden(const struct tv_rows *rows, const struct tv_row *row)
{
	return rows->fold && row->behind;
}
/* Height that tv_rows_place needs for CPU rows of `unit` points. */
double tv_rows_height(const struct tv_rows *rows, double unit);
/* A height that suits the rows: low ones for many workers, higher ones for few. CPU rows are
 * `min` to `max` points high, so that all of them fill `comfortable`; beyond `tall` it grows
 * slowly. */
double tv_rows_wanted(const struct tv_rows *rows, double min, double max, double comfortable,
		      double tall);

#endif
