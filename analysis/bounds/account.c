/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account.c -- what the time between the area bound and the makespan consists of. */
#include "analysis/bounds/accounting.h"

#include <math.h>
#include <string.h>

#include "analysis/core/overlaps.h"
#include "analysis/core/warnings.h"
#include "trace/alloc.h"

#define COLUMNS(X) \
	X(SECTION, "Section", TV_LABEL, false, "", \
	  "bound, price, sum or part, see below; only rows of one section add up") \
	X(PART, "Part", TV_LABEL, false, "", \
	  "idle, other, allocation, durations, open or overlap; of a bound, its name") \
	X(CAUSE, "Cause", TV_LABEL, false, "", \
	  "idle: as in idle-causes; durations: outlier, slow-worker, disturbance, rest") \
	X(BLAME, "Blame", TV_LABEL, false, "", "idle for dependencies: as in idle-causes") \
	X(VALUE, "Value", TV_LABEL, false, "", "allocation, durations, open: task type") \
	X(RTYPE, "ResourceType", TV_LABEL, false, "", "type of the workers") \
	X(WORKERS, "Workers", TV_INT, false, "", "price: number of workers") \
	X(PRICE, "Price", TV_DOUBLE, false, "", \
	  "time of the run that one unit of such a worker's time costs") \
	X(WORKER_TIME, "WorkerTime", TV_TIME, false, "ms", \
	  "time of workers, not priced (see below); overlap: below 0") \
	X(TIME, "Time", TV_TIME, false, "ms", \
	  "the bound; of a sum or part, its share of makespan - area") \
	X(SHARE, "Share", TV_DOUBLE, false, "%", "Time over makespan - area") \
	X(NOTE, "Note", TV_LABEL, false, "", \
	  "not limiting: the price is 0; one of several prices: between these all are optimal")

TV_COLUMNS(columns, COLUMNS)

struct writing {
	const struct tv_account *account;
	struct tv_table *out;
};

static uint32_t add_row(const struct writing *to, const char *section, const char *part)
{
	uint32_t row = tv_table_add_row(to->out);

	tv_set_text(to->out->col[SECTION], row, section);
	tv_set_text(to->out->col[PART], row, part);
	return row;
}

static void set_share(const struct writing *to, uint32_t row, int64_t time)
{
	int64_t all = to->account->makespan - to->account->area;

	tv_set_int(to->out->col[TIME], row, time);
	if (all != 0)
		tv_set_double(to->out->col[SHARE], row, 100 * (double)time / (double)all);
}

static void set_several(const struct writing *to, uint32_t row, const struct tv_account_type *type)
{
	char *text = tv_format("one of several prices, %.6g to %.6g", type->low, type->high);

	tv_set_text(to->out->col[NOTE], row, text);
	tv_free(text);
}

static void set_type(const struct writing *to, uint32_t row, const struct tv_account_type *type)
{
	tv_set_label(to->out->col[RTYPE], row, type->rtype);
	tv_set_double(to->out->col[PRICE], row, type->price);
	if (type->low < type->high)
		set_several(to, row, type);
	else if (!(type->price > 0))
		tv_set_text(to->out->col[NOTE], row, "not limiting");
}

/* ---- sections ---- */

static void write_bounds(const struct writing *to)
{
	const struct tv_account *account = to->account;
	const struct {
		const char *name;
		int64_t time; /* -1 = none */
	} bound[] = {
		{ "makespan", account->makespan },
		{ "area", account->area },
		{ "placement", llround(account->placement) },
		{ "tight", account->tight },
		{ "cpe", account->cpe },
	};

	for (size_t i = 0; i < TV_COUNT(bound); i++)
		if (bound[i].time >= 0)
			tv_set_int(to->out->col[TIME], add_row(to, "bound", bound[i].name),
				   bound[i].time);
}

static void write_prices(const struct writing *to)
{
	for (uint32_t r = 0; r < to->account->ntypes; r++) {
		const struct tv_account_type *type = &to->account->type[r];
		uint32_t row = add_row(to, "price", "work");

		set_type(to, row, type);
		tv_set_int(to->out->col[WORKERS], row, type->workers);
		tv_set_int(to->out->col[WORKER_TIME], row, tv_sum_ns(type->work));
	}
}

/* What the area bound would do with less than a nanosecond's gain is no part. */
static bool is_shown(const struct tv_account_row *row)
{
	return row->part != TV_ACCOUNT_ALLOCATION || row->time != 0;
}

