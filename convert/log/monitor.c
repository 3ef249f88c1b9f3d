/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * monitor.c -- samples of events of the machine: rows of `variables`.
 *
 * A tick's samples are added per monitor, object and event: differences of counters since the sample
 * before, scaled where they were multiplexed, and states as they are. Monitors of a description are
 * then evaluated (monitor/monitor.h), others are written event by event.
 */
#include "convert/log/raw.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "monitor/monitor.h"
#include "trace/alloc.h"
#include "trace/cpuset.h"

enum { EVENTS_MAX = 256, SETS_MAX = 1 << 20 };

struct object {
	uint32_t name, level; /* labels; TV_NONE: not declared */
	uint64_t parent, order;
	struct tv_cpuset cpus;
};

struct event {
	char *name; /* monitor.event */
	bool counter, real;
	uint64_t scaled, rows; /* of the samples */
	uint32_t variable;     /* label of the name */
};

struct monitor {
	char *name;
	uint64_t described;
	struct event *event;
	size_t nevents, cap;
};

/* A monitor at an object, during a tick. */
struct reading {
	uint32_t monitor, object;
	double *value; /* per event */
	bool *missing; /* some part of it is */
	bool *has;     /* a part of it has come */
	bool used;     /* in this tick */
	int64_t start; /* of the interval; INT64_MAX: only states so far */
};

struct set {
	uint32_t reading, first, n; /* reading: TV_NONE = not declared */
	uint64_t *last;		    /* enabled, counted, values of the sample before */
	bool any;		    /* there was one */
	int64_t time;		    /* of it */
};

struct tv_raw_monitoring {
	struct tv_raw_log *log;
	struct tv_monitors described;
	struct tv_monitor_machine machine;
	struct tv_monitor_run *run; /* of the description */
	struct object *object;
	size_t nobjects, objects_cap;
	struct monitor *monitor;
	size_t nmonitors, monitors_cap;
	struct reading *reading;
	size_t nreadings, readings_cap;
	struct tv_map reading_of; /* by monitor, object */
	struct set *set;
	size_t nsets, sets_cap;
	struct tv_raw_shares *shares; /* of threads (shares.c); NULL = none */
	uint32_t *used;		      /* readings of this tick, in the order of their sets */
	size_t nused, used_cap;
	char suffix
		[24]; /* of variables that several samplers of a host have, each of its process */
	bool of_process;	     /* events of the description count for a process */
	int64_t now, before, period; /* times of this tick and of the one before */
	uint64_t ticks, missed, cpu, max_tick;
	struct tv_column *resource, *type, *start, *end, *value;
};

static struct tv_raw_monitoring *get(struct tv_raw_log *log)
{
	struct tv_raw_monitoring *m = log->monitoring;
	struct tv_trace *trace = log->run->trace;

	if (m != NULL)
		return m;
	m = log->monitoring = tv_alloc(1, sizeof *m);
	m->log = log;
	snprintf(m->suffix, sizeof m->suffix, "@%s", tv_pool_text(trace->pool, log->place));
	TV_TRACE_COLUMNS(trace, TV_VARIABLES, { "ResourceId", &m->resource }, { "Type", &m->type },
			 { "Start", &m->start }, { "End", &m->end }, { "Value", &m->value });
	return m;
}

void tv_raw_release_monitors(struct tv_raw_log *log)
{
	struct tv_raw_monitoring *m = log->monitoring;

	if (m == NULL)
		return;
	tv_monitor_run_free(m->run);
	tv_monitors_release(&m->described);
	for (size_t i = 0; i < m->nobjects; i++)
		tv_cpuset_release(&m->object[i].cpus);
	for (size_t i = 0; i < m->nmonitors; i++) {
		for (size_t k = 0; k < m->monitor[i].nevents; k++)
			tv_free(m->monitor[i].event[k].name);
		tv_free(m->monitor[i].event);
		tv_free(m->monitor[i].name);
	}
	for (size_t i = 0; i < m->nreadings; i++) {
		tv_free(m->reading[i].value);
		tv_free(m->reading[i].missing);
		tv_free(m->reading[i].has);
	}
	for (size_t i = 0; i < m->nsets; i++)
		tv_free(m->set[i].last);
	tv_free(m->object);
	tv_free(m->monitor);
	tv_free(m->reading);
	tv_map_release(&m->reading_of);
	tv_free(m->set);
	tv_free(m->used);
	tv_raw_release_shares(m->shares);
	tv_free(m);
	log->monitoring = NULL;
}

