/* SPDX-License-Identifier: GPL-3.0-or-later */
/* overlap.c -- whether nonblocking communications overlap with computation, and why not. */
#include <math.h>

#include "analysis/core/columns.h"
#include "analysis/mpi/overlap_copies.h"
#include "analysis/mpi/overlap_groups.h"

/* Groups in the order of enum tv_overlap_by. */
enum { BY_REQUEST, BY_FIRST_GROUP, BY_REFERENCE = BY_FIRST_GROUP + TV_OVERLAP_NBY, BY_DEVICE };

/* ---- columns ---- */

#define COLUMNS(X) \
	X(RANK, "Rank", TV_LABEL, false, "", "rank of the request") \
	X(REQUEST, "Request", TV_LABEL, false, "", \
	  "its name; of a message its key; of a blocking call missing") \
	X(CALL, "Call", TV_LABEL, false, "", "function that starts it") \
	X(SITE, "Site", TV_LABEL, false, "", "place in the program that starts it") \
	X(COMM, "Comm", TV_LABEL, false, "", "communicator") \
	X(SEQUENCE, "Sequence", TV_INT, false, "", "number of the collective operation") \
	X(RANKS, "Ranks", TV_INT, false, "", "ranks that take part in it, as far as traced") \
	X(BYTES, "Bytes", TV_INT, false, "bytes", "data") \
	X(START, "Start", TV_TIME, false, "ms", "begin of the call that starts it") \
	X(CALL_TIME, "CallTime", TV_TIME, false, "ms", \
	  "duration of the call that starts it; of a blocking call 0") \
	X(COMPUTE, "ComputeTime", TV_TIME, false, "ms", \
	  "when the rank computed in its window, on any worker") \
	X(WORKER, "WorkerTime", TV_TIME, false, "ms", "the sum over the workers") \
	X(WAIT, "WaitTime", TV_TIME, false, "ms", \
	  "its share of the calls that tested or waited for it; a blocking call itself") \
	X(OTHER, "OtherTime", TV_TIME, false, "ms", "the remainder of MeasuredTime") \
	X(MEASURED, "MeasuredTime", TV_TIME, false, "ms", \
	  "from begin of its first to end of its last call") \
	X(SHARED, "Shared", TV_INT, false, "", "requests that its last call completed") \
	X(POTENTIAL, "PossibleOverlap", TV_DOUBLE, false, "%", \
	  "ComputeTime / MeasuredTime: no larger share can be hidden") \
	X(COMM_REFERENCE, "CommReference", TV_TIME, false, "ms", \
	  "the communication without computation") \
	X(COMPUTE_REFERENCE, "ComputeReference", TV_TIME, false, "ms", \
	  "the computation without communication") \
	X(OVERHEAD, "OverheadRatio", TV_DOUBLE, false, "", \
	  "0 = perfect overlap, 1 = one after the other") \
	X(COMM_RATIO, "CommRatio", TV_DOUBLE, false, "", \
	  "(CallTime + WaitTime) / CommReference; 0 = hidden") \
	X(SLOWDOWN, "ComputeSlowdown", TV_DOUBLE, false, "", "ComputeTime / ComputeReference") \
	X(IMPACT, "MpiImpact", TV_DOUBLE, false, "", "PassiveReference / ComputeReference") \
	X(OSU, "OsuOverlap", TV_DOUBLE, false, "%", "overlap as OSU-NBC defines it") \
	X(IMB, "ImbOverlap", TV_DOUBLE, false, "%", "overlap as IMB-NBC defines it") \
	X(DIAGNOSIS, "Diagnosis", TV_LABEL, false, "", "see below") \
	X(FLAG, "Flag", TV_LABEL, false, "", \
	  "open = never completed; freed = given back before; blocking = no request")

TV_COLUMNS(columns, COLUMNS)

#define REFERENCE_FIELDS(X) \
	X(REF_CALL, "Call", TV_LABEL, false, "", "function") \
	X(REF_BYTES, "Bytes", TV_INT, false, "bytes", "data") \
	X(REF_RANKS, "Ranks", TV_INT, false, "", "of a collective operation") \
	X(REF_REQUESTS, "Requests", TV_INT, false, "", "completed, with an empty window") \
	X(REF_COMM, "CommReference", TV_TIME, false, "ms", "median of their MeasuredTime")

TV_COLUMNS(reference_fields, REFERENCE_FIELDS)

struct overlap_rows {
	struct tv_communications all;
	struct tv_known_references known;
	double tolerance;
	struct tv_table *out;
};

