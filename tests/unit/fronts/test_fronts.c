/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_fronts.c -- tree, tree-usage, active-nodes, node-memory on random factorizations: against
 * the tree that they were made from, and against asking every nanosecond. */
#include <math.h>
#include <stdio.h>

#include "tests/unit/sample.h"

enum { ROUNDS = 1500, FRONTS = 7, TASKS = 80, WORKERS = 3, LENGTH = 2000 };

enum role { COMPUTE, SUBTREE, INIT, ASSEMBLE, CLEAN };

struct task {
	enum role role;
	int front, worker, start, end, submit, memory;
	bool setup;
	bool needs[TASKS];
};

struct plan {
	int nfronts, parent[FRONTS], number[FRONTS];
	bool pruned[FRONTS];
	int first[FRONTS]; /* its first task */
	int last[FRONTS];  /* its last computing task */
	int gives[FRONTS]; /* the task that its parent waits for */
	bool child_tags;   /* assemblies are tagged with the child */
	struct task task[TASKS];
	int ntasks, begin, finish;
};

static int add_task(struct plan *p, enum role role, int front)
{
	p->task[p->ntasks] = (struct task){ .role = role, .front = front };
	return p->ntasks++;
}

static void draw_tree(struct plan *p, uint64_t *seed)
{
	*p = (struct plan){ .nfronts = 1 + (int)unit_random(seed, FRONTS) };
	p->child_tags = unit_random(seed, 2);
	for (int f = 0; f < p->nfronts; f++) {
		bool leaf = true, taken;
		int up = p->nfronts - 1 - f;

		p->parent[f] = up == 0 || unit_random(seed, 8) == 0
				     ? -1
				     : f + 1 + (int)unit_random(seed, (uint64_t)up);
		for (int c = 0; c < f; c++)
			leaf = leaf && p->parent[c] != f;
		p->pruned[f] = leaf && unit_random(seed, 2);
		do {
			p->number[f] = 1 + (int)unit_random(seed, 40);
			taken = false;
			for (int c = 0; c < f; c++)
				taken = taken || p->number[c] == p->number[f];
		} while (taken);
	}
}

/* What a child gives, and its end; perhaps also what it has not computed with. */
static void draw_assembly(struct plan *p, int f, int c, int init, uint64_t *seed)
{
	int assembly = add_task(p, ASSEMBLE, p->child_tags ? c : f);
	struct task *task = &p->task[assembly];

	task->needs[p->gives[c]] = true;
	if (init >= 0)
		task->needs[init] = true;
	if (assembly > p->first[f] && unit_random(seed, 2)) /* into the same block */
		task->needs[assembly - 1] = true;
	for (int b = p->first[c]; b < p->last[c]; b++)
		if (p->task[b].role == ASSEMBLE && unit_random(seed, 3) == 0)
			task->needs[b] = true;
	for (int k = (int)unit_random(seed, 4); k > 0; k--) {
		int clean = add_task(p, CLEAN, c);

		p->task[clean].needs[assembly] = p->task[clean].needs[p->last[c]] = true;
		p->task[clean].needs[clean - 1] = true;
		p->task[clean].memory = -(int)unit_random(seed, 5);
	}
}

/* The tasks of a front, what its children give it before them. */
static void draw_front(struct plan *p, int f, uint64_t *seed)
{
	int first = p->ntasks, init = -1, n = 1 + (int)unit_random(seed, 3);

	p->first[f] = first;
	if (p->pruned[f]) {
		p->gives[f] = p->last[f] = add_task(p, SUBTREE, f);
		p->task[p->last[f]].memory = (int)unit_random(seed, 9);
		return;
	}
	if (unit_random(seed, 4) > 0) {
		init = add_task(p, INIT, f);
		p->task[init].memory = (int)unit_random(seed, 9);
		p->task[init].setup = unit_random(seed, 3) == 0;
	}
	for (int c = 0; c < f; c++)
		if (p->parent[c] == f)
			draw_assembly(p, f, c, init, seed);
	p->gives[f] = -1;
	for (int k = 0; k < n; k++) {
		int t = add_task(p, COMPUTE, f);

		for (int b = first; b < t; b++)
			p->task[t].needs[b] = p->task[b].role != CLEAN
					   && (k == n - 1 || unit_random(seed, 2));
		p->last[f] = t;
		/* A copy between computing tasks may be all that the parent takes. */
		if (k + 2 == n && unit_random(seed, 2)) {
			p->gives[f] = add_task(p, ASSEMBLE, f);
			for (int b = first; b < p->gives[f]; b++)
				p->task[p->gives[f]].needs[b] = p->task[b].role != CLEAN;
		}
	}
	if (p->gives[f] < 0)
		p->gives[f] = p->last[f];
}

