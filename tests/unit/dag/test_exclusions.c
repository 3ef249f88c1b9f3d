/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_exclusions.c -- commuting accesses: what excludes what, and against brute force. */
#include <stdio.h>

#include "tests/unit/sample.h"

#include "dag/waits.h"
#include "trace/accesses.h"

enum { MOST = 14, HANDLES = 3, ROUNDS = 3000 };

/* What excludes what; the rest of the row is the same. */
static void cases(void **state)
{
	static const struct {
		const char *what, *rows;
		const char *want; /* "ROW<BEFORE ", rows from 0 */
	} c[] = {
		{ "modes that do not commute", "CPU0,1,0,1,h,RW\nCPU0,2,1,2,h,RW\n", "" },
		{ "write only", "CPU0,1,0,1,h,WC\nCPU0,2,1,2,h,RWC\n", "1<0 " },
		{ "a word with a C", "CPU0,1,0,1,h,CONCURRENT\nCPU0,2,1,2,h,CONCURRENT\n", "" },
		{ "one commutes", "CPU0,1,0,1,h,RWC\nCPU0,2,1,2,h,RW\n", "" },
		{ "another handle", "CPU0,1,0,1,h,RWC\nCPU0,2,1,2,g,RWC\n", "" },
		{ "another node", "0_CPU0,0_1,0,1,h,RWC\n1_CPU0,1_1,1,2,h,RWC\n", "" },
		{ "overlap", "CPU0,1,0,2,h,RWC\nCPU1,2,1,3,h,RWC\nCPU0,3,3,4,h,RWC\n", "2<1 " },
		{ "overlap, and one before",
		  "CPU0,1,0,1,h,RWC\nCPU0,2,1,3,h,RWC\nCPU1,3,2,4,h,RWC\n", "1<0 2<0 " },
		{ "two handles of one task", "CPU0,1,0,1,h g,RWC RWC\nCPU0,2,1,2,g h,RWC RWC\n",
		  "1<0 " },
		{ "two handles of two tasks",
		  "CPU0,1,0,1,h,RWC\nCPU1,2,0,2,g,RWC\nCPU0,3,2,3,g h,RWC RWC\n", "2<0 2<1 " },
		{ "a handle twice", "CPU0,1,0,1,h h,RWC RWC\nCPU0,2,1,2,h h,RWC RWC\n", "1<0 " },
		{ "at one instant", "CPU0,1,0,0,h,RWC\nCPU1,2,0,0,h,RWC\nCPU0,3,0,1,h,RWC\n",
		  "1<0 2<1 " },
		{ "a team",
		  "CPU0,1,0,1,h,RWC\nCPU0,2,1,3,h,RWC\nCPU1,2,1,3,h,RWC\n"
		  "CPU1,3,3,4,h,RWC\n",
		  "1<0 2<0 3<2 " },
		{ "several times, another between",
		  "CPU0,1,0,1,h,RWC\nCPU0,2,1,2,h,RWC\n"
		  "CPU0,1,2,3,h,RWC\nCPU0,1,4,5,h,RWC\nCPU0,3,5,6,h,RWC\n",
		  "1<0 2<1 3<1 4<3 " },
		{ "more modes than handles", "CPU0,1,0,1,h,RWC RWC\nCPU0,2,1,2,h g,RWC\n", "1<0 " },
		{ "nothing ran", ",1,,,h,RWC\nCPU0,2,1,2,h,RWC\n", "" },
		{ "jobs without a name", "CPU0,,0,1,h,RWC\nCPU0,,1,2,h,RWC\n", "1<0 " },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(c); i++) {
		struct tv_exclusions exclusions;
		char csv[600], got[100] = "";
		struct sample s;
		size_t n = 0;

		n = (size_t)snprintf(csv, sizeof csv,
				     "Value,ResourceId,JobId,Start,End,Handles,"
				     "Modes\n");
		for (const char *at = c[i].rows; *at != '\0'; at += strcspn(at, "\n") + 1)
			n += (size_t)snprintf(csv + n, sizeof csv - n, "a,%.*s\n",
					      (int)strcspn(at, "\n"), at);
		sample_make(&s, csv);
		tv_exclusions_init(&exclusions, &s.run.tasks);
		n = 0;
		for (size_t e = 0; e < exclusions.n; e++)
			n += (size_t)snprintf(got + n, sizeof got - n, "%u<%u ",
					      exclusions.at[e].row, exclusions.at[e].before);
		if (strcmp(got, c[i].want) != 0)
			fail_msg("%s: got '%s', want '%s'", c[i].what, got, c[i].want);
		tv_exclusions_release(&exclusions);
		sample_release(&s);
	}
}

