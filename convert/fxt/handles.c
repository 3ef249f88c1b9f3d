/* SPDX-License-Identifier: GPL-3.0-or-later */
/* handles.c -- data handles: what is registered where, until when. */
#include <inttypes.h>

#include "convert/fxt/fxt.h"
#include "trace/alloc.h"

uint32_t tv_fxt_handle_label(struct tv_fxt_rank *rank, uint64_t address)
{
	const uint32_t *known = tv_map_get(&rank->addresses, address, 0);
	uint32_t label;

	if (known != NULL)
		return *known;
	label = tv_fxt_hex_label(rank->run, address);
	tv_map_put(&rank->addresses, address, 0, label);
	return label;
}

const struct tv_fxt_handle *tv_fxt_handle_at(const struct tv_fxt_rank *rank, uint64_t address)
{
	const uint32_t *index = tv_map_get(&rank->handles, address, 0);

	return index != NULL ? &rank->handle[*index] : NULL;
}

static int add_handle(struct tv_fxt_rank *rank, uint64_t address, struct tv_fxt_handle **handle)
{
	TV_GROW(rank->handle, rank->nhandles, rank->handles_cap, 1);
	tv_map_put(&rank->handles, address, 0, (uint32_t)rank->nhandles);
	*handle = &rank->handle[rank->nhandles++];
	**handle = (struct tv_fxt_handle){
		.address = address, .name = TV_NONE, .description = TV_NONE, .max_size = -1
	};
	return 0;
}

/* The handle that an event speaks of, added if none is registered there. */
static int need_handle(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		       struct tv_fxt_handle **handle)
{
	const uint32_t *index = tv_map_get(&rank->handles, tv_fxt_word(event, 0), 0);

	if (index == NULL || rank->handle[*index].gone)
		return add_handle(rank, tv_fxt_word(event, 0), handle);
	*handle = &rank->handle[*index];
	return 0;
}

static int text_label(struct tv_fxt_rank *rank, const struct tv_fxt_event *event, unsigned i,
		      uint32_t *label)
{
	size_t n;
	const char *text = tv_fxt_text(event, i, &n);

	*label = n > 0 ? tv_fxt_text_label(rank->run, text, n) : TV_NONE;
	return n > 0 && *label == TV_NONE ? -1 : 0;
}

static void handle_event(struct tv_fxt_rank *rank, enum tv_fxt_type type, uint64_t address)
{
	uint32_t label = tv_fxt_handle_label(rank, address);

	tv_fxt_event_row(rank, type, rank->program, label, NULL);
}

/*
 * StarPU 1.4 put the maximum size before the home node; the number of parameters does not tell, as
 * a description follows. A home node is a small number or -1 (written with 64 or 32 bits); text
 * never is.
 */
static bool has_max_size(const struct tv_fxt_event *event)
{
	uint64_t word = tv_fxt_word(event, 3);

	return event->n >= 4 && (word < 256 || word == UINT64_MAX || word == UINT32_MAX);
}

int tv_fxt_register(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		    const struct tv_fxt_action *action)
{
	const uint32_t *index = tv_map_get(&rank->handles, tv_fxt_word(event, 0), 0);
	bool wide = has_max_size(event);
	struct tv_fxt_handle *handle = NULL;

	(void)action;
	/* Name and coordinates may come before the registration itself. */
	if (index != NULL && !rank->handle[*index].gone && !rank->handle[*index].registered)
		handle = &rank->handle[*index];
	else if (add_handle(rank, tv_fxt_word(event, 0), &handle) < 0)
		return -1;
	handle->registered = true;
	handle->size = tv_fxt_word(event, 1);
	handle->max_size = wide ? tv_fxt_number(event, 2) : -1;
	handle->home = (int32_t)tv_fxt_word(event, wide ? 3 : 2);
	if (text_label(rank, event, wide ? 4 : 3, &handle->description) < 0)
		return -1;
	handle_event(rank, TV_FXT_REGISTER_EVENT, handle->address);
	return 0;
}

int tv_fxt_unregister(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		      const struct tv_fxt_action *action)
{
	const uint32_t *index = tv_map_get(&rank->handles, tv_fxt_word(event, 0), 0);

	(void)action;
	if (index != NULL)
		rank->handle[*index].gone = true;
	handle_event(rank, TV_FXT_UNREGISTER_EVENT, tv_fxt_word(event, 0));
	return 0;
}

int tv_fxt_data_name(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		     const struct tv_fxt_action *action)
{
	struct tv_fxt_handle *handle;

	(void)action;
	return need_handle(rank, event, &handle) < 0 ? -1
						     : text_label(rank, event, 1, &handle->name);
}

int tv_fxt_data_coordinates(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
			    const struct tv_fxt_action *action)
{
	uint64_t n = tv_fxt_word(event, 1);
	struct tv_fxt_handle *handle;

	(void)action;
	if (need_handle(rank, event, &handle) < 0)
		return -1;
	handle->ncoordinates = 0;
	for (unsigned i = 0; i < n && i < TV_COUNT(handle->coordinate) && i + 2 < event->n; i++)
		handle->coordinate[handle->ncoordinates++] = tv_fxt_word(event, i + 2);
	return 0;
}

int tv_fxt_data_rank(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		     const struct tv_fxt_action *action)
{
	struct tv_fxt_handle *handle;

	(void)action;
	if (need_handle(rank, event, &handle) < 0)
		return -1;
	handle->owner = tv_fxt_number(event, 1);
	handle->has_owner = true;
	return 0;
}

int tv_fxt_data_tag(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
		    const struct tv_fxt_action *action)
{
	struct tv_fxt_handle *handle;

	(void)action;
	if (need_handle(rank, event, &handle) < 0)
		return -1;
	handle->tag = tv_fxt_number(event, 1);
	handle->has_tag = true;
	return 0;
}

struct handle_columns {
	struct tv_column *handle, *node, *home, *name, *description, *size, *max_size, *coordinates,
		*owner, *tag;
};

static void write_handle(struct tv_fxt_rank *rank, const struct handle_columns *c,
			 const struct tv_fxt_handle *h)
{
	struct tv_fxt_run *run = rank->run;
	uint32_t row, label = tv_fxt_handle_label(rank, h->address),
		      coordinate[TV_COUNT(h->coordinate)];

	row = tv_table_add_row(&run->trace->table[TV_HANDLES]);
	for (unsigned i = 0; i < h->ncoordinates; i++) {
		coordinate[i] = tv_fxt_count_label(run, "", h->coordinate[i]);
	}
	tv_set_label(c->handle, row, label);
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

int tv_fxt_write_handles(struct tv_fxt_rank *rank)
{
	struct tv_fxt_run *run = rank->run;
	struct handle_columns c;
	struct {
		const char *name;
		struct tv_column **column;
	} want[] = {
		{ "Handle", &c.handle },	   { "Node", &c.node },
		{ "HomeNode", &c.home },	   { "Name", &c.name },
		{ "Description", &c.description }, { "Size", &c.size },
		{ "MaxSize", &c.max_size },	   { "Coordinates", &c.coordinates },
		{ "MPIOwner", &c.owner },	   { "MPITag", &c.tag },
	};

	for (size_t i = 0; i < TV_COUNT(want); i++) {
		*want[i].column = tv_trace_column(run->trace, TV_HANDLES, want[i].name, run->err);
		if (*want[i].column == NULL)
			return -1;
	}
	for (size_t i = 0; i < rank->nhandles; i++)
		write_handle(rank, &c, &rank->handle[i]);
	return 0;
}