/* The computing of a front ends after that of its descendants. */
static bool ends_after(const struct plan *p, int t, int b)
{
	int up = p->task[b].front;

	if (p->last[p->task[t].front] != t || b != p->last[up])
		return false;
	while (up >= 0 && up != p->task[t].front)
		up = p->parent[up];
	return up >= 0;
}

static void draw_times(struct plan *p, uint64_t *seed)
{
	int idle[WORKERS] = { 0 };

	p->begin = LENGTH;
	for (int t = 0; t < p->ntasks; t++) {
		struct task *task = &p->task[t];
		int other = (int)unit_random(seed, (uint64_t)t + 1);

		task->worker = (int)unit_random(seed, WORKERS);
		task->start = idle[task->worker] + (int)unit_random(seed, 3);
		for (int b = 0; b < t; b++)
			if ((task->needs[b] || ends_after(p, t, b)) && p->task[b].end > task->start)
				task->start = p->task[b].end;
		task->end = idle[task->worker] = task->start + 1 + (int)unit_random(seed, 6);
		/* Submitted in any order. */
		task->submit = t;
		task->submit = p->task[other].submit;
		p->task[other].submit = t;
		if (!task->setup && task->start < p->begin)
			p->begin = task->start;
		if (!task->setup && task->end > p->finish)
			p->finish = task->end;
	}
	assert_true(p->finish < LENGTH);
}

static void print(const struct plan *p, char *csv, size_t size, bool parents, bool column)
{
	static const char *const names[] = { "tpmqrt", "do_subtree", "init_front", "block_extadd",
					     "clean_front" };
	size_t at = (size_t)snprintf(csv, size,
				     "ResourceId,Value,Start,End,JobId,Kind,SubmitTime,"
				     "%s,GFlop,DependsOn%s\n",
				     column ? "ANode" : "Tag", parents ? ",ANodeParent" : "");

	for (int t = 0; t < p->ntasks; t++) {
		const struct task *task = &p->task[t];
		int up = p->parent[task->front];
		double gflop = task->role == COMPUTE ? task->end - task->start
						     : task->memory / 1024.0;
		char node[40];

		if (column)
			snprintf(node, sizeof node, "%d", p->number[task->front]);
		else
			snprintf(node, sizeof node, "%08x%08x", (unsigned)t,
				 (unsigned)p->number[task->front]);

		at += (size_t)snprintf(
			csv + at, size - at, "CPU%d,%s,0.%06d,0.%06d,%d,%s,%d,%s,%.17g,",
			task->worker, names[task->role], task->start, task->end, t,
			task->setup ? "setup" : "app", task->submit - TASKS, node, gflop);
		for (int b = 0; b < t && !parents; b++)
			if (task->needs[b])
				at += (size_t)snprintf(csv + at, size - at, "%d ", b);
		if (parents && up >= 0)
			at += (size_t)snprintf(csv + at, size - at, ",%d\n", p->number[up]);
		else
			at += (size_t)snprintf(csv + at, size - at, parents ? ",\n" : "\n");
	}
	assert_true(at < size);
}

static int64_t cell(const struct tv_table *table, const char *name, uint32_t row)
{
	return tv_table_find(table, name)->i[row];
}

static uint32_t row_of(const struct tv_table *tree, const struct plan *p, int f)
{
	uint32_t row = 0;

	while (row < tree->nrows && cell(tree, "ANode", row) != p->number[f])
		row++;
	assert_true(row < tree->nrows);
	return row;
}

static bool computes(const struct task *task)
{
	return task->role == COMPUTE || task->role == SUBTREE;
}

/* When the first computing task of a front was submitted. */
static int submitted(const struct plan *p, int f)
{
	int first = TASKS;

	for (int t = 0; t < p->ntasks; t++)
		if (p->task[t].front == f && computes(&p->task[t]) && p->task[t].submit < first)
			first = p->task[t].submit;
	return first;
}

