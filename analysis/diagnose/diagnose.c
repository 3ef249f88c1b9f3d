/* SPDX-License-Identifier: GPL-3.0-or-later */
/* diagnose.c -- the table of a diagnosis: the run, the parts of its account, findings. */
#include "analysis/diagnose/answer.h"
#include "analysis/diagnose/parts.h"
#include "analysis/diagnose/regions.h"
#include "analysis/calls/thread_time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/core/columns.h"
#include "analysis/core/worker_words.h"
#include "trace/near_names.h"
#include "trace/sorted.h"
#include "trace/text.h"
#include "trace/timings.h"

#define COLUMNS(X) \
	X(KIND, "Kind", TV_LABEL, false, "", \
	  "run; verdict; part of the account; finding; limit: what the trace does " \
	  "not show") \
	X(RANK, "Rank", TV_INT, false, "", \
	  "1 = the largest of its kind; findings: by Potential, else by half of Time or " \
	  "Measure") \
	X(ID, "Id", TV_LABEL, false, "", "stable name; of a finding, for --explain") \
	X(TIME, "Time", TV_TIME, false, "ms", \
	  "run: makespan - area bound; else the share of it; missing = it has none") \
	X(SHARE, "Share", TV_DOUBLE, false, "%", \
	  "Time over makespan - area bound; else Measure or Potential, but not of durations") \
	X(MEASURE, "Measure", TV_TIME, false, "ms", \
	  "of a finding without Time: its size, see --explain; missing = none") \
	X(WORKER_TIME, "WorkerTime", TV_TIME, false, "ms", "time of workers, not priced") \
	X(CONFIDENCE, "Confidence", TV_LABEL, false, "", \
	  "exact: follows from the trace; statistical: a test says so; estimate") \
	X(POTENTIAL, "Potential", TV_TIME, false, "ms", \
	  "how much shorter the run would be without it, simulated; missing = not " \
	  "estimated") \
	X(METHOD, "Method", TV_LABEL, false, "", \
	  "how Potential was computed; of run: how far its simulation is off") \
	X(REFUTED, "Refuted", TV_INT, false, "", \
	  "of a finding: 1 = no policy gains in simulations, or less than their error; else 0") \
	X(MEASURE_IS, "MeasureIs", TV_LABEL, false, "", \
	  "of Measure: limit; excess of long tasks, spread over all workers; above-bound") \
	X(TEXT, "Text", TV_LABEL, false, "", "what happened, in words") \
	X(ADVICE, "Advice", TV_LABEL, false, "", \
	  "of a finding: what to try; of run: that of the first finding, its gain, how sure") \
	X(COMMAND, "Command", TV_LABEL, false, "", "a command line that shows it") \
	X(PICTURE, "Picture", TV_LABEL, false, "", "a command line that draws it; empty = none") \
	X(LEFT, "Left", TV_TIME, false, "ms", \
	  "the most of a finding that a simulation without the first leaves; missing = not known") \
	X(SEE, "See", TV_LABEL, false, "", \
	  "of a finding: the one above that has the same cause, or from which it follows; " \
	  "missing = " \
	  "none") \
	X(TITLE, "Title", TV_LABEL, false, "", "of a finding: it in a few words")

enum { COLUMNS(TV_COLUMN_ID) };

const struct tv_field tv_diagnose_columns[] = { COLUMNS(TV_COLUMN_ROW) };
const size_t tv_diagnose_ncolumns = TV_COUNT(tv_diagnose_columns);

const char tv_diagnose_notes[] =
	"Parts are those of traceviz account: they divide makespan - area bound without\n"
	"remainder, so that their Time adds up. Findings name what is behind them, may overlap\n"
	"and never add up; Time of a finding is what the account has for it.\n"
	"--fail-if is evaluated for each row: 'Id == \"late-start\" and Time > 100'. With\n"
	"--require-confidence rows whose Confidence is not exact are undecided: status 4.\n"
	"The text has the largest parts and findings; --all has all of them.\n";

static const struct tv_rule *const rules[] = {
#define ROW(name) &tv_rule_##name,
	TV_RULES(ROW)
#undef ROW
};

static const char *confidence_name(enum tv_confidence confidence)
{
	return confidence == TV_EXACT	    ? "exact"
	     : confidence == TV_STATISTICAL ? "statistical"
					    : "estimate";
}

static void set_share(const struct tv_case *c, struct tv_table *out, uint32_t row, int64_t time)
{
	int64_t all = c->account.makespan - c->account.area;

	if (all != 0)
		tv_set_double(out->col[SHARE], row, 100 * (double)time / (double)all);
}

static void set_time(const struct tv_case *c, struct tv_table *out, uint32_t row, int64_t time)
{
	tv_set_int(out->col[TIME], row, time);
	set_share(c, out, row, time);
}

/* "25 CPU and 3 CUDA workers" */
static char *machine_text(const struct tv_case *c)
{
	const struct tv_account *account = &c->account;
	char *text = NULL;

	for (uint32_t r = 0; r < account->ntypes; r++) {
		char type[TV_WORKER_WORDS];
		size_t n = strlen(tv_before_workers(
			type, tv_pool_text(c->tasks->pool, account->type[r].rtype)));

		tv_append(&text, "%s%lld",
			  r == 0		     ? ""
			  : r + 1 == account->ntypes ? " and "
						     : ", ",
			  (long long)account->type[r].workers);
		if (n > 0)
			tv_append(&text, " %.*s", (int)n - 1, type);
		else if (account->ntypes > 1)
			tv_append(&text, " other");
	}
	tv_append(&text, " worker%s", tv_plural(c->tasks->nworkers));
	return text;
}

