/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slow_worker.c -- the finding about a worker, device or node that is slower than others. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "analysis/core/lateness.h"
#include "analysis/core/two_sums.h"
#include "analysis/core/worker_words.h"
#include "analysis/diagnose/evidence.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/text.h"

/* Tasks of a type, slow ones and others, that show by what factor it is longer. */
enum { TYPE_MIN = 3 };

/* Workers with tasks of the class of slow ones. Free with tv_free. */
static bool *list_slow(const struct tv_case *c)
{
	const struct tv_tasks *tasks = c->tasks;
	bool *slow = tv_alloc(tasks->nworkers, sizeof *slow);

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && c->class[row] == TV_LATENESS_SLOW_WORKER)
			slow[tasks->worker[row]] = true;
	return slow;
}

/* Whether the worker of a row is on a node that is slow as a whole: that is slow, and so are its workers, two or more, each by half as
 * much or more. */
static bool is_of_slow_node(const struct tv_table *table, uint32_t row)
{
	const struct tv_column *ratio = tv_table_find(table, "Ratio");
	uint32_t node = TV_NONE, n = 0;
	double least = INFINITY;

	for (uint32_t i = 0; i < table->nrows; i++) {
		if (tv_label(tv_table_find(table, "Node"), i)
			    != tv_label(tv_table_find(table, "Node"), row)
		    || tv_label(tv_table_find(table, "ResourceType"), i)
			       != tv_label(tv_table_find(table, "ResourceType"), row)
		    || !tv_missing(tv_table_find(table, "Median"), i))
			continue;
		if (tv_table_is(table, "Scope", i, "node")) {
			node = i;
		} else {
			least = fmin(least, ratio->d[i]);
			n++;
		}
	}
	return node != TV_NONE && n > 1 && tv_is_slow(table, node)
	    && 2 * (least - 1) >= ratio->d[node] - 1;
}

/* Whether a row of deviating-resources is about a member, all task types together, that has slow workers; not a worker of a slow node. */
static bool is_slow_member(const struct tv_case *c, const bool *slow, const struct tv_table *table,
			   uint32_t row)
{
	const char *scope = tv_table_text(table, "Scope", row);
	uint32_t member = tv_label(tv_table_find(table, "Member"), row);
	bool worker = strcmp(scope, "worker") == 0, node = strcmp(scope, "node") == 0;

	if (!tv_missing(tv_table_find(table, "Median"), row)
	    || tv_table_find(table, "Ratio")->d[row] <= 1)
		return false;
	if (!worker && !node)
		return tv_is_slow(table, row);
	/* A worker may be slow by evidence alone (evidence.h), with too few tasks for the test. */
	for (uint32_t w = 0; w < c->tasks->nworkers; w++)
		if (slow[w]
		    && (worker ? c->tasks->workers[w].resource
			       : c->tasks->node[c->tasks->workers[w].node].label)
			       == member)
			return worker ? !is_of_slow_node(table, row) : tv_is_slow(table, row);
	return false;
}

/* The slowest such member; TV_NONE = none. *n: how many of its scope, as a worker and its device may both be members. */
static uint32_t slowest(const struct tv_case *c, const struct tv_table *table, uint32_t *n)
{
	const struct tv_column *ratio = tv_table_find(table, "Ratio"),
			       *scope = tv_table_find(table, "Scope");
	bool *slow = list_slow(c);
	uint32_t best = TV_NONE;

	for (uint32_t row = 0; row < table->nrows; row++)
		if (is_slow_member(c, slow, table, row)
		    && (best == TV_NONE || ratio->d[row] > ratio->d[best]))
			best = row;
	*n = 0;
	for (uint32_t row = 0; row < table->nrows && best != TV_NONE; row++)
		*n += is_slow_member(c, slow, table, row)
		   && tv_label(scope, row) == tv_label(scope, best);
	tv_free(slow);
	return best;
}

/* " It was busy for 4.7 s, the others for 2.1 s on average." of a worker; "" of another scope. busy: by
 * worker. */
