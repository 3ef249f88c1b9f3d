/* SPDX-License-Identifier: GPL-3.0-or-later */
/* help.h -- parts of what `traceviz help` and --help print. */
#ifndef TV_CLI_HELP_H
#define TV_CLI_HELP_H

#include "trace/output.h"

/* What can be read, what such traces have, and what that is needed for. */
void tv_help_formats(struct tv_output *out);
void tv_help_writers(struct tv_output *out); /* what convert --to writes */
/* The tables of a trace and their columns. */
void tv_help_tables(struct tv_output *out);
void tv_help_exit_statuses(struct tv_output *out);

#endif
