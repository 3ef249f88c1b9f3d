/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * carry.h -- the task graph of a trace that is read part by part: what later parts need to know of earlier ones.
 *
 *	tv_carry_note(carry, tasks);		for each part, in the order of time; then
 *	tv_carry_reason(carry)			why there is no such graph; NULL = there is
 *	tv_carry_dag(carry, tasks, dag, err);	for each part again, as often as needed
 *	tv_carry_keep(carry, dag);		before the next part
 *	tv_carry_rewind(carry);			before the first part again
 *
 * Several processes, which have parts one behind the other, note them at the same time; then each one waits for the live jobs of
 * the one before.
 *
 * The first time shows which part is the last one that names a job in DependsOn, of those jobs that later parts name.
 * A job is live from its own part to that one: so long its times are kept. This is exact where all rows of a job are in one
 * part and no job depends on one of a later part; else there is a reason.
 *
 * Memory: at most 72 bytes for each job that a later part names; a bit for each number up to the largest in the JobIds of a
 * prefix ("1_", or none), or the text of a JobId that does not end in a number; 64 bytes for each that is named and does not occur; 112 bytes for each live job;
 * 16 bytes for each handle that commuting accesses share, and its name.
 */
#ifndef TV_CARRY_H
#define TV_CARRY_H

#include "dag/dag.h"
#include "trace/pack.h"

/* within: graphs of parts have no nodes outside, but count what depends on them (tv_dag.nearlier). Then each part is read
 * once: its graph comes before it is noted, and nothing is kept. */
struct tv_carry *tv_carry_new(bool within);
bool tv_carry_within(const struct tv_carry *carry);
void tv_carry_free(struct tv_carry *carry); /* accepts NULL */
/* The number of the first part, before it is noted: not 0 where other processes have those before. */
void tv_carry_begin(struct tv_carry *carry, uint32_t part);
void tv_carry_note(struct tv_carry *carry, const struct tv_tasks *tasks);
/* What a process has noted, which it forgets; then it merges that of all processes, its own too, in the order of their parts. */
void tv_carry_pack_notes(struct tv_carry *carry, struct tv_parcel *pack);
void tv_carry_merge_notes(struct tv_carry *carry, struct tv_unpack *from);
/* Whether what is noted so far has no reason against it. */
bool tv_carry_works(const struct tv_carry *carry);
/* After all parts. A text that ends a sentence "all rows are needed: ...". */
const char *tv_carry_reason(struct tv_carry *carry);
/* What tv_check_dependencies says of all parts goes to a trace. */
void tv_carry_report(const struct tv_carry *carry, struct tv_trace *to);
/* Whether tasks exclude each other (trace/accesses.h): until when, parts show; by which job, as edges of the graph, they do not. */
bool tv_carry_excludes(const struct tv_carry *carry);
/* Whether any task has a dependency, as tv_tasks_depend. */
bool tv_carry_depends(const struct tv_carry *carry);
/* Numbers of what was kept: jobs that later parts name, and the most that were live at once. */
size_t tv_carry_named(const struct tv_carry *carry);
size_t tv_carry_most(const struct tv_carry *carry);

/* The graph of a part (dag->outside), whose tasks outlive it. Exclusions are no edges of it, only in free and held, and waits of creators are
 * not there. It is valid until tv_carry_keep; -1 with *err: a cycle. */
int tv_carry_dag(struct tv_carry *carry, const struct tv_tasks *tasks, struct tv_dag *dag,
		 struct tv_error *err) TV_MUST_CHECK;
/* Whether a job occurs in a part noted so far. */
bool tv_carry_occurs(struct tv_carry *carry, const char *job, size_t n);
/* The live job of a JobId, or of its key; NULL = it occurs in no earlier part. */
struct tv_carried_job *tv_carry_find(struct tv_carry *carry, const char *job, size_t n);
struct tv_carried_job *tv_carry_find_key(struct tv_carry *carry, uint64_t key);
/* The JobId of a key. */
uint32_t tv_carry_label(const struct tv_carry *carry, uint64_t key, struct tv_pool *pool);
/* Fills in free and held of the graph of a part; part of tv_dag_init_part. */
void tv_carry_hold(struct tv_carry *carry, struct tv_dag *dag);
/* What a caller keeps of each job, `size` bytes, by node of the open part and then outside it (n + noutside): there what was
 * kept, else zeros. It fills in those of the part, before tv_carry_keep; the carry's. */
void *tv_carry_values(struct tv_carry *carry, const struct tv_dag *dag, size_t size);
/* Those of all live jobs before these of the next part are asked for; *n receives how many. */
void *tv_carry_kept_values(struct tv_carry *carry, size_t *n);
void tv_carry_keep(struct tv_carry *carry, const struct tv_dag *dag);
void tv_carry_rewind(struct tv_carry *carry);
/* The live jobs behind the last part of a process, for the one that has the next part. */
void tv_carry_pack(const struct tv_carry *carry, struct tv_parcel *pack);
void tv_carry_unpack(struct tv_carry *carry, struct tv_unpack *from);

#endif
