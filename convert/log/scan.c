/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scan.c -- a log's chunks and events: what is usable, and of which thread. */
#include "convert/log/raw.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/sorted.h"

/* Times of CLOCK_MONOTONIC, 73 years since boot. */
static const int64_t time_max = (int64_t)1 << 61;

enum { TEXT = 256 }; /* added: a text follows the arguments */

static const uint16_t args_of[256] = {
	[TV_LOG_THREAD] = 2 | TEXT,
	[TV_LOG_META] = TEXT,
	[TV_LOG_MODULE] = 3 | TEXT,
	[TV_LOG_SITE] = 2 | TEXT,
	[TV_LOG_COUNTER] = 1 | TEXT,
	[TV_LOG_PAGE_AT] = 2,
	[TV_LOG_BINDING] = TEXT,
	[TV_LOG_OMP_PARALLEL_BEGIN] = 5,
	[TV_LOG_OMP_PARALLEL_END] = 4,
	[TV_LOG_OMP_IMPLICIT_BEGIN] = 5,
	[TV_LOG_OMP_IMPLICIT_END] = 4,
	[TV_LOG_OMP_CREATE] = 4,
	[TV_LOG_OMP_SCHEDULE] = 2,
	[TV_LOG_OMP_DEPENDENCES] = 1,
	[TV_LOG_OMP_EDGE] = 2,
	[TV_LOG_OMP_SYNC_BEGIN] = 3,
	[TV_LOG_OMP_SYNC_END] = 3,
	[TV_LOG_OMP_WAIT_BEGIN] = 3,
	[TV_LOG_OMP_WAIT_END] = 3,
	[TV_LOG_OMP_WORK_BEGIN] = 4,
	[TV_LOG_OMP_WORK_END] = 4,
	[TV_LOG_OMP_ACQUIRE] = 2,
	[TV_LOG_OMP_ACQUIRED] = 2,
	[TV_LOG_OMP_RELEASED] = 2,
	[TV_LOG_OMP_CANCEL] = 3,
	[TV_LOG_OMP_MASKED_BEGIN] = 3,
	[TV_LOG_OMP_MASKED_END] = 3,
	[TV_LOG_OMP_SKIPPED] = 1,
	[TV_LOG_USER_NAME] = TEXT,
	[TV_LOG_USER_NUMBER] = 1 | TEXT,
	[TV_LOG_USER_DATA] = 2 | TEXT,
	[TV_LOG_USER_PHASE_BEGIN] = TEXT,
	[TV_LOG_USER_PHASE_END] = TEXT,
	[TV_LOG_MPI_NAME] = 1 | TEXT,
	[TV_LOG_MPI_WORLD] = 2 | TEXT,
	[TV_LOG_MPI_COMM] = 3 | TEXT,
	[TV_LOG_MPI_CLOCK] = 3,
	[TV_LOG_MPI_BEGIN] = 6,
	[TV_LOG_MPI_END] = 1,
	[TV_LOG_STARPU_CLOCK] = 2,
	[TV_LOG_STARPU_WORKER] = 3 | TEXT,
	[TV_LOG_STARPU_DATA] = 3,
	[TV_LOG_STARPU_SUBMIT] = 7 | TEXT,
	[TV_LOG_STARPU_TAG] = 2,
	[TV_LOG_STARPU_PUSH] = 3,
	[TV_LOG_STARPU_POP] = 4,
	[TV_LOG_STARPU_START] = 6,
	[TV_LOG_STARPU_END] = 4,
	[TV_LOG_STARPU_SUCCESSORS] = 2,
	[TV_LOG_STARPU_DECISION] = 9,
	[TV_LOG_STARPU_CANDIDATES] = 1 + TV_LOG_STARPU_CANDIDATE_WORDS,
	[TV_LOG_STARPU_MESSAGE] = 7,
	[TV_LOG_STARPU_ARRIVED] = 2,
	[TV_LOG_MONITOR_OBJECT] = 6 | TEXT,
	[TV_LOG_MONITOR] = 3 | TEXT,
	[TV_LOG_MONITOR_EVENT] = 2 | TEXT,
	[TV_LOG_MONITOR_SET] = 5,
	[TV_LOG_MONITOR_SAMPLE] = 3,
	[TV_LOG_MONITOR_THREAD] = 5 | TEXT,
	[TV_LOG_MONITOR_TICK] = 4,
};

