/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_network.c -- bounds with a network: against all paths, on valid schedules, all lines of the fit. */
#include <math.h>
#include <stdio.h>

#include "analysis/messages/network.h"
#include "tests/unit/sample.h"

#define HEAD "ResourceId,Value,Start,End,JobId,Kind,DependsOn,Node,Size\n"

enum { MS = 1000000 };

/* A warning that contains the text, or NULL. */
static const char *warning(const struct sample *s, const char *text)
{
	for (size_t i = 0; i < s->run.diagnostics.n; i++)
		if (strstr(s->run.diagnostics.at[i].text, text) != NULL)
			return s->run.diagnostics.at[i].text;
	return NULL;
}

/* Time in ns, and Nature, of a bound of the whole run. */
static int64_t bound_of(struct sample *s, const char *network, const char *durations,
			const char *bound, const char **nature)
{
	const struct tv_table *out = tv_run_pass_with(&s->run, "bounds", &s->err, "network",
						      network, "durations", durations, NULL);

	if (out == NULL)
		fail_msg("%s: %s", network, s->err.text);
	for (uint32_t row = 0; row < out->nrows; row++)
		if (tv_label(tv_table_find(out, "Bound"), row)
			    == tv_pool_find_text(out->pool, bound)
		    && tv_missing(tv_table_find(out, "Node"), row)) {
			if (nature != NULL)
				*nature = tv_pool_text(out->pool,
						       tv_label(tv_table_find(out, "Nature"), row));
			return tv_table_find(out, "Time")->i[row];
		}
	fail_msg("no row %s", bound);
	return 0;
}

/* ---- against all paths of random graphs ---- */

enum { JOBS = 11, ROUNDS = 3000, NODES = 3, LATENCY = 7 * MS };
enum what { APP, SETUP, GHOST, MESSAGE };

struct graph {
	int n;
	bool linked; /* links say where messages go */
	struct {
		enum what what;
		int from, to;	/* nodes; -1 = none */
		int time, size; /* ms; bytes, 1 us each, -1 = not known */
	} job[JOBS];
	bool edge[JOBS][JOBS]; /* [u][v]: v depends on u */
};

/* The ends of a message that no link gives are those of its neighbors, so these must agree. */
static bool agrees(const struct graph *g, int u, int v)
{
	if (g->linked || (g->job[u].what != MESSAGE && g->job[v].what != MESSAGE))
		return true;
	return g->job[u].to == g->job[v].from;
}

static void make_graph(struct graph *g, uint64_t *seed)
{
	*g = (struct graph){ .n = 3 + (int)unit_random(seed, JOBS - 2),
			     .linked = unit_random(seed, 2) == 0 };
	for (int v = 0; v < g->n; v++) {
		uint64_t kind = unit_random(seed, 8);

		g->job[v].what = v == 0 || kind < 3 ? APP
			       : kind < 4	    ? SETUP
			       : kind < 6	    ? GHOST
						    : MESSAGE;
		g->job[v].from = g->job[v].to = g->job[v].what == GHOST
						      ? -1
						      : (int)unit_random(seed, NODES);
		if (g->job[v].what == MESSAGE)
			g->job[v].to = (int)unit_random(seed, NODES);
		g->job[v].time = (int)unit_random(seed, 30);
		g->job[v].size = (int)unit_random(seed, 20) * 1000 - 1000;
		if (g->job[v].size < 0)
			g->job[v].size = -1;
		for (int u = 0; u < v; u++)
			g->edge[u][v] = unit_random(seed, 3) == 0 && agrees(g, u, v);
	}
}

