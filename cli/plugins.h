/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugins.h -- verbs of others: commands traceviz-plugin-NAME in the folders of PATH. */
#ifndef TV_CLI_PLUGINS_H
#define TV_CLI_PLUGINS_H

#include <stdbool.h>

#include "trace/error.h"
#include "trace/output.h"

/*
 * If argv[1] is neither a verb nor something that exists, but the NAME of a plugin: becomes that
 * program, with the words behind the name, and in TRACEVIZ the path of this one. Does not return
 * then; -1 with *err where it cannot be run, 0 if there is no such plugin.
 */
int tv_plugin_run(int argc, char **argv, struct tv_error *err) TV_MUST_CHECK;
/* Appends a heading and the names of all plugins; nothing where there is none. */
void tv_plugins_list(struct tv_output *out);

#endif
