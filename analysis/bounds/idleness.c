/* SPDX-License-Identifier: GPL-3.0-or-later */
/* idleness.c -- the share of the run in which each worker does not compute. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/core/curves.h"
#include "analysis/core/options.h"
#include "analysis/core/spans.h"
#include "analysis/core/warnings.h"
#include "analysis/machine/occupancy.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/parallel.h"
#include "trace/sorted.h"

#define COLUMNS(X) \
	X(ID, "ResourceId", TV_LABEL, false, "", "worker; with --level an object") \
	X(TYPE, "ResourceType", TV_LABEL, false, "", "its type, or level") \
	X(NODE, "Node", TV_LABEL, false, "", "its node") \
	X(TASKS, "Tasks", TV_INT, false, "", \
	  "counted tasks that ran on it, in whole or in part in the window") \
	X(BUSY, "Busy", TV_TIME, false, "ms", \
	  "time in counted tasks; overlapping ones count once") \
	X(OTHER, "Other", TV_TIME, false, "ms", \
	  "time in other tasks (setup, runtime), within the makespan") \
	X(IDLENESS, "Idleness", TV_DOUBLE, false, "%", "100 (1 - (Busy + Other) / makespan)") \
	X(RUNTIME, "RuntimeIdleness", TV_DOUBLE, false, "%", \
	  "states Idle and Sleeping, over the makespan; missing without such states") \
	X(IDLE, "Idle", TV_TIME, false, "ms", "makespan - Busy - Other")

TV_COLUMNS(columns, COLUMNS)

/* The runtime's own Idle and Sleeping states. */
struct states {
	const struct tv_column *start, *end;
	struct tv_groups of; /* rows of those two states by worker */
	bool *watched;	     /* by worker: it has states of whatever value */
	bool any;	     /* there are Idle or Sleeping states */
};

static void find_states(struct states *states, const struct tv_tasks *tasks)
{
	/* A picture shows Idleness alone, and need not read the states. */
	static const struct tv_table none;
	const struct tv_table *table = tv_trace_reads(tasks->trace, TV_STATES)
					     ? tv_trace_table(tasks->trace, TV_STATES)
					     : &none;
	const struct tv_column *id = tv_table_find(table, "ResourceId");
	const struct tv_column *value = tv_table_find(table, "Value");
	uint32_t idle = tv_pool_find_text(tasks->pool, "Idle");
	uint32_t sleeping = tv_pool_find_text(tasks->pool, "Sleeping");
	uint32_t *worker_of = tv_tasks_worker_of_label(tasks);
	uint32_t *worker = tv_alloc(table->nrows, sizeof *worker);

	states->start = tv_table_find(table, "Start");
	states->end = tv_table_find(table, "End");
	states->watched = tv_alloc(tasks->nworkers, sizeof *states->watched);
	for (uint32_t row = 0; row < table->nrows; row++) {
		uint32_t label = tv_label(id, row), is = tv_label(value, row);
		uint32_t w = label == TV_NONE ? TV_NONE : worker_of[label];

		if (w != TV_NONE)
			states->watched[w] = true;
		worker[row] = is != TV_NONE && (is == idle || is == sleeping) ? w : TV_NONE;
		states->any = states->any || worker[row] != TV_NONE;
	}
	tv_groups_init(&states->of, worker, table->nrows, tasks->nworkers);
	tv_free(worker_of);
	tv_free(worker);
}

/* The union of spans that come by their begin. */
struct cover {
	int64_t sum, until; /* ns */
	bool any;
	/* Of what it is made of: the first interval, and where the second one begins. */
	struct tv_span first;
	int64_t second;
	bool several;
};

static void add_span(struct cover *cover, struct tv_span span, struct tv_span in)
{
	int64_t begin = span.begin > in.begin ? span.begin : in.begin;
	int64_t end = span.end < in.end ? span.end : in.end;

	if (cover->any && cover->until > begin)
		begin = cover->until;
	if (begin >= end)
		return;
	if (!cover->any)
		cover->first = (struct tv_span){ begin, end };
	else if (!cover->several && begin == cover->first.end)
		cover->first.end = end;
	else if (!cover->several) {
		cover->second = begin;
		cover->several = true;
	}
	cover->sum += end - begin;
	cover->until = end;
	cover->any = true;
}

