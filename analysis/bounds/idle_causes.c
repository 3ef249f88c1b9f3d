/* SPDX-License-Identifier: GPL-3.0-or-later */
/* idle_causes.c -- why workers were idle, by worker, type, node or for the run, and over time. */
#include "analysis/bounds/carried_data.h"
#include "analysis/bounds/cause_rows.h"
#include "analysis/bounds/culprit_rows.h"
#include "analysis/bounds/idle_cause_parts.h"
#include "analysis/bounds/idle_list.h"
#include "analysis/bounds/message_excess.h"
#include "analysis/core/columns.h"
#include "analysis/core/curves.h"
#include "analysis/core/idle.h"
#include "analysis/core/lateness.h"
#include "analysis/core/warnings.h"
#include "trace/alloc.h"

/* Whether rows are of the data that workers wait for. */
static bool shows_data(const struct tv_cause_asked *asked)
{
	return asked->by >= TV_CAUSES_BY_HANDLE && asked->by <= TV_CAUSES_BY_SENDER;
}

/* ---- sums ---- */

void tv_cause_take_slice(void *to, int64_t begin, const int64_t *time)
{
	struct tv_cause_sums *work = to;
	tv_int128 *sum = work->time + work->slice++ * work->ngroups * TV_STREAM_NCAUSES;

	(void)begin;
	for (uint32_t w = 0; w < work->tasks->nworkers; w++) {
		if (work->group_of[w] == TV_NONE || (work->is_stream != NULL && work->is_stream[w]))
			continue;
		for (uint32_t c = 0; c < TV_IDLE_NCAUSES; c++)
			sum[(size_t)work->group_of[w] * TV_STREAM_NCAUSES + c] +=
				time[(size_t)w * TV_IDLE_NCAUSES + c];
	}
}

static void take_stream(void *to, size_t slice, uint32_t worker, uint32_t cause, int64_t begin,
			int64_t end)
{
	struct tv_cause_sums *work = to;

	if (work->group_of[worker] != TV_NONE)
		work->time[(slice * work->ngroups + work->group_of[worker]) * TV_STREAM_NCAUSES
			   + cause] += end - begin;
}

/* The cell for idle time because of certain data. */
static tv_int128 *detail_of(struct tv_cause_sums *work, size_t slice, enum tv_idle_cause cause,
			    uint32_t carrier)
{
	uint32_t *place = tv_map_at(&work->place, slice, (uint64_t)carrier << 8 | cause);

	if (*place == TV_NONE) {
		*place = (uint32_t)work->ndetails;
		TV_GROW(work->detail, work->ndetails, work->details_cap, 1);
		work->detail[work->ndetails++] = (struct tv_cause_detail){ slice, cause, carrier,
									   0 };
	}
	return &work->detail[*place].time;
}

static void take_mpi(void *to, const struct tv_blamed *part)
{
	struct tv_cause_sums *work = to;

	if (work->group_of[part->worker] != TV_NONE)
		*detail_of(work, part->slice, TV_IDLE_MPI,
			   work->carriers.of_node[part->node]) += part->time;
}

static void take_data(void *to, size_t slice, uint32_t worker, uint32_t link, int64_t time)
{
	struct tv_cause_sums *work = to;
	uint32_t carrier = link == TV_NONE ? 0 : work->carriers.of_link[link];

	if (work->group_of[worker] != TV_NONE)
		*detail_of(work, slice, TV_IDLE_DATA, carrier) += time;
}

/* The place of the name of what is blamed. */
static uint32_t name_of(const struct tv_cause_sums *work, uint32_t node)
{
	return node == TV_NONE ? 0 : work->names.of == NULL ? node : work->names.of[node];
}

