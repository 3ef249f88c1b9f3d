/* SPDX-License-Identifier: GPL-3.0-or-later */
/* regrain.c -- a run with other grains: several tasks of a type as one, or each as several. */
#include "sim/model/regrain.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/core/grouping.h"
#include "analysis/core/statistics.h"
#include "sim/model/grains.h"
#include "trace/alloc.h"
#include "trace/near_names.h"
#include "trace/number.h"
#include "trace/sorted.h"

enum { GRAIN_MAX = 1000000, ROWS_MAX = 50000000 };

/* ---- the option ---- */

static int parse(const char *text, char **type, uint32_t *k, bool *split, struct tv_error *err)
{
	const char *equal = strrchr(text, '='), *number = equal == NULL ? text : equal + 1;
	int64_t n = 0;

	*split = strncmp(number, "1/", 2) == 0;
	number += *split ? 2 : 0;
	if (equal == NULL || equal == text
	    || tv_parse_int(number, strlen(number), &n) != TV_PARSE_OK || n < 2 || n > GRAIN_MAX)
		return tv_fail_usage(err,
				     "--grain '%s', expected TYPE=K (K tasks are one) or TYPE=1/K "
				     "(each is K) with a K from 2 to %d",
				     text, GRAIN_MAX);
	*k = (uint32_t)n;
	*type = tv_strndup(text, (size_t)(equal - text));
	return 0;
}

int tv_regrain_check(const char *text, struct tv_error *err)
{
	char *type = NULL;
	uint32_t k;
	bool split;
	int rc = text == NULL ? 0 : parse(text, &type, &k, &split, err);

	tv_free(type);
	return rc;
}

/* ---- which tasks ---- */

static uint32_t parent_of(const struct tv_tasks *tasks, uint32_t row)
{
	const struct tv_column *parent = tv_table_find(&tasks->trace->table[TV_TASKS], "ParentJob");

	return parent == NULL || tv_missing(parent, row) ? TV_NONE : tv_label(parent, row);
}

static uint32_t place_of(const struct tv_tasks *tasks, uint32_t row)
{
	return tasks->workers[tasks->worker[row]].node;
}

/* Where the creator of tasks was that waits: where the first of those ran that it waits for; TV_NONE = nowhere. */
static uint32_t place_of_wait(const struct tv_dag *dag, uint32_t v)
{
	while (!dag->tasks->executed[dag->row[v]] && dag->first[v] < dag->first[v + 1])
		v = dag->pred[dag->first[v]];
	return dag->tasks->executed[dag->row[v]] ? place_of(dag->tasks, dag->row[v]) : TV_NONE;
}

static int fail_type(const struct tv_grains *w, const char *text, struct tv_error *err)
{
	struct tv_grouping types;
	struct tv_name_list names = { .n = 0 };
	const char *equal = strrchr(text, '=');
	int length = (int)(equal == NULL ? strlen(text) : (size_t)(equal - text));

	tv_grouping_by_type(&types, w->tasks);
	for (uint32_t t = 0; t < types.n; t++)
		tv_name_list_add(&names,
				 tv_pool_text(w->tasks->pool, tv_grouping_label(&types, t)));
	tv_grouping_release(&types);
	return tv_fail(err, "--grain '%s': no task has the type '%.*s', expected one of %s%s", text,
		       length, text, tv_name_list_text(&names),
		       strchr(text, ',') == NULL ? ""
						 : " (one type at a time: change another one in "
						   "the trace that -o writes)");
}

