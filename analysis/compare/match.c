/* SPDX-License-Identifier: GPL-3.0-or-later */
/* match.c -- match the tasks of two runs by what they are; how matched tasks differ. */
#include "analysis/compare/match.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/core/statistics.h"
#include "trace/alloc.h"
#include "trace/sorted.h"
#include "trace/text.h"

const char *const tv_match_names[] = { "coordinates", "tag", "job", "order" };
_Static_assert(TV_COUNT(tv_match_names) == TV_MATCH_WAYS, "a name for every way");

enum { NPARTS = 4 };

/* What a task must share with its partner, in labels of the first run's pool. */
struct key {
	int64_t part[NPARTS];
	int64_t start; /* of those that are matched in order; else 0 */
	uint32_t node;
	int run;
};

struct matching {
	struct tv_match *match;
	struct tv_run *const *run;
	const struct tv_table *coordinates[2]; /* by row of tasks; NULL = none are known */
	const struct tv_column *tag[2];	       /* NULL = none */
	uint32_t *translated;		       /* label of the second run: that of the first + 1 */
	bool *taken[2];			       /* by node */
	struct key *key;
};

/* A label of a run as one of the first run; TV_NONE: missing, or (*known is then false) a text that
 * the first run does not have. */
static uint32_t translate(const struct matching *matching, int run, uint32_t label, bool *known)
{
	uint32_t *to;

	*known = true;
	if (run == 0 || label == TV_NONE)
		return label;
	to = &matching->translated[label];
	if (*to == 0)
		*to = tv_pool_find(matching->run[0]->tasks.pool,
				   tv_pool_text(matching->run[1]->tasks.pool, label),
				   tv_pool_length(matching->run[1]->tasks.pool, label))
		    + 1;
	*known = *to != 0;
	return *to - 1;
}

static bool coordinates_of(const struct matching *matching, int run, uint32_t row, struct key *key)
{
	static const char *const names[] = { "Iteration", "X", "Y" };
	bool any = false;

	for (size_t i = 0; i < TV_COUNT(names); i++) {
		const struct tv_column *column = matching->coordinates[run] == NULL
						       ? NULL
						       : tv_table_find(matching->coordinates[run],
								       names[i]);
		bool has = column != NULL && !tv_missing(column, row);

		key->part[i + 1] = has ? column->i[row] : INT64_MIN;
		any = any || has;
	}
	return any;
}

/* Whether a task has such a key that the first run may have as well. */
static bool make_key(const struct matching *matching, enum tv_match_way way, int run, uint32_t node,
		     struct key *key)
{
	const struct tv_dag *dag = matching->match->dag[run];
	uint32_t row = dag->row[node], label = TV_NONE;
	bool known;

	*key = (struct key){ .node = node, .run = run };
	key->part[0] = translate(matching, run, dag->tasks->value[row], &known);
	if (!known)
		return false;
	if (way == TV_BY_COORDINATES)
		return coordinates_of(matching, run, row, key);
	if (way == TV_BY_JOB)
		label = tv_dag_job(dag, node);
	else if (way == TV_BY_ORDER)
		label = dag->tasks->workers[dag->tasks->worker[row]].resource;
	else if (matching->tag[run] != NULL)
		label = tv_label(matching->tag[run], row);
	key->part[1] = translate(matching, run, label, &known);
	key->start = way == TV_BY_ORDER ? dag->start[node] : 0;
	return known && label != TV_NONE;
}

static int by_parts(const void *a, const void *b)
{
	const struct key *x = a, *y = b;

	for (int i = 0; i < NPARTS; i++)
		if (x->part[i] != y->part[i])
			return TV_COMPARE(x->part[i], y->part[i]);
	return 0;
}

static int by_key(const void *a, const void *b)
{
	const struct key *x = a, *y = b;
	int order = by_parts(a, b);

	return order != 0	    ? order
	     : x->run != y->run	    ? x->run - y->run
	     : x->start != y->start ? TV_COMPARE(x->start, y->start)
				    : TV_COMPARE(x->node, y->node);
}

