/* SPDX-License-Identifier: GPL-3.0-or-later */
/* occupancy.c -- how long workers are busy on each object of the machine. */
#include "analysis/machine/occupancy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/core/instead.h"
#include "analysis/core/spans.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

int tv_occupancy_init(struct tv_occupancy *o, struct tv_run *run, struct tv_error *err)
{
	struct tv_placement *p = tv_run_placement(run);

	*o = (struct tv_occupancy){ .run = run, .placement = p, .nobjects = p->machine.n };
	if (p->machine.n == 0)
		return tv_fail_lacks(
			err, run->trace,
			"the trace has no objects of the machine (rows of resources with a Depth): "
			"put lstopo's topology.xml into its folder");
	if (run->tasks.nworkers == 0)
		return tv_fail(err, "the trace has no workers: put lstopo's topology.xml into the "
				    "folder of a trace with tasks; info, platform and convert read "
				    "it alone");
	if (p->unplaced == run->tasks.nworkers)
		return tv_fail(err,
			       "no worker has processors of this machine: neither a Cpuset nor "
			       "tasks with a Cpu");
	if (p->unplaced > 0)
		tv_run_warn(run,
			    "%u of %u workers are on no object: they have neither a Cpuset nor "
			    "tasks with a Cpu that the machine has",
			    p->unplaced, run->tasks.nworkers);
	o->capacity = tv_alloc(o->nobjects, sizeof *o->capacity);
	o->sure = tv_alloc(o->nobjects, sizeof *o->sure);
	tv_placement_capacities(p, run, o->capacity, o->sure);
	return 0;
}

int tv_occupancy_level(struct tv_occupancy *o, struct tv_run *run, const char *name,
		       uint32_t *level, struct tv_error *err)
{
	if (tv_occupancy_init(o, run, err) < 0)
		return -1;
	*level = tv_machine_level(&o->placement->machine, name);
	return *level != TV_NONE ? 0 : tv_machine_no_level(&o->placement->machine, name, err);
}

void tv_occupancy_release(struct tv_occupancy *o)
{
	tv_free(o->busy);
	tv_free(o->capacity);
	tv_free(o->sure);
	*o = (struct tv_occupancy){ 0 };
}

/* ---- time ---- */

/* A span of a worker's time on an object. */
struct part {
	uint32_t object;
	struct tv_span span;
};

struct windows {
	const int64_t *edge;
	uint32_t n;
};

TV_ORDER(by_object, struct part, object, span.begin)

/* The window that holds t, which is within. */
static uint32_t window_at(const struct windows *windows, int64_t t)
{
	uint32_t i;

	TV_LOWER_BOUND(i, 1, windows->n, windows->edge[i] <= t);
	return i - 1;
}

static void add_span(struct tv_occupancy *o, uint32_t object, struct tv_span span,
		     const struct windows *windows)
{
	for (uint32_t w = window_at(windows, span.begin); span.begin < span.end; w++) {
		int64_t end = windows->edge[w + 1] < span.end ? windows->edge[w + 1] : span.end;

		o->busy[(size_t)w * o->nobjects + object] += end - span.begin;
		span.begin = end;
	}
}

/* Adds the union of the spans of a worker on each object of a level. */
static void add_parts(struct tv_occupancy *o, struct part *part, uint32_t n,
		      const struct windows *windows)
{
	const struct tv_span in = { windows->edge[0], windows->edge[windows->n] };
	struct tv_span *span = tv_alloc(n, sizeof *span);

	if (n > 1)
		qsort(part, n, sizeof *part, by_object);
	for (uint32_t i = 0, k; i < n; i = k) {
		uint32_t nspans;

		for (k = i; k < n && part[k].object == part[i].object; k++)
			span[k - i] = part[k].span;
		nspans = tv_spans_merge(span, k - i, in);
		for (uint32_t s = 0; s < nspans; s++)
			add_span(o, part[i].object, span[s], windows);
	}
	tv_free(span);
}

static bool takes(const struct tv_tasks *tasks, enum tv_occupied what, uint32_t type, uint32_t row)
{
	return what == TV_OCCUPIED_ALL	   ? tasks->executed[row]
	     : what == TV_OCCUPIED_COUNTED ? tasks->counted[row]
					   : tasks->counted[row] && tasks->value[row] == type;
}

void tv_occupancy_fill(struct tv_occupancy *o, enum tv_occupied what, uint32_t type, uint32_t level,
		       const int64_t *edge, uint32_t nwindows)
{
	const struct tv_tasks *tasks = &o->run->tasks;
	const struct windows windows = { edge, nwindows };
	struct tv_machine *machine = &o->placement->machine;
	uint32_t first = level == TV_NONE ? 0 : level,
		 last = level == TV_NONE ? machine->nlevels : level + 1;
	struct tv_groups rows;
	struct part *part;

	tv_free(o->busy);
	o->busy = tv_alloc((size_t)nwindows * o->nobjects, sizeof *o->busy);
	tv_tasks_by_worker(tasks, tasks->executed, &rows);
	part = tv_alloc(tv_groups_max(&rows), sizeof *part);
	for (uint32_t l = first; l < last; l++)
		for (uint32_t w = 0; w < tasks->nworkers; w++) {
			uint32_t n = 0;

			for (uint32_t i = rows.first[w];
			     i < rows.first[w + 1] && tv_run_has(o->run, w); i++) {
				uint32_t row = rows.row[i], on = o->placement->of_row[row];

				if (on == TV_NONE || !takes(tasks, what, type, row))
					continue;
				on = tv_object_above(machine, on, l);
				if (on != TV_NONE && tasks->start[row] < edge[nwindows]
				    && tasks->end[row] > edge[0])
					part[n++] = (struct part){
						on, { tasks->start[row], tasks->end[row] }
					};
			}
			add_parts(o, part, n, &windows);
		}
	tv_free(part);
	tv_groups_release(&rows);
}

double tv_occupancy_share(const struct tv_occupancy *o, uint32_t window, uint32_t object,
			  int64_t length, bool idle, tv_int128 *time)
{
	tv_int128 whole = (tv_int128)length * o->capacity[object];
	tv_int128 busy = o->busy[(size_t)window * o->nobjects + object];

	if (!o->sure[object] || whole <= 0)
		return NAN;
	*time = !idle ? busy : whole > busy ? whole - busy : 0;
	return 100 * (double)*time / (double)whole;
}
