/* SPDX-License-Identifier: GPL-3.0-or-later */
/* outside.c -- work of OpenMP's threads in parallel regions before the first task or after the last one. */
#include <string.h>

#include "analysis/diagnose/findings.h"
#include "trace/text.h"

enum { BEFORE, AFTER, PARTS };

/* When no task has begun yet, or all have ended, and who works in parallel regions then. */
struct outside {
	struct tv_span part[PARTS];
	struct list {
		struct tv_span *at;
		size_t n, cap;
	} work[PARTS]; /* of all threads */
	tv_int128 sum; /* of these, ns */
};

static struct tv_span common(struct tv_span a, struct tv_span b)
{
	return (struct tv_span){ a.begin > b.begin ? a.begin : b.begin,
				 a.end < b.end ? a.end : b.end };
}

/* Adds what of a span is within a part and no wait of the thread. */
static void add_work(struct outside *out, int p, const struct tv_thread *thread,
		     struct tv_span span)
{
	struct list *list = &out->work[p];

	span = common(span, out->part[p]);
	for (uint32_t i = 0; i <= thread->nlost && span.begin < span.end; i++) {
		struct tv_span lost = i < thread->nlost ? thread->lost[i]
							: (struct tv_span){ span.end, span.end };
		int64_t until = lost.begin < span.end ? lost.begin : span.end;

		if (until > span.begin) {
			TV_GROW(list->at, list->n, list->cap, 1);
			list->at[list->n++] = (struct tv_span){ span.begin, until };
			out->sum += until - span.begin;
		}
		span.begin = lost.end > span.begin ? lost.end : span.begin;
	}
}

/* The parts of the run in which no task, of any kind, has begun yet, or all have ended. */
static void find_parts(const struct tv_case *c, struct outside *out)
{
	const struct tv_threads *threads = tv_run_threads(c->run);

	out->part[BEFORE] = (struct tv_span){ threads->begin, c->tasks->begin };
	out->part[AFTER] = (struct tv_span){ c->tasks->finish, threads->end };
	for (uint32_t row = 0; row < c->tasks->n; row++)
		if (c->tasks->executed[row]) {
			if (c->tasks->start[row] < out->part[BEFORE].end)
				out->part[BEFORE].end = c->tasks->start[row];
			if (c->tasks->end[row] > out->part[AFTER].begin)
				out->part[AFTER].begin = c->tasks->end[row];
		}
}

/* The thread of a resource; NULL = there is none. */
static const struct tv_thread *thread_of(const struct tv_threads *threads, uint32_t resource)
{
	for (uint32_t i = 0; i < threads->n; i++)
		if (threads->at[i].resource == resource)
			return &threads->at[i];
	return NULL;
}

static void add_states(const struct tv_case *c, struct outside *out)
{
	const struct tv_table *states = tv_trace_table(c->run->trace, TV_STATES);
	const struct tv_column *start = tv_table_find(states, "Start"),
			       *end = tv_table_find(states, "End"),
			       *resource = tv_table_find(states, "ResourceId");

	for (uint32_t row = 0; row < states->nrows; row++) {
		const struct tv_thread *thread;

		if (!tv_table_is(states, "Type", row, "OpenMP State")
		    || !tv_table_is(states, "Value", row, "Implicit task") || tv_missing(start, row)
		    || tv_missing(end, row))
			continue;
		thread = thread_of(tv_run_threads(c->run), tv_label(resource, row));
		for (int p = 0; thread != NULL && p < PARTS; p++)
			add_work(out, p, thread, (struct tv_span){ start->i[row], end->i[row] });
	}
}

