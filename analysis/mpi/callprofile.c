/* SPDX-License-Identifier: GPL-3.0-or-later */
/* callprofile.c -- sums of MPI calls by rank, function and place. */
#include "analysis/core/columns.h"
#include "analysis/mpi/call_profile.h"

#define COLUMNS(X) \
	X(RANK, "Rank", TV_LABEL, false, "", "rank; * = all ranks together") \
	X(CALL, "Call", TV_LABEL, false, "", \
	  "function; run = the whole rank; not listed = calls of no row") \
	X(CLASS, "Class", TV_LABEL, false, "", "blocking, start, test, wait, other; run") \
	X(SITE, "Site", TV_LABEL, false, "", "place in the program") \
	X(COUNT, "Count", TV_INT, false, "", "calls; missing = unknown") \
	X(TIME, "Time", TV_TIME, false, "ms", "sum of their durations") \
	X(MIN, "Min", TV_TIME, false, "ms", "shortest") \
	X(MEAN, "Mean", TV_TIME, false, "ms", "Time / Count of those that ended") \
	X(MAX, "Max", TV_TIME, false, "ms", "longest") \
	X(BYTES, "Bytes", TV_INT, false, "bytes", "sum of their data") \
	X(PERCENT, "Percent", TV_DOUBLE, false, "%", \
	  "Time / time of the rank; missing for MPI_Init and MPI_Finalize")

TV_COLUMNS(columns, COLUMNS)

static void write_run(const struct tv_call_profile *profile, uint32_t rank, struct tv_table *out)
{
	uint32_t row;

	if (profile->run[rank] == TV_NO_NUMBER)
		return;
	row = tv_table_add_row(out);
	tv_set_label(out->col[RANK], row, profile->rank[rank]);
	tv_set_text(out->col[CALL], row, "run");
	tv_set_text(out->col[CLASS], row, "run");
	tv_set_int(out->col[COUNT], row, 1);
	tv_set_int(out->col[TIME], row, profile->run[rank]);
}

static int run_callprofile(struct tv_run *run, const struct tv_options *options,
			   struct tv_table *out, struct tv_error *err)
{
	const struct tv_call_profile *profile = tv_run_call_profile(run, "callprofile", err);
	uint32_t rank = 0;

	(void)options;
	if (profile == NULL)
		return -1;
	for (uint32_t i = 0; i < profile->n; i++) {
		const struct tv_call_sum *sum = &profile->at[i];
		int64_t all = profile->run[sum->rank];
		uint32_t row;

		while (rank <= sum->rank)
			write_run(profile, rank++, out);
		row = tv_table_add_row(out);
		tv_set_label(out->col[RANK], row, profile->rank[sum->rank]);
		tv_set_label(out->col[CALL], row, sum->call);
		tv_set_text(out->col[CLASS], row, tv_call_class_name[sum->class]);
		tv_set_label(out->col[SITE], row, sum->site);
		tv_set_known(out->col[COUNT], row, sum->count);
		tv_set_int(out->col[TIME], row, sum->time);
		tv_set_known(out->col[MIN], row, sum->min);
		if (sum->count > sum->nopen)
			tv_set_int(out->col[MEAN], row,
				   (sum->time - sum->open) / (sum->count - sum->nopen));
		tv_set_known(out->col[MAX], row, sum->max);
		tv_set_known(out->col[BYTES], row, sum->bytes);
		if (all > 0 && !tv_call_outside(run->trace->pool, sum))
			tv_set_double(out->col[PERCENT], row,
				      100 * (double)sum->time / (double)all);
	}
	while (rank < profile->nranks)
		write_run(profile, rank++, out);
	return 0;
}

const struct tv_pass tv_pass_callprofile = {
	.name = "callprofile",
	.summary = "Sums of MPI calls, by rank, function and place",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_MPI,
	.ranked = "Time",
	.taskless = true,
	.windowless = true,
	.needs = "calls callprofile resources",
	.refuses_tasks = true,
	.columns = "",
	.parted = "calls",
	.in_parts = tv_pass_always,
	.unordered = true,
	TV_PASS_COLUMNS(columns),
	.table = "callprofile",
	.notes = "Of the table callprofile, if the trace has it (profilers write such sums), else\n"
		 "of its calls. The row of the Class run is the time of the rank: from the end of\n"
		 "MPI_Init to the begin of MPI_Finalize, or from the first to the last call.\n"
		 "The output is itself a table callprofile that traceviz reads.",
	.example = "traceviz callprofile data/mpi-overlap",
	.run = run_callprofile,
};
