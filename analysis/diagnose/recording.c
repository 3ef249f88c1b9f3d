/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recording.c -- findings about what the trace cannot show. */
#include <string.h>

#include "analysis/core/grouping.h"
#include "analysis/core/last.h"
#include "analysis/core/means.h"
#include "analysis/data/transfer_list.h"
#include "analysis/diagnose/findings.h"
#include "trace/number.h"
#include "trace/text.h"

/* ---- types that did not run everywhere ---- */

/* Whether nothing is known of how long a type takes on a type of workers, which the run has. */
static bool is_unknown(const struct tv_case *c, const struct tv_means *means, uint32_t t,
		       uint32_t r)
{
	return means->workers[r] > 0 && means->pair[(size_t)t * means->nrtypes + r].executions == 0
	    && tv_duration_rule_find(&c->account.rule, means->type[t], c->tasks->rtype[r].label)
		       == NULL;
}

enum { NAMED_MAX = 6 };

/* "solve on CUDA, mult on CPU": task types with work, and the types of workers on which they never ran, the first ones by name;
 * NULL = none. */
char *tv_case_one_sided(const struct tv_case *c, double *share)
{
	const struct tv_means *means = &tv_run_estimates(c->run)->means[0];
	tv_int128 all = 0, sided = 0;
	char *list = NULL, value[128], rtype[64];
	uint32_t n = 0;

	for (uint32_t t = 0; t < means->ntypes; t++) {
		const struct tv_pair *pair = &means->pair[(size_t)t * means->nrtypes];
		tv_int128 time = 0;
		bool missing = false;

		for (uint32_t r = 0; r < means->nrtypes; r++) {
			time += pair[r].time;
			missing = missing || is_unknown(c, means, t, r);
		}
		all += time;
		if (!missing)
			continue;
		sided += time;
		for (uint32_t r = 0; r < means->nrtypes; r++)
			if (is_unknown(c, means, t, r) && n++ < NAMED_MAX)
				tv_append(&list, "%s%s on %s", list != NULL ? ", " : "",
					  tv_clean_text(value, sizeof value,
							means->type[t] == TV_NONE
								? "?"
								: tv_pool_text(c->tasks->pool,
									       means->type[t])),
					  tv_clean_text(rtype, sizeof rtype,
							tv_pool_text(c->tasks->pool,
								     c->tasks->rtype[r].label)));
	}
	if (n > NAMED_MAX)
		tv_append(&list, " and %u more pairs", n - NAMED_MAX);
	*share = all > 0 ? (double)sided / (double)all : 0;
	return list;
}

static int find_one_sided_types(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	double share;
	char *list = tv_case_one_sided(c, &share);

	(void)err;
	if (list != NULL && share >= TV_ONE_SIDED) {
		found->holds = true;
		found->text = tv_format("Never ran: %s. How long they would take there is not "
					"known, so bounds, and "
					"what is said of placement, leave it out.",
					list);
		found->command = tv_case_verb(c, "abe", "");
	}
	tv_free(list);
	return 0;
}

const struct tv_rule tv_rule_one_sided_types = {
	.id = "one-sided-types",
	.title = "task types never ran on a type of workers",
	.condition = "task types that never ran on one of the types of workers have 10 % of the "
		     "time of tasks or more",
	.measures = "nothing",
	.action = "If they can run there, take durations from another run, or force a few of them "
		  "there once.",
	.how = "With durations of another run: --durations-from TRACE.",
	.in.starpu = "STARPU_CALIBRATE=1",
	.limit = true,
	.find = find_one_sided_types,
};

/* ---- a type of its own for each task ---- */

enum { OWN_TYPES_MIN = 20, KINDS_MAX = 5 };

/* Whether the table has the column from elsewhere, and a text there for every fifth task at most. */
static bool may_name_kinds(const struct tv_case *c, const struct tv_column *column)
{
	struct tv_grouping kinds;
	struct tv_error ignored;
	bool may;

	if (column->derived || tv_schema_field(TV_TASKS, column->name) != NULL
	    || (column->type != TV_LABEL && column->type != TV_TEXT)
	    || tv_grouping_by_names(&kinds, c->tasks, column->name, "by", true, &ignored) < 0)
		return false;
	may = kinds.n > 1 && kinds.n <= c->tasks->nexecutions / KINDS_MAX;
	tv_grouping_release(&kinds);
	return may;
}

/* The first column of the table that may name the kinds of tasks, as --map calls it; NULL = none. */
static const char *kind_column(const struct tv_case *c)
{
	const struct tv_table *table = &c->tasks->trace->table[TV_TASKS];

	for (size_t i = 0; i < table->ncols; i++) {
		const char *name = table->col[i]->name;

		if (may_name_kinds(c, table->col[i]))
			return strncmp(name, "Table.", 6) == 0 ? name + 6 : name;
	}
	return NULL;
}

