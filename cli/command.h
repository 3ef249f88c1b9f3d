/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command.h -- the traceviz command. */
#ifndef TV_COMMAND_H
#define TV_COMMAND_H

#include "analysis/core/team.h"

/*
 * Does what a command line asks for and returns the exit status. team: the processes that do it together, each with the
 * same command line; NULL = this one alone. What not all can do together the first process does alone; the other ones
 * then return 0 at once. They write nothing but on standard output and error, which are to lead nowhere for them.
 */
int tv_command(int argc, char **argv, const struct tv_team *team);

#endif
