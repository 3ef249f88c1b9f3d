/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tracks.h -- what is found out about a trace, for files that viewers show: why workers were idle, the critical path, the
 * diagnosis. */
#ifndef TV_TRACKS_H
#define TV_TRACKS_H

#include "cli/cli.h"
#include "convert/formats.h"

enum { TV_TRACKS_MAX = 3 };

struct tv_tracks {
	struct tv_track at[TV_TRACKS_MAX];
	size_t n;
	struct tv_table diagnosis;
};

/* Fills *tracks (zeroed) with those that the run has; notes receives why it lacks others. Tables borrow from results of the run.
 * Cost: that of diagnose. */
void tv_tracks_init(struct tv_tracks *tracks, const struct tv_cli *cli, struct tv_run *run,
		    struct tv_diagnostics *notes);
void tv_tracks_release(struct tv_tracks *tracks); /* safe on a zeroed struct */

#endif
