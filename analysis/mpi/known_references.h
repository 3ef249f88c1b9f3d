/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * known_references.h -- the references of the communications of a run: of a table, or of other runs in
 * which one of communication and computation is not there. Nothing is guessed.
 */
#ifndef TV_KNOWN_REFERENCES_H
#define TV_KNOWN_REFERENCES_H

#include "analysis/calls/communications.h"
#include "analysis/mpi/overlap_ratios.h"

/* The communications of one kind during which nothing was computed. */
struct tv_lone_kind {
	const char *call;
	uint32_t label; /* of call, in the pool of its run */
	int64_t bytes;	/* TV_NO_NUMBER = missing */
	int64_t ranks;	/* < 0 = no collective operation */
	size_t n;
	int64_t median; /* of their measured times, ns */
};

/* Each kind of completed communication with compute <= tolerance x measured, by function, bytes, ranks. */
void tv_lone_kinds(const struct tv_communications *c, double tolerance,
		   void (*use)(void *context, const struct tv_lone_kind *kind), void *context);

struct tv_known_references {
	const struct tv_communications *of;
	struct tv_references table;
	struct tv_map found; /* call and site, bytes and ranks: place in `value` */
	struct tv_reference *value;
	size_t nvalues, values_cap;
	int64_t *compute; /* by communication, ns, < 0 = unknown; NULL: what the table has */
};

/* of lasts longer; releases in any case. */
void tv_known_references_init(struct tv_known_references *known,
			      const struct tv_communications *of);
void tv_known_references_release(struct tv_known_references *known);
/* A CSV of references, or a trace in any format: its lone kinds. The content decides. */
int tv_known_references_read(struct tv_known_references *known, const char *path, double tolerance,
			     struct tv_error *err) TV_MUST_CHECK;
/*
 * Computations of a run of the same program without communication: of the k-th request of a rank,
 * function and place the compute time of the k-th one there, if both runs have as many of them, and if
 * its calls take no more than tolerance x its measured time. Warns of requests that have none.
 */
int tv_known_references_pair(struct tv_known_references *known, const char *path, double tolerance,
			     struct tv_error *err) TV_MUST_CHECK;

/* Ratios and references of the i-th communication. A blocking call has none of a computation. */
struct tv_ratios tv_known_ratios(struct tv_known_references *known, uint32_t i,
				 struct tv_reference *reference);

#endif
