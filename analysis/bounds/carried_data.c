/* SPDX-License-Identifier: GPL-3.0-or-later */
/* carried_data.c -- messages and transfers by handle, link or sender. */
#include "analysis/bounds/carried_data.h"

#include "analysis/bounds/blamed.h"
#include "analysis/data/transfer_list.h"
#include "analysis/messages/message_list.h"
#include "trace/alloc.h"
#include "trace/map.h"

struct carriers {
	struct tv_carriers *out;
	struct tv_pool *pool;
	enum tv_carrier_key key;
	struct tv_map place; /* by the parts of a key */
	struct tv_map link;  /* by both ends: label */
	size_t cap;
};

/* The label of a link between two places. */
static uint32_t name_link(struct carriers *work, uint32_t from, uint32_t to)
{
	uint32_t *label = tv_map_at(&work->link, from, to);

	if (*label == TV_NONE) {
		char *text = tv_format("%s->%s", tv_pool_text(work->pool, from),
				       tv_pool_text(work->pool, to));

		*label = tv_intern_text(work->pool, text);
		tv_free(text);
	}
	return *label;
}

/* The number of a carrier; 0 if nothing of it is known. */
static uint32_t number(struct carriers *work, const struct tv_carrier *carrier)
{
	bool by_handle = work->key == TV_CARRIER_HANDLE;
	uint32_t a = by_handle			  ? carrier->handle
		   : work->key == TV_CARRIER_LINK ? carrier->link
						  : carrier->sender;
	uint32_t *place;

	if (a == TV_NONE)
		return 0;
	place = tv_map_at(&work->place, a, by_handle ? carrier->node : 0);
	if (*place == TV_NONE) {
		*place = work->out->n;
		TV_GROW(work->out->at, work->out->n, work->cap, 1);
		work->out->at[work->out->n++] = *carrier;
	}
	return *place;
}

/* What data that goes from one place to another is called. */
static uint32_t name(struct carriers *work, uint32_t handle, uint32_t node, uint32_t from,
		     uint32_t to)
{
	struct tv_carrier carrier = { TV_NONE, TV_NONE, TV_NONE, TV_NONE };

	if (work->key == TV_CARRIER_HANDLE) {
		carrier.handle = handle;
		carrier.node = node;
	} else if (work->key == TV_CARRIER_LINK) {
		carrier.link = name_link(work, from, to);
	} else {
		carrier.sender = from;
	}
	return number(work, &carrier);
}

static void name_messages(struct carriers *work, const struct tv_dag *dag,
			  const struct tv_messages *messages)
{
	for (uint32_t i = 0; i < messages->n; i++) {
		const struct tv_message *m = &messages->at[i];
		uint32_t from = messages->node[m->origin];

		if (m->row != TV_NONE)
			work->out->of_node[dag->node_of_row[m->row]] = name(
				work, m->handle, from, from, messages->node[m->dest]);
	}
}

/* Of messages that are nodes of the graph and no links, the link. */
static void name_others(struct carriers *work, const struct tv_dag *dag)
{
	struct tv_blamed_names names;

	if (work->key != TV_CARRIER_LINK)
		return;
	tv_blamed_names_init(&names, dag, work->pool);
	for (uint32_t v = 0; v < dag->n; v++) {
		struct tv_carrier carrier = { TV_NONE, TV_NONE, TV_NONE, TV_NONE };

		if (!tv_dag_is_message(dag, v) || work->out->of_node[v] != 0)
			continue;
		carrier.link = names.name[names.of[v]].link;
		work->out->of_node[v] = number(work, &carrier);
	}
	tv_blamed_names_release(&names);
}

static void name_transfers(struct carriers *work, struct tv_run *run,
			   const struct tv_data_transfers *transfers)
{
	const struct tv_memories *memories = tv_run_memories(run);

	for (uint32_t i = 0; i < transfers->n; i++) {
		const struct tv_data_transfer *transfer = &transfers->at[i];
		const struct tv_memory *from = &memories->at[transfer->origin];

		work->out->of_link[transfer->link] = name(work, transfer->handle, from->node,
							  from->resource,
							  memories->at[transfer->dest].resource);
	}
}

int tv_carriers_init(struct tv_carriers *carriers, struct tv_run *run, const struct tv_dag *dag,
		     enum tv_carrier_key key, struct tv_error *err)
{
	struct carriers work = { .out = carriers, .pool = run->trace->pool, .key = key };
	const struct tv_messages *messages = tv_run_messages(run, err);
	const struct tv_data_transfers *transfers = NULL;

	*carriers = (struct tv_carriers){ 0 };
	if (messages == NULL || (transfers = tv_run_transfers(run, err)) == NULL)
		return -1;
	carriers->of_node = tv_alloc(dag->n, sizeof *carriers->of_node);
	carriers->of_link = tv_alloc(run->trace->table[TV_LINKS].nrows, sizeof *carriers->of_link);
	TV_GROW(carriers->at, carriers->n, work.cap, 1);
	carriers->at[carriers->n++] = (struct tv_carrier){ TV_NONE, TV_NONE, TV_NONE, TV_NONE };
	name_messages(&work, dag, messages);
	name_others(&work, dag);
	name_transfers(&work, run, transfers);
	tv_map_release(&work.place);
	tv_map_release(&work.link);
	return 0;
}

void tv_carriers_release(struct tv_carriers *carriers)
{
	tv_free(carriers->at);
	tv_free(carriers->of_node);
	tv_free(carriers->of_link);
	*carriers = (struct tv_carriers){ 0 };
}
