/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpi.c -- findings about time inside MPI calls. */
#include <math.h>
#include <stdio.h>

#include "analysis/calls/call_kinds.h"
#include "analysis/calls/outside.h"
#include "analysis/diagnose/mpi_place.h"
#include "analysis/messages/message_list.h"
#include "trace/text.h"

static uint8_t kind_of(const struct tv_case *c, uint32_t call)
{
	return call == TV_NONE ? TV_KIND_LOCAL
			       : tv_call_kind_named(tv_pool_text(c->run->trace->pool, call)).kind;
}

/* ---- the finding ---- */

static const char *name(const struct tv_case *c, uint32_t label, char out[128])
{
	return tv_clean_text(out, 128,
			     label == TV_NONE ? "?" : tv_pool_text(c->run->trace->pool, label));
}

/* The work of a thread of a rank on average, and how much of it had a processor, as far as that is known. */
static struct tv_clocked clocked_of(const struct tv_case *c, uint32_t node)
{
	const struct tv_threads *threads = tv_run_threads(c->run);
	const struct tv_tasks *tasks = c->tasks;
	struct tv_clocked mean = { 0 };
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->nclocked; i++) {
		uint32_t its = tasks->ncounted == 0 ? threads->at[i].node
						    : tasks->node[tasks->workers[i].node].label;

		if (its != node)
			continue;
		mean.time += c->clocked_on[i].time;
		mean.on_cpu += c->clocked_on[i].on_cpu;
		n++;
	}
	mean.time /= n > 0 ? n : 1;
	mean.on_cpu /= n > 0 ? n : 1;
	return mean;
}

/* For how long a rank is known to have had no processor while it worked, ns; 0 where that is less than a tenth of its work. */
static int64_t without_cpu(const struct tv_case *c, uint32_t node)
{
	struct tv_clocked work = { 0 };
	double without;

	if (node != TV_NONE)
		work = clocked_of(c, node);
	without = work.time - work.on_cpu;
	return without < work.time / 10 ? 0 : llround(without);
}

/* "3.881 s", and how much of that work of a rank had no processor. */
static char *busy_text(const struct tv_case *c, uint32_t node, int64_t useful)
{
	int64_t without = without_cpu(c, node);
	char time[2][32];

	tv_words_time(time[0], useful);
	if (without == 0)
		return tv_strdup(time[0]);
	return tv_format("%s (of that %s or more without a processor)", time[0],
			 tv_words_time(time[1], without));
}

/* What the waiting and the late rank work over the run. *unequal: the late one has more to do, by half of the wait or more; else they work at
 * different times. "" where none is late. */
static char *work_text(const struct tv_case *c, const struct tv_mpi_place *most, bool *unequal)
{
	const struct tv_threads *threads = tv_run_threads(c->run);
	int64_t late = tv_rank_useful(threads, most->other),
		waits = tv_rank_useful(threads, most->rank);
	char rank[2][128], *of[2], *text;

	*unequal = most->other != TV_NONE && late > 0 && waits >= 0
		&& 2 * (late - waits) >= most->waits;
	if (!*unequal && (late < 0 || waits < 0 || 2 * most->late < most->waits))
		return tv_strdup("");
	of[0] = busy_text(c, most->other, late);
	of[1] = busy_text(c, most->rank, waits);
	text = tv_format(
		*unequal ? " Rank %s %s for %s, rank %s for %s."
			 : " Over the run rank %s %s for %s and rank %s for %s: each waits while "
			   "others work.",
		name(c, most->other, rank[0]),
		without_cpu(c, most->other) > 0 || without_cpu(c, most->rank) > 0 ? "is busy"
										  : "works",
		of[0], name(c, most->rank, rank[1]), of[1]);
	tv_free(of[0]);
	tv_free(of[1]);
	return text;
}

/* Whether all other ranks wait for one in a call: MPI_Bcast, MPI_Scatter. */
static bool comes_from_root(const struct tv_case *c, uint32_t call)
{
	return kind_of(c, call) == TV_KIND_FROM_ROOT;
}

/* Whether the root of such a call, which the waiting rank makes once, works for half of its wait or more, and the others together
 * for a tenth of that. */
