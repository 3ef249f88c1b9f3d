/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds.c -- makespan, and lower bounds and estimates of it: path, area, both together. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bounds/longest.h"
#include "analysis/bounds/path_parts.h"
#include "analysis/bounds/path_weights.h"
#include "analysis/core/columns.h"
#include "analysis/core/durations.h"
#include "analysis/core/gate.h"
#include "analysis/core/overlaps.h"
#include "analysis/core/processors.h"
#include "analysis/core/warnings.h"
#include "analysis/messages/network.h"
#include "analysis/messages/ports.h"
#include "lp/integer.h"
#include "trace/alloc.h"
#include "trace/expr.h"
#include "trace/number.h"
#include "trace/text.h"

/* Those from LATENCY on with --network only. */
#define COLUMNS(X) \
	X(NODE, "Node", TV_LABEL, true, "", "node of the row; missing = the whole run") \
	X(BOUND, "Bound", TV_LABEL, true, "", \
	  "makespan, cpu-time, cpe, longest-chain, best-placed-chain, abe, port, tight, ...") \
	X(NATURE, "Nature", TV_LABEL, true, "", \
	  "observed; bound: proven for all schedules of tasks at least as long; else " \
	  "estimate") \
	X(TIME, "Time", TV_TIME, true, "ms", "value of the bound") \
	X(GAP, "Gap", TV_DOUBLE, true, "%", \
	  "(makespan - Time) / Time; missing for the makespan itself") \
	X(EXCLUDED, "Excluded", TV_INT, true, "", \
	  "number of pairs (task type, resource type) that never ran or are " \
	  "forbidden") \
	X(LATENCY, "Latency", TV_TIME, false, "ms", "--network: of cpe-network, port") \
	X(BANDWIDTH, "Bandwidth", TV_DOUBLE, false, "MB/s", \
	  "--network: of cpe-network, port, 10^6 bytes per second; missing = " \
	  "unlimited") \
	X(BINDING, "Binding", TV_LABEL, false, "", \
	  "--network: yes for the largest of all bounds, else no; missing for the " \
	  "makespan")

TV_COLUMNS(columns, COLUMNS)

/* What is computed, and the result. */
struct asked {
	bool tight, integer;
	int64_t limit_ns; /* for integer */
	const char *durations, *durations_from, *forbid, *network, *fail_if;
};

struct bounding {
	const struct asked *asked;
	struct tv_run *run;
	struct tv_table *out;
	struct tv_duration_rule rule;
	struct tv_network network;
	int64_t makespan_ns;  /* of the run */
	struct tv_port *port; /* by node of the tasks; NULL = not computed */
};

/* What the rows of one node, or of the whole run, are about. */
struct subject {
	const struct tv_means *means;
	uint32_t node; /* label; TV_NONE = the whole run */
	int64_t makespan_ns;
	struct tv_durations durations;
};

static uint32_t write_row(const struct bounding *b, const struct subject *s, const char *bound,
			  const char *nature, int64_t time_ns)
{
	uint32_t row = tv_table_add_row(b->out);

	tv_set_label(b->out->col[NODE], row, s->node);
	tv_set_text(b->out->col[BOUND], row, bound);
	tv_set_text(b->out->col[NATURE], row, nature);
	tv_set_int(b->out->col[TIME], row, time_ns);
	return row;
}

/* A row that is not the makespan itself. */
static int write_bound(const struct bounding *b, const struct subject *s, const char *bound,
		       bool proven, double ns, struct tv_error *err)
{
	int64_t time_ns;
	uint32_t row;

	if (!(ns < 0x1p62))
		return tv_fail(err,
			       "%s: the durations add up to more than "
			       "146 years, which is out of range",
			       bound);
	time_ns = llround(ns);
	/* A run that beats it is no schedule of the bound's kind: tasks overlap, or precede what
	 * they depend on. */
	proven = proven && time_ns <= s->makespan_ns;
	row = write_row(b, s, bound, proven ? "bound" : "estimate", time_ns);
	/* From the time as printed, so that a reader who recomputes it finds the same. */
	if (time_ns != 0)
		tv_set_double(b->out->col[GAP], row,
			      100 * (double)(s->makespan_ns - time_ns) / (double)time_ns);
	tv_set_int(b->out->col[EXCLUDED], row, s->durations.excluded);
	return 0;
}

