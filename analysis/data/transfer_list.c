/* SPDX-License-Identifier: GPL-3.0-or-later */
/* transfer_list.c -- the transfers between memory nodes of a run. */
#include "analysis/data/transfer_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/core/idle.h"
#include "analysis/core/instead.h"
#include "analysis/data/data_events.h"
#include "trace/alloc.h"

/* The columns of links; NULL where the trace has none. */
struct columns {
	const struct tv_column *type, *key, *origin, *dest, *start, *end, *size, *handle, *flag;
};

struct reader {
	struct tv_run *run;
	const struct tv_memories *memories;
	const struct tv_data_events *events;
	struct tv_data_transfers *out;
	struct columns c;
	struct tv_index kind; /* by label of a Type: label of the kind, or the Type itself */
	uint32_t early;	      /* end before they start */
	struct tv_map copied; /* by destination and key: the event that begins the copy */
};

static struct columns find_columns(const struct tv_table *links)
{
	return (struct columns){
		tv_table_find(links, "Type"),	tv_table_find(links, "Key"),
		tv_table_find(links, "Origin"), tv_table_find(links, "Dest"),
		tv_table_find(links, "Start"),	tv_table_find(links, "End"),
		tv_table_find(links, "Size"),	tv_table_find(links, "Handle"),
		tv_table_find(links, "Flag"),
	};
}

/* The kind in a Type: what follows the words; the Type itself if nothing does. TV_NONE = no
 * transfer. */
static uint32_t kind_of(struct reader *reader, uint32_t type)
{
	size_t n = strlen(TV_TRANSFER_TYPE);
	uint32_t kind = tv_index_get(&reader->kind, type);
	const char *text = tv_pool_text(reader->run->trace->pool, type);

	if (kind != TV_NONE || strncmp(text, TV_TRANSFER_TYPE, n) != 0)
		return kind;
	for (text += n; *text == ' '; text++)
		;
	kind = *text == '\0' ? type : tv_intern_text(reader->run->trace->pool, text);
	tv_index_set(&reader->kind, type, kind);
	return kind;
}

/* The events that begin copies, whose Info is the number in the Key of the link. */
static void index_copies(struct reader *reader)
{
	for (uint32_t i = 0; i < reader->events->n; i++) {
		const struct tv_data_event *event = &reader->events->at[i];
		char key[32];
		uint32_t label;

		if (event->what != TV_DATA_COPY || !event->has_info || event->memory == TV_NONE)
			continue;
		snprintf(key, sizeof key, "com_%" PRId64, event->info);
		label = tv_pool_find_text(reader->run->trace->pool, key);
		if (label != TV_NONE)
			tv_map_put(&reader->copied, event->memory, label, i);
	}
}

/* The event that begins the copy of a transfer; NULL = none. */
static const struct tv_data_event *copy_of(const struct reader *reader,
					   const struct tv_data_transfer *t)
{
	const uint32_t *i = t->key == TV_NONE ? NULL : tv_map_get(&reader->copied, t->dest, t->key);

	return i != NULL && reader->events->at[*i].time == t->start ? &reader->events->at[*i]
								    : NULL;
}

static int add_transfer(struct reader *reader, uint32_t link, uint32_t kind, struct tv_error *err)
{
	const struct columns *c = &reader->c;
	const struct tv_index *place = &reader->memories->of_resource;
	struct tv_data_transfers *out = reader->out;
	struct tv_data_transfer *t = &out->at[out->n++];
	uint32_t open = tv_pool_find_text(reader->run->trace->pool, TV_OPEN);
	const struct tv_data_event *copy;

	*t = (struct tv_data_transfer){
		.link = link,
		.key = c->key == NULL ? TV_NONE : tv_label(c->key, link),
		.handle = c->handle == NULL ? TV_NONE : tv_label(c->handle, link),
		.origin = tv_index_get(place, tv_label(c->origin, link)),
		.dest = tv_index_get(place, tv_label(c->dest, link)),
		.start = c->start->i[link],
		.end = c->end->i[link],
		.sized = c->size != NULL && !tv_missing(c->size, link),
		.open = open != TV_NONE && c->flag != NULL && tv_label(c->flag, link) == open,
		.kind = kind == tv_label(c->type, link) ? TV_NONE : kind,
	};
	copy = copy_of(reader, t);
	t->copied = copy == NULL ? TV_NONE : copy->row;
	if (t->handle == TV_NONE && copy != NULL)
		t->handle = copy->handle;
	reader->early += t->end < t->start;
	if (t->end < t->start)
		t->end = t->start;
	out->nunsized += !t->sized;
	if (t->sized)
		t->size = c->size->i[link];
	if (t->size < 0)
		return tv_fail(err, "links, row %lu: Size %lld, expected 0 or more bytes",
			       (unsigned long)link + 1, (long long)t->size);
	return 0;
}

