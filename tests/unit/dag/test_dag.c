/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_dag.c -- the task graph against brute force and igraph. */
#include <stdio.h>

#include "tests/unit/sample.h"

#include <igraph.h>

#include "dag/dag.h"

enum { MOST = 14, ROUNDS = 400 };

#define HEADER "ResourceId,Value,JobId,Kind,Start,End,DependsOn\n"

static uint32_t node_named(const struct tv_dag *dag, const char *job)
{
	uint32_t label = tv_pool_find_text(dag->tasks->pool, job);

	for (uint32_t v = 0; v < dag->n; v++)
		if (tv_dag_job(dag, v) == label)
			return v;
	fail_msg("no job %s", job);
	return 0;
}

/* Executions, ghosts, repeated and dangling dependencies of one hand-made graph. */
static void jobs(void **state)
{
	static const char csv[] = HEADER "CPU0,a,1,app,0,10,7\n"
					 "CPU0,a,2,app,20,30,9 9 1\n"
					 "CPU1,a,2,app,15,25,1 77 77\n"
					 ",,9,ghost,,,1 88\n"
					 "CPU1,,,worker,,,\n"
					 "CPU0,b,,app,40,50,2\n"
					 "CPU0,b,,app,50,60,2\n";
	struct sample s;
	const struct tv_dag *dag;
	uint32_t two, last[8];

	(void)state;
	sample_make(&s, csv);
	dag = tv_run_dag(&s.run, &s.err);
	assert_non_null(dag);
	assert_ptr_equal(dag, tv_run_dag(&s.run, &s.err));
	assert_int_equal(dag->n, 5);
	assert_int_equal(dag->nedges, 5);
	assert_int_equal(dag->dangling, 3); /* 7, 77 and 88 */
	two = node_named(dag, "2");
	assert_int_equal(dag->node_of_row[1], two);
	assert_int_equal(dag->node_of_row[2], two);
	assert_int_equal(dag->node_of_row[4], TV_NONE);
	assert_int_equal(dag->row[two], 2);
	assert_int_equal(dag->start[two], 15000000);
	assert_int_equal(dag->end[two], 30000000);
	assert_int_equal(dag->first[two + 1] - dag->first[two], 2);
	assert_false(dag->task[node_named(dag, "9")]);
	assert_false(dag->timed[node_named(dag, "9")]);
	tv_dag_last(dag, last, NULL);
	assert_int_equal(last[two], node_named(dag, "1"));
	assert_int_equal(last[node_named(dag, "1")], TV_NONE);
	assert_int_equal(last[node_named(dag, "9")], TV_NONE);
	assert_int_equal(last[dag->node_of_row[6]], two);
	sample_release(&s);
}

static void ties(void **state)
{
	static const char csv[] = HEADER "CPU0,a,10,app,0,10,\n"
					 "CPU1,a,9,app,5,10,\n"
					 "CPU2,a,1,app,0,9,\n"
					 "CPU0,a,11,app,20,30,10 9 1\n";
	struct sample s;
	const struct tv_dag *dag;
	uint32_t last[4];

	(void)state;
	sample_make(&s, csv);
	dag = tv_run_dag(&s.run, &s.err);
	assert_non_null(dag);
	tv_dag_last(dag, last, NULL);
	assert_int_equal(last[3], node_named(dag, "9"));
	sample_release(&s);
}

/* A ring or a chain of n jobs: long paths must need no deep stack and no long message. */
static void long_paths(void **state)
{
	static const struct {
		uint32_t n;
		bool ring;
		const char *message;
	} row[] = {
		{ 1000000, false, NULL },
		{ 100000, true,
		  "the dependencies form a cycle of 100000 jobs: 0 -> 99999 -> "
		  "99998 -> 99997 -> 99996 -> 99995 -> 99994 -> 99993 -> 99992 -> 99991 -> "
		  "99990 -> 99989 -> ... -> 0 (each depends on the next)" },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		struct sample s;
		char *csv = NULL;
		size_t n;
		FILE *text = open_memstream(&csv, &n);

		fputs(HEADER, text);
		/* From the end, so that the first node visited is the deepest. */
		for (uint32_t v = row[i].n; v-- > 0;) {
			fprintf(text, "CPU0,a,%u,app,%u,%u,", v, v, v + 1);
			if (v > 0 || row[i].ring)
				fprintf(text, "%u", v > 0 ? v - 1 : row[i].n - 1);
			fputc('\n', text);
		}
		fclose(text);
		sample_make(&s, csv);
		free(csv);
		if (row[i].ring) {
			assert_null(tv_run_dag(&s.run, &s.err));
			assert_string_equal(s.err.text, row[i].message);
		} else {
			const struct tv_dag *dag = tv_run_dag(&s.run, &s.err);

			assert_non_null(dag);
			for (uint32_t k = 0; k < dag->n; k++)
				assert_int_equal(dag->order[k], dag->n - 1 - k);
		}
		sample_release(&s);
	}
}

