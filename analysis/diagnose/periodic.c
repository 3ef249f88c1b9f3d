/* SPDX-License-Identifier: GPL-3.0-or-later */
/* periodic.c -- the finding about workers that are slow at regular intervals. */
#include <string.h>

#include "analysis/core/statistics.h"
#include "analysis/diagnose/judged.h"
#include "trace/sorted.h"
#include "trace/text.h"

enum { PERIODIC_MIN = 5 };

/* Times at regular intervals in which most workers, or one of them, run one long task each, where these are so many that the pass disturbances, which
 * compares with the mean of the run, sees none. */
struct periodic {
	uint32_t n;	 /* 0 = there are none */
	uint32_t least;	 /* so many workers or more each time */
	uint32_t worker; /* the only one; TV_NONE = there are several */
	int64_t period;	 /* ns */
};

static const char kept_periodic;

/* The time between n starts if all n - 1 differences are within 20 % of their mean; else 0. */
static int64_t period_of(const int64_t *start, uint32_t n)
{
	double mean;

	if (n < PERIODIC_MIN)
		return 0;
	mean = (double)(start[n - 1] - start[0]) / (n - 1);
	for (uint32_t i = 1; i < n; i++)
		if ((double)(start[i] - start[i - 1]) < 0.8 * mean
		    || (double)(start[i] - start[i - 1]) > 1.2 * mean)
			return 0;
	return (int64_t)mean;
}

/* ---- long tasks that come back ---- */

/* Half as long again as others, and not known to have more work, to wait or to be on a slow worker. */
static bool is_open(const struct tv_evidence *e, uint32_t row)
{
	const uint32_t *at = tv_map_get(&e->pair, e->tasks->value[row],
					tv_evidence_rtype(e->tasks, row));

	return (e->class[row] == TV_LATENESS_OUTLIER || e->class[row] == TV_UNKNOWN_WORK)
	    && at != NULL
	    && (double)tv_task_time(e->tasks, row) * e->rest[*at].n >= 1.5 * e->rest[*at].time;
}

/* In the order of Start: a new array of *n. */
static uint32_t *list_long(const struct tv_evidence *e, uint32_t *n)
{
	uint32_t *row = tv_alloc(e->tasks->n, sizeof *row);

	*n = 0;
	for (uint32_t i = 0; i < e->tasks->n; i++)
		if (tv_evidence_whole(e->tasks, i) && is_open(e, i))
			row[(*n)++] = i;
	tv_sort_rows(e->tasks, row, *n);
	return row;
}

/* Of n long tasks the first ones: until one begins when the others have ended, or a worker has a second one. seen: by worker the number of
 * the time in which it had one. */
static uint32_t next_time(const struct tv_tasks *tasks, const uint32_t *row, uint32_t n,
			  uint32_t *seen, uint32_t number)
{
	int64_t end = tasks->end[row[0]];
	uint32_t i = 0;

	for (; i < n && tasks->start[row[i]] <= end && seen[tasks->worker[row[i]]] != number; i++) {
		seen[tasks->worker[row[i]]] = number;
		end = tasks->end[row[i]] > end ? tasks->end[row[i]] : end;
	}
	return i;
}

static uint32_t count_used(const struct tv_tasks *tasks)
{
	bool *used = tv_alloc(tasks->nworkers, sizeof *used);
	uint32_t n = 0;

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && !used[tasks->worker[row]]) {
			used[tasks->worker[row]] = true;
			n++;
		}
	tv_free(used);
	return n;
}

/* Whether workers nearly always run as many tasks from one long task to the next: then it is the program that has these long tasks, not the
 * time. */
