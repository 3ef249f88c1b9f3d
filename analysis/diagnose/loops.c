/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loops.c -- findings about programs of parallel loops: states of threads, no tasks. */
#include "analysis/diagnose/findings.h"
#include "analysis/calls/thread_time.h"
#include "analysis/core/lock_waits.h"
#include "trace/text.h"

/* Sums a kind of time over threads; that they have no work while their rank is in MPI calls is the time of these, and that they join a
 * region later than it begins is a wait at barriers. */
static int64_t sum_kind(const struct tv_threads *threads, enum tv_thread_kind kind)
{
	tv_int128 sum = 0;

	for (uint32_t i = 0; i < threads->n; i++)
		sum += threads->at[i].time[kind]
		     + (kind == TV_THREAD_BARRIER ? threads->at[i].idle_at_begins
			: kind == TV_THREAD_IDLE
				? -threads->at[i].idle_in_mpi - threads->at[i].idle_at_begins
				: 0);
	return tv_sum_ns(sum);
}

bool tv_case_kind_costs(const struct tv_case *c, enum tv_thread_kind kind, struct tv_found *found)
{
	const struct tv_threads *threads = tv_run_threads(c->run);

	if (c->tasks->ncounted > 0 || threads->n == 0)
		return false;
	found->worker_ns = sum_kind(threads, kind);
	found->time_ns = found->worker_ns / threads->n;
	found->holds = found->time_ns >= c->min_ns && found->time_ns > 0;
	return found->holds;
}

static const char *thread_name(const struct tv_case *c, const struct tv_thread *thread,
			       char out[128])
{
	return tv_clean_text(out, 128, tv_pool_text(c->run->trace->pool, thread->resource));
}

/* The threads that work longest and shortest. */
static void extremes(const struct tv_threads *threads, const struct tv_thread **most,
		     const struct tv_thread **least)
{
	*most = *least = &threads->at[0];
	for (uint32_t i = 1; i < threads->n; i++) {
		if (threads->at[i].useful > (*most)->useful)
			*most = &threads->at[i];
		if (threads->at[i].useful < (*least)->useful)
			*least = &threads->at[i];
	}
}

/* Whether one of three threads or more works much longer than all others, of which the longest works for *next, ns. */
static bool stands_out(const struct tv_threads *threads, const struct tv_thread *most,
		       const struct tv_thread *least, int64_t *next)
{
	*next = least->useful;
	for (uint32_t i = 0; i < threads->n; i++)
		if (&threads->at[i] != most && threads->at[i].useful > *next)
			*next = threads->at[i].useful;
	return threads->n > 2 && 4 * (*next - least->useful) <= most->useful - *next;
}

char *tv_case_places(const struct tv_case *c, enum tv_thread_kind kind)
{
	const struct tv_threads *threads = tv_run_threads(c->run);
	const struct tv_thread_place *place = threads->place;
	const struct tv_pool *pool = c->run->trace->pool;
	uint32_t n = threads->nplaces;
	char first[128], second[128];

	for (; n > 0 && place->kind != (uint32_t)kind; n--)
		place++;
	if (n == 0 || place->time <= 0)
		return tv_strdup("");
	tv_clean_text(first, sizeof first, tv_pool_text(pool, place->site));
	if (n < 2 || place[1].kind != (uint32_t)kind || place[1].time <= 0)
		return tv_format(" Threads wait at %s.", first);
	return tv_format(" Threads wait longest at %s, then at %s.", first,
			 tv_clean_text(second, sizeof second, tv_pool_text(pool, place[1].site)));
}

