/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slow_workers.c -- what tasks take on other workers than slow ones, and others on these. */
#include "sim/model/slow_workers.h"

#include <math.h>
#include <string.h>

#include "analysis/core/slow_members.h"
#include "sim/model/costs.h"
#include "trace/alloc.h"
#include "trace/text.h"

/* A worker of that name and type that is no stream of a device; TV_NONE = there is none. */
static uint32_t worker_of(const struct tv_tasks *tasks, const struct tv_slow_member *member)
{
	for (uint32_t w = 0; w < tasks->nworkers && !member->is_node; w++) {
		const struct tv_worker *worker = &tasks->workers[w];
		const char *rtype = tv_pool_text(tasks->pool, tasks->rtype[worker->rtype].label);

		if (!worker->shared && strcmp(rtype, member->rtype) == 0
		    && strcmp(tv_pool_text(tasks->pool, worker->resource), member->member) == 0)
			return w;
	}
	return TV_NONE;
}

/* Of the tasks of a slow worker in the time in which it is slow. */
static void mark(struct tv_costs *c, uint32_t worker, const struct tv_slow_member *member)
{
	const struct tv_tasks *tasks = c->dag->tasks;

	for (uint32_t v = 0; v < c->dag->n; v++) {
		uint32_t row = c->dag->row[v];

		if (c->job[v].type == TV_NONE || c->job[v].own < 0 || tasks->worker[row] != worker
		    || (member->timed
			&& (tasks->start[row] < member->begin || tasks->start[row] > member->end)))
			continue;
		c->slow.recorded[v] = (float)member->ratio;
	}
}

/* Takes from the mean durations what tasks took longer on slow workers. */
static void correct_means(struct tv_costs *c)
{
	size_t npairs = (size_t)c->ntypes * c->nrtypes;
	double *sum = tv_alloc(npairs, sizeof *sum), *all = tv_alloc(npairs, sizeof *all);

	for (uint32_t v = 0; v < c->dag->n; v++) {
		size_t pair = (size_t)c->job[v].type * c->nrtypes + c->job[v].own_rtype;

		if (c->job[v].type == TV_NONE || c->job[v].own < 0)
			continue;
		all[pair] += (double)c->job[v].own;
		sum[pair] += (double)c->job[v].own / (double)c->slow.recorded[v];
	}
	for (size_t i = 0; i < npairs; i++)
		c->time[i] *= all[i] > 0 ? sum[i] / all[i] : 1;
	tv_free(sum);
	tv_free(all);
}

void tv_slow_workers_init(struct tv_costs *c, struct tv_run *run)
{
	struct tv_slow_member *list;
	struct tv_error ignored;
	uint32_t n;

	if (run->tasks.ncounted == 0 || tv_slow_members(run, &list, &n, &ignored) < 0)
		return;
	for (uint32_t i = 0; i < n && c->slow.n < TV_SLOW_WORKERS_MAX; i++) {
		uint32_t worker = worker_of(&run->tasks, &list[i]);

		if (worker == TV_NONE || tv_slow_worker_find(&c->slow, worker) != TV_NONE)
			continue;
		if (c->slow.n == 0) {
			c->slow.recorded = tv_alloc(c->dag->n, sizeof *c->slow.recorded);
			c->slow.longer = tv_alloc(c->dag->n, sizeof *c->slow.longer);
			for (uint32_t v = 0; v < c->dag->n; v++)
				c->slow.recorded[v] = 1;
		}
		c->slow.at[c->slow.n++].worker = worker;
		mark(c, worker, &list[i]);
	}
	tv_free(list);
	if (c->slow.n == 0)
		return;
	correct_means(c);
	tv_slow_workers_update(c);
}

/* What a speed divides the recorded duration of a job by. */
static double speed_of(const struct tv_costs *c, uint32_t node)
{
	return c->factor == NULL ? 1
				 : c->factor[(size_t)node * c->nrtypes + c->job[node].own_rtype];
}