static int write_estimate(const struct bounding *b, const struct subject *s, const char *bound,
			  double ns, struct tv_error *err)
{
	return write_bound(b, s, bound, s->durations.proven, ns, err);
}

static int write_integer(const struct bounding *b, const struct subject *s, struct tv_error *err)
{
	double ns;
	bool optimal;

	if (tv_area_integer(&s->durations.area, b->asked->limit_ns, &ns, &optimal, err) < 0)
		return -1;
	if (!optimal)
		tv_run_warn(b->run, "abe-integer: no proven optimum within its limits (see "
				    "--time-limit), the value is that of abe");
	return write_estimate(b, s, "abe-integer", ns, err);
}

static int write_area(const struct bounding *b, const struct subject *s, double *ns,
		      struct tv_error *err)
{
	const struct tv_area *area = &s->durations.area;
	double *ideal = tv_alloc(area->ntypes * area->nresources, sizeof *ideal);
	int rc = tv_area_bound(area, ns, ideal, err);

	tv_free(ideal);
	if (rc == 0)
		rc = write_estimate(b, s, "abe", *ns, err);
	return rc == 0 && b->asked->integer ? write_integer(b, s, err) : rc;
}

static void write_model(const struct bounding *b, uint32_t row)
{
	tv_set_int(b->out->col[LATENCY], row, llround(b->network.latency));
	if (b->network.per_byte > 0)
		tv_set_double(b->out->col[BANDWIDTH], row, 1000 / b->network.per_byte);
}

/* The row cpe-network. */
static int write_network(struct bounding *b, const struct subject *s, const struct tv_dag *dag,
			 const struct tv_path_weights *weights, struct tv_error *err)
{
	struct tv_network_path path = { 0 };
	uint32_t row = b->out->nrows;
	int rc = tv_network_path_init(&path, &b->network, b->run, dag, weights->of, err);

	if (rc == 0)
		rc = write_bound(b, s, "cpe-network", path.optimistic && weights->proven,
				 path.path.length, err);
	if (rc == 0) {
		write_model(b, row);
		b->port = tv_ports_new(&b->network, &path, dag);
	}
	tv_network_path_release(&path);
	return rc;
}

/* The row port of a node, if it sends or receives. It bounds the run: a node may send to the end. */
static int write_port(const struct bounding *b, const struct subject *s, uint32_t node,
		      struct tv_error *err)
{
	const struct tv_port *port = b->port == NULL ? NULL : &b->port[node];
	struct subject of = *s;
	uint32_t row = b->out->nrows;
	int rc;

	if (port == NULL || port->n == 0)
		return 0;
	of.makespan_ns = b->makespan_ns;
	if (!port->possible)
		tv_run_warn(b->run,
			    "node %.60s sent or received more at once than --network lets it, so "
			    "its port proves no bound",
			    tv_pool_text(b->out->pool, s->node));
	rc = write_bound(b, &of, "port", !b->network.fitted && port->possible, port->time, err);
	if (rc == 0)
		write_model(b, row);
	return rc;
}

/* The means that count on other types of workers than those of the run; NULL = those of the run. */
static const struct tv_duration_rule *rule_elsewhere(const struct bounding *b)
{
	return b->rule.foreign && b->rule.statistic == TV_MEAN ? &b->rule : NULL;
}

/* The rows of the longest chain. They have the durations of this run, whatever --durations says; but means that
 * --durations-from gives count on other types of workers. */
static int write_chains(const struct bounding *b, const struct subject *s, struct tv_error *err)
{
	struct tv_longest longest;
	int rc = tv_run_longest(&longest, b->run, rule_elsewhere(b), err);

	if (rc == 0)
		rc = write_bound(b, s, "longest-chain", false, (double)longest.recorded, err);
	if (rc == 0)
		rc = write_bound(b, s, "best-placed-chain", false, (double)longest.placed, err);
	return rc;
}