static bool is_known(uint8_t kind)
{
	return args_of[kind] != 0 || kind == TV_LOG_GAP || kind == TV_LOG_VALUES
	    || kind == TV_LOG_UNREAD || kind == TV_LOG_OMP_THREAD;
}

void tv_raw_damaged(struct tv_raw_log *log, enum tv_damage_kind kind, const char *cause,
		    size_t offset, const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	tv_damaged(log->run->trace, kind, cause, (struct tv_pos){ log->path, 0 }, "byte %zu: %s",
		   offset, text);
}

const char *tv_raw_text(const struct tv_raw_event *event, unsigned args, size_t *n)
{
	const char *text = (const char *)event->arg + (size_t)args * 8;
	size_t size = event->nargs > args ? (size_t)(event->nargs - args) * 8 : 0;

	*n = strnlen(text, size);
	return text;
}

/* Whether the text behind the arguments is closed by a NUL. */
static bool has_text(const struct tv_raw_event *event, unsigned args)
{
	return event->nargs > args
	    && memchr(event->arg + (size_t)args * 8, '\0', (size_t)(event->nargs - args) * 8)
		       != NULL;
}

bool tv_raw_event_at(const struct tv_raw_log *log, size_t at, struct tv_raw_event *event,
		     size_t *next)
{
	struct tv_log_event head;
	unsigned args;

	memcpy(&head, log->bytes.bytes + at, sizeof head);
	*next = at + (size_t)head.words * 8;
	*event = (struct tv_raw_event){ head.kind,	 head.code,
					head.cpu,	 head.numa,
					head.time,	 log->bytes.bytes + at + sizeof head,
					head.words - 2u, at };
	args = args_of[head.kind] & (TEXT - 1);
	return is_known(head.kind) && head.time >= 0 && head.time < time_max && event->nargs >= args
	    && (!(args_of[head.kind] & TEXT) || has_text(event, args));
}

static struct tv_raw_thread *thread_at(struct tv_raw_log *log, uint32_t number)
{
	uint32_t *index = tv_map_at(&log->thread_of, number, 0);

	if (*index == TV_NONE) {
		*index = (uint32_t)log->nthreads;
		TV_GROW(log->thread, log->nthreads, log->threads_cap, 1);
		log->thread[log->nthreads++] = (struct tv_raw_thread){ .number = number,
								       .title = TV_NONE,
								       .binding = TV_NONE,
								       .first = TV_NONE,
								       .last = TV_NONE,
								       .late = TV_NONE,
								       .call = TV_NONE,
								       .long_task = TV_NONE,
								       .begin = time_max };
	}
	return &log->thread[*index];
}

static void add_piece(struct tv_raw_log *log, uint32_t number, size_t begin, size_t end)
{
	struct tv_raw_thread *thread;

	if (begin == end)
		return;
	thread = thread_at(log, number);
	TV_GROW(log->piece, log->npieces, log->pieces_cap, 1);
	log->piece[log->npieces] = (struct tv_raw_piece){ begin, end, TV_NONE };
	if (thread->last == TV_NONE)
		thread->first = (uint32_t)log->npieces;
	else
		log->piece[thread->last].next = (uint32_t)log->npieces;
	thread->last = (uint32_t)log->npieces++;
}

static void name_thread(struct tv_raw_log *log, const struct tv_raw_event *event)
{
	struct tv_raw_thread *thread = thread_at(log, (uint32_t)tv_raw_arg(event, 0));
	size_t n;
	const char *text = tv_raw_text(event, 2, &n);

	thread->os_id = (int64_t)tv_raw_arg(event, 1);
	if (n > 0)
		thread->title = tv_intern(log->run->trace->pool, text, n);
}

static void add_module(struct tv_raw_log *log, const struct tv_raw_event *event)
{
	size_t n;
	const char *path = tv_raw_text(event, 3, &n);

	TV_GROW(log->module, log->nmodules, log->modules_cap, 1);
	log->module[log->nmodules++] = (struct tv_raw_module){
		event->time, tv_raw_arg(event, 0), tv_raw_arg(event, 1), tv_raw_arg(event, 2),
		tv_intern(log->run->trace->pool, path, n)
	};
}