/* "The run took 463.8 ms"; of one that the trace does not show to its end, what it shows. */
static char *took_text(const struct tv_case *c)
{
	const struct tv_tasks *tasks = c->tasks;
	char time[32], *waiting, *running, *text;

	const struct tv_threads *threads = tv_run_threads(c->run);
	char length[32];

	tv_words_time(time, c->account.makespan);
	if (!tv_tasks_cut(tasks))
		return (threads->nranks > 0 || c->before + c->after >= c->min_ns)
				    && tv_threads_length(threads) > c->account.makespan + c->min_ns
			     ? tv_format(
				     "The tasks of the run took %s of %s%s (shares below are of "
				     "%s where they name no other time)",
				     time, tv_words_time(length, tv_threads_length(threads)),
				     threads->whole ? " from MPI_Init to MPI_Finalize" : "", time)
			     : tv_format("The run took %s", time);
	if (tasks->npending == 0 && tasks->ncut == 0)
		return tv_format("The trace ends before the run. Until then the run took %s", time);
	waiting = tasks->npending == 0 ? tv_strdup("")
				       : tv_format("%u of %u submitted tasks had not started%s",
						   tasks->npending, tasks->npending + tasks->ntasks,
						   tasks->ncut > 0 ? ", and " : "");
	running = tasks->ncut == 0 ? tv_strdup("")
				   : tv_format("%u%s had not ended", tasks->ncut,
					       tasks->npending > 0 ? ""
					       : tasks->ncut == 1  ? " task"
								   : " tasks");
	text = tv_format("The trace ends before the run: %s%s. Until then the run took %s", waiting,
			 running, time);
	tv_free(waiting);
	tv_free(running);
	return text;
}

/* Of a run without tasks. */
static char *threads_text(const struct tv_case *c)
{
	const struct tv_threads *threads = tv_run_threads(c->run);
	char took[32], could[32], less[32];
	int64_t gap;
	const char *whole = threads->whole ? ", from MPI_Init to MPI_Finalize" : "";
	char *who = threads->n == threads->nranks
			  ? tv_format("%u rank%s of one thread%s", threads->nranks,
				      tv_plural(threads->nranks), whole)
		  : threads->nranks == 0
			  ? tv_format("%u thread%s", threads->n, tv_plural(threads->n))
			  : tv_format("%u threads of %u rank%s in all%s", threads->n,
				      threads->nranks, tv_plural(threads->nranks), whole);
	const char *one = threads->n == threads->nranks ? "rank" : "thread";
	char *text, *waits;

	if (threads->cut) {
		text = tv_format("The trace ends before the run: not all ranks came to "
				 "MPI_Finalize. Until then the run took %s: %s.",
				 tv_words_time(took, c->account.makespan), who);
		tv_free(who);
		return text;
	}
	waits = tv_format(c->transfer.time > 0 ? "no %s waited for another"
					       : "all %s always worked",
			  c->transfer.time > 0 ? one : tv_words_threads(c));
	gap = c->account.makespan - c->best - c->transfer.time;
	if (c->best + c->transfer.time == 0) {
		text = tv_format("The run took %s: %s. All their time that the trace shows is in "
				 "MPI calls or waits.",
				 tv_words_time(took, c->account.makespan), who);
		tv_free(waits);
		tv_free(who);
		return text;
	}
	text = tv_format(
		"The run took %s: %s. If %s, and their work was divided evenly, they would "
		"take %s, %s (%.1f %%) less.",
		tv_words_time(took, c->account.makespan), who, waits,
		tv_words_time(could, c->best + c->transfer.time), tv_words_time(less, gap),
		c->account.makespan == 0 ? 0 : 100 * (double)gap / (double)c->account.makespan);
	if (c->transfer.time > 0)
		tv_append(&text,
			  " Of these %s, %s are in MPI calls after all their partners have "
			  "come (mpi-transfer).",
			  could, tv_words_time(took, c->transfer.time));
	if (c->preempted > 0)
		tv_append(&text,
			  " On average a %s is busy for %s, and has no processor for %s of that "
			  "or more.",
			  one, tv_words_time(could, c->best),
			  tv_words_time(took, c->preempted / c->nclocked));
	tv_free(waits);
	tv_free(who);
	return text;
}

/* What the run could have been with given durations: how much of that they are. */
static char *from_text(const struct tv_case *c)
{
	int64_t gap = c->account.makespan - c->best, longer, worker;
	char best[32], saved[32], time[32], *text;

	tv_case_sum(c, TV_ACCOUNT_DURATIONS, NULL, NULL, TV_NONE, &longer, &worker);
	text = tv_format(
		"With the given durations, and the best schedule for them, it would take %s "
		"or more: at most %s, %.1f %% of the run, less.",
		tv_words_time(best, c->best), tv_words_time(saved, gap),
		100 * (double)gap / (double)c->account.makespan);
	if (longer >= c->min_ns && longer > 0)
		tv_append(&text,
			  " Of this, %s are what tasks took longer than the given durations.",
			  tv_words_time(time, longer));
	return text;
}

