/* SPDX-License-Identifier: GPL-3.0-or-later */
/* survey.c -- what the parts of a trace show together. */
#include "trace/survey.h"

#include <string.h>

#include "trace/alloc.h"

bool tv_survey_begin(const struct tv_survey *survey, struct tv_sighting *seen, uint8_t *runs)
{
	if (survey->n > 0) {
		memcpy(seen, survey->seen, survey->n * sizeof *seen);
		memcpy(runs, survey->runs, survey->n * sizeof *runs);
	}
	return survey->declared;
}

void tv_survey_end(struct tv_survey *survey, const struct tv_sighting *seen, const uint8_t *runs,
		   uint32_t n, bool declared)
{
	survey->seen = tv_realloc(survey->seen, n, sizeof *seen);
	survey->runs = tv_realloc(survey->runs, n, sizeof *runs);
	survey->in = tv_realloc(survey->in, n, sizeof *survey->in);
	if (n > 0) {
		memcpy(survey->seen, seen, n * sizeof *seen);
		memcpy(survey->runs, runs, n * sizeof *runs);
	}
	if (n > survey->n)
		memset(survey->in + survey->n, 0, n - survey->n);
	survey->n = n;
	survey->declared = declared;
}

static void mark(struct tv_survey *survey, const struct tv_table *table, const char *name,
		 uint8_t bit)
{
	const struct tv_column *column = tv_table_find(table, name);
	const uint32_t *label;
	uint8_t *in = survey->in;
	uint32_t n;

	if (column == NULL || column->type != TV_LABEL || column->n == 0)
		return;
	label = column->u;
	n = tv_is_one_label(column, column->n) ? 1 : column->n;
	for (uint32_t i = 0; i < n; i++) {
		/* Most are marked. */
		while (column->valid == NULL && i + 4 < n
		       && (in[label[i]] & in[label[i + 1]] & in[label[i + 2]] & in[label[i + 3]]
			   & bit) != 0)
			i += 4;
		if (label[i] != TV_NONE)
			in[label[i]] |= bit;
	}
}

/* Rows that belong together, of which several parts may have some. */
static const char *find_joins(const struct tv_tasks *tasks)
{
	if (tasks->segment != NULL)
		return "tasks have segments (Segment)";
	for (uint32_t row = 0; tasks->team != NULL && row < tasks->n; row++)
		if (!tv_missing(tasks->team, row) && tasks->team->i[row] > 1)
			return "tasks run on several workers at once (Team)";
	return tasks->device_time != NULL ? "streams share a device (Device)" : NULL;
}

void tv_survey_add(struct tv_survey *survey, const struct tv_tasks *tasks)
{
	const struct tv_table *table = &tasks->trace->table[TV_TASKS],
			      *states = &tasks->trace->table[TV_STATES];

	mark(survey, table, "Value", TV_IN_VALUE);
	mark(survey, table, "ResourceId", TV_IN_RESOURCE);
	mark(survey, table, "Node", TV_IN_NODE);
	mark(survey, table, "Device", TV_IN_DEVICE);
	mark(survey, states, "Value", TV_IN_VALUE);
	mark(survey, states, "ResourceId", TV_IN_RESOURCE);
	mark(survey, states, "Node", TV_IN_NODE);
	survey->rows += tasks->n;
	survey->ncounted += tasks->ncounted;
	survey->nexecutions += tasks->nexecutions;
	survey->ncut += tasks->ncut;
	survey->ntasks += tasks->ntasks;
	survey->npending += tasks->npending;
	survey->nplanned += tasks->nplanned;
	for (uint32_t row = 0; row < tasks->n && !survey->ran; row++)
		survey->ran = tasks->executed[row];
	if (survey->joins == NULL)
		survey->joins = find_joins(tasks);
	if (tasks->ncounted == 0)
		return;
	if (!survey->any || tasks->begin < survey->begin)
		survey->begin = tasks->begin;
	if (!survey->any || tasks->finish > survey->finish)
		survey->finish = tasks->finish;
	survey->any = true;
}

void tv_survey_total(const struct tv_survey *survey, struct tv_tasks *tasks)
{
	tasks->ncounted = survey->ncounted;
	tasks->nexecutions = survey->nexecutions;
	tasks->ncut = survey->ncut;
	tasks->ntasks = survey->ntasks;
	tasks->npending = survey->npending;
	tasks->nplanned = survey->nplanned;
	tasks->ran = survey->ran;
	tasks->begin = survey->begin;
	tasks->finish = survey->finish;
}

/* What several processes have seen of a label, and its number for all. */
enum { IS_WORKER = 1, RUNS = 2 };

static bool is_seen(const struct tv_survey *survey, uint32_t label)
{
	return survey->seen[label].worker || survey->runs[label] != 0 || survey->in[label] != 0;
}