static char *busy_text(const struct tv_case *c, const char *scope, uint32_t member,
		       const struct tv_column *busy)
{
	const struct tv_tasks *tasks = c->tasks;
	tv_int128 own = 0, others = 0;
	uint32_t rtype = TV_NONE, n = 0;
	char time[2][32];

	for (uint32_t w = 0; w < tasks->nworkers; w++)
		if (tasks->workers[w].resource == member)
			rtype = tasks->workers[w].rtype;
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		if (tasks->workers[w].rtype == rtype) {
			*(tasks->workers[w].resource == member ? &own : &others) += busy->i[w];
			n++;
		}
	if (strcmp(scope, "worker") != 0 || n < 2
	    || fabsl((long double)own * (n - 1) - (long double)others)
		       < 0.05L * (long double)others)
		return tv_strdup("");
	return tv_format(" It was busy for %s, the others for %s on average.",
			 tv_words_time(time[0], tv_sum_ns(own)),
			 tv_words_time(time[1], tv_sum_ns(others / (n - 1))));
}

/* The column of tasks that has the name of a worker. */
static const char *column_of(const struct tv_case *c, uint32_t worker)
{
	uint32_t w = 0;

	while (w + 1 < c->tasks->nworkers && c->tasks->workers[w].resource != worker)
		w++;
	return c->tasks->workers[w].shared ? "Device" : "ResourceId";
}

/* Workers, or a node, that are slow for a time, or at times. */
struct slow_time {
	uint32_t worker; /* the only one, or one of several; TV_NONE = there is none */
	uint32_t node;	 /* if not TV_NONE, it is */
	uint32_t workers;
	bool spread;	 /* there are several times, and most of their tasks are at none of them */
	uint32_t n, all; /* tasks that are slow; of these workers: then, if spread all */
	int64_t begin, end;
};

/* Of the workers with tasks of the class of slow ones: when, n, the node; not if nine tenths of their tasks are slow. */
static struct slow_time list_slow_times(const struct tv_case *c, const bool *slow)
{
	const struct tv_tasks *tasks = c->tasks;
	struct slow_time time = { .worker = TV_NONE, .begin = INT64_MAX, .end = INT64_MIN };

	for (uint32_t row = 0; row < tasks->n; row++) {
		if (!tasks->counted[row] || c->class[row] != TV_LATENESS_SLOW_WORKER)
			continue;
		time.begin = tasks->start[row] < time.begin ? tasks->start[row] : time.begin;
		time.end = tasks->end[row] > time.end ? tasks->end[row] : time.end;
		time.n++;
	}
	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		if (!slow[w])
			continue;
		time.node = time.workers == 0 || tasks->workers[w].node == time.node
				  ? tasks->workers[w].node
				  : TV_NONE;
		time.worker = time.workers++ == 0 ? w : time.worker;
	}
	if (time.workers < 2 || tasks->nnodes < 2)
		time.node = TV_NONE;
	return time;
}

/* If most of these tasks are slow for a time, others before or after it are not, and half of these at most are long; or fewer than half
 * of all are slow. */
static struct slow_time find_slow_time(const struct tv_case *c)
{
	const struct tv_tasks *tasks = c->tasks;
	bool *slow = list_slow(c);
	struct slow_time time = list_slow_times(c, slow);
	uint32_t all = 0, longs = 0;

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row]
		    && (time.node != TV_NONE ? tasks->workers[tasks->worker[row]].node == time.node
					     : slow[tasks->worker[row]])) {
			bool in = tasks->start[row] >= time.begin && tasks->end[row] <= time.end;

			all++;
			time.all += in;
			longs += !in
			      && (c->class[row] == TV_LATENESS_OUTLIER || c->class[row] == TV_WAITED
				  || tv_is_unequal(c->class[row]));
		}
	tv_free(slow);
	time.spread = time.n < 0.9 * time.all || 2 * longs > all - time.all;
	if (time.spread)
		time.all = all;
	if (time.n >= 0.9 * all || (time.spread && 2 * time.n >= all))
		time.worker = TV_NONE;
	return time;
}

static void describe_slow_time(const struct tv_case *c, const struct slow_time *slow, bool doubt,
			       struct tv_found *found)
{
	const struct tv_tasks *tasks = c->tasks;
	bool node = slow->node != TV_NONE, last = slow->end >= tasks->finish - c->min_ns,
	     several = !node && slow->workers > 1;
	uint32_t resource = tasks->workers[slow->worker].resource;
	const char *name = tv_pool_text(tasks->pool,
					node ? tasks->node[slow->node].label : resource),
		   *when = slow->spread ? "at times" : "for a time";
	char clean[64], from[TV_WORDS_INSTANT], length[32], more[32], of[32] = "", place[96];

