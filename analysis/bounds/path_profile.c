/* SPDX-License-Identifier: GPL-3.0-or-later */
/* path_profile.c -- what the observed chain of a run consists of. */
#include "analysis/bounds/path_profile.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/bounds/blamed.h"
#include "analysis/bounds/worth.h"
#include "analysis/core/columns.h"
#include "dag/causes.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/sorted.h"

#define COLUMNS(X) \
	X(PART, "Part", TV_LABEL, false, "", "task, message or wait") \
	X(VALUE, "Value", TV_LABEL, false, "", "task: its type; with --by worker its worker") \
	X(RTYPE, "ResourceType", TV_LABEL, false, "", "task: type of its worker") \
	X(NODE, "Node", TV_LABEL, false, "", "task: its node") \
	X(LINK, "Link", TV_LABEL, false, "", "message: its nodes, as in 0->2") \
	X(CAUSE, "Cause", TV_LABEL, false, "", "wait: as without --by") \
	X(STEPS, "Steps", TV_INT, false, "", "how many of them are on the path") \
	X(TIME, "Time", TV_TIME, false, "ms", \
	  "their time on the path; all add up to the makespan") \
	X(IMBALANCE, "PathImbalance", TV_TIME, false, "ms", \
	  "tasks: Time minus the priced time of all such tasks") \
	X(SHARE, "Share", TV_DOUBLE, false, "%", "Time over the makespan")

enum { COLUMNS(TV_COLUMN_ID) };

const struct tv_field tv_profile_columns[TV_PROFILE_COLUMNS] = { COLUMNS(TV_COLUMN_ROW) };

enum part { TASK, MESSAGE, WAIT };

struct sum {
	uint32_t part;
	uint32_t value, rtype, node, link; /* labels; value: type or worker */
	uint32_t cause;			   /* of waits */
	uint32_t steps;
	int64_t time;	       /* on the path */
	long double imbalance; /* without that time */
};

struct path_sums {
	const struct tv_tasks *tasks;
	const struct tv_dag *dag;
	enum tv_profile_key key;
	struct tv_blamed_names links;
	struct sum *sum;
	size_t n, cap;
	struct tv_map place;
};

static struct sum *sum_of(struct path_sums *work, struct sum key)
{
	uint32_t *place = tv_map_at(&work->place, (uint64_t)key.value << 32 | key.rtype,
				    (uint64_t)(key.part == WAIT	     ? key.cause
					       : key.part == MESSAGE ? key.link
								     : key.node)
						    << 2
					    | key.part);

	if (*place == TV_NONE) {
		*place = (uint32_t)work->n;
		TV_GROW(work->sum, work->n, work->cap, 1);
		work->sum[work->n++] = key;
	}
	return &work->sum[*place];
}

static struct sum nothing(enum part part)
{
	return (struct sum){
		.part = part, .value = TV_NONE, .rtype = TV_NONE, .node = TV_NONE, .link = TV_NONE
	};
}

static struct sum key_of_row(const struct path_sums *work, uint32_t row)
{
	const struct tv_worker *worker = &work->tasks->workers[work->tasks->worker[row]];
	struct sum key = nothing(TASK);

	if (work->key == TV_PROFILE_NODE) {
		key.node = work->tasks->node[worker->node].label;
		return key;
	}
	key.value = work->key == TV_PROFILE_WORKER ? worker->resource : work->tasks->value[row];
	key.rtype = work->tasks->rtype[worker->rtype].label;
	return key;
}

static void add(struct sum *sum, int64_t time)
{
	sum->steps++;
	sum->time += time;
}

static void add_path(struct path_sums *work)
{
	struct tv_observed observed;
	enum tv_wait_cause *cause;
	int64_t now = work->tasks->begin;

	tv_observed_init(&observed, work->dag, true);
	cause = tv_alloc(observed.n, sizeof *cause);
	tv_wait_causes(work->dag, &observed, cause);
	for (uint32_t i = 0; i < observed.n; i++) {
		const struct tv_step *step = &observed.step[i];
		struct sum key = nothing(WAIT);

		key.cause = cause[i];
		if (step->start > now)
			add(sum_of(work, key), step->start - now);
		key = nothing(MESSAGE);
		if (work->dag->task[step->node])
			key = key_of_row(work, work->dag->row[step->node]);
		else
			key.link = work->links.name[work->links.of[step->node]].link;
		add(sum_of(work, key), step->end - step->start);
		now = step->end;
	}
	tv_free(cause);
	tv_observed_release(&observed);
}

static void add_work(struct path_sums *work, const double *price)
{
	const struct tv_tasks *tasks = work->tasks;

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row])
			sum_of(work, key_of_row(work, row))->imbalance -=
				(long double)price[tasks->workers[tasks->worker[row]].rtype]
				* (long double)tv_row_device_time(tasks, row);
}

TV_ORDER(by_time, struct sum, part, down(time), value, rtype, node, link, cause)

static void write_sum(const struct path_sums *work, const struct sum *sum, struct tv_table *out)
{
	static const char *const name[] = { "task", "message", "wait" };
	int64_t makespan = work->tasks->finish - work->tasks->begin;
	uint32_t row = tv_table_add_row(out);

	tv_set_text(out->col[PART], row, name[sum->part]);
	tv_set_label(out->col[VALUE], row, sum->value);
	tv_set_label(out->col[RTYPE], row, sum->rtype);
	tv_set_label(out->col[NODE], row, sum->node);
	tv_set_label(out->col[LINK], row, sum->link);
	if (sum->part == WAIT)
		tv_set_text(out->col[CAUSE], row, tv_wait_cause_name(sum->cause));
	tv_set_int(out->col[STEPS], row, sum->steps);
	tv_set_int(out->col[TIME], row, sum->time);
	if (sum->part == TASK)
		tv_set_int(out->col[IMBALANCE], row,
			   llroundl((long double)sum->time + sum->imbalance));
	if (makespan > 0)
		tv_set_double(out->col[SHARE], row, 100 * (double)sum->time / (double)makespan);
}

int tv_path_profile(struct tv_run *run, enum tv_profile_key key, struct tv_table *out,
		    struct tv_error *err)
{
	struct path_sums work = { .tasks = &run->tasks, .key = key, .dag = tv_run_dag(run, err) };
	struct tv_worth worth;
	int rc;

	tv_add_fields(out, tv_profile_columns, TV_PROFILE_COLUMNS);
	if (work.dag == NULL)
		return -1;
	rc = tv_worth_init(&worth, run, "mean", NULL, err);
	if (rc == 0) {
		tv_blamed_names_init(&work.links, work.dag, out->pool);
		add_path(&work);
		add_work(&work, worth.price);
		if (work.n > 1)
			qsort(work.sum, work.n, sizeof *work.sum, by_time);
		for (size_t i = 0; i < work.n; i++)
			write_sum(&work, &work.sum[i], out);
	}
	tv_worth_release(&worth);
	tv_blamed_names_release(&work.links);
	tv_map_release(&work.place);
	tv_free(work.sum);
	return rc;
}
