/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call_collectives.c -- for whom the members of collective operations wait, by the kind of operation. */
#include <stdlib.h>

#include "analysis/calls/call_graph_parts.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/sorted.h"

/* ---- members ---- */

static void add_member(struct tv_graph_parts *parts, uint32_t row, uint32_t about,
		       uint32_t completes)
{
	struct tv_call_graph *g = parts->graph;
	uint32_t comm = tv_call_label(g->calls, TV_CALL_COMM, about), post = g->node_of[row];
	int64_t sequence = tv_call_number(g->calls, TV_CALL_SEQUENCE, about),
		rank = tv_call_number(g->calls, TV_CALL_COMM_RANK, about);

	if (post == TV_NONE)
		return;
	if (comm == TV_NONE || sequence == TV_NO_NUMBER) {
		if (completes != TV_NONE)
			tv_graph_fix(g, completes, TV_FIXED_COLLECTIVE);
		return;
	}
	TV_GROW(parts->member, parts->nmembers, parts->members_cap, 1);
	parts->member[parts->nmembers++] = (struct tv_call_members){
		.comm = comm,
		.sequence = (uint64_t)sequence,
		.rank = rank != TV_NO_NUMBER ? rank
					     : g->number[g->thread[g->node[post].thread].rank],
		.post = post,
		.completes = completes,
		.about = about,
	};
	if (completes != TV_NONE)
		g->node[completes].about = about;
}

static bool is_collective(struct tv_call_kind_of kind)
{
	return kind.kind >= TV_KIND_ALL && kind.kind <= TV_KIND_SCAN;
}

static void collect(struct tv_graph_parts *parts)
{
	const struct tv_call_graph *g = parts->graph;

	for (uint32_t i = 0; i < g->calls->n; i++) {
		uint32_t row = g->calls->row[i], node = g->node_of[row];

		if (node != TV_NONE && is_collective(tv_kind_of_row(g, row))
		    && g->calls->class_of[row] != TV_CALL_START)
			add_member(parts, row, row, node);
	}
	for (uint32_t i = 0; i < parts->requests->n; i++) {
		const struct tv_mpi_request *r = &parts->requests->at[i];

		if (is_collective(tv_kind_of_row(g, r->about)))
			add_member(parts, r->start, r->about,
				   r->complete == TV_NONE ? TV_NONE : g->node_of[r->complete]);
	}
}

/* ---- operations ---- */

TV_ORDER(by_operation, struct tv_call_members, comm, sequence, rank, post)

static int64_t begin_of(const struct tv_call_graph *g, const struct tv_call_members *m)
{
	return tv_node_begin(g, m->post);
}

/* MPI lets members leave an operation that moves no data, but a barrier, before all have come. */
static bool may_leave(const struct tv_call_graph *g, const struct tv_call_members *m)
{
	return !tv_kind_of_row(g, m->about).is_barrier
	    && tv_call_number(g->calls, TV_CALL_BYTES, m->about) <= 0;
}

/* m depends on `on`, unless it left before. */
static void depend_on(struct tv_graph_parts *parts, const struct tv_call_members *m,
		      const struct tv_call_members *on)
{
	struct tv_call_graph *g = parts->graph;

	if (m->completes == TV_NONE)
		return;
	if (begin_of(g, on) > tv_node_end(g, m->completes) && may_leave(g, m))
		g->counts.left_early++;
	else
		tv_graph_depend(parts, (struct tv_dependence){ .target = m->completes,
							       .event = 2 * on->post,
							       .message = TV_NONE });
}

/* m depends on all n of `on`, of which the last began at `latest`; *joint: of them, 0 = not made yet. */
static void depend_on_all(struct tv_graph_parts *parts, const struct tv_call_members *m,
			  const struct tv_call_members *on, size_t n, int64_t latest,
			  uint32_t *joint)
{
	struct tv_call_graph *g = parts->graph;

	if (m->completes == TV_NONE)
		return;
	if (latest > tv_node_end(g, m->completes) && may_leave(g, m)) {
		g->counts.left_early++;
		for (size_t i = 0; i < n; i++)
			if (begin_of(g, &on[i]) <= tv_node_end(g, m->completes))
				depend_on(parts, m, &on[i]);
		return;
	}
	if (*joint == 0) {
		*joint = tv_graph_joint(parts);
		for (size_t i = 0; i < n; i++)
			tv_graph_depend(parts, (struct tv_dependence){ .target = *joint,
								       .event = 2 * on[i].post,
								       .message = TV_NONE });
	}
	tv_graph_depend(parts, (struct tv_dependence){ .target = m->completes,
						       .event = *joint,
						       .message = TV_NONE });
}

