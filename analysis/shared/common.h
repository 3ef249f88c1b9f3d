/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * common.h -- what several passes compute: mean durations, the area bound, warnings.
 */
#ifndef TV_COMMON_H
#define TV_COMMON_H

#include "analysis/passes.h"
#include "trace/groups.h"

__extension__ typedef __int128 tv_int128;

/* The types of the counted tasks, in natural order of their names. */
struct tv_types {
	uint32_t n;
	uint32_t *label; /* n; TV_NONE = tasks without Value */
	uint32_t *place; /* by label, and last for a missing Value: TV_NONE = none of them */
	uint32_t nlabels;
};
void tv_types_init(struct tv_types *types, const struct tv_tasks *tasks);
void tv_types_release(struct tv_types *types); /* safe on a zeroed struct */
/* Index of a counted row's type. */
uint32_t tv_types_place(const struct tv_types *types, const struct tv_tasks *tasks, uint32_t row);

/* The executions of one task type on one resource type. */
struct tv_pair {
	int64_t executions; /* a team has one per worker */
	double tasks;	    /* a team is one */
	tv_int128 time;	    /* sum of the executions, ns */
};

/* w(t,r) of one node, or of the whole run. */
struct tv_means {
	uint32_t node;	/* index into view->node; TV_NONE = the whole run */
	int64_t finish; /* last End, ns */
	uint32_t ntypes, nrtypes;
	uint32_t *type;	      /* ntypes: labels, in natural order of their text */
	int64_t *workers;     /* nrtypes: N(r) of this node */
	struct tv_pair *pair; /* ntypes x nrtypes; rtype as in the view */
};

/* The whole run first, then, where there are several, every node that has counted tasks. */
struct tv_estimates {
	uint32_t n;
	struct tv_means *means;
};

/* Cost O(rows + pairs). */
void tv_estimates_init(struct tv_estimates *estimates, const struct tv_tasks *tasks);
void tv_estimates_release(struct tv_estimates *estimates);

/* Mean duration of a pair in ns, its executions > 0: rounded half up, or as a number. */
int64_t tv_mean_ns(const struct tv_pair *pair);
double tv_mean(const struct tv_pair *pair);

/* The area bound of these means in ns, and the ideal numbers of tasks (ntypes x nrtypes). */
int tv_means_area(const struct tv_means *means, double *bound_ns, double *ideal,
		  struct tv_error *err) TV_MUST_CHECK;

/* A sum of times as a time: at most INT64_MAX, 292 years. */
static inline int64_t tv_sum_ns(tv_int128 sum_ns)
{
	return sum_ns > INT64_MAX ? INT64_MAX : (int64_t)sum_ns;
}

/* Duration of a row that was executed, ns. */
static inline int64_t tv_row_time(const struct tv_tasks *tasks, uint32_t row)
{
	return tasks->end[row] - tasks->start[row];
}

/* Sorts rows by Start; equal ones by row. */
void tv_sort_rows(const struct tv_tasks *tasks, uint32_t *row, size_t n);

/* Adds the columns of a pass's result: column[i] is that of field[i], room for n. */
int tv_add_fields(struct tv_table *out, const struct tv_field *field, size_t n,
		  struct tv_column **column, struct tv_error *err) TV_MUST_CHECK;

/* A cell as a number: times in ns; text is read, so that columns of other tools can be used. */
bool tv_cell_number(const struct tv_column *column, uint32_t row, double *value);
/* The column of tasks that an option names, if it can hold numbers; NULL with *err. */
const struct tv_column *tv_number_column(const struct tv_tasks *tasks, const char *option,
					 const char *name, struct tv_error *err);
/* What durations are measured against by a regression: the column --against, or for NULL GFlop, or
 * else Size. NULL with *err if there is none. */
const struct tv_column *tv_work_column(const struct tv_tasks *tasks, const char *against,
				       struct tv_error *err);

/* --can-run; the choice 1 is anywhere. */
#define TV_OPTION_CAN_RUN \
	{ \
		"can-run", "observed|anywhere", "observed", \
			"worker types on which a task can run", TV_OPTION_CHOICE, 0, 0 \
	}

/* Workers that the task of a row needs: 1, or those of its team. */
static inline double tv_team_of(const struct tv_tasks *tasks, uint32_t row)
{
	return tasks->team != NULL && !tv_missing(tasks->team, row) && tasks->team->i[row] > 1
		     ? (double)tasks->team->i[row]
		     : 1;
}

/* Remarks: executions that are not counted, by type; workers that the trace does not declare. */
void tv_warn_left_out(struct tv_run *run);
void tv_warn_workers(struct tv_run *run);
/* For the notes of passes that follow dependencies or releases. */
#define TV_EXCLUSION_NOTES \
	"Tasks whose Modes of a handle commute (RWC) take it one at a time: a task also waits\n" \
	"for the one that held its handle last (an exclusion, in the order observed).\n"

/* What is wrong with the task graph: no dependencies at all; some on jobs that occur nowhere. */
int tv_warn_graph(struct tv_run *run, struct tv_error *err) TV_MUST_CHECK;

#endif