/* A later execution of a job waits too, and one that goes on later excludes for its part only. */
static void several_executions(void **state)
{
	struct sample s;
	struct tv_waits waits;
	const struct tv_dag *dag;
	int64_t released[3];

	(void)state;
	sample_make(&s, "ResourceId,Value,JobId,Start,End,SubmitTime,Handles,Modes\n"
			"CPU0,a,1,0,2,-1,h,RWC\nCPU1,b,2,3,7,-1,h,RWC\n"
			"CPU0,a,1,8,9,-1,h,RWC\nCPU0,b,3,9,12,-1,h,RWC\n");
	dag = tv_run_dag(&s.run, &s.err);
	assert_non_null(dag);
	assert_int_equal(dag->nexclusions, 1); /* 3 after 1; 2 ran while 1 was not done */
	tv_dag_released(dag, released);
	assert_int_equal(released[0], -1000000);
	assert_int_equal(released[1], 2000000);
	assert_int_equal(released[2], 9000000);
	assert_int_equal(tv_waits_init(&waits, dag, true, &s.err), 0);
	assert_int_equal(waits.released[2], 7000000);
	tv_waits_release(&waits);
	sample_release(&s);
}

/* Random accesses, with overlaps, instants, teams and dependencies against time. */
struct drawn {
	uint32_t n, job[MOST];
	int64_t start[MOST], end[MOST];
	bool access[MOST][HANDLES], commutes[MOST][HANDLES], node[MOST], edge[MOST][MOST];
};

static void draw(struct drawn *d, uint64_t *seed)
{
	*d = (struct drawn){ .n = 2 + (uint32_t)unit_random(seed, MOST - 1) };
	for (uint32_t r = 0; r < d->n; r++) {
		d->job[r] = unit_random(seed, 5) == 0 ? (uint32_t)unit_random(seed, d->n) : r;
		d->start[r] = (int64_t)unit_random(seed, 12);
		d->end[r] = d->start[r] + (int64_t)unit_random(seed, 4);
		d->node[r] = unit_random(seed, 5) == 0;
		for (uint32_t h = 0; h < HANDLES; h++) {
			d->access[r][h] = unit_random(seed, 2);
			d->commutes[r][h] = unit_random(seed, 4) != 0;
		}
		for (uint32_t b = 0; b < r; b++) /* towards lower jobs, so never a cycle */
			d->edge[r][b] = d->job[b] < d->job[r] && unit_random(seed, 8) == 0;
	}
}

static void sample_drawn(struct sample *s, const struct drawn *d)
{
	char csv[8192];
	size_t n = (size_t)snprintf(csv, sizeof csv,
				    "ResourceId,Value,JobId,Start,End,DependsOn,"
				    "Handles,Modes\n");

	for (uint32_t r = 0; r < d->n; r++) {
		/* Every row on a worker of its own: no two executions are the same. */
		n += (size_t)snprintf(csv + n, sizeof csv - n, "%d_CPU%u,a,%u,%d,%d,", d->node[r],
				      r, d->job[r], (int)d->start[r], (int)d->end[r]);
		for (uint32_t b = 0; b < r; b++)
			if (d->edge[r][b])
				n += (size_t)snprintf(csv + n, sizeof csv - n, "%u ", d->job[b]);
		for (int modes = 0; modes < 2; modes++) {
			csv[n++] = ',';
			for (uint32_t h = 0; h < HANDLES; h++)
				if (d->access[r][h])
					n += (size_t)snprintf(
						csv + n, sizeof csv - n,
						modes ? d->commutes[r][h] ? "RWC " : "R " : "h%u ",
						h);
		}
		csv[n++] = '\n';
	}
	csv[n] = '\0';
	sample_make(s, csv);
}

/* Whether a let the handle go after b did, or is to be thought so. */
static bool is_later(const struct drawn *d, uint32_t a, uint32_t b)
{
	if (d->end[a] != d->end[b])
		return d->end[a] > d->end[b];
	return d->start[a] != d->start[b] ? d->start[a] > d->start[b] : a > b;
}

/* The definition, word by word. */
static uint32_t holder_before(const struct drawn *d, uint32_t r, uint32_t h)
{
	uint32_t best = TV_NONE;

	for (uint32_t q = 0; q < d->n && d->access[r][h] && d->commutes[r][h]; q++)
		if (d->access[q][h] && d->commutes[q][h] && d->job[q] != d->job[r]
		    && d->node[q] == d->node[r] && d->end[q] <= d->start[r] && is_later(d, r, q)
		    && (best == TV_NONE || is_later(d, q, best)))
			best = q;
	return best;
}

