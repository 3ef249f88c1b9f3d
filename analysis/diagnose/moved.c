/* SPDX-License-Identifier: GPL-3.0-or-later */
/* moved.c -- simulations in which what was submitted after a wait for all tasks moves with the end of these. */
#include "analysis/diagnose/moved.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/core/statistics.h"
#include "sim/model/simulator.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

/* By part of the run of a node between waits, those of each node one after another. */
struct parts {
	uint32_t n;
	uint32_t *first; /* by node, and behind the last one */
	uint32_t *of;	 /* by node of the graph: its part; TV_NONE = none */
	int64_t *end;	 /* of the work of the last simulation; INT64_MIN = it has none */
	int64_t *
		from; /* when it is submitted; INT64_MIN: the first one of a node, which does not move */
	int64_t *pause; /* that long after the end of all before, at least 0 */
	int64_t *move;	/* by so much `from` was changed last */
};

static void clear_ends(struct parts *parts)
{
	for (uint32_t k = 0; k < parts->n; k++)
		parts->end[k] = INT64_MIN;
}

static void add_end(struct parts *parts, uint32_t v, int64_t time)
{
	int64_t *end;

	if (parts->of[v] == TV_NONE)
		return;
	end = &parts->end[parts->of[v]];
	*end = time > *end ? time : *end;
}

/* Nodes of the graph without a worker, such as messages, move with what they depend on. */
static uint32_t part_before(const struct parts *parts, const struct tv_dag *dag, uint32_t v,
			    const int64_t *submit)
{
	uint32_t last = TV_NONE;

	for (uint32_t e = dag->first[v]; e < dag->first[v + 1]; e++)
		if (last == TV_NONE || submit[dag->pred[e]] > submit[last])
			last = dag->pred[e];
	return last == TV_NONE ? TV_NONE : parts->of[last];
}

static void find_parts(struct parts *parts, const struct tv_simulator *was, const int64_t *submit)
{
	const struct tv_tasks *tasks = &was->run->tasks;

	for (uint32_t i = 0; i < was->dag->n; i++) {
		uint32_t v = was->dag->order[i], worker = was->worker[v], node, k;

		if (worker == TV_NONE) {
			parts->of[v] = part_before(parts, was->dag, v, submit);
			continue;
		}
		node = tasks->workers[worker].node;
		TV_LOWER_BOUND(k, parts->first[node] + 1, parts->first[node + 1],
			       parts->from[k] <= submit[v]);
		parts->of[v] = k - 1;
	}
}

static void parts_init(struct parts *parts, const struct tv_restarts *moves,
		       struct tv_simulator *was, const char *scheduler)
{
	bool recorded = tv_scheduler_find(scheduler)->place == TV_SIM_RECORDED;
	const int64_t *submit = tv_simulator_order(was, recorded, true)->submit;
	int64_t zero = tv_simulator_zero(&was->run->tasks);
	uint32_t nnodes = was->run->tasks.nnodes, n = moves->n + nnodes, i = 0, k = 0;

	*parts = (struct parts){ .n = n,
				 .first = tv_alloc((size_t)nnodes + 1, sizeof *parts->first),
				 .of = tv_alloc(was->dag->n, sizeof *parts->of),
				 .end = tv_alloc(n, sizeof *parts->end),
				 .from = tv_alloc(n, sizeof *parts->from),
				 .pause = tv_alloc(n, sizeof *parts->pause),
				 .move = tv_alloc(n, sizeof *parts->move) };
	for (uint32_t node = 0; node < nnodes; node++) {
		parts->first[node] = k;
		parts->from[k++] = INT64_MIN;
		while (i < moves->n && moves->node[i] == node)
			parts->from[k++] = moves->from[i++] - zero;
	}
	parts->first[nnodes] = k;
	find_parts(parts, was, submit);
	clear_ends(parts);
}

static void parts_release(struct parts *parts)
{
	tv_free(parts->first);
	tv_free(parts->of);
	tv_free(parts->end);
	tv_free(parts->from);
	tv_free(parts->pause);
	tv_free(parts->move);
}

static int simulate(struct parts *parts, struct tv_simulator *simulator,
		    const struct tv_simulation_options *options, int64_t *makespan,
		    struct tv_error *err)
{
	struct tv_simulation simulation;

