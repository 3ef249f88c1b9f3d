/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_chains.c -- deps, chain, paths and critical-path by hand and against brute force. */
#include <stdio.h>

#include "tests/unit/sample.h"

#define HEADER "ResourceId,Value,JobId,Kind,Start,End,DependsOn\n"

enum { MOST = 12, WORKERS = 3, ROUNDS = 3000 };

/*
 * Two nodes: 1 on node 0 sends m to 3 on node 1, which also waits for 2 there through a ghost.
 * m arrives at 14, 2 ended at 12, 1 at 10: the last dependency is 2, what 3 waited for is m.
 */
#define NODES \
	"ResourceId,Value,JobId,Kind,Start,End,DependsOn,SubmitTime\n" \
	"0_CPU0,a,1,app,0,10,,-1\n1_CPU0,a,2,app,2,12,,1\n" \
	",,9,ghost,,,2,\n,msg,m,message,11,14,1,\n" \
	"1_CPU0,b,3,app,16,20,9 m,\n0_CPU0,b,4,app,20,30,3 77,\n0_CPU0,init,5,setup,17,19,,\n"

static void by_hand(void **state)
{
	static const char *const all[] = { "id:3,4" };
	static const char *const deps[] = { "deps", NULL, NULL };
	static const char *const chain[] = { "last", "root" };
	struct sample s;

	(void)state;
	sample_make(&s, NODES);
	assert_string_equal(sample_pass(&s, "deps", all),
			    ",,,-1.000000,1.000000,,|,,,1.000000,1.000000,,|,,,,,,|,,,,,,|"
			    "2,dependency,,14.000000,2.000000,1 2,|"
			    "3,dependency,,20.000000,0.000000,3,|,,,,,,|");
	assert_string_equal(sample_pass(&s, "chain", chain),
			    ",,,,,|1,2,,,,root|,,,,,|,,,,,|1,1,2,dependency,4.000000,root|"
			    "1,0,3,dependency,0.000000,root|,,,,,|");
	assert_string_equal(sample_pass(&s, "critical-path", NULL),
			    "1,task,1,a,CPU,0_CPU0,0.000000,10.000000,10.000000,,,,,|"
			    "2,wait,m,msg,,,10.000000,11.000000,1.000000,dep,message,,,|"
			    "3,message,m,msg,,,11.000000,14.000000,3.000000,dep,,,,|"
			    "4,wait,3,b,CPU,1_CPU0,14.000000,16.000000,2.000000,message,runtime,,,|"
			    "5,task,3,b,CPU,1_CPU0,16.000000,20.000000,4.000000,message,,,,|"
			    "6,task,4,b,CPU,0_CPU0,20.000000,30.000000,10.000000,dep,,,,|");
	assert_string_equal(sample_pass(&s, "critical-path", deps),
			    sample_pass(&s, "critical-path", NULL));
	assert_int_equal(s.run.diagnostics.n, 2);
	sample_release(&s);
}

/* A message on the way to the last dependency is a step of its own, behind another message too. */
static void messages(void **state)
{
	static const char csv[] = HEADER
		"0_CPU0,a,1,app,0,10,\n,m,5,message,11,13,1\n,m,6,message,14,15,5\n"
		"1_CPU0,b,2,app,20,24,6\n1_CPU1,b,3,app,16,18,6\n1_CPU0,b,4,app,24,30,2 3\n";
	static const char *const depth1[] = { "type:B", "1" };
	static const char *const zero[] = { "last", "0" };
	struct sample s;

	(void)state;
	sample_make(&s, csv);
	assert_string_equal(sample_pass(&s, "deps", NULL),
			    ",,,,,,|,,,,,,|,,,,,,|1,dependency,6,15.000000,5.000000,,|"
			    "1,dependency,6,15.000000,1.000000,,|"
			    "2,dependency,,24.000000,0.000000,,|");
	assert_string_equal(sample_pass(&s, "chain", depth1),
			    "1,1,,,,1|1,0,1,,1.000000,1|1,0,5,,1.000000,1|"
			    "1,0,6,dependency,5.000000,1|1,0,6,dependency,1.000000,1|"
			    "1,0,2,dependency,0.000000,1|");
	/* Delays: 2 waited 10, 3 waited 6, 4 none; messages took 3 each time. Tasks: 22. */
	assert_string_equal(sample_pass(&s, "paths", depth1),
			    "1,1,3,4,2,0.000000,30.000000,22.000000,16.000000,"
			    "57.89473684210526,15.789473684210526,26.31578947368421,2 3 4|");
	assert_string_equal(sample_pass(&s, "paths", zero),
			    "1,0,1,1,0,24.000000,30.000000,6.000000,0.000000,100,0,0,4|");
	sample_release(&s);
}