/* Whether a node is a task; of one with segments, the first. */
static bool is_task(const struct tv_dag *dag, uint32_t v)
{
	return dag->task[v] && tv_dag_opening(dag, v) == v;
}

/* Keys that are equal: n of the first run, then as many of the second. */
static void pair(struct matching *matching, enum tv_match_way way, const struct key *key, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		matching->match->partner[key[i].node] = key[n + i].node;
		matching->taken[0][key[i].node] = matching->taken[1][key[n + i].node] = true;
	}
	matching->match->by[way] += (uint32_t)n;
	matching->match->nmatched += (uint32_t)n;
}

/* Whether the JobIds of a run are places in its files, which say nothing about another run. */
static bool has_no_ids(const struct tv_run *run)
{
	size_t n;

	return tv_meta_get(run->trace, TV_META_PLACES_AS_JOBS, &n) != NULL;
}

static void match_by(struct matching *matching, enum tv_match_way way)
{
	bool in_order = has_no_ids(matching->run[0]) || has_no_ids(matching->run[1]);
	size_t n = 0;

	if (way == (in_order ? TV_BY_JOB : TV_BY_ORDER))
		return;

	for (int run = 0; run < 2; run++)
		for (uint32_t v = 0; v < matching->match->dag[run]->n; v++)
			if (is_task(matching->match->dag[run], v) && !matching->taken[run][v]
			    && make_key(matching, way, run, v, &matching->key[n]))
				n++;
	if (n > 0)
		qsort(matching->key, n, sizeof *matching->key, by_key);
	for (size_t i = 0, end; i < n; i = end) {
		const struct key *key = &matching->key[i];
		size_t first = 0;

		for (end = i; end < n && by_parts(key, &matching->key[end]) == 0; end++)
			first += matching->key[end].run == 0;
		if (end - i == 2 * first && (first == 1 || way == TV_BY_ORDER))
			pair(matching, way, key, first);
	}
}

/* NULL where the pass fails, since the tasks have none. */
static const struct tv_table *find_coordinates(struct tv_run *run)
{
	struct tv_error none = { 0 };

	return tv_run_pass(run, "iterations", NULL, &none);
}

static int prepare(struct matching *matching, struct tv_error *err)
{
	struct tv_match *match = matching->match;

	for (int i = 0; i < 2; i++) {
		match->dag[i] = tv_run_dag(matching->run[i], err);
		if (match->dag[i] == NULL)
			return -1;
		matching->coordinates[i] = find_coordinates(matching->run[i]);
		matching->tag[i] = tv_table_find(&matching->run[i]->trace->table[TV_TASKS], "Tag");
		for (uint32_t v = 0; v < match->dag[i]->n; v++)
			match->ntasks[i] += is_task(match->dag[i], v);
		matching->taken[i] = tv_alloc(match->dag[i]->n, sizeof *matching->taken[i]);
	}
	matching->translated = tv_alloc(tv_pool_count(matching->run[1]->tasks.pool),
					sizeof *matching->translated);
	matching->key = tv_alloc((size_t)match->ntasks[0] + match->ntasks[1],
				 sizeof *matching->key);
	match->partner = tv_alloc(match->dag[0]->n, sizeof *match->partner);
	for (uint32_t v = 0; v < match->dag[0]->n; v++)
		match->partner[v] = TV_NONE;
	return 0;
}

int tv_match_init(struct tv_match *match, struct tv_run *const run[2], struct tv_error *err)
{
	struct matching matching = { .match = match, .run = run };
	int rc;

	*match = (struct tv_match){ 0 };
	rc = prepare(&matching, err);
	for (int way = 0; rc == 0 && way < TV_MATCH_WAYS; way++)
		match_by(&matching, (enum tv_match_way)way);
	tv_free(matching.taken[0]);
	tv_free(matching.taken[1]);
	tv_free(matching.translated);
	tv_free(matching.key);
	return rc;
}

void tv_match_release(struct tv_match *match)
{
	tv_free(match->partner);
	*match = (struct tv_match){ 0 };
}

/* ---- shifts ---- */

TV_ORDER(by_start, struct tv_shift, start[0], start[1], node[0])

