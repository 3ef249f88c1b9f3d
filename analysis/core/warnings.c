/* SPDX-License-Identifier: GPL-3.0-or-later */
/* warnings.c -- what the results of several passes do not cover. */
#include "analysis/core/warnings.h"

#include <stdio.h>
#include <string.h>

#include "analysis/core/lock_waits.h"
#include "analysis/core/processors.h"
#include "dag/dag.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/text.h"
#include "trace/units.h"

/* Workers that share processors. */
static void warn_shared(struct tv_run *run)
{
	uint32_t workers = run->tasks.nworkers, processors = tv_processors(&run->tasks);

	if (processors > 0 && processors < workers)
		tv_run_warn(run,
			    "%lu workers share %lu processor%s: durations may contain "
			    "time without a processor",
			    (unsigned long)workers, (unsigned long)processors,
			    tv_plural(processors));
}

void tv_warn_workers(struct tv_run *run)
{
	if (!run->tasks.workers_known)
		tv_run_warn(run,
			    "the trace does not declare its workers: only the %lu that ran tasks "
			    "are counted (see --resources)",
			    (unsigned long)run->tasks.nworkers);
	warn_shared(run);
}

void tv_warn_cut(struct tv_run *run)
{
	uint32_t n = run->of == NULL ? run->tasks.ncut : 0; /* the run says it once for all parts */

	if (n > 0)
		tv_run_warn(run,
			    "%lu task%s had not ended when the trace did (Flag open): no mean, "
			    "threshold, bound, fit or simulation uses %s",
			    (unsigned long)n, tv_plural(n),
			    n == 1 ? "its duration" : "their durations");
}

bool tv_warn_lock_waits(struct tv_run *run)
{
	const struct tv_tasks *tasks = &run->tasks;
	int64_t waits = tv_run_lock_waits(run, NULL).inside;
	tv_int128 all = 0;
	char time[40];

	for (uint32_t row = 0; row < tasks->n; row++)
		all += tasks->executed[row] ? tasks->end[row] - tasks->start[row] : 0;
	if (waits == 0 || (tv_int128)waits * 100 < all)
		return false;
	tv_time_text(time, sizeof time, waits, NULL);
	tv_run_warn(run,
		    "tasks wait for locks for %s, %.0f %% of their time: all rows keep these waits "
		    "as they were, also with more workers or in another order, where they may be "
		    "longer or shorter",
		    time, 100 * (double)waits / (double)all);
	return true;
}

void tv_warn_kept(struct tv_run *run, uint32_t n)
{
	if (n > 0)
		tv_run_warn(run,
			    "--durations-from has no duration of %lu pair%s of task type and "
			    "resource type that ran: %s of the run",
			    (unsigned long)n, tv_plural(n),
			    n == 1 ? "it has that" : "they have those");
}

void tv_warn_graph(struct tv_run *run, const struct tv_dag *dag)
{
	if (!tv_tasks_know_dependencies(&run->tasks))
		tv_run_warn(run, "the tasks have no dependencies (DependsOn, JobId)");
	else if (dag->dangling != 0 && !run->trace->lost_said)
		tv_run_warn(run, "%llu dependencies on jobs that occur nowhere are ignored",
			    (unsigned long long)dag->dangling);
}

/* The entry of a type. */
static struct tv_left_out_type *left_out_of(struct tv_left_out *left_out, uint32_t label)
{
	uint32_t *at = tv_map_at(&left_out->place, label, 0);

	if (*at == TV_NONE) {
		*at = (uint32_t)left_out->n;
		TV_GROW(left_out->type, left_out->n, left_out->cap, 1);
		left_out->type[left_out->n++] = (struct tv_left_out_type){ .label = label };
	}
	return &left_out->type[*at];
}

void tv_left_out_add(struct tv_left_out *left_out, const struct tv_tasks *tasks)
{
	if (tasks->n == 0 || memcmp(tasks->executed, tasks->counted, tasks->n) == 0)
		return;
	for (uint32_t row = 0; row < tasks->n; row++) {
		struct tv_left_out_type *to;

		if (!tasks->executed[row] || tasks->counted[row])
			continue;
		to = left_out_of(left_out, tasks->value[row]);
		to->n += tv_row_begins(tasks, row);
		to->time += tv_row_time(tasks, row);
	}
}

void tv_left_out_pack(const struct tv_left_out *left_out, const struct tv_pool *pool,
		      struct tv_parcel *pack)
{
	tv_pack_number(pack, left_out->n);
	for (size_t i = 0; i < left_out->n; i++) {
		const struct tv_left_out_type *type = &left_out->type[i];

		tv_pack_label(pack, pool, type->label);
		tv_pack_number(pack, type->n);
		tv_pack_bytes(pack, &type->time, sizeof type->time);
	}
}

void tv_left_out_merge(struct tv_left_out *left_out, struct tv_pool *pool, struct tv_unpack *from)
{
	for (uint64_t n = tv_unpack_number(from); n > 0; n--) {
		struct tv_left_out_type *to = left_out_of(left_out, tv_unpack_label(from, pool));
		tv_int128 time;

		to->n += tv_unpack_number(from);
		tv_unpack_bytes(from, &time, sizeof time);
		to->time += time;
	}
}

void tv_left_out_release(struct tv_left_out *left_out)
{
	tv_free(left_out->type);
	tv_map_release(&left_out->place);
	*left_out = (struct tv_left_out){ 0 };
}

/* The first types with their number and time, and all others together. */
static void name_left_out(const struct tv_left_out *left_out, const struct tv_pool *pool,
			  char *line, size_t size)
{
	enum { NAMED = 8 };
	size_t at = 0;

	for (size_t i = 0; i < left_out->n && i <= NAMED && at < size; i++) {
		struct tv_left_out_type type = left_out->type[i];
		char time[TV_NUMBER_MAX];

		for (size_t k = i + 1; i == NAMED && k < left_out->n; k++) {
			type.n += left_out->type[k].n;
			type.time += left_out->type[k].time;
		}
		tv_write_ms(time, tv_sum_ns(type.time));
		at += (size_t)snprintf(line + at, size - at, "%s%llu %.30s (%s ms)",
				       i == 0 ? "" : ", ", (unsigned long long)type.n,
				       i == NAMED ? "other types" : tv_pool_text(pool, type.label),
				       time);
	}
}

void tv_warn_left_out(struct tv_run *run)
{
	struct tv_left_out own = { 0 };
	char line[400] = "";

	tv_left_out_add(&own, &run->tasks);
	name_left_out(run->left_out != NULL ? run->left_out : &own, run->tasks.pool, line,
		      sizeof line);
	tv_left_out_release(&own);
	if (line[0] != '\0')
		tv_run_warn(run, "left out: %s (see --kind)", line);
}
