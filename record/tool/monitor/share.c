/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * share.c -- which of the recorders of one host samples what all of them would sample alike: the machine.
 *
 * The one that has the lock of a file does. The kernel releases it when that process ends, however it ends, and
 * another one gets it within a second.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "record/tool/monitor/source.h"

enum { TRY_NS = 1000000000 };

int tv_sampler_share(struct tv_sampler *s, int lock, char *why)
{
	s->lock = lock;
	s->has_machine = flock(lock, LOCK_EX | LOCK_NB) == 0;
	if (s->has_machine || errno == EWOULDBLOCK || errno == EINTR)
		return 0;
	snprintf(why, TV_SAMPLER_WHY, "cannot lock a file in the folder: %s", strerror(errno));
	return -1;
}

bool tv_sampler_has_machine(struct tv_sampler *s, int64_t now)
{
	if (!s->has_machine && now >= s->next_try) {
		s->has_machine = flock(s->lock, LOCK_EX | LOCK_NB) == 0;
		s->next_try = now + TRY_NS;
	}
	return s->has_machine;
}

void tv_sampler_end_share(struct tv_sampler *s)
{
	if (s->lock >= 0)
		close(s->lock);
	s->lock = -1;
}