/* Numbers the subtree of f in post-order; f = -1: all of them. */
static int visit(const struct plan *p, int f, int next, int *position)
{
	int after = -1;

	for (;;) {
		int best = -1;

		for (int c = 0; c < p->nfronts; c++)
			if (p->parent[c] == f && !(p->pruned[c] && f >= 0)
			    && submitted(p, c) > after
			    && (best < 0 || submitted(p, c) < submitted(p, best)))
				best = c;
		if (best < 0)
			break;
		after = submitted(p, best);
		next = visit(p, best, next, position);
	}
	if (f >= 0)
		position[f] = ++next;
	return next;
}

static int owner(const struct plan *p, int f)
{
	return p->pruned[f] && p->parent[f] >= 0 ? p->parent[f] : f;
}

static void check_tree(const struct plan *p, const struct tv_table *tree)
{
	int position[FRONTS];

	assert_int_equal(tree->nrows, p->nfronts);
	visit(p, -1, 0, position);
	for (int f = 0; f < p->nfronts; f++) {
		uint32_t row = row_of(tree, p, f);
		int depth = 0, order = 1, start = LENGTH, end = 0, tasks = 0, busy = 0, memory = 0;
		int own = owner(p, f), first = LENGTH, last = 0;

		for (int up = p->parent[f]; up >= 0; up = p->parent[up])
			depth++;
		for (int g = 0; g < p->nfronts; g++)
			order += owner(p, g) == g && submitted(p, g) < submitted(p, own);
		for (int t = 0; t < p->ntasks; t++) {
			const struct task *task = &p->task[t];

			if (task->front != f)
				continue;
			start = task->start < start ? task->start : start;
			end = task->end > end ? task->end : end;
			first = computes(task) && task->start < first ? task->start : first;
			last = computes(task) && task->end > last ? task->end : last;
			tasks += !task->setup;
			busy += task->setup ? 0 : task->end - task->start;
			memory += task->memory > 0 ? task->memory : 0;
		}
		assert_int_equal(tv_missing(tv_table_find(tree, "Parent"), row), p->parent[f] < 0);
		if (p->parent[f] >= 0)
			assert_int_equal(cell(tree, "Parent", row), p->number[p->parent[f]]);
		assert_int_equal(cell(tree, "Depth", row), depth);
		assert_int_equal(cell(tree, "Order", row), order);
		assert_int_equal(cell(tree, "Position", row), position[own]);
		assert_int_equal(cell(tree, "Start", row), start);
		assert_int_equal(cell(tree, "End", row), end);
		assert_int_equal(cell(tree, "ComputeStart", row), first);
		assert_int_equal(cell(tree, "ComputeEnd", row), last);
		assert_int_equal(cell(tree, "Tasks", row), tasks);
		assert_int_equal(cell(tree, "Time", row), busy);
		assert_true(tv_table_find(tree, "Memory")->d[row] == memory);
	}
}

/* ---- every nanosecond ---- */

static bool runs(const struct task *task, int t)
{
	return task->start <= t && t < task->end;
}

/* Time of a group of fronts in [begin, end) by role; SUBTREE also as part of COMPUTE. */
static void count_time(const struct plan *p, const bool *in, int begin, int end, int *time)
{
	memset(time, 0, 5 * sizeof *time);
	for (int t = begin; t < end; t++)
		for (int k = 0; k < p->ntasks; k++)
			if (in[p->task[k].front] && !p->task[k].setup && runs(&p->task[k], t))
				time[p->task[k].role]++;
}