/* By pair of types: the mean speed of the tasks of workers that are not slow; 0 = there are none. Free with tv_free. */
static double *usual_speeds(const struct tv_costs *c)
{
	size_t npairs = (size_t)c->ntypes * c->nrtypes;
	double *mean = tv_alloc(npairs, sizeof *mean), *n = tv_alloc(npairs, sizeof *n);

	for (uint32_t v = 0; v < c->dag->n; v++) {
		size_t pair = (size_t)c->job[v].type * c->nrtypes + c->job[v].own_rtype;

		if (c->job[v].type == TV_NONE || c->job[v].own < 0 || c->slow.recorded[v] > 1)
			continue;
		mean[pair] += speed_of(c, v);
		n[pair]++;
	}
	for (size_t i = 0; i < npairs; i++)
		mean[i] = n[i] > 0 ? mean[i] / n[i] : 0;
	tv_free(n);
	return mean;
}

static void find_ratio(struct tv_costs *c, struct tv_slow_worker *slow)
{
	const struct tv_tasks *tasks = c->dag->tasks;
	double there = 0, elsewhere = 0;

	for (uint32_t v = 0; v < c->dag->n; v++)
		if (c->job[v].type != TV_NONE && c->job[v].own >= 0
		    && tasks->worker[c->dag->row[v]] == slow->worker) {
			double time = (double)c->job[v].own / speed_of(c, v);

			there += time;
			elsewhere += time / (double)c->slow.longer[v];
		}
	slow->ratio = elsewhere > 0 ? there / elsewhere : 1;
}

void tv_slow_workers_update(struct tv_costs *c)
{
	double *usual;

	if (c->slow.n == 0)
		return;
	usual = usual_speeds(c);
	for (uint32_t v = 0; v < c->dag->n; v++) {
		size_t pair = (size_t)c->job[v].type * c->nrtypes + c->job[v].own_rtype;
		double longer = (double)c->slow.recorded[v];

		if (longer > 1 && usual[pair] > 0)
			longer = fmax(1, longer * usual[pair] / speed_of(c, v));
		c->slow.longer[v] = (float)longer;
	}
	for (uint32_t i = 0; i < c->slow.n; i++)
		find_ratio(c, &c->slow.at[i]);
	tv_free(usual);
}

void tv_slow_workers_release(struct tv_slow_workers *slow)
{
	tv_free(slow->recorded);
	tv_free(slow->longer);
	*slow = (struct tv_slow_workers){ 0 };
}

uint32_t tv_slow_worker_find(const struct tv_slow_workers *slow, uint32_t worker)
{
	for (uint32_t i = 0; i < slow->n; i++)
		if (slow->at[i].worker == worker)
			return i;
	return TV_NONE;
}

char *tv_slow_workers_text(const struct tv_costs *c)
{
	const struct tv_tasks *tasks = c->dag->tasks;
	char *text = NULL, name[64];

	for (uint32_t i = 0; i < c->slow.n && i < 3; i++)
		tv_append(
			&text, "%s%s%s %.2f times%s", text == NULL ? "" : ", ",
			tv_clean_text(name, sizeof name,
				      tv_pool_text(tasks->pool,
						   tasks->workers[c->slow.at[i].worker].resource)),
			i == 0 ? " takes" : "", c->slow.at[i].ratio,
			i == 0 ? " as long as others for each task" : "");
	if (c->slow.n > 3)
		tv_append(&text, " and %u more", c->slow.n - 3);
	return text;
}

void tv_slow_workers_note(const struct tv_costs *c, struct tv_run *run, bool resources)
{
	char *text = tv_slow_workers_text(c);

	if (text != NULL)
		tv_diagnose(tv_run_diagnostics(run), TV_NOTE, (struct tv_pos){ 0 },
			    "assumed of slow workers: %s, and their tasks take no longer than "
			    "those of others on other workers%s",
			    text, resources ? "; no worker of the new machine is slow" : "");
	tv_free(text);
}