void tv_cause_take_blamed(void *to, const struct tv_blamed *part)
{
	struct tv_cause_sums *work = to;
	uint32_t group = work->group_of[part->worker];
	uint32_t index = work->asked->by == TV_CAUSES_BY_BLAME ? name_of(work, part->node) : group;

	if (group == TV_NONE)
		return;
	if (work->asked->by >= TV_CAUSES_BY_HANDLE && part->blame == TV_BLAME_MESSAGE)
		*detail_of(work, part->slice, TV_IDLE_DEPENDENCIES,
			   work->carriers.of_node[part->node]) += part->time;
	work->blamed[(part->slice * work->nblamed + index) * TV_NBLAMES + part->blame] +=
		part->time;
}

static void take_stream_span(void *to, size_t slice, uint32_t worker, uint32_t cause, int64_t begin,
			     int64_t end)
{
	(void)slice;
	tv_cause_write_span(to, worker, cause, begin, end);
}

static void take_span(void *to, uint32_t worker, enum tv_idle_cause cause, int64_t begin,
		      int64_t end)
{
	const struct tv_cause_sums *work = to;

	if (work->is_stream == NULL || !work->is_stream[worker])
		tv_cause_write_span(to, worker, cause, begin, end);
}

/* ---- the pass ---- */

static void group_workers(struct tv_cause_sums *work)
{
	const struct tv_tasks *tasks = work->tasks;
	enum tv_causes_by by = work->asked->by == TV_CAUSES_BY_SPAN ? TV_CAUSES_BY_WORKER
								    : work->asked->by;

	work->ngroups = by == TV_CAUSES_BY_NODE	  ? tasks->nnodes
		      : by == TV_CAUSES_BY_TYPE	  ? tasks->nrtypes
		      : by == TV_CAUSES_BY_WORKER ? tasks->nworkers
						  : 1;
	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		const struct tv_worker *worker = &tasks->workers[w];
		uint32_t g = by == TV_CAUSES_BY_NODE   ? worker->node
			   : by == TV_CAUSES_BY_TYPE   ? worker->rtype
			   : by == TV_CAUSES_BY_WORKER ? w
						       : 0;
		struct tv_cause_group *group = &work->group[g];

		work->group_of[w] = tv_run_has(work->run, w) ? g : TV_NONE;
		if (work->group_of[w] == TV_NONE)
			continue;
		group->nworkers++;
		group->node = group->type = group->resource = TV_NONE;
		if (by == TV_CAUSES_BY_NODE || by == TV_CAUSES_BY_WORKER)
			group->node = tasks->node[worker->node].label;
		if (by == TV_CAUSES_BY_TYPE || by == TV_CAUSES_BY_WORKER)
			group->type = tasks->rtype[worker->rtype].label;
		if (by == TV_CAUSES_BY_WORKER)
			group->resource = worker->resource;
	}
}

static void prepare(struct tv_cause_sums *work, const struct tv_dag *dag)
{
	uint32_t n = work->tasks->nworkers; /* at least as many as types or nodes */

	work->group = tv_alloc(n, sizeof *work->group);
	work->group_of = tv_alloc(n, sizeof *work->group_of);
	for (uint32_t c = 0; c < TV_STREAM_NCAUSES; c++)
		work->cause[c] = tv_intern_text(work->out->pool, tv_stream_cause_name(c));
	for (uint32_t b = 0; b < TV_NBLAMES; b++)
		work->blame[b] = tv_intern_text(work->out->pool, tv_blame_name(b));
	group_workers(work);
	work->nblamed = work->ngroups;
	if (work->asked->by != TV_CAUSES_BY_BLAME)
		return;
	if (dag != NULL)
		tv_blamed_names_init(&work->names, dag, work->out->pool);
	work->nblamed = work->names.n;
}

/* known, messages: whether there are dependencies, and messages among the tasks. is_stream: by worker, or NULL: there it is
 * known. */
