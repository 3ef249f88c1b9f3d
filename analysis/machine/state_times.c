/* SPDX-License-Identifier: GPL-3.0-or-later */
/* state_times.c -- the records of each thread in the order of time, as stacks. */
#include "analysis/machine/state_times.h"

#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/sorted.h"

/* What one thread does. */
struct tv_state_track {
	struct tv_state_record *open[2]; /* stacks: states, tasks */
	uint32_t nopen[2];
	size_t cap[2];
	struct tv_state_record shown; /* since then */
	int64_t since;
	bool shows;
	int64_t first; /* begin of the first record; INT64_MAX = none */
	int64_t until; /* begin of the first record that another process has behind; INT64_MAX = none */
};

/* ---- the records of a worker ---- */

/* Outer ones first: those that begin earlier, last longer, have the smaller depth. */
TV_ORDER(by_nesting, struct tv_state_record, begin, down(end), depth, row)

static void collect(struct tv_state_times *work, uint32_t w)
{
	const struct tv_tasks *tasks = work->tasks;

	work->n = 0;
	for (uint32_t i = work->in.states.first[w]; i < work->in.states.first[w + 1]; i++) {
		uint32_t row = work->in.states.row[i];

		work->record[work->n++] = (struct tv_state_record){
			.begin = work->in.start->i[row],
			.end = work->in.end->i[row],
			.depth = work->in.depth == NULL || tv_missing(work->in.depth, row)
				       ? 0
				       : work->in.depth->i[row],
			.row = row,
			.value = work->in.value == NULL ? TV_NONE : tv_label(work->in.value, row),
		};
	}
	for (uint32_t i = work->in.of == TV_STATES_OF_WORKERS ? work->executions.first[w] : 0;
	     work->in.of == TV_STATES_OF_WORKERS && i < work->executions.first[w + 1]; i++) {
		uint32_t row = work->executions.row[i];

		work->record[work->n++] = (struct tv_state_record){
			.begin = tasks->start[row], .end = tasks->end[row], .row = row, .task = true
		};
	}
	if (work->n > 1)
		qsort(work->record, work->n, sizeof *work->record, by_nesting);
}

/* The record that shows at t: a task (with --inside the innermost state, if that lies in the task), else
 * the innermost state; NULL if there is none. */
static const struct tv_state_record *showing(const struct tv_state_times *work,
					     struct tv_state_track *track, int64_t t)
{
	const struct tv_state_record *shown[2] = { NULL };

	for (int of_tasks = 1; of_tasks >= 0; of_tasks--) {
		const struct tv_state_record *open = track->open[of_tasks];
		uint32_t *n = &track->nopen[of_tasks];

		while (*n > 0 && open[*n - 1].end <= t)
			--*n;
		if (*n > 0)
			shown[of_tasks] = &open[*n - 1];
	}
	if (shown[1] == NULL
	    || (work->inside && shown[0] != NULL && shown[0]->begin >= shown[1]->begin
		&& shown[0]->end <= shown[1]->end))
		return shown[0];
	return shown[1];
}

/* ---- pieces and times ---- */

static struct tv_state_tally *tally_of(struct tv_state_times *work, uint32_t thread, bool task,
				       uint32_t value)
{
	uint32_t *at = tv_map_at(&work->place, thread, 2 * (uint64_t)(task ? 0 : value) + task);

	if (*at == TV_NONE) {
		*at = work->ntallies;
		TV_GROW(work->tally, work->ntallies, work->tallies_cap, 1);
		work->tally[work->ntallies++] = (struct tv_state_tally){ thread, task ? 0 : value,
									 task, 0, 0 };
	}
	return &work->tally[*at];
}

static void clip(const struct tv_state_times *work, int64_t *begin, int64_t *end)
{
	*begin = *begin > work->begin ? *begin : work->begin;
	*end = *end < work->finish ? *end : work->finish;
}

/* The record shows on worker w from begin to end. */
static void add_piece(struct tv_state_times *work, uint32_t w, const struct tv_state_record *record,
		      int64_t begin, int64_t end)
{
	if (work->piece != NULL) {
		work->piece(work, w, record, begin, end);
		return;
	}
	clip(work, &begin, &end);
	if (begin < end)
		tally_of(work, w, record->task, record->value)->time += end - begin;
}

static void count_record(struct tv_state_times *work, uint32_t w,
			 const struct tv_state_record *record)
{
	if (record->begin <= work->finish && record->end >= work->begin)
		tally_of(work, w, record->task, record->value)->records++;
}

/* What shows from t on. */
static void show(struct tv_state_times *work, uint32_t w, int64_t t)
{
	struct tv_state_track *track = &work->track[w];
	const struct tv_state_record *now = showing(work, track, t);

	if (now == NULL ? !track->shows : track->shows && now->number == track->shown.number)
		return;
	if (track->shows && !work->looks)
		add_piece(work, w, &track->shown, track->since, t);
	track->shows = now != NULL;
	if (now != NULL)
		track->shown = *now;
	track->since = t;
}

