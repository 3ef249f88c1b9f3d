/* SPDX-License-Identifier: GPL-3.0-or-later */
/* packed_spans.c -- sorted runs of times, merged while they are read. */
#include "analysis/core/packed_spans.h"

#include "trace/alloc.h"
#include "trace/sorted.h"

enum { BYTE_BITS = 7, DIFFERENCE_BYTES = 10 };

static void put_difference(struct tv_packed_times *p, uint64_t difference)
{
	TV_GROW(p->byte, p->nbytes, p->bytes_cap, DIFFERENCE_BYTES);
	for (; difference >> BYTE_BITS != 0; difference >>= BYTE_BITS)
		p->byte[p->nbytes++] = (unsigned char)(difference | 1 << BYTE_BITS);
	p->byte[p->nbytes++] = (unsigned char)difference;
}

/* Sorts them; a run that goes on where the last one ended is part of it. */
static void take_times(struct tv_packed_times *p, int64_t *time, size_t n)
{
	struct tv_times_run *run;

	tv_sort_by_time(time, n, sizeof *time, 0, NULL);
	if (p->nruns == 0 || time[0] < p->run[p->nruns - 1].last) {
		TV_GROW(p->run, p->nruns, p->runs_cap, 1);
		p->run[p->nruns++] = (struct tv_times_run){ p->nbytes, 0, time[0], time[0] };
	}
	run = &p->run[p->nruns - 1];
	for (size_t i = 0; i < n; i++) {
		put_difference(p, (uint64_t)time[i] - (uint64_t)run->last);
		run->last = time[i];
	}
	run->n += n;
}

void tv_packed_spans_take(struct tv_packed_spans *spans, struct tv_sum *sum)
{
	if (sum->ones == 0)
		return;
	take_times(&spans->begins, sum->rise, sum->ones);
	take_times(&spans->ends, sum->fall, sum->ones);
	sum->ones = 0;
}

void tv_packed_spans_release(struct tv_packed_spans *spans)
{
	tv_free(spans->begins.byte);
	tv_free(spans->begins.run);
	tv_free(spans->ends.byte);
	tv_free(spans->ends.run);
	*spans = (struct tv_packed_spans){ 0 };
}

/* ---- reading ---- */

/* How far a run is read: its next time. */
struct at {
	int64_t time;
	const unsigned char *byte; /* behind that */
	uint64_t left;		   /* times behind it */
};

/* A heap: the run with the next time comes first. */
struct merging {
	struct at *at;
	size_t n;
};

static int64_t take_difference(struct at *at)
{
	uint64_t difference = 0;
	int bits = 0;

	for (; *at->byte >> BYTE_BITS != 0; bits += BYTE_BITS)
		difference |= (uint64_t)(*at->byte++ & ((1 << BYTE_BITS) - 1)) << bits;
	return (int64_t)(difference | (uint64_t)*at->byte++ << bits);
}

static void sift(struct merging *m, size_t i)
{
	struct at moved = m->at[i];

	for (size_t below; (below = 2 * i + 1) < m->n; i = below) {
		below += below + 1 < m->n && m->at[below + 1].time < m->at[below].time;
		if (moved.time <= m->at[below].time)
			break;
		m->at[i] = m->at[below];
	}
	m->at[i] = moved;
}

static struct merging begin_merging(const struct tv_packed_times *p)
{
	struct merging m = { tv_alloc(p->nruns, sizeof *m.at), p->nruns };

	for (size_t i = 0; i < m.n; i++) {
		m.at[i] = (struct at){ p->run[i].first, p->byte + p->run[i].at, p->run[i].n - 1 };
		take_difference(&m.at[i]); /* 0 */
	}
	for (size_t i = m.n / 2; i-- > 0;)
		sift(&m, i);
	return m;
}

/* How many times are the next one; there is one. */
static uint64_t take_next(struct merging *m)
{
	int64_t time = m->at[0].time;
	uint64_t n = 0;

	for (; m->n > 0 && m->at[0].time == time; n++) {
		if (m->at[0].left-- > 0)
			m->at[0].time += take_difference(&m->at[0]);
		else
			m->at[0] = m->at[--m->n];
		sift(m, 0);
	}
	return n;
}

void tv_packed_spans_pieces(const struct tv_packed_spans *spans, int64_t begin, int64_t end,
			    void (*piece)(void *context, int64_t from, int64_t to, double value),
			    void *context)
{
	struct merging up = begin_merging(&spans->begins), down = begin_merging(&spans->ends);
	uint64_t value = 0;
	int64_t from = begin;

	/* No begin is after the last end. */
	while (down.n > 0) {
		bool rises = up.n > 0 && up.at[0].time <= down.at[0].time,
		     falls = !rises || up.at[0].time == down.at[0].time;
		int64_t time = rises ? up.at[0].time : down.at[0].time;
		uint64_t before = value;

		if (time >= end)
			break;
		value += rises ? take_next(&up) : 0;
		value -= falls ? take_next(&down) : 0;
		if (value == before)
			continue;
		if (from < time)
			piece(context, from, time, (double)before);
		from = time;
	}
	if (from < end)
		piece(context, from, end, (double)value);
	tv_free(up.at);
	tv_free(down.at);
}