static bool come_by_number(const struct tv_evidence *e, uint32_t nlong)
{
	const struct tv_tasks *tasks = e->tasks;
	int64_t *apart = tv_alloc(nlong, sizeof *apart);
	uint32_t n = 0, same = 0, most = 0;
	struct tv_groups rows;

	tv_tasks_by_start(tasks, tasks->counted, &rows);
	for (uint32_t w = 0; w < rows.n; w++)
		for (uint32_t i = rows.first[w], last = TV_NONE; i < rows.first[w + 1]; i++) {
			if (!tv_evidence_whole(tasks, rows.row[i]) || !is_open(e, rows.row[i]))
				continue;
			if (last != TV_NONE)
				apart[n++] = i - last;
			last = i;
		}
	tv_sort_times(apart, n);
	for (uint32_t i = 0; i < n; i++) {
		same = i > 0 && apart[i] == apart[i - 1] ? same + 1 : 1;
		most = same > most ? same : most;
	}
	tv_groups_release(&rows);
	tv_free(apart);
	return most >= 0.9 * n;
}

/* The worker with most of the long tasks, in *nlong. */
static uint32_t find_worst(const struct tv_tasks *tasks, const uint32_t *row, uint32_t n,
			   uint32_t *nlong)
{
	uint32_t *of = tv_alloc(tasks->nworkers, sizeof *of), worst = 0;

	for (uint32_t i = 0; i < n; i++)
		of[tasks->worker[row[i]]]++;
	for (uint32_t w = 1; w < tasks->nworkers; w++)
		worst = of[w] > of[worst] ? w : worst;
	*nlong = of[worst];
	tv_free(of);
	return worst;
}

/* Such times of half of the workers or more, three at least, or of one, if four fifths of the long tasks are in them, and they are twice as
 * far apart as long tasks take, so that others are between. in: set for the tasks of these times. */
static struct periodic find_times(const struct tv_tasks *tasks, const uint32_t *row, uint32_t n,
				  bool *in)
{
	uint32_t used = count_used(tasks), members = 0, nworst,
		 worst = find_worst(tasks, row, n, &nworst),
		 *seen = tv_alloc(tasks->nworkers, sizeof *seen);
	bool one = nworst >= 0.8 * n;
	int64_t *start = tv_alloc(n, sizeof *start);
	struct periodic p = { .least = UINT32_MAX, .worker = one ? worst : TV_NONE };
	int64_t time = 0;

	for (uint32_t i = 0, k, number = 0; i < n; i += k) {
		k = one ? 1 : next_time(tasks, row + i, n - i, seen, ++number);
		if (one ? tasks->worker[row[i]] != worst : k < TV_EVIDENCE_MIN || 2 * k < used)
			continue;
		start[p.n++] = tasks->start[row[i]];
		for (uint32_t j = i; j < i + k; j++)
			time += tv_task_time(tasks, row[j]);
		memset(in + i, true, k);
		members += k;
		p.least = k < p.least ? k : p.least;
	}
	p.period = period_of(start, p.n);
	if (p.period == 0 || members < 0.8 * n || (double)p.period * members < 2 * (double)time)
		p.n = 0;
	tv_free(start);
	tv_free(seen);
	return p;
}

void tv_judge_periodic(struct tv_evidence *e, struct tv_run *run)
{
	struct periodic *p = tv_alloc(1, sizeof *p);
	uint32_t n, *row = list_long(e, &n);
	bool *in = tv_alloc(n, sizeof *in);

	*p = (struct periodic){ 0 };
	if (n >= PERIODIC_MIN && memchr(e->class, TV_LATENESS_DISTURBANCE, e->tasks->n) == NULL
	    && !come_by_number(e, n))
		*p = find_times(e->tasks, row, n, in);
	for (uint32_t i = 0; p->n > 0 && i < n; i++)
		if (in[i])
			e->class[row[i]] = TV_LATENESS_DISTURBANCE;
	tv_free(in);
	tv_run_keep(run, &kept_periodic, p, tv_free);
	tv_free(row);
}

bool tv_case_is_periodic(const struct tv_case *c)
{
	const struct periodic *p = tv_run_kept(c->run, &kept_periodic);

	return p != NULL && p->n > 0;
}

static void describe_times(const struct tv_case *c, const struct periodic *p,
			   struct tv_found *found)
{
	char period[32], longer[32], name[64];

