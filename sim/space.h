/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * space.h -- memory nodes of limited size: which copies are in them, and which one leaves first.
 *
 * A copy is a handle on a memory node. It is in work from when a worker takes a task that accesses it
 * until that task ends, and awaited while a task that accesses it waits at a worker of the memory
 * node. What is in work never leaves. Of the others those leave first that nobody awaits, and of
 * these the one whose last use is longest ago.
 */
#ifndef TV_SIM_SPACE_H
#define TV_SIM_SPACE_H

#include "sim/memory.h"

struct tv_sim_space;

/* NULL if no memory node has a limit: then there is nothing to do. */
struct tv_sim_space *tv_sim_space_new(const struct tv_sim_memory *memory);
void tv_sim_space_free(struct tv_sim_space *space); /* NULL is none */

bool tv_sim_space_is_limited(const struct tv_sim_space *space, uint32_t memory);
bool tv_sim_space_has(const struct tv_sim_space *space, uint32_t handle, uint32_t memory);

/* One more (change 1) or less (-1) that has the copy in work, or awaits it; it need not be there. */
void tv_sim_space_work(struct tv_sim_space *space, uint32_t handle, uint32_t memory, int change);
void tv_sim_space_await(struct tv_sim_space *space, uint32_t handle, uint32_t memory, int change);

/* Whether bytes fit; whether they would if all left that may, awaited ones too or not. */
bool tv_sim_space_fits(const struct tv_sim_space *space, uint32_t memory, int64_t bytes);
bool tv_sim_space_can_fit(const struct tv_sim_space *space, uint32_t memory, int64_t bytes,
			  bool awaited_too);
/* The handle whose copy leaves next; UINT32_MAX = none may. O(1). */
uint32_t tv_sim_space_victim(const struct tv_sim_space *space, uint32_t memory, bool awaited_too);

/* The copy takes its space, more than there is if need be; returns when that is free, not before now. */
int64_t tv_sim_space_take(struct tv_sim_space *space, uint32_t handle, uint32_t memory,
			  int64_t now);
/* The copy, which has space, leaves; its space is free from then on. */
void tv_sim_space_leave(struct tv_sim_space *space, uint32_t handle, uint32_t memory, int64_t at);

/* By how many bytes data in work exceeded a memory, at most. */
int64_t tv_sim_space_exceeded(const struct tv_sim_space *space);
/* What was taken and left, *n changes in no order; the caller frees them with tv_free. */
struct tv_sim_use *tv_sim_take_uses(struct tv_sim_space *space, size_t *n);

#endif
