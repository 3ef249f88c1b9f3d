/* SPDX-License-Identifier: GPL-3.0-or-later */
/* merge.c -- the events of all threads of a log in the order of time. */
#include "convert/log/raw.h"

#include "trace/sorted.h"

/* Takes the next usable event of a thread; false at its end. */
static bool advance(struct tv_raw_log *log, struct tv_raw_thread *thread)
{
	for (;;) {
		while (thread->at == thread->piece_end) {
			uint32_t next = thread->piece == TV_NONE ? thread->first
								 : log->piece[thread->piece].next;

			if (next == TV_NONE)
				return false;
			thread->piece = next;
			thread->at = log->piece[next].begin;
			thread->piece_end = log->piece[next].end;
		}
		if (tv_raw_event_at(log, thread->at, &thread->event, &thread->at))
			break;
	}
	if (thread->event.time < thread->now) {
		tv_raw_damaged(log, TV_REPAIRED, "time goes back", thread->event.offset,
			       "by %lld ns", (long long)(thread->now - thread->event.time));
		thread->event.time = thread->now;
	}
	thread->now = thread->event.time;
	return true;
}

static bool earlier(const void *context, uint32_t a, uint32_t b)
{
	const struct tv_raw_log *log = context;
	int64_t x = log->thread[a].event.time, y = log->thread[b].event.time;

	return x != y ? x < y : log->thread[a].number < log->thread[b].number;
}

void tv_raw_merge(struct tv_raw_log *log,
		  void (*use)(struct tv_raw_log *, uint32_t thread, const struct tv_raw_event *))
{
	struct tv_heap heap = { 0 };

	for (uint32_t i = 0; i < log->nthreads; i++) {
		struct tv_raw_thread *thread = &log->thread[i];

		thread->piece = TV_NONE;
		thread->at = thread->piece_end = 0;
		if (advance(log, thread))
			tv_heap_push(&heap, i, earlier, log);
	}
	while (heap.n > 0) {
		uint32_t first = heap.row[0];

		tv_heap_pop(&heap, earlier, log);
		/* As long as no other thread is earlier, it stays out of the heap. */
		do {
			use(log, first, &log->thread[first].event);
			if (!advance(log, &log->thread[first])) {
				first = TV_NONE;
				break;
			}
		} while (heap.n == 0 || earlier(log, first, heap.row[0]));
		if (first != TV_NONE)
			tv_heap_push(&heap, first, earlier, log);
	}
	tv_heap_release(&heap);
}
