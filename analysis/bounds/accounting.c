/* SPDX-License-Identifier: GPL-3.0-or-later */
/* accounting.c -- from the area bound to the makespan. */
#include "analysis/bounds/accounting.h"

#include <math.h>
#include <string.h>

#include "analysis/bounds/worth.h"
#include "analysis/core/lateness.h"
#include "dag/blame.h"
#include "trace/alloc.h"

const char *tv_account_part_name(enum tv_account_part part)
{
	static const char *const name[] = {
#define NAME(symbol, name) name,
		TV_ACCOUNT_PARTS(NAME)
#undef NAME
	};

	return name[part];
}

/* A difference of prices below this, relative, is noise of the solver. */
static const long double noise = 1e-11L;

struct accounting {
	struct tv_account *account;
	struct tv_run *run;
	const char *durations, *file; /* the options */
	bool tight;
	struct tv_worth worth;
};

/* Adds a row, unless it is 0 in all. */
static void add(struct accounting *work, const struct tv_account_row *row)
{
	struct tv_account *account = work->account;

	if (row->worker == 0 && row->exact == 0)
		return;
	TV_GROW(account->row, account->n, account->cap, 1);
	account->row[account->n++] = *row;
}

/* Time of workers at their price. */
static long double priced(const struct accounting *work, uint32_t r, long double worker)
{
	return (long double)work->worth.price[r] * worker;
}

/* ---- time of workers that is no task's ---- */

static int read_idleness(struct accounting *work, struct tv_error *err)
{
	const struct tv_table *table = tv_run_pass(work->run, "idleness", NULL, err);
	const struct tv_tasks *tasks = &work->run->tasks;
	tv_int128 makespan = (tv_int128)tasks->finish - tasks->begin;
	const struct tv_column *busy, *other;

	if (table == NULL)
		return -1;
	busy = tv_table_find(table, "Busy");
	other = tv_table_find(table, "Other");
	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		struct tv_account_type *type = &work->account->type[tasks->workers[w].rtype];

		type->other += other->i[w];
		type->overlap -= busy->i[w];
		type->idle += makespan - busy->i[w] - other->i[w];
	}
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row]) {
			struct tv_account_type *type =
				&work->account->type[tasks->workers[tasks->worker[row]].rtype];

			type->work += tv_row_device_time(tasks, row);
			type->overlap += tv_row_device_time(tasks, row);
		}
	return 0;
}

static void add_idle(struct accounting *work, uint32_t r, const char *cause, const char *blame,
		     int64_t time)
{
	add(work, &(struct tv_account_row){ TV_ACCOUNT_IDLE, cause, blame, TV_NONE, r, time,
					    priced(work, r, time), 0 });
}

static int add_causes(struct accounting *work, struct tv_error *err)
{
	const struct tv_table *table = tv_run_pass_with(work->run, "idle-causes", err, "by", "type",
							NULL);
	const struct tv_column *time, *rtype;

	if (table == NULL)
		return -1;
	time = tv_table_find(table, "Time");
	rtype = tv_table_find(table, "ResourceType");
	for (uint32_t row = 0; row < table->nrows; row++) {
		const char *cause = tv_table_text(table, "Cause", row);
		uint32_t r = 0;

		while (work->account->type[r].rtype != tv_label(rtype, row))
			r++;
		if (strcmp(cause, tv_idle_cause_name(TV_IDLE_DEPENDENCIES)) != 0)
			add_idle(work, r, cause, NULL, time->i[row]);
		for (int b = 0; b < TV_NBLAMES; b++) {
			const struct tv_column *blamed = tv_table_find(table, tv_blame_column(b));

			if (!tv_missing(blamed, row))
				add_idle(work, r, cause, tv_blame_name(b), blamed->i[row]);
		}
	}
	return 0;
}

/* The rows other or overlap. */
static void add_types(struct accounting *work, enum tv_account_part part)
{
	for (uint32_t r = 0; r < work->account->ntypes; r++) {
		const struct tv_account_type *type = &work->account->type[r];
		tv_int128 worker = part == TV_ACCOUNT_OTHER ? type->other : -type->overlap;

		add(work, &(struct tv_account_row){ part, NULL, NULL, TV_NONE, r, worker,
						    priced(work, r, (long double)worker), 0 });
	}
}

/* ---- tasks ---- */

static size_t pair_of(const struct accounting *work, uint32_t t, uint32_t r)
{
	return (size_t)t * work->worth.means->nrtypes + r;
}

