/* SPDX-License-Identifier: GPL-3.0-or-later */
/* paths.c -- longest path, last dependencies, releases. */
#include "dag/dag.h"

#include "dag/carry.h"
#include "trace/alloc.h"
#include "trace/text.h"

struct weighing {
	const struct tv_dag *dag;
	const double *weight, *done;
	double *length; /* by node: of the heaviest path that ends in it */
};

/* The length of the heaviest path to v over its edge k, without v. */
static double length_over(const struct weighing *w, uint32_t v, uint32_t k)
{
	uint32_t u = w->dag->pred[k];

	return w->length[u] - tv_dag_beside(w->dag, w->weight, w->done, u, v);
}

/* The edge of v at the end of the heaviest path to it, the first of equal ones, and *length of that without v; TV_NONE
 * and 0 = none. */
static uint32_t heaviest(const struct weighing *w, uint32_t v, double *length)
{
	uint32_t via = TV_NONE, end = w->dag->first[v + 1];

	*length = 0;
	for (uint32_t k = w->dag->first[v]; k < end; k++) {
		double over = length_over(w, v, k);

		if (via != TV_NONE && over <= *length)
			continue;
		via = k;
		*length = over;
	}
	return via;
}

/* Fills in length. Returns where the heaviest of all ends. */
static uint32_t measure(const struct weighing *w)
{
	const struct tv_dag *dag = w->dag;
	uint32_t end = TV_NONE;

	for (uint32_t i = 0; i < dag->n; i++) {
		uint32_t v = dag->order[i];
		double before;

		heaviest(w, v, &before);
		w->length[v] = before + w->weight[v];
		if (end == TV_NONE || w->length[v] > w->length[end])
			end = v;
	}
	return end;
}

/* What comes before v on the heaviest path to it. */
static uint32_t step_back(const struct weighing *w, uint32_t v)
{
	double length;
	uint32_t via = heaviest(w, v, &length);

	return via == TV_NONE ? TV_NONE : w->dag->pred[via];
}

uint32_t tv_dag_longest(const struct tv_dag *dag, const double *weight, const double *done,
			uint32_t *path)
{
	struct weighing w = { dag, weight, done, tv_realloc(NULL, dag->n, sizeof *w.length) };
	uint32_t end = measure(&w), n = 0, i;

	for (uint32_t v = end; v != TV_NONE; v = step_back(&w, v))
		n++;
	i = n;
	for (uint32_t v = end; v != TV_NONE; v = step_back(&w, v))
		path[--i] = v;
	tv_free(w.length);
	return n;
}

void tv_dag_around(const struct tv_dag *dag, const double *weight, double *head, double *tail)
{
	for (uint32_t v = 0; v < dag->n; v++)
		tail[v] = 0;
	for (uint32_t v = 0; head != NULL && v < dag->n; v++)
		head[v] = 0;
	for (uint32_t i = 0; head != NULL && i < dag->n; i++) {
		uint32_t v = dag->order[i];

		for (uint32_t k = dag->first[v]; k < dag->first[v + 1]; k++) {
			uint32_t u = dag->pred[k];

			if (head[u] + weight[u] > head[v])
				head[v] = head[u] + weight[u];
		}
	}
	for (uint32_t i = dag->n; i-- > 0;) {
		uint32_t v = dag->order[i];

		for (uint32_t k = dag->first[v]; k < dag->first[v + 1]; k++) {
			uint32_t u = dag->pred[k];

			if (tail[v] + weight[v] > tail[u])
				tail[u] = tail[v] + weight[v];
		}
	}
}

void tv_dag_job_ends(const struct tv_dag *dag, int64_t *end)
{
	for (uint32_t v = 0; v < dag->n; v++)
		end[v] = dag->timed[v] ? dag->end[v] : INT64_MIN;
	for (uint32_t v = 0; v < dag->n; v++) {
		uint32_t first = tv_dag_opening(dag, v);

		end[first] = end[v] > end[first] ? end[v] : end[first];
	}
	for (uint32_t v = 0; v < dag->n; v++)
		end[v] = end[tv_dag_opening(dag, v)];
}