/* Sums of a worker. */
struct sums {
	struct cover busy;    /* of counted executions */
	struct cover covered; /* of all executions */
	struct cover runtime; /* of Idle and Sleeping states */
	uint32_t count;	      /* counted executions that touch what is asked for, each once */
	bool watched;	      /* it has states of whatever value */
	tv_int128 states;     /* of Idle and Sleeping states that start after 0 */
	int64_t last;	      /* end of those states and of counted executions, or 0 */
};

struct idleness {
	bool streams;	   /* of streams, not of devices */
	struct tv_span in; /* where idleness is asked for */
	struct sums *sums; /* by worker */
	bool any_states;   /* the trace has Idle or Sleeping states */
	struct tv_column *const *to;
	/* of the part that is added */
	const struct tv_tasks *tasks;
	struct tv_groups executions; /* executions by worker, of every kind, by Start */
	struct states states;
	struct tv_span *span; /* buffer for the states of any worker */
	uint32_t *met; /* by row that begins an execution: 1 + the last worker that counted it; NULL
			* where none has several segments */
};

/* Whether a part of a span is within another; one without length may be at either end. */
static bool overlaps(const struct tv_span *span, const struct tv_span *in)
{
	if (span->begin == span->end)
		return span->begin >= in->begin && span->end <= in->end;
	return span->begin < in->end && span->end > in->begin;
}

static void sum_worker(void *context, size_t w)
{
	struct idleness *work = context;
	const struct tv_tasks *tasks = work->tasks;
	struct sums *sums = &work->sums[w];

	for (uint32_t i = work->executions.first[w]; i < work->executions.first[w + 1]; i++) {
		uint32_t row = work->executions.row[i], whole = tv_row_whole(tasks, row);
		struct tv_span span = { tasks->start[row], tasks->end[row] };

		add_span(&sums->covered, span, work->in);
		if (!tasks->counted[row])
			continue;
		add_span(&sums->busy, span, work->in);
		sums->last = span.end > sums->last ? span.end : sums->last;
		if (!overlaps(&span, &work->in))
			continue;
		sums->count += work->met == NULL || work->met[whole] != w + 1;
		if (work->met != NULL)
			work->met[whole] = (uint32_t)w + 1;
	}
}

static void sum_workers(struct idleness *work)
{
	uint32_t n = work->tasks->nworkers;

	tv_tasks_by_start(work->tasks, work->tasks->executed, &work->executions);
	if (work->tasks->whole == NULL) {
		tv_parallel(n, sum_worker, work);
		return;
	}
	/* An execution may have segments on several workers. */
	work->met = tv_alloc(work->tasks->n, sizeof *work->met);
	for (uint32_t w = 0; w < n; w++)
		sum_worker(work, w);
	tv_free(work->met);
	work->met = NULL;
}

/* Adds a worker's Idle and Sleeping states, in any order. */
static void sum_states(struct idleness *work, uint32_t w)
{
	const struct states *states = &work->states;
	struct sums *sums = &work->sums[w];
	uint32_t n = 0;

	sums->watched = sums->watched || states->watched[w];
	for (uint32_t i = states->of.first[w]; i < states->of.first[w + 1]; i++) {
		uint32_t row = states->of.row[i];
		struct tv_span span;

		if (tv_missing(states->start, row) || tv_missing(states->end, row))
			continue;
		span = (struct tv_span){ states->start->i[row], states->end->i[row] };
		sums->last = span.end > sums->last ? span.end : sums->last;
		sums->states += span.begin > 0 ? span.end - span.begin : 0;
		work->span[n++] = span;
	}
	n = tv_spans_merge(work->span, n, work->in);
	for (uint32_t i = 0; i < n; i++)
		add_span(&sums->runtime, work->span[i], work->in);
}

static int add_rows(void *state, struct tv_run *part, struct tv_error *err)
{
	struct idleness *work = state;

	(void)err;
	work->tasks = &(work->streams ? tv_run_streams(part) : part)->tasks;
	sum_workers(work);
	find_states(&work->states, work->tasks);
	work->any_states = work->any_states || work->states.any;
	work->span = tv_alloc(tv_groups_max(&work->states.of), sizeof *work->span);
	for (uint32_t w = 0; w < work->tasks->nworkers; w++)
		sum_states(work, w);
	tv_groups_release(&work->executions);
	tv_groups_release(&work->states.of);
	tv_free(work->states.watched);
	tv_free(work->span);
	work->states = (struct states){ 0 };
	return 0;
}

