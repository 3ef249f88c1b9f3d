/* SPDX-License-Identifier: GPL-3.0-or-later */
/* events.c -- events of the program and the user, barriers, steals. */
#include <inttypes.h>

#include "convert/fxt/fxt.h"

void tv_fxt_program_event(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	uint32_t label = tv_fxt_text_param(rank, event, 0, TV_DROPPED_BESIDE);

	tv_fxt_event_row(rank, TV_FXT_PROGRAM_EVENT, rank->program, label);
}

void tv_fxt_thread_event(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	uint32_t label = tv_fxt_text_param(rank, event, 1, TV_DROPPED_BESIDE);

	tv_fxt_event_row(rank, TV_FXT_THREAD_EVENT_TYPE,
			 tv_fxt_thread_label(rank, tv_fxt_word(event, 0)), label);
}

/* A number that the application chose; it belongs to the thread if that drives a worker. */
void tv_fxt_user_event(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	uint32_t label = tv_fxt_count_label(rank->run, "", tv_fxt_word(event, 0));
	uint32_t driver = tv_fxt_driver_label(rank, tv_fxt_word(event, 1));

	tv_fxt_event_row(rank, TV_FXT_USER_EVENT_TYPE, driver != TV_NONE ? driver : rank->program,
			 label);
}

void tv_fxt_checkpoint(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	uint32_t label = tv_fxt_label(rank->run, "%" PRId64 " %" PRId64, tv_fxt_number(event, 0),
				      tv_fxt_number(event, 1));

	tv_fxt_event_row(rank, rank->action->type, rank->program, label);
}

/* The point that the clocks of the ranks are fitted at: the time that the ranks agreed upon, where
 * the record has it. */
void tv_fxt_barrier(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	bool synchronized = event->n == 5 && tv_fxt_word(event, 3) != 0;
	uint32_t label = tv_fxt_label(rank->run, "end of %s, rank %" PRId64,
				      synchronized ? "mpi_sync_clocks_barrier" : "MPI_Barrier",
				      tv_fxt_number(event, 0));

	tv_fxt_event_row(rank, TV_FXT_PROGRAM_EVENT, rank->program, label);
}

void tv_fxt_steal(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	uint32_t thief = tv_fxt_find_worker(rank, (uint32_t)tv_fxt_word(event, 0));
	uint32_t victim = tv_fxt_find_worker(rank, (uint32_t)tv_fxt_word(event, 1)), key;

	if (thief == TV_NONE || victim == TV_NONE)
		return;
	key = tv_fxt_count_label(rank->run, "steal_", rank->threads.steals++);
	tv_fxt_link_row(rank, TV_FXT_STEAL_LINK, key, rank->threads.worker[victim].label,
			rank->threads.worker[thief].label, rank->now);
}
