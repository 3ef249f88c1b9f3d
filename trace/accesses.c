/* SPDX-License-Identifier: GPL-3.0-or-later */
/* accesses.c -- what follows from accesses to data: exclusions and dependencies. */
#include "trace/accesses.h"

#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/sorted.h"

/* A commuting access. */
struct hold {
	uint32_t handle, node; /* label; index into tasks->node */
	int64_t start, end;    /* of the execution, from its first segment to its last, ns */
	uint32_t row;	       /* the first segment */
	uint32_t last;	       /* row of the segment that ended last */
	uint32_t other;	       /* index of the nearest one before it, of the same handle, that is of
				   another job; TV_NONE = there is none */
};

struct holds {
	const struct tv_tasks *tasks;
	struct hold *at;
	uint32_t n;
	size_t cap;
};

/* By handle; holders of one by when they ended. */
TV_ORDER(by_handle, struct hold, node, handle, end, start, row)

TV_ORDER(by_row, struct tv_exclusion, row, before)

/* Letters as StarPU writes them: read, write, scratch, reduction, commute. */
bool tv_mode_commutes(const char *mode)
{
	return strchr(mode, 'C') != NULL && mode[strspn(mode, "RWSXC")] == '\0';
}

/* Which labels in the lists of Modes are commuting modes, by label; *any: whether one is. */
static bool *find_modes(const struct tv_tasks *tasks, const struct tv_column *modes, bool *any)
{
	uint32_t nlabels = tv_pool_count(tasks->pool), n;
	bool *commuting = tv_alloc(nlabels, sizeof *commuting);
	bool *seen = tv_alloc(nlabels, sizeof *seen);

	*any = false;
	for (uint32_t row = 0; row < tasks->n; row++) {
		const uint32_t *mode = tv_list(modes, row, &n);

		for (uint32_t i = 0; i < n; i++) {
			if (seen[mode[i]])
				continue;
			seen[mode[i]] = true;
			commuting[mode[i]] = tv_mode_commutes(tv_pool_text(tasks->pool, mode[i]));
			*any |= commuting[mode[i]];
		}
	}
	tv_free(seen);
	return commuting;
}

/* A task that is suspended goes on holding its handles. */
static void give_holds(const struct tv_tasks *tasks, const struct tv_column *handles,
		       const struct tv_column *modes, const bool *commuting, tv_hold_function *hold,
		       void *context)
{
	uint32_t *last = tv_tasks_last_rows(tasks);

	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t nhandles, nmodes;
		const uint32_t *handle = tv_list(handles, row, &nhandles);
		const uint32_t *mode = tv_list(modes, row, &nmodes);

		if (!tasks->executed[row] || !tv_row_begins(tasks, row))
			continue;
		for (uint32_t i = 0; i < nhandles && i < nmodes; i++)
			if (commuting[mode[i]])
				hold(context, handle[i], row, last[row]);
	}
	tv_free(last);
}

void tv_each_hold(const struct tv_tasks *tasks, tv_hold_function *hold, void *context)
{
	const struct tv_table *table = &tasks->trace->table[TV_TASKS];
	const struct tv_column *handles = tv_table_find(table, "Handles");
	const struct tv_column *modes = tv_table_find(table, "Modes");
	bool *commuting, any;

	if (handles == NULL || modes == NULL)
		return;
	commuting = find_modes(tasks, modes, &any);
	if (any)
		give_holds(tasks, handles, modes, commuting, hold, context);
	tv_free(commuting);
}

static void add_hold(void *context, uint32_t handle, uint32_t row, uint32_t last)
{
	struct holds *holds = context;
	const struct tv_tasks *tasks = holds->tasks;

	TV_GROW(holds->at, holds->n, holds->cap, 1);
	holds->at[holds->n++] = (struct hold){ handle,
					       tasks->workers[tasks->worker[row]].node,
					       tasks->start[row],
					       tasks->end[last],
					       row,
					       last,
					       TV_NONE };
}

static bool of_one_job(const struct tv_tasks *tasks, uint32_t a, uint32_t b)
{
	return a == b
	    || (tasks->job != NULL && tasks->job[a] != TV_NONE && tasks->job[a] == tasks->job[b]);
}

TV_ORDER(by_end, struct hold, end)