/* What bounds the run, how much of it could be saved, and the longest chain. */
static char *best_text(const struct tv_case *c)
{
	int64_t makespan = c->account.makespan, gap = makespan - c->forced;
	bool several = c->account.ntypes > 1, forced = tv_case_is_forced(c);
	char best[32], saved[32], chain[32], placed[32], waited[32], *text;

	tv_words_time(best, c->best);
	if (tv_tasks_cut(c->tasks))
		return tv_format("With all workers busy all the time, those that ended take %s.",
				 best);
	if (c->from != NULL)
		return from_text(c);
	if (c->best == c->account.area)
		text = tv_format(
			"With all workers busy all the time, %sthe same tasks would be done after "
			"%s%s",
			several ? "and each task type where it gains most, " : "", best,
			several ? ", by mean durations" : "");
	else if (c->best == c->exclusive)
		text = tv_format("Tasks that exclude each other take %s one after another", best);
	else
		text = tv_format("No schedule of these tasks is shorter than their %s, %s%s",
				 c->longest.n == 1 ? several ? "longest task on its best workers"
							     : "longest task"
				 : several	   ? "best-placed chain"
						   : "longest chain",
				 several ? "about " : "", best);
	if (forced)
		tv_append(&text,
			  "; with their dependencies, no schedule on these workers takes less than "
			  "%s",
			  tv_words_time(saved, c->forced));
	if (c->looped)
		tv_append(&text,
			  "; with the parallel loops, in which threads work or wait for others for "
			  "%s in total, after %s",
			  tv_words_time(waited, c->loops.inside), tv_words_time(saved, c->forced));
	if (c->preempted > 0 && c->starved > 0)
		tv_append(&text, "; %u worker%s %s for a processor for %s while tasks ran",
			  c->starved, tv_plural(c->starved), tv_case_lacked(c),
			  tv_words_time(waited, c->preempted));
	else if (c->preempted > 0)
		tv_append(&text, "; tasks %s for a processor for %s in all", tv_case_lacked(c),
			  tv_words_time(waited, c->preempted));
	tv_append(&text, ". As long as %s, another schedule saves ",
		  c->best > c->account.area && c->best == c->exclusive ? "they do"
		  : (c->best > c->account.area || forced) && tv_tasks_depend(c->tasks)
			  ? "tasks and their dependencies are what they were"
		  : c->looped ? "tasks and loops take what they took"
			      : "tasks take what they took");
	if ((tv_int128)gap * 1000 < makespan)
		tv_append(&text, "nothing.");
	else
		tv_append(&text, "at most %s, %.1f %% of the run.", tv_words_time(saved, gap),
			  100 * (double)gap / (double)makespan);
	if (c->best == c->longest.placed || c->account.cpe < 0)
		return text;
	tv_append(&text, " The longest chain of tasks takes %s",
		  tv_words_time(chain, c->longest.recorded));
	if ((double)c->longest.recorded > 1.2 * (double)c->longest.placed)
		tv_append(&text, " where it ran, the best-placed chain %s.",
			  tv_words_time(placed, c->longest.placed));
	else
		tv_append(&text, ", with any number of workers%s.",
			  c->preempted > 0 ? ", but with that waiting" : "");
	return text;
}

/* What makes numbers of the schedule meaningless. */
static char *strange_text(const struct tv_case *c)
{
	char chain[32];

	if (c->lacks_parts)
		return tv_strdup("Parts of the recording are missing, so there may have been more "
				 "tasks, and what could be saved is not known.");
	if (c->overlaps == 0 && c->early > 0)
		return tv_format(
			"The tasks of their longest chain take %s, more than the run, as %u task%s "
			"before what %s on has ended. So dependencies or times are wrong.",
			tv_words_time(chain, c->longest.recorded), c->early,
			c->early == 1 ? " begins" : "s begin",
			c->early == 1 ? "it depends" : "they depend");
	if (c->overlaps == 0)
		return tv_format("They ran tasks for %.1f %% of their time.", 100 * c->in_tasks);
	return tv_format(
		"Tasks begin before an earlier one on the same worker ends: %llu time%s, on "
		"%u worker%s. So these are no workers, or the times are wrong, and what "
		"could be saved is not known.",
		(unsigned long long)c->overlaps, tv_plural(c->overlaps), c->overlapping,
		tv_plural(c->overlapping));
}

static bool is_strange(const struct tv_case *c)
{
	return c->lacks_parts || c->overlaps > 0 || c->early > 0 || c->events;
}

/* What it could have been. */
static char *could_text(const struct tv_case *c)
{
	if (c->account.makespan == 0)
		return tv_strdup("Tasks take no time in this trace, so nothing can be "
				 "said of where time went.");
	if (is_strange(c))
		return strange_text(c);
	if (c->account.makespan > c->account.area || (c->account.ntypes == 1 && c->in_tasks < 1))
		return best_text(c);
	return tv_format("%s busy all the time.", c->account.ntypes == 1
							  ? "All workers were"
							  : "The workers that limit the run were");
}

static char *run_text(const struct tv_case *c)
{
	int64_t makespan = c->account.makespan, area = c->account.area;
	char could[32], *took = took_text(c), *machine = machine_text(c), *rest, *text;

	tv_words_time(could, area);
	if (!is_strange(c) && makespan <= area && (makespan < area || c->from != NULL)) {
		text = tv_format(c->from != NULL
					 ? "%s. With the given durations these tasks take %s or "
					   "more: in this run they took less."
					 : "%s, less than its area bound of %s: workers ran "
					   "several tasks at once.",
				 took, could);
	} else {
		rest = could_text(c);
		text = tv_format("%s: %u task%s on %s. %s", took, c->tasks->ntasks,
				 tv_plural(c->tasks->ntasks), machine, rest);
		tv_free(rest);
	}
	tv_free(took);
	tv_free(machine);
	return text;
}