bool tv_case_own_types(const struct tv_case *c)
{
	const struct tv_means *means = &tv_run_estimates(c->run)->means[0];
	int64_t all = 0, single = 0;

	for (uint32_t t = 0; t < means->ntypes; t++) {
		int64_t n = 0;

		for (uint32_t r = 0; r < means->nrtypes; r++)
			n += means->pair[(size_t)t * means->nrtypes + r].executions;
		all += n;
		single += n == 1;
	}
	return all >= OWN_TYPES_MIN && 10 * single >= 9 * all;
}

static int find_own_types(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const char *column;
	char name[64];

	(void)err;
	if (!tv_case_own_types(c))
		return 0;
	column = kind_column(c);
	found->holds = true;
	found->text = tv_strdup(
		"Each task has a type of its own (Value), so durations cannot be compared: slow "
		"workers, and tasks that took too long, are not found.");
	if (column != NULL)
		tv_append(&found->text,
			  " Column %s may name the kinds of tasks: --map ...,Value=%s.",
			  tv_clean_text(name, sizeof name, column), name);
	else
		tv_append(&found->text,
			  " Give Value a column that names the kind of a task, without numbers "
			  "and arguments; if all do the same work, one text: --map "
			  "...,'Value=\"task\"'.");
	found->command = tv_case_verb(c, "summary", "");
	return 0;
}

const struct tv_rule tv_rule_own_types = {
	.id = "own-types",
	.title = "each task has a type of its own, so durations cannot be compared",
	.condition = "of 20 tasks or more, nine tenths are the only one of their type",
	.measures = "nothing",
	.action = "Give Value a column that names the kind of a task, not the task.",
	.how = "--map says what columns are made of.",
	.limit = true,
	.find = find_own_types,
};

char *tv_case_missing_ranks(const struct tv_case *c)
{
	int64_t recorded = 0;
	uint32_t there = tv_run_threads(c->run)->nranks;
	size_t n = 0;
	const char *ranks = tv_meta_get(c->run->trace, "Ranks", &n);

	if (ranks == NULL || there == 0 || tv_parse_int(ranks, n, &recorded) != TV_PARSE_OK
	    || recorded <= there)
		return tv_strdup("");
	return tv_format(" %lld of %lld ranks %s not in the trace: others may wait for %s.",
			 (long long)(recorded - there), (long long)recorded,
			 recorded - there == 1 ? "is" : "are",
			 recorded - there == 1 ? "it" : "them");
}

static int find_missing_ranks(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	char *text = tv_case_missing_ranks(c);

	(void)err;
	found->holds = text[0] != '\0';
	if (found->holds) {
		found->text = tv_strdup(text + 1);
		found->command = tv_case_verb(c, "info", "");
	}
	tv_free(text);
	return 0;
}

const struct tv_rule tv_rule_missing_ranks = {
	.id = "missing-ranks",
	.title = "ranks of the run are not in the trace",
	.condition = "the recorder notes more ranks (Ranks in meta) than have calls of MPI",
	.measures = "nothing",
	.action = "Give the recordings of all ranks: the whole folder, or all of its files.",
	.threads = true,
	.limit = true,
	.find = find_missing_ranks,
};

static int find_separate_ranks(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	(void)err;
	found->holds = c->apart;
	if (!found->holds)
		return 0;
	found->text = tv_strdup(
		"No task depends on one of another rank: which messages of StarPU-MPI tasks "
		"waited for is not in the trace. So why workers were idle is not known, "
		"chains and bounds may be too short, and nothing is simulated.");
	found->command = tv_case_verb(c, "info", "");
	return 0;
}

const struct tv_rule tv_rule_separate_ranks = {
	.id = "separate-ranks",
	.title = "no task depends on one of another rank",
	.condition = "a recording of StarPU on several ranks whose tasks have dependencies, but no "
		     "messages "
		     "and none on tasks of other ranks",
	.measures = "nothing",
	.action = "Record the run again with this version of traceviz, which notes the messages of "
		  "StarPU-MPI.",
	.limit = true,
	.warning = "no messages among the tasks",
	.find = find_separate_ranks,
};

static int find_no_dependencies(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	(void)err;
	if (tv_tasks_know_dependencies(c->tasks))
		return 0;
	found->holds = true;
	found->text = tv_format(
		"The trace has no dependencies between tasks: nothing can be said about "
		"the critical path, nor why workers had no task.");
	found->command = tv_case_verb(c, "info", "");
	return 0;
}