static bool works_alone(struct tv_case *c, const struct tv_mpi_place *most, struct tv_error *err)
{
	const struct tv_threads *threads = tv_run_threads(c->run);
	const struct tv_table *table = tv_run_pass(c->run, "wait-states", NULL, err);
	tv_int128 others = 0;

	if (table == NULL || most->count != 1 || 2 * most->late < most->waits
	    || !comes_from_root(c, most->call))
		return false;
	for (uint32_t row = 0; row < table->nrows; row++) {
		int64_t until = tv_table_find(table, "OtherStart")->i[row];

		if (tv_label(tv_table_find(table, "Rank"), row) != most->rank
		    || tv_label(tv_table_find(table, "Call"), row) != most->call
		    || tv_label(tv_table_find(table, "Site"), row) != most->site)
			continue;
		for (uint32_t i = 0; i < threads->n; i++)
			if (threads->at[i].node != most->rank && threads->at[i].node != most->other)
				others += tv_rank_works(
					threads, threads->at[i].node,
					until - tv_table_find(table, "Wait")->i[row], until);
	}
	return others <= most->late / 10;
}

static char *blamed_text(const struct tv_case *c, const struct tv_mpi_place *most)
{
	char *text = tv_strdup(" Through ranks that wait themselves, ranks wait most for the work "
			       "of");
	char rank[128], time[32];

	for (uint32_t i = 0; i < most->nblamed; i++)
		tv_append(&text, "%s rank %s (%s in all)", i > 0 ? "," : "",
			  name(c, most->blamed[i].rank, rank),
			  tv_words_time(time, most->blamed[i].time));
	tv_append(&text, ".");
	return text;
}

static char *late_text(const struct tv_case *c, const struct tv_mpi_place *most)
{
	char time[32], other[128];

	if (most->nblamed > 0)
		return blamed_text(c, most);
	if (most->other == TV_NONE || (most->uneven ? 10 : 2) * most->late < most->waits)
		return tv_strdup("");
	return tv_format(
		tv_run_threads(c->run)->nranks == 2
			? " For %s of this time rank %s %s and had not come to its call."
			: " For %s of this time another rank, most often rank %s, %s and had not "
			  "come to its call.",
		tv_words_time(time, most->late), name(c, most->other, other),
		without_cpu(c, most->other) > 0 ? "was still busy" : "still worked");
}

/* That equal calls take unequal times. */
static char *uneven_text(const struct tv_mpi_place *most)
{
	char size[64] = "", min[32], max[32];

	if (!most->uneven)
		return tv_strdup("");
	if (most->equal.size != TV_NO_NUMBER)
		snprintf(size, sizeof size, " move %lld byte%s each, and",
			 (long long)most->equal.size,
			 tv_plural((unsigned long long)most->equal.size));
	return tv_format(" Calls there%s take %s to %s.", size, tv_words_time(min, most->equal.min),
			 tv_words_time(max, most->equal.max));
}

static char *calls_text(const struct tv_case *c, const struct tv_mpi_place *most, bool *unequal)
{
	const struct tv_threads *threads = tv_run_threads(c->run);
	char call[128], site[128], rank[128], time[32], length[32];
	char *late = late_text(c, most), *work = work_text(c, most, unequal);
	char *uneven = uneven_text(most);
	char *text = tv_format(
		"Rank %s is in %s%s%s for %s, %.0f %% of %s.%s%s%s", name(c, most->rank, rank),
		name(c, most->call, call), most->site != TV_NONE ? " at " : "",
		most->site != TV_NONE ? name(c, most->site, site) : "",
		tv_words_time(time, most->time),
		100 * (double)most->time / (double)tv_threads_length(threads),
		c->tasks->ncounted == 0 ? "its time"
					: tv_words_time(length, tv_threads_length(threads)),
		late, uneven, work);

	tv_free(uneven);
	tv_free(late);
	tv_free(work);
	return text;
}

