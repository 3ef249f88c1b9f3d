/* SPDX-License-Identifier: GPL-3.0-or-later */
/* regrain.c -- a run with other grains: several tasks of a type as one, or each as several. */
#include "sim/model/regrain.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/core/grouping.h"
#include "analysis/core/statistics.h"
#include "dag/dag.h"
#include "trace/alloc.h"
#include "trace/near_names.h"
#include "trace/number.h"
#include "trace/sorted.h"

enum { GRAIN_MAX = 1000000, ROWS_MAX = 50000000 };

struct regrained {
	const struct tv_tasks *tasks;
	const struct tv_dag *dag;
	struct tv_pool *pool;
	uint32_t type; /* label */
	uint32_t only; /* node: of the type only that; TV_NONE = all */
	uint32_t k;
	bool split;
	bool *fits;	  /* by node: its grain can change */
	uint32_t *into;	  /* by node: the one that it is merged into, else itself */
	int64_t *submit;  /* by node: its new submission, ns */
	int64_t *between; /* by node: of parts, from one submission to the next, ns */
	bool *awaited;	  /* by node: something depends on it */
	uint32_t *seen;	  /* by node: the last one for which it was listed, + 1 */
	uint32_t *list;	  /* labels, of one node */
	char *mark;	  /* between a job and the number of its part; in no name of a job */
};

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

static int fail_type(const struct regrained *w, const char *text, struct tv_error *err)
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

static int find_fitting(struct regrained *w, const char *text, struct tv_error *err)
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
static void merge_chains(struct regrained *w, uint32_t *size)
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
static uint32_t *find_levels(const struct regrained *w)
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

static void merge_siblings(struct regrained *w, uint32_t *size)
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

static uint32_t after_of(const struct tv_dag *dag, uint32_t v)
{
	return dag->after == NULL ? TV_NONE : dag->after[v];
}

/* Tasks of one creator between two waits, in their order: s[0..n). gap: room for n. False: a submission would be 146 years away or more. */
static bool submit_anew(struct regrained *w, const struct sibling *s, uint32_t n, int64_t *gap)
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

static int submit_all(struct regrained *w, const char *text, struct tv_error *err)
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
			s[n++] = (struct sibling){ after_of(dag, v), parent_of(w->tasks, row),
						   place_of_wait(dag, v), v, submit };
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

/* ---- the changed trace ---- */

enum { WHOLE, JOIN = -1 }; /* parts are numbered from 1 */

struct made {
	uint32_t row;
	int64_t part;
};

/* What the changed tasks have of the recorded ones. */
static const char *const kept[] = { "ResourceId", "Value",    "Kind",	   "Node", "ResourceType",
				    "Priority",	  "Instance", "ParentJob", "Flag" };

static struct made *list_rows(const struct regrained *w, uint32_t *n)
{
	const struct tv_dag *dag = w->dag;
	struct made *made = NULL;
	size_t count = 0, cap = 0;

	for (uint32_t row = 0; row < w->tasks->n; row++) {
		uint32_t v = dag->node_of_row[row];
		bool split = w->split && v != TV_NONE && w->fits[v];

		if (v != TV_NONE && w->into[v] != v)
			continue;
		for (uint32_t part = split; part <= (split ? w->k : 0); part++) {
			TV_GROW(made, count, cap, 1);
			made[count++] = (struct made){ row, part };
		}
		if (split && w->awaited[v]) {
			TV_GROW(made, count, cap, 1);
			made[count++] = (struct made){ row, JOIN };
		}
	}
	*n = (uint32_t)count;
	return made;
}

static void find_mark(struct regrained *w)
{
	w->mark = tv_strdup("/");
	for (uint32_t v = 0; v < w->dag->n; v++) {
		uint32_t job = tv_dag_job(w->dag, v);

		while (job != TV_NONE && strstr(tv_pool_text(w->pool, job), w->mark) != NULL)
			tv_append(&w->mark, "/");
	}
}