const struct tv_rule tv_rule_no_dependencies = {
	.id = "no-dependencies",
	.title = "the trace does not say which tasks depend on others, so what could have run "
		 "earlier is not known",
	.condition = "no task has DependsOn",
	.measures = "nothing",
	.action = "Record dependencies.",
	.how = "StarPU's FxT traces and traceviz record --openmp contain them; a CSV takes "
	       "them in the column DependsOn.",
	.limit = true,
	.warning = "no dependencies",
	.find = find_no_dependencies,
};

static int find_repeated_jobs(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const struct tv_dag *dag = tv_run_dag(c->run, err);
	char job[64];

	if (dag == NULL)
		return -1;
	if (dag->nrepeated == 0)
		return 0;
	found->holds = true;
	tv_clean_text(job, sizeof job, tv_pool_text(c->tasks->pool, dag->repeated));
	found->text = tv_format("%u names in JobId occur several times, such as "
				"'%s'. Each is one step of the graph, from its first start to its "
				"last end, in every chain and bound.",
				dag->nrepeated, job);
	found->command = tv_case_verb(c, "info", "--check");
	return 0;
}

const struct tv_rule tv_rule_repeated_jobs = {
	.id = "repeated-jobs",
	.title = "several executions have one JobId, so that chains and bounds take them for one "
		 "task",
	.condition = "a job ran several times on one worker, or one after the other on several "
		     "(without the "
		     "column Instance), and there is no column Segment",
	.measures = "nothing",
	.action =
		"Give each task a name of its own in JobId, or leave this column out; parts of one "
		"task need the column Segment.",
	.limit = true,
	.find = find_repeated_jobs,
};

static int find_lost_dependencies(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const struct tv_dag *dag = tv_run_dag(c->run, err);

	if (dag == NULL)
		return -1;
	if (dag->dangling == 0)
		return 0;
	found->holds = true;
	found->text = tv_format(
		"%llu of %llu dependencies are on jobs that occur nowhere in the trace%s. What "
		"waits for those looks like a wait for the runtime or for a worker.",
		(unsigned long long)dag->dangling, (unsigned long long)dag->dangling + dag->nedges,
		c->tasks->job == NULL ? ", as no task has a JobId" : "");
	if (dag->nedges == 0)
		found->title = tv_strdup(
			c->tasks->job == NULL
				? "all dependencies are lost, as no task has a JobId"
				: "all dependencies are on jobs that occur nowhere in the trace");
	if (c->tasks->job == NULL)
		found->action = "Give the tasks their names in JobId, of a table: --map "
				"...,JobId=COLUMN.";
	found->command = tv_case_verb(c, "info", "");
	return 0;
}

const struct tv_rule tv_rule_lost_dependencies = {
	.id = "lost-dependencies",
	.title = "some dependencies are on jobs that occur nowhere in the trace",
	.condition = "the graph has such dependencies",
	.measures = "nothing",
	.action = "Compare the names in DependsOn with those in JobId.",
	.limit = true,
	.warning = "on jobs that occur nowhere",
	.find = find_lost_dependencies,
};

static int find_early_tasks(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const struct tv_dag *dag = tv_run_dag(c->run, err);
	const struct tv_early *early;
	char time[32], *task;

	if (dag == NULL)
		return -1;
	early = tv_run_early(c->run, dag);
	if (early->n == 0)
		return 0;
	task = tv_words_task(c, dag->row[early->node]);
	found->holds = true;
	found->text = tv_format(
		"%u task%s more than 1 us before what %s on has ended, at most %s before: %s. "
		"Chains of such tasks are longer than they can be.",
		early->n, early->n == 1 ? " begins" : "s begin",
		early->n == 1 ? "it depends" : "they depend", tv_words_time(time, early->by), task);
	found->command = tv_case_verb(c, "deps", "--where 'Delay < 0'");
	tv_free(task);
	return 0;
}

const struct tv_rule tv_rule_early_tasks = {
	.id = "early-tasks",
	.title = "some tasks begin before what they depend on has ended, so dependencies or times "
		 "are "
		 "wrong",
	.condition = "the last dependency of a task ended more than 1 us after the task began",
	.measures = "nothing",
	.action = "Compare DependsOn with what the program waits for, and the clocks of the nodes.",
	.limit = true,
	.find = find_early_tasks,
};

static int find_no_submission(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	(void)err;
	if (c->tasks->submit != NULL)
		return 0;
	found->holds = true;
	found->text = tv_format(
		"The trace does not show when tasks were submitted: slow submission would "
		"look like missing dependencies.");
	found->command = tv_case_verb(c, "info", "");
	return 0;
}

