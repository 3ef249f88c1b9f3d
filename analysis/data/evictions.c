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

struct work {
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

static struct pending *find(struct work *work, const struct tv_data_event *event)
{
	const uint32_t *place = tv_map_get(&work->of, event->memory, event->handle);

	return place != NULL && work->pending[*place].active ? &work->pending[*place] : NULL;
}

static void begin(struct work *work, const struct tv_data_event *event)
{
	uint32_t *place = tv_map_at(&work->of, event->memory, event->handle);

	if (*place == TV_NONE) {
		TV_GROW(work->pending, work->npending, work->cap, 1);
		*place = work->npending++;
		work->pending[*place].active = false;
	}
	if (!work->pending[*place].active)
		work->pending[*place] = (struct pending){ .active = true };
	work->last[event->memory] = *place;
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

static void take(struct work *work, const struct tv_data_event *event)
{
	struct pending *pending = find(work, event);
	uint32_t transfer = work->transfer_of[event->row];

	if (pending == NULL)
		return;
	pending->active = false;
	if (transfer == TV_NONE)
		return;
	work->out[transfer] = pending->eviction;
	if (pending->eviction.allocation == TV_ALLOCATION_NONE && pending->eviction.failed > 0)
		work->out[transfer].allocation = TV_ALLOCATION_EVICTED;
}

/* What makes room counts for the allocation that began last. */
static void make_room(struct work *work, const struct tv_data_event *event)
{
	uint32_t last = work->last[event->memory];
	struct tv_eviction *eviction;

	if (last == TV_NONE || !work->pending[last].active)
		return;
	eviction = &work->pending[last].eviction;
	if (event->what == TV_DATA_WRITE_BACK) {
		eviction->written_back++;
		return;
	}
	eviction->freed++;
	eviction->freed_size += event->size;
}

static void apply(struct work *work, const struct tv_data_event *event)
{
	struct pending *pending;

	switch (event->what) {
	case TV_DATA_ALLOCATE:
	case TV_DATA_REUSE:
		begin(work, event);
		break;
	case TV_DATA_ALLOCATED:
	case TV_DATA_REUSED:
		end(find(work, event), event, event->what == TV_DATA_REUSED);
		break;
	case TV_DATA_WRITE_BACK:
	case TV_DATA_FREE:
		make_room(work, event);
		break;
	case TV_DATA_COPY:
	case TV_DATA_OWNER:
	case TV_DATA_SHARED:
		pending = find(work, event);
		if (event->what == TV_DATA_COPY)
			take(work, event);
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
	struct work work = { .events = tv_run_data_events(run) };

	work.out = tv_alloc(transfers->n, sizeof *work.out);
	work.last = tv_alloc(nmemories, sizeof *work.last);
	work.transfer_of = tv_alloc(nrows, sizeof *work.transfer_of);
	for (uint32_t i = 0; i < nmemories; i++)
		work.last[i] = TV_NONE;
	for (uint32_t i = 0; i < nrows; i++)
		work.transfer_of[i] = TV_NONE;
	for (uint32_t i = 0; i < transfers->n; i++)
		if (transfers->at[i].copied != TV_NONE)
			work.transfer_of[transfers->at[i].copied] = i;
	for (size_t i = 0; i < work.events->n; i++)
		if (work.events->at[i].memory != TV_NONE)
			apply(&work, &work.events->at[i]);
	tv_free(work.pending);
	tv_free(work.last);
	tv_free(work.transfer_of);
	tv_map_release(&work.of);
	return work.out;
}
