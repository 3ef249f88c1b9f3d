/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slow_type.c -- the finding about a task type that takes longer on some workers than on others of their type. */
#include <string.h>

#include "analysis/core/columns.h"
#include "analysis/core/slow_types.h"
#include "analysis/core/two_sums.h"
#include "analysis/core/worker_words.h"
#include "analysis/diagnose/judged.h"
#include "trace/number.h"
#include "trace/text.h"

static bool is_open(uint8_t class)
{
	return class == TV_LATENESS_REST || class == TV_LATENESS_OUTLIER || class == TV_UNKNOWN_WORK
	    || class == TV_MORE_CPU;
}

static uint64_t rtype_of(const struct tv_tasks *tasks, uint32_t row)
{
	return tasks->workers[tasks->worker[row]].rtype;
}

/* Whether a task is an outlier where its type is slow, too, by more than the type is slow there. own: outliers of their type on their worker. */
static bool is_long_there(const struct tv_tasks *tasks, const struct tv_column *own, uint32_t row,
			  const struct tv_two_sums *sums)
{
	double there = sums->time[1] / sums->n[1], others = sums->time[0] / sums->n[0];

	return !tv_missing(own, row) && tv_number(own, row) != 0 && sums->n[0] > 0 && sums->n[1] > 0
	    && (double)tv_task_time(tasks, row) - there > there - others;
}

int tv_judge_slow_types(struct tv_run *run, uint8_t *class, struct tv_error *err)
{
	const struct tv_tasks *tasks = &run->tasks;
	const struct tv_table *table = tv_run_pass_with(run, "outliers", err, "group",
							"Value,ResourceId", NULL);
	const struct tv_column *own = table == NULL ? NULL : tv_table_in_short(table, "Outlier");
	bool *slow = tv_alloc(tasks->n, sizeof *slow);
	int rc = table == NULL ? -1 : tv_slow_types(run, slow, err);
	struct tv_kind_sums kinds = { 0 };

	for (int pass = 0; pass < 2; pass++)
		for (uint32_t row = 0; rc == 0 && row < tasks->n; row++) {
			struct tv_two_sums *sums;

			if (!tv_evidence_whole(tasks, row))
				continue;
			sums = tv_kind_sums_of(&kinds, tasks->value[row],
					       tv_evidence_rtype(tasks, row));
			if (pass == 0 && class[row] == TV_LATENESS_REST)
				tv_two_sums_add(tasks, NULL, NULL, row, slow[row], sums);
			else if (pass == 1 && slow[row] && is_open(class[row])
				 && !is_long_there(tasks, own, row, sums))
				class[row] = TV_SLOW_THERE;
		}
	tv_kind_sums_release(&kinds);
	tv_free(slow);
	return rc;
}

/* ---- what is said of it ---- */

/* The type with most of the time, and its workers. */
struct slow_type {
	uint32_t value, rtype; /* label; of tasks->rtype */
	bool *slow;	       /* by worker; free with tv_free */
	uint32_t nslow, of, types;
	double ratio; /* mean duration there, over that on the others */
	bool numa;    /* they are those of a NUMA node */
	bool few; /* a quarter of the workers of that type or less, and no node, nor NUMA node */
};

static struct slow_type find_worst(const struct tv_case *c)
{
	const struct tv_tasks *tasks = c->tasks;
	struct slow_type worst = { .slow = tv_alloc(tasks->nworkers, sizeof *worst.slow) };
	int64_t *weight = tv_alloc(tasks->n, sizeof *weight);
	double time[2] = { 0, 0 }, count[2] = { 0, 0 }; /* of others, of these */
	struct tv_map types = { 0 };
	tv_int128 most;

	for (uint32_t row = 0; row < tasks->n; row++)
		if (c->class[row] == TV_SLOW_THERE) {
			uint32_t *of = tv_map_at(&types, tasks->value[row], 0);

			weight[row] = tv_task_time(tasks, row);
			worst.types += *of == TV_NONE;
			*of = 0;
		}
	worst.value = tv_type_with_most(tasks, weight, &most);
	for (uint32_t row = 0; row < tasks->n; row++)
		if (weight[row] > 0 && tasks->value[row] == worst.value) {
			worst.nslow += !worst.slow[tasks->worker[row]];
			worst.slow[tasks->worker[row]] = true;
			worst.rtype = tasks->workers[tasks->worker[row]].rtype;
		}
	for (uint32_t row = 0; row < tasks->n; row++)
		if ((c->class[row] == TV_SLOW_THERE || c->class[row] == TV_LATENESS_REST)
		    && tasks->counted[row] && tasks->value[row] == worst.value
		    && rtype_of(tasks, row) == worst.rtype) {
			bool is = c->class[row] == TV_SLOW_THERE;

			time[is] += (double)tv_task_time(tasks, row);
			count[is]++;
		}
	worst.ratio = time[1] / count[1] / (time[0] / count[0]);
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		worst.of += tasks->workers[w].rtype == worst.rtype;
	tv_map_release(&types);
	tv_free(weight);
	return worst;
}