const struct tv_rule tv_rule_no_submission = {
	.id = "no-submission",
	.title = "the trace does not say when tasks were submitted",
	.condition = "no task has SubmitTime",
	.measures = "nothing",
	.action = "Record submission times.",
	.how = "StarPU's FxT traces and traceviz record contain them; a CSV takes them in the "
	       "column SubmitTime.",
	.limit = true,
	.warning = "no SubmitTime",
	.find = find_no_submission,
};

static int find_no_workers(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	(void)err;
	if (c->tasks->workers_known)
		return 0;
	found->holds = true;
	found->text = tv_format(
		"The trace does not declare its workers: only the %u that ran tasks are "
		"counted, so idle ones may be missing.",
		c->tasks->nworkers);
	found->command = tv_case_verb(c, "idleness", "");
	return 0;
}

const struct tv_rule tv_rule_no_workers = {
	.id = "no-workers",
	.title = "workers that ran no task may be missing",
	.condition = "the trace does not declare its workers",
	.measures = "nothing",
	.action = "Name the workers: --resources CPU=25,CUDA=3.",
	.limit = true,
	.warning = "does not declare its workers",
	.find = find_no_workers,
};

int tv_case_lacks_transfers(const struct tv_case *c, bool *lacks, struct tv_error *err)
{
	const struct tv_data_transfers *transfers;
	int64_t time, worker;

	tv_case_sum(c, TV_ACCOUNT_IDLE, "data", NULL, TV_NONE, &time, &worker);
	*lacks = c->tasks->nrtypes > 1 && worker == 0;
	if (!*lacks)
		return 0;
	transfers = tv_run_transfers(c->run, err);
	*lacks = transfers != NULL && transfers->n == 0;
	return transfers == NULL ? -1 : 0;
}

static int find_no_transfers(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	if (tv_case_lacks_transfers(c, &found->holds, err) < 0)
		return -1;
	if (!found->holds)
		return 0;
	found->text = tv_format(
		"There are several types of workers, but the trace has no transfers between their "
		"memories: waits for data look like waits for the runtime.");
	found->command = tv_case_verb(c, "info", "");
	return 0;
}

const struct tv_rule tv_rule_no_transfers = {
	.id = "no-transfers",
	.title = "the trace does not show transfers of data",
	.condition = "there are several types of workers, no row of links is a transfer, and no "
		     "idle time has the cause data",
	.measures = "nothing",
	.action = "Read the runtime's own trace (FxT, Paje) as a folder.",
	.how = "One CSV of tasks cannot contain transfers; --with DIR adds the other tables.",
	.limit = true,
	.find = find_no_transfers,
};

static int find_recorder_off(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const struct tv_threads *threads = tv_run_threads(c->run);
	char time[TV_WORDS_OF_ALL];

	(void)err;
	found->holds = c->tasks->ncounted == 0 && threads->n > 0 && threads->unrecorded > 0
		    && threads->unrecorded / threads->n >= c->min_ns;
	if (!found->holds)
		return 0;
	found->text = tv_format("Nothing is recorded for %s, as the recorder was off or wrote "
				"its buffer. It is not known what threads did then: it counts as "
				"work.",
				tv_words_of_all(time, c, threads->unrecorded));
	found->command = tv_case_verb(c, "states", "");
	return 0;
}

const struct tv_rule tv_rule_recorder_off = {
	.id = "recorder-off",
	.title = "a part of the run is not recorded",
	.condition = "a program without tasks has states of the type recorder for 1 % of its time",
	.measures = "nothing",
	.action = "Record all of the run, or look at a part of it: --begin, --end.",
	.threads = true,
	.limit = true,
	.find = find_recorder_off,
};

static int find_truncated(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	uint32_t n = c->tasks->ncut;

	(void)err;
	if (!tv_tasks_cut(c->tasks) && !(c->tasks->ncounted == 0 && tv_run_threads(c->run)->cut))
		return 0;
	found->holds = true;
	found->text =
		n == 0 && c->tasks->npending == 0
			? tv_strdup("The trace ends before the run: the rest of it is not in the "
				    "file. All numbers describe the run up to there.")
			: tv_format(
				"The trace ends before the run: %u %s running, %u submitted and "
				"never started. All numbers describe the run up to there.",
				n, n == 1 ? "task was" : "tasks were", c->tasks->npending);
	found->command = tv_case_verb(c, "info", "");
	return 0;
}

const struct tv_rule tv_rule_truncated = {
	.id = "truncated",
	.title = "the trace ends before the run",
	.condition = "tasks have Flag open or are pending, or the file is cut off; of a program "
		     "without tasks: an MPI call did not end, and a rank did not come to "
		     "MPI_Finalize",
	.measures = "nothing",
	.action = "Record a run that ends by itself, or one phase of it.",
	.threads = true,
	.limit = true,
	.find = find_truncated,
};