static int64_t latest_of(const struct tv_call_graph *g, const struct tv_call_members *m, size_t n)
{
	int64_t latest = begin_of(g, m);

	for (size_t i = 1; i < n; i++)
		latest = begin_of(g, &m[i]) > latest ? begin_of(g, &m[i]) : latest;
	return latest;
}

/* The place of the root among n members; n = it is not there. */
static size_t root_of(const struct tv_call_graph *g, const struct tv_call_members *m, size_t n)
{
	int64_t root = tv_call_number(g->calls, TV_CALL_ROOT, m->about);
	size_t i = 0;

	while (i < n
	       && (root == TV_NO_NUMBER
		   || g->number[g->thread[g->node[m[i].post].thread].rank] != root))
		i++;
	return i;
}

static void fix_all(struct tv_call_graph *g, const struct tv_call_members *m, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (m[i].completes != TV_NONE)
			tv_graph_fix(g, m[i].completes, TV_FIXED_COLLECTIVE);
}

/* Ranks ascend; what rank i waits for is a joint of the one before it and of the rank before it. */
static void add_scan(struct tv_graph_parts *parts, const struct tv_call_members *m, size_t n)
{
	uint32_t before = 2 * m[0].post;

	for (size_t i = 1; i < n; i++) {
		uint32_t joint;

		if (m[i].completes != TV_NONE)
			tv_graph_depend(parts, (struct tv_dependence){ .target = m[i].completes,
								       .event = before,
								       .message = TV_NONE });
		if (i + 1 == n)
			break;
		joint = tv_graph_joint(parts);
		tv_graph_depend(parts, (struct tv_dependence){ .target = joint,
							       .event = before,
							       .message = TV_NONE });
		tv_graph_depend(parts, (struct tv_dependence){ .target = joint,
							       .event = 2 * m[i].post,
							       .message = TV_NONE });
		before = joint;
	}
}

/* m[0..n): the members of one operation, by rank; `whole`: they are all of the communicator. */
static void add_operation(struct tv_graph_parts *parts, const struct tv_call_members *m, size_t n,
			  bool whole)
{
	struct tv_call_graph *g = parts->graph;
	uint8_t kind = tv_kind_of_row(g, m->about).kind;
	size_t root = root_of(g, m, n);
	uint32_t joint = 0;

	if (kind == TV_KIND_FROM_ROOT) {
		if (root == n)
			fix_all(g, m, n);
		for (size_t i = 0; i < n && root < n; i++)
			if (i != root)
				depend_on(parts, &m[i], &m[root]);
	} else if (kind == TV_KIND_TO_ROOT) {
		if (root < n && whole)
			depend_on_all(parts, &m[root], m, n, latest_of(g, m, n), &joint);
		else if (root < n)
			fix_all(g, &m[root], 1);
	} else if (!whole) {
		fix_all(g, m, n);
	} else if (kind == TV_KIND_SCAN) {
		add_scan(parts, m, n);
	} else {
		for (size_t i = 0; i < n && n > 1; i++)
			depend_on_all(parts, &m[i], m, n, latest_of(g, m, n), &joint);
	}
}

void tv_graph_add_collectives(struct tv_graph_parts *parts)
{
	struct tv_map size = { 0 }; /* by communicator: the most members that an operation has */
	struct tv_call_members *m;

	collect(parts);
	m = parts->member;
	if (parts->nmembers > 1)
		qsort(m, parts->nmembers, sizeof *m, by_operation);
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0, end; i < parts->nmembers; i = end) {
			uint32_t *most = tv_map_at(&size, m[i].comm, 0);

			for (end = i + 1; end < parts->nmembers && m[end].comm == m[i].comm
					  && m[end].sequence == m[i].sequence;
			     end++)
				;
			if (pass == 0 && (*most == TV_NONE || end - i > *most))
				*most = (uint32_t)(end - i);
			else if (pass == 1)
				add_operation(parts, &m[i], end - i, end - i == *most);
		}
	tv_map_release(&size);
	tv_free(parts->member);
}
