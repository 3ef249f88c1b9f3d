/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_messages.c -- messages between nodes: what contradicts, and the tasks around random ones. */
#include <stdio.h>

#include "analysis/messages/message_list.h"
#include "tests/unit/sample.h"

#define HEAD "ResourceId,Value,Start,End,JobId,Kind,DependsOn,Node\n"

enum { MS = 1000000 };

/* a on node 0 is sent to node 1, where b uses it, and passed on to node 2. */
static const char relay[] = HEAD
	"0_C0,a,0,10,1,app,,0\n1_C0,b,25,30,2,app,r,1\n2_C0,c,40,50,3,app,q,2\n"
	"1_C0,b,0,5,4,app,,1\n2_C0,b,0,5,5,app,,2\n"
	",acquire,,,s,ghost,1,\n,send,12,22,m,message,s,\n"
	",release,,,r,ghost,m 4,\n,acquire,,,p,ghost,r,\n"
	",send,26,36,n,message,p,\n,release,,,q,ghost,n,\n";

/* Clocks that differ, links that lack something, a trace without messages. */
static void contradictions(void **state)
{
	const struct tv_messages *messages;
	struct sample s;

	(void)state;
	sample_make(&s, relay);
	assert_null(tv_run_some_messages(&s.run, "verb", &s.err));
	assert_non_null(strstr(s.err.text, "verb: the trace has no messages between nodes"));
	sample_release(&s);
	sample_make(&s, relay);
	sample_message(&s, "m", "0_mpict", "1_mpict", 12 * MS, 11 * MS, 1);
	sample_message(&s, "m", "0_mpict", "1_mpict", 12 * MS, 12 * MS, 1);
	sample_message(&s, "m", "0_mpict", "10_mpict", 12 * MS, 10 * MS, 1);
	sample_text(&s, TV_LINKS, 1, "Flag", "early");
	sample_message(&s, "m", "0_mpict", "2_mpict", 12 * MS, 13 * MS, 1);
	tv_table_finish(&s.trace.table[TV_LINKS]);
	messages = tv_run_messages(&s.run, &s.err);
	assert_non_null(messages);
	assert_ptr_equal(tv_run_messages(&s.run, &s.err), messages);
	assert_int_equal(messages->n, 4);
	assert_int_equal(messages->nearly, 3);
	assert_int_equal(messages->at[0].end, 12 * MS);
	assert_int_equal(messages->nnodes, 4);
	assert_string_equal(tv_pool_text(s.trace.pool, messages->node[3]), "10");
	assert_int_equal(messages->at[2].dest, 3);
	sample_release(&s);
	sample_make(&s, relay);
	sample_message(&s, "m", "0_mpict", "1_mpict", 12 * MS, 13 * MS, -1);
	assert_null(tv_run_messages(&s.run, &s.err));
	assert_string_equal(s.err.text, "links, row 1: Size -1, expected 0 or more bytes");
	sample_release(&s);
}

/* ---- producers and consumers against paths ---- */

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
		cmocka_unit_test(contradictions),
		cmocka_unit_test(tasks_around),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
