/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpi_place.c -- the place in the program at which ranks lose most time in MPI calls, and for whom they wait there. */
#include "analysis/diagnose/mpi_place.h"

#include "analysis/calls/outside.h"
#include "analysis/mpi/call_profile.h"
#include "trace/map.h"
#include "trace/text.h"

int64_t tv_mpi_ends_early(const struct tv_case *c, const struct tv_threads *threads,
			  uint32_t thread)
{
	return c->tasks->ncounted > 0 || !threads->whole || threads->cut
		     ? 0
		     : threads->end - threads->at[thread].end;
}

/* MPI_Finalize in place of the place, where a rank waits longer there for one that works. */
static void add_finalize(const struct tv_case *c, struct tv_mpi_place *most, int64_t *all)
{
	const struct tv_threads *threads = tv_run_threads(c->run);
	uint32_t last = 0, first = 0;
	int64_t waits;

	for (uint32_t i = 0; i < threads->n; i++) {
		last = threads->at[i].end > threads->at[last].end ? i : last;
		first = threads->at[i].end < threads->at[first].end ? i : first;
		*all += threads->at[i].calls ? tv_mpi_ends_early(c, threads, i) : 0;
	}
	waits = tv_mpi_ends_early(c, threads, first);
	if (waits <= most->waits)
		return;
	*most = (struct tv_mpi_place){ .rank = threads->at[first].node,
				       .call = tv_pool_find_text(c->run->trace->pool,
								 "MPI_Finalize"),
				       .site = TV_NONE,
				       .time = waits,
				       .waits = waits,
				       .late = tv_rank_works(threads, threads->at[last].node,
							     threads->at[first].end, threads->end),
				       .other = threads->at[last].node,
				       .messages = true,
				       .ends = true,
				       .count = 1 };
}

/* Whether a thread of the rank only lets messages progress. */
static bool is_progress(const struct tv_case *c, uint32_t rank)
{
	const struct tv_threads *threads = tv_run_threads(c->run);
	bool is = false;

	for (uint32_t i = 0; i < threads->n; i++)
		is |= threads->at[i].node == rank && tv_thread_progresses(&threads->at[i]);
	return is;
}

bool tv_mpi_largest_place(struct tv_case *c, bool transfer, struct tv_mpi_place *most, int64_t *all,
			  struct tv_error *err)
{
	const struct tv_call_profile *profile = tv_run_call_profile(c->run, "diagnose", err);

	*most = (struct tv_mpi_place){ .waits = -1, .other = TV_NONE };
	*all = 0;
	for (uint32_t i = 0; profile != NULL && i < profile->n; i++) {
		const struct tv_call_sum *sum = &profile->at[i];
		uint32_t rank = profile->rank[sum->rank];
		int64_t waits = sum->time;

		if (tv_call_outside(c->run->trace->pool, sum) || sum->call == TV_NONE
		    || (sum->class == TV_CALL_TEST && is_progress(c, rank)))
			continue;
		if (!transfer)
			waits -= tv_case_transfer_at(c, rank, sum->call, sum->site);
		*all += waits;
		if (waits > most->waits)
			*most = (struct tv_mpi_place){ .rank = rank,
						       .call = sum->call,
						       .site = sum->site,
						       .time = sum->time,
						       .waits = waits,
						       .other = TV_NONE,
						       .messages = sum->class != TV_CALL_OTHER,
						       .count = sum->count };
	}
	if (!transfer)
		add_finalize(c, most, all);
	return most->waits > 0;
}

/* What calls complete whose partner was outside of MPI: TV_COMPLETES_*; 0: they wait for ranks that came late. */
static uint8_t completes_of(const struct tv_table *table, uint32_t row)
{
	uint8_t completes = TV_COMPLETES_BOTH;

	while (completes > 0 && !tv_table_is(table, "State", row, tv_outside_name[completes]))
		completes--;
	return completes;
}

/* A row of the place: adds the time that its rank is late, or outside of MPI, to the sums by rank and that. */
static void add_row(struct tv_mpi_place *most, uint32_t other, uint8_t completes, int64_t time,
		    int64_t *sum)
{
	*sum += time;
	if (completes > 0) {
		most->outside += time;
		if (*sum <= most->outside_most)
			return;
		most->outside_most = *sum;
		most->outside_rank = other;
		most->completes = completes;
		return;
	}
	most->late += time;
	if (*sum > most->other_time) {
		most->other_time = *sum;
		most->other = other;
	}
}

int tv_mpi_add_late(struct tv_case *c, struct tv_mpi_place *most, int64_t *all_late,
		    struct tv_error *err)
{
	const struct tv_table *table = tv_run_pass(c->run, "wait-states", NULL, err);
	struct tv_map place = { 0 }; /* in sum, by rank and what calls complete */
	int64_t *sum;
	uint32_t n = 0;

