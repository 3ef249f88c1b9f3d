/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cause_rows.c -- the rows of idle-causes, besides those of --by culprit. */
#include "analysis/bounds/cause_rows.h"

#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"

#define COLUMNS(X) \
	X(START, "Start", TV_TIME, false, "ms", "start of the run, the window or the slice") \
	X(END, "End", TV_TIME, false, "ms", "end of it") \
	X(NODE, "Node", TV_LABEL, false, "", \
	  "node; missing = several; with Blame that of the task") \
	X(RTYPE, "ResourceType", TV_LABEL, false, "", "type of the workers; likewise") \
	X(RESOURCE, "ResourceId", TV_LABEL, false, "", "worker; missing = several") \
	X(WORKERS, "Workers", TV_INT, false, "", "number of workers of the row") \
	X(CAUSE, "Cause", TV_LABEL, false, "", "cause of the idle time, see below") \
	X(TIME, "Time", TV_TIME, false, "ms", "idle time with this cause, sum over the workers") \
	X(SHARE, "Share", TV_DOUBLE, false, "%", \
	  "Time over all time of the workers from Start to End") \
	X(IDLE_SHARE, "IdleShare", TV_DOUBLE, false, "%", \
	  "Time over their idle time; missing if they were never idle")

#define MORE_COLUMNS(X) \
	X(BLAME, "Blame", TV_LABEL, false, "", \
	  "with --by blame: task, message, waiting, submission or no-next-task") \
	X(VALUE, "Value", TV_LABEL, false, "", "with --by blame: type of the blamed task") \
	X(LINK, "Link", TV_LABEL, false, "", \
	  "with --by blame, cause,link: nodes of the message (0->2) or memory nodes") \
	X(HANDLE, "Handle", TV_LABEL, false, "", "with --by cause,handle: the data; Node: whose") \
	X(SENDER, "Sender", TV_LABEL, false, "", \
	  "with --by cause,sender: node or memory node that the data come from")

enum {
	COLUMNS(TV_COLUMN_ID) BLAMED, /* by blame */
	LAST_BLAMED = BLAMED + TV_NBLAMES - 1,
	MORE_COLUMNS(TV_COLUMN_ID)
};

_Static_assert(SENDER + 1 == TV_IDLE_CAUSE_COLUMNS, "a number for every column");

/* What is blamed for the time of the cause dependencies has a column each. */
#define FIELD(symbol, name, column, color, phrase, sentence, meaning) \
	{ column, TV_TIME, false, "ms", meaning },
const struct tv_field tv_idle_cause_columns[TV_IDLE_CAUSE_COLUMNS] = { COLUMNS(
	TV_COLUMN_ROW) TV_BLAMES(FIELD) MORE_COLUMNS(TV_COLUMN_ROW) };
#undef FIELD

static double percent(tv_int128 part, tv_int128 whole)
{
	return whole > 0 ? 100 * (double)part / (double)whole : 0;
}

/* Adds the row of a cause from begin to end; its number. idle: for all causes. */
static uint32_t add_row_of(struct tv_cause_sums *work, const struct tv_cause_group *group,
			   int64_t begin, int64_t end, uint32_t cause, tv_int128 time,
			   tv_int128 idle)
{
	tv_int128 whole = (tv_int128)(end - begin) * group->nworkers;
	struct tv_column *const *to = work->out->col;
	uint32_t row = tv_table_add_row(work->out);

	tv_set_int(to[START], row, begin);
	tv_set_int(to[END], row, end);
	tv_set_label(to[NODE], row, group->node);
	tv_set_label(to[RTYPE], row, group->type);
	tv_set_label(to[RESOURCE], row, group->resource);
	tv_set_int(to[WORKERS], row, group->nworkers);
	tv_set_label(to[CAUSE], row, work->cause[cause]);
	tv_set_int(to[TIME], row, tv_sum_ns(time));
	tv_set_double(to[SHARE], row, percent(time, whole));
	if (idle != 0)
		tv_set_double(to[IDLE_SHARE], row, percent(time, idle));
	return row;
}