static int find_fitting(struct tv_grains *w, const char *text, struct tv_error *err)
{
	const struct tv_tasks *tasks = w->tasks;
	const struct tv_dag *dag = w->dag;
	uint32_t *rows = tv_alloc(dag->n, sizeof *rows), rtype = TV_NONE, n = 0;
	bool found = false;
	bool *creates = tv_alloc(tv_pool_count(w->pool), sizeof *creates), mixed = false;

	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t parent = parent_of(tasks, row);

		if (dag->node_of_row[row] != TV_NONE)
			rows[dag->node_of_row[row]]++;
		if (parent != TV_NONE)
			creates[parent] = true;
	}
	for (uint32_t v = 0; v < dag->n; v++) {
		uint32_t row = dag->row[v], job = tv_dag_job(dag, v);

		if (!tasks->counted[row] || tasks->value[row] != w->type
		    || (w->only != TV_NONE && v != w->only))
			continue;
		found = true;
		mixed |= rtype != TV_NONE && rtype != tasks->workers[tasks->worker[row]].rtype;
		rtype = tasks->workers[tasks->worker[row]].rtype;
		w->fits[v] = rows[v] == 1 && tv_task_ended(tasks, row)
			  && (job == TV_NONE || !creates[job]);
		n += w->fits[v];
	}
	tv_free(rows);
	tv_free(creates);
	if (!found)
		return fail_type(w, text, err);
	if (mixed)
		return tv_fail(
			err,
			"--grain '%s': these tasks ran on several types of workers, expected "
			"one: what others would take is not known",
			text);
	if (w->split && (uint64_t)n * w->k > ROWS_MAX)
		return tv_fail(err, "--grain '%s': more than %d parts of %u tasks, expected fewer",
			       text, ROWS_MAX, n);
	return n >= (w->split ? 1 : 2)
		     ? 0
		     : tv_fail(err,
			       "--grain '%s': no tasks of this type can be %s, expected some that "
			       "ran once, in one piece, and created no others",
			       text, w->split ? "split" : "merged");
}

/* ---- merging ---- */

/* Chains of at most k: each fitting node that depends on one alone, which nothing else awaits, joins that. */
static void merge_chains(struct tv_grains *w, uint32_t *size)
{
	const struct tv_dag *dag = w->dag;
	const struct tv_tasks *tasks = w->tasks;
	uint32_t *waiting = tv_alloc(dag->n, sizeof *waiting);

	for (uint32_t e = 0; e < dag->nedges; e++)
		waiting[dag->pred[e]]++;
	for (uint32_t i = 0; i < dag->n; i++) {
		uint32_t v = dag->order[i], u, into;

		w->into[v] = v;
		size[v] = 1;
		if (!w->fits[v] || dag->first[v + 1] - dag->first[v] != 1)
			continue;
		u = dag->pred[dag->first[v]];
		into = w->into[u];
		if (!w->fits[u] || waiting[u] != 1 || size[into] >= w->k
		    || place_of(tasks, dag->row[u]) != place_of(tasks, dag->row[v])
		    || parent_of(tasks, dag->row[u]) != parent_of(tasks, dag->row[v]))
			continue;
		w->into[v] = into;
		size[into]++;
	}
	tv_free(waiting);
}

/* By node that is not merged into another: most tasks on a path to it. */
static uint32_t *find_levels(const struct tv_grains *w)
{
	const struct tv_dag *dag = w->dag;
	uint32_t *level = tv_alloc(dag->n, sizeof *level);

	for (uint32_t i = 0; i < dag->n; i++) {
		uint32_t v = dag->order[i];

		for (uint32_t e = dag->first[v]; w->into[v] == v && e < dag->first[v + 1]; e++) {
			uint32_t above = level[w->into[dag->pred[e]]] + 1;

			level[v] = above > level[v] ? above : level[v];
		}
	}
	return level;
}

struct sibling {
	uint32_t level, parent, place, v; /* level: for submissions, what it was submitted after */
	int64_t submit;
};

TV_ORDER(by_submission, struct sibling, level, parent, place, submit, v)

static bool are_siblings(const struct sibling *a, const struct sibling *b)
{
	return a->level == b->level && a->parent == b->parent && a->place == b->place;
}