static void make_sample(const struct graph *g, struct sample *s)
{
	char csv[8192] = HEAD "0_CPU0,z,0,0,z0,app,,0,\n1_CPU0,z,0,0,z1,app,,1,\n"
			      "2_CPU0,z,0,0,z2,app,,2,\n2_CPU0,z,0,0,z3,app,z2,2,\n";

	for (int v = 0; v < g->n; v++) {
		size_t at = strlen(csv);
		char deps[8 * JOBS] = "", size[20] = "";

		for (int u = 0; u < v; u++)
			if (g->edge[u][v])
				snprintf(deps + strlen(deps), sizeof deps - strlen(deps), "%sj%d",
					 deps[0] == '\0' ? "" : " ", u);
		if (g->job[v].size >= 0 && !g->linked)
			snprintf(size, sizeof size, "%d", g->job[v].size);
		if (g->job[v].what == APP || g->job[v].what == SETUP)
			snprintf(csv + at, sizeof csv - at, "%d_CPU0,t%d,%d,%d,j%d,%s,%s,%d,\n",
				 g->job[v].to, v, 100 * v, 100 * v + g->job[v].time, v,
				 g->job[v].what == APP ? "app" : "setup", deps, g->job[v].to);
		else if (g->job[v].what == MESSAGE)
			snprintf(csv + at, sizeof csv - at, ",m,%d,%d,j%d,message,%s,,%s\n",
				 100 * v, 100 * v + 50, v, deps, size);
		else
			snprintf(csv + at, sizeof csv - at, ",,,,j%d,ghost,%s,,\n", v, deps);
	}
	sample_make(s, csv);
	for (int v = 0; v < g->n && g->linked; v++) {
		char key[20], from[20], to[20];

		if (g->job[v].what != MESSAGE)
			continue;
		snprintf(key, sizeof key, "j%d", v);
		snprintf(from, sizeof from, "%d_mpict", g->job[v].from);
		snprintf(to, sizeof to, "%d_mpict", g->job[v].to);
		sample_message(s, key, from, to, 100 * v * MS, (100 * v + 50) * MS,
			       g->job[v].size < 0 ? 0 : g->job[v].size);
	}
}

struct all {
	const struct graph *g;
	int64_t best;
	bool crosses[JOBS][JOBS];
};

/* Every path on from v, of that length without v, with the data at `place`. */
static void walk(struct all *all, int before, int v, int place, int64_t length)
{
	const struct graph *g = all->g;

	if (g->job[v].what != GHOST && place != g->job[v].from) {
		all->crosses[before][v] = true;
		length += LATENCY;
	}
	if (g->job[v].what == APP)
		length += (int64_t)g->job[v].time * MS;
	if (g->job[v].what == MESSAGE && g->job[v].from != g->job[v].to)
		length += LATENCY + (g->job[v].size > 0 ? (int64_t)g->job[v].size * 1000 : 0);
	if (g->job[v].what != GHOST)
		place = g->job[v].to;
	if (g->job[v].what == APP && length > all->best)
		all->best = length;
	for (int next = v + 1; next < g->n; next++)
		if (g->edge[v][next])
			walk(all, v, next, place, length);
}

/* Without links the ends of a message are known only if something on that side has a node, ghosts
 * passed through; they are then the first one's. Here: whether all sides agree. */
static bool sides_agree(const struct graph *g, int m, int v, bool forward)
{
	for (int u = 0; u < g->n; u++) {
		if (!(forward ? g->edge[v][u] : g->edge[u][v]))
			continue;
		if (g->job[u].what == GHOST ? !sides_agree(g, m, u, forward)
		    : forward		    ? g->job[u].from != g->job[m].to
					    : g->job[u].to != g->job[m].from)
			return false;
	}
	return true;
}

static bool has_side(const struct graph *g, int v, bool forward)
{
	for (int u = 0; u < g->n; u++)
		if ((forward ? g->edge[v][u] : g->edge[u][v])
		    && (g->job[u].what == APP || g->job[u].what == SETUP
			|| (g->job[u].what == GHOST && has_side(g, u, forward))))
			return true;
	return false;
}

static bool is_clear(const struct graph *g)
{
	for (int v = 0; v < g->n && !g->linked; v++)
		if (g->job[v].what == MESSAGE
		    && !(sides_agree(g, v, v, true) && sides_agree(g, v, v, false)
			 && has_side(g, v, true) && has_side(g, v, false)))
			return false;
	return true;
}

