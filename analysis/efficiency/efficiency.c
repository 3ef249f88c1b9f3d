/* SPDX-License-Identifier: GPL-3.0-or-later */
/* efficiency.c -- how efficient a run is, and by what it loses. */
#include <math.h>

#include "analysis/calls/thread_time.h"
#include "analysis/core/columns.h"
#include "analysis/core/overlaps.h"
#include "analysis/core/warnings.h"
#include "analysis/efficiency/across.h"
#include "analysis/efficiency/parts.h"
#include "analysis/efficiency/pop.h"
#include "analysis/messages/network.h"
#include "trace/expr.h"
#include "trace/units.h"

#define COLUMNS(X) \
	X(SECTION, "Section", TV_LABEL, false, "", \
	  "mode: the whole run; factor: a kind of loss; product: several; network, pop: see " \
	  "these options") \
	X(NAME, "Name", TV_LABEL, false, "", \
	  "the kind of loss, see below; in the row mode: tasks or threads") \
	X(EFFICIENCY, "Efficiency", TV_DOUBLE, false, "", \
	  "Time / Time of the row above: 1 = nothing is lost; product: of its factors") \
	X(TIME, "Time", TV_TIME, false, "ms", \
	  "how long the run would take without this loss and those in the rows above") \
	X(LOST, "Lost", TV_TIME, false, "ms", \
	  "time lost by it; the sum of all factors is makespan - area bound") \
	X(LOST_SHARE, "LostShare", TV_DOUBLE, false, "%", "Lost / makespan") \
	X(WHAT, "What", TV_LABEL, false, "", "what Time is") \
	X(NOTE, "Note", TV_LABEL, false, "", "why a factor is missing, or what else matters")

TV_COLUMNS(columns, COLUMNS)

enum { BY, START, END, NBY };

static const struct tv_field by_columns[] = {
	[BY] = { "By", TV_LABEL, false, "",
		 "phase, iteration, node or instance of a region; missing: a window, or what ends "
		 "after "
		 "all of them" },
	[START] = { "Start", TV_TIME, false, "ms", "begin of the part" },
	[END] = { "End", TV_TIME, false, "ms", "end of it" },
	TV_FACTOR_FIELD_ROWS
};

struct writing {
	struct tv_table *out;
	const struct tv_ladder *ladder;
};

static uint32_t add_row(const struct writing *to, const char *section, const char *name)
{
	uint32_t row = tv_table_add_row(to->out);

	tv_set_text(to->out->col[SECTION], row, section);
	tv_set_text(to->out->col[NAME], row, name);
	return row;
}

static void set_times(const struct writing *to, uint32_t row, long double upper, long double lower)
{
	long double makespan = to->ladder->time[TV_LADDER_RUNG_RECORDED];

	tv_set_int(to->out->col[LOST], row, llroundl(upper) - llroundl(lower));
	tv_set_finite(to->out->col[EFFICIENCY], row, (double)(lower / upper));
	if (makespan > 0)
		tv_set_double(to->out->col[LOST_SHARE], row,
			      (double)(100 * (upper - lower) / makespan));
}

static void write_mode(const struct writing *to)
{
	uint32_t row = add_row(to, "mode", to->ladder->mode);

	tv_set_int(to->out->col[TIME], row, llroundl(to->ladder->time[TV_LADDER_RUNG_RECORDED]));
	tv_set_text(to->out->col[WHAT], row, tv_ladder_what(to->ladder, TV_LADDER_RUNG_RECORDED));
}

static void write_factor(const struct writing *to, const struct tv_factor *factor)
{
	const struct tv_ladder *ladder = to->ladder;
	uint32_t row = add_row(to, factor->product ? "product" : "factor", factor->name);
	const char *note = factor->missing != NULL ? factor->missing : ladder->note[factor->lower];

	set_times(to, row, ladder->time[factor->upper], ladder->time[factor->lower]);
	if (factor->product)
		return;
	tv_set_int(to->out->col[TIME], row, llroundl(ladder->time[factor->lower]));
	tv_set_text(to->out->col[WHAT], row, tv_ladder_what(to->ladder, factor->lower));
	tv_set_text(to->out->col[NOTE], row, note);
}