/* Links are in order of Start. */
static int collect(struct reader *reader, struct tv_error *err)
{
	const struct tv_table *links = &reader->run->trace->table[TV_LINKS];
	const struct columns *c = &reader->c;
	unsigned long incomplete = 0;

	if (c->type == NULL || c->origin == NULL || c->dest == NULL || c->start == NULL
	    || c->end == NULL)
		return 0;
	reader->out->at = tv_alloc(links->nrows, sizeof *reader->out->at);
	for (uint32_t row = 0; row < links->nrows; row++) {
		uint32_t kind = kind_of(reader, tv_label(c->type, row));
		bool known = !tv_missing(c->start, row) && !tv_missing(c->end, row)
			  && tv_label(c->origin, row) != TV_NONE
			  && tv_label(c->dest, row) != TV_NONE;

		if (kind == TV_NONE)
			continue;
		incomplete += !known;
		if (known && add_transfer(reader, row, kind, err) < 0)
			return -1;
	}
	if (incomplete > 0)
		tv_run_warn(reader->run,
			    "%lu transfers lack Start, End, Origin or Dest: they are left out",
			    incomplete);
	if (reader->early > 0)
		tv_run_warn(reader->run,
			    "%lu of %lu transfers end before they start: they end where they start",
			    (unsigned long)reader->early, (unsigned long)reader->out->n);
	return 0;
}

static void release(void *data)
{
	struct tv_data_transfers *transfers = data;

	tv_free(transfers->at);
	tv_free(transfers);
}

const struct tv_data_transfers *tv_run_transfers(struct tv_run *run, struct tv_error *err)
{
	static const char kept;
	struct tv_data_transfers *transfers = tv_run_kept(run, &kept);
	struct reader reader = { .run = run };
	int rc;

	if (transfers != NULL)
		return transfers;
	reader.out = transfers = tv_alloc(1, sizeof *transfers);
	reader.memories = tv_run_memories(run);
	reader.events = tv_run_data_events(run);
	reader.c = find_columns(&run->trace->table[TV_LINKS]);
	index_copies(&reader);
	rc = collect(&reader, err);
	tv_free(reader.kind.at);
	tv_map_release(&reader.copied);
	if (rc < 0) {
		release(transfers);
		return NULL;
	}
	tv_run_keep(run, &kept, transfers, release);
	return transfers;
}

const struct tv_data_transfers *tv_run_some_transfers(struct tv_run *run, const char *verb,
						      struct tv_error *err)
{
	const struct tv_data_transfers *transfers = tv_run_transfers(run, err);

	if (transfers == NULL || transfers->n > 0)
		return transfers;
	tv_fail_lacks(
		err, run->trace,
		"%s: the trace has no transfers between memory nodes (links of a Type that begins "
		"with '" TV_TRANSFER_TYPE "'; a single CSV has none: see --with)",
		verb);
	return NULL;
}

/* ---- the idle time that they caused ---- */

struct waits {
	const struct tv_run *run;
	const uint32_t *of_link; /* transfers by link */
	int64_t *wait, *states;
};

static void take(void *to, size_t slice, uint32_t worker, uint32_t link, int64_t time)
{
	struct waits *waits = to;
	uint32_t i = link == TV_NONE ? TV_NONE : waits->of_link[link];

	(void)slice; /* the only one */
	if (tv_run_has(waits->run, worker))
		*(i == TV_NONE ? waits->states : &waits->wait[i]) += time;
}

int64_t *tv_transfer_waits(const struct tv_data_transfers *transfers, struct tv_run *run,
			   int64_t *states, struct tv_error *err)
{
	const struct tv_run_idle *idle = tv_run_idle(run, err);
	uint32_t nlinks = run->trace->table[TV_LINKS].nrows, *of_link;
	struct waits waits = { .run = run, .states = states };

	if (idle == NULL)
		return NULL;
	of_link = tv_alloc(nlinks, sizeof *of_link);
	for (uint32_t i = 0; i < nlinks; i++)
		of_link[i] = TV_NONE;
	for (uint32_t i = 0; i < transfers->n; i++)
		of_link[transfers->at[i].link] = i;
	waits.of_link = of_link;
	waits.wait = tv_alloc(transfers->n, sizeof *waits.wait);
	*states = 0;
	tv_blame_data(&idle->fetches, &idle->spans, idle->bound, 1, take, &waits);
	tv_free(of_link);
	return waits.wait;
}