/* Time of workers that the n(t,r) tasks of a pair would take with w(t,r). */
static long double expected(const struct accounting *work, size_t pair)
{
	return work->worth.means->pair[pair].executions == 0
		     ? 0
		     : (long double)work->worth.of.time[pair]
			       * (long double)work->worth.means->pair[pair].executions;
}

static void add_allocation(struct accounting *work)
{
	const struct tv_area *area = &work->worth.of.area;

	for (uint32_t t = 0; t < work->worth.means->ntypes; t++) {
		long double min = INFINITY;

		for (uint32_t r = 0; r < work->worth.means->nrtypes; r++)
			if (tv_area_allows(area, t, r))
				min = fminl(min, priced(work, r, area->time[pair_of(work, t, r)]));
		for (uint32_t r = 0; r < work->worth.means->nrtypes; r++) {
			size_t pair = pair_of(work, t, r);
			double n = work->worth.means->pair[pair].tasks;
			long double cost = priced(work, r, area->time[pair]) - min;

			if (n > 0 && cost > noise * min)
				add(work, &(struct tv_account_row){
						  TV_ACCOUNT_ALLOCATION, NULL, NULL,
						  work->worth.means->type[t], r,
						  (tv_int128)roundl(expected(work, pair)),
						  (long double)n * cost, 0 });
		}
	}
}

/* Executions of a pair that are of one class. */
struct class_sum {
	int64_t executions;
	tv_int128 time;
};

static struct class_sum *sum_classes(const struct accounting *work, const uint8_t *class)
{
	const struct tv_tasks *tasks = &work->run->tasks;
	struct class_sum *sum = tv_alloc((size_t)work->worth.means->ntypes
						 * work->worth.means->nrtypes * TV_NLATENESS,
					 sizeof *sum);

	for (uint32_t i = 0; i < work->worth.means->nrows; i++) {
		uint32_t row = work->worth.means->row[i];
		size_t pair = pair_of(work, tv_means_type(work->worth.means, row),
				      tasks->workers[tasks->worker[row]].rtype);
		struct class_sum *to = &sum[pair * TV_NLATENESS + class[tv_row_whole(tasks, row)]];

		if (!tv_means_take(work->worth.means, tasks, row))
			continue;
		to->executions += tv_row_begins(tasks, row);
		to->time += tv_row_device_time(tasks, row);
	}
	return sum;
}

/* The classes of a pair. The last one gets what rounding leaves of the pair, so that the time of
 * workers is exact for the pair. */
static void add_pair(struct accounting *work, uint32_t t, uint32_t r, const struct class_sum *sum)
{
	size_t pair = pair_of(work, t, r);
	long double w = work->worth.means->pair[pair].executions > 0 ? work->worth.of.time[pair]
								     : 0;
	long double all = (long double)work->worth.means->pair[pair].time - expected(work, pair);
	tv_int128 left = (tv_int128)roundl(all);

	/* A mean is a rounded number, but its differences add up to 0. */
	if (work->worth.rule.statistic == TV_MEAN && !work->worth.rule.foreign
	    && work->worth.means->pair[pair].executions > 0)
		all = left = 0;
	for (int c = 0; c < TV_NLATENESS; c++) {
		long double exact = (long double)sum[c].time - w * (long double)sum[c].executions;
		tv_int128 worker = (tv_int128)roundl(exact);

		if (c == TV_LATENESS_REST) {
			exact = all;
			worker = left;
		}
		all -= exact;
		left -= worker;
		add(work, &(struct tv_account_row){ TV_ACCOUNT_DURATIONS, tv_lateness_name(c), NULL,
						    work->worth.means->type[t], r, worker,
						    priced(work, r, exact), 0 });
	}
}

static int add_durations(struct accounting *work, struct tv_error *err)
{
	uint8_t *class = tv_run_lateness(work->run, err);
	struct class_sum *sum;

	if (class == NULL)
		return -1;
	sum = sum_classes(work, class);
	for (uint32_t t = 0; t < work->worth.means->ntypes; t++)
		for (uint32_t r = 0; r < work->worth.means->nrtypes; r++)
			add_pair(work, t, r, &sum[pair_of(work, t, r) * TV_NLATENESS]);
	tv_free(sum);
	tv_free(class);
	return 0;
}