static void check_pairs(const struct drawn *d, const struct tv_tasks *tasks)
{
	struct tv_exclusions exclusions;
	bool want[MOST][MOST] = { { false } };
	size_t n = 0;

	tv_exclusions_init(&exclusions, tasks);
	for (uint32_t r = 0; r < d->n; r++)
		for (uint32_t h = 0; h < HANDLES; h++)
			if (holder_before(d, r, h) != TV_NONE)
				want[r][holder_before(d, r, h)] = true;
	for (uint32_t r = 0; r < d->n; r++)
		for (uint32_t q = 0; q < d->n; q++) {
			if (!want[r][q])
				continue;
			assert_true(n < exclusions.n);
			assert_int_equal(exclusions.at[n].row, r);
			assert_int_equal(exclusions.at[n].before, q);
			n++;
		}
	assert_int_equal(n, exclusions.n);
	tv_exclusions_release(&exclusions);
}

/* Without dependencies, and each job executed once, no edge is left out. */
static void check_edges(const struct drawn *d, const struct tv_dag *dag)
{
	bool edge[MOST][MOST] = { { false } };
	uint32_t n = 0;

	for (uint32_t r = 0; r < d->n; r++)
		for (uint32_t h = 0; h < HANDLES; h++) {
			uint32_t q = holder_before(d, r, h);

			n += q != TV_NONE && !edge[r][q];
			if (q != TV_NONE)
				edge[r][q] = true;
		}
	assert_int_equal(dag->nexclusions, n);
}

static void check_graph(const struct drawn *d, const struct tv_dag *dag)
{
	uint32_t place[MOST], last[MOST];
	int64_t released[MOST], want[MOST];
	struct tv_arrival how[MOST];

	if (dag->nedges == 0 && dag->n == d->n)
		check_edges(d, dag);
	for (uint32_t i = 0; i < dag->n; i++)
		place[dag->sequence[i]] = i;
	for (uint32_t v = 0; v < dag->n; v++) {
		want[v] = INT64_MIN;
		for (uint32_t k = 0; k < tv_dag_nbefore(dag, v); k++) {
			uint32_t u = tv_dag_before(dag, v, k);

			assert_true(place[u] < place[v]);
			assert_true(!tv_dag_excludes(dag, v, k) || dag->end[u] <= dag->start[v]);
			if (!tv_dag_excludes(dag, v, k) && dag->end[u] > want[v])
				want[v] = dag->end[u];
		}
	}
	for (uint32_t r = 0; r < d->n; r++)
		for (uint32_t h = 0; h < HANDLES; h++) {
			uint32_t q = holder_before(d, r, h), v = dag->node_of_row[r];

			if (q != TV_NONE && dag->start[v] == d->start[r] * 1000000
			    && d->end[q] * 1000000 > want[v])
				want[v] = d->end[q] * 1000000;
		}
	tv_dag_released(dag, released);
	tv_dag_last(dag, last, how);
	for (uint32_t v = 0; v < dag->n; v++) {
		assert_int_equal(released[v], want[v]);
		assert_true(last[v] != TV_NONE || how[v].kind == TV_DEPENDENCY);
		for (uint32_t k = 0; k < tv_dag_nbefore(dag, v); k++)
			assert_false(tv_dag_later(dag, tv_dag_before(dag, v, k), last[v])
				     && tv_dag_before(dag, v, k) != last[v]);
	}
}

static void random_accesses(void **state)
{
	uint64_t seed = unit_seed(2026);
	uint32_t edges = 0;

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		const struct tv_dag *dag;
		struct drawn d;
		struct sample s;

		draw(&d, &seed);
		sample_drawn(&s, &d);
		check_pairs(&d, &s.run.tasks);
		dag = tv_run_dag(&s.run, &s.err);
		if (dag == NULL)
			fail_msg("round %d: %s", i, s.err.text);
		check_graph(&d, dag);
		edges += dag->nexclusions;
		sample_release(&s);
	}
	assert_true(edges > ROUNDS);
}

int main(void)
{
	static const struct CMUnitTest test[] = {
		cmocka_unit_test(cases),
		cmocka_unit_test(several_executions),
		cmocka_unit_test(random_accesses),
	};

	return cmocka_run_group_tests(test, NULL, NULL);
}