static void write_run(const struct tv_case *c, struct tv_table *out)
{
	uint32_t row = tv_table_add_row(out);
	bool tasks = c->tasks->ncounted > 0;
	char *text = tasks ? run_text(c) : threads_text(c);
	char *picture = tasks ? tv_case_plot(c, "account", "--panels spacetime,account", 0, 0)
			      : tv_case_plot(c, "states",
					     tv_thread_types_of(c->run).openmp != TV_NONE
							     || tv_thread_types_of(c->run).extrae
									!= TV_NONE
						     ? "--panels states"
						     : "--panels spacetime",
					     0, 0);
	char *command = tv_case_verb(c, "diagnose", "--all");

	tv_set_text(out->col[KIND], row, "run");
	set_time(c, out, row, c->account.makespan - c->account.area);
	tv_set_text(out->col[CONFIDENCE], row, confidence_name(TV_EXACT));
	tv_set_text(out->col[TEXT], row, text);
	tv_set_text(out->col[COMMAND], row, command);
	tv_set_text(out->col[PICTURE], row, picture);
	tv_free(text);
	tv_free(command);
	tv_free(picture);
}

/* ---- regions alone ---- */

/* What the trace shows instead of tasks, and how to make some of it. */
static void write_regions(const struct tv_case *c, const struct tv_regions *regions,
			  struct tv_table *out)
{
	char *option = NULL, *command,
	     *picture = tv_case_plot(c, "states", "--panels states", 0, 0);
	uint32_t row = tv_table_add_row(out);

	tv_set_text(out->col[KIND], row, "run");
	tv_set_text(out->col[CONFIDENCE], row, confidence_name(TV_EXACT));
	tv_set_text(out->col[TEXT], row, regions->text);
	tv_set_text(out->col[PICTURE], row, picture);
	tv_free(picture);
	command = tv_case_verb(c, "states", "");
	tv_set_text(out->col[COMMAND], row, command);
	tv_free(command);
	if (regions->tasks != NULL) {
		char *word = tv_shell_word(regions->tasks);

		option = tv_format("--task-state %s", word);
		tv_free(word);
	}
	command = tv_case_verb(c, "diagnose", option != NULL ? option : "--task-state TYPE");
	row = tv_table_add_row(out);
	tv_set_text(out->col[KIND], row, "verdict");
	tv_set_int(out->col[RANK], row, 1);
	tv_set_text(out->col[ID], row, "no-tasks");
	tv_set_text(out->col[CONFIDENCE], row, confidence_name(TV_EXACT));
	tv_set_text(out->col[METHOD], row, "not estimated");
	tv_set_text(
		out->col[TEXT], row,
		"Nothing in the trace says which of them are the work of the program, so what it "
		"waited for is not known. --task-state makes tasks of regions.");
	tv_set_text(out->col[COMMAND], row, command);
	tv_set_text(out->col[PICTURE], row, "");
	tv_set_text(out->col[TITLE], row, "the trace has regions, but no tasks");
	tv_free(command);
	tv_free(option);
}

/* ---- parts ---- */

static int by_time(const void *a, const void *b)
{
	const struct tv_account_row *x = *(const struct tv_account_row *const *)a,
				    *y = *(const struct tv_account_row *const *)b;

	return x->time != y->time ? TV_COMPARE(y->time, x->time) : TV_COMPARE(x, y);
}

static void write_part(const struct tv_case *c, const struct tv_account_row *part, uint32_t rank,
		       struct tv_table *out)
{
	struct tv_part_words words = tv_part_words(c, part);
	uint32_t row = tv_table_add_row(out);
	bool tested = part->part == TV_ACCOUNT_DURATIONS;

	tv_set_text(out->col[KIND], row, "part");
	tv_set_int(out->col[RANK], row, rank);
	tv_set_text(out->col[ID], row, words.id);
	set_time(c, out, row, part->time);
	tv_set_int(out->col[WORKER_TIME], row, tv_sum_ns(part->worker));
	tv_set_text(out->col[CONFIDENCE], row, confidence_name(tested ? TV_STATISTICAL : TV_EXACT));
	tv_set_text(out->col[METHOD], row, "not estimated");
	tv_set_text(out->col[TEXT], row, words.text);
	tv_set_text(out->col[COMMAND], row, words.command);
	tv_set_text(out->col[PICTURE], row, words.command);
	tv_free(words.id);
	tv_free(words.text);
	tv_free(words.command);
}

static void write_parts(const struct tv_case *c, struct tv_table *out)
{
	const struct tv_account_row **order = tv_alloc(c->account.n, sizeof *order);
	uint32_t n = 0;

	for (size_t i = 0; i < c->account.n; i++)
		if (c->account.row[i].time != 0)
			order[n++] = &c->account.row[i];
	if (n > 0)
		qsort(order, n, sizeof *order, by_time);
	for (uint32_t i = 0; i < n; i++)
		write_part(c, order[i], i + 1, out);
	tv_free(order);
}

/* ---- findings ---- */

/* The command that draws a finding: the one that shows it, unless that prints a table. */
static char *picture_of(const struct tv_case *c, const struct tv_ranked *ranked)
{
	const struct tv_rule *rule = ranked->rule;
	const char *more = ranked->found.picture != NULL ? ranked->found.picture : "";
	char *arguments, *command;

	if (rule->picture == NULL)
		return tv_strdup(rule->limit ? "" : ranked->found.command);
	arguments = tv_format("%s%s", rule->picture, more);
	command = tv_case_plot(c, rule->id, arguments, 0, 0);
	tv_free(arguments);
	return command;
}

static void add_switches(char **text, const char *runtime, const char *switches)
{
	if (switches != NULL)
		tv_append(text, " %s: %s.", runtime, switches);
}

/* What to try: action, in place of the rule's unless it is NULL, and the switches of runtimes (bits), which follow an action only with
 * switches. */