	if (tv_simulation_init(&simulation, simulator, options, err) < 0)
		return -1;
	*makespan = simulation.schedule.makespan;
	clear_ends(parts);
	for (uint32_t v = 0; v < simulator->dag->n; v++)
		if (simulator->work[v])
			add_end(parts, v, simulation.schedule.end[v]);
	tv_simulation_release(&simulation);
	return 0;
}

static void find_pauses(struct parts *parts)
{
	int64_t end = INT64_MIN;

	for (uint32_t k = 0; k < parts->n; k++) {
		if (parts->from[k] == INT64_MIN)
			end = INT64_MIN;
		else
			parts->pause[k] = end > INT64_MIN && parts->from[k] > end
						? parts->from[k] - end
						: 0;
		end = parts->end[k] > end ? parts->end[k] : end;
	}
}

/* Submits each part after the ends of those of its node before, if all of these move, too. Returns whether all are submitted then
 * already. */
static bool follow(struct parts *parts)
{
	int64_t end = INT64_MIN;
	bool settled = true;

	for (uint32_t k = 0; k < parts->n; k++) {
		if (parts->from[k] == INT64_MIN) {
			end = INT64_MIN;
		} else {
			parts->move[k] = end > INT64_MIN ? end + parts->pause[k] - parts->from[k]
							 : 0;
			parts->from[k] += parts->move[k];
			settled = settled && parts->move[k] == 0;
		}
		if (parts->end[k] > INT64_MIN && parts->end[k] + parts->move[k] > end)
			end = parts->end[k] + parts->move[k];
	}
	return settled;
}

/* Of simulations with the recorded times of submission. */
static struct tv_simulated_order *order_of(struct tv_simulator *simulator, const char *scheduler)
{
	bool recorded = tv_scheduler_find(scheduler)->place == TV_SIM_RECORDED;

	return &simulator->order[recorded && simulator->dag->nexclusions > 0][1];
}

/* Simulates until what is submitted after each part follows its end. */
static int settle(struct parts *parts, const struct tv_simulator *simulator,
		  const struct tv_simulation_options *options, int64_t *makespan,
		  struct tv_error *err)
{
	enum { ROUNDS = 6 }; /* two are enough where no parts overlap in the first one */
	bool settled = false;
	uint32_t n = simulator->dag->n;
	struct tv_simulator moved = *simulator;
	struct tv_simulated_order *order = order_of(&moved, options->scheduler);
	int64_t *submit = tv_alloc(n, sizeof *submit);
	int rc = 0;

	memcpy(submit, order->submit, n * sizeof *submit);
	order->submit = submit;
	for (int round = 0; rc == 0 && !settled && round < ROUNDS; round++) {
		rc = simulate(parts, &moved, options, makespan, err);
		settled = follow(parts);
		for (uint32_t v = 0; v < n; v++)
			submit[v] += parts->of[v] != TV_NONE ? parts->move[parts->of[v]] : 0;
	}
	tv_free(submit);
	return rc < 0 || settled ? rc
				 : tv_fail(err, "the times at which tasks are submitted after "
						"waits do not settle in simulations");
}

int tv_moved_makespan(const struct tv_restarts *moves, struct tv_simulator *was,
		      const struct tv_simulator *changed,
		      const struct tv_simulation_options *options, int64_t *makespan,
		      struct tv_error *err)
{
	const struct tv_simulation_options as_it_was = { .scheduler = options->scheduler,
							 .submission = options->submission };
	struct parts parts;
	int rc;

	parts_init(&parts, moves, was, options->scheduler);
	rc = simulate(&parts, was, &as_it_was, makespan, err);
	find_pauses(&parts);
	if (rc == 0)
		rc = settle(&parts, changed, options, makespan, err);
	parts_release(&parts);
	return rc;
}

int tv_moved_replay(const struct tv_restarts *moves, struct tv_simulator *simulator,
		    int64_t *makespan, struct tv_error *err)
{
	const struct tv_simulation_options options = { .scheduler = "replay",
						       .submission = "trace" };
	const struct tv_dag *dag = simulator->dag;
	int64_t zero = tv_simulator_zero(&simulator->run->tasks);
	struct parts parts;
	int rc;

	parts_init(&parts, moves, simulator, options.scheduler);
	for (uint32_t v = 0; v < dag->n; v++)
		if (simulator->work[v] && dag->timed[v])
			add_end(&parts, v, dag->end[v] - zero);
	find_pauses(&parts);
	rc = settle(&parts, simulator, &options, makespan, err);
	parts_release(&parts);
	return rc;
}

