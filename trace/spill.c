/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spill.c -- an external merge sort. */
#include "trace/spill.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "trace/alloc.h"
#include "trace/sorted.h"
#include "trace/unfinished.h"

enum {
	PIECE = 1 << 14, /* bytes of a run that are read at once, or written */
	FAN_MIN = 4,
	FAN_MAX = 512,				   /* runs that are merged at once */
	HEAD = sizeof(int64_t) + sizeof(uint32_t), /* of a record: its key and its length */
	BESIDE = 3 * sizeof(int64_t)		   /* for each record in memory */
};

/* Bytes of a file: records in order. The next one is at bytes[from], once tv_spill_next or merge() has read it. */
struct run {
	off_t at, end;
	char *bytes;
	size_t from, n, cap;
};

struct tv_spill {
	char *beside;
	size_t max; /* bytes of memory */
	/* The records that are in no run yet, one behind the other. */
	char *bytes;
	size_t n, cap;
	int64_t *key;
	size_t *begin;
	uint32_t nrecords;
	size_t keys_cap, begins_cap;
	/* Runs lie in one file; merged, where there are too many of them, in the other. */
	int fd[2];
	off_t size[2];
	int in; /* the one where they are */
	struct run *run;
	size_t nruns, runs_cap;
	bool reading;
	char *piece; /* what is to be written next */
	size_t npiece;
	struct tv_agenda agenda; /* runs that are merged, by the key of their next record */
	struct run *last;	 /* the one that the record given last is of */
};

struct tv_spill *tv_spill_new(const char *beside, size_t bytes)
{
	struct tv_spill *s = tv_alloc(1, sizeof *s);

	s->beside = tv_strdup(beside);
	s->max = bytes;
	s->fd[0] = s->fd[1] = -1;
	return s;
}

/* ---- the files ---- */

static int flush(struct tv_spill *s, int file, struct tv_error *err)
{
	for (size_t done = 0; done < s->npiece;) {
		ssize_t n = pwrite(s->fd[file], s->piece + done, s->npiece - done, s->size[file]);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return tv_fail_system(err, s->beside, "cannot write", errno);
		done += (size_t)n;
		s->size[file] += n;
	}
	s->npiece = 0;
	return 0;
}

static int put(struct tv_spill *s, int file, const char *bytes, size_t n, struct tv_error *err)
{
	while (n > 0) {
		size_t room = PIECE - s->npiece, take = n < room ? n : room;

		memcpy(s->piece + s->npiece, bytes, take);
		s->npiece += take;
		bytes += take;
		n -= take;
		if (s->npiece == PIECE && flush(s, file, err) < 0)
			return -1;
	}
	return 0;
}

/* Opens a file that has no name, so that it ends with the program. */
static int open_file(struct tv_spill *s, int file, struct tv_error *err)
{
	struct tv_unfinished *named;

	if (s->fd[file] >= 0)
		return 0;
	named = tv_unfinished_file(s->beside, false, &s->fd[file]);
	if (named == NULL)
		return tv_fail_system(err, s->beside, "cannot make a temporary file", errno);
	tv_unfinished_end(named, true);
	return 0;
}

/* Begins to write a run into a file. */
static int begin_run(struct tv_spill *s, int file, struct tv_error *err)
{
	if (s->piece == NULL)
		s->piece = tv_alloc(PIECE, 1);
	return open_file(s, file, err);
}

/* Makes the run that was written from `at` on the one of that place. */
static int end_run(struct tv_spill *s, int file, off_t at, size_t place, struct tv_error *err)
{
	if (flush(s, file, err) < 0)
		return -1;
	s->run[place] = (struct run){ .at = at, .end = s->size[file] };
	return 0;
}

/* ---- runs ---- */

/* Writes the records in memory as a run. */
static int write_run(struct tv_spill *s, struct tv_error *err)
{
	uint32_t *order;
	off_t at = s->size[s->in];
	int rc;

	if (s->nrecords == 0)
		return 0;
	order = tv_alloc(s->nrecords, sizeof *order);
	for (uint32_t i = 0; i < s->nrecords; i++)
		order[i] = i;
	tv_sort_rows_by_time(order, s->nrecords, s->key);
	rc = begin_run(s, s->in, err);
	for (uint32_t i = 0; rc == 0 && i < s->nrecords; i++) {
		size_t begin = s->begin[order[i]],
		       end = order[i] + 1 < s->nrecords ? s->begin[order[i] + 1] : s->n;

		rc = put(s, s->in, s->bytes + begin, end - begin, err);
	}
	tv_free(order);
	TV_GROW(s->run, s->nruns, s->runs_cap, 1);
	rc = rc == 0 ? end_run(s, s->in, at, s->nruns, err) : -1;
	s->nruns += rc == 0;
	s->nrecords = 0;
	s->n = 0;
	return rc;
}

int tv_spill_add(struct tv_spill *s, int64_t key, const void *record, uint32_t n,
		 struct tv_error *err)
{
	if (s->nrecords > 0 && s->n + HEAD + n + s->nrecords * BESIDE > s->max
	    && write_run(s, err) < 0)
		return -1;
	TV_GROW(s->key, s->nrecords, s->keys_cap, 1);
	TV_GROW(s->begin, s->nrecords, s->begins_cap, 1);
	TV_GROW(s->bytes, s->n, s->cap, HEAD + (size_t)n);
	s->key[s->nrecords] = key;
	s->begin[s->nrecords++] = s->n;
	memcpy(s->bytes + s->n, &key, sizeof key);
	memcpy(s->bytes + s->n + sizeof key, &n, sizeof n);
	memcpy(s->bytes + s->n + HEAD, record, n);
	s->n += HEAD + (size_t)n;
	return 0;
}