/* What any order of events serves. */
static void note_event(struct tv_raw_log *log, uint32_t number, const struct tv_raw_event *event)
{
	struct tv_raw_thread *thread = thread_at(log, number);
	bool after_end = event->kind == TV_LOG_SITE || event->kind == TV_LOG_META
		      || event->kind == TV_LOG_THREAD;

	log->events++;
	if (!after_end && (!log->any || event->time > log->last)) {
		log->last = event->time;
		log->any = true;
	}
	thread->begin = event->time < thread->begin ? event->time : thread->begin;
	thread->end = event->time > thread->end ? event->time : thread->end;
	switch (event->kind) {
	case TV_LOG_MODULE:
		add_module(log, event);
		break;
	case TV_LOG_SITE:
		tv_raw_add_site(log, event);
		break;
	case TV_LOG_OMP_EDGE:
		log->edges++;
		break;
	case TV_LOG_THREAD:
		name_thread(log, event);
		break;
	case TV_LOG_MPI_NAME:
	case TV_LOG_MPI_COMM:
		tv_raw_add_mpi_name(log, event);
		break;
	case TV_LOG_MPI_WORLD:
		tv_raw_set_world(log, event);
		break;
	case TV_LOG_MPI_CLOCK:
		tv_raw_add_clock(log, event);
		break;
	case TV_LOG_STARPU_CLOCK:
		tv_raw_starpu_clock(log, event, false);
		break;
	case TV_LOG_MONITOR_OBJECT:
	case TV_LOG_MONITOR:
	case TV_LOG_MONITOR_EVENT:
	case TV_LOG_MONITOR_SET:
	case TV_LOG_MONITOR_SAMPLE:
	case TV_LOG_MONITOR_THREAD:
	case TV_LOG_MONITOR_TICK:
		log->samples = true;
		break;
	case TV_LOG_GAP:
		log->gap = true;
		break;
	case TV_LOG_META:
	case TV_LOG_COUNTER:
	case TV_LOG_VALUES:
	case TV_LOG_UNREAD:
	case TV_LOG_BINDING:
	case TV_LOG_PAGE_AT:
		break;
	default:
		thread->worker |= event->kind == TV_LOG_STARPU_START;
		thread->active |= event->kind < TV_LOG_STARPU_CLOCK;
	}
}

static void report_unusable(struct tv_raw_log *log, const struct tv_raw_event *event)
{
	if (!is_known(event->kind))
		tv_raw_damaged(log, TV_DROPPED_BESIDE, "event of an unknown kind", event->offset,
			       "kind %u", event->kind);
	else if (event->time < 0 || event->time >= time_max)
		tv_raw_damaged(log, TV_DROPPED, "time out of range", event->offset,
			       "%lld ns, expected less than 2^61", (long long)event->time);
	else
		tv_raw_damaged(log, TV_DROPPED, "event without its arguments", event->offset,
			       "kind %u has %u words", event->kind, event->nargs);
}

/* Events at[begin..end): a new thread may begin anywhere. */
static void scan_events(struct tv_raw_log *log, uint32_t number, size_t begin, size_t end)
{
	size_t at = begin, next;

	while (at < end) {
		struct tv_raw_event event;
		uint16_t words = 0;

		if (end - at >= sizeof(struct tv_log_event))
			memcpy(&words, log->bytes.bytes + at + offsetof(struct tv_log_event, words),
			       sizeof words);
		if (words < 2 || words > (end - at) / 8) {
			tv_raw_damaged(log, TV_DROPPED, "event of an impossible length", at,
				       "%u words, expected 2 to %zu; the rest of its chunk is not "
				       "used",
				       words, (end - at) / 8);
			break;
		}
		if (!tv_raw_event_at(log, at, &event, &next)) {
			report_unusable(log, &event);
		} else {
			if (event.kind == TV_LOG_THREAD
			    && (uint32_t)tv_raw_arg(&event, 0) != number) {
				add_piece(log, number, begin, at);
				thread_at(log, number)->ended = true;
				begin = at;
				number = (uint32_t)tv_raw_arg(&event, 0);
			}
			note_event(log, number, &event);
		}
		at = next;
	}
	add_piece(log, number, begin, at);
}

/* A chunk of a log, by what it is a part of. */
struct chunk {
	uint32_t buffer, sequence, thread;
	size_t at, begin, end; /* in the log; of its events */
};

TV_ORDER(by_sequence, struct chunk, buffer, sequence, at)

