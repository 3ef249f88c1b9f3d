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
	uint32_t job;	  /* index or TV_NONE */
	uint32_t type;	  /* 0x100 point to point, 0x101 collective, 0 = not known */
	uint32_t receive; /* the one that it was paired with; TV_NONE */
};

struct tv_fxt_receive {
	uint32_t dst, order; /* rank index; place among the receives of all ranks */
	uint32_t next;	     /* of the same source, destination and tag; TV_NONE */
	int64_t src;	     /* rank number */
	int64_t time, tag;
	uint64_t handle;
	uint32_t job;
	bool used;
};

struct tv_fxt_messages {
	struct tv_fxt_send *send;
	struct tv_fxt_receive *receive;
	size_t nsends, sends_cap, nreceives, receives_cap;
};

/* Pairs the messages: rows in links, dependencies of the receivers. */
void tv_fxt_pair_messages(struct tv_fxt_run *run);
/* The task rows of the messages that tv_fxt_pair_messages paired. */
void tv_fxt_write_messages(struct tv_fxt_run *run);

#endif
