/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_chains.c -- deps, chain, paths and critical-path against brute force. */
#include <stdio.h>

#include "analysis/core/last.h"
#include "tests/unit/sample.h"

#define HEADER "ResourceId,Value,JobId,Kind,Start,End,DependsOn\n"

enum { MOST = 12, WORKERS = 3, ROUNDS = 3000 };

/* ---- against brute force ---- */

struct job {
	char kind; /* t(ask), m(essage), g(host) */
	uint32_t worker;
	int64_t start, end; /* ms */
	bool on[MOST];	    /* depends on */
};

struct graph {
	uint32_t n;
	struct job job[MOST];
	bool visited[MOST];
};

/* Times need not respect dependencies: damaged and skewed traces do not either. */
static void draw(struct graph *g, uint64_t *seed)
{
	memset(g, 0, sizeof *g);
	g->n = 1 + (uint32_t)unit_random(seed, MOST);
	for (uint32_t a = 0; a < g->n; a++) {
		struct job *j = &g->job[a];

		j->kind = a == 0 ? 't' : "tttmg"[unit_random(seed, 5)];
		j->worker = (uint32_t)unit_random(seed, WORKERS);
		j->start = (int64_t)unit_random(seed, 12);
		j->end = j->start + (int64_t)unit_random(seed, 5);
		for (uint32_t b = 0; b < a; b++)
			j->on[b] = unit_random(seed, 3) == 0;
	}
}

static void make(struct sample *s, const struct graph *g)
{
	char *csv = NULL;
	size_t n;
	FILE *text = open_memstream(&csv, &n);

	fputs(HEADER, text);
	for (uint32_t a = 0; a < g->n; a++) {
		const struct job *j = &g->job[a];

		if (j->kind == 't')
			fprintf(text, "CPU%u,a,%u,app,%d,%d,", j->worker, a, (int)j->start,
				(int)j->end);
		else if (j->kind == 'm')
			fprintf(text, ",a,%u,message,%d,%d,", a, (int)j->start, (int)j->end);
		else
			fprintf(text, ",a,%u,ghost,,,", a);
		for (uint32_t b = 0; b < a; b++)
			if (j->on[b])
				fprintf(text, "%u ", b);
		fputc('\n', text);
	}
	fclose(text);
	sample_make(s, csv);
	free(csv);
}

/* The latest node of these kinds that a depends on through others; TV_NONE if there is none. */
static uint32_t latest(const struct graph *g, uint32_t a, const char *kinds)
{
	uint32_t best = TV_NONE;

	for (uint32_t b = 0; b < a; b++) {
		uint32_t u = b;

		if (!g->job[a].on[b])
			continue;
		if (strchr(kinds, g->job[b].kind) == NULL)
			u = latest(g, b, kinds);
		if (u != TV_NONE
		    && (best == TV_NONE || g->job[u].end > g->job[best].end
			|| (g->job[u].end == g->job[best].end && u < best)))
			best = u;
	}
	return best;
}

static uint32_t before_on_worker(const struct graph *g, uint32_t a, int64_t by)
{
	uint32_t best = TV_NONE;

	for (uint32_t b = 0; b < g->n && g->job[a].kind == 't'; b++)
		if (g->job[b].kind == 't' && !g->visited[b] && g->job[b].worker == g->job[a].worker
		    && g->job[b].end <= by && (best == TV_NONE || g->job[b].end > g->job[best].end))
			best = b;
	return best;
}

/* Compares the chain from its end, row by row, with one found naively. */
static void check_observed(struct graph *g, struct sample *s, bool workers)
{
	const struct tv_table *out = tv_run_pass_with(&s->run, "critical-path", &s->err, "follow",
						      workers ? "both" : "deps", NULL);
	const int64_t *start = tv_table_find(out, "Start")->i, *end = tv_table_find(out, "End")->i;
	int64_t now = s->run.tasks.finish, sum = 0;
	uint32_t v = TV_NONE, row = out->nrows;

	memset(g->visited, 0, sizeof g->visited);
	for (uint32_t a = 0; a < g->n; a++)
		if (g->job[a].kind == 't' && (v == TV_NONE || g->job[a].end > g->job[v].end))
			v = a;
	while (v != TV_NONE) {
		uint32_t u = latest(g, v, "tm"), w;
		int64_t by;
		char job[12];
		size_t n;

		g->visited[v] = true;
		assert_true(row-- > 0);
		snprintf(job, sizeof job, "%u", v);
		assert_string_equal(tv_string(tv_table_find(out, "JobId"), row, &n), job);
		assert_int_equal(end[row], now < g->job[v].end * 1000000 ? now : end[row]);
		assert_true(start[row] <= end[row] && end[row] <= now);
		by = now = start[row];
		/* A wait before it. */
		if (row > 0
		    && strcmp(tv_string(tv_table_find(out, "Part"), row - 1, &n), "wait") == 0) {
			row--;
			assert_true(start[row] < end[row] && end[row] == now);
			now = start[row];
		}
		w = workers ? before_on_worker(g, v, by / 1000000) : TV_NONE;
		if (u != TV_NONE && g->visited[u])
			u = TV_NONE;
		v = w != TV_NONE && (u == TV_NONE || g->job[w].end > g->job[u].end) ? w : u;
	}
	assert_int_equal(row, 0);
	assert_int_equal(now, s->run.tasks.begin);
	for (row = 0; row < out->nrows; row++)
		sum += tv_table_find(out, "Duration")->i[row];
	assert_int_equal(sum, s->run.tasks.finish - s->run.tasks.begin);
}

