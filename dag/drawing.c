/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drawing.c -- a layered drawing of a part of the task graph, by igraph. */
#include "dag/drawing.h"

#include "trace/alloc.h"

#ifndef TV_HAVE_IGRAPH

int tv_drawing_init(struct tv_drawing *drawing, const struct tv_dag *dag, const bool *chosen,
		    struct tv_error *err)
{
	(void)dag;
	(void)chosen;
	*drawing = (struct tv_drawing){ 0 };
	return tv_fail(err, "this traceviz was built without igraph (Debian: libigraph-dev), which "
			    "lays out graphs");
}

#else

#include <igraph.h>
#include <math.h>
#include <stdlib.h>

#include "trace/sorted.h"

/* For functions of igraph whose only possible failure is exhausted memory. */
static void check(igraph_error_t code)
{
	if (code != IGRAPH_SUCCESS)
		tv_memory_exhausted(0);
}

/* Edges between chosen tasks, as igraph takes them. */
struct chosen_edges {
	const struct tv_dag *dag;
	uint32_t *index; /* by node: place in drawing->node, TV_NONE = not chosen */
	uint32_t *seen;	 /* by node: the last one from which it was reached, plus one */
	uint32_t *stack;
	igraph_vector_int_t edges, layers, original;
	igraph_matrix_t places;
	igraph_t graph, extended;
};

/* Adds the edges into a chosen node, through what is no task. Returns one more than the last layer
 * before it. */
static igraph_integer_t add_edges(struct chosen_edges *work, uint32_t node)
{
	const struct tv_dag *dag = work->dag;
	igraph_integer_t layer = 0;
	uint32_t depth = 0;

	work->stack[depth++] = node;
	while (depth > 0) {
		uint32_t at = work->stack[--depth];

		for (uint32_t e = dag->first[at]; e < dag->first[at + 1]; e++) {
			uint32_t from = dag->pred[e], index = work->index[from];

			if (work->seen[from] == node + 1)
				continue;
			work->seen[from] = node + 1;
			if (!dag->task[from]) {
				work->stack[depth++] = from;
			} else if (index != TV_NONE) {
				igraph_integer_t next = VECTOR(work->layers)[index] + 1;

				check(igraph_vector_int_push_back(&work->edges, index));
				check(igraph_vector_int_push_back(&work->edges, work->index[node]));
				layer = next > layer ? next : layer;
			}
		}
	}
	return layer;
}

static void build(struct chosen_edges *work, struct tv_drawing *drawing, const bool *chosen)
{
	const struct tv_dag *dag = work->dag;

	for (uint32_t i = 0; i < dag->n; i++) {
		uint32_t v = dag->order[i];
		igraph_integer_t layer;

		work->index[v] = TV_NONE;
		if (!dag->task[v] || !chosen[v])
			continue;
		work->index[v] = drawing->n;
		layer = add_edges(work, v);
		check(igraph_vector_int_push_back(&work->layers, layer));
		if ((uint32_t)layer >= drawing->nlayers)
			drawing->nlayers = (uint32_t)layer + 1;
		drawing->node[drawing->n++] = v;
	}
	drawing->nedges = (uint32_t)(igraph_vector_int_size(&work->edges) / 2);
}

static int by_place(const void *a, const void *b, void *data)
{
	const igraph_matrix_t *places = data;
	igraph_integer_t x = *(const igraph_integer_t *)a, y = *(const igraph_integer_t *)b;

	for (int column = 1; column >= 0; column--) {
		double p = MATRIX(*places, x, column), q = MATRIX(*places, y, column);

		if (p < q || p > q)
			return p < q ? -1 : 1;
	}
	return TV_COMPARE(x, y);
}

/* igraph sometimes puts neighbors of a layer closer together than asked for, even on each other:
 * they move on. */
static void separate(igraph_matrix_t *places)
{
	igraph_integer_t n = igraph_matrix_nrow(places);
	igraph_integer_t *order = tv_alloc((size_t)n, sizeof *order);

	for (igraph_integer_t i = 0; i < n; i++)
		order[i] = i;
	qsort_r(order, (size_t)n, sizeof *order, by_place, places);
	for (igraph_integer_t i = 1; i < n; i++) {
		double *at = &MATRIX(*places, order[i], 0);

		if (lround(MATRIX(*places, order[i], 1))
		    == lround(MATRIX(*places, order[i - 1], 1)))
			*at = fmax(*at, MATRIX(*places, order[i - 1], 0) + 1);
	}
	tv_free(order);
}