/* The row tight-recorded, which has the durations of this run. */
static int write_forced(const struct bounding *b, const struct subject *s, struct tv_error *err)
{
	struct tv_longest longest;
	int64_t time;

	if (tv_run_forced(b->run, &time, err) < 0
	    || tv_run_longest(&longest, b->run, NULL, err) < 0)
		return -1;
	return time == 0
		     ? 0
		     : write_bound(b, s, "tight-recorded", false,
				   fmin(fmax((double)time, (double)longest.placed), s->makespan_ns),
				   err);
}

/* The rows that need the graph, of rows that come part by part, and abe. */
static int write_parts(struct bounding *b, const struct subject *s, struct tv_error *err)
{
	struct tv_path_lengths lengths;
	double abe;
	int rc = tv_path_lengths_find(&lengths, b->run, s->means, &s->durations, rule_elsewhere(b),
				      err);

	if (rc == 0)
		rc = write_bound(b, s, "cpe", false, lengths.fastest, err);
	if (rc == 0)
		rc = write_bound(b, s, "longest-chain", false, (double)llround(lengths.recorded),
				 err);
	if (rc == 0)
		rc = write_bound(b, s, "best-placed-chain", false, (double)llround(lengths.placed),
				 err);
	return rc == 0 ? write_area(b, s, &abe, err) : rc;
}

/* The rows that need the graph, and abe between them. */
static int write_graph(struct bounding *b, const struct subject *s, struct tv_error *err)
{
	const struct tv_dag *dag = tv_run_dag(b->run, err);
	struct tv_path_weights weights;
	double cpe = 0, abe = 0, tight = 0;
	int rc;

	if (dag == NULL)
		return -1;
	rc = tv_path_weights_init(&weights, &b->rule, s->means, dag, err);
	weights.proven = weights.proven && s->durations.proven;
	tv_warn_graph(b->run, dag);
	if (rc == 0) {
		cpe = tv_path_weights_longest(&weights, dag);
		rc = write_bound(b, s, "cpe", weights.proven, cpe, err);
	}
	if (b->asked->network == NULL && !b->asked->tight) {
		tv_free(weights.of); /* nobody needs them any more, and chains need as much */
		weights.of = NULL;
	}
	if (rc == 0 && b->asked->network == NULL)
		rc = write_chains(b, s, err);
	if (rc == 0 && b->asked->network != NULL)
		rc = write_network(b, s, dag, &weights, err);
	if (rc == 0)
		rc = write_area(b, s, &abe, err);
	if (rc == 0 && b->asked->tight) {
		rc = tv_path_weights_tight(&weights, b->run, dag, &tight, err);
		if (rc == 0)
			rc = write_bound(b, s, "tight", weights.proven, fmax(tight, fmax(cpe, abe)),
					 err);
		if (rc == 0)
			rc = write_forced(b, s, err);
	}
	tv_path_weights_release(&weights);
	return rc;
}

/* The row cpu-time: the time that tasks had a processor, over the processors of all workers. */
static int write_cpu_time(const struct bounding *b, const struct subject *s, struct tv_error *err)
{
	const struct tv_tasks *tasks = &b->run->tasks;
	const struct tv_column *clock = tv_table_find(&tasks->trace->table[TV_TASKS], "task-clock");
	uint32_t processors = clock != NULL ? tv_processors(tasks) : 0, missing = 0;
	struct subject of = *s;
	double sum = 0, ns;

	of.durations.excluded = 0;
	for (uint32_t row = 0; processors > 0 && row < tasks->n; row++) {
		if (!tasks->counted[row])
			continue;
		if (tv_cell_number(clock, row, &ns) && ns >= 0)
			sum += ns;
		else
			missing++;
	}
	if (processors == 0 || missing == tasks->ncounted)
		return 0;
	if (missing > 0)
		tv_run_warn(b->run,
			    "%lu of %lu tasks, or parts of them, have no task-clock and count "
			    "nothing in cpu-time",
			    (unsigned long)missing, (unsigned long)tasks->ncounted);
	return write_bound(b, &of, "cpu-time", true, sum / processors, err);
}

