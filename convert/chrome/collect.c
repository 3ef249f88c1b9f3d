/* SPDX-License-Identifier: GPL-3.0-or-later */
/* collect.c -- each event of a file as a short record. */
#include <inttypes.h>

#include "convert/chrome/chrome.h"
#include "convert/formats.h"
#include "trace/alloc.h"
#include "trace/number.h"

/* Of a time or the end of a slice, so that the base time can be added. */
#define TIME_MAX (INT64_MAX / 2)
#define ADD(c, list) \
	(TV_GROW((c)->list, (c)->n##list, (c)->list##_cap, 1), &(c)->list[(c)->n##list++])

bool tv_chrome_is(struct tv_chrome_text text, const char *word)
{
	return text.n == strlen(word) && memcmp(text.s, word, text.n) == 0;
}

bool tv_chrome_time(struct tv_chrome_text text, int64_t *ns)
{
	return text.s != NULL && tv_convert_time(text.s, text.n, 3, ns);
}

struct tv_pos tv_chrome_at(const struct tv_chrome *c, long line)
{
	return (struct tv_pos){ c->path, line };
}

struct tv_pos tv_chrome_at_lane(const struct tv_chrome *c, uint32_t lane, long line)
{
	return (struct tv_pos){ c->input[c->process[c->lane[lane].process].file].path, line };
}

static uint32_t own_name(struct tv_chrome *c, struct tv_chrome_text text)
{
	return text.s == NULL ? TV_NONE : tv_intern(c->names, text.s, text.n);
}

static uint32_t label(struct tv_chrome *c, uint32_t *last, struct tv_chrome_text text)
{
	if (text.s == NULL)
		return TV_NONE;
	return *last = tv_intern_again(c->trace->pool, *last, text.s, text.n);
}

static uint32_t process_of(struct tv_chrome *c, uint32_t pid)
{
	uint32_t *place = tv_map_at(&c->processes, c->file, pid);

	if (*place == TV_NONE) {
		*place = (uint32_t)c->nprocess;
		*ADD(c, process) = (struct tv_chrome_process){ .file = c->file,
							       .pid = pid,
							       .name = TV_NONE,
							       .node = TV_NONE,
							       .resource = TV_NONE };
	}
	return *place;
}

/* Most events follow one on the same lane. */
uint32_t tv_chrome_lane(struct tv_chrome *c, struct tv_chrome_text pid, struct tv_chrome_text tid)
{
	uint32_t p = tv_intern_again(c->names, c->last_pid, pid.s, pid.n);
	uint32_t t = tv_intern_again(c->names, c->last_tid, tid.s, tid.n), *place, process;

	if (c->last_lane != TV_NONE && p == c->last_pid && t == c->last_tid)
		return c->last_lane;
	c->last_pid = p;
	c->last_tid = t;
	process = process_of(c, p);
	place = tv_map_at(&c->lanes, process, t);
	if (*place == TV_NONE) {
		*place = (uint32_t)c->nlane;
		*ADD(c, lane) = (struct tv_chrome_lane){
			.process = process, .tid = t, .name = TV_NONE, .resource = TV_NONE
		};
	}
	return c->last_lane = *place;
}

static uint32_t lane_of(struct tv_chrome *c, const struct tv_chrome_event *event)
{
	static const struct tv_chrome_text zero = { "0", 1 };
	struct tv_chrome_text pid = event->field[TV_CHROME_PID], tid = event->field[TV_CHROME_TID];

	return tv_chrome_lane(c, pid.s != NULL ? pid : zero, tid.s != NULL ? tid : zero);
}

/* ---- args ---- */

static bool whole_number(struct tv_chrome_text text, int64_t *value)
{
	return tv_parse_int(text.s, text.n, value) == TV_PARSE_OK;
}

struct tv_chrome_more tv_chrome_no_more(void)
{
	return (struct tv_chrome_more){ .correlation = TV_NONE, .guid = TV_NONE, .work = TV_NONE };
}

/* One value of the args of a slice; whether it is one that is kept. */
static bool use_arg(struct tv_chrome *c, struct tv_chrome_more *more, struct tv_chrome_work *work,
		    const struct tv_chrome_arg *arg)
{
	if (tv_chrome_is(arg->key, "correlation")) {
		more->correlation = own_name(c, arg->value);
	} else if (tv_chrome_is(arg->key, "GUID")) {
		more->guid = own_name(c, arg->value);
		c->guids = true;
	} else if (tv_chrome_is(arg->key, "Parent GUID")) {
		if (tv_chrome_is(arg->value, "0"))
			return false;
		if (c->nparent == UINT32_MAX)
			tv_memory_exhausted(0);
		if (more->nparents == 0)
			more->parents = (uint32_t)c->nparent;
		TV_GROW(c->parent, c->nparent, c->parent_cap, 1);
		c->parent[c->nparent++] = own_name(c, arg->value);
		more->nparents++;
	} else if (tv_chrome_is(arg->key, "device")) {
		return whole_number(arg->value, &work->device);
	} else if (tv_chrome_is(arg->key, "stream")) {
		return whole_number(arg->value, &work->stream);
	} else if (tv_chrome_is(arg->key, "bytes")) {
		return whole_number(arg->value, &work->bytes);
	} else {
		return false;
	}
	return true;
}

uint32_t tv_chrome_keep_more(struct tv_chrome *c, const struct tv_chrome_more *more,
			     const struct tv_chrome_work *work)
{
	*ADD(c, more) = *more;
	if (work->device >= 0 || work->stream >= 0 || work->bytes >= 0) {
		*ADD(c, work) = *work;
		c->more[c->nmore - 1].work = (uint32_t)c->nwork - 1;
	}
	return (uint32_t)c->nmore - 1;
}

void tv_chrome_add_slice(struct tv_chrome *c, const struct tv_chrome_slice *slice)
{
	*ADD(c, slice) = *slice;
}

static struct tv_chrome_text arg_named(const struct tv_chrome_event *event, const char *key)
{
	for (size_t i = 0; i < event->nargs; i++)
		if (tv_chrome_is(event->arg[i].key, key))
			return event->arg[i].value;
	return (struct tv_chrome_text){ NULL, 0 };
}

/* Whether args are those of APEX or PyTorch, of which only some have a meaning here. */
static bool has_rules(const struct tv_chrome_event *event)
{
	static const char *const keys[] = { "GUID", "correlation", "External id" };

	for (size_t i = 0; i < TV_COUNT(keys); i++)
		if (arg_named(event, keys[i]).s != NULL)
			return true;
	return false;
}

static uint32_t keep_more(struct tv_chrome *c, const struct tv_chrome_event *event)
{
	struct tv_chrome_more more = tv_chrome_no_more();
	struct tv_chrome_work work = { -1, -1, -1 };
	bool known = has_rules(event), any = false;

	for (size_t i = 0; i < event->nargs; i++) {
		any |= use_arg(c, &more, &work, &event->arg[i]);
		if (!known)
			tv_chrome_keep_arg(c, &more, &event->arg[i], i);
	}
	if (!any && more.nargs == 0)
		return TV_NONE;
	return tv_chrome_keep_more(c, &more, &work);
}

/* ---- times ---- */

static void note_digits(struct tv_chrome *c, struct tv_chrome_text text)
{
	const char *dot = text.s == NULL ? NULL : memchr(text.s, '.', text.n);
	int digits = dot == NULL ? 0 : (int)(text.s + text.n - dot - 1);

	/* Zeros at the end are no digits that a clock has. */
	while (digits > c->digits && dot[digits] == '0')
		digits--;
	if (digits > c->digits)
		c->digits = digits < 3 ? digits : 3;
}

static const char *cause_of_time(struct tv_chrome_text text)
{
	return text.s == NULL ? "no time" : "bad time";
}

/* The time of an event; false, counted, if it has none. */
static bool time_of(struct tv_chrome *c, const struct tv_chrome_event *event, int64_t *ns)
{
	struct tv_chrome_text ts = event->field[TV_CHROME_TS];

	if (tv_chrome_time(ts, ns)) {
		note_digits(c, ts);
		return true;
	}
	tv_damaged(c->trace, TV_DROPPED, cause_of_time(ts), tv_chrome_at(c, event->line),
		   "ts '%.*s', expected a number of microseconds", ts.n < 80 ? (int)ts.n : 80,
		   ts.s != NULL ? ts.s : "");
	return false;
}

/* ---- phases ---- */

/* Of slices, marks and instants. */
#define LABELS_OF(c, event) \
	.lane = lane_of(c, event), \
	.name = label(c, &(c)->last_name, (event)->field[TV_CHROME_NAME]), \
	.cat = label(c, &(c)->last_cat, (event)->field[TV_CHROME_CAT])

static void add_slice(struct tv_chrome *c, const struct tv_chrome_event *event)
{
	struct tv_chrome_text dur = event->field[TV_CHROME_DUR];
	int64_t start, length = 0;
	struct tv_pos at = tv_chrome_at(c, event->line);

	if (!time_of(c, event, &start))
		return;
	if (dur.s == NULL)
		tv_damaged(c->trace, TV_REPAIRED, "no duration", at,
			   "a slice (X) without dur: it ends where it starts");
	else if (!tv_chrome_time(dur, &length) || length < 0) {
		tv_damaged(c->trace, TV_DROPPED, length < 0 ? "negative duration" : "bad duration",
			   at, "dur '%.*s', expected a number of microseconds from 0 on",
			   dur.n < 80 ? (int)dur.n : 80, dur.s);
		return;
	}
	note_digits(c, dur);
	length += start;
	if (length > TIME_MAX) {
		tv_damaged(c->trace, TV_DROPPED, "bad duration", at,
			   "the slice ends later than 64-bit nanoseconds allow");
		return;
	}
	*ADD(c, slice) = (struct tv_chrome_slice){
		.start = start,
		.end = length,
		LABELS_OF(c, event),
		.more = event->nargs > 0 ? keep_more(c, event) : TV_NONE,
		.seq = c->seq,
	};
}

static void add_mark(struct tv_chrome *c, const struct tv_chrome_event *event, bool begin)
{
	int64_t time;

	if (!time_of(c, event, &time))
		return;
	*ADD(c, mark) = (struct tv_chrome_mark){
		.time = time,
		LABELS_OF(c, event),
		.more = event->nargs > 0 ? keep_more(c, event) : TV_NONE,
		.seq = c->seq,
		.begin = begin,
		.line = event->line,
	};
}

static void add_instant(struct tv_chrome *c, const struct tv_chrome_event *event, bool async)
{
	struct tv_chrome_text step = arg_named(event, "step");
	int64_t time;

	if (!time_of(c, event, &time))
		return;
	*ADD(c, instant) = (struct tv_chrome_instant){
		.time = time,
		LABELS_OF(c, event),
		.guid = own_name(c, arg_named(event, "GUID")),
		.async = async,
	};
	if (async && step.s != NULL)
		c->instant[c->ninstant - 1].name = label(c, &c->last_name, step);
}

/* The name of a series: that of the counter, its id, and the key of one of several values. */
static uint32_t series_name(struct tv_chrome *c, const struct tv_chrome_event *event, size_t arg)
{
	struct tv_chrome_text name = event->field[TV_CHROME_NAME], id = event->field[TV_CHROME_ID],
			      key = event->arg[arg].key;
	bool one = event->nargs == 1 || tv_chrome_is(key, "value");
	char *text = tv_format("%.*s%s%.*s%s%.*s", (int)name.n, name.s != NULL ? name.s : "",
			       id.s != NULL ? " " : "", (int)id.n, id.s != NULL ? id.s : "",
			       one ? "" : ".", one ? 0 : (int)key.n, key.s);
	uint32_t series = tv_intern_text(c->trace->pool, text);

	tv_free(text);
	return series;
}

static void add_samples(struct tv_chrome *c, const struct tv_chrome_event *event)
{
	int64_t time;
	double value;
	uint32_t lane;

	if (!time_of(c, event, &time))
		return;
	lane = lane_of(c, event);
	for (size_t i = 0; i < event->nargs; i++) {
		struct tv_chrome_text text = event->arg[i].value;

		if (tv_parse_double(text.s, text.n, &value) != TV_PARSE_OK)
			continue; /* a text beside the values */
		*ADD(c, sample) = (struct tv_chrome_sample){
			.time = time,
			.value = value,
			.process = c->lane[lane].process,
			.name = series_name(c, event, i),
			.seq = c->seq,
		};
	}
}

/* A number of what has these labels, of one file or, without a file, of all; ids of a process belong to it. */
static uint64_t key_of(struct tv_chrome *c, const struct tv_chrome_event *event, uint32_t lane,
		       bool flow, uint32_t file)
{
	uint32_t cat = own_name(c, event->field[TV_CHROME_CAT]);
	uint32_t of = own_name(c, event->field[flow ? TV_CHROME_NAME : TV_CHROME_SCOPE]);
	uint32_t id = own_name(c, event->field[TV_CHROME_ID]);
	uint32_t process = event->local ? c->lane[lane].process + 1 : 0;
	uint32_t *first = tv_map_at(&c->keys, (uint64_t)cat << 32 | of,
				    (uint64_t)file << 32 | process);
	uint32_t group = *first != TV_NONE ? *first : (*first = c->nkeys++);
	uint32_t *second = tv_map_at(&c->keys, (uint64_t)group << 32 | id, UINT64_MAX);

	return *second != TV_NONE ? *second : (*second = c->nkeys++);
}

static void add_point(struct tv_chrome *c, const struct tv_chrome_event *event, char phase,
		      bool flow)
{
	struct tv_chrome_point point = { .phase = phase,
					 .encloses = tv_chrome_is(event->field[TV_CHROME_BP], "e"),
					 .seq = c->seq };

	if (!time_of(c, event, &point.time))
		return;
	if (event->field[TV_CHROME_ID].s == NULL) {
		tv_damaged(c->trace, TV_DROPPED_BESIDE, "no id", tv_chrome_at(c, event->line),
			   "an event of a flow or an asynchronous span (%c) without id", phase);
		return;
	}
	point.lane = lane_of(c, event);
	point.name = label(c, &c->last_name, event->field[TV_CHROME_NAME]);
	point.cat = label(c, &c->last_cat, event->field[TV_CHROME_CAT]);
	point.key = key_of(c, event, point.lane, flow, c->file);
	point.beyond = flow ? key_of(c, event, point.lane, flow, TV_NONE) : 0;
	if (flow)
		*ADD(c, flow) = point;
	else
		*ADD(c, async) = point;
}

/* Names of threads and processes. */
static void use_metadata(struct tv_chrome *c, const struct tv_chrome_event *event)
{
	struct tv_chrome_text name = event->field[TV_CHROME_NAME], text = arg_named(event, "name");
	bool process = name.s != NULL && tv_chrome_is(name, "process_name");
	uint32_t lane;

	if (name.s == NULL || text.n == 0 || (!process && !tv_chrome_is(name, "thread_name")))
		return;
	lane = lane_of(c, event);
	*(process ? &c->process[c->lane[lane].process].name
		  : &c->lane[lane].name) = tv_intern(c->trace->pool, text.s, text.n);
}

static void use_event(void *context, const struct tv_chrome_event *event)
{
	struct tv_chrome *c = context;
	struct tv_chrome_text ph = event->field[TV_CHROME_PH];
	char phase = ph.n == 1 ? ph.s[0] : '\0';

	if (!event->whole)
		tv_damaged(c->trace, TV_DROPPED_BESIDE, "long event", tv_chrome_at(c, event->line),
			   "the args of an event have more than %d MiB, the rest is not read",
			   TV_CHROME_EVENT_MAX >> 20);
	if (c->own != NULL) {
		tv_chrome_own_event(c->own, event, c->input[c->file].base,
				    tv_chrome_at(c, event->line));
		return;
	}
	c->seq++;
	switch (phase) {
	case 'X':
		add_slice(c, event);
		break;
	case 'B':
	case 'E':
		add_mark(c, event, phase == 'B');
		break;
	case 'i':
	case 'I':
	case 'R':
	case 'n':
	case 'T':
	case 'p':
		add_instant(c, event, phase == 'n' || phase == 'T' || phase == 'p');
		break;
	case 'C':
		add_samples(c, event);
		break;
	case 's':
	case 't':
	case 'f':
		add_point(c, event, phase, true);
		break;
	case 'b':
	case 'S':
		add_point(c, event, 'b', false);
		break;
	case 'e':
	case 'F':
		add_point(c, event, 'e', false);
		break;
	case 'M':
		use_metadata(c, event);
		break;
	case '\0':
		tv_damaged(c->trace, TV_DROPPED, "no phase", tv_chrome_at(c, event->line),
			   "an event without ph, expected one letter");
		break;
	default:
		c->unread[(unsigned char)phase < 128 ? (unsigned char)phase : '?']++;
	}
}

/* ---- beside the events ---- */

static void use_member(void *context, const char *object, const char *key,
		       struct tv_chrome_text value)
{
	struct tv_chrome *c = context;
	int64_t number;

	if (strcmp(object, "distributedInfo") == 0 && strcmp(key, "rank") == 0
	    && whole_number(value, &number) && number >= 0)
		c->input[c->file].rank = number;
	else if (object[0] == '\0' && strcmp(key, "baseTimeNanoseconds") == 0
		 && tv_convert_time(value.s, value.n, 0, &number))
		c->input[c->file].base = number;
	else if (strcmp(object, "otherData") == 0 && strcmp(key, "producer") == 0
		 && tv_chrome_is(value, TV_CHROME_PRODUCER) && c->own == NULL && c->seq == 0)
		c->own = tv_chrome_own_new(c->trace);
	else if (strcmp(object, "otherData") == 0 && c->own != NULL)
		tv_chrome_own_columns(c->own, key, value);
}

/* Numbers of records, to find those of one file. */
struct counts {
	size_t slice, mark, instant, sample, flow, async;
};

static struct counts count(const struct tv_chrome *c)
{
	return (struct counts){ c->nslice, c->nmark, c->ninstant, c->nsample, c->nflow, c->nasync };
}

/* The base time of a file, which may follow its events. */
static void add_base(struct tv_chrome *c, const struct counts *from, int64_t base)
{
	for (size_t i = from->slice; i < c->nslice; i++) {
		c->slice[i].start += base;
		c->slice[i].end += base;
	}
	for (size_t i = from->mark; i < c->nmark; i++)
		c->mark[i].time += base;
	for (size_t i = from->instant; i < c->ninstant; i++)
		c->instant[i].time += base;
	for (size_t i = from->sample; i < c->nsample; i++)
		c->sample[i].time += base;
	for (size_t i = from->flow; i < c->nflow; i++)
		c->flow[i].time += base;
	for (size_t i = from->async; i < c->nasync; i++)
		c->async[i].time += base;
}

static int check_end(struct tv_chrome *c, const struct tv_chrome_end *end, bool empty,
		     struct tv_error *err)
{
	struct tv_pos at = tv_chrome_at(c, end->line);

	if (end->broken && empty)
		return tv_fail_at(err, at, "no JSON: %s", end->text);
	if (!end->events || (empty && c->own == NULL))
		return tv_fail_at(err, tv_chrome_at(c, 0),
				  "JSON without trace events, expected a list of events, or an "
				  "object with the member traceEvents");
	if (end->broken)
		tv_damaged(c->trace, TV_DROPPED, "no JSON", at,
			   "%s; what precedes is used, the rest of the file is not", end->text);
	if (end->cut)
		tv_damaged(c->trace, TV_REPAIRED, TV_CUT_RECORD, at,
			   "the file ends within its text; what precedes is used");
	return 0;
}

void tv_chrome_begin_file(struct tv_chrome *c, const char *path)
{
	*ADD(c, input) = (struct tv_chrome_file){ .path = path, .rank = -1 };
	c->path = path;
	c->last_lane = TV_NONE;
}

/* Whether the file that was read has a process with the pid of one of an earlier file, or traceviz wrote both. */
static bool repeats_process(const struct tv_chrome *c)
{
	for (size_t i = 0; i < c->nprocess; i++)
		for (uint32_t file = 0; c->process[i].file == c->file && file < c->file; file++)
			if (tv_map_get(&c->processes, file, c->process[i].pid) != NULL)
				return true;
	return c->own != NULL && c->file > 0;
}

int tv_chrome_collect(struct tv_chrome *c, struct tv_input *in, struct tv_error *err)
{
	const struct tv_chrome_sink sink = { c, use_event, use_member, false };
	struct counts from = count(c);
	struct tv_chrome_end end;
	uint32_t before = c->seq;
	int rc;

	tv_chrome_begin_file(c, in->path);
	rc = tv_chrome_parse(in, &sink, &end, err);
	if (rc == 0)
		rc = check_end(c, &end, c->seq == before, err);
	if (rc == 0 && c->input[c->file].base != 0)
		add_base(c, &from, c->input[c->file].base);
	c->repeats = c->repeats || repeats_process(c);
	c->file++;
	return rc;
}