/* Reads on until n bytes are there: 1; 0 at the end. */
static int fill(struct tv_spill *s, struct run *r, size_t n, struct tv_error *err)
{
	while (r->n - r->from < n) {
		size_t left = (size_t)(r->end - r->at);
		ssize_t got;

		if (left == 0)
			return 0;
		if (r->from > 0)
			memmove(r->bytes, r->bytes + r->from, r->n - r->from);
		r->n -= r->from;
		r->from = 0;
		TV_GROW(r->bytes, r->n, r->cap, n > PIECE ? n : PIECE);
		got = pread(s->fd[s->in], r->bytes + r->n,
			    r->cap - r->n < left ? r->cap - r->n : left, r->at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return tv_fail_system(err, s->beside, "cannot read", got < 0 ? errno : EIO);
		r->at += got;
		r->n += (size_t)got;
	}
	return 1;
}

static uint32_t length_of(const struct run *r)
{
	uint32_t n;

	memcpy(&n, r->bytes + r->from + sizeof(int64_t), sizeof n);
	return n;
}

/* Reads the next record of a run and lets it wait for its turn; behind the last one frees the run. */
static int await_next(struct tv_spill *s, uint32_t place, struct tv_error *err)
{
	struct run *r = &s->run[place];
	int rc = fill(s, r, HEAD, err);
	int64_t key;

	if (rc == 1)
		rc = fill(s, r, HEAD + (size_t)length_of(r), err);
	if (rc == 1) {
		memcpy(&key, r->bytes + r->from, sizeof key);
		tv_agenda_push(&s->agenda, (struct tv_due){ key, place, place });
	} else {
		tv_free(r->bytes);
		r->bytes = NULL;
	}
	return rc < 0 ? -1 : 0;
}

/* Takes the next record of the runs that wait: 1; 0 = there is none. It is at bytes[from] of s->last. */
static int take_next(struct tv_spill *s, struct tv_error *err)
{
	if (s->last != NULL) {
		s->last->from += HEAD + (size_t)length_of(s->last);
		if (await_next(s, (uint32_t)(s->last - s->run), err) < 0)
			return -1;
		s->last = NULL;
	}
	if (s->agenda.n == 0)
		return 0;
	s->last = &s->run[tv_agenda_pop(&s->agenda).of];
	return 1;
}

/* Merges some runs into one of the other file. */
static int merge(struct tv_spill *s, size_t first, size_t n, size_t to, struct tv_error *err)
{
	int file = 1 - s->in, rc = begin_run(s, file, err);
	off_t at = s->size[file];

	for (size_t i = first; rc == 0 && i < first + n; i++)
		rc = await_next(s, (uint32_t)i, err);
	while (rc == 0 && (rc = take_next(s, err)) == 1)
		rc = put(s, file, s->last->bytes + s->last->from, HEAD + (size_t)length_of(s->last),
			 err);
	return rc == 0 ? end_run(s, file, at, to, err) : -1;
}

/* Merges all runs, some at a time. */
static int merge_all(struct tv_spill *s, size_t fan, struct tv_error *err)
{
	size_t merged = 0;

	for (size_t i = 0; i < s->nruns; i += fan)
		if (merge(s, i, s->nruns - i < fan ? s->nruns - i : fan, merged++, err) < 0)
			return -1;
	s->nruns = merged;
	s->size[s->in] = 0;
	if (ftruncate(s->fd[s->in], 0) < 0)
		return tv_fail_system(err, s->beside, "cannot make a file shorter", errno);
	s->in = 1 - s->in;
	return 0;
}

static void free_records(struct tv_spill *s)
{
	tv_free(s->bytes);
	tv_free(s->key);
	tv_free(s->begin);
	s->bytes = NULL;
	s->key = NULL;
	s->begin = NULL;
	s->cap = s->keys_cap = s->begins_cap = 0;
}

int tv_spill_end(struct tv_spill *s, struct tv_error *err)
{
	int rc = write_run(s, err);

	free_records(s);
	return rc;
}

/* Before the first record is read. */
static int begin_reading(struct tv_spill *s, struct tv_error *err)
{
	size_t fan = s->max / PIECE;
	int rc = 0;

	s->reading = true;
	fan = fan < FAN_MIN ? FAN_MIN : fan > FAN_MAX ? FAN_MAX : fan;
	while (rc == 0 && s->nruns > fan)
		rc = merge_all(s, fan, err);
	for (size_t i = 0; rc == 0 && i < s->nruns; i++)
		rc = await_next(s, (uint32_t)i, err);
	return rc;
}

int tv_spill_next(struct tv_spill *s, const char **record, uint32_t *n, struct tv_error *err)
{
	int rc = s->reading ? 0 : begin_reading(s, err);

	if (rc == 0)
		rc = take_next(s, err);
	if (rc == 1) {
		*n = length_of(s->last);
		*record = s->last->bytes + s->last->from + HEAD;
	}
	return rc;
}

void tv_spill_free(struct tv_spill *s)
{
	if (s == NULL)
		return;
	free_records(s);
	for (size_t i = 0; i < s->nruns; i++)
		tv_free(s->run[i].bytes);
	tv_free(s->run);
	tv_free(s->piece);
	tv_agenda_release(&s->agenda);
	for (int i = 0; i < 2; i++)
		if (s->fd[i] >= 0)
			close(s->fd[i]);
	tv_free(s->beside);
	tv_free(s);
}
