/* SPDX-License-Identifier: GPL-3.0-or-later */
/* evictions.c -- how memory for transfers was obtained. */
#include "analysis/data/evictions.h"

#include <string.h>

#include "analysis/data/data_events.h"
#include "trace/alloc.h"

/* An allocation that no transfer has taken yet. */
struct pending {
	struct tv_eviction eviction;
	bool active;
};

struct reader {
	const struct tv_data_events *events;
	struct pending *pending;
	uint32_t npending;
	size_t cap;
	struct tv_map of;      /* by memory node and handle: pending */
	uint32_t *last;	       /* by memory node: pending that began last; TV_NONE = none */
	uint32_t *transfer_of; /* by row of events: whose copy begins; TV_NONE = none */
	struct tv_eviction *out;
};

const char *tv_allocation_name(enum tv_allocation allocation)
{
	static const char *const name[] = {
#define NAME(symbol, text) [TV_ALLOCATION_##symbol] = (text),
		TV_ALLOCATIONS(NAME)
#undef NAME
	};

	return name[allocation];
}

static struct pending *find(struct reader *reader, const struct tv_data_event *event)
{
	const uint32_t *place = tv_map_get(&reader->of, event->memory, event->handle);

	return place != NULL && reader->pending[*place].active ? &reader->pending[*place] : NULL;
}

static void begin(struct reader *reader, const struct tv_data_event *event)
{
	uint32_t *place = tv_map_at(&reader->of, event->memory, event->handle);

	if (*place == TV_NONE) {
		TV_GROW(reader->pending, reader->npending, reader->cap, 1);
		*place = reader->npending++;
		reader->pending[*place].active = false;
	}
	if (!reader->pending[*place].active)
		reader->pending[*place] = (struct pending){ .active = true };
	reader->last[event->memory] = *place;
}

static void end(struct pending *pending, const struct tv_data_event *event, bool reuse)
{
	if (pending == NULL)
		return;
	if (event->info > 0)
		pending->eviction.allocation = reuse ? TV_ALLOCATION_REUSED : TV_ALLOCATION_NEW;
	else
		pending->eviction.failed += !reuse;
}

static void take(struct reader *reader, const struct tv_data_event *event)
{
	struct pending *pending = find(reader, event);
	uint32_t transfer = reader->transfer_of[event->row];

	if (pending == NULL)
		return;
	pending->active = false;
	if (transfer == TV_NONE)
		return;
	reader->out[transfer] = pending->eviction;
	if (pending->eviction.allocation == TV_ALLOCATION_NONE && pending->eviction.failed > 0)
		reader->out[transfer].allocation = TV_ALLOCATION_EVICTED;
}

/* What makes room counts for the allocation that began last. */
static void make_room(struct reader *reader, const struct tv_data_event *event)
{
	uint32_t last = reader->last[event->memory];
	struct tv_eviction *eviction;

	if (last == TV_NONE || !reader->pending[last].active)
		return;
	eviction = &reader->pending[last].eviction;
	if (event->what == TV_DATA_WRITE_BACK) {
		eviction->written_back++;
		return;
	}
	eviction->freed++;
	eviction->freed_size += event->size;
}

static void apply(struct reader *reader, const struct tv_data_event *event)
{
	struct pending *pending;

	switch (event->what) {
	case TV_DATA_ALLOCATE:
	case TV_DATA_REUSE:
		begin(reader, event);
		break;
	case TV_DATA_ALLOCATED:
	case TV_DATA_REUSED:
		end(find(reader, event), event, event->what == TV_DATA_REUSED);
		break;
	case TV_DATA_WRITE_BACK:
	case TV_DATA_FREE:
		make_room(reader, event);
		break;
	case TV_DATA_COPY:
	case TV_DATA_OWNER:
	case TV_DATA_SHARED:
		pending = find(reader, event);
		if (event->what == TV_DATA_COPY)
			take(reader, event);
		else if (pending != NULL)
			pending->active = false;
		break;
	default:
		break;
	}
}

struct tv_eviction *tv_evictions(const struct tv_data_transfers *transfers, struct tv_run *run)
{
	uint32_t nrows = tv_trace_table(run->trace, TV_EVENTS)->nrows;
	uint32_t nmemories = tv_run_memories(run)->n;
	struct reader reader = { .events = tv_run_data_events(run) };

	reader.out = tv_alloc(transfers->n, sizeof *reader.out);
	reader.last = tv_alloc(nmemories, sizeof *reader.last);
	reader.transfer_of = tv_alloc(nrows, sizeof *reader.transfer_of);
	for (uint32_t i = 0; i < nmemories; i++)
		reader.last[i] = TV_NONE;
	for (uint32_t i = 0; i < nrows; i++)
		reader.transfer_of[i] = TV_NONE;
	for (uint32_t i = 0; i < transfers->n; i++)
		if (transfers->at[i].copied != TV_NONE)
			reader.transfer_of[transfers->at[i].copied] = i;
	for (size_t i = 0; i < reader.events->n; i++)
		if (reader.events->at[i].memory != TV_NONE)
			apply(&reader, &reader.events->at[i]);
	tv_free(reader.pending);
	tv_free(reader.last);
	tv_free(reader.transfer_of);
	tv_map_release(&reader.of);
	return reader.out;
}