static void warn_unknown(struct tv_run *run, bool known, bool messages, const bool *is_stream)
{
	uint32_t w = 0;

	while (is_stream != NULL && w < run->tasks.nworkers && is_stream[w])
		w++;
	if (!known && w < run->tasks.nworkers)
		tv_run_warn(run, "the trace has no dependencies (column DependsOn): what idle "
				 "workers waited for is not known (unexplained)");
	if (known && run->tasks.nnodes > 1 && !messages)
		tv_run_warn(run, "several nodes, but no messages among the tasks: waits for "
				 "messages are reported as other causes");
	if (run->tasks.submit == NULL)
		tv_run_warn(run, "the trace has no SubmitTime: all tasks count as "
				 "submitted from the start");
}

/* By row of calls: the rank for which it waits last, as far as wait-states knows. NULL without calls of workers. */
static uint32_t *find_partners(struct tv_run *run, const struct tv_waits *waits)
{
	const struct tv_table *calls = tv_trace_table(run->trace, TV_CALLS), *table;
	struct tv_map place = { 0 }; /* of a thread and Start: row of wait-states */
	struct tv_error unknown = { 0 };
	uint32_t *partner;

	if (waits->calls.n == 0)
		return NULL;
	partner = tv_alloc(calls->nrows, sizeof *partner);
	table = tv_run_pass(run, "wait-states", NULL, &unknown);
	for (uint32_t row = 0; table != NULL && row < table->nrows; row++)
		*tv_map_at(&place, tv_label(tv_table_find(table, "ResourceId"), row),
			   (uint64_t)tv_table_find(table, "Start")->i[row]) = row;
	for (size_t i = 0; i < waits->calls.n; i++) {
		uint32_t row = waits->calls.at[i].row, *at;

		at = tv_map_at(&place, tv_label(tv_table_find(calls, "ResourceId"), row),
			       (uint64_t)tv_table_find(calls, "Start")->i[row]);
		partner[row] = *at == TV_NONE ? TV_NONE
					      : tv_label(tv_table_find(table, "OtherRank"), *at);
	}
	tv_map_release(&place);
	return partner;
}

/* The idle time by culprit, instead of rows for each cause. */
static int write_culprits(struct tv_cause_sums *work, struct tv_run *run,
			  const struct tv_waits *waits, const struct tv_fetches *fetches,
			  struct tv_idle_spans *spans, struct tv_error *err)
{
	struct tv_worth worth;
	struct tv_idle_culprit_sums sums = { 0 };
	uint32_t *partner = find_partners(run, waits);
	int64_t *excess = waits->message == NULL ? NULL : tv_message_excess(run, waits->dag, err);
	int rc = tv_worth_init(&worth, run, "mean", NULL, err);

	if (waits->message != NULL && excess == NULL)
		rc = -1;
	if (rc == 0) {
		tv_idle_culprit_sums_init(
			&sums,
			&(struct tv_idle_culprit_input){ .waits = waits,
							 .fetches = fetches,
							 .spans = spans,
							 .worth = &worth,
							 .bound = work->bound,
							 .nslices = work->nslices,
							 .group = work->group_of,
							 .partner = partner,
							 .message_excess = excess,
							 .pool = work->out->pool },
			work->asked->each);
		tv_idle_culprit_rows(&sums, work->bound, work->group[0].nworkers, work->out);
	}
	tv_free(partner);
	tv_free(excess);
	tv_idle_culprit_sums_release(&sums);
	tv_worth_release(&worth);
	return rc;
}

/* What a sweep found besides the times of tv_cause_take_slice. all: its own spans, which may be taken; NULL = those of the run. */
static int take_sweep(struct tv_run *run, struct tv_cause_sums *work,
		      const struct tv_run_idle *idle, struct tv_idle_spans *all,
		      struct tv_error *err)
{
	const struct tv_idle_spans *spans = all != NULL ? all : &idle->spans;
	const struct tv_waits *waits = &idle->waits;
	int rc = 0;