static void merge_siblings(struct tv_grains *w, uint32_t *size)
{
	const struct tv_dag *dag = w->dag;
	uint32_t *level = find_levels(w), n = 0, open = 0;
	struct sibling *s = tv_alloc(dag->n, sizeof *s);

	for (uint32_t v = 0; v < dag->n; v++)
		if (w->fits[v] && w->into[v] == v)
			s[n++] = (struct sibling){ level[v], parent_of(w->tasks, dag->row[v]),
						   place_of(w->tasks, dag->row[v]), v,
						   tv_dag_submitted(dag, v) };
	if (n > 1)
		qsort(s, n, sizeof *s, by_submission);
	for (uint32_t i = 1; i < n; i++) {
		uint32_t into = s[open].v;

		if (!are_siblings(&s[open], &s[i]) || size[into] + size[s[i].v] > w->k) {
			open = i;
			continue;
		}
		w->into[s[i].v] = into;
		size[into] += size[s[i].v];
	}
	for (uint32_t v = 0; v < dag->n; v++) /* links of chains, whose first was merged */
		w->into[v] = w->into[w->into[v]];
	tv_free(level);
	tv_free(s);
}

/* ---- submissions ---- */

/* Tasks of one creator between two waits, in their order: s[0..n). gap: room for n. False: a submission would be 146 years away or more. */
static bool submit_anew(struct tv_grains *w, const struct sibling *s, uint32_t n, int64_t *gap)
{
	const tv_int128 max = (int64_t)1 << 62;
	tv_int128 shift = 0;
	uint32_t ngaps = 0;
	int64_t usual;

	/* Between tasks; not from one to a wait. */
	for (uint32_t i = 1; i < n; i++)
		if (w->tasks->executed[w->dag->row[s[i].v]])
			gap[ngaps++] = s[i].submit - s[i - 1].submit;
	tv_sort_times(gap, ngaps);
	usual = ngaps > 0 ? tv_median_int64(gap, ngaps) : 0;
	for (uint32_t i = 0; i < n; i++) {
		int64_t before = i > 0 ? s[i].submit - s[i - 1].submit : 0;

		if (w->into[s[i].v] != s[i].v)
			shift -= before < usual ? before : usual;
		w->submit[s[i].v] = (int64_t)(s[i].submit + shift);
		w->between[s[i].v] = usual;
		if (w->split && w->fits[s[i].v])
			shift += (tv_int128)usual * (w->k - 1);
		/* of the last part */
		if (s[i].submit + shift >= max || s[i].submit + shift <= -max)
			return false;
	}
	return true;
}

static int submit_all(struct tv_grains *w, const char *text, struct tv_error *err)
{
	const struct tv_dag *dag = w->dag;
	struct sibling *s = tv_alloc(dag->n, sizeof *s);
	int64_t *gap = tv_alloc(dag->n, sizeof *gap);
	uint32_t n = 0, first = 0;
	bool fits = true;

	for (uint32_t v = 0; v < dag->n; v++) {
		uint32_t row = dag->row[v];
		int64_t submit = tv_dag_submitted(dag, v);

		w->submit[v] = submit;
		if (submit != INT64_MIN
		    && (w->tasks->executed[row] || (dag->awaited != NULL && dag->awaited[v])))
			s[n++] = (struct sibling){ tv_grains_after(dag, v),
						   parent_of(w->tasks, row), place_of_wait(dag, v),
						   v, submit };
	}
	if (n > 1)
		qsort(s, n, sizeof *s, by_submission);
	for (uint32_t i = 1; i <= n && fits; i++)
		if (i == n || !are_siblings(&s[first], &s[i])) {
			fits = submit_anew(w, s + first, i - first, gap);
			first = i;
		}
	tv_free(s);
	tv_free(gap);
	return fits ? 0
		    : tv_fail(err,
			      "--grain '%s': submissions, as far from each other as in the run, "
			      "would be "
			      "146 years away, expected fewer parts",
			      text);
}

/* ---- all ---- */

