/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fxt.c -- StarPU's FxT traces: one file per rank in, one trace out. */
#include "convert/fxt/fxt.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "convert/formats.h"
#include "trace/alloc.h"
#include "trace/clocks.h"
#include "trace/sorted.h"
#include "trace/text.h"

uint32_t tv_fxt_text_label(const struct tv_fxt_run *run, const char *text, size_t n)
{
	return tv_intern(run->trace->pool, text, n);
}

uint32_t tv_fxt_label(const struct tv_fxt_run *run, const char *format, ...)
{
	char text[512];
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(text, sizeof text, format, args);
	va_end(args);
	if (n >= (int)sizeof text)
		n = (int)sizeof text - 1;
	return tv_fxt_text_label(run, text, n > 0 ? (size_t)n : 0);
}

uint32_t tv_fxt_hex_label(const struct tv_fxt_run *run, uint64_t value)
{
	char text[16];
	size_t at = sizeof text;

	do
		text[--at] = "0123456789abcdef"[value & 15];
	while ((value >>= 4) != 0);
	return tv_fxt_text_label(run, text + at, sizeof text - at);
}

uint32_t tv_fxt_count_label(const struct tv_fxt_run *run, const char *prefix, uint64_t value)
{
	char text[64];
	size_t at = sizeof text, n = strlen(prefix);

	do
		text[--at] = (char)('0' + value % 10);
	while ((value /= 10) != 0);
	n = n > at ? at : n;
	memcpy(text + at - n, prefix, n);
	return tv_fxt_text_label(run, text + at - n, sizeof text - at + n);
}

void tv_fxt_damaged(struct tv_fxt_rank *rank, enum tv_damage_kind kind, const char *cause,
		    const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	tv_damaged(rank->run->trace, kind, cause, (struct tv_pos){ rank->path, 0 }, "byte %zu: %s",
		   rank->offset, text);
}

bool tv_fxt_is_text(const char *text, size_t n)
{
	size_t length;

	for (size_t i = 0; i < n; i += length) {
		length = tv_utf8_length(text + i, n - i);
		if (length == 0 || tv_utf8_hidden(text + i, length))
			return false;
	}
	return true;
}

const char *tv_fxt_checked_text(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
				unsigned i, enum tv_damage_kind kind, size_t *n)
{
	const char *text = tv_fxt_text(event, i, n);

	if (tv_fxt_is_text(text, *n))
		return text;
	tv_fxt_damaged(rank, kind, "name that is no text", "event 0x%x", event->code);
	return NULL;
}

uint32_t tv_fxt_text_param(struct tv_fxt_rank *rank, const struct tv_fxt_event *event, unsigned i,
			   enum tv_damage_kind kind)
{
	size_t n;
	const char *text = tv_fxt_checked_text(rank, event, i, kind, &n);

	return text != NULL && n > 0 ? tv_fxt_text_label(rank->run, text, n) : TV_NONE;
}

/* ---- the run ---- */

static void release_rank(struct tv_fxt_rank *rank)
{
	tv_fxt_release_threads(&rank->threads);
	tv_fxt_release_data(&rank->data);
	tv_fxt_release_tasks(&rank->tasks);
	tv_fxt_release_unexpected(&rank->unexpected);
	tv_free(rank->flops.item);
	tv_bytes_release(&rank->map);
	tv_free(rank->path);
}

void tv_fxt_free(void *state)
{
	struct tv_fxt_run *run = state;

	for (size_t i = 0; i < run->nranks; i++)
		release_rank(&run->rank[i]);
	tv_free(run->rank);
	tv_free(run->messages.send);
	tv_free(run->messages.sent.at);
	tv_free(run->messages.posted.at);
	tv_free(run->messages.received.at);
	tv_free(run);
}

void *tv_fxt_begin(struct tv_trace *trace)
{
	struct tv_fxt_run *run = tv_alloc(1, sizeof *run);

	run->trace = trace;
	run->walk = tv_fxt_walk;
	return run;
}