/* The value of a column that all tasks of the type on these workers have, and none on the others; -1 = there is none. */
static int64_t common_number(const struct tv_case *c, const struct slow_type *worst,
			     const char *column)
{
	const struct tv_column *of = tv_table_find(&c->tasks->trace->table[TV_TASKS], column);
	int64_t number = -1;

	for (int pass = 0; of != NULL && pass < 2; pass++)
		for (uint32_t row = 0; row < c->tasks->n; row++) {
			bool slow;

			if (!c->tasks->counted[row] || c->tasks->value[row] != worst->value)
				continue;
			slow = worst->slow[c->tasks->worker[row]];
			if (tv_missing(of, row) || (slow && number >= 0 && of->i[row] != number)
			    || (!slow && pass == 1 && of->i[row] == number))
				return -1;
			number = slow ? of->i[row] : number;
		}
	return number;
}

/* "node 2" if they are its workers of that type that have tasks of the type; NULL = they are not. */
static char *words_node(const struct tv_case *c, const struct slow_type *worst)
{
	const struct tv_tasks *tasks = c->tasks;
	uint32_t node = TV_NONE;
	char clean[64];

	for (uint32_t w = 0; w < tasks->nworkers; w++)
		if (worst->slow[w]) {
			if (node != TV_NONE && node != tasks->workers[w].node)
				return NULL;
			node = tasks->workers[w].node;
		}
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && tasks->value[row] == worst->value
		    && tasks->workers[tasks->worker[row]].node == node
		    && rtype_of(tasks, row) == worst->rtype && !worst->slow[tasks->worker[row]])
			return NULL;
	return tv_format("node %s",
			 tv_clean_text(clean, sizeof clean,
				       tv_pool_text(tasks->pool, tasks->node[node].label)));
}

/* Where it is slow: a NUMA node, a node, a worker or some workers. Sets `few` and `numa`. */
static char *words_place(const struct tv_case *c, struct slow_type *worst)
{
	const struct tv_tasks *tasks = c->tasks;
	int64_t numa = tasks->nnodes == 1 ? common_number(c, worst, "NumaNode") : -1;
	char clean[64], workers[TV_WORKER_WORDS], *text = NULL;
	uint32_t w = 0;

	worst->numa = numa >= 0;
	if (worst->numa)
		return tv_format("NUMA node %lld", (long long)numa);
	if (tasks->nnodes > 1 && (text = words_node(c, worst)) != NULL)
		return text;
	while (!worst->slow[w])
		w++;
	tv_clean_text(clean, sizeof clean, tv_pool_text(tasks->pool, tasks->workers[w].resource));
	worst->few = 4 * worst->nslow <= worst->of;
	if (worst->nslow == 1)
		return tv_format("worker %s", clean);
	return tv_format(
		"%u of %u %s, such as %s,", worst->nslow, worst->of,
		tv_words_workers(workers,
				 tv_pool_text(tasks->pool, tasks->rtype[worst->rtype].label),
				 false),
		clean);
}

/* Whether half of these tasks, or more, ran on workers with tasks of the class of slow ones. */
static bool is_of_slow_workers(const struct tv_case *c)
{
	const struct tv_tasks *tasks = c->tasks;
	bool *slow = tv_alloc(tasks->nworkers, sizeof *slow);
	uint32_t n = 0, all = 0;

	for (uint32_t row = 0; row < tasks->n; row++)
		if (c->class[row] == TV_LATENESS_SLOW_WORKER)
			slow[tasks->worker[row]] = true;
	for (uint32_t row = 0; row < tasks->n; row++)
		if (c->class[row] == TV_SLOW_THERE) {
			n += slow[tasks->worker[row]];
			all++;
		}
	tv_free(slow);
	return 2 * (uint64_t)n >= all;
}

