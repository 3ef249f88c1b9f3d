/* SPDX-License-Identifier: GPL-3.0-or-later */
/* waiting.c -- findings about idle time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/core/idle.h"
#include "analysis/core/processors.h"
#include "analysis/core/spans.h"
#include "analysis/core/statistics.h"
#include "analysis/core/worker_words.h"
#include "analysis/data/transfer_list.h"
#include "analysis/diagnose/evidence.h"
#include "trace/sorted.h"
#include "trace/text.h"

/* A finding about idle time of certain causes, if it is long enough. */
static bool idle_for(struct tv_case *c, struct tv_found *found, const char *const *cause,
		     const char *const *blame, size_t n)
{
	int64_t time = 0, worker = 0;

	for (size_t i = 0; i < n; i++) {
		int64_t t, w;

		tv_case_sum(c, TV_ACCOUNT_IDLE, cause[i], blame[i], TV_NONE, &t, &w);
		time += t;
		worker += w;
	}
	found->holds = time >= c->min_ns && time > 0;
	found->time_ns = time;
	found->worker_ns = worker;
	return found->holds;
}

/* ---- late start ---- */

/* Parts of late-start in words: all of them, so that the largest is. */
enum late_part { LATE_MESSAGE, LATE_TASK, LATE_WAITING, LATE_DATA, LATE_SUBMISSION, NLATE_PARTS };
static const struct {
	enum late_part part;
	const char *column;
} late_columns[] = {
	{ LATE_MESSAGE, "UnsentTime" },	       { LATE_MESSAGE, "QueuedTime" },
	{ LATE_MESSAGE, "TransferTime" },      { LATE_TASK, "TaskTime" },
	{ LATE_WAITING, "WaitingTime" },       { LATE_DATA, "DataTime" },
	{ LATE_SUBMISSION, "SubmissionTime" },
};
static const char *const late_words[] = {
	[LATE_MESSAGE] = "spent on messages",
	[LATE_TASK] = "the time of tasks that had to run before",
	[LATE_WAITING] = "the time that ready tasks before them waited for workers",
	[LATE_DATA] = "the time that the data of tasks before them were transferred",
	[LATE_SUBMISSION] = "the time until tasks were submitted",
};
_Static_assert(TV_COUNT(late_words) == NLATE_PARTS, "every part has its words");

struct late {
	uint32_t nodes;
	int64_t last, worker;	  /* ns */
	long double time;	  /* priced */
	double part[NLATE_PARTS]; /* of the delays */
};

/* Workers of a node, in number and in price. */
static uint32_t workers_of(const struct tv_case *c, uint32_t label, double *price)
{
	uint32_t n = 0;

	*price = 0;
	for (uint32_t w = 0; w < c->tasks->nworkers; w++) {
		const struct tv_worker *worker = &c->tasks->workers[w];

		if (c->tasks->node[worker->node].label != label)
			continue;
		n++;
		*price += c->account.type[worker->rtype].price;
	}
	return n;
}

static int64_t cell(const struct tv_table *table, const char *column, uint32_t row)
{
	const struct tv_column *of = tv_table_find(table, column);

	return of == NULL || tv_missing(of, row) ? 0 : of->i[row];
}

static void add_node(const struct tv_case *c, const struct tv_table *table, uint32_t row,
		     struct late *late)
{
	int64_t delay = cell(table, "Delay", row);
	double price;
	uint32_t n = workers_of(c, tv_label(tv_table_find(table, "Node"), row), &price);

	if (delay < c->min_ns || delay == 0)
		return;
	late->nodes++;
	late->last = delay > late->last ? delay : late->last;
	late->worker = tv_sum_ns((tv_int128)late->worker + (tv_int128)delay * n);
	late->time += (long double)price * (long double)delay;
	for (size_t i = 0; i < TV_COUNT(late_columns); i++)
		late->part[late_columns[i].part] += (double)cell(table, late_columns[i].column,
								 row);
}

/* From the begin of the run until a while after the last node starts. */
static char *start_window(const struct tv_case *c, int64_t last)
{
	char from[TV_NUMBER_MAX], to[TV_NUMBER_MAX];
	int64_t after = last / 4 + 1, left = c->tasks->finish - c->tasks->begin - last;

	tv_write_ms(from, c->tasks->begin);
	tv_write_ms(to, c->tasks->begin + last + (after < left ? after : left));
	return tv_format(" --begin %s --end %s", from, to);
}