static void read_places(const struct chosen_edges *work, struct tv_drawing *drawing)
{
	igraph_integer_t all = igraph_matrix_nrow(&work->places);
	double low = INFINITY, high = -INFINITY;

	for (igraph_integer_t i = 0; i < all; i++) {
		low = fmin(low, MATRIX(work->places, i, 0));
		high = fmax(high, MATRIX(work->places, i, 0));
	}
	drawing->height = high - low;
	for (uint32_t i = 0; i < drawing->n; i++) {
		drawing->layer[i] = MATRIX(work->places, i, 1);
		drawing->place[i] = MATRIX(work->places, i, 0) - low;
	}
	drawing->nlines = (size_t)igraph_ecount(&work->extended);
	drawing->line = tv_alloc(drawing->nlines, sizeof *drawing->line);
	for (size_t e = 0; e < drawing->nlines; e++) {
		igraph_integer_t a = IGRAPH_FROM(&work->extended, (igraph_integer_t)e);
		igraph_integer_t b = IGRAPH_TO(&work->extended, (igraph_integer_t)e);
		igraph_integer_t edge = VECTOR(work->original)[e];

		drawing->line[e] = (struct tv_drawing_line){
			{ MATRIX(work->places, a, 1), MATRIX(work->places, a, 0) - low },
			{ MATRIX(work->places, b, 1), MATRIX(work->places, b, 0) - low },
			{ (uint32_t)VECTOR(work->edges)[2 * edge],
			  (uint32_t)VECTOR(work->edges)[2 * edge + 1] },
		};
	}
}

/* Builds the graph and lays it out. The result is igraph's. */
static igraph_error_t draw(struct chosen_edges *work, struct tv_drawing *drawing,
			   const bool *chosen)
{
	igraph_error_t code;

	build(work, drawing, chosen);
	check(igraph_create(&work->graph, &work->edges, drawing->n, IGRAPH_DIRECTED));
	code = igraph_layout_sugiyama(&work->graph, &work->places, &work->extended, &work->original,
				      &work->layers, 1, 1, 100, NULL);
	if (code == IGRAPH_SUCCESS) {
		separate(&work->places);
		read_places(work, drawing);
		igraph_destroy(&work->extended);
	}
	igraph_destroy(&work->graph);
	return code;
}

int tv_drawing_init(struct tv_drawing *drawing, const struct tv_dag *dag, const bool *chosen,
		    struct tv_error *err)
{
	igraph_error_handler_t *handler = igraph_set_error_handler(igraph_error_handler_ignore);
	struct chosen_edges work = {
		.dag = dag,
		.index = tv_alloc(dag->n, sizeof *work.index),
		.seen = tv_alloc(dag->n, sizeof *work.seen),
		.stack = tv_alloc(dag->n, sizeof *work.stack),
	};
	igraph_error_t code;

	*drawing = (struct tv_drawing){
		.node = tv_alloc(dag->n, sizeof *drawing->node),
		.layer = tv_alloc(dag->n, sizeof *drawing->layer),
		.place = tv_alloc(dag->n, sizeof *drawing->place),
	};
	check(igraph_vector_int_init(&work.edges, 0));
	check(igraph_vector_int_init(&work.layers, 0));
	check(igraph_vector_int_init(&work.original, 0));
	check(igraph_matrix_init(&work.places, 0, 0));
	code = draw(&work, drawing, chosen);
	igraph_matrix_destroy(&work.places);
	igraph_vector_int_destroy(&work.original);
	igraph_vector_int_destroy(&work.layers);
	igraph_vector_int_destroy(&work.edges);
	igraph_set_error_handler(handler);
	tv_free(work.index);
	tv_free(work.seen);
	tv_free(work.stack);
	if (code == IGRAPH_SUCCESS)
		return 0;
	if (code == IGRAPH_ENOMEM)
		tv_memory_exhausted(0);
	tv_drawing_release(drawing);
	return tv_fail(err, "igraph cannot lay out the graph: %s", igraph_strerror(code));
}

#endif

void tv_drawing_release(struct tv_drawing *drawing)
{
	tv_free(drawing->node);
	tv_free(drawing->layer);
	tv_free(drawing->place);
	tv_free(drawing->line);
	*drawing = (struct tv_drawing){ 0 };
}