/* Whether it is the workers that are slow, not memory that is far from them: nine tenths of what they run is, and of all types by the same factor. */
static bool are_slow_workers(const struct tv_case *c, const struct slow_type *worst)
{
	const struct tv_tasks *tasks = c->tasks;
	uint32_t n = 0, all = 0;

	for (uint32_t row = 0; row < tasks->n; row++) {
		bool is = c->class[row] == TV_SLOW_THERE;

		if (!tasks->counted[row] || !tv_row_begins(tasks, row))
			continue;
		if (is && !worst->slow[tasks->worker[row]])
			return false;
		n += is;
		all += worst->slow[tasks->worker[row]];
	}
	return !worst->numa && n >= 0.9 * all && tv_case_same_factor(c, TV_SLOW_THERE);
}

static void describe_type(const struct tv_case *c, const struct slow_type *worst, const char *place,
			  int64_t longer_ns, struct tv_found *found)
{
	char clean[64], longer[32];

	tv_clean_text(clean, sizeof clean, tv_pool_text(c->tasks->pool, worst->value));
	found->title = tv_format("%s takes longer on %.*s", clean,
				 (int)(strlen(place) - tv_ends_in(place, ",")), place);
	found->text = tv_format("%s takes %.2f times as long on %s as on the others%s: tasks "
				"there took %s longer in all than others of their type.",
				clean, worst->ratio, place,
				worst->types == 1   ? ""
				: worst->types == 2 ? ", and another type is slow on some workers"
						    : ", and other types are slow on some workers",
				tv_words_time(longer, longer_ns));
}

/* Where it is the workers that are slow, and so the type does not matter. */
static void describe_workers(const struct tv_case *c, const struct slow_type *worst,
			     const char *place, int64_t longer_ns, struct tv_found *found)
{
	bool device = tv_is_device_type(
		tv_pool_text(c->tasks->pool, c->tasks->rtype[worst->rtype].label));
	char longer[32];

	found->title = tv_format("tasks take longer on %.*s",
				 (int)(strlen(place) - tv_ends_in(place, ",")), place);
	found->text = tv_format("Tasks take about %.2f times as long on %s as on the others, "
				"whatever their type: they took %s longer in all.",
				worst->ratio, place, tv_words_time(longer, longer_ns));
	found->action = device ? "Check the clocks of these devices, their temperature, their "
				 "limits of power, and what else uses them."
			       : "Check the clocks of these workers, their temperature, and what "
				 "else runs on their cores: a second thread where two share a "
				 "core, or another program.";
}

static int find_slow_type(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const uint8_t *class = tv_case_classes(c->run, err);
	struct slow_type worst;
	bool unknown, workers;
	char *place;

	if (class == NULL)
		return -1;
	tv_case_measure_class(c, class, TV_SLOW_THERE, found);
	if (!found->holds)
		return 0;
	worst = find_worst(c);
	place = words_place(c, &worst);
	if ((workers = are_slow_workers(c, &worst)))
		describe_workers(c, &worst, place, found->worker_ns, found);
	else
		describe_type(c, &worst, place, found->worker_ns, found);
	unknown = !workers && !tv_case_knows_work(c);
	/* Where they may have more work, nobody would be as fast with them; but a few workers of a node seldom get other tasks
	 * than the rest. */
	found->alone = unknown && !worst.few;
	found->apart = !is_of_slow_workers(c);
	if (unknown)
		tv_append(&found->text, " The trace does not show whether they had more work.");
	if (!workers)
		found->picture = tv_case_highlight(
			"Value", tv_pool_text(c->tasks->pool, worst.value), NULL, NULL);
	tv_free(place);
	tv_free(worst.slow);
	return 0;
}

const struct tv_rule tv_rule_slow_type = {
	.id = "slow-type",
	.title = "a task type takes longer on some workers than on others of their type",
	.condition =
		"nine tenths of the tasks of a type on each of these workers take longer than "
		"nine tenths on each of the others, by a factor of 1.25 between their medians, "
		"for 1 % of the makespan; or deviating-resources reports one type of a worker, "
		"and not its others, with a ratio of 2; neither GFlop (else Size) nor task-clock "
		"explains it",
	.measures = "WorkerTime: their time above the mean of the others of their type; Measure: "
		    "the same times the price of the workers",
	.action = "Look at where the data of these tasks are, as memory of another NUMA node is "
		  "slower, and whether the work is the same.",
	.how = "Data are near the worker that writes them first: let those that use them do that, "
	       "or run the tasks near their data.",
	.in.starpu = "STARPU_SCHED=dmda with STARPU_USE_NUMA=1",
	.in.openmp = "OMP_PLACES=numa_domains, and the clause affinity",
	.picture = "--panels spacetime,durations",
	.without = TV_WITHOUT_SLOW_PLACES,
	.see = "slow-worker",
	.durations = true,
	.find = find_slow_type,
};