/* A random graph: edge[a][b] = a depends on b. */
struct random_graph {
	uint32_t n;
	bool edge[MOST][MOST];
	bool ghost[MOST];
	int64_t end[MOST];
	double weight[MOST];
};

static void draw_graph(struct random_graph *g, uint64_t *seed, bool acyclic)
{
	uint32_t place[MOST];

	memset(g, 0, sizeof *g);
	g->n = 1 + (uint32_t)unit_random(seed, MOST);
	for (uint32_t v = 0; v < g->n; v++) {
		place[v] = (uint32_t)unit_random(seed, 1000) * MOST + v;
		g->ghost[v] = v > 0 && (uint32_t)unit_random(seed, 3) == 0;
		g->end[v] = 1 + (uint32_t)unit_random(seed, 6);
		g->weight[v] = (uint32_t)unit_random(seed, 5);
	}
	for (uint32_t a = 0; a < g->n; a++)
		for (uint32_t b = 0; b < g->n; b++)
			g->edge[a][b] = (!acyclic || place[b] < place[a])
				     && (uint32_t)unit_random(seed, acyclic ? 3 : 3 * g->n) == 0;
}

static void sample_graph(struct sample *s, const struct random_graph *g)
{
	char *csv = NULL;
	size_t n;
	FILE *text = open_memstream(&csv, &n);

	fputs(HEADER, text);
	for (uint32_t a = 0; a < g->n; a++) {
		if (g->ghost[a])
			fprintf(text, ",,%u,ghost,,,", a);
		else
			fprintf(text, "CPU0,a,%u,app,-%u,%d,", a, a, (int)g->end[a]);
		for (uint32_t b = 0; b < g->n; b++)
			if (g->edge[a][b])
				fprintf(text, "%u ", b);
		fputc('\n', text);
	}
	fclose(text);
	sample_make(s, csv);
	free(csv);
}

static void igraph_of(igraph_t *graph, const struct random_graph *g)
{
	assert_int_equal(igraph_empty(graph, g->n, IGRAPH_DIRECTED), 0);
	for (uint32_t a = 0; a < g->n; a++)
		for (uint32_t b = 0; b < g->n; b++)
			if (g->edge[a][b])
				assert_int_equal(igraph_add_edge(graph, b, a), 0);
}

static void random_cycles(void **state)
{
	uint64_t seed = unit_seed(20);
	uint32_t cyclic = 0;

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		struct random_graph g;
		struct sample s;
		igraph_t graph;
		igraph_bool_t is_dag;

		draw_graph(&g, &seed, false);
		sample_graph(&s, &g);
		igraph_of(&graph, &g);
		assert_int_equal(igraph_is_dag(&graph, &is_dag), 0);
		if ((tv_run_dag(&s.run, &s.err) != NULL) != is_dag)
			fail_msg("round %d: igraph says %d: %s", i, is_dag, s.err.text);
		cyclic += !is_dag;
		igraph_destroy(&graph);
		sample_release(&s);
	}
	assert_in_range(cyclic, ROUNDS / 10, ROUNDS - ROUNDS / 10);
}

static double longest_from(const struct random_graph *g, uint32_t v)
{
	double best = 0;

	for (uint32_t b = 0; b < g->n; b++)
		if (g->edge[v][b]) {
			double length = longest_from(g, b);

			best = length > best ? length : best;
		}
	return best + g->weight[v];
}