/* ---- several processes, in the order of time ---- */

/* Adds a cover of later rows. apart: it has nothing of what is covered before. false: how much of it is covered before
 * is not known. */
static bool merge_cover(struct cover *to, const struct cover *later, bool apart)
{
	int64_t twice = 0;

	if (!later->any)
		return true;
	if (to->any && !apart && to->until > later->first.begin) {
		if (later->several && to->until > later->second)
			return false;
		twice = to->until < later->first.end ? to->until : later->first.end;
		twice -= later->first.begin;
	}
	to->sum += later->sum - twice;
	to->until = to->any && to->until > later->until ? to->until : later->until;
	to->any = true;
	return true;
}

static bool merge_sums(struct sums *to, const struct sums *later, bool apart)
{
	to->count += later->count;
	to->watched = to->watched || later->watched;
	to->states += later->states;
	to->last = later->last > to->last ? later->last : to->last;
	return merge_cover(&to->busy, &later->busy, apart)
	    && merge_cover(&to->covered, &later->covered, apart)
	    && merge_cover(&to->runtime, &later->runtime, apart);
}

/* Begins again behind what processes before this one have covered. */
static void begin_behind(struct cover *cover, const struct cover *before)
{
	if (before->any && (!cover->any || before->until > cover->until))
		cover->until = before->until;
	cover->any = cover->any || before->any;
}

static void begin_again(struct idleness *work, uint32_t n, const struct tv_gathered *all,
			uint32_t rank)
{
	memset(work->sums, 0, n * sizeof *work->sums);
	for (uint32_t k = 0; k < rank; k++) {
		struct tv_unpack from = tv_gathered_of(all, k);

		(void)tv_unpack_number(&from);
		for (uint32_t w = 0; w < n; w++) {
			struct sums sums;

			tv_unpack_bytes(&from, &sums, sizeof sums);
			begin_behind(&work->sums[w].busy, &sums.busy);
			begin_behind(&work->sums[w].covered, &sums.covered);
			begin_behind(&work->sums[w].runtime, &sums.runtime);
		}
	}
}

/* The sums of all processes. false: the rows must be added once more, behind those before. */
static bool merge(struct idleness *work, uint32_t n, const struct tv_team *team, bool apart)
{
	struct sums *sum = tv_alloc(n, sizeof *sum), later;
	struct tv_parcel pack = { 0 };
	struct tv_gathered all;
	bool known = true;

	tv_pack_number(&pack, work->any_states);
	tv_pack_bytes(&pack, work->sums, n * sizeof *work->sums);
	all = tv_team_gather(team, &pack);
	for (uint32_t rank = 0; rank < all.n; rank++) {
		struct tv_unpack from = tv_gathered_of(&all, rank);

		work->any_states = tv_unpack_number(&from) != 0 || work->any_states;
		for (uint32_t w = 0; known && w < n; w++) {
			tv_unpack_bytes(&from, &later, sizeof later);
			known = merge_sums(&sum[w], &later, apart);
		}
	}
	if (known)
		memcpy(work->sums, sum, n * sizeof *sum);
	else
		begin_again(work, n, &all, team->rank);
	tv_gathered_release(&all);
	tv_free(sum);
	return known;
}

static int add_all_rows(struct idleness *work, struct tv_run *run, uint32_t n, struct tv_error *err)
{
	int rc = tv_run_rows(run, add_rows, work, err);

	if (rc < 0 || run->team == NULL || merge(work, n, run->team, false))
		return rc;
	rc = tv_run_rows(run, add_rows, work, err);
	if (rc == 0)
		(void)merge(work, n, run->team, true);
	return rc;
}

static double percent(tv_int128 part, int64_t whole)
{
	return whole > 0 ? 100 * (double)part / (double)whole : 0;
}

static void write_runtime(const struct idleness *work, uint32_t w, bool thesis)
{
	const struct sums *sums = &work->sums[w];

	if (!work->any_states || !sums->watched)
		return;
	/* The thesis's variant: plain sum of the states that start after 0, over the last end. */
	tv_set_double(work->to[RUNTIME], w,
		      thesis ? percent(sums->states, sums->last)
			     : percent(sums->runtime.sum, work->in.end - work->in.begin));
}