static uint32_t name_part(struct regrained *w, uint32_t job, int64_t part)
{
	char *name = tv_format("%s%s%lld", tv_pool_text(w->pool, job), w->mark, (long long)part);
	uint32_t label = tv_intern_text(w->pool, name);

	tv_free(name);
	return label;
}

/* The jobs on which those depend that are merged into a node: members, n. */
static void write_dependencies(struct regrained *w, const uint32_t *member, uint32_t n,
			       struct tv_column *to, uint32_t at)
{
	const struct tv_dag *dag = w->dag;
	uint32_t into = w->into[member[0]], listed = 0;

	for (uint32_t i = 0; i < n; i++)
		for (uint32_t e = dag->first[member[i]]; e < dag->first[member[i] + 1]; e++) {
			uint32_t u = w->into[dag->pred[e]];

			if (u == into || w->seen[u] == at + 1)
				continue;
			w->seen[u] = at + 1;
			w->list[listed++] = tv_dag_job(dag, u);
		}
	if (listed > 0)
		tv_set_list(to, at, w->list, listed);
}

struct columns {
	struct tv_column *start, *end, *job, *depends, *submit, *after, *delay, *kind;
};

/* part: from 0. */
static void write_submission(const struct regrained *w, uint32_t v, int64_t part,
			     const struct columns *to, uint32_t at)
{
	int64_t submit = w->submit[v] + part * w->between[v], delay;
	uint32_t after = after_of(w->dag, v), job;

	if (w->submit[v] == INT64_MIN)
		return;
	tv_set_int(to->submit, at, submit);
	job = after == TV_NONE ? TV_NONE : tv_dag_job(w->dag, w->into[after]);
	if (job == TV_NONE)
		return;
	delay = w->dag->delay[v] + submit - tv_dag_submitted(w->dag, v);
	tv_set_label(to->after, at, job);
	tv_set_int(to->delay, at, delay > 0 ? delay : 0);
}

static void write_times(const struct regrained *w, const struct made *made, const uint32_t *member,
			uint32_t n, const struct columns *to, uint32_t at)
{
	const struct tv_column *start = tv_table_find(&w->tasks->trace->table[TV_TASKS], "Start"),
			       *end = tv_table_find(&w->tasks->trace->table[TV_TASKS], "End");
	uint32_t v = w->dag->node_of_row[made->row];
	int64_t from, time;

	if (made->part == JOIN || tv_missing(start, made->row) || tv_missing(end, made->row))
		return;
	from = start->i[made->row];
	time = end->i[made->row] - from;
	for (uint32_t i = 0; i < n; i++)
		if (member[i] != v)
			time += w->dag->end[member[i]] - w->dag->start[member[i]];
	tv_set_int(to->start, at,
		   made->part == WHOLE
			   ? from
			   : from + (int64_t)((tv_int128)time * (made->part - 1) / w->k));
	tv_set_int(to->end, at,
		   made->part == WHOLE ? from + time
				       : from + (int64_t)((tv_int128)time * made->part / w->k));
}

static void write_row(struct regrained *w, const struct made *made, const struct tv_groups *merged,
		      const struct columns *to, uint32_t at)
{
	uint32_t v = w->dag->node_of_row[made->row], job, n;
	const uint32_t *member;

	if (v == TV_NONE)
		return;
	job = tv_dag_job(w->dag, v);
	member = merged->row + merged->first[v];
	n = merged->first[v + 1] - merged->first[v];
	write_times(w, made, member, n, to, at);
	if (made->part == JOIN) {
		for (uint32_t i = 0; i < w->k; i++)
			w->list[i] = name_part(w, job, i + 1);
		tv_set_list(to->depends, at, w->list, w->k);
		tv_set_text(to->kind, at, tv_kind_name(TV_GHOST));
	} else {
		write_dependencies(w, member, n, to->depends, at);
		write_submission(w, v, made->part == WHOLE ? 0 : made->part - 1, to, at);
	}
	if (job != TV_NONE)
		tv_set_label(to->job, at, made->part > WHOLE ? name_part(w, job, made->part) : job);
}