static int write_pop(const struct writing *to, struct tv_run *run, struct tv_error *err)
{
	struct tv_pop pop;

	if (tv_pop_init(&pop, run, to->ladder, err) < 0)
		return -1;
	for (int i = 0; i < TV_NPOP; i++) {
		uint32_t row;

		if (!pop.has[i])
			continue;
		row = add_row(to, "pop", tv_pop_name(i));
		tv_set_finite(to->out->col[EFFICIENCY], row, pop.value[i]);
		tv_set_text(to->out->col[WHAT], row, tv_pop_what(i));
		tv_set_text(to->out->col[NOTE], row, pop.missing[i]);
	}
	return 0;
}

/* The two parts of transfer, outside the product. */
static void write_network(const struct writing *to)
{
	const struct tv_ladder *ladder = to->ladder;
	const long double *time = ladder->time;
	uint32_t row = add_row(to, "network", "delays");

	set_times(to, row, time[TV_LADDER_RUNG_RUNTIME], ladder->network);
	tv_set_int(to->out->col[TIME], row, llroundl(ladder->network));
	tv_set_text(to->out->col[WHAT], row, ladder->network_what);
	row = add_row(to, "network", "network");
	set_times(to, row, ladder->network, time[TV_LADDER_RUNG_TRANSFER]);
	tv_set_int(to->out->col[TIME], row, llroundl(time[TV_LADDER_RUNG_TRANSFER]));
	tv_set_text(to->out->col[WHAT], row, tv_ladder_what(ladder, TV_LADDER_RUNG_TRANSFER));
}

/* Ends the command with a negative verdict if the expression holds. */
static int judge(struct tv_run *run, const struct tv_efficiency_options *asked,
		 const struct tv_ladder *ladder, const char *name, struct tv_error *err)
{
	bool holds;

	if (asked->fail_if == NULL)
		return 0;
	if (tv_factors_hold(ladder, asked->fail_if, &holds, err) < 0)
		return -1;
	if (holds && run->verdict.status == 0) {
		tv_fail(&run->verdict, "--fail-if %s: it holds for %s", asked->fail_if, name);
		run->verdict.status = TV_NEGATIVE;
	}
	return 0;
}

static int write_run(struct tv_run *run, const struct tv_efficiency_options *asked,
		     struct tv_table *out, struct tv_error *err)
{
	struct tv_factor factor[TV_FACTORS_MAX];
	struct tv_ladder ladder;
	struct writing to = { out, &ladder };
	int rc = tv_ladder_of_run(&ladder, run, err);
	size_t n = rc == 0 ? tv_ladder_factors(&ladder, factor) : 0;

	tv_add_fields(out, columns, TV_COUNT(columns));
	if (rc == 0) {
		tv_ladder_warn(run, &ladder);
		write_mode(&to);
	}
	for (size_t i = 0; i < n; i++)
		if (!factor[i].certain || asked->all)
			write_factor(&to, &factor[i]);
	if (rc == 0 && asked->network != NULL) {
		rc = tv_ladder_add_network(&ladder, run, asked->network, err);
		if (rc == 0)
			write_network(&to);
	}
	if (rc == 0 && asked->pop)
		rc = write_pop(&to, run, err);
	if (rc == 0)
		rc = judge(run, asked, &ladder, "the run", err);
	tv_ladder_release(&ladder);
	return rc;
}

static int write_parts(struct tv_run *run, const struct tv_efficiency_options *asked,
		       struct tv_table *out, struct tv_error *err)
{
	struct tv_efficiency_parts parts;
	enum tv_part_key key = asked->region != NULL ? TV_PART_REGION : (enum tv_part_key)asked->by;
	int rc = tv_efficiency_parts_init(&parts, run, key, asked->step_ns, asked->region, err);