static void set_ratio(struct tv_column *to, uint32_t row, double ratio)
{
	if (!isnan(ratio))
		tv_set_double(to, row, ratio);
}

static double share(int64_t part, int64_t all)
{
	return all > 0 ? 100 * (double)part / (double)all : NAN;
}

/* ---- one row per communication ---- */

static void write_ratios(struct tv_column *const *to, uint32_t row, const struct tv_ratios *ratios,
			 double tolerance)
{
	set_ratio(to[OVERHEAD], row, ratios->overhead);
	set_ratio(to[COMM_RATIO], row, ratios->comm);
	set_ratio(to[SLOWDOWN], row, ratios->slowdown);
	set_ratio(to[IMPACT], row, ratios->mpi_impact);
	set_ratio(to[OSU], row, ratios->osu);
	set_ratio(to[IMB], row, ratios->imb);
	tv_set_text(to[DIAGNOSIS], row, tv_diagnosis(ratios, tolerance));
}

static void write_times(struct overlap_rows *w, uint32_t i, struct tv_column *const *to,
			uint32_t row)
{
	const struct tv_mpi_request *r = &w->all.at[i];
	struct tv_reference reference;
	struct tv_ratios ratios = tv_known_ratios(&w->known, i, &reference);
	bool links = w->all.requests->links;

	if (!links)
		tv_set_int(to[CALL_TIME], row, r->call);
	tv_set_text(to[FLAG], row,
		    tv_communication_blocks(&w->all, r) ? "blocking" : tv_request_flag(r));
	if (r->how != TV_REQUEST_COMPLETED)
		return;
	tv_set_int(to[COMPUTE], row, r->compute);
	tv_set_int(to[WORKER], row, r->workers);
	tv_set_int(to[MEASURED], row, tv_request_measured(r));
	set_ratio(to[POTENTIAL], row, share(r->compute, tv_request_measured(r)));
	if (!links) {
		tv_set_int(to[WAIT], row, r->wait);
		tv_set_int(to[OTHER], row, tv_request_other(r));
		tv_set_int(to[SHARED], row, r->shared);
	}
	if (reference.comm >= 0)
		tv_set_int(to[COMM_REFERENCE], row, reference.comm);
	if (reference.compute >= 0)
		tv_set_int(to[COMPUTE_REFERENCE], row, reference.compute);
	write_ratios(to, row, &ratios, w->tolerance);
}

static void list_communications(struct overlap_rows *w)
{
	const struct tv_requests *requests = w->all.requests;

	tv_add_fields(w->out, columns, TV_COUNT(columns));
	for (uint32_t i = 0; i < w->all.n; i++) {
		const struct tv_mpi_request *r = &w->all.at[i];
		uint32_t row, ranks = tv_communication_ranks(&w->all, r);
		struct tv_column *const *to = w->out->col;

		if (!tv_request_seen(requests, r, w->all.run))
			continue;
		row = tv_table_add_row(w->out);
		tv_set_label(to[RANK], row, requests->rank[r->rank]);
		tv_set_label(to[REQUEST], row, r->name);
		tv_set_label(to[CALL], row, tv_request_label(requests, r, TV_CALL_NAME));
		tv_set_label(to[SITE], row, tv_request_label(requests, r, TV_CALL_SITE));
		tv_set_label(to[COMM], row, tv_request_label(requests, r, TV_CALL_COMM));
		tv_set_known(to[SEQUENCE], row, tv_request_number(requests, r, TV_CALL_SEQUENCE));
		if (ranks > 0)
			tv_set_int(to[RANKS], row, ranks);
		tv_set_known(to[BYTES], row, tv_request_number(requests, r, TV_CALL_BYTES));
		tv_set_int(to[START], row, r->begin);
		write_times(w, i, to, row);
	}
}

