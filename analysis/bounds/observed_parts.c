/* SPDX-License-Identifier: GPL-3.0-or-later */
/* observed_parts.c -- the observed chain, from parts of the rows. */
#include "analysis/bounds/observed_parts.h"

#include <stdlib.h>

#include "analysis/bounds/observed_links.h"
#include "analysis/bounds/observed_waits.h"
#include "dag/fetch.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

struct chaining {
	struct tv_run *run;
	struct tv_links links;
	struct tv_chain *chain;
	/* Steps of this process: from the last one to the first, then by number. */
	struct found {
		uint32_t number, place; /* in the chain */
	} * found;
	size_t nfound, cap, next;
	uint32_t n; /* rows so far */
};

/* ---- the way back ---- */

static void add_found(struct chaining *c, uint32_t number, uint8_t edge)
{
	struct tv_chain *chain = c->chain;

	TV_GROW(c->found, c->nfound, c->cap, 1);
	c->found[c->nfound++] = (struct found){ .number = number };
	TV_GROW(chain->at, chain->n, chain->cap, 1);
	chain->at[chain->n++] = (struct tv_chain_step){ .edge = edge };
}

/* From a row back to one of a process before this one, or to the root. Returns whether it comes to a step again. */
static bool walk(struct chaining *c, uint32_t *number)
{
	const struct tv_links *links = &c->links;

	while (*number >= links->first && *number - links->first < links->n) {
		uint8_t *edge = &links->edge[*number - links->first];

		if ((*edge & TV_LINK_TAKEN) != 0)
			return true;
		if (*edge != TV_LINK_OF_JOB) {
			add_found(c, *number, *edge);
			*edge |= TV_LINK_TAKEN;
		}
		*number = links->before[*number - links->first];
	}
	return false;
}

TV_ORDER(by_row, struct found, number)

/* The steps of this process in their order. */
static void list_found(struct chaining *c)
{
	struct tv_chain *chain = c->chain;

	for (size_t i = 0; i < chain->n / 2; i++) {
		struct tv_chain_step step = chain->at[i];

		chain->at[i] = chain->at[chain->n - 1 - i];
		chain->at[chain->n - 1 - i] = step;
	}
	for (size_t i = 0; i < c->nfound; i++)
		c->found[i].place = (uint32_t)(c->nfound - 1 - i);
	if (c->nfound > 1)
		qsort(c->found, c->nfound, sizeof *c->found, by_row);
}

static int find_steps(struct chaining *c, struct tv_error *err)
{
	const struct tv_team *team = c->run->team;
	uint32_t number = c->links.last;
	uint64_t again = 0;

	for (uint32_t rank = team != NULL ? team->size : 1; rank-- > 0;) {
		uint64_t *numbers;

		if (team == NULL || rank == team->rank)
			again += walk(c, &number);
		if (team == NULL)
			continue;
		numbers = tv_team_numbers(team, number);
		number = (uint32_t)numbers[rank];
		tv_free(numbers);
	}
	tv_team_add(team, &again, 1);
	if (again > 0)
		return tv_fail_parts(
			err, "critical-path needs all rows at once: tasks that took no time "
			     "came after each other");
	list_found(c);
	return 0;
}

/* ---- the steps ---- */

static uint32_t keep_label(struct chaining *c, const struct tv_pool *pool, uint32_t label)
{
	return label == TV_NONE ? TV_NONE
				: tv_intern_text(c->links.names, tv_pool_text(pool, label));
}

static void fill_step(struct chaining *c, const struct tv_run *part, uint32_t row, uint32_t number,
		      struct tv_chain_step *step)
{
	const struct tv_tasks *tasks = &part->tasks;
	const struct tv_table *table = &part->trace->table[TV_TASKS];
	const struct tv_column *rtype = tv_table_find(table, "ResourceType");
	const struct tv_column *resource = tv_table_find(table, "ResourceId");
	const struct tv_link_apart *apart = tv_links_apart(&c->links, number);

	step->job = keep_label(c, tasks->pool, tasks->job == NULL ? TV_NONE : tasks->job[row]);
	step->value = keep_label(c, tasks->pool, tasks->value[row]);
	step->rtype = keep_label(c, tasks->pool, tv_cell_label(rtype, row));
	step->resource = keep_label(c, tasks->pool, tv_cell_label(resource, row));
	step->worker = tasks->counted[row] ? tasks->worker[row] : TV_NONE;
	step->start = tasks->start[row];
	step->end = tasks->end[row];
	step->submit = tasks->submit == NULL || tv_missing(tasks->submit, row)
			     ? INT64_MIN
			     : tasks->submit->i[row];
	step->released = INT64_MIN;
	if (apart != NULL) {
		step->start = apart->start;
		step->end = apart->end;
		step->released = apart->released;
	}
}

