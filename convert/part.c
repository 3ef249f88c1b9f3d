/* SPDX-License-Identifier: GPL-3.0-or-later */
/* part.c -- rows of tasks collected by job. */
#include "convert/part.h"

#include <inttypes.h>
#include <string.h>

#include "trace/alloc.h"

/* The column Segment if it divides any job. */
static const struct tv_column *find_segments(const struct tv_table *tasks)
{
	const struct tv_column *segment = tv_table_find(tasks, "Segment");

	for (uint32_t row = 0; segment != NULL && row < tasks->nrows; row++)
		if (!tv_missing(segment, row) && segment->i[row] != 0)
			return segment;
	return NULL;
}

void tv_part_jobs_init(struct tv_part_jobs *jobs, const struct tv_trace *trace, bool messages,
		       bool segments)
{
	const struct tv_table *tasks = &trace->table[TV_TASKS];

	*jobs = (struct tv_part_jobs){ .trace = trace,
				       .job = tv_table_find(tasks, "JobId"),
				       .start = tv_table_find(tasks, "Start"),
				       .end = tv_table_find(tasks, "End"),
				       .kind = tv_table_find(tasks, "Kind"),
				       .segment = segments ? find_segments(tasks) : NULL,
				       .messages = messages };
}

bool tv_part_jobs_is_kind(const struct tv_part_jobs *jobs, uint32_t row, enum tv_kind kind)
{
	return tv_has(jobs->kind, row)
	    && strcmp(tv_pool_text(jobs->trace->pool, tv_label(jobs->kind, row)),
		      tv_kind_name(kind))
		       == 0;
}

/* A further row of a job. */
static void extend(struct tv_part_jobs *jobs, struct tv_part_job *job, int64_t start, int64_t end)
{
	jobs->several++;
	job->start = !job->ran || start < job->start ? start : job->start;
	job->end = !job->ran || end > job->end ? end : job->end;
	job->ran = true;
}

/* The place of a job's segment, TV_NONE when new. */
static uint32_t find_place(struct tv_part_jobs *jobs, uint32_t job, int64_t segment)
{
	uint32_t *place;

	if (jobs->segment == NULL)
		return tv_index_get(&jobs->index, job);
	place = tv_map_at(&jobs->places, job, (uint64_t)segment);
	if (*place != TV_NONE)
		return *place;
	*place = jobs->n;
	return TV_NONE;
}

static void add_row(struct tv_part_jobs *jobs, uint32_t row)
{
	uint32_t label = tv_has(jobs->job, row) ? tv_label(jobs->job, row) : TV_NONE, known;
	bool ran = tv_has(jobs->start, row) && tv_has(jobs->end, row);
	int64_t start = ran ? jobs->start->i[row] : 0, end = ran ? jobs->end->i[row] : 0, segment;

	if (label == TV_NONE || tv_pool_length(jobs->trace->pool, label) == 0) {
		jobs->unnamed++;
		return;
	}
	segment = tv_has(jobs->segment, row) ? jobs->segment->i[row] : 0;
	known = find_place(jobs, label, segment);
	if (known == TV_NONE) {
		if (tv_index_get(&jobs->index, label) == TV_NONE)
			tv_index_set(&jobs->index, label, jobs->n);
		TV_GROW(jobs->at, jobs->n, jobs->cap, 1);
		jobs->at[jobs->n++] = (struct tv_part_job){ .row = row,
							    .job = label,
							    .segment = segment,
							    .start = start,
							    .end = end,
							    .ran = ran };
	} else if (ran) {
		extend(jobs, &jobs->at[known], start, end);
	}
}

void tv_part_jobs_collect(struct tv_part_jobs *jobs, const struct tv_part *part)
{
	for (uint32_t i = 0; i < jobs->n; i++)
		tv_index_set(&jobs->index, jobs->at[i].job, TV_NONE);
	jobs->n = 0;
	tv_map_release(&jobs->places);
	jobs->places = (struct tv_map){ 0 };
	for (uint32_t i = 0; i < part->n; i++) {
		uint32_t row = part->row[i];

		if (!tv_part_jobs_is_kind(jobs, row, TV_WORKER)
		    && (jobs->messages || !tv_part_jobs_is_kind(jobs, row, TV_MESSAGE)))
			add_row(jobs, row);
	}
}

void tv_part_jobs_note(const struct tv_part_jobs *jobs, struct tv_diagnostics *notes,
		       const char *what)
{
	if (jobs->unnamed > 0)
		tv_diagnose(notes, TV_WARNING, (struct tv_pos){ 0 },
			    "%" PRIu64 " tasks without JobId are left out: a %s needs one",
			    jobs->unnamed, what);
	if (jobs->several > 0)
		tv_diagnose(notes, TV_WARNING, (struct tv_pos){ 0 },
			    "%" PRIu64 " further executions of jobs have no %s: a %s lasts "
			    "from the first Start to the last End of its job, the rest is that of "
			    "the first",
			    jobs->several, what, what);
}

void tv_part_jobs_release(struct tv_part_jobs *jobs)
{
	tv_free(jobs->at);
	tv_free(jobs->index.at);
	tv_map_release(&jobs->places);
}
