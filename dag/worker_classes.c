/* SPDX-License-Identifier: GPL-3.0-or-later */
/* worker_classes.c -- worker types that ran the same task types, and the sets of them that task types ran on. */
#include "dag/worker_classes.h"

#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/sorted.h"

void tv_ran_add(struct tv_ran *ran, const struct tv_tasks *tasks)
{
	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t type, *place;

		if (!tasks->counted[row])
			continue;
		type = tasks->workers[tasks->worker[row]].rtype;
		place = tv_map_at(&ran->seen, type, tasks->value[row]);
		if (*place != TV_NONE)
			continue;
		*place = 0;
		TV_GROW(ran->at, ran->n, ran->cap, 1);
		ran->at[ran->n++] = (struct tv_ran_pair){ tasks->value[row], type };
	}
}

void tv_ran_release(struct tv_ran *ran)
{
	tv_map_release(&ran->seen);
	tv_free(ran->at);
	*ran = (struct tv_ran){ 0 };
}

TV_ORDER(by_task_type, struct tv_ran_pair, task_type, worker_type)

/* Worker types that ran the same task types get one number: each task type separates those that ran it. */
static void fold_types(const struct tv_tasks *tasks, const struct tv_ran *ran, uint32_t *group)
{
	struct tv_map apart = { 0 };
	uint32_t next = 1;

	for (uint32_t r = 0; r < tasks->nrtypes; r++)
		group[r] = 0;
	for (size_t i = 0; i < ran->n; i++) {
		uint32_t *its = &group[ran->at[i].worker_type];
		uint32_t *to = tv_map_at(&apart, *its, ran->at[i].task_type);

		if (*to == TV_NONE)
			*to = next++;
		*its = *to;
	}
	tv_map_release(&apart);
}

static int fail(struct tv_error *err)
{
	return tv_fail(
		err,
		"more than %d types of workers, or %d sets of them, ran different task types: "
		"give --can-run anywhere, so that types make no difference",
		TV_CLASSES_MAX, TV_SETS_MAX);
}

/* Numbers the groups of the worker types that ran as classes, those with few workers first. */
static int number_groups(struct tv_worker_classes *classes, const struct tv_tasks *tasks,
			 const bool *ran, const uint32_t *group, struct tv_error *err)
{
	struct tv_index workers = { 0 }; /* by group */
	int rc = 0;

	for (uint32_t r = 0; r < tasks->nrtypes; r++) {
		uint32_t before = tv_index_get(&workers, group[r]);

		classes->of[r] = TV_NONE;
		tv_index_set(&workers, group[r],
			     tasks->rtype[r].nworkers + (before == TV_NONE ? 0 : before));
	}
	while (rc == 0) {
		uint32_t next = TV_NONE;

		for (uint32_t r = 0; r < tasks->nrtypes; r++)
			if (ran[r] && classes->of[r] == TV_NONE
			    && (next == TV_NONE
				|| tv_index_get(&workers, group[r])
					   < tv_index_get(&workers, group[next])))
				next = r;
		if (next == TV_NONE)
			break;
		if (classes->n == TV_CLASSES_MAX)
			rc = fail(err);
		for (uint32_t r = 0; r < tasks->nrtypes; r++)
			if (ran[r] && group[r] == group[next])
				classes->of[r] = classes->n;
		classes->n++;
	}
	tv_free(workers.at);
	return rc;
}

/* Each worker type that ran is a class; where they are too many, those that ran the same task types are one. */
static int number_classes(struct tv_worker_classes *classes, const struct tv_ran *ran,
			  const struct tv_tasks *tasks, struct tv_error *err)
{
	uint32_t *group = tv_alloc(tasks->nrtypes, sizeof *group), n = 0;
	bool *any = tv_alloc(tasks->nrtypes, sizeof *any);
	int rc;

	for (size_t i = 0; i < ran->n; i++)
		any[ran->at[i].worker_type] = true;
	for (uint32_t r = 0; r < tasks->nrtypes; r++) {
		group[r] = r;
		n += any[r];
	}
	if (n > TV_CLASSES_APART)
		fold_types(tasks, ran, group);
	rc = number_groups(classes, tasks, any, group, err);
	tv_free(group);
	tv_free(any);
	return rc;
}

/* Numbers the sets of classes, from mask[t] of task type t; of a type that never ran nothing is known. */
static int number_sets(struct tv_worker_classes *classes, const uint64_t *mask,
		       struct tv_error *err)
{
	struct tv_map number = { 0 };

	classes->set[0] = classes->n > 0 ? UINT64_MAX >> (64 - classes->n) : 0;
	classes->nsets = 1;
	tv_map_put(&number, classes->set[0], 0, 0);
	for (uint32_t t = 0; t <= classes->nlabels; t++) {
		uint32_t *its;

		if (mask[t] == 0)
			continue;
		its = tv_map_at(&number, mask[t], 0);
		if (*its == TV_NONE && classes->nsets == TV_SETS_MAX) {
			tv_map_release(&number);
			return fail(err);
		}
		if (*its == TV_NONE) {
			*its = classes->nsets;
			classes->set[classes->nsets++] = mask[t];
		}
		classes->runs[t] = (uint8_t)*its;
	}
	tv_map_release(&number);
	return 0;
}

void tv_worker_classes_init_any(struct tv_worker_classes *classes, const struct tv_tasks *tasks)
{
	*classes = (struct tv_worker_classes){ .set = { 1 }, .n = 1, .nsets = 1 };
	classes->of = tv_alloc(tasks->nrtypes, sizeof *classes->of);
	classes->runs = tv_alloc(1, sizeof *classes->runs);
}

int tv_worker_classes_init(struct tv_worker_classes *classes, struct tv_ran *ran,
			   const struct tv_tasks *tasks, struct tv_error *err)
{
	uint64_t *mask; /* by label, the last one for a missing type */
	int rc;

	*classes = (struct tv_worker_classes){ 0 };
	if (ran->n > 1)
		qsort(ran->at, ran->n, sizeof *ran->at, by_task_type);
	for (size_t i = 0; i < ran->n; i++)
		if (ran->at[i].task_type != TV_NONE)
			classes->nlabels = ran->at[i].task_type + 1;
	classes->of = tv_alloc(tasks->nrtypes, sizeof *classes->of);
	classes->runs = tv_alloc((size_t)classes->nlabels + 1, sizeof *classes->runs);
	rc = number_classes(classes, ran, tasks, err);
	mask = tv_alloc((size_t)classes->nlabels + 1, sizeof *mask);
	for (size_t i = 0; i < ran->n && rc == 0; i++) {
		uint32_t type = ran->at[i].task_type;

		mask[type == TV_NONE ? classes->nlabels : type] |=
			UINT64_C(1) << classes->of[ran->at[i].worker_type];
	}
	rc = rc < 0 ? rc : number_sets(classes, mask, err);
	tv_free(mask);
	if (rc < 0)
		tv_worker_classes_release(classes);
	return rc;
}

void tv_worker_classes_release(struct tv_worker_classes *classes)
{
	tv_free(classes->of);
	tv_free(classes->runs);
	*classes = (struct tv_worker_classes){ 0 };
}