static char *advice_of(const struct tv_rule *rule, const char *action, bool switches,
		       unsigned runtimes)
{
	char *text = tv_strdup(action != NULL ? action : rule->action);
	const char *openmp = rule->in.openmp;

	if (action != NULL && !switches)
		return text;
	if (rule->how != NULL && action == NULL)
		tv_append(&text, " %s", rule->how);
	if (runtimes & TV_STARPU)
		add_switches(&text, "StarPU", rule->in.starpu);
	if (runtimes & TV_OPENMP && runtimes & TV_THREADS_BOUND && openmp != NULL
	    && strncmp(openmp, TV_BIND_THREADS, strlen(TV_BIND_THREADS)) == 0) {
		tv_append(&text, " OpenMP bound the threads already.");
		openmp += strlen(TV_BIND_THREADS);
		openmp = strncmp(openmp, ", and ", 6) == 0 ? openmp + 6 : NULL;
	}
	if (runtimes & TV_OPENMP)
		add_switches(&text, "OpenMP", openmp);
	if (runtimes & TV_MPI)
		add_switches(&text, "MPI", rule->in.mpi);
	return text;
}

static const char *title_of(const struct tv_ranked *ranked)
{
	return ranked->found.title != NULL ? ranked->found.title : ranked->rule->title;
}

/* What the first finding would bring. */
static char *gain_text(const struct tv_case *c, const struct tv_ranked *first)
{
	const struct tv_potential *potential = first->potential;
	bool known = potential->ns != TV_UNKNOWN;
	int64_t makespan = c->account.makespan, left = known ? makespan - potential->ns : 0;
	/* How long the program itself needs to submit its tasks is not known, nor how many processors there are. */
	bool more = first->without == TV_WITHOUT_SUBMISSION || first->without == TV_WITHOUT_BARRIERS
		 || first->without == TV_WITHOUT_WAITING;
	/* What the simulation of the run as it was leaves out may be due to it, too. */
	bool less = known && more && left - potential->simulated > makespan / 20;
	char took[32], would[32], least[32], *text;

	if (known) {
		text = tv_format(" By simulation the run would take %s%s%s%s instead of %s: %s.",
				 less ? tv_words_time(least, potential->simulated) : "",
				 less ? " to " : "", tv_words_time(would, left),
				 more && !less ? " or more" : "", tv_words_time(took, makespan),
				 potential->method);
		if (tv_ranked_gain(first) < potential->ns)
			tv_append(&text, " At most %s of these %s come from this finding.",
				  tv_words_time(would, tv_ranked_gain(first)),
				  tv_words_time(took, potential->ns));
		return text;
	}
	if (strncmp(potential->method, "not estimated: ", 15) == 0)
		return tv_format(tv_ranked_shared(first)
					 ? " What another schedule would bring is not known: %s."
					 : " No gain is known: %s.",
				 potential->method + 15);
	return tv_strdup("");
}

static const char *sure_text(const struct tv_found *found)
{
	return found->confidence == TV_EXACT ? "the trace shows the cause"
	     : found->confidence == TV_STATISTICAL
		     ? "a statistical test says so; it errs in rare cases"
		     : "the cause is likely, not proven";
}

/* What to do about the first finding, what that would bring, how sure it is. error: of simulations, in words. was: the simulated
 * makespan of the run as it was, TV_UNKNOWN where the gain is against the run itself, ns. */
static char *answer(const struct tv_case *c, const struct tv_ranked *first, const char *error,
		    int64_t was)
{
	const struct tv_potential *potential = first->potential;
	char would[32];
	char *gain = gain_text(c, first);
	char *text = advice_of(first->rule, first->found.action, first->found.switches,
			       tv_case_runtimes(c));
	/* simulate gives the makespan without what the simulation leaves out of the run. */
	bool added = was != TV_UNKNOWN && was < c->account.makespan
		  && potential->ns == was - potential->simulated
		  && strstr(gain, tv_words_time(would, potential->simulated)) == NULL;

	tv_append(&text, "%s How sure: %s%s%s%s%s.", gain, sure_text(&first->found),
		  error[0] != '\0' ? "; " : "", error, added ? ", which is added to " : "",
		  added ? would : "");
	tv_free(gain);
	return text;
}

/* How far simulations can be trusted that compare with `was`: a policy, which has absent workers or not, or (name NULL) the replay. */
static char *simulated(const struct tv_potentials *p, const struct tv_policy_time *was, bool absent)
{
	int64_t error = was->makespan - p->recorded;
	char words[32], *what, *slow;

	if (!p->usable || p->recorded <= 0)
		return tv_strdup("");
	slow = was->name != NULL ? tv_slow_workers_text(&p->simulator.costs) : NULL;
	what = was->name == NULL
		     ? tv_strdup("a replay of the run")
		     : tv_format("the run as it was, simulated with %s%s%s%s%s,", was->name,
				 absent ? " and absent workers" : "", slow != NULL ? " (" : "",
				 slow != NULL ? slow : "", slow != NULL ? ")" : "");
	tv_free(slow);
	if (error == 0)
		tv_append(&what, " takes as long as recorded");
	else
		tv_append(&what, " is %s (%.1f %%) %s than recorded",
			  tv_words_time(words, error > 0 ? error : -error),
			  100 * fabs((double)error) / (double)p->recorded,
			  error > 0 ? "longer" : "shorter");
	return what;
}

/* Whether the gain of a finding is against a policy. */
static bool is_by_policy(const struct tv_ranked *ranked)
{
	return ranked->potential->ns != TV_UNKNOWN && ranked->potential->was.name != NULL;
}