/* The time of the run in which no thread works, ns. Cost O(spans log spans). */
static int64_t nobody_works(const struct tv_threads *threads)
{
	size_t n = 0;
	struct tv_span *works;
	uint32_t k = 0;
	int64_t some;

	for (uint32_t i = 0; i < threads->n; i++)
		n += threads->at[i].nlost + 1;
	works = tv_alloc(n, sizeof *works);
	for (uint32_t i = 0; i < threads->n; i++) {
		const struct tv_thread *t = &threads->at[i];
		int64_t begin = t->begin;

		for (uint32_t j = 0; j < t->nlost; j++) {
			works[k++] = (struct tv_span){ begin, t->lost[j].begin };
			begin = t->lost[j].end;
		}
		works[k++] = (struct tv_span){ begin, t->end };
	}
	some = tv_spans_cover(works, k, (struct tv_span){ threads->begin, threads->end });
	tv_free(works);
	return tv_threads_length(threads) - some;
}

static tv_int128 idle_at_begins(const struct tv_threads *threads)
{
	tv_int128 sum = 0;

	for (uint32_t i = 0; i < threads->n; i++)
		sum += threads->at[i].idle_at_begins;
	return sum;
}

/* Whether most of the wait at barriers and begins of regions is for these themselves, not for a thread that works. */
static bool waits_for_nobody(const struct tv_case *c, const struct tv_found *found)
{
	const struct tv_threads *threads = tv_run_threads(c->run);
	tv_int128 sum = (tv_int128)nobody_works(threads) * threads->n + idle_at_begins(threads);

	return threads->nranks == 0 && 2 * sum >= found->worker_ns;
}

/* Of a run with tasks. */
static void find_beside_tasks(struct tv_case *c, struct tv_found *found)
{
	const struct tv_loop_waits *loops = &c->loops;
	const struct tv_threads *threads = tv_run_threads(c->run);
	char time[3][32], thread[2][128], place[128];

	found->worker_ns = loops->time;
	found->measure_ns = loops->time / c->tasks->nworkers;
	found->holds = found->measure_ns >= c->min_ns && found->measure_ns > 0;
	if (!found->holds)
		return;
	found->whole = true;
	found->text = tv_format("Threads that have left a parallel loop wait at barriers for %s in "
				"total for others in it",
				tv_words_time(time[0], loops->time));
	if (loops->n > 1)
		tv_append(&found->text, ", for %s of this in the loop",
			  tv_words_time(time[1], loops->worst));
	if (loops->site != TV_NONE)
		tv_append(&found->text, ", at %s",
			  tv_clean_text(place, sizeof place,
					tv_pool_text(c->run->trace->pool, loops->site)));
	tv_append(&found->text, ". Thread %s is in %s for %s, thread %s for %s.",
		  thread_name(c, &threads->at[loops->most], thread[0]),
		  loops->n > 1 ? "that loop" : "it", tv_words_time(time[1], loops->longest),
		  thread_name(c, &threads->at[loops->least], thread[1]),
		  tv_words_time(time[2], loops->shortest));
	found->picture = tv_case_window_of(loops->at);
}

static int find_loop_imbalance(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const struct tv_threads *threads = tv_run_threads(c->run);
	const struct tv_thread *most, *least;
	char waits[TV_WORDS_OF_ALL], time[3][32], thread[2][128], *places;
	int64_t next;
	bool together;

	(void)err;
	if (c->tasks->ncounted > 0)
		find_beside_tasks(c, found);
	if (threads->n < 2 || !tv_case_kind_costs(c, TV_THREAD_BARRIER, found))
		return 0;
	places = tv_case_places(c, TV_THREAD_BARRIER);
	extremes(threads, &most, &least);
	together = waits_for_nobody(c, found);
	found->text = tv_format("Threads wait at barriers%s and ends of parallel loops for %s.%s",
				idle_at_begins(threads) > 0 ? ", begins of parallel regions" : "",
				tv_words_of_all(waits, c, found->worker_ns), places);
	if (together)
		tv_append(&found->text,
			  " For half of this time or more they do not wait for a thread that "
			  "works: it is what barriers and the start of threads take.");
	else if (stands_out(threads, most, least, &next))
		tv_append(&found->text, " Thread %s works for %s, each other thread for %s to %s.",
			  thread_name(c, most, thread[0]), tv_words_time(time[0], most->useful),
			  tv_words_time(time[1], least->useful), tv_words_time(time[2], next));
	else if (most->useful > least->useful)
		tv_append(&found->text, " Thread %s works for %s, thread %s for %s.",
			  thread_name(c, most, thread[0]), tv_words_time(time[0], most->useful),
			  thread_name(c, least, thread[1]), tv_words_time(time[1], least->useful));
	else
		tv_append(&found->text, " Each thread works for %s.",
			  tv_words_time(time[0], most->useful));
	tv_free(places);
	if (together) {
		found->title = tv_strdup("parallel regions and loops are too short");
		found->action = "Let threads meet less often: larger loops, one parallel region "
				"for several loops, nowait where no thread needs what another one "
				"computed.";
	}
	found->command = tv_case_verb(c, "states", "");
	tv_case_doubt_waits(c, found);
	return 0;
}