/* Measures what threads, or workers, lose; transfer: by it, too, where it is known. */
static void measure(const struct tv_case *c, bool transfer, struct tv_found *found)
{
	const struct tv_threads *threads = tv_run_threads(c->run);
	struct tv_mpi_idle idle = tv_case_mpi_idle(c);

	if (c->tasks->ncounted > 0) {
		found->time_ns = (int64_t)idle.time;
		found->worker_ns = tv_sum_ns(idle.worker);
	} else {
		tv_int128 sum = 0;

		for (uint32_t i = 0; i < threads->n; i++)
			sum += threads->at[i].time[TV_THREAD_MPI] + threads->at[i].idle_in_mpi
			     + (transfer ? 0 : tv_mpi_ends_early(c, threads, i));
		sum -= (tv_int128)(transfer ? 0 : c->transfer.time) * threads->n;
		found->worker_ns = sum > 0 ? tv_sum_ns(sum) : 0;
		found->time_ns = found->worker_ns / threads->n;
	}
}

/* Whether it is known of tasks (or threads) how long they had a processor, and of tasks whether they slept. */
static bool is_clock_known(const struct tv_case *c)
{
	return c->clocked.time > 0
	    && (c->tasks->ncounted == 0 || tv_clocks(c->tasks).slept != NULL);
}

/* Whether tasks had no processor for half of their time, so that who seems to work, and be late, may not. */
static bool is_overloaded(const struct tv_case *c, const struct tv_found *found)
{
	return c->tasks->ncounted > 0 && is_clock_known(c) && c->clocked.preempted >= 0.5
	    && 10 * (tv_int128)c->preempted >= found->worker_ns;
}

/* Where ranks lacked a processor, the late one for a tenth of its work, the waits follow from that, unless it has more work by
 * processor time, too, by a quarter: of the other that is at most what is known. Likewise where tasks lacked one for half of their time. */
static void follow_preempted(const struct tv_case *c, const struct tv_mpi_place *most, bool unequal,
			     struct tv_found *found)
{
	char rank[128];
	bool overloaded = is_overloaded(c, found);

	if (c->preempted == 0 || (without_cpu(c, most->other) == 0 && !overloaded)
	    || tv_run_threads(c->run)->cut || !is_clock_known(c))
		return;
	if ((overloaded || 2 * (tv_int128)c->preempted >= found->worker_ns)
	    && !(unequal
		 && clocked_of(c, most->other).on_cpu > 1.25 * clocked_of(c, most->rank).on_cpu)) {
		found->see = "preempted";
	} else if (2 * without_cpu(c, most->other)
		   >= tv_rank_useful(tv_run_threads(c->run), most->other)) {
		tv_append(&found->text,
			  " Rank %s had no processor for half of its time or more: how late it "
			  "would be with one is not known.",
			  name(c, most->other, rank));
		found->confidence = TV_ESTIMATE;
	}
}

/* Whether the late rank works half as long again as the other: then hardly because it lacked a processor. */
static bool works_far_more(const struct tv_case *c, const struct tv_mpi_place *most)
{
	const struct tv_threads *threads = tv_run_threads(c->run);

	return 2 * tv_rank_useful(threads, most->other) >= 3 * tv_rank_useful(threads, most->rank);
}

#define EVEN_OUT \
	"Even out the work of each step, let the ranks wait for each other less often, or use " \
	"nonblocking calls and work between start and wait."
#define IN_TURN \
	" If each rank works on what it receives from the one before, send it in smaller parts, " \
	"so " \
	"that the next rank begins earlier."
#define MAY_LACK \
	" If the work of each step is equal, a rank may lack a processor at times: mpirun " \
	"traceviz record --mpi --monitor task-clock shows that."