/* To the time t, at which others begin. */
static void advance(struct tv_state_times *work, uint32_t w, int64_t t)
{
	const struct tv_state_track *track = &work->track[w];

	while (track->shows && track->shown.end < t)
		show(work, w, track->shown.end);
}

static void push(struct tv_state_track *track, const struct tv_state_record *record)
{
	bool task = record->task;

	TV_GROW(track->open[task], track->nopen[task], track->cap[task], 1);
	track->open[task][track->nopen[task]++] = *record;
}

static void begin_record(struct tv_state_times *work, uint32_t w, struct tv_state_record *record)
{
	record->number = ++work->begun;
	if (!work->looks)
		count_record(work, w, record);
	if (work->piece != NULL && !record->task && record->begin == record->end)
		work->piece(work, w, record, record->begin, record->begin);
	push(&work->track[w], record);
}

/* The records of a part, after those of the parts before. Every instant of the worker belongs to at most one record. */
static void sweep(struct tv_state_times *work, uint32_t w)
{
	struct tv_state_track *track = &work->track[w];

	collect(work, w);
	if (work->n > 0 && track->first == INT64_MAX)
		track->first = work->record[0].begin;
	for (uint32_t i = 0; i < work->n;) {
		int64_t t = work->record[i].begin;

		advance(work, w, t);
		for (; i < work->n && work->record[i].begin == t; i++)
			begin_record(work, w, &work->record[i]);
		show(work, w, t);
	}
}

/* After all records of a thread. */
static void end_thread(struct tv_state_times *work, uint32_t w)
{
	struct tv_state_track *track = &work->track[w];

	advance(work, w, track->until);
	if (track->shows && track->first != INT64_MAX)
		add_piece(work, w, &track->shown, track->since, track->until);
	track->shows = false;
}

static void add_tracks(struct tv_state_times *work)
{
	for (; work->ntracks < work->in.nthreads; work->ntracks++) {
		TV_GROW(work->track, work->ntracks, work->tracks_cap, 1);
		work->track[work->ntracks] = (struct tv_state_track){ .first = INT64_MAX,
								      .until = INT64_MAX };
	}
}

static int add_rows(void *state, struct tv_run *part, struct tv_error *err)
{
	struct tv_state_times *work = state;
	uint32_t max;

	(void)err;
	work->tasks = tv_run_part(part);
	tv_state_threads_add(&work->in, work->run, part);
	/* All rows are here, and others are wanted. */
	if (part == work->run && work->in.of == TV_STATES_OF_WORKERS && !work->in.watched)
		return 0;
	tv_tasks_by_worker(work->tasks, work->tasks->executed, &work->executions);
	max = tv_groups_max(&work->in.states) + tv_groups_max(&work->executions);
	work->record = tv_alloc(max, sizeof *work->record);
	add_tracks(work);
	if (part == work->run)
		tv_state_threads_sort(&work->in, part);
	for (uint32_t i = 0; i < work->in.nthreads; i++) {
		uint32_t w = part == work->run ? work->in.order[i] : i;

		sweep(work, w);
		if (part == work->run)
			end_thread(work, w);
	}
	tv_groups_release(&work->executions);
	tv_free(work->record);
	work->record = NULL;
	return 0;
}

/* ---- several processes, in the order of time ---- */

static void pack_tracks(const struct tv_state_times *work, struct tv_parcel *pack)
{
	const struct tv_pool *pool = work->run->trace->pool;

	tv_pack_number(pack, work->ntracks);
	for (uint32_t w = 0; w < work->ntracks; w++) {
		const struct tv_state_track *track = &work->track[w];

		tv_pack_label(pack, pool, work->in.thread[w].resource);
		tv_pack_label(pack, pool, work->in.thread[w].states);
		tv_pack_number(pack, (uint64_t)track->first);
		for (int task = 0; task < 2; task++) {
			tv_pack_number(pack, track->nopen[task]);
			for (uint32_t i = 0; i < track->nopen[task]; i++) {
				const struct tv_state_record *record = &track->open[task][i];

				tv_pack_number(pack, (uint64_t)record->begin);
				tv_pack_number(pack, (uint64_t)record->end);
				tv_pack_label(pack, pool, record->task ? TV_NONE : record->value);
			}
		}
	}
}

/* What processes before have open is below; those behind begin when this one ends. */
static void unpack_track(struct tv_state_times *work, struct tv_unpack *from, bool before,
			 bool behind)
{
	struct tv_pool *pool = work->run->trace->pool;
	uint32_t resource = tv_unpack_label(from, pool), states = tv_unpack_label(from, pool);
	uint32_t w = tv_state_threads_at(&work->in, resource, states);
	int64_t first = (int64_t)tv_unpack_number(from);
	struct tv_state_track *track;

	add_tracks(work);
	track = &work->track[w];
	if (behind && first < track->until)
		track->until = first;
	for (int task = 0; task < 2; task++)
		for (uint64_t n = tv_unpack_number(from); n > 0; n--) {
			struct tv_state_record record = { .task = task != 0,
							  .number = ++work->begun };

			record.begin = (int64_t)tv_unpack_number(from);
			record.end = (int64_t)tv_unpack_number(from);
			record.value = tv_unpack_label(from, pool);
			if (before)
				push(track, &record);
		}
}

