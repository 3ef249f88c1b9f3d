/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stream_causes.c -- why streams of devices ran nothing. */
#include "analysis/bounds/stream_causes.h"

#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/devices.h"
#include "trace/sorted.h"

const char *tv_stream_cause_name(uint32_t cause)
{
	static const char *const name[] = { "copy", "stream", "launch" };

	return cause < TV_IDLE_NCAUSES ? tv_idle_cause_name(cause) : name[cause - TV_IDLE_NCAUSES];
}

/* ---- what a device runs ---- */

/* From `begin` to the next of them the device runs copies only, other tasks, or nothing. */
struct piece {
	int64_t begin;
	enum { COPIES, OTHERS, NOTHING } state;
};

struct change {
	int64_t time;
	int more;
	bool copy;
};

TV_ORDER(by_time, struct change, time)

/* The pieces of a device, none of which is empty or as the one before: how many. change, piece: 2 n. */
static uint32_t find_pieces(const struct tv_tasks *devices, const uint32_t *row, uint32_t n,
			    struct change *change, struct piece *piece)
{
	int64_t running[2] = { 0 };
	uint32_t npieces = 0;

	for (uint32_t i = 0; i < n; i++) {
		bool copy = tv_is_copy(tv_pool_text(devices->pool, devices->value[row[i]]));

		change[2 * i] = (struct change){ devices->start[row[i]], 1, copy };
		change[2 * i + 1] = (struct change){ devices->end[row[i]], -1, copy };
	}
	qsort(change, 2 * (size_t)n, sizeof *change, by_time);
	for (uint32_t i = 0; i < 2 * n; i++) {
		struct piece next = { .begin = change[i].time };

		running[!change[i].copy] += change[i].more;
		next.state = running[1] > 0 ? OTHERS : running[0] > 0 ? COPIES : NOTHING;
		npieces -= npieces > 0 && piece[npieces - 1].begin == next.begin;
		if (npieces == 0 || piece[npieces - 1].state != next.state)
			piece[npieces++] = next;
	}
	return npieces;
}

/* ---- gaps ---- */

struct stream_causes {
	const struct tv_tasks *streams;
	const int64_t *bound;
	size_t nslices;
	const struct piece *piece; /* of the device of the worker */
	uint32_t npieces, worker;
	tv_stream_idle *take;
	void *to;
};

static void give(const struct stream_causes *work, size_t slice, uint32_t cause, int64_t begin,
		 int64_t end)
{
	if (begin < end)
		work->take(work->to, slice, work->worker, cause, begin, end);
}

/* The part of a gap before a task that was launched at `launch`, in a slice. */
static void divide(const struct stream_causes *work, size_t slice, int64_t begin, int64_t end,
		   int64_t launch)
{
	static const uint32_t cause[] = {
		[COPIES] = TV_STREAM_COPY, [OTHERS] = TV_STREAM_STREAM, [NOTHING] = TV_STREAM_LAUNCH
	};
	int64_t from = launch < begin ? begin : launch < end ? launch : end, to;
	const struct piece *piece = work->piece;
	uint32_t i;

	give(work, slice, TV_IDLE_NOT_SUBMITTED, begin, from);
	TV_LOWER_BOUND(i, 0, work->npieces, piece[i].begin <= from);
	for (; from < end; from = to, i++) {
		to = i < work->npieces && piece[i].begin < end ? piece[i].begin : end;
		give(work, slice, cause[i > 0 ? piece[i - 1].state : NOTHING], from, to);
	}
}

/* next: the counted row that ends the wait; TV_NONE = none. */
static void add_gap(const struct stream_causes *work, int64_t begin, int64_t end, uint32_t next)
{
	const struct tv_column *submit = work->streams->submit;
	size_t slice;

	TV_LOWER_BOUND(slice, 0, work->nslices, work->bound[slice + 1] <= begin);
	for (; slice < work->nslices && work->bound[slice] < end; slice++) {
		int64_t from = begin > work->bound[slice] ? begin : work->bound[slice];
		int64_t to = end < work->bound[slice + 1] ? end : work->bound[slice + 1];

		if (next == TV_NONE)
			give(work, slice, TV_IDLE_DRAIN, from, to);
		else
			divide(work, slice, from, to,
			       tv_missing(submit, next) ? INT64_MIN : submit->i[next]);
	}
}

/* The gaps of a stream: row[0..n) by Start. */
static void add_stream(const struct stream_causes *work, const uint32_t *row, uint32_t n,
		       uint32_t *next)
{
	const struct tv_tasks *streams = work->streams;
	int64_t end = work->bound[0];

	next[n] = TV_NONE;
	for (uint32_t i = n; i-- > 0;)
		next[i] = streams->counted[row[i]] ? row[i] : next[i + 1];
	for (uint32_t i = 0; i < n; i++) {
		if (streams->start[row[i]] > end)
			add_gap(work, end, streams->start[row[i]], next[i]);
		if (streams->end[row[i]] > end)
			end = streams->end[row[i]];
	}
	add_gap(work, end, work->bound[work->nslices], TV_NONE);
}

void tv_stream_causes(const struct tv_tasks *streams, const struct tv_tasks *devices,
		      const bool *is_stream, const int64_t *bound, size_t nslices,
		      tv_stream_idle *take, void *to)
{
	struct stream_causes work = { streams, bound, nslices, NULL, 0, 0, take, to };
	uint32_t *device_of = tv_tasks_worker_of_label(devices), *next, *order;
	struct tv_groups rows, of_device, of;
	struct change *change;
	struct piece *piece;

	tv_tasks_by_start(streams, streams->executed, &rows);
	tv_tasks_by_worker(devices, devices->executed, &of_device);
	order = tv_alloc(streams->nworkers, sizeof *order);
	for (uint32_t w = 0; w < streams->nworkers; w++)
		order[w] = is_stream[w] ? device_of[streams->workers[w].resource] : TV_NONE;
	tv_groups_init(&of, order, streams->nworkers, devices->nworkers);
	next = tv_alloc((size_t)tv_groups_max(&rows) + 1, sizeof *next);
	change = tv_alloc(2 * (size_t)tv_groups_max(&of_device), sizeof *change);
	piece = tv_alloc(2 * (size_t)tv_groups_max(&of_device), sizeof *piece);
	work.piece = piece;
	for (uint32_t d = 0; d < devices->nworkers; d++) {
		if (of.first[d] == of.first[d + 1])
			continue;
		work.npieces = find_pieces(devices, of_device.row + of_device.first[d],
					   of_device.first[d + 1] - of_device.first[d], change,
					   piece);
		for (uint32_t i = of.first[d]; i < of.first[d + 1]; i++) {
			work.worker = of.row[i];
			add_stream(&work, rows.row + rows.first[work.worker],
				   rows.first[work.worker + 1] - rows.first[work.worker], next);
		}
	}
	tv_groups_release(&rows);
	tv_groups_release(&of_device);
	tv_groups_release(&of);
	tv_free(device_of);
	tv_free(order);
	tv_free(next);
	tv_free(change);
	tv_free(piece);
}
