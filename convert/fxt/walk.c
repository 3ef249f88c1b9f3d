/* SPDX-License-Identifier: GPL-3.0-or-later */
/* walk.c -- the second walk over a file: which event does what. */
#include "convert/fxt/fxt.h"

enum { PROGRESS_STEP = 1 << 16, META_ONLY = 1 };

static const struct tv_fxt_action actions[TV_FXT_NCODES] = {
#define ACTION(code, symbol, handler, state, param, type) \
	[(code)-TV_FXT_FIRST_CODE] = { tv_fxt_##handler, TV_FXT_##state, param, TV_FXT_##type },
	TV_FXT_EVENTS(ACTION)
#undef ACTION
};

/* 1.3 moved the codes of these MPI events by six. */
static uint32_t canonical_code(const struct tv_fxt_rank *rank, uint32_t code)
{
	return rank->facts.generation == TV_FXT_1_2 && code >= 0x5210 && code <= 0x5219 ? code - 6
											: code;
}

void tv_fxt_convert(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	uint32_t code = canonical_code(rank, event->code);

	rank->now = tv_fxt_time(&rank->clock, event->time);
	rank->offset = event->offset;
	if (code == TV_FXT_KEYCHANGE)
		rank->paused = tv_fxt_word(event, 0) == META_ONLY;
	if (code < TV_FXT_FIRST_CODE || code > TV_FXT_LAST_CODE
	    || !tv_fxt_has_shape(event, rank->facts.generation)) /* counted by the scan */
		return;
	rank->action = &actions[code - TV_FXT_FIRST_CODE];
	if (rank->action->run != NULL)
		rank->action->run(rank, event);
}

static void show_progress(const struct tv_fxt_rank *rank, size_t at)
{
	const struct tv_fxt_run *run = rank->run;

	if (run->progress != NULL && run->bytes > 0)
		run->progress(run->progress_context,
			      (double)(run->bytes_done + at) / (double)run->bytes);
}

int tv_fxt_walk(struct tv_fxt_rank *rank, struct tv_error *err)
{
	struct tv_fxt_cursor cursor;
	struct tv_fxt_event event;
	enum tv_fxt_step step;
	uint64_t n = 0;

	(void)err;
	tv_fxt_rewind(&cursor, &rank->file);
	while ((step = tv_fxt_next(&cursor, &event)) != TV_FXT_END) {
		if (step == TV_FXT_EVENT)
			tv_fxt_convert(rank, &event);
		if (++n % PROGRESS_STEP == 0)
			show_progress(rank, cursor.at);
	}
	return 0;
}