static void release_tracks(struct tv_state_times *work)
{
	for (uint32_t w = 0; w < work->ntracks; w++) {
		tv_free(work->track[w].open[0]);
		tv_free(work->track[w].open[1]);
	}
	work->ntracks = 0;
}

/* After all have looked at their rows: each knows what the others have open, and when they begin. */
static void share_tracks(struct tv_state_times *work, const struct tv_team *team)
{
	struct tv_parcel pack = { 0 };
	struct tv_gathered all;

	pack_tracks(work, &pack);
	all = tv_team_gather(team, &pack);
	release_tracks(work);
	add_tracks(work);
	for (uint32_t rank = 0; rank < all.n; rank++) {
		struct tv_unpack from = tv_gathered_of(&all, rank);

		for (uint64_t n = tv_unpack_number(&from); n > 0; n--)
			unpack_track(work, &from, rank<team->rank, rank> team->rank);
	}
	tv_gathered_release(&all);
}

static void merge_tallies(struct tv_state_times *work, const struct tv_team *team)
{
	struct tv_pool *pool = work->run->trace->pool;
	struct tv_parcel pack = { 0 };
	struct tv_gathered all;

	tv_pack_number(&pack, work->ntallies);
	for (uint32_t i = 0; i < work->ntallies; i++) {
		const struct tv_state_tally *tally = &work->tally[i];

		tv_pack_label(&pack, pool, work->in.thread[tally->thread].resource);
		tv_pack_label(&pack, pool, work->in.thread[tally->thread].states);
		tv_pack_number(&pack, tally->task);
		tv_pack_label(&pack, pool, tally->task ? TV_NONE : tally->value);
		tv_pack_number(&pack, (uint64_t)tally->records);
		tv_pack_bytes(&pack, &tally->time, sizeof tally->time);
	}
	all = tv_team_gather(team, &pack);
	tv_map_release(&work->place);
	work->ntallies = 0;
	for (uint32_t rank = 0; rank < all.n; rank++) {
		struct tv_unpack from = tv_gathered_of(&all, rank);

		for (uint64_t n = tv_unpack_number(&from); n > 0; n--) {
			uint32_t resource = tv_unpack_label(&from, pool),
				 states = tv_unpack_label(&from, pool);
			bool task = tv_unpack_number(&from) != 0;
			struct tv_state_tally *tally = tally_of(
				work, tv_state_threads_at(&work->in, resource, states), task,
				tv_unpack_label(&from, pool));
			tv_int128 time;

			tally->records += (int64_t)tv_unpack_number(&from);
			tv_unpack_bytes(&from, &time, sizeof time);
			tally->time += time;
		}
	}
	tv_gathered_release(&all);
}

/* ---- all rows ---- */

/* Whether any process has found states, and states of workers. */
static void share_found(struct tv_state_threads *in, const struct tv_team *team)
{
	uint64_t found[] = { in->any, in->watched };

	tv_team_add(team, found, TV_COUNT(found));
	in->any = found[0] > 0;
	in->watched = found[1] > 0;
}

/* Of a team each process first looks at its rows, as it has to know what those before have open. */
static int add_all_rows(struct tv_state_times *work, enum tv_states_of of, struct tv_error *err)
{
	struct tv_run *run = work->run;
	int rc = 0;

	tv_state_threads_init(&work->in, run, of);
	work->looks = run->team != NULL;
	if (work->looks) {
		rc = tv_run_rows(run, add_rows, work, err);
		share_found(&work->in, run->team);
		work->looks = false;
		if (rc == 0)
			share_tracks(work, run->team);
	}
	if (rc == 0)
		rc = tv_run_rows(run, add_rows, work, err);
	if (rc < 0 || run->parts == NULL)
		return rc;
	for (uint32_t w = 0; w < work->ntracks; w++)
		end_thread(work, w);
	if (run->team != NULL)
		merge_tallies(work, run->team);
	return 0;
}

int tv_state_times_add(struct tv_state_times *times, enum tv_states_of of, struct tv_error *err)
{
	int rc = add_all_rows(times, of, err);

	if (rc == 0 && of == TV_STATES_OF_WORKERS && !times->in.watched) {
		tv_state_times_release(times);
		rc = add_all_rows(times, TV_STATES_OF_ALL, err);
	}
	if (rc == 0)
		rc = tv_state_threads_need(&times->in, times->run, err);
	if (rc == 0)
		tv_state_threads_sort(&times->in, times->run);
	return rc;
}

void tv_state_times_release(struct tv_state_times *times)
{
	release_tracks(times);
	tv_state_threads_release(&times->in);
	tv_groups_release(&times->executions);
	tv_map_release(&times->place);
	tv_free(times->record);
	tv_free(times->track);
	tv_free(times->tally);
	times->record = NULL;
	times->track = NULL;
	times->tally = NULL;
	times->tracks_cap = times->tallies_cap = times->ntallies = 0;
}