/* Whether a node may start late, which takes less time than why. */
static bool may_start_late(const struct tv_case *c)
{
	const struct tv_tasks *tasks = c->tasks;
	int64_t *first = tv_alloc(tasks->nnodes, sizeof *first);
	bool late = false;

	for (uint32_t node = 0; node < tasks->nnodes; node++)
		first[node] = INT64_MAX;
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row]) {
			int64_t *of = &first[tasks->workers[tasks->worker[row]].node];

			*of = tasks->start[row] < *of ? tasks->start[row] : *of;
		}
	for (uint32_t node = 0; node < tasks->nnodes; node++)
		late |= first[node] < INT64_MAX && first[node] - tasks->begin >= c->min_ns;
	tv_free(first);
	return late;
}

static int find_late_start(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	struct late late = { 0 };
	const struct tv_table *table;
	enum late_part largest = 0;
	char last[32], worker[TV_WORDS_OF_ALL];

	if (c->tasks->nnodes < 2 || !may_start_late(c))
		return 0;
	table = tv_run_pass(c->run, "late-start", NULL, err);
	if (table == NULL)
		return -1;
	for (uint32_t row = 0; row < table->nrows; row++)
		if (cell(table, "Step", row) == 0)
			add_node(c, table, row, &late);
	if (late.nodes == 0)
		return 0;
	for (enum late_part part = 1; part < NLATE_PARTS; part++)
		largest = late.part[part] > late.part[largest] ? part : largest;
	/* They may not have been submitted. */
	if (largest == LATE_WAITING && c->tasks->submit == NULL)
		return 0;
	/* What late-workers has is no matter of nodes. */
	if (2 * tv_absent_idle(&c->absences.of[TV_ABSENT_LATE]).time >= (double)late.time)
		return 0;
	found->holds = true;
	found->time_ns = (int64_t)late.time;
	found->worker_ns = late.worker;
	found->text = tv_format(
		"%u of %u nodes start late, the last one %s after the first; until then their "
		"workers "
		"do nothing, for %s. The largest part of this delay is %s.",
		late.nodes, c->tasks->nnodes, tv_words_time(last, late.last),
		tv_words_of_all(worker, c, late.worker), late_words[largest]);
	found->apart = largest != LATE_MESSAGE;
	found->picture = start_window(c, late.last);
	found->command = tv_case_verb(c, "late-start", "--chain");
	return 0;
}

const struct tv_rule tv_rule_late_start = {
	.id = "late-start",
	.title = "nodes start late",
	.condition =
		"the first task of a node starts later than 1 % of the makespan; not if tasks "
		"before it that seem ready wait most of this time, and submissions are not known, "
		"nor if late-workers has half of it",
	.measures = "time of the workers of these nodes before the first task of their node",
	.action = "Distribute the data so that each node has tasks that need no message, and "
		  "raise the priorities of the first tasks whose data are sent.",
	.how = "Let several nodes pass the same data on.",
	.in.starpu = "STARPU_MPI_COOP_SENDS; STARPU_MPI_PRIORITIES must not be 0",
	.see = "messages",
	.picture = "--panels spacetime,idle-causes",
	.without = TV_WITHOUT_MESSAGES,
	.find = find_late_start,
};

/* ---- causes ---- */

/* The same of devices, which launches keep busy. */
static void word_launches(const struct tv_case *c, struct tv_found *found)
{
	struct tv_waited waited = tv_case_waited(c);
	char worker[TV_WORDS_OF_ALL], time[TV_WORDS_OF_ALL], longest[32];

	found->title = tv_strdup("launches come late");
	found->action = "Launch earlier: do not wait for the device between launches, or launch "
			"many kernels at once (graphs of CUDA or HIP).";
	found->text = tv_format("Devices did nothing for %s because no work was launched.",
				tv_words_of_all(worker, c, found->worker_ns));
	if (waited.until.time >= c->min_ns && waited.until.time > 0)
		tv_append(&found->text,
			  " After calls in which the program waited for the device (%s), it took "
			  "%s until the next launch.",
			  tv_pool_text(c->tasks->pool, waited.until.call),
			  tv_words_of_all(time, c, waited.until.time));
	if (waited.in.time < c->min_ns || waited.in.time == 0)
		return;
	tv_append(&found->text,
		  " Calls that launch tasks made them wait for %s more, a call of %s longest: %s.",
		  tv_words_of_all(time, c, waited.in.time),
		  tv_pool_text(c->tasks->pool, waited.in.call),
		  tv_words_time(longest, waited.in.longest));
	if (waited.in.time > found->worker_ns)
		found->action = "Look at the longest calls: the first launch of a kernel loads its "
				"code. Leave such launches out of what you measure, or make them "
				"before.";
}