/* ---- declarations ---- */

/* The n-th text behind the arguments; "" where there is none. */
static const char *text_at(const struct tv_raw_event *event, unsigned args, unsigned n)
{
	const char *text = (const char *)event->arg + (size_t)args * 8;
	const char *end = (const char *)event->arg + (size_t)event->nargs * 8;

	for (; n > 0 && text < end; n--)
		text += strnlen(text, (size_t)(end - text)) + 1;
	return text < end && memchr(text, '\0', (size_t)(end - text)) != NULL ? text : "";
}

static void out_of_order(struct tv_raw_log *log, const struct tv_raw_event *event, const char *what)
{
	tv_raw_damaged(log, TV_DROPPED_BESIDE, "declaration of a monitor that does not fit",
		       event->offset, "%s %" PRIu64, what, tv_raw_arg(event, 0));
}

static void add_object(struct tv_raw_monitoring *m, const struct tv_raw_event *event)
{
	struct tv_raw_log *log = m->log;
	struct tv_pool *pool = log->run->trace->pool;
	const char *level = text_at(event, 6, 0), *cpus = text_at(event, 6, 1);
	bool prefix = log->run->machines;
	struct object *object;

	if (tv_raw_arg(event, 0) != m->nobjects) {
		out_of_order(log, event, "object");
		return;
	}
	TV_GROW(m->object, m->nobjects, m->objects_cap, 1);
	object = &m->object[m->nobjects++];
	*object = (struct object){
		.name = tv_raw_format_label(log->run, "%s%s%s:%" PRIu64, prefix ? log->host : "",
					    prefix ? "/" : "", level, tv_raw_arg(event, 2)),
		.level = tv_intern_text(pool, level),
		.parent = tv_raw_arg(event, 1),
		.order = tv_raw_arg(event, 2),
	};
	(void)!tv_cpuset_parse(&object->cpus, cpus, strlen(cpus));
}

static void add_monitor(struct tv_raw_monitoring *m, const struct tv_raw_event *event)
{
	if (tv_raw_arg(event, 0) != m->nmonitors) {
		out_of_order(m->log, event, "monitor");
		return;
	}
	TV_GROW(m->monitor, m->nmonitors, m->monitors_cap, 1);
	m->monitor[m->nmonitors++] = (struct monitor){
		.name = tv_strdup(text_at(event, 3, 0)),
		.described = tv_raw_arg(event, 2),
	};
	m->period = (int64_t)(tv_raw_arg(event, 1) & INT64_MAX);
}

static void note_fact(struct tv_raw_monitoring *m, const char *name, const char *what,
		      const char *value)
{
	char *key = tv_format("Monitor.%s.%s", name, what);
	size_t n;

	if (value[0] != '\0' && tv_meta_get(m->log->run->trace, key, &n) == NULL)
		tv_meta_add(m->log->run->trace, key, "%s", value);
	tv_free(key);
}

static void note_event(struct tv_raw_monitoring *m, const struct event *added,
		       const struct tv_raw_event *event)
{
	note_fact(m, added->name, "Unit", text_at(event, 2, 1));
	note_fact(m, added->name, "Backend", text_at(event, 2, 2));
	note_fact(m, added->name, "Scope", text_at(event, 2, 3));
	note_fact(m, added->name, "Kind", added->counter ? "counter" : "gauge");
}

static void add_event(struct tv_raw_monitoring *m, const struct tv_raw_event *event)
{
	uint64_t number = tv_raw_arg(event, 0);
	const char *scope = text_at(event, 2, 3);
	bool process = strncmp(scope, "process", 7) == 0;
	struct monitor *monitor;
	struct event *added;

	if (number >= m->nmonitors || tv_raw_arg(event, 1) != m->monitor[number].nevents
	    || m->monitor[number].nevents == EVENTS_MAX) {
		out_of_order(m->log, event, "event of monitor");
		return;
	}
	monitor = &m->monitor[number];
	TV_GROW(monitor->event, monitor->nevents, monitor->cap, 1);
	added = &monitor->event[monitor->nevents++];
	*added = (struct event){
		.name = tv_format("%s.%s", monitor->name, text_at(event, 2, 0)),
		.counter = event->code & TV_LOG_MONITOR_COUNTER,
		.real = event->code & TV_LOG_MONITOR_REAL,
	};
	if (process && monitor->described != TV_LOG_MONITOR_NONE)
		m->of_process = true;
	note_event(m, added, event);
	/* States of several processes are no state of the object; what they count adds up. */
	if (process && !added->counter && m->log->sampled_by_others) {
		char *name = tv_format("%s%s", added->name, m->suffix);

		tv_free(added->name);
		added->name = name;
		note_event(m, added, event);
	}
	added->variable = tv_intern_text(m->log->run->trace->pool, added->name);
}

