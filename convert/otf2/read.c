/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read.c -- an archive as a stream of records: which step takes each, and the time of an event. */
#include <inttypes.h>
#include <string.h>

#include "convert/formats.h"
#include "convert/otf2/otf2.h"
#include "trace/alloc.h"
#include "trace/timings.h"

/* Times beyond this, 73 years, are none. */
#define TIME_MAX (INT64_MAX / 4)

enum { NS = 1000000000 }; /* per second */

/* Bytes behind a record, at most: a group of 2^23 locations. */
enum { MORE_MAX = 1 << 26 };

void tv_otf2_dropped(struct tv_otf2 *o, const char *cause)
{
	const struct tv_otf2_here *here = &o->here;

	tv_damaged(o->trace, TV_DROPPED_BESIDE, cause, (struct tv_pos){ o->path, 0 },
		   here->time == INT64_MIN ? "%s, at its begin" : "%s at %.6f ms",
		   tv_pool_text(o->trace->pool, here->resource), (double)here->time / 1e6);
}

/* ns since the begin of the archive; halves are rounded away from zero. */
static bool time_of(const struct tv_otf2 *o, uint64_t ticks, int64_t *ns)
{
	bool before = ticks < o->offset;
	uint64_t since = before ? o->offset - ticks : ticks - o->offset;

	if (o->resolution != NS) {
		uint64_t seconds = since / o->resolution, rest = since % o->resolution,
			 half = o->resolution / 2;

		if (seconds > TIME_MAX / NS)
			return false;
		/* Division of 128 bits is slow. */
		rest = o->resolution <= UINT32_MAX
			     ? (rest * NS + half) / o->resolution
			     : (uint64_t)(((tv_int128)rest * NS + half) / (tv_int128)o->resolution);
		since = seconds * NS + rest;
	}
	if (since > TIME_MAX)
		return false;
	*ns = before ? -(int64_t)since : (int64_t)since;
	return true;
}

/* ---- locations ---- */

static void begin_location(struct tv_otf2 *o, uint64_t place)
{
	struct tv_otf2_here *here = &o->here;

	here->location = (uint32_t)place;
	here->resource = o->location[place].resource;
	here->process = &o->process[o->location[place].process];
	here->time = INT64_MIN;
	here->alone = here->off = INT64_MAX;
	here->gaps = 0;
	here->task = here->segment = here->call = TV_NONE;
}

static void forget_numbers(struct tv_otf2_here *here)
{
	struct tv_map *map[] = { &here->requests, &here->transfers, &here->values, &here->ios,
				 &here->ranks };

	for (size_t i = 0; i < TV_COUNT(map); i++) {
		tv_map_release(map[i]);
		*map[i] = (struct tv_map){ 0 };
	}
}

/* The recorder is on again, or its trace ends. */
static void end_off(struct tv_otf2 *o, int64_t time)
{
	struct tv_pool *pool = o->trace->pool;

	if (o->here.off == INT64_MAX)
		return;
	o->offs++;
	o->here.gaps++;
	o->off += time - o->here.off;
	tv_otf2_add_state(o, tv_intern_text(pool, "recorder"), tv_intern_text(pool, "off"), TV_NONE,
			  o->here.off, time, o->here.off_depth, false);
	if (time > o->here.process->off_until)
		o->here.process->off_until = time;
	o->here.off = INT64_MAX;
	o->here.rewound = false;
}

static void finish_location(struct tv_otf2 *o, const struct tv_otf2_record *record,
			    const char *failure)
{
	struct tv_otf2_here *here = &o->here;

	if (record->arg[1] != 0 || record->arg[0] < o->location[here->location].events)
		tv_damaged(o->trace, TV_REPAIRED,
			   record->arg[1] != 0 ? TV_CUT_EVENT
					       : "fewer events than the archive claims",
			   (struct tv_pos){ o->path, 0 },
			   "%s: %" PRIu64 " events of %" PRIu64 "%s%.*s",
			   tv_pool_text(o->trace->pool, here->resource), record->arg[0],
			   o->location[here->location].events, record->bytes > 0 ? ": " : "",
			   (int)record->bytes, failure);
	end_off(o, here->time);
	tv_otf2_end_metrics(o);
	tv_otf2_end_transfers(o);
	tv_otf2_end_ios(o);
	tv_otf2_end_tasks(o);
	tv_otf2_end_regions(o);
	here->nentry = here->ncall_at = here->nuse = here->nrequest = here->ntransfer = 0;
	here->nvalue = here->nio = 0;
	forget_numbers(here);
	here->location = TV_NONE;
}

/* ---- events ---- */

