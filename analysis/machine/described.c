/* SPDX-License-Identifier: GPL-3.0-or-later */
/* described.c -- evaluate a description of monitors on the variables of a trace. */
#include "analysis/machine/described.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/input.h"
#include "trace/sorted.h"

/* The value of an event of a monitor at an object, in the tick that ends at `end`. */
struct entry {
	int64_t start, end;
	uint32_t monitor, object, event;
	double value;
};

struct described {
	struct tv_samples *samples;
	struct tv_monitors monitors;
	struct entry *entry;
	size_t n, cap;
	struct tv_sample *out;
	size_t nout, out_cap;
};

static int read_file(struct tv_monitors *monitors, const char *path, struct tv_error *err)
{
	struct tv_bytes bytes = { 0 };
	struct tv_input in;
	int rc = tv_input_open(&in, path, err);

	if (rc < 0)
		return -1;
	rc = tv_input_all(&in, &bytes, err);
	tv_input_close(&in);
	if (rc == 0)
		rc = tv_monitors_read(monitors, path, (const char *)bytes.bytes, bytes.n, err);
	tv_bytes_release(&bytes);
	return rc;
}

/* ---- events ---- */

/* Which variables have values on objects of a level (TV_NONE: of any), by label. */
static bool *find_types(const struct tv_samples *samples, uint32_t level)
{
	bool *has = tv_alloc(tv_pool_count(samples->run->trace->pool), sizeof *has);

	for (size_t i = 0; i < samples->n; i++) {
		uint32_t object = samples->at[i].object;

		if (object != TV_NONE
		    && (level == TV_NONE || samples->machine.at[object].level == level))
			has[samples->at[i].type] = true;
	}
	return has;
}

static bool ends_in(const char *name, const char *event)
{
	size_t n = strlen(name), k = strlen(event);

	return n > k && name[n - k - 1] == '.' && strcmp(name + n - k, event) == 0;
}

/* The variables that end in an event: how many, up to 2; *type, *other: which. */
static unsigned find_ends(const struct tv_pool *pool, const bool *has, const char *event,
			  uint32_t *type, uint32_t *other)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < tv_pool_count(pool) && n < 2; i++)
		if (has[i] && ends_in(tv_pool_text(pool, i), event))
			*(n++ == 0 ? type : other) = i;
	return n;
}

/* The variable of that name, if it has values on objects; else TV_NONE. */
static uint32_t find_name(const struct tv_pool *pool, const bool *has, const char *name)
{
	uint32_t type = tv_pool_find_text(pool, name);

	return type != TV_NONE && has[type] ? type : TV_NONE;
}

/* The variable that an event of a monitor is. */
static int find_type(const struct described *d, const struct tv_monitor *m, size_t event,
		     const bool *has, uint32_t *type, struct tv_error *err)
{
	const struct tv_pool *pool = d->samples->run->trace->pool;
	char *own = tv_format("%s.%s", m->name, m->event[event]);
	uint32_t other = TV_NONE;
	unsigned n;

	*type = find_name(pool, has, m->event[event]);
	if (*type == TV_NONE)
		*type = find_name(pool, has, own);
	tv_free(own);
	if (*type != TV_NONE)
		return 0;
	n = find_ends(pool, has, m->event[event], type, &other);
	if (n > 1) {
		/* The one that has values on objects of the level. */
		bool *on = find_types(d->samples, tv_machine_level(&d->samples->machine, m->level));
		unsigned there = find_ends(pool, on, m->event[event], type, &other);

		tv_free(on);
		n = there > 0 ? there : n;
	}
	if (n == 0)
		return tv_monitor_fail(err, m, event,
				       "no variable '%s' or '%s.%s' on an object of the machine: "
				       "'reduce' and 'counter' list those of the trace",
				       m->event[event], m->name, m->event[event]);
	if (n > 1)
		return tv_monitor_fail(
			err, m, event, "'%s' may be '%s' or '%s', expected the name of one",
			m->event[event], tv_pool_text(pool, *type), tv_pool_text(pool, other));
	return 0;
}

/* ---- values ---- */

static void add(struct described *d, uint32_t monitor, uint32_t event, const struct tv_sample *s)
{
	TV_GROW(d->entry, d->n, d->cap, 1);
	d->entry[d->n++] = (struct entry){ s->start, s->end, monitor, s->object, event, s->value };
}

/* The samples of a variable on a level, or without any their sums there. */
static int add_event(struct described *d, uint32_t monitor, uint32_t event, uint32_t type,
		     struct tv_error *err)
{
	const struct tv_monitor *m = &d->monitors.monitor[monitor];
	const struct tv_machine *machine = &d->samples->machine;
	uint32_t level = tv_machine_level(machine, m->level);
	struct tv_samples sums;
	size_t n = d->n;
	int rc = 0;