/* Pairs of the holders of one handle, at[first..last). */
static void pair_up(struct holds *holds, uint32_t first, uint32_t last, struct tv_exclusions *out)
{
	struct hold *at = holds->at;

	for (uint32_t i = first; i < last; i++) {
		const struct hold key = { .end = at[i].start };
		size_t ended = tv_count_upto(&key, at + first, i - first, sizeof key, by_end);
		uint32_t before;

		if (i > first)
			at[i].other = of_one_job(holds->tasks, at[i].row, at[i - 1].row)
					    ? at[i - 1].other
					    : i - 1;
		if (ended == 0)
			continue;
		before = first + (uint32_t)ended - 1;
		if (of_one_job(holds->tasks, at[i].row, at[before].row))
			before = at[before].other;
		if (before != TV_NONE)
			out->at[out->n++] = (struct tv_exclusion){ at[i].row, at[before].last };
	}
}

static void drop_repeated(struct tv_exclusions *exclusions)
{
	size_t n = 0;

	qsort(exclusions->at, exclusions->n, sizeof *exclusions->at, by_row);
	for (size_t i = 0; i < exclusions->n; i++)
		if (n == 0 || by_row(&exclusions->at[n - 1], &exclusions->at[i]) != 0)
			exclusions->at[n++] = exclusions->at[i];
	exclusions->n = n;
}

static void find(struct tv_exclusions *exclusions, struct holds *holds)
{
	exclusions->at = tv_alloc(holds->n, sizeof *exclusions->at);
	qsort(holds->at, holds->n, sizeof *holds->at, by_handle);
	for (uint32_t first = 0, last; first < holds->n; first = last) {
		const struct hold *of = &holds->at[first];

		for (last = first + 1; last < holds->n && holds->at[last].handle == of->handle
				       && holds->at[last].node == of->node;
		     last++)
			;
		pair_up(holds, first, last, exclusions);
	}
	if (exclusions->n > 0)
		drop_repeated(exclusions);
}

void tv_exclusions_init(struct tv_exclusions *exclusions, const struct tv_tasks *tasks)
{
	struct holds holds = { .tasks = tasks };

	*exclusions = (struct tv_exclusions){ 0 };
	tv_each_hold(tasks, add_hold, &holds);
	if (holds.n > 0)
		find(exclusions, &holds);
	tv_free(holds.at);
}

void tv_exclusions_release(struct tv_exclusions *exclusions)
{
	tv_free(exclusions->at);
	*exclusions = (struct tv_exclusions){ 0 };
}

/* ---- dependencies ---- */

/* Data of a context. Accesses form groups: one write, or all of another type that follow each
 * other. The members of a group depend on those of the group before it, and so, through these, on
 * all earlier ones. */
struct tv_access_cell {
	enum tv_access_type type, asked; /* of the last group; of the job that is being added */
	uint32_t group, previous; /* first member of the last group and of the one before it */
	uint32_t call;		  /* that asked; 0 = it is done */
	uint32_t age, next;	  /* of the context; in its list */
};

/* A context: the last job that wrote all its data, and the data accessed since. */
struct tv_access_context {
	uint32_t all; /* TV_NONE = none */
	uint32_t age; /* the number of such jobs */
	uint32_t cells;
};

struct tv_access_member {
	uint32_t job, next; /* next: of the group, or TV_NONE */
};

static uint32_t add_member(struct tv_accesses *a, uint32_t job, uint32_t next)
{
	if (a->nmembers >= TV_NONE)
		tv_memory_exhausted(0);
	TV_GROW(a->member, a->nmembers, a->members_cap, 1);
	a->member[a->nmembers] = (struct tv_access_member){ job, next };
	return (uint32_t)a->nmembers++;
}

static struct tv_access_context *context_at(struct tv_accesses *a, uint64_t context)
{
	uint32_t *index = tv_map_at(&a->context_of, context, 0);

	if (*index == TV_NONE) {
		*index = (uint32_t)a->ncontexts;
		TV_GROW(a->context, a->ncontexts, a->contexts_cap, 1);
		a->context[a->ncontexts++] = (struct tv_access_context){ .all = TV_NONE,
									 .cells = TV_NONE };
	}
	return &a->context[*index];
}

/* The cell of some data. If it is new, or if a job has written all data since it was used last, that
 * job is its only group. */
