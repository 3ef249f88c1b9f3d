/* SPDX-License-Identifier: GPL-3.0-or-later */
/* values.c -- metrics, operations on files, other events. */
#include "convert/otf2/otf2.h"

#include <string.h>

#include "trace/alloc.h"

/* Parts of the mode of a metric: what a value is, and when it holds. */
enum { ACCUMULATED = 0, VALUE_MASK = 15, LAST = 2 << 4, TIMING_MASK = 240 };

/* ---- metrics ---- */

static void add_variable(struct tv_otf2 *o, uint32_t resource, uint32_t name, int64_t start,
			 int64_t end, double value)
{
	struct tv_column **to = o->variable;
	uint32_t row = tv_table_add_row(&o->trace->table[TV_VARIABLES]);

	if (to[0] == NULL)
		TV_TRACE_COLUMNS(o->trace, TV_VARIABLES, { "ResourceId", &to[0] },
				 { "Type", &to[1] }, { "Start", &to[2] }, { "End", &to[3] },
				 { "Value", &to[4] });
	tv_set_label(to[0], row, resource);
	tv_set_label(to[1], row, name);
	tv_set_int(to[2], row, start);
	tv_set_int(to[3], row, end);
	tv_set_double(to[4], row, value);
}

enum { UNSIGNED, SIGNED, FLOATING };

/* The value, or what it is above another one of the same type. */
static double number_of(uint64_t type, uint64_t bits, uint64_t first)
{
	double value, before;

	if (type != FLOATING)
		return type == SIGNED || bits < first ? (double)(int64_t)(bits - first)
						      : (double)(bits - first);
	memcpy(&value, &bits, sizeof value);
	memcpy(&before, &first, sizeof before);
	return value - before;
}

/* The class of a metric, and the location that it is of. */
static const struct tv_otf2_metric *class_of(const struct tv_otf2 *o, uint64_t reference,
					     uint32_t *resource)
{
	uint32_t place = tv_otf2_find(o, TV_OTF2_CLASS, reference);

	*resource = o->here.resource;
	if (place != TV_NONE && o->metric[place].instance) {
		uint32_t location = tv_otf2_find(o, TV_OTF2_LOCATION, o->metric[place].scope);

		if (location != TV_NONE)
			*resource = o->location[location].resource;
		place = tv_otf2_find(o, TV_OTF2_CLASS, o->metric[place].class);
	}
	return place != TV_NONE && !o->metric[place].instance ? &o->metric[place] : NULL;
}

/* A value that holds until the next one, or did since the one before. */
static void read_value(struct tv_otf2 *o, uint32_t resource, const struct tv_otf2_member *member,
		       uint32_t *slot, const uint64_t pair[2], int64_t time)
{
	struct tv_otf2_here *here = &o->here;
	bool accumulated = (member->mode & VALUE_MASK) == ACCUMULATED,
	     last = (member->mode & TIMING_MASK) == LAST, begins = *slot == TV_NONE;
	struct tv_otf2_value *value;
	double number;

	if (begins) {
		*slot = (uint32_t)here->nvalue;
		TV_GROW(here->value, here->nvalue, here->value_cap, 1);
		here->value[here->nvalue++] = (struct tv_otf2_value){
			.since = time,
			.first = accumulated ? pair[1] : 0,
			.resource = resource,
			.name = member->name,
			.holds = !last,
		};
	}
	value = &here->value[*slot];
	number = number_of(pair[0], pair[1], value->first) * member->unit;
	if (last && !begins)
		add_variable(o, resource, member->name, value->since, time, number);
	else if (!last && !begins)
		add_variable(o, resource, member->name, value->since, time, value->value);
	value->since = time;
	value->value = number;
}

void tv_otf2_metric_event(struct tv_otf2 *o, const struct tv_otf2_record *record,
			  const uint64_t *values, int64_t time)
{
	uint32_t resource;
	const struct tv_otf2_metric *class = class_of(o, record->arg[0], &resource);
	size_t n = record->bytes / (2 * sizeof *values);

	if (class == NULL || class->n != n) {
		tv_otf2_dropped(o, "metric that is not defined");
		return;
	}
	for (size_t i = 0; i < n; i++) {
		uint32_t member = tv_otf2_find(o, TV_OTF2_MEMBER, class->member[i]);

		if (member == TV_NONE || o->member[member].name == TV_NONE)
			tv_otf2_dropped(o, "metric that is not defined");
		else
			read_value(o, resource, &o->member[member],
				   tv_map_at(&o->here.values, record->arg[0], i), values + 2 * i,
				   time);
	}
}