/* The region of a reference, or of a calling context. */
static uint32_t region_of(const struct tv_otf2 *o, bool context, uint64_t reference)
{
	uint32_t region = context ? tv_otf2_find(o, TV_OTF2_CONTEXT, reference)
				  : (uint32_t)reference;

	return tv_otf2_find(o, TV_OTF2_REGION, region);
}

static void flush(struct tv_otf2 *o, int64_t time, uint64_t stop)
{
	struct tv_pool *pool = o->trace->pool;
	int64_t end;

	if (!time_of(o, stop, &end) || end < time) {
		tv_otf2_dropped(o, "flush of a buffer that ends before it begins");
		return;
	}
	o->flushes++;
	o->flushed += end - time;
	o->last = end > o->last ? end : o->last;
	tv_otf2_add_state(o, tv_intern_text(pool, "recorder"),
			  tv_intern_text(pool, "flush of the buffer"), TV_NONE, time, end,
			  o->here.nentry, false);
}

static void turn(struct tv_otf2 *o, int64_t time, bool on)
{
	tv_otf2_add_event(o, "recorder", time, tv_intern_text(o->trace->pool, on ? "on" : "off"));
	/* Score-P writes both where the part begins that it discards, and nothing where that ends. */
	o->here.rewound = on && time == o->here.off;
	if (on) {
		if (!o->here.rewound)
			end_off(o, time);
	} else if (o->here.off == INT64_MAX) {
		o->here.off = time;
		o->here.off_depth = o->here.nentry;
	}
}

static void sample(struct tv_otf2 *o, int64_t time, uint64_t context)
{
	uint32_t region = region_of(o, true, context);

	tv_otf2_add_event(o, "sample", time,
			  region < o->nregion ? o->region[region].name
					      : tv_intern_text(o->trace->pool, "unnamed"));
}

static void take_event(struct tv_otf2 *o, const struct tv_otf2_record *record, const void *more)
{
	struct tv_otf2_here *here = &o->here;
	uint64_t first = record->arg[0];
	int64_t time;

	if (!time_of(o, record->time, &time)) {
		tv_otf2_dropped(o, "time out of range");
		return;
	}
	if (time < here->time) {
		tv_damaged(o->trace, TV_REPAIRED, "time that goes back",
			   (struct tv_pos){ o->path, 0 },
			   "%s: an event %" PRId64 " ns before the one before it",
			   tv_pool_text(o->trace->pool, here->resource), here->time - time);
		time = here->time;
	}
	here->time = time;
	o->last = time > o->last ? time : o->last;
	if (here->rewound)
		end_off(o, time);
	switch (record->kind) {
	case TV_OTF2_ENTER:
		tv_otf2_enter(o, region_of(o, false, first), time);
		break;
	case TV_OTF2_LEAVE:
		tv_otf2_leave(o, region_of(o, false, first), time);
		break;
	case TV_OTF2_ENTER_CONTEXT:
		tv_otf2_enter(o, region_of(o, true, first), time);
		break;
	case TV_OTF2_LEAVE_CONTEXT:
		tv_otf2_leave(o, region_of(o, true, first), time);
		break;
	case TV_OTF2_SAMPLE:
		sample(o, time, first);
		break;
	case TV_OTF2_FLUSH:
		flush(o, time, first);
		break;
	case TV_OTF2_ON_OFF:
		turn(o, time, first == 1);
		break;
	case TV_OTF2_TASK_CREATE:
	case TV_OTF2_TASK_SWITCH:
	case TV_OTF2_TASK_COMPLETE:
	case TV_OTF2_OLD_TASK_CREATE:
	case TV_OTF2_OLD_TASK_SWITCH:
	case TV_OTF2_OLD_TASK_COMPLETE:
		tv_otf2_task_event(o, record, time);
		break;
	case TV_OTF2_METRIC:
		tv_otf2_metric_event(o, record, more, time);
		break;
	case TV_OTF2_PUT:
	case TV_OTF2_GET:
	case TV_OTF2_RMA_DONE:
		tv_otf2_transfer_event(o, record, time);
		break;
	case TV_OTF2_IO_BEGIN:
	case TV_OTF2_IO_DONE:
		tv_otf2_io_event(o, record, time);
		break;
	default:
		tv_otf2_message_event(o, record, time);
	}
}

/* ---- records ---- */

