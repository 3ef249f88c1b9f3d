/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shared.h -- rows that processes make of their files, for the trace of process 0: for readers whose files are shared (share.h). */
#ifndef TV_SHARED_H
#define TV_SHARED_H

#include "analysis/core/team.h"
#include "trace/pack_trace.h"

struct tv_shared {
	const struct tv_team *team;
	struct tv_trace *trace;	       /* of the run */
	uint32_t sent;		       /* labels of its pool that process 0 has */
	struct tv_sent_labels *labels; /* in process 0: by process */
	struct tv_gathered all;
};

/* A file that was read: what all processes are to know of it. */
struct tv_shared_files {
	size_t n; /* of this process */
	void (*pack)(void *context, size_t i, struct tv_parcel *pack);
	/* Called for the files of all processes, in their order; own: the number of one of this process, else TV_NONE. */
	void (*take)(void *context, uint32_t process, uint32_t own, struct tv_unpack *from);
	void *context;
};

/* Tells all processes of all files; the trace of process 0 gets what reading those of others reported. */
void tv_shared_tell(const struct tv_team *team, struct tv_trace *trace,
		    const struct tv_shared_files *files);

void tv_shared_init(struct tv_shared *shared, const struct tv_team *team, struct tv_trace *trace);
void tv_shared_release(struct tv_shared *shared);
/*
 * Sends what is packed, which is released, to process 0, if all agree that nothing has failed: -1 with *err, the failure of the lowest
 * process. Otherwise in process 0 what each process has sent, in new memory; what it contains is valid until the next call. NULL
 * in the others. Labels in it are those of its sender: tv_sent_label, tv_unpack_trace.
 */
int tv_shared_send(struct tv_shared *shared, struct tv_parcel *pack, int rc,
		   struct tv_unpack **from, struct tv_error *err) TV_MUST_CHECK;

#endif
