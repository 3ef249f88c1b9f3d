/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * phase_list.h -- parts of a run that follow each other without overlap.
 *
 * A phase begins with the first submission at which every counted task submitted earlier has ended.
 * A task counts as submitted at its SubmitTime, or at its Start if that is missing or earlier; one
 * without SubmitTime, or that its creator ran at once (Flag undeferred), opens no phase. If the trace has
 * one worker and each of its tasks ended before the next one was submitted, they are one phase: the
 * program ran tasks as it created them.
 */
#ifndef TV_PHASE_LIST_H
#define TV_PHASE_LIST_H

#include "trace/tasks.h"

struct tv_phase {
	int64_t from;	    /* its tasks are submitted from here (ns) to the next one's from */
	int64_t start, end; /* of its counted executions */
	uint32_t tasks;	    /* a team is one */
	int64_t time;	    /* sum of their executions */
};

struct tv_phases {
	uint32_t n; /* 0 only where no task is counted */
	struct tv_phase *phase;
	bool known;				       /* some counted task has a SubmitTime */
	const struct tv_column *start, *submit, *flag; /* of tasks; NULL if there is none */
	const uint32_t *whole;			       /* as in tasks */
};

/* Tasks that overlap each other from the first submission to the last End. A zeroed list has none. */
struct tv_phase_stretches {
	struct tv_phase_stretch {
		int64_t from, end;
		bool opens; /* a task is known to have been submitted at `from` */
	} * at;
	size_t n, cap;
};

/* Adds the rows of a part of the tasks, which start after all those before; adds the stretches of such a part; and how
 * many phases there are, of tasks with the sums of all parts. Free `at` with tv_free. */
void tv_phase_stretches_add(struct tv_phase_stretches *stretches, const struct tv_tasks *part);
void tv_phase_stretches_put(struct tv_phase_stretches *stretches, struct tv_phase_stretch s);
uint32_t tv_phase_stretches_count(const struct tv_phase_stretches *stretches,
				  const struct tv_tasks *all);

/* The tasks must outlive them. Cost O(n), if rows are sorted by Start. */
void tv_phases_init(struct tv_phases *phases, const struct tv_tasks *tasks);
/* Those of the tasks of each node apart: tasks->nnodes > 0 of them, each to be released. Cost O(n log n). */
void tv_phases_of_nodes(struct tv_phases *phases, const struct tv_tasks *tasks);
void tv_phases_release(struct tv_phases *phases); /* safe on a zeroed struct */

/* The phase of a row of tasks, of any kind; TV_NONE for one that has neither time. */
uint32_t tv_phase_of(const struct tv_phases *phases, uint32_t row);

#endif