/* The same of all simulations with policies that show a gain; where none does, of the one nearest to the run, else of the replay. */
static char *all_simulated(const struct tv_potentials *p, const struct tv_ranked *const *order,
			   uint32_t n)
{
	const struct tv_policy_time replay = { NULL, p->replayed };
	bool said[2] = { false, false };
	char *text = NULL, *one;

	for (uint32_t i = 0; i < n; i++) {
		const struct tv_potential *of = order[i]->potential;

		if (!is_by_policy(order[i]) || said[of->absent])
			continue;
		said[of->absent] = true;
		one = simulated(p, &of->was, of->absent);
		tv_append(&text, "%s%s", text != NULL ? ", and where " : "", one);
		tv_free(one);
	}
	return text != NULL	? text
	     : p->absent.n > 0	? simulated(p, p->absent.nearest, true)
	     : p->model != NULL ? simulated(p, p->model, false)
				: simulated(p, &replay, false);
}

/* What the first row, the run's, says of findings. */
static void write_answer(const struct tv_case *c, const struct tv_ranked *const *order, uint32_t n,
			 const struct tv_potentials *potentials, struct tv_table *out)
{
	const struct tv_ranked *first = order[0];
	const struct tv_potential *potential = first->potential;
	char *method = all_simulated(potentials, order, n), *error = NULL;
	/* Without gaps the gain is the difference of the replay from the run itself. */
	bool replay = potential->ns != TV_UNKNOWN && first->without != TV_WITHOUT_GAPS
		   && first->without != TV_WITHOUT_TRANSFERS
		   && llabs(potentials->replayed - potentials->recorded) >= c->min_ns;
	char *text;

	if (is_by_policy(first) || replay)
		error = simulated(potentials, &potential->was, potential->absent);
	text = answer(c, first, error != NULL ? error : "",
		      error != NULL ? potential->was.makespan : TV_UNKNOWN);
	tv_set_text(out->col[ADVICE], 0, text);
	if (c->tasks->ncounted > 0 && first->rule->durations && c->best > c->exclusive
	    && first->size > c->account.makespan - c->forced) {
		char *run = tv_format("%s %s would save more.", tv_table_text(out, "Text", 0),
				      (c->best == c->longest.placed && c->best > c->account.area)
						      || tv_case_is_forced(c)
					      ? "Faster tasks, or fewer dependencies,"
					      : "Faster tasks");

		tv_set_text(out->col[TEXT], 0, run);
		tv_free(run);
	}
	if (method[0] != '\0')
		tv_set_text(out->col[METHOD], 0, method);
	tv_free(text);
	tv_free(method);
	tv_free(error);
}

/* " Most of their time is that of dgemm (71 %)."; "" of tasks of one type. */
static char *largest_type(const struct tv_case *c)
{
	const struct tv_means *means = &tv_run_estimates(c->run)->means[0];
	double all = 0, most = 0;
	uint32_t largest = TV_NONE;
	char name[128];

	for (uint32_t t = 0; t < means->ntypes; t++) {
		double time = 0;

		for (uint32_t r = 0; r < means->nrtypes; r++) {
			const struct tv_pair *pair = &means->pair[(size_t)t * means->nrtypes + r];

			time += pair->executions > 0 ? tv_mean(pair) * (double)pair->executions : 0;
		}
		all += time;
		if (time > most) {
			most = time;
			largest = means->type[t];
		}
	}
	if (means->ntypes < 2 || largest == TV_NONE || tv_case_own_types(c))
		return tv_strdup("");
	return tv_format(" The largest part of their time is that of %s (%.0f %%).",
			 tv_clean_text(name, sizeof name, tv_pool_text(c->tasks->pool, largest)),
			 100 * most / all);
}

static void write_verdict(const struct tv_case *c, const struct tv_answer *verdict,
			  struct tv_table *out)
{
	uint32_t row = tv_table_add_row(out);
	char *command = tv_case_verb(
		c, verdict->verb,
		strcmp(verdict->verb, "bounds") == 0 && tv_case_is_forced(c) ? "--tight" : "");
	char *text = tv_strdup(verdict->text);

	tv_set_text(out->col[KIND], row, "verdict");
	tv_set_int(out->col[RANK], row, 1);
	tv_set_text(out->col[ID], row, verdict->id);
	set_time(c, out, row, c->account.makespan - c->forced);
	tv_set_text(out->col[CONFIDENCE], row,
		    confidence_name(c->account.ntypes > 1 ? TV_ESTIMATE : TV_EXACT));
	tv_set_text(out->col[METHOD], row, "not estimated");
	if (verdict->tasks && c->tasks->ncounted > 0) {
		char *type = largest_type(c);

		tv_append(&text, "%s", type);
		tv_free(type);
	}
	if (verdict->longest) {
		char *task = tv_words_task(c, tv_run_dag(c->run, NULL)->row[c->longest.node[0]]);

		tv_append(&text, " It is %s.", task);
		tv_free(task);
	}
	tv_set_text(out->col[TEXT], row, text);
	tv_set_text(out->col[COMMAND], row, command);
	tv_set_text(out->col[PICTURE], row, "");
	tv_set_text(out->col[TITLE], row, verdict->title);
	tv_free(command);
	tv_free(text);
}

static void set_measure(const struct tv_found *found, struct tv_table *out, uint32_t row)
{
	static const char *const is[] = {
		[TV_LIMIT] = "limit", [TV_EXCESS] = "excess", [TV_ABOVE_BOUND] = "above-bound"
	};

	tv_set_int(out->col[MEASURE], row, found->measure_ns);
	tv_set_text(out->col[MEASURE_IS], row, is[found->measure_is]);
}

static void write_finding(const struct tv_case *c, const struct tv_ranked *ranked, uint32_t rank,
			  struct tv_table *out)
{
	const struct tv_potential *potential = ranked->potential;
	const struct tv_found *found = &ranked->found;
	uint32_t row = tv_table_add_row(out);
	int64_t gain = tv_ranked_gain(ranked);
	char saves[32], *method;
	char *picture = picture_of(c, ranked),
	     *advice = advice_of(ranked->rule, found->action, found->switches, tv_case_runtimes(c));