const struct tv_rule tv_rule_loop_imbalance = {
	.id = "loop-imbalance",
	.title = "threads wait at the end of parallel loops",
	.condition =
		"a program without tasks: waits of threads at barriers, and until they join a "
		"parallel region, cost 1 % of the run; loops are too short if half of this "
		"time, or more, is such joining, or no thread works then. With tasks: waits "
		"at barriers of OpenMP's threads that have left a loop, for others in it, over "
		"the number of workers are 1 % of the makespan; not of loops that create tasks",
	.measures = "WorkerTime: these waits; Time (with tasks: Measure): that over the number of "
		    "threads",
	.action = "Divide the loop's iterations evenly by their work.",
	.in.openmp = "schedule(dynamic,N) or schedule(guided,N), with N iterations that together "
		     "take 100 us or more; where the loop has that already, a smaller N",
	.picture = "--panels states",
	.threads = true,
	.find = find_loop_imbalance,
};

static int find_critical_section(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const struct tv_threads *threads = tv_run_threads(c->run);
	bool tasks = c->tasks->ncounted > 0;
	char waits[TV_WORDS_OF_ALL], *places;
	uint32_t n = tasks ? c->tasks->nworkers : threads->n;
	struct tv_lock_waits locks = { 0 };

	(void)err;
	if (n == 0)
		return 0;
	if (tasks)
		locks = tv_run_lock_waits(c->run, NULL);
	found->worker_ns = tasks ? locks.time : sum_kind(threads, TV_THREAD_LOCK);
	/* What is between tasks is no part of the simulation. */
	found->alone = !tasks || locks.inside < locks.time / 2;
	found->measure_ns = found->worker_ns / n;
	found->holds = found->measure_ns >= c->min_ns && found->measure_ns > 0;
	if (!found->holds)
		return 0;
	places = tv_case_places(c, TV_THREAD_LOCK);
	found->text = tv_format("Threads wait for locks, critical sections and atomic operations "
				"for %s.%s%s",
				tv_words_of_all(waits, c, found->worker_ns), places,
				tasks ? " Where tasks wait, this is a part of their durations, "
					"also in simulations of other findings."
				      : "");
	tv_free(places);
	found->command = tv_case_verb(c, "states", tasks ? "--inside" : "");
	tv_case_doubt_waits(c, found);
	return 0;
}

const struct tv_rule tv_rule_critical_section = {
	.id = "critical-section",
	.title = "threads wait for a lock",
	.condition = "waits of threads for locks, critical sections and atomic operations cost 1 % "
		     "of the run",
	.measures = "WorkerTime: these waits; Measure: that over the number of threads",
	.action = "Do less under the lock: sum up in private variables, use several locks, or a "
		  "reduction.",
	.picture = "--panels states",
	.threads = true,
	.durations = true,
	.without = TV_WITHOUT_LOCKS,
	.find = find_critical_section,
};