/* The place of the innermost construct that covers half of a time outside of tasks, or more; TV_NONE = not known. */
static uint32_t place_of(const struct tv_case *c, const struct outside *out, int64_t time)
{
	const struct tv_table *states = tv_trace_table(c->run->trace, TV_STATES);
	const struct tv_column *start = tv_table_find(states, "Start"),
			       *end = tv_table_find(states, "End"),
			       *site = tv_table_find(states, "Site"),
			       *depth = tv_table_find(states, "Depth");
	uint32_t best = TV_NONE;

	for (uint32_t row = 0; site != NULL && depth != NULL && row < states->nrows; row++) {
		int64_t within = 0;

		if (tv_missing(site, row) || tv_missing(depth, row) || tv_missing(start, row)
		    || tv_missing(end, row)
		    || tv_thread_kind_of(tv_table_text(states, "Value", row)) != TV_NTHREAD_KINDS)
			continue;
		for (int p = 0; p < PARTS; p++) {
			struct tv_span span = common((struct tv_span){ start->i[row], end->i[row] },
						     out->part[p]);

			within += span.end > span.begin ? span.end - span.begin : 0;
		}
		if (2 * within >= time && (best == TV_NONE || depth->i[row] > depth->i[best]))
			best = row;
	}
	return best == TV_NONE ? TV_NONE : tv_label(site, best);
}

void tv_case_find_outside(struct tv_case *c)
{
	struct outside out = { .sum = 0 };
	size_t n;

	/* Of a part of a run its other tasks are not shown. */
	if (tv_thread_types_of(c->run).openmp == TV_NONE || tv_tasks_cut(c->tasks)
	    || tv_meta_get(c->run->trace, "Restricted", &n) != NULL)
		return;
	find_parts(c, &out);
	add_states(c, &out);
	c->before = tv_spans_cover(out.work[BEFORE].at, (uint32_t)out.work[BEFORE].n,
				   out.part[BEFORE]);
	c->after = tv_spans_cover(out.work[AFTER].at, (uint32_t)out.work[AFTER].n, out.part[AFTER]);
	c->outside = tv_sum_ns(out.sum);
	c->outside_place = place_of(c, &out, c->before + c->after);
	for (int p = 0; p < PARTS; p++)
		tv_free(out.work[p].at);
}

char *tv_case_outside(const struct tv_case *c)
{
	char time[32], place[128];
	char *text;

	if (c->before + c->after < c->min_ns || c->before + c->after == 0)
		return tv_strdup("");
	text = tv_format(" For %s %s a thread works in a parallel region",
			 tv_words_time(time, c->before + c->after),
			 c->after < c->min_ns	 ? "before the first task"
			 : c->before < c->min_ns ? "after the last task"
						 : "before the first task and after the last one");
	if (c->outside_place != TV_NONE)
		tv_append(&text, ", at %s",
			  tv_clean_text(place, sizeof place,
					tv_pool_text(c->run->trace->pool, c->outside_place)));
	tv_append(&text, ".");
	return text;
}

static int find_outside_tasks(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	char time[32], *text;

	(void)err;
	/* What would be saved if the threads divided this work evenly. */
	found->measure_ns = c->before + c->after - c->outside / c->tasks->nworkers;
	found->holds = found->measure_ns >= c->min_ns && found->measure_ns > 0;
	if (!found->holds)
		return 0;
	text = tv_case_outside(c);
	found->title = tv_format("threads work outside of tasks for %s",
				 tv_words_time(time, c->before + c->after));
	found->text = tv_format("%s Divided evenly, this work would take %s.", text + 1,
				tv_words_time(time, c->outside / c->tasks->nworkers));
	tv_free(text);
	found->picture = tv_case_window_of(
		(struct tv_span){ tv_run_threads(c->run)->begin, tv_run_threads(c->run)->end });
	/* Mostly the waits of threads for others in loops. */
	if (2 * (c->loops.time / c->tasks->nworkers) >= found->measure_ns)
		found->see = "loop-imbalance";
	return 0;
}

const struct tv_rule tv_rule_outside_tasks = {
	.id = "outside-tasks",
	.title = "threads work outside of tasks",
	.condition = "before the first task and after the last one, threads of OpenMP work in "
		     "parallel regions, and with this work divided evenly that would be shorter "
		     "by 1 % of the makespan",
	.measures = "Measure: the time in which a thread does so - the work of all threads then "
		    "over the number of workers; it is no part of the makespan of the tasks",
	.action = "Make tasks of this code, or let it run while tasks do.",
	.picture = "--panels states",
	.durations = true,
	.find = find_outside_tasks,
};