	tv_case_measure_class(c, c->class, TV_LATENESS_DISTURBANCE, found);
	if (!found->holds)
		return;
	found->apart = true;
	found->title = tv_strdup("tasks take longer at regular intervals");
	tv_words_time(period, p->period);
	tv_words_time(longer, found->worker_ns);
	found->text = p->worker != TV_NONE
			    ? tv_format(
				    "Every %s on average, %u times, a task on worker %s takes "
				    "longer than others of its type: %s in all.",
				    period, p->n,
				    tv_clean_text(
					    name, sizeof name,
					    tv_pool_text(c->tasks->pool,
							 c->tasks->workers[p->worker].resource)),
				    longer)
			    : tv_format("Every %s on average, %u times, at least %u of %u workers "
					"run a task at about the same time that takes longer than "
					"others of its type: %s in all.",
					period, p->n, p->least, count_used(c->tasks), longer);
	if (!tv_case_knows_work(c))
		tv_append(&found->text, " The trace does not show whether they had more work.");
}

/* ---- disturbances that come back ---- */

/* Starts of the disturbances of all workers, ascending, in a new array of *n. */
static int64_t *list_starts(const struct tv_table *table, const bool *believed, uint32_t *n)
{
	int64_t *start = tv_alloc(table->nrows, sizeof *start);

	*n = 0;
	for (uint32_t row = 0; row < table->nrows; row++)
		if (believed[row] && tv_missing(tv_table_find(table, "Node"), row))
			start[(*n)++] = tv_table_find(table, "Start")->i[row];
	tv_sort_times(start, *n);
	return start;
}

static int find_periodic(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const struct tv_table *table = tv_run_pass(c->run, "disturbances", NULL, err);
	const bool *believed = table == NULL ? NULL : tv_run_disturbed(c->run, err);
	int64_t *start, period;
	uint32_t n;
	char text[2][32];

	if (believed == NULL)
		return -1;
	if (tv_case_is_periodic(c)) {
		describe_times(c, tv_run_kept(c->run, &kept_periodic), found);
		return 0;
	}
	start = list_starts(table, believed, &n);
	period = period_of(start, n);
	tv_free(start);
	if (period == 0)
		return 0;
	found->holds = true;
	found->confidence = TV_STATISTICAL;
	found->measure_is = TV_EXCESS;
	found->worker_ns = 0;
	for (uint32_t row = 0; row < table->nrows; row++)
		if (believed[row] && tv_missing(tv_table_find(table, "Node"), row))
			found->worker_ns += tv_table_find(table, "Excess")->i[row];
	found->measure_ns = found->worker_ns / c->tasks->nworkers;
	found->text = tv_format("Every %s on average, %u times, many workers are slow at once; "
				"outliers then exceed their thresholds by %s in sum.",
				tv_words_time(text[0], period), n,
				tv_words_time(text[1], found->worker_ns));
	found->command = tv_case_verb(c, "disturbances", "");
	return 0;
}

const struct tv_rule tv_rule_periodic = {
	.id = "periodic",
	.title = "workers are slow at regular intervals",
	.condition = "disturbances reports 5 or more times of all workers, and each time between "
		     "two of them is within 20 % of the mean; or it reports none, and likewise "
		     "half of the workers or more, three at least, have a long task each at one "
		     "time, or one worker has, of which more work is not known, four fifths of "
		     "such tasks are among "
		     "these, twice as far apart as these take, and the number of tasks between "
		     "two of a worker is not nearly always the same",
	.measures = "WorkerTime: time of outliers during all of them above their thresholds, or "
		    "of such tasks above the mean of others; Measure: the same over the number of "
		    "workers, or times their prices",
	.action = "Look for what runs at this interval: a monitor, a checkpoint, output, a timer "
		  "of the system.",
	.see = "disturbance",
	.picture = "--panels spacetime,durations",
	.without = TV_WITHOUT_DISTURBANCE,
	.durations = true,
	.find = find_periodic,
};
