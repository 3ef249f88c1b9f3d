/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measure_bytes.c -- what was added up, as bytes for other processes. */
#include "analysis/core/measure.h"
#include "trace/alloc.h"

static void pack_numbers(const struct tv_tally *tally, const struct tv_pool *pool,
			 struct tv_parcel *pack)
{
	if (!tally->labels)
		tv_pack_bytes(pack, tally->number, tally->n * sizeof *tally->number);
	for (size_t i = 0; tally->labels && i < tally->n; i++)
		tv_pack_label(pack, pool, (uint32_t)tally->number[i]);
}

void tv_measuring_pack(struct tv_measuring *m, const struct tv_pool *pool, struct tv_parcel *pack)
{
	tv_pack_number(pack, m->nrows);
	for (unsigned c = 0; c < m->ntallies; c++) {
		if (m->tally[c].distinct)
			tv_tally_unite(&m->tally[c]);
		tv_tally_widen(&m->tally[c]);
		tv_pack_bytes(pack, &m->tally[c], sizeof m->tally[c]);
		pack_numbers(&m->tally[c], pool, pack);
	}
	tv_measuring_pack_again(m, pack);
}

void tv_measuring_pack_again(const struct tv_measuring *m, struct tv_parcel *pack)
{
	for (unsigned c = 0; c < m->ntallies; c++)
		if (m->tally[c].selection != NULL)
			tv_selection_pack(m->tally[c].selection, pack);
}

/* A tally with its numbers, without a selection. */
static void unpack_tally(struct tv_tally *tally, struct tv_pool *pool, struct tv_unpack *from)
{
	tv_unpack_bytes(from, tally, sizeof *tally);
	tally->selection = NULL;
	tally->number = tv_alloc(tally->n, sizeof *tally->number);
	tally->cap = tally->n;
	if (!tally->labels)
		tv_unpack_bytes(from, tally->number, tally->n * sizeof *tally->number);
	for (size_t i = 0; tally->labels && i < tally->n; i++)
		tally->number[i] = tv_unpack_label(from, pool);
}

void tv_measuring_unpack(struct tv_measuring *m, struct tv_pool *pool, struct tv_unpack *from)
{
	struct tv_measuring other;

	tv_measuring_init(&other, &m->rows, m->measure, m->n);
	other.nrows = (uint32_t)tv_unpack_number(from);
	for (unsigned c = 0; c < other.ntallies; c++)
		unpack_tally(&other.tally[c], pool, from);
	tv_measuring_merge(m, &other);
	tv_measuring_unpack_again(m, from);
	tv_measuring_release(&other);
}

void tv_measuring_unpack_again(struct tv_measuring *m, struct tv_unpack *from)
{
	for (unsigned c = 0; c < m->ntallies; c++)
		if (m->tally[c].selection != NULL)
			tv_selection_unpack(m->tally[c].selection, from);
}