static void every_path(void **state)
{
	uint64_t seed = unit_seed(20261122);
	int tried = 0, crossed = 0, unlinked = 0;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct graph g;
		struct all all = { .g = &g };
		unsigned long crossings = 0, warned = 0;
		const char *text;
		struct sample s;
		int64_t time;

		make_graph(&g, &seed);
		if (!is_clear(&g))
			continue;
		tried++;
		for (int v = 0; v < g.n; v++)
			if (g.job[v].what == APP)
				walk(&all, -1, v, g.job[v].from, 0);
		for (int k = 0; k < JOBS * JOBS; k++)
			crossings += all.crosses[k / JOBS][k % JOBS];
		make_sample(&g, &s);
		time = bound_of(&s, "latency=7,bandwidth=1MB/s", "mean", "cpe-network", NULL);
		if (time != all.best)
			fail_msg("round %d: %lld, but the longest path has %lld", round,
				 (long long)time, (long long)all.best);
		text = warning(&s, "cross nodes without");
		if (text != NULL)
			sscanf(text, "%lu", &warned);
		assert_int_equal(warned, crossings);
		assert_int_equal(
			bound_of(&s, "latency=0,bandwidth=inf", "mean", "cpe-network", NULL),
			bound_of(&s, "latency=0,bandwidth=inf", "mean", "cpe", NULL));
		crossed += crossings > 0;
		unlinked += !g.linked;
		sample_release(&s);
	}
	print_message("# %d graphs, %d with crossings, %d without links\n", tried, crossed,
		      unlinked);
	assert_true(tried > ROUNDS / 2 && crossed > 100 && unlinked > 100);
}

static void monotonic(void **state)
{
	uint64_t seed = unit_seed(7);

	(void)state;
	for (int round = 0; round < 200; round++) {
		int64_t time[3][3];
		struct graph g;
		struct sample s;

		make_graph(&g, &seed);
		make_sample(&g, &s);
		for (int i = 0; i < 3; i++)
			for (int k = 0; k < 3; k++) {
				char model[80];

				snprintf(model, sizeof model, "latency=%d,bandwidth=%dkB/s", 2 * i,
					 4000 >> k);
				time[i][k] = bound_of(&s, model, "mean", "cpe-network", NULL);
				assert_true(time[i][k] >= bound_of(&s, model, "mean", "cpe", NULL));
				assert_true(i == 0 || time[i][k] >= time[i - 1][k]);
				assert_true(k == 0 || time[i][k] >= time[i][k - 1]);
			}
		sample_release(&s);
	}
}

/* ---- valid schedules ---- */

enum { TASKS = 14, WORKERS = 2, TYPES = 3 };

/* Lists tasks in order: each starts when its worker is free and its data have arrived. Messages take
 * at least 2 ms and 1 us per byte; with slack often more. */
static void make_schedule(char *csv, size_t size, bool slack, uint64_t *seed)
{
	int64_t end[TASKS], arrival[TASKS][NODES], release[NODES][WORKERS] = { { 0 } };
	int node[TASKS], n = 4 + (int)unit_random(seed, TASKS - 3);
	size_t at = (size_t)snprintf(csv, size, HEAD);

	for (int v = 0; v < n; v++) {
		int worker = (int)unit_random(seed, WORKERS), type = (int)unit_random(seed, TYPES);
		int64_t start;
		char deps[20 * TASKS] = "";

		node[v] = (int)unit_random(seed, NODES);
		start = release[node[v]][worker];
		for (int k = 0; k < NODES; k++)
			arrival[v][k] = -1;
		for (int u = 0; u < v; u++) {
			int64_t *there = &arrival[u][node[v]];

			if (unit_random(seed, 3) > 0)
				continue;
			if (node[u] != node[v] && *there < 0) {
				int bytes = (int)unit_random(seed, 5) * 1000;
				int64_t sent = end[u] + (slack ? (int64_t)unit_random(seed, 4) : 0);

				*there = sent + 2 + bytes / 1000
				       + (slack ? (int64_t)unit_random(seed, 4) : 0);
				at += (size_t)snprintf(csv + at, size - at,
						       ",m,%lld,%lld,m%d_%d,message,j%d,,%d\n",
						       (long long)sent, (long long)*there, u,
						       node[v], u, bytes);
			}
			snprintf(deps + strlen(deps), sizeof deps - strlen(deps), "%s%c%d",
				 deps[0] == '\0' ? "" : " ", node[u] == node[v] ? 'j' : 'm', u);
			if (node[u] != node[v])
				snprintf(deps + strlen(deps), sizeof deps - strlen(deps), "_%d",
					 node[v]);
			start = node[u] == node[v] ? (end[u] > start ? end[u] : start)
			      : *there > start	   ? *there
						   : start;
		}
		end[v] = start + 5 * (type + 1) + (slack ? (int64_t)unit_random(seed, 6) : 0);
		release[node[v]][worker] = end[v];
		at += (size_t)snprintf(csv + at, size - at,
				       "%d_CPU%d,t%d,%lld,%lld,j%d,app,%s,%d,\n", node[v], worker,
				       type, (long long)start, (long long)end[v], v, deps, node[v]);
	}
}

