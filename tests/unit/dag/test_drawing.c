/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_drawing.c -- layered drawings of random graphs: layers, edges and places. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/sample.h"

#include <igraph/igraph.h>

#include "dag/drawing.h"

/* The linker puts this in the place of igraph's function. */
static igraph_error_t failure;
#define ARGUMENTS \
	const igraph_t *graph, igraph_matrix_t *places, igraph_t *extended, \
		igraph_vector_int_t *original, const igraph_vector_int_t *layers, \
		igraph_real_t hgap, igraph_real_t vgap, igraph_integer_t maxiter, \
		const igraph_vector_t *weights
igraph_error_t __real_igraph_layout_sugiyama(ARGUMENTS);
igraph_error_t __wrap_igraph_layout_sugiyama(ARGUMENTS);

igraph_error_t __wrap_igraph_layout_sugiyama(ARGUMENTS)
{
	return failure != IGRAPH_SUCCESS
		     ? failure
		     : __real_igraph_layout_sugiyama(graph, places, extended, original, layers,
						     hgap, vgap, maxiter, weights);
}

enum { ROUNDS = 200, MOST = 24 };

struct plan {
	int n;
	bool ghost[MOST], chosen[MOST], edge[MOST][MOST]; /* edge[a][b]: b needs a, a < b */
};

static void draw_plan(struct plan *p, struct sample *s, uint64_t *seed)
{
	char csv[8192] = "ResourceId,Value,JobId,Kind,Start,End,DependsOn\n"
			 "CPU0,k,900,app,0,1,\n";

	*p = (struct plan){ .n = 1 + (int)unit_random(seed, MOST) };
	for (int v = 0; v < p->n; v++) {
		size_t at = strlen(csv);

		p->ghost[v] = unit_random(seed, 4) == 0;
		p->chosen[v] = !p->ghost[v] && unit_random(seed, 5) > 0;
		if (p->ghost[v])
			at += (size_t)snprintf(csv + at, sizeof csv - at, ",,%d,ghost,,,", v);
		else
			at += (size_t)snprintf(csv + at, sizeof csv - at, "CPU%d,k,%d,app,%d,%d,",
					       v, v, v, v + 1);
		for (int a = 0; a < v; a++) {
			p->edge[a][v] = unit_random(seed, 5) == 0;
			if (p->edge[a][v])
				at += (size_t)snprintf(csv + at, sizeof csv - at, "%d ", a);
		}
		snprintf(csv + at, sizeof csv - at, "\n");
	}
	sample_make(s, csv);
}

/* Through ghosts: what the drawing's edges are. */
static void close_ghosts(struct plan *p)
{
	for (int b = 0; b < p->n; b++)
		for (int g = b - 1; g >= 0; g--)
			for (int a = 0; p->ghost[g] && p->edge[g][b] && a < g; a++)
				p->edge[a][b] = p->edge[a][b] || p->edge[a][g];
}

static void random_graphs(void **state)
{
	uint64_t seed = unit_seed(31);

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		struct plan p;
		struct sample s;
		struct tv_drawing drawing;
		const struct tv_dag *dag;
		bool chosen[MOST + 1] = { false };
		int layer[MOST] = { 0 }, number[MOST + 1], n = 0;
		uint32_t edges = 0;

		draw_plan(&p, &s, &seed);
		close_ghosts(&p);
		dag = tv_run_dag(&s.run, &s.err);
		assert_non_null(dag);
		for (uint32_t v = 0; v < dag->n; v++) {
			number[v] = atoi(tv_pool_text(s.trace.pool, tv_dag_job(dag, v)));
			chosen[v] = number[v] < MOST && p.chosen[number[v]];
			n += chosen[v];
		}
		for (int b = 0; b < p.n; b++)
			for (int a = 0; a < b; a++)
				if (p.edge[a][b] && p.chosen[a] && p.chosen[b]) {
					edges++;
					layer[b] = layer[b] > layer[a] ? layer[b] : layer[a] + 1;
				}
		assert_int_equal(tv_drawing_init(&drawing, dag, chosen, &s.err), 0);
		assert_int_equal(drawing.n, n);
		assert_int_equal(drawing.nedges, edges);
		assert_true(drawing.nlines >= edges);
		for (uint32_t k = 0; k < drawing.n; k++) {
			assert_int_equal(lround(drawing.layer[k]), layer[number[drawing.node[k]]]);
			assert_true(drawing.place[k] >= 0 && drawing.place[k] <= drawing.height);
			for (uint32_t j = 0; j < k; j++)
				assert_true(fabs(drawing.layer[k] - drawing.layer[j]) > 0.5
					    || fabs(drawing.place[k] - drawing.place[j])
						       > 1 - 1e-6);
		}
		for (size_t k = 0; k < drawing.nlines; k++)
			assert_int_equal(lround(drawing.line[k].to[0] - drawing.line[k].from[0]),
					 1);
		tv_drawing_release(&drawing);
		sample_release(&s);
	}
}

static void failing_layout(void **state)
{
	static const char csv[] = "ResourceId,Value,JobId,Start,End,DependsOn\nCPU0,k,1,0,1,\n"
				  "CPU0,k,2,1,2,1\n";
	bool chosen[2] = { true, true };
	struct tv_drawing drawing;
	struct sample s;

	(void)state;
	sample_make(&s, csv);
	failure = IGRAPH_EGLP;
	assert_int_equal(tv_drawing_init(&drawing, tv_run_dag(&s.run, &s.err), chosen, &s.err), -1);
	failure = IGRAPH_SUCCESS;
	if (strncmp(s.err.text, "igraph cannot lay out the graph: ", 33) != 0)
		fail_msg("%s", s.err.text);
	sample_release(&s);
}

int main(void)
{
	static const struct CMUnitTest test[] = { cmocka_unit_test(random_graphs),
						  cmocka_unit_test(failing_layout) };

	return cmocka_run_group_tests(test, NULL, NULL);
}