/* Tasks that begin before their last dependency has ended; times are whole milliseconds. */
static void check_early(const struct graph *g, struct sample *s)
{
	const struct tv_dag *dag = tv_run_dag(&s->run, &s->err);
	const struct tv_early *early = tv_run_early(&s->run, dag);
	int64_t by = 0;
	uint32_t n = 0;

	for (uint32_t a = 0; a < g->n; a++) {
		uint32_t u = g->job[a].kind == 't' ? latest(g, a, "t") : TV_NONE;
		int64_t ahead = u == TV_NONE ? 0 : g->job[u].end - g->job[a].start;

		n += ahead > 0;
		by = ahead > by ? ahead : by;
	}
	assert_int_equal(early->n, n);
	assert_int_equal(n == 0 ? 0 : early->by, by * 1000000);
	assert_ptr_equal(tv_run_early(&s->run, dag), early);
}

/* Levels and paths of chains from random tasks; the delays of paths. */
static void check_chains(const struct graph *g, struct sample *s, uint64_t *seed)
{
	uint32_t depth = (uint32_t)unit_random(seed, 4), level[MOST], color[MOST];
	char tasks[80] = "id:", text[12];
	const char *const value[] = { tasks, text };
	const struct tv_table *chain, *paths;
	int64_t delay[MOST + 1] = { 0 };

	snprintf(text, sizeof text, "%u", depth);
	for (uint32_t a = 0; a < g->n; a++) {
		level[a] = color[a] = TV_NONE;
		if (g->job[a].kind == 't' && (a == 0 || unit_random(seed, 3) == 0)) {
			snprintf(tasks + strlen(tasks), sizeof tasks - strlen(tasks), "%s%u",
				 a > 0 ? "," : "", a);
			level[a] = 0;
			color[a] = a;
		}
	}
	/* Predecessors have smaller numbers. */
	for (uint32_t a = g->n; a-- > 0;) {
		uint32_t u = g->job[a].kind == 't' ? latest(g, a, "t") : TV_NONE, old;

		if (level[a] == TV_NONE || level[a] == depth || u == TV_NONE)
			continue;
		if (level[u] == TV_NONE || level[u] > level[a] + 1)
			level[u] = level[a] + 1;
		old = color[u];
		for (uint32_t b = 0; b < g->n; b++)
			if (b == u || (old != TV_NONE && color[b] == old))
				color[b] = color[a];
	}
	chain = tv_run_pass(&s->run, "chain", value, &s->err);
	paths = tv_run_pass(&s->run, "paths", value, &s->err);
	assert_true(chain != NULL && paths != NULL);
	for (uint32_t a = 0; a < g->n; a++) {
		const struct tv_column *path = tv_table_find(chain, "Path");
		uint32_t u = g->job[a].kind == 't' ? latest(g, a, "t") : TV_NONE;

		if (g->job[a].kind != 't')
			continue;
		assert_int_equal(tv_missing(path, a), level[a] == TV_NONE);
		if (level[a] == TV_NONE)
			continue;
		assert_int_equal(tv_table_find(chain, "Distance")->i[a], level[a]);
		for (uint32_t b = 0; b < a; b++)
			if (level[b] != TV_NONE && g->job[b].kind == 't')
				assert_int_equal(path->i[a] == path->i[b], color[a] == color[b]);
		if (level[a] < depth && u != TV_NONE && g->job[a].start > g->job[u].end)
			delay[path->i[a]] += g->job[a].start - g->job[u].end;
	}
	for (uint32_t p = 0; p < paths->nrows; p++) {
		const int64_t *got = tv_table_find(paths, "Delay")->i;

		assert_int_equal(got[p], delay[p + 1] * 1000000);
		assert_true(p == 0 || got[p] <= got[p - 1]);
	}
}

static void check_deps(const struct graph *g, struct sample *s)
{
	static const char *const all[] = { "Kind == app" };
	const struct tv_table *out = tv_run_pass(&s->run, "deps", all, &s->err);
	const struct tv_column *last, *list;

	assert_non_null(out);
	last = tv_table_find(out, "LastDependency");
	list = tv_table_find(out, "Dependencies");
	for (uint32_t a = 0; a < g->n; a++) {
		uint32_t u = latest(g, a, "t"), n;
		bool reached[MOST] = { false };
		char want[80] = "", got[80] = "";
		const uint32_t *label;
		size_t length;

		if (g->job[a].kind != 't')
			continue;
		assert_int_equal(u != TV_NONE ? atol(tv_string(last, a, &length)) : -1,
				 tv_missing(last, a) ? -1 : (long)u);
		/* Numbers fall along dependencies, so one sweep reaches all. */
		reached[a] = true;
		for (uint32_t b = a + 1; b-- > 0;)
			if (reached[b] && (b == a || g->job[b].kind != 't'))
				for (uint32_t c = 0; c < b; c++)
					reached[c] |= g->job[b].on[c];
		for (uint32_t b = 0; b < a; b++)
			if (reached[b] && g->job[b].kind == 't')
				snprintf(want + strlen(want), 8, "%u ", b);
		label = tv_list(list, a, &n);
		for (uint32_t i = 0; i < n; i++)
			snprintf(got + strlen(got), 8, "%s ",
				 tv_pool_text(s->trace.pool, label[i]));
		assert_string_equal(got, want);
	}
}

static void random_graphs(void **state)
{
	uint64_t seed = unit_seed(5151);

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		struct graph g;
		struct sample s;

		draw(&g, &seed);
		make(&s, &g);
		check_deps(&g, &s);
		check_chains(&g, &s, &seed);
		check_observed(&g, &s, true);
		check_observed(&g, &s, false);
		check_early(&g, &s);
		sample_release(&s);
	}
}

int main(void)
{
	static const struct CMUnitTest test[] = {
		cmocka_unit_test(random_graphs),
	};

	return cmocka_run_group_tests(test, NULL, NULL);
}