static const char *action_of(const struct tv_case *c, const struct tv_mpi_place *most, bool work,
			     bool alone, bool unequal)
{
	bool clocked = tv_case_is_clocked(c);

	if (!work && most->uneven)
		return clocked
			     ? "Find out what is slow at these times: wait-states has how late the "
			       "other rank came; for the rest of the time it is the network."
			     : "Find out what is slow at these times: wait-states has how late the "
			       "other rank came; mpirun traceviz record --mpi --monitor task-clock "
			       "has whether each rank had a processor; else it is the network.";
	if (!work && !most->messages)
		return "This is no exchange of messages: it works on files, windows or "
		       "communicators. Call it less often, or for more data at once.";
	if (!work)
		return "Let work go on while messages are under way: start them earlier, and wait "
		       "later.";
	if (alone)
		return "Let all ranks do a part of what the late rank does before that call: read "
		       "the input, prepare data. Or let it send each part once it is ready, so "
		       "that "
		       "the others begin.";
	if (unequal && comes_from_root(c, most->call))
		return "Give each rank the same work. If the rank whose data the others wait for "
		       "prepares them alone, let all ranks share that.";
	if (unequal && !clocked && !works_far_more(c, most))
		return "Give each rank the same work: another distribution of the data, or move "
		       "work from the late rank to those that wait. If they have the same work, "
		       "the late rank may lack a processor at times: mpirun traceviz record --mpi "
		       "--monitor task-clock shows that.";
	if (unequal)
		return "Give each rank the same work: another distribution of the data, or move "
		       "work from the late rank to those that wait.";
	if (tv_mpi_is_unsent(most))
		return "Let the late rank send before work that its messages do not need. Else "
		       "even "
		       "out the work of each step, or let ranks wait for each other less often.";
	/* Ranks of a pipeline come late with equal work, too. */
	if (most->nblamed > 0)
		return clocked ? EVEN_OUT IN_TURN : EVEN_OUT IN_TURN MAY_LACK;
	return clocked ? EVEN_OUT : EVEN_OUT MAY_LACK;
}

/* Of a run without tasks: whether one rank works so much longer that half of the waits at the place follow, whatever the calls wait for: a
 * message may move only while its sender is in a call. Then that is the late one. */
static bool has_unequal_work(const struct tv_case *c, struct tv_mpi_place *most)
{
	const struct tv_threads *threads = tv_run_threads(c->run);
	int64_t busiest = -1;
	uint32_t rank = TV_NONE;

	for (uint32_t i = 0; i < threads->n && c->tasks->ncounted == 0; i++)
		if (tv_rank_useful(threads, threads->at[i].node) > busiest) {
			rank = threads->at[i].node;
			busiest = tv_rank_useful(threads, rank);
		}
	if (rank == TV_NONE || 2 * (busiest - tv_rank_useful(threads, most->rank)) < most->waits)
		return false;
	most->other = rank;
	return true;
}

/* Whether the partners have come, and at the place calls wait for most of the time until one is in MPI again. */
static bool is_outside(const struct tv_mpi_place *most)
{
	return 2 * most->outside >= most->waits;
}

/* Measures the time in MPI, and finds the place with most of it: *all and *late as of tv_mpi_largest_place and tv_mpi_add_late. 1; 0: it is
 * below 1 % of the run, or there are no calls; -1 with *err. */
static int find_place(struct tv_case *c, bool transfer, struct tv_found *found,
		      struct tv_mpi_place *most, int64_t *all, int64_t *late, struct tv_error *err)
{
	if (tv_run_threads(c->run)->nranks == 0
	    || !tv_mpi_largest_place(c, transfer, most, all, err))
		return 0;
	measure(c, transfer, found);
	if (found->time_ns < c->min_ns || found->time_ns <= 0)
		return 0;
	return tv_mpi_add_late(c, most, late, err) < 0 ? -1 : 1;
}