	if (work->is_stream != NULL)
		tv_stream_causes(work->tasks, &work->devices->tasks, work->is_stream, work->bound,
				 work->nslices,
				 work->asked->by == TV_CAUSES_BY_SPAN ? take_stream_span
								      : take_stream,
				 work);
	if (work->asked->by == TV_CAUSES_BY_ORIGIN)
		rc = write_culprits(work, run, waits, &idle->fetches, all, err);
	else if (work->asked->by == TV_CAUSES_BY_SPAN)
		rc = tv_idle_list(work->tasks, all, work->bound[0], take_span, work, err);
	else
		tv_blame(waits, spans, work->bound, work->nslices, tv_cause_take_blamed, work);
	if (shows_data(work->asked)) {
		tv_blame_mpi(waits, spans, work->bound, work->nslices, take_mpi, work);
		tv_blame_data(&idle->fetches, spans, work->bound, work->nslices, take_data, work);
	}
	return rc;
}

static void begin_sweep(struct tv_run *run, struct tv_cause_sums *work,
			const struct tv_waits *waits)
{
	if (work->asked->level == TV_CAUSES_OF_STREAMS && !tv_waits_known(waits)
	    && work->tasks->submit != NULL)
		work->is_stream = tv_on_device(work->tasks);
	work->loops = waits->loops.n > 0;
	warn_unknown(run, tv_waits_known(waits), waits->message != NULL, work->is_stream);
}

/* The sweep over the run that others need, too. */
static int sweep_whole(struct tv_run *run, struct tv_cause_sums *work, struct tv_error *err)
{
	const struct tv_run_idle *idle = tv_run_idle_exact(run, err);

	if (idle == NULL)
		return -1;
	begin_sweep(run, work, &idle->waits);
	tv_cause_take_slice(work, work->bound[0], idle->time);
	return take_sweep(run, work, idle, NULL, err);
}

static int sweep(struct tv_run *run, struct tv_cause_sums *work, const struct tv_dag *dag,
		 struct tv_error *err)
{
	bool anywhere = work->asked->can_run == TV_CAN_RUN_ANYWHERE;
	struct tv_run_idle own = { .spans.all = work->asked->by >= TV_CAUSES_BY_ORIGIN };
	int rc;

	if (!anywhere && !own.spans.all && work->nslices == 1)
		return sweep_whole(run, work, err);
	if (tv_waits_init(&own.waits, dag, anywhere, err) < 0)
		return -1;
	tv_waits_find_loops(&own.waits);
	begin_sweep(run, work, &own.waits);
	tv_fetches_init(&own.fetches, &own.waits);
	tv_idle_sweep(&own.waits, &own.fetches, work->bound, work->nslices, tv_cause_take_slice,
		      work, &own.spans);
	rc = take_sweep(run, work, &own, &own.spans, err);
	tv_idle_spans_release(&own.spans);
	tv_fetches_release(&own.fetches);
	tv_waits_release(&own.waits);
	return rc;
}

/* ---- all of it ---- */

static int compute(struct tv_run *run, struct tv_cause_sums *work, struct tv_parted_causes *parted,
		   struct tv_error *err)
{
	const struct tv_dag *dag = run->parts == NULL ? tv_run_dag(run, err) : NULL;
	uint64_t nrows;

	if (run->parts != NULL ? tv_parted_causes_note(run, parted, err) < 0 : dag == NULL)
		return -1;
	prepare(work, dag);
	if (shows_data(work->asked)
	    && tv_carriers_init(&work->carriers, run, dag,
				(enum tv_carrier_key)(work->asked->by - TV_CAUSES_BY_HANDLE), err)
		       < 0)
		return -1;
	nrows = (uint64_t)work->ngroups * TV_STREAM_NCAUSES
	      + (work->asked->by == TV_CAUSES_BY_BLAME ? (uint64_t)work->nblamed * TV_NBLAMES : 0);
	if (tv_run_slices(run, work->asked->step_ns, nrows, &work->bound, &work->nslices, err) < 0)
		return -1;
	work->time = tv_alloc(work->nslices * work->ngroups * TV_STREAM_NCAUSES,
			      sizeof *work->time);
	work->blamed = tv_alloc(work->nslices * work->nblamed * TV_NBLAMES, sizeof *work->blamed);
	if (dag == NULL)
		warn_unknown(run, run->tasks.depends != NULL, false, NULL);
	if ((dag == NULL ? tv_parted_causes_sweep(run, parted, err) : sweep(run, work, dag, err))
	    < 0)
		return -1;
	if (work->asked->by < TV_CAUSES_BY_ORIGIN)
		tv_cause_write_slices(work);
	return 0;
}