/* Whether a, complete at `a_time`, was later than b. */
static bool is_later(const struct tv_dag *dag, uint32_t a, int64_t a_time, uint32_t b,
		     int64_t b_time)
{
	int order;

	if (b == TV_NONE || a_time != b_time)
		return b == TV_NONE || a_time > b_time;
	order = tv_natural_order(tv_pool_text(dag->tasks->pool, tv_dag_job(dag, a)),
				 tv_pool_text(dag->tasks->pool, tv_dag_job(dag, b)));
	return order < 0 || (order == 0 && a < b);
}

bool tv_dag_later(const struct tv_dag *dag, uint32_t a, uint32_t b)
{
	return is_later(dag, a, dag->end[a], b, b == TV_NONE ? 0 : dag->end[b]);
}

/* When a node had been created at the latest; INT64_MAX = not known. */
static int64_t created(const struct tv_dag *dag, uint32_t v)
{
	int64_t submit = tv_dag_submitted(dag, v);

	return submit != INT64_MIN ? submit : dag->timed[v] ? dag->start[v] : INT64_MAX;
}

int64_t tv_dag_reaches(const struct tv_dag *dag, uint32_t node, uint32_t before, int64_t time)
{
	int64_t limit;

	if (!tv_dag_created_by(dag, node, before))
		return time;
	limit = created(dag, node);
	return time < limit ? time : limit;
}

bool tv_dag_overtakes(const struct tv_dag *dag)
{
	for (uint32_t v = 0; dag->creator != NULL && v < dag->n; v++) {
		uint32_t u = dag->creator[v];

		if (u != TV_NONE && dag->timed[u]
		    && (dag->timed[v] ? dag->start[v] : created(dag, v)) < dag->end[u])
			return true;
	}
	return false;
}

void tv_intern_kinds(struct tv_pool *pool, uint32_t kind[TV_NDEPENDENCIES])
{
	static const char *const name[] = { "dependency", "exclusion", "creation" };

	for (int i = 0; i < TV_NDEPENDENCIES; i++)
		kind[i] = tv_intern_text(pool, name[i]);
}

/* Among which nodes last dependencies are looked for. */
enum among { TASKS, TASKS_AND_MESSAGES, TIMED };

static bool is_among(const struct tv_dag *dag, enum among among, uint32_t v)
{
	return among == TIMED
		     ? dag->timed[v]
		     : dag->task[v] || (among == TASKS_AND_MESSAGES && tv_dag_is_message(dag, v));
}

/* What a path leads to, and when that was complete as seen from its other end. */
struct reached {
	uint32_t node; /* TV_NONE = nothing */
	int64_t time;
};

/* What comes before v over its edge k: the node there, or what is behind[] it if it is none of
 * those looked for. */
static struct reached reach(const struct tv_dag *dag, enum among among,
			    const struct reached *behind, uint32_t v, uint32_t k)
{
	uint32_t before = tv_dag_before(dag, v, k);
	struct reached at = is_among(dag, among, before)
				  ? (struct reached){ before, dag->end[before] }
				  : behind[before];

	if (!tv_dag_excludes(dag, v, k))
		at.time = tv_dag_reaches(dag, v, before, at.time);
	return at;
}

/* Whether something reached replaces the latest so far. */
static bool replaces(const struct tv_dag *dag, const struct reached *at, const struct reached *best)
{
	return at->node != TV_NONE
	    && (at->node == best->node ? at->time > best->time
				       : is_later(dag, at->node, at->time, best->node, best->time));
}

static enum tv_dependency kind_of(const struct tv_dag *dag, uint32_t v, uint32_t k)
{
	return tv_dag_excludes(dag, v, k)			   ? TV_EXCLUSION
	     : tv_dag_created_by(dag, v, tv_dag_before(dag, v, k)) ? TV_CREATION
								   : TV_DEPENDENCY;
}

/* What was reached last before v, and by which kind of edge. behind: only of nodes that are not looked for. */
static struct reached find_best(const struct tv_dag *dag, enum among among,
				const struct reached *behind, uint32_t v, enum tv_dependency *kind)
{
	uint32_t n = tv_dag_nbefore(dag, v);
	struct reached best = { TV_NONE, 0 };

	*kind = TV_DEPENDENCY;
	for (uint32_t k = 0; k < n; k++) {
		struct reached at = reach(dag, among, behind, v, k);

		if (replaces(dag, &at, &best)) {
			best = at;
			*kind = kind_of(dag, v, k);
		}
	}
	return best;
}