/* When a task is submitted. */
struct submission {
	uint32_t part, node; /* node of the machine */
	int64_t time;
};

TV_ORDER(by_part, struct submission, part, time)

/* By part, how long the program of its node had waited before it in all: of the times between two submissions in different parts what is
 * more than the median of the others. */
static int64_t *find_waited(const struct parts *parts, const struct tv_simulator *simulator,
			    const int64_t *submit)
{
	const struct tv_tasks *tasks = &simulator->run->tasks;
	uint32_t nodes = simulator->dag->n, n = 0, within = 0;
	struct submission *at = tv_alloc(nodes, sizeof *at);
	int64_t *time = tv_alloc(nodes, sizeof *time), *waited = tv_alloc(parts->n, sizeof *waited),
		usual;

	for (uint32_t v = 0; v < nodes; v++)
		if (simulator->work[v] && simulator->worker[v] != TV_NONE)
			at[n++] = (struct submission){ parts->of[v],
						       tasks->workers[simulator->worker[v]].node,
						       submit[v] };
	qsort(at, n, sizeof *at, by_part);
	for (uint32_t i = 1; i < n; i++)
		if (at[i].part == at[i - 1].part)
			time[within++] = at[i].time - at[i - 1].time;
	tv_sort_times(time, within);
	usual = within > 0 ? tv_median_int64(time, within) : 0;
	for (uint32_t i = 1; i < n; i++) {
		int64_t since = at[i].time - at[i - 1].time - usual;

		if (at[i].part != at[i - 1].part && at[i].node == at[i - 1].node)
			waited[at[i].part] = waited[at[i - 1].part] + (since > 0 ? since : 0);
	}
	tv_free(at);
	tv_free(time);
	return waited;
}

int tv_moved_unwaited(const struct tv_restarts *moves, struct tv_simulator *simulator,
		      const char *scheduler, int64_t *makespan, struct tv_error *err)
{
	const struct tv_simulation_options options = { .scheduler = scheduler,
						       .submission = "trace" };
	uint32_t n = simulator->dag->n;
	struct tv_simulator earlier;
	struct tv_simulated_order *order;
	struct parts parts;
	int64_t *submit = tv_alloc(n, sizeof *submit), *waited;
	int rc;

	parts_init(&parts, moves, simulator, scheduler);
	earlier = *simulator;
	order = order_of(&earlier, scheduler);
	memcpy(submit, order->submit, n * sizeof *submit);
	waited = find_waited(&parts, simulator, submit);
	for (uint32_t v = 0; v < n; v++)
		submit[v] -= parts.of[v] != TV_NONE ? waited[parts.of[v]] : 0;
	order->submit = submit;
	rc = simulate(&parts, &earlier, &options, makespan, err);
	tv_free(waited);
	tv_free(submit);
	parts_release(&parts);
	return rc;
}

int tv_moved_at_once(const struct tv_restarts *moves, struct tv_simulator *simulator,
		     const char *scheduler, int64_t *makespan, struct tv_error *err)
{
	const struct tv_simulation_options options = { .scheduler = scheduler,
						       .submission = "trace" };
	uint32_t n = simulator->dag->n;
	struct tv_simulator earlier;
	struct tv_simulated_order *order;
	struct parts parts;
	int64_t *submit = tv_alloc(n, sizeof *submit), *first;
	int rc;

	parts_init(&parts, moves, simulator, scheduler);
	rc = simulate(&parts, simulator, &options, makespan, err);
	find_pauses(&parts);
	earlier = *simulator;
	order = order_of(&earlier, scheduler);
	first = tv_alloc(parts.n, sizeof *first);
	for (uint32_t k = 0; k < parts.n; k++)
		first[k] = INT64_MAX;
	for (uint32_t v = 0; v < n; v++)
		if (parts.of[v] != TV_NONE && order->submit[v] < first[parts.of[v]])
			first[parts.of[v]] = order->submit[v];
	for (uint32_t v = 0; v < n; v++)
		submit[v] = parts.of[v] != TV_NONE ? first[parts.of[v]] : order->submit[v];
	order->submit = submit;
	if (rc == 0)
		rc = settle(&parts, &earlier, &options, makespan, err);
	tv_free(first);
	tv_free(submit);
	parts_release(&parts);
	return rc;
}