/* Idle time because tasks are not submitted, if it is long enough. */
static bool lacks_submission(struct tv_case *c, struct tv_found *found)
{
	static const char *const cause[] = { "not-submitted", "dependencies" }, *const blame[] = {
		NULL, "submission"
	};
	struct tv_idle_at_barriers barriers;
	struct tv_mpi_idle mpi;
	int64_t time, in, loops; /* of threads that wait for others in loops */

	if (!idle_for(c, found, cause, blame, TV_COUNT(cause)))
		return false;
	/* While the program waits for its tasks it cannot submit others: that is a barrier. Nor while the thread
	 * that submits is in a call of MPI, or in a loop that all threads share. */
	barriers = tv_case_barriers(c);
	mpi = tv_case_mpi_idle(c);
	tv_case_sum(c, TV_ACCOUNT_IDLE, tv_idle_cause_name(TV_IDLE_IN_LOOP), NULL, TV_NONE, &time,
		    &in);
	loops = c->loops.inside > in ? c->loops.inside - in : 0;
	time = loops / c->tasks->nworkers; /* OpenMP has one type of workers */
	found->alone = barriers.time_before + mpi.time + time > 0.1L * (long double)found->time_ns;
	found->time_ns -= (int64_t)(barriers.time_before + mpi.time) + time;
	found->worker_ns -= tv_sum_ns(barriers.before + mpi.worker + loops);
	found->holds = found->time_ns >= c->min_ns && found->time_ns > 0;
	return found->holds;
}

static int find_window_limit(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const struct tv_dag *dag = tv_run_dag(c->run, err);
	char worker[TV_WORDS_OF_ALL];

	if (dag == NULL)
		return -1;
	if (!lacks_submission(c, found))
		return 0;
	c->window = tv_case_window(c, dag);
	found->holds = c->window > 0;
	if (!found->holds)
		return 0;
	found->confidence = TV_ESTIMATE;
	found->text = tv_format(
		"Workers did nothing for %s because tasks were not submitted yet. At most %u tasks "
		"are submitted and have not ended; nearly all the time they are so many, and the "
		"next one is submitted when one has ended.",
		tv_words_of_all(worker, c, found->worker_ns), c->window);
	return 0;
}

const struct tv_rule tv_rule_window_limit = {
	.id = "window-limit",
	.title = "the number of submitted tasks is limited",
	.condition =
		"what submission measures is 1 % of the makespan, on one node; the most tasks "
		"that are ever submitted and have not ended are reached at ten times the later "
		"rate of submissions or more, and from then on up to the last one so many are (of "
		"8 or "
		"more: or one less) for nine tenths of the time",
	.measures = "what submission measures",
	.action = "Raise the limit of submitted tasks, or submit those earlier that can run.",
	.in.starpu = "a larger STARPU_LIMIT_MAX_SUBMITTED_TASKS",
	.picture = "--panels spacetime,submitted,ready,idle-causes",
	.without = TV_WITHOUT_SUBMISSION,
	.find = find_window_limit,
};

static int find_submission(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	char worker[TV_WORDS_OF_ALL];

	(void)err;
	if (c->window > 0 || !lacks_submission(c, found))
		return 0;
	if (tv_case_on_devices(c))
		word_launches(c, found);
	else
		found->text = tv_format(
			"Workers did nothing for %s because tasks were not submitted "
			"yet.",
			tv_words_of_all(worker, c, found->worker_ns));
	return 0;
}