static void write_tasks(struct regrained *w, struct tv_trace *out)
{
	const struct tv_table *from = &w->tasks->trace->table[TV_TASKS];
	struct columns to;
	struct tv_groups merged;
	uint32_t n;
	struct made *made = list_rows(w, &n);

	TV_TRACE_COLUMNS(out, TV_TASKS, { "Start", &to.start }, { "End", &to.end },
			 { "JobId", &to.job }, { "DependsOn", &to.depends },
			 { "SubmitTime", &to.submit }, { "SubmitAfter", &to.after },
			 { "SubmitDelay", &to.delay }, { "Kind", &to.kind });
	tv_groups_init(&merged, w->into, w->dag->n, w->dag->n);
	for (uint32_t i = 0; i < n; i++)
		tv_table_add_row(&out->table[TV_TASKS]);
	for (size_t c = 0; c < TV_COUNT(kept); c++) {
		const struct tv_column *column = tv_table_find(from, kept[c]);
		struct tv_column *copy;

		if (column == NULL)
			continue;
		copy = tv_trace_column(out, TV_TASKS, kept[c]);
		for (uint32_t i = 0; i < n; i++)
			if (made[i].part != JOIN || strcmp(kept[c], "Value") == 0)
				tv_copy_cell(copy, i, column, made[i].row);
	}
	for (uint32_t i = 0; i < n; i++)
		write_row(w, &made[i], &merged, &to, i);
	tv_table_finish(&out->table[TV_TASKS]);
	tv_groups_release(&merged);
	tv_free(made);
}

/* All workers: of some, no task may be left. */
static void write_resources(const struct tv_tasks *tasks, struct tv_trace *out)
{
	struct tv_column *id, *type, *node;

	TV_TRACE_COLUMNS(out, TV_RESOURCES, { "ResourceId", &id }, { "ResourceType", &type },
			 { "Node", &node });
	for (uint32_t i = 0; i < tasks->nworkers; i++) {
		uint32_t row = tv_table_add_row(&out->table[TV_RESOURCES]);

		tv_set_label(id, row, tasks->workers[i].resource);
		tv_set_label(type, row, tasks->rtype[tasks->workers[i].rtype].label);
		tv_set_label(node, row, tasks->node[tasks->workers[i].node].label);
	}
	tv_table_finish(&out->table[TV_RESOURCES]);
}

static int make_trace(struct regrained *w, struct tv_trace *out, struct tv_error *err)
{
	*out = (struct tv_trace){ .pool = tv_pool_share(w->pool), .options = { .zero = "none" } };
	for (int i = 0; i < TV_NTABLES; i++)
		tv_table_init(&out->table[i], out->pool);
	write_tasks(w, out);
	write_resources(w->tasks, out);
	return tv_trace_complete(out, err);
}

/* ---- all ---- */

static int change(struct regrained *w, const char *text, struct tv_trace *out, struct tv_error *err)
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
		if (after_of(dag, v) != TV_NONE)
			w->awaited[dag->after[v]] = true;
	rc = find_fitting(w, text, err);
	if (rc == 0 && !w->split) {
		merge_chains(w, size);
		merge_siblings(w, size);
	}
	for (uint32_t v = 0; w->split && v < dag->n; v++)
		w->into[v] = v;
	find_mark(w);
	if (rc == 0)
		rc = submit_all(w, text, err);
	if (rc == 0)
		rc = make_trace(w, out, err);
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

static int regrain(struct tv_regrained *changed, struct tv_run *run, struct regrained *w,
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
	struct regrained w = { .tasks = &run->tasks, .pool = run->trace->pool, .only = TV_NONE };
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
	struct regrained w = { .tasks = &run->tasks,
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