	if (level == TV_NONE)
		return tv_machine_no_level(machine, m->level, err);
	tv_samples_part(&sums, d->samples, type);
	for (size_t i = 0; i < sums.n; i++)
		if (machine->at[sums.at[i].object].level == level)
			add(d, monitor, event, &sums.at[i]);
	if (d->n == n) {
		rc = tv_samples_reduce(&sums, m->level, TV_SAMPLES_SUM, err);
		for (size_t i = 0; rc == 0 && i < sums.n; i++)
			add(d, monitor, event, &sums.at[i]);
	}
	tv_samples_release(&sums);
	return rc;
}

static int add_events(struct described *d, struct tv_error *err)
{
	bool *has = find_types(d->samples, TV_NONE);
	int rc = 0;

	for (uint32_t i = 0; rc == 0 && i < d->monitors.n; i++) {
		const struct tv_monitor *m = &d->monitors.monitor[i];

		for (uint32_t k = 0; rc == 0 && m->source == TV_MONITOR_READ && k < m->nevents;
		     k++) {
			uint32_t type;

			rc = find_type(d, m, k, has, &type, err);
			if (rc == 0)
				rc = add_event(d, i, k, type, err);
		}
	}
	tv_free(has);
	return rc;
}

/* ---- evaluation ---- */

static uint32_t object_above(const void *context, uint32_t object, const char *level)
{
	const struct described *d = context;
	struct tv_machine *machine = &d->samples->machine;
	uint32_t number = tv_machine_level(machine, level);

	return number == TV_NONE ? UINT32_MAX : tv_object_above(machine, object, number);
}

static int64_t object_index(const void *context, uint32_t object)
{
	const struct described *d = context;

	return d->samples->machine.at[object].order;
}

static void emit(void *context, const struct tv_monitor *monitor, const char *name, uint32_t object,
		 int64_t start, int64_t end, double value)
{
	struct described *d = context;

	(void)monitor;
	TV_GROW(d->out, d->nout, d->out_cap, 1);
	d->out[d->nout++] = (struct tv_sample){ tv_intern_text(d->samples->run->trace->pool, name),
						d->samples->machine.at[object].id,
						object,
						start,
						end,
						value };
}

/* Ticks in the order of time; in each the monitors as described, their objects as in the machine. */
TV_ORDER(by_tick, struct entry, end, monitor, object, event)

/* Entries of one reading; how many. */
static size_t add_reading(struct tv_monitor_run *run, const struct described *d, size_t first)
{
	const struct entry *e = &d->entry[first];
	size_t width = d->monitors.monitor[e->monitor].width, n = 0;
	double *value = tv_alloc(width, sizeof *value);
	int64_t start = e->end;

	for (size_t i = 0; i < width; i++)
		value[i] = NAN;
	for (; first + n < d->n && e[n].end == e->end && e[n].monitor == e->monitor
	       && e[n].object == e->object;
	     n++) {
		value[e[n].event] = e[n].value;
		start = e[n].start < start ? e[n].start : start;
	}
	tv_monitor_add(run, e->monitor, e->object, start, e->end, value);
	tv_free(value);
	return n;
}

static void evaluate(struct described *d)
{
	const struct tv_monitor_machine machine = { object_above, object_index, d };
	struct tv_monitor_run *run = tv_monitor_run_new(&d->monitors, &machine);

	if (d->n > 1)
		qsort(d->entry, d->n, sizeof *d->entry, by_tick);
	for (size_t i = 0; i < d->n;) {
		i += add_reading(run, d, i);
		if (i == d->n || d->entry[i].end != d->entry[i - 1].end)
			tv_monitor_tick(run, emit, d);
	}
	tv_monitor_run_free(run);
}

int tv_described_apply(struct tv_samples *samples, const char *path, struct tv_error *err)
{
	struct described d = { .samples = samples };
	int rc = read_file(&d.monitors, path, err);

	if (rc == 0)
		rc = add_events(&d, err);
	if (rc == 0) {
		evaluate(&d);
		tv_free(samples->at);
		samples->at = d.out;
		samples->n = d.nout;
		tv_samples_sort(samples, TV_SAMPLES_SERIES);
		if (d.nout == 0)
			rc = tv_fail(
				err,
				"%s: no output has a value: their events are missing, a divisor "
				"is 0, or all are silent",
				path);
	}
	tv_monitors_release(&d.monitors);
	tv_free(d.entry);
	return rc;
}