	tv_set_text(out->col[KIND], row, ranked->rule->limit ? "limit" : "finding");
	tv_set_int(out->col[RANK], row, rank);
	tv_set_text(out->col[ID], row, ranked->rule->id);
	if (found->time_ns != TV_UNKNOWN)
		set_time(c, out, row, found->time_ns);
	else if (found->measure_ns != TV_UNKNOWN)
		set_measure(found, out, row);
	/* What tasks took is no part of what a schedule could save. */
	if (found->time_ns == TV_UNKNOWN && !ranked->rule->durations && !ranked->rule->limit
	    && (found->measure_ns != TV_UNKNOWN || gain != TV_UNKNOWN))
		set_share(c, out, row, found->measure_ns != TV_UNKNOWN ? found->measure_ns : gain);
	if (found->worker_ns != TV_UNKNOWN)
		tv_set_int(out->col[WORKER_TIME], row, found->worker_ns);
	tv_set_text(out->col[CONFIDENCE], row, confidence_name(found->confidence));
	if (gain != TV_UNKNOWN)
		tv_set_int(out->col[POTENTIAL], row, gain);
	method = gain < potential->ns ? tv_format("%s, saves %s", potential->method,
						  tv_words_time(saves, potential->ns))
				      : tv_strdup(potential->method);
	tv_set_text(out->col[METHOD], row, method);
	tv_free(method);
	tv_set_int(out->col[REFUTED], row, potential->refuted);
	tv_set_text(out->col[TEXT], row, found->text);
	tv_set_text(out->col[ADVICE], row, advice);
	tv_set_text(out->col[COMMAND], row, found->command != NULL ? found->command : picture);
	tv_set_text(out->col[PICTURE], row, picture);
	tv_set_text(out->col[TITLE], row, title_of(ranked));
	tv_free(picture);
	tv_free(advice);
	if (ranked->left != TV_UNKNOWN)
		tv_set_int(out->col[LEFT], row, ranked->left);
	if (ranked->main != ranked->index)
		tv_set_text(out->col[SEE], row, (ranked - ranked->index + ranked->main)->rule->id);
}

static void release_found(struct tv_found *found)
{
	tv_free(found->text);
	tv_free(found->title);
	tv_free(found->command);
	tv_free(found->picture);
	*found = (struct tv_found){ 0 };
}

static int find_all(struct tv_case *c, struct tv_ranked *ranked, uint32_t *n, struct tv_error *err)
{
	TV_STAGE("findings", NULL);

	for (size_t i = 0; i < TV_COUNT(rules); i++) {
		struct tv_found *found = &ranked[*n].found;
		int rc;

		ranked[*n].rule = rules[i];
		ranked[*n].index = *n;
		*found = (struct tv_found){ .time_ns = TV_UNKNOWN,
					    .worker_ns = TV_UNKNOWN,
					    .measure_ns = TV_UNKNOWN };
		if (c->tasks->ncounted == 0 && !rules[i]->threads)
			continue;
		rc = rules[i]->find(c, found, err);
		if (rc < 0 || !found->holds)
			release_found(found);
		if (rc < 0)
			return -1;
		*n += found->holds;
	}
	return 0;
}

static enum tv_without without_of(const struct tv_ranked *ranked)
{
	return ranked->found.alone ? TV_WITHOUT_NOTHING : ranked->rule->without;
}

/* Whether the run would not be shorter without it: of a late submission the advice would be wrong where another cause is known, and the
 * account has its time. late: a finding of that gains. */
static bool is_useless(const struct tv_ranked *ranked, uint32_t causes, bool late)
{
	return (causes > 1 && ranked->potential->useless)
	    || (ranked->found.by_gain && (late || ranked->potential->ns == TV_UNKNOWN));
}

static void drop_useless(struct tv_ranked *ranked, uint32_t *n)
{
	uint32_t causes = 0, kept = 0;
	bool late = false;

	for (uint32_t i = 0; i < *n; i++) {
		causes += !ranked[i].rule->limit;
		late |= without_of(&ranked[i]) == TV_WITHOUT_SUBMISSION
		     && ranked[i].potential->ns != TV_UNKNOWN;
	}
	for (uint32_t i = 0; i < *n; i++)
		if (is_useless(&ranked[i], causes, late))
			release_found(&ranked[i].found);
		else {
			ranked[kept] = ranked[i];
			ranked[kept].index = kept;
			kept++;
		}
	for (uint32_t i = kept; i < *n; i++)
		ranked[i].found = (struct tv_found){ 0 }; /* they are further up */
	*n = kept;
}

static void find_potential(struct tv_ranked *ranked, struct tv_potentials *potentials)
{
	const struct tv_potential *other;
	int64_t size = ranked->found.time_ns;

	ranked->without = ranked->rule->without;
	ranked->potential = tv_potential_of(potentials, without_of(ranked), size);
	if (!ranked->found.schedule)
		return;
	other = tv_potential_of(potentials, TV_WITHOUT_SCHEDULE, size);
	if (other->ns > ranked->potential->ns) {
		ranked->potential = other;
		ranked->without = TV_WITHOUT_SCHEDULE;
	}
}

/* The findings of a run with their potentials, in the order of their ranks. */
static void write_findings(struct tv_case *c, struct tv_ranked *ranked, uint32_t n,
			   struct tv_potentials *potentials, struct tv_table *out)
{
	const struct tv_ranked *order[TV_COUNT(rules) + 1];
	const struct tv_answer *verdict;
	bool wanted[TV_NWITHOUT] = { false };
	uint32_t rank = 0;