/* Every cause of a wait, planted; both ways of following. */
static void causes(void **state)
{
	static const char csv[] = "ResourceId,Value,JobId,Kind,Start,End,DependsOn,SubmitTime\n"
				  "CPU0,a,1,app,0,10,,-5\n"
				  "CPU0,a,2,app,15,20,1,12.5\n" /* half of it not submitted */
				  "CPU1,init,3,setup,21,26,2,\n"
				  "CPU0,a,4,app,27,30,3,\n" /* released late, by a setup task */
				  "CPU0,init,5,setup,30,35,,\n"
				  "CPU0,a,6,app,36,40,4,\n" /* its worker was initializing */
				  "CPU0,a,7,app,42,50,6,\n" /* nothing else, or data */
				  "CPU1,b,8,app,41,55,,\n"
				  "CPU1,a,9,app,56,60,7,\n"; /* its worker did 8 */
	static const char *const deps[] = { "deps", NULL, NULL };
	/* fetches on CPU0, in 100 us: before 6, which other-task outlasts; before 7, 20 long */
	static const struct {
		const char *const *follow;
		const char *want;
		int fetch[2][2];
	} row[] = {
		{ NULL, "8w 8 9w 9 ", { { 0 } } },
		{ deps, "1 2w 2 4w 4 6w 6 7w 7 9w 9 ", { { 0 } } },
		{ deps, "1 2w 2 4w 4 6w 6 7w 7 9w 9 ", { { 290, 360 }, { 390, 411 } } },
		{ deps, "1 2w 2 4w 4 6w 6 7w 7 9w 9 ", { { 300, 360 }, { 411, 420 } } },
	};
	static const char *const cause[][5] = {
		{ "runtime", "runtime" },
		{ "not-submitted", "dependencies", "other-task", "runtime", "worker" },
		{ "not-submitted", "dependencies", "other-task", "data", "worker" },
		{ "not-submitted", "dependencies", "other-task", "runtime", "worker" },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		const struct tv_table *out;
		struct sample s;
		char got[200] = "";
		size_t waits = 0;

		sample_make(&s, csv);
		for (int f = 0; f < 2; f++)
			if (row[i].fetch[f][1] > 0)
				sample_fetch(&s, "CPU0", row[i].fetch[f][0] * 100000,
					     row[i].fetch[f][1] * 100000);
		out = tv_run_pass(&s.run, "critical-path", row[i].follow, &s.err);
		assert_non_null(out);
		for (uint32_t k = 0; k < out->nrows; k++) {
			size_t at = strlen(got), n;
			bool wait = !tv_missing(tv_table_find(out, "Cause"), k);

			snprintf(got + at, sizeof got - at, "%s%s ",
				 tv_string(tv_table_find(out, "JobId"), k, &n), wait ? "w" : "");
			if (wait)
				assert_string_equal(tv_string(tv_table_find(out, "Cause"), k, &n),
						    cause[i][waits++]);
		}
		assert_string_equal(got, row[i].want);
		sample_release(&s);
	}
}

/* The tasks that --tasks names: those at level 0. */
static void choices(void **state)
{
	static const char csv[] =
		"ResourceId,Value,JobId,Kind,Start,End,DependsOn,Outlier,SubmitTime\n"
		"CPU0,dgemm,1,app,0,10,,0,\nCPU0,DTRSM,2,app,10,20,1,1,\n"
		"CPU0,dsyrk,3,app,25,30,2,0,\nCPU1,dgemm,4,app,40,45,3,1,\n"
		"CPU1,dgemm,5,app,45,50,1,0,0\nCPU1,dgemm,5,app,60,65,1,0,0\n,,6,ghost,,,3,,\n";
	static const struct {
		const char *tasks, *want;
	} row[] = {
		{ "last", "5 5 " },
		{ "type:d*M,dsyrk", "1 2 3 4 5 5 " },
		{ "type:dtrsm", "2 " },
		{ "type:nothing", "" },
		{ "id:3,1", "1 3 " },
		{ "id:6", "--tasks: no task has the JobId '6', expected one of "
			  "the trace such as 1, 2, 3" },
		{ "id:1,77", "--tasks: no task has the JobId '77', expected one of the trace such "
			     "as 1, 2, 3" },
		{ "outlier", "2 4 " },
		{ "delayed:5", "3 4 5 5 " },
		{ "delayed:10ms", "4 5 5 " },
		{ "delayed:x", "--tasks: 'delayed:x', expected a time such as delayed:5 (ms) or "
			       "delayed:20us" },
		{ "before-idle:CPU0@0", "3 " },
		{ "before-idle:CPU0@22", "3 " },
		{ "before-idle:CPU0@25", "--tasks: 'before-idle:CPU0@25', no task of that resource "
					 "follows idle time at or after then" },
		{ "before-idle:CPU1@0", "4 " },
		{ "before-idle:CPU1@47", "5 5 " },
		{ "before-idle:CPU7@0", "--tasks: there is no worker 'CPU7' (did you mean "
					"'CPU0'?), expected one of CPU0, CPU1" },
		{ "before-idle:CPU1", "--tasks: 'before-idle:CPU1', expected RESOURCE@TIME such as "
				      "before-idle:CPU3@120" },
		{ "Start >= 40 and Value ~ gemm", "4 5 5 " },
		{ "Nowhere == 1",
		  "no column 'Nowhere', expected one of "
		  "ResourceId, Value, JobId, Kind, Start, End, DependsOn, Outlier, SubmitTime, "
		  "Duration, Node, ResourceType" },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		const char *const value[] = { row[i].tasks, "0" };
		struct sample s;
		const struct tv_table *out;
		char got[300] = "";

		sample_make(&s, csv);
		out = tv_run_pass(&s.run, "chain", value, &s.err);
		for (uint32_t k = 0; out != NULL && k < out->nrows; k++)
			if (!tv_missing(tv_table_find(out, "Distance"), k))
				snprintf(got + strlen(got), sizeof got - strlen(got), "%s ",
					 tv_pool_text(s.trace.pool, s.run.tasks.job[k]));
		assert_string_equal(out == NULL ? s.err.text : got, row[i].want);
		assert_int_equal(s.run.diagnostics.n, row[i].want[0] == '\0');
		sample_release(&s);
	}
}