const struct tv_rule tv_rule_submission = {
	.id = "submission",
	.title = "submission is too slow",
	.condition = "idle time because tasks are not submitted costs 1 % of the makespan, and not "
		     "because their number is limited (window-limit); nor where another cause is "
		     "found, and by simulation the run is not shorter without it",
	.measures =
		"idle time of the cause not-submitted, and of dependencies blamed on submission, "
		"without that around the ends of phases (see barriers) and that in parallel loops",
	.action = "Submit tasks earlier: do not wait for tasks between submissions.",
	.how = "Give the thread that submits a core of its own, create tasks in several threads, "
	       "or make them larger.",
	.in.starpu = "STARPU_MAIN_THREAD_BIND=1, and no low STARPU_LIMIT_MAX_SUBMITTED_TASKS",
	.in.openmp = "taskloop, nested tasks",
	.picture = "--panels spacetime,submitted,ready,idle-causes",
	.without = TV_WITHOUT_SUBMISSION,
	.find = find_submission,
};

static int find_elsewhere(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	char worker[TV_WORDS_OF_ALL];

	(void)err;
	tv_case_elsewhere(c, &found->time_ns, &found->worker_ns);
	found->holds = found->time_ns >= c->min_ns && found->time_ns > 0;
	if (!found->holds)
		return 0;
	found->text = tv_format("Workers did nothing for %s while ready tasks that they "
				"could run waited for other workers.",
				tv_words_of_all(worker, c, found->worker_ns));
	if (c->account.ntypes > 1) {
		found->see = "crowded";
		found->apart = (double)found->time_ns
			     > 2 * (c->account.placement - c->account.bound);
	}
	found->command = tv_case_plot(c, "elsewhere", "--panels spacetime,ready,idle-causes", 0, 0);
	return 0;
}

const struct tv_rule tv_rule_elsewhere = {
	.id = "elsewhere",
	.title = "tasks wait for other workers",
	.condition = "idle time while a task that the worker could run waits for another one costs "
		     "1 % of the makespan",
	.measures =
		"idle time of the cause elsewhere, but that of unused-workers, late-workers and "
		"leaving-workers",
	.action = "Try another scheduler: this one keeps tasks for workers that are busy.",
	.in.starpu = "STARPU_SCHED=dmdas, or lws where all workers are alike",
	.see = "imbalance",
	.without = TV_WITHOUT_SCHEDULE,
	.find = find_elsewhere,
};

/* The memory node from or to which transfers are under way for 95 % of the time until the last of them ends, for half of the run or more,
 * one at a time: none of them could come earlier. TV_NONE = none. */
static uint32_t find_full(const struct tv_case *c, const struct tv_data_transfers *transfers)
{
	const struct tv_memories *memories = tv_run_memories(c->run);
	int64_t begin = c->tasks->begin, makespan = c->account.makespan;
	struct use {
		int64_t end, some;
		tv_int128 sum;
	} *use = tv_alloc(memories->n, sizeof *use);
	uint32_t full = TV_NONE;

	for (uint32_t i = 0; i < transfers->n; i++) {
		const struct tv_data_transfer *t = &transfers->at[i];
		const uint32_t ends[] = { t->origin, t->dest };

		for (size_t k = 0; k < TV_COUNT(ends) && t->end > begin && !t->open; k++) {
			struct use *u = &use[ends[k]];
			int64_t start = t->start > begin ? t->start : begin;

			u->end = u->end > begin ? u->end : begin;
			u->sum += t->end - start;
			if (t->end > u->end) {
				u->some += t->end - (start > u->end ? start : u->end);
				u->end = t->end;
			}
		}
	}
	for (uint32_t m = 0; m < memories->n; m++)
		if (2 * (use[m].end - begin) >= makespan
		    && (double)use[m].some >= 0.95 * (double)(use[m].end - begin)
		    && (double)use[m].sum <= 1.05 * (double)use[m].some)
			full = full == TV_NONE || use[m].some > use[full].some ? m : full;
	tv_free(use);
	return full;
}

/* Adds to the text that no transfer could come earlier, where that is so. */
static int add_full(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const struct tv_data_transfers *transfers = tv_run_transfers(c->run, err);
	char name[64];

	if (transfers == NULL)
		return -1;
	c->full = find_full(c, transfers);
	if (c->full == TV_NONE)
		return 0;
	tv_append(&found->text,
		  " Until the last one ends, transfers from or to %s are under way nearly all the "
		  "time, one at a time, so none could come earlier.",
		  tv_clean_text(name, sizeof name,
				tv_pool_text(c->tasks->pool,
					     tv_run_memories(c->run)->at[c->full].resource)));
	found->action = "Transfer less: keep data where they are used again, or let tasks do more "
			"work per byte.";
	return 0;
}

