/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_text.c -- how good a run was, in sentences. */
#include "analysis/diagnose/advice.h"
#include "analysis/calls/thread_time.h"

#include <string.h>

#include "analysis/core/worker_words.h"
#include "trace/text.h"

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
	if (c->waits_bind) {
		tv_append(
			&text,
			" If the program waits for all its tasks as often as it did, the run takes "
			"%s or more.",
			tv_words_time(chain, c->longest.placed));
		return text;
	}
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

static char *tasks_text(const struct tv_case *c)
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

char *tv_diagnose_run_text(const struct tv_case *c)
{
	return c->tasks->ncounted > 0 ? tasks_text(c) : threads_text(c);
}