void tv_otf2_end_metrics(struct tv_otf2 *o)
{
	for (size_t i = 0; i < o->here.nvalue; i++) {
		const struct tv_otf2_value *value = &o->here.value[i];

		if (value->holds)
			add_variable(o, value->resource, value->name, value->since, o->here.time,
				     value->value);
	}
}

/* ---- events ---- */

uint32_t tv_otf2_add_event(struct tv_otf2 *o, const char *type, int64_t time, uint32_t value)
{
	struct tv_trace *trace = o->trace;
	uint32_t row = tv_table_add_row(&trace->table[TV_EVENTS]);

	tv_set_label(tv_trace_column(trace, TV_EVENTS, "ResourceId"), row, o->here.resource);
	tv_set_text(tv_trace_column(trace, TV_EVENTS, "Type"), row, type);
	tv_set_int(tv_trace_column(trace, TV_EVENTS, "Time"), row, time);
	tv_set_label(tv_trace_column(trace, TV_EVENTS, "Value"), row, value);
	return row;
}

/* ---- files ---- */

/* Bytes of a call of MPI go to its row; of other functions to an event from begin to end. bytes: -1 = not known. */
static void end_io(struct tv_otf2 *o, struct tv_otf2_io *io, int64_t time, int64_t bytes)
{
	static const char *const mode[] = { "I/O read", "I/O write", "I/O flush" };
	uint32_t row;

	io->ended = true;
	if (io->call != TV_NONE) {
		struct tv_otf2_call *call = &o->here.call_at[io->call];
		int64_t sum;

		if (bytes < 0)
			return;
		if (__builtin_add_overflow(call->bytes > 0 ? call->bytes : 0, bytes, &sum))
			tv_otf2_dropped(o, "size that makes the bytes of a call too many");
		else
			call->bytes = sum;
		return;
	}
	row = tv_otf2_add_event(o, io->mode < TV_COUNT(mode) ? mode[io->mode] : "I/O", io->start,
				io->region);
	tv_set_int(tv_trace_column(o->trace, TV_EVENTS, "End"), row, time);
	if (bytes >= 0)
		tv_set_int(tv_trace_column(o->trace, TV_EVENTS, "Size"), row, bytes);
}

void tv_otf2_io_event(struct tv_otf2 *o, const struct tv_otf2_record *record, int64_t time)
{
	struct tv_otf2_here *here = &o->here;
	uint64_t bytes = record->arg[1];
	uint32_t *place = tv_map_at(&here->ios, record->arg[0], record->arg[2]);

	if (record->kind == TV_OTF2_IO_BEGIN) {
		*place = (uint32_t)here->nio;
		TV_GROW(here->io, here->nio, here->io_cap, 1);
		here->io[here->nio++] = (struct tv_otf2_io){
			time, record->arg[1], here->call,
			here->nentry > 0 ? o->region[here->entry[here->nentry - 1].region].name
					 : TV_NONE,
			false
		};
	} else if (*place == TV_NONE) {
		tv_otf2_dropped(o, "end of an operation on a file that did not begin");
	} else {
		end_io(o, &here->io[*place], time, bytes > INT64_MAX ? -1 : (int64_t)bytes);
		*place = TV_NONE;
	}
}

void tv_otf2_end_ios(struct tv_otf2 *o)
{
	for (size_t i = 0; i < o->here.nio; i++)
		if (!o->here.io[i].ended) {
			tv_damaged(o->trace, TV_REPAIRED, "operation on a file that does not end",
				   (struct tv_pos){ o->path, 0 }, "%s: it ends with its last event",
				   tv_pool_text(o->trace->pool, o->here.resource));
			end_io(o, &o->here.io[i], o->here.time, -1);
		}
}