static int check_options(const struct tv_options *options, struct tv_error *err)
{
	const struct tv_cause_asked *asked = options->chosen;

	if (asked->each != TV_IDLE_CULPRIT_BY_ALL && asked->by != TV_CAUSES_BY_ORIGIN)
		return tv_fail_usage(err, "--each needs --by culprit");
	if (asked->level == TV_CAUSES_OF_STREAMS && asked->by > TV_CAUSES_BY_WORKER
	    && asked->by != TV_CAUSES_BY_SPAN)
		return tv_fail_usage(err,
				     "--level stream needs --by run, node, type, worker or span");
	if (asked->by == TV_CAUSES_BY_SPAN && asked->step_ns != 0)
		return tv_fail_usage(err,
				     "--by span has the times of each span, expected no --step");
	return 0;
}

static int run_idle_causes(struct tv_run *run, const struct tv_options *options,
			   struct tv_table *out, struct tv_error *err)
{
	const struct tv_cause_asked *asked = options->chosen;
	struct tv_run *of = asked->level == TV_CAUSES_OF_STREAMS ? tv_run_streams(run) : run;
	struct tv_cause_sums work = {
		.asked = asked, .run = of, .devices = run, .tasks = &of->tasks, .out = out
	};
	struct tv_parted_causes parted = { 0 };
	int rc;

	tv_warn_workers(run);
	if (work.asked->by == TV_CAUSES_BY_ORIGIN)
		tv_add_fields(out, tv_idle_culprit_columns, TV_IDLE_CULPRIT_COLUMNS);
	else
		tv_add_fields(out, tv_idle_cause_columns, TV_IDLE_CAUSE_COLUMNS);
	if (of->parts != NULL)
		tv_parted_causes_begin(&parted, of, asked);
	parted.work = &work;
	rc = compute(of, &work, &parted, err);
	tv_parted_causes_release(&parted);
	tv_blamed_names_release(&work.names);
	tv_carriers_release(&work.carriers);
	tv_map_release(&work.place);
	tv_free(work.detail);
	tv_free(work.bound);
	tv_free(work.group);
	tv_free(work.group_of);
	tv_free(work.is_stream);
	tv_free(work.time);
	tv_free(work.blamed);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "by",
	  "run|node|type|worker|blame|cause,handle|cause,link|cause,sender|culprit|"
	  "span",
	  "run", "rows for each of these (see below)", TV_OPTION_CHOICE,
	  TV_INTO(struct tv_cause_asked, by) },
	{ "each", "all|type|node|worker|link|place|task", "all",
	  "--by culprit: distinguish only by this", TV_OPTION_CHOICE,
	  TV_INTO(struct tv_cause_asked, each) },
	{ "level", "device|stream", "device",
	  "streams of a device are idle together, or each by itself", TV_OPTION_CHOICE,
	  TV_INTO(struct tv_cause_asked, level) },
	{ TV_STEP_ROWS_ROW, TV_INTO(struct tv_cause_asked, step_ns) },
	{ TV_CAN_RUN_ROW, TV_INTO(struct tv_cause_asked, can_run) },
};

/* Rows of workers, or of what is blamed; not of data, culprits or spans. */
static bool is_in_parts(const struct tv_options *given)
{
	struct tv_cause_asked asked = { 0 };

	tv_options_fill(given, &asked, sizeof asked);
	return asked.by <= TV_CAUSES_BY_BLAME && asked.level == TV_CAUSES_OF_DEVICES;
}