/* igraph: shortest path with negated weights, an edge weighing its end and a source before all. */
static double igraph_longest(const struct random_graph *g)
{
	igraph_t graph;
	igraph_vector_t weights;
	igraph_matrix_t distances;
	double best = 0;
	igraph_integer_t edges = 0;

	igraph_of(&graph, g);
	igraph_add_vertices(&graph, 1, NULL);
	igraph_vector_init(&weights, 0);
	igraph_matrix_init(&distances, 0, 0);
	for (uint32_t a = 0; a < g->n; a++)
		igraph_add_edge(&graph, g->n, a);
	for (edges = 0; edges < igraph_ecount(&graph); edges++)
		igraph_vector_push_back(&weights, -g->weight[IGRAPH_TO(&graph, edges)]);
	assert_int_equal(igraph_distances_bellman_ford(&graph, &distances, igraph_vss_1(g->n),
						       igraph_vss_all(), &weights, IGRAPH_OUT),
			 0);
	for (uint32_t a = 0; a <= g->n; a++)
		if (-MATRIX(distances, 0, a) > best)
			best = -MATRIX(distances, 0, a);
	igraph_vector_destroy(&weights);
	igraph_matrix_destroy(&distances);
	igraph_destroy(&graph);
	return best;
}

static void check_order(const struct tv_dag *dag, const struct random_graph *g)
{
	uint32_t place[MOST], edges = 0;

	for (uint32_t i = 0; i < dag->n; i++)
		place[i] = TV_NONE;
	for (uint32_t i = 0; i < dag->n; i++)
		place[dag->order[i]] = i;
	for (uint32_t a = 0; a < g->n; a++)
		for (uint32_t b = 0; b < g->n; b++) {
			edges += g->edge[a][b];
			if (g->edge[a][b])
				assert_true(place[b] < place[a] && place[a] < g->n);
		}
	assert_int_equal(edges, dag->nedges);
}

static void check_longest(const struct tv_dag *dag, const struct random_graph *g)
{
	uint32_t path[MOST], n;
	double best = 0, sum = 0;

	for (uint32_t v = 0; v < g->n; v++) {
		double length = longest_from(g, v);

		best = length > best ? length : best;
	}
	n = tv_dag_longest(dag, g->weight, NULL, path);
	assert_true(n >= 1);
	for (uint32_t i = 0; i < n; i++) {
		sum += g->weight[path[i]];
		assert_true(i == 0 || g->edge[path[i]][path[i - 1]]);
	}
	assert_true(sum == best && igraph_longest(g) == best);
}

/* The tasks that v depends on through ghosts, one better than the other kept in *best. */
static void collect_last(const struct random_graph *g, uint32_t v, uint32_t *best)
{
	for (uint32_t b = 0; b < g->n; b++) {
		if (!g->edge[v][b])
			continue;
		if (g->ghost[b])
			collect_last(g, b, best);
		else if (*best == TV_NONE || g->end[b] > g->end[*best]
			 || (g->end[b] == g->end[*best] && b < *best))
			*best = b;
	}
}

static void paint(uint32_t *color, uint32_t n, uint32_t from, uint32_t to)
{
	for (uint32_t v = 0; v < n; v++)
		if (color[v] == from)
			color[v] = to;
}

static void check_chains(const struct tv_dag *dag, const struct random_graph *g, uint64_t *seed)
{
	uint32_t last[MOST], color[MOST], component[MOST], n, seen = 0;
	uint32_t depth = (uint32_t)unit_random(seed, 5);
	bool from[MOST];

	tv_dag_last(dag, last, NULL);
	for (uint32_t v = 0; v < g->n; v++) {
		uint32_t best = TV_NONE;

		collect_last(g, v, &best);
		assert_int_equal(last[v], g->ghost[v] ? TV_NONE : best);
		from[v] = !g->ghost[v] && (uint32_t)unit_random(seed, 3) == 0;
		color[v] = TV_NONE;
	}
	if (depth == 4)
		depth = UINT32_MAX;
	for (uint32_t v = 0; v < g->n; v++) {
		if (from[v] && color[v] == TV_NONE)
			color[v] = v;
		for (uint32_t u = last[v], k = 0; from[v] && k < depth && u != TV_NONE; k++) {
			if (color[u] == TV_NONE)
				color[u] = color[v];
			paint(color, g->n, color[u], color[v]);
			u = last[u];
		}
	}
	n = tv_dag_merge(dag, last, from, depth, component);
	for (uint32_t v = 0; v < g->n; v++) {
		assert_int_equal(component[v] == TV_NONE, color[v] == TV_NONE);
		if (component[v] == TV_NONE)
			continue;
		assert_true(component[v] <= seen); /* numbered by their first node */
		seen += component[v] == seen;
		for (uint32_t u = 0; u < v; u++)
			if (color[u] != TV_NONE)
				assert_int_equal(component[u] == component[v],
						 color[u] == color[v]);
	}
	assert_int_equal(seen, n);
}