static uint32_t get_reading(struct tv_raw_monitoring *m, uint32_t monitor, uint32_t object)
{
	uint32_t *at = tv_map_at(&m->reading_of, monitor, object);
	size_t n = m->monitor[monitor].nevents;

	if (*at != TV_NONE)
		return *at;
	*at = (uint32_t)m->nreadings;
	TV_GROW(m->reading, m->nreadings, m->readings_cap, 1);
	m->reading[m->nreadings++] = (struct reading){
		.monitor = monitor,
		.object = object,
		.value = tv_alloc(n, sizeof(double)),
		.missing = tv_alloc(n, sizeof(bool)),
		.has = tv_alloc(n, sizeof(bool)),
	};
	return *at;
}

static void add_set(struct tv_raw_monitoring *m, const struct tv_raw_event *event)
{
	uint64_t monitor = tv_raw_arg(event, 1), object = tv_raw_arg(event, 2);
	uint64_t first = tv_raw_arg(event, 3), n = tv_raw_arg(event, 4);

	if (tv_raw_arg(event, 0) != m->nsets || m->nsets == SETS_MAX || monitor >= m->nmonitors
	    || object >= m->nobjects || n > EVENTS_MAX || first > EVENTS_MAX
	    || first + n > m->monitor[monitor].nevents) {
		out_of_order(m->log, event, "set");
		return;
	}
	TV_GROW(m->set, m->nsets, m->sets_cap, 1);
	m->set[m->nsets++] = (struct set){
		.reading = get_reading(m, (uint32_t)monitor, (uint32_t)object),
		.first = (uint32_t)first,
		.n = (uint32_t)n,
		.last = tv_alloc((size_t)n + 2, sizeof(uint64_t)),
	};
}

/* ---- the machine, for descriptions ---- */

static bool is_level(const struct tv_raw_monitoring *m, uint32_t object, const char *level)
{
	return strcmp(tv_pool_text(m->log->run->trace->pool, m->object[object].level), level) == 0;
}

/* By the objects around it; else the first one that has all of its PUs. */
static uint32_t object_above(const void *context, uint32_t object, const char *level)
{
	const struct tv_raw_monitoring *m = context;
	uint64_t at = object;

	for (size_t i = 0; at < m->nobjects && i <= m->nobjects; i++, at = m->object[at].parent)
		if (is_level(m, (uint32_t)at, level))
			return (uint32_t)at;
	for (uint32_t i = 0; i < m->nobjects; i++)
		if (is_level(m, i, level)
		    && tv_cpuset_covers(&m->object[i].cpus, &m->object[object].cpus))
			return i;
	return UINT32_MAX;
}

static int64_t object_index(const void *context, uint32_t object)
{
	const struct tv_raw_monitoring *m = context;

	return (int64_t)(m->object[object].order & INT64_MAX);
}

void tv_raw_describe_monitors(struct tv_raw_log *log, const char *text)
{
	struct tv_raw_monitoring *m = get(log);
	struct tv_error err = { 0 };

	if (m->run != NULL || m->described.n > 0)
		return;
	m->machine = (struct tv_monitor_machine){ object_above, object_index, m };
	if (tv_monitors_read(&m->described, "MonitorFile", text, strlen(text), &err) < 0)
		tv_raw_damaged(log, TV_DROPPED_BESIDE, "description of monitors", 0, "%s",
			       err.text);
	else
		m->run = tv_monitor_run_new(&m->described, &m->machine);
}

/* ---- samples ---- */