/* Rows of benchmarks instead of requests. */
static void list_benchmarks(struct overlap_rows *w, const struct tv_table *table)
{
	const struct tv_column *call = tv_table_find(table, "Call"),
			       *ranks = tv_table_find(table, "Ranks"),
			       *bytes = tv_table_find(table, "Bytes"),
			       *measured = tv_table_find(table, "MeasuredTime"),
			       *compute = tv_table_find(table, "ComputeReference"),
			       *comm = tv_table_find(table, "CommReference");

	tv_add_fields(w->out, columns, TV_COUNT(columns));
	for (uint32_t i = 0; i < table->nrows; i++) {
		const struct tv_overlap_times m = { measured->i[i], -1, -1 };
		const struct tv_reference reference = { comm->i[i], compute->i[i], -1 };
		const struct tv_ratios ratios = tv_ratios(&m, &reference);
		struct tv_column *const *to = w->out->col;
		uint32_t row = tv_table_add_row(w->out);

		if (call != NULL)
			tv_set_label(to[CALL], row, tv_label(call, i));
		if (ranks != NULL)
			tv_copy_cell(to[RANKS], row, ranks, i);
		tv_copy_cell(to[BYTES], row, bytes, i);
		tv_copy_cell(to[MEASURED], row, measured, i);
		tv_copy_cell(to[COMM_REFERENCE], row, comm, i);
		tv_copy_cell(to[COMPUTE_REFERENCE], row, compute, i);
		write_ratios(to, row, &ratios, w->tolerance);
	}
}

static void write_reference(void *context, const struct tv_lone_kind *kind)
{
	struct overlap_rows *w = context;
	struct tv_column *const *to = w->out->col;
	uint32_t row = tv_table_add_row(w->out);

	tv_set_label(to[REF_CALL], row, kind->label);
	tv_set_known(to[REF_BYTES], row, kind->bytes);
	if (kind->ranks >= 0)
		tv_set_int(to[REF_RANKS], row, kind->ranks);
	tv_set_int(to[REF_REQUESTS], row, (int64_t)kind->n);
	tv_set_int(to[REF_COMM], row, kind->median);
}

struct asked {
	unsigned by; /* BY_REQUEST, ... */
	enum tv_which_calls calls;
	const char *reference, *compute;
	double tolerance;
};

/* Options that would have no effect. */
static int check_options(const struct tv_options *options, struct tv_error *err)
{
	const struct asked *asked = options->chosen;

	if (asked->by == BY_REFERENCE && (asked->reference != NULL || asked->compute != NULL))
		return tv_fail_usage(err, "--%sreference has no effect with --by reference",
				     asked->reference == NULL ? "compute-" : "");
	if (asked->by == BY_DEVICE
	    && (asked->reference != NULL || asked->compute != NULL || asked->calls != TV_ALL_CALLS))
		return tv_fail_usage(err, "--%s has no effect with --by device",
				     asked->reference != NULL ? "reference"
				     : asked->compute != NULL ? "compute-reference"
							      : "calls");
	if (asked->calls == TV_BLOCKING_CALLS && asked->compute != NULL)
		return tv_fail_usage(err,
				     "--compute-reference has no effect with --calls blocking");
	return 0;
}

/* The same for a table of benchmarks. */
static int check_benchmarks(const struct asked *asked, struct tv_error *err)
{
	if (asked->reference != NULL || asked->compute != NULL)
		return tv_fail_usage(err, "--%sreference: rows of a benchmark have their own",
				     asked->reference == NULL ? "compute-" : "");
	if (asked->calls != TV_ALL_CALLS)
		return tv_fail_usage(err, "--calls: the rows are those of a benchmark");
	return 0;
}

static int evaluate(struct overlap_rows *w, const struct asked *asked, struct tv_error *err)
{
	if (asked->reference != NULL
	    && tv_known_references_read(&w->known, asked->reference, w->tolerance, err) < 0)
		return -1;
	if (asked->compute != NULL
	    && tv_known_references_pair(&w->known, asked->compute, w->tolerance, err) < 0)
		return -1;
	if (asked->by == BY_REQUEST) {
		list_communications(w);
	} else if (asked->by != BY_REFERENCE) {
		tv_overlap_groups(&w->known, (enum tv_overlap_by)(asked->by - BY_FIRST_GROUP),
				  w->tolerance, w->out);
	} else {
		tv_add_fields(w->out, reference_fields, TV_COUNT(reference_fields));
		tv_lone_kinds(&w->all, w->tolerance, write_reference, w);
	}
	return 0;
}