/* By node, to be filled: what is behind it, known of those of earlier parts. Not set, so that it takes no memory, where the
 * way ends. */
static struct reached *alloc_behind(const struct tv_dag *dag, enum among among)
{
	struct reached *behind = tv_alloc((size_t)dag->n + dag->noutside, sizeof *behind);

	for (uint32_t i = 0; i < dag->noutside; i++) {
		const struct tv_carried_job *job = dag->outside[i];

		behind[dag->n + i] = among == TASKS
					   ? (struct reached){ job->last_node, job->last_time }
					   : (struct reached){ job->arrived_node,
							       job->arrived_time };
	}
	return behind;
}

/* Free what it returns: what is behind nodes that are not looked for. */
static struct reached *find_last(const struct tv_dag *dag, enum among among, uint32_t *last,
				 struct tv_arrival *how)
{
	struct reached *behind = alloc_behind(dag, among);

	for (uint32_t i = 0; i < dag->n; i++) {
		uint32_t v = dag->sequence[i];
		bool stops = is_among(dag, among, v);
		enum tv_dependency kind;
		struct reached best = find_best(dag, among, behind, v, &kind);

		if (!stops)
			behind[v] = best;
		last[v] = stops || among == TIMED ? best.node : TV_NONE;
		if (how != NULL)
			how[v] = (struct tv_arrival){ best.time, kind };
	}
	return behind;
}

bool tv_dag_arrives_at_once(const struct tv_dag *dag)
{
	uint32_t v = 0;

	while (v < dag->n + dag->noutside && is_among(dag, TASKS_AND_MESSAGES, v))
		v++;
	return v == dag->n + dag->noutside;
}

uint32_t tv_dag_arrival(const struct tv_dag *dag, uint32_t node, struct tv_arrival *how)
{
	struct reached best = find_best(dag, TASKS_AND_MESSAGES, NULL, node, &how->kind);

	how->time = best.time;
	return best.node;
}

void tv_dag_last(const struct tv_dag *dag, uint32_t *last, struct tv_arrival *how)
{
	tv_free(find_last(dag, TASKS, last, how));
}

void tv_dag_arrivals(const struct tv_dag *dag, uint32_t *last, struct tv_arrival *how)
{
	tv_free(find_last(dag, TASKS_AND_MESSAGES, last, how));
}

void tv_dag_awaited(const struct tv_dag *dag, uint32_t *last, struct tv_arrival *how)
{
	tv_free(find_last(dag, TIMED, last, how));
}

void tv_awaited_init(struct tv_awaited *awaited, const struct tv_dag *dag)
{
	*awaited = (struct tv_awaited){ .dag = dag };
	if (dag->are_rows)
		return;
	awaited->last = tv_alloc(dag->n, sizeof *awaited->last);
	awaited->how = tv_alloc(dag->n, sizeof *awaited->how);
	tv_dag_awaited(dag, awaited->last, awaited->how);
}

uint32_t tv_awaited_before(const struct tv_awaited *awaited, uint32_t node, int64_t *time)
{
	enum tv_dependency kind;
	struct reached best;

	if (awaited->last != NULL) {
		*time = awaited->how[node].time;
		return awaited->last[node];
	}
	best = find_best(awaited->dag, TIMED, NULL, node, &kind);
	*time = best.time;
	return best.node;
}

void tv_awaited_release(struct tv_awaited *awaited)
{
	tv_free(awaited->last);
	tv_free(awaited->how);
	*awaited = (struct tv_awaited){ 0 };
}

/* The first step that a path through u takes: u itself if it is one. */
static uint32_t step_at(const struct tv_dag *dag, const uint32_t *step, uint32_t u)
{
	if (dag->task[u] || tv_dag_is_message(dag, u))
		return u;
	return u < dag->n ? step[u] : dag->outside[u - dag->n]->step_node;
}