	tv_add_fields(out, by_columns, TV_COUNT(by_columns));
	for (size_t i = 0; rc == 0 && i < parts.n; i++) {
		const struct tv_efficiency_part *part = &parts.at[i];
		uint32_t row = tv_table_add_row(out);

		tv_set_text(out->col[BY], row, part->name);
		tv_set_int(out->col[START], row, part->begin);
		tv_set_int(out->col[END], row, part->end);
		tv_factors_set(out, NBY, row, &part->ladder);
		for (int rung = TV_LADDER_RUNG_RUNTIME; rung <= TV_LADDER_RUNG_SUBMISSION; rung++)
			if (isfinite((double)part->replayed[rung]))
				tv_set_int(out->col[NBY + rung], row,
					   llroundl(part->replayed[rung]));
		rc = judge(run, asked, &part->ladder, part->name != NULL ? part->name : "a part",
			   err);
	}
	tv_efficiency_parts_release(&parts);
	return rc;
}

/* Whether the table has a row for each part. */
static bool has_parts(const struct tv_efficiency_options *asked)
{
	return asked->by >= 0 || asked->region != NULL;
}

static int check_options(const struct tv_options *options, struct tv_error *err)
{
	const struct tv_efficiency_options *asked = options->chosen;

	if (asked->by == TV_PART_WINDOW && asked->step_ns == 0)
		return tv_fail_usage(err, "--by window needs --step TIME");
	if (asked->by != TV_PART_WINDOW && asked->step_ns != 0)
		return tv_fail_usage(err, "--step needs --by window");
	if (asked->by >= 0 && asked->region != NULL)
		return tv_fail_usage(err, "--by and --region are two tables, expected one of them");
	if (has_parts(asked) && (asked->pop || asked->all || asked->network != NULL))
		return tv_fail_usage(err, "--%s has no effect on the table of --%s",
				     asked->pop	  ? "pop"
				     : asked->all ? "all"
						  : "network",
				     asked->region != NULL ? "region" : "by");
	if (tv_network_check(asked->network, err) < 0)
		return -1;
	return asked->fail_if == NULL ? 0 : tv_expr_check(asked->fail_if, err);
}

/* Threads of OpenMP that work for a tenth of their work or more outside of tasks, in loops and serial parts. */
static void warn_outside(struct tv_run *run)
{
	const struct tv_threads *threads = tv_run_threads(run);
	tv_int128 useful = 0, outside;
	char time[40];

	for (uint32_t i = 0; i < threads->n; i++)
		useful += threads->at[i].openmp ? threads->at[i].useful : 0;
	outside = useful;
	for (uint32_t row = 0; row < run->tasks.n; row++)
		if (run->tasks.counted[row])
			outside -= tv_row_time(&run->tasks, row);
	if (outside <= 0 || outside < useful / 10)
		return;
	tv_time_text(time, sizeof time, tv_sum_ns(outside), NULL);
	tv_run_warn(run,
		    "only tasks count as work: threads also work outside of them, in parallel "
		    "loops and serial parts, for %s (states)%s",
		    time, threads->nranks > 0 ? "; mpi-replay counts all work" : "");
}

static int run_efficiency(struct tv_run *run, const struct tv_options *options,
			  struct tv_table *out, struct tv_error *err)
{
	const struct tv_efficiency_options *asked = options->chosen;

	if (asked->by == TV_PART_TYPE)
		return tv_fail_usage(err, "--by type compares several runs: give their traces");
	if (run->tasks.ncounted > 0) {
		tv_warn_workers(run);
		tv_warn_overlaps(run);
		tv_warn_cut(run);
		warn_outside(run);
	}
	return has_parts(asked) ? write_parts(run, asked, out, err)
				: write_run(run, asked, out, err);
}

#define INTO(member) TV_INTO(struct tv_efficiency_options, member)

static const struct tv_option_spec options[] = {
	{ "by", "window|iteration|phase|node|type", NULL,
	  "another table: a row for each window, iteration, phase or node; of several runs for "
	  "each task type",
	  TV_OPTION_CHOICE, INTO(by) },
	{ "step", "TIME", NULL, "--by window: slices between multiples of TIME", TV_OPTION_TIME, 1,
	  0, INTO(step_ns) },
	{ "region", "NAME[#K|#*]", NULL,
	  "a row for the K-th instance of a region, or for each: a state, a call of MPI, or a span "
	  "of "
	  "events; from its first enter to its last leave on all nodes",
	  INTO(region) },
	{ TV_NETWORK_ROW, INTO(network) },
	{ "pop", NULL, NULL, "also the metrics of POP, where all workers are equal", TV_OPTION_TEXT,
	  INTO(pop) },
	{ "all", NULL, NULL, "also factors that must be 1, such as nodes on one node",
	  TV_OPTION_TEXT, INTO(all) },
	{ "fail-if", "EXPR", NULL,
	  "exit with status 3 if EXPR holds, e.g. 'nodes < 0.8 or makespan > 500'",
	  TV_OPTION_EXPRESSION, INTO(fail_if) },
};