/* The same of a slice. */
static uint32_t add_row(struct tv_cause_sums *work, const struct tv_cause_group *group,
			size_t slice, enum tv_idle_cause cause, tv_int128 time, tv_int128 idle)
{
	return add_row_of(work, group, work->bound[slice], work->bound[slice + 1], cause, time,
			  idle);
}

void tv_cause_write_span(struct tv_cause_sums *work, uint32_t worker, uint32_t cause, int64_t begin,
			 int64_t end)
{
	uint32_t group = work->group_of[worker];

	if (group != TV_NONE)
		add_row_of(work, &work->group[group], begin, end, cause, end - begin, end - begin);
}

/* The parts of the row's time. */
static void set_blamed(struct tv_cause_sums *work, uint32_t row, const tv_int128 *blamed)
{
	for (int b = 0; b < TV_NBLAMES; b++)
		tv_set_int(work->out->col[BLAMED + b], row, tv_sum_ns(blamed[b]));
}

static tv_int128 idle_time(const tv_int128 *time)
{
	tv_int128 idle = 0;

	for (int c = 0; c < TV_STREAM_NCAUSES; c++)
		idle += time[c];
	return idle;
}

static void write_group(struct tv_cause_sums *work, size_t slice, uint32_t g)
{
	const tv_int128 *time = work->time + (slice * work->ngroups + g) * TV_STREAM_NCAUSES;
	int ncauses = work->is_stream != NULL ? TV_STREAM_NCAUSES : TV_IDLE_NCAUSES;
	tv_int128 idle = idle_time(time);

	if (work->group[g].nworkers == 0)
		return;
	for (int c = 0; c < ncauses; c++) {
		uint32_t row;

		if ((c == TV_IDLE_DEPENDENCIES && work->asked->by == TV_CAUSES_BY_BLAME)
		    || (c == TV_IDLE_IN_LOOP && !work->loops))
			continue;
		row = add_row(work, &work->group[g], slice, c, time[c], idle);
		if (c == TV_IDLE_DEPENDENCIES)
			set_blamed(work, row,
				   work->blamed + (slice * work->nblamed + g) * TV_NBLAMES);
	}
}

/* What is blamed in a slice, and for how long. */
struct share {
	uint32_t blame, name;
	tv_int128 time;
};

/* Labels in the order of their texts; none is last. */
static int by_text(struct tv_pool *pool, uint32_t a, uint32_t b)
{
	return a == b ? 0 : a == TV_NONE ? 1 : b == TV_NONE ? -1 : tv_compare_labels(&a, &b, pool);
}

/* What takes as long by name, not by the numbers of labels: these depend on how the trace was read. */
static int by_time(const void *a, const void *b, void *of)
{
	const struct tv_cause_sums *work = of;
	const struct share *x = a, *y = b;
	const struct tv_blamed_name *m = &work->names.name[x->name],
				    *n = &work->names.name[y->name];
	struct tv_pool *pool = work->out->pool;
	int order;

	if (x->blame != y->blame)
		return x->blame < y->blame ? -1 : 1;
	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	if ((order = by_text(pool, m->link, n->link)) == 0
	    && (order = by_text(pool, m->value, n->value)) == 0
	    && (order = by_text(pool, m->rtype, n->rtype)) == 0)
		order = by_text(pool, m->node, n->node);
	return order;
}

static void write_share(struct tv_cause_sums *work, size_t slice, const struct share *share,
			tv_int128 idle)
{
	const struct tv_blamed_name *name = &work->names.name[share->name];
	tv_int128 blamed[TV_NBLAMES] = { 0 };
	struct tv_column *const *to = work->out->col;
	uint32_t row = add_row(work, &work->group[0], slice, TV_IDLE_DEPENDENCIES, share->time,
			       idle);

	blamed[share->blame] = share->time;
	tv_set_label(to[BLAME], row, work->blame[share->blame]);
	tv_set_label(to[VALUE], row, name->value);
	tv_set_label(to[RTYPE], row, name->rtype);
	tv_set_label(to[NODE], row, name->node);
	tv_set_label(to[LINK], row, name->link);
	set_blamed(work, row, blamed);
}

