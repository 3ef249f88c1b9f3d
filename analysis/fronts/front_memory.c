/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front_memory.c -- memory of the open fronts over time, and its peak. */
#include <math.h>
#include <stdlib.h>

#include "analysis/core/curves.h"
#include "analysis/fronts/fronts.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

/* A front takes memory (or, negative, returns some). */
struct change {
	uint32_t front;
	uint32_t group;
	int64_t time;  /* ns: taken at Start, returned at End */
	double amount; /* MB */
};

struct front_memory {
	struct tv_fronts fronts;
	struct tv_curves curves;
	struct change *change; /* by front, time, what is taken first */
	size_t nchanges;
	struct tv_sum *sum; /* by group */
	uint32_t ngroups;
	bool by_node;
	unsigned long excess; /* fronts that return more than they took */
};

TV_ORDER(by_front, struct change, front, time, down(amount))

static int collect(struct front_memory *work, struct tv_error *err)
{
	const struct tv_tasks *tasks = &work->fronts.run->tasks;

	work->change = tv_alloc(tasks->n, sizeof *work->change);
	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t front = work->fronts.of_row[row];
		double amount = front == TV_NONE ? 0 : tv_front_memory(&work->fronts, row);

		if (amount != 0)
			work->change[work->nchanges++] = (struct change){
				.front = front,
				.group = work->by_node ? tasks->workers[tasks->worker[row]].node
						       : 0,
				.time = amount > 0 ? tasks->start[row] : tasks->end[row],
				.amount = amount * TV_FRONT_MB,
			};
	}
	if (work->nchanges == 0)
		return tv_fail(err,
			       "front-memory: no task *front* or "
			       "*do_subtree* has a GFlop, where qr_mumps writes its memory in GB");
	qsort(work->change, work->nchanges, sizeof *work->change, by_front);
	return 0;
}

/* The changes of one front as spans: what is returned is what was taken first; the rest is held
 * until the front closes. change[0..n) is used up. */
static int add_front(struct front_memory *work, struct change *change, size_t n,
		     struct tv_error *err)
{
	int64_t closed = work->fronts.front[change->front].end;
	size_t held = 0;
	bool excess = false;

	for (size_t i = 0; i < n; i++) {
		double left = -change[i].amount;

		while (left > 0 && held < i) {
			struct change *from = &change[held];
			double part = fmin(left, fmax(0, from->amount));

			if (part > 0
			    && tv_sum_add(&work->sum[from->group], from->time, change[i].time, part,
					  err)
				       < 0)
				return -1;
			left -= part;
			from->amount -= part;
			held += !(from->amount > 0);
		}
		excess = excess || left > 0;
	}
	work->excess += excess;
	for (size_t i = 0; i < n; i++)
		if (change[i].amount > 0
		    && tv_sum_add(&work->sum[change[i].group], change[i].time, closed,
				  change[i].amount, err)
			       < 0)
			return -1;
	return 0;
}

static int add_fronts(struct front_memory *work, struct tv_run *run, struct tv_error *err)
{
	for (size_t i = 0, n; i < work->nchanges; i += n) {
		for (n = 1;
		     i + n < work->nchanges && work->change[i + n].front == work->change[i].front;
		     n++)
			;
		if (add_front(work, work->change + i, n, err) < 0)
			return -1;
	}
	if (work->excess != 0)
		tv_run_warn(run,
			    "%lu fronts return more memory than they took: the rest is "
			    "left out",
			    work->excess);
	return 0;
}

/* The first piece at which the curve has its max. */
static void write_peak(struct front_memory *work, uint32_t group, const struct tv_steps *steps)
{
	struct tv_steps peak;
	struct tv_curves bare = work->curves;
	size_t at = 0;

	if (steps->n == 0)
		return;
	for (size_t i = 1; i < steps->n; i++)
		if (steps->value[i] > steps->value[at])
			at = i;
	peak = (struct tv_steps){ .time = &steps->time[at],
				  .value = &steps->value[at],
				  .n = 1,
				  .end = at + 1 < steps->n ? steps->time[at + 1] : steps->end };
	bare.step_ns = 0;
	tv_curves_write_one(&bare, "peak", group, &peak);
}

static void write_group(struct front_memory *work, const struct tv_tasks *tasks, uint32_t g)
{
	uint32_t label = work->by_node ? tasks->node[g].label : TV_NONE;
	struct tv_steps steps;

	tv_sum_steps(&work->sum[g], &steps);
	tv_curves_write_one(&work->curves, "memory", label, &steps);
	write_peak(work, label, &steps);
	tv_steps_release(&steps);
}

static int write_all(struct front_memory *work, struct tv_run *run, struct tv_error *err)
{
	const struct tv_tasks *tasks = &run->tasks;
	int64_t begin, end;

	work->ngroups = work->by_node ? tasks->nnodes : 1;
	work->sum = tv_alloc(work->ngroups, sizeof *work->sum);
	if (tv_run_interval(run, &begin, &end, err) < 0
	    || tv_step_check(begin, end, work->curves.step_ns, work->ngroups, err) < 0)
		return -1;
	for (uint32_t g = 0; g < work->ngroups; g++)
		tv_sum_init(&work->sum[g], begin, end);
	if (collect(work, err) < 0 || add_fronts(work, run, err) < 0)
		return -1;
	for (uint32_t g = 0; g < work->ngroups; g++)
		write_group(work, tasks, g);
	return 0;
}

struct asked {
	enum { BY_RUN, BY_NODE } by;
	int64_t step_ns;
};

static int run_front_memory(struct tv_run *run, const struct tv_options *options,
			    struct tv_table *out, struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	struct front_memory work = { .by_node = asked->by == BY_NODE };
	int rc = -1;

	tv_curves_init_bare(&work.curves, run, asked->step_ns, out);
	if (tv_fronts_init(&work.fronts, run, err) == 0)
		rc = write_all(&work, run, err);
	for (uint32_t g = 0; work.sum != NULL && g < work.ngroups; g++)
		tv_sum_release(&work.sum[g]);
	tv_free(work.sum);
	tv_free(work.change);
	tv_fronts_release(&work.fronts);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "by", "run|node", "run", "one curve per node (process or machine), or for the run",
	  TV_OPTION_CHOICE, TV_ASKED(by) },
	{ TV_STEP_MEANS_ROW, TV_ASKED(step_ns) },
};

const struct tv_pass tv_pass_front_memory = {
	.name = "front-memory",
	.summary = "Memory of the open fronts over time, and its peak",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_FRONTS,
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_COLUMNS(tv_curve_columns),
	.notes = TV_FRONT_NOTES
	"memory  memory of fronts in MB: qr_mumps writes it in GB as the GFlop of its\n"
	"        tasks *front* and do_subtree. It is allocated at Start and freed at the\n"
	"        End of clean_ tasks (or of others whose GFlop is negative), the rest\n"
	"        when the front's last task has ended\n"
	"peak    the max value, and its first time; with --step too it is that of the\n"
	"        exact curve\n"
	"Source: StarVZ's memory of active nodes.",
	.example = "traceviz front-memory --step 10 data/qr-mumps-like.csv",
	.run = run_front_memory,
};
