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

	for (uint32_t row = 0; column != NULL && column->type == TV_LABEL && row < column->n; row++)
		if (tv_label(column, row) != TV_NONE)
			survey->in[tv_label(column, row)] |= bit;
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
	tasks->begin = survey->begin;
	tasks->finish = survey->finish;
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