static int find_waits_in_mpi(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	struct tv_mpi_place most;
	int64_t all, late;
	bool unequal, work, by_sum, alone;
	char *open;
	int costs = find_place(c, false, found, &most, &all, &late, err);

	if (costs <= 0)
		return costs;
	found->holds = true;
	work = tv_mpi_is_by_work(c, &most, late, all);
	by_sum = !work && has_unequal_work(c, &most);
	work = work || by_sum;
	most.uneven = most.uneven && !work && c->transfer.time == 0;
	found->title = tv_format("%s wait inside MPI calls", tv_words_threads(c));
	found->text = calls_text(c, &most, &unequal);
	alone = works_alone(c, &most, err);
	if (work && !unequal && !alone && tv_mpi_is_unsent(&most)) {
		char *unsent = tv_mpi_unsent_text(c, &most);

		tv_append(&found->text, "%s", unsent);
		tv_free(unsent);
	}
	if (alone)
		tv_append(&found->text, " No other rank works meanwhile, and this happens once.");
	open = tv_case_open_calls(c);
	tv_append(&found->text, "%s", open);
	tv_free(open);
	found->action = action_of(c, &most, work, alone, unequal);
	/* Why a rank comes late, or a call takes longer, is not known without the clocks of threads. */
	if (!is_clock_known(c) && !alone && (work || most.uneven)
	    && !(unequal && works_far_more(c, &most)))
		found->confidence = TV_ESTIMATE;
	found->command = by_sum || most.ends ? tv_case_verb(c, "efficiency", "--by node")
		       : tv_run_threads(c->run)->cut || !most.messages
			       ? tv_case_verb(c, "callprofile", "")
		       : most.nblamed > 0 ? tv_case_verb(c, "mpi-replay", "--culprits rank")
		       : work && !unequal && !alone && tv_mpi_is_unsent(&most)
			       ? tv_case_verb(c, "mpi-replay", "--culprits place")
			       : tv_case_verb(c, "wait-states", "--by rank --top 20");
	tv_case_doubt_waits(c, found);
	if (!work && is_outside(&most))
		found->see = "no-progress";
	follow_preempted(c, &most, unequal, found);
	found->apart = work && found->see == NULL;
	return 0;
}

const struct tv_rule tv_rule_waits_in_mpi = {
	.id = "waits-in-mpi",
	.title = "threads wait inside MPI calls",
	.condition = "calls of MPI cost 1 % of the run: workers are idle while a thread of their "
		     "rank is in a call, but not one that runs no tasks and mostly tests "
		     "(StarPU-MPI's); of a program without tasks, threads are "
		     "in calls, without work while one of their rank is, or at MPI_Finalize "
		     "before the last rank",
	.measures = "that time, of workers or threads; of a program without tasks without what "
		    "mpi-transfer measures",
	.action = "Give each rank the same work in each step, let ranks wait for each other less "
		  "often, or use nonblocking calls and work between start and wait.",
	.see = "latency",
	.picture = "--panels spacetime,mpi-states",
	.threads = true,
	.find = find_waits_in_mpi,
};

/* ---- partners outside of MPI ---- */

/* By what calls complete. */
static const struct {
	const char *text, *action;
} outside_words[] = {
	[TV_COMPLETES_SEND] = { " For %s of this time the call completes sends whose receiver, "
				"%srank %s, works "
				"outside of MPI calls: they end when it is in one again.",
				"Wait for the sends later, after the work that needs only what was "
				"received; or let "
				"the receiver call MPI (MPI_Test) between parts of its work." },
	[TV_COMPLETES_RECEIVE] = { " For %s of this time the call completes receives whose sender, "
				   "%srank %s, has begun "
				   "the send and works outside of MPI calls: they end when it is "
				   "in one again.",
				   "Let the sender call MPI (MPI_Test) between parts of its work, "
				   "or use an MPI that "
				   "moves messages in a thread of its own." },
	[TV_COMPLETES_BOTH] = { " For %s of this time the rank with which the call exchanges "
				"messages, %srank %s, has "
				"begun its sends and receives and works outside of MPI calls: the "
				"call ends when it is "
				"in one again. Whether the sends or the receives of the call are "
				"late is not known.",
				"Wait for the sends in a call of their own, after the work that "
				"needs only what was "
				"received. If it is the receives that are late, let the other rank "
				"call MPI (MPI_Test) "
				"between parts of its work." },
};

static int find_no_progress(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	struct tv_mpi_place most;
	int64_t all, late;
	char *calls, rank[128], time[32];
	bool unequal;
	int costs = find_place(c, true, found, &most, &all, &late, err);

	if (costs <= 0)
		return costs;
	found->holds = is_outside(&most) && !has_unequal_work(c, &most);
	if (!found->holds)
		return 0;
	c->no_progress = true;
	calls = calls_text(c, &most, &unequal);
	tv_append(&calls, outside_words[most.completes].text, tv_words_time(time, most.outside),
		  most.outside_most < most.outside ? "most often " : "",
		  name(c, most.outside_rank, rank));
	found->text = calls;
	found->action = outside_words[most.completes].action;
	if (most.completes == TV_COMPLETES_BOTH)
		found->confidence = TV_ESTIMATE;
	found->command = tv_case_verb(c, "wait-states", "--top 20");
	tv_case_doubt_waits(c, found);
	most.other = most.outside_rank;
	follow_preempted(c, &most, unequal, found);
	return 0;
}