static void write_shares(struct tv_cause_sums *work, size_t slice, struct share *share)
{
	const tv_int128 *blamed = work->blamed + slice * work->nblamed * TV_NBLAMES;
	tv_int128 idle = idle_time(work->time + slice * TV_STREAM_NCAUSES);
	uint32_t n = 0;

	for (uint32_t i = 0; i < work->nblamed * TV_NBLAMES; i++)
		if (blamed[i] > 0)
			share[n++] = (struct share){ i % TV_NBLAMES, i / TV_NBLAMES, blamed[i] };
	qsort_r(share, n, sizeof *share, by_time, work);
	for (uint32_t i = 0; i < n; i++)
		write_share(work, slice, &share[i], idle);
}

TV_ORDER(by_slice, struct tv_cause_detail, slice, cause, down(time), carrier)

static void write_detail(struct tv_cause_sums *work, const struct tv_cause_detail *detail,
			 tv_int128 idle)
{
	const struct tv_carrier *carrier = &work->carriers.at[detail->carrier];
	struct tv_column *const *to = work->out->col;
	tv_int128 blamed[TV_NBLAMES] = { [TV_BLAME_MESSAGE] = detail->time };
	uint32_t row = add_row(work, &work->group[0], detail->slice, detail->cause, detail->time,
			       idle);

	tv_set_label(to[HANDLE], row, carrier->handle);
	tv_set_label(to[NODE], row, carrier->node);
	tv_set_label(to[LINK], row, carrier->link);
	tv_set_label(to[SENDER], row, carrier->sender);
	if (detail->cause != TV_IDLE_DEPENDENCIES)
		return;
	tv_set_label(to[BLAME], row, work->blame[TV_BLAME_MESSAGE]);
	set_blamed(work, row, blamed);
}

/* The rows of a slice: a cause that has details only these, dependencies also what is left.
 * *next: of its details. */
static void write_detailed(struct tv_cause_sums *work, size_t slice, size_t *next)
{
	const tv_int128 *time = work->time + slice * TV_STREAM_NCAUSES;
	tv_int128 *blamed = work->blamed + slice * TV_NBLAMES;
	tv_int128 idle = idle_time(time);

	for (uint32_t c = 0; c < TV_IDLE_NCAUSES; c++) {
		size_t first = *next;
		tv_int128 left = time[c];
		uint32_t row;

		if (c == TV_IDLE_IN_LOOP && !work->loops)
			continue;
		while (*next < work->ndetails && work->detail[*next].slice == slice
		       && work->detail[*next].cause == c)
			left -= work->detail[(*next)++].time;
		if (*next == first || c == TV_IDLE_DEPENDENCIES) {
			row = add_row(work, &work->group[0], slice, c, left, idle);
			blamed[TV_BLAME_MESSAGE] = 0;
			if (c == TV_IDLE_DEPENDENCIES)
				set_blamed(work, row, blamed);
		}
		for (size_t i = first; i < *next; i++)
			write_detail(work, &work->detail[i], idle);
	}
}

void tv_cause_write_slices(struct tv_cause_sums *work)
{
	struct share *share = tv_alloc((size_t)work->nblamed * TV_NBLAMES, sizeof *share);
	size_t detail = 0;

	if (work->ndetails > 1)
		qsort(work->detail, work->ndetails, sizeof *work->detail, by_slice);
	for (size_t slice = 0; slice < work->nslices; slice++) {
		if (work->asked->by >= TV_CAUSES_BY_HANDLE)
			write_detailed(work, slice, &detail);
		for (uint32_t g = 0; g < work->ngroups && work->asked->by < TV_CAUSES_BY_HANDLE;
		     g++)
			write_group(work, slice, g);
		if (work->asked->by == TV_CAUSES_BY_BLAME)
			write_shares(work, slice, share);
	}
	tv_free(share);
}