void tv_survey_pack(const struct tv_survey *survey, const struct tv_pool *pool,
		    struct tv_parcel *pack)
{
	struct tv_survey sums = *survey;
	uint64_t n = 0;

	sums.seen = NULL;
	sums.runs = sums.in = NULL;
	sums.joins = NULL;
	tv_pack_bytes(pack, &sums, sizeof sums);
	tv_pack_text(pack, survey->joins);
	for (uint32_t i = 0; i < survey->n; i++)
		n += is_seen(survey, i);
	tv_pack_number(pack, n);
	for (uint32_t i = 0; i < survey->n; i++) {
		const struct tv_sighting *s = &survey->seen[i];

		if (!is_seen(survey, i))
			continue;
		tv_pack_label(pack, pool, i);
		tv_pack_label(pack, pool, s->type);
		tv_pack_label(pack, pool, s->node);
		tv_pack_label(pack, pool, s->device);
		tv_pack_number(pack, (s->worker ? IS_WORKER : 0) | (survey->runs[i] ? RUNS : 0));
		tv_pack_number(pack, survey->in[i]);
	}
}

static void merge_sums(struct tv_survey *survey, const struct tv_survey *more)
{
	survey->declared = survey->declared || more->declared;
	survey->rows += more->rows;
	survey->ncounted += more->ncounted;
	survey->nexecutions += more->nexecutions;
	survey->ncut += more->ncut;
	survey->ntasks += more->ntasks;
	survey->npending += more->npending;
	survey->nplanned += more->nplanned;
	if (more->any && (!survey->any || more->begin < survey->begin))
		survey->begin = more->begin;
	if (more->any && (!survey->any || more->finish > survey->finish))
		survey->finish = more->finish;
	survey->any = survey->any || more->any;
	survey->ran = survey->ran || more->ran;
}

/* Room for all labels of the pool, and of those that come: n entries. */
static void extend(struct tv_survey *survey, struct tv_pool *pool, struct tv_unpack from,
		   uint64_t n)
{
	uint32_t before = survey->n;

	for (; n > 0; n--) {
		for (int i = 0; i < 4; i++)
			(void)tv_unpack_label(&from, pool);
		(void)tv_unpack_number(&from);
		(void)tv_unpack_number(&from);
	}
	survey->n = tv_pool_count(pool);
	survey->seen = tv_realloc(survey->seen, survey->n, sizeof *survey->seen);
	survey->runs = tv_realloc(survey->runs, survey->n, sizeof *survey->runs);
	survey->in = tv_realloc(survey->in, survey->n, sizeof *survey->in);
	for (uint32_t i = before; i < survey->n; i++) {
		survey->seen[i] = (struct tv_sighting){ TV_NONE, TV_NONE, TV_NONE, false };
		survey->runs[i] = survey->in[i] = 0;
	}
}

static void merge_label(struct tv_survey *survey, struct tv_pool *pool, struct tv_unpack *from)
{
	uint32_t label = tv_unpack_label(from, pool), type = tv_unpack_label(from, pool);
	uint32_t node = tv_unpack_label(from, pool), device = tv_unpack_label(from, pool);
	uint64_t is = tv_unpack_number(from);
	struct tv_sighting *s;

	s = &survey->seen[label];
	s->type = s->type == TV_NONE ? type : s->type;
	s->node = s->node == TV_NONE ? node : s->node;
	s->device = s->device == TV_NONE ? device : s->device;
	s->worker = s->worker || (is & IS_WORKER) != 0;
	survey->runs[label] |= (is & RUNS) != 0;
	survey->in[label] |= (uint8_t)tv_unpack_number(from);
}

void tv_survey_merge(struct tv_survey *survey, struct tv_pool *pool, struct tv_unpack *from)
{
	struct tv_survey sums;
	uint64_t n;
	char *joins;

	tv_unpack_bytes(from, &sums, sizeof sums);
	merge_sums(survey, &sums);
	joins = tv_unpack_text(from);
	if (joins != NULL && survey->joins == NULL)
		survey->joins = tv_pool_text(pool, tv_intern_text(pool, joins));
	tv_free(joins);
	n = tv_unpack_number(from);
	extend(survey, pool, *from, n);
	for (; n > 0; n--)
		merge_label(survey, pool, from);
}

uint32_t tv_survey_device(const struct tv_survey *survey, uint32_t resource)
{
	return resource < survey->n ? survey->seen[resource].device : TV_NONE;
}

void tv_survey_release(struct tv_survey *survey)
{
	tv_free(survey->seen);
	tv_free(survey->runs);
	tv_free(survey->in);
	*survey = (struct tv_survey){ 0 };
}