static void check_usage(const struct plan *p, const struct tv_table *tree,
			const struct tv_table *usage, const char *by, int step)
{
	uint32_t row = 0;
	int busy = 0, all = 0;

	for (row = 0; row < usage->nrows; row++) {
		int begin = (int)cell(usage, "Start", row), end = (int)cell(usage, "End", row);
		int time[5];
		bool in[FRONTS];

		assert_true(begin == p->begin || begin % step == 0);
		assert_true(end == p->finish || (end % step == 0 && end - begin <= step));
		for (int f = 0; f < p->nfronts; f++) {
			uint32_t of = row_of(tree, p, f);

			in[f] = strcmp(by, "front") == 0 ? cell(usage, "ANode", row) == p->number[f]
			      : strcmp(by, "depth") == 0
				      ? cell(usage, "Depth", row) == cell(tree, "Depth", of)
				      : cell(usage, "Position", row) == cell(tree, "Position", of)
						&& tv_label(tv_table_find(usage, "Type"), row)
							   == tv_label(tv_table_find(tree, "Type"),
								       of);
		}
		count_time(p, in, begin, end, time);
		assert_int_equal(cell(usage, "Compute", row), time[COMPUTE] + time[SUBTREE]);
		assert_int_equal(cell(usage, "Initialize", row), time[INIT]);
		assert_int_equal(cell(usage, "Assemble", row), time[ASSEMBLE]);
		assert_int_equal(cell(usage, "Clean", row), time[CLEAN]);
		assert_true(fabs(tv_table_find(usage, "GFlop")->d[row] - time[COMPUTE]) < 1e-9);
		assert_true(fabs(tv_table_find(usage, "Usage")->d[row] / 100
					 * (double)(cell(usage, "Workers", row) * (end - begin))
				 - time[COMPUTE] - time[SUBTREE])
			    < 1e-9);
		assert_true(cell(usage, "Busy", row) > 0);
		busy += (int)cell(usage, "Busy", row);
	}
	for (int k = 0; k < p->ntasks; k++)
		all += p->task[k].setup ? 0 : p->task[k].end - p->task[k].start;
	assert_int_equal(busy, all); /* no row is missing */
}

static double curve_at(const struct tv_table *table, const char *curve, const char *group, int t)
{
	for (uint32_t row = 0; row < table->nrows; row++) {
		const struct tv_column *name = tv_table_find(table, "Curve");
		const struct tv_column *of = tv_table_find(table, "By");

		if (strcmp(tv_pool_text(table->pool, tv_label(name, row)), curve) == 0
		    && strcmp(tv_pool_text(table->pool, tv_label(of, row)), group) == 0
		    && cell(table, "Start", row) <= t && t < cell(table, "End", row))
			return tv_table_find(table, "Value")->d[row];
	}
	fail_msg("no %s %s at %d", curve, group, t);
	return -1;
}

/* What a front holds: everything taken less everything given back, never below 0. */
static int held(const struct plan *p, int f, int start, int end, int t)
{
	int amount = 0;

	if (t < start || t >= end)
		return 0;
	for (int now = start; now <= t; now++) {
		for (int k = 0; k < p->ntasks; k++)
			if (p->task[k].front == f && p->task[k].memory > 0
			    && p->task[k].start == now)
				amount += p->task[k].memory;
		for (int k = 0; k < p->ntasks; k++)
			if (p->task[k].front == f && p->task[k].memory < 0
			    && p->task[k].end == now) {
				amount += p->task[k].memory;
				amount = amount < 0 ? 0 : amount;
			}
	}
	return amount;
}

static void check_curves(const struct plan *p, const struct tv_table *tree,
			 const struct tv_table *nodes, const struct tv_table *memory)
{
	double peak = 0;

	for (int t = p->begin; t < p->finish; t++) {
		int open[2] = { 0 }, computing[2] = { 0 }, amount = 0;

		for (int f = 0; f < p->nfronts; f++) {
			uint32_t row = row_of(tree, p, f);
			int start = (int)cell(tree, "Start", row);
			int end = (int)cell(tree, "End", row);
			bool works = false;

			open[p->pruned[f]] += start <= t && t < end;
			for (int k = 0; k < p->ntasks; k++)
				works = works
				     || (p->task[k].front == f && computes(&p->task[k])
					 && runs(&p->task[k], t));
			computing[p->pruned[f]] += works;
			amount += held(p, f, start, end, t);
		}
		assert_true(curve_at(nodes, "open", "not pruned", t) == open[0]);
		assert_true(curve_at(nodes, "open", "pruned", t) == open[1]);
		assert_true(curve_at(nodes, "computing", "not pruned", t) == computing[0]);
		assert_true(curve_at(nodes, "computing", "pruned", t) == computing[1]);
		if (memory != NULL)
			assert_true(fabs(curve_at(memory, "memory", "", t) - amount) < 1e-9);
		peak = amount > peak ? amount : peak;
	}
	if (memory != NULL)
		assert_true(tv_table_find(memory, "Value")->d[memory->nrows - 1] == peak);
}