static const struct tv_worker *worker_of(const struct tv_dag *dag, uint32_t node)
{
	return &dag->tasks->workers[dag->tasks->worker[dag->row[node]]];
}

static const char *worker_name(const struct tv_dag *dag, uint32_t node)
{
	return tv_pool_text(dag->tasks->pool, worker_of(dag, node)->resource);
}

static const char *rtype_name(const struct tv_dag *dag, uint32_t node)
{
	return tv_pool_text(dag->tasks->pool, dag->tasks->rtype[worker_of(dag, node)->rtype].label);
}

static bool has_ended(const struct tv_dag *dag, uint32_t node)
{
	return tv_task_ended(dag->tasks, dag->row[node]);
}

static void list_shifts(struct tv_shifts *shifts)
{
	const struct tv_match *match = &shifts->match;
	const struct tv_dag *first = match->dag[0];
	int64_t *end[2];

	for (int i = 0; i < 2; i++) {
		end[i] = tv_alloc(match->dag[i]->n, sizeof *end[i]);
		tv_dag_job_ends(match->dag[i], end[i]);
	}
	shifts->shift = tv_alloc(match->nmatched, sizeof *shifts->shift);
	for (uint32_t v = 0; v < first->n; v++) {
		struct tv_shift *shift = &shifts->shift[shifts->n];

		/* What had not ended when a trace did has no end to compare. */
		if (match->partner[v] == TV_NONE || !has_ended(first, v)
		    || !has_ended(match->dag[1], match->partner[v]))
			continue;
		*shift = (struct tv_shift){
			.value = tv_pool_text(first->tasks->pool,
					      first->tasks->value[first->row[v]]),
			.node = { v, match->partner[v] },
		};
		for (int i = 0; i < 2; i++) {
			const struct tv_dag *dag = match->dag[i];

			shift->start[i] = dag->start[shift->node[i]] - dag->tasks->begin;
			shift->end[i] = end[i][shift->node[i]] - dag->tasks->begin;
		}
		shift->moved = strcmp(rtype_name(first, shift->node[0]),
				      rtype_name(match->dag[1], shift->node[1]))
			    != 0;
		shifts->n++;
	}
	if (shifts->n > 0)
		qsort(shifts->shift, shifts->n, sizeof *shifts->shift, by_start);
	tv_free(end[0]);
	tv_free(end[1]);
}

static void list_lags(struct tv_shifts *shifts)
{
	int64_t *end = tv_alloc(shifts->n, sizeof *end);

	shifts->lag = tv_alloc(shifts->n, sizeof *shifts->lag);
	for (int run = 0; run < 2; run++) {
		for (uint32_t i = 0; i < shifts->n; i++)
			end[i] = shifts->shift[i].end[run];
		tv_sort_times(end, shifts->n);
		for (uint32_t i = 0; i < shifts->n; i++)
			shifts->lag[i].time[run] = end[i];
	}
	tv_free(end);
}

TV_ORDER(by_names, struct tv_transfer, text(value), text(from), text(to))

TV_ORDER(by_number, struct tv_transfer, down(n), text(value), text(from), text(to))

static void list_transfers(struct tv_shifts *shifts)
{
	struct tv_transfer *transfer = tv_alloc(shifts->n, sizeof *transfer);
	uint32_t n = 0, merged = 0;

	for (uint32_t i = 0; i < shifts->n; i++) {
		const struct tv_shift *shift = &shifts->shift[i];

		if (shift->moved)
			transfer[n++] = (struct tv_transfer){
				shift->value,
				rtype_name(shifts->match.dag[0], shift->node[0]),
				rtype_name(shifts->match.dag[1], shift->node[1]),
				1,
			};
	}
	if (n > 0)
		qsort(transfer, n, sizeof *transfer, by_names);
	for (uint32_t i = 0; i < n; i++)
		if (merged > 0 && by_names(&transfer[merged - 1], &transfer[i]) == 0)
			transfer[merged - 1].n++;
		else
			transfer[merged++] = transfer[i];
	if (merged > 0)
		qsort(transfer, merged, sizeof *transfer, by_number);
	shifts->transfer = transfer;
	shifts->ntransfers = merged;
}

/* ---- work ---- */