static const struct tv_columns forms[] = { { by_columns, TV_COUNT(by_columns), "--by" },
					   { tv_across_columns, TV_ACROSS_COLUMNS, "several runs" },
					   { tv_by_type_columns, TV_BY_TYPE_COLUMNS,
					     "--by type" } };

const struct tv_pass tv_pass_efficiency = {
	.name = "efficiency",
	.summary = "How efficient a run is: the time that each kind of loss takes",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_BOUNDS,
	.needs = "calls links states events resources",
	.taskless = true,
	TV_PASS_OPTIONS_INTO(struct tv_efficiency_options, options),
	TV_PASS_COLUMNS(columns),
	TV_PASS_FORMS(forms),
	.varies = true,
	.check = check_options,
	.notes =
		"The first row is the run. Each row of factor takes away one more kind of loss,\n"
		"until only the area bound is left: the time if all workers were always busy. The\n"
		"product of all factors is area bound / makespan.\n"
		"  runtime     scheduling, late starts, posting of messages, other tasks, "
		"transfers\n"
		"              inside a node. Low: larger tasks, another scheduler, prefetching\n"
		"  transfer    messages in flight. Low: less data, another distribution, overlap\n"
		"  submission  tasks are submitted late. Low: submit earlier, several submitters\n"
		"  order       waits that neither the graph nor the worker's own work forces. "
		"Low:\n"
		"              priorities, another scheduler\n"
		"  graph       the longest path takes longer than the work of any worker. Low:\n"
		"              smaller tasks on the path, faster workers for them\n"
		"  workers     unequal work of workers of one type on one node. Low: scheduler,\n"
		"              smaller tasks\n"
		"  types       one type of workers has too much work, another too little (by "
		"their\n"
		"              prices, see account). Low: move tasks to the other types\n"
		"  nodes       unequal work of nodes. Low: another distribution of the data\n"
		"  overlap     only where workers ran several tasks at once: above 1\n"
		"  placement   tasks on the wrong type of workers. Low: better performance models\n"
		"Rows of product: global = placement x parallel; parallel = load-balance x\n"
		"communication; load-balance = nodes x types x workers; communication =\n"
		"serialization x transfer x runtime; serialization = graph x order x submission.\n"
		"Values above 0.8 count as good (POP). Factors that must be 1 are left\n"
		"out (--all); where a time cannot be known, one factor has the names of both "
		"losses,\n"
		"and Note says why. --by: the prices are those of the run; Area and Useful of "
		"windows\n"
		"add up to those of the run. NoRuntime, NoMessages and AtOnce of phases and\n"
		"iterations are what each adds to the time of the whole: they may be above "
		"Makespan.\n"
		"Iterations of MPI calls have the work since the one before ended; the first one "
		"begins\n"
		"with its first call.\n"
		"Without tasks threads are workers, and useful is what they do outside MPI calls "
		"and\n"
		"waits of OpenMP: the rungs of mpi-replay. --network divides transfer: delays, "
		"what\n"
		"messages take beyond what it needs, and network.\n"
		"Several traces: a row for each, relative to the run with the fewest workers; its\n"
		"area bound on the workers of the other run gives IdealSpeedup and WorkScaling. "
		"Equal\n"
		"labels are repeats: the run with the median makespan counts.\n"
		"With one type of workers these are POP's metrics. Sources: pop-coe.eu/node/69; "
		"lp/area.h\n"
		"for the area bound; the division is ours.",
	.example = "traceviz efficiency data/cholesky-2nodes",
	.windowless = true,
	.run = run_efficiency,
};