	*all_late = 0;
	if (table == NULL)
		return -1;
	sum = tv_alloc(table->nrows, sizeof *sum);
	for (uint32_t row = 0; row < table->nrows; row++) {
		uint32_t other = tv_label(tv_table_find(table, "OtherRank"), row), *at;
		uint8_t completes = completes_of(table, row);
		int64_t time = tv_table_find(table, "OtherWork")->i[row];

		*all_late += completes == 0 ? time : 0;
		if (tv_label(tv_table_find(table, "Rank"), row) != most->rank
		    || tv_label(tv_table_find(table, "Call"), row) != most->call
		    || tv_label(tv_table_find(table, "Site"), row) != most->site)
			continue;
		at = tv_map_at(&place, other, completes);
		if (*at == TV_NONE)
			*at = n++;
		most->unsent += tv_table_is(table, "State", row, "late sender") ? time : 0;
		add_row(most, other, completes, time, &sum[*at]);
	}
	tv_map_release(&place);
	tv_free(sum);
	most->equal = tv_equal_calls(c->run, most->rank, most->call, most->site);
	most->uneven = tv_is_uneven(&most->equal, most->count,
				    most->time - most->late - most->outside);
	return 0;
}

/* Fills in who works while ranks wait, by the replay (mpi-replay): those with most of it. Whether that is half of what ranks wait for. */
static bool find_blamed(struct tv_case *c, struct tv_mpi_place *most)
{
	struct tv_error unknown;
	const struct tv_table *table = tv_run_pass_with(c->run, "mpi-replay", &unknown, "culprits",
							"rank", NULL);
	tv_int128 work = 0, sum = 0;

	for (uint32_t row = 0; table != NULL && row < table->nrows; row++) {
		int64_t time = tv_number(tv_table_find(table, "Time"), row);

		sum += time;
		if (!tv_table_is(table, "Culprit", row, "compute"))
			continue;
		work += time;
		/* Rows come by Time. */
		if (most->nblamed < TV_BLAMED)
			most->blamed[most->nblamed++] = (struct tv_mpi_blamed){
				tv_label(tv_table_find(table, "Rank"), row), time
			};
	}
	return sum > 0 && 2 * work >= sum;
}

bool tv_mpi_is_by_work(struct tv_case *c, struct tv_mpi_place *most, int64_t late, int64_t all)
{
	bool by_work;

	if (2 * most->late >= most->waits)
		return true;
	by_work = find_blamed(c, most) || 2 * late >= all;
	if (most->nblamed > 0)
		most->other = most->blamed[0].rank;
	if (!by_work)
		most->nblamed = 0;
	return by_work;
}

bool tv_mpi_is_unsent(const struct tv_mpi_place *most)
{
	return most->nblamed == 0 && most->other != TV_NONE && 2 * most->unsent >= most->waits;
}

char *tv_mpi_unsent_text(struct tv_case *c, const struct tv_mpi_place *most)
{
	struct tv_error unknown;
	const struct tv_table *table = tv_run_pass_with(c->run, "mpi-replay", &unknown, "culprits",
							"place", NULL);
	const struct tv_pool *pool = c->run->trace->pool;
	char rank[128], site[2][128], time[32], *text;

	for (uint32_t row = 0; table != NULL && row < table->nrows; row++) {
		uint32_t from = tv_label(tv_table_find(table, "Site"), row),
			 to = tv_label(tv_table_find(table, "NextSite"), row);
		int64_t direct = tv_table_find(table, "Direct")->i[row];

		if (!tv_table_is(table, "Culprit", row, "compute")
		    || tv_label(tv_table_find(table, "Rank"), row) != most->other)
			continue;
		/* Rows come by Time. */
		if (from == TV_NONE || to == TV_NONE || 2 * direct < most->waits)
			break;
		text = tv_format(" Threads wait for %s in sum while rank %s works %s %s",
				 tv_words_time(time, direct),
				 tv_clean_text(rank, sizeof rank, tv_pool_text(pool, most->other)),
				 from == to ? "at" : "between",
				 tv_clean_text(site[0], sizeof site[0], tv_pool_text(pool, from)));
		if (from != to)
			tv_append(&text, " and %s",
				  tv_clean_text(site[1], sizeof site[1], tv_pool_text(pool, to)));
		tv_append(&text, ".");
		return text;
	}
	return tv_strdup("");
}

int64_t tv_rank_useful(const struct tv_threads *threads, uint32_t node)
{
	tv_int128 sum = 0;
	uint32_t n = 0;

	for (uint32_t i = 0; i < threads->n; i++)
		if (threads->at[i].node == node) {
			sum += threads->at[i].useful;
			n++;
		}
	return n == 0 ? -1 : tv_sum_ns(sum / n);
}