void tv_dag_steps(const struct tv_dag *dag, const uint32_t *last, uint32_t *step)
{
	/* As in find_last among tasks. */
	struct reached *behind = alloc_behind(dag, TASKS);

	for (uint32_t i = 0; i < dag->n; i++) {
		uint32_t v = dag->sequence[i], n = tv_dag_nbefore(dag, v);
		struct reached best = { dag->task[v] ? last[v] : TV_NONE, INT64_MIN };

		step[v] = TV_NONE;
		for (uint32_t k = 0; k < n; k++) {
			struct reached at = reach(dag, TASKS, behind, v, k);
			uint32_t via = step_at(dag, step, tv_dag_before(dag, v, k));

			if (at.node == TV_NONE || (dag->task[v] && at.node != best.node))
				continue;
			if (at.node == best.node && at.time == best.time) {
				if (via != step[v] && tv_dag_later(dag, via, step[v]))
					step[v] = via;
			} else if (replaces(dag, &at, &best)) {
				best = at;
				step[v] = via;
			}
		}
		if (!dag->task[v])
			behind[v] = best;
	}
	tv_free(behind);
}

/* Frees what is behind each node. */
static void take_behind(const struct tv_dag *dag, struct reached *behind, uint32_t *last,
			int64_t *time)
{
	for (uint32_t v = 0; v < dag->n; v++) {
		last[v] = behind[v].node;
		time[v] = behind[v].time;
	}
	tv_free(behind);
}

void tv_dag_passed(const struct tv_dag *dag, uint32_t *last, int64_t *time, uint32_t *step)
{
	struct reached *behind = find_last(dag, TASKS, last, NULL);

	tv_dag_steps(dag, last, step);
	take_behind(dag, behind, last, time);
}

void tv_dag_passed_arrivals(const struct tv_dag *dag, uint32_t *last, int64_t *time)
{
	take_behind(dag, find_last(dag, TASKS_AND_MESSAGES, last, NULL), last, time);
}

/* When successors of a node no longer wait for it: its end, or its release if it has no time; released NULL: all have one. */
static int64_t end_or_release(const struct tv_dag *dag, const int64_t *released, uint32_t node)
{
	return released == NULL || dag->timed[node] ? dag->end[node] : released[node];
}

static bool is_pending(const struct tv_dag *dag, uint32_t v)
{
	return v < dag->n ? dag->tasks->pending[dag->row[v]] : dag->outside[v - dag->n]->pending;
}

/* Pending jobs that depend on pending jobs, also through nodes without time, are never released. A
 * job that ran although its predecessor is pending shows that the predecessor was done. */
static void mark_never_released(const struct tv_dag *dag, int64_t *released)
{
	bool any = dag->tasks->npending > 0 || dag->noutside > 0;

	for (uint32_t i = 0; any && i < dag->n; i++) {
		uint32_t v = dag->order[i];

		for (uint32_t k = dag->first[v]; !dag->timed[v] && k < dag->first[v + 1]; k++) {
			uint32_t p = dag->pred[k];

			if (is_pending(dag, p) || (!dag->timed[p] && released[p] == INT64_MAX))
				released[v] = INT64_MAX;
		}
	}
}

/* released: of the nodes before it that have no time. */
static int64_t find_release(const struct tv_dag *dag, const int64_t *released, uint32_t v)
{
	int64_t release = tv_dag_earliest(dag, v);

	for (uint32_t k = dag->first[v]; k < dag->first[v + 1]; k++) {
		uint32_t u = dag->pred[k];
		int64_t time = tv_dag_reaches(dag, v, u, end_or_release(dag, released, u));

		release = time > release ? time : release;
	}
	return release;
}

int64_t tv_dag_released_at(const struct tv_dag *dag, const int64_t *released, uint32_t node)
{
	return released != NULL ? released[node] : find_release(dag, NULL, node);
}

void tv_dag_released(const struct tv_dag *dag, int64_t *released)
{
	for (uint32_t i = 0; i < dag->noutside; i++)
		released[dag->n + i] = dag->outside[i]->released;
	for (uint32_t i = 0; i < dag->n; i++)
		released[dag->order[i]] = find_release(dag, released, dag->order[i]);
	mark_never_released(dag, released);
}