/* Whether a record can come now: numbers of a stream that a damaged child sent are not trusted either. */
static bool is_valid(const struct tv_otf2 *o, const struct tv_otf2_record *record)
{
	bool inside = o->here.location != TV_NONE;

	if (record->kind >= TV_OTF2_NKINDS || record->bytes > MORE_MAX)
		return false;
	if (record->kind >= TV_OTF2_ENTER || record->kind == TV_OTF2_FINISH)
		return inside && o->resolution > 0;
	if (record->kind == TV_OTF2_BEGIN)
		return !inside && record->arg[0] < o->nlocation;
	if (record->kind == TV_OTF2_LOST)
		return !inside && record->arg[0] <= o->nlocation;
	return !inside
	    && (!o->resolved || record->kind == TV_OTF2_UNREAD || record->kind == TV_OTF2_END);
}

static int fail(struct tv_otf2 *o, const struct tv_apart *from, struct tv_error *err)
{
	return tv_fail_at(err, (struct tv_pos){ o->path, 0 },
			  "a damaged OTF2 archive: its library %s",
			  from->hangs ? "hangs in it" : "crashes in it");
}

/* Without its own definitions a location gives wrong names and times. */
static int lose(struct tv_otf2 *o, const struct tv_otf2_record *record, const char *why,
		struct tv_error *err)
{
	struct tv_pos at = { o->path, 0 };

	if (!o->resolved)
		tv_otf2_resolve(o);
	if (record->arg[0] > 0)
		return tv_fail_at(
			err, at, "the definitions of %s, its .def file, cannot be read: %.*s",
			tv_pool_text(o->trace->pool, o->location[record->arg[0] - 1].resource),
			(int)record->bytes, why);
	tv_damaged(o->trace, TV_REPAIRED, "definitions that end early", at,
		   "%.*s; what precedes is used", (int)record->bytes, why);
	return 0;
}

static int end(struct tv_otf2 *o, const struct tv_otf2_record *record, const char *why,
	       struct tv_error *err)
{
	struct tv_pos at = { o->path, 0 };

	if (record->arg[0] != 0)
		return tv_fail_at(err, at, "an OTF2 archive that cannot be read: %.*s",
				  record->bytes > 0 ? (int)record->bytes : 12,
				  record->bytes > 0 ? why : "no locations");
	if (o->resolution == 0)
		return tv_fail_at(err, at,
				  "an OTF2 archive without a clock, expected its ticks per second");
	return 0;
}

static int take_record(struct tv_otf2 *o, const struct tv_otf2_record *record, const void *more,
		       struct tv_error *err)
{
	switch (record->kind) {
	case TV_OTF2_END:
		if (!o->resolved)
			tv_otf2_resolve(o);
		return end(o, record, more, err);
	case TV_OTF2_BEGIN:
		if (!o->resolved)
			tv_otf2_resolve(o);
		if (o->resolution == 0)
			return end(o, &(struct tv_otf2_record){ 0 }, "", err);
		if (o->progress != NULL)
			o->progress(o->context, (double)record->arg[0] / (double)o->nlocation);
		begin_location(o, record->arg[0]);
		break;
	case TV_OTF2_FINISH:
		finish_location(o, record, more);
		break;
	case TV_OTF2_LOST:
		return lose(o, record, more, err);
	case TV_OTF2_UNREAD:
		tv_meta_add(o->trace, "NotRead", "%" PRIu64 " events of type %.*s", record->arg[0],
			    (int)record->bytes, (const char *)more);
		break;
	default:
		if (record->kind < TV_OTF2_BEGIN)
			tv_otf2_define(o, record, more);
		else
			take_event(o, record, more);
	}
	return 0;
}

/* The next record. */
static bool take_head(struct tv_otf2 *o, struct tv_apart *from, struct tv_otf2_record *record)
{
	const char *bytes = tv_apart_peek(from, 1);

	while (bytes != NULL) {
		size_t had = from->end - from->begin,
		       n = tv_otf2_unpack(record, &o->time, (const uint8_t *)bytes, had);

		from->begin += n;
		if (n > 0)
			return true;
		bytes = had < TV_OTF2_PACKED_MAX ? tv_apart_peek(from, had + 1) : NULL;
	}
	return false;
}

int tv_otf2_take(struct tv_otf2 *o, struct tv_apart *from, const char *path, struct tv_error *err)
{
	struct tv_otf2_record record = { .kind = TV_OTF2_NKINDS };
	char *more = NULL;
	size_t cap = 0;
	int rc = 0;

	o->path = path;
	TV_GROW(more, 0, cap, 1);
	while (rc == 0 && record.kind != TV_OTF2_END) {
		bool taken = take_head(o, from, &record) && is_valid(o, &record);

		if (taken && record.bytes > 0) {
			TV_GROW(more, 0, cap, record.bytes);
			taken = tv_apart_take(from, more, record.bytes);
		}
		rc = taken ? take_record(o, &record, more, err) : fail(o, from, err);
	}
	tv_free(more);
	return rc;
}

