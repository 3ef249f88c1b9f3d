/* SPDX-License-Identifier: GPL-3.0-or-later */
/* damage.h -- what reading reported, as bytes. */
#ifndef TV_DAMAGE_H
#define TV_DAMAGE_H

#include "trace/pack.h"
#include "trace/trace.h"

/* tv_damage.first of damage that no message has reported. */
#define TV_UNSAID SIZE_MAX
/* Counts n more of such, which were not counted by other calls. */
void tv_damage_unsaid(struct tv_trace *trace, enum tv_damage_kind kind, const char *cause,
		      uint64_t n);

/* The damage and diagnostics of a trace. */
void tv_damage_pack(const struct tv_trace *trace, struct tv_parcel *pack);
/* Adds such, as tv_trace_take_damage does. */
void tv_damage_merge(struct tv_trace *trace, struct tv_unpack *from);

/* Adds the damage of a trace to meta of another one, or of itself, and finishes that. */
void tv_write_damage(const struct tv_trace *of, struct tv_trace *trace);

#endif