int tv_fxt_probe(const char *head, size_t n)
{
	return tv_fxt_recognize((const unsigned char *)head, n);
}

int tv_fxt_read(void *state, struct tv_input *in, struct tv_error *err)
{
	struct tv_fxt_run *run = state;
	struct tv_fxt_rank *rank;

	TV_GROW(run->rank, run->nranks, run->ranks_cap, 1);
	rank = &run->rank[run->nranks];
	*rank = (struct tv_fxt_rank){ .run = run, .path = tv_strdup(in->path) };
	run->nranks++;
	run->progress = in->progress;
	run->progress_context = in->progress_context;
	if (tv_input_all(in, &rank->map, err) < 0
	    || tv_fxt_open(&rank->file, rank->path, rank->map.bytes, rank->map.n, err) < 0)
		return -1;
	run->bytes += rank->file.end;
	return tv_fxt_scan(&rank->file, run->trace, &rank->facts, err);
}

/* ---- when all ranks are known ---- */

TV_ORDER(by_number, struct tv_fxt_rank, number)

/* Files without a rank are numbered as they come. */
static int order_ranks(struct tv_fxt_run *run, struct tv_error *err)
{
	for (size_t i = 0; i < run->nranks; i++)
		run->rank[i].number = run->rank[i].facts.ranked ? run->rank[i].facts.rank
								: (int64_t)i;
	if (run->nranks > 1)
		qsort(run->rank, run->nranks, sizeof *run->rank, by_number);
	for (size_t i = 1; i < run->nranks; i++)
		if (run->rank[i].number == run->rank[i - 1].number)
			return tv_fail_at(err, (struct tv_pos){ run->rank[i].path, 0 },
					  "rank %" PRId64 " is also "
					  "that of %s: the files are of different runs",
					  run->rank[i].number, run->rank[i - 1].path);
	return 0;
}

/* Prefixes as StarPU's converter makes them: none for a single file, else padded to the largest
 * rank. */
static void name_ranks(struct tv_fxt_run *run)
{
	char largest[TV_FXT_PREFIX];
	int digits;

	digits = snprintf(largest, sizeof largest, "%" PRId64, run->rank[run->nranks - 1].number);
	for (size_t i = 0; i < run->nranks; i++) {
		struct tv_fxt_rank *rank = &run->rank[i];

		rank->index = (uint32_t)i;
		rank->file.path = rank->path;
		if (run->nranks == 1) {
			rank->node = tv_intern_text(run->trace->pool, "0");
		} else {
			int n = snprintf(rank->prefix, sizeof rank->prefix, "%0*" PRId64 "_",
					 digits, rank->number);

			rank->node = tv_intern(run->trace->pool, rank->prefix, (size_t)n - 1);
		}
	}
}

static void fit_clocks(struct tv_fxt_run *run)
{
	const struct tv_fxt_facts **facts = tv_alloc(run->nranks, sizeof *facts);
	struct tv_fxt_clock **clock = tv_alloc(run->nranks, sizeof *clock);

	for (size_t i = 0; i < run->nranks; i++) {
		facts[i] = &run->rank[i].facts;
		clock[i] = &run->rank[i].clock;
	}
	tv_fxt_clocks(facts, clock, run->nranks);
	for (size_t i = 0; i < run->nranks; i++) {
		clock[i]->shift = tv_clock_offset(
			run->trace, tv_pool_text(run->trace->pool, run->rank[i].node));
		run->rank[i].end = tv_fxt_time(clock[i], facts[i]->last);
	}
	run->trace->clocks_set = true;
	tv_free(facts);
	tv_free(clock);
}