static void add_row(struct tv_raw_monitoring *m, uint32_t resource, uint32_t type, int64_t start,
		    int64_t end, double value)
{
	uint32_t row = tv_table_add_row(&m->log->run->trace->table[TV_VARIABLES]);

	tv_set_label(m->resource, row, resource);
	tv_set_label(m->type, row, type);
	tv_set_int(m->start, row, tv_raw_time(m->log, start));
	tv_set_int(m->end, row, tv_raw_time(m->log, end));
	tv_set_double(m->value, row, value);
}

/* What is computed of one process's events is not that of another one's. */
static const char *output_suffix(const struct tv_raw_monitoring *m)
{
	return m->log->sampled_by_others && m->of_process ? m->suffix : "";
}

static void emit(void *context, const struct tv_monitor *monitor, const char *name, uint32_t object,
		 int64_t start, int64_t end, double value)
{
	struct tv_raw_monitoring *m = context;

	(void)monitor;
	add_row(m, m->object[object].name,
		tv_raw_format_label(m->log->run, "%s%s", name, output_suffix(m)), start, end,
		value);
}

/* The difference of a counter, as if it had counted for all of the time. False: it has not counted. */
static bool difference(struct event *event, uint64_t now, uint64_t before, uint64_t enabled,
		       uint64_t counted, double *value)
{
	*value = (double)(int64_t)(now - before);
	event->rows++;
	if (counted >= enabled || enabled - counted <= enabled / 1000)
		return true;
	event->scaled++;
	if (counted == 0)
		return false;
	*value *= (double)enabled / (double)counted;
	return true;
}

static void add_value(struct reading *reading, uint32_t at, double value, bool known)
{
	reading->value[at] = reading->has[at] ? reading->value[at] + value : value;
	reading->has[at] = true;
	reading->missing[at] |= !known || isnan(value);
}

static void use_reading(struct tv_raw_monitoring *m, uint32_t number)
{
	struct reading *reading = &m->reading[number];
	size_t n = m->monitor[reading->monitor].nevents;

	if (reading->used)
		return;
	reading->used = true;
	reading->start = INT64_MAX;
	memset(reading->missing, 0, n * sizeof *reading->missing);
	memset(reading->has, 0, n * sizeof *reading->has);
	TV_GROW(m->used, m->nused, m->used_cap, 1);
	m->used[m->nused++] = number;
}

static void add_sample(struct tv_raw_monitoring *m, const struct tv_raw_event *event)
{
	uint64_t number = tv_raw_arg(event, 0);
	struct reading *reading;
	struct monitor *monitor;
	struct set *set;

	if (number >= m->nsets || event->nargs < 3 + m->set[number].n) {
		tv_raw_damaged(m->log, TV_DROPPED_BESIDE, "sample that nothing declares",
			       event->offset, "set %" PRIu64 " of %zu", number, m->nsets);
		return;
	}
	set = &m->set[number];
	use_reading(m, set->reading);
	reading = &m->reading[set->reading];
	monitor = &m->monitor[reading->monitor];
	for (uint32_t i = 0; i < set->n; i++) {
		struct event *e = &monitor->event[set->first + i];
		uint64_t word = tv_raw_arg(event, 3 + i);
		double value = (double)(int64_t)word;
		bool known = true;

		if (e->real)
			memcpy(&value, &word, sizeof value);
		if (e->counter && !set->any)
			continue;
		if (e->counter)
			known = difference(e, word, set->last[2 + i],
					   tv_raw_arg(event, 1) - set->last[0],
					   tv_raw_arg(event, 2) - set->last[1], &value);
		if (e->counter && set->time < reading->start)
			reading->start = set->time;
		add_value(reading, set->first + i, value, known);
	}
	for (uint32_t i = 0; i < set->n + 2; i++)
		set->last[i] = tv_raw_arg(event, 1 + i);
	set->any = true;
	set->time = event->time;
}

/* ---- threads ---- */

static struct tv_raw_shares *get_shares(struct tv_raw_monitoring *m)
{
	if (m->shares == NULL)
		m->shares = tv_raw_new_shares(m->log);
	return m->shares;
}

static void add_share(struct tv_raw_monitoring *m, const struct tv_raw_event *event)
{
	uint64_t object = tv_raw_arg(event, 1);
	char pu[64] = "any-PU";

	if (object < m->nobjects)
		snprintf(pu, sizeof pu, "%.20s:%" PRIu64,
			 tv_pool_text(m->log->run->trace->pool, m->object[object].level),
			 m->object[object].order);
	tv_raw_share(get_shares(m), event, pu, m->before > 0 ? m->before : event->time);
}