	for (uint32_t i = 0; i < n; i++)
		wanted[without_of(&ranked[i])] = true;
	tv_potentials_together(potentials, wanted);
	for (uint32_t i = 0; i < n; i++)
		find_potential(&ranked[i], potentials);
	drop_useless(ranked, &n);
	tv_rank(ranked, n, c, order);
	verdict = tv_answer_of(c, ranked, n);
	if (verdict != NULL)
		write_verdict(c, verdict, out);
	else if (n > 0 && !order[0]->rule->limit)
		write_answer(c, order, n, potentials, out);
	for (uint32_t i = 0; i < n; i++)
		if (verdict == NULL || verdict->findings || order[i]->rule->limit)
			write_finding(c, order[i], ++rank, out);
}

void tv_diagnose_drop_repeated(const struct tv_table *table, struct tv_diagnostics *list)
{
	for (uint32_t row = 0; row < table->nrows; row++)
		for (size_t i = 0; i < TV_COUNT(rules); i++)
			if (rules[i]->warning != NULL
			    && tv_table_is(table, "Id", row, rules[i]->id))
				tv_diagnostics_drop(list, rules[i]->warning);
}

/* The case of a run and what is found in it. */
struct search {
	struct tv_case *c;
	struct tv_run *run;
	const char *trace, *from;
	struct tv_ranked ranked[TV_COUNT(rules) + 1];
	uint32_t n;
	bool finds; /* else only the case is wanted */
	int rc;
	struct tv_error *err;
};

static void search(void *context)
{
	struct search *s = context;

	s->rc = tv_case_init(s->c, s->run, s->trace, s->from, s->err);
	if (s->rc == 0 && s->finds)
		s->rc = find_all(s->c, s->ranked, &s->n, s->err);
}

int tv_run_diagnose(struct tv_run *run, const char *trace, const char *from, struct tv_table *out,
		    struct tv_error *err)
{
	struct tv_case c;
	struct tv_potentials potentials;
	struct tv_regions regions = { 0 };
	bool alone = tv_run_threads(run)->n == 0 && run->tasks.n == 0
		  && tv_regions_init(&regions, run);
	struct search s = {
		.c = &c, .run = run, .trace = trace, .from = from, .finds = !alone, .err = err
	};

	tv_add_fields(out, tv_diagnose_columns, tv_diagnose_ncolumns);
	if (tv_run_threads(run)->n == 0 && !alone && tv_run_need_tasks(run, "diagnose", err) < 0)
		return -1;
	tv_potentials_init(&potentials, &c, run, from);
	tv_potentials_beside(&potentials, search, &s);
	if (s.rc == 0 && alone) {
		write_regions(&c, &regions, out);
	} else if (s.rc == 0) {
		write_run(&c, out);
		write_parts(&c, out);
		write_findings(&c, s.ranked, s.n, &potentials, out);
	}
	for (uint32_t i = 0; i < s.n; i++)
		release_found(&s.ranked[i].found);
	tv_potentials_release(&potentials);
	tv_case_release(&c);
	tv_regions_release(&regions);
	tv_table_finish(out);
	return s.rc;
}

/* ---- explanations ---- */

static void explain(const struct tv_rule *rule, struct tv_output *out)
{
	char *advice = advice_of(rule, NULL, false, TV_ALL_RUNTIMES);

	tv_output_format(out, "%s: %s\n", rule->id, rule->title);
	tv_output_format(out, "  reported if: %s\n", rule->condition);
	tv_output_format(out, "  measures:    %s\n", rule->measures);
	tv_output_format(out, "  advice:      %s\n", advice);
	tv_free(advice);
	if (rule->see != NULL)
		tv_output_format(out, "  same cause:  %s, if that is reported\n", rule->see);
}

bool tv_finding_next(size_t *i, struct tv_finding_text *text)
{
	const struct tv_rule *rule;

	if (*i >= TV_COUNT(rules))
		return false;
	rule = rules[(*i)++];
	*text = (struct tv_finding_text){ rule->id,	   rule->title,	    rule->condition,
					  rule->measures,  rule->action,    rule->how,
					  rule->in.starpu, rule->in.openmp, rule->in.mpi,
					  rule->see };
	return true;
}

/* "; findings about it: elsewhere, urgent-delays" of the first three whose advice has the word; "" = none. */
static char *findings_about(const char *word)
{
	char *text = tv_strdup("");
	int n = 0;

	for (size_t i = 0; i < TV_COUNT(rules) && n < 3 && word[0] != '\0'; i++)
		if (strcasestr(rules[i]->action, word) != NULL)
			tv_append(&text, "%s%s", n++ == 0 ? "; findings about it: " : ", ",
				  rules[i]->id);
	return text;
}

int tv_diagnose_explain(const char *id, struct tv_output *out, struct tv_error *err)
{
	bool known = id == NULL;
	struct tv_near near;
	char *about;

	if (!known && strcmp(id, "near-bound") == 0)
		return tv_fail_usage(
			err, "--explain: near-bound is no finding but the verdict that no "
			     "other schedule would be much shorter; --explain all lists the "
			     "findings");
	tv_near_init(&near, known ? "" : id);
	for (size_t i = 0; i < TV_COUNT(rules); i++) {
		tv_near_offer(&near, rules[i]->id);
		if (id == NULL || strcmp(id, rules[i]->id) == 0) {
			known = true;
			explain(rules[i], out);
		}
	}
	if (known)
		return 0;
	about = findings_about(id);
	tv_fail_usage(err, "--explain: there is no finding '%.80s'%s%s; --explain all lists them",
		      id, tv_near_text(&near), about);
	tv_free(about);
	return -1;
}