/* Worker w is row w of the result. */
static void write_worker(const struct idleness *work, const struct tv_tasks *tasks, uint32_t w,
			 bool thesis)
{
	const struct tv_worker *worker = &tasks->workers[w];
	struct tv_column *const *to = work->to;
	int64_t whole = work->in.end - work->in.begin;
	int64_t busy = work->sums[w].busy.sum, covered = work->sums[w].covered.sum;

	tv_set_label(to[ID], w, worker->resource);
	tv_set_label(to[TYPE], w, tasks->rtype[worker->rtype].label);
	tv_set_label(to[NODE], w, tasks->node[worker->node].label);
	tv_set_int(to[TASKS], w, work->sums[w].count);
	tv_set_int(to[BUSY], w, busy);
	tv_set_int(to[OTHER], w, covered - busy);
	tv_set_int(to[IDLE], w, whole - covered);
	tv_set_double(to[IDLENESS], w, percent(whole - covered, whole));
	write_runtime(work, w, thesis);
}

/* ---- objects of the machine ---- */

/* A task that ran on an object, its segments once. */
struct place {
	uint32_t object, whole;
};

TV_ORDER(by_object, struct place, object, whole)

/* By object of a level: counted tasks that ran on it in that interval. */
static uint32_t *count_tasks(struct tv_occupancy *o, uint32_t level, const struct tv_span *in)
{
	const struct tv_tasks *tasks = &o->run->tasks;
	uint32_t *count = tv_alloc(o->nobjects, sizeof *count), n = 0;
	struct place *place = tv_alloc(tasks->n, sizeof *place);

	for (uint32_t row = 0; row < tasks->n; row++) {
		const struct tv_span span = { tasks->start[row], tasks->end[row] };
		uint32_t on = tasks->counted[row] && tv_run_has(o->run, tasks->worker[row])
					   && overlaps(&span, in)
				    ? o->placement->of_row[row]
				    : TV_NONE;

		if (on != TV_NONE)
			on = tv_object_above(&o->placement->machine, on, level);
		if (on != TV_NONE)
			place[n++] = (struct place){ on, tv_row_whole(tasks, row) };
	}
	if (n > 1)
		qsort(place, n, sizeof *place, by_object);
	for (uint32_t i = 0; i < n; i++)
		count[place[i].object] += i == 0 || by_object(&place[i - 1], &place[i]) != 0;
	tv_free(place);
	return count;
}

static void write_object(struct tv_table *out, const struct tv_occupancy *o, uint32_t object,
			 int64_t length, int64_t busy, uint32_t tasks)
{
	const struct tv_machine *m = &o->placement->machine;
	const struct tv_column *node = tv_table_find(&o->run->trace->table[TV_RESOURCES], "Node");
	struct tv_column *const *to = out->col;
	uint32_t row = tv_table_add_row(out);
	tv_int128 idle;
	double share = tv_occupancy_share(o, 0, object, length, true, &idle);

	tv_set_label(to[ID], row, m->at[object].id);
	tv_set_label(to[TYPE], row, m->level[m->at[object].level].type);
	if (node != NULL)
		tv_set_label(to[NODE], row, tv_label(node, m->at[object].row));
	if (isnan(share))
		return;
	tv_set_int(to[TASKS], row, tasks);
	tv_set_int(to[BUSY], row, busy);
	tv_set_int(to[OTHER], row, tv_sum_ns(o->busy[object]) - busy);
	tv_set_int(to[IDLE], row, tv_sum_ns(idle));
	tv_set_double(to[IDLENESS], row, share);
}

static int write_level(struct tv_run *run, const char *name, struct tv_table *out,
		       struct tv_error *err)
{
	struct tv_occupancy o = { 0 };
	const struct tv_level *level;
	struct tv_span in;
	uint32_t number, *tasks;
	tv_int128 *busy; /* of counted tasks; then o has those of all */