static const struct tv_columns forms[] = { { tv_idle_culprit_columns, TV_IDLE_CULPRIT_COLUMNS,
					     "--by culprit" } };

const struct tv_pass tv_pass_idle_causes = {
	.name = "idle-causes",
	.summary = "Why workers were idle",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_BOUNDS,
	.ranked = "Time",
	.sums = true,
	.needs = "states links variables events resources calls",
	.columns = "SubmitTime",
	.all_columns = true,
	.parted = "states",
	.in_parts = is_in_parts,
	.linked = true,
	.excluding = true,
	.alone = tv_pass_always,
	.beside = 100,
	TV_PASS_OPTIONS_INTO(struct tv_cause_asked, options),
	TV_PASS_COLUMNS(tv_idle_cause_columns),
	TV_PASS_FORMS(forms),
	.varies = true,
	.notes =
		"At each instant an idle worker has the first cause that applies; a task is\n"
		"released when all its dependencies have ended, it is submitted and no other\n"
		"task uses its commuting handles (as in deps):\n"
		"  in-mpi-call    its own thread is inside an MPI call; until then it takes no "
		"task\n"
		"  in-loop        ... works in a parallel loop of OpenMP in which no task is "
		"created\n"
		"  data           a released task that it will run waits for data in transfer\n"
		"  runtime        a released task that it will run waits for another reason\n"
		"  elsewhere      a released task that its type can run waits for another worker\n"
		"  mpi            it waits for a message: all that a task that its type can run "
		"lacks\n"
		"  unsuited       other released tasks exist, none of a type that ran here\n"
		"  dependencies   submitted tasks have not started\n"
		"  not-submitted  tasks are not submitted yet\n"
		"  drain          every task has started\n"
		"  unexplained    as dependencies, in a trace without dependencies; there, "
		"--level\n"
		"                 stream has for streams of devices, by their next task: copy,\n"
		"                 stream, launch: it is launched, and the device runs copies of\n"
		"                 other streams, other tasks of them, nothing; else not-submitted\n"
		"Of the released tasks that an idle worker will run, the first to start is kept\n"
		"for it (data, runtime). The others may be run by any idle worker without such a\n"
		"task (elsewhere); so may every task that waits only for a message (mpi), also by\n"
		"the worker that will run it. Each covers at most one worker, and as many workers\n"
		"as possible are covered: those of the rarest type first, then those without a\n"
		"task for the longest time. Workers run only tasks of their node. The times add\n"
		"up exactly to the workers' idle time: workers x makespan - Busy - Other of\n"
		"idleness. data needs transfers (links, resources) or states FetchingInput, mpi\n"
		"needs messages among the tasks.\n"
		"For the cause dependencies, the pass goes from the worker's next task back along\n"
		"last dependencies to the first that is, at that instant,\n"
		"  task           running\n"
		"  message        a message in flight\n"
		"  waiting        a task or message that is released and has not started\n"
		"  submission     not submitted\n"
		"  no-next-task   the worker will run no other task\n"
		"These five columns add up exactly to the row's Time. --by blame names the tasks\n"
		"(type, worker type, node) and the links of the messages.\n"
		"--by span gives each span of time in which a worker was idle with one cause.\n"
		"--by cause,handle, cause,link and cause,sender give rows for the data that idle\n"
		"workers waited for: of the causes data (the transfer under way that ends last) "
		"and\n"
		"mpi (the message that arrives last), and of BlameMessage. The sender is a node "
		"or\n"
		"the memory node that the transfer leaves. The rows of a cause add up to its "
		"Time.\n" TV_IDLE_CULPRIT_NOTES,
	.example = "traceviz idle-causes data/cholesky.csv",
	.check = check_options,
	.run = run_idle_causes,
	.expect = tv_parted_causes_expect,
};