static void schedules(void **state)
{
	uint64_t seed = unit_seed(404);
	int reached = 0, above = 0, tried = 0;

	(void)state;
	for (int round = 0; round < 2000; round++) {
		static const char model[] = "latency=2,bandwidth=1MB/s";
		const char *nature = "";
		int64_t time, makespan;
		char csv[8192];
		struct sample s;

		make_schedule(csv, sizeof csv, round % 2 == 0, &seed);
		sample_make(&s, csv);
		if (s.run.tasks.nnodes > 1 && s.run.tasks.depends != NULL
		    && s.run.tasks.depends->nitems > 0) {
			time = bound_of(&s, model, "minimum", "cpe-network", &nature);
			makespan = bound_of(&s, model, "minimum", "makespan", NULL);
			if (strcmp(nature, "bound") != 0 || time > makespan)
				fail_msg("round %d: %s %lld, makespan %lld\n%s", round, nature,
					 (long long)time, (long long)makespan, csv);
			tried++;
			reached += time == makespan;
			above += time > bound_of(&s, model, "minimum", "cpe", NULL);
		}
		sample_release(&s);
	}
	print_message("# %d schedules, %d as short as the bound, %d with one above cpe\n", tried,
		      reached, above);
	assert_true(tried > 1900 && reached > 100 && above > 1000);
}

/* ---- ports ---- */

enum { MESSAGES = TASKS * NODES };

/* A message at one end: it may take the port from release to until for `work` ns. */
struct load {
	int64_t release, until, work;
};

/* Whether some node of the graph before (or after) v is a task. */
static bool has_task(const struct tv_dag *dag, uint32_t v, bool before)
{
	bool *seen = tv_alloc(dag->n, sizeof *seen), grew = true, found = false;

	seen[v] = true;
	while (grew) {
		grew = false;
		for (uint32_t w = 0; w < dag->n; w++)
			for (uint32_t k = dag->first[w]; k < dag->first[w + 1]; k++) {
				uint32_t from = before ? w : dag->pred[k];
				uint32_t to = before ? dag->pred[k] : w;

				grew = grew || (seen[from] && !seen[to]);
				seen[to] = seen[to] || seen[from];
			}
	}
	for (uint32_t w = 0; w < dag->n; w++)
		found = found || (w != v && seen[w] && dag->task[w]);
	tv_free(seen);
	return found;
}

/* The messages of a node in one direction. Their names are m, the job that sends, _, the node that
 * receives. */
static int find_loads(struct load *load, struct tv_run *run, const struct tv_dag *dag, int node,
		      bool dest)
{
	const struct tv_column *job = tv_table_find(&run->trace->table[TV_TASKS], "JobId");
	const struct tv_column *size = tv_table_find(&run->trace->table[TV_TASKS], "Size");
	const struct tv_column *place = tv_table_find(&run->trace->table[TV_TASKS], "Node");
	int n = 0;

	for (uint32_t v = 0; v < dag->n; v++) {
		uint32_t row = dag->row[v];
		int to, from;

		if (!tv_dag_is_message(dag, v) || !has_task(dag, v, true)
		    || !has_task(dag, v, false))
			continue;
		to = atoi(strchr(tv_pool_text(dag->tasks->pool, tv_label(job, row)), '_') + 1);
		from = atoi(tv_pool_text(dag->tasks->pool,
					 tv_label(place, dag->row[dag->pred[dag->first[v]]])));
		if ((dest ? to : from) != node)
			continue;
		load[n++] = (struct load){ dag->start[v] + (dest ? 2 * MS : 0),
					   dag->end[v] - (dest ? 0 : 2 * MS), size->i[row] * 1000 };
	}
	return n;
}

/* One machine, with interruptions: possible if no interval contains more work than time. */
static bool can_carry(const struct load *load, int n)
{
	for (int a = 0; a < n; a++)
		for (int b = 0; b < n; b++) {
			int64_t work = 0;

			for (int i = 0; i < n; i++)
				if (load[i].release >= load[a].release
				    && load[i].until <= load[b].until)
					work += load[i].work;
			if (load[b].until >= load[a].release
			    && work > load[b].until - load[a].release)
				return false;
		}
	return true;
}

