/* SPDX-License-Identifier: GPL-3.0-or-later */
/* placement.c -- where on the machine workers and their tasks run. */
#include "analysis/machine/placement.h"

#include "analysis/machine/device_objects.h"
#include "trace/alloc.h"

/* The deepest object of each processor, by machine. */
struct finder {
	const struct tv_machine *machine;
	uint32_t **of_cpu; /* by outermost object; NULL = of another object */
	uint32_t *ncpus;
};

static void find_deepest(struct finder *f)
{
	const struct tv_machine *m = f->machine;

	f->of_cpu = tv_alloc(m->n, sizeof *f->of_cpu);
	f->ncpus = tv_alloc(m->n, sizeof *f->ncpus);
	for (uint32_t i = 0; i < m->n; i++) {
		const struct tv_object *o = &m->at[i];

		if (o->cpus.n > 0 && o->cpus.range[o->cpus.n - 1].last >= f->ncpus[o->root])
			f->ncpus[o->root] = o->cpus.range[o->cpus.n - 1].last + 1;
	}
	for (uint32_t i = 0; i < m->n; i++) {
		const struct tv_object *o = &m->at[i];
		uint32_t **of = &f->of_cpu[o->root];

		if (*of == NULL) {
			*of = tv_alloc(f->ncpus[o->root], sizeof **of);
			for (uint32_t cpu = 0; cpu < f->ncpus[o->root]; cpu++)
				(*of)[cpu] = TV_NONE;
		}
		/* From outer to inner; what has children is no better than these. */
		for (size_t r = 0; r < o->cpus.n; r++)
			for (uint32_t cpu = o->cpus.range[r].first; cpu <= o->cpus.range[r].last;
			     cpu++)
				if ((*of)[cpu] == TV_NONE
				    || (m->at[(*of)[cpu]].depth < o->depth
					&& tv_cpuset_covers(&m->at[(*of)[cpu]].cpus, &o->cpus)))
					(*of)[cpu] = i;
	}
}

/* The smallest object of a machine that has these processors. */
static uint32_t smallest(const struct finder *f, uint32_t root, const struct tv_cpuset *cpus)
{
	uint32_t object;

	if (root == TV_NONE || cpus->n == 0 || cpus->range[0].first >= f->ncpus[root])
		return TV_NONE;
	object = f->of_cpu[root][cpus->range[0].first];
	while (object != TV_NONE && !tv_cpuset_covers(&f->machine->at[object].cpus, cpus))
		object = f->machine->at[object].parent;
	return object;
}

static void release_finder(struct finder *f)
{
	for (uint32_t i = 0; i < f->machine->n; i++)
		tv_free(f->of_cpu[i]);
	tv_free(f->of_cpu);
	tv_free(f->ncpus);
}

/* The machine of each worker: outermost objects that have processors. */
static void find_roots(struct tv_placement *p, const struct tv_tasks *tasks)
{
	const struct tv_table *table = &tasks->trace->table[TV_RESOURCES];
	const struct tv_column *id = tv_table_find(table, "ResourceId"),
			       *host = tv_table_find(table, "Host");
	uint32_t *worker_of = tv_tasks_worker_of_label(tasks);
	struct tv_machine_roots roots;

	tv_machine_roots_init(&roots, &p->machine, tasks->trace);
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		p->root[w] = tv_machine_root(&roots, tasks->node[tasks->workers[w].node].label);
	for (uint32_t row = 0; id != NULL && host != NULL && row < table->nrows; row++) {
		uint32_t label = tv_label(id, row),
			 w = label == TV_NONE ? TV_NONE : worker_of[label];

		if (w != TV_NONE && tv_label(host, row) != TV_NONE)
			p->root[w] = tv_machine_root(&roots, tv_label(host, row));
	}
	tv_machine_roots_release(&roots);
	tv_free(worker_of);
}

/* Cpu of a row; -1 = not known. */
static int64_t cpu_of(const struct tv_column *cpu, uint32_t row)
{
	return cpu == NULL || tv_missing(cpu, row) || cpu->i[row] < 0 || cpu->i[row] >= TV_CPUS_MAX
		     ? -1
		     : cpu->i[row];
}

/* Bindings, and for workers without one where their tasks ran. */
static void find_cpus(struct tv_placement *p, const struct tv_tasks *tasks)
{
	const struct tv_table *table = &tasks->trace->table[TV_RESOURCES];
	const struct tv_column *id = tv_table_find(table, "ResourceId"),
			       *cpuset = tv_table_find(table, "Cpuset"),
			       *cpu = tv_table_find(&tasks->trace->table[TV_TASKS], "Cpu");
	uint32_t *worker_of = tv_tasks_worker_of_label(tasks);
	bool *bound = tv_alloc(tasks->nworkers, sizeof *bound);

	for (uint32_t row = 0; id != NULL && cpuset != NULL && row < table->nrows; row++) {
		uint32_t label = tv_label(id, row),
			 w = label == TV_NONE ? TV_NONE : worker_of[label];
		size_t n;
		const char *text = tv_string(cpuset, row, &n);

		/* Checked when the trace was completed. */
		if (w != TV_NONE && n > 0 && !bound[w]
		    && tv_cpuset_parse(&p->cpus[w], text, n) == 0)
			bound[w] = true;
	}
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		p->located[w] = true;
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->executed[row] && cpu_of(cpu, row) < 0)
			p->located[tasks->worker[row]] = false;
		else if (tasks->executed[row] && !bound[tasks->worker[row]])
			tv_cpuset_add(&p->cpus[tasks->worker[row]], (uint32_t)cpu_of(cpu, row),
				      (uint32_t)cpu_of(cpu, row));
	tv_free(bound);
	tv_free(worker_of);
}