/* What was read at m->now becomes rows. */
static void end_tick(struct tv_raw_monitoring *m)
{
	double value[EVENTS_MAX];

	for (size_t i = 0; i < m->nused; i++) {
		struct reading *reading = &m->reading[m->used[i]];
		const struct monitor *monitor = &m->monitor[reading->monitor];
		int64_t start = reading->start < m->now ? reading->start : m->now;
		bool any = false;

		for (size_t k = 0; k < monitor->nevents; k++) {
			bool known = reading->has[k] && !reading->missing[k];

			value[k] = known ? reading->value[k] : NAN;
			any |= known;
			if (known && monitor->described == TV_LOG_MONITOR_NONE)
				add_row(m, m->object[reading->object].name,
					monitor->event[k].variable,
					monitor->event[k].counter ? start : m->now, m->now,
					value[k]);
		}
		if (any && m->run != NULL && monitor->described < m->described.n
		    && m->described.monitor[monitor->described].width == monitor->nevents)
			tv_monitor_add(m->run, (uint32_t)monitor->described, reading->object, start,
				       m->now, value);
		reading->used = false;
	}
	if (m->run != NULL && m->nused > 0)
		tv_monitor_tick(m->run, emit, m);
	m->nused = 0;
	if (m->shares != NULL)
		tv_raw_end_shares(m->shares, m->now);
}

void tv_raw_monitor_event(struct tv_raw_log *log, const struct tv_raw_event *event)
{
	struct tv_raw_monitoring *m = get(log);

	if (event->time != m->now) {
		end_tick(m);
		m->before = m->now;
	}
	m->now = event->time;
	switch (event->kind) {
	case TV_LOG_MONITOR_OBJECT:
		add_object(m, event);
		break;
	case TV_LOG_MONITOR:
		add_monitor(m, event);
		break;
	case TV_LOG_MONITOR_EVENT:
		add_event(m, event);
		break;
	case TV_LOG_MONITOR_SET:
		add_set(m, event);
		break;
	case TV_LOG_MONITOR_SAMPLE:
		if (event->code == 1)
			tv_raw_share_sample(get_shares(m), event);
		else
			add_sample(m, event);
		break;
	case TV_LOG_MONITOR_THREAD:
		add_share(m, event);
		break;
	default:
		m->ticks = tv_raw_arg(event, 0);
		m->missed = tv_raw_arg(event, 1);
		m->cpu = tv_raw_arg(event, 2);
		if (tv_raw_arg(event, 3) > m->max_tick)
			m->max_tick = tv_raw_arg(event, 3);
	}
}

void tv_raw_write_monitors(struct tv_raw_log *log)
{
	struct tv_raw_monitoring *m = log->monitoring;
	struct tv_trace *trace = log->run->trace;

	char of[24] = "";

	if (m == NULL)
		return;
	if (log->run->samplers > 1)
		snprintf(of, sizeof of, "%s: ", tv_pool_text(trace->pool, log->place));
	end_tick(m);
	tv_raw_note_outputs(trace, &m->described, output_suffix(m));
	if (m->shares != NULL)
		tv_raw_write_shares(m->shares);
	if (m->period > 0)
		tv_meta_add(trace, "Monitor.Tick", "%s%" PRId64 " ns", of, m->period);
	tv_meta_add(trace, "Monitor.Ticks", "%s%" PRIu64, of, m->ticks);
	tv_meta_add(trace, "Monitor.Missed", "%s%" PRIu64, of, m->missed);
	tv_meta_add(trace, "Monitor.Cpu", "%s%" PRIu64 " ns", of, m->cpu);
	tv_meta_add(trace, "Monitor.LongestTick", "%s%" PRIu64 " ns", of, m->max_tick);
	for (size_t i = 0; i < m->nmonitors; i++)
		for (size_t k = 0; k < m->monitor[i].nevents; k++) {
			const struct event *event = &m->monitor[i].event[k];
			char *key;

			if (event->scaled == 0)
				continue;
			key = tv_format("Monitor.%s.Scaled", event->name);
			tv_meta_add(trace, key, "%s%" PRIu64 " of %" PRIu64 " samples", of,
				    event->scaled, event->rows);
			tv_free(key);
		}
}