/* What the trace shows of tasks without end: the area bound does not have their work. */
static void add_open(struct accounting *work)
{
	const struct tv_tasks *tasks = &work->run->tasks;
	const struct tv_means *means = work->worth.means;
	size_t npairs = (size_t)means->ntypes * means->nrtypes;
	tv_int128 *time = tv_alloc(npairs, sizeof *time);

	for (uint32_t i = 0; i < means->nrows; i++) {
		uint32_t row = means->row[i];

		if (!tv_means_take(means, tasks, row))
			time[pair_of(work, tv_means_type(means, row),
				     tasks->workers[tasks->worker[row]].rtype)] +=
				tv_row_device_time(tasks, row);
	}
	for (size_t pair = 0; pair < npairs; pair++) {
		uint32_t r = (uint32_t)(pair % means->nrtypes);

		add(work, &(struct tv_account_row){
				  TV_ACCOUNT_OPEN, NULL, NULL, means->type[pair / means->nrtypes],
				  r, time[pair], priced(work, r, (long double)time[pair]), 0 });
	}
	tv_free(time);
}

/* ---- beside the parts ---- */

static int read_bounds(struct accounting *work, struct tv_error *err)
{
	struct tv_account *account = work->account;
	const struct tv_table *table = tv_run_pass_with(
		work->run, "bounds", err, "durations", work->durations, "tight",
		work->tight ? "" : NULL, "durations-from", work->file, NULL);

	if (table == NULL)
		return -1;
	for (uint32_t row = 0; row < table->nrows; row++) {
		const char *name = tv_table_text(table, "Bound", row);
		int64_t time = tv_table_find(table, "Time")->i[row];

		if (tv_label(tv_table_find(table, "Node"), row) != TV_NONE)
			continue;
		if (strcmp(name, "cpe") == 0)
			account->cpe = time;
		if (strcmp(name, "tight") == 0)
			account->tight = time;
	}
	for (uint32_t r = 0; r < account->ntypes; r++) {
		long double sum = 0;

		for (uint32_t t = 0; t < work->worth.means->ntypes; t++)
			sum += expected(work, pair_of(work, t, r));
		account->placement = fmax(account->placement,
					  (double)(sum / (long double)account->type[r].workers));
	}
	return 0;
}

/* Rounds the parts; what is left goes to the largest. */
static void round_parts(struct tv_account *account)
{
	tv_int128 left = (tv_int128)account->makespan - account->area;
	size_t largest = 0;

	for (size_t i = 0; i < account->n; i++) {
		account->row[i].time = llroundl(account->row[i].exact);
		left -= account->row[i].time;
		if (fabsl(account->row[i].exact) > fabsl(account->row[largest].exact))
			largest = i;
	}
	if (account->n > 0)
		account->row[largest].time += (int64_t)left;
}

static int divide(struct accounting *work, struct tv_error *err)
{
	struct tv_account *account = work->account;

	account->bound = work->worth.bound;
	for (uint32_t r = 0; r < account->ntypes; r++) {
		account->type[r].price = work->worth.price[r];
		account->type[r].low = work->worth.low[r];
		account->type[r].high = work->worth.high[r];
	}
	if (read_idleness(work, err) < 0 || add_causes(work, err) < 0)
		return -1;
	add_types(work, TV_ACCOUNT_OTHER);
	add_allocation(work);
	if (add_durations(work, err) < 0)
		return -1;
	add_open(work);
	add_types(work, TV_ACCOUNT_OVERLAP);
	account->area = llround(account->bound);
	round_parts(account);
	return read_bounds(work, err);
}

int tv_account_init(struct tv_account *account, struct tv_run *run, const char *durations,
		    const char *file, bool tight, struct tv_error *err)
{
	const struct tv_tasks *tasks = &run->tasks;
	struct accounting work = {
		.account = account, .run = run, .durations = durations, .file = file, .tight = tight
	};
	int rc;

	*account = (struct tv_account){ .makespan = tasks->finish - tasks->begin,
					.cpe = -1,
					.tight = -1,
					.ntypes = tasks->nrtypes };
	account->type = tv_alloc(tasks->nrtypes, sizeof *account->type);
	for (uint32_t r = 0; r < tasks->nrtypes; r++) {
		account->type[r].rtype = tasks->rtype[r].label;
		account->type[r].workers = tasks->rtype[r].nworkers;
	}
	rc = tv_worth_init(&work.worth, run, durations, file, err);
	if (rc == 0)
		rc = divide(&work, err);
	account->rule = work.worth.rule;
	work.worth.rule = (struct tv_duration_rule){ 0 };
	tv_worth_release(&work.worth);
	return rc;
}

void tv_account_release(struct tv_account *account)
{
	tv_free(account->type);
	tv_free(account->row);
	tv_duration_rule_release(&account->rule);
	*account = (struct tv_account){ 0 };
}
