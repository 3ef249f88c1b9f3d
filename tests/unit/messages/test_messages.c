/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_messages.c -- the tasks around random messages between nodes, against paths. */
#include <stdio.h>

#include "tests/unit/sample.h"

#define HEAD "ResourceId,Value,Start,End,JobId,Kind,DependsOn,Node\n"

enum { MS = 1000000 };

enum { JOBS = 14, ROUNDS = 3000 };
enum what { APP, GHOST, MESSAGE };

struct graph {
	int n;
	enum what what[JOBS];
	bool edge[JOBS][JOBS]; /* [u][v]: v depends on u */
};

static bool takes_message(const struct graph *g, int v)
{
	for (int u = 0; u < v; u++)
		if (g->edge[u][v] && g->what[u] == MESSAGE)
			return true;
	return false;
}

/* Whether the result of app task u is what v, no app task, has: on some path all between is none. */
static bool produces(const struct graph *g, int u, int v)
{
	/* of what messages brought, that alone */
	bool takes = takes_message(g, v);

	for (int k = u; k < v; k++) {
		if (!g->edge[k][v] || (takes && g->what[k] != MESSAGE))
			continue;
		if (k == u ? g->what[k] == APP : g->what[k] != APP && produces(g, u, k))
			return true;
	}
	return false;
}

/* Whether app task v uses what u, no app task, has. */
static bool uses(const struct graph *g, int v, int u, bool begin)
{
	for (int k = u + 1; k <= v; k++) {
		if (!g->edge[u][k] || g->what[k] == MESSAGE)
			continue;
		if (k == v && g->what[k] == APP)
			return true;
		if (g->what[k] == GHOST && (begin || !takes_message(g, k)) && uses(g, v, k, false))
			return true;
	}
	return false;
}

static void make_graph(struct graph *g, char *csv, size_t size, uint64_t *seed)
{
	size_t at = (size_t)snprintf(csv, size, HEAD);

	memset(g, 0, sizeof *g);
	g->n = 3 + (int)unit_random(seed, JOBS - 2);
	for (int v = 0; v < g->n; v++) {
		char deps[8 * JOBS] = "";

		g->what[v] = v == 0 ? APP : (enum what)unit_random(seed, 3);
		for (int u = 0; u < v; u++) {
			g->edge[u][v] = unit_random(seed, 4) == 0;
			if (g->edge[u][v])
				snprintf(deps + strlen(deps), sizeof deps - strlen(deps), "%sj%d",
					 deps[0] == '\0' ? "" : " ", u);
		}
		if (g->what[v] == APP)
			at += (size_t)snprintf(csv + at, size - at, "C%d,a,%d,%d,j%d,app,%s,0\n", v,
					       10 * v, 10 * v + 9, v, deps);
		else if (g->what[v] == MESSAGE)
			at += (size_t)snprintf(csv + at, size - at, ",m,%d,%d,j%d,message,%s,\n",
					       10 * v, 10 * v + 9, v, deps);
		else
			at += (size_t)snprintf(csv + at, size - at, ",g,,,j%d,ghost,%s,\n", v,
					       deps);
	}
}

static void list(const struct graph *g, int m, bool consumers, char *out, size_t size)
{
	out[0] = '\0';
	for (int v = 0; v < g->n; v++)
		if (g->what[v] == APP && (consumers ? uses(g, v, m, true) : produces(g, v, m)))
			snprintf(out + strlen(out), size - strlen(out), "%sj%d",
				 out[0] == '\0' ? "" : " ", v);
}

static void tasks_around(void **state)
{
	uint64_t seed = unit_seed(20261122);
	int found = 0;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		char csv[4096], want[200], got[200];
		const struct tv_table *table;
		struct graph g;
		struct sample s;
		int n = 0;

		make_graph(&g, csv, sizeof csv, &seed);
		sample_make(&s, csv);
		for (int v = 0; v < g.n; v++) {
			snprintf(got, sizeof got, "j%d", v);
			if (g.what[v] == MESSAGE)
				sample_message(&s, got, "0_m", "1_m", 10 * v * MS,
					       (10 * v + 9) * MS, v);
			n += g.what[v] == MESSAGE;
		}
		table = n > 0 ? tv_run_pass_with(&s.run, "messages", &s.err, NULL) : NULL;
		for (uint32_t row = 0; table != NULL && row < table->nrows; row++) {
			int m = atoi(tv_table_text(table, "Key", row) + 1);

			for (int consumers = 0; consumers < 2; consumers++) {
				list(&g, m, consumers, want, sizeof want);
				tv_cell_text(
					tv_table_find(table, consumers ? "Consumers" : "Producer"),
					row, got, sizeof got);
				if (strcmp(got, want) != 0)
					fail_msg("j%d, %s: %s, expected %s\n%s", m,
						 consumers ? "consumers" : "producers", got, want,
						 csv);
				found += want[0] != '\0';
			}
		}
		assert_true(n == 0 || table->nrows == (uint32_t)n);
		sample_release(&s);
	}
	assert_true(found > ROUNDS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tasks_around),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