static void place_rows(struct tv_placement *p, const struct tv_tasks *tasks, const struct finder *f)
{
	const struct tv_column *cpu = tv_table_find(&tasks->trace->table[TV_TASKS], "Cpu");

	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t w = tasks->worker[row], root;
		int64_t at = cpu_of(cpu, row);

		p->of_row[row] = TV_NONE;
		if (!tasks->executed[row])
			continue;
		root = p->root[w];
		p->of_row[row] = p->object[w];
		if (at >= 0 && root != TV_NONE && at < f->ncpus[root]
		    && f->of_cpu[root][at] != TV_NONE)
			p->of_row[row] = f->of_cpu[root][at];
	}
}

static void place_on_processors(struct tv_placement *p, const struct tv_tasks *tasks)
{
	struct finder finder = { .machine = &p->machine };

	find_deepest(&finder);
	find_roots(p, tasks);
	find_cpus(p, tasks);
	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		p->object[w] = smallest(&finder, p->root[w], &p->cpus[w]);
		p->unplaced += p->object[w] == TV_NONE;
	}
	place_rows(p, tasks, &finder);
	release_finder(&finder);
}

/* Workers and streams are the objects of their name. */
static void place_on_devices(struct tv_placement *p, const struct tv_tasks *tasks)
{
	const struct tv_column *resource = tv_table_find(&tasks->trace->table[TV_TASKS],
							 "ResourceId");

	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		p->object[w] = tv_object_of(&p->machine, tasks->workers[w].resource);
		p->root[w] = p->machine.at[p->object[w]].root;
	}
	for (uint32_t row = 0; row < tasks->n; row++)
		p->of_row[row] = tasks->executed[row]
				       ? tv_object_of(&p->machine, tv_label(resource, row))
				       : TV_NONE;
}

struct kept {
	struct tv_placement placement;
	uint32_t nworkers;
};

static void release(void *data)
{
	struct kept *kept = data;

	for (uint32_t w = 0; w < kept->nworkers; w++)
		tv_cpuset_release(&kept->placement.cpus[w]);
	tv_free(kept->placement.cpus);
	tv_free(kept->placement.located);
	tv_free(kept->placement.root);
	tv_free(kept->placement.object);
	tv_free(kept->placement.of_row);
	tv_machine_release(&kept->placement.machine);
	tv_free(kept);
}

struct tv_placement *tv_run_placement(struct tv_run *run)
{
	static const char key;
	const struct tv_tasks *tasks = &run->tasks;
	struct kept *kept = tv_run_kept(run, &key);
	struct tv_placement *p;

	if (kept != NULL)
		return &kept->placement;
	kept = tv_alloc(1, sizeof *kept);
	p = &kept->placement;
	kept->nworkers = tasks->nworkers;
	p->devices = tv_run_machine_init(&p->machine, run);
	p->cpus = tv_alloc(tasks->nworkers, sizeof *p->cpus);
	p->located = tv_alloc(tasks->nworkers, sizeof *p->located);
	p->root = tv_alloc(tasks->nworkers, sizeof *p->root);
	p->object = tv_alloc(tasks->nworkers, sizeof *p->object);
	p->of_row = tv_alloc(tasks->n, sizeof *p->of_row);
	if (p->devices)
		place_on_devices(p, tasks);
	else
		place_on_processors(p, tasks);
	tv_run_keep(run, &key, kept, release);
	return p;
}

static uint32_t capacity_of(const struct tv_placement *placement, const struct tv_run *run,
			    uint32_t object, bool *sure)
{
	const struct tv_tasks *tasks = &run->tasks;
	const struct tv_object *o = &placement->machine.at[object];
	struct tv_cpuset used = { 0 };
	uint32_t workers = 0, processors;

	*sure = true;
	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		const struct tv_cpuset *cpus = &placement->cpus[w];

		if (!tv_run_has(run, w) || placement->root[w] != o->root
		    || placement->object[w] == TV_NONE || tv_cpuset_shared(cpus, &o->cpus) == 0)
			continue;
		workers++;
		tv_cpuset_add_all(&used, cpus);
		*sure = *sure && (placement->located[w] || tv_cpuset_covers(&o->cpus, cpus));
	}
	processors = tv_cpuset_shared(&used, &o->cpus);
	tv_cpuset_release(&used);
	return processors < workers ? processors : workers;
}

void tv_placement_capacities(const struct tv_placement *p, const struct tv_run *run,
			     uint32_t *capacity, bool *sure)
{
	const struct tv_machine *m = &p->machine;

	for (uint32_t i = 0; i < m->n; i++) {
		sure[i] = true;
		capacity[i] = p->devices ? 0 : capacity_of(p, run, i, &sure[i]);
	}
	for (uint32_t w = 0; p->devices && w < run->tasks.nworkers; w++) {
		uint32_t at = p->object[w];

		if (!tv_run_has(run, w))
			continue;
		for (uint32_t k = m->children.first[at]; k < m->children.first[at + 1]; k++)
			capacity[m->children.row[k]] = 1;
		for (; at != TV_NONE; at = m->at[at].parent)
			capacity[at]++;
	}
}