struct tv_otf2 *tv_otf2_new(struct tv_trace *trace)
{
	struct tv_otf2 *o = tv_alloc(1, sizeof *o);

	o->trace = trace;
	o->last = INT64_MIN;
	o->here.location = TV_NONE;
	return o;
}

void tv_otf2_write(struct tv_otf2 *o)
{
	tv_otf2_write_resources(o);
	tv_otf2_write_tasks(o);
	tv_otf2_write_messages(o);
	tv_collectives_number(o->trace, o->collective, o->ncollective);
	if (o->offs > 0)
		tv_notice(o->trace,
			  "the recorder was off %" PRIu64 " times, %.3f ms over all threads: what "
			  "they did then is not known (states of the type recorder)",
			  o->offs, (double)o->off / 1e6);
	if (o->flushes > 0)
		tv_notice(o->trace,
			  "the recorder wrote its buffers to disk %" PRIu64
			  " times during the run, %.3f ms in all: states of the type recorder",
			  o->flushes, (double)o->flushed / 1e6);
}

void tv_otf2_free(struct tv_otf2 *o)
{
	struct tv_otf2_here *here = &o->here;

	for (size_t i = 0; i < o->ngroup; i++)
		tv_free(o->group[i].member);
	for (size_t i = 0; i < o->nmetric; i++)
		tv_free(o->metric[i].member);
	tv_map_release(&o->ids);
	tv_numbers_release(&o->regions);
	tv_map_release(&o->locations_of);
	tv_map_release(&o->task_of);
	forget_numbers(here);
#define FREE(of, list) tv_free((of)->list)
	FREE(o, process);
	FREE(o, location);
	FREE(o, region);
	FREE(o, group);
	FREE(o, comm);
	FREE(o, member);
	FREE(o, metric);
	FREE(o, task);
	FREE(o, segment);
	FREE(o, collective);
	FREE(o, sends.at);
	FREE(o, receives.at);
	FREE(here, entry);
	FREE(here, call_at);
	FREE(here, use);
	FREE(here, request);
	FREE(here, transfer);
	FREE(here, value);
	FREE(here, io);
#undef FREE
	tv_free(o);
}

/* ---- the reader ---- */

static int probe(const char *head, size_t n)
{
	static const char magic[] = "\x03"
				    "BOTF2";

	return n >= sizeof magic - 1 && memcmp(head, magic, sizeof magic - 1) == 0 ? 100 : 0;
}

static void *begin(struct tv_trace *trace)
{
	return tv_otf2_new(trace);
}

static int read_file(void *state, struct tv_input *in, struct tv_error *err)
{
	struct tv_pos at = { in->path, 0 };
	struct tv_otf2 *o = state;
	struct tv_apart apart;
	int rc;

	TV_STAGE("records", NULL);
	if (!tv_otf2_is_built)
		return tv_fail_at(
			err, at,
			"an OTF2 archive, which needs the library of OTF2: this traceviz was "
			"built without it (Debian: libopen-trace-format2-dev)");
	if (in->codec != NULL || strcmp(in->path, "-") == 0)
		return tv_fail_at(err, at,
				  "an OTF2 archive that is %s, expected a file that is not "
				  "compressed and has its folder beside it",
				  in->codec != NULL ? "compressed" : "read from standard input");
	if (o->read)
		return tv_fail_at(
			err, at,
			"a second OTF2 archive in one folder, expected one: give its file");
	o->read = true;
	o->progress = in->progress;
	o->context = in->progress_context;
	if (!tv_apart_start(&apart, tv_otf2_send, (void *)(uintptr_t)in->path))
		return tv_fail_at(err, at, "no process can be started for the library of OTF2");
	rc = tv_otf2_take(o, &apart, in->path, err);
	tv_apart_stop(&apart);
	return rc;
}

static int finish(void *state, struct tv_error *err)
{
	(void)err;
	tv_otf2_write(state);
	return 0;
}

static void release(void *state)
{
	tv_otf2_free(state);
}

const struct tv_reader tv_otf2_reader = {
	.name = "otf2",
	.summary = "archives of OTF2: Score-P, EZTrace, TAU, APEX, PaRSEC",
	.brings = TV_BRINGS(TASKS) | TV_BRINGS(SUBMISSION) | TV_BRINGS(STATES)
		| TV_BRINGS(VARIABLES) | TV_BRINGS(LINKS) | TV_BRINGS(MESSAGES) | TV_BRINGS(CALLS)
		| TV_BRINGS(EVENTS),
	.probe = probe,
	.begin = begin,
	.read = read_file,
	.finish = finish,
	.free = release,
	.uses = "*.def",
	.memory = 40,
};