static int write_subject(struct bounding *b, const struct subject *s, struct tv_error *err)
{
	bool whole = s->means->node
		  == TV_NONE; /* s->node may be none, too: workers without a node */
	double abe;
	int rc;

	write_row(b, s, "makespan", "observed", s->makespan_ns);
	if (whole && write_cpu_time(b, s, err) < 0)
		return -1;
	if (whole && b->run->parts != NULL && tv_run_depends(b->run))
		return write_parts(b, s, err);
	if (whole && tv_tasks_know_dependencies(&b->run->tasks))
		return write_graph(b, s, err);
	if (whole)
		tv_run_warn(b->run,
			    "no estimate of the critical path (cpe)%s%s: the tasks have no "
			    "dependencies (DependsOn, JobId)",
			    b->asked->network != NULL ? ", no cpe-network, no port" : "",
			    b->asked->tight ? ", no tight bound" : "");
	rc = write_area(b, s, &abe, err);
	return rc == 0 && !whole ? write_port(b, s, s->means->node, err) : rc;
}

/* The whole run, or a node. */
static int bound_subject(struct bounding *b, const struct tv_means *means, struct tv_error *err)
{
	const struct tv_tasks *tasks = &b->run->tasks;
	struct subject s = {
		.means = means,
		.node = means->node == TV_NONE ? TV_NONE : tasks->node[means->node].label,
		.makespan_ns = means->finish - tasks->begin,
	};
	int rc;

	rc = tv_durations_init(&s.durations, &b->rule, tasks, means, err);
	if (means->node == TV_NONE)
		tv_warn_kept(b->run, s.durations.kept);
	if (rc == 0)
		rc = write_subject(b, &s, err);
	tv_durations_release(&s.durations);
	return rc;
}

static int check_options(const struct tv_options *options, struct tv_error *err)
{
	const struct asked *asked = options->chosen;

	if (!asked->integer && TV_GIVEN(options, struct asked, limit_ns))
		return tv_fail_usage(err, "--time-limit needs --integer");
	if (tv_network_check(asked->network, err) < 0)
		return -1;
	if (tv_forbid_check(asked->forbid, err) < 0)
		return -1;
	return asked->fail_if == NULL ? 0 : tv_expr_check(asked->fail_if, err);
}

static int init_models(struct bounding *b, struct tv_error *err)
{
	const struct asked *asked = b->asked;

	if (asked->network != NULL && tv_network_init(&b->network, b->run, asked->network, err) < 0)
		return -1;
	return tv_duration_rule_init(&b->rule, b->run, asked->durations, asked->forbid,
				     asked->durations_from, b->out->pool, err);
}

/* A bound above the makespan contradicts its name: warns with the reason. */
static void warn_above(const struct bounding *b, uint64_t overlaps)
{
	const struct tv_column *gap = b->out->col[GAP];

	tv_table_finish(b->out);
	for (uint32_t row = 0; row < b->out->nrows; row++) {
		uint32_t node = tv_label(b->out->col[NODE], row);
		const char *name = tv_table_text(b->out, "Bound", row);

		/* What contradicts a chain as recorded contradicts the others as well. */
		if (tv_missing(gap, row) || !(gap->d[row] < 0) || strcmp(name, "longest-chain") == 0
		    || strcmp(name, "best-placed-chain") == 0)
			continue;
		tv_run_warn(b->run, "%s%s%.60s is above the makespan: %s", name,
			    node == TV_NONE ? "" : " of node ",
			    node == TV_NONE ? "" : tv_pool_text(b->out->pool, node),
			    overlaps > 0 ? "executions overlap, so workers did more than one task "
					   "at once"
			    : b->rule.foreign ? "it is not computed with the durations of this run "
						"alone, and this run was faster"
					      : "it is an estimate, and this run was faster");
	}
}

