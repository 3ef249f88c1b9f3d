/* SPDX-License-Identifier: GPL-3.0-or-later */
/* handles.c -- data handles: what is registered where, until when. */
#include <inttypes.h>

#include "convert/fxt/fxt.h"
#include "trace/alloc.h"

uint32_t tv_fxt_handle_label(struct tv_fxt_rank *rank, uint64_t address)
{
	const uint32_t *known = tv_map_get(&rank->data.label_of, address, 0);
	uint32_t label;

	if (known != NULL)
		return *known;
	label = tv_fxt_hex_label(rank->run, address);
	tv_map_put(&rank->data.label_of, address, 0, label);
	return label;
}

const struct tv_fxt_handle *tv_fxt_handle_at(const struct tv_fxt_rank *rank, uint64_t address)
{
	const uint32_t *index = tv_map_get(&rank->data.handle_of, address, 0);

	return index != NULL ? &rank->data.handle[*index] : NULL;
}

static struct tv_fxt_handle *add_handle(struct tv_fxt_rank *rank, uint64_t address)
{
	struct tv_fxt_handle *handle;

	TV_GROW(rank->data.handle, rank->data.nhandles, rank->data.handles_cap, 1);
	tv_map_put(&rank->data.handle_of, address, 0, (uint32_t)rank->data.nhandles);
	handle = &rank->data.handle[rank->data.nhandles++];
	*handle = (struct tv_fxt_handle){
		.address = address, .name = TV_NONE, .description = TV_NONE, .max_size = -1
	};
	return handle;
}

/* The handle of parameter 0, added if none is registered there. */
static struct tv_fxt_handle *handle_of(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	const uint32_t *index = tv_map_get(&rank->data.handle_of, tv_fxt_word(event, 0), 0);

	return index == NULL || rank->data.handle[*index].gone
		     ? add_handle(rank, tv_fxt_word(event, 0))
		     : &rank->data.handle[*index];
}

static void handle_event(struct tv_fxt_rank *rank, enum tv_fxt_type type, uint64_t address)
{
	tv_fxt_event_row(rank, type, rank->program, tv_fxt_handle_label(rank, address));
}

/*
 * StarPU 1.4 put the maximum size before the home node; the number of parameters does not show it,
 * as a description follows. A home node is a small number or -1 (written with 64 or 32 bits); text
 * never is.
 */
static bool has_max_size(const struct tv_fxt_event *event)
{
	uint64_t word = tv_fxt_word(event, 3);

	return event->n >= 4 && (word < 256 || word == UINT64_MAX || word == UINT32_MAX);
}

/* 1.4.99 has, from the middle of 2025 on, the handle that this one is a part of (0: none) before the
 * description: it was registered before its parts. */
static bool has_parent(const struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	uint64_t word = tv_fxt_word(event, 4);

	return rank->facts.generation == TV_FXT_1_4_99
	    && (word == 0 || tv_fxt_handle_at(rank, word) != NULL);
}

void tv_fxt_register(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	const uint32_t *index = tv_map_get(&rank->data.handle_of, tv_fxt_word(event, 0), 0);
	bool wide = has_max_size(event);
	struct tv_fxt_handle *handle;

	/* Name and coordinates may come before the registration itself. */
	if (index != NULL && !rank->data.handle[*index].gone
	    && !rank->data.handle[*index].registered)
		handle = &rank->data.handle[*index];
	else
		handle = add_handle(rank, tv_fxt_word(event, 0));
	handle->registered = true;
	handle->size = tv_fxt_word(event, 1);
	handle->max_size = wide ? tv_fxt_number(event, 2) : -1;
	handle->home = (int32_t)tv_fxt_word(event, wide ? 3 : 2);
	handle->description = tv_fxt_text_param(
		rank, event, wide ? (has_parent(rank, event) ? 5 : 4) : 3, TV_DROPPED_BESIDE);
	handle_event(rank, TV_FXT_REGISTER_EVENT, handle->address);
}

void tv_fxt_unregister(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	const uint32_t *index = tv_map_get(&rank->data.handle_of, tv_fxt_word(event, 0), 0);

	if (index != NULL)
		rank->data.handle[*index].gone = true;
	handle_event(rank, TV_FXT_UNREGISTER_EVENT, tv_fxt_word(event, 0));
}

void tv_fxt_data_name(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	handle_of(rank, event)->name = tv_fxt_text_param(rank, event, 1, TV_DROPPED_BESIDE);
}

void tv_fxt_data_coordinates(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	uint64_t n = tv_fxt_word(event, 1);
	struct tv_fxt_handle *handle = handle_of(rank, event);

	handle->ncoordinates = 0;
	for (unsigned i = 0; i < n && i < TV_COUNT(handle->coordinate) && i + 2 < event->n; i++)
		handle->coordinate[handle->ncoordinates++] = tv_fxt_word(event, i + 2);
}

void tv_fxt_data_rank(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	struct tv_fxt_handle *handle = handle_of(rank, event);

	handle->owner = tv_fxt_number(event, 1);
	handle->has_owner = true;
}

void tv_fxt_data_tag(struct tv_fxt_rank *rank, const struct tv_fxt_event *event)
{
	struct tv_fxt_handle *handle = handle_of(rank, event);

	handle->tag = tv_fxt_number(event, 1);
	handle->has_tag = true;
}

struct handle_columns {
	struct tv_column *handle, *node, *home, *name, *description, *size, *max_size, *coordinates,
		*owner, *tag;
};

static void write_handle(struct tv_fxt_rank *rank, const struct handle_columns *c,
			 const struct tv_fxt_handle *h)
{
	uint32_t row = tv_table_add_row(&rank->run->trace->table[TV_HANDLES]);
	uint32_t coordinate[TV_COUNT(h->coordinate)];

	for (unsigned i = 0; i < h->ncoordinates; i++)
		coordinate[i] = tv_fxt_count_label(rank->run, "", h->coordinate[i]);
	tv_set_label(c->handle, row, tv_fxt_handle_label(rank, h->address));
	tv_set_label(c->node, row, rank->node);
	if (h->registered)
		tv_set_int(c->home, row, h->home);
	if (h->registered)
		tv_set_int(c->size, row, (int64_t)h->size);
	if (h->max_size >= 0)
		tv_set_int(c->max_size, row, h->max_size);
	tv_set_label(c->name, row, h->name);
	tv_set_label(c->description, row, h->description);
	if (h->ncoordinates > 0)
		tv_set_list(c->coordinates, row, coordinate, h->ncoordinates);
	if (h->has_owner)
		tv_set_int(c->owner, row, h->owner);
	if (h->has_tag)
		tv_set_int(c->tag, row, h->tag);
}

void tv_fxt_write_handles(struct tv_fxt_rank *rank)
{
	struct handle_columns c;

	TV_TRACE_COLUMNS(rank->run->trace, TV_HANDLES, { "Handle", &c.handle }, { "Node", &c.node },
			 { "HomeNode", &c.home }, { "Name", &c.name },
			 { "Description", &c.description }, { "Size", &c.size },
			 { "MaxSize", &c.max_size }, { "Coordinates", &c.coordinates },
			 { "MPIOwner", &c.owner }, { "MPITag", &c.tag });
	for (size_t i = 0; i < rank->data.nhandles; i++)
		write_handle(rank, &c, &rank->data.handle[i]);
}