const struct tv_rule tv_rule_no_progress = {
	.id = "no-progress",
	.title = "MPI calls wait until their partner is in MPI again",
	.condition =
		"as waits-in-mpi, and at the place with most of this time, for half of it or more, "
		"sends and receives have begun on both sides, and the call ends once the other "
		"rank, which works, is in MPI again (wait-states: outside MPI); not if that rank "
		"has so much more work",
	.measures = "as waits-in-mpi",
	.action = "Wait for sends later, or let ranks call MPI (MPI_Test) between parts of their "
		  "work.",
	.picture = "--panels spacetime,mpi-states",
	.threads = true,
	.find = find_no_progress,
};

/* ---- small messages ---- */

enum { SMALL = 16384 /* bytes */, LATENCY_MAX = 1000000 /* ns */ };

/* What a place takes for each message that it completes, ns. */
static int64_t time_of_message(const struct tv_case *c, const struct tv_mpi_place *most)
{
	const struct tv_calls *calls = tv_run_calls(c->run);
	int64_t n = 0;

	for (uint32_t i = 0; i < calls->n; i++) {
		uint32_t row = calls->row[i], requests = tv_call_requests(calls, row);

		if (calls->rank[calls->rank_of[row]] == most->rank
		    && tv_call_label(calls, TV_CALL_NAME, row) == most->call
		    && tv_call_label(calls, TV_CALL_SITE, row) == most->site)
			n += requests > 1 ? requests : 1;
	}
	return n == 0 ? most->time : most->time / n;
}

/* The mean size of messages, bytes, and how many there are; -1 with *err. */
static int mean_size(struct tv_case *c, double *mean, uint32_t *n, struct tv_error *err)
{
	const struct tv_messages *messages = tv_run_messages(c->run, err);
	double sum = 0;

	*n = 0;
	if (messages == NULL)
		return -1;
	for (uint32_t i = 0; i < messages->n; i++)
		if (messages->at[i].sized) {
			sum += (double)messages->at[i].size;
			(*n)++;
		}
	*mean = *n == 0 ? 0 : sum / *n;
	return 0;
}

static bool is_collective(const struct tv_case *c, uint32_t call)
{
	uint8_t kind = kind_of(c, call);

	return kind >= TV_KIND_ALL && kind <= TV_KIND_SCAN;
}

static int find_latency(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	struct tv_mpi_place most;
	int64_t all, late;
	uint32_t n;
	double mean;
	char *calls;
	bool unequal;
	int costs = find_place(c, true, found, &most, &all, &late, err);

	if (costs <= 0)
		return costs;
	if (mean_size(c, &mean, &n, err) < 0)
		return -1;
	found->holds = n > 0 && mean <= SMALL && !tv_mpi_is_by_work(c, &most, late, all)
		    && !most.uneven && !is_collective(c, most.call) && !is_outside(&most)
		    && time_of_message(c, &most) <= LATENCY_MAX;
	if (!found->holds)
		return 0;
	calls = calls_text(c, &most, &unequal);
	found->text = tv_format(
		"%s Messages are small: %.0f bytes on average, and there are %u of them.", calls,
		mean, n);
	tv_free(calls);
	found->command = tv_case_verb(c, "message-sizes", "");
	tv_case_doubt_waits(c, found);
	return 0;
}

const struct tv_rule tv_rule_latency = {
	.id = "latency",
	.title = "ranks wait for many small messages",
	.condition = "as waits-in-mpi, where for most of the time no other rank works and is late, "
		     "nor one for whom that waits, most of it is in no collective operation, "
		     "equal calls take no unequal times, messages have 16 KiB or less on average, "
		     "and calls "
		     "there take 1 ms or less for each; not with no-progress",
	.measures = "as waits-in-mpi",
	.action = "Send fewer and larger messages: collect what goes to the same rank, exchange "
		  "the data of several "
		  "steps at once, or let work go on while messages are under way.",
	.picture = "--panels spacetime,mpi-states",
	.threads = true,
	.find = find_latency,
};