/* Marks the largest of all bounds. */
static void mark_binding(const struct bounding *b)
{
	const struct tv_column *excluded = b->out->col[EXCLUDED], *time = b->out->col[TIME];
	int64_t top = 0;

	tv_table_finish(b->out);
	for (uint32_t row = 0; row < b->out->nrows; row++)
		if (!tv_missing(excluded, row) && time->i[row] > top)
			top = time->i[row];
	for (uint32_t row = 0; row < b->out->nrows; row++)
		if (!tv_missing(excluded, row))
			tv_set_text(b->out->col[BINDING], row, time->i[row] == top ? "yes" : "no");
}

/* Whether an entry of --forbid matches any pair of the run. */
static bool matches_pair(const char *entry, const struct tv_tasks *tasks,
			 const struct tv_means *means)
{
	for (uint32_t t = 0; t < means->ntypes; t++)
		for (uint32_t r = 0; r < means->nrtypes; r++)
			if (tv_forbids(entry, tv_pool_text(tasks->pool, means->type[t]),
				       tv_pool_text(tasks->pool, tasks->rtype[r].label)))
				return true;
	return false;
}

/* Warns of each entry of --forbid that has no effect. */
static void warn_forbid(struct tv_run *run, const char *list, const struct tv_means *means)
{
	const char *word;
	size_t n;

	while (list != NULL && (word = tv_list_word(&list, &n)) != NULL) {
		char *entry = tv_strndup(word, n);

		if (!matches_pair(entry, &run->tasks, means))
			tv_run_warn(run, "--forbid '%.200s' matches no task type and resource type",
				    entry);
		tv_free(entry);
	}
}

/* Of the means, which are sums. */
static bool is_in_parts(const struct tv_options *options)
{
	return !tv_option_given(options, "tight") && !tv_option_given(options, "network")
	    && !tv_option_given(options, "durations");
}

/* What the time of processors, for which all rows are needed, would be found in. */
static int check_parts(const struct tv_run *run, struct tv_error *err)
{
	if (run->parts == NULL || tv_table_find(&run->trace->table[TV_TASKS], "task-clock") == NULL)
		return 0;
	return tv_fail_parts(err, "bounds needs all rows at once: tasks have a task-clock");
}

static const struct tv_option_spec bounds_options[] = {
	{ "tight", NULL, NULL,
	  "also the bound tight: an area bound that knows how early and late each task can run",
	  TV_ASKED(tight) },
	{ "integer", NULL, NULL, "also abe with whole tasks", TV_ASKED(integer) },
	{ "time-limit", "TIME", "10s",
	  "max time for --integer; when it is reached, the value is that of abe", TV_OPTION_TIME, 1,
	  0, TV_ASKED(limit_ns) },
	{ "durations", "mean|median|minimum", "mean", "duration of a task type on a resource type",
	  TV_OPTION_CHOICE, TV_ASKED(durations) },
	{ TV_DURATIONS_FROM_ROW, TV_ASKED(durations_from) },
	{ "forbid", "TYPE:RESTYPE,...", NULL,
	  "tasks of TYPE cannot run on RESTYPE (* any text, ? one character)", TV_ASKED(forbid) },
	{ TV_NETWORK_ROW, TV_ASKED(network) },
	{ TV_FAIL_IF_ROW("Bound == abe and Gap > 20"), TV_ASKED(fail_if) },
};

static int run_bounds(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		      struct tv_error *err)
{
	struct bounding b = { .asked = options->chosen, .run = run, .out = out };
	const struct tv_estimates *estimates = NULL;
	uint64_t overlaps = 0;
	int rc = check_parts(run, err);

	tv_add_fields(out, columns, b.asked->network != NULL ? TV_COUNT(columns) : (size_t)LATENCY);
	if (rc == 0)
		rc = init_models(&b, err);
	if (rc == 0) {
		tv_warn_workers(run);
		estimates = tv_run_estimate_rows(run, err);
		b.makespan_ns = run->tasks.finish - run->tasks.begin;
		rc = estimates != NULL ? 0 : -1;
	}
	for (uint32_t i = 0; rc == 0 && i < estimates->n; i++)
		rc = bound_subject(&b, &estimates->means[i], err);
	if (rc == 0) {
		warn_forbid(run, b.asked->forbid, &estimates->means[0]);
		rc = tv_warn_overlaps_of_rows(run, &overlaps, err);
	}
	if (rc == 0) {
		warn_above(&b, overlaps);
		if (b.asked->network != NULL)
			mark_binding(&b);
		rc = tv_gate(run, b.asked->fail_if, out, "Bound", err);
	}
	tv_duration_rule_release(&b.rule);
	tv_free(b.port);
	return rc;
}