TV_ORDER(by_time, struct tv_work_done, time)

/* One entry for each counted execution of a run: whole flops, so that sums do not depend on the
 * order. */
static uint32_t add_work(struct tv_work_done *done, const struct tv_run *run, int side,
			 const struct tv_column *gflop)
{
	const struct tv_tasks *tasks = &run->tasks;
	uint32_t n = 0;

	for (uint32_t row = 0; row < tasks->n; row++) {
		int64_t team = tasks->team == NULL || tv_missing(tasks->team, row)
				     ? 1
				     : tasks->team->i[row];

		if (!tasks->counted[row] || !tv_task_ended(tasks, row))
			continue;
		done[n] = (struct tv_work_done){ .time = tasks->end[row] - tasks->begin };
		if (!tv_missing(gflop, row))
			done[n].flop[side] = round(gflop->d[row] * 1e9 * tv_row_share(tasks, row)
						   / (double)(team > 1 ? team : 1));
		n++;
	}
	return n;
}

static void list_work(struct tv_shifts *shifts, struct tv_run *const run[2])
{
	const struct tv_column *gflop[2];
	uint32_t n = 0;

	for (int i = 0; i < 2; i++) {
		gflop[i] = tv_table_find(&run[i]->trace->table[TV_TASKS], "GFlop");
		if (gflop[i] == NULL || gflop[i]->type != TV_DOUBLE)
			return;
	}
	shifts->done = tv_alloc((size_t)run[0]->tasks.ncounted + run[1]->tasks.ncounted,
				sizeof *shifts->done);
	for (int i = 0; i < 2; i++)
		n += add_work(shifts->done + n, run[i], i, gflop[i]);
	if (n > 0)
		qsort(shifts->done, n, sizeof *shifts->done, by_time);
	for (uint32_t i = 0; i < n; i++) {
		const struct tv_work_done next = shifts->done[i];
		struct tv_work_done *last = shifts->done + shifts->ndone;

		if (shifts->ndone > 0 && last[-1].time == next.time) {
			last--;
		} else {
			*last = shifts->ndone > 0 ? last[-1] : (struct tv_work_done){ 0 };
			last->time = next.time;
			shifts->ndone++;
		}
		for (int k = 0; k < 2; k++)
			last->flop[k] += next.flop[k];
	}
}

static void release_shifts(void *data)
{
	struct tv_shifts *shifts = data;

	tv_match_release(&shifts->match);
	tv_free(shifts->shift);
	tv_free(shifts->lag);
	tv_free(shifts->transfer);
	tv_free(shifts->done);
	tv_free(shifts);
}

const struct tv_shifts *tv_run_shifts(struct tv_run *const run[2], struct tv_error *err)
{
	struct tv_shifts *shifts = tv_run_kept(run[1], run[0]);

	if (shifts != NULL)
		return shifts;
	shifts = tv_alloc(1, sizeof *shifts);
	if (tv_match_init(&shifts->match, run, err) < 0) {
		release_shifts(shifts);
		return NULL;
	}
	list_shifts(shifts);
	list_lags(shifts);
	list_transfers(shifts);
	list_work(shifts, run);
	tv_run_keep(run[1], run[0], shifts, release_shifts);
	return shifts;
}

/* ---- order ---- */

TV_ORDER(by_value, struct tv_shift, text(value), start[0], start[1], node[0])

/* Sorts time[0..n) and counts the pairs that were strictly in the wrong order. */
static tv_int128 count_inversions(int64_t *time, int64_t *buffer, size_t n)
{
	tv_int128 count = 0;

	for (size_t width = 1; width < n; width *= 2) {
		for (size_t low = 0; low < n; low += 2 * width) {
			size_t middle = low + width < n ? low + width : n;
			size_t high = low + 2 * width < n ? low + 2 * width : n;
			size_t i = low, j = middle;

			for (size_t k = low; k < high; k++) {
				bool left = i < middle && (j == high || time[i] <= time[j]);

				if (!left)
					count += (tv_int128)(middle - i);
				buffer[k] = left ? time[i++] : time[j++];
			}
		}
		memcpy(time, buffer, n * sizeof *time);
	}
	return count;
}