static bool warned(const struct tv_run *run, const char *text)
{
	for (size_t i = 0; i < run->diagnostics.n; i++)
		if (strncmp(run->diagnostics.at[i].text, text, strlen(text)) == 0)
			return true;
	return false;
}

/* Tags that name no front: 0, blanks, anything but a number; short ones are numbers. */
static void tags_without_front(void **state)
{
	static const struct {
		const char *column, *cell;
		int64_t front; /* -1 = none */
	} row[] = {
		{ "Tag", "0000000000000007", 7 },
		{ "Tag", "7", 7 },
		{ "Tag", "0x7", 7 },
		{ "Tag", "2020202000000007", 7 },
		{ "Tag", "0000000000000020", 32 },
		{ "Tag", "0000000000202020", 0x202020 },
		{ "Tag", "2020", 0x2020 },
		{ "Tag", "2020202020202021", 0x20202021 },
		{ "Tag", "2020202020202020", -1 },
		{ "Tag", "0000000020202020", -1 },
		{ "Tag", "20202020", -1 },
		{ "Tag", "0000000720202020", -1 },
		{ "Tag", "0000000000000000", -1 },
		{ "Tag", "0000000700000000", -1 },
		{ "Tag", "0", -1 },
		{ "Tag", "        ", -1 },
		{ "Tag", "", -1 },
		{ "ANode", "7", 7 },
		{ "ANode", "0", 0 },
		{ "ANode", "538976288", -1 },
		{ "ANode", "", -1 },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		const struct tv_table *tree;
		char csv[200];
		struct sample s;
		bool has;

		snprintf(csv, sizeof csv,
			 "ResourceId,Value,Start,End,JobId,%s\n"
			 "CPU0,init_front,0,1,1,5\nCPU0,geqrt,1,2,2,%s\n",
			 row[i].column, row[i].cell);
		sample_make(&s, csv);
		tree = tv_run_pass(&s.run, "tree", NULL, &s.err);
		assert_non_null(tree);
		has = row[i].front >= 0;
		if (tree->nrows != 1u + has
		    || cell(tree, "ANode", 0) + cell(tree, "ANode", tree->nrows - 1)
			       != (has ? 5 + row[i].front : 10))
			fail_msg("%s '%s': %u fronts, the last one %lld", row[i].column,
				 row[i].cell, tree->nrows,
				 (long long)cell(tree, "ANode", tree->nrows - 1));
		/* One that is left out is reported. */
		assert_int_equal(warned(&s.run, "1 tasks belong to no front"), !has);
		sample_release(&s);
	}
}

static void random_factorizations(void **state)
{
	static const char *const by[] = { "front", "position", "depth" };
	static char csv[TASKS * 400];
	uint64_t seed = unit_seed(11);

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		const struct tv_table *tree, *nodes, *usage, *memory;
		bool takes = false, known = false;
		struct plan p;
		struct sample s;

		draw_tree(&p, &seed);
		for (int f = 0; f < p.nfronts; f++)
			draw_front(&p, f, &seed);
		draw_times(&p, &seed);
		for (int t = 0; t < p.ntasks; t++)
			takes = takes || p.task[t].memory != 0;
		for (int t = 0; t < p.ntasks; t++)
			known = known || (p.task[t].role != COMPUTE && p.task[t].role != ASSEMBLE);
		print(&p, csv, sizeof csv, round % 4 == 0, !known || round % 5 == 0);
		sample_make(&s, csv);
		tree = tv_run_pass(&s.run, "tree", NULL, &s.err);
		nodes = tv_run_pass(&s.run, "open-fronts", NULL, &s.err);
		memory = tv_run_pass(&s.run, "front-memory", NULL, &s.err);
		assert_non_null(tree);
		assert_non_null(nodes);
		assert_int_equal(memory != NULL, takes);
		check_tree(&p, tree);
		check_curves(&p, tree, nodes, memory);
		usage = tv_run_pass_with(&s.run, "tree-usage", &s.err, "step", "7 ns", "by",
					 by[round % 3], NULL);
		assert_non_null(usage);
		check_usage(&p, tree, usage, by[round % 3], 7);
		sample_release(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tags_without_front),
		cmocka_unit_test(random_factorizations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