static int find_transfers(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	static const char *const cause[] = { "data" }, *const blame[] = { NULL };
	char worker[TV_WORDS_OF_ALL];

	if (!idle_for(c, found, cause, blame, 1))
		return 0;
	found->text = tv_format("Workers did nothing for %s while the data of their next task "
				"were transferred.",
				tv_words_of_all(worker, c, found->worker_ns));
	found->command = tv_case_verb(c, "idle-causes", "--by cause,link");
	return add_full(c, found, err);
}

const struct tv_rule tv_rule_transfers = {
	.id = "transfers",
	.title = "workers wait for transfers",
	.condition = "idle time during transfers to a released task costs 1 % of the makespan",
	.measures = "idle time of the cause data",
	.action = "Use a scheduler that knows where data are and fetches them early.",
	.how = "Or let tasks do more work per byte.",
	.in.starpu =
		"STARPU_SCHED=dmda or dmdas, STARPU_PREFETCH must not be 0, STARPU_CUDA_PIPELINE=2 "
		"or more; after a change of the machine STARPU_BUS_CALIBRATE=1",
	.picture = "--panels spacetime,idle-causes",
	.without = TV_WITHOUT_TRANSFERS,
	.find = find_transfers,
};

/* ---- the workers that limit ---- */

/* The type of workers with the highest price; TV_NONE if it is that of all. */
static uint32_t scarce_type(const struct tv_case *c)
{
	uint32_t best = 0;
	bool differ = false;

	for (uint32_t r = 1; r < c->account.ntypes; r++) {
		differ = differ || c->account.type[r].price != c->account.type[0].price;
		if (c->account.type[r].price > c->account.type[best].price)
			best = r;
	}
	return differ ? best : TV_NONE;
}

/* Causes of idle time while no task that such a worker could run is ready. */
static const char *const without_ready[] = { "mpi",	      "unsuited", "dependencies",
					     "not-submitted", "drain",	  "unexplained" };

/* "dependencies 201.5 ms, drain 119.0 ms": all causes of idle time without a ready task of a type of
 * workers, summed in *found. Free with tv_free. */
static char *sum_without_ready(const struct tv_case *c, uint32_t type, struct tv_found *found)
{
	char *list = tv_strdup("");

	found->time_ns = found->worker_ns = 0;
	for (size_t i = 0; i < TV_COUNT(without_ready); i++) {
		int64_t time, worker;
		char words[32], *shorter = list;

		tv_case_sum(c, TV_ACCOUNT_IDLE, without_ready[i], NULL, type, &time, &worker);
		if (worker == 0)
			continue;
		found->time_ns += time;
		found->worker_ns += worker;
		list = tv_format("%s%s%s %s", shorter, shorter[0] != '\0' ? ", " : "",
				 without_ready[i], tv_words_time(words, worker));
		tv_free(shorter);
	}
	return list;
}

static int find_scarce_idle(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	uint32_t type = scarce_type(c);
	char worker[32], workers[TV_WORKER_WORDS], *causes;

	(void)err;
	if (type == TV_NONE)
		return 0;
	causes = sum_without_ready(c, type, found);
	found->holds = found->time_ns >= c->min_ns && found->time_ns > 0;
	if (found->holds) {
		tv_words_workers(workers, tv_pool_text(c->tasks->pool, c->account.type[type].rtype),
				 true);
		found->text = tv_format(
			"%s had no ready task for %s in sum (%s). With the best placement "
			"they limit the run: an idle second of one costs %.1f times the average.",
			workers, tv_words_time(worker, found->worker_ns), causes,
			c->account.type[type].price * c->tasks->nworkers);
		found->command = tv_case_plot(
			c, "scarce-idle", "--panels spacetime,ready,starvation,idle-causes", 0, 0);
	}
	tv_free(causes);
	return 0;
}

const struct tv_rule tv_rule_scarce_idle = {
	.id = "scarce-idle",
	.title = "the workers whose time is worth most lack ready tasks",
	.condition =
		"the idle time of the type of workers with the highest price, while no task that "
		"it can run is released, costs 1 % of the makespan",
	.measures = "idle time of these workers of all causes but data, runtime and elsewhere",
	.action = "Run the tasks on which theirs depend earlier: give those higher priorities.",
	.how = "Let other workers run fewer of the tasks that these run best.",
	.in.starpu = "STARPU_PRIORITY where they are inserted, with STARPU_SCHED=dmdas",
	.in.openmp = "the clause priority, and OMP_MAX_TASK_PRIORITY above 0",
	.symptom = true,
	.find = find_scarce_idle,
};