/* Appends shift[0..n), sorted by start, as one line of the result. buffer: for 2 n numbers. */
static struct tv_moves *add_moves(struct tv_order *order, const struct tv_match *match,
				  const struct tv_shift *shift, size_t n, int64_t *buffer)
{
	struct tv_moves *moves;

	TV_GROW(order->moves, order->nmoves, order->moves_cap, 1);
	moves = &order->moves[order->nmoves++];
	*moves = (struct tv_moves){ .value = "", .ntasks = (uint32_t)n };
	for (size_t i = 0; i < n; i++) {
		moves->rtype += shift[i].moved;
		moves->worker += strcmp(worker_name(match->dag[0], shift[i].node[0]),
					worker_name(match->dag[1], shift[i].node[1]))
			      != 0;
		buffer[i] = shift[i].start[1];
	}
	moves->inversions = count_inversions(buffer, buffer + n, n);
	return moves;
}

static void list_moves(struct tv_order *order, const struct tv_shifts *shifts)
{
	size_t n = shifts->n;
	int64_t *buffer = tv_alloc(2 * n, sizeof *buffer);
	struct tv_shift *shift = tv_alloc(n, sizeof *shift);

	add_moves(order, &shifts->match, shifts->shift, n, buffer)->all = true;
	if (n > 0) {
		memcpy(shift, shifts->shift, n * sizeof *shift);
		qsort(shift, n, sizeof *shift, by_value);
	}
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && strcmp(shift[end].value, shift[i].value) == 0; end++)
			;
		add_moves(order, &shifts->match, shift + i, end - i, buffer)->value =
			shift[i].value;
	}
	tv_free(shift);
	tv_free(buffer);
}

static int by_loss(const void *a, const void *b, void *data)
{
	const struct tv_loss *x = a, *y = b;
	const struct tv_dag *dag = data;
	tv_int128 p = tv_loss_ns(x), q = tv_loss_ns(y);
	int order;

	if (p != q)
		return TV_COMPARE(q, p);
	order = tv_natural_order(tv_pool_text(dag->tasks->pool, tv_dag_job(dag, x->node[0])),
				 tv_pool_text(dag->tasks->pool, tv_dag_job(dag, y->node[0])));
	return order != 0 ? order : TV_COMPARE(x->node[0], y->node[0]);
}

static int list_losses(struct tv_order *order, const struct tv_shifts *shifts,
		       struct tv_run *const run[2], struct tv_error *err)
{
	const struct tv_column *delay[2];

	for (int i = 0; i < 2; i++) {
		const struct tv_table *deps = tv_run_pass(run[i], "deps", NULL, err);

		if (deps == NULL)
			return -1;
		delay[i] = tv_table_find(deps, "Delay");
	}
	order->loss = tv_alloc(shifts->n, sizeof *order->loss);
	order->nlosses = shifts->n;
	for (uint32_t k = 0; k < shifts->n; k++) {
		struct tv_loss *loss = &order->loss[k];
		uint32_t row[2];

		for (int i = 0; i < 2; i++) {
			const struct tv_dag *dag = shifts->match.dag[i];
			uint32_t v = loss->node[i] = shifts->shift[k].node[i];

			loss->duration[i] = dag->end[v] - dag->start[v];
			row[i] = dag->row[v];
		}
		if (tv_missing(delay[0], row[0]) || tv_missing(delay[1], row[1]))
			continue;
		for (int i = 0; i < 2; i++)
			loss->wait[i] = delay[i]->i[row[i]];
	}
	if (order->nlosses > 0)
		qsort_r(order->loss, order->nlosses, sizeof *order->loss, by_loss,
			(void *)shifts->match.dag[0]);
	return 0;
}

int tv_order_init(struct tv_order *order, const struct tv_shifts *shifts,
		  struct tv_run *const run[2], struct tv_error *err)
{
	*order = (struct tv_order){ 0 };
	list_moves(order, shifts);
	return list_losses(order, shifts, run, err);
}

void tv_order_release(struct tv_order *order)
{
	tv_free(order->moves);
	tv_free(order->loss);
	*order = (struct tv_order){ 0 };
}