static void every_port(void **state)
{
	uint64_t seed = unit_seed(1205);
	int proven = 0, refuted = 0;

	(void)state;
	for (int round = 0; round < 1000; round++) {
		const struct tv_table *out;
		const struct tv_dag *dag;
		char csv[8192];
		struct sample s;

		make_schedule(csv, sizeof csv, round % 2 == 0, &seed);
		sample_make(&s, csv);
		dag = tv_run_dag(&s.run, &s.err);
		out = s.run.tasks.nnodes < 2 || s.run.tasks.depends->nitems == 0
			    ? NULL
			    : tv_run_pass_with(&s.run, "bounds", &s.err, "network",
					       "latency=2,bandwidth=1MB/s", NULL);
		for (uint32_t i = 0; out != NULL && i < s.run.tasks.nnodes; i++) {
			uint32_t label = s.run.tasks.node[i].label, row = 0;
			struct load load[MESSAGES];
			bool possible = true;
			int64_t time = 0;

			for (int dest = 0; dest < 2; dest++) {
				int n = find_loads(load, &s.run, dag,
						   atoi(tv_pool_text(out->pool, label)), dest);
				int64_t sum = n > 0 ? 2 * MS : 0;

				for (int k = 0; k < n; k++)
					sum += load[k].work;
				time = sum > time ? sum : time;
				possible = possible && can_carry(load, n);
			}
			while (row < out->nrows
			       && (tv_label(out->col[0], row) != label
				   || tv_label(out->col[1], row)
					      != tv_pool_find_text(out->pool, "port")))
				row++;
			if (row == out->nrows) {
				assert_int_equal(time, 0);
				continue;
			}
			assert_int_equal(tv_table_find(out, "Time")->i[row], time);
			assert_string_equal(tv_pool_text(out->pool, tv_label(out->col[2], row)),
					    possible ? "bound" : "estimate");
			proven += possible;
			refuted += !possible;
		}
		sample_release(&s);
	}
	print_message("# %d ports that could carry their messages, %d that could not\n", proven,
		      refuted);
	assert_true(proven > 500 && refuted > 100);
}

/* ---- the fit ---- */

/* Of all lines through two points, level through one, or from 0 through one: the highest sum that is
 * above no point. */
static void every_line(void **state)
{
	uint64_t seed = unit_seed(33);

	(void)state;
	for (int round = 0; round < 3000; round++) {
		uint32_t n = 1 + (uint32_t)unit_random(&seed, 8);
		struct tv_network_point point[8];
		struct tv_network got;
		double best = -1, sum = 0, mean = 0;

		for (uint32_t i = 0; i < n; i++) {
			point[i].size = (i == 0 ? 0 : point[i - 1].size + 1)
				      + (int64_t)unit_random(&seed, 5);
			point[i].time = 1
				      + (int64_t)(unit_random(&seed, 3) * (uint64_t)point[i].size
						  + unit_random(&seed, 20));
			mean += (double)point[i].size / n;
		}
		for (uint32_t k = 0; k < n * n + 2 * n; k++) {
			const struct tv_network_point *a = &point[k % n], *b = &point[k / n % n];
			double slope = 0, start = (double)a->time;
			bool below = true;

			if (k >= n * n + n) {
				if (a->size == 0)
					continue;
				slope = (double)a->time / (double)a->size;
				start = 0;
			} else if (k < n * n && a != b) {
				slope = (double)(b->time - a->time) / (double)(b->size - a->size);
				start -= slope * (double)a->size;
			}
			for (uint32_t i = 0; i < n; i++)
				below = below
				     && start + slope * (double)point[i].size
						< (double)point[i].time + 1e-9;
			if (below && slope >= 0 && start > -1e-9)
				best = fmax(best, start + slope * mean);
		}
		tv_network_fit(&got, point, n);
		assert_true(got.fitted && got.latency >= 0 && got.per_byte >= 0);
		for (uint32_t i = 0; i < n; i++)
			assert_true(got.latency + got.per_byte * (double)point[i].size
				    < (double)point[i].time + 1e-9);
		sum = got.latency + got.per_byte * mean;
		if (fabs(sum - best) > 1e-9)
			fail_msg("round %d: %.12f, but the best line has %.12f", round, sum, best);
	}
}

int main(void)
{
	static const struct CMUnitTest test[] = {
		cmocka_unit_test(every_path), cmocka_unit_test(monotonic),
		cmocka_unit_test(schedules),  cmocka_unit_test(every_port),
		cmocka_unit_test(every_line),
	};

	return cmocka_run_group_tests(test, NULL, NULL);
}