/* ---- the end ---- */

/* Workers that ran tasks, after their last one. */
struct tail {
	uint32_t n, done; /* workers; those that are done when half of them are */
	int64_t half;	  /* when that is, ns */
	int64_t other;	  /* when all of them but one are done, ns */
	tv_int128
		worker; /* idle time after the last task, but while ready tasks waited for other workers */
	long double time;    /* the same, priced */
	tv_int128 elsewhere; /* what that leaves out, of workers */
};

/* By worker the End of its last task, ns; INT64_MIN = it ran none, or left (absent.h). Free with tv_free. */
static int64_t *last_ends(const struct tv_case *c)
{
	const struct tv_tasks *tasks = c->tasks;
	int64_t *last = tv_alloc(tasks->nworkers, sizeof *last);

	for (uint32_t w = 0; w < tasks->nworkers; w++)
		last[w] = INT64_MIN;
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && tasks->end[row] > last[tasks->worker[row]]
		    && !tv_is_absent(&c->absences, tasks->worker[row], TV_ABSENT_LEFT))
			last[tasks->worker[row]] = tasks->end[row];
	return last;
}

/* Adds to what a worker is idle after `last`: the rest of the run without its setup and runtime tasks. */
static void add_tail(const struct tv_case *c, const struct tv_groups *executions, uint32_t w,
		     int64_t last, struct tail *tail)
{
	const struct tv_tasks *tasks = c->tasks;
	uint32_t first = executions->first[w], n = executions->first[w + 1] - first;
	struct tv_span *span = tv_alloc(n, sizeof *span);
	int64_t idle = tasks->finish - last;

	for (uint32_t i = 0; i < n; i++)
		span[i] = (struct tv_span){ tasks->start[executions->row[first + i]],
					    tasks->end[executions->row[first + i]] };
	idle -= tv_spans_cover(span, n, (struct tv_span){ last, tasks->finish });
	tail->worker += idle;
	tail->time += (long double)c->account.type[tasks->workers[w].rtype].price
		    * (long double)idle;
	tv_free(span);
}

struct after_last {
	const struct tv_case *c;
	const int64_t *last; /* by worker */
	struct tail *tail;
};

/* What a slice has of the cause elsewhere, of workers whose last task had ended when it began. */
static void take_elsewhere(void *to, int64_t begin, const int64_t *time)
{
	struct after_last *after = to;
	const struct tv_tasks *tasks = after->c->tasks;

	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		int64_t of = time[(size_t)w * TV_IDLE_NCAUSES + TV_IDLE_ELSEWHERE];

		if (after->last[w] == INT64_MIN || after->last[w] > begin)
			continue;
		after->tail->elsewhere += of;
		after->tail->worker -= of;
		after->tail->time -=
			(long double)after->c->account.type[tasks->workers[w].rtype].price
			* (long double)of;
	}
}

/* Takes the cause elsewhere out of the tail: what waits for other workers says that it is no lack of tasks. last: by worker; end: the
 * same of n workers, ascending. */
static int drop_elsewhere(const struct tv_case *c, const int64_t *last, const int64_t *end,
			  struct tail *tail, struct tv_error *err)
{
	struct after_last after = { c, last, tail };
	const struct tv_run_idle *idle = tv_run_idle(c->run, err);
	int64_t *bound;
	size_t n = 0;

	if (idle == NULL)
		return -1;
	bound = tv_alloc(tail->n, sizeof *bound);
	for (uint32_t i = 0; i < tail->n; i++)
		if (n == 0 || end[i] > bound[n - 1])
			bound[n++] = end[i];
	/* The last one that ends is the end of the run. */
	if (n > 1)
		tv_idle_sweep(&idle->waits, &idle->fetches, bound, n - 1, take_elsewhere, &after,
			      NULL);
	tv_free(bound);
	return 0;
}