static int run_overlap(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		       struct tv_error *err)
{
	const struct tv_table *benchmarks = &run->trace->table[TV_BENCHMARKS];
	const struct asked *asked = options->chosen;
	bool listed = asked->by == BY_REQUEST && benchmarks->nrows > 0;
	struct overlap_rows w = { .out = out, .tolerance = asked->tolerance };
	int rc;

	if (asked->by == BY_DEVICE)
		return tv_overlap_copies(run, out, err);
	if (listed && check_benchmarks(asked, err) < 0)
		return -1;
	if (listed) {
		list_benchmarks(&w, benchmarks);
		return 0;
	}
	rc = tv_communications_init(&w.all, run, asked->calls, "overlap", err);
	tv_known_references_init(&w.known, &w.all);
	if (rc == 0)
		rc = evaluate(&w, asked, err);
	tv_known_references_release(&w.known);
	tv_communications_release(&w.all);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "by", "request|instance|callsite|collective|size|rank|reference|device", "request",
	  "what a row is: request: also a blocking call; instance: a collective operation, all "
	  "its ranks; callsite: a function at a place in the program; collective: a function; "
	  "size: a class (powers of 2); rank; reference: what --reference needs of another run; "
	  "device: copies and other tasks of a GPU",
	  TV_OPTION_CHOICE, TV_ASKED(by) },
	{ "calls", "all|nonblocking|blocking", "all", "which communications", TV_OPTION_CHOICE,
	  TV_ASKED(calls) },
	{ "reference", "FILE|RUN", NULL,
	  "CSV with the times of communications and computations alone (see below), or a run that "
	  "has communications without computation, as --by reference lists them",
	  TV_ASKED(reference) },
	{ "compute-reference", "RUN", NULL,
	  "the same program without communication (see below): its computations",
	  TV_ASKED(compute) },
	{ "tolerance", "N", "0.1", "how far from 0 and 1 a ratio of a diagnosis may be",
	  TV_OPTION_NUMBER, 0, 0.5, TV_ASKED(tolerance) },
};

static const struct tv_columns forms[] = {
	{ tv_overlap_columns, TV_OVERLAP_COLUMNS, "--by instance|callsite|collective|size|rank" },
	{ reference_fields, TV_COUNT(reference_fields), "--by reference" },
	{ tv_overlap_copy_columns, TV_OVERLAP_COPY_COLUMNS, "--by device" },
};

const struct tv_pass tv_pass_overlap = {
	.name = "overlap",
	.summary = "Overlap of MPI communication, or copies of GPUs, with computation",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_MPI,
	.ranked = "MeasuredTime",
	.taskless = true,
	.sums = true,
	.varies = true,
	.needs = "calls links benchmarks resources",
	.refuses_tasks = true,
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_FORMS(forms),
	TV_PASS_COLUMNS(columns),
	.notes =
		"--by reference takes the communications without computation in their window: at\n"
		"most the tolerance x MeasuredTime.\n"
		"The window of a request is from the end of the call that starts it to the begin "
		"of the\n"
		"call that completes it, without those that tested or waited in vain; that of a\n"
		"blocking call is empty.\n"
		"MeasuredTime = CallTime + ComputeTime + WaitTime + OtherTime. ComputeTime is time "
		"of\n"
		"tasks (those counted) outside MPI calls; in a trace without tasks time outside of "
		"MPI.\n"
		"OverheadRatio = (MeasuredTime - max) / min of CommReference and "
		"ComputeReference.\n"
		"OsuOverlap = 100 max(0, 1 - (MeasuredTime - ComputeReference) / CommReference);\n"
		"ImbOverlap = 100 (CommReference + ComputeReference - MeasuredTime) / max of "
		"both,\n"
		"within 0 and 100, as the source of IMB-NBC 2018 to 2021.11 has it (its manual: "
		"min).\n"
		"Diagnosis, with the tolerance t: imprecise references (OverheadRatio < -t), good\n"
		"(CommRatio <= t), computation slowed (the same, ComputeSlowdown > 1 + t), no\n"
		"progression (CommRatio >= 1 - t), contention (the same, ComputeSlowdown > 1 + "
		"t),\n"
		"partial (any other). Ratios need --reference: a CSV with CommReference and\n"
		"ComputeReference (also PassiveReference, the computation in a program that only\n"
		"initializes MPI), in ms, and any of Call, Site, Bytes, Ranks to choose requests; "
		"of\n"
		"each time the first row that fits and has it holds. Or other runs: --reference\n"
		"communications alone, by function, bytes and ranks; --compute-reference the same\n"
		"program without communication (0 bytes, MPI_PROC_NULL, MPI_COMM_SELF), of which "
		"the\n"
		"k-th request of a rank, function and place gives the computation of the k-th "
		"one.\n"
		"Nothing is guessed. A blocking call has CommRatio alone.\n"
		"Source: Reynier 2022, (4.1)-(4.4), 4.1.3.",
	.example = "traceviz overlap --by collective data/mpi-overlap",
	.check = check_options,
	.run = run_overlap,
};