static void write_sums(const struct writing *to)
{
	for (enum tv_account_part part = 0; part < TV_NACCOUNT_PARTS; part++) {
		tv_int128 worker = 0;
		int64_t time = 0;
		uint32_t row;

		for (size_t i = 0; i < to->account->n; i++)
			if (to->account->row[i].part == part && is_shown(&to->account->row[i])) {
				worker += to->account->row[i].worker;
				time += to->account->row[i].time;
			}
		if (part == TV_ACCOUNT_OPEN && worker == 0)
			continue;
		row = add_row(to, "sum", tv_account_part_name(part));
		tv_set_int(to->out->col[WORKER_TIME], row, tv_sum_ns(worker));
		set_share(to, row, time);
	}
}

static void write_parts(const struct writing *to)
{
	for (size_t i = 0; i < to->account->n; i++) {
		const struct tv_account_row *part = &to->account->row[i];
		uint32_t row;

		if (!is_shown(part))
			continue;
		row = add_row(to, "part", tv_account_part_name(part->part));
		if (part->cause != NULL)
			tv_set_text(to->out->col[CAUSE], row, part->cause);
		if (part->blame != NULL)
			tv_set_text(to->out->col[BLAME], row, part->blame);
		tv_set_label(to->out->col[VALUE], row, part->value);
		set_type(to, row, &to->account->type[part->type]);
		tv_set_int(to->out->col[WORKER_TIME], row, tv_sum_ns(part->worker));
		set_share(to, row, part->time);
	}
}

/* ---- the pass ---- */

struct asked {
	const char *durations, *durations_from;
};

static int run_account(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		       struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	struct tv_account account;
	struct writing to = { &account, out };
	int rc = tv_account_init(&account, run, asked->durations, asked->durations_from, true, err);

	if (rc == 0) {
		tv_warn_workers(run);
		tv_warn_overlaps(run);
		write_bounds(&to);
		write_prices(&to);
		write_sums(&to);
		write_parts(&to);
	}
	tv_account_release(&account);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "durations", "mean|median|minimum", "mean", "duration of a task type on a resource type",
	  TV_OPTION_CHOICE, TV_ASKED(durations) },
	{ TV_DURATIONS_FROM_ROW, TV_ASKED(durations_from) },
};

const struct tv_pass tv_pass_account = {
	.name = "account",
	.summary = "Divide the time between the area bound and the makespan by cause",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_BOUNDS,
	.needs = "links states resources calls",
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_COLUMNS(columns),
	.notes =
		"bound  makespan; area: the area bound, as abe in bounds; beside them placement: "
		"no\n"
		"       schedule with as many tasks of each type on each type of workers takes "
		"less;\n"
		"       tight and cpe as in bounds: what the graph forces\n"
		"price  of each type of workers: the time that the run takes longer if one of "
		"them\n"
		"       is idle for one unit of time; all workers' prices add up to 1\n"
		"sum    the parts by Part; they add up to makespan - area exactly\n"
		"part   the same by cause, task type and type of workers, those that are not 0\n"
		"With y(r) the price, w(t,r) the duration (--durations) of task type t on type r "
		"of\n"
		"workers, n(t,r) tasks there, and m(t) the min over r of y(r) w(t,r):\n"
		"  idle        y(r) x idle time, by cause\n"
		"  other       y(r) x time in tasks that are not counted (setup, runtime)\n"
		"  allocation  n(t,r) (y(r) w(t,r) - m(t)): tasks that ran where the area bound "
		"has\n"
		"              none; never negative\n"
		"  durations   y(r) (duration - w(t,r)), each task in the first class that holds:\n"
		"              outlier (outliers); slow-worker (deviating-resources: it, its "
		"device\n"
		"              or node); disturbance (disturbances: it ran during one); rest\n"
		"  open        y(r) x what the trace shows of tasks that had not ended when it "
		"did:\n"
		"              the area bound and the other parts are of those that ended\n"
		"  overlap     - y(r) x time in which a worker ran a task and another one\n"
		"WorkerTime is that of the idle time, other tasks and so on; of allocation, of "
		"the\n"
		"tasks that ran there; of a price row, of all tasks. For each type of workers, "
		"those\n"
		"of its price row, idle, other and overlap add up to workers x makespan. Time is\n"
		"WorkerTime over the number of workers only if they are of one type. Parts are\n"
		"rounded to 1 ns; the rest goes to the largest. Several nodes are treated as one\n"
		"machine.\n"
		"Source of the duality: D. Gale, H. W. Kuhn, A. W. Tucker, 1951; the division is "
		"ours.",
	.example = "traceviz account data/cholesky.csv",
	.windowless = true,
	.run = run_account,
};