static int find_tail(const struct tv_case *c, struct tail *tail, struct tv_error *err)
{
	const struct tv_tasks *tasks = c->tasks;
	int64_t *last = last_ends(c), *end = tv_alloc(tasks->nworkers, sizeof *end), time,
		elsewhere;
	struct tv_groups executions;
	int rc = 0;

	*tail = (struct tail){ 0 };
	tv_tasks_by_worker(tasks, tasks->executed, &executions);
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		if (last[w] != INT64_MIN) {
			add_tail(c, &executions, w, last[w], tail);
			end[tail->n++] = last[w];
		}
	tv_groups_release(&executions);
	tv_sort_times(end, tail->n);
	/* The lower of two in the middle: half of the workers, or more, are done then. */
	tail->half = end[(tail->n - 1) / 2];
	tail->other = tail->n > 1 ? end[tail->n - 2] : c->tasks->finish;
	while (tail->done < tail->n && end[tail->done] <= tail->half)
		tail->done++;
	tv_case_sum(c, TV_ACCOUNT_IDLE, "elsewhere", NULL, TV_NONE, &time, &elsewhere);
	/* It only gets shorter by that. */
	if (elsewhere > 0 && roundl(tail->time) >= (long double)c->min_ns)
		rc = drop_elsewhere(c, last, end, tail, err);
	tv_free(last);
	tv_free(end);
	return rc;
}

/* The execution that ends last, by its first row. */
static uint32_t last_task(const struct tv_tasks *tasks)
{
	uint32_t last = TV_NONE;

	for (uint32_t row = 0; row < tasks->n && last == TV_NONE; row++)
		if (tasks->counted[row] && tasks->end[row] == tasks->finish)
			last = tv_row_whole(tasks, row);
	return last;
}

/* What a worker runs from a time on, but for one execution that does not overlap with the others, ns. */
static int64_t other_work(const struct tv_tasks *tasks, uint32_t last, int64_t from)
{
	int64_t sum = 0;

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && row != last && tasks->worker[row] == tasks->worker[last]
		    && tasks->end[row] > from)
			sum += tasks->end[row]
			     - (tasks->start[row] > from ? tasks->start[row] : from);
	return sum;
}

/* Adds to the text the task that is most of the tail: it alone runs for half of the time in which half of the workers are done, and its
 * worker runs little else when the others are done. */
static void add_last(struct tv_case *c, const struct tail *tail, uint32_t last,
		     struct tv_found *found)
{
	const struct tv_tasks *tasks = c->tasks;
	bool after = tasks->start[last] >= tail->other; /* it may need the tasks before it */
	int64_t alone = tasks->finish - (after ? tasks->start[last] : tail->other);
	tv_int128 others = 0;
	uint32_t n = 0;
	double clock;
	char *task, time[32];

	if (alone < c->min_ns || alone < (tasks->finish - tail->half) / 2
	    || (double)other_work(tasks, last, tail->other)
		       > 0.1 * (double)(tasks->finish - tail->other))
		return;
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && tv_row_begins(tasks, row) && row != last
		    && tasks->value[row] == tasks->value[last]) {
			others += tv_task_time(tasks, row);
			n++;
		}
	task = tv_words_task(c, last);
	tv_append(&found->text, " For the last %s one task runs alone: it is %s",
		  tv_words_time(time, alone), task);
	if (n > 0)
		tv_append(&found->text, "; others of its type take %s on average",
			  tv_words_time(time, tv_sum_ns(others / n)));
	tv_append(&found->text, ".");
	tv_free(task);
	c->last = last;
	if (c->preempted > 0
	    && tv_task_clock(tasks, tv_table_find(&tasks->trace->table[TV_TASKS], "task-clock"),
			     last, &clock)
	    && 2 * clock < (double)tv_task_time(tasks, last)) {
		found->see = "preempted";
		found->apart = false;
		tv_append(&found->text, " For %s of this its thread waited for a processor.",
			  tv_words_time(time, tv_task_time(tasks, last) - llround(clock)));
	}
	found->title = tv_strdup("workers wait for one task at the end");
	found->action = after ? "Split this task, or use several threads in it."
			      : "Start this task earlier, split it, or use several threads in it.";
}

/* Whether it says nothing of its own: the trace does not show what workers waited for, for longer, and the tail is no longer than two
 * tasks. */
static bool is_short_tail(const struct tv_case *c, const struct tail *tail)
{
	int64_t unexplained, worker;

	tv_case_sum(c, TV_ACCOUNT_IDLE, "unexplained", NULL, TV_NONE, &unexplained, &worker);
	return (long double)unexplained > tail->time
	    && (double)(c->tasks->finish - tail->half) < 2 * tv_case_mean(c);
}