static int change(struct tv_grains *w, const char *text, struct tv_trace *out, struct tv_error *err)
{
	const struct tv_dag *dag = w->dag;
	uint32_t *size = tv_alloc(dag->n, sizeof *size);
	size_t longest = (size_t)dag->nedges + w->k;
	int rc;

	w->fits = tv_alloc(dag->n, sizeof *w->fits);
	w->into = tv_alloc(dag->n, sizeof *w->into);
	w->submit = tv_alloc(dag->n, sizeof *w->submit);
	w->between = tv_alloc(dag->n, sizeof *w->between);
	w->awaited = tv_alloc(dag->n, sizeof *w->awaited);
	w->seen = tv_alloc(dag->n, sizeof *w->seen);
	w->list = tv_alloc(longest, sizeof *w->list);
	for (uint32_t e = 0; e < dag->nedges; e++)
		w->awaited[dag->pred[e]] = true;
	for (uint32_t v = 0; v < dag->n; v++)
		if (tv_grains_after(dag, v) != TV_NONE)
			w->awaited[dag->after[v]] = true;
	rc = find_fitting(w, text, err);
	if (rc == 0 && !w->split) {
		merge_chains(w, size);
		merge_siblings(w, size);
	}
	for (uint32_t v = 0; w->split && v < dag->n; v++)
		w->into[v] = v;
	if (rc == 0)
		rc = submit_all(w, text, err);
	if (rc == 0)
		rc = tv_grains_trace(w, out, err);
	tv_free(size);
	tv_free(w->fits);
	tv_free(w->into);
	tv_free(w->submit);
	tv_free(w->between);
	tv_free(w->awaited);
	tv_free(w->seen);
	tv_free(w->list);
	tv_free(w->mark);
	return rc;
}

static int regrain(struct tv_regrained *changed, struct tv_run *run, struct tv_grains *w,
		   const char *text, struct tv_error *err)
{
	const struct tv_dag *dag = w->dag;
	int rc;

	if (run->tasks.ncounted == 0 || dag->previous != NULL || dag->nexclusions > 0
	    || run->tasks.device_time != NULL)
		return tv_fail(err,
			       "--grain '%s': tasks that %s are not simulated with other grains",
			       text,
			       run->tasks.ncounted == 0 ? "have not run"
			       : dag->previous != NULL	? "were suspended"
			       : dag->nexclusions > 0	? "exclude each other"
							: "share a device");
	rc = change(w, text, &changed->trace, err);
	if (rc == 0)
		tv_run_init(&changed->run, &changed->trace, run->kinds);
	return rc;
}

int tv_regrain(struct tv_regrained *changed, struct tv_run *run, const char *text,
	       struct tv_error *err)
{
	struct tv_grains w = { .tasks = &run->tasks, .pool = run->trace->pool, .only = TV_NONE };
	char *type = NULL;
	int rc;

	*changed = (struct tv_regrained){ 0 };
	if (parse(text, &type, &w.k, &w.split, err) < 0)
		return -1;
	w.type = tv_pool_find_text(w.pool, type);
	w.dag = tv_run_dag(run, err);
	rc = w.dag == NULL ? -1 : regrain(changed, run, &w, text, err);
	tv_free(type);
	return rc;
}

int tv_regrain_task(struct tv_regrained *changed, struct tv_run *run, uint32_t row, uint32_t k,
		    struct tv_error *err)
{
	struct tv_grains w = { .tasks = &run->tasks,
			       .pool = run->trace->pool,
			       .type = run->tasks.value[row],
			       .k = k,
			       .split = true };

	*changed = (struct tv_regrained){ 0 };
	w.dag = tv_run_dag(run, err);
	if (w.dag == NULL)
		return -1;
	w.only = w.dag->node_of_row[row];
	return regrain(changed, run, &w, "1 task", err);
}

void tv_regrained_release(struct tv_regrained *changed)
{
	tv_run_release(&changed->run);
	tv_trace_release(&changed->trace);
}