/* Without submissions a job is released when the last of the tasks before it ends. */
static void check_released(const struct tv_dag *dag, const struct random_graph *g)
{
	int64_t released[MOST];

	tv_dag_released(dag, released);
	for (uint32_t v = 0; v < g->n; v++) {
		uint32_t last = TV_NONE;

		collect_last(g, v, &last);
		assert_int_equal(released[v], last == TV_NONE ? INT64_MIN : g->end[last] * 1000000);
	}
}

/* Submission counts for what ran; a message holds until it ends, a ghost is passed through. */
static void submission_and_messages(void **state)
{
	struct sample s;
	int64_t released[6];
	const struct tv_dag *dag;

	(void)state;
	sample_make(&s, "ResourceId,Value,JobId,Kind,Start,End,DependsOn,SubmitTime\n"
			"CPU0,a,1,app,0,2,,-1\n"
			",m,2,message,2,5,1,\n"
			",g,3,ghost,,,2,4\n"
			"CPU0,b,4,app,6,7,3,1\n"
			"CPU0,b,5,app,8,9,1 3,6\n"
			"CPU1,b,6,app,0,1,,\n");
	dag = tv_run_dag(&s.run, &s.err);
	assert_non_null(dag);
	tv_dag_released(dag, released);
	assert_int_equal(released[node_named(dag, "1")], -1000000);
	assert_int_equal(released[node_named(dag, "2")], 2000000);
	assert_int_equal(released[node_named(dag, "3")], 5000000);
	assert_int_equal(released[node_named(dag, "4")], 5000000);
	assert_int_equal(released[node_named(dag, "5")], 6000000);
	assert_int_equal(released[node_named(dag, "6")], INT64_MIN);
	sample_release(&s);
}

/* What is asked of one node is what all have. Returns whether there was something to ask. */
static bool check_single(const struct tv_dag *dag)
{
	uint32_t last[MOST];
	struct tv_arrival how[MOST], one;
	int64_t released[MOST];

	if (!dag->are_rows || !tv_dag_arrives_at_once(dag))
		return false;
	tv_dag_arrivals(dag, last, how);
	tv_dag_released(dag, released);
	for (uint32_t v = 0; v < dag->n; v++) {
		assert_int_equal(tv_dag_arrival(dag, v, &one), last[v]);
		assert_true(last[v] == TV_NONE
			    || (one.time == how[v].time && one.kind == how[v].kind));
		assert_true(tv_dag_released_at(dag, NULL, v) == released[v]);
	}
	return true;
}

static void random_graphs(void **state)
{
	uint64_t seed = unit_seed(2018);
	int nsingle = 0;

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		struct random_graph g;
		struct sample s;
		const struct tv_dag *dag;

		draw_graph(&g, &seed, true);
		sample_graph(&s, &g);
		dag = tv_run_dag(&s.run, &s.err);
		assert_non_null(dag);
		check_order(dag, &g);
		check_longest(dag, &g);
		check_chains(dag, &g, &seed);
		check_released(dag, &g);
		nsingle += check_single(dag);
		sample_release(&s);
	}
	assert_true(nsingle > ROUNDS / 100);
}

int main(void)
{
	static const struct CMUnitTest test[] = {
		cmocka_unit_test(jobs),		 cmocka_unit_test(ties),
		cmocka_unit_test(long_paths),	 cmocka_unit_test(random_cycles),
		cmocka_unit_test(random_graphs), cmocka_unit_test(submission_and_messages),
	};

	return cmocka_run_group_tests(test, NULL, NULL);
}