static int add_steps(void *state, struct tv_run *part, struct tv_error *err)
{
	struct chaining *c = state;
	uint32_t base = c->links.first + c->n;

	(void)err;
	c->n += part->tasks.n;
	for (; c->next < c->nfound && c->found[c->next].number < c->links.first + c->n; c->next++) {
		const struct found *found = &c->found[c->next];

		fill_step(c, part, found->number - base, found->number,
			  &c->chain->at[found->place]);
	}
	return 0;
}

/* The times of the steps as in dag/observed.c. */
static int cut_steps(struct chaining *c, bool workers, struct tv_error *err)
{
	const struct tv_tasks *tasks = &c->run->tasks;
	int64_t by = tasks->finish;

	for (size_t i = c->chain->n; i-- > 0;) {
		struct tv_chain_step *step = &c->chain->at[i];
		int64_t start = step->start;

		step->end = step->end < by ? step->end : by;
		step->end = step->end > tasks->begin ? step->end : tasks->begin;
		by = start < step->end ? start : step->end;
		by = by > tasks->begin ? by : tasks->begin;
		step->start = by;
		if (workers && step->worker != TV_NONE && by != start)
			return tv_fail_parts(err,
					     "critical-path needs all rows at once: a task started "
					     "after one that depends on it");
	}
	return 0;
}

/* ---- several processes ---- */

/* Labels of a step: those of `pool` in the parcel, and of `to` afterwards. */
static void pack_step(struct tv_parcel *pack, const struct tv_chain_step *step,
		      const struct tv_pool *pool)
{
	tv_pack_bytes(pack, step, sizeof *step);
	tv_pack_label(pack, pool, step->job);
	tv_pack_label(pack, pool, step->value);
	tv_pack_label(pack, pool, step->rtype);
	tv_pack_label(pack, pool, step->resource);
}

static struct tv_chain_step unpack_step(struct tv_unpack *from, struct tv_pool *to)
{
	struct tv_chain_step step;

	tv_unpack_bytes(from, &step, sizeof step);
	step.job = tv_unpack_label(from, to);
	step.value = tv_unpack_label(from, to);
	step.rtype = tv_unpack_label(from, to);
	step.resource = tv_unpack_label(from, to);
	return step;
}

/* The steps of all processes, with labels of the run. */
static void share_steps(struct chaining *c, const struct tv_team *team)
{
	struct tv_chain *chain = c->chain;
	struct tv_pool *pool = c->run->trace->pool;
	struct tv_parcel pack = { 0 };
	struct tv_gathered all;

	for (size_t i = 0; i < chain->n; i++)
		pack_step(&pack, &chain->at[i], c->links.names);
	if (team == NULL) {
		struct tv_unpack from = { pack.at, pack.n };

		for (size_t i = 0; i < chain->n; i++)
			chain->at[i] = unpack_step(&from, pool);
		tv_free(pack.at);
		return;
	}
	all = tv_team_gather(team, &pack);
	chain->n = 0;
	for (uint32_t rank = 0; rank < all.n; rank++) {
		struct tv_unpack from = tv_gathered_of(&all, rank);

		while (from.n > 0) {
			TV_GROW(chain->at, chain->n, chain->cap, 1);
			chain->at[chain->n++] = unpack_step(&from, pool);
		}
	}
	tv_gathered_release(&all);
}

/* ---- all of it ---- */

static int read_steps(struct chaining *c, bool workers, struct tv_error *err)
{
	if (find_steps(c, err) < 0)
		return -1;
	if (tv_run_named_rows(c->run, add_steps, c, err) < 0)
		return -1;
	share_steps(c, c->run->team);
	return cut_steps(c, workers, err);
}

/* What data were under way to a task is not found in parts. */
static int check_parts(const struct tv_run *run, struct tv_error *err)
{
	const char *why = tv_fetches_reason(run->trace);

	return why == NULL ? 0
			   : tv_fail_parts(err, "critical-path needs all rows at once: %s", why);
}

int tv_chain_of_parts(struct tv_chain *chain, struct tv_run *run, bool workers,
		      struct tv_error *err)
{
	struct chaining c = { .run = run, .chain = chain };
	int rc = tv_team_agree(run->team, check_parts(run, err), err);

	if (rc == 0) {
		rc = tv_links_find(&c.links, run, workers, err);
		if (rc == 0 && c.links.last != TV_NONE)
			rc = read_steps(&c, workers, err);
		if (rc == 0)
			rc = tv_chain_causes(chain, run, c.links.busy_before, err);
		tv_links_release(&c.links);
	}
	tv_free(c.found);
	return rc;
}

void tv_chain_release(struct tv_chain *chain)
{
	tv_free(chain->at);
	*chain = (struct tv_chain){ 0 };
}