/* False if nothing was written to it. */
static bool read_chunk(struct tv_raw_log *log, size_t at, struct chunk *chunk)
{
	size_t end = at + TV_LOG_CHUNK < log->bytes.n ? at + TV_LOG_CHUNK : log->bytes.n, space;
	struct tv_log_chunk head = { 0 };

	memcpy((void *)&head, log->bytes.bytes + at,
	       end - at < sizeof head ? end - at : sizeof head);
	if (head.magic == 0)
		return false;
	if (head.magic != TV_LOG_CHUNK_MAGIC) {
		tv_raw_damaged(log, TV_DROPPED, "not a chunk", at, "it begins with 0x%x",
			       head.magic);
		return false;
	}
	*chunk = (struct chunk){ head.buffer, head.sequence, head.thread, at, at + sizeof head, 0 };
	space = end > chunk->begin ? (end - chunk->begin) / 8 : 0;
	if (head.words > (TV_LOG_CHUNK - sizeof head) / 8)
		tv_raw_damaged(log, TV_DROPPED, "chunk of an impossible length", at, "%u words",
			       head.words);
	else if (head.words > space)
		tv_raw_damaged(log, TV_REPAIRED, "log ends early", at,
			       "within a chunk; what precedes is used");
	chunk->end = chunk->begin + (head.words < space ? head.words : space) * 8;
	return true;
}

/* Chunks of a buffer, in order, are one list of events. */
static void scan_chunks(struct tv_raw_log *log)
{
	size_t max = (log->bytes.n - TV_LOG_PAGE) / TV_LOG_CHUNK + 1, n = 0;
	struct chunk *chunk = tv_alloc(max, sizeof *chunk);

	for (size_t at = TV_LOG_PAGE; at < log->bytes.n; at += TV_LOG_CHUNK)
		n += read_chunk(log, at, &chunk[n]);
	if (n > 1)
		qsort(chunk, n, sizeof *chunk, by_sequence);
	for (size_t i = 0; i < n; i++) {
		/* Of two the second is a copy that the process could not end. */
		if (i == 0 || chunk[i].buffer != chunk[i - 1].buffer
		    || chunk[i].sequence != chunk[i - 1].sequence)
			scan_events(log, chunk[i].thread, chunk[i].begin, chunk[i].end);
	}
	tv_free(chunk);
}

static int read_head(struct tv_raw_log *log, struct tv_error *err)
{
	const struct tv_pos at = { log->path, 0 };
	struct tv_log_header head;
	uint64_t size;

	if (log->bytes.n < TV_LOG_PAGE)
		return tv_fail_at(err, at,
				  "the log ends within its first page: nothing was recorded");
	memcpy((void *)&head, log->bytes.bytes, sizeof head);
	if (memcmp(head.magic, TV_LOG_MAGIC, sizeof head.magic) != 0)
		return tv_fail_at(err, at, "not a raw log of traceviz record");
	if (head.endian == __builtin_bswap32(TV_LOG_ENDIAN))
		return tv_fail_at(err, at,
				  "recorded on a machine of the other byte order, which is not "
				  "supported; convert it there");
	if (head.endian != TV_LOG_ENDIAN || head.version != TV_LOG_VERSION)
		return tv_fail_at(err, at, "a raw log of version %u, expected %d", head.version,
				  TV_LOG_VERSION);
	if (head.page != TV_LOG_PAGE || head.chunk != TV_LOG_CHUNK)
		return tv_fail_at(err, at,
				  "a raw log with chunks of %u bytes behind %u, expected %d "
				  "behind %d",
				  head.chunk, head.page, TV_LOG_CHUNK, TV_LOG_PAGE);
	log->pid = head.pid;
	log->rank = head.rank < 0 ? -1 : head.rank;
	log->finished = head.finished != 0;
	log->lost = head.lost;
	/* Of a process that was killed the last chunk may be counted and not be there. */
	size = TV_LOG_PAGE + (uint64_t)head.chunks * TV_LOG_CHUNK;
	log->cut = log->finished && log->bytes.n < size;
	if (log->cut)
		tv_raw_damaged(log, TV_REPAIRED, TV_CUT_PARTS, log->bytes.n,
			       "the file ends there, expected %llu bytes",
			       (unsigned long long)size);
	log->stopped = head.stopped;
	log->begin_mono = head.begin_mono;
	log->begin_real = head.begin_real;
	log->end_mono = head.end_mono;
	log->end_real = head.end_real;
	memcpy(log->host, head.host, sizeof head.host);
	return 0;
}

int tv_raw_scan(struct tv_raw_log *log, struct tv_error *err)
{
	if (read_head(log, err) < 0)
		return -1;
	scan_chunks(log);
	for (size_t i = 0; i < log->nthreads; i++)
		if (log->thread[i].begin == time_max)
			log->thread[i].begin = log->thread[i].end = 0;
	return 0;
}
