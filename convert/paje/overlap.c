/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * overlap.c -- which state of a memory node a pop ends.
 *
 * StarPU pushes and pops the states of a memory node on one stack, but they overlap: a pop does not end
 * the state that was pushed last, but the one whose end it reports. What follows it in the file names
 * that: the event that ends the same operation, or the end of the link of a copy.
 */
#include <string.h>

#include "convert/paje/paje.h"

static const char memory_states[] = "Memory Node State", copying[] = "DriverCopy";

/* StarPU's events that end an operation, and its state. */
static const char *const ends[][2] = {
	{ "Allocating End", "Allocating" }, { "Allocating Async End", "AllocatingReuse" },
	{ "Free End", "Freeing" },	    { "WritingBack End", "WritingBack" },
	{ "DriverCopy End", "DriverCopy" }, { "DriverCopyAsync End", "DriverCopyAsync" },
};

static const char *text(const struct tv_paje *paje, uint32_t label)
{
	return tv_pool_text(paje->trace->pool, label);
}

uint32_t tv_paje_overlapping(const struct tv_paje *paje)
{
	for (uint32_t i = 0; paje->starpu && i < paje->ntypes; i++)
		if (paje->type[i].kind == PAJE_DEFINE_STATE
		    && strcmp(text(paje, paje->type[i].name), memory_states) == 0)
			return i;
	return TV_NONE;
}

/* Whether a record that has not been played is about that container. */
static bool is_about(const struct tv_paje *paje, uint32_t label, uint32_t container)
{
	return label == paje->container[container].alias
	    || label == paje->container[container].name;
}

/* The state that ends with the pop, as the event behind it shows; NULL: none does. */
static const char *ended_by_event(const struct tv_paje *paje, uint32_t pop)
{
	const struct tv_paje_record *r = &paje->record[pop], *event = r + 1;

	if (event->time != r->time || event->kind != PAJE_NEW_EVENT
	    || !is_about(paje, event->container, r->container))
		return NULL;
	for (size_t i = 0; i < TV_COUNT(ends); i++)
		if (strcmp(text(paje, paje->type[event->type].name), ends[i][0]) == 0)
			return ends[i][1];
	return NULL;
}

/* Whether a copy to the memory node ends with the pop. */
static bool ends_copy(const struct tv_paje *paje, uint32_t pop)
{
	const struct tv_paje_record *r = &paje->record[pop], *link = r + 1;

	return link->time == r->time && link->kind == PAJE_END_LINK
	    && is_about(paje, paje->words[link->more + 2], r->container);
}

uint32_t tv_paje_ended(const struct tv_paje *paje, uint32_t top, uint32_t pop, bool *sure)
{
	const char *name = ended_by_event(paje, pop);
	bool copy = name == NULL ? ends_copy(paje, pop) : strcmp(name, copying) == 0;
	uint32_t found = TV_NONE;

	*sure = true;
	for (uint32_t i = top; i != TV_NONE; i = paje->record[i].end) {
		const struct tv_paje_record *r = &paje->record[i];
		const char *value = text(paje, r->value);

		if (name != NULL ? strcmp(value, name) != 0 : (strcmp(value, copying) == 0) != copy)
			continue;
		if (found == TV_NONE)
			found = i;
		else if (r->value != paje->record[found].value)
			*sure = false;
	}
	*sure = *sure && found != TV_NONE;
	return found != TV_NONE ? found : top;
}
