/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chains.c -- CPU seconds of a bare sweep over the task graph, of all last dependencies, and of
 * chains to the root from every job of the first one's type, merged by igraph; medians of nine
 * rounds: chains TASKS.csv */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "analysis/core/run.h"
#include "convert/formats.h"
#include "dag/dag.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The least that any use of the graph does: looks at every edge once. */
static int64_t sweep(const struct tv_dag *dag)
{
	int64_t latest = 0;

	for (uint32_t i = 0; i < dag->n; i++) {
		uint32_t v = dag->order[i];

		for (uint32_t k = dag->first[v]; k < dag->first[v + 1]; k++)
			if (dag->end[dag->pred[k]] > latest)
				latest = dag->end[dag->pred[k]];
	}
	return latest;
}

enum { SWEEP, LAST, MERGE, PARTS, ROUNDS = 9 };

static double median(double *value)
{
	qsort(value, ROUNDS, sizeof *value, tv_compare_double);
	return value[ROUNDS / 2];
}

static void report(const struct tv_dag *dag, int64_t latest, uint32_t ncomponents,
		   double spent[PARTS][ROUNDS])
{
	double bare = median(spent[SWEEP]), last = median(spent[LAST]),
	       merged = median(spent[MERGE]);

	printf("%u jobs, %u edges, latest %.3f ms: bare sweep %.4f s, last dependencies %.4f s, "
	       "%u merged chains %.4f s: %.1f sweeps, %.1f with last dependencies\n",
	       dag->n, dag->nedges, (double)latest / 1e6, bare, last, ncomponents, merged,
	       merged / bare, (last + merged) / bare);
}

static int measure(const struct tv_dag *dag)
{
	uint32_t *last = tv_alloc(dag->n, sizeof *last),
		 *component = tv_alloc(dag->n, sizeof *component);
	bool *from = tv_alloc(dag->n, sizeof *from);
	double spent[PARTS][ROUNDS];
	uint32_t ncomponents = 0;
	int64_t latest = 0;
	int rc = 0;

	for (uint32_t v = 0; v < dag->n && rc == 0; v++)
		from[v] = dag->task[v]
		       && dag->tasks->value[dag->row[v]] == dag->tasks->value[dag->row[0]];
	for (int i = 0; i < ROUNDS && rc == 0; i++) {
		spent[SWEEP][i] = -seconds();
		latest = sweep(dag);
		spent[SWEEP][i] += seconds();
		spent[LAST][i] = -seconds();
		tv_dag_last(dag, last, NULL);
		spent[LAST][i] += seconds();
		spent[MERGE][i] = -seconds();
		ncomponents = tv_dag_merge(dag, last, from, UINT32_MAX, component);
		spent[MERGE][i] += seconds();
	}
	if (rc == 0)
		report(dag, latest, ncomponents, spent);
	tv_free(last);
	tv_free(component);
	tv_free(from);
	return rc;
}

int main(int argc, char **argv)
{
	struct tv_error err = { 0 };
	struct tv_trace trace = { 0 };
	struct tv_run run = { 0 };
	const struct tv_dag *dag;
	int rc = -1;

	tv_trace_init(&trace, NULL);
	if (argc == 2 && tv_load(argv[1], &trace, NULL, NULL, &err) == 0) {
		tv_run_init(&run, &trace, 0);
		if ((dag = tv_run_dag(&run, &err)) != NULL)
			rc = measure(dag);
	}
	if (rc < 0)
		fprintf(stderr, "chains: %s\n", err.text);
	tv_run_release(&run);
	tv_trace_release(&trace);
	return rc == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