static void write_meta(const struct tv_fxt_run *run)
{
	for (size_t i = 0; i < run->nranks; i++) {
		const struct tv_fxt_rank *rank = &run->rank[i];
		const struct tv_fxt_facts *facts = &rank->facts;

		tv_meta_add(run->trace, "Producer",
			    "rank %" PRId64 ": StarPU %s, %" PRIu64 " events%s", rank->number,
			    tv_fxt_generation_name(facts->generation), facts->events,
			    facts->flushed ? ", recording was halted to write them" : "");
		if (run->nranks > 1)
			tv_meta_add(run->trace, "ClockCorrection",
				    "rank %" PRId64 ": %u barriers, %+.6f ms "
				    "at the first, %+.6f ms at the last",
				    rank->number, rank->clock.nsync,
				    (double)rank->clock.offset[0] / 1e6,
				    (double)rank->clock.offset[rank->clock.nsync == 2] / 1e6);
		if (facts->ranked && facts->world > (int64_t)run->nranks && i == 0)
			tv_notice(run->trace, "%s: one of %" PRId64 " ranks, %zu %s read",
				  rank->path, facts->world, run->nranks,
				  run->nranks == 1 ? "is" : "are");
	}
}

int tv_fxt_convert_rank(struct tv_fxt_rank *rank, struct tv_error *err)
{
	tv_fxt_begin_threads(rank);
	if (rank->run->walk(rank, err) < 0)
		return -1;
	rank->offset = rank->file.end;
	rank->now = rank->end;
	rank->run->bytes_done += rank->file.end;
	tv_fxt_end_tasks(rank);
	tv_fxt_end_threads(rank);
	tv_fxt_end_data(rank);
	tv_fxt_write_handles(rank);
	return 0;
}

void tv_fxt_omit_tables(const struct tv_fxt_run *run)
{
	int64_t first = 0, last = 0;

	for (size_t i = 0; i < run->nranks; i++) {
		const struct tv_fxt_rank *rank = &run->rank[i];
		int64_t begin = tv_fxt_time(&rank->clock, rank->facts.first);

		first = begin < first ? begin : first;
		last = rank->end > last ? rank->end : last;
	}
	tv_trace_omit(run->trace, first, last);
}

/* Room for the rows that so many events usually become, and for more than that. */
static void reserve(const struct tv_fxt_run *run)
{
	static const struct {
		enum tv_table_id table;
		unsigned events; /* per row */
	} usual[] = { { TV_STATES, 2 }, { TV_EVENTS, 3 }, { TV_VARIABLES, 5 } };
	uint64_t events = 0;

	for (size_t i = 0; i < run->nranks; i++)
		events += run->rank[i].facts.events;
	for (size_t i = 0; i < TV_COUNT(usual) && events < TV_ROWS_MAX; i++)
		tv_table_reserve(&run->trace->table[usual[i].table],
				 (uint32_t)events / usual[i].events);
}

int tv_fxt_prepare(struct tv_fxt_run *run, struct tv_error *err)
{
	if (order_ranks(run, err) < 0)
		return -1;
	name_ranks(run);
	fit_clocks(run);
	tv_fxt_omit_tables(run);
	tv_fxt_find_columns(run);
	write_meta(run);
	return 0;
}

int tv_fxt_finish(void *state, struct tv_error *err)
{
	struct tv_fxt_run *run = state;

	if (tv_fxt_prepare(run, err) < 0)
		return -1;
	reserve(run);
	for (size_t i = 0; i < run->nranks; i++)
		if (tv_fxt_convert_rank(&run->rank[i], err) < 0)
			return -1;
	tv_fxt_pair_messages(run);
	if (tv_fxt_write_tasks(run, err) < 0)
		return -1;
	tv_fxt_write_messages(run);
	return 0;
}

const struct tv_reader tv_fxt_reader = {
	.name = "fxt",
	.summary = "StarPU's FxT trace (prof_file_USER_RANK), one file per rank",
	.brings = TV_BRINGS_TASKS | TV_BRINGS(STATES) | TV_BRINGS(VARIABLES) | TV_BRINGS(LINKS)
		| TV_BRINGS(MESSAGES) | TV_BRINGS(EVENTS),
	.probe = tv_fxt_probe,
	.begin = tv_fxt_begin,
	.read = tv_fxt_read,
	.finish = tv_fxt_finish,
	.share = tv_fxt_share,
	.free = tv_fxt_free,
	.memory = 6,
	.ranks = true,
	.omits = true,
};
