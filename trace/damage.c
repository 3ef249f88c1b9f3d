/* SPDX-License-Identifier: GPL-3.0-or-later */
/* damage.c -- what reading reported, as bytes. */
#include "trace/damage.h"

#include "trace/alloc.h"

void tv_damage_pack(const struct tv_trace *trace, struct tv_parcel *pack)
{
	tv_pack_number(pack, trace->diagnostics.n);
	for (size_t i = 0; i < trace->diagnostics.n; i++) {
		const struct tv_diagnostic *d = &trace->diagnostics.at[i];

		tv_pack_number(pack, d->severity);
		tv_pack_text(pack, d->file);
		tv_pack_number(pack, (uint64_t)d->line);
		tv_pack_text(pack, d->text);
		tv_pack_number(pack, d->records);
	}
	tv_pack_number(pack, trace->ndamage);
	for (size_t i = 0; i < trace->ndamage; i++) {
		const struct tv_damage *d = &trace->damage[i];

		tv_pack_number(pack, d->kind);
		tv_pack_text(pack, d->cause);
		tv_pack_number(pack, d->count);
		tv_pack_number(pack, d->first);
	}
}

static struct tv_diagnostic unpack_diagnostic(struct tv_unpack *from)
{
	struct tv_diagnostic d;

	d.severity = (enum tv_severity)tv_unpack_number(from);
	d.file = tv_unpack_text(from);
	d.line = (long)tv_unpack_number(from);
	d.text = tv_unpack_text(from);
	d.records = tv_unpack_number(from);
	return d;
}

static struct tv_damage unpack_damage(struct tv_unpack *from)
{
	struct tv_damage d;

	d.kind = (enum tv_damage_kind)tv_unpack_number(from);
	d.cause = tv_unpack_text(from);
	d.count = tv_unpack_number(from);
	d.first = (size_t)tv_unpack_number(from);
	return d;
}

void tv_damage_merge(struct tv_trace *trace, struct tv_unpack *from)
{
	struct tv_diagnostics *list;
	struct tv_trace other;

	tv_trace_init_beside(&other, trace);
	list = &other.diagnostics;
	for (uint64_t n = tv_unpack_number(from); n > 0; n--) {
		TV_GROW(list->at, list->n, list->cap, 1);
		list->at[list->n++] = unpack_diagnostic(from);
	}
	for (uint64_t n = tv_unpack_number(from); n > 0; n--) {
		TV_GROW(other.damage, other.ndamage, other.damage_cap, 1);
		other.damage[other.ndamage++] = unpack_damage(from);
	}
	tv_trace_take_damage(trace, &other);
	tv_trace_release(&other);
}

void tv_write_damage(const struct tv_trace *of, struct tv_trace *trace)
{
	for (size_t i = 0; i < of->ndamage; i++) {
		const struct tv_damage *d = &of->damage[i];
		char *key = tv_format("%s%s", tv_damage_prefix[d->kind], d->cause);

		tv_meta_add(trace, key, "%llu", (unsigned long long)d->count);
		tv_free(key);
	}
	tv_table_finish(&trace->table[TV_META]);
}