static void refusals(void **state)
{
	static const struct {
		const char *pass, *value[3], *want;
	} row[] = {
		{ "chain",
		  { NULL, "-1" },
		  "error: --depth '-1', expected a whole number from 0 to 4294967294 or root" },
		{ "paths",
		  { NULL, "all" },
		  "error: --depth 'all', expected a whole number from 0 to 4294967294 or root" },
		{ "critical-path",
		  { "both", "observed" },
		  "error: --follow is about the observed chain, --durations about a path of the "
		  "graph: expected one of them" },
		{ "critical-path",
		  { "workers", NULL },
		  "error: --follow 'workers', expected both or deps" },
		{ "critical-path",
		  { NULL, "mean" },
		  "error: --durations 'mean', expected mean-fastest, minimum-fastest or observed" },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		struct sample s;

		sample_make(&s, NODES);
		assert_string_equal(sample_pass(&s, row[i].pass, row[i].value), row[i].want);
		assert_int_equal(s.err.status, TV_USAGE);
		sample_release(&s);
	}
}

/* Longest paths: by type where it is fastest, or as observed with the message. */
static void static_paths(void **state)
{
	static const struct {
		const char *weights, *want;
	} row[] = {
		{ "mean-fastest", "1,task,1,a,CPU,,0.000000,10.000000,10.000000,,,,,|"
				  "2,task,3,b,CPU,,10.000000,17.000000,7.000000,dep,,,,|"
				  "3,task,4,b,CPU,,17.000000,24.000000,7.000000,dep,,,,|" },
		{ "minimum-fastest", "1,task,1,a,CPU,,0.000000,10.000000,10.000000,,,,,|"
				     "2,task,3,b,CPU,,10.000000,14.000000,4.000000,dep,,,,|"
				     "3,task,4,b,CPU,,14.000000,18.000000,4.000000,dep,,,,|" },
		{ "observed", "1,task,1,a,CPU,0_CPU0,0.000000,10.000000,10.000000,,,,,|"
			      "2,message,m,msg,,,10.000000,13.000000,3.000000,dep,,,,|"
			      "3,task,3,b,CPU,1_CPU0,13.000000,17.000000,4.000000,message,,,,|"
			      "4,task,4,b,CPU,0_CPU0,17.000000,27.000000,10.000000,dep,,,,|" },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		const char *const value[] = { NULL, row[i].weights, NULL };
		struct sample s;

		sample_make(&s, NODES);
		sample_pass(&s, "critical-path", value);
		/* Without a message's weight 1 and 2 tie: the earliest listed is 9, hence 2. */
		if (i < 2)
			assert_memory_equal(s.got, "1,task,2", 8);
		else
			assert_string_equal(s.got, row[i].want);
		if (i < 2)
			assert_string_equal(s.got + 8, row[i].want + 8);
		sample_release(&s);
	}
}

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
	const char *const value[] = { workers ? "both" : "deps", NULL, NULL };
	const struct tv_table *out = tv_run_pass(&s->run, "critical-path", value, &s->err);
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
		sample_release(&s);
	}
}

int main(void)
{
	static const struct CMUnitTest test[] = {
		cmocka_unit_test(by_hand),	 cmocka_unit_test(messages),
		cmocka_unit_test(causes),	 cmocka_unit_test(choices),
		cmocka_unit_test(refusals),	 cmocka_unit_test(static_paths),
		cmocka_unit_test(random_graphs),
	};

	return cmocka_run_group_tests(test, NULL, NULL);
}
