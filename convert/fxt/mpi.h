/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpi.h -- messages between the ranks of a run. */
#ifndef TV_FXT_MPI_H
#define TV_FXT_MPI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tv_fxt_run;

struct tv_fxt_send {
	uint32_t src, order; /* rank index; place among the sends of all ranks */
	int64_t dst;	     /* rank number */
	int64_t time;
	int64_t tag, priority;
	uint64_t size, handle;
	uint32_t job;  /* index or TV_NONE */
	uint32_t type; /* 0x100 point to point, 0x101 collective, 0 = not known */
	/* What it was paired with: places in tv_fxt_messages; TV_NONE. */
	uint32_t receive, sent, posted;
};

/* Another event of a message: its send has completed; its receive is posted, or has completed. */
struct tv_fxt_end {
	uint32_t rank, order; /* rank index; place among those of all ranks */
	uint32_t next;	      /* of the same source, destination and tag; TV_NONE */
	uint32_t posted;      /* completed receives: where they were posted; TV_NONE */
	int64_t peer;	      /* rank number */
	int64_t time, tag;
	uint64_t handle; /* completed receives: 0 = not known */
	uint32_t job;	 /* likewise: index or TV_NONE */
	bool used;
};

struct tv_fxt_ends {
	struct tv_fxt_end *at;
	size_t n, cap;
};

struct tv_fxt_messages {
	struct tv_fxt_send *send;
	size_t nsends, sends_cap;
	struct tv_fxt_ends sent, posted, received;
};

/* Pairs the messages: rows in links, dependencies of the receivers. */
void tv_fxt_pair_messages(struct tv_fxt_run *run);
/* The task rows of the messages that tv_fxt_pair_messages paired. */
void tv_fxt_write_messages(struct tv_fxt_run *run);

#endif
