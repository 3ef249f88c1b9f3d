/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * share.h -- the files of the ranks of a run, read by the processes of a team.
 *
 * Process 0 runs a verb; the others wait in tv_share_help. When it reads several files of a format that can be shared
 * (tv_reader.share), each process reads about as many bytes of them, and process 0 gets what it would have read alone.
 */
#ifndef TV_SHARE_H
#define TV_SHARE_H

#include "convert/members.h"

/* In process 0: from now on the others help (NULL: they do not). The team outlives that. */
void tv_share_with(const struct tv_team *team);
/* In process 0: lets the others go on, if they help. */
void tv_share_end(void);
/* In the others: helps until then, and gives how many files this one has read. options: how the command line says to read. */
size_t tv_share_help(const struct tv_team *team, const struct tv_read_options *options);

/* Whether the members of that reader are to be shared. */
bool tv_share_may(const struct tv_loading *l, const struct tv_reader *reader);
/* Reads them into l->trace. -1 with *err, of the first file that fails. */
int tv_share_members(const struct tv_loading *l, const struct tv_reader *reader,
		     struct tv_error *err) TV_MUST_CHECK;

#endif
