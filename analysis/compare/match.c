/* SPDX-License-Identifier: GPL-3.0-or-later */
/* match.c -- match the tasks of two runs by what they are. */
#include "analysis/compare/match.h"

#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"

const char *const tv_match_names[] = { "coordinates", "tag", "job" };
_Static_assert(TV_COUNT(tv_match_names) == TV_MATCH_WAYS, "a name for every way");

enum { NPARTS = 4 };

/* What a task must share with its partner, in labels of the first run's pool. */
struct key {
	int64_t part[NPARTS];
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

/* A label of a run as one of the first run; TV_NONE: missing, or a text that the first run lacks,
 * which is told apart by *known. */
static uint32_t translate(const struct matching *m, int run, uint32_t label, bool *known)
{
	uint32_t *to;

	*known = true;
	if (run == 0 || label == TV_NONE)
		return label;
	to = &m->translated[label];
	if (*to == 0)
		*to = tv_pool_find(m->run[0]->tasks.pool,
				   tv_pool_text(m->run[1]->tasks.pool, label),
				   tv_pool_length(m->run[1]->tasks.pool, label))
		    + 1;
	*known = *to != 0;
	return *to - 1;
}

static bool coordinates_of(const struct matching *m, int run, uint32_t row, struct key *key)
{
	static const char *const names[] = { "Iteration", "X", "Y" };
	bool any = false;

	for (size_t i = 0; i < TV_COUNT(names); i++) {
		const struct tv_column *c = m->coordinates[run] == NULL
						  ? NULL
						  : tv_table_find(m->coordinates[run], names[i]);
		bool has = c != NULL && !tv_missing(c, row);

		key->part[i + 1] = has ? c->i[row] : INT64_MIN;
		any = any || has;
	}
	return any;
}

/* Whether a task has such a key that the first run may have as well. */
static bool make_key(const struct matching *m, enum tv_match_way way, int run, uint32_t node,
		     struct key *key)
{
	const struct tv_dag *dag = m->match->dag[run];
	uint32_t row = dag->row[node], label = TV_NONE;
	bool known;

	*key = (struct key){ .node = node, .run = run };
	key->part[0] = translate(m, run, dag->tasks->value[row], &known);
	if (!known)
		return false;
	if (way == TV_BY_COORDINATES)
		return coordinates_of(m, run, row, key);
	if (way == TV_BY_JOB)
		label = tv_dag_job(dag, node);
	else if (m->tag[run] != NULL)
		label = tv_label(m->tag[run], row);
	key->part[1] = translate(m, run, label, &known);
	return known && label != TV_NONE;
}

static int by_parts(const void *a, const void *b)
{
	const struct key *x = a, *y = b;

	for (int i = 0; i < NPARTS; i++)
		if (x->part[i] != y->part[i])
			return x->part[i] < y->part[i] ? -1 : 1;
	return 0;
}

static int by_key(const void *a, const void *b)
{
	const struct key *x = a, *y = b;
	int order = by_parts(a, b);

	return order != 0	? order
	     : x->run != y->run ? x->run - y->run
				: (x->node > y->node) - (x->node < y->node);
}

static void match_by(struct matching *m, enum tv_match_way way)
{
	size_t n = 0;

	for (int run = 0; run < 2; run++)
		for (uint32_t v = 0; v < m->match->dag[run]->n; v++)
			if (m->match->dag[run]->task[v] && !m->taken[run][v]
			    && make_key(m, way, run, v, &m->key[n]))
				n++;
	if (n > 0)
		qsort(m->key, n, sizeof *m->key, by_key);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && by_parts(&m->key[i], &m->key[end]) == 0; end++)
			;
		if (end - i != 2 || m->key[i].run == m->key[i + 1].run)
			continue;
		m->match->partner[m->key[i].node] = m->key[i + 1].node;
		m->taken[0][m->key[i].node] = m->taken[1][m->key[i + 1].node] = true;
		m->match->by[way]++;
		m->match->nmatched++;
	}
}

/* Where tasks are known by nothing, the pass fails: then there are no coordinates. */
static const struct tv_table *find_coordinates(struct tv_run *run)
{
	struct tv_error none = { 0 };

	return tv_run_pass(run, "iterations", NULL, &none);
}

static int prepare(struct matching *m, struct tv_error *err)
{
	struct tv_match *match = m->match;

	for (int i = 0; i < 2; i++) {
		match->dag[i] = tv_run_dag(m->run[i], err);
		if (match->dag[i] == NULL)
			return -1;
		m->coordinates[i] = find_coordinates(m->run[i]);
		m->tag[i] = tv_table_find(&m->run[i]->trace->table[TV_TASKS], "Tag");
		for (uint32_t v = 0; v < match->dag[i]->n; v++)
			match->ntasks[i] += match->dag[i]->task[v];
		m->taken[i] = tv_alloc(match->dag[i]->n, sizeof *m->taken[i]);
	}
	m->translated = tv_alloc(tv_pool_count(m->run[1]->tasks.pool), sizeof *m->translated);
	m->key = tv_alloc((size_t)match->ntasks[0] + match->ntasks[1], sizeof *m->key);
	match->partner = tv_alloc(match->dag[0]->n, sizeof *match->partner);
	for (uint32_t v = 0; v < match->dag[0]->n; v++)
		match->partner[v] = TV_NONE;
	return 0;
}

int tv_match_init(struct tv_match *match, struct tv_run *const run[2], struct tv_error *err)
{
	struct matching m = { .match = match, .run = run };
	int rc;

	*match = (struct tv_match){ 0 };
	rc = prepare(&m, err);
	for (int way = 0; rc == 0 && way < TV_MATCH_WAYS; way++)
		match_by(&m, (enum tv_match_way)way);
	tv_free(m.taken[0]);
	tv_free(m.taken[1]);
	tv_free(m.translated);
	tv_free(m.key);
	return rc;
}

void tv_match_release(struct tv_match *match)
{
	tv_free(match->partner);
	*match = (struct tv_match){ 0 };
}