bool tv_case_ends_evenly(const struct tv_case *c)
{
	uint32_t last = last_task(c->tasks);

	return !tv_tasks_depend(c->tasks) && last != TV_NONE
	    && (double)tv_task_time(c->tasks, last) <= 1.25 * tv_case_mean(c);
}

static int find_long_tail(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	struct tail tail;
	uint32_t last = last_task(c->tasks);
	char worker[TV_WORDS_OF_ALL], rest[32];

	/* A run that was cut has other tasks for them. */
	if (tv_tasks_cut(c->tasks))
		return 0;
	if (find_tail(c, &tail, err) < 0)
		return -1;
	found->time_ns = (int64_t)roundl(tail.time);
	found->worker_ns = tv_sum_ns(tail.worker);
	found->holds = found->time_ns >= c->min_ns && found->time_ns > 0
		    && !is_short_tail(c, &tail);
	if (!found->holds)
		return 0;
	found->text = tv_format("After their last task workers did nothing for %s.",
				tv_words_of_all(worker, c, found->worker_ns));
	if (tail.elsewhere > 0)
		tv_append(&found->text,
			  " Another %s, in which ready tasks waited for other workers, is not "
			  "counted.",
			  tv_words_time(rest, tv_sum_ns(tail.elsewhere)));
	/* Whether what runs at the end of the run is a long task (evidence.h). */
	found->apart = last == TV_NONE || !tv_is_unequal(c->class[last]);
	if (c->tasks->finish - tail.half >= c->min_ns)
		tv_append(&found->text,
			  " %u of the %u workers %s had finished %s or more before the end.",
			  tail.done, tail.n,
			  c->absences.of[TV_ABSENT_LEFT].n > 0 ? "that did not stop long before"
							       : "with tasks",
			  tv_words_time(rest, c->tasks->finish - tail.half));
	if (found->apart && tv_case_ends_by_node(c, found->worker_ns)) {
		found->see = "node-imbalance";
		found->apart = false;
	}
	if (tv_case_ends_evenly(c)) {
		found->see = "coarse-tasks";
		found->action = "Make the last tasks smaller, or their number one that the workers "
				"can share evenly.";
	} else if (!tv_tasks_depend(c->tasks)) { /* no critical path is known */
		found->action = "Start the longest tasks first, or make the last ones smaller.";
	} else if (c->account.makespan - c->forced < c->min_ns) {
		found->action = "Make the last tasks smaller, or let fewer of them depend on one "
				"another: in no other order is the run 1 % shorter.";
	}
	if (last != TV_NONE)
		add_last(c, &tail, last, found);
	found->alone = c->last == TV_NONE;
	if (last != TV_NONE && c->last == TV_NONE && tail.n > 1
	    && c->tasks->finish - tail.other >= (c->tasks->finish - tail.half) / 2
	    && !tv_tasks_depend(c->tasks))
		tv_case_last_worker(c, last, tail.other, found);
	/* What could have run before is not known. */
	if (!tv_tasks_know_dependencies(c->tasks))
		found->confidence = TV_ESTIMATE;
	found->command = tv_case_plot(c, "long-tail", "--panels spacetime,ready,idle-causes",
				      tail.half, c->tasks->finish);
	return 0;
}

const struct tv_rule tv_rule_long_tail = {
	.id = "long-tail",
	.title = "workers have no more tasks before the end",
	.condition =
		"idle time of workers after their last task, but of the cause elsewhere, costs "
		"1 % of the makespan, and the trace shows the end of the run; not if it does not "
		"show what workers waited for, for longer, and half of the workers end within two "
		"mean durations of tasks",
	.measures = "idle time of all causes but elsewhere after the last task of each worker that "
		    "ran any, but of leaving-workers",
	.action = "Run the tasks on the critical path earlier, or make the last tasks smaller.",
	.in.starpu = "STARPU_PRIORITY where they are inserted, with STARPU_SCHED=dmdas",
	.in.openmp = "the clause priority, and OMP_MAX_TASK_PRIORITY above 0",
	.see = "unequal-tasks",
	.symptom = true,
	.without = TV_WITHOUT_LAST,
	.find = find_long_tail,
};