	if (tv_run_interval(run, &in.begin, &in.end, err) < 0
	    || tv_occupancy_level(&o, run, name, &number, err) < 0) {
		tv_occupancy_release(&o);
		return -1;
	}
	tv_occupancy_fill(&o, TV_OCCUPIED_COUNTED, TV_NONE, number,
			  (const int64_t[]){ in.begin, in.end }, 1);
	busy = o.busy;
	o.busy = NULL;
	tv_occupancy_fill(&o, TV_OCCUPIED_ALL, TV_NONE, number,
			  (const int64_t[]){ in.begin, in.end }, 1);
	tasks = count_tasks(&o, number, &in);
	level = &o.placement->machine.level[number];
	for (uint32_t i = 0; i < level->n; i++) {
		uint32_t object = o.placement->machine.in_level[level->first + i];

		write_object(out, &o, object, in.end - in.begin, tv_sum_ns(busy[object]),
			     tasks[object]);
	}
	tv_free(tasks);
	tv_free(busy);
	tv_occupancy_release(&o);
	return 0;
}

struct asked {
	enum { BY_DEFAULT, BY_THESIS } definition;
	const char *level;
};

static int check_options(const struct tv_options *options, struct tv_error *err)
{
	const struct asked *asked = options->chosen;

	if (asked->definition == BY_THESIS && asked->level != NULL)
		return tv_fail_usage(err, "--definition thesis has no effect with --level");
	return 0;
}

static int run_idleness(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
			struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	bool thesis = asked->definition == BY_THESIS;
	bool streams = asked->level != NULL && strcmp(asked->level, TV_LEVEL_STREAM) == 0;
	const struct tv_tasks *tasks = &(streams ? tv_run_streams(run) : run)->tasks;
	struct idleness work = { .streams = streams, .to = out->col };
	int rc;

	if (thesis && tv_run_cut(run))
		return tv_fail_usage(err, "--definition thesis describes the whole run: it "
					  "takes no window (--begin, --end, --region)");
	if (asked->level != NULL && !streams) {
		tv_warn_workers(run);
		return write_level(run, asked->level, out, err);
	}
	if (tv_run_interval(run, &work.in.begin, &work.in.end, err) < 0)
		return -1;
	tv_warn_workers(run);
	work.sums = tv_alloc(tasks->nworkers, sizeof *work.sums);
	rc = add_all_rows(&work, run, tasks->nworkers, err);
	out->nrows = tasks->nworkers;
	for (uint32_t w = 0; rc == 0 && w < out->nrows; w++)
		write_worker(&work, tasks, w, thesis);
	tv_free(work.sums);
	return rc;
}

static bool is_in_parts(const struct tv_options *options)
{
	return !tv_option_given(options, "level");
}

static const struct tv_option_spec options[] = {
	{ "definition", "default|thesis", "default", "definition of RuntimeIdleness (see below)",
	  TV_OPTION_CHOICE, TV_ASKED(definition) },
	{ "level", TV_LEVEL_STREAM "|LEVEL", NULL,
	  "one row per stream, or per object of that level of the machine (L3, numa, ...)",
	  TV_ASKED(level) },
};

const struct tv_pass tv_pass_idleness = {
	.name = "idleness",
	.summary = "Idle time of each worker",
	.kind = TV_SUMMARIZE,
	.columns = "Cpu CpuEnd NumaNode",
	.windowed = true,
	.in_parts = is_in_parts,
	.unordered = true,
	.beside = 20,
	.group = TV_GROUP_BOUNDS,
	.ranked = "Idleness",
	.needs = "states resources",
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_COLUMNS(columns),
	.notes = "One row per worker, with or without tasks (100 %). The makespan is the time\n"
		 "from the first Start to the last End of the run's tasks; with --begin or --end,\n"
		 "the part of it in between. States that overlap or nest count once. A device "
		 "with\n"
		 "several streams is one worker, busy while any of them is; --level stream gives "
		 "a\n"
		 "row per stream: these do not add up to the account of a run.\n"
		 "--definition thesis: RuntimeIdleness is the sum of the Idle and Sleeping states\n"
		 "that start after 0, over the latest end of a task or such a state on the\n"
		 "worker.\n"
		 "--level: one row per object of a level of the machine. Busy and Other are sums\n"
		 "over workers; Idle and Idleness are those of topology, missing where the trace "
		 "does not\n"
		 "determine it.\n"
		 "Source: Garcia Pinto, thesis, 2018, 5.1.1.",
	.example = "traceviz idleness data/cholesky.csv",
	.check = check_options,
	.run = run_idleness,
};