	if (slow->n < slow->all)
		snprintf(of, sizeof of, "%u of ", slow->n);
	tv_clean_text(clean, sizeof clean, name);
	if (several)
		snprintf(place, sizeof place, "%u workers", slow->workers);
	else
		snprintf(place, sizeof place, "%s %s", node ? "node" : "worker", clean);
	found->title = doubt ? tv_format("tasks on %s take longer than others %s", place, when)
			     : tv_format("%s %s slower than the others %s", place,
					 several ? "are" : "is", when);
	if (several)
		snprintf(place, sizeof place, "%u workers, such as %s,", slow->workers, clean);
	found->text = slow->spread
			    ? tv_strdup("")
			    : tv_format("From %s on, %s%s, ",
					tv_words_instant(from, c, slow->begin),
					last ? "up to the end" : "for ",
					last ? "" : tv_words_time(length, slow->end - slow->begin));
	tv_append(&found->text,
		  "%sthe %u tasks on %s took %s longer in all than others of their type.", of,
		  slow->all, place, tv_words_time(more, found->worker_ns));
	if (doubt)
		tv_append(&found->text,
			  " The trace does not show whether these tasks had more work.");
	if (!several)
		found->picture = tv_case_highlight_during(node ? "Node" : column_of(c, resource),
							  name, slow->begin, slow->end);
	found->command = tv_case_plot(c, "slow-worker", "--panels spacetime", slow->begin,
				      slow->end);
}

/* Measures the tasks of slow workers; if they lacked a processor for half of what they took longer, that is the cause. */
static void measure_slow(const struct tv_case *c, struct tv_found *found)
{
	bool *slow = list_slow(c);
	double without = 0;

	tv_case_measure_class(c, c->class, TV_LATENESS_SLOW_WORKER, found);
	for (uint32_t w = 0; w < c->tasks->nworkers; w++)
		without += slow[w] ? tv_case_starved(c, w) : 0;
	found->see = 2 * without >= (double)found->worker_ns ? "preempted" : NULL;
	tv_free(slow);
}

#define THREADS_THERE \
	"its clock, its temperature and what else runs there: the thread that submits, the one " \
	"for MPI, another program."
#define DEVICE_THERE \
	"its clock, its temperature, its limit of power, its link to the host and what else uses " \
	"it."
#define COMPARE_FIRST \
	"Compare what its tasks compute with what others do: if that is more, divide it evenly, " \
	"else check "

bool tv_is_device_type(const char *rtype)
{
	return tv_is_processor(rtype) && strcasecmp(rtype, "CPU") != 0;
}

/* Of a device the advice about threads does not fit. doubt: its tasks may have more work. */
static const char *slow_action(const char *rtype, bool doubt)
{
	if (tv_is_device_type(rtype))
		return doubt ? COMPARE_FIRST DEVICE_THERE : "Check " DEVICE_THERE;
	return doubt ? COMPARE_FIRST THREADS_THERE : NULL;
}

bool tv_case_same_factor(const struct tv_case *c, uint8_t class)
{
	const struct tv_tasks *tasks = c->tasks;
	struct tv_kind_sums kinds = { 0 };
	uint32_t types = 0;
	double least = INFINITY, most = 0;

	for (uint32_t row = 0; row < tasks->n; row++) {
		bool slow = c->class[row] == class;

		if (!tasks->counted[row] || !tv_row_begins(tasks, row)
		    || (!slow && c->class[row] != TV_LATENESS_REST))
			continue;
		tv_two_sums_add(tasks, NULL, NULL, row, slow,
				tv_kind_sums_of(&kinds, tasks->value[row],
						tasks->workers[tasks->worker[row]].rtype));
	}
	for (size_t i = 0; i < kinds.n; i++) {
		const struct tv_two_sums *sums = &kinds.at[i];
		double factor = 1 + tv_two_sums_above(sums->time, sums->n);

		if (sums->n[0] < TYPE_MIN || sums->n[1] < TYPE_MIN)
			continue;
		least = fmin(least, factor);
		most = fmax(most, factor);
		types++;
	}
	tv_kind_sums_release(&kinds);
	return types > 1 && most <= 1.2 * least;
}