const struct tv_pass tv_pass_bounds = {
	.name = "bounds",
	.summary = "Makespan, and lower bounds of it",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_BOUNDS,
	TV_PASS_OPTIONS_INTO(struct asked, bounds_options),
	.needs = "links resources",
	.columns = "task-clock SubmitAfter",
	.all_columns = true,
	.in_parts = is_in_parts,
	.linked = true,
	.beside = 120,
	TV_PASS_COLUMNS(columns),
	.varies = true,
	.notes =
		"makespan     last End of a task minus the first Start of the run\n"
		"cpu-time     where tasks have task-clock (record --counters task-clock) and all\n"
		"             workers a Cpuset: the sum of task-clock over the number of "
		"processors\n"
		"             to which any worker is bound. No schedule on these processors is\n"
		"             shorter, however many workers share them\n"
		"cpe          longest path in the task graph, where a task counts with the\n"
		"             duration of its type on the fastest resource type; absent\n"
		"             without dependencies\n"
		"longest-chain      without --network: longest path where a task counts with what "
		"it\n"
		"             took in this run, where it ran: no schedule of this placement with "
		"these\n"
		"             durations is shorter. Messages count nothing\n"
		"best-placed-chain  the same, where a task counts with the smaller of that and\n"
		"             the smallest mean duration of its type on the other resource types;\n"
		"             with one type of workers it is longest-chain\n"
		"abe          area bound: min time in which the workers could run all tasks\n"
		"             without dependencies; see traceviz abe\n"
		"abe-integer  the same with whole tasks\n"
		"tight        max over all h and q of h + area + q, area that of the tasks with a\n"
		"             path of at least h before and q after them; never below cpe and\n"
		"             abe. With very many task types (on three resource types or more,\n"
		"             or in millions of tasks) the search may be cut off: a warning\n"
		"             reports that the value may be below the max\n"
		"tight-recorded  the same, where each task takes what it took in this run; of\n"
		"             one resource type\n"
		"cpe-network  cpe, where a message between nodes takes latency + size / bandwidth\n"
		"             (--network) and each task is on the node where it ran; it begins "
		"and\n"
		"             ends with a task. Dependencies that cross nodes without a message:\n"
		"             the latency. Its path: traceviz critical-path --network. With\n"
		"             fit a line below the fastest message of each size, of those that\n"
		"             shared neither their origin nor their destination\n"
		"port         --network: latency + bytes / bandwidth, for the larger of what a "
		"node\n"
		"             must send and receive between tasks, one message at a time in each\n"
		"             direction. It bounds the run: so Gap is that of the run\n"
		"With several nodes the abe of a node also bounds the run, as long as its tasks\n"
		"stay there; so Binding compares all rows.\n"
		"Durations are means of the run unless --durations or --durations-from sets them.\n"
		"A value is a bound with --durations minimum, if no pair of task type and\n"
		"resource type with workers is excluded and there are no teams: no schedule in\n"
		"which each task takes at least the run's minimum for this pair is shorter.\n"
		"Paths weigh the segments of a suspended task by their own durations, and a task\n"
		"comes after the segment that created it: no bound if one started before the end\n"
		"of that. In abe such a task is one, its time that of the workers it ran on.\n"
		"cpe-network is one if moreover latency and bandwidth are given, no message of "
		"the\n"
		"trace was faster, and nothing crosses nodes without a message. port is one, with\n"
		"any durations, if they are given and the node's messages could have been carried\n"
		"at this bandwidth in their times in the trace.\n"
		"Source: Garcia Pinto, thesis, 2018, 5.1.3; tight is ours.",
	.example = "traceviz bounds --tight --durations minimum data/cholesky.csv",
	.windowless = true,
	.check = check_options,
	.run = run_bounds,
};