static struct tv_access_cell *cell_at(struct tv_accesses *a, struct tv_access_context *of,
				      uint64_t context, uint64_t data)
{
	uint32_t *index = tv_map_at(&a->cell_of, context, data);
	bool new = *index == TV_NONE;

	if (new) {
		if (a->ncells >= TV_NONE)
			tv_memory_exhausted(0);
		*index = (uint32_t)a->ncells;
		TV_GROW(a->cell, a->ncells, a->cells_cap, 1);
		a->ncells++;
	}
	if (new || a->cell[*index].age != of->age) {
		a->cell[*index] = (struct tv_access_cell){
			.group = of->all == TV_NONE ? TV_NONE : add_member(a, of->all, TV_NONE),
			.previous = TV_NONE,
			.age = of->age,
			.next = of->cells,
		};
		of->cells = *index;
	}
	return &a->cell[*index];
}

/* Lists the members of a group that this call has not listed yet. */
static void list_group(struct tv_accesses *a, uint32_t member)
{
	size_t first = a->nbefore;

	for (; member != TV_NONE; member = a->member[member].next) {
		uint32_t job = a->member[member].job;

		if (a->seen[job] == a->call)
			continue;
		a->seen[job] = a->call;
		TV_GROW(a->before, a->nbefore, a->before_cap, 1);
		a->before[a->nbefore++] = job;
	}
	/* The list begins with the newest member. */
	for (size_t last = a->nbefore; last > first + 1; first++) {
		uint32_t newest = a->before[first];

		a->before[first] = a->before[--last];
		a->before[last] = newest;
	}
}

/* The accesses of the job to the data of one cell. */
static void use_cell(struct tv_accesses *a, struct tv_access_cell *cell, uint32_t job)
{
	bool joins = cell->asked != TV_ACCESS_WRITE && cell->asked == cell->type
		  && cell->group != TV_NONE;

	list_group(a, joins ? cell->previous : cell->group);
	if (job == TV_NONE)
		return;
	if (!joins)
		cell->previous = cell->group;
	cell->group = add_member(a, job, joins ? cell->group : TV_NONE);
	cell->type = cell->asked;
}

static void begin_call(struct tv_accesses *a, uint32_t job)
{
	size_t want = job == TV_NONE ? 0 : (size_t)job + 1;

	a->nbefore = 0;
	if (++a->call == 0) { /* after 2^32 calls */
		memset(a->seen, 0, a->nseen * sizeof *a->seen);
		for (size_t i = 0; i < a->ncells; i++)
			a->cell[i].call = 0;
		a->call = 1;
	}
	if (want <= a->nseen)
		return;
	TV_GROW(a->seen, a->nseen, a->seen_cap, want - a->nseen);
	memset(a->seen + a->nseen, 0, (want - a->nseen) * sizeof *a->seen);
	a->nseen = want;
}

/* A job that writes all data of a context. */
static void use_all(struct tv_accesses *a, struct tv_access_context *of, uint32_t job)
{
	for (uint32_t cell = of->cells; cell != TV_NONE; cell = a->cell[cell].next)
		list_group(a, a->cell[cell].group);
	if (of->cells == TV_NONE && of->all != TV_NONE)
		list_group(a, add_member(a, of->all, TV_NONE));
	if (job == TV_NONE)
		return;
	of->all = job;
	of->cells = TV_NONE;
	of->age++;
}

void tv_accesses_add(struct tv_accesses *a, uint64_t context, uint32_t job,
		     const struct tv_access *access, size_t n)
{
	struct tv_access_context *of = context_at(a, context);
	bool all = false;

	begin_call(a, job);
	for (size_t i = 0; i < n; i++)
		all |= access[i].type == TV_ACCESS_ALL;
	if (all) {
		use_all(a, of, job);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		struct tv_access_cell *cell = cell_at(a, of, context, access[i].data);

		cell->asked = cell->call != a->call || cell->asked == access[i].type
				    ? access[i].type
				    : TV_ACCESS_WRITE;
		cell->call = a->call;
	}
	for (size_t i = 0; i < n; i++) {
		struct tv_access_cell *cell = cell_at(a, of, context, access[i].data);

		if (cell->call == a->call)
			use_cell(a, cell, job);
		cell->call = 0;
	}
}

void tv_accesses_release(struct tv_accesses *a)
{
	tv_map_release(&a->context_of);
	tv_free(a->context);
	tv_map_release(&a->cell_of);
	tv_free(a->cell);
	tv_free(a->member);
	tv_free(a->before);
	tv_free(a->seen);
	*a = (struct tv_accesses){ 0 };
}