static int find_slow_worker(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const struct tv_table *table = tv_run_slow(c->run, err), *idleness;
	char member[64], scope[16], rtype[64], workers[TV_WORKER_WORDS], more[40] = "", listed[48],
									 *busy;
	struct slow_time slow = find_slow_time(c);
	uint32_t row, n;
	bool worker, doubt;

	if (table == NULL)
		return -1;
	row = slowest(c, table, &n);
	/* Of one that is slow nearly all the time, the ratio says more. */
	if (slow.spread && row != TV_NONE && tv_slow_ratio(table, row) >= 1.1)
		slow.worker = TV_NONE;
	if (slow.worker == TV_NONE && row == TV_NONE)
		return 0;
	doubt = !tv_case_knows_work(c) && !tv_case_same_factor(c, TV_LATENESS_SLOW_WORKER);
	if (slow.worker != TV_NONE) {
		measure_slow(c, found);
		found->action = slow_action(
			tv_pool_text(c->tasks->pool,
				     c->tasks->rtype[c->tasks->workers[slow.worker].rtype].label),
			doubt);
		if (found->holds)
			describe_slow_time(c, &slow, doubt, found);
		return 0;
	}
	idleness = tv_run_pass(c->run, "idleness", NULL, err);
	if (idleness == NULL)
		return -1;
	measure_slow(c, found);
	if (!found->holds)
		return 0;
	tv_clean_text(member, sizeof member, tv_table_text(table, "Member", row));
	tv_clean_text(scope, sizeof scope, tv_table_text(table, "Scope", row));
	tv_clean_text(rtype, sizeof rtype, tv_table_text(table, "ResourceType", row));
	found->action = slow_action(rtype, doubt);
	found->title = tv_format(doubt ? "tasks on %s %s take longer than on the others"
				       : "%s %s is slower than the others",
				 scope, member);
	busy = busy_text(c, scope, tv_label(tv_table_find(table, "Member"), row),
			 tv_table_find(idleness, "Busy"));
	if (n > 1)
		snprintf(more, sizeof more, ", and %u more %s slow", n - 1, n == 2 ? "is" : "are");
	worker = strcmp(scope, "worker") == 0;
	tv_words_workers(workers, rtype, false);
	found->text = tv_format("Tasks on %s%s%s %s take %.2f times as long as on other %s%s.%s",
				worker ? "" : workers, worker ? "" : " of ", scope, member,
				tv_slow_ratio(table, row), workers, more, busy);
	tv_free(busy);
	if (!tv_case_doubt_slow_rank(c, found) && doubt)
		tv_append(&found->text,
			  " The trace does not show whether these tasks had more work.");
	found->picture = tv_case_highlight(
		worker ? column_of(c, tv_label(tv_table_find(table, "Member"), row)) : "Node",
		tv_table_text(table, "Member", row), NULL, NULL);
	/* What is slow by evidence alone is not in what the test reports. */
	snprintf(listed, sizeof listed, "--where 'Ratio >= %.1f'",
		 fmin(1.5, floor(10 * tv_table_find(table, "Ratio")->d[row]) / 10));
	found->command = tv_case_verb(c, "deviating-resources",
				      tv_is_slow(table, row) ? "--slow" : listed);
	return 0;
}

const struct tv_rule tv_rule_slow_worker = {
	.id = "slow-worker",
	.title = "a worker, device or node is slower than the others",
	.condition =
		"deviating-resources reports one that is slower at all task types together (Z "
		"of 4, or of 3 with a ratio of 1.5, or of 1.5 if they are longer than others in "
		"95 % of pairs, too), or nearly all tasks of a worker, or of a "
		"node, and of no other, are outliers, or three quarters of its tasks for a "
		"time are a fifth longer than usual, which by chance would come once in "
		"100 runs, or a type is slow there, as on as many such workers or more, and "
		"what else it runs is longer by half as much or more; by 1 % of the makespan",
	.measures =
		"WorkerTime: time of the tasks on such workers above the mean of the others of "
		"their type, without those that are outliers among the worker's own; Measure: the "
		"same times the price of the workers",
	.action = "Check " THREADS_THERE,
	.how = "Give other threads a core of their own, and bind all threads.",
	.in.starpu = "STARPU_RESERVE_NCPU, STARPU_MAIN_THREAD_BIND=1, STARPU_MPI_THREAD_CPUID, "
		     "STARPU_WORKERS_CPUID",
	.in.openmp = TV_BIND_THREADS,
	.picture = "--panels spacetime,durations",
	.without = TV_WITHOUT_SLOW_WORKER,
	.see = "critical-section", /* where they contain its waits */
	.durations = true,
	.find = find_slow_worker,
};
